// universal.c -- universal files: frequency responses (58) as those of a table, modes (55) with
// their masses, every bad file by name.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "near.h"
#include "structure/measured/frf.h"
#include "structure/measured/modes_universal.h"

enum { COUNT = 40, MODES = 3 };

static jd_context *context;
static jd_arena *arena;
static char folder[] = "/tmp/judder-universal-XXXXXX";
static char path[300];
static const double pi = 3.14159265358979323846;

static int open_folder(void **state) {
    (void)state;
    context = jd_context_create(NULL);
    arena = jd_arena_create(context);
    if (!mkdtemp(folder) || !arena) return 1;
    snprintf(path, sizeof path, "%s/test.uff", folder);
    return 0;
}

static int close_folder(void **state) {
    (void)state;
    unlink(path);
    jd_arena_free(arena);
    jd_context_free(context);
    return rmdir(folder);
}

// Response of point i to point j at frequency number k: times (i omega)^order.
static void response(int i, int j, int k, int order, double *re, double *im) {
    double w = 2 * pi * (1.5 * k), a = 0, b = 0;
    for (int q = 1; q <= MODES; q++) {
        double x = 80. * q * 80 * q - w * w, y = 8 * q * w;
        double s = sin(i * q + 1) * sin(j * q + 1) / (x * x + y * y);
        a += s * x;
        b -= s * y;
    }
    for (; order > 0; order--) {
        double kept = a;
        a = -w * b;
        b = w * kept;
    }
    *re = a, *im = b;
}

typedef struct form {
    int order;    // 0 receptance, 1 mobility, 2 accelerance
    bool even;    // spacing
    bool two;     // double precision
    int turned;   // direction of the response is -z
    bool unnamed; // the file does not say what is measured
} form;

static void write_response(FILE *f, const form *o, int i, int j) {
    static const int measured[] = {8, 11, 12};
    fprintf(f, "    -1\n    58\n");
    for (int line = 0; line < 5; line++) fprintf(f, "a text, line %d\n", line);
    fprintf(f, "%5d%10d%5d%10d %-10s%10d%4d %-10s%10d%4d\n", 4, 0, 0, 0, "NONE", 10 + i,
            o->turned ? -3 : 3, "NONE", 10 + j, 3);
    fprintf(f, "%10d%10d%10d%13.5E%13.5E%13.5E\n", o->two ? 6 : 5, COUNT, o->even, 0., 1.5, 0.);
    fprintf(f, "%10d%5d%5d%5d %-20s %-20s\n", 18, 0, 0, 0, "Frequency", "Hz");
    fprintf(f, "%10d%5d%5d%5d %-20s %-20s\n", o->unnamed ? 0 : measured[o->order], 0, 0, 0, "", "");
    fprintf(f, "%10d%5d%5d%5d %-20s %-20s\n%10d%5d%5d%5d\n", 13, 0, 0, 0, "Force", "N", 0, 0, 0, 0);
    for (int k = 0; k < COUNT; k++) {
        double re, im, sign = o->turned ? -1 : 1;
        response(i, j, k, o->order, &re, &im);
        if (!o->even) fprintf(f, "%13.5E", 1.5 * k);
        fprintf(f, o->two ? "%20.12E%20.12E%s" : "%13.5E%13.5E%s", sign * re, sign * im,
                o->even && k % 2 == 0 && k < COUNT - 1 ? "" : "\n");
    }
    fprintf(f, "    -1\n");
}

static void responses_are_those_that_were_written(void **state) {
    (void)state;
    for (int which = 0; which < 48; which++) {
        form o = {which % 3, which / 3 % 2, which / 6 % 2, which / 12 % 2, which / 24 % 2};
        jd_frf r;
        FILE *f = fopen(path, "wb");
        fprintf(f, "    -1\n   151\nnothing\n    -1\n");
        write_response(f, &o, 0, 0);
        write_response(f, &o, 1, 0);
        fclose(f);
        jd_frf_quantity told = (jd_frf_quantity)(o.unnamed ? o.order : (o.order + 1) % 3);
        jd_status status = jd_frf_read(arena, path, told, true, &r);
        if (status != JD_OK) print_error("%s\n", jd_context_error(context)->message);
        assert_int_equal(status, JD_OK);
        assert_true(r.n == COUNT - 1 && r.n_pair == 2 && r.n_point == 2);
        assert_string_equal(r.name[0], "n10z");
        assert_string_equal(r.name[1], "n11z");
        for (int p = 0; p < 2; p++)
            for (int k = 1; k < COUNT; k++) {
                double re, im;
                response(p, 0, k, 1, &re, &im);
                double bound = (o.two ? 1e-11 : 1e-5) * hypot(re, im);
                assert_relative(r.omega[k - 1], 2 * pi * 1.5 * k, 1e-13);
                assert_near(r.re[p * r.n + k - 1], re, bound); // measured 5e-13 and 5e-6 of it
                assert_near(r.im[p * r.n + k - 1], im, bound);
            }
    }
}

