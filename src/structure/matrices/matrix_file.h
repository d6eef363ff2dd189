// matrix_file.h -- symmetric matrices from files: Matrix Market, or lists of FE programs.
#ifndef JD_STRUCTURE_MATRIX_FILE_H
#define JD_STRUCTURE_MATRIX_FILE_H

#include "linalg/eigen.h"

// The entries of a file as they stand there; rows and columns count from 0.
typedef struct jd_matrix_file {
    const char *path;
    int n;         // rows
    bool triangle; // the file says that it holds one triangle only
    int *node;     // n labels of a list `node,dof,node,dof,value`, ascending; NULL: Matrix Market
    int *dof;
    int n_entry;
    int *row, *column, *line;
    double *value;
} jd_matrix_file;

enum { JD_MATRIX_LARGEST = 1 << 30 }; // bytes of a file that is read

// Reads a Matrix Market file (coordinate or array; real or integer; general or symmetric) or a
// list of FE programs: lines `node,dof,node,dof,value`, separated by commas or blanks, comments
// start with ** or #. Which one it is follows from the content.
jd_status jd_matrix_read(jd_arena *arena, const char *path, jd_matrix_file *out);

// Row of a labelled dof, or -1. In Matrix Market the node is the row number and dof says nothing.
int jd_matrix_row(const jd_matrix_file *file, int node, int dof);

// Both triangles as a sparse matrix of size `like->n`, in the order of `like` (which may be the
// file itself). A triangle is completed; a full matrix must be symmetric up to rounding.
// `what` names the matrix in messages.
jd_status jd_matrix_assemble(jd_arena *arena, const jd_matrix_file *file,
                             const jd_matrix_file *like, const char *what, jd_sparse *out);

#endif
