// forces.c -- primal active-set method: every iterate is feasible, the objective falls, so it ends.
#include "contact/forces.h"

#include <math.h>
#include <string.h>

#include "linalg/min_norm.h"

static const double rounding = 1e-13; // of a's scale: below it a sign is not trusted
static const double own_part =
    1e-12;                         // of G_ii, after elimination: below it row i depends on others
static const double ridge = 1e-11; // of the largest G_ii in units of force: what makes one of many
                                   // splits the shortest
static const double falls = 1e-9;  // of the terms of a slope: less is rounding
static const double far = 1e6;
enum { ROUNDS = 4 };
enum {
    shortest_up_to = 32
}; // unknowns; the shortest of several splits costs an eigenproblem a pass

int jd_forces_scratch(int n) { return n * n + 12 * n; }

// G = L L' in the lower triangle, in place; the upper one keeps G, its diagonal goes to `diagonal`.
// A row that depends on those before it gets L_ii = 0. Returns how many do.
static int factorise(int m, double *G, double *diagonal) {
    int dependent = 0;
    for (int i = 0; i < m; i++) {
        double own = diagonal[i] = G[i * m + i];
        for (int j = 0; j < i; j++) {
            double g = G[j * m + i];
            for (int k = 0; k < j; k++) g -= G[i * m + k] * G[j * m + k];
            G[i * m + j] = G[j * m + j] > 0 ? g / G[j * m + j] : 0;
            own -= G[i * m + j] * G[i * m + j];
        }
        G[i * m + i] = own > own_part * diagonal[i] ? sqrt(own) : 0;
        dependent += G[i * m + i] == 0;
    }
    return dependent;
}

// b becomes the solution by the factors; unknowns of rows that depend on others keep the value x.
static void substitute(int m, const double *G, const double *x, double *b) {
    for (int i = 0; i < m; i++)
        for (int d = 0; d < m && G[i * m + i] > 0; d++)
            if (G[d * m + d] == 0) b[i] -= (i < d ? G[i * m + d] : G[d * m + i]) * x[d];
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++) b[i] -= G[i * m + k] * (G[k * m + k] > 0 ? b[k] : 0);
        b[i] = G[i * m + i] > 0 ? b[i] / G[i * m + i] : x[i];
    }
    for (int i = m - 1; i >= 0; i--) {
        if (G[i * m + i] == 0) continue;
        for (int k = i + 1; k < m; k++) b[i] -= G[k * m + k] > 0 ? G[k * m + i] * b[k] : 0;
        b[i] /= G[i * m + i];
    }
}

// G x = b; where there are several x, the shortest, or (keep) one that leaves what it can. False:
// there are.
static bool solve_square(int m, double *G, double *b, const double *x, bool keep, double *work) {
    bool unique = factorise(m, G, work) == 0;
    if (unique || keep) {
        substitute(m, G, x, b);
        return unique;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < i; j++) G[i * m + j] = G[j * m + i];
        G[i * m + i] = work[i];
    }
    jd_min_norm(m, G, b, work);
    return false;
}

