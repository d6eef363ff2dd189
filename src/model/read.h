// read.h -- reading a model with or without building it.
#ifndef JD_MODEL_READ_H
#define JD_MODEL_READ_H

#include "judder/model.h"
#include "model/bind.h"

typedef struct jd_model_text_def {
    const char *text;
    size_t size;
    int n_set;
    const char *const *set; // "path=value"
    int n_array;
    const jd_model_array *array; // what "@name" stands for
    bool to_run;                 // an engine must be able to compute it
    const jd_problem *like;      // bodies of its names have its structures; NULL: none. The caller
                                 // knows that their sections are the same
} jd_model_text_def;

// As jd_model_parse; without `with_build` nothing is computed and no matrix is read.
jd_status jd_model_make(jd_context *context, const char *name, const char *folder,
                        const jd_model_text_def *text, bool with_build, jd_problem **out);
// As jd_model_read; an engine must be able to compute the model, which is found out before modes of
// matrices are computed.
jd_status jd_model_read_to_run(jd_context *context, const char *file, int n_set,
                               const char *const *set, jd_problem **out);

// The text that jd_model_reduce writes, in the arena; `modes` as there.
jd_status jd_model_reduced(jd_arena *arena, const jd_reduce_def *def, const char **text,
                           int *modes);
// "models/beam.yaml" -> "models"; "/beam.yaml" -> "/"; "beam.yaml" -> ""
char *jd_model_folder(jd_arena *arena, const char *file);

#endif
