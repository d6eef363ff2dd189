// interfaces.c -- contacts along spans and series of blows, as parts of a run's document.
#include <math.h>
#include <string.h>

#include "drive/kind.h"
#include "result/run.h"

static json_t *list(int n, const double *value) {
    json_t *out = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(out, jd_json_real(value[i]));
    return out;
}

// Share of the cells that slide, by length.
static double sliding(const jd_interface_field *c) {
    double all = 0, some = 0;
    for (int j = 0; j < c->n; j++) {
        all += c->length[j];
        some += c->state[j] != 0 ? c->length[j] : 0;
    }
    return all > 0 ? some / all : 0;
}

json_t *jd_grids_json(const jd_recording *f) {
    json_t *out = json_object();
    for (int b = 0; b < jd_problem_bodies(f->problem); b++) {
        jd_body_field body;
        const char *name = jd_problem_body(f->problem, b)->name;
        if (!jd_run_body(f->run, b, &body)) continue;
        json_object_set_new(out, name[0] ? name : "structure", list(body.n, body.position));
    }
    return out;
}

json_t *jd_interfaces_json(const jd_recording *f) {
    json_t *out = json_object();
    for (int j = 0; j < jd_problem_contacts(f->problem); j++) {
        jd_interface_field c;
        if (!jd_run_interface(f->run, j, &c)) continue;
        json_t *one = json_pack("{s:i, s:I, s:I, s:I, s:o}", "cells", c.n, "slip",
                                (json_int_t)c.slip, "stick", (json_int_t)c.stick, "reversal",
                                (json_int_t)c.reversal, "sliding", jd_json_real(sliding(&c)));
        json_object_set_new(one, "position", list(c.n, c.position));
        json_object_set_new(one, "displacement", list(c.n, c.displacement));
        json_object_set_new(one, "force", list(c.n, c.force));
        json_object_set_new(one, "loss", list(c.n, c.loss));
        json_object_set_new(out, jd_problem_contact(f->problem, j)->name, one);
    }
    return out;
}

jd_status jd_blows_create(jd_recording *f) {
    for (int i = 0; i < jd_problem_drives(f->problem); i++) {
        const jd_object *o = jd_problem_drive(f->problem, i);
        const jd_pulse_def *d = o->type == &jd_drive_pulse ? o->def : NULL;
        if (!d || d->repeat < 2) continue;
        double before = fmax(0, ceil((f->start - d->start) / d->every));
        double last = fmin(d->repeat - 1, floor((f->until - d->start) / d->every));
        if (last < before || last - before > 1e6) continue;
        jd_blows *b = f->blows = JD_TAKE(f->arena, jd_blows, 1);
        JD_TRY(jd_arena_status(f->arena));
        *b = (jd_blows){.drive = o, .first = d->start + before * d->every, .every = d->every};
        b->most = (int)(last - before) + 1;
        b->u = JD_TAKE(f->arena, double, (b->most + 1) * (f->n_point));
        return jd_arena_status(f->arena);
    }
    return JD_OK;
}

// The last row is taken when a further blow would come, if the run lasts so long.
double jd_blows_next(const jd_recording *f) {
    const jd_blows *b = f->blows;
    return b && b->n <= b->most ? b->first + b->n * b->every : HUGE_VAL;
}

void jd_blows_take(jd_recording *f, const double *u) {
    int n = f->n_point;
    memcpy(f->blows->u + f->blows->n++ * n, u, (size_t)n * sizeof *u);
}

static json_t *column(const jd_recording *f, int point, bool set) {
    const jd_blows *b = f->blows;
    int n = f->n_point, rows = b->n > b->most ? b->most : b->n;
    json_t *out = json_array();
    for (int i = 0; i < rows; i++) {
        double from = b->u[i * n + point];
        double to = i + 1 < b->n ? b->u[(i + 1) * n + point] : f->final[point];
        json_array_append_new(out, jd_json_real(set ? to - from : from));
    }
    return out;
}

json_t *jd_blows_json(const jd_recording *f) {
    const jd_blows *b = f->blows;
    if (!b) return NULL;
    json_t *t = json_array(), *out = json_pack("{s:s}", "drive", b->drive->name);
    for (int i = 0; i < b->n && i < b->most; i++)
        json_array_append_new(t, jd_json_real(b->first + i * b->every));
    json_object_set_new(out, "t", t);
    for (int i = 0; i < f->n_point; i++) {
        const char *name = f->head.column[1 + 2 * i]; // "tip.u"
        int n = (int)strlen(name) - 2;
        char key[300];
        snprintf(key, sizeof key, "%.*s.set", n, name);
        json_object_set_new(out, key, column(f, i, true));
        snprintf(key, sizeof key, "%.*s.depth", n, name);
        json_object_set_new(out, key, column(f, i, false));
    }
    return out;
}
