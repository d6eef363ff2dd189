// content.h -- what a result of a sweep holds: the grid, and the points that are done.
#ifndef JD_RESULT_SWEEP_CONTENT_H
#define JD_RESULT_SWEEP_CONTENT_H

#include "result/result.h"

typedef struct sweep_content {
    jd_sweep_view view;
    const char *identity; // of a shard: the checksum of the whole sweep; else NULL or ""
    int n_row;            // points that are done
    const jd_sweep_point *row;
} sweep_content;

#endif
