// cancel.c -- a run ended, and its progress read, from another thread.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "judder/judder.h"
#include "near.h"

// An oscillator that is shaken and hits a stop for ever.
static jd_problem *make(jd_context *context, double until) {
    const double mass = 1, stiffness = 1;
    const jd_point point = jd_point_at_node("end", 1, 1);
    jd_problem *problem;
    jd_chain_def chain = jd_default_chain();
    chain.count = 1;
    chain.mass = (jd_reals){1, &mass};
    chain.stiffness = (jd_reals){1, &stiffness};
    chain.points = (jd_points){1, &point};
    jd_stop_def stop = jd_default_stop();
    stop.gap = 0.1;
    stop.restitution = 0.8;
    jd_contact_def contact = jd_default_contact();
    contact.at = jd_at("end");
    contact.law = jd_stop_law(&stop);
    jd_harmonic_def drive = jd_default_harmonic();
    drive.at = jd_at("end");
    drive.amplitude = 1;
    drive.frequency = jd_omega(0.7);
    jd_simulate_def simulate = jd_default_simulate();
    simulate.until = jd_seconds(until);
    assert_int_equal(jd_problem_create(context, &problem), JD_OK);
    assert_int_equal(jd_problem_add_chain(problem, "", &chain), JD_OK);
    assert_int_equal(jd_problem_add_contact(problem, "end", &contact), JD_OK);
    assert_int_equal(jd_problem_add_harmonic(problem, "drive", &drive), JD_OK);
    assert_int_equal(jd_problem_set_simulate(problem, &simulate), JD_OK);
    return problem;
}

static jd_stop advance(jd_run *run, double end, long *events) {
    jd_step step = JD_STEP_EVENT;
    jd_report report;
    while (step == JD_STEP_EVENT) {
        assert_int_equal(jd_run_advance(run, end, &step), JD_OK);
        *events += step == JD_STEP_EVENT;
    }
    jd_run_report(run, &report);
    return report.stop;
}

static void *cancel_soon(void *context) {
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    jd_context_cancel(context);
    return NULL;
}

// Without the other thread it would take years.
static void another_thread_ends_a_run(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = make(context, 1e12);
    jd_run *run;
    pthread_t thread;
    long events = 0;
    assert_int_equal(jd_run_create(context, problem, &run), JD_OK);
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, context), 0);
    assert_int_equal(advance(run, 1e12, &events), JD_STOP_INTERRUPTED);
    pthread_join(thread, NULL);
    assert_true(events > 0);
    assert_true(jd_context_cancelled(context));
    jd_run_free(run);

    // Later work ends at once, until it is taken back.
    assert_int_equal(jd_run_create(context, problem, &run), JD_OK);
    events = 0;
    assert_int_equal(advance(run, 100, &events), JD_STOP_INTERRUPTED);
    jd_run_free(run);
    jd_context_resume(context);
    assert_false(jd_context_cancelled(context));
    assert_int_equal(jd_run_create(context, problem, &run), JD_OK);
    assert_int_not_equal(advance(run, 100, &events), JD_STOP_INTERRUPTED);
    assert_true(events > 5);
    jd_run_free(run);
    jd_problem_free(problem);
    jd_context_free(context);
}

typedef struct watch {
    jd_context *context;
    atomic_bool over;
    double most;
    bool named, falls;
} watch;

// Reads while the sweep writes, and ends it half way.
static void *look_on(void *user) {
    watch *w = user;
    while (!atomic_load(&w->over)) {
        const char *what;
        double now = jd_context_progress(w->context, &what);
        w->falls = w->falls || now < w->most;
        w->most = now > w->most ? now : w->most;
        w->named = w->named || !strcmp(what, "sweep");
        if (now > 0.3) jd_context_cancel(w->context);
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    return NULL;
}

static void another_thread_reads_progress_and_ends_a_sweep(void **state) {
    (void)state;
    const char *const path = "drives.drive.amplitude";
    const double from = 0.5, to = 2, points = 4000;
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = make(context, 100);
    jd_sweep_def def = jd_default_sweep();
    def.parameters = (jd_texts){1, &path};
    def.from = (jd_reals){1, &from};
    def.to = (jd_reals){1, &to};
    def.points = (jd_reals){1, &points};
    assert_int_equal(jd_problem_set_sweep(problem, &def), JD_OK);
    jd_sweep *sweep;
    assert_int_equal(jd_sweep_create(context, problem, &sweep), JD_OK);
    watch w = {.context = context};
    pthread_t thread;
    bool complete = true;
    const char *what = NULL;
    assert_true(jd_context_progress(context, &what) == 0);
    assert_string_equal(what, "");
    assert_int_equal(pthread_create(&thread, NULL, look_on, &w), 0);
    jd_sweep_options options = jd_default_sweep_options();
    options.threads = 2;
    assert_int_equal(jd_sweep_run(sweep, &options, &complete), JD_OK);
    atomic_store(&w.over, true);
    pthread_join(thread, NULL);
    assert_false(complete);
    assert_true(w.named && !w.falls && w.most > 0.3 && w.most < 1);
    jd_sweep_free(sweep);
    jd_problem_free(problem);
    jd_context_free(context);
}

static void versions_agree(void **state) {
    (void)state;
    assert_string_equal(jd_version(), JD_VERSION);
    assert_int_equal(jd_version_number(), JD_VERSION_NUMBER);
    assert_int_equal(JD_VERSION_NUMBER,
                     JD_VERSION_MAJOR * 10000 + JD_VERSION_MINOR * 100 + JD_VERSION_PATCH);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_thread_ends_a_run),
        cmocka_unit_test(another_thread_reads_progress_and_ends_a_sweep),
        cmocka_unit_test(versions_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
