// format.h -- readers of matrices that share a way of choosing among several in a file, and of
// taking numbers from columns of fixed width.
#ifndef JD_STRUCTURE_MATRICES_FORMATS_FORMAT_H
#define JD_STRUCTURE_MATRICES_FORMATS_FORMAT_H

#include "structure/matrices/matrix_entries.h"

enum { JD_FORMAT_NAME = 64, JD_MATRIX_ROWS_MOST = 20000000 };

// Which matrix of a file to read: `wanted`, or the only one.
typedef struct jd_choice {
    const char *path;
    const char *wanted; // NULL: the only one
    int n;              // matrices seen
    char first[JD_FORMAT_NAME], second[JD_FORMAT_NAME];
} jd_choice;

// Notes a name; whether it is the one to read (whatever its case).
bool jd_choice_offer(jd_choice *choice, const char *name);
// After all were offered: fails where none was chosen, or one of several would be.
jd_status jd_choice_check(jd_context *context, const jd_choice *choice, bool found);

// A finite number in `width` characters, blanks around it allowed; D for E, and a sign alone may
// stand for E (1.5-3). False: it is none.
bool jd_field_real(const char *at, size_t width, double *out);
// A whole number likewise; blank: `blank`.
bool jd_field_integer(const char *at, size_t width, long blank, long *out);
// The characters without blanks around them, cut to fit.
void jd_field_text(const char *at, size_t width, char *out, size_t size);

// Entries by labels of nodes and dofs become rows; entry e is (pair[2 e], pair[2 e + 1]).
typedef struct jd_label {
    int node, dof;
} jd_label;
jd_status jd_matrix_label_rows(jd_arena *arena, const jd_label *pair, int count, jd_matrix_list *m);

bool jd_matrix_is_dmig(jd_scan *scan);
jd_status jd_matrix_read_dmig(jd_arena *arena, jd_scan *scan, const char *name, jd_matrix_list *m);
bool jd_matrix_is_op4_text(jd_scan *scan);
jd_status jd_matrix_read_op4_text(jd_arena *arena, jd_scan *scan, const char *name,
                                  jd_matrix_list *m);
bool jd_matrix_is_op4_binary(const jd_scan *scan);
jd_status jd_matrix_read_op4_binary(jd_arena *arena, const jd_scan *scan, const char *name,
                                    jd_matrix_list *m);
bool jd_matrix_is_matlab(const jd_scan *scan);
bool jd_matrix_is_matlab4(const jd_scan *scan); // of version 4
jd_status jd_matrix_refuse_matlab4(const jd_scan *scan);
jd_status jd_matrix_read_matlab(jd_arena *arena, const jd_scan *scan, const char *name,
                                jd_matrix_list *m);

#endif
