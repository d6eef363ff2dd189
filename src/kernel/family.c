// family.c -- the modes of one body from its structure: kept ones, or the closed form of all.
#include <math.h>
#include <string.h>

#include "kernel/continua/continua.h"
#include "kernel/inside.h"
#include "linalg/eigen.h"
#include "structure/classes.h"
#include "structure/continua/beam_modes.h"
#include "structure/continua/supports.h"

enum { BEAM_TABLE = 4096, BEAM_LITTLE = 16384, BEAM_UNDAMPED = 20000 }; // modes looked up

// Rows of the places over the modes kept; NULL where the body has no part in the place.
static jd_status take_rows(jd_arena *arena, const jd_response_def *d, int body, jd_family *f) {
    int n = d->first[body + 1] - d->first[body];
    for (int i = 0; i < d->n_place; i++) {
        if (!d->place[i].row) continue;
        const jd_dd *from = d->place[i].row + d->first[body];
        bool any = false;
        for (int k = 0; k < n; k++) any = any || from[k].hi != 0;
        if (!any) continue;
        double *row = JD_TAKE(arena, double, n);
        if (!row) return JD_OUT_OF_MEMORY;
        for (int k = 0; k < n; k++) row[k] = dd_value(from[k]);
        f->place[i].row = row;
    }
    return JD_OK;
}

static void weigh(const jd_family *f, int n, int n_pole, const double *pole, const double *right,
                  jd_family *out) {
    for (int p = 0, to = 0; p < n_pole; p++) {
        if (pole[2 * p + 1] < 0) continue;
        double scale = pole[2 * p + 1] > 0 ? sqrt(2) : 1;
        memcpy(out->pole + 2 * (size_t)to, pole + 2 * (size_t)p, 2 * sizeof *pole);
        for (int i = 0; i < f->n_place; i++) {
            double *w = out->weight + 2 * ((size_t)i * (size_t)f->n + (size_t)to);
            for (int k = 0; f->place[i].row && k < n; k++) {
                const double *u = right + 2 * ((size_t)p * (size_t)n + (size_t)k);
                w[0] += scale * f->place[i].row[k] * u[0];
                w[1] += scale * f->place[i].row[k] * u[1];
            }
        }
        to++;
    }
}

// Poles and weights n_i'u_p of modes that a damping matrix couples.
static jd_status couple(jd_arena *arena, const jd_modal *m, jd_family *f) {
    size_t n = (size_t)m->n;
    double *w2 = JD_TAKE(arena, double, n), *pole = JD_TAKE(arena, double, 4 * n),
           *right = JD_TAKE(arena, double, 4 * n * n), *coupling = JD_TAKE(arena, double, n *n);
    f->omega = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(arena));
    for (size_t k = 0; k < n; k++) {
        w2[k] = dd_value(m->omega2[k]);
        f->omega[k] = dd_value(dd_sqrt(m->omega2[k]));
        for (size_t l = 0; l < n; l++) coupling[k * n + l] = m->C[k * n + l];
    }
    f->n_mode = m->n;
    f->coupling = coupling;
    JD_TRY(jd_eigen_quadratic(arena, m->n, w2, m->C, pole, right));
    int count = 0;
    for (size_t p = 0; p < 2 * n; p++) count += pole[2 * p + 1] >= 0;
    f->kind = JD_FAMILY_MATRIX;
    f->n = count;
    f->pole = JD_TAKE(arena, double, 2 * count);
    f->weight = JD_TAKE(arena, double, 2 * (size_t)count * (size_t)f->n_place);
    JD_TRY(jd_arena_status(arena));
    weigh(f, m->n, 2 * m->n, pole, right, f);
    return JD_OK;
}

static jd_status finite(jd_arena *arena, const jd_response_def *d, int body, jd_family *f) {
    const jd_modal *m = &d->body[body]->modal;
    f->kind = JD_FAMILY_MODES;
    f->n = m->n;
    JD_TRY(take_rows(arena, d, body, f));
    if (m->law == JD_DAMPING_FULL) return couple(arena, m, f);
    f->omega = JD_TAKE(arena, double, m->n);
    f->c = JD_TAKE(arena, double, m->n);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < m->n; k++) {
        f->omega[k] = dd_value(dd_sqrt(m->omega2[k]));
        f->c[k] = m->c ? m->c[k] : 0;
    }
    return JD_OK;
}

static jd_status take_rayleigh(jd_context *context, const jd_damping_rayleigh_def *d,
                               jd_family *f) {
    f->mass = d->mass;
    f->slope = d->stiffness;
    f->rayleigh = d->mass > 0 || d->stiffness > 0;
    if (!f->rayleigh || d->stiffness > 0) return JD_OK;
    jd_fail(context, JD_NOT_SUPPORTED,
            "infinitely many modes with damping by `mass` alone: all modes die at one rate, waves "
            "stay sharp and each draws a wake behind it, which is neither a sum of exponentials "
            "nor an echo");
    jd_fail_hint(context, "add a small `stiffness`, take `type: ratio`, or say how many modes to "
                          "keep");
    return JD_NOT_SUPPORTED;
}

