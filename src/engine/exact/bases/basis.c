// basis.c -- the modal basis of one set of held contacts, with its poles and responses; cached.
//   Decoupled (no or Rayleigh damping, no sliding slope): s^2 + c s + omega2 = 0 per coordinate.
//   Coupled: coupled.c.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/exact/bases/parts.h"
#include "engine/exact/exact.h"
#include "engine/exact/observers/ledger.h"

static const size_t memory_for_bases = (size_t)1 << 27; // bytes
static const double unmoved = 2e-15;   // of a sum's terms: a point that a coordinate does not move
static const double uncoupled = 1e-15; // of sqrt(C_kk C_ll): rounding

// Letters that decide the basis: which contacts are held, which slide with a slope.
static void make_key(const exact *e, char *key) {
    for (int j = 0; j < e->plan.m; j++)
        key[j] = e->dependent.frozen[j]                                      ? '-'
                 : jd_contact_at_rest(e->state.contact[j])                   ? 'h'
                 : !e->plan.contact[j].stop && e->plan.contact[j].slope != 0 ? 'd'
                                                                             : '-';
}

// Q' D Q for a diagonal (D = diag(d)) or full matrix D, n x n -> nf x nf, added to out.
static void project(const exact *e, const basis *b, const double *d, const double *D, double *out) {
    int n = e->plan.n, nf = b->nf;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double v = D ? D[i * n + j] : i == j ? d[i] : 0;
            if (v == 0) continue;
            for (int k = 0; k < nf; k++) {
                double left = b->Q ? b->Q[i * nf + k] : i == k;
                if (left == 0) continue;
                for (int l = 0; l < nf; l++)
                    out[k * nf + l] += left * v * (b->Q ? b->Q[j * nf + l] : j == l);
            }
        }
}

double jd_basis_row(const exact *e, const basis *b, int j, int k) {
    const double *row = e->plan.contact[j].row;
    double sum = b->Q ? 0 : row[k], size = 0;
    for (int l = 0; b->Q && l < e->plan.n; l++) {
        sum += row[l] * b->Q[l * b->nf + k];
        size += fabs(row[l] * b->Q[l * b->nf + k]);
    }
    return fabs(sum) > unmoved * size ? sum : 0;
}

static void add_slope(const exact *e, const basis *b, int j, double *C, double *r) {
    for (int k = 0; k < b->nf; k++) r[k] = jd_basis_row(e, b, j, k);
    for (int k = 0; k < b->nf; k++)
        for (int l = 0; l < b->nf; l++) C[k * b->nf + l] += e->plan.contact[j].slope * r[k] * r[l];
}

// Couplings that are rounding of what they are sums of are none: they would make coordinates that
// no contact touches part of the coupled eigenproblem.
static void drop_rounding(const exact *e, const basis *b, double *C) {
    double *size = e->scratch.vector;
    for (int k = 0; k < b->nf; k++) {
        size[k] = fabs(b->C0[k * b->nf + k]);
        for (int j = 0; j < e->plan.m; j++) {
            double r = b->key[j] == 'd' ? jd_basis_row(e, b, j, k) : 0;
            size[k] += fabs(e->plan.contact[j].slope) * r * r;
        }
    }
    for (int k = 0; k < b->nf; k++)
        for (int l = 0; l < b->nf; l++)
            if (k != l && fabs(C[k * b->nf + l]) <= uncoupled * sqrt(size[k] * size[l]))
                C[k * b->nf + l] = 0;
}

static bool is_diagonal(int n, const double *C) {
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            if (k != l && C[k * n + l] != 0) return false;
    return true;
}

// No coordinate feels another: the structure's damping is diagonal, and every sloped contact moves
// one coordinate. (A sum that is diagonal because its parts cancel is not enough for the ledger.)
static bool is_separate(const exact *e, const basis *b) {
    for (int j = 0; j < e->plan.m; j++) {
        int moved = 0;
        if (b->key[j] != 'd') continue;
        for (int k = 0; k < b->nf; k++) moved += jd_basis_row(e, b, j, k) != 0;
        if (moved > 1) return false;
    }
    return is_diagonal(b->nf, b->C) && is_diagonal(b->nf, b->C0);
}

