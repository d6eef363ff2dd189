// run_result.c -- runs as results: samples, restart, extremes, streamed files.
#include <stdlib.h>
#include <unistd.h>

#include <hdf5.h>

#include "model_case.h"
#include "result/file/hdf5_stream.h"
#include "result/run/run.h"
#include "starve.h"

static const char beam[] =
    "judder: 1\n"
    "structure: {type: fe-beam, length: 2.47, bending_stiffness: 1.09e4, mass_per_length: 35.4,\n"
    "  elements: 10, supports: {left: clamped, right: free}, points: {mid: 1.235, tip: 2.47},\n"
    "  damping: {type: rayleigh, mass: 0.025, stiffness: 5.5e-5}}\n"
    "contacts: {tip: {at: tip, against: ground, law: {type: coulomb, limit: 0.66}}}\n"
    "drives: {shaker: {at: mid, type: harmonic, amplitude: 2.4, frequency: {times: 1.1, mode: "
    "1}}}\n"
    "start: rest\n"
    "simulate: {until: 10 periods}\n";

static const char chain[] =
    "judder: 1\n"
    "structure: {type: chain, count: 5, mass: 0.2, stiffness: 5, points: {end: {node: 5}},\n"
    "  supports: {left: fixed, right: free}}\n"
    "contacts: {end: {at: end, against: ground, law: {type: stop, gap: 1, restitution: 0.8}}}\n"
    "drives: {pull: {at: end, type: table, time: [0, 3, 7, 8.5], value: [0, 2, -1, 0.5]}}\n"
    "start: {type: state, displacement: [0.18, 0.36, 0.54, 0.72, 0.9], velocity: [0, 0, 0, 0, 2]}\n"
    "simulate: {until: 40}\n";

// One mass on a spring, k = m = 1, x0 = 2, with friction 0.1.
static const char rubbing[] =
    "judder: 1\n"
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"
    "  supports: {left: fixed, right: free}}\n"
    "contacts: {c: {at: m, against: ground, law: {type: coulomb, limit: 0.1}}}\n"
    "start: {type: state, displacement: 2}\n"
    "simulate: {until: 20}\n";

typedef struct history {
    long n, n_sample;
    jd_event event[2000];
    double sample[2000][6];
    int columns;
} history;

static jd_status note_event(void *user, const jd_event *e) {
    history *h = user;
    assert_true(h->n < 2000);
    h->event[h->n++] = *e;
    return JD_OK;
}

static jd_status note_sample(void *user, const double *row) {
    history *h = user;
    assert_true(h->n_sample < 2000);
    memcpy(h->sample[h->n_sample++], row, (size_t)h->columns * sizeof *row);
    return JD_OK;
}

static void same_events(const history *a, const history *b) {
    assert_true(a->n == b->n && a->n > 0);
    for (long i = 0; i < a->n; i++) {
        const jd_event *x = &a->event[i], *y = &b->event[i];
        assert_true(x->t == y->t && x->speed == y->speed && x->impulse == y->impulse);
        assert_true(x->contact == y->contact &&
                    jd_contact_letter(x->from) == jd_contact_letter(y->from) &&
                    jd_contact_letter(x->to) == jd_contact_letter(y->to));
    }
}

static history *follow(model_case *m, const char *text, const char *set) {
    history *h = calloc(1, sizeof *h);
    jd_recording *f;
    assert_int_equal(model_parse(m, text, set), JD_OK);
    assert_int_equal(jd_recording_create(m->context, m->problem, &f), JD_OK);
    h->columns = f->head.n_column;
    assert_true(h->columns <= 6);
    jd_recording_add(f, (jd_sink){h, note_sample, note_event, NULL});
    assert_int_equal(jd_recording_run(f), JD_OK);
    jd_recording_free(f);
    return h;
}

