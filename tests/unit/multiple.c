// multiple.c -- multiple shooting: long unstable orbits, agreement with single shooting.
#include "analysis/orbit/multiple.h"
#include "orbit_case.h"

typedef struct cut_case {
    orbit_case c;
    jd_arena *arena;
    jd_run *run;
    jd_shooting *sh;
    jd_multiple u;
} cut_case;

static void open_case(cut_case *k, const char *file, int periods) {
    orbit_read(&k->c, file, 0, NULL);
    k->arena = jd_arena_create(k->c.context);
    assert_int_equal(jd_problem_build(k->c.problem), JD_OK);
    assert_int_equal(jd_run_create(k->c.context, k->c.problem, &k->run), JD_OK);
    k->run->no_ledger = true;
    assert_int_equal(jd_shooting_create(k->run, k->arena, &k->sh), JD_OK);
    k->sh->forced = true;
    k->sh->period = periods * jd_problem_period(k->c.problem);
}

static void close_case(cut_case *k) {
    jd_run_free(k->run);
    jd_arena_free(k->arena);
    orbit_end(&k->c);
}

// The unstable orbit with one impact a period, taken 24 times: its multiplier to the 24th power is
// far beyond 1e8. The same rough guess at every drive period.
static void a_rough_guess_of_a_very_unstable_orbit_converges_when_cut(void **state) {
    (void)state;
    enum { P = 24 };
    static const double rough[2] = {-0.74, -1.56};
    cut_case k;
    double history[41];
    int steps;
    bool found, lost;
    const char *why;
    open_case(&k, "impact-oscillator/forced-unstable.yaml", P);
    memcpy(k.sh->s, rough, sizeof rough);
    k.sh->phase = (jd_phase){1, {JD_CONTACT_OPEN}};
    assert_int_equal(jd_shooting_solve(k.sh, 40, 1e-12, history, &steps, &found, &why), JD_OK);
    // single shooting: another orbit, or none
    bool same =
        found && k.sh->last.n_event == P && fabs(k.sh->last.event[0].speed - 1.169464554391) < 1e-6;
    assert_false(same);
    k.sh->period = P * jd_problem_period(k.c.problem);
    assert_int_equal(jd_multiple_create(k.sh, P, &k.u), JD_OK);
    for (int i = 0; i <= P; i++) k.u.t[i] = (double)i / P;
    for (int i = 0; i < P; i++) {
        memcpy(k.u.x + 2 * i, rough, sizeof rough);
        k.u.phase[i] = (jd_phase){1, {JD_CONTACT_OPEN}};
    }
    assert_int_equal(jd_multiple_solve(&k.u, 40, 1e-12, history, &steps, &found, &why), JD_OK);
    assert_true(found && steps < 10);
    assert_true(history[steps - 1] < 20 * history[steps - 2] * history[steps - 2]); // quadratic
    assert_int_equal(jd_multiple_round(&k.u, true, &lost), JD_OK);
    assert_int_equal(k.sh->last.n_event, P);
    for (int i = 0; i < P; i++) assert_near(k.sh->last.event[i].speed, 1.169464554391, 1e-11);
    double trace = k.sh->M[0] + k.sh->M[3];
    assert_true(fabs(trace) > 1e8);
    close_case(&k);
}

// The twelve events of the beam of Fig. 6(c), from a settled motion cut into segments.
static void segments_give_the_orbit_of_single_shooting(void **state) {
    (void)state;
    cut_case k;
    double history[31];
    int steps;
    bool found, lost;
    const char *why;
    open_case(&k, "friction-beam/rayleigh.yaml", 1);
    orbit_find(&k.c);
    const jd_orbit_view *v = k.c.view;
    memcpy(k.sh->s, v->state, (size_t)v->n * sizeof *k.sh->s);
    for (int i = 0; i < v->n; i++) k.sh->s[i] *= 1 + 1e-4 * (i % 3);
    k.sh->phase = jd_phase_of_text(v->phase);
    assert_int_equal(jd_multiple_create(k.sh, 64, &k.u), JD_OK);
    assert_int_equal(jd_multiple_guess(&k.u, &lost), JD_OK);
    assert_false(lost);
    assert_in_range(k.u.K, 8, 13);
    assert_int_equal(jd_multiple_solve(&k.u, 30, 1e-13, history, &steps, &found, &why), JD_OK);
    assert_true(found);
    assert_int_equal(jd_multiple_round(&k.u, true, &lost), JD_OK);
    assert_int_equal(k.sh->last.n_event, 12);
    for (int i = 0; i < 12; i++) assert_near(k.sh->last.event[i].t, v->event[i].t, 1e-12);
    assert_true(jd_shooting_distance(k.sh, k.sh->s, v->state) <
                1e-11 * jd_shooting_size(k.sh, v->state));
    close_case(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rough_guess_of_a_very_unstable_orbit_converges_when_cut),
        cmocka_unit_test(segments_give_the_orbit_of_single_shooting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
