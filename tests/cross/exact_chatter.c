// exact_chatter.c -- random chains that chatter into their stops beside an independent integration:
//   what follows the chatter is right in every event, in place and velocity, and the end of the
//   chatter is right within the error stated.
//   The reference follows bounces down to 4e-7 and then closes: its time of closing is early by
//   D ~ 1e-5, its state is off by v D^2 ~ 4e-17. A second one whose force is 1e-12 larger says how
//   far digits reach.
#include "how_many.h"
#include "reference_ode.h"

enum { CASES = 40 };

static double draw(unsigned long long *seed, double low, double high) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static void add_stop(scene *s, unsigned long long *seed, const char *name, const char *point) {
    double kind = draw(seed, 0, 1);
    s->against = (jd_counter){.kind = JD_GROUND};
    if (kind < 0.15)
        s->against = (jd_counter){.kind = JD_MOVING, .velocity = draw(seed, -0.02, 0.01)};
    scene_stop(s, name, point, draw(seed, 0.02, 0.3), draw(seed, 0, 0.85), draw(seed, 0, 1) < 0.2);
    s->against = (jd_counter){.kind = JD_GROUND};
}

static scene make(unsigned long long seed, double larger) {
    for (int i = 0; i < 5; i++) draw(&seed, 0, 1);
    double ratio = draw(&seed, 0, 0.3), kind = draw(&seed, 0, 1);
    jd_damping_ratio_def by_ratio = {{1, &ratio}};
    jd_damping_rayleigh_def rayleigh = {ratio, ratio};
    jd_object damping = {"", &jd_damping_ratio, &by_ratio};
    if (kind < 0.6) damping = (jd_object){"", &jd_damping_rayleigh, &rayleigh};
    int n = 1 + (int)draw(&seed, 0, 4);
    scene s = scene_open();
    scene_chain(&s, "", n, draw(&seed, 0.5, 2), draw(&seed, 1, 9), JD_FIXED, JD_FREE,
                kind < 0.2 ? NULL : &damping);
    add_stop(&s, &seed, "stop", "m1");
    if (n > 1 && draw(&seed, 0, 1) < 0.5)
        scene_friction(&s, "pad", "m2", draw(&seed, 0.05, 0.5), NAN);
    if (n > 2 && draw(&seed, 0, 1) < 0.5) add_stop(&s, &seed, "other", "m3");
    scene_harmonic(&s, "h", n > 1 && draw(&seed, 0, 1) < 0.5 ? "m2" : "m1",
                   draw(&seed, 0.5, 2) * (1 + larger), draw(&seed, 0.2, 1.5), draw(&seed, 0, 6));
    scene_constant(&s, "k", "m1", draw(&seed, 0, 1.5));
    return s;
}

static void integrate(ode *o, scene *s, double end) {
    ode_open(o, s, 0.01);
    o->moment = 1e-8L;
    ode_run(o, end);
}

typedef struct tally {
    long events, closes, unbounded;
    double worst_time, worst_place, worst_velocity;
} tally;

// Events up to where digits end; true: they reach to the end of the run.
static bool compare(int number, scene *s, const ode *a, const ode *b, tally *sum) {
    int k = 0;
    double stated = scene_report(s).certificate.chatter_error;
    for (int i = 0; i < s->n; i++, k++) {
        const jd_event *e = &s->event[i];
        bool closes = jd_contact_letter(e->to) == '|';
        while (closes && k < a->n_event && jd_contact_letter(a->event[k].to) != '|' &&
               a->event[k].speed > 0)
            k++;
        if (k >= a->n_event || k >= b->n_event ||
            jd_contact_letter(a->event[k].to) != jd_contact_letter(b->event[k].to))
            return false;
        double blur = fabs(a->event[k].t - b->event[k].t), off = fabs(e->t - a->event[k].t);
        if (blur > 1e-6) return false;
        double allowed = 1e-10 + 100 * blur + (closes ? stated + 4e-5 : 0) +
                         (e->speed > 0 ? 2e-14 / e->speed : 0);
        if (!(off <= allowed) || e->contact != a->event[k].contact ||
            jd_contact_letter(e->to) != jd_contact_letter(a->event[k].to)) {
            print_error("case %d, event %d: %.12g %d %c%c, reference %.12g %d %c%c\n", number, i,
                        e->t, e->contact, jd_contact_letter(e->from), jd_contact_letter(e->to),
                        a->event[k].t, a->event[k].contact, jd_contact_letter(a->event[k].from),
                        jd_contact_letter(a->event[k].to));
            fail();
        }
        sum->events++;
        sum->closes += closes;
        if (!closes && e->speed == 0) sum->worst_time = fmax(sum->worst_time, off - 100 * blur);
    }
    return true;
}

