// recurrence.h -- after what time a settled motion comes back, or whether it rests.
#ifndef JD_ANALYSIS_RECURRENCE_H
#define JD_ANALYSIS_RECURRENCE_H

#include "analysis/orbit/seek.h"

// Forced: simulates 3 `longest` drive periods and sets `periods`. *goes_on false: the motion ended.
jd_status jd_recurrence_forced(jd_seek *seek, bool *goes_on);
// Autonomous: time to the closest return, 0: none, and the state kept moves on; *rest: the motion
// comes to rest, and the state kept is where; *stopped: it ended for the reason in the run.
jd_status jd_recurrence_free(jd_seek *seek, double *period, bool *rest, bool *stopped);
// Whether the motion from the shooting's state over its period leaves that state at all: Newton's
// method also finds steady states, which return after any time.
jd_status jd_recurrence_moves(jd_seek *seek, bool *moves);

// What a motion that rests with these contact states has come to: rest, or steady slip.
jd_orbit_reason jd_recurrence_rest(jd_phase phase);

#endif
