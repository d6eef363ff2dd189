// wave_moving.c -- a rod that moves into the ground or along another rod by many cells: against an
// independent finite-difference integration, balances, the end of the other rod.
#include "draws.h"
#include "how_many.h"
#include "wave_case.h"

enum { TIMES = 15, PLACES = 3 };
static char text[3000];
static const char *engine = "wave";

// A pile of 20 m, its lower half in a column of 40 m, or in the ground (ea[1] = 0), pushed in by
// one blow. In the ground the friction per length is limit (1 + grow z) at the depth z.
typedef struct driven {
    double ea[2], rho[2], limit, force, last; // last: how long the blow lasts [s]
    double grow;                              // [1/m]
} driven;

static const char *write_ground(const driven *p, int nodes, double until) {
    snprintf(
        text, sizeof text,
        "judder: 1\n"
        "bodies:\n"
        "  pile: {type: rod, length: 20, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
        "         supports: {left: free, right: free}, points: {head: 0, middle: 10, tip: 20}}\n"
        "contacts: {shaft: {at: {body: pile, span: [10, 20]}, against: ground, law: {type: "
        "coulomb, "
        "limit: %.17g, profile: {at: [0, 20], factor: [1, %.17g]}}, footprint: moving}}\n"
        "drives: {hammer: {at: pile.head, type: pulse, shape: half-sine, amplitude: %.17g, "
        "duration: %.17g}}\n"
        "simulate: {engine: %s, nodes: %d, until: %.17g}\n",
        p->ea[0], p->rho[0], p->limit, 1 + 20 * p->grow, p->force, p->last, engine, nodes, until);
    return text;
}

static const char *write(const driven *p, int nodes, double until, const char *more) {
    snprintf(
        text, sizeof text,
        "judder: 1\n"
        "bodies:\n"
        "  pile: {type: rod, length: 20, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
        "         supports: {left: free, right: free}, points: {head: 0, middle: 10, tip: 20}}\n"
        "  soil: {type: rod, length: 40, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
        "         modes: 60, supports: {left: free, right: fixed}}\n"
        "contacts: {shaft: {at: {body: pile, span: [10, 20]}, against: {body: soil, span: [0, "
        "10]}, law: {type: coulomb, limit: %.17g}, footprint: moving}}\n"
        "drives: {hammer: {at: pile.head, type: pulse, shape: half-sine, amplitude: %.17g, "
        "duration: %.17g%s}}\n"
        "simulate: {engine: %s, nodes: %d, until: %.17g}\n",
        p->ea[0], p->rho[0], p->ea[1], p->rho[1], p->limit, p->force, p->last, more, engine, nodes,
        until);
    return text;
}

// ---- The reference: velocities at nodes, forces between them, steps of half h/c, friction of each
// node against the column's velocity at its place (straight between two nodes), implicit.

typedef struct fine {
    int n;
    double h, ea, rho;
    double *u, *v, *force, *mass; // force[i]: between i and i + 1
} fine;

static fine take_fine(int n, double length, double ea, double rho) {
    fine r = {.n = n, .h = length / (n - 1), .ea = ea, .rho = rho};
    r.u = calloc((size_t)n, sizeof *r.u);
    r.v = calloc((size_t)n, sizeof *r.v);
    r.force = calloc((size_t)n, sizeof *r.force);
    r.mass = calloc((size_t)n, sizeof *r.mass);
    for (int i = 0; i < n; i++) r.mass[i] = rho * r.h * (i == 0 || i == n - 1 ? 0.5 : 1);
    return r;
}

static void free_fine(fine *r) {
    free(r->u);
    free(r->v);
    free(r->force);
    free(r->mass);
}

static void strain_and_push(fine *r, double dt) {
    for (int i = 0; i + 1 < r->n; i++) r->force[i] += dt * r->ea * (r->v[i + 1] - r->v[i]) / r->h;
    for (int i = 0; i < r->n; i++) {
        double right = i + 1 < r->n ? r->force[i] : 0, left = i > 0 ? r->force[i - 1] : 0;
        r->v[i] += dt * (right - left) / r->mass[i];
    }
}

