// points.h -- points of a structure from matrices: their rows, by node, coordinate or set; sums of
// the mass matrix.
#ifndef JD_STRUCTURE_MATRICES_POINTS_H
#define JD_STRUCTURE_MATRICES_POINTS_H

#include "judder/param.h"
#include "structure/matrices/matrix_entries.h"

// Row of a point. mesh NULL: none is given. Coordinates are looked for among the nodes that have
// the direction asked for.
jd_status jd_matrices_point(jd_arena *arena, const jd_matrix_list *list, const jd_mesh *mesh,
                            const jd_point *point, int *row);

// What the mass matrix says of the whole: mass and, with a mesh, centre, in words; NULL: rows have
// no directions.
jd_status jd_matrices_sums(jd_arena *arena, const jd_sparse *M, const jd_dof_map *rows,
                           const jd_mesh *mesh, const char **text);

#endif
