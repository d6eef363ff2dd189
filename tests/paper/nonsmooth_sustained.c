// nonsmooth_sustained.c -- orbits of the chain of Legrand, Junca and Heng that rest on the stop.
//   Reference values: Newton's method with 40 digits on the matching conditions in the masses'
//   coordinates, with the closed forms of the chain's shapes.
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "judder/judder.h"
#include "near.h"

static const double pi = 3.141592653589793;

typedef struct opened {
    jd_context *c;
    jd_problem *p;
    jd_nsm *s;
} opened;

// The chain of n masses 1/n on springs n, as n5.yaml has it for five.
static opened open_chain(int n, const char *window, const char *more) {
    opened o;
    jd_nsm_options options;
    char text[6][120];
    const char *sets[8] = {"nsm.sustained=true", "output.points=[]", "start=rest"};
    int n_set = 3;
    snprintf(text[0], sizeof text[0], "structure.count=%d", n);
    snprintf(text[1], sizeof text[1], "structure.mass=%.17g", 1.0 / n);
    snprintf(text[2], sizeof text[2], "structure.stiffness=%d", n);
    snprintf(text[3], sizeof text[3], "structure.points={end: {node: %d}}", n);
    snprintf(text[4], sizeof text[4], "nsm.omega=%s", window);
    for (int i = 0; i < 5; i++) sets[n_set++] = text[i];
    const char *all[9];
    memcpy(all, sets, sizeof sets);
    all[n_set] = more;
    o.c = jd_context_create(NULL);
    assert_int_equal(jd_model_read(o.c, JD_SOURCE_DIR "/gallery/impact-chain/n5.yaml",
                                   n_set + (more != NULL), all, &o.p),
                     JD_OK);
    assert_int_equal(jd_problem_build(o.p), JD_OK);
    assert_int_equal(jd_nsm_options_of(o.p, &options), JD_OK);
    options.stability = false;
    assert_int_equal(jd_nsm_create(o.c, o.p, &options, &o.s), JD_OK);
    return o;
}

static void close_chain(opened o) {
    jd_nsm_free(o.s);
    jd_problem_free(o.p);
    jd_context_free(o.c);
}

typedef struct reference {
    double omega, flight, contact, energy, force;
} reference;

static const reference five[] = {{4.1957649787251477, 1.2864120992320417, 0.21109439577871696,
                                  35.795437935362766, 2.1081610182379852},
                                 {2.0982071459591344, 2.7316056003641516, 0.26294396986305823,
                                  28.653140825708883, 3.0294541470037592},
                                 {1.9134238837249956, 2.289871556486746, 0.99386779715175457,
                                  477.08191766514101, 28.438497201484722},
                                 {1.905558105592807, 2.3859018983578049, 0.91139210109487901,
                                  235.59153956956757, 32.605735834205003},
                                 {1.6760380646228228, 3.3518370999442777, 0.3969950058429859,
                                  17.276022822411509, 4.5895247748756776},
                                 {1.6128162062232186, 3.3250545002099379, 0.57073057618950825,
                                  3.108090270231804, 2.4351100131183197},
                                 {1.5949511904481468, 3.5087261613972879, 0.43069552423695853,
                                  3.5033333115101647, 2.7658972177668057}};
static const reference three[] = {{1.8071780888054877, 2.1671208101247162, 1.3096728418681868,
                                   17903435.406304276, 3638.2327674278067},
                                  {1.7466145235295469, 2.7086575314252753, 0.88869335655575893,
                                   44.370439179902844, 12.0522579271342},
                                  {1.3496313858776068, 4.3380746990196605, 0.31740780748258947,
                                   1.1071988702919506, 0.2907113083334029}};
static const reference two[] = {{1.5695510425697819, 2.9773315704189982, 1.0258420357686052,
                                 35.368195389868551, 7.3508317417929756}};

