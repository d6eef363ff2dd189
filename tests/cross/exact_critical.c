// exact_critical.c -- poles that coincide in a coupled eigenproblem: near critical damping beside
// stuck contacts and sloped friction.
//   Reference: the long-double integrator of reference_motion.h, which has no poles at all. The
//   last state of every contact, every event and the energies agree as they do for any damping, and
//   the run stays certified.
#include <stdio.h>

#include "linalg/eigen.h"
#include "reference_events.h"
#include "scene.h"

static double draw(unsigned long long *seed, double low, double high) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

// 1, or beside it by 1e-16 to 1e-1.
static double near_one(unsigned long long *seed) {
    double off = pow(10, draw(seed, -16, -1)), side = draw(seed, -1, 1);
    return side < -0.4 ? 1 - off : side > 0.4 ? 1 + off : 1;
}

typedef struct tally {
    long runs, events;
    double worst_time, worst_state, worst_energy;
} tally;

// Runs the scene to T beside the reference; compared up to the first time of doubt.
static void compare(scene *s, double T, tally *sum) {
    scene_run(s, T);
    assert_int_equal(s->step, JD_STEP_TIME);
    jd_report report = scene_report(s);
    assert_true(report.certificate.undecided > 0 || report.certificate.certified);
    assert_near(report.certificate.error, 0, 0);
    sum->worst_energy = fmax(sum->worst_energy, fabs(report.ledger.residual));
    reference *r = ref_open(s->p, T, 3000, 0);
    ref_run(r, T);
    int n = r->n_event;
    if (r->end == REF_TIME && isinf((double)r->doubtful) && report.certificate.undecided == 0) {
        assert_int_equal(s->n, n);
        for (int i = 0; i < n; i++) {
            assert_event(&s->event[i], r->event[i].t, 1e-9 * T, r->event[i].contact,
                         jd_contact_letter(r->event[i].from), jd_contact_letter(r->event[i].to));
            sum->worst_time = fmax(sum->worst_time, fabs(s->event[i].t - r->event[i].t) / T);
        }
        for (int j = 0; j < r->m; j++) {
            double off = fabs(scene_at(s, T, j).u - (double)ref_place(r, j));
            sum->worst_state =
                fmax(sum->worst_state, off / (double)ref_size(r->n, r->c[j].row, r->top));
        }
        sum->runs++;
        sum->events += n;
    }
    ref_free_all(r);
}

// A chain whose modes are all near critical, two contacts, a force.
static void critical_damping_beside_a_stuck_contact_is_as_right_as_any(void **state) {
    (void)state;
    tally sum = {0};
    unsigned long long seed = 11;
    for (int i = 0; i < 200; i++) {
        double ratio[4];
        for (int k = 0; k < 4; k++) ratio[k] = near_one(&seed);
        if (draw(&seed, 0, 1) < 0.3) ratio[3] = 0.01;
        jd_damping_ratio_def damp = {{4, ratio}};
        jd_object damping = {"", &jd_damping_ratio, &damp};
        scene s = scene_open();
        scene_chain(&s, "", 4, draw(&seed, 0.5, 2), draw(&seed, 1, 4), JD_FIXED, JD_FREE, &damping);
        scene_friction(&s, "a", "m1", draw(&seed, 0.02, 0.3), NAN);
        if (draw(&seed, 0, 1) < 0.5)
            scene_affine(&s, "b", "m3", draw(&seed, 0.02, 0.3), draw(&seed, 0, 0.5));
        else
            scene_friction(&s, "b", "m3", draw(&seed, 0.02, 0.3), NAN);
        scene_harmonic(&s, "h", draw(&seed, 0, 1) < 0.5 ? "m2" : "m4", draw(&seed, 0.5, 3),
                       draw(&seed, 0.2, 2), draw(&seed, 0, 6));
        if (draw(&seed, 0, 1) < 0.3) scene_ramp(&s, "r", "m4", draw(&seed, -1, 1), 1, 5);
        compare(&s, 20, &sum);
        scene_close(&s);
    }
    print_message("   %ld runs, %ld events: times %.1e, states %.1e, energies %.1e\n", sum.runs,
                  sum.events, sum.worst_time, sum.worst_state, sum.worst_energy);
    assert_true(sum.runs > 150 && sum.events > 1500);
    assert_true(sum.worst_time < 1e-12 && sum.worst_state < 1e-12 && sum.worst_energy < 1e-12);
}

