// random_write.h -- a drawn model as the text of a model file, in its scales, units and order.
#ifndef JD_TESTS_RANDOM_WRITE_H
#define JD_TESTS_RANDOM_WRITE_H

#include <stdarg.h>
#include <unistd.h>

#include "random_model.h"

typedef struct random_text {
    const random_model *m;
    size_t n;
    char text[RANDOM_TEXT];
} random_text;

__attribute__((format(printf, 2, 3))) static inline void put(random_text *w, const char *format,
                                                             ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(w->text + w->n, sizeof w->text - w->n, format, list);
    va_end(list);
    w->n += (size_t)n;
    if (n < 0 || w->n >= sizeof w->text) abort();
}

// Exponents of mass, length and time.
typedef struct dimension {
    int mass, length, time;
} dimension;

static const dimension of_nothing = {0, 0, 0}, of_length = {0, 1, 0}, of_speed = {0, 1, -1},
                       of_time = {0, 0, 1}, of_rate = {0, 0, -1}, of_mass = {1, 0, 0},
                       of_force = {1, 1, -2}, of_spring = {1, 0, -2}, of_density = {1, -1, 0},
                       of_bending = {1, 3, -2}, of_dashpot = {1, 0, -1},
                       of_acceleration = {0, 1, -2};

static inline double in_scale(const random_model *m, double x, dimension d) {
    return x * pow(m->mass, d.mass) * pow(m->length, d.length) * pow(m->time, d.time);
}

static inline void put_number(random_text *w, double x, dimension d) {
    const random_model *m = w->m;
    bool bare = !m->units || !(d.mass || d.length || d.time);
    put(w, "%.17g", in_scale(m, x, d) * (!bare && m->milli ? pow(1000, d.length) : 1));
    if (bare) return;
    if (d.mass) put(w, " kg^%d", d.mass);
    if (d.length) put(w, " %s^%d", m->milli ? "mm" : "m", d.length);
    if (d.time) put(w, " s^%d", d.time);
}

static inline void put_value(random_text *w, const char *key, double x, dimension d) {
    put(w, ", %s: ", key);
    put_number(w, x, d);
}

static inline void put_list(random_text *w, const char *key, int n, const double *x, dimension d) {
    put(w, ", %s: [", key);
    for (int i = 0; i < n; i++) {
        if (i) put(w, ", ");
        put_number(w, x[i], d);
    }
    put(w, "]");
}

static inline void put_damping(random_text *w, const random_body *b) {
    if (b->damping == 0) return;
    if (b->damping == 1) {
        put(w, ", damping: {type: ratio");
        put_list(w, "value", body_modes(b), b->ratio, of_nothing);
    } else {
        put(w, ", damping: {type: rayleigh");
        put_value(w, "mass", b->alpha, of_rate);
        put_value(w, "stiffness", b->beta, of_time);
    }
    put(w, "}");
}

static inline void put_places(random_text *w, const random_body *b) {
    put(w, ", points: {");
    for (int p = 0; p < RANDOM_POINTS; p++) {
        put(w, "%sp%d: ", p ? ", " : "", p);
        if (b->type == RANDOM_CHAIN)
            put(w, "{node: %d}", b->node[p]);
        else if (b->type == RANDOM_MATRICES)
            put(w, "{node: %d, dof: 1}", b->node[p]);
        else
            put_number(w, b->place[p], of_length);
    }
    put(w, "}");
}

static inline void put_continuum(random_text *w, const random_body *b) {
    static const char *const name[] = {"string", "rod", "beam", "", "fe-beam", "fe-rod"};
    static const char *const modulus[] = {"tension", "axial_stiffness",   "bending_stiffness",
                                          "",        "bending_stiffness", "axial_stiffness"};
    static const char *const end[] = {"free", "fixed", "clamped"};
    bool bends = b->type == RANDOM_BEAM || b->type == RANDOM_FE_BEAM;
    put(w, "type: %s", name[b->type]);
    put_value(w, "length", 1, of_length);
    put_value(w, "mass_per_length", 1, of_density);
    put_value(w, modulus[b->type], b->stiffness, bends ? of_bending : of_force);
    put(w, ", %s: %d", b->type >= RANDOM_FE_BEAM ? "elements" : "modes", b->size);
    put(w, ", supports: {left: %s, right: %s}", end[b->left], end[b->right]);
}

