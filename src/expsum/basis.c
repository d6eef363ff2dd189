// basis.c -- the poles of one kind of phase: slots, groups, exponentials, ladder of steps.
//   Simple pole: z(t) = z e^{lambda t}. Pair block, x = delta2 t^2:
//     C = sum x^k/(2k)!, S = t sum x^k/(2k+1)!        |x| < 1
//     e^{mu t} C = (E+ + E-)/2, e^{mu t} S = t (E+ - E-)/(2w), E+- = e^{mu t +- w}, w^2 = x  else
//   The two agree where they meet; neither cancels.   tested: pair_blocks_match_high_precision
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expsum/sum.h"

jd_expbasis_def jd_default_expbasis_def(void) { return (jd_expbasis_def){.order = JD_TAYLOR}; }

typedef struct unit { // one pole or one pair, before it gets its slots
    double rate;
    int index;
    bool pair;
} unit;

static int by_rate(const void *a, const void *b) {
    const unit *x = a, *y = b;
    if (x->rate != y->rate) return x->rate < y->rate ? -1 : 1;
    if (x->pair != y->pair) return x->pair ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

static double pair_rate(const jd_pole_pair *pair) {
    return hypot(pair->mu.re, pair->mu.im) + sqrt(hypot(pair->delta2.re, pair->delta2.im));
}

static double unit_growth(const jd_expbasis_def *def, const unit *u) {
    if (!u->pair) return def->pole[u->index].re;
    const jd_pole_pair *pair = def->pair + u->index;
    double complex delta = csqrt(jd_cmplx(pair->delta2.re, pair->delta2.im));
    return pair->mu.re + fabs(creal(delta));
}

// Fails on NaN and infinity: a pole that is no number would make every bound meaningless.
static jd_status check_def(jd_context *context, const jd_expbasis_def *def) {
    for (int i = 0; i < def->n_pole; i++)
        if (!isfinite(def->pole[i].re) || !isfinite(def->pole[i].im))
            return jd_fail(context, JD_BAD_ARGUMENT, "pole %d is %g%+gi, not a finite number", i,
                           def->pole[i].re, def->pole[i].im);
    for (int k = 0; k < def->n_pair; k++)
        if (!isfinite(pair_rate(def->pair + k)))
            return jd_fail(context, JD_BAD_ARGUMENT, "pole pair %d is not finite", k);
    if (def->order != 0 && (def->order < 4 || def->order > JD_TAYLOR))
        return jd_fail(context, JD_BAD_ARGUMENT, "Taylor order %d is not in 4..%d", def->order,
                       JD_TAYLOR);
    if (!(def->longest_step >= 0) || isinf(def->longest_step))
        return jd_fail(context, JD_BAD_ARGUMENT, "longest step %g is not a time",
                       def->longest_step);
    return JD_OK;
}

// Power of two below the longest step wanted, and below 1/growth so that bounds grow by e at most.
static void set_longest(jd_expbasis *b, const jd_expbasis_def *def, const unit *u, int n) {
    double slowest = 0, growth = 0;
    for (int i = 0; i < n; i++) {
        if (slowest == 0 && u[i].rate > 0) slowest = u[i].rate;
        growth = fmax(growth, unit_growth(def, u + i));
        b->rate_max = fmax(b->rate_max, u[i].rate);
    }
    double longest = def->longest_step > 0 ? def->longest_step : slowest > 0 ? 4 / slowest : 1;
    b->steady = b->undamped = growth == 0 && def->n_pair == 0;
    for (int i = 0; i < def->n_pole; i++) b->undamped = b->undamped && def->pole[i].re == 0;
    if (growth > 0) longest = fmin(longest, 1 / growth);
    frexp(longest, &b->ladder.exponent);
    b->ladder.exponent--;
    b->ladder.longest = ldexp(1, b->ladder.exponent);
    b->ladder.top = jd_bits(b->ladder.longest) >> 50;
}

// sup over [0, T] of |e^{mu t} C(t)| and of |e^{mu t} S(t)|, T = longest, by
//   |C| <= cosh(|delta| t) <= e^{|delta| t}, |S| <= t e^{|delta| t};  t e^{-s t} <= min(T, 1/(e
//   s)).
static void pair_bounds(jd_expbasis *b, int k) {
    double delta = sqrt(hypot(b->pair[k].delta2.re, b->pair[k].delta2.im));
    double s = b->pair[k].mu.re + delta, T = b->ladder.longest; // growth rate of the bound
    b->pair_c[k] = s > 0 ? exp(s * T) : 1;
    b->pair_s[k] = s > 0 ? T * exp(s * T) : fmin(T, -1 / (2.718281828459045 * s));
    if (s == 0) b->pair_s[k] = T;
}

static void place(jd_expbasis *b, const jd_expbasis_def *def, const unit *u, int n) {
    int at = 0;
    for (int i = 0; i < n; i++) {
        int index = u[i].index;
        if (u[i].pair) {
            b->pair_slot[index] = at;
            b->pair[index] = def->pair[index];
            pair_bounds(b, index);
            b->re[at] = b->re[at + 1] = def->pair[index].mu.re;
            b->im[at] = b->im[at + 1] = def->pair[index].mu.im;
            at += 2;
        } else {
            b->slot[index] = at;
            b->re[at] = def->pole[index].re;
            b->im[at++] = def->pole[index].im;
        }
    }
    for (int j = 1; j < at; j++)
        b->repeated = b->repeated || (b->re[j] == b->re[j - 1] && b->im[j] == b->im[j - 1]);
}

// Groups: a new one where |lambda| has grown by `ratio` since the group began; the ratio is widened
// until JD_GROUPS suffice.
static void group(jd_expbasis *b, const unit *u, int n) {
    for (double ratio = 1.6;; ratio *= 1.2) {
        int count = 0, at = 0;
        double begin = -1;
        for (int i = 0; i < n; i++) {
            if (begin < 0 || u[i].rate > ratio * begin) {
                if (count < JD_GROUPS) b->first[count] = at;
                count++;
                begin = u[i].rate;
            }
            at += u[i].pair ? 2 : 1;
        }
        b->n_group = count;
        if (count > JD_GROUPS) continue;
        b->first[count] = at;
        b->lone = count > 0 && b->first[1] == 1 && b->re[0] <= 0 && b->im[0] > 0;
        for (int g = 0; g < count; g++)
            for (int p = b->first[g]; p < b->n_slot; p++) b->row_of[p] = g * JD_SUMS;
        return;
    }
}

static jd_status take_memory(jd_expbasis *b) {
    jd_arena *a = b->arena;
    size_t slots = (size_t)b->n_slot, pairs = (size_t)b->n_pair;
    b->slot = JD_TAKE(a, int, b->n_pole);
    b->pair_slot = JD_TAKE(a, int, pairs);
    b->row_of = JD_TAKE(a, int, slots);
    b->pair = JD_TAKE(a, jd_pole_pair, pairs);
    b->pair_c = JD_TAKE(a, double, pairs);
    b->pair_s = JD_TAKE(a, double, pairs);
    b->ladder.pair = JD_TAKE_RAW(a, jd_complex, JD_RUNGS * pairs * 2);
    b->scratch.e_pair = JD_TAKE(a, jd_complex, pairs * 2);
    b->scratch.pair_new = JD_TAKE(a, jd_complex, pairs * 2);
    b->ladder.re = JD_TAKE_RAW(a, double, JD_RUNGS *slots);
    b->ladder.im = JD_TAKE_RAW(a, double, JD_RUNGS *slots);
    double **array[] = {&b->re,
                        &b->im,
                        &b->scratch.z_re,
                        &b->scratch.z_im,
                        &b->scratch.magnitude,
                        &b->scratch.e_re,
                        &b->scratch.e_im};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) *array[i] = JD_TAKE(a, double, slots);
    return jd_arena_status(a);
}

