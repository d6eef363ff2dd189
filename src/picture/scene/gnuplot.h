// gnuplot.h -- a scene as a gnuplot script with data files, in a folder of its own.
#ifndef JD_PICTURE_GNUPLOT_H
#define JD_PICTURE_GNUPLOT_H

#include <stdio.h>

#include "picture/scene/scene.h"

typedef enum jd_picture_form {
    JD_FORM_SVG,
    JD_FORM_PNG,
    JD_FORM_PDF,
    JD_FORM_CSV, // the numbers alone, without gnuplot
    JD_FORM_COUNT
} jd_picture_form;

// Names inside the folder.
#define JD_GNUPLOT_SCRIPT "script.gp"
#define JD_GNUPLOT_PICTURE "picture"
#define JD_GNUPLOT_ERRORS "errors"

// A text as gnuplot takes it literally: in single quotes, where neither backticks nor backslashes
// mean anything; a quote is doubled or curved, control characters become blanks, broken
// UTF-8 a question mark; what is longer than a page is wide is cut.
void jd_gnuplot_text(FILE *stream, const char *text);
// A number with a decimal point, whatever the program's locale says.
void jd_gnuplot_number(FILE *stream, double value);
// A round step that gives about one tick every `pitch` pixels: 1, 2 or 5 times a power of ten.
double jd_gnuplot_step(double range, double length, double pitch);
// Ticks of a log axis: powers of ten over more than two decades; else, where they would be too few,
// evenly spaced numbers on a short one, or 1, 2, 3, 5, 7 (or 1, 2, 5) times powers of ten.
void jd_gnuplot_log_ticks(FILE *stream, char name, double low, double high, double step);
// Writes the script and its data files. JD_CANNOT_WRITE when the folder's disk is full.
jd_status jd_gnuplot_write(jd_context *context, const jd_scene *scene, jd_picture_form form,
                           const char *folder);

#endif
