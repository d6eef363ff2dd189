// kernel_transfer.c -- velocity per force of strings with all their modes, against 40 digits.
//   Ghat_ij(s) = s sum_k n_ik n_jk/(s^2 + 2 D omega_k s + omega_k^2). Points at 2/5 and 7/10 make
//   the participations periodic in k: the sum falls into 20 or 40 differences of digamma functions,
//   computed with 50 digits; the library uses Lerch sums and hyperbolic functions instead.
#include "kernel/response.h"
#include "model_case.h"
#include "problem/memory.h"

#define STRING                                                                                     \
    "judder: 1\n"                                                                                  \
    "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite,\n"      \
    "  points: {p: 0.4, q: 0.7}, damping: {type: ratio, value: 0.1}}\n"                            \
    "contacts:\n"                                                                                  \
    "  a: {at: p, against: ground, law: {type: coulomb, limit: 1}}\n"                              \
    "  b: {at: q, against: ground, law: {type: coulomb, limit: 1}}\n"

static const double s_of[][2] = {{0.3, 2}, {0, 7.1}, {1, -20}, {0, 100}, {0.01, 0.05}};

// Real and imaginary parts at 0.4-0.4, 0.4-0.7, 0.7-0.7 for each s.
static const double damped[][6] = {
    {0.15144261641095461, 0.29681812458110046, 0.10920106739167191, 0.16481854098061654,
     0.11905183623487787, 0.25333389056487023},
    {0.16043394385907991, -0.10040370870869453, -0.17826790644725478, 0.033661101154685448,
     0.31612692832790912, -0.32912294555828254},
    {0.25626119533096325, 0.010997564951791045, 0.095148967987755604, -0.02035097980698902,
     0.20601547947827554, 0.025486163550042719},
    {0.23528277716459238, -7.3466710047865133e-5, 3.0684104122214277e-5, 0.012542393444938074,
     0.23586903624983484, -5.4123733219458512e-6},
    {0.001215924056239744, 0.0059946598416121892, 0.00061117468718066273, 0.0029963553857306545,
     0.0010627795998738061, 0.0052456666074861427},
};
static const double undamped[][6] = {
    {0.11229246884710514, 0.34213052818990187, 0.080127856596109287, 0.20151052835702474,
     0.088421445460267423, 0.28718971983408829},
    {0.0, -0.18324550396504343, 0.0, 0.17270649180289826, 0.0, -0.56223625167241128},
    {0.2650458720175434, 0.13984444757876537, 0.13695547544693583, 0.05805402587777769,
     0.1486043697927441, 0.08907371762840406},
    {0.0, 0.22426324655380424, 0.0, 0.72694048165266403, 0.0, 0.75501614336845731},
    {0.0012007106724987837, 0.0060010561799840735, 0.00060055522751965111, 0.0030008251502751122,
     0.0010505441001731438, 0.0052508086322136758},
};
static const double free_fixed[][6] = {
    {0.42817674710278997, -0.33948673177637568, 0.23564442490853174, -0.22598019025067873,
     0.17097613244203579, 0.015894244379502922},
    {0.33497121503667997, 0.31605562786564586, -0.20602721503368065, -0.36618106679225439,
     0.2237447315505577, 0.014084503916672087},
    {0.21155721467045998, 0.0026341950054671471, 0.078837374725510877, -0.019297578611998547,
     0.20042737802783435, 0.027299879266403003},
    {0.23519282307060152, 7.3522196209385551e-5, 2.0695080309564161e-5, 0.012538307373907702,
     0.2358682201947305, -5.7803769776751765e-6},
    {0.0030905999685619142, 0.014976787658865414, 0.0015505195819666133, 0.0074871276200932671,
     0.001533401314567123, 0.0074909294121131107},
};
static const double free_free[][6] = {
    {0.06813131553532524, -0.14255702648326938, 0.0083340608499965198, -0.29686196031590109,
     0.10052209571140198, -0.099072792467039152},
    {0.25526871325762087, -0.12998823199439057, 0.030300859304804412, -0.26717290166091903,
     0.099575728788791666, 0.098731004855197444},
    {0.21326409826526932, -0.0086076303926342672, 0.094068536213213089, -0.045462851816595427,
     0.26350981411795703, -0.023096228990885941},
    {0.23518598696412784, 7.3468534266542921e-5, 6.4262976511832644e-6, 0.012476307162980109,
     0.23459972787888538, 5.4141975406236393e-6},
    {1.9235470703390743, -9.6130525283969839, 1.9228656687167357, -9.6164253087606667,
     1.9237002147954403, -9.6123035351628579},
};

static void compare(void **state, const char *set, const double (*expected)[6], double bound) {
    model_case *m = *state;
    jd_response *r;
    reads(m, STRING, set);
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    assert_int_equal(jd_problem_response(m->context, m->problem, &r), JD_OK);
    for (int k = 0; k < 5; k++) {
        double out[8]; // aa, ab, ba, bb
        assert_int_equal(jd_response_transfer(r, s_of[k], out), JD_OK);
        for (int q = 0; q < 4; q++) assert_near(out[q], expected[k][q], bound);
        for (int q = 0; q < 2; q++) {
            assert_near(out[4 + q], expected[k][2 + q], bound); // reciprocal
            assert_near(out[6 + q], expected[k][4 + q], bound);
        }
    }
    jd_response_free(r);
}

// measured 5e-15 at most, all cases
static void damped_string_answers_to_thirteen_digits(void **state) {
    compare(state, NULL, damped, 1e-13);
}

static void undamped_string_answers_to_thirteen_digits(void **state) {
    compare(state, "structure.damping=none", undamped, 1e-13);
}

static void free_ends_answer_to_thirteen_digits(void **state) {
    compare(state, "structure.supports={left: free, right: fixed}", free_fixed, 1e-13);
    // carried by its rigid-body mode at small s: values up to 10
    compare(state, "structure.supports={left: free, right: free}", free_free, 1e-13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(damped_string_answers_to_thirteen_digits),
        MODEL_TEST(undamped_string_answers_to_thirteen_digits),
        MODEL_TEST(free_ends_answer_to_thirteen_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
