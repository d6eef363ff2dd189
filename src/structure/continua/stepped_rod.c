// stepped_rod.c -- a rod of even sections: rho A u_tt = EA u_xx in each, u and N = EA u_x go on
//   through every step.
//   In a section of impedance Z = sqrt(EA rho A), with T its travel time and n = N/omega, one mode
//   is
//     phi = r sin psi,   n = Z r cos psi,   psi grows by omega T,   r is constant
//   and at a step tan psi grows by the ratio of the impedances, in its own quadrant. So psi at the
//   right end grows with omega, and mode k is where it is
//     psi(0) + ... = (k + 1) pi  (fixed),   k pi + pi/2  (free),   psi(0) = 0 (fixed), pi/2 (free)
//   one root each, none missed: bisection, then Newton's method on the end condition in
//   double-double. A free rod begins with its rigid-body mode.
//   Mass: int rho A phi^2 = sum rho A L r^2/2, what else there is cancels from end to end.
//   Whole: int rho A phi = (n(0) - n(L))/omega.     tested: stepped_rods_have_their_modes
#include <math.h>

#include "base/constants.h"
#include "structure/classes.h"
#include "structure/continua/continuum.h"
#include "structure/continua/sine_cosine.h"
#include "structure/continua/supports.h"

static const jd_param params[] = {
    {JD_KEY(jd_stepped_rod_def, steps, REALS), .unit = "m", .required = true, .low = 0,
     .high = 1e300, .above = true, .doc = "where one section ends and the next begins, ascending"},
    {JD_KEY(jd_stepped_rod_def, axial_stiffness, REALS), .unit = "N", .required = true, .low = 0,
     .high = 1e300, .above = true, .doc = "axial stiffness EA of each section"},
    {JD_KEY(jd_stepped_rod_def, mass_per_length, REALS), .unit = "kg/m", .required = true, .low = 0,
     .high = 1e300, .above = true, .doc = "mass per length of each section"},
    JD_PARAM_POSITIVE(jd_stepped_rod_def, length, "m", "length"),
    {JD_KEY(jd_stepped_rod_def, modes, COUNT), .unit = "", .preset = JD_CONTINUUM_MODES, .low = 1,
     .high = JD_CONTINUUM_MOST, .doc = "number of modes kept"},
    JD_PARAM_SUPPORTS(jd_stepped_rod_def, jd_supports_fixed_free),
    JD_PARAM_POINTS(jd_stepped_rod_def, "named points, each by its distance from the left end"),
    JD_PARAM_DAMPING(jd_stepped_rod_def),
    {.key = NULL}};

typedef struct section {
    double from, length, density;
    jd_dd impedance, time; // Z [kg/s], L/c [s]
} section;

typedef struct sections {
    int n;
    section *part;
    bool free[2];
    double mass;
    jd_dd *omega, *scale; // of each mode: [rad/s]; of phi at phi(0) = 1, or n(0) = Z of section 0
} sections;

// What goes on through steps.
typedef struct cut {
    jd_dd phi, n;
} cut;

static cut start_of(const sections *s) {
    if (s->free[0]) return (cut){dd(1), dd(0)};
    return (cut){dd(0), s->part[0].impedance};
}

// A time t further within a section.
static cut go_on(const section *p, cut at, jd_dd omega, jd_dd t) {
    jd_sine_cosine x = jd_sine_cosine_of(dd_div(dd_mul(omega, t), jd_pi), 0);
    jd_dd over = dd_div(at.n, p->impedance), less = dd_mul(p->impedance, at.phi);
    return (cut){dd_add(dd_mul(at.phi, x.cos), dd_mul(over, x.sin)),
                 dd_sub(dd_mul(at.n, x.cos), dd_mul(less, x.sin))};
}

