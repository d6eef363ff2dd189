// reduce.c -- writes the file of a reduced model.
#include "model/read.h"
#include "result/file/file.h"

jd_status jd_model_reduce(jd_context *context, const jd_reduce_def *def, int *modes) {
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    const char *text = NULL;
    int count = 0;
    jd_file file;
    jd_status status = jd_model_reduced(arena, def, &text, &count);
    if (status == JD_OK) status = jd_file_open(context, def->output, &file);
    if (status == JD_OK) {
        fputs(text, file.stream); // its failure stays in the stream: commit reports it
        status = jd_file_commit(&file);
    }
    if (modes) *modes = count;
    jd_arena_free(arena);
    return status;
}
