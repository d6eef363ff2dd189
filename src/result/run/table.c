// table.c -- what a run came to, as a table: why it ended, events by kind, certificate, energy by
// cause, extremes of the contacts, time in each phase, and the lists.
#include <string.h>

#include "result/events.h"
#include "result/result.h"

static const jd_run_result *run(const void *object) { return object; }
static const char *stop_name(int i) { return jd_stop_name((jd_stop)i); }

static json_t *stop_text(const void *object, const void *root) {
    (void)root;
    return json_string(jd_stop_text(run(object)->stop));
}
static const jd_field stop_field[] = {
    {JD_WORD_OF(jd_run_result, stop, "name", stop_name, JD_STOP_COUNT, "why it ended")},
    {JD_TOLD_BY("text", stop_text, "in words")},
    JD_END_OF_FIELDS};
static const jd_record stop_record = {.field = stop_field};

static const jd_field events_field[] = {
    {JD_INNER(RECORD, jd_run_result, count, NULL, &jd_record_counts, "of all contacts")},
    {JD_MAP_OF(jd_run_result, contact, "contacts", &jd_record_contact_counts, n_contact, "each")},
    JD_END_OF_FIELDS};
static const jd_record events_record = {.field = events_field};

static bool has_tolerance(const void *object, const void *root) {
    (void)root;
    return ((const jd_certificate *)object)->tolerance > 0;
}
static bool has_error(const void *object, const void *root) {
    (void)root;
    return ((const jd_certificate *)object)->error > 0;
}
// An error that is there but not finite is null; one that is not there is 0.
static bool write_error(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_certificate *c = object;
    return !has_error(object, root) ||
           json_object_set_new(out, f->key, jd_json_real(c->error)) == 0;
}
static jd_status read_error(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                            void *root) {
    const json_t *value = json_object_get(in, f->key);
    (void)arena, (void)root;
    ((jd_certificate *)object)->error = value ? jd_read_real(value, HUGE_VAL) : 0;
    return JD_OK;
}

static bool is_proved(const void *object, const void *root) {
    const jd_certificate *c = object;
    return (void)root, c->proved_until > 0 || c->certified;
}

#define AMOUNT(member, name, of, text)                                                             \
    .key = (name), .kind = JD_FIELD_REAL, JD_AT(jd_certificate, member), .unit = (of), .doc = (text)
static const jd_field certificate_field[] = {
    {JD_SCALAR(BOOL, jd_certificate, certified, "certified", "no other event between all")},
    {JD_SCALAR(LONG, jd_certificate, undecided, "undecided", "zeros rounding cannot decide")},
    {AMOUNT(margin, "margin", "", "smallest distance from an event that was avoided"),
     .none = HUGE_VAL},
    {JD_TEXT(jd_certificate, method, "method", "the bound it rests on")},
    {AMOUNT(tolerance, "tolerance", "", "of a numerical method"), .has = has_tolerance},
    {.key = "error", .kind = JD_FIELD_OTHER, .write = write_error, .read = read_error},
    {JD_SCALAR(LONG, jd_certificate, evaluations, "evaluations", "of the motion")},
    {AMOUNT(chatter_error, "chatter_error", "s", "of the end of completed chatter"),
     .none = (double)NAN},
    {AMOUNT(chatter_speed, "chatter_speed", "m/s", "taken away by closing a stop"),
     .none = (double)NAN},
    {AMOUNT(chatter_motion, "chatter_motion", "", "bound of what completing chatter left out"),
     .none = HUGE_VAL},
    {AMOUNT(proved_until, "proved_until", "s", "events up to there are proved"),
     .none = (double)NAN, .optional = true, .has = is_proved},
    {JD_SCALAR(LONG, jd_certificate, split_not_unique, "split_not_unique", "phases")},
    JD_END_OF_FIELDS};
static const jd_record certificate = {.size = sizeof(jd_certificate), .field = certificate_field};

