// expsum_work.c -- searches by every kernel and by every way give the same bits; what they cost.
#include "expsum_case.h"

static void inner_loops_agree_bit_for_bit(void **state) {
    (void)state;
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) skip();
#endif
    enum { N = 24 };
    double re[N], im[N], a[2][N], b[2][N], prefix[2][2][JD_SUMS], row[N * JD_ROW];
    int row_of[N];
    for (int i = 0; i < N; i++) row_of[i] = i < 7 ? 0 : JD_SUMS;
    const jd_simd *simd[2] = {&jd_simd_plain, &jd_simd_avx2};
    for (int i = 0; i < N; i++) re[i] = -0.01 * i, im[i] = 1.7 * i * i - 30;
    for (int i = 0; i < N * JD_ROW; i++) row[i] = sin(i * 1.1);
    for (int k = 0; k < 2; k++) {
        simd[k]->exponentials(N, re, im, 0.37, a[k], b[k]);
        simd[k]->rotate(N, a[k], b[k], im, re);
        simd[k]->nudge(N, re, im, 1e-7, a[k], b[k]);
        double size[N];
        simd[k]->magnitudes(N, a[k], b[k], size);
        simd[k]->sums(N, row_of, row, a[k], b[k], size, prefix[k][0]);
    }
    assert_memory_equal(a[0], a[1], sizeof a[0]);
    assert_memory_equal(b[0], b[1], sizeof b[0]);
    assert_memory_equal(prefix[0], prefix[1], sizeof prefix[0]);
}

// Products of every shape with two vectors: those of one row after the other, and nothing beside
// them is written.
static void products_agree_bit_for_bit(void **state) {
    (void)state;
    enum { MOST = 31, ROOM = MOST + 1 };
    double A[ROOM * MOST], q[MOST], p[MOST];
    const jd_simd *simd[2] = {&jd_simd_plain, jd_simd_best()};
    for (int i = 0; i < ROOM * MOST; i++) A[i] = sin(i * 1.1);
    for (int i = 0; i < MOST; i++) q[i] = cos(i * 1.7), p[i] = sin(i * 2.3) / (i + 1);
    for (int rows = 0; rows <= MOST; rows++)
        for (int columns = 0; columns <= MOST; columns += 3)
            for (int k = 0; k < 4; k++) {
                double x[ROOM], v[ROOM], stays = 0.5;
                for (int i = 0; i < ROOM; i++) x[i] = v[i] = stays;
                bool add = k > 1;
                (add ? simd[k % 2]->multiply_add : simd[k % 2]->multiply)(rows, columns, ROOM, A, q,
                                                                          p, x, v);
                for (int i = 0; i < rows; i++) {
                    double u = add ? stays : 0, w = u;
                    for (int j = 0; j < columns; j++) {
                        u = fma(A[j * ROOM + i], q[j], u);
                        w = fma(A[j * ROOM + i], p[j], w);
                    }
                    assert_memory_equal(x + i, &u, sizeof u);
                    assert_memory_equal(v + i, &w, sizeof w);
                }
                assert_memory_equal(x + rows, &stays, sizeof stays);
                assert_memory_equal(v + rows, &stays, sizeof stays);
            }
}

// Products of every shape with many columns: those of one number after the other, whatever stands
// beside, and nothing beside them is written.
static void products_with_columns_agree_bit_for_bit(void **state) {
    (void)state;
    enum { MOST = 11, WIDE = 27, ROOM = WIDE + 1 };
    double A[MOST * MOST], X[MOST * ROOM], Y[(MOST + 1) * ROOM], stays = 0.5;
    const jd_simd *simd[2] = {&jd_simd_plain, jd_simd_best()};
    for (int i = 0; i < MOST * MOST; i++) A[i] = sin(i * 1.1);
    for (int i = 0; i < MOST * ROOM; i++) X[i] = cos(i * 1.7) / (i % 7 + 1);
    for (int shape = 0; shape < (MOST + 1) * (MOST + 1) * (WIDE + 1); shape++) {
        int rows = shape % (MOST + 1), inner = shape / (MOST + 1) % (MOST + 1),
            columns = shape / ((MOST + 1) * (MOST + 1));
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < (MOST + 1) * ROOM; i++) Y[i] = stays;
            simd[k]->mix(rows, inner, columns, A, MOST, X, ROOM, Y, ROOM);
            for (int i = 0; i <= MOST; i++)
                for (int c = 0; c < ROOM; c++) {
                    double y = i < rows && c < columns ? 0 : stays;
                    for (int j = 0; i < rows && c < columns && j < inner; j++)
                        y = fma(A[j * MOST + i], X[j * ROOM + c], y);
                    assert_true(Y[i * ROOM + c] == y);
                }
        }
    }
}

// Seven modes from 2 to 113 rad/s.
static sum seven_modes(double damping) {
    jd_complex pole[7], amplitude[7];
    for (int k = 0; k < 7; k++) {
        double w = 2 * pow(1.96, k);
        pole[k] = (jd_complex){-damping * w, w};
        amplitude[k] = (jd_complex){0.4 / (k + 1), 0.3 * cos(k)};
    }
    return make(7, pole, amplitude, 0);
}

