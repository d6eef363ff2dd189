// measured.c -- a structure known from its frequency responses alone: made from random modes, it
// gives their numbers and events back, exactly without noise and within the stated error with it;
// data that no passive structure has are refused with the frequency.
#include <complex.h>
#include <math.h>
#include <unistd.h>

#include "how_many.h"
#include "memory_case.h"
#include "structure.h"

enum { MODES = 6, LINES = 500, TRIALS = 8 };

typedef struct truth {
    int n, points;
    double omega[MODES], ratio[MODES], shape[3][MODES];
} truth;

static const char *const name[] = {"tip", "mid", "end"};
static unsigned long long seed = 7;

static double random_in(double low, double high) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static double normal(void) { // of variance 1
    return sqrt(-2 * log(random_in(1e-12, 1))) * cos(random_in(0, 6.283185307179586));
}

static truth random_truth(int points) {
    truth t = {.n = 2 + (int)random_in(0, MODES - 1), .points = points};
    for (int k = 0; k < t.n; k++) {
        t.omega[k] = (k ? t.omega[k - 1] : 10) * random_in(1.2, 1.8);
        t.ratio[k] = random_in(0.004, 0.04);
        for (int i = 0; i < points; i++)
            t.shape[i][k] = random_in(0.3, 1) * (i && random_in(-1, 1) < 0 ? -1 : 1);
    }
    return t;
}

static double complex mobility(const truth *t, int i, int j, double omega) {
    double complex s = omega * (double complex)_Complex_I, sum = 0;
    for (int k = 0; k < t->n; k++)
        sum += t->shape[i][k] * t->shape[j][k] /
               (s * s + 2 * t->ratio[k] * t->omega[k] * s + t->omega[k] * t->omega[k]);
    return s * sum;
}

// The response of all points to a force at the first, as a hammer gives it. turned: from this
// frequency on, over a tenth, the driving point has the wrong phase.
static void write_file(const char *path, const truth *t, int quantity, double noise,
                       double turned) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "# made by a test\nfrequency");
    for (int i = 0; i < t->points; i++) fprintf(f, ",%s/tip.re,%s/tip.im", name[i], name[i]);
    double top = 1.15 * t->omega[t->n - 1];
    fprintf(f, "\n0"); // analysers write a line for frequency 0, too
    for (int i = 0; i < t->points; i++) fprintf(f, ",1,0");
    for (int k = 1; k <= LINES; k++) {
        double omega = top * k / LINES;
        fprintf(f, "\n%.17g", omega);
        for (int i = 0; i < t->points; i++) {
            double complex s = omega * (double complex)_Complex_I, y = mobility(t, i, 0, omega);
            if (i == 0 && omega > turned && omega < 1.1 * turned) y = -conj(y);
            y *= quantity == 0 ? 1 / s : quantity == 2 ? s : 1;
            y *= 1 + noise * (normal() + normal() * (double complex)_Complex_I) / sqrt(2);
            fprintf(f, ",%.17g,%.17g", creal(y), cimag(y));
        }
    }
    fprintf(f, "\n");
    fclose(f);
}

static void join(char *out, size_t size, const truth *t, const double *value) {
    size_t used = 0;
    for (int k = 0; k < t->n; k++)
        used += (size_t)snprintf(out + used, size - used, "%s%.17g", k ? ", " : "", value[k]);
}

static motion *run_true(const truth *t, const char *rest, double until) {
    char list[4][256], text[3000];
    join(list[0], sizeof list[0], t, t->omega);
    join(list[1], sizeof list[1], t, t->ratio);
    join(list[2], sizeof list[2], t, t->shape[0]);
    join(list[3], sizeof list[3], t, t->shape[t->points - 1]);
    snprintf(text, sizeof text,
             "judder: 1\nstructure: {type: modes, omega: [%s], ratio: [%s],"
             " shapes: {tip: [%s]%s%s%s}}\n%s",
             list[0], list[1], list[2], t->points > 1 ? ", mid: [" : "",
             t->points > 1 ? list[3] : "", t->points > 1 ? "]" : "", rest);
    return motion_of(text, until, 0, NULL);
}