// Measured: 3e-16 for omega, 2e-15 for the durations, 3e-14 for energy and force but 3e-12 where
// the energy is 2e7.
static void compare(opened o, int n, const reference *r) {
    assert_int_equal(jd_nsm_sustained_count(o.s), n);
    assert_null(jd_nsm_sustained_at(o.s, n));
    for (int i = 0; i < n; i++) {
        const jd_nsm_sustained *x = jd_nsm_sustained_at(o.s, i);
        double loose = r[i].energy > 1e6 ? 1e-10 : 1e-12;
        assert_true(x->certified);
        assert_relative(x->omega, r[i].omega, 1e-13);
        assert_relative(x->flight, r[i].flight, 1e-13);
        assert_relative(x->contact, r[i].contact, 1e-13);
        assert_relative(x->energy, r[i].energy, loose);
        assert_relative(x->force, r[i].force, loose);
    }
    jd_nsm_search search = jd_nsm_search_of(o.s);
    assert_true(search.asked && search.complete);
    assert_int_equal(search.undecided, 0);
    close_chain(o);
}

// Measured: 19 thousand looks.
static void seven_orbits_of_the_chain_of_five_rest_on_the_stop(void **state) {
    (void)state;
    opened o = open_chain(5, "[1.42, 10]", NULL);
    assert_true(jd_nsm_search_of(o.s).looks < 40000);
    compare(o, 7, five);
}

static void three_orbits_of_the_chain_of_three_rest_on_the_stop(void **state) {
    (void)state;
    compare(open_chain(3, "[1.3, 20]", NULL), 3, three);
}

// Two masses: the contact force has one frequency sigma, so the orbit is symmetric, and in flight
// u, u', u'' of the last mass demand tan(w1 h)/w1 = tan(w2 h)/w2. Of the roots below the longest
// period one alone keeps away from the stop.
static void two_masses_obey_their_own_equation(void **state) {
    (void)state;
    double w1 = 4 * sin(pi / 10), w2 = 4 * sin(3 * pi / 10), low = 1.48, high = 1.5;
    for (int i = 0; i < 60; i++) {
        double h = (low + high) / 2;
        if ((sin(w1 * h) / w1 * cos(w2 * h) - sin(w2 * h) / w2 * cos(w1 * h)) *
                (sin(w1 * low) / w1 * cos(w2 * low) - sin(w2 * low) / w2 * cos(w1 * low)) >
            0)
            low = h;
        else
            high = h;
    }
    assert_relative(2 * low, two[0].flight, 1e-14);
    compare(open_chain(2, "[0.4, 20]", NULL), 1, two);
}

// Measured: 57 thousand looks; closed in the exact engine like those of five.
static void six_masses_have_twelve_such_orbits(void **state) {
    (void)state;
    opened o = open_chain(6, "[1.45, 20]", NULL);
    assert_int_equal(jd_nsm_sustained_count(o.s), 12);
    for (int i = 0; i < 12; i++) assert_true(jd_nsm_sustained_at(o.s, i)->certified);
    assert_true(jd_nsm_search_of(o.s).complete);
    close_chain(o);
}

// All frequencies of a rod are odd multiples of the first: near a flight of its period and no
// contact every motion solves the equations to third order. What is found is right, but the search
// says that it did not decide everything.
static void a_resonant_rod_is_not_decided_everywhere_and_says_so(void **state) {
    (void)state;
    const char *text = "judder: 1\n"
                       "structure: {type: rod, length: 1, axial_stiffness: 1, mass_per_length: 1, "
                       "modes: 4, supports: {left: fixed, right: free}, points: {tip: 1}, "
                       "damping: none}\n"
                       "contacts:\n"
                       "  tip: {at: tip, against: ground, law: {type: stop, gap: 1, "
                       "restitution: 1}}\n"
                       "nsm: {omega: [1.57, 100], sustained: true}\n";
    opened o = {.c = jd_context_create(NULL)};
    jd_nsm_options options;
    assert_int_equal(jd_model_parse(o.c, "rod", ".", text, strlen(text), 0, NULL, &o.p), JD_OK);
    assert_int_equal(jd_problem_build(o.p), JD_OK);
    assert_int_equal(jd_nsm_options_of(o.p, &options), JD_OK);
    assert_int_equal(jd_nsm_create(o.c, o.p, &options, &o.s), JD_OK);
    assert_int_equal(jd_nsm_sustained_count(o.s), 2);
    jd_nsm_search search = jd_nsm_search_of(o.s);
    assert_false(search.complete);
    assert_true(search.undecided > 0 && !search.given_up);
    close_chain(o);
}

