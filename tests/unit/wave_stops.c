// wave_stops.c -- stops on rods: a hammer that falls on a head, with and without a cushion;
// splices.
#include "draws.h"
#include "how_many.h"
#include "wave_case.h"

static char text[4000];

typedef struct hammer {
    double mass, fall, gap;             // [kg], load on it [N], free path [m]
    double stiffness, damping, cushion; // 0: rigid
    double length, ea, rho;             // of the pile
    int nodes;
} hammer;

static double speed_of(const hammer *h) { return sqrt(h->ea / h->rho); }
static double impedance(const hammer *h) { return sqrt(h->ea * h->rho); }
static double lands(const hammer *h) { return sqrt(2 * h->gap * h->mass / h->fall); }

static hammer draw_hammer(int nodes) {
    hammer h = {
        .length = mixed(10, 40), .ea = decades(8, 10), .rho = decades(1, 3), .nodes = nodes};
    h.mass = mixed(0.3, 2) * h.length * h.rho;
    h.fall = h.mass * 9.81;
    // some hundred steps of fall, so that the grid has no more to do than the blow
    double t = mixed(1, 3) * h.length / speed_of(&h);
    h.gap = 0.5 * 9.81 * t * t;
    h.cushion = 1;
    return h;
}

static const char *write_hammer(const hammer *h, const char *more) {
    char law[200] = "restitution: 0";
    if (h->stiffness > 0)
        snprintf(law, sizeof law, "stiffness: %.17g, damping: %.17g, cushion: %.17g", h->stiffness,
                 h->damping, h->cushion);
    snprintf(text, sizeof text,
             "judder: 1\n"
             "bodies:\n"
             "  ram: {type: chain, count: 1, mass: %.17g, supports: {left: free, right: free}, "
             "points: {ram: {node: 1}}}\n"
             "  pile: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
             "         supports: {left: free, right: free}, points: {head: 0, tip: %.17g}}\n"
             "contacts:\n"
             "  blow: {at: ram.ram, against: pile.head, law: {type: stop, gap: %.17g, %s}}\n"
             "%s"
             "drives: {weight: {at: ram.ram, type: constant, value: %.17g}}\n"
             "simulate: {engine: wave, until: 1e6, nodes: %d}\n",
             h->mass, h->length, h->ea, h->rho, h->length, h->gap, law, more, h->fall, h->nodes);
    return text;
}

// The same by small steps of its own: a mass, a cushion and a dashpot (the impedance of a long
// rod).
typedef struct strike {
    double ram, head, v, peak; // displacements from the touch, velocity of the ram
} strike;

static double force_of(const hammer *h, const strike *s, double rate) {
    double e = s->ram - s->head, r2 = h->cushion * h->cushion;
    double n =
        e >= s->peak ? h->stiffness * e : fmax(h->stiffness / r2 * (e - (1 - r2) * s->peak), 0);
    return n > 0 ? fmax(n + h->damping * rate, 0) : 0;
}

// Z head' = F, with F = N(e) + c (v - head').
static double head_rate(const hammer *h, const strike *s) {
    double z = impedance(h), n = force_of(h, s, 0);
    if (n <= 0) return 0;
    return fmax(n + h->damping * s->v, 0) / (z + h->damping);
}

static double reference_head(const hammer *h, double since, double v) {
    strike s = {.v = v};
    double z = impedance(h);
    if (h->stiffness == 0) // v of both, from the touch on
        return h->fall / z + (v - h->fall / z) * exp(-z * since / h->mass);
    int n = 20000;
    double dt = since / n;
    for (int i = 0; i < n; i++) { // midpoint rule
        strike m = s;
        double w = head_rate(h, &s);
        m.ram += 0.5 * dt * s.v, m.head += 0.5 * dt * w;
        m.v += 0.5 * dt * (h->fall - z * w) / h->mass;
        w = head_rate(h, &m);
        s.ram += dt * m.v, s.head += dt * w;
        s.v += dt * (h->fall - z * w) / h->mass;
        s.peak = fmax(s.peak, s.ram - s.head);
    }
    return head_rate(h, &s);
}

