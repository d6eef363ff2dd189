// coefficients.c -- what a panel of length h does to the states of the poles: exponentials and
// integrals of polynomials.
//   M_r(x) = int_0^x e^{lambda (x - t)} (t/h)^r dt,   x = c h
//   |lambda x| >= 1:  M_0 = (e^{lambda x} - 1)/lambda,  M_r = (r M_{r-1}/h - c^r)/lambda
//   else by the series  M_r = x c^r r! phi_{r+1}(lambda x),  phi_k = 1/k! + z phi_{k+1}
//   Four poles at a time; poles are sorted by |lambda|.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "engine/memory/memory.h"
#include "engine/memory/poles/factorials.h"

#define CLONES JD_CLONES("avx2")

// Terms of phi_s: 1/(18 + s)! is below rounding for |z| < 1, and 4^-11/(11 + s)! for |z| < 1/4.
enum { TERMS = 18, FEW = 11 };

// Loops over few rows and nodes are written for any number of them and unrolled for the usual ones.
#define INLINE static inline __attribute__((always_inline))
enum { USUAL = USUAL_NODES };

// Some rows at once: the state is read once for all of them.
INLINE void weigh(int rows, int n, const double *w_re, const double *w_im, const double *z_re,
                  const double *z_im, double *out) {
    v4 sum[USUAL + 1];
    for (int r = 0; r < rows; r++) sum[r] = ALL(0.0);
    for (int p = 0; p < n; p += 4) {
        v4 x = LOAD(z_re + p), y = LOAD(z_im + p);
        for (int r = 0; r < rows; r++)
            sum[r] += LOAD(w_re + r * n + p) * x - LOAD(w_im + r * n + p) * y;
    }
    for (int r = 0; r < rows; r++) out[r] = (sum[r][0] + sum[r][1]) + (sum[r][2] + sum[r][3]);
}

CLONES void jd_weigh_rows(int rows, int n, const double *w_re, const double *w_im,
                          const double *z_re, const double *z_im, double *out) {
    int r = 0;
    if (rows % USUAL == 1 && rows > 1) {
        weigh(USUAL + 1, n, w_re, w_im, z_re, z_im, out);
        r = USUAL + 1;
    }
    for (; r + USUAL <= rows; r += USUAL)
        weigh(USUAL, n, w_re + r * n, w_im + r * n, z_re, z_im, out + r);
    for (; r < rows; r++) weigh(1, n, w_re + r * n, w_im + r * n, z_re, z_im, out + r);
}

// How the forces at the nodes enter the poles: z = e z + in sum_k phi_k F_k.
typedef struct entry {
    const double *e_re, *e_im;     // NULL: 1
    const double *phi_re, *phi_im; // s x n
    const double *in_re, *in_im;   // NULL: 1
} entry;

// One contact.
INLINE void enter(int n, int s, const entry *from, const double *F, int stride, bool turn,
                  bool plain, double *restrict z_re, double *restrict z_im) {
    const entry c = *from; // nothing in it changes with the states
    v4 f[STAGES];
    for (int k = 0; k < s; k++) f[k] = ALL(F[k * stride]);
    for (int p = 0; p < n; p += 4) {
        v4 a = LOAD(c.phi_re + p) * f[0], b = LOAD(c.phi_im + p) * f[0];
        for (int k = 1; k < s; k++) {
            a += LOAD(c.phi_re + k * n + p) * f[k];
            b += LOAD(c.phi_im + k * n + p) * f[k];
        }
        v4 u = LOAD(z_re + p), v = LOAD(z_im + p);
        if (turn) {
            v4 g = LOAD(c.e_re + p), h = LOAD(c.e_im + p), w = u * g - v * h;
            v = u * h + v * g;
            u = w;
        }
        if (!plain) {
            v4 x = LOAD(c.in_re + p), y = LOAD(c.in_im + p), w = a * x - b * y;
            b = a * y + b * x;
            a = w;
        }
        u += a;
        v += b;
        STORE(z_re + p, u);
        STORE(z_im + p, v);
    }
}

