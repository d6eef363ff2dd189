// keep.c -- the way of a run in memory: events, samples, energies and fields, in arrays that grow.
#include <string.h>

#include "result/run/keep.h"

// Room for one more row in each column: twice as much as before.
static jd_status grow(jd_arena *arena, jd_growing *g) {
    if (g->head.n_row < g->room) return JD_OK;
    int room = g->room ? 2 * g->room : 64;
    for (int k = 0; k < g->head.n_column; k++) {
        size_t width = g->head.width && g->head.width[k] ? (size_t)g->head.width[k] : 1;
        double *more = JD_TAKE_RAW(arena, double, (size_t)room *width);
        JD_TRY(jd_arena_status(arena));
        if (g->room) memcpy(more, g->value[k], (size_t)g->room * width * sizeof *more);
        g->value[k] = more;
    }
    g->room = room;
    return JD_OK;
}

static jd_status begin(jd_arena *arena, jd_columns head, jd_growing *g) {
    *g = (jd_growing){.head = head, .value = JD_TAKE(arena, double *, head.n_column)};
    return jd_arena_status(arena);
}

// One number for each column.
static jd_status add_row(jd_arena *arena, jd_growing *g, const double *row) {
    JD_TRY(grow(arena, g));
    for (int k = 0; k < g->head.n_column; k++) g->value[k][g->head.n_row] = row[k];
    g->head.n_row++;
    return JD_OK;
}

static jd_status keep_event(void *user, const jd_event *e) {
    jd_kept *k = user;
    if (k->keep.most_events && k->n_event >= k->keep.most_events) return JD_OK;
    if (k->n_event == k->event_room) {
        int room = k->event_room ? 2 * k->event_room : 64;
        jd_event *more = JD_TAKE_RAW(k->arena, jd_event, room);
        JD_TRY(jd_arena_status(k->arena));
        if (k->n_event) memcpy(more, k->event, (size_t)k->n_event * sizeof *more);
        k->event = more;
        k->event_room = room;
    }
    k->event[k->n_event++] = *e;
    return JD_OK;
}

static jd_status keep_sample(void *user, const double *row) {
    jd_kept *k = user;
    long most = k->keep.most_numbers;
    k->full = most && k->recording->n_sample > most / k->samples.head.n_column;
    if (k->full) return JD_OK;
    JD_TRY(add_row(k->arena, &k->samples, row));
    if (k->energies.head.n_column == 0) return JD_OK;
    double energies[JD_ENERGY_COUNT + 2];
    jd_energies_row(k->recording, row[0], energies);
    return add_row(k->arena, &k->energies, energies);
}

static jd_status keep_field(void *user, double t) {
    jd_kept *k = user;
    jd_growing *g = &k->field;
    JD_TRY(grow(k->arena, g));
    jd_field_row(k->recording, &t, k->cell);
    for (int i = 0; i < g->head.n_column; i++) {
        size_t width = g->head.width[i] ? (size_t)g->head.width[i] : 1;
        memcpy(g->value[i] + (size_t)g->head.n_row * width, k->cell[i], width * sizeof(double));
    }
    g->head.n_row++;
    return JD_OK;
}

jd_status jd_kept_begin(jd_recording *r, jd_arena *arena, jd_keep keep, jd_kept **out) {
    jd_kept *k = *out = JD_TAKE(arena, jd_kept, 1);
    jd_columns head = {.n_column = r->head.n_column, .name = r->head.column};
    JD_TRY(jd_arena_status(arena));
    *k = (jd_kept){.arena = arena, .recording = r, .keep = keep};
    JD_TRY(begin(arena, head, &k->samples));
    if (keep.tables) {
        JD_TRY(jd_energies_head(r, &head));
        JD_TRY(begin(arena, head, &k->energies));
    }
    if (keep.tables && r->field_every > 0) {
        JD_TRY(jd_field_head(r, &head));
        JD_TRY(begin(arena, head, &k->field));
        k->cell = JD_TAKE(arena, const double *, head.n_column);
        JD_TRY(jd_arena_status(arena));
    }
    jd_recording_add(
        r, (jd_sink){k, keep_sample, keep_event, k->field.head.n_column ? keep_field : NULL});
    return JD_OK;
}

// Names are the recording's: copied, so that the result can outlive it.
static jd_status columns_of(jd_arena *arena, const jd_growing *g, jd_columns *out) {
    const char **name = JD_TAKE(arena, const char *, g->head.n_column);
    int *width = JD_TAKE(arena, int, g->head.n_column);
    JD_TRY(jd_arena_status(arena));
    *out = g->head;
    for (int k = 0; k < g->head.n_column; k++) {
        name[k] = jd_arena_text(arena, g->head.name[k]);
        width[k] = g->head.width ? g->head.width[k] : 0;
    }
    out->name = name;
    out->width = width;
    out->value = (const double *const *)g->value;
    return jd_arena_status(arena);
}

jd_status jd_kept_end(const jd_kept *k, long events, jd_run_lists *out) {
    *out = (jd_run_lists){.n_event = k->n_event,
                          .event = k->event,
                          .truncated = events > k->n_event,
                          .samples_truncated = k->full};
    JD_TRY(columns_of(k->arena, &k->samples, &out->samples));
    if (k->energies.head.n_row > 0) JD_TRY(columns_of(k->arena, &k->energies, &out->energies));
    if (k->field.head.n_row > 0) JD_TRY(columns_of(k->arena, &k->field, &out->field));
    return JD_OK;
}
