// gnuplot.h -- a scene as a gnuplot script with data files, in a folder of its own.
#ifndef JD_PICTURE_GNUPLOT_H
#define JD_PICTURE_GNUPLOT_H

#include <stdio.h>

#include "picture/scene.h"

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
// mean anything; a quote is doubled, control characters become blanks, broken UTF-8 a question
// mark.
void jd_gnuplot_text(FILE *stream, const char *text);
// Writes the script and its data files. JD_CANNOT_WRITE when the folder's disk is full.
jd_status jd_gnuplot_write(jd_context *context, const jd_scene *scene, jd_picture_form form,
                           const char *folder);

#endif
