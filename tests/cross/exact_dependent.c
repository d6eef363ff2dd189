// exact_dependent.c -- contacts that the structure cannot tell apart: the motion is that of their
// sum.
//   Friction given as several contacts at one point, with limits that add up, moves as one contact;
//   friction and a stop on one mass, and more contacts than modes, run to their end, every force
//   within its limit, the energy adding up.
#include <stdio.h>

#include "scene.h"

static double draw(unsigned long long *seed, double low, double high) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

// Friction at m1 as `parts` contacts, at m3 as one.
static scene chain(unsigned long long seed, int parts) {
    static const char *const name[] = {"a", "b", "c"};
    double share[3] = {draw(&seed, 0.1, 1), draw(&seed, 0.1, 1), draw(&seed, 0.1, 1)};
    double limit = draw(&seed, 0.1, 0.6), all = share[0] + share[1] + share[2];
    scene s = scene_open();
    scene_chain(&s, "", 3, draw(&seed, 0.5, 2), draw(&seed, 1, 4), JD_FIXED, JD_FREE, NULL);
    for (int i = 0; i < parts; i++)
        scene_friction(&s, name[i], "m1", parts == 1 ? limit : limit * share[i] / all, NAN);
    scene_friction(&s, "other", "m3", draw(&seed, 0.05, 0.3), NAN);
    scene_harmonic(&s, "h", "m1", draw(&seed, 0.5, 1.5), draw(&seed, 0.3, 2), draw(&seed, 0, 6));
    scene_run(&s, 20);
    return s;
}

static void friction_in_parts_moves_as_one(void **state) {
    (void)state;
    long events = 0;
    for (int i = 0; i < 60; i++) {
        scene one = chain(7907ULL * (unsigned long long)(i + 1), 1),
              parts = chain(7907ULL * (unsigned long long)(i + 1), 3);
        int k = 0;
        assert_int_equal(parts.step, JD_STEP_TIME);
        for (int j = 0; j < parts.n; j++) { // events of a, and of the other
            const jd_event *p = &parts.event[j];
            if (p->contact == 1 || p->contact == 2) continue;
            assert_true(k < one.n);
            assert_event(&one.event[k++], p->t, 1e-10, p->contact ? 1 : 0,
                         jd_contact_letter(p->from), jd_contact_letter(p->to));
        }
        assert_int_equal(k, one.n);
        assert_near(scene_at(&one, 20, 0).u, scene_at(&parts, 20, 0).u, 1e-10);
        assert_near(scene_report(&parts).ledger.residual, 0, 1e-11);
        events += k;
        scene_close(&one);
        scene_close(&parts);
    }
    print_message("   %ld events\n", events);
    assert_true(events > 600);
}

// The same stop once or three times on one mass.
static void stops_given_several_times_move_as_one(void **state) {
    (void)state;
    static const char *const name[] = {"a", "b", "c"};
    unsigned long long first = 71;
    for (int i = 0; i < 30; i++, first += 977) {
        double end[2];
        for (int k = 0; k < 2; k++) {
            unsigned long long seed = first;
            double gap = draw(&seed, 0, 0.3), e = draw(&seed, 0, 0.9);
            scene s = scene_open();
            scene_chain(&s, "", 2, 1, draw(&seed, 1, 4), JD_FIXED, JD_FREE, NULL);
            for (int j = 0; j < (k ? 3 : 1); j++) scene_stop(&s, name[j], "m2", gap, e, 0);
            scene_harmonic(&s, "h", "m1", draw(&seed, 0.5, 2), draw(&seed, 0.3, 2), 0);
            scene_run(&s, 10);
            assert_int_equal(s.step, JD_STEP_TIME);
            assert_near(scene_report(&s).ledger.residual, 0, 1e-9);
            end[k] = scene_at(&s, 10, 0).u;
            scene_close(&s);
        }
        assert_near(end[0], end[1], 1e-9);
    }
}

// Runs to the end of the time asked for; forces of friction never pass their limits.
static void check_run(scene *s, int m, const double *limit) {
    for (double t = 0.05; t < 20; t += 0.05) {
        scene_run(s, t);
        assert_int_equal(s->step, JD_STEP_TIME);
        for (int j = 0; j < m; j++)
            if (limit[j] > 0) assert_true(fabs(scene_at(s, t, j).force) <= limit[j] * (1 + 1e-9));
    }
    assert_near(scene_report(s).ledger.residual, 0, 1e-11);
}

static void friction_and_stop_on_one_mass_run_to_their_end(void **state) {
    (void)state;
    unsigned long long seed = 31;
    for (int i = 0; i < 30; i++) {
        double limit[2] = {0, draw(&seed, 0.02, 0.5)};
        scene s = scene_open();
        scene_chain(&s, "", 2, 1, draw(&seed, 1, 4), JD_FIXED, JD_FREE, NULL);
        scene_stop(&s, "stop", "m1", draw(&seed, 0, 0.3), draw(&seed, 0, 0.9), 0);
        scene_friction(&s, "pad", "m1", limit[1], NAN);
        scene_harmonic(&s, "h", "m1", draw(&seed, 0.5, 2), draw(&seed, 0.3, 2), draw(&seed, 0, 6));
        check_run(&s, 2, limit);
        scene_close(&s);
    }
}

