// starts.c -- judder orbit --starts: the motions that random starts settle to.
#include "orbit.h"
#include "pieces.h"

static void print_attractor(call *c, const jd_problem *p, const jd_attractor *one) {
    if (one->rest)
        printf("             %s%s%s\n", one->orbit->search.why,
               one->orbit->phase[0] ? ", contacts " : "", one->orbit->phase);
    else
        print_orbit(c, p, one->orbit);
    if (one->family)
        printf("             one of many: where the contacts hold depends on the start\n");
}

// What was not found is not said not to be there.
static void print_lost(const jd_attractors *a) {
    int n = jd_attractors_lost(a), longest = jd_attractors_longest(a);
    printf("%d start%s led to no stable orbit that was found", n, n == 1 ? "" : "s");
    if (longest > 0)
        printf(": periods of up to %d of the drive were looked for.\nThe motion may be chaotic, "
               "quasi-periodic, of a longer period, or still settling (`orbit.settle`)",
               longest);
    printf("\n");
}

static void print_attractors(call *c, const jd_problem *p, const jd_attractors *a) {
    int all = jd_attractors_starts(a);
    print_title(p);
    for (int i = 0; i < jd_attractors_count(a); i++) {
        const jd_attractor *one = jd_attractor_look(a, i);
        printf("%s %d      %d of %d starts (%.3g %%)", one->rest ? "rest " : "orbit", i + 1,
               one->starts, all, 100.0 * one->starts / all);
        if (one->mirror_of >= 0) printf(", mirror image of orbit %d", one->mirror_of + 1);
        printf("\n");
        print_attractor(c, p, one);
        printf("\n");
    }
    if (jd_attractors_lost(a) > 0) print_lost(a);
}

// What the hooks of the pieces know.
typedef struct start_work {
    jd_attractors *attractors;
    const pieces_ask *ask; // while it runs
} start_work;

static bool is_done(void *user, int start) {
    return jd_attractors_is_done(((const start_work *)user)->attractors, start);
}

static jd_status finished(void *user, const jd_attractors *attractors, int start) {
    const pieces_ask *ask = ((const start_work *)user)->ask;
    (void)attractors;
    return ask->finished(ask->keeper, start);
}

static jd_status run_pieces(void *user, const pieces_ask *ask, bool *complete) {
    start_work *w = user;
    w->ask = ask;
    const jd_starts_options some = {
        .first = ask->first, .n = ask->n, .finished = finished, .pass_on = ask->pass_on, .user = w};
    return jd_attractors_follow(w->attractors, &some, complete);
}

static void pack(void *user, int start, unsigned char *out) {
    jd_attractors_pack(((const start_work *)user)->attractors, start, out);
}

static jd_status restore(void *user, int start, const unsigned char *bytes) {
    return jd_attractors_restore(((const start_work *)user)->attractors, start, bytes);
}

// Cut short, the starts up to the first that is missing are told; nothing is written but the
// journal.
static jd_status finish(call *c, jd_problem *p, jd_attractors *a, const keeper *k, bool complete) {
    const orbit_asked *asked = c->own;
    jd_result *result = NULL;
    int counted = jd_attractors_starts(a);
    JD_TRY(jd_attractors_finish(a));
    jd_status s =
        jd_result_of_attractors(c->context, p, a, counted, (uint64_t)asked->seed, &result);
    if (s == JD_OK && (complete || !k->journal))
        s = deliver(c, result, -1, jd_attractors_count(a) > 0);
    else if (s == JD_OK && c->json)
        s = print_json(c, result, -1);
    if (s == JD_OK && wants_words(c)) print_attractors(c, p, a);
    if (s == JD_OK && wants_words(c) && k->restored)
        printf("journal: %d starts were there already\n", k->restored);
    if (!complete)
        report_warning(c, "stopped: the first %d of %d starts are told%s", counted, asked->starts,
                       k->journal ? "; the same command goes on from there" : "");
    c->stopped = !complete || jd_attractors_count(a) == 0;
    jd_result_free(result);
    return s;
}

static jd_status keep_and_follow(call *c, jd_problem *p, jd_attractors *a) {
    const orbit_asked *asked = c->own;
    start_work w = {.attractors = a};
    const pieces all = {.work = "starts",
                        .n = asked->starts,
                        .each = 1,
                        .size = jd_attractors_packed_size(a),
                        .identity = jd_attractors_identity(a),
                        .is_done = is_done,
                        .run = run_pieces,
                        .pack = pack,
                        .restore = restore,
                        .user = &w};
    keeper k;
    bool complete = false;
    JD_TRY(keeper_open(c, &all, asked->restart, &k));
    jd_status s = keeper_run(&k, &complete);
    if (s == JD_OK && !is_silent(c)) s = finish(c, p, a, &k, complete);
    keeper_close(&k, s == JD_OK && complete);
    return s;
}

jd_status many_starts(call *c, jd_problem *p) {
    const orbit_asked *asked = c->own;
    jd_attractors *a = NULL;
    jd_orbit_options options = jd_default_orbit_options();
    options.threads = c->threads;
    JD_TRY(take_up(c, p, &options));
    JD_TRY(jd_attractors_open(c->context, p, &options, asked->starts, (uint64_t)asked->seed, &a));
    jd_status s = keep_and_follow(c, p, a);
    jd_attractors_free(a);
    return s;
}
