// shooting.h -- the period map of a run and Newton's method on it; used by orbit, follow and sweep.
#ifndef JD_ANALYSIS_SHOOTING_H
#define JD_ANALYSIS_SHOOTING_H

#include "engine/engine.h"
#include "judder/orbit.h"

enum { JD_SHOOT_EVENTS = 4096, JD_SHOOT_TURNS = 8 }; // events kept of one period; turns

// Newton's system of n + 1, and steps that are tried.
typedef struct shooting_newton {
    double *A, *b, *work;
    double unit;         // size of the state, a power of 2: unknown of that system is unit dT/T
    double *step, *base; // for trying shorter steps
    jd_phase base_phase;
    int *pivot;
    double condition;       // reciprocal, of the last system
    jd_orbit_reason reason; // of the last solve
} shooting_newton;

// When a round, or a solve, gives up.
typedef struct shooting_limit {
    long most_events;         // a round with more is lost: wild guesses switch without end
    double most_time;         // [s] a longer round is lost: near a steady state any time returns;
                              // 0: any
    double spent, most_spent; // [s] of motion in all rounds; where a solve gives up, 0: never
    long all_events;          // of all rounds
    double work, most_work;   // panels solved by engine memory, and where
                              // a solve gives up, 0: never; with tangent n/16 times as many
} shooting_limit;

// What the last round met.
typedef struct shooting_last {
    jd_event *event;
    int n_event;
    long events; // may exceed what was kept
    long undecided;
    bool certified;            // it is proved to have these events and no others
    bool grazes;               // it has no derivative: a stop or a limit is only touched
    jd_contact_ranges *ranges; // per contact, of rounds with tangent; NULL: not wanted
    bool watch;                // the next rounds take margins (engine.h): ...
    int n_margin;              // contacts + 1
    double *margin;            // ... (contacts + 1) per event, of the phase before it and its own
} shooting_last;

typedef struct jd_shooting {
    jd_run *run;
    jd_arena *arena;
    int n; // numbers in a state
    bool forced;
    bool mirrored;          // s1 and M are those of half a period, turned round: -s(T/2), -M(T/2)
    double unclosed;        // ... and then |s(T) - s|/max(|s|, |s(T)|) of the round
    double period;          // of the orbit
    double start;           // [s] when its rounds begin: 0, or any other time of a forced motion
    double *scale;          // n: sizes of a state are |scale * state|
    double *s, *s1, *rate;  // start, end, d/dt at the end
    int turns;              // periods of the drive in the orbit, as far as `origin` knows them
    double *origin;         // turns x n: state at t = 0, and each such period later, with tangent
    jd_phase phase, phase1; // at start and end
    double *M;              // n x n, row-major: d s1/d s
    bool proves;            // the engine can prove its events
    double tolerance;       // of an engine that proves nothing; 0: it does
    shooting_newton newton;
    shooting_limit limit;
    shooting_last last;
} jd_shooting;

jd_status jd_shooting_create(jd_run *run, jd_arena *arena, jd_shooting **out);
// One round from s, phase at `start` over `period`: fills s1, phase1, rate, events, and M when
// asked. *lost is true when the motion ended (unbounded, budget) before the round was complete.
jd_status jd_shooting_round(jd_shooting *sh, bool tangent, bool *lost);
// sqrt of twice the energy, about.
double jd_shooting_size(const jd_shooting *sh, const double *s);
double jd_shooting_distance(const jd_shooting *sh, const double *a, const double *b);
// |s1 - s|/max(|s|, |s1|) of the last round.
double jd_shooting_residual(const jd_shooting *sh);
// Newton's matrix and right-hand side of the last round with tangent into A and b; its size.
int jd_shooting_assemble(jd_shooting *sh);
// A residual that may be as good as none: rounding, or the jumps of an engine that computes to a
// tolerance where it chooses another step.
double jd_shooting_floor(const jd_shooting *sh);
// Newton step from the last round with tangent; changes s (and period when autonomous).
// Returns the reciprocal condition of the system, 0 when it could not be solved.
double jd_shooting_step(jd_shooting *sh, double factor);
// Newton with halved steps until |residual| < tolerance. history: iterations + 1 entries.
jd_status jd_shooting_solve(jd_shooting *sh, int iterations, double tolerance, double *history,
                            int *n_step, bool *found, const char **why);

#endif
