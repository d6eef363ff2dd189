// matrices.c -- a structure from mass and stiffness matrices, in files or in memory.
//   K phi = omega^2 M phi, phi' M phi = 1; participation of a dof = its entry in phi.
//   damping {type: matrix}: Phi' C Phi, full when it couples the modes.
//   Good to eps lambda_max/lambda_k at best: the error of every mode says so.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "structure/classes.h"
#include "structure/discrete/fe.h"
#include "structure/matrices/loads/loads.h"
#include "structure/matrices/matrix_entries.h"
#include "structure/matrices/modes_cache.h"
#include "structure/matrices/points.h"
#include "structure/matrices/reduction.h"

enum { DENSE_LARGEST = 5000 }; // dofs up to which more modes than Lanczos gives are computed
static const double decouples = 1e-13; // of |phi_k|'|C||phi_l|

static const char *const reductions[] = {"free-interface", "craig-bampton", "none", NULL};
static const jd_type *const dampings[] = {&jd_damping_none, &jd_damping_ratio, &jd_damping_rayleigh,
                                          &jd_damping_matrix, NULL};

static const jd_param params[] = {
    {JD_KEY(jd_matrices_def, mass, MATRIX), .unit = "", .required = true,
     .doc = "mass matrix M: a file of CalculiX (.mas), Abaqus, Nastran (DMIG, OUTPUT4), MATLAB or "
            "Matrix Market; {file: F, name: N} where it holds several"},
    {JD_KEY(jd_matrices_def, stiffness, MATRIX), .unit = "", .required = true,
     .doc = "stiffness matrix K, likewise (of CalculiX: .sti)"},
    JD_PARAM_MODES(jd_matrices_def),
    {JD_KEY(jd_matrices_def, points, POINTS), .unit = "",
     .doc = "named points {node: N, dof: D}, without names of rows N is the row; with a mesh also "
            "{near: [x, y, z], set: S, dof: D}; D: 1.., or x y z rx ry rz"},
    {JD_KEY(jd_matrices_def, damping, OBJECT), .unit = "", .preset_text = "none", .types = dampings,
     .doc = "viscous damping of the modes, or a matrix C from a file"},
    {JD_KEY(jd_matrices_def, reduction, CHOICE), .unit = "", .choices = reductions,
     .doc = "how few modes stand for all: with a static shape for each point of the interface; "
            "with the interface held and constraint modes; or alone"},
    {JD_KEY(jd_matrices_def, interface, TEXTS), .unit = "",
     .doc = "names of the points where forces act; default: all points and vectors"},
    {JD_KEY(jd_matrices_def, dofs, FILE), .unit = "",
     .doc = "names of the rows, a line `node dof` each, where the matrices have none"},
    {JD_KEY(jd_matrices_def, mesh, FILE), .unit = "",
     .doc = "coordinates and sets of nodes: input file of Abaqus or CalculiX, universal file, or "
            "lines `node,x,y,z`"},
    {JD_KEY(jd_matrices_def, vectors, FILE), .unit = "",
     .doc = "CSV file of force vectors, used like points: node, dof (or row), and a column for "
            "each, named in the first line; `base`: force by unit acceleration of the supports"},
    {JD_KEY(jd_matrices_def, base, REALS), .unit = "",
     .doc = "direction [x, y, z] of drives `of: base`: dofs 1, 2, 3 move along"},
    {.key = NULL}};

typedef struct model {
    jd_matrix_list list; // of K: its labels hold
    jd_dof_map held;     // rows that were left out
    const jd_mesh *mesh; // NULL: none
    jd_sparse K, M;
    jd_loads loads;
    double *base;   // M r of supports that are driven; NULL: they are not
    jd_points seen; // points and vectors
} model;

// The entries of a matrix with the names of its rows.
static jd_status take_list(jd_arena *arena, const jd_matrices_def *d, const jd_matrix *matrix,
                           const char *key, jd_matrix_list *out) {
    JD_TRY(jd_matrix_take(arena, matrix, key, out));
    return d->dofs ? jd_matrix_name_rows(arena, d->dofs, out) : JD_OK;
}

