// solid.c -- nodes and elements of the mesh of matrices, with the motion of every node.
#include "problem/parts.h"
#include "result/mesh/geometry.h"

jd_status jd_geometry_solid(jd_arena *arena, const jd_problem *p, int body, jd_body_geometry *out) {
    (void)arena;
    (void)body;
    *out = (jd_body_geometry){0};
    return jd_fail(p->context, JD_NOT_SUPPORTED,
                   "matrices without coordinates of their nodes cannot be shown in space");
}

int jd_geometry_solid_point(const jd_problem *p, int body, const char *point) {
    (void)p;
    (void)body;
    (void)point;
    return -1;
}
