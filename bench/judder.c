// judder.c -- Judder itself in the table, through its public interface only.
//   Timed by table.c: from the model object to the final state and the list of events, the
//   eigenproblem and the energy ledger included; process start and model files excluded.
#include "peer.h"

#include <judder/judder.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// A type of a section by its name in model files.
static const jd_type *structure(const char *name) {
    return jd_type_find(jd_structure_types(), name);
}

static const jd_type *damping(const jd_type *of, const char *name) {
    return jd_type_find(jd_type_param(of, "damping")->types, name);
}

static jd_status add_contact(jd_problem *p, const char *point, const char *law, void *def) {
    jd_contact_def d = {.at.point = point, .against.kind = JD_GROUND};
    d.law = (jd_object){"", jd_type_find(jd_law_types(), law), def};
    return jd_problem_add_contact(p, "end", &d);
}

// From the problem to the last event and the energy ledger.
static jd_status run(jd_context *context, jd_problem *problem, double t_end, bench_events *events,
                     bench_outcome *out) {
    jd_run *r;
    jd_step step = JD_STEP_EVENT;
    jd_status status = jd_run_create(context, problem, &r);
    while (status == JD_OK && step == JD_STEP_EVENT) {
        status = jd_run_advance(r, t_end, &step);
        const jd_event *e = jd_run_event(r);
        if (status == JD_OK && step == JD_STEP_EVENT)
            bench_note(events, e->t, jd_contact_letter(e->from), jd_contact_letter(e->to),
                       e->speed);
    }
    if (status == JD_OK) {
        jd_report report;
        jd_run_report(r, &report);
        out->evaluations = report.certificate.evaluations;
        snprintf(out->note, sizeof out->note, "%s, energy residual %.0e",
                 report.certificate.certified ? "certified" : "not certified",
                 fabs(report.ledger.residual));
    }
    jd_run_free(r);
    return status;
}

static jd_status beam(jd_problem *p, bool damped) {
    const jd_type *type = structure("fe-beam"),
                  *harmonic = jd_type_find(jd_drive_types(), "harmonic");
    jd_fe_beam_def d;
    jd_damping_rayleigh_def rayleigh = {.mass = 0.025, .stiffness = 5.5e-5};
    jd_coulomb_def coulomb = {.limit = 0.66, .static_limit = (double)NAN};
    jd_harmonic_def shaker;
    const jd_point point[] = {{.name = "mid", .position = 1.235},
                              {.name = "tip", .position = 2.47}};
    jd_type_defaults(type, &d);
    d.length = 2.47;
    d.bending_stiffness = 1.09e4;
    d.mass_per_length = 35.4;
    d.elements = 10;
    d.supports = (jd_supports){JD_CLAMPED, JD_FREE};
    d.points = (jd_points){2, point};
    if (damped) d.damping = (jd_object){"", damping(type, "rayleigh"), &rayleigh};
    jd_type_defaults(harmonic, &shaker);
    shaker.at.point = "mid";
    shaker.amplitude = 2.4;
    shaker.frequency = (jd_frequency){.times = 1.1, .mode = 1};
    jd_status status = jd_problem_add_body(p, "", type, &d);
    if (status == JD_OK) status = add_contact(p, "tip", "coulomb", &coulomb);
    return status == JD_OK ? jd_problem_add_drive(p, "shaker", harmonic, &shaker) : status;
}

static jd_status chain(jd_problem *p, double restitution) {
    const jd_type *type = structure("chain"), *start = jd_type_find(jd_start_types(), "state");
    jd_chain_def d;
    double mass = 0.2, spring = 5;
    const jd_point point[] = {{.name = "end", .position = (double)NAN, .node = 5}};
    jd_stop_def stop = {.gap = 1, .restitution = restitution};
    jd_start_state_def state;
    jd_type_defaults(type, &d);
    d.count = 5;
    d.mass = (jd_reals){1, &mass};
    d.stiffness = (jd_reals){1, &spring};
    d.supports = (jd_supports){JD_FIXED, JD_FREE};
    d.points = (jd_points){1, point};
    jd_type_defaults(start, &state);
    state.displacement = (jd_reals){5, (const double[]){0.18, 0.36, 0.54, 0.72, 0.9}};
    state.velocity = (jd_reals){5, (const double[]){0, 0, 0, 0, 2}};
    jd_status status = jd_problem_add_body(p, "", type, &d);
    if (status == JD_OK) status = add_contact(p, "end", "stop", &stop);
    return status == JD_OK ? jd_problem_set_start(p, start, &state) : status;
}

// The friction beam for so many drive periods from rest, or the impact chain.
static jd_status solve(jd_context *context, const bench_problem *p, bench_events *events,
                       bench_outcome *out) {
    jd_problem *problem;
    jd_status status = jd_problem_create(context, &problem);
    if (status != JD_OK) return status;
    status =
        p->kind == BENCH_FRICTION ? beam(problem, p->beta > 0) : chain(problem, p->restitution);
    double t_end = p->t_end;
    if (status == JD_OK) status = jd_problem_build(problem);
    if (status == JD_OK && p->periods) t_end = p->periods * jd_problem_period(problem);
    if (status == JD_OK) status = run(context, problem, t_end, events, out);
    jd_problem_free(problem);
    return status;
}

void bench_judder(const bench_solver *solver, const bench_problem *p, bench_tolerance tolerance,
                  bench_events *events, bench_outcome *out) {
    (void)solver, (void)tolerance;
    events->n = 0, events->overflow = false;
    out->steps = out->evaluations = -1;
    jd_context *context = jd_context_create(NULL);
    jd_status status = context ? solve(context, p, events, out) : JD_OUT_OF_MEMORY;
    out->available = true;
    out->finished = status == JD_OK;
    if (status != JD_OK)
        snprintf(out->note, sizeof out->note, "%s",
                 context ? jd_context_error(context)->message : jd_status_text(status));
    jd_context_free(context);
}
