// follow_functions.c -- functions of measures located along branches, ends at their values, and
// numbers that are varied together, beside closed forms.
//   A free oscillator has the amplitude A(w) = F/sqrt((1 - w^2)^2 + (a w)^2).
#include <math.h>

#include "draws.h"
#include "follow_case.h"

#define OSCILLATOR(follow)                                                                         \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {left-end: {node: 1}},\n"   \
    "  damping: {type: rayleigh, mass: 0.1}, supports: {left: fixed, right: free}}\n"              \
    "contacts: {stop: {at: left-end, law: {type: stop, gap: 100, restitution: 1}}}\n"              \
    "drives: {force: {at: left-end, type: harmonic, amplitude: 1, frequency: 0.3}}\n"              \
    "start: rest\norbit: {settle: 100 periods}\n"                                                  \
    "follow: {parameter: drives.force.frequency, from: 0.3, to: 2" follow "}\n"

static double amplitude(double w) { return 1 / hypot(1 - w * w, 0.1 * w); }

// A = p on both sides of the resonance; names with hyphens, powers, period and parameter.
static void zeros_lie_on_the_closed_form(void **state) {
    for (int i = 0; i < 6; i++) {
        char text[1500];
        double p = uniform(1.5, 8);
        snprintf(text, sizeof text,
                 OSCILLATOR(", functions: {level: left-end.displacement.max-%.17g, speed: "
                            "left-end.velocity.amplitude^2 - (2*3.14159265358979312/period*%.17g)^2"
                            ", middle: parameter - 0.77}"),
                 p, p);
        jd_follow *f = follows(*state, text, NULL, NULL);
        const jd_follow_view *v = jd_follow_look(f);
        int level = 0, speed = 0, middle = 0;
        for (int k = 0; k < v->n_special; k++) {
            const jd_special *s = &v->special[k];
            assert_int_equal(s->kind, JD_SPECIAL_FUNCTION);
            if (!strcmp(s->name, "middle")) {
                assert_near(s->parameter, 0.77, 1e-14);
                middle++;
                continue;
            }
            double w = s->parameter, slope = fabs(amplitude(w + 1e-5) - amplitude(w - 1e-5)) / 2e-5;
            level += !strcmp(s->name, "level");
            speed += !strcmp(s->name, "speed");
            assert_true(s->error < 1e-10);
            assert_near(amplitude(w), p, slope * s->error + 1e-14 * p);
        }
        assert_int_equal(level, 2);
        assert_int_equal(speed, 2);
        assert_int_equal(middle, 1);
        assert_int_equal(v->kept.n_also, 3); // recorded at every point, too
        for (int k = 0; k < v->n_point; k++)
            assert_near(v->kept.also_value[3 * k + 2], v->point[k].parameter - 0.77, 1e-15);
        jd_follow_free(f);
    }
}

// The peak 1/(a sqrt(1 - a^2/4)) of A at w^2 = 1 - a^2/2: A less that touches 0 there; less a
// little less it has two zeros next to each other, less a little more none. Squares and moduli of A
// - p have double zeros where A = p.
static void double_zeros_are_found(void **state) {
    double peak = 1 / (0.1 * sqrt(1 - 0.0025)), at = sqrt(1 - 0.005), little = 1e-7;
    for (int i = 0; i < 4; i++) {
        char text[1500];
        double p = uniform(1.5, 8);
        int n[5] = {0};
        snprintf(text, sizeof text,
                 OSCILLATOR(", functions: {peak: stop.displacement.max-%.17g, two: "
                            "stop.displacement.max-%.17g, none: stop.displacement.max-%.17g, "
                            "square: (stop.displacement.max-%.17g)^2, size: "
                            "abs(stop.displacement.max-%.17g)}"),
                 peak, peak - little, peak + little, p, p);
        jd_follow *f = follows(*state, text, NULL, NULL);
        const jd_follow_view *v = jd_follow_look(f);
        for (int k = 0; k < v->n_special; k++) {
            const jd_special *s = &v->special[k];
            static const char *const names[] = {"peak", "two", "none", "square", "size"};
            double w = s->parameter, slope = fabs(amplitude(w + 1e-5) - amplitude(w - 1e-5)) / 2e-5;
            int which = 0;
            while (strcmp(s->name, names[which]) != 0) which++;
            n[which]++;
            assert_true(s->error < 1e-6);
            if (which == 0) assert_near(w, at, s->error);
            if (which == 1) assert_near(amplitude(w), peak - little, 1e-11);
            if (which > 2) assert_near(amplitude(w), p, slope * s->error + 1e-14 * p);
        }
        assert_int_equal(n[0], 1);
        assert_int_equal(n[1], 2);
        assert_int_equal(n[2], 0);
        assert_int_equal(n[3], 2);
        assert_int_equal(n[4], 2);
        jd_follow_free(f);
    }
}

