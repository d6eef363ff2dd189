// mesh.c -- questions to a mesh: nodes and sets by name, its size, rigid-body motion of its rows.
//   Rotation of 1 about an axis e through the origin: displacement e x r, rotation e.
#include "structure/matrices/mesh.h"

#include <math.h>
#include <strings.h>

static int find(const int *sorted, int n, int label) {
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && sorted[low] == label ? low : -1;
}

int jd_mesh_find(const jd_mesh *mesh, int label) { return find(mesh->node, mesh->n, label); }

bool jd_mesh_set_has(const jd_mesh_set *set, int label) {
    return find(set->node, set->n, label) >= 0;
}

const jd_mesh_set *jd_mesh_set_of(const jd_mesh *mesh, const char *name) {
    for (int i = 0; i < mesh->n_set; i++)
        if (!strcasecmp(mesh->set[i].name, name)) return &mesh->set[i];
    return NULL;
}

double jd_mesh_size(const jd_mesh *mesh) {
    double sum = 0;
    for (int d = 0; d < 3; d++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < mesh->n; i++) {
            low = fmin(low, mesh->at[3 * i + d]);
            high = fmax(high, mesh->at[3 * i + d]);
        }
        sum += mesh->n ? (high - low) * (high - low) : 0;
    }
    return sqrt(sum);
}

int jd_dof_row(const jd_dof_map *map, int label, int dof) {
    int low = 0, high = map->node ? map->n : 0;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (map->node[middle] < label || (map->node[middle] == label && map->dof[middle] < dof))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = map->node && low < map->n && map->node[low] == label && map->dof[low] == dof;
    return found ? low : -1;
}

// Component d of e x r, e the axis a; all from 0.
static double swept(const double *r, int a, int d) {
    if (d == a) return 0;
    int third = 3 - a - d;
    return (d - a + 3) % 3 == 1 ? -r[third] : r[third];
}

bool jd_dof_rigid(const jd_dof_map *map, const jd_mesh *mesh, int direction, double *out) {
    bool whole = map->node != NULL;
    for (int i = 0; i < map->n; i++) {
        int dof = map->node ? map->dof[i] : 0;
        out[i] = dof == direction ? 1 : 0;
        whole = whole && dof >= JD_DOF_X && dof <= JD_DOF_RZ;
        if (direction < JD_DOF_RX || dof < JD_DOF_X || dof > JD_DOF_Z) continue;
        int at = mesh ? jd_mesh_find(mesh, map->node[i]) : -1;
        whole = whole && at >= 0;
        if (at >= 0) out[i] = swept(mesh->at + 3 * (size_t)at, direction - JD_DOF_RX, dof - 1);
    }
    return whole;
}
