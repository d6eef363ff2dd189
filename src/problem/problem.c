// problem.c -- the parts of a problem: put in by copy, taken out by number.
#include "judder/problem.h"

#include <stdio.h>
#include <string.h>

#include "contact/law.h"
#include "drive/kind.h"
#include "problem/parts.h"
#include "problem/paths/tied.h"

enum { LONGEST_NAME = 100 };

jd_status jd_problem_create(jd_context *context, jd_problem **out) {
    *out = NULL;
    jd_problem *p = jd_allocate(context, sizeof *p);
    if (!p) return JD_OUT_OF_MEMORY;
    *p = (jd_problem){.context = context, .title = "", .text = ""};
    p->arena = jd_arena_create(context);
    if (p->arena) {
        for (int i = 0; i < JD_SECTION_COUNT; i++)
            p->section[i] = jd_type_clone(p->arena, &jd_section_types[i], NULL);
        p->start.object =
            (jd_object){"", &jd_start_rest, jd_type_clone(p->arena, &jd_start_rest, NULL)};
    }
    if (!p->arena || jd_arena_status(p->arena) != JD_OK) {
        jd_problem_free(p);
        return JD_OUT_OF_MEMORY;
    }
    *out = p;
    return JD_OK;
}

void jd_problem_free(jd_problem *p) {
    if (!p) return;
    for (int i = 0; i < p->bodies.n; i++)
        if (p->bodies.part[i]->structure) jd_structure_free(p->bodies.part[i]->structure);
    jd_arena_free(p->built);
    jd_arena_free(p->path_arena);
    jd_arena_free(p->arena);
    jd_release(p->context, p);
}

void jd_problem_forget_paths(jd_problem *p) {
    jd_arena_free(p->path_arena);
    p->path_arena = NULL;
}

void jd_problem_forget_rows(jd_problem *p) {
    jd_arena_free(p->built);
    p->built = NULL;
    p->current = false;
    memset(&p->system, 0, sizeof p->system);
}

jd_part *jd_parts_find(const jd_parts *parts, const char *name) {
    for (int i = 0; i < parts->n; i++)
        if (!strcmp(parts->part[i]->object.name, name)) return parts->part[i];
    return NULL;
}

void jd_body_path(const jd_part *body, char *path, size_t size) {
    const char *name = body->object.name;
    snprintf(path, size, "%s%s", name[0] ? "bodies." : "structure", name);
}

// Names become parts of paths and of file formats.
static jd_status check_name(jd_problem *p, const jd_parts *parts, const char *what,
                            const char *name) {
    size_t n = strlen(name);
    if (n > LONGEST_NAME)
        return jd_fail(p->context, JD_BAD_ARGUMENT, "the name `%.20s...` of a %s is longer than %d",
                       name, what, LONGEST_NAME);
    if (strchr(name, '.')) {
        jd_fail(p->context, JD_BAD_ARGUMENT, "the name `%s` of a %s has a dot in it", name, what);
        jd_fail_hint(p->context, "dots separate the words of a path: use `_` or `-`");
        return JD_BAD_ARGUMENT;
    }
    if (jd_parts_find(parts, name))
        return jd_fail(p->context, JD_DUPLICATE_NAME, "there are two %s named `%s`",
                       parts == &p->bodies     ? "bodies"
                       : parts == &p->drives   ? "drives"
                       : parts == &p->contacts ? "contacts"
                                               : "connections",
                       name);
    return JD_OK;
}

static bool make_room(jd_arena *arena, jd_parts *parts) {
    if (parts->n < parts->room) return true;
    int room = parts->room ? 2 * parts->room : 8;
    jd_part **list = JD_TAKE(arena, jd_part *, room);
    if (!list) return false;
    if (parts->n) memcpy(list, parts->part, (size_t)parts->n * sizeof *list);
    parts->part = list;
    parts->room = room;
    return true;
}

static jd_status add(jd_problem *p, jd_parts *parts, const char *name, const jd_type *type,
                     const void *def) {
    jd_part *part = JD_TAKE(p->arena, jd_part, 1);
    const char *own_name = jd_arena_text(p->arena, name);
    void *copy = jd_type_clone(p->arena, type, def);
    if (!make_room(p->arena, parts) || jd_arena_status(p->arena) != JD_OK) return JD_OUT_OF_MEMORY;
    part->object = (jd_object){own_name, type, copy};
    parts->part[parts->n++] = part;
    jd_problem_forget_paths(p);
    jd_problem_forget_rows(p);
    return JD_OK;
}

