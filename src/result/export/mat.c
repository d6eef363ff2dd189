// mat.c -- every array of a result as a variable of a MATLAB file (version 5).
//   128 bytes of head, then a matrix after the other: type and count of bytes, then its class, its
//   sizes, its name and its numbers, column by column; each part is filled up to 8 bytes.
//   `samples/tip.u` becomes samples_tip_u; whole numbers, states and truths become numbers, texts a
//   matrix of characters with a row each.
#include <stdint.h>
#include <string.h>

#include "result/export/export.h"
#include "result/file/file.h"
#include "result/sweep/content.h"

enum { MI_INT8 = 1, MI_UINT16 = 4, MI_INT32 = 5, MI_UINT32 = 6, MI_DOUBLE = 9, MI_MATRIX = 14 };
enum { MX_CHAR = 4, MX_DOUBLE = 6, NAME = 63, HEAD = 116 };
static const size_t most_bytes = (size_t)1 << 31; // of one matrix: MATLAB reads no more

typedef struct writer {
    jd_context *context;
    jd_arena *arena;
    FILE *stream;
    int n;             // variables so far
    const char **name; // their names
} writer;

static size_t filled(size_t bytes) { return (bytes + 7) / 8 * 8; }

static void put_tag(FILE *f, uint32_t type, size_t bytes) {
    const uint32_t tag[2] = {type, (uint32_t)bytes};
    fwrite(tag, sizeof tag, 1, f); // its failure stays in the stream: commit reports it
}

static void put_part(FILE *f, uint32_t type, const void *data, size_t bytes) {
    static const char zeros[8] = {0};
    put_tag(f, type, bytes);
    if (bytes) fwrite(data, 1, bytes, f);
    fwrite(zeros, 1, filled(bytes) - bytes, f);
}

// Letters, digits and underscores, the first a letter; at most NAME of them.
static char *spell(jd_arena *arena, const char *path) {
    char *name =
        jd_arena_format(arena, "%s%.*s", strspn(path, "0123456789_/.") ? "x" : "", NAME, path);
    if (!name) return NULL;
    if (strlen(name) > NAME) name[NAME] = '\0';
    for (char *c = name; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (!letter && !(*c >= '0' && *c <= '9')) *c = '_';
    }
    return name;
}

static bool is_taken(const writer *w, const char *name) {
    for (int i = 0; i < w->n; i++)
        if (strcmp(w->name[i], name) == 0) return true;
    return false;
}

// The name of an array; a number behind it where another one is spelled alike.
static const char *name_of(writer *w, const char *path) {
    const char *plain = spell(w->arena, path), *name = plain;
    for (int i = 2; name && is_taken(w, name); i++)
        name = jd_arena_format(w->arena, "%.*s_%d", NAME - 10, plain, i);
    if (name) w->name[w->n++] = name;
    return name;
}

// Class, sizes and name, which begin a matrix; `bytes`: of what follows them.
static void put_head(writer *w, uint32_t class, const int32_t *size, int rank, const char *name,
                     size_t bytes) {
    const uint32_t flags[2] = {class, 0};
    size_t sizes = (size_t)rank * sizeof *size;
    put_tag(w->stream, MI_MATRIX,
            16 + 8 + filled(sizes) + 8 + filled(strlen(name)) + 8 + filled(bytes));
    put_part(w->stream, MI_UINT32, flags, sizeof flags);
    put_part(w->stream, MI_INT32, size, sizes);
    put_part(w->stream, MI_INT8, name, strlen(name));
}

static double number(const jd_array *a, const char *at) {
    switch (a->type) {
    case JD_ARRAY_DOUBLE:
        return *(const double *)(const void *)at;
    case JD_ARRAY_INT:
        return *(const int *)(const void *)at;
    case JD_ARRAY_LONG:
        return (double)*(const long *)(const void *)at;
    case JD_ARRAY_BOOL:
        return *(const bool *)(const void *)at;
    default:
        return 0;
    }
}

