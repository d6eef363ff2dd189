// follow_pressed.c -- responses through permanent stick of contacts whose limit is a share of a
// normal force that swings with the motion, in one branch, whichever way it is followed.
//   Stuck and closed, a chain is linear: T(t) = T_m + Re T e^iwt, N(t) = N_m + Re N e^iwt, and with
//     A = |h N - T|,  B = |h N + T|   (amplitudes of h N -+ T)
//   the contact may rest where h N_m - T_m >= A and h N_m + T_m >= B. Centred, both margins are the
//   same: T_m = (B - A)/2; it slides where none is left: h N_m = (A + B)/2, N_m that of the static
//   equilibrium with the force T_m.
#include <complex.h>
#include <math.h>

#include "draws.h"
#include "follow_case.h"
#include "sweep_case.h"

enum { MOST = 5, ROOM = MOST + 1 };

typedef struct pressed {
    int n, normal, rub, drive, at;                      // nodes
    double damping, force, load, gap, kn, cn, kt, hold; // kt 0: rigid
    bool dry;                                           // one contact, else coulomb under a stop
} pressed;

static const double low = 0.3, high = 1.6;

static pressed draw(int kind) {
    pressed p = {.n = 2 + pick(MOST - 1),
                 .damping = mixed(0.02, 0.1),
                 .force = mixed(0.2, 0.6),
                 .load = mixed(-0.3, 0.3),
                 .gap = -mixed(0.5, 2),
                 .kn = mixed(0.3, 3),
                 .kt = mixed(0.3, 3),
                 .hold = mixed(0.2, 0.6),
                 .dry = kind & 1};
    p.normal = pick(p.n);
    do p.rub = pick(p.n);
    while (p.rub == p.normal);
    p.drive = pick(p.n);
    p.at = pick(p.n);
    if (kind & 2) p.cn = mixed(0, 0.3);
    if (kind & 4) p.kt = 0;
    return p;
}

// K without contacts, entry ij.
static double stiff(const pressed *p, int i, int j) {
    return i == j ? (i == p->n - 1 ? 1 : 2) : abs(i - j) == 1 ? -1 : 0;
}

// Gauss without pivots, A n x (n + 1) with the right side last; into x.
static void solve(int n, double complex A[ROOM][ROOM + 1], double complex *x) {
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double complex f = A[i][k] / A[k][k];
            for (int j = k; j <= n; j++) A[i][j] -= f * A[k][j];
        }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = A[i][n];
        for (int j = i + 1; j < n; j++) x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
}

static double complex with_rate(double value, double rate, double w) {
    double complex z = value;
    ((double *)&z)[1] = w * rate; // C11 6.2.5: an array of re, im
    return z;
}

// The structure with its normal spring and, stuck, that of the slider; row `rub` of a rigid one
// gives its place, and the force follows from what was there.
static void fill(const pressed *p, double w, bool stuck, double complex A[ROOM][ROOM + 1]) {
    for (int i = 0; i < p->n; i++) {
        for (int j = 0; j < p->n; j++)
            A[i][j] = with_rate(stiff(p, i, j) - (i == j ? w * w : 0),
                                p->damping * (stiff(p, i, j) + (i == j)), w);
        A[i][p->n] = 0;
    }
    A[p->normal][p->normal] += with_rate(p->kn, p->cn, w);
    if (stuck && p->kt > 0) A[p->rub][p->rub] += p->kt;
}

typedef struct swing {
    double complex N, T;
} swing;

static swing swings(const pressed *p, double w) {
    double complex A[ROOM][ROOM + 1], row[ROOM], x[ROOM];
    fill(p, w, true, A);
    A[p->drive][p->n] = p->force;
    for (int j = 0; j <= p->n; j++) row[j] = A[p->rub][j];
    for (int j = 0; j <= p->n && !(p->kt > 0); j++) A[p->rub][j] = j == p->rub;
    solve(p->n, A, x);
    swing s = {with_rate(p->kn, p->cn, w) * x[p->normal], p->kt * x[p->rub]};
    if (p->kt > 0) return s;
    s.T = row[p->n];
    for (int j = 0; j < p->n; j++) s.T -= row[j] * x[j];
    return s;
}

