// engine_keys.c -- contact states and their letters; keys of `simulate` and the engines they belong
// to.
#include "orbit_case.h"

#include "contact/state.h"

static void every_contact_state_has_a_letter(void **state) {
    (void)state;
    const char letters[] = "H+-o||~";
    for (int i = 0; i < JD_CONTACT_STATE_COUNT; i++) {
        jd_contact_state s = (jd_contact_state)i;
        assert_int_equal(jd_contact_letter(s), letters[i]);
        assert_true(jd_contact_state_text(s)[0] != '\0');
        jd_contact_state back = jd_contact_state_of(letters[i]);
        assert_int_equal(jd_contact_letter(back), letters[i]);
        assert_int_equal(jd_contact_at_rest(back), jd_contact_at_rest(s));
        assert_int_equal(jd_contact_sign(back), jd_contact_sign(s));
    }
    assert_int_equal(jd_contact_letter(JD_CONTACT_STATE_COUNT), '?');
    assert_int_equal(jd_contact_state_of('x'), JD_CONTACT_STATE_COUNT);
    for (int sign = -1; sign <= 1; sign++)
        assert_int_equal(jd_contact_sign(jd_contact_sliding(sign)), sign);
    assert_int_equal(jd_contact_sliding(0), JD_CONTACT_STUCK);
}

static bool reads(const jd_engine_info *c, const char *key) {
    for (const jd_param *p = c->params; p && p->key; p++)
        if (!strcmp(p->key, key)) return true;
    return false;
}

// The row of an engine's own table is that of the section.
static void keys_of_engines_are_keys_of_the_section(void **state) {
    (void)state;
    for (int i = 0; i < jd_engine_count(); i++)
        for (const jd_param *p = jd_engine(i)->params; p && p->key; p++) {
            const jd_param *s = jd_type_param(&jd_section_types[JD_SIMULATE], p->key);
            assert_non_null(s);
            assert_int_equal(s->kind, p->kind);
            assert_int_equal(s->offset, p->offset);
            assert_string_equal(s->doc, p->doc);
        }
}

// A value of each key that is not its default.
static const char *const given[][2] = {{"nodes", "9"},
                                       {"friction_rule", "trapezoidal"},
                                       {"error_estimate", "true"},
                                       {"tolerance", "1e-7"},
                                       {"modes", "2"},
                                       {"wave_term", "none"},
                                       {"memory", "delays"},
                                       {"step", "0.01"}};

static jd_status read(const char *engine, const char *key, const char *value, const char *set,
                      jd_error *error) {
    char text[800];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: rod, length: 2, axial_stiffness: 1, mass_per_length: 1, modes: 3,\n"
             "  supports: {left: fixed, right: free}, points: {end: {position: 2}}}\n"
             "simulate: {engine: %s, until: 1, %s: %s}\n",
             engine, key, value);
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    jd_status status =
        jd_model_parse(context, "m.yaml", ".", text, strlen(text), set ? 1 : 0, &set, &problem);
    static char where[1000], message[2000], hint[2000]; // those of the context go with it
    *error = *jd_context_error(context);
    snprintf(where, sizeof where, "%s", error->where ? error->where : "");
    snprintf(message, sizeof message, "%s", error->message ? error->message : "");
    error->where = where;
    error->message = message;
    snprintf(hint, sizeof hint, "%s", error->hint ? error->hint : "");
    error->hint = hint;
    jd_problem_free(problem);
    jd_context_free(context);
    return status;
}

// Refused by name at every engine that does not read it; taken by those that do, by `auto`, and
// where --set names the engine.
static void a_key_of_another_engine_is_refused(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        const char *key = given[k][0], *value = given[k][1];
        jd_error error;
        assert_int_equal(read("auto", key, value, NULL, &error), JD_OK);
        assert_int_equal(read("auto", key, value, "simulate.engine=exact", &error), JD_OK);
        for (int i = 0; i < jd_engine_count(); i++) {
            const char *name = jd_engine(i)->name;
            bool own = reads(jd_engine(i), key);
            jd_status status = read(name, key, value, NULL, &error);
            assert_int_equal(status, own ? JD_OK : JD_UNKNOWN_KEY);
            if (own) continue;
            assert_non_null(strstr(error.where, "m.yaml:4:"));
            assert_non_null(strstr(error.message, name));
            assert_non_null(strstr(error.message, key));
            for (int j = 0; j < jd_engine_count(); j++)
                if (reads(jd_engine(j), key))
                    assert_non_null(strstr(error.hint, jd_engine(j)->name));
        }
    }
}

// Keys of all engines belong to none of them.
static void every_other_key_is_for_all_engines(void **state) {
    (void)state;
    int n = 0;
    for (const jd_param *p = jd_section_types[JD_SIMULATE].params; p->key; p++) {
        bool owned = false;
        for (int i = 0; i < jd_engine_count(); i++) owned |= reads(jd_engine(i), p->key);
        n += owned;
    }
    assert_int_equal(n, sizeof given / sizeof *given);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_contact_state_has_a_letter),
        cmocka_unit_test(keys_of_engines_are_keys_of_the_section),
        cmocka_unit_test(every_other_key_is_for_all_engines),
        cmocka_unit_test(a_key_of_another_engine_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
