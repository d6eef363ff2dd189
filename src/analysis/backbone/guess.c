// guess.c -- a mode at an amplitude: contacts as their springs, or sliding.
//   (Omega^2 + sum_j kt_j w_j w_j') phi = omega^2 phi with springs stuck; without them where they
//   slide. q = 0, q' = omega a phi/(W phi) at the start; forces of springs follow. Rate: damping of
//   the mode, and 4 R_j (a_j - R_j/kt_j) per cycle over pi omega |q|^2 of each contact that slides.
#include <math.h>
#include <string.h>

#include "analysis/backbone/backbone.h"
#include "contact/element.h"
#include "contact/law.h"
#include "linalg/eigen.h"

typedef struct spring {
    const jd_dd *row;
    double k, limit;
} spring;

static jd_status spring_of(jd_backbone *k, jd_arena *arena, int j, spring *out) {
    const jd_contact_def *c = jd_problem_contact(k->problem, j)->def;
    jd_element e;
    JD_TRY(jd_law_element_of(arena, &c->law, &e));
    *out = (spring){.row = jd_problem_system(k->problem)->contact[j]};
    for (int i = 0; i < e.sliders && e.source == JD_NORMAL_GIVEN; i++) {
        out->k += e.stiffness[i];
        out->limit += e.limit[i];
    }
    return JD_OK;
}

static double along(int n, const jd_dd *row, const double *x) {
    double sum = 0;
    for (int l = 0; l < n; l++) sum += row[l].hi * x[l];
    return sum;
}

// Mode number `mode` of the stiffness with stuck springs into phi, |phi| = 1; its frequency.
static jd_status mode_of(jd_backbone *k, jd_arena *arena, bool stuck, double *phi, double *omega) {
    const jd_modal *y = &jd_problem_system(k->problem)->modal;
    int n = y->n;
    double *K = JD_TAKE(arena, double, n *n), *M = JD_TAKE(arena, double, n *n);
    double *lambda = JD_TAKE(arena, double, n), *vector = JD_TAKE(arena, double, n *n),
           *error = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(arena));
    for (int l = 0; l < n; l++) {
        K[l * n + l] = y->omega2[l].hi;
        M[l * n + l] = 1;
    }
    for (int j = 0; stuck && j < jd_problem_contacts(k->problem); j++) {
        spring s;
        JD_TRY(spring_of(k, arena, j, &s));
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++) K[a * n + b] += s.k * s.row[a].hi * s.row[b].hi;
    }
    JD_TRY(jd_eigen_dense(arena, n, K, M, n, lambda, vector, error));
    memcpy(phi, vector + (size_t)(k->def->mode - 1) * (size_t)n, (size_t)n * sizeof *phi);
    *omega = sqrt(fmax(lambda[k->def->mode - 1], 0));
    return JD_OK;
}

// What the contacts lose per cycle, where they slide.
static jd_status losses(jd_backbone *k, jd_arena *arena, const double *q, double *out) {
    *out = 0;
    for (int j = 0; j < jd_problem_contacts(k->problem); j++) {
        spring s;
        JD_TRY(spring_of(k, arena, j, &s));
        double a = fabs(along(k->modes, s.row, q)) - (s.k > 0 ? s.limit / s.k : 0);
        if (a > 0) *out += 4 * s.limit * a;
    }
    return JD_OK;
}

// Forces of springs and contact states at the start, where the mode passes 0 with q'.
static jd_status put_contacts(jd_backbone *k, jd_arena *arena, bool stuck, double *s,
                              jd_phase *phase) {
    int at = 2 * k->modes;
    *phase = (jd_phase){.n = jd_problem_contacts(k->problem)};
    for (int j = 0; j < phase->n; j++) {
        const jd_contact_def *c = jd_problem_contact(k->problem, j)->def;
        jd_element e;
        JD_TRY(jd_law_element_of(arena, &c->law, &e));
        double v = along(k->modes, jd_problem_system(k->problem)->contact[j], s + k->modes);
        bool slides = e.sliders > 0 && (!stuck || !(e.stiffness[0] > 0));
        phase->of[j] = e.sliders == 0 ? JD_CONTACT_OPEN
                       : slides       ? jd_contact_sliding(v > 0 ? 1 : -1)
                                      : JD_CONTACT_STUCK;
        for (int i = 0; i < e.sliders; i++)
            if (e.stiffness[i] > 0 && at < k->n)
                s[at++] = slides ? (v > 0 ? 1 : -1) * e.limit[i] : 0;
    }
    return JD_OK;
}

jd_status jd_backbone_guess(jd_backbone *k, double amplitude, bool stuck, backbone_motion *out) {
    jd_arena *arena = jd_arena_create(k->context);
    const jd_modal *y = &jd_problem_system(k->problem)->modal;
    double *phi = arena ? JD_TAKE(arena, double, k->modes) : NULL, omega = 0, loss = 0, at = 0;
    jd_status status = phi ? mode_of(k, arena, stuck, phi, &omega) : JD_OUT_OF_MEMORY;
    for (int l = 0; status == JD_OK && l < k->modes; l++) at += k->row[l] * phi[l];
    if (status == JD_OK && !(omega > 0 && fabs(at) > 0)) {
        jd_fail(k->context, JD_NOT_SUPPORTED, "mode %d does not move `%s`, or is rigid",
                k->def->mode, k->view.at);
        jd_fail_where(k->context, "backbone.at");
        status = JD_NOT_SUPPORTED;
    }
    double c = 0, size = status == JD_OK ? amplitude / at : 0;
    for (int l = 0; status == JD_OK && l < k->modes; l++) {
        phi[l] *= size; // the largest q
        out->s[l] = 0;
        out->s[k->modes + l] = omega * phi[l];
        for (int r = 0; y->C && r < k->modes; r++)
            c += phi[l] * y->C[l * k->modes + r] * phi[r] / (size * size);
        if (!y->C) c += y->c[l] * phi[l] * phi[l] / (size * size);
    }
    if (status == JD_OK && !stuck) status = losses(k, arena, phi, &loss);
    if (status == JD_OK) status = put_contacts(k, arena, stuck, out->s, &out->phase);
    if (status == JD_OK) {
        out->period = 2 * acos(-1.0) / omega;
        out->rate = c + loss / (acos(-1.0) * omega * size * size);
        out->speed = omega * amplitude;
        *(stuck ? &k->view.stuck : &k->view.free) = omega;
    }
    if (arena) jd_arena_free(arena);
    return status;
}
