// nonsmooth_families.c -- families of two and more impacts per period of the chain of Legrand,
// Junca and Heng (2015), and how they hang together with its branches.
//   Reference values: computed independently with mpmath; energies carry the factor 1/2.
#include <stdlib.h>
#include <string.h>

#include "chain_case.h"

static const jd_nsm_family *family_of(const jd_nsm *s, int branch, jd_nsm_kind kind, int impacts) {
    for (int i = 0; i < jd_nsm_families(s); i++) {
        const jd_nsm_family *f = jd_nsm_family_at(s, i);
        if (f->branch == branch && f->kind == kind && f->impacts == impacts) return f;
    }
    fail_msg("no such family");
    return NULL;
}

// The three families at the end of branch omega_1: references have 10 to 12 decimals; measured
// within half a unit of the last one.
static void three_families_meet_at_the_grazing_end_of_the_first_branch(void **state) {
    (void)state;
    chain o = open_chain("n5.yaml", "nsm.impacts=3", false);
    jd_nsm *s = o.s;
    assert_near(jd_nsm_branch_at(s, 16)->graze_time, 0.308220904133, 1e-12);
    const jd_nsm_family *bridge = family_of(s, 16, JD_NSM_BRIDGE, 2);
    assert_near(bridge->energy[bridge->n / 2], 1.2871070178, 1e-9);
    assert_near(bridge->energy[bridge->n / 4], 2.7425245278, 1e-9);
    for (int i = 0; i < bridge->n; i++) {
        assert_near(bridge->omega[i], 1.595595564673, 1e-12);
        assert_near(bridge->impulse[2 * i] + bridge->impulse[2 * i + 1], -1.7944288814165, 1e-12);
    }
    const jd_nsm_family *three = family_of(s, 16, JD_NSM_SYMMETRIC, 3);
    assert_near(three->turn[0].omega, 1.5973686642, 1e-9);
    assert_near(three->omega[three->n - 1], 1.5950231863, 1e-9);
    assert_int_equal(three->stop, JD_NSM_STOP_GRAZE);
    assert_true(three->certified);
    const jd_nsm_family *pair = family_of(s, 16, JD_NSM_PAIR, 2);
    assert_near(pair->energy[0], bridge->energy[bridge->n / 2], 1e-13);
    for (int i = 0; i < pair->n; i++)
        assert_near(pair->impulse[2 * i], pair->impulse[2 * i + 1], 1e-12);
    assert_true(pair->certified);
    close_chain(o);
}

// How far the exact engine is from where it started after one period of the k-impact orbit number
// `at` of a family, relative; it must meet the same impacts.
static double gap_of_closure(jd_run *run, const jd_nsm *s, const jd_nsm_family *f, int at) {
    double state[10], h = f->time[at * f->impacts + 1] / 2; // in the first flight
    jd_nsm_family_state(s, f, at, state, state + 5);
    assert_relative(f->energy[at], energy_of(run, state), 1e-9);
    return gap_after(run, state, h, two_pi / f->omega[at], f->impacts);
}

// The orbit of a family that is farthest from grazing, where multipliers grow without bound: its
// weakest impact is strongest against the strongest one.
static int firmest(const jd_nsm_family *f) {
    int best = f->n / 2;
    double most = -1;
    for (int i = 2; i < f->n - 4; i++) { // its last orbits graze
        double weak = HUGE_VAL, strong = 0;
        for (int k = 0; k < f->impacts; k++) {
            weak = fmin(weak, fabs(f->impulse[i * f->impacts + k]));
            strong = fmax(strong, fabs(f->impulse[i * f->impacts + k]));
        }
        if (weak / strong <= most || f->energy[i] > 1e4) continue;
        most = weak / strong;
        best = i;
    }
    return best;
}

// Orbits with two to seven impacts per period: the engine that knows nothing of them agrees.
// Measured 3e-11 on the worst, rounding times its largest multiplier.
static void orbits_of_many_impacts_close_in_the_exact_engine(void **state) {
    (void)state;
    jd_run *run;
    chain o = open_chain("n5.yaml", "nsm.impacts=7", false);
    jd_nsm *s = o.s;
    assert_int_equal(jd_run_create(o.c, o.p, &run), JD_OK);
    int seen[8] = {0};
    double worst = 0;
    for (int i = 0; i < jd_nsm_families(s); i++) {
        const jd_nsm_family *f = jd_nsm_family_at(s, i);
        worst = fmax(worst, gap_of_closure(run, s, f, firmest(f)));
        seen[f->impacts]++;
    }
    assert_near(worst, 0, 2e-10);
    for (int k = 3; k < 8; k += 2) assert_true(seen[k] > 0);
    assert_true(seen[2] > 20);
    jd_run_free(run);
    close_chain(o);
}

// Greatest |multiplier| of orbit `at` of a family by shooting with the exact engine.
static double growth_by_shooting(const jd_nsm_family *f, int at) {
    char start[2048];
    int used =
        snprintf(start, sizeof start, "start={type: nsm, omega: %.17g, times: [", f->omega[at]);
    for (int list = 0; list < 2; list++) {
        const double *v = (list ? f->impulse : f->time) + at * f->impacts;
        for (int k = 0; k < f->impacts; k++)
            used +=
                snprintf(start + used, sizeof start - (size_t)used, "%s%.17g", k ? ", " : "", v[k]);
        used += snprintf(start + used, sizeof start - (size_t)used, list ? "]}" : "], impulses: [");
    }
    const char *sets[] = {start, "orbit.settle=0"};
    jd_context *c = jd_context_create(NULL);
    jd_problem *p;
    jd_orbit *orbit;
    double most = 0;
    assert_int_equal(jd_model_read(c, JD_SOURCE_DIR "/gallery/impact-chain/n5.yaml", 2, sets, &p),
                     JD_OK);
    assert_int_equal(jd_problem_build(p), JD_OK);
    assert_int_equal(jd_orbit_create(c, p, NULL, &orbit), JD_OK);
    const jd_orbit_view *v = jd_orbit_look(orbit);
    if (v->found)
        for (int i = 0; i < 10; i++)
            most = fmax(most,
                        hypot(v->stability.multiplier[2 * i], v->stability.multiplier[2 * i + 1]));
    // shooting finds the shortest period; the family may go round it more than once
    if (v->found) most = pow(most, round(6.283185307179586 / f->omega[at] / v->period));
    jd_orbit_free(orbit);
    jd_problem_free(p);
    jd_context_free(c);
    return most;
}

