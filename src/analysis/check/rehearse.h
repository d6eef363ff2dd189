// rehearse.h -- wrong names, found before the modes of large matrices are computed.
#ifndef JD_ANALYSIS_CHECK_REHEARSE_H
#define JD_ANALYSIS_CHECK_REHEARSE_H

#include "judder/problem.h"

// Builds a copy of the problem with made-up modes in place of those of matrices and asks it what
// analyses ask: JD_OK, or the failure of a name as they would tell it. With `runs` the engine must
// be able to compute the model, too. Nothing is done where there are no matrices to be solved.
jd_status jd_problem_rehearse(jd_context *context, const jd_problem *problem, bool runs);

#endif
