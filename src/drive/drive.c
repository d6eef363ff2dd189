// drive.c -- the list of drives, and what they share.
#include "base/fail.h"
#include "drive/kind.h"

const char *const jd_drive_of_choices[] = {"force", "base", NULL};

#define KIND(name, definition) &jd_drive_##name,
static const jd_type *const kinds[] = {JD_DRIVES(KIND) NULL};

const jd_type *const *jd_drive_types(void) { return kinds; }

#define COMMON_HEAD(name, definition)                                                              \
    _Static_assert(offsetof(jd_##definition##_def, of) == offsetof(jd_drive_place, of), #name);
JD_DRIVES(COMMON_HEAD)

jd_status jd_drive_check_place(jd_context *context, const void *def) {
    const jd_drive_place *d = def;
    if (d->of == JD_DRIVE_BASE || d->at.point || d->at.from != d->at.to) return JD_OK;
    jd_fail(context, JD_MISSING_KEY, "a drive needs `at`, the point its force acts on");
    jd_fail_hint(context,
                 "name a point of the structure, or write `of: base` to drive its supports");
    return JD_MISSING_KEY;
}
