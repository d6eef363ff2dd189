// nonsmooth_modes.c -- families of one-impact orbits of the chain of Legrand, Junca and Heng
// (2015).
//   Reference values: computed independently in 30 digits with mpmath; energies carry the factor
//   1/2.
#include <stdlib.h>
#include <string.h>

#include "chain_case.h"

static const struct {
    int mode, divisor;
    double start, end, energy; // energy 0: unbounded
} table[] = {{5, 1, 9.594929736145, 9.614774726820, 0},
             {4, 1, 8.412535328312, 8.497004399582, 0},
             {3, 1, 6.548607339453, 6.768845665633, 0},
             {5, 2, 4.797464868072, 4.849350575831, 0},
             {4, 2, 4.206267664156, 4.690702099675, 0},
             {2, 1, 4.154150130019, 4.195923499007, 40.3482019},
             {3, 2, 3.274303669726, 3.390608130577, 0},
             {4, 3, 2.804178442771, 2.882830887629, 0},
             {5, 4, 2.398732434036, 2.685935323150, 0},
             {3, 3, 2.182869113151, 2.394930938163, 17544.4223},
             {4, 4, 2.103133832078, 2.148534266065, 17.9678804},
             {2, 2, 2.077075065009, 2.098331913008, 34.0982486},
             {5, 5, 1.918985947229, 1.930501186683, 51.5362826},
             {4, 5, 1.682507065662, 1.912631065339, 492.231730},
             {3, 4, 1.637151834863, 1.676390281037, 27.0668995},
             {5, 6, 1.599154956024, 1.614573451929, 4.78210129},
             {1, 1, 1.423148382733, 1.595595564673, 7.10877706}};

// The table has 12 decimals of omega and 9 digits of energy: bounds are half a unit of its last
// digit (with 1e-12, resp. 1e-8 relative, as asked).
static void the_seventeen_branches_of_the_chain_of_five(void **state) {
    (void)state;
    chain o = open_chain("n5.yaml", NULL, false);
    jd_nsm *s = o.s;
    assert_int_equal(jd_nsm_poles(s), 18);
    assert_int_equal(jd_nsm_branches(s), 17);
    for (int i = 0; i < 17; i++) {
        const jd_nsm_branch *b = jd_nsm_branch_at(s, i);
        assert_int_equal(b->mode, table[i].mode);
        assert_int_equal(b->divisor, table[i].divisor);
        assert_near(b->omega_start, table[i].start, 1e-12);
        assert_near(b->omega_end, table[i].end, 1e-12);
        assert_int_equal(b->end, table[i].energy > 0 ? JD_NSM_GRAZE : JD_NSM_UNBOUNDED);
        if (table[i].energy > 0) assert_relative(b->energy_end, table[i].energy, 1e-8);
        assert_true(b->certified);
    }
    assert_near(jd_nsm_branch_at(s, 16)->graze_time, 0.308220904133, 1e-12);
    close_chain(o);
}

// Nothing above the end of the highest branch: the whole spectrum of poles is below it.
static void nothing_is_admissible_above_the_highest_end(void **state) {
    (void)state;
    chain o = open_chain("n5.yaml", "nsm.omega=[9.6, 1000]", false);
    jd_nsm *s = o.s;
    assert_int_equal(jd_nsm_branches(s), 0);
    close_chain(o);
}

// On request: what the equations give beyond the nine grazing ends and at omega_5/3, which has no
// branch. Half way along each the motion would be through the stop, with w < 0.
static double least_D(const jd_nsm *s, double T);
static void phantoms_go_through_the_stop(void **state) {
    (void)state;
    chain o = open_chain("n5.yaml", "nsm.phantoms=true", false);
    jd_nsm *s = o.s;
    assert_int_equal(jd_nsm_branches(s), 17);
    assert_int_equal(jd_nsm_phantoms(s), 10);
    int whole = 0;
    for (int i = 0; i < 10; i++) {
        const jd_nsm_phantom *f = jd_nsm_phantom_at(s, i);
        double slope, T = 2 * two_pi / (f->from + f->to);
        assert_true(f->from < f->to);
        assert_true(jd_nsm_w(s, T, &slope) < 0);
        assert_true(least_D(s, T) < 0);
        whole += f->mode == 5 && f->divisor == 3;
    }
    assert_int_equal(whole, 1);
    close_chain(o);
}

