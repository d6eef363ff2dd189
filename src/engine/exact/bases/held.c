// held.c -- the stuck basis of one set of held contacts, and the forces that hold them.
//   lambda_h = Ghh^-1 B_h (Omega^2 q + C q' - f). Held rows that depend on others are held along
//   with them (dependent.c). From one event to the next a few contacts let go or are caught: the
//   stuck basis is then made from that of a set close by (structure/stuck/stuck_change.c), and its
//   dual rows are those of Ghh^-1 B_h.
#include <math.h>
#include <string.h>

#include "engine/exact/bases/cauchy.h"
#include "engine/exact/events/dependent.h"
#include "engine/exact/exact.h"
#include "linalg/least_squares.h"
#include "structure/stuck/stuck.h"

static const double well_conditioned = 1e-6; // smallest pivot of G over G_jj
enum { LOOKED_AT = 16 };                     // latest bases
enum { LENT = 200 }; // modes: beyond, a run takes too much memory to be kept

// Contacts that are held in one of the two states only.
static int distance(const exact *e, const basis *a, const basis *b) {
    int apart = 0;
    for (int j = 0; j < e->plan.m; j++) apart += (a->key[j] == 'h') != (b->key[j] == 'h');
    return apart;
}

// The latest basis that is closest to b, of those that can be changed into it; NULL: none.
static const basis *neighbour(const exact *e, const basis *b) {
    const basis *best = NULL;
    int least = e->plan.n / 4 + 3, looked = 0;
    for (const basis *a = e->bases.list; a && looked < LOOKED_AT; a = a->next, looked++) {
        int apart = a->stuck && a->stuck->dual ? distance(e, a, b) : least;
        if (apart >= least) continue;
        best = a;
        least = apart;
    }
    return best;
}

// From the basis a of other held contacts; *out NULL: not possible.
static jd_status change_from(exact *e, const basis *a, const basis *b, const jd_dd *const *rows,
                             jd_stuck **out) {
    const jd_dd **from = JD_TAKE(e->arena, const jd_dd *, a->ms + 1);
    int *old = JD_TAKE(e->arena, int, b->ms + 1);
    JD_TRY(jd_arena_status(e->arena));
    for (int i = 0; i < a->ms; i++) from[i] = e->plan.system->contact[a->held[i]];
    for (int i = 0; i < b->ms; i++) {
        old[i] = -1;
        for (int k = 0; k < a->ms; k++)
            if (a->held[k] == b->held[i]) old[i] = k;
    }
    return jd_stuck_change(e->arena, &e->plan.system->modal, a->stuck, from, b->ms, rows, old, out);
}

static jd_status make_stuck(exact *e, basis *b, int rank, const jd_dd *const *rows,
                            jd_stuck **out) {
    const jd_modal *modal = &e->plan.system->modal;
    if (e->plan.m < MANY_CONTACTS || !b->unique)
        return jd_stuck_create(e->arena, modal, rank, rows, out);
    const basis *near = neighbour(e, b);
    *out = NULL;
    if (near) JD_TRY(change_from(e, near, b, rows, out));
    if (!*out) JD_TRY(jd_stuck_start(e->arena, modal, rank, rows, out));
    b->stuck = *out;
    return JD_OK;
}

// With one contact held and many modes: products with the shapes in linear time.
static jd_status make_fast(exact *e, basis *b, const jd_stuck *stuck) {
    if (b->ms != 1 || b->nf != e->plan.n - 1 || stuck->modal.C) return JD_OK;
    return jd_cauchy_create(e->arena,
                            &(jd_cauchy_def){.n = e->plan.n,
                                             .pole = e->plan.system->modal.omega2,
                                             .root = stuck->modal.omega2,
                                             .b = e->plan.contact[b->held[0]].row,
                                             .Q = b->Q,
                                             .QT = b->QT},
                            &b->fast);
}

