// contact_bad.c -- contacts that cannot be meant: each refused at its place with a cause and a
// hint, or computed after a warning.
#include "judder/judder.h"
#include "model_case.h"

#define CHAIN                                                                                      \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 3, mass: 1, stiffness: 1, points: {a: {node: 1}, b: {node: "  \
    "2}, c: {node: 3}}}\n"
#define C(at, law) "contacts:\n  k: {at: " at ", law: {" law "}}\n"
#define TWO "{normal: c, tangential: b}"

static void laws_with_numbers_out_of_range(void **state) {
    static const struct {
        const char *at, *law, *message, *hint;
    } bad[] = {
        {"a", "type: coulomb, limit: -1", "`limit` is -1, but must be at least 0", "friction"},
        {"a", "type: coulomb, limit: 1, stiffness: -2", "`stiffness` is -2", "Jenkins"},
        {"a", "type: stop, gap: 1, stiffness: -2", "`stiffness` is -2", "elastic"},
        {"a", "type: stop, gap: 1, stiffness: 2, damping: -1", "`damping` is -1", "never pulls"},
        {"a", "type: stop, preload: -1, stiffness: 2", "`preload` is -1", "give a gap"},
        {"a", "type: iwan, limit: [1, -1], stiffness: [1, 1]", "`limit` is -1", "slider"},
        {"a", "type: iwan, limit: [1, 1], stiffness: [1, -1]", "`stiffness` is -1", "slider"},
        {"a", "type: iwan, limit: 1, stiffness: 1, chi: -1", "`chi` is -1", "Iwan"},
        {"a", "type: iwan, limit: 1, stiffness: 1, chi: 0, beta: -1", "`beta` is -1", "Iwan"},
        {"a", "type: iwan, limit: 1, stiffness: 1, chi: 0, elements: 1", "`elements` is 1", "Iwan"},
        {TWO, "type: dry-contact, coefficient: -1, gap: 1, restitution: 0", "`coefficient` is -1",
         "normal force"},
        {TWO, "type: dry-contact, coefficient: 1, gap: 1, normal_stiffness: -1",
         "`normal_stiffness` is -1", "rigid"},
        {TWO, "type: dry-contact, coefficient: 1, gap: 1, restitution: 0, tangential_stiffness: -1",
         "`tangential_stiffness` is -1", "stuck"},
        {TWO, "type: dry-contact, coefficient: 1, gap: 1, normal_stiffness: 1, normal_damping: -1",
         "`normal_damping` is -1", "never pulls"},
        {TWO, "type: dry-contact, coefficient: 1, preload: -1, normal_stiffness: 1",
         "`preload` is -1", "give a gap"},
        {TWO, "type: dry-contact, coefficient: 1, gap: 1, restitution: 1.1", "`restitution` is 1.1",
         "rigid"},
    };
    model_case *m = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1000];
        snprintf(text, sizeof text, CHAIN C("%s", "%s"), bad[i].at, bad[i].law);
        assert_int_equal(model_parse(m, text, NULL), JD_OUT_OF_RANGE);
        const jd_error *e = jd_context_error(m->context);
        says("message", e->message, bad[i].message);
        says("hint", e->hint, bad[i].hint);
        says("place", e->where, "m.yaml:4:");
    }
}

// Rules between keys: refused with this status, in the line of the contact.
typedef struct rule {
    jd_status status;
    const char *at, *law, *message, *hint;
} rule;

static void breaks(model_case *m, const rule *r) {
    char text[1000];
    snprintf(text, sizeof text, CHAIN C("%s", "%s"), r->at, r->law);
    jd_status got = model_parse(m, text, NULL);
    const jd_error *e = jd_context_error(m->context);
    if (got != r->status) fail_msg("%s: %s", r->law, e->message);
    says("message", e->message, r->message);
    says("hint", e->hint, r->hint);
    says("place", e->where, "m.yaml:4:");
}

