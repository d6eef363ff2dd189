// series.c -- engine series in closed form: Jenkins, elastic stops with and without dashpot,
// friction
//   at impacts; energies, saved states, tangents against differences, Painleve, the choice of
//   `auto`.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "judder/judder.h"
#include "near.h"

typedef struct motion {
    jd_context *context;
    jd_problem *problem;
    jd_run *run;
    jd_step step;
} motion;

static motion begin(const char *text) {
    motion m = {.context = jd_context_create(NULL)};
    jd_status status =
        jd_model_parse(m.context, "series.yaml", ".", text, strlen(text), 0, NULL, &m.problem);
    if (status == JD_OK) status = jd_run_create(m.context, m.problem, &m.run);
    if (status != JD_OK) print_error("%s\n", jd_context_error(m.context)->message);
    assert_int_equal(status, JD_OK);
    return m;
}

static void end(motion *m) {
    jd_run_free(m->run);
    jd_problem_free(m->problem);
    jd_context_free(m->context);
}

static const jd_event *next(motion *m, double t) {
    assert_int_equal(jd_run_advance(m->run, t, &m->step), JD_OK);
    return m->step == JD_STEP_EVENT ? jd_run_event(m->run) : NULL;
}

static double residual(motion *m) {
    jd_report r;
    jd_run_report(m->run, &r);
    return r.ledger.residual;
}

// Two coupled masses, the second pressed on a belt: without friction the belt does nothing, and the
// contact tells what it does along the belt. Beside an elastic stop in its place.
static void a_dry_contact_without_friction_does_not_feel_its_belt(void **state) {
    (void)state; // measured 0
    for (int i = 0; i < 10; i++) {
        const double kn = 2 + i, gap = -0.3 + 0.1 * i, belt = 1 - 0.3 * i;
        char law[2][400], text[1200];
        double seen[2][3];
        snprintf(law[0], sizeof law[0],
                 "{at: {normal: b, tangential: a}, against: {velocity: %.17g}, law: {type: "
                 "dry-contact, coefficient: 0, normal_stiffness: %.17g, tangential_stiffness: %d, "
                 "gap: %.17g}}",
                 belt, kn, i % 2, gap);
        snprintf(law[1], sizeof law[1],
                 "{at: b, against: ground, law: {type: stop, stiffness: %.17g, gap: %.17g}}", kn,
                 gap);
        for (int k = 0; k < 2; k++) {
            snprintf(text, sizeof text,
                     "judder: 1\nstructure: {type: chain, count: 2, mass: 1, stiffness: 3, points: "
                     "{a: {node: 1}, b: {node: 2}}}\ncontacts: {c: %s}\nstart: {type: state, "
                     "displacement: [0.7, -0.4]}\nsimulate: {engine: series, until: 9}\n",
                     law[k]);
            motion m = begin(text);
            int at[2];
            double u[2], v[2], uc, vc, F;
            assert_int_equal(jd_run_probe(m.run, "a", &at[0]), JD_OK);
            assert_int_equal(jd_run_probe(m.run, "b", &at[1]), JD_OK);
            while (next(&m, 7)) {
            }
            jd_run_observe(m.run, 7, u, v);
            jd_run_observe_contacts(m.run, 7, &uc, &vc, &F);
            seen[k][0] = u[at[0]], seen[k][1] = u[at[1]], seen[k][2] = v[at[0]];
            if (k == 0) {
                assert_near(uc, u[at[0]], 1e-14);
                assert_near(vc, v[at[0]] - belt, 1e-13);
                assert_true(F == 0);
            }
            assert_true(fabs(residual(&m)) < 1e-12);
            end(&m);
        }
        for (int k = 0; k < 3; k++) assert_near(seen[0][k], seen[1][k], 1e-12);
    }
}

