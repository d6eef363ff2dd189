// modes.c -- natural modes of a problem: free, with each contact stuck, and shapes along bodies.
#include "result/result.h"

#include <math.h>

#include "contact/law.h"
#include "problem/contacts/sliding.h"
#include "problem/system.h"
#include "result/mesh/surface.h"
#include "structure/modal.h"

enum { SHAPES = 6 }; // modes whose shapes are kept

int jd_digits(double error) {
    if (!(error < 0.5)) return 0; // NaN: nothing is known
    if (error <= 1e-16) return 16;
    return (int)floor(-log10(error));
}

static const jd_field mode_field[] = {
    {JD_TEXT(jd_mode_result, body, "body", "it belongs to"), .optional = true},
    {JD_SCALAR(INT, jd_mode_result, number, "mode", "number, from 1")},
    {JD_REAL(jd_mode_result, mode.omega, "omega", "rad/s", "undamped natural frequency")},
    {JD_REAL(jd_mode_result, mode.frequency_hz, "frequency_hz", "Hz", "natural frequency")},
    {JD_REAL(jd_mode_result, mode.damping_ratio, "damping_ratio", "", "-Re s/|s|")},
    {JD_REAL(jd_mode_result, mode.error, "error", "",
             "bound of the relative error of omega; null: not known")},
    {JD_SCALAR(INT, jd_mode_result, digits, "digits",
               "of omega that are right; 0 where the error is not known")},
    {JD_SCALAR(BOOL, jd_mode_result, mode.static_shape, "static_shape",
               "no mode: completes the static deflection of the modes kept")},
    {JD_ARRAY(REALS, jd_mode_result, mode.pole, "pole", "1/s", "the two poles: re, im"),
     .inside = true, .size = {JD_FIXED(2), JD_FIXED(2)}},
    JD_END_OF_FIELDS};
static const jd_record mode_record = {.size = sizeof(jd_mode_result), .field = mode_field};

static const jd_field stuck_field[] = {
    {JD_LIST_OF(jd_stuck_result, mode, NULL, &mode_record, n, "with this contact stuck")},
    JD_END_OF_FIELDS};
static const jd_record stuck_record = {.size = sizeof(jd_stuck_result), .field = stuck_field};

static const jd_field shape_field[] = {
    {JD_SCALAR(BOOL, jd_shapes_result, nodes, "nodes", "places are numbers of masses")},
    {JD_ARRAY(REALS, jd_shapes_result, position, "position", "m", "places"),
     .size = {JD_OWN(jd_shapes_result, n)}},
    {JD_ARRAY(REALS, jd_shapes_result, value, "value", "kg^-1/2", "shapes, mass-normalised"),
     .size = {JD_OWN(jd_shapes_result, n_mode), JD_OWN(jd_shapes_result, n)}},
    JD_END_OF_FIELDS};
static const jd_record shape_record = {.size = sizeof(jd_shapes_result), .field = shape_field};

static const jd_field point_field[] = {{JD_ARRAY(REALS, jd_mode_point, value, "value", "kg^-1/2",
                                                 "in each free mode, mass-normalised"),
                                        .size = {JD_OWN(jd_mode_point, n)}},
                                       JD_END_OF_FIELDS};
static const jd_record point_record = {.size = sizeof(jd_mode_point), .field = point_field};

static const jd_field space_field[] = {
    {JD_ARRAY(REALS, jd_space_result, at, "at", "m", "points on the outside: x, y, z"),
     .size = {JD_OWN(jd_space_result, n), JD_FIXED(3)}},
    {JD_ARRAY(INTS, jd_space_result, face, "face", "", "corners of each face; -1: none"),
     .size = {JD_OWN(jd_space_result, n_face), JD_FIXED(4)}},
    {JD_ARRAY(REALS, jd_space_result, value, "value", "kg^-1/2", "shapes, mass-normalised"),
     .size = {JD_OWN(jd_space_result, n_mode), JD_OWN(jd_space_result, n), JD_FIXED(3)}},
    JD_END_OF_FIELDS};
static const jd_record space_record = {.size = sizeof(jd_space_result), .field = space_field};

static const jd_field sliding_field[] = {
    {JD_SCALAR(INT, jd_sliding_mode, number, "mode", "number, from 1")},
    {JD_REAL(jd_sliding_mode, growth, "growth", "1/s", "real part of the pole")},
    {JD_REAL(jd_sliding_mode, omega, "omega", "rad/s", "imaginary part of the pole")},
    {JD_REAL(jd_sliding_mode, frequency_hz, "frequency_hz", "Hz", "the same in cycles")},
    {JD_REAL(jd_sliding_mode, damping_ratio, "damping_ratio", "", "-Re s/|s|")},
    JD_END_OF_FIELDS};