static double between(const fine *r, const double *x, double z, int *i, double *w) {
    double y = fmin(fmax(z / r->h, 0), r->n - 1.0);
    *i = y < r->n - 1 ? (int)y : r->n - 2;
    *w = y - *i;
    return x[*i] + *w * (x[*i + 1] - x[*i]);
}

// Impulses of all nodes by turns until none changes; p keeps them from step to step.
static void rub(fine *a, fine *b, double limit, double dt, double *p) {
    for (int i = 0; i < a->n; i++) p[i] = 0;
    for (int sweep = 0; sweep < 200; sweep++) {
        double moved = 0, largest = 0;
        for (int i = 0; i < a->n; i++) {
            int k;
            double w, z = i * a->h + a->u[i] - 10;
            z -= between(b, b->u, z, &k, &w); // u1 - u2
            double low = z - (i > 0 ? 0.5 : 0) * a->h, high = z + (i < a->n - 1 ? 0.5 : 0) * a->h;
            double most = limit * fmax(high - fmax(low, 0), 0) * dt;
            if (most == 0) continue;
            double v = a->v[i] - between(b, b->v, z, &k, &w);
            double soft = 1 / a->mass[i] + (1 - w) * (1 - w) / b->mass[k] +
                          (k + 1 < b->n - 1 ? w * w / b->mass[k + 1] : 0);
            double next = fmin(fmax(p[i] - v / soft, -most), most), by = next - p[i];
            a->v[i] += by / a->mass[i];
            b->v[k] -= (1 - w) * by / b->mass[k];
            if (k + 1 < b->n - 1) b->v[k + 1] -= w * by / b->mass[k + 1];
            p[i] = next;
            moved = fmax(moved, fabs(by));
            largest = fmax(largest, fabs(next));
        }
        if (moved <= 1e-12 * largest) return;
    }
}

// The ground does not move: no node depends on another.
static void rub_on_ground(fine *a, const driven *q, double dt) {
    for (int i = 0; i < a->n; i++) {
        double z = i * a->h + a->u[i] - 10;
        double low = fmax(z - (i > 0 ? 0.5 : 0) * a->h, 0);
        double high = fmax(z + (i < a->n - 1 ? 0.5 : 0) * a->h, low);
        double most = q->limit * (high - low) * (1 + q->grow * (high + low) / 2) * dt / a->mass[i];
        a->v[i] -= fmin(fmax(a->v[i], -most), most);
    }
}

static void integrate_on_ground(const driven *q, int n, double until, double (*out)[PLACES]) {
    fine a = take_fine(n, 20, q->ea[0], q->rho[0]);
    double pi = acos(-1);
    int per = (int)ceil(until / TIMES * 2 * sqrt(q->ea[0] / q->rho[0]) / a.h);
    double dt = until / TIMES / per;
    for (int k = 0; k < TIMES; k++) {
        for (int s = 0; s < per; s++) {
            double t = (k * per + s) * dt;
            strain_and_push(&a, dt);
            if (t < q->last) a.v[0] += dt * q->force * sin(pi * t / q->last) / a.mass[0];
            rub_on_ground(&a, q, dt);
            for (int i = 0; i < a.n; i++) a.u[i] += dt * a.v[i];
        }
        out[k][0] = a.u[0], out[k][1] = a.u[n / 2], out[k][2] = a.u[n - 1];
    }
    free_fine(&a);
}

