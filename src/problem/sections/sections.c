// sections.c -- tables of what to compute: simulate, orbit, follow, nsm, kernel, sweep,
// fit, backbone, output.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "judder/problem.h"
#include "problem/sections/simulate.h"

static const jd_param simulate[] = {JD_KEYS_OF_RUNS,    JD_KEYS_OF_GRIDS,       JD_KEYS_OF_WAVE,
                                    JD_KEYS_OF_LEDGERS, JD_KEYS_OF_STEPS,       JD_KEYS_OF_CLOSURE,
                                    JD_KEYS_OF_MEMORY,  JD_KEYS_OF_CONVOLUTION, {0}};

static const jd_param orbit[] = {
    {JD_KEY(jd_orbit_def, periods, INTEGER), .unit = "", .preset = 0, .low = 0, .high = HUGE_VAL,
     .doc = "period of the orbit in drive periods; 0: searched, up to 64"},
    {JD_KEY(jd_orbit_def, settle, DURATION), .unit = "s", .preset = 0, .low = 0, .high = HUGE_VAL,
     .doc = "time, or drive periods, simulated before the search for the orbit"},
    {JD_KEY(jd_orbit_def, work, INTEGER), .unit = "", .preset = 500000, .low = 1, .high = 1e9,
     .doc = "panels that the search may solve after `settle` with engine memory; then it ends as "
            "too-much-work"},
    {0}};

#define CURVE_NAME(symbol, name) name,
static const char *const curve_kinds[] = {JD_CURVE_LIST(CURVE_NAME) NULL};

static const char *const members[] = {"centred", "held", NULL};
static const char *const followed[] = {"orbits", "steady", NULL};
static const jd_param follow[] = {
    {JD_KEY(jd_follow_def, parameter, TEXT), .unit = "",
     .doc = "path of the number that is varied"},
    {JD_KEY(jd_follow_def, parameters, SHAPES), .unit = "factor",
     .doc = "instead of it: paths of several numbers and a factor each, {contacts.a.law.limit: 1, "
            "contacts.b.law.limit: 2}: they are varied together"},
    {JD_KEY(jd_follow_def, from, REAL), .unit = "*", .required = true,
     .doc = "where the branch begins"},
    {JD_KEY(jd_follow_def, to, REAL), .unit = "*", .required = true, .doc = "where it ends"},
    {JD_KEY(jd_follow_def, measure, TEXT), .unit = "",
     .doc = "what is recorded, such as tip.displacement.max; the first contact's "
            "largest displacement when left out"},
    {JD_KEY(jd_follow_def, also, TEXTS), .unit = "", .doc = "measures that are recorded beside it"},
    {JD_KEY(jd_follow_def, family, SHAPES), .unit = "*",
     .doc = "a path and a list of values, {contacts.tip.law.limit: [1, 2, 5]}: a branch for each, "
            "the curve through their peaks and its least value, the optimal damper"},
    {JD_KEY(jd_follow_def, functions, FORMULAS), .unit = "",
     .doc = "names, each with a formula of measures, `parameter` and `period`, in SI units: a zero "
            "of it is a special point"},
    {JD_KEY(jd_follow_def, stop, SHAPES), .unit = "measure",
     .doc = "a measure or a function and a value, {tip.displacement.max: 0.01}: the branch ends "
            "there"},
    {JD_KEY(jd_follow_def, of, CHOICE), .unit = "", .choices = followed,
     .doc = "what is followed: periodic orbits, or the steady slip of a closure model"},
    {JD_KEY(jd_follow_def, member, CHOICE), .unit = "", .choices = members,
     .doc = "where contacts rest that are stuck all along: centred, so that their largest force is "
            "as small as can be; held, as at the beginning and moved only where they have to"},
    {JD_KEY(jd_follow_def, flip, INTEGER), .unit = "", .preset = 0, .low = 0, .high = HUGE_VAL,
     .doc = "continue along the branch of doubled period at this flip of the branch; 0: do not"},
    {JD_KEY(jd_follow_def, step, REAL), .unit = "", .preset = 0.005, .low = 1e-6, .high = 1,
     .doc = "longest step, as a share of the way from `from` to `to`; below the default, "
            "bends are followed with shorter steps in the same proportion"},
    {JD_KEY(jd_follow_def, points, INTEGER), .unit = "", .preset = 20000, .low = 1, .high = 1e9,
     .doc = "most points of a branch"},
    {JD_KEY(jd_follow_def, curve, CHOICE), .unit = "", .choices = curve_kinds,
     .doc = "the first point of this kind on the branch is followed in two parameters"},
    {JD_KEY(jd_follow_def, second, TEXT), .unit = "",
     .doc = "with `curve`: path of the second number that is varied"},
    {JD_KEY(jd_follow_def, second_from, REAL), .unit = "*", .low = -HUGE_VAL, .high = HUGE_VAL,
     .doc = "its value on the branch, where the curve begins"},
    {JD_KEY(jd_follow_def, second_to, REAL), .unit = "*", .low = -HUGE_VAL, .high = HUGE_VAL,
     .doc = "where the curve ends"},
    {0}};

