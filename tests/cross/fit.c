// fit.c -- numbers found again from noisy samples of the friction beam, and what is refused.
//   Samples of the tip over one period, with normal noise of 2 % of their root mean square;
//   limit, damping and bending stiffness (its first frequency) start 4 to 20 % off. Errors beyond
//   three standard deviations are counted: 0.8 % of three normal numbers would have one. `fit COUNT
//   FIRST` takes other seeds.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judder/judder.h"
#include "near.h"

static int count = 4;
static unsigned long long seed = 1;

enum { TIMES = 80 };
static const char *const beam =
    "judder: 1\n"
    "structure: {type: fe-beam, length: 2.47, bending_stiffness: %.17g, mass_per_length: 35.4, "
    "elements: 2, supports: {left: clamped, right: free}, points: {mid: 1.235, tip: 2.47}, "
    "damping: "
    "{type: ratio, value: %.17g}}\n"
    "contacts: {tip: {at: tip, law: {type: coulomb, limit: %.17g}}}\n"
    "drives: {shaker: {at: mid, type: harmonic, amplitude: 2.4, frequency: %.17g}}\n"
    "orbit: {periods: 1, settle: 60 periods}\n"
    "fit: {parameters: [contacts.tip.law.limit, structure.damping.value, "
    "structure.bending_stiffness], data: fit_samples.csv}\n";
static const double truth[] = {0.66, 0.03, 1.09e4}, omega = 11.1;

static double uniform(void) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}
static double normal(void) { return sqrt(-2 * log(uniform())) * cos(2 * acos(-1.0) * uniform()); }

static jd_problem *parse(jd_context *context, const char *text) {
    jd_problem *p;
    if (jd_model_parse(context, "m.yaml", ".", text, strlen(text), 0, NULL, &p))
        fail_msg("%s", jd_context_error(context)->message);
    return p;
}

// The true motion without noise: TIMES rows of t, tip.
static void true_samples(jd_context *context, double (*out)[2]) {
    char text[2000];
    jd_orbit *orbit;
    jd_run *run;
    snprintf(text, sizeof text, beam, truth[2], truth[1], truth[0], omega);
    jd_problem *p = parse(context, text);
    assert_int_equal(jd_orbit_create(context, p, NULL, &orbit), JD_OK);
    assert_true(jd_orbit_look(orbit)->found && jd_orbit_look(orbit)->n_event >= 2);
    assert_int_equal(jd_orbit_run(orbit, &run), JD_OK);
    for (int i = 0; i < TIMES; i++) {
        jd_step step = JD_STEP_EVENT;
        double u[8], v[8], f[8], t = jd_orbit_look(orbit)->period * i / TIMES;
        while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, t, &step), JD_OK);
        jd_run_observe_contacts(run, t, u, v, f);
        out[i][0] = t;
        out[i][1] = u[0];
    }
    jd_run_free(run);
    jd_orbit_free(orbit);
    jd_problem_free(p);
}

static void write_samples(double (*x)[2]) {
    FILE *f = fopen("fit_samples.csv", "w");
    double size = 0;
    for (int i = 0; i < TIMES; i++) size += x[i][1] * x[i][1];
    size = sqrt(size / TIMES);
    fprintf(f, "# made by the test\nt,tip\n");
    for (int i = 0; i < TIMES; i++)
        fprintf(f, "%.17g,%.17g\n", x[i][0], x[i][1] + 0.02 * size * normal());
    fclose(f);
}

static void numbers_are_found_again_from_noisy_samples(void **unused) {
    (void)unused;
    static double sample[TIMES][2];
    jd_context *context = jd_context_create(NULL);
    int beyond = 0;
    long orbits = 0, differences = 0;
    double spread = 0;
    true_samples(context, sample);
    for (int s = 0; s < count; s++) {
        char text[2000];
        jd_fitting *fit;
        bool inside = true;
        write_samples(sample);
        snprintf(text, sizeof text, beam, 1.04 * truth[2], 0.8 * truth[1], 1.1 * truth[0], omega);
        jd_problem *p = parse(context, text);
        if (jd_fitting_create(context, p, &fit)) fail_msg("%s", jd_context_error(context)->message);
        const jd_fit_view *v = jd_fitting_look(fit);
        assert_true(v->end <= JD_FIT_EXACT);
        for (int k = 0; k < 3; k++) {
            const jd_fit_parameter *q = &v->parameter[k];
            inside &= fabs(q->value - truth[k]) <= 3 * q->deviation;
            spread = fmax(spread, q->deviation / truth[k]);
        }
        beyond += !inside;
        orbits += v->orbits;
        differences += v->differences;
        assert_true(v->estimated && v->noise > 0);
        jd_fitting_free(fit);
        jd_problem_free(p);
    }
    print_message(
        "%d of %d seeds within three standard deviations (largest %.2g %%); %ld orbits, by "
        "differences %ld\n",
        count - beyond, count, 100 * spread, orbits, differences);
    assert_true(beyond * 20 <= count);
    assert_true(orbits < differences);
    jd_context_free(context);
    unlink("fit_samples.csv");
}

