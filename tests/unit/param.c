// param.c -- parameter tables: consistent, checked, copied, and near misses found.
#include <string.h>

#include "base/param_tools.h"
#include "contact/law.h"
#include "fake_def.h"
#include "judder/problem.h"
#include "near.h"

static void check_table(const jd_type *type, int depth);

static bool is_number(jd_kind kind) {
    return kind == JD_KIND_REAL || kind == JD_KIND_INTEGER || kind == JD_KIND_COUNT ||
           kind == JD_KIND_FREQUENCY || kind == JD_KIND_DURATION;
}

static size_t member_size(const jd_param *p) {
    switch (p->kind) {
    case JD_KIND_REAL:
        return sizeof(double);
    case JD_KIND_INTEGER:
    case JD_KIND_CHOICE:
    case JD_KIND_COUNT:
        return sizeof(int);
    case JD_KIND_BOOLEAN:
        return sizeof(bool);
    case JD_KIND_TEXT:
    case JD_KIND_FILE:
        return sizeof(char *);
    case JD_KIND_REALS:
        return sizeof(jd_reals);
    case JD_KIND_TEXTS:
        return sizeof(jd_texts);
    case JD_KIND_FREQUENCY:
        return sizeof(jd_frequency);
    case JD_KIND_DURATION:
        return sizeof(jd_duration);
    case JD_KIND_OBJECT:
        return sizeof(jd_object);
    case JD_KIND_GROUP:
        return p->types[0]->def_size;
    case JD_KIND_POINTS:
        return sizeof(jd_points);
    case JD_KIND_SHAPES:
        return sizeof(jd_shapes);
    case JD_KIND_FORMULAS:
        return sizeof(jd_formulas);
    case JD_KIND_PLACE:
        return sizeof(jd_place);
    case JD_KIND_COUNTER:
        return sizeof(jd_counter);
    case JD_KIND_MATRIX:
        return sizeof(jd_matrix);
    case JD_KIND_DRAWS:
        return sizeof(jd_draws);
    }
    return 0;
}

static void check_entry(const jd_type *type, const jd_param *p, int depth) {
    assert_non_null(p->unit);
    assert_non_null(p->doc);
    assert_true(strlen(p->doc) > 0);
    assert_null(strchr(p->doc, '\n'));
    assert_true(p->offset + member_size(p) <= type->def_size);
    assert_ptr_equal(jd_type_param(type, p->key), p); // keys are unique
    // A default in range, unless there is none or it says "left out".
    if (is_number(p->kind) && !p->required && !isnan(p->preset) &&
        !(p->kind == JD_KIND_COUNT && p->preset <= 0) &&
        !(p->kind == JD_KIND_INTEGER && p->preset == JD_AUTO))
        assert_true(jd_param_allows(p, p->preset));
    if (p->kind == JD_KIND_CHOICE) {
        assert_non_null(p->choices);
        for (int i = 0; i <= (int)p->preset; i++) assert_non_null(p->choices[i]);
    }
    if (p->kind == JD_KIND_OBJECT || p->kind == JD_KIND_GROUP) {
        assert_non_null(p->types);
        for (const jd_type *const *t = p->types; *t; t++) check_table(*t, depth + 1);
    }
    if (p->kind == JD_KIND_OBJECT && p->preset_text)
        assert_non_null(jd_type_find(p->types, p->preset_text));
}

static void check_table(const jd_type *type, int depth) {
    assert_true(depth < 5);
    assert_true(type->name && type->name[0] && type->doc && type->doc[0] && type->def_size > 0);
    for (const jd_param *p = type->params; p->key; p++) check_entry(type, p, depth);
}

static void check_list(const jd_type *const *types) {
    for (int i = 0; types[i]; i++) {
        check_table(types[i], 0);
        assert_ptr_equal(jd_type_find(types, types[i]->name), types[i]);
    }
}

static void every_table_is_consistent(void **state) {
    (void)state;
    check_list(jd_law_types());
    check_list(jd_drive_types());
    check_list(jd_start_types());
    check_list(jd_structure_types());
    check_table(&jd_contact_type, 0);
    check_table(&fake_type, 0);
    for (int i = 0; i < JD_SECTION_COUNT; i++) check_table(&jd_section_types[i], 0);
}

static void defaults_fill_every_member(void **state) {
    (void)state;
    fake_def d;
    memset(&d, 0x55, sizeof d);
    jd_type_defaults(&fake_type, &d);
    assert_true(isnan(d.spare) && d.length == 0);
    assert_int_equal(d.modes, 4);
    assert_int_equal(d.elements, 3);
    assert_true(d.flag);
    assert_string_equal(d.label, "plain");
    assert_null(d.file);
    assert_int_equal(d.mass.n + d.words.n + d.points.n + d.shapes.n, 0);
    assert_near(d.frequency.value, 2, 0);
    assert_int_equal(d.supports.left, 1);
    assert_ptr_equal(d.damping.type, &fake_damping_none);
    jd_coulomb_def c;
    jd_type_defaults(&jd_law_coulomb.type, &c);
    assert_true(isnan(c.static_limit));
    jd_simulate_def s;
    jd_type_defaults(&jd_section_types[JD_SIMULATE], &s);
    assert_string_equal(s.engine, "auto");
    assert_int_equal(s.event_budget, 10000000);
}

