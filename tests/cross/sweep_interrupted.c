// sweep_interrupted.c -- sweeps stopped at any time: what is done is what it would have been.
//   The stop comes after so many times of asking, spread over the whole of each sweep: while the
//   motion settles, while its orbit is recorded, and while it is judged. Points are bit for bit
//   those of the whole sweep or left for later, and the sweep goes on to the same end.
#include "how_many.h"
#include "sweep_case.h"

typedef struct patience {
    long asked, most; // most < 0: without end
} patience;

static bool is_over(void *user) {
    patience *p = user;
    p->asked++;
    return p->most >= 0 && p->asked > p->most;
}

#define STRING(form)                                                                               \
    "judder: 1\n"                                                                                  \
    "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite,\n"      \
    "            points: {bow: 0.4}, damping: {type: ratio, value: 0.012}}\n"                      \
    "contacts:\n  bow: {at: bow, against: {velocity: 1.5}, law: {type: stribeck, limit: 4, "       \
    "drop: 0.32, decay: 1}}\n"                                                                     \
    "start: {type: lift, mode: 1, point: bow, displacement: -2.9224, velocity: -2.7668}\n"         \
    "simulate: {engine: memory, memory: " form ", tolerance: 1e-4, until: 40}\n"                   \
    "sweep: {parameters: [contacts.bow.law.limit], from: [3.8], to: [3.8], points: [1], "          \
    "settle: 30}\n"

static const char *const models[] = {
    // judged over many further periods: chaotic, quasi-periodic or chattering ones among them
    KNOCKER("none", "parameters: [drives.force.frequency], from: [1.3], to: [2.7], points: [4], "
                    "settle: 30 periods"),
    BEAM("4", RAYLEIGH, "0.5",
         "parameters: [drives.shaker.amplitude], from: [2], to: [3], points: "
         "[3]"),
    STRING("delays"),
    // sets of a pile
    "judder: 1\n"
    "structure: {type: rod, length: 2, axial_stiffness: 4e9, mass_per_length: 100,\n"
    "  supports: {left: free, right: free}, points: {head: 0, tip: 2}}\n"
    "contacts: {shaft: {at: {span: [0, 2]}, against: ground, law: {type: coulomb, limit: 450}}}\n"
    "drives:\n"
    "  weight: {at: {span: [0, 2]}, type: constant, value: 150}\n"
    "  vibrator: {at: head, type: harmonic, amplitude: 2000, frequency: 60}\n"
    "simulate: {engine: wave, nodes: 9, until: 1}\n"
    "sweep: {parameters: [drives.vibrator.amplitude], from: [1500], to: [2500], points: [2], "
    "measure: tip.displacement.set}\n",
};

// As many points as are done, which are those of the whole sweep.
static int compare(const jd_sweep *a, const unsigned char *whole) {
    size_t one = jd_sweep_packed_size(a);
    unsigned char *now = calloc(1, one);
    int done = 0;
    for (int i = 0; i < jd_sweep_look(a)->n_point; i++) {
        if (!jd_sweep_look(a)->point[i].done) continue;
        jd_sweep_pack(a, i, now);
        assert_memory_equal(now, whole + (size_t)i * one, one);
        done++;
    }
    free(now);
    return done;
}

static jd_sweep *begin(model_case *m, patience *p, const char *text) {
    jd_context_def def = jd_default_context_def();
    def.stop = is_over;
    def.user = p;
    m->context = jd_context_create(&def);
    return sweep_of(m, text);
}

static void end(model_case *m, jd_sweep *s) {
    jd_sweep_free(s);
    model_case_drop(m);
    jd_context_free(m->context);
}

static void stopped_at(const char *text, long most, const unsigned char *whole) {
    model_case m = {0};
    patience p = {.most = -1};
    jd_sweep *s = begin(&m, &p, text);
    jd_sweep_options o = jd_default_sweep_options();
    bool complete;
    o.threads = 1;
    p = (patience){.most = most};
    assert_int_equal(jd_sweep_run(s, &o, &complete), JD_OK);
    assert_true(compare(s, whole) == jd_sweep_look(s)->n_point || !complete);
    p.most = -1;
    assert_int_equal(jd_sweep_run(s, &o, &complete), JD_OK);
    assert_true(complete);
    assert_int_equal(compare(s, whole), jd_sweep_look(s)->n_point);
    end(&m, s);
}

static void what_is_done_is_that_of_the_whole_sweep(void **state) {
    (void)state;
    int n = how_many(10, 6);
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        model_case m = {0};
        patience p = {.most = -1};
        size_t size;
        jd_sweep *s = begin(&m, &p, models[k]);
        p.asked = 0;
        sweep_compute(&m, s, 1);
        unsigned char *whole = sweep_bytes(s, &size);
        long asked = p.asked;
        for (int i = 0; i < n; i++) stopped_at(models[k], asked * (2 * i + 1) / (2 * n), whole);
        for (int i = 1; i < n; i++) stopped_at(models[k], asked - i, whole);
        print_message("model %d: asked %ld times\n", (int)k, asked);
        free(whole);
        end(&m, s);
    }
}

// The second point begins beyond the stop. A stop that comes while that is made sure of, as the
// last question, does not hide it.
static void a_failure_stays_one_when_the_sweep_is_stopped(void **state) {
    (void)state;
    static const char text[] =
        "judder: 1\n"
        "structure: {type: chain, count: 1, mass: 1, stiffness: 1, damping: none,\n"
        "  supports: {left: fixed, right: free}, points: {mass: {node: 1}}}\n"
        "contacts: {stop: {at: mass, against: ground, law: {type: stop, gap: 1, restitution: "
        "0.8}}}\n"
        "drives: {force: {at: mass, type: harmonic, amplitude: 0.5, frequency: 1.5}}\n"
        "start: {type: state, displacement: [0.5]}\n"
        "sweep: {parameters: [contacts.stop.law.gap], from: [1], to: [0.1], points: [2], settle: "
        "20 periods}\n";
    long asked = 0;
    for (int turn = 0; turn < 2; turn++) {
        model_case m = {0};
        patience p = {.most = -1};
        jd_sweep *s = begin(&m, &p, text);
        jd_sweep_options o = jd_default_sweep_options();
        bool complete;
        o.threads = 1;
        p = (patience){.most = turn ? asked - 1 : -1};
        assert_int_equal(jd_sweep_run(s, &o, &complete), JD_OUT_OF_RANGE);
        assert_false(complete);
        says("message", jd_context_error(m.context)->message, "contacts.stop.law.gap = 0.1");
        asked = p.asked;
        end(&m, s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_done_is_that_of_the_whole_sweep),
        cmocka_unit_test(a_failure_stays_one_when_the_sweep_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
