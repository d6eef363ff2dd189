// reduction.c -- few modes of FE matrices with static shapes or constraint modes: static
// deflections are exact at any number of modes, and what is said of them holds.
#include <lapacke.h>

#include "judder/judder.h"
#include "solid.h"
#include "structure.h"

static jd_context *context;
static char warning[1000];

static void note_log(void *user, jd_log_level level, const char *text) {
    (void)user;
    if (level == JD_LOG_WARNING) snprintf(warning, sizeof warning, "%s", text);
}

static int open_context(void **state) {
    (void)state;
    context = jd_context_create(&(jd_context_def){.log = note_log});
    return !context;
}

static int close_context(void **state) {
    (void)state;
    jd_context_free(context);
    return 0;
}

static jd_matrices_def definition(const solid *b, int modes, int n, const jd_point *points) {
    jd_matrices_def d = jd_default_matrices();
    d.stiffness = solid_matrix(b, b->K);
    d.mass = solid_matrix(b, b->M);
    d.modes = modes;
    d.points = (jd_points){n, points};
    return d;
}

static jd_point point(const char *name, int row) { return jd_point_at_node(name, row + 1, 1); }

// x = K^-1 e_row by dense Cholesky, residuals in long double until they stop falling.
static void deflect(const solid *b, const double *U, int row, double *x) {
    int n = b->n;
    double *r = calloc((size_t)n, sizeof *r);
    memset(x, 0, (size_t)n * sizeof *x);
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < n; i++) {
            long double sum = i == row;
            for (int64_t k = b->start_K[i]; k < b->start_K[i + 1]; k++)
                sum -= (long double)b->K[k] * x[b->index[k]];
            r[i] = (double)sum;
        }
        assert_int_equal(LAPACKE_dpotrs(LAPACK_ROW_MAJOR, 'U', n, 1, U, n, r, 1), 0);
        for (int i = 0; i < n; i++) x[i] += r[i];
    }
    free(r);
}

static double *factorise(const solid *b) {
    size_t n = (size_t)b->n;
    double *U = calloc(n * n, sizeof *U);
    for (size_t i = 0; i < n; i++)
        for (int64_t k = b->start_K[i]; k < b->start_K[i + 1]; k++)
            U[i * n + (size_t)b->index[k]] = b->K[k];
    assert_int_equal(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'U', b->n, U, b->n), 0);
    return U;
}

// Deflection of point i by a lasting unit force at point j.
static double flexibility(const jd_structure *s, int i, int j) {
    jd_dd sum = dd(0);
    size_t n = (size_t)s->modal.n;
    for (size_t k = 0; k < n; k++)
        if (s->modal.omega2[k].hi > 0)
            sum = dd_add(sum, dd_div(dd_mul(s->row[(size_t)i * n + k], s->row[(size_t)j * n + k]),
                                     s->modal.omega2[k]));
    return dd_value(sum);
}

// Slender, so that stiffnesses spread over nine powers of ten; LAPACK below 600 dof, Lanczos above.
static void static_deflection_is_exact_at_any_number_of_modes(void **state) {
    (void)state;
    const int size[2][3] = {{12, 1, 2}, {40, 2, 2}};
    const int modes[] = {1, 2, 7, 30};
    for (int c = 0; c < 2; c++) {
        solid b = steel_bar(size[c][0], size[c][1], size[c][2], 1, 0.02, 0.01);
        solid_assemble(&b);
        int at[3] = {solid_row(&b, b.nx, 0, 0, 2), solid_row(&b, b.nx / 2, 1, 1, 1),
                     solid_row(&b, b.nx, b.ny, b.nz, 0)};
        jd_point points[3] = {point("tip", at[0]), point("middle", at[1]), point("end", at[2])};
        double *U = factorise(&b), *x = calloc((size_t)b.n, sizeof *x), exact[3][3];
        for (int i = 0; i < 3; i++) {
            deflect(&b, U, at[i], x);
            for (int j = 0; j < 3; j++) exact[i][j] = x[at[j]];
        }
        for (int way = JD_FREE_INTERFACE; way <= JD_CRAIG_BAMPTON; way++)
            for (int m = 0; m < 4; m++) {
                jd_matrices_def d = definition(&b, modes[m], 3, points);
                d.reduction = way;
                jd_structure *s = make_structure(context, "matrices", &d);
                assert_int_equal(jd_structure_modes(s), modes[m] + 3);
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        assert_near(flexibility(s, i, j), exact[i][j],
                                    1e-12 * sqrt(exact[i][i] * exact[j][j]));
                jd_structure_free(s);
            }
        jd_matrices_def d = definition(&b, 7, 3, points);
        d.reduction = JD_NO_REDUCTION;
        jd_structure *s = make_structure(context, "matrices", &d);
        assert_true(flexibility(s, 2, 2) < 0.95 * exact[2][2]);
        jd_structure_free(s);
        free(U);
        free(x);
        solid_free(&b);
    }
}

