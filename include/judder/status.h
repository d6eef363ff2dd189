// status.h -- every way a call can fail, in one list.
//   X(symbol, name, exit code of the command, text)
//   The name is what `--json` prints and what docs/guide/troubleshooting.md is sorted by.
//   Numerical outcomes (chatter, undecided grazing, event budget) are stop reasons, not errors.
#ifndef JUDDER_STATUS_H
#define JUDDER_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define JD_STATUS_LIST(X)                                                                          \
    X(JD_OK, "ok", 0, "no error")                                                                  \
    X(JD_OUT_OF_MEMORY, "out-of-memory", 3, "not enough memory")                                   \
    X(JD_BAD_ARGUMENT, "bad-argument", 2, "a function was called with an argument it cannot take") \
    X(JD_BAD_USAGE, "bad-usage", 2, "the command line is not understood")                          \
    X(JD_CANNOT_READ, "cannot-read", 3, "a file cannot be read")                                   \
    X(JD_CANNOT_WRITE, "cannot-write", 3, "a file cannot be written")                              \
    X(JD_FILE_TOO_LARGE, "file-too-large", 2, "a file is larger than Judder reads")                \
    X(JD_EMPTY_FILE, "empty-file", 2, "a file is empty")                                           \
    X(JD_BROKEN_YAML, "broken-yaml", 2, "the model file is not valid YAML")                        \
    X(JD_WRONG_VERSION, "wrong-version", 2, "the file is of another version")                      \
    X(JD_UNKNOWN_KEY, "unknown-key", 2, "a key is not known here")                                 \
    X(JD_MISSING_KEY, "missing-key", 2, "a key that is needed is missing")                         \
    X(JD_DUPLICATE_NAME, "duplicate-name", 2, "a name is used twice")                              \
    X(JD_UNKNOWN_NAME, "unknown-name", 2, "a name does not exist in the model")                    \
    X(JD_WRONG_TYPE, "wrong-type", 2, "a value is of the wrong kind")                              \
    X(JD_WRONG_UNIT, "wrong-unit", 2, "a unit has the wrong dimension or is not known")            \
    X(JD_MIXED_UNITS, "mixed-units", 2, "some numbers carry units and some do not")                \
    X(JD_OUT_OF_RANGE, "out-of-range", 2, "a value is outside the range allowed")                  \
    X(JD_OUTSIDE_STRUCTURE, "outside-structure", 2, "a position is not on the structure")          \
    X(JD_BROKEN_MATRIX, "broken-matrix", 2, "a matrix file cannot be understood")                  \
    X(JD_BROKEN_TABLE, "broken-table", 2, "a file of numbers in columns cannot be understood")     \
    X(JD_SIZE_MISMATCH, "size-mismatch", 2, "sizes that must agree do not")                        \
    X(JD_NOT_SYMMETRIC, "not-symmetric", 2, "a matrix that must be symmetric is not")              \
    X(JD_NOT_DEFINITE, "not-definite", 2, "a matrix that must be positive is not")                 \
    X(JD_NOT_SUPPORTED, "not-supported", 2, "this combination cannot be computed")                 \
    X(JD_BAD_RESULT_FILE, "bad-result-file", 2, "not a result file of Judder, or damaged")         \
    X(JD_CANNOT_LOAD, "cannot-load", 3, "a library that is loaded when needed is not there")       \
    X(JD_NO_GNUPLOT, "no-gnuplot", 3, "gnuplot, which draws the pictures, cannot be started")      \
    X(JD_PICTURE_FAILED, "picture-failed", 3, "gnuplot could not draw a picture")                  \
    X(JD_NO_CONVERGENCE, "no-convergence", 1, "an iteration did not converge")                     \
    X(JD_INTERNAL, "internal", 1, "a check inside Judder failed; please report it")

// The first entry of a row of such a list, for an enum of all of them.
#define JD_SYMBOL(symbol, ...) symbol,

// The ways of that list.
typedef enum jd_status { JD_STATUS_LIST(JD_SYMBOL) JD_STATUS_COUNT } jd_status;

// Name such as "unknown-key"; "unknown" for a number that is no status.
const char *jd_status_name(jd_status status);
// One sentence that says what the status means.
const char *jd_status_text(jd_status status);
// Exit code the command gives for it: 0 done, 1 numerical, 2 bad input, 3 cannot read or write.
int jd_status_exit_code(jd_status status);

#ifdef __cplusplus
}
#endif

#endif
