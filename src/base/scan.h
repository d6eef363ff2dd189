// scan.h -- a text file in memory, taken apart line by line and word by word.
#ifndef JD_BASE_SCAN_H
#define JD_BASE_SCAN_H

#include "base/arena.h"

typedef struct jd_scan {
    jd_context *context;
    const char *path;
    const char *text, *end; // the whole file
    const char *at, *stop;  // the line under way
    const char *next;       // the line after it
    int line;               // number of the line under way, from 1
    bool commas;            // words may be separated by one comma
    jd_status broken;       // what a line that cannot be understood fails with
} jd_scan;

// Reads a regular file of at most `most` bytes. The text is of the arena.
jd_status jd_scan_open(jd_arena *arena, const char *path, size_t most, jd_status broken,
                       jd_scan *out);
bool jd_scan_line(jd_scan *scan);  // goes to the next line; false at the end of the file
bool jd_scan_blank(jd_scan *scan); // nothing is left on the line
bool jd_scan_data(jd_scan *scan);  // goes to the next line with more than a comment (# ...)
void jd_scan_again(jd_scan *scan); // back to before the first line

// The next word of the line, cut to fit, or "" when there is none.
void jd_scan_word(jd_scan *scan, char *word, size_t size);
// A whole number in [low, high], a finite number; `what` says what it is for.
jd_status jd_scan_integer(jd_scan *scan, const char *what, long low, long high, int *out);
jd_status jd_scan_real(jd_scan *scan, const char *what, double *out);
jd_status jd_scan_line_end(jd_scan *scan); // anything left on the line is an error

// Fails with the place file:line.
jd_status jd_scan_fail(jd_scan *scan, jd_status status, const char *format, ...) JD_PRINTF(3, 4);

#endif
