// lines.c -- the lines of a sweep over the ranks of MPI.
//   Points travel as the bytes of the journal and are put into the sweep by jd_sweep_restore: the
//   same bits as on one machine, whoever computes them.
#include "mpi/ranks.h"

#include <stdlib.h>

typedef struct line_work {
    call *call;
    jd_sweep *sweep;
    const jd_sweep_options *options;
} line_work;

static bool is_done(void *user, int line) {
    const line_work *w = user;
    const jd_sweep_view *v = jd_sweep_look(w->sweep);
    int each = jd_sweep_line_points(w->sweep);
    if (v->shards > 0 && line % v->shards != v->shard - 1) return true;
    for (int k = 0; k < each; k++)
        if (!v->point[(ptrdiff_t)line * each + k].done) return false;
    return true;
}

static jd_status compute(void *user, int first, int n, char **bytes, size_t *size, bool *cut) {
    const line_work *w = user;
    jd_sweep_options some = *w->options;
    bool complete;
    some.finished = NULL;
    some.threads = some.threads > 0 ? some.threads : 1;
    some.first = first;
    some.lines = n;
    JD_TRY(jd_sweep_run(w->sweep, &some, &complete));
    *cut = !complete;
    if (*cut) return JD_OK;
    size_t each = (size_t)jd_sweep_line_points(w->sweep), point = jd_sweep_packed_size(w->sweep);
    *size = (size_t)n * each * point;
    *bytes = malloc(*size);
    if (!*bytes) return out_of_memory(w->call);
    for (size_t i = 0; i < (size_t)n * each; i++)
        jd_sweep_pack(w->sweep, (int)((size_t)first * each + i),
                      (unsigned char *)*bytes + i * point);
    return JD_OK;
}

// Points that are new go to who asked for them: into the journal.
static jd_status collect(void *user, int first, int n, const char *bytes, size_t size) {
    const line_work *w = user;
    const jd_sweep_view *v = jd_sweep_look(w->sweep);
    int each = jd_sweep_line_points(w->sweep);
    size_t point = jd_sweep_packed_size(w->sweep);
    if (size != (size_t)n * (size_t)each * point)
        return jd_fail(w->call->context, JD_INTERNAL, "what a rank sent has another size");
    for (int i = first * each; i < (first + n) * each; i++, bytes += point) {
        if (v->point[i].done) continue;
        JD_TRY(jd_sweep_restore(w->sweep, i, (const unsigned char *)bytes));
        if (w->options->finished) JD_TRY(w->options->finished(w->options->user, w->sweep, i));
    }
    return JD_OK;
}

jd_status ranks_sweep(call *c, jd_sweep *sweep, const jd_sweep_options *options, bool *complete) {
    line_work w = {.call = c, .sweep = sweep, .options = options};
    const spread_work work = {.what = "sweep",
                              .n = jd_sweep_lines(sweep),
                              .identity = jd_sweep_identity(sweep),
                              .is_done = is_done,
                              .compute = compute,
                              .collect = collect,
                              .user = &w};
    bool first;
    return ranks_spread(c, &work, &first, complete);
}