static void energy_along_the_first_branch(void **state) {
    (void)state;
    static const double value[][2] = {{1.43, .55162696},
                                      {1.45, .53692547},
                                      {1.50, .57493390},
                                      {1.55, .72883652},
                                      {1.59, 1.93829271}};
    chain o = open_chain("n5.yaml", NULL, false);
    jd_nsm *s = o.s;
    for (int i = 0; i < 5; i++) assert_relative(jd_nsm_energy(s, value[i][0]), value[i][1], 1e-8);
    close_chain(o);
}

static void instability_windows_of_the_first_branch(void **state) {
    (void)state;
    static const struct {
        double from, to;
        jd_nsm_change starts, ends;
    } unstable[] = {{1.4231484, 1.4516518192, JD_NSM_START, JD_NSM_FOLD},
                    {1.4668329581, 1.4736700743, JD_NSM_FLIP, JD_NSM_FLIP},
                    {1.4751162369, 1.4802034432, JD_NSM_KREIN, JD_NSM_KREIN},
                    {1.4823912289, 1.4884262899, JD_NSM_FLIP, JD_NSM_FLIP},
                    {1.5035878294, 1.5044491792, JD_NSM_KREIN, JD_NSM_KREIN},
                    {1.5131291191, 1.5218756904, JD_NSM_KREIN, JD_NSM_KREIN},
                    {1.5385872001, 1.595595564673, JD_NSM_FLIP, JD_NSM_END}};
    chain o = open_chain("n5.yaml", NULL, true);
    jd_nsm *s = o.s;
    const jd_nsm_branch *b = jd_nsm_branch_at(s, 16);
    int found = 0;
    for (int i = 0; i < b->n_interval; i++) {
        const jd_nsm_interval *v = &b->interval[i];
        if (v->stable) continue;
        assert_true(found < 7);
        if (found > 0) assert_near(v->from, unstable[found].from, 1e-9);
        assert_near(v->to, unstable[found].to, 1e-9);
        assert_int_equal(v->starts_with, unstable[found].starts);
        assert_int_equal(v->ends_with, unstable[found].ends);
        found++;
    }
    assert_int_equal(found, 7);
    close_chain(o);
}

// |d ln E/d ln T| at a place of a branch: what an error of T means for E.
static double steepness(const jd_nsm *s, double omega) {
    double h = 1e-6;
    return fabs(log(jd_nsm_energy(s, omega * (1 + h)) / jd_nsm_energy(s, omega * (1 - h))) /
                (2 * h));
}

// One period by the exact engine: how far the end is from the start, relative to its size.
static double gap_of_branch(jd_run *run, const jd_nsm *s, double omega) {
    double state[10], T = two_pi / omega;
    jd_nsm_state(s, omega, state, state + 5);
    assert_relative(jd_nsm_energy(s, omega), energy_of(run, state),
                    1e-12 * fmax(1, steepness(s, omega)));
    return gap_after(run, state, T / 100, T, 1);
}

// Every branch orbit returns, near both ends too; its energy is E = m g^2 d(1/w)/dT.
static void orbits_close_in_the_exact_engine(void **state) {
    (void)state;
    jd_run *run;
    chain o = open_chain("n5.yaml", NULL, false);
    jd_nsm *s = o.s;
    assert_int_equal(jd_run_create(o.c, o.p, &run), JD_OK);
    double worst = 0;
    for (int i = 0; i < jd_nsm_branches(s); i++)
        for (int k = 1; k < 10; k++) {
            const jd_nsm_branch *b = jd_nsm_branch_at(s, i);
            double omega = b->omega_start + 0.1 * k * (b->omega_end - b->omega_start);
            worst = fmax(worst, gap_of_branch(run, s, omega));
        }
    print_message("   largest gap %.1e\n", worst);
    assert_near(worst, 0, 1e-11);
    jd_run_free(run);
    close_chain(o);
}

