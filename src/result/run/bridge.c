// bridge.c -- modes of a string driven by sampled forces: z' = s z + n F, F straight from sample to
// sample.
//   z(t + d) = e^{sd} z + w0 F(t) + w1 F(t + d),  w1 = (g - d)/(s d),  w0 = g - w1,
//   g = (e^{sd} - 1)/s;   q = Im z/Im s
#include "result/run/bridge.h"
#include "base/constants.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "contact/law.h"
#include "drive/segment.h"
#include "kernel/cartesian.h"
#include "problem/initial.h"
#include "problem/memory.h"

enum { REST = 4000 }; // modes summed for the static share of those that are not followed

struct jd_bridge {
    const jd_problem *problem;
    int n, n_place, n_contact; // modes followed; places of forces, contacts first
    double *row;               // n_place x n: participations
    double *weight;            // n: b_k
    double *stiff;             // n_place: static force at the bridge per force, of modes above
    double complex *z, *turn, *w0, *w1; // n
    double *w;                          // n: Im s
    double *before, *now;               // n_place: forces
    int *column;                        // n_contact: where a contact's force is in a row
    bool started;
};

static jd_status refuse(jd_recording *r, const char *why, const char *hint) {
    jd_fail(r->context, JD_NOT_SUPPORTED, "the force at the bridge is not known: %s", why);
    jd_fail_where(r->context, "--signal");
    jd_fail_hint(r->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

static jd_status check(jd_recording *r) {
    const jd_problem *p = r->problem;
    const jd_object *body = jd_problem_body(p, 0);
    if (jd_problem_bodies(p) != 1 || strcmp(body->type->name, "string") != 0)
        return refuse(r, "the model is no single string", "take the force of a contact instead");
    const jd_string_def *d = body->def;
    if (d->supports.left != JD_FIXED)
        return refuse(r, "the string's left end is not fixed", "write `left: fixed`");
    if (r->start > 0)
        return refuse(r, "the run goes on from an earlier one", "run from the very start");
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        if (!c->at.point) return refuse(r, "a contact acts along a span", "take a point");
        if (jd_law_stop_of(&c->law) && d->modes != JD_INFINITE)
            return refuse(r, "impacts have no force", "write `modes: infinite`");
    }
    return JD_OK;
}

static jd_status take(jd_recording *r, const jd_response *response, jd_bridge *b) {
    b->n_contact = jd_response_contacts(response);
    b->n_place = b->n_contact + jd_problem_drives(r->problem);
    b->row = JD_TAKE(r->arena, double, b->n_place * b->n);
    b->weight = JD_TAKE(r->arena, double, b->n);
    b->w = JD_TAKE(r->arena, double, b->n);
    b->stiff = JD_TAKE(r->arena, double, b->n_place);
    b->before = JD_TAKE(r->arena, double, b->n_place);
    b->now = JD_TAKE(r->arena, double, b->n_place);
    b->column = JD_TAKE(r->arena, int, b->n_contact);
    double complex **list[] = {&b->z, &b->turn, &b->w0, &b->w1};
    for (int i = 0; i < 4; i++) *list[i] = JD_TAKE(r->arena, double complex, b->n);
    return jd_arena_status(r->arena);
}

static jd_status find_columns(jd_recording *r, jd_bridge *b) {
    for (int j = 0; j < b->n_contact; j++) {
        const char *name =
            jd_arena_format(r->arena, "%s.force", jd_problem_contact(r->problem, j)->name);
        if (!name) return JD_OUT_OF_MEMORY;
        for (int i = 1; i < r->head.n_column; i++)
            if (strcmp(r->head.column[i], name) == 0) b->column[j] = i;
    }
    return JD_OK;
}

// Weights of one mode with poles of s^2 + c s + omega^2.
static jd_status set_mode(jd_recording *r, jd_bridge *b, int k, double omega, double c, double d) {
    double a = c / 2;
    if (a >= omega) return refuse(r, "a mode is overdamped", "take less damping");
    double complex s = cartesian(-a, sqrt((omega - a) * (omega + a)));
    double complex g = (b->turn[k] = cexp(s * d), (b->turn[k] - 1) / s);
    b->w1[k] = (g - d) / (s * d);
    b->w0[k] = g - b->w1[k];
    b->w[k] = cimag(s);
    return JD_OK;
}

static jd_status set_modes(jd_recording *r, jd_bridge *b, const jd_response *response,
                           const jd_response_modes *m, double every) {
    const jd_string_def *d = jd_problem_body(r->problem, 0)->def;
    double speed = sqrt(d->tension / d->mass_per_length);
    double norm = d->tension * sqrt(2 / (d->mass_per_length * d->length)) / speed;
    JD_TRY(take(r, response, b));
    for (int k = 0; k < b->n; k++) {
        b->weight[k] = norm * m->omega[k];
        JD_TRY(set_mode(r, b, k, m->omega[k], m->c[k], every));
    }
    for (int j = 0; j < b->n_place; j++)
        for (int k = 0; k < m->n; k++) {
            double n = m->row[j * m->n + k];
            if (k < b->n)
                b->row[j * b->n + k] = n;
            else
                b->stiff[j] += norm * n / m->omega[k];
        }
    return find_columns(r, b);
}

// Mode k of a shape: omega_k^2 q_k = its forces times its participation (problem/shape.h).
static void add_shape(const jd_start_places *at, const jd_response_modes *m, int k, double *q,
                      double *rate) {
    double w2 = m->omega[k] * m->omega[k];
    *q = at->held >= 0 ? at->force * m->row[at->held * m->n + k] / w2 : 0;
    *rate = at->pushed >= 0 ? at->rate * m->row[at->pushed * m->n + k] : 0;
}

static jd_status set_start(jd_recording *r, jd_bridge *b, const jd_start_places *at,
                           const jd_response_modes *m) {
    int n = jd_problem_system(r->problem)->modal.n;
    double *q = JD_TAKE(r->arena, double, n), *rate = JD_TAKE(r->arena, double, n);
    JD_TRY(jd_arena_status(r->arena));
    JD_TRY(jd_problem_initial(r->problem, q, rate));
    bool shape = at->held >= 0 || at->pushed >= 0;
    for (int k = 0; k < b->n; k++) {
        double own = k < n ? q[k] : 0, own_rate = k < n ? rate[k] : 0;
        if (shape) add_shape(at, m, k, &own, &own_rate);
        b->z[k] = cartesian(own_rate + m->c[k] / 2 * own, b->w[k] * own);
    }
    return JD_OK;
}

static jd_status make(jd_recording *r, const jd_response *response, const jd_start_places *at,
                      double every, double highest, jd_bridge *b) {
    jd_response_modes m;
    JD_TRY(jd_response_modes_of(response, REST, r->arena, &m));
    while (b->n < m.n && m.omega[b->n] <= 2 * JD_PI * highest) b->n++;
    JD_TRY(set_modes(r, b, response, &m, every));
    return set_start(r, b, at, &m);
}

jd_status jd_bridge_create(jd_recording *r, double every, double highest, jd_bridge **out) {
    jd_response *response;
    *out = NULL;
    JD_TRY(check(r));
    jd_bridge *b = JD_TAKE(r->arena, jd_bridge, 1);
    JD_TRY(jd_arena_status(r->arena));
    *b = (jd_bridge){.problem = r->problem};
    jd_start_forces forces;
    jd_start_places at;
    JD_TRY(jd_start_infinite_forces(r->problem, r->arena, &forces));
    JD_TRY(jd_problem_response_from(r->context, r->problem, &forces, &at, &response));
    jd_status s = make(r, response, &at, every, highest, b);
    jd_response_free(response);
    if (s == JD_OK) *out = b;
    return s;
}

static double drive_force(const jd_problem *p, int i, double t) {
    const jd_object *d = jd_problem_drive(p, i);
    jd_drive_segment s;
    jd_drive_segment_at(d, jd_drive_omega(d, jd_problem_drive_frequency(p, i)), t, &s);
    return s.amplitude * sin(s.omega * t + s.phase) + s.level + s.slope * (t - s.start);
}

static double push(const jd_bridge *b, const double *force, int k) {
    double sum = 0;
    for (int j = 0; j < b->n_place; j++) sum += b->row[j * b->n + k] * force[j];
    return sum;
}

double jd_bridge_force(jd_bridge *b, const double *row) {
    double sum = 0, *last = b->before;
    for (int j = 0; j < b->n_place; j++)
        b->now[j] = j < b->n_contact ? row[b->column[j]]
                                     : drive_force(b->problem, j - b->n_contact, row[0]);
    for (int k = 0; k < b->n; k++) {
        if (b->started)
            b->z[k] = b->turn[k] * b->z[k] + b->w0[k] * push(b, b->before, k) +
                      b->w1[k] * push(b, b->now, k);
        sum += b->weight[k] * cimag(b->z[k]) / b->w[k];
    }
    for (int j = 0; j < b->n_place; j++) sum += b->stiff[j] * b->now[j];
    b->started = true;
    b->before = b->now;
    b->now = last;
    return sum;
}
