// rehearse.c -- wrong names of a model of matrices are told before the matrices are read, let alone
// solved: the files named here do not exist, and nobody notices until all names are right.
#include "model_case.h"

#include "model/read.h"

#define START                                                                                      \
    "judder: 1\n"                                                                                  \
    "structure: {type: matrices, mass: no-M.mtx, stiffness: no-K.mtx, modes: 10,\n"                \
    "  points: {tip: {node: 3}, mid: {node: 2}}}\n"
#define CONTACTS "contacts: {c: {at: tip, against: ground, law: {type: coulomb, limit: 1}}}\n"
#define DRIVES "drives: {d: {at: mid, type: harmonic, amplitude: 1, frequency: 2}}\n"

static void wrong_names_are_told_first(void **state) {
    model_case *m = *state;
    refuses(m, START "contacts: {c: {at: tpi, against: ground, law: {type: coulomb, limit: 1}}}\n",
            NULL, JD_UNKNOWN_NAME, "m.yaml:4:20", "no point named `tpi`", "did you mean `tip`");
    refuses(m, START CONTACTS "drives: {d: {at: mdi, type: constant, value: 1}}\n", NULL,
            JD_UNKNOWN_NAME, "m.yaml:5:18", "no point named `mdi`", "mid");
    refuses(m, START CONTACTS DRIVES "output: {points: [tip, top]}\n", NULL, JD_UNKNOWN_NAME,
            "m.yaml:6:24", "no point named `top`", "tip");
    refuses(
        m,
        START CONTACTS DRIVES "sweep: {parameters: drives.d.frequency, from: 1, to: 2, points: 3, "
                              "measure: tip.force.max}\n",
        NULL, JD_UNKNOWN_NAME, "m.yaml:6:77", "`tip.force.max` is not a measure", "displacement");
    refuses(m,
            START CONTACTS DRIVES
            "follow: {parameter: drives.d.frequency, from: 1, to: 2, measure: tip.force.max}\n",
            NULL, JD_UNKNOWN_NAME, "m.yaml:6:66", "not a measure", "displacement");
    refuses(m,
            "judder: 1\nstructure: {type: matrices, mass: no-M.mtx, stiffness: no-K.mtx, "
            "points: {tip: {node: 3}}, interface: [tipp]}\n",
            NULL, JD_UNKNOWN_NAME, "m.yaml:2:103", "`interface` names `tipp`", "");
    refuses(
        m,
        START CONTACTS
        "drives: {d: {at: mid, type: harmonic, amplitude: 1, frequency: {times: 1, mode: 3}}}\n",
        NULL, JD_CANNOT_READ, "m.yaml:2:56", "no-K.mtx", "");
}

// What only an engine refuses is told first to those who want a motion, and not at all to others.
static void engines_are_asked_first_where_one_must_compute(void **state) {
    model_case *m = *state;
    static char text[20000];
    int n = snprintf(text, sizeof text, "%scontacts:\n", START);
    for (int i = 0; i < 65; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  c%d: {at: tip, against: ground, law: {type: coulomb, limit: 1}}\n", i);
    snprintf(text + n, sizeof text - (size_t)n, "simulate: {engine: exact, until: 1}\n");
    refuses(m, text, NULL, JD_CANNOT_READ, "m.yaml:2:56", "no-K.mtx", "");
    jd_model_text_def def = {.text = text, .size = strlen(text), .to_run = true};
    assert_int_equal(jd_model_make(m->context, "m.yaml", "", &def, true, &m->problem),
                     JD_NOT_SUPPORTED);
    says("message", jd_context_error(m->context)->message, "more than 64 contacts");
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(wrong_names_are_told_first),
                                       MODEL_TEST(engines_are_asked_first_where_one_must_compute)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