static jd_status refuse_damping(jd_context *context, const jd_type *type) {
    jd_fail(context, JD_NOT_SUPPORTED,
            "infinitely many modes need one damping ratio for all of them, or Rayleigh damping, "
            "not damping of type %s",
            type->name);
    jd_fail_hint(context,
                 "write `damping: {type: ratio, value: D}` (a list: the last holds for all "
                 "higher modes), a `table` over frequency, or say how many modes to keep");
    return JD_NOT_SUPPORTED;
}

static jd_status refuse_tail(jd_context *context, double ratio, int n) {
    if (fabs(ratio - 1) <= 1e-9) {
        jd_fail(context, JD_NOT_SUPPORTED,
                "infinitely many modes cannot all be critically damped (damping ratio 1)");
        jd_fail_hint(context, "take a ratio a little off 1, or say how many modes to keep");
        return JD_NOT_SUPPORTED;
    }
    if (n == 0 || ratio > 0) return JD_OK;
    jd_fail(context, JD_NOT_SUPPORTED,
            "the last damping ratio holds for infinitely many modes and must not be 0 where the "
            "first have others");
    jd_fail_hint(context, "end the list or table with a small ratio, 1e-4 will do");
    return JD_NOT_SUPPORTED;
}

// The modes of a table lie below its last frequency.
static jd_status take_table(jd_arena *arena, const jd_damping_table_def *d, jd_family *f) {
    enum { MOST = 1000 };
    double last = d->frequency.value[d->frequency.n - 1];
    f->ratio = d->ratio.value[d->ratio.n - 1];
    while (f->n_own <= MOST && jd_family_omega(f, f->n_own) < last) f->n_own++;
    if (f->n_own > MOST) {
        jd_fail(jd_arena_context(arena), JD_NOT_SUPPORTED,
                "more than %d modes lie below the last frequency of the table, %.6g rad/s", MOST,
                last);
        jd_fail_hint(jd_arena_context(arena), "end the table earlier: its last ratio holds beyond");
        return JD_NOT_SUPPORTED;
    }
    f->own = JD_TAKE(arena, double, f->n_own + 1);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < f->n_own; k++) f->own[k] = jd_damping_table_at(d, jd_family_omega(f, k));
    return JD_OK;
}

// One damping ratio for all modes but the first few: what the closed forms hold for.
static jd_status take_ratio(jd_arena *arena, const jd_object *damping, jd_family *f) {
    jd_context *context = jd_arena_context(arena);
    f->ratio = 0;
    if (!damping->type || damping->type == &jd_damping_none) return JD_OK;
    if (damping->type == &jd_damping_rayleigh) return take_rayleigh(context, damping->def, f);
    if (damping->type == &jd_damping_table)
        JD_TRY(take_table(arena, damping->def, f));
    else if (damping->type == &jd_damping_ratio) {
        const jd_damping_ratio_def *d = damping->def;
        f->n_own = d->value.n - 1;
        f->ratio = d->value.value[f->n_own];
        f->own = JD_TAKE(arena, double, d->value.n);
        JD_TRY(jd_arena_status(arena));
        memcpy(f->own, d->value.value, (size_t)f->n_own * sizeof *f->own);
    } else {
        return refuse_damping(context, damping->type);
    }
    return refuse_tail(context, f->ratio, f->n_own);
}

static void take_load(const jd_response_load *load, int body, jd_family_place *to) {
    to->gentle = load->gentle;
    for (int e = 0; e < load->n; e++)
        if (load->body[e] == body)
            to->point[to->n++] = (jd_family_point){.x = load->x[e], .sign = load->share[e]};
}

// Positions of the points of each place on this body.
static jd_status take_points(jd_arena *arena, const jd_response_def *d, int body,
                             const jd_points *points, jd_family *f) {
    jd_context *context = jd_arena_context(arena);
    for (int i = 0; i < d->n_place; i++) {
        const jd_response_place *p = &d->place[i];
        f->place[i].point = JD_TAKE(arena, jd_family_point, p->load ? p->load->n : 2);
        JD_TRY(jd_arena_status(arena));
        if (p->load) {
            take_load(p->load, body, &f->place[i]);
            continue;
        }
        if (p->n_end == 0) {
            jd_fail(context, JD_NOT_SUPPORTED,
                    "drive `%s` shakes supports, which infinitely many modes cannot take", p->name);
            jd_fail_hint(context, "drive a point, or say how many modes to keep");
            return JD_NOT_SUPPORTED;
        }
        for (int e = 0; e < p->n_end; e++) {
            if (p->end[e].body != body) continue;
            const jd_point *point = &points->point[p->end[e].point];
            if (point->dof == 2)
                return jd_fail(context, JD_NOT_SUPPORTED,
                               "`%s` acts on a slope, where infinitely many modes respond without "
                               "bound at once",
                               p->name);
            f->place[i].point[f->place[i].n++] =
                (jd_family_point){.x = point->position, .sign = p->end[e].sign};
        }
    }
    return JD_OK;
}

