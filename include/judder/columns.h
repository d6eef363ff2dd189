// columns.h -- texts and numbers by name, and columns of numbers: what results are made of.
#ifndef JUDDER_COLUMNS_H
#define JUDDER_COLUMNS_H

#ifdef __cplusplus
extern "C" {
#endif

// A text, a number, a list of numbers by name.
typedef struct jd_named_text {
    const char *name, *text;
} jd_named_text;
// A number by name.
typedef struct jd_named_real {
    const char *name;
    double value;
} jd_named_real;
// A list of numbers by name.
typedef struct jd_named_reals {
    const char *name;
    int n;
    const double *value;
} jd_named_reals;

// Columns of numbers, all of n_row cells.
typedef struct jd_columns {
    int n_row, n_column;
    const char *const *name;
    const int *width;           // numbers in a cell; 0, or width NULL: one
    const double *const *value; // n_row x width each
} jd_columns;

#ifdef __cplusplus
}
#endif

#endif
