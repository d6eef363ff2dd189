// memory_delay.c -- the undamped bowed string: the engine's delays against a solution point by
// point.
//   For x = 0.4, c = 1 all delays are multiples of 0.4, so the force at t needs only the forces at
//   t - 0.4 k:  y'(t) = y'_free(t) + gamma sum_k w_k F(t - 0.4 k),  gamma = 1/4,
//   w from d'Alembert's reflections (+0, -2, -3, +5 lattice steps, repeated every 5).
//   No history is interpolated; events are mode changes on a fine grid, bisected.
#include <math.h>

#include "memory_case.h"

enum { LATTICE = 16 };
static const double gamma0 = 0.25, belt = 1.5, limit = 4, drop = 0.32, pi = 3.14159265358979323846;

typedef struct point {
    double v, F;
    int mode; // -1, 0, 1: sign of the relative velocity
} point;

static void weights(double *w) {
    static const int at[] = {0, 2, 3, 5}, sign[] = {1, -1, -1, 1};
    for (int k = 0; k <= LATTICE; k++) w[k] = 0;
    for (int m = 0; 5 * m <= LATTICE; m++)
        for (int i = 0; i < 4; i++)
            if (5 * m + at[i] <= LATTICE) w[5 * m + at[i]] += sign[i];
}

// v = known + gamma F(v - belt), by bisection: the left side minus the right rises with v.
static point solve(double known) {
    double free = known - belt;
    if (fabs(free) <= gamma0 * limit) return (point){belt, -free / gamma0, 0};
    double s = free > 0 ? 1 : -1, low = 0, high = fabs(free);
    for (int i = 0; i < 200; i++) {
        double u = (low + high) / 2, f = limit - drop + drop * exp(-u);
        *(u + gamma0 * f > fabs(free) ? &high : &low) = u;
    }
    return (point){belt + s * low, -s * (limit - drop + drop * exp(-low)), (int)s};
}

static point at_time(double t) {
    double w[LATTICE + 1], F[LATTICE + 1];
    int n = (int)floor(t / 0.4 + 1e-13);
    point p = {0, 0, 0};
    assert_true(n <= LATTICE);
    weights(w);
    for (int i = 0; i <= n; i++) {
        double tt = t - 0.4 * (n - i);
        double known = -2.7668 * cos(pi * tt) + 2.9224 * pi * sin(pi * tt);
        for (int k = 1; k <= i; k++) known += gamma0 * w[k] * F[i - k];
        p = solve(known);
        F[i] = p.F;
    }
    return p;
}

typedef struct change {
    double t;
    int from, to;
} change;

// Mode changes in (0, end): n points per cell of 0.4, kept off the lattice.
static int changes(double end, int n, change *out) {
    int found = 0, last = at_time(1e-9).mode;
    double before = 1e-9;
    for (int cell = 0; 0.4 * cell < end - 1e-9; cell++)
        for (int k = 0; k <= n; k++) {
            double t = 0.4 * cell + 0.4 * (k == 0 ? 1e-11 : k == n ? 1 - 1e-11 : (double)k / n);
            int mode = at_time(t).mode;
            if (mode != last) {
                double low = before, high = t;
                while (high - low > 1e-15 * high + 1e-16) {
                    double middle = (low + high) / 2;
                    if (middle <= low || middle >= high) break;
                    *(at_time(middle).mode == last ? &low : &high) = middle;
                }
                out[found++] = (change){high, last, mode};
            }
            last = mode;
            before = t;
        }
    return found;
}

static char letter(int mode) { return mode > 0 ? '+' : mode < 0 ? '-' : 'H'; }

static void pure_delays_agree_with_the_solution_point_by_point(void **state) {
    (void)state; // measured 1e-12; 26 events, two of them 8e-4 apart
    change list[64];
    int n = changes(5.2, 2000, list);
    motion *m =
        motion_of(bowed_string, 5.2, SETS("structure.damping=none", "simulate.tolerance=1e-11"));
    double worst = 0;
    assert_int_equal(m->n, n);
    for (int i = 0; i < n; i++) {
        assert_int_equal(jd_contact_letter(m->event[i].from), letter(list[i].from));
        assert_int_equal(jd_contact_letter(m->event[i].to), letter(list[i].to));
        worst = fmax(worst, fabs(m->event[i].t - list[i].t));
    }
    print_message("   %d events, worst %.1e\n", n, worst);
    assert_true(n >= 20);
    assert_near(worst, 0, 1e-10);
    motion_close(m);
}

static void samples_of_pure_delays_agree_too(void **state) {
    (void)state; // measured 1e-11
    static const double at[] = {0.1, 0.37, 0.55, 1.01, 1.55, 2.03, 2.77, 3.33, 4.9};
    motion *m =
        motion_open(bowed_string, SETS("structure.damping=none", "simulate.tolerance=1e-10"));
    for (int i = 0; i < 9; i++) {
        double u, v, F;
        point p = at_time(at[i]);
        motion_run(m, at[i]);
        motion_look(m, at[i], &u, &v, &F);
        assert_near(v + belt, p.v, 1e-8);
        assert_near(F, p.F, 1e-8);
    }
    motion_close(m);
}

