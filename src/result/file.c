// file.c -- temporary name, flush, sync, rename; every step checked (ENOSPC shows at any of them).
#define _XOPEN_SOURCE 700 // realpath
#include "result/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUFFIX = 40, PATH_LIMIT = 4000 };

jd_status jd_file_failed(jd_file *f, int number) {
    jd_status s =
        jd_fail(f->owner, JD_CANNOT_WRITE, "cannot write `%s`: %s", f->path, strerror(number));
    switch (number) {
    case ENOENT:
        jd_fail_hint(f->owner, "does the folder exist?");
        break;
    case ENOSPC:
        jd_fail_hint(f->owner, "make room, or write to another disk");
        break;
    case EACCES:
    case EROFS:
        jd_fail_hint(f->owner, "choose a folder you may write to");
        break;
    case EISDIR:
        jd_fail_hint(f->owner, "name a file, not a folder");
        break;
    default:
        break;
    }
    return s;
}

// The file behind symbolic links, or the path itself where nothing exists yet.
static char *resolved(jd_context *context, const char *path) {
    char *real = realpath(path, NULL);
    const char *from = real ? real : path;
    size_t size = strlen(from) + 1;
    char *copy = jd_allocate(context, size);
    if (copy) memcpy(copy, from, size);
    free(real);
    return copy;
}

static jd_status open_direct(jd_file *f) {
    f->stream = fopen(f->target, "wb");
    return f->stream ? JD_OK : jd_file_failed(f, errno);
}

static jd_status open_temporary(jd_file *f, mode_t mode) {
    size_t size = strlen(f->target) + SUFFIX;
    f->temporary = jd_allocate(f->owner, size);
    if (!f->temporary) return JD_OUT_OF_MEMORY;
    snprintf(f->temporary, size, "%s.part-%ld", f->target, (long)getpid());
    int fd = open(f->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    int number = errno;
    if (fd >= 0) {
        f->stream = fdopen(fd, "wb");
        if (f->stream) return JD_OK;
        number = errno;
        close(fd);
        unlink(f->temporary);
    }
    jd_release(f->owner, f->temporary); // not ours: nothing to remove later
    f->temporary = NULL;
    return jd_file_failed(f, number);
}

static jd_status open_any(jd_file *f) {
    struct stat info;
    if (f->path[0] == '\0') return jd_file_failed(f, ENOENT);
    if (strlen(f->path) > PATH_LIMIT) return jd_file_failed(f, ENAMETOOLONG);
    f->target = resolved(f->owner, f->path);
    if (!f->target) return JD_OUT_OF_MEMORY;
    if (stat(f->target, &info) != 0) {
        if (errno != ENOENT) return jd_file_failed(f, errno);
        return open_temporary(f, 0666);
    }
    if (S_ISDIR(info.st_mode)) return jd_file_failed(f, EISDIR);
    if (!S_ISREG(info.st_mode)) return open_direct(f);
    if (access(f->target, W_OK) != 0)
        return jd_file_failed(f, errno); // a read-only file stays as it is
    return open_temporary(f, info.st_mode & 0777);
}

jd_status jd_file_open(jd_context *context, const char *path, jd_file *f) {
    *f = (jd_file){.path = path, .owner = context};
    jd_status s = open_any(f);
    if (s != JD_OK) jd_file_abandon(f);
    return s;
}

static int flushed(jd_file *f) { // 0, or errno of the first step that failed
    if (ferror(f->stream)) return errno ? errno : EIO;
    if (fflush(f->stream) != 0) return errno;
    if (f->temporary && fsync(fileno(f->stream)) != 0 && errno != EINVAL) return errno;
    return 0;
}

jd_status jd_file_commit(jd_file *f) {
    int number = flushed(f);
    if (fclose(f->stream) != 0 && number == 0) number = errno;
    f->stream = NULL;
    if (number == 0 && f->temporary && rename(f->temporary, f->target) != 0) number = errno;
    if (number == 0 && f->temporary) {
        jd_release(f->owner, f->temporary);
        f->temporary = NULL;
    }
    jd_status s = number == 0 ? JD_OK : jd_file_failed(f, number);
    jd_file_abandon(f);
    return s;
}

void jd_file_abandon(jd_file *f) {
    if (f->stream) fclose(f->stream);
    if (f->temporary) unlink(f->temporary);
    jd_release(f->owner, f->temporary);
    jd_release(f->owner, f->target);
    f->stream = NULL;
    f->temporary = f->target = NULL;
}
