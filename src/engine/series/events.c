// events.c -- what a contact does when its guard reaches 0, and the states at the start.
//   Sprung contacts decide alone: forces and accelerations are continuous, so none depends on what
//   the others choose. Rigid ones change one after the other until no guard is outside (step.c).
#include <math.h>
#include <string.h>

#include "engine/series/series.h"
#include "engine/series/smooth/plane.h"
#include "linalg/dot.h"

static const double at_rest = 1e-13; // of the absolute terms: below it a speed is 0

static const double at_limit_to = 1e-12; // of the limit

static const double gone = 64 * 0x1p-52; // of places and of time: within it a normal force is 0

static double row_value(const series *s, int r, const double *x, double *size) {
    const double *w = s->plan.W + (size_t)r * (size_t)s->plan.stride;
    double sum = 0, all = 0;
    for (int k = 0; k < s->plan.n; k++) {
        sum += w[k] * x[k];
        all += fabs(w[k] * x[k]);
    }
    if (size) *size = all;
    return sum;
}

double jd_series_penetration(const series *s, int a, int side, double *rate) {
    const series_normal *g = &s->plan.normal[a];
    *rate = side * (row_value(s, g->row, s->state.p, NULL) - g->belt);
    return side * (row_value(s, g->row, s->state.q, NULL) - g->belt * s->state.t0) - g->gap;
}

// Relative speed of a slider; what is no more than rounding is 0.
static double speed_of(const series *s, int i) {
    const series_slider *g = &s->plan.slider[i];
    double size, v = row_value(s, g->row, s->state.p, &size) - g->belt;
    return fabs(v) <= at_rest * (size + fabs(g->belt)) ? 0 : v;
}

jd_contact_state jd_series_state_of(const series *s, int j, int cell) {
    const series_contact *c = &s->plan.contact[j];
    if (c->smooth >= 0) return JD_CONTACT_CLOSED_ABOVE;
    if (c->sliders > 0) {
        int slide = s->state.slide[c->first + cell];
        return slide == SERIES_FREE ? JD_CONTACT_OPEN : jd_contact_sliding(slide);
    }
    int closed = c->own < 0 ? 0 : s->state.closed[c->own];
    return closed > 0   ? JD_CONTACT_CLOSED_ABOVE
           : closed < 0 ? JD_CONTACT_CLOSED_BELOW
                        : JD_CONTACT_OPEN;
}

static void show(series *s, int j) {
    const series_contact *c = &s->plan.contact[j];
    bool several = c->sliders > 1 || s->plan.system->cells[c->of].position;
    jd_run_set_state(s->run, c->of, several ? JD_CONTACT_CELLS : jd_series_state_of(s, j, 0));
}

void jd_series_letters(series *s) {
    for (int j = 0; j < s->plan.m; j++) show(s, j);
}

// Changes of one instant are joined: what a contact passes through without staying is no event.
void jd_series_record(series *s, int part, int slider, jd_contact_state from, jd_contact_state to) {
    series_queue *q = &s->queue;
    int j = s->plan.contact[part].of, cell = s->plan.contact[part].cell + slider;
    for (int i = q->next; i < q->n; i++) {
        jd_event *e = &q->event[i];
        if (e->contact != j || e->cell != cell || e->impulse != 0) continue;
        e->to = to;
        if (e->from != e->to) return;
        memmove(e, e + 1, (size_t)(q->n - i - 1) * sizeof *e);
        q->n--;
        return;
    }
    if (from == to || q->n == q->room) return;
    q->event[q->n++] =
        (jd_event){.t = s->state.t0, .contact = j, .from = from, .to = to, .cell = cell};
}

static void set_slide(series *s, int i, int to) {
    const series_slider *g = &s->plan.slider[i];
    jd_contact_state from = jd_series_state_of(s, g->contact, g->cell);
    if (!(g->kt > 0) || s->plan.normal[g->normal].kind == NORMAL_RIGID) s->held.known = false;
    s->state.slide[i] = (int8_t)to;
    s->state.slide_order[i] = 0;
    s->state.slide_side[i] = 0;
    show(s, g->contact);
    jd_series_record(s, g->contact, g->cell, from, jd_series_state_of(s, g->contact, g->cell));
}

