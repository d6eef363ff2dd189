// result.c -- the faces of a result: JSON, CSV, HDF5, and files that appear whole or not at all.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <hdf5.h>

#include "near.h"
#include "result/file/document.h"
#include "result/file/file.h"
#include "result/result.h"

static const char sample[] =
    "{\"kind\":\"modes\",\"units\":\"SI\",\"title\":\"B\\u00fchne, \\\"x\\\"\",\"found\":true,"
    "\"modes\":[{\"omega\":10.112739849821970,\"digits\":16,\"body\":\"a\",\"pole\":[[-1,2],[-1,-2]"
    "]},"
    "{\"omega\":63.5,\"digits\":3,\"body\":\"b/c\",\"pole\":[[-1.5,4],[-1.5,-4]]}],"
    "\"stuck\":{\"left/tip\":[{\"omega\":44.5}],\"none\":[]},"
    "\"grid\":[[1,2,3],[4,5,null]],\"ragged\":[[1],[2,3]],\"flags\":[true,false]}";

static int setup(void **state) {
    *state = jd_context_create(NULL);
    return *state == NULL;
}
static int teardown(void **state) {
    jd_context_free(*state);
    return 0;
}

static json_t *parsed(void) { return json_loads(sample, 0, NULL); }

static char *slurp(FILE *f, char *text, size_t size) {
    rewind(f);
    text[fread(text, 1, size - 1, f)] = '\0';
    fclose(f);
    return text;
}

static void json_keeps_every_bit_of_a_double(void **state) {
    (void)state;
    static const double values[] = {0.1, 10.11273984982197, 1e-300, 4.9e-324,
                                    1.7976931348623157e308};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        json_t *doc = json_pack("{s:o}", "x", jd_json_real(values[i]));
        FILE *f = tmpfile();
        assert_true(jd_json_write(doc, f));
        json_decref(doc);
        char text[200];
        doc = json_loads(slurp(f, text, sizeof text), 0, NULL);
        assert_true(json_real_value(json_object_get(doc, "x")) == values[i]);
        json_decref(doc);
    }
}

static void numbers_that_are_not_finite_become_null(void **state) {
    (void)state;
    assert_true(json_is_null(jd_json_real((double)NAN)));
    assert_true(json_is_null(jd_json_real((double)INFINITY)));
    assert_true(json_is_null(jd_json_real(-(double)INFINITY)));
}

static void digits_follow_from_the_error_bound(void **state) {
    (void)state;
    assert_int_equal(jd_digits(0), 16);
    assert_int_equal(jd_digits(3e-16), 15);
    assert_int_equal(jd_digits(2e-5), 4);
    assert_int_equal(jd_digits(0.2), 0);
    assert_int_equal(jd_digits(0.9), 0);
    assert_int_equal(jd_digits(50), 0);
    assert_int_equal(jd_digits((double)NAN), 0);
}

static void csv_quotes_text_and_keeps_17_digits(void **state) {
    (void)state;
    json_t *rows =
        json_loads("[{\"a\":\"x,\\\"y\\\"\",\"b\":0.1,\"c\":1},{\"a\":\"\",\"c\":true}]", 0, NULL);
    FILE *f = tmpfile();
    char text[200];
    assert_true(jd_csv_print(rows, f));
    assert_string_equal(slurp(f, text, sizeof text),
                        "a,b,c\n\"x,\"\"y\"\"\",0.10000000000000001,1\n,,true\n");
    json_decref(rows);
}

static void modes_become_rows_with_their_contact_and_body(void **state) {
    (void)state;
    json_t *doc = parsed(), *rows = jd_rows_modes(doc);
    assert_int_equal(json_array_size(rows), 3);
    json_t *second = json_array_get(rows, 1), *third = json_array_get(rows, 2);
    assert_string_equal(json_string_value(json_object_get(second, "body")), "b/c");
    assert_near(json_number_value(json_object_get(second, "pole_2_im")), -4, 0);
    assert_string_equal(json_string_value(json_object_get(third, "stuck")), "left/tip");
    json_decref(rows);
    json_decref(doc);
}

static void read_doubles(hid_t file, const char *path, int n, double *out) {
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    assert_true(set >= 0);
    hid_t space = H5Dget_space(set);
    assert_int_equal(H5Sget_simple_extent_npoints(space), n);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
    H5Sclose(space);
    H5Dclose(set);
}

