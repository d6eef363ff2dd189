// sections.c -- tables of what to compute: simulate, orbit, follow, nsm, kernel, sweep, output.
#include <math.h>

#include "base/fail.h"
#include "judder/problem.h"

static const char *const friction_rules[] = {"centred", "trapezoidal", NULL};

static const jd_param simulate[] = {
    {.key = "engine",
     .kind = JD_KIND_TEXT,
     .offset = offsetof(jd_simulate_def, engine),
     .unit = "",
     .preset_text = "auto",
     .doc = "which engine computes the motion; auto picks one"},
    {.key = "until",
     .kind = JD_KIND_DURATION,
     .offset = offsetof(jd_simulate_def, until),
     .unit = "s",
     .required = true,
     .low = 0,
     .high = HUGE_VAL,
     .doc = "time to stop at, or a number of drive periods"},
    {.key = "event_budget",
     .kind = JD_KIND_INTEGER,
     .offset = offsetof(jd_simulate_def, event_budget),
     .unit = "",
     .preset = 10000000,
     .low = 1,
     .high = HUGE_VAL,
     .doc = "stop after this many events"},
    {.key = "nodes",
     .kind = JD_KIND_INTEGER,
     .offset = offsetof(jd_simulate_def, nodes),
     .unit = "",
     .preset = 304,
     .low = 2,
     .high = HUGE_VAL,
     .doc = "grid points of the first body, for the engines wave, taylor and mode-matching"},
    {.key = "friction_rule",
     .kind = JD_KIND_CHOICE,
     .offset = offsetof(jd_simulate_def, friction_rule),
     .unit = "",
     .choices = friction_rules,
     .doc = "engine wave: centred never feeds energy in; trapezoidal is sharper at fronts and "
            "reports what it feeds in"},
    {.key = "error_estimate",
     .kind = JD_KIND_BOOLEAN,
     .offset = offsetof(jd_simulate_def, error_estimate),
     .unit = "",
     .doc = "engine wave: compare with a coarser grid, at every sample"},
    {.key = "ledger",
     .kind = JD_KIND_BOOLEAN,
     .offset = offsetof(jd_simulate_def, ledger),
     .unit = "",
     .preset = 1,
     .doc = "sum up the energies; without it a run is faster"},
    {0}};

static const jd_param orbit[] = {
    {.key = "periods",
     .kind = JD_KIND_INTEGER,
     .offset = offsetof(jd_orbit_def, periods),
     .unit = "",
     .preset = 0,
     .low = 0,
     .high = HUGE_VAL,
     .doc = "period of the orbit in drive periods; 0: found by itself, up to 8"},
    {.key = "settle",
     .kind = JD_KIND_DURATION,
     .offset = offsetof(jd_orbit_def, settle),
     .unit = "s",
     .preset = 0,
     .low = 0,
     .high = HUGE_VAL,
     .doc = "time, or drive periods, simulated before the orbit is sought"},
    {0}};

static const jd_param follow[] = {
    {.key = "parameter",
     .kind = JD_KIND_TEXT,
     .offset = offsetof(jd_follow_def, parameter),
     .unit = "",
     .required = true,
     .doc = "path of the number that is varied"},
    {.key = "from",
     .kind = JD_KIND_REAL,
     .offset = offsetof(jd_follow_def, from),
     .unit = "*",
     .required = true,
     .doc = "where the branch begins"},
    {.key = "to",
     .kind = JD_KIND_REAL,
     .offset = offsetof(jd_follow_def, to),
     .unit = "*",
     .required = true,
     .doc = "where it ends"},
    {.key = "measure",
     .kind = JD_KIND_TEXT,
     .offset = offsetof(jd_follow_def, measure),
     .unit = "",
     .doc = "what is recorded, such as tip.displacement.max; the first contact's "
            "largest displacement when left out"},
    {.key = "flip",
     .kind = JD_KIND_INTEGER,
     .offset = offsetof(jd_follow_def, flip),
     .unit = "",
     .preset = 0,
     .low = 0,
     .high = HUGE_VAL,
     .doc = "at this flip on the way, go on along the branch of doubled period; 0: do not"},
    {0}};

