// nonlinear_string.c -- a taut string between two supports whose tension follows its length.
//   u'' = -c^2 (1 + G/2 J) D^2 u - 2 beta c sqrt(1 + G/2 J) D u' + f delta(xi - xi*),
//   J = integral of (du/dxi)^2 = pi^2/2 sum k^2 a_k^2,  D sin(k pi xi) = k pi sin(k pi xi)
//   0 <= xi <= 1                                                     [szalai, closure, 38]
//   y = (u(xi*), a_2 ... a_N; rates);  Linf by (43), (44);  L+ = gain/(c sqrt(1 + G/2 J)) on
//   u'(xi*) gain: exact arccos(beta)/(pi g), g = sqrt(1 - beta^2); paper 1/(2 g); none 0: the rest
//   static. wave_term galerkin drops the modes above N altogether.   tested: closure_string_*
//   full: their answer with all its memory, (28); whoever knows the force adds it.
#include "structure/piecewise/nonlinear_string.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "structure/params.h"

static const double pi = JD_PI;
enum { EXACT, PAPER, NONE, GALERKIN, FULL };
static const char *const wave_terms[] = {"exact", "paper", "none", "galerkin", "full", NULL};
static const jd_type *const dampings[] = {&jd_damping_none, &jd_damping_ratio, NULL};

static const jd_param params[] = {
    {JD_KEY(jd_nonlinear_string_def, modes, INTEGER), .unit = "", .preset = 1, .low = 1,
     .high = 1000, .doc = "modes resolved"},
    {JD_KEY(jd_nonlinear_string_def, stretching, REAL), .unit = "", .preset = 2, .low = 0,
     .high = HUGE_VAL,
     .doc = "how much the tension grows with the length, EL/T0; 0: a linear string"},
    {JD_KEY(jd_nonlinear_string_def, wave_speed, REAL), .unit = "", .preset = 1, .low = 0,
     .above = true, .high = HUGE_VAL, .doc = "wave speed at rest, in lengths per time"},
    {JD_KEY(jd_nonlinear_string_def, wave_term, CHOICE), .unit = "", .choices = wave_terms,
     .doc = "wave term of the modes left out: exact, as in the paper, none (static), galerkin "
            "(dropped), full (with all their memory)"},
    {JD_KEY(jd_nonlinear_string_def, sigma, REAL), .unit = "", .preset = (double)NAN, .low = 0,
     .high = HUGE_VAL, .doc = "decay rate of the wave term; auto: (modes + 1) pi wave_speed"},
    JD_PARAM_POINTS(jd_nonlinear_string_def, "named points, as parts of the length"),
    {JD_KEY(jd_nonlinear_string_def, damping, OBJECT), .unit = "", .preset_text = "none",
     .types = dampings, .doc = "damping ratio, the same for all modes"},
    {0}};

typedef struct string {
    jd_nonlinear_string_def def; // without points and damping
    double beta;
    int n_point;
    double *position;
} string;

static jd_status read_ratio(jd_structure *s, const jd_object *damping, double *beta) {
    jd_context *context = jd_arena_context(s->arena);
    *beta = 0;
    if (damping->type != &jd_damping_ratio) return JD_OK;
    const jd_damping_ratio_def *d = damping->def;
    if (d->value.n != 1)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`damping.value` has %d values, but a nonlinear string takes one",
                       d->value.n);
    *beta = d->value.value[0];
    if (*beta >= 0 && *beta < 1) return JD_OK;
    return jd_fail(context, JD_OUT_OF_RANGE,
                   "`damping.value` is %.10g, but must be at least 0 and below 1", *beta);
}

