// replay.h -- small changes of a periodic motion of waves that come back, over one period of it.
#ifndef JD_ENGINE_MEMORY_OBSERVERS_REPLAY_H
#define JD_ENGINE_MEMORY_OBSERVERS_REPLAY_H

#include "engine/engine.h"

// From here on, the end of a panel, panels are taken down.
jd_status jd_replay_begin(jd_run *run);
// Up to here: one period. n: numbers of a change; why: it has none, and the reason (NULL: it has).
jd_status jd_replay_end(jd_run *run, int *n, const char **why);
// A change that forces at the contacts leave which differ from panel to panel; `seed` chooses them.
jd_status jd_replay_excite(jd_run *run, unsigned seed, double *out);
// What a change x becomes after one period; y may be x.
jd_status jd_replay_apply(jd_run *run, const double *x, double *y);

#endif