static void branches_end_at_values_of_functions(void **state) {
    static const char *const text[] = {
        OSCILLATOR(", functions: {twice: 2*stop.displacement.max}, stop: {twice: 5}"),
        OSCILLATOR(", stop: {2*stop.displacement.max: 5}"),
        OSCILLATOR(", stop: {stop.displacement.max: 2.5}")};
    double first = 0;
    for (int k = 0; k < 3; k++) {
        jd_follow *f = follows(*state, text[k], NULL, NULL);
        const jd_follow_view *v = jd_follow_look(f);
        assert_int_equal(v->end, JD_END_STOP);
        assert_near(amplitude(v->end_parameter), 2.5, 1e-11);
        if (k == 0) first = v->end_parameter;
        assert_near(v->end_parameter, first, 1e-13);
        jd_follow_free(f);
    }
}

// As many measures as fit are recorded; one more, which `stop` names, is refused. One that is
// recorded already takes no room.
static void a_measure_too_many_is_refused_by_name(void **state) {
    model_case *m = *state;
    static const char *const what[] = {"displacement", "velocity", "force"}, *const how[] = {
                                                                                 "max", "min",
                                                                                 "amplitude",
                                                                                 "rms"};
    for (int fits = 0; fits < 2; fits++) {
        char text[8000];
        int n = snprintf(text, sizeof text,
                         "judder: 1\nstructure: {type: chain, count: 6, mass: 1, stiffness: 1, "
                         "points: {");
        for (int i = 1; i <= 6; i++)
            n += snprintf(text + n, sizeof text - (size_t)n, "%sp%d: {node: %d}", i > 1 ? ", " : "",
                          i, i);
        n += snprintf(text + n, sizeof text - (size_t)n, "}}\ncontacts: {");
        for (int i = 1; i <= 6; i++)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "%sc%d: {at: p%d, law: {type: stop, gap: 100, restitution: 1}}",
                          i > 1 ? ", " : "", i, i);
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "}\ndrives: {f: {at: p1, type: harmonic, amplitude: 1, frequency: 0.1}}\n"
                      "follow: {parameter: drives.f.frequency, from: 0.1, to: 0.11, measure: "
                      "c1.displacement.max, functions: {all: \"0");
        for (int k = 0; k < 64; k++)
            n += snprintf(text + n, sizeof text - (size_t)n, " + c%d.%s.%s", k / 12 + 1,
                          what[k / 4 % 3], how[k % 4]);
        snprintf(text + n, sizeof text - (size_t)n, "\"}, stop: {%s: 1e9}}\n",
                 fits ? "c2.force.rms" : "c6.force.rms");
        jd_follow *f;
        reads(m, text, NULL);
        jd_status status = jd_follow_create(m->context, m->problem, NULL, &f);
        assert_int_equal(status, fits ? JD_OK : JD_SIZE_MISMATCH);
        if (fits)
            jd_follow_free(f);
        else
            assert_non_null(strstr(jd_context_error(m->context)->message, "more than 64 measures"));
    }
}