static void keys_of_friction_and_stops_that_contradict_each_other(void **state) {
    static const rule bad[] = {
        {JD_OUT_OF_RANGE, "a", "type: coulomb, limit: 2, static_limit: 1",
         "`static_limit` is 1, but must be at least `limit`, which is 2", "leave"},
        {JD_OUT_OF_RANGE, "a", "type: stribeck, limit: 2, drop: 1, decay: 1, static_limit: 1",
         "`static_limit` is 1, but must be at least `limit`, which is 2", "leave"},
        {JD_OUT_OF_RANGE, "a", "type: table, velocity: [0, 1], force: [2, 1], static_limit: 1.5",
         "`static_limit` is 1.5, but must be at least the first `force`, which is 2", "leave"},
        {JD_OUT_OF_RANGE, "a", "type: coulomb, coefficient: 2, static_coefficient: 1, normal: w",
         "`static_coefficient` is 1, but must be at least `coefficient`, which is 2", "leave"},
        {JD_OUT_OF_RANGE, "a", "type: coulomb, coefficient: 0.3",
         "`coefficient` is given without `normal`", "normal: NAME"},
        {JD_OUT_OF_RANGE, "a", "type: coulomb, limit: 1, normal: w",
         "`limit` and `normal` are both given", "coefficient"},
        {JD_OUT_OF_RANGE, "a", "type: coulomb, limit: 1, coefficient: 0.3, normal: w",
         "`limit` and `coefficient` are both given", "leave out one"},
        {JD_OUT_OF_RANGE, "a", "type: coulomb, limit: 1, static_coefficient: 0.3",
         "`static_coefficient` is given, but no `coefficient`", "static_limit"},
        {JD_OUT_OF_RANGE, "a", "type: coulomb, coefficient: 0.3, static_limit: 1, normal: w",
         "`static_limit` is given, but no `limit`", "static_coefficient"},
        {JD_MISSING_KEY, "a", "type: coulomb, stiffness: 3", "`limit` is missing",
         "or give `coefficient`"},
        {JD_OUT_OF_RANGE, "a", "type: coulomb, limit: {mean: 1, amplitude: 2, frequency: 1}",
         "the `amplitude` of `limit`, 2, is above its `mean`, 1", "`stiffness`"},
        {JD_OUT_OF_RANGE, "a", "type: coulomb, limit: {mean: 1, amplitude: 0.2}",
         "its `frequency` is not above 0", "angular"},
        {JD_OUT_OF_RANGE, "a", "type: coulomb, limit: {mean: 0, amplitude: 0.2, frequency: 1}",
         "its `mean` is not above 0", "mean"},
        {JD_MISSING_KEY, "a", "type: coulomb, limit: {amplitude: 2}", "`mean` is missing", "mean"},
        {JD_UNKNOWN_KEY, "a", "type: coulomb, limit: {men: 2}", "`men`", "`mean`"},
        {JD_OUT_OF_RANGE, "a", "type: stop, gap: 1, restitution: 0.5, stiffness: 3",
         "`restitution` and `stiffness` are both given", "leave out one"},
        {JD_MISSING_KEY, "a", "type: stop, gap: 1", "`restitution` is missing",
         "or give `stiffness`"},
        {JD_OUT_OF_RANGE, "a", "type: stop, gap: 1, stiffness: 0",
         "`stiffness` is 0, but must be above 0", "`restitution`"},
        {JD_OUT_OF_RANGE, "a", "type: stop, gap: 1, restitution: 1, damping: 2",
         "`damping` is given, but the stop has no `stiffness`", "`restitution`"},
        {JD_OUT_OF_RANGE, "a", "type: stop, gap: 1, preload: 1, stiffness: 2",
         "`gap` and `preload` are both given", "leave out one"},
        {JD_MISSING_KEY, "a", "type: stop, stiffness: 2", "`gap` is missing", "or give `preload`"},
        {JD_OUT_OF_RANGE, "a", "type: stop, preload: 1, restitution: 1",
         "`preload` is given, but the stop has no `stiffness`", "`gap`"},
        {JD_OUT_OF_RANGE, "a", "type: stop, gap: 0, restitution: 1, sides: both",
         "`gap` is 0, but must be above 0 for a stop on both sides", ""},
        {JD_OUT_OF_RANGE, "a", "type: stop, preload: 1, stiffness: 1, sides: both",
         "must be above 0 for a stop on both sides", ""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) breaks(*state, &bad[i]);
}

static void keys_of_dry_contacts_and_iwan_that_contradict_each_other(void **state) {
    static const rule bad[] = {
        {JD_OUT_OF_RANGE, TWO,
         "type: dry-contact, coefficient: 2, static_coefficient: 1, gap: 1, restitution: 0",
         "`static_coefficient` is 1, but must be at least `coefficient`", "leave"},
        {JD_OUT_OF_RANGE, TWO,
         "type: dry-contact, coefficient: 1, gap: 1, preload: 1, normal_stiffness: 1",
         "`gap` and `preload` are both given", "leave out one"},
        {JD_MISSING_KEY, TWO, "type: dry-contact, coefficient: 1, normal_stiffness: 1",
         "`gap` is missing", "or give `preload`"},
        {JD_OUT_OF_RANGE, TWO, "type: dry-contact, coefficient: 1, preload: 1, restitution: 0",
         "`preload` is given, but the normal part is rigid", "`normal_stiffness`"},
        {JD_OUT_OF_RANGE, TWO, "type: dry-contact, coefficient: 1, gap: 1", "has no `restitution`",
         "`normal_stiffness`"},
        {JD_OUT_OF_RANGE, TWO,
         "type: dry-contact, coefficient: 1, gap: 1, restitution: 1, normal_stiffness: 3",
         "`restitution` and `normal_stiffness` are both given", "normal_damping"},
        {JD_OUT_OF_RANGE, TWO,
         "type: dry-contact, coefficient: 1, gap: 1, restitution: 1, normal_damping: 3",
         "`normal_damping` is given, but no `normal_stiffness`", "`restitution`"},
        {JD_SIZE_MISMATCH, "a", "type: iwan, limit: [1, 2, 3], stiffness: [1, 2]",
         "`limit` has 3 values and `stiffness` has 2", ""},
        {JD_OUT_OF_RANGE, "a", "type: iwan, limit: [1, 2], stiffness: [1, 2], chi: 0",
         "`chi` is given, so `limit` and `stiffness` must be one number each", "table"},
        {JD_OUT_OF_RANGE, "a", "type: iwan, limit: [1, 2], stiffness: [1, 2], beta: 1",
         "`beta` is given, but not `chi`", "four parameters"},
        {JD_OUT_OF_RANGE, "a", "type: iwan, limit: [1, 2], stiffness: [1, 2], elements: 5",
         "`elements` is given, but not `chi`", "as many sliders"},
        {JD_OUT_OF_RANGE, TWO,
         "type: dry-contact, coefficient: 1, gap: 1, normal_stiffness: 3, impact: newton",
         "`impact` and `normal_stiffness` are both given", "no impacts"},
        {JD_OUT_OF_RANGE, "a", "type: iwan, limit: 0, stiffness: 1, chi: 0",
         "`limit` must be above 0", "no friction"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) breaks(*state, &bad[i]);
}

#define PAD "type: dry-contact, coefficient: 0.3, gap: 0.1, restitution: 0"
#define SOFT "type: dry-contact, coefficient: 0.3, gap: 0.1, normal_stiffness: 2"

static void places_with_the_wrong_directions(void **state) {
    refuses(*state, CHAIN C("a", PAD), NULL, JD_NOT_SUPPORTED, "m.yaml:4:6",
            "the contact `k` with law `dry-contact` has two directions, but one is given",
            "{normal: tip_y, tangential: tip_x}");
    refuses(*state, CHAIN C(TWO, "type: coulomb, limit: 1"), NULL, JD_NOT_SUPPORTED, "m.yaml:4:6",
            "law `coulomb` has one direction, but two are given", "dry-contact");
    refuses(*state, CHAIN "contacts: {k: {at: " TWO ", against: a, law: {" PAD "}}}\n", NULL,
            JD_NOT_SUPPORTED, "m.yaml:3:15", "two directions, but one is given", "both sides");
    refuses(*state, CHAIN C("{normal: a}", PAD), NULL, JD_MISSING_KEY, "m.yaml:4:11",
            "needs both `normal` and `tangential`", "write {normal");
    refuses(*state, CHAIN C("{normal: a, tangential: b, span: [0, 1]}", PAD), NULL, JD_UNKNOWN_KEY,
            "m.yaml:4:38", "`span`", "");
    refuses(*state, CHAIN C("{normal: a, tangential: [b]}", PAD), NULL, JD_WRONG_TYPE,
            "m.yaml:4:35", "the name of a point", "");
    refuses(*state, CHAIN C("{normal: a, tangential: d}", PAD), NULL, JD_UNKNOWN_NAME,
            "m.yaml:4:35", "there is no point named `d`", "a, b, c");
    refuses(*state, CHAIN C("{normal: b, tangential: b}", PAD), NULL, JD_NOT_SUPPORTED,
            "m.yaml:4:6", "the normal and the tangential direction of the contact `k` are parallel",
            "`tangential_stiffness`");
    refuses(*state, CHAIN C("a", "type: stop, gap: 1, stiffness: 1"),
            "contacts.k.against={velocity: 1}", JD_NOT_SUPPORTED, "m.yaml:4:6",
            "the elastic stop `k` works against a moving body", "ground");
}

#define ROD                                                                                        \
    "judder: 1\nstructure: {type: rod, length: 1, axial_stiffness: 1, mass_per_length: 1, modes: " \
    "3, points: {held: 0, a: 0.5}}\n"
#define BODIES                                                                                     \
    "judder: 1\nbodies:\n  one: {type: chain, count: 2, mass: 1, stiffness: 1, points: {x: "       \
    "{node: 1}, y: {node: 2}}}\n  two: {type: chain, count: 2, mass: 1, stiffness: 1, points: "    \
    "{x: {node: 1}, z: {node: 2}}}\n"

static void places_that_do_not_move_or_belong_together(void **state) {
    refuses(*state, ROD C("{normal: held, tangential: a}", PAD), NULL, JD_NOT_SUPPORTED,
            "m.yaml:4:6", "at a place that no mode moves", "support");
    refuses(*state, ROD C("{span: [0, 1]}", PAD), NULL, JD_NOT_SUPPORTED, "m.yaml:4:39",
            "the law `dry-contact` cannot act along a span", "at a point");
    refuses(*state, ROD C("{span: [0, 1]}", "type: iwan, limit: 1, stiffness: 1"), NULL,
            JD_NOT_SUPPORTED, "m.yaml:4:39", "the law `iwan` cannot act along a span",
            "at a point");
    refuses(*state, BODIES C("{normal: one.x, tangential: two.x}", PAD), NULL, JD_WRONG_TYPE,
            "m.yaml:6:39", "`one.x` and `two.x` are of different bodies", "one body");
    refuses(*state, BODIES C("{normal: y, tangential: z}", PAD), NULL, JD_NOT_SUPPORTED,
            "m.yaml:6:6", "direction of different bodies", "one body");
    reads(*state, BODIES C("{normal: one.x, tangential: y}", PAD), NULL);
    reads(*state, BODIES C("{normal: x, tangential: y, body: one}", PAD), NULL);
}

static void normals_that_are_none(void **state) {
    static const struct {
        jd_status status;
        const char *normal, *message, *hint;
    } bad[] = {
        {JD_WRONG_TYPE, "k", "names the contact itself", "dry-contact"},
        {JD_WRONG_TYPE, "f", "names `f`, which has no normal part", "stop on one side"},
        {JD_WRONG_TYPE, "wall", "names `wall`, a stop on both sides", "two stops"},
        {JD_UNKNOWN_NAME, "wal", "there is no contact named `wal`", "did you mean `wall`?"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 CHAIN
                 "contacts: {k: {at: a, law: {type: coulomb, coefficient: 0.2, normal: %s}},\n"
                 "  f: {at: b, law: {type: coulomb, limit: 1}},\n"
                 "  wall: {at: c, law: {type: stop, gap: 1, stiffness: 1, sides: both}}}\n",
                 bad[i].normal);
        assert_int_equal(model_parse(*state, text, NULL), bad[i].status);
        const jd_error *e = jd_context_error(((model_case *)*state)->context);
        says("message", e->message, bad[i].message);
        says("hint", e->hint, bad[i].hint);
        says("place", e->where, "m.yaml:3:");
    }
}

static void partners_that_are_none(void **state) {
    refuses(*state,
            CHAIN
            "contacts: {k: {at: a, law: {type: coulomb, limit: 1, stiffness: 2, with: zz}}}\n",
            NULL, JD_UNKNOWN_NAME, "m.yaml:3:74", "there is no contact named `zz`",
            "`with` names the `coulomb` contact of the other direction");
}

static void two_rigid_normals_in_one_direction(void **state) {
    static const char two[] =
        CHAIN "contacts: {k: {at: {normal: c, tangential: a}, law: {" PAD "}},\n"
              "  l: {at: {normal: c, tangential: b}, law: {" PAD "}}}\n";
    refuses(*state, two, NULL, JD_NOT_SUPPORTED, "m.yaml:4:6",
            "`k` and `l` have the same rigid normal", "normal_stiffness");
    reads(*state, two, "contacts.l.law={" SOFT "}");
}

// ---- warnings

typedef struct heard {
    int n;
    char text[2000];
} heard;

static void hear(void *user, jd_log_level level, const char *text) {
    heard *h = user;
    if (level != JD_LOG_WARNING) return;
    h->n++;
    snprintf(h->text, sizeof h->text, "%s", text);
}

static void warns(const char *text, int n, const char *words) {
    heard h = {0};
    jd_context_def def = jd_default_context_def();
    def.log = hear;
    def.user = &h;
    jd_context *context = jd_context_create(&def);
    jd_problem *p = NULL;
    jd_status s = jd_model_parse(context, "m.yaml", "", text, strlen(text), 0, NULL, &p);
    if (s != JD_OK) fail_msg("%s", jd_context_error(context)->message);
    if (h.n != n) fail_msg("%d warnings, the last: %s", h.n, h.text);
    if (n) says("warning", h.text, words);
    jd_problem_free(p);
    jd_context_free(context);
}

// Two modes: G = (1, -0.5; -0.5, 1) between tangential and normal, so mu_P = 2; modes of the same
// frequency: c = G, so a rigid contact wedges at 2, one with kn = 1 at 4.
#define SKEW                                                                                       \
    "judder: 1\nstructure: {type: modes, omega: [1, 1], shapes: {x: [1, 0], y: [-0.5, "            \
    "0.8660254037844386]}}\ncontacts: {k: {at: {normal: y, tangential: x}, law: {type: "           \
    "dry-contact, gap: 0, coefficient: "

static void coefficients_and_stiffnesses_that_are_too_large(void **state) {
    (void)state;
    warns(SKEW "1.99, restitution: 0}}}\n", 0, "");
    warns(SKEW "2.01, restitution: 0}}}\n", 2, "wedges");
    warns(SKEW "3.99, normal_stiffness: 1}}}\n", 0, "");
    warns(SKEW "4.01, normal_stiffness: 1}}}\n", 1, "is not below 4, where the contact wedges");
    warns(SKEW "0.1, normal_stiffness: 0.99e6}}}\n", 0, "");
    warns(SKEW "0.1, normal_stiffness: 1.01e6}}}\n", 1, "normal stiffness 1.01e+06");
    warns(SKEW "0.1, normal_stiffness: 1, tangential_stiffness: 1.01e6}}}\n", 1,
          "a penalty makes runs slow, use a rigid contact");
    warns(CHAIN C("{normal: b, tangential: b}", SOFT ", tangential_stiffness: 1"), 1, "parallel");
    // a free mass: it has no frequency to compare with
    warns("judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 1, supports: {left: "
          "free, right: free}, points: {a: {node: 1}}}\n" C("a", "type: stop, gap: 1, stiffness: "
                                                                 "1e9"),
          0, "");
}

static void a_dof_that_does_not_exist(void **state) {
    refuses(*state,
            "judder: 1\nstructure: {type: fe-beam, length: 1, bending_stiffness: 1, "
            "mass_per_length: 1, elements: 4, points: {r: {node: 4, dof: 3}}}\n" C(
                "r", "type: coulomb, limit: 1"),
            NULL, JD_OUT_OF_RANGE, "m.yaml:2:106",
            "point `r` asks for dof 3; a beam has 1 (deflection) and 2 (rotation)", "");
}

// Memory grows with the square of the contacts: how many are possible is told before any is taken.
static void a_hundred_thousand_contacts(void **state) {
    enum { MANY = 60000, EACH = 64 }; // more do not fit into a model file
    char *text = malloc(MANY * EACH + 300);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, CHAIN "contacts:\n");
    for (int i = 0; i < MANY; i++)
        n += (size_t)sprintf(text + n, "  c%d: {at: a, law: {type: coulomb, limit: 1}}\n", i);
    refuses(*state, text, NULL, JD_OUT_OF_RANGE, "m.yaml:4:3",
            "60000 contacts are more than the 10000 possible", "");
    free(text);
}

static void a_static_limit_beside_a_limit_that_swings(void **state) {
    (void)state;
    static const char swing[] = "limit: {mean: 1, amplitude: 0.5, frequency: 2}";
    char text[1000];
    snprintf(text, sizeof text, CHAIN C("a", "type: coulomb, %s, stiffness: 1"), swing);
    warns(text, 0, "");
    snprintf(text, sizeof text, CHAIN C("a", "type: coulomb, %s, static_limit: 2"), swing);
    warns(text, 1, "`static_limit` swings with it, by the same factor");
}

// At a rotation forces are moments.
#define BEAM                                                                                       \
    "judder: 1\nstructure: {type: fe-beam, length: 1 m, bending_stiffness: 1 N m^2, "              \
    "mass_per_length: 1 kg/m, elements: 4, points: {w: {node: 4}, r: {node: 4, dof: "              \
    "rotation}}}\n"

static void rotations_and_translations_have_their_units(void **state) {
    static const struct {
        const char *at, *law, *against, *message;
    } bad[] = {
        {"r", "type: coulomb, limit: 1 N", "", "must be like N m"},
        {"w", "type: coulomb, limit: 1 N m", "", "must be like N"},
        {"r", "type: coulomb, limit: 1 N m, stiffness: 1 N/m", "", "must be like N m"},
        {"r", "type: coulomb, limit: {mean: 1 N}", "", "must be like N m"},
        {"w", "type: coulomb, limit: {mean: 1 N m}", "", "must be like N"},
        {"w", "type: coulomb, limit: 1 N/m", "", "must be like N"},
        {"r", "type: coulomb, limit: 1 N m", "against: {velocity: 1 m/s}, ", "must be like rad/s"},
        {"w", "type: coulomb, limit: 1 N", "against: {velocity: 1 rad/s}, ", "must be like m/s"},
        {"r", "type: stop, gap: 1 mm, restitution: 0", "", "must be like rad"},
    };
    char text[1000];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, BEAM "contacts: {k: {at: %s, %slaw: {%s}}}\n", bad[i].at,
                 bad[i].against, bad[i].law);
        jd_status got = model_parse(*state, text, NULL);
        const jd_error *e = jd_context_error(((model_case *)*state)->context);
        if (got != JD_WRONG_UNIT) fail_msg("%s: %s", text, e->message);
        says("message", e->message, bad[i].message);
    }
    refuses(*state, BEAM "drives: {d: {type: harmonic, at: r, amplitude: 1 N, frequency: 1 Hz}}\n",
            NULL, JD_WRONG_UNIT, "m.yaml:3:48", "must be like N m", "rotation");
    refuses(*state, BEAM "connections: {s: {type: spring, at: r, stiffness: 1 N/m}}\n", NULL,
            JD_WRONG_UNIT, "m.yaml:3:51", "must be like N m/rad", "rotation");
    reads(*state,
          BEAM "contacts: {k: {at: r, against: {velocity: 1 rad/s}, law: {type: coulomb, limit: "
               "1 N m, stiffness: 2 N m}}}\n",
          NULL);
}

