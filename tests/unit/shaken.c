// shaken.c -- shaken supports, and states given node by node.
//   A constant acceleration -a of the supports is a uniform body force rho a: the deflection
//   sum_k n_k base_k/omega_k^2 has a closed form, exact at the nodes of elements too.
#include <stdlib.h>
#include <unistd.h>

#include "structure.h"

static jd_context *context;

static int open_context(void **state) {
    (void)state;
    context = jd_context_create(NULL);
    return !context;
}

static int close_context(void **state) {
    (void)state;
    jd_context_free(context);
    return 0;
}

// Deflection of the first point per unit of acceleration; frees the structure.
static double deflection(jd_structure *s) {
    double sum = 0;
    for (int k = s->modal.n - 1; k >= 0; k--)
        sum += dd_value(dd_div(dd_mul(s->row[k], s->base[k]), s->modal.omega2[k]));
    jd_structure_free(s);
    return sum;
}

static const jd_damping_rayleigh_def no_damping = {0, 0};
#define UNDAMPED                                                                                   \
    { "", &jd_damping_rayleigh, (void *)(uintptr_t)&no_damping }

static void a_shaken_cantilever_bends_as_under_its_weight(void **state) {
    (void)state;
    // w(L) = m L^4/(8 EI); measured 2e-15
    const jd_point tip = {.name = "tip", .position = 2.47};
    jd_fe_beam_def d = friction_beam(7);
    d.points = (jd_points){1, &tip};
    double exact = 35.4 * pow(2.47, 4) / (8 * 1.09e4);
    assert_relative(deflection(make_structure(context, "fe-beam", &d)), exact, 1e-14);
    d.supports = (jd_supports){JD_FREE, JD_CLAMPED}; // the other way round
    const jd_point left = {.name = "tip", .position = 0};
    d.points = (jd_points){1, &left};
    assert_relative(deflection(make_structure(context, "fe-beam", &d)), exact, 1e-14);
    jd_beam_def beam = {.length = 2.47,
                        .bending_stiffness = 1.09e4,
                        .mass_per_length = 35.4,
                        .modes = 1000,
                        .supports = {JD_CLAMPED, JD_FREE},
                        .points = {1, &tip},
                        .damping = UNDAMPED};
    // the modes left out are below 1000^-5; measured 1e-15
    assert_relative(deflection(make_structure(context, "beam", &beam)), exact, 1e-13);
}

// Every pair of supports that holds the beam: w(x) of the continuous beam at a third.
static void shaken_beams_agree_with_their_elements(void **state) {
    (void)state;
    static const int ends[] = {JD_CLAMPED, JD_PINNED, JD_GUIDED, JD_FREE};
    const jd_point third = {.name = "third", .position = 1};
    int held = 0;
    for (int i = 0; i < 16; i++) {
        int left = ends[i / 4], right = ends[i % 4];
        bool moves = left != JD_CLAMPED && right != JD_CLAMPED;
        if (moves && !(left == JD_PINNED && right != JD_FREE) &&
            !(right == JD_PINNED && left != JD_FREE))
            continue; // a mechanism
        jd_beam_def b = {.length = 3,
                         .bending_stiffness = 5,
                         .mass_per_length = 2,
                         .modes = 400,
                         .supports = {left, right},
                         .points = {1, &third},
                         .damping = UNDAMPED};
        jd_fe_beam_def f = {.length = 3,
                            .bending_stiffness = 5,
                            .mass_per_length = 2,
                            .elements = 6,
                            .supports = {left, right},
                            .points = {1, &third},
                            .damping = UNDAMPED};
        double elements = deflection(make_structure(context, "fe-beam", &f));
        assert_relative(deflection(make_structure(context, "beam", &b)), elements, 1e-11);
        held++;
    }
    assert_int_equal(held, 10);
}

static void a_shaken_rod_and_string_sag_as_parabolas(void **state) {
    (void)state;
    const jd_point tip = {.name = "tip", .position = 2}, mid = {.name = "mid", .position = 1};
    for (int mass = 0; mass < 2; mass++) { // u(L) = m L^2/(2 EA), consistent and lumped
        jd_fe_rod_def d = {.length = 2,
                           .axial_stiffness = 5,
                           .mass_per_length = 3,
                           .elements = 9,
                           .mass_matrix = mass,
                           .supports = {JD_FIXED, JD_FREE},
                           .points = {1, &tip},
                           .damping = UNDAMPED};
        assert_relative(deflection(make_structure(context, "fe-rod", &d)), 1.2, 1e-14);
    }
    jd_string_def s = {.length = 2,
                       .tension = 5,
                       .mass_per_length = 3,
                       .modes = 20000,
                       .supports = {JD_FIXED, JD_FIXED},
                       .points = {1, &mid},
                       .damping = UNDAMPED};
    // m L^2/(8 T); terms fall as k^-3
    assert_relative(deflection(make_structure(context, "string", &s)), 0.3, 1e-11);
    jd_rod_def r = {.length = 2,
                    .axial_stiffness = 5,
                    .mass_per_length = 3,
                    .modes = 20000,
                    .supports = {JD_FREE, JD_FIXED},
                    .points = {1, &mid},
                    .damping = UNDAMPED};
    // u(x) = m (L^2 - x^2)/(2 EA) from a free left end
    assert_relative(deflection(make_structure(context, "rod", &r)), 0.9, 1e-11);
}