static const jd_record sliding_record = {.size = sizeof(jd_sliding_mode), .field = sliding_field};

static const jd_field slider_field[] = {
    {JD_TEXT(jd_sliding_contact, state, "state", "its letter")},
    {JD_REAL(jd_sliding_contact, normal, "normal", "N", "normal force; null: no normal part")},
    {JD_REAL(jd_sliding_contact, force, "force", "N", "friction force on the structure")},
    JD_END_OF_FIELDS};
static const jd_record slider_record = {.size = sizeof(jd_sliding_contact), .field = slider_field};

static bool has_sliding(const void *object, const void *root) {
    (void)root;
    return ((const jd_modes_result *)object)->n_sliding > 0;
}

static bool has_bodies(const void *object, const void *root) {
    (void)root;
    return ((const jd_modes_result *)object)->n_body > 1;
}
static bool has_shapes(const void *object, const void *root) {
    (void)root;
    return ((const jd_modes_result *)object)->n_shapes > 0;
}
static bool has_points(const void *object, const void *root) {
    (void)root;
    return ((const jd_modes_result *)object)->n_point > 0;
}
static bool has_warnings(const void *object, const void *root) {
    (void)root;
    return ((const jd_modes_result *)object)->n_warning > 0;
}

static const jd_field modes_field[] = {
    {JD_SCALAR(BOOL, jd_modes_result, truncated, "truncated", "fewer modes than there are")},
    {JD_ARRAY(TEXTS, jd_modes_result, body, "bodies", NULL, "names, where there are several"),
     .size = {JD_OWN(jd_modes_result, n_body)}, .has = has_bodies},
    {JD_LIST_OF(jd_modes_result, mode, "modes", &mode_record, n, "free modes")},
    {JD_MAP_OF(jd_modes_result, stuck, "stuck", &stuck_record, n_stuck, "with a contact stuck")},
    {JD_MAP_OF(jd_modes_result, shapes, "shapes", &shape_record, n_shapes, "along bodies"),
     .has = has_shapes},
    {JD_MAP_OF(jd_modes_result, point, "points", &point_record, n_point, "free modes at points"),
     .has = has_points},
    {JD_INNER(PART, jd_modes_result, space, "space", &space_record, "the outside in space"),
     .left_out = JD_NOT_IN_JSON},
    {JD_ARRAY(TEXTS, jd_modes_result, warning, "warnings", NULL, "what is to be known"),
     .size = {JD_OWN(jd_modes_result, n_warning)}, .has = has_warnings},
    {JD_LIST_OF(jd_modes_result, sliding, "sliding", &sliding_record, n_sliding,
                "complex modes of the steadily sliding state"),
     .has = has_sliding},
    {JD_MAP_OF(jd_modes_result, slider, "sliding_contacts", &slider_record, n_slider,
               "contacts in that state"),
     .has = has_sliding},
    JD_END_OF_FIELDS};
const jd_record jd_record_modes = {.size = sizeof(jd_modes_result), .field = modes_field};

static int cut(int n, int count) { return count > 0 && n > count ? count : n; }

static void fill(jd_mode_result *out, int n, const jd_mode *mode, const char *body) {
    for (int k = 0; k < n; k++)
        out[k] = (jd_mode_result){body, k + 1, mode[k], jd_digits(mode[k].error)};
}

// Common modes of bodies that are connected.
static jd_status common_modes(jd_arena *arena, const jd_problem *problem, int count,
                              jd_modes_result *out) {
    const jd_modal *modal = &jd_problem_system(problem)->modal;
    jd_mode *mode = JD_TAKE(arena, jd_mode, modal->n);
    jd_mode_result *list = JD_TAKE(arena, jd_mode_result, modal->n);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_modal_list(jd_arena_context(arena), modal, mode));
    out->n = cut(modal->n, count);
    fill(list, out->n, mode, NULL);
    out->mode = list;
    return JD_OK;
}

// Modes of every body; the body is named when there are several.
static jd_status free_modes(jd_arena *arena, const jd_problem *problem, int count,
                            jd_modes_result *out) {
    if (jd_problem_connections(problem) > 0) return common_modes(arena, problem, count, out);
    int room = 0;
    for (int b = 0; b < out->n_body; b++)
        room += cut(jd_structure_modes(jd_problem_structure(problem, b)), count);
    jd_mode_result *list = JD_TAKE(arena, jd_mode_result, room);
    for (int b = 0; b < out->n_body; b++) {
        const jd_structure *s = jd_problem_structure(problem, b);
        int n = jd_structure_modes(s);
        jd_mode *mode = JD_TAKE(arena, jd_mode, n);
        JD_TRY(jd_arena_status(arena));
        jd_structure_mode_list(s, mode);
        fill(list + out->n, cut(n, count), mode,
             out->n_body > 1 ? jd_problem_body(problem, b)->name : NULL);
        out->n += cut(n, count);
    }
    out->mode = list;
    return jd_arena_status(arena);
}

