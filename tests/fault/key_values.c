// key_values.c -- every key of every parameter table with values no one means: each is refused by
// name, or the model is read, built and run to an end; none crashes, none runs for ever.
//   A model for each table that `judder list` shows; each of its keys becomes, by `--set`, NaN,
//   infinite, negative, 0, huge, tiny, a count without bounds, a list, a map, a word, a wrong unit.
//   A run that is looked at too often without having ended is told to end, and must.
//   Of the values each key gets one in three; all with JD_KEY_ALL. JD_KEY_TRACE tells each change
//   before it is tried.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "judder/judder.h"
#include "near.h"
#include "structure/modal.h"

enum { MOST_LOOKS = 200, MOST_EVENTS = 50 };

#define CHAIN(damping)                                                                             \
    "structure: {type: chain, count: 2, mass: 1, stiffness: 1, damping: " damping                  \
    ", points: {a: {node: 1}, b: {node: 2}}}\n"
#define SLIGHT "{type: ratio, value: 0.02}"
#define LINE(type, stiffness)                                                                      \
    "structure: {type: " type ", " stiffness ": 1, length: 2, mass_per_length: 1, modes: 4, "      \
    "points: {a: 0.4, b: 1}}\n"
#define FE(type, stiffness)                                                                        \
    "structure: {type: " type ", " stiffness ": 1, length: 1, mass_per_length: 1, elements: 3, "   \
    "points: {b: 1}}\n"
#define SECTIONS                                                                                   \
    "structure: {type: stepped-rod, length: 1, steps: [0.3], axial_stiffness: [1, 2], "            \
    "mass_per_length: [1, 1], modes: 3, points: {b: 0.4}, damping: " SLIGHT "}\n"
#define GIVEN                                                                                      \
    "structure: {type: modes, omega: [1, 2], ratio: [0.01, 0.02], shapes: {b: [1, 0.5]}}\n"
#define RUBS(law) "contacts: {c: {at: b, against: ground, law: " law "}}\n"
#define DRY RUBS("{type: coulomb, limit: 0.3}")
#define STOP RUBS("{type: stop, gap: 0.5, restitution: 0.7}")
#define DRIVEN(drive) "drives: {f: {at: b, " drive "}}\n"
#define SHAKEN DRIVEN("type: harmonic, amplitude: 0.5, frequency: 1.1")
#define BLOWS DRIVEN("type: pulse, amplitude: 0.5, duration: 1, repeat: 3, every: 2")
#define SHORT "simulate: {until: 10}\n"
#define FORMULAS                                                                                   \
    "structure: {type: piecewise, r: [y2, -y1-2*b*y2], linf: ['0', '1'], lplus: ['0', L], "        \
    "h: y2-1, lambda_plus: -1+a*(y2-1), lambda_minus: 1+a*(y2-1), sigma: 50, "                     \
    "names: [a, b, L], values: [0.5, 0.03, 0.05]}\n"                                               \
    "start: {type: values, y: [0.6, 0.5]}\nsimulate: {until: 5}\n"
#define WAVES "simulate: {until: 3, engine: wave, nodes: 12}\n"

#define LAW_OF(name, keys)                                                                         \
    { LAW, name, "contacts.c.law", CHAIN(SLIGHT) RUBS("{type: " name ", " keys "}") SHAKEN SHORT }

#define JOINED(name, key)                                                                          \
    {                                                                                              \
        CONNECTION, name, "connections.k",                                                         \
            CHAIN(SLIGHT) "connections: {k: {type: " name ", at: a, " key                          \
                          ": 1}}\n" DRY SHAKEN SHORT                                               \
    }

#define LOAD(name, keys)                                                                           \
    { DRIVE, name, "drives.f", CHAIN(SLIGHT) DRY DRIVEN("type: " name ", " keys) SHORT }

typedef enum group { STRUCTURE, DAMPING, LAW, DRIVE, START, CONNECTION, SECTION } group;

typedef struct subject {
    group group;
    const char *name, *prefix, *text; // type, path of its keys, model
} subject;

