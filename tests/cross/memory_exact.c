// memory_exact.c -- finitely many modes, coulomb and affine friction: memory against exact engine.
#include <math.h>
#include <stdio.h>

#include "engine/memory/memory.h"
#include "memory_case.h"
#include "reference_ode.h"

// Vielsack and Kammerer's beam; 10 elements, 20 modes up to 4e4 rad/s.
static const char beam[] =
    "judder: 1\n"
    "structure: {type: fe-beam, length: 2.47 m, bending_stiffness: 1.09e4 N m^2,\n"
    "  mass_per_length: 35.4 kg/m, elements: 10, supports: {left: clamped, right: free},\n"
    "  points: {mid: 1.235 m, tip: 2.47 m},\n"
    "  damping: {type: rayleigh, mass: 0.025 1/s, stiffness: 5.5e-5 s}}\n"
    "contacts: {tip: {at: tip, against: ground, law: {type: coulomb, limit: 0.66 N}}}\n"
    "drives: {shaker: {at: mid, type: harmonic, amplitude: 2.4 N,\n"
    "                  frequency: {times: 1.1, mode: 1}}}\n"
    "start: rest\n"
    "simulate: {until: 3 s}\n";

static void the_friction_beam_agrees_to_1e_9(void **state) {
    (void)state; // measured 4e-11 s
    motion *a, *b = motion_both(&a, beam, 3, "simulate.tolerance=1e-9");
    double u[2], v[2], F[2], worst = motion_apart(a, b);
    jd_report ra, rb;
    motion_look(a, 3, &u[0], &v[0], &F[0]);
    motion_look(b, 3, &u[1], &v[1], &F[1]);
    print_message("   %d events, worst %.1e s\n", a->n, worst);
    assert_true(a->n > 30);
    assert_near(worst, 0, 1e-9);
    assert_near(u[1], u[0], 1e-9 * 8e-5);
    jd_run_report(a->run, &ra);
    jd_run_report(b->run, &rb);
    assert_near(rb.ledger.contact[0], ra.ledger.contact[0], 1e-8 * ra.ledger.work);
    assert_near(rb.ledger.drive[0], ra.ledger.drive[0], 1e-8 * ra.ledger.work);
    assert_near(rb.ledger.kinetic, ra.ledger.kinetic, 1e-8 * ra.ledger.work);
    assert_false(rb.certificate.certified);
    motion_close(a);
    motion_close(b);
}

static void two_contacts_agree_with_the_full_modal_system_to_1e_9(void **state) {
    (void)state; // measured 2e-11
    motion *a, *b = motion_both(&a, two_contacts, 10, "simulate.tolerance=1e-10");
    double u[4], v[4], F[4], worst = motion_apart(a, b);
    print_message("   %d events, worst %.1e\n", a->n, worst);
    assert_true(a->n > 20);
    assert_near(worst, 0, 1e-9);
    motion_look(a, 10, u, v, F);
    motion_look(b, 10, u + 2, v + 2, F + 2);
    for (int j = 0; j < 2; j++) {
        assert_near(u[2 + j], u[j], 1e-9);
        assert_near(v[2 + j], v[j], 1e-8);
    }
    int index;
    motion *c = motion_open(two_contacts, SETS("simulate.engine=memory"));
    motion_start(c);
    assert_int_equal(jd_run_probe(c->run, "a", &index), JD_OK);
    motion_run(c, 10);
    jd_run_observe(c->run, 10, u + 2, v + 2);
    assert_near(u[2], u[0], 1e-6); // at the default tolerance
    assert_near(v[2], v[0] + 0.2, 1e-5);
    motion_close(c);
    motion_close(a);
    motion_close(b);
}

static void a_pulse_breaks_panels_where_it_begins_and_ends(void **state) {
    (void)state; // measured 3e-12
    char text[2048];
    snprintf(text, sizeof text, "%s", two_contacts);
    char *at = strstr(text, "drives: ");
    snprintf(at, sizeof text - (size_t)(at - text),
             "drives: {hit: {at: c, type: pulse, amplitude: 3, start: 0.5, duration: 0.37}}\n"
             "start: rest\nsimulate: {until: 6}\n");
    motion *a, *b = motion_both(&a, text, 6, "simulate.tolerance=1e-10");
    assert_true(a->n > 5);
    assert_near(motion_apart(a, b), 0, 1e-9);
    motion_close(a);
    motion_close(b);
}

// Overdamped modes, against the independent integration of reference_ode.h.
static void overdamped_modes_agree_with_an_integration(void **state) {
    (void)state; // measured 1e-11
    static const jd_point point[] = {{.name = "a", .position = 0.3},
                                     {.name = "c", .position = 0.52}};
    double ratio = 1.2, q[] = {0.1, 0.02, 0};
    jd_damping_ratio_def damp = {{1, &ratio}};
    jd_string_def d;
    jd_simulate_def sim;
    scene s = scene_open();
    ode o;
    jd_type_defaults(jd_type_find(jd_structure_types(), "string"), &d);
    d.length = 1, d.tension = 1, d.mass_per_length = 1, d.modes = 3;
    d.points = (jd_points){2, point};
    d.damping = (jd_object){"", &jd_damping_ratio, &damp};
    scene_body(&s, "", "string", &d);
    scene_friction(&s, "one", "a", 0.2, NAN);
    scene_harmonic(&s, "push", "c", 1, 4, 0);
    scene_state(&s, 1, 3, q, NULL);
    jd_type_defaults(&jd_section_types[JD_SIMULATE], &sim);
    sim.engine = "memory", sim.tolerance = 1e-10, sim.until = (jd_duration){6, false};
    must(&s, jd_problem_set_section(s.p, JD_SIMULATE, &sim));
    scene_run(&s, 6);
    ode_open(&o, &s, 0.01);
    ode_run(&o, 6);
    assert_int_equal(s.n, o.n_event);
    assert_true(s.n >= 6);
    for (int i = 0; i < s.n; i++) {
        assert_near(s.event[i].t, o.event[i].t, 1e-9);
        assert_int_equal(jd_contact_letter(s.event[i].to), jd_contact_letter(o.event[i].to));
    }
    ode_close(&o);
    scene_close(&s);
}

