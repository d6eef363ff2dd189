// model_tree.c -- YAML into a tree with places, and what is refused on the way.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "model/tree.h"
#include "near.h"

typedef struct fixture {
    jd_context *context;
    jd_arena *arena;
    jd_node *root;
} fixture;

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    f->context = jd_context_create(NULL);
    f->arena = jd_arena_create(f->context);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    jd_arena_free(f->arena);
    jd_context_free(f->context);
    free(f);
    return 0;
}

static jd_status parse(fixture *f, const char *text) {
    return jd_tree_parse(f->arena, "m.yaml", text, strlen(text), &f->root);
}

static void refuses(fixture *f, const char *text, jd_status status, const char *where,
                    const char *part) {
    assert_int_equal(parse(f, text), status);
    const jd_error *e = jd_context_error(f->context);
    assert_int_equal(e->status, status);
    assert_string_equal(e->where, where);
    if (!strstr(e->message, part)) fail_msg("`%s` does not say `%s`", e->message, part);
    assert_null(f->root);
}

static void every_node_knows_its_line_and_column(void **state) {
    fixture *f = *state;
    assert_int_equal(parse(f, "a: 1\nb:\n  c: [x, 'y z']\n  d: {e: 2 m}\n"), JD_OK);
    assert_int_equal(f->root->n, 2);
    const jd_node *b = jd_node_get(f->root, "b"), *c = jd_node_get(b, "c");
    assert_int_equal(b->key_line, 2);
    assert_int_equal(b->key_column, 1);
    assert_int_equal(c->kind, JD_NODE_LIST);
    assert_int_equal(c->line, 3);
    assert_int_equal(c->column, 6);
    assert_string_equal(jd_node_item(c, 1)->text, "y z");
    assert_true(jd_node_item(c, 1)->quoted);
    assert_int_equal(jd_node_item(c, 1)->column, 10);
    const char *rest;
    const jd_node *e = jd_node_at(f->root, "b.d.e", &rest);
    assert_string_equal(e->text, "2 m");
    assert_string_equal(rest, "");
    assert_ptr_equal(jd_node_at(f->root, "b.c.2", &rest), jd_node_item(c, 1));
    assert_ptr_equal(jd_node_at(f->root, "b.d.x.y", &rest), jd_node_get(b, "d"));
    assert_string_equal(rest, "x.y");
    assert_string_equal(jd_node_place(f->arena, e), "m.yaml:4:10");
}

static void broken_yaml_is_placed_and_explained(void **state) {
    fixture *f = *state;
    refuses(f, "a: 1\n  b: 2\n", JD_BROKEN_YAML, "m.yaml:2:4", "mapping values are not allowed");
    assert_non_null(strstr(jd_context_error(f->context)->hint, "indentation"));
    refuses(f, "a: {b: 1\nc: 2\n", JD_BROKEN_YAML, "m.yaml:2:2", "flow mapping");
    refuses(f, "a: [1, 2\n", JD_BROKEN_YAML, "m.yaml:2:1", "expected ',' or ']'");
    refuses(f, "a:\n\tb: 1\n", JD_BROKEN_YAML, "m.yaml:2:1", "cannot start any token");
    assert_non_null(strstr(jd_context_error(f->context)->hint, "tab"));
    refuses(f, "a: 'x\n", JD_BROKEN_YAML, "m.yaml:2:1", "end of stream");
    refuses(f, "a: 1\nb: \xff\xfe\n", JD_BROKEN_YAML, "m.yaml:2:4", "UTF-8");
    refuses(f, "%\xCD", JD_BROKEN_YAML, "m.yaml:1:2", "UTF-8");
}

static void binary_content_is_refused(void **state) {
    fixture *f = *state;
    assert_int_equal(jd_tree_parse(f->arena, "m", "ab\ncd\0ef", 8, &f->root), JD_BROKEN_YAML);
    assert_string_equal(jd_context_error(f->context)->where, "m:2:3");
    assert_non_null(strstr(jd_context_error(f->context)->message, "byte 6 is zero"));
    refuses(f, "a: \"x\\0y\"", JD_BROKEN_YAML, "m.yaml:1:4", "NUL");
    refuses(f, "a: \x01\n", JD_BROKEN_YAML, "m.yaml:1:4", "control");
}

