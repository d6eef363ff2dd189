// exact_ties.c -- a contact on its limit, loaded from afar: which derivative moves it, and how.
//   A chain at rest, a contact on its limit at one mass (a stop that touches, friction that carries
//   exactly its limit), a load that begins at another mass, at once, as a ramp or as a sine. The
//   load comes through d springs: the contact's force leaves its limit with order 2d, 2d + 1 with a
//   load that begins at 0; which way is the sign of the load.
//   The reference integrates the masses themselves (no modes) in long double by Taylor series of
//   order 24, so that a small motion far from the load keeps its digits: when does a contact that
//   holds reach its limit again, one that has left come back?
//   `exact_ties COUNT SEED` draws others.
#include "draws.h"
#include "scene.h"

typedef long double real;
enum { MASSES = 20, ORDER = 24 };

static int count = 300;

typedef enum load_kind { STEP, RAMP, SINE } load_kind;

typedef struct tie_case {
    int n, load, at; // masses; where the load is, where the contact
    double mass[MASSES], spring[MASSES + 1], time, alpha, beta;
    bool friction, held, late, fixed_end;
    load_kind kind;
    double force, omega, start;
} tie_case;

static tie_case draw(void) {
    tie_case c = {.n = 2 + pick(9), .time = decades(-6, 6)};
    double m = decades(-6, 6);
    c.load = pick(c.n);
    while ((c.at = pick(c.n)) == c.load) {
    }
    for (int i = 0; i < c.n; i++) c.mass[i] = m * mixed(0.5, 2);
    for (int i = 0; i <= c.n; i++) c.spring[i] = m / c.time / c.time * mixed(0.5, 2);
    c.fixed_end = pick(2);
    c.friction = pick(2);
    c.kind = (load_kind)pick(3);
    c.late = !c.friction && c.kind != SINE && pick(2);
    c.force = m / c.time / c.time * mixed(0.5, 2) * (pick(2) ? 1 : -1);
    c.held = c.friction ? c.force < 0 : c.force > 0;
    // one undamped mass beside a contact that holds comes back to where it started from
    if (pick(2) || (c.held && c.kind == STEP)) c.alpha = 0.05 / c.time, c.beta = 0.01 * c.time;
    c.omega = mixed(0.2, 0.6) / c.time;
    c.start = c.late ? mixed(0.5, 1.5) * c.time : 0;
    return c;
}

// k-th derivative of the load, t since its start; the time unit is c->time.
static real load_rate(const tie_case *c, real t, int k) {
    real w = c->omega * c->time;
    if (c->kind == SINE) return c->force * powl(w, k) * sinl(w * t + k * 1.57079632679489661923L);
    if (c->kind == RAMP) return k == 0 ? c->force * t / 40 : k == 1 ? c->force / 40.0L : 0;
    return k == 0 ? c->force : 0;
}

// Force on mass i from springs and dampers, motion u and v (per unit time).
static real pull(const tie_case *c, int i, const real *u, const real *v) {
    real sum = -c->alpha * c->mass[i] * v[i] / c->time;
    real right = c->fixed_end || i < c->n - 1 ? c->spring[i + 1] : 0, beta = c->beta / c->time;
    real ul = i > 0 ? u[i - 1] : 0, vl = i > 0 ? v[i - 1] : 0;
    real ur = i < c->n - 1 ? u[i + 1] : 0, vr = i < c->n - 1 ? v[i + 1] : 0;
    sum += c->spring[i] * (ul - u[i] + beta * (vl - v[i]));
    return sum + right * (ur - u[i] + beta * (vr - v[i]));
}

// Taylor coefficients x[k] = u^(k)/k! about t.
static void series(const tie_case *c, real t, real x[ORDER + 1][MASSES]) {
    real factorial = 1, v[MASSES];
    for (int k = 0; k + 2 <= ORDER; k++) {
        if (k > 0) factorial *= k;
        for (int i = 0; i < c->n; i++) v[i] = (k + 1) * x[k + 1][i];
        for (int i = 0; i < c->n; i++) {
            real f = pull(c, i, x[k], v);
            if (i == c->load) f += load_rate(c, t, k) / factorial;
            x[k + 2][i] = f * c->time * c->time / c->mass[i] / ((k + 1) * (k + 2));
            if (c->held && i == c->at) x[k + 2][i] = 0;
        }
    }
}

