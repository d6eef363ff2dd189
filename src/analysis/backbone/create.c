// create.c -- the curve: what it is of, and its first motion.
//   With rigid friction it begins at the largest amplitude, at the mode without contacts; else at
//   the smallest, at the mode with springs stuck. With rigid friction and one-sided stops it begins
//   between, where no stop is touched yet, and goes both ways.
#include <math.h>
#include <string.h>

#include "analysis/backbone/backbone.h"
#include "base/words.h"
#include "contact/element.h"
#include "contact/law.h"
#include "drive/kind.h"

static const jd_word ends[] = {JD_BACKBONE_END_LIST(JD_WORD)};
const char *jd_backbone_end_name(jd_backbone_end e) {
    return jd_word_name(ends, JD_BACKBONE_END_COUNT, (int)e);
}
const char *jd_backbone_end_text(jd_backbone_end e) {
    return jd_word_text(ends, JD_BACKBONE_END_COUNT, (int)e);
}

const jd_backbone_view *jd_backbone_look(const jd_backbone *k) { return &k->view; }

void jd_backbone_free(jd_backbone *k) {
    if (!k) return;
    jd_backbone_close_round(k);
    jd_problem_free(k->problem);
    jd_arena_free(k->arena);
}

static jd_status refuse(jd_backbone *k, const char *where, const char *what, const char *hint) {
    jd_fail(k->context, JD_NOT_SUPPORTED, "%s", what);
    jd_fail_where(k->context, "%s", where);
    jd_fail_hint(k->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

// Friction alone depends on differences of displacements: a constant load shifts the structure and
// the places where sliders rest, and changes nothing else.
static bool is_shifted_only(jd_backbone *k) {
    for (int j = 0; j < jd_problem_contacts(k->problem); j++) {
        const jd_contact_def *c = jd_problem_contact(k->problem, j)->def;
        jd_element e;
        if (!jd_law_of(&c->law)->element || jd_law_element_of(k->arena, &c->law, &e) != JD_OK)
            return false;
        if (e.normal || e.smooth || e.source != JD_NORMAL_GIVEN) return false;
    }
    return true;
}

static jd_status check_points(jd_backbone *k) {
    for (int j = 0; j < jd_problem_contacts(k->problem); j++) {
        const jd_object *o = jd_problem_contact(k->problem, j);
        if (((const jd_contact_def *)o->def)->at.point) continue;
        return refuse(k, jd_arena_format(k->arena, "contacts.%s", o->name),
                      "backbones of contacts along spans or at several points are not offered",
                      "write the contacts one by one");
    }
    return JD_OK;
}

// The drives that swing fall silent; those that stay may only be constant.
static jd_status silence(jd_backbone *k) {
    JD_TRY(check_points(k));
    bool shifted = is_shifted_only(k);
    for (int i = 0; i < jd_problem_drives(k->problem); i++) {
        const jd_object *d = jd_problem_drive(k->problem, i);
        const char *path = jd_arena_format(k->arena, "drives.%s.amplitude", d->name);
        JD_TRY(jd_arena_status(k->arena));
        if (d->type == &jd_drive_harmonic)
            JD_TRY(jd_problem_set(k->problem, path, 0, NULL));
        else if (strcmp(d->type->name, "constant") != 0)
            return refuse(k, path, "a backbone is of the structure without a drive that varies",
                          "leave the drive out; harmonic ones are left out by themselves");
        else if (shifted)
            JD_TRY(jd_problem_set(k->problem, jd_arena_format(k->arena, "drives.%s.value", d->name),
                                  0, NULL));
        else
            return refuse(
                k, jd_arena_format(k->arena, "drives.%s.value", d->name),
                "a constant load beside a stop, a normal force or a nonlinear "
                "spring moves the place the motion goes around, which is not "
                "computed",
                "leave the load out, or give the gap and the springs of the loaded state");
    }
    return JD_OK;
}

// Whether motions have a mirror image, and whether a contact is rigid while stuck.
static jd_status look_at_contacts(jd_backbone *k, bool *rigid) {
    *rigid = false;
    for (int j = 0; j < jd_problem_contacts(k->problem); j++) {
        const jd_object *o = jd_problem_contact(k->problem, j);
        const jd_contact_def *c = o->def;
        jd_element e;
        if (!jd_law_of(&c->law)->element)
            return refuse(k, jd_arena_format(k->arena, "contacts.%s.law", o->name),
                          "engine `series` does not compute this law", "`judder list laws`");
        JD_TRY(jd_law_element_of(k->arena, &c->law, &e));
        for (int i = 0; i < e.sliders; i++) *rigid |= !(e.stiffness[i] > 0);
        if (e.swing != 0)
            return refuse(k, jd_arena_format(k->arena, "contacts.%s.law", o->name),
                          "a limit that swings is a drive", "give it one value");
        k->symmetric &= !e.normal || e.both;
        double v = c->against.velocity;
        k->symmetric &= !(v != 0 && isfinite(v));
    }
    return JD_OK;
}

static jd_status find_place(jd_backbone *k) {
    int n = jd_problem_contacts(k->problem);
    const char *name = k->def->at && *k->def->at ? k->def->at : NULL;
    const jd_system *y = jd_problem_system(k->problem);
    if (!name && n == 0)
        return refuse(k, "backbone.at", "there is no contact whose amplitude could count",
                      "name a point: `at: tip`");
    k->view.at = name ? name : jd_problem_contact(k->problem, 0)->name;
    k->place = n;
    for (int j = 0; j < n; j++)
        if (!strcmp(jd_problem_contact(k->problem, j)->name, k->view.at)) k->place = j;
    k->modes = y->modal.n;
    k->row = JD_TAKE(k->arena, double, k->modes + 1);
    jd_dd *row = JD_TAKE(k->arena, jd_dd, k->modes + 1);
    JD_TRY(jd_arena_status(k->arena));
    if (k->place < n)
        memcpy(row, y->contact[k->place], (size_t)k->modes * sizeof *row);
    else
        JD_TRY(jd_problem_row(k->problem, k->view.at, row));
    for (int l = 0; l < k->modes; l++) k->row[l] = row[l].hi;
    if (k->def->mode <= k->modes) return JD_OK;
    jd_fail(k->context, JD_OUT_OF_RANGE, "mode %d of %d", k->def->mode, k->modes);
    jd_fail_where(k->context, "backbone.mode");
    return JD_OUT_OF_RANGE;
}

static void turn_round(int n, jd_backbone_point *p) {
    for (int i = 0; i < n / 2; i++) {
        jd_backbone_point swap = p[i];
        p[i] = p[n - 1 - i];
        p[n - 1 - i] = swap;
    }
}

static void ascend(jd_backbone *k, jd_backbone_point *p) {
    int n = k->view.n_point;
    if (n >= 2 && p[0].amplitude >= p[n - 1].amplitude) turn_round(n, p);
}

// From a motion between both ends: down, and up. Where it lies below, up to the first end before.
static jd_status walk_both_ways(jd_backbone *k, double first, double low, double high,
                                backbone_motion *m, jd_backbone_point *point) {
    backbone_motion again;
    JD_TRY(jd_backbone_motion_new(k, &again));
    if (first < low) {
        JD_TRY(jd_backbone_walk(k, first, low, m, point));
        if (k->view.end != JD_BACKBONE_COMPLETE) return k->view.n_point = 0, JD_OK;
        return jd_backbone_walk(k, low, high, m, point);
    }
    jd_backbone_copy(k, &again, m);
    JD_TRY(jd_backbone_walk(k, first, low, &again, point));
    int n = k->view.n_point - 1; // the first one comes again
    jd_backbone_end end = k->view.end;
    turn_round(n + 1, point);
    JD_TRY(jd_backbone_walk(k, first, high, m, point + n));
    k->view.n_point += n;
    if (k->view.end == JD_BACKBONE_COMPLETE) k->view.end = end;
    return JD_OK;
}

static jd_status prepare(jd_backbone *k, bool *rigid) {
    jd_simulate_def s = *(const jd_simulate_def *)jd_problem_section(k->problem, JD_SIMULATE, NULL);
    s.engine = "series";
    JD_TRY(jd_problem_set_section(k->problem, JD_SIMULATE, &s));
    JD_TRY(silence(k));
    JD_TRY(look_at_contacts(k, rigid));
    JD_TRY(jd_problem_build(k->problem));
    JD_TRY(find_place(k));
    JD_TRY(jd_run_create(k->context, k->problem, &k->run));
    k->n = k->run->class->map.coordinates(k->run);
    int N = k->n + 2;
    k->A = JD_TAKE(k->arena, double, N *N);
    k->b = JD_TAKE(k->arena, double, N);
    k->P = JD_TAKE(k->arena, double, JD_STENCIL_COLUMNS * k->n);
    k->pivot = JD_TAKE(k->arena, int, N);
    return jd_arena_status(k->arena);
}

static jd_status make(jd_backbone *k) {
    bool rigid, found = false;
    JD_TRY(prepare(k, &rigid));
    backbone_motion m;
    JD_TRY(jd_backbone_motion_new(k, &m));
    double low = fmin(k->def->from, k->def->to), high = fmax(k->def->from, k->def->to);
    double stuck = 0, free = 0;
    jd_backbone_point *point = JD_TAKE(k->arena, jd_backbone_point, 2 * BACKBONE_MOST + 2);
    JD_TRY(jd_arena_status(k->arena));
    JD_TRY(jd_backbone_guess(k, low, true, &m));
    stuck = k->view.stuck;
    JD_TRY(jd_backbone_guess(k, high, false, &m));
    free = k->view.free;
    bool from_low = !rigid, between = false;
    double first = high;
    bool held = rigid && !k->symmetric;
    if (held) JD_TRY(jd_backbone_begin_open(k, &first, &m, point, &between));
    if (held && !between) {
        first = high;
        JD_TRY(jd_backbone_begin_apart(k, &first, &m, point, &between));
    }
    for (int i = 0; i < 2 && !found && !between; i++) {
        from_low = i == 0 ? !rigid : !from_low;
        JD_TRY(jd_backbone_begin(k, from_low ? low : high, from_low, &m, point, &found));
    }
    k->view.point = point;
    k->view.mode = k->def->mode;
    k->view.symmetric = k->symmetric;
    k->view.end = JD_BACKBONE_LOST;
    k->view.n_point = 0;
    if (between)
        JD_TRY(walk_both_ways(k, first, low, high, &m, point));
    else if (found)
        JD_TRY(jd_backbone_walk(k, from_low ? low : high, from_low ? high : low, &m, point));
    ascend(k, point);
    k->view.stuck = stuck;
    k->view.free = free;
    return JD_OK;
}

jd_status jd_backbone_create(jd_context *context, jd_problem *problem, jd_backbone **out) {
    bool given;
    *out = NULL;
    JD_TRY(jd_problem_build(problem));
    const jd_backbone_def *def = jd_problem_section(problem, JD_BACKBONE, &given);
    if (!given) {
        jd_fail(context, JD_MISSING_KEY, "the model does not say which backbone is wanted");
        jd_fail_hint(context, "add `backbone: {from: 1e-6 m, to: 1e-3 m}`: amplitudes");
        return JD_MISSING_KEY;
    }
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_backbone *k = JD_TAKE(arena, jd_backbone, 1);
    jd_status status = jd_arena_status(arena);
    if (status != JD_OK) {
        jd_arena_free(arena);
        return status;
    }
    *k = (jd_backbone){.context = context, .arena = arena, .def = def, .symmetric = true};
    status = jd_problem_copy(context, problem, &k->problem);
    if (status == JD_OK) status = make(k);
    jd_backbone_close_round(k);
    if (status == JD_OK)
        *out = k;
    else
        jd_backbone_free(k);
    return status;
}