jd_status jd_problem_add_body(jd_problem *p, const char *name, const jd_type *type,
                              const void *def) {
    JD_TRY(check_name(p, &p->bodies, "body", name));
    char path[LONGEST_NAME + 20];
    jd_body_path(&(jd_part){.object = {.name = name}}, path, sizeof path);
    JD_TRY(jd_type_check(p->context, type, def, path));
    JD_TRY(add(p, &p->bodies, name, type, def));
    const jd_structure_class *class = jd_structure_class_of(type);
    if (!class || !class->switches || !class->switches(def)) return JD_OK;
    // Its switch is a contact like any other, so that phases, events and orbits know it.
    jd_contact_def surface = {.at = {.body = name[0] ? name : NULL, .point = "lambda"},
                              .law = {"", &jd_law_surface.type, NULL}};
    JD_TRY(check_name(p, &p->contacts, "contact", "surface"));
    return add(p, &p->contacts, "surface", &jd_contact_type, &surface);
}

jd_status jd_problem_add_contact(jd_problem *p, const char *name, const jd_contact_def *def) {
    if (!name[0]) return jd_fail(p->context, JD_BAD_ARGUMENT, "a contact needs a name");
    JD_TRY(check_name(p, &p->contacts, "contact", name));
    char path[LONGEST_NAME + 20];
    snprintf(path, sizeof path, "contacts.%s", name);
    JD_TRY(jd_type_check(p->context, &jd_contact_type, def, path));
    return add(p, &p->contacts, name, &jd_contact_type, def);
}

jd_status jd_problem_add_connection(jd_problem *p, const char *name, const jd_type *type,
                                    const void *def) {
    if (!name[0]) return jd_fail(p->context, JD_BAD_ARGUMENT, "a connection needs a name");
    JD_TRY(check_name(p, &p->connections, "connection", name));
    char path[LONGEST_NAME + 20];
    snprintf(path, sizeof path, "connections.%s", name);
    JD_TRY(jd_type_check(p->context, type, def, path));
    return add(p, &p->connections, name, type, def);
}

// Its second part has no numbers of its own: both have one definition.
static jd_status add_travelling(jd_problem *p, const char *name, const void *def) {
    char second[LONGEST_NAME + 20];
    snprintf(second, sizeof second, "%s-quadrature", name);
    JD_TRY(check_name(p, &p->drives, "drive", second));
    JD_TRY(add(p, &p->drives, name, &jd_drive_travelling, def));
    void *shared = p->drives.part[p->drives.n - 1]->object.def;
    JD_TRY(add(p, &p->drives, second, &jd_drive_quadrature, def));
    p->drives.part[p->drives.n - 1]->object.def = shared;
    return JD_OK;
}

jd_status jd_problem_add_drive(jd_problem *p, const char *name, const jd_type *type,
                               const void *def) {
    if (!name[0]) return jd_fail(p->context, JD_BAD_ARGUMENT, "a drive needs a name");
    JD_TRY(check_name(p, &p->drives, "drive", name));
    char path[LONGEST_NAME + 20];
    snprintf(path, sizeof path, "drives.%s", name);
    JD_TRY(jd_type_check(p->context, type, def, path));
    if (type == &jd_drive_travelling) return add_travelling(p, name, def);
    if (type != &jd_drive_table || !((const jd_drive_table_def *)def)->file)
        return add(p, &p->drives, name, type, def);
    jd_drive_table_def table = *(const jd_drive_table_def *)def;
    jd_arena *scratch = jd_arena_create(p->context);
    if (!scratch) return JD_OUT_OF_MEMORY;
    jd_status status = jd_drive_table_load(scratch, &table);
    if (status == JD_OK) status = add(p, &p->drives, name, type, &table);
    jd_arena_free(scratch);
    return status;
}

jd_status jd_problem_set_start(jd_problem *p, const jd_type *type, const void *def) {
    JD_TRY(jd_type_check(p->context, type, def, "start"));
    void *copy = jd_type_clone(p->arena, type, def);
    if (!copy || jd_arena_status(p->arena) != JD_OK) return JD_OUT_OF_MEMORY;
    p->start.object = (jd_object){"", type, copy};
    p->start_given = true;
    p->current = false; // sizes are checked again
    jd_problem_forget_paths(p);
    return JD_OK;
}