// h N_m - (A + B)/2: what the contact has left before it slides, wherever it rests.
static double slack(const pressed *p, double w) {
    swing s = swings(p, w);
    double a = cabs(p->hold * s.N - s.T), b = cabs(p->hold * s.N + s.T);
    double complex A[ROOM][ROOM + 1], x[ROOM];
    fill(p, 0, false, A);
    A[p->at][p->n] += p->load;
    A[p->normal][p->n] += p->kn * p->gap;
    A[p->rub][p->n] -= (b - a) / 2;
    solve(p->n, A, x);
    return p->hold * p->kn * (creal(x[p->normal]) - p->gap) - (a + b) / 2;
}

// The model, driven with `from`; rest: sections beside it.
static void write_model(char *text, size_t size, const pressed *p, double from, const char *rest) {
    char contacts[600];
    if (p->dry)
        snprintf(contacts, sizeof contacts,
                 "rub: {at: {normal: a, tangential: b}, law: {type: dry-contact, coefficient: "
                 "%.17g, gap: %.17g, normal_stiffness: %.17g, normal_damping: %.17g, "
                 "tangential_stiffness: %.17g}}",
                 p->hold, p->gap, p->kn, p->cn, p->kt);
    else
        snprintf(contacts, sizeof contacts,
                 "press: {at: a, law: {type: stop, gap: %.17g, stiffness: %.17g, damping: %.17g}}, "
                 "rub: {at: b, law: {type: coulomb, coefficient: %.17g, normal: press, stiffness: "
                 "%.17g}}",
                 p->gap, p->kn, p->cn, p->hold, p->kt);
    snprintf(
        text, size,
        "judder: 1\n"
        "structure: {type: chain, count: %d, mass: 1, stiffness: 1, supports: {left: fixed, "
        "right: free}, points: {a: {node: %d}, b: {node: %d}, d: {node: %d}, l: {node: %d}}, "
        "damping: {type: rayleigh, mass: %.17g, stiffness: %.17g}}\n"
        "contacts: {%s}\n"
        "drives: {force: {at: d, type: harmonic, amplitude: %.17g, frequency: %.17g}, load: {at: "
        "l, type: constant, value: %.17g}}\n"
        "start: rest\norbit: {settle: 100 periods}\n"
        "%s\n",
        p->n, p->normal + 1, p->rub + 1, p->drive + 1, p->at + 1, p->damping, p->damping, contacts,
        p->force, from, p->load, rest);
}

// back: a branch that ends where this one begins, NULL: none.
static jd_follow *respond(model_case *m, const pressed *p, double from, double to,
                          const jd_follow_view *back) {
    char text[2000], rest[200];
    snprintf(rest, sizeof rest,
             "follow: {parameter: drives.force.frequency, from: %.17g, to: %.17g, measure: "
             "rub.force.max}",
             from, to);
    write_model(text, sizeof text, p, from, rest);
    jd_follow_options o = jd_default_follow_options();
    if (back) {
        o.orbit.state = back->state + (size_t)(back->n_point - 1) * (size_t)back->n;
        o.orbit.phase = back->kept.start[back->point[back->n_point - 1].start];
        o.orbit.settle = 0;
    }
    return follows(m, text, NULL, &o);
}

static bool is_onset(const jd_special *s) {
    return s->kind == JD_SPECIAL_SLIP_BEGINS || s->kind == JD_SPECIAL_SLIP_ENDS;
}

// Onsets where the closed form has none left; points of the stuck part centred. Number of onsets.
static int judge(const pressed *p, const jd_follow_view *v, double *at) {
    int n = 0;
    for (int i = 0; i < v->n_special; i++) {
        const jd_special *s = &v->special[i];
        if (!is_onset(s)) continue;
        double h = 1e-6, w = s->parameter, rate = (slack(p, w + h) - slack(p, w - h)) / (2 * h);
        double off = fabs(slack(p, w) / rate);
        assert_true(off < 1e-9);
        assert_true(off < s->error + 1e-11);
        assert_true(n < MOST * 4);
        at[n++] = w;
    }
    for (int i = 0; i < v->n_point; i++) {
        if (v->point[i].resting != 1) continue;
        swing s = swings(p, v->point[i].parameter);
        double middle = (cabs(p->hold * s.N + s.T) - cabs(p->hold * s.N - s.T)) / 2; // force = -T
        assert_near(v->point[i].amplitude, cabs(s.T) - middle, 1e-9);
        assert_true(slack(p, v->point[i].parameter) > -1e-9);
    }
    return n;
}

