// exact_coincide.c -- poles that coincide: they cost nothing, and what is stated covers the rest.
//   A stuck contact couples the damping of its body. A critically damped body beside it has two
//   poles that share one vector; as two parts of the motion they are large and cancel.
#include <math.h>
#include <stdio.h>

#include "memory_case.h"
#include "reference_events.h"

static const char two_bodies[] =
    "judder: 1\n"
    "bodies:\n"
    "  a: {type: chain, count: 2, mass: 0.4, stiffness: 3, damping: {type: ratio, value: %.17g},\n"
    "      supports: {left: fixed, right: free}, points: {end: {node: 2}}}\n"
    "  b: {type: chain, count: 3, mass: 0.5, stiffness: 7, damping: {type: ratio, value: 0.01},\n"
    "      supports: {left: fixed, right: free}, points: {mid: {node: 2}, end: {node: 3}}}\n"
    "contacts: {rub: {at: b.mid, against: ground, law: {type: coulomb, limit: 1}}}\n"
    "drives:\n"
    "  one: {at: a.end, type: harmonic, amplitude: 2, frequency: 1.7}\n"
    "  two: {at: b.end, type: harmonic, amplitude: 4, frequency: 1.7}\n"
    "simulate: {engine: exact, until: 20}\n";

static jd_report report_of(double ratio) {
    char text[1024];
    jd_report r;
    snprintf(text, sizeof text, two_bodies, ratio);
    motion *m = motion_of(text, 20, 0, NULL);
    assert_true(m->n > 5);
    jd_run_report(m->run, &r);
    motion_close(m);
    return r;
}

// Critical damping, where two poles share one vector, is as good as any: certified, and every event
// is that of an integration that has no poles (reference_motion.h).
static void a_run_through_coinciding_poles_is_certified_and_right(void **state) {
    (void)state;
    static const double ratio[] = {1, 1 + 1e-9, 1 - 1e-9, 0.6};
    for (int i = 0; i < 4; i++) {
        char text[1024];
        jd_report report;
        snprintf(text, sizeof text, two_bodies, ratio[i]);
        motion *m = motion_of(text, 20, 0, NULL);
        jd_run_report(m->run, &report);
        assert_true(report.certificate.certified);
        assert_near(report.certificate.error, 0, 0);
        reference *r = ref_open(m->problem, 20, 3000, 0);
        ref_run(r, 20);
        assert_int_equal(r->n_event, m->n);
        for (int k = 0; k < m->n; k++) { // measured 1e-14
            assert_near(m->event[k].t, r->event[k].t, 1e-12);
            assert_int_equal(jd_contact_letter(m->event[k].to), jd_contact_letter(r->event[k].to));
        }
        ref_free_all(r);
        motion_close(m);
    }
}

// From coinciding poles to separate ones: the ledger closes as well as the error says.
static void the_stated_error_covers_the_residual_of_the_ledger(void **state) {
    (void)state;
    for (int i = -2; i < 16; i++)
        for (int sign = -1; sign < 2; sign += 2) {
            double apart = i < 0 ? 0 : pow(10, -i);
            if (apart >= 1) continue;
            jd_report r = report_of(1 + sign * apart);
            double stated = fmax(r.certificate.error, 1e-10);
            print_message("   ratio 1%+.0e: error %.1e, residual %.1e\n", sign * apart,
                          r.certificate.error, r.ledger.residual);
            assert_true(fabs(r.ledger.residual) <= stated * fabs(r.ledger.work));
            assert_true(r.certificate.certified == (r.certificate.error == 0));
        }
}

// An undamped body at or beside its resonance, while a contact couples the damping of the other:
// its modes have blocks with the drive as they have when nothing is coupled.
static void a_resonant_body_beside_a_stuck_contact_grows_as_it_should(void **state) {
    (void)state;
    static const double beside[] = {0, 1e-14, 1e-10, -1e-6, 1e-3, 1e-2};
    for (int i = 0; i < 6; i++)
        for (int damped = 0; damped < 2; damped++) {
            char text[1024], frequency[64];
            jd_report report;
            snprintf(text, sizeof text, two_bodies, damped ? 1e-5 : 0);
            snprintf(frequency, sizeof frequency, "drives.one.frequency={times: %.17g, mode: 2}",
                     1 + beside[i]);
            const char *set[] = {frequency};
            motion *m = motion_of(text, 20, 1, set);
            jd_run_report(m->run, &report);
            assert_true(report.certificate.certified);
            assert_near(report.ledger.residual, 0, 1e-13); // measured 3e-15
            reference *r = ref_open(m->problem, 20, 3000, 0);
            ref_run(r, 20);
            assert_int_equal(r->n_event, m->n);
            for (int k = 0; k < m->n; k++) assert_near(m->event[k].t, r->event[k].t, 1e-11);
            ref_free_all(r);
            motion_close(m);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_through_coinciding_poles_is_certified_and_right),
        cmocka_unit_test(a_resonant_body_beside_a_stuck_contact_grows_as_it_should),
        cmocka_unit_test(the_stated_error_covers_the_residual_of_the_ledger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
