// fitted.c -- infinitely many modes as channels.
#include "base/fail.h"
#include "engine/memory/memory.h"

jd_status channels_fitted(memory *e) {
    return jd_fail(e->run->context, JD_NOT_SUPPORTED, "not yet");
}
