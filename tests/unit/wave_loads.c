// wave_loads.c -- loads along the length of rods, and the static start under weight.
#include "draws.h"
#include "how_many.h"
#include "wave_case.h"

static char text[4000];

// ---- A pile in friction under its own weight, whose closed form has its corners at nodes.

typedef struct weighted {
    int n, in, to;                    // nodes; first one in the ground, last one that moves
    double length, ea, rho, w, limit; // w: load per length, of either sign
} weighted;

static weighted draw_weighted(void) {
    weighted p = {.n = 20 + pick(300)};
    p.in = 1 + pick(p.n / 3);
    p.to = p.in + 1 + pick(p.n - 2 - p.in);
    p.length = decades(-1, 2);
    p.ea = decades(0, 9);
    p.rho = decades(-2, 4);
    p.w = decades(-3, 4) * (pick(2) ? 1 : -1);
    p.limit = fabs(p.w) * p.to / (p.to - p.in); // what hangs above `to` is carried between both
    return p;
}

static const char *write_weighted(const weighted *p, double until) {
    double h = p->length / (p->n - 1);
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: "
             "%.17g, supports: {left: free, right: free}}\n"
             "contacts: {shaft: {at: {span: [%.17g, %.17g]}, against: ground, law: {type: coulomb, "
             "limit: %.17g}}}\n"
             "drives: {weight: {at: {span: [0, %.17g]}, type: constant, value: %.17g}}\n"
             "start: static\n"
             "simulate: {engine: wave, until: %.17g, nodes: %d}\n",
             p->length, p->ea, p->rho, p->in * h, p->length, p->limit, p->length, p->w, until,
             p->n);
    return text;
}

// EA u'' = -w + friction; friction is full from `in` to `to`, and carries w below.
static void check_weighted(const weighted *p, jd_run *run, double *shortening, double *friction) {
    jd_body_field rod;
    jd_interface_field shaft;
    double h = p->length / (p->n - 1), a = p->in * h, b = p->to * h, sign = p->w > 0 ? 1 : -1;
    double most = fabs(p->w) * b * b / 2 / p->ea;
    assert_true(jd_run_body(run, 0, &rod) && jd_run_interface(run, 0, &shaft));
    for (int i = 0; i < p->n; i++) {
        double z = i * h, c = fmax(z, a);
        double exact = z >= b ? 0
                              : p->w * (b * b - z * z) / 2 -
                                    sign * p->limit * ((b - a) * (b - a) - (c - a) * (c - a)) / 2;
        *shortening = fmax(*shortening, fabs(rod.displacement[i] - exact / p->ea) / most);
    }
    for (int j = 0; j < shaft.n; j++) {
        int i = p->in + j;
        double left = i == p->in ? 0 : i <= p->to ? p->limit : fabs(p->w);
        double right = i == p->n - 1 ? 0 : i < p->to ? p->limit : fabs(p->w);
        double exact = -sign * (left + right) * h / 2;
        *friction = fmax(*friction, fabs(shaft.force[j] - exact) / (p->limit * h));
    }
}

static void weight_alone_is_carried_as_in_the_closed_form(void **state) {
    (void)state;
    double shortening = 0, friction = 0, later = 0, none = 0, moved = 0;
    for (int k = 0, n = how_many(60, 10); k < n; k++) {
        weighted p = draw_weighted();
        double second = p.length / sqrt(p.ea / p.rho);
        wave_case w;
        jd_report r;
        wave_begin(&w, write_weighted(&p, 20 * second));
        check_weighted(&p, w.run, &shortening, &friction);
        wave_go(&w, 10 * second);
        check_weighted(&p, w.run, &later, &none);
        jd_run_report(w.run, &r);
        moved = fmax(moved, r.ledger.kinetic / r.ledger.start);
        assert_near(r.ledger.residual, 0, 1e-12);
        wave_close(&w);
    }
    print_message(
        "weight alone: shortening off by %.1e, friction by %.1e; ten passages later %.1e, "
        "kinetic energy %.1e of the strain\n",
        shortening, friction, later, moved);
    assert_near(shortening, 0, 1e-12); // measured 5e-16
    assert_near(friction, 0, 1e-12);   // measured 4e-15
    assert_near(later, 0, 1e-12);
    assert_near(moved, 0, 1e-20);
}

static void more_weight_than_friction_is_no_equilibrium(void **state) {
    (void)state;
    weighted p = {.n = 41, .in = 20, .to = 30, .length = 10, .ea = 1e6, .rho = 1, .w = 1};
    p.limit = 1.5; // of 5 m: 7.5 against 10
    wave_refused(write_weighted(&p, 1), JD_OUT_OF_RANGE, "with 75 % of the constant loads");
}

