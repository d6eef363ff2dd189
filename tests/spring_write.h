// spring_write.h -- a spring_model.h as the text of a model file.
//   Damping that the modes do not share: a table of modes, in which every direction of a contact
//   or drive is a point with its shape values. Else matrices, whose points are dofs.
#ifndef JD_TESTS_SPRING_WRITE_H
#define JD_TESTS_SPRING_WRITE_H

#include <stdarg.h>
#include <unistd.h>

#include "spring_model.h"

enum { SPRING_TEXT = 1 << 17 };

typedef struct spring_text {
    const spring_model *s;
    bool matrices;
    real omega2[SPRING_N], damping[SPRING_N], shape[SPRING_N][SPRING_N]; // shape[mode]
    size_t n;
    char text[SPRING_TEXT];
    int first[SPRING_M]; // contact of the model file that each of spring_model.h is part of
    int written;         // contacts of the model file
    char tag[64];        // of matrix files
} spring_text;

__attribute__((format(printf, 2, 3))) static inline void spring_put(spring_text *w, const char *f,
                                                                    ...) {
    va_list list;
    va_start(list, f);
    int n = vsnprintf(w->text + w->n, sizeof w->text - w->n, f, list);
    va_end(list);
    if (n < 0 || w->n + (size_t)n >= sizeof w->text) abort();
    w->n += (size_t)n;
}

// ---- modes

// Cholesky factor of M, M = L L'.
static inline void spring_cholesky(const spring_model *s, real L[SPRING_N][SPRING_N]) {
    memset(L, 0, sizeof(real) * SPRING_N * SPRING_N);
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k <= i; k++) {
            real y = s->M[i][k] - spring_dot(k, L[i], L[k]);
            L[i][k] = i == k ? sqrtl(y) : y / L[k][k];
        }
}

// B := L^-1 B L^-T
static inline void spring_reduce(int n, real L[SPRING_N][SPRING_N], real B[SPRING_N][SPRING_N]) {
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < n; c++)
            for (int i = 0; i < n; i++) {
                for (int k = 0; k < i; k++) B[i][c] -= L[i][k] * B[k][c];
                B[i][c] /= L[i][i];
            }
        for (int i = 0; i < n; i++)
            for (int k = 0; k < i; k++) {
                real y = B[i][k];
                B[i][k] = B[k][i], B[k][i] = y;
            }
    }
}

// Eigenvectors V (columns) of a symmetric B, by Jacobi's rotations; B becomes diagonal.
static inline void spring_jacobi(int n, real B[SPRING_N][SPRING_N], real V[SPRING_N][SPRING_N]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) V[i][k] = i == k;
    for (int sweep = 0; sweep < 60; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (B[p][q] == 0) continue;
                real theta = (B[q][q] - B[p][p]) / (2 * B[p][q]);
                real t = copysignl(1, theta) / (fabsl(theta) + sqrtl(1 + theta * theta));
                real c = 1 / sqrtl(1 + t * t), s = t * c;
                for (int k = 0; k < n; k++) {
                    real x = B[k][p], y = B[k][q];
                    B[k][p] = c * x - s * y, B[k][q] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    real x = B[p][k], y = B[q][k];
                    B[p][k] = c * x - s * y, B[q][k] = s * x + c * y;
                    x = V[k][p], y = V[k][q];
                    V[k][p] = c * x - s * y, V[k][q] = s * x + c * y;
                }
            }
}

