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

// Contact states of all contacts at once, for engines that can be started anew from a state.
enum { JD_PHASE_CONTACTS = 64 };
typedef struct jd_phase {
    int n;
    jd_contact_state of[JD_PHASE_CONTACTS];
} jd_phase;

// On which side a stop is closed follows from the displacement: both are the same here.
static inline bool jd_phase_same(const jd_phase *a, const jd_phase *b) {
    for (int j = 0; j < a->n && j < b->n; j++) {
        bool closed = jd_contact_is_closed(a->of[j]) && jd_contact_is_closed(b->of[j]);
        if (a->of[j] != b->of[j] && !closed) return false;
    }
    return a->n == b->n;
}

// From a text with a letter per contact, and back (room for n + 1 characters).
static inline jd_phase jd_phase_of_text(const char *text) {
    jd_phase p = {0};
    for (; p.n < JD_PHASE_CONTACTS && text[p.n]; p.n++) p.of[p.n] = jd_contact_state_of(text[p.n]);
    return p;
}
static inline void jd_phase_text(const jd_phase *p, char *out) {
    for (int j = 0; j < p->n; j++) out[j] = jd_contact_letter(p->of[j]);
    out[p->n] = '\0';
}

#endif
