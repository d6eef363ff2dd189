// held.c -- forces of contacts without relative motion: rigid sliders that stick, rigid normal
// parts that are closed.
//   W_h q'' = 0 with q'' = a - sum_g (W_g' + sum_slides on g sign mu W_t') x_g   gives   A x = W_h
//   a, A_hg = W_h W_g' + sum sign mu W_h W_t'  (not symmetric where sliders slide on a rigid
//   normal).
#include <math.h>
#include <string.h>

#include "engine/series/product.h"
#include "engine/series/series.h"
#include "linalg/dot.h"

enum {
    FEW = 4,
    FRESH_AFTER = 100,
    MOST_REFINED = 64
};                                       // changes by updates; updates until it is made anew
static const double worst_pivot = 1e-12; // of the row: below it rows depend on each other

static double coupling(const series_plan *p, int r, int o) {
    return p->G[(size_t)r * (size_t)p->n_row + (size_t)o];
}

static void list(series *s) {
    const series_plan *p = &s->plan;
    series_held *h = &s->held;
    h->n = 0;
    for (int i = 0; p->rigid && i < p->n_slider; i++)
        if (s->state.slide[i] == 0 && !(p->slider[i].kt > 0)) {
            h->row[h->n] = p->slider[i].row;
            h->item[h->n++] = i;
        }
    for (int a = 0; p->rigid && a < p->n_normal; a++)
        if (p->normal[a].kind == NORMAL_RIGID && s->state.closed[a]) {
            h->row[h->n] = p->normal[a].row;
            h->item[h->n++] = p->n_slider + a;
        }
}

// Column g of A: what a unit of its force does, -> acceleration of row r (with the sign of -W').
static double effect(const series *s, int r, int item) {
    const series_plan *p = &s->plan;
    if (item < p->n_slider) return coupling(p, r, p->slider[item].row);
    int a = item - p->n_slider;
    double sum = s->state.closed[a] * coupling(p, r, p->normal[a].row);
    for (int i = 0; i < p->n_slider; i++) {
        int slide = s->state.slide[i];
        if (p->slider[i].normal == a && slide != 0 && slide != SERIES_FREE)
            sum += slide * p->slider[i].limit * coupling(p, r, p->slider[i].row);
    }
    return sum;
}

// Inverse by Gauss and Jordan with row exchange; false: singular.
static bool invert(int n, double *A, double *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[i * n + j] = i == j;
    for (int c = 0; c < n; c++) {
        int best = c;
        double size = 0;
        for (int i = c; i < n; i++)
            if (fabs(A[i * n + c]) > fabs(A[best * n + c])) best = i;
        for (int i = 0; i < n; i++) size = fmax(size, fabs(A[i * n + c]));
        if (!(fabs(A[best * n + c]) > worst_pivot * size)) return false;
        for (int j = 0; best != c && j < n; j++) {
            double a = A[c * n + j], b = out[c * n + j];
            A[c * n + j] = A[best * n + j];
            A[best * n + j] = a;
            out[c * n + j] = out[best * n + j];
            out[best * n + j] = b;
        }
        double pivot = 1 / A[c * n + c];
        for (int j = 0; j < n; j++) {
            A[c * n + j] *= pivot;
            out[c * n + j] *= pivot;
        }
        for (int i = 0; i < n; i++) {
            double f = A[i * n + c];
            if (i == c || f == 0) continue;
            for (int j = 0; j < n; j++) {
                A[i * n + j] -= f * A[c * n + j];
                out[i * n + j] -= f * out[c * n + j];
            }
        }
    }
    return true;
}

// A rigid normal part whose force, with its sliding friction, would pull where it has to push.
static int paradox(const series *s) {
    for (int h = 0; h < s->held.n; h++) {
        int a = s->held.item[h] - s->plan.n_slider;
        if (a < 0) continue;
        if (!(s->state.closed[a] * effect(s, s->held.row[h], s->held.item[h]) > 0))
            return s->plan.normal[a].contact;
    }
    return -1;
}

// Whether A is W_h W_h' of the rows alone, so that a change of the set leaves the rest as it was.
static bool symmetric(const series *s) {
    for (int i = 0; i < s->plan.n_slider; i++) {
        int slide = s->state.slide[i], a = s->plan.slider[i].normal;
        if (s->plan.normal[a].kind == NORMAL_RIGID && slide != 0 && slide != SERIES_FREE)
            return false;
    }
    for (int a = 0; a < s->plan.n_normal; a++)
        if (s->plan.normal[a].both && s->plan.normal[a].kind == NORMAL_RIGID) return false;
    return true;
}

static bool holds(const series *s, int item) {
    if (item < s->plan.n_slider) return series_rigid_stuck(s, item);
    return s->state.closed[item - s->plan.n_slider] != 0;
}

