// option.h -- an option of a verb: a row of the table that the verb's file holds.
#ifndef JD_CLI_OPTION_H
#define JD_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "judder/judder.h"

struct call;

typedef enum option_kind {
    OPTION_FLAG,   // bool
    OPTION_TEXT,   // const char *; NULL: not given
    OPTION_FILE,   // the same, a file that is written: given at most once
    OPTION_LIST,   // option_list: given as often as wanted
    OPTION_WHOLE,  // int from low to high
    OPTION_NUMBER, // double, at least 0
    OPTION_OTHER   // what `take` makes of the text
} option_kind;

typedef struct option_list {
    int n;
    const char **text;
} option_list;

// Rows with the same name in several verbs have the same letter, and all of them or none a value.
typedef struct option_row {
    const char *name, *value; // what follows it; NULL: nothing
    const char *doc;          // one line; NULL: not listed
    option_kind kind;
    bool own;     // kept in the verb's own struct (call.own), not in the call
    size_t place; // offset there
    char letter;  // -o is short for --output; 0: none
    int low, high;
    bool dash;        // a file that may be `-`, the standard output
    const char *with; // the option without which this one has no meaning; NULL: none
    jd_status (*take)(struct call *c, const char *value);
} option;

// Rows of one verb, or of all verbs: of each name the first.
typedef struct option_rows {
    int n;
    const option **row;
    bool *given; // on this command line
} option_rows;

// Where a row keeps its value: in the call, or in a struct of the verb.
#define IN_CALL(member) .place = offsetof(call, member)
#define IN_OWN(type, member) .own = true, .place = offsetof(type, member)

// Options that several verbs take, as bits: bit i is row i of option_shared, which ends with {0}.
typedef enum shared_option {
    SHARED_OUTPUT = 1 << 0,
    SHARED_JSON = 1 << 1,
    SHARED_CSV = 1 << 2,
    SHARED_PLOT = 1 << 3,
    SHARED_WINDOW = 1 << 4,
    SHARED_PICTURE = 1 << 5 | 1 << 6, // --picture and --kind
    SHARED_SET = 1 << 7,
    SHARED_COUNT = 1 << 8,
    SHARED_QUIET = 1 << 9,
    SHARED_THREADS = 1 << 10,
    SHARED_ALWAYS = 1 << 11 | 1 << 12,           // --help and --version, which every verb takes
    SHARED_NO_CACHE = 1 << 13,                   // of every verb that reads a model
    SHARED_LABELS = 1 << 14 | 1 << 15 | 1 << 16, // --xlabel, --ylabel and --overlay, beside
                                                 // --picture: options_bits
    SHARED_FORCE = 1 << 17,                      // of every verb that writes files: options_bits
    // Those of every verb that computes a result from a model.
    SHARED_RESULTS = SHARED_OUTPUT | SHARED_JSON | SHARED_CSV | SHARED_PLOT | SHARED_PICTURE |
                     SHARED_SET | SHARED_QUIET | SHARED_THREADS | SHARED_NO_CACHE
} shared_option;
extern const option option_shared[];

#endif
