// contact.h -- contacts: a law between a place on a structure and the ground, a belt or another
// place.
//   v = velocity of the structure's point minus that of its counterpart; the force is the one on
//   the structure, so friction has the sign of -v (docs/guide/signs.md).
#ifndef JUDDER_CONTACT_H
#define JUDDER_CONTACT_H

#include "judder/param.h"

#ifdef __cplusplus
extern "C" {
#endif

// Discrete condition of one contact: X(symbol, letter, text). The letter stands for it in phases
// and events; both closed ones have the same.
#define JD_CONTACT_STATE_LIST(X)                                                                   \
    X(JD_CONTACT_STUCK, 'H', "stuck")                                                              \
    X(JD_CONTACT_SLIDING_PLUS, '+', "sliding +")                                                   \
    X(JD_CONTACT_SLIDING_MINUS, '-', "sliding -")                                                  \
    X(JD_CONTACT_OPEN, 'o', "open")                                                                \
    X(JD_CONTACT_CLOSED_ABOVE, '|', "closed above")                                                \
    X(JD_CONTACT_CLOSED_BELOW, '|', "closed below")                                                \
    X(JD_CONTACT_CELLS, '~', "a field of cells")

// The states of that list; JD_CONTACT_CELLS: along a span every cell has its own.
typedef enum jd_contact_state {
    JD_CONTACT_STATE_LIST(JD_SYMBOL) JD_CONTACT_STATE_COUNT
} jd_contact_state;

// Letter of a contact state; `?` where there is none such.
char jd_contact_letter(jd_contact_state state);
// The contact state in words.
const char *jd_contact_state_text(jd_contact_state state);
// Contact state of a letter, closed above of `|`; JD_CONTACT_STATE_COUNT where there is none such.
jd_contact_state jd_contact_state_of(char letter);

// What happens where the equations have several solutions for the friction force (friction that
// falls steeply with the speed, infinitely many modes).
typedef enum jd_ambiguity {
    JD_AMBIGUITY_REFUSE,    // the run stops with JD_STOP_NOT_UNIQUE
    JD_AMBIGUITY_HYSTERESIS // the present branch is kept until it ends
} jd_ambiguity;

// ---- Laws: a definition with defaults, and a function that makes it the `law` of a contact; the
// definition must live until the contact is added, where it is copied. Along a span all forces are
// per length. Required numbers are NaN in the defaults; one that is still NaN is reported by its
// path.

// Law `coulomb`: dry friction with one limit, or two: given, swinging about a mean, or a share of
// another contact's normal force. Only some engines compute all of it.
typedef struct jd_coulomb_def {
    double limit;        // force while sliding, -limit sgn v [N] >= 0, [N/m] on a span; required
                         // unless there is a coefficient
    double static_limit; // largest force while stuck [N] >= limit; NaN (default): the same as limit
    double stiffness;    // of the contact while stuck (Jenkins) [N/m] >= 0, [N/m^2] on a span; 0
                         // (default): rigid
    jd_profile profile;  // of both limits along a span; default: none
    double limit_amplitude; // the limits times 1 + (limit_amplitude/limit) cos(limit_frequency t +
                            // limit_phase) [N] >= 0; default 0
    double limit_frequency; // [rad/s] >= 0; default 0
    double limit_phase;     // [rad]; default 0
    double coefficient;     // instead of limit: share of the normal force of the contact `normal`
                            // [-] >= 0; NaN (default): a limit is given
    double static_coefficient; // while stuck [-] >= coefficient; NaN (default): the same
    const char *normal;        // name of the contact whose normal force presses; NULL (default)
    const char *with; // name of the coulomb contact of the other direction of a plane, with which
                      // it shares one limit: an ellipse of both; NULL (default): it is alone
} jd_coulomb_def;
// The defaults.
jd_coulomb_def jd_default_coulomb(void);
// As a contact's law.
jd_object jd_coulomb_law(const jd_coulomb_def *def);

// Law `affine`: friction that rises or falls with the speed.
typedef struct jd_affine_def {
    double limit; // R0 [N] >= 0: force -(R0 sgn v + slope v) while sliding; required
    double slope; // [N s/m], any sign (a fall may feed energy in); default 0
} jd_affine_def;
// The defaults.
jd_affine_def jd_default_affine(void);
// As a contact's law.
jd_object jd_affine_law(const jd_affine_def *def);

// Which way a stop works.
typedef enum jd_stop_sides {
    JD_ONE_SIDE,  // u <= gap
    JD_BOTH_SIDES // |u| <= gap
} jd_stop_sides;

// Law `stop`: a unilateral stop, rigid with restitution or elastic.
typedef struct jd_stop_def {
    double gap; // free path to the stop along the contact's direction [m]; negative: preloaded;
                // required unless there is a preload
    double restitution; // e [-], 0 to 1: velocity after an impact over that before; required unless
                        // there is a stiffness
    int sides;          // jd_stop_sides; default one side
    double stiffness;   // of an elastic stop [N/m] > 0; NaN (default) or 0: rigid
    double damping;     // of an elastic stop, which never pulls [N s/m] >= 0; default 0
    double preload;     // force of an elastic stop at displacement 0 [N] >= 0; NaN (default): a gap
    double cushion;     // of an elastic stop: restitution of a cushion, whose square of the work
                        // done on it is given back, 0 to 1; 0 (default) and 1: all is given back
} jd_stop_def;
// The defaults.
jd_stop_def jd_default_stop(void);
// As a contact's law.
jd_object jd_stop_law(const jd_stop_def *def);

// Law `stribeck`: friction that falls with the speed to a lower level:
// force -sgn v times (limit - drop + drop exp(-decay |v|)) while sliding.
typedef struct jd_stribeck_def {
    double limit;        // force at speed 0 [N] >= 0; required
    double drop;         // how far it falls [N], 0 to limit; required
    double decay;        // how fast it falls [s/m] >= 0; required
    int ambiguity;       // jd_ambiguity; default refuse
    double times;        // factor of limit, static_limit and drop [-] >= 0, as the force that
                         // presses; default 1
    double static_limit; // largest force while stuck [N] >= limit; NaN (default): the same as limit
} jd_stribeck_def;
// The defaults.
jd_stribeck_def jd_default_stribeck(void);
// As a contact's law.
jd_object jd_stribeck_law(const jd_stribeck_def *def);

// Law `table`: measured friction over speed, odd in the velocity; a smooth curve through the
// values.
typedef struct jd_friction_table_def {
    jd_reals velocity;   // relative speeds [m/s], ascending from 0, at least 2; required
    jd_reals force;      // resistance at each [N] >= 0; required
    int ambiguity;       // jd_ambiguity; default refuse
    double static_limit; // largest force while stuck [N], at least the first of force; NaN
                         // (default): the same as that
} jd_friction_table_def;
// The defaults.
jd_friction_table_def jd_default_friction_table(void);
// As a contact's law.
jd_object jd_friction_table_law(const jd_friction_table_def *def);

// Law `soil`: resistance below the toe of a pile. R(e) = min(limit e/quake, limit) for e = u - set
// > 0, none for e < 0; the set grows where R = limit. Force -R (1 + damping v), never a pull.
typedef struct jd_soil_def {
    double limit;   // largest static resistance [N] >= 0; required
    double quake;   // displacement at which it is reached [m] > 0; required
    double damping; // Smith's factor [s/m] >= 0; default 0
} jd_soil_def;
// The defaults.
jd_soil_def jd_default_soil(void);
// As a contact's law.
jd_object jd_soil_law(const jd_soil_def *def);

// Law `iwan`: sliders side by side, each dry friction in series with a spring. A table, or the four
// parameters of Segalman's distribution: limit, stiffness, chi, beta.
typedef struct jd_iwan_def {
    jd_reals limit;     // of each slider [N] >= 0; with chi one number, of all; required
    jd_reals stiffness; // of each slider [N/m] > 0, as many; with chi one number, of all; required
    double chi;   // [-] > -1: exponent of the distribution; NaN (default): limit, stiffness are a
                  // table
    double beta;  // [-] >= 0: stiffness of the last slider over that of the others; default 0
    int elements; // sliders the distribution becomes, 2 to 1000; JD_AUTO (default): 20
} jd_iwan_def;
// The defaults.
jd_iwan_def jd_default_iwan(void);
// As a contact's law.
jd_object jd_iwan_law(const jd_iwan_def *def);

// Friction at impacts of a rigid normal part.
typedef enum jd_friction_impact {
    JD_FRICTION_POISSON, // friction follows the impulse; never adds energy
    JD_FRICTION_NEWTON   // restitution of the normal velocity; may add energy
} jd_friction_impact;

// Law `dry-contact`: closes, sticks, slides and lifts off; the contact's place has two directions
// (jd_at_directions).
typedef struct jd_dry_contact_def {
    double coefficient;          // friction while sliding over the normal force [-] >= 0; required
    double static_coefficient;   // while stuck [-] >= coefficient; NaN (default): the same
    double tangential_stiffness; // while stuck [N/m] >= 0; default 0: rigid
    double normal_stiffness;     // while closed [N/m] >= 0; default 0: rigid
    double normal_damping;       // beside it, never a pull [N s/m] >= 0; default 0
    double gap;                  // free normal path [m]; required unless there is a preload
    double preload;              // normal force at displacement 0 [N] >= 0; NaN (default): a gap
    double restitution;          // of a rigid normal part [-], 0 to 1; NaN (default): it is elastic
    int impact;                  // jd_friction_impact of a rigid normal part; default poisson
} jd_dry_contact_def;
// The defaults.
jd_dry_contact_def jd_default_dry_contact(void);
// As a contact's law.
jd_object jd_dry_contact_law(const jd_dry_contact_def *def);

// Law `cubic`: a nonlinear spring, no friction, no gap: force -(stiffness u + cubic u^3).
typedef struct jd_cubic_def {
    double stiffness; // [N/m], any sign; default 0
    double cubic;     // [N/m^3], any sign; required
} jd_cubic_def;
// The defaults.
jd_cubic_def jd_default_cubic(void);
// As a contact's law.
jd_object jd_cubic_law(const jd_cubic_def *def);

// ---- Contacts

// Whether a span moves with the structure.
typedef enum jd_footprint {
    JD_FOOTPRINT_FIXED, // the material that touches stays as it was at the start
    JD_FOOTPRINT_MOVING // the structure moves through it, as a pile through soil
} jd_footprint;

// A contact: where, against what, by which law.
typedef struct jd_contact_def {
    jd_place at; // jd_at, jd_at_body, jd_at_directions, jd_along, jd_at_points; required. A span
                 // costs a contact per cell
    jd_counter against; // jd_ground (default), jd_moving, jd_place_of
    jd_object law;      // jd_coulomb_law, ...; required
    int footprint;      // jd_footprint of a span; default fixed
    int cells; // of a span in engine series: contacts at points that it becomes, to 10000; 0
               // (default): as docs/guide/interfaces.md says. Engines on grids have their own
} jd_contact_def;
// The defaults: no place yet, against the ground, no law yet.
jd_contact_def jd_default_contact(void);

// ---- Laws and contacts by their tables, for readers and bindings.

const jd_type *const *jd_law_types(void); // ends with NULL
extern const jd_type jd_contact_type;     // table of jd_contact_def

#ifdef __cplusplus
}
#endif

#endif
