// span_result.c -- contacts along a span in files: fields streamed to HDF5, cells of events.
#include <hdf5.h>
#include <unistd.h>

#include "result/file/hdf5_stream.h"
#include "result/result.h"
#include "result/run/run.h"
#include "starve.h"
#include "wave_case.h"

// Engine, end, nodes, time between fields.
static const char rods[] = WAVE_RODS "simulate: {engine: %s, until: %s, nodes: %d}\n"
                                     "output: {every: 0.01, field: {every: %s}}\n";

static const char path[] = "span_result.h5", list[] = "span_result.csv";

// Runs the model into files; returns all bytes ever asked for. *lists: events as JSON has them.
static size_t record(const char *text, json_t *lists) {
    meter used = {0};
    jd_context *context = starve_context(&used);
    jd_problem *problem;
    jd_recording *f;
    jd_run_files *files;
    jd_result *result;
    const jd_run_targets to = {.hdf5 = path, .events = list};
    assert_int_equal(
        jd_model_parse(context, "m.yaml", JD_SOURCE_DIR, text, strlen(text), 0, NULL, &problem),
        JD_OK);
    assert_int_equal(jd_recording_create(context, problem, &f), JD_OK);
    assert_int_equal(jd_recording_begin(f, (jd_keep){.lists = lists != NULL}, &result), JD_OK);
    assert_int_equal(jd_run_files_open(f, &to, &files), JD_OK);
    assert_int_equal(jd_recording_run(f), JD_OK);
    assert_int_equal(jd_recording_end(f, result), JD_OK);
    assert_int_equal(jd_run_files_commit(files, result), JD_OK);
    json_t *document = jd_result_document(result, JD_FACE_JSON);
    if (lists) json_object_update(lists, document);
    json_decref(document);
    jd_result_free(result);
    jd_recording_free(f);
    jd_problem_free(problem);
    jd_context_free(context);
    return used.bytes;
}

static size_t rows_of(hid_t file, const char *name) {
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    hsize_t size[2] = {0};
    H5Sget_simple_extent_dims(space, size, NULL);
    H5Sclose(space);
    H5Dclose(set);
    return (size_t)size[0];
}

static double *reals_of(hid_t file, const char *name, size_t *n) {
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) fail_msg("no %s", name);
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    size_t each = H5Tget_class(type) == H5T_ARRAY ? H5Tget_size(type) / sizeof(double) : 1;
    *n = (size_t)H5Sget_simple_extent_npoints(space) * each;
    double *value = malloc((*n + 1) * sizeof *value);
    hid_t as = each > 1 ? type : H5T_NATIVE_DOUBLE;
    assert_true(H5Dread(set, as, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    return value;
}

static void end_files(void) {
    unlink(path);
    unlink(list);
}

// 25 fields and 1000: not a byte more. Twice the nodes: twice the memory at most.
static void memory_of_a_streamed_field_is_that_of_the_grid(void **state) {
    (void)state;
    char text[1500];
    snprintf(text, sizeof text, rods, "wave", "0.05", 304, "0.002");
    size_t shorter = record(text, NULL);
    end_files(); // a file that is there costs its whole path
    snprintf(text, sizeof text, rods, "wave", "2.00", 304, "0.002");
    size_t longer = record(text, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    size_t rows = rows_of(file, "/field/t");
    H5Fclose(file);
    snprintf(text, sizeof text, rods, "wave", "0.05", 606, "0.002");
    size_t finer = record(text, NULL);
    print_message("%zu fields: %zu bytes, as few fields %zu; 606 nodes: %zu\n", rows, longer,
                  shorter, finer);
    assert_true(rows >= 1000);
    assert_true(longer == shorter);
    assert_true(finer <= 2 * shorter);
    // the fields themselves take ten times as much
    assert_true(longer < rows * (2 * 304 + 3 * 152) * sizeof(double));
    end_files();
}

// Every field in the file is what a run stopped just before its time shows, bit by bit.
static void a_streamed_field_comes_back_as_it_was(void **state) {
    (void)state;
    char text[1500];
    static const char *const name[] = {"/field/pile.u", "/field/sleeve.u", "/field/shaft.velocity",
                                       "/field/shaft.state", "/field/shaft.force"};
    snprintf(text, sizeof text, rods, "wave", "0.2", 304, "0.002");
    record(text, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    size_t n[6], moving = 0;
    double *t = reals_of(file, "/field/t", &n[5]), *all[5];
    for (int i = 0; i < 5; i++) all[i] = reals_of(file, name[i], &n[i]);
    H5Fclose(file);
    assert_in_range(n[5], 100, 101);
    wave_case w;
    wave_begin(&w, text);
    for (size_t k = 0; k < n[5]; k++) {
        jd_body_field pile, sleeve;
        jd_interface_field shaft;
        if (t[k] > 0) wave_go(&w, nextafter(t[k], 0));
        assert_true(jd_run_body(w.run, 0, &pile) && jd_run_body(w.run, 1, &sleeve));
        assert_true(jd_run_interface(w.run, 0, &shaft));
        const double *now[] = {pile.displacement, sleeve.displacement, shaft.velocity, shaft.state,
                               shaft.force};
        for (int i = 0; i < 5; i++) {
            size_t each = n[i] / n[5];
            assert_int_equal(each, i == 0 ? pile.n : i == 1 ? sleeve.n : shaft.n);
            assert_memory_equal(all[i] + k * each, now[i], each * sizeof(double));
        }
        moving += shaft.state[shaft.n - 1] != 0;
    }
    assert_true(moving > 10 && moving < n[5]);
    wave_close(&w);
    for (int i = 0; i < 5; i++) free(all[i]);
    free(t);
    end_files();
}

// The cell of every event is the same in JSON, HDF5 and CSV.
static void events_name_their_cell_in_every_file(void **state) {
    (void)state;
    char text[1500], line[400];
    snprintf(text, sizeof text, rods, "taylor", "0.1", 31, "0");
    json_t *lists = json_object();
    record(text, lists);
    json_t *events = json_object_get(lists, "event_list");
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    size_t n, other = 0;
    double *cell = reals_of(file, "/event_list/cell", &n);
    H5Fclose(file);
    FILE *csv = fopen(list, "r");
    assert_non_null(fgets(line, sizeof line, csv));
    assert_string_equal(line, "t,contact,from,to,speed,impulse,cell\n");
    assert_int_equal(n, json_array_size(events));
    assert_true(n > 20);
    for (size_t i = 0; i < n; i++) {
        long long is = json_integer_value(json_object_get(json_array_get(events, i), "cell"));
        assert_true(cell[i] == (double)is);
        assert_non_null(fgets(line, sizeof line, csv));
        assert_int_equal(atoi(strrchr(line, ',') + 1), is);
        other += is > 0;
    }
    assert_true(other > 10);
    fclose(csv);
    free(cell);
    json_decref(lists);
    end_files();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_a_streamed_field_is_that_of_the_grid),
        cmocka_unit_test(a_streamed_field_comes_back_as_it_was),
        cmocka_unit_test(events_name_their_cell_in_every_file)};
    return cmocka_run_group_tests_name("span result", tests, NULL, NULL);
}
