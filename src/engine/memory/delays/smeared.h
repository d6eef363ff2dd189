// smeared.h -- a history of panels under the smear of an echo: int F(y) N_w(y - u) dy, with N_w of
// kernel/echoes/smear.h.
#ifndef JD_ENGINE_MEMORY_DELAYS_SMEARED_H
#define JD_ENGINE_MEMORY_DELAYS_SMEARED_H

#include <stdbool.h>

enum { SAMPLES = 4 }; // values of a panel that are kept for Gauss' rule

typedef struct kept {
    double t, h;
} kept;

// Place and width of a smear; its bell is `scale` e^{bell x^2}.
typedef struct smear {
    double u, w, bell, scale;
    double close; // panels nearer than this many of their lengths are near
    bool rough;   // bells to 1e-8 will do
} smear;

smear jd_smear_at(double u, double width, double sigma, double close, bool rough);
// Values of a polynomial in theta at the points of Gauss' rule.
void jd_smear_sample(int degree, const double *p, double *out);
// Sum over n panels; each has its polynomial and its samples `stride` doubles after the one before.
double jd_smear_sum(const smear *c, int n, const kept *panel, int degree, const double *p,
                    const double *sample, int stride);

#endif
