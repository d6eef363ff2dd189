// poles.c -- where the poles of a fit lie, and the frequencies at which it is made.
//   modes k <= K, which are more than Delta apart: as they are
//   on the ray of each body, from omega_K on: logarithms Delta apart, closer at the beginning, as
//     charge gathers at the edge of a plate; to where the shortest echo has faded
//   pairs on a ray far off the axis, and real poles, over a wide range
//   Rayleigh damping: modes lie on a circle through 0 and -2/b, sin h = (a/omega + b omega)/2, then
//     on the real axis: Delta grows along it; the response of a contact before waves come back is a
//     cut of its own (fit/cut.c)
//   Overdamped bodies (D > 1) have two rays on the negative real axis, and real poles alone.
#include <math.h>

#include "base/clones.h"
#include "base/constants.h"
#include "base/lanes.h"
#include "kernel/continua/continua.h"
#include "kernel/fit/parts.h"

static const double pi = JD_PI;
static const double ray = 2.3;      // [rad] direction of the pairs far off the axis
static const double first_at = 0.5; // of |s_K|: where they begin
static const double spread = 2e3;   // how far they reach beyond the last pole on a ray
static const double edge = 0.7, edge_width = 3;
enum { MOST_KEPT = 1000 };
static const double decades = 5; // of samples beyond the last pole on a ray

// Shortest way between two points of places over the ends, or to another point [m].
static double shortest_way(const jd_family *f, int n_contact) {
    double least = 2 * f->length;
    for (int i = 0; i < n_contact; i++)
        for (int j = 0; j < f->n_place; j++)
            for (int p = 0; p < f->place[i].n; p++)
                for (int q = 0; q < f->place[j].n; q++) {
                    double x = f->place[i].point[p].x, y = f->place[j].point[q].x;
                    const double way[] = {fabs(x - y), x + y, 2 * f->length - x - y};
                    for (int k = 0; k < 3; k++)
                        if (way[k] > 1e-9 * f->length) least = fmin(least, way[k]);
                }
    return least;
}

// One body: modes kept, and the poles on its ray (with Rayleigh damping: on its circle).
typedef struct ray_plan {
    const jd_family *body;
    int kept;
    double first, last, top; // [rad/s]: lowest mode, last mode kept, end of the ray
    double far;              // ln(1/epsilon)
    double end;              // with Rayleigh damping: up to where real poles are wanted; else 0
} ray_plan;

static double ratio_at(const jd_family *f, double omega) {
    return f->rayleigh ? (f->mass / omega + f->slope * omega) / 2 : f->ratio;
}

// Delta at omega.
static double step_at(const ray_plan *p, double omega) {
    double D = ratio_at(p->body, omega);
    return 2 * pi * (D < 1 ? asin(D) : pi / 2) / p->far;
}

static int first_kept(const ray_plan *p) {
    const jd_family *f = p->body;
    if (!f->rayleigh) return (int)fmax(ceil(1 / step_at(p, 1)), f->n_own) + 1;
    int k = 1; // omega_1/omega > Delta(omega), which grows with omega
    while (k < MOST_KEPT && p->first > step_at(p, jd_wave_omega(f, k)) * jd_wave_omega(f, k)) k++;
    return k + 2;
}

static ray_plan plan_ray(const jd_response *r, int body, const fit_plan *plan) {
    const jd_family *f = &r->family[body];
    ray_plan p = {.body = f, .far = -log(plan->epsilon), .first = jd_wave_omega(f, 0)};
    if (p.first == 0) p.first = jd_wave_omega(f, 1);
    double D = f->ratio, faded = plan->reach * p.far,
           way = shortest_way(f, r->n_contact) / f->speed;
    p.kept = first_kept(&p);
    p.last = jd_wave_omega(f, p.kept - 1);
    if (!f->rayleigh) {
        p.top = D < 1 ? fmax(faded / (D * way), p.last) : p.last;
        return p;
    }
    // an echo d fades as e^{-b omega^2 d/2}; |Ghat| over gamma is epsilon at omega = epsilon^-2/b
    p.top = fmax(fmin(sqrt(2 * faded / (f->slope * way)), 2 / f->slope), p.last);
    p.end = exp(2 * p.far) / f->slope;
    return p;
}

// Frequencies of the poles on a ray; counts only when `to` is NULL.
static int walk(const ray_plan *p, double *to) {
    int n = 0;
    for (double omega = p->last; omega < p->top;) {
        double step = step_at(p, omega), x = log(omega / p->last) / step;
        omega *= 1 + step * (1 - edge * exp(-x / edge_width));
        if (to) to[n] = omega;
        n++;
    }
    return n;
}

