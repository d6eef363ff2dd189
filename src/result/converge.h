// converge.h -- convergence studies as a document.
#ifndef JD_RESULT_CONVERGE_H
#define JD_RESULT_CONVERGE_H

#include "judder/converge.h"
#include "result/document.h"

// `{"kind":"convergence","measure","studies":[{"parameter","within_1_percent_from","points":
// [{"value","measure","ratio","order","events","cpu_seconds"}...]}...]}`.
json_t *jd_document_converge(const jd_problem *problem, int n, const jd_converge_def *def,
                             jd_converge_point *const *point);
// One row per run, for CSV.
json_t *jd_document_converge_rows(const json_t *document);

#endif