// The first index runs fastest.
static void put_numbers(writer *w, const jd_array *a, const char *name, size_t count) {
    int32_t size[4] = {1, 1, 1, 1};
    for (int k = 0; k < a->rank; k++) size[k] = (int32_t)a->size[k];
    put_head(w, MX_DOUBLE, size, a->rank < 2 ? 2 : a->rank, name, count * sizeof(double));
    put_tag(w->stream, MI_DOUBLE, count * sizeof(double));
    for (size_t i = 0; i < count; i++) {
        const char *at = a->data;
        size_t rest = i;
        for (int k = 0; k < a->rank; k++) {
            at += rest % a->size[k] * a->stride[k];
            rest /= a->size[k];
        }
        double x = number(a, at);
        fwrite(&x, sizeof x, 1, w->stream);
    }
}

static const char *text_at(const jd_array *a, size_t i) {
    const char *text =
        *(const char *const *)(const void *)((const char *)a->data + i * a->stride[0]);
    return text ? text : "";
}

static size_t longest(const jd_array *a) {
    size_t width = 0;
    for (size_t i = 0; i < a->size[0]; i++) {
        size_t length = strlen(text_at(a, i));
        if (length > width) width = length;
    }
    return width;
}

// Characters outside ASCII become question marks.
static void put_texts(writer *w, const jd_array *a, const char *name) {
    static const char zeros[8] = {0};
    size_t rows = a->size[0], width = longest(a);
    const int32_t size[2] = {(int32_t)rows, (int32_t)width};
    size_t bytes = rows * width * sizeof(uint16_t);
    put_head(w, MX_CHAR, size, 2, name, bytes);
    put_tag(w->stream, MI_UINT16, bytes);
    for (size_t j = 0; j < width; j++)
        for (size_t i = 0; i < rows; i++) {
            const char *text = text_at(a, i);
            uint16_t c = j < strlen(text) ? (unsigned char)text[j] : ' ';
            if (c > 126) c = '?';
            fwrite(&c, sizeof c, 1, w->stream);
        }
    fwrite(zeros, 1, filled(bytes) - bytes, w->stream);
}

// modes/3/pole is a part of modes/pole: is the array without its numbers there as well?
static bool is_part(writer *w, const jd_result *result, const char *path) {
    char *whole = jd_arena_text(w->arena, path), *to = whole;
    for (const char *from = path; whole && *from;) {
        size_t n = strcspn(from, "/"), digits = strspn(from, "0123456789");
        bool number = digits == n && n > 0;
        if (!number) memmove(to, from, n);
        if (!number) to += n;
        from += n + (from[n] == '/');
        if (!number && *from) *to++ = '/';
    }
    if (!whole) return false;
    *to = '\0';
    return strcmp(whole, path) != 0 && jd_result_find(result, whole) != NULL;
}

static jd_status too_large(writer *w, const jd_array *a, size_t count, const char *what) {
    jd_fail(w->context, JD_NOT_SUPPORTED,
            "`%s` has %zu %s, more than a MATLAB file of version 5 can hold", a->path, count, what);
    jd_fail_hint(w->context, "write HDF5 (FILE.h5), which MATLAB reads with h5read");
    return JD_NOT_SUPPORTED;
}

static jd_status put_array(writer *w, const jd_result *result, const jd_array *a) {
    size_t count = 1;
    for (int k = 0; k < a->rank; k++) count *= a->size[k];
    if (count > most_bytes / sizeof(double)) return too_large(w, a, count, "values");
    bool text = a->type == JD_ARRAY_TEXT;
    size_t width = text && a->rank == 1 ? longest(a) : 0; // every row is as wide as the widest
    if (is_part(w, result, a->path) || (text && width == 0)) return JD_OK;
    if (text && count > most_bytes / sizeof(uint16_t) / width)
        return too_large(w, a, count * width, "characters");
    const char *name = name_of(w, a->path);
    if (!name) return JD_OUT_OF_MEMORY;
    if (text)
        put_texts(w, a, name);
    else
        put_numbers(w, a, name, count);
    return JD_OK;
}