// Poles of x'' + (c + slope r r') x' + omega2 x = 0 that are real.
static int real_poles(const jd_system *y, double slope) {
    jd_context *c = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(c);
    int n = y->modal.n, found = 0;
    double omega2[8], C[64], pole[32];
    for (int k = 0; k < n; k++) {
        omega2[k] = y->modal.omega2[k].hi;
        for (int l = 0; l < n; l++)
            C[k * n + l] =
                (k == l ? y->modal.c[k] : 0) + slope * y->contact[0][k].hi * y->contact[0][l].hi;
    }
    assert_int_equal(jd_eigen_quadratic(arena, n, omega2, C, pole, NULL), JD_OK);
    for (int p = 0; p < 2 * n; p++) found += pole[2 * p + 1] == 0;
    jd_arena_free(arena);
    jd_context_free(c);
    return found;
}

static scene sloped(unsigned long long seed, double slope) {
    double ratio = draw(&seed, 0.3, 0.9);
    jd_damping_ratio_def damp = {{1, &ratio}};
    jd_object damping = {"", &jd_damping_ratio, &damp};
    scene s = scene_open();
    scene_chain(&s, "", 3, draw(&seed, 0.5, 2), draw(&seed, 1, 4), JD_FIXED, JD_FREE, &damping);
    scene_affine(&s, "a", draw(&seed, 0, 1) < 0.5 ? "m1" : "m2", draw(&seed, 0.01, 0.1), slope);
    scene_friction(&s, "b", "m3", draw(&seed, 0.02, 0.2), NAN);
    scene_harmonic(&s, "h", "m3", draw(&seed, 0.5, 3), draw(&seed, 0.2, 2), draw(&seed, 0, 6));
    return s;
}

// The slope of friction at which two poles of the free chain meet, by halving, and beside it.
static void a_slope_that_makes_two_poles_meet_is_as_right_as_any(void **state) {
    (void)state;
    tally sum = {0};
    int met = 0;
    for (int i = 0; i < 40; i++) {
        unsigned long long seed = 977ULL * (unsigned long long)(i + 1);
        double low = 0, high = 30;
        scene s = sloped(seed, 1);
        must(&s, jd_problem_build(s.p));
        const jd_system *y = jd_problem_system(s.p);
        int before = real_poles(y, low);
        bool meet = real_poles(y, high) != before;
        for (int k = 0; meet && k < 60; k++) {
            double half = (low + high) / 2;
            *(real_poles(y, half) == before ? &low : &high) = half;
        }
        scene_close(&s);
        if (!meet) continue;
        met++;
        for (int k = 0; k < 4; k++) {
            s = sloped(seed, high * (1 + (k ? pow(10, -2 - 4 * k) : 0)));
            compare(&s, 20, &sum);
            scene_close(&s);
        }
    }
    print_message("   %d slopes, %ld runs, %ld events: times %.1e, states %.1e, energies %.1e\n",
                  met, sum.runs, sum.events, sum.worst_time, sum.worst_state, sum.worst_energy);
    assert_true(met > 20 && sum.runs > 60);
    assert_true(sum.worst_time < 1e-12 && sum.worst_state < 1e-12 && sum.worst_energy < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(critical_damping_beside_a_stuck_contact_is_as_right_as_any),
        cmocka_unit_test(a_slope_that_makes_two_poles_meet_is_as_right_as_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
