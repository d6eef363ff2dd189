// matrices_excited.c -- shaken supports and vectors of forces of matrices: the same motion as that
// of chains and beams of whose matrices they were made, and exact static deflections with few
// modes.
#include <stdlib.h>
#include <string.h>

#include "draws.h"
#include "folder_case.h"
#include "how_many.h"
#include "judder/judder.h"
#include "near.h"
#include "structure/modal.h"

enum { MOST = 3000, NODES = 12 };

static void write_file(const char *name, const char *text) {
    FILE *f = fopen(in_folder(name), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static jd_problem *model(const char *text) {
    jd_problem *p;
    if (jd_model_parse(context, "m.yaml", folder, text, strlen(text), 0, NULL, &p) != JD_OK)
        fail_msg("%s", jd_context_error(context)->message);
    return p;
}

static int events_of(const char *text, double *t) {
    jd_problem *p = model(text);
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    int n = 0;
    assert_int_equal(jd_run_create(context, p, &run), JD_OK);
    while (n < MOST) {
        assert_int_equal(jd_run_advance(run, 50, &step), JD_OK);
        if (step != JD_STEP_EVENT) break;
        t[n++] = jd_run_event(run)->t;
    }
    jd_run_free(run);
    jd_problem_free(p);
    return n;
}

static double compare(const char *a, const char *b) {
    static double x[MOST], y[MOST];
    double worst = 0;
    int n = events_of(a, x);
    assert_int_equal(events_of(b, y), n);
    assert_true(n > 5);
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(x[i] - y[i]));
    return worst;
}

enum { ROWS = 2 * (NODES + 1) }; // deflection along z and rotation about y of every node

// The rows of all nodes but the first, which is held.
static void put_matrix(const char *name, double A[ROWS][ROWS]) {
    static const int dof[] = {3, 5};
    FILE *f = fopen(in_folder(name), "w");
    assert_non_null(f);
    for (int i = 2; i < ROWS; i++)
        for (int j = 2; j < ROWS; j++)
            if (A[i][j] != 0)
                fprintf(f, "%d,%d,%d,%d,%.17g\n", i / 2, dof[i % 2], j / 2, dof[j % 2], A[i][j]);
    fclose(f);
}

// A clamped beam of NODES elements, EI = m = 1, as lists of an FE program; loads beside it: that of
// shaken supports, with the mass that couples to the clamp, and an even pressure.
static void write_beam(void) {
    double h = 1.0 / NODES, L[4] = {1, h, 1, h}, base[NODES + 1][2] = {{0}},
           p[NODES + 1][2] = {{0}};
    static const double k[4][4] = {
        {12, 6, -12, 6}, {6, 4, -6, 2}, {-12, -6, 12, -6}, {6, 2, -6, 4}};
    static const double m[4][4] = {
        {156, 22, 54, -13}, {22, 4, 13, -3}, {54, 13, 156, -22}, {-13, -3, -22, 4}};
    static double K[ROWS][ROWS], M[ROWS][ROWS];
    memset(K, 0, sizeof K);
    memset(M, 0, sizeof M);
    for (int e = 0; e < NODES; e++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                K[2 * e + i][2 * e + j] += k[i][j] / (h * h * h) * L[i] * L[j];
                M[2 * e + i][2 * e + j] += m[i][j] * h / 420 * L[i] * L[j];
            }
    for (int i = 0; i < ROWS; i++) // each node moves by 1, without rotation
        for (int j = 0; j < ROWS; j += 2) base[i / 2][i % 2] += M[i][j];
    put_matrix("K.txt", K);
    put_matrix("M.txt", M);
    FILE *v = fopen(in_folder("v.csv"), "w");
    assert_non_null(v);
    fprintf(v, "node, dof, base, pressure # loads\n");
    for (int a = 1; a <= NODES; a++) {
        p[a][0] = a < NODES ? h : h / 2;
        for (int i = 0; i < 2; i++)
            fprintf(v, "%d, %d, %.17g, %.17g\n", a, i ? 5 : 3, base[a][i], p[a][i]);
    }
    fclose(v);
}

#define REST                                                                                       \
    "contacts: {c: {at: tip, against: ground, law: {type: coulomb, limit: 0.02}}}\n"               \
    "simulate: {until: 50}\n"
#define BEAM                                                                                       \
    "judder: 1\nstructure: {type: fe-beam, length: 1, bending_stiffness: 1, mass_per_length: 1, "  \
    "elements: 12, points: {tip: 1, n1: {node: 2}, n2: {node: 3}, n3: {node: 4}, n4: {node: 5}, "  \
    "n5: {node: 6}, n6: {node: 7}, n7: {node: 8}, n8: {node: 9}, n9: {node: 10}, n10: {node: "     \
    "11}, "                                                                                        \
    "n11: {node: 12}, n12: {node: 13}}, damping: {type: ratio, value: 0.02}}\n"
#define LISTS                                                                                      \
    "judder: 1\nstructure: {type: matrices, mass: M.txt, stiffness: K.txt, vectors: v.csv, "       \
    "points: {tip: {node: 12, dof: 3}}, damping: {type: ratio, value: 0.02}}\n"

static void shaken_matrices_move_as_the_beam_they_were_made_of(void **state) {
    (void)state;
    write_beam();
    double off = compare(
        BEAM "drives: {s: {of: base, type: harmonic, amplitude: 1, frequency: 2.9}}\n" REST,
        LISTS "drives: {s: {of: base, type: harmonic, amplitude: 1, frequency: 2.9}}\n" REST);
    print_message("events of the shaken beam: %.1e s of 50 s apart\n", off);
    assert_near(off, 0, 1e-8); // measured 7e-10: matrices in double hold 1e-11 of omega_1
}

static void a_vector_is_the_sum_of_forces_at_its_nodes(void **state) {
    (void)state;
    static char text[8000];
    write_beam();
    int n = snprintf(text, sizeof text, "%sdrives:\n", BEAM);
    for (int a = 1; a <= NODES; a++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  p%d: {at: n%d, type: harmonic, amplitude: %.17g, frequency: 2.9}\n", a, a,
                      a < NODES ? 1.0 / NODES : 0.5 / NODES);
    snprintf(text + n, sizeof text - (size_t)n, "%s", REST);
    double off =
        compare(text, LISTS
                "drives: {p: {at: pressure, type: harmonic, amplitude: 1, frequency: 2.9}}\n" REST);
    print_message("events under pressure: %.1e s of 50 s apart\n", off);
    assert_near(off, 0, 1e-8);
}

// Deflection of point i by a lasting unit of a load, from modes and static shapes.
static double deflection(const jd_structure *s, int i, const jd_dd *load) {
    double sum = 0;
    for (int k = 0; k < s->modal.n; k++)
        sum += s->row[(size_t)i * (size_t)s->modal.n + (size_t)k].hi * load[k].hi /
               s->modal.omega2[k].hi;
    return sum;
}

// Closed forms of the tip: q L^4/(8 EI) of shaken supports with m = 1, sum of p_a x_a^2 (3 L -
// x_a)/ (6 EI) of the pressure, lumped at the nodes.
static void loads_deflect_few_modes_exactly(void **state) {
    (void)state;
    static const char *const few[] = {"modes: 2", "modes: 5",
                                      "modes: 2, interface: [tip, pressure]"};
    double pressed = 0;
    for (int a = 1; a <= NODES; a++) {
        double x = (double)a / NODES, p = a < NODES ? 1.0 / NODES : 0.5 / NODES;
        pressed += p * x * x * (3 - x) / 6;
    }
    write_beam();
    for (int i = 0; i < 3; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%.*s, %s}\n", (int)strlen(LISTS) - 2, LISTS, few[i]);
        jd_problem *p = model(text);
        const jd_structure *s = jd_problem_structure(p, 0);
        assert_true(s->modal.n < 10);
        assert_near(deflection(s, 0, s->base), 1.0 / 8, 1e-11); // measured 1e-13
        assert_near(deflection(s, 0, s->row + s->modal.n), pressed, 1e-11);
        jd_problem_free(p);
    }
}

