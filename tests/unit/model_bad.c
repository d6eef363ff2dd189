// model_bad.c -- one test per kind of bad model: status, place, quoted text, hint.
#include <unistd.h>

#include "model_case.h"

#define HEAD "judder: 1\n"
#define BODY "type: fe-beam\n  bending_stiffness: 1 N m^2\n  mass_per_length: 1 kg/m\n"
#define BEAM HEAD "structure:\n  " BODY "  points: {tip: 1 m}\n" // line 6 ends it
#define GOOD BEAM "  length: 2 m\n  elements: 3\n"               // 7 and 8
#define BARE                                                                                       \
    HEAD "structure: {type: fe-beam, length: 1, bending_stiffness: 1, mass_per_length: 1, "        \
         "elements: 2, points: {tip: 1}}\n"

static void the_base_of_these_tests_is_right(void **state) {
    reads(*state, GOOD, NULL);
    reads(*state, BARE, NULL);
}

static void file_is_refused(model_case *m, const char *file, jd_status status, const char *text) {
    assert_int_equal(jd_model_read(m->context, file, 0, NULL, &m->problem), status);
    assert_null(m->problem);
    assert_string_equal(jd_context_error(m->context)->where, file);
    says("message", jd_context_error(m->context)->message, text);
}

static void a_missing_file(void **state) {
    file_is_refused(*state, "none.yaml", JD_CANNOT_READ, "`none.yaml`: there is no such file");
    says("hint", jd_context_error(((model_case *)*state)->context)->hint, "folder");
}

static void a_directory(void **state) {
    file_is_refused(*state, ".", JD_CANNOT_READ, "`.`: it is a directory");
}

static void a_hundred_megabytes(void **state) {
    char name[] = "model_bad_XXXXXX";
    int fd = mkstemp(name);
    assert_int_equal(ftruncate(fd, 100 << 20), 0);
    close(fd);
    file_is_refused(*state, name, JD_FILE_TOO_LARGE, "more than 16 MiB");
    unlink(name);
}

static void junk_below_the_limit(void **state) {
    model_case *m = *state;
    size_t n = 1 << 20;
    char *junk = malloc(n);
    unsigned seed = 1;
    for (size_t i = 0; i < n; i++) junk[i] = (char)((seed = seed * 1664525u + 1013904223u) >> 24);
    assert_int_equal(jd_model_parse(m->context, "junk", "", junk, n, 0, NULL, &m->problem),
                     JD_BROKEN_YAML);
    for (size_t i = 0; i < n; i++) junk[i] = 'x';
    assert_int_equal(jd_model_parse(m->context, "junk", "", junk, n, 0, NULL, &m->problem),
                     JD_WRONG_TYPE);
    says("message", jd_context_error(m->context)->message, "expected the keys of a model");
    free(junk);
}

// Words that are nearly right are guessed at, each at its place.
static void words_nearly_right(void **state) {
#define SHAKEN(damping, simulate)                                                                  \
    HEAD "structure: {type: chain, count: 2, mass: 1, stiffness: 1, points: {a: {node: 1}},\n"     \
         "  damping: " damping "}\n"                                                               \
         "drives: {f: {at: a, type: harmonic, amplitude: 1, frequency: 1}}\n"                      \
         "simulate: {" simulate "}\n"
    refuses(*state, SHAKEN("none", "engine: exakt, until: 1"), NULL, JD_UNKNOWN_NAME, "m.yaml:5:20",
            "there is no engine `exakt`", "did you mean `exact`?");
    refuses(*state, SHAKEN("none", "engine: seris, until: 1"), NULL, JD_UNKNOWN_NAME, "m.yaml:5:20",
            "there is no engine `seris`", "did you mean `series`?");
    refuses(*state, SHAKEN("none", "engine: quantum, until: 1"), NULL, JD_UNKNOWN_NAME,
            "m.yaml:5:20", "there is no engine `quantum`", "judder list engines");
    refuses(*state, SHAKEN("none", "until: 10 perods"), NULL, JD_WRONG_UNIT, "m.yaml:5:19",
            "the unit `perods` is not known; expected s or periods", "did you mean `periods`");
    refuses(*state, SHAKEN("none", "until: 10 furlongs"), NULL, JD_WRONG_UNIT, "m.yaml:5:19",
            "expected s", "");
    refuses(*state, SHAKEN("{type: ratio, value: [0.1, 0.2, 0.3]}", "until: 1"), NULL,
            JD_SIZE_MISMATCH, "m.yaml:3:12", "`damping` gives 3 ratios for 2 modes", "");
}

