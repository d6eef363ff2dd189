// memory_stops.c -- stops of the memory engine: finitely many modes against the exact engine,
// infinitely many against solutions wave by wave.
#include <math.h>
#include <stdio.h>

#include "draws.h"
#include "memory_case.h"

static const double pi = 3.14159265358979323846;

static const char chain[] =
    "judder: 1\n"
    "structure: {type: chain, count: 5, mass: 0.2, stiffness: 5,\n"
    "  damping: {type: ratio, value: 0.01}, supports: {left: fixed, right: free},\n"
    "  points: {end: {node: 5}, mid: {node: 3}, two: {node: 2}}}\n"
    "contacts:\n"
    "  end: {at: end, against: ground, law: {type: stop, gap: 0.3, restitution: 0.5,\n"
    "                                        sides: both}}\n"
    "%s"
    "drives: {push: {at: mid, type: harmonic, amplitude: 1.2, frequency: 1.3}}\n"
    "start: rest\n"
    "simulate: {until: 20}\n";

// Events, speeds and impulses of impacts, ledger. Returns the number of events.
static int agree(const char *text, double t_end, double most, int n_set, const char *const *set) {
    motion *a, *b = motion_both_with(&a, text, t_end, "simulate.tolerance=1e-10", n_set, set);
    double worst = motion_apart(a, b), blow = 0;
    int n = a->n;
    for (int i = 0; i < n; i++) {
        blow = fmax(blow, fabs(a->event[i].impulse - b->event[i].impulse));
        blow = fmax(blow, fabs(a->event[i].speed - b->event[i].speed));
    }
    print_message("   %d events, worst %.1e, impulses %.1e\n", n, worst, blow);
    assert_near(worst, 0, most);
    assert_near(blow, 0, most);
    jd_report ra, rb;
    jd_run_report(a->run, &ra);
    jd_run_report(b->run, &rb);
    for (int j = 0; j < jd_problem_contacts(a->problem); j++) {
        assert_near(rb.ledger.impact[j], ra.ledger.impact[j], 1e-9 * ra.ledger.work);
        assert_near(rb.ledger.contact[j], ra.ledger.contact[j], 1e-9 * ra.ledger.work);
        assert_near(rb.ledger.belt[j], ra.ledger.belt[j], 1e-9 * ra.ledger.work);
    }
    motion_close(a);
    motion_close(b);
    return n;
}

static void a_chain_hits_its_stop_as_the_exact_engine_has_it(void **state) {
    (void)state; // measured 3e-13 (e = 1), 2e-10 (0.5: chatter), 1e-11 (0: closed phases)
    char text[2048];
    snprintf(text, sizeof text, chain, "");
    static const char *const e[] = {
        "contacts.end.law.restitution=1", "contacts.end.law.restitution=0.8",
        "contacts.end.law.restitution=0.5", "contacts.end.law.restitution=0"};
    for (int i = 0; i < 4; i++) assert_true(agree(text, 20, 1e-9, 1, &e[i]) > 20);
    agree(text, 20, 1e-9, SETS("contacts.end.law.sides=one", "contacts.end.law.restitution=0.7"));
}

// Friction with a static limit above the kinetic one, affine friction, and a stop on one body.
static void stops_and_friction_live_together(void **state) {
    (void)state; // measured 2e-10
    char text[2048];
    snprintf(text, sizeof text, chain,
             "  rub: {at: two, against: {velocity: 0.2},\n"
             "        law: {type: coulomb, limit: 0.2, static_limit: 0.4}}\n"
             "  pad: {at: mid, against: ground, law: {type: affine, limit: 0.1, slope: 0.2}}\n");
    assert_true(agree(text, 20, 1e-9, 0, NULL) > 100);
}

