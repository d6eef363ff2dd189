// element.h -- a contact at a point as springs, a dashpot and sliders: what engine series reads.
//   p = normal row x - gap         penetration;  N = kn p + cn p' while closed, never a pull
//   u' = tangential row x' - belt  relative velocity;  T = kt (u - s) while stuck, s the slider
//   |T| <= hold N while stuck, T = sign(s') limit N while it slides  (N = 1: the limit is given)
//   The structure feels -N along its normal row and -T along its tangential row.
#ifndef JD_CONTACT_ELEMENT_H
#define JD_CONTACT_ELEMENT_H

#include <stdbool.h>

// Where the normal force that scales the limits comes from.
typedef enum jd_normal_source {
    JD_NORMAL_GIVEN, // limits are forces [N]
    JD_NORMAL_OWN,   // limits are coefficients [-]: this contact's own normal part
    JD_NORMAL_OTHER  // coefficients: the normal part of the contact `other`
} jd_normal_source;

// Friction at impacts of a rigid normal part.
typedef enum jd_impact_law { JD_IMPACT_POISSON, JD_IMPACT_NEWTON } jd_impact_law;

typedef struct jd_element {
    // Sliders side by side: all have the same u. 0: no friction.
    int sliders;
    const double *limit, *hold; // while sliding, while stuck >= limit; [N] or [-]
    const double *stiffness;    // kt [N/m]; 0: rigid while stuck
    double slope;               // resistance added per speed while sliding (law affine) [N s/m]
    // limit(t) = limit (1 + swing cos(swing_omega t + swing_phase)), hold likewise; JD_NORMAL_GIVEN
    double swing, swing_omega, swing_phase;
    jd_normal_source source;
    const char *other; // name of the contact; JD_NORMAL_OTHER
    const char *with;  // name of the contact of the other direction of a plane; NULL: none
    // The normal part: of stops, and of friction with JD_NORMAL_OWN.
    bool normal;
    double gap;         // [m]; negative: preloaded
    double kn;          // [N/m]; 0: rigid
    double cn;          // [N s/m]; needs kn
    double restitution; // of a rigid one
    bool both;          // |normal row x| <= gap
    int impact;         // jd_impact_law
    // A nonlinear spring, linear u + cubic u^3, and nothing else.
    bool smooth;
    double linear, cubic; // [N/m], [N/m^3]
} jd_element;

#endif
