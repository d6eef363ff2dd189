// pieces.h -- long work in pieces, each known as bytes: kept in a journal, spread over processes.
#ifndef JD_CLI_PIECES_H
#define JD_CLI_PIECES_H

#include <stdint.h>

#include "command.h"
#include "result/file/journal.h"

// What is to be computed now.
typedef struct pieces_ask {
    int first, n; // pieces; all of the work unless it is spread
    bool pass_on; // `finished` takes them, they need not be kept
    // To be called once for each piece as it is finished, never by two threads at once.
    jd_status (*finished)(void *keeper, int piece);
    void *keeper;
} pieces_ask;

// The work, as every process of the command line knows it.
typedef struct pieces {
    const char *work;  // for messages and progress: "sweep"
    int n, each;       // pieces; `each` neighbours, from a multiple of it on, are computed together
    size_t size;       // bytes of a piece
    uint64_t identity; // equal for equal work
    bool (*is_done)(void *user, int piece); // done, or not to be done
    jd_status (*run)(void *user, const pieces_ask *ask, bool *complete);
    void (*pack)(void *user, int piece, unsigned char *out); // at least while it is `finished`
    jd_status (*restore)(void *user, int piece, const unsigned char *bytes);
    void *user;
} pieces;

// The pieces of a call with their journal; the journal is NULL where no result file is asked for.
typedef struct keeper {
    call *call;
    const pieces *pieces;
    jd_journal *journal;
    unsigned char *bytes; // of one piece
    int restored, kept;   // pieces found in the journal, and put there
} keeper;

// Opens FILE.journal beside the result file, if there is one, and takes up what is in it.
jd_status keeper_open(call *c, const pieces *p, bool restart, keeper *out);
// Computes what is missing, in this process or in all of them; every finished piece is kept.
jd_status keeper_run(keeper *k, bool *complete);
// Puts a piece of another process into the journal.
jd_status keeper_put(keeper *k, int piece, const unsigned char *bytes);
// Closes the journal. It goes where the work is done, or where nothing was kept.
void keeper_close(keeper *k, bool done);

#endif