const jd_simd *jd_simd_best(void) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(JD_PLAIN)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &jd_simd_avx2;
#endif
    return &jd_simd_plain;
}

static jd_status fill(jd_expbasis *b, const jd_expbasis_def *def) {
    int n = def->n_pole + def->n_pair;
    b->simd = jd_simd_best();
    b->n_pole = def->n_pole;
    b->n_pair = def->n_pair;
    b->order = def->order ? def->order : JD_TAYLOR;
    b->over_order = 65536 / b->order;
    b->n_used = def->n_pole + 2 * def->n_pair;
    b->n_slot = (b->n_used + 3) / 4 * 4;
    unit *u = JD_TAKE(b->arena, unit, n);
    b->scratch.units = u;
    JD_TRY(take_memory(b));
    for (int i = 0; i < def->n_pole; i++)
        u[i] = (unit){hypot(def->pole[i].re, def->pole[i].im), i, false};
    for (int k = 0; k < def->n_pair; k++)
        u[def->n_pole + k] = (unit){pair_rate(def->pair + k), k, true};
    if (n > 0) qsort(u, (size_t)n, sizeof *u, by_rate);
    set_longest(b, def, u, n);
    place(b, def, u, n);
    group(b, u, n);
    return JD_OK;
}

jd_status jd_expbasis_create(jd_context *context, const jd_expbasis_def *def, jd_expbasis **out) {
    *out = NULL;
    JD_TRY(check_def(context, def));
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_expbasis *basis = JD_TAKE(arena, jd_expbasis, 1);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK) {
        basis->arena = arena;
        status = fill(basis, def);
    }
    if (status != JD_OK) {
        jd_arena_free(arena);
        return status;
    }
    *out = basis;
    return JD_OK;
}

