// free_interface.c -- the lowest modes of the free structure, completed by static shapes.
//   Modes left out are stiff but not rigid: under a force at point b they give way by
//   r_b = sum over them of phi_k phi_k(b)/omega_k^2 = K^-1 b less the share of the modes kept.
//   The shapes r_b of the interface, made modes of their own (Ritz), have that flexibility: the
//   deflection under lasting forces is exact, whatever number of modes is kept.
//   At the frequency omega below the last one kept, omega_n, the flexibility of a point is off by
//   at most (1 - share) x^2/(1 - x) of its static value, x = (omega/omega_n)^2: value and slope
//   over omega^2 are right at 0, and all poles of both lie above omega_n.
#include <math.h>
#include <string.h>

#include "linalg/sparse/product.h"
#include "linalg/sparse/residual.h"
#include "linalg/sparse/ritz.h"
#include "structure/matrices/reduction.h"

static const double dependent = 1e-12; // of the flexibility of a shape
static const double nothing = 1e-13;   // of the flexibility of a point: the modes kept have it all
static const double missed = 0.999;    // static share below which modes alone are warned of
static const double close_by = 0.01;   // error of the flexibility for which the range is told
enum { NAMED = 6 };                    // points in a text

typedef struct completion {
    jd_reduced *r;
    int n_kept;
    double *shape;       // n_face rows of n, behind the modes
    bool made;           // the shapes are there
    double *flexibility; // n_face x n_face: of the modes left out
    double *extra;       // mass added to modes and shapes
    double *worth;       // n_face: the share of each on the diagonal; 0: nothing to gain
    int n_chosen;
    bool *chosen; // n_face
} completion;

static double kept_flexibility(const jd_reduced *r, int n_kept, int point) {
    double sum = 0;
    for (int k = 0; k < n_kept; k++) {
        double phi = jd_reduced_seen(r, point, r->vector + (size_t)k * (size_t)r->K->n);
        if (r->omega2[k].hi > 0) sum += phi * phi / r->omega2[k].hi;
    }
    return sum;
}

// The shapes of the interface, less the share of the modes in `vector`.
static jd_status make_shapes(completion *c, const double *vector, jd_factor *shifted) {
    jd_reduced *r = c->r;
    size_t n = (size_t)r->K->n;
    jd_arena_mark mark = jd_arena_here(r->arena);
    double *load = JD_TAKE(r->arena, double, n);
    jd_complement left = {r->K, r->M, c->n_kept, vector, shifted};
    jd_status status = jd_arena_status(r->arena);
    for (int i = 0; status == JD_OK && i < r->n_face; i++) {
        jd_progress(jd_arena_context(r->arena), "static shapes", (double)i / r->n_face);
        jd_reduced_load(r, r->face[i], 1, load);
        status = jd_residual_shape(r->arena, &left, load, c->shape + (size_t)i * n);
        jd_reduced_load(r, r->face[i], 0, load);
    }
    jd_arena_back(r->arena, mark);
    c->made = status == JD_OK;
    return status;
}

// While the factor of the modes is there. What does not converge is tried once more when they are
// known, and told then.
static jd_status make_at_hand(void *user, const double *vector, jd_factor *shifted) {
    completion *c = user;
    jd_status status = make_shapes(c, vector, shifted);
    if (status != JD_NO_CONVERGENCE) return status;
    jd_context_clear_error(jd_arena_context(c->r->arena));
    return JD_OK;
}

static jd_status find_shapes(completion *c) {
    jd_reduced *r = c->r;
    if (!c->made && !r->shifted)
        JD_TRY(jd_reduced_factor(r->arena, r->K, r->M, r->omega2[c->n_kept - 1].hi, &r->shifted));
    if (!c->made) JD_TRY(make_shapes(c, r->vector, r->shifted));
    for (int i = 0; i < r->n_face; i++) {
        int point = r->face[i];
        const double *shape = c->shape + (size_t)i * (size_t)r->K->n;
        for (int j = 0; j < r->n_face; j++)
            c->flexibility[i * r->n_face + j] = jd_reduced_seen(r, r->face[j], shape);
        double kept = kept_flexibility(r, c->n_kept, point);
        double rest = fmax(jd_reduced_seen(r, point, shape), 0);
        r->share[i] = kept + rest > 0 ? kept / (kept + rest) : 1;
    }
    return JD_OK;
}

