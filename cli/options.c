// options.c -- the command line, read by getopt_long with the tables of the verbs.
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/param_tools.h"
#include "command.h"
#include "terminal.h"

enum { LONG_BASE = 256, DOC_COLUMN = 27 }; // getopt values of long options; where docs begin

static int row_named(const option_rows *l, const char *name) {
    for (int i = 0; i < l->n; i++) {
        if (strcmp(l->row[i]->name, name) == 0) return i;
    }
    return -1;
}

static void add_row(option_rows *l, const option *o) {
    if (row_named(l, o->name) < 0) l->row[l->n++] = o;
}

static void add_shared(option_rows *l, unsigned bits) {
    for (int i = 0; option_shared[i].name; i++) {
        if (bits & 1u << i) add_row(l, &option_shared[i]);
    }
}

static void add_own(option_rows *l, const option *rows) {
    while (rows && rows->name) add_row(l, rows++);
}

static int count_rows(const option *rows) {
    int n = 0;
    while (rows && rows[n].name) n++;
    return n;
}

unsigned options_bits(const verb *v) {
    unsigned bits = v->shared | SHARED_ALWAYS;
    bool writes = bits & (SHARED_OUTPUT | SHARED_CSV | SHARED_PLOT);
    for (const option *o = v->options; o && o->name; o++) writes |= o->kind == OPTION_FILE;
    if (bits & SHARED_PICTURE) bits |= SHARED_LABELS;
    return writes ? bits | SHARED_FORCE : bits;
}

// Of a verb its own rows first; without a verb the shared rows, then those of all verbs.
static jd_status list_rows(call *c, const verb *v, option_rows *out) {
    int room = count_rows(option_shared);
    for (int i = 0; verbs[i]; i++) room += count_rows(verbs[i]->options);
    *out = (option_rows){.row = JD_TAKE(c->arena, const option *, room),
                         .given = JD_TAKE(c->arena, bool, room)};
    if (!out->row || !out->given) return out_of_memory(c);
    if (v) add_own(out, v->options);
    add_shared(out, (v ? options_bits(v) : ~0u) & ~(unsigned)SHARED_ALWAYS);
    for (int i = 0; !v && verbs[i]; i++) add_own(out, verbs[i]->options);
    add_shared(out, SHARED_ALWAYS);
    return JD_OK;
}

void options_print(const call *c, FILE *stream) {
    for (int i = 0; i < c->rows.n; i++) {
        const option *o = c->rows.row[i];
        if (!o->doc) continue;
        char left[64];
        snprintf(left, sizeof left, "%s%c%s--%s%s%s", o->letter ? "-" : "  ",
                 o->letter ? o->letter : ' ', o->letter ? ", " : " ", o->name, o->value ? " " : "",
                 o->value ? o->value : "");
        int column = fprintf(stream, "  %-24s ", left);
        terminal_wrap(o->doc, column, DOC_COLUMN, HELP_WIDTH, stream);
        fputc('\n', stream);
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
    const char **names = JD_TAKE(c->arena, const char *, c->rows.n);
    int n = 0;
    if (!names) return out_of_memory(c);
    for (int i = 0; i < c->rows.n; i++) {
        if (c->rows.row[i]->doc) names[n++] = c->rows.row[i]->name;
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

// Where the row keeps its value; NULL: an option of a verb, and none was given.
static void *place_of(const call *c, const option *o) {
    const char *base = o->own ? c->own : (const char *)c;
    return base ? (void *)(base + o->place) : NULL;
}

const char *option_file(const call *c, const option *o) {
    const char **place = place_of(c, o);
    return place && o->kind == OPTION_FILE ? *place : NULL;
}

static jd_status take_number(call *c, const option *o, const char *value, double *out) {
    char *end;
    *out = strtod(value, &end);
    if (end != value && !*end && *out >= 0 && isfinite(*out)) return JD_OK;
    return jd_fail(c->context, JD_BAD_USAGE, "--%s wants a number from 0 on, not `%s`", o->name,
                   value);
}

static jd_status take_value(call *c, const option *o, const char *value, int room) {
    void *place = place_of(c, o);
    if (!place) return JD_OK;
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)place = true;
        return JD_OK;
    case OPTION_TEXT:
    case OPTION_FILE:
        *(const char **)place = value;
        return JD_OK;
    case OPTION_LIST: {
        option_list *list = place;
        if (!list->text) list->text = JD_TAKE(c->arena, const char *, room);
        if (!list->text) return out_of_memory(c);
        list->text[list->n++] = value;
        return JD_OK;
    }
    case OPTION_WHOLE:
        if (whole(value, o->low, o->high, place)) return JD_OK;
        return jd_fail(c->context, JD_BAD_USAGE,
                       "--%s wants a whole number from %d to %d, not `%s`", o->name, o->low,
                       o->high, value);
    case OPTION_NUMBER:
        return take_number(c, o, value, place);
    default:
        return o->take(c, value);
    }
}

// room: how many words there are.
static jd_status take(call *c, const char *name, const char *value, int room) {
    int i = row_named(&c->rows, name);
    if (i < 0) {
        jd_fail(c->context, JD_BAD_USAGE, "`judder %s` takes no --%s", c->verb->name, name);
        return usage(c, help_of(c));
    }
    const option *o = c->rows.row[i];
    if (o->kind == OPTION_FILE && c->rows.given[i])
        return jd_fail(c->context, JD_BAD_USAGE, "--%s is given twice", o->name);
    if (o->value && strncmp(value, "--", 2) == 0) { // an option swallowed as a file name
        jd_fail(c->context, JD_BAD_USAGE, "option `--%s` wants a value: %s", o->name, o->value);
        return usage(c, help_of(c));
    }
    c->rows.given[i] = true;
    return take_value(c, o, value, room);
}

static const option *row_of_code(const option_rows *all, int code) {
    if (code >= LONG_BASE) return all->row[code - LONG_BASE];
    for (int i = 0; i < all->n; i++) {
        if (all->row[i]->letter == code) return all->row[i];
    }
    return NULL;
}

static jd_status refuse(call *c, const option_rows *all, int code, const char *text) {
    const option *o = optopt ? row_of_code(all, optopt) : NULL;
    if (code == ':' && o) {
        jd_fail(c->context, JD_BAD_USAGE, "option `%s` wants a value: %s", text, o->value);
        return usage(c, help_of(c));
    }
    if (o && !o->value && strncmp(text, "--", 2) == 0) {
        return jd_fail(c->context, JD_BAD_USAGE, "option `--%s` takes no value", o->name);
    }
    return unknown_option(c, text);
}

static jd_status read_all(call *c, const option_rows *all, int argc, char **argv) {
    struct option *longs = JD_TAKE(c->arena, struct option, all->n + 1);
    char *shorts = JD_TAKE(c->arena, char, 2 * all->n + 2), *s = shorts;
    if (!longs || !shorts) return out_of_memory(c);
    *s++ = ':';
    for (int i = 0; i < all->n; i++) {
        const option *o = all->row[i];
        longs[i] = (struct option){o->name, o->value ? required_argument : no_argument, NULL,
                                   LONG_BASE + i};
        if (o->letter) *s++ = o->letter;
        if (o->letter && o->value) *s++ = ':';
    }
    opterr = 0;
    optind = 1;
    for (int code; (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        if (code == '?' || code == ':') return refuse(c, all, code, argv[optind - 1]);
        JD_TRY(take(c, row_of_code(all, code)->name, optarg, argc));
    }
    return JD_OK;
}

// True when the word is an option whose value is the next word.
static bool wants_next(const option_rows *all, const char *word) {
    for (int i = 0; i < all->n; i++) {
        const option *o = all->row[i];
        if (!o->value) continue;
        if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, o->name) == 0) return true;
        if (o->letter && word[0] == '-' && word[1] == o->letter && !word[2]) return true;
    }
    return false;
}

