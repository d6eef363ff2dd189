// impact_chain.c -- five masses on springs, the last one hits a stop, built in C: the model of
// gallery/impact-chain/n5.yaml, with its nonsmooth modes.
//   cc impact_chain.c -o impact_chain $(pkg-config --cflags --libs judder)
#include <judder/judder.h>
#include <stdio.h>

static jd_status build(jd_problem *problem) {
    static const double mass = 0.2, stiffness = 5, window[] = {1.42, 10};
    static const double displacement[] = {0.18, 0.36, 0.54, 0.72, 0.9},
                        velocity[] = {0, 0, 0, 0, 2};
    const jd_point points[] = {jd_point_at_node("end", 5, 1), jd_point_at_node("mass4", 4, 1)};

    jd_chain_def chain =
        jd_default_chain(); // left end tied to the ground by a spring, right end free
    chain.count = 5;
    chain.mass = (jd_reals){1, &mass}; // of all
    chain.stiffness = (jd_reals){1, &stiffness};
    chain.points = (jd_points){2, points};

    jd_stop_def stop = jd_default_stop();
    stop.gap = 1;
    stop.restitution = 1;

    jd_contact_def end = jd_default_contact();
    end.at = jd_at("end");
    end.law = jd_stop_law(&stop);

    jd_start_state_def start = jd_default_start_state(); // of nodes
    start.displacement = (jd_reals){5, displacement};
    start.velocity = (jd_reals){5, velocity};

    jd_simulate_def simulate = jd_default_simulate();
    simulate.until = jd_seconds(1000);

    jd_nsm_def nsm = jd_default_nsm();
    nsm.omega = (jd_reals){2, window}; // [rad/s]

    jd_status status = jd_problem_add_chain(problem, "", &chain);
    if (status == JD_OK) status = jd_problem_add_contact(problem, "end", &end);
    if (status == JD_OK) status = jd_problem_set_start_state(problem, &start);
    if (status == JD_OK) status = jd_problem_set_simulate(problem, &simulate);
    if (status == JD_OK) status = jd_problem_set_nsm(problem, &nsm);
    return status;
}

// Counts the impacts of the run, and the branches of nonsmooth modes.
static jd_status print_modes(jd_context *context, jd_problem *problem) {
    jd_run *run = NULL;
    jd_nsm *nsm = NULL;
    jd_step step = JD_STEP_EVENT;
    int impacts = 0;
    jd_status status = jd_run_create(context, problem, &run);
    while (status == JD_OK && step == JD_STEP_EVENT) {
        status = jd_run_advance(run, 1000, &step);
        impacts += step == JD_STEP_EVENT;
    }
    jd_nsm_options options;
    if (status == JD_OK) status = jd_nsm_options_of(problem, &options);
    if (status == JD_OK) status = jd_nsm_create(context, problem, &options, &nsm);
    if (status == JD_OK)
        printf("%d impacts until t = 1000, %d branches of nonsmooth modes\n", impacts,
               jd_nsm_branches(nsm));
    jd_nsm_free(nsm);
    jd_run_free(run);
    return status;
}

int main(void) {
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    jd_status status = jd_problem_create(context, &problem);
    if (status == JD_OK) status = build(problem);
    if (status == JD_OK) status = print_modes(context, problem);
    if (status != JD_OK) fprintf(stderr, "%s\n", jd_context_error(context)->message);
    jd_problem_free(problem);
    jd_context_free(context);
    return status != JD_OK;
}
