// nsm.c -- judder nsm: families of periodic orbits of a structure that knocks against a stop.
#include <math.h>

#include "command.h"
#include "nsm_orbits.h"

typedef struct nsm_asked {
    const char *orbit; // BRANCH[:OMEGA],...; NULL: not asked for
} nsm_asked;

enum { ROWS = 40, POINTS = 33 };

static const char *number(call *c, double value, int digits) {
    if (!isfinite(value)) return "";
    const char *text = jd_arena_format(c->arena, "%.*g", digits, value);
    return text ? text : "";
}

// Is a branch proved all along, but for a millionth of it at each change?
static bool is_proved(const jd_nsm_branch *b) {
    for (int i = 0; i < b->n_interval; i++)
        if (b->interval[i].resolution > 1e-6 * (b->omega_end - b->omega_start)) return false;
    return true;
}

// "unstable up to 1.4516518 (fold), stable, ..." would be long: the share of the branch says more.
static const char *stability(call *c, const jd_nsm_branch *b) {
    double stable = 0, all = 0;
    if (b->n_interval == 0) return "not judged";
    for (int i = 0; i < b->n_interval; i++) {
        double length = b->interval[i].to - b->interval[i].from;
        all += length;
        if (b->interval[i].stable) stable += length;
    }
    const char *text =
        jd_arena_format(c->arena, "%.3g%% in %d part%s%s", 100 * stable / all, b->n_interval,
                        b->n_interval == 1 ? "" : "s", is_proved(b) ? "" : ", sampled");
    return text ? text : "";
}

static void print_sustained(call *c, const jd_nsm_result *r) {
    int n = r->n_sustained;
    if (!r->search.asked) return;
    if (n > 0) {
        table *t = table_create(c, "rrrrrr");
        table_row(t, (const char *[]){"orbit", "ω", "energy", "flight", "contact", "push"});
        for (int i = 0; i < n; i++) {
            const jd_nsm_sustained *o = &r->sustained[i];
            const char *name = jd_arena_format(c->arena, "s%d", i + 1);
            table_row(t, (const char *[]){name ? name : "", number(c, o->omega, 10),
                                          number(c, o->energy, 6), number(c, o->flight, 10),
                                          number(c, o->contact, 10), number(c, o->force, 6)});
        }
        printf("\n");
        table_print(t, "", stdout);
    }
    printf("\n%d orbit%s rest%s on the stop for a while, down to ω = %.6g; ", n, n == 1 ? "" : "s",
           n == 1 ? "s" : "", r->search.down_to);
    if (r->search.undecided > 0)
        printf("%d places could not be decided", r->search.undecided);
    else
        printf("there are no others");
    printf(r->search.complete || !r->search.given_up ? ".\n"
                                                     : "; below, the search was given up.\n");
}

