// plane.c -- friction in a plane: straight motions are those of one direction, a turned plane moves
// alike, energies balance, a return mapping with small steps comes closer and closer, and what is
// refused.
#include <math.h>
#include <string.h>

#include "draws.h"
#include "judder/judder.h"
#include "model_case.h"

enum { EVENTS = 2000, MODES = 3 };

typedef struct seen {
    int n;
    double t[EVENTS], u[2], v[2], force[2], residual;
    bool certified;
    double tolerance;
} seen;

static void run_model(const char *text, double until, seen *out) {
    jd_context *context = jd_context_create(NULL);
    jd_problem *p = NULL;
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    jd_report report;
    jd_status s = jd_model_parse(context, "m.yaml", ".", text, strlen(text), 0, NULL, &p);
    if (s == JD_OK) s = jd_run_create(context, p, &run);
    if (s != JD_OK) fail_msg("%s\n%s", jd_context_error(context)->message, text);
    out->n = 0;
    while (step == JD_STEP_EVENT && out->n < EVENTS) {
        assert_int_equal(jd_run_advance(run, until, &step), JD_OK);
        if (step != JD_STEP_EVENT) break;
        // letters of the second direction and changes of sign are not counted
        const jd_event *e = jd_run_event(run);
        bool sticks = e->to == JD_CONTACT_STUCK, leaves = e->from == JD_CONTACT_STUCK;
        if (e->contact == 0 && (sticks || leaves)) out->t[out->n++] = e->t;
    }
    if (step != JD_STEP_TIME) {
        jd_run_report(run, &report);
        fail_msg("stopped at %g: %s\n%s", report.t, jd_stop_name(report.stop), text);
    }
    jd_run_observe_contacts(run, until, out->u, out->v, out->force);
    jd_run_report(run, &report);
    out->residual = fabs(report.ledger.residual);
    out->certified = report.certificate.certified;
    out->tolerance = report.certificate.tolerance;
    jd_run_free(run);
    jd_problem_free(p);
    jd_context_free(context);
}

// A node with the directions x and y in three modes, turned by an angle, and a drive along x and
// one along y before the turn.
typedef struct plane {
    double omega[MODES], x[MODES], y[MODES], R[2], k[2], F[2], W[2], start[MODES];
} plane;

static plane draw(bool circle) {
    plane p;
    for (int i = 0; i < MODES; i++) {
        p.omega[i] = 0.6 + i + mixed(0, 0.7);
        p.x[i] = mixed(-1, 1);
        p.y[i] = mixed(-1, 1);
        p.start[i] = mixed(-1, 1);
    }
    for (int c = 0; c < 2; c++) {
        p.R[c] = c && circle ? p.R[0] : mixed(0.1, 0.5);
        p.k[c] = c && circle ? p.k[0] : mixed(2, 12);
        p.F[c] = mixed(-1, 1);
        p.W[c] = mixed(0.5, 2.5);
    }
    return p;
}

static void write_plane(const plane *p, double angle, char *text, size_t size) {
    double c = cos(angle), s = sin(angle);
    char shape[2][200];
    for (int r = 0; r < 2; r++) {
        double row[MODES];
        for (int i = 0; i < MODES; i++)
            row[i] = r ? s * p->x[i] + c * p->y[i] : c * p->x[i] - s * p->y[i];
        snprintf(shape[r], sizeof shape[r], "[%.17g, %.17g, %.17g]", row[0], row[1], row[2]);
    }
    snprintf(
        text, size,
        "judder: 1\nstructure: {type: modes, omega: [%.17g, %.17g, %.17g], ratio: [0.01, 0.01, "
        "0.01], shapes: {a: %s, b: %s}}\n"
        "contacts:\n  one: {at: a, law: {type: coulomb, limit: %.17g, stiffness: %.17g}}\n"
        "  two: {at: b, law: {type: coulomb, limit: %.17g, stiffness: %.17g, with: one}}\n"
        "drives:\n  f: {type: harmonic, at: {direction: {a: %.17g, b: %.17g}}, amplitude: "
        "%.17g, frequency: %.17g}\n"
        "  g: {type: harmonic, at: {direction: {a: %.17g, b: %.17g}}, amplitude: %.17g, "
        "frequency: %.17g}\n"
        "start: {type: state, of: modes, displacement: [%.17g, %.17g, %.17g]}\n"
        "simulate: {until: 100}\n",
        p->omega[0], p->omega[1], p->omega[2], shape[0], shape[1], p->R[0], p->k[0], p->R[1],
        p->k[1], c, s, p->F[0], p->W[0], -s, c, p->F[1], p->W[1], p->start[0], p->start[1],
        p->start[2]);
}