// A copy in another arena: text and entries of a large file are many times as long as its matrix.
static jd_status keep_matrix(jd_arena *arena, const jd_sparse *A, jd_sparse *out) {
    size_t n = (size_t)A->n + 1, entries = (size_t)A->start[A->n];
    *out = (jd_sparse){A->n, JD_TAKE_RAW(arena, int, n), JD_TAKE_RAW(arena, int, entries),
                       JD_TAKE_RAW(arena, double, entries)};
    JD_TRY(jd_arena_status(arena));
    memcpy(out->start, A->start, n * sizeof *A->start);
    memcpy(out->row, A->row, entries * sizeof *A->row);
    memcpy(out->value, A->value, entries * sizeof *A->value);
    return JD_OK;
}

static jd_status read_into(jd_arena *scratch, jd_arena *arena, const jd_matrices_def *d,
                           const jd_matrix *matrix, const char *key, const model *m,
                           const char *what, jd_sparse *out) {
    jd_matrix_list list;
    jd_sparse A;
    JD_TRY(take_list(scratch, d, matrix, key, &list));
    if (list.read) JD_TRY(jd_matrix_without(scratch, &list, &m->held));
    JD_TRY(jd_matrix_assemble(scratch, &list, &m->list, what, &A));
    return keep_matrix(arena, &A, out);
}

static jd_status read_matrix(jd_arena *arena, const jd_matrices_def *d, const jd_matrix *matrix,
                             const char *key, const model *m, const char *what, jd_sparse *out) {
    jd_arena *scratch = jd_arena_create(jd_arena_context(arena));
    if (!scratch) return JD_OUT_OF_MEMORY;
    jd_status status = read_into(scratch, arena, d, matrix, key, m, what, out);
    jd_arena_free(scratch);
    return status;
}

// The names of the rows of K outlive its entries.
static jd_status keep_names(jd_arena *arena, const jd_matrix_list *list, jd_matrix_list *out) {
    size_t bytes = (size_t)list->n * sizeof *list->node;
    *out = (jd_matrix_list){
        .path = jd_arena_text(arena, list->path), .n = list->n, .counted = list->counted};
    if (list->node) {
        out->node = JD_TAKE_RAW(arena, int, list->n);
        out->dof = JD_TAKE_RAW(arena, int, list->n);
        JD_TRY(jd_arena_status(arena));
        memcpy(out->node, list->node, bytes);
        memcpy(out->dof, list->dof, bytes);
    }
    return jd_arena_status(arena);
}

static jd_status read_stiffness(jd_arena *scratch, jd_arena *arena, const jd_matrices_def *d,
                                model *m) {
    jd_matrix_list list;
    jd_sparse A;
    JD_TRY(take_list(scratch, d, &d->stiffness, "stiffness", &list));
    JD_TRY(jd_matrix_held(arena, &list, &m->held));
    JD_TRY(jd_matrix_without(scratch, &list, &m->held));
    JD_TRY(jd_matrix_assemble(scratch, &list, &list, "the stiffness matrix", &A));
    JD_TRY(keep_names(arena, &list, &m->list));
    return keep_matrix(arena, &A, &m->K);
}

static const char *place_of(const jd_matrix *matrix, const char *key) {
    return matrix->file ? matrix->file : key;
}

// Every row of K needs mass.
static jd_status check_mass_rows(jd_context *context, const model *m, const char *path) {
    for (int j = 0; j < m->M.n; j++) {
        if (m->M.start[j + 1] > m->M.start[j]) continue;
        if (m->list.node)
            jd_fail(context, JD_SIZE_MISMATCH,
                    "node %d dof %d has stiffness, but is not in the mass matrix", m->list.node[j],
                    m->list.dof[j]);
        else
            jd_fail(context, JD_NOT_DEFINITE, "row %d of the mass matrix is empty", j + 1);
        jd_fail_where(context, "%s", path);
        return m->list.node ? JD_SIZE_MISMATCH : JD_NOT_DEFINITE;
    }
    return JD_OK;
}

