// gradient_differences.c -- derivatives of orbits by numbers of the model against differences of
// orbits that were closed again, on random models and random keys.
//   Chains of 1 to 4 masses and beams under a harmonic force, with rigid friction (exact), friction
//   springs (series) and stops; keys are drawn from all real numbers of structure, contacts and
//   drives. D(h) of orbits at theta +- h, +- h/2, closed from the orbit itself; compared where both
//   differences agree to 3e-6: their extrapolation is then good to about 1e-8.
//   `gradient_differences COUNT FIRST` takes other models.
#include <math.h>
#include <stdlib.h>

#include "orbit_case.h"
#include "problem/paths/slots.h"

static int count = 60;
static unsigned long long first = 1;

enum { KEYS = 64 };

static unsigned long long state;
static double draw(double low, double high) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}
static int pick(int n) { return (int)draw(0, n); }

static struct tally {
    int models, orbits, keys, refused, saltation, compared;
    double worst;
} sum;

static void write_structure(char *text, size_t size, int n) {
    if (pick(4) == 0) {
        snprintf(text, size,
                 "structure: {type: beam, length: %.3f, bending_stiffness: %.3f, mass_per_length: "
                 "%.3f, modes: %d, supports: {left: clamped, right: free}, points: {a: %.2f, b: "
                 "%.2f}, damping: {type: ratio, value: %.3f}}\n",
                 1.5, draw(0.5, 2), draw(0.5, 2), n, 1.5, 0.8, draw(0.01, 0.08));
        return;
    }
    int at = snprintf(text, size, "structure: {type: chain, count: %d, mass: [", n);
    for (int i = 0; i < n; i++)
        at += snprintf(text + at, size - (size_t)at, "%s%.4f", i ? ", " : "", draw(0.5, 2));
    at += snprintf(text + at, size - (size_t)at, "], stiffness: [");
    for (int i = 0; i < n; i++)
        at += snprintf(text + at, size - (size_t)at, "%s%.4f", i ? ", " : "", draw(0.5, 3));
    snprintf(text + at, size - (size_t)at,
             "], supports: {left: fixed, right: free}, damping: {type: rayleigh, mass: %.4f, "
             "stiffness: %.4f}, points: {a: {node: %d}, b: {node: 1}}}\n",
             draw(0.01, 0.1), draw(0.005, 0.05), n);
}

static void write_model(char *text, size_t size) {
    char structure[600], law[200], stop[200] = "";
    write_structure(structure, sizeof structure, 1 + pick(4));
    int kind = pick(4);
    if (kind == 0)
        snprintf(law, sizeof law, "{type: coulomb, limit: %.4f}", draw(0.1, 0.5));
    else if (kind == 1)
        snprintf(law, sizeof law, "{type: coulomb, limit: %.4f, stiffness: %.4f}", draw(0.1, 0.5),
                 draw(1, 6));
    else if (kind == 2)
        snprintf(law, sizeof law, "{type: stop, gap: %.4f, restitution: %.3f}", draw(0.05, 0.5),
                 draw(0.2, 0.9));
    else
        snprintf(law, sizeof law, "{type: stop, gap: %.4f, stiffness: %.3f, damping: %.3f}",
                 draw(0.05, 0.5), draw(3, 20), draw(0, 0.3));
    if (kind < 2 && pick(3) == 0)
        snprintf(stop, sizeof stop,
                 ", s: {at: b, law: {type: coulomb, limit: %.4f, stiffness: %.3f}}",
                 draw(0.05, 0.2), draw(1, 5));
    snprintf(text, size,
             "judder: 1\n%scontacts: {c: {at: a, law: %s}%s}\n"
             "drives: {f: {at: a, type: harmonic, amplitude: %.4f, frequency: %.4f, phase: %.3f}}\n"
             "orbit: {periods: 1, settle: 40 periods}\n",
             structure, law, stop, draw(0.8, 2), draw(0.4, 2.5), draw(0, 3));
}

static bool is_real(void *user, const char *path, const jd_slot *slot) {
    bool *real = user;
    (void)path;
    *real = slot->kind == JD_SLOT_REAL || slot->kind == JD_SLOT_FREQUENCY;
    return false;
}

// A number that the motion depends on.
static const char *pick_key(jd_problem *p) {
    const char *key[KEYS], *path;
    int n = 0;
    for (int i = 0; (path = jd_problem_path(p, i)) && n < KEYS; i++) {
        bool real = false;
        if (strncmp(path, "structure.", 10) && strncmp(path, "contacts.", 9) &&
            strncmp(path, "drives.", 7))
            continue;
        jd_problem_walk(p, path, is_real, &real);
        double value;
        if (real && jd_problem_get(p, path, &value) == JD_OK && isfinite(value)) key[n++] = path;
    }
    return key[pick(n)];
}

typedef struct numbers {
    double value[8]; // least and most of up to three contacts, period
    int n;
    double largest; // multiplier
} numbers;

