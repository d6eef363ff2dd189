// basis.c -- the modal basis of one set of held contacts, with its poles and responses; cached.
//   Decoupled (no or Rayleigh damping, no sliding slope): s^2 + c s + omega2 = 0 per coordinate.
//   Coupled: coupled.c.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/exact/exact.h"
#include "linalg/min_norm.h"
#include "structure/stuck.h"

// Letters that decide the basis: which contacts are held, which slide with a slope.
static void make_key(const exact *e, char *key) {
    for (int j = 0; j < e->m; j++)
        key[j] = is_held(e->marks[j])                              ? 'h'
                 : !e->contact[j].stop && e->contact[j].slope != 0 ? 'd'
                                                                   : '-';
}

static jd_status hold(exact *e, basis *b) {
    const jd_dd **rows = JD_TAKE(e->arena, const jd_dd *, e->m);
    b->held = JD_TAKE(e->arena, int, e->m);
    JD_TRY(jd_arena_status(e->arena));
    for (int j = 0; j < e->m; j++) {
        if (b->key[j] != 'h') continue;
        rows[b->ms] = e->system->contact[j];
        b->held[b->ms++] = j;
    }
    b->unique = true;
    b->nf = e->n;
    b->omega2 = e->omega2;
    if (b->ms == 0) return JD_OK;
    jd_stuck *stuck;
    JD_TRY(jd_stuck_create(e->arena, &e->system->modal, b->ms, rows, &stuck));
    b->nf = stuck->modal.n;
    b->unique = stuck->rank == b->ms;
    b->shift = stuck->shift;
    b->Q = stuck->Q;
    b->S = stuck->S;
    b->QT = JD_TAKE(e->arena, double, b->nf * e->n + 1);
    b->QtS = JD_TAKE(e->arena, double, b->nf * b->ms + 1);
    b->omega2 = JD_TAKE(e->arena, double, b->nf);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < b->nf; k++) b->omega2[k] = stuck->modal.omega2[k].hi;
    for (int l = 0; l < e->n; l++)
        for (int k = 0; k < b->nf; k++) b->QT[k * e->n + l] = b->Q[l * b->nf + k];
    for (int l = 0; l < e->n; l++)
        for (int k = 0; k < b->nf; k++)
            for (int i = 0; i < b->ms; i++)
                b->QtS[k * b->ms + i] += b->Q[l * b->nf + k] * b->S[l * b->ms + i];
    return JD_OK;
}

// lambda_h = Ghh^-1 B_h (Omega^2 q + C q' - f): its rows; dependent contacts share by minimum norm.
static jd_status reactions(exact *e, basis *b) {
    int ms = b->ms, n = e->n;
    b->Ghh_inv_B = JD_TAKE(e->arena, double, ms *n + 1);
    double *G = JD_TAKE(e->arena, double, ms *ms + 1), *rhs = JD_TAKE(e->arena, double, ms + 1);
    double *work = JD_TAKE(e->arena, double, 8 * ms + 1);
    JD_TRY(jd_arena_status(e->arena));
    for (int l = 0; l < n && ms; l++) {
        for (int i = 0; i < ms; i++) {
            rhs[i] = e->contact[b->held[i]].row[l];
            for (int j = 0; j < ms; j++) G[i * ms + j] = e->G[b->held[i] * e->m + b->held[j]];
        }
        if (jd_min_norm(ms, G, rhs, work) < 0)
            return jd_fail(e->run->context, JD_NO_CONVERGENCE,
                           "the matrix of held contacts cannot be inverted");
        for (int i = 0; i < ms; i++) b->Ghh_inv_B[i * n + l] = rhs[i];
    }
    return JD_OK;
}

