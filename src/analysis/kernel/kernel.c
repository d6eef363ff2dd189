// kernel.c -- kernels of a problem's contacts on a grid of times, as its section `kernel` asks.
#include "judder/kernel.h"

#include <math.h>

#include "analysis/kernel/resolved.h"
#include "kernel/choice.h"
#include "kernel/reduced.h"
#include "problem/memory.h"

static const double pi = 0x1.921fb54442d18p+1;
enum { PERIODS = 3, LOOK = 4 };

struct jd_kernel {
    jd_context *context;
    jd_arena *arena;
    jd_response *response;
    jd_reduced reduced;
    jd_kernel_view view;
};

// A few periods of the lowest mode that vibrates.
static jd_status default_time(const jd_kernel *k, double *until) {
    jd_response_modes m;
    double lowest = HUGE_VAL;
    JD_TRY(jd_response_shapes_of(k->response, LOOK, k->arena, &m));
    for (int i = 0; i < m.n; i++)
        if (m.omega[i] > 0) lowest = fmin(lowest, m.omega[i]);
    *until = isfinite(lowest) ? PERIODS * 2 * pi / lowest : 1;
    return JD_OK;
}

// tau = until x^2, x even: closer together near 0, where kernels are steep.
static jd_status take_times(jd_kernel *k, const jd_problem *problem, const jd_kernel_def *d) {
    double until, *tau = JD_TAKE(k->arena, double, d->points);
    JD_TRY(jd_arena_status(k->arena));
    JD_TRY(jd_problem_duration(problem, &d->until, &until));
    if (!(until > 0)) JD_TRY(default_time(k, &until));
    for (int t = 0; t < d->points; t++) {
        double x = (double)t / (d->points - 1);
        tau[t] = until * x * x;
    }
    k->view.tau = tau;
    k->view.n_tau = d->points;
    return JD_OK;
}

static jd_status whole(jd_context *context, double value, const char *where, int *out) {
    *out = (int)value;
    if (*out == value) return JD_OK;
    jd_fail(context, JD_OUT_OF_RANGE, "%g is not the number of a mode", value);
    jd_fail_where(context, "%s", where);
    return JD_OUT_OF_RANGE;
}

static jd_status choose_modes(jd_kernel *k, const jd_kernel_def *d) {
    int n = jd_response_contacts(k->response), *mode = NULL;
    if (d->modes.n && d->modes.n != n) {
        jd_fail(k->context, JD_SIZE_MISMATCH, "W needs one mode for each of %d contacts, not %d", n,
                d->modes.n);
        jd_fail_where(k->context, "kernel.modes");
        return JD_SIZE_MISMATCH;
    }
    if (d->modes.n) {
        mode = JD_TAKE(k->arena, int, n);
        JD_TRY(jd_arena_status(k->arena));
        for (int p = 0; p < n; p++)
            JD_TRY(whole(k->context, d->modes.value[p], "kernel.modes", &mode[p]));
    }
    return jd_reduced_make(k->arena, k->response, mode, &k->reduced);
}

static jd_status leave_out(jd_kernel *k, const jd_reals *numbers) {
    jd_kernel_resolved *list = JD_TAKE(k->arena, jd_kernel_resolved, numbers->n);
    JD_TRY(jd_arena_status(k->arena));
    for (int i = 0; i < numbers->n; i++) {
        int N;
        JD_TRY(whole(k->context, numbers->value[i], "kernel.resolved", &N));
        JD_TRY(jd_resolve(k->arena, &k->reduced, N, &k->view, &list[i]));
    }
    k->view.n_resolved = numbers->n;
    k->view.resolved = list;
    return JD_OK;
}

// Columns of the contacts alone.
static void cut(const jd_kernel *k, const double *from, double *to) {
    int n = k->view.n, m = jd_response_places(k->response);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) to[i * n + j] = from[i * m + j];
}

static jd_status evaluate(jd_kernel *k) {
    jd_kernel_view *v = &k->view;
    size_t n2 = (size_t)v->n * (size_t)v->n, all = n2 * (size_t)v->n_tau;
    size_t wide = (size_t)v->n * (size_t)jd_response_places(k->response);
    double *array[4], *work = JD_TAKE(k->arena, double, 4 * wide);
    for (int q = 0; q < 4; q++) array[q] = JD_TAKE(k->arena, double, all);
    JD_TRY(jd_arena_status(k->arena));
    for (int t = 0; t < v->n_tau; t++) {
        size_t at = (size_t)t * n2;
        JD_TRY(jd_reduced_at(&k->reduced, 1, v->tau + t, array[1] + at, array[2] + at,
                             array[3] + at, work));
        cut(k, work + wide, array[0] + at);
    }
    v->G = array[0];
    v->L = array[1];
    v->L0 = array[2];
    v->L1 = array[3];
    return JD_OK;
}