static void hdf5_holds_columns_grids_and_lists(void **state) {
    json_t *doc = parsed();
    const jd_origin origin = {"judder modes m.yaml", "judder: 1\n", &jd_record_modes, NULL};
    assert_int_equal(jd_hdf5_write(*state, "result-a.h5", doc, &origin), JD_OK);
    json_decref(doc);
    hid_t file = H5Fopen("result-a.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    double v[8];
    read_doubles(file, "/modes/omega", 2, v);
    assert_near(v[0], 10.112739849821970, 0);
    read_doubles(file, "/modes/pole", 8, v);
    assert_near(v[5], 4, 0);
    read_doubles(file, "/stuck/left%2Ftip/omega", 1, v);
    assert_near(v[0], 44.5, 0);
    read_doubles(file, "/stuck/none", 0, v);
    read_doubles(file, "/grid", 6, v);
    assert_near(v[4], 5, 0);
    assert_true(isnan(v[5]));
    read_doubles(file, "/ragged/1", 2, v);
    assert_near(v[1], 3, 0);
    H5Fclose(file);
    unlink("result-a.h5");
}

static void info_gives_back_where_a_result_comes_from(void **state) {
    json_t *doc = parsed(), *info = NULL;
    size_t size = 1 << 20; // a model longer than the 64 kB an attribute may hold in place
    char *model = malloc(size + 1);
    memset(model, 'm', size);
    model[size] = '\0';
    const jd_origin origin = {"judder modes 'ü.yaml'", model, &jd_record_modes, NULL};
    assert_int_equal(jd_hdf5_write(*state, "result-b.h5", doc, &origin), JD_OK);
    assert_int_equal(jd_hdf5_info(*state, "result-b.h5", &info), JD_OK);
    assert_string_equal(json_string_value(json_object_get(info, "command")), origin.command);
    assert_string_equal(json_string_value(json_object_get(info, "model")), model);
    assert_string_equal(json_string_value(json_object_get(info, "title")), "B\u00fchne, \"x\"");
    assert_string_equal(json_string_value(json_object_get(info, "judder_version")), jd_version());
    json_t *first = json_array_get(json_object_get(info, "contents"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "path")), "/modes/omega");
    assert_string_equal(json_string_value(json_object_get(first, "unit")), "rad/s");
    json_decref(info);
    json_decref(doc);
    free(model);
    unlink("result-b.h5");
}

static void equal_results_are_equal_bytes(void **state) {
    json_t *doc = parsed();
    const jd_origin origin = {"judder", "", &jd_record_modes, NULL};
    static char a[1 << 20], b[1 << 20];
    assert_int_equal(jd_hdf5_write(*state, "result-c.h5", doc, &origin), JD_OK);
    FILE *f = fopen("result-c.h5", "rb");
    size_t n = fread(a, 1, sizeof a, f);
    fclose(f);
    sleep(1); // HDF5 keeps times in seconds, if any
    assert_int_equal(jd_hdf5_write(*state, "result-c.h5", doc, &origin), JD_OK);
    f = fopen("result-c.h5", "rb");
    assert_int_equal(fread(b, 1, sizeof b, f), n);
    fclose(f);
    assert_true(n > 0 && n < sizeof a && memcmp(a, b, n) == 0);
    json_decref(doc);
    unlink("result-c.h5");
}

