// random_model.h -- small models drawn from a seed, as numbers without units and as model files.
//   Every structure with modes, every counterpart, law and drive of the exact engine; gaps from 0,
//   restitution 0 to 1, undamped to overdamped, resonance, starts on a stop. Numbers are drawn of
//   order one and written as value x mass^a length^b time^c, so that scales and units of the same
//   model are a matter of writing it down.
#ifndef JD_TESTS_RANDOM_MODEL_H
#define JD_TESTS_RANDOM_MODEL_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RANDOM_BODIES = 2,
    RANDOM_MODES = 6, // of all bodies together, where none is made free or doubled
    RANDOM_MOST_MODES = 4 * RANDOM_MODES,
    RANDOM_POINTS = 3,
    RANDOM_CONTACTS = 3,
    RANDOM_DRIVES = 2,
    RANDOM_TABLE = 5,
    RANDOM_TEXT = 16384
};

typedef enum random_structure {
    RANDOM_STRING,
    RANDOM_ROD,
    RANDOM_BEAM,
    RANDOM_CHAIN,
    RANDOM_FE_BEAM,
    RANDOM_FE_ROD,
    RANDOM_MATRICES,
    RANDOM_MODES_GIVEN,
    RANDOM_STRUCTURES
} random_structure;

typedef struct random_body {
    random_structure type;
    int size;                    // modes of a continuum, elements, masses
    int left, right;             // 0 free, 1 fixed, 2 clamped
    double stiffness;            // T, EA or EI of unit length and unit mass per length
    double mass[RANDOM_MODES];   // chain, matrices
    double spring[RANDOM_MODES]; // to the left of each mass
    double omega[RANDOM_MODES];  // modes
    double shape[RANDOM_POINTS][RANDOM_MODES];
    double place[RANDOM_POINTS]; // position over length
    int node[RANDOM_POINTS];     // chain, matrices
    int damping;                 // 0 none, 1 ratio, 2 rayleigh
    double ratio[RANDOM_MODES], alpha, beta;
} random_body;

typedef struct random_point {
    int body, point;
} random_point;

typedef enum random_law { RANDOM_COULOMB, RANDOM_AFFINE, RANDOM_STOP } random_law;

typedef struct random_contact {
    random_point at, other;
    int against; // 0 ground, 1 velocity, 2 another point
    double velocity;
    random_law law;
    double limit, static_limit, slope; // static_limit 0: left out
    double gap, restitution;
    int both;
} random_contact;

typedef enum random_kind {
    RANDOM_HARMONIC,
    RANDOM_CONSTANT,
    RANDOM_PULSE,
    RANDOM_RAMP,
    RANDOM_TABLE_DRIVE
} random_kind;

typedef struct random_drive {
    random_kind kind;
    random_point at;
    bool base;
    double amplitude, frequency, phase, start, duration, every;
    int mode, shape, repeat; // mode > 0: frequency is a multiple of that of this mode
    double time[RANDOM_TABLE], value[RANDOM_TABLE];
} random_drive;

typedef struct random_model {
    unsigned long long seed, state;
    int bodies, contacts, drives;
    random_body body[RANDOM_BODIES];
    random_contact contact[RANDOM_CONTACTS];
    random_drive drive[RANDOM_DRIVES];
    int start; // 0 rest, 1 state of the modes, 2 static
    int modes; // of all bodies
    double q[RANDOM_MOST_MODES], v[RANDOM_MOST_MODES];
    double until;
    int budget;                 // events
    double mass, length, time;  // scales
    int order[RANDOM_CONTACTS]; // contacts are written in this order
    bool reversed;              // bodies are written from the last to the first
    bool units, milli;          // numbers carry units; lengths in mm
    char folder[256], tag[64];  // where matrices are written
    const char *sections;       // more text at the end; NULL: none
} random_model;

static inline double draw(random_model *m, double low, double high) {
    m->state = m->state * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(m->state >> 11) / 9007199254740992.0;
}

static inline bool chance(random_model *m, double p) { return draw(m, 0, 1) < p; }
static inline int pick(random_model *m, int n) { return (int)draw(m, 0, n); }
// Evenly over the orders of magnitude.
static inline double draw_log(random_model *m, double low, double high) {
    return low * pow(high / low, draw(m, 0, 1));
}

static inline double draw_ratio(random_model *m) {
    double x = draw(m, 0, 1);
    if (x < 0.15) return 0;
    if (x < 0.75) return draw_log(m, 1e-3, 0.2);
    if (x < 0.88) return draw(m, 0.2, 0.999);
    if (x < 0.91) return 1;
    return x < 0.94 ? 1 + draw(m, -1e-5, 1e-5) : draw_log(m, 1, 20);
}

