// folder_case.h -- shorthand of the tests: a context for all tests of a program, and a folder that
// is removed with what is in it.
#ifndef JD_TESTS_FOLDER_CASE_H
#define JD_TESTS_FOLDER_CASE_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judder/judder.h"

static jd_context *context;
static char folder[] = "/tmp/judder-test-XXXXXX";

static inline int open_context(void **state) {
    (void)state;
    context = jd_context_create(NULL);
    return !context;
}

static inline int close_context(void **state) {
    (void)state;
    jd_context_free(context);
    return 0;
}

// A path in the folder; four of them hold at a time.
static inline const char *in_folder(const char *name) {
    static char path[4][400];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[0], "%s/%s", folder, name);
    return path[turn];
}

static inline int open_folder(void **state) { return open_context(state) || !mkdtemp(folder); }

// Removes a folder with its files, and folders in it.
static inline int folder_remove(const char *path) {
    DIR *d = opendir(path);
    if (!d) return remove(path);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        char inner[600];
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
        snprintf(inner, sizeof inner, "%.250s/%.250s", path, e->d_name);
        folder_remove(inner);
    }
    closedir(d);
    return rmdir(path);
}

static inline int close_folder(void **state) {
    close_context(state);
    return folder_remove(folder);
}

#endif
