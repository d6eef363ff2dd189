// nsm.c -- judder nsm: families of periodic orbits of a structure that knocks against a stop.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "result/nsm.h"

enum { ROWS = 40, POINTS = 33, ALONG = 24, SAMPLES = 401 };

static const char *number(call *c, const json_t *value, int digits) {
    if (!json_is_number(value)) return "";
    const char *text = jd_arena_format(c->arena, "%.*g", digits, json_number_value(value));
    return text ? text : "";
}

// "unstable up to 1.4516518 (fold), stable, ..." would be long: the share of the branch says more.
static const char *stability(call *c, const json_t *branch) {
    const json_t *list = json_object_get(branch, "stability");
    double stable = 0, all = 0;
    size_t i;
    json_t *v;
    json_array_foreach(list, i, v) {
        double length = json_number_value(json_object_get(v, "to")) -
                        json_number_value(json_object_get(v, "from"));
        all += length;
        if (json_is_true(json_object_get(v, "stable"))) stable += length;
    }
    if (json_array_size(list) == 0) return "not judged";
    const char *text =
        jd_arena_format(c->arena, "%.3g%% in %d part%s", 100 * stable / all,
                        (int)json_array_size(list), json_array_size(list) == 1 ? "" : "s");
    return text ? text : "";
}

static void print_sustained(call *c, const json_t *document) {
    const json_t *list = json_object_get(document, "sustained"),
                 *search = json_object_get(document, "sustained_search");
    static const char *const keys[] = {"omega", "energy", "flight", "contact", "force"};
    size_t i;
    json_t *o;
    if (!list) return;
    if (json_array_size(list) > 0) {
        table *t = table_create(c, "rrrrrr");
        table_row(t, (const char *[]){"orbit", "ω", "energy", "flight", "contact", "push"});
        json_array_foreach(list, i, o) {
            const char *cell[6], *name = jd_arena_format(c->arena, "s%d", (int)i + 1);
            cell[0] = name ? name : "";
            for (int k = 0; k < 5; k++)
                cell[k + 1] = number(c, json_object_get(o, keys[k]), k == 1 || k == 4 ? 6 : 10);
            table_row(t, cell);
        }
        printf("\n");
        table_print(t, "", stdout);
    }
    bool complete = json_is_true(json_object_get(search, "complete"));
    double down_to = json_number_value(json_object_get(search, "down_to"));
    printf("\n%d orbit%s rest%s on the stop for a while, down to ω = %.6g; ",
           (int)json_array_size(list), json_array_size(list) == 1 ? "" : "s",
           json_array_size(list) == 1 ? "s" : "", down_to);
    if (complete)
        printf("there are no others.\n");
    else
        printf("%d places are undecided.\n",
               (int)json_integer_value(json_object_get(search, "undecided")));
}

static void print_table(call *c, const json_t *document) {
    const char *title = json_string_value(json_object_get(document, "title"));
    const json_t *branches = json_object_get(document, "branches");
    size_t most = c->count == COUNT_DEFAULT ? ROWS : (size_t)c->count, i;
    json_t *b;
    if (title[0]) printf("%s\n\n", title);
    table *t = table_create(c, "lrrlrrl");
    table_row(t, (const char *[]){"branch", "ω from", "to", "ends", "energy from", "to", "stable"});
    json_array_foreach(branches, i, b) {
        if (c->count != COUNT_ALL && i >= most) break;
        int k = (int)json_integer_value(json_object_get(b, "divisor"));
        int j = (int)json_integer_value(json_object_get(b, "mode"));
        const char *name = k == 1 ? jd_arena_format(c->arena, "ω%d", j)
                                  : jd_arena_format(c->arena, "ω%d/%d", j, k);
        table_row(
            t, (const char *[]){name ? name : "", number(c, json_object_get(b, "omega_start"), 10),
                                number(c, json_object_get(b, "omega_end"), 10),
                                json_string_value(json_object_get(b, "end")),
                                number(c, json_object_get(b, "energy_start"), 6),
                                number(c, json_object_get(b, "energy_end"), 6), stability(c, b)});
    }
    table_print(t, "", stdout);
    if (i < json_array_size(branches))
        printf("... and %d more; --count all shows them\n", (int)(json_array_size(branches) - i));
    printf("\n%d of %d linear grazing orbits in the window start a branch of one impact per period",
           (int)json_array_size(branches),
           (int)json_integer_value(json_object_get(document, "poles")));
    printf(json_is_true(json_object_get(document, "certified"))
               ? "; all are certified.\n"
               : "; some could not be certified.\n");
    size_t families = json_array_size(json_object_get(document, "families"));
    if (families > 0)
        printf("%d families of more impacts meet at their grazing ends; --json lists them, --plot "
               "draws them.\n",
               (int)families);
    print_sustained(c, document);
}