// Stable and unstable orbits of every kind: shooting, whose multipliers on the unit circle scatter
// by the root of rounding, finds the same growth.
static void growth_along_families_is_that_of_shooting(void **state) {
    (void)state;
    int compared = 0, stable = 0;
    chain o = open_chain("n5.yaml", "nsm.impacts=5", false);
    jd_nsm *s = o.s;
    for (int i = 0; i < jd_nsm_families(s); i++) {
        const jd_nsm_family *f = jd_nsm_family_at(s, i);
        assert_non_null(f->growth);
        int at = firmest(f);
        for (int k = 2; k < f->n - 4; k++)
            if (f->stable[k]) at = k; // a stable one where there is one
        if (f->energy[at] > 1e3) continue;
        double most = growth_by_shooting(f, at);
        if (most == 0) continue; // shooting went elsewhere
        compared++;
        stable += f->stable[at];
        if (f->stable[at])
            assert_near(most, 1, 2e-5);
        else
            assert_relative(f->growth[at], most, 1e-6 + 1e-3 * (f->growth[at] < 1.001));
    }
    print_message("%d orbits, %d of them stable\n", compared, stable);
    assert_true(compared > 25 && stable >= 3);
    close_chain(o);
}

// The energy of two equal impacts has no bound where C'(tau; T) = 0 and C(0) + C(tau) = 0. Two
// masses; the reference was solved for independently.
static void the_unbounded_end_of_a_pair_is_exact(void **state) {
    (void)state;
    const char *sets[] = {"structure.count=2",     "structure.mass=0.5",
                          "structure.stiffness=2", "structure.points={end: {node: 2}}",
                          "nsm.omega=[0.6, 10]",   "nsm.impacts=2"};
    jd_context *c = jd_context_create(NULL);
    jd_problem *p;
    jd_nsm *s;
    jd_nsm_options options;
    int found = 0;
    assert_int_equal(jd_model_read(c, JD_SOURCE_DIR "/gallery/impact-chain/n50.yaml", 6, sets, &p),
                     JD_OK);
    assert_int_equal(jd_problem_build(p), JD_OK);
    assert_int_equal(jd_nsm_options_of(p, &options), JD_OK);
    assert_int_equal(jd_nsm_create(c, p, &options, &s), JD_OK);
    for (int i = 0; i < jd_nsm_families(s); i++) {
        const jd_nsm_family *f = jd_nsm_family_at(s, i);
        if (f->stop != JD_NSM_STOP_UNBOUNDED) continue;
        assert_near(f->omega_end, 1.7498867977139, 1e-13);
        assert_true(fabs(f->omega[f->n - 1] - f->omega_end) < 1e-3);
        found++;
    }
    assert_int_equal(found, 1);
    close_chain((chain){c, p, s});
}

// Every branch and family is in the graph; the grazing end of a branch has its four neighbours
// (branch, bridge, symmetric family, which may be the only ones), the middle of a bridge three.
static void the_graph_connects_branches_and_families(void **state) {
    (void)state;
    chain o = open_chain("n5.yaml", "nsm.impacts=3", true);
    jd_nsm *s = o.s;
    const jd_nsm_graph *g = jd_nsm_graph_of(s);
    const jd_nsm_branch *b = jd_nsm_branch_at(s, 16);
    int at_end = 0, at_middle = 0, linear = 0, branches[17] = {0};
    for (int i = 0; i < g->n_edge; i++) {
        const jd_nsm_edge *e = &g->edge[i];
        assert_true((e->branch >= 0) != (e->family >= 0));
        assert_in_range(e->from, 0, g->n_node - 1);
        if (e->branch >= 0) branches[e->branch]++;
        const jd_nsm_node *n[2] = {&g->node[e->from], e->to >= 0 ? &g->node[e->to] : NULL};
        for (int k = 0; k < 2 && n[k]; k++) {
            bool here = fabs(n[k]->omega - b->omega_end) < 1e-9;
            at_end += here && n[k]->kind == JD_NSM_AT_GRAZE;
            at_middle += here && n[k]->kind == JD_NSM_AT_MIDDLE;
        }
    }
    assert_int_equal(at_end, 3);    // the branch, its bridge, the symmetric family
    assert_int_equal(at_middle, 3); // the bridge and the pair, both ways
    for (int i = 0; i < g->n_node; i++) linear += g->node[i].kind == JD_NSM_AT_LINEAR;
    assert_int_equal(linear, 17);
    for (int i = 0; i < 17; i++) assert_true(branches[i] > 0);
    assert_int_equal(branches[16], 2); // split at its fold of energy
    close_chain(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_families_meet_at_the_grazing_end_of_the_first_branch),
        cmocka_unit_test(orbits_of_many_impacts_close_in_the_exact_engine),
        cmocka_unit_test(growth_along_families_is_that_of_shooting),
        cmocka_unit_test(the_unbounded_end_of_a_pair_is_exact),
        cmocka_unit_test(the_graph_connects_branches_and_families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
