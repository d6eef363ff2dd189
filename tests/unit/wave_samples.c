// wave_samples.c -- what samples of rods say: velocities and axial forces of their own time, slips
// of cells that move, errors that are not exceeded.
#include "draws.h"
#include "how_many.h"
#include "wave_case.h"

static char text[4000];

static double half_sine(double t, double force, double duration) {
    return t > 0 && t < duration ? force * sin(acos(-1) * t / duration) : 0;
}

// A blow of half a sine on a free rod: v = P/Z and N = -P at the head, N = -P(t - x/c) on the way.
// Samples lie between steps; what is a step late is off by pi dt/T.
static void velocities_and_forces_are_those_of_their_time(void **state) {
    (void)state;
    double late = 0, force = 0, way = 0;
    for (int k = 0, count = how_many(30, 8); k < count; k++) {
        double length = mixed(5, 50), ea = decades(6, 10), rho = decades(1, 3), c = sqrt(ea / rho);
        int n = 100 + pick(200);
        double dt = length / (n - 1) / c, duration = (20 + pick(30)) * dt, p = decades(3, 7);
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: "
                 "%.17g, supports: {left: free, right: free}, points: {head: 0, part: %.17g}}\n"
                 "drives: {hammer: {at: head, type: pulse, shape: half-sine, amplitude: %.17g, "
                 "duration: %.17g}}\n"
                 "simulate: {engine: wave, until: %.17g, nodes: %d}\n"
                 "output: {every: %.17g, points: [head, part]}\n",
                 length, ea, rho, 0.3 * length, p, duration, 1.6 * length / c, n, 0.37 * dt);
        wave_case w = {.context = jd_context_create(NULL)};
        jd_result *result;
        assert_int_equal(
            jd_model_parse(w.context, "m.yaml", ".", text, strlen(text), 0, NULL, &w.problem),
            JD_OK);
        assert_int_equal(jd_result_of_run(w.context, w.problem, &result), JD_OK);
        const jd_columns *s = &jd_result_run(result)->lists.samples;
        const double *t = s->value[0], *v = NULL, *axial = NULL, *part = NULL;
        for (int i = 0; i < s->n_column; i++) {
            if (!strcmp(s->name[i], "head.zv")) v = s->value[i];
            if (!strcmp(s->name[i], "head.axial")) axial = s->value[i];
            if (!strcmp(s->name[i], "part.axial")) part = s->value[i];
        }
        double second = pow(acos(-1) * dt / duration, 2);
        for (int i = 0; i < s->n_row; i++) {
            double now = half_sine(t[i], p, duration), then = t[i] - 0.3 * length / c;
            // corners of the blow smear over two steps
            bool corner = fabs(t[i]) < 1.01 * dt || fabs(t[i] - duration) < 1.01 * dt;
            bool corner_there = fabs(then) < 2.01 * dt || fabs(then - duration) < 2.01 * dt;
            if (!corner) late = fmax(late, fabs(v[i] - now) / p / second);
            if (!corner) force = fmax(force, fabs(axial[i] + now) / p / second);
            if (!corner_there)
                way = fmax(way, fabs(part[i] + half_sine(then, p, duration)) / p / second);
        }
        jd_result_free(result);
        jd_problem_free(w.problem);
        jd_context_free(w.context);
    }
    print_message("of (pi dt/T)^2: Z v %.2f, N at the head %.2f, on the way %.2f\n", late, force,
                  way);
    assert_near(late, 0, 0.35); // 1/6 by the mean of a sine over two steps, 1/8 by straight lines
    assert_near(force, 0, 0.35);
    assert_near(way, 0, 0.6);
}

// A rod that hangs from one end in a sleeve of full friction f, under its weight b and a load from
// `from` on that grows by a straight line from b q0 to b q1 at the free end; z from the support:
//   N(0) = (b - f) L + b s (q0 + q1)/2,  N(L) = 0,  s = L - from
//   EA u(L) = (b - f) L^2/2 + b s ((q0 + q1) from/2 + s (q0/6 + q1/3))
typedef struct hanging {
    double l, ea, b, f, from, q0, q1;
    int n, side; // side 1: from the right end, everything mirrored
} hanging;

