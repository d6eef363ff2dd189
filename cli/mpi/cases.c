// cases.c -- the cases of a batch over the ranks of MPI.
//   A chunk is a batch of its own; its cases come back as the JSON of their result, with 17 digits,
//   and rank 0 puts the lists together: the same bits as on one machine. Handed out as lines of a
//   sweep are, by the messages of ranks.c.
#include "base/hash.h"
#include "mpi/ranks.h"

typedef struct batch_work {
    call *call;
    const jd_model_def *model;
    const jd_batch_def *cases;
    json_t **part; // of each chunk, by its first case; NULL: not there
} batch_work;

static jd_status compute(void *user, int first, int n, char **bytes, size_t *size, bool *cut) {
    const batch_work *w = user;
    jd_batch_def some = *w->cases;
    jd_result *result;
    some.n = n;
    some.value += (ptrdiff_t)first * some.n_parameter;
    some.threads = some.threads > 0 ? some.threads : 1;
    JD_TRY(jd_result_of_batch(w->call->context, w->model, &some, &result));
    *cut = !jd_result_batch(result)->complete;
    json_t *document = jd_result_document(result, JD_FACE_JSON);
    *bytes = document ? json_dumps(document, JSON_REAL_PRECISION(17) | JSON_COMPACT) : NULL;
    json_decref(document);
    jd_result_free(result);
    if (!*bytes) return out_of_memory(w->call);
    *size = strlen(*bytes) + 1;
    return JD_OK;
}

static jd_status collect(void *user, int first, int n, const char *bytes, size_t size) {
    batch_work *w = user;
    (void)n;
    w->part[first] = size > 0 ? json_loads(bytes, 0, NULL) : NULL;
    if (w->part[first]) return JD_OK;
    return jd_fail(w->call->context, JD_INTERNAL, "what a rank sent cannot be read");
}

// Cases and columns of contacts of one chunk behind those of the first.
static bool append(json_t *whole, const json_t *part) {
    const char *name;
    json_t *column, *more = json_object_get(part, "contacts");
    bool fine =
        json_array_extend(json_object_get(whole, "cases"), json_object_get(part, "cases")) == 0;
    json_object_foreach(json_object_get(whole, "contacts"), name, column) fine =
        fine && json_array_extend(column, json_object_get(more, name)) == 0;
    json_object_foreach(json_object_get(whole, "parameters"), name, column) {
        json_t *other = json_object_get(json_object_get(part, "parameters"), name);
        fine = fine && json_array_extend(json_object_get(column, "value"),
                                         json_object_get(other, "value")) == 0;
    }
    json_t *failed = json_object_get(whole, "failed");
    json_int_t all =
        json_integer_value(failed) + json_integer_value(json_object_get(part, "failed"));
    return fine && json_integer_set(failed, all) == 0;
}

static jd_status put_together(batch_work *w, jd_result **out) {
    json_t *whole = NULL;
    for (int i = 0; i < w->cases->n; i++) {
        if (!w->part[i]) continue;
        if (!whole)
            whole = w->part[i];
        else if (!append(whole, w->part[i]))
            return out_of_memory(w->call);
    }
    if (!whole || json_array_size(json_object_get(whole, "cases")) != (size_t)w->cases->n)
        return jd_fail(w->call->context, JD_BAD_USAGE, "stopped: a batch over ranks keeps no part");
    json_object_set_new(whole, "model", json_stringn(w->model->text, w->model->size));
    json_object_set_new(whole, "judder_version", json_string(jd_version()));
    return jd_result_of_document(w->call->context, whole, out);
}

// Of model, changes, cases and version.
static unsigned long long identity(const jd_model_def *model, const jd_batch_def *cases) {
    uint64_t h = jd_hash(jd_hash_start, jd_version(), strlen(jd_version()) + 1);
    h = jd_hash(h, model->text, model->size);
    for (int i = 0; i < model->n_set; i++) h = jd_hash(h, model->set[i], strlen(model->set[i]) + 1);
    for (int k = 0; k < cases->n_parameter; k++)
        h = jd_hash(h, cases->parameter[k], strlen(cases->parameter[k]) + 1);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)cases->n * cases->n_parameter; i++)
        h = jd_hash(h, cases->value[i], strlen(cases->value[i]) + 1);
    return h;
}

jd_status ranks_batch(call *c, const jd_model_def *model, const jd_batch_def *cases,
                      jd_result **out) {
    batch_work w = {.call = c, .model = model, .cases = cases};
    w.part = JD_TAKE(c->arena, json_t *, cases->n);
    if (!w.part) return out_of_memory(c);
    const spread_work work = {.n = cases->n,
                              .identity = identity(model, cases),
                              .what = "batch",
                              .compute = compute,
                              .collect = collect,
                              .user = &w};
    *out = NULL;
    bool first, complete;
    jd_status s = ranks_spread(c, &work, &first, &complete);
    if (s == JD_OK && first) s = put_together(&w, out);
    for (int i = 0; i < cases->n; i++) json_decref(w.part[i]);
    return s;
}
