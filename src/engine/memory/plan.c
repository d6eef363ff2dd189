// plan.c -- the plan of the memory engine: contacts, what they refuse, steps and scales.
#include "engine/memory/plan.h"

#include <math.h>

#include "base/fail.h"
#include "engine/memory/contacts/contacts.h"
#include "kernel/choice.h"

jd_status jd_plan_read_contacts(memory_plan *plan) {
    JD_TRY(jd_stops_read(plan));
    if (!plan->law) plan->law = JD_TAKE(plan->arena, jd_friction, plan->m);
    if (!plan->belt) plan->belt = JD_TAKE(plan->arena, double, plan->m);
    JD_TRY(jd_arena_status(plan->arena));
    for (int j = 0; j < plan->m; j++) {
        const jd_contact_def *d = jd_problem_contact(plan->problem, j)->def;
        if (!plan->stop[j].is) JD_TRY(jd_law_friction_of(plan->arena, &d->law, &plan->law[j]));
        if (d->against.kind == JD_MOVING) plan->belt[j] = d->against.velocity;
    }
    return JD_OK;
}

// Contacts follow their forces at once, or none does.
static jd_status refuse_mixed(const memory_plan *plan) {
    for (int j = 0; plan->jumps && j < plan->m; j++) {
        if (plan->poles.gamma[j * plan->m + j] > 0) continue;
        const char *name = jd_problem_contact(plan->problem, j)->name;
        jd_fail(plan->context, JD_NOT_SUPPORTED,
                "contact `%s` touches no string or rod with infinitely many modes, and another "
                "contact does: its force would jump where the other's is continuous",
                name);
        jd_fail_where(plan->context, "contacts.%s", name);
        jd_fail_hint(plan->context, "let all contacts touch such a body, or say how many modes "
                                    "to keep");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

// gamma (-f') < 1: else several forces fit one history.
jd_status jd_plan_refuse_ambiguous(memory_plan *plan) {
    plan->jumps = false;
    for (int j = 0; j < plan->m; j++) {
        double gamma = plan->poles.gamma[j * plan->m + j];
        const char *name = jd_problem_contact(plan->problem, j)->name;
        if (gamma <= 0) continue;
        plan->jumps = true;
        if (gamma * plan->law[j].steepest < 1) continue;
        if (plan->law[j].hysteresis && jd_friction_edge(&plan->law[j], gamma)) continue;
        jd_fail(plan->context, JD_NOT_SUPPORTED,
                "the motion is not unique: at contact `%s` friction falls by up to %.6g per "
                "speed and the velocity jumps by %.6g per force; their product %.4g must be "
                "below 1",
                name, plan->law[j].steepest, gamma, gamma * plan->law[j].steepest);
        jd_fail_where(plan->context, "contacts.%s.law", name);
        jd_fail_hint(
            plan->context,
            plan->law[j].hysteresis
                ? "`ambiguity: hysteresis` needs friction that falls from rest on and has "
                  "one sliding branch"
                : "write `ambiguity: hysteresis` to keep the present branch until it ends, "
                  "let friction fall more gently, or keep finitely many modes");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

// Without damping the jump of a force comes back as a jump, after every delay and their sums.
static jd_status refuse_jumps(const memory_plan *plan) {
    for (int j = 0; j < plan->m; j++) {
        const char *name = jd_problem_contact(plan->problem, j)->name;
        if (plan->law[j].edge == 0 && plan->law[j].hold <= plan->law[j].limit) continue;
        jd_fail(plan->context, JD_NOT_SUPPORTED,
                "the force of contact `%s` jumps, and without damping every jump comes back", name);
        jd_fail_where(plan->context, "contacts.%s.law", name);
        jd_fail_hint(plan->context, "give the structure some damping, 1e-4 will do");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

// Longest step: echoes must be history, and drives polynomials, sin over a panel to the tolerance.
// Without damping what the polynomial through Radau's s nodes is off by at a panel's beginning,
// (omega h)^s (s - 1)!/(2s - 1)!, is a jump that comes back for ever.
static double echo_step(const memory_plan *plan, double room) {
    double step = room, digits = plan->tolerance;
    int s = plan->nodes.s;
    if (plan->echo->sharp) digits *= 0.1;
    for (int k = 1; k <= s; k++) digits *= plan->echo->sharp ? s - 1 + k : 4 * k;
    for (int d = 0; d < plan->n_drive; d++)
        if (plan->drive[d].omega > 0)
            step = fmin(step, pow(digits, 1.0 / s) / plan->drive[d].omega);
    return step;
}

// Time scales of poles and drives; speeds that the limits of friction can cause.
void jd_plan_scales(memory_plan *plan, double room, double *v_scale, double *f_scale) {
    const poles *c = &plan->poles;
    double slow = HUGE_VAL;
    for (int p = 0; p < c->used; p++)
        if (!is_soft(c, p)) slow = fmin(slow, hypot(c->re[p], c->im[p]));
    for (int d = 0; d < plan->n_drive; d++)
        if (plan->drive[d].omega > 0) slow = fmin(slow, plan->drive[d].omega);
    plan->largest_step = plan->echo ? echo_step(plan, room) : 2 / slow;
    plan->smallest_step = 1e-12 * plan->largest_step; // above the last rung of the ladder
    for (int j = 0; j < plan->m; j++) {
        double mobility = c->gamma[j * plan->m + j];
        for (int p = 0; p < c->used; p++)
            mobility += is_soft(c, p) ? 0
                                      : hypot(c->out_re[j * c->n + p], c->out_im[j * c->n + p]) *
                                            hypot(c->in_re[j * c->n + p], c->in_im[j * c->n + p]) *
                                            hypot(c->inv_re[p], c->inv_im[p]);
        v_scale[j] = 0.1 * plan->law[j].hold * mobility + 1e-300;
        f_scale[j] = plan->law[j].hold + 1e-300;
        plan->mobility[j] = mobility + 1e-300;
    }
}

// Nodes per panel: more of them pay when many digits are wanted.
static int stages_for(double tolerance) {
    return tolerance >= 1e-4 ? 4 : tolerance >= 1e-8 ? 4 : 5;
}

jd_status jd_plan_begin(memory_plan *plan) {
    const jd_simulate_def *sim = jd_problem_section(plan->problem, JD_SIMULATE, NULL);
    plan->n_drive = jd_problem_drives(plan->problem); // fitted.c may add that of the start
    plan->asked = isnan(sim->tolerance) ? JD_MEMORY_TOLERANCE : sim->tolerance;
    plan->tolerance = plan->asked;
    plan->budget = sim->event_budget;
    plan->lanes = jd_simd_best();
    jd_nodes_set(&plan->nodes, stages_for(plan->tolerance));
    JD_TRY(jd_plan_read_contacts(plan));
    return jd_drives_plan(plan);
}

jd_status jd_plan_check(memory_plan *plan) {
    JD_TRY(jd_plan_refuse_ambiguous(plan));
    JD_TRY(refuse_mixed(plan));
    return plan->echo && plan->echo->sharp ? refuse_jumps(plan) : JD_OK;
}

// Newton's method on the forces of a panel stops by the tolerance, too; echoes may grow. Where
// forces are continuous an event moves by a twentieth of what a panel is off by: loose tolerances,
// which are for speed, take more; not with echoes on a grid, which take their own share.
void jd_plan_refine(memory_plan *plan, double share) {
    bool loose = plan->jumps && !plan->echo && share * plan->asked >= 1e-4;
    plan->tolerance = share * plan->asked;
    plan->accuracy.loose = loose;
    plan->accuracy.v_share = loose ? 3 : 1;
    plan->accuracy.F_share = loose ? 4 : 1;
    plan->accuracy.enough =
        plan->echo && plan->echo->sharp ? 1e-9 : fmax(1e-9, 0.01 * sqrt(plan->tolerance));
}

// Does the force of a contact enter pole p?
static bool is_entered(const memory_plan *plan, int p) {
    const poles *c = &plan->poles;
    for (int j = 0; j < plan->m; j++)
        if (c->in_re[j * c->n + p] != 0 || c->in_im[j * c->n + p] != 0) return true;
    return false;
}

jd_status jd_plan_coordinates(memory_plan *plan) {
    const poles *c = &plan->poles;
    plan->n_coordinate = 0;
    plan->coordinate = JD_TAKE(plan->arena, int, c->n);
    JD_TRY(jd_arena_status(plan->arena));
    if (plan->echo) return JD_OK;
    for (int p = 0; p < c->used; p++) {
        plan->coordinate[p] = is_entered(plan, p) ? plan->n_coordinate : -1;
        if (is_entered(plan, p)) plan->n_coordinate += c->im[p] != 0 ? 2 : 1;
    }
    if (c->exact) plan->n_coordinate = 2 * plan->n_mode;
    return JD_OK;
}