static inline void put_chain(random_text *w, const random_body *b) {
    int springs = b->size - 1 + b->left + b->right;
    double k[RANDOM_MODES + 1];
    for (int i = 0; i < springs; i++) k[i] = b->spring[i % RANDOM_MODES];
    put(w, "type: chain, count: %d", b->size);
    put_list(w, "mass", b->size, b->mass, of_mass);
    if (springs > 0) put_list(w, "stiffness", springs, k, of_spring);
    put(w, ", supports: {left: %s, right: %s}", b->left ? "fixed" : "free",
        b->right ? "fixed" : "free");
}

static inline void put_modes(random_text *w, const random_body *b) {
    put(w, "type: modes");
    put_list(w, "omega", b->size, b->omega, of_rate);
    if (b->damping) put_list(w, "ratio", b->size, b->ratio, of_nothing);
    put(w, ", shapes: {");
    for (int p = 0; p < RANDOM_POINTS; p++) {
        put(w, "%sp%d: [", p ? ", " : "", p);
        for (int k = 0; k < b->size; k++)
            put(w, "%s%.17g", k ? ", " : "", b->shape[p][k] / sqrt(w->m->mass));
        put(w, "]");
    }
    put(w, "}");
}

// Masses of a chain that are also coupled by inertia, as Matrix Market files.
static inline void write_matrix(const random_model *m, int body, const char *name, bool stiff) {
    char path[400];
    const random_body *b = &m->body[body];
    snprintf(path, sizeof path, "%s/%s-%d-%s.mtx", m->folder, m->tag, body, name);
    FILE *f = fopen(path, "w");
    if (!f) abort();
    fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", b->size, b->size,
            2 * b->size - 1);
    for (int i = 0; i < b->size; i++) {
        double right = i + 1 < b->size ? b->spring[i + 1] : 0, d = b->mass[i];
        double left = i == 0 && !b->left ? 0 : b->spring[i];
        if (stiff) d = left + right;
        fprintf(f, "%d %d %.17g\n", i + 1, i + 1, in_scale(m, d, stiff ? of_spring : of_mass));
        if (i + 1 == b->size) break;
        double o = stiff ? -right : 0.2 * fmin(b->mass[i], b->mass[i + 1]);
        fprintf(f, "%d %d %.17g\n", i + 2, i + 1, in_scale(m, o, stiff ? of_spring : of_mass));
    }
    if (fclose(f)) abort();
}

static inline void put_body(random_text *w, int i) {
    const random_body *b = &w->m->body[i];
    put(w, "  b%d: {", i);
    if (b->type == RANDOM_CHAIN) {
        put_chain(w, b);
    } else if (b->type == RANDOM_MODES_GIVEN) {
        put_modes(w, b);
    } else if (b->type == RANDOM_MATRICES) {
        write_matrix(w->m, i, "mass", false);
        write_matrix(w->m, i, "stiffness", true);
        put(w, "type: matrices, mass: %s-%d-mass.mtx, stiffness: %s-%d-stiffness.mtx", w->m->tag, i,
            w->m->tag, i);
    } else {
        put_continuum(w, b);
    }
    if (b->type != RANDOM_MODES_GIVEN) {
        put_places(w, b);
        put_damping(w, b);
    }
    put(w, "}\n");
}

static inline void put_contact(random_text *w, int j) {
    const random_contact *c = &w->m->contact[j];
    put(w, "  c%d: {at: b%d.p%d, against: ", j, c->at.body, c->at.point);
    if (c->against == 0) put(w, "ground");
    if (c->against == 1) {
        put(w, "{velocity: ");
        put_number(w, c->velocity, of_speed);
        put(w, "}");
    }
    if (c->against == 2) put(w, "b%d.p%d", c->other.body, c->other.point);
    if (c->law == RANDOM_STOP) {
        put(w, ", law: {type: stop, restitution: %.17g, sides: %s", c->restitution,
            c->both ? "both" : "one");
        put_value(w, "gap", c->gap, of_length);
    } else {
        put(w, ", law: {type: %s", c->law == RANDOM_AFFINE ? "affine" : "coulomb");
        put_value(w, "limit", c->limit, of_force);
        if (c->law == RANDOM_AFFINE) put_value(w, "slope", c->slope, of_dashpot);
        if (c->law == RANDOM_COULOMB && c->static_limit > 0)
            put_value(w, "static_limit", c->static_limit, of_force);
    }
    put(w, "}}\n");
}