// Poles of a mode at omega: one of a pair, or the slow one of two real ones.
static void pole_at(const jd_family *f, double omega, double *re, double *im) {
    double D = ratio_at(f, omega), root = sqrt(fabs((1 - D) * (1 + D)));
    *re = D < 1 ? -D * omega : -omega / (D + root);
    *im = D < 1 ? root * omega : 0;
}

static int real_count(const jd_response *r, const fit_plan *plan) {
    bool overdamped = false;
    for (int b = 0; b < r->n_body; b++) {
        const jd_family *f = &r->family[b];
        overdamped = overdamped || (f->kind == JD_FAMILY_WAVE && (f->ratio > 1 || f->rayleigh));
    }
    return overdamped ? plan->extra + (int)(-2.5 * log10(plan->epsilon)) + 8 : plan->extra;
}

double jd_fit_count(const jd_response *r, const fit_plan *plan) {
    double n = plan->extra + real_count(r, plan);
    for (int b = 0; b < r->n_body; b++) {
        if (r->family[b].kind != JD_FAMILY_WAVE) continue; // modes as they are
        ray_plan p = plan_ray(r, b, plan);
        n += p.kept + 3;
        n += r->family[b].rayleigh ? walk(&p, NULL)
                                   : log(fmax(p.top / p.last, 1)) / step_at(&p, p.last);
    }
    return n;
}

static jd_status take(fit_draft *w, int n) {
    jd_fit *f = w->fit;
    int right = w->m * w->places;
    f->n = n;
    f->re = JD_TAKE(w->arena, double, n);
    f->im = JD_TAKE(w->arena, double, n);
    f->residue_re = JD_TAKE(w->arena, double, right *n);
    f->residue_im = JD_TAKE(w->arena, double, right *n);
    return jd_arena_status(w->arena);
}

// Modes with their residues of G', s_p times those of G.
static void keep_modes(fit_draft *w, const jd_response_poles *modal) {
    jd_fit *f = w->fit;
    f->kept = modal->n;
    for (int b = 0; b < w->response->n_body; b++)
        f->soft = fmax(f->soft, 100 * jd_family_soft(&w->response->family[b]));
    for (int p = 0; p < modal->n; p++) {
        f->re[p] = modal->re[p];
        f->im[p] = modal->im[p];
        for (int i = 0; i < w->m * w->places; i++) {
            double a = modal->residue_re[i * modal->n + p], b = modal->residue_im[i * modal->n + p];
            f->residue_re[i * f->n + p] = a * f->re[p] - b * f->im[p];
            f->residue_im[i * f->n + p] = a * f->im[p] + b * f->re[p];
        }
    }
}

static void add_far(fit_draft *w, int at, int n, double far) {
    double begin = first_at * w->low, range = spread * far / begin;
    for (int i = 0; i < n; i++) {
        double size = begin * pow(range, n > 1 ? (double)i / (n - 1) : 0);
        bool real = at + n == w->fit->n;
        w->fit->re[at + i] = real ? -size : size * cos(ray);
        w->fit->im[at + i] = real ? 0 : size * sin(ray);
    }
}

// Frequency of an overdamped mode over that of its slow pole; 1: not overdamped.
static double slowness(const jd_family *f, double omega) {
    double D = ratio_at(f, omega);
    return D < 1 ? 1 : D + sqrt((D - 1) * (D + 1));
}

jd_status jd_fit_set_poles(fit_draft *w, const fit_plan *plan) {
    const jd_response *r = w->response;
    jd_response_poles modal;
    int most = 0, n = 0, n_real = real_count(r, plan);
    double far = 0;
    ray_plan *p = JD_TAKE(w->arena, ray_plan, r->n_body);
    JD_TRY(jd_arena_status(w->arena));
    w->low = w->first = w->step = HUGE_VAL;
    w->top = w->end = 0;
    for (int b = 0; b < r->n_body; b++) most = (int)fmax(most, plan_ray(r, b, plan).kept);
    for (int b = 0; b < r->n_body; b++) {
        const jd_family *f = &r->family[b];
        p[b] = plan_ray(r, b, plan);
        p[b].last = jd_wave_omega(f, most - 1);
        p[b].top = fmax(p[b].top, p[b].last);
        n += walk(&p[b], NULL);
        w->first = fmin(w->first, p[b].first / slowness(f, p[b].first));
        w->low = fmin(w->low, p[b].last / slowness(f, p[b].last));
        w->top = fmax(w->top, p[b].top);
        w->end = fmax(w->end, p[b].end);
        far = fmax(far, p[b].top * slowness(f, p[b].top));
        w->step = fmin(w->step, step_at(&p[b], p[b].last));
    }
    JD_TRY(jd_response_poles_of(r, most, w->arena, &modal));
    int cut = jd_fit_cut_poles(r, plan);
    JD_TRY(take(w, modal.n + cut + n + plan->extra + n_real));
    keep_modes(w, &modal);
    JD_TRY(jd_fit_set_cut(w, plan));
    int at = w->fit->kept;
    for (int b = 0; b < r->n_body; b++) {
        int count = walk(&p[b], w->fit->re + at);
        for (int i = at; i < at + count; i++)
            pole_at(p[b].body, w->fit->re[i], &w->fit->re[i], &w->fit->im[i]);
        at += count;
    }
    add_far(w, at, plan->extra, far);
    add_far(w, at + plan->extra, n_real, far);
    return JD_OK;
}

