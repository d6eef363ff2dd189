// others.c -- a problem with one of its numbers at a few other values.
//   Nodes -4 .. 4 without 0 (error h^8), or 0 .. 8 to one side; weights of the derivative at 0
//     w_i = l_i'(0),  l_i the polynomial that is 1 at node i and 0 at the others.
//   A second list of weights with the inner nodes only tells the error.
#include "analysis/gradient/others.h"

#include <math.h>
#include <string.h>

enum { SIDE = 4 };

// l_i'(0) over the nodes first .. last.
static double weight(const double *x, int first, int last, int i) {
    double sum = 0;
    for (int j = first; j <= last; j++) {
        double product = 1;
        if (j == i) continue;
        for (int m = first; m <= last; m++)
            if (m != i && m != j) product *= -x[m] / (x[i] - x[m]);
        sum += product / (x[i] - x[j]);
    }
    return sum;
}

// side: 0 both, 1 upwards, -1 downwards.
static void set_nodes(jd_others *o, int side) {
    o->n = side ? JD_STENCIL : 2 * SIDE;
    for (int i = 0; i < o->n; i++)
        o->node[i] = side ? side * i : i < SIDE ? i - SIDE : i - SIDE + 1;
    for (int i = 0; i < o->n; i++) {
        int first = side ? 0 : 1, last = side ? o->n - 3 : o->n - 2;
        bool inner = i >= first && i <= last;
        o->stencil.weight[0][i] = weight(o->node, 0, o->n - 1, i) / o->h;
        o->stencil.weight[1][i] = inner ? weight(o->node, first, last, i) / o->h : 0;
    }
    for (int i = 0; i < SIDE && !side; i++) // to the last digit: what does not change has slope 0
        for (int c = 0; c < JD_STENCIL_COLUMNS; c++)
            o->stencil.weight[c][i] = -o->stencil.weight[c][o->n - 1 - i];
    o->stencil.n = o->n;
}

double jd_others_slope(const jd_others *o, const double *x, int column) {
    const double *w = o->stencil.weight[column];
    double sum = 0;
    if (o->n == JD_STENCIL) // to one side, from x_0
        for (int k = 1; k < o->n; k++) sum += w[k] * (x[k] - x[0]);
    else
        for (int k = SIDE; k < o->n; k++) sum += w[k] * (x[k] - x[o->n - 1 - k]);
    return sum;
}

static double along(int n, int rows, jd_dd *const *a, jd_dd *const *b, int k) {
    double sum = 0;
    (void)n;
    for (int i = 0; i < rows; i++)
        if (a && b && a[i] && b[i]) sum += a[i][k].hi * b[i][k].hi;
    return sum;
}

// Eigenvectors are known up to their sign: those of `b` as they lie beside those of `a`.
static jd_status align(const jd_system *a, const jd_system *b, jd_arena *arena,
                       const double **out) {
    int n = a->modal.n;
    double *sign = JD_TAKE(arena, double, n + 1);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < n; k++) {
        double sum = along(n, a->n_contact, a->contact, b->contact, k) +
                     along(n, a->n_contact, a->normal, b->normal, k) +
                     along(n, a->n_drive, a->drive, b->drive, k);
        sign[k] = sum < 0 ? -1 : 1;
    }
    *out = sign;
    return JD_OK;
}

// One copy; *why: it cannot be.
static jd_status make(jd_others *o, int k, jd_arena *arena, const char *path, double value,
                      const char *engine, const char **why) {
    const jd_system *system = jd_problem_system(o->from);
    JD_TRY(jd_problem_copy(o->context, o->from, &o->problem[k]));
    jd_problem *p = o->problem[k];
    if (engine) {
        jd_simulate_def s = *(const jd_simulate_def *)jd_problem_section(p, JD_SIMULATE, NULL);
        s.engine = engine;
        JD_TRY(jd_problem_set_section(p, JD_SIMULATE, &s));
    }
    if (!path) jd_problem_pump(p, value);
    jd_status status = path ? jd_problem_set(p, path, value, NULL) : JD_OK;
    if (status == JD_OK) status = jd_problem_build(p);
    if (status == JD_OK) status = jd_run_create(o->context, p, &o->stencil.run[k]);
    if (status == JD_OUT_OF_MEMORY) return status;
    if (status != JD_OK) {
        const char *text = jd_context_error(o->context)->message;
        *why = jd_arena_text(arena, text[0] ? text : "there is no such model");
        jd_context_clear_error(o->context);
        return jd_arena_status(arena);
    }
    jd_run_for_analysis(o->stencil.run[k]);
    if (jd_problem_system(p)->modal.n != system->modal.n) {
        *why = "it changes the number of modes";
        return JD_OK;
    }
    return align(system, jd_problem_system(p), arena, &o->stencil.sign[k]);
}

void jd_others_close(jd_others *o) {
    for (int k = 0; k < JD_STENCIL; k++) {
        jd_run_free(o->stencil.run[k]);
        jd_problem_free(o->problem[k]);
        o->stencil.run[k] = NULL;
        o->problem[k] = NULL;
    }
}

jd_status jd_others_open(jd_context *context, const jd_problem *problem, jd_arena *arena,
                         const char *path, double theta, double share, const char *engine,
                         jd_others *o, const char **why) {
    static const int sides[] = {0, 1, -1};
    jd_status status = JD_OK;
    const char *upwards = NULL;
    *o = (jd_others){.context = context, .from = problem};
    for (int i = 0; i < 3 && status == JD_OK; i++) {
        o->h = share * (theta != 0 ? fabs(theta) : 1);
        *why = NULL;
        set_nodes(o, sides[i]);
        for (int k = 0; k < o->n && status == JD_OK && !*why; k++)
            status = make(o, k, arena, path, theta + o->node[k] * o->h, engine, why);
        if (status == JD_OK && !*why) return JD_OK;
        if (sides[i] > 0) upwards = *why;
        jd_others_close(o);
    }
    *why = upwards;
    return status;
}
