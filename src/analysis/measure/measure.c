// measure.c -- values of measures over one period of a motion.
//   Extremes of contacts: certified (jd_run_ranges). Extremes of points: the motion is looked at at
//   both ends of every phase and at 48 times a period, and once more 16 times as often where it is
//   within 2 % of its range from an extreme, for high modes ripple there; a largest value between
//   two looks is found by parabolas through three of them (error of the value: square of the error
//   in time). Not seen: ripples of more than some 200 times the frequency.
//   rms = sqrt(1/T int f^2 dt); energy lost in a contact
//     -int f v dt + sum of the impacts |p v| (1 - e)/2,   f its force, v its relative velocity:
//   what its springs store comes back within a period. The integrals by Gauss's rule of 8 points
//   between looks, halved until both halves agree with the whole to 1e-13 of the largest part.
#include "analysis/measure/measure.h"

#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "engine/event.h"

enum { LOOKS = 48, PARABOLAS = 12, GAUSS = 4, DEEP = 7, CLOSER = 16, TRAIL = JD_MEASURE_TRAIL };
static const double nearly = 0.02; // of the range
static const double agree = 1e-13;
static const double margin =
    1e-9; // of a period: by less, events move when it is gone through again

// Nodes in (0, 1) and weights of Gauss's rule of 8 points on [-1, 1].
static const double node[GAUSS] = {0.18343464249564980494, 0.52553240991632898582,
                                   0.79666647741362673959, 0.96028985649753623168};
static const double weight[GAUSS] = {0.36268378337836198297, 0.31370664587788728734,
                                     0.22238103445337447054, 0.10122853629037625915};

jd_status jd_measuring_open(jd_arena *arena, const jd_problem *problem, int n, jd_measuring *out) {
    *out = (jd_measuring){.n = n};
    out->measure = JD_TAKE(arena, jd_measure, n);
    out->window = JD_TAKE(arena, jd_measure_window, n);
    out->value = JD_TAKE(arena, double, n);
    out->points = JD_TAKE(arena, double, 2 * n);
    out->contacts = JD_TAKE(arena, double, 3 * jd_problem_contacts(problem) + 1);
    return jd_arena_status(arena);
}

jd_status jd_measuring_probe(jd_measuring *m, jd_run *run, jd_arena *arena) {
    int n = run->class->map.coordinates ? run->class->map.coordinates(run) : 0;
    for (int k = 0; k < TRAIL; k++) m->trail[k].state = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < m->n; i++)
        if (m->measure[i].contact < 0)
            JD_TRY(jd_run_probe(run, m->measure[i].point, &m->measure[i].probe));
    return JD_OK;
}

// Certified extremes of a contact.
static bool is_range(const jd_measure *m) {
    return m->contact >= 0 && m->quantity <= JD_MEASURE_FORCE && m->kind <= JD_MEASURE_AMPLITUDE;
}

static bool is_integral(const jd_measure *m) { return m->kind >= JD_MEASURE_RMS; }

bool jd_measuring_ranged(const jd_measuring *m, int *which) {
    bool displacement = false, other = false;
    for (int i = 0; i < m->n; i++) {
        if (!is_range(&m->measure[i])) continue;
        displacement |= m->measure[i].quantity == JD_MEASURE_DISPLACEMENT;
        other |= m->measure[i].quantity != JD_MEASURE_DISPLACEMENT;
    }
    *which = displacement && other ? 0 : displacement ? 1 : 2;
    return displacement || other;
}

static bool is_looked_at(const jd_measure *m) {
    return !is_range(m) && m->quantity != JD_MEASURE_IMPACT;
}

bool jd_measuring_looks(const jd_measuring *m) {
    for (int i = 0; i < m->n; i++)
        if (is_looked_at(&m->measure[i])) return true;
    return false;
}

// Engine series knows its motion within its present step only: for another time it goes there, from
// the look before it.
static void go_to(jd_measuring *m, jd_run *run, double t) {
    if (run->class != &jd_engine_series || t == run->t) return;
    int k = TRAIL - 1;
    jd_step step;
    while (k > 0 && m->trail[k].t > t) k--;
    const jd_measure_trail *from = &m->trail[k];
    if ((run->t > t || run->t < from->t) &&
        run->class->map.restart(run, from->t, from->state, &from->phase) != JD_OK)
        return;
    if (t > run->t) jd_run_advance(run, t, &step);
}

