// ranks.c -- rank 0 hands out chunks, the others compute them.
//   An item is what one thread computes as a whole: a line of a sweep, a case, a start. Its pieces
//   travel as the bytes of the journal: the same bits as on one machine, whoever computes them.
//   to a rank:  chunk {first item, number}; number 0: there are no more
//   to rank 0:  chunk, status, then the bytes of its pieces, or the reason as text. The first
//               answer of a rank is empty and only asks.
//   Rank 0 sleeps between two looks, so that it takes no processor from the others.
//   A rank that dies is Open MPI's to notice: mpirun then ends all ranks. What was collected is
//   kept where the work has a journal; the same command goes on from there and computes lost chunks
//   again.
#include "mpi/ranks.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_CHUNK = 1, TAG_ANSWER = 2, TEXT = 400, CHUNKS = 16, LARGEST = 64 };

// How a rank comes to the meeting.
typedef struct arrival {
    int ready; // 1: to work; 0: it has failed; -1: there is nothing to do
    unsigned long long identity;
    char text[TEXT];
} arrival;

typedef struct chunk {
    int first, n;
    int status, cut; // of an answer; cut: interrupted, without items
} chunk;

// Bytes of pieces in one message, whose length is an int.
static const size_t most_bytes = INT_MAX - sizeof(chunk);

static bool has_met;

// Without memory for a message: all ranks end.
_Noreturn static void give_up(void) {
    MPI_Abort(MPI_COMM_WORLD, EXIT_FILE);
    abort();
}

static int number_of_ranks(void) {
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

static void rest(void) { nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL); }

// Waits for a message without taking the processor; false when `stop` says so before it comes.
static bool await(int source, int tag, bool (*stop)(void *), void *user, MPI_Status *found) {
    for (int there = 0;; rest()) {
        MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, found);
        if (there) return true;
        if (stop && stop(user)) return false;
    }
}

// All ranks, once: everybody learns how the others have come.
static arrival *meet(const arrival *own) {
    int size = number_of_ranks();
    arrival *all = malloc((size_t)size * sizeof *all);
    if (!all) give_up();
    has_met = true;
    MPI_Allgather(own, sizeof *own, MPI_BYTE, all, sizeof *own, MPI_BYTE, MPI_COMM_WORLD);
    return all;
}

void ranks_failed(call *c) {
    if (has_met) return;
    arrival own = {.ready = 0};
    snprintf(own.text, sizeof own.text, "%s", jd_context_error(c->context)->message);
    free(meet(&own));
}

void ranks_leave(void) {
    const arrival own = {.ready = -1};
    if (!has_met) free(meet(&own));
}

// Are all ranks there, with the same work?
static jd_status join(call *c, uint64_t identity) {
    arrival own = {.ready = 1, .identity = identity};
    arrival *all = meet(&own);
    jd_status s = JD_OK;
    for (int i = 0; i < number_of_ranks() && s == JD_OK; i++) {
        if (all[i].ready != 1)
            s = jd_fail(c->context, JD_CANNOT_READ, "rank %d cannot begin: %s", i, all[i].text);
        else if (all[i].identity != own.identity)
            s = jd_fail(c->context, JD_BAD_USAGE,
                        "rank %d has other work: its model, or its version of Judder, differs", i);
    }
    free(all);
    return s;
}

// What rank 0 keeps while it hands out.
typedef struct master {
    keeper *keeper;
    const pieces *work;
    int n;            // items
    int next, most;   // item to hand out next; most of a chunk
    int done, wanted; // items
    bool halt;        // hands out nothing more
    jd_status status;
} master;

static bool is_done(const master *m, int item) {
    const pieces *p = m->work;
    for (int i = 0; i < p->each; i++)
        if (!p->is_done(p->user, item * p->each + i)) return false;
    return true;
}

// The next items that are not done; none: the rank may go. Returns whether there were any.
static bool hand_out(master *m, int rank) {
    chunk c = {0};
    while (m->next < m->n && is_done(m, m->next)) m->next++;
    c.first = m->next;
    while (!m->halt && m->next < m->n && c.n < m->most && !is_done(m, m->next)) {
        m->next++;
        c.n++;
    }
    MPI_Send(&c, sizeof c, MPI_BYTE, rank, TAG_CHUNK, MPI_COMM_WORLD);
    return c.n > 0;
}

// Pieces that are new go into the journal, and then to the work.
static jd_status collect(const master *m, const chunk *c, const char *bytes, size_t size) {
    const pieces *p = m->work;
    if (size != (size_t)c->n * (size_t)p->each * p->size)
        return jd_fail(m->keeper->call->context, JD_INTERNAL, "what a rank sent has another size");
    for (int i = c->first * p->each; i < (c->first + c->n) * p->each; i++, bytes += p->size) {
        if (p->is_done(p->user, i)) continue;
        JD_TRY(keeper_put(m->keeper, i, (const unsigned char *)bytes));
        JD_TRY(p->restore(p->user, i, (const unsigned char *)bytes));
    }
    return JD_OK;
}