static void set_closed(series *s, int a, int to) {
    const series_normal *g = &s->plan.normal[a];
    bool told = s->plan.contact[g->contact].sliders == 0;
    jd_contact_state from = jd_series_state_of(s, g->contact, 0);
    if (g->kind == NORMAL_RIGID) s->held.known = false;
    s->state.closed[a] = (int8_t)to;
    s->state.inside[a] = 0;
    s->state.normal_order[a] = 0;
    s->state.normal_side[a] = 0;
    show(s, g->contact);
    if (told) jd_series_record(s, g->contact, 0, from, jd_series_state_of(s, g->contact, 0));
}

static double force_now(const series *s, int a, double *rate);

// A rigid contact lets go: springs that it held at their limit, without speed, begin there with so
// many zeros (their force turns with the speed: 2 where the acceleration jumps, 3 where it begins
// at 0), whatever rounding makes of them.
static void free_held(series *s, int order) {
    for (int i = 0; i < s->plan.n_slider; i++) {
        const series_slider *g = &s->plan.slider[i];
        if (!(g->kt > 0) || s->state.slide[i] != 0 || g->hold != g->limit) continue;
        if (g->partner >= 0) continue;
        if (s->plan.normal[g->normal].kind == NORMAL_RIGID) continue;
        double rate, limit = g->hold * force_now(s, g->normal, &rate), T = s->state.T[i];
        bool rests = fabs(speed_of(s, i)) <= at_limit_to * s->state.unit * s->plan.length[g->row];
        if (!rests || fabs(fabs(T) - limit) > at_limit_to * limit) continue;
        s->state.slide_order[i] = (int8_t)order;
        s->state.slide_side[i] = T > 0 ? 1 : -1;
    }
}

// Both directions of a plane let go or stop together; their forces stay. What rounding moved the
// forces off their limit is taken back.
static void change_plane(series *s, const series_change *c, const double *N) {
    int i = c->index, pair[2] = {i, s->plan.slider[i].partner};
    if (c->kind == CHANGE_TURN) {
        if (s->state.slide[i] != c->side) return;
        set_slide(s, i, -c->side);
        s->state.slide_side[i] = 2;
        return;
    }
    bool release = c->kind == CHANGE_RELEASE;
    if ((s->state.slide[i] == 0) != release) return;
    double size = 0;
    for (int k = 0; k < 2; k++)
        size = hypot(size, s->state.T[pair[k]] / s->plan.slider[pair[k]].limit);
    size /= N[s->plan.slider[i].normal];
    for (int k = 0; k < 2; k++) {
        if (size > 0) s->state.T[pair[k]] /= size;
        set_slide(s, pair[k], release ? jd_plane_sign(s, pair[k]) : 0);
    }
    if (!release) s->state.slide_order[i] = 2;
    s->count.plane = true;
}

// A stuck slider lets go; with static excess its force drops and the spring loses energy.
static void release(series *s, const series_change *c, const double *N) {
    int i = c->index;
    const series_slider *g = &s->plan.slider[i];
    double n = N[g->normal];
    if (s->state.slide[i] != 0) return;
    if (g->kt > 0) {
        double before = s->state.T[i], after = g->limit * n;
        s->ledger.contact[g->contact] += (before * before - after * after) / (2 * g->kt);
    }
    set_slide(s, i, c->side);
    s->state.slide_order[i] = g->kt > 0 ? 0 : c->jumped || g->hold > g->limit ? 1 : 2;
    if (!(g->kt > 0)) free_held(s, s->state.slide_order[i] + 1);
}

// A slider stops: its spring keeps the force it slid with.
static void stop(series *s, const series_change *c, const double *N) {
    int i = c->index;
    const series_slider *g = &s->plan.slider[i];
    if (s->state.slide[i] != c->side) return;
    set_slide(s, i, 0);
    s->state.T[i] = g->kt > 0 ? c->side * g->limit * N[g->normal] : 0;
    if (g->kt > 0 && g->hold == g->limit && !c->jumped) {
        s->state.slide_order[i] = 2;
        s->state.slide_side[i] = (int8_t)c->side;
    }
}

static void let_go(series *s, int a) {
    for (int i = 0; i < s->plan.n_slider; i++)
        if (s->plan.slider[i].normal == a && s->state.slide[i] != SERIES_FREE) {
            const series_slider *g = &s->plan.slider[i];
            if (g->kt > 0 && s->state.slide[i] == 0) // 0 unless an impact pulled it off
                s->ledger.contact[g->contact] += s->state.T[i] * s->state.T[i] / (2 * g->kt);
            set_slide(s, i, SERIES_FREE);
            s->state.T[i] = 0;
        }
}

