// snapshot.c -- the exact engine's state as bytes: the start of the present phase.
//   The search for the next event begins at the phase's start and does not know how far it was
//   asked to go, so a run that goes on from here repeats it bit for bit. Sums of the ledger are
//   taken as a report takes them: they may differ from those of a run without pause by rounding.
//   A state that comes back is looked at before it is used: its numbers must be such as a run has.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "engine/exact/ledger.h"
#include "engine/exact/ties.h"

typedef struct numbers {
    double t0, energy0, damping, margin, loss;
    double chatter_error, chatter_speed, chatter_motion, chatter_until, proved;
    double lost_place, lost_energy, largest_place, largest_energy;
    int64_t events, undecided, evaluations, not_unique, storm;
} numbers;

static size_t n_sum(const exact *e) { return (size_t)e->n_drive + 3 * (size_t)e->m; }

size_t jd_exact_state_size(const jd_run *run) {
    const exact *e = run->state;
    size_t reals = 2 * (size_t)e->n + 2 * (size_t)e->m + n_sum(e), whole = 3 * (size_t)e->m;
    return sizeof(numbers) + reals * sizeof(double) + whole * sizeof(int32_t);
}

static char *put(char *to, const void *from, size_t size) {
    memcpy(to, from, size);
    return to + size;
}

static const char *get(const char *from, void *to, size_t size) {
    memcpy(to, from, size);
    return from + size;
}

// Counters as they were before the present phase was started: starting it again counts again.
jd_status jd_exact_save(jd_run *run, char *to) {
    exact *e = run->state;
    if (e->next_queue < e->n_queue)
        return jd_fail(run->context, JD_BAD_ARGUMENT,
                       "a run cannot be saved between events of one instant");
    jd_ledger_harvest(e);
    const counters *c = e->started ? &e->before : NULL;
    const numbers n = {.t0 = e->t0,
                       .energy0 = e->energy0,
                       .damping = e->damping,
                       .margin = c ? c->margin : e->margin,
                       .chatter_error = e->chatter_error,
                       .chatter_speed = e->chatter_speed,
                       .chatter_motion = e->chatter_motion,
                       .chatter_until = e->chatter_until,
                       .proved = e->proved,
                       .loss = e->loss,
                       .lost_place = c ? c->lost.place : e->lost.place,
                       .lost_energy = c ? c->lost.energy : e->lost.energy,
                       .largest_place = e->largest.place,
                       .largest_energy = e->largest.energy,
                       .events = e->events,
                       .undecided = c ? c->undecided : e->undecided,
                       .evaluations = c ? c->evaluations : e->evaluations,
                       .not_unique = c ? c->not_unique : e->not_unique,
                       .storm = e->storm};
    to = put(to, &n, sizeof n);
    to = put(to, e->q, (size_t)e->n * sizeof *e->q);
    to = put(to, e->p, (size_t)e->n * sizeof *e->p);
    to = put(to, e->sums, n_sum(e) * sizeof *e->sums);
    to = put(to, e->force, (size_t)e->m * sizeof *e->force);
    to = put(to, e->slack, (size_t)e->m * sizeof *e->slack);
    for (int j = 0; j < e->m; j++) {
        const int32_t letters[3] = {(int32_t)e->marks[j], e->order[j], e->side[j]};
        to = put(to, letters, sizeof letters);
    }
    return JD_OK;
}

// Marks of friction and of stops differ; orders are those of zeros (resolve.c), sides signs.
static bool letters_fit(const contact *c, const int32_t letters[3]) {
    int32_t m = letters[0], order = letters[1], side = letters[2];
    bool known = c->stop ? m == OPEN || m == UPPER || (m == LOWER && c->both)
                         : m == HELD || m == PLUS || m == MINUS;
    return known && order >= LEANS && order <= HIGHEST_ORDER && side >= -1 && side <= 1;
}

static const char *wrong_numbers(const jd_run *run, const numbers *n) {
    const int64_t count[] = {n->events, n->undecided, n->evaluations, n->not_unique, n->storm};
    const double sum[] = {n->energy0, n->damping};
    const double part[] = {n->chatter_error, n->chatter_speed, n->chatter_motion, n->chatter_until,
                           n->proved,        n->loss,          n->lost_place,     n->lost_energy,
                           n->largest_place, n->largest_energy};
    if (!(n->t0 >= 0 && n->t0 <= run->t)) return "the time of its phase is";
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        if (!jd_state_count(count[i])) return "a count is";
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (!(part[i] >= 0)) return "an error is"; // it may be INFINITY
    return jd_state_finite(2, sum) && !isnan(n->margin) ? NULL : "an energy or a margin is";
}

static const char *wrong_arrays(const exact *e) {
    size_t m = (size_t)e->m;
    for (int k = 0; k < e->n; k++)
        if (!(fabs(e->q[k]) < 1e100 && fabs(e->p[k]) < 1e100)) return "the motion is";
    if (!jd_state_finite(n_sum(e), e->sums)) return "an energy is";
    bool fine = jd_state_finite(m, e->force) && jd_state_finite(m, e->slack);
    return fine ? NULL : "a force is";
}

jd_status jd_exact_load(jd_run *run, const char *from, size_t size) {
    exact *e = run->state;
    numbers n;
    (void)size; // as state_size says
    jd_ledger_forget(e);
    from = get(from, &n, sizeof n);
    from = get(from, e->q, (size_t)e->n * sizeof *e->q);
    from = get(from, e->p, (size_t)e->n * sizeof *e->p);
    from = get(from, e->sums, n_sum(e) * sizeof *e->sums);
    from = get(from, e->force, (size_t)e->m * sizeof *e->force);
    from = get(from, e->slack, (size_t)e->m * sizeof *e->slack);
    for (int j = 0; j < e->m; j++) {
        int32_t letters[3];
        from = get(from, letters, sizeof letters);
        if (!letters_fit(&e->contact[j], letters))
            return jd_state_refuse(run, "the state of a contact is");
        e->marks[j] = (mark)letters[0];
        e->order[j] = letters[1];
        e->side[j] = letters[2];
        run->phase[j] = mark_letter(e->marks[j]);
    }
    const char *wrong = wrong_numbers(run, &n);
    if (!wrong) wrong = wrong_arrays(e);
    if (wrong) return jd_state_refuse(run, wrong);
    e->t0 = n.t0;
    e->energy0 = n.energy0;
    e->damping = n.damping;
    e->margin = n.margin;
    e->chatter_error = n.chatter_error;
    e->chatter_speed = n.chatter_speed;
    e->chatter_motion = n.chatter_motion;
    e->chatter_until = n.chatter_until;
    e->proved = n.proved;
    e->loss = n.loss;
    e->lost = (lost_digits){n.lost_place, n.lost_energy};
    e->largest = (lost_digits){n.largest_place, n.largest_energy};
    e->events = (long)n.events;
    e->undecided = (long)n.undecided;
    e->evaluations = (long)n.evaluations;
    e->not_unique = (long)n.not_unique;
    e->storm = (long)n.storm;
    e->storm_start = n.t0;
    e->started = e->pending = false;
    e->n_queue = e->next_queue = 0;
    jd_exact_segments(e, e->t0);
    return JD_OK;
}
