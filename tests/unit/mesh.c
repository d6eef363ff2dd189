// mesh.c -- meshes: the same nodes, elements and sets from every format; points by coordinates and
// sets; rigid-body motion, mass and centre against closed forms; every bad file by name.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "near.h"
#include "structure/matrices/points.h"

enum { SIDE = 3, NODES = SIDE * SIDE * SIDE, BRICKS = 8, ROWS = 6 * NODES };

static jd_context *context;
static jd_arena *arena;
static char folder[] = "/tmp/judder-mesh-XXXXXX";
static char path[300], warning[400];
static uint64_t seed_state;

static double uniform(void) { // splitmix64, 0 to 1
    uint64_t z = seed_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void note(void *user, jd_log_level level, const char *text) {
    (void)user, (void)level;
    snprintf(warning, sizeof warning, "%.399s", text);
}

static int open_folder(void **state) {
    (void)state;
    jd_context_def def = jd_default_context_def();
    def.log = note;
    context = jd_context_create(&def);
    arena = jd_arena_create(context);
    if (!mkdtemp(folder) || !arena) return 1;
    snprintf(path, sizeof path, "%s/mesh", folder);
    return 0;
}

static int close_folder(void **state) {
    (void)state;
    unlink(path);
    jd_arena_free(arena);
    jd_context_free(context);
    return rmdir(folder);
}

// Eight bricks of 27 nodes with labels in any order.
typedef struct block {
    int label[NODES];
    double at[NODES][3];
    int brick[BRICKS][8];
} block;

static void make_block(block *b, int seed) {
    seed_state = (uint64_t)seed;
    for (int i = 0; i < NODES; i++) b->label[i] = 5 * i + 1 + (int)(4 * uniform());
    for (int i = NODES - 1; i > 0; i--) {
        int j = (int)((i + 1) * uniform()), kept = b->label[i];
        b->label[i] = b->label[j];
        b->label[j] = kept;
    }
    for (int i = 0; i < NODES; i++) {
        int place[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (int d = 0; d < 3; d++) b->at[i][d] = place[d] + 0.3 * uniform() - 4;
    }
    static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int e = 0; e < BRICKS; e++)
        for (int c = 0; c < 8; c++) {
            int x = e % 2 + corner[c][0], y = e / 2 % 2 + corner[c][1], z = e / 4 + corner[c][2];
            b->brick[e][c] = b->label[x + SIDE * y + SIDE * SIDE * z];
        }
}

static const char *const kinds[] = {"input file", "dataset 15", "dataset 2411", "table"};

static void write_input(FILE *f, const block *b) {
    fprintf(f, "** a comment\n*HEADING\n1, 2, 3\n*Node, nset=ALL\n");
    for (int i = 0; i < NODES; i++)
        fprintf(f, "%d, %.17g, %.17g,%.17g\n", b->label[i], b->at[i][0], b->at[i][1], b->at[i][2]);
    fprintf(f,
            "*NSET, NSET=Every, GENERATE\n1, 1000, 1\n*nset,nset=two\n%d,\n%d\n*NSET, "
            "NSET=Both\ntwo, %d\n",
            b->label[3], b->label[4], b->label[5]);
    fprintf(f, "*ELEMENT, TYPE=C3D8R, ELSET=E\n");
    for (int e = 0; e < BRICKS; e++) {
        fprintf(f, "%d", e + 1);
        for (int c = 0; c < 8; c++) fprintf(f, c == 5 ? ",\n%d" : ", %d", b->brick[e][c]);
        fprintf(f, "\n");
    }
    fprintf(f, "*ELEMENT, TYPE=MASS\n99, %d\n*NODE PRINT, NSET=ALL\nU\n", b->label[0]);
}

static void write_universal(FILE *f, const block *b, bool two) {
    fprintf(f, "    -1\n   151\nanything -1 here\n    -1\n    -1\n%6d\n", two ? 2411 : 15);
    for (int i = 0; i < NODES; i++)
        fprintf(f,
                two ? "%10d%10d%10d%10d\n%25.16E%25.16E%25.16E\n"
                    : "%10d%10d%10d%10d %.17g %.17g %.17g\n",
                b->label[i], 1, 1, 11, b->at[i][0], b->at[i][1], b->at[i][2]);
    fprintf(f, "    -1\n    -1\n  2412\n");
    for (int e = 0; e < BRICKS; e++) {
        fprintf(f, "%10d%10d%10d%10d%10d%10d\n", e + 1, 115, 1, 1, 7, 8);
        for (int c = 0; c < 8; c++) fprintf(f, "%10d", b->brick[e][c]);
        fprintf(f, "\n");
    }
    fprintf(f, "%10d%10d%10d%10d%10d%10d\n%10d\n    -1\n", 99, 161, 1, 1, 7, 1, b->label[0]);
}

static void write_kind(const block *b, int kind) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    if (kind == 0) write_input(f, b);
    if (kind == 1 || kind == 2) write_universal(f, b, kind == 2);
    if (kind == 3) {
        fprintf(f, "node,x,y,z\n");
        for (int i = 0; i < NODES; i++)
            fprintf(f, "%d,%.17g,%.17g,%.17g # a node\n", b->label[i], b->at[i][0], b->at[i][1],
                    b->at[i][2]);
    }
    fclose(f);
}

