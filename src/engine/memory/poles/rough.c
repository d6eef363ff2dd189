// rough.c -- what is known of a panel by single precision, for coarse tolerances.
//   known_i = Re sum_p w_ip z_p at the nodes and the check point, of the usual panel (usual.c). A
//   sum is right to 1e-7 of its terms, far below the errors that a coarse tolerance (plan.c) lets a
//   panel have; eight poles at a time and half the memory make it twice as fast. The states of the
//   poles stay in double precision: nothing adds up. Not for analyses, whose motions repeat to
//   rounding.
//   Layout: eight poles after the other, of each the real and imaginary parts of its five weights.
#include "base/clones.h"
#include "base/lanes.h"
#include "engine/memory/memory.h"

enum { ROWS = USUAL_NODES + 1, WIDE = 8 };

static int padded(const memory_plan *plan) { return (plan->poles.n + WIDE - 1) / WIDE * WIDE; }

jd_status jd_rough_create(memory *e) {
    const memory_plan *plan = e->plan;
    e->scratch.rough_re = e->scratch.rough_im = NULL;
    if (!plan->usual || !plan->accuracy.loose) return JD_OK;
    e->scratch.rough_re = JD_TAKE(e->arena, float, padded(plan));
    e->scratch.rough_im = JD_TAKE(e->arena, float, padded(plan));
    return jd_arena_status(e->arena);
}

jd_status jd_rough_weights(const memory_plan *plan, coefficients *t) {
    int n = plan->poles.n, wide = padded(plan);
    if (!plan->usual || !plan->accuracy.loose) return JD_OK;
    t->rough = JD_TAKE(plan->arena, float, 2 * ROWS * wide);
    JD_TRY(jd_arena_status(plan->arena));
    for (int p = 0; p < n; p++)
        for (int r = 0; r < ROWS; r++) {
            float *to = t->rough + (p / WIDE * ROWS + r) * 2 * WIDE + p % WIDE;
            to[0] = (float)t->w_re[r * n + p];
            to[WIDE] = (float)t->w_im[r * n + p];
        }
    return JD_OK;
}

JD_CLONES("avx2")
static void round_all(int n, const double *re, const double *im, float *to_re, float *to_im) {
    for (int p = 0; p < n; p += WIDE)
        for (int i = p; i < p + WIDE; i += 4) {
            STORE_F4(to_re + i, __builtin_convertvector(LOAD(re + i), f4));
            STORE_F4(to_im + i, __builtin_convertvector(LOAD(im + i), f4));
        }
}

void jd_rough_begin(memory *e) {
    if (!e->scratch.rough_re || e->run->repeats) return;
    round_all(padded(e->plan), e->state.z_re, e->state.z_im, e->scratch.rough_re,
              e->scratch.rough_im);
}

JD_CLONES("avx2")
static void weigh(int n, const float *w, const float *z_re, const float *z_im, double *out) {
    f8 sum[ROWS];
    for (int r = 0; r < ROWS; r++) sum[r] = ALL_F8(0.0F);
    for (int p = 0; p < n; p += WIDE, w += 2 * WIDE * ROWS) {
        f8 x = LOAD_F8(z_re + p), y = LOAD_F8(z_im + p);
        for (int r = 0; r < ROWS; r++)
            sum[r] += LOAD_F8(w + 2 * WIDE * r) * x - LOAD_F8(w + 2 * WIDE * r + WIDE) * y;
    }
    for (int r = 0; r < ROWS; r++) {
        f8 s = sum[r];
        out[r] = (double)(((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])));
    }
}

bool jd_rough_known(memory *e, const coefficients *t) {
    if (!t->rough || !e->plan->accuracy.loose || e->run->repeats) return false;
    weigh(padded(e->plan), t->rough, e->scratch.rough_re, e->scratch.rough_im, e->panel.known);
    return true;
}
