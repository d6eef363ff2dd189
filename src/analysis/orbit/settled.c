// settled.c -- simulates until the motion repeats: its events by contact and kind, and their times.
//   Events e_k; the cycle is the smallest n with the same kinds n events apart over three cycles.
//   T_k = t_k - t_{k-n};  residual = max |T_k - T_{k-n}|/T over a cycle;  changes of the period
//   from cycle to cycle shrink by rho, so T may still move by  |T_k - T_{k-n}| rho/(1 - rho). A
//   forced motion repeats after whole drive periods: the smallest number of them after which the
//   contacts' displacements, velocities and forces are the same.
//   A motion that nearly repeats is closed by Newton's method where the engine can correct it
//   (analysis/waves/); where that fails simulation goes on. All of it ends when as many panels as
//   `orbit.work` allows were solved after `settle`; a period of changes counts as its panels.
//                                            tested: searches_end_by_name_within_their_work
#include "analysis/orbit/settled.h"

#include <math.h>
#include <string.h>

#include "analysis/orbit/recurrence.h"
#include "analysis/waves/closing.h"
#include "base/constants.h"
#include "base/fail.h"
#include "problem/memory.h"

enum { KEPT = 4096, SURE = 1000, PATIENCE = 20000, LONGEST = 100000 }; // events
enum { PERIODS = 32, MOST_PERIODS = 4000 }; // of the drive: told apart; simulated beyond `settle`
enum { QUIET_TURNS = 1000 }; // periods of the lowest mode for which a motion may come to rest
enum { LOOK_TURNS = 64 };    // likewise: no longer is gone without a look at the work
enum { MOST_QUIET = 100 };   // periods of an orbit without an event
static const double begin_at = 1e-2;      // residual at which Newton's method is tried first
static const double far_off = 0.05;       // of the period: a correction to another motion
static const double default_settle = 100; // drive periods, where the model says nothing

typedef struct watch {
    jd_context *context;
    jd_problem *problem;
    jd_arena *arena;
    jd_run *run;
    jd_settled *out;
    double most; // [s] simulated at most; 0: until it settles or never will
    double turn; // [s] autonomous: period of the lowest mode that vibrates
    int m;
    jd_cycles cycles; // its last events
    double *sample;   // (2 PERIODS + 1) rows of 3 m, oldest first
    double *peak;     // 3 m: largest magnitudes met at looks
    long seen;
    bool goes_on;
    double near;        // residual from which on Newton's method is tried; 0: not at all
    double solved;      // panels, by simulation and by changes of periods
    double simulated;   // of them by simulation
    double most_solved; // of them; no limit before they are counted, and once an orbit is found
    double since;       // [s] when they were counted from
    long last;          // panels that the run had solved when looked at last
} watch;

static bool ended(watch *w, jd_orbit_reason reason, const char *why) {
    w->out->reason = reason;
    w->out->why = why ? why : jd_orbit_reason_text(reason);
    w->goes_on = false;
    return false;
}

static void keep(watch *w, const jd_event *e) {
    if (w->cycles.n == KEPT) {
        w->cycles.n = KEPT / 2;
        memmove(w->cycles.event, w->cycles.event + KEPT / 2,
                (size_t)w->cycles.n * sizeof *w->cycles.event);
    }
    w->cycles.event[w->cycles.n++] = *e;
    w->seen++;
}

static long panels_of(jd_run *run) {
    jd_report report;
    jd_run_report(run, &report);
    return report.certificate.evaluations;
}

// From here on, which is the end of `settle`.
static void count_from_here(watch *w) {
    const jd_orbit_def *def = jd_problem_section(w->problem, JD_ORBIT, NULL);
    w->most_solved = def->work;
    w->solved = w->simulated = 0;
    w->since = w->run->t;
    w->last = panels_of(w->run);
}

// Panels that the run solved since the last look; a state that is taken up again has fewer.
static void count(watch *w) {
    long now = panels_of(w->run);
    double more = (double)(now > w->last ? now - w->last : 0);
    w->solved += more;
    w->simulated += more;
    w->last = now;
    if (!w->goes_on || w->solved <= w->most_solved) return;
    ended(w, JD_ORBIT_TOO_MUCH_WORK,
          jd_arena_format(w->arena,
                          "the motion has not repeated after %.0f panels, more than the %.0f of "
                          "`orbit.work`: allow more, or a larger `simulate.tolerance`",
                          w->solved, w->most_solved));
}

