// modes.c -- judder modes: natural frequencies, free and with each contact stuck.
//   A frequency is printed with the digits its error bound leaves right, and no others; without a
//   bound (modes of a reduction, static shapes) with four, and it says so.
#include <math.h>
#include <string.h>

#include "command.h"

enum { ROWS = 20, DIGITS = 10, FEW = 6, ESTIMATE = 4 }; // FEW: error above 1e-6

typedef struct modes_asked {
    bool sliding; // modes of the sliding state, too
} modes_asked;

typedef struct tally {
    int few, none; // modes with fewer than FEW right digits; with none
} tally;

static const char *number(call *c, double value, int digits) {
    if (digits < 1) return "?";
    if (value == 0) return "0";
    char *text = jd_arena_format(c->arena, "%#.*g", digits < DIGITS ? digits : DIGITS, value);
    if (!text) return "";
    size_t n = strlen(text);
    if (text[n - 1] == '.') text[n - 1] = '\0'; // 12345. reads 12345
    return text;
}

static const char *remark(call *c, const jd_mode_result *m) {
    if (m->mode.static_shape) return "static shape";
    if (isnan(m->mode.error)) return "within the modes kept";
    if (m->digits < 1) return "no digit is right";
    if (m->mode.error > 1e-6) {
        const char *text = jd_arena_format(c->arena, "only %d digit%s right", m->digits,
                                           m->digits == 1 ? " is" : "s are");
        return text ? text : "";
    }
    if (m->mode.omega == 0) return "rigid body";
    return m->mode.damping_ratio > 1 ? "overdamped" : "";
}

static void count(tally *t, int n, const jd_mode_result *m) {
    for (int i = 0; i < n; i++) {
        if (isnan(m[i].mode.error)) continue;
        if (m[i].mode.error > 1e-6 || m[i].digits < 1) t->few++;
        if (m[i].digits < 1) t->none++;
    }
}

static void add_row(call *c, table *t, const jd_mode_result *m) {
    const char *which = jd_arena_format(c->arena, "%d", m->number);
    bool known = !isnan(m->mode.error); // else an estimate
    const char *right = known ? jd_arena_format(c->arena, "%d", m->digits) : "-";
    int digits = known ? m->digits : ESTIMATE;
    table_row(t, (const char *[]){
                     m->body ? m->body : "", which ? which : "", number(c, m->mode.omega, digits),
                     number(c, m->mode.frequency_hz, digits),
                     number(c, m->mode.damping_ratio, digits), right ? right : "", remark(c, m)});
}

// The first `most` modes of each body.
static void print_list(call *c, int n, const jd_mode_result *mode, bool si, int most) {
    if (n == 0) {
        printf("  none: nothing is left to move\n");
        return;
    }
    bool bodies = mode[0].body != NULL;
    table *t = table_create(c, "lrrrrrl");
    table_row(t, (const char *[]){bodies ? "body" : "", "mode", si ? "ω [rad/s]" : "ω [rad/time]",
                                  si ? "f [Hz]" : "f [1/time]", "damping ratio", "digits", ""});
    int left_out = 0;
    for (int i = 0; i < n; i++) {
        if (most != COUNT_ALL && mode[i].number > most)
            left_out++;
        else
            add_row(c, t, &mode[i]);
    }
    table_print(t, bodies ? "  " : "", stdout);
    if (left_out) printf("  ... and %d more; --count all shows them\n", left_out);
}

static const char *sliding_remark(const jd_sliding_mode *m) {
    if (!(m->growth > 0)) return "";
    return m->omega > 0 ? "flutter" : "divergence";
}

// Complex modes of steady sliding: they grow or not.
static void print_sliding(call *c, const jd_modes_result *m, bool si, int most) {
    printf("\nsliding:");
    for (int j = 0; j < m->n_slider; j++) {
        printf("%s %s %s", j ? "," : "", m->slider[j].contact, m->slider[j].state);
        if (!isnan(m->slider[j].normal)) printf(" (N = %.6g)", m->slider[j].normal);
    }
    printf("\n");
    table *t = table_create(c, "rrrrrl");
    table_row(t, (const char *[]){"mode", si ? "growth [1/s]" : "growth [1/time]",
                                  si ? "ω [rad/s]" : "ω [rad/time]", si ? "f [Hz]" : "f [1/time]",
                                  "damping ratio", ""});
    for (int i = 0; i < m->n_sliding && (most == COUNT_ALL || i < most); i++) {
        const jd_sliding_mode *s = &m->sliding[i];
        const char *which = jd_arena_format(c->arena, "%d", s->number);
        table_row(t,
                  (const char *[]){which ? which : "", number(c, s->growth, DIGITS),
                                   number(c, s->omega, DIGITS), number(c, s->frequency_hz, DIGITS),
                                   number(c, s->damping_ratio, DIGITS), sliding_remark(s)});
    }
    table_print(t, "", stdout);
}