static void more_contacts_than_modes_run_to_their_end(void **state) {
    (void)state;
    static const char *const name[] = {"a", "b", "c", "d", "e", "f"}, *const at[] = {"m1", "m2",
                                                                                     "m3", "m1",
                                                                                     "m2", "m3"};
    unsigned long long seed = 47;
    for (int i = 0; i < 30; i++) {
        double limit[6];
        scene s = scene_open();
        scene_chain(&s, "", 3, 1, draw(&seed, 1, 4), JD_FIXED, JD_FREE, NULL);
        for (int j = 0; j < 6; j++)
            scene_friction(&s, name[j], at[j], limit[j] = draw(&seed, 0.02, 0.3), NAN);
        scene_harmonic(&s, "h", "m2", draw(&seed, 0.5, 3), draw(&seed, 0.3, 2), draw(&seed, 0, 6));
        check_run(&s, 6, limit);
        scene_close(&s);
    }
}

enum { MOST = 24 };

// A clamped beam of few modes with more contacts than modes at random places, some of them shared.
typedef struct crowd {
    int modes, m;
    double limit[MOST], place[MOST], amplitude, omega, phase, ratio;
} crowd;

static crowd draw_crowd(unsigned long long *seed) {
    crowd c = {.modes = 2 + (int)draw(seed, 0, 7)};
    c.m = c.modes + 1 + (int)draw(seed, 0, c.modes + 2);
    double scale = draw(seed, 0.3, 3) / c.m;
    for (int j = 0; j < c.m; j++) {
        bool shared = j > 0 && draw(seed, 0, 1) < 0.15;
        c.place[j] = shared ? c.place[j - 1] : draw(seed, 0.1, 1);
        c.limit[j] = scale * draw(seed, 0.2, 1);
    }
    c.ratio = draw(seed, 0, 1) < 0.3 ? 0 : draw(seed, 0.001, 0.05);
    c.amplitude = draw(seed, 0.5, 2);
    c.omega = draw(seed, 1, 20);
    c.phase = draw(seed, 0, 6);
    return c;
}

// Contacts from first to last, or the other way round.
static scene crowded(const crowd *c, bool reversed) {
    char name[MOST][8];
    jd_point point[MOST + 1];
    jd_damping_ratio_def damp = {{1, &c->ratio}};
    jd_beam_def d;
    jd_type_defaults(jd_type_find(jd_structure_types(), "beam"), &d);
    d.length = d.bending_stiffness = d.mass_per_length = 1;
    d.modes = c->modes;
    d.supports = (jd_supports){JD_CLAMPED, JD_FREE};
    for (int j = 0; j < c->m; j++) {
        snprintf(name[j], sizeof name[j], "p%d", j);
        point[j] = (jd_point){.name = name[j], .position = c->place[j]};
    }
    point[c->m] = (jd_point){.name = "tip", .position = 1};
    d.points = (jd_points){c->m + 1, point};
    if (c->ratio > 0) d.damping = (jd_object){"", &jd_damping_ratio, &damp};
    scene s = scene_open();
    scene_body(&s, "", "beam", &d);
    for (int i = 0; i < c->m; i++) {
        int j = reversed ? c->m - 1 - i : i;
        scene_friction(&s, name[j], name[j], c->limit[j], NAN);
    }
    scene_harmonic(&s, "h", "tip", c->amplitude, c->omega, c->phase);
    return s;
}

// Stuck: within its limit; sliding: at its limit, against the motion.
static void assert_admissible(scene *s, const crowd *c, double t) {
    for (int j = 0; j < c->m; j++) {
        scene_look now = scene_at(s, t, j);
        char letter = jd_run_phase(s->r)[j];
        assert_true(fabs(now.force) <= c->limit[j] * (1 + 1e-9));
        if (letter == 'H') assert_near(now.v, 0, 1e-12);
        if (letter == '+') assert_near(now.force, -c->limit[j], 1e-15);
        if (letter == '-') assert_near(now.force, c->limit[j], 1e-15);
        if (letter == '+') assert_true(now.v > -1e-10);
        if (letter == '-') assert_true(now.v < 1e-10);
    }
}

static void random_dependent_contacts_run_to_their_end(void **state) {
    (void)state;
    unsigned long long seed = 101;
    long events = 0, shared = 0;
    double worst = 0;
    for (int i = 0; i < 60; i++) {
        crowd c = draw_crowd(&seed);
        scene s = crowded(&c, false);
        for (double t = 0.1; t < 5; t += 0.1) {
            scene_run(&s, t);
            assert_int_equal(s.step, JD_STEP_TIME);
            assert_admissible(&s, &c, t);
        }
        jd_report r = scene_report(&s);
        worst = fmax(worst, fabs(r.ledger.residual));
        shared += r.certificate.split_not_unique;
        events += s.n;
        scene_close(&s);
    }
    print_message("   %ld events, %ld phases with a split, energies within %.1e\n", events, shared,
                  worst);
    assert_true(events > 3000 && shared > 300 && worst < 1e-10);
}

