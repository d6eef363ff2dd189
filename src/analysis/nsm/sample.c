// sample.c -- orbits picked along a branch, for tables and pictures.
//   A branch that grazes: Chebyshev points, closer together towards both ends. One whose energy
//   grows without bound, E ~ 1/(omega_end - omega)^2: half the points by falling powers of ten of
//   the distance to that end, so that they are evenly spread in log E.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/nsm/nsm.h"
#include "base/constants.h"
#include "problem/system.h"

static const double pi = JD_PI;
static const double nearest = 1e-4; // of the branch: E is 1e6 to 1e8 times its start there

static double share(jd_nsm_end end, int i, int n) {
    if (end == JD_NSM_GRAZE) return 0.5 - 0.5 * cos(pi * (i + 0.5) / n);
    int half = n / 2;
    if (i < half) return 0.9 * (0.5 - 0.5 * cos(pi * (i + 0.5) / half));
    double x = n - half > 1 ? (double)(i - half) / (n - half - 1) : 1;
    return 1 - 0.1 * pow(nearest / 0.1, x);
}

void jd_nsm_points(const jd_nsm *s, int branch, int n, double *omega) {
    const jd_nsm_branch *b = &s->found.branch[branch];
    for (int i = 0; i < n; i++)
        omega[i] = b->omega_start + share(b->end, i, n) * (b->omega_end - b->omega_start);
}

bool jd_nsm_stable(const jd_nsm *s, int branch, double omega, bool *stable) {
    const jd_nsm_branch *b = &s->found.branch[branch];
    for (int i = 0; i < b->n_interval; i++)
        if (omega <= b->interval[i].to || i == b->n_interval - 1) {
            *stable = b->interval[i].stable;
            return true;
        }
    return false;
}

// q_j = m row_j/omega_j Re z_j, q_j' = -m row_j Im z_j with z_j = sum_l p_l e^{i omega_j (d_l -
// T/2)}/sin(omega_j T/2), d_l the time since impact l.
void jd_nsm_family_state(const jd_nsm *s, const jd_nsm_family *f, int at, double *q, double *rate) {
    int n = jd_problem_system(s->problem)->modal.n;
    double T = 2 * pi / f->omega[at];
    const double *t = f->time + at * f->impacts, *p = f->impulse + at * f->impacts;
    for (int k = 0; k < n; k++) {
        int j = s->modes.member[k];
        q[k] = rate[k] = 0;
        if (j < 0) continue;
        double o = s->modes.omega[j], re = 0, im = 0,
               share_of = s->mass * s->modes.row[k] / sin(o * T / 2);
        for (int l = 0; l < f->impacts; l++) {
            double d = l > 0 ? T - t[l] : 0;
            re += p[l] * cos(o * (d - T / 2));
            im += p[l] * sin(o * (d - T / 2));
        }
        q[k] = share_of * re / o;
        rate[k] = -share_of * im;
    }
}

// u = sum_k B_k q_k(t), with q_k = p_k cos(omega_k (t - T/2))/(omega_k sin(omega_k T/2)), p_k = v m
// row_k.
jd_status jd_nsm_trace(const jd_nsm *s, double omega, const char *point, int n, double *u,
                       double *v) {
    const jd_system *system = jd_problem_system(s->problem);
    double T = 2 * pi / omega, speed = jd_nsm_speed(s, omega);
    jd_arena *arena = jd_arena_create(s->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_dd *row = JD_TAKE(arena, jd_dd, system->modal.n);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK && point) status = jd_problem_row(s->problem, point, row);
    for (int i = 0; status == JD_OK && i < n; i++) {
        double t = T * i / (n - 1);
        u[i] = v[i] = 0;
        for (int k = 0; k < system->modal.n; k++) {
            int j = s->modes.member[k];
            if (j < 0) continue;
            double o = s->modes.omega[j], B = point ? row[k].hi : s->modes.row[k];
            double share_of = B * speed * s->mass * s->modes.row[k] / sin(o * T / 2);
            u[i] += share_of * cos(o * (t - T / 2)) / o;
            v[i] -= share_of * sin(o * (t - T / 2));
        }
    }
    jd_arena_free(arena);
    return status;
}

double jd_nsm_pick_omega(const jd_nsm *s, jd_nsm_pick pick) {
    return pick.branch >= 0 ? pick.omega : s->found.sustained[pick.sustained].omega;
}

double jd_nsm_pick_energy(const jd_nsm *s, jd_nsm_pick pick) {
    return pick.branch >= 0 ? jd_nsm_energy(s, pick.omega)
                            : s->found.sustained[pick.sustained].energy;
}

void jd_nsm_pick_name(const jd_nsm *s, jd_nsm_pick pick, char *text, int size) {
    if (pick.branch < 0) {
        snprintf(text, (size_t)size, "orbit s%d, ω = %.9g, that rests on the stop",
                 pick.sustained + 1, jd_nsm_pick_omega(s, pick));
        return;
    }
    const jd_nsm_branch *b = &s->found.branch[pick.branch];
    char name[40];
    snprintf(name, sizeof name, b->divisor > 1 ? "ω%d/%d" : "ω%d", b->mode, b->divisor);
    snprintf(text, (size_t)size, "orbit of ω = %.9g on branch %s", pick.omega, name);
}

jd_status jd_nsm_pick_trace(const jd_nsm *s, jd_nsm_pick pick, const char *point, int n, double *u,
                            double *v, double *force) {
    if (pick.branch < 0) return jd_nsm_sustained_trace(s, pick.sustained, point, n, u, v, force);
    if (force) memset(force, 0, (size_t)n * sizeof *force);
    return jd_nsm_trace(s, pick.omega, point, n, u, v);
}
