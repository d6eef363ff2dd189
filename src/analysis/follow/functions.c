// functions.c -- functions of measures: `tip.force.max - 2*tip.velocity.amplitude`, with the
// variables `parameter` and `period`, by muParser.
//   Measures become variables m0, m1, ... of the formula: muParser has no names with dots. A name
//   with a hyphen (left-end.force.max) is told from a difference by what the model knows.
//   A zero between two neighbours of one string: secants with halving (Illinois) on orbits between
//   them; error of the parameter: what the residual leaves open, and rounding of the function.
#include "analysis/follow/functions.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "problem/parts.h"

enum { HALVINGS = 60 };
static const double there = 1e-13;    // of the larger value at the two ends
static const double rounding = 1e-15; // of the values a function is the difference of

bool jd_function_is(const char *text) { return strpbrk(text, " +*/()^") != NULL; }

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

// Length of the measure at the beginning of `text`, up to the end of its third word from the last;
// 0: none.
static size_t measure_length(const char *text) {
    static const char *const ends[] = {".max", ".min", ".amplitude", ".rms", ".lost"};
    size_t run = 0;
    while (is_word(text[run]) || text[run] == '-') run++;
    for (size_t n = 1; n <= run; n++) {
        if (n < run && is_word(text[n])) continue;
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            size_t size = strlen(ends[k]);
            if (n > size && !strncmp(text + n - size, ends[k], size)) return n;
        }
    }
    return 0;
}

jd_status jd_measure_find(measure_list *l, const char *key, const char *text, int *index) {
    for (*index = 0; *index < l->n; ++*index)
        if (!strcmp(l->of[*index].text, text)) return JD_OK;
    if (l->n == MOST_MEASURES)
        return jd_fail(jd_arena_context(l->arena), JD_SIZE_MISMATCH,
                       "more than %d measures are recorded", MOST_MEASURES);
    return jd_measure_read(l->arena, l->problem, key, text, &l->of[l->n++]);
}

// The longest part of text[0..n) that ends there and is a measure: all of it, or what follows one
// of its hyphens. *skip: what stands before it.
static jd_status read_word(measure_list *l, const char *key, const char *text, size_t n,
                           size_t *skip, int *index) {
    jd_context *context = jd_arena_context(l->arena);
    for (*skip = 0;;) {
        const char *word = jd_arena_format(l->arena, "%.*s", (int)(n - *skip), text + *skip);
        JD_TRY(jd_arena_status(l->arena));
        int known = l->n;
        jd_status status = jd_measure_find(l, key, word, index);
        const char *hyphen = memchr(text + *skip, '-', n - *skip);
        if (status == JD_OK || !hyphen) return status;
        l->n = known;
        jd_context_clear_error(context);
        *skip = (size_t)(hyphen - text) + 1;
    }
}

// What stands between measures: kept as it is.
static size_t plain_length(const char *text) {
    size_t n = 0;
    if (!is_word(*text)) return 1;
    while (is_word(text[n])) n++;
    return n;
}

jd_status jd_function_read(measure_list *l, const char *key, const char *text, const char **out) {
    const char *made = "";
    while (*text && made) {
        size_t n = isalpha((unsigned char)*text) || *text == '_' ? measure_length(text) : 0, skip;
        int index;
        if (n == 0) {
            n = plain_length(text);
            made = jd_arena_format(l->arena, "%s%.*s", made, (int)n, text);
        } else {
            JD_TRY(read_word(l, key, text, n, &skip, &index));
            made = jd_arena_format(l->arena, "%s%.*sm%d", made, (int)skip, text, index);
        }
        text += n;
    }
    *out = made;
    return jd_arena_status(l->arena);
}

jd_status jd_function_open(curve *c, const char *key, const char *text, const char *read,
                           jd_expression **out) {
    int n = c->seen.measures.n;
    const char **name = JD_TAKE(c->arena, const char *, n + 2);
    double **at = JD_TAKE(c->arena, double *, n + 2);
    JD_TRY(jd_arena_status(c->arena));
    for (int i = 0; i < n; i++) {
        name[i] = jd_arena_format(c->arena, "m%d", i);
        at[i] = &c->seen.measures.value[i];
    }
    name[n] = "parameter", at[n] = &c->seen.lambda;
    name[n + 1] = "period", at[n + 1] = &c->seen.period;
    JD_TRY(jd_arena_status(c->arena));
    jd_status status = jd_expression_create(c->arena, read, n + 2, name, (double *const *)at, out);
    if (status == JD_OK || status == JD_OUT_OF_MEMORY) return status;
    jd_context_clear_error(c->context);
    jd_fail(c->context, status, "the formula `%s` is not understood", text);
    jd_fail_where(c->context, "%s", key);
    jd_fail_hint(c->context, "known: measures (tip.displacement.max), `parameter`, `period`, "
                             "+ - * / ^ ( ), sin cos exp sqrt abs ...; names of measures with "
                             "letters, digits, _ and -");
    return status;
}