static void samples_do_not_move_events(void **state) {
    static const char *const models[] = {beam, chain};
    for (int i = 0; i < 2; i++) {
        history *without = follow(*state, models[i], NULL);
        history *with = follow(*state, models[i], "output={every: 0.0237}");
        assert_true(without->n_sample == 0 && with->n_sample > 200);
        same_events(without, with);
        free(without);
        free(with);
    }
}

static void samples_are_at_multiples_of_every_and_exact(void **state) {
    history *h = follow(*state, rubbing, "output={every: 0.125}");
    assert_int_equal(h->n_sample, 161); // 0, 0.125, ..., 20
    for (long k = 0; k < h->n_sample; k++) assert_true(h->sample[k][0] == 0.125 * (double)k);
    for (long k = 0; k <= 25; k++) { // x = 0.1 + 1.9 cos t until it turns at t = pi
        double t = 0.125 * (double)k;
        assert_near(h->sample[k][1], 0.1 + 1.9 * cos(t), 4e-15); // measured 9e-16
        assert_near(h->sample[k][2], -1.9 * sin(t), 4e-15);
    }
    free(h);
}

// A drop from 1 with g = 2 hits the floor at t = 1 with speed 2.
static void a_sample_at_an_event_shows_the_state_before_it(void **state) {
    static const char drop[] =
        "judder: 1\n"
        "structure: {type: chain, count: 1, mass: 1, points: {m: {node: 1}},\n"
        "  supports: {left: free, right: free}}\n"
        "contacts: {c: {at: m, against: ground, law: {type: stop, gap: 1, restitution: 1}}}\n"
        "drives: {g: {at: m, type: constant, value: 2}}\n"
        "start: rest\n"
        "simulate: {until: 1.5}\n"
        "output: {every: 0.5}\n";
    history *h = follow(*state, drop, NULL);
    assert_true(h->n == 1 && h->event[0].t == 1);
    assert_true(h->n_sample == 4 && h->sample[2][0] == 1);
    assert_near(h->sample[2][2], 2, 1e-15);
    free(h);
}

static void run_until(jd_run *run, double t, history *h) {
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT) {
        assert_int_equal(jd_run_advance(run, t, &step), JD_OK);
        if (step == JD_STEP_EVENT) note_event(h, jd_run_event(run));
    }
    assert_int_equal(step, JD_STEP_TIME);
}

static void same_reports(jd_run *a, jd_run *b) {
    jd_report x, y;
    jd_run_report(a, &x);
    jd_run_report(b, &y);
    assert_true(x.t == y.t && x.ledger.residual == y.ledger.residual);
    assert_true(x.ledger.work == y.ledger.work && x.ledger.damping == y.ledger.damping);
    assert_true(x.ledger.kinetic == y.ledger.kinetic && x.ledger.strain == y.ledger.strain);
    assert_int_equal(x.certificate.evaluations, y.certificate.evaluations);
    assert_int_equal(x.certificate.undecided, y.certificate.undecided);
    assert_int_equal(x.certificate.events, y.certificate.events);
    assert_true(x.certificate.margin == y.certificate.margin);
}

static void a_restarted_run_goes_on_bit_for_bit(void **state) {
    static const char *const models[] = {beam, chain, rubbing};
    static const double ends[] = {5, 40, 20}, cuts[] = {1.7, 7.3, 0.4};
    model_case *m = *state;
    for (int i = 0; i < 3; i++) {
        history *whole = calloc(1, sizeof *whole), *parts = calloc(1, sizeof *parts);
        jd_run *one, *first, *second;
        jd_report pause;
        assert_int_equal(model_parse(m, models[i], NULL), JD_OK);
        assert_int_equal(jd_run_create(m->context, m->problem, &one), JD_OK);
        assert_int_equal(jd_run_create(m->context, m->problem, &first), JD_OK);
        assert_int_equal(jd_run_create(m->context, m->problem, &second), JD_OK);
        run_until(one, cuts[i], whole);
        jd_run_report(one, &pause); // sums of the ledger are taken here too
        run_until(one, ends[i], whole);
        run_until(first, cuts[i], parts);
        size_t size = jd_run_state_size(first);
        void *block = malloc(size);
        assert_int_equal(jd_run_state_save(first, block, size), JD_OK);
        assert_int_equal(jd_run_state_load(second, block, size), JD_OK);
        assert_string_equal(jd_run_phase(second), jd_run_phase(first));
        run_until(second, ends[i], parts);
        same_events(whole, parts);
        same_reports(one, second);
        free(block);
        jd_run_free(one);
        jd_run_free(first);
        jd_run_free(second);
        free(whole);
        free(parts);
    }
}

