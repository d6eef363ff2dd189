// landing.c -- what a start led to: taken from its orbit, and as bytes for journals and other
// processes.
//   Bytes: NUMBERS numbers, two checksums of the phase sequence, the state, velocities of contacts,
//   contact states; as they are in memory, so that what is restored is what was computed bit by
//   bit.
#include <string.h>

#include "analysis/orbit/starts/parts.h"
#include "base/hash.h"
#include "problem/parts.h"

enum { NUMBERS = 7 };

static landing *take_new(jd_attractors *a) {
    landing *l = a->spare;
    if (l) {
        a->spare = l->spare;
        l->spare = NULL;
        return l;
    }
    l = JD_TAKE(a->arena, landing, 1);
    if (!l) return NULL;
    l->state = JD_TAKE(a->arena, double, a->shooting->n);
    l->speed = JD_TAKE(a->arena, double, 2 * a->phase.n + 1);
    l->phase = JD_TAKE(a->arena, char, a->phase.n + 1);
    return jd_arena_status(a->arena) == JD_OK ? l : NULL;
}

void jd_landing_drop(jd_attractors *a, landing *l) {
    jd_orbit_free(l->orbit);
    l->orbit = NULL;
    l->spare = a->spare;
    a->spare = l;
}

static landing_kind kind_of(const jd_orbit_view *v) {
    if (!v->found)
        return v->search.reason == JD_ORBIT_AT_REST || v->search.reason == JD_ORBIT_STEADY_SLIP
                   ? LANDING_REST
                   : LANDING_LOST;
    if (!v->stability.stable) return LANDING_LOST;
    if (v->stability.neutral > 0) return LANDING_FAMILY;
    return v->stability.isolated ? LANDING_ORBIT : LANDING_LOST;
}

// Of all phases with the zeros between them: one, and one more that starts elsewhere.
static void sum_phases(landing *l, const jd_orbit_view *v) {
    l->n_phase = v->n_phase;
    l->sequence[0] = jd_hash_start;
    l->sequence[1] = ~jd_hash_start;
    for (int i = 0; i < v->n_phase; i++)
        for (int k = 0; k < 2; k++)
            l->sequence[k] = jd_hash(l->sequence[k], v->phases[i], strlen(v->phases[i]) + 1);
}

landing *jd_landing_of(jd_attractors *a, jd_orbit *orbit) {
    const jd_orbit_view *v = jd_orbit_look(orbit);
    landing *l = take_new(a);
    if (!l) {
        jd_orbit_free(orbit);
        return NULL;
    }
    size_t n = (size_t)a->shooting->n, m = (size_t)a->phase.n;
    l->orbit = orbit;
    l->kind = kind_of(v);
    l->forced = v->forced;
    l->periods = v->periods;
    l->longest = v->search.longest;
    l->neutral = v->stability.neutral;
    l->period = v->period;
    sum_phases(l, v);
    memset(l->state, 0, n * sizeof *l->state);
    memset(l->speed, 0, 2 * m * sizeof *l->speed);
    memset(l->phase, 0, m + 1);
    if (l->kind == LANDING_LOST) return l;
    memcpy(l->phase, v->phase, strnlen(v->phase, m));
    if (!v->found) return l;
    memcpy(l->state, v->state, n * sizeof *l->state);
    for (size_t j = 0; j < m; j++) {
        l->speed[2 * j] = v->range[j].velocity.min;
        l->speed[2 * j + 1] = v->range[j].velocity.max;
    }
    return l;
}

static size_t state_bytes(const jd_attractors *a) { return (size_t)a->shooting->n * 8; }
static size_t speed_bytes(const jd_attractors *a) { return (size_t)a->phase.n * 16; }

size_t jd_attractors_packed_size(const jd_attractors *a) {
    return NUMBERS * sizeof(double) + sizeof(uint64_t[2]) + state_bytes(a) + speed_bytes(a) +
           (size_t)a->phase.n + 1;
}

static void put(unsigned char **at, const void *bytes, size_t n) {
    memcpy(*at, bytes, n);
    *at += n;
}

static void get(const unsigned char **at, void *bytes, size_t n) {
    memcpy(bytes, *at, n);
    *at += n;
}

void jd_attractors_pack(const jd_attractors *a, int start, unsigned char *out) {
    const landing *l = a->at[start];
    const double numbers[NUMBERS] = {(double)l->kind, l->forced,  l->periods, l->longest,
                                     l->neutral,      l->n_phase, l->period};
    put(&out, numbers, sizeof numbers);
    put(&out, l->sequence, sizeof l->sequence);
    put(&out, l->state, state_bytes(a));
    put(&out, l->speed, speed_bytes(a));
    put(&out, l->phase, (size_t)a->phase.n + 1);
}

static bool is_count(double x) { return x >= 0 && x <= 1e9; }

static bool is_sound(const double *in) {
    return in[0] >= 0 && in[0] < LANDING_KINDS && is_count(in[2]) && is_count(in[3]) &&
           is_count(in[4]) && is_count(in[5]) && !(in[0] >= LANDING_ORBIT && !(in[6] > 0));
}

jd_status jd_attractors_restore(jd_attractors *a, int start, const unsigned char *in) {
    double numbers[NUMBERS];
    get(&in, numbers, sizeof numbers);
    if (start < 0 || start >= a->starts || !is_sound(numbers))
        return jd_fail(a->context, JD_BAD_ARGUMENT, "these bytes are no start of this search");
    if (jd_attractors_is_done(a, start)) return JD_OK;
    landing *l = take_new(a);
    if (!l) return jd_arena_status(a->arena);
    l->kind = (landing_kind)numbers[0];
    l->forced = numbers[1] != 0;
    l->periods = (int)numbers[2];
    l->longest = (int)numbers[3];
    l->neutral = (int)numbers[4];
    l->n_phase = (int)numbers[5];
    l->period = numbers[6];
    l->orbit = NULL;
    get(&in, l->sequence, sizeof l->sequence);
    get(&in, l->state, state_bytes(a));
    get(&in, l->speed, speed_bytes(a));
    get(&in, l->phase, (size_t)a->phase.n + 1);
    l->phase[a->phase.n] = '\0';
    a->at[start] = l;
    return jd_starts_sort(a);
}

// The problem, where its starts come from and how long they are followed.
unsigned long long jd_attractors_identity(const jd_attractors *a) {
    const jd_orbit_options *o = &a->options;
    const jd_orbit_def *def = jd_problem_section(a->problem, JD_ORBIT, NULL);
    const double numbers[] = {a->starts,
                              a->settle,
                              o->periods,
                              o->settle,
                              o->iterations,
                              o->tolerance,
                              o->period,
                              o->attempts,
                              o->most,
                              def->periods,
                              def->work,
                              (double)(a->seed >> 32),
                              (double)(a->seed & 0xffffffffu)};
    uint64_t h = jd_problem_identity(a->problem);
    unsigned char bytes[sizeof numbers];
    memcpy(bytes, numbers, sizeof bytes);
    h = jd_hash(h, bytes, sizeof bytes);
    return jd_hash(h, a->spread, state_bytes(a));
}