// What `judder run` and `judder orbit` do with `start: {type: nsm, omega: ...}`: measured, over all
// branches, back after one period within 2e-12, and shooting has nothing to do (1e-12).
static void every_branch_can_be_handed_to_run_and_orbit(void **state) {
    (void)state;
    char path[512], start[80];
    snprintf(path, sizeof path, "%s/gallery/impact-chain/n5.yaml", JD_SOURCE_DIR);
    for (int i = 0; i < 17; i++) {
        jd_context *c = jd_context_create(NULL);
        jd_problem *p;
        jd_run *run;
        jd_orbit *orbit;
        double omega = (table[i].start + table[i].end) / 2, from[10], to[10], scale[10], off = 0,
               size = 0;
        snprintf(start, sizeof start, "start={type: nsm, omega: %.17g}", omega);
        const char *sets[] = {start, "orbit.settle=0"};
        assert_int_equal(jd_model_read(c, path, 2, sets, &p), JD_OK);
        assert_int_equal(jd_problem_build(p), JD_OK);
        assert_int_equal(jd_run_create(c, p, &run), JD_OK);
        run->class->map.state(run, from);
        run->class->map.scales(run, scale);
        for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT;)
            assert_int_equal(jd_run_advance(run, two_pi / omega, &step), JD_OK);
        run->class->map.state(run, to);
        for (int k = 0; k < 10; k++) {
            off += pow(scale[k] * (to[k] - from[k]), 2);
            size += pow(scale[k] * from[k], 2);
        }
        assert_near(sqrt(off / size), 0, 1e-11);
        jd_run_free(run);
        assert_int_equal(jd_orbit_create(c, p, NULL, &orbit), JD_OK);
        const jd_orbit_view *v = jd_orbit_look(orbit);
        assert_true(v->found);
        assert_near(v->search.history[0], 0, 1e-11);
        assert_relative(v->period, two_pi / omega, 1e-9);
        jd_orbit_free(orbit);
        jd_problem_free(p);
        jd_context_free(c);
    }
}

// Multipliers from the scalar equation and from shooting: 8 of the 10 differ by 2e-14, the two that
// are 1 scatter by 6e-8 in shooting.
static void multipliers_are_those_that_shooting_finds(void **state) {
    (void)state;
    jd_orbit *orbit;
    chain o = open_chain("n5.yaml", "start={type: nsm, omega: 1.5}", false);
    jd_nsm *s = o.s;
    jd_orbit_options options = jd_default_orbit_options();
    options.settle = 0;
    double value[20];
    assert_int_equal(jd_nsm_modes(s), 5);
    assert_int_equal(jd_nsm_multipliers(s, 1.5, value), JD_OK);
    assert_int_equal(jd_orbit_create(o.c, o.p, &options, &orbit), JD_OK);
    const jd_orbit_view *v = jd_orbit_look(orbit);
    assert_true(v->found);
    for (int i = 0; i < 10; i++) {
        double least = HUGE_VAL;
        for (int k = 0; k < 10; k++)
            least = fmin(least, hypot(v->stability.multiplier[2 * k] - value[2 * i],
                                      v->stability.multiplier[2 * k + 1] - value[2 * i + 1]));
        assert_near(least, 0, i < 8 ? 1e-11 : 1e-6);
    }
    jd_orbit_free(orbit);
    close_chain(o);
}