static void every_format_gives_the_same_mesh(void **state) {
    (void)state;
    for (int seed = 0; seed < 20; seed++) {
        block b;
        make_block(&b, seed);
        for (int kind = 0; kind < 4; kind++) {
            jd_mesh m;
            write_kind(&b, kind);
            jd_status status = jd_mesh_read(arena, path, &m);
            if (status != JD_OK)
                print_error("%s: %s\n", kinds[kind], jd_context_error(context)->message);
            assert_int_equal(status, JD_OK);
            assert_int_equal(m.n, NODES);
            for (int i = 0; i < NODES; i++) {
                int k = jd_mesh_find(&m, b.label[i]);
                assert_true(k >= 0 && (k == 0 || m.node[k - 1] < m.node[k]));
                for (int d = 0; d < 3; d++)
                    assert_near(m.at[3 * k + d], b.at[i][d], kind == 2 ? 1e-15 : 0);
            }
            assert_int_equal(m.cells.n, kind == 3 ? 0 : BRICKS);
            assert_int_equal(m.cells.n_other, kind == 3 ? 0 : 1);
            for (int e = 0; e < m.cells.n; e++) {
                assert_int_equal(m.cells.type[e], 12);
                assert_int_equal(m.cells.start[e + 1] - m.cells.start[e], 8);
                for (int c = 0; c < 8; c++)
                    assert_int_equal(m.node[m.cells.node[m.cells.start[e] + c]], b.brick[e][c]);
            }
            if (kind) continue;
            const jd_mesh_set *two = jd_mesh_set_of(&m, "TWO"), *both = jd_mesh_set_of(&m, "both");
            assert_int_equal(jd_mesh_set_of(&m, "every")->n, NODES);
            assert_int_equal(jd_mesh_set_of(&m, "all")->n, NODES);
            assert_true(two->n == 2 && both->n == 3 && jd_mesh_set_has(both, b.label[5]));
            assert_true(jd_mesh_set_has(two, b.label[3]) && !jd_mesh_set_has(two, b.label[5]));
            assert_null(jd_mesh_set_of(&m, "none"));
        }
    }
}

// Rows of all nodes but those of the plane x lowest.
static void make_rows(const jd_mesh *m, jd_matrix_list *list, const bool *fixed) {
    static int node[ROWS], dof[ROWS];
    *list = (jd_matrix_list){.path = "K", .node = node, .dof = dof};
    for (int i = 0; i < m->n; i++)
        for (int d = 1; d <= 6 && !fixed[i]; d++) {
            node[list->n] = m->node[i];
            dof[list->n++] = d;
        }
}

static void points_are_the_nearest_nodes_that_can_move(void **state) {
    (void)state;
    for (int seed = 0; seed < 200; seed++) {
        block b;
        jd_mesh m;
        jd_matrix_list list;
        bool fixed[NODES];
        jd_arena_mark mark = jd_arena_here(arena);
        make_block(&b, seed);
        write_kind(&b, 0);
        assert_int_equal(jd_mesh_read(arena, path, &m), JD_OK);
        for (int i = 0; i < NODES; i++) fixed[i] = uniform() < 0.2;
        make_rows(&m, &list, fixed);
        double x[3], least = HUGE_VAL, any = HUGE_VAL;
        int expected = 0, dof = 1 + (int)(6 * uniform()), row = -1;
        for (int d = 0; d < 3; d++) x[d] = 2.5 * uniform() - 4;
        for (int i = 0; i < NODES; i++) {
            const double *at = m.at + 3 * (size_t)i;
            double d = hypot(hypot(at[0] - x[0], at[1] - x[1]), at[2] - x[2]);
            any = fmin(any, d);
            if (fixed[i] || d >= least) continue;
            least = d;
            expected = m.node[i];
        }
        warning[0] = 0;
        jd_point p = {.name = "tip", .near = {3, x}, .dof = dof};
        jd_status status = jd_matrices_point(arena, &list, &m, &p, &row);
        if (least > 0.25 * jd_mesh_size(&m)) {
            assert_int_equal(status, JD_OUTSIDE_STRUCTURE);
        } else {
            assert_int_equal(status, JD_OK);
            assert_true(list.node[row] == expected && list.dof[row] == dof);
            assert_true((any < least) == (strstr(warning, "is nearer") != NULL));
        }
        jd_arena_back(arena, mark);
    }
}

