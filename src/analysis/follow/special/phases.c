// phases.c -- the sequence of phases of an orbit, as a string.
//   One word per event: the letters after it, an impact marked by `!`; the letters alone without
//   events; bounces of chatter are left out (chatter.c). Of all places where the period
//   could start the one that sorts first is taken, so that it does not matter where a round begins.
#include <math.h>
#include <string.h>

#include "analysis/follow/curve.h"
#include "judder/expsum.h"

typedef struct words {
    const char *text; // n words of `width` letters
    int n, width;
} words;

static int compare(const words *w, int a, int b) {
    return memcmp(w->text + a * w->width, w->text + b * w->width, (size_t)w->width);
}

// Start of the rotation that sorts first (two candidates run against each other).
static int first_rotation(const words *w) {
    int a = 0, b = 1, k = 0;
    while (a < w->n && b < w->n && k < w->n) {
        int d = compare(w, (a + k) % w->n, (b + k) % w->n);
        if (d == 0) {
            k++;
            continue;
        }
        if (d > 0)
            a += k + 1;
        else
            b += k + 1;
        if (a == b) b++;
        k = 0;
    }
    return a < b ? a : b;
}

// Words after which the string repeats itself.
static int repeat_of(const words *w, int start) {
    for (int p = 1; p < w->n; p++) {
        int i = 0;
        while (w->n % p == 0 && i < w->n &&
               compare(w, (start + i) % w->n, (start + i + p) % w->n) == 0)
            i++;
        if (i == w->n) return p;
    }
    return w->n;
}

void jd_phase_string(const curve *c, char *out, size_t size, rhythm *r) {
    int m = jd_problem_contacts(c->problem), n = c->events.n_listed;
    char letters[JD_GUARD_LIMIT + 1] = {0}, text[MOST_EVENTS * 8];
    words w = {.text = text, .width = m + 1};
    jd_phase_text(&c->sh->phase, letters);
    size_t at = 0, room = sizeof text / (size_t)w.width;
    for (int i = 0; i < n && (size_t)i < room; i++) {
        const jd_event *e = &c->sh->last.event[c->events.listed[i]];
        letters[e->contact] = jd_contact_letter(e->to);
        text[w.n * w.width] = jd_event_is_impact(e) ? '!' : ' ';
        memcpy(text + w.n++ * w.width + 1, letters, (size_t)m);
    }
    int start = w.n > 1 ? first_rotation(&w) : 0;
    if (r) {
        r->n = w.n < MOST_EVENTS ? w.n : 0; // too many to be compared
        r->repeat = repeat_of(&w, start);
        r->start = start;
        for (int i = 0; i < r->n; i++) {
            int event = c->events.listed[(start + i) % w.n];
            r->time[i] = (c->events.begin[event] - c->sh->start) / c->sh->period;
            r->end[i] = (c->sh->last.event[event].t - c->sh->start) / c->sh->period;
        }
    }
    for (int i = 0; i < w.n && at + (size_t)m + 3 < size; i++) {
        const char *word = text + (start + i) % w.n * w.width;
        if (i > 0 && m > 1) out[at++] = ' ';
        if (word[0] == '!') out[at++] = '!';
        memcpy(out + at, word + 1, (size_t)m);
        at += (size_t)m;
    }
    if (w.n == 0 && (size_t)m < size) {
        memcpy(out, letters, (size_t)m);
        at = (size_t)m;
    }
    out[at] = 0;
}

// Rigid stops are open between impacts, which are told apart by their speed, not by their length.
static bool has_impacts(const curve *c) {
    for (int i = 0; i < c->events.n_listed; i++)
        if (c->sh->last.event[c->events.listed[i]].impulse != 0) return true;
    return false;
}

jd_contact_state jd_shortest_phase(const curve *c, double *length_out) {
    int n = c->events.n_listed;
    double shortest = HUGE_VAL;
    jd_contact_state state = JD_CONTACT_STATE_COUNT;
    bool impacts = has_impacts(c);
    for (int i = 0; i < n; i++) {
        const jd_event *e = &c->sh->last.event[c->events.listed[i]];
        bool counts = e->to != JD_CONTACT_OPEN || !impacts;
        for (int k = 1; k <= n && counts; k++) { // until this contact's next event
            int next = (i + k) % n;
            if (c->sh->last.event[c->events.listed[next]].contact != e->contact) continue;
            double length = c->sh->last.event[c->events.listed[next]].t -
                            c->events.begin[c->events.listed[i]] + (next <= i ? c->sh->period : 0);
            if (length < shortest) {
                shortest = length;
                state = e->to;
            }
            break;
        }
    }
    *length_out = shortest;
    return state;
}

static double moved(const rhythm *a, const rhythm *b, int i) {
    double d = b->time[i] - a->time[i];
    return d - round(d);
}

// Events of a string that repeats itself within the period cannot be told apart: no comparison.
static bool comparable(const rhythm *a, const rhythm *b) {
    return a->n == b->n && a->repeat == a->n && b->repeat == b->n;
}

double jd_sequence_surprise(const rhythm *a, const rhythm *b, const double *rate, double length) {
    double largest = 0;
    for (int i = 0; comparable(a, b) && i < a->n; i++) {
        double expected = rate[i] * length;
        largest = fmax(largest, fabs(moved(a, b, i) - expected) - 0.25 * fabs(expected));
    }
    return largest;
}

double jd_sequence_kink(const rhythm *a, const rhythm *m, const rhythm *b, bool *first) {
    double largest = 0;
    *first = false;
    for (int i = 0; comparable(a, m) && comparable(m, b) && i < a->n; i++) {
        double one = moved(a, m, i), two = moved(m, b, i), kink = fabs(one - two);
        if (kink <= largest) continue;
        largest = kink;
        *first = fabs(one) > fabs(two);
    }
    return largest;
}

void jd_sequence_rate(const rhythm *a, const rhythm *b, double length, double *rate) {
    for (int i = 0; i < a->n; i++)
        rate[i] = comparable(a, b) && length > 0 ? moved(a, b, i) / length : 0;
}
