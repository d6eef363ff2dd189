// memory_rigid.c -- bodies that nothing holds, with all their modes: they drift as they should, and
// are the limit of many modes, which the exact engine computes.
#include <math.h>

#include "memory_case.h"

static const char rod[] =
    "judder: 1\n"
    "structure: {type: rod, length: 1, axial_stiffness: 2, mass_per_length: 2, modes: infinite,\n"
    "  supports: {left: free, right: free}, points: {head: 0, a: 0.4, toe: 1},\n"
    "  damping: {type: ratio, value: 0.3}}\n"
    "contacts: {shaft: {at: a, against: ground, law: {type: coulomb, limit: 0.5}}}\n"
    "drives: {hammer: {at: head, type: pulse, shape: half-sine, amplitude: 3, start: 0.1,\n"
    "  duration: 0.7}}\n"
    "simulate: {engine: memory, until: 3, tolerance: 1e-8}\n";

static const char beam[] =
    "judder: 1\n"
    "structure: {type: beam, length: 1, bending_stiffness: 1, mass_per_length: 1, modes: "
    "infinite,\n"
    "  supports: {left: free, right: free}, points: {head: 0, a: 0.4},\n"
    "  damping: {type: ratio, value: 0.05}}\n"
    "contacts: {shaft: {at: a, against: ground, law: {type: coulomb, limit: 0.5}}}\n"
    "drives: {hammer: {at: head, type: harmonic, amplitude: 2, frequency: 2}}\n"
    "simulate: {engine: memory, until: 3, tolerance: 1e-8}\n";

static const char flying[] = "start={type: lift, mode: 1, point: a, displacement: 0, velocity: 50}";

// Momentum: under a force f and friction L a body of mass m that damping by mass slows down at the
// rate a has, once waves have died, m v' = f - L - a m v.
static void a_free_body_obeys_its_momentum(void **state) {
    (void)state; // measured 2.8e-14, 3.1e-12
    const double pi = 3.14159265358979323846, impulse = 2 * 3 * 0.7 / pi, L = 0.05, m = 2;
    const char *force = "drives.hammer={at: head, type: constant, value: 0.8}";
    const char *ramp =
        "drives.hammer={at: head, type: ramp, amplitude: 4, start: 0, duration: 100}";
    const struct {
        const char *damping, *drive;
        double t, v, most;
    } c[] = {
        {"structure.damping.value=0.3", "drives.hammer.amplitude=3", 300,
         50 + (impulse - L * 300) / m, 1e-8},
        {"structure.damping={type: rayleigh, stiffness: 0.1}", "drives.hammer.amplitude=3", 300,
         50 + (impulse - L * 300) / m, 1e-8},
        {"structure.damping.value=0.3", force, 300, 50 + (0.8 - L) * 300 / m, 1e-8},
        {"structure.damping.value=0.3", ramp, 400, 50 + (4 * 50 + 4 * 300 - L * 400) / m, 1e-8},
        {"structure.damping={type: rayleigh, mass: 0.5, stiffness: 0.1}", force, 200,
         (0.8 - L) / (0.5 * m), 1e-8}};
    for (int i = 0; i < 5; i++) {
        motion *y = motion_open(rod, SETS(c[i].damping, c[i].drive, flying, "simulate.until=500",
                                          "contacts.shaft.law.limit=0.05"));
        double u[2], v[2], F;
        motion_run(y, c[i].t);
        motion_look(y, c[i].t, &u[0], &v[0], &F);
        motion_run(y, c[i].t + 1);
        motion_look(y, c[i].t + 1, &u[1], &v[1], &F);
        double way = u[1] - u[0] - (v[0] + v[1]) / 2; // constant acceleration
        print_message("   %s, %s: %.1e, %.1e\n", c[i].damping, c[i].drive, v[0] - c[i].v, way);
        assert_near(v[0], c[i].v, c[i].most * 50);
        assert_near(way, 0, 1e-6);
        motion_close(y);
    }
}

