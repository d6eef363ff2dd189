// journal.c -- append-only file of checksummed pieces: open, read back, add, remove.
#include "result/file/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"

enum { HEADER = 40, EXTRA = 8, VERSION = 1 }; // EXTRA: number before, checksum after a piece

struct jd_journal {
    jd_context *context;
    jd_arena *arena;
    jd_journal_def def;
    int fd;
    unsigned char *piece; // number, bytes, checksum
    size_t length;        // of that
    off_t end;            // of the last whole piece
    time_t synced;
};

// CRC-32 (polynomial 0xEDB88320, as in zip and png).
static uint32_t checksum(const unsigned char *bytes, size_t n) {
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

static const unsigned char magic[8] = {'J', 'D', 'J', 'O', 'U', 'R', 'N', '\n'};

static void make_header(const jd_journal_def *d, unsigned char out[HEADER]) {
    const uint32_t order = 0x01020304u, version = VERSION, count = d->count;
    const uint64_t size = d->size;
    memset(out, 0, HEADER);
    memcpy(out, magic, sizeof magic);
    memcpy(out + 8, &order, 4);
    memcpy(out + 12, &version, 4);
    memcpy(out + 16, &d->identity, 8);
    memcpy(out + 24, &size, 8);
    memcpy(out + 32, &count, 4);
    uint32_t sum = checksum(out, HEADER - 4);
    memcpy(out + HEADER - 4, &sum, 4);
}

static jd_status cannot(jd_journal *j, jd_status status, const char *what) {
    return jd_fail(j->context, status, "cannot %s `%s`: %s", what, j->def.path, strerror(errno));
}

static jd_status refuse(jd_journal *j, const char *why) {
    jd_fail(j->context, JD_BAD_RESULT_FILE, "`%s` %s", j->def.path, why);
    jd_fail_where(j->context, "%s", j->def.path);
    jd_fail_hint(j->context, "--restart throws it away and begins the %s anew", j->def.work);
    return JD_BAD_RESULT_FILE;
}

// All n bytes, or fewer at the end of the file; -1 on an error.
static ssize_t read_all(int fd, unsigned char *out, size_t n) {
    size_t got = 0;
    while (got < n) {
        ssize_t k = read(fd, out + got, n - got);
        if (k < 0 && errno == EINTR) continue;
        if (k < 0) return -1;
        if (k == 0) break;
        got += (size_t)k;
    }
    return (ssize_t)got;
}

static bool write_all(int fd, const unsigned char *bytes, size_t n) {
    while (n > 0) {
        ssize_t k = write(fd, bytes, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        bytes += k;
        n -= (size_t)k;
    }
    return true;
}

// One writer at a time; the lock goes with the process, however it ends.
static jd_status lock(jd_journal *j) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(j->fd, F_SETLK, &whole) == 0) return JD_OK;
    if (errno != EACCES && errno != EAGAIN) return JD_OK; // a file system without locks
    jd_fail(j->context, JD_CANNOT_WRITE, "another judder is writing `%s`", j->def.path);
    jd_fail_hint(j->context, "wait for it, or choose another output file");
    return JD_CANNOT_WRITE;
}

static jd_status begin(jd_journal *j) {
    unsigned char header[HEADER];
    make_header(&j->def, header);
    if (ftruncate(j->fd, 0) != 0 || lseek(j->fd, 0, SEEK_SET) != 0 ||
        !write_all(j->fd, header, HEADER))
        return cannot(j, JD_CANNOT_WRITE, "write");
    j->end = HEADER;
    return JD_OK;
}

static jd_status read_pieces(jd_journal *j) {
    const size_t size = j->def.size;
    for (long k = 1;; k++) {
        ssize_t got = read_all(j->fd, j->piece, j->length);
        if (got < 0) return cannot(j, JD_CANNOT_READ, "read");
        if ((size_t)got < j->length) return JD_OK; // the end, or a torn piece
        uint32_t number, sum;
        memcpy(&number, j->piece, 4);
        memcpy(&sum, j->piece + 4 + size, 4);
        if (sum != checksum(j->piece, 4 + size) || number >= j->def.count ||
            j->def.take(j->def.user, number, j->piece + 4) != JD_OK) {
            char why[80];
            snprintf(why, sizeof why, "is damaged: record %ld is not what was written", k);
            return refuse(j, why);
        }
        j->end += (off_t)j->length;
    }
}

