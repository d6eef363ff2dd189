// contact_orbits.c -- orbits with Jenkins elements, elastic stops and dry contacts, beside 50
// digits.
//   Orbits of tests/reference/contact.json, searched from their own state: period, events to 1e-9
//   and multipliers to 1e-7, stable and unstable, forced and self-excited.
#include "spring_case.h"

static spring_model model;
static spring_run *r;
static spring_changes expected;
static int orbits, multipliers, failed;
static double worst_time, worst_multiplier;

static void complain(const char *name, const char *why) {
    print_error("   %s: %s\n", name, why);
    failed++;
}

static double part(const json_t *mu, size_t i) {
    return json_is_array(mu) ? json_number_value(json_array_get(mu, i))
           : i               ? 0
                             : json_number_value(mu);
}

// Every multiplier of the reference that is no zero is among those found.
static void compare_multipliers(const char *name, const json_t *list, const jd_orbit_view *v) {
    const jd_orbit_stability *s = &v->stability;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *mu = json_array_get(list, i);
        double re = part(mu, 0), im = part(mu, 1), best = HUGE_VAL;
        if (hypot(re, im) < 1e-5 || (re == 1 && im == 0)) continue; // zeros; sliders that rest
        for (int k = 0; k < s->n_multiplier; k++)
            best = fmin(best, hypot(s->multiplier[2 * k] - re, s->multiplier[2 * k + 1] - im));
        worst_multiplier = fmax(worst_multiplier, best);
        multipliers++;
        char text[120];
        snprintf(text, sizeof text, "no multiplier %.10g %+.10gi (nearest %.1e)", re, im, best);
        if (!(best <= 1e-7)) complain(name, text);
    }
}

static void compare_events(const char *name, const json_t *events, const jd_orbit_view *v) {
    char text[120];
    spring_expected(events, &expected);
    spring_sort(&expected, 1e-11);
    r->changes.n = 0;
    for (int i = 0; i < v->n_event; i++)
        spring_push(&r->changes, v->event[i].t, spring_contact_of(r, &v->event[i]),
                    jd_contact_letter(v->event[i].from), jd_contact_letter(v->event[i].to));
    spring_sort(&r->changes, 1e-11);
    spring_difference d = spring_compare(&expected, &r->changes, HUGE_VAL, 1e-9);
    worst_time = fmax(worst_time, d.worst);
    snprintf(text, sizeof text, "no event %d of %d (%d found)", d.at + 1, expected.n, r->changes.n);
    if (d.at >= 0 || expected.n != r->changes.n) complain(name, text);
}

static void search(const char *name, const json_t *o, const jd_orbit_options *options) {
    jd_orbit *orbit = NULL;
    double period = json_number_value(json_object_get(o, "period"));
    if (options->periods > 0)
        period = options->periods * 6.283185307179586477 / (double)model.drive[0].omega;
    if (jd_orbit_create(r->context, r->problem, options, &orbit) != JD_OK) {
        complain(name, jd_context_error(r->context)->message);
        return;
    }
    const jd_orbit_view *v = jd_orbit_look(orbit);
    orbits++;
    if (!v->found)
        complain(name, v->search.why);
    else if (!(fabs(v->period - period) <= 1e-9))
        complain(name, "another period");
    if (v->found) {
        compare_multipliers(name, json_object_get(o, "multipliers"), v);
        if (options->periods > 0) compare_events(name, json_object_get(o, "events"), v);
    }
    jd_orbit_free(orbit);
}

