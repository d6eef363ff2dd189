// follow_through_stick.c -- responses from contacts that are stuck all along through sliding and
// back, in one branch, whichever way it is followed.
//   Stuck, a chain is linear: the force of its contact has the amplitude |(D q)_c|, D = K - w^2 M +
//   i w C, q_c = 0; it begins to slide where that is the limit, whatever constant load there is
//   (centred). Both ways the same special points, none of them a fold of the stuck part.
#include <complex.h>
#include <math.h>

#include "draws.h"
#include "follow_case.h"

enum { MOST = 5 };

typedef struct chain {
    int n, contact, drive;
    double damping, limit, load; // alpha of C = alpha M + beta K, beta = damping
} chain;

static jd_follow *respond(model_case *m, const chain *c, double from, double to,
                          const char *member) {
    char text[2000];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: chain, count: %d, mass: 1, stiffness: 1, supports: {left: fixed, "
             "right: free}, points: {c: {node: %d}, d: {node: %d}}, "
             "damping: {type: rayleigh, mass: %.17g, stiffness: %.17g}}\n"
             "contacts: {rub: {at: c, law: {type: coulomb, limit: %.17g}}}\n"
             "drives: {force: {at: d, type: harmonic, amplitude: 1, frequency: 1}, "
             "load: {at: c, type: constant, value: %.17g}}\n"
             "start: rest\norbit: {settle: 100 periods}\n"
             "follow: {parameter: drives.force.frequency, from: %.17g, to: %.17g, "
             "member: %s, measure: rub.force.max}\n",
             c->n, c->contact, c->drive, c->damping, c->damping, c->limit, c->load, from, to,
             member);
    return follows(m, text, NULL, NULL);
}

// (K - w^2 M + i w C) of the chain, entry ij.
static double complex entry(const chain *c, double w, int i, int j) {
    double k = i == j ? (i == c->n - 1 ? 1 : 2) : abs(i - j) == 1 ? -1 : 0;
    double mass = i == j;
    double complex z = k - w * w * mass;
    ((double *)&z)[1] = w * c->damping * (mass + k); // C11 6.2.5: an array of re, im
    return z;
}

