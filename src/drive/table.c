// table.c -- piecewise linear in time, from a CSV file of two columns or from lists.
//   0 before the first time, constant after the last one.
#include <math.h>

#include "base/fail.h"
#include "drive/kind.h"

static const jd_param params[] = {
    JD_DRIVE_PLACE_PARAMS(jd_drive_table_def),
    {JD_KEY(jd_drive_table_def, file, FILE), .unit = "",
     .doc = "CSV file of two columns, time and value (in SI when the model has units);"
            " or give the two lists"},
    {JD_KEY(jd_drive_table_def, time, REALS), .unit = "s", .low = 0, .high = HUGE_VAL,
     .doc = "ascending times"},
    {JD_KEY(jd_drive_table_def, value, REALS), .unit = JD_DRIVE_UNIT, .doc = "value at each time"},
    {JD_KEY(jd_drive_table_def, scale, REAL), .unit = "", .preset = 1, .low = -HUGE_VAL,
     .high = HUGE_VAL, .doc = "factor of every value: 9.80665 where a file is in g"},
    {0}};

static jd_status check_lists(jd_context *context, const jd_drive_table_def *d) {
    if (d->time.n != d->value.n)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`time` has %d values and `value` has %d, but must have as many", d->time.n,
                       d->value.n);
    for (int i = 1; i < d->time.n; i++)
        if (!(d->time.value[i] > d->time.value[i - 1]))
            return jd_fail(context, JD_OUT_OF_RANGE,
                           "`time` must ascend, but value %d is %.10g after %.10g", i + 1,
                           d->time.value[i], d->time.value[i - 1]);
    return JD_OK;
}

static jd_status check(jd_context *context, const void *def) {
    const jd_drive_table_def *d = def;
    JD_TRY(jd_drive_check_place(context, def));
    if (!d->file && d->time.n == 0)
        return jd_fail(context, JD_MISSING_KEY, "a table needs `file`, or `time` and `value`");
    if (d->file && d->time.n + d->value.n > 0)
        return jd_fail(context, JD_BAD_ARGUMENT,
                       "a table takes `file`, or `time` and `value`, but not both");
    if (d->scale == 0) return jd_fail(context, JD_OUT_OF_RANGE, "`scale` is 0: nothing would act");
    return check_lists(context, d);
}

const jd_type jd_drive_table = {.name = "table",
                                .doc = "piecewise linear, from a file or a list",
                                .def_size = sizeof(jd_drive_table_def),
                                .params = params,
                                .check = check};
