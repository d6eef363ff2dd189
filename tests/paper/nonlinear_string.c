// nonlinear_string.c -- frequency response of the nonlinear string.          [szalai, closure, III]
//   References: anti-periodic Fourier collocation in double precision, 8 digits and more, a method
//   of its own; series of the linear string with 30 digits.
#include "orbit_case.h"

#include "structure/piecewise/nonlinear_string.h"

static const char string_file[] = "nonlinear-string/response.yaml";

typedef struct branch {
    orbit_case c;
    jd_follow *follow;
    const jd_follow_view *v;
} branch;

static branch follow_string(int n, const char *const *set, double from, double to) {
    branch b = {0};
    orbit_read(&b.c, string_file, n, set);
    jd_follow_options o = jd_default_follow_options();
    o.parameter = "drives.force.frequency";
    o.from = from;
    o.to = to;
    if (jd_follow_create(b.c.context, b.c.problem, &o, &b.follow) != JD_OK)
        fail_msg("%s", jd_context_error(b.c.context)->message);
    b.v = jd_follow_look(b.follow);
    return b;
}

static void branch_end(branch *b) {
    jd_follow_free(b->follow);
    orbit_end(&b->c);
}

static void assert_fold(const jd_follow_view *v, double omega, double amplitude, double bound) {
    for (int i = 0; i < v->n_special; i++) {
        const jd_special *s = &v->special[i];
        if (s->kind != JD_SPECIAL_FOLD || fabs(s->parameter - omega) > 1e-2 ||
            fabs(s->amplitude - amplitude) > 1e-2)
            continue;
        assert_near(s->parameter, omega, bound);
        assert_near(s->amplitude, amplitude, bound);
        return;
    }
    fail_msg("no fold near %g, %g", omega, amplitude);
}

static void closure_string_folds_with_and_without_wave_term(void **state) {
    (void)state;
    const char *const none[] = {"structure.wave_term=none"}, *const exact[] = {
                                                                 "structure.wave_term=exact"};
    // measured: 2e-10
    branch b = follow_string(0, NULL, 3, 20);
    assert_int_equal(b.v->end, JD_END_TO);
    assert_fold(b.v, 10.405933929028143, 1.6050053875762178, 1e-9);
    assert_fold(b.v, 5.0903833649607, 0.35949665932123237, 1e-9);
    assert_near(b.v->point[0].amplitude, 0.49703293146871047, 1e-9);
    assert_near(b.v->point[b.v->n_point - 1].amplitude, 0.05803540155780413, 1e-9);
    branch_end(&b);
    b = follow_string(1, none, 3, 20);
    assert_fold(b.v, 10.26401225010784, 1.5671330335220444, 1e-9);
    assert_fold(b.v, 5.577632573508238, 0.42037194472547085, 1e-9);
    branch_end(&b);
    b = follow_string(1, exact, 3, 20);
    assert_fold(b.v, 10.34475266224955, 1.5946616648808682, 1e-9);
    assert_fold(b.v, 5.096785520022218, 0.3598730443410605, 1e-9);
    branch_end(&b);
}

// Branches that end at omega = 6 from three sides: the three motions that coexist there.
static void closure_string_three_motions_at_six(void **state) {
    (void)state;
    branch up = follow_string(0, NULL, 3, 6), down = follow_string(0, NULL, 20, 6),
           all = follow_string(0, NULL, 3, 20);
    const jd_branch_point *high = &up.v->point[up.v->n_point - 1],
                          *low = &down.v->point[down.v->n_point - 1];
    assert_near(high->amplitude, 0.8960709496790277, 1e-9);
    assert_near(hypot(high->multiplier[0], high->multiplier[1]), 0.8474036871696391, 1e-5);
    assert_true(high->stable);
    assert_near(low->amplitude, 0.16485433749820227, 1e-9);
    assert_near(hypot(low->multiplier[0], low->multiplier[1]), 0.9028012080460971, 1e-5);
    assert_true(low->stable);
    bool seen = false; // between the folds every motion is unstable; at 6: 0.729162
    for (int i = 1; i < all.v->n_point; i++) {
        const jd_branch_point *p = &all.v->point[i - 1], *q = p + 1;
        if (p->parameter < 6 || q->parameter > 6) continue; // on the way down
        double share = (p->parameter - 6) / (p->parameter - q->parameter);
        assert_near(p->amplitude + share * (q->amplitude - p->amplitude), 0.729162224195659, 1e-3);
        assert_false(p->stable);
        assert_int_equal(p->n_unstable, 1);
        seen = true;
    }
    assert_true(seen);
    branch_end(&up);
    branch_end(&down);
    branch_end(&all);
}