// Amplitude of the force that holds the contact, by elimination in the other masses.
static double held_force(const chain *c, double w) {
    double complex A[MOST][MOST + 1], x[MOST] = {0};
    int at = c->contact - 1;
    for (int i = 0; i < c->n; i++) {
        for (int j = 0; j < c->n; j++) A[i][j] = i == at || j == at ? i == j : entry(c, w, i, j);
        A[i][c->n] = i == c->drive - 1 && i != at;
    }
    for (int k = 0; k < c->n; k++)
        for (int i = k + 1; i < c->n; i++) {
            double complex f = A[i][k] / A[k][k];
            for (int j = k; j <= c->n; j++) A[i][j] -= f * A[k][j];
        }
    for (int i = c->n - 1; i >= 0; i--) {
        x[i] = A[i][c->n];
        for (int j = i + 1; j < c->n; j++) x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
    double complex force = c->drive == c->contact ? -1 : 0;
    for (int j = 0; j < c->n; j++)
        if (j != at) force += entry(c, w, at, j) * x[j];
    return cabs(force);
}

static chain draw(void) {
    chain c = {.n = 2 + pick(MOST - 1), .damping = mixed(0.02, 0.1), .load = mixed(-0.8, 0.8)};
    c.contact = 1 + pick(c.n);
    do c.drive = 1 + pick(c.n);
    while (c.drive == c.contact);
    double most = 0, least = HUGE_VAL;
    for (int i = 0; i <= 200; i++) {
        double f = held_force(&c, 0.3 + 1.2 * i / 200);
        most = fmax(most, f);
        least = fmin(least, f);
    }
    c.limit = least + mixed(0.5, 0.95) * (most - least);
    return c;
}

static bool changes_rest(const jd_special *s) {
    return s->kind == JD_SPECIAL_SLIP_BEGINS || s->kind == JD_SPECIAL_SLIP_ENDS;
}

// Every place where the held force passes the limit is one of the branch, and there are no others.
static int onsets_are_where_the_held_force_is_the_limit(const chain *c, const jd_follow_view *v) {
    int n = 0, known = 0;
    for (int i = 0; i < v->n_special; i++) {
        const jd_special *s = &v->special[i];
        assert_int_not_equal(s->kind, JD_SPECIAL_FOLD);
        assert_int_not_equal(s->kind, JD_SPECIAL_TURN);
        if (!changes_rest(s)) continue;
        n++;
        double h = 1e-6, w = s->parameter,
               rate = (held_force(c, w + h) - held_force(c, w - h)) / (2 * h);
        double off = fabs((held_force(c, w) - c->limit) / rate);
        assert_true(off < 1e-9);
        assert_true(off < s->error + 1e-11);
    }
    for (int i = 0; i < 4000; i++) {
        double a = held_force(c, 0.3 + 1.2 * i / 4000),
               b = held_force(c, 0.3 + 1.2 * (i + 1) / 4000);
        known += (a < c->limit) != (b < c->limit);
    }
    assert_int_equal(n, known);
    return n;
}

static void same_onsets(const jd_follow_view *up, const jd_follow_view *down) {
    int j = down->n_special;
    for (int i = 0; i < up->n_special; i++) {
        const jd_special *s = &up->special[i];
        if (!changes_rest(s)) continue;
        do j--;
        while (j >= 0 && !changes_rest(&down->special[j]));
        assert_true(j >= 0);
        assert_near(s->parameter, down->special[j].parameter, 1e-9);
        assert_near(s->amplitude, down->special[j].amplitude, 1e-8 * (1 + fabs(s->amplitude)));
    }
}

static void responses_pass_through_permanent_stick_both_ways(void **state) {
    int onsets = 0;
    void *other;
    model_case_begin(&other);
    seed = 7;
    for (int i = 0; i < 12; i++) {
        chain c = draw();
        jd_follow *up = respond(*state, &c, 0.3, 1.5, "centred"),
                  *down = respond(other, &c, 1.5, 0.3, "centred");
        const jd_follow_view *u = jd_follow_look(up), *d = jd_follow_look(down);
        assert_int_equal(u->end, JD_END_TO);
        assert_int_equal(d->end, JD_END_TO);
        onsets += onsets_are_where_the_held_force_is_the_limit(&c, u);
        same_onsets(u, d);
        for (int k = 0; k < u->n_point; k++) // centred: both sides of the limit are as close
            if (u->point[k].resting)
                assert_near(u->point[k].amplitude, held_force(&c, u->point[k].parameter), 1e-9);
        jd_follow_free(up);
        jd_follow_free(down);
    }
    model_case_end(&other);
    assert_true(onsets > 12);
}

// Held: the contact stays where it was as long as its force is within the limit.
static void a_held_member_keeps_its_rest(void **state) {
    chain c = {.n = 3, .contact = 3, .drive = 1, .damping = 0.05, .limit = 2, .load = 0.4};
    jd_follow *f = respond(*state, &c, 0.3, 0.6, "held");
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    for (int i = 0; i < v->n_point; i++) {
        assert_int_equal(v->point[i].resting, 1);
        // from rest the contact holds the load from the first moment on
        assert_near(v->point[i].amplitude, held_force(&c, v->point[i].parameter) - c.load, 1e-9);
    }
    jd_follow_free(f);
}

// The centred member of an orbit's family is its own, whatever the model follows.
static void a_centred_orbit_does_not_depend_on_what_is_followed(void **state) {
    static const char *const follow[] = {
        "", "follow: {parameter: drives.force.frequency, from: 0.3, to: 0.6, member: held}\n",
        "follow: {parameter: drives.force.frequency, from: 0.3, to: 0.6, of: steady}\n",
        ("follow: {parameter: drives.force.frequency, from: 0.3, to: 0.6, points: 3, functions: "
         "{x: rub.force.max - 1}, stop: {rub.force.max: 0.1}}\n")};
    chain c = {.n = 3, .contact = 3, .drive = 1, .damping = 0.05, .limit = 2, .load = 0.4};
    model_case *m = *state;
    double first[6];
    for (int i = 0; i < 4; i++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            "judder: 1\nstructure: {type: chain, count: 3, mass: 1, stiffness: 1, supports: "
            "{left: fixed, right: free}, points: {c: {node: 3}, d: {node: 1}}, damping: {type: "
            "rayleigh, mass: 0.05, stiffness: 0.05}}\ncontacts: {rub: {at: c, law: {type: "
            "coulomb, limit: 2}}}\ndrives: {force: {at: d, type: harmonic, amplitude: 1, "
            "frequency: 0.5}, load: {at: c, type: constant, value: 0.4}}\nstart: rest\norbit: "
            "{settle: 100 periods}\n%s",
            follow[i]);
        reads(m, text, NULL);
        jd_orbit_options o = jd_default_orbit_options();
        jd_orbit *orbit;
        o.centred = true;
        assert_int_equal(jd_orbit_create(m->context, m->problem, &o, &orbit), JD_OK);
        const jd_orbit_view *v = jd_orbit_look(orbit);
        assert_true(v->found && v->n <= 6);
        if (i == 0) memcpy(first, v->state, (size_t)v->n * sizeof *first);
        for (int k = 0; k < v->n; k++) assert_near(v->state[k], first[k], 1e-12);
        // centred: both sides of the limit are as close
        const jd_range *r = &v->range[0].force;
        double most = fmax(fabs(r->min), fabs(r->max));
        assert_near(most, held_force(&c, 0.5), 1e-9);
        jd_orbit_free(orbit);
    }
}

