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

// Text of the file the problem was read from, for result files; "" when made in C.
const char *jd_model_text(const jd_problem *problem);

// What the model is and what will be done with it, in plain words. `size` bytes at `text`, always
// ended; returns the length it would have had.
size_t jd_model_explain(jd_problem *problem, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
