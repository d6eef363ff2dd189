// history.h -- pictures of a stretch of motion.
#ifndef JD_PICTURE_HISTORY_H
#define JD_PICTURE_HISTORY_H

#include "judder/picture.h"
#include "judder/result.h"
#include "picture/scene/scene.h"

// The stretch of a run or an orbit that a result holds, between `from` and `to` (NaN: all): what a
// picture of this kind was drawn of before, or its samples.
jd_status jd_history_of_result(jd_arena *arena, const jd_result *result, const jd_picture_def *def,
                               jd_history *out);
// Motion along a body and its contact: that of a picture, or the table `field`. JD_BAD_USAGE with a
// hint where none is kept.
jd_status jd_field_of_result(jd_arena *arena, const jd_result *result, const jd_picture_def *def,
                             jd_field_map *out);
bool jd_result_has_field(const jd_result *result, const jd_picture_def *def);
// Sliding velocity at the recorded points that lie on the contact, at the times of the field.
jd_status jd_slip_of_result(jd_arena *arena, const jd_result *result, const jd_picture_def *def,
                            jd_history *out);
jd_scene *jd_field_scene(jd_arena *arena, const jd_result_head *head, const jd_field_map *map,
                         bool downwards); // places count from the top
// What was kept for just this picture; NULL: nothing.
const jd_shown *jd_shown_of(const jd_result *result, const jd_picture_def *def);

// Is the kind known, and the window one?
jd_status jd_picture_check_def(jd_context *context, const jd_picture_def *def);
// The picture of a kind, in the arena of the scene.
jd_scene *jd_history_scene(jd_arena *arena, const jd_history *history, jd_picture_kind kind);

// Where a panel's frame stands on the page [px].
typedef struct jd_frame {
    double left, top, width, height;
} jd_frame;

// Panels; `bare` leaves out the numbers of the time axis (another panel stands below).
void jd_history_displacement(jd_scene *s, const jd_history *h, jd_frame at, bool bare);
void jd_history_velocity(jd_scene *s, const jd_history *h, jd_frame at, bool bare);
void jd_history_force(jd_scene *s, const jd_history *h, jd_frame at, bool bare);
void jd_history_impulse(jd_scene *s, const jd_history *h, jd_frame at, bool bare);
void jd_history_strip(jd_scene *s, const jd_history *h, jd_frame at, bool bare);
void jd_history_portrait(jd_scene *s, const jd_history *h, int contact, jd_frame at);
void jd_history_loop(jd_scene *s, const jd_history *h, int contact, jd_frame at);
void jd_history_slip(jd_scene *s, const jd_history *h, jd_frame at);

// Whole pages: loops of up to nine contacts with the energy each loses; states over time.
void jd_history_loops(jd_scene *s, const jd_history *h);
void jd_history_status(jd_scene *s, const jd_history *h);
// Over frequencies (spectrum.c).
void jd_history_spectrum(jd_scene *s, const jd_history *h);
void jd_history_waterfall(jd_scene *s, const jd_history *h);
void jd_history_poincare(jd_scene *s, const jd_history *h);
// A two-fold with its critical manifold (of_two_fold.c); false: y2, y3 or lambda is not recorded.
bool jd_history_has_two_fold(const jd_history *h);
void jd_history_two_fold(jd_scene *s, const jd_history *h);

int jd_history_phased(const jd_history *h);       // contacts at points: they have phases
bool jd_history_has_force(const jd_history *h);   // any contact presses or rubs
bool jd_history_has_impacts(const jd_history *h); // any event is an impact

// Values times a factor, in the arena (NULL: no memory, which the arena remembers).
double *jd_scaled(jd_arena *arena, int n, const double *value, double factor);
double jd_largest(int n, const double *value); // largest finite |value|, 0 for none

#endif
