// backbone.c -- judder backbone: frequency and damping of a mode over its amplitude.
#include <math.h>

#include "command.h"

enum { ROWS = 24 };

static const char *number(call *c, const char *format, double x) {
    char text[64];
    snprintf(text, sizeof text, format, x); // NOLINT(clang-diagnostic-format-nonliteral)
    const char *kept = jd_arena_text(c->arena, text);
    return kept ? kept : "";
}

static void print_backbone(call *c, const jd_problem *p, const jd_backbone_view *v) {
    bool si = jd_problem_is_si(p);
    if (jd_problem_title(p)[0]) printf("%s\n\n", jd_problem_title(p));
    printf("backbone     %s: %s\n", jd_backbone_end_name(v->end), jd_backbone_end_text(v->end));
    printf("mode         %d: %.10g%s with springs stuck, %.10g%s without contacts\n", v->mode,
           v->stuck, si ? " rad/s" : "", v->free, si ? " rad/s" : "");
    if (v->symmetric) printf("             the second half of each motion mirrors the first\n");
    table *t = table_create(c, "rrrr");
    table_row(t,
              (const char *[]){si ? "amplitude [m]" : "amplitude",
                               si ? "frequency [rad/s]" : "frequency", "damping ratio", "events"});
    int every = 1 + (v->n_point - 1) / ROWS;
    for (int i = 0; i < v->n_point; i++) {
        const jd_backbone_point *q = &v->point[i];
        if (i % every != 0 && i + 1 < v->n_point) continue;
        table_row(t, (const char *[]){number(c, "%.8g", q->amplitude), number(c, "%.10g", q->omega),
                                      number(c, "%.8g", q->damping), number(c, "%.0f", q->events)});
    }
    table_print(t, "  ", stdout);
    if (every > 1) printf("  one line in %d of %d; --csv and -o give all\n", every, v->n_point);
}

// Nothing is lost and a stop is there: the modes are those of `nsm`.
static bool is_nonsmooth(const jd_problem *p) {
    bool given;
    jd_problem_section(p, JD_NSM, &given);
    return given;
}

static jd_status run_backbone(call *c) {
    jd_problem *problem;
    jd_backbone *backbone = NULL;
    jd_result *result = NULL;
    bool given;
    JD_TRY(plot_check(c, "a backbone", PLOT_PAGE));
    JD_TRY(load_model(c, &problem));
    jd_problem_section(problem, JD_BACKBONE, &given);
    if (!given && is_nonsmooth(problem)) {
        jd_problem_free(problem);
        return verb_nsm.run(c);
    }
    report_listen();
    jd_status s = jd_backbone_create(c->context, problem, &backbone);
    if (s == JD_OK) s = jd_result_of_backbone(c->context, problem, backbone, &result);
    bool any = s == JD_OK && jd_backbone_look(backbone)->n_point > 1;
    if (s == JD_OK) s = deliver(c, result, -1, any);
    if (s == JD_OK && wants_words(c)) print_backbone(c, problem, jd_backbone_look(backbone));
    c->stopped = s == JD_OK && jd_backbone_look(backbone)->end != JD_BACKBONE_COMPLETE;
    jd_result_free(result);
    jd_backbone_free(backbone);
    jd_problem_free(problem);
    return s;
}

const verb verb_backbone = {
    .name = "backbone",
    .arguments = "MODEL.yaml",
    .doc = "frequency and damping over amplitude",
    .help = "The motion of a structure with friction decays; negative damping of the size of\n"
            "the loss makes it periodic. Its frequency and that damping, over the amplitude,\n"
            "from `backbone.from` to `backbone.to`. Harmonic drives are left out. A structure\n"
            "without losses that knocks against a stop (section `nsm`) is handed over to\n"
            "`judder nsm`. --plot draws both curves.\n",
    .shared = SHARED_RESULTS,
    .least = 1,
    .most = 1,
    .run = run_backbone,
};
