// driven.c -- simulates until every period of the drive is like the one before.
//                                                 tested: orbits_of_rods_go_on_by_their_set
#include "analysis/driven/driven.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"

enum { QUARTERS = 4 };
enum { MOST = 300 }; // periods, where the model does not say how long to wait
enum { TREND = JD_DRIVEN_RING - JD_DRIVEN_LONGEST - 1 }; // periods
static const double fronts = 0.1;
static const double trend = 0.1, beside = 0.5; // of the sets; of the motion, where these are small

static double *row(const jd_driven *d, double *of, long k) {
    return of + (k % JD_DRIVEN_RING) * (long)d->n;
}

static void take(jd_run *run, jd_driven *d) {
    jd_body_field f;
    double *u = row(d, d->u, d->k), *v = row(d, d->v, d->k);
    for (int b = 0, at = 0; b < d->bodies; b++) {
        if (!jd_run_body(run, b, &f)) continue;
        memcpy(u + at, f.displacement, (size_t)f.n * sizeof *u);
        memcpy(v + at, f.velocity, (size_t)f.n * sizeof *v);
        for (int i = 0; i < f.n; i++) d->mass[at + i] = f.mass[i], d->body[at + i] = b;
        at += f.n;
    }
}

jd_status jd_driven_open(jd_run *run, jd_arena *arena, double drive, jd_driven *d) {
    jd_body_field f;
    *d = (jd_driven){.drive = drive, .bodies = jd_problem_bodies(run->problem)};
    d->first = d->k = lround(run->t / drive);
    for (int b = 0; b < d->bodies; b++)
        if (jd_run_body(run, b, &f)) d->n += f.n;
    d->mass = JD_TAKE(arena, double, d->n);
    d->body = JD_TAKE(arena, int, d->n);
    d->u = JD_TAKE(arena, double, JD_DRIVEN_RING * d->n);
    d->v = JD_TAKE(arena, double, JD_DRIVEN_RING * d->n);
    JD_TRY(jd_arena_status(arena));
    take(run, d);
    return JD_OK;
}

// How far nodes are from where the period began.
static double swing_now(jd_run *run, const jd_driven *d) {
    const double *from = row(d, d->u, d->k);
    jd_body_field f;
    double sum = 0;
    for (int b = 0, at = 0; b < d->bodies; b++) {
        if (!jd_run_body(run, b, &f)) continue;
        for (int i = 0; i < f.n; i++, at++)
            sum += f.mass[i] * (f.displacement[i] - from[at]) * (f.displacement[i] - from[at]);
    }
    return sqrt(sum);
}

jd_status jd_driven_period(jd_run *run, jd_driven *d) {
    double swing = 0;
    for (int q = 1; q <= QUARTERS; q++) {
        double t = q < QUARTERS ? ((double)d->k + (double)q / QUARTERS) * d->drive
                                : (double)(d->k + 1) * d->drive;
        jd_step step = JD_STEP_EVENT;
        while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(run, t, &step));
        d->lost = step == JD_STEP_STOPPED;
        if (d->lost) return JD_OK;
        swing = fmax(swing, swing_now(run, d));
    }
    d->swing = swing;
    d->k++;
    take(run, d);
    return JD_OK;
}

static double mass_of(const jd_driven *d, int body) {
    double mass = 0;
    for (int i = 0; i < d->n; i++) mass += d->body[i] == body ? d->mass[i] : 0;
    return mass;
}

static double set_of(const jd_driven *d, int body, int n, long k) {
    const double *now = row(d, d->u, k), *before = row(d, d->u, k - n);
    double sum = 0;
    for (int i = 0; i < d->n; i++)
        if (d->body[i] == body) sum += d->mass[i] * (now[i] - before[i]);
    return sum / mass_of(d, body);
}

// A body that falls has sets that grow by the same in every period, and change by less and less of
// themselves: the trend of the last ones, over a sixth of all periods so far, must be small beside
// them.
static bool grows(const jd_driven *d, int n) {
    for (int b = 0; b < d->bodies; b++) {
        double slope = 0, squares = 0, last = 0;
        for (int i = 0; i < TREND; i++) {
            double x = i - 0.5 * (TREND - 1);
            last = set_of(d, b, n, d->k - TREND + 1 + i);
            slope += x * last;
            squares += x * x;
        }
        double all = fabs(slope / squares) * fmax((double)d->k / 6, 50);
        if (all > trend * fmax(fabs(last), beside * d->swing / sqrt(mass_of(d, b)))) return true;
    }
    return false;
}

