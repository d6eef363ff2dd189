// file.h -- an output file that appears whole or not at all.
//   Written without a name where the system can (Linux, most file systems), so that a killed run
//   leaves nothing behind, else under a temporary name in the same folder; renamed at the end.
//   Devices and pipes (/dev/stdout) are written directly: renaming onto them would replace them.
#ifndef JD_RESULT_FILE_H
#define JD_RESULT_FILE_H

#include <stdio.h>

#include "base/fail.h"

typedef struct jd_file {
    FILE *stream;      // NULL when closed
    const char *path;  // as the user wrote it; must outlive the file
    char *target;      // what is replaced: symbolic links followed
    char *temporary;   // name before the last one; NULL: written directly
    bool unnamed;      // it does not have that name yet
    int pending;       // where that name is noted while it exists (pending.h)
    jd_context *owner; // memory of the two
} jd_file;

// JD_CANNOT_WRITE names the path and the system's reason.
jd_status jd_file_open(jd_context *context, const char *path, jd_file *file);
// JD_CANNOT_WRITE with the system's reason `number` (errno) for writing to the file.
jd_status jd_file_failed(jd_file *file, int number);
// Flushes, syncs, closes and renames. On failure the temporary file is gone and `path` untouched.
jd_status jd_file_commit(jd_file *file);
// Gives up: removes what was written. Harmless after commit.
void jd_file_abandon(jd_file *file);
// The file behind symbolic links, also where it does not exist yet; NULL: no memory. Of the context
// (jd_release).
char *jd_file_resolved(jd_context *context, const char *path);

#endif
