// kernel.c -- memory kernels.
//   In memory element (i, j) at time t is value[(t n + i) n + j]; written, time runs fastest. Of
//   one contact a matrix is the number itself, a course the list of its values.
#include <stdio.h>

#include "result/result.h"

static const char *start_name(int i) { return jd_kernel_start_name((jd_kernel_start)i); }

static const double *array_at(const jd_field *f, const void *object) {
    return *(const double *const *)jd_field_at(f, object);
}

// Element (i, j) of an n x n matrix over n_t times, or the number itself.
static json_t *element(int n, int i, int j, int n_t, const double *value) {
    if (n_t == 0) return jd_json_real(value[i * n + j]);
    json_t *list = json_array();
    for (int t = 0; t < n_t; t++)
        json_array_append_new(
            list, jd_json_real(value[((size_t)t * (size_t)n + (size_t)i) * (size_t)n + (size_t)j]));
    return list;
}

static json_t *matrix(int n, int n_t, const double *value) {
    if (n == 1) return element(1, 0, 0, n_t, value);
    json_t *rows = json_array();
    for (int i = 0; i < n; i++) {
        json_t *row = json_array();
        for (int j = 0; j < n; j++) json_array_append_new(row, element(n, i, j, n_t, value));
        json_array_append_new(rows, row);
    }
    return rows;
}

static bool write_matrix(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_kernel_view *v = root;
    return json_object_set_new(out, f->key, matrix(v->n, 0, array_at(f, object))) == 0;
}
static bool write_courses(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_kernel_view *v = root;
    return json_object_set_new(out, f->key, matrix(v->n, v->n_tau, array_at(f, object))) == 0;
}
static bool write_A(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_kernel_view *v = root;
    return json_object_set_new(out, f->key, matrix(2 * v->n, 0, array_at(f, object))) == 0;
}

static jd_status size_of(jd_arena *arena, int n, int n_t, int *out) {
    double all = (double)n * n * n_t;
    *out = all < 1e8 ? (int)all : 0;
    if (all < 1e8) return JD_OK;
    return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                   "the file says it holds %g numbers of a kernel", all);
}

static jd_status read_courses(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                              void *root) {
    const jd_kernel_view *v = root;
    int pairs, all;
    double *file, *own;
    JD_TRY(size_of(arena, v->n, 1, &pairs));
    JD_TRY(size_of(arena, v->n, v->n_tau, &all));
    JD_TRY(jd_read_reals(arena, json_object_get(in, f->key), f->key, (double)NAN, &all, &file));
    own = JD_TAKE(arena, double, all);
    for (int p = 0; own && p < pairs; p++)
        for (int t = 0; t < v->n_tau; t++) own[t * pairs + p] = file[p * v->n_tau + t];
    *(double **)(void *)((char *)object + f->offset) = own;
    return jd_arena_status(arena);
}

static jd_status read_square(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                             int n) {
    double *value;
    int all;
    JD_TRY(size_of(arena, n, 1, &all));
    JD_TRY(jd_read_reals(arena, json_object_get(in, f->key), f->key, (double)NAN, &all, &value));
    *(double **)(void *)((char *)object + f->offset) = value;
    return JD_OK;
}
static jd_status read_matrix(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                             void *root) {
    return read_square(arena, f, in, object, ((jd_kernel_view *)root)->n);
}
static jd_status read_A(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                        void *root) {
    return read_square(arena, f, in, object, 2 * ((jd_kernel_view *)root)->n);
}

#define MATRIX(member, name, of, text)                                                             \
    {                                                                                              \
        .key = (name), .kind = JD_FIELD_OTHER, JD_AT(jd_kernel_view, member), .unit = (of),        \
        .doc = (text), .write = write_matrix, .read = read_matrix                                  \
    }
#define COURSES(member, name, of, text)                                                            \
    {                                                                                              \
        .key = (name), .kind = JD_FIELD_OTHER, JD_AT(jd_kernel_view, member), .unit = (of),        \
        .doc = (text), .write = write_courses, .read = read_courses                                \
    }

static json_t *meaning(const void *object, const void *root) {
    (void)root;
    return json_string(jd_kernel_start_means(((const jd_kernel_view *)object)->start));
}

static const jd_field regularity_field[] = {
    {JD_WORD_OF(jd_kernel_view, start, "kind", start_name, JD_KERNEL_ROOT + 1, "how G begins")},
    {JD_REAL(jd_kernel_view, exponent, "exponent", "", "of its beginning")},
    {JD_SCALAR(INT, jd_kernel_view, paper_case, "case", "number of the case")},
    MATRIX(first, "coefficient", NULL, "of its beginning"),
    {JD_TOLD_BY("meaning", meaning, "for the contact force")},
    JD_END_OF_FIELDS};
static const jd_record regularity = {.field = regularity_field};

static const jd_field W_field[] = {
    {JD_ARRAY(INTS, jd_kernel_view, mode, "modes", "", "modes of W, from 1"),
     .size = {JD_OWN(jd_kernel_view, n)}},
    {JD_REAL(jd_kernel_view, condition, "condition", "", "condition number")},
    JD_END_OF_FIELDS};
