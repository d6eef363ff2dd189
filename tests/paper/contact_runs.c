// contact_runs.c -- runs with Jenkins elements, elastic stops and dry contacts, beside 50 digits.
//   Every run of tests/reference/contact.json, written as a model file: the same changes of every
//   contact at the same times to 1e-9, the same state at the end, certified, energies to 1e-11.
#include "spring_case.h"

static spring_model model;
static spring_run *r;
static spring_changes expected;
static int runs, changes, failed;
static double worst, worst_energy, worst_end;

static double value(const json_t *end, const char *key, int i) {
    return json_number_value(json_array_get(json_object_get(end, key), (size_t)i));
}

static double number(const json_t *j, const char *key) {
    return json_number_value(json_object_get(j, key));
}

static void complain(const char *name, const char *why) {
    print_error("   %s: %s\n", name, why);
    failed++;
}

// [time, contact from 1, its new state]: the contacts of R7, all stuck at first.
static void expect_many(const json_t *events) {
    char now[SPRING_M];
    memset(now, 'H', sizeof now);
    expected.n = 0;
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *e = json_array_get(events, i);
        int j = (int)json_integer_value(json_array_get(e, 1)) - 1;
        char to = json_string_value(json_array_get(e, 2))[0];
        spring_push(&expected, json_number_value(json_array_get(e, 0)), j, now[j], to);
        now[j] = to;
    }
}

// Displacements of all dofs, or of all contacts where the engine does not tell its state.
static void compare_end(const char *name, const json_t *end, double t, bool impact) {
    double x[SPRING_N], v[SPRING_N], force[SPRING_N], off = 0;
    bool all = spring_state(r, x, v);
    if (!all) jd_run_observe_contacts(r->run, t, x, v, force);
    for (int i = 0; i < (all ? model.n : model.m); i++) {
        const spring_contact *c = &model.c[i];
        const real *w = c->friction ? c->wt : c->wn;
        double ex = 0, ev = all ? 0 : -(double)c->belt;
        if (!all && c->joined) continue;
        for (int k = 0; k < model.n; k++) {
            double f = all ? k == i : (double)w[k];
            ex += f * value(end, "x", k), ev += f * value(end, "v", k);
        }
        int at = all ? i : r->text.first[i];
        off = fmax(off, fabs(x[at] - ex));
        if (!impact) off = fmax(off, fabs(v[at] - ev));
    }
    char text[80];
    worst_end = fmax(worst_end, off);
    snprintf(text, sizeof text, "the end is off by %.2e", off);
    if (!(off < 1e-9)) complain(name, text);
}

static void compare_events(const char *name, double last) {
    char text[200];
    spring_sort(&r->changes, 1e-11);
    spring_sort(&expected, 1e-11);
    spring_difference d = spring_compare(&expected, &r->changes, HUGE_VAL, 1e-9);
    worst = fmax(worst, d.worst);
    changes += expected.n;
    if (d.at < 0) {
        d = spring_compare(&r->changes, &expected, last, 1e-9);
        if (d.at < 0) return;
        snprintf(text, sizeof text, "one event too many, at %.15g", r->changes.e[d.at].t);
    } else {
        const spring_change *e = &expected.e[d.at];
        snprintf(text, sizeof text, "no event %d at %.15g: contact %d %c%c", d.at + 1, e->t,
                 e->contact + 1, e->from, e->to);
    }
    complain(name, text);
}

