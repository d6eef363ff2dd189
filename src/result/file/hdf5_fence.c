// hdf5_fence.c -- a result file read in a child process first.
//   The seal finds damage, but who means harm can compute it. The child has limits: processor time
//   10 s + length/(1 MB/s) (reading is a hundred times faster), memory 256 MB + 100 bytes per byte
//   of the file (a number of 8 bytes becomes 40 as JSON). A crash, an endless loop or a call of
//   exit() ends the child alone. It is no cell: a file that takes the child over can do what the
//   user can.
//   HDF5 has a lock of its own. Where another thread of the program held it at the fork, nobody
//   gives it back in the child, so the child first sees that it can be had; else there is another.
#include "result/file/hdf5_fence.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"

static void limit(int resource, rlim_t most) {
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) return;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
    if (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > most) now.rlim_cur = most;
    setrlimit(resource, &now);
}

// Addresses this process has now; 0: not known.
static rlim_t addresses(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void bound(rlim_t length) {
    rlim_t now = addresses();
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, 10 + length / 1000000);
    if (now > 0) limit(RLIMIT_AS, now + ((rlim_t)256 << 20) + 100 * length);
    signal(SIGXCPU, SIG_DFL);
}

static jd_status refuse(const jd_hdf5_source *source, int ended) {
    jd_context *context = source->context;
    if (WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXCPU)
        jd_fail(context, JD_BAD_RESULT_FILE,
                "`%s` is not as Judder wrote it: reading it does not end", source->path);
    else if (WIFSIGNALED(ended))
        jd_fail(context, JD_BAD_RESULT_FILE,
                "`%s` is not as Judder wrote it: the HDF5 library fails on it (%s)", source->path,
                strsignal(WTERMSIG(ended)));
    else
        jd_fail(context, JD_BAD_RESULT_FILE,
                "`%s` is not as Judder wrote it: the HDF5 library gives up on it (code %d)",
                source->path, WEXITSTATUS(ended));
    jd_fail_hint(context,
                 "its checksum is right: somebody made it so, or there was not enough memory");
    return JD_BAD_RESULT_FILE;
}

enum { TRIES = 6, FIRST_PATIENCE = 250 }; // [ms], doubled each time: 16 s in all

// SIGALRM ends this process after so long; 0: no more.
static void patience(long ms) {
    struct itimerval timer = {{0, 0}, {ms / 1000, ms % 1000 * 1000}};
    sigset_t its;
    sigemptyset(&its);
    sigaddset(&its, SIGALRM);
    signal(SIGALRM, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &its, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static bool lock_is_held(int ended) { return WIFSIGNALED(ended) && WTERMSIG(ended) == SIGALRM; }

static bool try_in_child(uint64_t length, long wait_for_lock, void (*read)(void *user), void *user,
                         int *ended) {
    pid_t got, child = fork();
    *ended = 0;
    if (child < 0) return false;
    if (child == 0) {
        patience(wait_for_lock);
        H5open();
        patience(0);
        bound((rlim_t)length);
        read(user);
        _exit(0);
    }
    while ((got = waitpid(child, ended, 0)) < 0 && errno == EINTR) continue;
    return got >= 0;
}

// Calls read(user) in a child; false with errno where there is no child, or no news of it.
static bool in_child(uint64_t length, void (*read)(void *user), void *user, int *ended) {
    long wait_for_lock = FIRST_PATIENCE;
    for (int i = 0; i < TRIES; i++, wait_for_lock *= 2) {
        if (!try_in_child(length, wait_for_lock, read, user, ended)) return false;
        if (!lock_is_held(*ended)) break;
    }
    return true;
}

jd_status jd_hdf5_rehearse(const jd_hdf5_source *source, void (*read)(void *user), void *user) {
    int ended;
    if (!in_child(source->length, read, user, &ended)) {
        if (errno == ECHILD) // whoever started this program has its children reaped by the system
            return jd_fail(source->context, JD_CANNOT_READ,
                           "cannot learn how reading `%s` in a process of its own ended: %s",
                           source->path, strerror(errno));
        return jd_fail(source->context, JD_OUT_OF_MEMORY,
                       "cannot start a process to read `%s` in: %s", source->path, strerror(errno));
    }
    if (lock_is_held(ended)) {
        jd_fail(source->context, JD_CANNOT_READ,
                "cannot read `%s` in a process of its own: HDF5 is in use whenever one is started",
                source->path);
        jd_fail_hint(source->context,
                     "another thread of this program calls HDF5 without end: wait for it, or read "
                     "without `fence`");
        return JD_CANNOT_READ;
    }
    return ended == 0 ? JD_OK : refuse(source, ended);
}

bool jd_hdf5_comes_back(uint64_t length, void (*read)(void *user), void *user) {
    int ended;
    return in_child(length, read, user, &ended) && ended == 0;
}
