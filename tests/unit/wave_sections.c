// wave_sections.c -- rods of sections: modes, transmission at steps, rest under weight, friction
// beside a finite-difference integration, balances.
#include "draws.h"
#include "how_many.h"
#include "wave_case.h"

enum { MOST = 4 };
static char text[4000];

typedef struct stepped {
    int n, steps[MOST]; // sections; whole time steps of each
    double dt, length[MOST], ea[MOST], rho[MOST];
} stepped;

static double speed(const stepped *q, int i) { return sqrt(q->ea[i] / q->rho[i]); }
static double impedance(const stepped *q, int i) { return sqrt(q->ea[i] * q->rho[i]); }

static double total(const stepped *q) {
    double sum = 0;
    for (int i = 0; i < q->n; i++) sum += q->length[i];
    return sum;
}

static stepped draw(int least, int most) {
    stepped q = {.n = 2 + pick(MOST - 1), .dt = decades(-6, -4)};
    for (int i = 0; i < q.n; i++) {
        double c = decades(2.5, 3.8);
        q.steps[i] = least + pick(most - least);
        q.ea[i] = decades(6, 9);
        q.rho[i] = q.ea[i] / (c * c);
        q.length[i] = q.steps[i] * c * q.dt;
    }
    return q;
}

// Keys of the body: its numbers, not its supports and points.
static const char *keys(const stepped *q) {
    static char out[800];
    int at = snprintf(out, sizeof out, "type: stepped-rod, length: %.17g, steps: [", total(q));
    double z = 0;
    for (int i = 0; i + 1 < q->n; i++)
        at += snprintf(out + at, sizeof out - (size_t)at, "%s%.17g", i ? ", " : "",
                       z += q->length[i]);
    at += snprintf(out + at, sizeof out - (size_t)at, "], axial_stiffness: [");
    for (int i = 0; i < q->n; i++)
        at += snprintf(out + at, sizeof out - (size_t)at, "%s%.17g", i ? ", " : "", q->ea[i]);
    at += snprintf(out + at, sizeof out - (size_t)at, "], mass_per_length: [");
    for (int i = 0; i < q->n; i++)
        at += snprintf(out + at, sizeof out - (size_t)at, "%s%.17g", i ? ", " : "", q->rho[i]);
    snprintf(out + at, sizeof out - (size_t)at, "]");
    return out;
}

static int all_steps(const stepped *q) {
    int n = 0;
    for (int i = 0; i < q->n; i++) n += q->steps[i];
    return n;
}

// ---- Modes: u and N go on, both ends, orthonormal; mode k has k zeros inside.

