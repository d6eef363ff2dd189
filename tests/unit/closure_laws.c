// closure_laws.c -- every contact law and counterpart at the closure engine: computed and right, or
// refused by name, nothing third.
#include "orbit_case.h"

static const char body[] =
    "judder: 1\n"
    "structure: {type: chain, count: 4, mass: 0.3, stiffness: 5,\n"
    "  damping: {type: ratio, value: 0.03}, supports: {left: fixed, right: free},\n"
    "  points: {rub: {node: 3}, end: {node: 4}}}\n"
    "contacts: {c: {at: %s, against: %s, law: %s}}\n"
    "drives: {push: {at: end, type: harmonic, amplitude: 1.1, frequency: 1.3}}\n"
    "start: {type: state, displacement: [0.1, -0.2, 0.3, 0.1], velocity: [0.5, 0.2, -0.7, 0.4]}\n"
    "simulate: {engine: %s, until: 12%s}\n";

enum { EVENTS = 200 };
typedef struct motion {
    int n;
    jd_event event[EVENTS];
    double u, v, force;
} motion;

static void open_case(orbit_case *c, const char *at, const char *against, const char *law,
                      const char *engine) {
    char text[1200];
    snprintf(text, sizeof text, body, at, against, law, engine,
             strcmp(engine, "exact") ? ", tolerance: 1e-10" : "");
    orbit_parse(c, text);
}

static motion run_with(const char *against, const char *law, const char *engine) {
    orbit_case c;
    motion m = {0};
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    open_case(&c, "rub", against, law, engine);
    if (jd_run_create(c.context, c.problem, &run) != JD_OK)
        fail_msg("%s %s %s: %s", engine, law, against, jd_context_error(c.context)->message);
    while (step == JD_STEP_EVENT && m.n < EVENTS) {
        assert_int_equal(jd_run_advance(run, 12, &step), JD_OK);
        if (step == JD_STEP_EVENT) m.event[m.n++] = *jd_run_event(run);
    }
    jd_run_observe_contacts(run, 12, &m.u, &m.v, &m.force);
    jd_run_free(run);
    orbit_end(&c);
    return m;
}

// With all modes kept the engine solves the model itself; measured 1e-11 beside the exact engine,
// 2e-9 beside the memory engine at 1e-10.
static void is_right(const char *against, const char *law, const char *other) {
    motion a = run_with(against, law, "closure"), b = run_with(against, law, other);
    double bound = strcmp(other, "exact") ? 1e-7 : 1e-9;
    assert_int_equal(a.n, b.n);
    for (int i = 0; i < a.n; i++) {
        assert_int_equal(jd_contact_letter(a.event[i].to), jd_contact_letter(b.event[i].to));
        assert_near(a.event[i].t, b.event[i].t, bound);
    }
    assert_near(a.u, b.u, bound);
    assert_near(a.v, b.v, bound);
    assert_near(a.force, b.force, bound);
}

static void is_refused(const char *at, const char *against, const char *law, const char *words) {
    orbit_case c;
    jd_run *run;
    open_case(&c, at, against, law, "closure");
    assert_int_equal(jd_run_create(c.context, c.problem, &run), JD_NOT_SUPPORTED);
    if (!strstr(jd_context_error(c.context)->message, words))
        fail_msg("`%s` does not say `%s`", jd_context_error(c.context)->message, words);
    orbit_end(&c);
}

typedef struct line {
    const char *name, *law;
    const char *other; // engine it is compared with; NULL: refused with these words
    const char *words;
} line;

static const line lines[] = {
    {"coulomb", "{type: coulomb, limit: 0.7}", "exact", NULL},
    {"coulomb", "{type: coulomb, limit: 0.7, static_limit: 0.7}", "exact", NULL},
    {"coulomb", "{type: coulomb, limit: 0.7, stiffness: 0}", "exact", NULL},
    {"coulomb", "{type: coulomb, limit: 0.7, static_limit: 0.9}", NULL, "static_limit"},
    {"coulomb", "{type: coulomb, limit: 0.7, stiffness: 100000}", NULL, "stiffness"},
    {"affine", "{type: affine, limit: 0.6, slope: 0.3}", "exact", NULL},
    {"affine", "{type: affine, limit: 0.6, slope: -0.05}", "exact", NULL},
    {"stribeck", "{type: stribeck, limit: 0.7, drop: 0.2, decay: 1.5}", "memory", NULL},
    {"table", "{type: table, velocity: [0, 1, 2], force: [0.7, 0.5, 0.5]}", "memory", NULL},
    {"stribeck", "{type: stribeck, limit: 0.7, drop: 0.2, decay: 1.5, static_limit: 0.9}", NULL,
     "static_limit"},
    {"table", "{type: table, velocity: [0, 1, 2], force: [0.7, 0.5, 0.5], static_limit: 0.9}", NULL,
     "static_limit"},
    {"stop", "{type: stop, gap: 0.5, restitution: 0.8}", NULL, "a stop"},
    {"soil", "{type: soil, limit: 1, quake: 0.1, damping: 0.1}", NULL, "soil"},
    {"coulomb", "{type: coulomb, limit: {mean: 1, amplitude: 0.3, frequency: 2, phase: 0}}", NULL,
     "changes with time"},
    {"stop", "{type: stop, gap: 0.5, stiffness: 10}", NULL, "a stop"},
    {"iwan", "{type: iwan, limit: [0.3, 0.4], stiffness: [5, 5]}", NULL, "side by side"},
    {"cubic", "{type: cubic, stiffness: 5, cubic: 3}", NULL, "cubic"},
};
enum { LINES = sizeof lines / sizeof *lines };

