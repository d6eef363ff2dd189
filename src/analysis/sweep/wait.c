// wait.c -- simulates one point of a sweep until its motion has settled.
//   s_k is the state after k drive periods, |s| = sqrt(2 energy).
//   recurrence:  r_n = |s_k - s_(k-n)|/|s_k|,  n = 1..64
//   Now and then an orbit s* = P(s*) of n periods is sought from s_k by Newton's method. It is the
//   settled motion when its multipliers are inside the unit circle and the motion already follows
//   its derivative M:  |s_(i+n) - s* - M (s_i - s*)| <= 0.1 |s_i - s*|  for i = k - 2n, k - n, and
//   goes on to for 32 or n periods or until it is within 1e-5; or s_k is within 1e-9 of it at once.
//   Newton alone could end on an orbit the motion does not go to. Where none is found, r_n <=
//   tolerance over 2n and 16 periods settles it, if the n states are further apart than what is
//   left of its change; else it is left unsettled.
#include <math.h>
#include <string.h>

#include "analysis/sweep/settling.h"
#include "expsum/sum.h"

enum { SHORT = 8, FIRST_TRY = 8, CONFIRM = 32 };
static const double neutral = 1e-9;    // multipliers closer to the unit circle are on it
static const double near = 0.5;        // r_n below which an orbit is sought
static const double nearer = 0.01;     // the same for orbits of more than SHORT periods
static const double linear = 0.1;      // share of the distance the derivative may miss
static const double reached = 1e-9;    // distance at which it need not be asked
static const double same_place = 1e-8; // of the state: what is stuck rests there
static const double close_to = 1e-5;   // distance at which it is asked no longer

static const double slowest = 0.999; // decay of changes that is looked for, in n periods
static const double apart = 0.1;     // of the distance of two states: what may be left of a change

double *jd_settling_state(const settling *st, long k) {
    return st->ring + (k % JD_SETTLING_RING) * st->n;
}

double jd_settling_size(const settling *st, const double *a, const double *b) {
    double total = 0;
    for (int i = 0; i < st->n; i++) {
        double d = st->sh->scale[i] * (a[i] - (b ? b[i] : 0));
        total += d * d;
    }
    return sqrt(total);
}

// r_n at the present period.
double jd_settling_recurrence(const settling *st, int n) {
    const double *now = jd_settling_state(st, st->k), *then = jd_settling_state(st, st->k - n);
    double whole = fmax(jd_settling_size(st, now, NULL), jd_settling_size(st, then, NULL));
    return whole > 0 ? jd_settling_size(st, now, then) / whole : 0;
}

static jd_status one_period(settling *st) {
    jd_step step = JD_STEP_EVENT;
    double end = (double)(st->k + 1 - st->k0) * st->drive;
    while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(st->run, end, &step));
    st->lost = step == JD_STEP_STOPPED;
    if (st->lost) return JD_OK;
    st->k++;
    st->map->state(st->run, jd_settling_state(st, st->k));
    st->phase = jd_run_contacts(st->run);
    return JD_OK;
}

// The run takes up the simulated motion again after shooting used it.
static jd_status take_up(settling *st) {
    st->k0 = st->k;
    return st->map->restart(st->run, 0, jd_settling_state(st, st->k), &st->phase);
}

// Whether n periods from state i on the motion is where the derivative of the orbit takes it.
static bool follows(settling *st, long i, int n) {
    const double *from = jd_settling_state(st, i), *to = jd_settling_state(st, i + n);
    const double *orbit = st->sh->s;
    double *away = st->begin; // nothing is recorded yet
    for (int c = 0; c < st->n; c++) away[c] = from[c] - orbit[c];
    jd_simd_best()->mix(1, st->n, st->n, away, 1, st->turned, st->n, st->miss, st->n);
    for (int r = 0; r < st->n; r++) st->miss[r] = to[r] - orbit[r] - st->miss[r];
    return jd_settling_size(st, st->miss, NULL) <= linear * jd_settling_size(st, from, orbit);
}

