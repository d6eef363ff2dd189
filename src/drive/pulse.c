// pulse.c -- amplitude on [start, start + duration], 0 outside; a rectangle or half a sine.
//   Repeated: the same again at start + k every, k = 1 .. repeat - 1.
#include "base/fail.h"
#include "drive/kind.h"

static const char *const shapes[] = {"rectangle", "half-sine", NULL};

static const jd_param params[] = {
    JD_DRIVE_PLACE_PARAMS(jd_pulse_def),
    {JD_KEY(jd_pulse_def, shape, CHOICE), .unit = "", .choices = shapes,
     .doc = "rectangle, or half-sine that begins and ends at 0"},
    {JD_KEY(jd_pulse_def, amplitude, REAL), .unit = JD_DRIVE_UNIT, .required = true,
     .doc = "largest value"},
    JD_DRIVE_TIME_PARAMS(jd_pulse_def, "how long it lasts"),
    {JD_KEY(jd_pulse_def, repeat, INTEGER), .unit = "", .preset = 1, .low = 0, .high = 1e9,
     .doc = "number of blows; 0 and 1: one"},
    {JD_KEY(jd_pulse_def, every, REAL), .unit = "s", .low = 0, .high = HUGE_VAL,
     .doc = "time from one blow to the next, at least `duration`"},
    {0}};

static jd_status check(jd_context *context, const void *def) {
    const jd_pulse_def *d = def;
    JD_TRY(jd_drive_check_place(context, def));
    if (d->repeat <= 1 || d->every >= d->duration) return JD_OK;
    jd_fail(context, JD_OUT_OF_RANGE,
            "`every` is %.10g, but must be at least `duration`, which is %.10g", d->every,
            d->duration);
    jd_fail_hint(context,
                 "`every` is the time from the start of one blow to the start of the next");
    return JD_OUT_OF_RANGE;
}

const jd_type jd_drive_pulse = {.name = "pulse",
                                .doc = "one blow or a series: a rectangle or half a sine",
                                .def_size = sizeof(jd_pulse_def),
                                .params = params,
                                .check = check};
