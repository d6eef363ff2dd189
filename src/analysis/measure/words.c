// words.c -- `tip.displacement.max` read: a contact or a point, a quantity, what is taken of it.
#include <string.h>

#include "analysis/measure/measure.h"
#include "judder/follow.h"
#include "problem/system.h"

static const char *const quantities[] = {"displacement", "velocity", "force",
                                         "impact",       "energy",   NULL};
static const char *const kinds[] = {"max", "min", "amplitude", "rms", "lost", "set", NULL};

static int find(const char *word, const char *const *list) {
    for (int i = 0; list[i]; i++)
        if (!strcmp(word, list[i])) return i;
    return -1;
}

static jd_status refuse(jd_arena *arena, const char *key, const char *text, const char *why) {
    jd_context *context = jd_arena_context(arena);
    jd_fail(context, JD_UNKNOWN_NAME, "`%s` is not a measure%s", text, why);
    jd_fail_where(context, "%s", key);
    jd_fail_hint(context, "a contact or point, then displacement or velocity, of contacts also "
                          "force or impact, then max, min, amplitude or rms: "
                          "tip.displacement.max; or the energy a contact loses in a period: "
                          "tip.energy.lost; or how far a rod goes on in it: "
                          "tip.displacement.set");
    return JD_UNKNOWN_NAME;
}

jd_status jd_measure_no_set(jd_context *context, const char *key) {
    jd_fail(context, JD_NOT_SUPPORTED,
            "a periodic motion comes back to where it began: it has no set per period");
    jd_fail_where(context, "%s", key);
    jd_fail_hint(context, "sweeps of engine `wave` record it");
    return JD_NOT_SUPPORTED;
}

// Splits off the word after the last dot.
static char *last_word(char *text) {
    char *dot = strrchr(text, '.');
    if (!dot) return NULL;
    *dot = 0;
    return dot + 1;
}

static int find_contact(const jd_problem *p, const char *name) {
    for (int i = 0; i < jd_problem_contacts(p); i++)
        if (!strcmp(jd_problem_contact(p, i)->name, name)) return i;
    return -1;
}

// Words that do not go together.
static const char *mismatch(const jd_measure *m) {
    bool lost = m->kind == JD_MEASURE_LOST, energy = m->quantity == JD_MEASURE_ENERGY;
    if (m->kind == JD_MEASURE_SET && (m->quantity != JD_MEASURE_DISPLACEMENT || m->contact >= 0))
        return ": only the displacement of a point has a `set`";
    if (energy && !lost) return ": of energy, `lost` is known";
    if (lost && !energy) return ": only energy can be `lost`";
    if (m->quantity == JD_MEASURE_IMPACT && m->kind == JD_MEASURE_RMS)
        return ": impacts have no mean square over time";
    if (m->contact < 0 && m->quantity > JD_MEASURE_VELOCITY)
        return ": a point has neither force nor impacts nor losses, contacts have";
    return NULL;
}

jd_status jd_measure_read(jd_arena *arena, jd_problem *problem, const char *key, const char *text,
                          jd_measure *out) {
    *out = (jd_measure){.contact = -1, .text = jd_arena_text(arena, text)};
    char *name = jd_arena_text(arena, text);
    JD_TRY(jd_arena_status(arena));
    char *kind = last_word(name), *quantity = kind ? last_word(name) : NULL;
    int k = quantity ? find(kind, kinds) : -1, q = quantity ? find(quantity, quantities) : -1;
    if (k < 0 || q < 0) return refuse(arena, key, text, "");
    out->kind = (jd_measure_kind)k;
    out->quantity = (jd_measure_quantity)q;
    out->contact = find_contact(problem, name);
    out->point = name;
    const char *why = mismatch(out);
    if (why) return refuse(arena, key, text, why);
    if (out->contact >= 0) return JD_OK;
    jd_arena_mark mark = jd_arena_here(arena);
    jd_dd *row = JD_TAKE(arena, jd_dd, jd_problem_system(problem)->modal.n);
    JD_TRY(jd_arena_status(arena));
    jd_status status = jd_problem_row(problem, name, row);
    jd_arena_back(arena, mark);
    if (status != JD_OK) jd_fail_where(jd_arena_context(arena), "%s", key);
    return status;
}

const char *jd_measure_unit(const char *text) {
    if (strpbrk(text, " +*/()^") || !strchr(text, '.')) return ""; // a formula, or its name
    return strstr(text, ".force.")                                  ? "N"
           : strstr(text, ".energy.")                               ? "J"
           : strstr(text, ".velocity.") || strstr(text, ".impact.") ? "m/s"
                                                                    : "m";
}
