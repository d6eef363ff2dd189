// family.h -- the modes of one body, as the response sums over them: inside of kernel/.
#ifndef JD_KERNEL_FAMILY_H
#define JD_KERNEL_FAMILY_H

#include "kernel/cartesian.h"
#include "kernel/response.h"

// A point of this body that belongs to a place.
typedef struct jd_family_point {
    double x, sign; // [m] from the left end (continua)
} jd_family_point;

typedef struct jd_family_place {
    int n;
    jd_family_point *point;
    double *row; // over the modes kept; NULL: this body has no part in the place
    bool gentle; // participations times (omega_1/omega_k)^2: initial velocities
} jd_family_place;

typedef enum jd_family_kind {
    JD_FAMILY_MODES,  // finitely many modes, decoupled
    JD_FAMILY_MATRIX, // finitely many, coupled by a damping matrix: poles
    JD_FAMILY_WAVE,   // string, rod: infinitely many
    JD_FAMILY_BEAM    // beam: infinitely many
} jd_family_kind;

typedef struct jd_family {
    jd_family_kind kind;
    int n_place;
    jd_family_place *place;
    // finitely many
    int n;             // modes kept (poles when coupled)
    double *omega, *c; // [rad/s], [1/s]
    double *pole;      // coupled: n poles (re, im), Im >= 0
    int n_mode;        // coupled: modes (n is the number of poles), and their matrix C
    const double *coupling;
    double *weight; // coupled: per place and pole (re, im) of n_i'u_p, sqrt(2) for pairs
    // infinitely many
    double length, density, speed; // [m], [kg/m]; beam: speed = sqrt(EI/rho) [m^2/s]
    double ratio;                  // D of every mode but
    int n_own;                     // the first ones, which have ratios
    double *own;                   // of their own
    bool rayleigh;                 // c_k = mass + slope omega_k^2 instead of ratios
    double mass, slope;            // [1/s], [s]
    int left, right;               // jd_support
    double stiffness;              // [N] or [N m^2]
    double *settled;               // beam: sum of n_ik n_jk 2 D/omega^3, n_place x n_place
} jd_family;

// Finitely many modes (modes.c), for places i, j; those of continua: continua/continua.h.
// See jd_response_order; SECOND needs no rigid-body mode.
double jd_modes_value(const jd_family *f, int order, double tau, int i, int j);
double jd_modes_static(const jd_family *f, int i, int j); // U(infinity); NaN with a rigid-body mode
double jd_modes_start(const jd_family *f, int i, int j);  // G ~ start tau
double complex jd_modes_transfer(const jd_family *f, double complex s, int i, int j);

double jd_family_omega(const jd_family *f, int k); // of any kind
double jd_family_soft(const jd_family *f); // in the place of 0 for poles of rigid-body modes
double jd_family_row(const jd_family *f, int k, int place);
double jd_family_damping(const jd_family *f, int k); // c_k [1/s], not of coupled modes

// The four orders of one mode: value[order + 1] = g', g, int g, int (int g - 1/omega^2).
void jd_mode_orders(double omega, double c, double tau, double value[4]);

#endif
