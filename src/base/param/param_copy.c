// param_copy.c -- deep copy of a definition by its table.
//   Plain members come with the struct; what a member points to is copied into the arena.
#include <string.h>

#include "base/param_tools.h"

static const char *copy_text(jd_arena *a, const char *text) {
    return text ? jd_arena_text(a, text) : NULL;
}

static jd_reals copy_reals(jd_arena *a, jd_reals from) {
    double *v = from.n > 0 ? JD_TAKE(a, double, from.n) : NULL;
    if (!v) return (jd_reals){0, NULL};
    memcpy(v, from.value, (size_t)from.n * sizeof *v);
    return (jd_reals){from.n, v};
}

static jd_texts copy_texts(jd_arena *a, jd_texts from) {
    const char **v = from.n > 0 ? JD_TAKE(a, const char *, from.n) : NULL;
    if (!v) return (jd_texts){0, NULL};
    for (int i = 0; i < from.n; i++) v[i] = copy_text(a, from.text[i]);
    return (jd_texts){from.n, v};
}

static jd_points copy_points(jd_arena *a, jd_points from) {
    jd_point *v = from.n > 0 ? JD_TAKE(a, jd_point, from.n) : NULL;
    if (!v) return (jd_points){0, NULL};
    for (int i = 0; i < from.n; i++) {
        v[i] = from.point[i];
        v[i].name = copy_text(a, from.point[i].name);
        v[i].label = copy_text(a, from.point[i].label);
        v[i].near = copy_reals(a, from.point[i].near);
        v[i].set = copy_text(a, from.point[i].set);
    }
    return (jd_points){from.n, v};
}

static jd_shapes copy_shapes(jd_arena *a, jd_shapes from) {
    jd_shape *v = from.n > 0 ? JD_TAKE(a, jd_shape, from.n) : NULL;
    if (!v) return (jd_shapes){0, NULL};
    for (int i = 0; i < from.n; i++)
        v[i] = (jd_shape){copy_text(a, from.shape[i].name), copy_reals(a, from.shape[i].value)};
    return (jd_shapes){from.n, v};
}

static jd_formulas copy_formulas(jd_arena *a, jd_formulas from) {
    jd_formula *v = from.n > 0 ? JD_TAKE(a, jd_formula, from.n) : NULL;
    if (!v) return (jd_formulas){0, NULL};
    for (int i = 0; i < from.n; i++)
        v[i] = (jd_formula){copy_text(a, from.formula[i].name), copy_text(a, from.formula[i].text)};
    return (jd_formulas){from.n, v};
}

static jd_draws copy_draws(jd_arena *a, jd_draws from) {
    jd_draw *v = from.n > 0 ? JD_TAKE(a, jd_draw, from.n) : NULL;
    if (!v) return (jd_draws){0, NULL};
    for (int i = 0; i < from.n; i++) {
        v[i] = from.draw[i];
        v[i].path = copy_text(a, from.draw[i].path);
    }
    return (jd_draws){from.n, v};
}

static void copy_place(jd_arena *a, jd_place *place) {
    place->body = copy_text(a, place->body);
    place->point = copy_text(a, place->point);
    place->normal = copy_text(a, place->normal);
    place->points = copy_text(a, place->points);
    place->share = copy_reals(a, place->share);
}

static const void *copy_bytes(jd_arena *a, const void *from, size_t bytes) {
    void *copy = bytes ? jd_arena_take(a, bytes, 1) : NULL;
    return copy ? memcpy(copy, from, bytes) : NULL;
}

static void copy_matrix(jd_arena *a, jd_matrix *m) {
    m->file = copy_text(a, m->file);
    m->name = copy_text(a, m->name);
    if (m->borrowed || !m->start) return;
    size_t entries = (size_t)jd_matrix_entries(m), width = m->wide ? 8 : 4;
    m->start = copy_bytes(a, m->start, ((size_t)m->rows + 1) * width);
    m->index = copy_bytes(a, m->index, entries * width);
    m->value = copy_bytes(a, m->value, entries * sizeof *m->value);
}

static void copy_object(jd_arena *a, jd_object *object) {
    object->name = copy_text(a, object->name ? object->name : "");
    if (object->type) object->def = jd_type_clone(a, object->type, object->def);
}

// `def` is already a byte copy; what it points to still belongs to the source.
static void own_member(jd_arena *a, const jd_param *p, void *def) {
    switch (p->kind) {
    case JD_KIND_TEXT:
    case JD_KIND_FILE: {
        const char **text = JD_MEMBER(const char *, def, p);
        *text = copy_text(a, *text);
        break;
    }
    case JD_KIND_REALS: {
        jd_reals *reals = JD_MEMBER(jd_reals, def, p);
        *reals = copy_reals(a, *reals);
        break;
    }
    case JD_KIND_TEXTS: {
        jd_texts *texts = JD_MEMBER(jd_texts, def, p);
        *texts = copy_texts(a, *texts);
        break;
    }
    case JD_KIND_POINTS: {
        jd_points *points = JD_MEMBER(jd_points, def, p);
        *points = copy_points(a, *points);
        break;
    }
    case JD_KIND_SHAPES: {
        jd_shapes *shapes = JD_MEMBER(jd_shapes, def, p);
        *shapes = copy_shapes(a, *shapes);
        break;
    }
    case JD_KIND_FORMULAS: {
        jd_formulas *formulas = JD_MEMBER(jd_formulas, def, p);
        *formulas = copy_formulas(a, *formulas);
        break;
    }
    case JD_KIND_DRAWS: {
        jd_draws *draws = JD_MEMBER(jd_draws, def, p);
        *draws = copy_draws(a, *draws);
        break;
    }
    case JD_KIND_GROUP:
        for (const jd_param *q = p->types[0]->params; q->key; q++)
            own_member(a, q, JD_MEMBER(char, def, p));
        break;
    case JD_KIND_OBJECT:
        copy_object(a, JD_MEMBER(jd_object, def, p));
        break;
    case JD_KIND_PLACE:
        copy_place(a, JD_MEMBER(jd_place, def, p));
        break;
    case JD_KIND_COUNTER:
        copy_place(a, &JD_MEMBER(jd_counter, def, p)->place);
        break;
    case JD_KIND_MATRIX:
        copy_matrix(a, JD_MEMBER(jd_matrix, def, p));
        break;
    case JD_KIND_REAL:
    case JD_KIND_INTEGER:
    case JD_KIND_BOOLEAN:
    case JD_KIND_CHOICE:
    case JD_KIND_COUNT:
    case JD_KIND_FREQUENCY:
    case JD_KIND_DURATION:
        break;
    }
}

void *jd_type_clone(jd_arena *arena, const jd_type *type, const void *def) {
    void *copy = jd_arena_take(arena, 1, type->def_size);
    if (!copy) return NULL;
    if (def)
        memcpy(copy, def, type->def_size);
    else
        jd_type_defaults(type, copy);
    for (const jd_param *p = type->params; p->key; p++) own_member(arena, p, copy);
    return copy;
}
