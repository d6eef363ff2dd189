// pile_numbers.c -- what pile drivers ask of a run: energy delivered, driving forces along the
// pile, force and impedance times velocity at the head, blow counts, depth, friction that is stuck.
#include "draws.h"
#include "how_many.h"
#include "wave_case.h"

static char text[3000];

typedef struct pile {
    double length, ea, rho, force, duration; // [m], [N], [kg/m], [N], [s]
    int nodes;
} pile;

// The peak of the blow falls on a step.
static pile draw_pile(void) {
    pile q = {.length = mixed(5, 50), .ea = decades(6, 10), .rho = decades(1, 3)};
    q.nodes = 101 + 2 * pick(50);
    double dt = q.length / (q.nodes - 1) / sqrt(q.ea / q.rho);
    q.duration = 2 * (5 + pick(q.nodes / 8)) * dt;
    q.force = decades(3, 7);
    return q;
}

static double impedance(const pile *q) { return sqrt(q->ea * q->rho); }
static double passage(const pile *q) { return q->length / sqrt(q->ea / q->rho); }

static void compute(wave_case *w, const char *contacts, const pile *q, int blows, double every,
                    double until, double sample, jd_result **result) {
    snprintf(
        text, sizeof text,
        "judder: 1\n"
        "structure: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
        "  supports: {left: free, right: free}, points: {head: 0, tip: %.17g}}\n"
        "%s"
        "drives: {hammer: {at: head, type: pulse, shape: half-sine, amplitude: %.17g, "
        "duration: %.17g, repeat: %d, every: %.17g}}\n"
        "simulate: {engine: wave, until: %.17g, nodes: %d}\n"
        "output: {every: %.17g, points: [head, tip]}\n",
        q->length, q->ea, q->rho, q->length, contacts, q->force, q->duration, blows, every, until,
        q->nodes, sample);
    *w = (wave_case){0};
    w->context = jd_context_create(NULL);
    if (jd_model_parse(w->context, "m.yaml", ".", text, strlen(text), 0, NULL, &w->problem) ||
        jd_result_of_run(w->context, w->problem, result))
        fail_msg("%s", jd_context_error(w->context)->message);
}

static void done(wave_case *w, jd_result *result) {
    jd_result_free(result);
    jd_problem_free(w->problem);
    jd_context_free(w->context);
}

static const double *column(const jd_columns *c, const char *name) {
    for (int k = 0; k < c->n_column; k++)
        if (!strcmp(c->name[k], name)) return c->value[k];
    fail_msg("no column `%s`", name);
    return NULL;
}

static const jd_named_reals *along(const jd_run_result *r, const char *name) {
    for (int i = 0; i < r->n_grid; i++)
        if (!strcmp(r->positions[i].name, name)) return &r->positions[i];
    fail_msg("nothing along the pile is named `%s`", name);
    return NULL;
}

// A free pile: half a sine of force A and length T delivers A^2 T/(2 Z), runs down as compression
// and comes back from the tip as tension; F = Z v at the head until then.
static void a_blow_on_a_free_pile_is_that_of_the_closed_form(void **state) {
    (void)state;
    double energy = 0, push = 0, pull = 0, proportional = 0;
    for (int k = 0, count = how_many(20, 5); k < count; k++) {
        pile q = draw_pile();
        wave_case w;
        jd_result *result;
        double dt = passage(&q) / (q.nodes - 1);
        compute(&w, "", &q, 2, 10 * passage(&q), 1.9 * passage(&q), dt, &result);
        const jd_run_result *r = jd_result_run(result);
        const jd_columns *b = &r->blows->table, *s = &r->lists.samples;
        double exact = q.force * q.force * q.duration / (2 * impedance(&q));
        double step = pow(acos(-1) * dt / q.duration, 2); // loads are means over two steps
        energy = fmax(energy, fabs(column(b, "delivered")[0] / exact - 1) / step);
        const jd_named_reals *most = along(r, "structure.compression"),
                             *least = along(r, "structure.tension");
        int tail = (int)(q.duration / dt) + 2; // near the ends both waves overlap
        for (int i = tail; i < q.nodes - tail; i++) {
            push = fmax(push, fabs(most->value[i] / q.force - 1) / step);
            if (2 * i > q.nodes) pull = fmax(pull, fabs(least->value[i] / q.force - 1) / step);
        }
        const double *f = column(s, "head.axial"), *zv = column(s, "head.zv");
        for (int i = 0; i < s->n_row; i++)
            proportional = fmax(proportional, fabs(f[i] + zv[i]) / q.force);
        done(&w, result);
    }
    print_message("of (pi dt/T)^2: energy delivered %.3f, compression %.3f, tension %.3f; F = Z v "
                  "%.1e\n",
                  energy, push, pull, proportional);
    assert_near(energy, 0, 0.34); // 1/3 by the mean of a sine over two steps
    assert_near(push, 0, 0.17);   // 1/6
    assert_near(pull, 0, 0.17);
    assert_near(proportional, 0, 1e-10);
}