static const jd_param kernel[] = {
    {JD_KEY(jd_kernel_def, until, DURATION), .unit = "s", .preset = 0, .low = 0, .high = HUGE_VAL,
     .doc = "longest time τ of the kernels; 0: three periods of the lowest mode"},
    {JD_KEY(jd_kernel_def, points, INTEGER), .unit = "", .preset = 1201, .low = 2, .high = 1000000,
     .doc = "number of times τ, closer together near 0"},
    {JD_KEY(jd_kernel_def, modes, REALS), .unit = "", .low = 1, .high = 100000,
     .doc = "modes that carry W, one for each contact; left out: chosen by pivoted QR"},
    {JD_KEY(jd_kernel_def, resolved, REALS), .unit = "", .low = 1, .high = 100000,
     .doc = "the kernels of one contact without its lowest modes, for each of these numbers"},
    {0}};

static const char *const judging[] = {"auto", "yes", "no", NULL};

static const jd_param nsm[] = {
    {JD_KEY(jd_nsm_def, omega, REALS), .unit = "rad/s", .required = true, .low = 0,
     .high = HUGE_VAL,
     .doc = "window of angular frequencies in which branches start, [lowest, highest]"},
    {JD_KEY(jd_nsm_def, impacts, INTEGER), .unit = "", .preset = 1, .low = 1, .high = HUGE_VAL,
     .doc = "largest number of impacts per period of the families listed"},
    {JD_KEY(jd_nsm_def, phantoms, BOOLEAN), .unit = "",
     .doc = "also list solutions of the equations that pass "
            "through the stop"},
    {JD_KEY(jd_nsm_def, sustained, BOOLEAN), .unit = "",
     .doc = "also find the isolated orbits with sustained contact"},
    {JD_KEY(jd_nsm_def, stability, CHOICE), .unit = "", .choices = judging,
     .doc = "whether stability is judged; auto: up to 100 modes, and in passing (coarser proofs) "
            "above 40; yes: proved everywhere, without a limit of work"},
    {0}};

static const char *const settled_members[] = {"settled", "centred", NULL};
static const char *const directions[] = {"none", "up", "down", "both", NULL};

static const char *const methods[] = {"sobol", "latin-hypercube", "random", NULL};
static const jd_param sample[] = {
    {JD_KEY(jd_sample_def, method, CHOICE), .unit = "", .choices = methods,
     .doc = "how draws are spread: sobol (a Sobol sequence with a random shift, at most 21 "
            "numbers), latin-hypercube, or random (independent)"},
    {JD_KEY(jd_sample_def, points, INTEGER), .unit = "", .preset = 0, .low = 0, .high = 1000000,
     .doc = "number of draws; 0: nothing is drawn"},
    {JD_KEY(jd_sample_def, seed, INTEGER), .unit = "", .preset = 1, .low = 0, .high = 1e9,
     .doc = "another seed gives other draws, the same one the same"},
    {JD_KEY(jd_sample_def, parameters, DRAWS), .unit = "",
     .doc = "paths of the numbers that are drawn, each with {uniform: [from, to]}, {normal: [mean, "
            "standard deviation]} or {lognormal: [median, standard deviation of the logarithm]}"},
    {0}};
