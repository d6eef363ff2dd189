// follow_result.h -- a branch of orbits as a document.
#ifndef JD_RESULT_FOLLOW_RESULT_H
#define JD_RESULT_FOLLOW_RESULT_H

#include "judder/follow.h"
#include "result/document.h"

// `{"kind":"follow","title","units","parameter","measure","from","to","branch":[...],
// "special":[...],"end":{...}}`. The caller owns *out (json_decref).
jd_status jd_document_follow(jd_context *context, const jd_problem *problem,
                             const jd_follow_view *view, json_t **out);
// The branch as flat rows for CSV.
json_t *jd_document_follow_rows(const json_t *document);

#endif
