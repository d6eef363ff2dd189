// fit.c -- least squares by Levenberg and Marquardt's method (MINPACK, cminpack's lmder).
//   theta = theta_0 exp(x) of numbers that may not be negative, theta_0 + unit x of others;
//   r_i = (u_i - y_i)/scale; J exact (model.c). After it ended
//     cov(theta) = s^2 D (J'J)^-1 D,  D = d theta/dx,  s^2 = |r|^2/(m - n), or the noise that was
//     given.
//   A direction in which J does not change the data (singular value below 1e-9 of the largest, of
//   columns made equally long) is told by the numbers that take part in it.
#include "analysis/fit/fit.h"

#include <cminpack.h>
#include <math.h>
#include <string.h>

#include "base/words.h"
#include "linalg/general.h"
#include "problem/paths/slots.h"

static const double does_nothing = 1e-12; // of the data, by a change of the whole number
static const double alike = 1e-7;         // least singular value of equally long columns
static const double far_off = 1e6;        // residual where the model has no orbit

static const jd_word ends[] = {JD_FIT_END_LIST(JD_WORD)};
const char *jd_fitting_end_name(jd_fit_end e) {
    return jd_word_name(ends, JD_FIT_END_COUNT, (int)e);
}
const char *jd_fitting_end_text(jd_fit_end e) {
    return jd_word_text(ends, JD_FIT_END_COUNT, (int)e);
}

const jd_fit_view *jd_fitting_look(const jd_fitting *f) { return &f->view; }

void jd_fitting_free(jd_fitting *f) {
    if (!f) return;
    jd_fitting_forget(f);
    jd_arena_free(f->arena);
}

// The optimiser's rooms.
typedef struct levenberg {
    jd_fitting *fit;
    int m, n;
    double *x, *theta, *r, *J, *best; // best: theta of the last residuals
    double *scratch;
    int *pivot;
} levenberg;

static void numbers(const levenberg *l, const double *x, double *theta) {
    const jd_fitting *f = l->fit;
    for (int k = 0; k < l->n; k++)
        theta[k] = f->positive[k] ? f->start[k] * exp(x[k]) : f->start[k] + f->unit[k] * x[k];
}

// d theta/dx at the numbers of the last residuals.
static double rate(const levenberg *l, int k) {
    return l->fit->positive[k] ? l->theta[k] : l->fit->unit[k];
}

static jd_status residuals(levenberg *l, const double *x, double *r) {
    jd_fitting *f = l->fit;
    bool found;
    numbers(l, x, l->theta);
    JD_TRY(jd_fitting_model(f, l->theta, r, &found));
    for (int i = 0; i < l->m; i++) r[i] = found ? (r[i] - f->data.y[i]) / f->data.scale : far_off;
    return JD_OK;
}

static jd_status slopes(levenberg *l, double *J) {
    jd_fitting *f = l->fit;
    JD_TRY(jd_fitting_slopes(f, J));
    for (int k = 0; k < l->n; k++)
        for (int i = 0; i < l->m; i++) J[k * l->m + i] *= rate(l, k) / f->data.scale;
    return JD_OK;
}

static int evaluate(void *user, int m, int n, const double *x, double *r, double *J, int stride,
                    int flag) {
    levenberg *l = user;
    (void)m, (void)n, (void)stride;
    jd_fitting *f = l->fit;
    if (jd_stop_wanted(f->context)) return -1;
    if (flag == 2) {
        f->view.iterations++;
        jd_progress(f->context, "fit", (double)f->view.iterations / f->def->iterations);
        if (f->view.iterations > f->def->iterations) return -2;
    }
    f->failed = flag == 1 ? residuals(l, x, r) : slopes(l, J);
    if (f->failed == JD_OK) return 0;
    if (f->failed == JD_OUT_OF_MEMORY || !jd_stop_wanted(f->context)) return -3;
    f->failed = JD_OK; // a motion that was stopped
    jd_context_clear_error(f->context);
    return -1;
}

