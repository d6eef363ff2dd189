// scenes.h -- one scene for each kind of result.
#ifndef JD_PICTURE_SCENES_H
#define JD_PICTURE_SCENES_H

#include "judder/picture.h"
#include "judder/result.h"
#include "picture/scene/scene.h"

typedef struct jd_caption {
    const char *title;         // of the model
    bool si;                   // units on the axes
    int n_unit;                // units of parameters
    const jd_named_text *unit; // by path
} jd_caption;

jd_caption jd_caption_of(const jd_result *result);
// Label of an axis along a number of the model: "frequency of push [rad/s]", "[–]" for one without
// a unit; no unit in a model without units.
const char *jd_parameter_label(jd_arena *arena, const jd_caption *caption, const char *path);
// The same without a unit: "frequency of push".
const char *jd_parameter_words(jd_arena *arena, const char *path);
// Words of a measure: "largest displacement of tip"; another text as it is.
const char *jd_measure_label(jd_arena *arena, const char *measure);

// Floquet multipliers of one orbit, by falling size.
typedef struct jd_multipliers {
    int n;
    const double *value;     // re, im of each
    const double *magnitude; // log |mu|; NaN or -infinity: 0, or cannot be told from it
    bool stable, marginal;
    double period; // [s]
} jd_multipliers;

// Orbits of nonsmooth modes in full.
typedef struct jd_nsm_orbits {
    const char *what; // in words
    int n, samples;
    const char **name;            // n
    int n_multiplier;             // of each; 0: none
    const double *multiplier;     // n x n_multiplier pairs (re, im)
    const double *omega, *energy; // n
    const int *stable;            // n: 1, 0, or -1 where it was not judged
    const char *point;            // the other point; NULL: none
    const double *phase;          // n x samples: time / period
    const double *u[2], *v[2];    // n x samples: of the stop's point and of the other
    jd_nsm_linear linear;
} jd_nsm_orbits;

// Orbits that random starts lead to, by falling share.
typedef struct jd_attractor_list {
    int n, starts, lost;
    const double *share, *period, *multiplier; // n; multiplier: the largest |mu|
    int n_contact;
    const char **contact;
    const double **low, **high; // n_contact x n: displacement [m]
} jd_attractor_list;

// Natural modes: free ones of every body, and with each contact stuck.
typedef struct jd_mode_list {
    const char *name; // "free", "pile", "tip stuck"
    int n;
    const double *omega, *ratio; // [rad/s], damping ratio
} jd_mode_list;
typedef struct jd_modes_view {
    int n_list, n_shapes;
    const jd_mode_list *list;
    const jd_shapes_result *shapes;
} jd_modes_view;

// The views of a result's content, in the arena.
jd_multipliers jd_multipliers_of(const jd_orbit_result *orbit);
jd_status jd_attractor_list_of(jd_arena *arena, const jd_attractors_result *attractors,
                               jd_attractor_list *out);
jd_status jd_modes_view_of(jd_arena *arena, const jd_modes_result *modes, jd_modes_view *out);
jd_status jd_nsm_orbits_of(jd_arena *arena, const jd_nsm_orbits_result *orbits, jd_nsm_orbits *out);

// What is drawn of a result, whatever kind it is of.
jd_status jd_scene_of_result(jd_arena *arena, const jd_result *result, const jd_picture_def *def,
                             jd_scene **out);

// All in the arena; NULL or incomplete when it has no memory, which it remembers.
jd_scene *jd_sweep_scene(jd_arena *arena, jd_caption caption, const jd_sweep_view *view);
jd_scene *jd_sample_scene(jd_arena *arena, jd_caption caption, const jd_sweep_view *view);
jd_scene *jd_follow_scene(jd_arena *arena, jd_caption caption, const jd_follow_view *view);
jd_scene *jd_family_scene(jd_arena *arena, jd_caption caption, const jd_follow_view *view);
jd_scene *jd_fit_scene(jd_arena *arena, jd_caption caption, const jd_fit_view *view);
jd_scene *jd_backbone_scene(jd_arena *arena, jd_caption caption, const jd_backbone_view *view);
jd_scene *jd_kernel_scene(jd_arena *arena, jd_caption caption, const jd_kernel_view *view);
// The same without the lowest modes (n_resolved > 0).
jd_scene *jd_resolved_scene(jd_arena *arena, jd_caption caption, const jd_kernel_view *view);
// A curve from a file of two columns over the first panel.
jd_status jd_scene_overlay(jd_arena *arena, jd_scene *scene, const char *path);
// Inverse impact speed over the period of the same orbits.
jd_scene *jd_nsm_impact_scene(jd_arena *arena, jd_caption caption, const jd_nsm_result *lines);
jd_scene *jd_nsm_scene(jd_arena *arena, jd_caption caption, const jd_nsm_result *result);
jd_scene *jd_batch_scene(jd_arena *arena, jd_caption caption, const jd_batch_result *batch);
jd_scene *jd_converge_scene(jd_arena *arena, jd_caption caption,
                            const jd_convergence_result *studies);
jd_scene *jd_modes_scene(jd_arena *arena, jd_caption caption, const jd_modes_view *view);
jd_scene *jd_shapes_scene(jd_arena *arena, jd_caption caption, const jd_modes_view *view);
// The result has `space`.
jd_scene *jd_space_scene(jd_arena *arena, jd_caption caption, const jd_modes_result *modes);
jd_scene *jd_attractors_scene(jd_arena *arena, jd_caption caption, const jd_attractor_list *list);
jd_scene *jd_nsm_orbits_scene(jd_arena *arena, jd_caption caption, const jd_nsm_orbits *orbits,
                              jd_picture_kind kind);
jd_scene *jd_multipliers_scene(jd_arena *arena, jd_caption caption, const jd_multipliers *m);

// A run with a series of blows: its own page (of_blows.c).
bool jd_result_has_blows(const jd_result *result);
jd_scene *jd_blows_scene(jd_arena *arena, jd_caption caption, const jd_run_result *r);

#endif
