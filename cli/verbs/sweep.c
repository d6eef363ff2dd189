// sweep.c -- judder sweep: settled motion on a grid, as words, JSON, HDF5 and CSV.
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "pieces.h"

typedef struct sweep_asked {
    bool restart;
    int shard, shards; // 0, 0: all of it
} sweep_asked;

enum { MOST_SHARDS = 1000000 };

// What the hooks of the pieces know.
typedef struct sweep_work {
    call *call;
    jd_sweep *sweep;
    const pieces_ask *ask; // while it runs
} sweep_work;

// Points of other shards are not to be done.
static bool is_done(void *user, int index) {
    const jd_sweep *sweep = ((const sweep_work *)user)->sweep;
    const jd_sweep_view *v = jd_sweep_look(sweep);
    int line = index / jd_sweep_line_points(sweep);
    return v->point[index].done || (v->shards > 0 && line % v->shards != v->shard - 1);
}

static jd_status finished(void *user, const jd_sweep *sweep, int index) {
    const pieces_ask *ask = ((const sweep_work *)user)->ask;
    (void)sweep;
    return ask->finished(ask->keeper, index);
}

static jd_status run_pieces(void *user, const pieces_ask *ask, bool *complete) {
    sweep_work *w = user;
    int each = jd_sweep_line_points(w->sweep);
    w->ask = ask;
    jd_sweep_options options = jd_default_sweep_options();
    options.threads = w->call->threads;
    options.first = ask->first / each;
    options.lines = ask->n / each;
    options.finished = finished;
    options.user = w;
    return jd_sweep_run(w->sweep, &options, complete);
}

static void pack(void *user, int index, unsigned char *out) {
    jd_sweep_pack(((const sweep_work *)user)->sweep, index, out);
}

static jd_status restore(void *user, int index, const unsigned char *bytes) {
    return jd_sweep_restore(((const sweep_work *)user)->sweep, index, bytes);
}

// Number of the work that the journal is of: the sweep, and which share of it.
static uint64_t identity(const jd_sweep *sweep) {
    const jd_sweep_view *v = jd_sweep_look(sweep);
    char share[40];
    uint64_t whole = jd_sweep_identity(sweep);
    int n = snprintf(share, sizeof share, "%d/%d", v->shard, v->shards);
    return v->shards > 0 ? jd_hash(whole, share, (size_t)n) : whole;
}

static pieces pieces_of(sweep_work *w) {
    return (pieces){.work = "sweep",
                    .n = jd_sweep_look(w->sweep)->n_point,
                    .each = jd_sweep_line_points(w->sweep),
                    .size = jd_sweep_packed_size(w->sweep),
                    .identity = identity(w->sweep),
                    .is_done = is_done,
                    .run = run_pieces,
                    .pack = pack,
                    .restore = restore,
                    .user = w};
}

// The unit a number is written and shown in, where that is not SI: " Hz".
static const char *unit_words(const call *c, const jd_problem *problem, const char *path) {
    const char *unit;
    jd_problem_shown_unit(problem, path, &unit);
    const char *text = unit ? jd_arena_format(c->arena, " %s", unit) : "";
    return text ? text : "";
}

// The numbers that are drawn, and how the measure is spread over all draws.
static void print_draws(const jd_sweep_view *v) {
    printf("sample       %d draws of %d number%s\n", v->count[0], v->n_draw,
           v->n_draw > 1 ? "s" : "");
    for (int k = 0; k < v->n_draw; k++) printf("             %s\n", v->draw[k]);
}

static void print_statistics(const jd_sweep_view *v) {
    enum { SEQUENCES = 10 };
    if (v->n_statistics == 1) {
        const jd_sweep_statistics *s = v->statistics;
        printf("mean         %.6g, standard deviation %.3g\n", s->mean, s->deviation);
        printf("quantiles    5 %%: %.6g, 25 %%: %.6g, 50 %%: %.6g, 75 %%: %.6g, 95 %%: %.6g\n",
               s->quantile[0], s->quantile[1], s->quantile[2], s->quantile[3], s->quantile[4]);
        printf("stable       %d of %d points\n", s->stable, s->points);
    }
    for (int i = 0; i < v->n_sequence && i < SEQUENCES; i++)
        printf("%-12s %5.1f %%  %s\n", i ? "" : "phases", 100 * v->sequence[i].share,
               v->sequence[i].phases);
    if (v->n_sequence > SEQUENCES)
        printf("             ... and %d more phase sequences\n", v->n_sequence - SEQUENCES);
}