static double length(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static jd_status refuse(jd_fitting *f, const char *names, const char *what) {
    jd_fail(f->context, JD_NOT_SUPPORTED, "%s %s", names, what);
    jd_fail_where(f->context, "fit.parameters");
    jd_fail_hint(f->context, "leave one out, or measure where the motion depends on it");
    return JD_NOT_SUPPORTED;
}

// Direction of least effect of J with columns made equally long, by inverse iteration on J'J.
static double weakest(levenberg *l, const double *J, double *v) {
    int n = l->n;
    double *A = l->scratch, *lu = A + n * n, value = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double *a = J + (size_t)i * (size_t)l->m, *b = J + (size_t)j * (size_t)l->m;
            double sum = 0;
            for (int k = 0; k < l->m; k++) sum += a[k] * b[k];
            A[i * n + j] = sum / (length(l->m, a) * length(l->m, b)) + (i == j ? 1e-15 : 0);
        }
    memcpy(lu, A, (size_t)(n * n) * sizeof *lu);
    for (int i = 0; i < n; i++) v[i] = 1 + 0.1 * i;
    if (!jd_lu_factor(n, lu, l->pivot)) return 0;
    for (int round = 0; round < 30; round++) {
        double size = length(n, v);
        for (int i = 0; i < n; i++) v[i] /= size;
        jd_lu_solve(n, lu, l->pivot, v);
        value = 1 / length(n, v);
    }
    double size = length(n, v);
    for (int i = 0; i < n; i++) v[i] /= size;
    return sqrt(fabs(value));
}

// Numbers that do not matter, or not each by itself, are named.
static jd_status check_rank(levenberg *l, const double *J) {
    jd_fitting *f = l->fit;
    double *v = JD_TAKE(f->arena, double, l->n + 1);
    const char *names = NULL;
    JD_TRY(jd_arena_status(f->arena));
    for (int k = 0; k < l->n; k++)
        if (!(length(l->m, J + (size_t)k * (size_t)l->m) > does_nothing))
            return refuse(f, jd_arena_format(f->arena, "`%s`", f->def->parameters.text[k]),
                          "does not matter: no value of the data depends on it");
    if (weakest(l, J, v) > alike) return JD_OK;
    for (int k = 0; k < l->n; k++) {
        if (fabs(v[k]) < 0.1) continue;
        names = jd_arena_format(f->arena, "%s%s`%s`", names ? names : "", names ? ", " : "",
                                f->def->parameters.text[k]);
    }
    JD_TRY(jd_arena_status(f->arena));
    return refuse(f, names, "cannot be told apart: together they change nothing in the data");
}

static jd_status optimise(levenberg *l) {
    jd_fitting *f = l->fit;
    int m = l->m, n = l->n, calls, jacobians, info;
    double *work = l->scratch, tolerance = f->def->tolerance;
    JD_TRY(residuals(l, l->x, l->r));
    if (l->r[0] == far_off) {
        jd_fail(f->context, JD_NO_CONVERGENCE, "the model as it is has no orbit to begin with");
        jd_fail_where(f->context, "fit");
        jd_fail_hint(f->context, "`judder orbit` says why; give values nearer to the truth");
        return JD_NO_CONVERGENCE;
    }
    JD_TRY(slopes(l, l->J));
    JD_TRY(check_rank(l, l->J));
    f->view.orbits = f->view.differences = f->view.iterations = 0;
    info = lmder(evaluate, l, m, n, l->x, l->r, l->J, m, tolerance, tolerance, 0,
                 100 * (f->def->iterations + 1), work, 1, 1, 0, &calls, &jacobians, l->pivot,
                 work + n, work + 2 * n, work + 3 * n, work + 4 * n, work + 5 * n);
    JD_TRY(f->failed);
    f->view.end = info == -1                ? JD_FIT_INTERRUPTED
                  : info == -2 || info == 5 ? JD_FIT_ITERATIONS
                  : info == 4               ? JD_FIT_EXACT
                                            : JD_FIT_CONVERGED;
    return JD_OK;
}