// Until an event or t, by no more than LOOK_TURNS at a time.
static jd_status advance(watch *w, double t, jd_step *step) {
    double end;
    do {
        end = w->turn > 0 ? fmin(t, w->run->t + LOOK_TURNS * w->turn) : t;
        JD_TRY(jd_run_advance(w->run, end, step));
        count(w);
    } while (w->goes_on && *step == JD_STEP_TIME && end < t);
    return JD_OK;
}

// Until an event or t; false: the run ended.
static jd_status go(watch *w, double t, jd_step *step) {
    JD_TRY(advance(w, t, step));
    w->out->simulated = w->run->t;
    if (*step == JD_STEP_EVENT) keep(w, jd_run_event(w->run));
    if (*step != JD_STEP_STOPPED) return JD_OK;
    jd_stop stop = w->run->stop;
    ended(w,
          stop == JD_STOP_UNBOUNDED     ? JD_ORBIT_UNBOUNDED
          : stop == JD_STOP_INTERRUPTED ? JD_ORBIT_INTERRUPTED
                                        : JD_ORBIT_STOPPED,
          stop == JD_STOP_UNBOUNDED || stop == JD_STOP_INTERRUPTED ? NULL : jd_stop_text(stop));
    return JD_OK;
}

static jd_status until(watch *w, double t) {
    jd_step step = JD_STEP_EVENT;
    while (w->goes_on && step == JD_STEP_EVENT) JD_TRY(go(w, t, &step));
    return JD_OK;
}

// Settled; or it goes on changing by what the engine's accuracy leaves.
static bool is_settled(const watch *w, int n, double residual) {
    if (n == 0 || residual > 3 * w->cycles.want) return false;
    if (residual > w->cycles.want) return !jd_cycles_settle(&w->cycles, n) && w->seen > SURE;
    return jd_cycles_left(&w->cycles, n) < w->cycles.want * jd_cycles_time(&w->cycles, 0, n) ||
           w->seen > PATIENCE;
}

static jd_status take_state(watch *w) {
    jd_settled *o = w->out;
    o->size = jd_run_state_size(w->run);
    o->block = JD_TAKE(w->arena, char, o->size);
    JD_TRY(jd_arena_status(w->arena));
    o->phase = jd_run_contacts(w->run);
    o->start = w->run->t;
    return jd_run_state_save(w->run, o->block, o->size);
}

// Events from `first` on, as those of the orbit.
static jd_status take_events(watch *w, int first, int n) {
    w->out->event = JD_TAKE(w->arena, jd_event, n + 1);
    JD_TRY(jd_arena_status(w->arena));
    for (int i = 0; i < n; i++) {
        w->out->event[i] = w->cycles.event[first + i];
        w->out->event[i].t -= w->out->start;
    }
    w->out->n_event = n;
    return JD_OK;
}

// Of an orbit, which has one in every period. A motion that came to rest after all has none.
static jd_status next_event(watch *w) {
    jd_step step = JD_STEP_TIME;
    JD_TRY(go(w, w->run->t + MOST_QUIET * w->out->period, &step));
    if (w->goes_on && step == JD_STEP_TIME)
        ended(w, JD_ORBIT_NO_RETURN, "events ceased while the orbit was recorded");
    return JD_OK;
}

// One more round, from an event after which a contact slides, if there is one.
static jd_status record_free(watch *w, int n) {
    bool letting_go = false;
    w->most_solved = HUGE_VAL;
    for (int i = 0; i < n; i++)
        letting_go |= w->cycles.event[w->cycles.n - 1 - i].from == JD_CONTACT_STUCK;
    for (int i = 0; i < 3 * n && w->goes_on; i++) {
        JD_TRY(next_event(w));
        bool last = w->run->t > w->cycles.event[w->cycles.n - 2].t; // of its instant, most likely
        if (last && (!letting_go || w->cycles.event[w->cycles.n - 1].from == JD_CONTACT_STUCK))
            break;
    }
    if (!w->goes_on) return JD_OK;
    JD_TRY(take_state(w));
    for (int i = 0; i < n && w->goes_on; i++) JD_TRY(next_event(w));
    if (!w->goes_on) return JD_OK;
    w->out->period = jd_cycles_time(&w->cycles, 0, n);
    // what is left of the changes, and what the engine's accuracy moves a period by
    w->out->error = jd_cycles_left(&w->cycles, n) +
                    fmax(jd_cycles_change(&w->cycles, 0, n), w->cycles.want * w->out->period);
    return take_events(w, w->cycles.n - n, n);
}

