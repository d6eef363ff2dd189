// table.c -- a table of cases: comma-separated values, a line of paths and a line for each case.
#include <string.h>

#include "base/scan.h"
#include "judder/batch.h"

enum { LARGEST_FILE = 1 << 26, MOST_COLUMNS = 1000 };

struct jd_batch_table {
    jd_arena *arena;
    jd_batch_def def;
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The text between double quotes; a doubled one stands for itself.
static jd_status quoted(jd_scan *s, char *out, size_t *n) {
    for (s->at++; s->at < s->stop; s->at++) {
        if (*s->at == '"' && s->at + 1 < s->stop && s->at[1] == '"')
            s->at++;
        else if (*s->at == '"') {
            s->at++;
            return JD_OK;
        }
        out[(*n)++] = *s->at;
    }
    return jd_scan_fail(s, JD_BROKEN_TABLE, "a quote is not closed");
}

// The next cell of the line without the blanks around it.
static jd_status cell(jd_scan *s, jd_arena *arena, const char **out) {
    char *text = jd_arena_take(arena, (size_t)(s->stop - s->at) + 1, 1);
    size_t n = 0;
    JD_TRY(jd_arena_status(arena));
    while (s->at < s->stop && is_blank(*s->at)) s->at++;
    if (s->at < s->stop && *s->at == '"') {
        JD_TRY(quoted(s, text, &n));
        while (s->at < s->stop && is_blank(*s->at)) s->at++;
        if (s->at < s->stop && *s->at != ',')
            return jd_scan_fail(s, JD_BROKEN_TABLE, "text after a closing quote");
    } else {
        while (s->at < s->stop && *s->at != ',') text[n++] = *s->at++;
        while (n > 0 && is_blank(text[n - 1])) n--;
    }
    text[n] = '\0';
    if (strlen(text) != n) return jd_scan_fail(s, JD_BROKEN_TABLE, "not a text file");
    *out = text;
    return JD_OK;
}

// A line that is neither empty nor a comment.
static bool next_line(jd_scan *s) {
    while (jd_scan_line(s)) {
        const char *at = s->at;
        while (at < s->stop && is_blank(*at)) at++;
        if (at < s->stop && *at != '#') return true;
    }
    return false;
}

// The cells of a line; `most` at most.
static jd_status line(jd_scan *s, jd_arena *arena, int most, const char **out, int *n) {
    for (*n = 0;;) {
        if (*n == most)
            return jd_scan_fail(s, JD_SIZE_MISMATCH, "the line has more than %d cells", most);
        JD_TRY(cell(s, arena, &out[(*n)++]));
        if (s->at >= s->stop) return JD_OK;
        s->at++; // the comma
    }
}

static jd_status read_paths(jd_scan *s, jd_arena *arena, const char **path, int *n) {
    JD_TRY(line(s, arena, MOST_COLUMNS, path, n));
    for (int k = 0; k < *n; k++) {
        if (!path[k][0] || strpbrk(path[k], "= \t"))
            return jd_scan_fail(s, JD_BROKEN_TABLE,
                                "column %d is headed by `%s`, which is no path of a value", k + 1,
                                path[k]);
        for (int j = 0; j < k; j++)
            if (!strcmp(path[j], path[k]))
                return jd_scan_fail(s, JD_DUPLICATE_NAME, "two columns are headed by `%s`",
                                    path[k]);
    }
    return JD_OK;
}

static jd_status read_table(jd_scan *s, jd_arena *arena, jd_batch_def *d) {
    const char **path = JD_TAKE(arena, const char *, MOST_COLUMNS);
    JD_TRY(jd_arena_status(arena));
    if (!next_line(s)) return jd_scan_fail(s, JD_EMPTY_FILE, "`%s` holds no paths", s->path);
    JD_TRY(read_paths(s, arena, path, &d->n_parameter));
    int rows = 0, cells;
    while (next_line(s)) rows++;
    if (rows == 0) return jd_scan_fail(s, JD_EMPTY_FILE, "`%s` holds no cases", s->path);
    const char **value =
        jd_arena_take(arena, (size_t)rows * (size_t)d->n_parameter, sizeof(char *));
    JD_TRY(jd_arena_status(arena));
    jd_scan_again(s);
    next_line(s);
    for (int i = 0; i < rows && next_line(s); i++) {
        JD_TRY(line(s, arena, d->n_parameter, value + (size_t)i * (size_t)d->n_parameter, &cells));
        if (cells != d->n_parameter)
            return jd_scan_fail(s, JD_SIZE_MISMATCH,
                                "the line has %d cells, but there are %d paths", cells,
                                d->n_parameter);
    }
    d->n = rows;
    d->parameter = path;
    d->value = value;
    return JD_OK;
}

jd_status jd_batch_read(jd_context *context, const char *file, jd_batch_table **out) {
    jd_arena *arena = jd_arena_create(context);
    jd_scan s;
    *out = NULL;
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_batch_table *t = JD_TAKE(arena, jd_batch_table, 1);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK) status = jd_scan_open(arena, file, LARGEST_FILE, JD_BROKEN_TABLE, &s);
    if (status == JD_OK) {
        *t = (jd_batch_table){.arena = arena};
        status = read_table(&s, arena, &t->def);
    }
    if (status == JD_OK)
        *out = t;
    else
        jd_arena_free(arena);
    return status;
}

void jd_batch_free(jd_batch_table *t) {
    if (t) jd_arena_free(t->arena);
}

const jd_batch_def *jd_batch_look(const jd_batch_table *t) { return &t->def; }