static double worst_head(const hammer *h, double *residual) {
    wave_case w;
    int index;
    double worst = 0, t0 = lands(h), v0 = h->fall / h->mass * t0, u, v,
           tau = h->length / speed_of(h);
    wave_begin(&w, write_hammer(h, ""));
    assert_int_equal(jd_run_probe(w.run, "pile.head", &index), JD_OK);
    for (int k = 1; k <= 12; k++) {
        double since = 1.9 * tau * k / 12;
        wave_go(&w, t0 + since);
        jd_run_observe(w.run, t0 + since, &u, &v);
        worst = fmax(worst, fabs(v - reference_head(h, since, v0)) / v0);
    }
    jd_report r;
    jd_run_report(w.run, &r);
    *residual = fmax(*residual, fabs(r.ledger.residual));
    assert_true(r.ledger.impact[0] >= -1e-12 * r.ledger.work);
    assert_true(r.ledger.contact[0] == 0); // what a stop takes is no friction
    wave_close(&w);
    return worst;
}

// A mass on a long rod: v = v0 exp(-Z t/M); with a cushion a mass, a spring and a dashpot.
static void a_falling_hammer_is_a_mass_on_an_impedance(void **state) {
    (void)state;
    static const char *const kind[] = {"rigid", "spring", "cushion", "dashpot"};
    for (int what = 0; what < 4; what++) {
        double worst[2] = {0, 0}, residual = 0;
        for (int k = 0, count = how_many(6, 3); k < count; k++) {
            hammer h = draw_hammer(0);
            if (what > 0) h.stiffness = mixed(2, 20) * h.ea / h.length;
            if (what == 2) h.cushion = mixed(0.4, 0.95);
            if (what == 3) h.damping = mixed(0.1, 1) * impedance(&h);
            for (int i = 0; i < 2; i++) {
                h.nodes = i ? 1601 : 401;
                worst[i] = fmax(worst[i], worst_head(&h, &residual));
            }
        }
        print_message("%s: head off by %.1e of v0 with 401 nodes, %.1e with 1601; energy %.1e\n",
                      kind[what], worst[0], worst[1], residual);
        assert_true(worst[0] < 4e-3 && worst[1] < 1.5e-3 && worst[0] > 2 * worst[1]);
        assert_near(residual, 0, 1e-9);
    }
}

// The energy a rigid hammer delivers until its wave comes back: Z int v^2 dt, v the velocity of the
// head, w = F/Z its last value under the weight F of the hammer.
static double closed_delivered(const hammer *h, double T, double v0) {
    double z = impedance(h), w = h->fall / z, a = z / h->mass, d = v0 - w;
    return z * (w * w * T + 2 * w * d * -expm1(-a * T) / a + d * d * -expm1(-2 * a * T) / (2 * a));
}

static double delivered(const hammer *h, double until, double *set) {
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    jd_result *result = NULL;
    write_hammer(h, "");
    char *end = strstr(text, "until: 1e6");
    assert_non_null(end);
    snprintf(end, sizeof text - (size_t)(end - text), "until: %.17g, nodes: %d}\n", until,
             h->nodes);
    if (jd_model_parse(context, "m.yaml", ".", text, strlen(text), 0, NULL, &problem) ||
        jd_result_of_run(context, problem, &result))
        fail_msg("%s", jd_context_error(context)->message);
    const jd_blows_result *b = jd_result_run(result)->blows;
    double energy = -1;
    assert_non_null(b);
    assert_string_equal(b->drive, "blow");
    assert_int_equal(b->table.n_row, 1);
    for (int k = 0; k < b->table.n_column; k++) {
        if (!strcmp(b->table.name[k], "delivered")) energy = b->table.value[k][0];
        if (!strcmp(b->table.name[k], "pile.head.set")) *set = b->table.value[k][0];
    }
    jd_result_free(result);
    jd_problem_free(problem);
    jd_context_free(context);
    return energy;
}

static void a_hammer_delivers_what_the_closed_form_says(void **state) {
    (void)state;
    double worst[2] = {0, 0}, worst_set = 0;
    for (int k = 0, count = how_many(8, 4); k < count; k++) {
        hammer h = draw_hammer(0);
        double t0 = lands(&h), v0 = h.fall / h.mass * t0, z = impedance(&h), w = h.fall / z;
        double T = mixed(0.3, 1.9) * h.length / speed_of(&h), set = 0;
        double right = closed_delivered(&h, T, v0);
        double moved = w * T + (v0 - w) * h.mass / z * -expm1(-z * T / h.mass);
        for (int i = 0; i < 2; i++) {
            h.nodes = i ? 1601 : 401;
            worst[i] = fmax(worst[i], fabs(delivered(&h, t0 + T, &set) / right - 1));
        }
        worst_set = fmax(worst_set, fabs(set / moved - 1));
    }
    print_message("delivered: off by %.1e with 401 nodes, %.1e with 1601; set by %.1e\n", worst[0],
                  worst[1], worst_set);
    assert_true(worst[0] < 2e-2 && worst[1] < 5e-3 && worst[0] > 2 * worst[1]);
    assert_true(worst_set < 5e-3);
}

