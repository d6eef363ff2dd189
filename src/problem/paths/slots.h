// slots.h -- walks all numbers of a problem in model order, each with its path.
#ifndef JD_PROBLEM_SLOTS_H
#define JD_PROBLEM_SLOTS_H

#include "problem/parts.h"

enum { JD_PATH_SIZE = 512 };

// How the number is stored.
typedef enum jd_slot_kind {
    JD_SLOT_REAL,      // double
    JD_SLOT_INTEGER,   // int
    JD_SLOT_FREQUENCY, // jd_frequency as a whole: a plain number replaces {times, mode}
    JD_SLOT_MODE,      // int >= 1
    JD_SLOT_LIST       // jd_reals of several values: has no number of its own
} jd_slot_kind;

typedef struct jd_slot {
    jd_slot_kind kind;
    void *at;              // the number; belongs to the problem
    const jd_param *param; // NULL: any finite number
    double above;          // with param NULL: must be above this (-HUGE_VAL: any)
    jd_part *part;         // NULL: a section
    const jd_type *type;   // definition whose rules must hold after a change
    const void *def;
    jd_rebuild rebuild;
} jd_slot;

// Called for every number; false ends the walk. `path` is valid during the call.
typedef bool (*jd_slot_visit)(void *user, const char *path, const jd_slot *slot);

// `target` (may be NULL) prunes the walk to paths that lead there.
void jd_problem_walk(const jd_problem *problem, const char *target, jd_slot_visit visit,
                     void *user);

#endif
