// modes_cache.c -- modes of large matrices, kept in a file beside the stiffness matrix.
//   K.mtx.modes: head, omega^2 (double-double), error, off, rows and shares of the points, text,
//   checksum. Its key is a hash of the bytes of all files, of the numbers of the definition and of
//   the version: a file with another key, size or checksum is passed over, and replaced. Not kept:
//   what needs whole shapes (small models, damping matrices, vectors of forces), what is warned of
//   (modes alone), matrices in memory.
#include "structure/matrices/modes_cache.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/scan.h"
#include "judder/version.h"
#include "structure/discrete/fe.h"
#include "structure/matrices/matrix_entries.h"

typedef struct head {
    char magic[8];
    uint64_t key;
    int32_t n_dof, n, n_static, n_point, off, text; // off: is there; text: bytes
} head;
static const char magic[8] = {'J', 'D', 'M', 'O', 'D', 'E', 'S', '2'};

static uint64_t add_text(uint64_t h, const char *text) {
    return jd_hash(h, text ? text : "", text ? strlen(text) + 1 : 1);
}

static jd_status add_file(jd_arena *arena, const char *path, uint64_t *h) {
    jd_scan s;
    jd_arena_mark mark = jd_arena_here(arena);
    JD_TRY(jd_scan_open(arena, path, JD_MATRIX_LARGEST, JD_BROKEN_MATRIX, &s));
    uint64_t size = (uint64_t)(s.end - s.text);
    *h = jd_hash(jd_hash(*h, &size, sizeof size), s.text, (size_t)size);
    jd_arena_back(arena, mark);
    return JD_OK;
}

// A matrix, and the names of its rows where there are any beside it.
static jd_status add_matrix(jd_arena *arena, const char *path, uint64_t *h) {
    JD_TRY(add_file(arena, path, h));
    const char *names = jd_matrix_labels_path(arena, path);
    JD_TRY(jd_arena_status(arena));
    if (access(names, R_OK) != 0) return JD_OK;
    return add_file(arena, names, h);
}

static uint64_t add_numbers(uint64_t h, const jd_matrices_def *d) {
    h = add_text(h, JD_VERSION);
    h = jd_hash(h, &d->modes, sizeof d->modes);
    h = jd_hash(h, &d->reduction, sizeof d->reduction);
    h = jd_hash(h, &d->points.n, sizeof d->points.n);
    for (int i = 0; i < d->points.n; i++) {
        const jd_point *p = &d->points.point[i];
        h = add_text(add_text(h, p->name), p->label);
        h = jd_hash(jd_hash(h, &p->node, sizeof p->node), &p->dof, sizeof p->dof);
        h = add_text(jd_hash(h, p->near.value, (size_t)p->near.n * sizeof(double)), p->set);
    }
    for (int i = 0; i < d->interface.n; i++) h = add_text(h, d->interface.text[i]);
    return h;
}

jd_status jd_modes_cache_open(jd_arena *arena, const jd_matrices_def *d, jd_modes_cache *out) {
    *out = (jd_modes_cache){0};
    if (!jd_keeps_modes(jd_arena_context(arena)) || !d->stiffness.file || !d->mass.file)
        return JD_OK;
    if (jd_keeps_shapes(jd_arena_context(arena)) || d->vectors || d->base.n > 0 ||
        d->reduction == JD_NO_REDUCTION || d->damping.type == &jd_damping_matrix)
        return JD_OK;
    uint64_t key = add_numbers(jd_hash_start, d);
    key = add_text(add_text(key, d->stiffness.name), d->mass.name);
    JD_TRY(add_matrix(arena, d->stiffness.file, &key));
    JD_TRY(add_matrix(arena, d->mass.file, &key));
    if (d->dofs) JD_TRY(add_file(arena, d->dofs, &key));
    if (d->mesh) JD_TRY(add_file(arena, d->mesh, &key));
    out->key = key;
    out->path = jd_arena_format(arena, "%s.modes", d->stiffness.file);
    return jd_arena_status(arena);
}

static size_t body_size(const head *h) {
    size_t n = (size_t)h->n;
    return n * (sizeof(jd_dd) + sizeof(double) * (h->off ? 2 : 1)) +
           n * (size_t)h->n_point * sizeof(jd_dd) + (size_t)h->n_point * sizeof(double) +
           (size_t)h->text;
}

static bool fits(const head *h, const jd_modes_cache *cache, const jd_matrices_def *d, long size) {
    return !memcmp(h->magic, magic, sizeof magic) && h->key == cache->key && h->n_dof > 0 &&
           h->n > 0 && h->n <= 2000000 && h->n_static >= 0 && h->n_static < h->n &&
           h->n_point == d->points.n && h->text >= 0 && h->text < 100000 && (h->off & ~1) == 0 &&
           size == (long)(sizeof *h + body_size(h) + sizeof(uint64_t));
}

