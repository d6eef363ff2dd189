// static.c -- start: static. Rods at rest under the constant loads p, friction mobilised as needed.
//   K u = p + sum_e B_e' f_e,   lo_e <= f_e <= hi_e,   Delta_e = B_e u
//   Equilibrium alone leaves the friction of stuck cells open. Taken is the state that the load
//   lambda p reaches when lambda grows from 0 to 1 on rods without strain: the least of
//     u'Ku/2 - lambda p'u + sum_e limit_e |Delta_e|      (springs and soil: their elastic energy)
//   which is piecewise linear in lambda. Between two events each contact is held (Delta = 0, or
//   f = -k Delta) or at a bound; u' = K_T^-1 T'p, T: the structure's side of a rigid held contact
//   follows its counterpart. An event: a held contact reaches a bound, or a slip comes back to 0.
//   All in double-double, band ordered along the rods. Ties are cut by limits changed by 1e-9,
//   which the last solve takes back.
//   A static limit above the kinetic one is not used: what is at rest within `limit` stays there.
#include <math.h>
#include <string.h>

#include "engine/wave/static.h"

enum { SETTLED = 40, POLISH = 100 };
static const double tie = 1e-9, sharp = 1e-13;

// A node as other dofs: itself, or those its counterpart has.
typedef struct terms {
    int n, at[JD_WAVE_MEET];
    double w[JD_WAVE_MEET];
} terms;

static terms terms_of(const rest *r, int dof) {
    terms t = {.n = 0};
    if (r->fixed[dof]) return t;
    if (r->by[dof] < 0) return (terms){1, {dof}, {1}};
    const element *e = &r->element[r->by[dof]];
    for (int i = 0; i < e->n; i++)
        if (!r->fixed[e->b[i]]) t.at[t.n] = e->b[i], t.w[t.n++] = e->w[i];
    return t;
}

static void add(rest *r, int i, int j, double value) {
    if (i < j) return;
    jd_dd *v = &r->K.v[(size_t)j * (size_t)(r->width + 1) + (size_t)(i - j)];
    *v = dd_add(*v, dd(value));
}

// Adds k (s - t)^2/2 to the energy.
static void add_spring(rest *r, double k, const terms *s, const terms *t) {
    const terms *both[2] = {s, t};
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < both[p]->n; i++)
            for (int q = 0; q < 2; q++)
                for (int j = 0; j < both[q]->n; j++)
                    add(r, both[p]->at[i], both[q]->at[j],
                        (p == q ? k : -k) * both[p]->w[i] * both[q]->w[j]);
}

// Spring of a rod to the ground at an end that is fixed between two nodes; 0: none.
static double end_spring(const rod *a, int side) {
    bool between = a->mirror[side] == (side ? a->grid.n - 1 : 0);
    return a->fixed[side] && between ? 2 * a->spring : 0;
}

static void assemble(rest *r) {
    const terms ground = {.n = 0};
    memset(r->K.v, 0, (size_t)r->n * (size_t)(r->width + 1) * sizeof *r->K.v);
    for (int b = 0; b < r->m->n_rod; b++) {
        const rod *a = &r->m->rods[b];
        terms before = {.n = 0};
        for (int i = 0; i < a->grid.n; i++) {
            terms here = terms_of(r, r->dof[b][i]);
            if (i > 0) add_spring(r, jd_rod_spring(a, i - 1), &before, &here);
            before = here;
        }
        terms first = terms_of(r, r->dof[b][0]), last = terms_of(r, r->dof[b][a->grid.n - 1]);
        add_spring(r, end_spring(a, 0), &first, &ground);
        add_spring(r, end_spring(a, 1), &last, &ground);
    }
    for (int i = 0; i < r->n_element; i++) {
        const element *e = &r->element[i];
        if (e->state != 0 || e->stiffness == 0) continue;
        terms s = terms_of(r, e->a), t = {.n = 0};
        for (int j = 0; j < e->n; j++)
            if (!r->fixed[e->b[j]]) t.at[t.n] = e->b[j], t.w[t.n++] = e->w[j];
        add_spring(r, e->stiffness, &s, &t);
    }
    for (int i = 0; i < r->n; i++)
        if (r->fixed[i] || r->by[i] >= 0) add(r, i, i, 1);
}