// Keeps where the run is as place number k of the trail.
static void keep(jd_measuring *m, jd_run *run, int k) {
    if (run->class != &jd_engine_series) return;
    m->trail[k].t = run->t;
    m->trail[k].phase = jd_run_contacts(run);
    run->class->map.state(run, m->trail[k].state);
}

// The last place becomes the one before.
static void move_on(jd_measuring *m) {
    jd_measure_trail first = m->trail[0];
    memmove(m->trail, m->trail + 1, (TRAIL - 1) * sizeof *m->trail);
    m->trail[TRAIL - 1] = first;
    m->trail[TRAIL - 1].t = HUGE_VAL;
}

// The quantity at t; of energy the power lost.
static double look(jd_measuring *m, jd_run *run, const jd_measure *of, double t) {
    go_to(m, run, t);
    if (of->contact < 0) {
        double *v = m->points + m->n;
        jd_run_observe(run, t, m->points, v);
        return of->quantity == JD_MEASURE_DISPLACEMENT ? m->points[of->probe] : v[of->probe];
    }
    int n = jd_problem_contacts(run->problem), j = of->contact;
    double *u = m->contacts, *v = u + n, *f = v + n;
    jd_run_observe_contacts(run, t, u, v, f);
    return of->quantity == JD_MEASURE_DISPLACEMENT ? u[j]
           : of->quantity == JD_MEASURE_VELOCITY   ? v[j]
           : of->quantity == JD_MEASURE_FORCE      ? f[j]
                                                   : -f[j] * v[j];
}

static double integrand(jd_measuring *m, jd_run *run, const jd_measure *of, double t) {
    double f = look(m, run, of, t);
    return of->kind == JD_MEASURE_RMS ? f * f : f;
}

static double gauss(jd_measuring *m, jd_run *run, const jd_measure *of, double a, double b) {
    double half = (b - a) / 2, middle = (a + b) / 2, sum = 0;
    for (int i = 0; i < GAUSS; i++)
        sum += weight[i] * (integrand(m, run, of, middle - half * node[i]) +
                            integrand(m, run, of, middle + half * node[i]));
    return half * sum;
}

// From a to b, within one phase; `whole` is Gauss's rule there. Pieces still to be halved stand on
// a stack: the first of them ends where the last one taken did.
static double integrate(jd_measuring *m, jd_run *run, const jd_measure *of, double a, double b) {
    double end[DEEP + 2], sum = 0, from = a, largest = fabs(m->window[of - m->measure].integral);
    int n = 1, depth[DEEP + 2] = {0};
    end[0] = b;
    while (n > 0) {
        double to = end[n - 1], middle = (from + to) / 2, whole = gauss(m, run, of, from, to),
               halves = gauss(m, run, of, from, middle) + gauss(m, run, of, middle, to);
        largest = fmax(largest, fabs(halves));
        if (fabs(halves - whole) <= agree * largest || depth[n - 1] == DEEP) {
            sum += halves;
            from = to;
            n--;
            continue;
        }
        depth[n] = ++depth[n - 1];
        end[n++] = middle;
    }
    return sum;
}

// Three looks with the middle one above (sign 1) or below (-1) both others: the extreme.
static double refine(jd_measuring *m, jd_run *run, const jd_measure *of, double sign, double t[3],
                     double f[3]) {
    for (int i = 0; i < PARABOLAS; i++) {
        double a = t[1] - t[0], b = t[2] - t[1], p = (f[1] - f[0]) / a, q = (f[2] - f[1]) / b,
               curvature = (q - p) / (a + b), at = 0.5 * (t[0] + t[1]) - p / (2 * curvature);
        if (!(at > t[0] && at < t[2]) || fabs(at - t[1]) < 1e-9 * (t[2] - t[0])) break;
        double value = look(m, run, of, at);
        bool right = at > t[1], better = sign * value > sign * f[1];
        int drop = right == better ? 0 : 2;
        if (better) {
            t[drop] = t[1];
            f[drop] = f[1];
            t[1] = at;
            f[1] = value;
        } else {
            t[drop] = at;
            f[drop] = value;
        }
    }
    return f[1];
}

static void include(jd_measure_window *w, double value) {
    w->max = fmax(w->max, value);
    w->min = fmin(w->min, value);
}