static void stepped_rods_have_their_modes(void **state) {
    (void)state;
    enum { MODES = 12, CUTS = 400 };
    static double phi[MODES][MOST * CUTS];
    double worst = 0, rate = 0;
    for (int k = 0, count = how_many(40, 10); k < count; k++) {
        stepped q = draw(5, 60);
        int at = snprintf(text, sizeof text, "judder: 1\nstructure: {%s, modes: %d, points: {",
                          keys(&q), MODES);
        double z = 0;
        for (int i = 0; i < q.n; z += q.length[i++]) // three points within each section
            for (int j = 1; j <= 3; j++)
                at += snprintf(text + at, sizeof text - (size_t)at, "p%d_%d: %.17g, ", i, j,
                               z + q.length[i] * j / 4);
        snprintf(text + at, sizeof text - (size_t)at, "tip: %.17g}}\n", total(&q));
        wave_case w = {0};
        w.context = jd_context_create(NULL);
        assert_int_equal(
            jd_model_parse(w.context, "m.yaml", ".", text, strlen(text), 0, NULL, &w.problem),
            JD_OK);
        const jd_structure *s = jd_problem_structure(w.problem, 0);
        double omega[MODES], row[MODES];
        assert_int_equal(jd_structure_modes(s), MODES);
        jd_mode mode[MODES];
        jd_structure_mode_list(s, mode);
        for (int m = 0; m < MODES; m++) omega[m] = mode[m].omega;
        // each mode from the left end by the closed form of sections, scaled at the first point
        assert_int_equal(jd_structure_participation(s, "p0_1", row), JD_OK);
        for (int m = 0; m < MODES; m++) {
            double n = omega[m] * impedance(&q, 0), u = 0, before = 0, zeros = 0, scale = 0;
            for (int i = 0; i < q.n; i++) {
                double kappa = omega[m] / speed(&q, i), ni = n, ui = u;
                for (int j = 0; j < CUTS; j++) {
                    double y = kappa * q.length[i] * (j + 0.5) / CUTS;
                    double x = ui * cos(y) + ni / (q.ea[i] * kappa) * sin(y);
                    phi[m][i * CUTS + j] = x;
                    if (before * x < 0) zeros++;
                    before = x;
                }
                double y = kappa * q.length[i];
                u = ui * cos(y) + ni / (q.ea[i] * kappa) * sin(y);
                n = ni * cos(y) - ui * q.ea[i] * kappa * sin(y);
                if (i == 0)
                    scale =
                        row[m] / (sin(0.25 * y) * omega[m] * impedance(&q, 0) / (q.ea[0] * kappa));
            }
            assert_int_equal((int)zeros, m);
            // N at the free end against what a fraction 1e-12 of omega changes there
            rate = fmax(rate, fabs(n * u) / (omega[m] * omega[m]) * scale * scale);
            for (int i = 0; i < q.n * CUTS; i++) phi[m][i] *= scale;
        }
        for (int a = 0; a < MODES; a++)
            for (int b = 0; b <= a; b++) {
                double sum = 0;
                for (int i = 0; i < q.n * CUTS; i++)
                    sum += q.rho[i / CUTS] * q.length[i / CUTS] / CUTS * phi[a][i] * phi[b][i];
                worst = fmax(worst, fabs(sum - (a == b)));
            }
        jd_problem_free(w.problem);
        jd_context_free(w.context);
    }
    print_message("modes: orthonormal to %.1e (quadrature), free end off by %.1e of omega\n", worst,
                  rate);
    assert_near(rate, 0, 1e-12);
    assert_near(worst, 0, 2e-3);
}

// ---- Two sections: incident, reflected and transmitted wave at every node and step.

static double given(double force, double duration, double t) {
    double pi = acos(-1), x = fmin(fmax(t / duration, 0), 1);
    return force * duration / pi * (1 - cos(pi * x));
}

static void a_step_reflects_and_transmits_exactly(void **state) {
    (void)state;
    double worst = 0, forces = 0;
    for (int k = 0, count = how_many(60, 10); k < count; k++) {
        stepped q = draw(20, 60);
        q.n = 2;
        double z[2] = {impedance(&q, 0), impedance(&q, 1)}, duration = (2 + pick(10)) * q.dt;
        double force = mixed(-1, 1) * 1e-3 * q.ea[0];
        double back = (z[0] - z[1]) / (z[0] + z[1]), on = 2 * z[0] / (z[0] + z[1]);
        double most = fabs(given(force, duration, HUGE_VAL)) / z[0] * fmax(1, on);
        int n = q.steps[0], last = n + (n < q.steps[1] ? n : q.steps[1]);
        snprintf(
            text, sizeof text,
            "judder: 1\nstructure: {%s, supports: {left: free, right: free}, points: {head: "
            "0}}\ndrives: {hammer: {at: head, type: pulse, shape: half-sine, amplitude: %.17g, "
            "duration: %.17g}}\nsimulate: {engine: wave, until: %.17g, nodes: %d}\n",
            keys(&q), force, duration, 1e4 * q.dt, all_steps(&q) + 1);
        wave_case w;
        wave_begin(&w, text);
        for (int step = 1; step <= last; step++) {
            jd_body_field f;
            double t = step * q.dt;
            wave_go(&w, t * (1 - 1e-12));
            assert_true(jd_run_body(w.run, 0, &f));
            assert_int_equal(f.n, all_steps(&q) + 1);
            for (int i = 0; i < f.n; i++) {
                double exact = i <= n ? given(force, duration, t - i * q.dt) +
                                            back * given(force, duration, t - (2 * n - i) * q.dt)
                                      : on * given(force, duration, t - i * q.dt);
                worst = fmax(worst, fabs(f.displacement[i] - exact / z[0]) / most);
            }
        }
        jd_report r;
        jd_run_report(w.run, &r);
        forces = fmax(forces, fabs(r.ledger.residual));
        wave_close(&w);
    }
    print_message("step: off by %.1e of the largest displacement, energy by %.1e\n", worst, forces);
    assert_near(worst, 0, 1e-12);
    assert_near(forces, 0, 1e-12);
}

