// blows.c -- series of blows in a run: displacements before each, the set of each, and what the
// engine has of it: energy delivered (ENTHRU), driving forces, resistance. A hammer that is a body
// of its own is one blow.
#include <math.h>
#include <string.h>

#include "drive/kind.h"
#include "engine/driving.h"
#include "result/run/run.h"

static jd_status begin(jd_recording *f, jd_blows blows) {
    jd_blows *b = f->blows = JD_TAKE(f->arena, jd_blows, 1);
    JD_TRY(jd_arena_status(f->arena));
    *b = blows;
    b->u = JD_TAKE(f->arena, double, (b->most + 1) * (f->n_point));
    b->number = JD_TAKE(f->arena, double, b->most *JD_BLOW_NUMBERS);
    return jd_arena_status(f->arena);
}

// A hammer that is a body of its own strikes when it comes: the whole run is one blow.
static jd_status begin_hammer(jd_recording *f) {
    int contact = jd_run_hammer(f->run);
    if (contact < 0 || !isfinite(f->until)) return JD_OK;
    return begin(f, (jd_blows){.name = jd_problem_contact(f->problem, contact)->name,
                               .first = f->start,
                               .every = 2 * (f->until - f->start) + 1, // none follows
                               .most = 1});
}

jd_status jd_blows_create(jd_recording *f) {
    for (int i = 0; i < jd_problem_drives(f->problem); i++) {
        const jd_object *o = jd_problem_drive(f->problem, i);
        const jd_pulse_def *d = o->type == &jd_drive_pulse ? o->def : NULL;
        if (!d || d->repeat < 2) continue;
        double before = fmax(0, ceil((f->start - d->start) / d->every));
        double last = fmin(d->repeat - 1, floor((f->until - d->start) / d->every));
        if (last < before || last - before > 1e6) continue;
        return begin(f, (jd_blows){.name = o->name,
                                   .first = d->start + before * d->every,
                                   .every = d->every,
                                   .most = (int)(last - before) + 1});
    }
    return begin_hammer(f);
}

// The last row is taken when a further blow would come, if the run lasts so long.
double jd_blows_next(const jd_recording *f) {
    const jd_blows *b = f->blows;
    return b && b->n <= b->most ? b->first + b->n * b->every : HUGE_VAL;
}

// What the engine has of the blow that ends now, or has ended with the run.
static bool take_numbers(const jd_recording *f, int blow) {
    jd_driving d;
    const jd_blows *b = f->blows;
    if (!jd_run_driving(f->run, true, &d)) return false;
    if (blow < 0 || blow >= b->most) return true;
    const double all[JD_BLOW_NUMBERS] = {d.delivered,  d.compression, d.tension, d.mobilised,
                                         d.resistance, d.stuck,       d.embedded};
    memcpy(b->number + (ptrdiff_t)blow * JD_BLOW_NUMBERS, all, sizeof all);
    return true;
}

void jd_blows_take(jd_recording *f, const double *u) {
    int n = f->n_point;
    take_numbers(f, f->blows->n - 1);
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

static const char *const number_name[JD_BLOW_NUMBERS] = {
    "delivered", "compression", "tension", "mobilised", "resistance", "stuck", "embedded"};
static const double quarter = 0.25; // of a metre: what blows are counted over

// Columns: t, set and depth of every point, blows per 0.25 m at the last one, numbers of the
// engine.
jd_status jd_blows_result_of(const jd_recording *f, jd_arena *arena, const jd_blows_result **out) {
    const jd_blows *b = f->blows;
    *out = NULL;
    if (!b) return JD_OK;
    int rows = b->n > b->most ? b->most : b->n, points = 1 + 2 * f->n_point;
    bool numbers = take_numbers(f, b->n - 1), counted = f->n_point > 0;
    int n = points + (counted ? 1 : 0) + (numbers ? JD_BLOW_NUMBERS : 0);
    jd_blows_result *r = JD_TAKE(arena, jd_blows_result, 1);
    const char **name = JD_TAKE(arena, const char *, n);
    double **value = JD_TAKE(arena, double *, n);
    for (int k = 0; value && k < n; k++) value[k] = JD_TAKE(arena, double, rows);
    JD_TRY(jd_arena_status(arena));
    name[0] = "t";
    for (int i = 0; i < rows; i++) value[0][i] = b->first + i * b->every;
    for (int k = 1; k < points; k++) {
        const char *point = f->head.column[1 + 2 * ((k - 1) / 2)]; // "tip.u"
        bool set = k % 2 == 1;
        name[k] =
            jd_arena_format(arena, "%.*s.%s", (int)strlen(point) - 2, point, set ? "set" : "depth");
        fill(f, (k - 1) / 2, set, rows, value[k]);
    }
    for (int i = 0; counted && i < rows; i++) { // NaN: it does not go down
        double set = value[points - 2][i];
        value[points][i] = set > 0 ? quarter / set : (double)NAN;
    }
    if (counted) name[points++] = "per_quarter";
    for (int k = points; k < n; k++) {
        name[k] = number_name[k - points];
        for (int i = 0; i < rows; i++) value[k][i] = b->number[i * JD_BLOW_NUMBERS + k - points];
    }
    *r = (jd_blows_result){b->name, {rows, n, name, NULL, (const double *const *)value}};
    *out = r;
    return jd_arena_status(arena);
}
