// system.h -- the bodies of a problem as one modal system, for engines.
//   Modes of all bodies stand one after the other: q = (q_body0, q_body1, ...). A contact is a row
//   B_j over them (structure point minus counter point), a drive a column, a probe a row.
#ifndef JD_PROBLEM_SYSTEM_H
#define JD_PROBLEM_SYSTEM_H

#include "judder/problem.h"
#include "structure/modal.h"

// A contact as contacts at points, its cells: itself at a point; several along a span or at several
// points (problem/contacts/cells.h).
typedef struct jd_cells {
    int n;            // 0: along a span of a body without modes, or of infinitely many
    double *position; // on the structure [m]; of several points their number, from 1; NULL: a point
    double *length;   // [m]; of several points their share of 1
    double *left;     // where each begins, from the beginning of the span [m]; NULL: several points
    jd_dd **row, **normal; // as below, of each
} jd_cells;

typedef struct jd_system {
    jd_modal modal; // all bodies; omega2 ascends within a body only
    int n_body;     // 1 where connections give all bodies common modes
    int *first;     // n_body + 1: where each body's modes begin
    int *own;       // where the coordinates of each body of the problem begin before it is joined
    jd_dd *turn;    // n x n: own coordinates q = turn eta of the common modes; NULL: not connected
    int n_contact;
    jd_dd **contact; // rows; NULL for an interface over a span. With a normal part and friction
                     // the tangential one
    jd_dd **normal;  // rows of normal parts; NULL: none. Of a stop its row above
    jd_cells *cells; // n_contact
    int n_drive;
    jd_dd **drive; // participation of each drive; NULL for a span
} jd_system;

const jd_system *jd_problem_system(const jd_problem *problem); // after build
// Why engines that need a column for every drive cannot compute this one; NULL: they can.
static inline const char *jd_system_refuses_spans(const jd_system *system) {
    for (int d = 0; system && d < system->n_drive; d++)
        if (!system->drive[d]) return "a drive acts along a span";
    return NULL;
}
// Does a contact stand for several, as along a span?
static inline bool jd_system_has_cells(const jd_system *system) {
    for (int j = 0; j < system->n_contact; j++)
        if (system->cells[j].position) return true;
    return false;
}
// Does a body keep infinitely many modes? After build.
bool jd_problem_infinite(const jd_problem *problem);
// The same problem, built, whose bodies with infinitely many modes keep the first `modes`. Shares
// structures with `like`, an earlier one of them (NULL: none). `from` is built.
enum { JD_FOLLOWED_MODES = 160 };
jd_status jd_problem_finite(jd_context *context, const jd_problem *from, int modes,
                            const jd_problem *like, jd_problem **out);
// Takes `rate` [1/s] off the damping of every mode (C - rate I): the motion gains what contacts and
// structure lose. 0: as the model says. Copies of the problem take it over.
void jd_problem_pump(jd_problem *problem, double rate);
// Angular frequency at which the limit of a contact swings [rad/s]; 0: it does not. After build.
double jd_problem_swing(const jd_problem *problem, int contact);
// Do all harmonic drives and limits that swing make whole cycles in that time?
bool jd_problem_repeats(const jd_problem *problem, double period);
// Row of a point "tip" or "body.tip" over all modes; dd_zero elsewhere. out has modal.n entries.
jd_status jd_problem_row(const jd_problem *problem, const char *point, jd_dd *out);
// From the bodies' own coordinates into common modes, where connections make such: a row, a state.
jd_status jd_system_turn(const jd_problem *problem, jd_dd *row);
jd_status jd_system_coordinates(const jd_problem *problem, double *q);
// Every number of the problem with its path, in the order of jd_problem_path, in one walk. (To ask
// for one path after the other costs the square of the length of a list.)
void jd_problem_numbers(const jd_problem *problem,
                        void (*visit)(void *user, const char *path, double value), void *user);

#endif
