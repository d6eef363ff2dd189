// state.h -- contact states as engines ask for them.
#ifndef JD_CONTACT_STATE_H
#define JD_CONTACT_STATE_H

#include <stdbool.h>

#include "judder/contact.h"

// At a stop, above or below.
static inline bool jd_contact_is_closed(jd_contact_state s) {
    return s == JD_CONTACT_CLOSED_ABOVE || s == JD_CONTACT_CLOSED_BELOW;
}

// Without relative motion: stuck or closed.
static inline bool jd_contact_at_rest(jd_contact_state s) {
    return s == JD_CONTACT_STUCK || jd_contact_is_closed(s);
}

// Sign of the relative velocity of a contact that slides; else 0.
static inline int jd_contact_sign(jd_contact_state s) {
    return s == JD_CONTACT_SLIDING_PLUS ? 1 : s == JD_CONTACT_SLIDING_MINUS ? -1 : 0;
}

// Friction by the sign of its relative velocity; 0: stuck.
static inline jd_contact_state jd_contact_sliding(int sign) {
    return sign > 0   ? JD_CONTACT_SLIDING_PLUS
           : sign < 0 ? JD_CONTACT_SLIDING_MINUS
                      : JD_CONTACT_STUCK;
}

#endif
