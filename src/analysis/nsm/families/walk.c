// walk.c -- pseudo-arclength along orbits of k impacts: steps, turning points, located ends.
//   A step goes h along the tangent and is corrected in the plane across it. The step is halved
//   where Newton's method is slow and grows where it is quick. Ends and turns are zeros of a
//   function of h between two orbits, found by regula falsi (Illinois) to rounding.
#include "analysis/nsm/families/walk.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/fail.h"

static const double two_pi = JD_TWO_PI;
static const double first_step = 0.01, longest = 0.03, shortest = 1e-7;
static const double unbounded = 1e6; // times the energy at the start

jd_status jd_nsm_walk_open(jd_nsm *s, int k, double period, double speed, nsm_walk *w) {
    int N = 2 * k;
    JD_TRY(jd_nsm_curve_open(s, k, period, speed, &w->curve));
    double **vectors[] = {&w->y, &w->tangent, &w->next, &w->next_tangent, &w->between, &w->turned};
    for (int i = 0; i < 6; i++) *vectors[i] = JD_TAKE(s->scratch_arena, double, N);
    w->omega = JD_TAKE(s->scratch_arena, double, NSM_WALK_POINTS);
    w->energy = JD_TAKE(s->scratch_arena, double, NSM_WALK_POINTS);
    w->time = JD_TAKE(s->scratch_arena, double, NSM_WALK_POINTS *k);
    w->impulse = JD_TAKE(s->scratch_arena, double, NSM_WALK_POINTS *k);
    w->turn = JD_TAKE(s->scratch_arena, jd_nsm_turn, NSM_WALK_TURNS);
    JD_TRY(jd_arena_status(s->scratch_arena));
    memset(w->tangent, 0, (size_t)N * sizeof *w->tangent);
    return JD_OK;
}

void jd_nsm_walk_aim(nsm_walk *w, double sign, int i) {
    double size = 0, *t = w->tangent;
    for (int k = 0; k < w->curve.N; k++) size += t[k] * t[k];
    size = copysign(sqrt(size), t[i] * sign);
    for (int k = 0; k < w->curve.N; k++) t[k] /= size;
}

bool jd_nsm_walk_straighten(nsm_walk *w, int i) {
    double sign = w->tangent[i];
    if (!jd_nsm_curve_tangent(&w->curve, w->y, w->tangent, w->next_tangent)) return false;
    memcpy(w->tangent, w->next_tangent, (size_t)w->curve.N * sizeof *w->tangent);
    if (w->tangent[i] == 0) return false;
    jd_nsm_walk_aim(w, sign, i);
    return true;
}

static void record(nsm_walk *w, const double *y) {
    const nsm_curve *c = &w->curve;
    jd_nsm_family *f = &w->family;
    if (f->n == NSM_WALK_POINTS) return;
    w->omega[f->n] = two_pi / curve_T(c, y);
    w->energy[f->n] = jd_nsm_curve_energy(c, y);
    for (int i = 0; i < c->k; i++) {
        w->time[f->n * c->k + i] = curve_t(c, y, i);
        w->impulse[f->n * c->k + i] = curve_p(c, y, i);
    }
    f->n++;
}

// The orbit h further along, in w->between.
static bool orbit_at(nsm_walk *w, double h) {
    for (int i = 0; i < w->curve.N; i++) w->between[i] = w->y[i] + h * w->tangent[i];
    return jd_nsm_curve_correct(&w->curve, w->between, w->tangent);
}

// What vanishes where a range ends.
typedef enum watched { TURN, IMPULSE, CONTACT } watched;
typedef struct feature {
    watched what;
    int i;    // impulse
    double t; // [s] contact: near its highest point
} feature;

// The highest point of u near t, by Newton with short steps.
static double summit(const nsm_curve *c, const double *y, double t, double *height) {
    double u[3] = {0}, reach = 0.5 / c->s->modes.fastest, T = curve_T(c, y);
    for (int i = 0; i < 60; i++) {
        jd_nsm_curve_motion(c, y, t, u);
        double dt = u[2] < 0 ? -u[1] / u[2] : copysign(reach, u[1]);
        dt = fmax(-reach, fmin(reach, dt));
        t = fmax(0, fmin(t + dt, T * (1 - 1e-15)));
        if (fabs(dt) < 1e-14 * T) break;
    }
    jd_nsm_curve_motion(c, y, t, u);
    *height = u[0];
    return t;
}

static bool value(nsm_walk *w, feature *f, const double *y, double *out) {
    const nsm_curve *c = &w->curve;
    switch (f->what) {
    case TURN:
        if (!jd_nsm_curve_tangent(&w->curve, y, w->tangent, w->turned)) return false;
        *out = w->turned[c->N - 1];
        return true;
    case IMPULSE:
        *out = curve_p(c, y, f->i);
        return true;
    case CONTACT:
        f->t = summit(c, y, f->t, out);
        return true;
    }
    return false;
}