static const jd_param kernel[] = {
    {.key = "until",
     .kind = JD_KIND_DURATION,
     .offset = offsetof(jd_kernel_def, until),
     .unit = "s",
     .preset = 0,
     .low = 0,
     .high = HUGE_VAL,
     .doc = "longest time τ of the kernels; 0: six periods of the lowest mode"},
    {.key = "points",
     .kind = JD_KIND_INTEGER,
     .offset = offsetof(jd_kernel_def, points),
     .unit = "",
     .preset = 601,
     .low = 2,
     .high = 1000000,
     .doc = "number of times τ, closer together near 0"},
    {.key = "modes",
     .kind = JD_KIND_REALS,
     .offset = offsetof(jd_kernel_def, modes),
     .unit = "",
     .low = 1,
     .high = 100000,
     .doc = "modes that carry W, one for each contact; left out: chosen by pivoted QR"},
    {0}};

static const jd_param nsm[] = {{.key = "omega",
                                .kind = JD_KIND_REALS,
                                .offset = offsetof(jd_nsm_def, omega),
                                .unit = "rad/s",
                                .required = true,
                                .low = 0,
                                .high = HUGE_VAL,
                                .doc = "window of angular frequencies, [lowest, highest]"},
                               {.key = "impacts",
                                .kind = JD_KIND_INTEGER,
                                .offset = offsetof(jd_nsm_def, impacts),
                                .unit = "",
                                .preset = 1,
                                .low = 1,
                                .high = HUGE_VAL,
                                .doc = "impacts per period"},
                               {0}};

static const char *const directions[] = {"none", "up", "down", "both", NULL};

static const jd_param sweep[] = {
    {.key = "parameters",
     .kind = JD_KIND_TEXTS,
     .offset = offsetof(jd_sweep_def, parameters),
     .unit = "",
     .required = true,
     .doc = "paths of the one or two numbers that are varied"},
    {.key = "from",
     .kind = JD_KIND_REALS,
     .offset = offsetof(jd_sweep_def, from),
     .unit = "*",
     .required = true,
     .doc = "first value of each"},
    {.key = "to",
     .kind = JD_KIND_REALS,
     .offset = offsetof(jd_sweep_def, to),
     .unit = "*",
     .required = true,
     .doc = "last value of each"},
    {.key = "points",
     .kind = JD_KIND_REALS,
     .offset = offsetof(jd_sweep_def, points),
     .unit = "",
     .required = true,
     .low = 1,
     .high = 1e9,
     .doc = "number of values of each"},
    {.key = "direction",
     .kind = JD_KIND_CHOICE,
     .offset = offsetof(jd_sweep_def, direction),
     .unit = "",
     .preset = JD_SWEEP_NONE,
     .choices = directions,
     .doc = "carry the motion along the first parameter: up (from "
            "`from` to `to`), down, or up and down again; none: "
            "every point from the start of the model"},
    {.key = "measure",
     .kind = JD_KIND_TEXT,
     .offset = offsetof(jd_sweep_def, measure),
     .unit = "",
     .doc = "what the amplitude is, such as tip.displacement.max; the "
            "first contact's largest displacement when left out"},
    {.key = "settle",
     .kind = JD_KIND_DURATION,
     .offset = offsetof(jd_sweep_def, settle),
     .unit = "s",
     .preset = 0,
     .low = 0,
     .high = HUGE_VAL,
     .doc = "time, or drive periods, simulated at most at one point; "
            "0: 2000 periods, or as `orbit` says where nothing is periodic"},
    {.key = "tolerance",
     .kind = JD_KIND_REAL,
     .offset = offsetof(jd_sweep_def, tolerance),
     .unit = "",
     .preset = 1e-9,
     .low = 1e-13,
     .high = 1e-2,
     .doc = "relative change of the state from one return to the next "
            "that counts as settled where no orbit can be found"},
    {.key = "samples",
     .kind = JD_KIND_INTEGER,
     .offset = offsetof(jd_sweep_def, samples),
     .unit = "",
     .preset = 16,
     .low = 1,
     .high = 100000,
     .doc = "drive periods at whose start the motion is recorded"},
    {.key = "starts",
     .kind = JD_KIND_INTEGER,
     .offset = offsetof(jd_sweep_def, starts),
     .unit = "",
     .preset = 1,
     .low = 1,
     .high = 1000,
     .doc = "starts tried at each point: that of the model, then "
            "random ones; finds motions that exist side by side"},
    {.key = "seed",
     .kind = JD_KIND_INTEGER,
     .offset = offsetof(jd_sweep_def, seed),
     .unit = "",
     .preset = 1,
     .low = 0,
     .high = 1e9,
     .doc = "of the random starts"},
    {0}};