// x := what the loads in it displace; sides that follow others follow.
static void solve(rest *r, jd_dd *x) {
    for (int i = 0; i < r->n; i++) {
        if (r->by[i] < 0 && !r->fixed[i]) continue;
        terms t = terms_of(r, i);
        for (int j = 0; j < t.n; j++) x[t.at[j]] = dd_add(x[t.at[j]], dd_scale(x[i], t.w[j]));
        x[i] = dd(0);
    }
    jd_ldl_factor(&r->ldl, &r->K, &r->zero, dd(0));
    jd_ldl_solve(&r->ldl, x);
    for (int i = 0; i < r->n; i++) {
        if (r->by[i] < 0 || r->fixed[i]) continue;
        terms t = terms_of(r, i);
        for (int j = 0; j < t.n; j++) x[i] = dd_add(x[i], dd_scale(x[t.at[j]], t.w[j]));
    }
}

static jd_dd slip(const element *e, const jd_dd *u) {
    jd_dd sum = u[e->a];
    for (int i = 0; i < e->n; i++) sum = dd_sub(sum, dd_scale(u[e->b[i]], e->w[i]));
    return sum;
}

// r->rest := K u - load by nodes, before any contact.
static void unbalanced(rest *r, const jd_dd *u, double share) {
    for (int i = 0; i < r->n; i++) r->rest[i] = dd_scale(dd(r->load[i]), -share);
    for (int b = 0; b < r->m->n_rod; b++) {
        const rod *a = &r->m->rods[b];
        const int *dof = r->dof[b];
        for (int i = 0; i + 1 < a->grid.n; i++) {
            jd_dd f = dd_scale(dd_sub(u[dof[i + 1]], u[dof[i]]), jd_rod_spring(a, i));
            r->rest[dof[i]] = dd_sub(r->rest[dof[i]], f);
            r->rest[dof[i + 1]] = dd_add(r->rest[dof[i + 1]], f);
        }
        int last = dof[a->grid.n - 1];
        r->rest[dof[0]] = dd_add(r->rest[dof[0]], dd_scale(u[dof[0]], end_spring(a, 0)));
        r->rest[last] = dd_add(r->rest[last], dd_scale(u[last], end_spring(a, 1)));
    }
}

// Force of every held contact for displacements u under `share` of the load; contacts at a bound
// have `bound`, or nothing (rates).
static void forces(rest *r, const jd_dd *u, double share, bool rates, jd_dd *out) {
    unbalanced(r, u, share);
    for (int i = 0; i < r->n_element; i++) {
        const element *e = &r->element[i];
        if (e->state == 0 && e->stiffness == 0) continue;
        out[i] = e->state == 0 ? dd_scale(slip(e, u), -e->stiffness)
                 : rates       ? dd(0)
                               : dd(e->state > 0 ? e->hi : e->lo);
        r->rest[e->a] = dd_sub(r->rest[e->a], out[i]);
    }
    for (int i = 0; i < r->n_element; i++)
        if (r->element[i].state == 0 && r->element[i].stiffness == 0)
            out[i] = r->rest[r->element[i].a];
}

static void set_state(rest *r, int i, int state) {
    element *e = &r->element[i];
    e->state = state;
    if (e->stiffness == 0) r->by[e->a] = state == 0 ? i : -1;
}

// A body that nothing holds; -1: none.
static int loose(rest *r) {
    march *m = r->m;
    for (int b = 0; b < m->n_rod; b++)
        r->anchor[b] = m->rods[b].fixed[0] || m->rods[b].fixed[1] || r->pinned[b] ? -1 : b;
    for (int i = 0; i < r->n_element; i++) {
        const element *e = &r->element[i];
        if (e->state != 0) continue;
        const rod *a = !e->skin ? m->toes[e->index].a : e->sign < 0 ? e->skin->b : e->skin->a;
        jd_rest_join(r->anchor, jd_rest_body(r, a),
                     e->n > 0 && e->skin ? jd_rest_body(r, e->skin->b) : -1);
    }
    for (int b = 0; b < m->n_rod; b++)
        if (jd_rest_root(r->anchor, b) >= 0) return b;
    return -1;
}

static jd_status slides(const rest *r, int body, double lambda) {
    const char *name = jd_problem_body(r->m->run->problem, body)->name;
    jd_context *context = r->m->run->context;
    jd_fail(context, JD_OUT_OF_RANGE,
            "there is no equilibrium: with %.4g %% of the constant loads `%s` slides", 100 * lambda,
            name[0] ? name : "structure");
    jd_fail_where(context, "start");
    jd_fail_hint(context,
                 "`start: rest` lets it go from time 0; or give its contacts more friction");
    return JD_OUT_OF_RANGE;
}

