// modes_cache.c -- modes kept beside large matrices: the same bits, taken while nothing has
// changed, passed over when damaged.
#include <stdlib.h>
#include <unistd.h>

#include "base/hash.h"
#include "structure.h"

enum { N = 1200, MOST = 100000 };

static char folder[] = "/tmp/judder-cache-XXXXXX";
static char K_path[256], M_path[256], kept_path[300], kept[MOST];
static jd_context *keeping, *plain;

static int open_folder(void **state) {
    (void)state;
    keeping = jd_context_create(&(jd_context_def){.keep_modes = true});
    plain = jd_context_create(NULL);
    if (!mkdtemp(folder)) return 1;
    snprintf(K_path, sizeof K_path, "%s/K.mtx", folder);
    snprintf(M_path, sizeof M_path, "%s/M.mtx", folder);
    snprintf(kept_path, sizeof kept_path, "%s.modes", K_path);
    return !keeping || !plain;
}

static int close_folder(void **state) {
    (void)state;
    unlink(K_path);
    unlink(M_path);
    unlink(kept_path);
    jd_context_free(keeping);
    jd_context_free(plain);
    return rmdir(folder);
}

// A chain, its first spring `first` to the wall.
static void write_chain(double first) {
    FILE *k = fopen(K_path, "w"), *m = fopen(M_path, "w");
    assert_true(k && m);
    const char *start = "%%MatrixMarket matrix coordinate real symmetric";
    fprintf(k, "%s\n%d %d %d\n", start, N, N, 2 * N - 1);
    fprintf(m, "%s\n%d %d %d\n", start, N, N, N);
    for (int i = 1; i <= N; i++) {
        fprintf(k, "%d %d %.17g\n", i, i, i == 1 ? 1 + first : i < N ? 2.0 : 1.0);
        if (i < N) fprintf(k, "%d %d -1\n", i + 1, i);
        fprintf(m, "%d %d 0.5\n", i, i);
    }
    fclose(k);
    fclose(m);
}

static jd_structure *build(jd_context *context, int modes, int node) {
    jd_point p = {.name = "end", .node = node};
    jd_damping_ratio_def damping = {{1, &(double){0.01}}};
    jd_matrices_def d = {.stiffness = {.file = K_path},
                         .mass = {.file = M_path},
                         .modes = modes,
                         .points = {1, &p},
                         .damping = jd_ratio_damping(&damping)};
    return make_structure(context, "matrices", &d);
}

static long load_kept(void) {
    FILE *f = fopen(kept_path, "rb");
    if (!f) return -1;
    long n = (long)fread(kept, 1, sizeof kept, f);
    fclose(f);
    return n;
}

static void save_kept(long n) {
    FILE *f = fopen(kept_path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(kept, 1, (size_t)n, f), n);
    fclose(f);
}

static void assert_same(const jd_structure *a, const jd_structure *b) {
    size_t n = (size_t)a->modal.n;
    assert_int_equal(a->modal.n, b->modal.n);
    assert_int_equal(a->modal.n_static, b->modal.n_static);
    assert_int_equal(a->n_dof, b->n_dof);
    assert_string_equal(a->origin, b->origin);
    assert_memory_equal(a->modal.omega2, b->modal.omega2, n * sizeof *a->modal.omega2);
    assert_memory_equal(a->modal.error, b->modal.error, n * sizeof *a->modal.error);
    assert_memory_equal(a->modal.c, b->modal.c, n * sizeof *a->modal.c);
    assert_memory_equal(a->row, b->row, n * sizeof *a->row);
}

static void kept_modes_are_the_same_bits(void **state) {
    (void)state;
    write_chain(1);
    jd_structure *a = build(plain, 5, N);
    assert_int_equal(load_kept(), -1); // only where it is asked for
    jd_structure *b = build(keeping, 5, N), *c = NULL;
    long size = load_kept();
    assert_true(size > 0);
    c = build(keeping, 5, N);
    assert_same(a, b);
    assert_same(a, c);
    jd_structure_free(b);
    jd_structure_free(c);
    // That the file is what is used: with another number in it, and the right checksum.
    double tenth = 0.1;
    size_t head = 40; // magic, key, six numbers
    memcpy(kept + head, &tenth, sizeof tenth);
    uint64_t sum = jd_hash(jd_hash_start, kept, (size_t)size - sizeof sum);
    memcpy(kept + size - (long)sizeof sum, &sum, sizeof sum);
    save_kept(size);
    c = build(keeping, 5, N);
    assert_true(c->modal.omega2[0].hi == tenth);
    jd_structure_free(c);
    jd_structure_free(a);
    unlink(kept_path);
}

static void what_has_changed_is_computed_anew(void **state) {
    (void)state;
    write_chain(1);
    jd_structure_free(build(keeping, 5, N));
    jd_structure *a = build(keeping, 6, N), *b = build(keeping, 6, 1), *c = NULL;
    assert_int_equal(a->modal.n, 7);
    assert_true(fabs(b->row[0].hi) < 0.1 * fabs(a->row[0].hi));
    write_chain(0.5);
    c = build(keeping, 6, 1);
    assert_true(c->modal.omega2[0].hi < b->modal.omega2[0].hi);
    jd_structure_free(a);
    jd_structure_free(b);
    jd_structure_free(c);
    unlink(kept_path);
}

static void damaged_files_are_passed_over(void **state) {
    (void)state;
    write_chain(1);
    jd_structure *a = build(keeping, 5, N);
    long size = load_kept();
    static char whole[MOST];
    memcpy(whole, kept, sizeof whole);
    for (long at = 0; at < size; at += at < 48 ? 3 : size / 7) {
        memcpy(kept, whole, sizeof kept);
        kept[at] ^= 0x41;
        save_kept(size);
        jd_structure *b = build(keeping, 5, N);
        assert_same(a, b);
        jd_structure_free(b);
    }
    const long cut[] = {0, 7, 39, 40, size - 1};
    for (int i = 0; i < 5; i++) {
        memcpy(kept, whole, sizeof kept);
        save_kept(cut[i]);
        jd_structure *b = build(keeping, 5, N);
        assert_same(a, b);
        jd_structure_free(b);
    }
    jd_structure_free(a);
    unlink(kept_path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_modes_are_the_same_bits),
        cmocka_unit_test(what_has_changed_is_computed_anew),
        cmocka_unit_test(damaged_files_are_passed_over),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
