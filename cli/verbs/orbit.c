// orbit.c -- judder orbit: the motion that repeats, and whether it stays.
#include <math.h>
#include <string.h>

#include "command.h"
#include "freedom.h"
#include "orbit.h"

enum { MULTIPLIERS = 8, WORDS = 60 };

static void print_period(const jd_problem *p, const jd_orbit_view *v) {
    const char *unit = jd_problem_is_si(p) ? " s" : "";
    printf("period       %.12g%s", v->period, unit);
    if (v->periods == 1) printf(", that of the drive");
    if (v->periods > 1) printf(", %d of the drive", v->periods);
    if (v->simulated && !v->forced) printf(", right to %.1e", v->error);
    printf("\n");
}

// Rods that go on.
static void print_set(const jd_problem *p, const jd_orbit_view *v) {
    for (int b = 0; v->set && b < jd_problem_bodies(p); b++) {
        const char *name = jd_problem_body(p, b)->name;
        printf("set          %s%s%.10g%s a period\n", name, name[0] ? " " : "", v->set[b],
               jd_problem_is_si(p) ? " m" : "");
    }
}

static void print_phases(const jd_orbit_view *v) {
    letters seen = {0};
    printf("phases      ");
    for (int i = 0; i < v->n_phase && i < WORDS; i++) {
        printf(" %s", v->phases[i]);
        legend_add(&seen, v->phases[i]);
    }
    printf("%s", v->n_phase > WORDS ? " ..." : "");
    legend_print(&seen, stdout);
    putchar('\n');
    printf("events       %d a period%s\n", v->n_event,
           v->symmetric ? "; the second half mirrors the first" : "");
}

static void print_stuck(const jd_problem *p, const jd_orbit_view *v) {
    for (int j = 0; j < jd_problem_contacts(p); j++)
        if (v->stuck[j] > 0)
            printf("stuck        %s for %.10g%s, %.4g %% of the period\n",
                   jd_problem_contact(p, j)->name, v->stuck[j], jd_problem_is_si(p) ? " s" : "",
                   100 * v->stuck[j] / v->period);
}

// Engines that cannot shoot.
static void print_settled(const jd_orbit_view *v) {
    if (v->stability.why_none)
        printf("stability    stable: simulation settles to it; there are no multipliers: %s\n",
               v->stability.why_none);
    if (!v->search.history) {
        printf("convergence  one period differs from the one before by %.1e of it, after %.6g\n",
               v->residual, v->search.settled);
        return;
    }
    printf("convergence  ");
    for (int i = 0; i <= v->search.iterations; i++)
        printf(i ? ", %.1e" : "%.1e", v->search.history[i]);
    printf("  (Newton's corrections of the motion, over its size, after %.6g of simulation)\n",
           v->search.settled);
}

static void print_stability(const jd_orbit_view *v) {
    double largest = v->stability.largest;
    if (v->stability.soft) {
        printf("stability    not defined: the stop is reached without speed, and motions next to "
               "this one bounce there\n");
        return;
    }
    if (v->stability.marginal && v->stability.conservative)
        printf(
            "stability    neutral: nothing is lost, and all multipliers lie on the unit circle to "
            "1e-6\n");
    else if (v->stability.marginal)
        printf(
            "stability    not decided: a multiplier is on the unit circle, to 1e-9 or to what is "
            "known of it\n");
    else if (!v->stability.stable)
        printf("stability    unstable: a perturbation grows by a factor %.6g per period\n",
               largest);
    else if (largest > 0)
        printf("stability    stable: a perturbation shrinks by a factor %.6g per period, to "
               "1/e in %.3g periods\n",
               largest, -1 / log(largest));
    else
        printf("stability    stable: every perturbation is gone after one period\n");
    if (v->search.elsewhere && v->search.longest > 0)
        printf("             the settled motion is something else: chaotic, quasi-periodic, or of "
               "more than %d drive periods\n",
               v->search.longest);
    else if (v->search.elsewhere)
        printf("             the settled motion is something else: chaotic, quasi-periodic, or of "
               "a longer period\n");
    if (v->stability.neutral)
        printf("             %d contact%s all along, and may as well rest elsewhere\n",
               v->stability.neutral,
               v->stability.neutral == 1 ? " (or slider) holds" : "s (or sliders) hold");
    else if (!v->stability.isolated)
        printf("             not isolated: one of a family of orbits, or at a bifurcation\n");
}

