// explain.c -- what a model is and what will be done with it, in plain words.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/param_tools.h"
#include "contact/law.h"
#include "drive/kind.h"
#include "judder/model.h"
#include "judder/run.h"
#include "kernel/choice.h"
#include "problem/contacts/rest.h"
#include "problem/initial.h"
#include "problem/memory.h"
#include "problem/parts.h"

// Text that grows; counts on when it is full.
typedef struct page {
    char *text;
    size_t size, used;
    bool si; // units are printed
} page;

static void say(page *p, const char *format, ...) JD_PRINTF(2, 3);

static void say(page *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    bool room = p->used < p->size;
    int n = vsnprintf(room ? p->text + p->used : NULL, room ? p->size - p->used : 0, format, args);
    va_end(args);
    if (n > 0) p->used += (size_t)n;
}

static void say_number(page *p, double value, const char *unit) {
    say(p, "%.5g%s%s", value, p->si && *unit ? " " : "", p->si ? unit : "");
}

static const char *article(const char *word) { return strchr("aeiou", word[0]) ? "an" : "a"; }

static const jd_param *key_of(const jd_object *object, const char *key, jd_kind kind) {
    const jd_param *p = jd_type_param(object->type, key);
    return p && p->kind == kind ? p : NULL;
}

static const char *side_word(const jd_type *table, const char *side, const void *group) {
    const jd_param *p = jd_type_param(table, side);
    return p && p->kind == JD_KIND_CHOICE ? p->choices[*JD_MEMBER_CONST(int, group, p)] : side;
}

// "a clamped-free fe-beam"
static void say_kind(page *p, const jd_object *body) {
    const jd_param *supports = key_of(body, "supports", JD_KIND_GROUP);
    const char *name = body->type->name;
    bool plural = name[strlen(name) - 1] == 's'; // matrices, modes
    if (!supports) {
        bool adjective = strlen(name) > 2 && !strcmp(name + strlen(name) - 2, "ed");
        say(p, "%s %s%s", plural ? "a structure given by" : article(name), name,
            adjective ? " structure" : "");
        return;
    }
    const void *group = JD_MEMBER_CONST(char, body->def, supports);
    const char *left = side_word(supports->types[0], "left", group);
    say(p, "%s %s-%s %s", article(left), left, side_word(supports->types[0], "right", group),
        body->type->name);
}

static void say_size(page *p, const jd_object *body, const jd_structure *structure) {
    const jd_param *elements = key_of(body, "elements", JD_KIND_INTEGER);
    if (elements) {
        int n = *JD_MEMBER_CONST(int, body->def, elements);
        say(p, ", %d element%s", n, n == 1 ? "" : "s");
    }
    const jd_param *modes = key_of(body, "modes", JD_KIND_COUNT);
    int wanted = modes ? *JD_MEMBER_CONST(int, body->def, modes) : JD_ALL;
    int dofs = jd_structure_dofs(structure);
    int kept = jd_structure_modes(structure) - structure->modal.n_static;
    if (dofs > 0) say(p, ", %d dof", dofs);
    if (wanted == JD_INFINITE)
        say(p, ", infinitely many modes");
    else if (dofs == 0 || kept < dofs)
        say(p, ", %d mode%s", kept, kept == 1 ? "" : "s");
    if (structure->origin) say(p, " %s", structure->origin);
}

// The first frequency that is not a rigid-body mode's.
static void say_frequency(page *p, const jd_problem *problem, const jd_structure *structure) {
    int n = jd_structure_modes(structure), rigid = 0;
    jd_arena *arena = n > 0 ? jd_arena_create(problem->context) : NULL;
    jd_mode *mode = arena ? JD_TAKE(arena, jd_mode, n) : NULL;
    if (mode) {
        jd_structure_mode_list(structure, mode);
        while (rigid < n && mode[rigid].omega == 0) rigid++;
        if (rigid > 0) say(p, ", %d rigid-body mode%s", rigid, rigid == 1 ? "" : "s");
        if (rigid < n) {
            say(p, ", ω%d = ", rigid + 1);
            say_number(p, mode[rigid].omega, "rad/s");
        }
    }
    jd_arena_free(arena);
}

