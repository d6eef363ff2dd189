// taylor.c -- engine taylor: kernels, zeros, bounds, limits of friction, states, bad input.
#include <stdlib.h>
#include <string.h>

#include "engine/published/mode_matching/chain.h"
#include "engine/taylor/motion.h"
#include "linalg/first_zero.h"
#include "rods_case.h"
#include "starve.h"

typedef struct bench {
    rods_run r;
    jd_arena *arena;
    jd_semi semi;
    jd_motion m;
} bench;

static void bench_open_in(bench *b, double sleeve, const char *drive, double friction, int nodes) {
    b->r = rods_open_in(sleeve, "taylor", drive, friction, nodes);
    b->arena = jd_arena_create(b->r.m.context);
    rods_must(&b->r, jd_semi_of_problem(b->arena, b->r.m.problem, &b->semi));
    rods_must(&b->r, jd_motion_create(b->arena, &b->semi, &b->m));
}

static void bench_open(bench *b, const char *drive, double friction, int nodes) {
    bench_open_in(b, 1e4, drive, friction, nodes);
}

static void bench_close(bench *b) {
    jd_arena_free(b->arena);
    rods_close(&b->r);
}

static void kernels_agree_bit_for_bit(void **state) {
    (void)state;
    bench a, b;
    bench_open(&a, rods_150, 1.0, 77);
    bench_open(&b, rods_150, 1.0, 77);
    a.m.series.kernel = &jd_expansion_plain;
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) b.m.series.kernel = &jd_expansion_avx2;
#endif
    while (a.m.state.t0 < 0.2) {
        jd_motion_find_step(&a.m);
        jd_motion_find_step(&b.m);
        jd_change x = jd_motion_advance(&a.m), y = jd_motion_advance(&b.m);
        assert_int_equal(x.cell, y.cell);
        assert_memory_equal(a.m.state.u, b.m.state.u, 77 * sizeof(double));
        assert_memory_equal(a.m.state.eta, b.m.state.eta, 20 * sizeof(double));
    }
    assert_true(a.m.count.changes[0] > 100);
    bench_close(&a);
    bench_close(&b);
}

// Nodes stand for the cells around them, those at the ends for half a one: together the rod.
static void the_masses_of_the_nodes_are_the_rod(void **state) {
    (void)state;
    for (int nodes = 16; nodes <= 77; nodes += 61) {
        bench b;
        bench_open(&b, rods_150, 1.0, nodes);
        double sum = 0, cell = b.semi.spring / (b.semi.rate * b.semi.rate); // EA/h, c/h: rho h
        for (int i = 0; i < nodes; i++) sum += b.semi.mass[i];
        assert_near(sum, cell * (nodes - 1), 1e-12 * sum);
        assert_near(b.semi.mass[0], cell / 2, 1e-14 * cell);
        assert_near(b.semi.mass[nodes - 1], cell / 2, 1e-14 * cell);
        bench_close(&b);
    }
}

// The series from one moment, far beyond the order kept: 22 terms against 40 steps of a tenth.
static void the_remainder_is_within_its_bound(void **state) {
    (void)state;
    bench b, fine;
    bench_open(&b, rods_20, 1e6, 40); // nothing ever slides
    bench_open(&fine, rods_20, 1e6, 40);
    while (b.m.state.t0 < 0.1) {
        jd_motion_find_step(&b.m);
        jd_motion_advance(&b.m);
    }
    memcpy(fine.m.state.u, b.m.state.u, 40 * sizeof(double));
    memcpy(fine.m.state.v, b.m.state.v, 40 * sizeof(double));
    memcpy(fine.m.state.eta, b.m.state.eta, 20 * sizeof(double));
    memcpy(fine.m.state.eta_v, b.m.state.eta_v, 20 * sizeof(double));
    fine.m.state.t0 = b.m.state.t0;
    double dt = 7 / b.semi.fastest; // far too long
    b.m.step.next_dt = dt;
    jd_motion_find_step(&b.m);
    jd_remainder r = jd_expansion_remainder(&b.m.series, b.m.segments.of);
    double u[44], v[44], eta[24], eta_v[24], t = b.m.state.t0 + dt, apart = 0;
    jd_motion_at(&b.m, t, u, v, eta, eta_v);
    for (;;) {
        fine.m.step.next_dt = 0.1 * dt;
        jd_motion_find_step(&fine.m);
        if (fine.m.step.t_end >= t) break;
        jd_motion_advance(&fine.m);
    }
    double w[44], x[44];
    jd_motion_at(&fine.m, t, w, x, eta, eta_v);
    for (int i = 0; i < 40; i++) apart = fmax(apart, fabs(v[i] - x[i]) * dt);
    assert_true(apart > 1e-14 * b.m.state.unit * dt); // it can be seen
    assert_true(apart <= r.velocity);
    assert_true(apart >= 1e-4 * r.velocity); // measured: 0.02 of the bound
    bench_close(&b);
    bench_close(&fine);
}