// Distance in lambda to the next event of a contact; *to is its state behind it.
static double next_event(const element *e, jd_dd f, jd_dd df, jd_dd gap, jd_dd dgap, int *to) {
    double rate = dd_value(df), t = HUGE_VAL;
    if (e->state == 0) {
        *to = rate > 0 ? 1 : -1;
        if (rate == 0) return HUGE_VAL;
        t = (rate > 0 ? e->hi - dd_value(f) : e->lo - dd_value(f)) / rate;
    } else { // at hi it slips towards -, away from where it was held
        *to = 0;
        if (dd_value(dgap) * e->state <= 0) return HUGE_VAL;
        t = -dd_value(gap) / dd_value(dgap);
    }
    return fmax(t, 0);
}

// Slip since a contact was last held, of one at a bound.
static jd_dd gap_of(const element *e, const jd_dd *u) {
    double bound = e->state > 0 ? e->hi : e->lo;
    jd_dd d = slip(e, u);
    return e->stiffness > 0 ? dd_add(d, dd(bound / e->stiffness)) : d;
}

// One stretch of the path: up to an event, or to lambda = 1.
static jd_status stretch(rest *r, jd_dd *f, jd_dd *df, double *lambda) {
    int body = loose(r), first = -1, to = 0;
    if (body >= 0) return slides(r, body, *lambda);
    assemble(r);
    for (int i = 0; i < r->n; i++) r->rate[i] = dd(r->load[i]);
    solve(r, r->rate);
    forces(r, r->rate, 1, true, df);
    double by = 1 - *lambda;
    for (int i = 0; i < r->n_element; i++) {
        const element *e = &r->element[i];
        int state;
        double t = next_event(e, f[i], df[i], gap_of(e, r->u), slip(e, r->rate), &state);
        if (t < by) by = t, first = i, to = state;
    }
    for (int i = 0; i < r->n; i++) r->u[i] = dd_add(r->u[i], dd_scale(r->rate[i], by));
    for (int i = 0; i < r->n_element; i++) f[i] = dd_add(f[i], dd_scale(df[i], by));
    *lambda = first < 0 ? 1 : *lambda + by;
    if (first < 0) return JD_OK;
    set_state(r, first, to);
    if (to != 0) f[first] = dd(to > 0 ? r->element[first].hi : r->element[first].lo);
    return JD_OK;
}

// The state at the end as it is: contacts at their bounds, no path.
static void solve_end(rest *r, jd_dd *f) {
    assemble(r);
    for (int i = 0; i < r->n; i++) r->u[i] = dd(r->load[i]);
    for (int i = 0; i < r->n_element; i++) {
        const element *e = &r->element[i];
        if (e->state == 0) continue;
        double bound = e->state > 0 ? e->hi : e->lo;
        r->u[e->a] = dd_add(r->u[e->a], dd(bound));
        for (int j = 0; j < e->n; j++)
            r->u[e->b[j]] = dd_sub(r->u[e->b[j]], dd_scale(dd(bound), e->w[j]));
    }
    solve(r, r->u);
    forces(r, r->u, 1, false, f);
}

// How far a contact is from what its state allows, relative to its limit; *to: the state it wants.
static double wrong(const element *e, jd_dd f, const jd_dd *u, double scale, int *to) {
    double size = fmax(e->hi - e->lo, 1e-300);
    if (e->state == 0) {
        double over = dd_value(f) > e->hi ? dd_value(f) - e->hi : e->lo - dd_value(f);
        *to = dd_value(f) > e->hi ? 1 : -1;
        return over / size;
    }
    *to = 0;
    return dd_value(gap_of(e, u)) * e->state / scale;
}

static jd_status polish(rest *r, jd_dd *f) {
    for (int round = 0; round < POLISH; round++) {
        double worst = sharp, scale = 1e-300;
        int at = -1, to = 0;
        int body = loose(r);
        if (body >= 0) return slides(r, body, 1);
        solve_end(r, f);
        for (int i = 0; i < r->n; i++) scale = fmax(scale, fabs(r->u[i].hi));
        for (int i = 0; i < r->n_element; i++) {
            int state;
            double w = wrong(&r->element[i], f[i], r->u, scale, &state);
            if (w > worst) worst = w, at = i, to = state;
        }
        if (at < 0) return JD_OK;
        set_state(r, at, to);
    }
    return jd_fail(r->m->run->context, JD_NO_CONVERGENCE,
                   "the equilibrium under the constant loads was not found");
}

