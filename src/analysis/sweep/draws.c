// draws.c -- numbers of a model drawn at random: points of the unit cube, then distributions.
//   sobol            digits of Sobol's sequence in Gray-code order [Antonov, Saleev 1979], with the
//                    direction numbers of Joe and Kuo (2008, table new-joe-kuo-6.21201, dimensions
//                    1 to 21), shifted digit by digit (exclusive or) by 32 random bits per
//                    dimension
//   latin-hypercube  x_i = (pi_i + r_i) / N, pi a random permutation for each number [McKay 1979]
//   random           independent
//   Every x is strictly between 0 and 1. Normal numbers are mean + deviation z, z = Phi^-1(x).
//   All of it follows from the seed and the table of the model alone: any process draws the same.
#include <math.h>
#include <stdint.h>

#include "analysis/sweep/parts.h"
#include "base/constants.h"
#include "problem/parts.h"

enum { BITS = 32, DIMENSIONS = 21, DEGREE = 7 };

// Degree s, coefficients a and first direction numbers m of the primitive polynomials.
static const struct {
    unsigned char s, a, m[DEGREE];
} joe_kuo[DIMENSIONS] = {{0, 0, {0}},
                         {1, 0, {1}},
                         {2, 1, {1, 3}},
                         {3, 1, {1, 3, 1}},
                         {3, 2, {1, 1, 1}},
                         {4, 1, {1, 1, 3, 3}},
                         {4, 4, {1, 3, 5, 13}},
                         {5, 2, {1, 1, 5, 5, 17}},
                         {5, 4, {1, 1, 5, 5, 5}},
                         {5, 7, {1, 1, 7, 11, 19}},
                         {5, 11, {1, 1, 5, 1, 1}},
                         {5, 13, {1, 1, 1, 3, 11}},
                         {5, 14, {1, 3, 5, 5, 31}},
                         {6, 1, {1, 3, 3, 9, 7, 49}},
                         {6, 13, {1, 1, 1, 15, 21, 21}},
                         {6, 16, {1, 3, 1, 13, 27, 49}},
                         {6, 19, {1, 1, 1, 15, 7, 5}},
                         {6, 22, {1, 3, 1, 15, 13, 25}},
                         {6, 25, {1, 1, 5, 5, 19, 61}},
                         {7, 1, {1, 3, 7, 11, 23, 15, 103}},
                         {7, 4, {1, 3, 7, 13, 13, 15, 69}}};

// v_k = m_k 2^(32-k); m_k = 2 a_1 m_{k-1} ^ 4 a_2 m_{k-2} ^ ... ^ 2^s m_{k-s} ^ m_{k-s}.
static void directions(int dimension, uint32_t v[BITS]) {
    int s = joe_kuo[dimension].s, a = joe_kuo[dimension].a;
    for (int k = 0; k < BITS; k++) {
        if (s == 0) {
            v[k] = 1u << (BITS - 1 - k);
        } else if (k < s) {
            v[k] = (uint32_t)joe_kuo[dimension].m[k] << (BITS - 1 - k);
        } else {
            v[k] = v[k - s] ^ (v[k - s] >> s);
            for (int i = 1; i < s; i++)
                if (a >> (s - 1 - i) & 1) v[k] ^= v[k - i];
        }
    }
}

// Strictly between 0 and 1.
static double unit(uint32_t digits) { return ((double)digits + 0.5) * 0x1p-32; }

static void draw_sobol(uint64_t *random, int n, int dimension, int step, double *out) {
    uint32_t v[BITS], x = (uint32_t)(jd_sweep_random(random) >> 32);
    directions(dimension, v);
    for (int i = 0; i < n; i++) {
        out[(ptrdiff_t)i * step] = unit(x);
        int low = 0; // lowest digit of i that is 0
        while (i >> low & 1) low++;
        x ^= v[low];
    }
}

static double any(uint64_t *random) { return unit((uint32_t)(jd_sweep_random(random) >> 32)); }

// Of 0 .. n - 1, without the bias of a remainder beyond 2^-40.
static int any_of(uint64_t *random, int n) {
    return (int)((double)(jd_sweep_random(random) >> 11) * 0x1p-53 * n);
}