// A step ends where the remainder of velocities and of forces is below rounding. Forces ask for the
// shorter step (dt rate < ORDER) unless the counterpart is much lighter: then its velocities do.
static void steps_end_where_the_remainder_is_rounding(void **state) {
    (void)state;
    const double sleeves[] = {1e4, 1, 1e-3, 1e-6};
    int by_velocity = 0;
    for (int i = 0; i < 4; i++) {
        bench b;
        bench_open_in(&b, sleeves[i], rods_150, 0.6, 40);
        for (int step = 0; step < 300; step++) {
            jd_motion_find_step(&b.m);
            jd_remainder r = jd_expansion_remainder(&b.m.series, b.m.segments.of);
            double v = 1e-15 * b.m.state.unit, f = v * b.semi.spring / b.semi.rate;
            double off =
                       r.velocity * pow(b.m.step.tau_end, JD_EXPANSION_ORDER) / (v * b.m.series.dt),
                   force = r.force * pow(b.m.step.tau_end, JD_EXPANSION_ORDER - 1) / f;
            assert_true(off <= 1.000001 && force <= 1.000001);
            by_velocity += off > 0.4 && force < 0.1; // 0.97^22 = 0.51
            jd_motion_advance(&b.m);
        }
        bench_close(&b);
    }
    assert_true(by_velocity > 20);
}

static void first_zeros_are_found_and_none_is_made_up(void **state) {
    (void)state;
    const double simple[] = {1, -3, 2};                       // 1/2, 1
    const double late[] = {1, -4.1, 4}, touch[] = {1, -4, 4}; // before 1/2; at 1/2 only
    const double none[] = {1.001, -2, 1};
    jd_zero z = jd_first_zero_of(2, simple, 1, 1e-15);
    assert_true(z.found && z.sure);
    assert_near(z.tau, 0.5, 1e-14);
    z = jd_first_zero_of(2, late, 1, 1e-15);
    assert_near(z.tau, (4.1 - sqrt(0.81)) / 8, 1e-14);
    assert_true(z.found && z.sure);
    z = jd_first_zero_of(2, touch, 1, 1e-15);
    assert_true(z.found && !z.sure); // a graze: not decided
    z = jd_first_zero_of(2, none, 1, 1e-15);
    assert_false(z.found);
    z = jd_first_zero_of(2, simple, 0.4, 1e-15);
    assert_false(z.found);
}

// Random polynomials of degree 9 against a fine scan.
static void no_zero_is_passed_over(void **state) {
    (void)state;
    srand(3);
    for (int trial = 0; trial < 2000; trial++) {
        double c[10], scan = -1;
        for (int k = 0; k < 10; k++) c[k] = 2.0 * rand() / RAND_MAX - 1;
        c[0] = fabs(c[0]) + 0.01;
        for (int i = 1; i <= 20000 && scan < 0; i++) {
            double t = i / 20000.0, g = 0;
            for (int k = 9; k >= 0; k--) g = g * t + c[k];
            if (g < 0) scan = t;
        }
        jd_zero z = jd_first_zero_of(9, c, 1, 1e-14);
        if (scan >= 0) assert_true(z.found && z.tau <= scan + 1e-12);
        if (scan >= 0 && z.sure) assert_true(z.tau >= scan - 1.0 / 20000 - 1e-12 || z.found);
    }
}

static void chain_modes_are_orthonormal_and_solve_the_eigenproblem(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(c);
    double mass[] = {0.35, 0.7};
    jd_semi y = {.n = 20, .mass = mass, .rate = 3};
    jd_chain_cache cache;
    assert_int_equal(jd_chain_cache_create(arena, &y, 0.1, &cache), JD_OK);
    for (int n = 1; n <= 9; n++)
        for (int ends = 0; ends < 4; ends++) {
            if (ends == 3 && n < 3) continue;
            const jd_chain_modes *m = jd_chain_find(&cache, n, ends, 4);
            for (int k = 0; k < n; k++)
                for (int l = 0; l <= k; l++) {
                    double M = 0, K = 0;
                    for (int j = 0; j < n; j++) {
                        const double *a = m->shape + k * m->stride, *b = m->shape + l * m->stride;
                        bool half = (j == 0 && ends & 1) || (j == n - 1 && ends & 2);
                        M += (half ? 0.35 : 0.7) * a[j] * b[j];
                        double left = j ? b[j] - b[j - 1] : ends & 1 ? 0 : b[j];
                        double right = j + 1 < n ? b[j + 1] - b[j] : ends & 2 ? 0 : -b[j];
                        K += a[j] * 0.7 * 9 * (left - right);
                    }
                    assert_near(M, k == l, 1e-14);
                    assert_near(K, k == l ? m->omega[k] * m->omega[k] : 0, 1e-13);
                }
        }
    assert_int_equal(cache.made, 9 * 4 - 2);
    jd_chain_find(&cache, 5, 1, 4);
    assert_int_equal(cache.made, 9 * 4 - 2); // kept
    cache.most = 0;
    jd_chain_find(&cache, 12, 1, 2); // nothing may be kept but what was used last
    assert_true(cache.n_entry <= 4);
    jd_chain_cache_free(&cache);
    jd_arena_free(arena);
    jd_context_free(c);
}

