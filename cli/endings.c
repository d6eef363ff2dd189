// endings.c -- how signals, crashes and libraries that call exit() end the command: with nothing
// half-written, and a reason.
//   udunits2, muParser and HDF5 crash or end the program when an allocation of theirs fails. The
//   handlers here only call what POSIX allows in them. Under a sanitizer crashes are left to it,
//   and with JUDDER_CORE in the environment to the system.
#define _GNU_SOURCE // SIGXCPU, sigaltstack
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "result/file/document.h"
#include "result/file/pending.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { STACK = 1 << 16 };

typedef struct ending {
    int number;
    const char *message;
} ending;

#define CRASH "a crash in Judder or in a library it calls "
static const ending crashes[] = {{SIGSEGV, CRASH "(segmentation fault)"},
                                 {SIGBUS, CRASH "(bus error)"},
                                 {SIGILL, CRASH "(illegal instruction)"},
                                 {SIGFPE, CRASH "(arithmetic exception)"},
                                 {SIGABRT, CRASH "(aborted)"},
                                 {0, NULL}};
static const int requests[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, 0};

static volatile sig_atomic_t interrupted, listening, as_json;
static volatile sig_atomic_t final_code = -1; // of a command that has done its work
static atomic_int running; // number of the process that is to be guarded; 0: none
static atomic_flag ended = ATOMIC_FLAG_INIT;

static void put(int fd, const char *text) {
    size_t left = strlen(text);
    for (ssize_t n; left > 0 && (n = write(fd, text, left)) > 0; left -= (size_t)n) text += n;
}

// Texts here have no character that JSON would have to spell out.
_Noreturn static void end_by_name(const char *name, const char *message, const char *hint) {
    while (atomic_flag_test_and_set(&ended)) pause(); // another thread was first, and ends us all
    jd_pending_remove();
    const char *object[] = {"{\"error\": {\"name\": \"",
                            name,
                            "\", \"message\": \"",
                            message,
                            "\", \"where\": \"\", \"hint\": \"",
                            hint,
                            "\"}}\n",
                            NULL};
    const char *words[] = {"judder: ", message, *hint ? "\n  hint: " : "", hint, "\n", NULL};
    for (const char **part = as_json ? object : words; *part; part++)
        put(as_json ? STDOUT_FILENO : STDERR_FILENO, *part);
    _exit(EXIT_FILE);
}

void end_without_memory(void) { end_by_name("out-of-memory", "not enough memory", ""); }

// As if it had not been caught: for children of this process, and for whoever waits for it.
static void end_as_usual(int number) {
    signal(number, SIG_DFL);
    raise(number); // arrives when this handler returns
}

static void on_crash(int number) {
    const ending *e = crashes;
    if (getpid() != atomic_load(&running)) {
        end_as_usual(number);
        return;
    }
    if (final_code >= 0) _exit(final_code); // HDF5 while it tidies up, after it got no memory
    while (e->number && e->number != number) e++;
    end_by_name(
        "crashed", e->number ? e->message : CRASH,
        "was there enough memory? No file was left half-written. Please report a crash that "
        "has another cause; JUDDER_CORE=1 in the environment allows a core dump");
}

static void on_exit_called(void) {
    if (getpid() != atomic_load(&running) || final_code >= 0) return;
    end_by_name("crashed", "a library that Judder calls ended the program",
                "was there enough memory? No file was left half-written");
}

// While somebody listens the first request only asks to stop.
static void on_request(int number) {
    if (listening && !interrupted) {
        interrupted = number;
        return;
    }
    if (getpid() == atomic_load(&running)) jd_pending_remove();
    end_as_usual(number);
}

static void catch_signal(int number, void (*handler)(int), bool even_ignored) {
    struct sigaction before, action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) != 0) return;
    if (even_ignored || before.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

void endings_begin(void) {
    static char stack[STACK]; // a crash may be the end of the usual one
    const char *core = getenv("JUDDER_CORE");
    atomic_store(&running, getpid());
    for (const int *r = requests; *r; r++) catch_signal(*r, on_request, false);
    if (SANITIZED || (core && *core)) return;
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (const ending *e = crashes; e->number; e++) catch_signal(e->number, on_crash, true);
    atexit(on_exit_called);
    jd_hdf5_leave_at_exit();
}

void endings_json(bool json) { as_json = json; }

void endings_end(int code) { final_code = code; }

bool report_stop(void *user) {
    (void)user;
    return interrupted != 0;
}

int endings_request(void) { return interrupted; }

void report_listen(void) {
    listening = 1;
    catch_signal(SIGINT, on_request, true); // shells let background programs ignore it
}
