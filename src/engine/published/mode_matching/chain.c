// chain.c -- closed-form modes of uniform chains, and the cache of those met so far.
#include "engine/published/mode_matching/chain.h"

#include <math.h>

#include "base/constants.h"

static const double pi = JD_PI;
enum { FREE_FIRST = 1, FREE_LAST = 2 };

// pi a b/half, the angle taken modulo 2 pi in whole numbers first
static double angle(int a, int b, int half) {
    return pi * (double)((long)a * b % (2L * half)) / half;
}

static void fill_shape(jd_chain_modes *c, double mass) {
    int n = c->n;
    for (int k = 0; k < n; k++) {
        double *row = c->shape + (size_t)k * (size_t)c->stride;
        for (int i = 0; i < n; i++) {
            int j = c->ends == FREE_LAST ? n - 1 - i : i;
            if (c->ends == 0)
                row[i] = sqrt(2 / ((n + 1) * mass)) * sin(angle(j + 1, k + 1, n + 1));
            else if (c->ends == (FREE_FIRST | FREE_LAST))
                row[i] = sqrt((k == 0 || k == n - 1 ? 1 : 2) / ((n - 1) * mass)) *
                         cos(angle(j, k, n - 1));
            else
                row[i] = sqrt(2 / (n * mass)) * cos(angle(j, 2 * k + 1, 2 * n));
        }
    }
}

static void fill_omega(jd_chain_modes *c, double rate, double step) {
    int n = c->n;
    for (int k = 0; k < n; k++) {
        double x = c->ends == 0                          ? (k + 1.0) / (2 * (n + 1))
                   : c->ends == (FREE_FIRST | FREE_LAST) ? k / (2.0 * (n - 1))
                                                         : (2 * k + 1.0) / (4 * n);
        double omega = c->omega[k] = 2 * rate * sin(pi * x);
        c->turn[0][k] = cos(omega * step);
        c->turn[1][k] = omega > 0 ? sin(omega * step) / omega : step;
    }
}

static jd_chain_modes *make(jd_chain_cache *cache, int n, int ends) {
    jd_arena *arena = jd_arena_create(cache->context);
    if (!arena) return NULL;
    jd_chain_modes *c = JD_TAKE(arena, jd_chain_modes, 1);
    if (!c) goto failed;
    *c = (jd_chain_modes){.n = n, .ends = ends, .arena = arena};
    c->stride = (n + JD_SEMI_LANES - 1) / JD_SEMI_LANES * JD_SEMI_LANES;
    c->shape = JD_TAKE(arena, double, (size_t)n *(size_t)c->stride);
    c->omega = JD_TAKE(arena, double, n);
    c->turn[0] = JD_TAKE(arena, double, n);
    c->turn[1] = JD_TAKE(arena, double, n);
    if (jd_arena_status(arena) != JD_OK) goto failed;
    fill_shape(c, cache->mass);
    fill_omega(c, cache->rate, cache->step);
    return c;
failed:
    jd_arena_free(arena);
    return NULL;
}

jd_status jd_chain_cache_create(jd_arena *arena, const jd_semi *y, double step,
                                jd_chain_cache *cache) {
    *cache = (jd_chain_cache){.context = jd_arena_context(arena),
                              .mass = 2 * y->mass[0],
                              .rate = y->rate,
                              .step = step,
                              .room = 4 * (y->n + 1),
                              .most = (size_t)256 << 20};
    cache->entry = JD_TAKE(arena, jd_chain_modes *, cache->room);
    return jd_arena_status(arena);
}

static void drop(jd_chain_cache *cache, int i) {
    cache->bytes -= jd_arena_bytes(cache->entry[i]->arena);
    jd_arena_free(cache->entry[i]->arena);
    cache->entry[i] = cache->entry[--cache->n_entry];
}

void jd_chain_cache_free(jd_chain_cache *cache) {
    while (cache->n_entry > 0) drop(cache, cache->n_entry - 1);
}

static void make_room(jd_chain_cache *cache, long keep) {
    while (cache->bytes > cache->most) {
        int oldest = -1;
        for (int i = 0; i < cache->n_entry; i++)
            if (cache->entry[i]->used < cache->clock - keep &&
                (oldest < 0 || cache->entry[i]->used < cache->entry[oldest]->used))
                oldest = i;
        if (oldest < 0) return;
        drop(cache, oldest);
    }
}

const jd_chain_modes *jd_chain_find(jd_chain_cache *cache, int n, int ends, long keep) {
    cache->clock++;
    for (int i = 0; i < cache->n_entry; i++) {
        jd_chain_modes *c = cache->entry[i];
        if (c->n != n || c->ends != ends) continue;
        c->used = cache->clock;
        return c;
    }
    make_room(cache, keep);
    jd_chain_modes *c = make(cache, n, ends);
    if (!c) return NULL;
    c->used = cache->clock;
    cache->made++;
    cache->bytes += jd_arena_bytes(c->arena);
    cache->entry[cache->n_entry++] = c;
    return c;
}