// psi at the right end, counted on through all sections.
static double angle(const sections *s, double omega) {
    double psi = s->free[0] ? 0.5 * JD_PI : 0;
    for (int i = 0; i < s->n; i++) {
        psi += omega * dd_value(s->part[i].time);
        if (i + 1 == s->n) break;
        double turns = round(psi / JD_PI) * JD_PI; // tan has no jump within half a turn of it
        double ratio = dd_value(s->part[i + 1].impedance) / dd_value(s->part[i].impedance);
        psi = turns + atan2(ratio * sin(psi - turns), cos(psi - turns));
    }
    return psi;
}

// A double that has mode k between itself and the next.
static double bisect(const sections *s, int k) {
    double wanted = (s->free[1] ? k + 0.5 : k + 1) * JD_PI, low = 0, high = 0;
    for (int i = 0; i < s->n; i++) high += dd_value(s->part[i].time);
    high = (k + 1) * JD_PI / high;
    while (angle(s, high) < wanted) low = high, high *= 2;
    for (int i = 0; i < 200; i++) {
        double mid = 0.5 * (low + high);
        if (!(low < mid && mid < high)) break;
        if (angle(s, mid) < wanted)
            low = mid;
        else
            high = mid;
    }
    return 0.5 * (low + high);
}

// The end condition (n of a free end, phi of a fixed one), and the modal mass.
static jd_dd end_condition(const sections *s, jd_dd omega, cut *end, jd_dd *mass) {
    cut at = start_of(s);
    *mass = dd(0);
    for (int i = 0; i < s->n; i++) {
        const section *p = &s->part[i];
        jd_dd over = dd_div(at.n, p->impedance);
        jd_dd r2 = dd_add(dd_mul(at.phi, at.phi), dd_mul(over, over));
        *mass = dd_add(*mass, dd_mul(dd_two_prod(0.5 * p->density, p->length), r2));
        at = go_on(p, at, omega, p->time);
    }
    *end = at;
    return s->free[1] ? at.n : at.phi;
}

// d n/d omega = -2 mass/phi at a free end, d phi/d omega = 2 mass/n at a fixed one.
static jd_dd polish(const sections *s, double start, jd_dd *mass) {
    jd_dd omega = dd(start);
    cut end;
    for (int i = 0; i < 3; i++) {
        jd_dd f = end_condition(s, omega, &end, mass);
        jd_dd slope = dd_div(dd_scale(*mass, s->free[1] ? -2 : 2), s->free[1] ? end.phi : end.n);
        omega = dd_sub(omega, dd_div(f, slope));
    }
    end_condition(s, omega, &end, mass);
    return omega;
}

static jd_dd omega2(const jd_continuum *c, int k) {
    jd_dd omega = ((const sections *)c->data)->omega[k];
    return dd_mul(omega, omega);
}

static jd_dd shape(const jd_continuum *c, int k, double x, int component) {
    (void)component;
    const sections *s = c->data;
    cut at = start_of(s);
    if (s->omega[k].hi == 0) return s->scale[k];
    for (int i = 0; i < s->n; i++) {
        const section *p = &s->part[i];
        if (i + 1 < s->n && x >= p->from + p->length) {
            at = go_on(p, at, s->omega[k], p->time);
            continue;
        }
        jd_dd part = dd_div(dd_sub(dd(x), dd(p->from)), dd(p->length));
        at = go_on(p, at, s->omega[k], dd_mul(p->time, part));
        break;
    }
    return dd_mul(s->scale[k], at.phi);
}

static jd_dd base(const jd_continuum *c, int k) {
    const sections *s = c->data;
    cut end;
    jd_dd mass;
    if (s->omega[k].hi == 0) return dd_mul(s->scale[k], dd(s->mass));
    end_condition(s, s->omega[k], &end, &mass);
    if (s->free[1]) end.n = dd(0);
    return dd_mul(s->scale[k], dd_div(dd_sub(start_of(s).n, end.n), s->omega[k]));
}