static jd_nsm *chain_of_120(jd_context *c, const char *stability, jd_problem **p) {
    const char *sets[] = {"structure.count=120",     "structure.mass=0.00833333333333333",
                          "structure.stiffness=120", "structure.points={end: {node: 120}}",
                          "nsm.omega=[239.9, 250]",  stability};
    jd_nsm *s;
    jd_nsm_options options;
    assert_int_equal(jd_model_read(c, JD_SOURCE_DIR "/gallery/impact-chain/n50.yaml", 6, sets, p),
                     JD_OK);
    assert_int_equal(jd_problem_build(*p), JD_OK);
    assert_int_equal(jd_nsm_options_of(*p, &options), JD_OK);
    assert_int_equal(jd_nsm_create(c, *p, &options, &s), JD_OK);
    assert_true(jd_nsm_branches(s) > 0);
    return s;
}

static void stability_of_more_than_a_hundred_modes_is_judged_when_asked(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    const char *const choice[] = {"nsm.stability=auto", "nsm.stability=yes", "nsm.stability=no"};
    for (int i = 0; i < 3; i++) {
        jd_problem *p;
        jd_nsm *s = chain_of_120(c, choice[i], &p);
        assert_int_equal(jd_nsm_branch_at(s, 0)->n_interval > 0, i == 1);
        jd_nsm_free(s);
        jd_problem_free(p);
    }
    jd_context_free(c);
}

static void start_refused(const char *set, const char *word) {
    char path[512];
    snprintf(path, sizeof path, "%s/gallery/impact-chain/n5.yaml", JD_SOURCE_DIR);
    jd_context *c = jd_context_create(NULL);
    jd_problem *p;
    jd_run *run = NULL;
    jd_status s = jd_model_read(c, path, 1, &set, &p);
    if (s == JD_OK) s = jd_problem_build(p);
    if (s == JD_OK) s = jd_run_create(c, p, &run);
    assert_int_not_equal(s, JD_OK);
    assert_non_null(strstr(jd_context_error(c)->message, word));
    jd_problem_free(p);
    jd_context_free(c);
}

static void a_start_on_no_orbit_is_refused_by_name(void **state) {
    (void)state;
    start_refused("start={type: nsm, omega: 2.05}", "this `omega`");
    start_refused("start={type: nsm, omega: 0}", "omega");
    start_refused("start={type: nsm, omega: 1.5, times: [0, 1], impulses: [-1]}", "one of each");
    start_refused("start={type: nsm, omega: 1.5, times: [0, 9], impulses: [-1, -1]}", "rise");
}

// min over t in (0, T/2] of D by brute force, on a fine grid with a parabola at each dip:
//   D = sum b_j/sin(omega_j T/2) (cos omega_j s - cos omega_j T/2), s = T/2 - t, cosines by
//   recurrence
static double least_D(const jd_nsm *s, double T) {
    enum { MODES = 64 };
    int n = 40 + (int)(16 * s->modes.omega[s->modes.n - 1] * T / two_pi);
    double beta[MODES], turn[MODES], now[MODES], before[MODES], constant = 0;
    for (int j = 0; j < s->modes.n; j++) {
        double o = s->modes.omega[j], h = T / 2 / n;
        beta[j] = s->modes.b[j] / sin(o * T / 2);
        constant += beta[j] * cos(o * T / 2);
        turn[j] = 2 * cos(o * h);
        before[j] = cos(o * h); // s = -h
        now[j] = 1;             // s = 0: half the period after the impact
    }
    double least = HUGE_VAL, last[2] = {HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < n; i++) { // up to, but not at, the impact
        double D = -constant;
        for (int j = 0; j < s->modes.n; j++) {
            D += beta[j] * now[j];
            double next = turn[j] * now[j] - before[j];
            before[j] = now[j];
            now[j] = next;
        }
        double bend = last[0] - 2 * last[1] + D;
        if (i > 1 && last[1] <= last[0] && last[1] <= D && bend > 0)
            least = fmin(least, last[1] - (D - last[0]) * (D - last[0]) / (8 * bend));
        least = fmin(least, D);
        last[0] = last[1];
        last[1] = D;
    }
    return least;
}

