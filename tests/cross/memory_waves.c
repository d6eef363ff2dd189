// memory_waves.c -- label: slow -- multipliers of strings and rods whose memory is waves that come
// back: those of the same body by poles and shooting; small changes, by differences of runs.
//   JD_DRAWS=200 draws more models.
#include <math.h>
#include <stdio.h>

#include "draws.h"
#include "engine/memory/memory.h"
#include "how_many.h"
#include "judder/orbit.h"
#include "memory_case.h"

enum { ROOM = 8192, LETTERS = 64 };
typedef struct block {
    char *bytes;
    size_t size;
} block;

static jd_orbit *orbit_of(motion *m) {
    jd_orbit *o;
    if (jd_orbit_create(m->context, m->problem, NULL, &o) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    return o;
}

static void draw_law(char *out, size_t room) {
    double L = mixed(3, 5);
    if (pick(2))
        snprintf(out, room, "{type: stribeck, limit: %.6g, drop: %.6g, decay: %.6g}", L,
                 L * mixed(0.07, 0.2), mixed(0.6, 1.5));
    else
        snprintf(out, room, "{type: table, velocity: [0, %.6g, 6], force: [%.6g, %.6g, %.6g]}",
                 mixed(1, 3), L, L * mixed(0.7, 0.9), L * mixed(0.9, 1.1));
}

static void draw(char *text, size_t room) {
    char law[256];
    draw_law(law, sizeof law);
    snprintf(text, room,
             "judder: 1\n"
             "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: "
             "infinite,\n  points: {bow: %.6g}, damping: {type: ratio, value: %.6g}}\n"
             "contacts:\n  bow: {at: bow, against: {velocity: %.6g}, law: %s}\n"
             "start: {type: lift, mode: 1, point: bow, displacement: -2.9, velocity: -2.8}\n"
             "simulate: {engine: memory, tolerance: 1e-4, until: 40}\norbit: {settle: 100}\n",
             mixed(0.2, 0.5), mixed(0.011, 0.02), mixed(1, 2), law);
}

typedef struct tally {
    int compared, multipliers;
    double worst, share; // differences; over what both state
} tally;

// Poles know modes that have a node at the contact, too: every one of the waves is among theirs.
static void compare(const char *text, tally *sum) {
    static const char *const form[] = {"simulate.memory=exponentials", "simulate.memory=delays"};
    motion *m[2];
    jd_orbit *o[2];
    const jd_orbit_view *v[2];
    for (int i = 0; i < 2; i++) {
        m[i] = motion_open(text, 1, &form[i]);
        o[i] = orbit_of(m[i]);
        v[i] = jd_orbit_look(o[i]);
    }
    bool both = v[0]->found && v[1]->found && v[0]->n_event == v[1]->n_event &&
                fabs(v[0]->period - v[1]->period) < 1e-3 * v[0]->period && v[0]->stability.stable;
    if (both) {
        assert_true(v[1]->simulated);
        assert_null(v[1]->stability.why_none);
        assert_true(v[1]->stability.n_multiplier >= 8);
        double stated = v[0]->stability.multiplier_error + v[1]->stability.multiplier_error;
        for (int i = 0; i < v[1]->stability.n_multiplier; i++) {
            const double *x = v[1]->stability.multiplier + 2 * i;
            if (hypot(x[0], x[1]) < v[1]->stability.largest / 2) break;
            double off = nearest(x, v[0]->stability.n_multiplier, v[0]->stability.multiplier);
            sum->worst = fmax(sum->worst, off);
            sum->share = fmax(sum->share, off / stated);
            if (off > stated)
                fail_msg("%.9g %+.9gi: %g, stated %g\n%s", x[0], x[1], off, stated, text);
            sum->multipliers++;
        }
        sum->compared++;
    }
    for (int i = 0; i < 2; i++) {
        jd_orbit_free(o[i]);
        motion_close(m[i]);
    }
}

static void multipliers_of_waves_are_those_of_their_poles(void **state) {
    (void)state;
    int n = how_many(6, 6);
    tally sum = {0};
    char text[1024];
    for (seed = 11; n > 0; n--) {
        draw(text, sizeof text);
        compare(text, &sum);
    }
    print_message("   %d orbits, %d multipliers, differences up to %.1e, %.2g of what is stated\n",
                  sum.compared, sum.multipliers, sum.worst, sum.share);
    assert_true(sum.compared >= 2);
}

// Friction that falls so steeply that a sliding branch of it ends: by jumps of hysteresis.
static void draw_steep(char *text, size_t room) {
    double L = mixed(3, 5);
    snprintf(text, room,
             "judder: 1\n"
             "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: "
             "infinite,\n  points: {a: %.6g}, damping: {type: ratio, value: %.6g}}\n"
             "contacts:\n  one: {at: a, against: {velocity: %.6g}, law: {type: stribeck, limit: "
             "%.6g, drop: %.6g, decay: %.6g, ambiguity: hysteresis}}\n"
             "start: {type: lift, mode: 1, point: a, displacement: -2.9, velocity: -2.8}\n"
             "simulate: {engine: memory, memory: delays, tolerance: 1e-9, until: 40}\n",
             mixed(0.15, 0.45), decades(-1.8, -1.2), mixed(0.8, 1.5), L, L * mixed(0.5, 0.65),
             mixed(4, 8));
}

// Any motion: one or two contacts, with and without a drive.
static void draw_any(char *text, size_t room) {
    char law[2][256];
    for (int j = 0; j < 2; j++) draw_law(law[j], sizeof law[j]);
    double L = mixed(2, 4);
    if (pick(2))
        snprintf(law[0], sizeof law[0], "{type: %s, limit: %.6g, static_limit: %.6g}",
                 pick(2) ? "coulomb" : "stribeck, drop: 0.5, decay: 0.8", L, L * mixed(1, 1.3));
    else if (pick(3) == 0)
        snprintf(law[0], sizeof law[0], "{type: coulomb, limit: %.6g}", mixed(2, 4));
    int n =
        snprintf(text, room,
                 "judder: 1\n"
                 "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: "
                 "infinite,\n  points: {a: %.6g, b: %.6g}, damping: {type: ratio, value: "
                 "%.6g}}\ncontacts:\n  one: {at: a, against: {velocity: %.6g}, law: %s}\n",
                 mixed(0.15, 0.45), mixed(0.55, 0.85), decades(-2.2, -1.3), mixed(1, 2), law[0]);
    if (pick(3) == 0)
        n += snprintf(text + n, room - (size_t)n,
                      "  two: {at: b, against: {velocity: %.6g}, law: %s}\n", mixed(-1, 1), law[1]);
    if (pick(3) == 0)
        n += snprintf(text + n, room - (size_t)n,
                      "drives: {push: {at: b, type: harmonic, amplitude: %.6g, frequency: %.6g}}\n",
                      mixed(0.5, 2), mixed(2, 6));
    snprintf(text + n, room - (size_t)n,
             "start: {type: lift, mode: 1, point: a, displacement: -2.9, velocity: -2.8}\n"
             "simulate: {engine: memory, memory: delays, tolerance: 1e-10, until: 40}\n");
}

static void go_to(jd_run *run, double t, char *word) {
    jd_step step = JD_STEP_EVENT;
    int n = 0;
    while (step == JD_STEP_EVENT) {
        assert_int_equal(jd_run_advance(run, t, &step), JD_OK);
        if (step == JD_STEP_EVENT && n < LETTERS)
            word[n++] = jd_contact_letter(jd_run_event(run)->to);
    }
    word[n] = '\0';
    assert_int_equal(step, JD_STEP_TIME);
}

// The pole states at t, from a state in which they differ by eps dz.
static void changed(const motion *m, const block *from, double eps, const double *dz, double t,
                    double *z, char *word) {
    jd_run *run;
    assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_OK);
    assert_int_equal(jd_run_state_load(run, from->bytes, from->size), JD_OK);
    memory *e = run->state;
    run->no_ledger = true;
    e->panel.trim = NULL;
    for (int p = 0; p < e->plan->poles.n; p++) {
        e->state.z_re[p] += eps * dz[p];
        e->state.z_im[p] += eps * dz[e->plan->poles.n + p];
    }
    jd_slide_forces(e);
    jd_panel_begin(e);
    go_to(run, t, word);
    jd_poles_inside(e, t - e->state.t);
    memcpy(z, e->scratch.z_re, (size_t)e->plan->poles.n * sizeof *z);
    memcpy(z + e->plan->poles.n, e->scratch.z_im, (size_t)e->plan->poles.n * sizeof *z);
    jd_run_free(run);
}

