// drive_table.c -- tables of a drive from CSV files: what is read, and every bad file by its line.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drive/kind.h"
#include "drive/segment.h"
#include "near.h"

static jd_context *context;
static jd_arena *arena;
static char path[] = "/tmp/judder-table-XXXXXX";

static int open_all(void **state) {
    (void)state;
    context = jd_context_create(NULL);
    arena = jd_arena_create(context);
    int file = mkstemp(path);
    return !arena || file < 0 || close(file) != 0;
}

static int close_all(void **state) {
    (void)state;
    jd_arena_free(arena);
    jd_context_free(context);
    return unlink(path);
}

static jd_status load(const char *text, jd_drive_table_def *out) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    *out = (jd_drive_table_def){.file = path, .scale = 1};
    return jd_drive_table_load(arena, out);
}

static void names_comments_and_separators_do_not_matter(void **state) {
    (void)state;
    static const char *const same[] = {
        "0,1\n0.5,-2e3\n",
        "# measured\ntime [s], force [N]\n\n0 , 1   # first\r\n0.5, -2.0E3",
        "t f\n0 1\n 0.5\t-2000\n\n\n",
    };
    for (int i = 0; i < 3; i++) {
        jd_drive_table_def d;
        assert_int_equal(load(same[i], &d), JD_OK);
        assert_true(!d.file && d.time.n == 2 && d.value.n == 2);
        assert_true(d.time.value[1] == 0.5 && d.value.value[0] == 1 && d.value.value[1] == -2000);
    }
}

static void a_scale_takes_any_unit_and_multiplies(void **state) {
    (void)state;
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs("t [s], acceleration [g]\n0,1\n2,3\n", f);
    assert_int_equal(fclose(f), 0);
    jd_drive_table_def d = {.file = path, .scale = 9.80665};
    assert_int_equal(jd_drive_table_load(arena, &d), JD_OK);
    jd_drive_segment g;
    jd_drive_segment_at(&(jd_object){"", &jd_drive_table, &d}, 0, 1, &g);
    assert_true(g.level == 9.80665 && g.slope == 9.80665 && g.start == 0 && g.end == 2);
    jd_drive_segment_at(&(jd_object){"", &jd_drive_table, &d}, 0, 2, &g);
    assert_near(g.level, 3 * 9.80665, 1e-15);
}

// A scale is for units of force and acceleration and for raw signals; times stay in s.
static void a_scale_does_not_make_a_displacement_a_force(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double scale;
        jd_status status;
    } file[] = {{"t [s],u [mm]\n0,1\n", 2, JD_WRONG_UNIT},
                {"t [ms],a [g]\n0,1\n", 9.80665, JD_WRONG_UNIT},
                {"t/s,v/(m/s)\n0,1\n", 3, JD_WRONG_UNIT},
                {"t/s,a/(m/s^2)\n0,1\n", 1, JD_OK},
                {"t in s,signal in mV\n0,1\n", 0.3, JD_OK},
                {"t in s,signal in mV\n0,1\n", 1, JD_WRONG_UNIT},
                {"time in s, force\n0,1\n", 1, JD_OK},
                {"time,force/time\n0,1\n", 1, JD_OK},
                {"t/s,F/kN\n0,1\n", 1000, JD_OK},
                {"t [s],F [N]\n0,1\n", 7, JD_OK}};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        fputs(file[i].text, f);
        assert_int_equal(fclose(f), 0);
        jd_drive_table_def d = {.file = path, .scale = file[i].scale};
        if (jd_drive_table_load(arena, &d) != file[i].status) fail_msg("%s", file[i].text);
    }
}

static void bad_files_are_refused_by_line(void **state) {
    (void)state;
    static const struct {
        const char *text;
        jd_status status;
        const char *message;
        int line;
    } bad[] = {
        {"0,1\n1,2\n1,3\n", JD_OUT_OF_RANGE, "entry 3 is 1 after 1", 3},
        {"0,1\n2,2\n1,3\n", JD_OUT_OF_RANGE, "entry 3 is 1 after 2", 3},
        {"-1,1\n", JD_OUT_OF_RANGE, "before 0", 1},
        {"0,1\n1\n", JD_BROKEN_TABLE, "the value is missing", 2},
        {"0,1\n1,2,3\n", JD_BROKEN_TABLE, "`3` is too much", 2},
        {"0,1\n1,two\n", JD_BROKEN_TABLE, "`two` is no finite number", 2},
        {"0,1\n1,nan\n", JD_BROKEN_TABLE, "`nan`", 2},
        {"t,f\nt,f\n", JD_BROKEN_TABLE, "`t` is no finite number", 2},
        {"0,1\n1,1e999\n", JD_BROKEN_TABLE, "`1e999`", 2},
        {"t,f\n# nothing\n", JD_EMPTY_FILE, "holds no numbers", 2},
        {"", JD_EMPTY_FILE, "is empty", 0},
        {"t [s], acceleration [g]\n0,1\n", JD_WRONG_UNIT, "the column is in `g`", 1},
        {"t [ms], force [N]\n0,1\n", JD_WRONG_UNIT, "times of a table are in s", 1},
        {"t [s], force [kN]\n0,1\n", JD_WRONG_UNIT, "the column is in `kN`", 1},
        {"t (ms), force (N)\n0,1\n", JD_WRONG_UNIT, "the column is in `ms`", 1},
        {"t [ms] force [N]\n0 1\n", JD_WRONG_UNIT, "the column is in `ms`", 1},
        {"t [s] force [kN]\n0 1\n", JD_WRONG_UNIT, "the column is in `kN`", 1},
        {"t/ms, F/N\n0,1\n", JD_WRONG_UNIT, "the column is in `ms`", 1},
        {"t/s, F/kN\n0,1\n", JD_WRONG_UNIT, "the column is in `kN`", 1},
        {"time in ms, force in N\n0,1\n", JD_WRONG_UNIT, "the column is in `ms`", 1},
        {"time in s,acceleration in mm/s^2\n0,1\n", JD_WRONG_UNIT, "is in `mm/s^2`", 1},
        {"\"t [s]\",\"displacement [mm]\"\n0,1\n", JD_WRONG_UNIT, "forces or accelerations", 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        jd_drive_table_def d;
        assert_int_equal(load(bad[i].text, &d), bad[i].status);
        const jd_error *e = jd_context_error(context);
        if (!strstr(e->message, bad[i].message)) fail_msg("%s", e->message);
        char where[80];
        snprintf(where, sizeof where, bad[i].line ? "%s:%d" : "%s", path, bad[i].line);
        assert_string_equal(e->where, where);
    }
    jd_drive_table_def d = {.file = "/nowhere/load.csv"};
    assert_int_equal(jd_drive_table_load(arena, &d), JD_CANNOT_READ);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_comments_and_separators_do_not_matter),
        cmocka_unit_test(a_scale_takes_any_unit_and_multiplies),
        cmocka_unit_test(a_scale_does_not_make_a_displacement_a_force),
        cmocka_unit_test(bad_files_are_refused_by_line),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
