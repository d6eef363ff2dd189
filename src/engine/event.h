// event.h -- what happened at an event, from the contact states before and after it.
#ifndef JD_ENGINE_EVENT_H
#define JD_ENGINE_EVENT_H

#include "contact/state.h"
#include "judder/run.h"

static inline bool jd_event_is_impact(const jd_event *e) {
    return e->from == JD_CONTACT_OPEN && e->to == JD_CONTACT_OPEN;
}

// A stop that was open closes.
static inline bool jd_event_is_landing(const jd_event *e) {
    return e->from == JD_CONTACT_OPEN && jd_contact_is_closed(e->to);
}

// A stuck contact begins to slide.
static inline bool jd_event_is_release(const jd_event *e) {
    return e->from == JD_CONTACT_STUCK && jd_contact_sign(e->to) != 0;
}

#endif