static jd_status describe(jd_kernel *k, const jd_problem *problem) {
    jd_kernel_view *v = &k->view;
    const jd_response *r = k->response;
    v->n = jd_response_contacts(r);
    size_t n2 = (size_t)v->n * (size_t)v->n;
    const char **name = JD_TAKE(k->arena, const char *, v->n);
    double *first = JD_TAKE(k->arena, double, n2), *jump = JD_TAKE(k->arena, double, n2);
    double *statics = JD_TAKE(k->arena, double, n2);
    double *wide = JD_TAKE(k->arena, double, v->n *jd_response_places(r));
    JD_TRY(jd_arena_status(k->arena));
    for (int i = 0; i < v->n; i++) name[i] = jd_problem_contact(problem, i)->name;
    cut(k, jd_response_start(r), first);
    cut(k, jd_response_jump(r), jump);
    JD_TRY(jd_response_static(r, wide));
    cut(k, wide, statics);
    jd_regularity start = jd_response_regularity(r);
    v->start = start == JD_START_JUMP      ? JD_KERNEL_JUMP
               : start == JD_START_HOELDER ? JD_KERNEL_ROOT
                                           : JD_KERNEL_SMOOTH;
    v->infinite = jd_response_infinite(r);
    v->paper_case = jd_response_case(r);
    v->exponent = jd_response_exponent(r);
    v->contact = name;
    v->first = first;
    v->jump = jump;
    v->statics = statics;
    return JD_OK;
}

// What a run would keep of infinitely many modes; nothing where it would be refused.
static jd_status describe_memory(jd_kernel *k, const jd_problem *problem) {
    const jd_simulate_def *sim = jd_problem_section(problem, JD_SIMULATE, NULL);
    jd_memory_choice choice;
    if (!k->view.infinite) return JD_OK;
    jd_status s = jd_memory_choose(k->arena, k->response, sim->tolerance,
                                   (jd_memory_form)sim->memory, &choice);
    if (s == JD_OK) k->view.memory = jd_memory_describe(k->arena, &choice);
    if (s == JD_NOT_SUPPORTED) jd_context_clear_error(k->context);
    return s == JD_NOT_SUPPORTED ? JD_OK : s;
}

static jd_status make(jd_kernel *k, const jd_problem *problem) {
    const jd_kernel_def *d = jd_problem_section(problem, JD_KERNEL, NULL);
    if (jd_problem_contacts(problem) == 0) {
        jd_fail(k->context, JD_NOT_SUPPORTED, "a model without contacts has no kernels");
        jd_fail_hint(k->context, "memory kernels belong to contacts: write a section `contacts`");
        return JD_NOT_SUPPORTED;
    }
    JD_TRY(jd_problem_response(k->context, problem, &k->response));
    JD_TRY(describe(k, problem));
    JD_TRY(choose_modes(k, d));
    k->view.mode = k->reduced.mode;
    k->view.condition = k->reduced.condition;
    k->view.A = k->reduced.A;
    k->view.L_infinity = k->reduced.L_infinity;
    JD_TRY(describe_memory(k, problem));
    JD_TRY(take_times(k, problem, d));
    JD_TRY(evaluate(k));
    return leave_out(k, &d->resolved);
}

jd_status jd_kernel_create(jd_context *context, const jd_problem *problem, jd_kernel **out) {
    *out = NULL;
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_kernel *k = JD_TAKE(arena, jd_kernel, 1);
    if (!k) {
        jd_arena_free(arena);
        return JD_OUT_OF_MEMORY;
    }
    k->context = context;
    k->arena = arena;
    jd_status s = make(k, problem);
    if (s == JD_OK)
        *out = k;
    else
        jd_kernel_free(k);
    return s;
}

void jd_kernel_free(jd_kernel *k) {
    if (!k) return;
    jd_response_free(k->response);
    jd_arena_free(k->arena);
}

const jd_kernel_view *jd_kernel_look(const jd_kernel *k) { return &k->view; }

const char *jd_kernel_start_name(jd_kernel_start start) {
    return start == JD_KERNEL_JUMP ? "jump" : start == JD_KERNEL_ROOT ? "square-root" : "smooth";
}

const char *jd_kernel_start_means(jd_kernel_start start) {
    if (start == JD_KERNEL_JUMP)
        return "the velocity answers a force at once: contact forces are continuous where a "
               "contact "
               "begins to stick, with a kink";
    if (start == JD_KERNEL_ROOT)
        return "the velocity answers a force as the square root of time: contact forces are "
               "continuous where a contact begins to stick, but not differentiable";
    return "the velocity answers a force with a delay: contact forces jump where a contact begins "
           "to stick, by the acceleration divided by the start of G";
}
