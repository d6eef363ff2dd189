// follow_cells.c -- branches of structures with contacts along a span, over frequency and force.
//   A rod rubs along its outer part, in cells i at x_i of the length h:
//     q_k'' + 2 D w_k q_k' + w_k^2 q_k = phi_k(L) F sin(w t) - sum_i phi_k(x_i) T_i,
//     phi_k = sqrt(2/(m L)) sin((k - 1/2) pi x/L),    T_i' = k h u_i', |T_i| <= r h
//   References: small steps with a return mapping; all cells stuck, the linear response, whose
//   largest cell begins to slide at the amplitude r/k; the same contacts written one by one.
#include <complex.h>
#include <math.h>

#include "draws.h"
#include "follow_case.h"
#include "judder/orbit.h"
#include "sweep_case.h"

enum { MODES = 6, CELLS = 6, TEXT = 6000 };
static const double pi = 3.14159265358979323846;
static const double length = 2, axial = 4e6, mass = 100, ratio = 0.02, from = 0.5; // [m], [N] ...
static const double limit = 300, stiffness = 2e6;                                  // [N/m], [N/m^2]

static double omega_of(int k) { return (k + 0.5) * pi / length * sqrt(axial / mass); }
static double shape_at(int k, double x) {
    return sqrt(2 / (mass * length)) * sin((k + 0.5) * pi * x / length);
}
static double cell_at(int i) { return from + (length - from) * (i + 0.5) / CELLS; }

static const char *write_rod(const char *section) {
    static char text[TEXT];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: rod, length: %g, axial_stiffness: %g, mass_per_length: %g, modes: "
             "%d, supports: {left: fixed, right: free}, damping: {type: ratio, value: %g}, points: "
             "{tip: %g}}\n"
             "contacts: {shaft: {at: {span: [%g, %g]}, cells: %d, law: {type: coulomb, limit: %g, "
             "stiffness: %g}}}\n"
             "drives: {vibrator: {at: tip, type: harmonic, amplitude: 800, frequency: 250}}\n"
             "%s\n",
             length, axial, mass, MODES, ratio, length, from, length, CELLS, limit, stiffness,
             section);
    return text;
}

// Amplitude of the tip in the last of many periods, by small steps: velocities at their middle,
// forces of cells from displacements, cut at their limit. Where cells rest is left to the start.
static double small_steps(double w, double force, int periods, int steps) {
    double q[MODES] = {0}, v[MODES] = {0}, u[CELLS] = {0}, T[CELLS] = {0};
    double phi[MODES][CELLS], end[MODES], own[MODES], h = (length - from) / CELLS;
    double dt = 2 * pi / w / steps, least = HUGE_VAL, most = -HUGE_VAL;
    for (int k = 0; k < MODES; k++) {
        end[k] = shape_at(k, length);
        own[k] = omega_of(k);
        for (int i = 0; i < CELLS; i++) phi[k][i] = shape_at(k, cell_at(i));
    }
    for (long n = 0; n < (long)periods * steps; n++) {
        double F = force * sin(w * dt * (double)n), tip = 0;
        for (int k = 0; k < MODES; k++) {
            double a = end[k] * F - own[k] * own[k] * q[k];
            double c = ratio * own[k] * dt; // half of the damping over a step
            for (int i = 0; i < CELLS; i++) a -= phi[k][i] * T[i];
            v[k] = ((1 - c) * v[k] + dt * a) / (1 + c);
            q[k] += dt * v[k];
            tip += end[k] * q[k];
        }
        for (int i = 0; i < CELLS; i++) {
            double now = 0;
            for (int k = 0; k < MODES; k++) now += phi[k][i] * q[k];
            T[i] += stiffness * h * (now - u[i]);
            T[i] = fmax(-limit * h, fmin(limit * h, T[i]));
            u[i] = now;
        }
        if (n < (long)(periods - 1) * steps) continue;
        most = fmax(most, tip);
        least = fmin(least, tip);
    }
    return (most - least) / 2;
}

