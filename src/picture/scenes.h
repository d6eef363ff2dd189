// scenes.h -- one scene for each thing computed, whether it comes from memory or from a result
// file.
#ifndef JD_PICTURE_SCENES_H
#define JD_PICTURE_SCENES_H

#include <jansson.h>

#include "judder/converge.h"
#include "judder/follow.h"
#include "judder/kernel.h"
#include "judder/nsm.h"
#include "judder/orbit.h"
#include "judder/picture.h"
#include "judder/sweep.h"
#include "picture/scene.h"

typedef struct jd_caption {
    const char *title;         // of the model
    bool si;                   // units on the axes
    const jd_problem *problem; // knows the units of parameters; NULL: `units` does
    const json_t *units;       // `parameter_units` of a result file; NULL: none are known
} jd_caption;

jd_caption jd_caption_of(const jd_problem *problem);
// Label of an axis along a number of the model: "drives.push.frequency [rad/s]", "[–]" for one
// without a unit; the bare path in a model without units.
const char *jd_parameter_label(jd_arena *arena, const jd_caption *caption, const char *path);

// Floquet multipliers of one orbit, by falling size.
typedef struct jd_multipliers {
    int n;
    const double *value;     // re, im of each
    const double *magnitude; // log |mu|; NaN or -infinity: 0, or cannot be told from it
    bool stable, marginal;
    double period; // [s]
} jd_multipliers;

// A branch of nonsmooth modes with orbits along it, omega rising.
typedef struct jd_nsm_line {
    jd_nsm_branch branch;
    int n;
    const double *omega, *energy;
} jd_nsm_line;

typedef struct jd_nsm_lines {
    int n_line, n_family, n_sustained;
    const jd_nsm_line *line;
    const jd_nsm_family *family;       // kind, n, omega and energy are looked at
    const jd_nsm_sustained *sustained; // omega and energy are looked at
} jd_nsm_lines;

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
typedef struct jd_mode_shapes {
    const char *body;
    bool nodes; // places are numbers of masses
    int n, n_mode;
    const double *position, *value; // n; n_mode x n, mass-normalised [1/sqrt(kg)]
} jd_mode_shapes;
typedef struct jd_modes_view {
    int n_list, n_shapes;
    const jd_mode_list *list;
    const jd_mode_shapes *shapes;
} jd_modes_view;

// All in the arena; NULL or incomplete when it has no memory, which it remembers.
jd_scene *jd_sweep_scene(jd_arena *arena, jd_caption caption, const jd_sweep_view *view);
jd_scene *jd_follow_scene(jd_arena *arena, jd_caption caption, const jd_follow_view *view);
jd_scene *jd_kernel_scene(jd_arena *arena, jd_caption caption, const jd_kernel_view *view);
// The same without the lowest modes (n_resolved > 0).
jd_scene *jd_resolved_scene(jd_arena *arena, jd_caption caption, const jd_kernel_view *view);
jd_scene *jd_nsm_scene(jd_arena *arena, jd_caption caption, const jd_nsm_lines *lines);
jd_scene *jd_converge_scene(jd_arena *arena, jd_caption caption, int n, const jd_converge_def *def,
                            jd_converge_point *const *point);
jd_scene *jd_modes_scene(jd_arena *arena, jd_caption caption, const jd_modes_view *view);
jd_scene *jd_shapes_scene(jd_arena *arena, jd_caption caption, const jd_modes_view *view);
jd_scene *jd_attractors_scene(jd_arena *arena, jd_caption caption, const jd_attractor_list *list);
jd_scene *jd_nsm_orbits_scene(jd_arena *arena, jd_caption caption, const jd_nsm_orbits *orbits,
                              jd_picture_kind kind);
jd_scene *jd_multipliers_scene(jd_arena *arena, jd_caption caption, const jd_multipliers *m);

#endif
