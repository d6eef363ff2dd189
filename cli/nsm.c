// nsm.c -- judder nsm: families of periodic orbits of a structure that knocks against a stop.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "nsm_orbits.h"
#include "result/nsm.h"

enum { ROWS = 40, POINTS = 33 };

static const char *number(call *c, const json_t *value, int digits) {
    if (!json_is_number(value)) return "";
    const char *text = jd_arena_format(c->arena, "%.*g", digits, json_number_value(value));
    return text ? text : "";
}

// Is a branch proved all along, but for a millionth of it at each change?
static bool is_proved(const json_t *branch) {
    const json_t *list = json_object_get(branch, "stability");
    double length = json_number_value(json_object_get(branch, "omega_end")) -
                    json_number_value(json_object_get(branch, "omega_start"));
    size_t i;
    json_t *v;
    json_array_foreach(list, i, v) {
        double open = json_number_value(json_object_get(v, "resolution"));
        if (open > 1e-6 * length) return false;
    }
    return true;
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
    const char *text = jd_arena_format(
        c->arena, "%.3g%% in %d part%s%s", 100 * stable / all, (int)json_array_size(list),
        json_array_size(list) == 1 ? "" : "s", is_proved(branch) ? "" : ", sampled");
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
    int undecided = (int)json_integer_value(json_object_get(search, "undecided"));
    if (undecided > 0)
        printf("%d places could not be decided", undecided);
    else
        printf("there are no others");
    printf(complete || !json_is_true(json_object_get(search, "given_up"))
               ? ".\n"
               : "; below, the search was given up.\n");
}

// How many of the branches that were judged are proved.
static void print_proofs(const json_t *branches) {
    int judged = 0, proved = 0;
    size_t i;
    json_t *b;
    json_array_foreach(branches, i, b) {
        bool is = json_array_size(json_object_get(b, "stability")) > 0;
        judged += is;
        proved += is && is_proved(b);
    }
    if (judged == 0) return;
    if (proved == judged)
        printf("Stability is proved all along, but for a millionth of a branch at each change.\n");
    else
        printf("Stability is proved on %d of %d; on the others it was sampled: `resolution` in "
               "--json says\nhow closely, nsm.stability=yes proves more.\n",
               proved, judged);
}

// How many there are, and how many of the orbits computed along them are stable.
static void print_families(const json_t *families) {
    int judged = 0, stable = 0;
    size_t i, k;
    json_t *f, *v;
    if (json_array_size(families) == 0) return;
    json_array_foreach(families, i, f) {
        const json_t *list = json_object_get(json_object_get(f, "orbits"), "stable");
        json_array_foreach(list, k, v) {
            judged++;
            stable += json_is_true(v);
        }
    }
    printf("%d families of more impacts meet at their grazing ends; --json lists them, --plot "
           "draws them.\n",
           (int)json_array_size(families));
    if (judged > 0) printf("%d of the %d orbits computed along them are stable.\n", stable, judged);
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
    print_proofs(branches);
    print_families(json_object_get(document, "families"));
    print_sustained(c, document);
}

// Orbits along each branch that are kept: none for the table on the screen, fewer where there are
// thousands of branches.
static int points_of(const call *c, const jd_nsm *nsm) {
    if (!c->json && !c->csv && !c->output) return 0;
    int n = jd_nsm_branches(nsm);
    return n > 1000 ? 3 : n > 200 ? 9 : POINTS;
}

static jd_status run_nsm(call *c) {
    jd_problem *problem;
    jd_nsm *nsm = NULL;
    json_t *document = NULL;
    jd_nsm_options options;
    JD_TRY(c->orbit ? plot_check(c, "orbits",
                                 PLOT_MOTION | PLOT_KIND(JD_PICTURE_MANIFOLD) |
                                     PLOT_KIND(JD_PICTURE_MULTIPLIERS))
                    : plot_check(c, "nonsmooth modes; --orbit has more", PLOT_PAGE));
    JD_TRY(load_model(c, &problem));
    jd_status s = jd_nsm_options_of(problem, &options);
    if (s == JD_OK && c->orbit && orbits_rest(c->orbit)) options.sustained = true;
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
            "run` and `judder orbit` on it; --orbit 1 the orbits all along the branch.\n"
            "`nsm.sustained: true` adds the isolated orbits that rest on the stop for a\n"
            "while, and says whether there are others; --orbit s1 shows the first. Several\n"
            "may be named: --orbit 3:6.6,3/2:3.3. --plot draws them in space, or what\n"
            "--picture history, portrait or multipliers says.\n",
    .options = OPTION_RESULTS | OPTION_SET | OPTION_THREADS | OPTION_COUNT | OPTION_PLOT |
               OPTION_ORBIT | OPTION_PICTURE,
    .least = 1,
    .most = 1,
    .run = run_nsm,
};