// Is this the member of its family of orbits on which what is stuck rests where it does now?
static bool is_member(const settling *st, const jd_kept *kept) {
    const double *now = jd_settling_state(st, st->k), *orbit = st->sh->s, *scale = st->sh->scale;
    double most = same_place * jd_settling_size(st, orbit, NULL);
    for (int l = 0; l < kept->n; l++) {
        double moved = 0;
        for (int i = 0; i < st->n; i++)
            moved += kept->row[(ptrdiff_t)l * st->n + i] * scale[i] * (now[i] - orbit[i]);
        if (fabs(moved) > most) return false;
    }
    return true;
}

// Goes on for a while: slow decay can beat, and a quiet stretch be followed by a knock. A contact
// that is stuck now may still slide before it is for good: as long as the time allowed.
static jd_status confirm(settling *st, int n, const jd_kept *kept, bool *settled) {
    long until = st->k + (n > CONFIRM ? n : CONFIRM);
    if (kept->n > 0 && until < st->limit) until = st->limit;
    JD_TRY(take_up(st));
    *settled = true;
    while (st->k < until && *settled) {
        JD_TRY(one_period(st));
        *settled = !st->lost && follows(st, st->k - n, n) && is_member(st, kept);
        if (jd_settling_size(st, jd_settling_state(st, st->k), st->sh->s) <=
            close_to * jd_settling_size(st, st->sh->s, NULL))
            break;
    }
    return JD_OK;
}

static bool is_there(const settling *st) {
    const double *orbit = st->sh->s;
    return jd_settling_size(st, jd_settling_state(st, st->k), orbit) <=
           reached * jd_settling_size(st, orbit, NULL);
}

// Does the motion go to the orbit of n periods at hand?
static jd_status goes_there(settling *st, int n, jd_kept *kept, bool *yes) {
    JD_TRY(jd_sweep_kept(st->sh, st->arena, kept));
    *yes = is_member(st, kept) &&
           (is_there(st) ||
            (st->k >= 2 * n && follows(st, st->k - 2 * n, n) && follows(st, st->k - n, n)));
    return JD_OK;
}

// Newton's method from where the motion is.
static jd_status seek(settling *st, int n) {
    jd_shooting *sh = st->sh;
    bool found;
    memcpy(sh->s, jd_settling_state(st, st->k), (size_t)st->n * sizeof *sh->s);
    sh->phase = st->phase;
    sh->forced = true;
    sh->period = n * st->drive;
    JD_TRY(jd_sweep_newton(sh, &found));
    st->known = found ? n : 0;
    for (int r = 0; found && r < st->n; r++)
        for (int c = 0; c < st->n; c++) st->turned[c * st->n + r] = sh->M[r * st->n + c];
    return JD_OK;
}

// An orbit found before is asked first: often the motion was only too far from it then.
static jd_status try_orbit(settling *st, int n, bool *settled) {
    jd_kept kept;
    *settled = false;
    if (st->known == n) JD_TRY(goes_there(st, n, &kept, settled));
    if (!*settled) {
        JD_TRY(seek(st, n));
        if (st->known) JD_TRY(goes_there(st, n, &kept, settled));
    }
    if (!*settled) return JD_OK;
    JD_TRY(jd_sweep_multiplier(st->sh, st->arena, &st->out->multiplier));
    *settled = st->out->multiplier < 1 - neutral; // undamped motion does not settle
    if (*settled && !is_there(st)) JD_TRY(confirm(st, n, &kept, settled));
    if (!*settled) return JD_OK;
    st->out->periods = n;
    st->out->residual = jd_shooting_residual(st->sh);
    return JD_OK;
}