jd_status jd_fit_set_grid(fit_draft *w) {
    enum { BELOW = 12, AMONG = 60, ABOVE = 72 };
    double step = fmin(w->step, 0.2) / 3, end = 2 * w->top;
    int above = w->end > 0 ? 4 * ABOVE : ABOVE;
    int n = BELOW + AMONG + above + (int)(log(end / w->low) / log1p(step)) + 2;
    w->omega = JD_TAKE(w->arena, double, n);
    JD_TRY(jd_arena_status(w->arena));
    n = 0;
    for (int i = 0; i < BELOW; i++) w->omega[n++] = w->first * pow(10, -3 + 3.0 * i / BELOW);
    for (int i = 0; i < AMONG; i++) w->omega[n++] = w->first + (w->low - w->first) * i / AMONG;
    for (double omega = w->low; omega < end; omega *= 1 + step) w->omega[n++] = omega;
    double range = fmax(decades, log10(100 * w->end / end)); // samples a pole on the real axis: 3
    for (int i = 1; i <= above; i++) w->omega[n++] = end * pow(10, range * i / above);
    w->n_omega = n;
    return JD_OK;
}

// 1/(i w - s) = (-a - i(w - b))/(a^2 + (w - b)^2), s = a + i b; half of it and of that of the other
// pole of the pair. A real pole is its own pair.
void jd_fit_basis(const jd_fit *f, int p, double omega, double by_re[2], double by_im[2]) {
    double a = f->re[p], b = f->im[p], up = omega - b, down = omega + b;
    double nu = 0.5 / (a * a + up * up), nd = 0.5 / (a * a + down * down);
    by_re[0] = -a * (nu + nd), by_re[1] = -(up * nu + down * nd);
    by_im[0] = up * nu - down * nd, by_im[1] = a * (nd - nu);
}

// The same over four poles at a time.
JD_CLONES("avx2")
static void sum_poles(const jd_fit *f, int n, const double *c_re, const double *c_im, double omega,
                      double out[2]) {
    v4 re = ALL(0.0), im = ALL(0.0);
    for (int p = 0; p < n; p += 4) {
        v4 a = LOAD(f->re + p), b = LOAD(f->im + p), up = ALL(omega) - b, down = ALL(omega) + b;
        v4 nu = ALL(0.5) / (a * a + up * up), nd = ALL(0.5) / (a * a + down * down);
        v4 c = LOAD(c_re + p), d = LOAD(c_im + p);
        re += d * (up * nu - down * nd) - c * a * (nu + nd);
        im += d * a * (nd - nu) - c * (up * nu + down * nd);
    }
    out[0] = (re[0] + re[1]) + (re[2] + re[3]);
    out[1] = (im[0] + im[1]) + (im[2] + im[3]);
}

void jd_fit_value(const jd_fit *f, int pair, double omega, double out[2]) {
    const double *c_re = f->residue_re + pair * f->n, *c_im = f->residue_im + pair * f->n;
    int four = f->n / 4 * 4;
    sum_poles(f, four, c_re, c_im, omega, out);
    for (int p = four; p < f->n; p++) {
        double r[2], i[2];
        jd_fit_basis(f, p, omega, r, i);
        out[0] += c_re[p] * r[0] + c_im[p] * i[0];
        out[1] += c_re[p] * r[1] + c_im[p] * i[1];
    }
}

jd_status jd_fit_sample(const fit_draft *w, double omega, double *out) {
    const double *gamma = jd_fit_jump(w), s[2] = {0, omega};
    JD_TRY(jd_response_transfer(w->response, s, out));
    for (int i = 0; i < w->m * w->places; i++) out[2 * i] -= gamma[i];
    return JD_OK;
}
