// wave_speeds.c -- rods of different wave speed: welded end to end, rubbing along a span.
#include "draws.h"
#include "how_many.h"
#include "wave_case.h"

static char text[3000];

// ---- Two rods end to end, held together by a friction that never gives way.

typedef struct weld {
    int n[2]; // steps of each
    double dt, c[2], ea[2], duration, force;
} weld;

static weld draw_weld(void) {
    weld q = {.n = {20 + pick(60), 20 + pick(60)}, .dt = decades(-6, -3)};
    for (int b = 0; b < 2; b++) {
        q.c[b] = decades(2, 4);
        q.ea[b] = decades(2, 8);
    }
    q.duration = (2 + pick(10)) * q.dt;
    q.force = mixed(-1, 1) * 1e-3 * q.ea[0];
    return q;
}

static const char *write_weld(const weld *q) {
    double l[2], rho[2];
    for (int b = 0; b < 2; b++) {
        l[b] = q->n[b] * q->dt * q->c[b];
        rho[b] = q->ea[b] / (q->c[b] * q->c[b]);
    }
    snprintf(text, sizeof text,
             "judder: 1\n"
             "bodies:\n"
             "  a: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
             "      supports: {left: free, right: free}, points: {head: 0, tip: %.17g}}\n"
             "  b: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
             "      supports: {left: free, right: free}, points: {head: 0}}\n"
             "contacts: {weld: {at: a.tip, against: b.head, law: {type: coulomb, limit: %.17g}}}\n"
             "drives: {hammer: {at: a.head, type: pulse, shape: half-sine, amplitude: %.17g, "
             "duration: %.17g}}\n"
             "simulate: {engine: wave, until: %.17g, nodes: %d}\n",
             l[0], q->ea[0], rho[0], l[0], l[1], q->ea[1], rho[1], 1e9 * fabs(q->force), q->force,
             q->duration, 1e4 * q->dt, q->n[0] + 1);
    return text;
}

// Impulse of the blow until a time.
static double given(const weld *q, double t) {
    double pi = acos(-1), x = fmin(fmax(t / q->duration, 0), 1);
    return q->force * q->duration / pi * (1 - cos(pi * x));
}

// Incident g(t - x/c)/Z, reflected R g(t - (2 L - x)/c)/Z, transmitted T g/Z.
static void a_welded_joint_reflects_and_transmits_exactly(void **state) {
    (void)state;
    double worst = 0;
    for (int k = 0, count = how_many(60, 10); k < count; k++) {
        weld q = draw_weld();
        double z[2] = {q.ea[0] / q.c[0], q.ea[1] / q.c[1]};
        double back = (z[0] - z[1]) / (z[0] + z[1]), on = 2 * z[0] / (z[0] + z[1]);
        double most = fabs(given(&q, HUGE_VAL)) / z[0] * fmax(1, on);
        int last = q.n[0] + (q.n[0] < q.n[1] ? q.n[0] : q.n[1]);
        wave_case w;
        wave_begin(&w, write_weld(&q));
        for (int step = 1; step <= last; step++) {
            jd_body_field a, b;
            double t = step * q.dt;
            wave_go(&w, t * (1 - 1e-12));
            assert_true(jd_run_body(w.run, 0, &a) && jd_run_body(w.run, 1, &b));
            for (int i = 0; i < a.n; i++) {
                double exact =
                    given(&q, t - i * q.dt) + back * given(&q, t - (2 * q.n[0] - i) * q.dt);
                worst = fmax(worst, fabs(a.displacement[i] - exact / z[0]) / most);
            }
            for (int i = 0; i < b.n; i++) {
                double exact = on * given(&q, t - (q.n[0] + i) * q.dt);
                worst = fmax(worst, fabs(b.displacement[i] - exact / z[0]) / most);
            }
        }
        wave_close(&w);
    }
    print_message("welded joint: off by %.1e of the largest displacement\n", worst);
    assert_near(worst, 0, 1e-12);
}

// ---- Along a span, beside the engine that keeps one of the rods in modes.

static const char *rubbing(const char *engine, double ea, double rho, double omega) {
    snprintf(text, sizeof text,
             "judder: 1\n"
             "bodies:\n"
             "  pile: {type: rod, length: 50, axial_stiffness: 1e6, mass_per_length: 1,\n"
             "         supports: {left: free, right: free}, points: {head: 0, third: 16.5, tip: "
             "50}}\n"
             "  sleeve: {type: rod, length: 50, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
             "           modes: 60, supports: {left: free, right: fixed}}\n"
             "contacts: {shaft: {at: {body: pile, span: [25, 50]}, against: {body: sleeve, span: "
             "[0, 25]}, law: {type: coulomb, limit: 0.6}}}\n"
             "drives: {hammer: {at: pile.head, type: harmonic, amplitude: 20, frequency: %.17g}}\n"
             "simulate: {engine: %s, until: 1, nodes: 304}\n",
             ea, rho, omega, engine);
    return text;
}

enum { TIMES = 40 };
static void motion(const char *engine, double ea, double rho, double omega, double (*u)[3]) {
    static const char *const name[] = {"pile.head", "pile.third", "pile.tip"};
    wave_case w;
    double v[3];
    wave_begin(&w, rubbing(engine, ea, rho, omega));
    for (int i = 0, index; i < 3; i++)
        assert_int_equal(jd_run_probe(w.run, name[i], &index), JD_OK);
    for (int k = 0; k < TIMES; k++) {
        double t = (k + 1) / (double)TIMES;
        jd_step step;
        do assert_int_equal(jd_run_advance(w.run, t, &step), JD_OK);
        while (step == JD_STEP_EVENT);
        jd_run_observe(w.run, t, u[k], v);
    }
    wave_close(&w);
}

static void along_a_span_it_is_that_of_the_event_driven_engine(void **state) {
    (void)state;
    const double rod[][2] = {{1e10, 2e3}, {9e6, 4}, {1e8, 437}, {3e7, 90}};
    for (int k = 0; k < 4; k++) {
        double one[TIMES][3], two[TIMES][3], off = 0, most = 0;
        motion("wave", rod[k][0], rod[k][1], 20, one);
        motion("taylor", rod[k][0], rod[k][1], 20, two);
        for (int t = 0; t < TIMES; t++)
            for (int i = 0; i < 3; i++) {
                off = fmax(off, fabs(one[t][i] - two[t][i]));
                most = fmax(most, fabs(two[t][i]));
            }
        print_message("sleeve at %.4g m/s: %.1e of max|u| from taylor\n",
                      sqrt(rod[k][0] / rod[k][1]), off / most);
        assert_near(off / most, 0, 1e-3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_welded_joint_reflects_and_transmits_exactly),
        cmocka_unit_test(along_a_span_it_is_that_of_the_event_driven_engine)};
    return cmocka_run_group_tests_name("wave_speeds", tests, NULL, NULL);
}