// A mass on a spring k beside a Jenkins element, let go at x0: stuck with frequency sqrt(k + kt)
// about kt x0/(k + kt) until kt (x0 - x) = R.
static void a_jenkins_element_lets_go_where_its_spring_reaches_the_limit(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        double k = 1 + 0.3 * i, kt = 5 + i, x0 = 2 + 0.1 * i, R = 0.3 + 0.02 * i;
        char text[1000];
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: %.17g, points: "
                 "{m: {node: 1}}}\ncontacts: {c: {at: m, law: {type: coulomb, limit: %.17g, "
                 "stiffness: %.17g}}}\nstart: {type: state, displacement: [%.17g]}\nsimulate: "
                 "{engine: series, until: 50}\n",
                 k, R, kt, x0);
        motion m = begin(text);
        double w = sqrt(k + kt), e = kt * x0 / (k + kt);
        const jd_event *event = next(&m, 50);
        assert_non_null(event);
        assert_near(event->t, acos((x0 - R / kt - e) / (x0 - e)) / w, 1e-14);
        assert_int_equal(event->to, JD_CONTACT_SLIDING_MINUS);
        double u, v, force;
        jd_run_observe_contacts(m.run, event->t, &u, &v, &force);
        assert_near(force, R, 1e-13);
        while (next(&m, 50))
            ;
        assert_true(fabs(residual(&m)) < 1e-13);
        end(&m);
    }
}

// A free mass hits a stop (kn, cn = 2 zeta sqrt(kn)): rebound e = exp(-2 zeta acos(zeta)/sqrt(1 -
// zeta^2)), contact time acos(2 zeta^2 - 1)/(w sqrt(1 - zeta^2)); half a sine for zeta = 0.
static void an_elastic_stop_throws_back_as_in_closed_form(void **state) {
    (void)state;
    for (int i = 0; i < 10; i++) {
        double zeta = 0.1 * i, kn = pow(10, i), w = sqrt(kn), root = sqrt(1 - zeta * zeta);
        char text[1000];
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: chain, count: 1, mass: 1, supports: {left: free, "
                 "right: free}, points: {m: {node: 1}}}\ncontacts: {c: {at: m, law: {type: stop, "
                 "gap: 1, stiffness: %.17g, damping: %.17g}}}\nstart: {type: state, velocity: "
                 "[1]}\nsimulate: {engine: series, until: 5}\n",
                 kn, 2 * zeta * w);
        motion m = begin(text);
        int probe;
        assert_int_equal(jd_run_probe(m.run, "m", &probe), JD_OK);
        assert_near(next(&m, 5)->t, 1, 1e-14);
        double u, v, opened = next(&m, 5)->t;
        assert_near(opened, 1 + (zeta > 0 ? acos(2 * zeta * zeta - 1) : acos(-1)) / (w * root),
                    1e-13);
        jd_run_observe(m.run, opened, &u, &v);
        assert_near(v, -exp(-2 * zeta * acos(zeta) / root), 1e-12);
        assert_null(next(&m, 5));
        assert_true(fabs(residual(&m)) < 1e-13 + 1e-15 * w); // places are known to rounding
        end(&m);
    }
}

static double draw(unsigned long long *seed, double low, double high) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

// A chain of five masses, two chains in one: odd ones move along, even ones across. Every law of
// springs and sliders.
static void write_drawn(unsigned long long seed, char *text, size_t size) {
    for (int i = 0; i < 5; i++) draw(&seed, 0, 1);
    double limit = draw(&seed, 0.1, 1), mu = draw(&seed, 0.1, 0.6);
    snprintf(
        text, size,
        "judder: 1\nstructure: {type: chain, count: 5, mass: 1, stiffness: %.6f, damping: {type: "
        "rayleigh, mass: %.6f}, points: {a: {node: 1}, b: {node: 2}, c: {node: 3}, d: {node: 4}, "
        "e: {node: 5}}}\ncontacts:\n"
        "  j: {at: a, law: {type: coulomb, limit: %.6f, static_limit: %.6f, stiffness: %.6f}}\n"
        "  w: {at: b, law: {type: iwan, limit: [%.6f, %.6f, %.6f], stiffness: [%.6f, 7, 5]}}\n"
        "  s: {at: c, law: {type: stop, gap: %.6f, stiffness: %.6f, damping: %.6f, sides: both}}\n"
        "  f: {at: {normal: d, tangential: e}, against: {velocity: %.6f}, law: {type: "
        "dry-contact, coefficient: %.6f, tangential_stiffness: %.6f, normal_stiffness: %.6f, "
        "gap: %.6f}}\n"
        "drives:\n  h: {at: e, type: harmonic, amplitude: %.6f, frequency: %.6f}\n  k: {at: b, "
        "type: constant, value: %.6f}\nstart: rest\nsimulate: {engine: series, until: 30}\n",
        draw(&seed, 1, 10), draw(&seed, 0.01, 0.2), limit, limit * draw(&seed, 1, 1.5),
        draw(&seed, 2, 30), draw(&seed, 0.1, 0.5), draw(&seed, 0.1, 0.5), draw(&seed, 0.1, 0.5),
        draw(&seed, 2, 9), draw(&seed, 0.05, 0.4), draw(&seed, 10, 200), draw(&seed, 0, 1),
        draw(&seed, -0.3, 0.3), mu, draw(&seed, 5, 50), draw(&seed, 5, 50), draw(&seed, -0.1, 0.2),
        draw(&seed, 1, 5), draw(&seed, 0.5, 3), draw(&seed, -0.5, 0.5));
}

