// memory_bodies_drawn.c -- two or three strings with all their modes that rub on each other and on
// belts, drawn in every respect, against their equation with memory (volterra.h). JD_DRAWS=60 draws
// more.
#include <math.h>

#include "contact/state.h"
#include "draws.h"
#include "how_many.h"
#include "memory_case.h"
#include "volterra.h"

enum { MODELS = 6 };
static const double apart = 0.02; // places on one body

static bool is_apart(const volterra *w, int n, int body, double x) {
    for (int j = 0; j < n; j++) {
        const volterra_contact *c = &w->contact[j];
        if (c->body == body && fabs(c->x - x) < apart) return false;
        if (c->other && c->other == body && fabs(c->y - x) < apart) return false;
    }
    return true;
}

static double draw_place(const volterra *w, int n, int body) {
    double x = mixed(0.05, 0.95);
    while (!is_apart(w, n, body, x)) x = mixed(0.05, 0.95);
    return x;
}

// The first contact rubs between bodies 0 and 1, the second (three bodies) between 1 and 2 or 0 and
// 2; others are drawn.
static void draw_contact(volterra *w, int i, double size) {
    volterra_contact *c = &w->contact[i];
    bool between = i + 1 < w->n_body || pick(2);
    int body = i == 0 ? 0 : pick(w->n_body - 1), other = w->n_body - 1;
    if (i == 0) other = 1;
    if (!between) body = pick(w->n_body);
    *c = (volterra_contact){.body = body, .other = between ? other : 0};
    c->x = draw_place(w, i, body);
    if (between) c->y = draw_place(w, i, other);
    if (!between) c->belt = mixed(-0.6, 0.6) * size;
    c->limit = decades(-1, 0) * size;
    if (pick(2)) { // gamma is at most 1/(2 z), z >= 0.5
        c->drop = mixed(0.05, 0.5) * c->limit;
        c->decay = mixed(0.1, 0.4) / (c->drop * (between ? 2 : 1));
    }
    if (pick(3) == 0) c->hold = c->limit * mixed(1.02, 1.5);
}

static void draw(volterra *w) {
    *w = (volterra){.n_body = 2 + pick(2)};
    double size = decades(-0.5, 0.5);
    for (int b = 0; b < w->n_body; b++) {
        volterra_body *s = &w->body[b];
        s->D = decades(-1.5, -0.5);
        s->speed = decades(-0.2, 0.2);
        s->density = decades(0.1, 0.4) / s->speed;
    }
    w->body[0].rate = mixed(-1, 1) * size;
    w->body[0].amplitude = mixed(-1, 1) * size / (volterra_pi * w->body[0].speed);
    w->n = w->n_body - 1 + pick(2);
    for (int i = 0; i < w->n; i++) draw_contact(w, i, size);
    if (pick(2)) return;
    int body = pick(w->n_body);
    w->drive = (volterra_drive){.amplitude = mixed(-1, 1) * size,
                                .omega = mixed(1, 9),
                                .phase = mixed(-3, 3),
                                .body = body};
    w->drive.x = draw_place(w, w->n, body);
}

static int write_bodies(const volterra *w, char *text, size_t size) {
    int at = snprintf(text, size, "judder: 1\nbodies:\n");
    for (int b = 0; b < w->n_body; b++) {
        const volterra_body *s = &w->body[b];
        at += snprintf(text + at, size - (size_t)at,
                       "  b%d: {type: string, length: 1, tension: %.17g, mass_per_length: %.17g, "
                       "modes: infinite, damping: {type: ratio, value: %.17g}, points: {d: %.17g",
                       b, s->density * s->speed * s->speed, s->density, s->D,
                       w->drive.amplitude != 0 ? w->drive.x : 0.5);
        for (int i = 0; i < w->n; i++) {
            const volterra_contact *c = &w->contact[i];
            if (c->body == b) at += snprintf(text + at, size - (size_t)at, ", p%d: %.17g", i, c->x);
            if (c->other && c->other == b)
                at += snprintf(text + at, size - (size_t)at, ", q%d: %.17g", i, c->y);
        }
        at += snprintf(text + at, size - (size_t)at, "}}\n");
    }
    return at;
}

