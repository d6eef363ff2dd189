// graph.c -- how branches and families hang together: nodes and the pieces between them.
//   Two places are one node when they are of one kind and agree in omega to 1e-9 and in energy to
//   1e-6. Nodes are looked up by omega in an ordered list: O(log n) each.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/nsm/nsm.h"

const char *jd_nsm_meeting_name(jd_nsm_meeting kind) {
    static const char *const names[] = {"linear", "graze", "fold", "middle", "flip", "loose end"};
    return names[kind];
}

const jd_nsm_graph *jd_nsm_graph_of(const jd_nsm *s) { return &s->found.graph; }

typedef struct builder {
    jd_nsm *s;
    jd_nsm_node *node;
    jd_nsm_edge *edge;
    int *order; // nodes by rising omega
    int n_node, n_edge;
} builder;

static bool same(const jd_nsm_node *a, const jd_nsm_node *b) {
    return a->kind == b->kind && fabs(a->omega - b->omega) <= 1e-9 * a->omega &&
           fabs(a->energy - b->energy) <= 1e-6 * a->energy;
}

// The node there, made if it is new.
static int node_at(builder *b, jd_nsm_meeting kind, double omega, double energy) {
    jd_nsm_node new = {kind, omega, energy};
    int low = 0, high = b->n_node;
    while (low < high) {
        int middle = (low + high) / 2;
        if (b->node[b->order[middle]].omega < omega * (1 - 1e-9))
            low = middle + 1;
        else
            high = middle;
    }
    for (int i = low; i < b->n_node && b->node[b->order[i]].omega <= omega * (1 + 1e-9); i++)
        if (same(&new, &b->node[b->order[i]])) return b->order[i];
    memmove(b->order + low + 1, b->order + low, (size_t)(b->n_node - low) * sizeof *b->order);
    b->order[low] = b->n_node;
    b->node[b->n_node] = new;
    return b->n_node++;
}

static void connect(builder *b, int branch, int family, int from, int to) {
    b->edge[b->n_edge++] = (jd_nsm_edge){branch, family, from, to};
}

static void add_branch(builder *b, int i) {
    const jd_nsm_branch *r = &b->s->found.branch[i];
    int at = node_at(b, JD_NSM_AT_LINEAR, r->omega_start, r->energy_start);
    for (int k = 0; k + 1 < r->n_interval; k++) {
        const jd_nsm_interval *v = &r->interval[k];
        if (v->ends_with != JD_NSM_FOLD) continue;
        int fold = node_at(b, JD_NSM_AT_FOLD, v->to, jd_nsm_energy(b->s, v->to));
        connect(b, i, -1, at, fold);
        at = fold;
    }
    connect(b, i, -1, at,
            r->end == JD_NSM_GRAZE ? node_at(b, JD_NSM_AT_GRAZE, r->omega_end, r->energy_end) : -1);
}

// Where a family ends; -1: without bound.
static int last_node(builder *b, const jd_nsm_family *f) {
    double omega = f->omega[f->n - 1], energy = f->energy[f->n - 1];
    switch (f->stop) {
    case JD_NSM_STOP_GRAZE:
    case JD_NSM_STOP_FADES:
        return node_at(b, JD_NSM_AT_GRAZE, omega, energy);
    case JD_NSM_STOP_LINEAR:
        return node_at(b, JD_NSM_AT_LINEAR, omega, energy);
    case JD_NSM_STOP_HALVED:
        return node_at(b, JD_NSM_AT_FLIP, omega, energy);
    case JD_NSM_STOP_UNBOUNDED:
        return -1;
    default:
        return node_at(b, JD_NSM_AT_LOOSE_END, omega, energy);
    }
}

static void add_family(builder *b, int i) {
    const jd_nsm_family *f = &b->s->found.family[i];
    jd_nsm_meeting begin = f->kind == JD_NSM_PAIR ? JD_NSM_AT_MIDDLE : JD_NSM_AT_GRAZE;
    int at = node_at(b, begin, f->omega[0], f->energy[0]);
    if (f->kind == JD_NSM_BRIDGE) { // its other half is the same orbits, seen from the other impact
        int half = f->n / 2;
        connect(b, -1, i, at, node_at(b, JD_NSM_AT_MIDDLE, f->omega[half], f->energy[half]));
        return;
    }
    for (int k = 0; k < f->n_turn; k++) {
        int fold = node_at(b, JD_NSM_AT_FOLD, f->turn[k].omega, f->turn[k].energy);
        connect(b, -1, i, at, fold);
        at = fold;
    }
    connect(b, -1, i, at, last_node(b, f));
}

jd_status jd_nsm_connect(jd_nsm *s) {
    int room = 0;
    for (int i = 0; i < s->found.n_branch; i++) room += 2 + s->found.branch[i].n_interval;
    for (int i = 0; i < s->found.n_family; i++) room += 2 + s->found.family[i].n_turn;
    builder b = {.s = s,
                 .node = JD_TAKE(s->arena, jd_nsm_node, room),
                 .edge = JD_TAKE(s->arena, jd_nsm_edge, room),
                 .order = JD_TAKE(s->arena, int, room)};
    JD_TRY(jd_arena_status(s->arena));
    for (int i = 0; i < s->found.n_branch; i++) add_branch(&b, i);
    for (int i = 0; i < s->found.n_family; i++) add_family(&b, i);
    s->found.graph = (jd_nsm_graph){b.n_node, b.n_edge, b.node, b.edge};
    return JD_OK;
}
