// iwan.c -- sliders side by side, each a spring in series with dry friction: microslip.
//   Given as a table (limit_i, stiffness_i), or by four parameters [segalman2005]: the elements
//   with yield displacement in (phi, phi + dphi) have the stiffness rho(phi) dphi,
//     rho = R phi^chi, 0 < phi < phi_max,  and a last one with S at phi_max;
//     K = R phi_max^(chi+1)/(chi+1) + S,   F = R phi_max^(chi+2)/(chi+2) + S phi_max,
//     beta = S (chi+1)/(R phi_max^(chi+1))     (K stiffness, F limit of the whole)
//   It becomes N elements: (0, phi_max) is cut at phi_max (i/m)^2, m = N - 1 (N where beta = 0),
//   and each piece is one element with its stiffness and its limit, so that K and F are exact.
//   Under monotone load the force differs from the exact one only inside a piece, most where its
//   element yields, at phi_i = limit_i/stiffness_i, by integral_a^phi_i (phi_i - phi) rho dphi.
#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "contact/law.h"

enum { MOST = 1000, STANDARD = 20 };

static const jd_param params[] = {
    {JD_KEY(jd_iwan_def, limit, REALS), .unit = "N", .required = true, .low = 0, .high = HUGE_VAL,
     .doc = "friction limit of each slider; with chi one number: that of the whole"},
    {JD_KEY(jd_iwan_def, stiffness, REALS), .unit = "N/m", .required = true, .low = 0,
     .high = HUGE_VAL, .above = true,
     .doc = "spring of each slider, as many; with chi one number: that of the whole"},
    {JD_KEY(jd_iwan_def, chi, REAL), .unit = "", .preset = (double)NAN, .low = -1, .high = 100,
     .above = true,
     .doc =
         "four-parameter Iwan: the dissipation grows with amplitude^(3 + chi); left out: a table"},
    {JD_KEY(jd_iwan_def, beta, REAL), .unit = "", .low = 0, .high = HUGE_VAL,
     .doc = "four-parameter Iwan: stiffness of the last slider over that of all others"},
    {JD_KEY(jd_iwan_def, elements, INTEGER), .unit = "", .preset = JD_AUTO, .low = 2, .high = MOST,
     .doc = "four-parameter Iwan: number of sliders it is turned into; 20 when left out"},
    {0}};

static jd_status check(jd_context *context, const void *def) {
    const jd_iwan_def *d = def;
    bool whole = !isnan(d->chi);
    if (d->limit.n != d->stiffness.n)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`limit` has %d values and `stiffness` has %d, but must have as many",
                       d->limit.n, d->stiffness.n);
    if (d->limit.n > MOST)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`limit` has %d values, but at most %d are "
                       "possible",
                       d->limit.n, MOST);
    if (!whole && d->beta > 0)
        return jd_law_broken(context, "the four parameters are limit, stiffness, chi and beta",
                             "`beta` is given, but not `chi`");
    if (!whole && d->elements != JD_AUTO)
        return jd_law_broken(context, "a table has as many sliders as it has values",
                             "`elements` is given, but not `chi`");
    if (whole && d->limit.n != 1)
        return jd_law_broken(context, "leave out `chi` to give a table of sliders",
                             "`chi` is given, so `limit` and `stiffness` must be one number each");
    if (whole && !(d->limit.value[0] > 0))
        return jd_law_broken(context, "with limit 0 there is no friction: leave the contact out",
                             "`limit` must be above 0 where `chi` is given");
    return JD_OK;
}

// The distribution of the four parameters, by its moments up to phi.
typedef struct density {
    double chi, R, S, top;
} density;

static density of_parameters(const jd_iwan_def *d) {
    double F = d->limit.value[0], K = d->stiffness.value[0], chi = d->chi, b = d->beta;
    double ratio = b + (chi + 1) / (chi + 2);
    density r = {.chi = chi, .top = F * (1 + b) / (K * ratio), .S = K * b / (1 + b)};
    r.R = (K - r.S) * (chi + 1) / pow(r.top, chi + 1);
    return r;
}

static double moment0(const density *r, double a, double b) {
    return r->R * (pow(b, r->chi + 1) - pow(a, r->chi + 1)) / (r->chi + 1);
}

static double moment1(const density *r, double a, double b) {
    return r->R * (pow(b, r->chi + 2) - pow(a, r->chi + 2)) / (r->chi + 2);
}

static int count(const jd_iwan_def *d) {
    if (isnan(d->chi)) return d->limit.n;
    return d->elements == JD_AUTO ? STANDARD : d->elements;
}

// Element i: its limit and stiffness; returns how far the force may be off where it yields.
static double slider(const jd_iwan_def *d, int i, double *limit, double *stiffness) {
    if (isnan(d->chi)) {
        *limit = d->limit.value[i];
        *stiffness = d->stiffness.value[i];
        return 0;
    }
    density r = of_parameters(d);
    int m = d->beta > 0 ? count(d) - 1 : count(d);
    if (i == m) { // the last one, at phi_max
        *stiffness = r.S;
        *limit = r.S * r.top;
        return 0;
    }
    double a = r.top * pow((double)i / m, 2), b = r.top * pow((i + 1.0) / m, 2);
    *stiffness = moment0(&r, a, b);
    *limit = moment1(&r, a, b);
    double yields = *limit / *stiffness;
    return yields * moment0(&r, a, yields) - moment1(&r, a, yields);
}

static unsigned traits(const void *def) {
    (void)def;
    return JD_LAW_FRICTION | JD_LAW_SPRING | JD_LAW_PARALLEL;
}

static jd_status friction(jd_arena *arena, const void *def, jd_friction *out) {
    const jd_iwan_def *d = def;
    double limit, stiffness;
    (void)arena;
    *out = (jd_friction){0};
    for (int i = 0; i < count(d); i++) {
        slider(d, i, &limit, &stiffness);
        out->limit += limit;
        out->stiffness += stiffness;
    }
    out->hold = out->limit;
    return JD_OK;
}

static jd_status element(jd_arena *arena, const void *def, jd_element *out) {
    const jd_iwan_def *d = def;
    int n = count(d);
    double *limit = JD_TAKE(arena, double, n), *stiffness = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++) slider(d, i, &limit[i], &stiffness[i]);
    *out = (jd_element){.sliders = n, .limit = limit, .hold = limit, .stiffness = stiffness};
    return JD_OK;
}

// Two digits, never less than the number.
static double rounded_up(double x) {
    if (!(x > 0)) return 0;
    double digit = pow(10, floor(log10(x)) - 1);
    return ceil(x / digit) * digit;
}

static void describe(const void *def, char *text, size_t size) {
    const jd_iwan_def *d = def;
    double most = 0, limit, stiffness, all = 0;
    int n = count(d);
    for (int i = 0; i < n; i++) {
        most = fmax(most, slider(d, i, &limit, &stiffness));
        all += limit;
    }
    if (isnan(d->chi))
        snprintf(text, size, "%d slider%s, limit %.5g in all", n, n == 1 ? "" : "s", all);
    else
        snprintf(text, size, "limit %.5g as %d sliders, monotone load within %.2g of the limit",
                 all, n, rounded_up(most / all));
}

const jd_law_class jd_law_iwan = {
    .type = {.name = "iwan",
             .doc = "sliders side by side, each with a spring: microslip of joints",
             .def_size = sizeof(jd_iwan_def),
             .params = params,
             .check = check},
    .noun = "friction contact",
    .short_noun = "friction",
    .title = "Iwan",
    .traits = traits,
    .friction = friction,
    .element = element,
    .describe = describe,
};