// Chains of drawn masses: r follows from the labels, and lumped masses do not couple to the wall.
static void labels_say_how_supports_move_rows(void **state) {
    (void)state;
    double worst = 0;
    for (int i = 0; i < how_many(8, 3); i++) {
        char masses[1000] = "", springs[1000] = "", chain[4000], lists[2000];
        seed = 11 + (unsigned)i;
        FILE *K = fopen(in_folder("K.txt"), "w"), *M = fopen(in_folder("M.txt"), "w");
        assert_true(K && M);
        int n = 4 + pick(6), axis = pick(3);
        double before = 0;
        for (int a = 1; a <= n + 1; a++) {
            double k = a <= n ? mixed(0.5, 2) : 0, mass = mixed(0.5, 2);
            if (a > 1) // the mass before: springs on both of its sides
                fprintf(K, "%d,%d,%d,%d,%.17g\n", a - 1, axis + 1, a - 1, axis + 1, before + k);
            if (a > n) break;
            if (a > 1) fprintf(K, "%d,%d,%d,%d,%.17g\n", a - 1, axis + 1, a, axis + 1, -k);
            if (a > 1) fprintf(K, "%d,%d,%d,%d,%.17g\n", a, axis + 1, a - 1, axis + 1, -k);
            fprintf(M, "%d,%d,%d,%d,%.17g\n", a, axis + 1, a, axis + 1, mass);
            sprintf(masses + strlen(masses), "%s%.17g", a > 1 ? ", " : "", mass);
            sprintf(springs + strlen(springs), "%s%.17g", a > 1 ? ", " : "", k);
            before = k;
        }
        fclose(K);
        fclose(M);
        const char *rest =
            "damping: {type: ratio, value: 0.03}}\n"
            "contacts: {c: {at: tip, against: ground, law: {type: coulomb, limit: 0.3}}}\n"
            "drives: {s: {of: base, type: harmonic, amplitude: 1, frequency: 0.8}}\n"
            "simulate: {until: 50}\n";
        snprintf(chain, sizeof chain,
                 "judder: 1\nstructure: {type: chain, count: %d, mass: [%s], stiffness: [%s], "
                 "points: {tip: {node: %d}}, %s",
                 n, masses, springs, n, rest);
        snprintf(lists, sizeof lists,
                 "judder: 1\nstructure: {type: matrices, mass: M.txt, stiffness: K.txt, base: [%d, "
                 "%d, %d], points: {tip: {node: %d, dof: %d}}, %s",
                 axis == 0, axis == 1, axis == 2, n, axis + 1, rest);
        worst = fmax(worst, compare(chain, lists));
    }
    print_message("events of shaken chains: %.1e s of 50 s apart\n", worst);
    assert_near(worst, 0, 1e-10);
}

