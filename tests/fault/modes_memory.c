// modes_memory.c -- every allocation of a structure and its stuck basis fails once.
#include <stdlib.h>

#include "starve.h"
#include "structure.h"
#include "structure/stuck.h"

// A beam with per-mode damping and its tip stuck: dense start, refinement, full C, complex modes.
static jd_status compute(jd_context *c) {
    static const double ratio = 0.01;
    jd_damping_ratio_def damping = {{1, &ratio}};
    jd_fe_beam_def d = friction_beam(40);
    d.damping = (jd_object){"", &jd_damping_ratio, &damping};
    jd_structure *s;
    JD_TRY(jd_structure_create(c, structure_type("fe-beam"), &d, &s));
    jd_arena *a = jd_arena_create(c);
    const jd_dd *B[2] = {s->row, s->row + s->modal.n};
    jd_stuck *stuck;
    jd_status status = a ? jd_stuck_create(a, &s->modal, 2, B, &stuck) : JD_OUT_OF_MEMORY;
    jd_mode list[80];
    if (status == JD_OK) status = jd_modal_list(c, &stuck->modal, list);
    jd_arena_free(a);
    jd_structure_free(s);
    return status;
}

static void failed_allocations_are_reported_and_nothing_leaks(void **state) {
    (void)state;
    int failures = 0;
    for (int n = 1;; n++) { // the first allocation is the context's own
        meter m = {.end_at = n + 1};
        jd_context *c = starve_context(&m);
        assert_non_null(c);
        jd_status status = compute(c);
        if (status != JD_OK) {
            assert_int_equal(status, JD_OUT_OF_MEMORY);
            assert_int_equal(jd_context_error(c)->status, JD_OUT_OF_MEMORY);
            failures++;
        }
        jd_context_free(c);
        assert_int_equal(m.alive, 0);
        if (status == JD_OK) break;
    }
    assert_true(failures >= 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_are_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