// Number r leaves: B - B_r B_r'/B_rr without its row and column; the last one takes its place.
static bool leave(series_held *h, int r) {
    int n = h->n, last = n - 1;
    double *B = h->inverse, pivot = B[r * n + r];
    if (!(pivot > 0)) return false;
    for (int i = 0; i < n; i++) h->right[i] = B[i * n + r];
    for (int i = 0; i < n; i++) // digits would cancel
        if (i != r && h->right[i] * h->right[i] > 0.99 * B[i * n + i] * pivot) return false;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) B[i * n + k] -= h->right[i] * h->right[k] / pivot;
    for (int i = 0; i < n; i++) B[i * n + r] = B[i * n + last];
    for (int k = 0; k < n; k++) B[r * n + k] = B[last * n + k];
    for (int i = 0; i < last; i++) memmove(B + i * last, B + i * n, (size_t)last * sizeof *B);
    h->item[r] = h->item[last];
    h->row[r] = h->row[last];
    h->n = last;
    return true;
}

// One more at the end, by bordering; false: its row is nearly one of the others'.
static bool join(series *s, int item, int row) {
    series_held *h = &s->held;
    int n = h->n, m = n + 1;
    double *B = h->inverse, *b = h->right, *x = h->force;
    double own = coupling(&s->plan, row, row), rest = own;
    for (int i = 0; i < n; i++) b[i] = coupling(&s->plan, row, h->row[i]);
    for (int i = 0; i < n; i++) {
        x[i] = jd_dot(n, B + (size_t)i * (size_t)n, b);
        rest -= x[i] * b[i];
    }
    if (!(rest > 0.01 * own)) return false;
    for (int i = n - 1; i >= 0; i--) memmove(B + i * m, B + i * n, (size_t)n * sizeof *B);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) B[i * m + k] += x[i] * x[k] / rest;
        B[i * m + n] = B[n * m + i] = -x[i] / rest;
    }
    B[n * m + n] = 1 / rest;
    h->item[n] = item;
    h->row[n] = row;
    h->n = m;
    return true;
}

// The set at hand changed into the present one; false: make it anew.
static bool update(series *s) {
    series_held *h = &s->held;
    const series_plan *p = &s->plan;
    int changes = 0;
    if (!h->updatable || ++h->updates > FRESH_AFTER) return false;
    for (int item = 0; item < p->n_slider + p->n_normal; item++) h->wanted[item] = 0;
    for (int i = 0; i < p->n_slider; i++) h->wanted[i] = holds(s, i);
    for (int a = 0; a < p->n_normal; a++)
        h->wanted[p->n_slider + a] = p->normal[a].kind == NORMAL_RIGID && holds(s, p->n_slider + a);
    for (int i = h->n - 1; i >= 0; i--) {
        if (h->wanted[h->item[i]]) {
            h->wanted[h->item[i]] = 0; // is there
        } else if (++changes > FEW || !leave(h, i)) {
            return false;
        }
    }
    for (int item = 0; item < p->n_slider + p->n_normal; item++) {
        int a = item - p->n_slider;
        if (!h->wanted[item]) continue;
        if (++changes > FEW || !join(s, item, a < 0 ? p->slider[item].row : p->normal[a].row))
            return false;
    }
    return true;
}

static void make(series *s) {
    series_held *h = &s->held;
    list(s);
    int n = h->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) h->work[i * n + j] = effect(s, h->row[i], h->item[j]);
    h->singular = !invert(n, h->work, h->inverse);
    if (h->singular) memset(h->inverse, 0, (size_t)n * (size_t)n * sizeof *h->inverse);
    h->updates = 0;
}

// What reactions are bounded by.
static void bound(series *s) {
    series_held *h = &s->held;
    const series_plan *p = &s->plan;
    int n = h->n;
    double worst = 0;
    for (int i = 0; i < n; i++) {
        h->react[i] = h->react_size[i] = 0;
        for (int j = 0; j < n; j++) {
            h->react[i] += fabs(h->inverse[i * n + j]) * p->pull[h->row[j]];
            h->react_size[i] += fabs(h->inverse[i * n + j]) * p->length[h->row[j]];
        }
        worst = fmax(worst, h->react_size[i] * p->length[h->row[i]]);
    }
    h->loses_digits = n > 1 && n <= MOST_REFINED && worst > 100;
}

void jd_series_hold(series *s) {
    series_held *h = &s->held;
    if (!symmetric(s) || !update(s)) make(s);
    h->updatable = symmetric(s) && !h->singular;
    if (h->painleve < 0) h->painleve = paradox(s);
    bound(s);
    h->known = true;
}

