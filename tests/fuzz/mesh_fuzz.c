// mesh_fuzz.c -- meshes (input files, universal files, tables): hostile texts are read as nodes
// that ascend and elements and sets of them, or refused by name and line.
#include "fuzz.h"

#include <math.h>

#include "structure/matrices/mesh.h"

const char *const fuzz_words[] = {"*NODE\n",
                                  "*NODE, NSET=A\n",
                                  "*NSET, NSET=A\n",
                                  "*NSET, NSET=B, GENERATE\n",
                                  "*ELEMENT, TYPE=C3D8\n",
                                  "*ELEMENT, TYPE=B32R\n",
                                  "*ELEMENT, TYPE=X\n",
                                  "1, 2, 3, 4\n",
                                  "1, 2147483647, 1\n",
                                  "A, B,\n",
                                  "** c\n",
                                  "*",
                                  "=",
                                  ",",
                                  "    -1\n",
                                  "    15\n",
                                  "  2411\n",
                                  "  2412\n",
                                  "   58b\n",
                                  "         1       115         1         1         7         8\n",
                                  "         1        24         1         1         7         3\n",
                                  "         1         1         1        11\n",
                                  "   1.0000000000000000D+00   0.0   1e308\n",
                                  "1e999",
                                  "99999999999",
                                  "node,x,y,z\n",
                                  FUZZ_COLUMN_WORDS,
                                  NULL};

static jd_status read_mesh(jd_arena *arena, const char *path) {
    jd_mesh m;
    JD_TRY(jd_mesh_read(arena, path, &m));
    demand(m.n > 0, "a mesh without nodes");
    for (int i = 0; i < m.n; i++) {
        demand(i == 0 || m.node[i] > m.node[i - 1], "nodes that do not ascend");
        for (int d = 0; d < 3; d++) demand(isfinite(m.at[3 * i + d]), "a place that is not finite");
    }
    for (int e = 0; e < m.cells.n; e++)
        demand(m.cells.start[e] <= m.cells.start[e + 1], "elements that overlap");
    for (int i = 0; i < m.cells.start[m.cells.n]; i++)
        demand(m.cells.node[i] >= 0 && m.cells.node[i] < m.n, "a node that is not there");
    for (int s = 0; s < m.n_set; s++)
        for (int i = 0; i < m.set[s].n; i++)
            demand(jd_mesh_find(&m, m.set[s].node[i]) >= 0, "a member that is not there");
    return JD_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(data, size, read_mesh);
    return 0;
}
