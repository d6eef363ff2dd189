// universal.h -- universal files (UFF) of modal analysis: datasets between lines with -1.
#ifndef JD_STRUCTURE_UNIVERSAL_UNIVERSAL_H
#define JD_STRUCTURE_UNIVERSAL_UNIVERSAL_H

#include "base/scan.h"

// Whether the first line that is not blank is -1.
bool jd_universal_is(jd_scan *scan);

// Goes to the next dataset: its number, and a scan of the lines within it, at the line with the
// number. *number 0: there is none. Binary datasets (58b) are refused by name.
jd_status jd_universal_next(jd_scan *scan, int *number, jd_scan *body);

// Within dataset `number`: the next line, which must be there.
jd_status jd_universal_line(jd_scan *body, int number);
// The next number, on this line or on one behind it; `what` it is for.
jd_status jd_universal_real(jd_scan *body, const char *what, double *out);

#endif