static void print_tables(call *c, const jd_result *result) {
    const jd_result_head *head = jd_result_look(result);
    const jd_modes_result *m = jd_result_modes(result);
    int most = c->count == COUNT_DEFAULT ? ROWS : c->count;
    if (head->title[0]) printf("%s\n\n", head->title);
    printf("free\n");
    print_list(c, m->n, m->mode, head->si, most);
    for (int j = 0; j < m->n_stuck; j++) {
        printf("\nwith contact %s stuck%s\n", m->stuck[j].contact,
               m->truncated ? ", within the modes kept" : "");
        print_list(c, m->stuck[j].n, m->stuck[j].mode, head->si, most);
    }
    if (m->n_sliding > 0) print_sliding(c, m, head->si, most);
    if (!head->si) printf("\nThe model has no units: time is in its own consistent unit.\n");
}

static void warn(call *c, jd_result *result) {
    const jd_modes_result *m = jd_result_modes(result);
    tally t = {0, 0};
    count(&t, m->n, m->mode);
    for (int j = 0; j < m->n_stuck; j++) count(&t, m->stuck[j].n, m->stuck[j].mode);
    if (t.few == 0) return;
    const char *none = t.none ? jd_arena_format(c->arena, "; of %d no digit is right", t.none) : "";
    const char *text = jd_arena_format(
        c->arena, "%d mode%s computed to fewer than %d right digits%s: see `digits` and `error`",
        t.few, t.few == 1 ? " is" : "s are", FEW, none ? none : "");
    if (!text) return;
    jd_result_warn(result, text);
    report_warning(c, "%s", text);
}

static jd_status run_modes(call *c) {
    jd_problem *problem;
    jd_result *result = NULL;
    JD_TRY(plot_check(c, "modes",
                      PLOT_PAGE | PLOT_KIND(JD_PICTURE_SHAPES) | PLOT_KIND(JD_PICTURE_SHAPE3D)));
    JD_TRY(load_model(c, &problem));
    const char *series = take_series(c);
    int most = c->count == COUNT_DEFAULT ? COUNT_ALL : c->count;
    jd_status s = jd_result_of_modes(c->context, problem, most, c->output || c->plot, &result);
    const modes_asked *asked = c->own;
    if (s == JD_OK && asked->sliding) s = jd_result_add_sliding(result, problem, most);
    if (s == JD_OK) warn(c, result);
    if (s == JD_OK) s = deliver(c, result, -1, true);
    if (s == JD_OK && wants_words(c)) print_tables(c, result);
    int files = 0;
    if (s == JD_OK && series) s = jd_mesh_write_modes(c->context, problem, series, most, &files);
    if (s == JD_OK && series) report_series(c, series, files);
    jd_result_free(result);
    jd_problem_free(problem);
    return s;
}

static jd_status take_state(call *c, const char *value) {
    modes_asked *asked = c->own;
    asked->sliding = strcmp(value, "sliding") == 0;
    if (asked->sliding) return JD_OK;
    return jd_fail(c->context, JD_BAD_USAGE, "--state wants `sliding`, not `%s`", value);
}

static const option options[] = {{"state", "NAME",
                                  "`sliding`: also the complex modes about steady sliding on belts",
                                  OPTION_OTHER, IN_OWN(modes_asked, sliding), .take = take_state},
                                 {0}};

const verb verb_modes = {
    .name = "modes",
    .arguments = "MODEL.yaml",
    .doc = "modes, free and with each contact stuck",
    .help = "Natural modes of the structure, free and with each contact stuck: its point is\n"
            "held where the contact is rigid; else its springs (`stiffness`) are engaged.\n"
            "Every frequency is printed with those digits that are proved right, and their\n"
            "number. --plot draws frequencies and damping ratios; with --picture shapes the\n"
            "shapes of the first modes along the structure, with --picture shape3d in space.\n"
            "-o FILE.pvd writes the shapes in space for ParaView instead, one file\n"
            "FILE.0000.vtu ... for each; -o FILE.uff a universal file (datasets 2411 and 55),\n"
            "-o FILE.mat a MATLAB file.\n"
            "--state sliding adds the complex modes about steady sliding, where every contact\n"
            "with a belt slides: a mode whose growth rate is above 0 squeals.\n",
    .shared = SHARED_RESULTS | SHARED_COUNT,
    .shows = true,
    .options = options,
    .own = &(const modes_asked){0},
    .own_size = sizeof(modes_asked),
    .least = 1,
    .most = 1,
    .run = run_modes,
};