// Mass-normalised modes, by frequency; false: the damping couples them.
static inline bool spring_modes(spring_text *w) {
    const spring_model *s = w->s;
    int n = s->n, order[SPRING_N];
    real L[SPRING_N][SPRING_N], K[SPRING_N][SPRING_N], V[SPRING_N][SPRING_N], scale = 0;
    memcpy(K, s->K, sizeof K);
    spring_cholesky(s, L);
    spring_reduce(n, L, K);
    spring_jacobi(n, K, V);
    for (int i = 0; i < n; i++) {
        order[i] = i;
        for (int k = i; k > 0 && K[order[k]][order[k]] < K[order[k - 1]][order[k - 1]]; k--) {
            int y = order[k];
            order[k] = order[k - 1], order[k - 1] = y;
        }
    }
    for (int k = 0; k < n; k++) {
        w->omega2[k] = fmaxl(0, K[order[k]][order[k]]);
        for (int i = n - 1; i >= 0; i--) { // L' shape = V
            real y = V[i][order[k]];
            for (int l = i + 1; l < n; l++) y -= L[l][i] * w->shape[k][l];
            w->shape[k][i] = y / L[i][i];
        }
    }
    for (int i = 0; i < n * n; i++) scale = fmaxl(scale, fabsl(s->C[i / n][i % n]));
    bool apart = true;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            real y = 0;
            for (int i = 0; i < n; i++) y += w->shape[a][i] * spring_dot(n, s->C[i], w->shape[b]);
            if (a == b)
                w->damping[a] = y;
            else
                apart = apart && fabsl(y) <= 1e-15L * scale;
        }
    return apart;
}

// ---- places

static inline void spring_shape(spring_text *w, const char *name, int number, const real *row) {
    spring_put(w, "      %s%d: [", name, number);
    for (int k = 0; k < w->s->n; k++)
        spring_put(w, "%s%.17Lg", k ? ", " : "", spring_dot(w->s->n, row, w->shape[k]));
    spring_put(w, "]\n");
}

static inline void spring_put_modes(spring_text *w) {
    const spring_model *s = w->s;
    spring_put(w, "bodies:\n  b:\n    type: modes\n    omega: [");
    for (int k = 0; k < s->n; k++) spring_put(w, "%s%.17Lg", k ? ", " : "", sqrtl(w->omega2[k]));
    spring_put(w, "]\n    ratio: [");
    for (int k = 0; k < s->n; k++)
        spring_put(w, "%s%.17Lg", k ? ", " : "",
                   w->omega2[k] > 0 ? w->damping[k] / (2 * sqrtl(w->omega2[k])) : 0);
    spring_put(w, "]\n    shapes:\n");
    for (int j = 0; j < s->m; j++) {
        if (s->c[j].friction) spring_shape(w, "t", j, s->c[j].wt);
        if (s->c[j].normal) spring_shape(w, "n", j, s->c[j].wn);
    }
    for (int d = 0; d < s->drives; d++) spring_shape(w, "d", d, s->drive[d].vector);
    spring_shape(w, "f", 0, s->constant);
}

static inline void spring_matrix_file(const spring_text *w, const char *name,
                                      const real A[SPRING_N][SPRING_N]) {
    char path[128];
    int n = w->s->n;
    snprintf(path, sizeof path, "%s-%s.mtx", w->tag, name);
    FILE *f = fopen(path, "w");
    if (!f) abort();
    fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", n, n,
            n * (n + 1) / 2);
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) fprintf(f, "%d %d %.17Lg\n", i + 1, k + 1, A[i][k]);
    if (fclose(f)) abort();
}

static inline void spring_put_matrices(spring_text *w) {
    spring_matrix_file(w, "mass", w->s->M);
    spring_matrix_file(w, "stiffness", w->s->K);
    spring_matrix_file(w, "damping", w->s->C);
    spring_put(w, "bodies:\n  b:\n    type: matrices\n    mass: %s-mass.mtx\n", w->tag);
    spring_put(w,
               "    stiffness: %s-stiffness.mtx\n    damping: {type: matrix, file: "
               "%s-damping.mtx}\n    points:\n",
               w->tag, w->tag);
    for (int i = 0; i < w->s->n; i++) spring_put(w, "      x%d: {node: %d, dof: 1}\n", i, i + 1);
}

static inline void spring_clean(const spring_text *w) {
    static const char *const name[] = {"mass", "stiffness", "damping"};
    for (int i = 0; w->matrices && i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s-%s.mtx", w->tag, name[i]);
        unlink(path);
    }
}

