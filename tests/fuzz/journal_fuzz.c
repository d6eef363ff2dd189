// journal_fuzz.c -- damaged journals of sweeps: what is taken up from one are pieces that were
// written, bit by bit, or the journal is refused by name and left as it is.
//   The input are choices: how many pieces there are, and what happens to the file.
#include "fuzz.h"

#include <sys/stat.h>

#include "result/journal.h"

const char *const fuzz_words[] = {NULL};

enum { PIECE = 24, PIECES = 6 };

static void piece(uint32_t number, unsigned char out[PIECE]) {
    for (uint32_t i = 0; i < PIECE; i++) out[i] = (unsigned char)(number * 37 + i * 11);
}

typedef struct taken {
    int times[PIECES];
} taken;

static jd_status take(void *user, uint32_t number, const unsigned char *bytes) {
    taken *t = user;
    unsigned char wanted[PIECE];
    demand(number < PIECES, "a piece beyond the last");
    piece(number, wanted);
    demand(memcmp(bytes, wanted, PIECE) == 0, "a piece that was never written");
    t->times[number]++;
    return JD_OK;
}

static jd_journal_def journal_def(const char *path, taken *t, bool restart) {
    return (jd_journal_def){.path = path,
                            .work = "sweep",
                            .identity = 42,
                            .count = PIECES,
                            .size = PIECE,
                            .restart = restart,
                            .take = take,
                            .user = t};
}

static size_t write_journal(jd_context *context, const char *path, uint32_t pieces) {
    jd_journal *j = NULL;
    taken t = {0};
    jd_journal_def def = journal_def(path, &t, true);
    demand(jd_journal_open(context, &def, &j) == JD_OK, "no journal");
    for (uint32_t i = 0; i < pieces; i++) {
        unsigned char bytes[PIECE];
        piece(i, bytes);
        demand(jd_journal_add(j, i, bytes) == JD_OK, "no piece");
    }
    jd_journal_close(j, false);
    struct stat info;
    demand(stat(path, &info) == 0, "no journal");
    return (size_t)info.st_size;
}

static size_t damage(choices *c, unsigned char *bytes, size_t size) {
    size_t at = choose(c, (uint32_t)size);
    switch (choose(c, 5)) {
    case 0: // cut short
        return at;
    case 1: // a block the disk lost
        memset(bytes + at, 0, size - at < 16 ? size - at : 16);
        return size;
    case 2: // a piece again
        memcpy(bytes + size, bytes + at, size - at);
        return 2 * size - at;
    default:
        bytes[at] ^= (unsigned char)(1 + choose(c, 255));
        return size;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static fuzz_file file;
    unsigned char bytes[8000], after[8000];
    choices c = {data, data + size};
    jd_context *context = jd_context_create(NULL);
    fuzz_file_write(&file, "", 0);
    size_t n = write_journal(context, file.path, choose(&c, PIECES + 1));
    demand(pread(file.fd, bytes, sizeof bytes, 0) == (ssize_t)n, "no journal");
    for (uint32_t times = size > 1 ? 1 + choose(&c, 2) : 0; times > 0 && n > 0 && n < 1000; times--)
        n = damage(&c, bytes, n);
    fuzz_file_write(&file, bytes, n);
    jd_journal *j = NULL;
    taken t = {0};
    jd_journal_def def = journal_def(file.path, &t, false);
    jd_status s = jd_journal_open(context, &def, &j);
    demand_named(context, s);
    demand((s == JD_OK) == (j != NULL), "status and journal disagree");
    if (s != JD_OK) {
        demand(pread(file.fd, after, sizeof after, 0) == (ssize_t)n && !memcmp(bytes, after, n),
               "a journal that is refused was changed");
    }
    jd_journal_close(j, false);
    jd_context_free(context);
    return 0;
}
