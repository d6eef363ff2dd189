// echo_grid.h -- smeared echoes of histories on an even grid, for coarse tolerances.
//   A sum over panels for every lookup (smeared.h) costs a logarithm, an arctangent and a bell for
//   each of them. On an even grid the smear is the same numbers everywhere.
#ifndef JD_ENGINE_MEMORY_DELAYS_ECHO_GRID_H
#define JD_ENGINE_MEMORY_DELAYS_ECHO_GRID_H

#include "base/arena.h"

typedef struct echo_grid echo_grid;

// One echo: history number `history` after `delay`, smeared by N_width with a bell of sigma, which
// ends at `reach` [s].
typedef struct grid_echo {
    int history;
    double delay, width, sigma, reach;
} grid_echo;

// How much of the history beyond the bell an echo needs, over the spacing of the grid.
enum { GRID_BEYOND = 48 };

jd_status jd_grid_create(jd_arena *arena, double spacing, int n_history, int n_echo,
                         const grid_echo *echo, echo_grid **out);
// The next panel: polynomials in theta, history by history, of degree[i], at value[i].
void jd_grid_keep(echo_grid *g, double t, double h, const int *degree, const double *const *value);
// Adds `factor` times echo number `echo` as it is at n times.
void jd_grid_add(echo_grid *g, int echo, int n, const double *t, double factor, double *out);
// Where its points lie, t = origin + k spacing: moves with the times of the histories.
double *jd_grid_origin(echo_grid *g);
// Forgets everything; `t`: where the first panel that will be kept begins.
void jd_grid_clear(echo_grid *g, double t);

#endif
