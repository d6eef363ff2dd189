// cells.c -- contacts along spans and at several points of structures with modes: the same bits as
// contacts written one by one; closed forms of the equilibrium; convergence with the number of
// cells; another engine; what is refused, by name.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judder/judder.h"
#include "near.h"
#include "problem/system.h"

enum { TEXT = 12000, EVENTS = 4000, MODES = 80 };

typedef struct motion {
    jd_context *context;
    jd_problem *problem;
    jd_run *run;
} motion;

static motion begin(const char *text) {
    motion m = {.context = jd_context_create(NULL)};
    jd_status status =
        jd_model_parse(m.context, "cells.yaml", ".", text, strlen(text), 0, NULL, &m.problem);
    if (status == JD_OK) status = jd_run_create(m.context, m.problem, &m.run);
    if (status != JD_OK) print_error("%s\n%s\n", jd_context_error(m.context)->message, text);
    assert_int_equal(status, JD_OK);
    return m;
}

static void end(motion *m) {
    jd_run_free(m->run);
    jd_problem_free(m->problem);
    jd_context_free(m->context);
}

// Runs to t; events into the list, as (t, number of the cell over all contacts, letters).
typedef struct record {
    int n;
    jd_event event[EVENTS];
    double state[2 * MODES];
    jd_report report;
} record;

static void go(motion *m, double t, record *r) {
    jd_step step = JD_STEP_EVENT;
    r->n = 0;
    while (step == JD_STEP_EVENT) {
        assert_int_equal(jd_run_advance(m->run, t, &step), JD_OK);
        if (step == JD_STEP_EVENT && r->n < EVENTS) r->event[r->n++] = *jd_run_event(m->run);
    }
    jd_run_report(m->run, &r->report);
    if (jd_run_modal_size(m->run) > 0) jd_run_modal_state(m->run, r->state);
}

static unsigned seed;
static double draw(double low, double high) {
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (seed >> 8) / 16777216.0;
}

static const char *const structures[] = {
    "{type: beam, length: 1 m, bending_stiffness: 10 N m^2, mass_per_length: 1 kg/m, modes: 16",
    "{type: string, length: 1 m, tension: 10 N, mass_per_length: 1 kg/m, modes: 20",
    "{type: fe-beam, length: 1 m, bending_stiffness: 10 N m^2, mass_per_length: 1 kg/m, elements: "
    "12, modes: 18",
    "{type: fe-rod, length: 1 m, axial_stiffness: 10 N, mass_per_length: 1 kg/m, elements: 24, "
    "supports: {left: fixed, right: free}",
    "{type: rod, length: 1 m, axial_stiffness: 10 N, mass_per_length: 1 kg/m, modes: 20, supports: "
    "{left: fixed, right: free}"};

// A law of density `x` per length (share 1), or of one cell.
static void write_law(char *out, size_t size, int kind, double limit, double other, double by,
                      bool span) {
    const char *per = span ? "/m" : "", *square = span ? "/m^2" : "/m";
    if (kind == 0)
        snprintf(out, size, "{type: coulomb, limit: %.17g N%s, stiffness: %.17g N%s}", by * limit,
                 per, by * other, square);
    else if (kind == 1)
        snprintf(out, size, "{type: coulomb, limit: %.17g N%s, static_limit: %.17g N%s}",
                 by * limit, per, by * (1.5 * limit), per);
    else if (kind == 2)
        snprintf(out, size, "{type: affine, limit: %.17g N%s, slope: %.17g N s%s}", by * limit, per,
                 by * 0.3, span ? "/m^2" : "/m");
    else
        snprintf(out, size, "{type: stop, gap: 1 mm, stiffness: %.17g N%s, sides: both}",
                 by * other, square);
}

