// snapshot.c -- the engine's state as bytes: the start of the present step, which is found again
// bit for bit from its length and the inverse of the held contacts. Counts are those before the
// step was searched.
#include <math.h>
#include <string.h>

#include "engine/series/series.h"

typedef struct numbers {
    double t0, unit, age, most, dt;
    double energy0, loads, margin, proved, storm_start, chatter_error, chatter_motion, error;
    int64_t events, undecided, searches, reclosed, steps, storm, idle, brief;
} numbers;

// Works of the drives; losses, impacts, belts and wear of the cells; damping.
static size_t n_sum(const series *s) { return (size_t)s->plan.n_drive + 4 * (size_t)s->plan.m + 1; }

static size_t n_real(const series *s) {
    return 2 * (size_t)s->plan.n + (size_t)s->plan.n_slider + n_sum(s);
}

static size_t n_byte(const series *s) {
    return 3 * (size_t)s->plan.n_slider + 4 * (size_t)s->plan.n_normal;
}

static size_t n_held(const series *s) {
    size_t most = (size_t)s->held.most;
    return most * most * sizeof(double) + (most + 3) * sizeof(int32_t);
}

size_t jd_series_state_size(const jd_run *run) {
    const series *s = run->state;
    return sizeof(numbers) + n_real(s) * sizeof(double) + n_byte(s) + n_held(s);
}

// Copies one array after the other, out of the state (to) or into it (from).
typedef struct tape {
    char *to;
    const char *from;
} tape;

static void pass(tape *t, void *x, size_t size) {
    if (t->to) {
        memcpy(t->to, x, size);
        t->to += size;
    } else if (t->from) {
        memcpy(x, t->from, size);
        t->from += size;
    }
}

static void pass_arrays(series *s, tape *t) {
    size_t n = (size_t)s->plan.n * sizeof(double), i = (size_t)s->plan.n_slider,
           a = (size_t)s->plan.n_normal;
    pass(t, s->state.q, n);
    pass(t, s->state.p, n);
    pass(t, s->state.T, i * sizeof(double));
    pass(t, s->ledger.sums, n_sum(s) * sizeof(double));
    pass(t, s->state.slide, i);
    pass(t, s->state.slide_order, i);
    pass(t, s->state.slide_side, i);
    pass(t, s->state.closed, a);
    pass(t, s->state.inside, a);
    pass(t, s->state.normal_order, a);
    pass(t, s->state.normal_side, a);
}

// The inverse in front of a field of most x most numbers, the rest 0.
static void save_held(const series *s, char *to) {
    const series_held *h = &s->held;
    size_t most = (size_t)h->most, n = (size_t)h->n;
    int32_t head[3] = {h->n, h->updates, h->known && h->updatable};
    memset(to, 0, n_held(s));
    memcpy(to, head, sizeof head);
    for (size_t i = 0; i < n; i++) {
        int32_t item = h->item[i];
        memcpy(to + sizeof head + i * sizeof item, &item, sizeof item);
    }
    memcpy(to + (most + 3) * sizeof(int32_t), h->inverse, n * n * sizeof(double));
}

// False: the contacts named are not those that the states hold.
static bool load_held(series *s, const char *from) {
    series_held *h = &s->held;
    size_t most = (size_t)h->most;
    int32_t head[3], item;
    memcpy(head, from, sizeof head);
    h->known = h->updatable = false;
    if (!head[2]) return true; // made anew
    if (head[0] < 0 || head[0] > h->most || head[1] < 0 || head[1] > 1000000) return false;
    h->n = head[0];
    h->updates = head[1];
    for (int i = 0; i < h->n; i++) {
        memcpy(&item, from + sizeof head + (size_t)i * sizeof item, sizeof item);
        if (item < 0 || item >= s->plan.n_slider + s->plan.n_normal) return false;
        h->item[i] = item;
    }
    size_t n = (size_t)h->n;
    memcpy(h->inverse, from + (most + 3) * sizeof item, n * n * sizeof(double));
    if (!jd_state_finite(n * n, h->inverse) || !jd_series_take_held(s)) return false;
    h->updatable = h->known = true;
    return true;
}

