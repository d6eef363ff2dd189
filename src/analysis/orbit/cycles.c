// cycles.c -- tells the cycle of a motion from its last events: their contacts and kinds, and their
// times (settled.c).
#include <math.h>

#include "analysis/orbit/settled.h"

enum { CYCLE = 512 }; // events

bool jd_cycles_alike(const jd_event *a, const jd_event *b) {
    return a->contact == b->contact && a->from == b->from && a->to == b->to;
}

// Do the last three cycles of n events have the same kinds?
static bool repeats(const jd_cycles *w, int n) {
    for (int i = w->n - 1; i >= w->n - 2 * n; i--)
        if (!jd_cycles_alike(&w->event[i], &w->event[i - n])) return false;
    return true;
}

double jd_cycles_time(const jd_cycles *w, int back, int n) {
    return w->event[w->n - 1 - back].t - w->event[w->n - 1 - back - n].t;
}

// How far the cycle of n events that ended `back` cycles ago is from the one before it, and its
// events from moving together.
double jd_cycles_change(const jd_cycles *w, int back, int n) {
    double worst = 0, T = jd_cycles_time(w, back * n, n);
    for (int i = back * n; i < (back + 1) * n; i++) {
        worst = fmax(worst, fabs(jd_cycles_time(w, i, n) - jd_cycles_time(w, i + n, n)));
        worst = fmax(worst, fabs(jd_cycles_time(w, i, n) - T));
    }
    return worst;
}

// Whether the changes of the cycle of n events have fallen over the last of them: it still settles,
// and a longer cycle that seems to repeat better is the same motion seen for longer.
bool jd_cycles_settle(const jd_cycles *w, int n) {
    int back = 8;
    while (back > 2 && (back + 3) * n >= w->n) back--;
    return (back + 3) * n < w->n && jd_cycles_change(w, 0, n) < 0.7 * jd_cycles_change(w, back, n);
}

// The shortest cycle of the last events that repeats as well as the tolerance asks, or still comes
// closer to repeating; else the one that repeats best. 0: none.
int jd_cycles_tell(const jd_cycles *w, double *residual) {
    int best = 0;
    *residual = HUGE_VAL;
    for (int n = 1; n <= CYCLE && 3 * n < w->n; n++) {
        double T = jd_cycles_time(w, 0, n);
        if (!(T > 0) || !repeats(w, n)) continue;
        double worst = jd_cycles_change(w, 0, n) / T;
        if (worst < 0.1 * *residual) { // a longer cycle must be clearly better
            best = n;
            *residual = worst;
        }
        if (worst <= 3 * w->want || (worst < 0.1 && jd_cycles_settle(w, n))) break;
    }
    return best;
}

// What is left of the changes, from those of the last cycles.
double jd_cycles_left(const jd_cycles *w, int n) {
    int back = 1;
    while ((back + 3) * n < w->n && back < 32) back++;
    double now = jd_cycles_change(w, 0, n), before = jd_cycles_change(w, back - 1, n);
    double rho = before > 0 && now < before ? pow(now / before, 1.0 / fmax(back - 1, 1)) : 0.99;
    rho = fmin(rho, 0.999);
    return now * rho / (1 - rho);
}
