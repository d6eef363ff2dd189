// table.c -- measured friction: resistance against relative speed, odd in the velocity.
//   The first entry, at speed 0, is where sliding begins and ends; it is the limit while stuck,
//   too, unless `static_limit` is given.
//   Between the entries: cubic Hermite through (u_i, f_i) with the slopes of Fritsch and Carlson
//   (harmonic mean of the neighbouring secants, 0 at a turn): between two knots it never leaves
//   their range.
#include <math.h>

#include "base/fail.h"
#include "contact/law.h"

static const jd_param params[] = {
    {JD_KEY(jd_friction_table_def, velocity, REALS), .unit = "m/s|rad/s", .required = true,
     .low = 0, .high = HUGE_VAL, .doc = "relative speeds, ascending from 0"},
    {JD_KEY(jd_friction_table_def, force, REALS), .unit = "N|N/m|N m", .required = true, .low = 0,
     .high = HUGE_VAL,
     .doc = "resistance at each speed; between them a cubic that stays within its neighbours"},
    {JD_KEY(jd_friction_table_def, static_limit, REAL), .unit = "N|N/m|N m", .preset = (double)NAN,
     .low = 0, .high = HUGE_VAL, .doc = "largest force while stuck; the first force when left out"},
    {JD_KEY(jd_friction_table_def, ambiguity, CHOICE), .unit = "", .choices = jd_law_ambiguities,
     .doc = "where several forces fit one history (steep fall, infinitely many modes): refuse, or "
            "keep the present solution until it ends"},
    {0}};

static double held(const jd_friction_table_def *d) {
    return isnan(d->static_limit) ? d->force.value[0] : d->static_limit;
}

static jd_status check(jd_context *context, const void *def) {
    const jd_friction_table_def *d = def;
    if (d->velocity.n != d->force.n)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`velocity` has %d values and `force` has %d, but must have as many",
                       d->velocity.n, d->force.n);
    if (d->velocity.n < 2)
        return jd_fail(context, JD_SIZE_MISMATCH, "`velocity` must have at least 2 values");
    if (d->velocity.value[0] != 0)
        return jd_fail(context, JD_OUT_OF_RANGE, "`velocity` must begin with 0, not %.10g",
                       d->velocity.value[0]);
    for (int i = 1; i < d->velocity.n; i++)
        if (!(d->velocity.value[i] > d->velocity.value[i - 1]))
            return jd_fail(context, JD_OUT_OF_RANGE,
                           "`velocity` must ascend, but value %d is %.10g after %.10g", i + 1,
                           d->velocity.value[i], d->velocity.value[i - 1]);
    if (held(d) >= d->force.value[0]) return JD_OK;
    jd_fail(context, JD_OUT_OF_RANGE,
            "`static_limit` is %.10g, but must be at least the first `force`, which is %.10g",
            held(d), d->force.value[0]);
    jd_fail_hint(context, "leave `static_limit` out to make both the same");
    return JD_OUT_OF_RANGE;
}

// The knots, and the slopes of the spline there.
typedef struct knots {
    int n;
    const double *u, *f; // [m/s], [N]
    double *d;           // [N s/m]
} knots;

static double secant(const knots *l, int i) {
    return (l->f[i + 1] - l->f[i]) / (l->u[i + 1] - l->u[i]);
}

// End slope of the parabola through the first three knots, kept monotone.
static double end_slope(double h0, double h1, double s0, double s1) {
    double d = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
    if (d * s0 <= 0) return 0;
    return s0 * s1 <= 0 && fabs(d) > 3 * fabs(s0) ? 3 * s0 : d;
}

static double inner_slope(const knots *l, int i) {
    double a = secant(l, i - 1), b = secant(l, i);
    if (a * b <= 0) return 0;
    double h0 = l->u[i] - l->u[i - 1], h1 = l->u[i + 1] - l->u[i];
    double w1 = 2 * h1 + h0, w2 = h1 + 2 * h0;
    return (w1 + w2) / (w1 / a + w2 / b);
}

static void spline(knots *l) {
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

static double at(const knots *l, double u, double *rate) {
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

// The derivative is a parabola on each piece: its least value is at a knot or at the vertex.
static double steepest_of_table(const knots *l) {
    double most = 0;
    for (int i = 0; i + 1 < l->n; i++) {
        double h = l->u[i + 1] - l->u[i], s = secant(l, i), a = l->d[i], b = l->d[i + 1];
        double second = 3 * (a + b - 2 * s); // f' = a + 2 (3 s - 2 a - b) x + second x^2
        double x = second != 0 ? -(3 * s - 2 * a - b) / second : -1, rate;
        most = fmax(most, fmax(-a, -b));
        if (x > 0 && x < 1) at(l, l->u[i] + x * h, &rate), most = fmax(most, -rate);
    }
    return most;
}

static double curve(const jd_friction *f, double u, double *rate) {
    return at(f->coefficients, u, rate);
}

static unsigned traits(const void *def) {
    const jd_friction_table_def *d = def;
    return (unsigned)JD_LAW_FRICTION | (unsigned)JD_LAW_CURVE |
           (held(d) > d->force.value[0] ? (unsigned)JD_LAW_STATIC : 0);
}

static jd_status friction(jd_arena *arena, const void *def, jd_friction *out) {
    const jd_friction_table_def *d = def;
    knots *l = JD_TAKE(arena, knots, 1);
    double *slope = JD_TAKE(arena, double, d->velocity.n);
    JD_TRY(jd_arena_status(arena));
    *l = (knots){.n = d->velocity.n, .u = d->velocity.value, .f = d->force.value, .d = slope};
    spline(l);
    *out = (jd_friction){.limit = l->f[0],
                         .hold = held(d),
                         .steepest = steepest_of_table(l),
                         .curve = curve,
                         .coefficients = l,
                         .top = l->u[l->n - 1],
                         .pieces = 64 * l->n,
                         .hysteresis = d->ambiguity == 1};
    return JD_OK;
}

const jd_law_class jd_law_table = {
    .type = {.name = "table",
             .doc = "measured friction force against relative speed",
             .def_size = sizeof(jd_friction_table_def),
             .params = params,
             .check = check},
    .noun = "friction contact",
    .short_noun = "friction",
    .title = "table",
    .traits = traits,
    .friction = friction,
};
