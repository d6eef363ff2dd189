// state_values.c -- saved states whose seal is right and whose values are hostile: each is refused
// by name, or goes on to an end; none crashes, none runs for ever.
//   A run of every engine that can be saved is stopped on its way. Then each word of its state
//   becomes, one after the other, NaN, infinite, huge, tiny, negative, another count, index or
//   flag; the block is sealed anew, taken up and run for a little while. NaN that is taken up (in
//   what the present phase does not use) is not seen in the motion.
//   JD_STATE_VALUES=N tries N changes of each state (2500); JD_STATE_TRACE tells each.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "judder/judder.h"
#include "model_case.h"

enum { HEAD = 64, CHECK_AT = 56, SETS = 8, MOST_LOOKS = 20000 };

// The last eight bytes of the head are the sum over all the others (engine/state.c).
static void seal(char *block, size_t size) {
    uint64_t check = jd_hash(jd_hash(jd_hash_start, block, CHECK_AT), block + HEAD, size - HEAD);
    memcpy(block + CHECK_AT, &check, sizeof check);
}

// A run that is looked at so often without having ended is told to.
static long looks;
static bool tired(void *user) {
    (void)user;
    return ++looks > MOST_LOOKS;
}

typedef struct subject {
    const char *name, *file, *text; // a model of the gallery, or a text
    const char *set[SETS];
    double save, more; // when it is saved, how long it goes on [s]
} subject;

typedef struct place {
    jd_context *context;
    jd_problem *problem, *again; // again: starts from a saved state
    char *block, *changed;
    size_t size;
    double t; // of the saved state
    long tried, refused;
} place;

static void must(place *p, jd_status status) {
    if (status == JD_OK) return;
    const jd_error *e = jd_context_error(p->context);
    fail_msg("%s: %s", e->where, e->message);
}

static jd_problem *read_model(place *p, const subject *s) {
    char path[300];
    int n = 0;
    jd_problem *out = NULL;
    while (n < SETS && s->set[n]) n++;
    snprintf(path, sizeof path, "%s/gallery/%s", JD_SOURCE_DIR, s->file);
    must(p, s->text ? jd_model_parse(p->context, "m.yaml", ".", s->text, strlen(s->text), n, s->set,
                                     &out)
                    : jd_model_read(p->context, path, n, s->set, &out));
    return out;
}

static void go(place *p, jd_run *run, double until) {
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT) must(p, jd_run_advance(run, until, &step));
}

static place open_place(const subject *s) {
    place p = {0};
    jd_context_def def = jd_default_context_def();
    jd_start_restart_def start = {.file = "elsewhere"};
    jd_run *run = NULL;
    def.stop = tired;
    p.context = jd_context_create(&def);
    p.problem = read_model(&p, s);
    must(&p, jd_run_create(p.context, p.problem, &run));
    go(&p, run, s->save);
    p.size = jd_run_state_size(run);
    p.block = malloc(p.size);
    p.changed = malloc(p.size);
    must(&p, jd_run_state_save(run, p.block, p.size));
    jd_run_free(run);
    p.again = read_model(&p, s);
    must(&p, jd_problem_set_start(p.again, jd_type_find(jd_start_types(), "restart"), &start));
    p.t = s->save;
    return p;
}

static void close_place(place *p) {
    free(p->block);
    free(p->changed);
    jd_problem_free(p->problem);
    jd_problem_free(p->again);
    jd_context_free(p->context);
}

// A state that was taken up goes on, is looked at and saved again, whatever comes of it. True: all
// that is seen of it are numbers.
static bool use(place *p, jd_run *run, double until) {
    int n = jd_problem_contacts(p->again);
    double *room = malloc(3 * (size_t)(n + 1) * sizeof *room);
    jd_step step = JD_STEP_EVENT;
    jd_report report;
    jd_status s = JD_OK;
    looks = 0;
    for (int k = 0; k < 200 && s == JD_OK && step == JD_STEP_EVENT; k++)
        s = jd_run_advance(run, until, &step);
    if (s != JD_OK) assert_true(jd_context_error(p->context)->message[0]);
    if (s == JD_OK) {
        jd_run_observe_contacts(run, fmax(until, 0), room, room + n, room + 2 * n);
        jd_run_report(run, &report);
        size_t size = jd_run_state_size(run);
        char *block = malloc(size);
        jd_run_state_save(run, block, size);
        free(block);
    }
    bool finite = true;
    for (int i = 0; s == JD_OK && i < 3 * n; i++) finite = finite && isfinite(room[i]);
    free(room);
    return finite;
}

