// batch.c -- judder batch: runs of many variants of a model, by a table of cases.
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "pieces.h"
#include "problem/parts.h"

typedef struct batch_asked {
    const char *table; // file of the cases; NULL: not given
    bool restart;
} batch_asked;

enum { ROWS = 20 };

static void print_failures(call *c, const jd_batch_result *b) {
    int most = c->count == COUNT_DEFAULT ? ROWS : c->count, shown = 0;
    if (b->failed == 0) return;
    printf("failed       %d of %d cases\n", b->failed, b->n);
    for (int i = 0; i < b->n && (most == COUNT_ALL || shown < most); i++) {
        if (b->item[i].status == JD_OK) continue;
        printf("  case %-6d %s: %s\n", i + 1, jd_status_name(b->item[i].status),
               b->item[i].message);
        shown++;
    }
    if (shown < b->failed) printf("  ... and %d more; --count all shows them\n", b->failed - shown);
}

static void print_summary(call *c, const keeper *k, const jd_result *result, double seconds) {
    const jd_batch_result *b = jd_result_batch(result);
    int done = 0, early = 0, certified = 0;
    for (int i = 0; i < b->n; i++) {
        bool ran = b->item[i].done && b->item[i].status == JD_OK;
        done += ran;
        early += ran && b->item[i].stop != JD_STOP_END;
        certified += ran && b->item[i].certified;
    }
    const char *title = jd_result_look(result)->title;
    if (title[0]) printf("%s\n\n", title);
    printf("batch        %d of %d cases ran", done, b->n);
    if (!c->spread) printf(", in %.2g s of processor time", seconds);
    printf("\n");
    for (int i = 0; i < b->n_parameter; i++)
        printf("%-12s %s\n", i ? "" : "changed", b->parameter[i].name);
    printf("certificate  of %d cases it is proved that no event was missed\n", certified);
    if (early) printf("stopped      %d cases ended early: see `stop` of each\n", early);
    print_failures(c, b);
    if (k->restored) printf("journal      %d cases were there already\n", k->restored);
    if (!b->complete && k->journal) return; // nothing was written but the journal
    if (c->output) printf("result       %s\n", c->output);
    if (c->csv) printf("table        %s\n", c->csv);
    if (c->plot) printf("picture      %s\n", c->plot);
    if (!c->output && !c->csv && !c->plot)
        printf("nothing was kept: -o FILE.h5 or --csv FILE keeps every case\n");
}

// The folder of the model, where its relative paths start.
static const char *folder_of(call *c) {
    char *folder = jd_arena_text(c->arena, c->argument[0]);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (!folder) return NULL;
    if (!slash) return "";
    slash[slash == folder] = '\0';
    return folder;
}

// What the hooks of the pieces know.
typedef struct case_work {
    jd_batch_work *batch;
    const pieces_ask *ask; // while it runs
} case_work;

static bool is_done(void *user, int number) {
    return jd_batch_work_is_done(((const case_work *)user)->batch, number);
}

static jd_status finished(void *user, const jd_batch_work *batch, int number) {
    const pieces_ask *ask = ((const case_work *)user)->ask;
    (void)batch;
    return ask->finished(ask->keeper, number);
}

static jd_status run_pieces(void *user, const pieces_ask *ask, bool *complete) {
    case_work *w = user;
    w->ask = ask;
    const jd_batch_options some = {
        .first = ask->first, .n = ask->n, .finished = finished, .user = w};
    return jd_batch_work_run(w->batch, &some, complete);
}

static void pack(void *user, int number, unsigned char *out) {
    jd_batch_work_pack(((const case_work *)user)->batch, number, out);
}

static jd_status restore(void *user, int number, const unsigned char *bytes) {
    return jd_batch_work_restore(((const case_work *)user)->batch, number, bytes);
}

// Files that the model names may change while its text does not: the problem tells.
static uint64_t identity(const jd_problem *problem, const jd_batch_work *batch) {
    const uint64_t both[] = {jd_problem_identity(problem), jd_batch_work_identity(batch)};
    unsigned char bytes[sizeof both];
    memcpy(bytes, both, sizeof bytes);
    return jd_hash(jd_hash_start, bytes, sizeof bytes);
}