// One mass that rests is held there by nothing: nothing to find, and that is proved.
static void a_single_mass_never_rests(void **state) {
    (void)state;
    opened o = open_chain(1, "[0.5, 20]", NULL);
    assert_int_equal(jd_nsm_sustained_count(o.s), 0);
    assert_true(jd_nsm_search_of(o.s).complete);
    close_chain(o);
}

static void nothing_is_searched_unless_asked(void **state) {
    (void)state;
    opened o = open_chain(3, "[1.3, 20]", "nsm.sustained=false");
    assert_false(jd_nsm_search_of(o.s).asked);
    assert_int_equal(jd_nsm_sustained_count(o.s), 0);
    close_chain(o);
}

static void a_window_without_such_orbits_is_empty(void **state) {
    (void)state;
    opened o = open_chain(5, "[2.2, 4]", NULL);
    assert_int_equal(jd_nsm_sustained_count(o.s), 0);
    assert_true(jd_nsm_search_of(o.s).complete);
    close_chain(o);
}

// Columns of H for three masses, from the chain's closed forms alone (masses 1/3: the shapes'
// squares sum to 3).
static void columns(double h, double s, double out[2][3]) {
    enum { N = 3 };
    for (int j = 0; j < N; j++) {
        double w = 2 * N * sin((2 * j + 1) * pi / (2 * (2 * N + 1)));
        for (int k = 0; k < N - 1; k++) {
            double p = 2 * N * sin((k + 1) * pi / (2 * N)), Q = 0;
            for (int i = 1; i < N; i++)
                Q += sin((2 * j + 1) * i * pi / (2 * N + 1)) * sin((k + 1) * i * pi / N);
            out[k][j] = Q * (sin(w * h) / w * cos(p * s) + cos(w * h) * sin(p * s) / p);
        }
    }
}

// Two parts of the columns' cross product: both vanish where they are parallel, or where the third
// row does.
static void cross(double h, double s, double out[3]) {
    double x[2][3];
    columns(h, s, x);
    for (int i = 0; i < 3; i++)
        out[i] = x[0][(i + 1) % 3] * x[1][(i + 2) % 3] - x[0][(i + 2) % 3] * x[1][(i + 1) % 3];
}

static bool changes(const double v[4]) {
    return (fmin(fmin(v[0], v[1]), fmin(v[2], v[3])) < 0) &&
           (fmax(fmax(v[0], v[1]), fmax(v[2], v[3])) > 0);
}

// Do all parts of the cross product change sign in the cell, and in some cell of an eighth of its
// size within, `deep` times over?
static bool holds(double h, double s, double dh, double ds, int deep) {
    double part[3][4], f[3];
    for (int q = 0; q < 4; q++) {
        cross(h + (q & 1) * dh, s + (q >> 1) * ds, f);
        for (int m = 0; m < 3; m++) part[m][q] = f[m];
    }
    if (!changes(part[0]) || !changes(part[1]) || !changes(part[2])) return false;
    for (int i = 0; deep > 0 && i < 64; i++)
        if (holds(h + i % 8 * dh / 8, s + i / 8 * ds / 8, dh / 8, ds / 8, deep - 1)) return true;
    return deep == 0;
}