// ---- Loads whose ends lie anywhere: displacements of nodes are exact.

// min(z, x) integrated from `from` to `to`, of a rod fixed at 0.
static double bent(double z, double from, double to) {
    double a = fmin(fmax(z, from), to);
    return (a * a - from * from) / 2 + z * (to - a);
}

static void loads_between_nodes_are_exact_at_rest(void **state) {
    (void)state;
    double worst = 0;
    for (int k = 0, count = how_many(60, 10); k < count; k++) {
        double length = decades(-1, 2), ea = decades(0, 8), from = length * mixed(0, 0.7);
        double to = from + (length - from) * mixed(0.05, 1), q = decades(-3, 3);
        int n = 3 + pick(200);
        wave_case w;
        jd_body_field rod;
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: "
                 "2.5, supports: {left: fixed, right: free}}\n"
                 "drives: {load: {at: {span: [%.17g, %.17g]}, type: constant, value: %.17g}}\n"
                 "start: static\n"
                 "simulate: {engine: wave, until: 1, nodes: %d}\n",
                 length, ea, from, to, q, n);
        wave_begin(&w, text);
        assert_true(jd_run_body(w.run, 0, &rod));
        double size = bent(length, from, to);
        for (int i = 0; i < rod.n; i++) {
            double exact = bent(i * length / (n - 1), from, to);
            worst = fmax(worst, fabs(rod.displacement[i] * ea / q - exact) / size);
        }
        wave_close(&w);
    }
    print_message("loads between nodes: %.1e of the largest displacement\n", worst);
    assert_near(worst, 0, 1e-12); // measured 2e-15
}

// ---- Loads that vary in time: a free rod loaded evenly is one mass.

typedef struct course {
    const char *drive;
    double (*twice)(double t); // the drive integrated twice from 0
} course;

static double sine_twice(double t) {
    return 3 * (t * cos(0.4) / 7 + (sin(0.4) - sin(7 * t + 0.4)) / 49);
}
static double constant_twice(double t) { return 1.5 * t * t; }
static double table_twice(double t) { // 0 at 0.1, 2 at 0.35, -1 at 0.6, held
    const double at[] = {0.1, 0.35, 0.6, 9}, f[] = {0, 2, -1, -1};
    double u = 0, v = 0;
    for (int i = 0; i < 3 && t > at[i]; i++) {
        double h = fmin(t, at[i + 1]) - at[i], slope = (f[i + 1] - f[i]) / (at[i + 1] - at[i]);
        u += v * h + f[i] * h * h / 2 + slope * h * h * h / 6;
        v += f[i] * h + slope * h * h / 2;
    }
    return u;
}
static double pulse_twice(double t) { // 4 from 0.113 to 0.377
    double a = fmax(t - 0.113, 0), b = fmax(t - 0.377, 0);
    return 2 * (a * a - b * b);
}

static void an_even_load_moves_a_free_rod_as_one_mass(void **state) {
    (void)state;
    const course all[] = {
        {"type: harmonic, amplitude: 3, frequency: 7, phase: 0.4", sine_twice},
        {"type: constant, value: 3", constant_twice},
        {"type: table, time: [0.1, 0.35, 0.6], value: [0, 2, -1]", table_twice},
        {"type: pulse, amplitude: 4, start: 0.113, duration: 0.264", pulse_twice}};
    for (int k = 0; k < 4; k++) {
        double worst = 0, most = 0;
        wave_case w;
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: rod, length: 3, axial_stiffness: 90, mass_per_length: 2.5, "
                 "supports: {left: free, right: free}}\n"
                 "drives: {load: {at: {span: [0, 3]}, %s}}\n"
                 "simulate: {engine: wave, until: 1, nodes: 61}\n",
                 all[k].drive);
        wave_begin(&w, text);
        double dt = 3.0 / 60 / 6;
        for (int i = 1; i <= 120; i++) {
            jd_body_field rod;
            wave_go(&w, i * dt * (1 - 1e-12));
            assert_true(jd_run_body(w.run, 0, &rod));
            double exact = all[k].twice(i * dt) / 2.5;
            most = fmax(most, fabs(exact));
            for (int j = 0; j < rod.n; j++) worst = fmax(worst, fabs(rod.displacement[j] - exact));
        }
        print_message("%s: %.1e\n", all[k].drive, worst / most);
        assert_near(worst / most, 0, 1e-12); // measured 3e-14
        wave_close(&w);
    }
}

// ---- Two rods with friction between them, loads on both: what the least energy asks for.

typedef struct pair {
    int n, shift; // nodes of each; node i of `a` meets node i - shift of `b`
    double h, ea[2], limit, stiffness, toe;
    double from[2], to[2], load[2];
} pair;

