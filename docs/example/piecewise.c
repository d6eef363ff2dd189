// piecewise.c -- a piecewise-smooth model of one's own, from C: friction on an oscillator whose
// contact still knows how fast waves leave it.
//   cc piecewise.c -o piecewise $(pkg-config --cflags --libs judder)
//   y1' = y2,  y2' - L lambda' = -y1 - 2 beta y2 + lambda - sigma L (lambda - kappa)
//   lambda = -+1 + alpha (y2 - 1) where y2 >< 1; on y2 = 1 it moves continuously between the two
#include <judder/judder.h>
#include <stdio.h>

typedef struct numbers {
    double alpha, beta, L;
} numbers;

static void r(void *user, double t, const double *y, double *out) {
    const numbers *n = user;
    (void)t;
    out[0] = y[1];
    out[1] = -y[0] - 2 * n->beta * y[1];
}

static void linf(void *user, const double *y, double *out) {
    (void)user;
    (void)y;
    out[0] = 0;
    out[1] = 1;
}

static void lplus(void *user, const double *y, double *out) {
    (void)y;
    out[0] = 0;
    out[1] = ((const numbers *)user)->L;
}

static double h(void *user, const double *y) {
    (void)user;
    return y[1] - 1;
}

static double lambda(void *user, int side, const double *y) {
    return -side + ((const numbers *)user)->alpha * (y[1] - 1);
}

// The motion until t = 20, event by event.
static jd_status print_events(jd_context *context, jd_problem *problem) {
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    jd_report report;
    jd_status status = jd_run_create(context, problem, &run);
    while (status == JD_OK && step == JD_STEP_EVENT) {
        status = jd_run_advance(run, 20, &step);
        if (status != JD_OK || step != JD_STEP_EVENT) break;
        const jd_event *e = jd_run_event(run);
        printf("%.9f  %c -> %c\n", e->t, jd_contact_letter(e->from), jd_contact_letter(e->to));
    }
    if (status == JD_OK) {
        jd_run_report(run, &report);
        if (step == JD_STEP_STOPPED) // such as: not unique here: (1 - dlambda.Lplus) = ...
            printf("stopped: %s\n", report.note ? report.note : jd_stop_text(report.stop));
    }
    jd_run_free(run);
    return status;
}

static jd_status print_orbit(jd_context *context, jd_problem *problem) {
    jd_orbit *orbit = NULL;
    jd_status status = jd_orbit_create(context, problem, NULL, &orbit);
    if (status == JD_OK) {
        const jd_orbit_view *v = jd_orbit_look(orbit);
        printf("period %.10f, %s\n", v->period, v->stability.stable ? "stable" : "not stable");
    }
    jd_orbit_free(orbit);
    return status;
}

int main(void) {
    static numbers values = {.alpha = 0.5, .beta = 0.03, .L = 0.05};
    static const double start[] = {0.6, 0.5};
    const jd_closure_model model = {.n = 2,
                                    .user = &values,
                                    .sigma = 50,
                                    .r = r,
                                    .linf = linf,
                                    .lplus = lplus, // NULL: Filippov
                                    .lambda = lambda,
                                    .h = h, // gradients are found by differences
                                    .start = start};
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    jd_status status = jd_problem_create(context, &problem);
    if (status == JD_OK) status = jd_problem_add_closure(problem, "", &model);
    if (status == JD_OK) status = print_events(context, problem);
    if (status == JD_OK) status = print_orbit(context, problem);
    if (status != JD_OK) fprintf(stderr, "%s\n", jd_context_error(context)->message);
    jd_problem_free(problem);
    jd_context_free(context);
    return status != JD_OK;
}
