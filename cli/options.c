// options.c -- the command line: one table of options, read by getopt_long.
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/param_tools.h"
#include "command.h"

enum { LONG_BASE = 256, MAX_THREADS = 1024 }; // getopt values of options without a letter

typedef struct option_entry {
    option_bit bit;
    char letter; // 0: none
    const char *name, *value, *doc;
} option_entry;

static const option_entry entries[] = {
    {OPTION_OUTPUT, 'o', "output", "FILE",
     "write the result (HDF5, FILE.h5) or the new model here"},
    {OPTION_JSON, 0, "json", NULL, "one JSON object on the standard output, errors too"},
    {OPTION_CSV, 0, "csv", "FILE",
     "write a table of comma-separated values; - is the standard output"},
    {OPTION_EVENTS, 0, "events", "FILE", "write the events as comma-separated values"},
    {OPTION_WAV, 0, "wav", "FILE", "write a sampled signal as sound; a second is a second"},
    {OPTION_RATE, 0, "rate", "N", "samples per second of the sound: 44100 when left out, or 48000"},
    {OPTION_SIGNAL, 0, "signal", "NAME",
     "what the sound is: bow.v (default: first point), bow.u, bridge.force ..."},
    {OPTION_HORIZON, 0, "horizon", NULL, "also tell how far the digits reach (chaotic motion)"},
    {OPTION_PLOT, 0, "plot", "FILE", "draw a picture: FILE.svg, .png or .pdf; .csv: its numbers"},
    {OPTION_WINDOW, 0, "window", "T0:T1", "the time the picture shows; either may be left out"},
    {OPTION_PICTURE, 0, "picture", "KIND",
     "page, history, portrait, force, energy, field ... (also --kind KIND)"},
    {OPTION_PICTURE, 0, "kind", "KIND", NULL},
    {OPTION_SET, 0, "set", "PATH=VALUE",
     "change the model, e.g. contacts.tip.law.limit=2 (repeatable)"},
    {OPTION_COUNT, 0, "count", "N", "show and write at most N modes of each list, or `all`"},
    {OPTION_STATE, 0, "state", "NAME",
     "`sliding`: also the complex modes about steady sliding on belts"},
    {OPTION_STARTS, 0, "starts", "N",
     "follow N random starts; list the orbits they lead to, with shares"},
    {OPTION_SEED, 0, "seed", "S", "of the random starts, a whole number; 1 when left out"},
    {OPTION_TOLERANCE, 0, "tolerance", "E",
     "relative difference that still counts as equal; 0 when left out"},
    {OPTION_ORBIT, 0, "orbit", "LIST",
     "J/K: orbits of branch ωJ/K in full, J/K:OMEGA one of them, sN resting"},
    {OPTION_OVER, 0, "over", "PATH=V1,V2,...",
     "what to refine, e.g. simulate.nodes=76,152,304 (repeatable)"},
    {OPTION_BESIDE, 0, "beside", "CHANGES",
     "NAME: PATH=VALUE; ... follows the changed model too (repeatable)"},
    {OPTION_MEASURE, 0, "measure", "POINT.KIND",
     "what is compared: norm, final, max or min of a displacement"},
    {OPTION_FORCE, 0, "force", NULL, "replace an existing file"},
    {OPTION_RESTART, 0, "restart", NULL, "begin anew: throw away the journal of a sweep cut short"},
    {OPTION_QUIET, 'q', "quiet", NULL, "print no table, warnings or progress"},
    {OPTION_THREADS, 0, "threads", "N", "threads to use at most; results do not depend on it"},
    {OPTION_MARKDOWN, 0, "markdown", NULL, NULL},
    {OPTION_HELP, 'h', "help", NULL, "this help"},
    {OPTION_VERSION, 0, "version", NULL, "the version"}};
enum { N_ENTRY = sizeof entries / sizeof *entries };

static bool takes(const verb *v, const option_entry *e) {
    return !v || ((v->options | OPTION_HELP | OPTION_VERSION) & e->bit) != 0;
}