static jd_status read_model(jd_arena *arena, const jd_matrices_def *d, model *m) {
    jd_context *context = jd_arena_context(arena);
    jd_arena *scratch = jd_arena_create(context);
    if (!scratch) return JD_OUT_OF_MEMORY;
    jd_progress(context, "reading matrices", 0);
    jd_status status = read_stiffness(scratch, arena, d, m);
    jd_arena_free(scratch);
    JD_TRY(status);
    jd_progress(context, "reading matrices", 0.5);
    JD_TRY(read_matrix(arena, d, &d->mass, "mass", m, "the mass matrix", &m->M));
    return check_mass_rows(context, m, place_of(&d->mass, "mass"));
}

static jd_status choose_modes(jd_context *context, int asked, int n_dof, int *n) {
    JD_TRY(jd_fe_choose_modes(context, asked, n_dof, n));
    if (*n <= n_dof / 3 || n_dof <= DENSE_LARGEST) return JD_OK;
    return jd_fail(context, JD_OUT_OF_RANGE,
                   "`modes` is %d: of a structure of %d degrees of freedom at most %d modes are "
                   "computed",
                   *n, n_dof, n_dof / 3);
}

// A definiteness failure belongs to one of the two matrices; the message says which.
static jd_status place_failure(jd_context *context, const jd_matrices_def *d, jd_status status) {
    if (status != JD_NOT_DEFINITE) return status;
    bool mass = strstr(jd_context_error(context)->message, "mass") != NULL;
    jd_fail_where(context, "%s",
                  mass ? place_of(&d->mass, "mass") : place_of(&d->stiffness, "stiffness"));
    if (mass)
        jd_fail_hint(context, "every degree of freedom needs mass; remove those without by static "
                              "condensation first");
    return status;
}

// Says by name how many digits the numbers of the matrices determine.
static void warn_of_lost_digits(jd_context *context, const jd_modal *m) {
    int at = 0;
    for (int k = 1; k < m->n; k++)
        if (m->error[k] > m->error[at]) at = k;
    if (m->error[at] >= 1)
        jd_log(context, JD_LOG_WARNING,
               "mode %d: no digit of its frequency can be computed from these matrices in double "
               "precision",
               at + 1);
    else if (m->error[at] > 1e-9)
        jd_log(context, JD_LOG_WARNING,
               "omega of mode %d is good to %.1g relative only: the last digits of the matrices "
               "decide about it",
               at + 1, m->error[at]);
}

// Vectors of forces; one called `base` is that of the supports.
static jd_status take_loads(jd_arena *arena, const jd_matrices_def *d, model *m) {
    jd_context *context = jd_arena_context(arena);
    if (d->vectors) JD_TRY(jd_loads_read(arena, d->vectors, &m->list, &m->loads));
    for (int i = 0; i < m->loads.n; i++) {
        if (strcmp(m->loads.name[i], "base") != 0) continue;
        if (d->base.n > 0)
            return jd_fail(context, JD_DUPLICATE_NAME,
                           "`base` is given, and also a column of `vectors`");
        m->base = m->loads.value[i];
        m->loads.n--;
        for (int k = i; k < m->loads.n; k++) {
            m->loads.name[k] = m->loads.name[k + 1];
            m->loads.value[k] = m->loads.value[k + 1];
        }
    }
    if (d->base.n > 0) JD_TRY(jd_loads_of_base(arena, &m->list, &m->M, &d->base, &m->base));
    int n = d->points.n;
    jd_point *seen = JD_TAKE(arena, jd_point, n + m->loads.n);
    JD_TRY(jd_arena_status(arena));
    if (n) memcpy(seen, d->points.point, (size_t)n * sizeof *seen);
    for (int i = 0; i < m->loads.n; i++) seen[n + i] = (jd_point){.name = m->loads.name[i]};
    m->seen = (jd_points){n + m->loads.n, seen};
    return JD_OK;
}