static void assert_same_search(const jd_search_result *a, const jd_search_result *b) {
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->evaluations, b->evaluations);
    assert_int_equal(a->side, b->side);
    assert_memory_equal(&a->time, &b->time, sizeof a->time);
    assert_memory_equal(a->taylor, b->taylor, sizeof a->taylor);
}

static void searches_of_all_inner_loops_agree_bit_for_bit(void **state) {
    (void)state;
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) skip();
#endif
    const jd_simd *simd[2] = {&jd_simd_plain, &jd_simd_avx2};
    for (int damped = 0; damped < 2; damped++)
        for (int i = 0; i < 12; i++) {
            jd_search_result r[2];
            for (int k = 0; k < 2; k++) {
                sum s = seven_modes(damped * 0.01);
                s.basis->simd = simd[k];
                jd_guard g = jd_default_guard(s.watch);
                g.lower = i % 2 ? -HUGE_VAL : -0.9 - 0.1 * i, g.upper = 1.4 + 0.05 * i;
                r[k] = find(&s, &g, 40);
                drop(&s);
            }
            assert_same_search(r, r + 1);
        }
}

// The single guard has a march of its own: the same anchors as beside a guard that sets no limit.
static void a_single_guard_walks_as_among_several(void **state) {
    (void)state;
    int found = 0;
    for (int i = 0; i < 24; i++) {
        sum s = seven_modes(0.002 * (i % 4 + 1));
        jd_guard g[2] = {jd_default_guard(s.watch), jd_default_guard(s.watch)};
        g[0].lower = i % 2 ? -HUGE_VAL : -1.1 - 0.02 * i, g[0].upper = 1.1 + 0.02 * i;
        jd_search_result alone = find(&s, g, 20), both;
        double re[SLOTS_MAX], im[SLOTS_MAX];
        jd_first_zero(s.basis, s.re, s.im, 2, g, 20, NULL, &both, re, im);
        assert_same_search(&alone, &both);
        found += alone.outcome == JD_SEARCH_FOUND;
        drop(&s);
    }
    assert_in_range(found, 4, 23); // both ways to end occur
}

// A slow pole of amplitude 1 and three fast small ones, phases from a golden-ratio sequence.
static sum slow_and_fast(int i, double damping) {
    const double rate[] = {1, 3.3, 7.1, 19}, size[] = {1, 0.08, 0.05, 0.03};
    jd_complex pole[4], amplitude[4];
    for (int k = 0; k < 4; k++) {
        double phase = 6.283185307179586 * fmod((i * 29 + 7 * k) * 0.6180339887498949, 1);
        pole[k] = (jd_complex){-damping * rate[k], rate[k]};
        amplitude[k] = (jd_complex){size[k] * cos(phase), size[k] * sin(phase)};
    }
    return make(4, pole, amplitude, 6);
}

// First zero with the closed form of the slow pole (split < 0) or by Taylor sums of all poles.
static jd_search_result slow_search(int i, int split, double bound_factor) {
    sum s = slow_and_fast(i, i % 3 == 0 ? 1e-3 : 0);
    jd_guard g = jd_default_guard(s.watch);
    jd_search_options options = jd_default_search_options();
    options.split = split;
    options.bound_factor = bound_factor;
    g.upper = 1.0 + 0.16 * fmod(i * 0.7548776662466927, 1);
    if (i % 2) g.lower = -1.02 - 0.1 * fmod(i * 0.5698402909980532, 1);
    jd_search_result r;
    double re[SLOTS_MAX], im[SLOTS_MAX];
    jd_first_zero(s.basis, s.re, s.im, 1, &g, 300, &options, &r, re, im);
    drop(&s);
    return r;
}

static void a_slow_pole_alone_is_followed_in_one_step(void **state) {
    (void)state;
    long leaping = 0, taylor = 0, found = 0, missed = 0;
    for (int i = 0; i < 3000; i++) {
        jd_search_result a = slow_search(i, -1, 1), b = slow_search(i, 15, 1),
                         wrong = slow_search(i, -1, 0.5);
        assert_int_equal(a.outcome, b.outcome);
        if (a.outcome == JD_SEARCH_OUTSIDE) continue;
        assert_int_equal(a.undecided + b.undecided, 0);
        assert_near(a.time, b.time, 1e-11 * (1 + a.time)); // measured 4e-13
        found += a.outcome == JD_SEARCH_FOUND;
        leaping += a.evaluations;
        taylor += b.evaluations;
        missed += fabs(wrong.time - a.time) > 1e-6;
    }
    print_message("leaps: %ld evaluations, Taylor sums %ld; %ld found, half bounds miss %ld\n",
                  leaping, taylor, found, missed);
    assert_in_range(found, 1000, 2900);
    assert_true(leaping < taylor / 4); // measured 79721 and 435922
    assert_true(missed > 1000);        // measured 2624
}

