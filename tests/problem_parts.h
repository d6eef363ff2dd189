// problem_parts.h -- a rich problem for tests: three bodies, four contacts, every kind of drive.
#ifndef JD_TESTS_PROBLEM_PARTS_H
#define JD_TESTS_PROBLEM_PARTS_H

#include "contact/law.h"
#include "drive/kind.h"
#include "judder/problem.h"
#include "structure/modal.h"

// Lumped rod, EA = m = 1, fixed at both ends: omega_k = 2 N/L sin(k pi/(2 N)), and at its nodes
// phi_k = sqrt(2/L) sin(k pi x/L).
static inline jd_fe_rod_def rod(double length, int elements, int modes) {
    jd_fe_rod_def d;
    jd_type_defaults(jd_type_find(jd_structure_types(), "fe-rod"), &d);
    d.length = length;
    d.axial_stiffness = d.mass_per_length = 1;
    d.elements = elements;
    d.modes = modes;
    d.mass_matrix = 1;
    d.supports = (jd_supports){JD_FIXED, JD_FIXED};
    return d;
}

static inline jd_status add_chain(jd_problem *p) {
    const double mass[] = {1, 2, 3}, stiffness[] = {5};
    const jd_point point = {.name = "last", .position = (double)NAN, .node = 3};
    const jd_type *type = jd_type_find(jd_structure_types(), "chain");
    jd_chain_def d;
    jd_type_defaults(type, &d);
    d.count = d.modes = 3;
    d.mass = (jd_reals){3, mass};
    d.stiffness = (jd_reals){1, stiffness};
    d.points = (jd_points){1, &point};
    return jd_problem_add_body(p, "chain", type, &d);
}

static inline jd_status add_bodies(jd_problem *p) {
    const jd_point pile[] = {{.name = "head", .position = 0.25}, {.name = "tip", .position = 1}};
    const jd_point sleeve[] = {{.name = "tip", .position = 1.5},
                               {.name = "end", .position = 3},
                               {.name = "knot", .position = (double)NAN, .node = 2}};
    const double ratio[] = {0.1};
    const jd_type *type = jd_type_find(jd_structure_types(), "fe-rod");
    jd_damping_ratio_def damping = {{1, ratio}};
    jd_fe_rod_def a = rod(2, 8, 4), b = rod(3, 6, 5);
    a.points = (jd_points){2, pile};
    b.points = (jd_points){3, sleeve};
    b.damping = (jd_object){"", &jd_damping_ratio, &damping};
    JD_TRY(jd_problem_add_body(p, "pile", type, &a));
    JD_TRY(jd_problem_add_body(p, "sleeve", type, &b));
    return add_chain(p);
}

static inline jd_status add_contacts(jd_problem *p) {
    jd_coulomb_def coulomb = {.limit = 0.66, .static_limit = (double)NAN};
    jd_stribeck_def stribeck = {4, 0.32, 1, 0, 1, (double)NAN};
    jd_stop_def stop = {.gap = 1, .restitution = 0.8};
    jd_contact_def ground = {.at = {.body = "pile", .point = "head"},
                             .law = {"", &jd_law_coulomb.type, &coulomb}};
    jd_contact_def belt = {.at = {.point = "sleeve.tip"},
                           .against = {.kind = JD_MOVING, .velocity = 1.5},
                           .law = {"", &jd_law_stribeck.type, &stribeck}};
    jd_contact_def pair = {
        .at = {.point = "pile.tip"},
        .against = {.kind = JD_PLACE, .place = {.body = "sleeve", .point = "tip"}},
        .law = {"", &jd_law_stop.type, &stop}};
    jd_contact_def span = {
        .at = {.body = "pile", .from = 1, .to = 2},
        .against = {.kind = JD_PLACE, .place = {.body = "sleeve", .from = 0, .to = 1}},
        .law = {"", &jd_law_coulomb.type, &coulomb}};
    JD_TRY(jd_problem_add_contact(p, "ground", &ground));
    JD_TRY(jd_problem_add_contact(p, "belt", &belt));
    JD_TRY(jd_problem_add_contact(p, "pair", &pair));
    return jd_problem_add_contact(p, "shaft", &span);
}

static inline jd_status add_drives(jd_problem *p) {
    const double time[] = {0, 1, 2}, value[] = {0, 3, -1};
    jd_place at = {.point = "pile.tip"};
    jd_harmonic_def slow = {.at = at, .amplitude = 2.4, .frequency = {0, 1.1, 1}};
    jd_harmonic_def fast = {.at = at, .amplitude = 1, .frequency = {20, 0, 0}};
    jd_constant_def constant = {.at = {.body = "sleeve", .point = "tip"}, .value = -9.81};
    jd_pulse_def pulse = {.at = at, .shape = 1, .amplitude = 5, .start = 0, .duration = 0.01};
    jd_ramp_def ramp = {.at = at, .amplitude = 5, .start = 1, .duration = 2};
    jd_drive_table_def table = {.at = at, .scale = 1, .time = {3, time}, .value = {3, value}};
    JD_TRY(jd_problem_add_drive(p, "slow", &jd_drive_harmonic, &slow));
    JD_TRY(jd_problem_add_drive(p, "fast", &jd_drive_harmonic, &fast));
    JD_TRY(jd_problem_add_drive(p, "weight", &jd_drive_constant, &constant));
    JD_TRY(jd_problem_add_drive(p, "blow", &jd_drive_pulse, &pulse));
    JD_TRY(jd_problem_add_drive(p, "ramp", &jd_drive_ramp, &ramp));
    return jd_problem_add_drive(p, "table", &jd_drive_table, &table);
}

static inline jd_status add_rest(jd_problem *p) {
    const double window[] = {1, 10};
    jd_start_lift_def lift = {.mode = 1, .point = "pile.head", .displacement = -2.9, .velocity = 1};
    jd_simulate_def simulate;
    jd_type_defaults(&jd_section_types[JD_SIMULATE], &simulate);
    simulate.until = (jd_duration){100, true};
    jd_nsm_def nsm = {.omega = {2, window}, .impacts = 1};
    JD_TRY(jd_problem_set_title(p, "Two bodies"));
    JD_TRY(jd_problem_set_start(p, jd_type_find(jd_start_types(), "lift"), &lift));
    JD_TRY(jd_problem_set_section(p, JD_SIMULATE, &simulate));
    return jd_problem_set_section(p, JD_NSM, &nsm);
}

static inline jd_status rich_problem(jd_context *c, jd_problem **out) {
    JD_TRY(jd_problem_create(c, out));
    JD_TRY(add_bodies(*out));
    JD_TRY(add_contacts(*out));
    JD_TRY(add_drives(*out));
    return add_rest(*out);
}

#endif