static motion *run_measured(const char *path, int quantity, double error, const char *rest,
                            double until) {
    static const char *const quantities[] = {"receptance", "mobility", "accelerance"};
    char text[3000];
    snprintf(text, sizeof text,
             "judder: 1\nstructure: {type: measured, file: %s, quantity: %s, frequency: rad/s,"
             " error: %g}\n%s",
             path, quantities[quantity], error, rest);
    return motion_of(text, until, 0, NULL);
}

// Friction at the tip, pushed at the last point.
static const char *driven(const truth *t, char *text, size_t size) {
    snprintf(text, size,
             "contacts: {rub: {at: tip, against: ground, law: {type: coulomb, limit: 0.3}}}\n"
             "drives: {push: {at: %s, type: harmonic, amplitude: 1, frequency: %.17g}}\n"
             "simulate: {until: 1000}\n",
             name[t->points - 1], 1.05 * t->omega[0]);
    return text;
}

static void events_come_back(double noise, double error, double worst_allowed) {
    char path[] = "/tmp/judder-measured-XXXXXX", rest[600];
    int file = mkstemp(path), compared = 0;
    assert_true(file >= 0);
    close(file);
    double worst = 0;
    for (int i = 0; i < TRIALS; i++) {
        truth t = random_truth(1 + i % 2);
        double period = 6.283185307179586 / t.omega[0], until = 3 * period;
        write_file(path, &t, i % 3, noise, HUGE_VAL);
        driven(&t, rest, sizeof rest);
        motion *a = run_true(&t, rest, until);
        motion *b = run_measured(path, i % 3, error, rest, until);
        for (int k = 0; k < a->n && k < b->n; k++, compared++) {
            assert_int_equal(jd_contact_letter(a->event[k].to), jd_contact_letter(b->event[k].to));
            worst = fmax(worst, fabs(a->event[k].t - b->event[k].t) / period);
        }
        assert_int_equal(a->n, b->n);
        motion_close(a);
        motion_close(b);
    }
    print_message("   noise %g: %d events, off by %.1e of a period\n", noise, compared, worst);
    assert_true(compared > 5 * TRIALS);
    assert_true(worst < worst_allowed);
    unlink(path);
}

static void clean_data_give_the_events_back(void **state) {
    (void)state;
    events_come_back(0, 1e-8, 1e-7);
}

// Friction of any law; static levels and tables among them.
static void draw_any(double limit, char *out, size_t size) {
    int kind = (int)random_in(0, 4);
    double hold = limit * random_in(1, 1.4), low = limit * random_in(0.4, 0.9);
    if (kind == 0) snprintf(out, size, "{type: coulomb, limit: %.17g}", limit);
    if (kind == 1) snprintf(out, size, "{type: affine, limit: %.17g, slope: 0.02}", limit);
    if (kind == 2)
        snprintf(out, size,
                 "{type: stribeck, limit: %.17g, drop: %.17g, decay: 3, static_limit: %.17g}",
                 limit, limit - low, hold);
    if (kind == 3)
        snprintf(out, size,
                 "{type: table, velocity: [0, 0.6, 2], force: [%.17g, %.17g, %.17g], static_limit: "
                 "%.17g}",
                 limit, low, low, hold);
}

// Two points of the structure rub on belts; or a string with all its modes rubs on one of them.
static void draw_bodies(const truth *t, bool string, char *text, size_t size) {
    char one[256], two[256];
    draw_any(random_in(0.1, 0.4), one, sizeof one);
    draw_any(random_in(0.1, 0.4), two, sizeof two);
    int n = snprintf(text, size,
                     "drives: {push: {at: m.mid, type: harmonic, amplitude: %.17g, frequency: "
                     "%.17g, phase: %.17g}}\nsimulate: {engine: memory, tolerance: 1e-8, until: "
                     "1000, ledger: false}\ncontacts:\n",
                     random_in(0.5, 2), random_in(0.8, 1.3) * t->omega[0], random_in(-3, 3));
    if (string)
        snprintf(text + n, size - (size_t)n, "  a: {at: s.bow, against: m.tip, law: %s}\n", one);
    else
        snprintf(text + n, size - (size_t)n,
                 "  a: {at: m.tip, against: {velocity: %.17g}, law: %s}\n"
                 "  b: {at: m.mid, against: {velocity: %.17g}, law: %s}\n",
                 random_in(-0.2, 0.2), one, random_in(-0.2, 0.2), two);
}

