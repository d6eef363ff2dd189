// sweep.c -- sweeps: settled motions are the ones simulation and shooting find, by any threads.
#include "sweep_case.h"

#include "analysis/sweep/parts.h"
#include "judder/orbit.h"

static const char small_map[] =
    BEAM("10", RAYLEIGH, "1.1",
         "parameters: [drives.shaker.frequency.times, contacts.tip.law.limit], from: [0.7, 0.2], "
         "to: [2.9, 1.4], points: [4, 4], samples: 4");
static const char both_ways[] =
    KNOCKER("{type: ratio, value: 0.005}",
            "parameters: [drives.force.frequency, contacts.stop.law.restitution], "
            "from: [1.2, 0.7], to: [1.8, 0.9], points: [13, 3], direction: both, "
            "measure: stop.velocity.max");

// Vielsack & Kammerer 1999, Fig. 4: resistance that falls with speed, R0/F0 = 0.30.
static const char mirrored[] =
    "judder: 1\n"
    "structure: {type: fe-beam, length: 2.47, bending_stiffness: 1.09e4, mass_per_length: 35.4,\n"
    "  elements: 2, supports: {left: clamped, right: free}, points: {mid: 1.235, tip: 2.47},\n"
    "  damping: none}\n"
    "contacts: {tip: {at: tip, against: ground, law: {type: affine, limit: 0.72, slope: -30}}}\n"
    "drives: {shaker: {at: mid, type: harmonic, amplitude: 2.4, frequency: {times: 2.45, mode: "
    "1}}}\n"
    "sweep: {parameters: contacts.tip.law.limit, from: 0.72, to: 0.73, points: 1, starts: 6}\n";

static void bits_do_not_depend_on_threads(void **state) {
    const char *models[] = {small_map, both_ways, mirrored};
    for (int i = 0; i < 3; i++) {
        jd_sweep *one = sweep_done(*state, models[i], 1);
        for (int threads = 2; threads <= 3; threads++) {
            model_case *again;
            model_case_begin((void **)&again);
            jd_sweep *more = sweep_done(again, models[i], threads);
            same_bits(one, more);
            jd_sweep_free(more);
            model_case_end((void **)&again);
        }
        jd_sweep_free(one);
    }
}

// The orbit at the point's values, found by jd_orbit after a long run.
static void compare_with_orbit(const jd_sweep_view *v, int i, model_case *m) {
    const jd_sweep_point *p = &v->point[i];
    jd_orbit *orbit;
    jd_problem *copy;
    jd_run *run;
    jd_contact_ranges range;
    assert_int_equal(jd_problem_copy(m->context, m->problem, &copy), JD_OK);
    for (int k = 0; k < v->n_parameter; k++)
        assert_int_equal(jd_problem_set(copy, v->parameter[k], p->value[k], NULL), JD_OK);
    assert_int_equal(jd_problem_build(copy), JD_OK);
    jd_orbit_options options = jd_default_orbit_options();
    options.settle = 200 * jd_problem_period(copy);
    assert_int_equal(jd_orbit_create(m->context, copy, &options, &orbit), JD_OK);
    const jd_orbit_view *o = jd_orbit_look(orbit);
    assert_true(o->found);
    assert_relative(p->period, o->period, 1e-15);
    assert_int_equal(p->events, o->n_event);
    assert_int_equal(jd_orbit_run(orbit, &run), JD_OK);
    assert_int_equal(jd_run_track(run), JD_OK);
    for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT;)
        assert_int_equal(jd_run_advance(run, o->period, &step), JD_OK);
    assert_int_equal(jd_run_ranges(run, &range), JD_OK);
    double scale = fmax(fabs(p->max), fabs(p->min));
    assert_near(p->max, range.displacement.max, 1e-10 * scale); // measured 4e-14
    assert_near(p->min, range.displacement.min, 1e-10 * scale);
    assert_near(p->multiplier, hypot(o->stability.multiplier[0], o->stability.multiplier[1]),
                1e-10); // measured 3e-13
    jd_run_free(run);
    jd_orbit_free(orbit);
    jd_problem_free(copy);
}

static void an_amplitude_is_half_of_the_range(void **state) {
    jd_sweep *sweep = sweep_done(*state,
                                 BEAM("4", RAYLEIGH, "1.1",
                                      "parameters: contacts.tip.law.limit, from: 0.3, to: 0.4, "
                                      "points: 2, measure: tip.displacement.amplitude"),
                                 1);
    for (int i = 0; i < 2; i++) {
        const jd_sweep_point *p = &jd_sweep_look(sweep)->point[i];
        assert_true(p->max > p->min);
        assert_near(p->amplitude, (p->max - p->min) / 2, 0);
    }
    jd_sweep_free(sweep);
}

