// discrete.c -- chain, fe-rod and fe-beam against closed forms of their discrete spectra.
#include <stdlib.h>

#include "structure.h"

static const double PI = 3.141592653589793;

static jd_context *context;

static int set_up(void **state) {
    (void)state;
    context = jd_context_create(NULL);
    return context ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    jd_context_free(context);
    return 0;
}

static jd_mode *modes_of(const jd_structure *s) {
    jd_mode *list = calloc((size_t)jd_structure_modes(s), sizeof *list);
    assert_non_null(list);
    jd_structure_mode_list(s, list);
    return list;
}

// omega_k = 2 sqrt(k/m) sin((2k-1) pi/(4N+2)); a_j = P_Nj^2 m = 4/(2N+1) sin^2 (N (2j-1)
// pi/(2N+1)).
static void chain_of_five_has_closed_form_modes(void **state) {
    (void)state;
    static const double a[5] = {0.35627144974809043453, 0.30088376980823364801,
                                0.20769360695877911644, 0.10628817945420246809,
                                0.028862994030694332934};
    double mass = 0.2, stiffness = 5, row[5], sum = 0;
    jd_point end = {.name = "end", .node = 5, .position = nan("")};
    jd_chain_def def = {.count = 5,
                        .mass = {1, &mass},
                        .stiffness = {1, &stiffness},
                        .supports = {JD_FIXED, JD_FREE},
                        .points = {1, &end}};
    jd_structure *s = make_structure(context, "chain", &def);
    jd_mode *mode = modes_of(s);
    assert_int_equal(jd_structure_participation(s, "end", row), JD_OK);
    for (int k = 0; k < 5; k++) {
        assert_relative(mode[k].omega, 10 * sin((2 * k + 1) * PI / 22), 5e-16);
        assert_relative(row[k] * row[k] * mass, a[k], 6e-16);
        sum += row[k] * row[k] * mass;
    }
    assert_relative(sum, 1., 4e-16);
    free(mode);
    jd_structure_free(s);
}

static void chain_with_lists_matches_its_characteristic_polynomial(void **state) {
    (void)state;
    // m = 1, 2; k = 3, 4, 5: det(K - x M) = 2 x^2 - 23 x + 47
    double mass[] = {1, 2}, stiffness[] = {3, 4, 5};
    jd_chain_def def = {.count = 2,
                        .mass = {2, mass},
                        .stiffness = {3, stiffness},
                        .supports = {JD_FIXED, JD_FIXED}};
    jd_structure *s = make_structure(context, "chain", &def);
    jd_mode *mode = modes_of(s);
    double root = sqrt(23. * 23 - 4 * 2 * 47);
    assert_relative(mode[0].omega, sqrt((23 - root) / 4), 2e-15);
    assert_relative(mode[1].omega, sqrt((23 + root) / 4), 1e-15);
    free(mode);
    jd_structure_free(s);
}

// 1e-9 between two equal halves: pairs closer than LAPACK can tell; symmetric and antisymmetric.
static void weakly_coupled_chain_has_close_pairs_that_stay_orthogonal(void **state) {
    (void)state;
    double mass = 1, stiffness[] = {1, 1, 1e-9, 1, 1};
    jd_chain_def def = {.count = 4,
                        .mass = {1, &mass},
                        .stiffness = {5, stiffness},
                        .supports = {JD_FIXED, JD_FIXED}};
    jd_structure *s = make_structure(context, "chain", &def);
    for (int k = 0; k < 4; k++)
        for (int j = 0; j <= k; j++) {
            jd_dd dot = dd(0);
            for (int i = 0; i < 4; i++)
                dot = dd_add(dot, dd_mul(s->shape[k * 4 + i], s->shape[j * 4 + i]));
            assert_near(dd_value(dot), j == k ? 1. : 0., 1e-18);
        }
    // K = {2 -1; -1 1 +- (eps)}: the symmetric pair does not feel the weak spring.
    double gap = dd_sub(s->modal.omega2[1], s->modal.omega2[0]).hi;
    assert_relative(s->modal.omega2[0].hi, (3 - sqrt(5)) / 2, 1e-15);
    assert_relative(gap, 2e-9 * 0.7236067977499790, 1e-8); // first order in the coupling
    jd_structure_free(s);
}

static jd_fe_rod_def rod(int elements, int mass_matrix, int left, int right) {
    return (jd_fe_rod_def){.length = 2,
                           .axial_stiffness = 3,
                           .mass_per_length = 5,
                           .elements = elements,
                           .mass_matrix = mass_matrix,
                           .supports = {left, right}};
}

