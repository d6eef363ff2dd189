// continua.c -- strings, rods and beams as structures: closed forms, points, modes, errors.
#include "structure.h"

static const double pi = 3.141592653589793;

static jd_context *context;

static int open_context(void **state) {
    (void)state;
    context = jd_context_create(NULL);
    return context == NULL;
}

static int close_context(void **state) {
    (void)state;
    jd_context_free(context);
    return 0;
}

static jd_points points_at(int n, jd_point *point) { return (jd_points){n, point}; }

// omega_k = m pi sqrt(T/rho)/L; the four pairs of ends, k - 1/2 for unequal ones.
static void string_and_rod_have_the_frequencies_of_the_wave_equation(void **state) {
    (void)state;
    const double length = 0.65, stiffness = 71, rho = 3.3e-3;
    const double first[2][2] = {{0, 0.5}, {0.5, 1}};
    for (int left = 0; left < 2; left++)
        for (int right = 0; right < 2; right++) {
            jd_string_def a = {length, stiffness, rho, .modes = 30, .supports = {left, right}};
            jd_rod_def b = {length, stiffness, rho, .modes = 30, .supports = {left, right}};
            jd_structure *s = make_structure(context, "string", &a);
            jd_structure *r = make_structure(context, "rod", &b);
            jd_mode list[30], list2[30];
            jd_structure_mode_list(s, list);
            jd_structure_mode_list(r, list2);
            assert_int_equal(jd_structure_modes(s), 30);
            for (int k = 0; k < 30; k++) {
                double omega = (first[left][right] + k) * pi * sqrt(stiffness / rho) / length;
                assert_near(list[k].omega, omega, 6e-16 * omega); // three roundings here
                assert_true(list[k].omega == list2[k].omega);
                assert_true(list[k].error <= 0x1p-53);
            }
            jd_structure_free(s);
            jd_structure_free(r);
        }
}

// sqrt(2/(rho L)) sin(pi m xi) or cos: rho L = 2 makes the factor 1, as in the memory paper.
static void shapes_of_the_bowed_string_are_plain_sines(void **state) {
    (void)state;
    jd_point p[] = {{.name = "bow", .position = 0.4}};
    jd_string_def d = {1, 2, 2, 20, {JD_FIXED, JD_FIXED}, points_at(1, p), {0}};
    jd_structure *s = make_structure(context, "string", &d);
    double n[20];
    assert_int_equal(jd_structure_participation(s, "bow", n), JD_OK);
    for (int k = 0; k < 20; k++) assert_near(n[k], sin((k + 1) * pi * 0.4), 4e-15);
    // Computed with 30 digits for x the double 0.4: sin(pi 0.4), sin(19 pi 0.4)
    assert_near(n[0], 0.95105651629515359367, 1.2e-16);
    assert_near(n[18], -0.95105651629515316255, 1.2e-16);
    jd_structure_free(s);
}

static void nodes_are_exact_zeros_where_they_can_be_written(void **state) {
    (void)state;
    jd_point p[] = {{.name = "half", .position = 1.235}, {.name = "end", .position = 2.47}};
    jd_string_def d = {2.47, 3, 0.7, 1000, {JD_FIXED, JD_FIXED}, points_at(2, p), {0}};
    jd_structure *s = make_structure(context, "string", &d);
    static double n[1000];
    jd_structure_participation(s, "half", n);
    for (int k = 1; k < 1000; k += 2) assert_true(n[k] == 0); // even modes
    for (int k = 0; k < 1000; k += 2) assert_relative(fabs(n[k]), sqrt(2 / (0.7 * 2.47)), 5e-16);
    jd_structure_participation(s, "end", n);
    for (int k = 0; k < 1000; k++) assert_true(n[k] == 0);
    jd_structure_free(s);
    jd_point third[] = {{.name = "third", .position = 1}};
    jd_rod_def r = {3, 1, 1, 30, {JD_FIXED, JD_FIXED}, points_at(1, third), {0}};
    s = make_structure(context, "rod", &r);
    jd_structure_participation(s, "third", n);
    for (int k = 2; k < 30; k += 3) assert_true(n[k] == 0);
    jd_structure_free(s);
}

// Free-free: the rigid-body mode moves every point by 1/sqrt(mass), elastic ends by sqrt 2 of it.
static void a_free_rod_has_its_rigid_body_mode(void **state) {
    (void)state;
    jd_point p[] = {{.name = "head", .position = 0}, {.name = "tip", .position = 50}};
    jd_rod_def d = {50, 1e9, 1000, 12, {JD_FREE, JD_FREE}, points_at(2, p), {0}};
    jd_structure *s = make_structure(context, "rod", &d);
    double n[12];
    jd_mode list[12];
    jd_structure_mode_list(s, list);
    assert_true(list[0].omega == 0 && list[0].error == 0);
    jd_structure_participation(s, "tip", n);
    assert_relative(n[0], 1 / sqrt(50000), 3e-16);
    for (int k = 1; k < 12; k++) assert_relative(n[k], (k % 2 ? -1 : 1) * sqrt(2. / 50000), 3e-16);
    jd_structure_free(s);
}