static void info_refuses_what_is_no_result(void **state) {
    json_t *info = NULL;
    FILE *f = fopen("result-d.h5", "wb");
    fputs("\x89HDF\r\n\x1a\nrubbish", f);
    fclose(f);
    assert_int_equal(jd_hdf5_info(*state, "result-d.h5", &info), JD_BAD_RESULT_FILE);
    assert_int_equal(jd_hdf5_info(*state, "no-such.h5", &info), JD_CANNOT_READ);
    assert_int_equal(jd_hdf5_info(*state, ".", &info), JD_CANNOT_READ);
    hid_t h = H5Fcreate("result-d.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(h);
    assert_int_equal(jd_hdf5_info(*state, "result-d.h5", &info), JD_BAD_RESULT_FILE);
    assert_null(info);
    unlink("result-d.h5");
}

static void a_full_disk_is_reported_by_every_writer(void **state) {
    struct stat before, after;
    if (stat("/dev/full", &before) != 0) skip();
    json_t *doc = parsed(), *rows = jd_rows_modes(doc);
    const jd_origin origin = {"judder", "", &jd_record_modes, NULL};
    assert_int_equal(jd_csv_write(*state, "/dev/full", rows), JD_CANNOT_WRITE);
    assert_non_null(strstr(jd_context_error(*state)->message, "No space left on device"));
    assert_int_equal(jd_hdf5_write(*state, "/dev/full", doc, &origin), JD_CANNOT_WRITE);
    assert_non_null(strstr(jd_context_error(*state)->message, "`/dev/full`"));
    FILE *f = fopen("/dev/full", "w");
    assert_false(jd_json_write(doc, f));
    fclose(f);
    assert_int_equal(stat("/dev/full", &after), 0);
    assert_true(S_ISCHR(after.st_mode) && before.st_ino == after.st_ino); // still the device
    json_decref(rows);
    json_decref(doc);
}

static void an_abandoned_file_leaves_the_old_one(void **state) {
    jd_file file;
    char text[20];
    unlink("result-e.txt"); // of a run of this test that failed
    assert_int_equal(jd_file_open(*state, "result-e.txt", &file), JD_OK);
    fputs("first", file.stream);
    assert_int_equal(access("result-e.txt", F_OK), -1); // not there before it is whole
    assert_int_equal(jd_file_commit(&file), JD_OK);
    assert_int_equal(jd_file_open(*state, "result-e.txt", &file), JD_OK);
    fputs("second", file.stream);
    char part[200];
    snprintf(part, sizeof part, "%s", file.temporary);
    assert_int_equal(access(part, F_OK), file.unnamed ? -1 : 0);
    jd_file_abandon(&file);
    assert_int_equal(access(part, F_OK), -1);
    assert_string_equal(slurp(fopen("result-e.txt", "rb"), text, sizeof text), "first");
    unlink("result-e.txt");
}

static void paths_that_cannot_be_written_are_named(void **state) {
    jd_file file;
    static const char *const paths[] = {"no-such-folder/x.h5", ".", "", "/proc/none/x"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_int_equal(jd_file_open(*state, paths[i], &file), JD_CANNOT_WRITE);
        assert_non_null(strstr(jd_context_error(*state)->message, paths[i]));
    }
}

static void a_symbolic_link_stays_and_its_target_is_replaced(void **state) {
    jd_file file;
    struct stat info;
    char text[20];
    FILE *f = fopen("result-f.txt", "w");
    fputs("old", f);
    fclose(f);
    unlink("result-g.txt");
    assert_int_equal(symlink("result-f.txt", "result-g.txt"), 0);
    assert_int_equal(jd_file_open(*state, "result-g.txt", &file), JD_OK);
    fputs("new", file.stream);
    assert_int_equal(jd_file_commit(&file), JD_OK);
    assert_int_equal(lstat("result-g.txt", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_string_equal(slurp(fopen("result-f.txt", "rb"), text, sizeof text), "new");
    unlink("result-f.txt");
    unlink("result-g.txt");
}

// max = 1e-9 N beside min = -100 N: a difference of 1e-9 N is one of 1e-11.
static void forces_are_compared_with_the_largest_of_their_kind(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        json_t *side[2];
        for (int i = 0; i < 2; i++)
            side[i] = json_pack("{s:s, s:{s:{s:{s:f, s:f}}}}", "kind", "run", "contacts", "c",
                                "force", "min", 100.0 * sign, "max", 1e-9 * (i + 1));
        json_t *near = jd_document_compare(side[0], side[1], 1e-10);
        json_t *far = jd_document_compare(side[0], side[1], 1e-12);
        assert_true(json_is_true(json_object_get(near, "same")));
        assert_true(json_is_false(json_object_get(far, "same")));
        json_decref(near);
        json_decref(far);
        for (int i = 0; i < 2; i++) json_decref(side[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_compared_with_the_largest_of_their_kind),
        cmocka_unit_test(json_keeps_every_bit_of_a_double),
        cmocka_unit_test(numbers_that_are_not_finite_become_null),
        cmocka_unit_test(digits_follow_from_the_error_bound),
        cmocka_unit_test(csv_quotes_text_and_keeps_17_digits),
        cmocka_unit_test(modes_become_rows_with_their_contact_and_body),
        cmocka_unit_test_setup_teardown(hdf5_holds_columns_grids_and_lists, setup, teardown),
        cmocka_unit_test_setup_teardown(info_gives_back_where_a_result_comes_from, setup, teardown),
        cmocka_unit_test_setup_teardown(equal_results_are_equal_bytes, setup, teardown),
        cmocka_unit_test_setup_teardown(info_refuses_what_is_no_result, setup, teardown),
        cmocka_unit_test_setup_teardown(a_full_disk_is_reported_by_every_writer, setup, teardown),
        cmocka_unit_test_setup_teardown(an_abandoned_file_leaves_the_old_one, setup, teardown),
        cmocka_unit_test_setup_teardown(paths_that_cannot_be_written_are_named, setup, teardown),
        cmocka_unit_test_setup_teardown(a_symbolic_link_stays_and_its_target_is_replaced, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
