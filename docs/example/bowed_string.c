// bowed_string.c -- a string with infinitely many modes under a bow, built in C: the model of
// gallery/bowed-string/string.yaml.
//   cc bowed_string.c -o bowed_string $(pkg-config --cflags --libs judder)
#include <judder/judder.h>
#include <stdio.h>

static jd_status build(jd_problem *problem) {
    const jd_point bow_point = jd_point_at("bow", 0.4);
    const double ratio = 0.1;
    jd_damping_ratio_def damping = jd_default_damping_ratio();
    damping.value = (jd_reals){1, &ratio}; // of all modes

    jd_string_def string = jd_default_string(); // both ends fixed
    string.length = 1;
    string.tension = 2;
    string.mass_per_length = 2;
    string.modes = JD_INFINITE;
    string.points = (jd_points){1, &bow_point};
    string.damping = jd_ratio_damping(&damping);

    jd_stribeck_def friction = jd_default_stribeck();
    friction.limit = 4;
    friction.drop = 0.32;
    friction.decay = 1;

    jd_contact_def bow = jd_default_contact();
    bow.at = jd_at("bow");
    bow.against = jd_moving(1.5);
    bow.law = jd_stribeck_law(&friction);

    jd_start_lift_def lift = jd_default_start_lift(); // of mode 1
    lift.point = "bow";
    lift.displacement = -2.9224;
    lift.velocity = -2.7668;

    jd_simulate_def simulate = jd_default_simulate();
    simulate.until = jd_seconds(20);

    jd_status status = jd_problem_add_string(problem, "", &string);
    if (status == JD_OK) status = jd_problem_add_contact(problem, "bow", &bow);
    if (status == JD_OK) status = jd_problem_set_start_lift(problem, &lift);
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