static motion *run_bodies(const char *structure, bool string, const char *rest, double until) {
    char text[4000];
    snprintf(text, sizeof text, "judder: 1\nbodies:\n  m: %s\n%s%s", structure,
             string ? "  s: {type: string, length: 1, tension: 12, mass_per_length: 0.02, modes: "
                      "infinite, points: {bow: 0.21}, damping: {type: ratio, value: 0.06}}\n"
                    : "",
             rest);
    return motion_of(text, until, 0, NULL);
}

static void every_law_rubs_on_a_measured_structure(void **state) {
    (void)state; // by hand 120 models
    char path[] = "/tmp/judder-measured-XXXXXX", rest[1500], list[4][256], known[2000],
         measured[256];
    int file = mkstemp(path), compared = 0;
    double worst = 0;
    assert_true(file >= 0);
    close(file);
    for (int i = 0; i < how_many(12, 6); i++) {
        truth t = random_truth(2);
        double until = 25 / t.omega[0];
        bool string = i % 3 == 0;
        write_file(path, &t, 1, 0, HUGE_VAL);
        join(list[0], sizeof list[0], &t, t.omega);
        join(list[1], sizeof list[1], &t, t.ratio);
        for (int k = 0; k < 2; k++) join(list[2 + k], sizeof list[2], &t, t.shape[k]);
        snprintf(known, sizeof known,
                 "{type: modes, omega: [%s], ratio: [%s], shapes: {tip: [%s], mid: [%s]}}", list[0],
                 list[1], list[2], list[3]);
        snprintf(measured, sizeof measured,
                 "{type: measured, file: %s, quantity: mobility, frequency: rad/s, error: 1e-8}",
                 path);
        draw_bodies(&t, string, rest, sizeof rest);
        motion *a = run_bodies(known, string, rest, until),
               *b = run_bodies(measured, string, rest, until);
        compared += a->n;
        worst = fmax(worst, motion_apart(a, b) * t.omega[0]);
        motion_close(a);
        motion_close(b);
    }
    print_message("   %d events, off by %.1e\n", compared, worst);
    unlink(path);
    assert_true(compared > 20);
    assert_true(worst < 1e-6);
}

static void noisy_data_give_the_events_back_within_the_stated_error(void **state) {
    (void)state;
    events_come_back(0.003, 0.01, 0.01);
}

static void frequencies_damping_and_masses_come_back(void **state) {
    (void)state;
    char path[] = "/tmp/judder-measured-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    jd_context *context = jd_context_create(NULL);
    double worst = 0;
    for (int i = 0; i < TRIALS; i++) {
        truth t = random_truth(1 + i % 3);
        write_file(path, &t, i % 3, 0, HUGE_VAL);
        jd_measured_def d = {.file = path, .quantity = i % 3, .frequency = 1, .error = 1e-8};
        jd_structure *s;
        if (jd_structure_create(context, structure_type("measured"), &d, &s) != JD_OK)
            fail_msg("%s", jd_context_error(context)->message);
        int n = jd_structure_modes(s);
        jd_mode *mode = calloc((size_t)n, sizeof *mode);
        jd_structure_mode_list(s, mode);
        assert_true(n >= t.n);
        for (int k = 0; k < t.n; k++) {
            double near = HUGE_VAL;
            for (int l = 0; l < n; l++)
                near = fmin(near, fabs(mode[l].omega / t.omega[k] - 1) +
                                      fabs(mode[l].damping_ratio / t.ratio[k] - 1));
            worst = fmax(worst, near);
        }
        free(mode);
        jd_structure_free(s);
    }
    jd_context_free(context);
    print_message("   frequencies and damping: %.1e\n", worst);
    assert_true(worst < 1e-5);
    unlink(path);
}

static void refused_in(const char *path, int quantity, int unit, jd_status status,
                       const char *words) {
    jd_context *context = jd_context_create(NULL);
    jd_measured_def d = {.file = path, .quantity = quantity, .frequency = unit, .error = 0.02};
    jd_structure *s = NULL;
    jd_status got = jd_structure_create(context, structure_type("measured"), &d, &s);
    const jd_error *e = jd_context_error(context);
    print_message("   %s: %s\n", e->where, e->message);
    assert_null(s);
    assert_int_equal(got, status);
    if (!strstr(e->message, words)) fail_msg("`%s` does not say `%s`", e->message, words);
    jd_context_free(context);
}

