// memory_tangent.c -- the memory engine as a map: its derivative against differences of the map,
// on random models of finitely and infinitely many modes with every law.
//   JD_DRAWS=1000 draws more of them.
#include <math.h>
#include <stdio.h>

#include "draw_laws.h"
#include "engine/engine.h"
#include "how_many.h"
#include "memory_case.h"

enum { COULOMB, STATIC, AFFINE, STRIBECK, TABLE, STOP, STEEP };

static void draw_law(int kind, char *out, size_t room) {
    double L = decades(-1, 0.5);
    if (kind == COULOMB) draw_coulomb(L, out, room);
    if (kind == STATIC) draw_static(L, out, room);
    if (kind == AFFINE) draw_affine(L, out, room);
    if (kind == STRIBECK)
        snprintf(out, room,
                 "{type: stribeck, limit: %.6g, drop: %.6g, decay: %.6g, static_limit: %.6g}", L,
                 L * mixed(0.05, 0.5), decades(-0.5, 0.3), L * fmax(1.0001, mixed(0.6, 1.4)));
    if (kind == TABLE)
        snprintf(out, room,
                 "{type: table, velocity: [0, 0.5, 2], force: [%.6g, %.6g, %.6g], static_limit: "
                 "%.6g}",
                 L, L * mixed(0.8, 1), L * mixed(0.6, 1), L * fmax(1.0001, mixed(0.6, 1.4)));
    if (kind == STOP)
        snprintf(out, room, "{type: stop, gap: %.6g, restitution: %.6g}", mixed(0, 0.1),
                 mixed(0.3, 1));
    if (kind == STEEP) // several forces fit one history: the branch is kept until it ends
        snprintf(out, room,
                 "{type: stribeck, limit: %.6g, drop: %.6g, decay: %.6g, ambiguity: hysteresis}",
                 3 * L, 2 * L, mixed(20, 60));
}

static int draw_body(bool infinite, char *out, size_t room) {
    static const double ratios[] = {0.01, 0.05, 0.2, 0.6};
    char modes[16] = "infinite";
    if (!infinite) snprintf(modes, sizeof modes, "%d", 2 + pick(8));
    return snprintf(out, room,
                    "judder: 1\nstructure: {type: %s, modes: %s, points: {a: %.6g, b: %.6g, "
                    "c: %.6g}, damping: {type: ratio, value: %g}}\n",
                    drawn_bodies[pick(infinite ? 2 : 3)], modes, mixed(0.2, 0.45),
                    mixed(0.55, 0.95), mixed(0.05, 1),
                    infinite ? mixed(0.1, 0.3) : ratios[pick(4)]);
}

// Laws: every one, or only those of the exact engine.
static void draw(bool infinite, bool linear, char *text, size_t room) {
    int n = draw_body(infinite, text, room), contacts = 1 + (pick(4) == 0);
    n += snprintf(text + n, room - (size_t)n, "contacts:\n");
    for (int j = 0; j < contacts; j++) {
        char one[512];
        int kind = pick(STOP + 1);
        if (infinite && kind == STOP) kind = STEEP;
        while (linear && (kind == STRIBECK || kind == TABLE)) kind = pick(STOP + 1);
        draw_law(kind, one, sizeof one);
        n += snprintf(text + n, room - (size_t)n,
                      "  k%d: {at: %c, against: {velocity: %.17g}, law: %s}\n", j, "ab"[j],
                      kind == STOP ? 0 : mixed(-1, 1.5), one);
    }
    if (pick(2))
        n += snprintf(text + n, room - (size_t)n,
                      "drives: {push: {at: %c, type: harmonic, amplitude: %.6g, frequency: %.6g, "
                      "phase: %.6g}}\n",
                      infinite ? 'a' : 'c', decades(0, 1.2), decades(-0.3, 1), mixed(0, 6.28));
    snprintf(text + n, room - (size_t)n,
             "start: {type: lift, mode: 1, point: a, displacement: %.6g, velocity: %.6g}\n"
             "simulate: {engine: memory, memory: exponentials, tolerance: 1e-11, until: 6}\n",
             mixed(-0.1, -0.01), mixed(-1, 1));
}