static void *state_of(model_case *m, const char *text, size_t *size) {
    jd_run *run;
    history *h = calloc(1, sizeof *h);
    assert_int_equal(model_parse(m, text, NULL), JD_OK);
    assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_OK);
    run_until(run, 1, h);
    *size = jd_run_state_size(run);
    void *block = malloc(*size);
    assert_int_equal(jd_run_state_save(run, block, *size), JD_OK);
    jd_run_free(run);
    free(h);
    return block;
}

static void states_that_do_not_fit_are_refused(void **state) {
    model_case *m = *state;
    size_t size;
    unsigned char *block = state_of(m, beam, &size);
    jd_run *run;
    assert_int_equal(model_parse(m, beam, "contacts.tip.law.limit=0.67"), JD_OK);
    assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_OK);
    assert_int_equal(jd_run_state_load(run, block, size), JD_BAD_RESULT_FILE);
    assert_non_null(strstr(jd_context_error(m->context)->message, "another model"));
    jd_run_free(run);
    assert_int_equal(model_parse(m, beam, "simulate.until=20 periods"), JD_OK); // may change
    assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_OK);
    for (size_t i = 0; i < size; i++) { // every byte counts
        block[i] ^= 4;
        assert_int_equal(jd_run_state_load(run, block, size), JD_BAD_RESULT_FILE);
        block[i] ^= 4;
    }
    for (size_t n = 0; n < size; n++)
        assert_int_equal(jd_run_state_load(run, block, n), JD_BAD_RESULT_FILE);
    assert_int_equal(jd_run_state_load(run, block, size), JD_OK);
    jd_run_free(run);
    free(block);
}

static void a_run_that_restarts_waits_for_its_state(void **state) {
    model_case *m = *state;
    size_t size;
    void *block = state_of(m, beam, &size);
    jd_run *run;
    jd_step step;
    assert_int_equal(model_parse(m, beam, "start={type: restart, file: half.h5}"), JD_OK);
    assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_OK);
    assert_int_equal(jd_run_advance(run, 2, &step), JD_BAD_ARGUMENT);
    assert_int_equal(jd_run_state_load(run, block, size), JD_OK);
    assert_int_equal(jd_run_advance(run, 2, &step), JD_OK);
    jd_run_free(run);
    free(block);
}

static jd_contact_ranges ranges(model_case *m, const char *text, double t) {
    jd_run *run;
    history *h = calloc(1, sizeof *h);
    jd_contact_ranges r;
    assert_int_equal(model_parse(m, text, NULL), JD_OK);
    assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_OK);
    assert_int_equal(jd_run_track(run), JD_OK);
    run_until(run, t, h);
    assert_int_equal(jd_run_ranges(run, &r), JD_OK);
    jd_run_free(run);
    free(h);
    return r;
}

// x = 0.1 + 1.9 cos t, then -0.1 - 1.7 cos t, ...: the fastest way down is 1.9, up 1.7.
static void extremes_of_a_rubbing_mass_are_those_of_its_closed_form(void **state) {
    jd_contact_ranges r = ranges(*state, rubbing, 10);
    assert_true(r.certified);
    assert_near(r.displacement.min, -1.8, 1e-14);
    assert_near(r.displacement.max, 2, 0);
    assert_near(r.velocity.min, -1.9, 1e-14); // measured 2e-16
    assert_near(r.velocity.max, 1.7, 1e-14);
    assert_near(r.force.max, 0.1, 0);
    assert_near(r.force.min, -0.1, 0);
    r = ranges(*state, rubbing, 1); // not yet at its fastest
    assert_near(r.velocity.min, -1.9 * sin(1.0), 1e-14);
    assert_near(r.displacement.min, 0.1 + 1.9 * cos(1.0), 1e-14);
    assert_near(r.displacement.final, r.displacement.min, 0);
}

