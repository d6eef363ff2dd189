// exact_random.c -- random chains with random contacts: the exact engine against an independent
//   integration, every event and the end. From a fixed seed; motions that forget their digits
//   (horizon) are compared as far as the reference's own rounding reaches.
#include "how_many.h"
#include "reference_ode.h"

enum { CASES = 150 };

static double draw(unsigned long long *seed, double low, double high) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static void add_contact(scene *s, unsigned long long *seed, int j) {
    char name[16], point[16];
    snprintf(name, sizeof name, "c%d", j);
    snprintf(point, sizeof point, "m%d", j + 1);
    double kind = draw(seed, 0, 4), limit = draw(seed, 0.05, 0.8);
    s->against = (jd_counter){.kind = JD_GROUND};
    if (draw(seed, 0, 1) < 0.3)
        s->against = (jd_counter){.kind = JD_MOVING, .velocity = draw(seed, -0.3, 0.3)};
    if (j == 0 && draw(seed, 0, 1) < 0.3) {
        s->against = (jd_counter){.kind = JD_GROUND};
        scene_stop(s, name, point, draw(seed, 0.1, 0.6), 1, draw(seed, 0, 1) < 0.5);
    } else if (kind < 1.5) {
        scene_friction(s, name, point, limit, NAN);
    } else if (kind < 2.5) {
        scene_friction(s, name, point, limit, limit * draw(seed, 1, 1.6));
    } else {
        scene_affine(s, name, point, limit, draw(seed, -0.1, 0.4));
    }
}

static scene make(unsigned long long seed) {
    double ratio = draw(&seed, 0, 0.1), free = draw(&seed, 0, 1);
    jd_damping_ratio_def by_ratio = {{1, &ratio}};
    jd_damping_rayleigh_def rayleigh = {ratio, ratio / 4};
    jd_object damping = {"", &jd_damping_ratio, &by_ratio};
    if (free < 0.6) damping = (jd_object){"", &jd_damping_rayleigh, &rayleigh};
    scene s = scene_open();
    scene_chain(&s, "", 4, draw(&seed, 0.5, 2), draw(&seed, 1, 4), JD_FIXED, JD_FREE,
                free < 0.3 ? NULL : &damping);
    int contacts = 1 + (int)draw(&seed, 0, 3);
    for (int j = 0; j < contacts; j++) add_contact(&s, &seed, j);
    scene_harmonic(&s, "h", "m4", draw(&seed, 0.3, 2), draw(&seed, 0.3, 3), draw(&seed, 0, 6));
    if (draw(&seed, 0, 1) < 0.5) scene_constant(&s, "k", "m2", draw(&seed, -0.5, 0.5));
    return s;
}

static void random_problems_agree_with_the_reference(void **state) {
    (void)state;
    int cases = how_many(CASES, 50);
    long events = 0;
    double worst_time = 0, worst_place = 0;
    for (int i = 0; i < cases; i++) {
        scene s = make(1000003ULL * (unsigned long long)(i + 1));
        ode o;
        scene_run(&s, 15);
        ode_open(&o, &s, 0.01);
        ode_run(&o, 15);
        for (int k = 0; k < s.n && k < o.n_event; k++) {
            const jd_event *a = &s.event[k], *b = &o.event[k];
            if (!(fabs(a->t - b->t) < 1e-9) || a->contact != b->contact ||
                jd_contact_letter(a->to) != jd_contact_letter(b->to))
                print_error("case %d, event %d: %.12g %d %c%c, reference %.12g %d %c%c\n", i, k,
                            a->t, a->contact, jd_contact_letter(a->from), jd_contact_letter(a->to),
                            b->t, b->contact, jd_contact_letter(b->from), jd_contact_letter(b->to));
            assert_event(a, b->t, 1e-9, b->contact, jd_contact_letter(b->from),
                         jd_contact_letter(b->to));
            worst_time = fmax(worst_time, fabs(a->t - b->t));
        }
        if (s.n != o.n_event) print_error("case %d\n", i);
        assert_int_equal(s.n, o.n_event);
        for (int j = 0; j < o.m; j++) {
            double u = (double)(ode_dot(&o, o.row[j], o.q) - (o.stop[j] ? o.belt[j] * o.t : 0));
            assert_near(scene_at(&s, 15, j).u, u, 1e-9);
            worst_place = fmax(worst_place, fabs(scene_at(&s, 15, j).u - u));
        }
        assert_near(scene_report(&s).ledger.residual, 0, 1e-11);
        events += s.n;
        ode_close(&o);
        scene_close(&s);
    }
    print_message("   %ld events, worst %.1e s, %.1e m\n", events, worst_time, worst_place);
    assert_true(events > 10 * cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_agree_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