static void look(watch *w) {
    int rows = 2 * PERIODS + 1, width = 3 * w->m;
    double *row = w->sample + (rows - 1) * width;
    memmove(w->sample, w->sample + width, (size_t)((rows - 1) * width) * sizeof *row);
    jd_run_observe_contacts(w->run, w->run->t, row, row + w->m, row + 2 * w->m);
    for (int i = 0; i < width; i++) w->peak[i] = fmax(w->peak[i], fabs(row[i]));
}

// Whether velocities and forces of the contacts stay over a while, at times that no oscillation
// divides. *quiet: no event came.
static jd_status stays(watch *w, bool *yes, bool *quiet) {
    int width = 3 * w->m, rows = 2 * PERIODS + 1;
    const double *row = w->sample + (rows - 1) * width;
    jd_step step = JD_STEP_TIME;
    double since = w->run->t;
    look(w);
    *yes = *quiet = true;
    for (int i = 1; i <= 4 && w->goes_on && *quiet; i++) {
        JD_TRY(go(w, since * (1 + 1e-2 * i * sqrt(i)), &step));
        *quiet = step == JD_STEP_TIME;
        if (!w->goes_on || !*quiet) return JD_OK;
        look(w);
        for (int j = w->m; j < width; j++)
            *yes &= fabs(row[j] - row[j - width]) <=
                    10 * w->cycles.want * fabs(row[j]) + 1e-12 * w->peak[j];
    }
    return JD_OK;
}

// No event for a long time: the motion comes to rest (perhaps with a belt that slides along it), or
// goes on without events.
static jd_status judge_quiet(watch *w) {
    jd_step step = JD_STEP_TIME;
    bool rests = false, quiet = true;
    for (int i = 0; (i < 6 || w->run->t < QUIET_TURNS * w->turn) && w->goes_on; i++) {
        JD_TRY(stays(w, &rests, &quiet));
        if (!quiet || !w->goes_on) return JD_OK;
        if (rests) break;
        JD_TRY(go(w, 2 * w->run->t, &step));
        if (step == JD_STEP_EVENT) return JD_OK;
    }
    if (w->goes_on)
        ended(w, rests ? jd_recurrence_rest(jd_run_contacts(w->run)) : JD_ORBIT_NO_RETURN,
              rests ? NULL : "events ceased, and the motion did not come to rest");
    return JD_OK;
}

// A period of the lowest mode that vibrates: no sooner it is said that nothing happens [s].
static jd_status take_turn(watch *w) {
    enum { LOOK = 4 }; // modes: those before it are rigid
    jd_response *response;
    jd_response_modes m = {0};
    double lowest = HUGE_VAL;
    JD_TRY(jd_problem_response(w->context, w->problem, &response));
    jd_status status = jd_response_shapes_of(response, LOOK, w->arena, &m);
    for (int i = 0; status == JD_OK && i < m.n; i++)
        if (m.omega[i] > 0) lowest = fmin(lowest, m.omega[i]);
    jd_response_free(response);
    w->turn = isfinite(lowest) ? JD_TWO_PI / lowest : 1;
    return status;
}

// Newton's method from the present state, a period of n events, 0: any; what is not closed goes on
// from where it was.
static jd_status close_period(watch *w, double period, int n, bool *closed) {
    size_t size = jd_run_state_size(w->run);
    jd_arena_mark mark = jd_arena_here(w->arena);
    char *block = JD_TAKE(w->arena, char, size);
    jd_wave wave;
    double since = w->run->t;
    JD_TRY(jd_arena_status(w->arena));
    JD_TRY(jd_run_state_save(w->run, block, size));
    JD_TRY(jd_wave_open(w->run, period, w->out->drive > 0, &wave));
    double round = fmax(w->simulated / fmax(since - w->since, period) * period, 1);
    wave.most_rounds = (long)fmax((w->most_solved - w->solved) / round, 1);
    jd_status status = jd_wave_close_orbit(&wave, closed);
    w->solved += (double)wave.rounds * round;
    w->last = panels_of(w->run);
    w->out->attempts++;
    *closed =
        *closed && (n == 0 || wave.n_event == n) && fabs(wave.period - period) < far_off * period;
    if (status == JD_OK && !*closed) status = jd_run_state_load(w->run, block, size);
    jd_arena_back(w->arena, mark);
    if (status == JD_OK && !*closed) count(w);
    if (status == JD_OK && *closed) {
        w->most_solved = HUGE_VAL;
        w->out->period = wave.period;
        w->out->error = fmax(fabs(wave.longer), wave.tolerance * wave.period); // P is known to it
        w->out->steps = wave.steps - 1;
        w->out->residual = wave.history[w->out->steps];
        w->out->simulated = since;
        w->out->history = JD_TAKE(w->arena, double, JD_WAVE_STEPS + 1);
        status = jd_arena_status(w->arena);
        if (status == JD_OK) memcpy(w->out->history, wave.history, sizeof wave.history);
    }
    jd_wave_close(&wave);
    w->near /= 30;
    return status;
}