// (J'J)^-1 at the end, from a Jacobian of its own.
static jd_status spread(levenberg *l, jd_fit_parameter *out, double *correlation) {
    jd_fitting *f = l->fit;
    int n = l->n, m = l->m;
    double *A = l->scratch, *b = A + 2 * n * n, sum = length(m, l->r), *sd = b + n;
    JD_TRY(slopes(l, l->J));
    JD_TRY(check_rank(l, l->J));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double x = 0;
            for (int k = 0; k < m; k++) x += l->J[i * m + k] * l->J[j * m + k];
            A[i * n + j] = x;
        }
    if (!jd_lu_factor(n, A, l->pivot))
        return jd_fail(f->context, JD_NO_CONVERGENCE, "the covariance is singular");
    f->view.rms = f->data.scale * sum / sqrt((double)m);
    f->view.estimated = !(f->def->noise > 0);
    f->view.noise = f->view.estimated ? f->data.scale * sum / sqrt((double)(m - n)) : f->def->noise;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < n; j++) {
            memset(b, 0, (size_t)n * sizeof *b);
            b[j] = 1;
            jd_lu_solve(n, A, l->pivot, b);
            if (pass == 0) sd[j] = sqrt(b[j]);
            for (int i = 0; pass && i < n; i++) correlation[i * n + j] = b[i] / (sd[i] * sd[j]);
        }
    for (int k = 0; k < n; k++)
        out[k] = (jd_fit_parameter){.key = f->def->parameters.text[k],
                                    .start = f->start[k],
                                    .value = l->theta[k],
                                    .deviation =
                                        f->view.noise / f->data.scale * fabs(rate(l, k)) * sd[k]};
    return JD_OK;
}

// Where a model has several orbits the fit may have followed another one than `orbit` finds.
static jd_status tell_others(jd_fitting *f, jd_fit_datum *datum) {
    int per_orbit = f->view.n_datum / f->n_orbit;
    for (int i = 0; i < f->n_orbit; i++) {
        bool other;
        if (jd_stop_wanted(f->context)) return JD_OK;
        JD_TRY(jd_fitting_other(f, i, &other));
        f->view.others += other;
        for (int k = 0; k < per_orbit; k++) datum[i * per_orbit + k].other = other;
    }
    return JD_OK;
}

static jd_status finish(levenberg *l) {
    jd_fitting *f = l->fit;
    fit_data *d = &f->data;
    jd_fit_parameter *p = JD_TAKE(f->arena, jd_fit_parameter, l->n);
    jd_fit_datum *datum = JD_TAKE(f->arena, jd_fit_datum, l->m);
    double *correlation = JD_TAKE(f->arena, double, l->n * l->n);
    JD_TRY(jd_arena_status(f->arena));
    f->view.differences += f->view.orbits; // as many orbits without derivatives, and those
    long orbits = f->view.orbits, differences = f->view.differences;
    JD_TRY(residuals(l, l->x, l->r)); // the last ones may be of a step that was not taken
    JD_TRY(spread(l, p, correlation));
    f->view.orbits = orbits;
    f->view.differences = differences;
    for (int i = 0; i < l->m; i++)
        datum[i] = (jd_fit_datum){.x = d->x[i / d->n_place],
                                  .place = d->name[i % d->n_place],
                                  .measured = d->y[i],
                                  .model = d->y[i] + d->scale * l->r[i]};
    f->view.samples = d->samples;
    f->view.over = d->over;
    f->view.n_parameter = l->n;
    f->view.parameter = p;
    f->view.correlation = correlation;
    f->view.n_datum = l->m;
    f->view.datum = datum;
    return tell_others(f, datum);
}

