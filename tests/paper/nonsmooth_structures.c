// nonsmooth_structures.c -- nonsmooth modes of structures other than the paper's chain: internal
// resonance, coincident frequencies, full mass matrices, finite elements; and what is refused.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/nsm/nsm.h"
#include "engine/engine.h"
#include "judder/judder.h"
#include "near.h"
#include "nsm_case.h"
#include "problem/system.h"
#include "scratch.h"

static const double two_pi = 6.283185307179586;
enum { MOST = 64 };

#define STOP                                                                                       \
    "contacts:\n  end: {at: end, against: ground, law: {type: stop, gap: 1, restitution: 1}}\n"    \
    "start: rest\nsimulate: {until: 10}\norbit: {settle: 0}\n"
#define TWO "structure: {type: modes, omega: [1, 2], shapes: {end: [0.8, 0.6]}}\n" STOP

static jd_problem *read_text(const char *text, const char *folder, int n, const char *const *set) {
    char whole[4096];
    jd_problem *p;
    snprintf(whole, sizeof whole, "judder: 1\n%s", text);
    jd_status s = jd_model_parse(context, "model", folder, whole, strlen(whole), n, set, &p);
    if (s != JD_OK) print_error("%s\n", jd_context_error(context)->message);
    assert_int_equal(s, JD_OK);
    assert_int_equal(jd_problem_build(p), JD_OK);
    return p;
}

// One period of the orbit of frequency omega in the exact engine: relative distance from its start.
static double closure(jd_problem *p, const jd_nsm *s, double omega) {
    double start[MOST], end[MOST], scale[MOST], off = 0, size = 0;
    jd_run *run;
    int n = jd_problem_system(p)->modal.n;
    assert_int_equal(jd_run_create(context, p, &run), JD_OK);
    run->class->map.scales(run, scale);
    jd_nsm_state(s, omega, start, start + n);
    double h = two_pi / omega / 100; // off the stop
    for (int k = 0; k < n; k++) {
        double w = scale[k], q = start[k], v = start[n + k];
        start[k] = q * cos(w * h) + v / w * sin(w * h);
        start[n + k] = v * cos(w * h) - w * q * sin(w * h);
    }
    assert_int_equal(run->class->map.restart(run, 0, start, &(jd_phase){1, {JD_CONTACT_OPEN}}),
                     JD_OK);
    for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT;)
        assert_int_equal(jd_run_advance(run, two_pi / omega, &step), JD_OK);
    run->class->map.state(run, end);
    for (int k = 0; k < 2 * n; k++) {
        off += pow(scale[k] * (end[k] - start[k]), 2);
        size += pow(scale[k] * start[k], 2);
    }
    jd_run_free(run);
    assert_relative(jd_nsm_energy(s, omega), size / 2, 1e-9);
    return sqrt(off / size);
}

static void every_branch_closes(jd_problem *p, const jd_nsm *s) {
    for (int i = 0; i < jd_nsm_branches(s); i++) {
        const jd_nsm_branch *b = jd_nsm_branch_at(s, i);
        assert_true(b->certified);
        assert_near(closure(p, s, (b->omega_start + b->omega_end) / 2), 0, 1e-11);
    }
}

// omega_2 = 2 omega_1: the pole 2 pi is both T_1 and 2 T_2. The branch starts from the motion
// sum alpha_j cos omega_j t/sum alpha_j, alpha_j = a_j/omega_j^2, of energy m g^2/(2 sum alpha_j).
static void a_common_pole_starts_one_branch_of_all_its_modes(void **state) {
    (void)state;
    jd_problem *p = read_text(TWO "nsm: {omega: [0.9, 10]}\n", ".", 0, NULL);
    jd_nsm *s = nsm_of(p);
    assert_int_equal(jd_nsm_poles(s), 2);
    assert_int_equal(jd_nsm_branches(s), 2);
    const jd_nsm_branch *b = jd_nsm_branch_at(s, 1);
    double alpha = 0.64 + 0.36 / 4;
    assert_int_equal(b->resonant, 1);
    assert_near(b->omega_start, 1, 1e-15);
    assert_near(b->energy_start, 1 / (2 * alpha), 1e-14);
    // the limit is reached along the branch, E and the state just after the impact
    double q[2], rate[2];
    jd_nsm_state(s, 1 + 1e-9, q, rate);
    assert_near(q[0], 0.8 / alpha, 1e-7);
    assert_near(q[1], 0.6 / 4 / alpha, 1e-7);
    assert_relative(jd_nsm_energy(s, 1 + 1e-7), b->energy_start, 1e-5);
    every_branch_closes(p, s);
    jd_nsm_free(s);
    jd_problem_free(p);
}

