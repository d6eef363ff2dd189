// tangent_differences.c -- the tangent of a run against differences of runs, on random models.
//   From a state in the middle of a run two pairs of neighbours start, h and h/2 to both sides of
//   it, in a direction that what is held allows (B dq' = 0; closed stops: B dq = 0, too). Where all
//   meet the same events, D(h) = (x(+h) - x(-h))/2h and
//     (4 D(h/2) - D(h))/3 = (d x(t2)/d x(t1)) d + O(h^4),
//   through phases with and without held contacts, damping of all kinds, loads, belts and moving
//   stops. `tangent_differences COUNT FIRST` runs other models than those of every test run.
#include "engine/exact/exact.h"
#include "random_case.h"

static int count = 800;
static unsigned long long first = 1;

enum { STATE = 2 * RANDOM_MODES, EVENTS = 8 };

typedef struct course {
    int n;
    jd_event event[EVENTS + 1];
    double end[STATE];
} course;

typedef struct tally {
    long compared, others, blurred, events;
    long held, impacts, moving; // compared: let go or stuck; impacts; of these at moving stops
    double worst;
} tally;

static tally sum;
static random_run *run;

static const jd_engine_map *map(void) { return &run->run->class->map; }

// From the state x at t1 to t2, or up to EVENTS events; false: it ends before.
static bool follow(double t1, const double *x, const jd_phase *phase, double t2, course *out) {
    jd_step step = JD_STEP_EVENT;
    out->n = 0;
    if (map()->restart(run->run, t1, x, phase) != JD_OK) return false;
    while (step == JD_STEP_EVENT && out->n <= EVENTS) {
        if (jd_run_advance(run->run, t2, &step) != JD_OK) return false;
        if (step == JD_STEP_EVENT) out->event[out->n++] = *jd_run_event(run->run);
    }
    if (step == JD_STEP_STOPPED) return false;
    map()->state(run->run, out->end);
    return true;
}

static bool same_events(const course *a, const course *b) {
    if (a->n != b->n) return false;
    for (int i = 0; i < a->n; i++)
        if (a->event[i].contact != b->event[i].contact ||
            jd_contact_letter(a->event[i].from) != jd_contact_letter(b->event[i].from) ||
            jd_contact_letter(a->event[i].to) != jd_contact_letter(b->event[i].to))
            return false;
    return true;
}

// Two stops hit at one instant: neighbours hit one after the other, there is no derivative.
static bool hits_together(const course *c) {
    for (int i = 1; i < c->n; i++)
        if (c->event[i].speed > 0 && c->event[i - 1].speed > 0 &&
            c->event[i].t == c->event[i - 1].t)
            return true;
    return false;
}

// Takes out of d what the rows do not allow: d -= r (r.d) for an orthonormal set of them.
static void project(int n, int rows, double r[][RANDOM_MODES], double *d) {
    int kept = 0;
    for (int i = 0; i < rows; i++) {
        double *own = r[kept], size = 0, all = 0;
        memmove(own, r[i], (size_t)n * sizeof *own);
        for (int k = 0; k < n; k++) all += own[k] * own[k];
        for (int j = 0; j < kept; j++) {
            double share = 0;
            for (int k = 0; k < n; k++) share += r[j][k] * own[k];
            for (int k = 0; k < n; k++) own[k] -= share * r[j][k];
        }
        for (int k = 0; k < n; k++) size += own[k] * own[k];
        if (size <= 1e-20 * all) continue;
        for (int k = 0; k < n; k++) own[k] /= sqrt(size);
        kept++;
    }
    for (int j = 0; j < kept; j++) {
        double share = 0;
        for (int k = 0; k < n; k++) share += r[j][k] * d[k];
        for (int k = 0; k < n; k++) d[k] -= share * r[j][k];
    }
}

static void draw_direction(random_model *m, const jd_phase *phase, int n, double *d) {
    const exact *e = run->run->state;
    double q[RANDOM_CONTACTS][RANDOM_MODES], p[RANDOM_CONTACTS][RANDOM_MODES];
    int nq = 0, np = 0;
    for (int j = 0; j < e->plan.m; j++) {
        size_t bytes = (size_t)n * sizeof(double);
        if (jd_contact_is_closed(phase->of[j])) memcpy(q[nq++], e->plan.contact[j].row, bytes);
        if (jd_contact_at_rest(phase->of[j])) memcpy(p[np++], e->plan.contact[j].row, bytes);
    }
    for (int k = 0; k < 2 * n; k++) d[k] = draw(m, -1, 1);
    project(n, nq, q, d);
    project(n, np, p, d + n);
}

// (x(+h) - x(-h))/2h; false: another course of events.
static bool difference(const course *base, double t1, const double *x, const jd_phase *phase,
                       double t2, const double *d, double h, double *out) {
    static course side[2];
    int n = jd_exact_coordinates(run->run);
    double y[STATE];
    for (int s = 0; s < 2; s++) {
        for (int k = 0; k < n; k++) y[k] = x[k] + (s ? h : -h) * d[k];
        if (!follow(t1, y, phase, t2, &side[s]) || !same_events(base, &side[s])) return false;
    }
    for (int k = 0; k < n; k++) out[k] = (side[1].end[k] - side[0].end[k]) / (2 * h);
    return true;
}

