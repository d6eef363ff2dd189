// closure_bow.c -- a bowed string reduced to few modes, with and without its wave term, beside the
// string of infinitely many modes.
//   The infinite string is run by the memory engine in the same test; its event times agree with
//   those computed with 40 digits to 1e-10 (tests/paper/bowed_string.c).
#include "orbit_case.h"

static const char letters[] = "H+H-H-"; // after each event
enum { EVENTS = 6, ONSETS = 3 };

typedef struct bowed {
    double t[EVENTS];
    double onset[ONSETS]; // contact force just after the string sticks
    bool same;            // the sequence of phases is `letters`
} bowed;

static bowed bow(const char *modes, const char *simulate) {
    char text[1000];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: %s,\n"
             "            points: {bow: 0.4}, damping: {type: ratio, value: 0.1}}\n"
             "contacts:\n"
             "  bow: {at: bow, against: {velocity: 1.5}, law: {type: stribeck, limit: 4, drop: "
             "0.32, decay: 1}}\n"
             "start: {type: lift, mode: 1, point: bow, displacement: -2.9224, velocity: -2.7668}\n"
             "simulate: {%s, until: 3}\n",
             modes, simulate);
    orbit_case c;
    jd_run *run;
    jd_step step;
    bowed b = {.same = true};
    orbit_parse(&c, text);
    if (jd_run_create(c.context, c.problem, &run) != JD_OK)
        fail_msg("%s", jd_context_error(c.context)->message);
    for (int i = 0; b.same && i < EVENTS; i++) {
        double u, v;
        assert_int_equal(jd_run_advance(run, 3, &step), JD_OK);
        b.same = step == JD_STEP_EVENT && jd_contact_letter(jd_run_event(run)->to) == letters[i];
        if (!b.same) break;
        b.t[i] = jd_run_event(run)->t;
        if (i % 2 == 0) jd_run_observe_contacts(run, b.t[i], &u, &v, &b.onset[i / 2]);
    }
    jd_run_free(run);
    orbit_end(&c);
    return b;
}

static bowed reduced(int modes, bool wave) {
    char simulate[100];
    snprintf(simulate, sizeof simulate, "engine: closure, modes: %d, wave_term: %s", modes,
             wave ? "auto" : "none");
    return bow("40", simulate);
}

// Mean errors over the events and over the onsets of stick.
typedef struct error {
    double time, force;
    bool same;
} error;

static error against(const bowed *whole, const bowed *few) {
    error e = {.same = few->same};
    for (int i = 0; i < EVENTS; i++) e.time += fabs(few->t[i] - whole->t[i]) / EVENTS;
    for (int i = 0; i < ONSETS; i++) e.force += fabs(few->onset[i] - whole->onset[i]) / ONSETS;
    return e;
}

// The table of docs/theory/closure.md.
static void closure_bowed_string_tends_to_infinitely_many_modes(void **state) {
    (void)state;
    const int modes[] = {4, 8, 16, 32};
    const bowed whole = bow("infinite", "engine: memory, tolerance: 1e-10");
    assert_true(whole.same);
    assert_near(whole.t[0], 0.10937043212313949, 1e-9);
    assert_near(whole.onset[0], 4,
                1e-8); // continuous: the limit of friction, as in the slip before
    error with[4], without[4];
    for (int i = 0; i < 4; i++) {
        bowed a = reduced(modes[i], true), b = reduced(modes[i], false);
        with[i] = against(&whole, &a);
        without[i] = against(&whole, &b);
        print_message("N = %2d  with: time %.3g force %.2g  without: time %.3g force %.3g %s\n",
                      modes[i], with[i].time, with[i].force, without[i].time, without[i].force,
                      without[i].same ? "" : "(other phases)");
        assert_true(with[i].same);
        assert_near(with[i].force, 0, 1e-10); // measured: 1e-13; it does not jump, for any N
    }
    assert_false(without[0].same); // four modes alone pass the bow without sticking
    double slope = log2(with[1].time / with[3].time) / 2,
           plain = log2(without[1].time / without[3].time) / 2,
           jump = log2(without[1].force / without[3].force) / 2;
    print_message("slopes in N: with %.2f; without %.2f, force %.2f\n", slope, plain, jump);
    assert_near(slope, 2.14, 0.1);
    assert_near(plain, 1.12, 0.1);
    assert_near(jump, 1.0, 0.15);
    for (int i = 1; i < 4; i++) {
        assert_true(without[i].same);
        assert_true(without[i].force > 0.5);
        assert_true(with[i].time < without[i].time / 2.5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closure_bowed_string_tends_to_infinitely_many_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
