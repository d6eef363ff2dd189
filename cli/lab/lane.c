// lane.c -- a thread that answers requests, the latest of each kind.
//   A request that comes while another of its kind waits replaces it: no queue can grow. One that
//   is under way goes on for `patience` seconds, so that a knob that is turned without pause still
//   shows pictures of models that take longer than two moves; after that a newer one cancels it.
#include <stdlib.h>

#include "lab/lab.h"

struct lane {
    session *session;
    jd_context *context;
    lab_kept *kept;
    double patience; // [s]
    thrd_t thread;
    bool started;
    mtx_t lock;
    cnd_t wake;
    json_t *waiting[REQUEST_KINDS];
    long number[REQUEST_KINDS]; // order in which they came
    long last;
    int running;  // kind under way; -1: none
    double began; // [s]
    atomic_bool overtaken, cancelled, quit;
};

bool lane_left(lane *l) {
    if (atomic_load(&l->quit) || atomic_load(&l->cancelled)) return true;
    return atomic_load(&l->overtaken) && wall_seconds() - l->began > l->patience;
}

static bool asked_to_stop(void *user) { return lane_left(user); }

lane *lane_create(session *s, double patience) {
    lane *l = calloc(1, sizeof *l);
    jd_context_def def = jd_default_context_def();
    if (!l) return NULL;
    def.stop = asked_to_stop;
    def.user = l;
    l->session = s;
    l->patience = patience;
    l->running = -1;
    l->context = jd_context_create(&def);
    if (!l->context || mtx_init(&l->lock, mtx_plain) != thrd_success) {
        jd_context_free(l->context);
        free(l);
        return NULL;
    }
    jd_context_keep_shapes(l->context, true); // nodes of meshes are shown
    l->kept = kept_create(l->context);
    if (!l->kept || cnd_init(&l->wake) != thrd_success) end_without_memory();
    return l;
}

lab_kept *lane_kept(lane *l) { return l->kept; }

static void answer(lane *l, int kind, json_t *body) {
    request r = {.session = l->session,
                 .lane = l,
                 .context = l->context,
                 .arena = jd_arena_create(l->context),
                 .body = body,
                 .model = session_model(l->session),
                 .id = json_number_value(json_object_get(body, "id")),
                 .used = processor_seconds()};
    jd_context_clear_error(l->context);
    jd_status s = r.arena ? request_kinds[kind].answer(&r) : JD_OUT_OF_MEMORY;
    if (s != JD_OK && !lane_left(l)) send_failure(&r);
    lab_model_release(r.model);
    if (r.arena) jd_arena_free(r.arena);
    json_decref(body);
}

// The kind that has waited longest; -1: none.
static int next_kind(const lane *l) {
    int kind = -1;
    for (int i = 0; i < REQUEST_KINDS; i++)
        if (l->waiting[i] && (kind < 0 || l->number[i] < l->number[kind])) kind = i;
    return kind;
}

static int work(void *user) {
    lane *l = user;
    mtx_lock(&l->lock);
    while (!atomic_load(&l->quit)) {
        int kind = next_kind(l);
        if (kind < 0) {
            cnd_wait(&l->wake, &l->lock);
            continue;
        }
        json_t *body = l->waiting[kind];
        l->waiting[kind] = NULL;
        l->running = kind;
        l->began = wall_seconds();
        atomic_store(&l->overtaken, false);
        atomic_store(&l->cancelled, false);
        mtx_unlock(&l->lock);
        answer(l, kind, body);
        mtx_lock(&l->lock);
        l->running = -1;
    }
    mtx_unlock(&l->lock);
    return 0;
}

void lane_put(lane *l, int kind, json_t *body) {
    mtx_lock(&l->lock);
    if (l->waiting[kind]) json_decref(l->waiting[kind]);
    l->waiting[kind] = body;
    l->number[kind] = ++l->last;
    if (l->running == kind) atomic_store(&l->overtaken, true);
    if (!l->started) l->started = thrd_create(&l->thread, work, l) == thrd_success;
    cnd_signal(&l->wake);
    mtx_unlock(&l->lock);
}

void lane_cancel(lane *l) {
    mtx_lock(&l->lock);
    for (int i = 0; i < REQUEST_KINDS; i++) {
        if (l->waiting[i]) json_decref(l->waiting[i]);
        l->waiting[i] = NULL;
    }
    atomic_store(&l->cancelled, true);
    mtx_unlock(&l->lock);
}

void lane_free(lane *l) {
    if (!l) return;
    lane_cancel(l);
    mtx_lock(&l->lock);
    atomic_store(&l->quit, true);
    cnd_signal(&l->wake);
    mtx_unlock(&l->lock);
    if (l->started) thrd_join(l->thread, NULL);
    cnd_destroy(&l->wake);
    mtx_destroy(&l->lock);
    kept_free(l->kept);
    jd_context_free(l->context);
    free(l);
}