// Limits of the second integrals, sum of n_ik n_jk c_k/omega_k^4; NaN with a rigid-body mode.
static jd_status settle(jd_arena *arena, jd_family *f) {
    f->settled = JD_TAKE(arena, double, f->n_place * f->n_place);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < f->n_place; i++)
        for (int j = 0; j < f->n_place; j++) {
            const double *a = f->place[i].row, *b = f->place[j].row;
            double sum = 0;
            for (int k = f->n - 1; a && b && k >= 0; k--)
                sum += a[k] * b[k] * 2 * f->ratio / (f->omega[k] * f->omega[k] * f->omega[k]);
            f->settled[i * f->n_place + j] = sum;
        }
    return JD_OK;
}

static jd_status beam_table(jd_arena *arena, jd_family *f) {
    int n = f->ratio > 0 || f->rayleigh ? BEAM_TABLE : BEAM_UNDAMPED;
    if (f->ratio > 0 && f->ratio < 0.004) n = BEAM_LITTLE; // of which a fit keeps many
    f->omega = JD_TAKE(arena, double, n);
    for (int i = 0; i < f->n_place; i++)
        if (f->place[i].n) f->place[i].row = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < n; k++) {
        f->omega[k] = jd_beam_omega(f, k); // f->n is still 0: computed, not looked up
        for (int i = 0; i < f->n_place; i++)
            if (f->place[i].n) f->place[i].row[k] = jd_beam_row(f, k, i);
    }
    f->n = n;
    return settle(arena, f);
}

static jd_status wave(jd_arena *arena, const jd_response_def *d, int body, bool string,
                      jd_family *f) {
    const jd_string_def *s = d->object[body]->def;
    const jd_rod_def *r = d->object[body]->def;
    const jd_supports *ends = string ? &s->supports : &r->supports;
    f->kind = JD_FAMILY_WAVE;
    f->length = string ? s->length : r->length;
    f->density = string ? s->mass_per_length : r->mass_per_length;
    f->stiffness = string ? s->tension : r->axial_stiffness;
    f->speed = sqrt(f->stiffness / f->density);
    f->left = jd_support_of_wave(ends->left);
    f->right = jd_support_of_wave(ends->right);
    JD_TRY(take_ratio(arena, string ? &s->damping : &r->damping, f));
    return take_points(arena, d, body, string ? &s->points : &r->points, f);
}

static jd_status beam(jd_arena *arena, const jd_response_def *d, int body, jd_family *f) {
    const jd_beam_def *b = d->object[body]->def;
    f->kind = JD_FAMILY_BEAM;
    f->length = b->length;
    f->density = b->mass_per_length;
    f->stiffness = b->bending_stiffness;
    f->speed = sqrt(f->stiffness / f->density);
    f->left = jd_support_of_beam(b->supports.left);
    f->right = jd_support_of_beam(b->supports.right);
    JD_TRY(take_ratio(arena, &b->damping, f));
    JD_TRY(take_points(arena, d, body, &b->points, f));
    return beam_table(arena, f);
}

static jd_status refuse_type(jd_context *context, const char *type) {
    jd_fail(context, JD_NOT_SUPPORTED, "infinite modes asked of a `%s`, which has none", type);
    jd_fail_hint(context, "string, rod and beam have closed forms for all their modes");
    return JD_NOT_SUPPORTED;
}

jd_status jd_family_make(jd_arena *arena, const jd_response_def *d, int body, jd_family *f) {
    jd_context *context = jd_arena_context(arena);
    f->n_place = d->n_place;
    f->place = JD_TAKE(arena, jd_family_place, d->n_place);
    if (!f->place) return JD_OUT_OF_MEMORY;
    if (!d->body[body]->infinite) return finite(arena, d, body, f);
    const char *type = d->object[body]->type->name;
    jd_status s = !strcmp(type, "string") ? wave(arena, d, body, true, f)
                  : !strcmp(type, "rod")  ? wave(arena, d, body, false, f)
                  : !strcmp(type, "beam") ? beam(arena, d, body, f)
                                          : refuse_type(context, type);
    const char *name = d->object[body]->name;
    if (s != JD_OK) jd_fail_where(context, "%s%s", name[0] ? "bodies." : "structure", name);
    return s;
}