CLONES static void enter_any(int n, int s, const entry *c, const double *F, int stride,
                             double *z_re, double *z_im) {
    if (c->e_re)
        enter(n, s, c, F, stride, true, !c->in_re, z_re, z_im);
    else
        enter(n, s, c, F, stride, false, !c->in_re, z_re, z_im);
}

CLONES static void enter_usual(int n, const entry *c, const double *F, double *z_re, double *z_im) {
    enter(n, USUAL, c, F, 1, true, true, z_re, z_im);
}

void jd_poles_step(const memory_plan *plan, const coefficients *t, const double *F, double *z_re,
                   double *z_im) {
    const poles *c = &plan->poles;
    entry in = {t->e_re, t->e_im, t->phi_re, t->phi_im, NULL, NULL};
    for (int j = 0; j < plan->m; j++) {
        in.in_re = c->plain ? NULL : c->in_re + j * c->n;
        in.in_im = c->in_im + j * c->n;
        enter_any(c->n, plan->nodes.s, &in, F + j, plan->m, z_re, z_im);
        in.e_re = NULL; // once
    }
}

void jd_poles_advance(memory *e) {
    const poles *c = &e->plan->poles;
    const coefficients *t = e->panel.coefficients;
    memory_state *to = &e->state;
    bool by_panel = c->plain && e->plan->usual && !e->run->repeats;
    if (c->plain && e->plan->nodes.s == USUAL) {
        entry in = {t->e_re, t->e_im, t->phi_re, t->phi_im, NULL, NULL};
        enter_usual(c->n, &in, e->panel.force, to->z_re, to->z_im);
    } else {
        jd_poles_step(e->plan, t, e->panel.force, to->z_re, to->z_im);
    }
    if (by_panel)
        *e->panel.by_poles = e->panel.velocity[USUAL - 1] - *c->gamma * e->panel.force[USUAL - 1] -
                             (e->plan->echo ? e->panel.echo->past[USUAL - 1] : 0);
    else
        jd_weigh_rows(e->plan->m, c->n, c->out_re, c->out_im, to->z_re, to->z_im,
                      e->panel.by_poles);
    e->panel.weighed = true;
}

void jd_poles_push(memory *e, int j, double P) {
    const poles *c = &e->plan->poles;
    for (int p = 0; p < c->used; p++) {
        e->state.z_re[p] += P * c->in_re[j * c->n + p];
        e->state.z_im[p] += P * c->in_im[j * c->n + p];
    }
    e->panel.weighed = false;
    jd_followed_push(e, j, P);
}

// Numbers of a place in a panel that all poles share.
typedef struct place {
    double power[STAGES + 1]; // c^r
    double per[STAGES + 1];   // r/h
    double scale[STAGES + 1]; // x c^r r!
} place;

static place place_at(int s, double x, double h) {
    place at = {.power = {1}, .scale = {x}};
    double c = x / h, factorial = 1;
    for (int r = 1; r <= s; r++) {
        factorial *= r;
        at.power[r] = at.power[r - 1] * c;
        at.per[r] = r / h;
        at.scale[r] = x * at.power[r] * factorial;
    }
    return at;
}

// Moments M_0..M_{s-1} at x of the four poles from p on.
INLINE void moments_of(int s, const poles *ch, int p, double x, const place *at, const double *e_re,
                       const double *e_im, v4 *m_re, v4 *m_im) {
    v4 a = LOAD(ch->re + p) * ALL(x), b = LOAD(ch->im + p) * ALL(x), size = a * a + b * b;
    i4 near = (i4)(size < ALL(1.0));
    v4 u = LOAD(ch->inv_re + p), v = LOAD(ch->inv_im + p);
    v4 f = LOAD(e_re + p) - ALL(1.0), g = LOAD(e_im + p), w = f * u - g * v;
    g = f * v + g * u;
    f = w;
    for (int r = 0; r < s; r++) {
        m_re[r] = f;
        m_im[r] = g;
        f = f * ALL(at->per[r + 1]) - ALL(at->power[r + 1]);
        g = g * ALL(at->per[r + 1]);
        w = f * u - g * v;
        g = f * v + g * u;
        f = w;
    }
    if (!(near[0] | near[1] | near[2] | near[3])) return;
    i4 far = (i4)(size >= ALL(1.0 / 16));
    int terms = far[0] | far[1] | far[2] | far[3] ? TERMS : FEW;
    f = ALL(jd_one_over_factorial[s + terms]), g = ALL(0.0);
    for (int k = s + terms - 1; k >= s; k--) {
        w = ALL(jd_one_over_factorial[k]) + (a * f - b * g);
        g = a * g + b * f;
        f = w;
    }
    for (int r = s - 1; r >= 0; r--) { // f, g: phi_{r+1}
        v4 scale = ALL(at->scale[r]);
        m_re[r] = (v4)(((i4)(f * scale) & near) | ((i4)m_re[r] & ~near));
        m_im[r] = (v4)(((i4)(g * scale) & near) | ((i4)m_im[r] & ~near));
        w = ALL(jd_one_over_factorial[r]) + (a * f - b * g);
        g = a * g + b * f;
        f = w;
    }
}

