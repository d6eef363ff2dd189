// past.c -- a string that remembers all of its force, equation (28): the force is a sum of drives
// known for all times, so that what the memory holds is a function of time and wave speed.
#include <math.h>

#include "base/constants.h"
#include "engine/closure/closure.h"

static jd_status refuse(const closure *e, const char *where, const char *why) {
    jd_fail(e->run->context, JD_NOT_SUPPORTED, "a string with `wave_term: full` %s", why);
    if (where) jd_fail_where(e->run->context, "drives.%s", where);
    jd_fail_hint(e->run->context,
                 "its memory needs a force known in advance, from harmonic and constant drives "
                 "at one point; `wave_term: exact` keeps what matters of it");
    return JD_NOT_SUPPORTED;
}

jd_status jd_closure_plan_past(closure *e) {
    const jd_stretched *string = e->plan.pws.past;
    if (!string) return JD_OK;
    if (e->plan.m) return refuse(e, NULL, "takes no contact");
    e->plan.past.string = string;
    for (int i = 0; i < e->plan.n_drive; i++) {
        const drive *d = &e->plan.drive[i];
        jd_drive_segment s;
        jd_drive_segment_at(d->object, d->omega, 0, &s);
        if (isfinite(s.end) || s.slope != 0)
            return refuse(e, d->object->name, "takes no drive that begins, ends or bends");
        jd_string_memory_reach(&e->plan.past, fabs(s.omega) / (JD_PI * string->c));
    }
    return JD_OK;
}

// M(t) of (28), to be added to the acceleration of the contact's point.
double jd_closure_past(const closure *e, double t, const double *y) {
    const jd_stretched *string = e->plan.pws.past;
    double speed = string->c * jd_stretched_factor(string, y), sum = 0;
    for (int i = 0; i < e->plan.n_drive; i++) {
        const jd_drive_segment *s = &e->segments.of[i];
        if (e->plan.drive[i].push != JD_PUSH_LAMBDA || s->amplitude == 0 || s->omega == 0) continue;
        double angle = s->omega * t + s->phase, rho = s->omega / (JD_PI * speed);
        double complex gain = jd_string_memory_gain(&e->plan.past, rho, NULL);
        sum += s->amplitude * (creal(gain) * sin(angle) + cimag(gain) * cos(angle));
        if (e->state.ever) continue;
        sum += jd_string_memory_echo(&e->plan.past, speed, s->omega, s->amplitude * sin(s->phase),
                                     s->amplitude * s->omega * cos(s->phase), t);
    }
    return sum;
}