static void the_cantilever_has_paper_frequencies_and_tip_two(void **state) {
    (void)state;
    jd_point p[] = {{.name = "tip", .position = 1}, {.name = "turn", .position = 1, .dof = 2}};
    jd_beam_def d = {1, 1, 1, 1000, {JD_CLAMPED, JD_FREE}, points_at(2, p), {0}};
    jd_structure *s = make_structure(context, "beam", &d);
    static double n[1000], turn[1000];
    static jd_mode list[1000];
    jd_structure_mode_list(s, list);
    jd_structure_participation(s, "tip", n);
    jd_structure_participation(s, "turn", turn);
    // Computed with 60 digits.
    assert_relative(list[0].omega, 3.516015268500151183426134, 2.3e-16);
    assert_relative(list[9].omega, 890.7317971983015729320261, 2.3e-16);
    assert_relative(list[99].omega, 97711.55097188492266611617, 2.3e-16);
    assert_relative(list[999].omega, 9859737.264089369532555311, 2.3e-16);
    for (int k = 0; k < 1000; k++) assert_true(n[k] == (k % 2 ? -2 : 2));
    assert_relative(turn[0], 2.7530109693450695559, 4e-16); // slope, with 40 digits
    jd_structure_free(s);
}

// The finite-element beam converges to the analytic one with h^4: halving h divides by 16.
static void fe_beam_converges_to_the_analytic_beam(void **state) {
    (void)state;
    for (int left = JD_FREE; left <= JD_GUIDED; left++)
        for (int right = JD_FREE; right <= JD_GUIDED; right++) {
            if (left == JD_FIXED || right == JD_FIXED) continue;
            jd_beam_def a = {2.47, 1.09e4, 35.4, 4, {left, right}, {0}, {0}};
            jd_structure *s = make_structure(context, "beam", &a);
            jd_mode exact[4], mesh[2][4];
            jd_structure_mode_list(s, exact);
            jd_structure_free(s);
            for (int i = 0; i < 2; i++) {
                jd_fe_beam_def f = {.length = 2.47,
                                    .bending_stiffness = 1.09e4,
                                    .mass_per_length = 35.4,
                                    .elements = 20 << i,
                                    .modes = 4,
                                    .supports = {left, right}};
                s = make_structure(context, "fe-beam", &f);
                jd_structure_mode_list(s, mesh[i]);
                jd_structure_free(s);
            }
            for (int k = 0; k < 4; k++) {
                if (exact[k].omega == 0) {
                    assert_true(mesh[0][k].omega == 0);
                    continue;
                }
                double coarse = mesh[0][k].omega / exact[k].omega - 1;
                double fine = mesh[1][k].omega / exact[k].omega - 1;
                assert_true(fine > 0); // from above
                assert_near(coarse / fine, 16, 0.6);
            }
        }
}

static void infinite_keeps_twenty_modes_for_tables(void **state) {
    (void)state;
    jd_string_def d = {1, 2, 2, JD_INFINITE, {JD_FIXED, JD_FIXED}, {0}, {0}};
    jd_structure *s = make_structure(context, "string", &d);
    assert_true(s->infinite);
    assert_int_equal(jd_structure_modes(s), 20);
    assert_int_equal(jd_structure_dofs(s), 0);
    assert_true(jd_structure_capabilities(s) & JD_CAN_INFINITE);
    jd_structure_free(s);
}

static jd_status try(const char *type, const void *def) {
    jd_structure *s = NULL;
    jd_status status = jd_structure_create(context, structure_type(type), def, &s);
    assert_true((status == JD_OK) == (s != NULL));
    jd_structure_free(s);
    return status;
}

