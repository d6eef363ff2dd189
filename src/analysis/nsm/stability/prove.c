// prove.c -- ranges of a branch proved stable or unstable, from one end to the other.
//   Over an interval of periods an orbit is
//   - unstable where P(1) < 0 or (-1)^(n-1) P(-1) < 0: an odd number of mu is beyond 1 or -1,
//   - unstable where one root stays off [-1, 1] (jd_nsm_root_stays_off),
//   - stable where P changes its sign at n - 1 places in order: 1, between each two neighbouring
//     roots, -1. Then all n - 1 roots are real and inside.
//   Every test bounds its functions over the whole interval, so no window of the other kind can
//   hide in it. Intervals that are not proved are halved, down to `finest`; next to a change their
//   length falls like the distance to it. What is left undecided is at most so wide, and is
//   reported.
#include "analysis/nsm/stability/stability.h"

#include <string.h>

static const int few = 16;         // modes up to which all roots are found whenever a test fails
static const double grow = 1.6;    // intervals that were proved
static const double far_off = 1.2; // over n: a root so far off [-1, 1] serves, no other is sought
static const int patience = 3;     // halvings before the roots are found anew
enum { STARTS = 24, STRIDE = 7, PASSING_STARTS = 8 };

static jd_status append(nsm_prover *u, double from, double to, nsm_verdict is) {
    nsm_proved_range *last = u->n_range ? &u->range[u->n_range - 1] : NULL;
    if (last && last->is == is) {
        last->to = to;
        return JD_OK;
    }
    if (!u->range || u->n_range == u->room) {
        int room = u->room ? 2 * u->room : 64;
        nsm_proved_range *more = JD_TAKE(u->s->arena, nsm_proved_range, room);
        JD_TRY(jd_arena_status(u->s->arena));
        if (u->range) memcpy(more, u->range, (size_t)u->n_range * sizeof *more);
        u->range = more;
        u->room = room;
    }
    u->range[u->n_range++] = (nsm_proved_range){from, to, is};
    return JD_OK;
}

static bool root_stays_off(nsm_prover *u) {
    double ahead = u->place.T - u->z_at;
    if (!u->tracked) return false;
    for (int c = 0; c < 2; c++) u->z[c] += ahead * u->drift[c];
    u->z_at = u->place.T;
    u->tracked = jd_nsm_secular_root(&u->place, u->z) && jd_nsm_off_segment(u->z) > 0 &&
                 jd_nsm_secular_drift(&u->place, u->z, u->drift);
    return u->tracked && jd_nsm_root_stays_off(&u->place, u->z, u->drift);
}

static bool signs_alternate(const nsm_prover *u) {
    for (int i = 0; i < u->s->modes.n - 2; i++)
        if (jd_nsm_sign_at(&u->place, u->between[i]) != (i % 2 ? 1 : -1)) return false;
    return true;
}

// Is the root that is tracked still about as far off as when it was chosen?
static bool serves(const nsm_prover *u) {
    return u->tracked && jd_nsm_off_segment(u->z) > u->chosen_off / 2;
}

// By what is known of the roots; first by what served last.
static nsm_verdict verdict_of(nsm_prover *u) {
    if (root_stays_off(u)) return NSM_UNSTABLE;
    if (u->s->modes.n > few && serves(u)) return NSM_UNDECIDED; // the interval is too long
    int one = jd_nsm_sign_at_one(&u->place), minus_one = jd_nsm_sign_at_minus_one(&u->place);
    if (one < 0 || minus_one < 0) return NSM_UNSTABLE;
    if (one > 0 && minus_one > 0 && u->apart && signs_alternate(u)) return NSM_STABLE;
    return NSM_UNDECIDED;
}

// Places between falling real mu: in the middle of the widest part that the poles c_j leave.
static void find_between(nsm_prover *u) {
    int n = u->s->modes.n;
    double *mu = u->mu;
    for (int i = 1; i < n - 1; i++) // sorts the real parts
        for (int k = i; k > 0 && mu[2 * k] > mu[2 * k - 2]; k--) {
            double one = mu[2 * k];
            mu[2 * k] = mu[2 * k - 2];
            mu[2 * k - 2] = one;
        }
    for (int i = 0; i < n - 2; i++) {
        double high = mu[2 * i], low = mu[2 * i + 2], from = low, widest = -1;
        while (from < high) { // parts from one pole to the next
            double to = high;
            for (int j = 0; j < n; j++) {
                double c = u->place.c[j];
                if (c > from && c < to) to = c;
            }
            if (to - from > widest) {
                widest = to - from;
                u->between[i] = (from + to) / 2;
            }
            from = to;
        }
        if (widest < 0) u->between[i] = low;
    }
}

