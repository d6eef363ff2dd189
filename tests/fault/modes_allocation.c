// modes_allocation.c -- every allocation of a structure and its stuck basis fails once.
#include "starve.h"
#include "structure.h"
#include "structure/stuck/stuck.h"

// A beam with per-mode damping and its tip stuck: dense start, refinement, full C, complex modes.
static jd_status compute(jd_context *c, jd_problem *none, const void *nothing) {
    (void)none;
    (void)nothing;
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
    assert_true(starve_each(NULL, compute, NULL, STARVE_FOR_GOOD) >= 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_are_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
