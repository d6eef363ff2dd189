// stuck.c -- properties of stuck bases: B Q = 0, Q'Q = I, interlacing, the constrained problem.
#include <lapacke.h>
#include <stdlib.h>

#include "scratch.h"
#include "structure.h"
#include "structure/stuck/stuck.h"

enum { MOST = 40 };

static jd_stuck *stuck_of(const jd_modal *free, int m, const jd_dd *const *B) {
    jd_stuck *s = NULL;
    assert_int_equal(jd_stuck_create(arena, free, m, B, &s), JD_OK);
    assert_int_equal(s->modal.n, free->n - s->rank);
    return s;
}

static double size(int n, const jd_dd *b) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += b[k].hi * b[k].hi;
    return sqrt(sum);
}

// Everything stuck.h promises, for any basis.
static void assert_promises(const jd_modal *free, int m, const jd_dd *const *B, const jd_stuck *s) {
    int n = free->n, r = s->modal.n;
    for (int c = 0; c < r; c++) {
        assert_true(c == 0 || s->modal.omega2[c].hi >= s->modal.omega2[c - 1].hi);
        for (int d = 0; d <= c; d++) {
            double dot = 0;
            for (int k = 0; k < n; k++) dot += s->Q[k * r + c] * s->Q[k * r + d];
            assert_near(dot, c == d ? 1. : 0., 2e-15);
        }
        for (int i = 0; i < m; i++) {
            double held = 0;
            for (int k = 0; k < n; k++) held += B[i][k].hi * s->Q[k * r + c];
            assert_near(held, 0., 1e-15 * size(n, B[i]));
        }
        double form = 0; // Q' Omega^2 Q = diag
        for (int k = 0; k < n; k++) form += free->omega2[k].hi * s->Q[k * r + c] * s->Q[k * r + c];
        double all = free->omega2[n - 1].hi;
        assert_near(form, s->modal.omega2[c].hi, 1e-15 * (all + s->modal.omega2[c].hi));
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            double unit = 0;
            for (int k = 0; k < n; k++) unit += B[i][k].hi * s->S[k * m + j];
            if (!s->dependent[i] && !s->dependent[j]) assert_near(unit, i == j ? 1. : 0., 1e-12);
        }
}

// Frequencies of Z' Omega^2 Z, Z an orthonormal null space of B from LAPACK's full QR of B'.
static void constrained(const jd_modal *free, int m, const jd_dd *const *B, double *omega2) {
    int n = free->n, r = n - m;
    double a[MOST * MOST] = {0}, tau[MOST], z[MOST * MOST];
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) a[i * n + k] = B[i][k].hi;
    assert_int_equal(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, m, a, n, tau), 0);
    assert_int_equal(LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, n, m, a, n, tau), 0);
    for (int c = 0; c < r; c++)
        for (int d = 0; d < r; d++) {
            z[c * r + d] = 0;
            for (int k = 0; k < n; k++)
                z[c * r + d] += a[(m + c) * n + k] * free->omega2[k].hi * a[(m + d) * n + k];
        }
    assert_int_equal(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'N', 'L', r, z, r, omega2), 0);
}

static void tip_stuck_keeps_every_promise_and_interlaces(void **state) {
    (void)state;
    jd_fe_beam_def d = friction_beam(10);
    jd_structure *s = make_structure(context, "fe-beam", &d);
    const jd_dd *B[1] = {s->row + s->modal.n};
    jd_stuck *t = stuck_of(&s->modal, 1, B);
    assert_promises(&s->modal, 1, B, t);
    for (int c = 0; c < 19; c++) {
        assert_true(t->modal.omega2[c].hi > s->modal.omega2[c].hi);
        assert_true(t->modal.omega2[c].hi < s->modal.omega2[c + 1].hi);
    }
    assert_true(t->shift == 0);
    jd_structure_free(s);
}