// u_i(t) = sum_k phi_k(0) phi_k(i) P0 (sin W t - W/w sin w t)/(w^2 - W^2), modes in closed form
static double free_rod(int n, int node, double t) {
    const double pi = 3.14159265358979323846, W = 20, P0 = 20;
    double h = 50.0 / (n - 1), rate = 1000 / h, sum = 0;
    for (int k = 0; k < n; k++) {
        double w = 2 * rate * sin(pi * k / (2.0 * (n - 1)));
        double scale = (k == 0 || k == n - 1 ? 1 : 2) / ((n - 1) * h);
        double shape = cos(pi * (double)(((long)node * k) % (2L * (n - 1))) / (n - 1));
        double q = k ? (sin(W * t) - W / w * sin(w * t)) / (w * w - W * W)
                     : (W * t - sin(W * t)) / (W * W);
        sum += scale * shape * P0 * q;
    }
    return sum;
}

static void without_friction_it_is_the_free_rod(void **state) {
    (void)state;
    static const char *const engines[] = {"taylor", "mode-matching"};
    for (int e = 0; e < 2; e++) {
        rods_run r = rods_open(engines[e], rods_20, 0, 76);
        double u[4];
        rods_to(&r, 0.37, u);
        const int node[] = {0, 25, 50, 75};
        for (int k = 0; k < 4; k++) // measured: 3e-16 m of 4e-3 m
            assert_near(u[k], free_rod(76, node[k], 0.37), 1e-14);
        assert_int_equal(r.counts[0] + r.counts[1] + r.counts[2], 0);
        jd_interface_field f;
        assert_true(jd_run_interface(r.run, 0, &f));
        for (int j = 0; j < f.n; j++) assert_near(f.force[j], 0, 0);
        rods_close(&r);
    }
}

static void with_enormous_friction_it_is_one_stepped_rod(void **state) {
    (void)state;
    rods_run a = rods_open("taylor", rods_20, 1e9, 76), b = rods_open("taylor", rods_20, 1e12, 76);
    double u[4], w[4];
    rods_to(&a, 0.5, u);
    rods_to(&b, 0.5, w);
    assert_memory_equal(u, w, sizeof u); // the limit plays no part
    assert_int_equal(a.counts[0], 0);
    jd_interface_field f;
    assert_true(jd_run_interface(a.run, 0, &f));
    for (int j = 0; j < f.n; j++) {
        assert_near(f.velocity[j], 0, 0);
        assert_near(f.displacement[j], 0, 1e-17); // measured: 2e-19 m of 1e-3 m
    }
    jd_report r;
    jd_run_report(a.run, &r);
    assert_near(r.ledger.contact[0], 0, 0);
    assert_near(r.ledger.residual, 0, 1e-13);
    rods_close(&a);
    rods_close(&b);
}

static void looking_does_not_move_events(void **state) {
    (void)state;
    static const char *const engines[] = {"taylor", "mode-matching"};
    for (int e = 0; e < 2; e++) {
        rods_run a = rods_open(engines[e], rods_150, 1.0, 40);
        rods_run b = rods_open(engines[e], rods_150, 1.0, 40);
        double u[4], w[4];
        jd_interface_field f;
        for (int i = 1; i <= 3001; i++) {
            rods_to(&a, 0.1 * i / 3001, u);
            if (i % 7 == 0) jd_run_interface(a.run, 0, &f);
        }
        rods_to(&b, 0.1, w);
        assert_memory_equal(u, w, sizeof u);
        assert_memory_equal(a.counts, b.counts, sizeof a.counts);
        rods_close(&a);
        rods_close(&b);
    }
}

