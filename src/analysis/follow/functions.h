// functions.h -- functions of measures along a branch, and their zeros.
#ifndef JD_ANALYSIS_FOLLOW_FUNCTIONS_H
#define JD_ANALYSIS_FOLLOW_FUNCTIONS_H

#include "analysis/follow/branch.h"

enum { MOST_MEASURES = 64 };

// Measures that are recorded, each once.
typedef struct measure_list {
    jd_arena *arena;
    jd_problem *problem;
    int n;
    jd_measure of[MOST_MEASURES];
} measure_list;

// The measure `text` among those of the list, which it joins when it is new; key: for errors.
jd_status jd_measure_find(measure_list *list, const char *key, const char *text, int *index);
// Is the text a formula, rather than a name or a measure?
bool jd_function_is(const char *text);
// The formula with its measures as m0, m1, ..., which join the list; key: for errors.
jd_status jd_function_read(measure_list *list, const char *key, const char *text, const char **out);
// `read`, which was made so from `text`, as a formula of the values of c->seen.measures.
jd_status jd_function_open(curve *c, const char *key, const char *text, const char *read,
                           jd_expression **out);
// Where number i recorded of orbits between a and b, of one string, is `value`, into f->at.middle;
// error: of the parameter.
jd_status jd_recorded_zero(jd_follow *f, const place *a, const place *b, int i, double value,
                           double *error, bool *found);
// special/dips.c: what number i recorded does between a and b where it has one sign: it stays clear
// of 0, touches it at f->at.middle (error: of the parameter), or is on the other side there.
typedef enum jd_dip { JD_DIP_NONE, JD_DIP_TOUCHES, JD_DIP_CROSSES } jd_dip;
jd_status jd_function_dip(jd_follow *f, const place *a, const place *b, int i, jd_dip *kind,
                          double *error);

// For branches that are not computed from event to event: a failure where functions or `stop` are
// asked for.
jd_status jd_functions_refuse(const jd_follow *f);
// Are all measures known that functions and `stop` are made of?
jd_status jd_functions_check(jd_problem *problem, const jd_formulas *functions,
                             const jd_shapes *stop);

#endif