static void points_of_sets_and_their_mistakes(void **state) {
    (void)state;
    block b;
    jd_mesh m;
    jd_matrix_list list, bare = {.path = "K", .n = 10};
    bool fixed[NODES] = {false};
    int row;
    make_block(&b, 1);
    write_kind(&b, 0);
    assert_int_equal(jd_mesh_read(arena, path, &m), JD_OK);
    make_rows(&m, &list, fixed);
    const double *x = b.at[20], away[3] = {400, 0, 0};
    const struct {
        jd_point point;
        const jd_mesh *mesh;
        const jd_matrix_list *list;
        jd_status status;
        const char *message;
        int node;
    } c[] = {
        {{.name = "p", .near = {3, x}, .set = "two", .dof = 2},
         &m,
         &list,
         JD_OUTSIDE_STRUCTURE,
         "not on the structure",
         0},
        {{.name = "p", .near = {3, b.at[4]}, .set = "two", .dof = 2}, &m, &list, JD_OK, "", 4},
        {{.name = "p", .near = {3, b.at[20]}, .dof = 2}, &m, &list, JD_OK, "", 20},
        {{.name = "p", .node = b.label[3], .set = "TWO", .dof = 2}, &m, &list, JD_OK, "", 3},
        {{.name = "p", .node = b.label[9], .set = "two", .dof = 2},
         &m,
         &list,
         JD_UNKNOWN_NAME,
         "not in the set `two`",
         0},
        {{.name = "p", .set = "two", .dof = 2}, &m, &list, JD_SIZE_MISMATCH, "has 2 nodes", 0},
        {{.name = "p", .set = "tow", .dof = 2}, &m, &list, JD_UNKNOWN_NAME, "no set of nodes", 0},
        {{.name = "p", .near = {3, x}, .dof = 7}, &m, &list, JD_UNKNOWN_NAME, "dof 7", 0},
        {{.name = "p", .near = {3, away}, .dof = 1}, &m, &list, JD_OUTSIDE_STRUCTURE, "away", 0},
        {{.name = "p", .near = {3, x}, .dof = 1}, NULL, &list, JD_MISSING_KEY, "no `mesh`", 0},
        {{.name = "p", .near = {3, x}, .dof = 1}, &m, &bare, JD_NOT_SUPPORTED, "which node", 0},
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        jd_context_clear_error(context);
        jd_status status = jd_matrices_point(arena, c[i].list, c[i].mesh, &c[i].point, &row);
        const jd_error *e = jd_context_error(context);
        if (status != c[i].status) print_error("case %zu: %s\n", i, e->message);
        assert_int_equal(status, c[i].status);
        assert_non_null(strstr(e->message, c[i].message));
        if (status == JD_OK) assert_int_equal(list.node[row], b.label[c[i].node]);
    }
}

// Point masses with their own inertia: mass and centre in closed form, through rotations.
static void sums_of_the_mass_matrix_are_mass_and_centre(void **state) {
    (void)state;
    for (int seed = 0; seed < 50; seed++) {
        block b;
        jd_mesh m;
        jd_matrix_list list;
        bool fixed[NODES] = {false};
        static int start[ROWS + 1], index[ROWS];
        static double value[ROWS], t[ROWS];
        double mass = 0, centre[3] = {0};
        const char *text;
        make_block(&b, seed);
        write_kind(&b, seed % 4);
        assert_int_equal(jd_mesh_read(arena, path, &m), JD_OK);
        make_rows(&m, &list, fixed);
        for (int i = 0; i < list.n; i++) {
            if (i % 6 == 0) {
                double one = 0.1 + uniform();
                for (int d = 0; d < 6; d++) value[i + d] = d < 3 ? one : uniform();
                for (int d = 0; d < 3; d++) centre[d] += one * m.at[i / 2 + d];
                mass += one;
            }
            start[i] = index[i] = i;
        }
        start[list.n] = list.n;
        jd_sparse M = {.n = list.n, .start = start, .row = index, .value = value};
        jd_dof_map rows = {list.n, list.node, list.dof};
        assert_int_equal(jd_matrices_sums(arena, &M, &rows, &m, &text), JD_OK);
        double told[4];
        assert_int_equal(sscanf(text, "mass of the rows %lf, centre (%lf, %lf, %lf)", &told[0],
                                &told[1], &told[2], &told[3]),
                         4);
        assert_relative(told[0], mass, 1e-5); // six digits are told
        for (int d = 0; d < 3; d++) assert_near(told[1 + d], centre[d] / mass, 1e-5);
        for (int a = 0; a < 3; a++) { // e x r, and e
            assert_true(jd_dof_rigid(&rows, &m, JD_DOF_RX + a, t));
            for (int i = 0; i < list.n; i++) {
                const double *r = m.at + 3 * (size_t)(i / 6);
                double e[3] = {a == 0, a == 1, a == 2};
                double u[6] = {e[1] * r[2] - e[2] * r[1],
                               e[2] * r[0] - e[0] * r[2],
                               e[0] * r[1] - e[1] * r[0],
                               e[0],
                               e[1],
                               e[2]};
                assert_true(t[i] == u[i % 6]);
            }
        }
        assert_false(jd_dof_rigid(&rows, NULL, JD_DOF_RX, t));
        assert_true(jd_dof_rigid(&rows, NULL, JD_DOF_Y, t));
    }
}