// ---- Hanging from its left end by its weight b_i per length, held back by friction f along all of
// it: N(z) = sum of (b - f) below, EA u' = N.

static void stepped_rods_at_rest_are_the_closed_form(void **state) {
    (void)state;
    double moved = 0, force = 0;
    for (int k = 0, count = how_many(60, 15); k < count; k++) {
        stepped q = draw(4, 40);
        bool fits = pick(2) == 0;
        if (!fits) // sections that are no whole number of steps
            for (int i = 0; i < q.n; i++) q.length[i] *= mixed(1, 1.4);
        double l = total(&q), b[MOST], f = decades(0, 3), z = 0;
        int at = snprintf(text, sizeof text,
                          "judder: 1\nstructure: {%s, supports: {left: fixed, right: free}}\n"
                          "contacts: {shaft: {at: {span: [0, %.17g]}, against: ground, law: {type: "
                          "coulomb, limit: %.17g}}}\ndrives:\n",
                          keys(&q), l, f);
        for (int i = 0; i < q.n; z += q.length[i++]) {
            b[i] = f * mixed(1.1, 5);
            at += snprintf(text + at, sizeof text - (size_t)at,
                           "  w%d: {at: {span: [%.17g, %.17g]}, type: constant, value: %.17g}\n", i,
                           z, i + 1 < q.n ? z + q.length[i] : l, b[i]);
        }
        snprintf(text + at, sizeof text - (size_t)at,
                 "start: static\nsimulate: {engine: wave, until: 1e9, nodes: %d}\n",
                 all_steps(&q) + 1);
        wave_case w;
        wave_begin(&w, text);
        jd_body_field g;
        for (int look = 0; look < 2; look++) { // at the start, and 50 steps on
            assert_true(jd_run_body(w.run, 0, &g));
            double carried = 0, u = 0, from = 0, end = 0;
            for (int i = 0; i < q.n; i++) carried += (b[i] - f) * q.length[i];
            for (int i = 0; i < q.n; i++)
                end += 0.5 * (b[i] - f) * q.length[i] * q.length[i] / q.ea[i];
            for (int i = 0, node = 0; i < q.n; i++) {
                double last = i + 1 < q.n ? from + q.length[i] * (1 + 1e-12) : HUGE_VAL;
                for (; node < g.n && g.position[node] <= last; node++) {
                    double y = g.position[node] - from;
                    double exact = u + (carried * y - 0.5 * (b[i] - f) * y * y) / q.ea[i];
                    double size = fmax(fabs(exact), fabs(end));
                    moved = fmax(moved, fabs(g.displacement[node] - exact) / size);
                }
                u += (carried * q.length[i] - 0.5 * (b[i] - f) * q.length[i] * q.length[i]) /
                     q.ea[i];
                carried -= (b[i] - f) * q.length[i];
                from += q.length[i];
            }
            jd_interface_field c;
            assert_true(jd_run_interface(w.run, 0, &c));
            double sum = 0;
            for (int j = 1; j < c.n; j++) sum += c.force[j];
            double held = f * (l - 0.5 * g.position[1]); // the support takes the first half cell
            if (look == 0) force = fmax(force, fabs(sum + held) / held);
            jd_report r;
            jd_run_report(w.run, &r);
            wave_go(&w, 50 * r.grid.time_step);
        }
        wave_close(&w);
    }
    print_message("at rest: off by %.1e, friction by %.1e\n", moved, force);
    assert_near(moved, 0, 1e-12);
    assert_near(force, 0, 1e-12);
}

// ---- Sections alike are one rod: all that acts on rods.

