// shim.c -- a library to be loaded before judder that lets the n-th call of one kind fail.
//   JD_SHIM="what:n:errno": what is memory, write, sync, rename, open, or hdf5, udunits2, c++ for
//   the memory of these libraries (c++: muParser's), which is not part of `memory`; n from 1; errno
//   a number. With a minus before n that one and all after it fail. JD_SHIM_COUNT names a file that
//   gets the number of calls of each kind when the program ends. Only a program named judder is
//   touched.
//   JD_SHIM_NAMED=1: no files without a name, as on file systems that have none.
//   JD_SHIM="crash:n:signal": at the n-th allocation of HDF5 the program gets that signal; 0:
//   exit(2) is called; 99: it runs out of stack. JD_SHIM="clock:0:0": the clock jumps by months at
//   each look, to and fro. JD_SHIM="memory:fork:errno", or of a library: every allocation fails,
//   each in a copy of the program made there, once and for good: no start again for each.
//   JD_SHIM_TELL, a pipe, gets `n code` when the copy has ended (with a minus: for good), and the
//   next one waits for a line of JD_SHIM_HEAR. JD_SHIM_STEP: only every so many of them. Where a
//   file is open for writing, which copies would share, `later n` is told instead. A copy takes
//   itself for the program: getpid() is that of the original.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY, HDF5, UDUNITS2, CPLUSPLUS, WRITE, SYNC, RENAME, OPEN, CLOCK, CRASH, KINDS };
static const char *const names[KINDS] = {"memory", "hdf5",   "udunits2", "c++",   "write",
                                         "sync",   "rename", "open",     "clock", "crash"};

static atomic_long calls[KINDS];
static int kind = -1, number = ENOMEM;
static long at, step = 1;
static bool for_good, ready, named;
static int copied = -1;          // kind whose calls fail in copies
static pid_t first;              // the program, of whose children no copies are made
static pid_t original, copy;     // numbers of the processes; of a copy both are set
static int tell = -1, hear = -1; // pipes while every allocation fails in a copy

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

enum { FILES = 64 };
static bool written[FILES]; // open for writing

static int note_open(int fd) {
    if (fd >= 0 && fd < FILES) written[fd] = true;
    return fd;
}

static void note_close(int fd) {
    if (fd >= 0 && fd < FILES) written[fd] = false;
}

static bool named_one; // a file has got its name: copies would find it, and share it

static bool any_written(void) {
    if (named_one) return true;
    for (int fd = 0; fd < FILES; fd++)
        if (written[fd]) return true;
    return false;
}

// Before main; glibc has used malloc by then.
__attribute__((constructor)) static void begin(void) {
    const char *what = getenv("JD_SHIM"), *colon = what ? strchr(what, ':') : NULL;
    if (strcmp(program_invocation_short_name, "judder") != 0) return;
    for (int k = 0; colon && k < KINDS; k++)
        if (strncmp(what, names[k], strlen(names[k])) == 0 && what[strlen(names[k])] == ':')
            kind = k;
    if (colon && strncmp(colon, ":fork:", 6) == 0) {
        number = atoi(colon + 6);
        tell = REAL(open)(getenv("JD_SHIM_TELL"), O_WRONLY | O_CLOEXEC);
        hear = REAL(open)(getenv("JD_SHIM_HEAR"), O_RDONLY | O_CLOEXEC);
        const char *text = getenv("JD_SHIM_STEP");
        if (text && atol(text) > 0) step = atol(text);
        copied = kind;
        first = (pid_t)syscall(SYS_getpid);
        kind = -1;
        colon = NULL;
    }
    if (colon) at = strtol(colon + 1, (char **)&colon, 10);
    if (colon && *colon == ':') number = atoi(colon + 1);
    for_good = at < 0;
    at = labs(at);
    const char *no_unnamed = getenv("JD_SHIM_NAMED");
    named = no_unnamed && *no_unnamed == '1';
    ready = true;
}

__attribute__((destructor)) static void finish(void) {
    const char *path = getenv("JD_SHIM_COUNT");
    FILE *f = ready && path ? (ready = false, fopen(path, "w")) : NULL;
    for (int k = 0; f && k < KINDS; k++) fprintf(f, "%s %ld\n", names[k], atomic_load(&calls[k]));
    if (f) fclose(f);
}

static bool fails(int what) {
    if (!ready) return false;
    long n = atomic_fetch_add(&calls[what], 1) + 1;
    if (what != kind || !(for_good ? n >= at : n == at)) return false;
    errno = number;
    return true;
}

// A copy of the program in which allocation n fails: true there. The original waits for its end.
static bool copy_fails(long n, bool good) {
    char answer[8];
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        close(tell);
        close(hear);
        tell = hear = -1;
        kind = copied, at = n, for_good = good, errno = number;
        original = getppid(), copy = (pid_t)syscall(SYS_getpid);
        alarm(100);
        return true;
    }
    waitpid(pid, &status, 0);
    int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    dprintf(tell, "%s%ld %d\n", good ? "-" : "", n, code);
    if (read(hear, answer, sizeof answer) <= 0) _exit(99);
    return false;
}