// u of head, middle and tip of the pile at 15 times.
static void integrate(const driven *q, int n, double until, double (*out)[PLACES]) {
    fine a = take_fine(n, 20, q->ea[0], q->rho[0]);
    fine b = take_fine((int)(1.3 * n) + 1, 40, q->ea[1], q->rho[1]);
    double *p = calloc((size_t)n, sizeof *p), pi = acos(-1);
    double fastest = fmax(sqrt(q->ea[0] / q->rho[0]) / a.h, sqrt(q->ea[1] / q->rho[1]) / b.h);
    int per = (int)ceil(until / TIMES * 2 * fastest);
    double dt = until / TIMES / per;
    for (int k = 0; k < TIMES; k++) {
        for (int s = 0; s < per; s++) { // velocities live half a step later than displacements
            double t = (k * per + s) * dt;
            strain_and_push(&a, dt);
            strain_and_push(&b, dt);
            if (t < q->last) a.v[0] += dt * q->force * sin(pi * t / q->last) / a.mass[0];
            b.v[b.n - 1] = 0;
            rub(&a, &b, q->limit, dt, p);
            for (int i = 0; i < a.n; i++) a.u[i] += dt * a.v[i];
            for (int i = 0; i < b.n; i++) b.u[i] += dt * b.v[i];
        }
        out[k][0] = a.u[0], out[k][1] = a.u[n / 2], out[k][2] = a.u[n - 1];
    }
    free_fine(&a);
    free_fine(&b);
    free(p);
}

static void by_engine(const driven *q, int nodes, double until, double (*out)[PLACES]) {
    static const char *const name[PLACES] = {"pile.head", "pile.middle", "pile.tip"};
    wave_case w;
    double u[PLACES], v[PLACES];
    wave_begin(&w, q->ea[1] > 0 ? write(q, nodes, until, "") : write_ground(q, nodes, until));
    for (int i = 0, index; i < PLACES; i++)
        assert_int_equal(jd_run_probe(w.run, name[i], &index), JD_OK);
    for (int k = 0; k < TIMES; k++) {
        double t = until * (k + 1) / TIMES;
        for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT;)
            assert_int_equal(jd_run_advance(w.run, t, &step), JD_OK);
        jd_run_observe(w.run, t, u, v);
        memcpy(out[k], u, sizeof u);
    }
    wave_close(&w);
}

static double largest_off(double (*x)[PLACES], double (*y)[PLACES]) {
    double off = 0, most = 0;
    for (int k = 0; k < TIMES; k++)
        for (int i = 0; i < PLACES; i++) {
            off = fmax(off, fabs(x[k][i] - y[k][i]));
            most = fmax(most, fabs(y[k][i]));
        }
    return off / most;
}

static void compare(const char *name, const driven *q, int finest, double bound, double order,
                    int most) {
    const int nodes[] = {(most + 1) / 4 + 1, (most + 1) / 2 + 1, most};
    double ref[2][TIMES][PLACES], limit[TIMES][PLACES], u[TIMES][PLACES], off[3];
    for (int i = 0; i < 2; i++)
        (q->ea[1] > 0 ? integrate : integrate_on_ground)(q, i ? finest : (finest + 1) / 2, 0.15,
                                                         ref[i]);
    for (int k = 0; k < TIMES; k++) // its steps are of first order
        for (int i = 0; i < PLACES; i++) limit[k][i] = 2 * ref[1][k][i] - ref[0][k][i];
    for (int i = 0; i < 3; i++) {
        by_engine(q, nodes[i], 0.15, u);
        off[i] = largest_off(u, limit);
    }
    double slope = log(off[0] / off[2]) / log((nodes[2] - 1.0) / (nodes[0] - 1));
    print_message(
        "%s, %s: pile down by %.3f m (%.0f cells); off by %.1e, %.1e, %.1e of max|u| with "
        "%d, %d, %d nodes: order %.2f (reference %.1e from its half)\n",
        engine, name, ref[1][TIMES - 1][2], ref[1][TIMES - 1][2] / 20 * 303, off[0], off[1], off[2],
        nodes[0], nodes[1], nodes[2], slope, largest_off(ref[0], ref[1]));
    assert_near(off[2], 0, bound);
    assert_true(slope > order);
}

static void a_rod_moves_along_another_as_in_finite_differences(void **state) {
    (void)state;
    enum { finest = 801 };
    const driven alike = {{1e6, 2e6}, {1, 2}, 254, 2e4, 0.02, 0};
    compare("equal speeds", &alike, finest, 2e-4, 0.8, 304); // measured 1.3e-4, order 1.5
    const driven faster = {{1e6, 4.5e6}, {1, 2}, 254, 2e4, 0.02, 0};
    compare("column 1.5 times as fast", &faster, finest, 2e-4, 0.8, 304); // measured
    const driven heavy = {{1e6, 1e9}, {1, 1e3}, 254, 2e4, 0.02, 0};
    compare("a heavy column", &heavy, finest, 2e-4, 0.8, 304); // measured 1.5e-4, order 0.9
}