static void refused(const char *keys, const char *table, jd_status status, const char *words) {
    char text[1000];
    jd_problem *p = NULL;
    write_file("v.csv", table);
    snprintf(text, sizeof text,
             "judder: 1\nstructure: {type: matrices, mass: M.txt, stiffness: K.txt, points: {tip: "
             "{node: 12, dof: 3}}, %s}\n",
             keys);
    jd_status got = jd_model_parse(context, "m.yaml", folder, text, strlen(text), 0, NULL, &p);
    const char *message = jd_context_error(context)->message;
    if (got != status) fail_msg("%s for `%s`: %s", jd_status_name(got), table, message);
    if (!strstr(message, words)) fail_msg("`%s` does not say `%s`", message, words);
    assert_null(p);
}

static void bad_loads_are_refused_by_name(void **state) {
    (void)state;
    write_beam();
    refused("base: [1, 2]", "", JD_SIZE_MISMATCH, "3: x, y, z");
    refused("vectors: v.csv", "", JD_EMPTY_FILE, "empty");
    refused("vectors: v.csv", "1, 3, 2\n", JD_BROKEN_TABLE, "node, dof");
    refused("vectors: v.csv", "node, dof\n1, 3\n", JD_BROKEN_TABLE, "names no vector");
    refused("vectors: v.csv", "node, dof, p, p\n", JD_DUPLICATE_NAME, "two columns");
    refused("vectors: v.csv", "node, dof, p.q\n", JD_BROKEN_TABLE, "p.q");
    refused("vectors: v.csv", "node, dof, p\n99, 3, 1\n", JD_UNKNOWN_NAME, "node 99");
    refused("vectors: v.csv", "node, dof, p\n1, 4, 1\n", JD_UNKNOWN_NAME, "dof 4");
    refused("vectors: v.csv", "node, dof, p\n1, 3, 1\n1, 3, 2\n", JD_DUPLICATE_NAME, "twice");
    refused("vectors: v.csv", "node, dof, p\n1, 3\n", JD_BROKEN_TABLE, "force");
    refused("vectors: v.csv", "node, dof, p\n1, 3, nan\n", JD_BROKEN_TABLE, "force");
    refused("vectors: v.csv", "node, dof, tip\n1, 3, 1\n", JD_DUPLICATE_NAME, "two points");
    refused("vectors: v.csv, base: [0, 0, 1]", "node, dof, base\n1, 3, 1\n", JD_DUPLICATE_NAME,
            "base");
    refused("vectors: v.csv, reduction: craig-bampton, modes: 2, interface: [p]",
            "node, dof, p\n1, 3, 1\n", JD_NOT_SUPPORTED, "vector of forces");
    write_file("K.mtx", "%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 2\n");
    jd_problem *p = NULL;
    const char *bare =
        "judder: 1\nstructure: {type: matrices, mass: K.mtx, stiffness: K.mtx, base: [1, 0, 0]}\n";
    assert_int_equal(jd_model_parse(context, "m.yaml", folder, bare, strlen(bare), 0, NULL, &p),
                     JD_NOT_SUPPORTED);
    // Supports whose direction nobody says: the hint names the key.
    write_file("K.txt", "1,1,1,1,2\n");
    bare = "judder: 1\nstructure: {type: matrices, mass: K.txt, stiffness: K.txt}\n"
           "drives: {s: {of: base, type: harmonic, amplitude: 1, frequency: 1}}\n";
    jd_status status = jd_model_parse(context, "m.yaml", folder, bare, strlen(bare), 0, NULL, &p);
    if (status == JD_OK) status = jd_problem_build(p);
    assert_int_equal(status, JD_NOT_SUPPORTED);
    assert_non_null(strstr(jd_context_error(context)->hint, "base: [0, 0, 1]"));
    jd_problem_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shaken_matrices_move_as_the_beam_they_were_made_of),
        cmocka_unit_test(a_vector_is_the_sum_of_forces_at_its_nodes),
        cmocka_unit_test(loads_deflect_few_modes_exactly),
        cmocka_unit_test(labels_say_how_supports_move_rows),
        cmocka_unit_test(bad_loads_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