// Orbits of one period, and of the number after which the motion comes back best.
static jd_status try_orbits(settling *st, bool *settled) {
    int best = 1;
    double first = jd_settling_recurrence(st, 1), least = first;
    for (int n = 2; n <= JD_SETTLING_LONGEST && n <= st->k; n++) {
        double r = jd_settling_recurrence(st, n);
        if (r >= 0.5 * least || (n > SHORT && r >= nearer)) continue;
        best = n;
        least = r;
    }
    *settled = false;
    if (first < near) JD_TRY(try_orbit(st, 1, settled));
    if (!*settled && !st->lost && best > 1 && least < near) JD_TRY(try_orbit(st, best, settled));
    return *settled || st->lost ? JD_OK : take_up(st);
}

// Whether r_n <= tolerance. Most states differ in their first coordinates already.
static bool is_back(const settling *st, int n, double whole) {
    const double *now = jd_settling_state(st, st->k), *then = jd_settling_state(st, st->k - n);
    double most = st->sweep->def->tolerance * whole, total = 0;
    for (int i = 0; i < st->n && total <= 4 * most * most; i++) {
        double d = st->sh->scale[i] * (now[i] - then[i]);
        total += d * d;
    }
    return total <= 4 * most * most && jd_settling_recurrence(st, n) <= st->sweep->def->tolerance;
}

// Smallest n with r_n <= tolerance; 0: none.
static int repeats(const settling *st) {
    double whole = jd_settling_size(st, jd_settling_state(st, st->k), NULL);
    for (int n = 1; n <= JD_SETTLING_LONGEST && n <= st->k; n++)
        if (is_back(st, n, whole)) return n;
    return 0;
}

// What is left of the change over n periods, as those of the last time fell: |e| rho/(1 - rho), rho
// by which it falls in n periods.
static double left_of(const settling *st, int n) {
    long kept = st->k < JD_SETTLING_RING - 1 ? st->k : JD_SETTLING_RING - 1, times = kept / n - 1;
    if (times < 1) return HUGE_VAL;
    long then = st->k - times * n;
    double now =
               jd_settling_size(st, jd_settling_state(st, st->k), jd_settling_state(st, st->k - n)),
           before =
               jd_settling_size(st, jd_settling_state(st, then), jd_settling_state(st, then - n));
    double rho = before > 0 ? pow(now / before, 1.0 / (double)times) : 0;
    rho = fmin(rho, slowest);
    return now * rho / (1 - rho);
}

// Do the n states of a cycle stay apart? A motion that still decays onto an orbit of fewer periods
// seems to come back after n of them where it turns by about a whole number in these.
static bool stays_apart(const settling *st, int n) {
    double closest = HUGE_VAL, left = n > 1 ? left_of(st, n) : 0;
    for (int i = 1; i < n; i++)
        closest = fmin(closest, jd_settling_size(st, jd_settling_state(st, st->k),
                                                 jd_settling_state(st, st->k - i)));
    return n == 1 || left < apart * closest;
}

jd_status jd_settling_wait(settling *st) {
    bool settled = false;
    jd_sweep_point *out = st->out;
    for (long next = FIRST_TRY; st->k < st->limit && !st->lost && !settled;) {
        JD_TRY(one_period(st));
        if (st->lost) break;
        int n = repeats(st);
        int enough = 2 * (n > SHORT ? n : SHORT) + 1;
        st->quiet = n ? st->quiet + 1 : 0;
        if (st->k >= next || st->k == st->limit || st->quiet == enough) {
            JD_TRY(try_orbits(st, &settled));
            next = st->k + (st->k / 2 > FIRST_TRY ? st->k / 2 : FIRST_TRY);
        }
        if (settled || n == 0 || st->quiet < enough || !stays_apart(st, n)) continue;
        out->periods = n;
        out->residual = jd_settling_recurrence(st, n);
        out->multiplier = (double)NAN;
        out->how = JD_SETTLE_RECURRENCE;
        out->settled = true;
        break;
    }
    out->waited = (double)st->k;
    if (settled) out->how = JD_SETTLE_SHOOTING;
    if (settled) out->settled = true;
    if (!out->settled) out->how = st->lost ? JD_SETTLE_STOPPED : JD_SETTLE_LIMIT;
    if (st->lost) out->stop = st->run->stop;
    return JD_OK;
}
