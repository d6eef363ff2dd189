// of_file.h -- pictures of result files, from the documents they hold (result/document.h).
#ifndef JD_PICTURE_OF_FILE_H
#define JD_PICTURE_OF_FILE_H

#include <jansson.h>

#include "picture/history.h"

// The arrays of a run or an orbit read back; NaN: no bound of the window.
jd_status jd_history_of_file(jd_arena *arena, const json_t *document, double from, double to,
                             jd_history *out);

#endif
