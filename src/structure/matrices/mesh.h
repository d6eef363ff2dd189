// mesh.h -- nodes with coordinates, sets of nodes and elements of an FE model; which node and
// direction each row of its matrices is.
#ifndef JD_STRUCTURE_MATRICES_MESH_H
#define JD_STRUCTURE_MATRICES_MESH_H

#include "base/arena.h"

// Directions of a degree of freedom as FE programs count them: x y z, then rotations about them.
enum { JD_DOF_X = 1, JD_DOF_Y, JD_DOF_Z, JD_DOF_RX, JD_DOF_RY, JD_DOF_RZ };

typedef struct jd_mesh_set {
    const char *name;
    int n;
    const int *node; // labels, ascending, each once
} jd_mesh_set;

// Elements whose shape VTK has; nodes in VTK's order.
typedef struct jd_mesh_cells {
    int n;
    int n_other; // elements of the file that are not here: no such shape, or a node that is missing
    int *type;   // n: VTK's cell type (10 tetrahedron, 12 hexahedron, 24 quadratic tetrahedron ..)
    int *start;  // n + 1: where the nodes of each begin in `node`
    int *node;   // numbers of nodes in jd_mesh.node, from 0
} jd_mesh_cells;

typedef struct jd_mesh {
    const char *path;
    int n;      // nodes
    int *node;  // n labels, ascending, each once
    double *at; // n x 3: coordinates, in the unit of length of the matrices
    int n_set;
    jd_mesh_set *set;
    jd_mesh_cells cells;
} jd_mesh;

// Degrees of freedom of a structure from matrices: row i is direction dof[i] of node[i]. NULL:
// the files say nothing of nodes.
typedef struct jd_dof_map {
    int n;
    const int *node; // labels, ascending; within a node directions ascend
    const int *dof;  // JD_DOF_X ..; other numbers mean what the FE program means by them
} jd_dof_map;

// Reads nodes, and sets and elements where there are any. By its content a file is an input file
// of Abaqus or CalculiX (*NODE, *NSET, *ELEMENT), a universal file (datasets 15, 2411, 2412), or
// a table with lines `node,x,y,z`.
jd_status jd_mesh_read(jd_arena *arena, const char *path, jd_mesh *out);

// Number of a node in the list by its label, or -1.
int jd_mesh_find(const jd_mesh *mesh, int label);
// The set of a name, whatever its case, or NULL.
const jd_mesh_set *jd_mesh_set_of(const jd_mesh *mesh, const char *name);
bool jd_mesh_set_has(const jd_mesh_set *set, int label);
// Length of the diagonal of the box around all nodes.
double jd_mesh_size(const jd_mesh *mesh);

// Row of a node's direction, or -1.
int jd_dof_row(const jd_dof_map *map, int label, int dof);

// Displacement of every row when the structure moves as a rigid body: by 1 along x, y or z (mesh
// may be NULL), or by a rotation of 1 about an axis through the origin. False: some row is of no
// node of the mesh, or of a direction other than the six; what belongs to it is 0.
bool jd_dof_rigid(const jd_dof_map *map, const jd_mesh *mesh, int direction, double *out);

#endif
