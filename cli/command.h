// command.h -- what the verbs of the command share: options, the call, reports, tables.
#ifndef JD_CLI_COMMAND_H
#define JD_CLI_COMMAND_H

#include <stdio.h>

#include <jansson.h>

#include "base/arena.h"
#include "judder/judder.h"
#include "option.h"
#include "result/file/document.h"
#include "result/result.h"

enum {
    EXIT_DONE = 0,
    EXIT_STOPPED = 1,
    EXIT_USAGE = 2,
    EXIT_FILE = 3,
    EXIT_SIGNAL = 128, // and the number of the signal that stopped it early
    COUNT_DEFAULT = -1,
    COUNT_ALL = 0
};

// The line that tells how far a computation is.
typedef struct progress_line {
    bool shown;
    const char *what;    // the step that is reported
    double begin, first; // wall clock [s] and fraction of its first report
} progress_line;

// How work is spread over processes that run the same command line (judder-mpi); NULL: one process.
struct keeper;
typedef struct spreading {
    bool silent; // this process neither writes nor reports: it computes for another one
    // Computes the pieces in all processes together; one that is not silent has them all then.
    jd_status (*run)(struct keeper *k, bool *complete);
    // The call has failed; its reason is in the context.
    void (*failed)(struct call *c);
    // Who factorises large matrices (judder-reduce); NULL: the library.
    const struct jd_solver *solver;
} spreading;

// One call of the command.
typedef struct call {
    jd_context *context;
    jd_arena *arena;
    const struct verb *verb; // NULL: none given
    int n_argument;
    char **argument;                 // what is no option, the verb left out
    const char *output, *csv, *plot; // files to write; NULL: not asked for
    jd_picture_def picture;          // what is drawn
    const char *command;             // the whole command line, quoted for a shell
    bool json, quiet, help, version, no_cache, force;
    int count;        // rows; COUNT_DEFAULT, COUNT_ALL
    int threads;      // 0: not said
    option_list set;  // changes of the model
    void *own;        // what the verb's own options say: its struct
    option_rows rows; // the options that the verb takes; of all verbs where none is given
    progress_line progress;
    bool stopped; // for a numerical reason, with the result kept
    bool refused; // the model asks for what cannot be done, and that was told
    const spreading *spread;
} call;

typedef struct verb {
    const char *name, *arguments, *doc; // one line each
    const char *help;                   // paragraphs; ends with a newline
    unsigned shared;                    // bits of shared_option
    const option *options;              // rows of its own; end with {0}; NULL: none
    size_t own_size;                    // of the struct that its own options are kept in; 0: none
    const void *own;                    // what is in it before they are read; NULL: zeros
    int least, most;                    // number of arguments
    bool moves;                         // an engine must be able to compute the model
    bool shows;                         // -o FILE.pvd and FILE.vtu are pictures in space
    jd_status (*run)(call *c);
} verb;

extern const verb verb_backbone, verb_fit, verb_batch, verb_new, verb_check, verb_modes,
    verb_kernel, verb_nsm, verb_run, verb_orbit, verb_sweep, verb_follow, verb_converge, verb_plot,
    verb_info, verb_compare, verb_list, verb_reduce, verb_merge, verb_completion, verb_lab;
extern const verb *const verbs[]; // ends with NULL
// The whole command; returns its exit code.
int command_run(int argc, char **argv, const spreading *spread);
const verb *verb_find(const char *name);

// Reads the command line into the call.
jd_status options_read(call *c, int argc, char **argv);
// Bits of the shared options that a verb takes; --force where it writes files, labels where it
// draws.
unsigned options_bits(const verb *v);
// Options of the call's verb (NULL: of all), one per line.
void options_print(const call *c, FILE *stream);
// The file that a row of kind OPTION_FILE names; NULL: none, or a row of another kind.
const char *option_file(const call *c, const option *o);

// The failure in the context, on stderr or as a JSON object; returns the exit code.
int report_failure(call *c);
// What is proved about the events of a run: the line `certificate`, and those that belong to it.
void report_certificate(const jd_certificate *certificate, FILE *stream);
void report_warning(call *c, const char *format, ...) JD_PRINTF(2, 3);
// What comes from outside (texts of models, of files, names of files), shown on one line with its
// control characters spelled out. clean_output does so for all that is printed from now on, but for
// newlines.
void clean_put(const char *text, FILE *stream);
const char *clean_text(call *c, const char *text);
void clean_copy(const char *text, char *out, size_t size); // cut where there is no room
jd_status clean_output(call *c);
// Hooks of the context.
void report_log(void *user, jd_log_level level, const char *text);
void report_progress(void *user, const char *what, double fraction);
void report_progress_end(call *c);
bool report_stop(void *user); // Ctrl-C
// From now on the first Ctrl-C, SIGTERM, SIGHUP or SIGXCPU makes report_stop true, the second ends
// the command.
void report_listen(void);

