// mesh_parts.h -- what readers of meshes collect before it is sorted: nodes, elements by labels,
// members of sets.
#ifndef JD_STRUCTURE_MATRICES_FORMATS_MESH_PARTS_H
#define JD_STRUCTURE_MATRICES_FORMATS_MESH_PARTS_H

#include "base/scan.h"
#include "structure/matrices/mesh.h"

enum { JD_MESH_CELL_NODES = 20 }; // most nodes of an element that is kept

// Labels first, first + step, .. up to last of set `set`; or all of the set `other` (>= 0).
typedef struct jd_mesh_members {
    int set, other;
    int first, last, step;
} jd_mesh_members;

typedef struct jd_mesh_parts {
    jd_scan *scan; // for messages
    int n;
    int *label, *line;
    double *at;
    int n_cell, n_cell_node, n_other;
    int *type, *start, *cell_node; // start has n_cell + 1
    int n_set, n_member;
    const char **set;
    jd_mesh_members *member;
} jd_mesh_parts;

// Room for so many nodes, elements and members of sets; no more than that is added.
jd_status jd_mesh_parts_room(jd_arena *arena, jd_mesh_parts *parts, size_t nodes, size_t cells,
                             size_t members);
void jd_mesh_add_node(jd_mesh_parts *parts, int label, const double at[3]);
// Nodes by labels in VTK's order.
void jd_mesh_add_cell(jd_mesh_parts *parts, int type, int n, const int *label);
// Number of a set by its name, whatever its case; a new one is put at the end.
int jd_mesh_set_number(jd_arena *arena, jd_mesh_parts *parts, const char *name);

// Sorts nodes, refuses labels given twice, finds the nodes of elements and sets.
jd_status jd_mesh_finish(jd_arena *arena, jd_mesh_parts *parts, jd_mesh *out);

bool jd_mesh_is_input(jd_scan *scan);
jd_status jd_mesh_read_input(jd_arena *arena, jd_scan *scan, jd_mesh *out);
bool jd_mesh_is_universal(jd_scan *scan);
jd_status jd_mesh_read_universal(jd_arena *arena, jd_scan *scan, jd_mesh *out);

#endif
