// orbit_units.c -- what `orbit` says of a motion without a drive does not depend on units of mass,
// length and time, from rest and without settling, too. Units differ by powers of 2, which round
// nothing: the search must take the same way, also through motions that wander.
#include <math.h>

#include "draws.h"
#include "how_many.h"
#include "orbit_case.h"

enum { MODELS = 24, MASSES = 3 };

typedef struct units {
    double mass, length, time;
} units;

typedef struct belt {
    int n, law; // law: affine, stribeck, a higher static limit
    double mass[MASSES], stiffness[MASSES], damping, speed, limit, fall, settle;
    double place[MASSES];
    bool memory, rests;
} belt;

static belt draw(int i) {
    belt b = {.n = 1 + pick(MASSES), .law = i % 3};
    for (int k = 0; k < MASSES; k++) {
        b.mass[k] = mixed(0.5, 2);
        b.stiffness[k] = mixed(0.5, 2);
        b.place[k] = mixed(-0.5, 0.5);
    }
    b.damping = mixed(0.002, 0.03);
    b.speed = mixed(0.1, 0.6);
    b.limit = mixed(0.3, 1.5);
    b.fall = mixed(0.1, 0.5);
    b.memory = b.law == 1 || (b.law == 0 && pick(2));
    b.rests = pick(2);
    b.settle = pick(2) ? mixed(5, 60) : 0;
    return b;
}

static void list(char *to, size_t room, int n, const double *v, double unit) {
    size_t used = 0;
    for (int k = 0; k < n; k++)
        used += (size_t)snprintf(to + used, room - used, "%s%.17g", k ? ", " : "", v[k] * unit);
}

static void write_model(const belt *b, units u, char *text, size_t room) {
    char mass[120], stiffness[120], place[120], law[200];
    double v = u.length / u.time, F = u.mass * v / u.time;
    list(mass, sizeof mass, b->n, b->mass, u.mass);
    list(stiffness, sizeof stiffness, b->n, b->stiffness, u.mass / (u.time * u.time));
    list(place, sizeof place, b->n, b->place, u.length);
    if (b->law == 0)
        snprintf(law, sizeof law, "{type: affine, limit: %.17g, slope: %.17g}", b->limit * F,
                 -b->fall * F / v);
    else if (b->law == 1)
        snprintf(law, sizeof law, "{type: stribeck, limit: %.17g, drop: %.17g, decay: %.17g}",
                 b->limit * F, b->fall * b->limit * F, 2 / v);
    else
        snprintf(law, sizeof law, "{type: coulomb, limit: %.17g, static_limit: %.17g}",
                 b->limit * F, (1 + b->fall) * b->limit * F);
    snprintf(text, room,
             "judder: 1\nstructure: {type: chain, count: %d, mass: [%s], stiffness: [%s], damping: "
             "{type: ratio, value: %.17g}, supports: {left: fixed, right: free}, points: {m: "
             "{node: %d}}}\ncontacts: {m: {at: m, against: {velocity: %.17g}, law: %s}}\n"
             "start: {type: state, displacement: [%s]}\n"
             "simulate: {engine: %s, until: 1, tolerance: 1e-7}\norbit: {settle: %.17g}\n",
             b->n, mass, stiffness, b->damping, b->n, b->speed * v, law, b->rests ? "" : place,
             b->memory ? "memory" : "exact", b->settle * u.time);
    if (!b->memory) { // exact: no tolerance
        char *at = strstr(text, ", tolerance: 1e-7");
        memmove(at, at + 17, strlen(at + 17) + 1);
    }
}

// Periods and multipliers to what Newton's method leaves of them.
static void compare(const char *text, const jd_orbit_view *a, const jd_orbit_view *b, units u) {
    if (a->search.reason != b->search.reason || a->n_event != b->n_event)
        fail_msg("%s with %d events, and %s with %d in units %g %g %g\n%s",
                 a->search.why ? a->search.why : "", a->n_event, b->search.why ? b->search.why : "",
                 b->n_event, u.mass, u.length, u.time, text);
    if (!a->found) return;
    assert_near(a->period * u.time, b->period, 1e-7 * b->period);
    assert_int_equal(a->stability.stable, b->stability.stable);
    assert_near(a->stability.largest, b->stability.largest, 1e-4 * fmax(1, a->stability.largest));
}