// A change of the pole states alone, which is all that the past need not agree with.
static void draw_change(const memory *e, double *dz, double *x) {
    int c = e->plan->poles.n;
    for (int p = 0; p < c; p++) {
        double weight = 0, im = e->plan->poles.im[p] != 0 ? mixed(-1, 1) : 0, re = mixed(-1, 1);
        for (int j = 0; j < e->plan->m; j++)
            weight = fmax(
                weight, hypot(e->plan->poles.out_re[j * c + p], e->plan->poles.out_im[j * c + p]));
        bool moves = weight > 0 && hypot(e->plan->poles.re[p], e->plan->poles.im[p]) < 60;
        dz[p] = moves ? re / weight : 0;
        dz[c + p] = moves ? im / weight : 0;
        x[p] = dz[p] * weight;
        x[c + p] = dz[c + p] * weight;
    }
}

typedef struct changes {
    int compared, otherwise, events;
    double worst;
} changes;

// Over a time in which some events come, replayed and by differences of two runs.
static void compare_changes(const char *text, double eps, changes *sum) {
    static double dz[ROOM], z[4][ROOM];
    static char word[5][LETTERS + 1];
    static const double at[] = {1, -1, 2, -2};
    const double T = mixed(2, 5);
    int n;
    const char *why;
    motion *m = motion_open(text, 0, NULL);
    if (jd_run_create(m->context, m->problem, &m->run) != JD_OK) { // not unique: no such model
        motion_close(m);
        return;
    }
    const jd_engine_map *map = &m->run->class->map;
    memory *e = m->run->state;
    m->run->no_ledger = true;
    go_to(m->run, 5, word[0]);
    double since = e->state.t;
    block from = {.size = jd_run_state_size(m->run)};
    from.bytes = malloc(from.size);
    assert_int_equal(jd_run_state_save(m->run, from.bytes, from.size), JD_OK);
    assert_int_equal(map->replay_begin(m->run), JD_OK);
    go_to(m->run, since + T, word[0]);
    assert_int_equal(map->replay_end(m->run, &n, &why), JD_OK);
    assert_null(why);
    int c = e->plan->poles.n;
    double until = e->state.t, off = 0, size = 0, *x = calloc((size_t)n, sizeof *x),
           *y = x + n - 2 * c - e->plan->m;
    assert_true(2 * c <= ROOM);
    draw_change(e, dz, y);
    assert_int_equal(map->replay_apply(m->run, x, x), JD_OK);
    bool alike = true;
    for (int i = 0; i < 4; i++) {
        changed(m, &from, eps * at[i], dz, until, z[i], word[i + 1]);
        alike = alike && !strcmp(word[1], word[i + 1]) && word[1][0];
    }
    for (int k = 0; k < 2 * c; k++) {
        double weight = 0;
        for (int j = 0; j < e->plan->m; j++)
            weight = fmax(weight, hypot(e->plan->poles.out_re[j * c + k % c],
                                        e->plan->poles.out_im[j * c + k % c]));
        double by = (8 * (z[0][k] - z[1][k]) - (z[2][k] - z[3][k])) / (12 * eps) * weight;
        off += (y[k] - by) * (y[k] - by);
        size += by * by;
    }
    sum->otherwise += !alike;
    sum->compared += alike;
    sum->events += alike ? (int)strlen(word[1]) : 0;
    if (alike) sum->worst = fmax(sum->worst, sqrt(off / size));
    if (alike && getenv("JD_DRAWS")) print_message("%.1e %s\n", sqrt(off / size), word[1]);
    free(x);
    free(from.bytes);
    motion_close(m);
}

