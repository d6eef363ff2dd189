// fuzz_matrix.h -- what every reader of matrices must give: entries within the matrix, finite, and
// labels that ascend; it is assembled, or refused by name.
#ifndef JD_TESTS_FUZZ_MATRIX_H
#define JD_TESTS_FUZZ_MATRIX_H

#include <math.h>

#include "fuzz.h"
#include "structure/matrices/matrix_entries.h"

// Now and then a matrix is asked for by name.
static inline const char *fuzz_name(size_t size) { return size % 4 ? NULL : "KAAX"; }

static inline void fuzz_check_matrix(jd_arena *arena, const jd_matrix_list *m) {
    demand(m->n > 0, "a matrix without rows");
    for (int i = 0; i < m->n_entry; i++)
        demand(m->row[i] >= 0 && m->row[i] < m->n && m->column[i] >= 0 && m->column[i] < m->n &&
                   isfinite(m->value[i]),
               "an entry outside the matrix, or not finite");
    for (int i = 1; m->node && i < m->n; i++)
        demand(m->node[i] > m->node[i - 1] ||
                   (m->node[i] == m->node[i - 1] && m->dof[i] > m->dof[i - 1]),
               "labels that do not ascend");
    if (m->n > 2000) return;
    jd_sparse sparse;
    demand_named(jd_arena_context(arena), jd_matrix_assemble(arena, m, m, "mass", &sparse));
}

#endif