static void an_empty_file(void **state) {
    refuses(*state, "", NULL, JD_EMPTY_FILE, "m.yaml:1:1", "`m.yaml` is empty", "judder new");
    refuses(*state, "# c\n", NULL, JD_EMPTY_FILE, "m.yaml:1:1", "empty", "judder new");
}

static void broken_yaml(void **state) {
    refuses(*state, HEAD "structure: {type: chain\n", NULL, JD_BROKEN_YAML, "m.yaml:3:1",
            "expected ',' or '}'", "not closed");
}

static void a_wrong_version(void **state) {
    refuses(*state, "judder: 2\n", NULL, JD_WRONG_VERSION, "m.yaml:1:9", "version `2`",
            "judder: 1");
    refuses(*state, "title: x\n", NULL, JD_WRONG_VERSION, "m.yaml:1:1", "which version",
            "`judder: 1`");
    refuses(*state, "title: x\njudder: 1\n", NULL, JD_WRONG_VERSION, "m.yaml:2:1",
            "not the first key", "first line");
    refuses(*state, "judder: [1]\n", NULL, JD_WRONG_VERSION, "m.yaml:1:9", "a list of 1", "reads");
}

static void an_unknown_key_with_the_nearest(void **state) {
    refuses(*state, BEAM "  lenght: 2 m\n", NULL, JD_UNKNOWN_KEY, "m.yaml:7:3",
            "unknown key `lenght` in `structure` (fe-beam)", "did you mean `length`?");
    refuses(*state, GOOD "contcats: {}\n", NULL, JD_UNKNOWN_KEY, "m.yaml:9:1",
            "`contcats` in the model", "`contacts`");
    refuses(*state, GOOD "  damping: {type: rayleigh, zzz: 1}\n", NULL, JD_UNKNOWN_KEY,
            "m.yaml:9:29", "`zzz` in `damping` (rayleigh)", "`type`, `mass`, `stiffness`");
    refuses(*state, GOOD "  supports: {lft: free}\n", NULL, JD_UNKNOWN_KEY, "m.yaml:9:14", "`lft`",
            "`left`");
    refuses(*state, GOOD "contacts: {a: {at: {bdy: x, point: tip}, law: coulomb}}\n", NULL,
            JD_UNKNOWN_KEY, "m.yaml:9:21", "`bdy` in a place", "`body`");
    refuses(*state, GOOD "contacts: {a: {at: tip, against: {velocty: 1 m/s}, law: coulomb}}\n",
            NULL, JD_UNKNOWN_KEY, "m.yaml:9:35", "`velocty`", "`velocity`");
}

static void a_missing_key(void **state) {
    refuses(*state, BEAM "  elements: 3\n", NULL, JD_MISSING_KEY, "m.yaml:2:1",
            "`length` is missing in `structure` (fe-beam)", "in m");
    refuses(*state, HEAD "title: x\n", NULL, JD_MISSING_KEY, "m.yaml:1:1", "no `structure`",
            "judder list");
    refuses(*state, HEAD "structure: {length: 1}\n", NULL, JD_MISSING_KEY, "m.yaml:2:1",
            "`type` is missing", "`fe-beam`");
    refuses(*state, GOOD "contacts:\n  a: {at: tip, law: coulomb}\n", NULL, JD_MISSING_KEY,
            "m.yaml:10:16", "`limit` is missing in `law` (coulomb)", "N or N/m");
    refuses(*state, GOOD "contacts:\n  a: {at: tip}\n", NULL, JD_MISSING_KEY, "m.yaml:10:3",
            "`law` is missing in `a` (contact)", "contact law");
    refuses(*state, GOOD "drives: {f: {at: tip, type: harmonic, amplitude: 1 N, frequency: {}}}\n",
            NULL, JD_MISSING_KEY, "m.yaml:9:66", "`mode` is missing in `frequency`", "times");
}