// Admissible by brute force (w < 0 and D > 0) at many periods in every gap between poles, against
// the list of branches. Points closer to an end than the scan can tell are left out, and counted.
static void compare_with_scan(const char *file, int per_gap, int *compared) {
    chain o = open_chain(file, NULL, false);
    jd_nsm *s = o.s;
    *compared = 0;
    for (int i = 1; i < s->poles.n; i++) {
        double low = s->poles.list[i - 1].T, high = s->poles.list[i].T;
        if (high < two_pi / s->options.omega_high || high - low < 1e-6 * high) continue;
        double end = high; // shortest period of the branch that hangs below this pole
        for (int k = 0; k < s->found.n_branch; k++)
            if (fabs(two_pi / s->found.branch[k].omega_start - high) < 1e-12 * high)
                end = two_pi / s->found.branch[k].omega_end;
        for (int k = 0; k < per_gap; k++) {
            double slope, T = low + (high - low) * (k + 0.5) / per_gap;
            if (fabs(T - end) < 1e-3 * (high - low)) continue;
            double least = least_D(s, T);
            if (fabs(least) < 1e-6 && jd_nsm_w(s, T, &slope) < 0) continue;
            bool admissible = jd_nsm_w(s, T, &slope) < 0 && least > 0;
            assert_int_equal(admissible, T > end);
            ++*compared;
        }
    }
    close_chain(o);
}

static void a_brute_force_scan_finds_the_same_branches(void **state) {
    (void)state;
    int compared;
    compare_with_scan("n5.yaml", 200, &compared);
    assert_true(compared > 3000);
    compare_with_scan("n50.yaml", 8, &compared);
    assert_true(compared > 14000);
}

static void fifty_masses_have_917_branches_all_certified_all_unstable(void **state) {
    (void)state;
    chain o = open_chain("n50.yaml", "nsm.stability=yes", true);
    jd_nsm *s = o.s;
    assert_int_equal(jd_nsm_poles(s), 2008);
    assert_int_equal(jd_nsm_branches(s), 917);
    int proved = 0;
    for (int i = 0; i < 917; i++) {
        const jd_nsm_branch *b = jd_nsm_branch_at(s, i);
        assert_true(b->certified);
        assert_int_equal(b->n_interval, 1); // and none has a stable part
        assert_false(b->interval[0].stable);
        proved += b->interval[0].proved &&
                  b->interval[0].resolution < 1e-6 * (b->omega_end - b->omega_start);
    }
    assert_true(proved >= 910);
    close_chain(o);
}

static double growth_of(jd_nsm *s, double omega) {
    double value[80], most = 0;
    assert_int_equal(jd_nsm_multipliers(s, omega, value), JD_OK);
    for (int i = 0; i < 2 * jd_nsm_modes(s); i++)
        most = fmax(most, hypot(value[2 * i], value[2 * i + 1]) - 1);
    return most;
}