static const jd_field horizon_field[] = {
    {JD_REAL(jd_horizon, log_growth, "log_growth", "", "of a change of the start")},
    {JD_REAL(jd_horizon, largest, "largest", "", "on the way")},
    {JD_REAL(jd_horizon, rate, "rate", "1/s", "of growth")},
    {.key = "digits_until",
     .kind = JD_FIELD_REAL,
     JD_AT(jd_horizon, digits_until),
     .unit = "s",
     .none = HUGE_VAL,
     .doc = "six digits are right"},
    JD_END_OF_FIELDS};
static const jd_record horizon = {.size = sizeof(jd_horizon), .field = horizon_field};

static bool is_estimated(const void *object, const void *root) {
    (void)root;
    return ((const jd_grid_report *)object)->estimated;
}
static const jd_field grid_field[] = {
    {JD_SCALAR(INT, jd_grid_report, nodes, "nodes", "of the first body")},
    {JD_REAL(jd_grid_report, time_step, "time_step", "s", "of the grid")},
    {JD_SCALAR(LONG, jd_grid_report, steps, "steps", "of the grid")},
    {JD_TEXT(jd_grid_report, friction_rule, "friction_rule", "of cells")},
    {JD_REAL(jd_grid_report, energy_fed, "energy_fed", "J", "by friction")},
    {JD_REAL(jd_grid_report, error, "error_estimate", "m", "of displacements"),
     .has = is_estimated},
    {JD_SCALAR(INT, jd_grid_report, coarse_nodes, "coarse_nodes", "compared with"),
     .has = is_estimated},
    JD_END_OF_FIELDS};
static const jd_record grid = {.size = sizeof(jd_grid_report), .field = grid_field};

static bool has_ledger(const void *object, const void *root) {
    return (void)root, run(object)->has_ledger && !run(object)->no_energy;
}
static const jd_field amounts_field[] = {
    {JD_REAL(jd_run_result, ledger.start, "start", "J", "stored at the very start")},
    {JD_REAL(jd_run_result, ledger.kinetic, "kinetic", "J", "stored now")},
    {JD_REAL(jd_run_result, ledger.strain, "strain", "J", "stored now")},
    {JD_MAP_OF(jd_run_result, drive, "drives", &jd_record_named_real, n_drive, "work of each")},
    {JD_REAL(jd_run_result, ledger.damping, "damping", "J", "lost in the structure")},
    {JD_MAP_OF(jd_run_result, contact, "contacts", &jd_record_friction, n_contact, "lost")},
    {JD_MAP_OF(jd_run_result, contact, "impacts", &jd_record_impacts, n_contact, "lost")},
    {JD_MAP_OF(jd_run_result, contact, "belts", &jd_record_belts, n_contact, "supplied")},
    {JD_MAP_OF(jd_run_result, contact, "wear", &jd_record_wear, n_contact,
               "of contacts: what sliding took, the integral of |T ds|"),
     .optional = true},
    {JD_REAL(jd_run_result, ledger.work, "work", "J", "all that was moved")},
    {JD_REAL(jd_run_result, ledger.residual, "residual", "", "what does not add up")},
    JD_END_OF_FIELDS};
static const jd_record amounts = {.field = amounts_field};
static const jd_field energy_field[] = {
    {JD_GROUP_OF(NULL, &amounts, "by cause"), .has = has_ledger},
    {JD_TEXT(jd_run_result, no_energy, "why_none", "why there is none"), .optional = true},
    JD_END_OF_FIELDS};
static const jd_record energy = {.field = energy_field};

static const jd_field phase_field[] = {
    {JD_TEXT(jd_phase_result, phase, "phase", "letters of all contacts")},
    {JD_SCALAR(LONG, jd_phase_result, visits, "visits", "phases that began in it")},
    {JD_REAL(jd_phase_result, time, "time", "s", "spent in it")},
    JD_END_OF_FIELDS};
static const jd_record phase = {.size = sizeof(jd_phase_result), .field = phase_field};

#define CELLS(member, of, text)                                                                    \
    {                                                                                              \
        JD_ARRAY(REALS, jd_interface_result, member, #member, of, text), .size = {                 \
            JD_OWN(jd_interface_result, n)                                                         \
        }                                                                                          \
    }
