// damped.c -- placeholder
#include "engine/wave/wave.h"
jd_status damper_create(march *m) {
    (void)m;
    return JD_OK;
}
void damper_step(march *m) { (void)m; }
