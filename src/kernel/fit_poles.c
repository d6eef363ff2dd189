// fit_poles.c -- where the poles of a fit lie, and the frequencies at which it is made.
//   modes k <= K, which are more than Delta apart: as they are
//   on the ray of each body, from omega_K on: logarithms Delta apart, closer at the beginning, as
//     charge gathers at the edge of a plate; to where the shortest echo has faded
//   pairs on a ray far off the axis, and real poles, over a wide range
//   Overdamped bodies (D > 1) have two rays on the negative real axis, and real poles alone.
#include <math.h>

#include "kernel/fit_work.h"

static const double pi = 3.14159265358979323846;
static const double ray = 2.3;      // [rad] direction of the pairs far off the axis
static const double first_at = 0.5; // of |s_K|: where they begin
static const double spread = 2e3;   // how far they reach beyond the last pole on a ray
static const double edge = 0.7, edge_width = 3;
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

// One body: modes kept, and the poles on its ray.
typedef struct ray_plan {
    int kept;
    double first, last, top; // [rad/s]: lowest mode, last mode kept, end of the ray
    double step;             // Delta
} ray_plan;

static ray_plan plan_ray(const jd_response *r, int body, const fit_plan *plan) {
    const jd_family *f = &r->family[body];
    double D = f->ratio, far = -log(plan->epsilon), h = D < 1 ? asin(D) : pi / 2;
    ray_plan p = {.step = 2 * pi * h / far, .first = jd_wave_omega(f, 0)};
    if (p.first == 0) p.first = jd_wave_omega(f, 1);
    p.kept = (int)fmax(ceil(1 / p.step), f->n_own) + 1;
    p.last = jd_wave_omega(f, p.kept - 1);
    p.top = plan->reach * far * f->speed / (fmin(D, 1) * shortest_way(f, r->n_contact));
    p.top = D < 1 ? fmax(p.top, p.last) : p.last;
    return p;
}

// Frequencies of the poles on a ray; counts only when `to` is NULL.
static int walk(const ray_plan *p, double *to) {
    int n = 0;
    for (double omega = p->last; omega < p->top;) {
        double x = log(omega / p->last) / p->step;
        omega *= 1 + p->step * (1 - edge * exp(-x / edge_width));
        if (to) to[n] = omega;
        n++;
    }
    return n;
}

static int real_count(const jd_response *r, const fit_plan *plan) {
    double most = 0;
    for (int b = 0; b < r->n_body; b++)
        if (r->family[b].kind == JD_FAMILY_WAVE) most = fmax(most, r->family[b].ratio);
    return most < 1 ? plan->extra : plan->extra + (int)(-2.5 * log10(plan->epsilon)) + 8;
}

double fit_count(const jd_response *r, const fit_plan *plan) {
    double n = plan->extra + real_count(r, plan);
    for (int b = 0; b < r->n_body; b++) {
        if (r->family[b].kind != JD_FAMILY_WAVE) continue; // modes as they are
        ray_plan p = plan_ray(r, b, plan);
        n += p.kept + 3 + log(fmax(p.top / p.last, 1)) / p.step;
    }
    return n;
}

