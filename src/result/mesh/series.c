// series.c -- a motion, an orbit or the modes of a problem as a series of files for ParaView.
//   NAME.pvd lists NAME.0000.vtu, NAME.0001.vtu ...: the points at rest, their displacement and
//   velocity (vectors; filter Warp By Vector), and the state of the contact at each point. NAME.vtu
//   asks for the same files without the list; each holds its time.
#include <math.h>
#include <string.h>

#include "engine/engine.h"
#include "judder/mesh.h"
#include "judder/run.h"
#include "problem/parts.h"
#include "result/export/export.h"
#include "result/file/file.h"
#include "result/mesh/geometry.h"
#include "result/mesh/vtu.h"

enum { FRAMES = 100, A_PERIOD = 64, MOST_FRAMES = 100000, NO_CONTACT = -1 };

// What all files of a series share.
typedef struct series {
    jd_context *context;
    jd_arena *arena;
    const char *path, *base; // base: file name without folder and .pvd
    int folder;              // characters of the folder in path
    bool listed;             // a list of the files is written, too
    jd_problem *finite; // with the first of infinitely many modes; NULL: the problem has no others
    jd_geometry geometry;
    int n, room;
    double *time;
    const char **file;
    double *own, *u, *v;
    int *state; // of the contact at each point
} series;

static jd_status begin(series *s, const jd_problem *problem, const char *path, int room) {
    size_t length = strlen(path);
    const char *slash = strrchr(path, '/');
    s->arena = jd_arena_create(s->context);
    if (!s->arena) return JD_OUT_OF_MEMORY;
    s->path = path;
    s->folder = slash ? (int)(slash - path) + 1 : 0;
    char *base = jd_arena_text(s->arena, path + s->folder);
    s->listed = !(length > 4 && !strcmp(path + length - 4, ".vtu"));
    if (base && length > 4 && (!s->listed || !strcmp(path + length - 4, ".pvd")))
        base[strlen(base) - 4] = '\0';
    s->base = base;
    s->room = room;
    if (jd_problem_infinite(problem))
        JD_TRY(jd_problem_finite(s->context, problem, JD_FOLLOWED_MODES, NULL, &s->finite));
    JD_TRY(jd_geometry_create(s->arena, s->finite ? s->finite : problem, &s->geometry));
    size_t n = (size_t)s->geometry.n;
    s->time = JD_TAKE(s->arena, double, room);
    s->file = JD_TAKE(s->arena, const char *, room);
    s->own = JD_TAKE(s->arena, double, s->geometry.n_mode);
    s->u = JD_TAKE(s->arena, double, 3 * n);
    s->v = JD_TAKE(s->arena, double, 3 * n);
    s->state = JD_TAKE(s->arena, int, n);
    return jd_arena_status(s->arena);
}

static jd_status add(series *s, double time, int n_array, const jd_vtu_array *array) {
    const jd_geometry *g = &s->geometry;
    const jd_vtu grid = {g->n,      g->at,   g->n_cell, g->type, g->start,
                         g->corner, n_array, array,     time};
    const char *name = jd_arena_format(s->arena, "%s.%04d.vtu", s->base, s->n);
    const char *path = jd_arena_format(s->arena, "%.*s%s", s->folder, s->path, name);
    JD_TRY(jd_arena_status(s->arena));
    s->time[s->n] = time;
    s->file[s->n++] = name;
    return jd_vtu_write(s->context, path, &grid);
}

// Two contacts at one point: the later one is seen.
static void mark_contacts(series *s, jd_run *run) {
    const jd_geometry *g = &s->geometry;
    const char *phase = run ? jd_run_phase(run) : "";
    for (int i = 0; i < g->n; i++) s->state[i] = NO_CONTACT;
    for (int j = 0; phase[j]; j++)
        if (g->of_contact[j] >= 0) s->state[g->of_contact[j]] = (int)jd_contact_state_of(phase[j]);
}

static jd_status add_motion(series *s, jd_run *run, double *q, double t) {
    int modes = s->geometry.n_mode;
    jd_run_modes(run, q);
    jd_geometry_move(&s->geometry, q, s->own, s->u);
    jd_geometry_move(&s->geometry, q + modes, s->own, s->v);
    mark_contacts(s, run);
    const jd_vtu_array array[] = {{"displacement", 3, s->u, NULL},
                                  {"velocity", 3, s->v, NULL},
                                  {"contact_state", 1, NULL, s->state}};
    return add(s, t, 3, array);
}

