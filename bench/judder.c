// judder.c -- Judder itself in the table, through its public interface only.
//   Timed by table.c: from the model object to the final state and the list of events, the
//   eigenproblem and the energy ledger included; process start and model files excluded.
#include "peer.h"

#include <judder/judder.h>
#include <stdio.h>
#include <string.h>

// The friction beam for so many drive periods from rest.
static jd_status bench_judder_p1(bool damped, int periods, bench_events *events,
                                 bench_outcome *out) {
    (void)damped, (void)periods, (void)events, (void)out;
    return JD_NOT_SUPPORTED;
}

// The impact chain to t_end.
static jd_status bench_judder_p3(double restitution, double t_end, bench_events *events,
                                 bench_outcome *out) {
    (void)restitution, (void)t_end, (void)events, (void)out;
    return JD_NOT_SUPPORTED;
}

void bench_judder(const bench_solver *solver, const bench_problem *p, bench_tolerance tolerance,
                  bench_events *events, bench_outcome *out) {
    (void)solver, (void)tolerance;
    events->n = 0, events->overflow = false;
    out->steps = out->evaluations = -1;
    jd_status status = p->kind == BENCH_FRICTION
                           ? bench_judder_p1(p->beta > 0, p->periods, events, out)
                           : bench_judder_p3(p->restitution, p->t_end, events, out);
    out->available = status != JD_NOT_SUPPORTED;
    out->finished = status == JD_OK;
    if (status != JD_OK)
        snprintf(out->note, sizeof out->note, "%s",
                 out->available ? jd_status_text(status) : "not available");
}
