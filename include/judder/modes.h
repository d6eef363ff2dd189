// modes.h -- natural modes of a problem: free, with each contact stuck, about steady sliding, and
// their shapes along bodies, at named points and in space.
#ifndef JUDDER_MODES_H
#define JUDDER_MODES_H

#include "judder/structure.h"

#ifdef __cplusplus
extern "C" {
#endif

// One natural mode.
typedef struct jd_mode_result {
    const char *body; // NULL: there is only one
    int number;       // from 1, within its body
    jd_mode mode;
    int digits; // of omega that are right
} jd_mode_result;
// Modes with one contact stuck.
typedef struct jd_stuck_result {
    const char *contact;
    int n;
    const jd_mode_result *mode;
} jd_stuck_result;
// Shapes of the first modes along a body.
typedef struct jd_shapes_result {
    const char *body;
    bool nodes; // places are numbers of masses
    int n, n_mode;
    const double *position, *value; // n; n_mode x n, mass-normalised [1/sqrt(kg)]
} jd_shapes_result;
// The outside of bodies in space, with the shapes of the first modes there.
typedef struct jd_space_result {
    int n, n_face, n_mode;
    const double *at;    // n x 3 [m]
    const int *face;     // n_face x 4: corners, as seen from outside; -1: none (triangles, lines)
    const double *value; // n_mode x n x 3, mass-normalised [1/sqrt(kg)]
} jd_space_result;
// What a named point moves in each of the free modes listed, in their order.
typedef struct jd_mode_point {
    const char *name;    // of the point; with its body where there are several
    int n;               // free modes
    const double *value; // n, mass-normalised [1/sqrt(kg)]; 0 in modes of other bodies
} jd_mode_point;
// A complex mode about steady sliding, one per conjugate pair of poles, or one real pole.
typedef struct jd_sliding_mode {
    int number;           // from 1, ascending frequency
    double growth;        // Re s [1/s]; above 0: it grows
    double omega;         // Im s >= 0 [rad/s]; 0: it does not oscillate
    double frequency_hz;  // omega/(2 pi) [Hz]
    double damping_ratio; // -Re s/|s|
} jd_sliding_mode;
// A contact in the sliding state.
typedef struct jd_sliding_contact {
    const char *contact;
    const char *state;    // its letter
    double normal, force; // normal force, NaN: it has no normal part; friction on the structure [N]
} jd_sliding_contact;
// Natural modes.
typedef struct jd_modes_result {
    bool truncated; // fewer modes are kept than the structure has
    int n_body, n, n_stuck, n_shapes, n_point;
    const jd_mode_point *point;   // the free modes at the named points
    const jd_space_result *space; // NULL: where the bodies are is not known, or was not asked for
    const char *const *body;      // names, where there are several
    const jd_mode_result *mode;
    const jd_stuck_result *stuck;
    const jd_shapes_result *shapes;
    int n_warning;
    const char *const *warning;
    int n_sliding, n_slider; // of the steadily sliding state; 0: not asked for
    const jd_sliding_mode *sliding;
    const jd_sliding_contact *slider;
} jd_modes_result;

#ifdef __cplusplus
}
#endif

#endif
