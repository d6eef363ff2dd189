// friction_beam.c -- modes of the beam with a friction device, free and with the tip stuck.
//   References: computed with 40 digits from the assembled matrices, printed to 16; ratios to 10.
#include <stdlib.h>

#include "structure.h"
#include "structure/stuck/stuck.h"

typedef struct table {
    int elements, n;
    double inverse_mass; // (M^-1)_yy of the tip [1/kg]
    double omega_free[20], ratio_free[20], omega_stuck[19], ratio_stuck[19];
} table;

static const table TABLES[] = {
    {2,
     4,
     0.3129179624444662,
     {10.11762007438953, 63.91320319042962, 216.1661201348537, 627.4066063096642},
     {0.001513702963, 0.00195319083, 0.006002394202, 0.01727360496},
     {44.75588987897636, 167.9869130247965, 447.6476684898744},
     {0.001510079821, 0.004694050667, 0.01233823463}},
    {10,
     20,
     1.583806196941227,
     {10.11273984982197, 63.37750226523913, 177.4981489276679, 348.0683711883307,
      576.2831884713837, 863.3377532094766, 1211.304761326534, 1622.814457652054,
      2098.278921524367, 2608.463406432645, 3471.749061915364, 4194.310252228182,
      5084.479246769621, 6136.627211018379, 7374.062071489519, 8819.434967417725,
      10467.3017519292,  12220.07660931243, 13761.1625067419,  17221.93315646001},
     {0.001514164972, 0.001940112184, 0.004951622365, 0.009607792692, 0.01586947841,
      0.0237562669,   0.03332120039,  0.04463510025,  0.05770862761,  0.07173753577,
      0.09547669969,  0.1153465122,   0.1398256377,   0.1687592853,   0.2027884021,
      0.2425358789,   0.2878519924,   0.3360531297,   0.3784328773,   0.4736038876},
     {44.34643302294198, 143.7330959068322, 300.0566276270204, 513.8177540708628, 786.1502970872563,
      1119.138574526118, 1515.948583205894, 1979.912264491464, 2503.9994982895, 3292.21937951143,
      3977.311515367883, 4841.091533182635, 5861.707252448466, 7060.318914869322, 8457.098742519236,
      10046.52615908651, 11745.7436270207, 13310.58386594552, 14301.48724763736},
     {0.001501398507, 0.004039626886, 0.008293216063, 0.01415431593, 0.02163503344, 0.0307874801,
      0.0416968317, 0.05445390068, 0.06886497822, 0.09053982977, 0.1093792095, 0.1331325992,
      0.1611990819, 0.1941605406, 0.2325716935, 0.2762807136, 0.323009014, 0.3660419954,
      0.3932917733}},
};

enum { N_TABLE = sizeof TABLES / sizeof TABLES[0] };

// Half a unit in the last of the ten digits printed.
static void assert_ten_digits(double value, double printed) {
    assert_relative(value, printed, 5.01e-10);
}

static void free_frequencies_agree_to_1e_13_and_ratios_to_all_digits(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    for (int i = 0; i < N_TABLE; i++) {
        jd_fe_beam_def def = friction_beam(TABLES[i].elements);
        jd_structure *s = make_structure(c, "fe-beam", &def);
        jd_mode mode[20];
        assert_int_equal(jd_structure_modes(s), TABLES[i].n);
        jd_structure_mode_list(s, mode);
        for (int k = 0; k < TABLES[i].n; k++) {
            assert_relative(mode[k].omega, TABLES[i].omega_free[k], 1e-15); // measured 5.6e-16
            assert_ten_digits(mode[k].damping_ratio, TABLES[i].ratio_free[k]);
            assert_true(mode[k].error <= 1e-15);
        }
        jd_structure_free(s);
    }
    jd_context_free(c);
}

