// spring_model.h -- structures with contacts of springs and friction, as plain numbers.
//   M x'' + C x' + K x = constant + sum F cos(omega t + phase) - sum (normal' N + tangential' T).
//   Read from tests/reference/contact.json or drawn (spring_random.h), integrated by
//   spring_motion.h, written as model files by spring_write.h.
#ifndef JD_TESTS_SPRING_MODEL_H
#define JD_TESTS_SPRING_MODEL_H

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

enum { SPRING_N = 20, SPRING_M = 20, SPRING_OSC = 6 };

// Where the normal force that scales a limit comes from.
typedef enum spring_source { SPRING_GIVEN, SPRING_OWN, SPRING_OTHER } spring_source;

typedef struct spring_contact {
    bool friction, normal;
    real wt[SPRING_N], wn[SPRING_N];
    real kt, kn, cn; // 0: rigid, and no dashpot
    real gap, e;
    bool newton;      // impacts; else poisson
    real limit, hold; // forces, or coefficients of friction
    spring_source source;
    int other; // SPRING_OTHER: contact with the normal part
    real swing, swing_omega, swing_phase;
    real belt;
    // In the model file it is part of the contact before: one more slider of `iwan`, or the other
    // side of a stop with `sides: both`.
    bool joined;
} spring_contact;

typedef struct spring_drive {
    real vector[SPRING_N], omega, phase; // cosine
} spring_drive;

typedef struct spring_model {
    int n, m, drives;
    real M[SPRING_N][SPRING_N], C[SPRING_N][SPRING_N], K[SPRING_N][SPRING_N];
    real constant[SPRING_N];
    spring_contact c[SPRING_M];
    spring_drive drive[SPRING_OSC];
    real x[SPRING_N], v[SPRING_N], T[SPRING_M];
    char states[SPRING_M + 1]; // at the start; "": what velocities and forces say
    real until;
} spring_model;

// ---- from JSON

static inline real spring_number(const json_t *j, real none) {
    return json_is_number(j) ? (real)json_number_value(j) : none;
}
static inline real spring_key(const json_t *j, const char *key, real none) {
    return spring_number(json_object_get(j, key), none);
}
// A stiffness: "inf" is rigid, which is 0 here.
static inline real spring_stiffness(const json_t *j, const char *key) {
    return spring_key(j, key, 0);
}
static inline void spring_list(const json_t *j, int n, real *out) {
    for (int i = 0; i < n; i++) out[i] = spring_number(json_array_get(j, (size_t)i), 0);
}
static inline void spring_matrix(const json_t *j, int n, real out[SPRING_N][SPRING_N]) {
    for (int i = 0; i < n; i++) {
        const json_t *row = json_array_get(j, (size_t)i);
        if (json_is_array(row))
            spring_list(row, n, out[i]);
        else
            out[i][i] = spring_number(row, 0);
    }
}

static inline void spring_read_contact(const spring_model *s, const json_t *j, spring_contact *c) {
    const json_t *swing = json_object_get(j, "limit_variation"), *mu = json_object_get(j, "mu");
    const char *impact = json_string_value(json_object_get(j, "impact"));
    c->friction = json_object_get(j, "tangential") != NULL;
    c->normal = json_object_get(j, "normal") != NULL;
    spring_list(json_object_get(j, "tangential"), s->n, c->wt);
    spring_list(json_object_get(j, "normal"), s->n, c->wn);
    c->kt = spring_stiffness(j, "kt"), c->kn = spring_stiffness(j, "kn");
    c->cn = spring_key(j, "cn", 0), c->gap = spring_key(j, "gap", 0), c->e = spring_key(j, "e", 0);
    c->newton = impact && strcmp(impact, "moreau") == 0;
    c->source = mu ? SPRING_OWN : SPRING_GIVEN;
    c->limit = mu ? spring_number(mu, 0) : spring_key(j, "limit", 0);
    c->hold = spring_key(j, mu ? "mus" : "static_limit", c->limit);
    c->belt = spring_key(j, "belt", 0);
    if (!swing) return;
    int d = (int)spring_key(swing, "drive", 0);
    c->swing = spring_key(swing, "amplitude", 0), c->swing_phase = spring_key(swing, "phase", 0);
    c->swing_omega = s->drive[d].omega;
}

