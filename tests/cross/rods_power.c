// rods_power.c -- friction never feeds energy in: force x relative velocity <= 0 in every cell, at
// every step of the engines of the semi-discrete problem.
#include "rods_case.h"

enum { NODES = 152 };

typedef struct power {
    double in, out;           // largest force x velocity, largest of its opposite
    double back;              // by how much the loss of a cell fell
    double loss[NODES], lost; // so far; largest
    long looks, sliding;
} power;

static void look(rods_run *r, power *p) {
    jd_interface_field f;
    assert_true(jd_run_interface(r->run, 0, &f));
    for (int j = 0; j < f.n; j++) {
        double now = f.force[j] * f.velocity[j];
        p->in = fmax(p->in, now);
        p->out = fmax(p->out, -now);
        p->back = fmax(p->back, p->loss[j] - f.loss[j]);
        p->loss[j] = f.loss[j];
        p->lost = fmax(p->lost, f.loss[j]);
        p->sliding += f.state[j] != 0;
    }
    p->looks++;
}

// Looks at every event, and from there on every half h/c, where mode matching ends its steps.
static power powers(const char *engine, const char *drive, double friction, double until) {
    rods_run r = rods_open(engine, drive, friction, NODES);
    const double delta = 0.5 * 50.0 / (NODES - 1) / 1000;
    power p = {0};
    for (double from = 0, next = delta; from < until;) {
        jd_step step;
        rods_must(&r, jd_run_advance(r.run, next, &step));
        assert_int_not_equal(step, JD_STEP_STOPPED);
        look(&r, &p);
        from = step == JD_STEP_EVENT ? jd_run_event(r.run)->t : next;
        next = from + delta;
    }
    print_message("%s, %s: %ld looks, in %.1e, out %.1e W; loss back by %.1e of %.1e J\n", engine,
                  drive, p.looks, p.in, p.out, p.back, p.lost);
    assert_true(p.sliding > 1000 && p.out > 0);
    rods_close(&r);
    return p;
}

static const struct {
    const char *const *drive;
    double friction, until;
} cases[] = {
    {&rods_20, 0.6, 0.3}, {&rods_20, 1.0, 0.3}, {&rods_150, 0.6, 0.1}, {&rods_pulse, 1.0, 0.1}};
enum { CASES = sizeof cases / sizeof *cases };

static void every_event_takes_energy_out(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        power p = powers("taylor", *cases[i].drive, cases[i].friction, cases[i].until);
        assert_near(p.in, 0, 1e-15 * p.out); // rounding: measured 1e-19
        assert_near(p.back, 0, 1e-14 * p.lost);
    }
}

// At the ends of its steps, where it looks; a cell that turns twice within one is not seen to, and
// its loss falls by what that feeds in: measured 1e-6 of the whole.
static void mode_matching_takes_energy_out(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        power p = powers("mode-matching", *cases[i].drive, cases[i].friction, cases[i].until);
        assert_near(p.in, 0, 1e-13 * p.out); // rounding: measured 1e-15
        assert_near(p.back, 0, 1e-5 * p.lost);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_event_takes_energy_out),
                                       cmocka_unit_test(mode_matching_takes_energy_out)};
    return cmocka_run_group_tests_name("rods power", tests, NULL, NULL);
}