// The zero of a feature between here and h further; the orbit there is left in w->between.
static bool locate(nsm_walk *w, feature *f, double h) {
    double low = 0, high = h, a, b, m, at = h;
    int side = 0;
    if (!value(w, f, w->next, &b) || !value(w, f, w->y, &a) || a * b > 0) return false;
    for (int i = 0; i < 100 && high - low > 1e-16 * h; i++) {
        at = (low * b - high * a) / (b - a);
        if (!(at > low && at < high)) at = (low + high) / 2;
        if (!orbit_at(w, at) || !value(w, f, w->between, &m)) return false;
        if (m == 0) break;
        if (m * b > 0) {
            high = at;
            b = m;
            if (side == 1) a /= 2;
            side = 1;
        } else {
            low = at;
            a = m;
            if (side == -1) b /= 2;
            side = -1;
        }
    }
    w->located = at;
    return true;
}

static void note_turn(nsm_walk *w, double h) {
    feature f = {.what = TURN};
    if (w->tangent[w->curve.N - 1] * w->next_tangent[w->curve.N - 1] >= 0) return;
    if (w->family.n_turn == NSM_WALK_TURNS || !locate(w, &f, h)) return;
    w->turn[w->family.n_turn++] = (jd_nsm_turn){two_pi / curve_T(&w->curve, w->between),
                                                jd_nsm_curve_energy(&w->curve, w->between)};
    record(w, w->between);
}

// The last admissible orbit between here and h further, by bisection, where the summit that comes
// into contact is not the one followed from here.
static bool locate_contact(nsm_walk *w, feature *f, double h) {
    double low = 0, high = h, at;
    bool decided;
    for (int i = 0; i < 100 && high - low > 1e-15 * h; i++) {
        double middle = (low + high) / 2;
        if (!orbit_at(w, middle)) return false;
        if (jd_nsm_curve_admissible(&w->curve, w->between, &at, &decided)) {
            low = middle;
        } else {
            high = middle;
            if (at >= 0) f->t = at;
        }
    }
    return orbit_at(w, low);
}

static bool admissible_at(nsm_walk *w, double h) {
    double at;
    bool decided;
    return orbit_at(w, h) && jd_nsm_curve_admissible(&w->curve, w->between, &at, &decided);
}

// Where `f` vanishes. A contact must be the first one: the orbit just before it is admissible, the
// one just after is not.
static bool locate_end(nsm_walk *w, feature *f, double h) {
    feature first = *f;
    bool found = locate(w, f, h);
    if (f->what != CONTACT) return found;
    double at = w->located, near = 1e-6 * h;
    if (found && admissible_at(w, at - near) && !admissible_at(w, fmin(at + near, h)))
        return orbit_at(w, at);
    *f = first;
    return locate_contact(w, f, h);
}

// Ends the walk between here and the next orbit, where `f` vanishes.
static void finish(nsm_walk *w, feature f, double h, jd_nsm_stop stop) {
    if (locate_end(w, &f, h)) {
        note_turn(w, h); // only where omega turns before the end
        if (locate_end(w, &f, h)) record(w, w->between);
        w->family.graze_time = f.t;
    }
    w->family.stop = stop;
}

// Close to a pole k T_j with all impulses fading: the family comes from a linear mode that grazes,
// which is added as its last orbit.
static bool becomes_linear(nsm_walk *w) {
    const nsm_curve *c = &w->curve;
    const jd_nsm *s = c->s;
    double T = curve_T(c, w->y), most = 0;
    for (int i = 0; i < c->k; i++) most = fmax(most, fabs(w->y[c->k - 1 + i]));
    if (most > 0.2 || w->family.n == NSM_WALK_POINTS) return false;
    for (int j = 0; j < s->modes.n; j++) {
        double turns = T * s->modes.omega[j] / two_pi, k = nearbyint(turns);
        if (k < 1 || fabs(turns - k) > 2e-3 * k) continue;
        int i = w->family.n++;
        memcpy(w->time + i * c->k, w->time + (i - 1) * c->k, (size_t)c->k * sizeof *w->time);
        memset(w->impulse + i * c->k, 0, (size_t)c->k * sizeof *w->impulse);
        w->omega[i] = s->modes.omega[j] / k;
        w->energy[i] = jd_nsm_mode_energy(s, j);
        w->family.stop = JD_NSM_STOP_LINEAR;
        return true;
    }
    return false;
}

// C''(T/2; T) of two impacts half a period apart.
static double middle_bend(const jd_nsm *s, double T) {
    double sum = 0;
    for (int j = 0; j < s->modes.n; j++)
        sum -= s->modes.a[j] * s->modes.omega[j] / sin(s->modes.omega[j] * T / 2);
    return sum;
}

