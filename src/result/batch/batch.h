// batch.h -- what the threads of a batch share.
#ifndef JD_RESULT_BATCH_H
#define JD_RESULT_BATCH_H

#include "result/result.h"

enum { JD_BATCH_NUMBERS = 8 }; // columns of each contact

struct jd_batch_work {
    jd_context *context; // of the caller
    const jd_model_def *model;
    const jd_batch_def *cases;
    jd_problem *problem; // of the model as it is
    jd_result *result;   // NULL: handed over
    jd_arena *arena;     // of the result; guarded
    jd_batch_case *item;
    double **column; // of contacts
    int n_column;
};

#endif