static void write_model(const volterra *w, double until, char *text, size_t size) {
    const volterra_body *b = &w->body[0];
    double n = sqrt(2 / b->density) * sin(volterra_pi * w->contact[0].x);
    int at = write_bodies(w, text, size);
    if (w->drive.amplitude != 0)
        at += snprintf(text + at, size - (size_t)at,
                       "drives: {push: {at: b%d.d, type: harmonic, amplitude: %.17g, frequency: "
                       "%.17g, phase: %.17g}}\n",
                       w->drive.body, w->drive.amplitude, w->drive.omega, w->drive.phase);
    at += snprintf(text + at, size - (size_t)at, "contacts:\n");
    for (int i = 0; i < w->n; i++) {
        const volterra_contact *c = &w->contact[i];
        char against[64], hold[64] = "";
        snprintf(against, sizeof against, "b%d.q%d", c->other, i);
        if (!c->other) snprintf(against, sizeof against, "{velocity: %.17g}", c->belt);
        if (c->hold > 0) snprintf(hold, sizeof hold, ", static_limit: %.17g", c->hold);
        at +=
            snprintf(text + at, size - (size_t)at,
                     "  c%d: {at: b%d.p%d, against: %s, law: {type: stribeck, limit: %.17g, drop: "
                     "%.17g, decay: %.17g%s}}\n",
                     i, c->body, i, against, c->limit, c->drop, fmax(c->decay, 1e-3), hold);
    }
    snprintf(text + at, size - (size_t)at,
             "start: {type: lift, mode: 1, point: b0.p0, displacement: %.17g, velocity: %.17g}\n"
             "simulate: {engine: memory, until: %.17g, ledger: false}\n",
             n * b->amplitude, n * b->rate, until);
}

// Largest error of an event time.
static double error_of(const char *text, const volterra *w, double until, double tolerance) {
    char to[64];
    snprintf(to, sizeof to, "simulate.tolerance=%.17g", tolerance);
    motion *m = motion_of(text, until, SETS(to));
    double worst = m->n == w->n_event ? 0 : HUGE_VAL;
    for (int k = 0; k < m->n && k < w->n_event; k++) {
        int state = jd_contact_sign(m->event[k].to);
        bool same = m->event[k].contact == w->event[k].contact && state == w->event[k].state;
        worst = fmax(worst, same ? fabs(m->event[k].t - w->event[k].t) : HUGE_VAL);
    }
    if (!isfinite(worst)) print_message("   %d events, not %d\n", m->n, w->n_event);
    motion_close(m);
    return worst;
}

// tolerance 0: drawn, too.
static double one_model(int i, double tolerance, int *events) {
    static char text[4096];
    volterra w;
    seed = 3000 + (unsigned long long)i;
    draw(&w);
    double until = w.n > 2 ? 1.2 : 1.8;
    if (tolerance == 0) tolerance = decades(-9, -4);
    volterra_run(&w, until);
    write_model(&w, until, text, sizeof text);
    double share = error_of(text, &w, until, tolerance) / tolerance;
    print_message("   %2d: %d bodies, %d contacts, %s, %2d events, 1e%.1f: %.3f\n", i, w.n_body,
                  w.n, w.drive.amplitude != 0 ? "driven" : "free  ", w.n_event, log10(tolerance),
                  share);
    if (!(share < 3)) printf("%s\n", text);
    *events += w.n_event;
    volterra_free(&w);
    return share;
}

static void bodies_that_rub_on_each_other_keep_their_tolerance(void **state) {
    (void)state;
    double most = 0;
    int events = 0, from = getenv("JD_SEED") ? atoi(getenv("JD_SEED")) : 0;
    for (int i = from; i < from + how_many(MODELS, 3); i++)
        most = fmax(most, one_model(i, 0, &events));
    print_message("   %d events, at most %.2f tolerances\n", events, most);
    assert_true(events > 6);
    assert_true(most < 10);
}

// Three strings of unlike damping: with the poles of all of them at every contact residues would be
// a million times the velocity, and tolerances below 1e-9 would never be reached.
static void bodies_are_fitted_one_by_one(void **state) {
    (void)state;
    int events = 0;
    double most = fmax(one_model(6, 1e-10, &events), one_model(9, 1e-10, &events));
    assert_true(events > 6);
    assert_true(most < 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_that_rub_on_each_other_keep_their_tolerance),
        cmocka_unit_test(bodies_are_fitted_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
