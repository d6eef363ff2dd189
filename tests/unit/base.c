// base.c -- arena, status list, context.
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "near.h"

static void status_names_are_unique_and_complete(void **state) {
    (void)state;
    for (int i = 0; i < JD_STATUS_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(jd_status_name((jd_status)i), jd_status_name((jd_status)j));
    assert_string_equal(jd_status_name((jd_status)-1), "unknown");
    assert_int_equal(jd_status_exit_code(JD_CANNOT_WRITE), 3);
}

static void failures_carry_place_and_hint(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    assert_int_equal(jd_fail(c, JD_UNKNOWN_KEY, "unknown key `%s`", "lenght"), JD_UNKNOWN_KEY);
    jd_fail_where(c, "a.yaml:%d:%d", 3, 5);
    jd_fail_where(c, "later");
    jd_fail_hint(c, "did you mean `length`?");
    const jd_error *e = jd_context_error(c);
    assert_string_equal(e->message, "unknown key `lenght`");
    assert_string_equal(e->where, "a.yaml:3:5");
    assert_string_equal(e->hint, "did you mean `length`?");
    jd_context_free(c);
}

static void arena_blocks_are_aligned_zeroed_and_apart(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    jd_arena *a = jd_arena_create(c);
    char *block[200];
    for (int i = 0; i < 200; i++) {
        block[i] = jd_arena_take(a, (size_t)i * 37, 3);
        assert_int_equal((uintptr_t)block[i] % 64, 0);
        for (int k = 0; k < i * 111; k++) assert_int_equal(block[i][k], 0);
        memset(block[i], i, (size_t)i * 111);
    }
    for (int i = 0; i < 200; i++)
        for (int k = 0; k < i * 111; k++) assert_int_equal((unsigned char)block[i][k], i);
    assert_int_equal(jd_arena_status(a), JD_OK);
    assert_null(jd_arena_take(a, SIZE_MAX / 4, 8));
    assert_null(jd_arena_take(a, 1, 1)); // sticky
    assert_int_equal(jd_arena_status(a), JD_OUT_OF_MEMORY);
    jd_arena_free(a);
    jd_context_free(c);
}

static void arena_goes_back_to_a_mark(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    jd_arena *a = jd_arena_create(c);
    jd_arena_take(a, 10, 8);
    jd_arena_mark mark = jd_arena_here(a);
    void *first = jd_arena_take(a, 100, 8);
    jd_arena_take(a, 1 << 20, 8);
    jd_arena_back(a, mark);
    assert_ptr_equal(jd_arena_take(a, 100, 8), first);
    jd_arena_free(a);
    jd_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_names_are_unique_and_complete),
        cmocka_unit_test(failures_carry_place_and_hint),
        cmocka_unit_test(arena_blocks_are_aligned_zeroed_and_apart),
        cmocka_unit_test(arena_goes_back_to_a_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
