// march.h -- the first zero of several guards: certified steps until one of them crosses.
//   At every anchor each guard says how far it is provably inside (a rung of the ladder) and
//   whether it provably crosses once soon. All step by the shortest proof. A crossing is taken when
//   every other guard is proved past it. Where nothing can be proved (a grazing below rounding) the
//   search says so: it counts `undecided` and goes on past the place, or takes the zero if f ends
//   outside.
#ifndef JD_EXPSUM_MARCH_H
#define JD_EXPSUM_MARCH_H

#include "expsum/start.h"
#include "expsum/walk.h"

// Nothing provable at the smallest rung: f is on a limit within rounding. The first rung at which f
// is clear of the noise decides between "passed" and "crossed".
static jd_verdict undecided(jd_search *s, const jd_look *look) {
    const jd_expbasis *b = s->basis;
    jd_expansion e;
    expand(s, look, look->total, &e);
    const jd_guard *guard = look->guard;
    int side = e.f[0] - guard->lower < guard->upper - e.f[0] ? -1 : 1, rung = 0;
    double g[JD_TAYLOR], value = 0;
    distance_from(guard, e.f, side, g);
    s->result->undecided++;
    for (; rung < JD_RUNGS - 1; rung++) {
        double h = jd_rung_length(b, rung), noise = look->noise + JD_EPS * look->total[9] * h;
        double remainder = e.B * power_of(jd_rung_length(b, rung), b->order);
        value = horner(g, h);
        if (fabs(value) > 4 * noise + remainder) break;
        if (remainder > 4 * noise) { // no expansion reaches out of the noise
            value = 0;
            break;
        }
    }
    jd_verdict v = {.rung = rung};
    if (value < 0)
        v = (jd_verdict){-1, true, side, 0.5 * jd_rung_length(b, rung), jd_rung_length(b, rung),
                         0,  false};
    return v;
}

static bool is_outside(const jd_look *look) {
    double f = look->total[0];
    return f < look->guard->lower - look->noise || f > look->guard->upper + look->noise;
}

static bool starts_on_limit(const jd_search *s, const jd_guard *guard) {
    return s->t == 0 && guard->start_side != 0 && guard->start_order > 0;
}

// No zero until t_max, from the amplitudes alone: |f - a_0| <= sum|c| while nothing grows.
static inline bool stays_inside(const jd_search *s, const jd_look *look) {
    const jd_guard *guard = look->guard;
    if (!s->basis->steady || guard->degree > 0) return false;
    double size = s->options.bound_factor * look->total[8] + look->noise +
                  JD_EPS * look->total[9] * (s->t_max - s->t);
    return look->polynomial[0] - size > guard->lower && look->polynomial[0] + size < guard->upper;
}

// sum|c| with parts of one pole, which are neighbours, taken together.
static double size_together(const jd_search *s, const jd_guard *guard) {
    const jd_expbasis *b = s->basis;
    const double *row = guard->watch->row;
    double re = 0, im = 0, sum = 0;
    for (int j = 0; j < b->n_used; j++, row += JD_ROW) {
        re += row[0] * b->scratch.z_re[j] - row[8] * b->scratch.z_im[j];
        im += row[0] * b->scratch.z_im[j] + row[8] * b->scratch.z_re[j];
        if (j + 1 < b->n_used && b->re[j + 1] == b->re[j] && b->im[j + 1] == b->im[j]) continue;
        sum += sqrt(re * re + im * im);
        re = im = 0;
    }
    return sum;
}

// The same where drives or bodies are alike and their parts cancel: a function of nothing but
// rounding, whose expansions would have to be shorter than that.
static bool cancels(const jd_search *s, const jd_look *look) {
    const jd_guard *guard = look->guard;
    double left = s->t_max - s->t, moves = 0;
    if (!s->basis->repeated || !s->basis->steady) return false;
    for (int m = guard->degree; m >= 1; m--) moves = (moves + fabs(look->polynomial[m])) * left;
    double size = s->options.bound_factor * size_together(s, guard) + moves + look->noise +
                  JD_EPS * look->total[9] * left;
    return look->polynomial[0] - size > guard->lower && look->polynomial[0] + size < guard->upper;
}

