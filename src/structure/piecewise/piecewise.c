// piecewise.c -- a piecewise-smooth model whose functions are formulas of the model file.
//   r, linf, lplus: one formula per equation; h, lambda_plus, lambda_minus: one each, in y1 ... yn
//   and the parameters, r also in t. Gradients by differences.   tested: closure_piecewise_*
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/param_tools.h"
#include "structure/params.h"
#include "structure/piecewise/expression.h"
#include "structure/piecewise/pws.h"

// clang-format off
#define TEXTS(member, need, text)                                                                  \
    {JD_KEY(jd_piecewise_def, member, TEXTS), .unit = "", .required = need, .doc = text}
#define TEXT(member, text) {JD_KEY(jd_piecewise_def, member, TEXT), .unit = "", .doc = text}
// clang-format on

static const jd_param params[] = {
    TEXTS(r, true, "rates without contact force, one formula per equation in t, y1, y2, ..."),
    TEXTS(linf, true, "rates by a unit force, one formula per equation"),
    TEXTS(lplus, false, "jumps by a unit jump of the force, one per equation; none: Filippov"),
    TEXT(h, "the switching surface is where this vanishes; none: nothing switches"),
    TEXT(lambda_plus, "contact force where h > 0"),
    TEXT(lambda_minus, "contact force where h < 0"),
    {JD_KEY(jd_piecewise_def, sigma, REAL), .unit = "", .low = 0, .high = HUGE_VAL,
     .doc = "decay rate of the jump; 0: it does not decay"},
    TEXTS(names, false, "names of parameters in the formulas"),
    {JD_KEY(jd_piecewise_def, values, REALS), .unit = "", .doc = "their values"},
    TEXT(period,
         "time after which r repeats, a formula of the parameters (2*_pi/w): periodic orbits "
         "need it where t occurs in r"),
    {0}};

enum { MOST_TIMED = 256 }; // equations of a model whose r depends on time

// Formulas and their variables, of one run.
typedef struct formulas {
    int n;
    double t, *y, *parameter;
    jd_expression **r, **linf, **lplus, *h, *lambda[2], *period;
} formulas;

static void evaluate(formulas *f, jd_expression *const *list, const double *y, double *out) {
    memcpy(f->y, y, (size_t)f->n * sizeof *y);
    for (int i = 0; i < f->n; i++) out[i] = jd_expression_value(list[i]);
}
static void r(void *u, double t, const double *y, double *out) {
    formulas *f = u;
    f->t = t;
    evaluate(f, f->r, y, out);
}
static void linf(void *u, const double *y, double *out) {
    evaluate(u, ((formulas *)u)->linf, y, out);
}
static void lplus(void *u, const double *y, double *out) {
    evaluate(u, ((formulas *)u)->lplus, y, out);
}
static double h(void *u, const double *y) {
    formulas *f = u;
    memcpy(f->y, y, (size_t)f->n * sizeof *y);
    return jd_expression_value(f->h);
}
static double lambda(void *u, int side, const double *y) {
    formulas *f = u;
    memcpy(f->y, y, (size_t)f->n * sizeof *y);
    return jd_expression_value(f->lambda[side < 0]);
}

// Names and places of t, y1 ... yn and the parameters.
static jd_status variables(jd_arena *arena, const jd_piecewise_def *d, formulas *f, int *n,
                           const char ***name, double ***at) {
    *n = 1 + f->n + d->names.n;
    *name = JD_TAKE(arena, const char *, *n);
    *at = JD_TAKE(arena, double *, *n);
    f->y = JD_TAKE(arena, double, f->n);
    f->parameter = JD_TAKE(arena, double, d->names.n);
    JD_TRY(jd_arena_status(arena));
    (*name)[0] = "t";
    (*at)[0] = &f->t;
    for (int i = 0; i < f->n; i++) {
        (*name)[1 + i] = jd_arena_format(arena, "y%d", i + 1);
        (*at)[1 + i] = &f->y[i];
    }
    for (int i = 0; i < d->names.n; i++) {
        f->parameter[i] = d->values.value[i];
        (*name)[1 + f->n + i] = d->names.text[i];
        (*at)[1 + f->n + i] = &f->parameter[i];
    }
    return jd_arena_status(arena);
}

static void close_model(jd_pws *pws) {
    formulas *f = pws->data;
    jd_expression **lists[] = {f->r, f->linf, f->lplus};
    for (int k = 0; k < 3; k++)
        for (int i = 0; lists[k] && i < f->n; i++) jd_expression_free(lists[k][i]);
    jd_expression_free(f->h);
    jd_expression_free(f->lambda[0]);
    jd_expression_free(f->lambda[1]);
    jd_expression_free(f->period);
}

static jd_status parse(jd_arena *arena, const jd_piecewise_def *d, formulas *f) {
    int n;
    const char **name;
    double **at;
    JD_TRY(variables(arena, d, f, &n, &name, &at));
    const jd_texts *from[] = {&d->r, &d->linf, &d->lplus};
    jd_expression ***to[] = {&f->r, &f->linf, &f->lplus};
    static const char *const keys[] = {"r", "linf", "lplus"};
    for (int k = 0; k < 3; k++) {
        if (from[k]->n == 0) continue;
        *to[k] = JD_TAKE(arena, jd_expression *, f->n);
        JD_TRY(jd_arena_status(arena));
        for (int i = 0; i < f->n; i++) {
            jd_status s = jd_expression_create(arena, from[k]->text[i], n, name, at, &(*to[k])[i]);
            if (s == JD_OK) continue;
            jd_fail_where(jd_arena_context(arena), "structure.%s.%d", keys[k], i + 1);
            return s;
        }
    }
    if (d->period) JD_TRY(jd_expression_create(arena, d->period, n, name, at, &f->period));
    if (!d->h) return JD_OK;
    JD_TRY(jd_expression_create(arena, d->h, n, name, at, &f->h));
    JD_TRY(jd_expression_create(arena, d->lambda_plus, n, name, at, &f->lambda[0]));
    return jd_expression_create(arena, d->lambda_minus, n, name, at, &f->lambda[1]);
}