// Numbers that are followed together become one path.
static jd_status tie(jd_problem *p, jd_follow_def *d) {
    if (d->parameters.n == 0) return JD_OK;
    d->parameter = jd_problem_tie(p->arena, &d->parameters);
    d->parameters = (jd_shapes){0};
    return jd_arena_status(p->arena);
}

jd_status jd_problem_set_section(jd_problem *p, jd_section section, const void *def) {
    const jd_type *type = &jd_section_types[section];
    JD_TRY(jd_type_check(p->context, type, def, type->name));
    void *copy = jd_type_clone(p->arena, type, def);
    if (!copy || jd_arena_status(p->arena) != JD_OK) return JD_OUT_OF_MEMORY;
    if (section == JD_FOLLOW) JD_TRY(tie(p, copy));
    p->section[section] = copy;
    p->given[section] = true;
    jd_problem_forget_paths(p);
    return JD_OK;
}

jd_status jd_problem_set_title(jd_problem *p, const char *title) {
    const char *copy = jd_arena_text(p->arena, title);
    if (!copy) return JD_OUT_OF_MEMORY;
    p->title = copy;
    return JD_OK;
}

jd_status jd_problem_set_text(jd_problem *p, const char *text, size_t size) {
    char *copy = jd_arena_take(p->arena, size + 1, 1);
    if (!copy) return JD_OUT_OF_MEMORY;
    if (size) memcpy(copy, text, size);
    p->text = copy;
    p->text_size = size;
    return JD_OK;
}

static const jd_object *object_of(const jd_parts *parts, int i) {
    return i >= 0 && i < parts->n ? &parts->part[i]->object : NULL;
}

const char *jd_problem_title(const jd_problem *p) { return p->title; }
const char *jd_problem_text(const jd_problem *p) { return p->text; }
int jd_problem_bodies(const jd_problem *p) { return p->bodies.n; }
int jd_problem_contacts(const jd_problem *p) { return p->contacts.n; }
int jd_problem_drives(const jd_problem *p) { return p->drives.n; }
int jd_problem_connections(const jd_problem *p) { return p->connections.n; }
const jd_object *jd_problem_body(const jd_problem *p, int i) { return object_of(&p->bodies, i); }
const jd_object *jd_problem_contact(const jd_problem *p, int i) {
    return object_of(&p->contacts, i);
}
const jd_object *jd_problem_drive(const jd_problem *p, int i) { return object_of(&p->drives, i); }
const jd_object *jd_problem_connection(const jd_problem *p, int i) {
    return object_of(&p->connections, i);
}
const jd_object *jd_problem_start(const jd_problem *p) {
    static const jd_object settled = {"", &jd_start_static, NULL};
    return !p->start_given && p->preloaded ? &settled : &p->start.object;
}
bool jd_problem_is_si(const jd_problem *p) { return p->si; }
void jd_problem_set_si(jd_problem *p, bool si) { p->si = si; }

static jd_shown_unit *find_shown(const jd_problem *p, const char *path) {
    jd_shown_unit *u = p->shown;
    while (u && strcmp(u->path, path) != 0) u = u->next;
    return u;
}

jd_status jd_problem_show_unit(jd_problem *p, const char *path, const char *unit, double size) {
    jd_shown_unit *u = find_shown(p, path);
    if (!u) {
        u = JD_TAKE(p->arena, jd_shown_unit, 1);
        if (u) *u = (jd_shown_unit){.path = jd_arena_text(p->arena, path), .next = p->shown};
    }
    const char *name = jd_arena_text(p->arena, unit);
    JD_TRY(jd_arena_status(p->arena));
    u->unit = name;
    u->size = size;
    if (!find_shown(p, path)) p->shown = u;
    return JD_OK;
}

double jd_problem_shown_unit(const jd_problem *p, const char *path, const char **unit) {
    const jd_shown_unit *u = find_shown(p, path);
    *unit = u ? u->unit : NULL;
    return u ? u->size : 1;
}

const void *jd_problem_section(const jd_problem *p, jd_section section, bool *given) {
    if (given) *given = p->given[section];
    return p->section[section];
}
