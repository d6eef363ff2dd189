// forces.c -- primal active-set method: every iterate is feasible, the objective falls, so it ends.
#include "contact/forces.h"

#include <math.h>
#include <string.h>

#include "linalg/min_norm.h"

static const double rounding = 1e-13; // of a's scale: below it a sign is not trusted

int jd_forces_scratch(int n) { return n * n + 10 * n; }

// Minimiser over the inside set with the others at their bounds: G_ff y = -(b_f + G_fb x_b).
static bool solve_inside(int n, const double *G, int stride, const double *b, const double *x,
                         const jd_bound *bound, double *y, double *scratch) {
    int m = 0;
    double *Gf = scratch, *rhs = scratch + n * n, *work = rhs + n;
    for (int i = 0; i < n; i++) m += bound[i] == JD_INSIDE;
    for (int i = 0, p = 0; i < n; i++) {
        if (bound[i] != JD_INSIDE) continue;
        rhs[p] = -b[i];
        for (int j = 0, q = 0; j < n; j++) {
            if (bound[j] == JD_INSIDE)
                Gf[p * m + q++] = G[i * stride + j];
            else
                rhs[p] -= G[i * stride + j] * x[j];
        }
        p++;
    }
    bool unique = m == 0 || jd_min_norm(m, Gf, rhs, work) == m;
    for (int i = 0, p = 0; i < n; i++) y[i] = bound[i] == JD_INSIDE ? rhs[p++] : x[i];
    return unique;
}

// Moves x towards y as far as the box allows; the first wall met becomes a bound. False: y reached.
static bool step_to_wall(int n, const double *low, const double *high, const double *y, double *x,
                         jd_bound *bound) {
    double step = 1;
    int wall = -1;
    for (int i = 0; i < n; i++) {
        if (bound[i] != JD_INSIDE || (y[i] >= low[i] && y[i] <= high[i])) continue;
        double limit = y[i] > high[i] ? high[i] : low[i];
        double s = y[i] != x[i] ? (limit - x[i]) / (y[i] - x[i]) : 0;
        if (s < step || wall < 0) {
            step = s;
            wall = i;
        }
    }
    for (int i = 0; i < n; i++) {
        if (bound[i] == JD_INSIDE) x[i] = wall < 0 ? y[i] : x[i] + step * (y[i] - x[i]);
    }
    if (wall < 0) return false;
    bound[wall] = y[wall] > high[wall] ? JD_AT_HIGH : JD_AT_LOW;
    x[wall] = bound[wall] == JD_AT_HIGH ? high[wall] : low[wall];
    return true;
}

// The bound whose acceleration points back inside the most, or -1.
static int worst_bound(int n, const double *G, int stride, const double *b, const double *low,
                       const double *high, const double *x, const jd_bound *bound, double *a) {
    int worst = -1;
    double most = 0;
    for (int i = 0; i < n; i++) {
        double scale = fabs(b[i]);
        a[i] = b[i];
        for (int j = 0; j < n; j++) {
            a[i] += G[i * stride + j] * x[j];
            scale += fabs(G[i * stride + j] * x[j]);
        }
        if (bound[i] == JD_INSIDE) {
            a[i] = 0;
            continue;
        }
        double wrong = bound[i] == JD_AT_HIGH ? a[i] : -a[i];
        if (wrong <= rounding * scale || low[i] == high[i]) continue;
        wrong /= scale;
        if (wrong > most) {
            most = wrong;
            worst = i;
        }
    }
    return worst;
}

// One contact: the clamp.
static bool solve_one(double G, double b, double low, double high, double *x, double *a,
                      jd_bound *bound) {
    double y = G > 0 ? -b / G : 0;
    *bound = y > high ? JD_AT_HIGH : y < low ? JD_AT_LOW : JD_INSIDE;
    *x = *bound == JD_AT_HIGH ? high : *bound == JD_AT_LOW ? low : y;
    *a = *bound == JD_INSIDE ? 0 : b + G * *x;
    if (low == high) *bound = *a > 0 ? JD_AT_LOW : JD_AT_HIGH;
    return G > 0;
}

bool jd_forces_solve(int n, const double *G, int stride, const double *b, const double *low,
                     const double *high, double *x, double *a, jd_bound *bound, double *scratch) {
    bool unique = true;
    if (n == 1) return solve_one(G[0], b[0], low[0], high[0], x, a, bound);
    double *y = scratch, *work = scratch + n;
    for (int i = 0; i < n; i++) {
        x[i] = low[i] > 0 ? low[i] : high[i] < 0 ? high[i] : 0;
        bound[i] = low[i] == high[i] ? JD_AT_HIGH : JD_INSIDE;
    }
    for (int pass = 0; pass < 20 * (n + 1); pass++) {
        unique = solve_inside(n, G, stride, b, x, bound, y, work);
        if (step_to_wall(n, low, high, y, x, bound)) continue;
        int i = worst_bound(n, G, stride, b, low, high, x, bound, a);
        if (i < 0) break;
        bound[i] = JD_INSIDE;
    }
    for (int i = 0; i < n; i++) // a box of no width binds on the side the motion chooses
        if (low[i] == high[i]) bound[i] = a[i] > 0 ? JD_AT_LOW : JD_AT_HIGH;
    return unique;
}
