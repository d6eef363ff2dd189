// snapshot.c -- the exact engine's state as bytes: the start of the present phase.
//   The search for the next event begins at the phase's start and does not know how far it was
//   asked to go, so a run that goes on from here repeats it bit for bit. Sums of the ledger are
//   taken as a report takes them: they may differ from those of a run without pause by rounding.
//   Saving changes nothing in the run itself.
//   A state that comes back is looked at before it is used: its numbers must be such as a run has.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "engine/exact/events/ties.h"
#include "engine/exact/observers/ledger.h"

typedef struct numbers {
    double t0, energy0, damping, margin, loss;
    double chatter_error, chatter_speed, chatter_motion, chatter_until, proved;
    double lost_place, lost_energy, largest_place, largest_energy;
    int64_t events, undecided, evaluations, not_unique, storm;
} numbers;

static size_t n_sum(const exact *e) { return (size_t)e->plan.n_drive + 3 * (size_t)e->plan.m; }

size_t jd_exact_state_size(const jd_run *run) {
    const exact *e = run->state;
    size_t reals = 2 * (size_t)e->plan.n + 2 * (size_t)e->plan.m + n_sum(e),
           whole = 3 * (size_t)e->plan.m;
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
    if (e->event.next_queue < e->event.n_queue)
        return jd_fail(run->context, JD_BAD_ARGUMENT,
                       "a run cannot be saved between events of one instant");
    double damping = e->ledger.damping;
    memcpy(e->ledger.kept, e->ledger.sums, n_sum(e) * sizeof *e->ledger.sums);
    jd_ledger_weigh(e);
    const counters *c = e->phase.started ? &e->phase.before : NULL;
    const numbers n = {.t0 = e->state.t0,
                       .energy0 = e->ledger.energy0,
                       .damping = e->ledger.damping,
                       .margin = c ? c->margin : e->state.margin,
                       .chatter_error = e->state.chatter_error,
                       .chatter_speed = e->state.chatter_speed,
                       .chatter_motion = e->state.chatter_motion,
                       .chatter_until = e->state.chatter_until,
                       .proved = e->state.proved,
                       .loss = e->state.loss,
                       .lost_place = c ? c->lost.place : e->state.lost.place,
                       .lost_energy = c ? c->lost.energy : e->state.lost.energy,
                       .largest_place = e->state.largest.place,
                       .largest_energy = e->state.largest.energy,
                       .events = e->state.events,
                       .undecided = c ? c->undecided : e->state.undecided,
                       .evaluations = c ? c->evaluations : e->state.evaluations,
                       .not_unique = c ? c->not_unique : e->state.not_unique,
                       .storm = e->state.storm};
    to = put(to, &n, sizeof n);
    to = put(to, e->state.q, (size_t)e->plan.n * sizeof *e->state.q);
    to = put(to, e->state.p, (size_t)e->plan.n * sizeof *e->state.p);
    to = put(to, e->ledger.sums, n_sum(e) * sizeof *e->ledger.sums);
    memcpy(e->ledger.sums, e->ledger.kept, n_sum(e) * sizeof *e->ledger.sums);
    e->ledger.damping = damping;
    to = put(to, e->state.force, (size_t)e->plan.m * sizeof *e->state.force);
    to = put(to, e->state.slack, (size_t)e->plan.m * sizeof *e->state.slack);
    for (int j = 0; j < e->plan.m; j++) {
        const int32_t marks[3] = {(int32_t)e->state.contact[j], e->state.order[j],
                                  e->state.side[j]};
        to = put(to, marks, sizeof marks);
    }
    return JD_OK;
}

// Marks of friction and of stops differ; orders are those of zeros (resolve.c), sides signs.
static bool marks_fit(const contact *c, const int32_t marks[3]) {
    int32_t m = marks[0], order = marks[1], side = marks[2];
    bool known = c->stop ? m == JD_CONTACT_OPEN || m == JD_CONTACT_CLOSED_ABOVE ||
                               (m == JD_CONTACT_CLOSED_BELOW && c->both)
                         : m == JD_CONTACT_STUCK || m == JD_CONTACT_SLIDING_PLUS ||
                               m == JD_CONTACT_SLIDING_MINUS;
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
    size_t m = (size_t)e->plan.m;
    for (int k = 0; k < e->plan.n; k++)
        if (!(fabs(e->state.q[k]) < 1e100 && fabs(e->state.p[k]) < 1e100)) return "the motion is";
    if (!jd_state_finite(n_sum(e), e->ledger.sums)) return "an energy is";
    bool fine = jd_state_finite(m, e->state.force) && jd_state_finite(m, e->state.slack);
    return fine ? NULL : "a force is";
}

jd_status jd_exact_load(jd_run *run, const char *from, size_t size) {
    exact *e = run->state;
    numbers n;
    (void)size; // as state_size says
    jd_ledger_forget(e);
    from = get(from, &n, sizeof n);
    from = get(from, e->state.q, (size_t)e->plan.n * sizeof *e->state.q);
    from = get(from, e->state.p, (size_t)e->plan.n * sizeof *e->state.p);
    from = get(from, e->ledger.sums, n_sum(e) * sizeof *e->ledger.sums);
    from = get(from, e->state.force, (size_t)e->plan.m * sizeof *e->state.force);
    from = get(from, e->state.slack, (size_t)e->plan.m * sizeof *e->state.slack);
    for (int j = 0; j < e->plan.m; j++) {
        int32_t marks[3];
        from = get(from, marks, sizeof marks);
        if (!marks_fit(&e->plan.contact[j], marks))
            return jd_state_refuse(run, "the state of a contact is");
        e->state.contact[j] = (jd_contact_state)marks[0];
        e->state.order[j] = marks[1];
        e->state.side[j] = marks[2];
        jd_run_set_state(run, j, e->state.contact[j]);
    }
    const char *wrong = wrong_numbers(run, &n);
    if (!wrong) wrong = wrong_arrays(e);
    if (wrong) return jd_state_refuse(run, wrong);
    e->state.t0 = n.t0;
    e->ledger.energy0 = n.energy0;
    e->ledger.damping = n.damping;
    e->state.margin = n.margin;
    e->state.chatter_error = n.chatter_error;
    e->state.chatter_speed = n.chatter_speed;
    e->state.chatter_motion = n.chatter_motion;
    e->state.chatter_until = n.chatter_until;
    e->state.proved = n.proved;
    e->state.loss = n.loss;
    e->state.lost = (lost_digits){n.lost_place, n.lost_energy};
    e->state.largest = (lost_digits){n.largest_place, n.largest_energy};
    e->state.events = (long)n.events;
    e->state.undecided = (long)n.undecided;
    e->state.evaluations = (long)n.evaluations;
    e->state.not_unique = (long)n.not_unique;
    e->state.storm = (long)n.storm;
    e->state.storm_start = n.t0;
    e->phase.started = e->phase.pending = false;
    e->event.n_queue = e->event.next_queue = 0;
    jd_exact_segments(e, e->state.t0);
    return JD_OK;
}