// Span [a, b] of n cells, or the points at their middles. Lengths are powers of two, so that shares
// are exact.
static void write_model(char *out, const char *structure, int kind, int n, double a, double b,
                        double belt, double limit, double other, bool span) {
    char law[300], points[2000] = "", contacts[8000] = "";
    size_t at = 0, used = 0;
    for (int i = 0; i < n; i++) // as the engine computes them
        at +=
            (size_t)snprintf(points + at, sizeof points - at, ", p%d: %.17g m", i,
                             a + (b - a) * i / n + 0.5 * ((b - a) * (i + 1) / n - (b - a) * i / n));
    write_law(law, sizeof law, kind, limit, other, 1, true);
    char against[80] = "ground";
    if (belt != 0) snprintf(against, sizeof against, "{velocity: %.17g m/s}", belt);
    if (span)
        snprintf(contacts, sizeof contacts,
                 "  pad: {at: {span: [%.17g m, %.17g m]}, against: %s, cells: %d, law: %s}\n", a, b,
                 against, n, law);
    for (int i = 0; !span && i < n; i++) {
        double h = (b - a) * (i + 1) / n - (b - a) * i / n;
        write_law(law, sizeof law, kind, limit, other, h, false);
        used += (size_t)snprintf(contacts + used, sizeof contacts - used,
                                 "  pad%d: {at: p%d, against: %s, law: %s}\n", i, i, against, law);
    }
    snprintf(out, TEXT,
             "judder: 1\nstructure: %s, points: {tip: 0.97 m%s}}\ncontacts:\n%s"
             "drives: {f: {at: tip, type: harmonic, amplitude: 2 N, frequency: 9 rad/s}}\n"
             "simulate: {engine: series, until: 3 s}\n",
             structure, points, contacts);
}

static void a_span_has_the_bits_of_its_cells_written_one_by_one(void **state) {
    (void)state;
    static char text[TEXT];
    static record whole, parts;
    long events = 0;
    for (int i = 0; i < 40; i++) {
        seed = (unsigned)i + 1;
        int kind = i % 4, n = kind == 0 ? 2 + (int)draw(0, 14) : 2 + (int)draw(0, 5);
        const char *structure = structures[i % 5];
        double a = floor(draw(0, 32)) / 64, b = a + 0.5, limit = draw(0.5, 3);
        double other = draw(20, 400), belt = kind < 3 && i % 3 == 0 ? draw(-0.3, 0.3) : 0;
        write_model(text, structure, kind, n, a, b, belt, limit, other, true);
        motion m = begin(text);
        go(&m, 1.5, &whole);
        write_model(text, structure, kind, n, a, b, belt, limit, other, false);
        motion o = begin(text);
        go(&o, 1.5, &parts);
        assert_int_equal(whole.n, parts.n);
        for (int k = 0; k < whole.n; k++) {
            assert_int_equal(whole.event[k].cell, parts.event[k].contact);
            assert_true(whole.event[k].t == parts.event[k].t);
            assert_int_equal(whole.event[k].to, parts.event[k].to);
        }
        int size = jd_run_modal_size(m.run);
        assert_true(size <= 2 * MODES);
        assert_memory_equal(whole.state, parts.state, (size_t)size * sizeof(double));
        assert_true(whole.report.certificate.certified);
        assert_near(whole.report.ledger.residual, 0, 1e-11);
        events += whole.n;
        end(&m), end(&o);
    }
    assert_true(events > 1000); // 2 to 300 a model
}

// Points by name, with shares; a dry contact at two directions of each.
static void several_points_have_the_bits_of_contacts_written_one_by_one(void **state) {
    (void)state;
    static record whole, parts;
    const char *head =
        "judder: 1\nstructure: {type: chain, count: 4, mass: 1 kg, stiffness: 10 N/m, supports: "
        "{left: fixed, right: free}, points: {a: {node: 1}, b: {node: 2}, c: {node: 3}, d: {node: "
        "4}}}\ndrives: {f: {at: d, type: harmonic, amplitude: 2 N, frequency: 1.5 rad/s}}\n"
        "simulate: {until: 20 s}\ncontacts:\n";
    const char *one =
        "  pad: {at: {points: {a: 1, b: 2, c: 1}}, law: {type: coulomb, limit: 1 N, stiffness: 8 "
        "N/m}}\n  dry: {at: {normal: [b, c], tangential: [a, d]}, law: {type: dry-contact, "
        "coefficient: 0.3, normal_stiffness: 10 N/m, tangential_stiffness: 6 N/m, preload: 1 N}}\n";
    const char *many =
        "  pa: {at: a, law: {type: coulomb, limit: 0.25 N, stiffness: 2 N/m}}\n"
        "  pb: {at: b, law: {type: coulomb, limit: 0.5 N, stiffness: 4 N/m}}\n"
        "  pc: {at: c, law: {type: coulomb, limit: 0.25 N, stiffness: 2 N/m}}\n"
        "  d1: {at: {normal: b, tangential: a}, law: {type: dry-contact, coefficient: 0.3, "
        "normal_stiffness: 5 N/m, tangential_stiffness: 3 N/m, preload: 0.5 N}}\n"
        "  d2: {at: {normal: c, tangential: d}, law: {type: dry-contact, coefficient: 0.3, "
        "normal_stiffness: 5 N/m, tangential_stiffness: 3 N/m, preload: 0.5 N}}\n";
    char text[4000];
    snprintf(text, sizeof text, "%s%s", head, one);
    motion m = begin(text);
    go(&m, 20, &whole);
    snprintf(text, sizeof text, "%s%s", head, many);
    motion o = begin(text);
    go(&o, 20, &parts);
    assert_int_equal(whole.n, parts.n);
    assert_true(whole.n > 30);
    for (int k = 0; k < whole.n; k++) assert_true(whole.event[k].t == parts.event[k].t);
    assert_memory_equal(whole.state, parts.state, 8 * sizeof(double));
    end(&m), end(&o);
}