// Takes the shape `best` out of all others.
static void eliminate(double *F, int m, int best) {
    for (int i = 0; i < m; i++) {
        if (i == best) continue;
        double factor = F[i * m + best] / F[best * m + best];
        for (int j = 0; j < m; j++)
            if (j != best) F[i * m + j] -= factor * F[best * m + j];
    }
}

// Shapes that are no combination of others: Cholesky with the largest pivot first.
static void choose(completion *c) {
    int m = c->r->n_face;
    double *F = c->flexibility, *worth = c->worth;
    for (int i = 0; i < m; i++) worth[i] = 1 - c->r->share[i] > nothing ? fmax(F[i * m + i], 0) : 0;
    for (;;) {
        int best = -1;
        for (int i = 0; i < m; i++)
            if (worth[i] > 0 && F[i * m + i] > dependent * worth[i] &&
                (best < 0 || F[i * m + i] / worth[i] > F[best * m + best] / worth[best]))
                best = i;
        if (best < 0 || c->n_chosen == c->r->K->n - c->n_kept) return; // what more is rounding
        eliminate(F, m, best);
        worth[best] = 0;
        c->chosen[best] = true;
        c->n_chosen++;
    }
}

// The chosen shapes with unit mass, one behind the other. A singular M may leave a shape (nearly)
// without mass: it gets that with which it would have the frequency 1e4 omega_n.
static void gather(completion *c) {
    jd_reduced *r = c->r;
    size_t n = (size_t)r->K->n;
    double *to = c->shape, *extra = c->extra + c->n_kept;
    double highest = 1e8 * r->omega2[c->n_kept - 1].hi;
    for (int i = 0; i < r->n_face; i++) {
        const double *shape = c->shape + (size_t)i * n;
        if (!c->chosen[i]) continue;
        double norm = jd_sparse_norm(r->M, shape), energy = jd_reduced_seen(r, r->face[i], shape);
        bool light = highest > 0 && norm * norm * highest < energy;
        if (light) norm = sqrt(energy / highest);
        *extra++ = light;
        for (size_t k = 0; k < n; k++) to[k] = norm > 0 ? shape[k] / norm : shape[k];
        to += n;
    }
}

// Modes of the space of modes and shapes.
static jd_status join(completion *c) {
    jd_reduced *r = c->r;
    int rigid = 0;
    while (rigid < c->n_kept && r->omega2[rigid].hi == 0) rigid++;
    gather(c);
    for (int i = 0; i < c->n_chosen; i++)
        r->error[c->n_kept + i] = 0x1p-50; // of the shape as it is
    r->n = c->n_kept + c->n_chosen;
    r->n_static = c->n_chosen;
    jd_ritz ritz = {r->n, rigid, r->vector, c->extra, r->omega2, r->n_point, r->at, r->row};
    return jd_ritz_modes(r->arena, r->K, r->M, &ritz);
}

static void take_rows(jd_reduced *r) {
    for (int i = 0; i < r->n_point; i++)
        for (int k = 0; k < r->n; k++)
            r->row[(size_t)i * (size_t)r->n + (size_t)k] =
                dd(r->vector[(size_t)k * (size_t)r->K->n + (size_t)r->at[i]]);
}

// "tip 75 %, mid 92 %"
static const char *shares(const jd_reduced *r) {
    const char *text = "";
    for (int i = 0; i < r->n_face && i < NAMED && text; i++)
        text = jd_arena_format(r->arena, "%s%s%s %.4g %%", text, i ? ", " : "",
                               r->name[r->face[i]] ? r->name[r->face[i]] : "supports",
                               100 * r->share[i]);
    if (r->n_face > NAMED && text) text = jd_arena_format(r->arena, "%s, ...", text);
    return text ? text : "";
}

