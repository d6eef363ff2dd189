// random_wide.h -- classes of models that random_draw leaves out, drawn on top of one of its
// models.
//   Contacts that depend on each other (the same point twice, more contacts than modes), free
//   bodies with weak or strong damping, two drives beside one resonance, slopes and ratios down to
//   nothing, contacts that are exactly alike and could let go at one time.
#ifndef JD_TESTS_RANDOM_WIDE_H
#define JD_TESTS_RANDOM_WIDE_H

#include "random_model.h"

typedef enum random_class {
    WIDE_DEPENDENT = 1,
    WIDE_FREE = 2,
    WIDE_BESIDE = 4, // drives beside a resonance
    WIDE_ALIKE = 8
} random_class;

static inline bool may_be_free(const random_body *b) {
    return b->type != RANDOM_BEAM && b->type != RANDOM_FE_BEAM && b->type != RANDOM_MODES_GIVEN;
}

// No supports; damping in proportion to mass or stiffness, of all sizes.
static inline void free_body(random_model *m, random_body *b) {
    if (!may_be_free(b)) return;
    b->left = b->right = 0;
    if (b->type == RANDOM_FE_ROD && b->size > 1) b->size--; // has one mode more
    b->damping = chance(m, 0.3) ? 0 : 2;
    b->alpha = draw_log(m, 1e-12, 1);
    b->beta = chance(m, 0.5) ? 0 : draw_log(m, 1e-6, 0.3);
}

// The last contacts at the points of the first, or more of them than there are modes.
static inline void depend(random_model *m) {
    if (chance(m, 0.4)) m->contacts = RANDOM_CONTACTS;
    for (int j = 1; j < m->contacts; j++) {
        random_contact *c = &m->contact[j];
        if (c->limit == 0 && c->restitution == 0) draw_contact(m, c);
        m->order[j] = j;
        if (chance(m, 0.6)) {
            c->at = m->contact[j - 1].at;
            c->against = m->contact[j - 1].against;
            c->velocity = m->contact[j - 1].velocity;
            c->other = m->contact[j - 1].other;
        }
    }
}

// Harmonic drives at one resonance or beside it; dashpots that hardly couple.
static inline void beside_resonance(random_model *m) {
    int least = RANDOM_MODES, rigid = 0;
    for (int b = 0; b < m->bodies; b++) {
        int n = body_modes(&m->body[b]);
        least = n < least ? n : least;
        rigid += !m->body[b].left && !m->body[b].right;
    }
    if (least <= rigid) return;
    m->drives = 1 + chance(m, 0.7);
    int mode = 1 + rigid + pick(m, least - rigid);
    for (int d = 0; d < m->drives; d++) {
        random_drive *x = &m->drive[d];
        if (x->amplitude == 0) draw_drive(m, x);
        x->kind = RANDOM_HARMONIC;
        x->mode = mode;
        double off = draw_log(m, 1e-16, 0.1) * (chance(m, 0.5) ? 1 : -1);
        x->frequency = chance(m, 0.3) ? 1 : 1 + off;
    }
    for (int j = 0; j < m->contacts; j++)
        if (m->contact[j].law == RANDOM_AFFINE) m->contact[j].slope = draw_log(m, 1e-12, 0.4);
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].damping == 1 && chance(m, 0.7))
            for (int k = 0; k < RANDOM_MODES; k++) m->body[b].ratio[k] = draw_log(m, 1e-12, 0.1);
}

// Two bodies that are one and the same, with the same contacts and drives; a third contact between.
static inline void alike(random_model *m) {
    m->bodies = 2;
    if (m->body[0].size > RANDOM_MODES / 2) m->body[0].size = RANDOM_MODES / 2;
    if (m->body[0].type == RANDOM_FE_BEAM) m->body[0].size = 1;
    for (int p = 0; p < RANDOM_POINTS; p++)
        if (m->body[0].node[p] > m->body[0].size) m->body[0].node[p] = m->body[0].size;
    m->body[1] = m->body[0];
    if (m->drives == 0) draw_drive(m, &m->drive[0]);
    m->drives = 2;
    m->contacts = 2 + chance(m, 0.4);
    random_contact *c = m->contact;
    if (c[2].limit == 0 && c[2].restitution == 0) draw_contact(m, &c[2]);
    c[0].against = c[0].against == 2 ? 0 : c[0].against;
    c[0].at.body = m->drive[0].at.body = 0;
    c[1] = c[0];
    m->drive[1] = m->drive[0];
    c[1].at.body = m->drive[1].at.body = 1;
    c[2].at = c[0].at, c[2].other = c[1].at, c[2].against = 2;
    if (chance(m, 0.5)) c[2].at.point = c[2].other.point = (c[0].at.point + 1) % RANDOM_POINTS;
    for (int j = 0; j < RANDOM_CONTACTS; j++) m->order[j] = j;
}

static inline random_model random_draw_wide(unsigned long long seed, bool scaled) {
    random_model m = random_draw(seed, scaled);
    int class = 1 + pick(&m, 15);
    if (class & WIDE_FREE)
        for (int b = 0; b < m.bodies; b++)
            if (b == 0 || chance(&m, 0.5)) free_body(&m, &m.body[b]);
    if ((class & WIDE_FREE) && chance(&m, 0.6))
        for (int j = 0; j < m.contacts; j++) m.contact[j].slope = draw_log(&m, 1e-12, 0.4);
    if (class & WIDE_ALIKE) alike(&m);
    if (class & WIDE_DEPENDENT && !(class & WIDE_ALIKE)) depend(&m);
    if (class & WIDE_BESIDE && !(class & WIDE_ALIKE)) beside_resonance(&m);
    m.modes = 0;
    for (int b = 0; b < m.bodies; b++) m.modes += body_modes(&m.body[b]);
    bool moves = chance(&m, 0.6), same = class & WIDE_ALIKE && m.start && chance(&m, 0.5);
    for (int k = 0; k < m.modes; k++) {
        m.q[k] = moves ? draw(&m, -0.5, 0.5) : 0;
        m.v[k] = draw(&m, -0.5, 0.5);
    }
    for (int k = 0; same && k < m.modes / 2; k++)
        m.q[m.modes / 2 + k] = m.q[k], m.v[m.modes / 2 + k] = m.v[k];
    if (m.drives == 0) m.start = 1;
    return m;
}

#endif
