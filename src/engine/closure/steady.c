// steady.c -- steady states of one side of a model, their stability, and where it is lost.
//   f(x) = 0 by Newton's method; x' = J x near it; Hopf: max Re(eigenvalue) = 0
#include <math.h>
#include <string.h>

#include "engine/closure/closure.h"
#include "linalg/general.h"

enum { MOST = 64, STEPS = 60 };

static double size_of(int n, const double *x) {
    double s = 0;
    for (int i = 0; i < n; i++) s = fmax(s, fabs(x[i]));
    return s;
}

static jd_status newton(closure *e, jd_steady *out) {
    const radau_field f = {e, jd_closure_rate};
    int n = e->state.nx;
    double J[MOST * MOST], b[MOST], work[5 * MOST];
    int pivot[MOST];
    memset(e->state.x, 0, (size_t)n * sizeof *e->state.x);
    for (int i = 0; i < STEPS && !out->found; i++) {
        if (!jd_closure_rate(e, 0, e->state.x, b) ||
            !jd_radau_jacobian(&f, n, 0, e->state.x, J, work))
            return JD_OK;
        if (jd_solve_general(n, J, b, pivot, work) == 0) return JD_OK;
        for (int k = 0; k < n; k++) e->state.x[k] -= b[k];
        out->found = size_of(n, b) <= 1e-14 * fmax(1, size_of(n, e->state.x));
    }
    memcpy(out->x, e->state.x, (size_t)n * sizeof *out->x);
    return JD_OK;
}

static jd_status find_growth(closure *e, jd_steady *out) {
    const radau_field f = {e, jd_closure_rate};
    int n = out->n = e->state.nx;
    double J[MOST * MOST], work[4 * MOST], value[2 * MOST];
    if (!jd_radau_jacobian(&f, n, 0, e->state.x, J, work)) return out->found = false, JD_OK;
    JD_TRY(jd_eigen_general(e->arena, n, J, value));
    out->growth = -HUGE_VAL;
    for (int i = 0; i < n; i++) {
        memcpy(out->eigen[i], value + 2 * i, sizeof out->eigen[i]);
        if (value[2 * i] <= out->growth) continue;
        out->growth = value[2 * i];
        out->omega = fabs(value[2 * i + 1]);
    }
    return JD_OK;
}

static void look(closure *e, jd_contact_state side, jd_steady *out) {
    out->here = true;
    if (!e->plan.m) return;
    double h = e->plan.pws.model.h(e->plan.pws.model.user, e->state.x);
    out->here = side == JD_CONTACT_SLIDING_PLUS ? h >= 0 : h <= 0;
    jd_closure_contact(e, e->state.t, &out->contact[0], &out->contact[1], &out->contact[2]);
}

jd_status jd_closure_steady(jd_context *context, jd_problem *problem, jd_contact_state side,
                            jd_steady *out) {
    jd_run *run;
    *out = (jd_steady){0};
    JD_TRY(jd_run_create(context, problem, &run));
    closure *e = run->state;
    jd_status status = JD_OK;
    if (run->class != &jd_engine_closure || e->plan.n + 2 > MOST) {
        status = jd_fail(context, JD_NOT_SUPPORTED,
                         "steady states are found for models of the closure engine with up to %d "
                         "unknowns",
                         MOST - 2);
    } else {
        e->state.phase = e->plan.m == 0 ? SMOOTH : side == JD_CONTACT_SLIDING_PLUS ? PLUS : MINUS;
        e->state.nx = jd_phase_size(e, e->state.phase);
        status = newton(e, out);
        if (status == JD_OK && out->found) status = find_growth(e, out);
        if (status == JD_OK && out->found) look(e, side, out);
    }
    jd_run_free(run);
    return status;
}

static jd_status at(jd_context *context, jd_problem *problem, jd_contact_state side,
                    const char *path, double value, jd_steady *out) {
    JD_TRY(jd_problem_set(problem, path, value, NULL));
    JD_TRY(jd_closure_steady(context, problem, side, out));
    if (out->found) return JD_OK;
    return jd_fail(context, JD_NO_CONVERGENCE, "no steady state was found at `%s` = %.10g", path,
                   value);
}

jd_status jd_closure_hopf(jd_context *context, jd_problem *problem, jd_contact_state side,
                          const char *path, double from, double to, double *value, jd_steady *out) {
    double a = from, b = to, fa, fb;
    JD_TRY(at(context, problem, side, path, a, out));
    fa = out->growth;
    JD_TRY(at(context, problem, side, path, b, out));
    fb = out->growth;
    if (fa * fb > 0)
        return jd_fail(
            context, JD_NO_CONVERGENCE,
            "the steady state grows with %.4g and %.4g at the two ends: no change between", fa, fb);
    for (int i = 0; i < STEPS && fabs(b - a) > 1e-15 * fabs(b) && fb != 0; i++) {
        double c = i % 3 == 2 ? (a + b) / 2 : b - fb * (b - a) / (fb - fa);
        JD_TRY(at(context, problem, side, path, c, out));
        if (out->growth * fb < 0) {
            a = b;
            fa = fb;
        } else if (i % 3 != 2) {
            fa /= 2; // Illinois: the far end is not kept for ever
        }
        b = c;
        fb = out->growth;
    }
    *value = b;
    return JD_OK;
}