static void bad_meshes_are_refused_by_name_and_place(void **state) {
    (void)state;
    static const struct {
        const char *text;
        jd_status status;
        const char *message, *where;
    } bad[] = {
        {"*NODE\n1, 0, 0, 0\n1, 0, 0, 1\n", JD_DUPLICATE_NAME, "node 1 is given twice", "mesh:3"},
        {"*NODE\n1, 0, x, 0\n", JD_BROKEN_TABLE, "`x`", "mesh:2"},
        {"*NODE\n0, 0, 0, 0\n", JD_BROKEN_TABLE, "label of a node is 0", "mesh:2"},
        {"*NODE, SYSTEM=C\n1, 0, 0, 0\n", JD_NOT_SUPPORTED, "SYSTEM=C", "mesh:1"},
        {"*NODE\n1,0,0,0\n*ELEMENT,TYPE=C3D8\n1,1,1,1\n*STEP\n", JD_BROKEN_TABLE,
         "ends after 4 numbers", "mesh:4"},
        {"*HEADING\n*INCLUDE, INPUT=x.inp\n", JD_EMPTY_FILE, "no nodes", "mesh"},
        {"*NODE\n1,0,0,0\n*NSET,NSET=A,GENERATE\n1,5,0\n", JD_BROKEN_TABLE, "the step is 0",
         "mesh:4"},
        {"    -1\n    15\n         1         1         1         1  0.0  0.0\n    -1\n",
         JD_BROKEN_TABLE, "coordinate z is missing", "mesh:3"},
        {"    -1\n    15\n         1         1         1         1  0.0  0.0 0.0\n",
         JD_BROKEN_TABLE, "truncated", "mesh"},
        {"    -1\n   58b\n    -1\n", JD_NOT_SUPPORTED, "`58b` is binary", "mesh:2"},
        {"    -1\n  2411\n         1         1         1         1\n    -1\n", JD_BROKEN_TABLE,
         "coordinates of node 1 are missing", "mesh"},
        {"    -1\n   151\n    -1\n", JD_EMPTY_FILE, "no nodes", "mesh"},
        {"1,0,0\n", JD_BROKEN_TABLE, "coordinate z is missing", "mesh:1"},
        {"hello\n", JD_BROKEN_TABLE, "`hello`", "mesh:1"},
        {"", JD_EMPTY_FILE, "empty", "mesh"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        jd_mesh m;
        FILE *f = fopen(path, "wb");
        fputs(bad[i].text, f);
        fclose(f);
        jd_context_clear_error(context);
        jd_status status = jd_mesh_read(arena, path, &m);
        const jd_error *e = jd_context_error(context);
        if (status != bad[i].status || !strstr(e->message, bad[i].message) ||
            !strstr(e->where, bad[i].where))
            print_error("case %zu: %s (%s)\n", i, e->message, e->where);
        assert_int_equal(status, bad[i].status);
        assert_non_null(strstr(e->message, bad[i].message));
        assert_non_null(strstr(e->where, bad[i].where));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_the_same_mesh),
        cmocka_unit_test(points_are_the_nearest_nodes_that_can_move),
        cmocka_unit_test(points_of_sets_and_their_mistakes),
        cmocka_unit_test(sums_of_the_mass_matrix_are_mass_and_centre),
        cmocka_unit_test(bad_meshes_are_refused_by_name_and_place),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