static void a_wrong_type(void **state) {
    refuses(*state, BEAM "  length: long\n", NULL, JD_WRONG_TYPE, "m.yaml:7:11",
            "expected a number in m for `length`, found `long`", "`length`");
    refuses(*state, BEAM "  length: [1 m]\n", NULL, JD_WRONG_TYPE, "m.yaml:7:11", "a list of 1",
            "`length`");
    refuses(*state, BEAM "  length: '2 m'\n", NULL, JD_WRONG_TYPE, "m.yaml:7:11",
            "found `2 m` in quotes", "quotes");
    refuses(*state, BEAM "  length:\n", NULL, JD_WRONG_TYPE, "m.yaml:7:10", "found nothing",
            "after the colon");
    refuses(*state, HEAD "structure: [a]\n", NULL, JD_WRONG_TYPE, "m.yaml:2:12",
            "expected a map with `type` for `structure`, found a list of 1", "");
    refuses(*state, GOOD "  supports: free\n", NULL, JD_WRONG_TYPE, "m.yaml:9:13",
            "expected a map of keys (left", "");
    refuses(*state, GOOD "contacts: tip\n", NULL, JD_WRONG_TYPE, "m.yaml:9:11",
            "expected a map of names for `contacts`, found `tip`", "");
    refuses(*state, GOOD "title: {a: 1}\n", NULL, JD_WRONG_TYPE, "m.yaml:9:8",
            "expected a text for `title`, found a map with the key `a`", "");
    refuses(*state, GOOD "contacts: {a: {at: 0.5 m, law: coulomb}}\n", NULL, JD_WRONG_TYPE,
            "m.yaml:9:20", "expected the name of a point for `at`, found `0.5 m`", "points");
    refuses(*state, GOOD "contacts: {a.b: {at: tip, law: coulomb}}\n", NULL, JD_WRONG_TYPE,
            "m.yaml:9:12", "`a.b` cannot be a name", "paths");
    refuses(*state, "just text\n", NULL, JD_WRONG_TYPE, "m.yaml:1:1", "found `just text`",
            "judder: 1");
}

static void an_unknown_type(void **state) {
    refuses(*state, HEAD "structure: {type: fe-bean}\n", NULL, JD_UNKNOWN_NAME, "m.yaml:2:19",
            "unknown type `fe-bean` for `structure`", "did you mean `fe-beam`?");
    refuses(*state, GOOD "contacts: {a: {at: tip, law: sticky}}\n", NULL, JD_UNKNOWN_NAME,
            "m.yaml:9:30", "unknown type `sticky` for `law`", "`coulomb`");
    refuses(*state, GOOD "  supports: {left: clampd}\n", NULL, JD_UNKNOWN_NAME, "m.yaml:9:20",
            "`left` cannot be `clampd`", "`clamped`");
}

static void a_wrong_unit(void **state) {
    refuses(*state, BEAM "  length: 2 kg\n", NULL, JD_WRONG_UNIT, "m.yaml:7:11",
            "`length` is `2 kg`: the unit `kg` has the wrong dimension; expected m", "");
    refuses(*state, BEAM "  length: 2 metr\n", NULL, JD_WRONG_UNIT, "m.yaml:7:11",
            "`metr` is not known", "kN/m");
    refuses(*state, BEAM "  length: 2 periods\n", NULL, JD_WRONG_UNIT, "m.yaml:7:11", "periods",
            "durations only");
    refuses(*state, GOOD "contacts: {a: {at: tip, law: {type: coulomb, limit: 1 N/m}}}\n", NULL,
            JD_WRONG_UNIT, "m.yaml:9:53", "`limit` in `1 N/m` must be like N", "on a span");
    refuses(*state, GOOD "drives: {f: {at: tip, type: constant, value: 9.81 m/s^2}}\n", NULL,
            JD_WRONG_UNIT, "m.yaml:9:46", "`value` in `9.81 m/s^2` must be like N", "of: base");
    refuses(*state, BEAM "  length: 2 m\n  elements: 3 m\n", NULL, JD_WRONG_UNIT, "m.yaml:8:13",
            "expected no unit", "");
}