// Undamped waves never fade: their memory is as long as the motion.
static jd_status check_memory(jd_structure *s, const string *own) {
    jd_context *context = jd_arena_context(s->arena);
    if (own->def.wave_term != FULL || own->beta > 0) return JD_OK;
    jd_fail(context, JD_NOT_SUPPORTED,
            "`wave_term` is full, but the string has no damping: its memory kernel does not decay");
    jd_fail_hint(context, "add damping: `damping: {type: ratio, value: 0.01}`");
    return JD_NOT_SUPPORTED;
}

static jd_status build(jd_structure *s, const void *def) {
    const jd_nonlinear_string_def *d = def;
    jd_context *context = jd_arena_context(s->arena);
    string *own = JD_TAKE(s->arena, string, 1);
    double *position = JD_TAKE(s->arena, double, d->points.n + 1);
    JD_TRY(jd_arena_status(s->arena));
    own->def = *d;
    own->position = position;
    own->n_point = d->points.n;
    s->data = own;
    JD_TRY(read_ratio(s, &d->damping, &own->beta));
    JD_TRY(check_memory(s, own));
    if (isnan(own->def.sigma)) own->def.sigma = (d->modes + 1) * pi * d->wave_speed;
    for (int i = 0; i < d->points.n; i++) {
        position[i] = d->points.point[i].position;
        if (position[i] > 0 && position[i] < 1) continue;
        jd_fail(context, JD_OUTSIDE_STRUCTURE, "point `%s` is at %.10g, but must be inside 0 and 1",
                d->points.point[i].name, position[i]);
        return JD_OUTSIDE_STRUCTURE;
    }
    return jd_pws_points(s, &d->points, 2 * d->modes);
}

jd_status jd_stretched_of(const jd_structure *s, int point, jd_arena *arena, jd_stretched *out) {
    const string *own = s->data;
    const jd_nonlinear_string_def *d = &own->def;
    double root = sqrt(1 - own->beta * own->beta);
    if (own->n_point == 0)
        return jd_fail(jd_arena_context(s->arena), JD_MISSING_KEY,
                       "the string has no point at which the force acts: name one in `points`");
    double xi = own->position[point >= 0 && point < own->n_point ? point : 0];
    *out = (jd_stretched){.n = d->modes,
                          .beta = own->beta,
                          .c = d->wave_speed,
                          .g = d->stretching * pi * pi / 4,
                          .sigma = d->sigma,
                          .at = xi,
                          .S = JD_TAKE(arena, double, d->modes)};
    JD_TRY(jd_arena_status(arena));
    out->full = d->wave_term == FULL;
    if (d->wave_term == EXACT) out->gain = acos(own->beta) / (pi * root);
    if (d->wave_term == PAPER) out->gain = 1 / (2 * root);
    if (d->wave_term != GALERKIN) out->tail = pi * pi * xi * (1 - xi);
    for (int k = 1; k <= d->modes; k++) {
        double S = out->S[k - 1] = sin(k * pi * xi);
        if (d->wave_term != GALERKIN) out->tail -= 2 * S * S / ((double)k * k);
    }
    return JD_OK;
}

int jd_stretched_points(const jd_structure *s) { return ((const string *)s->data)->n_point; }

double jd_stretched_shape(const jd_structure *s, int point, int k) {
    return sin(k * pi * ((const string *)s->data)->position[point]);
}

static double first_mode(const jd_stretched *m, const double *y) {
    double a = y[0];
    for (int k = 2; k <= m->n; k++) a -= m->S[k - 1] * y[k - 1];
    return a / m->S[0];
}

double jd_stretched_factor(const jd_stretched *m, const double *y) {
    double a = first_mode(m, y), p = a * a;
    for (int k = 2; k <= m->n; k++) p += (double)k * k * y[k - 1] * y[k - 1];
    return sqrt(1 + m->g * p);
}

