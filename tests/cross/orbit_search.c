// orbit_search.c -- what the search for orbits says, on random models, from random starts and after
// random settling: the shortest period, no steady state taken for an orbit, rest called rest.
#include "draws.h"
#include "orbit_case.h"

static const double pi = 3.14159265358979323846;
// n numbers between the pairs of `range`, in this order on every compiler.
static void draw_all(int n, const double (*range)[2], double *out) {
    for (int i = 0; i < n; i++) out[i] = mixed(range[i][0], range[i][1]);
}

// Largest change of the model's numbers along the orbit, and what is left after part of a period.
static double distance_after(const orbit_case *c, double share, double *way) {
    jd_run *run;
    double s[64], first[64], d = 0;
    const jd_orbit_view *v = c->view;
    *way = 0;
    assert_true(v->n <= 64);
    assert_int_equal(jd_orbit_run(c->orbit, &run), JD_OK);
    for (int i = 0; i <= 16; i++) {
        jd_step step = JD_STEP_EVENT;
        while (step == JD_STEP_EVENT)
            assert_int_equal(jd_run_advance(run, v->period * share * i / 16, &step), JD_OK);
        assert_int_equal(step, JD_STEP_TIME);
        jd_run_modal_state(run, i ? s : first);
        d = 0;
        for (int k = 0; i && k < v->n; k++) d = fmax(d, fabs(s[k] - first[k]));
        *way = fmax(*way, d);
    }
    jd_run_free(run);
    return d;
}

// It moves, returns after its period and after no part of it.
static void is_an_orbit(const orbit_case *c) {
    double way;
    assert_true(distance_after(c, 1, &way) < 1e-8 * way);
    assert_true(way > 1e-6);
    char now = c->view->phase[0]; // every event is listed: the letters close
    for (int i = 0; i < c->view->n_event; i++) {
        assert_int_equal(jd_contact_letter(c->view->event[i].from), now);
        now = jd_contact_letter(c->view->event[i].to);
    }
    assert_int_equal(now, c->view->phase[0]);
    for (int m = 2; m <= 13; m++) {
        double all;
        assert_true(distance_after(c, 1.0 / m, &all) > 1e-6 * way);
    }
}

// A friction oscillator: a stick-slip orbit, or steady slip. All searches that find a stable orbit
// or rest must be right; a settled search must end with one of the two.
static void friction_oscillators_give_an_orbit_or_rest(void **state) {
    (void)state;
    int orbits = 0, rests = 0, grows = 0, other = 0;
    seed = 1;
    for (int i = 0; i < 40; i++) {
        char text[500];
        orbit_case c;
        static const double range[][2] = {{-0.2, 0.6}, {0.01, 0.1}, {0.02, 0.3}, {5, 60},
                                          {-1.5, 1.5}, {-1, 1.5},   {0, 2.5}};
        double x[7];
        draw_all(7, range, x);
        double wave = i % 4 == 3 ? 0 : x[2], settle = i % 3 == 0 ? 0 : pow(10, x[6]);
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: friction-oscillator, alpha: %.12g, beta: %.12g, "
                 "wave_term: %.12g, sigma: %.12g}\nstart: {type: values, y: [%.12g, %.12g]}\n"
                 "simulate: {until: 10}\norbit: {settle: %.12g}\n",
                 x[0], x[1], wave, x[3], x[4], x[5], settle);
        orbit_parse(&c, text);
        orbit_seek(&c, NULL);
        if (c.view->found) {
            is_an_orbit(&c);
            orbits++;
        } else if (c.view->search.reason == JD_ORBIT_AT_REST ||
                   c.view->search.reason == JD_ORBIT_STEADY_SLIP) {
            bool slides = strpbrk(c.view->phase, "+-") != NULL;
            assert_int_equal(slides, c.view->search.reason == JD_ORBIT_STEADY_SLIP);
            rests++;
        } else if (c.view->search.reason ==
                   JD_ORBIT_UNBOUNDED) { // friction that feeds in more than is lost
            grows++;
        } else {
            print_message("   %s: %s\n", jd_orbit_reason_name(c.view->search.reason),
                          c.view->search.why);
            other++;
        }
        orbit_end(&c);
    }
    print_message("   %d orbits, %d rests, %d grow, %d neither\n", orbits, rests, grows, other);
    assert_true(orbits > 10 && rests > 5 && other == 0);
}

