// replay.h -- small changes of a periodic motion of waves that come back, over one period of it.
#ifndef JD_ENGINE_MEMORY_OBSERVERS_REPLAY_H
#define JD_ENGINE_MEMORY_OBSERVERS_REPLAY_H

#include "engine/engine.h"

// replay.c
// From here on, the end of a panel, panels are taken down.
jd_status jd_replay_begin(jd_run *run);
// Up to here: one period. n: numbers of a change; why: it has none, and the reason (NULL: it has).
jd_status jd_replay_end(jd_run *run, int *n, const char **why);

// replay_round.c
// A change that forces at the contacts leave which differ from panel to panel; `seed` chooses them.
jd_status jd_replay_excite(jd_run *run, unsigned seed, double *out);
// What a change x becomes after one period; y may be x.
jd_status jd_replay_apply(jd_run *run, const double *x, double *y);
double jd_replay_forces(jd_run *run, const double *x);  // size of the forces in x
double jd_replay_size(jd_run *run, const double *head); // of what a head does to the motion

// replay_newton.c
const char *jd_replay_uncorrected(jd_run *run); // no motion can be corrected, and why; NULL: can
int jd_replay_head(jd_run *run);                // numbers of a change that are of the last period
// What the difference of end and start of the period becomes after as many periods as a change
// holds, and the sum of its heads before that.
jd_status jd_replay_carry(jd_run *run, double *out, double *sum);
jd_status jd_replay_rate(jd_run *run, double *out); // as a change: by time that passes
void jd_replay_motion(jd_run *run, double *out);    // the motion itself: a head
jd_status jd_replay_other(jd_run *run);             // laws at hand are those of another value ...
jd_status jd_replay_lean(jd_run *run, double by, double *out); // ... `by` away: dP over it
// The start of the period becomes its end, with a change whose head is given, for a period that is
// `longer`; rate: head of jd_replay_rate.
jd_status jd_replay_correct(jd_run *run, const double *head, const double *rate, double longer);

// replay_hold.c: the state at hand is put aside; one that was is put into another slot; the run
// goes back to it.
enum { JD_REPLAY_HELD = 3 };
jd_status jd_replay_hold(jd_run *run, int slot);
jd_status jd_replay_keep(jd_run *run, int to, int from);
jd_status jd_replay_return(jd_run *run, int slot);

#endif