// Is the orbit of the n events from `first` on one of n/k events gone round k times, as far as its
// period is known?
static bool goes_round(const watch *w, int first, int n, int k) {
    for (int i = first; i + n / k < first + n; i++) {
        const jd_event *a = &w->cycles.event[i], *b = &w->cycles.event[i + n / k];
        if (!jd_cycles_alike(a, b) || fabs(b->t - a->t - w->out->period / k) > w->out->error)
            return false;
    }
    return true;
}

// Newton's method closes the round of an orbit as well as several of them: the events of one.
static int shorten(watch *w, int first, int n) {
    for (int k = n; k > 1; k--) {
        if (n % k != 0 || !goes_round(w, first, n, k)) continue;
        w->out->period /= k;
        return n / k;
    }
    return n;
}

// From the middle of the longest phase, where no event is near.
static jd_status close_free(watch *w, int n, bool *closed) {
    double T = jd_cycles_time(&w->cycles, 0, n), longest = 0, at = 0;
    *closed = false;
    for (int i = w->cycles.n - n; i < w->cycles.n; i++) {
        double gap = w->cycles.event[i].t - w->cycles.event[i - 1].t;
        if (gap <= longest) continue;
        longest = gap;
        at = w->cycles.event[i].t - gap / 2 + T;
    }
    while (at <= w->run->t) at += T;
    JD_TRY(until(w, at));
    if (!w->goes_on) return JD_OK;
    JD_TRY(close_period(w, T, n, closed));
    if (!*closed) return JD_OK;
    const jd_event last = w->cycles.event[w->cycles.n - 1]; // the orbit begins with its like
    w->cycles.n = 0;
    do JD_TRY(next_event(w));
    while (w->goes_on && w->cycles.n < 4 * n &&
           !jd_cycles_alike(&w->cycles.event[w->cycles.n - 1], &last));
    if (!w->goes_on) return JD_OK;
    JD_TRY(take_state(w));
    int first = w->cycles.n;
    for (int i = 0; i < n && w->goes_on; i++) JD_TRY(next_event(w));
    return w->goes_on ? take_events(w, first, shorten(w, first, n)) : JD_OK;
}

// Autonomous: watches events until a cycle repeats well enough.
static jd_status seek_free(watch *w, double settle) {
    JD_TRY(until(w, settle));
    JD_TRY(take_turn(w));
    count_from_here(w);
    while (w->goes_on) {
        double residual;
        int n = jd_cycles_tell(&w->cycles, &residual);
        w->out->residual = residual;
        if (n > 0 && residual < w->near && n < w->cycles.n) {
            JD_TRY(close_free(w, n, &w->out->found));
            if (w->out->found) {
                w->out->found = w->goes_on; // closed, but perhaps not recorded
                return JD_OK;
            }
            continue;
        }
        if (is_settled(w, n, residual)) {
            w->out->period = jd_cycles_time(&w->cycles, 0, n);
            JD_TRY(record_free(w, n));
            w->out->found = w->goes_on;
            return JD_OK;
        }
        if (w->seen > LONGEST || (w->most > 0 && w->run->t > w->most)) {
            ended(w, JD_ORBIT_NO_RETURN, NULL);
            break;
        }
        double last = w->cycles.n ? w->cycles.event[w->cycles.n - 1].t : 0;
        jd_step step;
        JD_TRY(go(w, fmax(10 * fmax(last, settle), w->turn), &step));
        if (w->goes_on && step == JD_STEP_TIME) JD_TRY(judge_quiet(w));
    }
    return JD_OK;
}

