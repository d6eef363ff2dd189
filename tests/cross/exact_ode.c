// exact_ode.c -- several contacts at once: the exact engine against an independent integration.
//   Every event (contact, kind, time) and the state at the end; see reference_ode.h.
#include "reference_ode.h"
#include "structure.h"

typedef struct worst {
    double event, place, speed;
} worst;

// Runs both; compares events one by one (unless stops close: chatter has too many) and the end.
static worst compare(scene *s, double t_end, double h, bool events) {
    ode o; // zeroed by ode_open
    worst w = {0, 0, 0};
    scene_run(s, t_end);
    ode_open(&o, s, h);
    if (!events) o.moment = h * 1e-7L, o.bounce = 1e-9L;
    ode_run(&o, t_end);
    if (events) {
        for (int i = 0; i < s->n && i < o.n_event; i++) {
            const jd_event *a = &s->event[i], *b = &o.event[i];
            assert_event(a, b->t, 1e-9, b->contact, jd_contact_letter(b->from),
                         jd_contact_letter(b->to));
            w.event = fmax(w.event, fabs(a->t - b->t));
        }
        assert_int_equal(s->n, o.n_event);
    }
    for (int j = 0; j < o.m; j++) {
        scene_look x = scene_at(s, t_end, j);
        real u = ode_dot(&o, o.row[j], o.q) - (o.stop[j] ? o.belt[j] * o.t : 0);
        w.place = fmax(w.place, fabs(x.u - (double)u));
        w.speed = fmax(w.speed, fabs(x.v - (double)ode_speed(&o, j)));
    }
    jd_report r = scene_report(s);
    print_message("   %d events; worst %.1e s, %.1e m, %.1e m/s; residual %.1e\n", s->n, w.event,
                  w.place, w.speed, r.ledger.residual);
    assert_true(s->n >= 4); // something happened
    assert_near(w.place, 0, 1e-9);
    assert_near(w.speed, 0, 1e-9);
    assert_near(r.ledger.residual, 0, 1e-11);
    assert_true(r.certificate.certified || !events); // kicks of chatter can be below rounding
    ode_close(&o);
    return w;
}

static void string_body(scene *s, const char *name, int modes, double ratio) {
    const jd_point point[] = {{.name = "a", .position = 0.3},
                              {.name = "b", .position = 0.71},
                              {.name = "c", .position = 0.52}};
    jd_damping_ratio_def damp = {{1, &ratio}};
    jd_string_def d;
    jd_type_defaults(jd_type_find(jd_structure_types(), "string"), &d);
    d.length = 1, d.tension = 1, d.mass_per_length = 1, d.modes = modes;
    d.supports = (jd_supports){JD_FIXED, JD_FIXED};
    d.points = (jd_points){3, point};
    if (ratio > 0) d.damping = (jd_object){"", &jd_damping_ratio, &damp};
    scene_body(s, name, "string", &d);
}

static void two_friction_contacts_on_one_string(void **state) {
    (void)state;
    scene s = scene_open();
    string_body(&s, "", 8, 0.01);
    scene_friction(&s, "left", "a", 0.3, NAN);
    scene_friction(&s, "right", "b", 0.2, NAN);
    scene_harmonic(&s, "shaker", "c", 2, 2.7, 0.3);
    compare(&s, 12, 0.01, true);
    scene_close(&s);
}

static void friction_between_two_bodies(void **state) {
    (void)state;
    scene s = scene_open();
    string_body(&s, "one", 5, 0);
    string_body(&s, "two", 4, 0.02);
    s.against = (jd_counter){.kind = JD_PLACE, .place = {.body = "two", .point = "b"}};
    scene_friction(&s, "joint", "one.a", 0.25, NAN);
    scene_harmonic(&s, "shaker", "one.c", 1.5, 2.2, 0);
    compare(&s, 15, 0.01, true);
    scene_close(&s);
}