static double difference(const jd_driven *d, int n) {
    const double *u[3], *v[2];
    double off_way = 0, off_v = 0, way = 0, speed = 0, omega = JD_TWO_PI / (n * d->drive);
    for (int i = 0; i < 3; i++) u[i] = row(d, d->u, d->k - i * n);
    for (int i = 0; i < 2; i++) v[i] = row(d, d->v, d->k - i * n);
    for (int i = 0; i < d->n; i++) {
        double gone = u[0][i] - u[1][i], before = u[1][i] - u[2][i], m = d->mass[i];
        off_way += m * (gone - before) * (gone - before);
        off_v += m * (v[0][i] - v[1][i]) * (v[0][i] - v[1][i]);
        way += m * gone * gone;
        speed += m * v[0][i] * v[0][i];
    }
    double whole = fmax(fmax(sqrt(way), d->swing), sqrt(speed) / omega);
    return whole > 0 ? fmax(sqrt(off_way), fronts * sqrt(off_v) / omega) / whole : 0;
}

double jd_driven_residual(const jd_driven *d, int n) {
    if (d->k - d->first < 2 * n || d->k - d->first < n + TREND || grows(d, n)) return HUGE_VAL;
    return difference(d, n);
}

void jd_driven_set(const jd_driven *d, int n, double *set) {
    for (int b = 0; b < d->bodies; b++) set[b] = set_of(d, b, n, d->k);
}

// ---- as an orbit

static void ended(jd_settled *out, jd_orbit_reason reason, const char *why) {
    out->reason = reason;
    out->why = why ? why : jd_orbit_reason_text(reason);
}

static void stopped(jd_settled *out, jd_stop stop) {
    bool known = stop == JD_STOP_UNBOUNDED || stop == JD_STOP_INTERRUPTED;
    ended(out,
          stop == JD_STOP_UNBOUNDED     ? JD_ORBIT_UNBOUNDED
          : stop == JD_STOP_INTERRUPTED ? JD_ORBIT_INTERRUPTED
                                        : JD_ORBIT_STOPPED,
          known ? NULL : jd_stop_text(stop));
}

// n periods are like those before; might fewer be, once they have settled as well?
static bool may_be_shorter(const jd_driven *d, int n) {
    for (int m = 1; m < n; m++)
        if (n % m == 0 && difference(d, m) <= 10 * jd_driven_coarse) return true;
    return false;
}

// The shortest number of periods that has been quiet long enough; 0: none. `asked`: this alone.
static int settled_after(jd_driven *d, int asked, double tolerance, double *residual) {
    int least = asked > 0 ? asked : 1;
    for (int n = least; n <= (asked > 0 ? asked : JD_DRIVEN_LONGEST); n++) {
        double r = jd_driven_residual(d, n);
        if (n == least) *residual = r;
        d->quiet[n] = r <= tolerance ? d->quiet[n] + 1 : 0;
        if (d->quiet[n] < JD_DRIVEN_QUIET || (asked == 0 && may_be_shorter(d, n))) continue;
        *residual = r;
        return n;
    }
    return 0;
}

// The state where n periods begin, and what happens in them.
static jd_status record(jd_run *run, jd_driven *d, jd_arena *arena, int n, jd_settled *out) {
    out->size = jd_run_state_size(run);
    out->block = JD_TAKE(arena, char, out->size);
    out->set = JD_TAKE(arena, double, d->bodies);
    out->event = JD_TAKE(arena, jd_event, 1);
    JD_TRY(jd_arena_status(arena));
    out->phase = jd_run_contacts(run);
    out->start = run->t;
    JD_TRY(jd_run_state_save(run, out->block, out->size));
    for (int i = 0; i < n && !d->lost; i++) JD_TRY(jd_driven_period(run, d));
    if (d->lost) {
        stopped(out, run->stop);
        return JD_OK;
    }
    jd_driven_set(d, n, out->set);
    out->periods = n;
    out->period = n * out->drive;
    out->found = true;
    return JD_OK;
}