static double smallest_share(const jd_reduced *r) {
    double least = 1;
    for (int i = 0; i < r->n_face; i++) least = fmin(least, r->share[i]);
    return least;
}

// omega/omega_n up to which (1 - share) x^2/(1 - x) <= close_by.
static double range(double share) {
    double q = close_by / fmax(1 - share, 1e-300);
    return sqrt(2 / (1 + sqrt(1 + 4 / q)));
}

static void describe(completion *c) {
    jd_reduced *r = c->r;
    r->text = jd_arena_format(
        r->arena,
        "and %d static shape%s (free interface; static flexibility of the modes alone: %s; with "
        "the shapes exact, and within %.0f %% up to %.2g ω%d)",
        c->n_chosen, c->n_chosen == 1 ? "" : "s", shares(r), 100 * close_by,
        range(smallest_share(r)), c->n_kept);
}

static void warn(jd_reduced *r) {
    if (smallest_share(r) >= missed) return;
    jd_log(jd_arena_context(r->arena), JD_LOG_WARNING,
           "the modes kept have only a part of the static flexibility (%s): contacts there are too "
           "stiff; `reduction: free-interface` adds what is missing",
           shares(r));
    r->text =
        jd_arena_format(r->arena, "without static shapes (static flexibility: %s)", shares(r));
}

// A force that moves a rigid body whose motion is not kept has no static deflection.
static jd_status name_failure(const completion *c, jd_status status) {
    int nullity = 0;
    if (status != JD_NO_CONVERGENCE) return status;
    JD_TRY(jd_matrices_nullity(c->r->arena, c->r->K, c->n_kept, &nullity));
    if (nullity <= c->n_kept) return status;
    jd_context *context = jd_arena_context(c->r->arena);
    jd_fail(context, JD_OUT_OF_RANGE,
            "`modes` is %d, but the structure has %d rigid-body modes, which must all be kept",
            c->n_kept, nullity);
    jd_fail_hint(context, "set `modes` to %d or more", nullity);
    return JD_OUT_OF_RANGE;
}

static jd_status complete(completion *c, bool join_them) {
    jd_reduced *r = c->r;
    size_t faces = (size_t)r->n_face;
    c->flexibility = JD_TAKE(r->arena, double, faces *faces);
    c->extra = JD_TAKE(r->arena, double, (size_t)c->n_kept + faces);
    c->worth = JD_TAKE(r->arena, double, faces);
    c->chosen = JD_TAKE(r->arena, bool, faces);
    JD_TRY(jd_arena_status(r->arena));
    JD_TRY(name_failure(c, find_shapes(c)));
    if (!join_them) {
        warn(r);
        return JD_OK;
    }
    choose(c);
    if (c->n_chosen == 0) return JD_OK;
    JD_TRY(join(c));
    describe(c);
    return JD_OK;
}

jd_status jd_reduce_free(jd_reduced *r, int n_mode, bool join_them) {
    JD_TRY(jd_reduced_room(r, n_mode + r->n_face));
    double *lambda = JD_TAKE(r->arena, double, n_mode);
    JD_TRY(jd_arena_status(r->arena));
    completion c = {
        .r = r, .n_kept = n_mode, .shape = r->vector + (size_t)n_mode * (size_t)r->K->n};
    const jd_eigen_use use = {make_at_hand, &c};
    JD_TRY(jd_matrices_modes(r->arena, r->K, r->M, r->fewer, &n_mode, lambda, r->vector, r->error,
                             NULL, r->n_face > 0 ? &use : NULL));
    for (int k = 0; k < n_mode; k++) r->omega2[k] = dd(lambda[k]);
    r->n = c.n_kept = n_mode;
    c.shape = r->vector + (size_t)n_mode * (size_t)r->K->n;
    if (n_mode < r->K->n && r->n_face > 0) JD_TRY(complete(&c, join_them));
    if (r->n_static == 0) take_rows(r);
    jd_reduced_rows(r);
    return jd_arena_status(r->arena);
}
