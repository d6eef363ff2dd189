// coupled.c -- poles where damping couples the coordinates, and rigid-body motion among them.
//   (s^2 + s C + omega2) u = 0, u'(2s + C)u = 1, x = sum_p u_p z_p, z_p' = s_p z_p + u_p'f.
//   Rigid-body coordinates (omega2 = 0) are turned until their block of C is diag(gamma):
//     gamma = 0    then C u = 0 for C >= 0: x'' = f, apart from all others (RIGID, powers of t)
//     gamma != 0   a pole at 0 with u = e_k/sqrt(gamma); its other pole is one of the rest
//   No other chains belong to the pole 0: one of length three would need u'u = 0. With falling
//   friction C may be indefinite; gamma = 0 with C u != 0 is refused.
//                                           tested:
//                                           a_free_body_creeps_to_where_its_momentum_is_used
#include <math.h>
#include <string.h>

#include "engine/exact/exact.h"
#include "linalg/eigen.h"

static const double nothing = 1e-13;  // of the largest entry of C: rounding of rows that cancel
static const double zero_pole = 1e-9; // of the largest pole

// Coordinates a and b of the matrix M (nf x nf), or of rows of length `width`, turned: e_a' = c e_a
// + s e_b, e_b' = c e_b - s e_a.
static void turn_rows(double *M, int width, int a, int b, double c, double s) {
    for (int i = 0; M && i < width; i++) {
        double x = M[a * width + i], y = M[b * width + i];
        M[a * width + i] = c * x + s * y;
        M[b * width + i] = c * y - s * x;
    }
}

static void turn_columns(double *M, int rows, int width, int a, int b, double c, double s) {
    for (int i = 0; M && i < rows; i++) {
        double x = M[i * width + a], y = M[i * width + b];
        M[i * width + a] = c * x + s * y;
        M[i * width + b] = c * y - s * x;
    }
}

static void turn_coordinates(exact *e, basis *b, int i, int j, double c, double s) {
    int nf = b->nf;
    double *square[] = {b->C, b->C0};
    for (int k = 0; k < 2; k++) {
        turn_rows(square[k], nf, i, j, c, s);
        turn_columns(square[k], nf, nf, i, j, c, s);
    }
    turn_columns(b->Q, e->n, nf, i, j, c, s);
    turn_rows(b->QT, e->n, i, j, c, s);
    turn_rows(b->QtS, b->ms, i, j, c, s);
}

static double largest_entry(const basis *b) {
    double most = 0;
    for (int i = 0; i < b->nf * b->nf; i++) most = fmax(most, fabs(b->C[i]));
    return most;
}

// A basis of its own where the free coordinates served so far.
static jd_status own_basis(exact *e, basis *b) {
    int n = e->n;
    if (b->Q) return JD_OK;
    b->Q = JD_TAKE(e->arena, double, n *n);
    b->QT = JD_TAKE(e->arena, double, n *n);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < n; k++) b->Q[k * n + k] = b->QT[k * n + k] = 1;
    return JD_OK;
}

// Jacobi's rotations of two rigid-body coordinates at a time; C is left diagonal among them.
static jd_status turn_rigid(exact *e, basis *b, double least) {
    int nf = b->nf;
    for (int sweep = 0, left = 1; left && sweep < 60; sweep++) {
        left = 0;
        for (int i = 0; i < nf; i++)
            for (int j = i + 1; j < nf; j++) {
                double off = b->C[i * nf + j];
                if (b->omega2[i] != 0 || b->omega2[j] != 0 || fabs(off) <= least) continue;
                JD_TRY(own_basis(e, b));
                double angle = 0.5 * atan2(2 * off, b->C[i * nf + i] - b->C[j * nf + j]);
                turn_coordinates(e, b, i, j, cos(angle), sin(angle));
                left = 1;
            }
    }
    return JD_OK;
}

// Sets what is rounding to zero: row and column k of C among rigid-body coordinates, or (all) with
// every coordinate.
static void clear(basis *b, int k, bool all) {
    for (int l = 0; l < b->nf; l++) {
        if (!all && (l == k || b->omega2[l] != 0)) continue;
        b->C[k * b->nf + l] = b->C[l * b->nf + k] = 0;
        if (all) b->C0[k * b->nf + l] = b->C0[l * b->nf + k] = 0;
    }
}

