// waves_orbits.c -- orbits and branches where the memory is waves that come back: closed by
// Newton's method from a motion that has not settled, and the same as by poles and shooting, with
// jumps of hysteresis too.        JD_DRAWS=50 draws more models.
#include <math.h>
#include <stdio.h>

#include "draws.h"
#include "how_many.h"
#include "judder/follow.h"
#include "judder/orbit.h"
#include "memory_case.h"

static const char *const form[] = {"simulate.memory=exponentials", "simulate.memory=delays"};

// A bow anywhere a player has it; steep friction needs hysteresis.
static void draw(char *text, size_t room, bool jumps) {
    double limit = mixed(0.7, 0.9);
    snprintf(text, room,
             "judder: 1\n"
             "structure: {type: string, length: 1, tension: 1, mass_per_length: 1, modes: infinite,"
             " points: {bow: %.6g}, damping: {type: ratio, value: %.6g}}\n"
             "contacts:\n  bow: {at: bow, against: {velocity: %.6g}, law: {type: stribeck, limit: "
             "%.6g, drop: %.6g, decay: %.6g%s}}\n"
             "start: {type: lift, mode: 1, point: bow, displacement: 0.05, velocity: 0.1}\n"
             "simulate: {engine: memory, tolerance: 1e-6, until: 40}\norbit: {settle: 40}\n"
             "follow: {parameter: contacts.bow.against.velocity, from: 0.1, to: 0.11, step: 0.5,"
             " measure: bow.velocity.min}\n",
             mixed(0.1, 0.3), mixed(0.04, 0.06), mixed(0.09, 0.11), limit, limit * mixed(0.5, 0.6),
             jumps ? mixed(15, 25) : mixed(2, 3), jumps ? ", ambiguity: hysteresis" : "");
}

typedef struct tally {
    int compared, multipliers;
    double period, worst;
} tally;

static void compare(const char *text, bool closed, tally *sum) {
    motion *m[2];
    jd_orbit *o[2];
    const jd_orbit_view *v[2];
    for (int i = 0; i < 2; i++) {
        m[i] = motion_open(text, 1, &form[i]);
        if (jd_orbit_create(m[i]->context, m[i]->problem, NULL, &o[i]) != JD_OK)
            fail_msg("%s", jd_context_error(m[i]->context)->message);
        v[i] = jd_orbit_look(o[i]);
    }
    bool both = v[0]->found && v[1]->found && v[0]->n_event == v[1]->n_event &&
                fabs(v[0]->period - v[1]->period) < 1e-3 * v[0]->period;
    if (both) {
        double stated = v[0]->stability.multiplier_error + v[1]->stability.multiplier_error;
        assert_true(v[1]->simulated);
        if (closed) { // not only settled
            assert_non_null(v[1]->search.history);
            assert_true(v[1]->search.history[v[1]->search.iterations] < 30e-6);
        }
        assert_null(v[1]->stability.why_none);
        sum->period = fmax(sum->period, fabs(v[0]->period - v[1]->period) / v[0]->period);
        for (int i = 0; i < v[1]->stability.n_multiplier; i++) {
            const double *x = v[1]->stability.multiplier + 2 * i;
            if (hypot(x[0], x[1]) < v[1]->stability.largest / 2) break;
            double off = nearest(x, v[0]->stability.n_multiplier, v[0]->stability.multiplier);
            if (off > stated)
                fail_msg("%.9g %+.9gi: %g, stated %g\n%s", x[0], x[1], off, stated, text);
            sum->worst = fmax(sum->worst, off);
            sum->multipliers++;
        }
        sum->compared++;
    }
    for (int i = 0; i < 2; i++) {
        jd_orbit_free(o[i]);
        motion_close(m[i]);
    }
}

static void closes(bool jumps, unsigned first) {
    tally sum = {0};
    char text[1024];
    seed = first;
    for (int n = how_many(2, 1); n > 0; n--) {
        draw(text, sizeof text, jumps);
        compare(text, true, &sum);
    }
    print_message("   %d orbits, periods within %.1e, %d multipliers within %.1e\n", sum.compared,
                  sum.period, sum.multipliers, sum.worst);
    assert_true(sum.compared >= 1 && sum.multipliers >= 2);
    assert_true(sum.period < 1e-6);
    assert_true(sum.worst < 1e-4);
}

static void newton_on_waves_closes_what_simulation_leaves(void **state) {
    (void)state;
    closes(false, 3);
}

static void jumps_of_hysteresis_on_waves_are_those_of_poles(void **state) {
    (void)state;
    closes(true, 5);
}

// Forces of stops jump where they are reached; such orbits settle by simulation.
static void multipliers_with_stops_on_waves_are_those_of_poles(void **state) {
    (void)state;
    tally sum = {0};
    char text[1024];
    seed = 7;
    for (int n = how_many(2, 1); n > 0; n--) {
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: string, length: 1, tension: 1, mass_per_length: 1, modes: "
                 "infinite, points: {a: %.6g, b: 0.6}, damping: {type: ratio, value: %.6g}}\n"
                 "contacts: {c: {at: a, law: {type: stop, gap: %.6g, restitution: 0}}}\n"
                 "drives: {push: {at: b, type: harmonic, amplitude: 1, frequency: %.6g}}\n"
                 "start: rest\nsimulate: {engine: memory, tolerance: 1e-6, until: 40}\n"
                 "orbit: {settle: 40}\n",
                 mixed(0.2, 0.4), mixed(0.045, 0.06), mixed(0.03, 0.06), mixed(2.2, 2.7));
        compare(text, false, &sum);
    }
    print_message("   %d orbits, %d multipliers within %.1e\n", sum.compared, sum.multipliers,
                  sum.worst);
    assert_true(sum.compared >= 1 && sum.multipliers >= 2);
    assert_true(sum.worst < 1e-5);
}