// Period of y'' = -y - c y^3 + mu (1 - y^2) y', by Runge and Kutta's steps of its own.
static double lienard_period(double mu, double cubic) {
    double y = 1, v = 1, h = 2e-4, last = 0, period = 0;
    int turns = 0;
    for (long i = 0; turns < 40; i++) {
        double k[4][2], a = y, b = v;
        for (int s = 0; s < 4; s++) {
            k[s][0] = b;
            k[s][1] = -a - cubic * a * a * a + mu * (1 - a * a) * b;
            double step = s == 2 ? h : h / 2;
            a = y + step * k[s][0];
            b = v + step * k[s][1];
        }
        double before = v, dv = (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]) / 6;
        y += h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
        v += h * dv;
        if (!(before > 0 && v <= 0)) continue;
        double t = (double)(i + 1) * h - h * v / (v - before);
        period = t - last;
        last = t;
        turns++;
    }
    return period;
}

static void limit_cycles_without_events_are_found(void **state) {
    (void)state;
    seed = 2;
    for (int i = 0; i < 12; i++) {
        char text[500];
        orbit_case c;
        static const double range[][2] = {{0.2, 2.5}, {0, 1}, {-2, 2}, {0.1, 2}, {1, 80}};
        double x[5];
        draw_all(5, range, x);
        double mu = x[0], cubic = x[1];
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: piecewise, r: [y2, -y1 - %.12g*y1^3 + %.12g*(1 - "
                 "y1^2)*y2], linf: [\"0\", \"1\"]}\nstart: {type: values, y: [%.12g, %.12g]}\n"
                 "simulate: {until: 10}\norbit: {settle: %.12g}\n",
                 cubic, mu, x[2], x[3], i % 2 ? 0 : x[4]);
        orbit_parse(&c, text);
        orbit_find(&c);
        assert_int_equal(c.view->n_event, 0);
        assert_true(c.view->stability.stable && !c.view->stability.conservative);
        assert_near(c.view->period, lienard_period(mu, cubic), 2e-6); // secants between steps
        is_an_orbit(&c);
        orbit_end(&c);
    }
}

// Forced through t in r: the period is whole periods of the force, and refused where not told.
static void models_that_depend_on_time_repeat_with_it(void **state) {
    (void)state;
    int found = 0;
    seed = 3;
    for (int i = 0; i < 16; i++) {
        char text[700];
        orbit_case c;
        jd_orbit *orbit;
        static const double range[][2] = {{0.4, 2.5}, {0.02, 0.3}, {0.3, 2},
                                          {-1, 1},    {-1, 0.1},   {10, 100}};
        double x[6];
        draw_all(6, range, x);
        double w = x[0];
        const char *wave = i % 2 ? "lplus: [\"0\", \"0.1\"], sigma: 5, " : "";
        for (int told = 0; told < 2; told++) {
            snprintf(text, sizeof text,
                     "judder: 1\nstructure: {type: piecewise, %sr: [y2, -y1 - %.12g*y2 + "
                     "%.12g*sin(w*t)], linf: [\"0\", \"1\"], h: y2 - 0.2, lambda_plus: -0.4, "
                     "lambda_minus: 0.4, names: [w], values: [%.15g]%s}\n"
                     "start: {type: values, y: [%.12g, %.12g]}\nsimulate: {until: 10}\n"
                     "orbit: {settle: %.12g}\n",
                     wave, x[1], x[2], w, told ? ", period: 2*_pi/w" : "", x[3], x[4],
                     i % 3 ? x[5] : 0);
            orbit_parse(&c, text);
            if (!told) {
                assert_int_equal(jd_orbit_create(c.context, c.problem, NULL, &orbit),
                                 JD_NOT_SUPPORTED);
                assert_non_null(strstr(jd_context_error(c.context)->message, "depends on time"));
                orbit_end(&c);
                continue;
            }
            orbit_seek(&c, NULL);
            if (c.view->found) {
                double way;
                found++;
                assert_true(c.view->forced);
                assert_relative(c.view->period, c.view->periods * 2 * pi / w, 1e-12);
                assert_true(distance_after(&c, 1, &way) < 1e-8 * way);
            }
            orbit_end(&c);
        }
    }
    assert_true(found >= 14);
}

static void only_r_may_depend_on_time(void **state) {
    (void)state;
    static const char *const bad[] = {
        "h: y2 - t, lambda_plus: -1, lambda_minus: 1", "h: y2, lambda_plus: -t, lambda_minus: 1",
        "h: y2, lambda_plus: -1, lambda_minus: sin(t)", "lplus: [\"0\", t]"};
    for (int i = 0; i < 4; i++) {
        char text[400];
        orbit_case c = {.context = jd_context_create(NULL)};
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: piecewise, r: [y2, -y1], linf: [\"0\", \"1\"], "
                 "%s}\nsimulate: {until: 1}\n",
                 bad[i]);
        jd_status s =
            jd_model_parse(c.context, "m.yaml", ".", text, strlen(text), 0, NULL, &c.problem);
        if (s == JD_OK) s = jd_problem_build(c.problem);
        assert_int_equal(s, JD_NOT_SUPPORTED);
        assert_non_null(strstr(jd_context_error(c.context)->message, "only `r`"));
        orbit_end(&c);
    }
}

// A ball under g and F sin(t), one impact in n drive periods:
//   cos(phi) = g n pi (1 - e)/(F (1 + e)),  v after the impact = g n pi - F cos(phi)
static void an_orbit_of_many_drive_periods_is_found_by_itself(void **state) {
    (void)state;
    static const int many[] = {1, 5, 8, 9, 11, 13, 17, 23};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        char text[700];
        orbit_case c;
        double g = 1, e = 0.8, n = many[i], least = g * n * pi * (1 - e) / (1 + e),
               F = 1.002 * least, phi = acos(least / F), v = g * n * pi - F * cos(phi);
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: chain, count: 1, mass: 1, supports: {left: free, "
                 "right: free}, points: {ball: {node: 1}}}\n"
                 "contacts: {floor: {at: ball, against: ground, law: {type: stop, gap: 0, "
                 "restitution: %.17g}}}\ndrives:\n  g: {at: ball, type: constant, value: %.17g}\n"
                 "  f: {at: ball, type: harmonic, amplitude: %.17g, frequency: 1, phase: %.17g}\n"
                 "start: {type: state, displacement: [-0.0001], velocity: [%.17g]}\n"
                 "simulate: {until: 10}\norbit: {settle: %d}\n",
                 e, g, F, pi + phi, -v, 60 * many[i]);
        orbit_parse(&c, text);
        orbit_find(&c);
        assert_int_equal(c.view->periods, many[i]);
        assert_true(c.view->stability.stable);
        assert_int_equal(c.view->n_event, 1);
        assert_near(c.view->event[0].speed, v / e, 1e-9 * v);
        orbit_end(&c);
    }
}