jd_status coupled_rigid(exact *e, basis *b) {
    int nf = b->nf;
    double least = nothing * largest_entry(b);
    JD_TRY(turn_rigid(e, b, least));
    for (int k = 0; k < nf; k++) {
        if (b->omega2[k] != 0) continue;
        double most = 0;
        for (int l = 0; l < nf; l++) most = fmax(most, fabs(b->C[k * nf + l]));
        clear(b, k, most <= least);
        if (most > least && fabs(b->C[k * nf + k]) <= least)
            return jd_fail(e->run->context, JD_NOT_SUPPORTED,
                           "falling friction takes away exactly the damping of a rigid-body "
                           "motion: the exact engine cannot follow that");
    }
    return JD_OK;
}

// Vectors of pole i, right u with u' (2 s + C) u = 1; u of the coordinates `in` only. A conjugate
// pair is one pole with doubled left vector. Of two real poles one has an imaginary u = i v: then
// u u' = v (-v)', all real.
static void set_vectors(basis *b, int i, int n, const int *in, const double *u) {
    bool paired = b->pole[i].im > 0, turned = false;
    for (int k = 0; k < n && !paired; k++) turned = turned || fabs(u[2 * k + 1]) > fabs(u[2 * k]);
    for (int k = 0; k < n; k++) {
        jd_complex right = {u[2 * k], u[2 * k + 1]}, left = {2 * right.re, 2 * right.im};
        if (!paired) {
            right = (jd_complex){turned ? right.im : right.re, 0};
            left = (jd_complex){turned ? -right.re : right.re, 0};
        }
        b->right[i * b->nf + in[k]] = right;
        b->left[i * b->nf + in[k]] = left;
    }
}

// The pole at 0 of a damped rigid-body coordinate.
static void zero_of(basis *b, int k) {
    double gamma = b->C[k * b->nf + k], u = 1 / sqrt(fabs(gamma));
    int i = b->n_pole++;
    b->pole[i] = (jd_complex){0, 0};
    b->right[i * b->nf + k] = (jd_complex){u, 0};
    b->left[i * b->nf + k] = (jd_complex){gamma > 0 ? u : -u, 0};
}

// Poles of the n coordinates `in`, n_zero of which have one at 0 already.
static jd_status poles_of(exact *e, basis *b, int n, const int *in, int n_zero) {
    double *pole = JD_TAKE(e->arena, double, 4 * n + 1),
           *right = JD_TAKE(e->arena, double, 4 * n * n + 1),
           *C = JD_TAKE(e->arena, double, n *n + 1), *omega2 = JD_TAKE(e->arena, double, n + 1);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < n; k++) {
        omega2[k] = b->omega2[in[k]];
        for (int l = 0; l < n; l++) C[k * n + l] = b->C[in[k] * b->nf + in[l]];
    }
    JD_TRY(jd_eigen_quadratic(e->arena, n, omega2, C, pole, right));
    double most = hypot(pole[4 * n - 2], pole[4 * n - 1]); // ascending
    for (int p = 0; p < 2 * n; p++) {
        double im = pole[2 * p + 1], size = hypot(pole[2 * p], im);
        if (p < n_zero && size > zero_pole * most)
            return jd_fail(e->run->context, JD_NO_CONVERGENCE,
                           "the poles of a damped rigid-body motion were not found");
        if (p < n_zero || im < 0) continue;
        int i = b->n_pole++;
        b->pole[i] = (jd_complex){pole[2 * p], im};
        set_vectors(b, i, n, in, right + 2 * p * n);
    }
    return JD_OK;
}

jd_status coupled_poles(exact *e, basis *b) {
    int nf = b->nf, n = 0, n_zero = 0;
    b->pole = JD_TAKE(e->arena, jd_complex, 2 * nf + e->n_drive);
    b->right = JD_TAKE(e->arena, jd_complex, 2 * nf * nf);
    b->left = JD_TAKE(e->arena, jd_complex, 2 * nf * nf);
    b->kind = JD_TAKE(e->arena, motion, nf);
    int *in = JD_TAKE(e->arena, int, nf);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < nf; k++) {
        bool rigid = b->omega2[k] == 0, damped = b->C[k * nf + k] != 0;
        b->kind[k] = rigid && !damped ? RIGID : OSCILLATING;
        if (rigid && !damped) continue;
        if (rigid) zero_of(b, k), n_zero++;
        in[n++] = k;
    }
    return n > 0 ? poles_of(e, b, n, in, n_zero) : JD_OK;
}
