// matrix_entries.h -- symmetric matrices as lists of entries: from files or from the caller's
// memory.
#ifndef JD_STRUCTURE_MATRICES_MATRIX_ENTRIES_H
#define JD_STRUCTURE_MATRICES_MATRIX_ENTRIES_H

#include "base/scan.h"
#include "judder/param.h"
#include "linalg/eigen.h"
#include "structure/matrices/mesh.h"

// The entries of a matrix as they were given; rows and columns count from 0.
typedef struct jd_matrix_list {
    const char *path; // of the file; in memory the key of the matrix
    int n;            // rows
    bool triangle;    // it says that it holds one triangle only
    bool either;      // it may hold one triangle, or both
    bool counted;     // the labels are numbers of rows, each with dof 1: there are no nodes
    int *node;        // n labels of a list `node,dof,node,dof,value`, ascending; NULL: rows count
    int *dof;
    int n_entry;
    int *row, *column;
    int *line;           // of the file; NULL: in memory
    const double *value; // of a file or of the caller
    double *read;        // of a file: where `value` is written
} jd_matrix_list;

#define JD_MATRIX_LARGEST ((size_t)1 << 33) // bytes of a file that is read

// Reads a Matrix Market file (coordinate or array; real or integer; general or symmetric) or a
// list of FE programs: lines `node,dof,node,dof,value` or `row,column,value`, separated by commas
// or blanks, comments start with ** or #; the files of CalculiX: lines `row column value`, and the
// names of the rows in the file .dof beside; DMIG and OUTPUT4 of Nastran; MATLAB files. Which one
// it is follows from the content. `name`: which of several matrices in the file; NULL: the only
// one.
jd_status jd_matrix_read(jd_arena *arena, const char *path, const char *name, jd_matrix_list *out);

// Whether the line under way is `row column value`; then the whole file.
bool jd_matrix_is_calculix(jd_scan *scan);
jd_status jd_matrix_read_calculix(jd_arena *arena, jd_scan *scan, jd_matrix_list *m);

// Labels of all rows, ascending, from a file; rank[i] is where row i of the file comes.
jd_status jd_matrix_read_labels(jd_arena *arena, jd_scan *scan, jd_matrix_list *m, int **rank);
// Names the rows of a matrix whose file does not.
jd_status jd_matrix_name_rows(jd_arena *arena, const char *path, jd_matrix_list *m);
// Rows of a stiffness matrix in a list of Abaqus that boundary conditions hold.
jd_status jd_matrix_held(jd_arena *arena, const jd_matrix_list *stiffness, jd_dof_map *out);
// Leaves out rows and columns by their labels.
jd_status jd_matrix_without(jd_arena *arena, jd_matrix_list *m, const jd_dof_map *gone);

// The file beside a matrix of CalculiX that names its rows.
const char *jd_matrix_labels_path(jd_arena *arena, const char *path);

// Room for `most` entries, and one more of them.
jd_status jd_matrix_room(jd_arena *arena, jd_matrix_list *m, int most);
void jd_matrix_add(jd_matrix_list *m, int row, int column, int line, double value);

// The entries of a definition, from its file or from its arrays; `key` names it in messages. The
// numbers of the arrays are not copied.
jd_status jd_matrix_take(jd_arena *arena, const jd_matrix *matrix, const char *key,
                         jd_matrix_list *out);

// Row of a labelled dof, or -1. Without labels the node is the row, from 1, and dof says nothing.
int jd_matrix_row(const jd_matrix_list *list, int node, int dof);

// Both triangles as a sparse matrix of size `like->n`, in the order of `like` (which may be the
// list itself). A triangle is completed; a full matrix must be symmetric up to rounding.
// `what` names the matrix in messages.
jd_status jd_matrix_assemble(jd_arena *arena, const jd_matrix_list *list,
                             const jd_matrix_list *like, const char *what, jd_sparse *out);

#endif