// The motion is unique, so it does not know in which order its contacts are written.
static void the_order_of_dependent_contacts_does_not_matter(void **state) {
    (void)state;
    unsigned long long seed = 211;
    double worst = 0;
    for (int i = 0; i < 60; i++) {
        crowd c = draw_crowd(&seed);
        scene a = crowded(&c, false), b = crowded(&c, true);
        for (double t = 0.05; t < 2; t += 0.05) {
            scene_run(&a, t);
            scene_run(&b, t);
            for (int j = 0; j < c.m; j++) {
                double u = scene_at(&a, t, j).u, v = scene_at(&b, t, c.m - 1 - j).u;
                worst = fmax(worst, fabs(u - v));
                assert_near(u, v, 1e-9);
            }
        }
        scene_close(&a);
        scene_close(&b);
    }
    print_message("   places within %.1e\n", worst);
}

// Friction at m1 with a higher static limit, as one contact or as three whose ratios of the two
// limits differ: only the sums count.
static scene static_chain(unsigned long long seed, bool parts) {
    static const char *const name[] = {"a", "b", "c"};
    scene s = scene_open();
    double kinetic[3], holds[3], limit = 0, most = 0;
    scene_chain(&s, "", 3, draw(&seed, 0.5, 2), draw(&seed, 1, 4), JD_FIXED, JD_FREE, NULL);
    for (int i = 0; i < 3; i++) {
        limit += kinetic[i] = draw(&seed, 0.02, 0.2);
        most += holds[i] = kinetic[i] * draw(&seed, 1, 2.5);
    }
    for (int i = 0; parts && i < 3; i++) scene_friction(&s, name[i], "m1", kinetic[i], holds[i]);
    if (!parts) scene_friction(&s, "a", "m1", limit, most);
    scene_harmonic(&s, "h", "m2", draw(&seed, 0.5, 1.5), draw(&seed, 0.3, 2), draw(&seed, 0, 6));
    scene_run(&s, 20);
    return s;
}

static void static_limits_in_parts_add_up(void **state) {
    (void)state;
    long events = 0;
    for (int i = 0; i < 60; i++) {
        unsigned long long seed = 104729ULL * (unsigned long long)(i + 1);
        scene one = static_chain(seed, false), parts = static_chain(seed, true);
        int k = 0;
        assert_int_equal(parts.step, JD_STEP_TIME);
        assert_true(scene_report(&parts).certificate.certified);
        for (int j = 0; j < parts.n; j++) {
            const jd_event *p = &parts.event[j];
            if (p->contact > 0) continue;
            assert_true(k < one.n);
            assert_event(p, one.event[k].t, 1e-9, 0, jd_contact_letter(one.event[k].from),
                         jd_contact_letter(one.event[k].to));
            k++;
        }
        assert_int_equal(k, one.n);
        events += k;
        scene_close(&one);
        scene_close(&parts);
    }
    print_message("   %ld events\n", events);
    assert_true(events > 300);
}

// One mass between a stop that moves, from below, and one that does not.
static void a_mass_that_is_jammed_ends_the_run_by_name(void **state) {
    (void)state;
    int named = 0;
    for (int i = 1; i <= 20; i++) {
        unsigned long long seed = 331ULL * (unsigned long long)i;
        double gap = draw(&seed, 0.1, 1), speed = draw(&seed, 0.05, 0.3),
               e = i % 2 ? 0 : draw(&seed, 0, 0.6);
        scene s = scene_open();
        scene_mass(&s, draw(&seed, 0.5, 2), draw(&seed, 0.5, 2), draw(&seed, 0.01, 0.1));
        scene_stop(&s, "ground", "m1", gap, e, 0);
        s.against = (jd_counter){.kind = JD_MOVING, .velocity = speed};
        scene_stop(&s, "piston", "m1", 0.3 * gap, e, 1);
        double jam = 1.3 * gap / speed;
        scene_start(&s);
        do must(&s, jd_run_advance(s.r, 2 * jam, &s.step));
        while (s.step == JD_STEP_EVENT);
        jd_report r = scene_report(&s);
        named += r.stop == JD_STOP_BEYOND_ENGINE; // else it bounces ever faster between the two
        assert_true(r.stop == JD_STOP_BEYOND_ENGINE || r.stop == JD_STOP_STORM);
        assert_near(r.t, jam, 1e-3 * jam);
        assert_true(fabs(r.ledger.residual) < 1e-9);
        scene_close(&s);
    }
    print_message("   %d of 20 by name\n", named);
    assert_true(named > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_in_parts_moves_as_one),
        cmocka_unit_test(stops_given_several_times_move_as_one),
        cmocka_unit_test(friction_and_stop_on_one_mass_run_to_their_end),
        cmocka_unit_test(more_contacts_than_modes_run_to_their_end),
        cmocka_unit_test(random_dependent_contacts_run_to_their_end),
        cmocka_unit_test(the_order_of_dependent_contacts_does_not_matter),
        cmocka_unit_test(static_limits_in_parts_add_up),
        cmocka_unit_test(a_mass_that_is_jammed_ends_the_run_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