static void a_rod_moves_into_the_ground_as_in_finite_differences(void **state) {
    (void)state;
    const driven even = {{1e6}, {1}, 254, 2e4, 0.02, 0};
    compare("even ground", &even, 1601, 2e-4, 0.8, 304); // measured 4.9e-5, order 1.6
    const driven deeper = {{1e6}, {1}, 100, 2e4, 0.02, 0.3};
    compare("ground that grows firmer", &deeper, 1601, 2e-4, 0.8, 304);
    const driven loose = {{1e6}, {1}, 40, 2e4, 0.02, 0.2};
    compare("loose ground", &loose, 1601, 2e-4, 0.8, 304);
}

// Engine taylor moves its cells by steps of its own, on a semi-discrete rod against modes.
static void engine_taylor_moves_along_as_in_finite_differences(void **state) {
    (void)state;
    engine = "taylor";
    const driven alike = {{1e6, 2e6}, {1, 2}, 254, 2e4, 0.02, 0};
    compare("equal speeds", &alike, 801, 5e-4, 0.8, 304); // measured 4.2e-4, order 1.5
    const driven faster = {{1e6, 4.5e6}, {1, 2}, 254, 2e4, 0.02, 0};
    compare("column 1.5 times as fast", &faster, 801, 5e-4, 0.8, 304);
    const driven heavy = {{1e6, 1e9}, {1, 1e3}, 254, 2e4, 0.02, 0};
    compare("a heavy column", &heavy, 801, 5e-4, 0.8, 304);
    engine = "wave";
}

// ---- Balances on random pairs of free rods, of any speeds, struck again and again.

typedef struct struck {
    double length[2], ea[2], rho[2], limit, more, stiffness, from, at, force, last, every;
    int blows, nodes;
} struck;

// The first rod ends inside the second, whose lower half it may be driven through.
static struck draw_struck(void) {
    struck q = {.blows = 4, .nodes = 30 + pick(60)};
    double unit = decades(-1, 1), c = decades(2, 3.5);
    q.length[0] = unit * mixed(5, 30);
    q.at = q.length[0] * mixed(0.3, 0.9); // of the first rod, where the second begins
    q.from = unit * mixed(0, 5);
    q.length[1] = q.from + 2 * (q.length[0] - q.at) + unit * mixed(1, 20);
    for (int b = 0; b < 2; b++) {
        q.rho[b] = decades(-1, 2);
        double speed = b && pick(2) ? c * mixed(0.4, 2.5) : c;
        q.ea[b] = q.rho[b] * speed * speed;
    }
    // a blow that drives the first rod by a part of its contact
    double contact = q.length[0] - q.at, mass = q.rho[0] * q.length[0], sign = pick(2) ? 1 : -1;
    q.last = mixed(0.5, 3) * q.length[0] / c;
    q.every = q.last + mixed(3, 6) * q.length[0] / c;
    double way = contact * mixed(0.02, 0.2), impulse = mass * way / q.every;
    q.force = sign * impulse * acos(-1) / (2 * q.last);
    q.limit = mixed(0.2, 1.5) * impulse / q.every / contact;
    q.more = pick(3) ? 0 : mixed(0.1, 1);
    q.stiffness = pick(3) ? 0 : q.limit / way * decades(0, 2);
    return q;
}