static void print_multipliers(call *c, const jd_orbit_view *v) {
    if (v->stability.soft) return;
    table *t = table_create(c, "rrr");
    int all = v->stability.n_multiplier,
        shown = all - v->stability.n_zero < MULTIPLIERS ? all - v->stability.n_zero : MULTIPLIERS;
    table_row(t, (const char *[]){"multiplier", "|μ|", "log |μ|"});
    for (int i = 0; i < shown; i++) {
        double re = v->stability.multiplier[2 * i], im = v->stability.multiplier[2 * i + 1];
        if (im < 0 && i > 0) continue; // the conjugate of the one above
        const char *value = im != 0 ? jd_arena_format(c->arena, "%.10f ± %.10fi", re, im)
                                    : jd_arena_format(c->arena, "%.10f", re);
        const char *size = jd_arena_format(c->arena, "%.10g", hypot(re, im));
        const char *logs = jd_arena_format(c->arena, "%.6g", v->stability.log_multiplier[i]);
        table_row(t, (const char *[]){value ? value : "", size ? size : "", logs ? logs : ""});
    }
    table_print(t, "  ", stdout);
    if (all > shown && v->simulated)
        printf("  ... and smaller ones\n");
    else if (all > shown)
        printf("  ... and %d more, %d of them 0 or too small to tell\n", all - shown,
               v->stability.n_zero);
}

static void print_convergence(const jd_orbit_view *v) {
    printf("convergence ");
    for (int i = 0; i <= v->search.iterations && v->search.attempts; i++)
        printf(" %.1e%s", v->search.history[i], i < v->search.iterations ? "," : "");
    if (!v->search.attempts) printf(" never came to shooting");
    printf("  (distance from start to end of the period, before each Newton step)\n");
    if (v->search.segments > 0)
        printf("             by multiple shooting over %d segments: over the whole period Newton's "
               "method failed\n",
               v->search.segments);
}

static void print_extremes(call *c, const jd_problem *p, const jd_orbit_view *v) {
    bool si = jd_problem_is_si(p);
    table *t = table_create(c, "llrr");
    table_row(t, (const char *[]){"contact", "", "least", "most"});
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        const jd_range *r[] = {&v->range[j].displacement, &v->range[j].velocity,
                               &v->range[j].force};
        const char *what[] = {si ? "displacement [m]" : "displacement",
                              si ? "velocity [m/s]" : "velocity", si ? "force [N]" : "force"};
        for (int i = 0; i < 3; i++) {
            const char *low = jd_arena_format(c->arena, "%.12g", r[i]->min);
            const char *high = jd_arena_format(c->arena, "%.12g", r[i]->max);
            table_row(t, (const char *[]){i ? "" : jd_problem_contact(p, j)->name, what[i],
                                          low ? low : "", high ? high : ""});
        }
    }
    table_print(t, "  ", stdout);
}

static void print_failure(const jd_orbit_view *v, const char *unit) {
    printf("no orbit     %s: %s\n", jd_orbit_reason_name(v->search.reason), v->search.why);
    printf("tried        %.6g%s of simulation", v->search.settled, unit);
    if (!v->simulated)
        printf(", Newton's method from %d state%s", v->search.attempts,
               v->search.attempts == 1 ? "" : "s");
    if (isfinite(v->search.best))
        printf("; it came back to %.1e of its size at best", v->search.best);
    printf("\n");
}