static void add_look(jd_measuring *m, jd_run *run, int k, double t) {
    jd_measure_window *w = &m->window[k];
    if (w->n > 0 && t <= w->t[w->n - 1]) return;
    double f = look(m, run, &m->measure[k], t);
    include(w, f);
    if (w->n == 3) {
        memmove(w->t, w->t + 1, 2 * sizeof *w->t);
        memmove(w->f, w->f + 1, 2 * sizeof *w->f);
        w->n = 2;
    }
    w->t[w->n] = t;
    w->f[w->n++] = f;
    if (w->n < 3) return;
    double sign = w->f[1] > w->f[0] && w->f[1] > w->f[2]   ? 1
                  : w->f[1] < w->f[0] && w->f[1] < w->f[2] ? -1
                                                           : 0;
    if (sign == 0) return;
    jd_measure_window copy = *w;
    include(w, refine(m, run, &m->measure[k], sign, copy.t, copy.f));
}

// A stretch of one phase, which the run has reached the end of.
typedef struct stretch {
    double phase;    // when the phase began
    double from, to; // since the last look
    double end;      // of the period: integrals end there
} stretch;

// More looks where one of its ends is near an extreme.
static void look_closer(jd_measuring *m, jd_run *run, int k, const stretch *s) {
    const jd_measure_window *w = &m->window[k];
    double from = w->f[w->n - 1], to = look(m, run, &m->measure[k], s->to);
    if (fmax(from, to) < w->high && fmin(from, to) > w->low) return;
    for (int i = 1; i < CLOSER; i++) add_look(m, run, k, s->from + (s->to - s->from) * i / CLOSER);
}

static void look_along(jd_measuring *m, jd_run *run, const stretch *s) {
    for (int k = 0; k < m->n; k++) {
        const jd_measure *of = &m->measure[k];
        double to = fmin(s->to, s->end);
        if (!is_looked_at(of)) continue;
        if (is_integral(of) && to > s->from && !m->closer) {
            m->window[k].integral += integrate(m, run, of, s->from, to);
            m->window[k].last = integrand(m, run, of, to);
        }
        if (of->quantity == JD_MEASURE_ENERGY) continue;
        if (m->window[k].n == 0) add_look(m, run, k, s->phase);
        if (m->closer) look_closer(m, run, k, s);
        add_look(m, run, k, s->to);
    }
}

// Goes to `to`, within the present phase, and looks along the way; false: an event comes before it,
// rounding has moved it.
static jd_status look_up_to(jd_measuring *m, jd_run *run, stretch *s, double to, bool *there) {
    jd_step step;
    *there = true;
    if (to <= s->from) return JD_OK;
    JD_TRY(jd_run_advance(run, to, &step));
    *there = step == JD_STEP_TIME;
    if (!*there) return JD_OK;
    s->to = to;
    keep(m, run, TRAIL - 1);
    look_along(m, run, s);
    go_to(m, run, to);
    move_on(m);
    s->from = to;
    return JD_OK;
}

static void begin_phase(jd_measuring *m, jd_run *run) {
    for (int k = 0; k < m->n; k++) m->window[k].n = 0;
    for (int k = 0; k < TRAIL - 1; k++) keep(m, run, k);
    m->trail[TRAIL - 1].t = HUGE_VAL;
}

// What an integral lacks up to the event at `at`, which came a little early.
static void complete(jd_measuring *m, const stretch *s, double at) {
    for (int k = 0; k < m->n; k++)
        if (is_looked_at(&m->measure[k]) && is_integral(&m->measure[k]) && at < s->end)
            m->window[k].integral += m->closer ? 0 : m->window[k].last * (at - s->from);
}

// The period once more, looked at between its events, up to 1e-9 periods before each, then as
// closely as rounding allows. A little beyond the period: an extreme at its very end or start is
// between two looks as well.
static jd_status go_round(jd_measuring *m, jd_run *run, const jd_measured_period *p) {
    stretch s = {.phase = p->start, .from = p->start, .end = p->start + p->length};
    JD_TRY(run->class->map.restart(run, p->start, p->state, p->phase));
    begin_phase(m, run);
    for (int i = 1, event = 0, n = p->n_event; i <= LOOKS + 2;) {
        int rounds = n ? event / n : 0; // whole periods before this event
        double t = p->start + p->length * i / LOOKS,
               at = n ? p->event[event % n].t + p->length * rounds : HUGE_VAL;
        bool there = true;
        jd_step step;
        if (at > t) {
            JD_TRY(look_up_to(m, run, &s, t, &there));
            if (run->stop != JD_STOP_NONE) return JD_OK;
            i++;
            continue;
        }
        JD_TRY(look_up_to(m, run, &s, at - margin * p->length, &there));
        if (there) JD_TRY(look_up_to(m, run, &s, nextafter(at, 0), &there));
        if (!there) complete(m, &s, at);
        event++;
        JD_TRY(jd_run_advance(run, at, &step));
        s.phase = s.from = at;
        begin_phase(m, run);
    }
    return JD_OK;
}