jd_status jd_bases_lend(exact *e) {
    const jd_system *y = e->plan.system;
    size_t n = (size_t)e->plan.n, m = (size_t)e->plan.m;
    const jd_run *from = e->run->lender;
    e->run->lends = e->run->lends && n <= LENT && m < MANY_CONTACTS;
    if (!e->run->lends) return JD_OK;
    jd_dd *own = e->bases.made_of = JD_TAKE(e->arena, jd_dd, (1 + m) * n);
    JD_TRY(jd_arena_status(e->arena));
    memcpy(own, y->modal.omega2, n * sizeof *own);
    for (size_t j = 0; j < m; j++) memcpy(own + (1 + j) * n, y->contact[j], n * sizeof *own);
    const exact *l = from && from->class == e->run->class ? from->state : NULL;
    if (l && l->bases.made_of && l->plan.n == e->plan.n && l->plan.m == e->plan.m &&
        !memcmp(l->bases.made_of, own, (1 + m) * n * sizeof *own))
        e->bases.lender = l;
    return JD_OK;
}

// The basis of the same held contacts in a run made of the same modes and rows.
static const basis *lent(const exact *e, const basis *b) {
    const basis *a = e->bases.lender && b->unique ? e->bases.lender->bases.list : NULL;
    while (a && !(a->unique && a->ms == b->ms && a->Q && !a->fast && distance(e, a, b) == 0))
        a = a->next;
    return a;
}

static double *copied(exact *e, const double *from, int n) {
    double *own = JD_TAKE_RAW(e->arena, double, n + 1);
    if (own) memcpy(own, from, (size_t)n * sizeof *own);
    return own;
}

static jd_status copy_shapes(exact *e, basis *b, const basis *a) {
    b->nf = a->nf;
    b->shift = a->shift;
    b->Q = copied(e, a->Q, e->plan.n * a->nf);
    b->QT = copied(e, a->QT, e->plan.n * a->nf);
    b->S = copied(e, a->S, e->plan.n * a->ms);
    b->QtS = copied(e, a->QtS, a->nf * a->ms);
    b->omega2 = copied(e, a->omega2, a->nf);
    return jd_arena_status(e->arena);
}

// The stuck basis of the held contacts: rows that depend on others are held along with them.
jd_status jd_basis_hold(exact *e, basis *b) {
    const jd_dd **rows = JD_TAKE(e->arena, const jd_dd *, e->plan.m);
    int *order = JD_TAKE(e->arena, int, e->plan.m);
    b->held = JD_TAKE(e->arena, int, e->plan.m);
    JD_TRY(jd_arena_status(e->arena));
    for (int j = 0; j < e->plan.m; j++)
        if (b->key[j] == 'h') b->held[b->ms++] = j;
    b->unique = true;
    b->nf = e->plan.n;
    b->omega2 = e->plan.omega2;
    if (b->ms == 0) return JD_OK;
    b->unique = jd_all_independent(e, b->ms, b->held);
    const basis *same = lent(e, b);
    if (same) return copy_shapes(e, b, same);
    int rank = b->unique ? b->ms : jd_independent_rows(e, b->ms, b->held, order);
    for (int i = 0; i < rank; i++) {
        if (b->unique) order[i] = i;
        rows[i] = e->plan.system->contact[b->held[order[i]]];
    }
    jd_stuck *stuck;
    JD_TRY(make_stuck(e, b, rank, rows, &stuck));
    b->nf = stuck->modal.n;
    b->shift = stuck->shift;
    b->Q = stuck->Q;
    b->S = JD_TAKE(e->arena, double, e->plan.n * b->ms);
    b->QT = JD_TAKE(e->arena, double, b->nf * e->plan.n + 1);
    b->QtS = JD_TAKE(e->arena, double, b->nf * b->ms + 1);
    b->omega2 = JD_TAKE(e->arena, double, b->nf);
    JD_TRY(jd_arena_status(e->arena));
    for (int l = 0; l < e->plan.n; l++)
        for (int i = 0; i < rank; i++) b->S[l * b->ms + order[i]] = stuck->S[l * rank + i];
    for (int k = 0; k < b->nf; k++) b->omega2[k] = stuck->modal.omega2[k].hi;
    for (int l = 0; l < e->plan.n; l++)
        for (int k = 0; k < b->nf; k++) b->QT[k * e->plan.n + l] = b->Q[l * b->nf + k];
    for (int l = 0; l < e->plan.n; l++)
        for (int k = 0; k < b->nf; k++)
            for (int i = 0; i < b->ms; i++)
                b->QtS[k * b->ms + i] += b->Q[l * b->nf + k] * b->S[l * b->ms + i];
    return make_fast(e, b, stuck);
}