static jd_status search(jd_run *run, jd_arena *arena, const jd_orbit_options *options, int asked,
                        long most, jd_settled *out) {
    jd_driven d;
    int n = 0;
    JD_TRY(jd_driven_open(run, arena, out->drive, &d));
    double tolerance = fmax(options->tolerance, jd_driven_coarse);
    while (n == 0 && !d.lost && d.k < most) {
        JD_TRY(jd_driven_period(run, &d));
        out->simulated = run->t;
        if (!d.lost) n = settled_after(&d, asked, tolerance, &out->residual);
    }
    if (d.lost) {
        stopped(out, run->stop);
        return JD_OK;
    }
    if (n > 0) return record(run, &d, arena, n, out);
    ended(out, JD_ORBIT_NO_RETURN,
          isinf(out->residual)
              ? "the rods go on faster and faster, or were not simulated long enough to say"
              : jd_arena_format(
                    arena,
                    "after %ld periods of the drive the rods do not move as a period before "
                    "(%.1e of the motion; %.1e is wanted): simulate longer (`orbit.settle`), "
                    "or give more `nodes`",
                    d.k, out->residual, tolerance));
    return JD_OK;
}

static jd_status refuse(jd_context *context, const char *where, const char *why, const char *hint) {
    jd_fail(context, JD_NOT_SUPPORTED, "%s", why);
    jd_fail_where(context, "%s", where);
    jd_fail_hint(context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

static jd_status how_long(jd_problem *problem, const jd_orbit_options *options, double drive,
                          long *settle) {
    bool given;
    const jd_orbit_def *def = jd_problem_section(problem, JD_ORBIT, &given);
    double time = options->settle;
    if (time < 0) time = 0;
    if (options->settle < 0 && given) JD_TRY(jd_problem_duration(problem, &def->settle, &time));
    *settle = (long)ceil(time / drive - 1e-9);
    return JD_OK;
}

// To the end of the period after `settle`.
static jd_status wait(jd_run *run, double drive, long settle, jd_settled *out, bool *goes_on) {
    jd_step step = JD_STEP_EVENT;
    double end = (double)(settle + (long)ceil(run->t / drive - 1e-9)) * drive;
    while (end > run->t && step == JD_STEP_EVENT) JD_TRY(jd_run_advance(run, end, &step));
    *goes_on = step != JD_STEP_STOPPED;
    out->simulated = run->t;
    if (!*goes_on) stopped(out, run->stop);
    return JD_OK;
}

jd_status jd_driven_find(jd_context *context, jd_problem *problem, jd_arena *arena,
                         const jd_orbit_options *options, jd_settled *out) {
    const jd_orbit_def *def = jd_problem_section(problem, JD_ORBIT, NULL);
    int asked = options->periods > 0 ? options->periods : options->periods < 0 ? 0 : def->periods;
    long settle, most;
    bool goes_on = false;
    *out = (jd_settled){.drive = jd_problem_period(problem), .residual = (double)NAN};
    if (!(out->drive > 0))
        return refuse(context, "drives",
                      "this engine finds no periodic motion without a harmonic drive",
                      "`judder run` computes the motion of blows");
    if (asked > JD_DRIVEN_LONGEST)
        return refuse(context, "orbit.periods",
                      "on a grid orbits of at most 8 periods of the drive are told apart",
                      "leave out `periods`: it is found");
    JD_TRY(how_long(problem, options, out->drive, &settle));
    jd_run *run;
    JD_TRY(jd_run_create(context, problem, &run));
    jd_run_for_analysis(run);
    jd_status status = jd_orbit_take_up(run, options);
    if (status == JD_OK) status = wait(run, out->drive, settle, out, &goes_on);
    most = lround(run->t / out->drive) + (settle > MOST ? settle : MOST);
    if (options->most > 0 && options->most < (double)most * out->drive)
        most = (long)ceil(options->most / out->drive);
    if (status == JD_OK && goes_on) status = search(run, arena, options, asked, most, out);
    jd_run_free(run);
    return status;
}
