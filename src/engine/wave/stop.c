// stop.c -- stops between two nodes: splices of rods, hammers that hit a head, stops on the ground.
//   e = u_a - u_b - gap > 0 is compression. In a step e goes from e- to e+ = e- + y, y the relative
//   change over 2 dt; the force f >= 0 pushes both sides apart:
//     y = x_a(-f) - x_b(+f)                                          decreases with f
//   Rigid (restitution 0): f is the least force with e+ <= 0; y >= 0 while it acts: f y/2 is lost.
//   A cushion (Smith): virgin loading N = k e; unloading and reloading on the steeper line
//     N = max(0, ku (e - p)),   ku = k/r^2,   p = (1 - r^2) peak
//   that gives back r^2 of the work, r the restitution; it recovers when the stop opens. f is the
//   mean over the way, so that f y is work to the last digit:
//     f = max(0, (A(e+) - A(e-))/y + c y/(2 dt)),  A: integral of N along the present line
//   Both change monotonically with f: one scalar equation, friction of cells at the two nodes
//   included.
#include <math.h>

#include "contact/law.h"
#include "engine/wave/wave.h"

// ---- the cushion

typedef struct line {
    double k, ku, give; // stiffness, unloading stiffness, 1 - r^2
} line;

static line line_of(const bumper *b) {
    double r2 = b->restitution * b->restitution;
    return (line){b->stiffness, b->stiffness / r2, 1 - r2};
}

// int_0^e N, on the line of a given peak up to it, then on the virgin one.
static double area(const line *l, double e, double peak) {
    double rest = l->give * peak, top = fmin(e, peak);
    double below = top > rest ? 0.5 * l->ku * (top - rest) * (top - rest) : 0;
    return e > peak ? below + 0.5 * l->k * (e * e - peak * peak) : below;
}

static double value(const line *l, double e, double peak) {
    return e >= peak ? l->k * e : fmax(l->ku * (e - l->give * peak), 0);
}

double jd_bumper_stored(const bumper *b, double e, double peak) {
    if (b->stiffness == 0) return 0;
    line l = line_of(b);
    return area(&l, fmin(e, peak), peak);
}

// Mean force over the way from e by y, never a pull.
static double cushion(const bumper *b, double e, double y, double dt) {
    line l = line_of(b);
    double peak = fmax(b->peak_old, fmax(e, 0)), small = 1e-12 * (fabs(e) + fabs(peak));
    double mean = fabs(y) <= small ? value(&l, e + 0.5 * y, peak)
                                   : (area(&l, e + y, peak) - area(&l, e, peak)) / y;
    return mean > 0 ? fmax(mean + b->damping * y / (2 * dt), 0) : 0;
}

// ---- the two sides

// Change of a side under a force, with the friction of a cell of its node; `keep`: for good.
static double side_change(const stop_side *q, double force, bool keep) {
    if (!q->a) return 0;
    double x = q->a->new[q->node] + q->a->weight[q->node] * force;
    if (q->shared) x = jd_skin_cell(q->shared, q->cell, x, keep);
    if (keep) q->a->new[q->node] = x;
    return x;
}

typedef struct meet {
    const march *m;
    const bumper *b;
    double e;
} meet;

static double relative(const bumper *b, double f) {
    return side_change(&b->side[0], -f, false) - side_change(&b->side[1], f, false);
}

// Increases with f.
static double excess(const void *user, double f) {
    const meet *q = user;
    double y = relative(q->b, f);
    if (q->b->stiffness == 0) return -(q->e + y);
    return f - cushion(q->b, q->e, y, q->m->dt);
}

static double opening(const bumper *b) {
    const stop_side *q = b->side;
    double other = q[1].a ? q[1].a->old[q[1].node] : 0;
    return q[0].a->old[q[0].node] - other - b->gap;
}

void jd_bumper_step(march *m, bumper *b) {
    double e = opening(b), f = 0;
    meet q = {m, b, e};
    if (b->peak_old > 0 && e <= 0) b->peak_old = 0; // open: the cushion recovers
    if (excess(&q, 0) < 0) {
        double w = b->side[0].a->weight[b->side[0].node];
        if (b->side[1].a) w += b->side[1].a->weight[b->side[1].node];
        f = w > 0 ? fmax(jd_rising_zero(excess, &q, 0, fabs(excess(&q, 0)) / fmax(w, 1e-300)), 0)
                  : 0;
    }
    double moved[] = {side_change(&b->side[0], -f, true), side_change(&b->side[1], f, true)};
    double y = moved[0] - moved[1];
    double before = jd_bumper_stored(b, e, b->peak_old);
    b->peak_old = fmax(b->peak_old, fmax(e + y, 0));
    b->loss += 0.5 * f * y - 0.5 * (jd_bumper_stored(b, e + y, b->peak_old) - before);
    b->force_before = b->force, b->change_before = b->change;
    b->force = -f, b->change = y;
    b->impulse -= f * m->dt;
    if (b->struck >= 0) b->work += 0.5 * (b->struck ? f : -f) * moved[b->struck];
}

// ---- plan

static bool is_mass(const rod *a) { return a && a->grid.n == 1; }

static int struck_side(const bumper *b) {
    const rod *a = b->side[0].a, *c = b->side[1].a;
    if (!c || is_mass(a) == is_mass(c)) return -1;
    return is_mass(a) ? 1 : 0;
}

static jd_status refuse(const march *m, const jd_interface *f, const char *key, const char *why,
                        const char *hint) {
    const char *name = jd_problem_contact(m->run->problem, f->contact)->name;
    jd_fail(m->run->context, JD_NOT_SUPPORTED, "contact `%s`: %s", name, why);
    jd_fail_where(m->run->context, "contacts.%s%s", name, key);
    jd_fail_hint(m->run->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

jd_status jd_bumper_plan(march *m, jd_interface *f, bumper *b) {
    const jd_contact_def *c = jd_problem_contact(m->run->problem, f->contact)->def;
    jd_element law;
    JD_TRY(jd_law_element_of(m->arena, &c->law, &law));
    *b = (bumper){.contact = f->contact,
                  .place = f,
                  .gap = law.gap,
                  .stiffness = law.kn,
                  .damping = law.cn,
                  .restitution = law.kn > 0 && law.restitution > 0 ? law.restitution : 1};
    b->side[0] = (stop_side){.a = &m->rods[f->body[0]], .node = f->first[0]};
    if (f->body[1] >= 0) b->side[1] = (stop_side){.a = &m->rods[f->body[1]], .node = f->first[1]};
    b->struck = struck_side(b);
    if (law.both)
        return refuse(m, f, ".law.sides", "engine wave has stops on one side only",
                      "write two contacts");
    if (c->against.kind == JD_MOVING)
        return refuse(m, f, ".against", "engine wave has no stop against a moving body",
                      "against ground or a point of another body");
    if (law.kn == 0 && law.restitution != 0)
        return refuse(m, f, ".law.restitution",
                      "a point of a rod has no mass of its own, so that a rigid impact there has "
                      "restitution 0: the waves of the rods throw them apart",
                      "write `restitution: 0`, or make it a cushion: `stiffness` and `cushion`");
    if (law.gap < 0)
        return refuse(m, f, ".law.gap", "engine wave has no preloaded stop",
                      "give a gap of 0 or more, and constant loads with `start: static`");
    return JD_OK;
}