void print_orbit(call *c, const jd_problem *p, const jd_orbit_view *v) {
    if (!v->found) {
        print_failure(v, jd_problem_is_si(p) ? " s" : "");
        return;
    }
    print_period(p, v);
    print_set(p, v);
    if (!v->set) print_phases(v);
    print_stuck(p, v);
    freedom_print(c, p, v);
    if (!v->stability.why_none) {
        print_stability(v);
        print_multipliers(c, v);
    }
    if (v->simulated)
        print_settled(v);
    else
        print_convergence(v);
    if (v->tolerance > 0)
        printf("certificate  none: events found numerically, to a tolerance of %.3g a step\n",
               v->tolerance);
    if (v->undecided)
        printf("certificate  %ld grazing%s could not be decided in double precision\n",
               v->undecided, v->undecided == 1 ? "" : "s");
    if (jd_problem_contacts(p) > 0) print_extremes(c, p, v);
}

void print_title(const jd_problem *p) {
    if (jd_problem_title(p)[0]) printf("%s\n\n", jd_problem_title(p));
}

static const char *number(call *c, double x) {
    const char *text = jd_arena_format(c->arena, isnan(x) ? "-" : "%.10g", x);
    return text ? text : "";
}

static void print_gradient(call *c, const jd_gradient *gradient) {
    const jd_gradient_view *v = jd_gradient_look(gradient);
    table *t = table_create(c, "llrr");
    table_row(t, (const char *[]){"by", "of", "value", "derivative"});
    for (int k = 0; k < v->n_key; k++) {
        const jd_gradient_key *g = &v->key[k];
        for (int i = 0; i < g->n_place; i++) {
            const jd_gradient_place *p = &g->place[i];
            const char *what = jd_arena_format(c->arena, "%s.displacement.amplitude", p->name);
            const char *most = jd_arena_format(c->arena, "%s.displacement.max", p->name);
            table_row(t, (const char *[]){i ? "" : g->key, what ? what : "",
                                          number(c, p->amplitude), number(c, p->d_amplitude)});
            table_row(t, (const char *[]){"", most ? most : "", number(c, p->most),
                                          number(c, p->d_most)});
        }
        table_row(t,
                  (const char *[]){g->n_place ? "" : g->key, "period", "", number(c, g->period)});
    }
    printf("gradient\n");
    table_print(t, "  ", stdout);
    for (int k = 0; k < v->n_key; k++)
        printf("  %s: by %s, right to %.1e of the state's derivative\n", v->key[k].key,
               jd_gradient_method_name(v->key[k].method), v->key[k].error);
}

// The keys between the commas, and derivatives by them.
static jd_status take_gradient(call *c, jd_problem *p, const jd_orbit_view *v, jd_gradient **out) {
    const orbit_asked *asked = c->own;
    *out = NULL;
    if (!asked->gradient || !v->found) return JD_OK;
    char *text = jd_arena_text(c->arena, asked->gradient);
    const char **key = JD_TAKE(c->arena, const char *, text ? strlen(text) + 1 : 1);
    if (!text || !key) return JD_OUT_OF_MEMORY;
    int n = 0;
    for (char *at = text; at; n++) {
        key[n] = at;
        at = strchr(at, ',');
        if (at) *at++ = '\0';
    }
    return jd_gradient_create(c->context, p, v, n, key, 0, NULL, out);
}

// One period in space.
static jd_status show(call *c, jd_problem *p, const jd_orbit *orbit, const char *path) {
    int files = 0;
    JD_TRY(jd_mesh_write_orbit(c->context, p, orbit, path, &files));
    report_series(c, path, files);
    return JD_OK;
}

static jd_status one_orbit(call *c, jd_problem *p) {
    const char *series = take_series(c);
    jd_orbit *orbit = NULL;
    jd_result *result = NULL;
    jd_orbit_options options = jd_default_orbit_options();
    options.centred = ((const orbit_asked *)c->own)->centred;
    JD_TRY(take_up(c, p, &options));
    JD_TRY(jd_orbit_create(c->context, p, &options, &orbit));
    const jd_orbit_view *v = jd_orbit_look(orbit);
    jd_gradient *gradient = NULL;
    jd_status s = jd_result_of_orbit(c->context, p, orbit, &result);
    if (s == JD_OK) s = take_gradient(c, p, v, &gradient);
    if (s == JD_OK && gradient) s = jd_result_add_gradient(result, gradient);
    if (s == JD_OK && c->plot && v->found)
        s = jd_result_show(c->context, result, p, orbit, &c->picture);
    if (s == JD_OK) s = deliver(c, result, -1, v->found);
    if (s == JD_OK && wants_words(c)) {
        print_title(p);
        print_orbit(c, p, v);
        if (gradient) print_gradient(c, gradient);
        if (c->plot && v->found) printf("picture      %s\n", c->plot);
    }
    if (s == JD_OK && series && v->found) s = show(c, p, orbit, series);
    c->stopped = !v->found;
    jd_result_free(result);
    jd_gradient_free(gradient);
    jd_orbit_free(orbit);
    return s;
}

