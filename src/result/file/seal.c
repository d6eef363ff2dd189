// seal.c -- length and CRC-64 of a file, eight bytes at a step.
//   CRC-64 as in xz: the remainder of the bits over GF(2) by the polynomial 0x42F0E1EBA9EA3693,
//   lowest bit first. A run of changed bits no longer than 64 is always found, any other change but
//   for one in 2^64. With T_k[b] the remainder of the byte b followed by k zero bytes, eight bytes
//   c xor crc give the next one as xor_k T_(7-k)[c_k].
#include "result/file/seal.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 15, STEP = 8, HALF = 8 };
static const uint64_t polynomial = 0xC96C5795D7870F42u; // the bits from the lowest on
static const unsigned char mark[HALF] = {'\n', 'J', 'D', 'S', 'E', 'A', 'L', '1'};
static const unsigned char hdf5_mark[HALF] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};

typedef struct sum {
    uint64_t table[STEP][256];
    uint64_t crc;
} sum;

static void begin(sum *s) {
    for (uint64_t b = 0; b < 256; b++) {
        uint64_t c = b;
        for (int k = 0; k < 8; k++) c = c >> 1 ^ (c & 1 ? polynomial : 0);
        s->table[0][b] = c;
    }
    for (int k = 1; k < STEP; k++)
        for (int b = 0; b < 256; b++) {
            uint64_t c = s->table[k - 1][b];
            s->table[k][b] = c >> 8 ^ s->table[0][c & 0xFF];
        }
    s->crc = ~(uint64_t)0;
}

static uint64_t little(const unsigned char *p) { // 8 bytes, whatever the order of the machine
    uint64_t out = 0;
    for (int k = HALF - 1; k >= 0; k--) out = out << 8 | p[k];
    return out;
}

static void put_little(uint64_t value, unsigned char *p) {
    for (int k = 0; k < HALF; k++) p[k] = (unsigned char)(value >> 8 * k & 0xFF);
}

static void add(sum *s, const unsigned char *p, size_t n) {
    for (; n >= STEP; n -= STEP, p += STEP) {
        uint64_t c = s->crc ^ little(p), next = 0;
        for (int k = 0; k < STEP; k++) next ^= s->table[STEP - 1 - k][c >> 8 * k & 0xFF];
        s->crc = next;
    }
    for (; n > 0; n--, p++) s->crc = s->crc >> 8 ^ s->table[0][(s->crc ^ *p) & 0xFF];
}

// n bytes from `at` on; fewer at the end of the file, -1 on an error.
static ssize_t read_at(int fd, unsigned char *out, size_t n, uint64_t at) {
    size_t got = 0;
    while (got < n) {
        ssize_t k = pread(fd, out + got, n - got, (off_t)(at + got));
        if (k < 0 && errno == EINTR) continue;
        if (k < 0) return -1;
        if (k == 0) break;
        got += (size_t)k;
    }
    return (ssize_t)got;
}

// The seal of the first `length` bytes; 0, or errno.
static int make(int fd, uint64_t length, unsigned char out[JD_SEAL_SIZE]) {
    unsigned char block[BLOCK];
    sum s;
    begin(&s);
    for (uint64_t at = 0; at < length;) {
        size_t n = length - at < BLOCK ? (size_t)(length - at) : BLOCK;
        ssize_t got = read_at(fd, block, n, at);
        if (got < 0) return errno;
        if (got == 0) return EIO; // it became shorter
        add(&s, block, (size_t)got);
        at += (uint64_t)got;
    }
    memcpy(out, mark, HALF);
    put_little(length, out + HALF);
    add(&s, out, 2 * HALF);
    put_little(~s.crc, out + 2 * HALF);
    return 0;
}

int jd_seal_put(int fd) {
    struct stat info;
    unsigned char seal[JD_SEAL_SIZE];
    if (fstat(fd, &info) != 0) return errno;
    uint64_t length = (uint64_t)info.st_size;
    int number = make(fd, length, seal);
    for (size_t done = 0; number == 0 && done < JD_SEAL_SIZE;) {
        ssize_t n = pwrite(fd, seal + done, JD_SEAL_SIZE - done, (off_t)(length + done));
        if (n < 0 && errno != EINTR) number = errno;
        if (n == 0) number = ENOSPC;
        if (n > 0) done += (size_t)n;
    }
    return number;
}

static jd_status refuse(jd_context *context, const char *path, const char *why, const char *hint) {
    jd_fail(context, JD_BAD_RESULT_FILE, "`%s` %s", path, why);
    jd_fail_hint(context, "%s", hint);
    return JD_BAD_RESULT_FILE;
}

static jd_status cannot(jd_context *context, const char *path, int number) {
    return jd_fail(context, JD_CANNOT_READ, "cannot read `%s`: %s", path, strerror(number));
}

jd_status jd_seal_check(jd_context *context, const char *path, int fd, uint64_t *length) {
    struct stat info;
    unsigned char head[HALF], found[JD_SEAL_SIZE], wanted[JD_SEAL_SIZE];
    static const char again[] = "run the command that made it once more";
    *length = 0;
    if (fstat(fd, &info) != 0) return cannot(context, path, errno);
    if (S_ISDIR(info.st_mode)) return cannot(context, path, EISDIR);
    uint64_t size = (uint64_t)info.st_size;
    ssize_t got = S_ISREG(info.st_mode) ? read_at(fd, head, HALF, 0) : 0;
    if (got < 0) return cannot(context, path, errno);
    if (got < HALF || memcmp(head, hdf5_mark, HALF) != 0)
        return refuse(context, path, "is not a result file of Judder, or is damaged",
                      "result files are what `-o FILE.h5` writes");
    if (size < 2 * JD_SEAL_SIZE || read_at(fd, found, JD_SEAL_SIZE, size - JD_SEAL_SIZE) < 0 ||
        memcmp(found, mark, HALF) != 0)
        return refuse(context, path,
                      "is damaged or not a result file of Judder: the seal at its end is missing",
                      "it was cut short, changed by another program, or written before results had "
                      "a seal; run the command that made it once more");
    *length = size - JD_SEAL_SIZE;
    if (little(found + HALF) != *length)
        return refuse(context, path, "is damaged: it is not as long as it was", again);
    int number = make(fd, *length, wanted);
    if (number) return cannot(context, path, number);
    if (memcmp(found, wanted, JD_SEAL_SIZE) == 0) return JD_OK;
    return refuse(context, path, "is damaged: its checksum is not that of its content", again);
}
