// nsm_orbits.c -- orbits of nonsmooth modes in full: shapes, and samples of the manifold they form.
//   Motion of each point is written as <name>.u and <name>.v, the stop's own with its force.
#include <string.h>

#include "result/result.h"

enum { MOST_POINTS = 16 };
static const double two_pi = 6.283185307179586;

// Place of a point's motion: point 0 is the stop's, then those of the list; `what` 0 u, 1 v.
static size_t row_at(const jd_nsm_orbit_result *o, int point, int what) {
    return (size_t)(2 * point + what) * (size_t)o->n;
}

static bool put(json_t *out, const char *name, const char *what, int n, const double *value) {
    char key[300];
    snprintf(key, sizeof key, "%.280s.%s", name, what);
    return json_object_set_new(out, key, jd_json_reals(n, value)) == 0;
}

static bool write_motion(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_nsm_orbit_result *o = object;
    const jd_nsm_orbits_result *r = root;
    (void)f;
    for (int i = 0; i <= r->n_point; i++) {
        const char *name = i ? r->point[i - 1] : r->contact;
        if (!put(out, name, "u", o->n, o->motion + row_at(o, i, 0)) ||
            !put(out, name, "v", o->n, o->motion + row_at(o, i, 1)) ||
            (i == 0 && !put(out, name, "force", o->n, o->force)))
            return false;
    }
    return true;
}

static jd_status take(jd_arena *arena, const json_t *in, const char *name, const char *what, int n,
                      double *out) {
    const char *key = jd_arena_format(arena, "%s.%s", name, what);
    double *value;
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_read_reals(arena, json_object_get(in, key), key, (double)NAN, &n, &value));
    memcpy(out, value, (size_t)n * sizeof *out);
    return JD_OK;
}

static jd_status read_motion(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                             void *root) {
    jd_nsm_orbit_result *o = object;
    const jd_nsm_orbits_result *r = root;
    (void)f;
    if (r->n_point > MOST_POINTS)
        return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                       "the file names %d `points`, more than the %d there can be", r->n_point,
                       MOST_POINTS);
    double *motion = jd_arena_take(arena, row_at(o, r->n_point + 1, 0), sizeof *motion);
    double *force = JD_TAKE(arena, double, o->n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i <= r->n_point; i++) {
        const char *name = i ? r->point[i - 1] : r->contact;
        JD_TRY(take(arena, in, name, "u", o->n, motion + row_at(o, i, 0)));
        JD_TRY(take(arena, in, name, "v", o->n, motion + row_at(o, i, 1)));
        if (i == 0) JD_TRY(take(arena, in, name, "force", o->n, force));
    }
    o->motion = motion;
    o->force = force;
    return JD_OK;
}

static bool is_judged(const void *object, const void *root) {
    const jd_nsm_orbit_result *o = object;
    (void)root;
    return o->stable >= 0 || o->mode == 0;
}

static const jd_field orbit_field[] = {
    {JD_TEXT(jd_nsm_orbit_result, name, "name", "in words")},
    {JD_REAL(jd_nsm_orbit_result, omega, "omega", "rad/s", "angular frequency")},
    {JD_REAL(jd_nsm_orbit_result, period, "period", "s", "of the orbit")},
    {JD_REAL(jd_nsm_orbit_result, energy, "energy", "J", "of the orbit")},
    {JD_SCALAR(INT, jd_nsm_orbit_result, mode, "mode", "of its branch; 0: it rests")},
    {JD_SCALAR(INT, jd_nsm_orbit_result, divisor, "divisor", "of its branch")},
    {JD_REAL(jd_nsm_orbit_result, speed, "speed", "m/s", "just after the impact")},
    {JD_SCALAR(JUDGED, jd_nsm_orbit_result, stable, "stable", "whether it is"), .has = is_judged},
    {JD_REAL(jd_nsm_orbit_result, flight, "flight", "s", "duration, of one that rests")},
    {JD_REAL(jd_nsm_orbit_result, contact, "contact", "s", "duration, of one that rests")},
    {JD_ARRAY(REALS, jd_nsm_orbit_result, t, "t", "s", "times of the samples"),
     .size = {JD_OWN(jd_nsm_orbit_result, n)}},
    {.kind = JD_FIELD_OTHER, .write = write_motion, .read = read_motion},
    {JD_ARRAY(REALS, jd_nsm_orbit_result, multiplier, "multipliers", "", "re, im of each"),
     .size = {JD_ROOT(jd_nsm_orbits_result, n_multiplier), JD_FIXED(2)}, .optional = true},
    JD_END_OF_FIELDS};
static const jd_record orbit_record = {.size = sizeof(jd_nsm_orbit_result), .field = orbit_field};

static jd_status check(jd_arena *arena, void *object) {
    jd_nsm_orbits_result *r = object;
    jd_context *context = jd_arena_context(arena);
    if (r->n == 0) return jd_fail(context, JD_BAD_RESULT_FILE, "the file holds no `orbits`");
    for (int i = 0; i < r->n; i++) {
        if (!r->orbit[i].multiplier) r->n_multiplier = 0;
        if (r->orbit[i].n != r->orbit[0].n)
            return jd_fail(context, JD_BAD_RESULT_FILE, "orbit %d of the file has other samples",
                           i + 1);
    }
    return JD_OK;
}

