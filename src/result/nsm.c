// nsm.c -- nonsmooth modes: branches, their ends, stability, orbits along them; families; how they
// hang together.
#include "result/result.h"

static const char *change_name(int i) { return jd_nsm_change_name((jd_nsm_change)i); }
static const char *kind_name(int i) { return jd_nsm_kind_name((jd_nsm_kind)i); }
static const char *stop_name(int i) { return jd_nsm_stop_name((jd_nsm_stop)i); }
static const char *meeting_name(int i) { return jd_nsm_meeting_name((jd_nsm_meeting)i); }
static const char *end_name(int i) { return i == JD_NSM_GRAZE ? "graze" : "unbounded"; }

static const jd_field interval_field[] = {
    {JD_REAL(jd_nsm_interval, from, "from", "rad/s", "angular frequency")},
    {JD_REAL(jd_nsm_interval, to, "to", "rad/s", "angular frequency")},
    {JD_SCALAR(BOOL, jd_nsm_interval, stable, "stable", "in this part")},
    {JD_WORD_OF(jd_nsm_interval, starts_with, "starts_with", change_name, JD_NSM_END + 1, "")},
    {JD_WORD_OF(jd_nsm_interval, ends_with, "ends_with", change_name, JD_NSM_END + 1, "")},
    {JD_SCALAR(BOOL, jd_nsm_interval, proved, "proved", "but for `resolution` at its ends")},
    {JD_REAL(jd_nsm_interval, resolution, "resolution", "rad/s", "widest stretch without proof")},
    JD_END_OF_FIELDS};
static const jd_record interval = {.size = sizeof(jd_nsm_interval), .field = interval_field};

