// spring_lists.h -- events of contacts with springs: lists from contact.json, from the reference
// integrator and from runs, and comparing them.
#ifndef JD_TESTS_SPRING_LISTS_H
#define JD_TESTS_SPRING_LISTS_H

#include <stdint.h>

#include "spring_events.h"

enum { SPRING_EVENTS = 5000 };

// Letters: o open, | closed without friction, H stuck, + and - sliding.
typedef struct spring_change {
    double t;
    int contact;
    char from, to;
} spring_change;

typedef struct spring_changes {
    int n;
    spring_change e[SPRING_EVENTS];
} spring_changes;

// What changes at once at the start is where the motion starts from.
static inline void spring_push(spring_changes *l, double t, int contact, char from, char to) {
    if (l->n >= SPRING_EVENTS || !(t > 0)) return;
    l->e[l->n++] = (spring_change){t, contact, from == 'c' ? '|' : from, to == 'c' ? '|' : to};
}

static inline int spring_order(const void *a, const void *b) {
    const spring_change *x = a, *y = b;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    return x->contact - y->contact;
}

// In one order: events of one instant by contact; what impact and closing of one instant make of a
// contact is one change.
static inline void spring_sort(spring_changes *l, double instant) {
    for (int i = 0, k = 0; i < l->n; i = k) {
        for (k = i; k < l->n && l->e[k].t <= l->e[i].t + instant; k++) {
        }
        for (int a = i; a < k; a++) l->e[a].t = l->e[i].t;
        for (int a = i; a < k; a++)
            for (int b = a + 1; b < k; b++)
                if (l->e[a].contact == l->e[b].contact && l->e[a].contact >= 0)
                    l->e[a].to = l->e[b].to, l->e[b].contact = -1;
    }
    int n = 0;
    for (int i = 0; i < l->n; i++)
        if (l->e[i].contact >= 0) l->e[n++] = l->e[i];
    l->n = n;
    qsort(l->e, (size_t)n, sizeof *l->e, spring_order);
}

// Of contact.json: [time, letters before, letters after, more].
static inline void spring_expected(const json_t *events, spring_changes *l) {
    l->n = 0;
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *e = json_array_get(events, i);
        double t = json_number_value(json_array_get(e, 0));
        const char *a = json_string_value(json_array_get(e, 1));
        const char *b = json_string_value(json_array_get(e, 2));
        bool any = false;
        for (int j = 0; a[j]; j++)
            if (a[j] != b[j]) spring_push(l, t, j, a[j], b[j]), any = true;
        if (!any) spring_push(l, t, 0, a[0], b[0]); // an impact
    }
}

static inline void spring_of_reference(const sm_run *r, spring_changes *l) {
    l->n = 0;
    for (int i = 0; i < r->n_event; i++)
        spring_push(l, (double)r->event[i].t, r->event[i].contact, r->event[i].from,
                    r->event[i].to);
}

typedef struct spring_difference {
    int at;       // first event that differs; -1: none
    double worst; // largest difference of times before
} spring_difference;

// Events of `a` up to `until` against those of `b`, contact by contact, times within `tolerance`.
static inline spring_difference spring_compare(const spring_changes *a, const spring_changes *b,
                                               double until, double tolerance) {
    spring_difference d = {-1, 0};
    int next[SPRING_M] = {0};
    for (int i = 0; i < a->n && a->e[i].t < until; i++) {
        const spring_change *x = &a->e[i];
        int *k = &next[x->contact];
        while (*k < b->n && b->e[*k].contact != x->contact) ++*k;
        if (*k >= b->n || fabs(b->e[*k].t - x->t) > tolerance || b->e[*k].from != x->from ||
            b->e[*k].to != x->to) {
            d.at = i;
            return d;
        }
        d.worst = fmax(d.worst, fabs(b->e[*k].t - x->t));
        ++*k;
    }
    return d;
}

// Calls `each` with every run of contact.json: entries with a model and events, that are no orbits.
static inline void spring_each_run(const json_t *all,
                                   void (*each)(const char *name, const json_t *run)) {
    const char *section, *key;
    json_t *part, *x;
    json_object_foreach((json_t *)(uintptr_t)all, section, part) {
        if (!json_is_object(part)) continue;
        if (strcmp(section, "R7_many_contacts") == 0) each(section, part);
        json_object_foreach(part, key, x) {
            size_t n = json_is_array(x) ? json_array_size(x) : 1;
            for (size_t i = 0; i < n; i++) {
                const json_t *run = json_is_array(x) ? json_array_get(x, i) : x;
                char name[128];
                if (!json_is_object(json_object_get(run, "model")) ||
                    !json_object_get(run, "events") || json_object_get(run, "period"))
                    continue;
                snprintf(name, sizeof name, "%.2s.%s.%zu", section, key, i);
                each(name, run);
            }
        }
    }
}

#endif