static const jd_type sample_type = {.name = "sample",
                                    .doc = "numbers of the model that are drawn at random",
                                    .def_size = sizeof(jd_sample_def),
                                    .params = sample};
static const jd_type *const sample_types[] = {&sample_type, NULL};

static const jd_param sweep[] = {
    {JD_KEY(jd_sweep_def, parameters, TEXTS), .unit = "",
     .doc = "paths of the one or two numbers that are varied; with `sample` one or none"},
    {JD_KEY(jd_sweep_def, from, REALS), .unit = "*", .doc = "first value of each"},
    {JD_KEY(jd_sweep_def, to, REALS), .unit = "*", .doc = "last value of each"},
    {JD_KEY(jd_sweep_def, points, REALS), .unit = "", .low = 1, .high = 1e9,
     .doc = "number of values of each"},
    {JD_KEY(jd_sweep_def, spacing, TEXTS), .unit = "",
     .doc = "linear or log (equal factors from value to value), for each parameter or one word for "
            "all; linear when left out"},
    {JD_KEY(jd_sweep_def, direction, CHOICE), .unit = "", .preset = JD_SWEEP_NONE,
     .choices = directions,
     .doc = "carry the motion along the first parameter: up (from "
            "`from` to `to`), down, or up and down again; none: "
            "every point from the start of the model"},
    {JD_KEY(jd_sweep_def, measure, TEXT), .unit = "",
     .doc = "what the amplitude is, such as tip.displacement.max; when left out the first "
            "contact's largest displacement, for a stop half of its range"},
    {JD_KEY(jd_sweep_def, settle, DURATION), .unit = "s", .preset = 0, .low = 0, .high = HUGE_VAL,
     .doc = "time, or drive periods, simulated at most at one point; "
            "0: 2000 periods, or as `orbit` says where nothing is periodic"},
    {JD_KEY(jd_sweep_def, tolerance, REAL), .unit = "", .preset = 1e-9, .low = 1e-13, .high = 1e-2,
     .doc = "relative change of the state from one return to the next "
            "that counts as settled where no orbit can be found"},
    {JD_KEY(jd_sweep_def, samples, INTEGER), .unit = "", .preset = 16, .low = 1, .high = 100000,
     .doc = "drive periods at whose start the motion is recorded"},
    {JD_KEY(jd_sweep_def, starts, INTEGER), .unit = "", .preset = 1, .low = 1, .high = 1000,
     .doc = "starts tried at each point: that of the model, then "
            "random ones; finds several settled motions at one point"},
    {JD_KEY(jd_sweep_def, seed, INTEGER), .unit = "", .preset = 1, .low = 0, .high = 1e9,
     .doc = "of the random starts"},
    {JD_KEY(jd_sweep_def, member, CHOICE), .unit = "", .choices = settled_members,
     .doc =
         "where contacts rest that are stuck all along: settled, where the motion from its start "
         "left them; centred, so that their largest force is as small as can be"},
    {JD_KEY(jd_sweep_def, beside, FORMULAS), .unit = "",
     .doc = "curves drawn and kept beside the points: names, each with a formula that gives the "
            "second parameter (with one parameter: the measure) over the first, in SI units"},
    {JD_KEY(jd_sweep_def, classes, FORMULAS), .unit = "",
     .doc = "kinds of motion: names, each with a condition on what is found at a point (settled, "
            "slips, events, period, ...); a point is of the first that holds"},
    {JD_KEY(jd_sweep_def, sample, GROUP), .unit = "", .types = sample_types,
     .doc = "numbers of the model that are drawn at random, for statistics"},
    {0}};

