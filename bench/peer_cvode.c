// peer_cvode.c -- SUNDIALS CVODE, Adams or BDF, with root finding.
//   Newton with the exact Jacobian, dense or banded (interleaved modal states: tridiagonal), or
//   fixed-point iteration. Restarted at order 1 after every event, as a multistep method must be.
#include "peer.h"
#include "peer_sundials.h"

#include <cvode/cvode.h>
#include <stdio.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

typedef struct parts {
    SUNContext context;
    N_Vector y;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver fixed_point;
    void *cvode;
} parts;

static void put(SUNMatrix a, int i, int j, double x) {
    if (SUNMatGetID(a) == SUNMATRIX_BAND)
        SM_ELEMENT_B(a, i, j) = x;
    else
        SM_ELEMENT_D(a, i, j) = x;
}

static int jacobian(realtype t, N_Vector y, N_Vector dy, SUNMatrix a, void *data, N_Vector w1,
                    N_Vector w2, N_Vector w3) {
    (void)t, (void)y, (void)dy, (void)w1, (void)w2, (void)w3;
    const hybrid *h = data;
    SUNMatZero(a);
    for (int k = 0; k < h->n; k++) {
        int z = hybrid_z(h, k), p = hybrid_p(h, k);
        put(a, z, p, h->omega[k]);
        put(a, p, z, -h->omega[k]);
        put(a, p, p, -h->damping[k]);
    }
    return 0;
}

static void attach_solver(parts *s, bench_newton newton, int n) {
    if (newton == BENCH_FIXED_POINT) {
        s->fixed_point = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
        CVodeSetNonlinearSolver(s->cvode, s->fixed_point);
        return;
    }
    if (newton == BENCH_BAND) {
        s->matrix = SUNBandMatrix(n, 1, 1, s->context);
        s->linear = SUNLinSol_Band(s->y, s->matrix, s->context);
    } else {
        s->matrix = SUNDenseMatrix(n, n, s->context);
        s->linear = SUNLinSol_Dense(s->y, s->matrix, s->context);
    }
    CVodeSetLinearSolver(s->cvode, s->linear, s->matrix);
    CVodeSetJacFn(s->cvode, jacobian);
}

static int march(void *cvode, hybrid *h, N_Vector y, long *steps, long *evaluations) {
    int flag, found[2];
    double t = 0;
    long n = 0, f = 0; // CVodeReInit clears its counters
    while ((flag = CVode(cvode, h->p->t_end, y, &t, CV_NORMAL)) == CV_ROOT_RETURN) {
        CVodeGetRootInfo(cvode, found);
        hybrid_event(h, t, found[0] ? 0 : 1, N_VGetArrayPointer(y));
        if (h->events->overflow) return -1;
        CVodeGetNumSteps(cvode, &n), CVodeGetNumRhsEvals(cvode, &f);
        *steps += n, *evaluations += f;
        CVodeReInit(cvode, t, y);
        CVodeSetStopTime(cvode, h->p->t_end);
    }
    CVodeGetNumSteps(cvode, &n), CVodeGetNumRhsEvals(cvode, &f);
    *steps += n, *evaluations += f;
    return flag;
}

static void discard(parts *s) {
    CVodeFree(&s->cvode);
    if (s->linear) SUNLinSolFree(s->linear);
    if (s->matrix) SUNMatDestroy(s->matrix);
    if (s->fixed_point) SUNNonlinSolFree(s->fixed_point);
    N_VDestroy(s->y);
    SUNContext_Free(&s->context);
}

void bench_cvode(const bench_solver *solver, const bench_problem *p, bench_tolerance tolerance,
                 bench_events *events, bench_outcome *out) {
    parts s = {0};
    hybrid h;
    int n = 2 * p->free.n, down[2] = {-1, -1};
    SUNContext_Create(NULL, &s.context);
    s.y = N_VNew_Serial(n, s.context);
    N_VEnableFusedOps_Serial(s.y, SUNTRUE);
    hybrid_start(&h, p, events, solver->option == BENCH_BAND, N_VGetArrayPointer(s.y));
    s.cvode = CVodeCreate(solver->method, s.context);
    CVodeInit(s.cvode, rhs, 0, s.y);
    CVodeSetUserData(s.cvode, &h);
    CVodeSStolerances(s.cvode, tolerance.relative, tolerance.absolute);
    attach_solver(&s, (bench_newton)solver->option, n);
    CVodeRootInit(s.cvode, 2, roots);
    CVodeSetRootDirection(s.cvode, down);
    CVodeSetNoInactiveRootWarn(s.cvode);
    CVodeSetMaxNumSteps(s.cvode, 500000000);
    CVodeSetStopTime(s.cvode, p->t_end);
    out->steps = out->evaluations = 0;
    int flag = march(s.cvode, &h, s.y, &out->steps, &out->evaluations);
    out->available = true, out->finished = flag >= 0;
    if (flag < 0) snprintf(out->note, sizeof out->note, "CVODE stopped with flag %d", flag);
    discard(&s);
}