// Discrete spectrum: omega = 2/h sqrt(EA/m) sin(t/2)/sqrt(1 - (2/3) sin^2(t/2)) consistent,
// without the root lumped; t = (k-1/2) pi/N fixed-free, k pi/N fixed-fixed and free-free.
static double rod_omega(const jd_fe_rod_def *d, int k) {
    int fixed = (d->supports.left == JD_FIXED) + (d->supports.right == JD_FIXED);
    double n = fixed == 1 ? k + 0.5 : fixed == 2 ? k + 1 : k;
    double sine = sin(n * PI / d->elements / 2), h = d->length / d->elements;
    double slow = d->mass_matrix == 0 ? sqrt(1 - 2. / 3 * sine * sine) : 1;
    return 2 / h * sqrt(d->axial_stiffness / d->mass_per_length) * sine / slow;
}

static void rods_have_their_discrete_spectrum(void **state) {
    (void)state;
    for (int lumped = 0; lumped < 2; lumped++)
        for (int ends = 0; ends < 4; ends++)
            for (int elements = 2; elements < 300; elements = elements * 3 + 1) {
                jd_fe_rod_def d = rod(elements, lumped, ends & 1, ends >> 1);
                jd_structure *s = make_structure(context, "fe-rod", &d);
                jd_mode *mode = modes_of(s);
                for (int k = 0; k < jd_structure_modes(s); k++)
                    assert_relative(mode[k].omega, rod_omega(&d, k), 2e-15);
                free(mode);
                jd_structure_free(s);
            }
}

// Lowest 50 of 100 000: the discrete spectrum to the last digits, the analytic rod to 1e-6.
static void long_rod_is_solved_to_the_last_digits(void **state) {
    (void)state;
    jd_fe_rod_def d = rod(100000, 0, JD_FIXED, JD_FREE);
    d.modes = 50;
    jd_structure *s = make_structure(context, "fe-rod", &d);
    jd_mode *mode = modes_of(s);
    for (int k = 0; k < 50; k++) {
        assert_relative(mode[k].omega, rod_omega(&d, k), 2e-15);
        assert_relative(mode[k].omega, (k + 0.5) * PI / d.length * sqrt(3. / 5), 1e-6);
        assert_true(mode[k].error <= 1e-15);
    }
    free(mode);
    jd_structure_free(s);
}

// beta L of the clamped-free beam: roots of 1 + cos x cosh x = 0, computed with 40 digits.
static void fine_beams_carry_honest_errors(void **state) {
    (void)state;
    static const double beta[3] = {1.8751040687119611664, 4.6940911329741745765,
                                   7.8547574382376125649};
    for (int elements = 5000; elements <= 50000; elements *= 10) {
        jd_fe_beam_def d = friction_beam(elements);
        d.modes = 3;
        jd_structure *s = make_structure(context, "fe-beam", &d);
        jd_mode *mode = modes_of(s);
        for (int k = 0; k < 3; k++) {
            double b = beta[k] / 2.47, exact = b * b * sqrt(1.09e4 / 35.4);
            double element = b * 2.47 / elements; // relative error of the mesh: (beta h)^4/1440
            double mesh = element * element * element * element / 1440;
            assert_relative(mode[k].omega, exact * (1 + mesh), mode[k].error + 4e-16);
            assert_true(mode[k].error < (elements == 5000 ? 1e-14 : 1e-10));
        }
        assert_true(elements == 5000 || mode[0].error > 1e-13); // says that digits are lost
        free(mode);
        jd_structure_free(s);
    }
}

// Free-free beams and the like: as many zeros as rigid motions, exactly 0, with clean shapes.
static void rigid_body_modes_are_exactly_zero(void **state) {
    (void)state;
    static const int ends[][3] = {
        {JD_FREE, JD_FREE, 2},     {JD_PINNED, JD_FREE, 1},   {JD_FREE, JD_PINNED, 1},
        {JD_GUIDED, JD_FREE, 1},   {JD_GUIDED, JD_GUIDED, 1}, {JD_PINNED, JD_GUIDED, 0},
        {JD_PINNED, JD_PINNED, 0}, {JD_CLAMPED, JD_FREE, 0},  {JD_CLAMPED, JD_PINNED, 0}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        jd_fe_beam_def d = friction_beam(10);
        d.supports = (jd_supports){ends[i][0], ends[i][1]};
        jd_structure *s = make_structure(context, "fe-beam", &d);
        jd_mode *mode = modes_of(s);
        int rigid = 0;
        while (rigid < jd_structure_modes(s) && mode[rigid].omega == 0) rigid++;
        assert_int_equal(rigid, ends[i][2]);
        assert_true(mode[rigid].omega > 1);
        free(mode);
        jd_structure_free(s);
    }
}

