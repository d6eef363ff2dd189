// of_file_kernel.c -- memory kernels from their result file: courses of the pairs, i fastest after
// time in memory, time fastest in the file.
#include <string.h>

#include "picture/of_file.h"

static jd_status read_kernel(jd_arena *arena, const json_t *document, const char *key,
                             const jd_kernel_view *v, const double **out) {
    int pairs = v->n * v->n, n;
    JD_TRY(jd_read_size(arena, pairs, v->n_tau, &n));
    double *file, *own;
    JD_TRY(jd_read_reals(arena, document, key, &n, &file));
    own = JD_TAKE(arena, double, n);
    for (int p = 0; own && p < pairs; p++)
        for (int t = 0; t < v->n_tau; t++) own[t * pairs + p] = file[p * v->n_tau + t];
    *out = own;
    return jd_arena_status(arena);
}

static jd_kernel_start start_of(const char *name) {
    jd_kernel_start start = JD_KERNEL_SMOOTH;
    for (int i = JD_KERNEL_SMOOTH; i <= JD_KERNEL_ROOT; i++)
        if (strcmp(name, jd_kernel_start_name((jd_kernel_start)i)) == 0) start = (jd_kernel_start)i;
    return start;
}

// Kernels without the lowest modes: the file keeps a column of each.
static jd_status read_resolved(jd_arena *arena, const json_t *table, jd_kernel_view *v) {
    double *modes, *memory, *fading, *velocity;
    if (!table) return JD_OK;
    v->n_resolved = -1;
    JD_TRY(jd_read_reals(arena, table, "modes", &v->n_resolved, &modes));
    int all;
    JD_TRY(jd_read_size(arena, v->n_resolved, v->n_tau, &all));
    JD_TRY(jd_read_reals(arena, table, "memory", &all, &memory));
    JD_TRY(jd_read_reals(arena, table, "fading", &all, &fading));
    JD_TRY(jd_read_reals(arena, table, "velocity", &all, &velocity));
    jd_kernel_resolved *r = JD_TAKE(arena, jd_kernel_resolved, v->n_resolved);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < v->n_resolved; i++)
        r[i] = (jd_kernel_resolved){.modes = jd_read_whole(modes[i]),
                                    .memory = memory + i * v->n_tau,
                                    .fading = fading + i * v->n_tau,
                                    .velocity = velocity + i * v->n_tau};
    v->resolved = r;
    return JD_OK;
}

jd_status jd_kernel_of_file(jd_arena *arena, const json_t *document, jd_kernel_view *out) {
    const json_t *regularity = json_object_get(document, "regularity");
    double *tau, *jump;
    *out = (jd_kernel_view){.n = (int)json_array_size(json_object_get(document, "contacts")),
                            .n_tau = -1,
                            .infinite = jd_read_real(document, "infinite") > 0,
                            .start = start_of(jd_read_text(regularity, "kind"))};
    int pairs;
    JD_TRY(jd_read_size(arena, out->n, out->n, &pairs));
    const char **name = JD_TAKE(arena, const char *, out->n);
    for (int i = 0; name && i < out->n; i++) name[i] = jd_read_word(document, "contacts", i);
    out->contact = name;
    JD_TRY(jd_read_reals(arena, document, "tau", &out->n_tau, &tau));
    JD_TRY(jd_read_reals(arena, document, "jump", &pairs, &jump));
    out->tau = tau;
    out->jump = jump;
    JD_TRY(read_kernel(arena, document, "G", out, &out->G));
    JD_TRY(read_kernel(arena, document, "L1", out, &out->L1));
    return read_resolved(arena, json_object_get(document, "resolved"), out);
}