// An interface over a span has no single stuck basis here: it is left out.
// So is a nonlinear spring, which never sticks.
static bool is_point(const jd_contact_def *contact) {
    if (jd_law_traits(&contact->law) & JD_LAW_SMOOTH) return false;
    return contact->at.point != NULL &&
           (contact->against.kind != JD_PLACE || contact->against.place.point != NULL);
}

static jd_status stuck_modes(jd_arena *arena, const jd_problem *problem, int count,
                             jd_modes_result *out) {
    jd_stuck_result *list = JD_TAKE(arena, jd_stuck_result, jd_problem_contacts(problem));
    JD_TRY(jd_arena_status(arena));
    for (int j = 0; j < jd_problem_contacts(problem); j++) {
        const jd_object *contact = jd_problem_contact(problem, j);
        if (!is_point(contact->def)) continue;
        int n = 0;
        JD_TRY(jd_problem_stuck_modes(problem, j, &n, NULL));
        jd_mode *mode = JD_TAKE(arena, jd_mode, n);
        jd_mode_result *row = JD_TAKE(arena, jd_mode_result, n);
        JD_TRY(jd_arena_status(arena));
        JD_TRY(jd_problem_stuck_modes(problem, j, &n, mode));
        fill(row, cut(n, count), mode, NULL);
        list[out->n_stuck++] = (jd_stuck_result){contact->name, cut(n, count), row};
    }
    out->stuck = list;
    return JD_OK;
}

static jd_status shapes(jd_arena *arena, const jd_problem *problem, jd_modes_result *out) {
    jd_shapes_result *list = JD_TAKE(arena, jd_shapes_result, out->n_body);
    JD_TRY(jd_arena_status(arena));
    for (int b = 0; b < out->n_body; b++) {
        const jd_object *body = jd_problem_body(problem, b);
        jd_line line;
        if (!jd_structure_has_line(body->type)) continue;
        JD_TRY(jd_structure_line(arena, body->type, body->def, SHAPES, &line));
        list[out->n_shapes++] = (jd_shapes_result){body->name[0] ? body->name : "structure",
                                                   line.nodes,
                                                   line.n,
                                                   line.n_mode,
                                                   line.position,
                                                   line.value};
    }
    out->shapes = list;
    return JD_OK;
}

// Value of a point of body b in the common modes, or in those of its body among all that are
// listed.
static void point_values(const jd_problem *problem, int b, int index, int count, double *value) {
    const jd_structure *s = jd_problem_structure(problem, b);
    const jd_system *y = jd_problem_system(problem);
    bool common = jd_problem_connections(problem) > 0;
    int first = 0, n = common ? cut(y->modal.n, count) : cut(jd_structure_modes(s), count);
    const jd_dd *row = s->row + (size_t)index * (size_t)s->modal.n;
    for (int i = 0; i < b && !common; i++)
        first += cut(jd_structure_modes(jd_problem_structure(problem, i)), count);
    for (int k = 0; k < n; k++) {
        jd_dd sum = common ? dd(0) : row[k];
        for (int l = 0; common && l < s->modal.n; l++)
            sum = dd_add(
                sum,
                dd_mul(row[l], y->turn[(size_t)(y->own[b] + l) * (size_t)y->modal.n + (size_t)k]));
        value[first + k] = dd_value(sum);
    }
}

static jd_status points(jd_arena *arena, const jd_problem *problem, int count,
                        jd_modes_result *out) {
    int room = 0;
    for (int b = 0; b < out->n_body; b++) room += jd_problem_structure(problem, b)->n_point;
    jd_mode_point *list = JD_TAKE(arena, jd_mode_point, room);
    JD_TRY(jd_arena_status(arena));
    for (int b = 0; b < out->n_body; b++) {
        const jd_structure *s = jd_problem_structure(problem, b);
        for (int i = 0; i < s->n_point && s->row; i++) {
            double *value = JD_TAKE(arena, double, out->n);
            const char *name = out->n_body > 1
                                   ? jd_arena_format(arena, "%s.%s", out->body[b], s->point_name[i])
                                   : s->point_name[i];
            JD_TRY(jd_arena_status(arena));
            point_values(problem, b, i, count, value);
            list[out->n_point++] = (jd_mode_point){name, out->n, value};
        }
    }
    out->point = list;
    return JD_OK;
}

