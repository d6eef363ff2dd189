// reduced.c -- A, L, L0, L1, L_infinity of the reduced equation with memory (reduced.h).
#include "kernel/reduced.h"

#include <math.h>

#include "linalg/general.h"

enum { LOWEST = 12, CANDIDATES = 40 };
#define WORST 1e3

// Modes to choose from: enough low ones for the contacts.
static int candidates(int n) { return LOWEST + 4 * n < CANDIDATES ? LOWEST + 4 * n : 4 * n; }

// Greedy QR with column pivoting on n_jk/omega_k: the column that is longest after removing what
// the chosen ones span.
static void pick(const jd_response_modes *m, int n, double *work, int *mode) {
    double *column = work; // n per mode
    for (int k = 0; k < m->n; k++)
        for (int j = 0; j < n; j++)
            column[k * n + j] = m->omega[k] > 0 ? m->row[j * m->n + k] / m->omega[k] : 0;
    for (int p = 0; p < n; p++) {
        double longest = -1;
        for (int k = 0; k < m->n; k++) {
            double length = 0;
            for (int j = 0; j < n; j++) length += column[k * n + j] * column[k * n + j];
            if (length > longest * (1 + 1e-9)) longest = length, mode[p] = k + 1;
        }
        const double *q = column + (size_t)(mode[p] - 1) * (size_t)n;
        for (int k = 0; longest > 0 && k < m->n; k++) {
            double *c = column + (size_t)k * (size_t)n, dot = 0;
            if (c == q) continue;
            for (int j = 0; j < n; j++) dot += c[j] * q[j];
            for (int j = 0; j < n; j++) c[j] -= dot / longest * q[j];
        }
        for (int j = 0; j < n; j++) column[(mode[p] - 1) * n + j] = 0;
    }
}

static double one_norm(int n, const double *A) {
    double most = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += fabs(A[i * n + j]);
        most = fmax(most, sum);
    }
    return most;
}

// inverse = A^-1; false when A is singular. copy: n*n, pivot: n.
static bool invert(int n, const double *A, double *inverse, double *copy, int *pivot) {
    for (int k = 0; k < n * n; k++) copy[k] = A[k];
    if (!jd_lu_factor(n, copy, pivot)) return false;
    for (int j = 0; j < n; j++) {
        double *column = copy + n * n;
        for (int i = 0; i < n; i++) column[i] = i == j;
        jd_lu_solve(n, copy, pivot, column);
        for (int i = 0; i < n; i++) inverse[i * n + j] = column[i];
    }
    return true;
}

// out = N B N^-1
static void conjugate(int n, const double *N, const double *inverse, const double *B, double *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++) sum += N[i * n + k] * B[k * n + l] * inverse[l * n + j];
            out[i * n + j] = sum;
        }
}

static jd_status refuse(jd_context *context, const jd_reduced *r) {
    if (isfinite(r->condition))
        jd_fail(context, JD_NOT_SUPPORTED,
                "the modes of W do not tell the contacts apart: condition number %.3g, above %g",
                r->condition, WORST);
    else
        jd_fail(context, JD_NOT_SUPPORTED,
                "the modes of W do not move the contacts independently: "
                "condition number infinite");
    jd_fail_where(context, "kernel.modes");
    jd_fail_hint(context, r->n == 1 ? "take a mode that moves the contact"
                                    : "take other modes, or move contacts that are very close");
    return JD_NOT_SUPPORTED;
}

static double condition_of(const jd_response_modes *m, int n, const double *N, double *scaled,
                           double *inverse, double *copy, int *pivot) {
    for (int j = 0; j < n; j++) {
        double most = 0;
        for (int k = 0; k < m->n; k++) most = fmax(most, fabs(m->row[j * m->n + k]));
        for (int p = 0; p < n; p++) scaled[j * n + p] = most > 0 ? N[j * n + p] / most : 0;
    }
    if (!invert(n, scaled, inverse, copy, pivot)) return HUGE_VAL;
    return fmax(1, one_norm(n, scaled)) * one_norm(n, inverse);
}

static void fill_A(jd_reduced *r) {
    int n = r->n;
    for (int i = 0; i < n; i++) {
        r->A[i * 2 * n + n + i] = 1;
        for (int j = 0; j < n; j++) {
            r->A[(n + i) * 2 * n + j] = -r->K[i * n + j];
            r->A[(n + i) * 2 * n + n + j] = -r->C[i * n + j];
        }
    }
}

static jd_status statics(jd_arena *arena, jd_reduced *r) {
    int n = r->n, m = jd_response_places(r->from);
    double *U = JD_TAKE(arena, double, n *m);
    if (!U) return JD_OUT_OF_MEMORY;
    JD_TRY(jd_response_static(r->from, U));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) r->L_infinity[i * n + j] += r->K[i * n + k] * U[k * m + j];
    return JD_OK;
}

