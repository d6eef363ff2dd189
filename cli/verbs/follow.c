// follow.c -- judder follow: periodic orbits along one number of the model.
#include <math.h>
#include <string.h>
#include <time.h>

#include "beside.h"
#include "from.h"

typedef struct follow_asked {
    option_list beside; // branches: NAME: CHANGES
    const char *from;   // FILE:POINT of an earlier branch
} follow_asked;

enum { ROWS = 40 };

static const char *verdict(bool stable, bool undecided, const char *yes, const char *no) {
    return undecided ? "undecided" : stable ? yes : no;
}

static const char *verdict_of(const jd_branch_point *p) {
    return verdict(p->stable, p->undecided, "stable", "not stable");
}

// " Hz" where a number is written and shown in that, else "".
static const char *unit_words(call *c, const jd_problem *problem, const char *path) {
    const char *unit;
    jd_problem_shown_unit(problem, path, &unit);
    const char *text = unit ? jd_arena_format(c->arena, " %s", unit) : "";
    return text ? text : "";
}

// Head of its column.
static const char *headed(call *c, const jd_problem *problem, const char *path) {
    const char *unit;
    jd_problem_shown_unit(problem, path, &unit);
    const char *text = unit ? jd_arena_format(c->arena, "%s [%s]", path, unit) : path;
    return text ? text : path;
}

// How far stability reaches: one line per stretch of the branch.
static void print_stretches(const jd_follow_view *v) {
    int first = 0;
    printf("branch       %d point%s\n", v->n_point, v->n_point == 1 ? "" : "s");
    for (int i = 1; i <= v->n_point; i++) {
        if (i < v->n_point && verdict_of(&v->point[i]) == verdict_of(&v->point[first])) continue;
        const jd_branch_point *a = &v->point[first], *b = &v->point[i - 1];
        printf("  %-10s %.10g to %.10g, %s %.6g to %.6g\n", verdict_of(a), a->parameter,
               b->parameter, v->measure, a->amplitude, b->amplitude);
        first = i;
    }
}

// Orbits that return, but whose events are not proved to be all there are.
static void print_uncertified(const jd_follow_view *v) {
    if (v->n_uncertified == 0) return;
    printf("  not proved %d of %d points: rounding or a tolerance leaves open whether their motion "
           "has other events\n",
           v->n_uncertified, v->n_point);
}

static const char *number(call *c, const char *format, double value) {
    char digits[64];
    snprintf(digits, sizeof digits, format, value);
    const char *text = jd_arena_text(c->arena, digits);
    return text ? text : "";
}

// As many digits as the error leaves, 12 at most.
static const char *known(call *c, double value, double error) {
    double digits = error > 0 ? floor(log10(fabs(value) / error)) : 12;
    char format[16];
    snprintf(format, sizeof format, "%%.%dg", (int)fmin(12, fmax(2, digits)));
    return number(c, format, value);
}

static const char *change(call *c, const jd_follow_view *v, const jd_special *s) {
    if (s->before == s->after) return "";
    const char *text =
        jd_arena_format(c->arena, "%s -> %s", v->phases[s->before], v->phases[s->after]);
    return text ? text : "";
}

// Before and after a special point.
static const char *stability(call *c, const jd_special *s) {
    const char *before = verdict(s->stable_before, s->undecided_before, "yes", "no"),
               *after = verdict(s->stable_after, s->undecided_after, "yes", "no");
    if (before == after) return before;
    const char *text = jd_arena_format(c->arena, "%s -> %s", before, after);
    return text ? text : "";
}

static void print_special(call *c, const jd_problem *problem, const jd_follow_view *v) {
    int most = c->count == COUNT_DEFAULT ? ROWS : c->count, shown = 0;
    if (v->n_special == 0) return;
    printf("\nspecial points\n");
    table *t = table_create(c, "lrrll");
    table_row(t, (const char *[]){"kind", headed(c, problem, v->parameter), v->measure, "stable",
                                  "phases"});
    for (int i = 0; i < v->n_special; i++) {
        const jd_special *s = &v->special[i];
        if (most != COUNT_ALL && shown == most) break;
        const char *stable = stability(c, s);
        const char *kind = s->name && *s->name ? jd_arena_format(c->arena, "%s = 0", s->name)
                           : s->turns && s->kind != JD_SPECIAL_FOLD && s->kind != JD_SPECIAL_TURN
                               ? jd_arena_format(c->arena, "%s, fold", jd_special_name(s->kind))
                               : jd_special_name(s->kind);
        table_row(t, (const char *[]){kind ? kind : "", known(c, s->parameter, s->error),
                                      number(c, "%.8g", s->amplitude), stable, change(c, v, s)});
        shown++;
    }
    table_print(t, "  ", stdout);
    if (shown < v->n_special)
        printf("  ... and %d more; --count all shows them\n", v->n_special - shown);
}

