// nastran_op4_text.c -- matrices from OUTPUT4 files of Nastran in text.
//   head: four numbers of 8 characters, the name (8), the format of values, `1P,3E23.16`
//   column: three numbers of 8 characters; values in columns of the format's width
//   The words of a dense column count values; some programs count two for each double.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "structure/matrices/formats/nastran_op4.h"

enum { NUMBER = 8, LARGEST_WIDTH = 60, WORD = 32 };

typedef struct text_head {
    jd_op4_head head;
    int width, per_line; // of values
} text_head;

static bool number(const jd_scan *s, int index, long *out) {
    const char *at = s->at + (ptrdiff_t)index * NUMBER;
    if (at >= s->stop) return false;
    size_t width = s->stop - at < NUMBER ? (size_t)(s->stop - at) : NUMBER;
    char text[NUMBER + 1];
    jd_field_text(at, width, text, sizeof text);
    return text[0] && jd_field_integer(at, width, 0, out);
}

// `1P,3E23.16` or `3E23.16`
static bool value_format(const char *at, const char *stop, text_head *h) {
    char text[JD_FORMAT_NAME], *rest;
    jd_field_text(at, (size_t)(stop - at), text, sizeof text);
    const char *from = strchr(text, ',');
    from = from ? from + 1 : text;
    h->per_line = (int)strtol(from, &rest, 10);
    if (rest == from || !*rest || !strchr("EeDd", *rest)) return false;
    from = rest + 1;
    h->width = (int)strtol(from, &rest, 10);
    return rest != from && *rest == '.' && h->per_line >= 1 && h->per_line <= 20 && h->width >= 8 &&
           h->width <= LARGEST_WIDTH;
}

static bool read_head(const jd_scan *s, text_head *h) {
    long n[4];
    for (int i = 0; i < 4; i++)
        if (!number(s, i, &n[i])) return false;
    if (s->stop - s->at <= 5 * NUMBER) return false;
    h->head = (jd_op4_head){
        .columns = n[0], .rows = labs(n[1]), .form = n[2], .type = n[3], .big = n[1] < 0};
    jd_field_text(s->at + (ptrdiff_t)4 * NUMBER, NUMBER, h->head.name, sizeof h->head.name);
    return value_format(s->at + (ptrdiff_t)5 * NUMBER, s->stop, h);
}

bool jd_matrix_is_op4_text(jd_scan *s) {
    text_head h;
    jd_scan_again(s);
    return jd_scan_line(s) && read_head(s, &h);
}

// The first n whole numbers of the line, wherever they stand: programs differ in how wide they are.
static bool numbers(jd_scan *s, int n, long *out) {
    char word[WORD];
    const char *begin = s->at;
    bool fine = true;
    for (int i = 0; i < n && fine; i++) {
        jd_scan_word(s, word, sizeof word);
        fine = word[0] && jd_field_integer(word, strlen(word), 0, &out[i]);
    }
    s->at = begin;
    return fine;
}

typedef struct reading {
    jd_scan *scan;
    const text_head *h;
    jd_matrix_list *m; // NULL: only counted
    long column, count;
} reading;

static bool is_values(const jd_scan *s) { // numbers of records and strings have no point
    return memchr(s->at, '.', (size_t)(s->stop - s->at)) != NULL;
}

// n values of rows that follow each other, on lines of their own. *n is how many were there.
static jd_status read_values(reading *r, long row, long *n) {
    jd_scan *s = r->scan;
    long most = *n, done = 0;
    while (done < most) {
        jd_scan before = *s;
        if (!jd_scan_line(s)) break;
        if (!is_values(s)) {
            *s = before;
            break;
        }
        const char *at = s->at;
        for (int i = 0; i < r->h->per_line && done < most && at < s->stop; i++, done++) {
            double value;
            size_t width = (size_t)(s->stop - at) < (size_t)r->h->width ? (size_t)(s->stop - at)
                                                                        : (size_t)r->h->width;
            if (!jd_field_real(at, width, &value))
                return jd_scan_fail(s, JD_BROKEN_MATRIX,
                                    "value %d of this line is no finite number", i + 1);
            if (row < 1 || row + done > r->h->head.rows)
                return jd_scan_fail(s, JD_BROKEN_MATRIX, "a column has more values than rows");
            at += width;
            if (value == 0) continue;
            r->count++;
            if (r->m)
                jd_matrix_add(r->m, (int)(row + done - 1), (int)(r->column - 1), s->line, value);
        }
    }
    *n = done;
    return JD_OK;
}