// Of all poles: s rows of n.
INLINE void moments_by(int s, const poles *c, double x, const place *at, const double *e_re,
                       const double *e_im, double *to_re, double *to_im) {
    v4 m_re[STAGES], m_im[STAGES];
    for (int p = 0; p < c->n; p += 4) {
        moments_of(s, c, p, x, at, e_re, e_im, m_re, m_im);
        for (int r = 0; r < s; r++) {
            STORE(to_re + r * c->n + p, m_re[r]);
            STORE(to_im + r * c->n + p, m_im[r]);
        }
    }
}

CLONES static void moments(const poles *c, int s, double x, double h, const double *e_re,
                           const double *e_im, double *m_re, double *m_im) {
    place at = place_at(s, x, h);
    if (s == USUAL)
        moments_by(USUAL, c, x, &at, e_re, e_im, m_re, m_im);
    else
        moments_by(s, c, x, &at, e_re, e_im, m_re, m_im);
}

// to = e z + sum_r p_r M_r(x): one contact whose force enters every pole as it is, four nodes.
CLONES static void move_usual(const poles *c, double x, double h, const double *p,
                              const double *e_re, const double *e_im, const double *z_re,
                              const double *z_im, double *restrict to_re, double *restrict to_im) {
    place at = place_at(USUAL, x, h);
    v4 m_re[USUAL], m_im[USUAL];
    for (int i = 0; i < c->n; i += 4) {
        v4 g = LOAD(e_re + i), d = LOAD(e_im + i), u = LOAD(z_re + i), v = LOAD(z_im + i);
        moments_of(USUAL, c, i, x, &at, e_re, e_im, m_re, m_im);
        v4 a = m_re[0] * ALL(p[0]), b = m_im[0] * ALL(p[0]);
        for (int r = 1; r < USUAL; r++) {
            a += m_re[r] * ALL(p[r]);
            b += m_im[r] * ALL(p[r]);
        }
        STORE(to_re + i, (u * g - v * d) + a);
        STORE(to_im + i, (u * d + v * g) + b);
    }
}

// phi_k = sum_r lagrange[k][r] M_r
INLINE void combine_by(int n, int s, const double (*lagrange)[STAGES], const double *m,
                       double *phi) {
    for (int k = 0; k < s; k++)
        for (int p = 0; p < n; p += 4) {
            v4 sum = ALL(lagrange[k][0]) * LOAD(m + p);
            for (int r = 1; r < s; r++) sum += ALL(lagrange[k][r]) * LOAD(m + r * n + p);
            STORE(phi + k * n + p, sum);
        }
}

CLONES static void combine(int n, int s, const double (*lagrange)[STAGES], const double *m,
                           double *phi) {
    if (s == USUAL)
        combine_by(n, USUAL, lagrange, m, phi);
    else
        combine_by(n, s, lagrange, m, phi);
}

// w = a b, complex, pole by pole.
CLONES static void product(int n, const double *a_re, const double *a_im, const double *b_re,
                           const double *b_im, double *w_re, double *w_im) {
    for (int p = 0; p < n; p += 4) {
        v4 a = LOAD(a_re + p), b = LOAD(a_im + p), c = LOAD(b_re + p), d = LOAD(b_im + p);
        STORE(w_re + p, a * c - b * d);
        STORE(w_im + p, a * d + b * c);
    }
}

