// chatter.c -- impacts that accumulate are one event of an orbit: its landing.
//   A completed chatter is an infinite number of impacts, of which the engine computes some before
//   it sums up the rest (engine/exact/events/chatter.c). How many says nothing about the orbit: it
//   changes along a branch where nothing happens. So of the impacts of a contact in a row that ends
//   with the contact closed only those count that are slower than the next one; the others lose
//   speed from each to the next, and can not graze. The landing lasts from the first of the row to
//   the last. An impact that grazes before or among them is slower than what follows it, and
//   counts; where later on it becomes faster than that, nothing happens (jd_branch_change_kind).
//                              tested: bounces_of_chatter_are_not_grazings
#include <math.h>
#include <string.h>

#include "analysis/follow/curve.h"

// Events are read twice, backwards: a row may begin before the round does.
void jd_chatter_list(curve *c) {
    const jd_shooting *sh = c->sh;
    int n = sh->last.n_event, m = jd_problem_contacts(c->problem);
    for (int j = 0; j < m; j++) c->events.row[j].landing = -1;
    for (int i = 2 * n - 1; i >= 0; i--) {
        const jd_event *e = &sh->last.event[i % n];
        impact_row *r = &c->events.row[e->contact];
        double t = e->t - (i < n ? sh->period : 0);
        if (i >= n) c->events.begin[i - n] = e->t;
        if (i < n) c->events.dropped[i] = false;
        if (!jd_event_is_impact(e)) {
            *r = (impact_row){jd_event_is_landing(e) ? i : -1, 0};
            continue;
        }
        if (r->landing < 0) continue;
        if (i < n) c->events.dropped[i] = fabs(e->speed) >= r->speed;
        if (r->landing >= n) c->events.begin[r->landing - n] = t;
        r->speed = fabs(e->speed);
    }
    c->events.n_listed = 0;
    for (int i = 0; i < n; i++)
        if (!c->events.dropped[i]) c->events.listed[c->events.n_listed++] = i;
    c->events.counted = sh->last.events - (n - c->events.n_listed);
}