// The same chain as matrices: cells at its nodes.
static void nodes_of_matrices_are_cells_too(void **state) {
    (void)state;
    static record chain, matrices;
    const char *rest =
        "points: {a: {node: 1}, b: {node: 2}, c: {node: 3}, d: {node: 4}}}\n"
        "drives: {f: {at: d, type: harmonic, amplitude: 2 N, frequency: 1.5 rad/s}}\n"
        "simulate: {until: 20 s}\ncontacts:\n"
        "  pad: {at: {points: {a: 1, b: 2, c: 1, d: 1}}, law: {type: coulomb, limit: 1 N, "
        "static_limit: 1.1 N, stiffness: 8 N/m}}\n"
        "  film: {at: {points: [b, c]}, law: {type: affine, limit: 0.2 N, slope: 0.1 N s/m}}\n";
    char text[4000], mass[] = "/tmp/judder-cells-M-XXXXXX", stiff[] = "/tmp/judder-cells-K-XXXXXX";
    FILE *m = fdopen(mkstemp(mass), "w"), *k = fdopen(mkstemp(stiff), "w");
    const char *head = "%%MatrixMarket matrix coordinate real symmetric\n4 4 ";
    fprintf(m, "%s4\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n", head);
    fprintf(k, "%s7\n1 1 20\n2 1 -10\n2 2 20\n3 2 -10\n3 3 20\n4 3 -10\n4 4 10\n", head);
    fclose(m), fclose(k);
    snprintf(
        text, sizeof text,
        "judder: 1\nstructure: {type: chain, count: 4, mass: 1 kg, stiffness: 10 N/m, supports: "
        "{left: fixed, right: free}, %s",
        rest);
    motion one = begin(text);
    go(&one, 20, &chain);
    snprintf(text, sizeof text,
             "judder: 1\nstructure: {type: matrices, mass: %s, stiffness: %s, modes: all, %s", mass,
             stiff, rest);
    motion two = begin(text);
    go(&two, 20, &matrices);
    assert_int_equal(chain.n, matrices.n);
    assert_true(chain.n > 30);
    for (int i = 0; i < chain.n; i++) assert_near(chain.event[i].t, matrices.event[i].t, 1e-9);
    end(&one), end(&two);
    remove(mass), remove(stiff);
}

// A rod held by springs k per length over all its length L, fixed at 0, pulled by F at L:
//   EA u'' = k u:  u = F sinh(x/l)/(EA/l cosh(L/l)),  l = sqrt(EA/k);  friction -k u per length
// With a limit r per length it slides from x_s on, where k u = r; there EA u'' = r:
//   u_s = r/k,  EA u'(x_s) = F - r (L - x_s) = EA u_s/(l tanh(x_s/l))
static double slides_from(double F, double EA, double k, double r, double L) {
    double l = sqrt(EA / k), low = 1e-9, high = L;
    for (int i = 0; i < 200; i++) {
        double x = 0.5 * (low + high);
        bool less = F - r * (L - x) < EA * (r / k) / (l * tanh(x / l));
        if (less)
            low = x; // the pull does not reach so far
        else
            high = x;
    }
    return 0.5 * (low + high);
}

