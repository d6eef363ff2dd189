// events.h -- the table of events, whose contacts are names of the struct that holds the list.
#ifndef JD_RESULT_EVENTS_H
#define JD_RESULT_EVENTS_H

#include "engine/event.h"
#include "result/table/field.h"

static inline bool jd_is_an_impact(const void *object, const void *root) {
    const jd_event *e = object;
    (void)root;
    return jd_event_is_impact(e);
}

// Fields of jd_event in a list whose root is a struct `of` with contact_name and n_name.
#define JD_EVENT_FIELDS(of)                                                                        \
    {JD_REAL(jd_event, t, "t", "s", "time")},                                                      \
        {JD_INDEX_IN(jd_event, contact, "contact", of, contact_name, n_name, "its name")},         \
        {JD_SCALAR(STATE, jd_event, from, "from", "contact state before")},                        \
        {JD_SCALAR(STATE, jd_event, to, "to", "contact state after")},                             \
        {JD_AT_IMPACTS(speed, "m/s", "of approach, at impacts")}, {                                \
        JD_AT_IMPACTS(impulse, "N s", "on the structure, at impacts")                              \
    }
#define JD_AT_IMPACTS(member, of, text)                                                            \
    .key = #member, .kind = JD_FIELD_REAL, JD_AT(jd_event, member), .unit = (of), .doc = (text),   \
    .has = jd_is_an_impact

#endif
