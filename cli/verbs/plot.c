// plot.c -- pictures: of --plot (window, kind, drawing it) and of judder plot.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/param_tools.h"
#include "command.h"

// A time at the start of the text, or NaN where there is none; `rest` is what follows.
static double time_at(const char *text, const char **rest) {
    char *end;
    double value = strtod(text, &end);
    *rest = end;
    if (end == text) value = (double)NAN;
    return value;
}

jd_status plot_take_window(call *c, const char *value) {
    const char *rest;
    c->picture.from = time_at(value, &rest);
    bool colon = *rest == ':';
    if (colon) c->picture.to = time_at(rest + 1, &rest);
    bool inf = isinf(c->picture.from) || isinf(c->picture.to);
    bool none = isnan(c->picture.from) && isnan(c->picture.to);
    if (colon && !*rest && !inf && !none && !(c->picture.from >= c->picture.to)) {
        if (isnan(c->picture.from)) c->picture.from = 0;
        return JD_OK;
    }
    jd_fail(c->context, JD_BAD_USAGE, "--window wants two times, T0:T1 with T0 < T1, not `%s`",
            value);
    jd_fail_hint(c->context, "in seconds, or in the time of a model without units: 1.5:2");
    return JD_BAD_USAGE;
}

// Names of the kinds whose bits are set.
static const char *list_kinds(call *c, unsigned kinds) {
    const char *list = NULL;
    for (int i = 0; i < JD_PICTURE_KIND_COUNT; i++) {
        const char *name = jd_picture_name((jd_picture_kind)i);
        if (!(kinds & 1u << i)) continue;
        list = list ? jd_arena_format(c->arena, "%s, %s", list, name) : name;
    }
    return list ? list : "";
}

jd_status plot_take_kind(call *c, const char *value) {
    const char *names[JD_PICTURE_KIND_COUNT];
    for (int i = 0; i < JD_PICTURE_KIND_COUNT; i++) {
        names[i] = jd_picture_name((jd_picture_kind)i);
        c->picture.kind = (jd_picture_kind)i;
        if (strcmp(names[i], value) == 0) return JD_OK;
    }
    const char *near = jd_nearest(value, JD_PICTURE_KIND_COUNT, names);
    jd_fail(c->context, JD_BAD_USAGE, "there is no picture `%s`", value);
    if (near)
        jd_fail_hint(c->context, "did you mean `%s`? there are: %s", near, list_kinds(c, ~0u));
    else
        jd_fail_hint(c->context, "there are: %s", list_kinds(c, ~0u));
    return JD_BAD_USAGE;
}

jd_status plot_check(call *c, const char *what, unsigned kinds) {
    if (!c->plot || kinds & 1u << c->picture.kind) return JD_OK;
    jd_fail(c->context, JD_BAD_USAGE, "`%s` is no picture of %s", jd_picture_name(c->picture.kind),
            what);
    jd_fail_hint(c->context, "these are: %s", list_kinds(c, kinds));
    return JD_BAD_USAGE;
}

static json_t *name_json(const char *file) { return file ? jd_json_text(file) : json_null(); }

static jd_status run_plot(call *c) {
    if (!c->output && !c->csv) {
        jd_fail(c->context, JD_BAD_USAGE, "where to? -o names the picture, --csv its numbers");
        jd_fail_hint(c->context, "`judder plot %s -o picture.png`; also .svg and .pdf",
                     c->argument[0]);
        return JD_BAD_USAGE;
    }
    const char *file[] = {c->output, c->csv}, *dot = c->csv ? strrchr(c->csv, '.') : NULL;
    if (c->csv && (!dot || strcmp(dot, ".csv") != 0))
        return jd_fail(c->context, JD_BAD_USAGE, "--csv wants a file FILE.csv here, not `%s`",
                       c->csv);
    jd_result *result;
    for (int i = 0; i < 2; i++)
        if (file[i]) JD_TRY(jd_picture_check(c->context, file[i]));
    JD_TRY(check_targets(c));
    JD_TRY(jd_result_read(c->context, c->argument[0], &result));
    jd_status s = JD_OK;
    for (int i = 0; s == JD_OK && i < 2; i++)
        if (file[i]) s = jd_picture_draw(c->context, result, &c->picture, file[i]);
    jd_result_free(result);
    JD_TRY(s);
    if (c->json) {
        json_t *done = json_pack("{s:s, s:o, s:o}", "kind", "picture", "file", name_json(c->output),
                                 "csv", name_json(c->csv));
        jd_json_write(done, stdout);
        json_decref(done);
    } else if (!c->quiet) {
        if (c->output) printf("%s\n", c->output);
        if (c->csv) printf("%s\n", c->csv);
    }
    return JD_OK;
}

static const option options[] = {
    // name, value, doc, kind, place
    {"output", "FILE", "the picture: FILE.svg, .png or .pdf", OPTION_FILE, IN_CALL(output),
     .letter = 'o'},
    {0}};

const verb verb_plot = {
    .name = "plot",
    .arguments = "RESULT.h5",
    .doc = "a picture of a result file",
    .help = "Draws what a result file holds into the file that -o names (.svg, .png or\n"
            ".pdf), from the numbers in it: motion, contact forces, energies, fields along a\n"
            "contact and the horizon of a run; motion and multipliers of an orbit;\n"
            "attractors, sweeps, branches, modes and their shapes, kernels, nonsmooth modes\n"
            "with their orbits and manifolds, convergence. --picture (or --kind) chooses;\n"
            "what a file cannot show is refused with a list of what it can. --csv keeps the\n"
            "plotted numbers.\n",
    .shared = SHARED_JSON | SHARED_CSV | SHARED_WINDOW | SHARED_PICTURE | SHARED_QUIET,
    .options = options,
    .least = 1,
    .most = 1,
    .run = run_plot,
};
