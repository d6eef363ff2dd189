// journal.h -- finished pieces of long work on disk, so that a killed program loses none of them.
//   header: magic, byte order, version, identity of the work, bytes of a piece, checksum
//   then per piece: number, bytes, checksum. Only ever appended to, each piece by one write: what a
//   killed program leaves is whole but for a torn last piece, which is dropped.
#ifndef JD_RESULT_JOURNAL_H
#define JD_RESULT_JOURNAL_H

#include <stdint.h>

#include "base/fail.h"

typedef struct jd_journal jd_journal;

typedef struct jd_journal_def {
    const char *path;
    const char *work;  // what it is a journal of, for messages: "sweep"
    uint64_t identity; // equal for equal work
    uint32_t count;    // pieces there can be: numbers are below
    size_t size;       // bytes of a piece
    bool restart;      // throw away what is there
    // Called with every piece found.
    jd_status (*take)(void *user, uint32_t number, const unsigned char *bytes);
    void *user;
} jd_journal_def;

// Goes on with the journal at the path, or begins one. JD_BAD_RESULT_FILE when it is damaged or
// belongs to other work: nothing is changed then.
jd_status jd_journal_open(jd_context *context, const jd_journal_def *def, jd_journal **out);
jd_status jd_journal_add(jd_journal *journal, uint32_t number, const unsigned char *bytes);
// Closes it; with `remove` the work is done and the file goes.
void jd_journal_close(jd_journal *journal, bool remove);

#endif
