// session.c -- an open page: its model, its lanes, what it sends and what is sent to it.
#include <stdlib.h>
#include <string.h>

#include "lab/lab.h"
#include "lazy/civetweb.h"

const request_kind request_kinds[] = {{"open", 0, answer_open},         {"model", 0, answer_model},
                                      {"motion", 0, answer_motion},     {"orbit", 0, answer_orbit},
                                      {"yaml", 0, answer_yaml},         {"sweep", 1, answer_sweep},
                                      {"follow", 1, answer_follow},     {"sound", 1, answer_sound},
                                      {"download", 1, answer_download}, {NULL, 0, NULL}};

enum { DEEPEST = 16 };

// Seconds that a computation is left in peace when a newer one waits.
static const double patience[LANES] = {0.2, 0};

struct session {
    lab_setup *lab;
    lab_connection *connection;
    mtx_t lock;       // of the model
    mtx_t sending;    // of the connection
    atomic_bool gone; // nothing can be sent any longer
    lab_model *model;
    lane *lane[LANES];
};

session *session_create(lab_setup *lab, lab_connection *connection) {
    session *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->lab = lab;
    s->connection = connection;
    if (mtx_init(&s->lock, mtx_plain) != thrd_success ||
        mtx_init(&s->sending, mtx_plain) != thrd_success)
        end_without_memory();
    for (int i = 0; i < LANES; i++) {
        s->lane[i] = lane_create(s, patience[i]);
        if (!s->lane[i]) end_without_memory();
    }
    return s;
}

void session_free(session *s) {
    if (!s) return;
    atomic_store(&s->gone, true);
    for (int i = 0; i < LANES; i++) lane_free(s->lane[i]);
    lab_model_release(s->model);
    mtx_destroy(&s->sending);
    mtx_destroy(&s->lock);
    free(s);
}

lab_setup *session_lab(session *s) { return s->lab; }

lab_model *session_model(session *s) {
    mtx_lock(&s->lock);
    lab_model *model = s->model ? lab_model_share(s->model) : NULL;
    mtx_unlock(&s->lock);
    return model;
}

void session_put_model(session *s, lab_model *model) {
    mtx_lock(&s->lock);
    lab_model *old = s->model;
    s->model = lab_model_share(model);
    mtx_unlock(&s->lock);
    lab_model_release(old);
}

// Waits while the page does not read, up to the server's time limit; then it counts as gone.
bool session_send(session *s, bool binary, const char *data, size_t size) {
    if (atomic_load(&s->gone)) return false;
    int opcode = binary ? MG_WEBSOCKET_OPCODE_BINARY : MG_WEBSOCKET_OPCODE_TEXT;
    mtx_lock(&s->sending);
    bool sent = !atomic_load(&s->gone) && mg_websocket_write(s->connection, opcode, data, size) > 0;
    if (!sent) atomic_store(&s->gone, true);
    mtx_unlock(&s->sending);
    return sent;
}

// A page that edits its text sends it with the request that is to read it.
static bool take_text(session *s, const json_t *body) {
    const json_t *text = json_object_get(body, "text");
    if (!json_is_string(text)) return true;
    lab_model *old = session_model(s);
    if (!old) old = lab_model_create("model.yaml", "", "", 0);
    lab_model *model = old ? lab_model_create(old->name, old->folder, json_string_value(text),
                                              json_string_length(text))
                           : NULL;
    if (model) session_put_model(s, model);
    lab_model_release(model);
    lab_model_release(old);
    return model != NULL;
}

// Lists and objects within each other, at most: the threads of the server have 100 kB of stack,
// which reading 2000 levels would take.
static bool is_shallow(const char *text, size_t size) {
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < size && depth <= DEEPEST; i++) {
        if (text[i] == '"') quoted = !quoted;
        if (quoted && text[i] == '\\') i++;
        if (!quoted)
            depth += (text[i] == '[' || text[i] == '{') - (text[i] == ']' || text[i] == '}');
    }
    return depth <= DEEPEST;
}

bool session_take(session *s, const char *text, size_t size) {
    json_error_t where;
    if (atomic_load(&s->gone)) return false;
    json_t *body =
        is_shallow(text, size) ? json_loadb(text, size, JSON_REJECT_DUPLICATES, &where) : NULL;
    const char *name = json_string_value(json_object_get(body, "do"));
    double id = json_number_value(json_object_get(body, "id"));
    if (!name) {
        send_refusal(s, id, "a message is a JSON object with a text `do`");
        json_decref(body);
        return true;
    }
    if (strcmp(name, "cancel") == 0) {
        lane_cancel(s->lane[1]);
        json_decref(body);
        return true;
    }
    for (int k = 0; request_kinds[k].name; k++) {
        if (strcmp(request_kinds[k].name, name) != 0) continue;
        if (!take_text(s, body)) end_without_memory();
        lane_put(s->lane[request_kinds[k].lane], k, body);
        return true;
    }
    send_refusal(s, id, "no such request");
    json_decref(body);
    return true;
}