// The points of the interface, by number: those that are named, or all. A vector has no dof that
// could be held.
static jd_status find_interface(jd_arena *arena, const jd_matrices_def *d, jd_reduced *r) {
    jd_context *context = jd_arena_context(arena);
    int n = r->n_point, asked = d->interface.n, *face = JD_TAKE(arena, int, n + asked + 1);
    bool held = d->reduction == JD_CRAIG_BAMPTON;
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < (asked ? asked : n); i++) {
        int point = asked ? 0 : i;
        for (; asked && point < n; point++)
            if (r->name[point] && !strcmp(r->name[point], d->interface.text[i])) break;
        if (point == n)
            return jd_fail(context, JD_UNKNOWN_NAME, "`interface` names `%s`, which is no point",
                           d->interface.text[i]);
        if (held && asked && r->load[point])
            return jd_fail(context, JD_NOT_SUPPORTED,
                           "`interface` names `%s`, a vector of forces, which has no degree of "
                           "freedom to be held",
                           d->interface.text[i]);
        if (!held || !r->load[point]) face[r->n_face++] = point;
    }
    // Supports that are driven load the structure wherever contacts are.
    if (asked && !held && n > 0 && !r->name[n - 1]) face[r->n_face++] = n - 1;
    r->face = face;
    return JD_OK;
}

// The rows of all points, vectors of forces, and that of the supports, which has no name.
static jd_status find_points(jd_arena *arena, const jd_matrices_def *d, const model *m,
                             jd_reduced *r) {
    int n = m->seen.n + (m->base != NULL);
    int *at = JD_TAKE(arena, int, n);
    const char **name = JD_TAKE(arena, const char *, n);
    const double **load = JD_TAKE(arena, const double *, n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < m->seen.n; i++) {
        name[i] = m->seen.point[i].name;
        if (i < d->points.n)
            JD_TRY(jd_matrices_point(arena, &m->list, m->mesh, &d->points.point[i], &at[i]));
        else
            load[i] = m->loads.value[i - d->points.n];
    }
    if (m->base) load[n - 1] = m->base;
    r->n_point = n;
    r->name = name;
    r->at = at;
    r->load = load;
    return find_interface(arena, d, r);
}

// y = C x and z = |C||x|
static void multiply_both(const jd_sparse *C, const double *x, double *y, double *z) {
    for (int i = 0; i < C->n; i++) {
        y[i] = z[i] = 0;
        for (int p = C->start[i]; p < C->start[i + 1]; p++) {
            double term = C->value[p] * x[C->row[p]];
            y[i] += term;
            z[i] += fabs(term);
        }
    }
}

// modal->C = Phi' C Phi; *coupled: some entry off the diagonal is more than rounding.
static void project(const jd_reduced *r, const jd_sparse *C, double *y, double *z,
                    double *projected, bool *coupled) {
    size_t n_mode = (size_t)r->n, n = (size_t)C->n;
    *coupled = false;
    for (size_t l = 0; l < n_mode; l++) {
        multiply_both(C, r->vector + l * n, y, z);
        for (size_t k = 0; k <= l; k++) {
            double sum = 0, size = 0;
            for (size_t i = 0; i < n; i++) {
                sum += r->vector[k * n + i] * y[i];
                size += fabs(r->vector[k * n + i]) * z[i];
            }
            if (fabs(sum) <= decouples * size) sum = 0; // a dashpot that a rigid body does not move
            projected[k * n_mode + l] = projected[l * n_mode + k] = sum;
            *coupled = *coupled || (k != l && sum != 0);
        }
    }
}

static jd_status take_damping(jd_structure *s, const jd_reduced *r, const jd_matrices_def *whole,
                              const model *m) {
    jd_arena *scratch = r->arena;
    const jd_object *damping = &whole->damping;
    if (damping->type != &jd_damping_matrix) return jd_damping_apply(s->arena, damping, &s->modal);
    const jd_damping_matrix_def *d = damping->def;
    jd_modal *modal = &s->modal;
    size_t n_mode = (size_t)modal->n;
    modal->c = JD_TAKE(s->arena, double, n_mode);
    modal->C = JD_TAKE(s->arena, double, n_mode *n_mode);
    jd_sparse C;
    JD_TRY(read_matrix(scratch, whole, &d->matrix, "damping.file", m, "the damping matrix", &C));
    double *y = JD_TAKE(scratch, double, s->n_dof), *z = JD_TAKE(scratch, double, s->n_dof);
    JD_TRY(jd_arena_status(scratch));
    JD_TRY(jd_arena_status(s->arena));
    bool coupled;
    project(r, &C, y, z, modal->C, &coupled);
    for (size_t k = 0; k < n_mode; k++) modal->c[k] = modal->C[k * n_mode + k];
    modal->law = coupled ? JD_DAMPING_FULL : JD_DAMPING_MODAL;
    if (!coupled) modal->C = NULL;
    return JD_OK;
}

