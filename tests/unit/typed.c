// typed.c -- definitions in C have the defaults of their tables, every kind has them, and what is
// left open is missed by name.
#include <math.h>
#include <string.h>

#include "judder/judder.h"
#include "near.h"

enum { MOST = 20, LARGEST = 600 };

// A definition with its defaults, and the name of its kind in a model file.
typedef struct kind {
    const char *name;
    size_t size;
    union {
        char bytes[LARGEST];
        double aligned;
    } def;
} kind;

typedef struct kinds {
    int n;
    kind kind[MOST];
} kinds;

static void *room(kinds *list, const char *name, size_t size) {
    assert_true(list->n < MOST && size <= LARGEST);
    kind *k = &list->kind[list->n++];
    k->name = name;
    k->size = size;
    return k->def.bytes;
}
#define TAKE(list, model_name, type)                                                               \
    *(jd_##type##_def *)room(list, model_name, sizeof(jd_##type##_def)) = jd_default_##type()

static bool is_open(const jd_param *p, const void *def) {
    const void *at = (const char *)def + p->offset;
    switch (p->kind) {
    case JD_KIND_REAL:
        return isnan(*(const double *)at);
    case JD_KIND_FREQUENCY:
        return isnan(((const jd_frequency *)at)->value);
    case JD_KIND_DURATION:
        return isnan(((const jd_duration *)at)->value);
    case JD_KIND_INTEGER:
    case JD_KIND_COUNT:
        return *(const int *)at == 0;
    case JD_KIND_TEXT:
    case JD_KIND_FILE:
        return !*(const char *const *)at;
    case JD_KIND_OBJECT:
        return !((const jd_object *)at)->type;
    case JD_KIND_PLACE:
        return !((const jd_place *)at)->point && ((const jd_place *)at)->to == 0;
    case JD_KIND_MATRIX:
        return !((const jd_matrix *)at)->file && !((const jd_matrix *)at)->start;
    default: // lists begin with their length
        return *(const int *)at == 0;
    }
}

static void has_defaults(const jd_type *type, const kind *k) {
    char table[LARGEST];
    assert_int_equal(k->size, type->def_size);
    jd_type_defaults(type, table);
    for (const jd_param *p = type->params; p->key; p++) {
        const char *mine = k->def.bytes + p->offset, *its = table + p->offset;
        if (p->required && !is_open(p, k->def.bytes))
            fail_msg("%s.%s is required, but has a default", type->name, p->key);
        if (p->required) continue;
        size_t size = p->kind == JD_KIND_REAL ? sizeof(double) : sizeof(int);
        if (p->kind == JD_KIND_BOOLEAN) size = sizeof(bool);
        if (memcmp(mine, its, size) != 0) fail_msg("%s.%s differs", type->name, p->key);
    }
}

// Every type of the list has its definition, and every definition a type.
static void all_have_defaults(const jd_type *const *types, const kinds *list) {
    int n = 0;
    for (; types[n]; n++) {
        int i = 0;
        while (i < list->n && strcmp(list->kind[i].name, types[n]->name) != 0) i++;
        if (i == list->n) fail_msg("%s has no definition with defaults in C", types[n]->name);
        has_defaults(types[n], &list->kind[i]);
    }
    assert_int_equal(n, list->n);
}

static void structures_and_laws_have_the_defaults_of_their_tables(void **state) {
    (void)state;
    kinds structures = {0}, laws = {0};
    TAKE(&structures, "string", string);
    TAKE(&structures, "rod", rod);
    TAKE(&structures, "stepped-rod", stepped_rod);
    TAKE(&structures, "beam", beam);
    TAKE(&structures, "chain", chain);
    TAKE(&structures, "fe-beam", fe_beam);
    TAKE(&structures, "fe-rod", fe_rod);
    TAKE(&structures, "matrices", matrices);
    TAKE(&structures, "modes", modes);
    TAKE(&structures, "measured", measured);
    TAKE(&structures, "nonlinear-string", nonlinear_string);
    TAKE(&structures, "friction-oscillator", friction_oscillator);
    TAKE(&structures, "two-fold", two_fold);
    TAKE(&structures, "piecewise", piecewise);
    all_have_defaults(jd_structure_types(), &structures);
    TAKE(&laws, "coulomb", coulomb);
    TAKE(&laws, "affine", affine);
    TAKE(&laws, "stop", stop);
    TAKE(&laws, "stribeck", stribeck);
    TAKE(&laws, "table", friction_table);
    TAKE(&laws, "soil", soil);
    TAKE(&laws, "iwan", iwan);
    TAKE(&laws, "dry-contact", dry_contact);
    TAKE(&laws, "cubic", cubic);
    all_have_defaults(jd_law_types(), &laws);
}

static void drives_starts_and_sections_have_the_defaults_of_their_tables(void **state) {
    (void)state;
    kinds drives = {0}, starts = {0}, sections = {0};
    const jd_type *types[JD_SECTION_COUNT + 1] = {NULL};
    TAKE(&drives, "harmonic", harmonic);
    TAKE(&drives, "constant", constant);
    TAKE(&drives, "pulse", pulse);
    TAKE(&drives, "ramp", ramp);
    TAKE(&drives, "table", drive_table);
    TAKE(&drives, "travelling", travelling);
    all_have_defaults(jd_drive_types(), &drives);
    TAKE(&starts, "state", start_state);
    TAKE(&starts, "lift", start_lift);
    TAKE(&starts, "shape", start_shape);
    TAKE(&starts, "values", start_values);
    TAKE(&starts, "restart", start_restart);
    TAKE(&starts, "nsm", start_nsm);
    memset(room(&starts, "rest", sizeof(jd_start_rest_def)), 0, 1);
    memset(room(&starts, "static", sizeof(jd_start_static_def)), 0, 1);
    all_have_defaults(jd_start_types(), &starts);
    TAKE(&sections, "simulate", simulate);
    TAKE(&sections, "orbit", orbit);
    TAKE(&sections, "follow", follow);
    TAKE(&sections, "nsm", nsm);
    TAKE(&sections, "kernel", kernel);
    TAKE(&sections, "sweep", sweep);
    TAKE(&sections, "fit", fit);
    TAKE(&sections, "backbone", backbone);
    TAKE(&sections, "output", output);
    for (int i = 0; i < JD_SECTION_COUNT; i++) types[i] = &jd_section_types[i];
    all_have_defaults(types, &sections);
}

static void misses(jd_context *context, jd_status got, const char *where) {
    const jd_error *e = jd_context_error(context);
    if (got != JD_MISSING_KEY || strcmp(e->where, where) != 0)
        fail_msg("%s at `%s`: %s", jd_status_name(got), e->where, e->message);
    jd_context_clear_error(context);
}

static void what_is_left_open_is_missed_by_name(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_problem *p;
    assert_int_equal(jd_problem_create(context, &p), JD_OK);
    jd_string_def string = jd_default_string();
    misses(context, jd_problem_add_string(p, "", &string), "structure.tension");
    string.tension = string.mass_per_length = 1;
    misses(context, jd_problem_add_string(p, "a", &string), "bodies.a.length");
    jd_contact_def contact = jd_default_contact();
    misses(context, jd_problem_add_contact(p, "tip", &contact), "contacts.tip.at");
    contact.at = jd_at("tip");
    misses(context, jd_problem_add_contact(p, "tip", &contact), "contacts.tip.law");
    jd_coulomb_def law = jd_default_coulomb();
    contact.law = jd_coulomb_law(&law);
    misses(context, jd_problem_add_contact(p, "tip", &contact), "contacts.tip.law.limit");
    jd_harmonic_def drive = jd_default_harmonic();
    drive.at = jd_at("tip");
    misses(context, jd_problem_add_harmonic(p, "d", &drive), "drives.d.amplitude");
    drive.amplitude = 1;
    misses(context, jd_problem_add_harmonic(p, "d", &drive), "drives.d.frequency");
    jd_simulate_def simulate = jd_default_simulate();
    misses(context, jd_problem_set_simulate(p, &simulate), "simulate.until");
    jd_nsm_def nsm = jd_default_nsm();
    misses(context, jd_problem_set_nsm(p, &nsm), "nsm.omega");
    jd_start_lift_def lift = jd_default_start_lift();
    misses(context, jd_problem_set_start_lift(p, &lift), "start.point");
    assert_int_equal(jd_problem_bodies(p) + jd_problem_contacts(p) + jd_problem_drives(p), 0);
    jd_problem_free(p);
    jd_context_free(context);
}

// A law is no damping, and a string takes no damping matrix.
static void an_object_of_another_kind_is_refused(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_problem *p;
    assert_int_equal(jd_problem_create(context, &p), JD_OK);
    jd_string_def string = jd_default_string();
    string.length = string.tension = string.mass_per_length = 1;
    jd_coulomb_def law = jd_default_coulomb();
    law.limit = 1;
    string.damping = jd_coulomb_law(&law);
    assert_int_equal(jd_problem_add_string(p, "", &string), JD_WRONG_TYPE);
    jd_damping_matrix_def matrix = {.matrix = jd_matrix_from_file("C.mtx")};
    string.damping = jd_matrix_damping(&matrix);
    assert_int_equal(jd_problem_add_string(p, "", &string), JD_WRONG_TYPE);
    assert_string_equal(jd_context_error(context)->where, "structure.damping");
    string.damping = jd_no_damping();
    assert_int_equal(jd_problem_add_string(p, "", &string), JD_OK);
    jd_problem_free(p);
    jd_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_and_laws_have_the_defaults_of_their_tables),
        cmocka_unit_test(drives_starts_and_sections_have_the_defaults_of_their_tables),
        cmocka_unit_test(what_is_left_open_is_missed_by_name),
        cmocka_unit_test(an_object_of_another_kind_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
