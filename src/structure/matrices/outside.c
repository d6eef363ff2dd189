// outside.c -- what modes and shapes have of the static flexibility of points that are not of the
// interface: have_b = sum of phi_k(b)^2/omega_k^2 beside that of the matrices, b' K^-1 b
// (rigid-body motion apart).
#include <math.h>
#include <string.h>

#include "linalg/sparse/residual.h"
#include "structure/matrices/reduction.h"

static bool is_outside(const jd_reduced *r, int point) {
    for (int i = 0; i < r->n_face; i++)
        if (r->face[i] == point ||
            (!r->load[point] && !r->load[r->face[i]] && r->at[r->face[i]] == r->at[point]))
            return false;
    return true;
}

static double have(const jd_reduced *r, int point) {
    double sum = 0;
    for (int k = 0; k < r->n; k++) {
        double phi = r->row[(size_t)point * (size_t)r->n + (size_t)k].hi;
        if (r->omega2[k].hi > 0) sum += phi * phi / r->omega2[k].hi;
    }
    return sum;
}

static jd_status find_share(const jd_reduced *r, const jd_complement *elastic, int point,
                            double *load, double *x) {
    jd_reduced_load(r, point, 1, load);
    jd_status status = jd_residual_shape(r->arena, elastic, load, x);
    jd_reduced_load(r, point, 0, load);
    double all = jd_reduced_seen(r, point, x);
    if (status == JD_OK) r->outside[point] = all > 0 ? have(r, point) / all : 1;
    return status == JD_NO_CONVERGENCE ? JD_OK : status; // then it is not known
}

jd_status jd_reduced_outside(jd_reduced *r) {
    bool any = false;
    r->outside = JD_TAKE(r->arena, double, r->n_point);
    JD_TRY(jd_arena_status(r->arena));
    for (int i = 0; i < r->n_point; i++) {
        r->outside[i] = (double)NAN;
        any = any || is_outside(r, i);
    }
    if (!any || r->n >= r->K->n) return JD_OK;
    int rigid = 0;
    while (rigid < r->n && r->omega2[rigid].hi == 0) rigid++;
    double first = rigid < r->n ? r->omega2[rigid].hi : 0;
    double *load = JD_TAKE(r->arena, double, r->K->n), *x = JD_TAKE(r->arena, double, r->K->n);
    JD_TRY(jd_arena_status(r->arena));
    if (!r->shifted) JD_TRY(jd_reduced_factor(r->arena, r->K, r->M, first, &r->shifted));
    jd_complement elastic = {r->K, r->M, rigid, r->vector, r->shifted};
    for (int i = 0; i < r->n_point; i++)
        if (is_outside(r, i)) JD_TRY(find_share(r, &elastic, i, load, x));
    return JD_OK;
}