// Basins: how many starts lead to each motion.
static void print_attractors(const jd_sweep_view *v) {
    enum { SHOWN = 10 };
    for (int k = 1; k <= v->n_attractor && k <= SHOWN; k++) {
        int count = 0, first = -1;
        for (int i = 0; i < v->n_point; i++) {
            if (v->point[i].attractor != k) continue;
            if (count++ == 0) first = i;
        }
        const jd_sweep_point *p = &v->point[first];
        printf("%-12s %d: %d starts, %d period%s, amplitude %.6g, phases %s\n",
               k > 1 ? "" : "attractors", k, count, p->periods, p->periods == 1 ? "" : "s",
               p->amplitude, p->phases);
    }
    if (v->n_attractor > SHOWN) printf("             ... and %d more\n", v->n_attractor - SHOWN);
}

static void print_parameter(const call *c, const jd_problem *problem, const jd_sweep_view *v,
                            int k) {
    const double *x = v->values[k];
    printf("%-12s %s from %.6g to %.6g%s, %d value%s\n", k && !v->n_draw ? "" : "parameters",
           v->parameter[k], x[0], x[v->count[k] - 1], unit_words(c, problem, v->parameter[k]),
           v->count[k], v->count[k] == 1 ? "" : "s");
}

// What the others do, and how that is known.
static void print_motions(const jd_sweep_view *v) {
    for (int kind = 0; kind < JD_MOTION_COUNT; kind++) {
        int n = 0;
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < v->n_point; i++) {
            const jd_sweep_point *p = &v->point[i];
            if (!p->done || p->settled || (int)p->motion != kind) continue;
            n++;
            low = fmin(low, p->exponent);
            high = fmax(high, p->exponent);
        }
        if (n == 0) continue;
        printf("             %d %s: %s", n,
               kind == JD_MOTION_UNSETTLED ? "did not settle" : jd_motion_name((jd_motion)kind),
               jd_motion_text((jd_motion)kind));
        if (low <= high) printf("; exponents %.3g to %.3g a period", low, high);
        printf("\n");
    }
}

// How many points came back after 1, 2, ... drive periods.
static void print_periods(const jd_sweep_view *v) {
    int count[16] = {0}, settled = 0, done = 0;
    for (int i = 0; i < v->n_point; i++) {
        const jd_sweep_point *p = &v->point[i];
        done += p->done;
        settled += p->done && p->settled;
        if (p->done && p->settled && p->periods < 16) count[p->periods]++;
    }
    printf("settled      %d of %d points\n", settled, done);
    for (int n = 1; n < 16; n++)
        if (count[n]) printf("             %d after %d period%s\n", count[n], n, n > 1 ? "s" : "");
    print_motions(v);
}

// How many points are of each class.
static void print_classes(const jd_sweep_view *v) {
    for (int k = 0; k < v->n_class; k++) {
        int count = 0;
        for (int i = 0; i < v->n_point; i++)
            count += v->point[i].done && v->point[i].class_number == k;
        printf("%-12s %d %s\n", k ? "" : "classes", count, v->class_name[k]);
    }
}

static void print_range(const call *c, const jd_problem *problem, const jd_sweep_view *v) {
    const jd_sweep_point *low = NULL, *high = NULL;
    for (int i = 0; i < v->n_point; i++) {
        const jd_sweep_point *p = &v->point[i];
        if (!p->done || !isfinite(p->amplitude)) continue;
        if (!low || p->amplitude < low->amplitude) low = p;
        if (!high || p->amplitude > high->amplitude) high = p;
    }
    const jd_sweep_point *ends[] = {low, high};
    for (int i = 0; i < 2 && low; i++) {
        const char *unit = jd_problem_is_si(problem) ? jd_measure_unit(v->measure) : NULL;
        printf("%-12s %s %.6g%s%s at", i ? "" : "amplitude", i ? "largest " : "smallest",
               ends[i]->amplitude, unit && *unit ? " " : "", unit ? unit : "");
        for (int k = 0; k < v->n_parameter; k++)
            printf("%s %s = %.6g%s", k ? "," : "", v->parameter[k], ends[i]->value[k],
                   unit_words(c, problem, v->parameter[k]));
        putchar('\n');
    }
}

static const char *ordinal(int n) {
    int tens = n / 10 % 10, ones = n % 10;
    if (tens == 1 || ones == 0 || ones > 3) return "th";
    return ones == 1 ? "st" : ones == 2 ? "nd" : "rd";
}

static void print_summary(const call *c, const jd_problem *problem, const keeper *kept,
                          const jd_sweep_view *v, double seconds) {
    if (jd_problem_title(problem)[0]) printf("%s\n\n", jd_problem_title(problem));
    for (int k = v->n_draw > 0; k < v->n_parameter; k++) print_parameter(c, problem, v, k);
    if (v->n_draw > 0) print_draws(v);
    printf("measure      %s\n", v->measure);
    if (v->shards > 0)
        printf("shard        %d of %d: every %d%s line of the sweep\n", v->shard, v->shards,
               v->shards, ordinal(v->shards));
    print_periods(v);
    print_classes(v);
    print_statistics(v);
    print_attractors(v);
    print_range(c, problem, v);
    if (kept->restored) printf("journal      %d points were there already\n", kept->restored);
    if (!c->spread) printf("computed     in %.2g s of processor time\n", seconds);
    if (c->stopped) return; // nothing was written but the journal
    if (c->output) printf("result       %s\n", c->output);
    if (c->csv) printf("table        %s\n", c->csv);
    if (c->plot) printf("picture      %s\n", c->plot);
    if (!c->output && !c->csv && !c->plot)
        printf("nothing was kept: -o FILE.h5 keeps every point\n");
}