// 24 random strings by the memory engine: the shortest cycle, whatever was simulated before.
static void settled_orbits_have_their_shortest_period(void **state) {
    (void)state;
    seed = 5;
    for (int i = 0; i < 6; i++) {
        double period = 0, damping = mixed(0.008, 0.03), drop = mixed(0.3, 1),
               bow = mixed(0.3, 0.45);
        const char *modes = i % 2 ? "infinite" : "20", *tolerance = i % 3 ? "1e-5" : "1e-6";
        for (int k = 0; k < 4; k++) {
            char text[700];
            orbit_case c;
            snprintf(text, sizeof text,
                     "judder: 1\nstructure: {type: string, length: 1, tension: 2, "
                     "mass_per_length: 2, modes: %s, points: {bow: %.12g}, damping: {type: ratio, "
                     "value: %.12g}}\ncontacts: {bow: {at: bow, against: {velocity: 1.5}, law: "
                     "{type: stribeck, limit: 4, drop: %.12g, decay: 1}}}\n"
                     "start: {type: lift, mode: 1, point: bow, displacement: -2.9, velocity: "
                     "-2.7}\nsimulate: {engine: memory, until: 20, tolerance: %s}\n"
                     "orbit: {settle: %.12g}\n",
                     modes, bow, damping, drop, tolerance, k ? mixed(0, 60) : 0);
            orbit_parse(&c, text);
            orbit_seek(&c, NULL);
            if (c.view->found) {
                if (period == 0) period = c.view->period;
                assert_relative(c.view->period, period, 1e-3);
                assert_true(c.view->period < 2.5); // one turn of the waves takes 2
            }
            orbit_end(&c);
        }
    }
}

