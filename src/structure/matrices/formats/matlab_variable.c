// matlab_variable.c -- which variables of a MATLAB file are matrices that can be read.
#include <math.h>
#include <string.h>

#include "structure/matrices/formats/matlab.h"

jd_status jd_matlab_refuse(const jd_matlab_file *f, jd_status status, const char *name,
                           const char *what, const char *hint) {
    jd_fail(f->context, status, "`%s` in `%s` %s", name, f->path, what);
    jd_fail_where(f->context, "%s", f->path);
    if (hint) jd_fail_hint(f->context, "%s", hint);
    return status;
}

static const char *class_words(int class) {
    switch (class) {
    case JD_MATLAB_CELL:
        return "is a cell array, not a matrix of numbers";
    case JD_MATLAB_STRUCT:
        return "is a struct, not a matrix of numbers";
    case JD_MATLAB_CHAR:
        return "is a text, not a matrix of numbers";
    case JD_MATLAB_OBJECT:
        return "is an object, not a matrix of numbers";
    case JD_MATLAB_FUNCTION:
        return "is a function, not a matrix of numbers";
    default:
        return "is not a matrix of numbers";
    }
}

static bool is_numbers(const jd_matlab_variable *v) {
    return v->class >= JD_MATLAB_SPARSE && v->class <= JD_MATLAB_INTEGERS_END;
}

bool jd_matlab_is_wanted(jd_matlab_file *f, const jd_matlab_variable *v) {
    bool scalar = v->rank == 2 && v->rows == 1 && v->columns == 1;
    if (!v->name[0] || (!f->wanted && (!is_numbers(v) || scalar))) return false;
    bool wanted = jd_choice_offer(&f->choice, v->name);
    if (!wanted || f->found || (f->wanted && strcmp(f->wanted, v->name) != 0)) return false;
    f->found = true;
    return true;
}

jd_status jd_matlab_check(const jd_matlab_file *f, const jd_matlab_variable *v) {
    if (!is_numbers(v))
        return jd_matlab_refuse(f, JD_WRONG_TYPE, v->name, class_words(v->class),
                                "save the matrix itself: save model.mat M K");
    if (v->complex)
        return jd_matlab_refuse(f, JD_NOT_SUPPORTED, v->name, "is complex, but must be real",
                                "structural damping is given by `damping`, not by a complex "
                                "stiffness");
    if (v->class >= JD_MATLAB_INTEGERS)
        return jd_matlab_refuse(f, JD_WRONG_TYPE, v->name,
                                "holds integers, not floating-point numbers", "write double(K)");
    if (v->rank != 2 || v->rows != v->columns) {
        jd_fail(f->context, JD_SIZE_MISMATCH, "`%s` in `%s` is not square: %zu x %zu", v->name,
                f->path, v->rows, v->columns);
        jd_fail_where(f->context, "%s", f->path);
        return JD_SIZE_MISMATCH;
    }
    size_t n = v->rows;
    bool fits = n >= 1 && n <= JD_MATRIX_ROWS_MOST;
    // Of a full matrix at least a byte for every number, of a sparse one where each column begins.
    size_t bytes = v->class == JD_MATLAB_SPARSE ? 4 * n : n * n;
    if (fits && bytes / JD_MATLAB_SQUEEZED <= f->size) return JD_OK;
    return jd_matlab_refuse(f, JD_BROKEN_MATRIX, v->name,
                            "has more rows than a file of its size can hold", NULL);
}

jd_status jd_matlab_add(const jd_matlab_file *f, const char *name, size_t row, size_t column,
                        double value, jd_matrix_list *m) {
    if (!isfinite(value))
        return jd_matlab_refuse(f, JD_BROKEN_MATRIX, name, "holds a number that is not finite",
                                NULL);
    if (value != 0) jd_matrix_add(m, (int)row, (int)column, 0, value);
    return JD_OK;
}