// Times between frames: as the section `output` says, else a hundredth of the run.
static jd_status frames_of(const jd_problem *p, double until, int *n) {
    const jd_output_def *o = jd_problem_section(p, JD_OUTPUT, NULL);
    double every = 0, period = jd_problem_period(p);
    if (o->every.value > 0) JD_TRY(jd_problem_duration(p, &o->every, &every));
    if (every == 0 && o->per_period > 0 && period > 0) every = period / o->per_period;
    double count = every > 0 ? floor(until / every + 1e-9) : FRAMES;
    if (count <= MOST_FRAMES) {
        *n = (int)count < 1 ? 1 : (int)count;
        return JD_OK;
    }
    jd_fail(p->context, JD_OUT_OF_RANGE,
            "%.0f pictures of the motion are more than the %d possible", count, MOST_FRAMES);
    jd_fail_where(p->context, "output.every");
    return JD_OUT_OF_RANGE;
}

static jd_status reach(jd_run *run, double t, bool *ended) {
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(run, t, &step));
    *ended = step == JD_STEP_STOPPED;
    return JD_OK;
}

// At times until * i/frames for i = 0 .. last.
static jd_status follow_motion(series *s, jd_run *run, double until, int frames, int last) {
    double *q = JD_TAKE(s->arena, double, 2 * (size_t)s->geometry.n_mode);
    bool ended = false;
    JD_TRY(jd_arena_status(s->arena));
    if (jd_run_modes(run, NULL) != 2 * s->geometry.n_mode)
        return jd_fail(s->context, JD_NOT_SUPPORTED,
                       "the engine computes without modes: the motion in space is not known");
    for (int i = 0; i <= last && !ended; i++) {
        double t = until * i / frames;
        jd_progress(s->context, "pictures", (double)i / (last + 1));
        JD_TRY(reach(run, t, &ended));
        if (!ended) JD_TRY(add_motion(s, run, q, t));
    }
    return JD_OK;
}

static jd_status motion(series *s, jd_problem *problem, const char *path) {
    const jd_simulate_def *simulate = jd_problem_section(problem, JD_SIMULATE, NULL);
    double until = 0;
    int frames = 0;
    JD_TRY(jd_problem_duration(problem, &simulate->until, &until));
    JD_TRY(frames_of(problem, until, &frames));
    JD_TRY(begin(s, problem, path, frames + 1));
    jd_run *run = NULL;
    jd_status status = jd_run_create(s->context, problem, &run);
    if (status == JD_OK && s->finite) status = jd_run_follow(run, s->finite, NULL);
    if (status == JD_OK) status = follow_motion(s, run, until, frames, frames);
    if (run) jd_run_free(run);
    return status;
}

static jd_status finish(series *s, jd_status status, int *files) {
    if (status == JD_OK && s->listed)
        status = jd_pvd_write(s->context, s->path, s->n, s->time, s->file);
    if (files) *files = s->n;
    if (s->arena) jd_arena_free(s->arena);
    jd_problem_free(s->finite);
    return status;
}

jd_status jd_mesh_write_run(jd_context *context, jd_problem *problem, const char *path,
                            int *files) {
    series s = {.context = context};
    jd_status status = jd_problem_build(problem);
    if (status == JD_OK) status = motion(&s, problem, path);
    return finish(&s, status, files);
}

// Modes beside infinitely many, as one period of the orbit leaves them.
static jd_status follow_round(series *s, const jd_orbit *orbit, double length, double *modes) {
    jd_run *run = NULL;
    bool ended = false;
    jd_status status = jd_orbit_run(orbit, &run);
    if (status == JD_OK) status = jd_run_follow(run, s->finite, modes);
    if (status == JD_OK) status = reach(run, length, &ended);
    if (status == JD_OK) status = jd_run_follow_round(run, length, modes);
    jd_run_free(run);
    return status;
}

static jd_status orbit_run(series *s, const jd_orbit *orbit, double length, jd_run **run) {
    if (!s->finite) return jd_orbit_run(orbit, run);
    double *modes = JD_TAKE(s->arena, double, 2 * (size_t)s->geometry.n_mode);
    JD_TRY(jd_arena_status(s->arena));
    JD_TRY(follow_round(s, orbit, length, modes));
    JD_TRY(jd_orbit_run(orbit, run));
    return jd_run_follow(*run, s->finite, modes);
}