void jd_series_open(series *s, int a, bool jumped) {
    const series_normal *g = &s->plan.normal[a];
    int side = s->state.closed[a];
    double rate = 0, p = g->row >= 0 ? jd_series_penetration(s, a, side, &rate) : 0;
    if (g->kind == NORMAL_SPRING) // what a dashpot leaves in the spring is lost
        s->ledger.contact[g->contact] += g->cn > 0 ? 0.5 * g->kn * p * p : 0;
    set_closed(s, a, 0);
    let_go(s, a);
    s->state.inside[a] = (int8_t)(g->cn > 0 && p > 0 ? side : 0);
    s->state.normal_order[a] = (int8_t)(g->kind != NORMAL_RIGID ? !jumped : jumped ? 2 : 3);
    s->state.normal_side[a] = (int8_t)side;
    if (g->kind == NORMAL_RIGID) free_held(s, jumped ? 2 : 3);
}

// Rate of the normal force where it begins; for the choice between stuck and sliding.
static double force_rate(const series *s, int a, int side) {
    const series_normal *g = &s->plan.normal[a];
    double rate;
    if (g->kind == NORMAL_SWING)
        return -g->swing * g->omega * sin(g->omega * s->state.t0 + g->phase);
    jd_series_penetration(s, a, side, &rate);
    return g->kn * rate;
}

// What the springs of a plane hold where its normal force has grown from 0 to the least with which
// it rubs, at the rate N': k v N/N', at most the limit.
static void load_plane(series *s, int i) {
    int pair[2] = {i, s->plan.slider[i].partner}, a = s->plan.slider[i].normal;
    double size = 0, edge = jd_plane_edge(s, i), rate = force_rate(s, a, s->state.closed[a]);
    for (int k = 0; k < 2; k++) {
        const series_slider *g = &s->plan.slider[pair[k]];
        s->state.T[pair[k]] = rate > 0 ? g->kt * speed_of(s, pair[k]) * edge / rate : 0;
        size = hypot(size, s->state.T[pair[k]] / (g->limit * edge));
    }
    for (int k = 0; k < 2 && size > 1; k++) s->state.T[pair[k]] /= size;
}

// A plane rubs from a least normal force on: below it the direction of its force would turn without
// bound.
static void change_edge(series *s, int i) {
    int pair[2] = {i, s->plan.slider[i].partner};
    bool rubs = s->state.slide[i] == SERIES_FREE;
    for (int k = 0; k < 2; k++) {
        const series_slider *g = &s->plan.slider[pair[k]];
        double T = s->state.T[pair[k]];
        if (!rubs) s->ledger.contact[g->contact] += T * T / (2 * g->kt);
        s->state.T[pair[k]] = 0;
        set_slide(s, pair[k], rubs ? 0 : SERIES_FREE);
    }
    if (rubs) load_plane(s, i);
}

// The sliders of a normal part that has just closed: their springs begin relaxed.
static void engage(series *s, int a, int side, bool from_zero) {
    double rate = from_zero ? force_rate(s, a, side) : HUGE_VAL;
    for (int i = 0; i < s->plan.n_slider; i++) {
        const series_slider *g = &s->plan.slider[i];
        if (g->normal != a) continue;
        if (g->partner >= 0) continue; // it waits for the least normal force
        double v = speed_of(s, i);
        int sign = v > 0 ? 1 : v < 0 ? -1 : 0;
        bool sticks = g->kt > 0 ? g->kt * fabs(v) <= g->hold * rate : sign == 0;
        s->state.T[i] = 0;
        set_slide(s, i, sticks ? 0 : sign);
        if (sticks && from_zero && g->kt > 0) {
            s->state.slide_order[i] = 1;
            s->state.slide_side[i] = 2;
        }
    }
}

static void close_spring(series *s, int a, int side, bool jumped) {
    const series_normal *g = &s->plan.normal[a];
    bool back = s->state.inside[a] == side, jumps = g->cn > 0 && (!back || jumped);
    double rate, p = g->row >= 0 ? jd_series_penetration(s, a, side, &rate) : 0;
    if (back) { // the clipped law gives the energy of the spring back
        s->ledger.contact[g->contact] -= 0.5 * g->kn * p * p;
        s->count.reclosed++;
    }
    set_closed(s, a, side);
    s->state.normal_order[a] = jumps ? 0 : 1;
    engage(s, a, side, !jumps);
}