static double size(const double *x) {
    double scale[STATE], s = 0;
    jd_exact_scales(run->run, scale);
    for (int k = 0; k < jd_exact_coordinates(run->run); k++) s += pow(scale[k] * x[k], 2);
    return sqrt(s);
}

static void count_events(const random_model *m, const course *base) {
    sum.compared++, sum.events += base->n;
    for (int i = 0; i < base->n; i++) {
        const jd_event *e = &base->event[i];
        sum.held += jd_contact_letter(e->from) == 'H' || jd_contact_letter(e->to) == 'H';
        sum.impacts += e->speed > 0;
        sum.moving += e->speed > 0 && m->contact[m->order[e->contact]].against == 1;
    }
}

static void compare(const random_model *m, const course *base, double t1, const double *x,
                    const jd_phase *phase, double t2, const double *d) {
    int n = jd_exact_coordinates(run->run);
    double coarse[STATE], fine[STATE], far[STATE], off[STATE], h = 1e-5, tangent[STATE * STATE];
    if (!difference(base, t1, x, phase, t2, d, h, coarse) ||
        !difference(base, t1, x, phase, t2, d, h / 2, fine)) {
        sum.others++;
        return;
    }
    static course again;
    assert_true(follow(t1, x, phase, t1, &again));
    assert_int_equal(map()->tangent_start(run->run), JD_OK);
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run->run, t2, &step), JD_OK);
    if (step == JD_STEP_STOPPED) return;
    map()->state(run->run, again.end);
    assert_memory_equal(again.end, base->end, (size_t)n * sizeof *again.end); // only looked at
    map()->tangent(run->run, tangent);
    for (int i = 0; i < n; i++) {
        far[i] = (4 * fine[i] - coarse[i]) / 3;
        off[i] = -far[i];
        for (int k = 0; k < n; k++) off[i] += tangent[i * n + k] * d[k];
        coarse[i] -= fine[i];
    }
    double blur = size(coarse), whole = fmax(size(far), size(d));
    if (blur > 1e-5 * whole) {
        sum.blurred++;
        return;
    }
    double wrong = size(off) / whole;
    sum.worst = fmax(sum.worst, wrong);
    count_events(m, base);
    if (wrong <= 1e-6 + blur / whole) return;
    for (int i = 0; i < base->n; i++)
        print_error("   %.12g c%d %c%c %g\n", base->event[i].t, base->event[i].contact,
                    jd_contact_letter(base->event[i].from), jd_contact_letter(base->event[i].to),
                    base->event[i].speed);
    fail_msg("seed %llu, from %.17g to %.17g: off by %g (blur %g)\n%s", m->seed, t1, t2, wrong,
             blur / whole, run->text.text);
}

static void run_model(unsigned long long seed) {
    random_model m = random_draw(seed, false);
    snprintf(m.tag, sizeof m.tag, "tangent-%d", (int)getpid());
    random_clear_stops(&m);
    m.budget = 1000; // of all runs of this model together
    double t1 = draw(&m, 0.05, 0.4) * m.until, x[STATE], d[STATE];
    static course base;
    if (random_read(run, &m) && jd_run_create(run->context, run->problem, &run->run) == JD_OK &&
        random_independence(run->problem) > 1e-9 && random_advance(run, t1) &&
        run->report.t == t1) {
        map()->state(run->run, x);
        const jd_phase phase = jd_run_contacts(run->run);
        draw_direction(&m, &phase, m.modes, d);
        if (follow(t1, x, &phase, m.until, &base) && base.n > 0) {
            int last = (base.n < EVENTS ? base.n : EVENTS) - 1;
            double next = m.until;
            if (last + 1 < base.n) next = base.event[last + 1].t;
            while (last > 0 && (jd_contact_letter(base.event[last + 1].to) == '|' ||
                                !(next > base.event[last].t)))
                next = base.event[last--].t; // a closing has its time when chatter is over
            double t2 = (base.event[last].t + next) / 2;
            if (t2 < next && follow(t1, x, &phase, t2, &base) && !hits_together(&base) &&
                size(d) > 0 && size(x) > 0)
                compare(&m, &base, t1, x, &phase, t2, d);
        }
    }
    random_close(run);
}

static void the_tangent_is_the_limit_of_differences_of_runs(void **state) {
    (void)state;
    run = calloc(1, sizeof *run);
    assert_non_null(run);
    for (int i = 0; i < count; i++) run_model(first + (unsigned long long)i);
    run_model(4077); // closes on itself and is held by nothing else
    free(run);
    print_message("   %ld compared (%ld with other events, %ld too close to them), %ld events: %ld "
                  "of held contacts, %ld impacts, %ld at moving stops; worst %.1e\n",
                  sum.compared, sum.others, sum.blurred, sum.events, sum.held, sum.impacts,
                  sum.moving, sum.worst);
    assert_true(sum.compared > count / 4);
    assert_true(sum.held > count / 8 && sum.moving > count / 20);
}

int main(int argc, char **argv) {
    if (argc > 1) count = atoi(argv[1]);
    if (argc > 2) first = strtoull(argv[2], NULL, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tangent_is_the_limit_of_differences_of_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
