// nsm.c -- nonsmooth modes as a document: branches, their ends, stability, orbits along them.
#include "result/nsm.h"

#include <math.h>

#include "base/fail.h"

static json_t *interval_json(const jd_nsm_interval *v) {
    return json_pack("{s:o, s:o, s:b, s:s, s:s, s:b, s:o}", "from", jd_json_real(v->from), "to",
                     jd_json_real(v->to), "stable", v->stable, "starts_with",
                     jd_nsm_change_name(v->starts_with), "ends_with",
                     jd_nsm_change_name(v->ends_with), "proved", v->proved, "resolution",
                     jd_json_real(v->resolution));
}

// Orbits along branch i.
static json_t *points_json(const jd_nsm *nsm, int branch, int points) {
    json_t *omega = json_array(), *energy = json_array(), *speed = json_array(),
           *judged = json_array();
    double at[JD_NSM_POINTS];
    jd_nsm_points(nsm, branch, points, at);
    for (int i = 0; i < points; i++) {
        bool stable;
        json_array_append_new(omega, jd_json_real(at[i]));
        json_array_append_new(energy, jd_json_real(jd_nsm_energy(nsm, at[i])));
        json_array_append_new(speed, jd_json_real(jd_nsm_speed(nsm, at[i])));
        if (jd_nsm_stable(nsm, branch, at[i], &stable))
            json_array_append_new(judged, json_boolean(stable));
    }
    json_t *out = json_pack("{s:o, s:o, s:o}", "omega", omega, "energy", energy, "speed", speed);
    if (json_array_size(judged) > 0)
        json_object_set_new(out, "stable", judged);
    else
        json_decref(judged);
    return out;
}

static json_t *branch_json(const jd_nsm *nsm, int i, int points) {
    const jd_nsm_branch *b = jd_nsm_branch_at(nsm, i);
    json_t *out =
        json_pack("{s:i, s:i, s:o, s:o, s:s, s:o, s:o, s:b}", "mode", b->mode, "divisor",
                  b->divisor, "omega_start", jd_json_real(b->omega_start), "omega_end",
                  jd_json_real(b->omega_end), "end", b->end == JD_NSM_GRAZE ? "graze" : "unbounded",
                  "energy_start", jd_json_real(b->energy_start), "energy_end",
                  jd_json_real(b->energy_end), "certified", b->certified);
    json_object_set_new(out, "graze_time",
                        b->end == JD_NSM_GRAZE ? jd_json_real(b->graze_time) : json_null());
    json_object_set_new(out, "resonant", json_integer(b->resonant));
    json_t *stability = json_array();
    for (int k = 0; k < b->n_interval; k++)
        json_array_append_new(stability, interval_json(&b->interval[k]));
    json_object_set_new(out, "stability", stability);
    if (points > 0) json_object_set_new(out, "orbits", points_json(nsm, i, points));
    return out;
}

static json_t *numbers(const double *value, int n) {
    json_t *list = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(list, jd_json_real(value[i]));
    return list;
}

static json_t *rows_of(const double *value, int n, int width) {
    json_t *list = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(list, numbers(value + i * width, width));
    return list;
}

static json_t *family_json(const jd_nsm *nsm, int i) {
    const jd_nsm_family *f = jd_nsm_family_at(nsm, i);
    const jd_nsm_branch *b = jd_nsm_branch_at(nsm, f->branch);
    json_t *turns = json_array(), *orbits;
    for (int k = 0; k < f->n_turn; k++)
        json_array_append_new(turns,
                              json_pack("{s:o, s:o}", "omega", jd_json_real(f->turn[k].omega),
                                        "energy", jd_json_real(f->turn[k].energy)));
    orbits = json_pack("{s:o, s:o, s:o, s:o}", "omega", numbers(f->omega, f->n), "energy",
                       numbers(f->energy, f->n), "time", rows_of(f->time, f->n, f->impacts),
                       "impulse", rows_of(f->impulse, f->n, f->impacts));
    if (f->growth) {
        json_t *stable = json_array();
        for (int k = 0; k < f->n; k++) json_array_append_new(stable, json_boolean(f->stable[k]));
        json_object_set_new(orbits, "growth", numbers(f->growth, f->n));
        json_object_set_new(orbits, "stable", stable);
    }
    bool bounded = f->stop != JD_NSM_STOP_UNBOUNDED;
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:o, s:o, s:s, s:o, s:b, s:o, s:o}", "kind",
                     jd_nsm_kind_name(f->kind), "impacts", f->impacts, "branch", f->branch, "mode",
                     b->mode, "divisor", b->divisor, "omega_start", jd_json_real(f->omega[0]),
                     "omega_end", jd_json_real(f->omega_end), "end", jd_nsm_stop_name(f->stop),
                     "energy_end", bounded ? jd_json_real(f->energy[f->n - 1]) : json_null(),
                     "certified", f->certified, "folds", turns, "orbits", orbits);
}

