// matrix_file.c -- matrices from Matrix Market files and from lists of FE programs.
//   Matrix Market: %%MatrixMarket matrix {coordinate|array} {real|integer} {general|symmetric},
//   lines with % are comments, then the sizes, then the entries.
//   List: node,dof,node,dof,value with commas or blanks; lines with ** or # are comments. Rows are
//   numbered by node, then dof. Abaqus also writes row,column,value (FORMAT=COORDINATE).
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/scan.h"
#include "structure/matrices/formats/format.h"

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

static jd_status truncated(jd_scan *s) {
    jd_fail_hint(s->context, "export or copy the file again: its end is missing");
    return JD_BROKEN_MATRIX;
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
    if (*entries > (s->end - s->next + 1) / 2) {
        jd_scan_fail(s, JD_BROKEN_MATRIX,
                     "the file is truncated: %ld entries are announced, but only %ld bytes follow",
                     *entries, (long)(s->end - s->next));
        return truncated(s);
    }
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
        if (!market_line(s)) {
            jd_scan_fail(s, JD_BROKEN_MATRIX,
                         "the file is truncated: %ld entries are announced, %ld are there", entries,
                         i);
            return truncated(s);
        }
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

// node,dof,node,dof,value, or row,column,value
static jd_status list_entry(jd_scan *s, bool rows, jd_label at[2], double *value) {
    for (int i = 0; i < 2; i++) {
        at[i].dof = 1;
        if (rows) {
            JD_TRY(jd_scan_integer(s, i ? "the column" : "the row", 1, LARGEST_SIZE, &at[i].node));
            continue;
        }
        JD_TRY(jd_scan_integer(s, "the node", INT_MIN, INT_MAX, &at[i].node));
        JD_TRY(jd_scan_integer(s, "the dof", 1, LARGEST_DOF, &at[i].dof));
    }
    JD_TRY(jd_scan_real(s, "the value", value));
    return jd_scan_line_end(s);
}

static jd_status read_list(jd_arena *arena, jd_scan *s, bool rows, jd_matrix_list *m) {
    int count = 0;
    m->counted = rows;
    m->either = true;
    jd_scan_again(s);
    while (list_line(s)) count++;
    jd_label *pair = JD_TAKE(arena, jd_label, 2 * (size_t)count);
    JD_TRY(jd_matrix_room(arena, m, count));
    jd_scan_again(s);
    for (int i = 0; i < count; i++) {
        double value = 0;
        list_line(s);
        JD_TRY(list_entry(s, rows, pair + 2 * (size_t)i, &value));
        jd_matrix_add(m, 0, 0, s->line, value);
    }
    return jd_matrix_label_rows(arena, pair, count, m);
}

// ---- both

int jd_matrix_row(const jd_matrix_list *m, int node, int dof) {
    if (!m->node) return node >= 1 && node <= m->n ? node - 1 : -1;
    return jd_dof_row(&(jd_dof_map){m->n, m->node, m->dof}, node, dof);
}

static jd_status neither(jd_scan *s) {
    char word[WORD];
    jd_scan_word(s, word, sizeof word);
    jd_scan_fail(s, JD_BROKEN_MATRIX, "`%s` begins no matrix", word);
    jd_fail_hint(s->context,
                 "a Matrix Market file begins with `%%%%MatrixMarket matrix`, a list of "
                 "an FE program has lines `node,dof,node,dof,value`, one of CalculiX `row column "
                 "value`; DMIG and OUTPUT4 of Nastran and .mat of MATLAB are read, too");
    return JD_BROKEN_MATRIX;
}

static jd_status no_names(jd_scan *s, const char *name) {
    jd_scan_fail(s, JD_UNKNOWN_NAME, "`%s` is to be read, but matrices of this format have no name",
                 name);
    jd_fail_hint(s->context, "leave out `name`");
    return JD_UNKNOWN_NAME;
}

// Of CalculiX by the ending, or by the names of the rows beside; else rows are counted, as in the
// coordinate format of Abaqus.
static bool named_rows(jd_arena *arena, const char *path) {
    static const char *const endings[] = {".sti", ".mas"};
    size_t n = strlen(path);
    for (int i = 0; i < 2; i++)
        if (n > 4 && !strcasecmp(path + n - 4, endings[i])) return true;
    const char *names = jd_matrix_labels_path(arena, path);
    return names && access(names, R_OK) == 0;
}

jd_status jd_matrix_read(jd_arena *arena, const char *path, const char *name, jd_matrix_list *m) {
    jd_scan s;
    char word[WORD];
    *m = (jd_matrix_list){.path = path};
    JD_TRY(jd_scan_open(arena, path, JD_MATRIX_LARGEST, JD_BROKEN_MATRIX, &s));
    if (jd_matrix_is_matlab(&s)) return jd_matrix_read_matlab(arena, &s, name, m);
    if (jd_matrix_is_op4_binary(&s)) return jd_matrix_read_op4_binary(arena, &s, name, m);
    if (jd_matrix_is_matlab4(&s)) return jd_matrix_refuse_matlab4(&s);
    if (jd_matrix_is_op4_text(&s)) return jd_matrix_read_op4_text(arena, &s, name, m);
    if (jd_matrix_is_dmig(&s)) return jd_matrix_read_dmig(arena, &s, name, m);
    jd_scan_again(&s);
    jd_scan_line(&s);
    jd_scan_word(&s, word, sizeof word);
    if (name) return no_names(&s, name);
    if (strcasecmp(word, "%%MatrixMarket") == 0) return read_market(arena, &s, m);
    jd_scan_again(&s);
    s.commas = true;
    if (!list_line(&s)) {
        jd_scan_fail(&s, JD_EMPTY_FILE, "`%s` holds no entries", path);
        return JD_EMPTY_FILE;
    }
    if (!strchr("+-0123456789", *s.at)) return neither(&s);
    bool rows = jd_matrix_is_calculix(&s);
    if (rows && named_rows(arena, path)) return jd_matrix_read_calculix(arena, &s, m);
    return read_list(arena, &s, rows, m);
}