static void r(void *user, double t, const double *y, double *out) {
    const jd_stretched *m = user;
    double speed = m->c * jd_stretched_factor(m, y) * pi, sum = 0;
    (void)t;
    for (int k = 1; k <= m->n; k++) {
        double a = k == 1 ? first_mode(m, y) : y[k - 1],
               v = k == 1 ? first_mode(m, y + m->n) : y[m->n + k - 1], w = k * speed;
        double rate = -w * w * a - 2 * m->beta * w * v;
        sum += m->S[k - 1] * rate;
        out[k - 1] = y[m->n + k - 1];
        out[m->n + k - 1] = rate;
    }
    out[m->n] = sum;
}

static void linf(void *user, const double *y, double *out) {
    const jd_stretched *m = user;
    (void)y;
    memset(out, 0, (size_t)(2 * m->n) * sizeof *out);
    double sum = m->tail;
    for (int k = 1; k <= m->n; k++) {
        sum += 2 * m->S[k - 1] * m->S[k - 1];
        out[m->n + k - 1] = 2 * m->S[k - 1];
    }
    out[m->n] = sum;
}

static void lplus(void *user, const double *y, double *out) {
    const jd_stretched *m = user;
    memset(out, 0, (size_t)(2 * m->n) * sizeof *out);
    out[m->n] = m->gain / (m->c * jd_stretched_factor(m, y));
}

// Of the truncated string alone: T = 1/4 sum a_k'^2,  V = c^2/2 (J + G/4 J^2), J = pi^2/2 p; lost
// beta c s pi sum k a_k'^2.
static void energy(void *user, const double *y, double out[3]) {
    const jd_stretched *m = user;
    double s = jd_stretched_factor(m, y), J = 0;
    out[0] = out[2] = 0;
    for (int k = 1; k <= m->n; k++) {
        double a = k == 1 ? first_mode(m, y) : y[k - 1],
               v = k == 1 ? first_mode(m, y + m->n) : y[m->n + k - 1];
        J += pi * pi / 2 * k * k * a * a;
        out[0] += v * v / 4;
        out[2] += m->beta * m->c * s * pi * k * v * v;
    }
    out[1] = m->c * m->c / 2 * J * (1 + (s * s - 1) / 2);
}

// u(xi) = sin(pi xi)/S_1 y_1 + sum_(k >= 2) (sin(k pi xi) - S_k sin(pi xi)/S_1) y_k
static void point_row(const jd_structure *s, const jd_stretched *m, int point, double *u,
                      double *v) {
    double share = jd_stretched_shape(s, point, 1) / m->S[0];
    for (int k = 1; k <= m->n; k++) {
        double w = k == 1 ? share : jd_stretched_shape(s, point, k) - m->S[k - 1] * share;
        u[k - 1] = v[m->n + k - 1] = w;
    }
}

static jd_status open(const jd_structure *s, int point, jd_arena *arena, jd_pws *out) {
    const string *own = s->data;
    jd_stretched *m = JD_TAKE(arena, jd_stretched, 1);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_stretched_of(s, point, arena, m));
    int w = 2 * m->n + 2;
    out->past = m->full ? m : NULL;
    if (m->tail == 0) out->energy = energy;
    out->energy_user = m;
    out->model = (jd_closure_model){.n = 2 * m->n,
                                    .user = m,
                                    .sigma = m->sigma,
                                    .r = r,
                                    .linf = linf,
                                    .lplus = m->gain > 0 ? lplus : NULL};
    JD_TRY(jd_pws_rows(arena, own->n_point, out));
    for (int i = 0; i < own->n_point; i++) {
        point_row(s, m, i, out->point_u + i * w, out->point_v + i * w);
        if (own->position[i] == m->at) out->push[i] = JD_PUSH_LAMBDA;
    }
    return JD_OK;
}

const jd_structure_class jd_nonlinear_string_class = {
    .type = {.name = "nonlinear-string",
             .doc = "string of unit length whose tension follows its length, with its wave term",
             .def_size = sizeof(jd_nonlinear_string_def),
             .params = params},
    .capabilities = JD_CAN_PWS,
    .build = build,
    .open = open,
};