static void modes_are_normalised_by_their_masses(void **state) {
    (void)state;
    FILE *f = fopen(path, "wb");
    fprintf(f, "    -1\n  2411\n%10d%10d%10d%10d\n%25.16E%25.16E%25.16E\n", 7, 1, 1, 1, 0., 0., 0.);
    fprintf(f, "%10d%10d%10d%10d\n%25.16E%25.16E%25.16E\n    -1\n", 9, 1, 1, 1, 1., 0., 0.);
    for (int k = 0; k < 4; k++) {
        fprintf(f, "    -1\n    55\na\nb\nc\nd\ne\n%10d%10d%10d%10d%10d%10d\n", 1, k == 3 ? 1 : 2,
                k == 2 ? 3 : 2, 8, 2, k == 2 ? 6 : 3);
        fprintf(f, "%10d%10d%10d%10d\n%13.5E%13.5E%13.5E%13.5E\n", 2, 4, 1, k + 1, 10. * (k + 1),
                4. + k, k == 1 ? 0 : 0.01, k == 1 ? 0.04 : 0);
        for (int node = 7; node <= 9; node += 2) {
            fprintf(f, "%10d\n%13.5E%13.5E%13.5E", node, 1. * node, 2. + k, -0.5 * node);
            if (k == 2) fprintf(f, "%13.5E%13.5E%13.5E", 0.1, 0.2, 0.3);
            fprintf(f, "\n");
        }
        fprintf(f, "    -1\n");
    }
    fclose(f);
    const double near[3] = {0.9, 0.1, 0};
    jd_point point[] = {{.name = "a", .node = 7, .dof = 1},
                        {.name = "b", .near = {3, near}, .dof = 3},
                        {.name = "c", .node = 9, .dof = 2}};
    jd_modes_def d = {.file = path, .points = {3, point}};
    jd_status status = jd_modes_read_universal(arena, path, &d);
    if (status != JD_OK) print_error("%s\n", jd_context_error(context)->message);
    assert_int_equal(status, JD_OK);
    assert_true(d.omega.n == 3 && d.ratio.n == 3 && d.shapes.n == 3);
    for (int k = 0; k < 3; k++) {
        double scale = 1 / sqrt(4. + k);
        assert_relative(d.omega.value[k], 20 * pi * (k + 1), 1e-15);
        assert_relative(d.ratio.value[k], k == 1 ? 0.02 : 0.01, 1e-15);
        assert_relative(d.shapes.shape[0].value.value[k], 7 * scale, 1e-15);
        assert_relative(d.shapes.shape[1].value.value[k], -4.5 * scale, 1e-15);
        assert_relative(d.shapes.shape[2].value.value[k], (2 + k) * scale, 1e-15);
    }
    point[0].node = 8;
    assert_int_equal(jd_modes_read_universal(arena, path, &d), JD_UNKNOWN_NAME);
    point[0] = (jd_point){.name = "a", .node = 7, .dof = 6}; // only the third has rotations
    assert_int_equal(jd_modes_read_universal(arena, path, &d), JD_UNKNOWN_NAME);
    assert_non_null(strstr(jd_context_error(context)->message, "mode 1 has no node 7 with dof 6"));
}

#define FIVE "a\nb\nc\nd\ne\n"
#define HEAD58(kind)                                                                               \
    "    4         0    0         0 NONE              10   3 NONE              10   3\n" kind

