// contacts.c -- the contacts of a run or an orbit: where they are, their law, their limits, their
// extremes.
#include <string.h>

#include "contact/law.h"
#include "result/result.h"

static const jd_field range_field[] = {{JD_REAL(jd_range, min, "min", "", "least value")},
                                       {JD_REAL(jd_range, max, "max", "", "greatest value")},
                                       {JD_REAL(jd_range, final, "final", "", "value at the end")},
                                       JD_END_OF_FIELDS};
static const jd_record range_record = {.size = sizeof(jd_range), .field = range_field};

static bool write_numbers(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_contact_result *c = object;
    (void)f;
    (void)root;
    for (int i = 0; i < c->n_number; i++)
        if (json_object_set_new(out, c->number[i].name, jd_json_real(c->number[i].value)) != 0)
            return false;
    return true;
}

static jd_status read_numbers(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                              void *root) {
    jd_contact_result *c = object;
    jd_named_real *list = JD_TAKE(arena, jd_named_real, json_object_size(in));
    const char *key;
    json_t *value;
    (void)f;
    (void)root;
    JD_TRY(jd_arena_status(arena));
    json_object_foreach((json_t *)in, key, value) {
        if (json_is_string(value)) continue;
        list[c->n_number++] =
            (jd_named_real){jd_arena_text(arena, key), jd_read_real(value, (double)NAN)};
    }
    c->number = list;
    return jd_arena_status(arena);
}

static bool moves(const void *object, const void *root) {
    (void)root;
    return !isnan(((const jd_contact_result *)object)->against_velocity);
}

static bool is_known(const void *object, const void *root) {
    (void)root;
    return ((const jd_contact_result *)object)->known;
}

static jd_status check_contact(jd_arena *arena, void *object) {
    jd_contact_result *c = object;
    (void)arena;
    c->known = !isnan(c->range.displacement.max) || !isnan(c->range.velocity.max);
    return JD_OK;
}

static const jd_field law_field[] = {
    {JD_TEXT(jd_contact_result, law, "type", "of the law")},
    {.kind = JD_FIELD_OTHER, .write = write_numbers, .read = read_numbers},
    JD_END_OF_FIELDS};
static const jd_record law_record = {.size = sizeof(jd_contact_result), .field = law_field};

static const jd_field limit_field[] = {
    {JD_REAL(jd_contact_result, limit, "sliding", "N", "limit of friction while sliding")},
    {JD_REAL(jd_contact_result, static_limit, "stuck", "N", "limit of friction while stuck")},
    {JD_REAL(jd_contact_result, gap, "gap", "m", "of a stop")},
    {JD_SCALAR(BOOL, jd_contact_result, both, "both_sides", "the stop has two sides")},
    JD_END_OF_FIELDS};
static const jd_record limit_record = {.size = sizeof(jd_contact_result), .field = limit_field};

static const jd_field contact_field[] = {
    {JD_TEXT(jd_contact_result, at, "at", "point of the structure"), .optional = true},
    {JD_TEXT(jd_contact_result, body, "body", "it belongs to"), .optional = true},
    {JD_REAL(jd_contact_result, against_velocity, "against_velocity", "m/s", "of the counterpart"),
     .has = moves},
    {JD_GROUP_OF("law", &law_record, "contact law")},
    {JD_GROUP_OF("limits", &limit_record, "of force and displacement")},
    {JD_INNER(RECORD, jd_contact_result, range.displacement, "displacement", &range_record, "[m]"),
     .has = is_known},
    {JD_INNER(RECORD, jd_contact_result, range.velocity, "velocity", &range_record, "[m/s]"),
     .has = is_known},
    {JD_INNER(RECORD, jd_contact_result, range.force, "force", &range_record, "[N]"),
     .has = is_known},
    {JD_SCALAR(BOOL, jd_contact_result, range.certified, "certified", "nothing lies beyond"),
     .has = is_known},
    JD_END_OF_FIELDS};
const jd_record jd_record_contacts = {
    .size = sizeof(jd_contact_result), .field = contact_field, .check = check_contact};

static const jd_field stuck_field[] = {
    {JD_REAL(jd_contact_result, stuck_time, "time", "s", "it sticks in a period")},
    {JD_REAL(jd_contact_result, stuck_share, "share", "", "of the period")},
    JD_END_OF_FIELDS};
const jd_record jd_record_stuck = {.size = sizeof(jd_contact_result), .field = stuck_field};

// Energies of each contact, by name alone.
#define ENERGY(member)                                                                             \
    static const jd_field member##_field[] = {                                                     \
        {JD_REAL(jd_contact_result, member, NULL, "J", "energy")}, JD_END_OF_FIELDS}
ENERGY(friction);
ENERGY(impacts);
ENERGY(belt);
ENERGY(wear);
const jd_record jd_record_friction = {.size = sizeof(jd_contact_result), .field = friction_field},
                jd_record_impacts = {.size = sizeof(jd_contact_result), .field = impacts_field},
                jd_record_belts = {.size = sizeof(jd_contact_result), .field = belt_field},
                jd_record_wear = {.size = sizeof(jd_contact_result), .field = wear_field};