static void a_straight_motion_is_that_of_one_direction(void **state) {
    (void)state;
    static seen a, b;
    double worst = 0;
    long events = 0;
    seed = 4;
    for (int i = 0; i < 20; i++) {
        double angle = mixed(0.1, 6), w = mixed(0.5, 2), R = mixed(0.1, 0.5), k = mixed(1, 9);
        double W = mixed(0.5, 2.5), c = cos(angle), s = sin(angle);
        char text[2000];
        snprintf(
            text, sizeof text,
            "judder: 1\nstructure: {type: modes, omega: [%.17g, %.17g], ratio: [0.02, 0.02], "
            "shapes: {a: [1, 0], b: [0, 1]}}\n"
            "contacts:\n  one: {at: a, law: {type: coulomb, limit: %.17g, stiffness: "
            "%.17g}}\n  two: {at: b, law: {type: coulomb, limit: %.17g, stiffness: %.17g, "
            "with: one}}\n"
            "drives: {f: {type: harmonic, at: {direction: {a: %.17g, b: %.17g}}, amplitude: 1, "
            "frequency: %.17g}}\nsimulate: {until: 100}\n",
            w, w, R, k, R, k, c, s, W);
        run_model(text, 30, &a);
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: modes, omega: [%.17g], ratio: [0.02], shapes: {a: "
                 "[1]}}\ncontacts: {one: {at: a, law: {type: coulomb, limit: %.17g, stiffness: "
                 "%.17g}}}\n"
                 "drives: {f: {type: harmonic, at: a, amplitude: 1, frequency: %.17g}}\nsimulate: "
                 "{until: 100}\n",
                 w, R, k, W);
        run_model(text, 30, &b);
        assert_true(b.certified);
        if (a.n != b.n) fail_msg("model %d: %d changes and %d", i, a.n, b.n);
        for (int e = 0; e < a.n; e++) worst = fmax(worst, fabs(a.t[e] - b.t[e]));
        worst = fmax(worst, fabs(a.u[0] - c * b.u[0]) + fabs(a.u[1] - s * b.u[0]));
        worst = fmax(worst, fabs(a.force[0] - c * b.force[0]) + fabs(a.force[1] - s * b.force[0]));
        assert_true(!a.certified || a.n == 0);
        events += a.n;
    }
    print_message("straight: %ld changes, off by %.1e\n", events, worst);
    assert_true(events > 100 && worst < 1e-11); // measured 8e-14
}

static void a_turned_plane_moves_alike(void **state) {
    (void)state;
    static seen a, b;
    double worst = 0, energy = 0;
    long events = 0;
    seed = 9;
    for (int i = 0; i < 25; i++) {
        plane p = draw(true);
        char text[3000];
        double angle = mixed(0.1, 6), c = cos(angle), s = sin(angle);
        write_plane(&p, 0, text, sizeof text);
        run_model(text, 25, &a);
        write_plane(&p, angle, text, sizeof text);
        run_model(text, 25, &b);
        if (a.n != b.n) fail_msg("model %d: %d changes and %d", i, a.n, b.n);
        for (int e = 0; e < a.n; e++) worst = fmax(worst, fabs(a.t[e] - b.t[e]));
        worst = fmax(worst, fabs(b.u[0] - (c * a.u[0] - s * a.u[1])));
        worst = fmax(worst, fabs(b.u[1] - (s * a.u[0] + c * a.u[1])));
        energy = fmax(energy, fmax(a.residual, b.residual));
        assert_true(a.n == 0 || (!a.certified && a.tolerance > 0));
        events += a.n;
    }
    print_message("turned: %ld changes, off by %.1e, energy by %.1e\n", events, worst, energy);
    assert_true(events > 200);
    assert_true(worst < 1e-11); // measured 3e-14
    assert_true(energy < 1e-12);
}

// Steps h: leapfrog, and the force brought back to its ellipse along the normal of the limit
// (backward Euler of the slider): first order in h, and none of the engine's equations of sliding.
static void march(const plane *p, double until, int steps, double *u) {
    double h = until / steps, q[MODES], v[MODES] = {0}, T[2] = {0, 0}, last[2];
    memcpy(q, p->start, sizeof q);
    for (int c = 0; c < 2; c++) {
        const double *w = c ? p->y : p->x;
        last[c] = w[0] * q[0] + w[1] * q[1] + w[2] * q[2];
    }
    for (int n = 0; n < steps; n++) {
        double t = (n + 0.5) * h, now[2];
        for (int i = 0; i < MODES; i++) q[i] += 0.5 * h * v[i];
        for (int c = 0; c < 2; c++) {
            const double *w = c ? p->y : p->x;
            now[c] = w[0] * q[0] + w[1] * q[1] + w[2] * q[2];
            T[c] += p->k[c] * (now[c] - last[c]);
            last[c] = now[c];
        }
        double m = 0; // T_c/(1 + m k_c/R_c^2) on the limit, by Newton's method from below
        for (int r = 0; r < 50; r++) {
            double f = -1, slope = 0;
            for (int c = 0; c < 2; c++) {
                double k = p->k[c] / (p->R[c] * p->R[c]), x = T[c] / p->R[c] / (1 + m * k);
                f += x * x;
                slope -= 2 * x * x * k / (1 + m * k);
            }
            if (f <= 1e-15) break;
            m -= f / slope;
        }
        for (int c = 0; c < 2; c++) T[c] /= 1 + m * p->k[c] / (p->R[c] * p->R[c]);
        for (int i = 0; i < MODES; i++) {
            double f = -p->omega[i] * p->omega[i] * q[i] - p->x[i] * T[0] - p->y[i] * T[1];
            f += p->x[i] * p->F[0] * sin(p->W[0] * t) + p->y[i] * p->F[1] * sin(p->W[1] * t);
            double d = 2 * 0.01 * p->omega[i];
            v[i] = (v[i] * (1 - 0.5 * h * d) + h * f) / (1 + 0.5 * h * d);
            q[i] += 0.5 * h * v[i];
        }
    }
    for (int c = 0; c < 2; c++) {
        const double *w = c ? p->y : p->x;
        u[c] = w[0] * q[0] + w[1] * q[1] + w[2] * q[2];
    }
}