static const jd_param fit[] = {
    {JD_KEY(jd_fit_def, parameters, TEXTS), .unit = "", .required = true,
     .doc = "paths of the numbers that are fitted; the model's values are the first guess"},
    {JD_KEY(jd_fit_def, data, FILE), .unit = "", .required = true,
     .doc = "CSV file with a line of names: `t` and places (samples of one motion), or the path of "
            "a number and places (amplitudes over it); displacements, in SI when the model has "
            "units"},
    {JD_KEY(jd_fit_def, noise, REAL), .unit = "m", .preset = 0, .low = 0, .high = HUGE_VAL,
     .doc = "standard deviation of the data; 0: estimated from what the fit leaves over"},
    {JD_KEY(jd_fit_def, iterations, INTEGER), .unit = "", .preset = 100, .low = 1, .high = 10000,
     .doc = "of the optimiser, at most"},
    {JD_KEY(jd_fit_def, tolerance, REAL), .unit = "", .preset = 1e-8, .low = 1e-15, .high = 0.1,
     .doc = "relative change of the sum of squares, or of the numbers, that ends it"},
    {0}};

static const char *const spacings[] = {"log", "linear", NULL};
static const jd_param backbone[] = {
    {JD_KEY(jd_backbone_def, mode, INTEGER), .unit = "", .preset = 1, .low = 1, .high = 100000,
     .doc = "mode that the curve begins at, of the structure with its contacts stuck"},
    {JD_KEY(jd_backbone_def, at, TEXT), .unit = "",
     .doc = "contact or point whose amplitude counts; the first contact when left out"},
    {JD_KEY(jd_backbone_def, from, REAL), .unit = "m", .required = true, .low = 0, .above = true,
     .high = HUGE_VAL, .doc = "amplitude at which the curve begins"},
    {JD_KEY(jd_backbone_def, to, REAL), .unit = "m", .required = true, .low = 0, .above = true,
     .high = HUGE_VAL, .doc = "amplitude at which it ends"},
    {JD_KEY(jd_backbone_def, points, INTEGER), .unit = "", .preset = 60, .low = 2, .high = 100000,
     .doc = "number of points"},
    {JD_KEY(jd_backbone_def, spacing, CHOICE), .unit = "", .choices = spacings,
     .doc = "of the amplitudes: log (equal factors) or linear"},
    {0}};

static const jd_param field[] = {{JD_KEY(jd_field_def, every, DURATION), .unit = "s", .preset = 0,
                                  .low = 0, .high = HUGE_VAL,
                                  .doc = "time between fields; 0: none"},
                                 {0}};
static const jd_type field_type = {.name = "field",
                                   .doc = "motion along whole bodies and contacts",
                                   .def_size = sizeof(jd_field_def),
                                   .params = field};
static const jd_type *const field_types[] = {&field_type, NULL};

static const jd_param output[] = {
    {JD_KEY(jd_output_def, every, DURATION), .unit = "s", .preset = 0, .low = 0, .high = HUGE_VAL,
     .doc = "time between samples; 0: see per_period"},
    {JD_KEY(jd_output_def, per_period, INTEGER), .unit = "", .preset = 0, .low = 0,
     .high = HUGE_VAL, .doc = "samples per drive period; 0: none"},
    {JD_KEY(jd_output_def, points, TEXTS), .unit = "",
     .doc = "points to record; default: the points of all contacts and drives"},
    {JD_KEY(jd_output_def, field, GROUP), .unit = "", .types = field_types,
     .doc = "motion along whole bodies and contacts, streamed into the result file (-o)"},
    {0}};

