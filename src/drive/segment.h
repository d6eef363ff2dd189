// segment.h -- a drive as engines see it: between two of its breakpoints every drive is
//   F(t) = amplitude sin(omega t + phase) + level + slope (t - start),    start <= t < end
#ifndef JD_DRIVE_SEGMENT_H
#define JD_DRIVE_SEGMENT_H

#include "judder/drive.h"

typedef struct jd_drive_segment {
    double start, end; // end: infinity when nothing changes any more
    double amplitude, omega, phase;
    double level, slope;
} jd_drive_segment;

// The segment of the drive that holds just after t. `omega`: the drive's resolved angular frequency
// (harmonic drives). All segments of a drive have the same omega.
void jd_drive_segment_at(const jd_object *drive, double omega, double t, jd_drive_segment *out);
// The one angular frequency a drive ever has; 0 when it has none.
double jd_drive_omega(const jd_object *drive, double resolved);

#endif
