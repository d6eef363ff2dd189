// two_rods.c -- a pile that slides in a sleeve along 25 m, built in C: the model of
// gallery/two-rods/harmonic20.yaml.
//   cc two_rods.c -o two_rods $(pkg-config --cflags --libs judder)
#include <judder/judder.h>
#include <stdio.h>

static jd_status build(jd_problem *problem) {
    const jd_point points[] = {jd_point_at("head", 0), jd_point_at("third", 16.6666666666667),
                               jd_point_at("two_thirds", 33.3333333333333),
                               jd_point_at("tip", 50)}; // [m]

    jd_rod_def pile = jd_default_rod();
    pile.length = 50;           // [m]
    pile.axial_stiffness = 1e9; // [N]
    pile.mass_per_length = 1e3; // [kg/m]
    pile.supports = (jd_supports){JD_FREE, JD_FREE};
    pile.points = (jd_points){4, points};

    jd_rod_def sleeve = jd_default_rod(); // ten thousand times as heavy, the same wave speed
    sleeve.length = 50;
    sleeve.axial_stiffness = 1e13;
    sleeve.mass_per_length = 1e7;
    sleeve.supports = (jd_supports){JD_FREE, JD_FIXED};

    jd_coulomb_def friction = jd_default_coulomb();
    friction.limit = 600; // [N/m]

    jd_contact_def shaft = jd_default_contact();
    shaft.at = jd_along("pile", 25, 50); // [m]
    shaft.against = jd_place_of(jd_along("sleeve", 0, 25));
    shaft.law = jd_coulomb_law(&friction);

    jd_harmonic_def hammer = jd_default_harmonic();
    hammer.at = jd_at_body("pile", "head");
    hammer.amplitude = 20e3;         // [N]
    hammer.frequency = jd_omega(20); // [rad/s]

    jd_simulate_def simulate = jd_default_simulate();
    simulate.engine = "wave";
    simulate.nodes = 304;
    simulate.until = jd_seconds(1);

    jd_problem_set_si(problem, true);
    jd_status status = jd_problem_add_rod(problem, "pile", &pile);
    if (status == JD_OK) status = jd_problem_add_rod(problem, "sleeve", &sleeve);
    if (status == JD_OK) status = jd_problem_add_contact(problem, "shaft", &shaft);
    if (status == JD_OK) status = jd_problem_add_harmonic(problem, "hammer", &hammer);
    if (status == JD_OK) status = jd_problem_set_simulate(problem, &simulate);
    return status;
}

// Runs the problem to its end and prints what friction took, and how often parts of it stuck.
static jd_status print_end(jd_context *context, jd_problem *problem) {
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    jd_status status = jd_run_create(context, problem, &run);
    while (status == JD_OK && step == JD_STEP_EVENT) status = jd_run_advance(run, 1, &step);
    jd_interface_field field;
    if (status == JD_OK && jd_run_interface(run, 0, &field)) {
        double loss = 0;
        for (int i = 0; i < field.n; i++) loss += field.loss[i];
        printf("friction took %.3f J in %d cells, which stuck %ld times\n", loss, field.n,
               field.stick);
    }
    jd_run_free(run);
    return status;
}

int main(void) {
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    jd_status status = jd_problem_create(context, &problem);
    if (status == JD_OK) status = build(problem);
    if (status == JD_OK) status = print_end(context, problem);
    if (status != JD_OK) fprintf(stderr, "%s\n", jd_context_error(context)->message);
    jd_problem_free(problem);
    jd_context_free(context);
    return status != JD_OK;
}