static jd_status check_nsm(jd_context *context, const void *def) {
    const jd_nsm_def *d = def;
    if (d->omega.n != 2 || !(d->omega.value[0] < d->omega.value[1]))
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`omega` must be two frequencies, the lower one first");
    if (d->omega.value[0] > 0) return JD_OK;
    jd_fail(context, JD_OUT_OF_RANGE, "`omega` must begin above 0");
    jd_fail_hint(context, "branches start at subharmonics of every mode, infinitely many near 0: "
                          "give a lowest frequency");
    return JD_OUT_OF_RANGE;
}

static jd_status check_spacing(jd_context *context, const jd_sweep_def *d) {
    const jd_texts *t = &d->spacing;
    if (t->n > 1 && t->n != d->parameters.n)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`spacing` has %d words, but must have one, or one per parameter", t->n);
    for (int i = 0; i < t->n; i++)
        if (strcmp(t->text[i], "linear") && strcmp(t->text[i], "log"))
            return jd_fail(context, JD_UNKNOWN_NAME, "`spacing` is `%s`, but must be linear or log",
                           t->text[i]);
    for (int i = 0; i < d->parameters.n && t->n > 0; i++) {
        bool log = !strcmp(t->text[t->n > 1 ? i : 0], "log");
        if (log && !(d->from.value[i] > 0 && d->to.value[i] > 0))
            return jd_fail(context, JD_OUT_OF_RANGE,
                           "`from` and `to` must be above 0 where `spacing` is log");
    }
    return JD_OK;
}

// Parameters of a distribution that make sense.
static jd_status check_draw(jd_context *context, const jd_draw *d) {
    bool spread = d->distribution != JD_UNIFORM;
    if (!isfinite(d->a) || !isfinite(d->b))
        return jd_fail(context, JD_OUT_OF_RANGE, "the distribution of `%s` is not finite", d->path);
    if (spread && !(d->b > 0))
        return jd_fail(context, JD_OUT_OF_RANGE,
                       "the deviation of `%s` is %.10g, but must be above 0", d->path, d->b);
    if (d->distribution == JD_LOGNORMAL && !(d->a > 0))
        return jd_fail(context, JD_OUT_OF_RANGE, "the median of `%s` is %.10g, but must be above 0",
                       d->path, d->a);
    if (!spread && !(d->a < d->b))
        return jd_fail(context, JD_OUT_OF_RANGE,
                       "`%s` is drawn from %.10g to %.10g, but the first must be the smaller one",
                       d->path, d->a, d->b);
    return JD_OK;
}

static jd_status check_sample(jd_context *context, const jd_sweep_def *d) {
    enum { MOST_SOBOL = 21 };
    const jd_draws *list = &d->sample.parameters;
    if (list->n == 0)
        return jd_fail(context, JD_MISSING_KEY, "`sample` names no numbers that are drawn");
    if (d->sample.method == JD_SAMPLE_SOBOL && list->n > MOST_SOBOL) {
        jd_fail(context, JD_NOT_SUPPORTED, "a Sobol sequence draws at most %d numbers, not %d",
                MOST_SOBOL, list->n);
        jd_fail_hint(context, "method: latin-hypercube takes any number");
        return JD_NOT_SUPPORTED;
    }
    if (d->direction != JD_SWEEP_NONE || d->starts > 1)
        return jd_fail(context, JD_NOT_SUPPORTED,
                       "`sample` cannot stand beside `%s`: every draw begins at the model's start",
                       d->starts > 1 ? "starts" : "direction");
    if (d->beside.n > 0)
        return jd_fail(context, JD_NOT_SUPPORTED, "`sample` has no curves `beside`");
    for (int i = 0; i < list->n; i++) {
        JD_TRY(check_draw(context, &list->draw[i]));
        for (int k = 0; k < d->parameters.n; k++)
            if (!strcmp(d->parameters.text[k], list->draw[i].path))
                return jd_fail(context, JD_DUPLICATE_NAME, "`%s` is both drawn and swept",
                               list->draw[i].path);
    }
    return JD_OK;
}