// True: it was taken up; *finite: and moves by numbers.
static bool try_change(place *p, const subject *s, bool *finite) {
    jd_run *run = NULL;
    seal(p->changed, p->size);
    must(p, jd_run_create(p->context, p->again, &run));
    jd_status status = jd_run_state_load(run, p->changed, p->size);
    p->tried++;
    if (status == JD_OK) {
        *finite = use(p, run, p->t + s->more);
    } else {
        p->refused++;
        const jd_error *e = jd_context_error(p->context);
        if (status != JD_BAD_RESULT_FILE) fail_msg("refused as %d: %s", (int)status, e->message);
        assert_non_null(strstr(e->message, "saved state"));
        if (p->tried == 1) fail_msg("%s", e->message); // as it was
        jd_step step;                                  // half a state cannot be run
        assert_int_equal(jd_run_advance(run, p->t + s->more, &step), JD_BAD_ARGUMENT);
    }
    jd_run_free(run);
    return status == JD_OK;
}

static const double odd_real[] = {NAN,  INFINITY, -INFINITY, 1e308, -1e308, 1e18, -1e18,
                                  -1.0, 0.0,      1e-320,    3.5,   1e9,    1e99};
static const int32_t odd_whole[] = {-1, 0, 1, 2, 3, 7, 255, 1 << 20, INT32_MAX, INT32_MIN};
static const int64_t odd_long[] = {-1, INT64_MAX, INT64_MIN, 1LL << 40, 1000};
static const unsigned char odd_byte[] = {2, 0x7F, 0x80, 0xFF};
enum {
    REALS = sizeof odd_real / sizeof *odd_real,
    WHOLES = sizeof odd_whole / sizeof *odd_whole,
    LONGS = sizeof odd_long / sizeof *odd_long,
    BYTES = sizeof odd_byte / sizeof *odd_byte,
    KINDS = REALS + WHOLES + LONGS + BYTES
};

// Value `kind` at byte `at`; false: it does not fit there.
static bool change(place *p, size_t at, int kind) {
    const void *value = &odd_byte[(kind - REALS - WHOLES - LONGS) & 3];
    size_t n = 1;
    if (kind < REALS) value = &odd_real[kind], n = 8;
    if (kind >= REALS && kind < REALS + WHOLES) value = &odd_whole[kind - REALS], n = 4;
    if (kind >= REALS + WHOLES && kind < REALS + WHOLES + LONGS)
        value = &odd_long[kind - REALS - WHOLES], n = 8;
    if (at % (n < 4 ? 1 : 4) != 0 || at + n > p->size) return false;
    memcpy(p->changed, p->block, p->size);
    memcpy(p->changed + at, value, n);
    return true;
}

static uint64_t seed = 20150101;
static size_t draw(size_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((seed >> 33) % n);
}

static void try_all(const subject *s) {
    place p = open_place(s);
    const char *wanted = getenv("JD_STATE_VALUES"), *trace = getenv("JD_STATE_TRACE");
    double all = (double)(p.size - 40) * KINDS, most = wanted ? atof(wanted) : 2500;
    memcpy(p.changed, p.block, p.size); // as it is
    bool finite = true;
    assert_true(try_change(&p, s, &finite) && finite);
    for (size_t at = 40; at < p.size; at++) // its time, then what the engine wrote
        for (int kind = 0; kind < KINDS; kind++) {
            bool first = kind == 0 && at % 4 == 0; // NaN, wherever a word may be
            if (at >= CHECK_AT && at < HEAD) continue;
            if (!first && (double)draw(1000000) * 1e-6 > most / all) continue;
            if (!change(&p, at, kind)) continue;
            if (trace) fprintf(stderr, "%s: byte %zu, kind %d\n", s->name, at, kind);
            if (try_change(&p, s, &finite) && first && !finite)
                fail_msg("%s: NaN is taken up at byte %zu", s->name, at);
        }
    print_message("%-22s %zu bytes, %ld changes, %ld refused\n", s->name, p.size, p.tried,
                  p.refused);
    assert_true(p.refused > 0);
    close_place(&p);
}