static jd_status take(fit_work *w, int n) {
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
static void keep_modes(fit_work *w, const jd_response_poles *modal) {
    jd_fit *f = w->fit;
    f->kept = modal->n;
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

static void add_far(fit_work *w, int at, int n, double far) {
    double begin = first_at * w->low, range = spread * far / begin;
    for (int i = 0; i < n; i++) {
        double size = begin * pow(range, n > 1 ? (double)i / (n - 1) : 0);
        bool real = at + n == w->fit->n;
        w->fit->re[at + i] = real ? -size : size * cos(ray);
        w->fit->im[at + i] = real ? 0 : size * sin(ray);
    }
}

jd_status fit_set_poles(fit_work *w, const fit_plan *plan) {
    const jd_response *r = w->response;
    jd_response_poles modal;
    int most = 0, n = 0, n_real = real_count(r, plan);
    double far = 0;
    ray_plan *p = JD_TAKE(w->arena, ray_plan, r->n_body);
    JD_TRY(jd_arena_status(w->arena));
    w->low = w->first = w->step = HUGE_VAL;
    w->top = 0;
    for (int b = 0; b < r->n_body; b++) most = (int)fmax(most, plan_ray(r, b, plan).kept);
    for (int b = 0; b < r->n_body; b++) {
        const jd_family *f = &r->family[b];
        p[b] = plan_ray(r, b, plan);
        p[b].last = jd_wave_omega(f, most - 1);
        p[b].top = fmax(p[b].top, p[b].last);
        n += walk(&p[b], NULL);
        double slow = f->ratio < 1 ? 1 : f->ratio + sqrt((f->ratio - 1) * (f->ratio + 1));
        w->first = fmin(w->first, p[b].first / slow);
        w->low = fmin(w->low, p[b].last / slow);
        w->top = fmax(w->top, p[b].top);
        far = fmax(far, p[b].top * slow);
        w->step = fmin(w->step, p[b].step);
    }
    JD_TRY(jd_response_poles_of(r, most, w->arena, &modal));
    JD_TRY(take(w, modal.n + n + plan->extra + n_real));
    keep_modes(w, &modal);
    int at = modal.n;
    for (int b = 0; b < r->n_body; b++) {
        double D = r->family[b].ratio, root = sqrt(fmax(0, (1 - D) * (1 + D)));
        int count = walk(&p[b], w->fit->re + at);
        for (int i = at; i < at + count; i++) {
            w->fit->im[i] = root * w->fit->re[i];
            w->fit->re[i] *= -D;
        }
        at += count;
    }
    add_far(w, at, plan->extra, far);
    add_far(w, at + plan->extra, n_real, far);
    return JD_OK;
}

jd_status fit_set_grid(fit_work *w) {
    enum { BELOW = 12, AMONG = 60, ABOVE = 72 };
    double step = fmin(w->step, 0.2) / 3, end = 2 * w->top;
    int n = BELOW + AMONG + ABOVE + (int)(log(end / w->low) / log1p(step)) + 2;
    w->omega = JD_TAKE(w->arena, double, n);
    JD_TRY(jd_arena_status(w->arena));
    n = 0;
    for (int i = 0; i < BELOW; i++) w->omega[n++] = w->first * pow(10, -3 + 3.0 * i / BELOW);
    for (int i = 0; i < AMONG; i++) w->omega[n++] = w->first + (w->low - w->first) * i / AMONG;
    for (double omega = w->low; omega < end; omega *= 1 + step) w->omega[n++] = omega;
    for (int i = 1; i <= ABOVE; i++) w->omega[n++] = end * pow(10, decades * i / ABOVE);
    w->n_omega = n;
    return JD_OK;
}

void fit_basis(const jd_fit *f, int p, double omega, double by_re[2], double by_im[2]) {
    double a = f->re[p], b = f->im[p], up = omega - b, down = omega + b;
    double nu = a * a + up * up, nd = a * a + down * down; // 1/(i w - s) = (-a - i(w - b))/nu
    if (b == 0) {
        by_re[0] = -a / nu, by_re[1] = -omega / nu;
        by_im[0] = by_im[1] = 0;
        return;
    }
    by_re[0] = -a / (2 * nu) - a / (2 * nd), by_re[1] = -up / (2 * nu) - down / (2 * nd);
    by_im[0] = up / (2 * nu) - down / (2 * nd), by_im[1] = -a / (2 * nu) + a / (2 * nd);
}

void fit_value(const jd_fit *f, int pair, double omega, double out[2]) {
    out[0] = out[1] = 0;
    for (int p = 0; p < f->n; p++) {
        double r[2], i[2], a = f->residue_re[pair * f->n + p], b = f->residue_im[pair * f->n + p];
        fit_basis(f, p, omega, r, i);
        out[0] += a * r[0] + b * i[0];
        out[1] += a * r[1] + b * i[1];
    }
}

jd_status fit_sample(const fit_work *w, double omega, double *out) {
    const double *gamma = jd_response_jump(w->response), s[2] = {0, omega};
    JD_TRY(jd_response_transfer(w->response, s, out));
    for (int i = 0; i < w->m * w->places; i++) out[2 * i] -= gamma[i];
    return JD_OK;
}
