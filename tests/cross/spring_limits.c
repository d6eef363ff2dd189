// spring_limits.c -- what contacts with springs become when their springs get stiff or vanish.
//   Numbers of tests/reference/contact.json (R8) with their rates: kt to infinity tends to rigid
//   stick as 1/kt in displacements; kn to infinity to restitution 1, or to that of the dashpot, as
//   kn^-1/2; an oblique impact on springs keeps its own limit. Without friction a dry contact is an
//   elastic stop; under a heavy preload it is a spring in series with a slider.
#include "spring_case.h"

static spring_run *r;

static int begin(void **state) {
    (void)state;
    r = calloc(1, sizeof *r);
    return r ? 0 : -1;
}
static int end(void **state) {
    (void)state;
    free(r);
    return 0;
}

// One mass 1 on a spring 1 with damping c, driven by F cos(omega t + phase).
static spring_model one_mass(real c, real F, real omega, real phase) {
    spring_model s;
    memset(&s, 0, sizeof s);
    s.n = s.drives = s.m = 1;
    s.M[0][0] = s.K[0][0] = 1, s.C[0][0] = c;
    s.drive[0].vector[0] = F, s.drive[0].omega = omega, s.drive[0].phase = phase;
    return s;
}

// Displacement and velocity of contact 0 at t.
static void go_to(double t, double *u, double *v) {
    double force[SPRING_M], us[SPRING_M], vs[SPRING_M];
    if (!spring_advance(r, t)) fail_msg("%s", r->refused);
    jd_run_observe_contacts(r->run, t, us, vs, force);
    *u = us[0], *v = vs[0];
}

static void open_model(const spring_model *s) {
    if (!spring_open(r, s, NULL)) fail_msg("%s\n%s", r->refused, r->text.text);
}

static double number(const json_t *j, const char *key, size_t i) {
    const json_t *x = json_object_get(j, key);
    return json_number_value(json_is_array(x) ? json_array_get(x, i) : x);
}

static const json_t *limits(json_t *all, const char *key) {
    return json_object_get(json_object_get(all, "R8_limits"), key);
}

static void stick_of_stiff_springs_is_rigid_stick(void **state) {
    (void)state;
    static const double times[] = {6, 12, 20};
    json_t *all = spring_reference();
    const json_t *list = limits(all, "kt_to_infinity");
    double rigid[3] = {0}, off = 0, u, v;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *j = json_array_get(list, i);
        spring_model s = one_mass(0.1L, 1.5L, 0.7L, -1.57079632679489661923132169163975L);
        spring_contact *c = &s.c[0];
        c->friction = true, c->wt[0] = 1, c->limit = c->hold = 1, s.until = 20;
        c->kt = spring_stiffness(j, "kt");
        open_model(&s);
        for (size_t k = 0; k < 3; k++) {
            go_to(times[k], &u, &v);
            assert_near(u, number(j, "x", k), 1e-10);
            assert_near(v, number(j, "v", k), 1e-9);
            assert_int_equal(r->changes.n, (int)number(j, "events", k));
            if (i == 0)
                rigid[k] = u;
            else
                off = fabs(u - rigid[k]) * (double)c->kt;
            assert_true(i == 0 || off < 60); // displacements: at most about 40/kt
        }
        spring_end(r);
    }
    assert_true(json_array_size(list) == 5);
    json_decref(all);
}

// dx sqrt(kn) of both ends of the list; with a dashpot of this ratio.
static void stiff_stops(const char *key, real zeta, double least, double most, size_t from) {
    json_t *all = spring_reference();
    const json_t *list = limits(all, key);
    double rigid = 0, u, v;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *j = json_array_get(list, i);
        spring_model s = one_mass(0.05L, 1.5L, 1.3L, 0);
        spring_contact *c = &s.c[0];
        c->normal = true, c->wn[0] = 1, c->gap = 1, s.until = 6;
        const char *kn = json_string_value(json_object_get(j, "kn"));
        c->kn = kn ? (strcmp(kn, "inf") ? strtold(kn, NULL) : 0) : spring_key(j, "kn", 0);
        c->e = spring_key(j, "e", 0), c->cn = 2 * zeta * sqrtl(c->kn);
        open_model(&s);
        go_to(6, &u, &v);
        assert_near(u, number(j, "x", 0), 1e-9);
        assert_near(v, number(j, "v", 0), 1e-9);
        if (i == 0) rigid = u;
        double rate = (u - rigid) * sqrt((double)c->kn);
        if (i >= from) assert_true(rate > least && rate < most);
        spring_end(r);
    }
    json_decref(all);
}

static void impacts_on_stiff_springs_have_restitution_one(void **state) {
    (void)state;
    stiff_stops("kn_to_infinity", 0, 10.7, 10.85, 2); // of the note: 10.82 ... 10.75
}

// e = exp(-2 zeta arccos zeta/sqrt(1 - zeta^2))
static void impacts_on_stiff_dashpots_have_their_restitution(void **state) {
    (void)state;
    stiff_stops("kn_to_infinity_zeta_0.2", 0.2L, 6.3, 6.4, 1);
}

