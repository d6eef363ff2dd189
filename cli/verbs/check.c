// check.c -- judder check: what a model is, what will be done with it, and whether that can be
//   done.
#include "analysis/check/sections.h"
#include "command.h"

// "no objection run, orbit: ..."
static void print_list(const char *head, const jd_verb_check *check, bool given, const char *last) {
    int n = 0;
    for (int i = 0; i < JD_VERB_CHECKS; i++) {
        if (check[i].given != given || check[i].refusal.status != JD_OK) continue;
        printf("%s%s", n++ ? ", " : head, check[i].verb);
    }
    if (n) printf("%s\n", last);
}

static void print_verbs(const jd_verb_check *check) {
    print_list("no objection ", check, true, " (names, times and engine were checked)");
    for (int i = 0; i < JD_VERB_CHECKS; i++) {
        const jd_error *e = &check[i].refusal;
        if (e->status == JD_OK) continue;
        printf("cannot       %s: %s%s%s\n", check[i].verb, e->where, e->where[0] ? ": " : "",
               e->message);
        if (e->hint[0]) printf("             %s\n", e->hint);
    }
    print_list("not asked    ", check, false, ": the model has no section for them");
}

static json_t *verbs_json(const jd_verb_check *check) {
    json_t *all = json_object();
    for (int i = 0; i < JD_VERB_CHECKS; i++) {
        const jd_error *e = &check[i].refusal;
        json_t *one =
            json_pack("{s:b, s:b}", "given", check[i].given, "refused", e->status != JD_OK);
        if (e->status != JD_OK) {
            json_object_set_new(one, "name", json_string(jd_status_name(e->status)));
            json_object_set_new(one, "reason", jd_json_text(e->message));
            json_object_set_new(one, "where", jd_json_text(e->where));
            json_object_set_new(one, "hint", jd_json_text(e->hint));
        }
        json_object_set_new(all, check[i].verb, one);
    }
    return all;
}

static void print_check(call *c, const jd_problem *problem, const char *text,
                        const jd_verb_check *check) {
    if (c->json) {
        json_t *document = json_pack("{s:s, s:s, s:s, s:s, s:o}", "kind", "check", "title",
                                     jd_problem_title(problem), "units",
                                     jd_problem_is_si(problem) ? "SI" : "consistent", "text", text,
                                     "verbs", verbs_json(check));
        jd_json_write(document, stdout);
        json_decref(document);
    } else if (!c->quiet) {
        printf("%s\n", text);
        print_verbs(check);
    }
}

static jd_status check_problem(call *c, jd_problem *problem) {
    char probe[2]; // asks for the length
    size_t size = jd_model_explain(problem, probe, sizeof probe) + 1;
    char *text = JD_TAKE(c->arena, char, size);
    jd_verb_check check[JD_VERB_CHECKS];
    if (!text) return out_of_memory(c);
    jd_model_explain(problem, text, size);
    JD_TRY(jd_check_verbs(problem, c->arena, check));
    print_check(c, problem, text, check);
    for (int i = 0; i < JD_VERB_CHECKS; i++) c->refused |= check[i].refusal.status != JD_OK;
    return JD_OK;
}

static jd_status run_check(call *c) {
    jd_problem *problem;
    JD_TRY(load_model(c, &problem));
    jd_status s = check_problem(c, problem);
    jd_problem_free(problem);
    return s;
}

const verb verb_check = {
    .name = "check",
    .arguments = "MODEL.yaml",
    .doc = "what a model is and what will be done with it",
    .help = "Reads and builds the model and says in plain words what it is. Lists the verbs\n"
            "that can be tried (no objection was found), those that cannot, with the reason,\n"
            "and those the model has no section for. Exit code 2 where a section asks for\n"
            "what cannot be done: an engine that cannot compute the model, a point, measure\n"
            "or number that is not there.\n",
    .shared = SHARED_JSON | SHARED_SET | SHARED_QUIET | SHARED_THREADS | SHARED_NO_CACHE,
    .least = 1,
    .most = 1,
    .run = run_check,
};