void jd_expbasis_free(jd_expbasis *basis) {
    if (basis) jd_arena_free(basis->arena);
}

int jd_expbasis_slots(const jd_expbasis *basis) { return basis->n_slot; }
int jd_expbasis_slot(const jd_expbasis *basis, int pole) { return basis->slot[pole]; }
int jd_expbasis_pair_slot(const jd_expbasis *basis, int pair) { return basis->pair_slot[pair]; }

// e^{mu t} C and e^{mu t} S of a pair; e: e^{mu t}.
static void pair_functions(const jd_pole_pair *pair, double t, double complex e, double complex *C,
                           double complex *S) {
    double complex x = jd_cmplx(pair->delta2.re, pair->delta2.im) * (t * t);
    if (cabs(x) < 1) {
        double complex c = 1, s = 1;
        for (int k = 10; k > 0; k--) {
            c = 1 + x * c / (2 * k * (2 * k - 1));
            s = 1 + x * s / (2 * k * (2 * k + 1));
        }
        *C = e * c;
        *S = e * s * t;
    } else {
        double complex m = jd_cmplx(pair->mu.re, pair->mu.im) * t, w = csqrt(x);
        double complex plus = cexp(m + w), minus = cexp(m - w);
        *C = (plus + minus) / 2;
        *S = (plus - minus) / (2 * w) * t;
    }
}

void jd_expbasis_exp(const jd_expbasis *basis, double t, double *e_re, double *e_im,
                     jd_complex *e_pair) {
    basis->simd->exponentials(basis->n_slot, basis->re, basis->im, t, e_re, e_im);
    for (int k = 0; k < basis->n_pair; k++) {
        int j = basis->pair_slot[k];
        double complex C, S, d = jd_cmplx(basis->pair[k].delta2.re, basis->pair[k].delta2.im);
        pair_functions(basis->pair + k, t, jd_cmplx(e_re[j], e_im[j]), &C, &S);
        e_re[j] = e_re[j + 1] = creal(C);
        e_im[j] = e_im[j + 1] = cimag(C);
        e_pair[2 * k] = (jd_complex){creal(S), cimag(S)};
        e_pair[2 * k + 1] = (jd_complex){creal(d * S), cimag(d * S)};
    }
}

