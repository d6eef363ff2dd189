// pending.h -- names that exist only while a file is being made: what would be left behind if the
// process ended now.
//   A program that catches signals can remove them there. Names are copied into static memory, so
//   that a handler finds them whatever state the heap is in; a few at a time, others are left.
#ifndef JD_RESULT_PENDING_H
#define JD_RESULT_PENDING_H

#include <stdbool.h>

// A file, or a folder of a picture, with what gnuplot.h says is in it. A number for
// jd_pending_end; 0: there is no place to note it.
int jd_pending_file(const char *path);
int jd_pending_folder(const char *path);
void jd_pending_end(int number); // 0: nothing
// Removes them all. Safe in a signal handler: no memory, no locks.
void jd_pending_remove(void);

#endif