// From now on such a signal removes what is half-written and ends the command, and so does a crash
// or a call of exit(), with a reason and EXIT_FILE. After endings_end nothing changes the code.
void endings_begin(void);
void endings_json(bool json); // the reason is a JSON object on the standard output
void endings_end(int code);
int endings_request(void); // number of the signal that asked to stop; 0: none
_Noreturn void end_without_memory(void);

// Before anything is computed: what is written must not replace the file it comes from nor the
// other file written nor, without --force, any other, and it must be possible to write it.
jd_status check_targets(call *c);
// A regular file of that name is replaced with --force only.
jd_status must_be_new(call *c, const char *path);
// Checks the targets, then reads and builds the model of the first argument.
jd_status load_model(call *c, jd_problem **out);
// A model that starts from the end of an earlier run: its state into the options, as a block of the
// same problem, or as numbers that a changed problem can take too. Any other model: nothing.
jd_status take_up(call *c, jd_problem *problem, jd_orbit_options *options);
jd_status take_up_state(call *c, jd_problem *problem, jd_orbit_options *options);
// What a verb computed: into -o, --csv FILE and, with `draw`, --plot; on the standard output as
// JSON (with the processor time, unless it is < 0) or CSV.
jd_status deliver(call *c, jd_result *result, double seconds, bool draw);
jd_status print_json(call *c, const jd_result *result, double seconds);
bool is_silent(const call *c);   // another process has the result
bool takes_csv(const call *c);   // the standard output is for CSV
bool wants_words(const call *c); // it is for people
jd_status out_of_memory(call *c);
// -o FILE.pvd, FILE.vtu (of modes also FILE.uff) ask for pictures in space, which the verb writes
// by itself; then the call has no other output. NULL: it does not.
bool wants_series(const call *c); // -o names .pvd or .vtu
const char *take_series(call *c);
void report_series(call *c, const char *path, int files);

// Values of --window and --picture; the picture of --plot, which is announced unless --quiet.
jd_status plot_take_window(call *c, const char *value);
jd_status plot_take_kind(call *c, const char *value);
// Before anything is computed: is the kind asked for one of these bits? `what` they are pictures
// of.
#define PLOT_KIND(kind) (1u << (kind))
enum {
    PLOT_PAGE = PLOT_KIND(JD_PICTURE_PAGE),
    PLOT_MOTION = PLOT_PAGE | PLOT_KIND(JD_PICTURE_HISTORY) | PLOT_KIND(JD_PICTURE_PORTRAIT),
    PLOT_FORCES = PLOT_MOTION | PLOT_KIND(JD_PICTURE_FORCE) | PLOT_KIND(JD_PICTURE_ENERGY) |
                  PLOT_KIND(JD_PICTURE_HYSTERESIS) | PLOT_KIND(JD_PICTURE_STATUS)
};
jd_status plot_check(call *c, const char *what, unsigned kinds);

// Letters of contact states that a line shows, and behind it what they mean.
typedef struct letters {
    unsigned bits;
} letters;
void legend_add(letters *seen, const char *phase);
void legend_print(const letters *seen, FILE *stream);

// A table for people: columns aligned 'l' or 'r', width counted in characters, not bytes.
typedef struct table table;
table *table_create(call *c, const char *align);
void table_row(table *t, const char *const *cells); // one text per column
void table_print(const table *t, const char *indent, FILE *stream);

// Templates of `judder new`. A template may come with files beside the model.
typedef struct template_file {
    const char *name, *text;
} template_file;
typedef struct model_template {
    const char *name, *doc, *text;
    template_file beside[3]; // ends with name == NULL
} model_template;
extern const model_template templates[]; // ends with name == NULL

// The tables of everything a model can say, as JSON: {"structures":[{"name","doc","keys"}]...}.
json_t *reference_tree(void);
// The same as a JSON Schema of the model file.
json_t *reference_schema(void);
void reference_markdown(const json_t *tree, FILE *stream);

#endif