static jd_status open_model(const jd_structure *s, int point, jd_arena *arena, jd_pws *out) {
    const jd_piecewise_def *d = s->data;
    formulas *f = JD_TAKE(arena, formulas, 1);
    (void)point;
    JD_TRY(jd_arena_status(arena));
    f->n = d->r.n;
    out->data = f;
    out->close = close_model;
    JD_TRY(parse(arena, d, f));
    out->model = (jd_closure_model){.n = f->n,
                                    .user = f,
                                    .sigma = d->sigma,
                                    .r = r,
                                    .linf = linf,
                                    .lplus = f->lplus ? lplus : NULL,
                                    .lambda = d->h ? lambda : NULL,
                                    .h = d->h ? h : NULL};
    return jd_pws_rows(arena, 0, out);
}

static jd_status check(jd_context *context, const void *def) {
    const jd_piecewise_def *d = def;
    int n = d->r.n;
    if (d->linf.n != n || (d->lplus.n != 0 && d->lplus.n != n))
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`r` has %d formulas, `linf` %d and `lplus` %d, but must have as many", n,
                       d->linf.n, d->lplus.n);
    if (d->names.n != d->values.n)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "there are %d `names` of parameters and %d `values`", d->names.n,
                       d->values.n);
    if (d->h && (!d->lambda_plus || !d->lambda_minus))
        return jd_fail(context, JD_MISSING_KEY, "`h` needs `lambda_plus` and `lambda_minus`");
    return JD_OK;
}

static const jd_structure_class *self(void);

// The equations have no terms for a surface or a force that moves by itself.
static jd_status refuse_time(jd_context *context, const formulas *f, const char *key,
                             jd_expression *const *list, int n) {
    for (int i = 0; list && i < n; i++) {
        if (!list[i] || !jd_expression_uses(list[i], &f->t)) continue;
        jd_fail(context, JD_NOT_SUPPORTED, "`t` occurs in `%s`, but only `r` may depend on time",
                key);
        jd_fail_hint(context,
                     "add a state y with r = 1: it is the time, and any formula may use it");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

static jd_status check_time(jd_context *context, const formulas *f) {
    JD_TRY(refuse_time(context, f, "linf", f->linf, f->n));
    JD_TRY(refuse_time(context, f, "lplus", f->lplus, f->n));
    JD_TRY(refuse_time(context, f, "h", &f->h, 1));
    JD_TRY(refuse_time(context, f, "lambda_plus", &f->lambda[0], 1));
    JD_TRY(refuse_time(context, f, "lambda_minus", &f->lambda[1], 1));
    return refuse_time(context, f, "period", &f->period, 1);
}

// r at t and t + period, at a few states; they must agree to rounding.
static bool repeats(formulas *f, double period) {
    double y[MOST_TIMED], a[MOST_TIMED], b[MOST_TIMED];
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < f->n; i++) y[i] = sin(1.7 * i + k);
        r(f, 0.37 * k * period, y, a);
        r(f, 0.37 * k * period + period, y, b);
        for (int i = 0; i < f->n; i++)
            if (fabs(a[i] - b[i]) > 1e-9 * (fabs(a[i]) + fabs(b[i]) + 1e-3)) return false;
    }
    return true;
}

// The period of r in t: 0 where t does not occur, NaN where nothing is said.
static jd_status find_period(jd_context *context, formulas *f, double *period) {
    bool timed = false;
    for (int i = 0; i < f->n; i++) timed |= jd_expression_uses(f->r[i], &f->t);
    *period = timed ? (double)NAN : 0;
    if (!timed || !f->period) return JD_OK;
    double value = jd_expression_value(f->period);
    if (value > 0 && isfinite(value) && f->n <= MOST_TIMED && repeats(f, value)) {
        *period = value;
        return JD_OK;
    }
    jd_fail(context, JD_OUT_OF_RANGE, "`r` does not repeat after the `period` %.10g", value);
    jd_fail_hint(context, "a force sin(w*t) repeats after 2*_pi/w");
    return JD_OUT_OF_RANGE;
}

// Formulas are parsed once here, so that a bad one is told when the model is read.
static jd_status build(jd_structure *s, const void *def) {
    jd_piecewise_def *own = jd_type_clone(s->arena, &self()->type, def);
    JD_TRY(jd_arena_status(s->arena));
    s->data = own;
    jd_pws trial = {0};
    jd_status status = open_model(s, -1, s->arena, &trial);
    jd_context *context = jd_arena_context(s->arena);
    if (status == JD_OK) status = check_time(context, trial.data);
    if (status == JD_OK) status = find_period(context, trial.data, &s->period);
    if (trial.close) close_model(&trial);
    JD_TRY(status);
    return jd_pws_points(s, NULL, own->r.n);
}

static bool switches(const void *def) { return ((const jd_piecewise_def *)def)->h != NULL; }

const jd_structure_class jd_piecewise_class = {
    .type = {.name = "piecewise",
             .doc = "a piecewise-smooth model by formulas",
             .def_size = sizeof(jd_piecewise_def),
             .params = params,
             .check = check},
    .capabilities = JD_CAN_PWS,
    .build = build,
    .open = open_model,
    .switches = switches,
};

static const jd_structure_class *self(void) { return &jd_piecewise_class; }
