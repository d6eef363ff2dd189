// structures.c -- the n-th allocation fails: continua, tables and matrix models give up cleanly.
#include <stdlib.h>
#include <unistd.h>

#include "starve.h"
#include "structure.h"

typedef struct thing {
    const char *type;
    const void *def;
} thing;

static jd_status make(jd_context *c, jd_problem *none, const void *user) {
    const thing *t = user;
    (void)none;
    jd_structure *s = NULL;
    jd_status status = jd_structure_create(c, structure_type(t->type), t->def, &s);
    assert_true((status == JD_OK) == (s != NULL));
    jd_structure_free(s);
    return status;
}

// Fails one allocation after the other until the structure can be made.
static void starve(const char *type, const void *def) {
    assert_true(starve_each(NULL, make, &(thing){type, def}, STARVE_FOR_GOOD) >= 1);
}

static void continua_and_tables_survive(void **state) {
    (void)state;
    jd_point p[] = {{.name = "a", .position = 0.25}, {.name = "b", .position = 1, .dof = 2}};
    jd_beam_def beam = {1, 1, 1, 500, {JD_CLAMPED, JD_FREE}, {2, p}, {0}};
    jd_string_def string = {1, 1, 1, 500, {JD_FIXED, JD_FIXED}, {1, p}, {0}};
    static double omega[500];
    jd_shape shape = {"a", {500, omega}};
    jd_modes_def modes = {.omega = {500, omega}, .ratio = {500, omega}, .shapes = {1, &shape}};
    starve("beam", &beam);
    starve("string", &string);
    starve("modes", &modes);
}

static void chain_file(const char *path, int n, double diagonal, double off) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", n, n, 2 * n - 1);
    for (int i = 1; i <= n; i++) {
        fprintf(f, "%d %d %g\n", i, i, diagonal);
        if (i < n) fprintf(f, "%d %d %g\n", i + 1, i, off);
    }
    fclose(f);
}

static void matrices_survive(void **state) {
    (void)state;
    char folder[] = "/tmp/judder-starve-XXXXXX", K[64], M[64];
    assert_non_null(mkdtemp(folder));
    snprintf(K, sizeof K, "%s/K.mtx", folder);
    snprintf(M, sizeof M, "%s/M.mtx", folder);
    static const int size[] = {60, 700}; // dense, sparse
    for (int i = 0; i < 2; i++) {
        chain_file(K, size[i], 2, -1);
        chain_file(M, size[i], 1, 0.125);
        jd_damping_matrix_def damping = {.matrix.file = K};
        jd_matrices_def d = {.stiffness = {.file = K},
                             .mass = {.file = M},
                             .modes = 10,
                             .damping = {"", &jd_damping_matrix, &damping}};
        jd_point p[] = {{.name = "a", .node = 7}, {.name = "b", .node = 50}};
        starve("matrices", &d);
        d.points = (jd_points){2, p};
        for (d.reduction = JD_FREE_INTERFACE; d.reduction <= JD_NO_REDUCTION; d.reduction++)
            starve("matrices", &d);
    }
    unlink(K);
    unlink(M);
    rmdir(folder);
}

static void measured_structures_survive(void **state) {
    (void)state;
    char path[] = "/tmp/judder-starve-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *f = fdopen(file, "w");
    assert_non_null(f);
    fprintf(f, "frequency,a/a.re,a/a.im\n");
    for (int k = 1; k <= 16; k++) { // mobility of one mode at 1 rad/s, ratio 0.05
        double w = 0.1 * k, a = 1 - w * w, b = 0.1 * w, size = a * a + b * b;
        fprintf(f, "%.17g,%.17g,%.17g\n", w, w * b / size, w * a / size);
    }
    fclose(f);
    jd_measured_def d = {.file = path, .quantity = 1, .frequency = 1, .error = 1e-6, .modes = 1};
    starve("measured", &d);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(continua_and_tables_survive),
        cmocka_unit_test(matrices_survive),
        cmocka_unit_test(measured_structures_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