// Name of the direction `row` of a contact: a point of its own, or a dof.
static inline void spring_point(const spring_text *w, const char *kind, int j, const real *row,
                                char *out, size_t size) {
    int at = 0;
    for (int i = 0; i < w->s->n; i++)
        if (row[i] != 0) at = i;
    if (!w->matrices)
        snprintf(out, size, "%s%d", kind, j);
    else
        snprintf(out, size, "x%d", at);
}

// ---- laws

static inline void spring_put_limit(spring_text *w, const spring_contact *c, const char *limit,
                                    const char *hold) {
    if (c->swing != 0)
        spring_put(w, ", %s: {mean: %.17Lg, amplitude: %.17Lg, frequency: %.17Lg, phase: %.17Lg}",
                   limit, c->limit, c->swing * c->limit, c->swing_omega, c->swing_phase);
    else
        spring_put(w, ", %s: %.17Lg", limit, c->limit);
    if (c->hold > c->limit) spring_put(w, ", %s: %.17Lg", hold, c->hold);
}

static inline void spring_put_iwan(spring_text *w, int j, int many) {
    const spring_contact *c = &w->s->c[j];
    spring_put(w, "type: iwan, limit: [");
    for (int i = 0; i < many; i++) spring_put(w, "%s%.17Lg", i ? ", " : "", c[i].limit);
    spring_put(w, "], stiffness: [");
    for (int i = 0; i < many; i++) spring_put(w, "%s%.17Lg", i ? ", " : "", c[i].kt);
    spring_put(w, "]");
}

static inline void spring_put_normal(spring_text *w, const spring_contact *c, bool dry) {
    spring_put(w, ", gap: %.17Lg", c->gap);
    if (c->kn > 0)
        spring_put(w, ", %s: %.17Lg", dry ? "normal_stiffness" : "stiffness", c->kn);
    else
        spring_put(w, ", restitution: %.17Lg", c->e);
    if (c->cn > 0) spring_put(w, ", %s: %.17Lg", dry ? "normal_damping" : "damping", c->cn);
}

static inline void spring_put_law(spring_text *w, int j, int many) {
    const spring_contact *c = &w->s->c[j];
    if (!c->friction) {
        spring_put(w, "type: stop");
        spring_put_normal(w, c, false);
        if (many > 1) spring_put(w, ", sides: both");
    } else if (c->normal) {
        spring_put(w, "type: dry-contact");
        spring_put_limit(w, c, "coefficient", "static_coefficient");
        if (c->kt > 0) spring_put(w, ", tangential_stiffness: %.17Lg", c->kt);
        spring_put_normal(w, c, true);
        if (c->kn <= 0) spring_put(w, ", impact: %s", c->newton ? "newton" : "poisson");
    } else if (many > 1) {
        spring_put_iwan(w, j, many);
    } else {
        bool other = c->source == SPRING_OTHER;
        spring_put(w, "type: coulomb");
        spring_put_limit(w, c, other ? "coefficient" : "limit",
                         other ? "static_coefficient" : "static_limit");
        if (other) spring_put(w, ", normal: c%d", c->other);
        if (c->kt > 0) spring_put(w, ", stiffness: %.17Lg", c->kt);
    }
}

static inline void spring_put_contact(spring_text *w, int j) {
    const spring_contact *c = &w->s->c[j];
    char t[32], n[32];
    int many = 1;
    while (j + many < w->s->m && c[many].joined) many++;
    for (int i = 0; i < many; i++) w->first[j + i] = w->written;
    w->written++;
    spring_point(w, "t", j, c->wt, t, sizeof t);
    spring_point(w, "n", j, c->wn, n, sizeof n);
    spring_put(w, "  c%d:\n    at: ", j);
    if (c->friction && c->normal)
        spring_put(w, "{normal: %s, tangential: %s}", n, t);
    else
        spring_put(w, "%s", c->friction ? t : n);
    if (c->belt != 0) spring_put(w, "\n    against: {velocity: %.17Lg}", c->belt);
    spring_put(w, "\n    law: {");
    spring_put_law(w, j, many);
    spring_put(w, "}\n");
}