static void stuck_frequencies_agree_to_1e_13_and_ratios_to_all_digits(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    for (int i = 0; i < N_TABLE; i++) {
        jd_fe_beam_def def = friction_beam(TABLES[i].elements);
        jd_structure *s = make_structure(c, "fe-beam", &def);
        jd_arena *a = jd_arena_create(c);
        const jd_dd *tip = s->row + jd_structure_point(s, "tip") * s->modal.n;
        jd_stuck *stuck;
        assert_int_equal(jd_stuck_create(a, &s->modal, 1, &tip, &stuck), JD_OK);
        assert_int_equal(stuck->modal.n, TABLES[i].n - 1);
        jd_mode mode[20];
        assert_int_equal(jd_modal_list(c, &stuck->modal, mode), JD_OK);
        for (int k = 0; k < TABLES[i].n - 1; k++) {
            assert_relative(mode[k].omega, TABLES[i].omega_stuck[k], 1e-15);
            assert_ten_digits(mode[k].damping_ratio, TABLES[i].ratio_stuck[k]);
        }
        jd_arena_free(a);
        jd_structure_free(s);
    }
    jd_context_free(c);
}

static void squared_tip_participations_add_to_the_inverse_mass(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    for (int i = 0; i < N_TABLE; i++) {
        jd_fe_beam_def def = friction_beam(TABLES[i].elements);
        jd_structure *s = make_structure(c, "fe-beam", &def);
        double row[20], sum = 0;
        assert_int_equal(jd_structure_participation(s, "tip", row), JD_OK);
        for (int k = 0; k < TABLES[i].n; k++) sum += row[k] * row[k];
        assert_relative(sum, TABLES[i].inverse_mass, 1e-15);
        jd_structure_free(s);
    }
    jd_context_free(c);
}

// 200 elements, lowest 20: omega and |participation of the tip|, computed with 70 digits by
// Rayleigh-quotient iteration on the matrices of the doubles nearest to the decimal inputs.
static const double FINE[20][2] = {
    {10.112731202405319361, 0.21388478328344650081},
    {63.37540465686164423, 0.21388478337128951586},
    {177.4529683982055789, 0.21388478398779886831},
    {347.73699579620657912, 0.21388478599442405785},
    {574.83417647194453104, 0.21388479069458572366},
    {858.7027415575919404, 0.21388479982169719532},
    {1199.3452045386428211, 0.21388481554154186135},
    {1596.7614595792205586, 0.21388484045080874488},
    {2050.9515640012463971, 0.21388487757596679086},
    {2561.9155919206121745, 0.2138849303718938784},
    {3129.6536491110101772, 0.21388500272032119097},
    {3754.1658803286304642, 0.21388509892808830695},
    {4435.4524779100741338, 0.21388522372520995443},
    {5173.5136911932425122, 0.21388538226275501174},
    {5968.3498367795300745, 0.21388558011053841409},
    {6819.9613096320929266, 0.21388582325462667136},
    {7728.348595005772151, 0.21388611809465774648},
    {8693.5122812038749512, 0.21388647144097608366},
    {9715.4530731566999629, 0.21388689051158361295},
    {10794.171806816376728, 0.21388738292890758998},
};

static void two_hundred_elements_agree_to_1e_12(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    for (int modes = 20; modes <= 400; modes += 380) { // by slicing, and all from LAPACK's start
        jd_fe_beam_def def = friction_beam(200);
        def.modes = modes;
        jd_structure *s = make_structure(c, "fe-beam", &def);
        jd_mode mode[400];
        double tip[400];
        jd_structure_mode_list(s, mode);
        assert_int_equal(jd_structure_participation(s, "tip", tip), JD_OK);
        for (int k = 0; k < 20; k++) {
            assert_relative(mode[k].omega, FINE[k][0], 3e-16); // measured 0
            assert_relative(fabs(tip[k]), FINE[k][1], 3e-16);
            assert_true(mode[k].error <= 1e-15);
        }
        jd_structure_free(s);
    }
    jd_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_frequencies_agree_to_1e_13_and_ratios_to_all_digits),
        cmocka_unit_test(stuck_frequencies_agree_to_1e_13_and_ratios_to_all_digits),
        cmocka_unit_test(two_hundred_elements_agree_to_1e_12),
        cmocka_unit_test(squared_tip_participations_add_to_the_inverse_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