static void sections_alike_are_one_rod(void **state) {
    (void)state;
    static const char *const body[] = {
        "type: rod, length: 20, axial_stiffness: 3e9, mass_per_length: 225",
        "type: stepped-rod, length: 20, steps: [8, 13], axial_stiffness: [3e9, 3e9, 3e9], "
        "mass_per_length: [225, 225, 225]"};
    static const char *const rest[] = {
        "contacts: {shaft: {at: {span: [10, 20]}, against: ground, law: {type: coulomb, limit: "
        "3e4},"
        " footprint: moving}, toe: {at: tip, against: ground, law: {type: soil, limit: 4e5, quake: "
        "0.0025, damping: 0.5}}}\n",
        "contacts: {shaft: {at: {span: [3, 17]}, against: ground, law: {type: coulomb, limit: 3e4, "
        "static_limit: 5e4, stiffness: 1e8}}}\n",
        "contacts: {shaft: {at: {span: [3, 17]}, against: {velocity: 0.3}, law: {type: coulomb, "
        "limit: 3e4}}, stop: {at: tip, against: ground, law: {type: stop, stiffness: 1e9, gap: "
        "0.001}}}\n",
        "contacts: {shaft: {at: {span: [3, 17]}, against: ground, law: {type: coulomb, limit: "
        "3e4}}}"
        "\n"};
    double worst = 0;
    for (int k = 0; k < 8; k++) {
        double u[2][2], v[2];
        for (int s = 0; s < 2; s++) {
            snprintf(text, sizeof text,
                     "judder: 1\nstructure: {%s, supports: {left: free, right: free}, points: "
                     "{head: 0, tip: 20}%s}\n%s"
                     "drives: {hammer: {at: head, type: pulse, shape: half-sine, amplitude: 2.5e6, "
                     "duration: 0.008}, weight: {at: {span: [2.3, 20]}, type: harmonic, amplitude: "
                     "2e4, frequency: 300}}\n"
                     "simulate: {engine: wave, nodes: 101, until: 0.05}\n",
                     body[s],
                     k % 4 == 3 ? ", damping: {type: rayleigh, mass: 3, stiffness: 1e-5}" : "",
                     rest[k % 4]);
            wave_case w;
            int index;
            wave_begin(&w, text);
            assert_int_equal(jd_run_probe(w.run, "head", &index), JD_OK);
            assert_int_equal(jd_run_probe(w.run, "tip", &index), JD_OK);
            double t = k < 4 ? 0.02 : 0.05;
            wave_go(&w, t);
            jd_run_observe(w.run, t, u[s], v);
            wave_close(&w);
        }
        for (int i = 0; i < 2; i++) worst = fmax(worst, fabs(u[0][i] - u[1][i]) / fabs(u[0][0]));
    }
    print_message("sections alike: off by %.1e\n", worst);
    assert_near(worst, 0, 1e-11);
}

// ---- Friction along a stepped pile, beside leapfrog in place with steps of half h/c.

typedef struct struck {
    double limit, force, last, stiffness;
} struck;

static void integrate(const stepped *q, const struck *p, int n, double until, double *head,
                      double *tip) {
    double l = total(q), h = l / (n - 1), pi = acos(-1), fastest = 0;
    double *u = calloc((size_t)n, sizeof *u), *v = calloc((size_t)n, sizeof *v);
    double *f = calloc((size_t)n, sizeof *f), *mass = calloc((size_t)n, sizeof *mass);
    double *ea = calloc((size_t)n, sizeof *ea), *e = calloc((size_t)n, sizeof *e);
    for (int i = 0; i + 1 < n; i++) { // means over each element: 1/EA, rho
        double soft = 0, rho = 0, from = 0;
        for (int s = 0; s < q->n; from += q->length[s++]) {
            double part = fmin((i + 1) * h, from + q->length[s]) - fmax(i * h, from);
            soft += fmax(part, 0) / q->ea[s];
            rho += fmax(part, 0) * q->rho[s];
        }
        ea[i] = h / soft;
        mass[i] += 0.5 * rho, mass[i + 1] += 0.5 * rho;
        fastest = fmax(fastest, sqrt(ea[i] / rho * h) / h);
    }
    long steps = (long)ceil(until * 2 * fastest);
    double dt = until / (double)steps;
    for (long k = 0; k < steps; k++) {
        double t = ((double)k + 0.5) * dt;
        for (int i = 0; i + 1 < n; i++) f[i] = ea[i] * (u[i + 1] - u[i]) / h;
        for (int i = 0; i < n; i++) {
            double push = (i + 1 < n ? f[i] : 0) - (i > 0 ? f[i - 1] : 0);
            if (i == 0 && t < p->last) push += p->force * sin(pi * t / p->last);
            double free = v[i] + dt * push / mass[i], cell = i > 0 && i < n - 1 ? h : 0.5 * h;
            double in = fmax(fmin((i + 0.5) * h, l) - fmax((i - 0.5) * h, 0.5 * l), 0);
            double most = p->limit * fmin(in, cell);
            if (p->stiffness > 0) { // a spring in series with a slider
                e[i] =
                    fmin(fmax(e[i] + dt * v[i], -p->limit / p->stiffness), p->limit / p->stiffness);
                v[i] = free - dt * fmin(in, cell) * p->stiffness * e[i] / mass[i];
            } else {
                double by = fmin(fmax(-free * mass[i], -most * dt), most * dt);
                v[i] = free + by / mass[i];
            }
        }
        for (int i = 0; i < n; i++) u[i] += dt * v[i];
    }
    *head = u[0], *tip = u[n - 1];
    free(u), free(v), free(f), free(mass), free(ea), free(e);
}

