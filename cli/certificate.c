// certificate.c -- what is proved about the events of a run, in words.
#include "command.h"

void report_certificate(const jd_certificate *c, FILE *stream) {
    char text[32] = "";
    if (c->tolerance > 0) snprintf(text, sizeof text, " to %.2g", c->tolerance);
    if (c->certified)
        fprintf(stream, "certificate  complete: proved that no event was missed\n");
    else if (c->undecided == 0 && c->chatter_speed > 0)
        fprintf(
            stream,
            "certificate  none: chatter was completed beside other contacts at rest, speeds up to "
            "%.1g are left out\n",
            c->chatter_speed);
    else if (c->undecided == 0 && c->error > 0 && !(c->tolerance > 0))
        fprintf(stream,
                "certificate  none: parts of the motion nearly cancel (weakly damped free bodies, "
                "drives at a resonance, poles that coincide), digits are lost\n");
    else if (c->undecided == 0)
        fprintf(stream, "certificate  none: nothing is proved about events here; method: %s%s\n",
                c->method, text);
    else
        fprintf(stream, "certificate  %ld grazing%s could not be decided in double precision\n",
                c->undecided, c->undecided == 1 ? "" : "s");
    if (!c->certified && c->proved_until > 0)
        fprintf(stream, "             every event up to %.6g is proved\n", c->proved_until);
    if (c->chatter_error > 0)
        fprintf(stream, "             chatter was completed, its end is right to %.1g\n",
                c->chatter_error);
    if (c->split_not_unique > 0)
        fprintf(stream, "             contact forces were not unique in %ld phase%s\n",
                c->split_not_unique, c->split_not_unique == 1 ? "" : "s");
}