static void bad_files_are_refused_by_name_and_place(void **state) {
    (void)state;
    static const struct {
        bool modes;
        const char *text;
        jd_status status;
        const char *message, *where;
    } bad[] = {
        {false, "    -1\n    58\n" FIVE "    -1\n", JD_BROKEN_TABLE, "ends before", "uff"},
        {false, "    -1\n   58b\n" FIVE "    -1\n", JD_NOT_SUPPORTED, "binary", "uff:2"},
        {false, "    -1\n   151\n" FIVE "    -1\n", JD_EMPTY_FILE, "no frequency responses", "uff"},
        {false,
         "    -1\n    58\n" FIVE HEAD58(
             "         2        40         1  0.0 1.5 0\n") "        18\n        12\n        13\n  "
                                                            "       0\n    -1\n",
         JD_NOT_SUPPORTED, "real values", "uff"},
        {false,
         "    -1\n    58\n" FIVE HEAD58(
             "         5        40         1  0.0 1.5 0\n") "        18\n         9\n        13\n  "
                                                            "       0\n    -1\n",
         JD_NOT_SUPPORTED, "quantity 9", "uff"},
        {false,
         "    -1\n    58\n" FIVE HEAD58(
             "         5        40         1  0.0 1.5 0\n") "        18\n        12\n         8\n  "
                                                            "       0\n    -1\n",
         JD_NOT_SUPPORTED, "not per force", "uff"},
        {false,
         "    -1\n    58\n" FIVE HEAD58(
             "         51999999999         1  0.0 1.5 0\n") "        18\n        12\n        13\n  "
                                                            "       0\n 1 2 3\n    -1\n",
         JD_BROKEN_TABLE, "truncated", "uff"},
        {false,
         "    -1\n    58\n" FIVE HEAD58(
             "         5         2         1  0.0 1.5 0\n") "        18\n        12\n        13\n  "
                                                            "       0\n 1 2 x 4\n    -1\n",
         JD_BROKEN_TABLE, "`x`", "uff:14"},
        {false,
         "    -1\n    58\n" FIVE HEAD58(
             "         5         2         1  0.0 1.5 0\n") "        18\n        12\n        13\n  "
                                                            "       0\n 1 2 3 4\n    -1\n",
         JD_BROKEN_TABLE, "at least 8", "uff"},
        {true, "hello\n", JD_BROKEN_TABLE, "begins with a line -1", "uff:1"},
        {true, "    -1\n   151\n    -1\n", JD_EMPTY_FILE, "no modes", "uff"},
        {true, "    -1\n    55\n" FIVE " 1 2 2 8 2 3\n", JD_BROKEN_TABLE, "truncated", "uff"},
        {true, "    -1\n    55\n" FIVE " 1 3 2 8 5 3\n    -1\n", JD_NOT_SUPPORTED, "complex",
         "uff:8"},
        {true, "    -1\n    55\n" FIVE " 1 2 2 8 2 99\n    -1\n", JD_BROKEN_TABLE,
         "cannot have 99 values", "uff:8"},
        {true, "    -1\n    55\n" FIVE " 1 2 2 12 2 3\n    -1\n", JD_NOT_SUPPORTED, "quantity 12",
         "uff:8"},
        {true, "    -1\n    55\n" FIVE " 1 2 2 8 2 3\n 2 4 1 1\n 5 0 0 0\n 7\n 1 2 3\n    -1\n",
         JD_OUT_OF_RANGE, "modal mass", "uff:10"},
        {true, "    -1\n    55\n" FIVE " 1 2 2 8 2 3\n 2 4 1 1\n 5 1 0 0\n 7\n 1 2\n    -1\n",
         JD_BROKEN_TABLE, "value is missing", "uff"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        jd_frf r;
        jd_modes_def d = {.file = path};
        FILE *f = fopen(path, "wb");
        fputs(bad[i].text, f);
        fclose(f);
        jd_context_clear_error(context);
        jd_status status = bad[i].modes ? jd_modes_read_universal(arena, path, &d)
                                        : jd_frf_read(arena, path, JD_ACCELERANCE, true, &r);
        const jd_error *e = jd_context_error(context);
        if (status != bad[i].status || !strstr(e->message, bad[i].message) ||
            !strstr(e->where, bad[i].where))
            print_error("case %zu: %s (%s)\n", i, e->message, e->where);
        assert_int_equal(status, bad[i].status);
        assert_non_null(strstr(e->message, bad[i].message));
        assert_non_null(strstr(e->where, bad[i].where));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses_are_those_that_were_written),
        cmocka_unit_test(modes_are_normalised_by_their_masses),
        cmocka_unit_test(bad_files_are_refused_by_name_and_place),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