// Peaks of a family, and the least of them.
static void print_family(call *c, const jd_problem *problem, const jd_follow_view *v) {
    const jd_family *f = v->family;
    printf("\npeaks of %s for %d values of %s\n", v->measure, f->n, f->path);
    table *t = table_create(c, "rrr");
    table_row(t, (const char *[]){f->path, headed(c, problem, v->parameter), v->measure});
    for (int i = 0; i < f->n; i++)
        table_row(t, (const char *[]){number(c, "%.6g", f->peak[i].value),
                                      number(c, "%.10g", f->peak[i].parameter),
                                      number(c, "%.10g", f->peak[i].amplitude)});
    table_print(t, "  ", stdout);
    if (f->optimal)
        printf("optimum      %s = %s: %s %.10g at %.10g%s\n", f->path,
               known(c, f->optimum.value, f->error), v->measure, f->optimum.amplitude,
               f->optimum.parameter, unit_words(c, problem, v->parameter));
    else
        printf("optimum      none: %s\n", f->why);
}

// At most ROWS points of the curve, evenly chosen, with the first and the last.
static void print_curve(call *c, const jd_problem *problem, const jd_follow_view *v) {
    int most = c->count == COUNT_DEFAULT ? 12 : c->count == COUNT_ALL ? v->n_curve : c->count;
    int shown = most < v->n_curve ? most : v->n_curve;
    printf("\ncurve of %s in two parameters, %d point%s\n", jd_curve_name(v->curve), v->n_curve,
           v->n_curve == 1 ? "" : "s");
    table *t = table_create(c, "rrr");
    table_row(t, (const char *[]){headed(c, problem, v->parameter), headed(c, problem, v->second),
                                  v->measure});
    for (int k = 0; k < shown; k++) {
        const jd_curve_point *p =
            &v->curve_point[shown > 1 ? (long)k * (v->n_curve - 1) / (shown - 1) : 0];
        table_row(t,
                  (const char *[]){number(c, "%.12g", p->parameter), number(c, "%.12g", p->second),
                                   number(c, "%.8g", p->amplitude)});
    }
    table_print(t, "  ", stdout);
    if (shown < v->n_curve) printf("  --count all shows every point\n");
    for (int k = 0; k < v->kept.n_curve_special; k++) {
        const jd_curve_special *s = &v->kept.curve_special[k];
        printf("  %-10s %.10g, %s\n", s->name, s->parameter, known(c, s->second, s->error));
    }
}

static void print_summary(call *c, const jd_problem *problem, const jd_follow_view *v,
                          double seconds) {
    const char *title = jd_problem_title(problem);
    if (title[0]) printf("%s\n\n", title);
    printf("follow       %s from %.10g to %.10g%s\n", v->parameter, v->from, v->to,
           unit_words(c, problem, v->parameter));
    if (v->n_point > 0) print_stretches(v);
    print_uncertified(v);
    print_special(c, problem, v);
    if (v->n_curve > 0) print_curve(c, problem, v);
    printf("%send          %s at %.12g%s: %s\n", v->n_special ? "\n" : "", jd_end_name(v->end),
           v->end_parameter, unit_words(c, problem, v->parameter), jd_end_text(v->end));
    if (v->why[0]) printf("             %s\n", v->why);
    if (v->family) print_family(c, problem, v);
    for (int i = 0; i < v->n_beside && !v->family; i++) {
        printf("\nbeside       %s\n", v->beside[i].name);
        if (v->beside[i].view->n_point > 0) print_stretches(v->beside[i].view);
        print_special(c, problem, v->beside[i].view);
    }
    printf("work         %ld %s in %.2g s\n", v->orbits,
           v->of == JD_FOLLOW_STEADY ? "steady states" : "orbits", seconds);
}

// Ends that are not what the model asked for nor a property of the branch.
static bool is_numerical(jd_end_kind end) {
    return end == JD_END_LOST || end == JD_END_ROUNDING || end == JD_END_CHANGES ||
           end == JD_END_POINTS || end == JD_END_STOPPED || end == JD_END_NO_ORBIT ||
           end == JD_END_NO_POINT;
}

static jd_status present(call *c, const jd_problem *problem, const jd_follow_view *v,
                         double seconds) {
    jd_result *result;
    JD_TRY(jd_result_of_follow(c->context, problem, v, &result));
    jd_status s = deliver(c, result, seconds, v->n_point > 0);
    c->stopped = is_numerical(v->end);
    if (s == JD_OK && wants_words(c)) print_summary(c, problem, jd_result_follow(result), seconds);
    jd_result_free(result);
    if (s != JD_OK) return s;
    if (c->stopped && (c->quiet || takes_csv(c)) && !c->json)
        report_warning(c, "the branch ends early: %s", jd_end_text(v->end));
    return JD_OK;
}

