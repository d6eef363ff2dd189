// memory_variations.c -- strings with all their modes drawn in every respect, against their
// equation with memory (volterra.h): one to four contacts anywhere and in any order, friction that
// is constant, falls (as an exponential or along a table) or holds more while stuck, belts both
// ways, drives of any place, phase and frequency, starts, damping, units, tolerances. JD_DRAWS=60
// draws more.
#include <math.h>

#include "draws.h"
#include "how_many.h"
#include "memory_case.h"
#include "volterra.h"

enum { MODELS = 10 };
static const double apart = 0.02; // places, of the length
static double fastest;            // end of tables of friction

// Units of length, mass and time in which the model is written; the reference has length 1.
typedef struct units {
    double length, mass, time;
} units;

static bool is_apart(const volterra *w, int i, double x) {
    for (int j = 0; j < i; j++)
        if (fabs(w->contact[j].x - x) < apart) return false;
    return true;
}

// A third of the contacts hold more while stuck; a third of those whose friction changes have a
// straight line of it, a table up to a speed that none reaches.
static void draw_levels(volterra *w, double size) {
    fastest = 8 * size;
    for (int i = 0; i < w->n; i++) {
        volterra_contact *c = &w->contact[i];
        if (pick(3) == 0) c->hold = c->limit * mixed(1.02, 1.6);
        if (c->drop == 0 || pick(3)) continue;
        c->slope = c->limit * mixed(-1, 4) / fastest;
        c->drop = c->decay = 0;
    }
}

// Slopes of friction are at most 0.6/gamma, so that forces are unique.
static void draw(volterra *w) {
    *w = (volterra){.D = decades(-2.3, -0.5),
                    .speed = decades(-0.3, 0.3),
                    .density = decades(-0.3, 0.5),
                    .n = 1 + pick(4)};
    double size = decades(-0.5, 0.5), z = w->density * w->speed; // speed of the motion; impedance
    w->rate = mixed(-1, 1) * size * sqrt(w->density / 2);
    w->amplitude = mixed(-1, 1) * size * sqrt(w->density / 2) / (volterra_pi * w->speed);
    for (int i = 0; i < w->n; i++) {
        volterra_contact *c = &w->contact[i];
        do c->x = mixed(0.03, 0.97);
        while (!is_apart(w, i, c->x));
        c->belt = pick(3) ? mixed(-0.6, 0.6) * size : 0;
        c->limit = decades(-1, 0) * z * size;
        if (pick(2) && w->D > 0.02) { // constant forces are cheap for the reference
            c->drop = mixed(0.05, 0.5) * c->limit;
            c->decay = mixed(0.1, 0.6) * 2 * z / c->drop;
        }
    }
    draw_levels(w, size);
    if (pick(2)) return;
    w->drive = (volterra_drive){.amplitude = mixed(-1, 1) * z * size,
                                .omega = mixed(0.3, 3) * volterra_pi * w->speed,
                                .phase = mixed(-3, 3)};
    do w->drive.x = mixed(0.05, 0.95);
    while (!is_apart(w, w->n, w->drive.x));
}

static void write_law(const volterra_contact *c, double v, double F, char *text, size_t size) {
    int at = c->slope != 0
                 ? snprintf(text, size, "type: table, velocity: [0, %.17g], force: [%.17g, %.17g]",
                            fastest * v, c->limit * F, (c->limit + c->slope * fastest) * F)
                 : snprintf(text, size, "type: stribeck, limit: %.17g, drop: %.17g, decay: %.17g",
                            c->limit * F, c->drop * F, fmax(c->decay, 1e-3) / v);
    if (c->hold > 0) snprintf(text + at, size - (size_t)at, ", static_limit: %.17g", c->hold * F);
}