static jd_status keep_shapes(jd_structure *s, const jd_reduced *r) {
    size_t size = (size_t)s->n_dof * (size_t)s->modal.n;
    s->shape = JD_TAKE(s->arena, jd_dd, size);
    JD_TRY(jd_arena_status(s->arena));
    for (size_t i = 0; i < size; i++) s->shape[i] = dd(r->vector[i]);
    return JD_OK;
}

// Phi and q = Phi' M u, kept for models small enough to be given values dof by dof.
static jd_status make_coordinates(jd_structure *s, const jd_reduced *r) {
    const jd_sparse *M = r->M;
    size_t n = (size_t)s->n_dof, n_mode = (size_t)s->modal.n;
    if (n <= JD_FE_ALL_LIMIT || jd_keeps_shapes(jd_arena_context(s->arena)))
        JD_TRY(keep_shapes(s, r));
    if (n > JD_FE_ALL_LIMIT) return JD_OK;
    s->from_dofs = JD_TAKE(s->arena, double, n_mode *n);
    JD_TRY(jd_arena_status(s->arena));
    for (size_t k = 0; k < n_mode; k++)
        for (size_t i = 0; i < n; i++) {
            jd_dd sum = dd(0);
            for (int p = M->start[i]; p < M->start[i + 1]; p++)
                sum = dd_add(sum, dd_two_prod(M->value[p], r->vector[k * n + (size_t)M->row[p]]));
            s->from_dofs[k * n + i] = dd_value(sum);
        }
    return JD_OK;
}

static jd_status reduce(jd_context *context, const jd_matrices_def *d, jd_reduced *r) {
    bool held = d->reduction == JD_CRAIG_BAMPTON;
    int n_mode;
    JD_TRY(choose_modes(context, d->modes, held ? jd_reduced_inside(r) : r->K->n, &n_mode));
    r->fewer = d->modes == JD_AUTO || d->modes == JD_ALL; // nobody asked for a number
    if (held) return jd_reduce_craig_bampton(r, n_mode);
    return jd_reduce_free(r, n_mode, d->reduction == JD_FREE_INTERFACE);
}

static jd_status take_modes(jd_structure *s, const jd_reduced *r, const jd_points *points) {
    jd_modal *modal = &s->modal;
    size_t n = (size_t)r->n;
    s->n_dof = r->K->n;
    modal->n = r->n;
    modal->n_static = r->n_static;
    modal->omega2 = JD_TAKE(s->arena, jd_dd, n);
    modal->error = JD_TAKE(s->arena, double, n);
    modal->off = r->off ? JD_TAKE(s->arena, double, n) : NULL;
    s->origin = r->text ? jd_arena_text(s->arena, r->text) : NULL;
    JD_TRY(jd_arena_status(s->arena));
    memcpy(modal->omega2, r->omega2, n * sizeof *r->omega2);
    memcpy(modal->error, r->error, n * sizeof *r->error);
    if (r->off) memcpy(modal->off, r->off, n * sizeof *r->off);
    JD_TRY(jd_structure_take_points(s, points));
    s->outside = JD_TAKE(s->arena, double, points->n);
    JD_TRY(jd_arena_status(s->arena));
    if (points->n) memcpy(s->row, r->row, (size_t)points->n * n * sizeof *r->row);
    if (r->n_point > points->n) {
        s->base = JD_TAKE(s->arena, jd_dd, n);
        JD_TRY(jd_arena_status(s->arena));
        memcpy(s->base, r->row + (size_t)points->n * n, n * sizeof *r->row);
    }
    if (points->n) memcpy(s->outside, r->outside, (size_t)points->n * sizeof *r->outside);
    return JD_OK;
}

