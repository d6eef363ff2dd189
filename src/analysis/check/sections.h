// sections.h -- what the sections of a model ask for, looked at before anything is computed.
#ifndef JD_ANALYSIS_CHECK_SECTIONS_H
#define JD_ANALYSIS_CHECK_SECTIONS_H

#include "base/arena.h"
#include "judder/problem.h"

// What a verb of the command would say to a model.
typedef struct jd_verb_check {
    const char *verb; // "run", "sweep" ...
    bool given;       // the model has the section it reads, or it needs none
    jd_error refusal; // status JD_OK: it would begin; texts in the arena
} jd_verb_check;

enum { JD_VERB_CHECKS = 7 };
// Looks at every verb that moves a built problem; nothing is computed but the plan of an engine and
// of a sweep.
jd_status jd_check_verbs(jd_problem *problem, jd_arena *arena, jd_verb_check out[JD_VERB_CHECKS]);

// Points of `output`, measures of `sweep` and `follow`: JD_OK, or the first name that is not there.
jd_status jd_check_names(jd_problem *problem);
// An engine that computes the model, or the reason why none does.
jd_status jd_check_engine(const jd_problem *problem);

#endif