void jd_series_slide(series *s, int i, int sign) {
    set_slide(s, i, sign);
    s->state.slide_order[i] = 1;
}

void jd_series_close_rigid(series *s, int a, int side) {
    set_closed(s, a, side);
    engage(s, a, side, false);
}

void jd_series_slide_again(series *s) {
    for (int i = 0; i < s->plan.n_slider; i++) {
        const series_slider *g = &s->plan.slider[i];
        double v = g->kt > 0 ? 0 : speed_of(s, i);
        int slide = s->state.slide[i], to = v > 0 ? 1 : v < 0 ? -1 : 0;
        if (!(g->kt > 0) && slide != SERIES_FREE && slide != to) set_slide(s, i, to);
    }
}

// A slider whose limit is a force that has just gone, to rounding: friction and normal force may
// vanish together (both springs in one direction), and then the contact opens.
static bool is_loose(const series *s, const series_change *c, const double *N) {
    if (c->kind != CHANGE_RELEASE && c->kind != CHANGE_STOP) return false;
    int a = s->plan.slider[c->index].normal;
    const series_normal *g = &s->plan.normal[a];
    if (g->kind != NORMAL_SPRING || !s->state.closed[a] || !(s->scratch.Nr[a] < 0)) return false;
    double size;
    row_value(s, g->row, s->state.q, &size);
    return N[a] <= gone * (g->kn * (size + fabs(g->gap)) - s->scratch.Nr[a] * s->state.t0);
}

static void apply(series *s, const series_change *c, const double *N) {
    int a = c->index;
    if (is_loose(s, c, N)) {
        jd_series_open(s, s->plan.slider[a].normal, false);
        return;
    }
    bool slider = c->kind == CHANGE_RELEASE || c->kind == CHANGE_STOP || c->kind == CHANGE_TURN;
    if (c->kind == CHANGE_EDGE) {
        change_edge(s, a);
        return;
    }
    if (slider && s->plan.slider[a].partner >= 0) {
        change_plane(s, c, N);
        return;
    }
    switch (c->kind) {
    case CHANGE_TURN: // of planes only
    case CHANGE_EDGE:
        break;
    case CHANGE_RELEASE:
        release(s, c, N);
        break;
    case CHANGE_STOP:
        stop(s, c, N);
        break;
    case CHANGE_OPEN:
        if (s->state.closed[a]) jd_series_open(s, a, c->jumped);
        break;
    case CHANGE_LEAVE: // p = 0 here, outward: where the gap begins
        s->state.inside[a] = 0;
        s->state.normal_order[a] = !c->jumped;
        s->state.normal_side[a] = (int8_t)c->side;
        break;
    case CHANGE_CLOSE:
        if (s->state.closed[a]) break;
        if (s->plan.normal[a].kind == NORMAL_RIGID)
            jd_series_impact(s, a, c->side);
        else
            close_spring(s, a, c->side, c->jumped);
        break;
    }
}

static bool is_rigid(const series *s, const series_change *c) {
    if (c->kind == CHANGE_EDGE) return false;
    if (c->kind == CHANGE_RELEASE || c->kind == CHANGE_STOP || c->kind == CHANGE_TURN)
        return !(s->plan.slider[c->index].kt > 0);
    return s->plan.normal[c->index].kind == NORMAL_RIGID;
}

// Whether forces jump here, on which rigid contacts at rest depend.
static bool jumps(const series *s, const series_change *c) {
    if (c->kind == CHANGE_LEAVE || c->kind == CHANGE_TURN || c->kind == CHANGE_EDGE) return false;
    if (c->kind == CHANGE_RELEASE)
        return c->jumped || s->plan.slider[c->index].hold > s->plan.slider[c->index].limit;
    if (c->kind == CHANGE_STOP) return is_rigid(s, c);
    const series_normal *g = &s->plan.normal[c->index];
    return g->cn > 0 || (g->kind == NORMAL_RIGID && (c->kind == CHANGE_CLOSE || c->jumped));
}