enum { MOST = 1000, LETTERS = 1024 };
typedef struct image {
    double s[MOST];
    jd_phase phase;     // at the end
    char word[LETTERS]; // changes on the way
} image;

static void advance(jd_run *run, double until, image *out) {
    jd_step step = JD_STEP_EVENT;
    int n = 0;
    while (step == JD_STEP_EVENT && n + 4 < LETTERS) {
        assert_int_equal(jd_run_advance(run, until, &step), JD_OK);
        const jd_event *e = jd_run_event(run);
        if (step == JD_STEP_EVENT)
            n += snprintf(out->word + n, LETTERS - (size_t)n, "%d%c%c", e->contact,
                          jd_contact_letter(e->from), jd_contact_letter(e->to));
    }
    out->word[n] = '\0';
    out->phase = jd_run_contacts(run);
    run->class->map.state(run, out->s);
}

typedef struct tally {
    int models, compared, changed, events;
    double worst;
} tally;

// Derivative along d by differences at two distances, extrapolated; false: the events change.
static bool differ(jd_run *run, double t, double T, const image *from, const image *to,
                   const double *d, double eps, double *out) {
    const jd_engine_map *map = &run->class->map;
    int n = map->coordinates(run);
    static image side[4];
    static const double at[] = {1, -1, 2, -2};
    for (int i = 0; i < 4; i++) {
        double s[MOST];
        for (int k = 0; k < n; k++) s[k] = from->s[k] + eps * at[i] * d[k];
        assert_int_equal(map->restart(run, t, s, &from->phase), JD_OK);
        advance(run, t + T, &side[i]);
        if (strcmp(side[i].word, to->word) != 0) return false;
    }
    for (int k = 0; k < n; k++)
        out[k] = (8 * (side[0].s[k] - side[1].s[k]) - (side[2].s[k] - side[3].s[k])) / (12 * eps);
    return true;
}

static double size_of(int n, const double *scale, const double *s) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += scale[k] * scale[k] * s[k] * s[k];
    return sqrt(sum);
}

static double distance(int n, const double *scale, const double *a, const double *b) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += scale[k] * scale[k] * (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

// The motion from t to t + T and its derivative; false: it chatters.
static bool go(jd_run *run, double t, double T, const image *from, image *to, double *M) {
    const jd_engine_map *map = &run->class->map;
    assert_int_equal(map->restart(run, t, from->s, &from->phase), JD_OK);
    assert_int_equal(map->tangent_start(run), JD_OK);
    advance(run, t + T, to);
    map->tangent(run, M);
    return run->t >= t + T;
}

static void multiply(int n, const double *M, const double *d, double *out) {
    for (int k = 0; k < n; k++) {
        out[k] = 0;
        for (int j = 0; j < n; j++) out[k] += M[k * n + j] * d[j];
    }
}

// Directions are such as a motion brings: a change at random, `before` ago. Panels resolve the
// motion and what it does to them, not the jolt of any change at random.
static void compare(jd_run *run, double t, double T, const image *earlier, tally *sum) {
    const jd_engine_map *map = &run->class->map;
    const double before = 0.4;
    int n = map->coordinates(run);
    static image here, to, *from = &here;
    static double M0[MOST * MOST], M[MOST * MOST], scale[MOST], jolt[MOST], d[MOST], by[MOST],
        off[MOST];
    map->scales(run, scale);
    if (!go(run, t - before, before, earlier, &here, M0)) return;
    if (!go(run, t, T, from, &to, M)) return;
    double size = size_of(n, scale, from->s);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < n; k++) jolt[k] = mixed(-1, 1) / scale[k];
        multiply(n, M0, jolt, d);
        double length = size_of(n, scale, d);
        for (int k = 0; k < n; k++) d[k] *= size / length;
        double apart = HUGE_VAL;
        multiply(n, M, d, off);
        for (int far = 0; far < 2; far++) // steep friction: steps move the end of a branch
            if (differ(run, t, T, from, &to, d, far ? 3e-4 : 2e-5, by))
                apart = fmin(apart,
                             distance(n, scale, off, by) / fmax(size_of(n, scale, by), 0.1 * size));
        if (isinf(apart)) {
            sum->changed++;
            continue;
        }
        sum->worst = fmax(sum->worst, apart);
        sum->compared++;
        sum->events += (int)strlen(to.word) / 3;
    }
}