// Delays that are no multiples of each other: kinks come back at ever more times.
static void delays_without_a_common_measure_work_too(void **state) {
    (void)state; // the two tolerances agree to 2e-9
    motion *a = motion_of(bowed_string, 8,
                          SETS("structure.damping=none", "structure.points.bow=0.3819660112501051",
                               "simulate.tolerance=1e-8"));
    motion *b = motion_of(bowed_string, 8,
                          SETS("structure.damping=none", "structure.points.bow=0.3819660112501051",
                               "simulate.tolerance=1e-10"));
    assert_int_equal(a->n, b->n);
    assert_true(a->n > 10);
    for (int i = 0; i < a->n; i++) assert_near(a->event[i].t, b->event[i].t, 1e-7);
    motion_close(a);
    motion_close(b);
}

// From rest an undamped string under a steady bow moves in cells of a fifth of its period, in which
// nothing changes: w_n = w_{n-5} + gamma (F_n - F_{n-2} - F_{n-3} + F_{n-5}), a map. Its falling
// friction amplifies: phases of the string do not know of each other, rounding within a cell grows
// as differences of the map do, and once it has reached a switch events come at all scales.
typedef struct bow_map {
    double F[1000], w[1000];
    int mode[1000];
} bow_map;

static const char violin[] =
    "judder: 1\n"
    "structure: {type: string, length: 0.33, tension: 50.6, mass_per_length: 0.0006,\n"
    "  modes: infinite, points: {bow: 0.132}, damping: none}\n"
    "contacts:\n"
    "  bow: {at: bow, against: {velocity: 0.2},\n"
    "        law: {type: stribeck, limit: 0.0465, drop: 0.02, decay: 7.5}}\n"
    "start: rest\n"
    "simulate: {engine: memory, until: 1, tolerance: 1e-3}\n";

static void iterate(bow_map *m, double gamma, double off) {
    for (int n = 0; n < 1000; n++) {
        double free = -0.2 + (n == 0 ? off : 0), low = 0;
        if (n >= 5) free += m->w[n - 5] + gamma * m->F[n - 5];
        if (n >= 2) free -= gamma * m->F[n - 2];
        if (n >= 3) free -= gamma * m->F[n - 3];
        m->mode[n] = free > gamma * 0.0465 ? 1 : free < -gamma * 0.0465 ? -1 : 0;
        m->F[n] = -free / gamma;
        for (double high = fabs(free); m->mode[n] && high - low > 1e-17;) {
            double u = (low + high) / 2, f = 0.0265 + 0.02 * exp(-7.5 * u);
            if (u <= low || u >= high) break;
            *(u + gamma * f > fabs(free) ? &high : &low) = u;
        }
        if (m->mode[n]) m->F[n] = -m->mode[n] * (0.0265 + 0.02 * exp(-7.5 * low));
        m->w[n] = free + 0.2 + gamma * m->F[n];
    }
}

static void an_undamped_string_follows_its_map_while_rounding_is_small(void **state) {
    (void)state; // measured: 349 events to 6e-16 s; neighbours part 2e10 times in 900 cells
    static bow_map a, b;
    double c = sqrt(50.6 / 0.0006), gamma = 1 / (2 * 0.0006 * c), cell = 0.2 * 2 * 0.33 / c;
    iterate(&a, gamma, 0);
    iterate(&b, gamma, 1e-13);
    double apart = 0, worst = 0;
    for (int n = 0; n < 900; n++) apart = fmax(apart, fabs(a.w[n] - b.w[n]));
    motion *m = motion_of(violin, 880.5 * cell, 0, NULL);
    int found = 0;
    for (int n = 1; n <= 880; n++) {
        if (a.mode[n] == a.mode[n - 1]) continue;
        assert_true(found < m->n);
        assert_int_equal(jd_contact_letter(m->event[found].to), letter(a.mode[n]));
        worst = fmax(worst, fabs(m->event[found++].t - n * cell));
    }
    assert_int_equal(found, m->n);
    print_message("   %d events, worst %.1e s; neighbours part %.1e times\n", found, worst,
                  apart / 1e-13);
    assert_true(found > 300);
    assert_near(worst, 0, 1e-11);
    assert_true(apart / 1e-13 > 1e8);
    motion_close(m);
}

// A little damping smears the waves and gives a smallest scale: no storm.
static void a_little_damping_keeps_events_apart(void **state) {
    (void)state; // ratio 0.002: two or four events per period
    motion *m = motion_of(violin, 0.7, SETS("structure.damping={type: ratio, value: 0.002}"));
    print_message("   %d events\n", m->n);
    assert_true(m->n > 500 && m->n < 1500);
    motion_close(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_undamped_string_follows_its_map_while_rounding_is_small),
        cmocka_unit_test(a_little_damping_keeps_events_apart),
        cmocka_unit_test(pure_delays_agree_with_the_solution_point_by_point),
        cmocka_unit_test(samples_of_pure_delays_agree_too),
        cmocka_unit_test(delays_without_a_common_measure_work_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
