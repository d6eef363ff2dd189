// parts.h -- what the files of the room share: attractors that are searched for by random starts.
//   draw.c       scale of the starts, and start number i
//   follow.c     starts to what they lead to, by several threads
//   landing.c    what a start led to, also as bytes
//   sort.c       which of them are one attractor
//   attractors.c begin and end
#ifndef JD_ANALYSIS_STARTS_H
#define JD_ANALYSIS_STARTS_H

#include <stdatomic.h>

#include "analysis/orbit/shooting.h"
#include "judder/orbit.h"

enum { JD_START_BLOCK = 64 }; // starts followed at once at most

// What belongs to one thread; its orbits need both as long as they live.
typedef struct start_worker {
    jd_context *context;
    jd_problem *problem;
} start_worker;

typedef enum landing_kind {
    LANDING_LOST,   // no stable orbit was found
    LANDING_REST,   // at rest, or in steady slip
    LANDING_ORBIT,  // stable and isolated
    LANDING_FAMILY, // contacts hold all along, and may hold elsewhere
    LANDING_KINDS
} landing_kind;

// What a start led to, as much as sorting needs.
typedef struct landing {
    landing_kind kind;
    bool forced;
    int periods, longest, neutral, n_phase;
    uint64_t sequence[2]; // two checksums of the phase sequence, of which there are n_phase
    double period;
    double *state;         // n, at the drive's phase 0
    double *speed;         // least and most velocity of each contact
    char *phase;           // contact states there
    jd_orbit *orbit;       // NULL: computed elsewhere
    struct landing *spare; // next of those that wait to be used again
} landing;

// One start of a block.
typedef struct start_trial {
    int number;
    double *state;
    char *letters;
    jd_orbit *orbit;
    jd_status status;
    const start_worker *by;
} start_trial;

struct jd_attractors {
    jd_context *context;
    jd_problem *problem;
    jd_arena *arena;
    jd_orbit_options options;
    start_worker judge; // compares and draws; nothing stops it, so that no comparison is cut short
    jd_run *run;        // of it
    jd_shooting *shooting;
    int starts; // wanted
    uint64_t seed;
    double *spread; // a_k
    double settle;  // [s] simulated from each start
    double *state;
    jd_phase phase;
    char *letters; // of it, for the options of a search
    landing **at;  // by start: landed, and not sorted yet
    landing *spare;
    int sorted; // starts 0 .. sorted - 1 are in the list, or lost
    int n, lost, longest;
    landing **first;    // of each attractor: the start that found it
    jd_attractor *list; // the orbits are filled in at the end
    int *first_start;   // its number
    int n_worker;
    start_worker *worker;
    start_trial *trial; // JD_START_BLOCK of them
    atomic_bool halt;
    bool finishing; // what is computed now is not to be stopped
};

// The model's own start sets the scale of the random ones and how long they are simulated; it is
// not counted.
jd_status jd_starts_scale(jd_attractors *a);
// Start number i into `state` and `letters`.
jd_status jd_starts_draw(jd_attractors *a, int i);

// A context and a problem of its own; `stop` may be NULL.
jd_status jd_starts_open_worker(jd_attractors *a, bool (*stop)(void *), start_worker *w);
jd_status jd_starts_open_workers(jd_attractors *a);
// Passes on what failed there.
jd_status jd_starts_failed(jd_attractors *a, const start_worker *by, jd_status status);
// Computes the trials 0 .. n - 1 whose numbers are given.
jd_status jd_starts_follow(jd_attractors *a, int n);

// What the orbit says; takes the orbit. NULL: no memory.
landing *jd_landing_of(jd_attractors *a, jd_orbit *orbit);
void jd_landing_drop(jd_attractors *a, landing *l);

// Sorts the starts in their order as far as they are there.
jd_status jd_starts_sort(jd_attractors *a);

#endif
