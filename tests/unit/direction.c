// direction.c -- directions as vectors over points: a plane that is turned with its contacts moves
// alike; what is no direction is refused; the work of sliding as a field of its own.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "draws.h"
#include "judder/judder.h"
#include "model_case.h"

enum { MODELS = 20, MODES = 4, EVENTS = 400 };

typedef struct list {
    int n;
    double t[EVENTS];
    char to[EVENTS];
    double u[2];
} list;

static void run_model(const char *text, list *out) {
    jd_context *context = jd_context_create(NULL);
    jd_problem *p = NULL;
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    jd_status s = jd_model_parse(context, "m.yaml", ".", text, strlen(text), 0, NULL, &p);
    if (s == JD_OK) s = jd_run_create(context, p, &run);
    if (s != JD_OK) fail_msg("%s\n%s", jd_context_error(context)->message, text);
    out->n = 0;
    while (step == JD_STEP_EVENT && out->n < EVENTS) {
        assert_int_equal(jd_run_advance(run, 20, &step), JD_OK);
        if (step != JD_STEP_EVENT) break;
        out->t[out->n] = jd_run_event(run)->t;
        out->to[out->n++] = jd_contact_letter(jd_run_event(run)->to);
    }
    double v[2], force[2];
    jd_run_observe_contacts(run, 20, out->u, v, force);
    jd_run_free(run);
    jd_problem_free(p);
    jd_context_free(context);
}

// Shapes of a node's x and y in four modes; the same contact given by a vector over x and y, or as
// points whose shapes are turned already.
static void write_model(char *text, size_t size, bool vector, double angle, const double *x,
                        const double *y, const double *omega) {
    double c = cos(angle), s = sin(angle), n[MODES], t[MODES];
    for (int k = 0; k < MODES; k++) n[k] = c * x[k] + s * y[k], t[k] = -s * x[k] + c * y[k];
    const double *one = vector ? x : n, *two = vector ? y : t;
    char at[200] = "{normal: one, tangential: two}", side[100] = "two";
    if (vector) // any length: it is made 1
        snprintf(at, sizeof at,
                 "{normal: {one: %.17g, two: %.17g}, tangential: {one: %.17g, two: %.17g}}", 3 * c,
                 3 * s, -0.2 * s, 0.2 * c);
    if (vector) snprintf(side, sizeof side, "{direction: {one: %.17g, two: %.17g}}", -s, c);
    snprintf(text, size,
             "judder: 1\nstructure: {type: modes, omega: [%.17g, %.17g, %.17g, %.17g], ratio: "
             "[0.02, 0.02, 0.02, 0.02], shapes: {one: [%.17g, %.17g, %.17g, %.17g], two: [%.17g, "
             "%.17g, %.17g, %.17g]}}\n"
             "contacts:\n  pad: {at: %s, law: {type: dry-contact, coefficient: 0.4, gap: 0.1, "
             "normal_stiffness: 20, tangential_stiffness: 15}}\n"
             "  rub: {at: %s, law: {type: coulomb, limit: 0.1}}\n"
             "drives: {f: {type: harmonic, at: %s, amplitude: 1, frequency: 1.7}}\n"
             "simulate: {until: 20}\n",
             omega[0], omega[1], omega[2], omega[3], one[0], one[1], one[2], one[3], two[0], two[1],
             two[2], two[3], at, side, side);
}

static void a_plane_that_is_turned_moves_alike(void **state) {
    (void)state;
    static list a, b;
    double worst = 0;
    long events = 0;
    seed = 21;
    for (int i = 0; i < MODELS; i++) {
        double x[MODES], y[MODES], omega[MODES], angle = mixed(0.1, 6.2);
        for (int k = 0; k < MODES; k++) {
            x[k] = mixed(-1, 1), y[k] = mixed(-1, 1), omega[k] = 0.5 + k + mixed(0, 0.8);
        }
        char text[3000];
        write_model(text, sizeof text, true, angle, x, y, omega);
        run_model(text, &a);
        write_model(text, sizeof text, false, angle, x, y, omega);
        run_model(text, &b);
        assert_int_equal(a.n, b.n);
        for (int k = 0; k < a.n; k++) {
            assert_int_equal(a.to[k], b.to[k]);
            worst = fmax(worst, fabs(a.t[k] - b.t[k]));
        }
        for (int k = 0; k < 2; k++) worst = fmax(worst, fabs(a.u[k] - b.u[k]));
        events += a.n;
    }
    print_message("%ld events, off by %.1e\n", events, worst);
    assert_true(events > 200);
    assert_true(worst < 1e-11); // measured 3e-14
}

#define NODE                                                                                       \
    "judder: 1\nstructure: {type: modes, omega: [1, 2], shapes: {x: [1, 0.2], y: [-0.3, 1]}}\n"
#define BEAM                                                                                       \
    "judder: 1\nstructure: {type: fe-beam, length: 1, bending_stiffness: 1, mass_per_length: 1, "  \
    "elements: 4, points: {w: {node: 4}, r: {node: 4, dof: rotation}}}\n"