// A tip held by the contact and a tip held by a pin are the same beam.
static void stuck_tip_is_a_pinned_end(void **state) {
    (void)state;
    jd_fe_beam_def d = friction_beam(30);
    jd_structure *free = make_structure(context, "fe-beam", &d);
    d.supports.right = JD_PINNED;
    jd_structure *pinned = make_structure(context, "fe-beam", &d);
    const jd_dd *B[1] = {free->row + free->modal.n};
    jd_stuck *t = stuck_of(&free->modal, 1, B);
    assert_int_equal(t->modal.n, pinned->modal.n);
    for (int c = 0; c < t->modal.n; c++) // measured 2.3e-28: 32 digits less lambda_max/lambda_k
        assert_near(dd_sub(dd_div(t->modal.omega2[c], pinned->modal.omega2[c]), dd(1)).hi, 0.,
                    1e-26);
    jd_structure_free(free);
    jd_structure_free(pinned);
}

static void two_contacts_solve_the_constrained_problem(void **state) {
    (void)state;
    jd_fe_beam_def d = friction_beam(10);
    jd_structure *s = make_structure(context, "fe-beam", &d);
    const jd_dd *B[2] = {s->row, s->row + s->modal.n};
    jd_stuck *t = stuck_of(&s->modal, 2, B);
    assert_promises(&s->modal, 2, B, t);
    double omega2[MOST];
    constrained(&s->modal, 2, B, omega2);
    for (int c = 0; c < 18; c++)
        assert_near(t->modal.omega2[c].hi, omega2[c], 1e-14 * s->modal.omega2[19].hi);
    const jd_dd *swapped[2] = {B[1], B[0]};
    jd_stuck *u = stuck_of(&s->modal, 2, swapped);
    for (int c = 0; c < 18; c++)
        assert_relative(u->modal.omega2[c].hi, t->modal.omega2[c].hi, 1e-15);
    jd_structure_free(s);
}

// Random rows, from few to all but one: the same constrained problem, the same promises.
static void many_stuck_contacts_are_as_right_as_few(void **state) {
    (void)state;
    jd_fe_beam_def d = friction_beam(10);
    jd_structure *s = make_structure(context, "fe-beam", &d);
    int n = s->modal.n;
    jd_dd rows[MOST][MOST];
    const jd_dd *B[MOST];
    unsigned long long seed = 3;
    for (int i = 0; i < n; i++) {
        B[i] = rows[i];
        for (int k = 0; k < n; k++) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            rows[i][k] = dd((double)(seed >> 11) / 9007199254740992.0 - 0.5);
        }
    }
    for (int m = 3; m < n; m++) {
        double omega2[MOST];
        jd_stuck *t = stuck_of(&s->modal, m, B);
        assert_int_equal(t->rank, m);
        assert_promises(&s->modal, m, B, t);
        constrained(&s->modal, m, B, omega2);
        for (int c = 0; c < n - m; c++)
            assert_near(t->modal.omega2[c].hi, omega2[c], 1e-13 * s->modal.omega2[n - 1].hi);
    }
    B[n - 2] = B[0]; // depends on another: one by one
    jd_stuck *t = stuck_of(&s->modal, n - 1, B);
    assert_int_equal(t->rank, n - 2);
    assert_promises(&s->modal, n - 1, B, t);
    jd_structure_free(s);
}

