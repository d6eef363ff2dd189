// friction_beam.c -- a clamped beam, shaken at mid-span, rubbing at its tip, built in C: the model
// of gallery/friction-beam/rayleigh.yaml.
//   cc friction_beam.c -o friction_beam $(pkg-config --cflags --libs judder)
#include <judder/judder.h>
#include <stdio.h>

static jd_status build(jd_problem *problem) {
    const jd_point points[] = {jd_point_at("mid", 1.235), jd_point_at("tip", 2.47)}; // [m]

    jd_damping_rayleigh_def damping = jd_default_damping_rayleigh();
    damping.mass = 0.025;       // [1/s]
    damping.stiffness = 5.5e-5; // [s]

    jd_fe_beam_def beam = jd_default_fe_beam(); // left end clamped, right end free
    beam.length = 2.47;                         // [m]
    beam.bending_stiffness = 1.09e4;            // [N m^2]
    beam.mass_per_length = 35.4;                // [kg/m]
    beam.elements = 10;
    beam.points = (jd_points){2, points};
    beam.damping = jd_rayleigh_damping(&damping);

    jd_coulomb_def friction = jd_default_coulomb();
    friction.limit = 0.66; // [N]

    jd_contact_def tip = jd_default_contact(); // against the ground
    tip.at = jd_at("tip");
    tip.law = jd_coulomb_law(&friction);

    jd_harmonic_def shaker = jd_default_harmonic();
    shaker.at = jd_at("mid");
    shaker.amplitude = 2.4; // [N]
    shaker.frequency = jd_times_mode(1.1, 1);

    jd_simulate_def simulate = jd_default_simulate();
    simulate.until = jd_periods(100);

    jd_problem_set_si(problem, true);
    jd_status status = jd_problem_add_fe_beam(problem, "", &beam);
    if (status == JD_OK) status = jd_problem_add_contact(problem, "tip", &tip);
    if (status == JD_OK) status = jd_problem_add_harmonic(problem, "shaker", &shaker);
    if (status == JD_OK) status = jd_problem_set_simulate(problem, &simulate);
    return status;
}

// Runs the problem to its end and prints every event.
static jd_status print_events(jd_context *context, jd_problem *problem) {
    const jd_simulate_def *simulate = jd_problem_section(problem, JD_SIMULATE, NULL);
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    double end = 0;
    jd_status status = jd_run_create(context, problem, &run);
    if (status == JD_OK) status = jd_problem_duration(problem, &simulate->until, &end);
    while (status == JD_OK && step == JD_STEP_EVENT) {
        status = jd_run_advance(run, end, &step);
        if (status != JD_OK || step != JD_STEP_EVENT) break;
        const jd_event *e = jd_run_event(run);
        printf("%.9f %c -> %c\n", e->t, jd_contact_letter(e->from), jd_contact_letter(e->to));
    }
    jd_run_free(run);
    return status;
}

int main(void) {
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    jd_status status = jd_problem_create(context, &problem);
    if (status == JD_OK) status = build(problem);
    if (status == JD_OK) status = print_events(context, problem);
    if (status != JD_OK) fprintf(stderr, "%s\n", jd_context_error(context)->message);
    jd_problem_free(problem);
    jd_context_free(context);
    return status != JD_OK;
}
