// command.c -- a call of the command: the table of verbs, help, and how a call begins and ends.
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "command.h"
#include "terminal.h"

enum { VERB_DOC = 35 }; // column of what a verb does, in the list of verbs

const verb *const verbs[] = {
    &verb_new,  &verb_check,      &verb_modes, &verb_reduce, &verb_kernel, &verb_nsm,
    &verb_run,  &verb_orbit,      &verb_sweep, &verb_merge,  &verb_follow, &verb_backbone,
    &verb_fit,  &verb_converge,   &verb_batch, &verb_plot,   &verb_info,   &verb_compare,
    &verb_list, &verb_completion, &verb_lab,   NULL};

const verb *verb_find(const char *name) {
    for (int i = 0; verbs[i]; i++) {
        if (strcmp(verbs[i]->name, name) == 0) return verbs[i];
    }
    return NULL;
}

static void print_help(call *c) {
    const verb *v = c->verb;
    if (v) {
        int column = printf("judder %s %s -- ", v->name, v->arguments);
        terminal_wrap(v->doc, column, 4, HELP_WIDTH, stdout);
        printf("\n\n%s\nOptions:\n", v->help);
        options_print(c, stdout);
        return;
    }
    printf("judder -- how elastic structures move when they rub and knock\n\n");
    for (int i = 0; (v = verbs[i]); i++) {
        int column = printf("  judder %-10s %-14s ", v->name, v->arguments);
        terminal_wrap(v->doc, column, VERB_DOC, HELP_WIDTH, stdout);
        putchar('\n');
    }
    printf("\nOptions (`judder VERB --help` says which a verb takes):\n");
    options_print(c, stdout);
    printf("\nFirst steps:  judder new friction-beam -o beam.yaml;  judder modes beam.yaml\n"
           "Exit codes:   0 done, 1 stopped for a numerical reason, 2 bad usage or model,\n"
           "              3 cannot read or write, no memory, crashed,\n"
           "              130 stopped by Ctrl-C, what was computed is kept\n");
}

// A reader that goes away (`| head -1`) ends a command that only prints; files asked for are
// written all the same.
static void keep_files(const call *c) {
    for (int i = 0; c->verb && i < c->rows.n; i++) {
        const char *file = option_file(c, c->rows.row[i]);
        if (file && strcmp(file, "-") != 0) signal(SIGPIPE, SIG_IGN);
    }
}

static jd_status run(call *c) {
    if (c->version) {
        printf("judder %s\n", jd_version());
        return JD_OK;
    }
    if (c->help) {
        print_help(c);
        return JD_OK;
    }
    bool raw = c->json || (c->csv && strcmp(c->csv, "-") == 0); // for programs, not for people
    if (!raw) JD_TRY(clean_output(c));
    return c->verb->run(c);
}

// A closed standard stream would let the next file opened take its number, and prints would go
// into that file. Opened the wrong way round, writing to it fails as it should.
static void guard_streams(void) {
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) exit(EXIT_FILE);
    }
}

// What was printed may still be on its way: a full disk or a closed pipe shows here. When it showed
// before, errno may be that of another file by now: a newline more tells it again.
static int finish_output(int code) {
    int number = 0;
    if (!ferror(stdout) && fflush(stdout) == 0) return code;
    if (write(STDOUT_FILENO, "\n", 1) < 0) number = errno;
    if (number != EPIPE) {
        fprintf(stderr, "judder: cannot write to the standard output: %s\n",
                strerror(number ? number : EIO));
    }
    return EXIT_FILE;
}

// A document without memory would lose what does not fit and say nothing: the command ends instead,
// before any file has its name.
static void *json_memory(size_t size) {
    void *block = malloc(size);
    if (!block) end_without_memory();
    return block;
}

// OpenBLAS waits for ever where it cannot map its buffer (128 MB; one, as it has one thread): where
// addresses are limited and there is no room for it, nothing begins.
static bool has_room(void) {
    enum { BUFFER = 260 << 20 }; // bytes, with the libraries that are loaded later
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
    void *volatile probe = malloc(BUFFER);
    free(probe);
    return probe != NULL;
}

// One of several processes with the same command line, of which another one writes and reports.
static void be_silent(call *c) {
    c->output = c->csv = c->plot = NULL;
    c->json = false;
    c->quiet = true;
    if (c->threads == 0) c->threads = 1; // a process for each processor
}

bool is_silent(const call *c) { return c->spread && c->spread->silent; }

// As shells count: 130 after Ctrl-C (signal 2), 143 after SIGTERM.
static int ending_code(const call *c) {
    int request = endings_request();
    if (!c->stopped) return c->refused ? EXIT_USAGE : EXIT_DONE;
    return request ? EXIT_SIGNAL + request : EXIT_STOPPED;
}

// Bytes that are free and stay with the program; blocks that do not.
enum { KEPT = 256 << 20, LARGE = 4 << 20 };

int command_run(int argc, char **argv, const spreading *spread) {
    guard_streams();
    endings_begin();
    json_set_alloc_funcs(json_memory, free);
    // Each point of a sweep and each orbit takes memory and gives it back: to the program, not to
    // the system, which would have to clear the same pages again and again. Large matrices go back.
    mallopt(M_TRIM_THRESHOLD, KEPT);
    mallopt(M_MMAP_THRESHOLD, LARGE);
    setenv("OPENBLAS_NUM_THREADS", "1", 1); // else it starts threads while it is loaded
    signal(SIGCHLD, SIG_DFL);               // the end of children is waited for
    signal(SIGXFSZ, SIG_IGN); // a file beyond the size limit is an error to report, not an end
    call c = {.count = COUNT_DEFAULT, .spread = spread};
    jd_context_def def = jd_default_context_def();
    def.log = report_log;
    def.progress = report_progress;
    def.stop = report_stop;
    def.user = &c;
    def.fence = true;
    def.keep_modes = true;
    c.context = jd_context_create(&def);
    c.arena = c.context && has_room() ? jd_arena_create(c.context) : NULL;
    if (!c.arena) {
        fputs("judder: not enough memory\n", stderr);
        _exit(EXIT_FILE); // OpenBLAS would wait at a regular end, too
    }
    if (spread) jd_context_set_solver(c.context, spread->solver);
    jd_status s = options_read(&c, argc, argv);
    if (is_silent(&c)) be_silent(&c);
    if (c.no_cache) jd_context_keep_modes(c.context, false);
    endings_json(c.json);
    keep_files(&c);
    if (s == JD_OK) s = run(&c);
    report_progress_end(&c);
    if (s != JD_OK && spread && spread->failed) spread->failed(&c);
    int code = finish_output(s == JD_OK      ? ending_code(&c)
                             : is_silent(&c) ? EXIT_STOPPED
                                             : report_failure(&c));
    jd_arena_free(c.arena);
    jd_context_free(c.context);
    endings_end(code);
    return code;
}