// `base`: its model, whose drive and start are those of the orbit.
static void check(const char *name, const json_t *base, const json_t *o) {
    jd_orbit_options options = jd_default_orbit_options();
    const json_t *omega = json_object_get(o, "omega"), *F = json_object_get(o, "F");
    const char *only = getenv("JUDDER_CONTACT_ORBIT");
    if (only && !strstr(name, only)) return;
    spring_read(&model, base);
    if (omega) model.drive[0].omega = spring_number(omega, 0);
    if (F) spring_list(F, model.n, model.drive[0].vector);
    for (int j = 0; j < model.m; j++) // limits swing with the drive
        if (model.c[j].swing != 0) model.c[j].swing_omega = model.drive[0].omega;
    spring_list(json_object_get(o, "x"), model.n, model.x);
    spring_list(json_object_get(o, "v"), model.n, model.v);
    memset(model.T, 0, sizeof model.T);
    spring_list(json_object_get(o, "T"), model.m, model.T);
    double period = json_number_value(json_object_get(o, "period"));
    double own = model.drives ? 6.283185307179586477 / (double)model.drive[0].omega : period;
    options.settle = 0;
    options.periods = model.drives ? (int)lround(period > 0 ? period / own : 1) : -1;
    if (!model.drives) options.period = period;
    model.until = 10 * own;
    if (spring_open(r, &model, NULL))
        search(name, o, &options);
    else
        complain(name, r->refused);
    if (only) print_message("%s\n", r->text.text);
    spring_end(r);
}

static void check_list(const char *name, const json_t *base, const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        char text[80];
        snprintf(text, sizeof text, "%s.%zu", name, i);
        check(text, base, json_array_get(list, i));
    }
}

static const json_t *in(const json_t *all, const char *a, const char *b) {
    const json_t *x = json_object_get(all, a);
    return b ? json_object_get(x, b) : x;
}

static void every_orbit(void **state) {
    (void)state;
    static const char *const stops[] = {"two_sided", "two_sided_dashpot", "two_sided_unequal",
                                        "reclosing"};
    json_t *all = spring_reference();
    const json_t *r1 = in(all, "R1_jenkins", NULL), *r5 = in(all, "R5_elastic_stops", NULL);
    const json_t *r4 = in(all, "R4_friction_with_normal_load", NULL);
    r = calloc(1, sizeof *r);
    check_list("R1.orbits", in(r1, "run", "model"), in(r1, "orbits", NULL));
    check("R1.iwan", in(r1, "iwan", "model"), in(r1, "iwan_orbit", NULL));
    check("R1.belt", in(r1, "belt", "model"), in(r1, "belt", NULL));
    const json_t *varying = in(r1, "varying_limit", NULL);
    for (size_t i = 0; i < json_array_size(varying); i++)
        check("R1.varying", json_object_get(json_array_get(varying, i), "model"),
              json_object_get(json_array_get(varying, i), "orbit"));
    check_list("R2.orbits", in(all, "R2_unilateral_spring", "model"),
               in(all, "R2_unilateral_spring", "orbits"));
    check("R2.period2", in(all, "R2_unilateral_spring", "model"),
          in(all, "R2_unilateral_spring", "period2"));
    check_list("R3.orbits", in(all, "R3_chain", "model"), in(all, "R3_chain", "orbits"));
    const json_t *cycles = in(r4, "cycles", NULL);
    for (size_t i = 0; i < json_array_size(cycles); i++) {
        char name[40];
        snprintf(name, sizeof name, "R4.cycles.%zu", i);
        check(name, json_object_get(json_array_get(cycles, i), "model"), json_array_get(cycles, i));
    }
    check("R4.pin.0.8", in(r4, "pin_cycle_0.8", "model"), in(r4, "pin_cycle_0.8", NULL));
    check("R4.pin.0.9", in(r4, "pin_cycle_0.9", "model"), in(r4, "pin_cycle_0.9", NULL));
    for (size_t i = 0; i < 4; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s_orbit", stops[i]);
        check(name, in(r5, stops[i], "model"), in(r5, name, NULL));
    }
    print_message("   %d orbits, %d multipliers within %.1e, times within %.1e\n", orbits,
                  multipliers, worst_multiplier, worst_time);
    free(r);
    json_decref(all);
    assert_int_equal(failed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_orbit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
