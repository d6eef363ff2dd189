// modes_cache.h -- modes of large matrices, kept in a file beside the stiffness matrix.
#ifndef JD_STRUCTURE_MATRICES_MODES_CACHE_H
#define JD_STRUCTURE_MATRICES_MODES_CACHE_H

#include <stdint.h>

#include "structure/modal.h"

typedef struct jd_modes_cache {
    const char *path; // NULL: nothing is kept
    uint64_t key;     // of everything the modes depend on
} jd_modes_cache;

// Whether modes of this definition may be kept, and under what name.
jd_status jd_modes_cache_open(jd_arena *arena, const jd_matrices_def *def, jd_modes_cache *out);
// Fills modes, points and rows from the file; false: there is none, or not of these matrices.
bool jd_modes_cache_load(const jd_modes_cache *cache, const jd_matrices_def *def, jd_structure *s);
// Writes the file where that is possible; nobody is told where it is not.
void jd_modes_cache_store(jd_arena *arena, const jd_modes_cache *cache, const jd_structure *s);

#endif