static void look(jd_run *run, double t, const jd_contact_ranges *r, double *most) {
    double u, v, force;
    jd_run_observe_contacts(run, t, &u, &v, &force);
    const double value[] = {u, v, force};
    const jd_range *range[] = {&r->displacement, &r->velocity, &r->force};
    for (int i = 0; i < 3; i++) {
        double size = fmax(fabs(range[i]->min), fabs(range[i]->max));
        assert_true(value[i] <= range[i]->max + 1e-12 * size);
        assert_true(value[i] >= range[i]->min - 1e-12 * size);
        most[i] = fmax(most[i], value[i] / range[i]->max);
    }
}

// 20 000 samples of the beam stay inside, and the largest comes close.
static void no_sample_lies_beyond_the_extremes(void **state) {
    model_case *m = *state;
    static const char *const models[] = {beam, chain};
    for (int i = 0; i < 2; i++) {
        jd_contact_ranges r = ranges(m, models[i], 5);
        double most[3] = {0, 0, 0};
        jd_run *run;
        assert_true(r.certified);
        assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_OK);
        for (int k = 0; k <= 20000; k++) {
            double t = 5 * k / 20000.0;
            jd_step step = JD_STEP_EVENT;
            while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, t, &step), JD_OK);
            look(run, t, &r, most);
        }
        assert_true(most[0] > 0.999 && most[1] > 0.999); // measured 0.9999 and 0.9998
        jd_run_free(run);
    }
}

static size_t memory_of(const char *until, char *path) {
    meter used = {0};
    model_case m = {.context = starve_context(&used)};
    jd_recording *f;
    jd_run_files *files;
    jd_result *result;
    const jd_run_targets to = {.hdf5 = path};
    assert_int_equal(model_parse(&m, beam, until), JD_OK);
    assert_int_equal(jd_recording_create(m.context, m.problem, &f), JD_OK);
    assert_int_equal(jd_run_files_open(f, &to, &files), JD_OK);
    assert_int_equal(jd_recording_begin(f, (jd_keep){0}, &result), JD_OK);
    assert_int_equal(jd_recording_run(f), JD_OK);
    assert_int_equal(jd_recording_end(f, result), JD_OK);
    assert_int_equal(jd_run_files_commit(files, result), JD_OK);
    jd_result_free(result);
    jd_recording_free(f);
    jd_problem_free(m.problem);
    jd_context_free(m.context);
    return used.bytes;
}

static void memory_does_not_grow_with_the_run(void **state) {
    (void)state;
    char path[] = "run_result_memory.h5";
    size_t shorter = memory_of("simulate.until=60.0 periods", path);
    unlink(path);
    size_t longer = memory_of("simulate.until=600. periods", path);
    unlink(path);
    assert_true(longer == shorter);
}