static void write_model(const volterra *w, units u, double until, char *text, size_t size) {
    double v = u.length / u.time, F = u.mass * v / u.time,
           shape = sin(volterra_pi * w->contact[0].x);
    double mass = w->density * u.mass / u.length, n = sqrt(2 / w->density);
    int at = snprintf(text, size,
                      "judder: 1\nstructure: {type: string, length: %.17g, tension: %.17g, "
                      "mass_per_length: %.17g, modes: infinite, damping: {type: ratio, value: "
                      "%.17g}, points: {d: %.17g",
                      u.length, mass * pow(w->speed * v, 2), mass, w->D,
                      (w->drive.amplitude != 0 ? w->drive.x : 0.5) * u.length);
    for (int i = 0; i < w->n; i++)
        at += snprintf(text + at, size - (size_t)at, ", p%d: %.17g", i, w->contact[i].x * u.length);
    at += snprintf(text + at, size - (size_t)at, "}}\n");
    if (w->drive.amplitude != 0)
        at += snprintf(text + at, size - (size_t)at,
                       "drives: {push: {at: d, type: harmonic, amplitude: %.17g, frequency: %.17g, "
                       "phase: %.17g}}\n",
                       w->drive.amplitude * F, w->drive.omega / u.time, w->drive.phase);
    at += snprintf(text + at, size - (size_t)at, "contacts:\n");
    for (int i = 0; i < w->n; i++) {
        char law[256];
        write_law(&w->contact[i], v, F, law, sizeof law);
        at += snprintf(text + at, size - (size_t)at,
                       "  c%d: {at: p%d, against: {velocity: %.17g}, law: {%s}}\n", i, i,
                       w->contact[i].belt * v, law);
    }
    snprintf(text + at, size - (size_t)at,
             "start: {type: lift, mode: 1, point: p0, displacement: %.17g, velocity: %.17g}\n"
             "simulate: {engine: memory, until: %.17g, ledger: false}\n",
             n * shape * w->amplitude * u.length, n * shape * w->rate * v, until * u.time);
}

// Largest error of an event time, over the time that a wave takes from end to end.
static double error_of(const char *text, const volterra *w, units u, double until,
                       double tolerance) {
    char to[64];
    snprintf(to, sizeof to, "simulate.tolerance=%.17g", tolerance);
    motion *m = motion_of(text, until * u.time, SETS(to));
    double worst = m->n == w->n_event ? 0 : HUGE_VAL;
    for (int k = 0; k < m->n && k < w->n_event; k++) {
        char letter = jd_contact_letter(m->event[k].to);
        int state = letter == 'H' ? 0 : letter == '+' ? 1 : -1;
        bool same = m->event[k].contact == w->event[k].contact && state == w->event[k].state;
        double off = fabs(m->event[k].t / u.time - w->event[k].t) * w->speed;
        worst = fmax(worst, same ? off : HUGE_VAL);
    }
    if (!isfinite(worst)) print_message("   %d events, not %d\n", m->n, w->n_event);
    motion_close(m);
    return worst;
}

static const char *levels_of(const volterra *w) {
    for (int i = 0; i < w->n; i++)
        if (w->contact[i].hold > 0) return "static";
    return "plain ";
}

static double one_model(int i, int *events) {
    static char text[4096];
    volterra w;
    draw(&w);
    units u = {decades(-2, 2), decades(-3, 3), decades(-4, 2)};
    double until = (w.n > 2 || w.D < 0.01 ? 0.9 : 1.8) / w.speed, tolerance = decades(-9, -4);
    volterra_run(&w, until);
    write_model(&w, u, until, text, sizeof text);
    double share = error_of(text, &w, u, until, tolerance) / tolerance;
    print_message(
        "   %2d: D %.4f, %d contacts, %s, %s, units %.0e %.0e %.0e, %2d events, 1e%.1f: %.3f\n", i,
        w.D, w.n, w.drive.amplitude != 0 ? "driven" : "free  ", levels_of(&w), u.length, u.mass,
        u.time, w.n_event, log10(tolerance), share);
    if (!(share < 10)) print_message("%s\n", text);
    *events += w.n_event;
    volterra_free(&w);
    return share;
}

static void strings_drawn_in_every_respect_keep_their_tolerance(void **state) {
    (void)state; // measured 0.48; 2.66 in 60 models, 384 events
    double most = 0;
    int events = 0, from = getenv("JD_SEED") ? atoi(getenv("JD_SEED")) : 0;
    for (int i = from; i < from + how_many(MODELS, 3); i++) {
        seed = 1000 + (unsigned long long)i;
        most = fmax(most, one_model(i, &events));
    }
    print_message("   %d events, at most %.2f tolerances\n", events, most);
    assert_true(events > 6);
    assert_true(most < 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_drawn_in_every_respect_keep_their_tolerance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
