// impact_reference.c -- prints tests/paper/impact_chain_reference.h: impact times of the chain.
//   sensitivity = max_i |dt/dx_i| over the starts of the five masses, from runs shifted by 2^-50;
//   a calculation with rounding eps may be off by about eps x sensitivity, no better method helps.
//   Error of the printed times: rounding of quadruple precision times the sensitivity; measured
//   against a 60-digit run: 2.1e-32 x sensitivity, 4.2e-26 s at worst.
#include "reference.h"

#include <stdio.h>

enum { SHOWN = 50, MASSES = 5 };

static const char *const head[] = {
    "// impact_chain_reference.h -- impact times of the five-mass chain against a stop.",
    "//   m = 1/5, k = 5, fixed left, stop u_5 <= 1, x_j = 0.9 j/5, v_5 = 2, no damping.",
    "//   Printed by bench/impact_reference.c: modes by Jacobi and closed-form flights in",
    "//   quadruple precision, zeros by steps from a second-derivative bound (none is jumped "
    "over).",
    "//   All digits are right: a run with 60 digits (closed-form modes, zeros by a fine scan)",
    "//   differs by less than 3e-32 x sensitivity, at most 5e-26 s.",
    "//   sensitivity: max over the masses of |dt/dx_j(0)|. Doubles start with errors of 1e-17 in",
    "//   x_j: times good to a few 1e-16 x sensitivity are all that doubles can give.",
    "#ifndef JD_TESTS_IMPACT_CHAIN_REFERENCE_H",
    "#define JD_TESTS_IMPACT_CHAIN_REFERENCE_H",
    "",
    "typedef struct impact_reference {",
    "    double t;           // [s]",
    "    double speed;       // of approach [m/s]",
    "    double sensitivity; // [s/m]",
    "} impact_reference;",
};

typedef struct workspace {
    bench_problem problem;
    bench_events events, moved;
    bench_reference exact, shifted;
    quad sensitivity[BENCH_EVENTS];
} workspace;

static void sensitivities(workspace *w, int e_tenths, double t_end) {
    const double shift = 0x1p-50;
    for (int i = 0; i < w->events.n; i++) w->sensitivity[i] = 0;
    for (int mass = 0; mass < MASSES; mass++) {
        bench_chain(&w->problem, "P3", e_tenths, mass, shift);
        bench_reference_run(&w->problem, t_end, &w->moved, &w->shifted);
        for (int i = 0; i < w->events.n && i < w->moved.n; i++) {
            quad s = fabsq(w->shifted.time[i] - w->exact.time[i]) / shift;
            if (s > w->sensitivity[i]) w->sensitivity[i] = s;
        }
    }
}

static void print_table(workspace *w, int e_tenths, const char *name, double t_end) {
    bench_chain(&w->problem, "P3", e_tenths, 0, 0);
    bench_reference_run(&w->problem, t_end, &w->events, &w->exact);
    sensitivities(w, e_tenths, t_end);
    int shown = w->events.n < SHOWN ? w->events.n : SHOWN, early = 0;
    while (early < w->events.n && w->events.list[early].t <= 100) early++;
    printf("\n// e = %.1f: %d impacts up to t = 100; the first %d of the motion follow.\n",
           e_tenths / 10.0, early, shown);
    printf("enum { %s_until_100 = %d };\n", name, early);
    printf("static const impact_reference %s[%d] = {\n", name, shown);
    for (int i = 0; i < shown; i++) {
        char t[64];
        quadmath_snprintf(t, sizeof t, "%.20Qf", w->exact.time[i]);
        printf("    {%s, %.15g, %.1e},\n", t, w->events.list[i].speed, (double)w->sensitivity[i]);
    }
    printf("};\n");
}

int main(void) {
    static workspace w;
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) puts(head[i]);
    print_table(&w, 8, "impacts_e08", 1000);
    print_table(&w, 10, "impacts_e1", 400);
    printf("\n#endif\n");
    return 0;
}