static void energies_of_drawn_models_add_up(void **state) {
    (void)state;
    long events = 0;
    double worst = 0;
    for (unsigned long long i = 1; i <= 60; i++) {
        char text[3000];
        write_drawn(i, text, sizeof text);
        motion m = begin(text);
        while (next(&m, 30)) events++;
        jd_report r;
        jd_run_report(m.run, &r);
        assert_int_equal(m.step, JD_STEP_TIME);
        assert_int_equal(r.certificate.undecided, 0);
        worst = fmax(worst, fabs(r.ledger.residual));
        end(&m);
    }
    print_message("   %ld events, worst residual %.1e\n", events, worst);
    assert_true(worst < 1e-11 && events > 3000);
}

// Twelve masses, each with rigid friction: sets of held contacts follow each other.
static void write_rigid(unsigned long long seed, char *text, size_t size) {
    int n = snprintf(
        text, size,
        "judder: 1\nstructure: {type: chain, count: 12, mass: 1, stiffness: 20, points: {");
    for (int j = 1; j <= 12; j++)
        n += snprintf(text + n, size - (size_t)n, "%sp%d: {node: %d}", j > 1 ? ", " : "", j, j);
    n += snprintf(text + n, size - (size_t)n, "}}\ncontacts:\n");
    for (int j = 1; j <= 12; j++)
        n += snprintf(text + n, size - (size_t)n,
                      "  c%d: {at: p%d, law: {type: coulomb, limit: %.6f}}\n", j, j,
                      draw(&seed, 0.2, 1));
    snprintf(text + n, size - (size_t)n,
             "drives: {h: {at: p12, type: harmonic, amplitude: 9, frequency: %.6f}}\nstart: "
             "rest\nsimulate: {engine: series, until: 30}\n",
             draw(&seed, 1, 3));
}

static void assert_same(int n, const double *a, const double *b) {
    if (n > 0) assert_memory_equal(a, b, (size_t)n * sizeof *a);
}

// Every entry to the last bit; what was lost before the pause is in it.
static void assert_same_ledger(const motion *m, const jd_ledger *a, const jd_ledger *b) {
    int contacts = jd_problem_contacts(m->problem);
    const double x[] = {a->start, a->kinetic, a->strain, a->damping, a->work, a->residual};
    const double y[] = {b->start, b->kinetic, b->strain, b->damping, b->work, b->residual};
    assert_same(6, x, y);
    assert_same(jd_problem_drives(m->problem), a->drive, b->drive);
    assert_same(contacts, a->contact, b->contact);
    assert_same(contacts, a->impact, b->impact);
    assert_same(contacts, a->belt, b->belt);
    assert_same(contacts, a->wear, b->wear);
    assert_true(fabs(b->residual) < 1e-11);
}