static void a_saved_state_goes_on_bit_for_bit(void **state) {
    (void)state;
    rods_run a = rods_open("taylor", rods_20, 0.6, 76), b = rods_open("taylor", rods_20, 0.6, 76);
    double u[4], w[4];
    rods_to(&a, 0.1234, u);
    size_t size = jd_run_state_size(a.run);
    void *block = malloc(size);
    rods_must(&a, jd_run_state_save(a.run, block, size));
    rods_must(&b, jd_run_state_load(b.run, block, size));
    rods_to(&a, 0.6, u);
    rods_to(&b, 0.6, w);
    assert_memory_equal(u, w, sizeof u);
    jd_report x, y;
    jd_run_report(a.run, &x);
    jd_run_report(b.run, &y);
    assert_near(x.ledger.residual, y.ledger.residual, 0);
    assert_near(x.ledger.contact[0], y.ledger.contact[0], 0);
    free(block);
    rods_close(&a);
    rods_close(&b);
}

static void fails(const char *set, jd_status status, const char *where, const char *message) {
    jd_context *c = jd_context_create(NULL);
    char text[2000];
    jd_problem *p = NULL;
    jd_run *run = NULL;
    snprintf(text, sizeof text, rods_model, 0.6, rods_20, "taylor", 76);
    jd_status s = jd_model_parse(c, "m.yaml", ".", text, strlen(text), 1, &set, &p);
    if (s == JD_OK) s = jd_run_create(c, p, &run);
    const jd_error *e = jd_context_error(c);
    if (s != status) fail_msg("%s: %s: %s", set, jd_status_name(s), e->message);
    assert_null(run);
    says("message", e->message, message);
    says("where", e->where, where);
    jd_problem_free(p);
    jd_context_free(c);
}

static void what_it_cannot_do_is_named(void **state) {
    (void)state;
    fails("simulate.nodes=2", JD_OUT_OF_RANGE, "simulate.nodes", "at least 3");
    fails("contacts.shaft.at.span=[25, 60]", JD_OUTSIDE_STRUCTURE, "", "from 25 to 60");
    fails("contacts.shaft.law={type: stribeck, limit: 1, drop: 0.1, decay: 1}", JD_NOT_SUPPORTED,
          "simulate.engine", "a curve over the speed");
    fails("bodies.sleeve.modes=infinite", JD_NOT_SUPPORTED, "bodies.sleeve.modes", "infinite");
    fails("bodies.pile.damping={type: ratio, value: 0.01}", JD_NOT_SUPPORTED, "simulate.engine",
          "damping ratios");
}

static void memory_may_end_anywhere(void **state) {
    (void)state;
    static const char *const engines[] = {"taylor", "mode-matching"};
    for (int e = 0; e < 2; e++)
        for (int fail_at = 1, done = 0; !done; fail_at++) {
            meter mt = {.fail_at = fail_at};
            jd_context *c = starve_context(&mt);
            char text[2000];
            jd_problem *p = NULL;
            jd_run *run = NULL;
            snprintf(text, sizeof text, rods_model, 0.6, rods_20, engines[e], 10);
            jd_status s =
                c ? jd_model_parse(c, "m.yaml", ".", text, strlen(text), 0, NULL, &p) : JD_OK;
            if (c && s == JD_OK) s = jd_run_create(c, p, &run);
            for (jd_step step = JD_STEP_EVENT; c && s == JD_OK && step == JD_STEP_EVENT;)
                s = jd_run_advance(run, 0.2, &step);
            done = c && mt.calls < fail_at;
            if (c) assert_int_equal(s, done ? JD_OK : JD_OUT_OF_MEMORY);
            jd_run_free(run);
            jd_problem_free(p);
            if (c) jd_context_free(c);
            assert_int_equal(mt.alive, 0);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_agree_bit_for_bit),
        cmocka_unit_test(the_masses_of_the_nodes_are_the_rod),
        cmocka_unit_test(the_remainder_is_within_its_bound),
        cmocka_unit_test(steps_end_where_the_remainder_is_rounding),
        cmocka_unit_test(first_zeros_are_found_and_none_is_made_up),
        cmocka_unit_test(no_zero_is_passed_over),
        cmocka_unit_test(chain_modes_are_orthonormal_and_solve_the_eigenproblem),
        cmocka_unit_test(without_friction_it_is_the_free_rod),
        cmocka_unit_test(with_enormous_friction_it_is_one_stepped_rod),
        cmocka_unit_test(looking_does_not_move_events),
        cmocka_unit_test(a_saved_state_goes_on_bit_for_bit),
        cmocka_unit_test(what_it_cannot_do_is_named),
        cmocka_unit_test(memory_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