// Slightly detuned, the branch of the resonant pole is made of two that nearly meet: same end.
static void detuning_a_resonance_changes_branches_little(void **state) {
    (void)state;
    const char *detuned = "structure.omega=[1, 2.0000001]";
    jd_problem *p = read_text(TWO "nsm: {omega: [0.9, 10]}\n", ".", 0, NULL),
               *q = read_text(TWO "nsm: {omega: [0.9, 10]}\n", ".", 1, &detuned);
    jd_nsm *s = nsm_of(p), *t = nsm_of(q);
    assert_int_equal(jd_nsm_branches(t), 3);
    for (int i = 0; i < 2; i++)
        assert_relative(jd_nsm_branch_at(t, i)->omega_end, jd_nsm_branch_at(s, i)->omega_end, 1e-7);
    assert_true(jd_nsm_branch_at(t, 2)->omega_end < 1.0000001);
    jd_nsm_free(s);
    jd_nsm_free(t);
    jd_problem_free(p);
    jd_problem_free(q);
}

// Two modes of one frequency act on the stop as one with the root of the sum of squares.
static void coincident_frequencies_act_as_one_mode(void **state) {
    (void)state;
    jd_problem *p = read_text("structure: {type: modes, omega: [1, 1.3, 1.3], shapes: {end: [0.7, "
                              "0.3, 0.4]}}\n" STOP "nsm: {omega: [0.3, 10]}\n",
                              ".", 0, NULL);
    jd_problem *q = read_text("structure: {type: modes, omega: [1, 1.3], shapes: {end: [0.7, "
                              "0.5]}}\n" STOP "nsm: {omega: [0.3, 10]}\n",
                              ".", 0, NULL);
    jd_nsm *s = nsm_of(p), *t = nsm_of(q);
    assert_int_equal(jd_nsm_branches(s), jd_nsm_branches(t));
    for (int i = 0; i < jd_nsm_branches(s); i++) {
        const jd_nsm_branch *a = jd_nsm_branch_at(s, i), *b = jd_nsm_branch_at(t, i);
        assert_relative(a->omega_end, b->omega_end, 1e-13);
        assert_relative(a->energy_start, b->energy_start, 1e-13);
        assert_int_equal(a->n_interval, b->n_interval);
    }
    every_branch_closes(p, s);
    jd_nsm_free(s);
    jd_nsm_free(t);
    jd_problem_free(p);
    jd_problem_free(q);
}

