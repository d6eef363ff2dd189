// rest.c -- which rigid contacts at rest stay so where forces jump: the box problem of
// contact/forces.h over all of them at once.
//   a = G x + b, x the forces on the structure: |x| <= hold N of sliders at rest, x <= 0 along the
//   outward direction of closed normal parts; b the accelerations without them. Limits that are
//   shares of a reaction are taken from the last solution, a few times over.
#include <math.h>
#include <string.h>

#include "engine/series/series.h"

enum { ROUNDS = 60 };
static const double tie = 1e-10; // of the accelerations: less is none

static double coupling(const series_plan *p, int r, int o) {
    return p->G[(size_t)r * (size_t)p->n_row + (size_t)o];
}

// Present normal force of a part: known from the motion, or the last solution.
static double force_of(const series *s, int a) {
    const series_impact *x = &s->impact;
    if (s->plan.normal[a].kind != NORMAL_RIGID) return s->terms.N[a];
    for (int h = 0; h < s->held.n; h++)
        if (s->held.item[h] == s->plan.n_slider + a) return -x->P[h];
    return 0;
}

// What sliders that slide on a reaction add to the acceleration of row r.
static double dragged(const series *s, int r) {
    double sum = 0;
    for (int i = 0; i < s->plan.n_slider; i++) {
        const series_slider *g = &s->plan.slider[i];
        int slide = s->state.slide[i];
        if (slide == 0 || slide == SERIES_FREE || s->plan.normal[g->normal].kind != NORMAL_RIGID)
            continue;
        sum -= slide * g->limit * force_of(s, g->normal) * coupling(&s->plan, r, g->row);
    }
    return sum;
}

static int direction(const series *s, int item) {
    return item < s->plan.n_slider ? 1 : s->state.closed[item - s->plan.n_slider];
}

static void bounds(series *s) {
    series_impact *x = &s->impact;
    for (int h = 0; h < s->held.n; h++) {
        int item = s->held.item[h];
        x->low[h] = -HUGE_VAL;
        x->high[h] = 0;
        if (item >= s->plan.n_slider) continue;
        const series_slider *g = &s->plan.slider[item];
        x->high[h] = g->hold * fmax(force_of(s, g->normal), 0);
        x->low[h] = -x->high[h];
    }
}

// Solves until limits and friction of reactions agree with them; false: they do not settle.
static bool solve(series *s) {
    series_impact *x = &s->impact;
    int n = s->held.n;
    for (int i = 0; i < n; i++) {
        x->P[i] = 0;
        for (int j = 0; j < n; j++)
            x->G[i * n + j] = direction(s, s->held.item[i]) * direction(s, s->held.item[j]) *
                              coupling(&s->plan, s->held.row[i], s->held.row[j]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        double moved = 0, size = 0;
        bounds(s);
        for (int i = 0; i < n; i++)
            x->b[i] = x->e[i] + direction(s, s->held.item[i]) * dragged(s, s->held.row[i]);
        memcpy(x->speed, x->P, (size_t)n * sizeof *x->P);
        jd_forces_solve(n, x->G, n, x->b, x->low, x->high, x->P, x->a, x->bound, x->scratch);
        for (int i = 0; i < n; i++) {
            moved = fmax(moved, fabs(x->P[i] - x->speed[i]));
            size = fmax(size, fabs(x->P[i]));
        }
        if (!(moved > 1e-14 * size)) return true;
    }
    return false;
}

// Accelerations of the contacts at rest without their forces; false: there are none.
static bool prepare(series *s) {
    series_impact *x = &s->impact;
    jd_series_segments(s);
    s->terms.dt = s->step.next_dt;
    jd_series_hold(s);
    int n = s->held.n;
    s->held.n = 0;
    jd_series_expand(s, 2);
    s->held.n = n;
    double per = 2 / (s->terms.dt * s->terms.dt);
    for (int i = 0; i < n; i++)
        x->e[i] = direction(s, s->held.item[i]) * per *
                  s->terms.u[2 * (size_t)s->plan.row_stride + (size_t)s->held.row[i]];
    return n > 0;
}

// Chatter was completed at a rebound of speed v, too slow to be told: its flights would have gone
// on for D = 2 v/(a (1 - e)). a: acceleration into the stop where the others hold, x_h/(A^-1)_hh,
// half of it at worst while so little time passes. The times of the N impacts before, of which e^N
// = 1e-12, are rounded.                            tested: chatter_ends_within_the_error_told
static void book_chatter(series *s) {
    series_impact *x = &s->impact;
    const series_held *h = &s->held;
    for (int i = 0; i < h->n; i++) {
        int a = h->item[i] - s->plan.n_slider;
        const double *B = h->inverse + (size_t)i * (size_t)h->n;
        double force = 0, e = a >= 0 ? s->plan.normal[a].restitution : 0;
        if (a < 0 || !(x->left[a] > 0)) continue;
        for (int j = 0; j < h->n; j++) force += B[j] * direction(s, h->item[j]) * x->e[j];
        double D = 2 * x->left[a] * fabs(B[i]) / (force * (1 - e));
        double rounded = 28 / (1 - e) * 0x1p-52 * s->state.t0;
        if (force > 0 && isfinite(D)) // else it does not stay
            s->count.chatter_error = fmax(s->count.chatter_error, 2 * D + rounded);
    }
    memset(x->left, 0, (size_t)s->plan.n_normal * sizeof *x->left);
}

// Which move, of those whose force drops when they do (dropping), or of all. Returns how many.
static int move(series *s, bool dropping) {
    const series_impact *x = &s->impact;
    const series_plan *p = &s->plan;
    int moved = 0;
    double per = 2 / (s->terms.dt * s->terms.dt);
    for (int i = 0; i < s->held.n; i++) {
        int item = s->held.item[i];
        bool slider = item < p->n_slider;
        double noise = tie * per * p->length[s->held.row[i]] * s->terms.size[2];
        if (x->bound[i] == JD_INSIDE || fabs(x->a[i]) <= noise) continue;
        if (dropping && !(slider && p->slider[item].hold > p->slider[item].limit)) continue;
        moved++;
        if (slider)
            jd_series_slide(s, item, x->a[i] > 0 ? 1 : -1);
        else
            jd_series_open(s, item - p->n_slider, true);
    }
    return moved;
}

void jd_series_rest(series *s) {
    for (int round = 0; round <= s->plan.n_slider; round++) {
        if (!prepare(s)) break;
        if (round == 0) book_chatter(s);
        if (!solve(s)) break;            // not solved: decided one by one (events.c)
        if (move(s, true) > 0) continue; // forces dropped: once more for the others
        move(s, false);
        break;
    }
    s->held.known = false;
}
