// nastran_op4_binary.c -- matrices from binary OUTPUT4 files of Nastran, of either byte order.
//   Fortran records: length in bytes, content, length again, of 4 bytes each. The head has 24
//   bytes, which tells the byte order; with 64-bit integers it has 48, which is refused by name.
//   Every length is compared with the bytes that are there before anything is allocated.
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "structure/matrices/formats/nastran_op4.h"

enum { HEAD = 24, HEAD_WIDE = 48 };

typedef struct reader {
    jd_context *context;
    const char *path;
    const unsigned char *begin, *at, *end;
    bool swapped; // bytes come in the other order
} reader;

static uint32_t load32(const reader *r, const unsigned char *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return r->swapped ? v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24 : v;
}

static long integer(const reader *r, const unsigned char *p) { return (int32_t)load32(r, p); }

static double real(const reader *r, const unsigned char *p, bool two) {
    if (!two) {
        uint32_t v = load32(r, p);
        float f;
        memcpy(&f, &v, sizeof f);
        return (double)f;
    }
    uint64_t first = load32(r, p), second = load32(r, p + 4), v;
    double d;
    const uint16_t probe = 1;
    bool little = *(const unsigned char *)&probe == 1;
    v = little != r->swapped ? second << 32 | first : first << 32 | second; // as the file's order
    memcpy(&d, &v, sizeof d);
    return d;
}

// Length of the head's record in the byte order of this machine, or of the other one.
static bool begins_with(const jd_scan *s, uint32_t length, bool *swapped) {
    reader r = {.swapped = false};
    if (s->end - s->text < 8) return false;
    for (int i = 0; i < 2; i++) {
        r.swapped = i == 1;
        if (load32(&r, (const unsigned char *)s->text) != length) continue;
        *swapped = r.swapped;
        return true;
    }
    return false;
}

bool jd_matrix_is_op4_binary(const jd_scan *s) {
    bool swapped;
    return begins_with(s, HEAD, &swapped) || begins_with(s, HEAD_WIDE, &swapped);
}

static jd_status broken(const reader *r, const char *what) {
    jd_fail(r->context, JD_BROKEN_MATRIX, "%s", what);
    jd_fail_where(r->context, "%s:byte %td", r->path, r->at - r->begin);
    return JD_BROKEN_MATRIX;
}

// The next record; its marks must agree.
static jd_status next_record(reader *r, const unsigned char **content, size_t *bytes) {
    if (r->end - r->at < 8) return broken(r, "the file is truncated: a record begins at its end");
    long length = integer(r, r->at);
    if (length < 0 || length > r->end - r->at - 8)
        return broken(r, "the file is truncated, or the length of a record is wrong");
    if (integer(r, r->at + 4 + length) != length)
        return broken(r, "the two lengths of a record differ");
    *content = r->at + 4;
    *bytes = (size_t)length;
    r->at += length + 8;
    return JD_OK;
}

static jd_status read_head(reader *r, jd_op4_head *h) {
    const unsigned char *c;
    size_t bytes;
    JD_TRY(next_record(r, &c, &bytes));
    if (bytes == HEAD_WIDE) {
        broken(r, "the file has 64-bit integers, which are not read");
        jd_fail_hint(r->context, "write it with 32-bit integers, or as text");
        return JD_BROKEN_MATRIX;
    }
    if (bytes != HEAD) return broken(r, "the head of a matrix must have 24 bytes");
    long rows = integer(r, c + 4);
    *h = (jd_op4_head){.columns = integer(r, c),
                       .rows = labs(rows),
                       .form = integer(r, c + 8),
                       .type = integer(r, c + 12),
                       .big = rows < 0};
    jd_field_text((const char *)c + 16, 8, h->name, sizeof h->name);
    return JD_OK;
}

typedef struct values {
    jd_matrix_list *m; // NULL: only counted
    long count;
} values;

