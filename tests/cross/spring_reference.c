// spring_reference.c -- the reference integrator of contacts with springs beside 50 digits.
//   Every run of tests/reference/contact.json that it has room for: the same events at the same
//   times, the same state at the end.
#include "near.h"
#include "spring_lists.h"

static spring_model model;
static spring_changes mine, expected;
static int runs, events;

static double value(const json_t *end, const char *key, int i) {
    return json_number_value(json_array_get(json_object_get(end, key), (size_t)i));
}

static void run(const char *name, const json_t *r) {
    spring_read(&model, json_object_get(r, "model"));
    if (model.n > SM_N || model.m > SM_M) return;
    spring_expected(json_object_get(r, "events"), &expected);
    const json_t *end = json_object_get(r, "end");
    double until = (double)spring_key(end, "t", spring_key(r, "until", 0));
    double last = expected.e[expected.n - 1].t;
    model.until = until > 0 ? until : last;
    sm_run *s = sm_open_run(&model);
    sm_go(s, model.until);
    real z[SM_Z];
    bool inside = last < model.until; // else the last event is the end: an impact belongs to it
    memcpy(z, s->z, sizeof z);
    sm_go(s, fmaxl(model.until, last * (1 + 1e-13L)));
    if (!inside && s->event[s->n_event - 1].speed > 0) memcpy(z, s->z, sizeof z);
    spring_of_reference(s, &mine);
    spring_sort(&mine, 1e-12);
    spring_sort(&expected, 1e-12);
    spring_difference d = spring_compare(&expected, &mine, HUGE_VAL, 1e-12 * last);
    if (d.at >= 0) fail_msg("%s: event %d at %.15g is not there", name, d.at, expected.e[d.at].t);
    if (s->end != SM_TIME) fail_msg("%s ends by %d", name, (int)s->end);
    for (int i = 0; until > 0 && i < model.n; i++) {
        assert_near((double)z[i], value(end, "x", i), 1e-12);
        assert_near((double)z[model.n + i], value(end, "v", i), 1e-12);
    }
    runs++, events += expected.n;
    sm_close(s);
}

static void every_run_of_50_digits(void **state) {
    (void)state;
    json_t *all = spring_reference();
    spring_each_run(all, run);
    json_decref(all);
    print_message("   %d runs, %d changes of contacts\n", runs, events);
    assert_true(runs >= 25);
}

// Impacts with friction, one by one, both laws.
static void impacts_with_friction(void **state) {
    (void)state;
    json_t *all = spring_reference();
    const json_t *list = json_object_get(json_object_get(all, "R6_rigid_with_friction"), "impacts");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *c = json_array_get(list, i), *law[2];
        law[0] = json_object_get(c, "moreau"), law[1] = json_object_get(c, "poisson");
        real G[3] = {spring_key(c, "Gnn", 0), spring_key(c, "Gnt", 0), spring_key(c, "Gtt", 0)};
        for (int k = 0; k < 2; k++) {
            real P[2];
            (k ? sm_poisson : sm_newton)(G, spring_key(c, "e", 0), spring_key(c, "mu", 0),
                                         spring_key(c, "vn", 0), spring_key(c, "vt", 0), P);
            assert_near((double)P[0], (double)spring_key(law[k], "Pn", NAN), 1e-13);
            assert_near((double)P[1], (double)spring_key(law[k], "Pt", NAN), 1e-13);
        }
    }
    assert_true(json_array_size(list) >= 10);
    json_decref(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_of_50_digits),
        cmocka_unit_test(impacts_with_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
