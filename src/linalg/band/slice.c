// slice.c -- the lowest eigenpairs of a band pencil by spectrum slicing.
//   N(sigma) = negative pivots of K - sigma M = eigenvalues below sigma   (Sylvester)
//   Bisection on N, in the logarithm while the ends are far apart, isolates every eigenvalue
//   wanted; Rayleigh-quotient iteration from inside the bracket finishes it. An answer outside its
//   bracket is refused and the bracket halved, so that no eigenvalue is skipped or found twice.
#include <stdint.h>

#include "linalg/band/refine.h"

enum { DEEPEST = 512 }; // halvings from 1e-40 to 1, down to one part in 1e13, fit easily

typedef struct bracket {
    double low, high; // N(low) = below, N(high) = above
    int below, above;
} bracket;

static double middle(const bracket *b) {
    if (b->low > 0 && b->high > 4 * b->low) return sqrt(b->low) * sqrt(b->high);
    return b->low + (b->high - b->low) / 2;
}

static bool is_tight(const bracket *b) { return b->high - b->low <= 1e-13 * fabs(b->high); }

// Halves the bracket; *other gets the upper half.
static void halve(jd_refine *s, bracket *b, bracket *other) {
    double m = middle(b);
    int count = jd_refine_count(s, dd(m));
    if (count < b->below) count = b->below; // rounding at the noise floor of K
    if (count > b->above) count = b->above;
    *other = (bracket){m, b->high, count, b->above};
    *b = (bracket){b->low, m, b->below, count};
}

// A start vector that no symmetry annihilates: a fixed linear congruential sequence.
static void start_vector(int n, jd_dd *x, int k) {
    uint32_t seed = 12345u + 2654435761u * (uint32_t)k;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = dd(1 + (double)seed / 4294967296.0);
        if (seed & 0x8000000u) x[i] = dd_neg(x[i]);
    }
}

static bool inside(const jd_refine *s, const bracket *b, int k) {
    double slack = s->radius[k] + 1e-15 * b->high;
    return s->lambda[k].hi >= b->low - slack && s->lambda[k].hi <= b->high + slack;
}

static void find_in(jd_refine *s, bracket b, int k) {
    for (;;) {
        start_vector(s->n, s->vector + (size_t)k * (size_t)s->n, k);
        jd_refine_pair(s, k, dd(middle(&b)), s->n_rigid);
        if (inside(s, &b, k) || is_tight(&b)) return;
        bracket upper;
        halve(s, &b, &upper);
        if (k >= b.above) b = upper;
    }
}

// A value with at least n_mode eigenvalues below it.
static double above_all(jd_refine *s, int n_mode, int *count) {
    double high = 0;
    for (int i = 0; i < s->n; i++) {
        double k = s->K->v[(size_t)i * (size_t)(s->K->width + 1)].hi;
        double m = s->M->v[(size_t)i * (size_t)(s->M->width + 1)].hi;
        high = fmax(high, k / m);
    }
    while ((*count = jd_refine_count(s, dd(high))) < n_mode && high < 1e300) high *= 4;
    return high;
}

jd_status jd_slice(jd_context *context, jd_refine *s, int n_mode) {
    int count = 0, depth = 0;
    double high = above_all(s, n_mode, &count);
    if (count < n_mode)
        return jd_fail(context, JD_INTERNAL, "%d of %d eigenvalues are finite", count, n_mode);
    bracket stack[DEEPEST + 2]; // the lowest on top
    // Below 1e-40 of the largest eigenvalue nothing can be told from 0 in 32 digits.
    stack[depth++] = (bracket){high * 1e-40, high, s->n_rigid, count};
    while (depth > 0) {
        bracket *b = &stack[depth - 1];
        if (b->above == b->below || b->below >= n_mode) {
            depth--;
        } else if (b->above - b->below > 1 && !is_tight(b) && depth < DEEPEST) {
            bracket lower = *b;
            halve(s, &lower, b);
            stack[depth++] = lower;
        } else {
            for (int k = b->below; k < b->above && k < n_mode; k++) find_in(s, *b, k);
            jd_progress(context, "modes", (double)b->below / n_mode);
            depth--;
        }
    }
    return JD_OK;
}
