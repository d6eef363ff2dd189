// drive.c -- the list of drives, and what they share.
#include <math.h>

#include "base/fail.h"
#include "base/param_tools.h"
#include "drive/kind.h"

const char *const jd_drive_of_choices[] = {"force", "base", NULL};

static jd_status check_profile(jd_context *context, const void *def) {
    return jd_profile_check(context, def);
}

static const jd_param profile_params[] = {{JD_KEY(jd_profile, at, REALS), .unit = "m", .low = 0,
                                           .high = HUGE_VAL,
                                           .doc = "distances from the beginning of the span"},
                                          {JD_KEY(jd_profile, factor, REALS), .unit = "",
                                           .doc = "the load there is that of the drive times this"},
                                          {0}};
static const jd_type profile_type = {.name = "profile",
                                     .doc = "how a load varies along a span, piecewise linear",
                                     .def_size = sizeof(jd_profile),
                                     .params = profile_params,
                                     .check = check_profile};
const jd_type *const jd_drive_profile[] = {&profile_type, NULL};

#define KIND(name, definition) &jd_drive_##name,
static const jd_type *const kinds[] = {JD_DRIVES(KIND) NULL};

const jd_type *const *jd_drive_types(void) { return kinds; }

#define COMMON_HEAD(name, definition)                                                              \
    _Static_assert(offsetof(jd_##definition##_def, profile) == offsetof(jd_drive_place, profile),  \
                   #name);
JD_DRIVES(COMMON_HEAD)

jd_status jd_drive_check_place(jd_context *context, const void *def) {
    const jd_drive_place *d = def;
    bool span = d->of != JD_DRIVE_BASE && !d->at.point && d->at.from != d->at.to;
    if (d->profile.at.n > 0 && !span) {
        jd_fail(context, JD_OUT_OF_RANGE,
                "`profile` is given, but the drive does not act along a span");
        jd_fail_hint(context,
                     "write `at: {body: pile, span: [0 m, 10 m]}`, or leave out `profile`");
        return JD_OUT_OF_RANGE;
    }
    if (d->profile.at.n > 0)
        JD_TRY(jd_profile_within(context, &d->profile, fabs(d->at.to - d->at.from)));
    if (d->of == JD_DRIVE_BASE || d->at.point || span) return JD_OK;
    jd_fail(context, JD_MISSING_KEY, "a drive needs `at`, the point its force acts on");
    jd_fail_hint(context,
                 "name a point of the structure, or write `of: base` to drive its supports");
    return JD_MISSING_KEY;
}
