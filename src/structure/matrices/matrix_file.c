// matrix_file.c -- matrices from Matrix Market files and from lists of FE programs.
//   Matrix Market: %%MatrixMarket matrix {coordinate|array} {real|integer} {general|symmetric},
//   lines with % are comments, then the sizes, then the entries.
//   List: node,dof,node,dof,value with commas or blanks; lines with ** or # are comments. Rows are
//   numbered by node, then dof.
#include "structure/matrices/matrix_entries.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scan.h"

enum { WORD = 64, LARGEST_SIZE = 20000000, LARGEST_DOF = 1000 };

jd_status jd_matrix_room(jd_arena *arena, jd_matrix_list *m, int most) {
    m->row = JD_TAKE(arena, int, most);
    m->column = JD_TAKE(arena, int, most);
    m->line = JD_TAKE(arena, int, most);
    m->value = m->read = JD_TAKE(arena, double, most);
    return jd_arena_status(arena);
}

void jd_matrix_add(jd_matrix_list *m, int row, int column, int line, double value) {
    int i = m->n_entry++;
    m->row[i] = row;
    m->column[i] = column;
    m->line[i] = line;
    m->read[i] = value;
}

// ---- Matrix Market

// The words behind %%MatrixMarket.
static jd_status market_header(jd_scan *s, bool *array, bool *symmetric) {
    char object[WORD], format[WORD], field[WORD], symmetry[WORD];
    jd_scan_word(s, object, sizeof object);
    jd_scan_word(s, format, sizeof format);
    jd_scan_word(s, field, sizeof field);
    jd_scan_word(s, symmetry, sizeof symmetry);
    *array = strcasecmp(format, "array") == 0;
    *symmetric = strcasecmp(symmetry, "symmetric") == 0;
    if (strcasecmp(object, "matrix") != 0)
        return jd_scan_fail(s, JD_BROKEN_MATRIX, "a Matrix Market `%s` is not a matrix", object);
    if (!*array && strcasecmp(format, "coordinate") != 0)
        return jd_scan_fail(s, JD_BROKEN_MATRIX,
                            "the Matrix Market format is `%s`, expected coordinate or array",
                            format);
    if (strcasecmp(field, "real") != 0 && strcasecmp(field, "integer") != 0)
        return jd_scan_fail(s, JD_BROKEN_MATRIX,
                            "the Matrix Market field is `%s`, expected real or integer", field);
    if (!*symmetric && strcasecmp(symmetry, "general") != 0)
        return jd_scan_fail(s, JD_BROKEN_MATRIX,
                            "the Matrix Market symmetry is `%s`, expected symmetric or general",
                            symmetry);
    return jd_scan_line_end(s);
}

static bool market_line(jd_scan *s) { // the next line that is neither blank nor a comment
    while (jd_scan_line(s))
        if (!jd_scan_blank(s) && *s->at != '%') return true;
    return false;
}

static jd_status market_sizes(jd_scan *s, bool array, bool triangle, int *n, long *entries) {
    if (!market_line(s))
        return jd_scan_fail(s, JD_BROKEN_MATRIX, "the line with the sizes is missing");
    int columns = 0, count = 0;
    JD_TRY(jd_scan_integer(s, "the number of rows", 1, LARGEST_SIZE, n));
    JD_TRY(jd_scan_integer(s, "the number of columns", 1, LARGEST_SIZE, &columns));
    if (!array) JD_TRY(jd_scan_integer(s, "the number of entries", 0, INT_MAX, &count));
    JD_TRY(jd_scan_line_end(s));
    if (columns != *n)
        return jd_scan_fail(s, JD_SIZE_MISMATCH, "the matrix is not square: %d rows, %d columns",
                            *n, columns);
    *entries = !array ? count : triangle ? (long)*n * (*n + 1) / 2 : (long)*n * *n;
    // Every entry takes two bytes at least: refuse to make room for what cannot be there.
    if (*entries > (s->end - s->next + 1) / 2)
        return jd_scan_fail(s, JD_BROKEN_MATRIX,
                            "the file is truncated: %ld entries are announced, but only %ld bytes "
                            "follow",
                            *entries, (long)(s->end - s->next));
    return JD_OK;
}

static jd_status market_entry(jd_scan *s, bool array, long index, jd_matrix_list *m) {
    int row = 0, column = 0;
    double value = 0;
    if (array) { // by columns; of a symmetric matrix the lower triangle
        if (index == 0) {
            row = column = 0;
        } else {
            row = m->row[index - 1] + 1;
            column = m->column[index - 1];
            if (row == m->n) row = m->triangle ? ++column : (++column, 0);
        }
    } else {
        JD_TRY(jd_scan_integer(s, "the row", 1, m->n, &row));
        JD_TRY(jd_scan_integer(s, "the column", 1, m->n, &column));
        row--, column--;
    }
    JD_TRY(jd_scan_real(s, "the value", &value));
    JD_TRY(jd_scan_line_end(s));
    jd_matrix_add(m, row, column, s->line, value);
    return JD_OK;
}

