// contact.h -- what touches: a law between a place on a structure and ground, belt or place.
//   v = velocity of the structure's point minus that of its counterpart; the force is the one on
//   the structure, so friction has the sign of -v (docs/guide/signs.md).
#ifndef JUDDER_CONTACT_H
#define JUDDER_CONTACT_H

#include "judder/param.h"

// How a limit varies along a span: piecewise linear, constant before the first place and after the
// last. None given: 1 everywhere.
typedef struct jd_profile {
    jd_reals at;     // distance from the beginning of the span [m], ascending
    jd_reals factor; // the limit there is `limit` times this
} jd_profile;

// Law `coulomb`: dry friction with one limit, or two.
typedef struct jd_coulomb_def {
    double limit;        // kinetic limit [N]: force -limit sgn v while sliding; [N/m] on a span
    double static_limit; // largest force while stuck [N]; NaN: the same as limit
    double stiffness;    // of the contact while stuck (Jenkins) [N/m], [N/m^2] on a span; 0: rigid
    jd_profile profile;  // of both limits along a span
} jd_coulomb_def;

// Resistance of the soil below a tip: R(e) = min(limit e/quake, limit) for e = u - set > 0, none
// for e < 0; the set grows where R = limit. Force -R (1 + damping v), never a pull.
typedef struct jd_soil_def {
    double limit;   // largest static resistance [N]
    double quake;   // displacement at which it is reached [m]
    double damping; // Smith's factor [s/m]
} jd_soil_def;

// Law `affine`: friction that rises or falls with the speed.
typedef struct jd_affine_def {
    double limit; // R0 [N]
    double slope; // d [N s/m], any sign: force -(R0 sgn v + d v)
} jd_affine_def;

// Law `stop`: a unilateral stop with restitution.
typedef struct jd_stop_def {
    double gap;         // free path to the stop along the contact's direction [m]
    double restitution; // e in [0, 1]
    int sides;          // 0 one: u <= gap; 1 both: |u| <= gap
} jd_stop_def;

// Law `stribeck`: friction that falls with the speed to a lower level.
typedef struct jd_stribeck_def {
    double limit, drop; // [N]: force -sgn v (limit - drop + drop exp(-decay |v|))
    double decay;       // [s/m]
    int ambiguity;      // 0 refuse, 1 hysteresis: where several forces fit one history
    double times;       // factor of limit and drop, as the force that presses has; at least 0,
                        // default 1 (0: no friction)
} jd_stribeck_def;

// Law `table`: measured friction over speed.
typedef struct jd_friction_table_def {
    jd_reals velocity, force; // [m/s], [N]: resistance against relative speed, odd
    int ambiguity;            // 0 refuse, 1 hysteresis: where several forces fit one history
} jd_friction_table_def;

// A contact: where, against what, by which law.
typedef struct jd_contact_def {
    jd_place at;
    jd_counter against;
    jd_object law;
    int footprint; // spans: 0 fixed, 1 moving: the structure moves through the span
} jd_contact_def;

const jd_type *const *jd_law_types(void); // ends with NULL
extern const jd_type jd_contact_type;     // table of jd_contact_def

#endif
