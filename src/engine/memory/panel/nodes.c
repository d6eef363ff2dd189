// nodes.c -- Radau nodes of a panel, interpolation through them, and bounds of the polynomials.
//   nodes: zeros of P_s(2x - 1) - P_{s-1}(2x - 1) in (0, 1]; the last is 1
//   bound: a polynomial lies in the hull of its Bernstein coefficients, halved until it decides
#include <math.h>
#include <string.h>

#include "engine/memory/panel/nodes.h"

static double radau(int s, double x, double *rate) {
    double y = 2 * x - 1, p0 = 1, p1 = y, d0 = 0, d1 = 1; // P_k and dP_k/dy
    for (int k = 2; k <= s; k++) {
        double p2 = ((2 * k - 1) * y * p1 - (k - 1) * p0) / k;
        double d2 = d0 + (2 * k - 1) * p1;
        p0 = p1, p1 = p2, d0 = d1, d1 = d2;
    }
    *rate = 2 * (d1 - d0);
    return p1 - p0;
}

// Newton from the left with the roots found so far divided out.
static void find_nodes(int s, double *c) {
    for (int i = 0; i + 1 < s; i++) {
        double x = i == 0 ? 0 : c[i - 1] + 1e-3;
        for (int it = 0; it < 100; it++) {
            double rate, f = radau(s, x, &rate), others = 1 / (x - 1);
            for (int j = 0; j < i; j++) others += 1 / (x - c[j]);
            double step = f / (rate - f * others);
            x -= step;
            if (fabs(step) < 1e-16) break;
        }
        c[i] = x;
    }
    c[s - 1] = 1;
}

// Coefficients of the Lagrange polynomials through n points.
static void lagrange(int n, const double *x, int stride, double *out) {
    for (int k = 0; k < n; k++) {
        double *p = out + k * stride, scale = 1;
        memset(p, 0, (size_t)n * sizeof *p);
        p[0] = 1;
        for (int j = 0, degree = 0; j < n; j++) {
            if (j == k) continue;
            for (int r = ++degree; r >= 0; r--) p[r] = (r ? p[r - 1] : 0) - x[j] * p[r];
            scale *= x[k] - x[j];
        }
        for (int r = 0; r < n; r++) p[r] /= scale;
    }
}

// The k-th of them at a place, as a product: the power form loses digits.
static double lagrange_at(int n, const double *x, int k, double at) {
    double value = 1;
    for (int j = 0; j < n; j++)
        if (j != k) value *= (at - x[j]) / (x[k] - x[j]);
    return value;
}

static void to_bernstein(int d, const double *p, double a, double b, double *out);

// Weights that are needed in every panel.
static void set_weights(nodes *n) {
    int s = n->s;
    double b[STAGES + 1];
    double all[STAGES + 1] = {0};
    memcpy(all + 1, n->c, (size_t)s * sizeof *all);
    for (int k = 0; k <= s; k++) {
        n->check[k] = lagrange_at(s + 1, all, k, n->c[s]);
        to_bernstein(s, n->wide[k], 0, 1, b);
        for (int j = 0; j <= s; j++) n->wide_hull[j][k] = b[j];
    }
    for (int k = 0; k < s; k++) {
        n->begin[k] = lagrange_at(s, n->c, k, 0);
        to_bernstein(s - 1, n->lagrange[k], 0, 1, b);
        for (int j = 0; j < s; j++) n->hull[j][k] = b[j];
    }
}

void jd_nodes_set(nodes *n, int s) {
    double all[STAGES + 1] = {0};
    *n = (nodes){.s = s};
    find_nodes(s, n->c);
    n->c[s] = s > 1 ? (n->c[s - 2] + 1) / 2 : 0.5;
    memcpy(all + 1, n->c, (size_t)s * sizeof *all);
    lagrange(s, n->c, STAGES, n->lagrange[0]);
    lagrange(s + 1, all, STAGES + 1, n->wide[0]);
    for (int k = 0; k < s; k++)
        for (int r = 0; r < s; r++) n->weight[k] += n->lagrange[k][r] / (r + 1);
    set_weights(n);
}

// Loops over nodes are written for any number of them and unrolled for the usual one.
#define INLINE static inline __attribute__((always_inline))
#define UNROLLED(f, ...) (n->s == USUAL_NODES ? f(USUAL_NODES, __VA_ARGS__) : f(n->s, __VA_ARGS__))

INLINE void range_by(int s, const nodes *n, const double *at, int stride, double *low,
                     double *high) {
    *low = HUGE_VAL, *high = -HUGE_VAL;
    for (int j = 0; j < s; j++) {
        double sum = 0;
        for (int k = 0; k < s; k++) sum += n->hull[j][k] * at[k * stride];
        if (sum < *low) *low = sum;
        if (sum > *high) *high = sum;
    }
}

void jd_nodes_range(const nodes *n, const double *at, int stride, double *low, double *high) {
    UNROLLED(range_by, n, at, stride, low, high);
}

INLINE double least_wide_by(int s, const nodes *n, double sign, double first, const double *at,
                            int stride) {
    double least = sign * first;
    for (int j = 1; j <= s; j++) {
        double sum = n->wide_hull[j][0] * first;
        for (int k = 0; k < s; k++) sum += n->wide_hull[j][k + 1] * at[k * stride];
        if (sign * sum < least) least = sign * sum;
    }
    return least;
}