// A free bar: the force is in equilibrium with the inertia of the bar.
static void a_free_body_is_completed_with_inertia_relief(void **state) {
    (void)state;
    solid b = steel_bar(14, 1, 1, 1, 0.05, 0.03);
    b.free = true;
    solid_assemble(&b);
    jd_point points[2] = {point("tip", solid_row(&b, b.nx, 0, 0, 2)),
                          point("root", solid_row(&b, 0, 1, 0, 0))};
    jd_matrices_def d = definition(&b, JD_ALL, 2, points);
    jd_structure *all = make_structure(context, "matrices", &d);
    assert_int_equal(all->modal.n, b.n);
    for (int modes = 6; modes <= 20; modes += 7) {
        d.modes = modes;
        jd_structure *s = make_structure(context, "matrices", &d);
        assert_int_equal(s->modal.n, modes + 2);
        for (int k = 0; k < 6; k++) assert_true(s->modal.omega2[k].hi == 0);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                assert_near(flexibility(s, i, j), flexibility(all, i, j),
                            1e-9 * sqrt(flexibility(all, i, i) * flexibility(all, j, j)));
        jd_structure_free(s);
    }
    jd_structure_free(all);
    solid_free(&b);
}

static double dynamic(const jd_structure *s, int i, double square) {
    double sum = 0;
    size_t n = (size_t)s->modal.n;
    for (size_t k = 0; k < n; k++) {
        double phi = s->row[(size_t)i * n + k].hi;
        sum += phi * phi / (s->modal.omega2[k].hi - square);
    }
    return sum;
}

// |error| <= (1 - share) x^2/(1 - x) of the static flexibility, x = (omega/omega_n)^2: against all
// modes, the modes kept taken off both.
static void the_error_over_frequency_stays_within_its_bound(void **state) {
    (void)state;
    solid b = steel_bar(12, 2, 2, 0.5, 0.05, 0.03);
    solid_assemble(&b);
    jd_point points[2] = {point("tip", solid_row(&b, b.nx, 0, 0, 2)),
                          point("side", solid_row(&b, 5, 1, 1, 0))};
    jd_matrices_def d = definition(&b, JD_ALL, 2, points);
    jd_structure *all = make_structure(context, "matrices", &d);
    d.modes = 9;
    jd_structure *few = make_structure(context, "matrices", &d);
    d.reduction = JD_NO_REDUCTION;
    jd_structure *alone = make_structure(context, "matrices", &d);
    double last = few->modal.omega2[8].hi, largest = 0;
    for (int i = 0; i < 2; i++) {
        double rest = flexibility(all, i, i) - flexibility(alone, i, i);
        for (int k = 1; k < 40; k++) {
            double x = k / 40.0, off = dynamic(few, i, x * last) - dynamic(all, i, x * last);
            assert_true(fabs(off) <= rest * x * x / (1 - x) + 1e-9 * flexibility(all, i, i));
            largest = fmax(largest, fabs(off) / (rest * x * x / (1 - x)));
        }
    }
    assert_true(largest > 1e-3); // the bound is not idle
    jd_structure_free(all);
    jd_structure_free(few);
    jd_structure_free(alone);
    solid_free(&b);
}

