// history.c -- what pictures and the lab show of a run: its second pass starts from a saved state
// and shows the motion of a run without pause, bit for bit, whatever the engine.
#include <math.h>
#include <stdlib.h>

#include "judder/judder.h"
#include "near.h"
#include "result/run/run.h"

typedef struct shown_case {
    const char *file, *until; // below gallery/; a change of the model, NULL: none
    double from, to;          // shares of the run; NaN: chosen
} shown_case;

typedef struct bench {
    jd_context *context;
    jd_arena *arena;
    jd_problem *problem;
    int visits;
} bench;

static void open_case(bench *b, const shown_case *c) {
    char file[600];
    snprintf(file, sizeof file, "%s/gallery/%s.yaml", JD_SOURCE_DIR, c->file);
    b->context = jd_context_create(NULL);
    b->arena = jd_arena_create(b->context);
    jd_status s = jd_model_read(b->context, file, c->until ? 1 : 0, &c->until, &b->problem);
    if (s != JD_OK) fail_msg("%s: %s", c->file, jd_context_error(b->context)->message);
}

static void close_case(bench *b) {
    jd_problem_free(b->problem);
    jd_arena_free(b->arena);
    jd_context_free(b->context);
}

static void count_visit(void *user, jd_run *run, const jd_history *h, int i) {
    bench *b = user;
    jd_report report;
    jd_run_report(run, &report);
    assert_int_equal(b->visits++, i);
    assert_near(report.t, h->t[i], 0);
}

// A run of its own that stops nowhere but at the samples.
static void compare(bench *b, const jd_history *h) {
    enum { MOST = 16 };
    double u[MOST], v[MOST], cu[MOST], cv[MOST], cf[MOST];
    jd_run *run;
    assert_true(h->n_point <= MOST && h->n_contact <= MOST && h->n > 10);
    assert_int_equal(jd_run_create(b->context, b->problem, &run), JD_OK);
    for (int k = 0, index; k < h->n_point; k++)
        assert_int_equal(jd_run_probe(run, h->point[k].name, &index), JD_OK);
    for (int i = 0; i < h->n; i++) {
        jd_step step = JD_STEP_EVENT;
        while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, h->t[i], &step), JD_OK);
        assert_int_equal(step, JD_STEP_TIME);
        jd_run_observe(run, h->t[i], u, v);
        jd_run_observe_contacts(run, h->t[i], cu, cv, cf);
        for (int k = 0; k < h->n_point; k++) {
            assert_near(h->point[k].u[i], u[k], 0);
            assert_near(h->point[k].v[i], v[k], 0);
        }
        const char *phase = jd_run_phase(run);
        for (int j = 0; j < h->n_contact; j++) {
            assert_near(h->contact[j].v[i], cv[j], 0);
            assert_near(h->contact[j].force[i], cf[j], 0);
            assert_int_equal(h->contact[j].phase[i], phase[j]);
        }
    }
    jd_run_free(run);
}

static void a_stretch_is_that_of_a_run_without_pause(void **state) {
    (void)state;
    static const shown_case list[] = {
        {"friction-beam/rayleigh", NULL, (double)NAN, (double)NAN},
        {"friction-beam/rayleigh", NULL, 0.37, 0.41},
        {"friction-beam/undamped", "simulate.until=20 periods", 0.7, (double)NAN},
        {"impact-oscillator/forced", "simulate.until=30 periods", (double)NAN, (double)NAN},
        {"impact-chain/n5", NULL, 0.5, 0.8},
        {"belt-block/block", NULL, 0.6, 0.9},
        {"bowed-string/string", NULL, 0.45, 0.7},
        {"bowed-string/lasting", "simulate.until=10", 0.5, 0.9},
        {"friction-oscillator/alpha05", NULL, 0.4, 0.6},
        {"nonlinear-string/response", "simulate.until=3 periods", 0.4, 0.6},
        {"two-rods/pulse", NULL, 0.4, 0.7},
        {"gap-support/tube", NULL, 0.4, 0.5},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        bench b = {0};
        jd_history h;
        jd_report report;
        double until;
        open_case(&b, &list[i]);
        const jd_simulate_def *simulate = jd_problem_section(b.problem, JD_SIMULATE, NULL);
        assert_int_equal(jd_problem_duration(b.problem, &simulate->until, &until), JD_OK);
        const jd_history_def def = {.from = list[i].from * until,
                                    .to = list[i].to * until,
                                    .wants = JD_WANT_ENERGY | JD_WANT_KNOWN,
                                    .samples = 240,
                                    .visit = count_visit,
                                    .user = &b};
        jd_status s = jd_history_report_run(b.arena, b.problem, &def, &h, &report);
        if (s != JD_OK) fail_msg("%s: %s", list[i].file, jd_context_error(b.context)->message);
        print_message("%s: engine %s, %d samples\n", list[i].file, report.engine, h.n);
        assert_true(h.n >= 241 && h.t[0] > 0);
        assert_int_equal(b.visits, h.n);
        compare(&b, &h);
        close_case(&b);
    }
}

// Saving a state changes nothing: the report at the end is that of a run that saved none.
static void saving_leaves_the_ledger_as_it_is(void **state) {
    (void)state;
    const shown_case c = {"friction-beam/rayleigh", NULL, (double)NAN, (double)NAN};
    double residual[2], damping[2];
    for (int k = 0; k < 2; k++) {
        bench b = {0};
        jd_run *run;
        jd_report report;
        jd_step step;
        open_case(&b, &c);
        assert_int_equal(jd_run_create(b.context, b.problem, &run), JD_OK);
        for (int i = 1; i <= 20; i++) {
            do assert_int_equal(jd_run_advance(run, 0.21 * i, &step), JD_OK);
            while (step == JD_STEP_EVENT);
            size_t size = jd_run_state_size(run);
            char *block = malloc(size);
            if (k) assert_int_equal(jd_run_state_save(run, block, size), JD_OK);
            free(block);
        }
        jd_run_report(run, &report);
        residual[k] = report.ledger.residual;
        damping[k] = report.ledger.damping;
        jd_run_free(run);
        close_case(&b);
    }
    assert_near(residual[0], residual[1], 0);
    assert_near(damping[0], damping[1], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_stretch_is_that_of_a_run_without_pause),
                                       cmocka_unit_test(saving_leaves_the_ledger_as_it_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
