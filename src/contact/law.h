// law.h -- everything anyone asks of a contact law: its keys, what it asks of an engine, its
// numbers and its words. A law is one file with a jd_law_class and one line in JD_LAWS; engines
// list the traits they compute and read numbers, and never compare types or names.
#ifndef JD_CONTACT_LAW_H
#define JD_CONTACT_LAW_H

#include "base/arena.h"
#include "contact/element.h"
#include "contact/friction.h"
#include "judder/contact.h"

// What a law asks of an engine, one bit each (words in law.c).
typedef enum jd_law_trait {
    JD_LAW_FRICTION = 1 << 0, // stuck below a limit, else sliding with a force against the velocity
    JD_LAW_STATIC = 1 << 1,   // holds more while stuck than it resists while sliding
    JD_LAW_SLOPE = 1 << 2,    // resistance linear in the speed
    JD_LAW_CURVE = 1 << 3,    // resistance a smooth function of the speed
    JD_LAW_SPRING = 1 << 4,   // elastic while stuck
    JD_LAW_STOP = 1 << 5,     // a rigid normal part: one-sided constraint with restitution
    JD_LAW_SOIL = 1 << 6,     // elastic, then plastic, never a pull
    JD_LAW_SURFACE = 1 << 7,  // switching surface that a piecewise-smooth model brings along
    JD_LAW_ELASTIC = 1 << 8,  // the normal part is a spring: an elastic stop
    JD_LAW_NORMAL = 1 << 9,   // friction whose limit is a share of a normal force
    JD_LAW_SWING = 1 << 10,   // the limit changes with time
    JD_LAW_PARALLEL = 1 << 11, // several sliders side by side
    JD_LAW_SMOOTH = 1 << 12,   // a nonlinear spring
    JD_LAW_PLANE = 1 << 13,    // friction in a plane: two contacts share one limit
    JD_LAW_CUSHION = 1 << 14 // an elastic stop with a restitution: it unloads along a steeper line
} jd_law_trait;

// A law as one object. Functions it has no use for are NULL.
typedef struct jd_law_class {
    jd_type type;     // name, doc and keys; first, so that the type of a contact's law is its class
    const char *noun; // a contact with this law in a sentence: "friction contact"
    const char *short_noun;              // the same in a list of several; NULL: noun
    const char *title;                   // the law's name in a sentence; NULL: not said
    unsigned (*traits)(const void *def); // bits of jd_law_trait
    // Laws with JD_LAW_FRICTION: their numbers, and the curve where they have one.
    jd_status (*friction)(jd_arena *arena, const void *def, jd_friction *out);
    const jd_stop_def *(*stop)(const void *def); // JD_LAW_STOP
    const jd_soil_def *(*soil)(const void *def); // JD_LAW_SOIL
    // Piecewise-linear laws: the contact as springs and sliders, for engine series.
    jd_status (*element)(jd_arena *arena, const void *def, jd_element *out);
    // What `check` says beyond its first number; NULL: nothing.
    void (*describe)(const void *def, char *text, size_t size);
} jd_law_class;

// A rule between the keys of a law that is broken.
jd_status jd_law_broken(jd_context *context, const char *hint, const char *message);
// A static limit below the limit `word` while sliding is refused; NaN: both are the same.
jd_status jd_law_check_static(jd_context *context, double held, const char *word, double sliding);

// The laws of model files, in the order in which they are listed: a new law is a line here.
#define JD_LAWS(X)                                                                                 \
    X(coulomb)                                                                                     \
    X(affine)                                                                                      \
    X(stop)                                                                                        \
    X(stribeck)                                                                                    \
    X(table)                                                                                       \
    X(soil)                                                                                        \
    X(iwan)                                                                                        \
    X(dry_contact)                                                                                 \
    X(cubic)

#define JD_LAW_DECLARE(name) extern const jd_law_class jd_law_##name;
JD_LAWS(JD_LAW_DECLARE)
extern const jd_law_class jd_law_surface; // comes with piecewise-smooth models only

// Choices of the key `ambiguity`: refuse, hysteresis.
extern const char *const jd_law_ambiguities[];

const jd_law_class *jd_law_of(const jd_object *law);
unsigned jd_law_traits(const jd_object *law);
// What an engine that computes the traits `computed` lacks for this law, in words; NULL: nothing.
const char *jd_law_refuses(const jd_object *law, unsigned computed);
// Numbers of a law of friction; *out is 0 where it is none.
jd_status jd_law_friction_of(jd_arena *arena, const jd_object *law, jd_friction *out);
// Numbers of a rigid stop or of soil; NULL: the law is none.
const jd_stop_def *jd_law_stop_of(const jd_object *law);
const jd_soil_def *jd_law_soil_of(const jd_object *law);
// Springs and sliders of a law; out->sliders is 0 and out->normal false where it has none.
jd_status jd_law_element_of(jd_arena *arena, const jd_object *law, jd_element *out);

#endif