static void friction_on_sections_is_that_of_finite_differences(void **state) {
    (void)state;
    double worst = 0, coarse = 0;
    for (int k = 0, count = how_many(6, 3); k < count; k++) {
        stepped q = draw(4, 12);
        for (int i = 0; i < q.n; i++) { // not too unlike, and no whole steps
            double c = mixed(1000, 3000);
            q.length[i] = mixed(4, 12);
            q.rho[i] = q.ea[i] / (c * c) * mixed(0.5, 2);
        }
        double l = total(&q), time = 0, most = 0, ref[2];
        for (int i = 0; i < q.n; i++) time += q.length[i] / speed(&q, i);
        struck p = {.last = 0.5 * time, .force = 1e-4 * q.ea[0]};
        p.limit = p.force * mixed(0.1, 0.6) / (0.5 * l);
        p.stiffness = k % 2 ? 0 : p.limit / (0.02 * p.force * l / q.ea[0]);
        integrate(&q, &p, 1601, 3 * time, &ref[0], &ref[1]);
        for (int fine = 0; fine < 2; fine++) {
            char soft[80] = "";
            if (p.stiffness > 0) snprintf(soft, sizeof soft, ", stiffness: %.17g", p.stiffness);
            snprintf(text, sizeof text,
                     "judder: 1\nstructure: {%s, supports: {left: free, right: free}, points: "
                     "{head: 0, tip: %.17g}}\n"
                     "contacts: {shaft: {at: {span: [%.17g, %.17g]}, against: ground, law: {type: "
                     "coulomb, limit: %.17g%s}}}\n"
                     "drives: {hammer: {at: head, type: pulse, shape: half-sine, amplitude: %.17g, "
                     "duration: %.17g}}\nsimulate: {engine: wave, nodes: %d, until: %.17g}\n",
                     keys(&q), l, 0.5 * l, l, p.limit, soft, p.force, p.last, fine ? 601 : 101,
                     4 * time);
            wave_case w;
            int index;
            double u[2], v[2];
            wave_begin(&w, text);
            assert_int_equal(jd_run_probe(w.run, "head", &index), JD_OK);
            assert_int_equal(jd_run_probe(w.run, "tip", &index), JD_OK);
            wave_go(&w, 3 * time);
            jd_run_observe(w.run, 3 * time, u, v);
            most = fmax(fabs(ref[0]), fabs(ref[1]));
            double off = fmax(fabs(u[0] - ref[0]), fabs(u[1] - ref[1])) / most;
            *(fine ? &worst : &coarse) = fmax(fine ? worst : coarse, off);
            jd_report r;
            jd_run_report(w.run, &r);
            assert_near(r.ledger.residual, 0, 1e-11);
            wave_close(&w);
        }
    }
    print_message("finite differences: off by %.1e with 101 nodes, %.1e with 601\n", coarse, worst);
    assert_near(worst, 0, 2e-3);
}

// ---- A stepped pile along another stepped rod, which it moves along: momentum and energy.