// No frequency of a Craig-Bampton reduction is too low, and how far each is too high is not said;
// the lowest converge fast with the number of modes, and with all of them all are the same.
static void craig_bampton_converges_from_above(void **state) {
    (void)state;
    solid b = steel_bar(12, 1, 2, 0.5, 0.05, 0.03);
    solid_assemble(&b);
    jd_point points[2] = {point("tip", solid_row(&b, b.nx, 0, 0, 2)),
                          point("side", solid_row(&b, 5, 1, 1, 1))};
    jd_matrices_def d = definition(&b, JD_ALL, 2, points);
    jd_mode full[250], list[250];
    jd_structure *s = make_structure(context, "matrices", &d);
    jd_structure_mode_list(s, full);
    jd_structure_free(s);
    d.reduction = JD_CRAIG_BAMPTON;
    double before = 1;
    for (int modes = 5; modes <= 40; modes *= 2) {
        d.modes = modes;
        s = make_structure(context, "matrices", &d);
        jd_structure_mode_list(s, list);
        double worst = 0;
        for (int k = 0; k < modes; k++) {
            assert_true(list[k].omega >= full[k].omega * (1 - full[k].error - 1e-15));
            assert_true(isnan(list[k].error));
            if (k < 4) worst = fmax(worst, fabs(list[k].omega / full[k].omega - 1));
        }
        assert_true(worst < 0.3 * before);
        before = worst;
        jd_structure_free(s);
    }
    assert_true(before < 1e-5);
    d.modes = JD_ALL;
    s = make_structure(context, "matrices", &d);
    assert_int_equal(jd_structure_modes(s), b.n);
    jd_structure_mode_list(s, list);
    for (int k = 0; k < b.n; k++) {
        assert_relative(list[k].omega, full[k].omega, 1e-9);
        assert_true(fabs(list[k].omega / full[k].omega - 1) <= list[k].error + full[k].error);
    }
    jd_structure_free(s);
    solid_free(&b);
}

// Points that are one and the same, or all modes kept: no shape twice, no shape too many.
static void shapes_that_add_nothing_are_left_out(void **state) {
    (void)state;
    solid b = steel_bar(6, 1, 1, 0.5, 0.05, 0.03);
    solid_assemble(&b);
    int tip = solid_row(&b, b.nx, 0, 0, 2);
    jd_point points[3] = {point("tip", tip), point("again", tip), point("side", tip - 3)};
    jd_matrices_def d = definition(&b, 4, 3, points);
    jd_structure *s = make_structure(context, "matrices", &d);
    assert_int_equal(s->modal.n, 4 + 2);
    assert_int_equal(s->modal.n_static, 2);
    jd_structure_free(s);
    const char *const names[] = {"side"};
    d.interface = (jd_texts){1, names};
    s = make_structure(context, "matrices", &d);
    assert_int_equal(s->modal.n, 4 + 1);
    jd_structure_free(s);
    d.interface = (jd_texts){0};
    d.modes = b.n - 1;
    s = make_structure(context, "matrices", &d);
    assert_int_equal(s->modal.n, b.n);
    jd_structure_free(s);
    d.modes = b.n;
    s = make_structure(context, "matrices", &d);
    assert_int_equal(s->modal.n_static, 0);
    jd_structure_free(s);
    solid_free(&b);
}