// The orbit at another value, from that of the model.
static bool orbit_at(orbit_case *c, const char *key, double value, numbers *out) {
    jd_orbit_options o = jd_default_orbit_options();
    jd_problem *p;
    jd_orbit *orbit = NULL;
    o.state = c->view->state;
    o.phase = c->view->phase;
    o.settle = 0;
    o.period = c->view->period;
    assert_int_equal(jd_problem_copy(c->context, c->problem, &p), JD_OK);
    bool good = jd_problem_set(p, key, value, NULL) == JD_OK &&
                jd_orbit_create(c->context, p, &o, &orbit) == JD_OK;
    jd_context_clear_error(c->context);
    const jd_orbit_view *v = good ? jd_orbit_look(orbit) : NULL;
    good = good && v->found && v->n_event == c->view->n_event && v->periods == c->view->periods;
    out->n = 0;
    for (int j = 0; good && j < jd_problem_contacts(p); j++) {
        out->value[out->n++] = v->range[j].displacement.min;
        out->value[out->n++] = v->range[j].displacement.max;
    }
    if (good) out->largest = v->stability.largest;
    if (good) out->value[out->n++] = v->period;
    jd_orbit_free(orbit);
    jd_problem_free(p);
    return good;
}

static double extrapolated(double h, const double *x, double *rough) {
    double wide = (x[3] - x[0]) / (2 * h), near = (x[2] - x[1]) / h;
    *rough = fabs(wide - near);
    return (4 * near - wide) / 3;
}

static void compare(orbit_case *c, const char *key, const jd_gradient_key *g) {
    double h = 2e-4 * (g->value != 0 ? fabs(g->value) : 1), scale = 0;
    numbers at[4];
    static const double node[] = {-1, -0.5, 0.5, 1};
    for (int i = 0; i < 4; i++)
        if (!orbit_at(c, key, g->value + node[i] * h, &at[i])) return;
    for (int j = 0; j < g->n_place; j++)
        scale = fmax(scale, fmax(fabs(g->place[j].d_least), fabs(g->place[j].d_most)));
    for (int i = 0; i < at[0].n; i++) {
        double rough, x[4] = {at[0].value[i], at[1].value[i], at[2].value[i], at[3].value[i]};
        double slope = extrapolated(h, x, &rough), size = 0;
        double own = i == at[0].n - 1 ? g->period
                     : i % 2          ? g->place[i / 2].d_most
                                      : g->place[i / 2].d_least;
        for (int k = 0; k < 4; k++)
            size = fmax(size, fabs(x[k]) / fabs(g->value != 0 ? g->value : 1));
        size = fmax(fmax(size, scale), fabs(slope));
        if (isnan(own) || rough > 3e-6 * size) continue; // a corner, or too far apart
        double error = fabs(own - slope) / size;
        sum.compared++;
        if (error > sum.worst) sum.worst = error;
        if (error > 1e-7)
            fail_msg("seed %llu: %s, number %d: %.12g, differences %.12g (%s, error %.1e)", first,
                     key, i, own, slope, jd_gradient_method_name(g->method), g->error);
    }
}

static void one(unsigned long long seed) {
    char text[2000];
    orbit_case c;
    jd_gradient *gradient;
    state = seed * 0x9E3779B97F4A7C15ULL + 1;
    write_model(text, sizeof text);
    orbit_parse(&c, text);
    sum.models++;
    orbit_seek(&c, NULL);
    if (c.view->found && !c.view->stability.neutral && c.view->stability.isolated &&
        !c.view->stability.soft) {
        sum.orbits++;
        for (int k = 0; k < 3; k++) {
            const char *key = pick_key(c.problem);
            double value;
            assert_int_equal(jd_problem_get(c.problem, key, &value), JD_OK);
            jd_status status =
                jd_gradient_create(c.context, c.problem, c.view, 1, &key, 0, NULL, &gradient);
            sum.refused += status == JD_NOT_SUPPORTED && value == 0;
            if (status == JD_NOT_SUPPORTED && value == 0) continue; // a law takes no other there
            if (status != JD_OK)
                fail_msg("seed %llu: %s: %s\n%s", seed, key, jd_context_error(c.context)->message,
                         text);
            const jd_gradient_key *g = jd_gradient_look(gradient)->key;
            sum.keys++;
            sum.saltation += g->method == JD_GRADIENT_SALTATION;
            compare(&c, key, g);
            jd_gradient_free(gradient);
        }
    }
    orbit_end(&c);
}

static void derivatives_are_those_of_differences(void **unused) {
    (void)unused;
    unsigned long long begin = first;
    for (int i = 0; i < count; i++) one(first = begin + (unsigned long long)i);
    print_message(
        "%d models, %d orbits, %d keys (%d by saltation, %d refused), %d numbers compared: largest "
        "difference %.1e\n",
        sum.models, sum.orbits, sum.keys, sum.saltation, sum.refused, sum.compared, sum.worst);
    assert_true(sum.orbits >= count / 3);
    assert_true(sum.saltation >= sum.keys * 9 / 10);
    assert_true(sum.compared >= sum.keys);
}

int main(int argc, char **argv) {
    if (argc > 1) count = atoi(argv[1]);
    if (argc > 2) first = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives_are_those_of_differences)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