// The undamped rod: waves carry its drift. Constant force F at one end, contact at 0.4: its
// velocity rises by F/(rho c) = F/2 at t = 0.4, 1.6, 2.4, 3.6, 4.4, ...
static void waves_carry_the_drift(void **state) {
    (void)state; // measured 0
    motion *m = motion_open(rod, SETS("structure.damping=none", flying, "simulate.until=200",
                                      "contacts.shaft.law={type: stop, gap: 1e6, restitution: 0}",
                                      "drives.hammer={at: head, type: constant, value: 0.8}"));
    for (int i = 0; i < 60; i++) {
        double t = 0.3 + 3.17 * i, u, v, F, expected = 50;
        for (int k = 0; k < 200; k++) expected += 0.4 * ((t > 0.4 + 2 * k) + (t > 1.6 + 2 * k));
        motion_run(m, t);
        motion_look(m, t, &u, &v, &F);
        assert_near(v, expected, 1e-11 * (1 + expected));
    }
    motion_close(m);
}

// Events of N and 2 N modes by the exact engine, extrapolated, against all modes.
static void modes_tend_to(const char *text, const char *few, const char *many, double order,
                          double most, int n_set, const char *const *set) {
    const char *sets[6];
    for (int i = 0; i < n_set; i++) sets[i] = set[i];
    motion *all = motion_of(text, 3, n_set, sets), *m[2];
    double worst = 0, off = 0, u[3], v, F;
    motion_look(all, 3, &u[2], &v, &F);
    sets[n_set] = "simulate.engine=exact";
    for (int i = 0; i < 2; i++) {
        sets[n_set + 1] = i ? many : few;
        m[i] = motion_of(text, 3, n_set + 2, sets);
        motion_look(m[i], 3, &u[i], &v, &F);
        assert_int_equal(m[i]->n, all->n);
    }
    for (int k = 0; k < all->n; k++) {
        double a = m[0]->event[k].t, b = m[1]->event[k].t, part = pow(2, order) - 1;
        off = fmax(off, fabs(b - all->event[k].t));
        worst = fmax(worst, fabs(b + (b - a) / part - all->event[k].t));
    }
    double last = u[1] + (u[1] - u[0]) / (pow(2, order) - 1) - u[2];
    print_message("   %s: %d events, off by %.1e, extrapolated %.1e; displacement %.1e\n",
                  n_set ? set[0] : "", all->n, off, worst, last);
    assert_true(worst < most);
    assert_near(last, 0, most);
    for (int i = 0; i < 2; i++) motion_close(m[i]);
    motion_close(all);
}

static void modes_tend_to_free_bodies(void **state) {
    (void)state; // measured 1.2e-4 (1/N^2), beams 1.9e-8
    const char *few = "structure.modes=60", *many = "structure.modes=120";
    modes_tend_to(rod, few, many, 1, 3e-4, SETS("structure.damping.value=0.3"));
    modes_tend_to(rod, few, many, 1, 3e-4,
                  SETS("drives.hammer={at: toe, type: harmonic, amplitude: 2, frequency: 2}"));
    modes_tend_to(rod, few, many, 1, 3e-4,
                  SETS("structure.damping={type: rayleigh, mass: 0.2, stiffness: 0.05}"));
    modes_tend_to(rod, few, many, 1, 3e-4,
                  SETS("start={type: shape, position: [0.2, 0.7], displacement: [0.3, -0.1], "
                       "velocity: [1, 0.5]}"));
    modes_tend_to(beam, "structure.modes=40", "structure.modes=80", 3, 5e-6, 0, NULL);
    modes_tend_to(beam, "structure.modes=40", "structure.modes=80", 3, 5e-6,
                  SETS("structure.supports={left: free, right: pinned}"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_body_obeys_its_momentum),
        cmocka_unit_test(waves_carry_the_drift),
        cmocka_unit_test(modes_tend_to_free_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