static void compare_end(int number, scene *s, const ode *a, const ode *b, double end, tally *sum) {
    for (int j = 0; j < a->m; j++) {
        real belt = a->stop[j] ? a->belt[j] * a->t : 0, u = ode_dot(a, a->row[j], a->q) - belt,
             v = ode_speed(a, j);
        double du = (double)fabsl(u - ode_dot(b, b->row[j], b->q) + belt),
               dv = (double)fabsl(v - ode_speed(b, j));
        scene_look here = scene_at(s, end, j);
        if (a->mark[j] != b->mark[j]) continue;
        double off_u = fabs(here.u - (double)u), off_v = fabs(here.v - (double)v);
        if (off_u > 1e-10 + 100 * du || off_v > 1e-9 + 100 * dv)
            print_error("case %d, contact %d: place off by %g, velocity by %g\n", number, j, off_u,
                        off_v);
        assert_true(off_u <= 1e-10 + 100 * du && off_v <= 1e-9 + 100 * dv);
        sum->worst_place = fmax(sum->worst_place, off_u - 100 * du);
        sum->worst_velocity = fmax(sum->worst_velocity, off_v - 100 * dv);
    }
}

static void chatter_on_a_chain_leaves_the_right_motion_behind(void **state) {
    (void)state;
    int cases = how_many(CASES, 5);
    const double end = 12;
    tally sum = {0};
    ode *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    for (int i = 0; i < cases; i++) {
        unsigned long long seed = 104729ULL * (unsigned long long)(i + 1);
        scene s = make(seed, 0), other = make(seed, 1e-12);
        scene_run(&s, end);
        integrate(a, &s, end);
        integrate(b, &other, end);
        assert_int_equal(s.step, JD_STEP_TIME);
        jd_certificate k = scene_report(&s).certificate;
        bool bounded = k.chatter_speed == 0;
        assert_true(bounded || !k.certified);
        sum.unbounded += !bounded;
        assert_near(scene_report(&s).ledger.residual, 0, 1e-11);
        if (bounded && compare(i, &s, a, b, &sum)) compare_end(i, &s, a, b, end, &sum);
        ode_close(a);
        ode_close(b);
        scene_close(&s);
        scene_close(&other);
    }
    print_message(
        "   %ld events, %ld closings, %ld of %d without a bound, worst %.1e s, %.1e m, %.1e m/s\n",
        sum.events, sum.closes, sum.unbounded, cases, sum.worst_time, sum.worst_place,
        sum.worst_velocity);
    free(a);
    free(b);
    assert_true(sum.closes > cases / 2 && sum.unbounded < cases / 4);
}

// A mass on its last bounces, pulled off shortly before they would be over: it does not come to
// rest. The end of the same bounces without the pull says when to pull.
static void a_drive_that_breaks_ends_the_bounces(void **state) {
    (void)state;
    for (int i = 0; i < 24; i++) {
        unsigned long long seed = 7919ULL * (unsigned long long)(i + 1);
        double over = HUGE_VAL, early = draw(&seed, 8e-6, 2.5e-5), e = draw(&seed, 0.1, 0.6);
        double push = draw(&seed, 0.5, 2), k = draw(&seed, 1, 4);
        for (int pull = 0; pull < 2; pull++) {
            scene s = scene_open();
            scene_chain(&s, "", 1, 1, k, JD_FIXED, JD_FREE, NULL);
            scene_stop(&s, "stop", "m1", 0.1 * push / k, e, 0);
            scene_constant(&s, "push", "m1", push);
            scene_pulse(&s, "pull", "m1", 0, -3 * push, pull ? over - early : 90, 1);
            scene_run(&s, pull ? over + 0.1 : 60);
            bool closes = false;
            for (int n = 0; n < s.n && !closes; n++)
                if ((closes = jd_contact_letter(s.event[n].to) == '|')) over = s.event[n].t;
            assert_int_equal(closes, !pull);
            assert_true(scene_report(&s).certificate.certified);
            scene_close(&s);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chatter_on_a_chain_leaves_the_right_motion_behind),
        cmocka_unit_test(a_drive_that_breaks_ends_the_bounces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