// A dense scan of (h, s): five places, not one more, as the search says; h and s from 0.02 on,
// contact up to the bound.
static void a_dense_scan_of_three_masses_finds_the_same_solutions(void **state) {
    (void)state;
    enum { CELLS = 900 };
    double most = pi / 1.3, contact = (pi / 3 + pi / (6 * sin(pi / 3))) / 2, at[40][2];
    double dh = most / CELLS, ds = contact / CELLS;
    int found = 0;
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < CELLS; k++) {
            double h = 0.02 + i * dh, s = 0.02 + k * ds;
            if (h + s > most || s > contact || !holds(h, s, dh, ds, 4)) continue;
            bool known = false;
            for (int q = 0; q < found; q++)
                known |= fabs(at[q][0] - h) < 0.02 && fabs(at[q][1] - s) < 0.02;
            if (known || found == 40) continue;
            at[found][0] = h;
            at[found++][1] = s;
        }
    opened o = open_chain(3, "[1.3, 20]", NULL);
    assert_int_equal(jd_nsm_search_of(o.s).solutions, found);
    for (int i = 0; i < jd_nsm_sustained_count(o.s); i++) {
        const jd_nsm_sustained *x = jd_nsm_sustained_at(o.s, i);
        bool seen = false;
        for (int q = 0; q < found; q++)
            seen |= fabs(at[q][0] - x->flight / 2) < 0.02 && fabs(at[q][1] - x->contact / 2) < 0.02;
        assert_true(seen);
    }
    close_chain(o);
}

// In flight below the stop, in contact on it and pushed; the energy of the whole chain stays.
static void motion_keeps_to_its_side_and_its_energy(void **state) {
    (void)state;
    enum { SAMPLES = 401 };
    opened o = open_chain(5, "[1.42, 10]", NULL);
    static double u[SAMPLES], v[SAMPLES], force[SAMPLES];
    for (int i = 0; i < jd_nsm_sustained_count(o.s); i++) {
        const jd_nsm_sustained *x = jd_nsm_sustained_at(o.s, i);
        assert_int_equal(jd_nsm_sustained_trace(o.s, i, NULL, SAMPLES, u, v, force), JD_OK);
        for (int k = 0; k < SAMPLES; k++) {
            double t = (x->flight + x->contact) * k / (SAMPLES - 1);
            bool rests = fabs(t - (x->flight + x->contact) / 2) < x->contact / 2;
            assert_true(rests ? force[k] > 0 : force[k] == 0);
            if (rests) assert_near(u[k], 1, 1e-12);
            if (rests) assert_near(v[k], 0, 1e-11);
            assert_true(u[k] < 1 + 1e-12);
            assert_near(u[k], u[SAMPLES - 1 - k], 1e-10);
        }
        assert_relative(force[SAMPLES / 2], x->force, 1e-12);
    }
    close_chain(o);
}

static void hand_over(const reference *r) {
    jd_problem *p;
    jd_run *run;
    jd_orbit *orbit;
    jd_context *c = jd_context_create(NULL);
    double T = r->flight + r->contact, from[10], to[10], scale[10], off = 0, size = 0;
    char start[120];
    snprintf(start, sizeof start, "start={type: nsm, omega: %.17g, contact: %.17g}", r->omega,
             r->contact);
    const char *sets[] = {start, "orbit.settle=0"}, *file = "/gallery/impact-chain/n5.yaml";
    char path[512];
    snprintf(path, sizeof path, "%s%s", JD_SOURCE_DIR, file);
    assert_int_equal(jd_model_read(c, path, 2, sets, &p), JD_OK);
    assert_int_equal(jd_problem_build(p), JD_OK);
    assert_int_equal(jd_run_create(c, p, &run), JD_OK);
    run->class->map.state(run, from);
    run->class->map.scales(run, scale);
    int events = 0;
    for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT;) {
        assert_int_equal(jd_run_advance(run, T, &step), JD_OK);
        if (step != JD_STEP_EVENT) break;
        const jd_event *e = jd_run_event(run);
        bool closes = jd_contact_letter(e->to) == '|';
        assert_near(e->t, (closes ? r->flight : r->flight + 2 * r->contact) / 2,
                    closes ? 2e-5 : 1e-12);
        events++;
    }
    assert_int_equal(events, 2);
    run->class->map.state(run, to);
    for (int k = 0; k < 10; k++) {
        off += pow(scale[k] * (to[k] - from[k]), 2);
        size += pow(scale[k] * from[k], 2);
    }
    assert_near(sqrt(off / size), 0, 1e-11);
    assert_relative(size / 2, r->energy, 1e-11);
    jd_run_free(run);
    assert_int_equal(jd_orbit_create(c, p, NULL, &orbit), JD_OK);
    const jd_orbit_view *v = jd_orbit_look(orbit);
    assert_true(v->found && v->stability.soft && !v->stability.stable);
    assert_near(v->search.history[0], 0, 1e-11);
    assert_relative(v->period, T, 1e-12);
    jd_orbit_free(orbit);
    jd_problem_free(p);
    jd_context_free(c);
}

