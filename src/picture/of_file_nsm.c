// of_file_nsm.c -- branches and families of nonsmooth modes from their result file.
#include <math.h>
#include <string.h>

#include "picture/of_file.h"

typedef struct reader {
    jd_arena *arena;
    const json_t *table; // of the branches
    int n;
    double *mode, *divisor, *omega_start, *omega_end, *energy_start, *energy_end;
} reader;

static jd_status read_intervals(reader *r, int i, jd_nsm_branch *b) {
    const json_t *table = jd_read_member(json_object_get(r->table, "stability"), i);
    int n = (int)json_array_size(json_object_get(table, "from"));
    double *from, *to, *stable;
    if (n == 0) return JD_OK;
    JD_TRY(jd_read_reals(r->arena, table, "from", &n, &from));
    JD_TRY(jd_read_reals(r->arena, table, "to", &n, &to));
    JD_TRY(jd_read_reals(r->arena, table, "stable", &n, &stable));
    jd_nsm_interval *interval = JD_TAKE(r->arena, jd_nsm_interval, n);
    JD_TRY(jd_arena_status(r->arena));
    for (int k = 0; k < n; k++)
        interval[k] = (jd_nsm_interval){.from = from[k], .to = to[k], .stable = stable[k] > 0};
    b->interval = interval;
    b->n_interval = n;
    return JD_OK;
}

// Numbers of branch or family i, of a column of lists.
static jd_status read_list(reader *r, const json_t *columns, const char *key, int i, int *n,
                           const double **out) {
    double *value;
    const json_t *column = json_object_get(columns, key);
    json_t *own = json_object();
    json_object_set(own, key, (json_t *)jd_read_member(column, i));
    jd_status s = jd_read_reals(r->arena, own, key, n, &value);
    json_decref(own);
    if (s == JD_OK) *out = value;
    return s;
}

static jd_status read_line(reader *r, int i, jd_nsm_line *line) {
    bool graze = strcmp(jd_read_word(r->table, "end", i), "graze") == 0;
    line->branch = (jd_nsm_branch){.mode = jd_read_whole(r->mode[i]),
                                   .divisor = jd_read_whole(r->divisor[i]),
                                   .omega_start = r->omega_start[i],
                                   .omega_end = r->omega_end[i],
                                   .end = graze ? JD_NSM_GRAZE : JD_NSM_UNBOUNDED,
                                   .energy_start = r->energy_start[i],
                                   .energy_end = graze ? r->energy_end[i] : HUGE_VAL};
    const json_t *orbits = json_object_get(r->table, "orbits");
    line->n = -1;
    JD_TRY(read_intervals(r, i, &line->branch));
    JD_TRY(read_list(r, orbits, "omega", i, &line->n, &line->omega));
    return read_list(r, orbits, "energy", i, &line->n, &line->energy);
}

static jd_status read_columns(reader *r) {
    JD_TRY(jd_read_reals(r->arena, r->table, "mode", &r->n, &r->mode));
    JD_TRY(jd_read_reals(r->arena, r->table, "divisor", &r->n, &r->divisor));
    JD_TRY(jd_read_reals(r->arena, r->table, "omega_start", &r->n, &r->omega_start));
    JD_TRY(jd_read_reals(r->arena, r->table, "omega_end", &r->n, &r->omega_end));
    JD_TRY(jd_read_reals(r->arena, r->table, "energy_start", &r->n, &r->energy_start));
    return jd_read_reals(r->arena, r->table, "energy_end", &r->n, &r->energy_end);
}

static jd_nsm_kind kind_of(const char *name) {
    for (int k = JD_NSM_BRIDGE; k < JD_NSM_SYMMETRIC; k++)
        if (strcmp(name, jd_nsm_kind_name((jd_nsm_kind)k)) == 0) return (jd_nsm_kind)k;
    return JD_NSM_SYMMETRIC;
}

static jd_status read_families(reader *r, const json_t *document, jd_nsm_lines *out) {
    const json_t *table = json_object_get(document, "families");
    const json_t *orbits = json_object_get(table, "orbits");
    int n = (int)json_array_size(json_object_get(table, "kind"));
    jd_nsm_family *family = JD_TAKE(r->arena, jd_nsm_family, n);
    JD_TRY(jd_arena_status(r->arena));
    for (int i = 0; i < n; i++) {
        jd_nsm_family *f = &family[i];
        *f = (jd_nsm_family){.kind = kind_of(jd_read_word(table, "kind", i)), .n = -1};
        JD_TRY(read_list(r, orbits, "omega", i, &f->n, &f->omega));
        JD_TRY(read_list(r, orbits, "energy", i, &f->n, &f->energy));
    }
    out->n_family = n;
    out->family = family;
    return JD_OK;
}

static jd_status read_sustained(reader *r, const json_t *document, jd_nsm_lines *out) {
    const json_t *table = json_object_get(document, "sustained");
    int n = (int)json_array_size(json_object_get(table, "omega"));
    double *omega, *energy;
    if (n == 0) return JD_OK;
    JD_TRY(jd_read_reals(r->arena, table, "omega", &n, &omega));
    JD_TRY(jd_read_reals(r->arena, table, "energy", &n, &energy));
    jd_nsm_sustained *orbit = JD_TAKE(r->arena, jd_nsm_sustained, n);
    JD_TRY(jd_arena_status(r->arena));
    for (int i = 0; i < n; i++)
        orbit[i] = (jd_nsm_sustained){.omega = omega[i], .energy = energy[i]};
    out->n_sustained = n;
    out->sustained = orbit;
    return JD_OK;
}

jd_status jd_nsm_of_file(jd_arena *arena, const json_t *document, jd_nsm_lines *out) {
    reader r = {.arena = arena, .table = json_object_get(document, "branches"), .n = -1};
    *out = (jd_nsm_lines){0};
    JD_TRY(read_sustained(&r, document, out));
    if (json_is_array(r.table) && json_array_size(r.table) == 0) return JD_OK;
    JD_TRY(read_columns(&r));
    jd_nsm_line *line = JD_TAKE(arena, jd_nsm_line, r.n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < r.n; i++) JD_TRY(read_line(&r, i, &line[i]));
    out->n_line = r.n;
    out->line = line;
    return read_families(&r, document, out);
}
