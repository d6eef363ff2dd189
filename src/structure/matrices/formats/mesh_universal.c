// mesh_universal.c -- meshes from universal files.
//   15    node, two coordinate systems, colour, x, y, z on one line
//   2411  node, two coordinate systems, colour; then x, y, z
//   2412  element, kind, three numbers, count of nodes; of beams a line more; then the nodes, eight
//         to a line. Quadratic elements go around: corner, middle, corner.
// Other datasets are passed over. Coordinates are taken as they are: local systems are not known.
#include <limits.h>

#include "structure/matrices/formats/mesh_parts.h"
#include "structure/universal/universal.h"

bool jd_mesh_is_universal(jd_scan *s) { return jd_universal_is(s); }

// Kinds of elements: VTK's type, nodes, and VTK's order by places in the file.
static const struct {
    int kind, vtk, n;
    int order[JD_MESH_CELL_NODES];
} shapes[] = {
    {11, 3, 2, {0, 1}},
    {21, 3, 2, {0, 1}},
    {22, 3, 2, {0, 1}},
    {24, 21, 3, {0, 2, 1}},
    {41, 5, 3, {0, 1, 2}},
    {42, 22, 6, {0, 2, 4, 1, 3, 5}},
    {44, 9, 4, {0, 1, 2, 3}},
    {45, 23, 8, {0, 2, 4, 6, 1, 3, 5, 7}},
    {91, 5, 3, {0, 1, 2}},
    {92, 22, 6, {0, 2, 4, 1, 3, 5}},
    {94, 9, 4, {0, 1, 2, 3}},
    {95, 23, 8, {0, 2, 4, 6, 1, 3, 5, 7}},
    {111, 10, 4, {0, 1, 2, 3}},
    {112, 13, 6, {0, 1, 2, 3, 4, 5}},
    {115, 12, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
    {116, 25, 20, {0, 2, 4, 6, 12, 14, 16, 18, 1, 3, 5, 7, 13, 15, 17, 19, 8, 9, 10, 11}},
    {118, 24, 10, {0, 2, 4, 9, 1, 3, 5, 6, 7, 8}},
};

static bool data_line(jd_scan *s) {
    while (jd_scan_line(s))
        if (!jd_scan_blank(s)) return true;
    return false;
}

static jd_status read_place(jd_scan *s, double at[3]) {
    JD_TRY(jd_scan_real(s, "the coordinate x", &at[0]));
    JD_TRY(jd_scan_real(s, "the coordinate y", &at[1]));
    return jd_scan_real(s, "the coordinate z", &at[2]);
}

static jd_status read_nodes(jd_mesh_parts *p, jd_scan *s, bool two_lines) {
    while (data_line(s)) {
        int label = 0, other = 0;
        double at[3];
        JD_TRY(jd_scan_integer(s, "the label of a node", 1, INT_MAX, &label));
        for (int i = 0; i < 3; i++)
            JD_TRY(jd_scan_integer(s, "a number of the node", INT_MIN, INT_MAX, &other));
        if (two_lines && !data_line(s))
            return jd_scan_fail(s, s->broken, "the coordinates of node %d are missing", label);
        JD_TRY(read_place(s, at));
        jd_mesh_add_node(p, label, at);
    }
    return JD_OK;
}

static int shape_of(int kind) {
    int n = (int)(sizeof shapes / sizeof *shapes);
    for (int i = 0; i < n; i++)
        if (shapes[i].kind == kind) return i;
    return -1;
}

static jd_status read_element(jd_mesh_parts *p, jd_scan *s) {
    int number[6] = {0}, label[JD_MESH_CELL_NODES], ordered[JD_MESH_CELL_NODES], skipped;
    for (int i = 0; i < 6; i++)
        JD_TRY(jd_scan_integer(s, "a number of the element", INT_MIN, INT_MAX, &number[i]));
    int kind = number[1], n = number[5], shape = shape_of(kind);
    if (n < 0 || n > 1000) return jd_scan_fail(s, s->broken, "an element cannot have %d nodes", n);
    bool beam = kind == 11 || kind == 21 || kind == 22 || kind == 23 || kind == 24;
    bool kept = shape >= 0 && shapes[shape].n == n;
    if (beam && !data_line(s)) return jd_scan_fail(s, s->broken, "a line of a beam is missing");
    if (n > 0 && !data_line(s)) return jd_scan_fail(s, s->broken, "the nodes are missing");
    for (int i = 0; i < n; i++) {
        if (jd_scan_blank(s) && !data_line(s))
            return jd_scan_fail(s, s->broken, "the element ends after %d of its %d nodes", i, n);
        JD_TRY(jd_scan_integer(s, "a node of an element", 1, INT_MAX, kept ? &label[i] : &skipped));
    }
    if (!kept) {
        p->n_other++;
        return JD_OK;
    }
    for (int i = 0; i < n; i++) ordered[i] = label[shapes[shape].order[i]];
    jd_mesh_add_cell(p, shapes[shape].vtk, n, ordered);
    return JD_OK;
}

static jd_status read_elements(jd_mesh_parts *p, jd_scan *s) {
    while (data_line(s)) JD_TRY(read_element(p, s));
    return JD_OK;
}

static jd_status count(jd_scan *s, size_t *nodes, size_t *elements) {
    int number;
    jd_scan body;
    jd_scan_again(s);
    for (;;) {
        JD_TRY(jd_universal_next(s, &number, &body));
        if (!number) return JD_OK;
        if (number != 15 && number != 2411 && number != 2412) continue;
        while (jd_scan_line(&body)) ++*(number == 2412 ? elements : nodes);
    }
}

jd_status jd_mesh_read_universal(jd_arena *arena, jd_scan *s, jd_mesh *m) {
    jd_mesh_parts p = {.scan = s};
    size_t nodes = 0, elements = 0;
    int number;
    jd_scan body;
    JD_TRY(count(s, &nodes, &elements));
    JD_TRY(jd_mesh_parts_room(arena, &p, nodes, elements, 0));
    jd_scan_again(s);
    for (;;) {
        JD_TRY(jd_universal_next(s, &number, &body));
        if (!number) return jd_mesh_finish(arena, &p, m);
        p.scan = &body; // its lines
        if (number == 15 || number == 2411) JD_TRY(read_nodes(&p, &body, number == 2411));
        if (number == 2412) JD_TRY(read_elements(&p, &body));
        p.scan = s;
    }
}
