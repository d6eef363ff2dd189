// nonsmooth_windows.c -- the window of frequencies asked for is the window searched: branches of
// random structures against a dense scan of periods that knows neither poles' order nor criteria.
#include "nsm_case.h"

static const double two_pi = 6.283185307179586;

// D(t; T) with beta_j = b_j/sin(omega_j T/2) at hand.
static double distance(const modal_data *m, const double *beta, double t, double T) {
    double D = 0;
    for (int j = 0; j < m->n; j++)
        D += 2 * beta[j] * sin(m->omega[j] * t / 2) * sin(m->omega[j] * (T - t) / 2);
    return D;
}

// Least D between two times around a dip, by sections.
static double bottom(const modal_data *m, const double *beta, double low, double high, double T) {
    for (int i = 0; i < 60; i++) {
        double x = low + (high - low) * 0.38, y = low + (high - low) * 0.62;
        if (distance(m, beta, x, T) < distance(m, beta, y, T))
            high = y;
        else
            low = x;
    }
    return distance(m, beta, (low + high) / 2, T);
}

// Is the orbit of period T admissible: w < 0 and D > 0 for 0 < t <= T/2? On a grid of 24 points per
// wave of the fastest mode, dips refined. *margin: how far from the limit, relative.
static bool admissible(const modal_data *m, double T, double *margin) {
    double w = 0, size = 0, least = HUGE_VAL, last[2] = {0, 0}, beta[64], fastest = 0;
    for (int j = 0; j < m->n; j++) {
        double x = m->omega[j] * T / 2;
        beta[j] = m->a[j] / m->omega[j] / sin(x);
        w += beta[j] * cos(x);
        size += fabs(beta[j]);
        fastest = fmax(fastest, m->omega[j]);
    }
    int n = 24 + (int)(24 * fastest * T / 2 / two_pi);
    double step = T / 2 / n, now[64], before[64], turn[64];
    for (int j = 0; j < m->n; j++) { // cos(omega_j (t - T/2)) at 0 and one step, by recurrence
        before[j] = cos(m->omega[j] * T / 2);
        now[j] = cos(m->omega[j] * (step - T / 2));
        turn[j] = 2 * cos(m->omega[j] * step);
    }
    for (int i = 1; i <= n + 1; i++) {
        double D = -w;
        for (int j = 0; j < m->n; j++) {
            double next = turn[j] * now[j] - before[j];
            D += beta[j] * now[j];
            before[j] = now[j];
            now[j] = next;
        }
        least = fmin(least, D);
        double dip = last[0] + D - 2 * last[1]; // above how much it can go down between the points
        if (i > 2 && last[1] <= last[0] && last[1] <= D && fabs(last[1]) < 2 * dip)
            least = fmin(least, bottom(m, beta, step * (i - 2), step * i, T));
        last[0] = last[1];
        last[1] = D;
    }
    *margin = fmin(fabs(w), fabs(least)) / size;
    return w < 0 && least > 0;
}

// The next pole k T_j below T.
static double pole_below(const modal_data *m, double T) {
    double best = 0;
    for (int j = 0; j < m->n; j++) {
        double own = two_pi / m->omega[j], k = ceil(T / own * (1 - 1e-11)) - 1;
        if (m->a[j] > 1e-20) best = fmax(best, k * own);
    }
    return best;
}

static bool listed(const jd_nsm *s, double T, double *end) {
    for (int i = 0; i < jd_nsm_branches(s); i++) {
        const jd_nsm_branch *b = jd_nsm_branch_at(s, i);
        if (fabs(b->omega_start * T / two_pi - 1) > 1e-10) continue;
        *end = two_pi / b->omega_end;
        return true;
    }
    return false;
}