static pair draw_pair(void) {
    pair p = {.n = 20 + pick(60), .h = decades(-1, 1)};
    p.shift = 1 + pick(p.n / 2);
    for (int b = 0; b < 2; b++) {
        p.ea[b] = decades(3, 6);
        p.from[b] = p.h * (p.n - 1) * mixed(0, 0.4);
        p.to[b] = p.from[b] + (p.h * (p.n - 1) - p.from[b]) * mixed(0.3, 1);
        p.load[b] = mixed(-1, 1);
    }
    double contact = (p.n - p.shift) * p.h;
    p.limit = mixed(1, 4) * fabs(p.load[0]) * (p.to[0] - p.from[0]) / contact;
    p.stiffness = pick(3) ? 0 : p.limit * decades(0, 3);
    p.toe = pick(2) ? fabs(p.load[0]) : 0;
    return p;
}

static const char *write_pair(const pair *p) {
    double l = p->h * (p->n - 1), a = p->shift * p->h;
    char toe[200] = "";
    if (p->toe > 0)
        snprintf(toe, sizeof toe,
                 ", toe: {at: a.tip, against: ground, law: {type: soil, limit: %.17g, quake: "
                 "%.17g}}",
                 p->toe, 1e-4 * l);
    snprintf(text, sizeof text,
             "judder: 1\n"
             "bodies:\n"
             "  a: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
             "      supports: {left: free, right: free}, points: {tip: %.17g}}\n"
             "  b: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
             "      supports: {left: free, right: fixed}}\n"
             "contacts: {shaft: {at: {body: a, span: [%.17g, %.17g]}, against: {body: b, span: [0, "
             "%.17g]}, law: {type: coulomb, limit: %.17g, stiffness: %.17g}}%s}\n"
             "drives:\n"
             "  one: {at: {body: a, span: [%.17g, %.17g]}, type: constant, value: %.17g}\n"
             "  two: {at: {body: b, span: [%.17g, %.17g]}, type: constant, value: %.17g}\n"
             "start: static\n"
             "simulate: {engine: wave, until: %.17g, nodes: %d}\n",
             l, p->ea[0], p->ea[0], l, l, p->ea[1], p->ea[1], a, l, l - a, p->limit, p->stiffness,
             toe, p->from[0], p->to[0], p->load[0], p->from[1], p->to[1], p->load[1], 10 * l, p->n);
    return text;
}

// Load on a node: int of max(0, 1 - |z - z_i|/h) over the part of the span, by its closed form.
static double hat(const pair *p, int b, int i) {
    double sum = 0;
    for (int side = 0; side < 2; side++) { // x: distance from the node, in steps
        double low = side ? p->from[b] / p->h - i : i - p->to[b] / p->h;
        double high = side ? p->to[b] / p->h - i : i - p->from[b] / p->h;
        double limit = (side ? i < p->n - 1 : i > 0) ? 1 : 0;
        low = fmin(fmax(low, 0), limit), high = fmin(fmax(high, 0), limit);
        sum += (high - low) - (high * high - low * low) / 2;
    }
    return p->load[b] * p->h * sum;
}

static double second(const pair *p, int b, int i, const double *u) {
    double right = i + 1 < p->n ? u[i + 1] - u[i] : 0, left = i > 0 ? u[i - 1] - u[i] : 0;
    return p->ea[b] / p->h * (right + left);
}

