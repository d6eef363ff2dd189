// result_files.c -- result files that were damaged, and whole ones that hold what Judder never
// writes: refused by name, before anything in them is used.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <hdf5.h>

#include "judder/model.h"
#include "model_case.h"
#include "result/file/document.h"
#include "result/file/seal.h"
#include "result/run/run.h"

static const char path[] = "fault-result.h5";
#define MODEL(until)                                                                               \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 2, mass: 1, stiffness: 1, points: {end: {node: 2}},\n"        \
    "  supports: {left: fixed, right: free}, damping: {type: ratio, value: 0.01}}\n"               \
    "contacts: {end: {at: end, against: ground, law: {type: coulomb, limit: 0.1}}}\n"              \
    "drives: {push: {at: end, type: harmonic, amplitude: 1, frequency: 0.9}}\n"                    \
    "simulate: {until: " until "}\n"                                                               \
    "output: {every: 1}\n"
static const char model[] = MODEL("3"), longer[] = MODEL("4");

static size_t load(unsigned char *out, size_t room) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(out, 1, room, f);
    fclose(f);
    return n;
}

static void store(const unsigned char *bytes, size_t n) {
    FILE *f = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void seal(void) {
    int fd = open(path, O_RDWR);
    assert_int_equal(jd_seal_put(fd), 0);
    close(fd);
}

// A run of the model into the file.
static void make_run(model_case *m) {
    jd_recording *r = NULL;
    jd_run_files *files = NULL;
    jd_result *result = NULL;
    reads(m, model, NULL);
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    assert_int_equal(jd_recording_create(m->context, m->problem, &r), JD_OK);
    assert_int_equal(jd_run_files_open(r, &(jd_run_targets){.hdf5 = path}, &files), JD_OK);
    assert_int_equal(jd_recording_begin(r, (jd_keep){0}, &result), JD_OK);
    assert_int_equal(jd_recording_run(r), JD_OK);
    assert_int_equal(jd_recording_end(r, result), JD_OK);
    assert_int_equal(jd_run_files_commit(files, result), JD_OK);
    jd_result_free(result);
    jd_recording_free(r);
}

// Info, reading and going on from the file, all three alike.
static void expect(model_case *m, jd_status status, const char *message) {
    json_t *info = NULL, *document = NULL;
    jd_status got[] = {jd_hdf5_info(m->context, path, &info),
                       jd_hdf5_read(m->context, path, &document)};
    for (int i = 0; i < 2; i++) assert_int_equal(got[i], status);
    if (status != JD_OK) {
        says("message", jd_context_error(m->context)->message, message);
        says("message", jd_context_error(m->context)->message, path);
        assert_null(info);
        assert_null(document);
    }
    json_decref(info);
    json_decref(document);
    model_case again = {.context = m->context};
    char set[1200], here[1000];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(set, sizeof set, "start={type: restart, file: %s/%s}", here, path);
    reads(&again, longer, set);
    jd_recording *r = NULL;
    jd_status restarted = jd_recording_create(m->context, again.problem, &r);
    if (restarted == JD_OK) restarted = jd_recording_run(r);
    assert_int_equal(restarted, status);
    jd_recording_free(r);
    model_case_drop(&again);
}

static void a_byte_changed_or_lost_anywhere_is_found(void **state) {
    static unsigned char bytes[1 << 18], changed[1 << 18];
    make_run(*state);
    size_t n = load(bytes, sizeof bytes);
    expect(*state, JD_OK, "");
    for (size_t i = 0; i < 150; i++) {
        size_t at = i * 2654435761u % n; // spread over the file
        memcpy(changed, bytes, n);
        changed[at] ^= (unsigned char)(1u << i % 8);
        store(changed, n);
        expect(*state, JD_BAD_RESULT_FILE, "damaged");
        store(bytes, at);
        expect(*state, JD_BAD_RESULT_FILE, "damaged");
    }
    memcpy(changed, bytes, n);
    changed[n] = 0;
    store(changed, n + 1);
    expect(*state, JD_BAD_RESULT_FILE, "seal");
    unlink(path);
}

// The sum goes on by eight bytes: the rest of any length counts, too.
static void the_last_bytes_of_any_length_are_sealed(void **state) {
    model_case *m = *state;
    for (size_t n = 64; n < 80; n++)
        for (size_t at = n - 9; at <= n; at++) { // n: none is changed
            unsigned char bytes[80] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
            uint64_t length;
            store(bytes, n);
            int fd = open(path, O_RDWR);
            assert_true(fd >= 0 && jd_seal_put(fd) == 0);
            assert_int_equal(pwrite(fd, at < n ? "x" : "", at < n, (off_t)at), at < n);
            jd_status found = jd_seal_check(m->context, path, fd, &length);
            assert_int_equal(found, at < n ? JD_BAD_RESULT_FILE : JD_OK);
            close(fd);
        }
    unlink(path);
}

static hid_t begin_file(void) {
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
    const char *run = "run";
    int one = JD_RESULT_FORMAT;
    H5Tset_size(text, H5T_VARIABLE);
    hid_t format = H5Acreate2(file, "judder_format", H5T_STD_I64LE, space, 0, 0);
    hid_t kind = H5Acreate2(file, "kind", text, space, 0, 0);
    assert_true(H5Awrite(format, H5T_NATIVE_INT, &one) >= 0 && H5Awrite(kind, text, &run) >= 0);
    H5Aclose(format);
    H5Aclose(kind);
    H5Tclose(text);
    H5Sclose(space);
    return file;
}

// The file is closed, sealed, and what is in it refused.
static void refused(model_case *m, hid_t file, jd_status status, const char *message) {
    json_t *document = NULL;
    assert_true(H5Fclose(file) >= 0);
    seal();
    assert_int_equal(jd_hdf5_read(m->context, path, &document), status);
    assert_null(document);
    says("message", jd_context_error(m->context)->message, message);
    unlink(path);
}

static void put(hid_t file, const char *name, hid_t type, int rank, const hsize_t *size,
                hid_t plan) {
    hid_t space = H5Screate_simple(rank, size, NULL);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    assert_true(set >= 0);
    H5Dclose(set);
    H5Sclose(space);
    if (plan > 0) H5Pclose(plan);
}

static hid_t chunked(int rank) {
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk[8] = {4, 4, 4, 4, 4, 4, 4, 4};
    H5Pset_chunk(plan, rank, chunk);
    return plan;
}

// Numbers that take no room in the file would take all of the memory.
static void sizes_are_measured_by_the_length_of_the_file(void **state) {
    const hsize_t huge[] = {1ull << 40}, large[] = {20000000}, none[] = {40000000, 0};
    const hsize_t wide[] = {1ull << 32, 1ull << 32};
    hid_t file = begin_file();
    put(file, "t", H5T_IEEE_F64LE, 1, huge, chunked(1));
    refused(*state, file, JD_FILE_TOO_LARGE, "more than");
    put(file = begin_file(), "t", H5T_IEEE_F64LE, 1, large, chunked(1));
    refused(*state, file, JD_BAD_RESULT_FILE, "`/t` in it cannot be read");
    put(file = begin_file(), "t", H5T_IEEE_F64LE, 2, none, H5P_DEFAULT);
    refused(*state, file, JD_FILE_TOO_LARGE, "more than");
    put(file = begin_file(), "t", H5T_IEEE_F64LE, 2, wide, chunked(2));
    refused(*state, file, JD_FILE_TOO_LARGE, "more than");
}

static void what_lies_elsewhere_is_not_opened(void **state) {
    const hsize_t four[] = {4};
    hid_t file = begin_file(), plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Lcreate_external("/etc/passwd", "/", file, "samples", H5P_DEFAULT, H5P_DEFAULT);
    refused(*state, file, JD_BAD_RESULT_FILE, "`/samples`");
    H5Lcreate_soft("/", file = begin_file(), "samples", H5P_DEFAULT, H5P_DEFAULT);
    refused(*state, file, JD_BAD_RESULT_FILE, "`/samples`");
    H5Pset_external(plan, "/etc/passwd", 0, 32);
    put(file = begin_file(), "t", H5T_STD_I64LE, 1, four, plan);
    refused(*state, file, JD_BAD_RESULT_FILE, "`/t`");
    plan = chunked(1);
    H5Pset_shuffle(plan); // filters may come from libraries named by the environment
    put(file = begin_file(), "t", H5T_STD_I64LE, 1, four, plan);
    refused(*state, file, JD_BAD_RESULT_FILE, "`/t`");
}

static void groups_within_themselves_end(void **state) {
    hid_t file = begin_file();
    H5Lcreate_hard(file, "/", file, "again", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_hard(file, "/", file, "once_more", H5P_DEFAULT, H5P_DEFAULT);
    refused(*state, file, JD_BAD_RESULT_FILE, "/again/again");
}

static void kinds_judder_does_not_write_are_named(void **state) {
    const hsize_t two[] = {2}, many[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    hid_t file = begin_file(), pair = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(pair, "re", 0, H5T_NATIVE_DOUBLE);
    put(file, "pair", pair, 1, two, H5P_DEFAULT);
    refused(*state, file, JD_BAD_RESULT_FILE, "`/pair`");
    H5Tclose(pair);
    put(file = begin_file(), "deep", H5T_IEEE_F64LE, 9, many, H5P_DEFAULT);
    refused(*state, file, JD_BAD_RESULT_FILE, "`/deep`");
}

// Texts of a fixed width that fill it have no end of their own.
static void texts_without_an_end_are_read_to_their_width(void **state) {
    model_case *m = *state;
    const hsize_t two[] = {2};
    hid_t file = begin_file(), text = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, two, NULL);
    H5Tset_size(text, 3);
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    hid_t set = H5Dcreate2(file, "word", text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, "abcdef") >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(text);
    H5Fclose(file);
    seal();
    json_t *document = NULL;
    assert_int_equal(jd_hdf5_read(m->context, path, &document), JD_OK);
    json_t *word = json_object_get(document, "word");
    assert_string_equal(json_string_value(json_array_get(word, 0)), "abc");
    assert_string_equal(json_string_value(json_array_get(word, 1)), "def");
    json_decref(document);
    unlink(path);
}

// Where the references to texts are in the file; all but the first are of one letter.
static haddr_t put_texts(hid_t file, size_t n, size_t longest) {
    const hsize_t size[] = {n};
    static char first[4000];
    const char *all[200];
    hid_t text = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, size, NULL);
    memset(first, 'x', longest);
    first[longest] = '\0';
    for (size_t i = 0; i < n; i++) all[i] = i ? "y" : first;
    H5Tset_size(text, H5T_VARIABLE);
    hid_t set = H5Dcreate2(file, "word", text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
    haddr_t at = H5Dget_offset(set);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(text);
    return at;
}

// A reference is a length, an address and a number, 16 bytes: copied, a small file holds texts
// without bounds. Those within four times its length are read.
static void texts_that_are_shared_are_measured_by_the_length_of_the_file(void **state) {
    enum { TEXTS = 200, REFERENCE = 16 };
    model_case *m = *state;
    static unsigned char bytes[1 << 16];
    for (size_t shared = 1; shared <= TEXTS; shared += shared == 1 ? 4 : TEXTS - 5) { // 1, 5, 200
        hid_t file = begin_file();
        haddr_t at = put_texts(file, TEXTS, 3999);
        H5Fclose(file);
        size_t n = load(bytes, sizeof bytes);
        assert_true(n < sizeof bytes && at + TEXTS * REFERENCE <= n);
        for (size_t i = 1; i < shared; i++)
            memcpy(bytes + at + i * REFERENCE, bytes + at, REFERENCE);
        store(bytes, n);
        seal();
        json_t *document = NULL;
        jd_status s = jd_hdf5_read(m->context, path, &document);
        assert_int_equal(s, shared * 3999 > 4 * n ? JD_BAD_RESULT_FILE : JD_OK);
        json_t *word = json_object_get(document, "word");
        for (size_t i = 0; s == JD_OK && i < TEXTS; i++)
            assert_int_equal(strlen(json_string_value(json_array_get(word, i))),
                             i < shared ? 3999 : 1);
        json_decref(document);
    }
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(a_byte_changed_or_lost_anywhere_is_found),
        MODEL_TEST(the_last_bytes_of_any_length_are_sealed),
        MODEL_TEST(sizes_are_measured_by_the_length_of_the_file),
        MODEL_TEST(what_lies_elsewhere_is_not_opened),
        MODEL_TEST(groups_within_themselves_end),
        MODEL_TEST(kinds_judder_does_not_write_are_named),
        MODEL_TEST(texts_without_an_end_are_read_to_their_width),
        MODEL_TEST(texts_that_are_shared_are_measured_by_the_length_of_the_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