static void bodies_hit_and_rub_each_other_and_themselves(void **state) {
    (void)state; // measured 4e-11
    static const char text[] =
        "judder: 1\n"
        "bodies:\n"
        "  a: {type: chain, count: 3, mass: 0.2, stiffness: 5, damping: {type: ratio, value: "
        "0.01},\n"
        "      supports: {left: fixed, right: free}, points: {end: {node: 3}, one: {node: 1}}}\n"
        "  b: {type: chain, count: 4, mass: 0.3, stiffness: 7, damping: {type: ratio, value: "
        "0.02},\n"
        "      supports: {left: fixed, right: free}, points: {end: {node: 4}, one: {node: 2}}}\n"
        "contacts:\n"
        "  hit: {at: a.end, against: b.end, law: {type: stop, gap: 0.1, restitution: 0.6}}\n"
        "  rub: {at: a.one, against: b.one, law: {type: coulomb, limit: 0.1}}\n"
        "  self: {at: b.one, against: b.end, law: {type: affine, limit: 0.05, slope: 0.1}}\n"
        "drives: {push: {at: a.end, type: harmonic, amplitude: 0.6, frequency: 2.3}}\n"
        "start: rest\n"
        "simulate: {until: 20}\n";
    assert_true(agree(text, 20, 1e-9, 0, NULL) > 50);
}

static void a_stop_may_move(void **state) {
    (void)state; // measured 1.3e-10
    char text[2048];
    snprintf(text, sizeof text, chain, "");
    assert_true(
        agree(text, 12, 1e-9,
              SETS("contacts.end.against={velocity: -0.02}", "contacts.end.law.sides=one")) > 20);
}

static void a_load_that_rises_shifts_the_place_of_a_stop(void **state) {
    (void)state; // a ramp lags behind its static deflection by its own sag
    char text[2048];
    snprintf(text, sizeof text, chain, "");
    assert_true(agree(text, 20, 1e-9,
                      SETS("drives.push={at: mid, type: ramp, amplitude: 3, duration: 15}",
                           "contacts.end.law.sides=one", "contacts.end.law.restitution=0.8")) > 5);
}

// Undamped rod, rho = c = L = 1, left end fixed, mode 1: without the stop the tip moves with
// v = w/2 sin(w t), w = pi/2. A force F at the tip adds F(t) - 2 F(t-2) + 2 F(t-4) - ..., so
//   touches at w t1 = acos(-0.6), F = -v until v turns at 2; its echo turns the velocity round from
//   t1 + 2 to 4; touches again at w (t - 4) = acos(-0.2), until the next echo comes at t1 + 4.
static const char rod[] =
    "judder: 1\n"
    "structure: {type: rod, length: 1, axial_stiffness: 1, mass_per_length: 1, modes: infinite,\n"
    "  damping: none, supports: {left: fixed, right: free}, points: {end: 1}}\n"
    "contacts: {end: {at: end, against: ground, law: {type: stop, gap: 0.3, restitution: 0}}}\n"
    "start: {type: lift, mode: 1, point: end, displacement: -0.5, velocity: 0}\n"
    "simulate: {engine: memory, until: 10, tolerance: 1e-10}\n";

static void a_rod_stays_until_its_wave_returns(void **state) {
    (void)state; // measured 3e-13
    motion *m = motion_of(rod, 1.7, 0, NULL);
    double w = pi / 2, t1 = acos(-0.6) / w, u, v, F;
    motion_look(m, 1.7, &u, &v, &F);
    assert_near(F, -w / 2 * sin(1.7 * w), 1e-9);
    assert_near(u, 0.3, 1e-11);
    assert_near(v, 0, 0);
    motion_run(m, 3.5);
    motion_look(m, 3.5, &u, &v, &F); // turned round by the echo
    assert_near(v, -w / 2 * sin(3.5 * w), 1e-9);
    assert_near(u, -0.5 + (cos(3.5 * w) - 0.6) / 2, 1e-10);
    motion_run(m, 6);
    const double at[] = {t1, 2, 4 + acos(-0.2) / w, 4 + t1};
    assert_int_equal(m->n, 4);
    for (int i = 0; i < 4; i++) {
        assert_near(m->event[i].t, at[i], 1e-10);
        assert_int_equal(jd_contact_letter(m->event[i].to), i % 2 ? 'o' : '|');
        assert_near(m->event[i].impulse, 0, 0);
    }
    assert_near(m->after[0][0], -w / 2 * sin(t1 * w), 1e-9); // finite at once
    motion_close(m);
}

