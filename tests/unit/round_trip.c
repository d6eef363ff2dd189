// round_trip.c -- a result of every kind, written and read back: the same content, the same
// pictures, arrays that are the content, units of every dataset.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judder/judder.h"
#include "model_case.h"
#include "result/file/document.h"
#include "result/result.h"
#include "result/run/run.h"

static const char path[] = "round_trip.h5", first_csv[] = "round_trip_1.csv",
                  second_csv[] = "round_trip_2.csv";

static jd_context *context;

static void must(jd_status status) {
    if (status != JD_OK) fail_msg("%s", jd_context_error(context)->message);
}

static jd_problem *model(const char *name, int n, const char *const *set) {
    char file[500];
    jd_problem *p;
    snprintf(file, sizeof file, "%s/gallery/%s.yaml", JD_SOURCE_DIR, name);
    must(jd_model_read(context, file, n, (const char **)set, &p));
    must(jd_problem_build(p));
    return p;
}

static jd_problem *parsed(const char *text) {
    jd_problem *p;
    must(jd_model_parse(context, "m.yaml", JD_SOURCE_DIR, text, strlen(text), 0, NULL, &p));
    must(jd_problem_build(p));
    return p;
}

static char *slurp(const char *name, size_t *size) {
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    char *text = malloc(*size + 1);
    rewind(f);
    assert_int_equal(fread(text, 1, *size, f), *size);
    fclose(f);
    text[*size] = '\0';
    return text;
}

static void same_files(const char *a, const char *b) {
    size_t n, m;
    char *x = slurp(a, &n), *y = slurp(b, &m);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    assert_true(n > 20);
    free(x);
    free(y);
}

// Both faces of two results: every key, every bit.
static void same_content(const jd_result *a, const jd_result *b) {
    for (int face = JD_FACE_JSON; face <= JD_FACE_FILE; face++) {
        json_t *x = jd_result_document(a, (jd_face)face), *y = jd_result_document(b, (jd_face)face);
        char *s = json_dumps(x, JSON_REAL_PRECISION(17) | JSON_SORT_KEYS | JSON_INDENT(0)),
             *t = json_dumps(y, JSON_REAL_PRECISION(17) | JSON_SORT_KEYS | JSON_INDENT(0));
        for (size_t i = 0; s[i] || t[i]; i++)
            if (s[i] != t[i]) fail_msg("`%.60s` became `%.60s`", s + i, t + i);
        free(s);
        free(t);
        json_decref(x);
        json_decref(y);
    }
}

// Every dataset of numbers in the file of an SI model says its unit, but for those whose unit is
// that of a number of the model.
static void units_are_told(const jd_result *r, const char *name) {
    static const char *const own[] = {"/grid/",      "/points/",  "parameter", "amplitude",
                                      "/studies/",   "/special/", "/beside/",  "/state",
                                      "coefficient", "/A"};
    json_t *info, *entry;
    size_t i;
    if (!jd_result_look(r)->si) return;
    must(jd_hdf5_info(context, name, &info));
    json_array_foreach(json_object_get(info, "contents"), i, entry) {
        const char *at = json_string_value(json_object_get(entry, "path"));
        const json_t *shape = json_object_get(entry, "shape");
        bool empty = json_integer_value(json_array_get(shape, 0)) == 0; // a list of nothing
        bool free_unit = empty || json_object_get(entry, "unit") != NULL;
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            free_unit |= strstr(at, own[k]) != NULL;
        static const char *const texts[] = {
            "contact",   "from",     "to",      "phase",      "phases",    "kind",
            "body",      "contacts", "points",  "parameters", "end",       "starts_with",
            "ends_with", "name",     "bodies",  "settled_by", "stop",      "spacing",
            "before",    "after",    "classes", "cell",       "direction", "method",
            "reason",    "why",      "class",   "looks"};
        const char *last = strrchr(at, '/') + 1;
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            free_unit |= strcmp(last, texts[k]) == 0;
        if (!free_unit) fail_msg("%s has no unit", at);
    }
    json_decref(info);
}

// The sum of an array's elements through its strides, where they are numbers.
static double sum_of(const jd_array *a) {
    size_t at[4] = {0}, n = 1;
    double sum = 0;
    for (int k = 0; k < a->rank; k++) n *= a->size[k];
    for (size_t i = 0; i < n; i++) {
        size_t rest = i;
        const char *p = a->data;
        for (int k = a->rank - 1; k >= 0; k--) {
            at[k] = rest % a->size[k];
            rest /= a->size[k];
            p += at[k] * a->stride[k];
        }
        if (a->type == JD_ARRAY_DOUBLE && isfinite(*(const double *)(const void *)p))
            sum += *(const double *)(const void *)p;
        if (a->type == JD_ARRAY_INT) sum += *(const int *)(const void *)p;
        const char *text = a->type == JD_ARRAY_TEXT ? *(const char *const *)(const void *)p : NULL;
        if (text) sum += (double)strlen(text);
    }
    return sum;
}