// A walk through random sets of held rows, one or a few rows at a time, from all but one mode held
// to hardly any, is where each set would be from scratch: frequencies to 24 digits.
static void a_chain_of_changes_is_as_right_as_a_fresh_start(void **state) {
    (void)state;
    enum { ROWS = 26, N = 20 };
    jd_fe_beam_def d = friction_beam(10);
    jd_structure *s = make_structure(context, "fe-beam", &d);
    jd_dd rows[ROWS][N];
    unsigned long long seed = 11;
    for (int i = 0; i < ROWS * N; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        rows[i / N][i % N] = dd((double)(seed >> 11) / 9007199254740992.0 - 0.5);
    }
    int set[ROWS], m = 8, changed = 0;
    const jd_dd *B[ROWS], *before[ROWS];
    for (int i = 0; i < m; i++) before[i] = rows[set[i] = i];
    jd_stuck *t = NULL;
    assert_int_equal(jd_stuck_start(arena, &s->modal, m, before, &t), JD_OK);
    for (int step = 0; step < 300; step++) {
        int next[ROWS], old[ROWS], k = 0;
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        int gone = (int)((seed >> 33) % (unsigned)m), come = (int)((seed >> 40) % ROWS);
        bool drop = step % 60 < 30 ? step % 3 == 0 : step % 3 != 0, held = false;
        for (int i = 0; i < m; i++) held |= set[i] == come;
        if (!held && m < N - 1) { // in front: the order is not that of arrival
            old[k] = -1;
            next[k++] = come;
        }
        for (int i = 0; i < m; i++) {
            if (drop && i == gone && m > 2) continue;
            old[k] = i;
            next[k++] = set[i];
        }
        for (int i = 0; i < k; i++) B[i] = rows[next[i]];
        jd_stuck *u = NULL, *fresh = NULL;
        assert_int_equal(jd_stuck_change(arena, &s->modal, t, before, k, B, old, &u), JD_OK);
        assert_int_equal(jd_stuck_start(arena, &s->modal, k, B, &fresh), JD_OK);
        if (!u) u = fresh;
        changed += u != fresh;
        assert_promises(&s->modal, k, B, u);
        for (int c = 0; c < N - k; c++) // of 32 digits, less the steps
            assert_near(dd_sub(dd_div(u->modal.omega2[c], fresh->modal.omega2[c]), dd(1)).hi, 0.,
                        1e-24);
        for (int i = 0; i < k * N; i++) {
            assert_near(u->S[i], fresh->S[i], 1e-12 * (1 + fabs(fresh->S[i])));
            assert_near(u->dual[i].hi, fresh->dual[i].hi, 1e-14 * (1 + fabs(fresh->dual[i].hi)));
        }
        memcpy(set, next, sizeof set);
        memcpy(before, B, sizeof before);
        m = k;
        t = u;
    }
    print_message("   %d of 300 sets from their neighbour\n", changed);
    assert_true(changed > 290);
    jd_structure_free(s);
}

// Nothing couples the direction that becomes free: it keeps its own frequency.
static void a_row_that_goes_gives_back_what_it_took(void **state) {
    (void)state;
    jd_dd omega2[4] = {{1, 0}, {4, 0}, {4, 0}, {9, 0}}, a[4] = {{0, 0}, {1, 0}}, b[4] = {{1, 0}};
    double error[4] = {0}, c[4] = {0};
    jd_modal free = {.n = 4, .omega2 = omega2, .error = error, .c = c};
    b[3] = dd(1);
    const jd_dd *both[2] = {a, b};
    jd_stuck *two = NULL, *one = NULL, *none = NULL;
    assert_int_equal(jd_stuck_start(arena, &free, 2, both, &two), JD_OK);
    assert_int_equal(jd_stuck_change(arena, &free, two, both, 1, both + 1, (int[]){1}, &one),
                     JD_OK);
    assert_non_null(one);
    assert_promises(&free, 1, both + 1, one);
    static const double held[3] = {4, 4, 5}; // 1/(1 - x) + 1/(9 - x) = 0 at 5
    for (int k = 0; k < 3; k++) assert_relative(one->modal.omega2[k].hi, held[k], 3e-16);
    assert_int_equal(jd_stuck_change(arena, &free, one, both + 1, 0, both, NULL, &none), JD_OK);
    assert_non_null(none);
    for (int k = 0; k < 4; k++) assert_relative(none->modal.omega2[k].hi, omega2[k].hi, 3e-16);
}

static void repeated_row_is_dependent(void **state) {
    (void)state;
    jd_fe_beam_def d = friction_beam(10);
    jd_structure *s = make_structure(context, "fe-beam", &d);
    jd_dd zero[20] = {{0, 0}}, sum[20];
    for (int k = 0; k < 20; k++) sum[k] = dd_add(s->row[k], dd_scale(s->row[20 + k], 3));
    const jd_dd *B[4] = {s->row, s->row + 20, sum, zero};
    jd_stuck *t = stuck_of(&s->modal, 4, B);
    assert_int_equal(t->rank, 2);
    assert_false(t->dependent[0] || t->dependent[1]);
    assert_true(t->dependent[2] && t->dependent[3]);
    assert_promises(&s->modal, 4, B, t);
    jd_structure_free(s);
}