// Measured: 3e-15 after a period, opening at the right time to 1e-15. The landing has u - g, u' and
// u'' zero at once, so its time is only known to a few 1e-6.
static void orbits_that_rest_close_in_the_exact_engine(void **state) {
    (void)state;
    for (int i = 0; i < 7; i++) hand_over(&five[i]);
}

// The symmetric families of 3, 5, 7 .. impacts that hang on branch w2 close in on the orbit that
// rests: their grazing ends come nearer in energy and frequency with each pair of impacts.
static void families_of_many_impacts_close_in_on_the_orbit_that_rests(void **state) {
    (void)state;
    opened o = open_chain(5, "[4.15, 4.2]", "nsm.impacts=13");
    double last = HUGE_VAL;
    int seen = 0;
    for (int i = 0; i < jd_nsm_families(o.s); i++) {
        const jd_nsm_family *f = jd_nsm_family_at(o.s, i);
        if (f->kind != JD_NSM_SYMMETRIC) continue;
        double away = fabs(f->energy[f->n - 1] - five[0].energy);
        assert_true(away < last);
        last = away;
        seen++;
    }
    assert_int_equal(seen, 6);
    assert_near(last, 0, 0.3); // the three-impact family ends 1.43 away
    close_chain(o);
}

// Reading, building or starting must fail and say `word`.
static void refused(const char *set, const char *word) {
    jd_context *c = jd_context_create(NULL);
    jd_problem *p = NULL;
    jd_run *run = NULL;
    jd_status s = jd_model_read(c, JD_SOURCE_DIR "/gallery/impact-chain/n5.yaml", 1, &set, &p);
    if (s == JD_OK) s = jd_problem_build(p);
    if (s == JD_OK) s = jd_run_create(c, p, &run);
    assert_int_not_equal(s, JD_OK);
    assert_non_null(strstr(jd_context_error(c)->message, word));
    jd_run_free(run);
    jd_problem_free(p);
    jd_context_free(c);
}

static void starts_that_are_no_such_orbit_are_refused_by_name(void **state) {
    (void)state;
    refused("start={type: nsm, omega: 1.6, contact: 0.4}", "rests on the stop that long");
    refused("start={type: nsm, omega: 1.6, contact: 5}", "shorter than the period");
    refused("start={type: nsm, omega: 1.6, contact: -1}", "contact");
    refused("start={type: nsm, omega: 1.6, contact: 0.4, times: [0], impulses: [-1]}",
            "only one is possible");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seven_orbits_of_the_chain_of_five_rest_on_the_stop),
        cmocka_unit_test(three_orbits_of_the_chain_of_three_rest_on_the_stop),
        cmocka_unit_test(two_masses_obey_their_own_equation),
        cmocka_unit_test(six_masses_have_twelve_such_orbits),
        cmocka_unit_test(a_resonant_rod_is_not_decided_everywhere_and_says_so),
        cmocka_unit_test(a_single_mass_never_rests),
        cmocka_unit_test(nothing_is_searched_unless_asked),
        cmocka_unit_test(a_window_without_such_orbits_is_empty),
        cmocka_unit_test(a_dense_scan_of_three_masses_finds_the_same_solutions),
        cmocka_unit_test(motion_keeps_to_its_side_and_its_energy),
        cmocka_unit_test(orbits_that_rest_close_in_the_exact_engine),
        cmocka_unit_test(families_of_many_impacts_close_in_on_the_orbit_that_rests),
        cmocka_unit_test(starts_that_are_no_such_orbit_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