// Saved at a third of the way and taken up again: every further event to the last bit.
static void a_saved_state_goes_on_bit_for_bit(void **state) {
    (void)state;
    for (unsigned long long i = 1; i <= 14; i++) {
        char text[3000];
        if (i <= 10)
            write_drawn(i, text, sizeof text);
        else
            write_rigid(i, text, sizeof text);
        motion a = begin(text), b = begin(text);
        while (next(&a, 10.3)) {
        }
        size_t size = jd_run_state_size(a.run);
        void *block = malloc(size);
        assert_int_equal(jd_run_state_save(a.run, block, size), JD_OK);
        assert_int_equal(jd_run_state_load(b.run, block, size), JD_OK);
        for (const jd_event *e = next(&a, 30), *f = next(&b, 30); e || f;
             e = next(&a, 30), f = next(&b, 30)) {
            assert_non_null(e);
            assert_non_null(f);
            assert_memory_equal(&e->t, &f->t, sizeof e->t);
            assert_true(e->contact == f->contact && e->to == f->to && e->cell == f->cell);
        }
        jd_report r, q;
        jd_run_report(a.run, &r);
        jd_run_report(b.run, &q);
        assert_int_equal(r.certificate.evaluations, q.certificate.evaluations);
        assert_int_equal(r.certificate.undecided, q.certificate.undecided);
        assert_same_ledger(&a, &r.ledger, &q.ledger);
        free(block);
        end(&a);
        end(&b);
    }
}

enum { SIZE = 15 };

// State after `span` from a state at t; false: the letters at the end are others.
static bool flow(motion *m, double t, double span, const double *from, const char *phase,
                 double *to, double *M, int *events, char *letters) {
    const jd_engine_map *map = &m->run->class->map;
    jd_phase states = jd_phase_of_text(phase);
    assert_int_equal(map->restart(m->run, t, from, &states), JD_OK);
    if (M) assert_int_equal(map->tangent_start(m->run), JD_OK);
    *events = 0;
    while (next(m, t + span)) ++*events;
    map->state(m->run, to);
    if (M) map->tangent(m->run, M);
    strcpy(letters, jd_run_phase(m->run));
    return true;
}

// Every law but the dry contact's belt is passed through in 1.5 time units somewhere.
static void tangents_agree_with_differences(void **state) {
    (void)state;
    double worst = 0;
    int compared = 0;
    for (unsigned long long i = 1; i <= 40; i++) {
        char text[3000], phase[8], end0[8], end1[8], end2[8];
        write_drawn(i, text, sizeof text);
        motion m = begin(text);
        const jd_engine_map *map = &m.run->class->map;
        assert_int_equal(map->coordinates(m.run), SIZE);
        double t = 4 + 0.37 * (double)i, x[SIZE], y[SIZE], a[SIZE], b[SIZE], M[SIZE * SIZE];
        int n0, n1, n2;
        while (next(&m, t)) {
        }
        map->state(m.run, x);
        strcpy(phase, jd_run_phase(m.run));
        flow(&m, t, 1.5, x, phase, y, M, &n0, end0);
        for (int c = 0; c < SIZE; c++) {
            double h = 1e-6, keep = x[c], most = 1;
            x[c] = keep + h;
            flow(&m, t, 1.5, x, phase, a, NULL, &n1, end1);
            x[c] = keep - h;
            flow(&m, t, 1.5, x, phase, b, NULL, &n2, end2);
            x[c] = keep;
            if (n1 != n0 || n2 != n0 || strcmp(end0, end1) != 0 || strcmp(end0, end2) != 0)
                continue;
            for (int r = 0; r < SIZE; r++) most = fmax(most, fabs(M[r * SIZE + c]));
            for (int r = 0; r < SIZE; r++) {
                double d = (a[r] - b[r]) / (2 * h) - M[r * SIZE + c];
                if (fabs(d) > 1e-5 * most)
                    print_error("model %d column %d row %d: %g, differences %g (%s to %s)\n",
                                (int)i, c, r, M[r * SIZE + c], (a[r] - b[r]) / (2 * h), phase,
                                end0);
                worst = fmax(worst, fabs(d) / most);
            }
            compared++;
        }
        end(&m);
    }
    print_message("   %d columns, worst %.1e\n", compared, worst);
    assert_true(worst < 1e-5 && compared > 300);
}