// Largest value of the cubic with these values and velocities (> 0, <= 0) at both ends of h.
static double top_of(double u0, double v0, double u1, double v1, double h) {
    double d = (u1 - u0) / h, c2 = (3 * d - 2 * v0 - v1) / h, c3 = (v0 + v1 - 2 * d) / (h * h),
           x = 0;
    for (int i = 0; i < 20; i++) { // u' = v0 + 2 c2 x + 3 c3 x^2: chords between the ends
        double slope = 2 * c2 + 6 * c3 * x;
        if (i == 0) slope = (v1 - v0) / h;
        x -= (v0 + 2 * c2 * x + 3 * c3 * x * x) / slope;
    }
    return u0 + x * (v0 + x * (c2 + x * c3));
}

// The middle one by shooting through the engine, which must agree to 1e-8.
static void closure_string_unstable_motion_by_shooting(void **state) {
    (void)state;
    branch b = follow_string(0, NULL, 3, 20);
    const jd_follow_view *v = b.v;
    int at = 0;
    for (int i = 1; i < v->n_point; i++)
        if (v->point[i - 1].parameter > 6 && v->point[i].parameter <= 6) at = i;
    assert_true(at > 0);
    assert_int_equal(jd_problem_set(b.c.problem, "drives.force.frequency", 6, NULL), JD_OK);
    jd_orbit_options o = jd_default_orbit_options();
    o.state = v->state + at * v->n;
    o.phase = "";
    o.settle = 0;
    o.periods = 1;
    orbit_seek(&b.c, &o);
    assert_true(b.c.view->found);
    assert_near(b.c.view->stability.largest, 2.6591835449754426, 2e-8); // measured: 5e-9
    assert_false(b.c.view->stability.stable);
    jd_run *run;
    jd_step step;
    int probe;
    double most = 0, u, rate;
    assert_int_equal(jd_orbit_run(b.c.orbit, &run), JD_OK);
    assert_int_equal(jd_run_probe(run, "contact", &probe), JD_OK);
    double step_length = b.c.view->period / 400, before[2] = {0};
    for (int i = 1; i <= 400; i++) { // the top between two velocities of either sign
        double t = step_length * i;
        assert_int_equal(jd_run_advance(run, t, &step), JD_OK);
        jd_run_observe(run, t, &u, &rate);
        if (i > 1 && before[1] > 0 && rate <= 0)
            most = fmax(most, top_of(before[0], before[1], u, rate, step_length));
        before[0] = u;
        before[1] = rate;
    }
    assert_near(most, 0.729162224195659, 1e-8); // measured: 4e-10
    jd_run_free(run);
    branch_end(&b);
}

// Multipliers along the branch, by turns and kicks, are those of the engine's own derivative: the
// sizes of complex pairs follow from the damping alone, so both parts are compared, and motions
// between the folds, whose multipliers are real.
static void closure_string_multipliers_are_those_of_the_engine(void **state) {
    (void)state;
    const char *const two[] = {"structure.modes=2"};
    for (int modes = 1; modes <= 2; modes++) {
        branch b = follow_string(modes - 1, two, 3, 20);
        const jd_follow_view *v = b.v;
        int unstable = 0;
        for (int i = v->n_point / 7; i < v->n_point; i += v->n_point / 7) {
            const jd_branch_point *p = &v->point[i];
            jd_problem_set(b.c.problem, "drives.force.frequency", p->parameter, NULL);
            jd_orbit_options o = jd_default_orbit_options();
            o.state = v->state + i * v->n;
            o.phase = "";
            o.settle = 0;
            o.periods = 1;
            orbit_seek(&b.c, &o);
            assert_true(b.c.view->found);
            assert_near(p->multiplier[0], b.c.view->stability.multiplier[0], 1e-4); // measured 2e-5
            assert_near(fabs(p->multiplier[1]), fabs(b.c.view->stability.multiplier[1]), 1e-4);
            unstable += !p->stable;
            jd_orbit_free(b.c.orbit);
            b.c.orbit = NULL;
        }
        assert_true(unstable > 0);
        branch_end(&b);
    }
}

