// static_plan.c -- what a static start solves: dofs in order along the rods, elements, loads.
//   The band is narrow because nodes are numbered by their place on a common axis, on which the
//   counterpart of each contact lies beside its structure.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/wave/static.h"

typedef struct seat {
    double x;
    int body, node;
} seat;

static int by_place(const void *p, const void *q) {
    const seat *a = p, *b = q;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    return a->body != b->body ? a->body - b->body : a->node - b->node;
}

static void line_up(rest *r) {
    march *m = r->m;
    bool moved = true;
    for (int b = 0; b < m->n_rod; b++) r->anchor[b] = b;
    while (moved) { // a body without a contact stays at 0
        moved = false;
        for (int i = 0; i < m->n_skin; i++) {
            const jd_interface *c = m->skins[i].cells;
            int a = c->body[0], b = c->body[1];
            if (b < 0 || jd_rest_root(r->anchor, a) == jd_rest_root(r->anchor, b)) continue;
            double by = r->offset[a] - c->shift - r->offset[b];
            int group = jd_rest_root(r->anchor, b);
            for (int k = 0; k < m->n_rod; k++)
                if (jd_rest_root(r->anchor, k) == group) r->offset[k] += by;
            jd_rest_join(r->anchor, b, a);
            moved = true;
        }
    }
}

static jd_status number_dofs(rest *r) {
    march *m = r->m;
    seat *list = JD_TAKE(r->arena, seat, r->n);
    JD_TRY(jd_arena_status(r->arena));
    line_up(r);
    int n = 0;
    for (int b = 0; b < m->n_rod; b++)
        for (int i = 0; i < m->rods[b].grid.n; i++)
            list[n++] = (seat){m->rods[b].position[i] + r->offset[b], b, i};
    qsort(list, (size_t)n, sizeof *list, by_place);
    for (int i = 0; i < n; i++) {
        r->dof[list[i].body][list[i].node] = i;
        r->fixed[i] = m->rods[list[i].body].weight[list[i].node] == 0;
        r->by[i] = -1;
    }
    return JD_OK;
}

static void take_skin(rest *r, const skin *k) {
    int a = jd_rest_body(r, k->a), b = k->b ? jd_rest_body(r, k->b) : -1;
    for (int j = 0; j < k->n; j++) {
        double limit = k->most[j] * k->per[j];
        int dof = r->dof[a][k->ia + j];
        if (k->belt != 0) { // it slides, whatever the load
            r->load[dof] += k->belt > 0 ? limit : -limit;
            continue;
        }
        meeting at = jd_skin_meets(k, j);
        bool turned = r->fixed[dof] && at.n == 1;
        if (!(k->per[j] > 0) || (r->fixed[dof] && !turned)) continue;
        element *e = &r->element[r->n_element++];
        *e = (element){.skin = k,
                       .index = j,
                       .a = turned ? r->dof[b][at.node] : dof,
                       .stiffness = k->cells->stiffness[j],
                       .lo = -limit,
                       .hi = limit,
                       .sign = turned ? -1 : 1};
        e->n = b < 0 || turned ? 0 : at.n;
        for (int i = 0; i < e->n; i++) e->b[i] = r->dof[b][at.node + i], e->w[i] = at.share[i];
    }
}

void jd_rest_contacts(rest *r) {
    march *m = r->m;
    r->n_element = 0;
    memset(r->load, 0, (size_t)r->n * sizeof *r->load);
    for (int i = 0; i < m->n_skin; i++) take_skin(r, &m->skins[i]);
    for (int i = 0; i < m->n_toe; i++) {
        const toe *e = &m->toes[i];
        int dof = r->dof[jd_rest_body(r, e->a)][e->node];
        if (r->fixed[dof]) continue;
        r->element[r->n_element++] =
            (element){.index = i, .a = dof, .stiffness = e->spring, .lo = -e->limit, .sign = 1};
    }
    for (int i = 0; i < m->n_push; i++) {
        const push *p = &m->pushes[i];
        if (!p->always) continue;
        double value = ((const jd_constant_def *)p->object->def)->value;
        for (int j = 0; j < p->n; j++)
            r->load[r->dof[jd_rest_body(r, p->a)][p->first + j]] += value * p->share[j];
    }
}

static void widen(int *width, int i, int j) {
    int d = i > j ? i - j : j - i;
    if (d > *width) *width = d;
}

// A free body without load and contact is held by a node of its own: it carries nothing.
static void pin_idle(rest *r) {
    for (int b = 0; b < r->m->n_rod; b++) {
        const rod *a = &r->m->rods[b];
        bool idle = !a->fixed[0] && !a->fixed[1];
        for (int i = 0; i < a->grid.n; i++) idle = idle && r->load[r->dof[b][i]] == 0;
        for (int i = 0; i < r->n_element; i++) {
            const element *e = &r->element[i];
            bool touches =
                e->skin ? e->skin->a == a || e->skin->b == a : r->m->toes[e->index].a == a;
            idle = idle && !(touches && e->hi > e->lo);
        }
        if (idle) r->pinned[b] = r->fixed[r->dof[b][0]] = true;
    }
}

// Diagonals below the main one, whatever is held.
static void find_width(rest *r) {
    int wide = 0, along = 0;
    for (int b = 0; b < r->m->n_rod; b++)
        for (int i = 0; i + 1 < r->m->rods[b].grid.n; i++)
            widen(&along, r->dof[b][i], r->dof[b][i + 1]);
    for (int i = 0; i < r->n_element; i++)
        for (int j = 0; j < r->element[i].n; j++) widen(&wide, r->element[i].a, r->element[i].b[j]);
    r->width = along + 2 * wide + 4 * r->m->n_rod; // a moving footprint may go on to another node
    if (r->width > r->n - 1) r->width = r->n - 1;
}

jd_status jd_rest_take(march *m, jd_arena *arena, rest *r) {
    int most = m->n_toe;
    *r = (rest){.m = m, .arena = arena};
    r->dof = JD_TAKE(arena, int *, m->n_rod);
    JD_TRY(jd_arena_status(arena));
    for (int b = 0; b < m->n_rod; b++) {
        r->dof[b] = JD_TAKE(arena, int, m->rods[b].grid.n);
        r->n += m->rods[b].grid.n;
    }
    for (int i = 0; i < m->n_skin; i++) most += m->skins[i].n;
    r->fixed = JD_TAKE(arena, bool, r->n);
    r->pinned = JD_TAKE(arena, bool, m->n_rod);
    r->by = JD_TAKE(arena, int, r->n);
    r->anchor = JD_TAKE(arena, int, m->n_rod);
    r->offset = JD_TAKE(arena, double, m->n_rod);
    r->load = JD_TAKE(arena, double, r->n);
    r->element = JD_TAKE(arena, element, most);
    r->u = JD_TAKE(arena, jd_dd, r->n);
    r->rate = JD_TAKE(arena, jd_dd, r->n);
    r->rest = JD_TAKE(arena, jd_dd, r->n);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(number_dofs(r));
    jd_rest_contacts(r);
    pin_idle(r);
    find_width(r);
    size_t size = (size_t)r->n * (size_t)(r->width + 1);
    r->K = (jd_band){r->n, r->width, JD_TAKE(arena, jd_dd, size)};
    r->zero = (jd_band){r->n, 0, JD_TAKE(arena, jd_dd, r->n)};
    jd_ldl_take(arena, r->n, r->width, &r->ldl);
    return jd_arena_status(arena);
}