static const jd_field orbits_field[] = {
    {JD_TEXT(jd_nsm_orbits_result, what, "what", "in words")},
    {JD_SCALAR(INT, jd_nsm_orbits_result, mode, "mode", "of the first branch; 0: it rests")},
    {JD_SCALAR(INT, jd_nsm_orbits_result, divisor, "divisor", "of the first branch")},
    {JD_TEXT(jd_nsm_orbits_result, start, "start", "section that begins on the first")},
    {JD_TEXT(jd_nsm_orbits_result, contact, "contact", "the stop")},
    {JD_ARRAY(TEXTS, jd_nsm_orbits_result, point, "points", NULL, "names of the other points"),
     .size = {JD_OWN(jd_nsm_orbits_result, n_point)}},
    {JD_REAL(jd_nsm_orbits_result, linear.gap, "linear_gap", "m", "of the linear mode's grazing")},
    {JD_REAL(jd_nsm_orbits_result, linear.omega, "linear_omega", "rad/s", "of that mode")},
    {JD_REAL(jd_nsm_orbits_result, linear.ratio, "linear_ratio", "",
             "first point over the stop's")},
    {JD_LIST_OF(jd_nsm_orbits_result, orbit, "orbits", &orbit_record, n, "in full")},
    JD_END_OF_FIELDS};
const jd_record jd_record_nsm_orbits = {
    .size = sizeof(jd_nsm_orbits_result), .field = orbits_field, .root = true, .check = check};

// The section that begins on this orbit.
static const char *start_of(jd_arena *arena, const jd_nsm *nsm, bool si, jd_nsm_pick pick) {
    double omega = jd_nsm_pick_omega(nsm, pick);
    if (pick.branch >= 0)
        return jd_arena_format(arena, "{type: nsm, omega: %.17g%s}", omega, si ? " rad/s" : "");
    return jd_arena_format(arena, "{type: nsm, omega: %.17g%s, contact: %.17g%s}", omega,
                           si ? " rad/s" : "", jd_nsm_sustained_at(nsm, pick.sustained)->contact,
                           si ? " s" : "");
}

// What the orbits are, in words.
static const char *words(jd_arena *arena, const jd_nsm *nsm, int n, const jd_nsm_pick *pick) {
    char name[120];
    bool together = true; // along one branch
    for (int i = 0; i < n; i++)
        together = together && pick[i].branch >= 0 && pick[i].branch == pick[0].branch;
    jd_nsm_pick_name(nsm, pick[0], name, sizeof name);
    if (n == 1)
        return jd_arena_format(arena, "%s, E = %.6g", name, jd_nsm_pick_energy(nsm, pick[0]));
    if (!together) return jd_arena_format(arena, "%d orbits", n);
    const jd_nsm_branch *b = jd_nsm_branch_at(nsm, pick[0].branch);
    return jd_arena_format(arena, "%d orbits of branch ω%d/%d, ω = %.6g to %.6g", n, b->mode,
                           b->divisor, pick[0].omega, pick[n - 1].omega);
}

static jd_status head_of(jd_arena *arena, const jd_nsm *nsm, jd_nsm_pick pick,
                         jd_nsm_orbit_result *o) {
    double omega = jd_nsm_pick_omega(nsm, pick);
    char name[120];
    bool stable;
    const jd_nsm_branch *b = pick.branch < 0 ? NULL : jd_nsm_branch_at(nsm, pick.branch);
    const jd_nsm_sustained *rest = b ? NULL : jd_nsm_sustained_at(nsm, pick.sustained);
    jd_nsm_pick_name(nsm, pick, name, sizeof name);
    *o = (jd_nsm_orbit_result){.name = jd_arena_text(arena, name),
                               .omega = omega,
                               .period = two_pi / omega,
                               .energy = jd_nsm_pick_energy(nsm, pick),
                               .mode = b ? b->mode : 0,
                               .divisor = b ? b->divisor : 0,
                               .speed = b ? jd_nsm_speed(nsm, omega) : (double)NAN,
                               .stable = -1,
                               .flight = rest ? rest->flight : (double)NAN,
                               .contact = rest ? rest->contact : (double)NAN};
    if (b && jd_nsm_stable(nsm, pick.branch, omega, &stable)) o->stable = stable;
    return jd_arena_status(arena);
}

static jd_status sample(jd_arena *arena, const jd_nsm *nsm, jd_nsm_pick pick, int n,
                        const jd_nsm_orbits_result *r, jd_nsm_orbit_result *o) {
    double *t = JD_TAKE(arena, double, n), *force = JD_TAKE(arena, double, n),
           *unused = JD_TAKE(arena, double, n),
           *motion = JD_TAKE(arena, double, 2 * (r->n_point + 1) * n);
    JD_TRY(jd_arena_status(arena));
    o->n = n;
    for (int i = 0; i < n; i++) t[i] = o->period * i / (n - 1);
    for (int i = 0; i <= r->n_point; i++)
        JD_TRY(jd_nsm_pick_trace(nsm, pick, i ? r->point[i - 1] : NULL, n, motion + row_at(o, i, 0),
                                 motion + row_at(o, i, 1), i ? unused : force));
    o->t = t;
    o->force = force;
    o->motion = motion;
    return JD_OK;
}