static inline void draw_damping(random_model *m, random_body *b) {
    b->damping = pick(m, 3);
    bool one = chance(m, 0.5);
    for (int k = 0; k < RANDOM_MODES; k++) b->ratio[k] = one && k > 0 ? b->ratio[0] : draw_ratio(m);
    b->alpha = chance(m, 0.3) ? 0 : draw_log(m, 1e-3, 1);
    b->beta = chance(m, 0.3) ? 0 : draw_log(m, 1e-4, 0.3);
}

static inline void draw_body(random_model *m, random_body *b, int room) {
    static const double stiffness[] = {0.1, 0.4, 0.08, 0, 0.08, 0.4, 0, 0};
    b->type = (random_structure)pick(m, RANDOM_STRUCTURES);
    b->size = 1 + pick(m, room);
    if (b->type == RANDOM_FE_BEAM) b->size = room < 2 ? 1 : 1 + pick(m, room / 2);
    b->left = b->type == RANDOM_BEAM || b->type == RANDOM_FE_BEAM ? 2 : 1;
    b->right = chance(m, b->type == RANDOM_STRING ? 0.7 : 0.25);
    if (b->type == RANDOM_FE_BEAM || (b->type == RANDOM_FE_ROD && b->size < 2)) b->right = 0;
    if (chance(m, 0.08) && b->type != RANDOM_BEAM && b->type != RANDOM_FE_BEAM &&
        b->type != RANDOM_MODES_GIVEN)
        b->left = b->right = 0;
    if (b->type == RANDOM_FE_ROD && !b->left && b->size == room) b->size--; // has one mode more
    b->stiffness = stiffness[b->type] * draw(m, 0.5, 2);
    double omega = draw(m, 0.5, 2);
    for (int k = 0; k < RANDOM_MODES; k++) {
        b->mass[k] = draw(m, 0.3, 2);
        b->spring[k] = draw(m, 0.5, 4);
        b->omega[k] = omega;
        omega *= draw(m, 1.05, 2.2);
    }
    for (int p = 0; p < RANDOM_POINTS; p++) {
        b->place[p] = draw(m, 0.1 + 0.28 * p, 0.36 + 0.28 * p);
        b->node[p] = 1 + (p + pick(m, 2)) % b->size;
        for (int k = 0; k < RANDOM_MODES; k++) b->shape[p][k] = draw(m, -1.5, 1.5);
    }
    draw_damping(m, b);
    if (!b->left && !b->right) b->damping = 0; // damped rigid-body motion: not drawn yet
}

// Modes the engine will have of it.
static inline int body_modes(const random_body *b) {
    switch (b->type) {
    case RANDOM_FE_BEAM:
        return 2 * b->size; // clamped, free
    case RANDOM_FE_ROD:
        return b->size + 1 - (b->left == 1) - (b->right == 1);
    default:
        return b->size;
    }
}

static inline random_point draw_point(random_model *m) {
    random_point p = {pick(m, m->bodies), 0};
    p.point = pick(m, RANDOM_POINTS);
    return p;
}

// A point no contact uses yet, if a few draws find one: contacts then seldom depend on each other.
static inline random_point draw_free_point(random_model *m, const random_contact *c) {
    random_point p = draw_point(m);
    for (int tries = 0; tries < 8; tries++) {
        bool used = false;
        for (const random_contact *o = m->contact; o < c; o++)
            used |= m->body[p.body].place[p.point] == m->body[o->at.body].place[o->at.point];
        if (!used) break;
        p = draw_point(m);
    }
    return p;
}

static inline void draw_contact(random_model *m, random_contact *c) {
    double x = draw(m, 0, 1);
    c->at = draw_free_point(m, c);
    c->other = draw_point(m);
    c->against = x < 0.55 ? 0 : x < 0.78 ? 1 : 2;
    if (c->against == 2 && c->at.body == c->other.body && c->at.point == c->other.point)
        c->against = 0;
    c->velocity = draw(m, -0.4, 0.4);
    x = draw(m, 0, 1);
    c->law = x < 0.35 ? RANDOM_COULOMB : x < 0.53 ? RANDOM_AFFINE : RANDOM_STOP;
    c->limit = chance(m, 0.03) ? 0 : draw_log(m, 0.01, 1);
    c->static_limit = chance(m, 0.5) ? c->limit * draw(m, 1, 2) : 0;
    c->slope = draw(m, -0.08, 0.4);
    x = draw(m, 0, 1);
    c->gap = x < 0.2 ? 0 : x < 0.7 ? draw(m, 0.01, 0.3) : x < 0.9 ? draw(m, 0.3, 1) : 10;
    x = draw(m, 0, 1);
    c->restitution = x < 0.15 ? 0 : x < 0.3 ? 1 : draw(m, 0, 0.95);
    c->both = c->gap > 0 && chance(m, 0.3);
}