static void take(master *m, const char *bytes, size_t size) {
    chunk c;
    memcpy(&c, bytes, sizeof c);
    m->halt = m->halt || c.cut;
    if (m->status != JD_OK || c.n == 0 || c.cut) return;
    if (c.status != JD_OK)
        m->status = jd_fail(m->keeper->call->context, (jd_status)c.status, "%s", bytes + sizeof c);
    else
        m->status = collect(m, &c, bytes + sizeof c, size - sizeof c);
    m->halt = m->halt || m->status != JD_OK;
    if (m->status == JD_OK) m->done += c.n;
}

static void take_answer(master *m, const MPI_Status *from) {
    int n;
    MPI_Get_count(from, MPI_BYTE, &n);
    char *bytes = n >= (int)sizeof(chunk) ? malloc((size_t)n) : NULL;
    if (!bytes) give_up();
    MPI_Recv(bytes, n, MPI_BYTE, from->MPI_SOURCE, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    take(m, bytes, (size_t)n);
    free(bytes);
}

static void begin(master *m) {
    m->n = m->work->n / m->work->each;
    m->most = m->n / ((number_of_ranks() - 1) * CHUNKS);
    if (m->most > LARGEST) m->most = LARGEST;
    size_t item = (size_t)m->work->each * m->work->size; // bytes
    if (item > most_bytes / (size_t)(m->most + 1)) m->most = (int)(most_bytes / item);
    if (m->most < 1) m->most = 1;
    for (int i = 0; i < m->n; i++) m->wanted += !is_done(m, i);
}

static jd_status lead(keeper *k, bool *complete) {
    master m = {.keeper = k, .work = k->pieces};
    begin(&m);
    for (int left = number_of_ranks() - 1; left > 0;) {
        MPI_Status from;
        if (!await(MPI_ANY_SOURCE, TAG_ANSWER, m.halt ? NULL : report_stop, k->call, &from)) {
            m.halt = true; // chunks that are out are waited for
            continue;
        }
        take_answer(&m, &from);
        left -= !hand_out(&m, from.MPI_SOURCE);
        if (m.wanted > 0) report_progress(k->call, m.work->work, (double)m.done / m.wanted);
    }
    *complete = m.status == JD_OK && m.done == m.wanted;
    return m.status;
}

// An answer: the chunk, then its bytes or the reason why there are none.
static void answer(const call *c, chunk asked, const char *bytes, size_t size) {
    const char *text = asked.status == JD_OK ? "" : jd_context_error(c->context)->message;
    if (asked.status != JD_OK) {
        bytes = text;
        size = strlen(text) + 1;
    }
    char *whole = malloc(sizeof asked + size);
    if (!whole) give_up();
    memcpy(whole, &asked, sizeof asked);
    if (size > 0) memcpy(whole + sizeof asked, bytes, size);
    MPI_Send(whole, (int)(sizeof asked + size), MPI_BYTE, 0, TAG_ANSWER, MPI_COMM_WORLD);
    free(whole);
}

// Where the pieces of a chunk are put as they are finished.
typedef struct box {
    const pieces *work;
    int first; // piece
    char *bytes;
} box;

static jd_status put(void *user, int piece) {
    const box *b = user;
    size_t place = (size_t)(piece - b->first) * b->work->size;
    b->work->pack(b->work->user, piece, (unsigned char *)b->bytes + place);
    return JD_OK;
}

// The pieces of the chunk as bytes that the caller frees; of an interrupted one there are none.
static jd_status compute(const call *c, const pieces *p, chunk *asked, char **bytes, size_t *size) {
    box b = {.work = p, .first = asked->first * p->each};
    const pieces_ask some = {
        .first = b.first, .n = asked->n * p->each, .pass_on = true, .finished = put, .keeper = &b};
    bool complete;
    size_t all = (size_t)some.n * p->size;
    *size = 0;
    if (all > most_bytes)
        return jd_fail(c->context, JD_NOT_SUPPORTED,
                       "%d pieces of %zu bytes are more than one message of MPI can hold", some.n,
                       p->size);
    b.bytes = *bytes = calloc(all, 1);
    if (!b.bytes) give_up();
    *size = all;
    JD_TRY(p->run(p->user, &some, &complete));
    asked->cut = !complete;
    return JD_OK;
}

static void serve(const call *c, const pieces *p) {
    chunk asked = {0};
    char *bytes = NULL;
    size_t size = 0;
    for (;;) {
        MPI_Status from;
        answer(c, asked, bytes, size);
        free(bytes);
        bytes = NULL;
        await(0, TAG_CHUNK, NULL, NULL, &from);
        MPI_Recv(&asked, sizeof asked, MPI_BYTE, 0, TAG_CHUNK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (asked.n == 0) return;
        asked.status = (int)compute(c, p, &asked, &bytes, &size);
    }
}

jd_status ranks_run(keeper *k, bool *complete) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *complete = false;
    JD_TRY(join(k->call, k->pieces->identity));
    if (rank == 0) return lead(k, complete);
    serve(k->call, k->pieces);
    return JD_OK;
}
