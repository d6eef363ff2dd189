// closure_bow.c -- a bowed string reduced to few modes, with and without its wave term, beside the
// string of infinitely many modes.
//   Reference: the reduced equation with the memory kernel of infinitely many modes, event times to
//   1e-12 (two discretisations of the memory agree to that).
#include "orbit_case.h"

static const double infinite[] = {0.10937043212313949, 0.1750451546290555, 1.0071797671760117,
                                  1.099489952715174,   2.236501443348118,  2.860241515449579};
static const char letters[] = "H+H-H-"; // after each event
enum { EVENTS = 6 };

typedef struct answer {
    double mean;  // of |t - t(infinite)| over the events
    double onset; // contact force just after the string sticks for the first time
    bool same;    // the sequence of phases is that of the infinite string
} answer;

static answer bow(int modes, bool wave) {
    char text[1000];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: 40,\n"
             "            points: {bow: 0.4}, damping: {type: ratio, value: 0.1}}\n"
             "contacts:\n"
             "  bow: {at: bow, against: {velocity: 1.5}, law: {type: stribeck, limit: 4, drop: "
             "0.32, decay: 1}}\n"
             "start: {type: lift, mode: 1, point: bow, displacement: -2.9224, velocity: -2.7668}\n"
             "simulate: {engine: closure, modes: %d, wave_term: %s, until: 3}\n",
             modes, wave ? "auto" : "none");
    orbit_case c;
    jd_run *run;
    jd_step step;
    answer a = {.same = true};
    orbit_parse(&c, text);
    if (jd_run_create(c.context, c.problem, &run) != JD_OK)
        fail_msg("%s", jd_context_error(c.context)->message);
    for (int i = 0; i < EVENTS; i++) {
        assert_int_equal(jd_run_advance(run, 3, &step), JD_OK);
        if (step != JD_STEP_EVENT || jd_run_event(run)->to != letters[i]) {
            a.same = false;
            break;
        }
        a.mean += fabs(jd_run_event(run)->t - infinite[i]) / EVENTS;
        double u, v;
        if (i == 0) jd_run_observe_contacts(run, jd_run_event(run)->t, &u, &v, &a.onset);
    }
    jd_run_free(run);
    orbit_end(&c);
    return a;
}

// The table of docs/theory/closure.md.
static void closure_bowed_string_tends_to_infinitely_many_modes(void **state) {
    (void)state;
    const int modes[] = {4, 8, 16, 32};
    // measured: with 7.0e-3 6.8e-3 1.5e-3 3.5e-4; without (other phases) 2.2e-2 8.8e-3 4.7e-3
    answer with[4], without[4];
    for (int i = 0; i < 4; i++) {
        with[i] = bow(modes[i], true);
        without[i] = bow(modes[i], false);
        print_message("N = %2d  with %.3g onset %.6f  without %.3g onset %.6f %s\n", modes[i],
                      with[i].mean, with[i].onset, without[i].mean, without[i].onset,
                      without[i].same ? "" : "(other phases)");
        assert_true(with[i].same);
        assert_near(with[i].onset, 4, 1e-9); // the force does not jump
    }
    assert_false(without[0].same); // four modes alone pass the bow without sticking
    double slope = log2(with[1].mean / with[3].mean) / 2,
           plain = log2(without[1].mean / without[3].mean) / 2;
    print_message("slopes in N: with %.2f, without %.2f\n", slope, plain);
    assert_true(slope > 1.8);                // measured: 2.14
    assert_true(plain > 0.8 && plain < 1.3); // measured: 1.12
    assert_true(with[3].mean < 5e-4);
    for (int i = 1; i < 4; i++) {
        assert_true(without[i].same);
        assert_true(without[i].onset < 3.5); // it jumps, though the infinite string's does not
        assert_true(with[i].mean < without[i].mean / 2.5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closure_bowed_string_tends_to_infinitely_many_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
