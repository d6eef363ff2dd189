// rest_rates.c -- how forces and displacements change along a piece of the path of loads.
//   unknowns: N_a' of normal parts, T_b' of tangential rows (all sliders together), r' of rigid
//   body modes;   u' = u_load' - C F' + R r',   F' = side N' on normal, T' on tangential rows
//     open N' = 0;  closed N'/kn - side u' = -gap';   R'F' = load_r'
//     T' - k u' - sum_slip state limit N' = - sum excess;  rigid while stuck: u' = 0
//   k the stiffness of the stuck sliders
#include <math.h>
#include <string.h>

#include "linalg/general.h"
#include "problem/contacts/rest.h"

static double *entry(jd_rest *s, int i, int j) {
    return &s->A[(size_t)i * (size_t)s->n_unknown + (size_t)j];
}

static int of_row(const jd_rest *s, int row) { return s->unknown[row]; }
static int of_rigid(const jd_rest *s, int k) { return s->n_unknown - s->n_rigid + k; }

// Equation i += factor u'(row).
static void add_motion(jd_rest *s, int i, int row, double factor, const double *u_load) {
    const double *C = s->C + (size_t)row * (size_t)s->n_row;
    for (int a = 0; a < s->n_normal; a++)
        *entry(s, i, a) -= factor * s->normal[a].side * C[s->normal[a].row];
    for (int b = 0; b < s->n_row; b++)
        if (s->tangential[b]) *entry(s, i, of_row(s, b)) -= factor * C[b];
    for (int k = 0; k < s->n_rigid; k++)
        *entry(s, i, of_rigid(s, k)) += factor * s->rigid[row * s->n_rigid + k];
    s->x[i] -= factor * u_load[row];
}

static void normal_equation(jd_rest *s, int a, const double *u_load, double preload) {
    const jd_rest_normal *n = &s->normal[a];
    if (!n->closed) {
        *entry(s, a, a) = 1;
        return;
    }
    if (n->kn > 0) *entry(s, a, a) += 1 / n->kn;
    s->x[a] = n->gap < 0 ? -n->gap * preload : 0;
    add_motion(s, a, n->row, -n->side, u_load);
}

static void row_equation(jd_rest *s, int row, const double *u_load, bool giving_up) {
    int i = of_row(s, row);
    double k = 0;
    bool held = false;
    for (int j = 0; j < s->n_slider; j++) {
        const jd_rest_slider *d = &s->slider[j];
        if (d->row != row) continue;
        held |= d->state == 0 && !(d->kt > 0);
        if (d->state == 0) k += d->kt;
    }
    if (held) {
        add_motion(s, i, row, 1, u_load);
        return;
    }
    *entry(s, i, i) = 1;
    for (int j = 0; j < s->n_slider; j++) {
        const jd_rest_slider *d = &s->slider[j];
        if (d->row != row || d->state == 0 || d->state == JD_REST_FREE) continue;
        if (d->pressed >= 0 && !s->smooth) *entry(s, i, d->pressed) -= d->state * d->limit;
        if (giving_up) s->x[i] -= d->excess;
    }
    if (k > 0) add_motion(s, i, row, -k, u_load);
}

static void rigid_equation(jd_rest *s, int k, const double *left) {
    int i = of_rigid(s, k);
    for (int a = 0; a < s->n_normal; a++)
        *entry(s, i, a) += s->normal[a].side * s->rigid[s->normal[a].row * s->n_rigid + k];
    for (int b = 0; b < s->n_row; b++)
        if (s->tangential[b]) *entry(s, i, of_row(s, b)) += s->rigid[b * s->n_rigid + k];
    s->x[i] = left ? left[s->rigid_mode[k]] : 0;
}