static inline void put_drive(random_text *w, int i) {
    static const char *const name[] = {"harmonic", "constant", "pulse", "ramp", "table"};
    const random_drive *d = &w->m->drive[i];
    dimension of = d->base ? of_acceleration : of_force;
    put(w, "  d%d: {type: %s", i, name[d->kind]);
    if (d->base)
        put(w, ", of: base");
    else
        put(w, ", at: b%d.p%d", d->at.body, d->at.point);
    if (d->kind == RANDOM_CONSTANT) put_value(w, "value", d->amplitude, of);
    if (d->kind != RANDOM_CONSTANT && d->kind != RANDOM_TABLE_DRIVE)
        put_value(w, "amplitude", d->amplitude, of);
    if (d->kind == RANDOM_HARMONIC) {
        put_value(w, "phase", d->phase, of_nothing);
        if (d->mode > 0)
            put(w, ", frequency: {times: %.17g, mode: %d}", d->frequency, d->mode);
        else
            put_value(w, "frequency", d->frequency, of_rate);
    }
    if (d->kind == RANDOM_PULSE || d->kind == RANDOM_RAMP) {
        put_value(w, "start", d->start, of_time);
        put_value(w, "duration", d->duration, of_time);
    }
    if (d->kind == RANDOM_PULSE) {
        put(w, ", shape: %s, repeat: %d", d->shape ? "half-sine" : "rectangle", d->repeat);
        put_value(w, "every", d->every, of_time);
    }
    if (d->kind == RANDOM_TABLE_DRIVE) {
        put_list(w, "time", RANDOM_TABLE, d->time, of_time);
        put_list(w, "value", RANDOM_TABLE, d->value, of);
    }
    put(w, "}\n");
}

// Mass-normalised coordinates: displacement times the root of a mass.
static inline void put_start(random_text *w) {
    const random_model *m = w->m;
    double q[RANDOM_MOST_MODES], v[RANDOM_MOST_MODES], root = sqrt(m->mass);
    if (m->start != 1) {
        put(w, "start: %s\n", m->start ? "static" : "rest");
        return;
    }
    int n = 0, last = m->modes;
    for (int i = 0; i < m->bodies; i++) { // in the order the bodies are written
        int count = body_modes(&m->body[i]), from = m->reversed ? last - count : n;
        for (int k = 0; k < count; k++)
            q[from + k] = m->q[n + k] * root, v[from + k] = m->v[n + k] * root;
        n += count, last -= count;
    }
    put(w, "start: {type: state, of: modes");
    put_list(w, "displacement", m->modes, q, of_length);
    put_list(w, "velocity", m->modes, v, of_speed);
    put(w, "}\n");
}

static inline void random_write(const random_model *m, random_text *w) {
    w->m = m, w->n = 0;
    put(w, "judder: 1\nbodies:\n");
    for (int i = 0; i < m->bodies; i++) put_body(w, m->reversed ? m->bodies - 1 - i : i);
    put(w, "contacts:\n");
    for (int j = 0; j < m->contacts; j++) put_contact(w, m->order[j]);
    if (m->drives) put(w, "drives:\n");
    for (int d = 0; d < m->drives; d++) put_drive(w, d);
    put_start(w);
    put(w, "simulate: {event_budget: %d, until: ", m->budget);
    put_number(w, m->until, of_time);
    put(w, "}\n%s", m->sections ? m->sections : "");
}

// The matrices that writing left behind.
static inline void random_clean(const random_model *m) {
    static const char *const name[] = {"mass", "stiffness"};
    for (int i = 0; i < 2 * m->bodies; i++) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s-%d-%s.mtx", m->folder, m->tag, i / 2, name[i % 2]);
        if (m->body[i / 2].type == RANDOM_MATRICES) unlink(path);
    }
}

#endif