static void same_arrays(const jd_result *a, const jd_result *b) {
    assert_true(jd_result_arrays(a) > 0);
    assert_int_equal(jd_result_arrays(a), jd_result_arrays(b));
    for (int i = 0; i < jd_result_arrays(a); i++) {
        const jd_array *x = jd_result_array(a, i), *y = jd_result_find(b, x->path);
        if (!y) fail_msg("no array %s", x->path);
        assert_int_equal(x->rank, y->rank);
        assert_memory_equal(x->size, y->size, (size_t)x->rank * sizeof *x->size);
        double s = sum_of(x), t = sum_of(y);
        if (s != t) fail_msg("array %s: %.17g became %.17g", x->path, s, t);
    }
}

// Writes, reads, compares; the pictures of both have the same numbers.
static jd_result *back_from_file(jd_result *r, bool drawn) {
    jd_result *back;
    must(jd_result_write(context, r, path));
    must(jd_result_read(context, path, &back));
    same_content(r, back);
    same_arrays(r, back);
    units_are_told(r, path);
    assert_string_equal(jd_result_look(back)->model, jd_result_look(r)->model);
    must(jd_result_write(context, r, first_csv));
    must(jd_result_write(context, back, second_csv));
    if (jd_result_look(r)->kind != JD_RESULT_ATTRACTORS) same_files(first_csv, second_csv);
    if (drawn) {
        must(jd_picture_draw(context, r, NULL, first_csv));
        must(jd_picture_draw(context, back, NULL, second_csv));
        same_files(first_csv, second_csv);
    }
    unlink(path);
    unlink(first_csv);
    unlink(second_csv);
    return back;
}

static void there_and_back(jd_result *r) { jd_result_free(back_from_file(r, true)); }

static int begin(void **state) {
    (void)state;
    context = jd_context_create(NULL);
    return context == NULL;
}
static int end(void **state) {
    (void)state;
    jd_context_free(context);
    return 0;
}

static void run_of(const char *name, int n, const char *const *set) {
    jd_problem *p = model(name, n, set);
    jd_result *r;
    must(jd_result_of_run(context, p, &r));
    assert_true(jd_result_run(r)->lists.samples.n_row > 1);
    there_and_back(r);
    must(jd_result_show(context, r, p, NULL, NULL));
    there_and_back(r);
    jd_result_free(r);
    jd_problem_free(p);
}

static void runs(void **state) {
    (void)state;
    const char *beam[] = {"simulate.until=2 periods", "output={per_period: 10}"};
    const char *stop[] = {"simulate.until=12", "output={every: 0.5}"};
    const char *rods[] = {
        "simulate={engine: wave, nodes: 16, until: 0.02 s}", "bodies.sleeve.modes=4",
        "output={every: 2 ms, field: {every: 4 ms}, points: [pile.head, pile.tip]}"};
    run_of("friction-beam/rayleigh", 2, beam);
    run_of("impact-oscillator/forced", 2, stop);
    run_of("two-rods/harmonic20", 3, rods);
}

// Two walls, two kinds of friction, names that HDF5 does not take as they are.
static const char odd[] =
    "judder: 1\n"
    "structure: {type: chain, count: 3, mass: 1, stiffness: 1, damping: {type: ratio, value: "
    "0.02},\n"
    "  supports: {left: fixed, right: free}, points: {end: {node: 3}, mid: {node: 2}}}\n"
    "contacts:\n"
    "  end: {at: end, against: ground, law: {type: stop, gap: 0.5, restitution: 0.6, sides: "
    "both}}\n"
    "  mid: {at: mid, against: {velocity: 0.3}, law: {type: coulomb, limit: 0.2, "
    "static_limit: 0.25}}\n"
    "drives: {push: {at: end, type: harmonic, amplitude: 1, frequency: 0.7}}\n"
    "start: rest\nsimulate: {until: 60}\noutput: {every: 0.25}\n";

