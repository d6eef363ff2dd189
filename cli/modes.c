// modes.c -- judder modes: natural frequencies, free and with each contact stuck.
//   A frequency is printed with the digits its error bound leaves right, and no others.
#include <math.h>
#include <string.h>

#include "command.h"
#include "picture/of_file.h"

enum { ROWS = 20, DIGITS = 10, FEW = 6 }; // FEW: error above 1e-6

typedef struct tally {
    int few, none; // modes with fewer than FEW right digits; with none
} tally;

static double real_of(const json_t *mode, const char *key) {
    return json_number_value(json_object_get(mode, key));
}

static int digits_of(const json_t *mode) {
    return (int)json_integer_value(json_object_get(mode, "digits"));
}

static const char *number(call *c, double value, int digits) {
    if (digits < 1) return "?";
    if (value == 0) return "0";
    char *text = jd_arena_format(c->arena, "%#.*g", digits < DIGITS ? digits : DIGITS, value);
    if (!text) return "";
    size_t n = strlen(text);
    if (text[n - 1] == '.') text[n - 1] = '\0'; // 12345. reads 12345
    return text;
}

static const char *remark(call *c, const json_t *mode) {
    int digits = digits_of(mode);
    if (digits < 1) return "no digit is right";
    if (real_of(mode, "error") > 1e-6) {
        const char *text = jd_arena_format(c->arena, "only %d digit%s right", digits,
                                           digits == 1 ? " is" : "s are");
        return text ? text : "";
    }
    if (real_of(mode, "omega") == 0) return "rigid body";
    return real_of(mode, "damping_ratio") > 1 ? "overdamped" : "";
}

static void count(tally *t, const json_t *mode) {
    if (real_of(mode, "error") > 1e-6 || digits_of(mode) < 1) t->few++;
    if (digits_of(mode) < 1) t->none++;
}

static void add_row(call *c, table *t, const json_t *mode) {
    int digits = digits_of(mode);
    const json_t *body = json_object_get(mode, "body");
    const char *which = jd_arena_format(c->arena, "%d", (int)real_of(mode, "mode"));
    const char *right = jd_arena_format(c->arena, "%d", digits);
    table_row(t, (const char *[]){body ? json_string_value(body) : "", which ? which : "",
                                  number(c, real_of(mode, "omega"), digits),
                                  number(c, real_of(mode, "frequency_hz"), digits),
                                  number(c, real_of(mode, "damping_ratio"), digits),
                                  right ? right : "", remark(c, mode)});
}

// The first `most` modes of each body.
static void print_list(call *c, const json_t *list, bool si, int most) {
    if (json_array_size(list) == 0) {
        printf("  none: nothing is left to move\n");
        return;
    }
    bool bodies = json_object_get(json_array_get(list, 0), "body") != NULL;
    table *t = table_create(c, "lrrrrrl");
    table_row(t, (const char *[]){bodies ? "body" : "", "mode", si ? "ω [rad/s]" : "ω [rad/time]",
                                  si ? "f [Hz]" : "f [1/time]", "damping ratio", "digits", ""});
    size_t i;
    int left_out = 0;
    json_t *mode;
    json_array_foreach(list, i, mode) {
        if (most != COUNT_ALL && real_of(mode, "mode") > most) {
            left_out++;
        } else {
            add_row(c, t, mode);
        }
    }
    table_print(t, bodies ? "  " : "", stdout);
    if (left_out) printf("  ... and %d more; --count all shows them\n", left_out);
}

static void print_tables(call *c, const json_t *document) {
    const char *title = json_string_value(json_object_get(document, "title")), *contact;
    const char *units = json_string_value(json_object_get(document, "units"));
    bool si = strcmp(units, "SI") == 0;
    int most = c->count == COUNT_DEFAULT ? ROWS : c->count;
    if (title[0]) printf("%s\n\n", title);
    bool truncated = json_is_true(json_object_get(document, "truncated"));
    const char *kept = truncated ? ", within the modes kept" : "";
    json_t *list;
    printf("free\n");
    print_list(c, json_object_get(document, "modes"), si, most);
    json_object_foreach(json_object_get(document, "stuck"), contact, list) {
        printf("\nwith contact %s stuck%s\n", contact, kept);
        print_list(c, list, si, most);
    }
    if (!si) printf("\nThe model has no units: time is in its own consistent unit.\n");
}

static tally tally_of(const json_t *document) {
    tally t = {0, 0};
    size_t i;
    const char *contact;
    json_t *mode, *list;
    json_array_foreach(json_object_get(document, "modes"), i, mode) count(&t, mode);
    json_object_foreach(json_object_get(document, "stuck"), contact, list) {
        json_array_foreach(list, i, mode) count(&t, mode);
    }
    return t;
}

static void warn(call *c, json_t *document) {
    tally t = tally_of(document);
    if (t.few == 0) return;
    const char *none = t.none ? jd_arena_format(c->arena, "; of %d no digit is right", t.none) : "";
    const char *text = jd_arena_format(
        c->arena, "%d mode%s computed to fewer than %d right digits%s: see `digits` and `error`",
        t.few, t.few == 1 ? " is" : "s are", FEW, none ? none : "");
    if (!text) return;
    json_object_set_new(document, "warnings", json_pack("[s]", text));
    report_warning(c, "%s", text);
}

static jd_status print(call *c, const json_t *document, const json_t *rows) {
    if (c->json) {
        jd_json_write(document, stdout);
    } else if (c->csv && strcmp(c->csv, "-") == 0) {
        jd_csv_print(rows, stdout);
    } else if (!c->quiet) {
        print_tables(c, document);
    }
    return JD_OK; // whether it arrived is asked once, at the end of the call
}

static jd_status run_modes(call *c) {
    jd_problem *problem;
    json_t *document = NULL;
    JD_TRY(plot_check(c, "modes", PLOT_PAGE | PLOT_KIND(JD_PICTURE_SHAPES)));
    JD_TRY(load_model(c, &problem));
    int most = c->count == COUNT_DEFAULT ? COUNT_ALL : c->count;
    jd_status s = jd_document_modes(c->context, problem, most, &document);
    if (s == JD_OK && (c->output || c->plot))
        s = jd_document_add_shapes(c->context, problem, document);
    if (s == JD_OK) {
        warn(c, document);
        json_t *rows = jd_document_mode_rows(document);
        s = rows ? write_results(c, problem, document, rows) : out_of_memory(c);
        if (s == JD_OK && c->plot)
            s = jd_picture_document(c->context, document, &c->picture, c->plot);
        if (s == JD_OK) s = print(c, document, rows);
        json_decref(rows);
    }
    json_decref(document);
    jd_problem_free(problem);
    return s;
}

const verb verb_modes = {
    .name = "modes",
    .arguments = "MODEL.yaml",
    .doc = "natural frequencies, free and with each contact stuck",
    .help = "Natural modes of the structure, and with each contact stuck (its point held).\n"
            "Every mode carries the number of digits of its frequency that are right; only\n"
            "those are printed. --plot draws frequencies and damping ratios; with --picture\n"
            "shapes the shapes of the first modes along the structure.\n",
    .options =
        OPTION_RESULTS | OPTION_SET | OPTION_THREADS | OPTION_COUNT | OPTION_PLOT | OPTION_PICTURE,
    .least = 1,
    .most = 1,
    .run = run_modes,
};