static const jd_record W_record = {.field = W_field};

#define COURSE(member, of, text)                                                                   \
    {                                                                                              \
        JD_ARRAY(REALS, jd_kernel_resolved, member, #member, of, text), .size = {                  \
            JD_ROOT(jd_kernel_view, n_tau)                                                         \
        }                                                                                          \
    }
static const jd_field resolved_field[] = {
    {JD_SCALAR(INT, jd_kernel_resolved, modes, "modes", "that are resolved")},
    {JD_REAL(jd_kernel_resolved, L_infinity, "L_infinity", "m/(s^2 N)", "limit of L")},
    {JD_REAL(jd_kernel_resolved, sigma, "sigma", "rad/s", "frequency of the first one left out")},
    COURSE(memory, "m/(s N)", "L1 of what is left"),
    COURSE(fading, "m/(s N)", "exponential instead of it"),
    COURSE(velocity, "m/(s N)", "G of the modes alone"),
    JD_END_OF_FIELDS};
static const jd_record resolved_record = {.size = sizeof(jd_kernel_resolved),
                                          .field = resolved_field};

static bool is_resolved(const void *object, const void *root) {
    (void)root;
    return ((const jd_kernel_view *)object)->n_resolved > 0;
}

static const jd_field kernel_field[] = {
    {JD_SCALAR(BOOL, jd_kernel_view, infinite, "infinite", "infinitely many modes")},
    {JD_ARRAY(TEXTS, jd_kernel_view, contact, "contacts", NULL, "names"),
     .size = {JD_OWN(jd_kernel_view, n)}},
    {JD_GROUP_OF("regularity", &regularity, "how the kernels begin")},
    {JD_GROUP_OF("W", &W_record, "modes that reconstruct the motion")},
    MATRIX(jump, "jump", "m/(s N)", "of the velocity after a unit step"),
    MATRIX(statics, "static", "m/N", "displacement in the end"),
    {.key = "A",
     .kind = JD_FIELD_OTHER,
     JD_AT(jd_kernel_view, A),
     .doc = "reduced system",
     .write = write_A,
     .read = read_A},
    MATRIX(L_infinity, "L_infinity", "m/(s^2 N)", "limit of L"),
    {JD_TEXT(jd_kernel_view, memory, "memory", "what the engine keeps of them"), .optional = true},
    {JD_ARRAY(REALS, jd_kernel_view, tau, "tau", "s", "times"),
     .size = {JD_OWN(jd_kernel_view, n_tau)}},
    COURSES(G, "G", "m/(s N)", "velocity after a unit step"),
    COURSES(L, "L", "m/(s^2 N)", "its derivative"),
    COURSES(L0, "L0", "m/(s^2 N)", "memory kernel"),
    COURSES(L1, "L1", "m/(s N)", "memory kernel"),
    {JD_LIST_OF(jd_kernel_view, resolved, "resolved", &resolved_record, n_resolved,
                "kernels without the lowest modes"),
     .has = is_resolved},
    JD_END_OF_FIELDS};

static jd_status check(jd_arena *arena, void *object) {
    const jd_kernel_view *v = object;
    if (v->n > 0 && v->n_tau > 0) return JD_OK;
    return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE, "the file holds no kernels");
}

const jd_record jd_record_kernel = {
    .size = sizeof(jd_kernel_view), .field = kernel_field, .root = true, .check = check};

jd_status jd_result_of_kernel(jd_context *context, const jd_problem *problem,
                              const jd_kernel *kernel, jd_result **out) {
    JD_TRY(jd_result_create(context, problem, JD_RESULT_KERNEL, out));
    *(jd_kernel_view *)(*out)->content = *jd_kernel_look(kernel);
    return JD_OK;
}

// Value of pair p at time t: [t] of one contact, [i][j][t] of several.
static json_t *pair_at(const json_t *value, size_t n, size_t p, size_t t) {
    if (n > 1) value = json_array_get(json_array_get(value, p / n), p % n);
    return json_array_get(value, t);
}

json_t *jd_rows_kernel(const json_t *document) {
    static const char *const name[] = {"G", "L", "L0", "L1"};
    const json_t *contact = json_object_get(document, "contacts"),
                 *tau = json_object_get(document, "tau");
    size_t n = json_array_size(contact);
    json_t *rows = json_array();
    for (size_t t = 0; t < json_array_size(tau); t++) {
        json_t *row = json_object();
        json_object_set(row, "tau", json_array_get(tau, t));
        for (int q = 0; q < 4; q++)
            for (size_t p = 0; p < n * n; p++) {
                char key[600];
                const char *of = json_string_value(json_array_get(contact, p / n)),
                           *at = json_string_value(json_array_get(contact, p % n));
                if (n == 1)
                    snprintf(key, sizeof key, "%s", name[q]);
                else
                    snprintf(key, sizeof key, "%s.%s.%s", name[q], of, at);
                json_object_set(row, key, pair_at(json_object_get(document, name[q]), n, p, t));
            }
        json_array_append_new(rows, row);
    }
    return rows;
}
