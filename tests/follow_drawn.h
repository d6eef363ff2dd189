// follow_drawn.h -- small models drawn at random to be followed: chains with a stop, friction or
// both under a harmonic force.
#ifndef JD_TESTS_FOLLOW_DRAWN_H
#define JD_TESTS_FOLLOW_DRAWN_H

#include <math.h>

#include "draws.h"
#include "follow_case.h"

// A small model drawn at random, and what may be done to it without changing its motion.
typedef struct drawn {
    int modes, contacts, at[2];
    bool stop[2], both[2];
    double ratio, size[2], restitution[2], from, to;
    int pushed;
} drawn;

typedef struct viewpoint {
    double phase, time, length, mass; // shift of the drive [rad]; factors
    bool reversed;                    // order of contacts
} viewpoint;

static inline drawn draw(unsigned long long which) {
    seed = which * 7919 + 17;
    for (int i = 0; i < 8; i++) uniform(0, 1);
    drawn d = {.modes = 1 + (int)uniform(0, 3), .contacts = 1, .ratio = uniform(0.01, 0.1)};
    d.contacts += d.modes > 1 && uniform(0, 1) < 0.5;
    for (int j = 0; j < d.contacts; j++) {
        d.at[j] = j ? 1 : d.modes;
        d.stop[j] = j == 0 && uniform(0, 1) < 0.6;
        d.both[j] = uniform(0, 1) < 0.5;
        d.size[j] = d.stop[j] ? uniform(0.2, 1.2) : uniform(0.1, 0.6);
        d.restitution[j] = uniform(0.3, 0.95);
    }
    d.from = uniform(0.6, 2.5);
    d.to = d.from * (uniform(0, 1) < 0.5 ? 0.6 : 1.6);
    d.pushed = 1 + (int)uniform(0, d.modes);
    return d;
}

static inline int write_contact(char *out, size_t room, const drawn *d, int j, const viewpoint *x) {
    double force = x->mass * x->length / (x->time * x->time);
    if (d->stop[j])
        return snprintf(out, room,
                        "  c%d: {at: p%d, against: ground, law: {type: stop, gap: %.17g, "
                        "restitution: %.17g%s}}\n",
                        j, d->at[j], d->size[j] * x->length, d->restitution[j],
                        d->both[j] ? ", sides: both" : "");
    return snprintf(out, room,
                    "  c%d: {at: p%d, against: ground, law: {type: coulomb, limit: %.17g}}\n", j,
                    d->at[j], d->size[j] * force);
}

static inline void write_model(char *out, size_t room, const drawn *d, const viewpoint *x) {
    double stiffness = x->mass / (x->time * x->time), force = stiffness * x->length;
    int n = snprintf(out, room,
                     "judder: 1\n"
                     "structure: {type: chain, count: %d, mass: %.17g, stiffness: %.17g, damping: "
                     "{type: ratio, value: %.17g}, supports: {left: fixed, right: free}, points: "
                     "{p1: {node: 1}, p%d: {node: %d}%s}}\ncontacts:\n",
                     d->modes, x->mass, stiffness, d->ratio, d->modes > 1 ? d->modes : 9, d->modes,
                     d->modes == 3 ? ", p2: {node: 2}" : "");
    for (int k = 0; k < d->contacts; k++)
        n += write_contact(out + n, room - (size_t)n, d, x->reversed ? d->contacts - 1 - k : k, x);
    snprintf(out + n, room - (size_t)n,
             "drives: {force: {at: p%d, type: harmonic, amplitude: %.17g, frequency: %.17g, phase: "
             "%.17g}}\nstart: rest\norbit: {settle: 150 periods}\n"
             "follow: {parameter: drives.force.frequency, from: %.17g, to: %.17g, points: 1500, "
             "measure: c0.velocity.amplitude}\n",
             d->pushed, force, d->from / x->time, x->phase, d->from / x->time, d->to / x->time);
}

#endif