static const char *write_struck(const struck *q) {
    snprintf(text, sizeof text,
             "judder: 1\n"
             "bodies:\n"
             "  a: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
             "      supports: {left: free, right: free}, points: {head: 0}}\n"
             "  b: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
             "      supports: {left: free, right: free}}\n"
             "contacts: {shaft: {at: {body: a, span: [%.17g, %.17g]}, against: {body: b, span: "
             "[%.17g, %.17g]}, law: {type: coulomb, limit: %.17g, static_limit: %.17g, stiffness: "
             "%.17g, profile: {at: [0, %.17g], factor: [1, 1.7]}}, footprint: moving}}\n"
             "drives: {hammer: {at: a.head, type: pulse, shape: half-sine, amplitude: %.17g, "
             "duration: %.17g, repeat: %d, every: %.17g}}\n"
             "simulate: {engine: wave, nodes: %d, until: 1e9}\n",
             q->length[0], q->ea[0], q->rho[0], q->length[1], q->ea[1], q->rho[1], q->at,
             q->length[0], q->from, q->from + q->length[0] - q->at, q->limit,
             q->limit * (1 + q->more), q->stiffness, q->length[0] - q->at, q->force, q->last,
             q->blows, q->every, q->nodes);
    return text;
}

static void both_balances_hold_while_cells_come_and_go(void **state) {
    (void)state;
    double momentum = 0, energy = 0, furthest = 0, handed = 0;
    int apart = 0, count = how_many(60, 15), unequal = 0;
    for (int k = 0; k < count; k++) {
        struck q = draw_struck();
        wave_case w;
        double before = 0, impulse = q.force * 2 * q.last / acos(-1);
        wave_begin(&w, write_struck(&q));
        unequal += fabs(q.ea[0] / q.rho[0] - q.ea[1] / q.rho[1]) > 1e-6 * q.ea[0] / q.rho[0];
        for (int blow = 1; blow <= q.blows; blow++) {
            jd_step step;
            assert_int_equal(jd_run_advance(w.run, q.every * (blow - 0.5) + 0.5 * q.last, &step),
                             JD_OK);
            if (step == JD_STEP_STOPPED) break; // through to the end of the other rod
            double one = wave_momentum(w.run, 0), two = wave_momentum(w.run, 1);
            double off = (one + two - before - impulse) / impulse;
            momentum = fmax(momentum, fabs(off));
            handed = fmax(handed, fabs(wave_pushed(w.run, 0) + two) / fabs(impulse));
            before = one + two;
        }
        jd_body_field a;
        jd_report r;
        assert_true(jd_run_body(w.run, 0, &a));
        jd_run_report(w.run, &r);
        energy = fmax(energy, fabs(r.ledger.residual));
        if (!(r.ledger.contact[0] >= -1e-12 * r.ledger.work))
            fail_msg("%.3g of %.3g lost in friction\n%s", r.ledger.contact[0], r.ledger.work, text);
        double cells = fabs(a.displacement[a.n - 1]) / q.length[0] * (q.nodes - 1);
        furthest = fmax(furthest, cells);
        apart += cells > 1;
        wave_close(&w);
    }
    print_message("%d of %d moved by more than a cell, at most by %.0f; %d of unequal speed; "
                  "momentum of a blow off by %.1e, handed over %.1e, energy %.1e\n",
                  apart, count, furthest, unequal, momentum, handed, energy);
    assert_true(2 * apart > count && furthest > 5 && 4 * unequal > count);
    assert_near(momentum, 0, 1e-10);
    assert_near(handed, 0, 1e-10);
    assert_near(energy, 0, 1e-10);
}

// ---- The end of the other rod, and going on from a file.

static void beyond_the_end_the_run_stops_and_keeps_what_it_has(void **state) {
    (void)state;
    const driven q = {{1e6, 2e6}, {1, 2}, 10, 2e5, 0.02, 0}; // hardly any friction
    wave_case w;
    jd_step step;
    jd_report r;
    jd_body_field a, b;
    wave_begin(&w, write(&q, 101, 10, ""));
    assert_int_equal(jd_run_advance(w.run, 10, &step), JD_OK);
    assert_int_equal(step, JD_STEP_STOPPED);
    jd_run_report(w.run, &r);
    assert_int_equal(r.stop, JD_STOP_BEYOND_ENGINE);
    assert_non_null(strstr(r.note, "beyond the end of `soil`"));
    assert_true(jd_run_body(w.run, 0, &a) && jd_run_body(w.run, 1, &b));
    // the tip, 10 m into 40 m at the start, stands at the end, to a step of its motion
    double dt = 20.0 / 100 / 1000, left = 30 - (a.displacement[a.n - 1] - b.displacement[b.n - 1]);
    print_message("stopped at t = %.4f, %.1e m from the end\n", r.t, left);
    assert_true(fabs(left) <= 2 * dt * fabs(a.velocity[a.n - 1]));
    assert_near(r.ledger.residual, 0, 1e-10); // measured 1e-11: u is 30 m
    wave_close(&w);
}