// Bending modes 10 .. 10900 rad/s with Rayleigh damping, a drive, and n_fast tiny fast poles.
static double beam_evaluations(int n_fast, int *undecided) {
    enum { MODES = 20, N = 22 + 1000 };
    jd_complex *pole = calloc(N, sizeof *pole), *one = calloc(N, sizeof *one);
    double *z = calloc(4 * (N + 4), sizeof *z), *re = z, *im = z + N + 4;
    for (int k = 0; k < MODES; k++) {
        double w = 10.1 * pow((k + 0.597) / 0.597, 2), c = (0.025 + 5.5e-5 * w * w) / 2;
        pole[k] = (jd_complex){-c, sqrt(w * w - c * c)};
    }
    pole[MODES].im = 11.1; // the drive; pole MODES + 1 is 0, the constant
    for (int k = 22; k < 22 + n_fast; k++) pole[k] = (jd_complex){-1, 2e4 + 300 * (k - 22)};
    for (int k = 0; k < 22 + n_fast; k++) one[k].re = 1;
    jd_context *context = jd_context_create(NULL);
    jd_expbasis_def def = {.n_pole = 22 + n_fast, .pole = pole};
    jd_expbasis *basis;
    jd_watch *watch;
    assert_int_equal(jd_expbasis_create(context, &def, &basis), JD_OK);
    assert_int_equal(jd_watch_create(basis, &(jd_watch_def){.weight = one}, &watch), JD_OK);
    long evaluations = 0, found = 0;
    for (int i = 0; i < 200; i++) { // fixed phases: golden-ratio sequence
        for (int k = 0; k < 22 + n_fast; k++) {
            double size = k < MODES ? 0.6 / ((k + 1) * (k + 1)) : k == MODES ? 0.8 : 0;
            if (k > MODES + 1) size = 1e-16;
            double phase = 6.283185307179586 * fmod((i * 31 + k) * 0.6180339887498949, 1);
            re[jd_expbasis_slot(basis, k)] = size * cos(phase);
            im[jd_expbasis_slot(basis, k)] = size * sin(phase);
        }
        jd_guard g = jd_default_guard(watch);
        double f = jd_watch_value(watch, re, im);
        g.lower = -0.6 + f; // start inside
        g.upper = 0.6 + f;
        jd_search_result r;
        jd_first_zero(basis, re, im, 1, &g, 0.5, NULL, &r, z + 2 * (N + 4), z + 3 * (N + 4));
        evaluations += r.evaluations;
        *undecided += r.undecided;
        found += r.outcome == JD_SEARCH_FOUND;
    }
    assert_true(found > 100);
    jd_expbasis_free(basis);
    jd_context_free(context);
    free(pole), free(one), free(z);
    return (double)evaluations / 200;
}

static void a_beam_needs_few_evaluations_and_fast_tiny_poles_add_none(void **state) {
    (void)state;
    int undecided = 0;
    double few = beam_evaluations(0, &undecided), many = beam_evaluations(1000, &undecided);
    print_message("evaluations a search: %.2f, with 1000 fast poles %.2f\n", few, many);
    assert_true(few <= 10);
    assert_true(many <= few * 1.1);
    assert_int_equal(undecided, 0);
}

// Bodies or drives that are alike: what one does the other takes back. Cancelled to rounding, the
// sum is proved inside at once, whatever narrow band; not cancelled, its zero is found.
static void parts_of_one_pole_that_cancel_cost_nothing(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        double w = 0.5 + 0.3 * i, damping = i % 2 ? 0.01 * w : 0, more = i % 4 < 2 ? 0 : 1e-6;
        jd_complex pole[4] = {{-damping, w}, {-damping, w}, {0, 3 * w}, {0, 3 * w}};
        jd_complex amplitude[4] = {{0.8, 0.1}, {-0.8, -0.1}, {0.3, 0.2}, {more - 0.3, -0.2}};
        sum s = make(4, pole, amplitude, 0);
        jd_guard g = jd_default_guard(s.watch);
        g.lower = -1e-12, g.upper = 2e-6;
        jd_search_result r = find(&s, &g, 40);
        assert_int_equal(r.outcome, more > 0 ? JD_SEARCH_FOUND : JD_SEARCH_NONE);
        assert_int_equal(r.undecided, 0);
        if (more > 0)
            assert_near(r.time, acos(-1e-6) / (3 * w), 1e-6 / w);
        else
            assert_true(r.evaluations <= 2);
        drop(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inner_loops_agree_bit_for_bit),
        cmocka_unit_test(products_agree_bit_for_bit),
        cmocka_unit_test(products_with_columns_agree_bit_for_bit),
        cmocka_unit_test(searches_of_all_inner_loops_agree_bit_for_bit),
        cmocka_unit_test(a_single_guard_walks_as_among_several),
        cmocka_unit_test(a_slow_pole_alone_is_followed_in_one_step),
        cmocka_unit_test(parts_of_one_pole_that_cancel_cost_nothing),
        cmocka_unit_test(a_beam_needs_few_evaluations_and_fast_tiny_poles_add_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