// What is there already: nothing, a header cut short, other work, damage, or pieces of this work.
static jd_status take_up(jd_journal *j) {
    unsigned char wanted[HEADER], found[HEADER];
    make_header(&j->def, wanted);
    ssize_t got = read_all(j->fd, found, HEADER);
    if (got < 0) return cannot(j, JD_CANNOT_READ, "read");
    if (got < HEADER && memcmp(found, wanted, (size_t)got) == 0) return begin(j);
    if (got < 8 || memcmp(found, wanted, 8) != 0) return refuse(j, "is not a journal of Judder");
    uint32_t sum;
    memcpy(&sum, found + HEADER - 4, 4);
    if (got < HEADER || memcmp(found + 8, wanted + 8, 4) != 0 || sum != checksum(found, HEADER - 4))
        return refuse(j, "is damaged: its header is not what was written");
    if (memcmp(found, wanted, HEADER) != 0)
        return refuse(j, "belongs to another model, to other values, or to another version");
    j->end = HEADER;
    JD_TRY(read_pieces(j));
    if (ftruncate(j->fd, j->end) != 0 || lseek(j->fd, j->end, SEEK_SET) < 0)
        return cannot(j, JD_CANNOT_WRITE, "write");
    return JD_OK;
}

static jd_status open_file(jd_journal *j) {
    struct stat info;
    j->fd = open(j->def.path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (j->fd < 0) return cannot(j, JD_CANNOT_WRITE, "write");
    if (fstat(j->fd, &info) != 0 || !S_ISREG(info.st_mode)) return refuse(j, "is not a file");
    JD_TRY(lock(j));
    return j->def.restart ? begin(j) : take_up(j);
}

jd_status jd_journal_open(jd_context *context, const jd_journal_def *def, jd_journal **out) {
    *out = NULL;
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_journal *j = JD_TAKE(arena, jd_journal, 1);
    size_t length = def->size + EXTRA;
    unsigned char *piece = JD_TAKE(arena, unsigned char, length);
    char *path = jd_arena_text(arena, def->path);
    jd_status s = jd_arena_status(arena);
    if (s == JD_OK) {
        *j = (jd_journal){.context = context, .arena = arena, .def = *def, .fd = -1};
        j->def.path = path;
        j->piece = piece;
        j->length = length;
        s = open_file(j);
        if (s != JD_OK && j->fd >= 0) close(j->fd);
    }
    if (s == JD_OK)
        *out = j;
    else
        jd_arena_free(arena);
    return s;
}

// Whole or not at all: what could be written in part is taken back.
jd_status jd_journal_add(jd_journal *j, uint32_t number, const unsigned char *bytes) {
    memcpy(j->piece, &number, 4);
    memcpy(j->piece + 4, bytes, j->def.size);
    uint32_t sum = checksum(j->piece, 4 + j->def.size);
    memcpy(j->piece + 4 + j->def.size, &sum, 4);
    if (!write_all(j->fd, j->piece, j->length)) {
        jd_status s = cannot(j, JD_CANNOT_WRITE, "write");
        if (ftruncate(j->fd, j->end) == 0) lseek(j->fd, j->end, SEEK_SET);
        return s;
    }
    j->end += (off_t)j->length;
    time_t now = time(NULL); // against a power cut; a killed program needs no sync
    if (now != j->synced) fdatasync(j->fd);
    j->synced = now;
    return JD_OK;
}

void jd_journal_close(jd_journal *j, bool remove_it) {
    if (!j) return;
    if (remove_it) unlink(j->def.path);
    close(j->fd);
    jd_arena_free(j->arena);
}
