// sweep.c -- a grid of points, shared out to threads.
//   Points that carry the motion on form chains along the first parameter; a chain is computed by
//   one thread, in order. Every thread has its own context and copy of the problem, every point its
//   own place for the result: bits depend neither on the number of threads nor on their order.
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "analysis/sweep/parts.h"
#include "base/param_tools.h"
#include "base/words.h"
#include "problem/parts.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum { MOST_POINTS = 1000000, REPORTS = 200 };

static const jd_word settles[] = {
#define X(symbol, name, settled, text) {name, text},
    JD_SETTLE_LIST(X)
#undef X
};

static const jd_word motions[] = {JD_MOTION_LIST(JD_WORD)};
const char *jd_motion_name(jd_motion k) { return jd_word_name(motions, JD_MOTION_COUNT, (int)k); }
const char *jd_motion_text(jd_motion k) { return jd_word_text(motions, JD_MOTION_COUNT, (int)k); }

const char *jd_settle_name(jd_settle k) { return jd_word_name(settles, JD_SETTLE_COUNT, (int)k); }
const char *jd_settle_text(jd_settle k) { return jd_word_text(settles, JD_SETTLE_COUNT, (int)k); }

jd_sweep_options jd_default_sweep_options(void) { return (jd_sweep_options){0}; }
const jd_sweep_view *jd_sweep_look(const jd_sweep *sw) { return &sw->view; }

void jd_sweep_free(jd_sweep *sw) {
    if (!sw) return;
    jd_sweep_formulas_free(sw->formulas);
    jd_arena_free(sw->arena);
}

static bool is_log(const jd_sweep_def *d, int axis) {
    const jd_texts *t = &d->spacing;
    return t->n > 0 && !strcmp(t->text[t->n > 1 ? axis : 0], "log");
}

static double grid_value(const jd_sweep_def *d, int axis, int i) {
    double from = d->from.value[axis], to = d->to.value[axis];
    int last = (int)d->points.value[axis] - 1;
    if (i == 0 || i == last) return i == 0 ? from : to;
    return is_log(d, axis) ? from * pow(to / from, (double)i / last)
                           : from + (to - from) * i / last;
}

static bool has_sample(const jd_sweep *sw) { return sw->def->sample.points > 0; }

// Each value is set once on a copy: what is out of range is found before anything is computed. The
// draws of a sample stand for the first parameter.
static jd_status plan_axis(jd_sweep *sw, jd_problem *copy, int axis) {
    jd_sweep_view *v = &sw->view;
    if (has_sample(sw) && axis == 0) return jd_sweep_sample(sw, copy);
    int own = axis - has_sample(sw); // its place in the section
    v->count[axis] = (int)sw->def->points.value[own];
    v->parameter[axis] = sw->def->parameters.text[own];
    v->log[axis] = is_log(sw->def, own);
    double *values = JD_TAKE(sw->arena, double, v->count[axis]), old;
    JD_TRY(jd_arena_status(sw->arena));
    JD_TRY(jd_problem_get(copy, v->parameter[axis], &old));
    for (int i = 0; i < v->count[axis]; i++) {
        values[i] = grid_value(sw->def, own, i);
        JD_TRY(jd_problem_set(copy, v->parameter[axis], values[i], NULL));
    }
    v->values[axis] = values;
    return JD_OK;
}

static jd_status count_points(jd_sweep *sw) {
    jd_sweep_view *v = &sw->view;
    const jd_sweep_def *d = sw->def;
    int twice = d->direction == JD_SWEEP_BOTH ? 2 : 1;
    double all = twice * (double)d->starts * (has_sample(sw) ? d->sample.points : 1);
    for (int i = 0; i < d->parameters.n; i++) all *= d->points.value[i];
    if (all > MOST_POINTS) {
        jd_fail(sw->context, JD_OUT_OF_RANGE, "a sweep of %.0f points is more than the %d possible",
                all, MOST_POINTS);
        jd_fail_where(sw->context, has_sample(sw) ? "sweep.sample.points" : "sweep.points");
        return JD_OUT_OF_RANGE;
    }
    v->n_point = (int)all;
    v->n_sample = d->samples;
    v->starts = d->starts;
    v->direction = (jd_sweep_direction)d->direction;
    sw->chain = d->direction == JD_SWEEP_NONE ? 1 : twice * (int)d->points.value[0];
    if (d->direction != JD_SWEEP_NONE || d->starts > 1)
        JD_TRY(jd_sweep_state_size(sw->problem, sw->arena, &sw->n_mode, &sw->n_state));
    v->n_state = d->direction == JD_SWEEP_NONE ? 0 : sw->n_state;
    return JD_OK;
}

