// seek_times.c -- the times of a search: period of the drives, how long to settle, and whether
// everything that depends on time repeats after that period.
#include <math.h>
#include <string.h>

#include "analysis/orbit/seek.h"
#include "base/constants.h"
#include "drive/kind.h"
#include "problem/parts.h"

static const double default_settle = 100; // drive periods, where the model says nothing

static jd_status fail_drive(const jd_seek *k, const jd_object *d, double period) {
    if (!jd_drive_frequency(d))
        jd_fail(k->context, JD_NOT_SUPPORTED, "drive `%s` (%s) does not repeat", d->name,
                d->type->name);
    else
        jd_fail(k->context, JD_NOT_SUPPORTED, "drive `%s` does not repeat after %.9g%s", d->name,
                period, jd_problem_is_si(k->problem) ? " s" : "");
    jd_fail_where(k->context, "drives.%s", d->name);
    jd_fail_hint(
        k->context,
        "periodic orbits need harmonic, travelling or constant drives with a common period; "
        "`orbit.periods` may make it longer");
    return JD_NOT_SUPPORTED;
}

// All drives must repeat: those that swing with a whole number of cycles, and constants.
static jd_status check_drives(const jd_seek *k, double period) {
    for (int i = 0; i < jd_problem_drives(k->problem); i++) {
        const jd_object *d = jd_problem_drive(k->problem, i);
        if (!strcmp(d->type->name, "constant")) continue;
        double cycles = jd_problem_drive_frequency(k->problem, i) * period / JD_TWO_PI;
        if (jd_drive_frequency(d) && fabs(cycles - round(cycles)) < 1e-9 * cycles) continue;
        return fail_drive(k, d, period);
    }
    return JD_OK;
}

// So must limits that swing.
static jd_status check_swings(const jd_seek *k, double period) {
    for (int j = 0; j < jd_problem_contacts(k->problem); j++) {
        double cycles = jd_problem_swing(k->problem, j) * period / JD_TWO_PI;
        if (fabs(cycles - round(cycles)) <= 1e-9 * cycles) continue;
        const char *name = jd_problem_contact(k->problem, j)->name;
        jd_fail(k->context, JD_NOT_SUPPORTED,
                "the limit of contact `%s` does not repeat after %.9g%s", name, period,
                jd_problem_is_si(k->problem) ? " s" : "");
        jd_fail_where(k->context, "contacts.%s.law.limit", name);
        jd_fail_hint(k->context, "limits and drives need a common period; `orbit.periods` may make "
                                 "it longer");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

static jd_status fail_model(const jd_seek *k, double period) {
    if (isnan(period))
        jd_fail(k->context, JD_NOT_SUPPORTED,
                "the model depends on time by itself, and nothing says after what time it repeats");
    else
        jd_fail(
            k->context, JD_NOT_SUPPORTED,
            "the model repeats after %.9g, which the period %.9g of the drives is no multiple of",
            period, k->plan.drive);
    jd_fail_where(k->context, "structure");
    jd_fail_hint(k->context, "`period` tells when `r` repeats: `period: 2*_pi/w`");
    return JD_NOT_SUPPORTED;
}

// So must models that depend on time by themselves.
static jd_status check_models(const jd_seek *k, double period) {
    for (int i = 0; i < jd_problem_bodies(k->problem); i++) {
        double own = jd_problem_structure(k->problem, i)->period;
        if (own == 0) continue;
        double cycles = period / own;
        if (!(fabs(cycles - round(cycles)) < 1e-9 * cycles)) return fail_model(k, own);
    }
    return JD_OK;
}

jd_status jd_seek_times(jd_seek *k) {
    bool given;
    const jd_orbit_def *def = jd_problem_section(k->problem, JD_ORBIT, &given);
    k->plan.drive = jd_problem_period(k->problem);
    k->plan.asked = k->options.periods == 0 ? def->periods : k->options.periods;
    if (k->plan.asked < 0) k->plan.asked = 0;
    if (k->plan.drive > 0 || jd_problem_drives(k->problem) > 0)
        JD_TRY(check_drives(k, (k->plan.asked ? k->plan.asked : 1) * k->plan.drive));
    JD_TRY(check_swings(k, (k->plan.asked ? k->plan.asked : 1) * k->plan.drive));
    JD_TRY(check_models(k, (k->plan.asked ? k->plan.asked : 1) * k->plan.drive));
    k->plan.settle = k->options.settle;
    if (k->plan.settle >= 0) return JD_OK;
    if (k->options.state)
        k->plan.settle = 0;
    else if (given)
        return jd_problem_duration(k->problem, &def->settle, &k->plan.settle);
    else
        k->plan.settle = default_settle * k->plan.drive;
    return JD_OK;
}