jd_status jd_coefficients_take(const memory_plan *plan, coefficients *t) {
    int n = plan->poles.n, s = plan->nodes.s, rows = plan->rows;
    t->e_re = JD_TAKE(plan->arena, double, n);
    t->e_im = JD_TAKE(plan->arena, double, n);
    t->phi_re = JD_TAKE(plan->arena, double, s *n);
    t->phi_im = JD_TAKE(plan->arena, double, s *n);
    t->w_re = JD_TAKE(plan->arena, double, (s + 1) * rows * n);
    t->w_im = JD_TAKE(plan->arena, double, (s + 1) * rows * n);
    t->B = JD_TAKE(plan->arena, double, (s + 1) * rows * s * plan->m);
    t->across = JD_TAKE(plan->arena, double, s * plan->m * s * plan->m);
    return jd_arena_status(plan->arena);
}

// B of one node from the weights phi (s rows) of its place: rows x (s m).
static void set_block(const memory_plan *plan, coefficients_cache *cache, coefficients *t, int node,
                      const double *phi_re, const double *phi_im) {
    const poles *c = &plan->poles;
    int n = c->n, s = plan->nodes.s, m = plan->m;
    double *x_re = cache->weight_re, *x_im = cache->weight_im, value[STAGES];
    for (int r = 0; r < plan->rows; r++)
        for (int j = 0; j < m; j++) {
            product(n, c->out_re + r * n, c->out_im + r * n, c->in_re + j * n, c->in_im + j * n,
                    x_re, x_im);
            jd_weigh_rows(s, n, phi_re, phi_im, x_re, x_im, value);
            double *B = t->B + (node * plan->rows + r) * s * m + j;
            for (int k = 0; k < s; k++) B[k * m] = value[k];
            if (node < s && r < m) B[node * m] += c->gamma[r * m + j];
            for (int k = 0; node == s && r < m && k < s; k++) {
                double L = jd_polynomial(s - 1, plan->nodes.lagrange[k], plan->nodes.c[s]);
                B[k * m] += c->gamma[r * m + j] * L;
            }
        }
}

// Weights of the state in the velocity of a row: out e^{lambda x}; without a jump those of the
// contacts' rise since t0, out lambda M_0 = out (e^{lambda x} - 1), whose rounding shrinks with x:
// the force that keeps a contact stuck is a velocity over x.
static void set_weights(const memory_plan *plan, coefficients_cache *cache, coefficients *t,
                        int node, int r, const double *m_re, const double *m_im) {
    const poles *c = &plan->poles;
    int n = c->n;
    double *w_re = t->w_re + (node * plan->rows + r) * n,
           *w_im = t->w_im + (node * plan->rows + r) * n;
    bool rise = r < plan->m && !plan->jumps;
    if (rise) product(n, m_re, m_im, c->re, c->im, cache->weight_re, cache->weight_im);
    product(n, c->out_re + r * n, c->out_im + r * n, rise ? cache->weight_re : t->e_re,
            rise ? cache->weight_im : t->e_im, w_re, w_im);
}

void jd_coefficients_set(const memory_plan *plan, coefficients_cache *cache, coefficients *t,
                         double h) {
    const poles *c = &plan->poles;
    int n = c->n, s = plan->nodes.s;
    double *m_re = cache->moment_re, *m_im = cache->moment_im, *phi_re = cache->phi_re,
           *phi_im = cache->phi_im;
    t->h = h;
    for (int i = 0; i <= s; i++) {
        double x = plan->nodes.c[i] * h;
        plan->lanes->exponentials(n, c->re, c->im, x, t->e_re, t->e_im);
        moments(c, s, x, h, t->e_re, t->e_im, m_re, m_im);
        combine(n, s, (const double(*)[STAGES])plan->nodes.lagrange, m_re, phi_re);
        combine(n, s, (const double(*)[STAGES])plan->nodes.lagrange, m_im, phi_im);
        set_block(plan, cache, t, i, phi_re, phi_im);
        for (int r = 0; r < plan->rows; r++) set_weights(plan, cache, t, i, r, m_re, m_im);
        if (i != s - 1) continue;
        memcpy(t->phi_re, phi_re, (size_t)(s * n) * sizeof *phi_re);
        memcpy(t->phi_im, phi_im, (size_t)(s * n) * sizeof *phi_im);
    }
    plan->lanes->exponentials(n, c->re, c->im, h, t->e_re, t->e_im);
    for (int i = 0, N = s * plan->m; i < N; i++)
        for (int k = 0; k < N; k++)
            t->across[k * N + i] = t->B[(i / plan->m * plan->rows + i % plan->m) * N + k];
}