static jd_status read_market(jd_arena *arena, jd_scan *s, jd_matrix_list *m) {
    bool array = false;
    long entries = 0;
    JD_TRY(market_header(s, &array, &m->triangle));
    JD_TRY(market_sizes(s, array, m->triangle, &m->n, &entries));
    JD_TRY(jd_matrix_room(arena, m, (int)entries));
    for (long i = 0; i < entries; i++) {
        if (!market_line(s))
            return jd_scan_fail(s, JD_BROKEN_MATRIX,
                                "the file is truncated: %ld entries are announced, %ld are there",
                                entries, i);
        JD_TRY(market_entry(s, array, i, m));
    }
    if (!market_line(s)) return JD_OK;
    return jd_scan_fail(s, JD_BROKEN_MATRIX, "more lines follow than the %ld entries announced",
                        entries);
}

// ---- lists of FE programs

static bool list_line(jd_scan *s) {
    while (jd_scan_line(s)) {
        if (jd_scan_blank(s) || *s->at == '#') continue;
        if (s->stop - s->at >= 2 && s->at[0] == '*' && s->at[1] == '*') continue;
        return true;
    }
    return false;
}

typedef struct label {
    int node, dof;
} label;

static int compare_labels(const void *a, const void *b) {
    const label *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return (x->dof > y->dof) - (x->dof < y->dof);
}

static jd_status list_entry(jd_scan *s, label at[2], double *value) {
    for (int i = 0; i < 2; i++) {
        JD_TRY(jd_scan_integer(s, "the node", INT_MIN, INT_MAX, &at[i].node));
        JD_TRY(jd_scan_integer(s, "the dof", 1, LARGEST_DOF, &at[i].dof));
    }
    JD_TRY(jd_scan_real(s, "the value", value));
    return jd_scan_line_end(s);
}

// Distinct labels in ascending order become the rows.
static jd_status take_labels(jd_arena *arena, const label *pair, int count, jd_matrix_list *m) {
    label *sorted = JD_TAKE(arena, label, 2 * (size_t)count);
    JD_TRY(jd_arena_status(arena));
    memcpy(sorted, pair, 2 * (size_t)count * sizeof *sorted);
    qsort(sorted, 2 * (size_t)count, sizeof *sorted, compare_labels);
    m->node = JD_TAKE(arena, int, 2 * (size_t)count);
    m->dof = JD_TAKE(arena, int, 2 * (size_t)count);
    JD_TRY(jd_arena_status(arena));
    for (size_t i = 0; i < 2 * (size_t)count; i++) {
        if (i && compare_labels(&sorted[i], &sorted[i - 1]) == 0) continue;
        m->node[m->n] = sorted[i].node;
        m->dof[m->n++] = sorted[i].dof;
    }
    return JD_OK;
}

static jd_status read_list(jd_arena *arena, jd_scan *s, jd_matrix_list *m) {
    int count = 0;
    jd_scan_again(s);
    while (list_line(s)) count++;
    label *pair = JD_TAKE(arena, label, 2 * (size_t)count);
    JD_TRY(jd_matrix_room(arena, m, count));
    jd_scan_again(s);
    for (int i = 0; i < count; i++) {
        double value = 0;
        list_line(s);
        JD_TRY(list_entry(s, pair + 2 * (size_t)i, &value));
        jd_matrix_add(m, 0, 0, s->line, value);
    }
    JD_TRY(take_labels(arena, pair, count, m));
    for (int i = 0; i < count; i++) {
        m->row[i] = jd_matrix_row(m, pair[2 * i].node, pair[2 * i].dof);
        m->column[i] = jd_matrix_row(m, pair[2 * i + 1].node, pair[2 * i + 1].dof);
    }
    return JD_OK;
}

// ---- both

int jd_matrix_row(const jd_matrix_list *m, int node, int dof) {
    if (!m->node) return node >= 1 && node <= m->n ? node - 1 : -1;
    int low = 0, high = m->n;
    label wanted = {node, dof};
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = compare_labels(&wanted, &(label){m->node[middle], m->dof[middle]});
        if (order == 0) return middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

static jd_status neither(jd_scan *s) {
    char word[WORD];
    jd_scan_word(s, word, sizeof word);
    jd_scan_fail(s, JD_BROKEN_MATRIX, "`%s` begins no matrix", word);
    jd_fail_hint(s->context,
                 "a Matrix Market file begins with `%%%%MatrixMarket matrix`, a list of "
                 "an FE program has lines `node,dof,node,dof,value`, one of CalculiX `row column "
                 "value`");
    return JD_BROKEN_MATRIX;
}

jd_status jd_matrix_read(jd_arena *arena, const char *path, jd_matrix_list *m) {
    jd_scan s;
    char word[WORD];
    *m = (jd_matrix_list){.path = path};
    JD_TRY(jd_scan_open(arena, path, JD_MATRIX_LARGEST, JD_BROKEN_MATRIX, &s));
    jd_scan_line(&s);
    jd_scan_word(&s, word, sizeof word);
    if (strcasecmp(word, "%%MatrixMarket") == 0) return read_market(arena, &s, m);
    jd_scan_again(&s);
    s.commas = true;
    if (!list_line(&s)) {
        jd_scan_fail(&s, JD_EMPTY_FILE, "`%s` holds no entries", path);
        return JD_EMPTY_FILE;
    }
    if (!strchr("+-0123456789", *s.at)) return neither(&s);
    if (jd_matrix_is_calculix(&s)) return jd_matrix_read_calculix(arena, &s, m);
    return read_list(arena, &s, m);
}
