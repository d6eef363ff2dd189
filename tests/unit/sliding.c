// sliding.c -- complex modes of steady sliding: flutter thresholds and poles by closed forms and by
// 30 digits, followed over the coefficient, and what has no sliding state.
#include "problem/contacts/sliding.h"
#include "base/arena.h"
#include "judder/follow.h"
#include "model_case.h"
#include "problem/initial.h"

// Minimal brake: K = (2, 1; 1, knn) without its contact, unit masses, x along the belt, y into it.
static void brake(char *text, size_t size, double knn, double ct, double cn, const char *law) {
    double middle = (2 + knn) / 2, half = (2 - knn) / 2, root = hypot(half, 1);
    double angle = atan2(1, half) / 2;
    int n = snprintf(text, size,
                     "judder: 1\nstructure: {type: modes, omega: [%.17g, %.17g], shapes: {x: "
                     "[%.17g, %.17g], y: [%.17g, %.17g]}}\ncontacts: {pad: {at: {normal: y, "
                     "tangential: x}, against: {velocity: 0.5}, law: {type: dry-contact, %s}}}\n"
                     "drives: {press: {at: y, type: constant, value: 1}}\n",
                     sqrt(middle - root), sqrt(middle + root), -sin(angle), cos(angle), cos(angle),
                     sin(angle), law);
    if (ct == 0 && cn == 0) return;
    snprintf(text + n, size - (size_t)n,
             "connections: {t: {type: dashpot, at: x, damping: %.17g}, n: {type: dashpot, at: y, "
             "damping: %.17g}}\n",
             ct, cn);
}

#define SOFT                                                                                       \
    "coefficient: 0.5, preload: 1, normal_stiffness: 1.3333333333333333, tangential_stiffness: 20"