#define CHAIN                                                                                      \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 3, mass: 1, stiffness: 4, damping: {type: ratio, value: "     \
    "0.02}, supports: {left: fixed, right: free}, points: {a: {node: 1}, b: {node: 2}, c: "        \
    "{node: 3}}}\n"                                                                                \
    "drives: {f: {at: c, type: harmonic, amplitude: 2, frequency: 1.3}}\n"
#define STRING                                                                                     \
    "judder: 1\n"                                                                                  \
    "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite, "       \
    "points: {bow: 0.4}, damping: none}\n"                                                         \
    "contacts: {bow: {at: bow, against: {velocity: 1.5}, law: {type: stribeck, limit: 4, drop: "   \
    "0.32, decay: 1}}}\n"                                                                          \
    "start: {type: lift, mode: 1, point: bow, displacement: -2.9, velocity: -2.7}\n"

static const subject subjects[] = {
    {.name = "exact",
     .text = CHAIN "contacts:\n"
                   "  pad: {at: a, against: ground, law: {type: coulomb, limit: 0.3}}\n"
                   "  wall: {at: b, against: ground, law: {type: stop, gap: 0.2, restitution: 0.5, "
                   "sides: both}}\n"
                   "simulate: {engine: exact, until: 20}\n",
     .save = 7.3,
     .more = 3},
    {.name = "exact, two on a mass",
     .text = CHAIN "contacts:\n"
                   "  pad: {at: a, against: ground, law: {type: coulomb, limit: 0.3}}\n"
                   "  other: {at: a, against: ground, law: {type: coulomb, limit: 0.2}}\n"
                   "simulate: {engine: exact, until: 20}\n",
     .save = 7.3,
     .more = 3},
    {.name = "memory, modes",
     .text =
         CHAIN "contacts:\n"
               "  pad: {at: a, against: {velocity: 0.1}, law: {type: stribeck, limit: 0.3, "
               "drop: 0.1, decay: 1}}\n"
               "  wall: {at: b, against: ground, law: {type: stop, gap: 0.2, restitution: 0.5}}\n"
               "simulate: {engine: memory, until: 20}\n",
     .save = 5.3,
     .more = 1},
    {.name = "memory, echoes", .text = STRING "simulate: {until: 20}\n", .save = 2.3, .more = 0.3},
    {.name = "closure",
     .file = "friction-oscillator/alpha05.yaml",
     .set = {"simulate={until: 40}"},
     .save = 7.3,
     .more = 3},
    {.name = "closure, filippov",
     .file = "friction-oscillator/alpha05.yaml",
     .set = {"simulate={until: 40}", "structure.wave_term=0"},
     .save = 7.3,
     .more = 3},
    {.name = "wave",
     .file = "two-rods/harmonic20.yaml",
     .set = {"simulate={engine: wave, nodes: 16, until: 1 s, error_estimate: true}"},
     .save = 0.31,
     .more = 0.1},
    {.name = "wave, soil",
     .file = "pile/blows.yaml",
     .set = {"simulate={engine: wave, nodes: 21, until: 1 s}"},
     .save = 0.31,
     .more = 0.1},
    {.name = "wave, damped",
     .file = "two-rods/harmonic20.yaml",
     .set = {"simulate={engine: wave, nodes: 16, until: 1 s}",
             "bodies.pile.damping={type: rayleigh, stiffness: 1e-4 s}"},
     .save = 0.31,
     .more = 0.1},
    {.name = "taylor",
     .file = "two-rods/harmonic20.yaml",
     .set = {"simulate={engine: taylor, nodes: 16, until: 1 s}", "bodies.sleeve.modes=3"},
     .save = 0.31,
     .more = 0.1},
};

static void hostile_states_are_refused_or_end(void **state) {
    (void)state;
    const char *only = getenv("JD_STATE_ONLY");
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (!only || !strcmp(only, subjects[i].name)) try_all(&subjects[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hostile_states_are_refused_or_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
