// hash.h -- FNV-1a over bytes, 64 bits: tells problems, states and sweeps apart.
#ifndef JD_BASE_HASH_H
#define JD_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

static const uint64_t jd_hash_start = 0xcbf29ce484222325u;

static inline uint64_t jd_hash(uint64_t h, const void *bytes, size_t n) {
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++) h = (h ^ b[i]) * 0x100000001b3u;
    return h;
}

#endif