// Largest amplitude of a cell while all are stuck: (A + k h phi phi') q = phi(L) F.
static double largest_stuck(double w, double force) {
    double complex A[MODES][MODES + 1];
    double h = (length - from) / CELLS, w0;
    for (int k = 0; k < MODES; k++) {
        for (int l = 0; l < MODES; l++) {
            A[k][l] = 0;
            for (int i = 0; i < CELLS; i++)
                A[k][l] += stiffness * h * shape_at(k, cell_at(i)) * shape_at(l, cell_at(i));
        }
        w0 = omega_of(k);
        A[k][k] += w0 * w0 - w * w + 2 * ratio * w0 * w * (double complex)_Complex_I;
        A[k][MODES] = force * shape_at(k, length);
    }
    for (int k = 0; k < MODES; k++) // positive definite but for the inertia of what is slow
        for (int l = 0; l < MODES; l++) {
            double complex by = A[l][k] / A[k][k];
            for (int j = k; l != k && j <= MODES; j++) A[l][j] -= by * A[k][j];
        }
    double most = 0;
    for (int i = 0; i < CELLS; i++) {
        double complex u = 0;
        for (int k = 0; k < MODES; k++) u += shape_at(k, cell_at(i)) * A[k][MODES] / A[k][k];
        most = fmax(most, cabs(u));
    }
    return most;
}

// Branch points along the way, beside small steps.
static double largest_error(const jd_follow_view *v, bool of_force) {
    double most = 0;
    for (int i = 0; i < 6; i++) {
        const jd_branch_point *p = &v->point[i * (v->n_point - 1) / 5];
        double w = of_force ? 250 : p->parameter, force = of_force ? p->parameter : 800;
        double reference = small_steps(w, force, 300, 1000);
        most = fmax(most, fabs(p->amplitude / reference - 1));
        assert_true(p->stable);
    }
    return most;
}

static void a_rubbing_rod_is_followed_over_frequency_and_force(void **state) {
    static const char *const section[] = {
        "follow: {parameter: drives.vibrator.frequency, from: 150, to: 380, measure: "
        "tip.displacement.amplitude}",
        "follow: {parameter: drives.vibrator.amplitude, from: 5000, to: 300, measure: "
        "tip.displacement.amplitude}"};
    for (int i = 0; i < 2; i++) {
        jd_follow *f = follows(*state, write_rod(section[i]), NULL, NULL);
        const jd_follow_view *v = jd_follow_look(f);
        int onsets = 0;
        assert_int_equal(v->end, JD_END_TO);
        for (int k = 0; k < v->n_special; k++) {
            const jd_special *s = &v->special[k];
            if (s->kind != JD_SPECIAL_SLIP_ENDS && s->kind != JD_SPECIAL_SLIP_BEGINS) continue;
            onsets++;
            bool stuck = !strcmp(v->phases[s->after], "~");
            double w = i ? 250 : s->parameter, force = i ? s->parameter : 800;
            if (!stuck) continue;
            print_message("all stuck from %.9g on: %.2g\n", s->parameter,
                          largest_stuck(w, force) * stiffness / limit - 1);
            assert_near(largest_stuck(w, force) * stiffness / limit, 1, 1e-8);
        }
        double error = largest_error(v, i == 1);
        print_message("%d points, %d onsets, beside small steps %.2g\n", v->n_point, onsets, error);
        assert_true(onsets >= 2 && error < 1e-4); // 3e-5: falls with the square of the steps
        jd_follow_free(f);
    }
}

// A span of n cells, or the points at their middles.
typedef struct drawn {
    int structure, cells;
    bool stop;
    double damping, limit, stiffness, force;
} drawn;

static const char *const structures[] = {
    "{type: rod, length: 1, axial_stiffness: 10, mass_per_length: 1, modes: 4, supports: {left: "
    "fixed, right: free}",
    "{type: string, length: 1, tension: 10, mass_per_length: 1, modes: 5",
    "{type: beam, length: 1, bending_stiffness: 1, mass_per_length: 1, modes: 3, supports: {left: "
    "clamped, right: free}"};
