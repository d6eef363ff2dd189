// ranks.c -- rank 0 hands out chunks, the others compute them.
//   to a rank:  chunk {first item, number}; number 0: there are no more
//   to rank 0:  answer: chunk, status, then the bytes of its items, or the reason as text. The
//   first
//               answer of a rank is empty and only asks.
//   Rank 0 sleeps between two looks, so that it takes no processor from the others.
//   A rank that dies is Open MPI's to notice: mpirun then ends all ranks. What was collected is
//   kept where the work has a journal; the same command goes on from there and computes lost chunks
//   again.
#include "mpi/ranks.h"

#include <mpi.h>
#include <stdlib.h>
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
static jd_status join(call *c, const spread_work *w) {
    arrival own = {.ready = 1, .identity = w->identity};
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
    call *call;
    const spread_work *work;
    int next, most;   // item to hand out next; most of a chunk
    int done, wanted; // items
    bool halt;        // hands out nothing more
    jd_status status;
} master;

static bool is_done(const master *m, int item) {
    return m->work->is_done && m->work->is_done(m->work->user, item);
}

// The next items that are not done; none: the rank may go. Returns whether there were any.
static bool hand_out(master *m, int rank) {
    chunk c = {0};
    while (m->next < m->work->n && is_done(m, m->next)) m->next++;
    c.first = m->next;
    while (!m->halt && m->next < m->work->n && c.n < m->most && !is_done(m, m->next)) {
        m->next++;
        c.n++;
    }
    MPI_Send(&c, sizeof c, MPI_BYTE, rank, TAG_CHUNK, MPI_COMM_WORLD);
    return c.n > 0;
}

static void take(master *m, const char *bytes, size_t size) {
    chunk c;
    memcpy(&c, bytes, sizeof c);
    m->halt = m->halt || c.cut;
    if (m->status != JD_OK || c.n == 0 || c.cut) return;
    if (c.status != JD_OK)
        m->status = jd_fail(m->call->context, (jd_status)c.status, "%s", bytes + sizeof c);
    else
        m->status =
            m->work->collect(m->work->user, c.first, c.n, bytes + sizeof c, size - sizeof c);
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
    m->most = m->work->n / ((number_of_ranks() - 1) * CHUNKS);
    if (m->most > LARGEST) m->most = LARGEST;
    if (m->most < 1) m->most = 1;
    for (int i = 0; i < m->work->n; i++) m->wanted += !is_done(m, i);
}

static jd_status lead(call *c, const spread_work *work, bool *complete) {
    master m = {.call = c, .work = work};
    begin(&m);
    for (int left = number_of_ranks() - 1; left > 0;) {
        MPI_Status from;
        if (!await(MPI_ANY_SOURCE, TAG_ANSWER, m.halt ? NULL : report_stop, c, &from)) {
            m.halt = true; // chunks that are out are waited for
            continue;
        }
        take_answer(&m, &from);
        left -= !hand_out(&m, from.MPI_SOURCE);
        if (m.wanted > 0) report_progress(c, work->what, (double)m.done / m.wanted);
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

static void serve(const call *c, const spread_work *work) {
    chunk asked = {0};
    char *bytes = NULL;
    size_t size = 0;
    for (;;) {
        MPI_Status from;
        answer(c, asked, bytes, size);
        free(bytes);
        bytes = NULL;
        size = 0;
        await(0, TAG_CHUNK, NULL, NULL, &from);
        MPI_Recv(&asked, sizeof asked, MPI_BYTE, 0, TAG_CHUNK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (asked.n == 0) return;
        bool cut = false;
        asked.status = (int)work->compute(work->user, asked.first, asked.n, &bytes, &size, &cut);
        asked.cut = cut;
    }
}

jd_status ranks_spread(call *c, const spread_work *work, bool *first, bool *complete) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *first = rank == 0;
    *complete = false;
    JD_TRY(join(c, work));
    if (rank == 0) return lead(c, work, complete);
    serve(c, work);
    return JD_OK;
}