static bool memory_fails(int what) {
    if (tell < 0 || what != copied || syscall(SYS_getpid) != first) return fails(what);
    static bool within; // fork may allocate
    if (within) return false;
    within = true;
    long n = atomic_fetch_add(&calls[what], 1) + 1;
    bool failing = false, wanted = n % step == 0;
    if (wanted && any_written())
        dprintf(tell, "later %ld\n", n);
    else if (wanted)
        failing = copy_fails(n, false) || copy_fails(n, true);
    within = false;
    return failing;
}

pid_t getpid(void) {
    pid_t real = (pid_t)syscall(SYS_getpid);
    return copy != 0 && real == copy ? original : real;
}

static int without_end(volatile int *depth) {
    volatile int here[1000] = {*depth + 1};
    return without_end(here) + here[0];
}

static void crash(void) {
    int depth = 0;
    if (number == 0) exit(2);
    if (number == 99) depth = without_end(&depth);
    raise(number + (depth & 0));
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

// Whose memory ends.
static bool starves(const void *caller) {
    static const struct {
        const char *file;
        int what;
    } whose[] = {{"/judder", MEMORY},    {"libyaml", MEMORY},      {"libjansson", MEMORY},
                 {"libdmumps", MEMORY},  {"libhdf5", HDF5},        {"libudunits2", UDUNITS2},
                 {"libexpat", UDUNITS2}, {"libstdc++", CPLUSPLUS}, {NULL, 0}};
    Dl_info info;
    if (!ready || !dladdr(caller, &info)) return false;
    for (int i = 0; whose[i].file; i++) {
        if (!strstr(info.dli_fname, whose[i].file)) continue;
        if (whose[i].what == HDF5 && fails(CRASH)) crash();
        return memory_fails(whose[i].what);
    }
    return false;
}
#define STARVES starves(__builtin_return_address(0))

void *malloc(size_t n) { return STARVES ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return STARVES ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return STARVES ? NULL : __libc_realloc(p, n); }

ssize_t write(int fd, const void *p, size_t n) {
    return fd > 2 && fails(WRITE) ? -1 : REAL(write)(fd, p, n);
}
ssize_t pwrite(int fd, const void *p, size_t n, off_t o) {
    return fails(WRITE) ? -1 : REAL(pwrite)(fd, p, n, o);
}
ssize_t pwrite64(int fd, const void *p, size_t n, off64_t o) {
    return fails(WRITE) ? -1 : REAL(pwrite64)(fd, p, n, o);
}
int ftruncate(int fd, off_t n) { return fails(WRITE) ? -1 : REAL(ftruncate)(fd, n); }
int fflush(FILE *f) { return f && fileno(f) > 2 && fails(WRITE) ? EOF : REAL(fflush)(f); }
int fsync(int fd) { return fails(SYNC) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails(SYNC) ? -1 : REAL(fdatasync)(fd); }
int rename(const char *a, const char *b) {
    int code = fails(RENAME) ? -1 : REAL(rename)(a, b);
    if (code == 0) named_one = true;
    return code;
}
int linkat(int a, const char *b, int c, const char *d, int e) {
    return fails(RENAME) ? -1 : REAL(linkat)(a, b, c, d, e);
}
int open(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    if (fails(OPEN)) return -1;
    if (named && (flags & O_TMPFILE) == O_TMPFILE) return errno = EOPNOTSUPP, -1;
    int fd = REAL(open)(path, flags, mode);
    return flags & (O_WRONLY | O_RDWR) ? note_open(fd) : fd;
}
int close(int fd) {
    note_close(fd);
    return REAL(close)(fd);
}
FILE *fopen(const char *path, const char *mode) {
    FILE *f = fails(OPEN) ? NULL : REAL(fopen)(path, mode);
    if (f && mode[0] != 'r') note_open(fileno(f));
    return f;
}
int fclose(FILE *f) {
    note_close(fileno(f));
    return REAL(fclose)(f);
}

static long jump(void) { // [s]
    static atomic_long looks;
    if (!ready || kind != CLOCK) return 0;
    long n = atomic_fetch_add(&looks, 1);
    atomic_fetch_add(&calls[CLOCK], 1);
    return (n % 2 ? -1 : 1) * (n % 5 + 1) * 2700000L;
}
time_t time(time_t *out) {
    struct timespec now;
    REAL(clock_gettime)(CLOCK_REALTIME, &now);
    now.tv_sec += jump();
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
int clock_gettime(clockid_t which, struct timespec *out) {
    int code = REAL(clock_gettime)(which, out);
    if (code == 0 && which == CLOCK_REALTIME) out->tv_sec += jump();
    return code;
}
int gettimeofday(struct timeval *out, void *zone) {
    int code = REAL(gettimeofday)(out, zone);
    if (code == 0) out->tv_sec += jump();
    return code;
}
