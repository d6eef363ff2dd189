// compare.c -- judder compare: how far two result files are apart.
#include "command.h"

enum { SHOWN = 20 };

typedef struct compare_asked {
    double tolerance; // 0: the same bits
} compare_asked;

static void print_row(call *c, table *t, const json_t *one) {
    const json_t *relative = json_object_get(one, "relative"), *at = json_object_get(one, "place");
    const char *size = "", *place = "";
    if (json_is_number(relative))
        size = jd_arena_format(c->arena, "%.2g", json_number_value(relative));
    if (json_is_integer(at))
        place = jd_arena_format(c->arena, "%" JSON_INTEGER_FORMAT, json_integer_value(at));
    table_row(t, (const char *[]){json_string_value(json_object_get(one, "path")),
                                  json_string_value(json_object_get(one, "what")), size ? size : "",
                                  place ? place : ""});
}

static void print_comparison(call *c, const json_t *found) {
    const compare_asked *asked = c->own;
    const json_t *list = json_object_get(found, "differences");
    size_t n = json_array_size(list);
    double largest = json_number_value(json_object_get(found, "largest"));
    long long numbers = json_integer_value(json_object_get(found, "numbers"));
    if (n == 0 && largest == 0) {
        printf("equal: all %lld values\n", numbers);
    } else if (n == 0) {
        printf("equal within %g: %lld values, at most %.2g apart\n", asked->tolerance, numbers,
               largest);
    } else {
        printf("%zu of the things compared differ (%lld values, tolerance %g)\n\n", n, numbers,
               asked->tolerance);
        table *t = table_create(c, "llrr");
        table_row(t, (const char *[]){"what", "differs by", "relative", "place"});
        for (size_t i = 0; i < n && i < SHOWN; i++) print_row(c, t, json_array_get(list, i));
        table_print(t, "  ", stdout);
        if (n > SHOWN) printf("  ... and %zu more (--json lists all)\n", n - SHOWN);
    }
}

static jd_status run_compare(call *c) {
    const compare_asked *asked = c->own;
    json_t *a = NULL, *b = NULL;
    jd_status s = jd_hdf5_read(c->context, c->argument[0], &a);
    if (s == JD_OK) s = jd_hdf5_read(c->context, c->argument[1], &b);
    if (s == JD_OK) {
        json_t *found = jd_document_compare(a, b, asked->tolerance);
        c->stopped = !json_is_true(json_object_get(found, "same"));
        if (c->json)
            jd_json_write(found, stdout);
        else if (!c->quiet)
            print_comparison(c, found);
        json_decref(found);
    }
    json_decref(a);
    json_decref(b);
    return s;
}

static const option options[] = {
    // name, value, doc, kind, place
    {"tolerance", "E", "relative difference that still counts as equal; 0 if not given",
     OPTION_NUMBER, IN_OWN(compare_asked, tolerance)},
    {0}};

const verb verb_compare = {
    .name = "compare",
    .arguments = "A.h5 B.h5",
    .doc = "how far two result files are apart",
    .help = "Compares every number, text and table of two result files: arrays by their\n"
            "largest difference relative to their largest value; displacements, velocities\n"
            "and forces of points relative to the largest of their kind. Where the results\n"
            "come from (command, model, version) and residuals do not count, nor, of two\n"
            "engines, their certificates and what only one of them reports. Exit code 0 when\n"
            "equal within --tolerance, 1 when not.\n",
    .shared = SHARED_JSON | SHARED_QUIET,
    .options = options,
    .own_size = sizeof(compare_asked),
    .least = 2,
    .most = 2,
    .run = run_compare,
};