// Pairs (re, im), where all orbits have them.
static jd_status multipliers(jd_arena *arena, jd_nsm *nsm, const jd_nsm_pick *pick,
                             jd_nsm_orbits_result *r, jd_nsm_orbit_result *o) {
    for (int i = 0; i < r->n; i++)
        if (pick[i].branch < 0) return JD_OK;
    r->n_multiplier = 2 * jd_nsm_modes(nsm);
    for (int i = 0; i < r->n; i++) {
        double *value = JD_TAKE(arena, double, 2 * r->n_multiplier);
        JD_TRY(jd_arena_status(arena));
        JD_TRY(jd_nsm_multipliers(nsm, pick[i].omega, value));
        o[i].multiplier = value;
    }
    return JD_OK;
}

// An orbit next to the start of the branch is the linear mode at its grazing, to the distance from
// there: at its impact all points are furthest out.
static jd_status linear_of(const jd_nsm *nsm, const jd_nsm_pick *pick, jd_nsm_orbits_result *r) {
    r->linear = (jd_nsm_linear){(double)NAN, (double)NAN, (double)NAN};
    for (int i = 0; i < r->n; i++)
        if (pick[i].branch < 0 || pick[i].branch != pick[0].branch) return JD_OK;
    const jd_nsm_branch *b = jd_nsm_branch_at(nsm, pick[0].branch);
    jd_nsm_pick near = pick[0];
    double u[2], other[2], unused[2], force[2];
    near.omega = b->omega_start + 1e-8 * (b->omega_end - b->omega_start);
    JD_TRY(jd_nsm_pick_trace(nsm, near, NULL, 2, u, unused, force));
    other[0] = u[0];
    if (r->n_point > 0) JD_TRY(jd_nsm_pick_trace(nsm, near, r->point[0], 2, other, unused, force));
    r->linear = (jd_nsm_linear){u[0], b->divisor * b->omega_start, other[0] / u[0]};
    return JD_OK;
}

static jd_status fill(jd_arena *arena, const jd_problem *problem, jd_nsm *nsm,
                      const jd_nsm_pick *pick, int n, int samples, jd_nsm_orbits_result *r) {
    const jd_output_def *output = jd_problem_section(problem, JD_OUTPUT, NULL);
    const jd_nsm_branch *b = pick[0].branch < 0 ? NULL : jd_nsm_branch_at(nsm, pick[0].branch);
    jd_nsm_orbit_result *orbit = JD_TAKE(arena, jd_nsm_orbit_result, n);
    *r = (jd_nsm_orbits_result){.what = words(arena, nsm, n, pick),
                                .mode = b ? b->mode : 0,
                                .divisor = b ? b->divisor : 0,
                                .start = start_of(arena, nsm, jd_problem_is_si(problem), pick[0]),
                                .contact = jd_problem_contact(problem, 0)->name,
                                .n_point =
                                    output->points.n < MOST_POINTS ? output->points.n : MOST_POINTS,
                                .point = (const char *const *)output->points.text,
                                .n = n,
                                .orbit = orbit};
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++) {
        JD_TRY(head_of(arena, nsm, pick[i], &orbit[i]));
        JD_TRY(sample(arena, nsm, pick[i], samples, r, &orbit[i]));
    }
    JD_TRY(linear_of(nsm, pick, r));
    return multipliers(arena, nsm, pick, r, orbit);
}

jd_status jd_result_of_nsm_orbits(jd_context *context, const jd_problem *problem, jd_nsm *nsm,
                                  int n_orbit, const jd_nsm_pick *pick, int samples,
                                  jd_result **out) {
    JD_TRY(jd_result_create(context, problem, JD_RESULT_NSM_ORBITS, out));
    return jd_result_end(fill((*out)->arena, problem, nsm, pick, n_orbit, samples, (*out)->content),
                         out);
}

json_t *jd_rows_nsm_orbits(const json_t *document) {
    json_t *rows = json_array(), *orbit;
    size_t i;
    json_array_foreach(json_object_get(document, "orbits"), i, orbit) {
        size_t n = json_array_size(json_object_get(orbit, "t"));
        for (size_t k = 0; k < n; k++) {
            json_t *row = json_object(), *value;
            const char *key;
            json_object_set(row, "omega", json_object_get(orbit, "omega"));
            json_object_foreach(orbit, key, value) {
                bool sampled = json_is_array(value) && strcmp(key, "multipliers") != 0;
                if (sampled) json_object_set(row, key, json_array_get(value, k));
            }
            json_array_append_new(rows, row);
        }
    }
    return rows;
}