static const jd_field real_field[] = {{JD_REAL(jd_named_real, value, NULL, "", "a number")},
                                      JD_END_OF_FIELDS};
static const jd_field reals_field[] = {
    {JD_ARRAY(REALS, jd_named_reals, value, NULL, "m", "places of nodes"),
     .size = {JD_OWN(jd_named_reals, n)}},
    JD_END_OF_FIELDS};
const jd_record jd_record_named_real = {.size = sizeof(jd_named_real), .field = real_field},
                jd_record_named_reals = {.size = sizeof(jd_named_reals), .field = reals_field};

static const jd_field count_field[] = {
    {JD_SCALAR(LONG, jd_event_counts, total, "total", "events")},
    {JD_SCALAR(LONG, jd_event_counts, slip, "slip", "began to slide")},
    {JD_SCALAR(LONG, jd_event_counts, stick, "stick", "stuck")},
    {JD_SCALAR(LONG, jd_event_counts, reversal, "reversal", "slides the other way")},
    {JD_SCALAR(LONG, jd_event_counts, impact, "impact", "impacts")},
    {JD_SCALAR(LONG, jd_event_counts, close, "close", "closed")},
    {JD_SCALAR(LONG, jd_event_counts, open, "open", "opened")},
    JD_END_OF_FIELDS};
const jd_record jd_record_counts = {.size = sizeof(jd_event_counts), .field = count_field};
static const jd_field counted_field[] = {
    {JD_INNER(RECORD, jd_contact_result, count, NULL, &jd_record_counts, "events by kind")},
    JD_END_OF_FIELDS};
const jd_record jd_record_contact_counts = {.size = sizeof(jd_contact_result),
                                            .field = counted_field};

// Every plain number of the law, by the law's own table.
static jd_status numbers_of(jd_arena *arena, const jd_object *law, jd_contact_result *out) {
    int room = 0;
    for (const jd_param *p = law->type->params; p && p->key; p++) room++;
    jd_named_real *list = JD_TAKE(arena, jd_named_real, room);
    JD_TRY(jd_arena_status(arena));
    for (const jd_param *p = law->type->params; p && p->key; p++) {
        if (p->kind != JD_KIND_REAL) continue;
        list[out->n_number].name = p->key;
        memcpy(&list[out->n_number++].value, (const char *)law->def + p->offset, sizeof(double));
    }
    out->law = law->type->name;
    out->number = list;
    return JD_OK;
}

static jd_status contact_of(jd_arena *arena, const jd_object *contact, jd_contact_result *out) {
    const jd_contact_def *c = contact->def;
    jd_friction friction;
    JD_TRY(jd_law_friction_of(arena, &c->law, &friction));
    bool rubs = (jd_law_traits(&c->law) & JD_LAW_FRICTION) != 0;
    jd_element element;
    JD_TRY(jd_law_element_of(arena, &c->law, &element));
    *out = (jd_contact_result){.name = contact->name,
                               .at = c->at.point,
                               .body = c->at.body && c->at.body[0] ? c->at.body : NULL,
                               .against_velocity =
                                   c->against.kind == JD_MOVING ? c->against.velocity : (double)NAN,
                               .limit = rubs ? friction.limit : (double)NAN,
                               .static_limit = rubs ? friction.hold : (double)NAN,
                               .gap = element.normal ? element.gap : (double)NAN,
                               .both = element.normal && element.both};
    return numbers_of(arena, &c->law, out);
}

jd_status jd_contacts_of(jd_arena *arena, const jd_problem *problem, const jd_contact_ranges *range,
                         const jd_contact_result **contact, const char *const **name) {
    int m = jd_problem_contacts(problem);
    jd_contact_result *list = JD_TAKE(arena, jd_contact_result, m);
    const char **names = JD_TAKE(arena, const char *, m);
    JD_TRY(jd_arena_status(arena));
    for (int j = 0; j < m; j++) {
        JD_TRY(contact_of(arena, jd_problem_contact(problem, j), &list[j]));
        names[j] = list[j].name;
        list[j].known = range != NULL;
        if (range) list[j].range = range[j];
    }
    *contact = list;
    *name = names;
    return JD_OK;
}

jd_status jd_events_align(jd_arena *arena, int n_contact, const jd_contact_result *contact,
                          int *n_name, const char *const **name, int n_event, jd_event *event) {
    int *place = JD_TAKE(arena, int, *n_name);
    const char **names = JD_TAKE(arena, const char *, n_contact);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < *n_name; i++) {
        place[i] = -1;
        for (int j = 0; j < n_contact; j++)
            if (strcmp((*name)[i], contact[j].name) == 0) place[i] = j;
    }
    for (int j = 0; j < n_contact; j++) names[j] = contact[j].name;
    for (int i = 0; i < n_event; i++) {
        if (event[i].contact >= 0) event[i].contact = place[event[i].contact];
        if (event[i].contact < 0)
            return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                           "event %d of the file is of no contact", i + 1);
    }
    *n_name = n_contact;
    *name = names;
    return JD_OK;
}
