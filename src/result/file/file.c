// file.c -- no name or a temporary one, flush, sync, rename; every step checked (ENOSPC shows at
// any of them).
#define _GNU_SOURCE // realpath, O_TMPFILE
#include "result/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "result/file/pending.h"

enum { SUFFIX = 60, PATH_LIMIT = 4000, NAMES = 100 };

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

// What a symbolic link says, seen from the link's own folder; false: it is none, or too long.
static bool step_along(const char *path, char *out, size_t size) {
    char text[PATH_LIMIT];
    ssize_t n = readlink(path, text, sizeof text - 1);
    const char *slash = strrchr(path, '/');
    if (n <= 0) return false;
    text[n] = '\0';
    int folder = slash && text[0] != '/' ? (int)(slash - path) + 1 : 0;
    return snprintf(out, size, "%.*s%s", folder, path, text) < (int)size;
}

char *jd_file_resolved(jd_context *context, const char *path) {
    enum { LINKS = 40 };
    char *real = realpath(path, NULL), way[2][PATH_LIMIT + 1];
    const char *from = real ? real : path;
    for (int k = 0; !real && k < LINKS && step_along(from, way[k % 2], PATH_LIMIT); k++)
        from = way[k % 2];
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

// A file without a name in the folder of the target, or -1. Its name comes through /proc.
static int open_unnamed(const jd_file *f, mode_t mode) {
#ifdef O_TMPFILE
    char folder[PATH_LIMIT + 2];
    const char *slash = strrchr(f->target, '/');
    int n = slash ? (int)(slash - f->target) + 1 : 0;
    if (n > PATH_LIMIT || access("/proc/self/fd", X_OK) != 0) return -1;
    snprintf(folder, sizeof folder, "%.*s", n ? n : 1, n ? f->target : ".");
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
#else
    (void)f, (void)mode;
    return -1;
#endif
}

// The k-th name beside the target. Those that exist are left alone: of another run, or of one that
// was killed and had our number.
static void write_temporary(jd_file *f, int k) {
    size_t size = strlen(f->target) + SUFFIX;
    int n = snprintf(f->temporary, size, "%s.part-%ld", f->target, (long)getpid());
    if (k > 0) snprintf(f->temporary + n, size - (size_t)n, "-%d", k);
}

// The next name from the k-th on that is not taken, noted before it exists.
static int free_temporary(jd_file *f, int k) {
    struct stat info;
    for (; k < NAMES; k++) {
        write_temporary(f, k);
        if (lstat(f->temporary, &info) != 0) break;
    }
    f->pending = jd_pending_file(f->temporary);
    return k;
}

static void forget_temporary(jd_file *f) {
    jd_pending_end(f->pending);
    f->pending = 0;
}

static int open_named(jd_file *f, mode_t mode) {
    for (int k = 0; k < NAMES; k++) {
        k = free_temporary(f, k);
        int fd = open(f->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0) return fd;
        forget_temporary(f);
        if (errno != EEXIST) break;
    }
    return -1;
}

static jd_status open_temporary(jd_file *f, mode_t mode) {
    f->temporary = jd_allocate(f->owner, strlen(f->target) + SUFFIX);
    if (!f->temporary) return JD_OUT_OF_MEMORY;
    write_temporary(f, 0);
    int fd = open_unnamed(f, mode);
    f->unnamed = fd >= 0;
    if (fd < 0) fd = open_named(f, mode);
    int number = errno;
    if (fd >= 0) {
        f->stream = fdopen(fd, "wb");
        if (f->stream) return JD_OK;
        number = errno;
        close(fd);
        if (!f->unnamed) unlink(f->temporary);
        forget_temporary(f);
    }
    jd_release(f->owner, f->temporary); // not ours: nothing to remove later
    f->temporary = NULL;
    return jd_file_failed(f, number);
}

// Gives an unnamed file its temporary name; 0, or errno.
static int take_name(jd_file *f) {
    char self[40];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(f->stream));
    for (int k = 0; k < NAMES; k++) {
        k = free_temporary(f, k);
        if (linkat(AT_FDCWD, self, AT_FDCWD, f->temporary, AT_SYMLINK_FOLLOW) == 0) {
            f->unnamed = false;
            return 0;
        }
        forget_temporary(f);
        if (errno != EEXIST) break;
    }
    return errno;
}

static jd_status open_any(jd_file *f) {
    struct stat info;
    if (f->path[0] == '\0') return jd_file_failed(f, ENOENT);
    if (strlen(f->path) > PATH_LIMIT) return jd_file_failed(f, ENAMETOOLONG);
    f->target = jd_file_resolved(f->owner, f->path);
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
    if (number == 0 && f->unnamed) number = take_name(f);
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
    if (f->temporary && !f->unnamed) unlink(f->temporary);
    forget_temporary(f);
    jd_release(f->owner, f->temporary);
    jd_release(f->owner, f->target);
    f->stream = NULL;
    f->temporary = f->target = NULL;
}