static void three_stops_on_one_beam(void **state) {
    (void)state;
    const jd_point point[] = {{.name = "a", .position = 0.5},
                              {.name = "b", .position = 0.8},
                              {.name = "c", .position = 1}};
    double ratio = 0.03;
    jd_damping_ratio_def damp = {{1, &ratio}};
    jd_beam_def d;
    jd_type_defaults(jd_type_find(jd_structure_types(), "beam"), &d);
    d.length = d.bending_stiffness = d.mass_per_length = 1, d.modes = 4;
    d.supports = (jd_supports){JD_CLAMPED, JD_FREE};
    d.points = (jd_points){3, point};
    d.damping = (jd_object){"", &jd_damping_ratio, &damp};
    scene s = scene_open();
    scene_body(&s, "", "beam", &d);
    scene_stop(&s, "first", "a", 0.11, 0.9, 0);
    scene_stop(&s, "second", "b", 0.2, 0.8, 1);
    scene_stop(&s, "third", "c", 0.28, 1, 0);
    scene_harmonic(&s, "shaker", "c", 1, 3.1, 0);
    compare(&s, 6, 0.002, true);
    scene_close(&s);
}

static void friction_and_stop_at_one_point(void **state) {
    (void)state;
    scene s = scene_open();
    string_body(&s, "", 5, 0.02);
    scene_friction(&s, "pad", "a", 0.2, NAN);
    scene_stop(&s, "stop", "a", 0.05, 1, 0); // e = 1: never both at rest
    scene_harmonic(&s, "shaker", "c", 2, 2.1, 0);
    compare(&s, 8, 0.005, true);
    scene_close(&s);
}

// Chatter ends beside friction that each bounce sets going: only the end is compared.
static void chatter_beside_friction(void **state) {
    (void)state;
    scene s = scene_open();
    string_body(&s, "", 4, 0.02);
    scene_friction(&s, "pad", "a", 0.2, NAN);
    scene_stop(&s, "stop", "b", 0.05, 0.5, 0);
    scene_harmonic(&s, "shaker", "c", 2, 1.1, 0);
    compare(&s, 4.5, 0.005, false);
    assert_true(scene_report(&s).certificate.chatter_error > 0);
    scene_close(&s);
}

static void belt_driven_stick_slip(void **state) {
    (void)state;
    scene s = scene_open();
    scene_chain(&s, "", 3, 1, 4, JD_FIXED, JD_FREE, NULL);
    s.against = (jd_counter){.kind = JD_MOVING, .velocity = 0.4};
    scene_friction(&s, "bow", "m3", 1, NAN);
    compare(&s, 30, 0.02, true);
    scene_close(&s);
}

static void static_limit_above_the_kinetic_one(void **state) {
    (void)state;
    scene s = scene_open();
    scene_chain(&s, "", 3, 1, 4, JD_FIXED, JD_FREE, NULL);
    s.against = (jd_counter){.kind = JD_MOVING, .velocity = 0.1};
    scene_friction(&s, "bow", "m3", 1, 1.6);
    s.against = (jd_counter){.kind = JD_GROUND};
    scene_friction(&s, "pad", "m1", 0.2, 0.3);
    scene_harmonic(&s, "shaker", "m2", 0.3, 1.3, 0);
    compare(&s, 40, 0.02, true);
    scene_close(&s);
}

static void stop_on_both_sides(void **state) {
    (void)state;
    scene s = scene_open();
    scene_chain(&s, "", 2, 1, 3, JD_FIXED, JD_FREE, NULL);
    scene_stop(&s, "slot", "m2", 0.4, 0.85, 1);
    scene_harmonic(&s, "shaker", "m1", 1.2, 1.7, 0.4);
    compare(&s, 25, 0.01, true);
    scene_close(&s);
}

