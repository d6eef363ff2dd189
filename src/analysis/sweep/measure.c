// measure.c -- `tip.displacement.max`: which extreme of which quantity of which contact.
#include <stdio.h>
#include <string.h>

#include "analysis/sweep/parts.h"
#include "contact/law.h"

static const char *const quantities[] = {"displacement", "velocity", "force"};
static const char *const extremes[] = {"max", "min", "amplitude"};
enum { QUANTITIES = 3, EXTREMES = 3 };

static int position(const char *word, int n, const char *const *list) {
    for (int i = 0; i < n; i++)
        if (!strcmp(word, list[i])) return i;
    return -1;
}

static jd_status refuse(jd_context *context, const jd_problem *p, const char *text) {
    jd_fail(context, JD_UNKNOWN_NAME, "`measure` cannot be `%s`", text);
    jd_fail_where(context, "sweep.measure");
    jd_fail_hint(context,
                 "write a contact, displacement, velocity or force, and max, min or amplitude: "
                 "`%s.displacement.max`",
                 jd_problem_contact(p, 0)->name);
    return JD_UNKNOWN_NAME;
}

jd_status jd_sweep_measure_read(jd_context *context, const jd_problem *p, const char *text,
                                sweep_measure *out) {
    *out = (sweep_measure){0};
    if (jd_problem_contacts(p) == 0) {
        jd_fail(context, JD_NOT_SUPPORTED, "a sweep records a contact, and the model has none");
        jd_fail_hint(context, "add one under `contacts`, with a stop far away if need be");
        return JD_NOT_SUPPORTED;
    }
    const jd_contact_def *first = jd_problem_contact(p, 0)->def;
    if (!text && jd_law_stop_of(&first->law)) out->extreme = MEASURE_AMPLITUDE; // max is the gap
    if (!text) return JD_OK;
    char contact[128], quantity[32], extreme[32], rest;
    if (sscanf(text, "%127[^.].%31[^.].%31[^.]%c", contact, quantity, extreme, &rest) != 3)
        return refuse(context, p, text);
    int q = position(quantity, QUANTITIES, quantities), e = position(extreme, EXTREMES, extremes);
    out->contact = -1;
    for (int j = 0; j < jd_problem_contacts(p); j++)
        if (!strcmp(contact, jd_problem_contact(p, j)->name)) out->contact = j;
    if (out->contact < 0 || q < 0 || e < 0) return refuse(context, p, text);
    out->quantity = q;
    out->extreme = e;
    return JD_OK;
}

const char *jd_sweep_measure_text(jd_arena *arena, const jd_problem *p, const sweep_measure *m) {
    return jd_arena_format(arena, "%s.%s.%s", jd_problem_contact(p, m->contact)->name,
                           quantities[m->quantity], extremes[m->extreme]);
}

double jd_sweep_measure_of(const sweep_measure *m, const jd_contact_ranges *ranges, double *min,
                           double *max) {
    const jd_contact_ranges *r = &ranges[m->contact];
    const jd_range *range = m->quantity == MEASURE_DISPLACEMENT ? &r->displacement
                            : m->quantity == MEASURE_VELOCITY   ? &r->velocity
                                                                : &r->force;
    *min = range->min;
    *max = range->max;
    if (m->extreme == MEASURE_AMPLITUDE) return (*max - *min) / 2;
    return m->extreme == MEASURE_MIN ? *min : *max;
}