static void expect_rule(jd_param p, const char *rule, double good, double bad) {
    char text[120];
    assert_string_equal(jd_param_rule(&p, text, sizeof text), rule);
    assert_true(jd_param_allows(&p, good));
    assert_false(jd_param_allows(&p, bad));
    assert_false(jd_param_allows(&p, (double)NAN));
    assert_false(jd_param_allows(&p, HUGE_VAL));
    assert_false(jd_param_allows(&p, 1e-61));
}

static void ranges_have_one_wording(void **state) {
    (void)state;
    expect_rule((jd_param){.kind = JD_KIND_REAL}, "a finite number", -1e59, 1e61);
    expect_rule((jd_param){.kind = JD_KIND_REAL, .above = true}, "above 0", 1e-59, 0);
    expect_rule((jd_param){.kind = JD_KIND_REAL, .high = HUGE_VAL}, "at least 0", 0, -1e-59);
    expect_rule((jd_param){.kind = JD_KIND_REAL, .high = 1}, "between 0 and 1", 1, 1.0000001);
    expect_rule((jd_param){.kind = JD_KIND_REAL, .high = 1, .above = true}, "above 0 and at most 1",
                1, 0);
    expect_rule((jd_param){.kind = JD_KIND_INTEGER, .low = 2}, "a whole number of at least 2", 2,
                2.5);
    expect_rule((jd_param){.kind = JD_KIND_INTEGER}, "a whole number", -3, 1e10);
    expect_rule((jd_param){.kind = JD_KIND_COUNT}, "a whole number of at least 1", 1, 0);
    expect_rule((jd_param){.kind = JD_KIND_REAL, .low = -1, .high = 3}, "between -1 and 3", -1,
                -1.1);
}