static void stop_against_a_moving_wall(void **state) {
    (void)state;
    scene s = scene_open();
    scene_chain(&s, "", 2, 1, 3, JD_FIXED, JD_FREE, NULL);
    s.against = (jd_counter){.kind = JD_MOVING, .velocity = -0.02};
    scene_stop(&s, "wall", "m2", 0.5, 0.9, 0);
    scene_harmonic(&s, "shaker", "m1", 1.2, 1.3, 0);
    compare(&s, 20, 0.01, true);
    scene_close(&s);
}

static void affine(double slope, double t_end) {
    scene s = scene_open();
    jd_fe_beam_def d = friction_beam(2);
    scene_body(&s, "", "fe-beam", &d);
    scene_affine(&s, "tip", "tip", 0.275 * 2.4, slope);
    jd_harmonic_def shaker = {.at = {.point = "mid"}, .amplitude = 2.4, .frequency = {0, 1.1, 1}};
    must(&s, jd_problem_add_drive(s.p, "shaker", &jd_drive_harmonic, &shaker));
    compare(&s, t_end, 0.002, true);
    scene_close(&s);
}

static void rising_friction_on_the_beam(void **state) {
    (void)state;
    affine(30, 5);
}

static void falling_friction_on_the_beam(void **state) {
    (void)state;
    affine(-30, 5);
}

// Free bodies: friction that rises with speed damps their rigid-body motion together with bending.
static void rising_friction_on_a_free_chain(void **state) {
    (void)state;
    const double v0[] = {0.4, 2, 0.3, -0.5};
    scene s = scene_open();
    scene_chain(&s, "", 4, 0.7, 11, JD_FREE, JD_FREE, NULL);
    scene_affine(&s, "pad", "m1", 0.15, 0.9);
    scene_friction(&s, "brake", "m3", 0.2, NAN);
    scene_constant(&s, "push", "m4", 0.3);
    scene_harmonic(&s, "shaker", "m2", 1.1, 1.3, 0.2);
    scene_state(&s, 0, 4, NULL, v0);
    compare(&s, 25, 0.01, true);
    scene_close(&s);
}

static void a_free_beam_on_two_pads(void **state) {
    (void)state;
    const jd_point point[] = {{.name = "left", .position = 0.4},
                              {.name = "mid", .position = 1},
                              {.name = "right", .position = 2}};
    jd_fe_beam_def d;
    jd_type_defaults(jd_type_find(jd_structure_types(), "fe-beam"), &d);
    d.length = 2, d.bending_stiffness = 40, d.mass_per_length = 1.5, d.elements = 2;
    d.supports = (jd_supports){JD_FREE, JD_FREE};
    d.points = (jd_points){3, point};
    scene s = scene_open();
    scene_body(&s, "", "fe-beam", &d);
    scene_affine(&s, "right", "right", 0.1, 0.6);
    s.against = (jd_counter){.kind = JD_MOVING, .velocity = 0.3};
    scene_affine(&s, "left", "left", 0.2, 0.4);
    s.against = (jd_counter){.kind = JD_GROUND};
    scene_harmonic(&s, "shaker", "mid", 2, 1.7, 0);
    compare(&s, 20, 0.004, true);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_friction_contacts_on_one_string),
        cmocka_unit_test(friction_between_two_bodies),
        cmocka_unit_test(three_stops_on_one_beam),
        cmocka_unit_test(friction_and_stop_at_one_point),
        cmocka_unit_test(chatter_beside_friction),
        cmocka_unit_test(belt_driven_stick_slip),
        cmocka_unit_test(static_limit_above_the_kinetic_one),
        cmocka_unit_test(stop_on_both_sides),
        cmocka_unit_test(stop_against_a_moving_wall),
        cmocka_unit_test(rising_friction_on_the_beam),
        cmocka_unit_test(falling_friction_on_the_beam),
        cmocka_unit_test(rising_friction_on_a_free_chain),
        cmocka_unit_test(a_free_beam_on_two_pads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