jd_status jd_recorded_zero(jd_follow *f, const place *a, const place *b, int i, double value,
                           double *error, bool *found) {
    double ga = a->also[i] - value, gb = b->also[i] - value, low = 0, high = 1, gl = ga, gh = gb,
           g = gb, size = fmax(fabs(ga), fabs(gb)), theta = 1;
    double round_off = rounding * (fabs(value) + fmax(fabs(a->also[i]), fabs(b->also[i])));
    *found = false;
    for (int k = 0, side = 0; k < HALVINGS; k++) {
        bool solved;
        double last = theta;
        theta = low + (high - low) * gl / (gl - gh);
        if (*found && (theta == last || high - low < 1e-15)) break;
        JD_TRY(jd_branch_between(f, a, b, theta, &f->at.middle, &solved));
        if (!solved) break;
        *found = true;
        g = f->at.middle.also[i] - value;
        if (fabs(g) <= fmax(there * size, round_off)) break;
        bool lower = g * ga > 0;
        if (lower && side == 1) gh /= 2;
        if (!lower && side == -1) gl /= 2;
        *(lower ? &low : &high) = theta;
        *(lower ? &gl : &gh) = g;
        side = lower ? 1 : -1;
    }
    *found = *found && fabs(g) < 1e-3 * size; // else it jumps there, or has a pole
    if (!*found) return JD_OK;
    double way = fabs(b->point.parameter - a->point.parameter);
    *error = jd_branch_blur(f, &f->at.middle) + way * (fabs(g) + round_off) / fabs(gb - ga);
    return JD_OK;
}

// A zero of function k at f->at.middle, between a and b.
static jd_status list_zero(jd_follow *f, const place *a, const place *b, int k, double error) {
    const curve *c = &f->curve;
    place at = f->at.middle;
    at.point.stable = a->point.stable;
    at.point.undecided = a->point.undecided;
    if (!f->at.marked) f->list.marked_function = k;
    JD_TRY(jd_branch_add_special(f, JD_SPECIAL_FUNCTION, &at, b, error, false, NULL));
    jd_special *s = &f->list.special[f->view.n_special - 1];
    s->before = s->after = a->point.phases;
    s->name = c->seen.functions.formula[k].name;
    return JD_OK;
}

static jd_status find_zero(jd_follow *f, const place *a, const place *b, int k) {
    double error;
    bool found;
    JD_TRY(jd_recorded_zero(f, a, b, f->curve.seen.n_also + k, 0, &error, &found));
    return found ? list_zero(f, a, b, k, error) : JD_OK;
}

static jd_status find_double_zero(jd_follow *f, const place *a, const place *b, int k) {
    place *middle = &f->at.trend[0];
    double error;
    jd_dip dip;
    JD_TRY(jd_function_dip(f, a, b, f->curve.seen.n_also + k, &dip, &error));
    if (dip == JD_DIP_TOUCHES) return list_zero(f, a, b, k, error);
    if (dip == JD_DIP_NONE) return JD_OK;
    jd_place_copy(&f->curve, &f->at.middle, middle);
    JD_TRY(find_zero(f, a, middle, k));
    return find_zero(f, middle, b, k);
}

jd_status jd_branch_functions(jd_follow *f, const place *a, const place *b) {
    for (int k = 0; k < f->curve.seen.n_function; k++) {
        double ga = a->also[f->curve.seen.n_also + k], gb = b->also[f->curve.seen.n_also + k];
        if (!isfinite(ga) || !isfinite(gb)) continue; // 0/0, or a pole
        if (ga * gb < 0 || (ga != 0 && gb == 0))
            JD_TRY(find_zero(f, a, b, k));
        else
            JD_TRY(find_double_zero(f, a, b, k));
    }
    return JD_OK;
}

jd_status jd_functions_check(jd_problem *problem, const jd_formulas *functions,
                             const jd_shapes *stop) {
    measure_list l = {.arena = problem->arena, .problem = problem};
    const char *read, *name = stop->n > 0 ? stop->shape[0].name : NULL;
    for (int i = 0; i < functions->n; i++) {
        JD_TRY(jd_function_read(&l, "follow.functions", functions->formula[i].text, &read));
        if (name && !strcmp(name, functions->formula[i].name)) name = NULL;
    }
    if (!name) return JD_OK;
    if (jd_function_is(name)) return jd_function_read(&l, "follow.stop", name, &read);
    return jd_measure_read(l.arena, problem, "follow.stop", name, &l.of[0]);
}

jd_status jd_functions_refuse(const jd_follow *f) {
    bool functions = f->options.functions.n > 0;
    if (!functions && f->options.stop.n == 0) return JD_OK;
    jd_fail(f->context, JD_NOT_SUPPORTED,
            "`%s` is found on branches of orbits that are computed from event to event, which this "
            "one is not",
            functions ? "functions" : "stop");
    jd_fail_where(f->context, "follow.%s", functions ? "functions" : "stop");
    return JD_NOT_SUPPORTED;
}