static void modes_alone_are_warned_of_with_their_share(void **state) {
    (void)state;
    solid b = steel_bar(6, 1, 1, 0.5, 0.05, 0.03);
    solid_assemble(&b);
    jd_point points[1] = {point("tip", solid_row(&b, b.nx, 0, 0, 0))};
    jd_matrices_def d = definition(&b, 5, 1, points);
    d.reduction = JD_NO_REDUCTION;
    warning[0] = '\0';
    jd_structure *s = make_structure(context, "matrices", &d);
    double kept = flexibility(s, 0, 0);
    jd_structure_free(s);
    assert_non_null(strstr(warning, "(tip "));
    double share = strtod(strstr(warning, "(tip ") + 5, NULL) / 100;
    d.reduction = JD_FREE_INTERFACE;
    warning[0] = '\0';
    s = make_structure(context, "matrices", &d);
    assert_string_equal(warning, "");
    assert_near(share, kept / flexibility(s, 0, 0), 1e-3);
    assert_true(share < 0.9);
    assert_non_null(strstr(s->origin, "1 static shape"));
    jd_structure_free(s);
    solid_free(&b);
}

static jd_status try(const jd_matrices_def *d) {
    jd_structure *s = NULL;
    jd_status status = jd_structure_create(context, structure_type("matrices"), d, &s);
    jd_structure_free(s);
    return status;
}

static void what_cannot_be_reduced_says_why(void **state) {
    (void)state;
    solid b = steel_bar(6, 1, 1, 0.5, 0.05, 0.03);
    b.free = true;
    solid_assemble(&b);
    jd_point points[1] = {point("tip", solid_row(&b, b.nx, 0, 0, 2))};
    const char *const names[] = {"tap"};
    jd_matrices_def d = definition(&b, 5, 1, points);
    d.interface = (jd_texts){1, names};
    assert_int_equal(try(&d), JD_UNKNOWN_NAME);
    assert_non_null(strstr(jd_context_error(context)->message, "`tap`"));
    d.interface = (jd_texts){0};
    for (d.modes = 1; d.modes < 6; d.modes += 4) { // of a free body
        assert_int_equal(try(&d), JD_OUT_OF_RANGE);
        assert_non_null(strstr(jd_context_error(context)->message, "has 6 rigid-body modes"));
    }
    d.reduction = JD_CRAIG_BAMPTON;
    assert_int_equal(try(&d), JD_NOT_SUPPORTED);
    assert_non_null(strstr(jd_context_error(context)->message, "moves freely"));
    d.points = (jd_points){0};
    assert_int_equal(try(&d), JD_MISSING_KEY);
    solid_free(&b);
}

// Static shapes take the last of a list of damping ratios.
static void damping_ratios_are_those_of_the_modes(void **state) {
    (void)state;
    solid b = steel_bar(6, 1, 1, 0.5, 0.05, 0.03);
    solid_assemble(&b);
    jd_point points[1] = {point("tip", solid_row(&b, b.nx, 0, 0, 2))};
    const double ratio[3] = {0.01, 0.02, 0.03};
    jd_damping_ratio_def damping = {{3, ratio}};
    jd_matrices_def d = definition(&b, 3, 1, points);
    d.damping = jd_ratio_damping(&damping);
    jd_structure *s = make_structure(context, "matrices", &d);
    jd_mode list[4];
    jd_structure_mode_list(s, list);
    for (int k = 0; k < 4; k++) {
        assert_relative(list[k].damping_ratio, ratio[k < 3 ? k : 2], 1e-14);
        assert_int_equal(list[k].static_shape, k == 3);
        assert_int_equal(isnan(list[k].error) != 0, k == 3);
    }
    jd_structure_free(s);
    damping.value.n = 2;
    assert_int_equal(try(&d), JD_SIZE_MISMATCH);
    solid_free(&b);
}