static void draw_latin(uint64_t *random, int n, int step, double *out) {
    for (int i = 0; i < n; i++) out[(ptrdiff_t)i * step] = i;
    for (int i = n - 1; i > 0; i--) { // Fisher and Yates
        int k = any_of(random, i + 1);
        double keep = out[(ptrdiff_t)i * step];
        out[(ptrdiff_t)i * step] = out[(ptrdiff_t)k * step];
        out[(ptrdiff_t)k * step] = keep;
    }
    for (int i = 0; i < n; i++)
        out[(ptrdiff_t)i * step] = (out[(ptrdiff_t)i * step] + any(random)) / n;
}

// Phi^-1: a rational guess [Abramowitz, Stegun 26.2.23], then Halley's steps on erfc.
static double normal_quantile(double u) {
    double p = fmin(u, 1 - u), t = sqrt(-2 * log(p));
    double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
                   (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
               t;
    for (int i = 0; i < 3; i++) {
        double e = 0.5 * erfc(-x * sqrt(0.5)) - p;
        double w = e * sqrt(JD_TWO_PI) * exp(x * x / 2);
        x -= w / (1 + x * w / 2);
    }
    return u < 0.5 ? x : -x;
}

static double distributed(const jd_draw *d, double u) {
    if (d->distribution == JD_UNIFORM) return d->a + (d->b - d->a) * u;
    double z = normal_quantile(u);
    return d->distribution == JD_NORMAL ? d->a + d->b * z : d->a * exp(d->b * z);
}

static void draw_one(const jd_sample_def *s, int k, double *out) {
    uint64_t random = (uint64_t)s->seed << 32 | (uint32_t)k;
    int step = s->parameters.n;
    jd_sweep_random(&random); // neighbouring seeds are far apart after one step
    random = jd_sweep_random(&random);
    if (s->method == JD_SAMPLE_SOBOL)
        draw_sobol(&random, s->points, k, step, out);
    else if (s->method == JD_SAMPLE_LATIN)
        draw_latin(&random, s->points, step, out);
    for (int i = 0; i < s->points && s->method == JD_SAMPLE_RANDOM; i++)
        out[(ptrdiff_t)i * step] = any(&random);
    for (int i = 0; i < s->points; i++)
        out[(ptrdiff_t)i * step] = distributed(&s->parameters.draw[k], out[(ptrdiff_t)i * step]);
}

// The ends of what is drawn evenly must be possible, whatever the seed; every draw must be.
static jd_status check_draws(jd_sweep *sw, jd_problem *copy) {
    const jd_sample_def *s = &sw->def->sample;
    jd_status status = JD_OK;
    for (int k = 0; k < s->parameters.n && status == JD_OK; k++) {
        const jd_draw *d = &s->parameters.draw[k];
        double old;
        JD_TRY(jd_problem_get(copy, d->path, &old));
        if (d->distribution == JD_UNIFORM) {
            JD_TRY(jd_problem_set(copy, d->path, d->a, NULL));
            JD_TRY(jd_problem_set(copy, d->path, d->b, NULL));
        }
        for (int i = 0; i < s->points && status == JD_OK; i++)
            status = jd_problem_set(copy, d->path,
                                    sw->view.drawn[(ptrdiff_t)i * s->parameters.n + k], NULL);
    }
    return status;
}

jd_status jd_sweep_sample(jd_sweep *sw, jd_problem *copy) {
    const jd_sample_def *s = &sw->def->sample;
    jd_sweep_view *v = &sw->view;
    int n = s->parameters.n;
    const char **path = JD_TAKE(sw->arena, const char *, n);
    double *value = jd_arena_take(sw->arena, (size_t)s->points * (size_t)n, sizeof *value);
    double *number = JD_TAKE(sw->arena, double, s->points);
    JD_TRY(jd_arena_status(sw->arena));
    for (int k = 0; k < n; k++) {
        path[k] = s->parameters.draw[k].path;
        draw_one(s, k, value + k);
    }
    for (int i = 0; i < s->points; i++) number[i] = i + 1;
    v->n_draw = n;
    v->draw = path;
    v->drawn = value;
    v->count[0] = s->points;
    v->parameter[0] = "sample";
    v->values[0] = number;
    return check_draws(sw, copy);
}
