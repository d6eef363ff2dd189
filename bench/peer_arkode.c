// peer_arkode.c -- SUNDIALS ARKODE, explicit Runge-Kutta with root finding.
//   After an event ERKStepReset keeps the step size, so a restart costs no warm-up. Fused vector
//   operations are on. Pairs of order 5 to 8 were tried: table.c lists those worth showing.
#include "peer.h"
#include "peer_sundials.h"

#include <arkode/arkode_erkstep.h>
#include <stdio.h>
#include <sundials/sundials_context.h>

static void configure(void *ark, hybrid *h, const bench_solver *solver, bench_tolerance tolerance) {
    int down[2] = {-1, -1};
    ERKStepSetUserData(ark, h);
    ERKStepSStolerances(ark, tolerance.relative, tolerance.absolute);
    ERKStepSetTableNum(ark, (ARKODE_ERKTableID)solver->method);
    ERKStepRootInit(ark, 2, roots);
    ERKStepSetRootDirection(ark, down);
    ERKStepSetNoInactiveRootWarn(ark);
    ERKStepSetMaxNumSteps(ark, 500000000);
    ERKStepSetStopTime(ark, h->p->t_end);
}

static int march(void *ark, hybrid *h, N_Vector y) {
    int flag, found[2];
    double t = 0;
    while ((flag = ERKStepEvolve(ark, h->p->t_end, y, &t, ARK_NORMAL)) == ARK_ROOT_RETURN) {
        ERKStepGetRootInfo(ark, found);
        hybrid_event(h, t, found[0] ? 0 : 1, N_VGetArrayPointer(y));
        if (h->events->overflow) return -1;
        ERKStepReset(ark, t, y);
        ERKStepSetStopTime(ark, h->p->t_end);
    }
    return flag;
}

void bench_arkode(const bench_solver *solver, const bench_problem *p, bench_tolerance tolerance,
                  bench_events *events, bench_outcome *out) {
    SUNContext context = NULL;
    hybrid h;
    SUNContext_Create(NULL, &context);
    N_Vector y = N_VNew_Serial(2 * p->free.n, context);
    N_VEnableFusedOps_Serial(y, SUNTRUE);
    hybrid_start(&h, p, events, false, N_VGetArrayPointer(y));
    void *ark = ERKStepCreate(rhs, 0, y, context);
    configure(ark, &h, solver, tolerance);
    int flag = march(ark, &h, y);
    out->available = true, out->finished = flag >= 0;
    if (flag < 0) snprintf(out->note, sizeof out->note, "ARKODE stopped with flag %d", flag);
    ERKStepGetNumSteps(ark, &out->steps);
    ERKStepGetNumRhsEvals(ark, &out->evaluations);
    ERKStepFree(&ark);
    N_VDestroy(y);
    SUNContext_Free(&context);
}