static const char *write_hanging(const hanging *h) {
    double s = h->l - h->from, c = sqrt(h->ea), sign = h->side ? -1 : 1;
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: 1,\n"
             "  supports: {left: %s, right: %s}, points: {a: 0, c: %.17g}}\n"
             "contacts: {sleeve: {at: {span: [0, %.17g]}, against: ground, law: {type: coulomb, "
             "limit: %.17g}}}\n"
             "drives:\n"
             "  weight: {at: {span: [0, %.17g]}, type: constant, value: %.17g}\n"
             "  more: {at: {span: [%.17g, %.17g]}, type: constant, value: %.17g,\n"
             "         profile: {at: [0, %.17g], factor: [%.17g, %.17g]}}\n"
             "start: static\n"
             "simulate: {engine: wave, until: %.17g, nodes: %d}\n"
             "output: {every: %.17g, points: [a, c]}\n",
             h->l, h->ea, h->side ? "free" : "fixed", h->side ? "fixed" : "free", h->l, h->l, h->f,
             h->l, sign * h->b, h->side ? 0 : h->from, h->side ? s : h->l, sign * h->b, s,
             h->side ? h->q1 : h->q0, h->side ? h->q0 : h->q1, 3 * h->l / c, h->n, h->l / c / 7);
    return text;
}

static void axial_forces_at_rest_have_all_friction_above_them(void **state) {
    (void)state;
    double force = 0, moved = 0;
    for (int k = 0, count = how_many(40, 10); k < count; k++) {
        hanging h = {.l = decades(-1, 2), .ea = decades(3, 9), .b = decades(0, 4)};
        h.from = mixed(0.1, 0.4) * h.l, h.f = 0.3 * h.b, h.q0 = mixed(0.5, 2), h.q1 = mixed(0.5, 2);
        h.n = 50 + pick(200), h.side = pick(2);
        double s = h.l - h.from, held = (h.b - h.f) * h.l + h.b * s * (h.q0 + h.q1) / 2;
        double end = (h.b - h.f) * h.l * h.l / 2 +
                     h.b * s * ((h.q0 + h.q1) * h.from / 2 + s * (h.q0 / 6 + h.q1 / 3));
        wave_case w = {.context = jd_context_create(NULL)};
        jd_result *result;
        write_hanging(&h);
        if (jd_model_parse(w.context, "m.yaml", ".", text, strlen(text), 0, NULL, &w.problem) ||
            jd_result_of_run(w.context, w.problem, &result))
            fail_msg("%s", jd_context_error(w.context)->message);
        const jd_columns *c = &jd_result_run(result)->lists.samples;
        for (int i = 0; i < c->n_column; i++)
            for (int row = 0; row < c->n_row; row++) {
                bool support = c->name[i][0] == (h.side ? 'c' : 'a');
                double x = c->value[i][row];
                if (!strcmp(c->name[i] + 1, ".axial"))
                    force = fmax(force, fabs(x - (support ? held : 0)) / held);
                if (!strcmp(c->name[i] + 1, ".u") && !support)
                    moved = fmax(moved, fabs(fabs(x) - end / h.ea) / (end / h.ea));
            }
        jd_result_free(result);
        jd_problem_free(w.problem);
        jd_context_free(w.context);
    }
    print_message("at rest: free end off by %.1e, axial forces at both ends by %.1e\n", moved,
                  force);
    assert_near(moved, 0, 1e-12);
    assert_near(force, 0, 1e-10);
}

