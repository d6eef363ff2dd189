// nsm_case.h -- random structures with one elastic stop, their nonsmooth modes, and what is told of
// them independently: poles, admissible periods and multipliers from the modes alone.
#ifndef JD_TESTS_NSM_CASE_H
#define JD_TESTS_NSM_CASE_H

#include <stdlib.h>
#include <string.h>

#include "judder/judder.h"
#include "linalg/general.h"
#include "near.h"
#include "problem/system.h"
#include "scratch.h"

enum { CASE_MODES = 12, CASE_KINDS = 5 };

static uint64_t seed = 1;
static inline double uniform(void) { // splitmix64
    uint64_t z = (seed += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static inline double between(double low, double high) { return low + (high - low) * uniform(); }

// How a model is written: units of mass, time and length, and its mirror image.
typedef struct units {
    double mass, time, length;
    bool mirrored;
} units;

// A random structure: the same numbers give the same one in any units.
typedef struct random_case {
    int kind, n;                   // CASE_KINDS; masses, modes or elements
    double first[CASE_MODES];      // omega, masses
    double second[CASE_MODES + 1]; // shapes, stiffnesses
    double at, low, high;          // place of the stop; window in units of a typical omega
} random_case;

static inline random_case draw_case(int kind) {
    random_case r = {.kind = kind, .n = 2 + (int)(4 * uniform())};
    double omega = between(0.4, 1);
    for (int j = 0; j <= CASE_MODES; j++) {
        if (j < CASE_MODES) r.first[j] = kind == 0 ? omega : between(0.5, 2);
        r.second[j] = kind == 0 ? between(-1, 1) : between(0.5, 2);
        omega += between(0.1, 1.5);
    }
    r.at = between(0.3, 0.9);
    r.low = between(0.15, 0.9);
    r.high = r.low * between(2, 8);
    return r;
}

static inline int write_list(char *to, size_t room, int n, const double *v, double factor,
                             bool backward) {
    int used = 0;
    for (int j = 0; j < n; j++)
        used += snprintf(to + used, room - (size_t)used, "%s%.17g", j ? ", " : "",
                         factor * v[backward ? n - 1 - j : j]);
    return used;
}

// Structure with its point `end`; the window scales with `base` [1/time].
static inline void write_structure(const random_case *r, units u, char *text, size_t room) {
    char a[600], b[600];
    double stiffness = u.mass / (u.time * u.time);
    int n = r->n;
    switch (r->kind) {
    case 0:
        write_list(a, sizeof a, n, r->first, 1 / u.time, u.mirrored); // in any order
        write_list(b, sizeof b, n, r->second, (u.mirrored ? -1 : 1) / sqrt(u.mass), u.mirrored);
        snprintf(text, room, "{type: modes, omega: [%s], shapes: {end: [%s]}}", a, b);
        break;
    case 1:
        write_list(a, sizeof a, n, r->first, u.mass, u.mirrored);
        write_list(b, sizeof b, n, r->second, stiffness, u.mirrored);
        snprintf(text, room,
                 "{type: chain, count: %d, mass: [%s], stiffness: [%s], supports: {left: %s, "
                 "right: %s}, points: {end: {node: %d}}}",
                 n, a, b, u.mirrored ? "free" : "fixed", u.mirrored ? "fixed" : "free",
                 u.mirrored ? 1 : n);
        break;
    case 2:
        snprintf(text, room,
                 "{type: string, tension: %.17g, length: %.17g, mass_per_length: %.17g, modes: %d, "
                 "points: {end: %.17g}}",
                 stiffness * u.length / 9, u.length, u.mass / u.length, n,
                 (u.mirrored ? 1 - r->at : r->at) * u.length);
        break;
    case 3:
        snprintf(text, room,
                 "{type: fe-rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: %.17g, "
                 "elements: %d, supports: {left: %s, right: %s}, points: {end: %.17g}}",
                 u.length, stiffness * u.length * r->first[0] / 4, u.mass / u.length, n,
                 u.mirrored ? "free" : "fixed", u.mirrored ? "fixed" : "free",
                 u.mirrored ? 0 : u.length);
        break;
    default:
        snprintf(text, room,
                 "{type: fe-beam, length: %.17g, bending_stiffness: %.17g, mass_per_length: %.17g, "
                 "elements: 2, supports: {left: %s, right: %s}, points: {end: %.17g}}",
                 u.length, stiffness * pow(u.length, 3) / 12, u.mass / u.length,
                 u.mirrored ? "free" : "clamped", u.mirrored ? "clamped" : "free",
                 u.mirrored ? 0 : u.length);
    }
}

static inline jd_problem *read_case(const random_case *r, units u, int impacts) {
    char structure[1600], text[2400];
    jd_problem *p;
    write_structure(r, u, structure, sizeof structure);
    snprintf(text, sizeof text,
             "judder: 1\nstructure: %s\ncontacts:\n  end: {at: end, against: ground, law: {type: "
             "stop, gap: %.17g, restitution: 1}}\nstart: rest\nsimulate: {until: %.17g}\n"
             "nsm: {omega: [%.17g, %.17g], impacts: %d}\n",
             structure, 0.7 * u.length, 10 * u.time, r->low / u.time, r->high / u.time, impacts);
    jd_status s = jd_model_parse(context, "model", ".", text, strlen(text), 0, NULL, &p);
    if (s != JD_OK) print_error("%s\n%s\n", jd_context_error(context)->message, text);
    assert_int_equal(s, JD_OK);
    assert_int_equal(jd_problem_build(p), JD_OK);
    return p;
}

static inline jd_nsm *nsm_of(jd_problem *p) {
    jd_nsm_options options;
    jd_nsm *s;
    assert_int_equal(jd_nsm_options_of(p, &options), JD_OK);
    jd_status status = jd_nsm_create(context, p, &options, &s);
    if (status != JD_OK) print_error("%s\n", jd_context_error(context)->message);
    assert_int_equal(status, JD_OK);
    return s;
}

// Frequencies of a problem and the shares a_j of its modes in the stop's motion.
typedef struct modal_data {
    int n;
    double omega[64], a[64];
} modal_data;

static inline modal_data modal_of(const jd_problem *p) {
    const jd_system *system = jd_problem_system(p);
    modal_data m = {.n = system->modal.n};
    double sum = 0;
    assert_true(m.n <= 64);
    for (int j = 0; j < m.n; j++) {
        m.omega[j] = sqrt(system->modal.omega2[j].hi);
        m.a[j] = system->contact[0][j].hi * system->contact[0][j].hi;
        sum += m.a[j];
    }
    for (int j = 0; j < m.n; j++) m.a[j] /= sum;
    return m;
}

// Greatest |lambda| of the one-impact orbit of frequency omega: eigenvalues of the monodromy matrix
// (free flight, then the impact) in modal coordinates, q and q'/omega_j. A deviation u = B'q, B_j =
// sqrt(a_j), meets the stop -u/v earlier: u and B'q' change their signs, and 2 u acc/v is added to
// the velocity, acc/v = kappa = sum a_j omega_j cot(omega_j T/2) just before the impact.
static inline double greatest_multiplier(const modal_data *m, double omega) {
    int n = m->n, N = 2 * n;
    double T = 6.283185307179586 / omega, kappa = 0, most = 0, M[64 * 64], value[128];
    assert_true(N <= 64);
    for (int j = 0; j < n; j++)
        kappa += m->a[j] * m->omega[j] * cos(m->omega[j] * T / 2) / sin(m->omega[j] * T / 2);
    for (int k = 0; k < N; k++) { // column k: a unit vector flown, then the impact
        double q[32] = {0}, v[32] = {0}, u = 0, rate = 0, o = m->omega[k % n];
        q[k % n] = k < n ? cos(o * T) : sin(o * T) / o;
        v[k % n] = k < n ? -o * sin(o * T) : cos(o * T);
        double B = sqrt(m->a[k % n]);
        u = B * q[k % n];
        rate = B * v[k % n];
        for (int j = 0; j < n; j++) {
            double Bj = sqrt(m->a[j]);
            q[j] -= 2 * Bj * u;
            v[j] += 2 * Bj * (kappa * u - rate);
        }
        double unit = k < n ? 1 : o; // columns of q' are per q'/omega
        for (int j = 0; j < n; j++) {
            M[j * N + k] = q[j] * unit;
            M[(n + j) * N + k] = v[j] / m->omega[j] * unit;
        }
    }
    jd_arena_mark mark = jd_arena_here(arena);
    assert_int_equal(jd_eigen_general(arena, N, M, value), JD_OK);
    jd_arena_back(arena, mark);
    for (int k = 0; k < N; k++) most = fmax(most, hypot(value[2 * k], value[2 * k + 1]));
    return most;
}

#endif