double jd_nodes_least_wide(const nodes *n, double sign, double first, const double *at,
                           int stride) {
    return UNROLLED(least_wide_by, n, sign, first, at, stride);
}

double jd_polynomial(int degree, const double *p, double x) {
    double sum = p[degree];
    for (int r = degree - 1; r >= 0; r--) sum = sum * x + p[r];
    return sum;
}

// sum_r p_r S_r/(r + 1), S_r = (b^{r+1} - a^{r+1})/(b - a) = b S_{r-1} + a^r: nothing cancels.
double jd_polynomial_mean(int degree, const double *p, double a, double x) {
    double S = 1, power = 1, sum = p[0];
    for (int r = 1; r <= degree; r++) {
        power *= a;
        S = (a + x) * S + power;
        sum += p[r] * S / (r + 1);
    }
    return sum;
}

void jd_polynomial_part(int degree, double *p, double a, double b) {
    double power = 1;
    for (int i = 0; i < degree; i++)
        for (int r = degree - 1; r >= i; r--) p[r] += a * p[r + 1];
    for (int r = 0; r <= degree; r++, power *= b) p[r] *= power;
}

INLINE void narrow_by(int s, const nodes *n, const double *at, int stride, double *p) {
    for (int r = 0; r < s; r++) {
        double sum = 0;
        for (int k = 0; k < s; k++) sum += n->lagrange[k][r] * at[k * stride];
        p[r] = sum;
    }
}

void jd_nodes_narrow(const nodes *n, const double *at, int stride, double *p) {
    UNROLLED(narrow_by, n, at, stride, p);
}

INLINE void wide_by(int s, const nodes *n, double first, const double *at, int stride, double *p) {
    for (int r = 0; r <= s; r++) {
        double sum = n->wide[0][r] * first;
        for (int k = 0; k < s; k++) sum += n->wide[k + 1][r] * at[k * stride];
        p[r] = sum;
    }
}

void jd_nodes_wide(const nodes *n, double first, const double *at, int stride, double *p) {
    UNROLLED(wide_by, n, first, at, stride, p);
}

// Power form on [0, 1] to Bernstein form on [a, b].
static void to_bernstein(int d, const double *p, double a, double b, double *out) {
    double q[STAGES + 1]; // p(a + (b - a) x): Taylor shift, then scaling
    memcpy(q, p, (size_t)(d + 1) * sizeof *q);
    for (int i = 0; i < d; i++)
        for (int r = d - 1; r >= i; r--) q[r] += a * q[r + 1];
    double power = 1;
    for (int r = 0; r <= d; r++, power *= b - a) q[r] *= power;
    double choose = 1; // C(d, r)
    for (int r = 0; r <= d; r++) {
        q[r] /= choose;
        choose = choose * (d - r) / (r + 1);
    }
    for (int j = 0; j <= d; j++) { // b_j = sum_r C(j, r) q_r / C(d, r)
        double c = 1;
        out[j] = 0;
        for (int r = 0; r <= j; r++) {
            out[j] += c * q[r];
            c = c * (j - r) / (r + 1);
        }
    }
}

// Changes of sign among the Bernstein coefficients: one means one zero.
static int sign_changes(int d, const double *b) {
    int n = 0;
    for (int j = 1; j <= d; j++) n += (b[j] < 0) != (b[j - 1] < 0);
    return n;
}

// The one zero of p in [low, high], where it falls: regula falsi, Illinois.
static double zero_between(int d, const double *p, double low, double high) {
    double f = jd_polynomial(d, p, low), g = jd_polynomial(d, p, high);
    for (int i = 0; i < 60 && high - low > 1e-13; i++) {
        double x = f > 0 && g < 0 ? low + (high - low) * f / (f - g) : (low + high) / 2;
        double y = jd_polynomial(d, p, x);
        if (y < 0) {
            if (g == y) break;
            high = x, g = y, f /= 2;
        } else {
            if (f == y) break;
            low = x, f = y, g /= 2;
        }
    }
    return high;
}

static double first_below(int d, const double *p, const double *b, double left, double right,
                          double margin) {
    double low = b[0], half[STAGES + 1] = {0}, rest[STAGES + 1];
    for (int j = 1; j <= d; j++) low = fmin(low, b[j]);
    if (low >= -margin) return 2;
    if (b[0] < -margin) return left;
    if (b[0] > 0 && b[d] < -margin && sign_changes(d, b) == 1)
        return zero_between(d, p, left, right);
    if (right - left < 1e-9) return b[d] < -margin ? right : 2;
    memcpy(rest, b, (size_t)(d + 1) * sizeof *b);
    for (int i = 0; i <= d; i++) { // de Casteljau at the middle; `rest` ends as the right half
        half[i] = rest[0];
        for (int j = 0; j < d - i; j++) rest[j] = 0.5 * rest[j] + 0.5 * rest[j + 1];
    }
    double middle = (left + right) / 2, found = first_below(d, p, half, left, middle, margin);
    return found <= 1 ? found : first_below(d, p, rest, middle, right, margin);
}

double jd_nodes_first_below(int d, const double *p, double from, double margin) {
    double b[STAGES + 1] = {0};
    to_bernstein(d, p, from, 1, b);
    for (int j = 0; j <= d; j++) // else halving would not end: the bounds are no numbers
        if (!isfinite(b[j])) return 2;
    return first_below(d, p, b, from, 1, margin);
}