static void friction_between_two_rods_at_rest_has_the_least_energy(void **state) {
    (void)state;
    double balance = 0, over = 0, aslant = 0;
    int slid = 0, stuck = 0, refused = 0, soft = 0, soils = 0;
    for (int k = 0, count = how_many(80, 20); k < count; k++) {
        pair p = draw_pair();
        wave_case w;
        jd_status s = wave_open(&w, write_pair(&p));
        if (s == JD_OUT_OF_RANGE) refused++;
        if (s != JD_OK) {
            if (s != JD_OUT_OF_RANGE) fail_msg("%s", jd_context_error(w.context)->message);
            wave_close(&w);
            continue;
        }
        jd_body_field a, b;
        jd_interface_field f, toe = {0};
        assert_true(jd_run_body(w.run, 0, &a) && jd_run_body(w.run, 1, &b));
        assert_true(jd_run_interface(w.run, 0, &f));
        if (p.toe > 0) assert_true(jd_run_interface(w.run, 1, &toe));
        double size = 0, most = 0;
        for (int i = 0; i < p.n; i++) {
            size += fabs(hat(&p, 0, i)) + fabs(hat(&p, 1, i));
            most = fmax(most, fmax(fabs(a.displacement[i]), fabs(b.displacement[i])));
        }
        // rounding of u alone unbalances the forces of a cell by this
        double rounding = 1e-15 * most * fmax(p.ea[0], p.ea[1]) / p.h;
        for (int i = 0; i < p.n; i++) {
            double on_a = i >= p.shift ? f.force[i - p.shift] : 0;
            double on_b = i + p.shift < p.n ? -f.force[i] : 0;
            if (i == p.n - 1 && p.toe > 0) on_a += toe.force[0];
            double off = fabs(second(&p, 0, i, a.displacement) + hat(&p, 0, i) + on_a);
            if (i + 1 < p.n)
                off = fmax(off, fabs(second(&p, 1, i, b.displacement) + hat(&p, 1, i) + on_b));
            balance = fmax(balance, fmax(off - rounding, 0) / size);
        }
        for (int j = 0; j < f.n; j++) {
            double limit = p.limit * p.h * (j == 0 || j == f.n - 1 ? 0.5 : 1);
            double stiff = p.stiffness * limit / p.limit;
            double spring = stiff > 0 ? -f.force[j] / stiff : 0, slip = f.displacement[j] - spring;
            over = fmax(over, (fabs(f.force[j]) - limit) / limit);
            // a slip is opposed by the whole limit
            bool slides = fabs(slip) > 1e-12 * most;
            if (slides)
                aslant = fmax(aslant, fabs(f.force[j] + (slip > 0 ? limit : -limit)) / limit);
            slides ? slid++ : stuck++;
        }
        soft += p.stiffness > 0, soils += p.toe > 0;
        wave_go(&w, 5 * p.h * (p.n - 1)); // five passages: it stays
        assert_true(jd_run_body(w.run, 0, &a));
        jd_report r;
        jd_run_report(w.run, &r);
        assert_true(r.ledger.kinetic <= 1e-16 * r.ledger.start);
        assert_near(r.ledger.residual, 0, 1e-11);
        wave_close(&w);
    }
    print_message("%d cells slid, %d stuck, %d models with springs, %d with soil, %d without "
                  "equilibrium; balance %.1e, over the limit %.1e, slip %.1e\n",
                  slid, stuck, soft, soils, refused, balance, over, aslant);
    assert_true(slid > 20 && stuck > 20);
    assert_near(balance, 0, 1e-12);
    assert_near(fmax(over, 0), 0, 1e-12);
    assert_near(aslant, 0, 1e-10);
}

static void mistakes_are_named(void **state) {
    (void)state;
#define ROD                                                                                        \
    "judder: 1\nstructure: {type: rod, length: 3 m, axial_stiffness: 90 N, mass_per_length: 2 "    \
    "kg/m, supports: {left: free, right: free}, points: {tip: 3 m}}\n"
    wave_refused(ROD "drives: {load: {at: {span: [0 m, 3 m]}, type: constant, value: 3 N}}\n",
                 JD_WRONG_UNIT, "per length");
    wave_refused(ROD "drives: {load: {at: tip, type: constant, value: 3 N/m}}\n", JD_WRONG_UNIT,
                 "at a point it is a force");
    wave_refused(ROD "drives: {load: {at: {span: [0 m, 4 m]}, type: constant, value: 3 N/m}}\n",
                 JD_OUTSIDE_STRUCTURE, "reaches from 0 to 3");
    wave_refused(ROD "drives: {load: {at: {span: [0 m, 3 m]}, type: constant, value: 3 N/m}}\n"
                     "start: static\nsimulate: {engine: wave, nodes: 11, until: 1 s}\n",
                 JD_OUT_OF_RANGE, "there is no equilibrium");
    static const char *const others[] = {"exact", "series"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(text, sizeof text,
                 ROD "contacts: {c: {at: tip, law: {type: coulomb, limit: 20 N}}}\n"
                     "drives: {load: {at: {span: [0 m, 3 m]}, type: constant, value: 3 N/m}}\n"
                     "simulate: {engine: %s, until: 1 s}\n",
                 others[i]);
        wave_refused(text, JD_NOT_SUPPORTED, "a drive acts along a span");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weight_alone_is_carried_as_in_the_closed_form),
        cmocka_unit_test(more_weight_than_friction_is_no_equilibrium),
        cmocka_unit_test(loads_between_nodes_are_exact_at_rest),
        cmocka_unit_test(an_even_load_moves_a_free_rod_as_one_mass),
        cmocka_unit_test(friction_between_two_rods_at_rest_has_the_least_energy),
        cmocka_unit_test(mistakes_are_named)};
    return cmocka_run_group_tests_name("wave_loads", tests, NULL, NULL);
}