static void settled_points_are_the_orbits_of_long_runs(void **state) {
    jd_sweep *sweep =
        sweep_done(*state,
                   BEAM("10", RAYLEIGH, "1.1",
                        "parameters: [drives.shaker.frequency.times, contacts.tip.law.limit], "
                        "from: [1.1, 0.3], to: [2.9, 0.66], points: [3, 2]"),
                   2);
    const jd_sweep_view *v = jd_sweep_look(sweep);
    for (int i = 0; i < v->n_point; i++) {
        assert_true(v->point[i].settled);
        compare_with_orbit(v, i, *state);
    }
    jd_sweep_free(sweep);
}

// Fig. 6(c): computed with 40 digits. y_sg = 5 F0 l^3/(48 EI).
static void paper_orbit_is_found_from_rest(void **state) {
    jd_sweep *sweep = sweep_done(*state,
                                 BEAM("10", RAYLEIGH, "1.1",
                                      "parameters: contacts.tip.law.limit, from: 0.66, to: 0.7, "
                                      "points: 2"),
                                 1);
    const jd_sweep_point *p = jd_sweep_look(sweep)->point;
    double y = 5 * 2.4 * pow(2.47, 3) / (48 * 1.09e4);
    assert_near(p->period, 0.56483077066311, 1e-13);
    assert_near(p->amplitude / y, 0.18463314241836, 1e-13); // measured 9e-16
    assert_near(p->multiplier, hypot(0.1907377751, 0.5156227711), 1e-9);
    assert_int_equal(p->events, 12);
    assert_int_equal(strlen(p->phases), 12);
    jd_sweep_free(sweep);
}

// Fig. 5, no internal damping, sliding only: a million periods per e-fold. Computed with 40 digits.
static void slowest_decay_is_settled_by_shooting(void **state) {
    jd_sweep *sweep = sweep_done(*state,
                                 BEAM("10", "none", "0.99",
                                      "parameters: contacts.tip.law.limit, from: 0.4008, to: 0.41, "
                                      "points: 1, settle: 1000 periods"),
                                 1);
    const jd_sweep_point *p = jd_sweep_look(sweep)->point;
    double y = 5 * 2.4 * pow(2.47, 3) / (48 * 1.09e4);
    assert_true(p->settled);
    assert_string_equal(jd_settle_name(p->how), "shooting");
    assert_near(p->amplitude / y, 41.6958514, 6e-8); // digits of the reference
    assert_near(p->multiplier, 0.9999988, 1e-7);
    jd_sweep_free(sweep);
}

// Held all the time from rest, the contact never moves; M - I is singular there.
static void held_contacts_stay_where_they_are(void **state) {
    jd_sweep *sweep = sweep_done(*state,
                                 BEAM("10", RAYLEIGH, "0.6",
                                      "parameters: contacts.tip.law.limit, from: 1.4, to: 1.5, "
                                      "points: 2"),
                                 1);
    const jd_sweep_view *v = jd_sweep_look(sweep);
    for (int i = 0; i < v->n_point; i++) {
        assert_true(v->point[i].settled);
        assert_string_equal(v->point[i].phases, "H");
        assert_near(v->point[i].max, 0, 1e-18); // measured 3e-22
        assert_near(v->point[i].min, 0, 1e-18);
        assert_true(v->point[i].multiplier < 0.99 && v->point[i].multiplier > 0.9);
    }
    jd_sweep_free(sweep);
}

// Speed at which a motion with this state at drive phase 0 first reaches x = 1, frequency w:
// x = u cos t + (v - w F) sin t + F sin wt, F = 0.5/(1 - w^2).
static double speed_at_stop(double w, double u, double v) {
    double F = 0.5 / (1 - w * w), b = v - w * F, low = 0, high = 0;
    while (u * cos(high) + b * sin(high) + F * sin(w * high) < 1) low = high, high += 1e-3;
    for (int i = 0; i < 60; i++) {
        double t = (low + high) / 2;
        *(u * cos(t) + b * sin(t) + F * sin(w * t) < 1 ? &low : &high) = t;
    }
    return -u * sin(low) + b * cos(low) + w * F * cos(w * low);
}