// A drive or a start by the number of a mode means none of the static shapes.
static void a_static_shape_is_no_mode_to_name(void **state) {
    (void)state;
    solid b = steel_bar(6, 1, 1, 0.5, 0.05, 0.03);
    solid_assemble(&b);
    jd_point points[1] = {point("tip", solid_row(&b, b.nx, 0, 0, 2))};
    jd_matrices_def d = definition(&b, 3, 1, points);
    for (int mode = 3; mode <= 4; mode++)
        for (int start = 0; start < 2; start++) {
            jd_problem *p;
            assert_int_equal(jd_problem_create(context, &p), JD_OK);
            assert_int_equal(jd_problem_add_matrices(p, "bar", &d), JD_OK);
            jd_harmonic_def h = jd_default_harmonic();
            h.at = jd_at("tip");
            h.amplitude = 1;
            h.frequency = jd_times_mode(1, mode);
            jd_start_lift_def lift = jd_default_start_lift();
            lift.mode = mode;
            lift.point = "tip";
            lift.displacement = 1;
            assert_int_equal(start ? jd_problem_set_start_lift(p, &lift)
                                   : jd_problem_add_harmonic(p, "f", &h),
                             JD_OK);
            assert_int_equal(jd_problem_build(p), mode == 3 ? JD_OK : JD_OUT_OF_RANGE);
            if (mode == 4)
                assert_non_null(strstr(jd_context_error(context)->message,
                                       "a static shape and no mode: the structure keeps 3 modes"));
            jd_problem_free(p);
        }
    solid_free(&b);
}

// Springs of 1 between neighbours of a ring: modes come in pairs, and points are often at nodes of
// the modes left out. Whatever modes are kept, shapes that they hold already are left out.
static void forces_that_the_modes_hold_need_no_shape(void **state) {
    (void)state;
    enum { N = 6 };
    double K[3 * N], M[N];
    int64_t start_K[N + 1], start_M[N + 1], index_K[3 * N], index_M[N];
    for (int i = 0; i <= N; i++) start_K[i] = 3 * i, start_M[i] = i;
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++) {
            index_K[3 * i + k] = (i + k + N - 1) % N;
            K[3 * i + k] = k == 1 ? 2 : -1;
        }
        index_M[i] = i;
        M[i] = 1;
    }
    jd_matrices_def d = jd_default_matrices();
    d.stiffness = jd_matrix_from_rows(N, N, start_K, index_K, K);
    d.mass = jd_matrix_from_rows(N, N, start_M, index_M, M);
    for (int way = JD_FREE_INTERFACE; way <= JD_CRAIG_BAMPTON; way++)
        for (int other = 1; other < N; other++)
            for (int modes = 1; modes <= (way == JD_CRAIG_BAMPTON ? N - 2 : N); modes++) {
                jd_point points[2] = {point("a", 0), point("b", other)};
                d.points = (jd_points){2, points};
                d.modes = modes;
                d.reduction = way;
                jd_structure *s = make_structure(context, "matrices", &d);
                assert_true(s->modal.n <= N && s->modal.omega2[0].hi == 0);
                assert_true(s->modal.error[0] == 0);
                // a and b pulled apart by 1 N: two ways round of springs of 1 N/m
                double apart =
                    flexibility(s, 0, 0) + flexibility(s, 1, 1) - 2 * flexibility(s, 0, 1);
                assert_relative(apart, other * (N - other) / (double)N, 1e-12);
                jd_structure_free(s);
            }
}

// Mass of every third node along the bar only, as of elements integrated with few points: all
// directions there move together, so that no row is empty and two thirds of the matrix are rank.
static void thin_out(solid *b) {
    for (int i = 0; i < b->n; i++)
        for (int64_t k = b->start_K[i]; k < b->start_K[i + 1]; k++) {
            int from = i / 3, to = (int)b->index[k] / 3;
            b->M[k] = i % 3 != b->index[k] % 3 ? 0 : from / 2 == to / 2 ? 0.01 : 0;
        }
}

