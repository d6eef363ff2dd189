// export.h -- results in formats of other programs: MATLAB files, universal files.
#ifndef JD_RESULT_EXPORT_H
#define JD_RESULT_EXPORT_H

#include <stdio.h>

#include "base/arena.h"
#include "judder/result.h"

typedef enum jd_export_format {
    JD_EXPORT_NONE, // HDF5, JSON, CSV: Judder's own
    JD_EXPORT_MAT,
    JD_EXPORT_UNIVERSAL
} jd_export_format;
// By the ending of the file: .mat; .uff, .unv.
jd_export_format jd_export_format_of(const char *path);

// Every array of a result, of any kind.
jd_status jd_export_mat(jd_context *context, const jd_result *result, const char *path);
// The samples of a run or of an orbit: a dataset 58 (time response) for each column.
jd_status jd_export_samples(jd_context *context, const jd_result *result, const char *path);

// Parts of universal files. A dataset begins with its number and ends with a mark.
void jd_universal_begin(FILE *stream, int number);
void jd_universal_end(FILE *stream);
// A line of text of at most 80 characters.
void jd_universal_text(FILE *stream, const char *text);
// Coordinates of nodes (dataset 2411): n labels and n x 3 numbers.
void jd_universal_nodes(FILE *stream, int n, const int *label, const double *at);
// A real mode (dataset 55) with x, y, z of every node; its modal mass is 1.
typedef struct jd_universal_mode {
    int number;          // from 1
    double hertz, ratio; // natural frequency [Hz], viscous damping ratio
    int n;               // nodes
    const int *label;    // n
    const double *shape; // n x 3 [1/sqrt(kg)]
    const char *title;   // what it is of
} jd_universal_mode;
void jd_universal_put_mode(FILE *stream, const jd_universal_mode *mode);

#endif