// The narrowest window is 7e-7 rad/s wide. In the middle of each all multipliers are on the unit
// circle; a little beyond its ends, where two roots have collided or one has left [-1, 1], one is
// off it.
static void windows_of_stability_of_twenty_masses(void **state) {
    (void)state;
    static const double window[][2] = {{3.0502165716159, 3.0502916166515},
                                       {2.9937472168486, 2.9938134084328},
                                       {2.9691975292326, 2.9692198197500},
                                       {1.5339397894163, 1.5339404614451}};
    const char *sets[] = {"structure.count=20", "structure.mass=0.05", "structure.stiffness=20",
                          "structure.points.end={node: 20}", "nsm.omega=[1.532, 1000]"};
    char path[512];
    snprintf(path, sizeof path, "%s/gallery/impact-chain/n50.yaml", JD_SOURCE_DIR);
    jd_context *c = jd_context_create(NULL);
    jd_problem *p;
    jd_nsm *s;
    jd_nsm_options options;
    assert_int_equal(jd_model_read(c, path, 5, sets, &p), JD_OK);
    assert_int_equal(jd_problem_build(p), JD_OK);
    assert_int_equal(jd_nsm_options_of(p, &options), JD_OK);
    assert_int_equal(jd_nsm_create(c, p, &options, &s), JD_OK);
    assert_int_equal(jd_nsm_branches(s), 187);
    int stable = 0, found = 0;
    for (int i = 0; i < 187; i++) {
        const jd_nsm_branch *b = jd_nsm_branch_at(s, i);
        for (int k = 0; k < b->n_interval; k++) {
            const jd_nsm_interval *v = &b->interval[k];
            if (!v->stable) continue;
            stable++;
            assert_near(growth_of(s, (v->from + v->to) / 2), 0, 1e-6);
            for (int l = k - 1; l <= k + 1; l += 2) { // its neighbours, where they begin
                if (l < 0 || l >= b->n_interval) continue;
                double width = fmin(v->to - v->from, b->interval[l].to - b->interval[l].from);
                double at = l < k ? v->from - 0.1 * width : v->to + 0.1 * width;
                assert_true(growth_of(s, at) > 1e-5);
            }
            for (int m = 0; m < 4; m++)
                found += fabs(v->from - window[m][0]) < 1e-10 && fabs(v->to - window[m][1]) < 1e-10;
        }
    }
    assert_int_equal(stable, 9);
    assert_int_equal(found, 4);
    close_chain((chain){c, p, s});
}

static void refused(const char *set, const char *word) {
    jd_context *c = jd_context_create(NULL);
    jd_problem *p;
    jd_nsm *s;
    jd_nsm_options options;
    char path[512];
    snprintf(path, sizeof path, "%s/gallery/impact-chain/n5.yaml", JD_SOURCE_DIR);
    assert_int_equal(jd_model_read(c, path, 1, &set, &p), JD_OK);
    jd_nsm_options_of(p, &options);
    assert_int_equal(jd_nsm_create(c, p, &options, &s), JD_NOT_SUPPORTED);
    assert_null(s);
    assert_non_null(strstr(jd_context_error(c)->message, word));
    jd_problem_free(p);
    jd_context_free(c);
}

static void what_has_no_nonsmooth_modes_is_refused_by_name(void **state) {
    (void)state;
    refused("structure.damping={type: ratio, value: 0.01}", "without damping");
    refused("contacts.end.law.restitution=0.9", "restitution 1");
    refused("contacts.end.law.gap=-1", "positive gap");
    refused("structure.supports.left=free", "without rigid-body modes");
    refused("contacts.end.law={type: coulomb, limit: 1}", "a stop");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_seventeen_branches_of_the_chain_of_five),
        cmocka_unit_test(nothing_is_admissible_above_the_highest_end),
        cmocka_unit_test(phantoms_go_through_the_stop),
        cmocka_unit_test(energy_along_the_first_branch),
        cmocka_unit_test(instability_windows_of_the_first_branch),
        cmocka_unit_test(orbits_close_in_the_exact_engine),
        cmocka_unit_test(every_branch_can_be_handed_to_run_and_orbit),
        cmocka_unit_test(multipliers_are_those_that_shooting_finds),
        cmocka_unit_test(a_start_on_no_orbit_is_refused_by_name),
        cmocka_unit_test(a_brute_force_scan_finds_the_same_branches),
        cmocka_unit_test(fifty_masses_have_917_branches_all_certified_all_unstable),
        cmocka_unit_test(windows_of_stability_of_twenty_masses),
        cmocka_unit_test(stability_of_more_than_a_hundred_modes_is_judged_when_asked),
        cmocka_unit_test(what_has_no_nonsmooth_modes_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