static const char *take_out(void *to, const char *from, size_t bytes) {
    memcpy(to, from, bytes);
    return from + bytes;
}

static bool unpack(const head *h, const char *p, const jd_matrices_def *d, jd_structure *s) {
    size_t n = (size_t)h->n;
    jd_modal *m = &s->modal;
    s->n_dof = h->n_dof;
    m->n = h->n;
    m->n_static = h->n_static;
    m->omega2 = JD_TAKE(s->arena, jd_dd, n);
    m->error = JD_TAKE(s->arena, double, n);
    m->off = h->off ? JD_TAKE(s->arena, double, n) : NULL;
    s->outside = JD_TAKE(s->arena, double, h->n_point);
    char *text = JD_TAKE(s->arena, char, (size_t)h->text + 1);
    if (jd_arena_status(s->arena) != JD_OK || jd_structure_take_points(s, &d->points) != JD_OK)
        return false;
    p = take_out(m->omega2, p, n * sizeof *m->omega2);
    p = take_out(m->error, p, n * sizeof *m->error);
    if (h->off) p = take_out(m->off, p, n * sizeof *m->off);
    if (h->n_point) p = take_out(s->row, p, n * (size_t)h->n_point * sizeof *s->row);
    if (h->n_point) p = take_out(s->outside, p, (size_t)h->n_point * sizeof *s->outside);
    take_out(text, p, (size_t)h->text);
    s->origin = h->text ? text : NULL;
    return true;
}

static bool read_whole(FILE *f, const jd_modes_cache *cache, const jd_matrices_def *d,
                       jd_structure *s) {
    head h;
    uint64_t sum = 0;
    if (fseek(f, 0, SEEK_END) != 0) return false;
    long size = ftell(f);
    rewind(f);
    if (fread(&h, sizeof h, 1, f) != 1 || !fits(&h, cache, d, size)) return false;
    size_t bytes = body_size(&h);
    char *body = JD_TAKE(s->arena, char, bytes);
    if (!body || fread(body, 1, bytes, f) != bytes || fread(&sum, sizeof sum, 1, f) != 1)
        return false;
    if (sum != jd_hash(jd_hash(jd_hash_start, &h, sizeof h), body, bytes)) return false;
    return unpack(&h, body, d, s);
}

bool jd_modes_cache_load(const jd_modes_cache *cache, const jd_matrices_def *d, jd_structure *s) {
    FILE *f = cache->path ? fopen(cache->path, "rb") : NULL;
    if (!f) return false;
    bool found = read_whole(f, cache, d, s);
    fclose(f);
    return found;
}

static bool put(FILE *f, const void *from, size_t bytes, uint64_t *sum) {
    *sum = jd_hash(*sum, from, bytes);
    return bytes == 0 || fwrite(from, 1, bytes, f) == bytes;
}

static bool write_whole(FILE *f, const head *h, const jd_structure *s) {
    const jd_modal *m = &s->modal;
    size_t n = (size_t)h->n;
    uint64_t sum = jd_hash_start;
    return put(f, h, sizeof *h, &sum) && put(f, m->omega2, n * sizeof *m->omega2, &sum) &&
           put(f, m->error, n * sizeof *m->error, &sum) &&
           (!h->off || put(f, m->off, n * sizeof *m->off, &sum)) &&
           put(f, s->row, n * (size_t)h->n_point * sizeof *s->row, &sum) &&
           put(f, s->outside, (size_t)h->n_point * sizeof *s->outside, &sum) &&
           put(f, s->origin, (size_t)h->text, &sum) && fwrite(&sum, sizeof sum, 1, f) == 1;
}

// Written beside and renamed: whoever reads meanwhile sees the old file or the new one.
void jd_modes_cache_store(jd_arena *arena, const jd_modes_cache *cache, const jd_structure *s) {
    if (!cache->path || s->n_dof <= JD_FE_ALL_LIMIT) return;
    head h = {.key = cache->key,
              .n_dof = s->n_dof,
              .n = s->modal.n,
              .n_static = s->modal.n_static,
              .n_point = s->n_point,
              .off = s->modal.off != NULL,
              .text = s->origin ? (int32_t)strlen(s->origin) : 0};
    memcpy(h.magic, magic, sizeof magic);
    const char *fresh = jd_arena_format(arena, "%s.%ld", cache->path, (long)getpid());
    FILE *f = fresh ? fopen(fresh, "wbx") : NULL;
    if (!f) return;
    bool fine = write_whole(f, &h, s);
    fine = fclose(f) == 0 && fine;
    if (!fine || rename(fresh, cache->path) != 0) remove(fresh);
}