static const subject subjects[] = {
    {STRUCTURE, "string", "structure", LINE("string", "tension") DRY SHAKEN SHORT},
    {STRUCTURE, "rod", "structure", LINE("rod", "axial_stiffness") DRY SHAKEN SHORT},
    {STRUCTURE, "stepped-rod", "structure", SECTIONS DRY SHAKEN SHORT},
    {STRUCTURE, "beam", "structure", LINE("beam", "bending_stiffness") DRY SHAKEN SHORT},
    {STRUCTURE, "chain", "structure", CHAIN(SLIGHT) DRY SHAKEN SHORT},
    {STRUCTURE, "fe-beam", "structure", FE("fe-beam", "bending_stiffness") DRY SHAKEN SHORT},
    {STRUCTURE, "fe-rod", "structure", FE("fe-rod", "axial_stiffness") DRY SHAKEN SHORT},
    {STRUCTURE, "modes", "structure", GIVEN DRY SHAKEN SHORT},
    {STRUCTURE, "measured", "structure",
     "structure: {type: measured, file: gallery/measured-beam/beam.csv, error: 0.005}\n"
     "contacts: {c: {at: tip, against: ground, law: {type: coulomb, limit: 0.3}}}\n" SHORT},
    {STRUCTURE, "nonlinear-string", "structure",
     "structure: {type: nonlinear-string, modes: 2, points: {b: 0.4}, damping: " SLIGHT "}\n" SHAKEN
     "simulate: {until: 1}\n"},
    {STRUCTURE, "friction-oscillator", "structure",
     "structure: {type: friction-oscillator}\n" SHORT},
    {STRUCTURE, "two-fold", "structure",
     "structure: {type: two-fold}\nstart: {type: values, y: [0, 1, 1]}\nsimulate: {until: 2}\n"},
    {STRUCTURE, "piecewise", "structure", FORMULAS},
    {DAMPING, "ratio", "structure.damping", CHAIN(SLIGHT) DRY SHAKEN SHORT},
    {DAMPING, "rayleigh", "structure.damping",
     CHAIN("{type: rayleigh, mass: 0.1, stiffness: 0.01}") DRY SHAKEN SHORT},
    {DAMPING, "table", "structure.damping",
     CHAIN("{type: table, frequency: [0.1, 3], ratio: [0.01, 0.02]}") DRY SHAKEN SHORT},
    {LAW, "coulomb", "contacts.c.law", CHAIN(SLIGHT) DRY SHAKEN SHORT},
    LAW_OF("affine", "limit: 0.3, slope: 0.1"),
    {LAW, "stop", "contacts.c.law", CHAIN(SLIGHT) STOP SHAKEN SHORT},
    LAW_OF("stribeck", "limit: 0.3, drop: 0.1, decay: 1"),
    LAW_OF("table", "velocity: [0, 1, 2], force: [0.3, 0.2, 0.25]"),
    LAW_OF("coulomb", "limit: {mean: 0.3, amplitude: 0.1, frequency: 2}, stiffness: 3"),
    LAW_OF("stop", "gap: 0.1, stiffness: 30, damping: 0.1"),
    LAW_OF("iwan", "limit: 0.3, stiffness: 3, chi: -0.5, beta: 0.2"),
    {LAW, "soil", "contacts.c.law",
     "structure: {type: rod, axial_stiffness: 1, length: 1, mass_per_length: 1, modes: 4, "
     "supports: {left: free}, points: {h: 0, b: 1}}\n" RUBS(
         "{type: soil, limit: 1, quake: 0.1}") "drives: {f: {at: h, type: pulse, amplitude: 1, "
                                               "duration: 0.1}}\n" WAVES},
    {LAW, "dry-contact", "contacts.c.law",
     CHAIN(SLIGHT) "contacts: {c: {at: {normal: a, tangential: b}, law: {type: dry-contact, "
                   "coefficient: 0.3, preload: 1, normal_stiffness: 30, "
                   "tangential_stiffness: 20}}}\n" SHAKEN SHORT},
    JOINED("spring", "stiffness"),
    JOINED("dashpot", "damping"),
    {DRIVE, "harmonic", "drives.f", CHAIN(SLIGHT) DRY SHAKEN SHORT},
    {DRIVE, "constant", "drives.f", CHAIN(SLIGHT) DRY DRIVEN("type: constant, value: 0.5") SHORT},
    {DRIVE, "pulse", "drives.f", CHAIN(SLIGHT) DRY BLOWS SHORT},
    {DRIVE, "pulse", "drives.f", LINE("rod", "axial_stiffness") DRY BLOWS WAVES},
    LOAD("ramp", "amplitude: 0.5, duration: 1"),
    LOAD("table", "time: [0, 1, 2], value: [0, 1, 0]"),
    {START, "state", "start",
     CHAIN(SLIGHT) DRY SHAKEN "start: {type: state, displacement: [0.1, 0.2]}\n" SHORT},
    {START, "lift", "start",
     CHAIN(SLIGHT) DRY SHAKEN "start: {type: lift, mode: 1, point: b, displacement: 1}\n" SHORT},
    {START, "shape", "start",
     LINE("string", "tension") DRY SHAKEN
     "start: {type: shape, position: [0, 1, 2], displacement: [0, 0.1, 0]}\n" SHORT},
    {START, "nsm", "start",
     CHAIN("none")
         RUBS("{type: stop, gap: 1, restitution: 1}") "start: {type: nsm, omega: 1.1}\n" SHORT},
    {START, "values", "start", FORMULAS},
    {SECTION, "simulate", "simulate", CHAIN(SLIGHT) DRY SHAKEN SHORT},
    {SECTION, "simulate", "simulate",
     LINE("string", "tension") DRY SHAKEN "simulate: {until: 1, engine: memory}\n"},
    {SECTION, "simulate", "simulate", LINE("rod", "axial_stiffness") DRY SHAKEN WAVES},
    {SECTION, "simulate", "simulate", FORMULAS},
    {SECTION, "orbit", "orbit", CHAIN(SLIGHT) STOP SHAKEN SHORT "orbit: {settle: 20}\n"},
    {SECTION, "follow", "follow",
     CHAIN(SLIGHT) STOP SHAKEN SHORT
     "follow: {parameter: drives.f.frequency, from: 1.1, to: 1.15}\n"},
    {SECTION, "nsm", "nsm",
     CHAIN("none") RUBS("{type: stop, gap: 1, restitution: 1}") SHORT "nsm: {omega: [1, 1.2]}\n"},
    {SECTION, "kernel", "kernel",
     LINE("string", "tension") DRY SHAKEN SHORT "kernel: {points: 20, until: 3}\n"},
    {SECTION, "sweep", "sweep",
     CHAIN(SLIGHT) STOP SHAKEN SHORT
     "sweep: {parameters: drives.f.frequency, from: 1.1, to: 1.2, points: 2}\n"},
    {SECTION, "output", "output", CHAIN(SLIGHT) DRY SHAKEN SHORT "output: {every: 1}\n"},
};