// Orbits along each branch that are kept: none for the table on the screen, fewer where there are
// thousands of branches.
static int points_of(const call *c, const jd_nsm *nsm) {
    if (!c->json && !c->csv && !c->output) return 0;
    int n = jd_nsm_branches(nsm);
    return n > 1000 ? 3 : n > 200 ? 9 : POINTS;
}

// --orbit: the branch `J` or `J/K`, and the frequency after the colon (0: none given).
static jd_status find_branch(call *c, const jd_nsm *nsm, int *branch, double *omega) {
    const char *text = c->orbit;
    char *end;
    if (strncmp(text, "ω", strlen("ω")) == 0) text += strlen("ω");
    long mode = strtol(text, &end, 10), divisor = 1;
    bool good = end > text;
    if (good && *end == '/') {
        text = end + 1;
        divisor = strtol(text, &end, 10);
        good = end > text;
    }
    *omega = 0;
    if (good && *end == ':') {
        text = end + 1;
        *omega = strtod(text, &end);
        good = end > text && *omega > 0;
    }
    if (!good || *end) {
        jd_fail(c->context, JD_BAD_USAGE,
                "--orbit wants a branch, J or J/K, and perhaps :OMEGA, "
                "not `%s`",
                c->orbit);
        jd_fail_hint(c->context, "5/2 is the branch ω5/2; 1:1.5 the orbit of ω = 1.5 on ω1");
        return JD_BAD_USAGE;
    }
    for (int i = 0; i < jd_nsm_branches(nsm); i++) {
        const jd_nsm_branch *b = jd_nsm_branch_at(nsm, i);
        *branch = i;
        if (b->mode != mode || b->divisor != divisor) continue;
        if (*omega == 0 || (*omega > b->omega_start && *omega < b->omega_end)) return JD_OK;
        return jd_fail(c->context, JD_OUT_OF_RANGE,
                       "branch ω%ld/%ld goes from %.12g to %.12g, not through %.12g", mode, divisor,
                       b->omega_start, b->omega_end, *omega);
    }
    jd_fail(c->context, JD_UNKNOWN_NAME, "there is no branch ω%ld/%ld in the window", mode,
            divisor);
    jd_fail_hint(c->context, "`judder nsm %s` lists them", c->argument[0]);
    return JD_UNKNOWN_NAME;
}

static void print_orbits(const json_t *document, bool one) {
    size_t i;
    json_t *o;
    json_array_foreach(json_object_get(document, "orbits"), i, o) {
        const json_t *stable = json_object_get(o, "stable");
        printf("ω %.12g  period %.12g  energy %.9g  impact speed %.9g  %s\n",
               json_number_value(json_object_get(o, "omega")),
               json_number_value(json_object_get(o, "period")),
               json_number_value(json_object_get(o, "energy")),
               fabs(json_number_value(json_object_get(o, "speed"))),
               !stable                ? ""
               : json_is_true(stable) ? "stable"
                                      : "unstable");
    }
    if (one)
        printf("\nTo begin a run or `judder orbit` on it:\nstart: %s\norbit: {settle: 0}\n",
               json_string_value(json_object_get(document, "start")));
}

// Orbits evenly along the branch; not into the last part of one whose energy grows without bound,
// where they would dwarf the rest.
static void spread(const jd_nsm_branch *b, int n, double *omega) {
    double part = b->end == JD_NSM_UNBOUNDED ? 0.85 : 1;
    for (int i = 0; i < n; i++)
        omega[i] = b->omega_start + part * (i + 0.5) / n * (b->omega_end - b->omega_start);
}

