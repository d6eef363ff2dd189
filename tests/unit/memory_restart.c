// memory_restart.c -- the memory engine goes on from a saved state as if it had never stopped.
#include <math.h>
#include <stdio.h>

#include "memory_case.h"

static const char stops[] =
    "judder: 1\n"
    "structure: {type: chain, count: 5, mass: 0.2, stiffness: 5,\n"
    "  damping: {type: ratio, value: 0.01}, supports: {left: fixed, right: free},\n"
    "  points: {end: {node: 5}, mid: {node: 3}, two: {node: 2}}}\n"
    "contacts:\n"
    "  end: {at: end, against: ground, law: {type: stop, gap: 0.3, restitution: 0.5}}\n"
    "  rub: {at: two, against: {velocity: 0.2}, law: {type: coulomb, limit: 0.2}}\n"
    "drives: {push: {at: mid, type: harmonic, amplitude: 1.2, frequency: 1.3}}\n"
    "start: rest\n"
    "simulate: {engine: memory, until: 20}\n";

// A second run takes the state of the first, saved at t; the block is the caller's.
static motion *go_on(motion *first, const char *text, int n_set, const char *const *set) {
    const char *sets[8];
    for (int i = 0; i < n_set; i++) sets[i] = set[i];
    sets[n_set] = "start={type: restart, file: none.h5}";
    size_t size = jd_run_state_size(first->run);
    char *block = malloc(size);
    assert_non_null(block);
    assert_int_equal(jd_run_state_save(first->run, block, size), JD_OK);
    motion *m = motion_open(text, n_set + 1, sets);
    motion_start(m);
    jd_step step;
    assert_int_equal(jd_run_advance(m->run, 1, &step), JD_BAD_ARGUMENT); // it waits
    if (jd_run_state_load(m->run, block, size) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    free(block);
    return m;
}

static void repeats(const char *text, double pause, double t_end, int n_set,
                    const char *const *set) {
    motion *whole = motion_of(text, t_end, n_set, set);
    motion *part = motion_of(text, pause, n_set, set);
    motion *rest = go_on(part, text, n_set, set);
    int before = part->n;
    assert_string_equal(jd_run_phase(rest->run), jd_run_phase(part->run));
    motion_run(rest, t_end);
    motion_run(part, t_end); // saving changed nothing
    print_message("   %d events, %d of them after the pause\n", whole->n, rest->n);
    assert_int_equal(part->n, whole->n);
    assert_int_equal(before + rest->n, whole->n);
    for (int i = 0; i < rest->n; i++) {
        assert_memory_equal(&rest->event[i].t, &whole->event[before + i].t, sizeof(double));
        assert_memory_equal(rest->after[i], whole->after[before + i], sizeof rest->after[i]);
        assert_int_equal(jd_contact_letter(rest->event[i].to),
                         jd_contact_letter(whole->event[before + i].to));
    }
    double a[3 * MOTION_CONTACTS] = {0}, b[3 * MOTION_CONTACTS] = {0};
    motion_look(whole, t_end, a, a + MOTION_CONTACTS, a + 2 * MOTION_CONTACTS);
    motion_look(rest, t_end, b, b + MOTION_CONTACTS, b + 2 * MOTION_CONTACTS);
    assert_memory_equal(a, b, sizeof a);
    jd_report ra, rb;
    jd_run_report(whole->run, &ra);
    jd_run_report(rest->run, &rb);
    assert_int_equal(ra.certificate.events, rb.certificate.events);
    assert_int_equal(ra.certificate.evaluations, rb.certificate.evaluations);
    assert_memory_equal(ra.ledger.contact, rb.ledger.contact, sizeof(double));
    motion_close(whole);
    motion_close(part);
    motion_close(rest);
}

static void finitely_many_modes_go_on_bit_for_bit(void **state) {
    (void)state;
    repeats(bowed_string, 1.05, 10, SETS("structure.modes=20")); // stuck
    repeats(bowed_string, 0.5, 10, SETS("structure.modes=20", "structure.damping.value=0.01"));
    repeats(stops, 7.3, 20, 0, NULL);
    repeats(stops, 9.9, 20, SETS("contacts.end.law.restitution=0"));
}

static void infinitely_many_modes_go_on_bit_for_bit(void **state) {
    (void)state;
    repeats(bowed_string, 1.05, 10, 0, NULL);
    repeats(bowed_string, 0.7, 10, SETS("structure.damping.value=0.02"));
    repeats(bowed_string, 0.7, 10, SETS("start=rest"));
}

static void waves_under_way_go_on_bit_for_bit(void **state) {
    (void)state;
    repeats(bowed_string, 3.3, 9, SETS("structure.damping=none"));
    repeats(bowed_string, 3.3, 9,
            SETS("structure.damping=none", "contacts.bow.against=ground",
                 "contacts.bow.law={type: stop, gap: 1, restitution: 0}"));
    // smeared, summed over panels, and from an even grid
    repeats(bowed_string, 5.3, 12, SETS("structure.damping.value=0.001"));
    repeats(bowed_string, 5.3, 12,
            SETS("structure.damping.value=0.001", "simulate.tolerance=1e-3"));
    repeats(bowed_string, 0.3, 9, SETS("structure.damping.value=0.003", "simulate.tolerance=1e-3"));
}

// The forces that held a shape are kept with the state: the plan depends on them.
static void plucked_and_struck_strings_go_on_bit_for_bit(void **state) {
    (void)state;
    const char *pluck = "start={type: shape, position: [0.2, 0.7], displacement: [-2, 1]}";
    const char *strike = "start={type: shape, position: [0.2, 0.7], velocity: [-2, 5]}";
    repeats(bowed_string, 1.05, 4, SETS(pluck));
    repeats(bowed_string, 1.05, 4, SETS(strike));
    repeats(bowed_string, 1.3, 4, SETS(pluck, "structure.damping.value=0.002"));
    repeats(bowed_string, 1.3, 4, SETS(pluck, "structure.damping=none"));
}

static void another_accuracy_or_model_is_refused(void **state) {
    (void)state;
    motion *first = motion_of(bowed_string, 2, 0, NULL);
    size_t size = jd_run_state_size(first->run);
    char *block = malloc(size);
    assert_non_null(block);
    assert_int_equal(jd_run_state_save(first->run, block, size), JD_OK);
    static const struct {
        const char *set, *part;
    } other[] = {{"simulate.tolerance=1e-9", "another accuracy"},
                 {"contacts.bow.law.limit=5", "another model"}};
    for (int i = 0; i < 2; i++) {
        motion *m =
            motion_open(bowed_string, SETS("start={type: restart, file: none.h5}", other[i].set));
        motion_start(m);
        assert_int_equal(jd_run_state_load(m->run, block, size), JD_BAD_RESULT_FILE);
        assert_non_null(strstr(jd_context_error(m->context)->message, other[i].part));
        motion_close(m);
    }
    free(block);
    motion_close(first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finitely_many_modes_go_on_bit_for_bit),
        cmocka_unit_test(infinitely_many_modes_go_on_bit_for_bit),
        cmocka_unit_test(waves_under_way_go_on_bit_for_bit),
        cmocka_unit_test(plucked_and_struck_strings_go_on_bit_for_bit),
        cmocka_unit_test(another_accuracy_or_model_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