// What is varied: one or two numbers, with a sample one or none.
static jd_status check_number(jd_context *context, const jd_sweep_def *d) {
    int n = d->parameters.n;
    bool drawn = d->sample.points > 0;
    if (drawn) JD_TRY(check_sample(context, d));
    if (!drawn && d->sample.parameters.n > 0)
        return jd_fail(context, JD_MISSING_KEY, "`sample` does not say how many `points` it has");
    if (n == 0 && !drawn) {
        jd_fail(context, JD_MISSING_KEY, "the key `parameters` is missing in `sweep`");
        jd_fail_hint(context, "`parameters`: paths of the one or two numbers that are varied; or "
                              "give `sample`");
        return JD_MISSING_KEY;
    }
    if (n > 2)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`parameters` names %d numbers, but a sweep varies one or two", n);
    if (drawn && n > 1)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`parameters` names %d numbers, but beside a `sample` only one is swept", n);
    return JD_OK;
}

static jd_status check_sweep(jd_context *context, const void *def) {
    const jd_sweep_def *d = def;
    int n = d->parameters.n;
    JD_TRY(check_number(context, d));
    if (d->from.n != n || d->to.n != n || d->points.n != n)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`from`, `to` and `points` must have %d value%s, one per parameter", n,
                       n == 1 ? "" : "s");
    if (d->starts > 1 && d->direction != JD_SWEEP_NONE)
        return jd_fail(context, JD_OUT_OF_RANGE,
                       "`starts` is %d, but must be 1 where `direction` carries the motion from "
                       "point to point",
                       d->starts);
    JD_TRY(check_spacing(context, d));
    for (int i = 0; i < n; i++)
        if (d->points.value[i] != floor(d->points.value[i]))
            return jd_fail(context, JD_OUT_OF_RANGE,
                           "`points` is %.10g, but must be a whole number", d->points.value[i]);
    return JD_OK;
}

static jd_status refuse_follow(jd_context *context, const char *key, const char *hint,
                               jd_status status) {
    jd_fail_where(context, "follow.%s", key);
    jd_fail_hint(context, "%s", hint);
    return status;
}

// One path with at least two values, each once.
static jd_status check_family(jd_context *context, const jd_follow_def *d) {
    static const char hint[] = "family: {contacts.tip.law.limit: [1, 2, 5]}";
    if (d->family.n == 0) return JD_OK;
    const jd_shape *f = &d->family.shape[0];
    jd_status status = JD_OK;
    if (d->family.n > 1)
        status = jd_fail(context, JD_SIZE_MISMATCH,
                         "`family` names %d numbers, but a family has one", d->family.n);
    else if (d->parameter && !strcmp(f->name, d->parameter))
        status = jd_fail(context, JD_BAD_ARGUMENT,
                         "`%s` is both the parameter and that of the family", f->name);
    else if (f->value.n < 2)
        status = jd_fail(context, JD_SIZE_MISMATCH, "`family` has %d value, but needs two or more",
                         f->value.n);
    else if (d->curve != JD_CURVE_NONE)
        status =
            jd_fail(context, JD_NOT_SUPPORTED, "`family` and `curve` cannot be asked for together");
    for (int i = 0; i < f->value.n && status == JD_OK; i++)
        for (int k = 0; k < i && status == JD_OK; k++)
            if (f->value.value[i] == f->value.value[k])
                status = jd_fail(context, JD_DUPLICATE_NAME, "`family` has the value %.10g twice",
                                 f->value.value[i]);
    return status == JD_OK ? JD_OK : refuse_follow(context, "family", hint, status);
}

static jd_status check_stop(jd_context *context, const jd_follow_def *d) {
    if (d->stop.n == 0 || (d->stop.n == 1 && d->stop.shape[0].value.n == 1)) return JD_OK;
    jd_status status =
        jd_fail(context, JD_SIZE_MISMATCH, "`stop` takes one measure and one value of it");
    return refuse_follow(context, "stop", "stop: {tip.displacement.max: 0.01}", status);
}

