// labels.c -- axes speak in words: numbers of the model and measures, whatever their paths.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "picture/scenes.h"

static void numbers_of_the_model_in_words(void **state) {
    (void)state;
    static const char *const wanted[][2] = {
        {"contacts.tip.law.limit", "limit of tip"},
        {"contacts.tip.law.static_limit", "static limit of tip"},
        {"contacts.bow.against.velocity", "velocity of the counterpart of bow"},
        {"drives.push.frequency", "frequency of push"},
        {"drives.push.frequency.times", "frequency of push over a natural one"},
        {"contacts.bow.law.times", "factor of the friction of bow"},
        {"structure.points.bow", "place of bow"},
        {"structure.damping.mass", "damping mass"},
        {"structure.length", "length"},
        {"bodies.pile.axial_stiffness", "axial stiffness of pile"},
        {"simulate.tolerance", "tolerance"},
        {"x", "x"},
        {"a.b.c.d.e.f.g.h.i.j", "a.b.c.d.e.f.g.h.i.j"},
        {"contacts.tip", "contacts.tip"}};
    jd_context *context = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(context);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_string_equal(jd_parameter_words(arena, wanted[i][0]), wanted[i][1]);
    jd_arena_free(arena);
    jd_context_free(context);
}

static void units_follow_where_the_model_has_them(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(context);
    const jd_named_text unit[] = {{"contacts.tip.law.limit", "N"}, {"structure.ratio", ""}};
    jd_caption si = {"", true, 2, unit}, bare = {"", false, 2, unit};
    assert_string_equal(jd_parameter_label(arena, &si, unit[0].name), "limit of tip [N]");
    assert_string_equal(jd_parameter_label(arena, &si, unit[1].name), "ratio [–]");
    assert_string_equal(jd_parameter_label(arena, &bare, unit[0].name), "limit of tip");
    jd_arena_free(arena);
    jd_context_free(context);
}

static void measures_in_words(void **state) {
    (void)state;
    static const char *const wanted[][2] = {
        {"tip.displacement.max", "largest displacement of tip"},
        {"pile.head.velocity.min", "least velocity of pile.head"},
        {"tip.force.amplitude", "amplitude of the contact force of tip"},
        {"tip.displacement.rms", "root mean square displacement of tip"},
        {"stop.impact.max", "largest impact speed of stop"},
        {"tip.energy.lost", "energy lost at tip in a period"},
        {"tip.other.max", "tip.other.max"},
        {"displacement at drive phase 0", "displacement at drive phase 0"}};
    jd_context *context = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(context);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_string_equal(jd_measure_label(arena, wanted[i][0]), wanted[i][1]);
    jd_arena_free(arena);
    jd_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_the_model_in_words),
                                       cmocka_unit_test(units_follow_where_the_model_has_them),
                                       cmocka_unit_test(measures_in_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