static const char *const values[] = {".nan", ".inf",        "-1",    "0",     "1e308",  "1e-308",
                                     "1e50", "1e-50",       "1e18",  "1e9",   "[1, 2]", "[]",
                                     "{}",   "''",          "word",  "3 kg",  "1e-3",   "true",
                                     "null", "1e6 periods", "1e999", "{a: b}"};

static long looks;
static bool tired(void *user) {
    (void)user;
    return ++looks > MOST_LOOKS;
}

static jd_context *context;

static int begin(void **state) {
    (void)state;
    jd_context_def def = jd_default_context_def();
    def.stop = tired;
    context = jd_context_create(&def);
    return 0;
}

static int end(void **state) {
    (void)state;
    jd_context_free(context);
    return 0;
}

static const jd_type *table_of(const subject *s) {
    for (int k = 0; s->group == SECTION && k < JD_SECTION_COUNT; k++)
        if (!strcmp(jd_section_types[k].name, s->name)) return &jd_section_types[k];
    const jd_type *const *list[] = {jd_structure_types(), jd_damping_types, jd_law_types(),
                                    jd_drive_types(),     jd_start_types(), jd_connection_types()};
    const jd_type *type = s->group < SECTION ? jd_type_find(list[s->group], s->name) : NULL;
    if (!type) fail_msg("there is no table of %s", s->name);
    return type;
}

// A failure has a reason and is none of ours.
static void named(const char *set, jd_status status) {
    const jd_error *e = jd_context_error(context);
    if (status == JD_OK) return;
    if (status == JD_INTERNAL || !e->message[0]) fail_msg("%s: `%s`", set, e->message);
}

// A refused model says where.
static void placed(const char *set, jd_status status) {
    named(set, status);
    if (status != JD_OK && !jd_context_error(context)->where[0])
        fail_msg("%s: no place: %s", set, jd_context_error(context)->message);
}

static void run_some(const char *set, jd_problem *problem) {
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    looks = 0;
    double until = 0;
    const jd_simulate_def *simulate = jd_problem_section(problem, JD_SIMULATE, NULL);
    jd_status s = jd_problem_duration(problem, &simulate->until, &until);
    if (s == JD_OK) s = jd_run_create(context, problem, &run);
    for (int k = 0; k < MOST_EVENTS && s == JD_OK && step == JD_STEP_EVENT; k++)
        s = jd_run_advance(run, until, &step);
    named(set, s);
    jd_run_free(run);
}

static void try_value(const subject *s, const char *set) {
    jd_problem *problem = NULL;
    if (getenv("JD_KEY_TRACE")) fprintf(stderr, "%s: %s\n", s->name, set ? set : "as it is");
    looks = 0;
    jd_status status = jd_model_parse(context, "m.yaml", JD_SOURCE_DIR, s->text, strlen(s->text),
                                      set != NULL, &set, &problem);
    if (!set && status != JD_OK)
        fail_msg("%s: %s: %s", s->name, jd_context_error(context)->where,
                 jd_context_error(context)->message);
    placed(set, status);
    if (status == JD_OK) run_some(set, problem);
    jd_problem_free(problem);
}

static int try_keys(const subject *s, const jd_type *type, const char *prefix) {
    int tried = 0;
    for (const jd_param *p = type->params; p && p->key; p++) {
        char path[100], set[200];
        snprintf(path, sizeof path, "%s.%s", prefix, p->key);
        if (p->kind == JD_KIND_GROUP) tried += try_keys(s, p->types[0], path);
        size_t every = getenv("JD_KEY_ALL") ? 1 : 3, first = (size_t)tried % every;
        for (size_t k = first; k < sizeof values / sizeof *values; k += every, tried++) {
            snprintf(set, sizeof set, "%s=%s", path, values[k]);
            try_value(s, set);
        }
    }
    return tried;
}

static void every_key_takes_any_value_or_refuses_it(void **state) {
    (void)state;
    int tried = 0;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        char text[4000];
        subject s = subjects[i];
        snprintf(text, sizeof text, "judder: 1\n%s", s.text);
        s.text = text;
        try_value(&s, NULL);
        tried += try_keys(&s, table_of(&s), s.prefix);
    }
    print_message("%d changes\n", tried);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_key_takes_any_value_or_refuses_it, begin, end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