// A blow of whole steps runs through a splice of two like rods as if there was none, comes back as
// tension and is caught in the lower rod, which flies off with all of the momentum.
static void a_splice_carries_compression_and_lets_tension_go(void **state) {
    (void)state;
    double worst = 0, residual = 0, loss = 0;
    for (int k = 0, count = how_many(40, 10); k < count; k++) {
        double length = mixed(5, 50), ea = decades(6, 10), rho = decades(1, 3);
        int n = 50 + pick(200), steps = 4 + pick(n / 2);
        double dt = length / (n - 1) * sqrt(rho / ea), p = decades(3, 6);
        snprintf(
            text, sizeof text,
            "judder: 1\n"
            "bodies:\n"
            "  upper: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: "
            "%.17g, supports: {left: free, right: free}, points: {head: 0, tip: %.17g}}\n"
            "  lower: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: "
            "%.17g, supports: {left: free, right: free}, points: {head: 0}}\n"
            "contacts: {splice: {at: upper.tip, against: lower.head, law: {type: stop, gap: 0, "
            "restitution: 0}}}\n"
            "drives: {blow: {at: upper.head, type: pulse, amplitude: %.17g, duration: %.17g}}\n"
            "simulate: {engine: wave, until: 1e6, nodes: %d}\n",
            length, ea, rho, length, length, ea, rho, p, steps * dt, n);
        wave_case w;
        jd_report r;
        wave_begin(&w, text);
        wave_go(&w, 5 * (n - 1) * dt);
        double impulse = p * steps * dt;
        worst = fmax(worst, fabs(wave_momentum(w.run, 0)) / impulse);
        worst = fmax(worst, fabs(wave_momentum(w.run, 1) - impulse) / impulse);
        jd_run_report(w.run, &r);
        residual = fmax(residual, fabs(r.ledger.residual));
        loss = fmax(loss, fabs(r.ledger.impact[0]) / r.ledger.work);
        wave_close(&w);
    }
    print_message("splice: momentum off by %.1e, energy by %.1e, %.1e of it lost there\n", worst,
                  residual, loss);
    assert_near(worst, 0, 1e-10);
    assert_near(residual, 0, 1e-10);
    assert_near(loss, 0, 1e-10);
}

// A cushion on a wall gives back its square of the energy.
static void a_cushion_throws_back_with_its_restitution(void **state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        hammer h = {.length = 10, .ea = 1e16, .rho = 1e12, .nodes = 101, .mass = 100, .fall = 1};
        h.cushion = k ? mixed(0.3, 1) : 1, h.stiffness = 1e6, h.gap = 0.5e-2;
        double t0 = lands(&h), v0 = t0 / 100, u[1], v[1];
        wave_case w;
        int index;
        wave_begin(&w, write_hammer(&h, ""));
        assert_int_equal(jd_run_probe(w.run, "ram.ram", &index), JD_OK);
        wave_go(&w, t0 + 0.2);
        jd_run_observe(w.run, t0 + 0.2, u, v);
        double since = 0.2 - acos(-1) / 2 * sqrt(h.mass / h.stiffness) * (1 + h.cushion);
        assert_near(v[0] / v0, -h.cushion + h.fall / h.mass * since / v0, 4e-3);
        wave_close(&w);
    }
}

// A run that is taken up again goes on bit for bit; friction at the head is solved with the stop.
static void friction_at_the_head_keeps_the_ledger(void **state) {
    (void)state;
    double residual = 0;
    for (int k = 0, count = how_many(10, 4); k < count; k++) {
        hammer h = draw_hammer(60 + pick(100));
        if (pick(2)) h.stiffness = mixed(2, 20) * h.ea / h.length, h.cushion = mixed(0.4, 1);
        char shaft[300];
        snprintf(shaft, sizeof shaft,
                 "  shaft: {at: {body: pile, span: [0, %.17g]}, against: ground, law: {type: "
                 "coulomb, limit: %.17g%s}}\n",
                 h.length, decades(-1, 2) * h.fall / h.length, pick(2) ? ", stiffness: 1e6" : "");
        wave_case w;
        jd_report r;
        wave_begin(&w, write_hammer(&h, shaft));
        wave_go(&w, lands(&h) + 6 * h.length / speed_of(&h));
        jd_run_report(w.run, &r);
        residual = fmax(residual, fabs(r.ledger.residual));
        for (int c = 0; c < 2; c++) {
            assert_true(r.ledger.contact[c] >= -1e-12 * r.ledger.work);
            assert_true(r.ledger.impact[c] >= -1e-12 * r.ledger.work);
        }
        wave_close(&w);
    }
    print_message("with friction at the head: energy %.1e\n", residual);
    assert_near(residual, 0, 1e-8);
}