static jd_status check(jd_context *context, const jd_stepped_rod_def *d) {
    int n = d->steps.n + 1;
    if (d->axial_stiffness.n != n || d->mass_per_length.n != n)
        return jd_fail(
            context, JD_WRONG_TYPE,
            "a rod with %d steps has %d sections, but %d values of `axial_stiffness` and "
            "%d of `mass_per_length` are given",
            n - 1, n, d->axial_stiffness.n, d->mass_per_length.n);
    double last = 0;
    for (int i = 0; i < n; i++) {
        double to = i < n - 1 ? d->steps.value[i] : d->length;
        if (!(to > last))
            return jd_fail(context, JD_OUT_OF_RANGE,
                           "`steps` must ascend from above 0 to below the length of %.15g m, but "
                           "%.15g follows %.15g",
                           d->length, to, last);
        JD_TRY(jd_need_positive(context, "axial_stiffness", d->axial_stiffness.value[i]));
        JD_TRY(jd_need_positive(context, "mass_per_length", d->mass_per_length.value[i]));
        last = to;
    }
    if (d->modes != JD_INFINITE) return JD_OK;
    jd_fail(context, JD_NOT_SUPPORTED, "a stepped rod has no closed form of infinitely many modes");
    jd_fail_hint(context, "write a number of modes; engine `wave` computes the rod itself");
    return JD_NOT_SUPPORTED;
}

static jd_status take(jd_arena *arena, const jd_stepped_rod_def *d, sections *s) {
    int left = jd_support_of_wave(d->supports.left), right = jd_support_of_wave(d->supports.right);
    if (left < 0 || right < 0)
        return jd_fail(jd_arena_context(arena), JD_OUT_OF_RANGE,
                       "a rod has ends that are free or fixed, nothing else");
    *s = (sections){.n = d->steps.n + 1, .free = {left == JD_FREE, right == JD_FREE}};
    int modes = d->modes > 0 && d->modes <= JD_CONTINUUM_MOST ? d->modes : 0;
    s->part = JD_TAKE(arena, section, s->n);
    s->omega = JD_TAKE(arena, jd_dd, modes);
    s->scale = JD_TAKE(arena, jd_dd, modes);
    JD_TRY(jd_arena_status(arena));
    double from = 0;
    for (int i = 0; i < s->n; i++) {
        double to = i < s->n - 1 ? d->steps.value[i] : d->length, l = to - from;
        jd_dd ea = dd(d->axial_stiffness.value[i]), rho = dd(d->mass_per_length.value[i]);
        s->part[i] = (section){from, l, rho.hi, dd_sqrt(dd_mul(ea, rho)),
                               dd_mul(dd(l), dd_sqrt(dd_div(rho, ea)))};
        s->mass += rho.hi * l;
        from = to;
    }
    bool loose = s->free[0] && s->free[1];
    for (int k = 0; k < modes; k++) {
        jd_dd mass = dd(s->mass);
        s->omega[k] = loose && k == 0 ? dd(0) : polish(s, bisect(s, k), &mass);
        s->scale[k] = dd_div(dd(1), dd_sqrt(mass));
    }
    return JD_OK;
}

static jd_status build(jd_structure *structure, const void *def) {
    const jd_stepped_rod_def *d = def;
    sections s;
    JD_TRY(check(jd_arena_context(structure->arena), d));
    JD_TRY(take(structure->arena, d, &s));
    jd_continuum c = {.length = d->length,
                      .mass_per_length = d->mass_per_length.value[0],
                      .stiffness = d->axial_stiffness.value[0],
                      .stiffness_key = "axial_stiffness",
                      .modes = d->modes,
                      .points = &d->points,
                      .damping = &d->damping,
                      .components = 1,
                      .data = &s,
                      .omega2 = omega2,
                      .shape = shape,
                      .base = base,
                      .error = 0x1p-52};
    return jd_continuum_build(structure, &c);
}

const jd_structure_class jd_stepped_rod_class = {
    .type = {"stepped-rod", "a rod of sections of other area, modulus or density",
             sizeof(jd_stepped_rod_def), params, NULL},
    .capabilities = JD_CAN_MODAL | JD_CAN_WAVE,
    .build = build};