static jd_status run_orbit(call *c) {
    const orbit_asked *asked = c->own;
    jd_problem *problem;
    if (asked->starts && wants_series(c))
        return jd_fail(c->context, JD_BAD_USAGE,
                       "--starts finds several orbits, and one of them is shown in space at a "
                       "time");
    if (asked->starts && asked->centred)
        return jd_fail(c->context, JD_BAD_USAGE,
                       "--centred is of one orbit, --starts counts a family as one");
    if (asked->starts && asked->gradient) {
        jd_fail(c->context, JD_BAD_USAGE, "--gradient is of one orbit, --starts asks for many");
        jd_fail_hint(c->context,
                     "start the model at one of them (`start`), and leave --starts out");
        return JD_BAD_USAGE;
    }
    JD_TRY(asked->starts
               ? plot_check(c, "the orbits of --starts", PLOT_PAGE)
               : plot_check(c, "an orbit", PLOT_FORCES | PLOT_KIND(JD_PICTURE_MULTIPLIERS)));
    JD_TRY(load_model(c, &problem));
    report_listen();
    jd_status s = asked->starts ? many_starts(c, problem) : one_orbit(c, problem);
    jd_problem_free(problem);
    return s;
}

static const option options[] = {
    // name, value, doc, kind, place
    {"starts", "N", "follow N random starts; list the orbits they lead to, with shares",
     OPTION_WHOLE, IN_OWN(orbit_asked, starts), .low = 1, .high = 1000000},
    {"seed", "S", "seed of the random starts: a whole number; 1 if not given", OPTION_WHOLE,
     IN_OWN(orbit_asked, seed), .low = 0, .high = 2147483647, .with = "starts"},
    {"restart", NULL, "start again: delete the journal of what was interrupted", OPTION_FLAG,
     IN_OWN(orbit_asked, restart), .with = "starts"},
    {"gradient", "KEYS", "derivatives by numbers of the model: contacts.tip.law.limit,...",
     OPTION_TEXT, IN_OWN(orbit_asked, gradient)},
    {"centred", NULL, "contacts that stay stuck rest where their largest force is least",
     OPTION_FLAG, IN_OWN(orbit_asked, centred)},
    {0}};

const verb verb_orbit = {
    .name = "orbit",
    .arguments = "MODEL.yaml",
    .doc = "a periodic orbit and whether it is stable",
    .help = "Finds a periodic motion: simulates for a while, then solves for the state that\n"
            "returns after the period, and gives its events, Floquet multipliers and extreme\n"
            "values. Without a drive the period is an unknown, too. With --starts it\n"
            "simulates from random starts, up to twice as large as the first orbit found, and\n"
            "lists the orbits they settle to; motions that only larger starts lead to are not\n"
            "among them. Ctrl-C ends it early; with -o FILE.h5 what was done is kept in\n"
            "FILE.h5.journal, and the same command goes on. -o FILE.pvd writes one period in\n"
            "space for ParaView instead, -o FILE.mat a MATLAB file, -o FILE.uff the samples\n"
            "of the period as a universal file.\n",
    .shared = SHARED_RESULTS,
    .options = options,
    .own = &(const orbit_asked){.seed = 1},
    .own_size = sizeof(orbit_asked),
    .moves = true,
    .shows = true,
    .least = 1,
    .most = 1,
    .run = run_orbit,
};