// Cut short: what is finished is in the journal.
static void tell_cut(call *c, const keeper *k, const jd_sweep_view *v) {
    int done = 0;
    for (int i = 0; i < v->n_point; i++) done += v->point[i].done;
    report_warning(c, "stopped after %d of %d points%s", done, v->n_point,
                   k->journal ? "; the same command goes on from there" : "");
}

// Cut short, nothing is written but the journal.
static jd_status finish(call *c, const jd_problem *problem, const jd_sweep *sweep, const keeper *k,
                        bool complete, double seconds) {
    jd_result *result;
    JD_TRY(jd_result_of_sweep(c->context, problem, sweep, &result));
    jd_status s = JD_OK;
    if (!complete) c->stopped = true;
    if (!complete) tell_cut(c, k, jd_sweep_look(sweep));
    if (complete)
        s = deliver(c, result, seconds, true);
    else if (c->json)
        s = print_json(c, result, seconds);
    if (s == JD_OK && wants_words(c))
        print_summary(c, problem, k, jd_result_sweep(result), seconds);
    jd_result_free(result);
    return s;
}

static jd_status compute(call *c, const jd_problem *problem, jd_sweep *sweep) {
    const sweep_asked *asked = c->own;
    clock_t begin = clock();
    bool complete = false;
    if (asked->shards > 0) JD_TRY(jd_sweep_take_shard(sweep, asked->shard, asked->shards));
    sweep_work w = {.call = c, .sweep = sweep};
    const pieces all = pieces_of(&w);
    keeper k;
    JD_TRY(keeper_open(c, &all, asked->restart, &k));
    jd_status s = keeper_run(&k, &complete);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (s == JD_OK && !is_silent(c)) s = finish(c, problem, sweep, &k, complete, seconds);
    keeper_close(&k, s == JD_OK && complete);
    return s;
}

static jd_status run_sweep(call *c) {
    jd_problem *problem;
    jd_sweep *sweep = NULL;
    JD_TRY(plot_check(c, "a sweep", PLOT_PAGE));
    JD_TRY(load_model(c, &problem));
    jd_status s = jd_sweep_create(c->context, problem, &sweep);
    if (s == JD_OK) s = compute(c, problem, sweep);
    jd_sweep_free(sweep);
    jd_problem_free(problem);
    return s;
}

// K/N with 1 <= K <= N.
static jd_status take_shard(call *c, const char *value) {
    sweep_asked *asked = c->own;
    int end = 0;
    bool digits = value[strspn(value, "0123456789/")] == '\0' && strlen(value) < 20;
    if (digits && sscanf(value, "%d/%d%n", &asked->shard, &asked->shards, &end) == 2 &&
        !value[end] && asked->shard >= 1 && asked->shard <= asked->shards &&
        asked->shards <= MOST_SHARDS)
        return JD_OK;
    jd_fail(c->context, JD_BAD_USAGE, "--shard wants K/N with K from 1 to N, not `%s`", value);
    jd_fail_hint(c->context, "--shard 1/4, 2/4, 3/4 and 4/4 are the four quarters of a sweep");
    return JD_BAD_USAGE;
}

static const option options[] = {
    // name, value, doc, kind, place
    {"shard", "K/N", "compute only share K of N; `judder merge` puts them together", OPTION_OTHER,
     .own = true, .take = take_shard},
    {"restart", NULL, "start again: delete the journal of what was interrupted", OPTION_FLAG,
     IN_OWN(sweep_asked, restart)},
    {0}};

const verb verb_sweep = {
    .name = "sweep",
    .arguments = "MODEL.yaml",
    .doc = "settled motion over one or two parameters",
    .help = "Brings every point of the section `sweep` to its settled motion and records\n"
            "amplitude, phases, period, stability and samples once per drive period: maps,\n"
            "bifurcation diagrams, hysteresis. With -o every finished point is kept in\n"
            "FILE.h5.journal at once: after Ctrl-C, a crash or kill -9 the same command goes\n"
            "on where it was. With --shard K/N it computes the K-th of N shares, on whatever\n"
            "machine; `judder merge` puts the shares together, in the same bits as one run.\n",
    .shared = SHARED_RESULTS,
    .options = options,
    .own_size = sizeof(sweep_asked),
    .moves = true,
    .least = 1,
    .most = 1,
    .run = run_sweep,
};
