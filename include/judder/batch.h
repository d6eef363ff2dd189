// batch.h -- many variants of one model: each case is a run, whatever becomes of the others.
//   Cases stand in a table: a row each, a column for each value of the model that is changed.
#ifndef JUDDER_BATCH_H
#define JUDDER_BATCH_H

#include "judder/model.h"
#include "judder/run.h"

#ifdef __cplusplus
extern "C" {
#endif

// The cases of a batch.
typedef struct jd_batch_def {
    int n, n_parameter;           // cases, and values that are changed in each
    const char *const *parameter; // problem paths
    // n x n_parameter texts, row by row: a number, in SI or the model's own units; "" for a value
    // as the model has it; anything else ("3 kN", "{type: coulomb, limit: 2 N}") changes the text
    // of the model, which is then read again.
    const char *const *value;
    int threads; // 0 (default): as many as there are processors; results do not depend on it;
                 // negative ones are refused
} jd_batch_def;

// A table of cases that was read.
typedef struct jd_batch_table jd_batch_table;
// Reads comma-separated values: a line of paths, then a line for each case. Texts with commas stand
// in double quotes, a quote in them is doubled; # begins a comment where a line begins.
jd_status jd_batch_read(jd_context *context, const char *file, jd_batch_table **out);
// NULL is allowed.
void jd_batch_free(jd_batch_table *table);
// The cases; they belong to the table and live as long.
const jd_batch_def *jd_batch_look(const jd_batch_table *table);

// ---- What became of them (jd_batch_result in result.h).

// One case of a batch.
typedef struct jd_batch_case {
    bool done;           // false: the batch was stopped before
    jd_status status;    // JD_OK: it ran
    const char *message; // why it did not; "": it did
    jd_stop stop;        // why the run ended
    double t_end;        // [s]
    long events, undecided;
    bool certified;
    double residual; // of the energies, over the work done; NaN: not known
} jd_batch_case;
// A column of the table of cases.
typedef struct jd_batch_column {
    const char *name; // path
    int n;
    const char *const *value; // of each case, as it was given
} jd_batch_column;

#ifdef __cplusplus
}
#endif

#endif