// Damping in this basis: a vector c where it decouples, a matrix C where it does not.
static jd_status damp(exact *e, basis *b) {
    const jd_modal *modal = &e->plan.system->modal;
    bool sloped = strchr(b->key, 'd') != NULL;
    bool kept = modal->law == JD_DAMPING_NONE || modal->law == JD_DAMPING_RAYLEIGH;
    b->c = JD_TAKE(e->arena, double, b->nf);
    JD_TRY(jd_arena_status(e->arena));
    if (!sloped && !jd_basis_drives_beat(e) &&
        (kept || (b->ms == 0 && modal->law == JD_DAMPING_MODAL))) {
        for (int k = 0; k < b->nf; k++)
            b->c[k] = modal->law == JD_DAMPING_NONE ? 0
                      : kept                        ? modal->alpha + modal->beta * b->omega2[k]
                                                    : e->plan.c[k];
        return JD_OK;
    }
    b->C0 = JD_TAKE(e->arena, double, b->nf * b->nf);
    b->C = JD_TAKE(e->arena, double, b->nf * b->nf);
    JD_TRY(jd_arena_status(e->arena));
    project(e, b, e->plan.c, e->plan.C, b->C0);
    memcpy(b->C, b->C0, (size_t)(b->nf * b->nf) * sizeof *b->C);
    for (int j = 0; j < e->plan.m; j++)
        if (b->key[j] == 'd') add_slope(e, b, j, b->C, e->scratch.vector);
    drop_rounding(e, b, b->C);
    drop_rounding(e, b, b->C0);
    JD_TRY(jd_coupled_rigid(e, b));
    for (int k = 0; k < b->nf; k++) b->c[k] = b->C[k * b->nf + k];
    if (is_separate(e, b) && !jd_basis_drives_beat(e)) b->C = NULL;
    return JD_OK;
}

// What the inner loops read, laid out for them.
static jd_status lay_out(exact *e, basis *b) {
    int nf = b->nf, sources = e->plan.m + e->plan.n_drive + 2 * b->ms;
    b->poles.slot = JD_TAKE(e->arena, int, nf);
    b->poles.drive_slot = JD_TAKE(e->arena, int, e->plan.n_drive);
    b->poles.a = JD_TAKE(e->arena, double, nf);
    b->poles.w = JD_TAKE(e->arena, double, nf);
    b->response.Xr = JD_TAKE(e->arena, double, e->plan.n_drive *nf);
    b->response.Xi = JD_TAKE(e->arena, double, e->plan.n_drive *nf);
    b->response.powers = JD_TAKE(e->arena, int, sources);
    JD_TRY(jd_arena_status(e->arena));
    b->poles.stretch = JD_TAKE(e->arena, int, nf + 1);
    JD_TRY(jd_arena_status(e->arena));
    b->poles.plain = !b->C;
    for (int p = 0; p < b->poles.n_pole; p++) b->poles.grows |= b->poles.pole[p].re > 0;
    for (int i = 0; i < b->poles.n_pair; i++) b->poles.grows |= b->poles.pair[i].mu.re > 0;
    for (int k = 0; k < nf && !b->C; k++) {
        b->poles.plain &= b->poles.kind[k] == OSCILLATING;
        if (b->poles.kind[k] != OSCILLATING) continue;
        b->poles.slot[k] = jd_expbasis_slot(b->poles.exp, b->poles.first[k]);
        b->poles.a[k] = b->poles.pole[b->poles.first[k]].re;
        b->poles.w[k] = b->poles.pole[b->poles.first[k]].im;
    }
    for (int k = 0; k < nf && b->poles.plain; k++)
        if (k == 0 || b->poles.slot[k] != b->poles.slot[k - 1] + 1)
            b->poles.stretch[b->poles.n_stretch++] = k;
    b->poles.stretch[b->poles.n_stretch] = nf;
    for (int d = 0; d < e->plan.n_drive; d++)
        b->poles.drive_slot[d] =
            jd_expbasis_slot(b->poles.exp, b->poles.n_pole - e->plan.n_drive + d);
    for (int i = 0; i < e->plan.n_drive * nf; i++) {
        b->response.Xr[i] = b->response.X[i].re;
        b->response.Xi[i] = b->response.X[i].im;
    }
    for (int s = 0; s < sources; s++)
        for (int i = 0; i < CONST_DEGREE * nf; i++)
            if (b->response.to_constant[s * CONST_DEGREE * nf + i] != 0)
                b->response.powers[s] = i / nf + 1;
    return JD_OK;
}

static double longest_step(const exact *e) { return e->plan.scale_time; }

// What depends on the drives' frequencies: poles with resonances, responses, observers.
static jd_status tune(exact *e, basis *b) {
    b->poles.n_pole = b->poles.n_own;
    b->poles.n_pair = b->poles.n_own_pair;
    b->poles.n_rigid = b->poles.n_stretch = 0;
    b->poles.grows = false;
    if (!b->C)
        JD_TRY(jd_basis_poles_decoupled(e, b));
    else
        jd_coupled_alone(e, b);
    if (b->C) JD_TRY(jd_resonance_create(e, b));
    for (int k = 0; b->C && k < b->nf; k++) b->poles.n_rigid += b->poles.kind[k] == RIGID;
    for (int d = 0; d < e->plan.n_drive; d++)
        b->poles.pole[b->poles.n_pole++] = (jd_complex){0, e->plan.drive[d].omega};
    jd_expbasis_def def = jd_default_expbasis_def();
    def.n_pole = b->poles.n_pole;
    def.pole = b->poles.pole;
    def.n_pair = b->poles.n_pair;
    def.pair = b->poles.pair;
    def.longest_step = longest_step(e);
    JD_TRY(jd_expbasis_create(e->run->context, &def, &b->poles.exp));
    b->poles.slots = jd_expbasis_slots(b->poles.exp);
    JD_TRY(jd_basis_responses(e, b));
    JD_TRY(lay_out(e, b));
    JD_TRY(jd_cancel_sizes(e, b));
    if (b->C) jd_coupled_check(e, b);
    JD_TRY(jd_observers_take(e, b));
    if (e->run->no_ledger) return JD_OK;
    return jd_ledger_tables(e, b);
}

