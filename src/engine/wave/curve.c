// curve.c -- friction along a span whose resistance R(speed) per length falls or grows: affine,
//   stribeck, table. Of a cell of length l that slides, v = d - s its change over 2 dt:
//     v + l R(v/(2 dt)) dt^2 W = |d|,    s = sgn(d) (|d| - v)
//   one root while -R' l dt W/2 < 1: what falls more steeply than inertia allows in a step is
//   refused. A cell that was stuck holds up to the static limit, one that slid up to R(0).
#include <float.h>
#include <math.h>

#include "engine/wave/wave.h"

typedef struct speed_law {
    jd_friction friction;
    double dt;
} speed_law;

// R of a cell, and its derivative by the speed.
static double resistance(const skin *k, int j, double speed, double *rate) {
    const jd_friction *f = &k->law->friction;
    double value = jd_friction_at(f, speed, rate), length = k->cells->right[j] - k->cells->left[j];
    *rate *= length;
    return length * value;
}

// Newton's method within a bracket.
static double sliding(const skin *k, int j, double d) {
    double low = 0, high = d, dt = k->law->dt, w = 1 / k->per[j], rate;
    double x = fmax(d - k->most[j], 0);
    while (high + w * resistance(k, j, high / (2 * dt), &rate) < d) high *= 2; // it may push
    for (int i = 0; i < 100; i++) {
        double g = x + w * resistance(k, j, x / (2 * dt), &rate) - d;
        *(g < 0 ? &low : &high) = x;
        double next = x - g / (1 + w * rate / (2 * dt));
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - x) <= 4 * DBL_EPSILON * d) return next;
        x = next;
    }
    return x;
}

double jd_curve_cell(const skin *k, int j, double d, bool *holds) {
    *holds = fabs(d) <= (k->state.slide[j] == 0 ? k->hold[j] : k->most[j]);
    if (*holds || !(k->per[j] > 0)) return d;
    double v = sliding(k, j, fabs(d));
    return d > 0 ? d - v : d + v;
}

void jd_curve_rub(const skin *k) {
    for (int j = k->low; j < k->high; j++) {
        double *na = k->a->new + k->ia + j, *nb = k->grounded ? NULL : k->b->new + k->ib + j;
        double d = *na - (nb ? *nb : k->belt);
        bool holds;
        double s = jd_curve_cell(k, j, d, &holds);
        *na -= s * k->ra[j];
        if (nb) *nb += s * k->rb[j];
        k->state.s[j] = s;
        k->state.d[j] = d;
        k->state.slide[j] = holds ? 0 : d > 0 ? 1 : -1;
    }
}

static jd_status refuse(const march *m, const skin *k, const char *why, const char *hint) {
    const char *name = jd_problem_contact(k->problem, k->cells->contact)->name;
    jd_fail(m->run->context, JD_NOT_SUPPORTED, "contact `%s`: %s", name, why);
    jd_fail_where(m->run->context, "contacts.%s.law", name);
    jd_fail_hint(m->run->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

jd_status jd_curve_plan(const march *m, skin *k, const jd_friction *law) {
    if (!law->curve && law->slope == 0) return JD_OK;
    if (k->cells->moving || (k->b && k->cells->first[1] < 0))
        return refuse(m, k,
                      "friction over the speed takes no cells across nodes, nor ones that move",
                      "leave out `footprint: moving`, or give both rods one wave speed");
    if (m->damped || m->trapezoidal)
        return refuse(m, k,
                      "friction over the speed takes neither damped rods nor the trapezoidal "
                      "rule",
                      "leave out `damping`, with the centred rule");
    for (int j = 0; j < k->n; j++) {
        double length = k->cells->right[j] - k->cells->left[j];
        if (!(k->per[j] > 0) || law->steepest * length < 2 * m->dt * k->per[j]) continue;
        return refuse(m, k,
                      "its friction falls so steeply with the speed that several forces fit "
                      "one step",
                      "more `nodes` make the step shorter");
    }
    speed_law *q = JD_TAKE(m->arena, speed_law, 1);
    JD_TRY(jd_arena_status(m->arena));
    *q = (speed_law){*law, m->dt};
    k->law = q;
    return JD_OK;
}
