// shared_options.c -- the options that several verbs take.
#include <stdlib.h>
#include <string.h>

#include "command.h"

static jd_status take_count(call *c, const char *value) {
    char *end;
    long n = strtol(value, &end, 10);
    bool all = strcmp(value, "all") == 0;
    if (!all && (end == value || *end || n < 1 || n > 1000000000))
        return jd_fail(c->context, JD_BAD_USAGE,
                       "--count wants a whole number of at least 1, or `all`, not `%s`", value);
    c->count = all ? COUNT_ALL : (int)n;
    return JD_OK;
}

// In the order of the bits of shared_option: name, value, doc, kind, place.
const option option_shared[] = {
    {"output", "FILE", "write the result: FILE.h5 (HDF5), .json, .mat (MATLAB)", OPTION_FILE,
     IN_CALL(output), .letter = 'o'},
    {"json", NULL, "one JSON object on the standard output, errors too", OPTION_FLAG,
     IN_CALL(json)},
    {"csv", "FILE", "write a table of comma-separated values; - is the standard output",
     OPTION_FILE, IN_CALL(csv), .dash = true},
    {"plot", "FILE", "draw a picture: FILE.svg, .png or .pdf; FILE.csv writes its numbers",
     OPTION_FILE, IN_CALL(plot)},
    {"window", "T0:T1", "the time the picture shows; either may be left out", OPTION_OTHER,
     .with = "plot", .take = plot_take_window},
    {"picture", "KIND", "page, history, portrait, force, energy, field ... (also --kind KIND)",
     OPTION_OTHER, .with = "plot", .take = plot_take_kind},
    {"kind", "KIND", NULL, OPTION_OTHER, .with = "plot", .take = plot_take_kind},
    {"set", "PATH=VALUE", "change the model, e.g. contacts.tip.law.limit=2 (repeatable)",
     OPTION_LIST, IN_CALL(set)},
    {"count", "N", "show and write at most N rows of each list, or `all`", OPTION_OTHER,
     .take = take_count},
    {"quiet", NULL, "print no table, warnings or progress", OPTION_FLAG, IN_CALL(quiet),
     .letter = 'q'},
    {"threads", "N", "threads to use at most; results do not depend on it", OPTION_WHOLE,
     IN_CALL(threads), .low = 1, .high = 1024},
    {"help", NULL, "this help", OPTION_FLAG, IN_CALL(help), .letter = 'h'},
    {"version", NULL, "the version", OPTION_FLAG, IN_CALL(version)},
    {"no-cache", NULL, "neither use nor keep the modes beside large matrices", OPTION_FLAG,
     IN_CALL(no_cache)},
    {"xlabel", "TEXT", "label of the picture's horizontal axis", OPTION_TEXT,
     IN_CALL(picture.x_label), .with = "plot"},
    {"ylabel", "TEXT", "label of the vertical axis of its first panel", OPTION_TEXT,
     IN_CALL(picture.y_label), .with = "plot"},
    {"overlay", "FILE", "also draw the two columns of a CSV file, in the units of the axes",
     OPTION_TEXT, IN_CALL(picture.overlay), .with = "plot"},
    {"force", NULL, "replace files that are there already", OPTION_FLAG, IN_CALL(force)},
    {0}};
