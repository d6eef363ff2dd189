// event_lists.h -- comparing two lists of events of one motion, contact by contact.
//   Times within a tolerance, the same letters. Chatter that two methods end after different
//   numbers of bounces: the bounces more of one are passed over up to its closing, and events of
//   other contacts, which every bounce kicks, from the last bounce of the one that ended first to
//   three times the length behind the closing.
#ifndef JD_TESTS_EVENT_LISTS_H
#define JD_TESTS_EVENT_LISTS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "judder/run.h"

typedef struct event_list {
    int n;
    const jd_event *event;
    const int *contact; // number of each contact in a common order; NULL: its own
} event_list;

typedef struct event_window {
    double from, to;
    int contact;
} event_window;

enum { EVENT_WINDOWS = 2000, EVENT_MOST = 10000 };

typedef struct event_match {
    double until, tolerance;   // compared up to this time
    double closing;            // more for the time at which bounces end
    double place[16];          // rounding of each contact's displacement [m]: moves slow impacts
    double worst;              // largest difference of times so far
    double off;                // time of the first difference; HUGE_VAL: none
    jd_event a, b;             // what is different there; t = HUGE_VAL: none
    double closes[EVENT_MOST]; // list_closings() of the first list
    int n_window;
    event_window window[EVENT_WINDOWS];
} event_match;

static inline int list_contact(const event_list *l, int i) {
    return l->contact ? l->contact[l->event[i].contact] : l->event[i].contact;
}

static inline void list_windows(event_match *m, const event_list *l, int contact) {
    double last = -1;
    char kind = 0;
    for (int i = 0; i < l->n; i++) {
        const jd_event *e = &l->event[i];
        if (list_contact(l, i) != contact) continue;
        if (jd_contact_letter(e->to) == '|' && kind == 'o' && e->t > last &&
            m->n_window < EVENT_WINDOWS)
            m->window[m->n_window++] = (event_window){
                last - m->tolerance, e->t + 3 * (e->t - last) + m->tolerance, contact};
        kind = jd_contact_letter(e->from) == 'o' && jd_contact_letter(e->to) == 'o' ? 'o' : 0;
        last = e->t;
    }
}

// Is event i to be left out, because another contact chatters?
static inline bool in_window(const event_match *m, const event_list *l, int i) {
    const jd_event *e = &l->event[i];
    for (int k = 0; k < m->n_window; k++) {
        const event_window *w = &m->window[k];
        if (e->t > w->from && e->t <= w->to && w->contact != list_contact(l, i)) return true;
    }
    return false;
}

// The next event of the contact from i on that counts; n when there is none.
static inline int list_next(const event_match *m, const event_list *l, int i, int contact) {
    while (i < l->n && (list_contact(l, i) != contact || in_window(m, l, i))) i++;
    return i;
}

// `l` goes on bouncing from k while the other has closed at t: k moves to its closing.
static inline void pass_bounces(const event_match *m, const event_list *l, int *k, double t,
                                int contact) {
    int i = *k;
    while (i < l->n && jd_contact_letter(l->event[i].from) == 'o' &&
           jd_contact_letter(l->event[i].to) == 'o' && l->event[i].t <= t + m->tolerance)
        i = list_next(m, l, i + 1, contact);
    if (i < l->n && jd_contact_letter(l->event[i].to) == '|') *k = i;
}

// When the contact of each event closes for the first time after it; HUGE_VAL: it does not.
static inline void list_closings(event_match *m, const event_list *l) {
    double next[16];
    for (int j = 0; j < 16; j++) next[j] = HUGE_VAL;
    for (int i = l->n - 1; i >= 0; i--) {
        m->closes[i] = next[list_contact(l, i)];
        if (jd_contact_letter(l->event[i].to) == '|') next[list_contact(l, i)] = l->event[i].t;
    }
}

// What rounding of places does to the times of slow impacts up to t, and to all that follows them:
// each adds its own, until its contact has closed. Then place and speed are gone, with their error.
static inline double slowness(const event_match *m, const event_list *l, double t) {
    double sum = 0;
    for (int i = 0; i < l->n; i++)
        if (l->event[i].speed > 0 && l->event[i].t <= t + m->tolerance &&
            t <= m->closes[i] + m->tolerance)
            sum += m->place[list_contact(l, i)] / l->event[i].speed;
    return sum;
}

static inline void list_compare(event_match *m, const event_list *a, const event_list *b,
                                int contact) {
    const jd_event none = {.t = HUGE_VAL};
    int i = list_next(m, a, 0, contact), k = list_next(m, b, 0, contact);
    while (i < a->n || k < b->n) {
        if (i < a->n && jd_contact_letter(a->event[i].to) == '|')
            pass_bounces(m, b, &k, a->event[i].t, contact);
        if (k < b->n && jd_contact_letter(b->event[k].to) == '|')
            pass_bounces(m, a, &i, b->event[k].t, contact);
        const jd_event *x = i < a->n ? &a->event[i] : &none, *y = k < b->n ? &b->event[k] : &none;
        double first = fmin(x->t, y->t), apart = fabs(x->t - y->t);
        double within = m->tolerance + slowness(m, a, first);
        if (first > m->until - within || first >= m->off) return;
        if (jd_contact_letter(x->from) == jd_contact_letter(y->from) &&
            jd_contact_letter(x->to) ==
                jd_contact_letter(y->to)) // the same, later: with its own blur
            within = m->tolerance + slowness(m, a, x->t) +
                     (jd_contact_letter(x->to) == '|' ? m->closing : 0);
        if (!(apart <= within) || jd_contact_letter(x->from) != jd_contact_letter(y->from) ||
            jd_contact_letter(x->to) != jd_contact_letter(y->to)) {
            m->off = first, m->a = *x, m->b = *y;
            return;
        }
        m->worst = fmax(m->worst, apart);
        i = list_next(m, a, i + 1, contact);
        k = list_next(m, b, k + 1, contact);
    }
}

static inline void event_compare(event_match *m, const event_list *a, const event_list *b,
                                 int contacts) {
    m->off = HUGE_VAL, m->n_window = 0, m->worst = 0;
    list_closings(m, a);
    for (int j = 0; j < contacts; j++) list_windows(m, a, j), list_windows(m, b, j);
    for (int j = 0; j < contacts; j++) list_compare(m, a, b, j);
}

#endif
