// content.h -- what a result of a sweep holds: the grid, and the points that are done.
#ifndef JD_RESULT_SWEEP_CONTENT_H
#define JD_RESULT_SWEEP_CONTENT_H

#include "result/result.h"

typedef struct sweep_content {
    jd_sweep_view view;
    const char *identity; // of a shard: the checksum of the whole sweep; else NULL or ""
    int n_drawn;          // draws there are values of: count[0], else a file is damaged
    int n_row;            // points that are done
    const jd_sweep_point *row;
} sweep_content;

// sample.c: numbers that are drawn (of a view), and lists of a view.
extern const jd_record jd_record_sample, jd_record_statistics, jd_record_sequence;
// What was read of a sample against its grid.
jd_status jd_sweep_check_sample(jd_context *context, const sweep_content *c);

// statistics.c: of a sample what its points have in common; over numbers of the start, which
// motions are one. Into the view, whose points become copies where numbers are put into them.
jd_status jd_sweep_summary(jd_arena *arena, jd_sweep_view *view);

#endif
