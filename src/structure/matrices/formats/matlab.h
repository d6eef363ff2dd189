// matlab.h -- variables of MATLAB files, whatever their version: which are matrices of numbers.
#ifndef JD_STRUCTURE_MATRICES_FORMATS_MATLAB_H
#define JD_STRUCTURE_MATRICES_FORMATS_MATLAB_H

#include "structure/matrices/formats/format.h"

enum { JD_MATLAB_SQUEEZED = 1032 }; // most bytes that one byte of deflate stands for

typedef struct jd_matlab_file {
    jd_context *context;
    const char *path;
    size_t size;        // bytes
    const char *wanted; // NULL: the only matrix
    jd_choice choice;
    bool found;
} jd_matlab_file;

// Classes as files of version 5 number them.
typedef enum jd_matlab_class {
    JD_MATLAB_CELL = 1,
    JD_MATLAB_STRUCT,
    JD_MATLAB_OBJECT,
    JD_MATLAB_CHAR,
    JD_MATLAB_SPARSE,
    JD_MATLAB_DOUBLE,
    JD_MATLAB_SINGLE,
    JD_MATLAB_INTEGERS, // and those behind it
    JD_MATLAB_INTEGERS_END = 15,
    JD_MATLAB_FUNCTION
} jd_matlab_class;

typedef struct jd_matlab_variable {
    const char *name;
    int class;
    bool complex;
    int rank;
    size_t rows, columns;
} jd_matlab_variable;

// Whether a variable is the one to read. Without a name the only matrix of numbers is taken: what
// stands beside it, texts and single numbers, does not count.
bool jd_matlab_is_wanted(jd_matlab_file *file, const jd_matlab_variable *v);
// Refuses what is no real square matrix, or cannot be in a file of this size.
jd_status jd_matlab_check(const jd_matlab_file *file, const jd_matlab_variable *v);
jd_status jd_matlab_refuse(const jd_matlab_file *file, jd_status status, const char *name,
                           const char *what, const char *hint);

// Adds an entry that is not 0; `name`: of the variable it is of.
jd_status jd_matlab_add(const jd_matlab_file *file, const char *name, size_t row, size_t column,
                        double value, jd_matrix_list *m);

jd_status jd_matlab_read73(jd_arena *arena, jd_matlab_file *file, jd_matrix_list *m);

#endif