static void every_law_is_computed_and_right_or_refused_by_name(void **state) {
    (void)state;
    static const char *const against[] = {"ground", "{velocity: 0.4}"};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < LINES; i++)
            if (lines[i].other)
                is_right(against[k], lines[i].law, lines[i].other);
            else if (k == 0 || (strcmp(lines[i].name, "stop") && strcmp(lines[i].name, "soil") &&
                                strcmp(lines[i].name, "cubic")))
                is_refused("rub", against[k], lines[i].law, lines[i].words);
}

static void contacts_with_a_normal_force_are_refused(void **state) {
    (void)state;
    is_refused("{normal: rub, tangential: end}", "ground",
               "{type: dry-contact, coefficient: 0.3, preload: 1, normal_stiffness: 100, "
               "tangential_stiffness: 100}",
               "engine `closure`");
}

static void no_law_is_left_out(void **state) {
    (void)state;
    for (const jd_type *const *t = jd_law_types(); *t; t++) {
        bool there = !strcmp((*t)->name, "surface") ||   // comes with piecewise-smooth models
                     !strcmp((*t)->name, "dry-contact"); // two directions: below
        for (int i = 0; i < LINES; i++) there |= !strcmp((*t)->name, lines[i].name);
        if (!there) fail_msg("law `%s` has no line here", (*t)->name);
    }
}

static void counterparts_that_move_by_themselves_are_refused(void **state) {
    (void)state;
    is_refused("rub", "end", "{type: coulomb, limit: 0.7}", "two points");
}

// The slide of Filippov's two-fold, y1 = 0, by steps of its own, to t = 50; *side: where it leaves,
// 0 at the two-fold, 2: it lasts.
static double slide_until(const double V[2], double y2, double y3, int *side) {
    double t = 0;
    while (t < 50) {
        double a = y2 + y3, h = fmin(1e-3, 1e-3 * a), k[4][2], z[2] = {y2, y3};
        double lambda = (y2 - y3) / a;
        *side = lambda >= 1 ? -1 : lambda <= -1 ? 1 : 0;
        if (*side || !(a > 1e-7)) return t;
        for (int s = 0; s < 4; s++) {
            lambda = (z[0] - z[1]) / (z[0] + z[1]);
            k[s][0] = 1 + V[0] + lambda * (V[0] - 1);
            k[s][1] = 1 + V[1] + lambda * (1 - V[1]);
            double step = s == 2 ? h : h / 2;
            z[0] = y2 + step * k[s][0];
            z[1] = y3 + step * k[s][1];
        }
        y2 += h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
        y3 += h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
        t += h;
    }
    *side = 2;
    return t;
}

static double draw(uint64_t *seed, double a, double b) {
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return a + (b - a) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

// A slide that reaches y = 0 has no future of its own; one that goes the other way lasts. None
// leaves the surface before: at lambda = 1 y3' = 2, at lambda = -1 y2' = 2.
static void filippov_two_fold_is_not_unique_where_it_is_reached(void **state) {
    (void)state;
    uint64_t seed = 7;
    int folds = 0, lasting = 0;
    for (int i = 0; i < 60; i++) {
        double V[] = {draw(&seed, -3, 0.5), draw(&seed, -3, 0.5)}, y2 = draw(&seed, 0.2, 1.5),
               y3 = draw(&seed, 0.2, 1.5);
        char text[400];
        orbit_case c;
        jd_run *run;
        jd_step step;
        jd_report report;
        int side;
        double t = slide_until(V, y2, y3, &side);
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: two-fold, v_minus: %.17g, v_plus: %.17g, "
                 "wave_term: 0}\nstart: {type: values, y: [0, %.17g, %.17g]}\n"
                 "simulate: {until: 100}\n",
                 V[0], V[1], y2, y3);
        orbit_parse(&c, text);
        assert_int_equal(jd_run_create(c.context, c.problem, &run), JD_OK);
        assert_int_equal(jd_run_advance(run, t + 0.1, &step), JD_OK);
        jd_run_report(run, &report);
        assert_true(side == 0 || side == 2);
        if (side == 2) {
            lasting++;
            assert_int_equal(step, JD_STEP_TIME);
        } else {
            folds++;
            assert_int_equal(step, JD_STEP_STOPPED);
            assert_int_equal(report.stop, JD_STOP_NOT_UNIQUE);
            assert_non_null(strstr(report.note, "two-fold"));
            assert_near(report.t, t, 1e-5);
        }
        jd_run_free(run);
        orbit_end(&c);
    }
    print_message("   %d reach the two-fold, %d slides last\n", folds, lasting);
    assert_true(folds > 5 && lasting > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_is_computed_and_right_or_refused_by_name),
        cmocka_unit_test(no_law_is_left_out),
        cmocka_unit_test(contacts_with_a_normal_force_are_refused),
        cmocka_unit_test(counterparts_that_move_by_themselves_are_refused),
        cmocka_unit_test(filippov_two_fold_is_not_unique_where_it_is_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
