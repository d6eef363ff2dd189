// message.c -- answers to a page: JSON, and frames of JSON with arrays of numbers behind it.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lab/lab.h"

struct frame {
    request *request;
    json_t *head, *list;
    char *data; // arrays so far
    size_t size, room;
};

double wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

json_t *json_finite(double value) { return isfinite(value) ? json_real(value) : json_null(); }

frame *frame_create(request *r, const char *kind) {
    frame *f = calloc(1, sizeof *f);
    if (!f) end_without_memory();
    f->request = r;
    f->list = json_array();
    f->head = json_pack("{s:s, s:f, s:o}", "kind", kind, "id", r->id, "arrays", f->list);
    return f;
}

json_t *frame_head(frame *f) { return f->head; }

static void *grow(frame *f, size_t more) {
    size_t padded = (more + 7) / 8 * 8;
    if (f->size + padded > f->room) {
        f->room = 2 * (f->size + padded);
        f->data = realloc(f->data, f->room);
        if (!f->data) end_without_memory();
    }
    char *at = f->data + f->size;
    memset(at, 0, padded);
    f->size += padded;
    return at;
}

static void list(frame *f, const char *name, const char *type, size_t n) {
    json_array_append_new(f->list, json_pack("[o, s, I]", jd_json_text(name), type, (json_int_t)n));
}

void frame_reals(frame *f, const char *name, int n, const double *value) {
    size_t bytes = (size_t)n * sizeof *value;
    list(f, name, "f8", (size_t)n);
    if (n > 0) memcpy(grow(f, bytes), value, bytes);
}

void frame_singles(frame *f, const char *name, int n, const double *value) {
    list(f, name, "f4", (size_t)n);
    if (n <= 0) return;
    float *out = grow(f, (size_t)n * sizeof *out);
    for (int i = 0; i < n; i++) out[i] = (float)value[i];
}

void frame_integers(frame *f, const char *name, int n, const int32_t *value) {
    size_t bytes = (size_t)n * sizeof *value;
    list(f, name, "i4", (size_t)n);
    if (n > 0) memcpy(grow(f, bytes), value, bytes);
}

void frame_bytes(frame *f, const char *name, size_t n, const void *value) {
    list(f, name, "u1", n);
    if (n > 0) memcpy(grow(f, n), value, n);
}

void frame_send(frame *f) {
    char *head = json_dumps(f->head, JSON_COMPACT);
    if (!head) end_without_memory();
    size_t length = strlen(head), start = (4 + length + 7) / 8 * 8;
    char *all = calloc(1, start + f->size + 1);
    if (!all) end_without_memory();
    for (int i = 0; i < 4; i++) all[i] = (char)(length >> (8 * i) & 255);
    memcpy(all + 4, head, length); // bytes: NOLINT(bugprone-not-null-terminated-result)
    if (f->size > 0) memcpy(all + start, f->data, f->size);
    session_send(f->request->session, true, all, start + f->size);
    free(all);
    free(head);
    json_decref(f->head);
    free(f->data);
    free(f);
}

static void send_object(session *s, json_t *object) {
    char *text = json_dumps(object, JSON_COMPACT);
    if (!text) end_without_memory();
    session_send(s, false, text, strlen(text));
    free(text);
    json_decref(object);
}

void send_json(request *r, const char *kind, json_t *body) {
    if (!body) body = json_object(); // what could not be packed
    json_object_set_new(body, "kind", json_string(kind));
    json_object_set_new(body, "id", json_real(r->id));
    send_object(r->session, body);
}

void send_failure(request *r) {
    const jd_error *e = jd_context_error(r->context);
    const char *name = e->status == JD_OK ? "out-of-memory" : jd_status_name(e->status);
    send_json(r, "error",
              json_pack("{s:s, s:s?, s:o, s:o, s:o}", "name", name, "to",
                        json_string_value(json_object_get(r->body, "do")), "message",
                        jd_json_text(e->message), "where", jd_json_text(e->where), "hint",
                        jd_json_text(e->hint)));
}

void send_refusal(session *s, double id, const char *message) {
    send_object(s, json_pack("{s:s, s:f, s:s, s:s, s:s, s:s}", "kind", "error", "id", id, "name",
                             "bad-usage", "message", message, "where", "", "hint", ""));
}