static void run(const char *name, const json_t *j) {
    const json_t *end = json_object_get(j, "end"), *events = json_object_get(j, "events");
    const char *only = getenv("JUDDER_CONTACT_RUN");
    if (only && strcmp(only, name) != 0) return;
    spring_read(&model, json_object_get(j, "model"));
    json_is_integer(json_array_get(json_array_get(events, 0), 1))
        ? expect_many(events)
        : spring_expected(events, &expected);
    double last = expected.e[expected.n - 1].t;
    double until = (double)spring_key(end, "t", spring_key(j, "until", 0));
    model.until = fmax(until, last) * 1.01L;
    runs++;
    if (!spring_open(r, &model, NULL)) {
        complain(name, r->refused);
        if (only) print_message("%s\n", r->text.text);
    } else {
        bool ok = spring_advance(r, until > 0 ? until : last);
        bool impact = last >= until && expected.e[expected.n - 1].to == 'o';
        if (ok && until > 0) compare_end(name, end, until, impact);
        ok = ok && spring_advance(r, fmax(until, last) + 1e-9);
        if (!ok) complain(name, r->refused);
        if (ok) compare_events(name, last);
        if (ok && !r->report.certificate.certified) complain(name, "not certified");
        worst_energy = fmax(worst_energy, fabs(r->report.ledger.residual));
        if (ok && !(fabs(r->report.ledger.residual) < 1e-11)) complain(name, "energies");
        if (only) print_message("%s\n", r->text.text);
    }
    spring_end(r);
}

static void every_run(void **state) {
    (void)state;
    json_t *all = spring_reference();
    r = calloc(1, sizeof *r);
    spring_each_run(all, run);
    print_message(
        "   %d runs, %d changes of contacts, times within %.1e, ends within %.1e, energies "
        "within %.1e\n",
        runs, changes, worst, worst_end, worst_energy);
    free(r);
    json_decref(all);
    assert_int_equal(failed, 0);
    assert_true(runs >= 27 || getenv("JUDDER_CONTACT_RUN"));
}

static double sum(int n, const double *x) {
    double all = 0;
    for (int i = 0; i < n; i++) all += x[i];
    return all;
}

// Where the energy went: all terms of a run, summed over its drives and contacts.
static void ledger(const json_t *model_of, const json_t *l) {
    double until = number(l, "until");
    spring_read(&model, model_of);
    model.until = until * 1.01L;
    if (!spring_open(r, &model, NULL) ||
        !spring_advance(r, until + 1e-12)) // its last event is past
        fail_msg("%s", r->refused);
    const jd_ledger *g = &r->report.ledger;
    int m = jd_problem_contacts(r->problem), d = jd_problem_drives(r->problem);
    double contacts = number(l, "lost_in_friction") + number(l, "lost_in_dashpots") +
                      number(l, "left_in_dashpot_springs_at_lift_off");
    assert_near(g->start, number(l, "start"), 1e-11);
    assert_near(g->kinetic + g->strain, number(l, "end"), 1e-10);
    assert_near(sum(d, g->drive), number(l, "work_of_drives_and_constant_loads"), 1e-9);
    assert_near(sum(m, g->belt), number(l, "work_of_the_belt"), 1e-9);
    assert_near(g->damping, number(l, "lost_in_damping"), 1e-9);
    assert_near(sum(m, g->contact), contacts, 1e-9);
    spring_end(r);
}

static void energies_of_six_runs(void **state) {
    (void)state;
    static const struct {
        const char *ledger, *section, *run;
    } list[] = {
        {"r1_run_30_events", "R1_jenkins", "run"},
        {"r1_static_limit_30_events", "R1_jenkins", "static_limit"},
        {"r4_run_stick_80_events", "R4_friction_with_normal_load", "run_stick"},
        {"r4_run_static_80_events", "R4_friction_with_normal_load", "run_static"},
        {"r5_two_sided_dashpot_40_events_counting_p_0", "R5_elastic_stops", "two_sided_dashpot"},
        {"r5_reclosing_60_events_counting_p_0", "R5_elastic_stops", "reclosing"}};
    json_t *all = spring_reference();
    r = calloc(1, sizeof *r);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const json_t *run_of = json_object_get(json_object_get(all, list[i].section), list[i].run);
        ledger(json_object_get(run_of, "model"),
               json_object_get(json_object_get(all, "ledgers"), list[i].ledger));
    }
    free(r);
    json_decref(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_run),
                                       cmocka_unit_test(energies_of_six_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