// Pairs first, aside: each slot needs the other's old value.
void jd_expbasis_apply(const jd_expbasis *basis, const double *e_re, const double *e_im,
                       const jd_complex *e_pair, double *re, double *im) {
    for (int k = 0; k < basis->n_pair; k++) {
        int j = basis->pair_slot[k];
        jd_complex s = e_pair[2 * k], d = e_pair[2 * k + 1];
        double complex p = jd_cmplx(re[j], im[j]), q = jd_cmplx(re[j + 1], im[j + 1]);
        double complex c = jd_cmplx(e_re[j], e_im[j]);
        double complex p_new = c * p + jd_cmplx(s.re, s.im) * q;
        double complex q_new = c * q + jd_cmplx(d.re, d.im) * p;
        basis->scratch.pair_new[2 * k] = (jd_complex){creal(p_new), cimag(p_new)};
        basis->scratch.pair_new[2 * k + 1] = (jd_complex){creal(q_new), cimag(q_new)};
    }
    basis->simd->rotate(basis->n_slot, re, im, e_re, e_im);
    for (int k = 0; k < basis->n_pair; k++)
        for (int i = 0; i < 2; i++) {
            re[basis->pair_slot[k] + i] = basis->scratch.pair_new[2 * k + i].re;
            im[basis->pair_slot[k] + i] = basis->scratch.pair_new[2 * k + i].im;
        }
}

void jd_expbasis_climb(jd_expbasis *basis, int rung, double *re, double *im) {
    size_t at = (size_t)rung * (size_t)basis->n_slot,
           pair = (size_t)rung * (size_t)basis->n_pair * 2;
    double *e_re = basis->ladder.re + at, *e_im = basis->ladder.im + at;
    if (!basis->ladder.filled[rung]) {
        jd_expbasis_exp(basis, jd_rung_length(basis, rung), e_re, e_im, basis->ladder.pair + pair);
        basis->ladder.filled[rung] = true;
    }
    jd_expbasis_apply(basis, e_re, e_im, basis->ladder.pair + pair, re, im);
}

void jd_expbasis_advance(jd_expbasis *basis, double t, const double *re, const double *im,
                         double *out_re, double *out_im) {
    jd_expbasis_exp(basis, t, basis->scratch.e_re, basis->scratch.e_im, basis->scratch.e_pair);
    size_t bytes = (size_t)basis->n_slot * sizeof(double);
    if (out_re != re) memcpy(out_re, re, bytes);
    if (out_im != im) memcpy(out_im, im, bytes);
    jd_expbasis_apply(basis, basis->scratch.e_re, basis->scratch.e_im, basis->scratch.e_pair,
                      out_re, out_im);
}

// Units in slot order, as they are now.
static int units(const jd_expbasis *b, unit *u) {
    int n = b->n_pole + b->n_pair;
    for (int i = 0; i < b->n_pole; i++) {
        int j = b->slot[i];
        u[i] = (unit){hypot(b->re[j], b->im[j]), i, false};
    }
    for (int k = 0; k < b->n_pair; k++) u[b->n_pole + k] = (unit){pair_rate(b->pair + k), k, true};
    qsort(u, (size_t)n, sizeof *u, by_rate);
    return n;
}

static void refill(jd_expbasis *b, int j) {
    double re[4] = {b->re[j]}, im[4] = {b->im[j]}, e_re[4], e_im[4];
    for (int r = 0; r < JD_RUNGS; r++) {
        if (!b->ladder.filled[r]) continue;
        b->simd->exponentials(4, re, im, jd_rung_length(b, r), e_re, e_im);
        b->ladder.re[(size_t)r * (size_t)b->n_slot + (size_t)j] = e_re[0];
        b->ladder.im[(size_t)r * (size_t)b->n_slot + (size_t)j] = e_im[0];
    }
}

bool jd_expbasis_move(jd_expbasis *b, int pole, jd_complex value, double longest_step) {
    int exponent, j = b->slot[pole], n = b->n_pole + b->n_pair, at = 0;
    frexp(longest_step, &exponent);
    if (exponent - 1 != b->ladder.exponent || b->re[j] != value.re || !isfinite(value.im))
        return false;
    double was = b->im[j];
    b->im[j] = value.im;
    unit *u = b->scratch.units;
    units(b, u);
    for (int i = 0; i < n; at += u[i].pair ? 2 : 1, i++)
        if (at != (u[i].pair ? b->pair_slot : b->slot)[u[i].index]) {
            b->im[j] = was;
            return false;
        }
    group(b, u, n);
    b->rate_max = u[n - 1].rate;
    refill(b, j);
    return true;
}