static void put(const char *folder, const char *name, const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

// A full mass matrix: momentum goes through B M^-1 B', so m = 1/(M^-1)_33 is not a diagonal entry.
//   M = [2 1 0; 1 2 1; 0 1 2]: (M^-1)_33 = 3/4.
static void a_full_mass_matrix_gives_orbits_that_close(void **state) {
    (void)state;
    char folder[] = "/tmp/judder-nsm-XXXXXX", path[300];
    assert_non_null(mkdtemp(folder));
    put(folder, "M.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 1 1\n2 2 2\n3 2 1\n3 3 "
        "2\n");
    put(folder, "K.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 3\n2 1 -1\n2 2 2\n3 2 -1\n3 3 "
        "1\n");
    jd_problem *p = read_text("structure: {type: matrices, mass: M.mtx, stiffness: K.mtx, points: "
                              "{end: {node: 3}}}\n" STOP "nsm: {omega: [0.3, 10], impacts: 3}\n",
                              folder, 0, NULL);
    jd_nsm *s = nsm_of(p);
    assert_near(s->mass, 4.0 / 3, 1e-14);
    assert_true(jd_nsm_branches(s) >= 3);
    every_branch_closes(p, s);
    jd_nsm_free(s);
    jd_problem_free(p);
    const char *const names[] = {"M.mtx", "K.mtx"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

// A continuous structure truncated to n modes, and finite elements.
static void beams_and_rods_have_nonsmooth_modes_too(void **state) {
    (void)state;
    static const char *const text[] = {
        "structure: {type: rod, length: 1, axial_stiffness: 1, mass_per_length: 1, modes: 6, "
        "supports: {left: fixed, right: free}, points: {end: 1}}\n" STOP
        "nsm: {omega: [1.5, 12]}\n",
        "structure: {type: fe-beam, length: 1, bending_stiffness: 1, mass_per_length: 1, elements: "
        "3, supports: {left: clamped, right: free}, points: {end: 1}}\n" STOP
        "nsm: {omega: [3, 300]}\n"};
    for (int i = 0; i < 2; i++) {
        jd_problem *p = read_text(text[i], ".", 0, NULL);
        jd_nsm *s = nsm_of(p);
        assert_true(jd_nsm_branches(s) > 3);
        every_branch_closes(p, s);
        jd_nsm_free(s);
        jd_problem_free(p);
    }
}

// The chain of five with losses and a push, all in proportion to `part`: the fold of its resonance.
static void tip_of_resonance(double part, double *omega, double *speed) {
    char path[512], set[4][80];
    const char *sets[] = {set[0], set[1], set[2], set[3]};
    snprintf(path, sizeof path, "%s/gallery/impact-chain/backbone.yaml", JD_SOURCE_DIR);
    snprintf(set[0], sizeof set[0], "drives.push.amplitude=%.17g", 0.006 * part);
    snprintf(set[1], sizeof set[1], "structure.damping.value=%.17g", 0.002 * part);
    snprintf(set[2], sizeof set[2], "contacts.end.law.restitution=%.17g", 1 - 0.01 * part);
    snprintf(set[3], sizeof set[3], "orbit.settle=%g periods", 500 / part);
    jd_problem *p;
    jd_follow *f;
    assert_int_equal(jd_model_read(context, path, 4, sets, &p), JD_OK);
    assert_int_equal(jd_follow_create(context, p, NULL, &f), JD_OK);
    const jd_follow_view *v = jd_follow_look(f);
    *omega = 0;
    for (int i = 0; i < v->n_special; i++)
        if (v->special[i].kind == JD_SPECIAL_FOLD) {
            *omega = v->special[i].parameter;
            *speed = v->special[i].amplitude;
        }
    jd_follow_free(f);
    jd_problem_free(p);
}

// The branch is the backbone: the resonance of the chain with losses leans along branch omega_1 up
// to a fold, where the speed of its impacts is that of the free orbit of the same frequency but for
// a term in proportion to the losses. Measured 2.3e-3, 1.2e-3, 6.1e-4 of it.
static void the_resonance_of_the_driven_chain_follows_the_branch(void **state) {
    (void)state;
    char path[512];
    jd_problem *p;
    snprintf(path, sizeof path, "%s/gallery/impact-chain/n5.yaml", JD_SOURCE_DIR);
    assert_int_equal(jd_model_read(context, path, 0, NULL, &p), JD_OK);
    assert_int_equal(jd_problem_build(p), JD_OK);
    jd_nsm *s = nsm_of(p);
    double off[3], omega, speed = 0;
    for (int i = 0; i < 3; i++) {
        tip_of_resonance(pow(0.5, i + 1), &omega, &speed);
        assert_near(omega, 1.49465, 2e-5);
        off[i] = speed / -jd_nsm_speed(s, omega) - 1;
    }
    assert_near(off[0], 0, 3e-3);
    assert_near(off[1] / off[0], 0.5, 0.05);
    assert_near(off[2] / off[1], 0.5, 0.05);
    jd_nsm_free(s);
    jd_problem_free(p);
}

static void refused(const char *text, const char *set, const char *word) {
    jd_nsm_options options;
    jd_nsm *s;
    jd_problem *p = read_text(text, ".", set ? 1 : 0, &set);
    assert_int_equal(jd_nsm_options_of(p, &options), JD_OK);
    assert_int_equal(jd_nsm_create(context, p, &options, &s), JD_NOT_SUPPORTED);
    assert_null(s);
    const jd_error *e = jd_context_error(context);
    if (!strstr(e->message, word)) print_error("%s\n", e->message);
    assert_non_null(strstr(e->message, word));
    jd_problem_free(p);
}

#define MODEL TWO "nsm: {omega: [0.9, 10]}\n"

static void a_rigid_body_mode_is_refused(void **state) {
    (void)state;
    refused(MODEL, "structure.omega=[0, 2]", "a structure without rigid-body modes");
}
static void damping_is_refused(void **state) {
    (void)state;
    refused(MODEL, "structure.ratio=[0.01]", "without damping");
}
// Reading the model refuses it before any analysis sees it.
static void a_stop_that_no_mode_moves_is_refused(void **state) {
    (void)state;
    static const char text[] = "judder: 1\n" MODEL;
    const char *set = "structure.shapes.end=[0, 0]";
    jd_problem *p;
    jd_status s = jd_model_parse(context, "model", ".", text, sizeof text - 1, 1, &set, &p);
    assert_int_not_equal(s, JD_OK);
    assert_non_null(strstr(jd_context_error(context)->message, "that no mode moves"));
}
static void a_negative_gap_is_refused(void **state) {
    (void)state;
    refused(MODEL, "contacts.end.law.gap=-1", "a positive gap");
    refused(MODEL, "contacts.end.law.gap=0", "a positive gap");
}
static void restitution_below_one_is_refused(void **state) {
    (void)state;
    refused(MODEL, "contacts.end.law.restitution=0.9", "restitution 1");
}
static void a_stop_on_both_sides_is_refused(void **state) {
    (void)state;
    refused(MODEL, "contacts.end.law.sides=both", "one side");
}
static void a_drive_is_refused(void **state) {
    (void)state;
    refused(MODEL, "drives={d: {at: end, type: harmonic, amplitude: 1, frequency: 1}}",
            "without drives");
}

// A mode with a node at the stop takes no part; the others are as if it were not there.
static void a_mode_that_does_not_move_the_stop_is_left_out(void **state) {
    (void)state;
    const char *with = "structure={type: modes, omega: [1, 1.7, 2], shapes: {end: [0.8, 0, 0.6]}}";
    jd_problem *p = read_text(MODEL, ".", 1, &with);
    jd_nsm *s = nsm_of(p);
    assert_int_equal(jd_nsm_branches(s), 2);
    assert_int_equal(jd_nsm_branch_at(s, 0)->mode, 3); // numbers are those of `judder modes`
    every_branch_closes(p, s);
    jd_nsm_free(s);
    jd_problem_free(p);
}

static void a_window_without_branches_gives_an_empty_list(void **state) {
    (void)state;
    const char *window = "nsm.omega=[50, 60]";
    jd_problem *p = read_text(MODEL, ".", 1, &window);
    jd_nsm *s = nsm_of(p);
    assert_int_equal(jd_nsm_poles(s), 0);
    assert_int_equal(jd_nsm_branches(s), 0);
    assert_int_equal(jd_nsm_graph_of(s)->n_node, 0);
    jd_result *result = NULL;
    assert_int_equal(jd_result_of_nsm(context, p, s, 9, &result), JD_OK);
    assert_int_equal(jd_picture_draw(context, result, NULL, "/tmp/never.csv"), JD_BAD_USAGE);
    jd_result_free(result);
    assert_non_null(strstr(jd_context_error(context)->message, "no branch to draw"));
    jd_nsm_free(s);
    jd_problem_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_common_pole_starts_one_branch_of_all_its_modes),
        cmocka_unit_test(detuning_a_resonance_changes_branches_little),
        cmocka_unit_test(coincident_frequencies_act_as_one_mode),
        cmocka_unit_test(a_full_mass_matrix_gives_orbits_that_close),
        cmocka_unit_test(beams_and_rods_have_nonsmooth_modes_too),
        cmocka_unit_test(the_resonance_of_the_driven_chain_follows_the_branch),
        cmocka_unit_test(a_rigid_body_mode_is_refused),
        cmocka_unit_test(damping_is_refused),
        cmocka_unit_test(a_stop_that_no_mode_moves_is_refused),
        cmocka_unit_test(a_negative_gap_is_refused),
        cmocka_unit_test(restitution_below_one_is_refused),
        cmocka_unit_test(a_stop_on_both_sides_is_refused),
        cmocka_unit_test(a_drive_is_refused),
        cmocka_unit_test(a_mode_that_does_not_move_the_stop_is_left_out),
        cmocka_unit_test(a_window_without_branches_gives_an_empty_list),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