// Values of rows that follow each other.
static jd_status take_values(const reader *r, const jd_op4_head *h, long column, long row,
                             const unsigned char *c, size_t bytes, values *out) {
    size_t width = h->type == 2 ? 8 : 4, n = bytes / width;
    if (bytes % width != 0 || row < 1 || (long)n > h->rows - row + 1)
        return broken(r, "a column has more values than rows");
    for (size_t i = 0; i < n; i++) {
        double value = real(r, c + i * width, h->type == 2);
        if (!isfinite(value)) return broken(r, "a value is no finite number");
        if (value == 0) continue;
        out->count++;
        if (out->m) jd_matrix_add(out->m, (int)(row - 1) + (int)i, (int)(column - 1), 0, value);
    }
    return JD_OK;
}

static jd_status take_strings(const reader *r, const jd_op4_head *h, long column,
                              const unsigned char *c, size_t bytes, values *out) {
    size_t head = h->big ? 8 : 4;
    while (bytes > 0) {
        long words, row;
        if (bytes < head) return broken(r, "a column ends within the head of a string");
        if (h->big) {
            words = integer(r, c) - 1;
            row = integer(r, c + 4);
        } else {
            jd_op4_string(integer(r, c), &words, &row);
        }
        if (words < 1 || (size_t)words > (bytes - head) / 4)
            return broken(r, "a string is longer than its column");
        JD_TRY(take_values(r, h, column, row, c + head, 4 * (size_t)words, out));
        c += head + 4 * (size_t)words;
        bytes -= head + 4 * (size_t)words;
    }
    return JD_OK;
}

// Records of columns up to the one behind the last.
static jd_status read_columns(reader *r, const jd_op4_head *h, bool wanted, values *out) {
    for (;;) {
        const unsigned char *c;
        size_t bytes;
        JD_TRY(next_record(r, &c, &bytes));
        if (bytes < 12) return broken(r, "the record of a column is too short");
        long column = integer(r, c), row = integer(r, c + 4), words = integer(r, c + 8);
        if (column > h->columns) return JD_OK;
        if (column < 1 || words < 0 || (size_t)words > (bytes - 12) / 4)
            return broken(r, "the record of a column has a wrong number or length");
        if (!wanted) continue;
        if (row == 0)
            JD_TRY(take_strings(r, h, column, c + 12, 4 * (size_t)words, out));
        else
            JD_TRY(take_values(r, h, column, row, c + 12, 4 * (size_t)words, out));
    }
}

static jd_status read_matrix(jd_arena *arena, reader *r, const jd_op4_head *h, jd_matrix_list *m) {
    JD_TRY(jd_op4_check(r->context, r->path, (long)(r->at - r->begin), h));
    values count = {0}, all = {.m = m};
    const unsigned char *here = r->at;
    JD_TRY(read_columns(r, h, true, &count));
    if (count.count > INT_MAX / 2) return broken(r, "the matrix has too many entries");
    m->n = (int)h->rows;
    m->either = h->form == 6;
    JD_TRY(jd_matrix_room(arena, m, (int)count.count));
    r->at = here;
    return read_columns(r, h, true, &all);
}

jd_status jd_matrix_read_op4_binary(jd_arena *arena, const jd_scan *s, const char *name,
                                    jd_matrix_list *m) {
    const unsigned char *begin = (const unsigned char *)s->text;
    reader r = {s->context, s->path, begin, begin, (const unsigned char *)s->end, false};
    jd_choice choice = {.path = s->path, .wanted = name};
    bool found = false;
    if (!begins_with(s, HEAD, &r.swapped)) begins_with(s, HEAD_WIDE, &r.swapped);
    while (r.at < r.end) {
        jd_op4_head h;
        JD_TRY(read_head(&r, &h));
        if (jd_choice_offer(&choice, h.name) && !found) {
            JD_TRY(read_matrix(arena, &r, &h, m));
            found = true;
        } else {
            values none = {0};
            JD_TRY(read_columns(&r, &h, false, &none));
        }
    }
    m->line = NULL;
    return jd_choice_check(s->context, &choice, found);
}