// A contact that some modes do not feel, and modes that share a frequency.
static void deflation_keeps_every_promise(void **state) {
    (void)state;
    jd_dd omega2[6] = {{9, 0}, {1, 0}, {4, 0}, {4, 0}, {4, 0}, {25, 0}};
    jd_dd b[6] = {{1, 0}, {0, 0}, {2, 0}, {1, 0}, {-1, 0}, {1e-30, 0}};
    double error[6] = {0}, c[6] = {0};
    jd_modal free = {.n = 6, .omega2 = omega2, .error = error, .c = c};
    const jd_dd *B[1] = {b};
    jd_stuck *t = stuck_of(&free, 1, B);
    assert_promises(&free, 1, B, t);
    // 6/(4 - x) + 1/(9 - x) = 0 has the root 58/7; 1, 4, 4 and 25 stay.
    static const double expected[5] = {1, 4, 4, 58. / 7, 25};
    for (int k = 0; k < 5; k++) assert_relative(t->modal.omega2[k].hi, expected[k], 3e-16);
}

// Free-free beam held at its tip: it still swings about the tip (omega = 0 stays once).
static void rigid_body_modes_get_a_shift_and_stay_zero(void **state) {
    (void)state;
    jd_fe_beam_def d = friction_beam(6);
    d.supports = (jd_supports){JD_FREE, JD_FREE};
    jd_structure *s = make_structure(context, "fe-beam", &d);
    const jd_dd *B[2] = {s->row + s->modal.n, s->row};
    jd_stuck *one = stuck_of(&s->modal, 1, B), *two = stuck_of(&s->modal, 2, B);
    assert_promises(&s->modal, 1, B, one);
    assert_promises(&s->modal, 2, B, two);
    assert_true(one->shift > 0);
    assert_true(one->modal.omega2[0].hi == 0);
    assert_true(one->modal.omega2[1].hi > 0);
    assert_true(two->modal.omega2[0].hi > 0);
    jd_structure_free(s);
}

// C = Q' C Q of per-mode damping couples; its trace loses what the contact held.
static void modal_damping_becomes_a_full_matrix(void **state) {
    (void)state;
    static const double ratio = 0.01;
    jd_damping_ratio_def damping = {{1, &ratio}};
    jd_fe_beam_def d = friction_beam(5);
    d.damping = (jd_object){"", &jd_damping_ratio, &damping};
    jd_structure *s = make_structure(context, "fe-beam", &d);
    const jd_dd *B[1] = {s->row + s->modal.n};
    jd_stuck *t = stuck_of(&s->modal, 1, B);
    int n = s->modal.n, r = t->modal.n;
    assert_non_null(t->modal.C);
    assert_int_equal(t->modal.law, JD_DAMPING_FULL);
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += t->Q[k * r + i] * s->modal.c[k] * t->Q[k * r + j];
            assert_near(t->modal.C[i * r + j], sum, 1e-14 * s->modal.c[n - 1]);
        }
    jd_mode list[MOST];
    assert_int_equal(jd_modal_list(context, &t->modal, list), JD_OK);
    for (int c = 0; c < r; c++) // light damping: |s| is omega to second order
        assert_relative(list[c].omega, sqrt(t->modal.omega2[c].hi), 1e-3);
    jd_structure_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tip_stuck_keeps_every_promise_and_interlaces),
        cmocka_unit_test(stuck_tip_is_a_pinned_end),
        cmocka_unit_test(two_contacts_solve_the_constrained_problem),
        cmocka_unit_test(many_stuck_contacts_are_as_right_as_few),
        cmocka_unit_test(a_chain_of_changes_is_as_right_as_a_fresh_start),
        cmocka_unit_test(a_row_that_goes_gives_back_what_it_took),
        cmocka_unit_test(repeated_row_is_dependent),
        cmocka_unit_test(deflation_keeps_every_promise),
        cmocka_unit_test(rigid_body_modes_get_a_shift_and_stay_zero),
        cmocka_unit_test(modal_damping_becomes_a_full_matrix),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
