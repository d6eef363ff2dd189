// lists.c -- sink for the JSON face: the first events and samples as arrays.
//   JSON is one object in memory: longer runs belong into a file, and the object says what is
//   missing.
#include "base/arena.h"
#include "result/run.h"

enum { MOST_EVENTS = 10000, MOST_VALUES = 2000000 };

struct jd_lists {
    jd_recording *follow;
    json_t *events;
    json_t *samples; // column -> array
    bool full;       // samples were left out
};

static jd_status no_memory(jd_lists *l) {
    return jd_fail(l->follow->context, JD_OUT_OF_MEMORY, "not enough memory for the result");
}

static json_t *letter(char c) { return json_stringn(&c, 1); }

static jd_status keep_event(void *user, const jd_event *e) {
    jd_lists *l = user;
    if (json_array_size(l->events) >= MOST_EVENTS) return JD_OK;
    const char *name = jd_problem_contact(l->follow->problem, e->contact)->name;
    json_t *entry = json_pack("{s:o, s:s, s:o, s:o}", "t", jd_json_real(e->t), "contact", name,
                              "from", letter(e->from), "to", letter(e->to));
    if (entry && e->from == 'o' && e->to == 'o') {
        json_object_set_new(entry, "speed", jd_json_real(e->speed));
        json_object_set_new(entry, "impulse", jd_json_real(e->impulse));
    }
    const jd_contact_def *def = jd_problem_contact(l->follow->problem, e->contact)->def;
    if (entry && !def->at.point) json_object_set_new(entry, "cell", json_integer(e->cell));
    return json_array_append_new(l->events, entry) == 0 ? JD_OK : no_memory(l);
}

static jd_status keep_sample(void *user, const double *row) {
    jd_lists *l = user;
    const jd_stream_head *h = &l->follow->head;
    l->full = l->follow->n_sample > MOST_VALUES / h->n_column;
    if (l->full) return JD_OK;
    for (int i = 0; i < h->n_column; i++) {
        json_t *list = json_object_get(l->samples, h->column[i]);
        if (json_array_append_new(list, jd_json_real(row[i])) != 0) return no_memory(l);
    }
    return JD_OK;
}

jd_lists *jd_lists_create(jd_recording *f) {
    jd_lists *l = JD_TAKE(f->arena, jd_lists, 1);
    if (!l) return NULL;
    *l = (jd_lists){.follow = f, .events = json_array(), .samples = json_object()};
    for (int i = 0; i < f->head.n_column; i++)
        json_object_set_new(l->samples, f->head.column[i], json_array());
    jd_recording_add(f, (jd_sink){.user = l, .sample = keep_sample, .event = keep_event});
    return l;
}

void jd_lists_add(jd_lists *l, json_t *document) {
    const jd_event_counts *all = &l->follow->count[jd_problem_contacts(l->follow->problem)];
    bool cut = all->total > (long)json_array_size(l->events);
    json_object_set(document, "event_list", l->events);
    json_object_set_new(document, "truncated", json_boolean(cut));
    json_object_set(document, "samples", l->samples);
    json_object_set_new(document, "samples_truncated", json_boolean(l->full));
}

void jd_lists_free(jd_lists *l) {
    if (!l) return;
    json_decref(l->events);
    json_decref(l->samples);
}