// First parameter fastest; carried both ways, the way down follows the way up.
static void place_points(jd_sweep *sw) {
    jd_sweep_view *v = &sw->view;
    int n = v->count[0];
    for (int i = 0; i < v->n_point; i++) {
        int along = i / v->starts % n, row = i / v->starts / n;
        bool down = v->direction == JD_SWEEP_DOWN || (v->direction == JD_SWEEP_BOTH && row % 2);
        int across = v->direction == JD_SWEEP_BOTH ? row / 2 : row;
        jd_sweep_point *p = &sw->point[i];
        p->start = i % v->starts;
        p->value[0] = v->values[0][down ? n - 1 - along : along];
        p->value[1] = v->n_parameter > 1 ? v->values[1][across] : 0;
        p->direction = v->direction == JD_SWEEP_NONE ? 0 : down ? -1 : 1;
        p->sample = sw->sample + (size_t)i * 2 * (size_t)v->n_sample;
        p->state = sw->state ? sw->state + (size_t)i * (size_t)v->n_state : NULL;
    }
}

// A number of the start is varied only where every point begins at the start of the model.
static jd_status check_start(const jd_sweep *sw) {
    const jd_sweep_def *d = sw->def;
    if (d->direction == JD_SWEEP_NONE && d->starts == 1) return JD_OK;
    for (int k = 0; k < d->parameters.n; k++) {
        if (strncmp(d->parameters.text[k], "start.", 6) != 0) continue;
        jd_fail(sw->context, JD_NOT_SUPPORTED,
                "`%s` is a number of the start, which `%s` replaces by other states",
                d->parameters.text[k], d->starts > 1 ? "starts" : "direction");
        jd_fail_where(sw->context, "sweep.parameters");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

static jd_status plan(jd_sweep *sw) {
    jd_sweep_view *v = &sw->view;
    jd_problem *copy;
    if (jd_problem_start(sw->problem)->type == &jd_start_restart) {
        jd_fail(sw->context, JD_NOT_SUPPORTED, "a sweep does not start from an earlier run");
        jd_fail_where(sw->context, "start");
        jd_fail_hint(sw->context, "give the state itself: `start: {type: state, ...}`");
        return JD_NOT_SUPPORTED;
    }
    v->n_parameter = sw->def->parameters.n + has_sample(sw);
    v->count[1] = 1;
    JD_TRY(check_start(sw));
    JD_TRY(count_points(sw));
    JD_TRY(jd_sweep_measure_read(sw));
    JD_TRY(jd_problem_copy(sw->context, sw->problem, &copy));
    jd_status status = JD_OK;
    for (int i = 0; i < v->n_parameter && status == JD_OK; i++) status = plan_axis(sw, copy, i);
    jd_problem_free(copy);
    JD_TRY(status);
    JD_TRY(jd_sweep_formulas_read(sw));
    sw->point = JD_TAKE(sw->arena, jd_sweep_point, v->n_point);
    sw->sample = jd_arena_take(sw->arena, 2 * (size_t)v->n_point * (size_t)v->n_sample, 8);
    if (v->n_state)
        sw->state = jd_arena_take(sw->arena, (size_t)v->n_point * (size_t)v->n_state, 8);
    JD_TRY(jd_arena_status(sw->arena));
    place_points(sw);
    v->point = sw->point;
    return JD_OK;
}

static jd_status find_section(jd_sweep *sw) {
    bool given;
    sw->def = jd_problem_section(sw->problem, JD_SWEEP, &given);
    if (given) return JD_OK;
    jd_fail(sw->context, JD_MISSING_KEY, "the model has no `sweep` section");
    jd_fail_hint(sw->context, "add one, such as sweep: {parameters: contacts.tip.law.limit, from: "
                              "0.1, to: 1, points: 50}");
    return JD_MISSING_KEY;
}

jd_status jd_sweep_create(jd_context *context, jd_problem *problem, jd_sweep **out) {
    *out = NULL;
    JD_TRY(jd_problem_build(problem));
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_sweep *sw = JD_TAKE(arena, jd_sweep, 1);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK) {
        *sw = (jd_sweep){.context = context, .problem = problem, .arena = arena};
        status = find_section(sw);
        if (status == JD_OK) status = plan(sw);
    }
    if (status == JD_OK)
        *out = sw;
    else if (sw)
        jd_sweep_free(sw);
    else
        jd_arena_free(arena);
    return status;
}

static int thread_number(void) {
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

// What the threads of one jd_sweep_run share.
typedef struct team {
    jd_sweep *sweep;
    const jd_sweep_options *options;
    atomic_bool halt; // from outside, or after a failure
    jd_status status; // first failure; guarded
    int failed_at;    // point of that failure; INT_MAX: none, or not of a point
    int done, shown;  // guarded; points done, and told to the progress hook
    int from, to;     // lines
    int wanted;       // points that are to be done
} team;

static bool halted(void *user) { return atomic_load(&((team *)user)->halt); }

// The first thread is the caller's: only it asks the caller's hooks.
static bool asked(void *user) {
    team *t = user;
    if (jd_stop_wanted(t->sweep->context)) atomic_store(&t->halt, true);
    return halted(t);
}

// From the model's own start (NULL), or from a state.
static jd_status start_from(sweep_worker *w, const jd_sweep *sw, const double *state, int n_state) {
    const jd_object *own = jd_problem_start(sw->problem);
    if (!state && w->own_start) return JD_OK;
    w->own_start = !state;
    if (!state) return jd_problem_set_start(w->problem, own->type, own->def);
    return jd_sweep_start_at(w->problem, w->arena, sw->n_mode, state, n_state);
}

// Rules between keys may let one order pass and not the other, by what was computed before.
static jd_status set_values(sweep_worker *w, const jd_sweep_view *v, const jd_sweep_point *p) {
    int first = v->n_draw > 0, n = v->n_parameter - first + v->n_draw; // all numbers that are set
    const double *drawn = first ? v->drawn + ((ptrdiff_t)p->value[0] - 1) * v->n_draw : NULL;
    jd_status status = JD_OK;
    for (int turn = 0; turn < 2; turn++) {
        status = JD_OK;
        for (int i = 0; i < n && status == JD_OK; i++) {
            int k = turn ? n - 1 - i : i, axis = k - v->n_draw + first;
            bool random = drawn && k < v->n_draw;
            const char *path = random ? v->draw[k] : v->parameter[axis];
            double value = random ? drawn[k] : p->value[axis];
            status = jd_problem_set(w->problem, path, value, NULL);
        }
        if (status == JD_OK) break;
    }
    return status;
}

// A random start may lie beyond a stop: it is drawn closer to rest until it does not.
static jd_status compute_random(const jd_sweep *sw, sweep_worker *w, int i) {
    jd_reals drawn;
    jd_arena_mark mark = jd_arena_here(w->arena);
    JD_TRY(start_from(w, sw, NULL, 0));
    JD_TRY(jd_sweep_draw(sw, w, i, &drawn));
    double *state = JD_TAKE(w->arena, double, drawn.n);
    JD_TRY(jd_arena_status(w->arena));
    jd_status status = JD_OUT_OF_RANGE;
    double factor = 1;
    for (int turn = 0; turn < 60 && status == JD_OUT_OF_RANGE; turn++, factor /= 2) {
        for (int k = 0; k < drawn.n; k++) state[k] = factor * drawn.value[k];
        JD_TRY(start_from(w, sw, state, drawn.n));
        status = jd_sweep_settle(sw, w, i);
    }
    jd_arena_back(w->arena, mark);
    return status;
}

static jd_status compute(team *t, sweep_worker *w, int i, const double *carried) {
    jd_sweep *sw = t->sweep;
    JD_TRY(set_values(w, &sw->view, &sw->point[i]));
    if (sw->point[i].start > 0) return compute_random(sw, w, i);
    JD_TRY(start_from(w, sw, carried, sw->view.n_state));
    jd_status status = jd_sweep_settle(sw, w, i);
    // A motion that reaches beyond a stop that came closer cannot be carried on.
    if (carried && status == JD_OUT_OF_RANGE) return compute(t, w, i, NULL);
    return status;
}

// Under the lock of the team: keeps the point, tells who asked for it.
static void hand_in(team *t, int i) {
    jd_sweep *sw = t->sweep;
    jd_sweep_classify(sw, &sw->point[i]);
    sw->point[i].done = true;
    t->done++;
    if (t->status == JD_OK && t->options->finished)
        t->status = t->options->finished(t->options->user, sw, i);
    if (t->status != JD_OK) atomic_store(&t->halt, true);
}

static void fail(team *t, const sweep_worker *w, jd_status status, int i) {
    const jd_sweep_view *v = &t->sweep->view;
    const jd_error *e = jd_context_error(w->context);
    atomic_store(&t->halt, true);
    if (t->status != JD_OK) return;
    t->status = status;
    t->failed_at = i;
    char second[300] = "";
    if (v->n_parameter > 1)
        snprintf(second, sizeof second, ", %s = %.10g", v->parameter[1], v->point[i].value[1]);
    jd_fail(t->sweep->context, status, "at %s = %.10g%s: %s", v->parameter[0], v->point[i].value[0],
            second, e->message);
    if (e->where[0]) jd_fail_where(t->sweep->context, "%s", e->where);
    if (e->hint[0]) jd_fail_hint(t->sweep->context, "%s", e->hint);
}

// Told to the caller by its own thread only.
static void show(team *t) {
    jd_sweep *sw = t->sweep;
    int n = t->wanted, step = n / REPORTS + 1;
    if (t->done < t->shown + step) return;
    t->shown = t->done;
    jd_progress(sw->context, "sweep", (double)t->done / n);
}

static void compute_chain(team *t, sweep_worker *w, int chain) {
    jd_sweep *sw = t->sweep;
    const double *carried = NULL;
    bool (*stop)(void *) = thread_number() == 0 ? asked : halted;
    for (int k = 0, i = chain * sw->chain; k < sw->chain && !stop(t); k++, i++) {
        jd_sweep_point *p = &sw->point[i];
        if (!p->done) {
            jd_status status = compute(t, w, i, carried);
            bool cut =
                status == JD_OK && p->how == JD_SETTLE_STOPPED && p->stop == JD_STOP_INTERRUPTED;
            if (cut) return;
#ifdef _OPENMP
#pragma omp critical(jd_sweep_team)
#endif
            {
                if (status == JD_OK)
                    hand_in(t, i);
                else
                    fail(t, w, status, i);
                if (thread_number() == 0) show(t);
            }
            if (status != JD_OK) return;
        }
        carried = p->how == JD_SETTLE_STOPPED ? NULL : p->state;
    }
}

static bool open_worker(team *t, sweep_worker *w) {
    jd_context_def def = jd_default_context_def();
    def.stop = thread_number() == 0 ? asked : halted;
    def.user = t;
    *w = (sweep_worker){.context = jd_context_create(&def), .own_start = true};
    w->arena = w->context ? jd_arena_create(w->context) : NULL;
    if (!w->arena) return false;
    return jd_problem_copy(w->context, t->sweep->problem, &w->problem) == JD_OK;
}

static void close_worker(sweep_worker *w) {
    jd_run_free(w->last);
    jd_problem_free(w->problem);
    if (w->arena) jd_arena_free(w->arena);
    jd_context_free(w->context);
}

int jd_sweep_lines(const jd_sweep *sw) { return sw->view.n_point / sw->chain; }
int jd_sweep_line_points(const jd_sweep *sw) { return sw->chain; }

jd_status jd_sweep_take_shard(jd_sweep *sw, int number, int of) {
    if (of < 1 || number < 1 || number > of)
        return jd_fail(sw->context, JD_BAD_ARGUMENT, "shard %d of %d does not exist", number, of);
    sw->view.shard = number;
    sw->view.shards = of;
    return JD_OK;
}

// Is this line of the shard?
static bool is_wanted(const team *t, int line) {
    const jd_sweep_view *v = &t->sweep->view;
    return v->shards == 0 || line % v->shards == v->shard - 1;
}

// The lines asked for; the points that are to be done, and of these the ones that are.
static void count_wanted(team *t) {
    const jd_sweep *sw = t->sweep;
    const jd_sweep_options *o = t->options;
    int all = jd_sweep_lines(sw);
    t->from = o->lines == 0 ? 0 : o->first < all ? o->first : all;
    t->to = o->lines == 0 || o->lines > all - t->from ? all : t->from + o->lines;
    for (int i = t->from * sw->chain; i < t->to * sw->chain; i++) {
        bool wanted = is_wanted(t, i / sw->chain);
        t->wanted += wanted;
        t->done += wanted && sw->point[i].done;
    }
}

static void work(team *t) {
    sweep_worker w;
    bool ready = open_worker(t, &w);
    if (!ready) {
#ifdef _OPENMP
#pragma omp critical(jd_sweep_team)
#endif
        if (t->status == JD_OK)
            t->status = jd_fail(t->sweep->context, JD_OUT_OF_MEMORY,
                                "not enough memory for one more thread");
        atomic_store(&t->halt, true);
    }
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 1)
#endif
    for (int c = t->from; c < t->to; c++)
        if (ready && is_wanted(t, c) && !halted(t)) compute_chain(t, &w, c);
    close_worker(&w);
}

#ifdef _OPENMP
static int team_size(const team *t) {
    int threads = t->options->threads > 0 ? t->options->threads : omp_get_num_procs();
    int lines = t->wanted / t->sweep->chain;
    return lines < 1 ? 1 : threads < lines ? threads : lines;
}
#endif

static const char *kept(jd_arena *arena, const char *text) {
    const char *copy = text ? jd_arena_text(arena, text) : NULL;
    return copy ? copy : "";
}

// Which of several bad points fails first depends on the threads. The chains up to that one are
// gone through again in order, so that the same point is reported for any number of threads; the
// first failure where none comes again, as it was of memory, or the sweep is stopped on the way.
static void fail_in_order(team *t) {
    int last = t->failed_at / t->sweep->chain;
    jd_context *context = t->sweep->context;
    jd_arena *arena = t->sweep->arena;
    const jd_error *e = jd_context_error(context);
    const jd_status first = t->status;
    const char *message = kept(arena, e->message), *where = kept(arena, e->where),
               *hint = kept(arena, e->hint);
    sweep_worker w;
    if (open_worker(t, &w)) {
        t->status = JD_OK;
        atomic_store(&t->halt, false);
        for (int c = t->from; c <= last && !halted(t); c++)
            if (is_wanted(t, c)) compute_chain(t, &w, c);
    }
    close_worker(&w);
    if (t->status != JD_OK) return;
    t->status = jd_fail(context, first, "%s", message);
    if (where[0]) jd_fail_where(context, "%s", where);
    if (hint[0]) jd_fail_hint(context, "%s", hint);
}

jd_status jd_sweep_run(jd_sweep *sw, const jd_sweep_options *options, bool *complete) {
    const jd_sweep_options none = jd_default_sweep_options();
    team t = {.sweep = sw, .options = options ? options : &none, .failed_at = INT_MAX};
    *complete = false;
    if (t.options->threads < 0)
        return jd_fail(sw->context, JD_BAD_ARGUMENT, "`threads` is %d, but must not be negative",
                       t.options->threads);
    if (t.options->first < 0 || t.options->lines < 0)
        return jd_fail(sw->context, JD_BAD_ARGUMENT,
                       "`first` is %d and `lines` is %d, but must not be negative",
                       t.options->first, t.options->lines);
    // (asked here too: the other threads may be done before the first one asks)
    atomic_init(&t.halt, jd_stop_wanted(sw->context));
    count_wanted(&t);
#ifdef _OPENMP
#pragma omp parallel num_threads(team_size(&t))
#endif
    work(&t);
    if (t.status != JD_OK && t.failed_at != INT_MAX) fail_in_order(&t);
    *complete = t.status == JD_OK && t.done == t.wanted;
    return t.status;
}