static json_t *cells(const void *object, const void *root) {
    (void)root;
    return json_integer(((const jd_interface_result *)object)->n);
}
static const jd_field interface_field[] = {
    {JD_TOLD_BY("cells", cells, "of the contact")},
    {JD_SCALAR(LONG, jd_interface_result, slip, "slip", "cells that began to slide")},
    {JD_SCALAR(LONG, jd_interface_result, stick, "stick", "cells that stuck")},
    {JD_SCALAR(LONG, jd_interface_result, reversal, "reversal", "cells that turned round")},
    {JD_REAL(jd_interface_result, sliding, "sliding", "", "share of the length")},
    CELLS(position, "m", "of cells"),
    CELLS(displacement, "m", "relative"),
    CELLS(force, "N", "on the structure"),
    CELLS(loss, "J", "energy lost so far"),
    JD_END_OF_FIELDS};
static const jd_record interface = {.size = sizeof(jd_interface_result), .field = interface_field};

static const jd_field blows_field[] = {
    {JD_TEXT(jd_blows_result, drive, "drive", "name")},
    {.kind = JD_FIELD_COLUMNS, JD_AT(jd_blows_result, table), .doc = "set and depth of points"},
    JD_END_OF_FIELDS};
static const jd_record blows = {.size = sizeof(jd_blows_result), .field = blows_field};

static bool has_place(const void *object, const void *root) {
    (void)root;
    return !isnan(((const jd_point_result *)object)->position);
}
static const jd_field point_field[] = {
    {JD_REAL(jd_point_result, displacement, "displacement", "m", "at the end")},
    {JD_REAL(jd_point_result, velocity, "velocity", "m/s", "at the end")},
    {JD_REAL(jd_point_result, position, "position", "m", "along its body"), .has = has_place},
    JD_END_OF_FIELDS};
static const jd_record point = {.size = sizeof(jd_point_result), .field = point_field};

static bool has_modes(const void *object, const void *root) {
    (void)root;
    return run(object)->final.n_mode > 0;
}
static const jd_field final_field[] = {
    {JD_ARRAY(REALS, jd_run_result, final.q, "q", "kg^1/2 m", "modal displacements"),
     .size = {JD_OWN(jd_run_result, final.n_mode)}, .has = has_modes},
    {JD_ARRAY(REALS, jd_run_result, final.rate, "rate", "kg^1/2 m/s", "modal velocities"),
     .size = {JD_OWN(jd_run_result, final.n_mode)}, .has = has_modes},
    {JD_MAP_OF(jd_run_result, final.point, "points", &point, final.n_point, "recorded")},
    JD_END_OF_FIELDS};
static const jd_record final = {.field = final_field};

static bool is_span(const void *object, const void *root) {
    return !run(root)->contact[((const jd_event *)object)->contact].at;
}
static const jd_field event_field[] = {
    JD_EVENT_FIELDS(jd_run_result),
    {JD_SCALAR(INT, jd_event, cell, "cell", "of a contact along a span, from 0"), .has = is_span},
    JD_END_OF_FIELDS};
static const jd_record event = {.size = sizeof(jd_event), .field = event_field};

static bool has_horizon(const void *o, const void *root) {
    return (void)root, run(o)->horizon.known;
}
static bool has_grid(const void *o, const void *root) { return (void)root, run(o)->grid.known; }
static bool has_energy(const void *o, const void *root) {
    return has_ledger(o, root) || run(o)->no_energy;
}
static bool has_interfaces(const void *o, const void *root) {
    return (void)root, run(o)->n_interface > 0;
}
static bool has_positions(const void *o, const void *root) {
    return (void)root, run(o)->n_grid > 0;
}
static bool has_lists(const void *o, const void *root) {
    return (void)root, run(o)->lists.samples.n_column > 0;
}

