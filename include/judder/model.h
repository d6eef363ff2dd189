// model.h -- model file -> problem.
#ifndef JUDDER_MODEL_H
#define JUDDER_MODEL_H

#include "judder/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// Reads a YAML model file and builds the problem (jd_problem_build), so that whatever is wrong with
// it is told with its place. `set` holds n_set texts "path=value" applied before reading; the value
// is YAML, and a bare number keeps the unit written in the file. On failure *out is NULL and the
// context says file:line:column, the offending text, what was expected and the nearest key.
jd_status jd_model_read(jd_context *context, const char *file, int n_set, const char *const *set,
                        jd_problem **out);
// The same from memory; `name` stands for the file in messages, relative paths start at `folder`.
jd_status jd_model_parse(jd_context *context, const char *name, const char *folder,
                         const char *text, size_t size, int n_set, const char *const *set,
                         jd_problem **out);

// Numbers of the caller that a model text names as "@name" where a matrix or a list of numbers
// stands. Lists are in SI, or in the model's own units, and are copied; a matrix is copied unless
// it is borrowed.
typedef struct jd_model_array {
    const char *name;        // without the @
    const jd_matrix *matrix; // NULL: a list of numbers
    jd_reals reals;
} jd_model_array;

// A model in memory: its text, changes, and numbers that the text names.
typedef struct jd_model_def {
    const char *name;   // stands for the file in messages
    const char *folder; // relative paths start here; NULL: at the working folder
    const char *text;
    size_t size;
    int n_set; // "path=value", applied before reading
    const char *const *set;
    int n_array;
    const jd_model_array *array;
} jd_model_def;
// As jd_model_parse, with numbers in memory.
jd_status jd_model_create(jd_context *context, const jd_model_def *def, jd_problem **out);
// The text of the model with its changes made, as YAML without comments: `room` bytes at `out`,
// always ended; *length is the length it would have had. Nothing is checked but the YAML and the
// paths of the changes.
jd_status jd_model_change(jd_context *context, const jd_model_def *def, size_t room, char *out,
                          size_t *length);

// A model with few modes in place of its structures.
typedef struct jd_reduce_def {
    const char *file; // the model
    int n_set;        // "path=value", applied before reading
    const char *const *set;
    int modes;             // kept of every structure that has the key; 0: as the model says
    const char *reduction; // of every structure `matrices`; NULL: as the model says
    const char *output;    // the file to be written; it is replaced
} jd_reduce_def;
// Writes the model with every structure replaced by one of type `modes`: frequencies, damping and
// the shapes at its points, static shapes included. It moves as the model itself, up to the
// rounding of 17 digits; what needs more than modes is refused (infinitely many of them, spans,
// starts from values of dofs). *modes (may be NULL) is how many modes and static shapes it has.
jd_status jd_model_reduce(jd_context *context, const jd_reduce_def *def, int *modes);

// Text of the file the problem was read from, for result files; "" when made in C.
const char *jd_model_text(const jd_problem *problem);

// What the model is and what will be done with it, in plain words. `size` bytes at `text`, always
// ended; returns the length it would have had.
size_t jd_model_explain(jd_problem *problem, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