void options_print(const verb *v, FILE *stream) {
    for (int i = 0; i < N_ENTRY; i++) {
        const option_entry *e = &entries[i];
        if (!e->doc || !takes(v, e)) continue;
        char left[64];
        snprintf(left, sizeof left, "%s%c%s--%s%s%s", e->letter ? "-" : "  ",
                 e->letter ? e->letter : ' ', e->letter ? ", " : " ", e->name, e->value ? " " : "",
                 e->value ? e->value : "");
        fprintf(stream, "  %-24s %s\n", left, e->doc);
    }
}

static jd_status usage(call *c, const char *hint) {
    jd_fail_hint(c->context, "%s", hint);
    return JD_BAD_USAGE;
}

static const char *help_of(call *c) {
    if (!c->verb) return "`judder --help` lists the verbs and options";
    const char *text =
        jd_arena_format(c->arena, "`judder %s --help` lists what it takes", c->verb->name);
    return text ? text : "";
}

static jd_status unknown_option(call *c, const char *text) {
    const char *names[N_ENTRY];
    int n = 0;
    for (int i = 0; i < N_ENTRY; i++) {
        if (entries[i].doc && takes(c->verb, &entries[i])) names[n++] = entries[i].name;
    }
    char word[64] = "";
    sscanf(text, "--%63[^=]", word);
    const char *near = jd_nearest(word, n, names);
    jd_fail(c->context, JD_BAD_USAGE, "unknown option `%s`", text);
    if (near) jd_fail_hint(c->context, "did you mean `--%s`?", near);
    return usage(c, help_of(c));
}

static jd_status unknown_verb(call *c, const char *text) {
    const char *names[32];
    int n = 0;
    for (; verbs[n] && n < 32; n++) names[n] = verbs[n]->name;
    const char *near = jd_nearest(text, n, names);
    jd_fail(c->context, JD_BAD_USAGE, "unknown verb `%s`", text);
    if (near) jd_fail_hint(c->context, "did you mean `judder %s`?", near);
    return usage(c, help_of(c));
}

// A whole number in [low, high]; false when the text is anything else.
static bool whole(const char *text, long low, long high, int *out) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || end == text || *end || value < low || value > high) return false;
    *out = (int)value;
    return true;
}

static jd_status take_state(call *c, const char *value) {
    c->sliding = strcmp(value, "sliding") == 0;
    if (c->sliding) return JD_OK;
    return jd_fail(c->context, JD_BAD_USAGE, "--state wants `sliding`, not `%s`", value);
}

static jd_status take_value(call *c, option_bit bit, const char *value) {
    switch (bit) {
    case OPTION_OUTPUT:
        c->output = value;
        return JD_OK;
    case OPTION_CSV:
        c->csv = value;
        return JD_OK;
    case OPTION_EVENTS:
        c->events = value;
        return JD_OK;
    case OPTION_WAV:
        c->sound.file = value;
        return JD_OK;
    case OPTION_SIGNAL:
        c->sound.signal = value;
        return JD_OK;
    case OPTION_RATE:
        if (whole(value, 8000, 192000, &c->sound.rate)) return JD_OK;
        return jd_fail(c->context, JD_BAD_USAGE,
                       "--rate wants a whole number from 8000 to 192000, not `%s`", value);
    case OPTION_PLOT:
        c->plot = value;
        return JD_OK;
    case OPTION_ORBIT:
        c->orbit = value;
        return JD_OK;
    case OPTION_WINDOW:
        return plot_take_window(c, value);
    case OPTION_PICTURE:
        return plot_take_kind(c, value);
    case OPTION_TOLERANCE:
        return compare_take_tolerance(c, value);
    case OPTION_SET:
        c->set[c->n_set++] = value;
        return JD_OK;
    case OPTION_OVER:
        c->converge.over[c->converge.n_over++] = value;
        return JD_OK;
    case OPTION_BESIDE:
        c->beside[c->n_beside++] = value;
        return JD_OK;
    case OPTION_MEASURE:
        c->converge.measure = value;
        return JD_OK;
    case OPTION_JSON:
        c->json = true;
        return JD_OK;
    case OPTION_RESTART:
        c->restart = true;
        return JD_OK;
    case OPTION_QUIET:
        c->quiet = true;
        return JD_OK;
    case OPTION_THREADS:
        if (whole(value, 1, MAX_THREADS, &c->threads)) return JD_OK;
        return jd_fail(c->context, JD_BAD_USAGE,
                       "--threads wants a whole number from 1 to %d, not `%s`", MAX_THREADS, value);
    case OPTION_COUNT:
        if (strcmp(value, "all") == 0) {
            c->count = COUNT_ALL;
            return JD_OK;
        }
        if (whole(value, 1, 1000000000, &c->count)) return JD_OK;
        return jd_fail(c->context, JD_BAD_USAGE,
                       "--count wants a whole number of at least 1, or `all`, not `%s`", value);
    case OPTION_STATE:
        return take_state(c, value);
    case OPTION_STARTS:
        if (whole(value, 1, 1000000, &c->starts)) return JD_OK;
        return jd_fail(c->context, JD_BAD_USAGE,
                       "--starts wants a whole number from 1 to 1000000, not `%s`", value);
    case OPTION_SEED:
        if (whole(value, 0, 2147483647, &c->seed)) return JD_OK;
        return jd_fail(c->context, JD_BAD_USAGE,
                       "--seed wants a whole number from 0 to 2147483647, not `%s`", value);
    default:
        return JD_OK;
    }
}

