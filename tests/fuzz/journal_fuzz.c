// journal_fuzz.c -- damaged journals of sweeps: what is taken up from one are pieces that were
// written, bit by bit, or the journal is refused by name and left as it is.
//   The input are choices: how many pieces there are, what happens to the file, and (one in four)
//   which of its checksums is right in spite of it: then pieces may be others, but no number is
//   beyond the last.
#include "fuzz.h"

#include "result/file/journal.h"

const char *const fuzz_words[] = {NULL};

enum { PIECE = 24, PIECES = 6, HEADER = 40, RECORD = PIECE + 8 };

static void piece(uint32_t number, unsigned char out[PIECE]) {
    for (uint32_t i = 0; i < PIECE; i++) out[i] = (unsigned char)(number * 37 + i * 11);
}

typedef struct taken {
    bool sealed; // damage may come with right checksums
    int times[PIECES];
} taken;

static jd_status take(void *user, uint32_t number, const unsigned char *bytes) {
    taken *t = user;
    unsigned char wanted[PIECE];
    demand(number < PIECES, "a piece beyond the last");
    piece(number, wanted);
    demand(t->sealed || memcmp(bytes, wanted, PIECE) == 0, "a piece that was never written");
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

typedef struct bytes {
    size_t n;
    unsigned char at[1000]; // doubled twice at most
} bytes;

static void write_journal(jd_context *context, uint32_t pieces, bytes *out) {
    fuzz_file file = {0};
    fuzz_file_write(&file, "", 0);
    jd_journal *j = NULL;
    taken t = {0};
    jd_journal_def def = journal_def(file.path, &t, true);
    demand(jd_journal_open(context, &def, &j) == JD_OK, "no journal");
    for (uint32_t i = 0; i < pieces; i++) {
        unsigned char one[PIECE];
        piece(i, one);
        demand(jd_journal_add(j, i, one) == JD_OK, "no piece");
    }
    jd_journal_close(j, false);
    ssize_t n = pread(file.fd, out->at, sizeof out->at, 0);
    demand(n == (ssize_t)(HEADER + pieces * RECORD), "a journal of another length");
    out->n = (size_t)n;
    close(file.fd);
}

// The journal with so many pieces, written once.
static const bytes *journal(jd_context *context, uint32_t pieces) {
    static bytes kept[PIECES + 1];
    if (kept[pieces].n == 0) write_journal(context, pieces, &kept[pieces]);
    return &kept[pieces];
}

// CRC-32 as in zip, bit by bit: what the checksums of damaged parts would have to be.
static void put_checksum(unsigned char *from, size_t n) {
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < n; i++) {
        crc ^= from[i];
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    crc = ~crc;
    memcpy(from + n, &crc, sizeof crc);
}

// The header, or a record: whatever it holds, its checksum is right.
static void seal(choices *c, bytes *b) {
    if (choose(c, 4) == 0 && b->n >= HEADER) put_checksum(b->at, HEADER - 4);
    size_t records = b->n >= HEADER ? (b->n - HEADER) / RECORD : 0;
    if (records) put_checksum(b->at + HEADER + RECORD * choose(c, (uint32_t)records), RECORD - 4);
}

static void damage(choices *c, bytes *b) {
    size_t at = choose(c, (uint32_t)b->n), rest = b->n - at;
    switch (choose(c, 5)) {
    case 0: // cut short
        b->n = at;
        break;
    case 1: // a block the disk lost
        memset(b->at + at, 0, rest < 16 ? rest : 16);
        break;
    case 2: // a piece again
        memcpy(b->at + b->n, b->at + at, rest);
        b->n += rest;
        break;
    default:
        b->at[at] ^= (unsigned char)(1 + choose(c, 255));
    }
}

static void read_journal(jd_context *context, const bytes *b, bool sealed) {
    static fuzz_file file;
    unsigned char after[sizeof b->at];
    fuzz_file_write(&file, b->at, b->n);
    jd_journal *j = NULL;
    taken t = {.sealed = sealed};
    jd_journal_def def = journal_def(file.path, &t, false);
    jd_status s = jd_journal_open(context, &def, &j);
    demand_named(context, s);
    demand((s == JD_OK) == (j != NULL), "status and journal disagree");
    if (s != JD_OK) {
        demand(pread(file.fd, after, sizeof after, 0) == (ssize_t)b->n &&
                   !memcmp(b->at, after, b->n),
               "a journal that is refused was changed");
    }
    jd_journal_close(j, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    choices c = {data, data + size};
    jd_context *context = jd_context_create(NULL);
    uint32_t kind = choose(&c, 4 * (PIECES + 1));
    const bytes *whole = journal(context, kind / 4);
    bytes b = {.n = whole->n};
    memcpy(b.at, whole->at, whole->n);
    for (uint32_t times = size > 1 ? 1 + choose(&c, 2) : 0; times > 0 && b.n > 0; times--)
        damage(&c, &b);
    bool sealed = size > 1 && kind % 4 == 0;
    if (sealed) seal(&c, &b);
    read_journal(context, &b, sealed);
    jd_context_free(context);
    return 0;
}
