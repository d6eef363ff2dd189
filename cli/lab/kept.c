// kept.c -- what a lane keeps from one change of a knob to the next: structures with their modes,
// and the geometry of the moving shape.
//   The text of every request is read anew, so that nothing can differ from what `copy as YAML`
//   gives. But a structure follows from its section alone: as long as the text of the model and the
//   changes that reach structures and places are the same, so are its matrices and modes. Files
//   that a structure names are read again when one of these changes, or the model is opened anew.
#include <stdlib.h>
#include <string.h>

#include "lab/lab.h"
#include "problem/parts.h"
#include "problem/system.h"

struct lab_kept {
    jd_context *context;
    lab_model *model;    // shared: the same pointer is the same text
    char *changes;       // those that matter, a line each
    jd_problem *problem; // holds the structures; NULL: nothing is kept
    jd_problem *finite;  // those with the first of infinitely many modes; NULL: none
    jd_arena *arena;     // of the geometry; NULL: there is none
    jd_geometry geometry;
};

lab_kept *kept_create(jd_context *context) {
    lab_kept *k = calloc(1, sizeof *k);
    if (k) k->context = context;
    return k;
}

static void forget(lab_kept *k) {
    lab_model_release(k->model);
    free(k->changes);
    jd_problem_free(k->problem);
    jd_problem_free(k->finite);
    if (k->arena) jd_arena_free(k->arena);
    *k = (lab_kept){.context = k->context};
}

void kept_free(lab_kept *k) {
    if (k) forget(k);
    free(k);
}

// Laws and counterparts of contacts, drives, and what to compute: none of them reaches a structure
// or a place.
static bool matters(const char *change) {
    static const char *const free_of[] = {"drives.", "simulate.", "orbit.", "output.",
                                          "sweep.",  "follow.",   "start."};
    size_t length = strcspn(change, "=");
    for (size_t i = 0; i < sizeof free_of / sizeof *free_of; i++)
        if (strncmp(change, free_of[i], strlen(free_of[i])) == 0) return false;
    const char *law = strstr(change, ".law."), *against = strstr(change, ".against.velocity");
    bool inside = (law && law < change + length) || (against && against < change + length);
    return strncmp(change, "contacts.", 9) != 0 || !inside;
}

static char *those_that_matter(int n, const char *const *change) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) end_without_memory();
    for (int i = 0; i < n; i++)
        if (matters(change[i])) fprintf(out, "%s\n", change[i]);
    if (fclose(out) != 0) end_without_memory();
    return text;
}

const jd_problem *kept_problem(lab_kept *k, lab_model *model, int n, const char *const *change) {
    char *text = those_that_matter(n, change);
    if (!k->problem || k->model != model || strcmp(text, k->changes) != 0) {
        forget(k);
        k->model = lab_model_share(model);
        k->changes = text;
        return NULL;
    }
    free(text);
    return k->problem;
}

void kept_take(lab_kept *k, const jd_problem *problem) {
    if (k->problem) return;
    if (jd_problem_copy(k->context, problem, &k->problem) == JD_OK) return;
    k->problem = NULL; // nothing is kept
    jd_context_clear_error(k->context);
}

jd_problem *kept_finite(lab_kept *k, const request *r, const jd_problem *problem) {
    jd_problem *own = NULL;
    if (!jd_problem_infinite(problem)) return NULL;
    if (jd_problem_finite(r->context, problem, JD_FOLLOWED_MODES, k->finite, &own) == JD_OK &&
        !k->finite && jd_problem_copy(k->context, own, &k->finite) != JD_OK)
        k->finite = NULL; // nothing is kept
    jd_context_clear_error(r->context);
    jd_context_clear_error(k->context);
    return own;
}

jd_geometry *kept_geometry(lab_kept *k, const jd_problem *problem) {
    if (!k->arena) {
        k->arena = jd_arena_create(k->context);
        if (!k->arena) end_without_memory();
        if (jd_geometry_create_rows(k->arena, problem, &k->geometry) != JD_OK) k->geometry.n = 0;
        jd_context_clear_error(k->context);
    }
    k->geometry.problem = problem; // whose connections may give other common modes
    return k->geometry.n > 0 ? &k->geometry : NULL;
}
