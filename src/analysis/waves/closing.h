// closing.h -- a periodic motion of waves that come back, closed by Newton's method.
#ifndef JD_ANALYSIS_WAVES_CLOSING_H
#define JD_ANALYSIS_WAVES_CLOSING_H

#include "analysis/waves/bordered.h"
#include "judder/orbit.h"

enum { JD_WAVE_EVENTS = 4096, JD_WAVE_STEPS = 16 };

// One period of a run: what it is, what it misses, how it is corrected.
typedef struct jd_wave {
    jd_run *run;
    jd_arena *arena; // of all that belongs to the last round
    bool forced;
    double period, start;  // [s]
    double tolerance;      // of the engine
    double noise;          // of branches: smaller corrections that shrink no more
    int n, own, head;      // numbers of a change; that count; of the last period
    double *motion;        // head: the motion
    double *rate, *missed; // n: its rate; what it misses (jd_replay_carry) ...
    double *sum;           // head: ... and the sum of heads before
    double size, speed;    // of motion and rate
    jd_event *event;       // of the round, since its start
    int n_event;
    jd_phase phase;                    // at its start
    const char *why;                   // the round has no changes, or was not completed
    double history[JD_WAVE_STEPS + 1]; // corrections, over the size of the motion
    int steps;
    double longer;      // [s] last correction of the period
    long rounds;        // periods taken, of changes too
    long most_rounds;   // Newton's method gives up beyond; 0: never
    jd_arena_mark mark; // where what belongs to a round begins
    bool opened;
} jd_wave;

// From a run that stands on, or near, the orbit; phase: room for the letters.
jd_status jd_wave_open(jd_run *run, double period, bool forced, jd_wave *out);
void jd_wave_close(jd_wave *w);
// One period, taken down. lost: it was not completed, or has no changes (`why`).
jd_status jd_wave_round(jd_wave *w, bool *lost);
// The bordered system of the last round: period (border 0, unless forced).
jd_bordered jd_wave_system(jd_wave *w, double *row);
// Corrects the motion by g (head of a change) with what the round missed; the period grows.
jd_status jd_wave_correct(jd_wave *w, const double *g, double longer, double *moved);
// Newton's method; found: the motion closes to what the engine's tolerance allows. The last round
// stands taken down, and the run at its end.
jd_status jd_wave_close_orbit(jd_wave *w, bool *found);
// A correction that cannot be told from the choice of steps.
double jd_wave_floor(const jd_wave *w);

#endif