static jd_status take_mesh(jd_structure *s, const char *path) {
    if (!path) return JD_OK;
    jd_mesh *mesh = JD_TAKE(s->arena, jd_mesh, 1);
    JD_TRY(jd_arena_status(s->arena));
    s->mesh = mesh;
    return jd_mesh_read(s->arena, path, mesh);
}

// Which node and direction each row is, for those who come after the matrices are gone.
static jd_status keep_rows(jd_structure *s, const jd_matrix_list *list) {
    if (!list->node || list->counted) return JD_OK;
    size_t bytes = (size_t)list->n * sizeof *list->node;
    int *node = JD_TAKE(s->arena, int, list->n), *dof = JD_TAKE(s->arena, int, list->n);
    jd_dof_map *rows = JD_TAKE(s->arena, jd_dof_map, 1);
    JD_TRY(jd_arena_status(s->arena));
    memcpy(node, list->node, bytes);
    memcpy(dof, list->dof, bytes);
    *rows = (jd_dof_map){list->n, node, dof};
    s->rows = rows;
    return JD_OK;
}

// What was done, then mass and centre, rows that were left out, nodes that were chosen.
static jd_status tell_sums(jd_reduced *r, const jd_structure *s, const model *m) {
    const char *sums = NULL;
    if (s->rows) JD_TRY(jd_matrices_sums(r->arena, r->M, s->rows, s->mesh, &sums));
    if (sums)
        r->text = jd_arena_format(
            r->arena, "%s%s", r->text ? jd_arena_format(r->arena, "%s, ", r->text) : "with ", sums);
    if (m->held.n)
        r->text = jd_arena_format(r->arena, "%s%d rows held by boundary conditions left out",
                                  r->text ? jd_arena_format(r->arena, "%s, ", r->text) : "with ",
                                  m->held.n);
    return jd_arena_status(r->arena);
}

// The matrices live in `scratch`; what is left of them in the structure are modes.
static jd_status build_from(jd_structure *s, jd_reduced *r, const jd_matrices_def *d) {
    jd_context *context = jd_arena_context(s->arena);
    model *m = JD_TAKE(r->arena, model, 1);
    JD_TRY(jd_arena_status(r->arena));
    m->mesh = s->mesh;
    JD_TRY(read_model(r->arena, d, m));
    JD_TRY(keep_rows(s, &m->list));
    r->K = &m->K;
    r->M = &m->M;
    JD_TRY(take_loads(r->arena, d, m));
    JD_TRY(find_points(r->arena, d, m, r));
    JD_TRY(place_failure(context, d, reduce(context, d, r)));
    JD_TRY(jd_reduced_outside(r));
    JD_TRY(tell_sums(r, s, m));
    JD_TRY(take_modes(s, r, &m->seen));
    warn_of_lost_digits(context, &s->modal);
    JD_TRY(make_coordinates(s, r));
    return take_damping(s, r, d, m);
}

static jd_status build(jd_structure *s, const void *def) {
    const jd_matrices_def *d = def;
    jd_modes_cache cache;
    jd_reduced r = {.arena = jd_arena_create(jd_arena_context(s->arena))};
    if (!r.arena) return JD_OUT_OF_MEMORY;
    jd_status status = take_mesh(s, d->mesh);
    if (status == JD_OK) status = jd_modes_cache_open(r.arena, d, &cache);
    if (status == JD_OK && jd_modes_cache_load(&cache, d, s)) {
        warn_of_lost_digits(jd_arena_context(s->arena), &s->modal);
        status = jd_damping_apply(s->arena, &d->damping, &s->modal);
    } else if (status == JD_OK) {
        status = build_from(s, &r, d);
        if (status == JD_OK) jd_modes_cache_store(r.arena, &cache, s);
    }
    jd_reduced_free(&r);
    jd_arena_free(r.arena);
    return status;
}

const jd_structure_class jd_matrices_class = {.type = {"matrices",
                                                       "mass and stiffness matrices from files",
                                                       sizeof(jd_matrices_def), params, NULL},
                                              .capabilities = JD_CAN_MODAL,
                                              .build = build};
