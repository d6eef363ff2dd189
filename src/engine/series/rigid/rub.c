// rub.c -- impacts with friction: v+ = v - G P, P_n >= 0, |P_t| <= mu P_n.
//   One contact: newton   v_n+ = -e v_n-, friction on u'+ (Moreau)
//                poisson  dP_t/dP_n = sign(u') mu while it slips, -G_nt/G_tt where that sticks;
//                from
//                         v_n = 0 on until P_n = (1 + e) P_c (Routh)
//   Several at once: box problems of contact/forces.h, friction within the last mu P_n, over again;
//   poisson: compression (e = 0), then expansion with P_n >= e P_c.
#include <math.h>
#include <string.h>

#include "engine/series/series.h"

enum { PIECES = 8, ROUNDS = 200 };

// One contact: speeds (v_n, u), G, friction, restitution.
typedef struct blow {
    double v, u, nn, nt, tt, mu, e;
    double P, Pt;
} blow;

static int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// Slope dP_t/dP_n from here on.
static double slope_of(const blow *b) {
    double stick = -b->nt / b->tt;
    if (b->u != 0) return sign_of(b->u) * b->mu;
    return fabs(stick) <= b->mu ? stick : sign_of(stick) * b->mu;
}

// Along Routh's path to v_n = 0 (end < 0) or to P_n = end; false: it leads nowhere (jammed).
static bool follow(blow *b, double end) {
    for (int i = 0; i < PIECES; i++) {
        double k = slope_of(b), dv = -(b->nn + k * b->nt), du = -(b->nt + k * b->tt);
        bool sticks = b->u == 0 && fabs(k) < b->mu;
        double more = end >= 0 ? end - b->P : dv < 0 ? -b->v / dv : HUGE_VAL;
        double stop = !sticks && b->u * du < 0 ? -b->u / du : HUGE_VAL;
        double step = fmin(more, stop);
        if (!isfinite(step)) return false;
        b->P += step;
        b->Pt += k * step;
        b->v += dv * step;
        b->u = step == stop || sticks ? 0 : b->u + du * step;
        if (step == more) {
            if (end < 0) b->v = 0;
            return true;
        }
    }
    return false;
}

static bool poisson(blow *b) {
    if (!follow(b, -1)) return false;
    return follow(b, (1 + b->e) * b->P);
}

static bool newton(blow *b) {
    double want = (1 + b->e) * b->v, det = b->nn * b->tt - b->nt * b->nt;
    double P = (b->tt * want - b->nt * b->u) / det, Pt = (b->nn * b->u - b->nt * want) / det;
    if (P >= 0 && fabs(Pt) <= b->mu * P) {
        b->P = P;
        b->Pt = Pt;
        return true;
    }
    int first = b->u < 0 ? -1 : 1;
    for (int i = 0; i < 2; i++) {
        int sign = i == 0 ? first : -first;
        double G = b->nn + sign * b->mu * b->nt;
        P = want / G;
        if (G > 0 && sign * (b->u - (b->nt + sign * b->mu * b->tt) * P) >= 0) {
            b->P = P;
            b->Pt = sign * b->mu * P;
            return true;
        }
    }
    return false;
}

static double coupling(const series_plan *p, int r, int o) {
    return p->G[(size_t)r * (size_t)p->n_row + (size_t)o];
}

static double slip_speed(const series *s, int i) {
    const series_slider *g = &s->plan.slider[i];
    const double *w = s->plan.W + (size_t)g->row * (size_t)s->plan.stride;
    double sum = -g->belt;
    for (int k = 0; k < s->plan.n; k++) sum += w[k] * s->state.p[k];
    return sum;
}

static bool strike_one(series *s, int i) {
    series_impact *x = &s->impact;
    const series_plan *p = &s->plan;
    int a = x->set[0], rn = p->normal[a].row, rt = p->slider[i].row;
    blow b = {.v = x->speed[0],
              .u = slip_speed(s, i),
              .nn = coupling(p, rn, rn),
              .nt = x->side[0] * coupling(p, rn, rt),
              .tt = coupling(p, rt, rt),
              .mu = p->slider[i].limit,
              .e = x->e[0]};
    bool solved = b.v > 0 ? (p->normal[a].newton ? newton(&b) : poisson(&b)) : true;
    x->P[0] = b.P;
    x->P[1] = b.Pt;
    return solved;
}

static int row_of(const series *s, int n, int i) {
    const series_impact *x = &s->impact;
    return i < n ? s->plan.normal[x->set[i]].row : s->plan.slider[x->set[i]].row;
}

static int side_of(const series *s, int n, int i) { return i < n ? s->impact.side[i] : 1; }

// Impulses of n normal parts and their sliders, `all` in number, each P_n at least `least`.
static bool strike_all(series *s, int n, int all, const double *least) {
    series_impact *x = &s->impact;
    for (int i = 0; i < all; i++) {
        x->P[i] = 0;
        for (int j = 0; j < all; j++)
            x->G[i * all + j] = side_of(s, n, i) * side_of(s, n, j) *
                                coupling(&s->plan, row_of(s, n, i), row_of(s, n, j));
    }
    for (int round = 0; round < ROUNDS; round++) {
        double moved = 0, size = 0;
        for (int i = 0; i < all; i++) {
            x->low[i] = i < n ? least[i] : 0;
            x->high[i] = HUGE_VAL;
            for (int j = 0; i >= n && j < n; j++)
                if (s->plan.slider[x->set[i]].normal == x->set[j])
                    x->high[i] = s->plan.slider[x->set[i]].limit * x->P[j];
            if (i >= n) x->low[i] = -x->high[i];
        }
        memcpy(x->last, x->P, (size_t)all * sizeof *x->P);
        jd_forces_solve(all, x->G, all, x->b, x->low, x->high, x->P, x->a, x->bound, x->scratch);
        for (int i = 0; i < all; i++) {
            moved = fmax(moved, fabs(x->P[i] - x->last[i]));
            size = fmax(size, fabs(x->P[i]));
        }
        if (!(moved > 1e-14 * size)) return true;
    }
    return false;
}

// Compression and expansion of all that touch; newton where the first of them says so.
static bool strike_many(series *s, int n, int all) {
    series_impact *x = &s->impact;
    bool newton_law = s->plan.normal[x->set[0]].newton;
    for (int i = 0; i < all; i++) {
        x->least[i] = 0;
        x->b[i] = i < n ? -x->speed[i] * (newton_law ? 1 + x->e[i] : 1) : -slip_speed(s, x->set[i]);
    }
    if (!strike_all(s, n, all, x->least)) return false;
    if (newton_law) return true;
    memcpy(x->first, x->P, (size_t)all * sizeof *x->P);
    memcpy(x->b, x->a, (size_t)all * sizeof *x->a); // -(v after compression)
    for (int i = 0; i < n; i++) x->least[i] = x->e[i] * x->first[i];
    bool solved = strike_all(s, n, all, x->least);
    for (int i = 0; i < all; i++) x->P[i] += x->first[i];
    return solved;
}

int jd_series_rub(series *s, int n, bool *solved) {
    series_impact *x = &s->impact;
    int all = n;
    for (int i = 0; i < s->plan.n_slider; i++)
        for (int j = 0; j < n; j++)
            if (s->plan.slider[i].normal == x->set[j] && !(s->plan.slider[i].kt > 0) &&
                s->plan.slider[i].limit > 0)
                x->set[all++] = i;
    if (all == n) return n;
    *solved = n == 1 && all == 2 ? strike_one(s, x->set[1]) : strike_many(s, n, all);
    return all;
}
