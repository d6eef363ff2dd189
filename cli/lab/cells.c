// cells.c -- contacts along spans and at several points, cell by cell, in the frames of the moving
// shape.
//   A cell reaches from one place to another among the points of the shape: 3.25 is a quarter of
//   the way from point 3 to point 4. One of several points is there and back. Of very many cells
//   every k-th stands for k.
#include <math.h>

#include "base/param_tools.h"
#include "lab/lab.h"
#include "problem/parts.h"

enum { MOST_CELLS = 1000 }; // of one contact

typedef struct cell_row {
    int contact, n, stride;
    const jd_contact_def *def;
    double *ends; // n pairs of places among the points
    char *state;  // frames x n letters
} cell_row;

struct lab_cells {
    jd_arena *arena;
    int n, frames, done;
    cell_row *row;
};

// Place of x [m] among the points first to last - 1, whose x ascends.
static double place_of(const double *at, int first, int last, double x) {
    int i = first;
    while (i + 2 < last && at[3 * (i + 1)] < x) i++;
    if (last - first < 2) return first;
    double from = at[3 * i], step = at[3 * (i + 1)] - from;
    return i + (step > 0 ? fmin(fmax((x - from) / step, 0), 1) : 0);
}

// Where cell k of a span begins: halfway from its neighbour; n: where the last one ends.
static double border_of(const jd_interface_field *f, int k, const jd_contact_def *c) {
    double x = k == 0      ? f->position[0] - 0.5 * f->length[0]
               : k == f->n ? f->position[k - 1] + 0.5 * f->length[k - 1]
                           : 0.5 * (f->position[k - 1] + f->position[k]);
    return c->footprint == JD_FOOTPRINT_MOVING ? x : fmin(fmax(x, c->at.from), c->at.to);
}

static void find_ends(cell_row *row, const lab_points *points, const jd_interface_field *f) {
    const int *node = points->geometry ? points->geometry->of_cells[row->contact] : NULL;
    const jd_contact_def *c = row->def;
    int body = 0;
    if (c->at.body) jd_problem_find_body(points->problem, c->at.body, &body);
    for (int k = 0; k < row->n; k++) {
        int from = k * row->stride, to = from + row->stride < f->n ? from + row->stride : f->n;
        for (int side = 0; side < 2; side++)
            row->ends[2 * k + side] =
                c->at.points ? (node && node[from] >= 0 ? node[from] / points->stride : -1)
                             : place_of(points->at, points->first[body], points->first[body + 1],
                                        border_of(f, side ? to : from, c));
    }
}

static bool has_cells(const jd_place *at) { return at->points || jd_place_is_span(at); }

lab_cells *cells_create(jd_arena *arena, const lab_points *points, jd_run *run, int frames) {
    int contacts = jd_problem_contacts(points->problem);
    lab_cells *c = JD_TAKE(arena, lab_cells, 1);
    cell_row *row = JD_TAKE(arena, cell_row, contacts + 1);
    if (!c || !row) return NULL;
    *c = (lab_cells){.arena = arena, .frames = frames, .row = row};
    for (int j = 0; j < contacts; j++) {
        const jd_contact_def *def = jd_problem_contact(points->problem, j)->def;
        jd_interface_field f;
        if (!has_cells(&def->at) || !jd_run_interface(run, j, &f) || f.n < 1) continue;
        cell_row *r = &row[c->n];
        *r = (cell_row){.contact = j, .def = def, .stride = (f.n + MOST_CELLS - 1) / MOST_CELLS};
        r->n = (f.n + r->stride - 1) / r->stride;
        r->ends = JD_TAKE(arena, double, 2 * (size_t)r->n);
        r->state = JD_TAKE(arena, char, (size_t)r->n *(size_t)frames);
        if (!r->ends || !r->state) return NULL;
        find_ends(r, points, &f);
        c->n++;
    }
    return c;
}

// The letters of contacts at points; a blank where a structure that moves through its span (a pile
// above the ground) is not in it.
static char letter_of(const cell_row *r, const jd_interface_field *f, int cell) {
    double state = f->state[cell];
    bool moving = r->def->footprint == JD_FOOTPRINT_MOVING && !r->def->at.points;
    if (moving && f->position[cell] + f->displacement[cell] < r->def->at.from) return ' ';
    return state == 0 ? 'H' : state == 2 ? 'o' : state > 0 ? '+' : '-';
}

void cells_take(lab_cells *c, jd_run *run) {
    if (!c || c->done == c->frames) return;
    for (int i = 0; i < c->n; i++) {
        cell_row *r = &c->row[i];
        jd_interface_field f;
        bool known = jd_run_interface(run, r->contact, &f);
        char *state = r->state + (size_t)r->n * (size_t)c->done;
        for (int k = 0; k < r->n; k++) {
            int cell = k * r->stride;
            state[k] = known && cell < f.n ? letter_of(r, &f, cell) : '~';
        }
    }
    c->done++;
}

void cells_add(frame *f, const lab_cells *c) {
    json_t *list = json_array();
    for (int i = 0; c && i < c->n; i++) {
        const cell_row *r = &c->row[i];
        frame_singles(f, "shape.ends", 2 * r->n, r->ends);
        json_array_append_new(list, json_pack("{s:i, s:i, s:s%}", "contact", r->contact, "n", r->n,
                                              "states", r->state, (size_t)r->n * (size_t)c->done));
    }
    json_object_set_new(frame_head(f), "cells", list);
}
