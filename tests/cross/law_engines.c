// law_engines.c -- every contact law at every engine, at a point and along a span: computed and
// right, or refused by name; nothing third.
#include <math.h>

#include "judder/contact.h"
#include "judder/run.h"
#include "model_case.h"

// A law of each kind, with its keys that change what an engine has to compute.
static const struct {
    const char *name, *point, *span;
} laws[] = {
    {"coulomb", "limit: 0.7", "limit: 0.6"},
    {"coulomb", "limit: 0.7, static_limit: 0.9", "limit: 0.6, static_limit: 0.7"},
    {"coulomb", "limit: 0.7, stiffness: 300", "limit: 0.6, stiffness: 3e4"},
    {"affine", "limit: 0.6, slope: 0.2", "limit: 0.6, slope: 1"},
    {"stribeck", "limit: 0.7, drop: 0.2, decay: 1.5", "limit: 0.6, drop: 0.2, decay: 9"},
    {"table", "velocity: [0, 1, 2], force: [0.7, 0.5, 0.5]",
     "velocity: [0, 1, 2], force: [0.6, 0.5, 0.5]"},
    {"stribeck", "limit: 0.7, drop: 0.2, decay: 1.5, static_limit: 0.8",
     "limit: 0.6, drop: 0.2, decay: 9, static_limit: 0.7"},
    {"table", "velocity: [0, 1, 2], force: [0.7, 0.5, 0.5], static_limit: 0.9",
     "velocity: [0, 1, 2], force: [0.6, 0.5, 0.5], static_limit: 0.7"},
    {"stop", "gap: 0.3, restitution: 0.8", "gap: 0.3, restitution: 0.8"},
    {"soil", "limit: 1, quake: 0.1, damping: 0.1", "limit: 1, quake: 0.1, damping: 0.1"},
};
enum { LAWS = sizeof laws / sizeof *laws };

// Laws at points that only engine series computes, and what the others say of them.
static const struct {
    const char *name, *keys, *words;
} sprung[] = {
    {"coulomb", "limit: 0.7, stiffness: 300", "(`stiffness`)"},
    {"coulomb", "limit: {mean: 0.7, amplitude: 0.2, frequency: 3}", "changes with time"},
    {"coulomb", "coefficient: 0.4, normal: wall", "`coefficient`"},
    {"iwan", "limit: [0.3, 0.4], stiffness: [30, 20]", "side by side"},
    {"iwan", "limit: 0.7, stiffness: 30, chi: -0.5, beta: 0.2", "side by side"},
    {"stop", "gap: 0.3, stiffness: 50", "`stiffness`"},
    {"stop", "preload: 0.3, stiffness: 50, damping: 0.1", "`stiffness`"},
    {"dry-contact", "coefficient: 0.3, gap: 0.1, restitution: 0.5", "`coefficient`"},
    {"dry-contact", "coefficient: 0.3, preload: 1, normal_stiffness: 50, tangential_stiffness: 20",
     "`"},
    {"cubic", "stiffness: 3, cubic: 20", "nonlinear spring"},
};
enum { SPRUNG = sizeof sprung / sizeof *sprung };

// Engines, the most exact first, and how far each may be from the first one that computes a model,
// as a share of the largest displacement: on the chain, all of whose modes are kept, and on the
// rod, which exact keeps in 20 modes, closure in few, taylor and wave on a grid. Along spans taylor
// comes first, and series has 20 modes and cells.
static const struct {
    const char *name, *keys;
    double error, on_rod, along;
} engines[] = {
    {"exact", "", 0, 0, 0},
    {"series", "", 1e-12, 1e-12, 1e-2},
    {"memory", ", tolerance: 1e-10", 1e-10, 1e-8, 0},
    {"closure", ", tolerance: 1e-10", 1e-9, 2e-3, 0},
    {"convolution", ", step: 0.002", 5e-3, 2e-2, 0},
    {"taylor", ", nodes: 46", 0, 0, 0},
    {"mode-matching", ", nodes: 46", 0, 5e-4, 5e-4},
    {"wave", ", nodes: 184", 0, 1e-2, 1e-2},
};
enum { TAYLOR = 5, ENGINES = sizeof engines / sizeof *engines };

static const char chain[] =
    "judder: 1\n"
    "structure: {type: chain, count: 4, mass: 0.3, stiffness: 5,\n"
    "  damping: {type: ratio, value: 0.03}, supports: {left: fixed, right: free},\n"
    "  points: {rub: {node: 3}, end: {node: 4}}}\n"
    "contacts: {c: {at: rub, against: ground, law: {type: %s, %s}}}\n"
    "drives: {push: {at: end, type: harmonic, amplitude: 1.1, frequency: 1.3}}\n"
    "simulate: {engine: %s, until: 6%s}\n";
static const char rod[] =
    "judder: 1\n"
    "structure: {type: rod, length: 50, axial_stiffness: 1e6, mass_per_length: 1,\n"
    "  supports: {left: free, right: free}, points: {head: 0, toe: 50}}\n"
    "contacts: {c: {at: %s, against: ground, law: {type: %s, %s}}}\n"
    "drives: {push: {at: head, type: harmonic, amplitude: 20, frequency: 20}}\n"
    "simulate: {engine: %s, until: 0.15%s}\n";

enum { LOOKS = 60 };
typedef struct outcome {
    bool computed;
    double u[LOOKS], most; // displacement of the contact; its largest size
} outcome;

