// picture.h -- pictures of results: SVG, PNG or PDF by the file's suffix, drawn by
// gnuplot; or the plotted numbers as a table, CSV.
#ifndef JUDDER_PICTURE_H
#define JUDDER_PICTURE_H

#include "judder/converge.h"
#include "judder/follow.h"
#include "judder/kernel.h"
#include "judder/nsm.h"
#include "judder/orbit.h"
#include "judder/problem.h"
#include "judder/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

// Kinds of pictures: X(symbol, name, text). docs/guide/pictures.md says which result has which.
#define JD_PICTURE_LIST(X)                                                                         \
    X(JD_PICTURE_PAGE, "page", "motion, contact force and phase portrait on one page")             \
    X(JD_PICTURE_MULTIPLIERS, "multipliers", "Floquet multipliers of an orbit, unit circle")       \
    X(JD_PICTURE_HISTORY, "history", "displacement and velocity in time, stick phases shaded")     \
    X(JD_PICTURE_PORTRAIT, "portrait", "velocity over displacement of each contact")               \
    X(JD_PICTURE_FORCE, "force", "contact forces with their limits, and impulses")                 \
    X(JD_PICTURE_ENERGY, "energy", "where the energy came from and went, in time")                 \
    X(JD_PICTURE_FIELD, "field", "motion along a body and stick and slip along its contact")       \
    X(JD_PICTURE_SLIP, "slip", "sliding velocity at points along a contact")                       \
    X(JD_PICTURE_HORIZON, "horizon", "how a change of the start grows, and digits that are left")  \
    X(JD_PICTURE_SHAPES, "shapes", "shapes of modes along the structure")                          \
    X(JD_PICTURE_MANIFOLD, "manifold", "orbits of a nonsmooth mode in space: its manifold")

// The kinds of that list.
typedef enum jd_picture_kind {
#define X(symbol, name, text) symbol,
    JD_PICTURE_LIST(X)
#undef X
        JD_PICTURE_KIND_COUNT
} jd_picture_kind;

// Name of a picture, as `--picture` takes it.
const char *jd_picture_name(jd_picture_kind kind);
// What it shows, in a few words.
const char *jd_picture_text(jd_picture_kind kind);

// What is drawn of a run.
typedef struct jd_picture_def {
    jd_picture_kind kind;
    double from, to; // the time shown; NaN: chosen (whole run, or its last few drive periods)
} jd_picture_def;

// A page, with a window that is chosen.
jd_picture_def jd_default_picture_def(void);

// Whether a picture can be drawn into this file: the suffix is known and gnuplot is installed. To
// be called before long work.
jd_status jd_picture_check(jd_context *context, const char *path);
// Computes the problem's run (twice: first to find its end, then to record the part shown; both
// give the same motion, bit for bit) and draws it. The file is written completely or not at all.
jd_status jd_picture_run(jd_context *context, jd_problem *problem, const jd_picture_def *def,
                         const char *path);
// Draws one period of an orbit that was found; the window of the options is not used.
jd_status jd_picture_orbit(jd_context *context, jd_problem *problem, const jd_orbit *orbit,
                           const jd_picture_def *def, const char *path);

// Draws the points of a sweep that are done: over one parameter the amplitude and the samples at
// drive phase 0 (a bifurcation diagram), over two a map of the amplitude and of the events in a
// period.
jd_status jd_picture_sweep(jd_context *context, const jd_problem *problem, const jd_sweep *sweep,
                           const char *path);
// Draws convergence studies side by side: the ratio to the finest run, with one percent marked.
jd_status jd_picture_converge(jd_context *context, const jd_problem *problem, int n,
                              const jd_converge_def *def, jd_converge_point *const *point,
                              const char *path);

// Draws a branch: the measure and the largest multiplier over the parameter, stable parts drawn
// through, others dashed, special points ringed.
jd_status jd_picture_follow(jd_context *context, const jd_problem *problem, const jd_follow *follow,
                            const char *path);
// Draws the view of a branch, with the branches beside it.
jd_status jd_picture_branch(jd_context *context, const jd_problem *problem,
                            const jd_follow_view *view, const char *path);
// Draws G and L1 of every pair of contacts, with the start enlarged.
jd_status jd_picture_kernel(jd_context *context, const jd_problem *problem, const jd_kernel *kernel,
                            const char *path);

// Draws a result file from the numbers it holds, as the command that made it would; samples and
// events of a run or an orbit as far as they were kept. Kinds of pictures and windows that do not
// fit the result are JD_BAD_USAGE.
jd_status jd_picture_result(jd_context *context, const char *file, const jd_picture_def *def,
                            const char *path);

// Frequency-energy plot of nonsmooth modes: linear modes up to where they touch the stop, the
// branches that start there (stable and unstable parts apart) and their grazing ends.
jd_status jd_picture_nsm(jd_context *context, const jd_problem *problem, const jd_nsm *nsm,
                         const char *path);
// Some orbits. JD_PICTURE_MANIFOLD: in the space of (displacement of the first point of the
// section `output`, displacement of the stop's point, its velocity), samples of the invariant
// manifold they form; PORTRAIT: velocity over displacement; HISTORY: displacement over the period;
// MULTIPLIERS: those in the complex plane, JD_BAD_USAGE for an orbit with sustained contact;
// PAGE: the manifold, or portraits where `output` has no point.
jd_status jd_picture_nsm_orbits(jd_context *context, const jd_problem *problem, jd_nsm *nsm,
                                int n_orbit, const jd_nsm_pick *pick, const jd_picture_def *def,
                                const char *path);

#ifdef __cplusplus
}
#endif

#endif