// Cut short, nothing is written but the journal, where there is one.
static jd_status finish(call *c, jd_batch_work *batch, const keeper *k, double seconds) {
    jd_result *result;
    JD_TRY(jd_batch_work_result(batch, &result));
    const jd_batch_result *b = jd_result_batch(result);
    jd_status s = JD_OK;
    if (b->complete || !k->journal)
        s = deliver(c, result, seconds, true);
    else if (c->json)
        s = print_json(c, result, seconds);
    if (s == JD_OK && wants_words(c)) print_summary(c, k, result, seconds);
    if (!b->complete)
        report_warning(c, "stopped before every case was computed%s",
                       k->journal ? "; the same command goes on from there" : "");
    c->stopped = !b->complete || b->failed > 0;
    jd_result_free(result);
    return s;
}

static jd_status keep_and_run(call *c, const jd_problem *problem, jd_batch_work *batch, int n) {
    const batch_asked *asked = c->own;
    case_work w = {.batch = batch};
    const pieces all = {.work = "batch",
                        .n = n,
                        .each = 1,
                        .size = jd_batch_work_packed_size(batch),
                        .identity = identity(problem, batch),
                        .is_done = is_done,
                        .run = run_pieces,
                        .pack = pack,
                        .restore = restore,
                        .user = &w};
    keeper k;
    bool complete = false;
    clock_t begin = clock();
    JD_TRY(keeper_open(c, &all, asked->restart, &k));
    jd_status s = keeper_run(&k, &complete);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (s == JD_OK && !is_silent(c)) s = finish(c, batch, &k, seconds);
    keeper_close(&k, s == JD_OK && complete);
    return s;
}

static jd_status compute(call *c, const jd_problem *problem, const jd_batch_table *list) {
    jd_batch_def cases = *jd_batch_look(list);
    const char *text = jd_model_text(problem);
    const jd_model_def model = {.name = c->argument[0],
                                .folder = folder_of(c),
                                .text = text,
                                .size = strlen(text),
                                .n_set = c->set.n,
                                .set = c->set.text};
    jd_batch_work *batch;
    cases.threads = c->threads;
    JD_TRY(jd_batch_work_create(c->context, &model, &cases, &batch));
    jd_status s = keep_and_run(c, problem, batch, cases.n);
    jd_batch_work_free(batch);
    return s;
}

static jd_status run_batch(call *c) {
    jd_batch_table *list = NULL;
    jd_problem *problem = NULL;
    const batch_asked *asked = c->own;
    if (!asked->table) {
        jd_fail(c->context, JD_BAD_USAGE, "no table of cases is given");
        jd_fail_hint(c->context, "write --table cases.csv, whose first line holds paths such as "
                                 "contacts.tip.law.limit");
        return JD_BAD_USAGE;
    }
    JD_TRY(plot_check(c, "a batch", PLOT_PAGE));
    JD_TRY(jd_batch_read(c->context, asked->table, &list));
    jd_status s = load_model(c, &problem);
    if (s == JD_OK) s = compute(c, problem, list);
    jd_problem_free(problem);
    jd_batch_free(list);
    return s;
}

static const option options[] = {
    {"table", "FILE", "comma-separated cases: paths in the first line, a case in every other",
     OPTION_TEXT, IN_OWN(batch_asked, table)},
    {"restart", NULL, "start again: delete the journal of what was interrupted", OPTION_FLAG,
     IN_OWN(batch_asked, restart)},
    {0}};

const verb verb_batch = {
    .name = "batch",
    .arguments = "MODEL.yaml",
    .doc = "runs of many variants, by a table of cases",
    .help = "Runs the model once for each line of --table FILE. Its first line holds paths\n"
            "(contacts.tip.law.limit,drives.shaker.amplitude), every other line the values of\n"
            "one case: numbers in SI or in the model's own units, texts with units as --set\n"
            "takes them, nothing where the model's own value stays. Kept are the end, the\n"
            "events, the certificate and the energies of each run, extremes and losses of its\n"
            "contacts. A case that is refused is noted and does not stop the others. With -o\n"
            "every finished case is kept in FILE.h5.journal at once: after Ctrl-C, a crash or\n"
            "kill -9 the same command goes on where it was.\n",
    .shared = SHARED_RESULTS | SHARED_COUNT,
    .options = options,
    .own = &(const batch_asked){0},
    .own_size = sizeof(batch_asked),
    .least = 1,
    .most = 1,
    .run = run_batch,
};
