// nsm.h -- nonsmooth modes as a document.
#ifndef JD_RESULT_NSM_H
#define JD_RESULT_NSM_H

#include "judder/nsm.h"
#include "result/document.h"

enum { JD_NSM_POINTS = 200 }; // orbits along a branch at most

// `{"kind":"nsm","branches":[{"mode","divisor","omega_start","omega_end","end",...}...]}`, with
// `points` orbits along each branch (omega, energy, speed, stable) for plotting.
jd_status jd_document_nsm(jd_context *context, const jd_problem *problem, const jd_nsm *nsm,
                          int points, json_t **out);
// One row per orbit along the branches: the numbers of the frequency-energy plot.
json_t *jd_document_nsm_rows(const json_t *document);

#endif
