// nsm.h -- nonsmooth modes as a document.
#ifndef JD_RESULT_NSM_H
#define JD_RESULT_NSM_H

#include "judder/nsm.h"
#include "result/document.h"

enum { JD_NSM_POINTS = 200, JD_NSM_SAMPLES = 401 }; // orbits along a branch at most; of an orbit

// `{"kind":"nsm","branches":[{"mode","divisor","omega_start","omega_end","end",...}...]}`, with
// `points` orbits along each branch (omega, energy, speed, stable) for plotting.
jd_status jd_document_nsm(jd_context *context, const jd_problem *problem, const jd_nsm *nsm,
                          int points, json_t **out);
// One row per orbit along the branches: the numbers of the frequency-energy plot.
json_t *jd_document_nsm_rows(const json_t *document);

// Orbits in full, `n_orbit` of them, each with `samples` of the stop's point and of the points of
// the section `output`: `{"kind":"nsm-orbits","what","mode","divisor","start","contact","points",
// "orbits":[{"name","omega","period","energy","mode","divisor","speed","stable","flight","contact",
// "t","<point>.u","<point>.v","<stop>.force","multipliers"}...]}`. `flight` and `contact` belong to
// orbits that rest on the stop, the rest to those of branches.
// `start` is the section that makes `judder run` and `judder orbit` begin on the first of them.
jd_status jd_document_nsm_orbits(jd_context *context, const jd_problem *problem, jd_nsm *nsm,
                                 int n_orbit, const jd_nsm_pick *pick, int samples, json_t **out);
// One row per sample.
json_t *jd_document_nsm_orbit_rows(const json_t *document);

#endif