static void bad_numbers_are_refused_by_name(void **state) {
    (void)state;
    jd_point out[] = {{.name = "tip", .position = 2.5}};
    jd_beam_def good = {2.47, 1, 1, 20, {JD_CLAMPED, JD_FREE}, {0}, {0}}, d = good;
    assert_int_equal(try("beam", &d), JD_OK);
    d.points = points_at(1, out);
    assert_int_equal(try("beam", &d), JD_OUTSIDE_STRUCTURE);
    const char *message = jd_context_error(context)->message;
    assert_non_null(strstr(message, "`tip`"));
    assert_non_null(strstr(message, "2.5"));
    assert_non_null(strstr(message, "2.47"));
    out[0].position = -1e-300;
    assert_int_equal(try("beam", &d), JD_OUTSIDE_STRUCTURE);
    out[0] = (jd_point){.name = "tip", .position = 1, .dof = 3};
    assert_int_equal(try("beam", &d), JD_OUT_OF_RANGE);
    out[0] = (jd_point){.name = "tip", .position = (double)NAN, .node = 3};
    assert_int_equal(try("beam", &d), JD_WRONG_TYPE);
    d = good, d.length = -1;
    assert_int_equal(try("beam", &d), JD_OUT_OF_RANGE);
    d = good, d.bending_stiffness = (double)NAN;
    assert_int_equal(try("beam", &d), JD_OUT_OF_RANGE);
    assert_non_null(strstr(jd_context_error(context)->message, "bending_stiffness"));
    d = good, d.mass_per_length = (double)INFINITY;
    assert_int_equal(try("beam", &d), JD_OUT_OF_RANGE);
    d = good, d.modes = JD_ALL;
    assert_int_equal(try("beam", &d), JD_OUT_OF_RANGE);
    d = good, d.modes = 1000000000;
    assert_int_equal(try("beam", &d), JD_OUT_OF_RANGE);
    d = good, d.supports.right = 77;
    assert_int_equal(try("beam", &d), JD_OUT_OF_RANGE);
    jd_string_def s = {1, 1, 1, 20, {JD_CLAMPED, JD_FREE}, {0}, {0}};
    assert_int_equal(try("string", &s), JD_OUT_OF_RANGE);
}

static void a_table_of_modes_is_sorted_with_its_shapes(void **state) {
    (void)state;
    const double omega[] = {30, 0, 10}, ratio[] = {0.03, 0, 0.01}, tip[] = {3, 0.5, -1};
    jd_shape shape[] = {{"tip", {3, tip}}};
    jd_modes_def d = {.omega = {3, omega}, .ratio = {3, ratio}, .shapes = {1, shape}};
    jd_structure *s = make_structure(context, "modes", &d);
    jd_mode list[3];
    double n[3];
    jd_structure_mode_list(s, list);
    jd_structure_participation(s, "tip", n);
    const double sorted[] = {0, 10, 30}, sorted_n[] = {0.5, -1, 3}, sorted_d[] = {0, 0.01, 0.03};
    for (int k = 0; k < 3; k++) {
        assert_true(list[k].omega == sorted[k] && n[k] == sorted_n[k]);
        assert_near(list[k].damping_ratio, sorted_d[k], 1e-17);
    }
    jd_structure_free(s);
}

static void a_table_of_modes_must_fit_together(void **state) {
    (void)state;
    const double omega[] = {1, 2, -3}, tip[] = {1, 1, 1};
    jd_shape shape[] = {{"tip", {2, tip}}};
    jd_modes_def d = {.omega = {2, omega}, .shapes = {1, shape}};
    assert_int_equal(try("modes", &d), JD_OK);
    d.omega.n = 1;
    assert_int_equal(try("modes", &d), JD_SIZE_MISMATCH);
    assert_non_null(strstr(jd_context_error(context)->message, "`tip`"));
    d.omega.n = 3, shape[0].value.n = 3;
    assert_int_equal(try("modes", &d), JD_OUT_OF_RANGE); // -3
    d = (jd_modes_def){.omega = {2, omega}, .ratio = {3, tip}};
    assert_int_equal(try("modes", &d), JD_SIZE_MISMATCH);
    d = (jd_modes_def){0};
    assert_int_equal(try("modes", &d), JD_SIZE_MISMATCH);
}

// omega ~ L^-2 sqrt(EI/rho): 1e-100 rad/s is no rigid body, and 1e100 no motion to compute.
static void modes_too_slow_or_fast_to_compute_with_are_refused(void **state) {
    (void)state;
    static const double lengths[] = {1e50, 1e-50};
    for (int i = 0; i < 2; i++) {
        jd_beam_def d = {.length = lengths[i],
                         .bending_stiffness = 1,
                         .mass_per_length = 1,
                         .modes = 3,
                         .supports = {JD_CLAMPED, JD_FREE}};
        assert_int_equal(try("beam", &d), JD_OUT_OF_RANGE);
        assert_non_null(strstr(jd_context_error(context)->message, "mode 1 with a frequency of"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_too_slow_or_fast_to_compute_with_are_refused),
        cmocka_unit_test(string_and_rod_have_the_frequencies_of_the_wave_equation),
        cmocka_unit_test(shapes_of_the_bowed_string_are_plain_sines),
        cmocka_unit_test(nodes_are_exact_zeros_where_they_can_be_written),
        cmocka_unit_test(a_free_rod_has_its_rigid_body_mode),
        cmocka_unit_test(the_cantilever_has_paper_frequencies_and_tip_two),
        cmocka_unit_test(fe_beam_converges_to_the_analytic_beam),
        cmocka_unit_test(infinite_keeps_twenty_modes_for_tables),
        cmocka_unit_test(bad_numbers_are_refused_by_name),
        cmocka_unit_test(a_table_of_modes_is_sorted_with_its_shapes),
        cmocka_unit_test(a_table_of_modes_must_fit_together),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
