// kept_runs.c -- a run that cannot go on keeps what it has: it stops by name where it is, in every
//   engine whose next step may fail, and its state, samples and file are those of a run that was
//   asked to end there.
#include <unistd.h>

#include "result/run/run.h"
#include "wave_case.h"

// The pile is pushed through a sleeve to its end.
#define DRIVEN                                                                                     \
    "judder: 1\n"                                                                                  \
    "bodies:\n"                                                                                    \
    "  pile: {type: rod, length: 1, axial_stiffness: 1, mass_per_length: 1,\n"                     \
    "         supports: {left: free, right: free}, points: {head: 0, tip: 1}}\n"                   \
    "  sleeve: {type: rod, length: 1, axial_stiffness: 1, mass_per_length: 1,\n"                   \
    "           supports: {left: free, right: fixed}}\n"                                           \
    "contacts:\n"                                                                                  \
    "  shaft: {at: {body: pile, span: [0.5, 1]}, against: {body: sleeve, span: [0, 0.5]},\n"       \
    "          footprint: moving, law: {type: coulomb, limit: 0.01}}\n"                            \
    "drives: {push: {at: pile.head, type: constant, value: 0.2} }\n"                               \
    "output: {every: 0.1, points: [pile.tip]}\n"

// Nothing moves until the load begins; then no step settles.
#define UNSETTLED                                                                                  \
    "judder: 1\n"                                                                                  \
    "structure: {type: rod, length: 1, axial_stiffness: 4, mass_per_length: 1,\n"                  \
    "  supports: {left: fixed, right: free}, points: {tip: 1},\n"                                  \
    "  damping: {type: rayleigh, stiffness: 1000}}\n"                                              \
    "drives: {load: {at: tip, type: pulse, amplitude: 1, start: 0.3, duration: 9}}\n"              \
    "simulate: {engine: wave, until: 4, nodes: 401}\n"                                             \
    "output: {every: 0.1, points: [tip]}\n"

// Stuck until the ramp lets go, between two samples; then falling friction takes away exactly the
// damping of the rigid-body motion, which couples with the other mode.
#define FALLING                                                                                    \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 2, mass: 1, stiffness: 1, supports: {left: free, right: "     \
    "free},\n"                                                                                     \
    "  points: {one: {node: 1}}, damping: {type: rayleigh, mass: 0.5}}\n"                          \
    "contacts: {pad: {at: one, against: ground, law: {type: affine, limit: 1, slope: -1}}}\n"      \
    "drives: {pull: {at: one, type: ramp, amplitude: 2, start: 0, duration: 4.1}}\n"               \
    "simulate: {engine: exact, until: 10}\n"                                                       \
    "output: {every: 0.1, points: [one]}\n"

typedef struct expected {
    const char *text, *stop, *words, *point;
    double from, to; // when it stops
} expected;

static const expected cases[] = {
    {DRIVEN "simulate: {engine: wave, nodes: 101, until: 4}\n", "beyond-engine", "beyond the end",
     "pile.tip", 0.1, 4},
    {DRIVEN "simulate: {engine: wave, nodes: 101, until: 4, error_estimate: true}\n",
     "beyond-engine", "beyond the end", "pile.tip", 0.1, 4},
    {UNSETTLED, "no-convergence", "did not settle", "tip", 0.29, 0.31},
    {FALLING, "beyond-engine", "falling friction", "one", 1.9, 2.3},
};
enum { CASES = sizeof cases / sizeof *cases };

static void assert_kept(const expected *c, jd_run *run) {
    jd_report r;
    double u[4], v[4], cu[4], cv[4], f[4];
    jd_run_report(run, &r);
    assert_string_equal(jd_stop_name(r.stop), c->stop);
    assert_non_null(r.note);
    if (!strstr(r.note, c->words)) fail_msg("`%s` does not say `%s`", r.note, c->words);
    assert_true(r.t >= c->from && r.t <= c->to);
    jd_run_observe(run, r.t, u, v);
    assert_true(isfinite(u[0]) && isfinite(v[0]));
    jd_run_observe_contacts(run, r.t, cu, cv, f);
    assert_true(fabs(r.ledger.residual) < 1e-9);
}