#define ALONG(what, member, of, text)                                                              \
    {                                                                                              \
        JD_ARRAY(what, jd_nsm_line, member, #member, of, text), .size = { JD_OWN(jd_nsm_line, n) } \
    }
static const jd_field along_field[] = {
    ALONG(REALS, omega, "rad/s", "of orbits along the branch"),
    ALONG(REALS, energy, "J", "of each"),
    ALONG(REALS, speed, "m/s", "just after the impact"),
    {JD_ARRAY(BOOLS, jd_nsm_line, stable, "stable", "", "of each"),
     .size = {JD_OWN(jd_nsm_line, n)}, .optional = true},
    JD_END_OF_FIELDS};
static const jd_record along = {.field = along_field};

static bool has_orbits(const void *object, const void *root) {
    (void)root;
    return ((const jd_nsm_line *)object)->n > 0;
}

static const jd_field branch_field[] = {
    {JD_SCALAR(INT, jd_nsm_branch, mode, "mode", "it starts at, from 1")},
    {JD_SCALAR(INT, jd_nsm_branch, divisor, "divisor", "it starts at omega/divisor")},
    {JD_REAL(jd_nsm_branch, omega_start, "omega_start", "rad/s", "where it starts")},
    {JD_REAL(jd_nsm_branch, omega_end, "omega_end", "rad/s", "where it ends")},
    {JD_WORD_OF(jd_nsm_branch, end, "end", end_name, 2, "how it ends")},
    {JD_REAL(jd_nsm_branch, energy_start, "energy_start", "J", "where it starts")},
    {.key = "energy_end",
     .kind = JD_FIELD_REAL,
     JD_AT(jd_nsm_branch, energy_end),
     .unit = "J",
     .none = HUGE_VAL,
     .doc = "where it ends; infinite when unbounded"},
    {JD_SCALAR(BOOL, jd_nsm_branch, certified, "certified", "free of a second contact")},
    {JD_REAL(jd_nsm_branch, graze_time, "graze_time", "s", "after the impact")},
    {JD_SCALAR(INT, jd_nsm_branch, resonant, "resonant", "other modes that start there")},
    {JD_LIST_OF(jd_nsm_branch, interval, "stability", &interval, n_interval, "parts of it")},
    JD_END_OF_FIELDS};
static const jd_record branch_record = {.size = sizeof(jd_nsm_branch), .field = branch_field};
static const jd_field line_field[] = {
    {JD_INNER(RECORD, jd_nsm_line, branch, NULL, &branch_record, "a branch")},
    {JD_GROUP_OF("orbits", &along, "along it"), .optional = true, .has = has_orbits},
    JD_END_OF_FIELDS};
static const jd_record line_record = {.size = sizeof(jd_nsm_line), .field = line_field};

static const jd_field turn_field[] = {{JD_REAL(jd_nsm_turn, omega, "omega", "rad/s", "of a fold")},
                                      {JD_REAL(jd_nsm_turn, energy, "energy", "J", "of a fold")},
                                      JD_END_OF_FIELDS};
static const jd_record turn_record = {.size = sizeof(jd_nsm_turn), .field = turn_field};

#define MEMBER(what, member, of, text)                                                             \
    {                                                                                              \
        JD_ARRAY(what, jd_nsm_family, member, #member, of, text), .size = {                        \
            JD_OWN(jd_nsm_family, n)                                                               \
        }                                                                                          \
    }
#define IMPACTS(member, of, text)                                                                  \
    {                                                                                              \
        JD_ARRAY(REALS, jd_nsm_family, member, #member, of, text), .size = {                       \
            JD_OWN(jd_nsm_family, n),                                                              \
            JD_OWN(jd_nsm_family, impacts)                                                         \
        }                                                                                          \
    }
static const jd_field family_orbits_field[] = {
    MEMBER(REALS, omega, "rad/s", "of orbits along the family"),
    MEMBER(REALS, energy, "J", "of each"),
    IMPACTS(time, "s", "of impacts after the first"),
    IMPACTS(impulse, "m/s", "half the jump of the velocity"),
    {JD_ARRAY(REALS, jd_nsm_family, growth, "growth", "", "greatest |multiplier|"),
     .size = {JD_OWN(jd_nsm_family, n)}, .optional = true},
    {JD_ARRAY(BOOLS, jd_nsm_family, stable, "stable", "", "of each"),
     .size = {JD_OWN(jd_nsm_family, n)}, .optional = true},
    JD_END_OF_FIELDS};
static const jd_record family_orbits = {.field = family_orbits_field};

static double omega_start(const jd_nsm_family *f) { return f->n > 0 ? f->omega[0] : (double)NAN; }

static json_t *start_json(const void *object, const void *root) {
    (void)root;
    return jd_json_real(omega_start(&((const jd_nsm_family_result *)object)->family));
}
static json_t *energy_json(const void *object, const void *root) {
    const jd_nsm_family *f = &((const jd_nsm_family_result *)object)->family;
    (void)root;
    return f->stop == JD_NSM_STOP_UNBOUNDED || f->n == 0 ? json_null()
                                                         : jd_json_real(f->energy[f->n - 1]);
}

static const jd_field family_field[] = {
    {.key = "kind",
     .kind = JD_FIELD_WORD,
     JD_AT(jd_nsm_family_result, family.kind),
     .word = kind_name,
     .words = JD_NSM_SYMMETRIC + 1},
    {JD_SCALAR(INT, jd_nsm_family_result, family.impacts, "impacts", "in a period")},
    {JD_SCALAR(INT, jd_nsm_family_result, family.branch, "branch", "at whose end it begins")},
    {JD_SCALAR(INT, jd_nsm_family_result, mode, "mode", "of its branch")},
    {JD_SCALAR(INT, jd_nsm_family_result, divisor, "divisor", "of its branch")},
    {JD_TOLD_BY("omega_start", start_json, "of the first orbit")},
    {JD_REAL(jd_nsm_family_result, family.omega_end, "omega_end", "rad/s", "where it ends")},
    {.key = "end",
     .kind = JD_FIELD_WORD,
     JD_AT(jd_nsm_family_result, family.stop),
     .word = stop_name,
     .words = JD_NSM_STOP_BUDGET + 1},
    {JD_TOLD_BY("energy_end", energy_json, "of the last orbit")},
    {JD_SCALAR(BOOL, jd_nsm_family_result, family.certified, "certified", "every orbit listed")},
    {.key = "folds",
     .kind = JD_FIELD_LIST,
     JD_AT(jd_nsm_family_result, family.turn),
     .record = &turn_record,
     .size = {JD_OWN(jd_nsm_family_result, family.n_turn)}},
    {JD_INNER(RECORD, jd_nsm_family_result, family, "orbits", &family_orbits, "along it")},
    JD_END_OF_FIELDS};
static const jd_record family_record = {.size = sizeof(jd_nsm_family_result),
                                        .field = family_field};

static const jd_field phantom_field[] = {
    {JD_SCALAR(INT, jd_nsm_phantom, mode, "mode", "from 1")},
    {JD_SCALAR(INT, jd_nsm_phantom, divisor, "divisor", "of the frequency")},
    {JD_REAL(jd_nsm_phantom, from, "from", "rad/s", "angular frequency")},
    {JD_REAL(jd_nsm_phantom, to, "to", "rad/s", "angular frequency")},
    JD_END_OF_FIELDS};
static const jd_record phantom_record = {.size = sizeof(jd_nsm_phantom), .field = phantom_field};

static const jd_field sustained_field[] = {
    {JD_REAL(jd_nsm_sustained, omega, "omega", "rad/s", "angular frequency")},
    {JD_REAL(jd_nsm_sustained, energy, "energy", "J", "of the orbit")},
    {JD_REAL(jd_nsm_sustained, flight, "flight", "s", "duration")},
    {JD_REAL(jd_nsm_sustained, contact, "contact", "s", "duration")},
    {JD_REAL(jd_nsm_sustained, force, "force", "N", "in the middle of the contact")},
    {JD_SCALAR(BOOL, jd_nsm_sustained, certified, "certified", "proved")},
    JD_END_OF_FIELDS};
static const jd_record sustained_record = {.size = sizeof(jd_nsm_sustained),
                                           .field = sustained_field};

static const jd_field search_field[] = {
    {JD_SCALAR(BOOL, jd_nsm_search, complete, "complete", "there are no others")},
    {JD_SCALAR(BOOL, jd_nsm_search, given_up, "given_up", "too much work")},
    {JD_REAL(jd_nsm_search, down_to, "down_to", "rad/s", "searched from above to here")},
    {.key = "looks", .kind = JD_FIELD_LONG, JD_AT(jd_nsm_search, looks)},
    {JD_SCALAR(INT, jd_nsm_search, solutions, "solutions", "of the equations")},
    {JD_SCALAR(INT, jd_nsm_search, undecided, "undecided", "places that may hold another")},
    JD_END_OF_FIELDS};
_Static_assert(sizeof(long) == sizeof(long long), "looks is read as a long");
static const jd_record search_record = {.size = sizeof(jd_nsm_search), .field = search_field};

static const jd_field node_field[] = {
    {JD_WORD_OF(jd_nsm_node, kind, "kind", meeting_name, JD_NSM_AT_LOOSE_END + 1, "what meets")},
    {JD_REAL(jd_nsm_node, omega, "omega", "rad/s", "where")},
    {JD_REAL(jd_nsm_node, energy, "energy", "J", "where")},
    JD_END_OF_FIELDS};
static const jd_field edge_field[] = {
    {JD_SCALAR(INT, jd_nsm_edge, branch, "branch", "number; -1: a family")},
    {JD_SCALAR(INT, jd_nsm_edge, family, "family", "number; -1: a branch")},
    {JD_SCALAR(INT, jd_nsm_edge, from, "from", "node")},
    {JD_SCALAR(INT, jd_nsm_edge, to, "to", "node; -1: unbounded")},
    JD_END_OF_FIELDS};
static const jd_record node_record = {.size = sizeof(jd_nsm_node), .field = node_field},
                       edge_record = {.size = sizeof(jd_nsm_edge), .field = edge_field};
static const jd_field graph_field[] = {
    {JD_LIST_OF(jd_nsm_graph, node, "nodes", &node_record, n_node, "where they meet")},
    {JD_LIST_OF(jd_nsm_graph, edge, "edges", &edge_record, n_edge, "between two nodes")},
    JD_END_OF_FIELDS};
static const jd_record graph_record = {.size = sizeof(jd_nsm_graph), .field = graph_field};

static bool has_families(const void *object, const void *root) {
    (void)root;
    return ((const jd_nsm_result *)object)->n_family > 0;
}
static bool has_phantoms(const void *object, const void *root) {
    (void)root;
    return ((const jd_nsm_result *)object)->n_phantom > 0;
}
static bool has_search(const void *object, const void *root) {
    (void)root;
    return ((const jd_nsm_result *)object)->search.asked;
}

static jd_status check(jd_arena *arena, void *object) {
    jd_nsm_result *r = object;
    (void)arena;
    r->search.asked = !isnan(r->search.down_to);
    return JD_OK;
}

static const jd_field nsm_field[] = {
    {JD_SCALAR(INT, jd_nsm_result, poles, "poles", "linear grazing orbits in the window")},
    {JD_SCALAR(BOOL, jd_nsm_result, certified, "certified", "every branch is")},
    {JD_LIST_OF(jd_nsm_result, line, "branches", &line_record, n_line, "of one impact")},
    {JD_LIST_OF(jd_nsm_result, family, "families", &family_record, n_family, "of more impacts"),
     .has = has_families},
    {JD_LIST_OF(jd_nsm_result, phantom, "phantoms", &phantom_record, n_phantom,
                "orbits that would go through the stop"),
     .has = has_phantoms},
    {JD_LIST_OF(jd_nsm_result, sustained, "sustained", &sustained_record, n_sustained,
                "orbits that rest on the stop"),
     .has = has_search},
    {JD_INNER(RECORD, jd_nsm_result, search, "sustained_search", &search_record, "how far"),
     .has = has_search},
    {JD_INNER(RECORD, jd_nsm_result, graph, "graph", &graph_record, "how they hang together")},
    JD_END_OF_FIELDS};
const jd_record jd_record_nsm = {.size = sizeof(jd_nsm_result), .field = nsm_field, .check = check};

static jd_status line_of(jd_arena *arena, const jd_nsm *nsm, int i, int points, jd_nsm_line *out) {
    double *omega = JD_TAKE(arena, double, points), *energy = JD_TAKE(arena, double, points),
           *speed = JD_TAKE(arena, double, points);
    bool *stable = JD_TAKE(arena, bool, points), judged = points > 0;
    JD_TRY(jd_arena_status(arena));
    if (points > 0) jd_nsm_points(nsm, i, points, omega);
    for (int k = 0; k < points; k++) {
        energy[k] = jd_nsm_energy(nsm, omega[k]);
        speed[k] = jd_nsm_speed(nsm, omega[k]);
        judged = judged && jd_nsm_stable(nsm, i, omega[k], &stable[k]);
    }
    *out = (jd_nsm_line){*jd_nsm_branch_at(nsm, i), points, omega, energy, speed,
                         judged ? stable : NULL};
    if (out->branch.end != JD_NSM_GRAZE) out->branch.graze_time = (double)NAN;
    return JD_OK;
}

static jd_status fill(jd_arena *arena, const jd_nsm *nsm, int points, jd_nsm_result *r) {
    int n = jd_nsm_branches(nsm), m = jd_nsm_families(nsm);
    jd_nsm_line *line = JD_TAKE(arena, jd_nsm_line, n);
    jd_nsm_family_result *family = JD_TAKE(arena, jd_nsm_family_result, m);
    JD_TRY(jd_arena_status(arena));
    *r = (jd_nsm_result){.poles = jd_nsm_poles(nsm),
                         .certified = true,
                         .n_line = n,
                         .n_family = m,
                         .n_phantom = jd_nsm_phantoms(nsm),
                         .n_sustained = jd_nsm_sustained_count(nsm),
                         .line = line,
                         .family = family,
                         .search = jd_nsm_search_of(nsm),
                         .graph = *jd_nsm_graph_of(nsm)};
    if (r->n_phantom > 0) r->phantom = jd_nsm_phantom_at(nsm, 0);
    if (r->n_sustained > 0) r->sustained = jd_nsm_sustained_at(nsm, 0);
    for (int i = 0; i < n; i++) {
        JD_TRY(line_of(arena, nsm, i, points, &line[i]));
        r->certified = r->certified && line[i].branch.certified;
    }
    for (int i = 0; i < m; i++) {
        const jd_nsm_family *f = jd_nsm_family_at(nsm, i);
        const jd_nsm_branch *b = jd_nsm_branch_at(nsm, f->branch);
        family[i] = (jd_nsm_family_result){*f, b->mode, b->divisor};
    }
    return JD_OK;
}

jd_status jd_result_of_nsm(jd_context *context, const jd_problem *problem, const jd_nsm *nsm,
                           int points, jd_result **out) {
    if (points < 0 || points > JD_NSM_POINTS)
        return jd_fail(context, JD_BAD_ARGUMENT, "%d orbits along a branch are not 0 to %d", points,
                       JD_NSM_POINTS);
    JD_TRY(jd_result_create(context, problem, JD_RESULT_NSM, out));
    return jd_result_end(fill((*out)->arena, nsm, points, (*out)->content), out);
}

json_t *jd_rows_nsm(const json_t *document) {
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
