// choice.h -- what is said where no engine can compute a problem.
#ifndef JD_ENGINE_CHOICE_H
#define JD_ENGINE_CHOICE_H

#include "judder/run.h"

// Fails with JD_NOT_SUPPORTED: the reason, and where `auto` found no engine those of every engine.
jd_status jd_engine_refuse(const jd_problem *problem, const char *why);

#endif
