// kernel.c -- judder kernel: what contact points feel of their structure.
#include "command.h"

static const char *number(call *c, double value, int digits) {
    const char *text = jd_arena_format(c->arena, "%.*g", digits, value);
    return text ? text : "";
}

static void print_pairs(call *c, const jd_kernel_view *v) {
    table *t = table_create(c, "llrrrr");
    table_row(t,
              (const char *[]){"velocity of", "force at", "jump γ", "start of G", "static", "L∞"});
    for (int i = 0; i < v->n; i++)
        for (int j = 0; j < v->n; j++) {
            int at = i * v->n + j;
            table_row(t,
                      (const char *[]){v->contact[i], v->contact[j], number(c, v->jump[at], 15),
                                       number(c, v->first[at], 12), number(c, v->statics[at], 12),
                                       number(c, v->L_infinity[at], 12)});
        }
    table_print(t, "", stdout);
}

static void print_summary(call *c, const jd_problem *problem, const jd_kernel_view *v) {
    const char *title = jd_problem_title(problem);
    if (title[0]) printf("%s\n\n", title);
    print_pairs(c, v);
    printf("\nstart        G ~ τ^%g, %s (case %d): %s\n", v->exponent,
           jd_kernel_start_name(v->start), v->paper_case, jd_kernel_start_means(v->start));
    printf("W            mode%s", v->n == 1 ? "" : "s");
    for (int p = 0; p < v->n; p++) printf("%s %d", p ? "," : "", v->mode[p]);
    printf(", condition number %.3g\n", v->condition);
    if (v->memory) printf("memory       %s\n", v->memory);
    printf("kernels      G, L, L0, L1 at %d times up to τ = %g\n", v->n_tau, v->tau[v->n_tau - 1]);
    for (int i = 0; i < v->n_resolved; i++)
        printf("%s %d: L∞ = %.12g, the next mode at σ = %.10g\n",
               i ? "            " : "resolved    ", v->resolved[i].modes, v->resolved[i].L_infinity,
               v->resolved[i].sigma);
    if (c->output) printf("result       %s\n", c->output);
    if (c->csv) printf("table        %s\n", c->csv);
    if (c->plot) printf("picture      %s\n", c->plot);
    if (!c->output && !c->csv && !c->plot)
        printf("nothing was kept: --csv FILE.csv keeps the kernels, --plot FILE.png draws them\n");
}

static jd_status run_kernel(call *c) {
    jd_problem *problem;
    jd_kernel *kernel = NULL;
    jd_result *result = NULL;
    JD_TRY(plot_check(c, "kernels", PLOT_PAGE));
    JD_TRY(load_model(c, &problem));
    jd_status s = jd_kernel_create(c->context, problem, &kernel);
    if (s == JD_OK) s = jd_result_of_kernel(c->context, problem, kernel, &result);
    if (s == JD_OK) s = deliver(c, result, -1, true);
    if (s == JD_OK && wants_words(c)) print_summary(c, problem, jd_kernel_look(kernel));
    jd_result_free(result);
    jd_kernel_free(kernel);
    jd_problem_free(problem);
    return s;
}

const verb verb_kernel = {
    .name = "kernel",
    .arguments = "MODEL.yaml",
    .doc = "step responses and memory kernels at contacts",
    .help = "For each contact: the step response G (velocity of the contact point after a\n"
            "unit step of force) with its jump at time 0, and the memory kernels L, L0, L1\n"
            "with the numbers A and L_infinity of the reduced equation with memory\n"
            "(docs/theory/memory.md). For finitely many modes, and for `modes: infinite`\n"
            "(string, rod, beam). The section `kernel` says up to which time, at how many\n"
            "times, and which modes W is made of. --csv keeps the kernels, --plot draws them.\n",
    .shared = SHARED_RESULTS,
    .least = 1,
    .most = 1,
    .run = run_kernel,
};
