// frf.h -- measured frequency responses of a structure, and the modes that explain them.
//   Y_ij(i omega): velocity of point i per force at point j (mobility) [m/(s N)]. Real modes:
//     Y_ij = s sum_k phi_ik phi_jk/(s^2 + c_k s + omega_k^2),  s = i omega,  c_k > 0
//   is passive as it stands, whatever the numbers: Re Y is a sum of positive semidefinite parts.
#ifndef JD_STRUCTURE_FRF_H
#define JD_STRUCTURE_FRF_H

#include "base/scan.h"
#include "judder/structure.h"

enum {
    JD_FRF_POINTS = 16,
    JD_FRF_PAIRS = JD_FRF_POINTS * JD_FRF_POINTS,
    JD_FRF_VALUES = 20000, // most pairs times frequencies
    JD_FRF_NAME = 64
};
#define JD_FRF_HIGHEST 1e60 // [rad/s], as any number of a model

typedef struct jd_frf {
    const char *path;
    int n_point, n_pair, n; // points, pairs of them, frequencies
    char (*name)[JD_FRF_NAME];
    int *moves, *pushed; // n_pair: points i and j
    double *omega;       // n, ascending [rad/s]
    double *re, *im;     // n_pair x n: mobility
} jd_frf;

// Reads a file; what its values are becomes mobility. hertz: frequencies are in Hz.
jd_status jd_frf_read(jd_arena *arena, const char *path, jd_frf_quantity quantity, bool hertz,
                      jd_frf *out);
// The same of a universal file (dataset 58), which may say itself what is measured.
jd_status jd_frf_read_universal(jd_arena *arena, jd_scan *scan, jd_frf_quantity quantity,
                                jd_frf *out);

// For readers. Number of a point, a new one where the name is new; -1: too many, or too long.
int jd_frf_point(jd_frf *frf, const char *name, size_t length);
// Whether the size of the motion of every point follows from the pairs.
jd_status jd_frf_check_points(jd_scan *scan, const jd_frf *frf);
void jd_frf_to_mobility(jd_frf_quantity quantity, double omega, double *re, double *im);
jd_status jd_frf_too_many(jd_scan *scan, int pairs, long frequencies);
jd_status jd_frf_enough(jd_scan *scan, const jd_frf *frf);

// Refuses data that would give energy by more than 5 `error` of their size, with the frequency.
jd_status jd_frf_check_passive(jd_context *context, const jd_frf *frf, double error);

typedef struct jd_frf_modes {
    int n;
    double *omega, *c; // [rad/s], [1/s]
    double *shape;     // n x n_point [1/sqrt(kg)]
    double error;      // sqrt(sum |Y - fit|^2/sum |Y|^2)
    double worst, at;  // largest |Y - fit| over the largest |Y| of all pairs, and where [rad/s]
} jd_frf_modes;

// As many modes as `error` asks for (count 0), or `count` of them in the band; modes above it that
// bend as the rest does come in addition. Fails by name where no number of modes is enough.
jd_status jd_frf_identify(jd_arena *arena, const jd_frf *frf, int count, double error,
                          jd_frf_modes *out);

// identify_poles.c: poles that all pairs have in common, by vector fitting; K pairs (re, im > 0).
jd_status jd_frf_poles(jd_arena *arena, const jd_frf *frf, int K, double *pole);
// identify_shapes.c: shapes for given frequencies, then all of it by the method of Levenberg and
// Marquardt.
jd_status jd_frf_shapes(jd_arena *arena, const jd_frf *frf, jd_frf_modes *modes);
jd_status jd_frf_polish(jd_arena *arena, const jd_frf *frf, jd_frf_modes *modes);
void jd_frf_measure(const jd_frf *frf, jd_frf_modes *modes);
// Weight of a frequency: one over the size of the data there.
double jd_frf_weight(const jd_frf *frf, int k);

#endif
