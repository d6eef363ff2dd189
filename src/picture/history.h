// history.h -- a stretch of motion as plain arrays, and the pictures made from it.
#ifndef JD_PICTURE_HISTORY_H
#define JD_PICTURE_HISTORY_H

#include "judder/orbit.h"
#include "judder/picture.h"
#include "judder/run.h"
#include "picture/scene.h"

typedef struct jd_history_point {
    const char *name;
    double *u, *v; // displacement, velocity
} jd_history_point;

typedef struct jd_history_contact {
    const char *name;
    double *u, *v, *force; // displacement, relative velocity, force on the structure
    char *phase;           // letters: H + - o |
    double limit;          // of the force while sliding; NaN: none
    double static_limit;   // while stuck; NaN: the same
    double gap;            // of a stop; NaN: not a stop
    bool both;             // the stop has two sides, |u| <= gap
    bool span;             // along a length: means over it, no phases
} jd_history_contact;

// What the energy has become until each sample; stored + damping + friction + impacts = supplied.
typedef struct jd_history_energy {
    double *stored, *damping, *friction, *impacts, *supplied;
} jd_history_energy;

// Samples ascend in time; an event has two, just before it and at it, so that jumps are vertical.
typedef struct jd_history {
    const char *title, *subtitle; // of the model; what is shown
    bool si;                      // units on the axes
    int n;
    double *t;
    int n_point, n_contact, n_event;
    jd_history_point *point;
    jd_history_contact *contact;
    const jd_event *event;     // within the stretch
    jd_history_energy *energy; // NULL: not known
    double *growth;            // natural logarithm of that of a change of the start; NULL: unknown
    int n_slip;                // points along contacts that act along spans ...
    jd_history_point *slip;    // ... with their sliding velocity as v; u is NULL
} jd_history;

// Displacement along the body and stick and slip along the contact of the first contact that acts
// along a span, over the window. False where a problem has none.
bool jd_has_field(const jd_problem *problem);
typedef struct jd_field_view {
    const char *title, *body, *contact;
    bool si;
    int n_node, n_cell; // of the grids
    jd_heat u, state;   // over time and place
    double *speed;      // as state: |sliding velocity|
} jd_field_view;
// Room for n_t columns at these times; then column by column, at every node and every cell.
jd_status jd_field_take(jd_arena *arena, jd_field_view *view, int n_t, const double *t,
                        const double *node, const double *cell);
void jd_field_put(jd_field_view *view, int column, const double *displacement,
                  const jd_interface_field *cells); // velocity, state and force are looked at
jd_scene *jd_field_draw(jd_arena *arena, jd_field_view *view); // the view must outlive the scene
jd_status jd_field_scene(jd_arena *arena, jd_problem *problem, const jd_picture_def *def,
                         jd_scene **out);

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
void jd_history_energies(jd_scene *s, const jd_history *h, jd_frame at);
void jd_history_slip(jd_scene *s, const jd_history *h, jd_frame at);

int jd_history_phased(const jd_history *h);       // contacts at points: they have phases
bool jd_history_has_force(const jd_history *h);   // any contact presses or rubs
bool jd_history_has_impacts(const jd_history *h); // any event is an impact

// Values times a factor, in the arena (NULL: no memory, which the arena remembers).
double *jd_scaled(jd_arena *arena, int n, const double *value, double factor);
double jd_largest(int n, const double *value); // largest finite |value|, 0 for none

// The arrays of a problem's run between `from` and `to` (NaN: chosen), with those that this kind of
// picture wants.
jd_status jd_history_of_run(jd_arena *arena, jd_problem *problem, double from, double to,
                            jd_picture_kind kind, jd_history *out);
// The same of one period of an orbit.
jd_status jd_history_of_orbit(jd_arena *arena, jd_problem *problem, const jd_orbit *orbit,
                              jd_picture_kind kind, jd_history *out);

// Points at which contacts along spans are looked at: those of the list that lie on one.
typedef struct jd_slip_place {
    const char *name;
    int contact;
    double position; // [m] along the contact's body
} jd_slip_place;
int jd_slip_places(const jd_problem *problem, int n, const char *const *name, jd_slip_place *out);
int jd_slip_cell(int n, const double *position, double at); // the nearest
// Sliding velocity there now [m/s]; NaN: the engine has no field.
double jd_slip_at(jd_run *run, const jd_slip_place *place);

#endif