bool jd_series_take_held(series *s) {
    series_held *h = &s->held;
    const series_plan *p = &s->plan;
    int n = 0;
    for (int i = 0; i < p->n_slider; i++) n += h->wanted[i] = holds(s, i);
    for (int a = 0; a < p->n_normal; a++)
        n += h->wanted[p->n_slider + a] =
            p->normal[a].kind == NORMAL_RIGID && holds(s, p->n_slider + a);
    if (n != h->n || !symmetric(s)) return false;
    for (int i = 0; i < n; i++) {
        int item = h->item[i], a = item - p->n_slider;
        if (!h->wanted[item]) return false;
        h->wanted[item] = 0; // each once
        h->row[i] = a < 0 ? p->slider[item].row : p->normal[a].row;
    }
    bound(s);
    return true;
}

// to += factor times what the forces x of the held contacts do.
static void add_forces(const series *s, double factor, const double *x, double *to) {
    const series_plan *p = &s->plan;
    double *F = s->scratch.F;
    memset(F, 0, (size_t)p->row_stride * sizeof *F);
    for (int h = 0; h < s->held.n; h++) {
        int item = s->held.item[h];
        if (item < p->n_slider) {
            F[p->slider[item].row] += x[h];
            continue;
        }
        int a = item - p->n_slider;
        F[p->normal[a].row] += s->state.closed[a] * x[h];
        for (int i = 0; i < p->n_slider; i++) {
            int slide = s->state.slide[i];
            if (p->slider[i].normal == a && slide != 0 && slide != SERIES_FREE)
                F[p->slider[i].row] += slide * p->slider[i].limit * x[h];
        }
    }
    for (int r = 0; r < p->n_row; r++) F[r] *= factor;
    jd_series_combine(p->n_row, p->stride, p->stride, F, p->W, to);
}

// x = A^-1 b; where rows are nearly parallel once more with what is left of b.
static void solve(series *s) {
    series_held *h = &s->held;
    int n = h->n;
    for (int i = 0; i < n; i++)
        h->force[i] = jd_dot(n, h->inverse + (size_t)i * (size_t)n, h->right);
    if (!h->loses_digits) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) h->right[i] -= effect(s, h->row[i], h->item[j]) * h->force[j];
    for (int i = 0; i < n; i++)
        h->force[i] += jd_dot(n, h->inverse + (size_t)i * (size_t)n, h->right);
}

void jd_series_held_forces(series *s, int k, double f, double *next) {
    const series_plan *p = &s->plan;
    series_held *h = &s->held;
    double *N = s->terms.N + (size_t)k * (size_t)s->terms.normal_stride;
    double *T = s->terms.T + (size_t)k * (size_t)s->terms.slider_stride, *u = s->scratch.u;
    memset(u, 0, (size_t)p->row_stride * sizeof *u);
    jd_series_combine(p->n, p->row_stride, p->row_stride, next, p->Wt, u);
    for (int i = 0; i < h->n; i++) h->right[i] = u[h->row[i]] / f;
    solve(s);
    for (int i = 0; i < h->n; i++) {
        if (h->item[i] < p->n_slider)
            T[h->item[i]] = h->force[i];
        else
            N[h->item[i] - p->n_slider] = h->force[i];
    }
    for (int i = 0; i < p->n_slider; i++) {
        int slide = s->state.slide[i], a = p->slider[i].normal;
        if (slide != 0 && slide != SERIES_FREE && p->normal[a].kind == NORMAL_RIGID)
            T[i] += slide * p->slider[i].limit * N[a];
    }
    add_forces(s, -f, h->force, next);
}

// Places of closed normal parts and speeds of all held contacts, which rounding moved.
void jd_series_held_speeds(series *s) {
    const series_plan *p = &s->plan;
    series_held *h = &s->held;
    for (int i = 0; i < h->n; i++) {
        const double *w = p->W + (size_t)h->row[i] * (size_t)p->stride;
        int a = h->item[i] - p->n_slider;
        double place = 0;
        if (a >= 0 && !s->linear)
            place = s->state.closed[a] * p->normal[a].gap + p->normal[a].belt * s->state.t0;
        h->right[i] = a < 0 ? 0 : jd_dot(p->n, w, s->state.q) - place;
    }
    solve(s);
    add_forces(s, -1, h->force, s->state.q);
    for (int i = 0; i < h->n; i++) {
        const double *w = p->W + (size_t)h->row[i] * (size_t)p->stride;
        int a = h->item[i] - p->n_slider;
        double belt = a < 0 ? p->slider[h->item[i]].belt : p->normal[a].belt;
        h->right[i] = jd_dot(p->n, w, s->state.p) - (s->linear ? 0 : belt);
    }
    solve(s);
    add_forces(s, -1, h->force, s->state.p);
}