// Two orbits exist side by side, each the mirror image of the other.
static void random_starts_find_both_orbits(void **state) {
    jd_sweep *sweep = sweep_done(*state, mirrored, 2);
    const jd_sweep_view *v = jd_sweep_look(sweep);
    int count[2] = {0, 0};
    assert_int_equal(v->n_point, 6);
    for (int i = 0; i < 6; i++) {
        const jd_sweep_point *p = &v->point[i], *first = v->point;
        assert_true(p->settled && p->start == i);
        bool mirror = fabs(p->max - first->max) > 1e-6;
        count[mirror]++;
        assert_near(mirror ? -p->min : p->max, first->max, 1e-16); // of 6e-5; measured 1e-17
        assert_near(mirror ? -p->max : p->min, first->min, 1e-16);
    }
    assert_true(count[0] > 0 && count[1] > 0);
    jd_sweep_free(sweep);
}

#define UP_AND_DOWN                                                                                \
    "parameters: drives.force.frequency, from: 1.2, to: 1.8, points: 7, direction: both, "         \
    "measure: stop.velocity.max, settle: 300 periods"

// Up to the fold at 1.7317 the impacts stay; on the way down they do not come back before the
// grazing near sqrt(1.5) = 1.2247, where the motion without impacts ends.
static void carried_motion_shows_hysteresis(void **state) {
    jd_sweep *sweep = sweep_done(*state, KNOCKER("{type: ratio, value: 0.005}", UP_AND_DOWN), 1);
    const jd_sweep_point *p = jd_sweep_look(sweep)->point;
    for (int i = 0; i < 14; i++) assert_true(p[i].settled);
    for (int i = 1; i < 6; i++) { // 1.3 ... 1.7
        assert_near(p[i].value[0], p[13 - i].value[0], 0);
        assert_int_equal(p[i].direction, 1);
        assert_int_equal(p[i].events, 1);
        assert_int_equal(p[13 - i].direction, -1);
        assert_int_equal(p[13 - i].events, 0);
        double w = p[i].value[0], F = 0.5 / hypot(1 - w * w, 0.01 * w);
        assert_near(p[13 - i].amplitude, F * w, 1e-12); // speed of linear vibration; 1e-15
    }
    assert_int_equal(p[6].events, 0);  // 1.8
    assert_int_equal(p[13].events, 1); // 1.2
    jd_sweep_free(sweep);
}

// Closed form at frequency 1.5: 2.617205227339 before impact. Its multipliers have |mu|^2 = e^2.
static void carried_motion_is_the_stable_branch_of_theory(void **state) {
    jd_sweep *sweep = sweep_done(*state, KNOCKER("none", UP_AND_DOWN), 1);
    const jd_sweep_point *p = &jd_sweep_look(sweep)->point[3];
    assert_near(p->value[0], 1.5, 1e-15);
    assert_true(p->settled);
    assert_near(speed_at_stop(1.5, p->sample[0], p->sample[1]), 2.617205227339, 1e-12); // 5e-13
    assert_near(p->multiplier, 0.8, 1e-13);                                             // 2e-16
    jd_sweep_free(sweep);
}

// Without damping and below the gap, free vibration stays for ever.
static void what_does_not_settle_is_marked_and_sampled(void **state) {
    jd_sweep *sweep = sweep_done(*state,
                                 KNOCKER("none", "parameters: drives.force.frequency, from: 2.3, "
                                                 "to: 2.7, points: 2, settle: 40 periods, "
                                                 "samples: 20"),
                                 1);
    const jd_sweep_view *v = jd_sweep_look(sweep);
    for (int i = 0; i < v->n_point; i++) {
        const jd_sweep_point *p = &v->point[i];
        assert_false(p->settled);
        assert_string_equal(jd_settle_name(p->how), "limit");
        assert_true(isnan(p->period) && isnan(p->multiplier) && p->periods == 0);
        assert_near(p->waited, 40, 0);
        double F = 0.5 / (p->value[0] * p->value[0] - 1), T = 2 * acos(-1) / p->value[0];
        for (int k = 0; k < 20; k++) { // x = F (w sin t - sin wt), from rest
            double t = (41 + k) * T;
            assert_near(p->sample[2 * k], F * p->value[0] * sin(t), 1e-12); // measured 3e-15
        }
    }
    jd_sweep_free(sweep);
}

static jd_status count_points(void *user, const jd_sweep *sweep, int index) {
    (void)sweep;
    (void)index;
    ++*(int *)user;
    return JD_OK;
}

static bool stop_wanted(void *user) { return *(int *)user >= 5; }

