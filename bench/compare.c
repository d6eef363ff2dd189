// compare.c -- which events of the reference a solver found, how late, and which it made up.
//   Both lists are in order of time: one pass, the nearest event of the same transition that lies
//   within the window and after the last one matched.
#include "compare.h"

#include <math.h>

enum { FIRST = 24 };

static int nearest(const bench_problem *p, const bench_events *events, int from, bench_event e) {
    int best = -1;
    double distance = p->window;
    for (int i = from; i < events->n && events->list[i].t <= e.t + p->window; i++) {
        double d = fabs(events->list[i].t - e.t);
        if (events->list[i].from == e.from && events->list[i].to == e.to && d <= distance)
            best = i, distance = d;
    }
    return best;
}

static int judged(const bench_problem *p, const bench_events *events) {
    int n = 0;
    while (n < events->n && events->list[n].t <= p->t_judge) n++;
    return n;
}

bench_score bench_compare(const bench_problem *p, const bench_events *reference,
                          const bench_events *events) {
    bench_score s = {0};
    int next = 0, matched = 0;
    for (int i = 0; i < judged(p, reference); i++) {
        int found = nearest(p, events, next, reference->list[i]);
        if (found < 0) {
            s.lost++;
            if (!s.first_lost) s.first_lost = i + 1;
            if (i < FIRST) s.worst_first = NAN;
            continue;
        }
        double error = fabs(events->list[found].t - reference->list[i].t);
        if (error > s.worst) s.worst = error;
        if (i < FIRST && error > s.worst_first) s.worst_first = error;
        next = found + 1, matched++;
    }
    int own = judged(p, events);
    s.extra = own > matched ? own - matched : 0;
    return s;
}