// Places of a gradient: contacts, then points.
static jd_status number_places(jd_fitting *f) {
    fit_data *d = &f->data;
    f->place = JD_TAKE(f->arena, int, d->n_place);
    f->point = JD_TAKE(f->arena, const char *, d->n_place);
    JD_TRY(jd_arena_status(f->arena));
    for (int i = 0; i < d->n_place; i++) {
        f->place[i] = d->contact[i];
        if (d->contact[i] >= 0) continue;
        f->place[i] = jd_problem_contacts(f->problem) + f->n_point;
        f->point[f->n_point++] = d->name[i];
    }
    return JD_OK;
}

static bool keep_slot(void *user, const char *path, const jd_slot *slot) {
    (void)path;
    *(jd_slot *)user = *slot;
    return false;
}

static jd_status prepare(jd_fitting *f, levenberg *l) {
    int n = f->def->parameters.n;
    JD_TRY(jd_fitting_read(f));
    for (int k = 0; k < n; k++) {
        const char *key = f->def->parameters.text[k];
        JD_TRY(jd_gradient_check_key(f->context, f->problem, key));
        if (!f->data.samples && !strcmp(key, f->data.over))
            return refuse(f, jd_arena_format(f->arena, "`%s`", key),
                          "is what the data were measured over");
    }
    if (!f->data.samples) JD_TRY(jd_gradient_check_key(f->context, f->problem, f->data.over));
    JD_TRY(number_places(f));
    int m = f->data.n_row * f->data.n_place;
    f->n_orbit = f->data.samples ? 1 : f->data.n_row;
    f->at = JD_TAKE(f->arena, fit_orbit, f->n_orbit);
    f->start = JD_TAKE(f->arena, double, n);
    f->unit = JD_TAKE(f->arena, double, n);
    f->positive = JD_TAKE(f->arena, bool, n);
    *l = (levenberg){.fit = f, .m = m, .n = n};
    l->x = JD_TAKE(f->arena, double, n);
    l->theta = JD_TAKE(f->arena, double, n);
    l->r = JD_TAKE(f->arena, double, m);
    l->J = JD_TAKE(f->arena, double, (size_t)m *(size_t)n);
    l->scratch = JD_TAKE(f->arena, double, 2 * n * n + 6 * n + m);
    l->pivot = JD_TAKE(f->arena, int, n);
    JD_TRY(jd_arena_status(f->arena));
    for (int k = 0; k < n; k++) {
        JD_TRY(jd_problem_get(f->problem, f->def->parameters.text[k], &f->start[k]));
        f->unit[k] = f->start[k] != 0 ? fabs(f->start[k]) : 1;
        jd_slot slot = {0};
        jd_problem_walk(f->problem, f->def->parameters.text[k], keep_slot, &slot);
        bool bounded = slot.param ? slot.param->low >= 0 : slot.above >= 0;
        f->positive[k] = f->start[k] > 0 && bounded;
    }
    return JD_OK;
}

static jd_status make(jd_fitting *f) {
    levenberg l;
    bool given;
    f->def = jd_problem_section(f->problem, JD_FIT, &given);
    if (!given) {
        jd_fail(f->context, JD_MISSING_KEY, "the model does not say what to fit");
        jd_fail_hint(f->context, "add `fit: {parameters: [...], data: measured.csv}`");
        return JD_MISSING_KEY;
    }
    JD_TRY(prepare(f, &l));
    JD_TRY(optimise(&l));
    return finish(&l);
}

jd_status jd_fitting_create(jd_context *context, jd_problem *problem, jd_fitting **out) {
    *out = NULL;
    JD_TRY(jd_problem_build(problem));
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_fitting *f = JD_TAKE(arena, jd_fitting, 1);
    jd_status status = jd_arena_status(arena);
    if (status != JD_OK) {
        jd_arena_free(arena);
        return status;
    }
    *f = (jd_fitting){.context = context, .problem = problem, .arena = arena};
    status = make(f);
    if (status == JD_OK)
        *out = f;
    else
        jd_fitting_free(f);
    return status;
}
