// converge.c -- runs of one problem at growing resolution, and the order at which they settle.
//   ratio_i = m_i/m_n;  order_i = log(e_{i-1}/e_i)/log(x_i/x_{i-1}),  e = |ratio - 1|   [Fig. 13]
#include "judder/converge.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/fail.h"
#include "base/param_tools.h"
#include "judder/run.h"

enum { SAMPLES = 1000, NAME = 200 };

static const char *const kinds[] = {"norm", "final", "max", "min"};
enum { NORM, FINAL, MAX, MIN, KINDS };

// "pile.tip.norm" -> point and kind
static jd_status read_measure(jd_context *c, const char *text, char *point, int *kind) {
    const char *dot = text ? strrchr(text, '.') : NULL;
    for (*kind = 0; dot && *kind < KINDS; ++*kind)
        if (!strcmp(dot + 1, kinds[*kind]) && dot - text < NAME) {
            memcpy(point, text, (size_t)(dot - text));
            point[dot - text] = '\0';
            return JD_OK;
        }
    jd_fail(c, JD_BAD_ARGUMENT, "`%s` is no measure", text ? text : "");
    const char *near = dot ? jd_nearest(dot + 1, KINDS, kinds) : NULL;
    jd_fail_hint(c, "write POINT.%s: norm, final, max and min of a displacement are known",
                 near ? near : "norm");
    return JD_BAD_ARGUMENT;
}

// To time t, whatever happens before; events are counted.
static jd_status go_to(jd_context *c, jd_run *run, double t, long *events) {
    for (;;) {
        jd_step step;
        JD_TRY(jd_run_advance(run, t, &step));
        if (step == JD_STEP_TIME) return JD_OK;
        ++*events;
        if (step != JD_STEP_STOPPED) continue;
        jd_report r;
        jd_run_report(run, &r);
        return jd_fail(c, JD_NO_CONVERGENCE, "the run stopped at t = %.10g: %s", r.t,
                       jd_stop_text(r.stop));
    }
}

static double add(double so_far, double u, double weight, int kind) {
    switch (kind) {
    case NORM:
        return so_far + weight * u * u;
    case MAX:
        return fmax(so_far, u);
    case MIN:
        return fmin(so_far, u);
    default:
        return u;
    }
}

static jd_status measure(jd_context *c, jd_run *run, const char *point, int kind, double until,
                         jd_converge_point *out) {
    int index;
    double u = 0, v = 0, sum = kind == MAX ? -HUGE_VAL : kind == MIN ? HUGE_VAL : 0;
    JD_TRY(jd_run_probe(run, point, &index));
    for (int i = 0; i <= SAMPLES; i++) {
        double t = until * i / SAMPLES;
        JD_TRY(go_to(c, run, t, &out->events));
        jd_run_observe(run, t, &u, &v);
        sum = add(sum, u, until / SAMPLES * (i == 0 || i == SAMPLES ? 0.5 : 1), kind);
    }
    out->measure = kind == NORM ? sqrt(sum) : sum;
    return JD_OK;
}

static jd_status run_once(jd_context *c, jd_problem *p, const jd_converge_def *def,
                          jd_converge_point *out) {
    char point[NAME];
    int kind;
    double until;
    jd_run *run = NULL;
    jd_rebuild rebuild;
    clock_t begin = clock();
    JD_TRY(read_measure(c, def->measure, point, &kind));
    JD_TRY(jd_problem_set(p, def->parameter, out->value, &rebuild));
    JD_TRY(jd_problem_build(p));
    const jd_simulate_def *simulate = jd_problem_section(p, JD_SIMULATE, NULL);
    JD_TRY(jd_problem_duration(p, &simulate->until, &until));
    JD_TRY(jd_run_create(c, p, &run));
    jd_status s = measure(c, run, point, kind, until, out);
    jd_run_free(run);
    out->seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    return s;
}

static void compare(int n, jd_converge_point *p) {
    for (int i = 0; i < n; i++) {
        p[i].ratio = p[i].measure / p[n - 1].measure;
        p[i].order = (double)NAN;
        if (i == 0 || i == n - 1) continue;
        double before = fabs(p[i - 1].ratio - 1), now = fabs(p[i].ratio - 1);
        if (before > 0 && now > 0)
            p[i].order = log(before / now) / log(p[i].value / p[i - 1].value);
    }
}

jd_status jd_converge(jd_context *c, const jd_problem *problem, const jd_converge_def *def,
                      jd_converge_point *out) {
    for (int i = 0; i < def->n; i++) {
        if (i > 0 && !(def->value[i] > def->value[i - 1]))
            return jd_fail(c, JD_OUT_OF_RANGE,
                           "the values of `%s` must ascend, but %.10g comes after %.10g",
                           def->parameter, def->value[i], def->value[i - 1]);
        out[i] = (jd_converge_point){.value = def->value[i]};
    }
    for (int i = 0; i < def->n; i++) {
        jd_problem *p;
        JD_TRY(jd_problem_copy(c, problem, &p));
        jd_status s = run_once(c, p, def, &out[i]);
        jd_problem_free(p);
        if (s != JD_OK) jd_fail_where(c, "%s = %.10g", def->parameter, out[i].value);
        JD_TRY(s);
        jd_progress(c, "converge", (i + 1.0) / def->n);
    }
    compare(def->n, out);
    return JD_OK;
}

int jd_converge_from(int n, const jd_converge_point *p, double share) {
    int i = n;
    while (i > 0 && fabs(p[i - 1].ratio - 1) <= share) i--;
    return i;
}
