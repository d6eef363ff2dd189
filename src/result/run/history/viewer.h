// viewer.h -- what the files of this room share: a run that is looked at, and the history it fills.
#ifndef JD_RESULT_RUN_VIEWER_H
#define JD_RESULT_RUN_VIEWER_H

#include "result/result.h"
#include "result/run/slip.h"

enum {
    SAMPLES = 1800,   // evenly spaced
    LONG = 16384,     // of a long stretch, about
    MARKED = 4096,    // events remembered
    LAST_PERIODS = 3, // of the drive
    MODE_PERIODS = 12 // of the slowest mode, without a drive
};

// What the first pass leaves to the second: a state of the run on its way, and of an orbit the
// modes beside infinitely many as it begins.
typedef struct saved_state {
    char *block; // NULL: none
    size_t size;
    double t;      // [s]
    double *modes; // NULL: not known yet
    bool no_modes; // they are not known at all
} saved_state;

typedef struct viewer {
    jd_arena *arena;
    jd_context *context;
    jd_problem *problem;
    const jd_orbit *orbit; // one period of it instead of the problem's run; NULL: the run
    unsigned wants;
    const jd_history_def *def;
    jd_run *run; // of both passes
    saved_state saved;
    jd_slip_place *place; // n_slip of the history
    jd_history *h;
    jd_history_point *point, *slip; // those of the history, to be filled
    jd_history_contact *contact;
    jd_history_energy *energy;    // NULL: not wanted
    jd_event *event;              // ring of the last MARKED
    long n_event;                 // of the whole run until `end`
    double from, to;              // shown [s]
    double asked_to;              // NaN: the end of the run
    double begin, until, end;     // of the run: at its start, as asked for, as reached
    double *u, *v, *cu, *cv, *cf; // one observation
    jd_report report;
    bool unknown; // part of the energies is
    int samples;  // evenly spaced
} viewer;

// Which stretch is shown, and where it begins.
typedef enum stretch { WHOLE, GIVEN, LAST_OF_DRIVE, LAST_OF_MODE } stretch;

// ---- choose.c
jd_status jd_viewer_points(viewer *w);   // those of the model's output, else of contacts and drives
jd_status jd_viewer_slip(viewer *w);     // places along spans
jd_status jd_viewer_contacts(viewer *w); // names, limits and gaps of the contacts
// Before the run: motion that only dies out or goes on is shown from its start.
void jd_viewer_start(viewer *w);
// Of a run that ends at `end`: which stretch is shown, and where it begins.
stretch jd_viewer_stretch(viewer *w, double end, double *from);
// After the run, whose end is known now: the stretch to show, and words for it.
void jd_viewer_window(viewer *w);
void jd_viewer_events(viewer *w);     // of the stretch; none when there are more than can be marked
jd_status jd_viewer_times(viewer *w); // evenly spaced times and those of events

#endif