static jd_status build(jd_arena *arena, const jd_response_modes *m, int most, jd_reduced *r) {
    int n = r->n;
    double *N = JD_TAKE(arena, double, n *n), *inverse = JD_TAKE(arena, double, n *n);
    double *scaled = JD_TAKE(arena, double, n *n), *copy = JD_TAKE(arena, double, n *(n + 1));
    double *stiff = JD_TAKE(arena, double, n *n), *viscous = JD_TAKE(arena, double, n *n);
    int *pivot = JD_TAKE(arena, int, n);
    JD_TRY(jd_arena_status(arena));
    for (int p = 0; p < n; p++) {
        int k = r->mode[p] - 1;
        stiff[p * n + p] = m->omega[k] * m->omega[k];
        for (int q = 0; q < n; q++)
            viscous[p * n + q] = jd_response_coupling(r->from, most, k, r->mode[q] - 1);
        for (int j = 0; j < n; j++) N[j * n + p] = m->row[j * m->n + k];
    }
    r->condition = condition_of(m, n, N, scaled, inverse, copy, pivot);
    if (!(r->condition <= WORST) || !invert(n, N, inverse, copy, pivot))
        return refuse(jd_arena_context(arena), r);
    conjugate(n, N, inverse, stiff, r->K);
    conjugate(n, N, inverse, viscous, r->C);
    fill_A(r);
    return statics(arena, r);
}

static jd_status check_modes(jd_context *context, int n, const int *mode, int known) {
    for (int p = 0; p < n; p++)
        if (mode[p] < 1 || mode[p] > known) {
            jd_fail(context, JD_OUT_OF_RANGE, "mode %d of W is not among the %d modes there are",
                    mode[p], known);
            jd_fail_where(context, "kernel.modes");
            return JD_OUT_OF_RANGE;
        }
    return JD_OK;
}

jd_status jd_reduced_make(jd_arena *arena, const jd_response *response, const int *mode,
                          jd_reduced *out) {
    int n = jd_response_contacts(response), most = candidates(n);
    jd_context *context = jd_arena_context(arena);
    *out = (jd_reduced){.n = n, .from = response};
    for (int p = 0; mode && p < n; p++)
        if (mode[p] > most) most = mode[p];
    jd_response_modes m;
    JD_TRY(jd_response_shapes_of(response, most, arena, &m));
    if (m.n < n) {
        jd_fail(context, JD_NOT_SUPPORTED, "%d contacts need as many modes, and there are %d", n,
                m.n);
        jd_fail_hint(context, "keep more modes of the structure");
        return JD_NOT_SUPPORTED;
    }
    out->mode = JD_TAKE(arena, int, n);
    out->K = JD_TAKE(arena, double, n *n);
    out->C = JD_TAKE(arena, double, n *n);
    out->A = JD_TAKE(arena, double, 4 * n * n);
    out->L_infinity = JD_TAKE(arena, double, n *n);
    double *work = JD_TAKE(arena, double, m.n *n);
    JD_TRY(jd_arena_status(arena));
    if (mode) JD_TRY(check_modes(context, n, mode, m.n));
    for (int p = 0; mode && p < n; p++) out->mode[p] = mode[p];
    if (!mode) pick(&m, n, work, out->mode);
    return build(arena, &m, most, out);
}

// to_ij += sum_k B_ik V_kj, V n x m
static void add_product(int n, int m, const double *B, const double *V, double *to) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) to[i * n + j] += B[i * n + k] * V[k * m + j];
}

jd_status jd_reduced_at(const jd_reduced *r, int n_tau, const double *tau, double *L, double *L0,
                        double *L1, double *work) {
    int n = r->n, m = jd_response_places(r->from), size = n * m;
    for (int t = 0; t < n_tau; t++) {
        for (int order = L || L0 ? -1 : 0; order <= (L1 ? 2 : 1); order++)
            JD_TRY(jd_response_at(r->from, (jd_response_order)order, 1, tau + t,
                                  work + (order + 1) * size));
        double *at[] = {L ? L + (size_t)t * (size_t)(n * n) : NULL,
                        L0 ? L0 + (size_t)t * (size_t)(n * n) : NULL,
                        L1 ? L1 + (size_t)t * (size_t)(n * n) : NULL};
        for (int q = 0; q < 3; q++) {
            if (!at[q]) continue;
            const double *first = work + (q == 2 ? size : 0); // L: G', G, U; L1: G, U, int U
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    at[q][i * n + j] = first[i * m + j] - (q == 1 ? r->L_infinity[i * n + j] : 0);
            add_product(n, m, r->C, first + size, at[q]);
            add_product(n, m, r->K, first + 2 * size, at[q]);
        }
    }
    return JD_OK;
}
