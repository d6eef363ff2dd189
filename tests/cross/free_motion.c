// free_motion.c -- motion without contact forces: closed forms against the exact engine.
#include "judder/run.h"
#include "model_case.h"
#include "problem/memory.h"

#define HEAD "judder: 1\nstructure: {length: 1, mass_per_length: 2, "
#define TAIL                                                                                       \
    ", points: {bow: 0.4, push: 0.7}, damping: {type: ratio, value: 0.1}}\n"                       \
    "contacts: {bow: {at: bow, against: ground, law: {type: coulomb, limit: 0}}}\n"

static void free_at(model_case *m, const char *text, int n, const double *t, double *u, double *v) {
    jd_response *r;
    jd_free_motion *f;
    reads(m, text, NULL);
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    assert_int_equal(jd_problem_response(m->context, m->problem, &r), JD_OK);
    if (jd_free_motion_create(m->context, m->problem, r, NULL, &f) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    assert_int_equal(jd_free_motion_at(f, n, t, u, v), JD_OK);
    jd_free_motion_free(f);
    jd_response_free(r);
}

static const double times[] = {0.02, 0.3, 1.1, 2.5, 7};
enum { N = 5 };

// Infinitely many modes against many.
static void compare(model_case *m, const char *type, const char *rest, double bound) {
    char text[1200];
    double u[2][N], v[2][N];
    for (int q = 0; q < 2; q++) {
        snprintf(text, sizeof text, HEAD "type: %s, modes: %s" TAIL "%s", type,
                 q ? "20000" : "infinite", rest);
        free_at(m, text, N, times, u[q], v[q]);
    }
    for (int k = 0; k < N; k++) {
        assert_near(u[0][k], u[1][k], bound);
        assert_near(v[0][k], v[1][k], 20 * bound);
    }
}

static void free_motion_is_that_of_many_modes(void **state) {
    static const char *const rest[] = {
        "start: {type: lift, mode: 2, point: bow, displacement: 0.3, velocity: -1}\n",
        "drives: {f: {at: push, type: harmonic, amplitude: 1.3, frequency: 2.2, phase: 0.4}}\n",
        "drives: {f: {at: bow, type: constant, value: 2}}\n",
        "drives: {f: {at: push, type: ramp, amplitude: 1, start: 0.2, duration: 1}}\n",
        "drives: {f: {at: push, type: pulse, shape: half-sine, amplitude: 1, duration: 1}}\n",
        "drives: {f: {at: push, type: constant, value: 2}}\nstart: static\n"};
    for (int k = 0; k < 6; k++) {
        compare(*state, "string, tension: 2", rest[k],
                6e-6); // 20 000 modes leave 5.07e-6 of the static displacement
        compare(*state, "beam, bending_stiffness: 1", rest[k], 1e-8);
    }
}

// The exact engine, its contact powerless, moves as free motion says.
static void free_motion_is_that_of_the_exact_engine(void **state) {
    static const char *const rest[] = {
        "start: {type: lift, mode: 1, point: bow, displacement: 0.3, velocity: -1}\n",
        "drives: {f: {at: push, type: harmonic, amplitude: 1.3, frequency: 2.2, phase: 0.4}}\n",
        "drives: {f: {at: push, type: ramp, amplitude: 1, start: 0.2, duration: 1}}\n"};
    model_case *m = *state;
    for (int k = 0; k < 3; k++) {
        char text[1200];
        double u[N], v[N], was, speed, force;
        jd_run *run;
        jd_step step;
        snprintf(text, sizeof text, HEAD "type: string, tension: 2, modes: 12" TAIL "%s", rest[k]);
        free_at(m, text, N, times, u, v);
        assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_OK);
        for (int q = 0; q < N; q++) {
            do assert_int_equal(jd_run_advance(run, times[q], &step), JD_OK);
            while (step == JD_STEP_EVENT);
            jd_run_observe_contacts(run, times[q], &was, &speed, &force);
            assert_near(u[q], was, 1e-12); // measured 2e-15
            assert_near(v[q], speed, 1e-12);
        }
        jd_run_free(run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(free_motion_is_that_of_many_modes),
                                       MODEL_TEST(free_motion_is_that_of_the_exact_engine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
