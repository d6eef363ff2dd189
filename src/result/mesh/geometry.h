// geometry.h -- bodies as points and cells in space, with the motion of every point by each mode.
#ifndef JD_RESULT_MESH_GEOMETRY_H
#define JD_RESULT_MESH_GEOMETRY_H

#include "base/arena.h"
#include "judder/problem.h"

// u_i = sum_k q_k shape_ki at point i, q in the bodies' own coordinates (jd_system.own).
typedef struct jd_geometry {
    jd_arena *arena;
    const jd_problem *problem;
    int n, n_cell, n_mode;
    double *at;        // n x 3 [m]
    int *type, *start; // cells as in jd_vtu
    int *corner;
    double *shape;   // n_mode rows of 3 n [1/sqrt(kg)]
    int *first;      // bodies + 1: where the points of each begin
    int *of_contact; // point of every contact; -1: none
    int **of_cells;  // of every contact at several points: those; NULL: of the others
    int *label;      // n: numbers of nodes; from 1 where there are several bodies
    bool *in_a_row;  // bodies: their points have no known place, and move along z
} jd_geometry;

// Points of one body, before they are joined.
typedef struct jd_body_geometry {
    int n, n_cell, n_corner;
    double *at;
    int *type, *start, *corner;
    double *shape;    // modes of the body x 3 n
    const int *label; // n numbers of nodes; NULL: none
    bool in_a_row;    // points without a place
} jd_body_geometry;

// After jd_problem_build. JD_NOT_SUPPORTED where a body has no places (given modes, matrices
// without a mesh), unless their points may stand in rows.
jd_status jd_geometry_create(jd_arena *arena, const jd_problem *problem, jd_geometry *out);
jd_status jd_geometry_create_rows(jd_arena *arena, const jd_problem *problem, jd_geometry *out);

// Displacements n x 3 of coordinates of the modes (those of jd_run_modal_state).
void jd_geometry_move(const jd_geometry *geometry, const double *q, double *own, double *u);

// row.c: points without a place, one beside the other over a length of 1.
jd_status jd_geometry_row(jd_arena *arena, const jd_problem *problem, int body,
                          jd_body_geometry *out);
// Number in the row of a named point; -1: none.
int jd_geometry_row_point(const jd_problem *problem, int body, const char *point);

// solid.c: nodes and elements of the mesh of matrices.
jd_status jd_geometry_solid(jd_arena *arena, const jd_problem *problem, int body,
                            jd_body_geometry *out);
// Point of the mesh where a named point of such a body is; -1: none.
int jd_geometry_solid_point(const jd_problem *problem, int body, const char *point);

#endif
