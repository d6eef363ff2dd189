// problem.c -- parts of a problem, numbers by path, and what a change makes necessary.
#include <string.h>

#include "problem/system.h"
#include "problem_case.h"

#define PI 3.14159265358979323846

static double get(const fixture *f, const char *path) {
    double value = (double)NAN;
    assert_int_equal(jd_problem_get(f->p, path, &value), JD_OK);
    return value;
}

static jd_rebuild set(const fixture *f, const char *path, double value) {
    jd_rebuild rebuild = (jd_rebuild)99;
    if (jd_problem_set(f->p, path, value, &rebuild) != JD_OK)
        fail_msg("%s = %g: %s", path, value, jd_context_error(f->c)->message);
    return rebuild;
}

static void expect_failure(const fixture *f, jd_status got, jd_status status, const char *message,
                           const char *hint) {
    assert_int_equal(got, status);
    assert_string_equal(jd_context_error(f->c)->message, message);
    assert_string_equal(jd_context_error(f->c)->hint, hint);
}

static void parts_come_back_as_they_were_given(void **state) {
    const fixture *f = *state;
    assert_int_equal(jd_problem_bodies(f->p), 3);
    assert_int_equal(jd_problem_contacts(f->p), 4);
    assert_int_equal(jd_problem_drives(f->p), 6);
    assert_string_equal(jd_problem_body(f->p, 1)->name, "sleeve");
    assert_null(jd_problem_body(f->p, 3));
    assert_null(jd_problem_drive(f->p, -1));
    const jd_contact_def *belt = jd_problem_contact(f->p, 1)->def;
    assert_near(belt->against.velocity, 1.5, 0);
    assert_string_equal(jd_problem_title(f->p), "Two bodies");
    bool given = true;
    const jd_orbit_def *orbit = jd_problem_section(f->p, JD_ORBIT, &given);
    assert_false(given);
    assert_int_equal(orbit->periods, 0);
    const jd_simulate_def *simulate = jd_problem_section(f->p, JD_SIMULATE, &given);
    assert_true(given && simulate->until.periods);
    assert_string_equal(jd_problem_start(f->p)->type->name, "lift");
}

static void names_are_unique_and_without_dots(void **state) {
    const fixture *f = *state;
    const jd_contact_def *old = jd_problem_contact(f->p, 0)->def;
    expect_failure(f, jd_problem_add_contact(f->p, "belt", old), JD_DUPLICATE_NAME,
                   "there are two contacts named `belt`", "");
    const jd_object *drive = jd_problem_drive(f->p, 0), *body = jd_problem_body(f->p, 0);
    assert_int_equal(jd_problem_add_drive(f->p, "slow", drive->type, drive->def),
                     JD_DUPLICATE_NAME);
    assert_int_equal(jd_problem_add_body(f->p, "pile", body->type, body->def), JD_DUPLICATE_NAME);
    assert_int_equal(jd_problem_add_contact(f->p, "a.b", old), JD_BAD_ARGUMENT);
    assert_int_equal(jd_problem_add_contact(f->p, "", old), JD_BAD_ARGUMENT);
    assert_int_equal(jd_problem_contacts(f->p), 4);
    assert_int_equal(jd_problem_add_contact(f->p, "slow", old), JD_OK); // a drive's name is free
}

static void every_number_is_listed_once_and_keeps_what_is_set(void **state) {
    const fixture *f = *state;
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    int n = 0;
    for (const char *path; (path = jd_problem_path(f->p, n)); n++) {
        for (int i = 0; i < n; i++) assert_string_not_equal(path, jd_problem_path(f->p, i));
        char own[300];
        snprintf(own, sizeof own, "%s", path);
        size_t l = strlen(own);
        double old = get(f, own), value = old;
        if (isnan(old)) value = strstr(own, "tolerance") ? 0.05 : 0.75;
        if (!strcmp(own, "contacts.belt.law.static_limit")) value = 4.5; // above its limit
        if (l > 10 && !strcmp(own + l - 10, ".frequency")) continue;     // replaces {times, mode}
        set(f, own, value);
        assert_near(get(f, own), value, 0);
    }
    assert_int_equal(n, 86); // counted by hand
}

