// sum.h -- inside of a basis and a watch; the inner loops both are evaluated with.
//   Amplitudes are kept in slots sorted by |lambda|. Per watch and slot a row of 20 doubles:
//     Re and Im of  w lambda^m/m!, m = 0..7   (so a derivative is two multiplications a pole)
//     bounds  A_m = |w||lambda|^m/m!  for m = 0, 1, 2 and m = order
//   with |contribution to f^(m)/m!| <= A_m |z| on [0, longest_step]; growth and the drift of pair
//   blocks over that time are inside A. Slots form groups: the unit of the slow/fast split.
#ifndef JD_EXPSUM_SUM_H
#define JD_EXPSUM_SUM_H

#include <complex.h>
#include <string.h>

#include "base/arena.h"
#include "judder/expsum.h"

enum {
    JD_GROUPS = 16,       // at most this many groups of poles
    JD_ROW = 20,          // doubles per slot of a watch
    JD_SUMS = 12,         // f^(m)/m! for m = 0..7, then A0 A1 A2 A_order
    JD_RUNGS = 4 * 46 + 1 // ladder: longest_step x 2^-i x {1, 1.25, 1.5, 1.75}
};

// Products of a matrix with two vectors, A(i, j) at A[j*stride + i].
typedef void jd_product(int rows, int columns, int stride, const double *A, const double *q,
                        const double *p, double *x, double *v);

// Y = A X for many columns, A(i, j) at A[j*step + i], rows of X and Y by strides.
typedef void jd_columns_product(int rows, int inner, int columns, const double *A, int step,
                                const double *X, int x_stride, double *Y, int y_stride);

// The same operations in the same order whatever the instruction set: the same bits everywhere.
// (Multiply-adds are fused; a processor without them gets the same bits slowly.)
typedef struct jd_simd {
    // z *= e, slot by slot.
    void (*rotate)(int n, double *re, double *im, const double *e_re, const double *e_im);
    // e = exp(lambda t).
    void (*exponentials)(int n, const double *re, const double *im, double t, double *e_re,
                         double *e_im);
    // z *= exp(lambda t) for |lambda t| <= 1e-3 (no pairs).
    void (*nudge)(int n, const double *l_re, const double *l_im, double t, double *re, double *im);
    void (*magnitudes)(int n, const double *re, const double *im, double *out);
    // prefix[row_of[p] ...] = sums over slots 0..p of the JD_SUMS columns.
    void (*sums)(int n, const int *row_of, const double *row, const double *re, const double *im,
                 const double *magnitude, double *prefix);
    // jd_first_zero itself.
    void (*first_zero)(jd_expbasis *basis, const double *re, const double *im, int n_guard,
                       const jd_guard *guard, double t_max, const jd_search_options *options,
                       jd_search_result *result, double *out_re, double *out_im);
    jd_product *multiply_add, *multiply; // x += A q, v += A p; the same with =
    jd_columns_product *mix;             // Y = A X
} jd_simd;

extern const jd_simd jd_simd_plain, jd_simd_avx2;
const jd_simd *jd_simd_best(void); // of this processor

// Factors e^{lambda h} of the steps h a search takes; rows are computed when first used.
typedef struct jd_ladder {
    double longest;        // [s] power of two
    int exponent;          // longest = 2^exponent
    int64_t top;           // leading bits of longest, see jd_expbasis_rung
    bool filled[JD_RUNGS]; // rows that were computed
    double *re, *im;       // JD_RUNGS x n_slot
    jd_complex *pair;      // JD_RUNGS x n_pair x 2: e^{mu h} S and delta2 e^{mu h} S
} jd_ladder;

// Scratch of a search.
typedef struct jd_expbasis_scratch {
    double *z_re, *z_im, *magnitude, *e_re, *e_im;
    jd_complex *e_pair, *pair_new;
    void *units; // poles and pairs being sorted
} jd_expbasis_scratch;

struct jd_expbasis {
    jd_arena *arena;
    const jd_simd *simd;
    int n_pole, n_pair, n_used, n_slot; // n_slot: n_used padded to a multiple of 4
    int order;
    int over_order;  // 65536/order
    double rate_max; // largest |lambda|
    bool steady;     // no pole grows, no pairs: sum|c| bounds the sum for all times
    bool undamped;   // steady, and no pole decays: amplitudes keep their size
    bool repeated;   // some pole is there twice (drives or bodies that are alike)
    int *slot, *pair_slot;
    double *re, *im; // lambda by slot (mu for both slots of a pair)
    jd_pole_pair *pair;
    double *pair_c, *pair_s; // sup over [0, longest] of |e^{mu t} C| and |e^{mu t} S|
    int n_group, first[JD_GROUPS + 1];
    bool lone;   // the first group is one pole, which oscillates and does not grow
    int *row_of; // n_slot: where the sums of the slot's group begin in prefix
    jd_ladder ladder;
    jd_expbasis_scratch scratch;
};

struct jd_watch {
    jd_expbasis *basis;
    double *row; // n_slot x JD_ROW
};

// re + i im (C11's CMPLX, which glibc keeps from clang).
static inline double complex jd_cmplx(double re, double im) {
    double complex z;
    memcpy(&z, (double[2]){re, im}, sizeof z);
    return z;
}

// e^{lambda t} for all slots and the mixing terms of the pairs (2 per pair).
void jd_expbasis_exp(const jd_expbasis *basis, double t, double *e_re, double *e_im,
                     jd_complex *e_pair);
// z *= e, pairs mixed.
void jd_expbasis_apply(const jd_expbasis *basis, const double *e_re, const double *e_im,
                       const jd_complex *e_pair, double *re, double *im);
// Moves amplitudes by one rung of the ladder.
void jd_expbasis_climb(jd_expbasis *basis, int rung, double *re, double *im);

// A double's bits are nearly its logarithm: log2(x) ~ bits/2^52 - 1023, good to 0.09. So a quotient
// is a difference and a root a product, and neither waits for the divider; and the sign, the
// exponent and two more bits are the number of a rung.
static inline int64_t jd_bits(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// Largest rung <= the h > 0 of these bits, -1 when it is below the ladder.
static inline int jd_rung_of_bits(const jd_expbasis *b, int64_t bits) {
    int64_t rung = (bits >> 50) - b->ladder.top + (JD_RUNGS - 1);
    return rung < 0 ? -1 : rung > JD_RUNGS - 1 ? JD_RUNGS - 1 : (int)rung;
}

// Length of a rung [s]: its number is the leading bits of its length.
static inline double jd_rung_length(const jd_expbasis *b, int rung) {
    int64_t bits = (int64_t)((uint64_t)(b->ladder.top + rung - (JD_RUNGS - 1)) << 50);
    double h;
    memcpy(&h, &bits, sizeof h);
    return h;
}

static inline int jd_expbasis_rung(const jd_expbasis *b, double h) {
    return h > 0 ? jd_rung_of_bits(b, jd_bits(h)) : -1;
}

#endif