static void both_walls_and_all_limits_come_back(void **state) {
    (void)state;
    jd_problem *p = parsed(odd);
    jd_result *r, *back;
    must(jd_result_of_run(context, p, &r));
    back = back_from_file(r, true);
    const jd_run_result *a = jd_result_run(r), *b = jd_result_run(back);
    assert_true(a->count.impact > 0 && a->count.slip > 0);
    assert_true(b->contact[0].both && b->contact[0].gap == 0.5 && isnan(b->contact[0].limit));
    assert_true(b->contact[1].limit == 0.2 && b->contact[1].static_limit == 0.25);
    assert_true(b->contact[1].against_velocity == 0.3 && isnan(b->contact[1].gap));
    assert_int_equal(a->lists.n_event, b->lists.n_event);
    assert_int_equal(a->lists.n_event, a->count.total);
    for (int i = 0; i < a->lists.n_event; i++) {
        const jd_event *x = &a->lists.event[i], *y = &b->lists.event[i];
        assert_true(x->t == y->t && x->contact == y->contact &&
                    jd_contact_letter(x->from) == jd_contact_letter(y->from) &&
                    jd_contact_letter(x->to) == jd_contact_letter(y->to) && x->speed == y->speed &&
                    x->impulse == y->impulse);
    }
    jd_result_free(back);
    jd_result_free(r);
    jd_problem_free(p);
}

// Arrays are where the content is: the same address, whole strides.
static void arrays_are_views_of_the_content(void **state) {
    (void)state;
    jd_problem *p = parsed(odd);
    jd_result *r;
    must(jd_result_of_run(context, p, &r));
    const jd_run_result *run = jd_result_run(r);
    const jd_array *t = jd_result_find(r, "samples/t"), *e = jd_result_find(r, "event_list/t"),
                   *to = jd_result_find(r, "event_list/to");
    assert_ptr_equal(t->data, run->lists.samples.value[0]);
    assert_int_equal(t->size[0], 241);
    assert_ptr_equal(e->data, &run->lists.event[0].t);
    assert_int_equal(e->stride[0], sizeof(jd_event));
    assert_int_equal(e->size[0], run->lists.n_event);
    assert_string_equal(e->unit, "s");
    assert_int_equal(to->type, JD_ARRAY_INT);
    assert_ptr_equal(to->data, &run->lists.event[0].to);
    assert_null(jd_result_find(r, "samples/nothing"));
    jd_result_free(r);
    jd_problem_free(p);
}

static void orbits(void **state) {
    (void)state;
    static const char *const names[] = {"impact-oscillator/forced", "friction-beam/rayleigh"};
    for (int i = 0; i < 2; i++) {
        jd_problem *p = model(names[i], 0, NULL);
        jd_orbit *orbit;
        jd_result *r;
        must(jd_orbit_create(context, p, NULL, &orbit));
        must(jd_result_of_orbit(context, p, orbit, &r));
        there_and_back(r);
        must(jd_result_show(context, r, p, orbit, NULL));
        there_and_back(r);
        jd_result_free(r);
        jd_orbit_free(orbit);
        jd_problem_free(p);
    }
}

static void attractors(void **state) {
    (void)state;
    jd_problem *p = model("impact-oscillator/forced", 0, NULL);
    jd_attractors *a;
    jd_result *r;
    must(jd_attractors_create(context, p, NULL, 3, 1, &a));
    must(jd_result_of_attractors(context, p, a, 3, 1, &r));
    there_and_back(r);
    jd_result_free(r);
    jd_attractors_free(a);
    jd_problem_free(p);
}

static void branches(void **state) {
    (void)state;
    const char *part[] = {"follow.from=0.5", "follow.to=0.7"};
    jd_problem *p = model("coulomb-oscillator/response", 2, part);
    jd_follow *f;
    jd_result *r;
    must(jd_follow_create(context, p, NULL, &f));
    jd_follow_view v = *jd_follow_look(f);
    jd_beside other = {"a/b", jd_follow_look(f)};
    v.n_beside = 1;
    v.beside = &other;
    must(jd_result_of_follow(context, p, &v, &r));
    there_and_back(r);
    jd_result_free(r);
    jd_follow_free(f);
    jd_problem_free(p);
}

static void sweeps(void **state) {
    (void)state;
    const char *line[] = {"sweep.points=3", "sweep.samples=2"}, *map[] = {"sweep.points=[2, 2]"};
    for (int i = 0; i < 2; i++) {
        jd_problem *p =
            i ? model("friction-beam/map", 1, map) : model("impact-oscillator/hysteresis", 2, line);
        jd_sweep *sweep;
        jd_result *r;
        bool complete;
        must(jd_sweep_create(context, p, &sweep));
        must(jd_sweep_run(sweep, NULL, &complete));
        must(jd_result_of_sweep(context, p, sweep, &r));
        there_and_back(r);
        jd_result_free(r);
        jd_sweep_free(sweep);
        jd_problem_free(p);
    }
}

static void kernels(void **state) {
    (void)state;
    static const char *const names[] = {"cantilever/tip", "nonlinear-string/kernel",
                                        "bowed-string/string"};
    for (int i = 0; i < 3; i++) {
        jd_problem *p = model(names[i], 0, NULL);
        jd_kernel *k;
        jd_result *r;
        must(jd_kernel_create(context, p, &k));
        must(jd_result_of_kernel(context, p, k, &r));
        there_and_back(r);
        jd_result_free(r);
        jd_kernel_free(k);
        jd_problem_free(p);
    }
}

