// mesh_parts.c -- a mesh from what a file gave: nodes sorted by label, elements and sets by number;
// which format a file has; tables `node,x,y,z`.
#include "structure/matrices/formats/mesh_parts.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LARGEST = 1 << 30, WORD = 64 };

jd_status jd_mesh_parts_room(jd_arena *arena, jd_mesh_parts *p, size_t nodes, size_t cells,
                             size_t members) {
    p->label = JD_TAKE(arena, int, nodes);
    p->line = JD_TAKE(arena, int, nodes);
    p->at = JD_TAKE(arena, double, 3 * nodes);
    p->type = JD_TAKE(arena, int, cells);
    p->start = JD_TAKE(arena, int, cells + 1);
    p->cell_node = JD_TAKE(arena, int, JD_MESH_CELL_NODES *cells);
    p->set = JD_TAKE(arena, const char *, members);
    p->member = JD_TAKE(arena, jd_mesh_members, members);
    return jd_arena_status(arena);
}

void jd_mesh_add_node(jd_mesh_parts *p, int label, const double at[3]) {
    p->label[p->n] = label;
    p->line[p->n] = p->scan->line;
    memcpy(p->at + 3 * (size_t)p->n, at, 3 * sizeof *at);
    p->n++;
}

void jd_mesh_add_cell(jd_mesh_parts *p, int type, int n, const int *label) {
    memcpy(p->cell_node + p->n_cell_node, label, (size_t)n * sizeof *label);
    p->n_cell_node += n;
    p->type[p->n_cell++] = type;
    p->start[p->n_cell] = p->n_cell_node;
}

int jd_mesh_set_number(jd_arena *arena, jd_mesh_parts *p, const char *name) {
    for (int i = 0; i < p->n_set; i++)
        if (!strcasecmp(p->set[i], name)) return i;
    const char *copy = jd_arena_text(arena, name);
    if (!copy) return -1;
    p->set[p->n_set] = copy;
    return p->n_set++;
}

typedef struct labelled {
    int label, from;
} labelled;

