// reduced_models.c -- the file of `judder reduce` has the events of the model it was made from.
//   Chains of drawn masses and springs, given as matrices, with every kind of damping, reduction
//   and support; contacts at two points (no chatter: its
//   last bounces are lost in rounding), a sine and a table in a file beside the model; written
//   beside the model and into another folder. Times of events within 1e-13 of
//   the time run, times the growth of small perturbations along the run.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "draws.h"
#include "folder_case.h"
#include "how_many.h"
#include "judder/judder.h"
#include "near.h"

enum { MOST = 4000 };

static FILE *begin(const char *name, int n, int entries) {
    FILE *f = fopen(in_folder(name), "w");
    assert_non_null(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", n, n, entries);
    return f;
}

static int open_both_folders(void **state) {
    return open_folder(state) || mkdir(in_folder("away"), 0700) != 0;
}

// A chain: C has dashpots where some springs are, which couple the modes.
static void write_chain(int n, bool is_free) {
    FILE *k = begin("K.mtx", n, 2 * n - 1), *m = begin("M.mtx", n, n),
         *c = begin("C.mtx", n, 2 * n - 1);
    double left = is_free ? 0 : mixed(0.5, 2), dash = is_free ? 0 : 0.02;
    for (int i = 1; i <= n; i++) {
        double right = i < n ? mixed(0.5, 2) : 0, damper = i < n ? mixed(0, 0.05) : 0;
        fprintf(k, "%d %d %.17g\n", i, i, left + right);
        fprintf(c, "%d %d %.17g\n", i, i, dash + damper);
        if (i < n) fprintf(k, "%d %d %.17g\n", i + 1, i, -right);
        if (i < n) fprintf(c, "%d %d %.17g\n", i + 1, i, -damper);
        fprintf(m, "%d %d %.17g\n", i, i, mixed(0.5, 2));
        left = right;
        dash = damper;
    }
    fclose(k);
    fclose(m);
    fclose(c);
    FILE *load = fopen(in_folder("load.csv"), "w");
    assert_non_null(load);
    for (int i = 0; i < 20; i++) fprintf(load, "%d, %.17g\n", i, mixed(-1, 1));
    fclose(load);
}

static const char *const dampings[] = {"none", "{type: ratio, value: 0.013}",
                                       "{type: rayleigh, mass: 0.01, stiffness: 0.02}",
                                       "{type: matrix, file: C.mtx}"};
static const char *const laws[] = {"{type: coulomb, limit: 0.3}",
                                   "{type: stop, gap: 0.4, restitution: 1}",
                                   "{type: coulomb, limit: 0.4, static_limit: 0.5}"};
static const char *const reductions[] = {"free-interface", "craig-bampton", "none"};

static void write_model(int n, bool is_free, int damping) {
    write_chain(n, is_free);
    FILE *f = fopen(in_folder("m.yaml"), "w");
    assert_non_null(f);
    fprintf(f, "judder: 1\nstructure: {type: matrices, mass: M.mtx, stiffness: K.mtx, modes: %d,\n",
            3 + pick(4));
    fprintf(f, "  points: {a: {node: 2}, \"#b{é},\\\"\": {node: %d}, e: {node: %d}},\n", n / 2, n);
    fprintf(f, "  reduction: %s, damping: %s}\n", reductions[pick(3)], dampings[damping]);
    fprintf(f, "contacts:\n  one: {at: a, against: ground, law: %s}\n", laws[pick(2) * 2]);
    fprintf(f, "  two: {at: e, against: ground, law: %s}\n", laws[pick(3)]);
    fprintf(
        f,
        "drives:\n  sine: {at: \"#b{é},\\\"\", type: harmonic, amplitude: 1, frequency: %.17g}\n",
        mixed(0.2, 1.4));
    fprintf(f, "  load: {at: e, type: table, file: load.csv}\nsimulate: {until: 40}\n");
    fclose(f);
}

static double growth; // of a small perturbation, largest of the last run

static int events_of(const char *path, jd_event *out) {
    jd_problem *p;
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    int n = 0;
    if (jd_model_read(context, path, 0, NULL, &p) != JD_OK)
        fail_msg("%s", jd_context_error(context)->message);
    assert_int_equal(jd_run_create(context, p, &run), JD_OK);
    assert_int_equal(jd_run_horizon(run), JD_OK);
    while (n < MOST) {
        assert_int_equal(jd_run_advance(run, 40, &step), JD_OK);
        if (step != JD_STEP_EVENT) break;
        out[n++] = *jd_run_event(run);
    }
    jd_report report;
    jd_run_report(run, &report);
    growth = exp(report.horizon.largest);
    jd_run_free(run);
    jd_problem_free(p);
    return n;
}

static void reduce(const char *to, int modes) {
    jd_reduce_def def = {.file = in_folder("m.yaml"), .output = in_folder(to), .modes = modes};
    if (jd_model_reduce(context, &def, NULL) != JD_OK)
        fail_msg("%s", jd_context_error(context)->message);
}

static double compare(const char *reduced) {
    static jd_event a[MOST], b[MOST];
    int n = events_of(in_folder("m.yaml"), a), m = events_of(in_folder(reduced), b);
    double worst = 0;
    assert_int_equal(n, m);
    assert_true(n > 3);
    for (int i = 0; i < n; i++) {
        assert_int_equal(a[i].contact, b[i].contact);
        assert_int_equal(a[i].to, b[i].to);
        // The time of an impact is as good as its place over its speed; that of completed chatter
        // as its last bounces.
        double weight = fmin(a[i].speed, 1);
        if (a[i].from != JD_CONTACT_OPEN) weight = 1;
        worst = fmax(worst, weight * fabs(a[i].t - b[i].t));
    }
    return worst / growth;
}

static void the_reduced_model_has_the_same_events(void **state) {
    (void)state;
    double worst = 0;
    for (int i = 0; i < how_many(24, 8); i++) {
        seed = 100 + (unsigned)i;
        write_model(8 + pick(20), i % 5 == 4, i % 4);
        const char *to = i % 2 ? "small.yaml" : "away/small.yaml";
        reduce(to, 0);
        double off = compare(to);
        if (!(off <= 40e-13)) fail_msg("model %d: events are %.3g s apart", i, off);
        worst = fmax(worst, off);
    }
    print_message(
        "largest difference of an event over the growth of perturbations: %.2g s of 40 s\n", worst);
}

// Every structure with a number of modes can be reduced, not matrices alone.
static void other_structures_are_reduced(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "{type: chain, count: 6, mass: 1, stiffness: 1, points: {a: {node: 2}, e: {node: 6}}, "
        "damping: {type: ratio, value: 0.02}}",
        "{type: fe-beam, length: 1, bending_stiffness: 1, mass_per_length: 1, elements: 8, points: "
        "{a: 0.5, e: 1}, damping: {type: rayleigh, mass: 0.05, stiffness: 0.001}}",
        "{type: string, length: 1, tension: 1, mass_per_length: 1, modes: 12, points: {a: 0.31, e: "
        "0.62}, damping: {type: table, frequency: [1, 20], ratio: [0.01, 0.1]}}"};
    for (int i = 0; i < 3; i++) {
        FILE *f = fopen(in_folder("m.yaml"), "w");
        assert_non_null(f);
        fprintf(f, "judder: 1\nbodies: {one: %s, two: %s}\n", bodies[i], bodies[(i + 1) % 3]);
        fprintf(f, "contacts: {c: {at: one.a, against: two.e, law: {type: coulomb, limit: 0.1}}}\n"
                   "drives: {d: {at: one.e, type: harmonic, amplitude: 1, frequency: 1.1}, s: {of: "
                   "base, type: harmonic, amplitude: 0.3, frequency: 0.77}}\n"
                   "simulate: {until: 40}\n");
        fclose(f);
        reduce("small.yaml", i == 0 ? 5 : 0);
        if (i > 0) assert_near(compare("small.yaml"), 0, 40e-13);
    }
}