static double tip_of(double F, double EA, double k, double r, double L) {
    double l = sqrt(EA / k);
    double stuck = F * l * tanh(L / l) / EA;
    if (k * stuck <= r) return stuck;
    double x = slides_from(F, EA, k, r, L), y = L - x;
    return r / k + (F * y - r * y * y / 2) / EA; // EA u' = F - r (L - z)
}

static double tip_by_cells(double F, double k, double r, int cells) {
    char text[1000];
    double u, v;
    int probe;
    snprintf(text, sizeof text,
             "judder: 1\nstructure: {type: fe-rod, length: 1 m, axial_stiffness: 10 N, "
             "mass_per_length: 1 kg/m, elements: 192, modes: all, supports: {left: fixed, right: "
             "free}, points: {tip: 1 m}}\n"
             "contacts: {pad: {at: {span: [0 m, 1 m]}, cells: %d, law: {type: coulomb, limit: %g "
             "N/m, stiffness: %g N/m^2}}}\n"
             "drives: {f: {at: tip, type: constant, value: %g N}}\nstart: {type: static}\n"
             "simulate: {engine: series, until: 1 s}\n",
             cells, r, k, F);
    motion m = begin(text);
    assert_int_equal(jd_run_probe(m.run, "tip", &probe), JD_OK);
    jd_run_observe(m.run, 0, &u, &v);
    end(&m);
    return u;
}

// All cells are at nodes, where elements are exact: what is left is that of the cells, which falls
// with the square of their length; where friction slides the front lies between two of them, and
// errors waver below that.
static void the_equilibrium_of_a_pulled_rod_converges_to_the_closed_form(void **state) {
    (void)state;
    const double EA = 10, k = 40;
    for (int slides = 0; slides < 2; slides++) {
        double F = slides ? 6 : 2, r = slides ? 8 : 1e3, error[5];
        double exact = tip_of(F, EA, k, r, 1);
        for (int i = 0; i < 5; i++) {
            int n = 6 << i;
            error[i] = fabs(tip_by_cells(F, k, r, n) / exact - 1);
            print_message("   %d cells: %.2e\n", n, error[i]);
            assert_true(error[i] * n * n < 0.5);
            if (!slides && i > 0) assert_near(error[i - 1] / error[i], 4, 0.1);
        }
    }
}

// Elastic friction along a rod that is driven at its end, beside the engine of waves on a grid.
static void a_rod_slides_as_the_engine_on_a_grid_has_it(void **state) {
    (void)state;
    double u[2], v;
    static const char *const how[] = {"series, until: 3 s", "wave, until: 3 s, nodes: 321"};
    for (int i = 0; i < 2; i++) {
        char text[1000];
        int probe;
        static record r;
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: rod, length: 1 m, axial_stiffness: 1 N, "
                 "mass_per_length: 1 kg/m, modes: 80, supports: {left: fixed, right: free}, "
                 "points: {tip: 1 m, mid: 0.5 m}}\n"
                 "contacts: {pad: {at: {span: [0.25 m, 0.75 m]}, law: {type: coulomb, limit: 0.3 "
                 "N/m, stiffness: 3 N/m^2}}}\n"
                 "drives: {f: {at: tip, type: harmonic, amplitude: 1 N, frequency: 2 rad/s, phase: "
                 "-1.5707963267948966 rad}}\n"
                 "simulate: {engine: %s}\n",
                 how[i]);
        motion m = begin(text);
        assert_int_equal(jd_run_probe(m.run, "mid", &probe), JD_OK);
        go(&m, 3, &r);
        jd_run_observe(m.run, 3, &u[i], &v);
        end(&m);
    }
    print_message("   %.8g %.8g\n", u[0], u[1]);
    assert_near(u[0], u[1], 1e-4 * fabs(u[1])); // measured 3.7e-5
}