static int zeros(const pressed *p) {
    int n = 0;
    for (int i = 0; i < 3000; i++) {
        double a = slack(p, low + (high - low) * i / 3000),
               b = slack(p, low + (high - low) * (i + 1) / 3000);
        n += (a < 0) != (b < 0);
    }
    return n;
}

// Drawn models that slide somewhere and stick somewhere; each of the eight kinds of contact.
static void pressed_contacts_pass_through_permanent_stick_both_ways(void **state) {
    void *other;
    model_case_begin(&other);
    seed = 20;
    for (int kind = 0, drawn = 0; kind < 8; kind += drawn == 2, drawn %= 2) {
        pressed p = draw(kind);
        double up_at[4 * MOST] = {0}, down_at[4 * MOST] = {0};
        int known = zeros(&p);
        if (known == 0 || known > 6) continue;
        drawn++;
        jd_follow *up = respond(*state, &p, low, high, NULL);
        const jd_follow_view *u = jd_follow_look(up);
        assert_int_equal(u->end, JD_END_TO);
        jd_follow *down = respond(other, &p, high, low, u);
        const jd_follow_view *d = jd_follow_look(down);
        assert_int_equal(d->end, JD_END_TO);
        assert_int_equal(judge(&p, u, up_at), known);
        assert_int_equal(judge(&p, d, down_at), known);
        for (int i = 0; i < known; i++) assert_near(up_at[i], down_at[known - 1 - i], 2e-9);
        jd_follow_free(up);
        jd_follow_free(down);
    }
    model_case_end(&other);
}

// `orbit` takes the centred member of such a family.
static void a_centred_orbit_has_the_same_room_both_ways(void **state) {
    model_case *m = *state;
    seed = 5;
    for (int kind = 0, drawn = 0; drawn < 8; kind++) {
        pressed p = draw(kind % 8);
        if (!(slack(&p, low) > 0.01)) continue;
        drawn++;
        jd_follow *f = respond(m, &p, low, high, NULL); // reads the model
        jd_follow_free(f);
        jd_orbit_options o = jd_default_orbit_options();
        jd_orbit *orbit;
        o.centred = true;
        assert_int_equal(jd_problem_set(m->problem, "drives.force.frequency", low, NULL), JD_OK);
        assert_int_equal(jd_orbit_create(m->context, m->problem, &o, &orbit), JD_OK);
        const jd_orbit_view *v = jd_orbit_look(orbit);
        swing s = swings(&p, low);
        double middle = (cabs(p.hold * s.N + s.T) - cabs(p.hold * s.N - s.T)) / 2;
        assert_true(v->found);
        assert_near(v->range[p.dry ? 0 : 1].force.max, cabs(s.T) - middle, 1e-9);
        jd_orbit_free(orbit);
    }
}

// So does `sweep` with `member: centred`, wherever the contact stays stuck.
static void a_sweep_records_the_same_member(void **state) {
    (void)state;
    int stuck = 0;
    seed = 11;
    for (int kind = 0; kind < 32; kind++) {
        model_case m = {.context = jd_context_create(NULL)};
        pressed p = draw(kind % 8);
        char text[2000];
        write_model(text, sizeof text, &p, low,
                    "sweep: {parameters: drives.force.frequency, from: 0.3, to: 1.6, points: 8, "
                    "member: centred, measure: rub.force.max, settle: 200 periods}");
        jd_sweep *s = sweep_of(&m, text);
        sweep_compute(&m, s, 1);
        for (int i = 0; i < 8; i++) {
            const jd_sweep_point *q = &jd_sweep_look(s)->point[i];
            if (slack(&p, q->value[0]) < 1e-3) continue;
            swing w = swings(&p, q->value[0]);
            double middle = (cabs(p.hold * w.N + w.T) - cabs(p.hold * w.N - w.T)) / 2;
            assert_near(q->amplitude, cabs(w.T) - middle, 1e-9);
            stuck++;
        }
        jd_sweep_free(s);
        jd_problem_free(m.problem);
        jd_context_free(m.context);
    }
    print_message("%d stuck motions\n", stuck);
    assert_true(stuck > 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(pressed_contacts_pass_through_permanent_stick_both_ways),
        MODEL_TEST(a_centred_orbit_has_the_same_room_both_ways),
        cmocka_unit_test(a_sweep_records_the_same_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