static void painleve_is_named_with_its_number(void **state) {
    (void)state;
    // the normal direction gives way in a soft mode: no wedging
    warns("judder: 1\nstructure: {type: modes, omega: [10, 1], shapes: {x: [1, 0], y: [-0.5, "
          "0.8660254037844386]}}\ncontacts: {k: {at: {normal: y, tangential: x}, law: {type: "
          "dry-contact, gap: 0, coefficient: 2.5, restitution: 0}}}\n",
          1, "the coefficient 2.5 is not below mu_P = 2");
}

static jd_stop stop_of(model_case *m, const char *text, long *events) {
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    jd_report report;
    reads(m, text, NULL);
    assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_OK);
    for (*events = 0; step == JD_STEP_EVENT; *events += step == JD_STEP_EVENT)
        assert_int_equal(jd_run_advance(run, 20, &step), JD_OK);
    jd_run_report(run, &report);
    jd_run_free(run);
    return report.stop;
}

// Friction of limit 0 has no events; a spring that falls off throws the motion out by that name.
static void motions_without_friction_or_bounds(void **state) {
    long events;
    assert_int_equal(
        stop_of(*state,
                CHAIN C("a",
                        "type: coulomb, limit: 0") "drives: {f: {at: b, type: harmonic, amplitude: "
                                                   "1, frequency: "
                                                   "1.1}}\nsimulate: {until: 20, engine: series}\n",
                &events),
        JD_STOP_NONE);
    assert_int_equal(events, 0);
    assert_int_equal(
        stop_of(*state,
                CHAIN C("b", "type: cubic, cubic: -1") "start: {type: state, displacement: [5, 9, "
                                                       "5]}\nsimulate: "
                                                       "{until: 20}\n",
                &events),
        JD_STOP_UNBOUNDED);
}