static void a_return_mapping_comes_closer_and_closer(void **state) {
    (void)state;
    static seen a;
    double worst[2] = {0, 0}, energy = 0;
    seed = 14;
    for (int i = 0; i < 8; i++) {
        plane p = draw(i % 2 == 0);
        char text[3000];
        write_plane(&p, 0, text, sizeof text);
        run_model(text, 8, &a);
        energy = fmax(energy, a.residual);
        for (int r = 0; r < 2; r++) {
            double u[2];
            march(&p, 8, r ? 40000 : 5000, u);
            worst[r] = fmax(worst[r], fmax(fabs(u[0] - a.u[0]), fabs(u[1] - a.u[1])));
        }
    }
    print_message("return mapping: off by %.1e, with eight times the steps by %.1e; energy %.1e\n",
                  worst[0], worst[1], energy);
    assert_true(worst[1] < 1e-4);
    assert_true(worst[1] < 0.25 * worst[0]); // first order or better
    assert_true(energy < 1e-12);
}

#define NODE                                                                                       \
    "judder: 1\nstructure: {type: modes, omega: [1, 2], shapes: {x: [1, 0.2], y: [-0.3, 1]}}\n"    \
    "contacts:\n  one: {at: x, law: {type: coulomb, limit: 1, stiffness: 2}}\n  two: {at: y, "     \
    "law: "

static void what_is_no_plane_is_refused(void **state) {
    static const struct {
        const char *law, *message;
        jd_status status;
    } bad[] = {
        {"{type: coulomb, limit: 1, with: one}", "`with` needs a `stiffness`", JD_OUT_OF_RANGE},
        {"{type: coulomb, limit: 1, stiffness: 1, with: tree}", "no contact named `tree`",
         JD_UNKNOWN_NAME},
        {"{type: coulomb, limit: 1, stiffness: 1, with: two}", "is no other direction of a plane",
         JD_WRONG_TYPE},
        {"{type: coulomb, limit: 0, stiffness: 1, with: one}", "`with` needs a `limit`",
         JD_OUT_OF_RANGE},
        {"{type: coulomb, limit: 1, static_limit: 2, stiffness: 1, with: one}",
         "`with` needs a `limit`", JD_OUT_OF_RANGE},
        {"{type: coulomb, limit: {mean: 1, amplitude: 0.2, frequency: 1}, stiffness: 1, with: one}",
         "is no other direction of a plane", JD_WRONG_TYPE}, // the other one does not swing
    };
    model_case *m = *state;
    char text[1000];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, NODE "%s}\n", bad[i].law);
        jd_status got = model_parse(m, text, NULL);
        const jd_error *e = jd_context_error(m->context);
        if (got != bad[i].status) fail_msg("%s: %s", bad[i].law, e->message);
        says("message", e->message, bad[i].message);
    }
    static const char law[] = "{type: coulomb, limit: 1, stiffness: 1, with: one}";
    snprintf(text, sizeof text, NODE "%s}\nsimulate: {until: 1, engine: exact}\n", law);
    reads(m, text, NULL);
    jd_run *run = NULL;
    assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_NOT_SUPPORTED);
    says("message", jd_context_error(m->context)->message, "exact");
    snprintf(text, sizeof text,
             NODE "%s}\ndrives: {f: {type: harmonic, at: x, amplitude: 1, frequency: 1}}\n", law);
    reads(m, text, NULL);
    jd_orbit *orbit = NULL;
    assert_int_equal(jd_orbit_create(m->context, m->problem, NULL, &orbit), JD_NOT_SUPPORTED);
    says("message", jd_context_error(m->context)->message, "small changes are not computed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_motion_is_that_of_one_direction),
        cmocka_unit_test(a_turned_plane_moves_alike),
        cmocka_unit_test(a_return_mapping_comes_closer_and_closer),
        MODEL_TEST(what_is_no_plane_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