#define K(at) "contacts: {k: {at: " at ", law: {type: coulomb, limit: 1}}}\n"
#define DRY(at)                                                                                    \
    "contacts: {k: {at: " at ", law: {type: dry-contact, coefficient: 0.3, gap: 0, restitution: "  \
    "0}}}\n"

static void what_is_no_direction_is_refused(void **state) {
    static const struct {
        const char *text;
        jd_status status;
        const char *message;
    } bad[] = {
        {NODE K("{direction: {x: 1, z: 1}}"), JD_UNKNOWN_NAME, "there is no point named `z`"},
        {NODE K("{direction: {x: 0, y: 0}}"), JD_OUT_OF_RANGE, "has no length"},
        {NODE K("{direction: {}}"), JD_MISSING_KEY, "has no components"},
        {NODE K("{direction: [1, 2]}"), JD_WRONG_TYPE, "components of points"},
        {NODE K("{direction: {x: one}}"), JD_WRONG_TYPE, "`x`"},
        {NODE K("{point: x, direction: {x: 1}}"), JD_MISSING_KEY, "one of them only"},
        {NODE K("{direction: {x: 1 m}}"), JD_WRONG_UNIT, "`x`"},
        {BEAM K("{direction: {w: 1, r: 1}}"), JD_WRONG_UNIT, "adds a rotation to a displacement"},
        {NODE DRY("{normal: {x: 0.6, y: 0.8}, tangential: {x: -6, y: -8}}"), JD_NOT_SUPPORTED,
         "are parallel"},
        {NODE DRY("{normal: {x: 1, q: 1}, tangential: y}"), JD_UNKNOWN_NAME, "named `q`"},
    };
    model_case *m = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        jd_status got = model_parse(m, bad[i].text, NULL);
        const jd_error *e = jd_context_error(m->context);
        if (got != bad[i].status)
            fail_msg("%s: %s, %s", bad[i].text, jd_status_name(got), e->message);
        says("message", e->message, bad[i].message);
        says("place", e->where, "m.yaml:3:");
    }
    reads(m, NODE DRY("{normal: {x: 0.6, y: 0.8}, tangential: {x: -8, y: 6}}"), NULL);
}

// ---- work of sliding

static double wear_of(const char *text, double *lost) {
    jd_context *context = jd_context_create(NULL);
    jd_problem *p = NULL;
    jd_result *r = NULL;
    jd_status s = jd_model_parse(context, "m.yaml", ".", text, strlen(text), 0, NULL, &p);
    if (s == JD_OK) s = jd_result_of_run(context, p, &r);
    if (s != JD_OK) fail_msg("%s", jd_context_error(context)->message);
    const jd_run_result *run = jd_result_run(r);
    double wear = run->contact[0].wear;
    *lost = run->contact[0].friction;
    jd_result_free(r);
    jd_problem_free(p);
    jd_context_free(context);
    return wear;
}

// Friction R on a unit oscillator let go at x0: the path is x0 + 2 (x0 - 2R) + ..., until it
// sticks.
static void the_work_of_sliding_is_force_times_path(void **state) {
    (void)state;
    static const char *const engine[] = {"exact", "series"};
    double lost, path = 0, x = 2;
    for (; x > 0.1; x -= 0.2) path += 2 * x - 0.2; // half an oscillation about R
    for (size_t i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: "
                 "{node: 1}}}\ncontacts: {c: {at: m, law: {type: coulomb, limit: 0.1}}}\n"
                 "start: {type: state, displacement: [2.05]}\nsimulate: {until: 60, engine: %s}\n",
                 engine[i]);
        path = 0;
        for (x = 2.05; x > 0.1; x -= 0.2) path += 2 * x - 0.2;
        assert_relative(wear_of(text, &lost), 0.1 * path, 1e-12);
        assert_relative(lost, 0.1 * path, 1e-12);
    }
}

// A dashpot's loss is no wear, and neither is what a spring gives up when its slider lets go.
static void dashpots_and_jumps_are_no_work_of_sliding(void **state) {
    (void)state;
    double lost,
        wear = wear_of("judder: 1\nstructure: {type: modes, omega: [1, 1.6], shapes: {x: [1, "
                       "0.2], y: [-0.3, 1]}}\n"
                       "contacts: {k: {at: {normal: y, tangential: x}, law: {type: "
                       "dry-contact, coefficient: 0.3, static_coefficient: 0.4, preload: "
                       "1, normal_stiffness: 3, normal_damping: 0.4, "
                       "tangential_stiffness: 5}}}\n"
                       "drives: {f: {type: harmonic, at: x, amplitude: 1, frequency: 1}}\n"
                       "simulate: {until: 60}\n",
                       &lost);
    assert_true(wear > 0 && wear < 0.99 * lost);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_that_is_turned_moves_alike),
        MODEL_TEST(what_is_no_direction_is_refused),
        cmocka_unit_test(the_work_of_sliding_is_force_times_path),
        cmocka_unit_test(dashpots_and_jumps_are_no_work_of_sliding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
