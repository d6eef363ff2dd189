// fit.c -- judder fit: numbers of the model from measured displacements.
#include <math.h>

#include "command.h"

static const char *number(call *c, const char *format, double x) {
    char text[64];
    snprintf(text, sizeof text, format, x); // NOLINT(clang-diagnostic-format-nonliteral)
    const char *kept = jd_arena_text(c->arena, text);
    return kept ? kept : "";
}

static void print_fit(call *c, const jd_problem *p, const jd_fit_view *v) {
    const char *unit = jd_problem_is_si(p) ? " m" : "";
    if (jd_problem_title(p)[0]) printf("%s\n\n", jd_problem_title(p));
    printf("fit          %s: %s\n", jd_fitting_end_name(v->end), jd_fitting_end_text(v->end));
    printf("data         %d values%s%s\n", v->n_datum, v->samples ? " over time" : " over ",
           v->samples ? "" : v->over);
    table *t = table_create(c, "lrrrr");
    table_row(t, (const char *[]){"number", "model", "fitted", "deviation", "relative"});
    for (int i = 0; i < v->n_parameter; i++) {
        const jd_fit_parameter *q = &v->parameter[i];
        table_row(t, (const char *[]){q->key, number(c, "%.8g", q->start),
                                      number(c, "%.8g", q->value), number(c, "%.2g", q->deviation),
                                      number(c, "%.2g %%", 100 * fabs(q->deviation / q->value))});
    }
    table_print(t, "  ", stdout);
    for (int i = 0; i < v->n_parameter; i++)
        for (int j = 0; j < i; j++)
            if (fabs(v->correlation[i * v->n_parameter + j]) > 0.9)
                printf("             %s and %s are hardly told apart: correlation %.3f\n",
                       v->parameter[j].key, v->parameter[i].key,
                       v->correlation[i * v->n_parameter + j]);
    printf("left over    %.4g%s (root mean square); noise %.4g%s, %s\n", v->rms, unit, v->noise,
           unit, v->estimated ? "estimated from it" : "as given");
    if (v->others > 0 && v->samples)
        printf("other        `orbit` with the fitted numbers finds another orbit than the fit\n");
    else if (v->others > 0)
        printf(
            "other        at %d value%s of %s `orbit` with the fitted numbers finds another orbit "
            "than the fit\n",
            v->others, v->others == 1 ? "" : "s", v->over);
    printf("cost         %d iteration%s, %ld orbits; differences would have taken %ld\n",
           v->iterations, v->iterations == 1 ? "" : "s", v->orbits, v->differences);
}

static jd_status run_fit(call *c) {
    jd_problem *problem;
    jd_fitting *fit = NULL;
    jd_result *result = NULL;
    JD_TRY(plot_check(c, "a fit", PLOT_PAGE));
    JD_TRY(load_model(c, &problem));
    report_listen();
    jd_status s = jd_fitting_create(c->context, problem, &fit);
    if (s == JD_OK) s = jd_result_of_fit(c->context, problem, fit, &result);
    if (s == JD_OK) s = deliver(c, result, -1, true);
    if (s == JD_OK && wants_words(c)) print_fit(c, problem, jd_fitting_look(fit));
    c->stopped = s == JD_OK && jd_fitting_look(fit)->end >= JD_FIT_ITERATIONS;
    jd_result_free(result);
    jd_fitting_free(fit);
    jd_problem_free(problem);
    return s;
}

const verb verb_fit = {
    .name = "fit",
    .arguments = "MODEL.yaml",
    .doc = "numbers of the model from measurements",
    .help = "Changes the numbers that the section `fit` names until the periodic motion of\n"
            "the model comes closest to the data, a CSV file: samples over time, or\n"
            "amplitudes over a number of the model such as the frequency of a drive. Gives\n"
            "the numbers with standard deviations and correlations. --plot draws data and\n"
            "model.\n",
    .shared = SHARED_RESULTS,
    .least = 1,
    .most = 1,
    .run = run_fit,
};