static jd_status take(call *c, const option_entry *e, const char *value) {
    const char *once =
        e->bit & (OPTION_OUTPUT | OPTION_CSV | OPTION_EVENTS | OPTION_PLOT) & c->given ? e->name
                                                                                       : NULL;
    if (once) return jd_fail(c->context, JD_BAD_USAGE, "--%s is given twice", once);
    if (!takes(c->verb, e)) {
        jd_fail(c->context, JD_BAD_USAGE, "`judder %s` takes no --%s", c->verb->name, e->name);
        return usage(c, help_of(c));
    }
    if (e->value && strncmp(value, "--", 2) == 0) { // an option swallowed as a file name
        jd_fail(c->context, JD_BAD_USAGE, "option `--%s` wants a value: %s", e->name, e->value);
        return usage(c, help_of(c));
    }
    c->given |= e->bit;
    return take_value(c, e->bit, value);
}

static const option_entry *entry_of(int code) {
    for (int i = 0; i < N_ENTRY; i++) {
        if (code == LONG_BASE + i || (entries[i].letter && code == entries[i].letter))
            return &entries[i];
    }
    return NULL;
}

static jd_status refuse(call *c, int code, const char *text) {
    const option_entry *e = optopt ? entry_of(optopt) : NULL;
    if (code == ':' && e) {
        jd_fail(c->context, JD_BAD_USAGE, "option `%s` wants a value: %s", text, e->value);
        return usage(c, help_of(c));
    }
    if (e && !e->value && strncmp(text, "--", 2) == 0) {
        return jd_fail(c->context, JD_BAD_USAGE, "option `--%s` takes no value", e->name);
    }
    return unknown_option(c, text);
}

static jd_status read_all(call *c, int argc, char **argv) {
    struct option longs[N_ENTRY + 1] = {0};
    char shorts[2 * N_ENTRY + 2] = ":", *s = shorts + 1;
    for (int i = 0; i < N_ENTRY; i++) {
        const option_entry *e = &entries[i];
        longs[i] = (struct option){e->name, e->value ? required_argument : no_argument, NULL,
                                   LONG_BASE + i};
        if (e->letter) *s++ = e->letter;
        if (e->letter && e->value) *s++ = ':';
    }
    opterr = 0;
    optind = 1;
    for (int code; (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        if (code == '?' || code == ':') return refuse(c, code, argv[optind - 1]);
        JD_TRY(take(c, entry_of(code), optarg));
    }
    return JD_OK;
}

// True when the word is an option whose value is the next word.
static bool wants_next(const char *word) {
    for (int i = 0; i < N_ENTRY; i++) {
        const option_entry *e = &entries[i];
        if (!e->value) continue;
        if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, e->name) == 0) return true;
        if (e->letter && word[0] == '-' && word[1] == e->letter && !word[2]) return true;
    }
    return false;
}