static jd_status truncated(jd_scan *s, long wanted, long found) {
    return jd_scan_fail(s, JD_BROKEN_MATRIX,
                        "the file is truncated: %ld values are announced, %ld are there", wanted,
                        found);
}

static jd_status read_dense(reading *r, long row, long words) {
    long n = words;
    JD_TRY(read_values(r, row, &n));
    bool halves = r->h->head.type == 2 && 2 * n == words;
    return n == words || halves ? JD_OK : truncated(r->scan, words, n);
}

static jd_status read_strings(reading *r, long words) {
    jd_scan *s = r->scan;
    const jd_op4_head *h = &r->h->head;
    long each = h->type == 2 ? 2 : 1;
    while (words > 0) {
        long length, row, given[2] = {0};
        if (!jd_scan_line(s) || !numbers(s, h->big ? 2 : 1, given))
            return jd_scan_fail(s, JD_BROKEN_MATRIX, "the head of a string is missing");
        length = given[0] - 1;
        row = given[1];
        if (!h->big) jd_op4_string(given[0], &length, &row);
        if (length < each || length % each != 0 || length > words)
            return jd_scan_fail(s, JD_BROKEN_MATRIX, "a string of %ld words cannot be", length);
        long n = length / each, wanted = n;
        JD_TRY(read_values(r, row, &n));
        if (n != wanted) return truncated(s, wanted, n);
        words -= length + (h->big ? 2 : 1);
    }
    return JD_OK;
}

// Columns up to the one behind the last, and its value.
static jd_status read_columns(reading *r) {
    jd_scan *s = r->scan;
    for (;;) {
        long given[3];
        if (!jd_scan_line(s))
            return jd_scan_fail(s, JD_BROKEN_MATRIX,
                                "the file is truncated: the record behind the last column is "
                                "missing");
        if (!numbers(s, 3, given) || given[0] < 1 || given[1] < 0 || given[2] < 0)
            return jd_scan_fail(s, JD_BROKEN_MATRIX, "the head of a column is no three numbers");
        r->column = given[0];
        if (r->column > r->h->head.columns) {
            jd_scan before = *s;
            if (jd_scan_line(s) && !is_values(s)) *s = before;
            return JD_OK;
        }
        if (given[1] == 0)
            JD_TRY(read_strings(r, given[2]));
        else
            JD_TRY(read_dense(r, given[1], given[2]));
    }
}

static jd_status read_matrix(jd_arena *arena, jd_scan *s, const text_head *h, jd_matrix_list *m) {
    JD_TRY(jd_op4_check(s->context, s->path, s->line, &h->head));
    jd_scan here = *s;
    reading count = {.scan = s, .h = h}, all = {.scan = s, .h = h, .m = m};
    JD_TRY(read_columns(&count));
    if (count.count > INT_MAX / 2)
        return jd_scan_fail(s, JD_BROKEN_MATRIX, "the matrix has too many entries");
    m->n = (int)h->head.rows;
    m->either = h->head.form == 6;
    JD_TRY(jd_matrix_room(arena, m, (int)count.count));
    *s = here;
    return read_columns(&all);
}

// To the head of the next matrix, or to the end.
static bool next_head(jd_scan *s, text_head *h) {
    while (jd_scan_line(s))
        if (read_head(s, h)) return true;
    return false;
}

jd_status jd_matrix_read_op4_text(jd_arena *arena, jd_scan *s, const char *name,
                                  jd_matrix_list *m) {
    jd_choice choice = {.path = s->path, .wanted = name};
    bool found = false;
    text_head h;
    jd_scan_again(s);
    while (next_head(s, &h)) {
        if (!jd_choice_offer(&choice, h.head.name) || found) continue;
        JD_TRY(read_matrix(arena, s, &h, m));
        found = true;
    }
    return jd_choice_check(s->context, &choice, found);
}