// Q' D Q for a diagonal (D = diag(d)) or full matrix D, n x n -> nf x nf, added to out.
static void project(const exact *e, const basis *b, const double *d, const double *D, double *out) {
    int n = e->n, nf = b->nf;
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

static void add_slope(const exact *e, const basis *b, int j, double *C, double *r) {
    for (int k = 0; k < b->nf; k++) {
        r[k] = 0;
        for (int l = 0; l < e->n; l++)
            r[k] += e->contact[j].row[l] * (b->Q ? b->Q[l * b->nf + k] : l == k);
    }
    for (int k = 0; k < b->nf; k++)
        for (int l = 0; l < b->nf; l++) C[k * b->nf + l] += e->contact[j].slope * r[k] * r[l];
}

static bool is_diagonal(int n, const double *C) {
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            if (k != l && C[k * n + l] != 0) return false;
    return true;
}

// Damping in this basis: a vector c where it decouples, a matrix C where it does not.
static jd_status damp(exact *e, basis *b) {
    const jd_modal *modal = &e->system->modal;
    bool sloped = strchr(b->key, 'd') != NULL;
    bool kept = modal->law == JD_DAMPING_NONE || modal->law == JD_DAMPING_RAYLEIGH;
    b->c = JD_TAKE(e->arena, double, b->nf);
    JD_TRY(jd_arena_status(e->arena));
    if (!sloped && (kept || (b->ms == 0 && modal->law == JD_DAMPING_MODAL))) {
        for (int k = 0; k < b->nf; k++)
            b->c[k] = modal->law == JD_DAMPING_NONE ? 0
                      : kept                        ? modal->alpha + modal->beta * b->omega2[k]
                                                    : e->c[k];
        return JD_OK;
    }
    b->C0 = JD_TAKE(e->arena, double, b->nf * b->nf);
    b->C = JD_TAKE(e->arena, double, b->nf * b->nf);
    JD_TRY(jd_arena_status(e->arena));
    project(e, b, e->c, e->C, b->C0);
    memcpy(b->C, b->C0, (size_t)(b->nf * b->nf) * sizeof *b->C);
    for (int j = 0; j < e->m; j++)
        if (b->key[j] == 'd') add_slope(e, b, j, b->C, e->scratch);
    JD_TRY(coupled_rigid(e, b));
    for (int k = 0; k < b->nf; k++) b->c[k] = b->C[k * b->nf + k];
    if (is_diagonal(b->nf, b->C)) b->C = NULL;
    return JD_OK;
}

// Response x = Re(X z_d) of the coordinates to a unit harmonic force at i Omega.
static void harmonic_response(const exact *e, basis *b, int d) {
    double Omega = e->drive[d].omega;
    const double *f = b->force + (e->m + d) * b->nf;
    jd_complex *X = b->X + d * b->nf;
    if (Omega == 0) return;
    for (int p = 0; b->C && p < b->n_pole - e->n_drive; p++) {
        jd_complex r = {0, 0};
        double half = b->pole[p].im > 0 ? 0.5 : 1;
        for (int k = 0; k < b->nf; k++) {
            r.re += half * b->left[p * b->nf + k].re * f[k];
            r.im += half * b->left[p * b->nf + k].im * f[k];
        }
        // u u'f/(i Omega - s) and, for a conjugate pair, the same with conjugates
        jd_complex s = b->pole[p], g = over(r, (jd_complex){-s.re, Omega - s.im}), h = {0, 0};
        if (s.im > 0) h = over((jd_complex){r.re, -r.im}, (jd_complex){-s.re, Omega + s.im});
        for (int k = 0; k < b->nf; k++) {
            jd_complex u = b->right[p * b->nf + k], x = times(u, g),
                       y = times((jd_complex){u.re, -u.im}, h);
            X[k].re += x.re + y.re;
            X[k].im += x.im + y.im;
        }
    }
    for (int k = 0; b->C && k < b->nf; k++)
        if (b->kind[k] == RIGID) X[k].re = -f[k] / (Omega * Omega);
    for (int k = 0; !b->C && k < b->nf; k++) {
        if (b->kind[k] == RESONANT &&
            e->drive[b->partner[k]].omega ==
                Omega) { // only the part at -i Omega: conj of (i f/2w)/(s + i Omega)
            double a = -b->c[k] / 2, w = sqrt(b->omega2[k] - a * a);
            jd_complex y = over((jd_complex){0, f[k] / (2 * w)}, (jd_complex){a, w + Omega});
            X[k] = (jd_complex){y.re, -y.im};
        } else {
            X[k] = over((jd_complex){f[k], 0},
                        (jd_complex){b->omega2[k] - Omega * Omega, Omega * b->c[k]});
        }
    }
}

// sum_l C_kl v_l over the coordinates that are rigid-body ones or not.
static double drag(const basis *b, int k, const double *v, bool rigid) {
    double sum = 0;
    if (!b->C) return (b->omega2[k] == 0) == rigid ? b->c[k] * v[k] : 0;
    for (int l = 0; l < b->nf; l++)
        if ((b->omega2[l] == 0) == rigid) sum += b->C[k * b->nf + l] * v[l];
    return sum;
}

// Polynomial responses to a unit constant, c0 + c1 t + c2 t^2, and a unit ramp force on one source,
// r0 .. r3 t^3: x'' + C x' + omega2 x = f, power by power. Rigid-body coordinates (C diagonal among
// them) come first, where there is no damping two powers higher.
static void polynomial_response(basis *b, int source) {
    int nf = b->nf;
    const double *f = b->force + source * nf;
    double *c0 = b->at_const + source * CONST_DEGREE * nf, *c1 = c0 + nf, *c2 = c1 + nf,
           *r0 = b->at_ramp + source * RAMP_DEGREE * nf, *r1 = r0 + nf, *r2 = r1 + nf;
    for (int k = 0; k < nf; k++) {
        if (b->omega2[k] > 0) continue;
        if (b->c[k] != 0) {
            c1[k] = f[k] / b->c[k];
            r2[k] = f[k] / (2 * b->c[k]);
        } else {
            c2[k] = f[k] / 2;
            r2[nf + k] = f[k] / 6;
        }
    }
    for (int k = 0; k < nf; k++) {
        if (b->omega2[k] == 0) continue;
        c0[k] = (f[k] - drag(b, k, c1, true)) / b->omega2[k];
        r1[k] = (f[k] - 2 * drag(b, k, r2, true)) / b->omega2[k];
    }
    for (int k = 0; k < nf; k++)
        if (b->omega2[k] == 0 && b->c[k] != 0)
            r1[k] = -(2 * r2[k] + drag(b, k, r1, false)) / b->c[k];
    for (int k = 0; k < nf; k++) // a ramp lags
        if (b->omega2[k] > 0)
            r0[k] = -(drag(b, k, r1, false) + drag(b, k, r1, true)) / b->omega2[k];
}

static void project_row(const exact *e, const basis *b, const double *row, double *out) {
    for (int k = 0; k < b->nf; k++) {
        double s = b->Q ? 0 : row[k];
        for (int l = 0; b->Q && l < e->n; l++) s += b->Q[l * b->nf + k] * row[l];
        out[k] = s;
    }
}

// Motion of contact j in the static shape of the held contact i.
static double held_row(const exact *e, const basis *b, int j, int i) {
    double s = 0;
    for (int l = 0; l < e->n; l++) s += e->contact[j].row[l] * b->S[l * b->ms + i];
    return s;
}

// Forces of all sources in this basis. A held contact that moves bends its static shape along:
// its displacement pushes with shift Q'S, its velocity with -Q'C S (slopes of sliding contacts are
// part of C).
static jd_status responses(exact *e, basis *b) {
    int sources = e->m + e->n_drive + 2 * b->ms, nf = b->nf;
    b->force = JD_TAKE(e->arena, double, sources *nf);
    b->at_const = JD_TAKE(e->arena, double, sources *CONST_DEGREE *nf);
    b->at_ramp = JD_TAKE(e->arena, double, sources *RAMP_DEGREE *nf);
    b->X = JD_TAKE(e->arena, jd_complex, e->n_drive * nf);
    b->pull = JD_TAKE(e->arena, double, b->ms *nf + 1);
    JD_TRY(jd_arena_status(e->arena));
    for (int j = 0; j < e->m; j++) project_row(e, b, e->contact[j].row, b->force + j * nf);
    for (int d = 0; d < e->n_drive; d++)
        project_row(e, b, e->drive[d].row, b->force + (e->m + d) * nf);
    for (int i = 0; i < b->ms; i++) {
        double *f = b->force + (e->m + e->n_drive + 2 * i) * nf, *cs = e->scratch;
        for (int l = 0; l < e->n; l++) {
            cs[l] = e->C ? 0 : -e->c[l] * b->S[l * b->ms + i];
            for (int r = 0; e->C && r < e->n; r++)
                cs[l] -= e->C[l * e->n + r] * b->S[r * b->ms + i];
        }
        for (int k = 0; k < nf; k++) f[k] = b->shift * b->QtS[k * b->ms + i];
        project_row(e, b, cs, b->pull + i * nf);
        memcpy(f + nf, b->pull + i * nf, (size_t)nf * sizeof *f);
        for (int j = 0; j < e->m; j++)
            if (b->key[j] == 'd')
                add_row(nf, -e->contact[j].slope * held_row(e, b, j, i), b->force + j * nf, f + nf);
    }
    for (int s = 0; s < sources; s++) polynomial_response(b, s);
    for (int d = 0; d < e->n_drive; d++) harmonic_response(e, b, d);
    return JD_OK;
}

static jd_status observers(exact *e, basis *b) {
    b->u = JD_TAKE(e->arena, functional, e->m);
    b->v = JD_TAKE(e->arena, functional, e->m);
    b->lambda = JD_TAKE(e->arena, functional, b->ms);
    b->u_drive = JD_TAKE(e->arena, functional, e->n_drive);
    b->v_drive = JD_TAKE(e->arena, functional, e->n_drive);
    b->u_probe = JD_TAKE(e->arena, functional, e->n_probe);
    b->v_probe = JD_TAKE(e->arena, functional, e->n_probe);
    JD_TRY(jd_arena_status(e->arena));
    for (int j = 0; j < e->m; j++) {
        JD_TRY(functional_row(e, b, e->contact[j].row, false, &b->u[j]));
        JD_TRY(functional_row(e, b, e->contact[j].row, true, &b->v[j]));
    }
    for (int i = 0; i < b->ms; i++) JD_TRY(functional_force(e, b, i, &b->lambda[i]));
    for (int d = 0; d < e->n_drive; d++) {
        JD_TRY(functional_row(e, b, e->drive[d].row, false, &b->u_drive[d]));
        JD_TRY(functional_row(e, b, e->drive[d].row, true, &b->v_drive[d]));
    }
    for (int i = 0; i < e->n_probe; i++) {
        JD_TRY(functional_row(e, b, e->probe[i], false, &b->u_probe[i]));
        JD_TRY(functional_row(e, b, e->probe[i], true, &b->v_probe[i]));
    }
    return JD_OK;
}

// What the inner loops read, laid out for them.
static jd_status lay_out(exact *e, basis *b) {
    int nf = b->nf, sources = e->m + e->n_drive + 2 * b->ms;
    b->slot = JD_TAKE(e->arena, int, nf);
    b->drive_slot = JD_TAKE(e->arena, int, e->n_drive);
    b->a = JD_TAKE(e->arena, double, nf);
    b->w = JD_TAKE(e->arena, double, nf);
    b->Xr = JD_TAKE(e->arena, double, e->n_drive *nf);
    b->Xi = JD_TAKE(e->arena, double, e->n_drive *nf);
    b->powers = JD_TAKE(e->arena, int, sources);
    JD_TRY(jd_arena_status(e->arena));
    b->stretch = JD_TAKE(e->arena, int, nf + 1);
    JD_TRY(jd_arena_status(e->arena));
    b->plain = !b->C;
    for (int p = 0; p < b->n_pole; p++) b->grows |= b->pole[p].re > 0;
    for (int k = 0; k < nf && !b->C; k++) {
        b->plain &= b->kind[k] == OSCILLATING;
        if (b->kind[k] != OSCILLATING) continue;
        b->slot[k] = jd_expbasis_slot(b->exp, b->first[k]);
        b->a[k] = b->pole[b->first[k]].re;
        b->w[k] = b->pole[b->first[k]].im;
    }
    for (int k = 0; k < nf && b->plain; k++)
        if (k == 0 || b->slot[k] != b->slot[k - 1] + 1) b->stretch[b->n_stretch++] = k;
    b->stretch[b->n_stretch] = nf;
    for (int d = 0; d < e->n_drive; d++)
        b->drive_slot[d] = jd_expbasis_slot(b->exp, b->n_pole - e->n_drive + d);
    for (int i = 0; i < e->n_drive * nf; i++) {
        b->Xr[i] = b->X[i].re;
        b->Xi[i] = b->X[i].im;
    }
    for (int s = 0; s < sources; s++)
        for (int i = 0; i < CONST_DEGREE * nf; i++)
            if (b->at_const[s * CONST_DEGREE * nf + i] != 0) b->powers[s] = i / nf + 1;
    return JD_OK;
}

static double longest_step(const exact *e) { return e->scale_time; }

// What depends on the drives' frequencies: poles with resonances, responses, observers.
static jd_status tune(exact *e, basis *b) {
    b->n_pole = b->n_own;
    b->n_pair = b->n_rigid = b->n_stretch = 0;
    b->grows = false;
    if (!b->C) JD_TRY(basis_poles_decoupled(e, b));
    for (int k = 0; b->C && k < b->nf; k++) b->n_rigid += b->kind[k] == RIGID;
    for (int d = 0; d < e->n_drive; d++) b->pole[b->n_pole++] = (jd_complex){0, e->drive[d].omega};
    jd_expbasis_def def = jd_default_expbasis_def();
    def.n_pole = b->n_pole;
    def.pole = b->pole;
    def.n_pair = b->n_pair;
    def.pair = b->pair;
    def.longest_step = longest_step(e);
    JD_TRY(jd_expbasis_create(e->run->context, &def, &b->exp));
    b->slots = jd_expbasis_slots(b->exp);
    JD_TRY(responses(e, b));
    JD_TRY(lay_out(e, b));
    JD_TRY(observers(e, b));
    if (e->run->no_ledger) return JD_OK;
    return ledger_tables(e, b);
}

static void retune_observers(exact *e, basis *b, int d) {
    struct {
        functional *f;
        int n;
    } all[] = {{b->u, e->m},
               {b->v, e->m},
               {b->lambda, b->ms},
               {b->u_drive, e->n_drive},
               {b->v_drive, e->n_drive},
               {b->u_probe, e->n_probe},
               {b->v_probe, e->n_probe}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int j = 0; j < all[i].n; j++) functional_retune(e, b, &all[i].f[j], d);
}

bool basis_retune(exact *e, basis *b) {
    if (!e->run->no_ledger) return false; // its tables know the frequencies
    for (int k = 0; !b->C && k < b->nf; k++) {
        double a = -b->c[k] / 2;
        if (b->kind[k] == RESONANT || (b->kind[k] == OSCILLATING &&
                                       basis_resonant_drive(e, a, sqrt(b->omega2[k] - a * a)) >= 0))
            return false;
    }
    for (int d = 0; d < e->n_drive; d++) {
        int pole = b->n_pole - e->n_drive + d;
        jd_complex value = {0, e->drive[d].omega};
        if (!jd_expbasis_move(b->exp, pole, value, longest_step(e))) return false;
        b->pole[pole] = value;
        memset(b->X + d * b->nf, 0, (size_t)b->nf * sizeof *b->X);
        harmonic_response(e, b, d);
        for (int i = d * b->nf; i < (d + 1) * b->nf; i++) {
            b->Xr[i] = b->X[i].re;
            b->Xi[i] = b->X[i].im;
        }
        retune_observers(e, b, d);
    }
    return true;
}

// In an arena of its own, so that exact_replan can give it back.
static jd_status tune_apart(exact *e, basis *b) {
    jd_arena *keep = e->arena;
    e->arena = e->tuned;
    jd_status status = tune(e, b);
    e->arena = keep;
    return status;
}

static jd_status create(exact *e, basis *b) {
    JD_TRY(hold(e, b));
    JD_TRY(reactions(e, b));
    JD_TRY(damp(e, b));
    if (b->C) JD_TRY(coupled_poles(e, b));
    b->n_own = b->n_pole;
    return tune_apart(e, b);
}

jd_status exact_basis(exact *e) {
    make_key(e, e->key);
    for (basis *b = e->bases; b; b = b->next)
        if (!memcmp(b->key, e->key, (size_t)e->m)) {
            e->b = b;
            return b->exp ? JD_OK : tune_apart(e, b);
        }
    basis *b = JD_TAKE(e->arena, basis, 1);
    char *own = JD_TAKE(e->arena, char, e->m + 1);
    JD_TRY(jd_arena_status(e->arena));
    memcpy(own, e->key, (size_t)e->m);
    b->key = own;
    b->next = e->bases;
    e->bases = b; // in the list even when incomplete: freeing the run frees its exp basis
    e->n_basis++;
    JD_TRY(create(e, b));
    e->b = b;
    return JD_OK;
}