static void refuses(const char *model, jd_status status, const char *words) {
    FILE *f = fopen(in_folder("m.yaml"), "w");
    assert_non_null(f);
    fputs(model, f);
    fclose(f);
    unlink(in_folder("small.yaml"));
    jd_reduce_def def = {.file = in_folder("m.yaml"), .output = in_folder("small.yaml")};
    assert_int_equal(jd_model_reduce(context, &def, NULL), status);
    const char *message = jd_context_error(context)->message;
    if (!strstr(message, words)) fail_msg("`%s` does not say `%s`", message, words);
    assert_int_not_equal(access(in_folder("small.yaml"), F_OK), 0); // nothing was written
}

static void what_needs_more_than_modes_is_refused(void **state) {
    (void)state;
    refuses("judder: 1\nstructure: {type: string, length: 1, tension: 1, mass_per_length: 1, "
            "modes: infinite}\n",
            JD_NOT_SUPPORTED, "infinitely many modes");
    refuses("judder: 1\nstructure: {type: two-fold}\n", JD_NOT_SUPPORTED, "no modes");
    refuses("judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 1}\n"
            "start: {type: state, displacement: [1]}\n",
            JD_NOT_SUPPORTED, "the reduced model cannot be used");
    refuses("judder: 1\nstructure: {type: chain, count: 2, mass: 1, stiffness: [1, 2, 3]}\n",
            JD_SIZE_MISMATCH, "stiffness");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reduced_model_has_the_same_events),
        cmocka_unit_test(other_structures_are_reduced),
        cmocka_unit_test(what_needs_more_than_modes_is_refused),
    };
    return cmocka_run_group_tests(tests, open_both_folders, close_folder);
}