// The verb is the first word; known before the options, so that their errors can speak of it.
static jd_status find_verb(call *c, const option_rows *all, int argc, char **argv) {
    c->rows = *all;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) c->json = true; // an error is an object too
    }
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1]) {
            i += wants_next(all, argv[i]);
            continue;
        }
        c->verb = verb_find(argv[i]);
        if (!c->verb && strcmp(argv[i], "help") != 0) return unknown_verb(c, argv[i]);
        break;
    }
    if (!c->verb) return JD_OK;
    JD_TRY(list_rows(c, c->verb, &c->rows));
    if (c->verb->own_size == 0) return JD_OK;
    c->own = jd_arena_take(c->arena, 1, c->verb->own_size);
    if (!c->own) return out_of_memory(c);
    if (c->verb->own) memcpy(c->own, c->verb->own, c->verb->own_size);
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

// Options that say something of another one that is missing; where the verb does not take that,
// they stand alone.
static jd_status check_company(call *c) {
    for (int i = 0; i < c->rows.n; i++) {
        const option *o = c->rows.row[i];
        int k = o->with ? row_named(&c->rows, o->with) : -1;
        if (k >= 0 && c->rows.given[i] && !c->rows.given[k])
            return jd_fail(c->context, JD_BAD_USAGE, "--%s has a meaning only with --%s %s",
                           o->name, o->with, c->rows.row[k]->value);
    }
    return JD_OK;
}

// `-` is the standard output: for one table, and for nothing but tables.
static jd_status check_dashes(call *c) {
    for (int i = 0; i < c->rows.n; i++) {
        const option *o = c->rows.row[i];
        const char *file = option_file(c, o);
        if (!file || strcmp(file, "-") != 0) continue;
        if (!o->dash) {
            jd_fail(c->context, JD_BAD_USAGE, "--%s wants a file, not the standard output `-`",
                    o->name);
            return usage(c, "`./-` is a file of that name");
        }
        if (c->json)
            return jd_fail(c->context, JD_BAD_USAGE,
                           "--json and --%s - both want the standard output", o->name);
    }
    return JD_OK;
}

static jd_status check_arguments(call *c) {
    if (c->help || c->version) return JD_OK;
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
        jd_fail(c->context, JD_BAD_USAGE, "`judder %s` takes no argument `%s`", c->verb->name,
                c->argument[c->verb->most]);
        return usage(c, help_of(c));
    }
    JD_TRY(check_dashes(c));
    return check_company(c);
}

jd_status options_read(call *c, int argc, char **argv) {
    c->picture = jd_default_picture_def();
    c->command = quoted(c, argc, argv);
    if (!c->command) return out_of_memory(c);
    option_rows all;
    JD_TRY(list_rows(c, NULL, &all));
    JD_TRY(find_verb(c, &all, argc, argv));
    JD_TRY(read_all(c, &all, argc, argv));
    c->argument = argv + optind;
    c->n_argument = argc - optind;
    if (c->n_argument > 0 && strcmp(c->argument[0], "help") == 0) { // judder help [VERB]
        c->help = true;
        if (c->n_argument > 1 && !(c->verb = verb_find(c->argument[1])))
            return unknown_verb(c, c->argument[1]);
        JD_TRY(list_rows(c, c->verb, &c->rows));
    }
    if (c->verb && c->n_argument > 0) {
        c->argument++;
        c->n_argument--;
    }
    return check_arguments(c);
}
