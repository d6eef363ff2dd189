// keep.h -- what a result in memory keeps of the way of a run.
#ifndef JD_RESULT_RUN_KEEP_H
#define JD_RESULT_RUN_KEEP_H

#include "result/run/run.h"

// Columns that grow row by row.
typedef struct jd_growing {
    jd_columns head; // names, widths, rows so far
    double **value;  // n_column
    int room;        // rows
} jd_growing;

typedef struct jd_kept {
    jd_arena *arena;
    jd_recording *recording;
    jd_keep keep;
    jd_event *event;
    int n_event, event_room;
    jd_growing samples, energies, field;
    const double **cell; // scratch: cells of one row of the field
    bool full;           // samples were left out
} jd_kept;

// Adds a sink to the recording; memory of the arena.
jd_status jd_kept_begin(jd_recording *recording, jd_arena *arena, jd_keep keep, jd_kept **out);
// What was kept, of so many events there were.
jd_status jd_kept_end(const jd_kept *kept, long events, jd_run_lists *out);

#endif