static void refuse_law(const char *law, jd_status status, const char *words) {
    snprintf(text, sizeof text,
             "judder: 1\n"
             "bodies:\n"
             "  ram: {type: chain, count: 1, mass: 1, supports: {left: free, right: free}, points: "
             "{ram: {node: 1}}}\n"
             "  pile: {type: rod, length: 10, axial_stiffness: 1, mass_per_length: 1, supports: "
             "{left: free, right: free}, points: {head: 0}}\n"
             "contacts: {blow: {at: ram.ram, %s}}\n"
             "simulate: {engine: wave, until: 1, nodes: 11}\n",
             law);
    wave_refused(text, status, words);
}

static void mistakes_are_named(void **state) {
    (void)state;
    refuse_law("against: pile.head, law: {type: stop, gap: 1, restitution: 0.5}", JD_NOT_SUPPORTED,
               "restitution 0");
    refuse_law("against: pile.head, law: {type: stop, gap: 1, restitution: 0, sides: both}",
               JD_NOT_SUPPORTED, "one side only");
    refuse_law("against: pile.head, law: {type: stop, gap: -1, restitution: 0}", JD_NOT_SUPPORTED,
               "no preloaded stop");
    refuse_law("against: pile.head, law: {type: stop, gap: 1, restitution: 0, cushion: 0.5}",
               JD_OUT_OF_RANGE, "no `stiffness`");
    refuse_law("against: pile.head, law: {type: stop, gap: 1, stiffness: 1, cushion: 1.5}",
               JD_OUT_OF_RANGE, "between 0 and 1");
    refuse_law("against: pile.nose, law: {type: stop, gap: 1, restitution: 0}", JD_UNKNOWN_NAME,
               "nose");
    hammer h = draw_hammer(101);
    write_hammer(&h, "");
    strcat(text, "start: static\n");
    wave_refused(text, JD_NOT_SUPPORTED, "no equilibrium of rods with stops");
    wave_refused("judder: 1\n"
                 "structure: {type: chain, count: 1, mass: -4, supports: {left: free, right: "
                 "free}}\nsimulate: {engine: wave, until: 1, nodes: 11}\n",
                 JD_OUT_OF_RANGE, "above 0");
    wave_refused("judder: 1\n"
                 "structure: {type: chain, count: 1, mass: 4, supports: {left: free, right: "
                 "free}}\nsimulate: {engine: wave, until: 1, nodes: 11}\n",
                 JD_NOT_SUPPORTED, "there is no rod");
    wave_refused("judder: 1\n"
                 "structure: {type: rod, length: 10, axial_stiffness: 1, mass_per_length: 1, "
                 "points: {a: 1}}\n"
                 "drives: {w: {at: a, type: constant, value: 1, profile: {at: [0], factor: [1]}}}\n"
                 "simulate: {engine: wave, until: 1, nodes: 11}\n",
                 JD_OUT_OF_RANGE, "does not act along a span");
    wave_refused("judder: 1\n"
                 "structure: {type: rod, length: 10, axial_stiffness: 1, mass_per_length: 1}\n"
                 "drives: {w: {at: {span: [0, 5]}, type: constant, value: 1, profile: {at: [0, 1], "
                 "factor: [1]}}}\n"
                 "simulate: {engine: wave, until: 1, nodes: 11}\n",
                 JD_SIZE_MISMATCH, "as many");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_falling_hammer_is_a_mass_on_an_impedance),
        cmocka_unit_test(a_hammer_delivers_what_the_closed_form_says),
        cmocka_unit_test(a_splice_carries_compression_and_lets_tension_go),
        cmocka_unit_test(a_cushion_throws_back_with_its_restitution),
        cmocka_unit_test(friction_at_the_head_keeps_the_ledger),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