static void at_time(const tie_case *c, real x[ORDER + 1][MASSES], real h, real *u, real *v) {
    for (int i = 0; i < c->n; i++) {
        u[i] = v[i] = 0;
        for (int k = ORDER; k >= 0; k--) u[i] = u[i] * h + x[k][i];
        for (int k = ORDER; k >= 1; k--) v[i] = v[i] * h + k * x[k][i];
    }
}

// What must keep the sign it starts with: force of one that holds, velocity of friction that
// slides, place of a stop that is open.
static real watched(const tie_case *c, const real *u, const real *v) {
    if (c->held) return pull(c, c->at, u, v);
    return c->friction ? v[c->at] : u[c->at];
}

// First change of sign since the load began, in units of time; 0: none until `end`.
static real first_change(const tie_case *c, real end) {
    real x[ORDER + 1][MASSES] = {{0}}, u[MASSES], v[MASSES], step = 1 / 32.0L;
    int sign = c->force > 0 ? 1 : -1;
    for (real t = 0; t < end; t += step) {
        series(c, t, x);
        at_time(c, x, step, u, v);
        if (sign * watched(c, u, v) <= 0) {
            real low = 0, high = step;
            for (int i = 0; i < 80; i++) {
                real middle = (low + high) / 2;
                at_time(c, x, middle, u, v);
                if (sign * watched(c, u, v) > 0)
                    low = middle;
                else
                    high = middle;
            }
            return t + high;
        }
        for (int i = 0; i < c->n; i++) {
            x[0][i] = u[i];
            x[1][i] = v[i];
        }
    }
    return 0;
}

static void build(scene *s, const tie_case *c) {
    jd_chain_def d;
    jd_point points[] = {{.name = "load", .position = NAN, .node = c->load + 1},
                         {.name = "at", .position = NAN, .node = c->at + 1}};
    jd_damping_rayleigh_def damp = {c->alpha, c->beta};
    jd_type_defaults(jd_type_find(jd_structure_types(), "chain"), &d);
    d.count = c->n;
    d.mass = (jd_reals){c->n, c->mass};
    d.stiffness = (jd_reals){c->n + c->fixed_end, c->spring};
    d.supports = (jd_supports){JD_FIXED, c->fixed_end ? JD_FIXED : JD_FREE};
    d.points = (jd_points){2, points};
    if (c->beta > 0) d.damping = (jd_object){"", &jd_damping_rayleigh, &damp};
    scene_body(s, "", "chain", &d);
    double limit = fabs(c->force) * 21;
    if (c->friction) {
        scene_friction(s, "c", "at", limit, NAN);
        scene_constant(s, "hold", "at", limit);
    } else {
        scene_stop(s, "c", "at", 0, 0.5, 0);
    }
    if (c->kind == SINE) scene_harmonic(s, "d", "load", c->force, c->omega, 0);
    if (c->kind == RAMP) scene_ramp(s, "d", "load", c->force, c->start, 40 * c->time);
    if (c->kind == STEP && !c->late) scene_constant(s, "d", "load", c->force);
    if (c->kind == STEP && c->late)
        scene_pulse(s, "d", "load", 0, c->force, c->start, 1e3 * c->time);
}

// The state just after the load began, and nothing else until the first change.
static void check(const tie_case *c) {
    scene s = scene_open();
    build(&s, c);
    real change = first_change(c, 30);
    double until = c->start + (change > 0 ? (double)change : 30) * c->time;
    scene_run(&s, until * (1 - 1e-7));
    jd_report r = scene_report(&s);
    assert_int_equal(r.certificate.undecided, 0);
    assert_int_equal(r.stop, JD_STOP_NONE);
    char want = c->held ? (c->friction ? 'H' : '|') : c->friction ? '+' : 'o';
    assert_int_equal(jd_run_phase(s.r)[0], want);
    int before = s.n;
    for (int i = 0; i < before; i++) assert_true(s.event[i].t == 0 || s.event[i].t == c->start);
    if (change > 0) {
        scene_run(&s, until * (1 + 1e-7));
        assert_true(s.n > before);
        assert_near(s.event[before].t, until, 1e-11 * until);
    }
    scene_close(&s);
}

static void load_far_from_a_contact_decides_at_any_order(void **state) {
    (void)state;
    for (int i = 0; i < count; i++) {
        tie_case c = draw();
        check(&c);
    }
}

int main(int argc, char **argv) {
    if (argc > 1) count = atoi(argv[1]);
    if (argc > 2) seed = strtoull(argv[2], NULL, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_far_from_a_contact_decides_at_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