// The root of what is negative around the resonance; beside it 0.
static void what_is_no_number_is_no_zero(void **state) {
    jd_follow *f = follows(
        *state, OSCILLATOR(", functions: {none: sqrt(3 - stop.displacement.max)*0}"), NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_true(v->n_point > 5);
    assert_int_equal(v->n_special, 0);
    jd_follow_free(f);
}

// A function that changes its sign through infinity has no zero there; one that jumps neither.
static void poles_are_no_zeros(void **state) {
    jd_follow *f = follows(*state,
                           OSCILLATOR(", functions: {pole: 1/(stop.displacement.max - 3), jump: "
                                      "(stop.displacement.max - 3)/abs(stop.displacement.max - 3), "
                                      "zero: stop.displacement.max - 3}"),
                           NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->n_special, 2); // on both sides of the resonance
    for (int k = 0; k < v->n_special; k++) assert_string_equal(v->special[k].name, "zero");
    jd_follow_free(f);
}

static void a_stop_that_is_never_met_is_told(void **state) {
    jd_follow *f =
        follows(*state, OSCILLATOR(", stop: {stop.displacement.max + 1: 77}"), NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    assert_non_null(strstr(v->why, "never became 77"));
    jd_follow_free(f);
}

#define TWO(follow)                                                                                \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 2, mass: 1, stiffness: 1, points: {a: {node: 1}, b: {node: "  \
    "2}}, damping: {type: ratio, value: 0.02}, supports: {left: fixed, right: free}}\n"            \
    "contacts: {a: {at: a, law: {type: coulomb, limit: 0.1}}, b: {at: b, law: {type: coulomb, "    \
    "limit: 0.2}}}\n"                                                                              \
    "drives: {force: {at: b, type: harmonic, amplitude: 1, frequency: 0.5}}\n"                     \
    "start: rest\norbit: {settle: 100 periods}\nfollow: {" follow "}\n"

// Every point of a branch of tied numbers is the orbit of the model with those numbers.
static void tied_numbers_change_together(void **state) {
    model_case *m = *state;
    jd_follow *f = follows(m,
                           TWO("parameters: {contacts.a.law.limit: 1, contacts.b.law.limit: 2}, "
                               "from: 0.1, to: 0.28, measure: b.displacement.max, step: 0.1"),
                           NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    assert_string_equal(v->parameter, "contacts.a.law.limit & 2*contacts.b.law.limit");
    for (int i = 0; i < v->n_point; i += 4) {
        double x = v->point[i].parameter;
        jd_problem *copy;
        assert_int_equal(jd_problem_copy(m->context, m->problem, &copy), JD_OK);
        assert_int_equal(jd_problem_set(copy, "contacts.a.law.limit", x, NULL), JD_OK);
        assert_int_equal(jd_problem_set(copy, "contacts.b.law.limit", 2 * x, NULL), JD_OK);
        assert_int_equal(jd_problem_build(copy), JD_OK);
        jd_follow_options o = jd_default_follow_options();
        o.parameter = "drives.force.amplitude"; // its first point is the orbit
        o.from = 1, o.to = 1.001, o.measure = "b.displacement.max", o.points = 1;
        jd_follow *one;
        assert_int_equal(jd_follow_create(m->context, copy, &o, &one), JD_OK);
        assert_near(jd_follow_look(one)->point[0].amplitude, v->point[i].amplitude, 1e-10);
        jd_follow_free(one);
        jd_problem_free(copy);
    }
    jd_follow_free(f);
}

// By name, on the line of the section.
static void refused(model_case *m, const char *text, jd_status status, const char *message) {
    jd_status got = model_parse(m, text, NULL);
    const jd_error *e = jd_context_error(m->context);
    if (got != status) fail_msg("%s: %s", jd_status_name(got), e->message);
    assert_int_equal(strncmp(e->where, "m.yaml:7:", 9), 0);
    says("message", e->message, message);
}

static void bad_input_is_refused(void **state) {
    model_case *m = *state;
#define TIED "from: 0.1, to: 0.3, parameters: "
    refused(m, TWO(TIED "{contacts.a.law.limit: 0}"), JD_OUT_OF_RANGE, "a factor that is not 0");
    refused(m, TWO(TIED "{contacts.a.law.limit: 1, drives.force.frequency: 1}"), JD_WRONG_UNIT,
            "different units");
    refused(m, TWO(TIED "{contacts.z.law.limit: 1}"), JD_UNKNOWN_KEY,
            "no number `contacts.z.law.limit`");
    refused(m, TWO(TIED "{contacts.a.law.limit: [1, 2]}"), JD_SIZE_MISMATCH, "2 factors");
    refused(m, TWO(TIED "{contacts.a.law.limit: 1}, parameter: contacts.a.law.limit"),
            JD_BAD_ARGUMENT, "both given");
    refused(m, TWO("from: 0.1, to: 0.3"), JD_MISSING_KEY, "`parameter` is missing");
    static const char *const wrong[] = {", functions: {x: nowhere.displacement.max - 1}",
                                        ", functions: {x: stop.displacement.max +}",
                                        ", functions: {x: y - 1}",
                                        ", stop: {stop.displacement.max = 2: 1}"};
    for (int k = 0; k < 4; k++) {
        char text[1500];
        jd_follow *f;
        snprintf(text, sizeof text, OSCILLATOR("%s"), wrong[k]);
        reads(m, text, NULL);
        assert_int_not_equal(jd_follow_create(m->context, m->problem, NULL, &f), JD_OK);
        const jd_error *e = jd_context_error(m->context);
        print_message("%s: %s\n", e->where, e->message);
        assert_non_null(strstr(e->where, k == 3 ? "follow.stop" : "follow.functions"));
        assert_true(e->hint[0]);
    }
}

int main(void) {
    seed = 3;
    const struct CMUnitTest tests[] = {
        MODEL_TEST(zeros_lie_on_the_closed_form),
        MODEL_TEST(double_zeros_are_found),
        MODEL_TEST(branches_end_at_values_of_functions),
        MODEL_TEST(poles_are_no_zeros),
        MODEL_TEST(a_stop_that_is_never_met_is_told),
        MODEL_TEST(a_measure_too_many_is_refused_by_name),
        MODEL_TEST(what_is_no_number_is_no_zero),
        MODEL_TEST(tied_numbers_change_together),
        MODEL_TEST(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
