// formulas.c -- formulas of a sweep: curves drawn beside its points, and classes of motions.
//   Variables: each swept parameter by the last word of its path, and by the whole path with _ for
//   its dots; classes also know what was found at the point. A curve gives the other parameter (one
//   parameter: the measure) over the one it depends on. A point is of the first class that holds.
#include <math.h>
#include <string.h>

#include "analysis/sweep/parts.h"
#include "base/fail.h"
#include "structure/piecewise/expression.h"

enum { CURVE_POINTS = 201, KNOWN = 8, VARIABLES = 4 + KNOWN };

struct sweep_formulas {
    double value[2];     // of the parameters
    double known[KNOWN]; // of a point, as named below
    int n_beside, n_class;
    jd_expression **beside, **class;
    jd_sweep_curve *curve;
};

static const char *const known[KNOWN] = {"settled", "slips",     "events",     "period",
                                         "periods", "amplitude", "multiplier", "residual"};

static void set_point(sweep_formulas *f, const jd_sweep_point *p) {
    const double list[KNOWN] = {p->settled,    (double)p->slips,   (double)p->events,
                                p->period,     (double)p->periods, p->amplitude,
                                p->multiplier, p->residual};
    memcpy(f->value, p->value, sizeof f->value);
    memcpy(f->known, list, sizeof list);
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A name that formulas can use: letters, digits and _, a letter first.
static bool is_name(const char *text) {
    if (!is_letter(*text)) return false;
    for (; *text; text++)
        if (!is_letter(*text) && !(*text >= '0' && *text <= '9') && *text != '_') return false;
    return true;
}

static const char *last_word(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

// The whole path as one name.
static const char *whole_name(jd_arena *arena, const char *path) {
    char *name = jd_arena_text(arena, path);
    for (char *c = name; c && *c; c++)
        if (!is_name((char[]){'a', *c, '\0'})) *c = '_';
    return name;
}

// Names and places of the variables; the last word is no name where two parameters share it.
static int list_variables(jd_sweep *sw, bool of_point, const char **name, double **at) {
    sweep_formulas *f = sw->formulas;
    const jd_sweep_view *v = &sw->view;
    int n = 0;
    bool alike =
        v->n_parameter > 1 && !strcmp(last_word(v->parameter[0]), last_word(v->parameter[1]));
    for (int k = 0; k < v->n_parameter; k++) {
        name[n] = whole_name(sw->arena, v->parameter[k]);
        at[n++] = &f->value[k];
        bool short_too = strchr(v->parameter[k], '.') && is_name(last_word(v->parameter[k]));
        if (alike || !short_too) continue;
        name[n] = last_word(v->parameter[k]);
        at[n++] = &f->value[k];
    }
    for (int k = 0; of_point && k < KNOWN; k++) {
        name[n] = known[k];
        at[n++] = &f->known[k];
    }
    return n;
}

static jd_status refuse(jd_sweep *sw, const char *key, const char *name, int n, const char **list) {
    const char *words = "";
    for (int i = 0; i < n && words; i++)
        words = jd_arena_format(sw->arena, "%s%s%s", words, i ? ", " : "", list[i]);
    jd_fail_where(sw->context, "sweep.%s.%s", key, name);
    jd_fail_hint(sw->context, "known: %s, sin cos exp log sqrt ..., ^, and && || == < in classes",
                 words ? words : "");
    return JD_WRONG_TYPE;
}

static jd_status parse(jd_sweep *sw, const char *key, const jd_formulas *from, bool of_point,
                       int *count, jd_expression ***out) {
    const char *name[VARIABLES] = {NULL};
    double *at[VARIABLES] = {NULL};
    int n = list_variables(sw, of_point, name, at);
    *out = JD_TAKE(sw->arena, jd_expression *, from->n);
    JD_TRY(jd_arena_status(sw->arena));
    for (int i = 0; i < from->n; i++) {
        jd_status s =
            jd_expression_create(sw->arena, from->formula[i].text, n, name, at, &(*out)[i]);
        if (s == JD_WRONG_TYPE) return refuse(sw, key, from->formula[i].name, n, name);
        JD_TRY(s);
        (*count)++;
    }
    return JD_OK;
}

// Place number i of CURVE_POINTS along an axis.
static double place(const jd_sweep_view *v, int axis, int i) {
    double from = v->values[axis][0], to = v->values[axis][v->count[axis] - 1];
    double part = (double)i / (CURVE_POINTS - 1);
    return v->log[axis] ? from * pow(to / from, part) : from + (to - from) * part;
}

static jd_status draw_curve(jd_sweep *sw, int k) {
    sweep_formulas *f = sw->formulas;
    const jd_sweep_view *v = &sw->view;
    bool second = v->n_parameter > 1 && jd_expression_uses(f->beside[k], &f->value[1]);
    jd_sweep_curve *c = &f->curve[k];
    double *at = JD_TAKE(sw->arena, double, CURVE_POINTS);
    double *value = JD_TAKE(sw->arena, double, CURVE_POINTS);
    JD_TRY(jd_arena_status(sw->arena));
    *c = (jd_sweep_curve){.name = sw->def->beside.formula[k].name,
                          .formula = sw->def->beside.formula[k].text,
                          .axis = second,
                          .n = CURVE_POINTS,
                          .at = at,
                          .value = value};
    if (second && jd_expression_uses(f->beside[k], &f->value[0])) {
        jd_fail(sw->context, JD_NOT_SUPPORTED,
                "the curve `%s` depends on both parameters, but must give one over the other",
                c->name);
        jd_fail_where(sw->context, "sweep.beside.%s", c->name);
        jd_fail_hint(sw->context, "solve it for one of them");
        return JD_NOT_SUPPORTED;
    }
    for (int i = 0; i < CURVE_POINTS; i++) {
        at[i] = f->value[c->axis] = place(v, c->axis, i);
        value[i] = jd_expression_value(f->beside[k]);
    }
    return JD_OK;
}

jd_status jd_sweep_formulas_read(jd_sweep *sw) {
    const jd_sweep_def *d = sw->def;
    jd_sweep_view *v = &sw->view;
    sweep_formulas *f = sw->formulas = JD_TAKE(sw->arena, sweep_formulas, 1);
    JD_TRY(jd_arena_status(sw->arena));
    for (int k = 0; k < v->n_parameter; k++) f->value[k] = v->values[k][0];
    JD_TRY(parse(sw, "beside", &d->beside, false, &f->n_beside, &f->beside));
    JD_TRY(parse(sw, "classes", &d->classes, true, &f->n_class, &f->class));
    f->curve = JD_TAKE(sw->arena, jd_sweep_curve, f->n_beside);
    const char **name = JD_TAKE(sw->arena, const char *, f->n_class);
    JD_TRY(jd_arena_status(sw->arena));
    for (int k = 0; k < f->n_beside; k++) JD_TRY(draw_curve(sw, k));
    for (int k = 0; k < f->n_class; k++) name[k] = d->classes.formula[k].name;
    v->n_curve = f->n_beside;
    v->curve = f->curve;
    v->n_class = f->n_class;
    v->class_name = name;
    return JD_OK;
}

void jd_sweep_formulas_free(sweep_formulas *f) {
    if (!f) return;
    for (int k = 0; k < f->n_beside; k++) jd_expression_free(f->beside[k]);
    for (int k = 0; k < f->n_class; k++) jd_expression_free(f->class[k]);
}

void jd_sweep_classify(const jd_sweep *sw, jd_sweep_point *p) {
    sweep_formulas *f = sw->formulas;
    set_point(f, p);
    p->class_number = -1;
    for (int k = f->n_class - 1; k >= 0; k--) {
        double yes = jd_expression_value(f->class[k]);
        if (isfinite(yes) && yes != 0) p->class_number = k;
    }
}

double jd_sweep_beside(const jd_sweep *sw, int curve, const jd_sweep_point *p) {
    memcpy(sw->formulas->value, p->value, sizeof sw->formulas->value);
    return jd_expression_value(sw->formulas->beside[curve]);
}
