// nsm_count.c -- are all roots of G(mu) = sum rho_j/(mu - c_j) real and in [-1, 1]? By counting.
//   n poles c_j in (-1, 1), sum rho_j = 1: n - 1 roots. Between neighbours with rho of one sign
//   lies one root. Between neighbours of opposite sign |G| grows towards both: no root or two; two
//   where G changes its sign at its flattest point. Beyond the outermost poles the sign of G at +-1
//   tells. n - 1 roots found that way are all of them: stable, proved. An odd number beyond +-1,
//   G(1) < 0 or G(-1) > 0: unstable, proved. Else roots are missing: unstable, but for three roots
//   where one was counted; with just one pair missing the caller makes sure. Cost: O(n) per look at
//   a gap, a few looks each.
#include "analysis/nsm_count.h"

#include <math.h>
#include <stdlib.h>

static int by_place(const void *x, const void *y) {
    const nsm_term *a = x, *b = y;
    return (a->c > b->c) - (a->c < b->c);
}

static void sort(int n, nsm_term *t) {
    if (n > 200) {
        qsort(t, (size_t)n, sizeof *t, by_place);
        return;
    }
    for (int i = 1; i < n; i++) { // no calls: short lists are the rule
        nsm_term one = t[i];
        int k = i;
        for (; k > 0 && t[k - 1].c > one.c; k--) t[k] = t[k - 1];
        t[k] = one;
    }
}

// G, G', G'' at x.
static void value(int n, const nsm_term *t, double x, double out[3]) {
    double g = 0, g1 = 0, g2 = 0;
    for (int j = 0; j < n; j++) {
        double r = 1 / (x - t[j].c), e = t[j].rho * r;
        g += e;
        e *= r;
        g1 -= e;
        g2 += 2 * e * r;
    }
    out[0] = g;
    out[1] = g1;
    out[2] = g2;
}

// Lowest value of sign G between two places, starting from x: Newton on G', kept inside. Returns
// whether it is below 0, and half the distance of the two roots, real or not, by the parabola
// there.
static bool dips(int n, const nsm_term *t, double low, double high, double x, double sign,
                 double *half) {
    double g[3];
    for (int i = 0; i < 8; i++) {
        value(n, t, x, g);
        double bend = sign * g[2], slope = sign * g[1];
        *half = sqrt(fabs(2 * g[0] / g[2]));
        if (sign * g[0] < 0) return true;
        if (slope > 0)
            high = x;
        else
            low = x;
        double next = bend > 0 ? x - slope / bend : (low + high) / 2;
        if (!(next > low && next < high)) next = (low + high) / 2;
        if (fabs(next - x) < 0.02 * fmin(x - low, high - x) || fabs(next - x) < 0.05 * *half)
            return false; // the value changes by less than a part in a thousand
        x = next;
    }
    return false;
}

// Roots between the outermost pole and the end of the interval: side = 1 or -1.
static int outside(int n, const nsm_term *t, int side, nsm_count *out) {
    double g[3], c = t[side > 0 ? n - 1 : 0].c, rho = t[side > 0 ? n - 1 : 0].rho, half;
    value(n, t, side, g);
    out->at[side < 0] = g[0];
    double distance = fabs(g[0] / g[1]); // of the nearest root from the end, by Newton
    out->end = fmin(out->end, distance);
    if (side * g[0] < 0) { // an odd number of roots beyond: G ~ 1/mu far out
        out->proved = true;
        out->offence = fmin(out->offence, distance);
    }
    if (g[0] * rho * side < 0) return 1;
    if (!dips(n, t, fmin(c, side), fmax(c, side), (c + side) / 2, g[0] > 0 ? 1 : -1, &half))
        return 0;
    out->pair = fmin(out->pair, half);
    return 2;
}

void nsm_count_roots(int n, nsm_term *t, nsm_count *out) {
    *out = (nsm_count){.pair = HUGE_VAL, .end = HUGE_VAL, .offence = HUGE_VAL};
    sort(n, t);
    int found = outside(n, t, 1, out) + outside(n, t, -1, out);
    for (int i = 0; i + 1 < n; i++) {
        double a = t[i].rho, b = t[i + 1].rho, width = t[i + 1].c - t[i].c, half;
        if (a * b > 0) {
            found++;
            continue;
        }
        double p = sqrt(fabs(a)), q = sqrt(fabs(b)), x = t[i].c + width * p / (p + q);
        if (dips(n, t, t[i].c, t[i + 1].c, x, a > 0 ? 1 : -1, &half)) {
            found += 2;
            out->pair = fmin(out->pair, half);
        } else {
            out->offence = fmin(out->offence, fmin(half, width));
        }
    }
    out->missing = n - 1 - found;
    out->unstable = out->proved || out->missing > 0;
}