// Strings with all modes, whose waves are under way: simulated until they repeat or come to rest.
static void units_change_nothing_that_is_said_of_waves(void **state) {
    (void)state;
    static const double drop[] = {0.6, 0.05}, damping[] = {0.01, 0.03}, settle[] = {0, 30};
    static const units other[] = {{1, 1, 1}, {1, 0x1p-50, 0x1p20}, {0x1p-10, 0x1p40, 0x1p-20}};
    for (int i = 0; i < 2; i++) {
        orbit_case c[3];
        for (int k = 0; k < 3; k++) { // length of the motion, not of the string
            units u = other[k];
            char text[800];
            double v = u.length / u.time, F = u.mass * v / u.time;
            snprintf(text, sizeof text,
                     "judder: 1\nstructure: {type: string, length: 1, tension: %.17g, "
                     "mass_per_length: %.17g, modes: infinite, points: {bow: 0.4}, damping: {type: "
                     "ratio, value: %g}}\ncontacts: {bow: {at: bow, against: {velocity: %.17g}, "
                     "law: {type: stribeck, limit: %.17g, drop: %.17g, decay: %.17g}}}\n"
                     "simulate: {engine: memory, memory: delays, tolerance: 1e-5, until: 1}\n"
                     "orbit: {settle: %.17g}\n",
                     2 * u.mass / (u.time * u.time), 2 * u.mass, damping[i], 1.5 * v, 4 * F,
                     drop[i] * F, 1 / v, settle[i] * u.time);
            orbit_parse(&c[k], text);
            orbit_seek(&c[k], NULL);
            compare(text, c[0].view, c[k].view, u);
        }
        assert_int_equal(c[0].view->search.reason, i ? JD_ORBIT_STEADY_SLIP : JD_ORBIT_FOUND);
        for (int k = 0; k < 3; k++) orbit_end(&c[k]);
    }
}

static void units_change_nothing_that_is_said_of_a_free_motion(void **state) {
    (void)state;
    static const units other[] = {{1, 1, 0x1p20},
                                  {1, 1, 0x1p-20},
                                  {0x1p12, 0x1p-20, 1},
                                  {0x1p-12, 0x1p20, 1},
                                  {1, 0x1p40, 0x1p30}};
    int found = 0, unstable = 0, models = how_many(MODELS, 5);
    seed = 5;
    for (int i = 0; i < models; i++) {
        char text[1200];
        orbit_case a, b;
        belt m = draw(i);
        write_model(&m, (units){1, 1, 1}, text, sizeof text);
        orbit_parse(&a, text);
        orbit_seek(&a, NULL);
        found += a.view->found;
        unstable += a.view->found && !a.view->stability.stable;
        for (int k = 0; k < 5; k++) {
            write_model(&m, other[k], text, sizeof text);
            orbit_parse(&b, text);
            orbit_seek(&b, NULL);
            compare(text, a.view, b.view, other[k]);
            orbit_end(&b);
        }
        orbit_end(&a);
    }
    print_message("   %d of %d have orbits, %d unstable\n", found, models, unstable);
    assert_true(found >= models / 3);
}

// Van der Pol's limit cycle has no modes to say how fast it is: period 6.663286859323 for m = 1.
static void units_change_nothing_that_is_said_of_formulas(void **state) {
    (void)state;
    static const double rate[] = {1, 0x1p-20, 0x1p20, 0x1p-40}, start[] = {0.1, 3};
    for (int i = 0; i < 8; i++) {
        char text[500];
        orbit_case c;
        snprintf(
            text, sizeof text,
            "judder: 1\nstructure: {type: piecewise, names: [e], values: [%.17g], r: [\"e*y2\", "
            "\"e*((1 - y1^2)*y2 - y1)\"], linf: [\"0\", \"1\"]}\nstart: {type: values, y: [%g, "
            "0]}\nsimulate: {until: 1}\norbit: {settle: 0}\n",
            rate[i % 4], start[i / 4]);
        orbit_parse(&c, text);
        orbit_find(&c);
        assert_near(c.view->period * rate[i % 4], 6.663286859323, 1e-9);
        orbit_end(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_change_nothing_that_is_said_of_a_free_motion),
        cmocka_unit_test(units_change_nothing_that_is_said_of_waves),
        cmocka_unit_test(units_change_nothing_that_is_said_of_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