static int compare(const void *a, const void *b) {
    const labelled *x = a, *y = b;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static jd_status sort_nodes(jd_arena *arena, jd_mesh_parts *p, jd_mesh *m) {
    labelled *order = JD_TAKE(arena, labelled, p->n);
    m->n = p->n;
    m->node = JD_TAKE(arena, int, p->n);
    m->at = JD_TAKE(arena, double, 3 * (size_t)p->n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < p->n; i++) order[i] = (labelled){p->label[i], i};
    qsort(order, (size_t)p->n, sizeof *order, compare);
    for (int i = 0; i < p->n; i++) {
        if (i > 0 && order[i].label == order[i - 1].label) {
            p->scan->line = p->line[order[i].from];
            jd_scan_fail(p->scan, JD_DUPLICATE_NAME, "node %d is given twice, first in line %d",
                         order[i].label, p->line[order[i - 1].from]);
            jd_fail_hint(p->scan->context,
                         "parts and instances with labels of their own are not told apart: write "
                         "a flat input file, or a table `node,x,y,z`");
            return JD_DUPLICATE_NAME;
        }
        m->node[i] = order[i].label;
        memcpy(m->at + 3 * (size_t)i, p->at + 3 * (size_t)order[i].from, 3 * sizeof(double));
    }
    return JD_OK;
}

static jd_status find_cells(jd_arena *arena, const jd_mesh_parts *p, jd_mesh *m) {
    jd_mesh_cells *c = &m->cells;
    c->type = JD_TAKE(arena, int, p->n_cell);
    c->start = JD_TAKE(arena, int, p->n_cell + 1);
    c->node = JD_TAKE(arena, int, p->n_cell_node);
    JD_TRY(jd_arena_status(arena));
    c->n_other = p->n_other;
    for (int i = 0; i < p->n_cell; i++) {
        int at = c->start[c->n], n = p->start[i + 1] - p->start[i], k = 0;
        for (; k < n; k++) {
            int node = jd_mesh_find(m, p->cell_node[p->start[i] + k]);
            if (node < 0) break;
            c->node[at + k] = node;
        }
        if (k < n) {
            c->n_other++;
            continue;
        }
        c->type[c->n++] = p->type[i];
        c->start[c->n] = at + n;
    }
    return JD_OK;
}

// First node whose label is not below `label`.
static int not_below(const jd_mesh *m, int label) {
    int low = 0, high = m->n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (m->node[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void mark(const jd_mesh *m, const jd_mesh_members *e, bool *in) {
    if (e->other >= 0) {
        const jd_mesh_set *s = &m->set[e->other];
        for (int i = 0; i < s->n; i++) in[jd_mesh_find(m, s->node[i])] = true;
        return;
    }
    for (int i = not_below(m, e->first); i < m->n && m->node[i] <= e->last; i++)
        if (((long)m->node[i] - e->first) % e->step == 0) in[i] = true;
}

// Members in the order of their sets; start[s] is where those of set s begin.
static jd_mesh_members *by_set(jd_arena *arena, const jd_mesh_parts *p, int **start) {
    jd_mesh_members *sorted = JD_TAKE(arena, jd_mesh_members, p->n_member);
    int *at = *start = JD_TAKE(arena, int, p->n_set + 1);
    if (jd_arena_status(arena) != JD_OK) return NULL;
    for (int i = 0; i < p->n_member; i++) at[p->member[i].set + 1]++;
    for (int s = 0; s < p->n_set; s++) at[s + 1] += at[s];
    for (int i = 0; i < p->n_member; i++) sorted[at[p->member[i].set]++] = p->member[i];
    for (int s = p->n_set; s > 0; s--) at[s] = at[s - 1];
    at[0] = 0;
    return sorted;
}

static jd_status find_sets(jd_arena *arena, const jd_mesh_parts *p, jd_mesh *m) {
    int *start;
    const jd_mesh_members *member = by_set(arena, p, &start);
    bool *in = JD_TAKE(arena, bool, m->n);
    m->set = JD_TAKE(arena, jd_mesh_set, p->n_set);
    JD_TRY(jd_arena_status(arena));
    m->n_set = p->n_set;
    for (int s = 0; s < p->n_set; s++) {
        int n = 0, k = 0;
        for (int i = start[s]; i < start[s + 1]; i++) mark(m, &member[i], in);
        for (int i = 0; i < m->n; i++) n += in[i];
        int *node = JD_TAKE(arena, int, n);
        JD_TRY(jd_arena_status(arena));
        for (int i = 0; i < m->n; i++) {
            if (in[i]) node[k++] = m->node[i];
            in[i] = false;
        }
        m->set[s] = (jd_mesh_set){p->set[s], n, node};
    }
    return JD_OK;
}

jd_status jd_mesh_finish(jd_arena *arena, jd_mesh_parts *p, jd_mesh *m) {
    if (p->n == 0) {
        jd_scan_fail(p->scan, JD_EMPTY_FILE, "`%s` has no nodes with coordinates", p->scan->path);
        jd_fail_hint(p->scan->context,
                     "an input file has them behind *NODE (files that it includes are not read), "
                     "a universal file in dataset 15 or 2411, a table in lines `node,x,y,z`");
        return JD_EMPTY_FILE;
    }
    JD_TRY(sort_nodes(arena, p, m));
    JD_TRY(find_cells(arena, p, m));
    return find_sets(arena, p, m);
}

// ---- tables

static jd_status read_table(jd_arena *arena, jd_scan *s, jd_mesh *m) {
    jd_mesh_parts p = {.scan = s};
    size_t lines = 0;
    char word[WORD];
    while (jd_scan_data(s)) lines++;
    JD_TRY(jd_mesh_parts_room(arena, &p, lines, 0, 0));
    jd_scan_again(s);
    s->commas = true;
    for (int i = 0; jd_scan_data(s); i++) {
        if (i == 0 && !strchr("+-0123456789", *s->at)) { // names of the columns
            jd_scan_word(s, word, sizeof word);
            if (strcasecmp(word, "node") != 0)
                return jd_scan_fail(s, s->broken,
                                    "`%s` begins neither an input file, a universal file nor a "
                                    "table `node,x,y,z`",
                                    word);
            continue;
        }
        int label = 0;
        double at[3] = {0};
        JD_TRY(jd_scan_integer(s, "the node", INT_MIN, INT_MAX, &label));
        JD_TRY(jd_scan_real(s, "the coordinate x", &at[0]));
        JD_TRY(jd_scan_real(s, "the coordinate y", &at[1]));
        JD_TRY(jd_scan_real(s, "the coordinate z", &at[2]));
        JD_TRY(jd_scan_line_end(s));
        jd_mesh_add_node(&p, label, at);
    }
    return jd_mesh_finish(arena, &p, m);
}

jd_status jd_mesh_read(jd_arena *arena, const char *path, jd_mesh *m) {
    jd_scan s;
    *m = (jd_mesh){.path = path};
    JD_TRY(jd_scan_open(arena, path, LARGEST, JD_BROKEN_TABLE, &s));
    if (jd_mesh_is_universal(&s)) return jd_mesh_read_universal(arena, &s, m);
    if (jd_mesh_is_input(&s)) return jd_mesh_read_input(arena, &s, m);
    jd_scan_again(&s);
    return read_table(arena, &s, m);
}
