// sweep.h -- a sweep as a document.
#ifndef JD_RESULT_SWEEP_H
#define JD_RESULT_SWEEP_H

#include "judder/sweep.h"
#include "result/document.h"

// `{"kind":"sweep","parameters":[...],"points":[{...values...,"amplitude","phases",...}...]}` with
// the points done. The caller owns *out (json_decref).
jd_status jd_document_sweep(jd_context *context, const jd_problem *problem, const jd_sweep *sweep,
                            json_t **out);
// The points without their samples, for CSV.
json_t *jd_document_sweep_rows(const json_t *document);

#endif