// Cells at rest on their limit do not slip, whatever rounding says.
static void a_rod_at_rest_on_its_limit_reports_no_slip(void **state) {
    (void)state;
    long slips = 0;
    for (int k = 0, count = how_many(40, 10); k < count; k++) {
        double l = decades(-1, 2), ea = decades(3, 9), b = decades(-3, 4);
        const char *soft = pick(2) ? "" : ", stiffness: 1e4";
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: "
                 "%.17g, supports: {left: free, right: free}}\n"
                 "contacts: {shaft: {at: {span: [%.17g, %.17g]}, against: ground, law: {type: "
                 "coulomb, limit: %.17g%s}}}\n"
                 "drives: {weight: {at: {span: [0, %.17g]}, type: constant, value: %.17g}}\n"
                 "start: static\n"
                 "simulate: {engine: wave, until: 1e9, nodes: %d}\n",
                 l, ea, decades(-2, 4), 0.4 * l, l, (1 + 1e-3 * pick(500)) * b / 0.6, soft, l, b,
                 40 + pick(200));
        wave_case w;
        jd_interface_field f;
        wave_begin(&w, text);
        jd_report r;
        jd_run_report(w.run, &r);
        wave_go(&w, 3000 * r.grid.time_step);
        assert_true(jd_run_interface(w.run, 0, &f));
        slips += f.slip + f.stick + f.reversal;
        wave_close(&w);
    }
    assert_int_equal(slips, 0);
}

// ---- The stated error, beside a grid ten times as fine.

static const char *write_pair(double c, double rho, double limit, const char *drive, int nodes,
                              bool estimate) {
    snprintf(
        text, sizeof text,
        "judder: 1\n"
        "bodies:\n"
        "  pile: {type: rod, length: 50, axial_stiffness: 1e6, mass_per_length: 1,\n"
        "         supports: {left: free, right: free}, points: {head: 0, part: 16.5, tip: 50}}\n"
        "  sleeve: {type: rod, length: 40, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
        "           supports: {left: free, right: fixed}}\n"
        "contacts: {shaft: {at: {body: pile, span: [25, 50]}, against: {body: sleeve, span: "
        "[0, 25]}, law: {type: coulomb, limit: %.17g}}}\n"
        "drives: {hammer: {at: pile.head, %s}}\n"
        "simulate: {engine: wave, until: 0.15, nodes: %d%s}\n",
        1e6 * rho * c * c, rho, limit, drive, nodes, estimate ? ", error_estimate: true" : "");
    return text;
}

enum { LOOKS = 15 };
static double watch(double (*u)[3]) {
    static const char *const name[] = {"pile.head", "pile.part", "pile.tip"};
    wave_case w;
    double v[3];
    jd_report r;
    wave_begin(&w, text);
    for (int i = 0, index; i < 3; i++)
        assert_int_equal(jd_run_probe(w.run, name[i], &index), JD_OK);
    for (int k = 0; k < LOOKS; k++) {
        wave_go(&w, 0.01 * (k + 1));
        jd_run_observe(w.run, 0.01 * (k + 1), u[k], v);
    }
    jd_run_report(w.run, &r);
    wave_close(&w);
    return r.grid.error;
}

static void the_stated_error_is_not_exceeded(void **state) {
    (void)state;
    static const char *const drive[] = {
        "type: harmonic, amplitude: 20, frequency: 60",
        "type: harmonic, amplitude: 20, frequency: 150",
        "type: pulse, amplitude: 20, duration: 0.0113",
        "type: pulse, shape: half-sine, amplitude: 20, duration: 0.02"};
    double least = HUGE_VAL, most = 0;
    for (int k = 0, count = how_many(20, 8); k < count; k++) {
        double c = mixed(1.05, 3), rho = decades(-0.5, 3), limit = mixed(0.2, 1.5);
        int nodes = 50 + pick(40);
        double u[LOOKS][3], exact[LOOKS][3], error = 0;
        write_pair(c, rho, limit, drive[k % 4], nodes, true);
        double stated = watch(u);
        write_pair(c, rho, limit, drive[k % 4], 10 * (nodes - 1) + 1, false);
        watch(exact);
        for (int i = 0; i < LOOKS; i++)
            for (int j = 0; j < 3; j++) error = fmax(error, fabs(u[i][j] - exact[i][j]));
        least = fmin(least, stated / error);
        most = fmax(most, stated / error);
    }
    print_message("stated error: %.1f to %.1f times the real one\n", least, most);
    assert_true(least > 1);
    assert_true(most < 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_and_forces_are_those_of_their_time),
        cmocka_unit_test(axial_forces_at_rest_have_all_friction_above_them),
        cmocka_unit_test(a_rod_at_rest_on_its_limit_reports_no_slip),
        cmocka_unit_test(the_stated_error_is_not_exceeded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