// The same, finer: second order in the step.
static void energy_and_forces_converge_with_second_order(void **state) {
    (void)state;
    double off[2];
    for (int k = 0; k < 2; k++) {
        pile q = {.length = 20, .ea = 3.15e9, .rho = 225, .force = 2.5e6, .nodes = k ? 801 : 201};
        q.duration = 40 * passage(&q) / 200;
        wave_case w;
        jd_result *result;
        compute(&w, "", &q, 2, 1, 1.9 * passage(&q), 1e-3, &result);
        const jd_run_result *r = jd_result_run(result);
        double exact = q.force * q.force * q.duration / (2 * impedance(&q));
        off[k] = fabs(column(&r->blows->table, "delivered")[0] / exact - 1);
        done(&w, result);
    }
    print_message("energy delivered: %.2e with 201 nodes, %.2e with 801\n", off[0], off[1]);
    assert_true(off[1] < 1e-3 && off[0] / off[1] > 12);
}

// Blow counts, depth and shares of a pile in friction on soil.
static void tables_of_blows_agree_with_the_motion(void **state) {
    (void)state;
    const pile q = {20, 3.15e9, 225, 2.5e6, 8e-3, 201};
    wave_case w;
    jd_result *result;
    compute(
        &w,
        "contacts:\n"
        "  shaft: {at: {span: [10, 20]}, against: ground, footprint: moving,\n"
        "          law: {type: coulomb, limit: 3e4, profile: {at: [0, 15], factor: [0.3, 1]}}}\n"
        "  toe: {at: tip, against: ground, law: {type: soil, limit: 2e5, quake: 2.5e-3}}\n",
        &q, 10, 0.25, 2.5, 0.125, &result);
    const jd_run_result *r = jd_result_run(result);
    const jd_columns *b = &r->blows->table, *s = &r->lists.samples;
    assert_int_equal(b->n_row, 10);
    const double *set = column(b, "tip.set"), *depth = column(b, "tip.depth");
    const double *in = column(b, "embedded"), *count = column(b, "per_quarter");
    const double *hold = column(b, "resistance"), *felt = column(b, "mobilised");
    for (int i = 0; i < b->n_row; i++) {
        double down = depth[i] + set[i], d = 10 + down; // of a line to 30 kN/m at 15 m
        double limit = 3e4 * (0.3 * d + 0.7 / 15 * d * d / 2) + 2e5;
        assert_relative(count[i], 0.25 / set[i], 1e-14);
        assert_near(in[i], d, 2e-3);              // the pile is strained by less
        assert_relative(hold[i], limit, 5e-4);    // likewise
        assert_true(felt[i] <= 1.0001 * hold[i]); // no damping of the soil
        assert_true(column(b, "compression")[i] > 2e6 && column(b, "stuck")[i] < 1);
    }
    for (int i = 0; i < s->n_row; i++) {
        double stuck = column(s, "shaft.stuck")[i], share = column(s, "shaft.mobilised")[i];
        assert_true(stuck >= 0 && stuck <= 1 && share >= 0 && share <= 1 + 1e-12);
    }
    assert_near(column(s, "shaft.stuck")[s->n_row - 2], 1, 0.5); // between blows it comes to rest
    done(&w, result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blow_on_a_free_pile_is_that_of_the_closed_form),
        cmocka_unit_test(energy_and_forces_converge_with_second_order),
        cmocka_unit_test(tables_of_blows_agree_with_the_motion)};
    return cmocka_run_group_tests_name("pile_numbers", tests, NULL, NULL);
}