static void refused(const char *path, int quantity, jd_status status, const char *words) {
    refused_in(path, quantity, 1, status, words);
}

static void data_that_give_energy_are_refused_with_the_frequency(void **state) {
    (void)state;
    char path[] = "/tmp/judder-measured-XXXXXX", words[64];
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    truth t = random_truth(2);
    write_file(path, &t, 1, 0.003, 0.97 * t.omega[1]);
    snprintf(words, sizeof words, "not passive: at %.2g", t.omega[1] / 6.283185307179586);
    words[strlen(words) - 1] = '\0'; // the first digits
    refused(path, 1, JD_NOT_SUPPORTED, words);
    write_file(path, &t, 1, 0, HUGE_VAL);
    refused(path, 2, JD_NOT_SUPPORTED, "not passive"); // mobility taken for accelerance
    unlink(path);
}

static void broken_files_are_refused_by_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
        jd_status status;
    } bad[] = {
        {"1,2,3\n", "name the columns", JD_BROKEN_TABLE},
        {"frequency,a/a.re\n1,2\n", "no imaginary part", JD_BROKEN_TABLE},
        {"frequency,a.re,a.im\n1,2,3\n", "motion/force", JD_BROKEN_TABLE},
        {"frequency,a/b.re,a/b.im\n1,2,3\n", "pushed and watched itself", JD_BROKEN_TABLE},
        {"frequency,a/a.re,a/a.im,b/c.re,b/c.im\n1,2,3,2,3\n", "links point `b`", JD_BROKEN_TABLE},
        {"frequency,a/a.re,a/a.im\n1,2,3\n1,2,3\n", "must ascend", JD_OUT_OF_RANGE},
        {"frequency,a/a.re,a/a.im\n1,2,3\n1e61,2,3\n", "too large", JD_OUT_OF_RANGE},
        {"frequency,a/a.re,a/a.im\n1,2,3\n1e308,2,3\n", "too large", JD_OUT_OF_RANGE}, // 2 pi: inf
        {"frequency,a/a.re,a/a.im\n1,2,x\n", "imaginary part", JD_BROKEN_TABLE},
        {"frequency,a/a.re,a/a.im\n1,2,3\n", "at least 8", JD_BROKEN_TABLE},
        {"frequency,a/a.re,a/a.im,a/a.re,a/a.im\n1,2,3,2,3\n", "twice", JD_BROKEN_TABLE},
    };
    char path[] = "/tmp/judder-measured-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fputs(bad[i].text, f);
        fclose(f);
        for (int unit = 0; unit < 2; unit++) // Hz, rad/s
            for (int quantity = 0; quantity < 3; quantity++)
                refused_in(path, quantity, unit, bad[i].status, bad[i].words);
    }
    unlink(path);
}

// More modes than the frequencies can tell apart.
static void more_modes_than_the_data_have_are_refused(void **state) {
    (void)state;
    char path[] = "/tmp/judder-measured-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *f = fdopen(file, "w");
    assert_non_null(f);
    fputs("frequency,a/a.re,a/a.im\n", f);
    for (int k = 1; k <= 11; k++) fprintf(f, "%d,1,0\n", k);
    fclose(f);
    for (int modes = 2; modes <= 60; modes += 29) {
        jd_context *context = jd_context_create(NULL);
        jd_measured_def d = {
            .file = path, .quantity = 1, .frequency = 1, .error = 1, .modes = modes};
        jd_structure *s = NULL;
        jd_status got = jd_structure_create(context, structure_type("measured"), &d, &s);
        assert_int_equal(got, modes == 2 ? JD_OK : JD_NOT_SUPPORTED);
        if (modes > 2)
            assert_non_null(strstr(jd_context_error(context)->message, "11 frequencies"));
        jd_structure_free(s);
        jd_context_free(context);
    }
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_data_give_the_events_back),
        cmocka_unit_test(every_law_rubs_on_a_measured_structure),
        cmocka_unit_test(noisy_data_give_the_events_back_within_the_stated_error),
        cmocka_unit_test(frequencies_damping_and_masses_come_back),
        cmocka_unit_test(data_that_give_energy_are_refused_with_the_frequency),
        cmocka_unit_test(broken_files_are_refused_by_line),
        cmocka_unit_test(more_modes_than_the_data_have_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