static void check(bool infinite, tally *sum) {
    char text[2048];
    draw(infinite, false, text, sizeof text);
    motion *m = motion_open(text, 0, NULL);
    static image from;
    double before = sum->worst;
    if (jd_run_create(m->context, m->problem, &m->run) != JD_OK) { // not unique: no such model
        motion_close(m);
        return;
    }
    m->run->no_ledger = true;
    advance(m->run, 1.7, &from);
    if (m->run->stop == JD_STOP_NONE) compare(m->run, 2.1, mixed(1, 3), &from, sum);
    sum->models++;
    if (getenv("JD_DRAWS") && sum->worst > before) print_message("%g\n%s", sum->worst, text);
    motion_close(m);
}

static void compare_many(bool infinite, int n, double bound) {
    tally sum = {0};
    seed = infinite ? 77 : 5;
    for (int i = 0; i < n; i++) check(infinite, &sum);
    print_message("   %d models, %d directions compared, %d with other events beside them, %d "
                  "events: %.1e\n",
                  sum.models, sum.compared, sum.changed, sum.events, sum.worst);
    assert_true(sum.worst < bound);
    assert_true(sum.compared > 3 * sum.changed);
    assert_true(sum.events > sum.models);
}

// From one state over one time, by both engines: states are (q, q') in both.
static bool compare_exact(const char *text, tally *sum) {
    static image from, to[2];
    static double M[2][MOST * MOST], scale[MOST];
    motion *a = motion_open(text, 0, NULL), *b = motion_open(text, SETS("simulate.engine=exact"));
    motion_start(a);
    motion_start(b);
    advance(a->run, 1.7, &from);
    bool same = go(a->run, 1.7, 2, &from, &to[0], M[0]) && go(b->run, 1.7, 2, &from, &to[1], M[1]);
    int n = a->run->class->map.coordinates(a->run);
    assert_int_equal(n, b->run->class->map.coordinates(b->run));
    a->run->class->map.scales(a->run, scale);
    same = same && !strcmp(to[0].word, to[1].word);
    double off = 0, whole = 0.01;
    for (int i = 0; i < n * n; i++) {
        double by = scale[i / n] / scale[i % n];
        whole = fmax(whole, fabs(by * M[1][i]));
        off = fmax(off, fabs(by * (M[1][i] - M[0][i])));
    }
    if (same) sum->worst = fmax(sum->worst, off / whole);
    sum->compared += same;
    sum->events += (int)strlen(to[0].word) / 3;
    motion_close(a);
    motion_close(b);
    return same;
}

static void derivative_agrees_with_that_of_the_exact_engine(void **state) {
    (void)state;
    tally sum = {0};
    seed = 11;
    for (int i = 0; i < how_many(60, 5); i++) {
        char text[2048];
        double before = sum.worst;
        draw(false, true, text, sizeof text);
        sum.changed += !compare_exact(text, &sum);
        if (getenv("JD_DRAWS") && sum.worst > before) print_message("%g\n%s", sum.worst, text);
    }
    print_message("   %d models, %d with other events, %d events: %.1e\n", sum.compared,
                  sum.changed, sum.events, sum.worst);
    assert_true(sum.worst < 1e-6);
    assert_true(sum.compared > 3 * sum.changed);
}

static void derivative_of_the_map_agrees_with_differences(void **state) {
    (void)state;
    compare_many(false, how_many(60, 5), 1e-6);
}

static void derivative_with_infinitely_many_modes_agrees_with_differences(void **state) {
    (void)state;
    compare_many(true, how_many(12, 5), 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivative_of_the_map_agrees_with_differences),
        cmocka_unit_test(derivative_agrees_with_that_of_the_exact_engine),
        cmocka_unit_test(derivative_with_infinitely_many_modes_agrees_with_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