// Three masses with two Jenkins contacts and an elastic stop: special points of the centred branch,
// in 50 digits in tests/reference/contact.json (R3).
typedef struct known {
    jd_special_kind kind;
    double parameter;
} known;
static const known three_masses[] = {
    {JD_SPECIAL_SLIP_BEGINS, 0.737636384150499}, {JD_SPECIAL_SLIP_BEGINS, 0.785542260291055},
    {JD_SPECIAL_SLIP_ENDS, 0.855799954621430},   {JD_SPECIAL_SLIP_BEGINS, 1.025456499150535},
    {JD_SPECIAL_SLIP_APPEARS, 1.0305764926434},  {JD_SPECIAL_PHASES, 1.122864740212971},
    {JD_SPECIAL_TURN, 1.50386506414689},         {JD_SPECIAL_HELD_FOLD, 1.50429941043562},
    {JD_SPECIAL_HELD_FOLD, 1.51046627262123},    {JD_SPECIAL_TURN, 1.52468448910865},
    {JD_SPECIAL_PHASES, 1.532584778819075},      {JD_SPECIAL_SLIP_BEGINS, 1.562716674409447},
    {JD_SPECIAL_SLIP_BEGINS, 1.658415910678049},
};

// Backwards what begins ends, and what appears vanishes.
static jd_special_kind backwards(jd_special_kind k) {
    return k == JD_SPECIAL_SLIP_BEGINS    ? JD_SPECIAL_SLIP_ENDS
           : k == JD_SPECIAL_SLIP_ENDS    ? JD_SPECIAL_SLIP_BEGINS
           : k == JD_SPECIAL_SLIP_APPEARS ? JD_SPECIAL_SLIP_VANISHES
                                          : k;
}

static void three_masses_pass_from_stuck_to_sliding_and_back(void **state) {
    for (int way = 0; way < 2; way++) {
        char text[1500];
        snprintf(
            text, sizeof text,
            "judder: 1\n"
            "structure: {type: chain, count: 3, mass: 1, stiffness: 1, supports: {left: fixed, "
            "right: fixed}, points: {a: {node: 1}, b: {node: 2}, c: {node: 3}}, "
            "damping: {type: rayleigh, mass: 0, stiffness: 0.02}}\n"
            "contacts: {one: {at: a, law: {type: coulomb, limit: 1, stiffness: 20}}, "
            "two: {at: b, against: a, law: {type: coulomb, limit: 1, stiffness: 20}}, "
            "stop: {at: c, law: {type: stop, gap: 0.25, stiffness: 1}}}\n"
            "drives: {force: {at: b, type: harmonic, amplitude: 1, frequency: 0.5, phase: "
            "-1.5707963267948966}}\nstart: rest\norbit: {settle: 50 periods}\n"
            "follow: {parameter: drives.force.frequency, from: %g, to: %g, measure: "
            "a.displacement.max}\n",
            way ? 2 : 0.5, way ? 0.5 : 2);
        jd_follow *f = follows(*state, text, NULL, NULL);
        const jd_follow_view *v = jd_follow_look(f);
        assert_int_equal(v->end, JD_END_TO);
        for (size_t i = 0; i < sizeof three_masses / sizeof *three_masses; i++) {
            jd_special_kind kind = three_masses[i].kind;
            double off = HUGE_VAL;
            if (way) kind = backwards(kind);
            for (int k = 0; k < v->n_special; k++)
                if (v->special[k].kind == kind)
                    off = fmin(off, fabs(v->special[k].parameter - three_masses[i].parameter) -
                                        v->special[k].error);
            assert_true(off < 1e-9);
        }
        jd_follow_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(responses_pass_through_permanent_stick_both_ways),
        MODEL_TEST(a_held_member_keeps_its_rest),
        MODEL_TEST(a_centred_orbit_does_not_depend_on_what_is_followed),
        MODEL_TEST(three_masses_pass_from_stuck_to_sliding_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
