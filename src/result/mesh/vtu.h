// vtu.h -- unstructured grids with point data for ParaView: .vtu files and their series (.pvd).
#ifndef JD_RESULT_MESH_VTU_H
#define JD_RESULT_MESH_VTU_H

#include "base/fail.h"

// Numbers at every point: `components` of them each.
typedef struct jd_vtu_array {
    const char *name;
    int components;
    const double *real; // n_point x components; NULL: `whole` instead
    const int *whole;
} jd_vtu_array;

typedef struct jd_vtu {
    int n_point;
    const double *point; // n_point x 3 [m]
    int n_cell;
    const int *type;  // VTK's number of each cell's shape: 1 vertex, 3 line, 12 hexahedron ...
    const int *start; // n_cell + 1: where the points of each begin in `corner`
    const int *corner;
    int n_array;
    const jd_vtu_array *array;
    double time; // at which it is shown
} jd_vtu;

// XML with numbers in base64, each array behind the count of its bytes (64 bits).
jd_status jd_vtu_write(jd_context *context, const char *path, const jd_vtu *grid);

// The list of a series: file i is shown at time[i]; file names are relative to the list.
jd_status jd_pvd_write(jd_context *context, const char *path, int n, const double *time,
                       const char *const *file);

#endif
