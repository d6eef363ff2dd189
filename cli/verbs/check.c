// check.c -- judder check: what a model is and what will be done with it, in plain words.
#include "command.h"

static jd_status run_check(call *c) {
    jd_problem *problem;
    JD_TRY(load_model(c, &problem));
    char probe[2]; // asks for the length
    size_t size = jd_model_explain(problem, probe, sizeof probe) + 1;
    char *text = JD_TAKE(c->arena, char, size);
    jd_status s = text ? JD_OK : out_of_memory(c);
    if (text) {
        jd_model_explain(problem, text, size);
        if (c->json) {
            json_t *document = json_pack(
                "{s:s, s:s, s:s, s:s}", "kind", "check", "title", jd_problem_title(problem),
                "units", jd_problem_is_si(problem) ? "SI" : "consistent", "text", text);
            jd_json_write(document, stdout);
            json_decref(document);
        } else if (!c->quiet) {
            printf("%s\n", text);
        }
    }
    jd_problem_free(problem);
    return s;
}

const verb verb_check = {
    .name = "check",
    .arguments = "MODEL.yaml",
    .doc = "what a model is and what will be done with it",
    .help = "Reads and builds the model and says in plain words what it is.\n",
    .shared = SHARED_JSON | SHARED_SET | SHARED_QUIET | SHARED_THREADS | SHARED_NO_CACHE,
    .least = 1,
    .most = 1,
    .run = run_check,
};