static void a_shaken_chain_carries_its_masses(void **state) {
    (void)state;
    const double mass[] = {1, 2, 4}, spring[] = {10, 20, 40};
    const jd_point end = {.name = "end", .node = 3, .position = (double)NAN};
    jd_chain_def d = {.count = 3,
                      .mass = {3, mass},
                      .stiffness = {3, spring},
                      .supports = {JD_FIXED, JD_FREE},
                      .points = {1, &end},
                      .damping = UNDAMPED};
    assert_relative(deflection(make_structure(context, "chain", &d)),
                    7 / 10.0 + 6 / 20.0 + 4 / 40.0, 1e-14);
}

// Modal masses of a translation add up to all there is, where nothing is held.
static void a_free_body_is_pushed_as_a_whole(void **state) {
    (void)state;
    jd_fe_beam_def d = friction_beam(5);
    d.supports = (jd_supports){JD_FREE, JD_FREE};
    jd_structure *s = make_structure(context, "fe-beam", &d);
    double sum = 0;
    for (int k = 0; k < s->modal.n; k++) sum += pow(dd_value(s->base[k]), 2);
    assert_relative(sum, 35.4 * 2.47, 1e-14);
    assert_relative(fabs(dd_value(s->base[0])), sqrt(35.4 * 2.47), 1e-14);
    jd_structure_free(s);
}

// u = Phi q and back; all modes kept.
static void round_trip(jd_structure *s, double bound) {
    size_t n = (size_t)s->n_dof;
    double *q = calloc(n, sizeof *q), *u = calloc(n, sizeof *u), *back = calloc(n, sizeof *u);
    assert_true(q && u && back && s->modal.n == s->n_dof);
    unsigned seed = 7;
    for (size_t k = 0; k < n; k++) {
        seed = seed * 1664525u + 1013904223u;
        q[k] = (double)seed / 2147483648.0 - 1;
        for (size_t i = 0; i < n; i++) u[i] += dd_value(s->shape[k * n + i]) * q[k];
    }
    assert_int_equal(jd_structure_coordinates(s, u, back), JD_OK);
    for (size_t k = 0; k < n; k++) assert_near(back[k], q[k], bound);
    free(q);
    free(u);
    free(back);
    jd_structure_free(s);
}

static void put(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void states_at_nodes_come_back(void **state) {
    (void)state;
    const double mass[] = {1, 2, 4, 0.1, 3}, spring[] = {10, 20, 40, 7, 9};
    jd_chain_def chain = {.count = 5,
                          .mass = {5, mass},
                          .stiffness = {5, spring},
                          .supports = {JD_FIXED, JD_FREE},
                          .damping = UNDAMPED};
    round_trip(make_structure(context, "chain", &chain), 1e-15 * 8);
    jd_fe_beam_def beam = friction_beam(10);
    round_trip(make_structure(context, "fe-beam", &beam), 1e-14 * 8);
    char folder[] = "/tmp/judder-shaken-XXXXXX", K[64], M[64];
    assert_non_null(mkdtemp(folder));
    snprintf(K, sizeof K, "%s/K.mtx", folder);
    snprintf(M, sizeof M, "%s/M.mtx", folder);
    put(K, "1,1,1,1,5\n1,1,2,1,-2\n2,1,2,1,3\n2,1,3,1,-1\n3,1,3,1,1\n");
    put(M, "1,1,1,1,4\n1,1,2,1,1\n2,1,2,1,4\n2,1,3,1,1\n3,1,3,1,2\n"); // consistent
    jd_matrices_def d = {.stiffness = {.file = K}, .mass = {.file = M}};
    round_trip(make_structure(context, "matrices", &d), 1e-14);
    unlink(K);
    unlink(M);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shaken_cantilever_bends_as_under_its_weight),
        cmocka_unit_test(shaken_beams_agree_with_their_elements),
        cmocka_unit_test(a_shaken_rod_and_string_sag_as_parabolas),
        cmocka_unit_test(a_shaken_chain_carries_its_masses),
        cmocka_unit_test(a_free_body_is_pushed_as_a_whole),
        cmocka_unit_test(states_at_nodes_come_back),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
