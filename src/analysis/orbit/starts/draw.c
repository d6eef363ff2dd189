// draw.c -- random starts: their scale, and start number i.
//   x_k = 2 a_k r_k, r_k uniform in (-1, 1), a_k the largest |x_k| on the first orbit found (from
//   the model's own start). Starts beyond a stop are drawn closer to rest until they are inside.
//   r_k of start i is number i n + k of the generator, so any start can be drawn by itself.
#include <math.h>
#include <string.h>

#include "analysis/orbit/starts/parts.h"
#include "contact/law.h"
#include "problem/parts.h"

enum { SPREAD_SAMPLES = 64 };

// splitmix64 [Steele, Lea, Flood 2014]: the same numbers everywhere.
static double random_number(uint64_t *random) {
    uint64_t z = *random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

// No motion to measure: the size of the model's own start, or of states whose sizes are 1.
static jd_status fall_back(jd_attractors *a, int n) {
    jd_run *run;
    JD_TRY(jd_run_create(a->context, a->problem, &run));
    if (!run->waiting) run->class->map.state(run, a->state);
    bool waiting = run->waiting;
    jd_run_free(run);
    double size = waiting ? 0 : jd_shooting_size(a->shooting, a->state);
    for (int k = 0; k < n; k++) a->spread[k] = (size > 0 ? size : 1) / a->shooting->scale[k];
    return JD_OK;
}

// a_k over the orbit, or over as long a motion from the start when none was found.
static jd_status take_largest(jd_attractors *a, const jd_orbit_view *v) {
    const jd_engine_map *map = &a->run->class->map;
    const jd_phase phase = jd_phase_of_text(v->phase);
    JD_TRY(map->restart(a->run, 0, v->state, &phase));
    for (int i = 0; i < SPREAD_SAMPLES; i++) {
        jd_step step = JD_STEP_EVENT;
        while (step == JD_STEP_EVENT)
            JD_TRY(jd_run_advance(a->run, v->period * i / SPREAD_SAMPLES, &step));
        if (step == JD_STEP_STOPPED) break;
        map->state(a->run, a->state);
        for (int k = 0; k < v->n; k++) a->spread[k] = fmax(a->spread[k], fabs(a->state[k]));
    }
    return JD_OK;
}

static jd_status measure_spread(jd_attractors *a, const jd_orbit_view *v) {
    double largest = 0;
    memset(a->spread, 0, (size_t)v->n * sizeof *a->spread);
    if (!(v->period > 0)) return fall_back(a, v->n);
    jd_status status = take_largest(a, v);
    if (status != JD_OK) return jd_starts_failed(a, &a->judge, status);
    for (int k = 0; k < v->n; k++) largest = fmax(largest, a->shooting->scale[k] * a->spread[k]);
    return largest > 0 ? JD_OK : fall_back(a, v->n);
}

jd_status jd_starts_scale(jd_attractors *a) {
    jd_orbit *orbit;
    a->options.shoot = true;
    JD_TRY(jd_orbit_create(a->context, a->problem, &a->options, &orbit));
    const jd_orbit_view *v = jd_orbit_look(orbit);
    jd_status status = measure_spread(a, v);
    const jd_orbit_def *def = jd_problem_section(a->problem, JD_ORBIT, NULL);
    a->settle = a->options.settle;
    if (status == JD_OK && a->settle < 0)
        status = jd_problem_duration(a->problem, &def->settle, &a->settle);
    if (!(a->settle > 0)) a->settle = 100 * v->period / (v->periods > 0 ? v->periods : 1);
    if (!(a->settle > 0))
        a->settle = fmax(v->search.settled, 100); // the first motion rests: as long again
    jd_orbit_free(orbit);
    return status;
}

// Closer to rest until it is inside all stops.
static jd_status move_inside(jd_attractors *a) {
    jd_step step;
    for (int tries = 0; tries < 60; tries++) {
        JD_TRY(a->run->class->map.restart(a->run, 0, a->state, &a->phase));
        JD_TRY(jd_run_advance(a->run, 0, &step));
        if (step != JD_STEP_STOPPED) break;
        for (int k = 0; k < a->shooting->n; k++) a->state[k] /= 2;
    }
    return JD_OK;
}

// Friction contacts slide, stops are open.
jd_status jd_starts_draw(jd_attractors *a, int i) {
    int n = a->shooting->n;
    uint64_t random = a->seed + 0x9e3779b97f4a7c15u * ((uint64_t)i * (uint64_t)n);
    for (int k = 0; k < n; k++) a->state[k] = 2 * a->spread[k] * random_number(&random);
    for (int j = 0; j < jd_problem_contacts(a->problem); j++) {
        const jd_contact_def *c = jd_problem_contact(a->problem, j)->def;
        a->phase.of[j] = jd_law_stop_of(&c->law) ? JD_CONTACT_OPEN : JD_CONTACT_SLIDING_PLUS;
    }
    jd_phase_text(&a->phase, a->letters);
    jd_status status = move_inside(a);
    return status == JD_OK ? JD_OK : jd_starts_failed(a, &a->judge, status);
}