static void paths_of_every_kind_lead_to_their_number(void **state) {
    const fixture *f = *state;
    assert_near(get(f, "bodies.pile.length"), 2, 0);
    assert_near(get(f, "bodies.chain.mass.3"), 3, 0);
    assert_near(get(f, "bodies.chain.stiffness"), 5, 0); // a list of one is its number
    assert_near(get(f, "bodies.chain.stiffness.1"), 5, 0);
    assert_near(get(f, "bodies.pile.points.head"), 0.25, 0);
    assert_near(get(f, "bodies.sleeve.points.knot.node"), 2, 0);
    assert_near(get(f, "bodies.sleeve.damping.value"), 0.1, 0);
    assert_near(get(f, "contacts.ground.law.limit"), 0.66, 0);
    assert_near(get(f, "contacts.belt.against.velocity"), 1.5, 0);
    assert_near(get(f, "contacts.shaft.at.span.2"), 2, 0);
    assert_near(get(f, "contacts.shaft.against.span.2"), 1, 0);
    assert_near(get(f, "drives.slow.frequency.times"), 1.1, 0);
    assert_near(get(f, "drives.slow.frequency.mode"), 1, 0);
    assert_near(get(f, "drives.table.value.3"), -1, 0);
    assert_near(get(f, "start.displacement"), -2.9, 0);
    assert_near(get(f, "simulate.until"), 100, 0);
    assert_near(get(f, "orbit.periods"), 0, 0); // a section that was not written
    assert_true(isnan(get(f, "drives.slow.frequency")));
    assert_true(isnan(get(f, "contacts.ground.law.static_limit")));
}