static inline void draw_drive(random_model *m, random_drive *d) {
    double x = draw(m, 0, 1);
    d->kind = x < 0.55   ? RANDOM_HARMONIC
              : x < 0.68 ? RANDOM_CONSTANT
              : x < 0.82 ? RANDOM_PULSE
              : x < 0.91 ? RANDOM_RAMP
                         : RANDOM_TABLE_DRIVE;
    d->at = draw_point(m);
    d->base = chance(m, 0.12);
    int least = RANDOM_MODES;
    for (int b = 0; b < m->bodies; b++) {
        int n = body_modes(&m->body[b]);
        if (n < least) least = n;
        if (m->body[b].type == RANDOM_MATRICES || m->body[b].type == RANDOM_MODES_GIVEN)
            d->base = false; // they do not say how their dofs move along
    }
    d->amplitude = draw_log(m, 0.1, 3) * (chance(m, 0.5) ? 1 : -1);
    x = draw(m, 0, 1);
    d->mode = x < 0.16 ? 1 + pick(m, least) : 0;
    d->frequency = x < 0.12 ? 1 : x < 0.16 ? 1 + draw_log(m, 1e-9, 1e-2) : draw(m, 0.2, 4);
    d->phase = chance(m, 0.3) ? 0 : draw(m, 0, 6.2);
    d->start = chance(m, 0.4) ? 0 : draw(m, 0, 10);
    d->duration = draw_log(m, 0.1, 6);
    d->shape = pick(m, 2);
    d->repeat = chance(m, 0.5) ? 1 : 2 + pick(m, 5);
    d->every = d->duration * draw(m, 1, 3);
    for (int i = 0; i < RANDOM_TABLE; i++) {
        d->time[i] = i == 0 ? (chance(m, 0.5) ? 0 : draw(m, 0, 2)) : d->time[i - 1] + draw(m, 1, 5);
        d->value[i] = draw(m, -2, 2);
    }
}

// A model with numbers of order one; `scaled`: lengths, masses and times from 1e-9 to 1e9.
static inline random_model random_draw(unsigned long long seed, bool scaled) {
    random_model m = {.seed = seed, .state = seed * 2862933555777941757ULL + 3037000493ULL};
    for (int i = 0; i < 8; i++) draw(&m, 0, 1);
    m.bodies = chance(&m, 0.25) ? 2 : 1;
    int room = RANDOM_MODES;
    for (int b = 0; b < m.bodies; b++) {
        draw_body(&m, &m.body[b], m.bodies == 2 ? RANDOM_MODES / 2 : room);
        m.modes += body_modes(&m.body[b]);
    }
    int most = m.modes < RANDOM_CONTACTS && chance(&m, 0.9) ? m.modes : RANDOM_CONTACTS;
    m.contacts = 1 + pick(&m, most);
    for (int j = 0; j < m.contacts; j++) draw_contact(&m, &m.contact[j]), m.order[j] = j;
    m.drives = chance(&m, 0.08) ? 0 : 1 + pick(&m, RANDOM_DRIVES);
    for (int d = 0; d < m.drives; d++) draw_drive(&m, &m.drive[d]);
    if (m.drive[0].mode > 0) m.drive[1].mode = 0; // drives of nearly one frequency: see exact.md
    double x = draw(&m, 0, 1);
    m.start = m.drives == 0 ? 1 : x < 0.5 ? 0 : 1;
    bool moves = chance(&m, 0.6);
    for (int k = 0; k < m.modes; k++) {
        m.q[k] = moves ? draw(&m, -0.5, 0.5) : 0;
        m.v[k] = draw(&m, -0.5, 0.5);
    }
    m.until = draw(&m, 15, 40);
    m.budget = 300;
    m.mass = m.length = m.time = 1;
    if (scaled && chance(&m, 0.5)) {
        m.mass = draw_log(&m, 1e-9, 1e9);
        m.length = draw_log(&m, 1e-9, 1e9);
        m.time = draw_log(&m, 1e-9, 1e9);
    }
    snprintf(m.folder, sizeof m.folder, ".");
    snprintf(m.tag, sizeof m.tag, "random");
    return m;
}

#endif