// A root off [-1, 1] by Newton's method from places all over the disc; false: none was met.
static bool seek_root(nsm_prover *u) {
    static const double height[] = {0.02, 0.06, 0.2};
    double best = 1e-7;
    u->tracked = false;
    int most = u->passing ? PASSING_STARTS : STARTS;
    for (int i = 0; i < most && best * u->s->modes.n < far_off; i++) {
        double z[2] = {-1 + (2 * (i * STRIDE % STARTS) + 1.0) / STARTS, height[i % 3]};
        if (!jd_nsm_secular_root(&u->place, z) || jd_nsm_off_segment(z) <= best) continue;
        best = jd_nsm_off_segment(z);
        memcpy(u->z, z, sizeof z);
        u->tracked = true;
    }
    u->drift[0] = u->drift[1] = 0;
    u->z_at = u->place.T;
    u->chosen_off = best;
    return u->tracked;
}

// Finds the roots anew.
static jd_status renew(nsm_prover *u) {
    int n = u->s->modes.n;
    double best = 1e-9;
    if (n > few && (seek_root(u) || u->passing)) return JD_OK;
    JD_TRY(jd_nsm_secular_roots(u->s, u->place.T, u->mu));
    u->tracked = false;
    for (int i = 0; i < n - 1; i++) {
        double off = jd_nsm_off_segment(u->mu + 2 * i);
        if (off <= best) continue;
        best = off;
        u->z[0] = u->mu[2 * i];
        u->z[1] = fabs(u->mu[2 * i + 1]);
        u->drift[0] = u->drift[1] = 0;
        u->z_at = u->place.T;
        u->tracked = true;
    }
    u->chosen_off = u->tracked ? best : 0;
    u->apart = !u->tracked;
    if (u->apart) find_between(u);
    return JD_OK;
}

static jd_status prove(nsm_prover *u, double T, double h, nsm_verdict *out) {
    jd_nsm_period_at(&u->place, T, h);
    *out = verdict_of(u);
    if (++u->looks > u->effort && u->looks % (1 + u->effort / 12) == 0) u->finest *= 4;
    if (*out != NSM_UNDECIDED) {
        u->failed = 0;
        return JD_OK;
    }
    bool known = serves(u) || u->apart;
    if ((known || (u->passing && u->failed)) && u->s->modes.n > few && ++u->failed % patience)
        return JD_OK; // shorter first
    JD_TRY(renew(u));
    *out = verdict_of(u);
    return JD_OK;
}

// Periods from the returned one up to the pole at the start of a branch are unstable: kappa falls
// to -infinity there, and the sum of all roots, sum c_j - 1 - 2 sum a_j c_j + kappa X, X = sum b_j
// s_j, |dX/dT| <= 1, leaves the range [1 - n, n - 1] of n - 1 roots in [-1, 1] once |kappa X| > 2 n
// + 2.
static double unstable_from(nsm_prover *u, double low, double pole) {
    const jd_nsm *s = u->s;
    double X = 0, limit = 2 * s->modes.n + 2.001;
    for (int j = 0; j < s->modes.n; j++) X += s->modes.b[j] * sin(s->modes.omega[j] * pole);
    for (double part = pole - low; part > u->finest; part /= 2) {
        double least = fabs(X) - part - 1e-15 * pole, kappa = 0;
        if (least <= 0) continue;
        for (int j = 0; j < s->modes.n; j++)
            kappa += s->modes.a[j] * s->modes.omega[j] / tan(s->modes.omega[j] * (pole - part) / 2);
        if (-kappa * least > limit) return pole - part;
    }
    return pole;
}

jd_status jd_nsm_prove_ranges(nsm_prover *u, double low, double pole) {
    double at = low, high = unstable_from(u, low, pole), width = (high - low) / 4;
    u->n_range = u->looks = u->failed = 0;
    u->tracked = u->apart = false;
    while (at < high) {
        nsm_verdict is;
        width = fmin(width, high - at);
        double to = at + width;
        JD_TRY(prove(u, (at + to) / 2, width / 2, &is));
        if (is == NSM_UNDECIDED && width > u->finest) {
            width /= 2;
            continue;
        }
        JD_TRY(append(u, at, to, is));
        if (is != NSM_UNDECIDED) width *= grow;
        if (!(to > at)) break;
        at = to;
    }
    return high < pole ? append(u, high, pole, NSM_UNSTABLE) : JD_OK;
}