bool jd_basis_retune(exact *e, basis *b) {
    if (!e->run->no_ledger) return false; // its tables know the frequencies
    if (b->resonances.n > 0 || jd_resonance_near(e, b)) return false;
    for (int k = 0; k < b->nf; k++) {
        double a = -b->c[k] / 2;
        if (b->C && !b->poles.alone[k]) continue;
        if (b->poles.kind[k] == RESONANT ||
            (b->poles.kind[k] == OSCILLATING &&
             jd_basis_resonant_drive(e, a, sqrt(b->omega2[k] - a * a)) >= 0))
            return false;
    }
    for (int d = 0; d < e->plan.n_drive; d++) {
        int pole = b->poles.n_pole - e->plan.n_drive + d;
        jd_complex value = {0, e->plan.drive[d].omega};
        if (!jd_expbasis_move(b->poles.exp, pole, value, longest_step(e))) return false;
        b->poles.pole[pole] = value;
        memset(b->response.X + d * b->nf, 0, (size_t)b->nf * sizeof *b->response.X);
        jd_basis_harmonic_response(e, b, d);
        jd_cancel_drive_size(e, b, d);
        for (int i = d * b->nf; i < (d + 1) * b->nf; i++) {
            b->response.Xr[i] = b->response.X[i].re;
            b->response.Xi[i] = b->response.X[i].im;
        }
        jd_observers_retune(e, b, d);
    }
    return true;
}

// In an arena of its own, so that jd_exact_replan can give it back.
static jd_status tune_apart(exact *e, basis *b) {
    jd_arena *keep = e->arena;
    e->arena = e->bases.tuned;
    jd_status status = tune(e, b);
    e->arena = keep;
    return status;
}

static jd_status create(exact *e, basis *b) {
    JD_TRY(jd_basis_hold(e, b));
    JD_TRY(jd_basis_reactions(e, b));
    JD_TRY(damp(e, b));
    if (b->C) b->fast = NULL; // its coordinates may be turned
    if (b->C) JD_TRY(jd_coupled_poles(e, b));
    b->poles.n_own = b->poles.n_pole;
    b->poles.n_own_pair = b->poles.n_pair;
    return tune_apart(e, b);
}

// More contact states than memory is meant for: all are forgotten, and made again when they return.
static void forget_bases(exact *e) {
    size_t stuck = jd_arena_bytes(e->bases.stuck), tuned = jd_arena_bytes(e->bases.tuned);
    if (stuck - e->bases.stuck_back + tuned - e->bases.tuned_back < memory_for_bases) return;
    e->bases.stuck_back = stuck;
    e->bases.tuned_back = tuned;
    jd_ledger_harvest(e);
    for (basis *b = e->bases.list; b; b = b->next) jd_expbasis_free(b->poles.exp);
    e->bases.list = e->phase.b = NULL;
    e->bases.count = 0;
    jd_arena_rewind(e->bases.tuned, e->bases.tuned_start);
    jd_arena_rewind(e->bases.stuck, e->bases.stuck_start);
}

static jd_status add_basis(exact *e) {
    basis *b = JD_TAKE(e->arena, basis, 1);
    char *own = JD_TAKE(e->arena, char, e->plan.m + 1);
    JD_TRY(jd_arena_status(e->arena));
    memcpy(own, e->bases.key, (size_t)e->plan.m);
    b->key = own;
    jd_status status = create(e, b);
    if (status != JD_OK) { // one that is not whole is not found again
        jd_expbasis_free(b->poles.exp);
        return status;
    }
    b->next = e->bases.list;
    e->phase.b = e->bases.list = b;
    e->bases.count++;
    return JD_OK;
}

jd_status jd_exact_basis(exact *e) {
    make_key(e, e->bases.key);
    for (basis *b = e->bases.list; b; b = b->next)
        if (!memcmp(b->key, e->bases.key, (size_t)e->plan.m)) {
            e->phase.b = b;
            return b->poles.exp ? JD_OK : tune_apart(e, b);
        }
    jd_arena *keep = e->arena;
    forget_bases(e);
    e->arena = e->bases.stuck;
    jd_status status = add_basis(e);
    e->arena = keep;
    return status;
}
