// long_tables.c -- drives by long tables: the right segment at every time, at a cost that grows no
//   faster than the table (n log n): a run, its state and its identity.
#include <time.h>

#include "drive/segment.h"
#include "scene.h"

static double draw(unsigned long long *seed, double low, double high) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

// One entry after the other, as the definition reads: 0 before the first time, then between the
// neighbours, then held.
static double look_up(int n, const double *time, const double *value, double t) {
    if (t < time[0]) return 0;
    for (int i = 1; i < n; i++)
        if (t < time[i])
            return value[i - 1] +
                   (value[i] - value[i - 1]) / (time[i] - time[i - 1]) * (t - time[i - 1]);
    return value[n - 1];
}

static void the_segment_is_that_of_a_search_from_the_front(void **state) {
    (void)state;
    unsigned long long seed = 7;
    double time[40], value[40];
    for (int round = 0; round < 400; round++) {
        int n = 1 + (int)draw(&seed, 0, 39);
        for (int i = 0; i < n; i++) {
            time[i] = (i ? time[i - 1] : -0.1) + draw(&seed, 0.1, 1);
            value[i] = draw(&seed, -1, 1);
        }
        jd_drive_table_def d = {.time = {n, time}, .value = {n, value}, .scale = 1};
        jd_object drive = {"", &jd_drive_table, &d};
        for (int k = 0; k < 100; k++) {
            double t = k < n ? time[k] : draw(&seed, 0, time[n - 1] + 1);
            jd_drive_segment s;
            jd_drive_segment_at(&drive, 0, t, &s);
            assert_true(s.start <= t && t < s.end);
            assert_near(s.level + s.slope * (t - s.start), look_up(n, time, value, t), 0);
        }
    }
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Seconds for a run over a table of n entries and its state, the best of three.
static double cost(int n) {
    double best = HUGE_VAL, *time = malloc((size_t)n * sizeof *time),
           *value = malloc((size_t)n * sizeof *value);
    unsigned long long seed = 3;
    assert_true(time && value);
    for (int i = 0; i < n; i++) {
        time[i] = 0.01 * i;
        value[i] = sin(0.013 * i) + draw(&seed, 0, 0.2);
    }
    for (int i = 0; i < 3; i++) {
        scene s = scene_open();
        scene_mass(&s, 1, 5, 0.1);
        scene_friction(&s, "pad", "m1", 0.3, NAN);
        scene_table(&s, "table", "m1", n, time, value);
        double start = cpu_seconds();
        scene_run(&s, 0.01 * n);
        size_t size = jd_run_state_size(s.r);
        char *block = malloc(size);
        assert_non_null(block);
        must(&s, jd_run_state_save(s.r, block, size));
        must(&s, jd_run_state_load(s.r, block, size));
        best = fmin(best, cpu_seconds() - start);
        free(block);
        scene_close(&s);
    }
    free(time);
    free(value);
    return best;
}

static void four_times_the_table_costs_about_four_times(void **state) {
    (void)state;
    double once = cost(4000), more = cost(16000);
    print_message("   4000 entries %.3g s, 16000 entries %.3g s\n", once, more);
    assert_true(more < 8 * once); // 16 where a part of it is quadratic
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_segment_is_that_of_a_search_from_the_front),
        cmocka_unit_test(four_times_the_table_costs_about_four_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