// The inverse of U B' (n x ms by columns), or where rows depend on each other what makes forces
// shortest in units of U: ms x n by columns, in `out`, which has room for a square.
static jd_status pseudo_inverse(exact *e, const basis *b, const double *unit, double *out) {
    int ms = b->ms, n = e->plan.n, rows = ms > n ? ms : n, columns = ms > n ? n : ms;
    double *A = JD_TAKE(e->arena, double, rows *columns);
    JD_TRY(jd_arena_status(e->arena));
    for (int i = 0; i < ms; i++)
        for (int l = 0; l < n; l++)
            A[ms > n ? l * rows + i : i * rows + l] = unit[i] * e->plan.contact[b->held[i]].row[l];
    for (int i = 0; i < rows * rows; i++) out[i] = i % (rows + 1) == 0;
    return jd_least_squares(e->arena, rows, columns, rows, A, out, SAME_ROW);
}

// G_hh = L L' of unit rows, L (ms x ms) below the diagonal; false: not well enough conditioned.
// Contacts that do not feel each other have exact zeros there, and keep them.
static bool factor_coupling(const exact *e, const basis *b, const double *unit, double *L) {
    int ms = b->ms;
    for (int i = 0; i < ms; i++)
        for (int j = 0; j <= i; j++) {
            double g = unit[i] * e->plan.G[b->held[i] * e->plan.m + b->held[j]] * unit[j];
            for (int k = 0; k < j; k++) g -= L[i * ms + k] * L[j * ms + k];
            if (i == j && !(g > well_conditioned)) return false;
            L[i * ms + j] = i == j ? sqrt(g) : g / L[j * ms + j];
        }
    return true;
}

// Rows of Ghh^-1 B by the factors, column by column.
static void solve_coupling(const exact *e, basis *b, const double *unit, const double *L,
                           double *x) {
    int ms = b->ms, n = e->plan.n;
    for (int l = 0; l < n; l++) {
        for (int i = 0; i < ms; i++) {
            x[i] = unit[i] * e->plan.contact[b->held[i]].row[l];
            for (int k = 0; k < i; k++) x[i] -= L[i * ms + k] * x[k];
            x[i] /= L[i * ms + i];
        }
        for (int i = ms - 1; i >= 0; i--) {
            for (int k = i + 1; k < ms; k++) x[i] -= L[k * ms + i] * x[k];
            x[i] /= L[i * ms + i];
            b->Ghh_inv_B[i * n + l] = unit[i] * x[i];
        }
    }
}

// lambda_h = Ghh^-1 B_h (Omega^2 q + C q' - f): its rows; dependent contacts share (dependent.c).
jd_status jd_basis_reactions(exact *e, basis *b) {
    int ms = b->ms, n = e->plan.n, rows = ms > n ? ms : n;
    b->Ghh_inv_B = JD_TAKE(e->arena, double, ms *n + 1);
    JD_TRY(jd_arena_status(e->arena));
    for (int i = 0; b->stuck && b->stuck->dual && i < ms * n; i++)
        b->Ghh_inv_B[i] = dd_value(b->stuck->dual[i]);
    if (b->stuck && b->stuck->dual) return JD_OK;
    jd_arena_mark here = jd_arena_here(e->arena);
    double *inverse = JD_TAKE(e->arena, double, rows *rows + rows),
           *unit = JD_TAKE(e->arena, double, ms + 1);
    JD_TRY(jd_arena_status(e->arena));
    jd_force_units(e, ms, b->held, unit);
    for (int i = 0; b->unique && i < ms; i++)
        unit[i] = 1 / sqrt(e->plan.G[b->held[i] * (e->plan.m + 1)]);
    if (b->unique && factor_coupling(e, b, unit, inverse)) {
        solve_coupling(e, b, unit, inverse, inverse + ms * ms);
    } else {
        JD_TRY(pseudo_inverse(e, b, unit, inverse));
        for (int i = 0; i < ms; i++)
            for (int l = 0; l < n; l++)
                b->Ghh_inv_B[i * n + l] = unit[i] * inverse[ms > n ? i * rows + l : l * rows + i];
    }
    jd_arena_back(e->arena, here);
    return JD_OK;
}