// A small motion is a sine: its largest velocity is omega times its largest displacement.
static void closure_string_velocity_of_small_motions(void **state) {
    (void)state;
    const char *const small[] = {"drives.force.amplitude=1e-4"},
                      *const velocity[] = {small[0], "follow.measure=contact.velocity.max"};
    branch u = follow_string(1, small, 2, 20), v = follow_string(2, velocity, 2, 20);
    const jd_branch_point *a = u.v->point, *b = v.v->point;
    assert_relative(b[0].amplitude, 2 * a[0].amplitude, 1e-6);
    assert_relative(b[v.v->n_point - 1].amplitude, 20 * a[u.v->n_point - 1].amplitude, 1e-6);
    branch_end(&u);
    branch_end(&v);
}

// 2.5 L+/omega with the wave term, 2.5 Linf/(omega^2 - pi^2) without.
static void closure_string_high_frequencies(void **state) {
    (void)state;
    const char *const none[] = {"structure.wave_term=none"};
    branch with = follow_string(0, NULL, 50, 400), without = follow_string(1, none, 50, 400);
    double a = with.v->point[with.v->n_point - 1].amplitude,
           b = without.v->point[without.v->n_point - 1].amplitude;
    assert_near(with.v->point[0].amplitude, 0.024698792890113733, 1e-10);
    assert_near(without.v->point[0].amplitude, 0.0023780765856399777, 1e-10);
    assert_relative(a, 2.5 * 0.500225151988996 / 400, 1e-2);
    assert_relative(b, 2.5 * 2.368705056261446 / (400 * 400 - 9.8696), 1e-3);
    branch_end(&with);
    branch_end(&without);
}

static void with_string(int modes, int wave_term, double position, jd_stretched *out, jd_pws *pws,
                        double *linf, double *lplus) {
    jd_context *context = jd_context_create(NULL);
    double ratio = 0.03, zero[200] = {0};
    jd_damping_ratio_def damping = {{1, &ratio}};
    jd_point point = {.name = "contact", .position = position};
    jd_nonlinear_string_def d = {.modes = modes,
                                 .stretching = 2,
                                 .wave_speed = 1,
                                 .wave_term = wave_term,
                                 .sigma = (double)NAN,
                                 .points = {1, &point},
                                 .damping = {"", &jd_damping_ratio, &damping}};
    jd_structure *s;
    assert_int_equal(jd_structure_create(context, &jd_nonlinear_string_class.type, &d, &s), JD_OK);
    jd_arena *arena = jd_arena_create(context);
    assert_int_equal(jd_stretched_of(s, 0, arena, out), JD_OK);
    assert_int_equal(s->class->open(s, 0, arena, pws), JD_OK);
    pws->model.linf(pws->model.user, zero, linf);
    if (pws->model.lplus) pws->model.lplus(pws->model.user, zero, lplus);
    jd_arena_free(arena);
    jd_structure_free(s);
    jd_context_free(context);
}

static void closure_string_static_gain_and_wave_term(void **state) {
    (void)state;
    const int modes[] = {1, 2, 4, 16, 32};
    const double gain[] = {2.368705056261446, 2.8869423104802356, 5.197102858817907,
                           16.86850367974905, 32.5307618411166};
    for (int i = 0; i < 5; i++) {
        jd_stretched m;
        jd_pws pws = {0};
        double linf[200], lplus[200];
        with_string(modes[i], 0, 0.4, &m, &pws, linf, lplus);
        assert_near(linf[modes[i]], gain[i], 1e-12); // (43)
        assert_near(lplus[modes[i]], 0.49067012169704993, 1e-15);
        with_string(modes[i], 1, 0.4, &m, &pws, linf, lplus);
        assert_near(lplus[modes[i]], 0.500225151988996, 1e-15);
    }
}

// [L0](t) = sum_(k > N) 2 S_k^2 {(1 - k^-2) E S/(k pi g) + 2 b/pi (k^-2 - k^-3)(1 - E(C + b/g S))}
static double kernel(int N, double t) {
    const double pi = 3.14159265358979323846, b = 0.03, g = sqrt(1 - b * b);
    double sum = 0;
    for (int k = N + 1; k < 40000; k++) {
        double a = k * pi * t, e = exp(-b * a), s = sin(g * a), c = cos(g * a),
               S = sin(k * pi * 0.4), k2 = 1.0 / ((double)k * k);
        sum += 2 * S * S *
               ((1 - k2) * e * s / (k * pi * g) +
                2 * b / pi * (k2 - k2 / k) * (1 - e * (c + b / g * s)));
    }
    // what the static part leaves beyond the last term: 2 b/pi sum k^-2
    return sum + 2 * b / pi / 40000;
}