static double pick(const jd_measure *m, double max, double min) {
    return m->kind == JD_MEASURE_MAX ? max : m->kind == JD_MEASURE_MIN ? min : (max - min) / 2;
}

// Approach speeds of the impacts; 0: none.
static void impacts(const jd_measure *m, const jd_measured_period *p, double *min, double *max) {
    *max = -HUGE_VAL;
    *min = HUGE_VAL;
    for (int i = 0; i < p->n_event; i++) {
        const jd_event *e = &p->event[i];
        if (e->contact != m->contact || !jd_event_is_impact(e)) continue;
        *max = fmax(*max, fabs(e->speed));
        *min = fmin(*min, fabs(e->speed));
    }
    if (*max < 0) *min = *max = 0;
}

// Work of the impulses of a contact: p (v- + v+)/2 with v+ = -e v-.
static double impact_loss(const jd_measure *m, const jd_run *run, const jd_measured_period *p) {
    const jd_contact_def *d = jd_problem_contact(run->problem, m->contact)->def;
    const jd_stop_def *stop = jd_law_stop_of(&d->law);
    double lost = 0;
    for (int i = 0; stop && i < p->n_event; i++) {
        const jd_event *e = &p->event[i];
        if (e->contact == m->contact && jd_event_is_impact(e))
            lost += fabs(e->impulse * e->speed) * (1 - stop->restitution) / 2;
    }
    return lost;
}

void jd_measuring_range(const jd_measuring *m, int i, const jd_measured_period *p, double *min,
                        double *max) {
    const jd_measure *of = &m->measure[i];
    const jd_measure_window *w = &m->window[i];
    const jd_contact_ranges *r = is_range(of) ? &p->ranges[of->contact] : NULL;
    if (of->quantity == JD_MEASURE_IMPACT) {
        impacts(of, p, min, max);
        return;
    }
    const jd_range *range = !r                                        ? NULL
                            : of->quantity == JD_MEASURE_DISPLACEMENT ? &r->displacement
                            : of->quantity == JD_MEASURE_VELOCITY     ? &r->velocity
                                                                      : &r->force;
    *min = range ? range->min : w->min;
    *max = range ? range->max : w->max;
    if (of->quantity == JD_MEASURE_ENERGY) *min = *max = m->value[i];
}

// The second time round, where there are extremes to be found.
static jd_status go_closer(jd_measuring *m, jd_run *run, const jd_measured_period *p) {
    for (int i = 0; i < m->n; i++) {
        jd_measure_window *w = &m->window[i];
        bool wanted = is_looked_at(&m->measure[i]) && !is_integral(&m->measure[i]);
        m->closer |= wanted;
        w->high = wanted ? w->max - nearly * (w->max - w->min) : HUGE_VAL;
        w->low = wanted ? w->min + nearly * (w->max - w->min) : -HUGE_VAL;
    }
    jd_status status = m->closer ? go_round(m, run, p) : JD_OK;
    m->closer = false;
    return status;
}

jd_status jd_measuring_take(jd_measuring *m, jd_run *run, const jd_measured_period *p) {
    for (int i = 0; i < m->n; i++)
        m->window[i] = (jd_measure_window){.max = -HUGE_VAL, .min = HUGE_VAL};
    if (jd_measuring_looks(m)) JD_TRY(go_round(m, run, p));
    JD_TRY(go_closer(m, run, p));
    for (int i = 0; i < m->n; i++) {
        const jd_measure *of = &m->measure[i];
        double min, max;
        if (of->kind == JD_MEASURE_RMS)
            m->value[i] = sqrt(m->window[i].integral / p->length);
        else if (of->quantity == JD_MEASURE_ENERGY)
            m->value[i] = m->window[i].integral + impact_loss(of, run, p);
        else {
            jd_measuring_range(m, i, p, &min, &max);
            m->value[i] = pick(of, max, min);
        }
    }
    return JD_OK;
}