static void unknown_paths_get_the_nearest_one(void **state) {
    const fixture *f = *state;
    double v;
    expect_failure(f, jd_problem_get(f->p, "contacts.ground.law.limt", &v), JD_UNKNOWN_KEY,
                   "the model has no number `contacts.ground.law.limt`",
                   "did you mean `contacts.ground.law.limit`?");
    expect_failure(f, jd_problem_get(f->p, "belt.against.velocity", &v), JD_UNKNOWN_KEY,
                   "the model has no number `belt.against.velocity`",
                   "did you mean `contacts.belt.against.velocity`?");
    const char *const wrong[] = {"",
                                 ".",
                                 "contacts",
                                 "contacts.ground",
                                 "bodies.",
                                 "a.b.c",
                                 "bodies.chain.mass.4",
                                 "bodies.chain.mass.0",
                                 "start.of",
                                 "contacts.ground.law.limit.x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(jd_problem_get(f->p, wrong[i], &v), JD_UNKNOWN_KEY);
    expect_failure(f, jd_problem_get(f->p, "bodies.chain.mass", &v), JD_WRONG_TYPE,
                   "`bodies.chain.mass` is a list of 3 numbers, not one",
                   "name one of them: `bodies.chain.mass.1` to `bodies.chain.mass.3`");
}

static void values_out_of_range_change_nothing(void **state) {
    const fixture *f = *state;
    expect_failure(f, jd_problem_set(f->p, "bodies.pile.length", 0, NULL), JD_OUT_OF_RANGE,
                   "`bodies.pile.length` is 0, but must be above 0", "");
    assert_string_equal(jd_context_error(f->c)->where, "bodies.pile.length");
    assert_near(get(f, "bodies.pile.length"), 2, 0);
    assert_int_equal(jd_problem_set(f->p, "bodies.pile.elements", 2.5, NULL), JD_OUT_OF_RANGE);
    assert_int_equal(jd_problem_set(f->p, "bodies.pile.modes", 0, NULL), JD_OUT_OF_RANGE);
    assert_int_equal(jd_problem_set(f->p, "drives.slow.frequency", -1, NULL), JD_OUT_OF_RANGE);
    assert_int_equal(jd_problem_set(f->p, "drives.slow.frequency.times", 0, NULL), JD_OUT_OF_RANGE);
    assert_int_equal(jd_problem_set(f->p, "drives.slow.frequency.mode", 0, NULL), JD_OUT_OF_RANGE);
    assert_int_equal(jd_problem_set(f->p, "bodies.pile.points.head", (double)NAN, NULL),
                     JD_OUT_OF_RANGE);
    // rules between keys hold after a change too
    assert_int_equal(jd_problem_set(f->p, "contacts.belt.law.drop", 4.5, NULL), JD_OUT_OF_RANGE);
    assert_near(get(f, "contacts.belt.law.drop"), 0.32, 0);
    assert_int_equal(jd_problem_set(f->p, "drives.table.time.2", 5, NULL), JD_OUT_OF_RANGE);
    assert_near(get(f, "drives.table.time.2"), 1, 0);
}

static void a_change_rebuilds_only_what_it_must(void **state) {
    const fixture *f = *state;
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    const jd_structure *pile = jd_problem_structure(f->p, 0),
                       *sleeve = jd_problem_structure(f->p, 1);
    const jd_system *before = jd_problem_system(f->p);
    const jd_dd *row = before->contact[0];
    assert_int_equal(set(f, "contacts.ground.law.limit", 1), JD_REBUILD_LAWS);
    assert_int_equal(set(f, "contacts.belt.against.velocity", 1), JD_REBUILD_LAWS);
    assert_int_equal(set(f, "drives.fast.amplitude", 7), JD_REBUILD_LAWS);
    assert_int_equal(set(f, "simulate.until", 7), JD_REBUILD_NOTHING);
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    assert_ptr_equal(jd_problem_structure(f->p, 0), pile);
    assert_ptr_equal(jd_problem_system(f->p)->contact[0], row);
    assert_int_equal(set(f, "contacts.shaft.at.span.1", 1), JD_REBUILD_ROWS);
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    assert_ptr_equal(jd_problem_structure(f->p, 0), pile);
    jd_structure *held = jd_structure_share((jd_structure *)pile); // keeps its address taken
    assert_int_equal(set(f, "bodies.pile.length", 2.5), JD_REBUILD_MODES);
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    assert_ptr_not_equal(jd_problem_structure(f->p, 0), pile);
    assert_ptr_equal(jd_problem_structure(f->p, 1), sleeve);
    jd_structure_free(held);
}

static void a_copy_shares_structures_until_it_is_changed(void **state) {
    const fixture *f = *state;
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    fixture g = {.c = jd_context_create(NULL)};
    assert_int_equal(jd_problem_copy(g.c, f->p, &g.p), JD_OK);
    assert_int_equal(jd_problem_build(g.p), JD_OK);
    assert_ptr_equal(jd_problem_structure(g.p, 0), jd_problem_structure(f->p, 0));
    int n = 0;
    for (const char *path; (path = jd_problem_path(f->p, n)); n++) {
        assert_string_equal(jd_problem_path(g.p, n), path);
        double a = get(f, path), b = get(&g, path);
        assert_true(a == b || (isnan(a) && isnan(b)));
    }
    assert_null(jd_problem_path(g.p, n));
    set(&g, "bodies.pile.length", 7);
    set(&g, "contacts.belt.law.limit", 7);
    assert_int_equal(jd_problem_build(g.p), JD_OK);
    assert_near(get(f, "bodies.pile.length"), 2, 0);
    assert_near(get(f, "contacts.belt.law.limit"), 4, 0);
    assert_ptr_not_equal(jd_problem_structure(g.p, 0), jd_problem_structure(f->p, 0));
    assert_ptr_equal(jd_problem_structure(g.p, 1), jd_problem_structure(f->p, 1));
    drop(&(void *){&g});
}

static void relative_frequencies_follow_the_structure(void **state) {
    const fixture *f = *state;
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    double omega = 8 * sin(PI / 16); // 2 N/L sin(k pi/(2 N))
    assert_relative(jd_problem_drive_frequency(f->p, 0), 1.1 * omega, 4e-16);
    assert_near(jd_problem_drive_frequency(f->p, 1), 20, 0);
    assert_near(jd_problem_drive_frequency(f->p, 2), 0, 0);
    assert_relative(get(f, "drives.slow.frequency"), 1.1 * omega, 4e-16);
    assert_relative(jd_problem_period(f->p), 2 * PI / (1.1 * omega), 4e-16); // the slowest drive
    set(f, "bodies.pile.length", 4);
    assert_true(isnan(get(f, "drives.slow.frequency"))); // not the old one
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    assert_relative(jd_problem_drive_frequency(f->p, 0), 1.1 * omega / 2, 4e-16);
    set(f, "drives.slow.frequency.mode", 3);
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    assert_relative(jd_problem_drive_frequency(f->p, 0), 1.1 * 4 * sin(3 * PI / 16), 4e-16);
    set(f, "drives.slow.frequency.mode", 5);
    expect_failure(f, jd_problem_build(f->p), JD_OUT_OF_RANGE,
                   "`frequency.mode` is 5, but the structure has 4 modes", "");
    assert_string_equal(jd_context_error(f->c)->where, "drives.slow");
    set(f, "drives.slow.frequency", 3); // a plain number replaces {times, mode}
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    assert_near(jd_problem_drive_frequency(f->p, 0), 3, 0);
    double v;
    assert_int_equal(jd_problem_get(f->p, "drives.slow.frequency.times", &v), JD_UNKNOWN_KEY);
}

static void durations_count_drive_periods(void **state) {
    const fixture *f = *state;
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    double t;
    assert_int_equal(jd_problem_duration(f->p, &(jd_duration){7, false}, &t), JD_OK);
    assert_near(t, 7, 0);
    assert_int_equal(jd_problem_duration(f->p, &(jd_duration){100, true}, &t), JD_OK);
    assert_relative(t, 200 * PI / (8.8 * sin(PI / 16)), 8e-16);
}

static void periods_without_a_drive_are_refused(void **state) {
    const fixture *f = *state;
    double t;
    expect_failure(f, jd_problem_duration(f->p, &(jd_duration){100, true}, &t), JD_NOT_SUPPORTED,
                   "a time of 100 periods needs a harmonic drive, and the model has none",
                   "give a time in seconds");
}

static void unknown_names_are_answered_with_known_ones(void **state) {
    const fixture *f = *state;
    jd_dd row[12];
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    expect_failure(f, jd_problem_row(f->p, "pile.haed", row), JD_UNKNOWN_NAME,
                   "there is no point named `haed` on the body `pile`",
                   "did you mean `head`? known points: head, tip");
    expect_failure(f, jd_problem_row(f->p, "pille.head", row), JD_UNKNOWN_NAME,
                   "there is no body named `pille`",
                   "did you mean `pile`? known bodies: pile, sleeve, chain");
    expect_failure(f, jd_problem_row(f->p, "tip", row), JD_UNKNOWN_NAME,
                   "several bodies have a point named `tip`", "name the body too: `pile.tip`");
    assert_int_equal(jd_problem_row(f->p, "head", row), JD_OK); // only one body has it
    add_ground(f, "extra", "pile.foot");
    assert_int_equal(jd_problem_build(f->p), JD_UNKNOWN_NAME);
    assert_string_equal(jd_context_error(f->c)->where, "contacts.extra");
}

static void a_contact_that_nothing_moves_is_refused(void **state) {
    const fixture *f = *state;
    add_ground(f, "dead", "sleeve.end");
    expect_failure(f, jd_problem_build(f->p), JD_NOT_SUPPORTED,
                   "the contact `dead` is at a place that no mode moves",
                   "it may be on a support: move it, or keep more modes");
}

static void spans_are_for_friction_and_stops_of_equal_length_on_the_body(void **state) {
    const fixture *f = *state;
    set(f, "contacts.shaft.at.span.2", 3);
    assert_int_equal(jd_problem_build(f->p), JD_OUTSIDE_STRUCTURE);
    set(f, "contacts.shaft.at.span.2", 1.5);
    assert_int_equal(jd_problem_build(f->p), JD_SIZE_MISMATCH);
    set(f, "contacts.shaft.at.span.2", 2);
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    jd_soil_def soil = {.limit = 1, .quake = 1};
    jd_contact_def d = {.at = {.body = "pile", .from = 0, .to = 1},
                        .law = {"", &jd_law_soil.type, &soil}};
    assert_int_equal(jd_problem_add_contact(f->p, "wall", &d), JD_OK);
    assert_int_equal(jd_problem_build(f->p), JD_NOT_SUPPORTED);
}

static void starts_must_fit_the_structure(void **state) {
    const fixture *f = *state;
    const double values[15] = {1};
    const jd_type *type = jd_type_find(jd_start_types(), "state");
    jd_start_state_def d = {.displacement = {11, values}, .of = 1};
    assert_int_equal(jd_problem_set_start(f->p, type, &d), JD_OK);
    expect_failure(f, jd_problem_build(f->p), JD_SIZE_MISMATCH,
                   "`displacement` has 11 values, but the structure has 12 modes", "");
    d.displacement.n = 12;
    assert_int_equal(jd_problem_set_start(f->p, type, &d), JD_OK);
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    d.of = 0; // 7 + 5 + 3 nodes move
    assert_int_equal(jd_problem_set_start(f->p, type, &d), JD_OK);
    expect_failure(f, jd_problem_build(f->p), JD_SIZE_MISMATCH,
                   "`displacement` has 12 values, but the structure has 15 degrees of freedom", "");
    d.velocity = d.displacement = (jd_reals){15, values};
    assert_int_equal(jd_problem_set_start(f->p, type, &d), JD_OK);
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    jd_start_lift_def lift = {.mode = 7, .point = "sleeve.tip", .displacement = 1};
    type = jd_type_find(jd_start_types(), "lift");
    assert_int_equal(jd_problem_set_start(f->p, type, &lift), JD_OK);
    assert_int_equal(jd_problem_build(f->p), JD_OUT_OF_RANGE);
}

// The bowed string: analytic modes, a point at each end and one between.
static void add_string(const fixture *f) {
    const jd_point points[] = {{.name = "bow", .position = 0.4}, {.name = "end", .position = 1}};
    const jd_type *type = jd_type_find(jd_structure_types(), "string");
    jd_string_def d;
    jd_type_defaults(type, &d);
    d.length = 1;
    d.tension = d.mass_per_length = 2;
    d.modes = 5;
    d.points = (jd_points){2, points};
    assert_int_equal(jd_problem_add_body(f->p, "", type, &d), JD_OK);
}

static void a_continuum_starts_from_modes_and_is_held_at_its_ends(void **state) {
    const fixture *f = *state;
    add_string(f);
    const double one[] = {1};
    jd_start_state_def d = {.displacement = {1, one}};
    const jd_type *type = jd_type_find(jd_start_types(), "state");
    assert_int_equal(jd_problem_set_start(f->p, type, &d), JD_OK);
    expect_failure(f, jd_problem_build(f->p), JD_NOT_SUPPORTED,
                   "a `string` has no nodes to start from",
                   "give the state of its modes: `of: modes`");
    jd_start_lift_def lift = {.mode = 5, .point = "bow", .displacement = 1}; // sin(2 pi) = 0
    type = jd_type_find(jd_start_types(), "lift");
    assert_int_equal(jd_problem_set_start(f->p, type, &lift), JD_OK);
    expect_failure(f, jd_problem_build(f->p), JD_OUT_OF_RANGE,
                   "mode 5 does not move the point `bow`", "");
    lift.mode = 1;
    assert_int_equal(jd_problem_set_start(f->p, type, &lift), JD_OK);
    add_ground(f, "bow", "bow");
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    add_ground(f, "end", "end");
    assert_int_equal(jd_problem_build(f->p), JD_NOT_SUPPORTED);
}

static void given_modes_cannot_touch_along_a_span(void **state) {
    const fixture *f = *state;
    const double omega[] = {1, 2}, tip[] = {1, 1};
    const jd_shape shape = {"tip", {2, tip}};
    jd_modes_def modes = {.omega = {2, omega}, .shapes = {1, &shape}};
    const jd_type *type = jd_type_find(jd_structure_types(), "modes");
    assert_int_equal(jd_problem_add_body(f->p, "", type, &modes), JD_OK);
    jd_coulomb_def law = {.limit = 1, .static_limit = (double)NAN};
    jd_contact_def d = {.at = {.from = 0, .to = 1}, .law = {"", &jd_law_coulomb.type, &law}};
    assert_int_equal(jd_problem_add_contact(f->p, "side", &d), JD_OK);
    expect_failure(f, jd_problem_build(f->p), JD_NOT_SUPPORTED,
                   "a `modes` cannot have a contact along a span",
                   "spans are for strings, beams and rods: name its points, {points: [a, b, c]}");
}

static void shaken_supports_need_a_structure_that_knows_its_mass(void **state) {
    const fixture *f = *state;
    const double omega[] = {1, 2}, tip[] = {1, 1};
    const jd_shape shape = {"tip", {2, tip}};
    jd_modes_def modes = {.omega = {2, omega}, .shapes = {1, &shape}};
    const jd_type *type = jd_type_find(jd_structure_types(), "modes");
    assert_int_equal(jd_problem_add_body(f->p, "", type, &modes), JD_OK);
    jd_harmonic_def d = {.of = JD_DRIVE_BASE, .amplitude = 1, .frequency = {1, 0, 0}};
    assert_int_equal(jd_problem_add_drive(f->p, "quake", &jd_drive_harmonic, &d), JD_OK);
    assert_int_equal(jd_problem_build(f->p), JD_NOT_SUPPORTED);
    assert_string_equal(jd_context_error(f->c)->where, "drives.quake");
}

static void the_only_body_is_called_structure(void **state) {
    const fixture *f = *state;
    expect_failure(f, jd_problem_build(f->p), JD_MISSING_KEY, "the model has no structure", "");
    const jd_point point = {.name = "tip", .position = 1};
    const jd_type *type = jd_type_find(jd_structure_types(), "fe-rod");
    jd_fe_rod_def d = rod(2, 4, 3);
    d.points = (jd_points){1, &point};
    assert_int_equal(jd_problem_add_body(f->p, "", type, &d), JD_OK);
    assert_string_equal(jd_problem_path(f->p, 0), "structure.length");
    assert_near(get(f, "structure.length"), 2, 0);
    add_ground(f, "tip", "tip");
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    assert_int_equal(jd_problem_system(f->p)->modal.law, JD_DAMPING_NONE);
    jd_dd row[4];
    expect_failure(f, jd_problem_row(f->p, "tipp", row), JD_UNKNOWN_NAME,
                   "there is no point named `tipp` on the structure",
                   "did you mean `tip`? known points: tip");
    d.length = -1;
    assert_int_equal(jd_problem_add_body(f->p, "b", type, &d), JD_OUT_OF_RANGE);
    assert_string_equal(jd_context_error(f->c)->where, "bodies.b.length");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RICH(parts_come_back_as_they_were_given),
        RICH(names_are_unique_and_without_dots),
        RICH(every_number_is_listed_once_and_keeps_what_is_set),
        RICH(paths_of_every_kind_lead_to_their_number),
        RICH(unknown_paths_get_the_nearest_one),
        RICH(values_out_of_range_change_nothing),
        RICH(a_change_rebuilds_only_what_it_must),
        RICH(a_copy_shares_structures_until_it_is_changed),
        RICH(relative_frequencies_follow_the_structure),
        RICH(durations_count_drive_periods),
        EMPTY(periods_without_a_drive_are_refused),
        RICH(unknown_names_are_answered_with_known_ones),
        RICH(a_contact_that_nothing_moves_is_refused),
        RICH(spans_are_for_friction_and_stops_of_equal_length_on_the_body),
        RICH(starts_must_fit_the_structure),
        EMPTY(a_continuum_starts_from_modes_and_is_held_at_its_ends),
        EMPTY(given_modes_cannot_touch_along_a_span),
        EMPTY(shaken_supports_need_a_structure_that_knows_its_mass),
        EMPTY(the_only_body_is_called_structure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