// 10 000 rows: two whole blocks and a part; read back as they went in.
static void long_tables_come_back_from_their_file(void **state) {
    model_case *m = *state;
    enum { ROWS = 10000 };
    static const int sizes[] = {0, 1, 4095, 4096, 4097, 8192, ROWS};
    static double value[ROWS];
    static char text[ROWS][3];
    const jd_stream_column column[] = {{"x", "s", 0, 0}, {"a/b", NULL, 3, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        jd_stream *stream;
        jd_stream_columns *columns;
        json_t *document = json_object();
        assert_int_equal(jd_stream_open(m->context, "run_result_rows.h5", &stream), JD_OK);
        assert_int_equal(jd_stream_table(stream, "table", 2, column, &columns), JD_OK);
        for (int k = 0; k < sizes[i]; k++) {
            jd_stream_real(columns, sqrt(k));
            jd_stream_text(columns, k % 2 ? "odd" : "ev");
            assert_int_equal(jd_stream_row(columns), JD_OK);
        }
        assert_int_equal(jd_stream_commit(stream, document, &(jd_origin){"", "", NULL, NULL}),
                         JD_OK);
        json_decref(document);
        hid_t file = H5Fopen("run_result_rows.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
        hid_t x = H5Dopen2(file, "/table/x", H5P_DEFAULT), space = H5Dget_space(x);
        hid_t y = H5Dopen2(file, "/table/a%2Fb", H5P_DEFAULT), type = H5Dget_type(y);
        assert_int_equal(H5Sget_simple_extent_npoints(space), sizes[i]);
        assert_true(H5Dread(x, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
        assert_true(H5Dread(y, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
        for (int k = 0; k < sizes[i]; k++) {
            assert_true(value[k] == sqrt(k));
            assert_memory_equal(text[k], k % 2 ? "odd" : "ev\0", 3);
        }
        H5Tclose(type);
        H5Sclose(space);
        H5Dclose(y);
        H5Dclose(x);
        H5Fclose(file);
    }
    unlink("run_result_rows.h5");
}

// Depths are displacements when blows begin; a set reaches to the next blow, the last one to the
// blow that would follow, or to the end of the run where that is earlier.
static void blows_are_told_one_by_one(void **state) {
    static const char struck[] =
        "judder: 1\n"
        "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"
        "  supports: {left: fixed, right: free}}\n"
        "drives: {hammer: {at: m, type: pulse, amplitude: 3, start: 0.5, duration: 0.1, repeat: 3,"
        " every: 1}}\n"
        "simulate: {until: %s}\n"
        "output: {every: 0.5, points: [m]}\n";
    model_case *m = *state;
    for (int longer = 0; longer < 2; longer++) {
        char text[1000];
        static history h;
        jd_recording *f;
        const jd_blows_result *b;
        snprintf(text, sizeof text, struck, longer ? "4" : "3");
        assert_int_equal(model_parse(m, text, NULL), JD_OK);
        assert_int_equal(jd_recording_create(m->context, m->problem, &f), JD_OK);
        h = (history){.columns = f->head.n_column};
        jd_recording_add(f, (jd_sink){&h, note_sample, note_event, NULL});
        assert_int_equal(jd_recording_run(f), JD_OK);
        assert_int_equal(jd_blows_result_of(f, f->arena, &b), JD_OK);
        assert_non_null(b);
        const jd_columns *c = &b->table;
        assert_int_equal(c->n_row, 3);
        assert_string_equal(c->name[1], "m.set");
        assert_string_equal(c->name[2], "m.depth");
        for (int i = 0; i < 3; i++) {
            double from = h.sample[2 * i + 1][1], to = h.sample[i < 2 ? 2 * i + 3 : 6 + longer][1];
            assert_near(c->value[0][i], 0.5 + i, 1e-15);
            assert_near(c->value[2][i], from, 1e-14);
            assert_near(c->value[1][i], to - from, 1e-14);
            assert_true(fabs(to - from) > 1e-3);
        }
        jd_recording_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(samples_do_not_move_events),
        MODEL_TEST(blows_are_told_one_by_one),
        MODEL_TEST(samples_are_at_multiples_of_every_and_exact),
        MODEL_TEST(a_sample_at_an_event_shows_the_state_before_it),
        MODEL_TEST(a_restarted_run_goes_on_bit_for_bit),
        MODEL_TEST(states_that_do_not_fit_are_refused),
        MODEL_TEST(a_run_that_restarts_waits_for_its_state),
        MODEL_TEST(extremes_of_a_rubbing_mass_are_those_of_its_closed_form),
        MODEL_TEST(no_sample_lies_beyond_the_extremes),
        cmocka_unit_test(memory_does_not_grow_with_the_run),
        MODEL_TEST(long_tables_come_back_from_their_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
