// law.c -- resistance against speed: coulomb, affine, stribeck, table (monotone spline).
//   table: cubic Hermite through (u_i, f_i) with the slopes of Fritsch and Carlson (harmonic mean
//   of the neighbouring secants, 0 at a turn): between two knots it never leaves their range.
#include "engine/memory/law.h"

#include <math.h>

#include "contact/law.h"

enum { AFFINE, STRIBECK, TABLE };

static double secant(const friction *l, int i) {
    return (l->f[i + 1] - l->f[i]) / (l->u[i + 1] - l->u[i]);
}

// End slope of the parabola through the first three knots, kept monotone.
static double end_slope(double h0, double h1, double s0, double s1) {
    double d = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
    if (d * s0 <= 0) return 0;
    return s0 * s1 <= 0 && fabs(d) > 3 * fabs(s0) ? 3 * s0 : d;
}

static double inner_slope(const friction *l, int i) {
    double a = secant(l, i - 1), b = secant(l, i);
    if (a * b <= 0) return 0;
    double h0 = l->u[i] - l->u[i - 1], h1 = l->u[i + 1] - l->u[i];
    double w1 = 2 * h1 + h0, w2 = h1 + 2 * h0;
    return (w1 + w2) / (w1 / a + w2 / b);
}

static void spline(friction *l) {
    int n = l->n;
    for (int i = 1; i + 1 < n; i++) l->d[i] = inner_slope(l, i);
    if (n == 2) {
        l->d[0] = l->d[1] = secant(l, 0);
        return;
    }
    l->d[0] = end_slope(l->u[1] - l->u[0], l->u[2] - l->u[1], secant(l, 0), secant(l, 1));
    l->d[n - 1] = end_slope(l->u[n - 1] - l->u[n - 2], l->u[n - 2] - l->u[n - 3], secant(l, n - 2),
                            secant(l, n - 3));
}

// The derivative is a parabola on each piece: its least value is at a knot or at the vertex.
static double steepest_of_table(const friction *l) {
    double most = 0;
    for (int i = 0; i + 1 < l->n; i++) {
        double h = l->u[i + 1] - l->u[i], s = secant(l, i), a = l->d[i], b = l->d[i + 1];
        double second = 3 * (a + b - 2 * s); // f' = a + 2 (3 s - 2 a - b) x + second x^2
        double x = second != 0 ? -(3 * s - 2 * a - b) / second : -1, rate;
        most = fmax(most, fmax(-a, -b));
        if (x > 0 && x < 1) friction_at(l, l->u[i] + x * h, &rate), most = fmax(most, -rate);
    }
    return most;
}

static jd_status read_table(jd_arena *arena, const jd_friction_table_def *d, friction *out) {
    out->kind = TABLE;
    out->n = d->velocity.n;
    out->u = d->velocity.value;
    out->f = d->force.value;
    out->d = JD_TAKE(arena, double, out->n);
    JD_TRY(jd_arena_status(arena));
    spline(out);
    out->hold = out->limit = out->f[0];
    out->hysteresis = d->ambiguity == 1;
    out->steepest = steepest_of_table(out);
    return JD_OK;
}

jd_status friction_read(jd_arena *arena, const jd_object *law, friction *out) {
    *out = (friction){.kind = AFFINE};
    if (law->type == &jd_law_table) return read_table(arena, law->def, out);
    if (law->type == &jd_law_stribeck) {
        const jd_stribeck_def *d = law->def;
        *out = (friction){.kind = STRIBECK,
                          .hold = d->times * d->limit,
                          .limit = d->times * d->limit,
                          .drop = d->times * d->drop,
                          .decay = d->decay,
                          .hysteresis = d->ambiguity == 1};
        out->steepest = out->drop * d->decay;
    } else if (law->type == &jd_law_affine) {
        const jd_affine_def *d = law->def;
        *out = (friction){.hold = d->limit, .limit = d->limit, .slope = d->slope};
        out->steepest = fmax(0, -d->slope);
    } else {
        const jd_coulomb_def *d = law->def;
        *out = (friction){.hold = isnan(d->static_limit) ? d->limit : d->static_limit,
                          .limit = d->limit};
    }
    return JD_OK;
}

static double table_at(const friction *l, double u, double *rate) {
    int i = 0;
    if (u <= 0) {
        *rate = l->d[0];
        return l->f[0] + l->d[0] * u;
    }
    if (u >= l->u[l->n - 1]) { // beyond the measurements: constant
        *rate = 0;
        return l->f[l->n - 1];
    }
    while (u >= l->u[i + 1]) i++;
    double h = l->u[i + 1] - l->u[i], x = (u - l->u[i]) / h, s = secant(l, i);
    double a = l->d[i], b = l->d[i + 1], p = 3 * s - 2 * a - b, q = a + b - 2 * s;
    *rate = a + x * (2 * p + 3 * q * x);
    return l->f[i] + h * x * (a + x * (p + q * x));
}

// Speeds at which 1 + gamma f' is looked at: dense enough for the pieces of a table.
static bool rises(const friction *l, double gamma, double u) {
    double rate;
    friction_at(l, u, &rate);
    return 1 + gamma * rate > 0;
}

bool friction_edge(friction *l, double gamma) {
    double top = l->kind == TABLE ? l->u[l->n - 1] : 50 / l->decay, low = -1, rate;
    int parts = l->kind == TABLE ? 64 * l->n : 4096, changes = 0;
    for (int i = 1; i <= parts; i++) { // from rest upwards: falls, then rises for good
        double from = top * (i - 1) / parts, to = top * i / parts;
        if (rises(l, gamma, from) == rises(l, gamma, to)) continue;
        changes++;
        low = from;
    }
    if (changes != 1 || rises(l, gamma, 0)) return false;
    double high = low + top / parts;
    for (int i = 0; i < 100 && high - low > 1e-16 * high; i++) {
        double middle = (low + high) / 2;
        *(rises(l, gamma, middle) ? &high : &low) = middle;
    }
    double force = friction_at(l, high, &rate);
    l->edge = high;
    l->edge_force = force;
    l->edge_rate = -0.5 / gamma;
    return true;
}

double friction_at(const friction *l, double u, double *rate) {
    if (l->edge > 0 && u < l->edge) {
        *rate = l->edge_rate;
        return l->edge_force + l->edge_rate * (u - l->edge);
    }
    if (l->kind == TABLE) return table_at(l, u, rate);
    if (l->kind == AFFINE) {
        *rate = l->slope;
        return l->limit + l->slope * u;
    }
    double past =
        l->decay > 0 ? fmin(u + 1 / l->decay, 0) : 0; // far below 0 straight on: it would run away
    double e = l->drop * exp(-l->decay * (u - past));
    *rate = -l->decay * e;
    return l->limit - l->drop + e + *rate * past;
}