static void say_bodies(page *p, const jd_problem *problem) {
    int n = jd_problem_bodies(problem);
    for (int i = 0; i < n; i++) {
        const jd_object *body = jd_problem_body(problem, i);
        const jd_structure *structure = jd_problem_structure(problem, i);
        if (i) say(p, "; ");
        if (body->name[0]) say(p, "%s: ", body->name);
        say_kind(p, body);
        if (!structure) continue;
        say_size(p, body, structure);
        say_frequency(p, problem, structure);
    }
}

static void say_place(page *p, const jd_place *place) {
    if (place->body) say(p, "%s", place->body);
    if (place->point) {
        say(p, "%s%s", place->body ? "." : "", place->point);
        if (place->normal) say(p, " (normal: %s)", place->normal);
        return;
    }
    if (place->points) {
        say(p, "%s%s", place->body ? ": " : "", place->points);
        if (place->normal) say(p, " (normal: %s)", place->normal);
        return;
    }
    say(p, "%s", place->body ? " from " : "from ");
    say(p, "%.5g to ", place->from);
    say_number(p, place->to, "m");
}

static void say_counter(page *p, const jd_counter *counter) {
    if (counter->kind == JD_MOVING) {
        say(p, " against a body moving at ");
        say_number(p, counter->velocity, "m/s");
    } else if (counter->kind == JD_PLACE) {
        say(p, " against ");
        say_place(p, &counter->place);
    }
}

// The alternative of "N|N/m|N m" or "m|rad": the last is of points that turn, the second of three
// that of a span (laws) or of shaken supports (drives).
static void pick_unit(const char *units, bool second, bool turning, char *out, size_t size) {
    const char *bar = strchr(units, '|'), *last = strrchr(units, '|');
    if (turning && last)
        units = last + 1;
    else if (second && bar && bar != last)
        units = bar + 1;
    snprintf(out, size, "%.*s", (int)strcspn(units, "|"), units);
}

// The law's name and its first number: "Coulomb, 0.66 N", "gap 1 m".
static void say_law(page *p, const jd_object *law, bool span, bool turning) {
    const jd_param *q = law->type->params;
    const char *title = jd_law_of(law)->title;
    while (q->key && (q->kind != JD_KIND_REAL || isnan(*JD_MEMBER_CONST(double, law->def, q)))) q++;
    if (jd_law_of(law)->describe) {
        char more[160];
        jd_law_of(law)->describe(law->def, more, sizeof more);
        say(p, " (%s%s%s)", title ? title : "", title ? ", " : "", more);
        return;
    }
    say(p, " (%s%s", title ? title : "", title && q->key ? ", " : "");
    if (q->key) {
        char one[40];
        pick_unit(q->unit, span, turning, one, sizeof one);
        if (strcmp(q->key, "limit") != 0) say(p, "%s ", q->key);
        say_number(p, *JD_MEMBER_CONST(double, law->def, q), one);
    }
    say(p, ")");
}

// Engine series alone cuts spans into these cells.
static bool in_cells(const jd_problem *problem) {
    const jd_engine_info *engine;
    const char *why;
    return jd_engine_choose(problem, &engine, &why) == JD_OK && !strcmp(engine->name, "series");
}

static void say_contacts(page *p, const jd_problem *problem) {
    int n = jd_problem_contacts(problem);
    if (n > 0) say(p, n > 1 ? "; %d contacts: " : "; %d ", n);
    for (int i = 0; i < n; i++) {
        const jd_contact_def *c = jd_problem_contact(problem, i)->def;
        const jd_law_class *law = jd_law_of(&c->law);
        bool span = jd_place_is_span(&c->at), sole = span && !c->at.body;
        say(p, "%s%s", i ? ", " : "", n > 1 && law->short_noun ? law->short_noun : law->noun);
        if (jd_law_traits(&c->law) & JD_LAW_SURFACE) continue;
        say(p, " %s ", sole ? "along it" : span ? "along" : "at");
        say_place(p, &c->at);
        say_counter(p, &c->against);
        const jd_system *y = jd_problem_system(problem);
        if (span && y && y->cells && y->cells[i].n > 0 && in_cells(problem))
            say(p, " in %d cells", y->cells[i].n);
        say_law(p, &c->law, span, jd_problem_turns(problem, &c->at));
    }
}

// omega and, where it was given so, the multiple of a natural frequency.
static void say_drive_frequency(page *p, const jd_problem *problem, int i,
                                const jd_frequency *frequency) {
    double omega = jd_problem_drive_frequency(problem, i);
    if (omega > 0) {
        say(p, ", ω = ");
        say_number(p, omega, "rad/s");
    }
    if (frequency->mode > 0) say(p, " = %.5g ω%d", frequency->times, frequency->mode);
}