// Minimiser over the inside set with the others at their bounds: G_ff y = -(b_f + G_fb x_b).
static bool solve_inside(int n, const double *G, int stride, const double *b, const double *x,
                         const jd_bound *bound, bool keep, double *y, double *scratch) {
    int m = 0;
    double *Gf = scratch, *rhs = scratch + n * n, *now = rhs + n, *work = now + n;
    for (int i = 0; i < n; i++) m += bound[i] == JD_INSIDE;
    for (int i = 0, p = 0; i < n; i++) {
        if (bound[i] != JD_INSIDE) continue;
        rhs[p] = -b[i];
        now[p] = x[i];
        for (int j = 0, q = 0; j < n; j++) {
            if (bound[j] == JD_INSIDE)
                Gf[p * m + q++] = G[i * stride + j];
            else
                rhs[p] -= G[i * stride + j] * x[j];
        }
        p++;
    }
    bool unique = solve_square(m, Gf, rhs, now, keep, work);
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

// Where G is singular on the inside set the objective may fall without end along directions that G
// does not see (two stops at different gaps of one mass): y then goes far along them, to the first
// wall.
static void go_on_falling(int n, const double *G, int stride, const double *b, const double *x,
                          const jd_bound *bound, double *y, double *slope) {
    double most = 0, reach = 0;
    for (int i = 0; i < n; i++) {
        double scale = fabs(b[i]);
        slope[i] = bound[i] == JD_INSIDE ? b[i] : 0;
        for (int j = 0; j < n && bound[i] == JD_INSIDE; j++) {
            slope[i] += G[i * stride + j] * y[j];
            scale += fabs(G[i * stride + j] * y[j]);
        }
        if (fabs(slope[i]) <= falls * scale) slope[i] = 0;
        most = fmax(most, fabs(slope[i]));
        reach = fmax(reach, fmax(fabs(x[i]), fabs(y[i])));
    }
    for (int i = 0; i < n && most > 0; i++)
        if (bound[i] == JD_INSIDE) y[i] = x[i] - slope[i] / most * (1 + reach) * far;
}

static bool active_set(int n, const double *G, int stride, const double *b, const double *low,
                       const double *high, bool keep, double *x, double *a, jd_bound *bound,
                       double *scratch) {
    bool unique = true;
    double *y = scratch, *work = scratch + n;
    for (int pass = 0; pass < 20 * (n + 1); pass++) {
        unique = solve_inside(n, G, stride, b, x, bound, keep, y, work);
        if (!unique && !keep) go_on_falling(n, G, stride, b, x, bound, y, work);
        if (step_to_wall(n, low, high, y, x, bound)) continue;
        int i = worst_bound(n, G, stride, b, low, high, x, bound, a);
        if (i < 0) break;
        bound[i] = JD_INSIDE;
    }
    for (int i = 0; i < n; i++) // a box of no width binds on the side the motion chooses
        if (low[i] == high[i]) bound[i] = a[i] > 0 ? JD_AT_LOW : JD_AT_HIGH;
    return unique;
}

bool jd_forces_solve(int n, const double *G, int stride, const double *b, const double *low,
                     const double *high, double *x, double *a, jd_bound *bound, double *scratch) {
    if (n == 1) return solve_one(G[0], b[0], low[0], high[0], x, a, bound);
    for (int i = 0; i < n; i++) {
        x[i] = low[i] > 0 ? low[i] : high[i] < 0 ? high[i] : 0;
        bound[i] = low[i] == high[i] ? JD_AT_HIGH : JD_INSIDE;
    }
    return active_set(n, G, stride, b, low, high, n > shortest_up_to, x, a, bound, scratch);
}

// minimise 1/2 y'G y + b'y + ridge/2 |y - y0|^2 again and again: the first, from y0 = 0, is close
// to the shortest minimiser without the ridge, the others come as close to a minimiser as rounding
// allows (proximal points). G + ridge is definite, so that every problem has one solution.
static void share(int n, const double *G, const double *b, const double *low, const double *high,
                  double *y, double *a, jd_bound *bound, double *ridged, double *pull,
                  double *scratch) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, G[i * n + i]);
    memcpy(ridged, G, (size_t)(n * n) * sizeof *G);
    for (int i = 0; i < n; i++) ridged[i * n + i] += ridge * most;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < n; i++) pull[i] = b[i] - (round ? ridge * most * y[i] : 0);
        active_set(n, ridged, n, pull, low, high, true, y, a, bound, scratch);
    }
    worst_bound(n, G, n, b, low, high, y, bound, a);
    for (int i = 0; i < n; i++) // a box of no width binds on the side the motion chooses
        if (low[i] == high[i]) bound[i] = a[i] > 0 ? JD_AT_LOW : JD_AT_HIGH;
}

void jd_forces_share(int n, const double *G, int stride, const double *b, const double *low,
                     const double *high, const double *unit, double *x, double *a, jd_bound *bound,
                     double *scratch) {
    double *scaled = scratch + jd_forces_scratch(n), *ridged = scaled + n * n, *b1 = ridged + n * n,
           *low1 = b1 + n, *high1 = low1 + n, *pull = high1 + n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) scaled[i * n + j] = unit[i] * G[i * stride + j] * unit[j];
        b1[i] = unit[i] * b[i];
        low1[i] = low[i] / unit[i];
        high1[i] = high[i] / unit[i];
        x[i] /= unit[i];
    }
    share(n, scaled, b1, low1, high1, x, a, bound, ridged, pull, scratch);
    for (int i = 0; i < n; i++) {
        x[i] = bound[i] == JD_AT_LOW ? low[i] : bound[i] == JD_AT_HIGH ? high[i] : unit[i] * x[i];
        a[i] /= unit[i];
    }
}
