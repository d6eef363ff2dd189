// pieces.c -- long work with its journal: taken up where it was, kept piece by piece.
#include "pieces.h"

static jd_status take(void *user, uint32_t number, const unsigned char *bytes) {
    keeper *k = user;
    k->restored += !k->pieces->is_done(k->pieces->user, (int)number);
    return k->pieces->restore(k->pieces->user, (int)number, bytes);
}

jd_status keeper_put(keeper *k, int piece, const unsigned char *bytes) {
    if (!k->journal) return JD_OK;
    k->kept++;
    return jd_journal_add(k->journal, (uint32_t)piece, bytes);
}

static jd_status keep(void *user, int piece) {
    keeper *k = user;
    if (!k->journal) return JD_OK;
    k->pieces->pack(k->pieces->user, piece, k->bytes);
    return keeper_put(k, piece, k->bytes);
}

jd_status keeper_open(call *c, const pieces *p, bool restart, keeper *out) {
    *out = (keeper){.call = c, .pieces = p};
    if (!c->output) return JD_OK;
    const char *path = jd_arena_format(c->arena, "%s.journal", c->output);
    out->bytes = JD_TAKE(c->arena, unsigned char, p->size);
    if (!path || !out->bytes) return out_of_memory(c);
    const jd_journal_def def = {.path = path,
                                .work = p->work,
                                .identity = p->identity,
                                .count = (uint32_t)p->n,
                                .size = p->size,
                                .restart = restart,
                                .take = take,
                                .user = out};
    return jd_journal_open(c->context, &def, &out->journal);
}

jd_status keeper_run(keeper *k, bool *complete) {
    const pieces *p = k->pieces;
    const pieces_ask all = {.n = p->n, .finished = keep, .keeper = k};
    report_listen();
    jd_status s =
        k->call->spread ? k->call->spread->run(k, complete) : p->run(p->user, &all, complete);
    report_progress_end(k->call);
    return s;
}

void keeper_close(keeper *k, bool done) {
    jd_journal_close(k->journal, done || k->restored + k->kept == 0);
}