// Stopped from outside after five points and taken up again: the same bits.
static void interrupted_points_are_left_for_later(void **state) {
    int count = 0;
    jd_context_def def = jd_default_context_def();
    def.stop = stop_wanted;
    def.user = &count;
    model_case m = {.context = jd_context_create(&def)};
    jd_sweep *sweep = sweep_of(&m, small_map), *whole = sweep_done(*state, small_map, 2);
    jd_sweep_options options = jd_default_sweep_options();
    options.threads = 1;
    options.finished = count_points;
    options.user = &count;
    bool complete = true;
    assert_int_equal(jd_sweep_run(sweep, &options, &complete), JD_OK);
    assert_false(complete);
    assert_int_equal(count, 5);
    count = -100;
    options.threads = 2;
    assert_int_equal(jd_sweep_run(sweep, &options, &complete), JD_OK);
    assert_true(complete);
    same_bits(sweep, whole);
    jd_sweep_free(sweep);
    jd_sweep_free(whole);
    model_case_drop(&m);
    jd_context_free(m.context);
}

static void refused(model_case *m, const char *text, jd_status status, const char *where,
                    const char *message) {
    jd_sweep *sweep = NULL;
    reads(m, text, NULL);
    jd_status got = jd_sweep_create(m->context, m->problem, &sweep);
    if (got == JD_OK) {
        bool complete;
        got = jd_sweep_run(sweep, NULL, &complete);
        jd_sweep_free(sweep);
    }
    const jd_error *e = jd_context_error(m->context);
    assert_string_equal(jd_status_name(got), jd_status_name(status));
    assert_string_equal(e->where, where);
    says("message", e->message, message);
    assert_true(e->hint[0] != '\0');
}

static void bad_sweeps_are_refused_by_name(void **state) {
    refused(*state, "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 1}\n",
            JD_MISSING_KEY, "", "no `sweep` section");
    refused(*state,
            KNOCKER("none", "parameters: drives.force.frequency, from: 1, to: 2, points: 2, "
                            "measure: stop.speed.max"),
            JD_UNKNOWN_NAME, "sweep.measure", "stop.speed.max");
    refused(*state,
            "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 1,\n"
            "  points: {mass: {node: 1}}}\n"
            "contacts: {stop: {at: mass, against: ground, law: {type: stop, gap: 1, restitution: "
            "0.8}}}\n"
            "sweep: {parameters: contacts.stop.law.gap, from: 1, to: 2, points: 2}\n",
            JD_MISSING_KEY, "sweep.settle",
            "at contacts.stop.law.gap = 1: nothing drives this model with a period");
}

// A block on a belt: limit 0.6, static limit 1, D = 0.4.
#define BELT(damping, sweep)                                                                       \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, damping: " damping ",\n"            \
    "  supports: {left: fixed, right: free}, points: {block: {node: 1}}}\n"                        \
    "contacts: {belt: {at: block, against: {velocity: 0.5}, law: {type: coulomb, limit: 0.6, "     \
    "static_limit: 1}}}\n"                                                                         \
    "sweep: {parameters: contacts.belt.against.velocity, " sweep "}\n"

// Without a drive: stick-slip with the period 2 pi - 2 atan(D/v) + 2 D/v, or rest at limit/k.
static void motions_without_a_drive_settle_too(void **state) {
    jd_sweep *sweep =
        sweep_done(*state, BELT("none", "from: 0.1, to: 0.5, points: 5, settle: 50"), 2);
    const jd_sweep_point *p = jd_sweep_look(sweep)->point;
    for (int i = 0; i < 5; i++) {
        double v = p[i].value[0], D = 0.4;
        assert_true(p[i].settled && p[i].periods == 0 && p[i].events == 2);
        assert_near(p[i].period, 2 * acos(-1) - 2 * atan(D / v) + 2 * D / v, 1e-13); // 2e-15
        assert_near(p[i].max, 0.6 + hypot(D, v), 1e-14);                             // 2e-16
    }
    jd_sweep_free(sweep);
    sweep = sweep_done(
        *state,
        BELT("{type: ratio, value: 0.1}", "from: 1, to: 2, points: 2, settle: 400, samples: 3"), 2);
    p = jd_sweep_look(sweep)->point;
    for (int i = 0; i < 2; i++) {
        assert_true(p[i].settled && isnan(p[i].period));
        assert_string_equal(p[i].phases, "-");
        assert_near(p[i].min, 0.6, 1e-14);
        assert_near(p[i].max, 0.6, 1e-14);
        assert_near(p[i].sample[4], 0.6, 1e-14);
    }
    jd_sweep_free(sweep);
}