// Names of the bodies. Fewer modes are kept than the structure has: stuck modes are those of the
// modes kept, and their error bounds do not count what the others would change.
static jd_status bodies(jd_arena *arena, const jd_problem *problem, jd_modes_result *out) {
    out->n_body = jd_problem_bodies(problem);
    const char **name = JD_TAKE(arena, const char *, out->n_body);
    JD_TRY(jd_arena_status(arena));
    for (int b = 0; b < out->n_body; b++) {
        const jd_structure *s = jd_problem_structure(problem, b);
        name[b] = jd_problem_body(problem, b)->name;
        out->truncated |= jd_structure_modes(s) != jd_structure_dofs(s);
    }
    out->body = name;
    return JD_OK;
}

jd_status jd_result_of_modes(jd_context *context, const jd_problem *problem, int count,
                             bool with_shapes, jd_result **out) {
    JD_TRY(jd_result_create(context, problem, JD_RESULT_MODES, out));
    jd_modes_result *m = (*out)->content;
    jd_arena *arena = (*out)->arena;
    jd_status s = bodies(arena, problem, m);
    if (s == JD_OK) s = free_modes(arena, problem, count, m);
    if (s == JD_OK) s = points(arena, problem, count, m);
    if (s == JD_OK) s = stuck_modes(arena, problem, count, m);
    if (s == JD_OK && with_shapes && jd_problem_connections(problem) == 0)
        s = shapes(arena, problem, m);
    if (s == JD_OK && with_shapes) s = jd_space_of(arena, problem, &m->space);
    return jd_result_end(s, out);
}

void jd_result_warn(jd_result *result, const char *text) {
    jd_modes_result *m = result->content;
    const char **list = JD_TAKE(result->arena, const char *, 1);
    if (!list) return; // the arena remembers
    list[0] = jd_arena_text(result->arena, text);
    m->n_warning = list[0] ? 1 : 0;
    m->warning = list;
}

static void add_rows(json_t *rows, const json_t *list, const char *stuck) {
    static const char *const plain[] = {"mode",  "omega",  "frequency_hz", "damping_ratio",
                                        "error", "digits", "static_shape"};
    static const char *const pole[2][2] = {{"pole_1_re", "pole_1_im"}, {"pole_2_re", "pole_2_im"}};
    size_t k;
    json_t *mode;
    json_array_foreach(list, k, mode) {
        json_t *row = json_object(), *body = json_object_get(mode, "body");
        json_object_set_new(row, "body", body ? json_incref(body) : json_string(""));
        json_object_set_new(row, "stuck", json_string(stuck));
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
            json_object_set(row, plain[i], json_object_get(mode, plain[i]));
        }
        for (size_t i = 0; i < 4; i++) {
            json_t *pair = json_array_get(json_object_get(mode, "pole"), i / 2);
            json_object_set(row, pole[i / 2][i % 2], json_array_get(pair, i % 2));
        }
        json_array_append_new(rows, row);
    }
}

json_t *jd_rows_modes(const json_t *document) {
    json_t *rows = json_array(), *list;
    const char *contact;
    add_rows(rows, json_object_get(document, "modes"), "");
    json_object_foreach(json_object_get(document, "stuck"), contact, list) {
        add_rows(rows, list, contact);
    }
    return rows;
}

jd_status jd_result_add_sliding(jd_result *result, const jd_problem *problem, int count) {
    jd_modes_result *m = result->content;
    jd_arena *arena = result->arena;
    jd_sliding state;
    JD_TRY(jd_problem_sliding(arena, problem, &state));
    int contacts = jd_problem_contacts(problem);
    jd_sliding_mode *mode = JD_TAKE(arena, jd_sliding_mode, state.n);
    jd_sliding_contact *slider = JD_TAKE(arena, jd_sliding_contact, contacts);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < state.n && (count <= 0 || m->n_sliding < count); k++) {
        double re = state.pole[k][0], im = state.pole[k][1], size = hypot(re, im);
        if (im < 0) continue; // the conjugate is listed
        int number = m->n_sliding++;
        mode[number] =
            (jd_sliding_mode){number + 1, re, im, im / (2 * acos(-1.0)), re != 0 ? -re / size : 0};
    }
    for (int j = 0; j < contacts; j++) {
        char letter[2] = {state.letter[j], '\0'};
        slider[j] =
            (jd_sliding_contact){jd_problem_contact(problem, j)->name, jd_arena_text(arena, letter),
                                 state.normal[j], state.force[j]};
    }
    m->sliding = mode;
    m->slider = slider;
    m->n_slider = contacts;
    return jd_arena_status(arena);
}