// ---- loads and the start

static inline void spring_put_drives(spring_text *w) {
    const spring_model *s = w->s;
    const real quarter = 1.57079632679489661923132169163975144L; // the program's are sines
    bool constant = false;
    for (int i = 0; i < s->n; i++) constant = constant || s->constant[i] != 0;
    if (!s->drives && !constant) return;
    spring_put(w, "drives:\n");
    for (int d = 0; d < s->drives; d++)
        for (int i = 0; i < s->n; i++) {
            char at[32];
            real f = w->matrices ? s->drive[d].vector[i] : i == 0 ? 1 : 0;
            snprintf(at, sizeof at, w->matrices ? "x%d" : "d%d", w->matrices ? i : d);
            if (f == 0) continue;
            spring_put(w,
                       "  d%d_%d: {type: harmonic, at: %s, amplitude: %.17Lg, frequency: "
                       "%.17Lg, phase: %.17Lg}\n",
                       d, i, at, f, s->drive[d].omega, s->drive[d].phase + quarter);
        }
    for (int i = 0; constant && i < s->n; i++) {
        if (w->matrices && s->constant[i] != 0)
            spring_put(w, "  f%d: {type: constant, at: x%d, value: %.17Lg}\n", i, i,
                       s->constant[i]);
        if (!w->matrices && i == 0) spring_put(w, "  f0: {type: constant, at: f0, value: 1}\n");
    }
}

static inline void spring_put_state(spring_text *w, const char *key, const real *x) {
    spring_put(w, ", %s: [", key);
    for (int k = 0; k < w->s->n; k++) {
        real y = 0;
        for (int i = 0; i < w->s->n; i++) y += w->shape[k][i] * spring_dot(w->s->n, w->s->M[i], x);
        spring_put(w, "%s%.17Lg", k ? ", " : "", w->matrices ? x[k] : y);
    }
    spring_put(w, "]");
}

// Forces of slider springs, as they act on the structure.
static inline void spring_put_forces(spring_text *w) {
    const spring_model *s = w->s;
    const char *before = ", force: {";
    for (int j = 0; j < s->m; j++) {
        int many = 1;
        bool any = s->T[j] != 0;
        for (; j + many < s->m && s->c[j + many].joined; many++) any = any || s->T[j + many] != 0;
        if (!any || !s->c[j].friction || s->c[j].kt <= 0 || s->c[j].joined) continue;
        spring_put(w, "%sc%d: [", before, j);
        for (int i = 0; i < many; i++) spring_put(w, "%s%.17Lg", i ? ", " : "", -s->T[j + i]);
        spring_put(w, "]");
        before = ", ";
    }
    if (before[2] != 'f') spring_put(w, "}");
}

// `more`: lines at the end.
static inline void spring_write(const spring_model *s, spring_text *w, const char *more) {
    w->s = s, w->n = 0, w->written = 0;
    snprintf(w->tag, sizeof w->tag, "spring-%d", (int)getpid());
    w->matrices = !spring_modes(w);
    spring_put(w, "judder: 1\n");
    w->matrices ? spring_put_matrices(w) : spring_put_modes(w);
    spring_put(w, "contacts:\n");
    for (int j = 0; j < s->m; j++)
        if (!s->c[j].joined) spring_put_contact(w, j);
    spring_put_drives(w);
    spring_put(w, "start: {type: state, of: %s", w->matrices ? "nodes" : "modes");
    spring_put_state(w, "displacement", s->x);
    spring_put_state(w, "velocity", s->v);
    spring_put_forces(w);
    spring_put(w, "}\nsimulate: {until: %.17Lg}\n%s", s->until, more ? more : "");
}

#endif
