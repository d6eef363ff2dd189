// shown.c -- the stretch of motion a picture was drawn of, as a table.
#include <string.h>

#include "result/events.h"
#include "result/result.h"

static const jd_field point_field[] = {
    {JD_ARRAY(REALS, jd_history_point, u, "u", "m", "displacement"),
     .size = {JD_ROOT(jd_history, n)}, .optional = true},
    {JD_ARRAY(REALS, jd_history_point, v, "v", "m/s", "velocity"),
     .size = {JD_ROOT(jd_history, n)}},
    JD_END_OF_FIELDS};
static const jd_record point_record = {.size = sizeof(jd_history_point), .field = point_field};

static const jd_field contact_field[] = {
    {JD_ARRAY(REALS, jd_history_contact, u, "u", "m", "displacement"),
     .size = {JD_ROOT(jd_history, n)}},
    {JD_ARRAY(REALS, jd_history_contact, v, "v", "m/s", "velocity, relative"),
     .size = {JD_ROOT(jd_history, n)}},
    {JD_ARRAY(REALS, jd_history_contact, force, "force", "N", "on the structure"),
     .size = {JD_ROOT(jd_history, n)}},
    {JD_TEXT(jd_history_contact, phase, "phase", "contact states, a letter for each time")},
    {JD_REAL(jd_history_contact, limit, "limit", "N", "of friction while sliding")},
    {JD_REAL(jd_history_contact, static_limit, "static_limit", "N", "of friction while stuck")},
    {JD_REAL(jd_history_contact, gap, "gap", "m", "of a stop")},
    {JD_SCALAR(BOOL, jd_history_contact, both, "both", "the stop has two sides")},
    {JD_SCALAR(BOOL, jd_history_contact, span, "span", "means over a length")},
    JD_END_OF_FIELDS};
static const jd_record contact_record = {.size = sizeof(jd_history_contact),
                                         .field = contact_field};

static const jd_field event_field[] = {JD_EVENT_FIELDS(jd_history), JD_END_OF_FIELDS};
static const jd_record event_record = {.size = sizeof(jd_event), .field = event_field};

#define ENERGY(member)                                                                             \
    {                                                                                              \
        JD_ARRAY(REALS, jd_history_energy, member, #member, "J", "energy until each time"),        \
            .size = {                                                                              \
                JD_ROOT(jd_history, n)                                                             \
            }                                                                                      \
    }
static const jd_field energy_field[] = {ENERGY(stored),  ENERGY(damping),  ENERGY(friction),
                                        ENERGY(impacts), ENERGY(supplied), JD_END_OF_FIELDS};
static const jd_record energy_record = {.size = sizeof(jd_history_energy), .field = energy_field};

static const jd_field history_field[] = {
    {JD_TEXT(jd_history, subtitle, "what", "what is shown")},
    {JD_REAL(jd_history, period, "period", "s", "of the drive or of the orbit"), .optional = true},
    {JD_ARRAY(REALS, jd_history, t, "t", "s", "times"), .size = {JD_OWN(jd_history, n)}},
    {JD_MAP_OF(jd_history, point, "points", &point_record, n_point, "motion of points")},
    {JD_MAP_OF(jd_history, contact, "contacts", &contact_record, n_contact, "of contacts")},
    {JD_LIST_OF(jd_history, event, "events", &event_record, n_event, "within the stretch")},
    {JD_INNER(PART, jd_history, energy, "energies", &energy_record, "where the energy went")},
    {JD_ARRAY(REALS, jd_history, growth, "growth", "", "of a change of the start, logarithm"),
     .size = {JD_OWN(jd_history, n)}, .optional = true},
    {JD_MAP_OF(jd_history, slip, "slip", &point_record, n_slip, "points along a contact")},
    JD_END_OF_FIELDS};

// Letters for all times, and events of contacts that are there.
static jd_status check(jd_arena *arena, void *object) {
    jd_history *h = object;
    for (int j = 0; j < h->n_contact; j++) {
        jd_history_contact *c = (jd_history_contact *)&h->contact[j];
        char *phase = JD_TAKE(arena, char, h->n + 1);
        JD_TRY(jd_arena_status(arena));
        size_t n = strlen(c->phase);
        for (int i = 0; i < h->n; i++) phase[i] = (size_t)i < n ? c->phase[i] : '?';
        c->phase = phase;
    }
    int *place = JD_TAKE(arena, int, h->n_name);
    jd_event *event = (jd_event *)h->event;
    int kept = 0;
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < h->n_name; i++) {
        place[i] = -1;
        for (int j = 0; j < h->n_contact; j++)
            if (strcmp(h->contact[j].name, h->contact_name[i]) == 0) place[i] = j;
    }
    for (int i = 0; i < h->n_event; i++) {
        int at = event[i].contact < 0 ? -1 : place[event[i].contact];
        event[kept] = event[i];
        event[kept].contact = at;
        kept += at >= 0;
    }
    h->n_event = kept;
    return JD_OK;
}

static const jd_record history_record = {
    .size = sizeof(jd_history), .field = history_field, .root = true, .check = check};

#define ALONG(member, size_of, of, text)                                                           \
    {                                                                                              \
        JD_ARRAY(REALS, jd_field_map, member, #member, of, text), .size = {                        \
            JD_OWN(jd_field_map, n),                                                               \
            JD_OWN(jd_field_map, size_of)                                                          \
        }                                                                                          \
    }
#define PLACES(member, size_of, of, text)                                                          \
    {                                                                                              \
        JD_ARRAY(REALS, jd_field_map, member, #member, of, text), .size = {                        \
            JD_OWN(jd_field_map, size_of)                                                          \
        }                                                                                          \
    }
static const jd_field map_field[] = {{JD_TEXT(jd_field_map, body, "body", "name")},
                                     {JD_TEXT(jd_field_map, contact, "contact", "name")},
                                     PLACES(t, n, "s", "times"),
                                     PLACES(node, n_node, "m", "places of nodes"),
                                     PLACES(cell, n_cell, "m", "places of cells"),
                                     ALONG(u, n_node, "m", "displacement"),
                                     ALONG(velocity, n_cell, "m/s", "of sliding"),
                                     ALONG(state, n_cell, "", "0 stuck, 1 and -1 sliding"),
                                     ALONG(force, n_cell, "N", "on the structure"),
                                     JD_END_OF_FIELDS};
static const jd_record map_record = {.size = sizeof(jd_field_map), .field = map_field};

static bool has_history(const void *object, const void *root) {
    (void)root;
    return ((const jd_shown *)object)->history.n > 0;
}
static bool has_map(const void *object, const void *root) {
    (void)root;
    return ((const jd_shown *)object)->field.n > 0;
}

static const jd_field shown_field[] = {
    {JD_SCALAR(INT, jd_shown, picture, "picture", "number of its kind")},
    {JD_REAL(jd_shown, from, "from", "s", "window asked for")},
    {JD_REAL(jd_shown, to, "to", "s", "window asked for")},
    {JD_INNER(RECORD, jd_shown, history, "history", &history_record, "stretch of motion"),
     .optional = true, .has = has_history},
    {JD_INNER(RECORD, jd_shown, field, "field", &map_record, "motion along a contact"),
     .optional = true, .has = has_map},
    JD_END_OF_FIELDS};
const jd_record jd_record_shown = {.size = sizeof(jd_shown), .field = shown_field};