jd_status jd_series_save(jd_run *run, char *to) {
    series *s = run->state;
    if (s->queue.next < s->queue.n)
        return jd_fail(run->context, JD_BAD_ARGUMENT,
                       "a run cannot be saved between events of one instant");
    const series_count *c = s->ready ? &s->before : &s->count;
    numbers n = {.t0 = s->state.t0,
                 .unit = s->state.unit,
                 .age = s->state.age,
                 .most = s->state.most,
                 .dt = s->ready ? s->terms.dt : s->step.next_dt,
                 .energy0 = s->ledger.energy0,
                 .loads = s->ledger.loads,
                 .margin = c->margin,
                 .proved = c->proved,
                 .storm_start = c->storm_start,
                 .chatter_error = c->chatter_error,
                 .chatter_motion = c->chatter_motion,
                 .error = c->error,
                 .events = s->count.events,
                 .undecided = c->undecided,
                 .searches = c->searches,
                 .reclosed = c->reclosed,
                 .steps = c->steps,
                 .storm = c->storm,
                 .idle = c->idle,
                 .brief = s->step.brief};
    tape t = {.to = to};
    pass(&t, &n, sizeof n);
    pass_arrays(s, &t);
    save_held(s, t.to);
    return JD_OK;
}

static const char *wrong_numbers(const jd_run *run, const numbers *n) {
    const int64_t count[] = {n->events, n->undecided, n->searches, n->reclosed,
                             n->steps,  n->storm,     n->idle};
    const double part[] = {n->unit,        n->age,           n->most,           n->loads, n->proved,
                           n->storm_start, n->chatter_error, n->chatter_motion, n->error};
    if (!(n->t0 >= 0 && n->t0 <= run->t)) return "the time of its step is";
    if (!(n->dt > 0 && n->dt < 1e300)) return "the length of its step is";
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        if (!jd_state_count(count[i]) || (i == 6 && count[i] > 1000000)) return "a count is";
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (!(part[i] >= 0 && isfinite(part[i]))) return "an error or a size is";
    return isfinite(n->energy0) && !isnan(n->margin) ? NULL : "an energy or a margin is";
}

static bool within(size_t n, const int8_t *x, int low, int high) {
    for (size_t i = 0; i < n; i++)
        if (x[i] < low || x[i] > high) return false;
    return true;
}

static const char *wrong_arrays(const series *s) {
    size_t i = (size_t)s->plan.n_slider, a = (size_t)s->plan.n_normal;
    for (int k = 0; k < s->plan.n; k++)
        if (!(fabs(s->state.q[k]) < 1e100 && fabs(s->state.p[k]) < 1e100)) return "the motion is";
    if (!jd_state_finite(i, s->state.T)) return "a force is";
    if (!jd_state_finite(n_sum(s), s->ledger.sums)) return "an energy is";
    if (!within(i, s->state.slide, -1, SERIES_FREE) || !within(i, s->state.slide_order, 0, 3) ||
        !within(i, s->state.slide_side, -1, 2) || !within(a, s->state.closed, -1, 1) ||
        !within(a, s->state.inside, -1, 1) || !within(a, s->state.normal_order, 0, 3) ||
        !within(a, s->state.normal_side, -1, 1))
        return "the state of a contact is";
    for (size_t k = 0; k < i; k++) // free sliders and open normal parts go together
        if ((s->state.slide[k] == SERIES_FREE) != (s->state.closed[s->plan.slider[k].normal] == 0))
            return "the state of a contact is";
    for (size_t k = 0; k < a; k++)
        if (s->plan.normal[k].kind == NORMAL_ONE && s->state.closed[k] != 1)
            return "the state of a contact is";
    return NULL;
}

jd_status jd_series_load(jd_run *run, const char *from, size_t size) {
    series *s = run->state;
    (void)size; // as state_size says
    numbers n = {0};
    tape t = {.from = from};
    pass(&t, &n, sizeof n);
    pass_arrays(s, &t);
    const char *wrong = wrong_numbers(run, &n);
    if (!wrong) wrong = wrong_arrays(s);
    if (wrong) return jd_state_refuse(run, wrong);
    s->state.t0 = n.t0;
    s->state.unit = n.unit;
    s->state.age = n.age;
    s->state.most = n.most;
    s->step.next_dt = n.dt;
    s->step.brief = n.brief != 0;
    s->ledger.energy0 = n.energy0;
    s->ledger.loads = n.loads;
    s->count = (series_count){.events = (long)n.events,
                              .undecided = (long)n.undecided,
                              .searches = (long)n.searches,
                              .reclosed = (long)n.reclosed,
                              .steps = (long)n.steps,
                              .storm = (long)n.storm,
                              .storm_start = n.storm_start,
                              .margin = n.margin,
                              .proved = n.proved,
                              .chatter_error = n.chatter_error,
                              .chatter_motion = n.chatter_motion,
                              .error = n.error,
                              .idle = (int)n.idle};
    for (int i = 0; i < s->plan.n_slider; i++)
        s->count.plane |= s->plan.slider[i].partner >= 0 && n.events > 0;
    if (!load_held(s, t.from)) return jd_state_refuse(run, "the set of held contacts is");
    s->ready = false;
    s->queue.n = s->queue.next = 0;
    jd_series_find_step(s);
    jd_series_letters(s);
    return JD_OK;
}