// Every gap between poles of the window: periods all over it, and closer and closer to its upper
// pole, are admissible above the end of the listed branch, and nowhere else. Returns the number of
// gaps with an admissible period.
static int scan(const modal_data *m, const jd_nsm *s, double low, double high, int *looks) {
    int found = 0;
    for (double T = two_pi / low * (1 + 1e-11); (T = pole_below(m, T)) >= two_pi / high;) {
        double below = pole_below(m, T), end = T, margin;
        bool any = false, there = listed(s, T, &end);
        for (int k = 0; k < 32; k++) {
            double part = k < 16 ? (k + 0.5) / 16 : 1 - pow(0.5, k - 11),
                   at = below + part * (T - below);
            bool good = admissible(m, at, &margin);
            if (margin < 1e-10 || fabs(at - end) < 1e-6 * (T - below)) continue;
            assert_int_equal(good, there && at > end);
            any = any || good;
            ++*looks;
        }
        found += any;
    }
    return found;
}

static void five_masses_have_45_branches_from_0_14_to_10(void **state) {
    (void)state;
    const char *window = "nsm.omega=[0.14, 10]";
    jd_problem *p;
    int looks = 0, lower = 0;
    assert_int_equal(
        jd_model_read(context, JD_SOURCE_DIR "/gallery/impact-chain/n5.yaml", 1, &window, &p),
        JD_OK);
    assert_int_equal(jd_problem_build(p), JD_OK);
    modal_data m = modal_of(p);
    jd_nsm *s = nsm_of(p);
    assert_int_equal(scan(&m, s, 0.14, 10, &looks), 45);
    assert_int_equal(jd_nsm_branches(s), 45);
    for (int i = 0; i < 45; i++) {
        const jd_nsm_branch *b = jd_nsm_branch_at(s, i);
        lower += b->omega_start < m.omega[0] * (1 - 1e-9);
        assert_true(b->certified);
        if (b->mode == 5 && b->divisor == 13) assert_near(b->omega_start, 0.7380715182, 1e-9);
    }
    assert_int_equal(lower, 28);
    jd_nsm_free(s);
    jd_problem_free(p);
}

static void branches_of_random_structures_are_those_of_a_dense_scan(void **state) {
    (void)state;
    int branches = 0, looks = 0, below = 0;
    for (int i = 0; i < 20; i++) {
        seed = 1000 + (uint64_t)i;
        random_case r = draw_case(i % CASE_KINDS);
        jd_problem *p = read_case(&r, (units){1, 1, 1, false}, 1);
        modal_data m = modal_of(p);
        jd_nsm *s = nsm_of(p);
        double slowest = HUGE_VAL;
        for (int j = 0; j < m.n; j++) slowest = fmin(slowest, m.omega[j]);
        scan(&m, s, r.low, r.high, &looks);
        for (int k = 0; k < jd_nsm_branches(s); k++) {
            const jd_nsm_branch *b = jd_nsm_branch_at(s, k);
            assert_true(b->certified);
            assert_true(b->omega_start >= r.low * (1 - 1e-12) &&
                        b->omega_start <= r.high * (1 + 1e-12));
            below += b->omega_start < slowest * (1 - 1e-9);
        }
        branches += jd_nsm_branches(s);
        jd_nsm_free(s);
        jd_problem_free(p);
    }
    print_message("%d branches, %d of them below the lowest mode, %d periods\n", branches, below,
                  looks);
    assert_true(branches > 150 && below > 10 && looks > 10000);
}

static void a_window_that_begins_at_0_is_refused(void **state) {
    (void)state;
    const char *window = "nsm.omega=[0, 10]";
    jd_problem *p;
    assert_int_not_equal(
        jd_model_read(context, JD_SOURCE_DIR "/gallery/impact-chain/n5.yaml", 1, &window, &p),
        JD_OK);
    assert_non_null(strstr(jd_context_error(context)->message, "above 0"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_masses_have_45_branches_from_0_14_to_10),
        cmocka_unit_test(branches_of_random_structures_are_those_of_a_dense_scan),
        cmocka_unit_test(a_window_that_begins_at_0_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