// The damped rod comes close to the undamped one as damping falls, and N modes with restitution 0
// come close to infinitely many: 1/N.
static void finitely_many_modes_come_close_to_the_wave(void **state) {
    (void)state; // measured 1.9e-3, 4.9e-4
    motion *m = motion_of(rod, 3, SETS("structure.damping={type: ratio, value: 0.05}"));
    double apart[2];
    const char *modes[] = {"structure.modes=40", "structure.modes=160"};
    for (int i = 0; i < 2; i++) {
        motion *n =
            motion_of(rod, 3, SETS("structure.damping={type: ratio, value: 0.05}", modes[i]));
        double last = n->event[n->n - 1].t;
        apart[i] = fabs(last - m->event[1].t);
        motion_close(n);
    }
    print_message("   opens at %.9f; 40 modes %.1e, 160 modes %.1e away\n", m->event[1].t, apart[0],
                  apart[1]);
    assert_int_equal(m->n, 2);
    assert_true(apart[0] < 1e-2);
    assert_true(apart[1] < 0.5 * apart[0]);
    motion_close(m);
}

// A load that begins later, or holds nothing for a while, on a chain that rests against its stop.
static void draw_late(char *out, size_t room) {
    double start = mixed(0.1, 3), a = (pick(2) ? 1 : -1) * mixed(0.5, 4), last = mixed(0.5, 4);
    int n = 1 + pick(4), kind = pick(3);
    char load[300];
    if (kind < 2)
        snprintf(load, sizeof load, "type: %s, amplitude: %.6g, start: %.6g, duration: %.6g",
                 kind ? "ramp" : "pulse", a, start, last);
    else
        snprintf(load, sizeof load,
                 "type: table, time: [0, %.6g, %.6g, 8], value: [0, 0, %.6g, %.6g]", start,
                 start + last, a, mixed(-3, 3));
    snprintf(out, room,
             "judder: 1\n"
             "structure: {type: chain, count: %d, mass: 1, stiffness: 10,\n"
             "  supports: {left: fixed, right: free}, damping: {type: ratio, value: %.3g},\n"
             "  points: {end: {node: %d}, push: {node: %d}}}\n"
             "contacts: {end: {at: end, against: ground,\n"
             "  law: {type: stop, gap: 0, restitution: %.3g}}}\n"
             "drives: {load: {at: push, %s}}\n"
             "simulate: {engine: memory, until: 12, tolerance: 1e-8}\n",
             n, decades(-2, -0.7), n, 1 + pick(n), mixed(0, 0.9), load);
}

// Before the load there is no motion that a speed could be measured by: a quarter of such runs
// stalled or did not end.
static void a_stop_at_rest_waits_for_its_load(void **state) {
    (void)state;
    seed = 3;
    for (int i = 0; i < 200; i++) {
        char text[1500];
        jd_step step = JD_STEP_EVENT;
        int events = 0;
        draw_late(text, sizeof text);
        motion *m = motion_open(text, 0, NULL);
        motion_start(m);
        while (step == JD_STEP_EVENT && events++ < 5000)
            assert_int_equal(jd_run_advance(m->run, 12, &step), JD_OK);
        if (step != JD_STEP_TIME) fail_msg("model %d does not end by time:\n%s", i, text);
        motion_close(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_hits_its_stop_as_the_exact_engine_has_it),
        cmocka_unit_test(stops_and_friction_live_together),
        cmocka_unit_test(bodies_hit_and_rub_each_other_and_themselves),
        cmocka_unit_test(a_stop_may_move),
        cmocka_unit_test(a_stop_at_rest_waits_for_its_load),
        cmocka_unit_test(a_load_that_rises_shifts_the_place_of_a_stop),
        cmocka_unit_test(a_rod_stays_until_its_wave_returns),
        cmocka_unit_test(finitely_many_modes_come_close_to_the_wave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
