// lab.c -- judder lab: a page in the browser with the model's knobs, served on this machine.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

typedef struct lab_asked {
    int port; // 0: a free one
    bool no_browser;
} lab_asked;

#ifdef JD_LAB
#include "lab/lab.h"

enum { PATH = 4096 };

// A folder beside the command: where it is installed, or in the tree it was built in.
static const char *find_folder(call *c, const char *installed, const char *built,
                               const char *file) {
    char self[PATH];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) return NULL;
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    const char *const below[] = {installed, built};
    for (int i = 0; i < 2; i++) {
        const char *folder = jd_arena_format(c->arena, "%s/%s", self, below[i]);
        const char *probe = folder ? jd_arena_format(c->arena, "%s/%s", folder, file) : NULL;
        if (probe && access(probe, R_OK) == 0) return folder;
    }
    return NULL;
}

static jd_status find_page(call *c, lab_setup *lab) {
    lab->page = find_folder(c, "../share/judder/lab", "../lab", "index.html");
    lab->gallery = find_folder(c, "../share/judder/gallery", "../../gallery", "README.md");
    if (lab->page) return JD_OK;
    jd_fail(c->context, JD_CANNOT_READ, "the page of the lab is not there");
    jd_fail_hint(c->context,
                 "`make lab` builds it and `make install` installs it; both need Node.js "
                 "(Debian: nodejs, npm)");
    return JD_CANNOT_READ;
}

// Two forks, so that the browser is no child of this process that would have to be waited for.
static void open_browser(const char *address) {
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) {
            setsid();
            // by descriptors: another thread may have held the lock of a stream when it forked
            int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
            dup2(nowhere, STDOUT_FILENO);
            dup2(nowhere, STDERR_FILENO);
            execlp("xdg-open", "xdg-open", address, (char *)NULL);
            _exit(EXIT_FILE);
        }
        _exit(EXIT_DONE);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

static void tell(const call *c, const lab_setup *lab, int port) {
    const lab_asked *asked = c->own;
    char address[100];
    snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", port, lab->token);
    if (c->json)
        printf("{\"address\": \"%s\"}\n", address);
    else
        printf("lab          %s\n%s", address,
               c->quiet ? "" : "             the address is the key to it; Ctrl-C ends the lab\n");
    fflush(stdout);
    if (!asked->no_browser) open_browser(address);
}

static jd_status run_lab(call *c) {
    const lab_asked *asked = c->own;
    lab_setup lab = {.model = c->n_argument > 0 ? c->argument[0] : NULL, .set = c->set};
    jd_problem *problem = NULL;
    void *server;
    int port;
    if (lab.model && access(lab.model, R_OK) != 0) return load_model(c, &problem); // says why
    JD_TRY(find_page(c, &lab));
    if (!guard_token(lab.token))
        return jd_fail(c->context, JD_CANNOT_READ, "the system gives no random numbers");
    json_object_seed(0);
    report_listen();
    signal(SIGPIPE, SIG_IGN); // a page that is closed
    JD_TRY(server_start(c, &lab, asked->port, &server, &port));
    tell(c, &lab, port);
    while (!report_stop(c)) nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    server_stop(server);
    catalog_end(&lab);
    return JD_OK;
}
#else
static jd_status run_lab(call *c) {
    jd_fail(c->context, JD_CANNOT_LOAD, "this command was built without its server");
    jd_fail_hint(c->context, "install libcivetweb-dev, then build again");
    return JD_CANNOT_LOAD;
}
#endif

static const option options[] = {
    // name, value, doc, kind, place
    {"port", "N", "port of this machine to listen on; a free one if not given", OPTION_WHOLE,
     IN_OWN(lab_asked, port), .low = 1, .high = 65535},
    {"no-browser", NULL, "print the address only", OPTION_FLAG, IN_OWN(lab_asked, no_browser)},
    {0}};

const verb verb_lab = {
    .name = "lab",
    .arguments = "[MODEL.yaml]",
    .doc = "knobs, motion, shape and sound in the browser",
    .help = "Serves one page on this machine and opens it: knobs for the numbers of the\n"
            "model, its motion, shape, energies, sweeps and branches, computed while a knob\n"
            "is turned. Without a model the page begins with the templates and the gallery.\n"
            "Only this machine can reach it (127.0.0.1), and only with the address printed,\n"
            "whose token is new every time. From another machine: ssh -L 8000:127.0.0.1:PORT,\n"
            "with --port PORT, and the same address with port 8000. Ctrl-C ends it.\n",
    .shared = SHARED_SET | SHARED_QUIET | SHARED_JSON,
    .options = options,
    .own_size = sizeof(lab_asked),
    .least = 0,
    .most = 1,
    .run = run_lab,
};