static jd_sliding slides(model_case *m, jd_arena *arena, double mu) {
    jd_sliding s;
    assert_int_equal(jd_problem_set(m->problem, "contacts.pad.law.coefficient", mu, NULL), JD_OK);
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    if (jd_problem_sliding(arena, m->problem, &s) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    return s;
}

// The threshold as `follow: {of: steady}` finds it.
static double threshold(model_case *m, double from, double to) {
    jd_follow *follow;
    jd_follow_options o = jd_default_follow_options();
    o.parameter = "contacts.pad.law.coefficient";
    o.of = JD_FOLLOW_STEADY;
    o.from = from;
    o.to = to;
    if (jd_follow_create(m->context, m->problem, &o, &follow) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    const jd_follow_view *v = jd_follow_look(follow);
    assert_int_equal(v->end, JD_END_TO);
    assert_int_equal(v->n_special, 1);
    assert_int_equal(v->special[0].kind, JD_SPECIAL_HOPF);
    assert_true(v->special[0].stable_before && !v->special[0].stable_after);
    double at = v->special[0].parameter;
    jd_follow_free(follow);
    return at;
}

static void the_minimal_brake_flutters_from_three_quarters(void **state) {
    model_case *m = *state;
    char text[2000];
    brake(text, sizeof text, 2. / 3, 0, 0, SOFT);
    reads(m, text, NULL);
    jd_arena *arena = jd_arena_create(m->context);
    assert_true(slides(m, arena, 0.75 - 1e-12).growth == 0);
    assert_true(slides(m, arena, 0.75 + 1e-12).growth > 0);
    double at = threshold(m, 0.4, 1.2);
    print_message("%.17g\n", at);
    assert_near(at, 0.75, 1e-12);
    jd_arena_free(arena);
}

// The other way the friction turns the stiffness against flutter: none at any coefficient.
static void the_belt_the_other_way_does_not_flutter(void **state) {
    model_case *m = *state;
    char text[2000];
    brake(text, sizeof text, 2. / 3, 0, 0, SOFT);
    reads(m, text, "contacts.pad.against.velocity=-0.5");
    jd_arena *arena = jd_arena_create(m->context);
    for (int i = 1; i < 20; i++) {
        jd_sliding s = slides(m, arena, 0.1 * i);
        assert_true(s.growth == 0 && s.letter[0] == '+');
    }
    jd_arena_free(arena);
}

// Routh's condition: ktt knn' - ktn^2 + mu kn |ktn| = a3 (a1 a2 - a3)/a1^2, knn' with the contact.
static void flutter_begins_at_its_closed_form(void **state) {
    model_case *m = *state;
    static const struct {
        double knn, ct, cn, mu;
    } cases[] = {{2. / 3, 0.1, 0.1, 0.765},
                 {2. / 3, 0.02, 0.2, 0.756},
                 {2. / 3, 0.2, 0.02, 0.756},
                 {2. / 3, 0.001, 0.01, 0.750015},
                 {5. / 3, 0.001, 0.001, 0.937501875},
                 {5. / 3, 0.001, 0.01, 0.811999152892561983},
                 {5. / 3, 0.01, 0.001, 0.812005289256198347},
                 {5. / 3, 0.1, 0.1, 0.95625}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        double ct = cases[i].ct, cn = cases[i].cn, k = cases[i].knn + 4. / 3;
        brake(text, sizeof text, cases[i].knn, ct, cn, SOFT);
        reads(m, text, NULL);
        double a1 = ct + cn, a2 = 2 + k + ct * cn, a3 = ct * k + cn * 2;
        double mu = (a3 * (a1 * a2 - a3) / (a1 * a1) - 2 * k + 1) / (4. / 3);
        double at = threshold(m, 0.4, 1.2);
        print_message("c %g %g: %.15g, off by %.1e\n", ct, cn, at, at - cases[i].mu);
        assert_near(mu, cases[i].mu, 1e-12);
        assert_near(at, cases[i].mu, 1e-12);
    }
}

static void poles_are_those_of_thirty_digits(void **state) {
    model_case *m = *state;
    static const double half[][2] = {{-0.05, 1.191700352777649485}, {-0.05, 1.604633998514809534}};
    static const double pin[][2] = {{-0.3493109690363325725, 4.077605072769349387},
                                    {0.2109771917068505767, 4.098191994332321745},
                                    {-0.1354195865575081387, 11.65906662102405206},
                                    {-0.3025346361130098654, 21.19476388258505648}};
    char text[2000];
    brake(text, sizeof text, 2. / 3, 0.1, 0.1, SOFT);
    reads(m, text, NULL);
    jd_arena *arena = jd_arena_create(m->context);
    jd_sliding s = slides(m, arena, 0.5);
    assert_int_equal(s.n, 4);
    for (int k = 0; k < 4; k++) {
        assert_near(s.pole[k][0], half[k / 2][0], 1e-14);
        assert_near(s.pole[k][1], k % 2 ? -half[k / 2][1] : half[k / 2][1], 1e-14);
    }
    reads(m,
          "judder: 1\nstructure: {type: modes, omega: [1, 6.2669, 17.5475, 4], ratio: [0.02, 0.02, "
          "0.02, 0.02], shapes: {x: [1.2, -1.2, 1.2, -1.13136], y: [1.6, -1.6, 1.6, 0.84852]}}\n"
          "contacts: {pad: {at: {normal: y, tangential: x}, against: {velocity: -0.02}, law: "
          "{type: dry-contact, coefficient: 0.9, preload: 1, normal_stiffness: 20, "
          "tangential_stiffness: 50}}}\n",
          NULL);
    s = slides(m, arena, 0.9);
    for (int k = 0; k < 8; k++) {
        assert_near(s.pole[k][0], pin[k / 2][0], 1e-12);
        assert_near(fabs(s.pole[k][1]), pin[k / 2][1], 1e-12);
    }
    assert_near(s.growth, pin[1][0], 1e-12);
    assert_near(s.omega, pin[1][1], 1e-12);
    double at = threshold(m, 0.5, 1);
    assert_near(at, 0.7679167761033723812, 1e-12);
    jd_arena_free(arena);
}

// The equilibrium is the one a static start takes: forces balance, friction is that of sliding.
static void steady_sliding_is_an_equilibrium(void **state) {
    model_case *m = *state;
    char text[2000];
    double q[2], rate[2], T[1];
    brake(text, sizeof text, 2. / 3, 0, 0, SOFT);
    reads(m, text, "contacts.pad.law.coefficient=1");
    jd_arena *arena = jd_arena_create(m->context);
    jd_sliding s = slides(m, arena, 1);
    assert_int_equal(jd_problem_initial(m->problem, q, rate), JD_OK); // preloaded: it settles
    assert_int_equal(jd_problem_initial_sliders(m->problem, T), JD_OK);
    // x = (6/13, -3/13), N = 9/13 with N0 = 1 and the load 1 into the belt
    assert_near(s.u[0], 6. / 13, 1e-14);
    assert_near(s.normal[0], 9. / 13, 1e-14);
    assert_near(s.force[0], 9. / 13, 1e-14);
    assert_near(T[0], -9. / 13, 1e-14);
    assert_true(s.letter[0] == '-');
    jd_arena_free(arena);
}

// Friction that falls with the speed: growth -(c + f')/(2 m).
static void falling_friction_grows_by_its_slope(void **state) {
    model_case *m = *state;
    static const struct {
        const char *law;
        double slope;
    } cases[] = {{"type: affine, limit: 1, slope: -0.3", -0.3},
                 {"type: stribeck, limit: 1, drop: 0.5, decay: 2", -0.5 * 2 * 0.36787944117144233}};
    for (int i = 0; i < 2; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 4, damping: "
                 "{type: ratio, value: 0.025}, supports: {left: fixed, right: free}, points: {a: "
                 "{node: 1}}}\ncontacts: {pad: {at: a, against: {velocity: 0.5}, law: {%s}}}\n",
                 cases[i].law);
        reads(m, text, NULL);
        jd_arena *arena = jd_arena_create(m->context);
        jd_sliding s;
        assert_int_equal(jd_problem_sliding(arena, m->problem, &s), JD_OK);
        double c = 0.1 + cases[i].slope;
        assert_near(s.growth, -c / 2, 1e-14);
        assert_near(s.omega, sqrt(4 - c * c / 4), 1e-14);
        jd_arena_free(arena);
    }
}

static void what_has_no_sliding_state_is_refused(void **state) {
    model_case *m = *state;
    char text[2000];
    jd_sliding s;
    brake(text, sizeof text, 2. / 3, 0, 0, SOFT);
    static const struct {
        const char *set, *message;
    } cases[] = {
        {"contacts.pad.against=ground", "no contact with friction works against a belt"},
        {"contacts.pad.law={type: dry-contact, coefficient: 0.2, gap: -1, restitution: 0}",
         "the contact `pad` is closed and rigid"},
        {"contacts.pad.law.coefficient=9", "the contact `pad` is wedged"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reads(m, text, cases[i].set);
        if (i == 2) // the direction that wedges
            assert_int_equal(jd_problem_set(m->problem, "contacts.pad.against.velocity", -1, NULL),
                             JD_OK);
        assert_int_equal(jd_problem_build(m->problem), JD_OK);
        jd_arena *arena = jd_arena_create(m->context);
        assert_int_equal(jd_problem_sliding(arena, m->problem, &s), JD_NOT_SUPPORTED);
        says("message", jd_context_error(m->context)->message, cases[i].message);
        jd_arena_free(arena);
    }
}

// Two modes with c_nn = 1, c_nt = -1/2, kn = 1: sliding against the belt wedges at (c_nn + 1/kn) /
// |c_nt| = 4, where the branch ends, by name.
static void a_branch_ends_where_the_contact_wedges(void **state) {
    model_case *m = *state;
    jd_follow *follow;
    reads(m,
          "judder: 1\nstructure: {type: modes, omega: [1, 1], ratio: [0.1, 0.1], shapes: {x: [1, "
          "0], y: [-0.5, 0.8660254037844386]}}\n"
          "contacts: {pad: {at: {normal: y, tangential: x}, against: {velocity: -1}, law: {type: "
          "dry-contact, preload: 1, normal_stiffness: 1, tangential_stiffness: 3, coefficient: "
          "1}}}\n",
          NULL);
    jd_follow_options o = jd_default_follow_options();
    o.parameter = "contacts.pad.law.coefficient";
    o.of = JD_FOLLOW_STEADY;
    o.from = 1;
    o.to = 6;
    assert_int_equal(jd_follow_create(m->context, m->problem, &o, &follow), JD_OK);
    const jd_follow_view *v = jd_follow_look(follow);
    assert_int_equal(v->end, JD_END_LOST);
    assert_near(v->end_parameter, 4, 1e-12);
    says("why", v->why, "the contact `pad` is wedged");
    assert_true(v->n_point > 100);
    for (int i = 0; i < v->n_point; i++) { // N = 1/(2 - mu/2), u = -c_tn N - mu c_tt N (belt -1)
        double mu = v->point[i].parameter;
        assert_true(mu < 4);
        assert_relative(v->point[i].amplitude, -(mu - 0.5) / (2 - mu / 2), 1e-12);
    }
    jd_follow_free(follow);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(the_minimal_brake_flutters_from_three_quarters),
        MODEL_TEST(the_belt_the_other_way_does_not_flutter),
        MODEL_TEST(flutter_begins_at_its_closed_form),
        MODEL_TEST(poles_are_those_of_thirty_digits),
        MODEL_TEST(steady_sliding_is_an_equilibrium),
        MODEL_TEST(falling_friction_grows_by_its_slope),
        MODEL_TEST(a_branch_ends_where_the_contact_wedges),
        MODEL_TEST(what_has_no_sliding_state_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
