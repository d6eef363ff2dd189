// sums.c -- mass and centre of a structure by its mass matrix, for people to compare.
//   r_d: all rows of direction d move by 1; m_d = r_d' M r_d, of a whole body the same along x, y,
//   z. t_a: rotation about axis a through the origin; r_y' M t_z = m x_c, and so on around. Rows
//   that are held are not in the files: their mass is not in the sums.
#include <math.h>

#include "structure/matrices/points.h"

static double product(const jd_sparse *M, const double *x, const double *y) {
    double sum = 0;
    for (int j = 0; j < M->n; j++)
        for (int p = M->start[j]; p < M->start[j + 1]; p++)
            sum += x[M->row[p]] * M->value[p] * y[j];
    return sum;
}

typedef struct sums {
    int directions; // along which there are rows
    double mass[3];
    bool placed; // the centre is known
    double centre[3];
} sums;

// m c along direction d: by the rotation that moves direction d + 1 by it, else d + 2 by -it.
static void find_centre(const jd_sparse *M, const jd_dof_map *rows, const jd_mesh *mesh, double *x,
                        double *t, sums *s) {
    s->placed = mesh != NULL;
    for (int d = 0; d < 3 && s->placed; d++) {
        int next = (d + 1) % 3, after = (d + 2) % 3;
        bool first = s->mass[next] > 0;
        int along = first ? next : after, axis = first ? after : next;
        if (!(s->mass[along] > 0)) {
            s->placed = false;
            return;
        }
        jd_dof_rigid(rows, NULL, JD_DOF_X + along, x);
        s->placed = jd_dof_rigid(rows, mesh, JD_DOF_RX + axis, t);
        s->centre[d] = (first ? 1 : -1) * product(M, x, t) / s->mass[along];
    }
}

static const char *mass_words(jd_arena *arena, const sums *s) {
    static const char *const names[] = {"x", "y", "z"};
    const char *text = "";
    double low = HUGE_VAL, high = 0;
    for (int d = 0; d < 3; d++) {
        if (s->mass[d] == 0) continue;
        low = fmin(low, s->mass[d]);
        high = fmax(high, s->mass[d]);
    }
    if (high - low <= 1e-6 * high && s->directions > 1)
        return jd_arena_format(arena, "mass of the rows %.6g", high);
    for (int d = 0; d < 3 && text; d++)
        if (s->mass[d] != 0)
            text = jd_arena_format(arena, "%s%s%.6g along %s", text, *text ? ", " : "", s->mass[d],
                                   names[d]);
    return text ? jd_arena_format(arena, "mass of the rows %s", text) : NULL;
}

jd_status jd_matrices_sums(jd_arena *arena, const jd_sparse *M, const jd_dof_map *rows,
                           const jd_mesh *mesh, const char **text) {
    sums s = {0};
    double *x = JD_TAKE(arena, double, M->n), *t = JD_TAKE(arena, double, M->n);
    *text = NULL;
    JD_TRY(jd_arena_status(arena));
    if (!rows->node) return JD_OK;
    for (int d = 0; d < 3; d++) {
        jd_dof_rigid(rows, NULL, JD_DOF_X + d, x);
        s.mass[d] = product(M, x, x);
        s.directions += s.mass[d] != 0;
    }
    if (s.directions == 0) return JD_OK;
    find_centre(M, rows, mesh, x, t, &s);
    const char *words = mass_words(arena, &s);
    *text = words && s.placed ? jd_arena_format(arena, "%s, centre (%.6g, %.6g, %.6g)", words,
                                                s.centre[0], s.centre[1], s.centre[2])
                              : words;
    return jd_arena_status(arena);
}
