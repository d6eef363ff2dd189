// kernel.h -- memory kernels: the step response of a structure at its contacts.
//   y'(t) = free(t) + gamma F(t) + int_0^t G'(tau) F(t - tau) dtau        velocity form
//   y'(t) = A y + L_infinity F + int dL1(tau) F'(t - tau) + g(t)          reduced equation
//   Defined, with how they are computed, in docs/theory/memory.md.
#ifndef JUDDER_KERNEL_H
#define JUDDER_KERNEL_H

#include "judder/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// Memory kernels of the contacts of a problem.
typedef struct jd_kernel jd_kernel;

// How G begins at 0, G ~ start tau^exponent; this decides how contact forces begin when a contact
// becomes stuck.
typedef enum jd_kernel_start {
    JD_KERNEL_SMOOTH, // exponent 1: finitely many modes; the contact force jumps
    JD_KERNEL_JUMP,   // exponent 0: string, rod; the force is continuous, with a kink
    JD_KERNEL_ROOT    // exponent 1/2: beam; the force is continuous, with a square root
} jd_kernel_start;

// Kernels without the N lowest modes, which are then variables of the model; arrays over tau.
typedef struct jd_kernel_resolved {
    int modes;              // N
    double L_infinity;      // [m/(s^2 N)]
    double sigma;           // frequency of the first mode left out [rad/s]; 0: none is
    const double *memory;   // L1 of the modes above N
    const double *fading;   // its approximation gamma e^(-sigma tau)
    const double *velocity; // G of the N modes alone
} jd_kernel_resolved;

// Matrices are n x n row-major, arrays over tau n_tau x n x n.
typedef struct jd_kernel_view {
    int n, n_tau;
    bool infinite;
    const char *const *contact; // names
    jd_kernel_start start;
    int paper_case;        // 1, 2, 3
    double exponent;       // 1, 0, 1/2
    const double *first;   // start_ij
    const double *jump;    // gamma_ij [m/(s N)]
    const double *statics; // U(infinity) [m/N]; NaN with a rigid-body mode
    const int *mode;       // modes of W, from 1
    double condition;      // of W
    const double *A;       // 2 n x 2 n
    const double *L_infinity;
    const double *tau;    // [s], from 0
    const double *G;      // [m/(s N)]
    const double *L, *L0; // [m/(s^2 N)]; delta functions left out; NaN where they are infinite
    const double *L1;     // [m/(s N)]
    int n_resolved;
    const jd_kernel_resolved *resolved;
    const char *memory; // infinitely many modes: what the engine `memory` keeps of them to
                        // `simulate.tolerance`, and its error; NULL otherwise
} jd_kernel_view;

// Kernels of a built problem as its section `kernel` asks.
jd_status jd_kernel_create(jd_context *context, const jd_problem *problem, jd_kernel **out);
// NULL is allowed.
void jd_kernel_free(jd_kernel *kernel);
// The numbers; they belong to the kernels and live as long.
const jd_kernel_view *jd_kernel_look(const jd_kernel *kernel);
const char *jd_kernel_start_name(jd_kernel_start start); // "smooth", "jump", "square-root"
const char *
jd_kernel_start_means(jd_kernel_start start); // what it means for the contact force, in a sentence

#ifdef __cplusplus
}
#endif

#endif