// All sprung ones at once. Rigid ones that are outside at once depend on each other: after a few
// rounds only the first of them changes, which ends (Murty's rule for P-matrices).
void jd_series_change(series *s) {
    bool alone = false, jumped = s->step.t_end >= s->step.t_break;
    for (int i = 0; i < s->step.n_change; i++) {
        const series_change *c = &s->step.change[i];
        jumped |= jumps(s, c);
        if (is_rigid(s, c) && s->count.idle > 3) {
            if (alone) continue;
            alone = true;
        }
        apply(s, c, s->scratch.N);
    }
    s->state.age = 0;
    if (s->plan.rigid && jumped && s->count.idle <= 8) jd_series_rest(s);
}

// Closed and open parts at the start. Rigid ones that touch are closed; step.c opens those that
// would pull.
static void begin_normal(series *s, int a) {
    const series_normal *g = &s->plan.normal[a];
    if (g->kind == NORMAL_ONE) s->state.closed[a] = 1;
    if (g->kind == NORMAL_SWING)
        s->state.closed[a] = 1 + g->swing * cos(g->omega * s->state.t0 + g->phase) > 0;
    if (g->row < 0) return;
    for (int side = 1; side >= (g->both ? -1 : 1); side -= 2) {
        double rate, size, p = jd_series_penetration(s, a, side, &rate);
        row_value(s, g->row, s->state.q, &size);
        bool touches = fabs(p) <= 1e-12 * (fabs(g->gap) + size);
        if (touches) s->state.normal_order[a] = 1, s->state.normal_side[a] = (int8_t)side;
        if (g->kind == NORMAL_RIGID && touches)
            s->step.change[s->step.n_change++] =
                (series_change){.kind = CHANGE_CLOSE, .index = a, .side = side};
        if (g->kind == NORMAL_RIGID || p < 0 || (touches && rate <= 0)) continue;
        if (touches || g->kn * p + g->cn * rate > 0)
            s->state.closed[a] = (int8_t)side;
        else
            s->state.inside[a] = (int8_t)side;
        if (!touches) s->state.normal_order[a] = 0;
    }
}

// Normal force and its rate at t0, of parts that are no reactions.
static double force_now(const series *s, int a, double *rate) {
    const series_normal *g = &s->plan.normal[a];
    double turn = g->omega * s->state.t0 + g->phase;
    *rate = g->kind == NORMAL_SWING ? -g->swing * g->omega * sin(turn) : 0;
    if (g->row < 0) return 1 + g->swing * cos(turn);
    double speed, p = jd_series_penetration(s, a, s->state.closed[a], &speed);
    *rate = g->kn * speed;
    return g->kn * p + g->cn * speed;
}

// A sprung slider whose force is that of sliding, and whose slider would move on, slides.
int jd_series_slides(const series *s, int i) {
    const series_slider *g = &s->plan.slider[i];
    double v = speed_of(s, i), rate = 0;
    if (g->partner >= 0) return 0; // its guards tell
    if (s->plan.normal[g->normal].kind == NORMAL_RIGID) return 0;
    double limit = g->limit * force_now(s, g->normal, &rate), T = s->state.T[i];
    int sign = T > 0 ? 1 : -1;
    bool at_limit = T != 0 && fabs(fabs(T) - limit) <= at_limit_to * limit;
    return at_limit && sign * v > g->limit * rate / g->kt ? sign : 0;
}

static int first_slide(const series *s, int i) {
    const series_slider *g = &s->plan.slider[i];
    double rate;
    if (!s->state.closed[g->normal]) return SERIES_FREE;
    if (g->partner >= 0 && !(force_now(s, g->normal, &rate) > jd_plane_edge(s, i)))
        return SERIES_FREE;
    if (g->kt > 0) return jd_series_slides(s, i);
    double v = speed_of(s, i);
    return v > 0 ? 1 : v < 0 ? -1 : 0;
}

void jd_series_begin(series *s) {
    s->step.n_change = 0;
    for (int a = 0; a < s->plan.n_normal; a++) begin_normal(s, a);
    for (int i = 0; i < s->plan.n_slider; i++) {
        s->state.slide[i] = (int8_t)first_slide(s, i);
        if (s->state.slide[i] == SERIES_FREE || !(s->plan.slider[i].kt > 0)) s->state.T[i] = 0;
    }
    s->held.known = false;
}

void jd_series_begin_impacts(series *s) {
    for (int i = 0; i < s->step.n_change; i++) {
        const series_change *c = &s->step.change[i];
        if (!s->state.closed[c->index]) jd_series_impact(s, c->index, c->side);
    }
    s->step.n_change = 0;
}