static void what_a_span_tells_adds_up(void **state) {
    (void)state;
    static char text[TEXT];
    static record r;
    write_model(text, structures[0], 0, 9, 0.25, 0.75, 0, 1, 300, true);
    motion m = begin(text);
    go(&m, 3, &r);
    jd_interface_field f;
    assert_true(jd_run_interface(m.run, 0, &f));
    double u, v, force, loss = 0, sum = 0, mean = 0, stuck = 0;
    jd_run_observe_contacts(m.run, 3, &u, &v, &force);
    for (int i = 0; i < f.n; i++) {
        loss += f.loss[i];
        sum += f.force[i];
        mean += f.displacement[i] / f.n;
        stuck += f.state[i] == 0;
        assert_true(fabs(f.force[i]) <= (1 + 1e-12) * 0.5 / 9);
    }
    assert_int_equal(f.n, 9);
    assert_near(loss, r.report.ledger.contact[0], 1e-14);
    assert_near(sum, force, 1e-15);
    assert_near(mean, u, 1e-15);
    assert_int_equal(f.slip + f.stick + f.reversal, r.n);
    assert_true(stuck > 0 && stuck < 9);
    end(&m);
}

typedef struct refused {
    const char *contact, *words;
} refused;

static const refused bad[] = {
    {"{at: {span: [0.2 m, 1.2 m]}, law: {type: coulomb, limit: 1 N/m}}", "is not on the body"},
    {"{at: {span: [0.2 m, 0.8 m]}, law: {type: coulomb, limit: 1 N}}", "must be like N/m"},
    {"{at: {span: [0.2 m, 0.8 m]}, law: {type: dry-contact, coefficient: 0.3, gap: 1 mm, "
     "restitution: 0.5}}",
     "the law `dry-contact` cannot act along a span"},
    {"{at: {span: [0.2 m, 0.8 m]}, law: {type: iwan, limit: [1 N], stiffness: [1 N/m]}}",
     "the law `iwan` cannot act along a span"},
    {"{at: {span: [0.2 m, 0.8 m]}, law: {type: cubic, cubic: 1 N/m^3}}",
     "the law `cubic` cannot act along a span"},
    {"{at: {span: [0.2 m, 0.8 m]}, law: {type: stribeck, limit: 1 N/m, drop: 0.5 N/m, decay: 1 "
     "s/m}}",
     "is a curve over the speed"},
    {"{at: {span: [0.2 m, 0.8 m]}, cells: 40, law: {type: coulomb, limit: 1 N/m}}",
     "the rigid cells of a contact depend on each other"},
    {"{at: {span: [0.2 m, 0.8 m]}, cells: -1, law: {type: coulomb, limit: 1 N/m}}", "cells"},
    {"{at: {span: [0.2 m, 0.8 m]}, footprint: moving, law: {type: coulomb, limit: 1 N/m}}",
     "moves through a span"},
    {"{at: {span: [0.2 m, 0.8 m]}, cells: 9000, law: {type: coulomb, limit: 1 N/m, stiffness: 1 "
     "N/m^2}}\n  more: {at: {span: [0 m, 1 m]}, cells: 1001, law: {type: coulomb, limit: 1 N/m, "
     "stiffness: 1 N/m^2}}",
     "all contacts together have 10001 cells"},
    {"{at: {points: [tip, nowhere]}, law: {type: coulomb, limit: 1 N}}", "no point named"},
    {"{at: {points: []}, law: {type: coulomb, limit: 1 N}}", "points"},
    {"{at: {points: {tip: 0, mid: 1}}, law: {type: coulomb, limit: 1 N}}", "is not above 0"},
    {"{at: {points: [tip, mid]}, cells: 3, law: {type: coulomb, limit: 1 N}}",
     "every point is a cell"},
    {"{at: {points: [tip, mid]}, law: {type: iwan, limit: [1 N], stiffness: [1 N/m]}}",
     "cannot act at several points"},
    {"{at: {points: [tip, mid]}, against: {point: mid}, law: {type: coulomb, limit: 1 N}}",
     "one side of the contact is several points"},
    {"{at: {points: [tip, mid]}, law: {type: dry-contact, coefficient: 0.3, gap: 1 mm, "
     "restitution: 0.5}}",
     "this law has two directions"},
    {"{at: {normal: [tip, mid], tangential: [mid]}, law: {type: dry-contact, coefficient: 0.3, "
     "gap: 1 mm, normal_stiffness: 10 N/m}}",
     "not of one length"},
    {"{at: {normal: [tip, mid], tangential: mid}, law: {type: dry-contact, coefficient: 0.3, gap: "
     "1 mm, normal_stiffness: 10 N/m}}",
     "one is a list"},
};