// What an engine cannot compute, by name.
static void rigid_contacts_that_do_not_go_together(void **state) {
    static const char *const bad[][2] = {
        {CHAIN "contacts: {k: {at: a, law: {type: stop, gap: -0.1, restitution: 0.5}},\n"
               "  l: {at: {direction: {a: -1}}, law: {type: stop, gap: -0.2, restitution: 0.5}}}\n"
               "start: {type: static}\nsimulate: {until: 1}\n",
         "contact `k` starts 0.1 beyond its stop"},
        {CHAIN "contacts: {k: {at: a, law: {type: stop, gap: -0.1, restitution: 0.5}},\n"
               "  l: {at: {direction: {a: -1}}, law: {type: stop, gap: -0.2, restitution: 0.5}}}\n"
               "simulate: {until: 1, engine: series}\n",
         "rigid contacts depend on each other"},
        {CHAIN "contacts: {k: {at: " TWO ", law: {" PAD ", tangential_stiffness: 1}},\n"
               "  l: {at: a, law: {type: coulomb, limit: 1}}}\n"
               "simulate: {until: 1}\n",
         "friction with a spring under a rigid normal part, beside another rigid contact"},
    };
    model_case *m = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        jd_run *run = NULL;
        reads(m, bad[i][0], i == 2 ? "simulate.engine=series" : NULL);
        assert_int_not_equal(jd_run_create(m->context, m->problem, &run), JD_OK);
        says("message", jd_context_error(m->context)->message, bad[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(laws_with_numbers_out_of_range),
        MODEL_TEST(keys_of_friction_and_stops_that_contradict_each_other),
        MODEL_TEST(keys_of_dry_contacts_and_iwan_that_contradict_each_other),
        MODEL_TEST(places_with_the_wrong_directions),
        MODEL_TEST(places_that_do_not_move_or_belong_together),
        MODEL_TEST(normals_that_are_none),
        MODEL_TEST(partners_that_are_none),
        MODEL_TEST(two_rigid_normals_in_one_direction),
        cmocka_unit_test(coefficients_and_stiffnesses_that_are_too_large),
        MODEL_TEST(a_dof_that_does_not_exist),
        MODEL_TEST(a_hundred_thousand_contacts),
        cmocka_unit_test(a_static_limit_beside_a_limit_that_swings),
        MODEL_TEST(rotations_and_translations_have_their_units),
        cmocka_unit_test(painleve_is_named_with_its_number),
        MODEL_TEST(motions_without_friction_or_bounds),
        MODEL_TEST(rigid_contacts_that_do_not_go_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