static void mixed_units(void **state) {
    refuses(*state, BEAM "  length: 2\n  elements: 3\n", NULL, JD_MIXED_UNITS, "m.yaml:7:11",
            "`length` is `2`, without a unit, but `1 N m^2` at m.yaml:4:22 has one", "here m");
    refuses(*state, BARE, "structure.length=2 m", JD_MIXED_UNITS, "--set structure.length=2 m",
            "`length` is `2 m`, with a unit, but `1` at m.yaml:2:58 has none", "none at all");
}

static void zero_and_pure_numbers_need_no_unit(void **state) {
    reads(*state, GOOD "  damping: {type: ratio, value: 0.1}\n", "structure.points.left=0");
}

static void numbers_that_are_none(void **state) {
    refuses(*state, BEAM "  length: .nan\n", NULL, JD_OUT_OF_RANGE, "m.yaml:7:11",
            "`.nan` is not a finite number; expected a number in m for `length`", "");
    refuses(*state, BEAM "  length: inf\n", NULL, JD_OUT_OF_RANGE, "m.yaml:7:11", "`inf`", "");
    refuses(*state, BEAM "  length: 1e999 m\n", NULL, JD_OUT_OF_RANGE, "m.yaml:7:11",
            "`1e999 m` is not a finite number", "1.8e308");
    refuses(*state, BEAM "  length: 1_000 m\n", NULL, JD_WRONG_TYPE, "m.yaml:7:11", "`1_000 m`",
            "without `_`");
    refuses(*state, BEAM "  length: 0x1F\n", NULL, JD_WRONG_TYPE, "m.yaml:7:11", "`0x1F`",
            "decimal");
    refuses(*state, BEAM "  length: 2,5 m\n", NULL, JD_WRONG_TYPE, "m.yaml:7:11", "`2,5 m`",
            "point");
}

static void values_out_of_range(void **state) {
    refuses(*state, BEAM "  length: -2 m\n", NULL, JD_OUT_OF_RANGE, "m.yaml:7:11",
            "`length` is -2, but must be above 0", "found `-2 m`");
    refuses(*state, GOOD, "structure.elements=0", JD_OUT_OF_RANGE, "--set structure.elements=0",
            "`elements` is 0, but must be a whole number", "");
    refuses(*state, GOOD, "structure.elements=2.5", JD_OUT_OF_RANGE, "--set structure.elements=2.5",
            "`elements` is 2.5, but must be a whole number", "");
    refuses(*state, GOOD, "structure.elements=1000000000", JD_OUT_OF_RANGE,
            "--set structure.elements=1000000000", "`elements` is 1000000000", "");
    refuses(*state, GOOD "contacts: {a: {at: {span: [2 m, 1 m]}, law: coulomb}}\n", NULL,
            JD_OUT_OF_RANGE, "m.yaml:9:27", "[2 m, 1 m] does not run from left to right", "25 m");
}

static void a_position_outside_the_structure(void **state) {
    refuses(*state, GOOD, "structure.points.tip=2.5 m", JD_OUTSIDE_STRUCTURE,
            "--set structure.points.tip=2.5 m", "`tip` is at 2.5", "");
    refuses(*state,
            HEAD "structure: {type: fe-beam, length: 1, bending_stiffness: 1, mass_per_length: 1, "
                 "elements: 2,\n  points: {a: 0.5,\n    far: 1.5}}\n",
            NULL, JD_OUTSIDE_STRUCTURE, "m.yaml:4:10", "`far` is at 1.5", "");
}

