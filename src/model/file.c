// file.c -- reads a whole file of bounded size, naming what is wrong with it.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <sys/stat.h>

#include "model/tree.h"

enum { SIZE_LIMIT = 16 << 20, FIRST_READ = 64 << 10 };

static jd_status cannot(jd_context *context, const char *file, const char *why, const char *hint) {
    jd_fail(context, JD_CANNOT_READ, "cannot read `%s`: %s", file, why);
    jd_fail_where(context, "%s", file);
    if (hint) jd_fail_hint(context, "%s", hint);
    return JD_CANNOT_READ;
}

static jd_status too_large(jd_context *context, const char *file) {
    jd_fail(context, JD_FILE_TOO_LARGE, "`%s` has more than %d MiB, too much for a model", file,
            SIZE_LIMIT >> 20);
    jd_fail_where(context, "%s", file);
    jd_fail_hint(context, "matrices and tables stand in files of their own, named in the model");
    return JD_FILE_TOO_LARGE;
}

// Reads to the end, growing by doubling: pipes have no size to ask for.
static jd_status read_stream(jd_arena *arena, const char *file, FILE *stream, char **text,
                             size_t *size) {
    jd_context *context = jd_arena_context(arena);
    size_t room = FIRST_READ, n = 0;
    char *block = jd_arena_take(arena, room + 1, 1);
    while (block) {
        n += fread(block + n, 1, room - n, stream);
        if (ferror(stream)) return cannot(context, file, strerror(errno), NULL);
        if (n < room) break;
        if (room >= SIZE_LIMIT) return too_large(context, file);
        char *larger = jd_arena_take(arena, 2 * room + 1, 1);
        if (larger) memcpy(larger, block, n);
        block = larger;
        room *= 2;
    }
    *text = block;
    *size = n;
    return jd_arena_status(arena);
}

jd_status jd_tree_read_file(jd_arena *arena, const char *file, char **text, size_t *size) {
    jd_context *context = jd_arena_context(arena);
    *text = NULL;
    struct stat info;
    if (stat(file, &info) != 0)
        return cannot(context, file, errno == ENOENT ? "there is no such file" : strerror(errno),
                      errno == ENOENT ? "check the name and the folder" : NULL);
    if (S_ISDIR(info.st_mode))
        return cannot(context, file, "it is a directory", "name the model file in it");
    if (info.st_size > SIZE_LIMIT) return too_large(context, file);
    FILE *stream = fopen(file, "rb");
    if (!stream)
        return cannot(context, file, strerror(errno),
                      errno == EACCES ? "you are not allowed to read it: check its permissions"
                                      : NULL);
    jd_status status = read_stream(arena, file, stream, text, size);
    fclose(stream);
    return status;
}
