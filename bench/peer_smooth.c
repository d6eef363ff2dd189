// peer_smooth.c -- the friction beam with its friction smoothed, R = R0 tanh(v/eps), as one ODE.
//   CVODE BDF with the exact Jacobian in modes (z = w q, p = q'):
//     z' = w p,   p' = -w z - c p + f sin(Omega t) - phi R0 tanh(v/eps),   v = phi.p
//   A smoothed contact never sticks: it creeps. It is called stuck where |v| < eps atanh(0.99),
//   that is below 0.99 of the limit. eps = speed of the option over 1e9 [m/s].
#include "peer.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct smooth {
    const bench_problem *p;
    double eps; // [m/s]
} smooth;

static double speed(const smooth *s, const double *y) {
    const bench_basis *b = &s->p->free;
    double v = 0;
    for (int k = 0; k < b->n; k++) v += b->at_contact[k] * y[b->n + k];
    return v;
}

static int rhs(realtype t, N_Vector state, N_Vector rate, void *data) {
    const smooth *s = data;
    const bench_basis *b = &s->p->free;
    const double *y = N_VGetArrayPointer(state);
    double *dy = N_VGetArrayPointer(rate), R = s->p->limit * tanh(speed(s, y) / s->eps),
           f = s->p->force * sin(s->p->drive * t);
    for (int k = 0; k < b->n; k++) {
        dy[k] = b->omega[k] * y[b->n + k];
        dy[b->n + k] = -b->omega[k] * y[k] - b->damping[k] * y[b->n + k] + b->at_drive[k] * f -
                       b->at_contact[k] * R;
    }
    return 0;
}

static int jacobian(realtype t, N_Vector state, N_Vector rate, SUNMatrix a, void *data, N_Vector w1,
                    N_Vector w2, N_Vector w3) {
    (void)t, (void)rate, (void)w1, (void)w2, (void)w3;
    const smooth *s = data;
    const bench_basis *b = &s->p->free;
    double th = tanh(speed(s, N_VGetArrayPointer(state)) / s->eps);
    double slope = s->p->limit * (1 - th * th) / s->eps;
    SUNMatZero(a);
    for (int k = 0; k < b->n; k++) {
        SM_ELEMENT_D(a, k, b->n + k) = b->omega[k];
        SM_ELEMENT_D(a, b->n + k, k) = -b->omega[k];
        for (int j = 0; j < b->n; j++)
            SM_ELEMENT_D(a, b->n + k, b->n + j) =
                -slope * b->at_contact[k] * b->at_contact[j] - (j == k ? b->damping[k] : 0);
    }
    return 0;
}

static int borders(realtype t, N_Vector state, realtype *g, void *data) {
    (void)t;
    const smooth *s = data;
    double v = speed(s, N_VGetArrayPointer(state)), stuck = s->eps * atanh(0.99);
    g[0] = v - stuck, g[1] = v + stuck;
    return 0;
}

// The state behind a border is the one it was crossed into.
static int march(void *cvode, const smooth *s, N_Vector y, bench_events *events) {
    int flag;
    double t = 0;
    char state = 'H';
    while ((flag = CVode(cvode, s->p->t_end, y, &t, CV_NORMAL)) == CV_ROOT_RETURN) {
        int found[2];
        CVodeGetRootInfo(cvode, found);
        char now = found[0] > 0 ? '+' : found[1] < 0 ? '-' : 'H';
        if (now != state) bench_note(events, t, state, now, 0);
        state = now;
    }
    return flag;
}

void bench_smooth(const bench_solver *solver, const bench_problem *p, bench_tolerance tolerance,
                  bench_events *events, bench_outcome *out) {
    smooth s = {.p = p, .eps = 1e-9 * solver->option};
    SUNContext context;
    SUNContext_Create(NULL, &context);
    int n = 2 * p->free.n;
    N_Vector y = N_VNew_Serial(n, context);
    for (int k = 0; k < p->free.n; k++) {
        N_VGetArrayPointer(y)[k] = p->free.omega[k] * p->q0[k];
        N_VGetArrayPointer(y)[p->free.n + k] = p->v0[k];
    }
    void *cvode = CVodeCreate(CV_BDF, context);
    SUNMatrix matrix = SUNDenseMatrix(n, n, context);
    SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
    events->n = 0, events->overflow = false;
    CVodeInit(cvode, rhs, 0, y);
    CVodeSetUserData(cvode, &s);
    CVodeSStolerances(cvode, tolerance.relative, tolerance.absolute);
    CVodeSetLinearSolver(cvode, linear, matrix);
    CVodeSetJacFn(cvode, jacobian);
    CVodeRootInit(cvode, 2, borders);
    CVodeSetNoInactiveRootWarn(cvode);
    CVodeSetMaxNumSteps(cvode, 500000000);
    CVodeSetStopTime(cvode, p->t_end);
    int flag = march(cvode, &s, y, events);
    out->available = true, out->finished = flag >= 0;
    CVodeGetNumSteps(cvode, &out->steps), CVodeGetNumRhsEvals(cvode, &out->evaluations);
    if (flag < 0) snprintf(out->note, sizeof out->note, "CVODE stopped with flag %d", flag);
    CVodeFree(&cvode);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
    SUNContext_Free(&context);
}