// Inverse of the rows of B that belong to contacts, column by column: kept coefficients serve
// often.
static jd_status invert(const memory_plan *plan, coefficients_cache *cache, coefficients *t) {
    int m = plan->m, n = plan->nodes.s * m;
    if (m > 2) return JD_OK;
    double *inverse = JD_TAKE(plan->arena, double, n *n);
    JD_TRY(jd_arena_status(plan->arena));
    for (int c = 0; c < n; c++) {
        double *A = cache->matrix, *b = cache->right_side;
        for (int i = 0; i < n; i++) {
            memcpy(A + i * n, t->B + (i / m * plan->rows + i % m) * n, (size_t)n * sizeof *A);
            b[i] = i == c;
        }
        if (!jd_eliminate(n, A, b)) return JD_OK;
        for (int i = 0; i < n; i++) inverse[i * n + c] = b[i];
    }
    t->inverse = inverse;
    return JD_OK;
}

// First rung 2^(-i/4) that is at most `part`, up to rounding.
static int rung_of(double part) {
    static const double root[] = {1, 0.8408964152537145, 0.7071067811865476, 0.5946035575013605,
                                  0.5};
    int twos, quarter = 0;
    if (part >= 1) return 0;
    double rest = 2 * frexp(part, &twos) * (1 + 1e-9); // from 1 to 2: part = rest 2^(twos - 1)
    while (quarter < 4 && rest * root[quarter + 1] >= 1) quarter++;
    int rung = 4 * (1 - twos) - quarter;
    return rung < 0 ? 0 : rung < LADDER ? rung : LADDER - 1;
}

jd_status jd_coefficients_at_most(const memory_plan *plan, coefficients_cache *cache, double h,
                                  const coefficients **out) {
    int rung = rung_of(h / plan->largest_step);
    if (!cache->ladder[rung]) {
        coefficients *t = JD_TAKE(plan->arena, coefficients, 1);
        JD_TRY(jd_arena_status(plan->arena));
        t->form = JD_TAKE(plan->arena, damping_form, 1);
        JD_TRY(jd_coefficients_take(plan, t));
        jd_coefficients_set(plan, cache, t, plan->largest_step * exp2(-rung / 4.0));
        JD_TRY(invert(plan, cache, t));
        JD_TRY(jd_rough_weights(plan, t));
        cache->ladder[rung] = t;
    }
    *out = cache->ladder[rung];
    return JD_OK;
}

void jd_poles_carry(const jd_simd *lanes, const poles *c, const pole_forces *by, double x, double h,
                    double *z_re, double *z_im) {
    lanes->exponentials(c->n, c->re, c->im, x, by->e_re, by->e_im);
    moments(c, by->s, x, h, by->e_re, by->e_im, by->m_re, by->m_im);
    entry in = {by->e_re, by->e_im, by->m_re, by->m_im, NULL, NULL};
    for (int j = 0; j < by->places; j++) {
        in.in_re = c->in_re + j * c->n;
        in.in_im = c->in_im + j * c->n;
        enter_any(c->n, by->s, &in, by->power + j * by->stride, 1, z_re, z_im);
        in.e_re = NULL; // once
    }
}

// Pole states, and the forces that enter them in a panel.
typedef struct entered {
    const double *z_re, *z_im, *F; // F: at its nodes
} entered;