static const double first_omega[] = {4.967, 9.935, 3.516};

static void write_law(char *out, size_t size, const drawn *d, double by) {
    if (d->stop)
        snprintf(out, size, "{type: stop, gap: 0.02, stiffness: %.17g}", by * d->stiffness);
    else
        snprintf(out, size, "{type: coulomb, limit: %.17g, stiffness: %.17g}", by * d->limit,
                 by * d->stiffness);
}

static const char *write_drawn(const drawn *d, bool span) {
    static char text[TEXT];
    char contacts[2000] = "", points[500] = "", law[200];
    size_t used = 0, at = 0;
    double h = 0.5 / d->cells;
    write_law(law, sizeof law, d, 1);
    if (span)
        snprintf(contacts, sizeof contacts, "pad: {at: {span: [0.25, 0.75]}, cells: %d, law: %s}",
                 d->cells, law);
    for (int i = 0; i < d->cells; i++) {
        at += (size_t)snprintf(points + at, sizeof points - at, ", p%d: %.17g", i,
                               0.25 + (i + 0.5) * h);
        write_law(law, sizeof law, d, h);
        if (!span)
            used += (size_t)snprintf(contacts + used, sizeof contacts - used,
                                     "%sc%d: {at: p%d, law: %s}", i ? ", " : "", i, i, law);
    }
    double w = first_omega[d->structure];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: %s, damping: {type: ratio, value: %.17g}, points: {tip: 0.97%s}}\n"
             "contacts: {%s}\n"
             "drives: {f: {at: tip, type: harmonic, amplitude: %.17g, frequency: 1}}\n"
             "simulate: {engine: series, until: 1}\n"
             "orbit: {settle: 100 periods}\n"
             "follow: {parameter: drives.f.frequency, from: %.17g, to: %.17g, measure: "
             "tip.displacement.max}\n",
             structures[d->structure], d->damping, points, contacts, d->force, 1.6 * w, 0.7 * w);
    return text;
}

static bool is_compared(jd_special_kind kind) {
    return kind == JD_SPECIAL_FOLD || kind == JD_SPECIAL_FLIP ||
           kind == JD_SPECIAL_NEIMARK_SACKER || kind == JD_SPECIAL_SLIP_BEGINS ||
           kind == JD_SPECIAL_SLIP_ENDS;
}

// The next special point of a kind that does not depend on how contacts are told apart.
static const jd_special *next(const jd_follow_view *v, int *i) {
    while (*i < v->n_special && !is_compared(v->special[*i].kind)) (*i)++;
    return *i < v->n_special ? &v->special[(*i)++] : NULL;
}

static int compare(const jd_follow_view *a, const jd_follow_view *b) {
    const jd_special *s, *t;
    int i = 0, j = 0, n = 0;
    do {
        s = next(a, &i), t = next(b, &j);
        assert_true(!s == !t);
        if (!s) break;
        assert_int_equal(s->kind, t->kind);
        assert_near(s->parameter / t->parameter, 1, 1e-8);
        n++;
    } while (s);
    assert_int_equal(a->end, JD_END_TO);
    assert_int_equal(b->end, JD_END_TO);
    assert_near(a->point[a->n_point - 1].amplitude / b->point[b->n_point - 1].amplitude, 1, 1e-9);
    return n;
}