static jd_follow *branch_of(motion *m) {
    jd_follow *f;
    if (jd_follow_create(m->context, m->problem, NULL, &f) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    return f;
}

// Both ends of a short branch.
static void branches_of_waves_are_those_of_their_poles(void **state) {
    (void)state;
    char text[1024];
    motion *m[2];
    jd_follow *f[2];
    seed = 3;
    draw(text, sizeof text, false);
    for (int i = 0; i < 2; i++) {
        m[i] = motion_open(text, 1, &form[i]);
        f[i] = branch_of(m[i]);
    }
    const jd_follow_view *a = jd_follow_look(f[0]), *b = jd_follow_look(f[1]);
    assert_int_equal(a->end, JD_END_TO);
    assert_int_equal(b->end, JD_END_TO);
    for (int end = 0; end < 2; end++) {
        const jd_branch_point *p = &a->point[end ? a->n_point - 1 : 0],
                              *q = &b->point[end ? b->n_point - 1 : 0];
        assert_near(p->parameter, q->parameter, 1e-9);
        assert_near(p->period, q->period, 1e-6);
        assert_near(p->amplitude, q->amplitude, 1e-5);
        assert_near(hypot(p->multiplier[0], p->multiplier[1]),
                    hypot(q->multiplier[0], q->multiplier[1]), 1e-4);
        assert_string_equal(a->phases[p->phases], b->phases[q->phases]);
    }
    for (int i = 0; i < 2; i++) {
        jd_follow_free(f[i]);
        motion_close(m[i]);
    }
}

// What cannot be followed says so by name, with a way out.
static void branches_of_waves_refuse_by_name(void **state) {
    (void)state;
    static const char *const set[] = {"simulate.memory=delays",
                                      "follow.parameter=structure.damping.value",
                                      "follow.from=0.05", "follow.to=0.06"};
    char text[1024];
    jd_follow *f;
    seed = 3;
    draw(text, sizeof text, false);
    motion *m = motion_open(text, 4, set);
    assert_int_equal(jd_follow_create(m->context, m->problem, NULL, &f), JD_NOT_SUPPORTED);
    assert_non_null(strstr(jd_context_error(m->context)->message, "waves under way"));
    assert_true(jd_context_error(m->context)->hint[0] != 0);
    motion_close(m);
}

// Where two rounds differ by a change of sign the simulation tells a cycle of two; what Newton's
// method closes is one round all the same.
static void an_orbit_is_told_by_one_round(void **state) {
    (void)state;
    static const char *const set[2][4] = {{"structure.points.p=0.45",
                                           "structure.damping.value=0.03", "orbit.settle=60",
                                           "simulate.tolerance=1e-6"},
                                          {"structure.points.p=0.4", "structure.damping.value=0.02",
                                           "orbit.settle=120", "simulate.tolerance=1e-6"}};
    static const double multiplier[] = {1.10726, 0.95971}; // the first one is -1.107: a flip
    for (int i = 0; i < 2; i++) {
        motion *m = motion_open(
            "judder: 1\n"
            "structure: {type: string, tension: 2, mass_per_length: 2, length: 1, modes: infinite,"
            " points: {p: 0.45}, damping: {type: ratio, value: 0.03}}\n"
            "contacts: {c: {at: p, against: {velocity: 0.3}, law: {type: stribeck, limit: 1.5,"
            " drop: 1.0, decay: 2.5}}}\n"
            "start: {type: lift, mode: 1, point: p, displacement: 0.05, velocity: 0.1}\n"
            "simulate: {engine: memory, until: 40, tolerance: 1e-6, memory: delays}\n"
            "orbit: {settle: 60}\n",
            4, set[i]);
        jd_orbit *o;
        assert_int_equal(jd_orbit_create(m->context, m->problem, NULL, &o), JD_OK);
        const jd_orbit_view *v = jd_orbit_look(o);
        assert_true(v->found && v->n_event == 2);
        assert_near(v->period, 2, 1e-3);
        assert_near(v->stability.largest, multiplier[i], 1e-4);
        assert_int_equal(v->stability.stable, multiplier[i] < 1);
        jd_orbit_free(o);
        motion_close(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newton_on_waves_closes_what_simulation_leaves),
        cmocka_unit_test(jumps_of_hysteresis_on_waves_are_those_of_poles),
        cmocka_unit_test(an_orbit_is_told_by_one_round),
        cmocka_unit_test(multipliers_with_stops_on_waves_are_those_of_poles),
        cmocka_unit_test(branches_of_waves_are_those_of_their_poles),
        cmocka_unit_test(branches_of_waves_refuse_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