// False: outside at time 0.
static bool judge(jd_search *s, const jd_guard *guard, int cap, jd_verdict *verdict) {
    jd_look *look = s->look;
    look->bounded = look->bounded && s->kept;
    *verdict = (jd_verdict){.rung = cap, .forever = true};
    if (guard->lower == -HUGE_VAL && guard->upper == HUGE_VAL) return true;
    if (s->start[guard - s->guard].cancels) return true;
    verdict->forever = false;
    look_at(s, guard, look);
    if (!(look->total[8] < HUGE_VAL && look->noise < HUGE_VAL)) s->unbounded = true;
    if (starts_on_limit(s, guard)) {
        if (!certify_start(s, look, cap, &s->start[guard - s->guard], &verdict->rung)) return false;
        if (verdict->rung < 0) *verdict = undecided(s, look);
        return true;
    }
    if (s->t == 0 && is_outside(look)) return false;
    if (s->t == 0 && (verdict->forever = stays_inside(s, look))) return true;
    if (s->t == 0 && (verdict->forever = s->start[guard - s->guard].cancels = cancels(s, look)))
        return true;
    const double *forced = forced_split(s, look);
    int order = s->basis->order, over_order = s->basis->over_order;
    jd_choice choice = forced ? promise(look, forced, over_order) : choose_split(look, over_order);
    jd_expansion e;
    bool promising = choice.log != INT64_MIN;
    int *bias = &s->bias[choice.straight], guess = promising ? rung_of_log(s, choice.log) : 0;
    if (promising && !forced && leaps(s, look, &choice, cap, &guess)) {
        verdict->rung = guess;
        return true;
    }
    expand(s, look, choice.p, &e);
    verdict->rung = promising ? certify(s, look, &e, guess, bias, cap, order) : -1;
    if (verdict->rung == cap) return true;
    jd_nearness near = nearness(e.f, guard, reach_of(s, verdict->rung));
    if (near.worth_trying && prove_crossing_or_miss(s, look, e.f, near, verdict)) return true;
    if (verdict->rung < 0 && e.f < look->total && s->options.split < 0) {
        expand(s, look, look->total, &e);
        verdict->rung = certify(s, look, &e, guess, bias, cap, order);
    }
    if (verdict->rung < 0 && guard->start_side != 0)
        verdict->rung = climb_out(s, look, cap, &s->start[guard - s->guard]);
    if (verdict->rung < 0) *verdict = undecided(s, look);
    return true;
}

// Finishes all crossings that may be the first and takes the earliest. An estimate x may be far
// off: only the rung proved free of zeros tells that a crossing comes later than another.
static bool take_crossing(jd_search *s, const jd_verdict *v, double proved, double *re,
                          double *im) {
    int first = -1;
    for (int i = 0; i < s->n_guard; i++)
        if (v[i].crossing && (first < 0 || v[i].x < v[first].x)) first = i;
    if (first < 0 || v[first].x > proved * (1 + 1e-9)) return false;
    int climbs = s->climbs, earliest = first, looked = first;
    jd_look *look = s->look;
    double start = s->t, about;
    double best = finish(s, s->guard + first, v + first, true, look, &about);
    for (int i = 0; i < s->n_guard; i++) {
        double free = v[i].rung < 0 ? 0 : jd_rung_length(s->basis, v[i].rung);
        if (!v[i].crossing || i == first || free > best - start) continue;
        s->t = start;
        double t = finish(s, s->guard + i, v + i, false, look, &about);
        if (t < best) best = t, earliest = i;
        looked = i;
    }
    if (s->t != best) anchor(s, best);
    if (best - start > proved) { // the other guards are not proved so far: walk on
        anchor(s, start);
        s->climbs = climbs;
        return false;
    }
    if (best > s->t_max) {
        end_search(s, JD_SEARCH_NONE, s->t_max, re, im);
        return true;
    }
    if (looked != earliest) look_at_total(s, s->guard + earliest, look), about = s->t;
    report_zero(s, earliest, v[earliest].side, look, about);
    size_t bytes = (size_t)s->basis->n_slot * sizeof(double);
    memcpy(re, s->basis->scratch.z_re, bytes);
    memcpy(im, s->basis->scratch.z_im, bytes);
    return true;
}