// The verb is the first word; known before the options, so that their errors can speak of it.
static jd_status find_verb(call *c, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) c->json = true; // an error is an object too
    }
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1]) {
            i += wants_next(argv[i]);
            continue;
        }
        c->verb = verb_find(argv[i]);
        return c->verb || strcmp(argv[i], "help") == 0 ? JD_OK : unknown_verb(c, argv[i]);
    }
    return JD_OK;
}

// The words as a shell would take them back.
static const char *quoted(call *c, int argc, char **argv) {
    char *line = jd_arena_text(c->arena, "judder");
    for (int i = 1; line && i < argc; i++) {
        static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                    "-_./=+:,@%";
        bool bare = argv[i][0] && strspn(argv[i], plain) == strlen(argv[i]);
        char *word = jd_arena_take(c->arena, 4 * strlen(argv[i]) + 3, 1), *w = word;
        if (!word) return NULL;
        if (!bare) *w++ = '\'';
        for (const char *p = argv[i]; *p; p++) {
            if (*p == '\'') w += sprintf(w, "'\\'"); // ' becomes '\''
            *w++ = *p;
        }
        if (!bare) *w++ = '\'';
        line = jd_arena_format(c->arena, "%s %s", line, word);
    }
    return line;
}

static jd_status check_arguments(call *c) {
    if (c->given & (OPTION_HELP | OPTION_VERSION)) return JD_OK;
    if (!c->verb) {
        jd_fail(c->context, JD_BAD_USAGE, "no verb given");
        return usage(c, "`judder --help` lists the verbs; `judder new` is a good start");
    }
    if (c->n_argument < c->verb->least) {
        jd_fail(c->context, JD_BAD_USAGE, "`judder %s` wants %s", c->verb->name,
                c->verb->arguments);
        return usage(c, help_of(c));
    }
    if (c->n_argument > c->verb->most) {
        jd_fail(c->context, JD_BAD_USAGE, "`judder %s` has no use for `%s`", c->verb->name,
                c->argument[c->verb->most]);
        return usage(c, help_of(c));
    }
    if (!c->plot && c->verb->options & OPTION_PLOT && c->given & (OPTION_WINDOW | OPTION_PICTURE)) {
        return jd_fail(c->context, JD_BAD_USAGE, "--%s says what --plot FILE draws; there is none",
                       c->given & OPTION_WINDOW ? "window" : "picture");
    }
    if (!c->sound.file && c->given & (OPTION_RATE | OPTION_SIGNAL)) {
        return jd_fail(c->context, JD_BAD_USAGE, "--%s says what --wav FILE writes; there is none",
                       c->given & OPTION_RATE ? "rate" : "signal");
    }
    if (c->csv && strcmp(c->csv, "-") == 0 && c->json) {
        return jd_fail(c->context, JD_BAD_USAGE,
                       "--json and --csv - both want the standard output");
    }
    return JD_OK;
}

jd_status options_read(call *c, int argc, char **argv) {
    c->picture = jd_default_picture_def();
    c->set = JD_TAKE(c->arena, const char *, argc + 1);
    c->command = quoted(c, argc, argv);
    c->converge.over = JD_TAKE(c->arena, const char *, argc + 1);
    c->beside = JD_TAKE(c->arena, const char *, argc + 1);
    if (!c->set || !c->converge.over || !c->beside || !c->command) return out_of_memory(c);
    JD_TRY(find_verb(c, argc, argv));
    JD_TRY(read_all(c, argc, argv));
    c->argument = argv + optind;
    c->n_argument = argc - optind;
    if (c->n_argument > 0 && strcmp(c->argument[0], "help") == 0) { // judder help [VERB]
        c->given |= OPTION_HELP;
        if (c->n_argument > 1 && !(c->verb = verb_find(c->argument[1])))
            return unknown_verb(c, c->argument[1]);
    }
    if (c->verb && c->n_argument > 0) {
        c->argument++;
        c->n_argument--;
    }
    return check_arguments(c);
}