// Two coupled directions whose friction would have to pull: G_nn - mu |G_nt| < 0.
static void a_rigid_contact_in_painleves_paradox_stops_by_that_name(void **state) {
    (void)state;
    motion m =
        begin("judder: 1\nstructure: {type: modes, omega: [1, 2], shapes: {n: [1, 0.2], t: [3, "
              "-1]}}\ncontacts: {c: {at: {normal: n, tangential: t}, against: {velocity: 1}, "
              "law: {type: dry-contact, coefficient: 0.9, restitution: 0, gap: 0}}}\ndrives: "
              "{k: {at: n, type: constant, value: 3}}\nstart: {type: state, of: modes, "
              "displacement: [0, 0], velocity: [0, 0]}\nsimulate: {engine: series, until: "
              "20}\n");
    while (next(&m, 20)) {
    }
    jd_report r;
    jd_run_report(m.run, &r);
    assert_string_equal(jd_stop_name(r.stop), "painleve");
    end(&m);
}

static const char *chosen(int contacts, const char *law, const char **why) {
    static char text[20000];
    int n =
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: chain, count: 80, mass: 1, stiffness: 1, points: {");
    for (int j = 1; j <= contacts; j++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%sp%d: {node: %d}", j > 1 ? ", " : "", j,
                      j);
    n += snprintf(text + n, sizeof text - (size_t)n, "}}\ncontacts:\n");
    for (int j = 1; j <= contacts; j++)
        n += snprintf(text + n, sizeof text - (size_t)n, "  c%d: {at: p%d, law: %s}\n", j, j, law);
    snprintf(text + n, sizeof text - (size_t)n, "start: rest\nsimulate: {until: 1}\n");
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem;
    const jd_engine_info *engine = NULL;
    assert_int_equal(
        jd_model_parse(context, "many.yaml", ".", text, strlen(text), 0, NULL, &problem), JD_OK);
    assert_int_equal(jd_problem_build(problem), JD_OK);
    assert_int_equal(jd_engine_choose(problem, &engine, why), JD_OK);
    jd_problem_free(problem);
    jd_context_free(context);
    return engine->name;
}

static void auto_takes_series_for_springs_and_for_many_contacts(void **state) {
    (void)state;
    const char *why;
    assert_string_equal(chosen(2, "{type: coulomb, limit: 1}", &why), "exact");
    assert_null(why);
    assert_string_equal(chosen(2, "{type: coulomb, limit: 1, stiffness: 3}", &why), "series");
    assert_non_null(why);
    assert_string_equal(chosen(30, "{type: coulomb, limit: 1}", &why), "series");
    assert_non_null(strstr(why, "20 contacts"));
    assert_string_equal(chosen(70, "{type: coulomb, limit: 1}", &why), "series");
}

// A spring that has reached its limit and is then held by a rigid contact, which lets go: its force
// turns back, whatever rounding makes of its first derivatives.
static void rigid_contacts_let_go_of_springs_at_their_limit(void **state) {
    (void)state;
    static const char *const rigid[] = {
        "{type: stop, gap: 0.1, restitution: 0}", "{type: stop, gap: 0.1, restitution: 0.4}",
        "{type: coulomb, limit: 0.1}", "{type: coulomb, limit: 0.3}"};
    for (int i = 0; i < 36; i++) {
        static const double limit[] = {0.05, 0.15, 0.3}, stiffness[] = {1, 3, 10};
        char text[1000];
        snprintf(
            text, sizeof text,
            "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {p: "
            "{node: 1}}, damping: {type: ratio, value: 0.05}}\ncontacts: {s: {at: p, law: %s}, "
            "b: {at: p, law: {type: coulomb, limit: %g, stiffness: %g}}}\ndrives: {f: {at: p, "
            "type: harmonic, amplitude: 1, frequency: %g}}\nstart: rest\nsimulate: {engine: "
            "series, until: 200}\n",
            rigid[i % 4], limit[i / 4 % 3], stiffness[i / 12], i % 5 ? 1.5 : 0.4);
        motion m = begin(text);
        while (next(&m, 200))
            ;
        assert_int_equal(m.step, JD_STEP_TIME);
        assert_true(fabs(residual(&m)) < 1e-11);
        end(&m);
    }
}

// The normal force of a rigid part jumps where another rigid contact changes, and a spring that
// slides under it cannot follow.
static void springs_under_a_reaction_that_jumps_are_refused(void **state) {
    (void)state;
    const char *text =
        "judder: 1\nstructure: {type: chain, count: 3, mass: 1, stiffness: 1, points: {a: {node: "
        "1}, b: {node: 2}, c: {node: 3}}}\ncontacts: {pad: {at: {normal: a, tangential: b}, law: "
        "{type: dry-contact, coefficient: 0.3, gap: 0.1, restitution: 0.5, tangential_stiffness: "
        "10}}, rub: {at: c, law: {type: coulomb, limit: 0.2}}}\nsimulate: {engine: series, until: "
        "1}\n";
    motion m = {.context = jd_context_create(NULL)};
    assert_int_equal(
        jd_model_parse(m.context, "series.yaml", ".", text, strlen(text), 0, NULL, &m.problem),
        JD_OK);
    assert_int_equal(jd_run_create(m.context, m.problem, &m.run), JD_NOT_SUPPORTED);
    assert_non_null(strstr(jd_context_error(m.context)->message, "normal force jumps"));
    jd_problem_free(m.problem);
    jd_context_free(m.context);
}

// A mass that falls on a stop: flights shrink by e, and end at t1 (1 + 2 e/(1 - e)), where t1 is
// the first fall.
static void chatter_ends_within_the_error_told(void **state) {
    (void)state;
    static const double e[] = {0.05, 0.3, 0.5, 0.7, 0.85};
    double most = 0;
    for (int i = 0; i < 30; i++) {
        double gap = 0.1 + 0.3 * (i % 7), load = 0.5 + 0.4 * (i % 4), mass = 1 + 0.7 * (i % 3);
        double t1 = sqrt(2 * gap * mass / load), r = e[i % 5], whole = t1 * (1 + 2 * r / (1 - r));
        char text[900];
        snprintf(
            text, sizeof text,
            "judder: 1\nstructure: {type: chain, count: 1, mass: %.17g, stiffness: 1, "
            "supports: {left: free, right: free}, points: {n: {node: 1}}}\ncontacts: {b: {at: "
            "n, law: {type: stop, gap: %.17g, restitution: %.17g}}}\ndrives: {g: {at: n, type: "
            "constant, value: %.17g}}\nstart: rest\nsimulate: {engine: series, until: 99}\n",
            mass, gap, r, load);
        motion m = begin(text);
        double closed = 0;
        for (const jd_event *x = next(&m, 99); x; x = next(&m, 99))
            if (x->to != JD_CONTACT_OPEN) closed = x->t;
        jd_report report;
        jd_run_report(m.run, &report);
        double error = report.certificate.chatter_error;
        assert_true(closed > 0 && fabs(closed - whole) <= error);
        assert_true(error < 1e-9 * whole);
        most = fmax(most, fabs(closed - whole) / error);
        end(&m);
    }
    print_message("   at most %.2f of the error told\n", most);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jenkins_element_lets_go_where_its_spring_reaches_the_limit),
        cmocka_unit_test(an_elastic_stop_throws_back_as_in_closed_form),
        cmocka_unit_test(energies_of_drawn_models_add_up),
        cmocka_unit_test(a_saved_state_goes_on_bit_for_bit),
        cmocka_unit_test(chatter_ends_within_the_error_told),
        cmocka_unit_test(tangents_agree_with_differences),
        cmocka_unit_test(a_rigid_contact_in_painleves_paradox_stops_by_that_name),
        cmocka_unit_test(a_dry_contact_without_friction_does_not_feel_its_belt),
        cmocka_unit_test(rigid_contacts_let_go_of_springs_at_their_limit),
        cmocka_unit_test(springs_under_a_reaction_that_jumps_are_refused),
        cmocka_unit_test(auto_takes_series_for_springs_and_for_many_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