static void say_drive(page *p, const jd_problem *problem, int i) {
    const jd_object *drive = jd_problem_drive(problem, i);
    const jd_param *of = key_of(drive, "of", JD_KIND_CHOICE);
    const jd_param *amplitude = key_of(drive, "amplitude", JD_KIND_REAL);
    if (!amplitude) amplitude = key_of(drive, "value", JD_KIND_REAL);
    const jd_param *at = key_of(drive, "at", JD_KIND_PLACE);
    const jd_param *frequency = key_of(drive, "frequency", JD_KIND_FREQUENCY);
    const jd_place *place = at ? JD_MEMBER_CONST(jd_place, drive->def, at) : NULL;
    bool base = of && *JD_MEMBER_CONST(int, drive->def, of) == JD_DRIVE_BASE;
    bool turning = place && !base && jd_problem_turns(problem, place);
    bool span = place && !base && jd_place_is_span(place);
    const char *noun = turning ? "moment" : span ? "load" : "force";
    say(p, "%s %s", drive->type->name, base ? "shaking of the supports" : noun);
    if (amplitude) {
        char unit[40];
        const char *units = amplitude->unit;
        for (int k = 0; span && k < JD_DRIVE_UNIT_SPAN; k++) units = strchr(units, '|') + 1;
        pick_unit(units, base, turning, unit, sizeof unit);
        say(p, " ");
        say_number(p, *JD_MEMBER_CONST(double, drive->def, amplitude), unit);
    }
    if (place && !base && jd_place_given(place)) {
        say(p, span ? " along " : " at ");
        say_place(p, place);
    }
    if (drive->type == &jd_drive_travelling) {
        const jd_travelling_def *d = drive->def;
        say(p, " at each of %d points (order %d)", d->points.n, d->order);
    }
    if (frequency)
        say_drive_frequency(p, problem, i, JD_MEMBER_CONST(jd_frequency, drive->def, frequency));
}

static void say_duration(page *p, const jd_problem *problem, const jd_duration *duration) {
    double seconds = 0;
    if (!duration->periods) {
        say_number(p, duration->value, "s");
    } else if (jd_problem_duration(problem, duration, &seconds) == JD_OK) {
        say(p, "%.4g%s (%.5g periods)", seconds, p->si ? " s" : "", duration->value);
    } else {
        say(p, "%.5g periods", duration->value);
    }
}

// What is kept of infinitely many modes, or why it cannot be.
static void say_memory(page *p, const jd_problem *problem, const jd_simulate_def *sim) {
    jd_response *response = NULL;
    jd_memory_choice choice;
    jd_arena *arena = jd_arena_create(problem->context);
    if (!arena) return;
    jd_start_forces forces;
    jd_start_places places;
    jd_status s = jd_start_infinite_forces(problem, arena, &forces);
    if (s == JD_OK)
        s = jd_problem_response_from(problem->context, problem, &forces, &places, &response);
    if (s == JD_OK && jd_response_infinite(response)) {
        s = jd_memory_choose(arena, response, sim->tolerance, (jd_memory_form)sim->memory, &choice);
        say(p, "; memory: %s",
            s == JD_OK ? jd_memory_describe(arena, &choice)
                       : jd_context_error(problem->context)->message);
    }
    if (s != JD_OK) jd_context_clear_error(problem->context);
    jd_response_free(response);
    jd_arena_free(arena);
}

// The engine that will run it, or why none can.
static void say_run(page *p, const jd_problem *problem) {
    bool given;
    const jd_simulate_def *s = jd_problem_section(problem, JD_SIMULATE, &given);
    const jd_engine_info *engine = NULL;
    const char *why = NULL;
    if (!given) return;
    if (jd_problem_structure(problem, 0)) jd_engine_choose(problem, &engine, &why);
    say(p, "; run: %s%suntil ", engine ? engine->name : "", engine ? " engine " : "");
    say_duration(p, problem, &s->until);
    bool automatic = !strcmp(s->engine, "auto");
    if (engine && automatic && why) say(p, " (exact cannot: %s)", why);
    if (engine && !strcmp(engine->name, "memory")) say_memory(p, problem, s);
    if (engine || !why) return;
    say(p, ", but %s%s%s cannot: %s", automatic ? "Judder" : "engine `", automatic ? "" : s->engine,
        automatic ? "" : "`", why);
}

