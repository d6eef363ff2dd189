// picture.h -- pictures of results: SVG, PNG or PDF by the file's suffix, drawn by
// gnuplot; or the plotted numbers as a table, CSV.
#ifndef JUDDER_PICTURE_H
#define JUDDER_PICTURE_H

#include "judder/result.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    X(JD_PICTURE_HYSTERESIS, "hysteresis",                                                         \
      "force over displacement of contacts, energy per cycle")                                     \
    X(JD_PICTURE_STATUS, "status", "which contacts stick, slide and are open, in time")            \
    X(JD_PICTURE_ENERGY, "energy", "where the energy came from and went, in time")                 \
    X(JD_PICTURE_FIELD, "field", "motion along a body and stick and slip along its contact")       \
    X(JD_PICTURE_SLIP, "slip", "sliding velocity at points along a contact")                       \
    X(JD_PICTURE_HORIZON, "horizon", "how a change of the start grows, and digits that are left")  \
    X(JD_PICTURE_SPECTRUM, "spectrum", "amplitudes over frequencies, of a long stretch")           \
    X(JD_PICTURE_WATERFALL, "waterfall", "how amplitudes over frequencies change in time")         \
    X(JD_PICTURE_POINCARE, "poincare", "displacement and velocity once a drive period")            \
    X(JD_PICTURE_SHAPES, "shapes", "shapes of modes along the structure")                          \
    X(JD_PICTURE_SHAPE3D, "shape3d", "shapes of modes in space: solids, beams, chains")            \
    X(JD_PICTURE_MANIFOLD, "manifold", "orbits of a nonsmooth mode in space: its manifold")        \
    X(JD_PICTURE_IMPACT, "impact", "inverse impact speed of nonsmooth modes over their period")

// The kinds of that list.
typedef enum jd_picture_kind { JD_PICTURE_LIST(JD_SYMBOL) JD_PICTURE_KIND_COUNT } jd_picture_kind;

// Name of a picture, as `--picture` takes it.
const char *jd_picture_name(jd_picture_kind kind);
// What it shows, in a few words.
const char *jd_picture_text(jd_picture_kind kind);

// What is drawn of a run.
typedef struct jd_picture_def {
    jd_picture_kind kind;
    double from, to; // the time shown; NaN: chosen (whole run, or its last few drive periods)
    // Words below the horizontal axes and beside the vertical axis of the first panel; NULL
    // (default): chosen, with units. They must outlive the drawing.
    const char *x_label, *y_label;
    // CSV file of two columns in the units of the axes, drawn over the first panel; NULL (default):
    // none.
    const char *overlay;
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

// Draws a result as its kind is drawn: a run or an orbit from the stretch jd_result_show put into
// it, else from its samples and events; a sweep over one parameter as amplitude and samples at
// drive phase 0, over two as a map; a branch with stable parts drawn through and special points
// ringed; kernels; modes and their shapes; convergence beside its one percent; nonsmooth modes over
// their energy, orbits of them in space. Kinds of pictures and windows that do not fit the result
// are JD_BAD_USAGE.
jd_status jd_picture_draw(jd_context *context, const jd_result *result, const jd_picture_def *def,
                          const char *path);
// Computes once more the stretch of a run (orbit NULL) or of an orbit that a picture shows, and
// puts it into the result: the picture drawn of it, and of its file, is that of jd_picture_run.
jd_status jd_result_show(jd_context *context, jd_result *result, jd_problem *problem,
                         const jd_orbit *orbit, const jd_picture_def *def);
// Reads a result file and draws it.
jd_status jd_picture_result(jd_context *context, const char *file, const jd_picture_def *def,
                            const char *path);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
}
#endif

#endif