// M = 0.01 for pairs of nodes: half of its eigenvalues are 0. The modes are those of the pencil
// with the directions without mass condensed (dense, by LAPACK from K^-1 M here).
static void a_singular_mass_has_the_modes_of_its_condensation(void **state) {
    (void)state;
    const int size[2][3] = {{8, 1, 1}, {60, 1, 1}};
    for (int c = 0; c < 2; c++) {
        solid b = steel_bar(size[c][0], size[c][1], size[c][2], 1, 0.05, 0.03);
        solid_assemble(&b);
        thin_out(&b);
        size_t n = (size_t)b.n;
        double *A = calloc(n * n, sizeof *A), *M = calloc(n * n, sizeof *M);
        double *theta = calloc(n, sizeof *theta);
        for (size_t i = 0; i < n; i++)
            for (int64_t k = b.start_K[i]; k < b.start_K[i + 1]; k++) {
                A[i * n + (size_t)b.index[k]] = b.K[k];
                M[i * n + (size_t)b.index[k]] = b.M[k];
            }
        assert_int_equal( // M x = theta K x, theta = 1/lambda ascending
            LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'N', 'U', b.n, M, b.n, A, b.n, theta), 0);
        jd_point points[1] = {point("tip", solid_row(&b, b.nx, 0, 0, 2))};
        jd_matrices_def d = definition(&b, 8, 1, points);
        jd_structure *s = make_structure(context, "matrices", &d);
        for (int k = 0; k < 8; k++)
            assert_relative(dd_value(s->modal.omega2[k]), 1 / theta[n - 1 - (size_t)k], 1e-8);
        double *U = factorise(&b), *x = calloc(n, sizeof *x);
        deflect(&b, U, points[0].node - 1, x);
        assert_relative(flexibility(s, 0, 0), x[points[0].node - 1], 1e-11);
        jd_structure_free(s);
        if (b.n <= 600) {
            d.modes = b.n;
            assert_int_equal(try(&d), JD_OUT_OF_RANGE);
            assert_non_null(strstr(jd_context_error(context)->message, "mass matrix is singular"));
            int rank = 0; // M x = theta K x
            while (rank < b.n && theta[b.n - 1 - rank] > 1e-9 * theta[b.n - 1]) rank++;
            for (int i = 0; i < 2; i++) {
                d.modes = i ? JD_AUTO : JD_ALL;
                s = make_structure(context, "matrices", &d);
                assert_int_equal(s->modal.n - s->modal.n_static, rank);
                assert_relative(flexibility(s, 0, 0), x[points[0].node - 1], 1e-9);
                jd_structure_free(s);
            }
            d.reduction = JD_CRAIG_BAMPTON;
            assert_int_equal(try(&d), JD_NOT_SUPPORTED);
            assert_non_null(strstr(jd_context_error(context)->message, "without mass"));
        }
        free(A), free(M), free(theta), free(U), free(x);
        solid_free(&b);
    }
}

// An indefinite mass is none.
static void a_negative_mass_is_refused(void **state) {
    (void)state;
    for (int nx = 6; nx <= 60; nx += 54) {
        solid b = steel_bar(nx, 1, 1, 1, 0.05, 0.03);
        solid_assemble(&b);
        for (int i = 0; i < b.n; i++)
            for (int64_t k = b.start_K[i]; k < b.start_K[i + 1]; k++)
                if (i == b.n / 2 && b.index[k] == i) b.M[k] *= 1e-3;
        jd_matrices_def d = definition(&b, 4, 0, NULL);
        assert_int_equal(try(&d), JD_NOT_DEFINITE);
        assert_non_null(strstr(jd_context_error(context)->message, "mass matrix is not positive"));
        solid_free(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_deflection_is_exact_at_any_number_of_modes),
        cmocka_unit_test(a_free_body_is_completed_with_inertia_relief),
        cmocka_unit_test(the_error_over_frequency_stays_within_its_bound),
        cmocka_unit_test(craig_bampton_converges_from_above),
        cmocka_unit_test(shapes_that_add_nothing_are_left_out),
        cmocka_unit_test(modes_alone_are_warned_of_with_their_share),
        cmocka_unit_test(what_cannot_be_reduced_says_why),
        cmocka_unit_test(damping_ratios_are_those_of_the_modes),
        cmocka_unit_test(a_static_shape_is_no_mode_to_name),
        cmocka_unit_test(forces_that_the_modes_hold_need_no_shape),
        cmocka_unit_test(a_singular_mass_has_the_modes_of_its_condensation),
        cmocka_unit_test(a_negative_mass_is_refused),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