// Pairs come together with the orbits of half the period, tau = T/2 (a solution for every T), where
// C''(T/2; T) = 0: a flip of a one-impact branch. That orbit, by the secant method, ends the walk.
static bool halves(nsm_walk *w) {
    const nsm_curve *c = &w->curve;
    const jd_nsm *s = c->s;
    double T = curve_T(c, w->y), T1 = curve_T(c, w->next), slope;
    double before = curve_t(c, w->y, 1) - T / 2, after = curve_t(c, w->next, 1) - T1 / 2;
    if (before * after > 0 && fabs(after) > 1e-9 * T) return false;
    if (fabs(T1 - T) < 1e-6 * T) T1 = T * (1 + 1e-6);
    double f = middle_bend(s, T), f1 = middle_bend(s, T1);
    for (int i = 0; i < 50 && f1 != f && fabs(T1 - T) > 1e-16 * T; i++) {
        double next = T1 - f1 * (T1 - T) / (f1 - f);
        T = T1;
        f = f1;
        T1 = next;
        f1 = middle_bend(s, T1);
    }
    // p (C(0) + C(T/2)) = g with C(0; T) + C(T/2; T) = w(T/2)
    double *y = w->between;
    y[0] = T1 / (2 * c->period);
    y[1] = y[2] = s->gap / jd_nsm_w(s, T1 / 2, &slope) / c->speed;
    y[3] = T1 / c->period;
    if (fabs(T1 / curve_T(c, w->y) - 1) < 0.05) record(w, y);
    w->family.stop = JD_NSM_STOP_HALVED;
    return true;
}

// Is the next orbit (h further) past an end?
static bool ended(nsm_walk *w, double h) {
    const nsm_curve *c = &w->curve;
    double at;
    bool decided;
    if (jd_nsm_curve_energy(c, w->next) > unbounded * w->energy[0]) {
        double near = curve_T(c, w->next);
        w->family.stop = JD_NSM_STOP_UNBOUNDED;
        if (jd_nsm_curve_limit(&w->curve, w->next) && fabs(curve_T(c, w->next) / near - 1) < 0.01)
            w->family.omega_end = two_pi / curve_T(c, w->next);
        return true;
    }
    if (w->kind == JD_NSM_PAIR && halves(w)) return true;
    if (jd_nsm_curve_admissible(&w->curve, w->next, &at, &decided)) {
        w->family.certified = w->family.certified && decided;
        return false;
    }
    if (at >= 0) {
        finish(w, (feature){.what = CONTACT, .t = at}, h, JD_NSM_STOP_GRAZE);
        return true;
    }
    int i = (int)(-1 - at);
    bool fades = !(curve_p(c, w->next, i) < 0);
    if (fades && becomes_linear(w)) return true;
    if (fades)
        finish(w, (feature){.what = IMPULSE, .i = i}, h, JD_NSM_STOP_FADES);
    else
        w->family.stop = JD_NSM_STOP_MERGE;
    return true;
}

// One step of at most *h; false: it could not be made.
static bool step(nsm_walk *w, double *h) {
    for (; *h > shortest; *h /= 2) {
        if (!orbit_at(w, *h)) continue;
        memcpy(w->next, w->between, (size_t)w->curve.N * sizeof *w->next);
        if (!jd_nsm_curve_tangent(&w->curve, w->next, w->tangent, w->next_tangent)) continue;
        double turn = 0;
        for (int i = 0; i < w->curve.N; i++) turn += w->tangent[i] * w->next_tangent[i];
        if (turn > 0.995) return true; // at most six degrees
    }
    return false;
}

jd_status jd_nsm_walk_run(nsm_walk *w) {
    jd_nsm_family *f = &w->family;
    double h = first_step;
    f->omega = w->omega;
    f->energy = w->energy;
    f->time = w->time;
    f->impulse = w->impulse;
    f->turn = w->turn;
    f->certified = true;
    f->stop = JD_NSM_STOP_BUDGET;
    record(w, w->y);
    while (f->n < NSM_WALK_POINTS - 4) {
        if (jd_stop_wanted(w->curve.s->context)) break;
        if (!step(w, &h)) {
            becomes_linear(w);
            break;
        }
        if (ended(w, h)) break;
        note_turn(w, h);
        record(w, w->next);
        memcpy(w->y, w->next, (size_t)w->curve.N * sizeof *w->y);
        memcpy(w->tangent, w->next_tangent, (size_t)w->curve.N * sizeof *w->tangent);
        double size = 1; // in units of the start: steps grow with the motion
        for (int i = 0; i < w->curve.N; i++) size = fmax(size, fabs(w->y[i]));
        h = fmin(longest * size, 1.5 * h);
    }
    if (!(f->omega_end > 0)) f->omega_end = f->omega[f->n - 1];
    return JD_OK;
}
