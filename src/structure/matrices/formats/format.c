// format.c -- choosing one of several matrices in a file; numbers in columns of fixed width.
#include "structure/matrices/formats/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIELD = 64 };

bool jd_choice_offer(jd_choice *c, const char *name) {
    c->n++;
    if (c->n <= 2) snprintf(c->n == 1 ? c->first : c->second, JD_FORMAT_NAME, "%.63s", name);
    return !c->wanted || !strcasecmp(c->wanted, name);
}

jd_status jd_choice_check(jd_context *context, const jd_choice *c, bool found) {
    jd_status status = JD_OK;
    if (c->n == 0)
        status = jd_fail(context, JD_EMPTY_FILE, "`%s` holds no matrix", c->path);
    else if (!found) {
        status = jd_fail(context, JD_UNKNOWN_NAME, "`%s` has no matrix `%s`", c->path, c->wanted);
        jd_fail_hint(context, c->n == 1 ? "it has `%s` only%s" : "it has `%s`, `%s`%s", c->first,
                     c->n == 1 ? "" : c->second, c->n > 2 ? " and more" : "");
    } else if (!c->wanted && c->n > 1) {
        status =
            jd_fail(context, JD_MISSING_KEY, "`%s` holds %d matrices: which one?", c->path, c->n);
        jd_fail_hint(context, "write {file: FILE, name: %s}", c->first);
    }
    if (status != JD_OK) jd_fail_where(context, "%s", c->path);
    return status;
}

void jd_field_text(const char *at, size_t width, char *out, size_t size) {
    const char *end = at + width;
    size_t n = 0;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r' || end[-1] == '\0'))
        end--;
    for (; at < end && n + 1 < size; at++) out[n++] = *at >= ' ' && *at <= '~' ? *at : '?';
    out[n] = 0;
}

bool jd_field_real(const char *at, size_t width, double *out) {
    char text[FIELD], full[FIELD + 1], *rest;
    jd_field_text(at, width, text, sizeof text);
    size_t n = 0;
    bool exponent = false, digits = text[0] && strspn(text, "0123456789+-.eEdD") == strlen(text);
    for (const char *c = text; digits && *c; c++) {
        bool letter = strchr("eEdD", *c) != NULL, sign = *c == '+' || *c == '-';
        if (sign && c > text && !exponent) full[n++] = 'e'; // 1.5-3
        exponent = exponent || letter || (sign && c > text);
        full[n++] = letter ? 'e' : *c;
        if (n + 1 >= sizeof full) return false;
    }
    full[n] = 0;
    *out = digits ? strtod(full, &rest) : 0;
    return digits && rest != full && !*rest && isfinite(*out);
}

bool jd_field_integer(const char *at, size_t width, long blank, long *out) {
    char text[FIELD], *rest;
    jd_field_text(at, width, text, sizeof text);
    *out = blank;
    if (!text[0]) return true;
    *out = strtol(text, &rest, 10);
    return !*rest && labs(*out) < 1L << 40;
}

static int compare(const void *a, const void *b) {
    const jd_label *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return (x->dof > y->dof) - (x->dof < y->dof);
}

jd_status jd_matrix_label_rows(jd_arena *arena, const jd_label *pair, int count,
                               jd_matrix_list *m) {
    size_t n = 2 * (size_t)count;
    jd_label *sorted = JD_TAKE(arena, jd_label, n);
    JD_TRY(jd_arena_status(arena));
    memcpy(sorted, pair, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare);
    m->node = JD_TAKE(arena, int, n);
    m->dof = JD_TAKE(arena, int, n);
    JD_TRY(jd_arena_status(arena));
    for (size_t i = 0; i < n; i++) {
        if (i && compare(&sorted[i], &sorted[i - 1]) == 0) continue;
        m->node[m->n] = sorted[i].node;
        m->dof[m->n++] = sorted[i].dof;
    }
    for (int i = 0; i < count; i++) {
        m->row[i] = jd_matrix_row(m, pair[2 * i].node, pair[2 * i].dof);
        m->column[i] = jd_matrix_row(m, pair[2 * i + 1].node, pair[2 * i + 1].dof);
    }
    return JD_OK;
}
