// chain.h -- modes of a piece of the rod that slides: a uniform chain, fixed or free at its ends.
//   Closed forms with m the mass of a node, c/h the rate, j and k from 0:
//     fixed, fixed   sqrt(2/((n+1)m)) sin(pi (j+1)(k+1)/(n+1)),  omega = 2c/h sin(pi (k+1)/(2n+2))
//     free, fixed    sqrt(2/(n m)) cos(pi j (2k+1)/(2n)),        omega = 2c/h sin(pi (2k+1)/(4n))
//     free, free     sqrt(2/((n-1)m)) cos(pi j k/(n-1)),         omega = 2c/h sin(pi k/(2n-2))
//                    (first and last times sqrt(1/2))
//   A free end carries half a mass. No eigenvalue problem is solved.
#ifndef JD_MODE_MATCHING_CHAIN_H
#define JD_MODE_MATCHING_CHAIN_H

#include "engine/semi/semi.h"

typedef struct jd_chain_modes {
    int n, stride;
    int ends;        // bit 0: free at its first node, bit 1: free at its last
    double *shape;   // n rows of stride: mode k at every node
    double *omega;   // n [rad/s]
    double *turn[2]; // cos(omega d) and sin(omega d)/omega of the usual step d
    long used;       // when it was used last
    jd_arena *arena; // its own memory
} jd_chain_modes;

// Modes by length and ends, kept as long as there is room.
typedef struct jd_chain_cache {
    jd_context *context;
    double mass, rate, step; // m, c/h, d
    int n_entry, room;
    jd_chain_modes **entry;
    size_t bytes, most; // kept, and allowed to be kept
    long clock, made;
} jd_chain_cache;

jd_status jd_chain_cache_create(jd_arena *arena, const jd_semi *semi, double step,
                                jd_chain_cache *out);
void jd_chain_cache_free(jd_chain_cache *cache);
// The modes of n nodes with such ends; NULL: out of memory. `keep` modes used last are never
// thrown away.
const jd_chain_modes *jd_chain_find(jd_chain_cache *cache, int n, int ends, long keep);

#endif