// A free mass hits a spring kn, kt = kappa kn: its velocities after lift-off.
static void oblique_impacts(void **state) {
    (void)state;
    json_t *all = spring_reference();
    const json_t *list = limits(all, "oblique");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *j = json_array_get(list, i);
        spring_model s;
        memset(&s, 0, sizeof s);
        s.n = 2, s.m = 1, s.M[0][0] = s.M[1][1] = 1, s.until = 100;
        spring_contact *c = &s.c[0];
        c->friction = c->normal = true, c->source = SPRING_OWN;
        c->wt[0] = c->wn[1] = 1, c->kn = 1, c->kt = spring_stiffness(j, "kt_over_kn");
        c->limit = c->hold = (real)number(j, "mu", 0);
        s.x[1] = -1, s.v[0] = (real)number(j, "vt", 0), s.v[1] = (real)number(j, "vn", 0);
        open_model(&s);
        double u, v;
        go_to(20, &u, &v);
        assert_true(r->changes.n > 0 && r->changes.e[r->changes.n - 1].to == 'o');
        assert_near(v, number(j, "vt_after", 0), 1e-11);
        spring_end(r);
    }
    assert_int_equal(json_array_size(list), 32);
    json_decref(all);
}

// Events of two models, the first contact of each.
static void same_events(const spring_model *a, const spring_model *b, double tolerance) {
    static spring_changes first;
    open_model(a);
    if (!spring_advance(r, (double)a->until)) fail_msg("%s", r->refused);
    first = r->changes;
    spring_end(r);
    open_model(b);
    if (!spring_advance(r, (double)b->until)) fail_msg("%s", r->refused);
    assert_int_equal(first.n, r->changes.n);
    assert_true(first.n > 4);
    for (int i = 0; i < first.n; i++) assert_near(r->changes.e[i].t, first.e[i].t, tolerance);
    spring_end(r);
}

// Two masses, one along the contact, one into it; coupled when k12 is not 0.
static spring_model pad(real k12) {
    spring_model s = one_mass(0.1L, 1.5L, 1.2L, 0);
    s.n = 2, s.M[1][1] = 1, s.K[1][1] = 2, s.C[1][1] = 0.1L, s.K[0][1] = s.K[1][0] = k12;
    s.until = 30;
    spring_contact *c = &s.c[0];
    c->friction = c->normal = true, c->source = SPRING_OWN;
    c->wt[0] = c->wn[1] = 1, c->kn = 20, c->kt = 2;
    return s;
}

static void without_friction_a_dry_contact_is_a_stop(void **state) {
    (void)state;
    spring_model a = pad(0.3L), b = a;
    a.drive[0].vector[1] = b.drive[0].vector[1] = 2;
    a.c[0].gap = b.c[0].gap = 0.1L;
    b.c[0].friction = false, b.c[0].source = SPRING_GIVEN;
    a.c[0].limit = a.c[0].hold = 1e-30L;
    static spring_changes closings;
    open_model(&b);
    assert_true(spring_advance(r, 30));
    closings = r->changes;
    spring_end(r);
    open_model(&a);
    assert_true(spring_advance(r, 30));
    int k = 0;
    for (int i = 0; i < r->changes.n; i++) {
        const spring_change *e = &r->changes.e[i];
        if (e->from != 'o' && e->to != 'o') continue; // stops and goes: without force
        assert_true(k < closings.n);
        assert_near(e->t, closings.e[k++].t, 1e-10);
    }
    assert_int_equal(k, closings.n);
    assert_true(k > 4);
    spring_end(r);
}

// N0 with mu N0 fixed: the motion along the contact is that of a given limit, off by 1/N0.
static void under_a_heavy_preload_the_limit_is_given(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        real N0 = i ? 1e8L : 1e5L;
        spring_model a = pad(0), b = a;
        a.c[0].gap = -N0 / a.c[0].kn, a.c[0].limit = a.c[0].hold = 1 / N0;
        a.x[1] = -N0 / (a.K[1][1] + a.c[0].kn); // at rest under the preload
        a.c[0].limit = a.c[0].hold = 1 / (a.c[0].kn * (a.x[1] - a.c[0].gap));
        b.c[0].normal = false, b.c[0].source = SPRING_GIVEN, b.c[0].limit = b.c[0].hold = 1;
        same_events(&a, &b, 1e-7);
    }
}

// Hoffmann's pad slides at the coefficient at which two poles meet (3/4), and beside it: the motion
// passes through without a loss of digits.
static void sliding_where_poles_meet(void **state) {
    (void)state;
    static const real beside[] = {-1e-2L, -1e-6L, -1e-10L, -1e-12L, 0,
                                  1e-12L, 1e-10L, 1e-6L,   1e-2L};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        spring_model s = pad(1);
        spring_contact *c = &s.c[0];
        s.drives = 0, s.K[0][0] = 2, s.K[1][1] = 2.0L / 3, s.C[0][0] = s.C[1][1] = 0, s.until = 21;
        s.K[1][1] = (double)s.K[1][1], s.constant[1] = 1;
        c->kn = (double)(4.0L / 3), c->kt = 0, c->gap = -0.75L, c->belt = 3;
        c->limit = c->hold = (double)(0.75L + beside[i]);
        s.x[0] = 0.4L, s.x[1] = -0.2L;
        sm_run *x = sm_open_run(&s);
        sm_go(x, 20);
        double u, v;
        open_model(&s);
        go_to(20, &u, &v);
        assert_int_equal(x->n_event, 0);
        assert_int_equal(r->changes.n, 0);
        assert_near(u, (double)x->z[0], 1e-13);
        assert_near(v, (double)(x->z[2] - c->belt), 1e-13);
        sm_close(x);
        spring_end(r);
    }
}

#define LIMIT(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        LIMIT(stick_of_stiff_springs_is_rigid_stick),
        LIMIT(impacts_on_stiff_springs_have_restitution_one),
        LIMIT(impacts_on_stiff_dashpots_have_their_restitution),
        LIMIT(oblique_impacts),
        LIMIT(without_friction_a_dry_contact_is_a_stop),
        LIMIT(under_a_heavy_preload_the_limit_is_given),
        LIMIT(sliding_where_poles_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