// The structure is built anew at each point, and the motion is that of the model with this number.
static void parameters_may_change_the_structure(void **state) {
    jd_sweep *sweep = sweep_done(
        *state,
        BEAM("2", RAYLEIGH, "1.1", "parameters: structure.elements, from: 2, to: 6, points: 3"), 2);
    const char *one[] = {BEAM("2", RAYLEIGH, "1.1",
                              "parameters: contacts.tip.law.limit, "
                              "from: 0.66, to: 0.7, points: 1"),
                         BEAM("6", RAYLEIGH, "1.1",
                              "parameters: contacts.tip.law.limit, "
                              "from: 0.66, to: 0.7, points: 1")};
    for (int i = 0; i < 2; i++) {
        model_case *m;
        model_case_begin((void **)&m);
        jd_sweep *alone = sweep_done(m, one[i], 1);
        const jd_sweep_point *p = &jd_sweep_look(sweep)->point[2 * i];
        const jd_sweep_point *q = jd_sweep_look(alone)->point;
        assert_true(p->settled && q->settled);
        assert_near(p->amplitude, q->amplitude, 0);
        assert_near(p->multiplier, q->multiplier, 0);
        assert_near(p->waited, q->waited, 0);
        jd_sweep_free(alone);
        model_case_end((void **)&m);
    }
    jd_sweep_free(sweep);
}

// Found before anything is computed, with the path and its range.
static void values_out_of_range_are_found_first(void **state) {
    model_case *m = *state;
    jd_sweep *sweep = NULL;
    reads(m,
          KNOCKER("none", "parameters: contacts.stop.law.restitution, from: 0.5, to: 1.5, "
                          "points: 3"),
          NULL);
    assert_int_equal(jd_sweep_create(m->context, m->problem, &sweep), JD_OUT_OF_RANGE);
    assert_null(sweep);
    assert_string_equal(jd_context_error(m->context)->where, "contacts.stop.law.restitution");
}

// `stop.force.min`: every word of a measure picks its own number.
static void a_measure_is_what_its_name_says(void **state) {
    static const char *const quantity[] = {"displacement", "velocity", "force"};
    static const char *const extreme[] = {"max", "min", "amplitude"};
    const jd_contact_ranges ranges = {
        .displacement = {-1, 3, 0}, .velocity = {-5, 11, 0}, .force = {-17, 31, 0}};
    static const double wanted[3][3] = {{3, -1, 2}, {11, -5, 8}, {31, -17, 24}};
    model_case *m = *state;
    reads(m, KNOCKER("none", "parameters: drives.force.frequency, from: 1, to: 2, points: 2"),
          NULL);
    for (int i = 0; i < 9; i++) {
        char text[60];
        jd_arena *arena = jd_arena_create(m->context);
        jd_measuring set;
        double min, max;
        const jd_measured_period period = {.length = 1, .ranges = &ranges};
        snprintf(text, sizeof text, "stop.%s.%s", quantity[i / 3], extreme[i % 3]);
        assert_int_equal(jd_measuring_open(arena, m->problem, 1, &set), JD_OK);
        assert_int_equal(jd_measure_read(arena, m->problem, "sweep.measure", text, set.measure),
                         JD_OK);
        assert_int_equal(jd_measuring_take(&set, NULL, &period), JD_OK);
        jd_measuring_range(&set, 0, &period, &min, &max);
        assert_near(set.value[0], wanted[i / 3][i % 3], 0);
        assert_near(min, wanted[i / 3][1], 0);
        assert_near(max, wanted[i / 3][0], 0);
        jd_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(a_measure_is_what_its_name_says),
                                       MODEL_TEST(bits_do_not_depend_on_threads),
                                       MODEL_TEST(settled_points_are_the_orbits_of_long_runs),
                                       MODEL_TEST(an_amplitude_is_half_of_the_range),
                                       MODEL_TEST(paper_orbit_is_found_from_rest),
                                       MODEL_TEST(slowest_decay_is_settled_by_shooting),
                                       MODEL_TEST(held_contacts_stay_where_they_are),
                                       MODEL_TEST(random_starts_find_both_orbits),
                                       MODEL_TEST(carried_motion_shows_hysteresis),
                                       MODEL_TEST(carried_motion_is_the_stable_branch_of_theory),
                                       MODEL_TEST(what_does_not_settle_is_marked_and_sampled),
                                       MODEL_TEST(interrupted_points_are_left_for_later),
                                       MODEL_TEST(motions_without_a_drive_settle_too),
                                       MODEL_TEST(parameters_may_change_the_structure),
                                       MODEL_TEST(bad_sweeps_are_refused_by_name),
                                       MODEL_TEST(values_out_of_range_are_found_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