static void a_run_across_another_rod_goes_on_bit_by_bit(void **state) {
    (void)state;
    const driven q = {{1e6, 4.5e6}, {1, 2}, 254, 2e4, 0.02, 0};
    wave_case one, two;
    jd_body_field a, b;
    wave_begin(&one, write(&q, 101, 0.1, ""));
    wave_begin(&two, write(&q, 101, 0.1, ""));
    wave_go(&one, 0.04);
    size_t size = jd_run_state_size(one.run);
    char *state_bytes = malloc(size);
    assert_int_equal(jd_run_state_save(one.run, state_bytes, size), JD_OK);
    assert_int_equal(jd_run_state_load(two.run, state_bytes, size), JD_OK);
    wave_go(&one, 0.1);
    wave_go(&two, 0.1);
    for (int body = 0; body < 2; body++) {
        assert_true(jd_run_body(one.run, body, &a) && jd_run_body(two.run, body, &b));
        assert_memory_equal(a.displacement, b.displacement, (size_t)a.n * sizeof(double));
    }
    free(state_bytes);
    wave_close(&one);
    wave_close(&two);
}

static void go_to(wave_case *w, double t) {
    for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT;)
        assert_int_equal(jd_run_advance(w->run, t, &step), JD_OK);
}

static void engine_taylor_stops_at_the_end_and_goes_on_bit_by_bit(void **state) {
    (void)state;
    engine = "taylor";
    const driven slick = {{1e6, 2e6}, {1, 2}, 10, 2e5, 0.02, 0};
    const driven q = {{1e6, 4.5e6}, {1, 2}, 254, 2e4, 0.02, 0};
    wave_case w, one, two;
    jd_report r;
    jd_body_field a, b;
    wave_begin(&w, write(&slick, 41, 10, ""));
    go_to(&w, 10);
    jd_run_report(w.run, &r);
    assert_int_equal(r.stop, JD_STOP_BEYOND_ENGINE);
    assert_non_null(strstr(r.note, "beyond the end of `soil`"));
    assert_true(jd_run_body(w.run, 0, &a));
    assert_near(a.displacement[a.n - 1], 30, 1);
    assert_near(r.ledger.residual, 0, 1e-10);
    wave_close(&w);
    wave_begin(&one, write(&q, 61, 0.1, ""));
    wave_begin(&two, write(&q, 61, 0.1, ""));
    go_to(&one, 0.04);
    size_t size = jd_run_state_size(one.run);
    char *kept = malloc(size);
    assert_int_equal(jd_run_state_save(one.run, kept, size), JD_OK);
    assert_int_equal(jd_run_state_load(two.run, kept, size), JD_OK);
    go_to(&one, 0.1);
    go_to(&two, 0.1);
    assert_true(jd_run_body(one.run, 0, &a) && jd_run_body(two.run, 0, &b));
    assert_memory_equal(a.displacement, b.displacement, (size_t)a.n * sizeof(double));
    free(kept);
    wave_close(&one);
    wave_close(&two);
    engine = "wave";
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_moves_along_another_as_in_finite_differences),
        cmocka_unit_test(a_rod_moves_into_the_ground_as_in_finite_differences),
        cmocka_unit_test(engine_taylor_moves_along_as_in_finite_differences),
        cmocka_unit_test(both_balances_hold_while_cells_come_and_go),
        cmocka_unit_test(beyond_the_end_the_run_stops_and_keeps_what_it_has),
        cmocka_unit_test(a_run_across_another_rod_goes_on_bit_by_bit),
        cmocka_unit_test(engine_taylor_stops_at_the_end_and_goes_on_bit_by_bit)};
    return cmocka_run_group_tests_name("wave_moving", tests, NULL, NULL);
}