static void starts_that_come_to_rest_are_an_attractor(void **state) {
    (void)state;
    static const char *const models[] = {
        "structure: {type: chain, count: 2, mass: 1, stiffness: 3, damping: {type: ratio, value: "
        "0.01}, supports: {left: fixed, right: free}, points: {m: {node: 2}}}\n"
        "contacts: {c: {at: m, against: ground, law: {type: coulomb, limit: 0.4}}}\n",
        "structure: {type: chain, count: 1, mass: 1, supports: {left: free, right: free}, points: "
        "{m: {node: 1}}}\n"
        "contacts: {c: {at: m, against: ground, law: {type: stop, gap: 1, restitution: 0.7}}}\n"
        "drives: {g: {at: m, type: constant, value: 9.81}}\n",
        "structure: {type: friction-oscillator, alpha: -0.2, beta: 0.05}\n"};
    for (int i = 0; i < 3; i++) {
        char text[700];
        orbit_case c;
        jd_attractors *a;
        snprintf(text, sizeof text, "judder: 1\n%ssimulate: {until: 10}\norbit: {settle: 60}\n",
                 models[i]);
        orbit_parse(&c, text);
        if (jd_attractors_create(c.context, c.problem, NULL, 12, 1, &a) != JD_OK)
            fail_msg("%s", jd_context_error(c.context)->message);
        assert_int_equal(jd_attractors_lost(a), 0);
        assert_int_equal(jd_attractors_count(a), 1);
        assert_true(jd_attractor_look(a, 0)->rest);
        assert_int_equal(jd_attractor_look(a, 0)->starts, 12);
        jd_attractors_free(a);
        orbit_end(&c);
    }
}

// A contact that holds under a weak drive, wherever it came to rest.
static void contacts_that_hold_all_along_are_one_attractor(void **state) {
    (void)state;
    orbit_case c;
    jd_attractors *a;
    orbit_parse(&c, "judder: 1\nstructure: {type: chain, count: 2, mass: 1, stiffness: 3, damping: "
                    "{type: ratio, value: 0.05}, supports: {left: fixed, right: free}, points: {m: "
                    "{node: 2}, n: {node: 1}}}\n"
                    "contacts: {c: {at: m, against: ground, law: {type: coulomb, limit: 1}}}\n"
                    "drives: {f: {at: n, type: harmonic, amplitude: 0.1, frequency: 0.7}}\n"
                    "simulate: {until: 10}\norbit: {settle: 60 periods}\n");
    assert_int_equal(jd_attractors_create(c.context, c.problem, NULL, 8, 1, &a), JD_OK);
    assert_int_equal(jd_attractors_lost(a), 0);
    assert_int_equal(jd_attractors_count(a), 1);
    assert_true(jd_attractor_look(a, 0)->family);
    assert_int_equal(jd_attractor_look(a, 0)->starts, 8);
    jd_attractors_free(a);
    orbit_end(&c);
}