// Orbits that rest on the stop, and how far the search for them went.
static void add_sustained(const jd_nsm *nsm, json_t *document) {
    jd_nsm_search search = jd_nsm_search_of(nsm);
    if (!search.asked) return;
    json_t *list = json_array();
    for (int i = 0; i < jd_nsm_sustained_count(nsm); i++) {
        const jd_nsm_sustained *o = jd_nsm_sustained_at(nsm, i);
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:b}", "omega", jd_json_real(o->omega),
                            "energy", jd_json_real(o->energy), "flight", jd_json_real(o->flight),
                            "contact", jd_json_real(o->contact), "force", jd_json_real(o->force),
                            "certified", o->certified));
    }
    json_object_set_new(document, "sustained", list);
    json_object_set_new(document, "sustained_search",
                        json_pack("{s:b, s:b, s:o, s:I, s:i, s:i}", "complete", search.complete,
                                  "given_up", search.given_up, "down_to",
                                  jd_json_real(search.down_to), "looks", (json_int_t)search.looks,
                                  "solutions", search.solutions, "undecided", search.undecided));
}

// Edges name branches and families by their place in those lists.
static json_t *graph_json(const jd_nsm *nsm) {
    const jd_nsm_graph *g = jd_nsm_graph_of(nsm);
    json_t *nodes = json_array(), *edges = json_array();
    for (int i = 0; i < g->n_node; i++)
        json_array_append_new(nodes, json_pack("{s:s, s:o, s:o}", "kind",
                                               jd_nsm_meeting_name(g->node[i].kind), "omega",
                                               jd_json_real(g->node[i].omega), "energy",
                                               jd_json_real(g->node[i].energy)));
    for (int i = 0; i < g->n_edge; i++)
        json_array_append_new(edges, json_pack("{s:i, s:i, s:i, s:i}", "branch", g->edge[i].branch,
                                               "family", g->edge[i].family, "from", g->edge[i].from,
                                               "to", g->edge[i].to));
    return json_pack("{s:o, s:o}", "nodes", nodes, "edges", edges);
}

jd_status jd_document_nsm(jd_context *context, const jd_problem *problem, const jd_nsm *nsm,
                          int points, json_t **out) {
    json_t *branches = json_array();
    int certified = 0;
    for (int i = 0; i < jd_nsm_branches(nsm); i++) {
        const jd_nsm_branch *b = jd_nsm_branch_at(nsm, i);
        certified += b->certified;
        json_array_append_new(branches, branch_json(nsm, i, points));
    }
    *out = json_pack("{s:s, s:o, s:s, s:i, s:b, s:o}", "kind", "nsm", "title",
                     jd_json_text(jd_problem_title(problem)), "units",
                     jd_problem_is_si(problem) ? "SI" : "consistent", "poles", jd_nsm_poles(nsm),
                     "certified", certified == jd_nsm_branches(nsm), "branches", branches);
    json_t *families = json_array();
    for (int i = 0; i < jd_nsm_families(nsm); i++)
        json_array_append_new(families, family_json(nsm, i));
    if (jd_nsm_families(nsm) > 0)
        json_object_set_new(*out, "families", families);
    else
        json_decref(families);
    json_t *phantoms = json_array();
    for (int i = 0; i < jd_nsm_phantoms(nsm); i++) {
        const jd_nsm_phantom *f = jd_nsm_phantom_at(nsm, i);
        json_array_append_new(
            phantoms, json_pack("{s:i, s:i, s:o, s:o}", "mode", f->mode, "divisor", f->divisor,
                                "from", jd_json_real(f->from), "to", jd_json_real(f->to)));
    }
    if (jd_nsm_phantoms(nsm) > 0)
        json_object_set_new(*out, "phantoms", phantoms);
    else
        json_decref(phantoms);
    add_sustained(nsm, *out);
    json_object_set_new(*out, "graph", graph_json(nsm));
    return *out ? JD_OK : jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for the result");
}

json_t *jd_document_nsm_rows(const json_t *document) {
    static const char *const keys[] = {"omega", "energy", "speed", "stable"};
    json_t *rows = json_array(), *branch;
    size_t i;
    json_array_foreach(json_object_get(document, "branches"), i, branch) {
        const json_t *orbits = json_object_get(branch, "orbits");
        size_t n = json_array_size(json_object_get(orbits, "omega"));
        for (size_t k = 0; k < n; k++) {
            json_t *row = json_object();
            json_object_set(row, "mode", json_object_get(branch, "mode"));
            json_object_set(row, "divisor", json_object_get(branch, "divisor"));
            for (size_t m = 0; m < sizeof keys / sizeof *keys; m++) {
                json_t *value = json_array_get(json_object_get(orbits, keys[m]), k);
                if (value) json_object_set(row, keys[m], value);
            }
            json_array_append_new(rows, row);
        }
    }
    return rows;
}
