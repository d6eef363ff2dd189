// impact.h -- a rigid normal part is hit.
#ifndef JD_SERIES_IMPACT_H
#define JD_SERIES_IMPACT_H

#include "engine/series/series.h"

// Normal part a touches at `side`: speeds jump, it leaves or stays closed.
void jd_series_impact(series *s, int a, int side);

// rub.c: appends the rigid sliders of the n normal parts in impact.set and finds all impulses P;
// returns how many there are: n where there is no friction, and nothing was done. Not solved:
// jammed.
int jd_series_rub(series *s, int n, bool *solved);
// rest.c: rigid contacts at rest where forces jump.
void jd_series_rest(series *s);

// events.c
void jd_series_open(series *s, int a, bool jumped);
// A rigid slider at rest begins to slide with an acceleration.
void jd_series_slide(series *s, int i, int sign);
void jd_series_close_rigid(series *s, int a, int side);
// Rigid sliders that stuck and were given a speed slide.
void jd_series_slide_again(series *s);
void jd_series_record(series *s, int contact, int cell, jd_contact_state from, jd_contact_state to);

#endif
