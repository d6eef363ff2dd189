// converge.c -- judder converge: how a result settles as nodes or modes are added.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"

typedef struct converge_asked {
    option_list over;    // lists of values
    const char *measure; // NULL: not said
} converge_asked;

static jd_status bad_over(call *c, const char *text) {
    jd_fail(c->context, JD_BAD_USAGE, "--over `%s` is no list of values", text);
    jd_fail_hint(c->context, "write a path and ascending numbers: simulate.nodes=76,152,304");
    return JD_BAD_USAGE;
}

// "simulate.nodes=76,152,304"
static jd_status read_over(call *c, const char *text, jd_converge_def *out) {
    const char *equals = strchr(text, '=');
    int room = 1;
    if (!equals || equals == text) return bad_over(c, text);
    for (const char *s = equals; *s; s++) room += *s == ',';
    double *value = JD_TAKE(c->arena, double, room);
    char *path = jd_arena_text(c->arena, text);
    if (!value || !path) return out_of_memory(c);
    path[equals - text] = '\0';
    *out = (jd_converge_def){.parameter = path, .value = value};
    for (const char *s = equals + 1;; s++) {
        char *end;
        errno = 0;
        value[out->n++] = strtod(s, &end);
        if (errno || end == s || (*end && *end != ',')) return bad_over(c, text);
        s = end;
        if (!*s) break;
    }
    return out->n >= 2 ? JD_OK : bad_over(c, text);
}

// The measure asked for, or the norm of the last point of the output.
static jd_status find_measure(call *c, const jd_problem *problem, const char **out) {
    const converge_asked *asked = c->own;
    const jd_output_def *o = jd_problem_section(problem, JD_OUTPUT, NULL);
    *out = asked->measure;
    if (*out) return JD_OK;
    if (o->points.n == 0) {
        jd_fail(c->context, JD_BAD_USAGE, "the model names no point to measure");
        jd_fail_hint(c->context, "--measure POINT.norm says which; or list `output.points`");
        return JD_BAD_USAGE;
    }
    *out = jd_arena_format(c->arena, "%s.norm", o->points.text[o->points.n - 1]);
    return *out ? JD_OK : out_of_memory(c);
}

static void print_study(call *c, const jd_converge_def *d, const jd_converge_point *p) {
    table *t = table_create(c, "rrrrrr");
    table_row(t, (const char *[]){d->parameter, d->measure, "ratio", "order", "events", "seconds"});
    for (int i = 0; i < d->n; i++) {
        const char *order =
            isfinite(p[i].order) ? jd_arena_format(c->arena, "%.2f", p[i].order) : "";
        table_row(t, (const char *[]){jd_arena_format(c->arena, "%.10g", p[i].value),
                                      jd_arena_format(c->arena, "%.8e", p[i].measure),
                                      jd_arena_format(c->arena, "%.5f", p[i].ratio), order,
                                      jd_arena_format(c->arena, "%ld", p[i].events),
                                      jd_arena_format(c->arena, "%.2f", p[i].seconds)});
    }
    if (jd_arena_status(c->arena) == JD_OK) table_print(t, "  ", stdout);
    printf("  within 1 %% of the last from %s = %.10g on\n\n", d->parameter,
           p[jd_converge_from(d->n, p, 0.01)].value);
}

static jd_status finish(call *c, const jd_problem *problem, const jd_converge_def *def,
                        jd_converge_point *const *point) {
    const converge_asked *asked = c->own;
    jd_result *result;
    JD_TRY(jd_result_of_convergence(c->context, problem, asked->over.n, def, point, &result));
    jd_status s = deliver(c, result, -1, true);
    jd_result_free(result);
    if (s != JD_OK || !wants_words(c)) return s;
    if (jd_problem_title(problem)[0]) printf("%s\n\n", jd_problem_title(problem));
    for (int i = 0; i < asked->over.n; i++) print_study(c, &def[i], point[i]);
    return JD_OK;
}

static jd_status study(call *c, const jd_problem *problem) {
    const converge_asked *asked = c->own;
    jd_converge_def *def = JD_TAKE(c->arena, jd_converge_def, asked->over.n);
    jd_converge_point **point = JD_TAKE(c->arena, jd_converge_point *, asked->over.n);
    if (!def || !point) return out_of_memory(c);
    const char *measure;
    JD_TRY(find_measure(c, problem, &measure));
    for (int i = 0; i < asked->over.n; i++) {
        JD_TRY(read_over(c, asked->over.text[i], &def[i]));
        def[i].measure = measure;
        point[i] = JD_TAKE(c->arena, jd_converge_point, def[i].n);
        if (!point[i]) return out_of_memory(c);
    }
    for (int i = 0; i < asked->over.n; i++)
        JD_TRY(jd_converge(c->context, problem, &def[i], point[i]));
    return finish(c, problem, def, point);
}

static jd_status run_converge(call *c) {
    const converge_asked *asked = c->own;
    jd_problem *problem;
    if (asked->over.n == 0) {
        jd_fail(c->context, JD_BAD_USAGE, "nothing to vary");
        jd_fail_hint(c->context, "--over simulate.nodes=76,152,304 says what to refine");
        return JD_BAD_USAGE;
    }
    JD_TRY(plot_check(c, "a convergence study", PLOT_PAGE));
    JD_TRY(load_model(c, &problem));
    jd_status s = study(c, problem);
    jd_problem_free(problem);
    return s;
}

static const option options[] = {
    // name, value, doc, kind, place
    {"over", "PATH=V1,V2,...", "what to refine, e.g. simulate.nodes=76,152,304 (repeatable)",
     OPTION_LIST, IN_OWN(converge_asked, over)},
    {"measure", "POINT.KIND", "what is compared: norm, final, max or min of a displacement",
     OPTION_TEXT, IN_OWN(converge_asked, measure)},
    {0}};

const verb verb_converge = {
    .name = "converge",
    .arguments = "MODEL.yaml",
    .doc = "convergence as nodes or modes are added",
    .help = "Runs the model once for every value that --over lists and compares a measure of\n"
            "each run with that of the last, finest one: ratios, observed orders, and from\n"
            "where on they stay within one percent. Several --over are several studies; each\n"
            "leaves the rest of the model as it is. The measure is the norm sqrt(integral of\n"
            "u^2 dt) of the last point of `output.points` unless --measure names another.\n",
    .shared = SHARED_RESULTS,
    .options = options,
    .own_size = sizeof(converge_asked),
    .moves = true,
    .least = 1,
    .most = 1,
    .run = run_converge,
};