// One anchor: true when the search has ended.
static bool look_around(jd_search *s, double *re, double *im) {
    jd_verdict v[JD_GUARD_LIMIT];
    double remaining = s->t_max - s->t, proved = HUGE_VAL;
    int cap = jd_expbasis_rung(s->basis, remaining) + 1, rung = cap;
    if (cap > JD_RUNGS - 1) rung = cap = JD_RUNGS - 1;
    bool crossing = false, forever = true;
    for (int i = 0; i < s->n_guard; i++) {
        bool starts_inside = judge(s, s->guard + i, cap, v + i);
        if (s->unbounded || !starts_inside) {
            s->result->guard = i;
            end_search(s, s->unbounded ? JD_SEARCH_UNBOUNDED : JD_SEARCH_OUTSIDE, s->t, re, im);
            return true;
        }
        forever = forever && v[i].forever;
        if (v[i].rung < rung) rung = v[i].rung;
        if (v[i].crossing)
            crossing = true;
        else if (v[i].rung < cap || cap == JD_RUNGS - 1)
            proved = proved < jd_rung_length(s->basis, v[i].rung)
                         ? proved
                         : jd_rung_length(s->basis, v[i].rung);
    }
    if (crossing && take_crossing(s, v, proved, re, im)) return true;
    if (rung < 0) rung = 0; // on a limit within rounding beside another guard's crossing
    if (forever || jd_rung_length(s->basis, rung) >= remaining) {
        end_search(s, JD_SEARCH_NONE, s->t_max, re, im);
        return true;
    }
    step(s, rung);
    return false;
}

static void first_zero(jd_expbasis *basis, const double *re, const double *im, int n_guard,
                       const jd_guard *guard, double t_max, const jd_search_options *options,
                       jd_search_result *result, double *out_re, double *out_im) {
    *result = (jd_search_result){.guard = -1, .margin = HUGE_VAL, .evaluations = 1};
    jd_look look; // not zeroed: it is large
    jd_start start[JD_GUARD_LIMIT];
    look.bounded = false;
    jd_search s = {.basis = basis,
                   .re0 = re,
                   .im0 = im,
                   .guard = guard,
                   .n_guard = n_guard,
                   .last = basis->n_group > 0 ? basis->n_group - 1 : 0,
                   .t_max = t_max,
                   .options = options ? *options : jd_default_search_options(),
                   .kept = n_guard == 1 && basis->undamped,
                   .look = &look,
                   .start = start,
                   .result = result};
    size_t bytes = (size_t)basis->n_slot * sizeof(double);
    memcpy(basis->scratch.z_re, re, bytes);
    memcpy(basis->scratch.z_im, im, bytes);
    magnitudes(basis->n_slot, re, im, basis->scratch.magnitude);
    if (n_guard > JD_GUARD_LIMIT) {
        end_search(&s, JD_SEARCH_BUDGET, 0, out_re, out_im);
        return;
    }
    for (int i = 0; i < n_guard; i++) start[i] = (jd_start){.until = -1};
    while (!look_around(&s, out_re, out_im)) {
        jd_verdict crossing;
        jd_pace pace = n_guard == 1 ? walk(&s, &crossing) : PACE_LOOK;
        if (pace == PACE_CROSSING && take_crossing(&s, &crossing, HUGE_VAL, out_re, out_im)) return;
        bool spent = result->evaluations >= s.options.max_evaluations;
        if (pace == PACE_END || spent) {
            end_search(&s, spent ? JD_SEARCH_BUDGET : JD_SEARCH_NONE, spent ? s.t : t_max, out_re,
                       out_im);
            return;
        }
    }
}

#endif
