// main.c -- the judder command: the table of verbs, help, and how a call begins and ends.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

enum { RESULTS = OPTION_OUTPUT | OPTION_CSV | OPTION_JSON | OPTION_QUIET };

const verb verbs[] = {
    {"new", "[TEMPLATE]", "a commented model file to start from",
     "Prints a commented model file, or writes it to the file that -o names. Without a TEMPLATE\n"
     "it lists the templates. An existing file is only replaced with --force.\n",
     OPTION_OUTPUT | OPTION_FORCE | OPTION_JSON | OPTION_QUIET, 0, 1, run_new},
    {"check", "MODEL.yaml", "what a model is and what will be done with it",
     "Reads and builds the model and says in plain words what it is.\n",
     OPTION_SET | OPTION_JSON | OPTION_QUIET | OPTION_THREADS, 1, 1, run_check},
    {"modes", "MODEL.yaml", "natural frequencies, free and with each contact stuck",
     "Natural modes of the structure, and with each contact stuck (its point held). Every mode\n"
     "carries the number of digits of its frequency that are right; only those are printed.\n",
     RESULTS | OPTION_SET | OPTION_THREADS | OPTION_COUNT, 1, 1, run_modes},
    {"kernel", "MODEL.yaml", "what contacts feel of their structure: memory kernels",
     "The response G of each contact's velocity to a step of force, its jump at 0, and the "
     "kernels\n"
     "L, L0, L1 with A and L_infinity of the reduced equation with memory, for finitely many "
     "modes\n"
     "or `modes: infinite` (string, rod, beam). The section `kernel` says how long, at how many\n"
     "times, and which modes carry W; --csv keeps the kernels, --plot draws them.\n",
     RESULTS | OPTION_SET | OPTION_THREADS | OPTION_PLOT, 1, 1, run_kernel},
    {"nsm", "MODEL.yaml", "families of periodic orbits of a structure that knocks",
     "Nonsmooth modes: every family of periodic orbits with one impact per period against the one\n"
     "elastic stop of a structure without losses, in the window `nsm.omega`: where it starts, "
     "where\n"
     "and how it ends, its energy and stability. No family is missed: the list is certified. With\n"
     "`nsm.impacts: 3` (or more) also the families of more impacts that meet at its grazing ends.\n"
     "--plot draws frequency over energy, --csv keeps the numbers of that picture.\n"
     "--orbit 1:1.5 shows the orbit of branch ω1 with ω = 1.5 and the `start` that puts `judder "
     "run`\n"
     "and `judder orbit` on it; --orbit 1 the orbits all along the branch (--plot: in space).\n",
     RESULTS | OPTION_SET | OPTION_THREADS | OPTION_COUNT | OPTION_PLOT | OPTION_ORBIT, 1, 1,
     run_nsm},
    {"run", "MODEL.yaml", "motion in time, with every event",
     "Computes the motion the section `simulate` asks for and says what happened: events by kind,\n"
     "whether every one of them is certain, and where the energy went. -o keeps samples, events\n"
     "and the state at the end, from which `start: {type: restart, file: ...}` goes on; --csv "
     "keeps\n"
     "the samples, --events the events, --wav makes one of them heard, --plot draws a picture. "
     "Ctrl-C ends it early and keeps "
     "what there is.\n",
     RESULTS | OPTION_EVENTS | OPTION_HORIZON | OPTION_WAV | OPTION_RATE | OPTION_SIGNAL |
         OPTION_SET | OPTION_THREADS | OPTION_PLOT | OPTION_WINDOW | OPTION_PICTURE,
     1, 1, run_run},
    {"orbit", "MODEL.yaml", "a periodic orbit and whether it is stable",
     "Finds the motion that repeats: simulates for a while, then solves for the state that "
     "returns\n"
     "after the period, and gives its events, Floquet multipliers and extreme values. With "
     "--starts\n"
     "it follows random starts and lists the orbits they settle to. Ctrl-C ends it early.\n",
     RESULTS | OPTION_SET | OPTION_THREADS | OPTION_STARTS | OPTION_SEED | OPTION_PLOT |
         OPTION_PICTURE,
     1, 1, run_orbit},
    {"sweep", "MODEL.yaml", "settled motion on a grid of one or two parameters",
     "Brings every point of the section `sweep` to its settled motion and records amplitude,\n"
     "phases, period, stability and samples once per drive period: maps, bifurcation diagrams,\n"
     "hysteresis. With -o every finished point is kept in FILE.h5.journal at once: after Ctrl-C,\n"
     "a crash or kill -9 the same command goes on where it was.\n",
     RESULTS | OPTION_SET | OPTION_THREADS | OPTION_RESTART | OPTION_PLOT, 1, 1, run_sweep},
    {"follow", "MODEL.yaml", "periodic orbits along one number of the model, with stability",
     "Finds the orbit at `follow.from` and follows it towards `follow.to` by pseudo-arclength:\n"
     "through folds, through changes of the sequence of phases, stable or not. Lists every fold,\n"
     "period doubling, Neimark-Sacker point, grazing, appearing or vanishing stick, and says why\n"
     "the branch ends. --csv keeps the branch, -o everything, --plot draws it.\n",
     RESULTS | OPTION_SET | OPTION_THREADS | OPTION_COUNT | OPTION_PLOT, 1, 1, run_follow},
    {"converge", "MODEL.yaml", "how a result settles as nodes or modes are added",
     "Runs the model once for every value that --over lists and compares a measure of each run\n"
     "with that of the last, finest one: ratios, observed orders, and from where on they stay\n"
     "within one percent. Several --over are several studies; each leaves the rest of the model\n"
     "as it is. The measure is the norm sqrt(integral of u^2 dt) of the last point of\n"
     "`output.points` unless --measure names another.\n",
     RESULTS | OPTION_SET | OPTION_THREADS | OPTION_OVER | OPTION_MEASURE | OPTION_PLOT, 1, 1,
     run_converge},
    {"plot", "RESULT.h5", "a picture of a result file",
     "Draws what a result file holds into the file that -o names (.svg, .png or .pdf), from the\n"
     "numbers in it: samples and events of a run or an orbit, its multipliers, a sweep, a branch,\n"
     "kernels, nonsmooth modes. --csv keeps the plotted numbers.\n",
     OPTION_OUTPUT | OPTION_CSV | OPTION_WINDOW | OPTION_PICTURE | OPTION_JSON | OPTION_QUIET, 1, 1,
     run_plot},
    {"info", "RESULT.h5", "what a result file is and holds",
     "Says which command, version and model made a result file, and what is in it.\n",
     OPTION_JSON | OPTION_QUIET, 1, 1, run_info},
    {"compare", "A.h5 B.h5", "how far two result files are apart",
     "Compares every number, text and table of two result files: arrays by their largest "
     "difference\n"
     "relative to their largest value. Where the results come from (command, model, version) and\n"
     "residuals do not count. Exit code 0 when equal within --tolerance, 1 when not.\n",
     OPTION_TOLERANCE | OPTION_JSON | OPTION_QUIET, 2, 2, run_compare},
    {"list", "[KIND | NAME]", "what a model file can say",
     "Structures, damping, contacts, drives, starts, sections and engines with their keys, units,\n"
     "defaults and ranges. KIND is one of these words, NAME one of the things listed: `judder list "
     "fe-beam`.\n",
     OPTION_JSON | OPTION_MARKDOWN, 0, 1, run_list},
    {0}};

