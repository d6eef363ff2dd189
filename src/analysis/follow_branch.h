// follow_branch.h -- the branch being built: its points, special points, phase strings.
#ifndef JD_ANALYSIS_FOLLOW_BRANCH_H
#define JD_ANALYSIS_FOLLOW_BRANCH_H

#include "analysis/follow_curve.h"

enum { STRING_SIZE = 4 * MOST_EVENTS, GRAZES = 6, NESTED = 4, TREND = 4, DIG = 8 };

struct jd_follow {
    jd_context *context;
    jd_arena *arena;
    curve curve;
    jd_follow_options options;
    jd_follow_view view;
    jd_branch_point *point;
    double *state;
    jd_special *special;
    const char **phases;
    int point_room, special_room, phases_room;
    place here, there;                       // last point and the next
    place left, right, middle, old, before;  // for special points
    place near[NESTED + 1], far[NESTED + 1]; // both sides of a change
    place inside[NESTED];                    // between changes that undo each other
    place prior, dig[DIG];                   // the point before, for margins; halves looked at
    place trend[2 * TREND];                  // towards a change
    place flip;                              // the last flip
    place mark;                              // where the curve in two parameters begins
    bool marked;
    jd_curve_point *curve_point;
    int curve_room;
    int n_flip;
    double bend;             // share of the usual angles between neighbours allowed
    double step, direction;  // arclength; sign of to - from
    char *string;            // STRING_SIZE
    double graze[GRAZES][3]; // last points with impacts: speed, parameter, amplitude
    int n_graze;
    double fastest;       // impact met [m/s]
    double gone;          // arclength of the last step
    double *drift;        // how fast each event moved along the last step [periods per arclength]
    int at_one, crawling; // points in a row with a multiplier at 1; with hardly any progress
    double *J;            // derivative that belongs to `here`
    double *J_past;       // ... and to the point before it
    double *y_past, *tangent_past;
    long orbits_before; // the present step
    bool crowded;       // its changes took more orbits than are allowed
    bool smooth;        // nothing happened between the two: both serve to extrapolate
    jd_orbit *first;
};

// follow_branch.c
jd_status branch_open(jd_follow *f);
void place_copy(const curve *c, const place *from, place *to);
// Fills the place after a successful correction at p->y: phase string, stability, tangent (turned
// along `old`), measure. full: with multipliers, tangent and measure; else the string only.
jd_status branch_judge(jd_follow *f, place *p, const double *old, bool full, bool *good);
jd_status branch_add_point(jd_follow *f, const place *p);
jd_status branch_add_special(jd_follow *f, jd_special_kind kind, const place *before,
                             const place *after, bool turns, const double *multiplier);
// The orbit in the plane through y with normal `border`, near y, by the derivative at hand, with
// the letters of `near`. own: its own derivatives are wanted next.
jd_status branch_solve(jd_follow *f, place *p, const place *near, const double *border, bool own,
                       bool *found);
// follow_change.c: f->left and f->right, of different strings, moved to a change between them.
jd_status branch_close_in(jd_follow *f);
// The orbit near p->y with its string and margins only, to that residual.
jd_status branch_look(jd_follow *f, place *p, const double *border, double residual, bool *found);
// follow_hidden.c: changes that undo each other between a and b, which have the same string;
// hidden: f->middle has another one.
jd_status branch_hidden(jd_follow *f, const place *a, const place *b, bool *hidden);
void branch_note_margins(jd_follow *f, const place *a, const place *b, bool plain);
// follow_special.c: special points between two neighbours.
jd_status branch_special(jd_follow *f, const place *a, const place *b);
jd_special_kind branch_change_kind(const place *a, const place *b);
// True once a step has used up its orbits: what it holds is not sought any further.
bool branch_spent(jd_follow *f);
// follow_switch.c: from f->flip onto the branch of doubled period; found: `here` is on it.
jd_status branch_switch(jd_follow *f, bool *found);
// follow_corner.c: no point could be found after `here`: a corner to go around (here gets the new
// tangent), or an end (f->view.end).
jd_status branch_corner(jd_follow *f, bool *goes_on);
void branch_note_impacts(jd_follow *f, const place *p);
// True when the impacts of the last points get slower and are below `share` of the fastest met.
bool branch_near_grazing(const jd_follow *f, double share);
// Arclength over which the slowest impact loses 0.4 of its speed; INFINITY away from grazing.
double branch_graze_step(const jd_follow *f);
// The grazing itself; goes_on: `there` is the orbit beside it that does without the impact.
jd_status branch_graze_end(jd_follow *f, bool *goes_on);
// follow_steady.c: true when a steady slip was asked for, then its branch is in f->view.
jd_status steady_follow(jd_follow *f, bool *taken);
// follow_pair_walk.c: the curve in two parameters from f->mark.
jd_status branch_pair(jd_follow *f);

#endif