static void every_engine_stops_by_name_and_stays_stopped(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        wave_case w;
        jd_step step = JD_STEP_EVENT;
        int index;
        wave_begin(&w, cases[i].text);
        assert_int_equal(jd_run_probe(w.run, cases[i].point, &index), JD_OK);
        while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(w.run, 4, &step), JD_OK);
        assert_int_equal(step, JD_STEP_STOPPED);
        assert_int_equal(jd_context_error(w.context)->status, JD_OK);
        assert_kept(&cases[i], w.run);
        assert_int_equal(jd_run_advance(w.run, 5, &step), JD_OK);
        assert_int_equal(step, JD_STEP_STOPPED);
        assert_kept(&cases[i], w.run);
        wave_close(&w);
    }
}

typedef struct rows {
    int n, width;
    double value[100][8];
} rows;

static jd_status take_row(void *user, const double *row) {
    rows *r = user;
    assert_true(r->n < 100);
    memcpy(r->value[r->n++], row, (size_t)r->width * sizeof *row);
    return JD_OK;
}

static void must(const wave_case *w, jd_status status) {
    if (status != JD_OK) fail_msg("%s", jd_context_error(w->context)->message);
}

static jd_context *reading; // of results that outlive their run

// Runs until `until` (0: as the model says) into a file; the result read back, and the samples.
static jd_result *record(const char *text, double until, const char *path, rows *r) {
    wave_case w;
    jd_recording *f = NULL;
    jd_run_files *files = NULL;
    jd_result *result = NULL, *back = NULL;
    const jd_run_targets to = {.hdf5 = path};
    wave_begin(&w, text);
    if (until > 0) must(&w, jd_problem_set(w.problem, "simulate.until", until, NULL));
    must(&w, jd_recording_create(w.context, w.problem, &f));
    *r = (rows){.width = f->head.n_column};
    jd_recording_add(f, (jd_sink){.user = r, .sample = take_row});
    must(&w, jd_run_files_open(f, &to, &files));
    must(&w, jd_recording_begin(f, (jd_keep){0}, &result));
    must(&w, jd_recording_run(f));
    must(&w, jd_recording_end(f, result));
    must(&w, jd_run_files_commit(files, result));
    jd_result_free(result);
    must(&w, jd_result_read(reading, path, &back));
    jd_recording_free(f);
    wave_close(&w);
    return back;
}

// A whole file, with the samples of a run that was asked to end at the last of them, bit for bit.
static void what_is_kept_is_the_motion_until_then(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        static rows all, part;
        char folder[] = "/tmp/judder-kept-XXXXXX", path[64];
        assert_non_null(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/kept.h5", folder);
        reading = jd_context_create(NULL);
        jd_result *result = record(cases[i].text, 0, path, &all);
        assert_int_not_equal(jd_result_run(result)->stop, JD_STOP_END);
        assert_non_null(strstr(jd_result_run(result)->note, cases[i].words));
        double t_end = jd_result_run(result)->t_end;
        assert_int_equal(all.n, (int)(t_end / 0.1 + 1e-9) + 1);
        assert_int_equal(access(path, R_OK), 0);
        jd_result_free(result);
        result = record(cases[i].text, all.value[all.n - 1][0] - 0.05, path, &part);
        assert_int_equal(jd_result_run(result)->stop, JD_STOP_END);
        assert_int_equal(part.n, all.n - 1);
        for (int k = 0; k < part.n; k++)
            assert_memory_equal(part.value[k], all.value[k], (size_t)part.width * sizeof(double));
        jd_result_free(result);
        jd_context_free(reading);
        unlink(path);
        rmdir(folder);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_engine_stops_by_name_and_stays_stopped),
        cmocka_unit_test(what_is_kept_is_the_motion_until_then),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
