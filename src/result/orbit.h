// orbit.h -- a periodic orbit, and the attractors of a problem, as documents.
#ifndef JD_RESULT_ORBIT_H
#define JD_RESULT_ORBIT_H

#include "judder/orbit.h"
#include "result/document.h"

// `{"kind":"orbit","found","period","phases","events","multipliers",...}`. With samples of one
// period when `orbit` is not NULL: jd_document_orbit_rows turns them into rows for CSV.
jd_status jd_document_orbit(jd_context *context, const jd_problem *problem,
                            const jd_orbit_view *view, const jd_orbit *orbit, json_t **out);
json_t *jd_document_orbit_rows(const json_t *document);
// `{"kind":"attractors","starts","seed","lost","attractors":[{"starts","share","mirror_of",...an
// orbit...}]}`.
jd_status jd_document_attractors(jd_context *context, const jd_problem *problem,
                                 const jd_attractors *attractors, int starts, uint64_t seed,
                                 json_t **out);

#endif
