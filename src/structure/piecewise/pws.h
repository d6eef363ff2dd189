// pws.h -- structures that are piecewise-smooth models: what the closure engine asks of them.
//   A structure is shared between threads; the model it opens belongs to one run (expressions keep
//   their variables in it).
#ifndef JD_STRUCTURE_PWS_H
#define JD_STRUCTURE_PWS_H

#include "judder/closure.h"
#include "structure/classes.h"

enum { JD_PUSH_NONE = -2, JD_PUSH_LAMBDA = -1 }; // else the equation a force enters

// An open model and how it is looked at. Rows have n + 2 entries: y, kappa, lambda.
typedef struct jd_pws {
    jd_closure_model model;
    double *displacement; // row of the contact's displacement, its velocity is h; NULL: h and h'
    double *point_u;      // n_point rows: what a named point shows
    double *point_v;      // its velocity
    bool *rate;           // n_point: the velocity is the rate of point_u instead
    int *push;            // n_point: what a force there acts on
    // Of a state (y, kappa, lambda): kinetic and strain energy, power lost inside; NULL: none.
    void (*energy)(void *user, const double *state, double out[3]);
    void *energy_user;
    double belt;                       // velocity of what rubs on it
    const struct jd_stretched *past;   // a string that remembers all of its force; NULL: does not
    void (*close)(struct jd_pws *pws); // NULL: nothing to close
    void *data;
} jd_pws;

// A model of so many numbers from the functions of a file, which bear the names of its members.
#define JD_PWS_FORM(size)                                                                          \
    {                                                                                              \
        .n = (size), .r = r, .linf = linf, .lplus = lplus, .lambda = lambda, .h = h, .dh = dh,     \
        .dlambda = dlambda                                                                         \
    }
// The model of this form with its numbers; without a wave term it is Filippov's.
void jd_pws_form(jd_pws *out, const jd_closure_model *form, void *user, double sigma,
                 double wave_term);
// Rows and pushes of the n + 2 points y1 ... yn, kappa, lambda from point `first` on; memory from
// the arena. Room for `first` points before them.
jd_status jd_pws_rows(jd_arena *arena, int first, jd_pws *out);
// Names of those points, after `points` (may be NULL) of the definition.
jd_status jd_pws_points(jd_structure *structure, const jd_points *points, int n);
// Keeps a copy of a definition without pointers as the structure's data.
jd_status jd_pws_keep(jd_structure *structure, const void *def, size_t size);
// Of structures that always switch.
bool jd_pws_switches(const void *def);

// Entry of a dimensionless number of a model.
// clang-format off
#define JD_PWS_REAL(def, member, text, smallest, standard)                                         \
    {JD_KEY(def, member, REAL), .unit = "", .preset = standard, .low = smallest, .high = HUGE_VAL, \
     .doc = text}
// clang-format on

#endif
