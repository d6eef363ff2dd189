// pile_damped.c -- damped rods in friction on soil, beside an integration of its own: velocities at
// nodes, forces between them, small explicit steps, friction and soil node by node.
#include "draws.h"
#include "how_many.h"
#include "wave_case.h"

typedef struct pile {
    double length, ea, rho, alpha, beta; // C = alpha M + beta K
    double force, duration;              // half a sine at the head
    double from, limit;                  // friction from here on [N/m]
    double toe, quake, smith;            // soil below the tip
} pile;

static pile draw_pile(void) {
    pile p = {.length = mixed(5, 40), .rho = decades(1, 3)};
    double c = mixed(1000, 5000), tau = p.length / c;
    p.ea = p.rho * c * c;
    p.alpha = mixed(0, 0.3) / tau, p.beta = mixed(0.001, 0.01) * tau;
    p.force = 1e-4 * p.ea, p.duration = mixed(0.5, 1.5) * tau;
    p.from = mixed(0, 0.6) * p.length, p.limit = mixed(0.1, 1) * p.force / p.length;
    p.toe = mixed(0.2, 1) * p.force, p.quake = mixed(0.1, 0.6) * 1e-4 * p.length;
    p.smith = mixed(0, 0.3) / (1e-4 * c);
    return p;
}

enum { LOOKS = 12, MOST = 401 };
static double end_of(const pile *p) { return 5 * p->length / sqrt(p->ea / p->rho); }

static void reference(const pile *p, double (*u)[2]) {
    static double x[MOST], v[MOST], old[MOST];
    int n = MOST, k = 0;
    double h = p->length / (n - 1), c = sqrt(p->ea / p->rho), set = 0, t = 0;
    double dt = fmin(0.25 * h / c, 0.2 * h * h / (p->beta * c * c));
    memset(x, 0, sizeof x), memset(v, 0, sizeof v);
    while (k < LOOKS) {
        memcpy(old, v, sizeof v);
        for (int i = 0; i < n; i++) {
            double m = p->rho * h * (i == 0 || i == n - 1 ? 0.5 : 1), f = -p->alpha * m * old[i];
            if (i + 1 < n) f += p->ea / h * (x[i + 1] - x[i] + p->beta * (old[i + 1] - old[i]));
            if (i > 0) f -= p->ea / h * (x[i] - x[i - 1] + p->beta * (old[i] - old[i - 1]));
            if (i == 0 && t < p->duration) f += p->force * sin(acos(-1) * t / p->duration);
            if (i == n - 1) {
                set = fmax(set, x[i] - p->quake);
                double r = fmin(fmax(p->toe / p->quake * (x[i] - set), 0), p->toe);
                f -= r * fmax(0, 1 + p->smith * old[i]);
            }
            double low = fmax(fmax(i * h - 0.5 * h, 0), p->from),
                   high = fmin(i * h + 0.5 * h, p->length);
            double most = p->limit * fmax(high - low, 0) * dt / m, free = old[i] + dt * f / m;
            v[i] = free > most ? free - most : free < -most ? free + most : 0;
        }
        for (int i = 0; i < n; i++) x[i] += dt * v[i];
        t += dt;
        if (t < (k + 1) * end_of(p) / LOOKS) continue;
        double late = t - (k + 1) * end_of(p) / LOOKS;
        u[k][0] = x[0] - late * v[0], u[k][1] = x[n - 1] - late * v[n - 1], k++;
    }
}

static double computed(const pile *p, int nodes, double (*u)[2]) {
    char text[2000];
    wave_case w;
    jd_report r;
    double v[2];
    snprintf(
        text, sizeof text,
        "judder: 1\n"
        "structure: {type: rod, length: %.17g, axial_stiffness: %.17g, mass_per_length: %.17g,\n"
        "  supports: {left: free, right: free}, points: {head: 0, tip: %.17g},\n"
        "  damping: {type: rayleigh, mass: %.17g, stiffness: %.17g}}\n"
        "contacts:\n"
        "  shaft: {at: {span: [%.17g, %.17g]}, against: ground, law: {type: coulomb, limit: "
        "%.17g}}\n"
        "  toe: {at: tip, against: ground, law: {type: soil, limit: %.17g, quake: %.17g, "
        "damping: %.17g}}\n"
        "drives: {hammer: {at: head, type: pulse, shape: half-sine, amplitude: %.17g, "
        "duration: %.17g}}\n"
        "simulate: {engine: wave, until: %.17g, nodes: %d}\n",
        p->length, p->ea, p->rho, p->length, p->alpha, p->beta, p->from, p->length, p->limit,
        p->toe, p->quake, p->smith, p->force, p->duration, 1.1 * end_of(p), nodes);
    wave_begin(&w, text);
    int index;
    assert_int_equal(jd_run_probe(w.run, "head", &index), JD_OK);
    assert_int_equal(jd_run_probe(w.run, "tip", &index), JD_OK);
    for (int k = 0; k < LOOKS; k++) {
        wave_go(&w, (k + 1) * end_of(p) / LOOKS);
        jd_run_observe(w.run, (k + 1) * end_of(p) / LOOKS, u[k], v);
    }
    jd_run_report(w.run, &r);
    assert_true(r.ledger.contact[0] >= 0 && r.ledger.contact[1] >= 0 && r.ledger.damping > 0);
    wave_close(&w);
    return fabs(r.ledger.residual);
}

static void damped_piles_on_soil_move_as_by_small_steps(void **state) {
    (void)state;
    double worst[2] = {0, 0}, residual = 0;
    for (int k = 0, count = how_many(6, 3); k < count; k++) {
        pile p = draw_pile();
        double exact[LOOKS][2], u[LOOKS][2], most = 0;
        reference(&p, exact);
        for (int i = 0; i < LOOKS; i++)
            most = fmax(most, fmax(fabs(exact[i][0]), fabs(exact[i][1])));
        for (int g = 0; g < 2; g++) {
            residual = fmax(residual, computed(&p, g ? 201 : 51, u));
            for (int i = 0; i < LOOKS; i++)
                for (int j = 0; j < 2; j++)
                    worst[g] = fmax(worst[g], fabs(u[i][j] - exact[i][j]) / most);
        }
    }
    print_message("damped piles on soil: off by %.1e with 51 nodes, %.1e with 201; energy %.1e\n",
                  worst[0], worst[1], residual);
    assert_true(worst[0] < 6e-3 && worst[1] < 1.2e-3);
    assert_near(residual, 0, 1e-10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damped_piles_on_soil_move_as_by_small_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