static void momentum_and_energy_balance_between_stepped_rods(void **state) {
    (void)state;
    double momentum = 0, energy = 0, handed = 0;
    for (int k = 0, count = how_many(30, 10); k < count; k++) {
        stepped a = draw(8, 30), b = draw(20, 60);
        for (int i = 0; i < a.n; i++) a.length[i] *= 10 / 30.0;
        double la = total(&a), lb = total(&b), f = a.ea[0] * 1e-4;
        double far = fmin(0.5 * lb, 0.5 * la);
        char first[800];
        snprintf(first, sizeof first, "%s", keys(&a));
        snprintf(
            text, sizeof text,
            "judder: 1\nbodies:\n  a: {%s, supports: {left: free, right: free}, points: {head: "
            "0}}\n  b: {%s, supports: {left: free, right: free}}\n"
            "contacts: {shaft: {at: {body: a, span: [%.17g, %.17g]}, against: {body: b, span: "
            "[0, %.17g]}, law: {type: coulomb, limit: %.17g}%s}}\n"
            "drives: {hammer: {at: a.head, type: pulse, amplitude: %.17g, duration: %.17g}}\n"
            "simulate: {engine: wave, nodes: %d, until: 1e9}\n",
            first, keys(&b), la - far, la, far, f * mixed(0.1, 1) / far,
            k % 2 ? ", footprint: moving" : "", f, 10 * a.dt, 3 * all_steps(&a) + 1);
        wave_case w;
        if (wave_open(&w, text) != JD_OK) { // cells that cover too many nodes: said by name
            assert_int_equal(jd_context_error(w.context)->status, JD_NOT_SUPPORTED);
            wave_close(&w);
            continue;
        }
        jd_report r;
        jd_run_report(w.run, &r);
        wave_go(&w, 300 * r.grid.time_step);
        jd_run_report(w.run, &r);
        double blow = f * 10 * a.dt;
        momentum =
            fmax(momentum, fabs(wave_momentum(w.run, 0) + wave_momentum(w.run, 1) - blow) / blow);
        handed = fmax(handed, fabs(wave_momentum(w.run, 1) + wave_pushed(w.run, 0)) / blow);
        energy = fmax(energy, fabs(r.ledger.residual));
        wave_close(&w);
    }
    print_message("balances: momentum %.1e, handed over %.1e, energy %.1e\n", momentum, handed,
                  energy);
    assert_near(momentum, 0, 1e-10);
    assert_near(handed, 0, 1e-10);
    assert_near(energy, 0, 1e-10);
}

static void what_does_not_fit_is_said(void **state) {
    (void)state;
#define ROD "judder: 1\nstructure: {type: stepped-rod, length: 2, "
#define REST "drives: {d: {at: a, type: constant, value: 1}}\nsimulate: {engine: wave, until: 1"
    wave_refused(ROD "steps: [1], axial_stiffness: [1], mass_per_length: [1, 1]}\n", JD_WRONG_TYPE,
                 "2 sections");
    wave_refused(ROD "steps: [1, 0.5], axial_stiffness: [1, 1, 1], mass_per_length: [1, 1, 1]}\n",
                 JD_OUT_OF_RANGE, "ascend");
    wave_refused(ROD "steps: [2], axial_stiffness: [1, 1], mass_per_length: [1, 1]}\n",
                 JD_OUT_OF_RANGE, "ascend");
    wave_refused(ROD "steps: [1], axial_stiffness: [1, 1], mass_per_length: [1, 1], modes: "
                     "infinite}\n",
                 JD_NOT_SUPPORTED, "infinitely many");
    wave_refused(ROD "steps: [0.01], axial_stiffness: [1, 1], mass_per_length: [1, 1], points: {a: "
                     "2}}\n" REST ", nodes: 11}\n",
                 JD_NOT_SUPPORTED, "shorter than a step");
    wave_refused(ROD
                 "steps: [1], axial_stiffness: [1, 1], mass_per_length: [1, 1], points: {a: "
                 "2}}\ncontacts: {c: {at: {span: [0, 1]}, against: ground, law: {type: coulomb, "
                 "limit: 1}}}\ndrives: {d: {at: a, type: constant, value: 1}}\nsimulate: "
                 "{engine: taylor, until: 1}\n",
                 JD_NOT_SUPPORTED, "engines that can: `series`, `wave`");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stepped_rods_have_their_modes),
        cmocka_unit_test(a_step_reflects_and_transmits_exactly),
        cmocka_unit_test(stepped_rods_at_rest_are_the_closed_form),
        cmocka_unit_test(sections_alike_are_one_rod),
        cmocka_unit_test(friction_on_sections_is_that_of_finite_differences),
        cmocka_unit_test(momentum_and_energy_balance_between_stepped_rods),
        cmocka_unit_test(what_does_not_fit_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