static void closure_string_kernel_of_figure_3_tends_to_the_wave_term(void **state) {
    (void)state;
    const int modes[] = {1, 2, 4, 16};
    const double at[] = {0.2870747896102084, 0.2391854833632934, 0.06279865389668755,
                         0.018726584316308425};
    const double gain[] = {2.368705056261446, 2.8869423104802356, 5.197102858817907,
                           16.86850367974905};
    for (int i = 0; i < 4; i++) assert_near(kernel(modes[i], 0.1), at[i], 1e-8);
    for (int i = 0; i < 4; i++) // L0(t) = L+ - Linf t + ... [series limit]
        assert_near(kernel(modes[i], 1e-2) + 1e-2 * gain[i], 0.49067012169704993,
                    4e-3 * (1 + 2 * i * i));
}

// Step response of the linear string at its contact, eight modes.       (Fig. 2)
static void closure_string_steps_of_figure_2(void **state) {
    (void)state;
    const double at[][2] = {
        {0.1, 0.5716605739236986}, {0.4, 0.5258633888000239}, {1.5, -0.47109145935763064}};
    orbit_case c;
    orbit_parse(&c,
                "judder: 1\n"
                "structure: {type: nonlinear-string, modes: 8, stretching: 0, wave_term: galerkin, "
                "points: {contact: 0.4}}\n"
                "drives: {force: {at: contact, type: constant, value: 1}}\n"
                "simulate: {until: 2}\n");
    jd_run *run;
    jd_step step;
    int probe;
    double u, v;
    assert_int_equal(jd_run_create(c.context, c.problem, &run), JD_OK);
    assert_int_equal(jd_run_probe(run, "contact", &probe), JD_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(jd_run_advance(run, at[i][0], &step), JD_OK);
        jd_run_observe(run, at[i][0], &u, &v);
        assert_near(v, at[i][1], 1e-13); // measured: 4e-15
    }
    jd_run_free(run);
    orbit_end(&c);
}

// N = 32: folds of the first resonance and the window of the second.
static void closure_string_of_32_modes(void **state) {
    (void)state;
    const char *const set[] = {"structure.modes=32"};
    branch b = follow_string(1, set, 5, 12.5);
    assert_fold(b.v, 8.63622105, 1.27453382, 1e-7); // measured: 2e-8
    assert_fold(b.v, 5.38050404, 0.25498467, 1e-7);
    assert_fold(b.v, 8.93667357, 0.06276483, 1e-7);
    assert_fold(b.v, 11.98869941, 0.24688645, 1e-7);
    branch_end(&b);
}

// The equation itself by 64 modes and nothing else, beside the closure with 32: references by
// Fourier collocation with 64 places. The closure's first resonance ends 0.31 earlier: with
// sigma = 33 pi it is not the equation.
static void closure_string_beside_galerkin_of_64_modes(void **state) {
    (void)state;
    const char *const set[] = {"structure.modes=64", "structure.wave_term=galerkin"};
    branch b = follow_string(2, set, 5, 12.5);
    assert_int_equal(b.v->end, JD_END_TO);
    assert_fold(b.v, 8.95050894, 1.32769906, 1e-7); // measured: 3e-8
    assert_fold(b.v, 5.42236247, 0.26532852, 1e-7);
    assert_fold(b.v, 12.00531228, 0.24670771, 1e-7);
    assert_fold(b.v, 8.95144522, 0.07055442, 1e-7);
    branch_end(&b);
}

// More modes: the folds of the equation itself, 8.95096 and 1.32773 in all digits.
static void closure_string_of_galerkin_tends_to_the_equation(void **state) {
    (void)state;
    const char *const set[] = {"structure.modes=128", "structure.wave_term=galerkin"};
    branch b = follow_string(2, set, 8, 9.2);
    assert_fold(b.v, 8.95096, 1.32773, 6e-6);
    branch_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closure_string_folds_with_and_without_wave_term),
        cmocka_unit_test(closure_string_three_motions_at_six),
        cmocka_unit_test(closure_string_unstable_motion_by_shooting),
        cmocka_unit_test(closure_string_multipliers_are_those_of_the_engine),
        cmocka_unit_test(closure_string_velocity_of_small_motions),
        cmocka_unit_test(closure_string_high_frequencies),
        cmocka_unit_test(closure_string_static_gain_and_wave_term),
        cmocka_unit_test(closure_string_kernel_of_figure_3_tends_to_the_wave_term),
        cmocka_unit_test(closure_string_steps_of_figure_2),
        cmocka_unit_test(closure_string_of_32_modes),
        cmocka_unit_test(closure_string_beside_galerkin_of_64_modes),
        cmocka_unit_test(closure_string_of_galerkin_tends_to_the_equation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