static outcome finish(model_case *m, double end) {
    outcome o = {.computed = true};
    jd_run *run;
    if (jd_run_create(m->context, m->problem, &run) != JD_OK) return (outcome){0};
    for (int i = 0; i < LOOKS; i++) {
        jd_step step = JD_STEP_EVENT;
        double t = end * (i + 1) / LOOKS, v, force;
        while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, t, &step), JD_OK);
        assert_int_equal(step, JD_STEP_TIME);
        jd_run_observe_contacts(run, t, &o.u[i], &v, &force);
        o.most = fmax(o.most, fabs(o.u[i]));
    }
    jd_run_free(run);
    return o;
}

static double apart(const outcome *a, const outcome *b) {
    double most = 0;
    for (int i = 0; i < LOOKS; i++) most = fmax(most, fabs(a->u[i] - b->u[i]));
    return most / b->most;
}

// Runs the model, or makes sure that it is refused with a name and a reason.
static outcome try(model_case *m, const char *text, double end) {
    outcome o = {0};
    if (model_parse(m, text, NULL) == JD_OK) o = finish(m, end);
    if (o.computed) return o;
    const jd_error *e = jd_context_error(m->context);
    if (e->status != JD_NOT_SUPPORTED || strlen(e->message) < 20)
        fail_msg("%s: %s\n%s", jd_status_name(e->status), e->message, text);
    return o;
}

// All engines on one model; those that compute it agree. Returns how many do.
static int agree(model_case *m, const char *form, const char *at, int law, bool span) {
    outcome best = {0};
    int n = 0;
    for (int k = 0; k < ENGINES; k++) {
        int i = span ? (k + TAYLOR) % ENGINES : k;
        char text[1500];
        const char *keys = span ? laws[law].span : laws[law].point;
        if (at)
            snprintf(text, sizeof text, form, at, laws[law].name, keys, engines[i].name,
                     engines[i].keys);
        else
            snprintf(text, sizeof text, form, laws[law].name, keys, engines[i].name,
                     engines[i].keys);
        outcome o = try(m, text, at ? 0.15 : 6);
        if (!o.computed) continue;
        if (n++ == 0) best = o;
        double off = apart(&o, &best);
        print_message("%s {%s}, %s, %s: %.1e\n", laws[law].name, keys, at ? at : "chain",
                      engines[i].name, off);
        assert_true(best.most > 0);
        assert_true(off <= (span ? engines[i].along : at ? engines[i].on_rod : engines[i].error));
    }
    return n;
}

static void every_law_is_computed_and_right_or_refused_by_name(void **state) {
    for (int k = 0; k < LAWS; k++) {
        int point = agree(*state, chain, NULL, k, false) + agree(*state, rod, "toe", k, false);
        int span = agree(*state, rod, "{span: [25, 50]}", k, true);
        if (point + span == 0) fail_msg("no engine computes `%s`", laws[k].name);
    }
}

static const char two_stops[] =
    "judder: 1\n"
    "structure: {type: chain, count: 4, mass: 0.3, stiffness: 5,\n"
    "  points: {rub: {node: 3}, side: {node: 2}, end: {node: 4}}}\n"
    "contacts: {c: {at: %s, law: {type: %s, %s}},\n"
    "  wall: {at: end, law: {type: stop, gap: 0.4, restitution: 0.5}}}\n"
    "simulate: {engine: %s, until: 1%s}\n";

static void engines_without_springs_refuse_them_by_name(void **state) {
    model_case *m = *state;
    for (int k = 0; k < SPRUNG; k++)
        for (int i = 0; i < ENGINES; i++) {
            if (!strcmp(engines[i].name, "series")) continue;
            char text[1500];
            bool two = !strcmp(sprung[k].name, "dry-contact");
            snprintf(text, sizeof text, two_stops, two ? "{normal: side, tangential: rub}" : "rub",
                     sprung[k].name, sprung[k].keys, engines[i].name, engines[i].keys);
            jd_run *run = NULL;
            reads(m, text, NULL);
            assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_NOT_SUPPORTED);
            const char *why = jd_context_error(m->context)->message;
            print_message("%s {%s}, %s: %s\n", sprung[k].name, sprung[k].keys, engines[i].name,
                          why);
            assert_non_null(strstr(why, engines[i].name));
            // others say first that there is a stop or that the body is no rod
            bool any = !strcmp(engines[i].name, "exact") || !strcmp(engines[i].name, "memory");
            if (any) assert_non_null(strstr(why, sprung[k].words));
        }
}

static void no_law_and_no_engine_is_left_out(void **state) {
    (void)state;
    for (const jd_type *const *t = jd_law_types(); *t; t++) {
        bool there = false;
        for (int i = 0; i < LAWS; i++) there |= !strcmp((*t)->name, laws[i].name);
        for (int i = 0; i < SPRUNG; i++) there |= !strcmp((*t)->name, sprung[i].name);
        if (!there) fail_msg("law `%s` has no line here", (*t)->name);
    }
    for (int i = 0; i < jd_engine_count(); i++) {
        bool there = false;
        for (int k = 0; k < ENGINES; k++) there |= !strcmp(jd_engine(i)->name, engines[k].name);
        if (!there) fail_msg("engine `%s` has no line here", jd_engine(i)->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(every_law_is_computed_and_right_or_refused_by_name),
        MODEL_TEST(engines_without_springs_refuse_them_by_name),
        cmocka_unit_test(no_law_and_no_engine_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
