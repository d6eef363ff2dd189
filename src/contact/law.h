// law.h -- the contact laws; a new one is a file of its own and a line in law.c.
#ifndef JD_CONTACT_LAW_H
#define JD_CONTACT_LAW_H

#include "judder/contact.h"

extern const jd_type jd_law_coulomb, jd_law_affine, jd_law_stop, jd_law_stribeck, jd_law_table,
    jd_law_soil,
    jd_law_surface; // the last one only comes with piecewise-smooth models

// Choices of the key `ambiguity`: refuse, hysteresis.
extern const char *const jd_law_ambiguities[];

// True for laws that resist sliding (they may act along a span), false for stops and soil.
bool jd_law_is_friction(const jd_type *law);

#endif