// Samples of all points as one array: point, sample, displacement or velocity.
static jd_status put_samples(writer *w, const jd_result *result) {
    const sweep_content *c = result->content;
    size_t n = (size_t)c->n_row, per = 2 * (size_t)c->view.n_sample;
    if (n * per == 0 || !c->row->sample) return JD_OK;
    double *all = jd_arena_take(w->arena, n * per, sizeof *all);
    JD_TRY(jd_arena_status(w->arena));
    for (size_t i = 0; i < n; i++) memcpy(all + i * per, c->row[i].sample, per * sizeof *all);
    const jd_array a = {.path = "points/samples",
                        .type = JD_ARRAY_DOUBLE,
                        .rank = 3,
                        .size = {n, per / 2, 2},
                        .stride = {per * sizeof *all, 2 * sizeof *all, sizeof *all},
                        .data = all};
    return put_array(w, result, &a);
}

// The array of a single point, of which a sweep has thousands.
static bool is_of_point(const jd_result *result, const char *path) {
    bool sweep = result->head.kind == JD_RESULT_SWEEP && strncmp(path, "points/", 7) == 0;
    return sweep && path[7] >= '0' && path[7] <= '9';
}

// What a sweep has beside its arrays: the values of its parameters, at each point too, the phase
// sequences, and what was measured.
static jd_status put_sweep(writer *w, const jd_result *result) {
    const sweep_content *c = result->content;
    const jd_sweep_view *v = &c->view;
    const char **phases = JD_TAKE(w->arena, const char *, c->n_row);
    JD_TRY(jd_arena_status(w->arena));
    for (int i = 0; i < c->n_row; i++) phases[i] = c->row[i].phases;
    jd_array list[6] = {
        {.path = "measure", .type = JD_ARRAY_TEXT, .size = {1}, .data = &v->measure},
        {.path = "points/phases", .type = JD_ARRAY_TEXT, .size = {(size_t)c->n_row}}};
    list[1].data = phases;
    int n = 2;
    for (int k = 0; k < v->n_parameter; k++) {
        list[n++] = (jd_array){.path = jd_arena_format(w->arena, "grid/%s", v->parameter[k]),
                               .size = {(size_t)v->count[k]},
                               .stride = {sizeof(double)},
                               .data = v->values[k]};
        list[n++] = (jd_array){.path = jd_arena_format(w->arena, "points/%s", v->parameter[k]),
                               .size = {(size_t)c->n_row},
                               .stride = {sizeof *c->row},
                               .data = c->n_row ? &c->row->value[k] : NULL};
    }
    JD_TRY(jd_arena_status(w->arena));
    for (int i = 0; i < n; i++) {
        list[i].rank = 1;
        if (i < 2) list[i].stride[0] = sizeof(char *);
        if (i >= 2) list[i].type = JD_ARRAY_DOUBLE;
        JD_TRY(put_array(w, result, &list[i]));
    }
    return put_samples(w, result);
}

static void put_file_head(FILE *f, const jd_result_head *head) {
    char text[HEAD + 1];
    const uint16_t version = 0x0100, order = 'M' << 8 | 'I';
    snprintf(text, sizeof text, "MATLAB 5.0 MAT-file, %s by Judder %s",
             jd_result_kind_name(head->kind), head->version);
    size_t length = strlen(text);
    memset(text + length, ' ', HEAD - length);
    fwrite(text, 1, HEAD, f);
    fwrite("\0\0\0\0\0\0\0\0", 1, 8, f);
    fwrite(&version, sizeof version, 1, f);
    fwrite(&order, sizeof order, 1, f);
}

jd_status jd_export_mat(jd_context *context, const jd_result *result, const char *path) {
    jd_file file;
    int n = jd_result_arrays(result);
    writer w = {.context = context, .arena = jd_arena_create(context)};
    if (!w.arena) return JD_OUT_OF_MEMORY;
    w.name = JD_TAKE(w.arena, const char *, n + 8);
    jd_status status = jd_arena_status(w.arena);
    if (status == JD_OK) status = jd_file_open(context, path, &file);
    if (status == JD_OK) {
        w.stream = file.stream;
        put_file_head(file.stream, jd_result_look(result));
        for (int i = 0; status == JD_OK && i < n; i++) {
            const jd_array *a = jd_result_array(result, i);
            if (!is_of_point(result, a->path)) status = put_array(&w, result, a);
        }
        if (status == JD_OK && result->head.kind == JD_RESULT_SWEEP) status = put_sweep(&w, result);
        if (status == JD_OK)
            status = jd_file_commit(&file);
        else
            jd_file_abandon(&file);
    }
    jd_arena_free(w.arena);
    return status;
}
