// interface.h -- a contact along a span, cut into the cells of a grid: arrays over n cells.
//   A node at z owns the cell [z - h/2, z + h/2], cut off at the ends of its rod (half a cell at an
//   end node). The cell's friction is what the law gives over its part of the span:
//     limit_j = integral of limit profile(x) dx over cell_j and span,      x from the span's start
//   A point contact is an interface of one cell. Cells are neighbours: cell j is node first + j.
#ifndef JD_PROBLEM_INTERFACE_H
#define JD_PROBLEM_INTERFACE_H

#include "base/arena.h"
#include "judder/problem.h"

// Nodes on a rod; n == 0: the body has no grid (an engine may keep it in modes).
typedef struct jd_grid {
    int n;
    double step;      // h [m]; of uneven nodes the smallest
    double first;     // position of node 0: 0, or h/2 where the end lies between two nodes [m]
    double length;    // of the rod [m]
    const double *at; // positions of uneven nodes, ends included; NULL: first + i step
} jd_grid;

static inline double jd_grid_at(const jd_grid *g, int i) {
    return g->at ? g->at[i] : g->first + i * g->step;
}

// Ends of the cell of a node, half-way to its neighbours.
double jd_grid_left(const jd_grid *g, int i);
double jd_grid_right(const jd_grid *g, int i);
int jd_grid_near(const jd_grid *g, double x); // the nearest node
// Node and share of the way to the next one, 0 to n - 1 (not less, nor more).
double jd_grid_place(const jd_grid *g, double x);

typedef struct jd_interface {
    int contact;     // number in the problem
    unsigned traits; // of the law
    int body[2];     // the structure's; the counterpart's, -1: ground or a moving body
    double velocity; // of a moving counterpart [m/s], else 0
    double shift;    // position on the counterpart minus position on the structure [m]
    bool moving;     // the structure moves through the span (`footprint: moving`)
    double from, to; // the span, or twice the point, on the structure [m]
    int n;
    int first[2];         // node of cell 0 on each body; -1: that side has no grid, or cells do not
                          // meet it node by node (moving, or of another step)
    double *position;     // node of the cell, on the structure [m]
    double *left, *right; // the cell's part of the span, on the structure [m]
    double *width;        // of the whole cell [m]
    double *limit;        // while sliding [N]
    double *static_limit; // while stuck [N], >= limit
    double *stiffness;    // of the contact while stuck [N/m]; 0: rigid
} jd_interface;

// Cells of contact number `contact`; grid[b] is that of body b. Memory is the arena's. Laws without
// a limit (soil, stop) get zeros in limit, static_limit and stiffness. JD_NOT_SUPPORTED, by name,
// when both sides have grids whose nodes do not meet.
jd_status jd_interface_create(jd_arena *arena, const jd_problem *problem, int contact,
                              const jd_grid *grid, jd_interface **out);

// One free mass, a chain of one: its points are at position 0.
bool jd_body_is_mass(const jd_object *body);

// Body and position of a named point "tip" or "pile.tip" of a body whose points have positions.
jd_status jd_problem_position(const jd_problem *problem, const char *body, const char *point,
                              int *body_index, double *position);

#endif