// Is contact j the other side of the stop before?
static inline bool spring_mirrored(const spring_model *s, int j) {
    if (j == 0) return false;
    const spring_contact *a = &s->c[j - 1], *b = &s->c[j];
    bool same = !a->friction && !b->friction && a->gap == b->gap && a->kn == b->kn &&
                a->cn == b->cn && a->e == b->e && a->gap > 0 && !a->joined;
    for (int k = 0; k < s->n; k++) same = same && a->wn[k] == -b->wn[k];
    return same;
}

static inline void spring_read(spring_model *s, const json_t *j) {
    const json_t *contacts = json_object_get(j, "contacts"), *start = json_object_get(j, "start");
    const json_t *drives = json_object_get(j, "drives");
    const char *states = json_string_value(json_object_get(start, "states"));
    memset(s, 0, sizeof *s);
    s->n = (int)json_array_size(json_object_get(j, "mass"));
    s->m = (int)json_array_size(contacts), s->drives = (int)json_array_size(drives);
    spring_matrix(json_object_get(j, "mass"), s->n, s->M);
    spring_matrix(json_object_get(j, "damping"), s->n, s->C);
    spring_matrix(json_object_get(j, "stiffness"), s->n, s->K);
    spring_list(json_object_get(j, "constant"), s->n, s->constant);
    for (int d = 0; d < s->drives; d++) {
        const json_t *g = json_array_get(drives, (size_t)d);
        spring_list(json_object_get(g, "vector"), s->n, s->drive[d].vector);
        s->drive[d].omega = spring_key(g, "omega", 0);
        s->drive[d].phase = spring_key(g, "phase", 0);
    }
    for (int i = 0; i < s->m; i++) {
        spring_read_contact(s, json_array_get(contacts, (size_t)i), &s->c[i]);
        s->c[i].joined = spring_mirrored(s, i);
    }
    spring_list(json_object_get(start, "x"), s->n, s->x);
    spring_list(json_object_get(start, "v"), s->n, s->v);
    spring_list(json_object_get(start, "T"), s->m, s->T);
    snprintf(s->states, sizeof s->states, "%s", states ? states : "");
}

// tests/reference/contact.json, from anywhere.
static inline json_t *spring_reference(void) {
    json_error_t error;
    json_t *all = json_load_file(JD_SOURCE_DIR "/tests/reference/contact.json", 0, &error);
    if (!all) fprintf(stderr, "contact.json: %s\n", error.text), abort();
    return all;
}

// ---- linear algebra

static inline real spring_dot(int n, const real *a, const real *b) {
    real s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

// B := A^-1 B of `columns` columns, by elimination with pivoting; false: singular. `width`: of
// rows.
static inline bool spring_solve(int n, int width, real *A, int columns, int stride, real *B) {
    for (int i = 0; i < n; i++) {
        int p = i;
        real top = 0;
        for (int k = i; k < n; k++) {
            for (int l = 0; l < n; l++) top = fmaxl(top, fabsl(A[k * width + l]));
            if (fabsl(A[k * width + i]) > fabsl(A[p * width + i])) p = k;
        }
        if (!(fabsl(A[p * width + i]) > 1e-15L * top)) return false;
        for (int k = 0; k < n; k++) {
            real y = A[i * width + k];
            A[i * width + k] = A[p * width + k], A[p * width + k] = y;
        }
        for (int k = 0; k < columns; k++) {
            real y = B[i * stride + k];
            B[i * stride + k] = B[p * stride + k], B[p * stride + k] = y;
        }
        for (int k = 0; k < n; k++) {
            real f = k == i ? 0 : A[k * width + i] / A[i * width + i];
            for (int l = i; f != 0 && l < n; l++) A[k * width + l] -= f * A[i * width + l];
            for (int l = 0; f != 0 && l < columns; l++) B[k * stride + l] -= f * B[i * stride + l];
        }
    }
    for (int i = 0; i < n; i++)
        for (int l = 0; l < columns; l++) B[i * stride + l] /= A[i * width + i];
    return true;
}

// M^-1 w
static inline void spring_lift(const spring_model *s, const real *w, real *out) {
    real M[SPRING_N][SPRING_N];
    memcpy(M, s->M, sizeof M);
    memcpy(out, w, (size_t)s->n * sizeof *out);
    if (!spring_solve(s->n, SPRING_N, M[0], 1, 1, out)) abort();
}
// a M^-1 b
static inline real spring_coupling(const spring_model *s, const real *a, const real *b) {
    real y[SPRING_N];
    spring_lift(s, b, y);
    return spring_dot(s->n, a, y);
}

#endif