static void say_analyses(page *p, const jd_problem *problem) {
    bool given;
    const jd_orbit_def *orbit = jd_problem_section(problem, JD_ORBIT, &given);
    if (given) {
        say(p, "; orbit");
        if (orbit->periods > 0)
            say(p, " of %d period%s", orbit->periods, orbit->periods == 1 ? "" : "s");
        if (orbit->settle.value > 0) {
            say(p, " after ");
            say_duration(p, problem, &orbit->settle);
        }
    }
    const jd_follow_def *follow = jd_problem_section(problem, JD_FOLLOW, &given);
    if (given) say(p, "; follow %s from %.5g to %.5g", follow->parameter, follow->from, follow->to);
    const jd_nsm_def *nsm = jd_problem_section(problem, JD_NSM, &given);
    if (given && nsm->omega.n == 2) {
        say(p, "; nonsmooth modes from ω = %.5g to ", nsm->omega.value[0]);
        say_number(p, nsm->omega.value[1], "rad/s");
    }
    jd_problem_section(problem, JD_KERNEL, &given);
    if (given) say(p, "; memory kernels");
    const jd_sweep_def *sweep = jd_problem_section(problem, JD_SWEEP, &given);
    for (int i = 0; given && i < sweep->parameters.n; i++)
        say(p, "%s%s", i ? " and " : "; sweep over ", sweep->parameters.text[i]);
    const jd_sample_def *sample = given ? &sweep->sample : NULL;
    if (sample && sample->points > 0)
        say(p, "; %d draws of %d number%s at random", sample->points, sample->parameters.n,
            sample->parameters.n > 1 ? "s" : "");
}

static void say_connections(page *p, const jd_problem *problem) {
    const jd_system *y = jd_problem_system(problem);
    for (int i = 0; i < jd_problem_connections(problem); i++) {
        const jd_object *o = jd_problem_connection(problem, i);
        const jd_param *number = o->type->params;
        while (number->kind != JD_KIND_REAL) number++;
        const jd_spring_def *d = o->def; // where it acts stands first in every kind
        char unit[40];
        pick_unit(number->unit, false, jd_problem_turns(problem, &d->at), unit, sizeof unit);
        say(p, "; %s ", o->type->name);
        say_number(p, *JD_MEMBER_CONST(double, o->def, number), unit);
        say(p, " from ");
        say_place(p, &d->at);
        say(p, " to ");
        if (d->against.kind == JD_PLACE)
            say_place(p, &d->against.place);
        else
            say(p, "the ground");
    }
    int k = 0;
    while (y && y->turn && k < y->modal.n && !(y->modal.omega2[k].hi > 0)) k++;
    if (!y || !y->turn || k == y->modal.n) return;
    say(p, "; common modes: ω%d = ", k + 1);
    say_number(p, sqrt(y->modal.omega2[k].hi), "rad/s");
}

// An equilibrium with friction depends on how it was reached: said, and how many sliders stick.
static void say_start(page *p, const jd_problem *problem) {
    int stuck = 0, n = 0;
    bool start = jd_problem_start(problem)->type == &jd_start_static;
    if (!start || !jd_problem_system(problem) || !jd_rest_needed(problem)) return;
    if (jd_problem_settled(problem, &n, &stuck) != JD_OK) {
        say(p, "; start: %s", jd_context_error(problem->context)->message);
        jd_context_clear_error(problem->context);
        return;
    }
    say(p, "; starts in the equilibrium that loads and preloads reach when they grow from 0");
    if (n > 0)
        say(p, " (%d of %d slider%s stuck%s)", stuck, n, n == 1 ? "" : "s",
            stuck ? ": it is one of many" : "");
}

size_t jd_model_explain(jd_problem *problem, char *text, size_t size) {
    page p = {.text = text, .size = size, .si = jd_problem_is_si(problem)};
    if (size) text[0] = '\0';
    say_bodies(&p, problem);
    say_connections(&p, problem);
    say_contacts(&p, problem);
    for (int i = 0; i < jd_problem_drives(problem); i++) {
        if (jd_problem_drive(problem, i)->type == &jd_drive_quadrature) continue;
        say(&p, "%s", i || jd_problem_contacts(problem) ? ", " : "; ");
        say_drive(&p, problem, i);
    }
    say_start(&p, problem);
    say_run(&p, problem);
    say_analyses(&p, problem);
    return p.used;
}