static void changes_of_waves_agree_with_differences_of_runs(void **state) {
    (void)state;
    changes sum = {0};
    char text[1024];
    seed = 5;
    for (int n = how_many(8, 8); n > 0; n--) {
        draw_any(text, sizeof text);
        compare_changes(text, 1e-4, &sum);
    }
    print_message("   %d compared, %d have other events, %d events, off by %.1e at most\n",
                  sum.compared, sum.otherwise, sum.events, sum.worst);
    assert_true(sum.compared >= 4 && sum.events >= 5);
    assert_true(sum.worst < 1e-6);
}

// Where a sliding branch ends panels shrink to 1e-13 s: rates over them would be rounding.
static void likewise_where_sliding_branches_end(void **state) {
    (void)state;
    changes sum = {0};
    char text[1024];
    seed = 9;
    for (int n = how_many(6, 6); n > 0; n--) {
        draw_steep(text, sizeof text);
        compare_changes(text, 1e-3, &sum);
    }
    print_message("   %d compared, %d have other events, %d events, off by %.1e at most\n",
                  sum.compared, sum.otherwise, sum.events, sum.worst);
    assert_true(sum.compared >= 4 && sum.events >= 10);
    assert_true(sum.worst < 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multipliers_of_waves_are_those_of_their_poles),
        cmocka_unit_test(changes_of_waves_agree_with_differences_of_runs),
        cmocka_unit_test(likewise_where_sliding_branches_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