static void spans_have_the_branches_of_contacts_one_by_one(void **state) {
    int compared = 0;
    for (int i = 0; i < 6; i++) {
        seed = (unsigned long long)i + 1;
        drawn d = {.structure = i % 3, .cells = 2 + pick(4), .stop = i >= 4};
        d.damping = d.stop ? mixed(0.08, 0.15) : mixed(0.03, 0.08);
        d.limit = mixed(0.2, 0.6);
        d.stiffness = d.stop ? mixed(5, 20) : mixed(20, 60);
        d.force = d.structure == 2 ? mixed(0.05, 0.1) : mixed(0.2, 0.5);
        jd_follow *a = follows(*state, write_drawn(&d, true), NULL, NULL);
        jd_follow *b = follows(*state, write_drawn(&d, false), NULL, NULL);
        compared += compare(jd_follow_look(a), jd_follow_look(b));
        jd_follow_free(a);
        jd_follow_free(b);
    }
    print_message("%d special points compared\n", compared);
    assert_true(compared >= 6);
}

// Nodes of a chain with shares, and the same contacts one by one; stuck, partly and all sliding.
static void sweeps_of_cells_have_the_amplitudes_of_contacts_one_by_one(void **state) {
    static const char *const contacts[] = {
        "f: {at: {points: {a: 1, b: 2, c: 1}}, law: {type: coulomb, limit: 0.8, stiffness: 4}}",
        "fa: {at: a, law: {type: coulomb, limit: 0.2, stiffness: 1}}, fb: {at: b, law: {type: "
        "coulomb, limit: 0.4, stiffness: 2}}, fc: {at: c, law: {type: coulomb, limit: 0.2, "
        "stiffness: 1}}"};
    double found[2][4];
    for (int k = 0; k < 2; k++) {
        char text[1500];
        snprintf(
            text, sizeof text,
            "judder: 1\n"
            "structure: {type: chain, count: 4, mass: 1, stiffness: 1, supports: {left: fixed, "
            "right: free}, damping: {type: ratio, value: 0.05}, points: {a: {node: 1}, b: "
            "{node: 2}, c: {node: 3}, d: {node: 4}}}\n"
            "contacts: {%s}\n"
            "drives: {s: {at: d, type: harmonic, amplitude: 0.4, frequency: 0.5}}\n"
            "simulate: {engine: series, until: 1}\n"
            "sweep: {parameters: drives.s.frequency, from: 0.3, to: 1.2, points: 4, measure: "
            "d.displacement.amplitude}\n",
            contacts[k]);
        jd_sweep *sweep = sweep_done(*state, text, 1);
        for (int i = 0; i < 4; i++) {
            const jd_sweep_point *p = &jd_sweep_look(sweep)->point[i];
            assert_true(p->settled);
            found[k][i] = p->amplitude;
        }
        jd_sweep_free(sweep);
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
}

// A free rod under its weight and a vibrator comes back but for its set: told, not waited for.
static void a_rod_that_goes_on_by_a_set_is_told_so(void **state) {
    model_case *m = *state;
    jd_orbit *orbit;
    reads(m,
          "judder: 1\n"
          "structure: {type: rod, length: 2, axial_stiffness: 4e6, mass_per_length: 100, modes: 4, "
          "supports: {left: free, right: free}, damping: {type: ratio, value: 0.02}, points: "
          "{head: 0}}\n"
          "contacts: {shaft: {at: {span: [0, 2]}, cells: 3, law: {type: coulomb, limit: 450, "
          "stiffness: 2e6}}}\n"
          "drives: {weight: {at: head, type: constant, value: 300}, vibrator: {at: head, type: "
          "harmonic, amplitude: 2000, frequency: 100}}\n",
          NULL);
    assert_int_equal(jd_orbit_create(m->context, m->problem, NULL, &orbit), JD_OK);
    assert_false(jd_orbit_look(orbit)->found);
    assert_non_null(strstr(jd_orbit_look(orbit)->search.why, "set in each period"));
    jd_orbit_free(orbit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(a_rubbing_rod_is_followed_over_frequency_and_force),
        MODEL_TEST(spans_have_the_branches_of_contacts_one_by_one),
        MODEL_TEST(sweeps_of_cells_have_the_amplitudes_of_contacts_one_by_one),
        MODEL_TEST(a_rod_that_goes_on_by_a_set_is_told_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