// z(x) = e^{lambda x} z + in int_0^x e^{lambda (x - t)} F(t) dt, F as its polynomial; rise: less z,
// by e^{lambda x} - 1 = lambda M_0.
static void move_inside(memory *e, double x, bool rise, entered from) {
    const memory_plan *plan = e->plan;
    const poles *c = &plan->poles;
    memory_scratch *to = &e->scratch;
    int n = c->n, s = plan->nodes.s;
    double *m_re = to->moment_re, *m_im = to->moment_im, *e_re = to->factor_re,
           *e_im = to->factor_im;
    double h = e->panel.h > 0 ? e->panel.h : 1, p[STAGES + 1];
    plan->lanes->exponentials(n, c->re, c->im, x, e_re, e_im);
    if (x > 0) moments(c, s, x, h, e_re, e_im, m_re, m_im);
    if (rise) product(n, c->re, c->im, m_re, m_im, e_re, e_im);
    product(n, from.z_re, from.z_im, e_re, e_im, to->z_re, to->z_im);
    if (x <= 0) return;
    for (int j = 0; j < plan->m; j++) {
        jd_nodes_narrow(&plan->nodes, from.F + j, plan->m, p);
        entry in = {NULL, NULL, m_re, m_im, c->plain ? NULL : c->in_re + j * n, c->in_im + j * n};
        enter_any(n, s, &in, p, 1, to->z_re, to->z_im);
    }
}

// The motion itself.
static entered own(const memory *e) {
    return (entered){e->state.z_re, e->state.z_im, e->panel.force};
}

void jd_poles_inside(memory *e, double x) {
    const poles *c = &e->plan->poles;
    memory_scratch *to = &e->scratch;
    double p[STAGES + 1];
    if (!(x > 0 && c->plain && e->plan->nodes.s == USUAL)) {
        move_inside(e, x, false, own(e));
        return;
    }
    e->plan->lanes->exponentials(c->n, c->re, c->im, x, to->factor_re, to->factor_im);
    jd_nodes_narrow(&e->plan->nodes, e->panel.force, 1, p);
    move_usual(c, x, e->panel.h > 0 ? e->panel.h : 1, p, to->factor_re, to->factor_im,
               e->state.z_re, e->state.z_im, to->z_re, to->z_im);
}

void jd_poles_rise(memory *e, double x) { move_inside(e, x, true, own(e)); }

void jd_poles_move(memory *e, double x, const double *z_re, const double *z_im, const double *F) {
    move_inside(e, x, false, (entered){z_re, z_im, F});
}

// z = e^{lambda x} z0 + in sum_r p_r M_r(x), F = sum_r p_r (t/h)^r:
//   dz/dx = lambda z + in F(x),   dz/dh = -(in/h) sum_r r p_r M_r
void jd_poles_stretch(memory *e, double x, double dx, double dh) {
    const poles *c = &e->plan->poles;
    int n = c->n, s = e->plan->nodes.s;
    double p[STAGES + 1], bent[STAGES + 1];
    memory_scratch *to = &e->scratch;
    double *m_re = to->moment_re, *m_im = to->moment_im;
    move_inside(e, x, false, own(e)); // leaves the moments
    product(n, c->re, c->im, to->z_re, to->z_im, to->z_re, to->z_im);
    for (int i = 0; i < n; i++) {
        to->z_re[i] *= dx;
        to->z_im[i] *= dx;
    }
    for (int j = 0; j < e->plan->m; j++) {
        jd_nodes_narrow(&e->plan->nodes, e->panel.force + j, e->plan->m, p);
        double force =
            dx * (e->panel.h > 0 ? jd_polynomial(s - 1, p, x / e->panel.h) : e->state.force[j]);
        for (int i = 0; i < c->used; i++) {
            to->z_re[i] += c->in_re[j * n + i] * force;
            to->z_im[i] += c->in_im[j * n + i] * force;
        }
        if (x <= 0 || dh == 0) continue;
        for (int r = 0; r < s; r++) bent[r] = -dh * r * p[r] / e->panel.h;
        entry in = {NULL, NULL, m_re, m_im, c->plain ? NULL : c->in_re + j * n, c->in_im + j * n};
        enter_any(n, s, &in, bent, 1, to->z_re, to->z_im);
    }
}