static const jd_param output[] = {
    {.key = "every",
     .kind = JD_KIND_DURATION,
     .offset = offsetof(jd_output_def, every),
     .unit = "s",
     .preset = 0,
     .low = 0,
     .high = HUGE_VAL,
     .doc = "time between samples; 0: see per_period"},
    {.key = "per_period",
     .kind = JD_KIND_INTEGER,
     .offset = offsetof(jd_output_def, per_period),
     .unit = "",
     .preset = 0,
     .low = 0,
     .high = HUGE_VAL,
     .doc = "samples per drive period; 0: none"},
    {.key = "points",
     .kind = JD_KIND_TEXTS,
     .offset = offsetof(jd_output_def, points),
     .unit = "",
     .doc = "points to record; every contact and drive point when left out"},
    {0}};

static jd_status check_nsm(jd_context *context, const void *def) {
    const jd_nsm_def *d = def;
    if (d->omega.n == 2 && d->omega.value[0] < d->omega.value[1]) return JD_OK;
    return jd_fail(context, JD_SIZE_MISMATCH,
                   "`omega` must be a window of two frequencies, lowest first");
}

static jd_status check_sweep(jd_context *context, const void *def) {
    const jd_sweep_def *d = def;
    int n = d->parameters.n;
    if (n > 2)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`parameters` names %d numbers, but a sweep varies one or two", n);
    if (d->from.n != n || d->to.n != n || d->points.n != n)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`from`, `to` and `points` must have %d value%s, one per parameter", n,
                       n == 1 ? "" : "s");
    if (d->starts > 1 && d->direction != JD_SWEEP_NONE)
        return jd_fail(context, JD_OUT_OF_RANGE,
                       "`starts` is %d, but a motion that is carried along has one start",
                       d->starts);
    for (int i = 0; i < n; i++)
        if (d->points.value[i] != floor(d->points.value[i]))
            return jd_fail(context, JD_OUT_OF_RANGE,
                           "`points` is %.10g, but must be a whole number", d->points.value[i]);
    return JD_OK;
}

static jd_status check_follow(jd_context *context, const void *def) {
    const jd_follow_def *d = def;
    if (d->from != d->to) return JD_OK;
    return jd_fail(context, JD_OUT_OF_RANGE, "`from` and `to` are both %.10g, but must differ",
                   d->from);
}

const jd_type jd_section_types[JD_SECTION_COUNT] = {
    [JD_SIMULATE] = {.name = "simulate",
                     .doc = "motion in time",
                     .def_size = sizeof(jd_simulate_def),
                     .params = simulate},
    [JD_ORBIT] = {.name = "orbit",
                  .doc = "a periodic orbit and its stability",
                  .def_size = sizeof(jd_orbit_def),
                  .params = orbit},
    [JD_FOLLOW] = {.name = "follow",
                   .doc = "orbits along one parameter",
                   .def_size = sizeof(jd_follow_def),
                   .params = follow,
                   .check = check_follow},
    [JD_NSM] = {.name = "nsm",
                .doc = "nonsmooth modes of a structure that knocks",
                .def_size = sizeof(jd_nsm_def),
                .params = nsm,
                .check = check_nsm},
    [JD_KERNEL] = {.name = "kernel",
                   .doc = "memory of a structure, seen from its contacts",
                   .def_size = sizeof(jd_kernel_def),
                   .params = kernel},
    [JD_SWEEP] = {.name = "sweep",
                  .doc = "settled motion on a grid of parameters",
                  .def_size = sizeof(jd_sweep_def),
                  .params = sweep,
                  .check = check_sweep},
    [JD_OUTPUT] = {.name = "output",
                   .doc = "what is sampled and kept",
                   .def_size = sizeof(jd_output_def),
                   .params = output},
};