// Random hardening springs: a family of closed orbits, neither stable nor unstable.
static void orbits_without_losses_are_neutral(void **state) {
    (void)state;
    seed = 6;
    for (int i = 0; i < 10; i++) {
        static const double range[][2] = {{0.5, 2}, {0.1, 1}, {0.5, 2}, {-1, 1}, {1, 30}};
        char text[500];
        orbit_case c;
        double x[5];
        draw_all(5, range, x);
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: piecewise, r: [y2, -%.12g*y1 - %.12g*y1^3], linf: "
                 "[\"0\", \"1\"]}\nstart: {type: values, y: [%.12g, %.12g]}\n"
                 "simulate: {until: 10}\norbit: {settle: %.12g}\n",
                 x[0], x[1], x[2], x[3], i % 2 ? 0 : x[4]);
        orbit_parse(&c, text);
        orbit_find(&c);
        assert_true(c.view->stability.conservative && c.view->stability.marginal &&
                    !c.view->stability.stable);
        assert_near(c.view->stability.largest, 1, 1e-6);
        assert_false(c.view->stability.isolated);
        orbit_end(&c);
    }
}

static void a_problem_that_waits_for_a_state_is_not_searched_from_rest(void **state) {
    (void)state;
    static const char model[] =
        "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 1, damping: {type: "
        "ratio, value: 0.05}, supports: {left: fixed, right: free}, points: {m: {node: 1}}}\n"
        "contacts: {c: {at: m, against: ground, law: {type: coulomb, limit: 0.3}}}\n"
        "drives: {f: {at: m, type: harmonic, amplitude: 1, frequency: 0.8}}\n%s\n"
        "simulate: {until: 37}\norbit: {settle: 0}\n";
    char text[900];
    orbit_case a, b;
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    jd_orbit *orbit;
    snprintf(text, sizeof text, model, "start: rest");
    orbit_parse(&a, text);
    assert_int_equal(jd_run_create(a.context, a.problem, &run), JD_OK);
    while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, 300, &step), JD_OK);
    size_t size = jd_run_state_size(run);
    void *block = malloc(size);
    assert_int_equal(jd_run_state_save(run, block, size), JD_OK);
    jd_run_free(run);
    snprintf(text, sizeof text, model, "start: {type: restart, file: x.h5}");
    orbit_parse(&b, text);
    assert_int_equal(jd_orbit_create(b.context, b.problem, NULL, &orbit), JD_BAD_ARGUMENT);
    jd_orbit_options options = jd_default_orbit_options();
    options.block = block;
    options.block_size = size;
    orbit_seek(&b, &options);
    assert_true(b.view->found && b.view->stability.stable);
    assert_true(b.view->search.history[0] <
                1e-6); // the motion had settled by then: damped for 38 periods
    free(block);
    orbit_end(&a);
    orbit_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_oscillators_give_an_orbit_or_rest),
        cmocka_unit_test(limit_cycles_without_events_are_found),
        cmocka_unit_test(models_that_depend_on_time_repeat_with_it),
        cmocka_unit_test(only_r_may_depend_on_time),
        cmocka_unit_test(an_orbit_of_many_drive_periods_is_found_by_itself),
        cmocka_unit_test(settled_orbits_have_their_shortest_period),
        cmocka_unit_test(starts_that_come_to_rest_are_an_attractor),
        cmocka_unit_test(contacts_that_hold_all_along_are_one_attractor),
        cmocka_unit_test(orbits_without_losses_are_neutral),
        cmocka_unit_test(a_problem_that_waits_for_a_state_is_not_searched_from_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
