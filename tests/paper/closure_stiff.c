// closure_stiff.c -- label: slow; the friction oscillator with sigma up to 1e8: thousands of turns
// of the wave term's ringing, sqrt(sigma Linf/L+) = 4.5e4, in every stick.      [szalai, closure]
#include "orbit_case.h"

// Filippov's period less that of the closure falls like sqrt(L+/sigma).
static void closure_stays_exact_when_stiff(void **state) {
    (void)state;
    const char *const sigma[] = {"structure.sigma=1e6", "structure.sigma=1e8"};
    double away[2];
    for (int i = 0; i < 2; i++) {
        const char *set[] = {sigma[i], "orbit.settle=10"};
        orbit_case c;
        orbit_read(&c, "friction-oscillator/alpha05.yaml", 2, set);
        orbit_find(&c);
        away[i] = 7.335477809961622 - c.view->period;
        orbit_end(&c);
    }
    assert_near(away[1], 5.306e-5, 1e-7);                 // 2.37 sqrt(L+/sigma)
    assert_near(log10(away[0] / away[1]) / 2, 0.5, 3e-3); // measured: 0.4990
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closure_stays_exact_when_stiff),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