// Largest change over k drive periods, of displacements, velocities and forces, over their size.
static double change_after(const watch *w, int k) {
    int rows = 2 * PERIODS + 1, m = w->m;
    double worst = 0;
    for (int i = 0; i < 3 * m; i++) {
        double size = 1e-300, change = 0;
        for (int r = 0; r < rows; r++) {
            double x = w->sample[r * 3 * m + i];
            size = fmax(size, fabs(x));
            if (r >= rows - PERIODS)
                change = fmax(change, fabs(x - w->sample[(r - k) * 3 * m + i]));
        }
        worst = fmax(worst, change / size);
    }
    return worst;
}

static jd_status record_forced(watch *w, double end) {
    JD_TRY(take_state(w));
    w->cycles.n = 0;
    w->most_solved = HUGE_VAL;
    JD_TRY(until(w, end));
    return w->goes_on ? take_events(w, 0, w->cycles.n) : JD_OK;
}

static jd_status seek_forced(watch *w, double settle) {
    double T = w->out->drive;
    double k = ceil(settle / T - 1e-9), most = k + MOST_PERIODS;
    JD_TRY(until(w, k * T));
    count_from_here(w);
    for (; k <= most && w->goes_on; k++) {
        JD_TRY(until(w, k * T));
        if (!w->goes_on) return JD_OK;
        look(w);
        if (k < ceil(settle / T) + 2 * PERIODS + 1) continue;
        for (int n = 1; n <= PERIODS; n++) {
            double change = change_after(w, n);
            w->out->residual = n == 1 ? change : fmin(w->out->residual, change);
            if (change < w->near) JD_TRY(close_period(w, n * T, 0, &w->out->found));
            if (w->out->found) {
                w->out->periods = n;
                w->out->period = n * T;
                k = ceil(w->run->t / T - 1e-9);
                JD_TRY(until(w, k * T));
                if (w->goes_on) JD_TRY(record_forced(w, (k + n) * T));
                w->out->found = w->goes_on; // closed, but perhaps not recorded
                return JD_OK;
            }
            if (change > w->cycles.want) continue;
            w->out->periods = n;
            w->out->period = n * T;
            w->out->residual = change;
            JD_TRY(record_forced(w, (k + n) * T));
            w->out->found = w->goes_on;
            return JD_OK;
        }
    }
    if (w->goes_on) ended(w, JD_ORBIT_NO_RETURN, NULL);
    return JD_OK;
}

static jd_status watch_run(watch *w, const jd_orbit_options *options) {
    bool given;
    const jd_orbit_def *def = jd_problem_section(w->problem, JD_ORBIT, &given);
    double settle = options->settle, T = w->out->drive;
    if (settle < 0) {
        settle = default_settle * T;
        if (given) JD_TRY(jd_problem_duration(w->problem, &def->settle, &settle));
    }
    settle += w->run->t; // where it was taken up
    return T > 0 ? seek_forced(w, settle) : seek_free(w, settle);
}

jd_status jd_settled_find(jd_context *context, jd_problem *problem, jd_arena *arena,
                          const jd_orbit_options *options, jd_settled *out) {
    const jd_simulate_def *sim = jd_problem_section(problem, JD_SIMULATE, NULL);
    watch w = {.context = context,
               .problem = problem,
               .arena = arena,
               .out = out,
               .m = jd_problem_contacts(problem),
               .cycles.want = isnan(sim->tolerance) ? 1e-6 : sim->tolerance,
               .most = options->most,
               .most_solved = HUGE_VAL,
               .goes_on = true};
    *out = (jd_settled){.drive = jd_problem_period(problem), .residual = (double)NAN};
    w.cycles.event = JD_TAKE(arena, jd_event, KEPT);
    w.sample = JD_TAKE(arena, double, (2 * PERIODS + 1) * 3 * w.m);
    w.peak = JD_TAKE(arena, double, 3 * w.m);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_run_create(context, problem, &w.run));
    const jd_engine_map *map = &w.run->class->map;
    w.near = map->replay_uncorrected && !map->replay_uncorrected(w.run) ? begin_at : 0;
    jd_run_for_analysis(w.run);
    jd_status status = jd_orbit_take_up(w.run, options);
    if (status == JD_OK) status = watch_run(&w, options);
    jd_run_free(w.run);
    return status;
}

jd_status jd_settled_run(jd_context *context, jd_problem *problem, const jd_settled *s,
                         jd_run **out) {
    JD_TRY(jd_run_create(context, problem, out));
    jd_status status = jd_run_state_load(*out, s->block, s->size);
    if (status == JD_OK) status = (*out)->class->shift(*out, -s->start);
    if (status == JD_OK) return JD_OK;
    jd_run_free(*out);
    *out = NULL;
    return status;
}