// Displacement of each row by what is left of the load, elastic modes alone.
static void load_motion(const jd_rest *s, const double *left, double *u) {
    const jd_modal *m = &jd_problem_system(s->problem)->modal;
    for (int row = 0; row < s->n_row; row++) {
        u[row] = 0;
        for (int k = 0; left && k < s->n; k++)
            if (m->omega2[k].hi > 0) u[row] += s->row[row][k].hi * left[k] / m->omega2[k].hi;
    }
}

static void spread(jd_rest *s, const double *u_load, double preload, bool giving_up) {
    for (int row = 0; row < s->n_row; row++) {
        double u = u_load[row];
        const double *C = s->C + (size_t)row * (size_t)s->n_row;
        for (int a = 0; a < s->n_normal; a++)
            u -= s->normal[a].side * C[s->normal[a].row] * s->x[a];
        for (int b = 0; b < s->n_row; b++)
            if (s->tangential[b]) u -= C[b] * s->x[of_row(s, b)];
        for (int k = 0; k < s->n_rigid; k++)
            u += s->rigid[row * s->n_rigid + k] * s->x[of_rigid(s, k)];
        s->u_rate[row] = u;
    }
    for (int k = 0; k < s->n_rigid; k++) s->step_r[k] = s->x[of_rigid(s, k)];
    for (int a = 0; a < s->n_normal; a++) {
        jd_rest_normal *n = &s->normal[a];
        n->N_rate = n->closed ? s->x[a] : 0;
        n->p_rate = n->side * s->u_rate[n->row] - (n->gap < 0 ? n->gap * preload : 0);
    }
    for (int b = 0; b < s->n_row; b++) s->left[b] = s->tangential[b] ? s->x[of_row(s, b)] : 0;
    int rigid = -1;
    for (int j = 0; j < s->n_slider; j++) {
        jd_rest_slider *d = &s->slider[j];
        double N_rate = d->pressed >= 0 ? s->normal[d->pressed].N_rate : 0;
        d->slip_rate = 0;
        d->T_rate = 0;
        if (d->state == 0) d->T_rate = d->kt * s->u_rate[d->row];
        if (d->state == 1 || d->state == -1) {
            d->T_rate = d->state * d->limit * N_rate - (giving_up ? d->excess : 0);
            d->slip_rate = s->u_rate[d->row] - (d->kt > 0 ? d->T_rate / d->kt : 0);
        }
        if (d->state == 0 && !(d->kt > 0))
            rigid = j;
        else
            s->left[d->row] -= d->T_rate;
        bool last = j + 1 == s->n_slider || s->slider[j + 1].row != d->row;
        if (last && rigid >= 0) s->slider[rigid].T_rate = s->left[d->row]; // what the others leave
        if (last) rigid = -1;
    }
}

int jd_rest_rates(jd_rest *s, const double *left, double preload) {
    int n = s->n_unknown, sign = 1;
    if (n == 0) return 1;
    memset(s->A, 0, (size_t)n * (size_t)n * sizeof *s->A);
    memset(s->x, 0, (size_t)n * sizeof *s->x);
    load_motion(s, left, s->step_u);
    for (int a = 0; a < s->n_normal; a++) normal_equation(s, a, s->step_u, preload);
    for (int b = 0; b < s->n_row; b++)
        if (s->tangential[b]) row_equation(s, b, s->step_u, !left);
    for (int k = 0; k < s->n_rigid; k++) rigid_equation(s, k, left);
    for (int i = 0; i < n; i++) { // rows of one size, so that the condition says something
        double most = 0;
        for (int j = 0; j < n; j++) most = fmax(most, fabs(*entry(s, i, j)));
        if (!(most > 0)) return 0;
        for (int j = 0; j < n; j++) *entry(s, i, j) /= most;
        s->x[i] /= most;
    }
    if (jd_solve_general(n, s->A, s->x, s->pivot, s->work) < 1e-15) return 0;
    for (int i = 0; i < n; i++) {
        if (s->pivot[i] != i + 1) sign = -sign;
        if (*entry(s, i, i) < 0) sign = -sign;
    }
    spread(s, s->step_u, preload, !left);
    return sign;
}