static void an_unknown_point_or_node(void **state) {
    refuses(*state, GOOD "contacts:\n  a: {at: tpi, law: {type: coulomb, limit: 1 N}}\n", NULL,
            JD_UNKNOWN_NAME, "m.yaml:10:11", "`tpi`", "did you mean `tip`?");
    refuses(*state, GOOD "drives:\n  f: {at: pile.tip, type: constant, value: 1 N}\n", NULL,
            JD_UNKNOWN_NAME, "m.yaml:10:11", "`pile`", "");
    model_case *m = *state;
    jd_status status = model_parse(m,
                                   HEAD "structure: {type: chain, count: 3, mass: 1, stiffness: 1, "
                                        "points: {e: {node: 4}}}\n",
                                   NULL);
    assert_int_not_equal(status, JD_OK);
    says("message", jd_context_error(m->context)->message, "4");
}

static void doubled_names(void **state) {
    refuses(*state, GOOD "contacts:\n  a: 1\n  a: 2\n", NULL, JD_DUPLICATE_NAME, "m.yaml:11:3",
            "`a` is given twice, first in line 10 column 3", "");
    refuses(*state, GOOD "bodies: {a: {type: chain}}\n", NULL, JD_DUPLICATE_NAME, "m.yaml:9:9",
            "not both", "");
}

static void paths_to_follow_must_exist(void **state) {
    refuses(*state, GOOD "follow: {parameter: structure.lenght, from: 1 m, to: 2 m}\n", NULL,
            JD_UNKNOWN_KEY, "m.yaml:9:21", "`structure.lenght`", "`structure.length`");
    refuses(*state, GOOD "follow: {parameter: structure.length, from: 1 kg, to: 2 m}\n", NULL,
            JD_WRONG_UNIT, "m.yaml:9:45", "`from` is `1 kg`", "");
}

static void a_matrix_file_that_is_not_there(void **state) {
    refuses(*state, HEAD "structure:\n  type: matrices\n  mass: none.mtx\n  stiffness: k.mtx\n",
            NULL, JD_CANNOT_READ, "m.yaml:5:14", "/k.mtx", "");
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// Errors inside a matrix file are placed there; the file is found beside the model.
static void a_matrix_that_is_not_symmetric(void **state) {
    model_case *m = *state;
    char folder[] = "model_bad_XXXXXX";
    assert_non_null(mkdtemp(folder));
    char model[100], mass[100];
    snprintf(model, sizeof model, "%s/m.yaml", folder);
    snprintf(mass, sizeof mass, "%s/a.mtx", folder);
    write_file(mass, "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 2\n2 1 -1\n"
                     "1 2 -1.5\n2 2 2\n");
    write_file(model, HEAD "structure: {type: matrices, mass: a.mtx, stiffness: a.mtx}\n");
    jd_status status = jd_model_read(m->context, model, 0, NULL, &m->problem);
    unlink(mass);
    unlink(model);
    rmdir(folder);
    assert_int_equal(status, JD_NOT_SYMMETRIC);
    says("place", jd_context_error(m->context)->where, mass);
    says("message", jd_context_error(m->context)->message, "-1.5");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(the_base_of_these_tests_is_right),
        MODEL_TEST(a_missing_file),
        MODEL_TEST(a_directory),
        MODEL_TEST(a_hundred_megabytes),
        MODEL_TEST(junk_below_the_limit),
        MODEL_TEST(words_nearly_right),
        MODEL_TEST(an_empty_file),
        MODEL_TEST(broken_yaml),
        MODEL_TEST(a_wrong_version),
        MODEL_TEST(an_unknown_key_with_the_nearest),
        MODEL_TEST(a_missing_key),
        MODEL_TEST(a_wrong_type),
        MODEL_TEST(an_unknown_type),
        MODEL_TEST(a_wrong_unit),
        MODEL_TEST(mixed_units),
        MODEL_TEST(zero_and_pure_numbers_need_no_unit),
        MODEL_TEST(numbers_that_are_none),
        MODEL_TEST(values_out_of_range),
        MODEL_TEST(a_position_outside_the_structure),
        MODEL_TEST(an_unknown_point_or_node),
        MODEL_TEST(doubled_names),
        MODEL_TEST(paths_to_follow_must_exist),
        MODEL_TEST(a_matrix_file_that_is_not_there),
        MODEL_TEST(a_matrix_that_is_not_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