static void anchors_tags_and_second_documents_are_refused(void **state) {
    fixture *f = *state;
    refuses(f, "a: &x 1\nb: *x\n", JD_BROKEN_YAML, "m.yaml:1:4", "anchors");
    refuses(f, "b: *x\n", JD_BROKEN_YAML, "m.yaml:1:4", "aliases");
    refuses(f, "b: !!int 3\n", JD_BROKEN_YAML, "m.yaml:1:4", "tags");
    refuses(f, "a: 1\n---\nb: 2\n", JD_BROKEN_YAML, "m.yaml:2:1", "second document");
    refuses(f, "{[a]: 1}", JD_BROKEN_YAML, "m.yaml:1:2", "key must be a word");
}

static void doubled_keys_name_both_places(void **state) {
    fixture *f = *state;
    refuses(f, "a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n", JD_DUPLICATE_NAME, "m.yaml:5:3",
            "`c` is given twice, first in line 3 column 3");
}

static void nesting_is_bounded(void **state) {
    fixture *f = *state;
    char text[5000] = "a: ";
    for (int i = 0; i < 40; i++) strcat(text, "[");
    refuses(f, text, JD_BROKEN_YAML, "m.yaml:1:35", "32 levels");
    memset(text, '[', 4999);
    text[4999] = '\0';
    assert_int_equal(parse(f, text), JD_BROKEN_YAML);
}

static void nothing_in_the_file_is_said_by_name(void **state) {
    fixture *f = *state;
    refuses(f, "", JD_EMPTY_FILE, "m.yaml:1:1", "`m.yaml` is empty");
    refuses(f, "\n\n# only a comment\n", JD_EMPTY_FILE, "m.yaml:1:1", "empty");
    refuses(f, "---\n...\n", JD_EMPTY_FILE, "m.yaml:1:1", "empty");
}

static void cannot_read(fixture *f, const char *file, jd_status status, const char *part) {
    char *text;
    size_t size;
    assert_int_equal(jd_tree_read_file(f->arena, file, &text, &size), status);
    const jd_error *e = jd_context_error(f->context);
    assert_string_equal(e->where, file);
    if (!strstr(e->message, part)) fail_msg("`%s` does not say `%s`", e->message, part);
}

static void unreadable_files_are_told_apart(void **state) {
    fixture *f = *state;
    cannot_read(f, "no-such-file.yaml", JD_CANNOT_READ, "no such file");
    cannot_read(f, ".", JD_CANNOT_READ, "directory");
    cannot_read(f, "/dev/zero", JD_FILE_TOO_LARGE, "16 MiB");
    char name[] = "model_tree_XXXXXX";
    int fd = mkstemp(name);
    assert_int_equal(ftruncate(fd, 100 << 20), 0); // 100 MB of nothing, sparse
    cannot_read(f, name, JD_FILE_TOO_LARGE, "16 MiB");
    assert_int_equal(ftruncate(fd, 10), 0);
    fchmod(fd, 0);
    if (geteuid() != 0) cannot_read(f, name, JD_CANNOT_READ, "ermission"); // root reads it all
    close(fd);
    unlink(name);
}

static void quoting_never_lets_control_characters_through(void **state) {
    fixture *f = *state;
    assert_string_equal(jd_quote(f->arena, "a\033[1m\nb"), "`a?[1m?b`");
    assert_string_equal(jd_quote(f->arena, "\xcdx ä"), "`?x ä`");
    char text[300];
    memset(text, 'x', 299);
    text[299] = '\0';
    assert_true(strlen(jd_quote(f->arena, text)) < 80);
}

// Sorting finds doubles in n log n: 200 000 keys take well under a second.
static void many_keys_are_read_quickly(void **state) {
    fixture *f = *state;
    enum { N = 200000 };
    char *text = malloc(N * 12), *to = text;
    for (int i = 0; i < N; i++) to += sprintf(to, "k%06d: 1\n", i);
    assert_int_equal(jd_tree_parse(f->arena, "m", text, (size_t)(to - text), &f->root), JD_OK);
    assert_int_equal(f->root->n, N);
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_node_knows_its_line_and_column),
        TEST(broken_yaml_is_placed_and_explained),
        TEST(binary_content_is_refused),
        TEST(anchors_tags_and_second_documents_are_refused),
        TEST(doubled_keys_name_both_places),
        TEST(nesting_is_bounded),
        TEST(nothing_in_the_file_is_said_by_name),
        TEST(unreadable_files_are_told_apart),
        TEST(quoting_never_lets_control_characters_through),
        TEST(many_keys_are_read_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
