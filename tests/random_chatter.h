// random_chatter.h -- drawn models whose bounces accumulate: pressed onto stops that lose energy.
//   A constant force presses the first contact, now a stop, while another drive lets it go again:
//   bounces, rest under the drive, release and new bounces, several times. What else there is
//   (second stops, belts, friction at rest and sliding, several bodies) is as drawn.
#ifndef JD_TESTS_RANDOM_CHATTER_H
#define JD_TESTS_RANDOM_CHATTER_H

#include "random_model.h"

static inline random_model random_draw_chatter(unsigned long long seed, bool scaled) {
    random_model m = random_draw(seed, scaled);
    random_contact *c = &m.contact[0];
    random_drive *press = &m.drive[1];
    c->law = RANDOM_STOP;
    for (int j = 0; j < m.contacts; j++) {
        random_contact *other = &m.contact[j];
        double x = draw(&m, 0, 1);
        other->restitution = draw(&m, 0.1, 0.9);
        other->gap = x < 0.25 ? 0 : x < 0.85 ? draw(&m, 0.01, 0.3) : draw(&m, 0.3, 2);
        other->both = other->gap > 0 && chance(&m, 0.15);
        if (other->law == RANDOM_STOP) other->velocity *= 0.05;
    }
    if (m.drives == 0) draw_drive(&m, &m.drive[0]);
    draw_drive(&m, press);
    m.drives = 2;
    m.drive[0].base = press->base = false;
    press->kind = RANDOM_CONSTANT, press->mode = 0;
    press->at = c->at;
    press->start = 0, press->amplitude = draw(&m, 0.1, 1.5);
    m.drive[0].frequency = m.drive[0].mode > 0 ? m.drive[0].frequency : draw(&m, 0.1, 1.5);
    m.budget = 2500;
    return m;
}

#endif
