// chatter_beside.c -- bounces that other contacts feel: what a bounded completion leaves is right.
//   m2 bounces on m1, which may bounce or rest on the ground, be held or rubbed by a pad. The
//   reference follows the bounces, all impulses shared, down to 1e-8 s before the end; its twin,
//   with stiffness, limits and loads changed by 1e-12, says how far digits reach. Where the run
//   gives no bound (chatter_speed > 0) it is not certified, and nothing is compared.
#include "scene.h" // first: what follows needs its headers

#include "reference_events.h"

enum { CASES = 150 };

typedef struct tally {
    int bounded, unbounded, completed, compared, closings, felt;
    double worst_place, worst_velocity, worst_closing;
} tally;

static double draw(unsigned long long *seed, double low, double high) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static scene make(unsigned long long seed) {
    for (int i = 0; i < 5; i++) draw(&seed, 0, 1);
    double alpha = draw(&seed, 0, 0.3);
    jd_damping_rayleigh_def rayleigh = {alpha, alpha};
    jd_object damping = {"", &jd_damping_rayleigh, &rayleigh};
    scene s = scene_open();
    scene_chain(&s, "", 2, draw(&seed, 0.5, 2), draw(&seed, 1, 5), JD_FIXED, JD_FREE, &damping);
    s.against = (jd_counter){.kind = JD_PLACE, .place = {.point = "m1"}};
    scene_stop(&s, "upper", "m2", draw(&seed, 0.02, 0.2), draw(&seed, 0, 0.85), 0);
    s.against = (jd_counter){.kind = JD_GROUND};
    if (draw(&seed, 0, 1) < 0.5)
        scene_stop(&s, "ground", "m1", draw(&seed, 0.02, 0.2), draw(&seed, 0, 0.6), 0);
    else if (draw(&seed, 0, 1) < 0.8) {
        if (draw(&seed, 0, 1) < 0.6)
            s.against = (jd_counter){.kind = JD_MOVING, .velocity = draw(&seed, -2, 2)};
        scene_friction(&s, "pad", "m1", 0.05 * pow(100, draw(&seed, 0, 1)), NAN);
    }
    scene_harmonic(&s, "h", "m2", draw(&seed, 0.5, 2), draw(&seed, 0.2, 1.5), draw(&seed, 0, 6));
    scene_constant(&s, "k", "m2", draw(&seed, 0, 1.5));
    scene_constant(&s, "l", "m1", draw(&seed, 0, 2));
    return s;
}

// Time of the n-th closing of contact j; HUGE_VAL: there is none.
static double closing(int n, const jd_event *e, int j, int which) {
    for (int i = 0; i < n; i++)
        if (e[i].contact == j && jd_contact_letter(e[i].to) == '|' && which-- == 0) return e[i].t;
    return HUGE_VAL;
}

// Bounces end when they should, within the error stated and what the reference leaves out.
static void compare_closings(int number, const scene *s, const reference *a, double stated,
                             tally *sum) {
    for (int j = 0; j < a->m; j++)
        for (int which = 0;; which++) {
            double t = closing(s->n, s->event, j, which),
                   ref = closing(a->n_event, a->event, j, which);
            if (isinf(t) && isinf(ref)) break;
            double off = fabs(t - ref);
            sum->closings++;
            sum->worst_closing = fmax(sum->worst_closing, off);
            if (off <= stated + 2e-8) continue;
            print_error("case %d, contact %d closes at %.12g, reference %.12g\n", number, j, t,
                        ref);
            fail();
        }
}

// Was the pad stuck when the bounce came after which the stop closed? Then no bound is known.
static bool felt(const scene *s, const jd_contact_def *beside) {
    char pad = beside->against.kind == JD_MOVING ? '+' : 'H', before = pad; // from rest
    double last = -1;
    if (beside->law.type == &jd_law_stop.type) return false;
    for (int i = 0; i < s->n; i++) {
        const jd_event *e = &s->event[i];
        if (e->contact == 1) pad = jd_contact_letter(e->to);
        if (e->contact == 1) continue;
        if (jd_contact_letter(e->to) == '|' && before == 'H' && last >= 0 && e->t > last)
            return true;
        last = e->speed > 0 ? e->t : -1;
        before = pad;
    }
    return false;
}

// Places and speeds at the end, where reference and twin have come to the same phase.
static void compare(int number, scene *s, reference *a, reference *twin, double end, tally *sum) {
    bool rests;
    if (strcmp(a->mark, twin->mark) != 0 || a->end != REF_TIME || twin->end != REF_TIME) return;
    for (int j = 0; j < a->m; j++) {
        double u = (double)ref_place(a, j), v = (double)ref_speed(a, j, &rests);
        double du = fabs(u - (double)ref_place(twin, j)),
               dv = fabs(v - (double)ref_speed(twin, j, &rests));
        if (du > 1e-10 || dv > 1e-10) return; // digits are lost
    }
    sum->compared++;
    for (int j = 0; j < a->m; j++) {
        scene_look here = scene_at(s, end, j);
        double off_u = fabs(here.u - (double)ref_place(a, j)),
               off_v = fabs(here.v - (double)ref_speed(a, j, &rests));
        sum->worst_place = fmax(sum->worst_place, off_u);
        sum->worst_velocity = fmax(sum->worst_velocity, off_v);
        if (off_u > 1e-9 || off_v > 1e-9) {
            print_error("case %d, contact %d: place off by %g, velocity by %g\n", number, j, off_u,
                        off_v);
            fail();
        }
    }
}

static void chatter_that_others_feel_is_right_or_without_a_bound(void **state) {
    (void)state;
    const char *asked = getenv("JD_CHATTER_MODELS");
    int cases = asked ? atoi(asked) : CASES;
    const double end = 12;
    tally sum = {0};
    for (int i = 0; i < cases; i++) {
        scene s = make(104729ULL * (unsigned long long)(i + 1));
        scene_run(&s, end);
        jd_certificate k = scene_report(&s).certificate;
        bool bounded = k.chatter_speed == 0;
        assert_true(bounded || !k.certified);
        if (jd_problem_contacts(s.p) > 1 && felt(&s, jd_problem_contact(s.p, 1)->def)) {
            sum.felt++;
            if (bounded)
                print_error("case %d: a stuck contact feels bounces said to be bounded\n", i);
            assert_true(!bounded);
        }
        sum.bounded += bounded, sum.unbounded += !bounded;
        sum.completed += bounded && k.chatter_error > 0;
        if (bounded && k.chatter_error > 0 && s.step == JD_STEP_TIME && k.undecided == 0) {
            reference *a = ref_open(s.p, end, 3000, 0), *twin = ref_open(s.p, end, 3000, 1e-12L);
            ref_run(a, end);
            ref_run(twin, end);
            compare(i, &s, a, twin, end, &sum);
            compare_closings(i, &s, a, k.chatter_error, &sum);
            ref_free_all(a);
            ref_free_all(twin);
        }
        scene_close(&s);
    }
    print_message("   %d with a bound (%d completed, %d compared), %d without; worst %.1e m, %.1e "
                  "m/s; %d closings, worst %.1e s; %d felt by a stuck pad\n",
                  sum.bounded, sum.completed, sum.compared, sum.unbounded, sum.worst_place,
                  sum.worst_velocity, sum.closings, sum.worst_closing, sum.felt);
    assert_true(sum.felt > 0 && sum.compared > cases / 2 && sum.unbounded > cases / 30 &&
                sum.unbounded < cases / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chatter_that_others_feel_is_right_or_without_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
