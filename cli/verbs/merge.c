// merge.c -- judder merge: shards of a sweep put together.
#include <limits.h>
#include <time.h>

#include "command.h"

static void print_summary(const call *c, const jd_result *result, double seconds) {
    const jd_sweep_view *v = jd_result_sweep(result);
    const char *title = jd_result_look(result)->title;
    int settled = 0;
    for (int i = 0; i < v->n_point; i++) settled += v->point[i].settled;
    if (title[0]) printf("%s\n\n", title);
    printf("merged       %d shard%s, %d points, in %.2g s of processor time\n", c->n_argument,
           c->n_argument > 1 ? "s" : "", v->n_point, seconds);
    printf("settled      %d of %d points\n", settled, v->n_point);
    if (c->output) printf("result       %s\n", c->output);
    if (c->csv) printf("table        %s\n", c->csv);
    if (c->plot) printf("picture      %s\n", c->plot);
    if (!c->output && !c->csv && !c->plot)
        printf("nothing was kept: -o FILE.h5 keeps every point\n");
}

typedef struct merging {
    call *call;
    jd_merge *merge;
} merging;

static jd_status add(void *user, int i, json_t *document) {
    const merging *m = user;
    call *c = m->call;
    jd_result *part;
    jd_status s = jd_result_of_document(c->context, document, &part);
    if (s != JD_OK) jd_fail_where(c->context, "%s", c->argument[i]);
    if (s == JD_OK) s = jd_merge_add(m->merge, part, c->argument[i]);
    if (s == JD_OK && report_stop(c))
        s = jd_fail(c->context, JD_BAD_USAGE, "stopped: nothing is merged");
    return s;
}

static jd_status run_merge(call *c) {
    jd_merge *merge;
    jd_result *whole = NULL;
    clock_t begin = clock();
    JD_TRY(plot_check(c, "a sweep", PLOT_PAGE));
    JD_TRY(check_targets(c));
    JD_TRY(jd_merge_create(c->context, &merge));
    merging m = {.call = c, .merge = merge};
    jd_status s =
        jd_hdf5_read_all(c->context, c->n_argument, (const char *const *)c->argument, add, &m);
    if (s == JD_OK) s = jd_merge_end(merge, &whole);
    jd_merge_free(merge);
    if (s == JD_OK) s = deliver(c, whole, -1, true);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (s == JD_OK && wants_words(c)) print_summary(c, whole, seconds);
    jd_result_free(whole);
    return s;
}

const verb verb_merge = {
    .name = "merge",
    .arguments = "SHARD.h5 ...",
    .doc = "shards of a sweep put together",
    .help = "Puts together what `judder sweep MODEL --shard K/N -o FILE.h5` computed, in any\n"
            "order and of any numbers of shards. The result has the bits of one run. Points\n"
            "that are missing or given twice are named, shards of another model, of other\n"
            "values or of another version are refused; then nothing is written.\n",
    .shared =
        SHARED_OUTPUT | SHARED_JSON | SHARED_CSV | SHARED_PLOT | SHARED_PICTURE | SHARED_QUIET,
    .least = 1,
    .most = INT_MAX,
    .run = run_merge,
};