static void modes_and_convergence(void **state) {
    (void)state;
    static const char *const names[] = {"friction-beam/rayleigh", "two-rods/harmonic20"};
    for (int i = 0; i < 2; i++) {
        jd_problem *p = model(names[i], 0, NULL);
        jd_result *r;
        must(jd_result_of_modes(context, p, 3, true, &r));
        there_and_back(r);
        jd_result_free(r);
        jd_problem_free(p);
    }
    const char *coarse[] = {"simulate.until=0.02 s", "bodies.sleeve.modes=4"};
    jd_problem *p = model("two-rods/harmonic20", 2, coarse);
    const double nodes[] = {16, 28};
    jd_converge_def def = {"simulate.nodes", 2, nodes, "pile.tip.norm"};
    jd_converge_point point[2] = {{0}}, *list[] = {point};
    jd_result *r;
    must(jd_converge(context, p, &def, point));
    must(jd_result_of_convergence(context, p, 1, &def, list, &r));
    there_and_back(r);
    jd_result_free(r);
    jd_problem_free(p);
}

static void nonsmooth_modes(void **state) {
    (void)state;
    const char *set[] = {"nsm.omega=[1.4, 1.7]", "nsm.sustained=true", "nsm.impacts=3"};
    jd_problem *p = model("impact-chain/n5", 3, set);
    jd_nsm_options options;
    jd_nsm *nsm;
    jd_result *r;
    must(jd_nsm_options_of(p, &options));
    must(jd_nsm_create(context, p, &options, &nsm));
    must(jd_result_of_nsm(context, p, nsm, 9, &r));
    there_and_back(r);
    jd_result_free(r);
    double middle =
        0.5 * (jd_nsm_branch_at(nsm, 0)->omega_start + jd_nsm_branch_at(nsm, 0)->omega_end);
    const jd_nsm_pick pick[] = {{.branch = 0, .omega = middle}, {.branch = -1, .sustained = 0}};
    for (int n = 1; n <= 2; n++) {
        if (n == 2 && jd_nsm_sustained_count(nsm) == 0) break;
        must(jd_result_of_nsm_orbits(context, p, nsm, n, pick, 21, &r));
        there_and_back(r);
        jd_result_free(r);
    }
    jd_nsm_free(nsm);
    jd_problem_free(p);
}

// Arrays that say how many there are of the same thing must agree, each refused by its key.
static void sizes_that_disagree_are_refused(void **state) {
    (void)state;
    static const char *const cut[] = {"log_abs_multipliers", "multipliers"};
    jd_problem *p = model("impact-oscillator/forced", 0, NULL);
    jd_orbit *orbit;
    jd_result *r, *back = NULL;
    must(jd_orbit_create(context, p, NULL, &orbit));
    must(jd_result_of_orbit(context, p, orbit, &r));
    for (int i = 0; i < 2; i++) {
        json_t *document = jd_result_document(r, JD_FACE_FILE);
        json_array_remove(json_object_get(document, cut[i]), 0);
        assert_int_equal(jd_result_of_document(context, document, &back), JD_BAD_RESULT_FILE);
        assert_non_null(strstr(jd_context_error(context)->message, "log_abs_multipliers"));
        assert_null(back);
        json_decref(document);
    }
    jd_result_free(r);
    jd_orbit_free(orbit);
    jd_problem_free(p);
}

// Contacts and points of any name, also those HDF5 spells another way.
static void names_of_any_kind_come_back(void **state) {
    (void)state;
    static const char *const names[] = {"a/b", ".", "%", "%2F", "%25", "x%2Ey", "0", "t"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_t *inner = json_pack("{s:f, s:[f,f]}", names[i], 1.0, "list", 1.0, 2.0);
        json_t *out = json_pack("{s:s, s:s, s:s, s:o}", "kind", "x", "title", "", "units", "SI",
                                names[i], inner);
        json_t *back = NULL;
        must(jd_hdf5_write(context, path, out, &(jd_origin){"", "", NULL, NULL}));
        must(jd_hdf5_read(context, path, &back));
        assert_true(json_equal(json_object_get(back, names[i]), json_object_get(out, names[i])));
        json_decref(back);
        json_decref(out);
        unlink(path);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {TEST(runs),
                                       TEST(both_walls_and_all_limits_come_back),
                                       TEST(arrays_are_views_of_the_content),
                                       TEST(orbits),
                                       TEST(attractors),
                                       TEST(branches),
                                       TEST(sweeps),
                                       TEST(kernels),
                                       TEST(modes_and_convergence),
                                       TEST(nonsmooth_modes),
                                       TEST(sizes_that_disagree_are_refused),
                                       TEST(names_of_any_kind_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
