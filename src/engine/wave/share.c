// share.c -- nodes that several contacts act on: refused by name.
//   But for soil and stops, which take the first or last cell of a contact of their body along.
#include "engine/wave/wave.h"

static const char *contact_name(const march *m, int contact) {
    return jd_problem_contact(m->run->problem, contact)->name;
}

static jd_status crowded(const march *m, int one, int other, const char *hint) {
    jd_fail(m->run->context, JD_NOT_SUPPORTED, "the contacts `%s` and `%s` act on the same node",
            contact_name(m, one), contact_name(m, other));
    jd_fail_where(m->run->context, "contacts.%s", contact_name(m, other));
    jd_fail_hint(m->run->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

// Cell of the skin that works on this node, or -1.
int jd_skin_cell_at(const skin *k, const rod *a, int node) {
    if (k->a == a && node >= k->ia && node < k->ia + k->n) return node - k->ia;
    if (!k->cross && k->b == a && node >= k->ib && node < k->ib + k->n) return node - k->ib;
    return -1;
}

// Does the skin work on this node, as its structure or as its counterpart?
bool jd_skin_touches(const skin *k, const rod *a, int node) {
    if (!k->cross) return jd_skin_cell_at(k, a, node) >= 0;
    return (k->a == a && node >= k->ia && node < k->ia + k->n) ||
           (k->b == a && node >= k->cross->first && node <= k->cross->last);
}

static jd_status share_toes(march *m) {
    for (int i = 0; i < m->n_toe; i++)
        for (int j = 0; j < m->n_skin; j++) {
            toe *e = &m->toes[i];
            skin *k = &m->skins[j];
            int cell = jd_skin_cell_at(k, e->a, e->node);
            if (!jd_skin_touches(k, e->a, e->node)) continue;
            if (e->shared || k->a != e->a || m->trapezoidal || k->law ||
                (cell != k->low && cell != k->high - 1))
                return crowded(m, k->cells->contact, e->contact,
                               "soil may share the last or first cell of one contact of its body, "
                               "of friction that is the same at each speed, with the centred rule");
            e->shared = k;
            e->cell = cell;
            if (cell == k->low)
                k->low++;
            else
                k->high--;
        }
    return JD_OK;
}

// A stop takes the cell of a contact at its node along.
static jd_status share_side(march *m, int contact, stop_side *q) {
    for (int j = 0; q->a && j < m->n_skin; j++) {
        skin *k = &m->skins[j];
        int cell = jd_skin_cell_at(k, q->a, q->node);
        if (!jd_skin_touches(k, q->a, q->node)) continue;
        if (k->cross || q->shared || k->a != q->a || m->trapezoidal ||
            (cell != k->low && cell != k->high - 1))
            return crowded(m, k->cells->contact, contact,
                           "a stop may share the last or first cell of one contact of its body, "
                           "with the centred friction rule");
        q->shared = k;
        q->cell = cell;
        if (cell == k->low)
            k->low++;
        else
            k->high--;
    }
    for (int j = 0; q->a && j < m->n_toe; j++)
        if (m->toes[j].a == q->a && m->toes[j].node == q->node)
            return crowded(m, m->toes[j].contact, contact, "soil and a stop need a node each");
    return JD_OK;
}

static jd_status share_stops(march *m) {
    for (int i = 0; i < m->n_bumper; i++)
        for (int s = 0; s < 2; s++) {
            stop_side *q = &m->bumpers[i].side[s];
            for (int j = 0; q->a && j < 2 * i; j++) {
                const stop_side *other = &m->bumpers[j / 2].side[j % 2];
                if (other->a == q->a && other->node == q->node)
                    return crowded(m, m->bumpers[j / 2].contact, m->bumpers[i].contact,
                                   "stops need a node each");
            }
            JD_TRY(share_side(m, m->bumpers[i].contact, q));
        }
    return JD_OK;
}

jd_status jd_march_share(march *m) {
    for (int b = 0; b < m->n_rod; b++)
        for (int node = 0; node < m->rods[b].grid.n; node++) {
            const skin *first = NULL;
            for (int i = 0; i < m->n_skin; i++) {
                const skin *k = &m->skins[i];
                if (!jd_skin_touches(k, &m->rods[b], node)) continue;
                if (first)
                    return crowded(m, first->cells->contact, k->cells->contact,
                                   "the engine wave takes one contact at a node; keep their spans "
                                   "a cell apart");
                first = k;
            }
        }
    JD_TRY(share_toes(m));
    return share_stops(m);
}