static jd_status follow_load(rest *r, jd_dd *f, jd_dd *df) {
    double lambda = 0;
    unsigned draw = 1;
    for (int i = 0; i < r->n_element; i++) {
        element *e = &r->element[i];
        draw = draw * 1664525u + 1013904223u;
        double more = 1 + tie * (double)(draw >> 8) / 0x1p24;
        e->lo *= more, e->hi *= more;
        f[i] = dd(0);
        set_state(r, i, e->lo == 0 && e->hi == 0 ? 1 : 0);
    }
    for (int i = 0; i < r->n; i++) r->u[i] = dd(0);
    for (long k = 0; lambda < 1; k++) {
        if (k > 20L * (r->n_element + 2))
            return jd_fail(r->m->run->context, JD_NO_CONVERGENCE,
                           "the path to the equilibrium under the constant loads has no end");
        JD_TRY(stretch(r, f, df, &lambda));
    }
    return JD_OK;
}

// Displacements and forces into the march, which stands still there.
static void put_back(const rest *r, const jd_dd *f) {
    march *m = r->m;
    for (int b = 0; b < m->n_rod; b++)
        for (int i = 0; i < m->rods[b].grid.n; i++) {
            rod *a = &m->rods[b];
            a->u[i] = a->old[i] = a->new[i] = a->past[i] = dd_value(r->u[r->dof[b][i]]);
        }
    for (int i = 0; i < m->n_push; i++) { // what acted all along
        push *p = &m->pushes[i];
        if (p->always)
            p->force = p->force_before = ((const jd_constant_def *)p->object->def)->value;
    }
    for (int i = 0; i < r->n_element; i++) {
        const element *e = &r->element[i];
        double force = e->sign * dd_value(f[i]);
        if (!e->skin) {
            toe *t = &m->toes[e->index];
            t->force = t->force_before = force;
            t->e = t->e_old = force < 0 ? -force / t->spring : dd_value(r->u[e->a]);
            continue;
        }
        const skin *k = e->skin;
        int j = e->index;
        k->state.s[j] = k->state.d[j] = -force / k->per[j];
        k->state.s_before[j] = k->state.d_before[j] = k->state.s[j];
        k->state.half[j] = 0.5 * k->state.s[j];
        if (e->stiffness > 0) k->state.stretch[j] = k->state.stretch_old[j] = -force / e->stiffness;
    }
}

static bool unsettled(march *m, double *before) {
    double off = 0, size = 0;
    for (int i = 0, n = 0; i < m->n_skin; i++)
        for (int j = 0; j < m->skins[i].n; j++, n++) {
            double limit = m->skins[i].most[j];
            off = fmax(off, fabs(limit - before[n]));
            size = fmax(size, limit);
            before[n] = limit;
        }
    return off > 1e-15 * size;
}

static jd_status settle(march *m, jd_arena *arena) {
    rest r;
    JD_TRY(jd_rest_take(m, arena, &r));
    int most = 0;
    for (int i = 0; i < m->n_skin; i++) most += m->skins[i].n;
    jd_dd *f = JD_TAKE(arena, jd_dd, r.n_element), *df = JD_TAKE(arena, jd_dd, r.n_element);
    double *limits = JD_TAKE(arena, double, most);
    JD_TRY(jd_arena_status(arena));
    for (int round = 0; round < SETTLED; round++) { // a moving footprint has limits of its place
        for (int i = 0; i < m->n_skin; i++)
            if (m->skins[i].cells->moving) jd_skin_limits(&m->skins[i]);
        if (!unsettled(m, limits) && round > 0) break;
        jd_rest_contacts(&r);
        JD_TRY(follow_load(&r, f, df));
        for (int i = 0; i < r.n_element; i++) {
            element *e = &r.element[i];
            e->hi = e->skin ? e->skin->most[e->index] * e->skin->per[e->index] : 0;
            e->lo = e->skin ? -e->hi : -m->toes[e->index].limit;
        }
        JD_TRY(polish(&r, f));
        put_back(&r, f);
    }
    int held = 0;
    for (int i = 0; i < r.n_element; i++) held += r.element[i].state == 0 && r.element[i].skin;
    if (held > 0)
        jd_log(m->run->context, JD_LOG_NOTE,
               "start: static leaves the friction of %d cells open; taken is what they have when "
               "the constant loads grow from 0 on rods without strain",
               held);
    return JD_OK;
}

jd_status jd_wave_settle(march *m) {
    if (m->n_bumper > 0) {
        jd_fail(m->run->context, JD_NOT_SUPPORTED,
                "engine wave finds no equilibrium of rods with stops (contact `%s`)",
                jd_problem_contact(m->run->problem, m->bumpers[0].contact)->name);
        jd_fail_where(m->run->context, "start");
        jd_fail_hint(m->run->context, "`start: rest` begins without strain; loads act from time 0");
        return JD_NOT_SUPPORTED;
    }
    jd_arena *arena = jd_arena_create(m->run->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status s = settle(m, arena);
    jd_arena_free(arena);
    if (s == JD_OK) jd_wave_energy_begins(m);
    return s;
}