// Orbits of one branch in full.
static jd_status show_orbits(call *c, const jd_problem *problem, const jd_nsm *nsm) {
    double omega[ALONG];
    int branch, n = ALONG;
    json_t *document = NULL;
    JD_TRY(find_branch(c, nsm, &branch, omega));
    if (omega[0] > 0)
        n = 1;
    else
        spread(jd_nsm_branch_at(nsm, branch), n, omega);
    JD_TRY(jd_document_nsm_orbits(c->context, problem, nsm, branch, n, omega, SAMPLES, &document));
    json_t *rows = jd_document_nsm_orbit_rows(document);
    jd_status s = rows ? write_results(c, problem, document, rows) : out_of_memory(c);
    if (s == JD_OK && c->json)
        jd_json_write(document, stdout);
    else if (s == JD_OK && c->csv && strcmp(c->csv, "-") == 0)
        jd_csv_print(rows, stdout);
    else if (s == JD_OK && !c->quiet)
        print_orbits(document, n == 1);
    json_decref(rows);
    json_decref(document);
    if (s == JD_OK && c->plot)
        s = jd_picture_nsm_orbits(c->context, problem, nsm, branch, n, omega, &c->picture, c->plot);
    return s;
}

static jd_status run_nsm(call *c) {
    jd_problem *problem;
    jd_nsm *nsm = NULL;
    json_t *document = NULL;
    jd_nsm_options options;
    JD_TRY(c->orbit ? plot_check(c, "orbits", PLOT_MOTION | PLOT_KIND(JD_PICTURE_MANIFOLD))
                    : plot_check(c, "nonsmooth modes; --orbit has more", PLOT_PAGE));
    JD_TRY(load_model(c, &problem));
    jd_status s = jd_nsm_options_of(problem, &options);
    if (s == JD_OK) s = jd_nsm_create(c->context, problem, &options, &nsm);
    report_progress_end(c);
    if (s == JD_OK && c->orbit) {
        s = show_orbits(c, problem, nsm);
        jd_nsm_free(nsm);
        jd_problem_free(problem);
        return s;
    }
    if (s == JD_OK) s = jd_document_nsm(c->context, problem, nsm, points_of(c, nsm), &document);
    if (s == JD_OK) {
        json_t *rows = jd_document_nsm_rows(document);
        s = rows ? write_results(c, problem, document, rows) : out_of_memory(c);
        if (s == JD_OK && c->json)
            jd_json_write(document, stdout);
        else if (s == JD_OK && c->csv && strcmp(c->csv, "-") == 0)
            jd_csv_print(rows, stdout);
        else if (s == JD_OK && !c->quiet)
            print_table(c, document);
        json_decref(rows);
    }
    json_decref(document);
    if (s == JD_OK && c->plot) s = jd_picture_nsm(c->context, problem, nsm, c->plot);
    jd_nsm_free(nsm);
    jd_problem_free(problem);
    return s;
}

const verb verb_nsm = {
    .name = "nsm",
    .arguments = "MODEL.yaml",
    .doc = "families of periodic orbits of a structure that knocks",
    .help = "Nonsmooth modes: every family of periodic orbits with one impact per period\n"
            "against the one elastic stop of a structure without losses, in the window\n"
            "`nsm.omega`: where it starts, where and how it ends, its energy and stability.\n"
            "No family is missed: the list is certified. With `nsm.impacts: 3` (or more)\n"
            "also the families of more impacts that meet at its grazing ends. --plot draws\n"
            "frequency over energy, --csv keeps the numbers of that picture. --orbit 1:1.5\n"
            "shows the orbit of branch ω1 with ω = 1.5 and the `start` that puts `judder\n"
            "run` and `judder orbit` on it; --orbit 1 the orbits all along the branch\n"
            "(--plot: in space; --picture\n"
            "portrait or history: in the plane, over the period).\n",
    .options = OPTION_RESULTS | OPTION_SET | OPTION_THREADS | OPTION_COUNT | OPTION_PLOT |
               OPTION_PICTURE | OPTION_ORBIT,
    .least = 1,
    .most = 1,
    .run = run_nsm,
};
