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

// Orbits of one branch in full, `n_orbit` of them (frequencies in omega), each with `samples` of
// the stop's point and of the points of the section `output`:
// `{"kind":"nsm-orbits","mode","divisor",
// "start","orbits":[{"omega","period","energy","speed","stable","t","<point>.u","<point>.v"}...]}`.
// `start` is the section that makes `judder run` and `judder orbit` begin on the first of them.
jd_status jd_document_nsm_orbits(jd_context *context, const jd_problem *problem, const jd_nsm *nsm,
                                 int branch, int n_orbit, const double *omega, int samples,
                                 json_t **out);
// One row per sample.
json_t *jd_document_nsm_orbit_rows(const json_t *document);

#endif