static void near_misses_are_recognised(void **state) {
    (void)state;
    static const char *const keys[] = {"limit", "drop", "decay"};
    assert_string_equal(jd_nearest("limt", 3, keys), "limit");
    assert_string_equal(jd_nearest("Limit", 3, keys), "limit");
    assert_string_equal(jd_nearest("dorp", 3, keys), "drop"); // a swap is one step
    assert_null(jd_nearest("temperature", 3, keys));
    assert_null(jd_nearest("", 3, keys));
    assert_null(jd_nearest("x", 3, keys));
    assert_string_equal(jd_nearest_type(jd_law_types(), "colomb"), "coulomb");
    assert_string_equal(jd_nearest_type(jd_drive_types(), "harm"), "harmonic");
    const char *const words[] = {"mass_per_length", "mass", "length"};
    assert_string_equal(jd_nearest("mass-per-lenght", 3, words), "mass_per_length");
    char huge[1000];
    memset(huge, 'a', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    assert_null(jd_nearest(huge, 3, words));
}

static void copies_are_independent_of_their_source(void **state) {
    (void)state;
    char name[] = "tip", word[] = "w", label[] = "L";
    double mass[] = {1, 2}, shape[] = {3}, ratio[] = {0.1};
    const char *words[] = {word};
    jd_point point = {.name = name, .position = 0.5, .label = label};
    jd_shape one = {name, {1, shape}};
    jd_formula formula = {name, word};
    fake_damping_def damping = {{1, ratio}};
    fake_def d = fake_default(2, 1, &point);
    d.label = label;
    d.mass = (jd_reals){2, mass};
    d.words = (jd_texts){1, words};
    d.shapes = (jd_shapes){1, &one};
    d.formulas = (jd_formulas){1, &formula};
    d.damping = (jd_object){name, &fake_damping_ratio, &damping};
    jd_context *c = jd_context_create(NULL);
    jd_arena *a = jd_arena_create(c);
    const fake_def *k = jd_type_clone(a, &fake_type, &d);
    memset(name, 'x', 3);
    word[0] = label[0] = 'x';
    words[0] = NULL;
    mass[1] = shape[0] = ratio[0] = point.position = (double)NAN;
    assert_string_equal(k->points.point[0].name, "tip");
    assert_string_equal(k->points.point[0].label, "L");
    assert_near(k->points.point[0].position, 0.5, 0);
    assert_string_equal(k->words.text[0], "w");
    assert_string_equal(k->label, "L");
    assert_near(k->mass.value[1], 2, 0);
    assert_string_equal(k->shapes.shape[0].name, "tip");
    assert_near(k->shapes.shape[0].value.value[0], 3, 0);
    assert_string_equal(k->formulas.formula[0].name, "tip");
    assert_string_equal(k->formulas.formula[0].text, "w");
    assert_string_equal(k->damping.name, "tip");
    assert_near(((const fake_damping_def *)k->damping.def)->value.value[0], 0.1, 0);
    jd_arena_free(a);
    jd_context_free(c);
}

static void places_and_counters_are_copied(void **state) {
    (void)state;
    char body[] = "pile", point[] = "head";
    jd_coulomb_def law = {.limit = 1, .static_limit = (double)NAN};
    jd_contact_def d = {.at = {.body = body, .point = point},
                        .against = {JD_PLACE, 0, {.body = body, .from = 1, .to = 2}},
                        .law = {"", &jd_law_coulomb.type, &law}};
    jd_context *c = jd_context_create(NULL);
    jd_arena *a = jd_arena_create(c);
    const jd_contact_def *k = jd_type_clone(a, &jd_contact_type, &d);
    body[0] = point[0] = 'x';
    law.limit = 7;
    assert_string_equal(k->at.body, "pile");
    assert_string_equal(k->at.point, "head");
    assert_string_equal(k->against.place.body, "pile");
    assert_null(k->against.place.point);
    assert_near(((const jd_coulomb_def *)k->law.def)->limit, 1, 0);
    jd_arena_free(a);
    jd_context_free(c);
}

static void expect_bad(jd_context *c, const jd_type *type, const void *def, jd_status status,
                       const char *message, const char *where) {
    assert_int_equal(jd_type_check(c, type, def, "contacts.a.law"), status);
    assert_string_equal(jd_context_error(c)->message, message);
    assert_string_equal(jd_context_error(c)->where, where);
}

static void bad_values_are_named_by_path(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    jd_coulomb_def coulomb = {.limit = -1, .static_limit = (double)NAN};
    expect_bad(c, &jd_law_coulomb.type, &coulomb, JD_OUT_OF_RANGE,
               "`contacts.a.law.limit` is -1, but must be at least 0", "contacts.a.law.limit");
    coulomb = (jd_coulomb_def){.limit = 2, .static_limit = 1};
    expect_bad(c, &jd_law_coulomb.type, &coulomb, JD_OUT_OF_RANGE,
               "`static_limit` is 1, but must be at least `limit`, which is 2", "contacts.a.law");
    jd_stop_def stop = {.gap = -1, .restitution = 1.5};
    expect_bad(c, &jd_law_stop.type, &stop, JD_OUT_OF_RANGE,
               "`contacts.a.law.restitution` is 1.5, but must be between 0 and 1",
               "contacts.a.law.restitution");
    stop.restitution = 1; // preload is fine, unless the stop is on both sides
    assert_int_equal(jd_type_check(c, &jd_law_stop.type, &stop, ""), JD_OK);
    stop.sides = 1;
    assert_int_equal(jd_type_check(c, &jd_law_stop.type, &stop, ""), JD_OUT_OF_RANGE);
    stop.gap = 0; // it could not move at all
    assert_int_equal(jd_type_check(c, &jd_law_stop.type, &stop, ""), JD_OUT_OF_RANGE);
    stop.sides = 2;
    assert_int_equal(jd_type_check(c, &jd_law_stop.type, &stop, ""), JD_OUT_OF_RANGE);
    jd_stribeck_def stribeck = {4, 5, 1, 0, 1, (double)NAN};
    assert_int_equal(jd_type_check(c, &jd_law_stribeck.type, &stribeck, ""), JD_OUT_OF_RANGE);
    jd_contact_def none = {.at = {.point = "tip"}};
    assert_int_equal(jd_type_check(c, &jd_contact_type, &none, "contacts.a"), JD_MISSING_KEY);
    jd_context_free(c);
}

static void tables_of_numbers_must_ascend(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    double speed[] = {0, 1, 1}, force[] = {3, 2, 2};
    jd_friction_table_def d = {{3, speed}, {3, force}, 0, (double)NAN};
    assert_int_equal(jd_type_check(c, &jd_law_table.type, &d, ""), JD_OUT_OF_RANGE);
    d.velocity.n = 2;
    assert_int_equal(jd_type_check(c, &jd_law_table.type, &d, ""), JD_SIZE_MISMATCH);
    d.force.n = 2;
    assert_int_equal(jd_type_check(c, &jd_law_table.type, &d, ""), JD_OK);
    jd_drive_table_def t = {
        .at = {.point = "tip"}, .time = {3, speed}, .value = {3, force}, .scale = 1};
    const jd_type *table = jd_type_find(jd_drive_types(), "table");
    assert_int_equal(jd_type_check(c, table, &t, ""), JD_OUT_OF_RANGE);
    speed[2] = 2;
    assert_int_equal(jd_type_check(c, table, &t, ""), JD_OK);
    t.at.point = NULL;
    assert_int_equal(jd_type_check(c, table, &t, ""), JD_MISSING_KEY);
    t.of = JD_DRIVE_BASE;
    assert_int_equal(jd_type_check(c, table, &t, ""), JD_OK);
    jd_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_is_consistent),
        cmocka_unit_test(defaults_fill_every_member),
        cmocka_unit_test(ranges_have_one_wording),
        cmocka_unit_test(near_misses_are_recognised),
        cmocka_unit_test(copies_are_independent_of_their_source),
        cmocka_unit_test(places_and_counters_are_copied),
        cmocka_unit_test(bad_values_are_named_by_path),
        cmocka_unit_test(tables_of_numbers_must_ascend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