// Velocity after fixed panels of length h in a smooth stretch, before the first event at 0.109.
static double fixed_panels(double h) {
    motion *m = motion_open(bowed_string, SETS("simulate.tolerance=1e-8"));
    double u, v, F;
    motion_start(m);
    memory *e = m->run->state;
    e->replan->tolerance = 1e9; // every panel is good enough
    e->replan->largest_step = e->state.step = h;
    motion_run(m, 0.096);
    motion_look(m, 0.096, &u, &v, &F);
    motion_close(m);
    return v;
}

// Ranges of a run that ends within a panel end with the motion there.
static void ranges_end_where_the_motion_is(void **state) {
    (void)state;
    double u[2], v[2], F[2];
    jd_contact_ranges r[2];
    for (double until = 0.5; until < 4; until += 0.37) {
        motion *m =
            motion_open(two_contacts, SETS("simulate.engine=memory", "simulate.tolerance=1e-10"));
        motion_start(m);
        assert_int_equal(jd_run_track(m->run), JD_OK);
        motion_run(m, until);
        motion_look(m, until, u, v, F);
        assert_int_equal(jd_run_ranges(m->run, r), JD_OK);
        for (int j = 0; j < 2; j++) {
            assert_near(r[j].displacement.final, u[j], 1e-8); // measured: 2e-10
            assert_near(r[j].velocity.final, v[j], 1e-8);
            assert_near(r[j].force.final, F[j], 1e-8);
        }
        motion_close(m);
    }
}

// Largest difference of the extremes of two runs, over the largest of each quantity.
static double ranges_apart(motion *a, motion *b) {
    jd_contact_ranges x[2], y[2];
    double worst = 0;
    assert_int_equal(jd_run_ranges(a->run, x), JD_OK);
    assert_int_equal(jd_run_ranges(b->run, y), JD_OK);
    for (int j = 0; j < 2; j++) {
        const jd_range *p[] = {&x[j].displacement, &x[j].velocity, &x[j].force};
        const jd_range *q[] = {&y[j].displacement, &y[j].velocity, &y[j].force};
        for (int k = 0; k < 3; k++) {
            double size = fmax(fabs(p[k]->min), fabs(p[k]->max));
            worst = fmax(worst, fabs(p[k]->min - q[k]->min) / size);
            worst = fmax(worst, fabs(p[k]->max - q[k]->max) / size);
        }
    }
    return worst;
}

static motion *tracked(const char *engine, const char *tolerance, const char *frequency) {
    motion *m = motion_open(two_contacts, SETS(engine, tolerance, frequency));
    motion_start(m);
    assert_int_equal(jd_run_track(m->run), JD_OK);
    motion_run(m, 10);
    return m;
}

// Extremes lie where a derivative vanishes, which is between the points of any grid.
static void extremes_follow_the_tolerance(void **state) {
    (void)state; // measured 0.4 of the tolerance; on a grid of eight points a panel 1e-5 at any
    static const char *const frequency[] = {"drives.push.frequency=4", "drives.push.frequency=2.7",
                                            "drives.push.frequency=6.3"};
    for (int i = 0; i < 3; i++) {
        motion *exact = tracked("simulate.engine=exact", "simulate.tolerance=1e-6", frequency[i]);
        for (int digits = 4; digits <= 10; digits += 2) {
            char tolerance[40];
            snprintf(tolerance, sizeof tolerance, "simulate.tolerance=1e-%d", digits);
            motion *m = tracked("simulate.engine=memory", tolerance, frequency[i]);
            double off = ranges_apart(exact, m);
            print_message("   %s, %s: off by %.1e\n", frequency[i], tolerance, off);
            assert_true(off <= 10 * pow(10, -digits));
            motion_close(m);
        }
        motion_close(exact);
    }
}

// s = 4 nodes: at least order s + 1 in the velocities at panel ends.
static void panels_converge_with_the_order_of_their_nodes(void **state) {
    (void)state;
    double best = fixed_panels(0.096 / 64), last = 0;
    for (int n = 1; n <= 4; n *= 2) {
        double error = fabs(fixed_panels(0.096 / n) - best), order = log2(last / error);
        if (n > 1) print_message("   %d panels: error %.1e, order %.2f\n", n, error, order);
        if (n > 1 && error > 1e-12) assert_true(order > 4);
        if (n == 1) assert_true(error > 1e-9); // there is something to converge
        last = error;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_friction_beam_agrees_to_1e_9),
        cmocka_unit_test(two_contacts_agree_with_the_full_modal_system_to_1e_9),
        cmocka_unit_test(a_pulse_breaks_panels_where_it_begins_and_ends),
        cmocka_unit_test(overdamped_modes_agree_with_an_integration),
        cmocka_unit_test(ranges_end_where_the_motion_is),
        cmocka_unit_test(extremes_follow_the_tolerance),
        cmocka_unit_test(panels_converge_with_the_order_of_their_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