// How many of the branches that were judged are proved.
static void print_proofs(const jd_nsm_result *r) {
    int judged = 0, proved = 0;
    for (int i = 0; i < r->n_line; i++) {
        bool is = r->line[i].branch.n_interval > 0;
        judged += is;
        proved += is && is_proved(&r->line[i].branch);
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
static void print_families(const jd_nsm_result *r) {
    int judged = 0, stable = 0;
    if (r->n_family == 0) return;
    for (int i = 0; i < r->n_family; i++) {
        const jd_nsm_family *f = &r->family[i].family;
        for (int k = 0; f->growth && k < f->n; k++) {
            judged++;
            stable += f->stable[k];
        }
    }
    printf("%d families of more impacts meet at their grazing ends; --json lists them, --plot "
           "draws them.\n",
           r->n_family);
    if (judged > 0) printf("%d of the %d orbits computed along them are stable.\n", stable, judged);
}

static void branch_row(call *c, table *t, const jd_nsm_branch *b) {
    const char *name = b->divisor == 1 ? jd_arena_format(c->arena, "ω%d", b->mode)
                                       : jd_arena_format(c->arena, "ω%d/%d", b->mode, b->divisor);
    table_row(t, (const char *[]){
                     name ? name : "", number(c, b->omega_start, 10), number(c, b->omega_end, 10),
                     b->end == JD_NSM_GRAZE ? "graze" : "unbounded", number(c, b->energy_start, 6),
                     number(c, b->energy_end, 6), stability(c, b)});
}

static void print_table(call *c, const jd_result *result) {
    const jd_nsm_result *r = jd_result_nsm(result);
    const char *title = jd_result_look(result)->title;
    int most = c->count == COUNT_DEFAULT ? ROWS : c->count == COUNT_ALL ? r->n_line : c->count, i;
    if (title[0]) printf("%s\n\n", title);
    table *t = table_create(c, "lrrlrrl");
    table_row(t, (const char *[]){"branch", "ω from", "to", "ends", "energy from", "to", "stable"});
    for (i = 0; i < r->n_line && i < most; i++) branch_row(c, t, &r->line[i].branch);
    table_print(t, "", stdout);
    if (i < r->n_line) printf("... and %d more; --count all shows them\n", r->n_line - i);
    printf("\n%d of %d linear grazing orbits in the window start a branch of one impact per period",
           r->n_line, r->poles);
    printf(r->certified ? "; all are certified.\n" : "; some could not be certified.\n");
    print_proofs(r);
    print_families(r);
    print_sustained(c, r);
}

// Orbits along each branch that are kept: none for the table on the screen, fewer where there are
// thousands of branches, more for a picture.
static int points_of(const call *c, const jd_nsm *nsm) {
    if (c->plot) return JD_NSM_POINTS;
    if (!c->json && !c->csv && !c->output) return 0;
    int n = jd_nsm_branches(nsm);
    return n > 1000 ? 3 : n > 200 ? 9 : POINTS;
}

static jd_status show_branches(call *c, const jd_problem *problem, const jd_nsm *nsm) {
    jd_result *result;
    JD_TRY(jd_result_of_nsm(c->context, problem, nsm, points_of(c, nsm), &result));
    jd_status s = deliver(c, result, -1, true);
    if (s == JD_OK && wants_words(c)) print_table(c, result);
    jd_result_free(result);
    return s;
}

static jd_status run_nsm(call *c) {
    const nsm_asked *asked = c->own;
    jd_problem *problem;
    jd_nsm *nsm = NULL;
    jd_nsm_options options;
    JD_TRY(asked->orbit ? plot_check(c, "orbits",
                                     PLOT_MOTION | PLOT_KIND(JD_PICTURE_MANIFOLD) |
                                         PLOT_KIND(JD_PICTURE_MULTIPLIERS))
                        : plot_check(c, "nonsmooth modes; --orbit has more",
                                     PLOT_PAGE | PLOT_KIND(JD_PICTURE_IMPACT)));
    JD_TRY(load_model(c, &problem));
    jd_status s = jd_nsm_options_of(problem, &options);
    if (s == JD_OK && asked->orbit && orbits_rest(asked->orbit)) options.sustained = true;
    if (s == JD_OK) s = jd_nsm_create(c->context, problem, &options, &nsm);
    report_progress_end(c);
    if (s == JD_OK)
        s = asked->orbit ? show_orbits(c, asked->orbit, problem, nsm)
                         : show_branches(c, problem, nsm);
    jd_nsm_free(nsm);
    jd_problem_free(problem);
    return s;
}

static const option options[] = {
    // name, value, doc, kind, place
    {"orbit", "LIST", "J/K: orbits of branch ωJ/K in full, J/K:OMEGA one of them, sN resting",
     OPTION_TEXT, IN_OWN(nsm_asked, orbit)},
    {0}};

const verb verb_nsm = {
    .name = "nsm",
    .arguments = "MODEL.yaml",
    .doc = "nonsmooth modes: periodic orbits with impacts",
    .help = "Nonsmooth modes: every family of periodic orbits with one impact per period\n"
            "against the one elastic stop of a structure without losses, in the window\n"
            "`nsm.omega`: where it starts, where and how it ends, its energy and stability.\n"
            "No family is missed: the list is certified. With `nsm.impacts: 3` (or more)\n"
            "also the families of more impacts that meet at its grazing ends. --plot draws\n"
            "frequency over energy, --csv keeps the numbers of that picture.\n"
            "\n"
            "--orbit 1:1.5 shows the orbit of branch ω1 with ω = 1.5, and the `start` with\n"
            "which `judder run` and `judder orbit` begin on it; --orbit 1 shows orbits all\n"
            "along the branch. `nsm.sustained: true` adds the isolated orbits that stay on\n"
            "the stop for a while (sustained contact), and says whether there are others;\n"
            "--orbit s1 shows the first of them. Several orbits: --orbit 3:6.6,3/2:3.3.\n"
            "--plot then draws these orbits in space; --picture history, portrait or\n"
            "multipliers chooses another picture.\n",
    .shared = SHARED_RESULTS | SHARED_COUNT,
    .options = options,
    .own_size = sizeof(nsm_asked),
    .least = 1,
    .most = 1,
    .run = run_nsm,
};