static void refuse(const char *data, const char *fit, jd_status status, const char *says) {
    jd_context *context = jd_context_create(NULL);
    char text[1500];
    jd_fitting *f;
    FILE *file = fopen("fit_bad.csv", "w");
    fputs(data, file);
    fclose(file);
    snprintf(
        text, sizeof text,
        "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 4, supports: {left: "
        "fixed, right: free}, damping: {type: rayleigh, mass: 0.1, stiffness: 0.01}, points: "
        "{a: {node: 1}}}\ncontacts: {far: {at: a, law: {type: stop, gap: 9, restitution: "
        "0.5}}}\ndrives: {f: {at: a, type: harmonic, amplitude: 1, frequency: 1.5}}\n"
        "orbit: {periods: 1}\nfit: {%s, data: fit_bad.csv}\n",
        fit);
    jd_problem *p = parse(context, text);
    assert_int_equal(jd_fitting_create(context, p, &f), status);
    if (!strstr(jd_context_error(context)->message, says))
        fail_msg("%s", jd_context_error(context)->message);
    jd_problem_free(p);
    jd_context_free(context);
    unlink("fit_bad.csv");
}

static void what_cannot_be_fitted_is_refused_by_name(void **unused) {
    (void)unused;
    static const char *const good = "t,a\n0,0.1\n0.5,0.3\n1,0.2\n2,-0.1\n3,0.4\n";
    refuse("t,a\n0,0.1\n0.5,0.2\n", "parameters: [structure.stiffness, structure.mass]",
           JD_SIZE_MISMATCH, "2 values cannot tell 2 numbers");
    refuse(good, "parameters: contacts.far.law.gap", JD_NOT_SUPPORTED,
           "`contacts.far.law.gap` does not matter");
    refuse(good,
           "parameters: [structure.stiffness, structure.damping.mass, "
           "structure.damping.stiffness]",
           JD_NOT_SUPPORTED, "cannot be told apart");
    refuse(good, "parameters: structure.count", JD_WRONG_TYPE, "a count");
    refuse("t,b\n0,0.1\n1,2\n3,4\n", "parameters: structure.stiffness", JD_UNKNOWN_NAME, "`b`");
    refuse("x,a\n0,0.1\n1,2\n3,4\n", "parameters: structure.stiffness", JD_BROKEN_TABLE, "`x`");
    refuse("t,a\n0,0.1\n1,x\n3,4\n", "parameters: structure.stiffness", JD_BROKEN_TABLE, "a");
    refuse("drives.f.frequency,a\n1,0.1\n1.2,2\n1.4,4\n", "parameters: drives.f.frequency",
           JD_NOT_SUPPORTED, "measured over");
    refuse("# nothing\n", "parameters: structure.stiffness", JD_EMPTY_FILE, "no data");
}

// Amplitudes over the frequency without noise: the numbers come back to the last digits.
// Stick-slip on a belt has the amplitude sqrt((S - R)^2 + v^2): only the difference of both limits
// can be found; with one of them given the other is.
static void limits_on_a_belt_are_told_apart_only_by_their_difference(void **unused) {
    (void)unused;
    FILE *f = fopen("fit_belt.csv", "w");
    assert_non_null(f);
    fprintf(f, "contacts.c.against.velocity,c\n");
    for (int i = 1; i <= 6; i++) fprintf(f, "%.17g,%.17g\n", 0.1 * i, hypot(0.5, 0.1 * i));
    fclose(f);
    for (int both = 0; both < 2; both++) {
        char text[900];
        jd_context *context = jd_context_create(NULL);
        jd_problem *problem;
        jd_fitting *fit;
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: "
                 "{node: 1}}, supports: {left: fixed, right: free}}\n"
                 "contacts: {c: {at: m, against: {velocity: 0.3}, law: {type: coulomb, limit: 1.1, "
                 "static_limit: 1.5}}}\nstart: rest\norbit: {settle: 60}\n"
                 "fit: {parameters: [%scontacts.c.law.static_limit], data: fit_belt.csv}\n",
                 both ? "contacts.c.law.limit, " : "");
        assert_int_equal(
            jd_model_parse(context, "m.yaml", ".", text, strlen(text), 0, NULL, &problem), JD_OK);
        jd_status status = jd_fitting_create(context, problem, &fit);
        assert_int_equal(status, both ? JD_NOT_SUPPORTED : JD_OK);
        if (both)
            assert_non_null(strstr(jd_context_error(context)->message, "cannot be told apart"));
        else
            assert_near(jd_fitting_look(fit)->parameter[0].value, 1.6, 1e-9);
        if (!both) jd_fitting_free(fit);
        jd_problem_free(problem);
        jd_context_free(context);
    }
    unlink("fit_belt.csv");
}

