// slip.c -- points along contacts that act along spans: the sliding velocity of the cell nearest
// to each.
#include <math.h>

#include "problem/interface.h"
#include "result/run/slip.h"

// Number of the body a contact acts on.
static int body_of(const jd_problem *p, const jd_contact_def *c) {
    for (int b = 0; c->at.body && b < jd_problem_bodies(p); b++) {
        const char *x = jd_problem_body(p, b)->name, *y = c->at.body;
        while (*x && *x == *y) x++, y++;
        if (*x == *y) return b;
    }
    return 0;
}

int jd_slip_places(const jd_problem *p, int n, const char *const *name, jd_slip_place *out) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        int body;
        double position;
        if (jd_problem_position(p, NULL, name[i], &body, &position) != JD_OK) continue;
        for (int j = 0; j < jd_problem_contacts(p); j++) {
            const jd_contact_def *c = jd_problem_contact(p, j)->def;
            if (c->at.point || body_of(p, c) != body) continue;
            if (position < c->at.from || position > c->at.to) continue;
            out[found++] = (jd_slip_place){name[i], j, position};
            break;
        }
    }
    return found;
}

int jd_slip_cell(int n, const double *position, double at) {
    int near = 0;
    for (int i = 1; i < n; i++)
        if (fabs(position[i] - at) < fabs(position[near] - at)) near = i;
    return near;
}

double jd_slip_at(jd_run *run, const jd_slip_place *place) {
    jd_interface_field f;
    if (!jd_run_interface(run, place->contact, &f)) return (double)NAN;
    return f.velocity[jd_slip_cell(f.n, f.position, place->position)];
}