// One of both, and factors that are no lists.
static jd_status check_parameters(jd_context *context, const jd_follow_def *d) {
    static const char hint[] = "parameters: {contacts.a.law.limit: 1, contacts.b.law.limit: 2}";
    bool one = d->parameter && *d->parameter, many = d->parameters.n > 0;
    if (!one && !many)
        return refuse_follow(context, "parameter", "parameter: contacts.tip.law.limit",
                             jd_fail(context, JD_MISSING_KEY,
                                     "`parameter` is missing: it names the number that is varied"));
    if (one && many)
        return refuse_follow(context, "parameters", hint,
                             jd_fail(context, JD_BAD_ARGUMENT,
                                     "`parameter` and `parameters` are both given, but one of them "
                                     "says what is varied"));
    for (int i = 0; i < d->parameters.n; i++)
        if (d->parameters.shape[i].value.n != 1)
            return refuse_follow(context, "parameters", hint,
                                 jd_fail(context, JD_SIZE_MISMATCH,
                                         "`parameters` has %d factors for `%s`, but takes one",
                                         d->parameters.shape[i].value.n,
                                         d->parameters.shape[i].name));
    return JD_OK;
}

static jd_status check_follow(jd_context *context, const void *def) {
    const jd_follow_def *d = def;
    JD_TRY(check_parameters(context, d));
    JD_TRY(check_family(context, d));
    JD_TRY(check_stop(context, d));
    bool second = d->second && *d->second;
    if (d->from == d->to)
        return jd_fail(context, JD_OUT_OF_RANGE, "`from` and `to` are both %.10g, but must differ",
                       d->from);
    if (d->curve != JD_CURVE_NONE && !second)
        return jd_fail(context, JD_MISSING_KEY,
                       "`second` is missing: with `curve` it names the second parameter");
    if (d->curve == JD_CURVE_NONE && second)
        return jd_fail(context, JD_MISSING_KEY,
                       "`second` is given, but `curve` is missing: it names the kind of special "
                       "point to follow");
    if (d->curve == JD_CURVE_NONE || d->second_from != d->second_to) return JD_OK;
    return jd_fail(context, JD_OUT_OF_RANGE,
                   "`second_from` and `second_to` are both %.10g, but must differ", d->second_from);
}

static jd_status check_fit(jd_context *context, const void *def) {
    const jd_fit_def *d = def;
    for (int i = 0; i < d->parameters.n; i++)
        for (int j = 0; j < i; j++)
            if (!strcmp(d->parameters.text[i], d->parameters.text[j]))
                return jd_fail(context, JD_DUPLICATE_NAME, "`parameters` names `%s` twice",
                               d->parameters.text[i]);
    return JD_OK;
}

static jd_status check_backbone(jd_context *context, const void *def) {
    const jd_backbone_def *d = def;
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
                .doc = "nonsmooth modes: periodic orbits of a structure with an elastic stop",
                .def_size = sizeof(jd_nsm_def),
                .params = nsm,
                .check = check_nsm},
    [JD_KERNEL] = {.name = "kernel",
                   .doc = "memory kernels of a structure at its contacts",
                   .def_size = sizeof(jd_kernel_def),
                   .params = kernel},
    [JD_SWEEP] = {.name = "sweep",
                  .doc = "settled motion on a grid of parameters",
                  .def_size = sizeof(jd_sweep_def),
                  .params = sweep,
                  .check = check_sweep},
    [JD_FIT] = {.name = "fit",
                .doc = "numbers of the model from measured displacements",
                .def_size = sizeof(jd_fit_def),
                .params = fit,
                .check = check_fit},
    [JD_BACKBONE] = {.name = "backbone",
                     .doc = "frequency and damping of a mode over its amplitude",
                     .def_size = sizeof(jd_backbone_def),
                     .params = backbone,
                     .check = check_backbone},
    [JD_OUTPUT] = {.name = "output",
                   .doc = "what is sampled and kept",
                   .def_size = sizeof(jd_output_def),
                   .params = output},
};