const verb *verb_find(const char *name) {
    for (const verb *v = verbs; v->name; v++) {
        if (strcmp(v->name, name) == 0) return v;
    }
    return NULL;
}

static void print_help(const verb *v) {
    if (v) {
        printf("judder %s %s -- %s\n\n%s\nOptions:\n", v->name, v->arguments, v->doc, v->help);
        options_print(v, stdout);
        return;
    }
    printf("judder -- how elastic structures move when they rub and knock\n\n");
    for (v = verbs; v->name; v++) {
        printf("  judder %-8s %-14s %s\n", v->name, v->arguments, v->doc);
    }
    printf("\nOptions (`judder VERB --help` says which a verb takes):\n");
    options_print(NULL, stdout);
    printf("\nFirst steps:  judder new friction-beam -o beam.yaml;  judder modes beam.yaml\n"
           "Exit codes:   0 done, 1 stopped for a numerical reason, 2 bad usage or model,\n"
           "              3 cannot read or write\n");
}

static jd_status run(call *c) {
    if (c->given & OPTION_VERSION) {
        printf("judder %s\n", jd_version());
        return JD_OK;
    }
    if (c->given & OPTION_HELP) {
        print_help(c->verb);
        return JD_OK;
    }
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
// before, errno still tells why: printing is the last thing a verb does.
static int finish_output(int code) {
    int number = ferror(stdout) ? errno : 0;
    bool fine = !ferror(stdout);
    if (fflush(stdout) != 0) {
        if (fine) number = errno;
        fine = false;
    }
    if (fine) return code;
    if (number != EPIPE) {
        fprintf(stderr, "judder: cannot write to the standard output: %s\n",
                strerror(number ? number : EIO));
    }
    return EXIT_FILE;
}

int main(int argc, char **argv) {
    guard_streams();
    signal(SIGXFSZ, SIG_IGN); // a file beyond the size limit is an error to report, not an end
    call c = {.count = COUNT_DEFAULT, .seed = 1};
    jd_context_def def = jd_default_context_def();
    def.log = report_log;
    def.progress = report_progress;
    def.stop = report_stop;
    def.user = &c;
    c.context = jd_context_create(&def);
    c.arena = c.context ? jd_arena_create(c.context) : NULL;
    if (!c.arena) {
        fputs("judder: not enough memory\n", stderr);
        jd_context_free(c.context);
        return EXIT_FILE;
    }
    jd_status s = options_read(&c, argc, argv);
    if (s == JD_OK) s = run(&c);
    report_progress_end(&c);
    int code = finish_output(s != JD_OK  ? report_failure(&c)
                             : c.stopped ? EXIT_STOPPED
                                         : EXIT_DONE);
    jd_arena_free(c.arena);
    jd_context_free(c.context);
    return code;
}
