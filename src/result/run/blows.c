// blows.c -- series of blows in a run: displacements before each, and the set of each.
#include <math.h>
#include <string.h>

#include "drive/kind.h"
#include "result/run/run.h"

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

// Set of each blow, or depth before it, of one point.
static void fill(const jd_recording *f, int point, bool set, int rows, double *out) {
    const jd_blows *b = f->blows;
    int n = f->n_point;
    for (int i = 0; i < rows; i++) {
        double from = b->u[i * n + point];
        double to = i + 1 < b->n ? b->u[(i + 1) * n + point] : f->final[point];
        out[i] = set ? to - from : from;
    }
}

jd_status jd_blows_result_of(const jd_recording *f, jd_arena *arena, const jd_blows_result **out) {
    const jd_blows *b = f->blows;
    *out = NULL;
    if (!b) return JD_OK;
    int rows = b->n > b->most ? b->most : b->n, n = 1 + 2 * f->n_point;
    jd_blows_result *r = JD_TAKE(arena, jd_blows_result, 1);
    const char **name = JD_TAKE(arena, const char *, n);
    double **value = JD_TAKE(arena, double *, n);
    for (int k = 0; value && k < n; k++) value[k] = JD_TAKE(arena, double, rows);
    JD_TRY(jd_arena_status(arena));
    name[0] = "t";
    for (int i = 0; i < rows; i++) value[0][i] = b->first + i * b->every;
    for (int k = 1; k < n; k++) {
        const char *point = f->head.column[1 + 2 * ((k - 1) / 2)]; // "tip.u"
        bool set = k % 2 == 1;
        name[k] =
            jd_arena_format(arena, "%.*s.%s", (int)strlen(point) - 2, point, set ? "set" : "depth");
        fill(f, (k - 1) / 2, set, rows, value[k]);
    }
    *r = (jd_blows_result){b->drive->name, {rows, n, name, NULL, (const double *const *)value}};
    *out = r;
    return jd_arena_status(arena);
}