// Branches shown with the first: those of its family, the other arm of a branch that crosses, the
// earlier branch it starts from, those of --beside.
static jd_status gather(call *c, const jd_problem *problem, const jd_follow_view *v,
                        const jd_follow *arm, const from_point *from, const besides *others,
                        jd_follow_view *out) {
    int n = 0;
    jd_beside *list = JD_TAKE(c->arena, jd_beside, v->n_beside + others->n + 2);
    if (!list) return out_of_memory(c);
    for (int i = 0; i < v->n_beside; i++) list[n++] = v->beside[i];
    if (arm) list[n++] = (jd_beside){"other arm", jd_follow_look(arm)};
    if (from->file) {
        const jd_follow_view *earlier = from_earlier(c, problem, from);
        if (!earlier) return out_of_memory(c);
        list[n++] = (jd_beside){"earlier branch", earlier};
    }
    for (int i = 0; i < others->n; i++) list[n++] = others->shown[i];
    *out = *v;
    out->n_beside = n;
    out->beside = list;
    return JD_OK;
}

static jd_status run_follow(call *c) {
    const follow_asked *asked = c->own;
    jd_problem *problem;
    jd_follow *f = NULL, *arm = NULL;
    besides others = {0};
    from_point from = {0};
    JD_TRY(plot_check(c, "a branch", PLOT_PAGE));
    JD_TRY(load_model(c, &problem));
    report_listen();
    clock_t begin = clock();
    jd_follow_options options = jd_default_follow_options();
    jd_status s = take_up_state(c, problem, &options.orbit);
    if (s == JD_OK) s = from_read(c, problem, asked->from, &options, &from);
    if (s == JD_OK) s = jd_follow_create(c->context, problem, &options, &f);
    options.arm = -1;
    if (s == JD_OK && from.arms) s = jd_follow_create(c->context, problem, &options, &arm);
    if (s == JD_OK) s = besides_follow(c, &asked->beside, &others);
    jd_follow_view v = {0};
    if (s == JD_OK) s = gather(c, problem, jd_follow_look(f), arm, &from, &others, &v);
    if (s == JD_OK) s = present(c, problem, &v, (double)(clock() - begin) / CLOCKS_PER_SEC);
    besides_free(&others);
    jd_follow_free(arm);
    jd_follow_free(f);
    from_free(&from);
    jd_problem_free(problem);
    return s;
}

static const option options[] = {
    // name, value, doc, kind, place
    {"beside", "CHANGES", "NAME: PATH=VALUE; ... follows the changed model too (repeatable)",
     OPTION_LIST, IN_OWN(follow_asked, beside)},
    {"from", "FILE:POINT", "start at a point or special point of an earlier branch: b.h5:flip1",
     OPTION_TEXT, IN_OWN(follow_asked, from)},
    {0}};

const verb verb_follow = {
    .name = "follow",
    .arguments = "MODEL.yaml",
    .doc = "branches of periodic orbits, with stability",
    .help = "Finds the orbit at `follow.from` and follows it towards `follow.to` by\n"
            "pseudo-arclength: through folds, through changes of the sequence of phases,\n"
            "stable or not. Lists every fold, period doubling, Neimark-Sacker point,\n"
            "grazing, appearing or vanishing stick, and says why the branch ends. --csv\n"
            "keeps the branch, -o everything, --plot draws it. --beside follows a changed\n"
            "model as well and shows both.\n"
            "\n"
            "--from FILE:POINT starts at a point of an earlier branch, by its number or, as\n"
            "flip1 or branch-point2, at a special point: from a flip along the branch of\n"
            "doubled period, from a branch point along both arms of the one that crosses,\n"
            "from a Hopf point of a steady slip (hopf1) along its cycles.\n"
            "`follow.functions` locates zeros of formulas of measures, `follow.parameters`\n"
            "varies several numbers together, `follow.curve` follows a special point in two\n"
            "parameters and names what it meets there (cusp, 1:1, fold-flip, ...).\n"
            "`follow.family` follows a branch for each value of a second number, and finds\n"
            "the least of their peaks: the optimal damper.\n"
            "\n"
            "A nonlinear-string over the frequency of its force is followed by collocation\n"
            "instead. `follow: {of: steady, ...}` follows the steady slip of a model the\n"
            "closure engine computes, and finds the Hopf points where it starts to oscillate.\n",
    .shared = SHARED_RESULTS | SHARED_COUNT,
    .options = options,
    .own_size = sizeof(follow_asked),
    .least = 1,
    .most = 1,
    .run = run_follow,
};