// Free-free: middle moves by 1/sqrt(total mass) in translation and not at all in rotation.
static void free_beam_moves_and_turns_about_its_middle(void **state) {
    (void)state;
    jd_fe_beam_def d = friction_beam(7);
    d.supports = (jd_supports){JD_FREE, JD_FREE};
    jd_structure *s = make_structure(context, "fe-beam", &d);
    double mid[16], tip[16], mass = 35.4 * 2.47;
    assert_int_equal(jd_structure_participation(s, "mid", mid), JD_OK);
    assert_int_equal(jd_structure_participation(s, "tip", tip), JD_OK);
    assert_relative(mid[0], 1 / sqrt(mass), 4e-16);
    assert_relative(tip[0], 1 / sqrt(mass), 4e-16);
    assert_near(mid[1], 0, 1e-17);
    assert_relative(tip[1], sqrt(3 / mass), 4e-16); // (l/2)/sqrt(m l^2/12)
    jd_structure_free(s);
}

// Pinned-pinned: antisymmetric modes do not move the middle; rotation dof is the slope.
static void points_between_nodes_follow_the_hermite_shapes(void **state) {
    (void)state;
    jd_point points[] = {{.name = "a", .position = 0.81},
                         {.name = "b", .position = 0.81 + 1e-5},
                         {.name = "c", .position = 0.81 + 5e-6, .dof = 2},
                         {.name = "node", .position = nan(""), .node = 5}};
    jd_fe_beam_def d = friction_beam(8);
    d.points = (jd_points){4, points};
    d.supports = (jd_supports){JD_PINNED, JD_PINNED};
    jd_structure *s = make_structure(context, "fe-beam", &d);
    double a[16], b[16], c[16], node[16];
    assert_int_equal(jd_structure_participation(s, "a", a), JD_OK);
    assert_int_equal(jd_structure_participation(s, "b", b), JD_OK);
    assert_int_equal(jd_structure_participation(s, "c", c), JD_OK);
    assert_int_equal(jd_structure_participation(s, "node", node), JD_OK);
    for (int k = 0; k < 8; k++) assert_near((b[k] - a[k]) / 1e-5, c[k], 1e-8);
    assert_near(node[1], 0, 1e-16);
    assert_near(node[3], 0, 1e-16);
    jd_structure_free(s);
}

static void expect_failure(const char *type, const void *def, jd_status status, const char *text) {
    jd_structure *s = NULL;
    assert_int_equal(jd_structure_create(context, structure_type(type), def, &s), status);
    assert_null(s);
    if (!strstr(jd_context_error(context)->message, text)) {
        print_error("`%s` is not in: %s\n", text, jd_context_error(context)->message);
        fail();
    }
}

static void bad_definitions_are_refused_by_name(void **state) {
    (void)state;
    jd_point outside = {.name = "far", .position = 2.5}, none = {.name = "x", .position = 0.1};
    jd_fe_beam_def d = friction_beam(10);
    d.points = (jd_points){1, &outside};
    expect_failure("fe-beam", &d, JD_OUTSIDE_STRUCTURE, "`far` is at 2.5");
    outside.position = nan("");
    expect_failure("fe-beam", &d, JD_OUTSIDE_STRUCTURE, "`far`");
    d = friction_beam(1000000000);
    expect_failure("fe-beam", &d, JD_OUT_OF_RANGE, "`elements` is 1000000000");
    d = friction_beam(10);
    d.length = -1;
    expect_failure("fe-beam", &d, JD_OUT_OF_RANGE, "`length` is -1");
    d = friction_beam(10);
    d.modes = 21;
    expect_failure("fe-beam", &d, JD_OUT_OF_RANGE, "20 degrees");
    double mass[] = {1, 2, 3}, stiffness = 1;
    jd_chain_def c = {.count = 2,
                      .mass = {3, mass},
                      .stiffness = {1, &stiffness},
                      .supports = {JD_FIXED, JD_FREE}};
    expect_failure("chain", &c, JD_SIZE_MISMATCH, "`mass` lists 3 numbers for 2 masses");
    c.mass.n = 2;
    c.points = (jd_points){1, &none};
    expect_failure("chain", &c, JD_WRONG_TYPE, "`x`");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_of_five_has_closed_form_modes),
        cmocka_unit_test(chain_with_lists_matches_its_characteristic_polynomial),
        cmocka_unit_test(weakly_coupled_chain_has_close_pairs_that_stay_orthogonal),
        cmocka_unit_test(rods_have_their_discrete_spectrum),
        cmocka_unit_test(long_rod_is_solved_to_the_last_digits),
        cmocka_unit_test(fine_beams_carry_honest_errors),
        cmocka_unit_test(rigid_body_modes_are_exactly_zero),
        cmocka_unit_test(free_beam_moves_and_turns_about_its_middle),
        cmocka_unit_test(points_between_nodes_follow_the_hermite_shapes),
        cmocka_unit_test(bad_definitions_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