// What is known by being there; events of contacts that are there.
static jd_status check(jd_arena *arena, void *object) {
    jd_run_result *r = object;
    r->horizon.known = !isnan(r->horizon.log_growth);
    r->grid.known = r->grid.nodes > 0;
    r->grid.estimated = r->grid.coarse_nodes > 0;
    r->has_ledger = r->drive != NULL && !r->no_energy && !isnan(r->ledger.work);
    if (!r->final.q || !r->final.rate) r->final.n_mode = 0;
    return jd_events_align(arena, r->n_contact, r->contact, &r->n_name, &r->contact_name,
                           r->lists.n_event, (jd_event *)r->lists.event);
}

#define COLUMNS(member, name, out, text)                                                           \
    {                                                                                              \
        .key = (name), .kind = JD_FIELD_COLUMNS, JD_AT(jd_run_result, member), .optional = true,   \
        .left_out = (out), .doc = (text)                                                           \
    }
static const jd_field run_field[] = {
    {JD_TEXT(jd_run_result, engine, "engine", "that computed it")},
    {JD_TEXT(jd_run_result, engine_why, "engine_why", "why not the first choice"),
     .optional = true},
    {JD_REAL(jd_run_result, t_start, "t_start", "s", "where it began")},
    {JD_REAL(jd_run_result, t_end, "t_end", "s", "where it ended")},
    {JD_GROUP_OF("stop", &stop_record, "why it ended")},
    {JD_TEXT(jd_run_result, note, "note", "more words"), .optional = true},
    {JD_TEXT(jd_run_result, critical, "critical_manifold", "its kind"), .optional = true},
    {JD_GROUP_OF("events", &events_record, "numbers of events")},
    {JD_INNER(RECORD, jd_run_result, certificate, "certificate", &certificate, "what is proved")},
    {JD_INNER(RECORD, jd_run_result, horizon, "horizon", &horizon, "prediction horizon"),
     .has = has_horizon},
    {JD_INNER(RECORD, jd_run_result, grid, "grid", &grid, "engines on grids"), .has = has_grid},
    {JD_GROUP_OF("energy", &energy, "where it came from and went"), .has = has_energy},
    {JD_LIST_OF(jd_run_result, phase, "phases", &phase, n_phase, "that occurred")},
    {JD_TEXT(jd_run_result, final.phase, "final_phase", "letters at the end")},
    {JD_MAP_OF(jd_run_result, interface, "interfaces", &interface, n_interface, "along spans"),
     .has = has_interfaces},
    {JD_INNER(PART, jd_run_result, blows, "blows", &blows, "of a drive")},
    {JD_MAP_OF(jd_run_result, positions, "grids", &jd_record_named_reals, n_grid, "nodes"),
     .has = has_positions},
    {JD_MAP_OF(jd_run_result, contact, "contacts", &jd_record_contacts, n_contact, "extremes")},
    {JD_GROUP_OF("final_state", &final, "of modes and recorded points")},
    {JD_LIST_OF(jd_run_result, lists.event, "event_list", &event, lists.n_event, "in order"),
     .left_out = JD_STREAMED, .has = has_lists},
    {JD_SCALAR(BOOL, jd_run_result, lists.truncated, "truncated", "there were more events"),
     .left_out = JD_NOT_IN_FILE, .has = has_lists},
    COLUMNS(lists.samples, "samples", JD_STREAMED, "motion of points, forces of contacts"),
    {JD_SCALAR(BOOL, jd_run_result, lists.samples_truncated, "samples_truncated", "or samples"),
     .left_out = JD_NOT_IN_FILE, .has = has_lists},
    COLUMNS(lists.energies, "energies", JD_STREAMED | JD_NOT_IN_JSON, "at the samples"),
    COLUMNS(lists.field, "field", JD_STREAMED | JD_NOT_IN_JSON, "along bodies and contacts"),
    {JD_INNER(PART, jd_run_result, shown, "shown", &jd_record_shown, "in a picture"),
     .left_out = JD_NOT_IN_JSON},
    JD_END_OF_FIELDS};
const jd_record jd_record_run = {
    .size = sizeof(jd_run_result), .field = run_field, .root = true, .check = check};