static void what_cannot_be_is_refused_by_name(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1200];
        jd_context *context = jd_context_create(NULL);
        jd_problem *problem = NULL;
        jd_run *run = NULL;
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: beam, length: 1 m, bending_stiffness: 10 N m^2, "
                 "mass_per_length: 1 kg/m, modes: 10, points: {tip: 1 m, mid: 0.5 m}}\ncontacts:\n"
                 "  pad: %s\nsimulate: {until: 1 s}\n",
                 bad[i].contact);
        jd_status s =
            jd_model_parse(context, "bad.yaml", ".", text, strlen(text), 0, NULL, &problem);
        if (s == JD_OK) s = jd_run_create(context, problem, &run);
        if (s == JD_OK || !strstr(jd_context_error(context)->message, bad[i].words)) {
            print_error("%s\n-> %s\n", bad[i].contact, jd_context_error(context)->message);
            fail();
        }
        if (run) jd_run_free(run);
        if (problem) jd_problem_free(problem);
        jd_context_free(context);
    }
}

// A state with cells goes on bit for bit; orbits of rigid cells are refused by name.
static void a_saved_state_goes_on_and_orbits_of_rigid_cells_are_refused(void **state) {
    (void)state;
    static char text[TEXT];
    static record whole, rest;
    for (int kind = 0; kind < 4; kind++) {
        write_model(text, structures[kind], kind, 4, 0.25, 0.75, 0, 1, 300, true);
        motion m = begin(text), o = begin(text);
        go(&m, 1, &whole);
        size_t size = jd_run_state_size(m.run);
        void *block = malloc(size);
        assert_non_null(block);
        assert_int_equal(jd_run_state_save(m.run, block, size), JD_OK);
        assert_int_equal(jd_run_state_load(o.run, block, size), JD_OK);
        free(block);
        go(&m, 2, &whole), go(&o, 2, &rest);
        assert_memory_equal(whole.state, rest.state,
                            (size_t)jd_run_modal_size(m.run) * sizeof(double));
        jd_orbit *orbit = NULL;
        if (kind == 1 || kind == 2) { // others: cross.follow_cells
            assert_int_equal(jd_orbit_create(m.context, m.problem, NULL, &orbit), JD_NOT_SUPPORTED);
            assert_non_null(strstr(jd_context_error(m.context)->message, "along spans"));
            assert_non_null(strstr(jd_context_error(m.context)->hint, "`stiffness`"));
        }
        end(&m), end(&o);
    }
}

// The default number of cells: as many as can be held at once.
static void the_number_of_cells_follows_the_modes_where_they_are_rigid(void **state) {
    (void)state;
    for (int rigid = 0; rigid < 2; rigid++)
        for (int modes = 4; modes <= 80; modes += 19) {
            char text[800];
            snprintf(text, sizeof text,
                     "judder: 1\nstructure: {type: string, length: 2 m, tension: 10 N, "
                     "mass_per_length: 1 kg/m, modes: %d, points: {tip: 1.7 m}}\ncontacts: {pad: "
                     "{at: {span: [0.5 m, 1.5 m]}, law: {type: coulomb, limit: 1 N/m%s}}}\n"
                     "simulate: {until: 1 s}\n",
                     modes, rigid ? "" : ", stiffness: 1 N/m^2");
            motion m = begin(text);
            int n = jd_problem_system(m.problem)->cells[0].n;
            assert_int_equal(n, rigid ? (int)fmin(32, modes / 4) : 32);
            end(&m);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_span_has_the_bits_of_its_cells_written_one_by_one),
        cmocka_unit_test(nodes_of_matrices_are_cells_too),
        cmocka_unit_test(several_points_have_the_bits_of_contacts_written_one_by_one),
        cmocka_unit_test(the_equilibrium_of_a_pulled_rod_converges_to_the_closed_form),
        cmocka_unit_test(a_rod_slides_as_the_engine_on_a_grid_has_it),
        cmocka_unit_test(what_a_span_tells_adds_up),
        cmocka_unit_test(what_cannot_be_is_refused_by_name),
        cmocka_unit_test(a_saved_state_goes_on_and_orbits_of_rigid_cells_are_refused),
        cmocka_unit_test(the_number_of_cells_follows_the_modes_where_they_are_rigid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
