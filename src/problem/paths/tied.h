// tied.h -- several numbers that change together, under one path: "a & 2*b".
#ifndef JD_PROBLEM_TIED_H
#define JD_PROBLEM_TIED_H

#include "problem/paths/slots.h"

enum { JD_MOST_TIED = 16 };

// One of them: its value is factor x.
typedef struct jd_tied {
    double factor;
    char path[JD_PATH_SIZE];
} jd_tied;

// Number `i` of the path; false: there is none. A path of one number has the factor 1.
bool jd_tied_part(const char *path, int i, jd_tied *out);
// Does the path name more than one number, or one with a factor?
bool jd_tied_is(const char *path);
// The numbers exist, are different and have one unit.
jd_status jd_tied_check(const jd_problem *problem, const char *path);
jd_status jd_tied_get(const jd_problem *problem, const char *path, double *value);
jd_status jd_tied_set(jd_problem *problem, const char *path, double value, jd_rebuild *rebuild);

// "a & 2*b" of {a: 1, b: 2}; NULL: no memory.
const char *jd_problem_tie(jd_arena *arena, const jd_shapes *numbers);

#endif
