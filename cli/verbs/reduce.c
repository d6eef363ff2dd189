// reduce.c -- judder reduce: a model with few modes in place of its structures.
#include "command.h"

typedef struct reduce_asked {
    int modes;
    const char *reduction;
} reduce_asked;

static jd_status run_reduce(call *c) {
    const reduce_asked *asked = c->own;
    if (!c->output) {
        jd_fail(c->context, JD_BAD_USAGE, "reduce needs -o FILE.yaml, the model to be written");
        return JD_BAD_USAGE;
    }
    JD_TRY(check_targets(c));
    jd_reduce_def def = {.file = c->argument[0],
                         .n_set = c->set.n,
                         .set = c->set.text,
                         .modes = asked->modes,
                         .reduction = asked->reduction,
                         .output = c->output};
    int modes = 0;
    JD_TRY(jd_model_reduce(c->context, &def, &modes));
    report_progress_end(c);
    if (c->json) {
        json_t *document = json_pack("{s:s, s:o, s:i}", "kind", "reduce", "written",
                                     jd_json_text(c->output), "modes", modes);
        jd_json_write(document, stdout);
        json_decref(document);
    } else if (!c->quiet) {
        printf("%s: a model of %d mode%s; `judder check %s` says what it is\n", c->output, modes,
               modes == 1 ? "" : "s", c->output);
    }
    return JD_OK;
}

static const option options[] = {
    // name, value, doc, kind, place
    {"output", "FILE", "the model to be written (FILE.yaml)", OPTION_FILE, IN_CALL(output),
     .letter = 'o'},
    {"modes", "N", "modes kept of every structure; left out: as the model says", OPTION_WHOLE,
     IN_OWN(reduce_asked, modes), .low = 1, .high = 1000000},
    {"reduction", "NAME", "free-interface, craig-bampton or none; left out: as the model says",
     OPTION_TEXT, IN_OWN(reduce_asked, reduction)},
    {0}};

const verb verb_reduce = {
    .name = "reduce",
    .arguments = "MODEL.yaml -o SMALL.yaml",
    .doc = "few modes in place of the structures",
    .help = "Writes the model with every structure replaced by its modes (`type: modes`):\n"
            "frequencies, damping and the shapes at its points, static shapes included. The\n"
            "file moves as the model itself does, needs no matrices, and can be read by other\n"
            "programs. --modes and --reduction choose how much is kept.\n",
    .shared = SHARED_JSON | SHARED_SET | SHARED_QUIET | SHARED_THREADS | SHARED_NO_CACHE,
    .options = options,
    .own_size = sizeof(reduce_asked),
    .least = 1,
    .most = 1,
    .run = run_reduce,
};
