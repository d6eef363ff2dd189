// loads.h -- vectors of forces on many rows of matrices: distributed loads, shaken supports.
#ifndef JD_STRUCTURE_MATRICES_LOADS_LOADS_H
#define JD_STRUCTURE_MATRICES_LOADS_LOADS_H

#include "structure/matrices/matrix_entries.h"

typedef struct jd_loads {
    int n;
    const char **name;
    double **value; // n vectors of list->n numbers
} jd_loads;

// Reads a table whose first line names its columns: `node, dof, NAME ...` where the rows of the
// matrices have labels, else `row, NAME ...`. Rows that are not in it have no force.
jd_status jd_loads_read(jd_arena *arena, const char *path, const jd_matrix_list *list,
                        jd_loads *out);

// M r of supports that move by `direction` (three numbers): r is the component of each dof 1, 2, 3.
jd_status jd_loads_of_base(jd_arena *arena, const jd_matrix_list *list, const jd_sparse *M,
                           const jd_reals *direction, double **out);

#endif