// One period of an orbit, the end left out: played in a loop it does not stand still.
static jd_status period(series *s, jd_problem *problem, const jd_orbit *orbit, const char *path) {
    const jd_output_def *o = jd_problem_section(problem, JD_OUTPUT, NULL);
    double length = jd_orbit_look(orbit)->period;
    int frames = o->per_period > 0 && o->per_period <= MOST_FRAMES ? o->per_period : A_PERIOD;
    JD_TRY(begin(s, problem, path, frames));
    jd_run *run = NULL;
    jd_status status = orbit_run(s, orbit, length, &run);
    if (status == JD_OK) status = follow_motion(s, run, length, frames, frames - 1);
    jd_run_free(run);
    return status;
}

jd_status jd_mesh_write_orbit(jd_context *context, jd_problem *problem, const jd_orbit *orbit,
                              const char *path, int *files) {
    series s = {.context = context};
    if (!jd_orbit_look(orbit)->found)
        return jd_fail(context, JD_BAD_ARGUMENT, "no orbit was found that could be shown");
    jd_status status = jd_problem_build(problem);
    if (status == JD_OK) status = period(&s, problem, orbit, path);
    return finish(&s, status, files);
}

// Each mode with its largest displacement 1; it is shown at the time that is its number.
static jd_status shapes(series *s, jd_problem *problem, const char *path, int most) {
    const jd_modal *modal = &jd_problem_system(problem)->modal;
    int count = most > 0 && most < modal->n ? most : modal->n;
    JD_TRY(begin(s, problem, path, count));
    double *q = JD_TAKE(s->arena, double, s->geometry.n_mode);
    JD_TRY(jd_arena_status(s->arena));
    for (int k = 0; k < count; k++) {
        double largest = 0;
        q[k] = 1;
        jd_geometry_move(&s->geometry, q, s->own, s->u);
        q[k] = 0;
        for (int i = 0; i < s->geometry.n; i++) {
            const double *d = s->u + 3 * (size_t)i;
            largest = fmax(largest, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        }
        for (int i = 0; i < 3 * s->geometry.n && largest > 0; i++) s->u[i] /= largest;
        for (int i = 0; i < s->geometry.n; i++) s->v[i] = dd_value(dd_sqrt(modal->omega2[k]));
        const jd_vtu_array array[] = {{"displacement", 3, s->u, NULL}, {"omega", 1, s->v, NULL}};
        JD_TRY(add(s, k + 1, 2, array));
    }
    return JD_OK;
}

// All modes in one universal file: nodes with coordinates (2411), then a dataset 55 for each mode.
static jd_status universal(series *s, jd_problem *problem, const char *path, int most) {
    const jd_modal *modal = &jd_problem_system(problem)->modal;
    int count = most > 0 && most < modal->n ? most : modal->n;
    jd_file file;
    JD_TRY(begin(s, problem, path, 0));
    double *q = JD_TAKE(s->arena, double, s->geometry.n_mode);
    jd_mode *mode = JD_TAKE(s->arena, jd_mode, modal->n);
    JD_TRY(jd_arena_status(s->arena));
    JD_TRY(jd_modal_list(s->context, modal, mode));
    JD_TRY(jd_file_open(s->context, path, &file));
    jd_universal_nodes(file.stream, s->geometry.n, s->geometry.label, s->geometry.at);
    for (int k = 0; k < count; k++) {
        q[k] = 1;
        jd_geometry_move(&s->geometry, q, s->own, s->u);
        q[k] = 0;
        const jd_universal_mode one = {k + 1,
                                       mode[k].frequency_hz,
                                       mode[k].damping_ratio,
                                       s->geometry.n,
                                       s->geometry.label,
                                       s->u,
                                       jd_problem_title(problem)};
        jd_universal_put_mode(file.stream, &one);
    }
    s->listed = false;
    s->n = 1;
    return jd_file_commit(&file);
}

jd_status jd_mesh_write_modes(jd_context *context, jd_problem *problem, const char *path, int most,
                              int *files) {
    series s = {.context = context};
    bool one = jd_export_format_of(path) == JD_EXPORT_UNIVERSAL;
    jd_status status = jd_problem_build(problem);
    if (status == JD_OK) status = (one ? universal : shapes)(&s, problem, path, most);
    return finish(&s, status, files);
}
