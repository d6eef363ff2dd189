// knobs.c -- every number of the model that can be turned: from the parameter tables, with the
// value and unit that the text gives it.
//   A change is sent as `path=value` and `suffix`: a bare number keeps the unit of the text; where
//   the text does not have the number, the SI unit is written behind it.
#include <math.h>
#include <string.h>

#include "lab/lab.h"
#include "model/bind.h"
#include "model/number.h"
#include "problem/paths/slots.h"

enum { MOST_KNOBS = 600 };

typedef struct knobs {
    bool structures; // those of structures, which may be tables of thousands; else all others
    request *request;
    jd_problem *problem;
    jd_node *root;
    json_t *list;
} knobs;

// The number as it stands in the text with the changes made; false: it does not stand there.
static bool written(const knobs *k, const char *path, jd_number *out) {
    const char *rest = "";
    const jd_node *node = k->root ? jd_node_at(k->root, path, &rest) : NULL;
    if (!node || *rest || node->kind != JD_NODE_SCALAR || node->quoted) return false;
    if (!jd_number_looks(node->text)) return false;
    bool good = jd_number_split(k->request->arena, node, "", out) == JD_OK;
    jd_context_clear_error(k->request->context);
    return good;
}

// Ends of the range allowed, in the unit of the text; NaN: none.
static void range_of(const jd_slot *slot, double size, double *low, double *high) {
    const jd_param *p = slot->param;
    *low = *high = (double)NAN;
    if (!p) {
        if (isfinite(slot->above)) *low = slot->above / size;
        return;
    }
    if (p->low == 0 && p->high == 0) return;
    *low = p->low / size;
    if (p->high > p->low && p->high < 1e300) *high = p->high / size;
}

static bool of_structure(const char *path) {
    return strncmp(path, "structure.", 10) == 0 || strncmp(path, "bodies.", 7) == 0;
}

static bool visit(void *user, const char *path, const jd_slot *slot) {
    knobs *k = user;
    if (of_structure(path) != k->structures) return true;
    jd_number number = {0};
    char unit[64] = "";
    double value = (double)NAN, low, high;
    if (slot->kind == JD_SLOT_LIST || json_array_size(k->list) >= MOST_KNOBS) return true;
    if (jd_problem_get(k->problem, path, &value) != JD_OK)
        jd_context_clear_error(k->request->context);
    if (!isfinite(value)) return true;
    jd_problem_unit(k->problem, path, sizeof unit, unit);
    bool there = written(k, path, &number);
    double size = there && number.value != 0 && value != 0 ? value / number.value : 1;
    bool bare = there && (number.value != 0 || !*number.unit); // 0 of a unit: its size is not known
    range_of(slot, bare ? size : 1, &low, &high);
    const char *shown = bare ? number.unit : unit, *suffix = "";
    if (!bare && jd_problem_is_si(k->problem) && *unit) suffix = unit;
    if (there && !bare) suffix = unit;
    const jd_param *p = slot->param;
    json_array_append_new(
        k->list,
        json_pack("{s:o, s:f, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:b, s:f}", "path",
                  jd_json_text(path), "value", bare ? number.value : value, "unit",
                  jd_json_text(shown), "suffix", jd_json_text(suffix), "low", json_finite(low),
                  "high", json_finite(high), "above", p && p->above, "whole",
                  (int)(slot->kind == JD_SLOT_INTEGER || slot->kind == JD_SLOT_MODE), "doc",
                  jd_json_text(p && p->doc ? p->doc : ""), "written", (int)there, "size",
                  bare ? size : 1));
    return true;
}

json_t *knobs_of(request *r, jd_problem *problem) {
    knobs k = {.request = r, .problem = problem, .list = json_array()};
    int n = 0;
    const char *const *set = NULL;
    if (jd_tree_parse(r->arena, r->model->name, r->model->text, r->model->size, &k.root) != JD_OK ||
        request_changes(r, &n, &set) != JD_OK)
        k.root = NULL;
    for (int i = 0; k.root && i < n; i++)
        if (jd_tree_set(r->arena, k.root, set[i]) != JD_OK) k.root = NULL;
    jd_context_clear_error(r->context);
    jd_problem_walk(problem, NULL, visit, &k); // first what is turned most
    k.structures = true;
    jd_problem_walk(problem, NULL, visit, &k);
    return k.list;
}