static void amplitudes_without_noise_give_the_numbers_back(void **unused) {
    (void)unused;
    jd_context *context = jd_context_create(NULL);
    static const char *const text =
        "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: %g, supports: {left: "
        "fixed, right: free}, damping: {type: rayleigh, mass: %g, stiffness: 0}, points: {a: "
        "{node: 1}}}\ndrives: {f: {at: a, type: harmonic, amplitude: 1, frequency: 1.5}}\n"
        "orbit: {periods: 1}\nfit: {parameters: [structure.stiffness, structure.damping.mass], "
        "data: fit_response.csv}\n";
    double k = 4, c = 0.2;
    char model[800];
    jd_fitting *fit;
    FILE *f = fopen("fit_response.csv", "w");
    fprintf(f, "drives.f.frequency,a\n");
    for (double w = 1.5; w < 2.6; w += 0.1)
        fprintf(f, "%.17g, %.17g\n", w, 1 / hypot(k - w * w, c * w));
    fclose(f);
    snprintf(model, sizeof model, text, 4.3, 0.17);
    jd_problem *p = parse(context, model);
    if (jd_fitting_create(context, p, &fit)) fail_msg("%s", jd_context_error(context)->message);
    const jd_fit_view *v = jd_fitting_look(fit);
    assert_false(v->samples);
    assert_near(v->parameter[0].value, k, 1e-9); // measured 1e-13
    assert_near(v->parameter[1].value, c, 1e-9);
    jd_fitting_free(fit);
    jd_problem_free(p);
    jd_context_free(context);
    unlink("fit_response.csv");
}

// A mass between springs hardens: followed from below its resonance the orbit is the large one
// where a motion from rest settles to the small one. The numbers are found again along the large
// one, and the rows at which `orbit` finds another one are told.
static void rows_on_another_orbit_are_told(void **unused) {
    static const char *const text =
        "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: %g, supports: {left: "
        "fixed, right: free}, damping: {type: rayleigh, mass: 0.05, stiffness: 0}, points: {a: "
        "{node: 1}}}\ncontacts: {c: {at: a, law: {type: stop, gap: 1, stiffness: 2, sides: "
        "both}}}\ndrives: {f: {at: a, type: harmonic, amplitude: 0.2, frequency: 0.9}}\nstart: "
        "rest\norbit: {periods: 1, settle: 100 periods}\nfit: {parameters: structure.stiffness, "
        "data: fit_two.csv}\n";
    enum { ROWS = 12 };
    (void)unused;
    jd_context *context = jd_context_create(NULL);
    char model[1500];
    double state[2], large[ROWS];
    char phase[8] = "";
    bool two[ROWS];
    int others = 0;
    jd_fitting *fit;
    FILE *file = fopen("fit_two.csv", "w");
    fprintf(file, "drives.f.frequency,c\n");
    snprintf(model, sizeof model, text, 1.0);
    jd_problem *p = parse(context, model);
    for (int i = 0; i < ROWS; i++) {
        double w = 0.9 + 0.04 * i, small;
        jd_orbit *orbit;
        jd_orbit_options o = jd_default_orbit_options();
        assert_int_equal(jd_problem_set(p, "drives.f.frequency", w, NULL), JD_OK);
        assert_int_equal(jd_orbit_create(context, p, &o, &orbit), JD_OK);
        const jd_range *r = &jd_orbit_look(orbit)->range[0].displacement;
        small = (r->max - r->min) / 2;
        jd_orbit_free(orbit);
        if (i > 0) o.state = state, o.phase = phase, o.settle = 0;
        assert_int_equal(jd_orbit_create(context, p, &o, &orbit), JD_OK);
        r = &jd_orbit_look(orbit)->range[0].displacement;
        large[i] = (r->max - r->min) / 2;
        memcpy(state, jd_orbit_look(orbit)->state, sizeof state);
        snprintf(phase, sizeof phase, "%s", jd_orbit_look(orbit)->phase);
        jd_orbit_free(orbit);
        two[i] = fabs(large[i] - small) > 0.01;
        others += two[i];
        fprintf(file, "%.17g,%.17g\n", w, large[i]);
    }
    fclose(file);
    jd_problem_free(p);
    print_message("%d of %d rows have another orbit\n", others, ROWS);
    assert_true(others > 1 && others < ROWS);
    snprintf(model, sizeof model, text, 0.99);
    p = parse(context, model);
    assert_int_equal(jd_fitting_create(context, p, &fit), JD_OK);
    const jd_fit_view *v = jd_fitting_look(fit);
    assert_near(v->parameter[0].value, 1, 1e-9);
    assert_int_equal(v->others, others);
    for (int i = 0; i < ROWS; i++) assert_int_equal(v->datum[i].other, two[i]);
    jd_fitting_free(fit);
    jd_problem_free(p);
    jd_context_free(context);
    unlink("fit_two.csv");
}

int main(int argc, char **argv) {
    if (argc > 1) count = atoi(argv[1]);
    if (argc > 2) seed = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_found_again_from_noisy_samples),
        cmocka_unit_test(amplitudes_without_noise_give_the_numbers_back),
        cmocka_unit_test(rows_on_another_orbit_are_told),
        cmocka_unit_test(limits_on_a_belt_are_told_apart_only_by_their_difference),
        cmocka_unit_test(what_cannot_be_fitted_is_refused_by_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
