// picture.c -- pictures: what a model says is drawn as it stands, and never run; files whole or not
// at all.
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judder/judder.h"
#include "near.h"
#include "picture/motion/history.h"
#include "picture/scene/gnuplot.h"
#include "result/run/run.h"

enum { NAME = 512 };

// A folder of the test's own: `work` for pictures, `tmp` for what gnuplot is fed.
typedef struct bench {
    char root[NAME], tmp[NAME], file[2 * NAME], *path;
    jd_context *context;
    jd_arena *arena;
} bench;

static int set_up(void **state) {
    bench *b = calloc(1, sizeof *b);
    strcpy(b->root, "/tmp/judder-test-XXXXXX");
    if (!mkdtemp(b->root)) return 1;
    snprintf(b->tmp, sizeof b->tmp, "%.400s/tmp", b->root);
    if (mkdir(b->tmp, 0700) != 0 || setenv("TMPDIR", b->tmp, 1) != 0) return 1;
    b->path = strdup(getenv("PATH"));
    b->context = jd_context_create(NULL);
    b->arena = jd_arena_create(b->context);
    *state = b;
    return 0;
}

static int entries(const char *folder) {
    DIR *d = opendir(folder);
    int n = 0;
    for (struct dirent *e; d && (e = readdir(d));) n += e->d_name[0] != '.';
    if (d) closedir(d);
    return n;
}

static void clear(const char *folder) {
    char name[3 * NAME];
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(name, sizeof name, "%s/%s", folder, e->d_name);
        if (e->d_name[0] != '.') remove(name);
    }
    if (d) closedir(d);
}

static int tear_down(void **state) {
    bench *b = *state;
    setenv("PATH", b->path, 1);
    unsetenv("TMPDIR");
    jd_arena_free(b->arena);
    jd_context_free(b->context);
    int left = entries(b->tmp); // every test: no folder of gnuplot's is left behind
    clear(b->tmp);
    clear(b->root);
    rmdir(b->tmp);
    rmdir(b->root);
    free(b->path);
    free(b);
    return left;
}

static const char *in_root(bench *b, const char *name) {
    snprintf(b->file, sizeof b->file, "%s/%s", b->root, name);
    return b->file;
}

static char *content(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *text = calloc(1, 4000000);
    size_t n = fread(text, 1, 3999999, f);
    text[n] = '\0';
    fclose(f);
    return text;
}

static int count(const char *text, const char *word) {
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)); p += strlen(word)) n++;
    return n;
}

static jd_scene *small_scene(bench *b, const char *title, const char *label) {
    static const double x[] = {0, 1, 2, 2, 3, 4};
    const double gap = (double)NAN;
    double *y = jd_scaled(b->arena, 6, x, 0.5);
    y[3] = gap;
    jd_scene *s =
        jd_scene_create(b->arena, (jd_scene){.title = title, .width = 400, .height = 300});
    jd_panel *p = jd_scene_add(
        s, (jd_panel){.left = 70, .top = 60, .width = 300, .height = 180, .x = {.label = label}});
    jd_panel_series(p, (jd_series){.label = label, .n = 6, .x = x, .y = y});
    jd_panel_box(p, (jd_box){label, 0.5, 1, gap, gap, JD_INK_PALE, NULL});
    jd_panel_note(p, (jd_note){1, 1, label, JD_INK_BLACK, NULL});
    return s;
}

// Texts of a model that are commands to a shell or to gnuplot, if either ever read them.
static void texts_are_drawn_as_they_stand_and_never_run(void **state) {
    bench *b = *state;
    char trap[NAME + 8], title[8 * NAME];
    snprintf(trap, sizeof trap, "%s/trap", b->root);
    snprintf(title, sizeof title,
             "`touch %s` it's \"q\" $(touch %s) %%d {/Bold x_2^3} \\n @v; system('touch %s')", trap,
             trap, trap);
    jd_scene *s = small_scene(b, title, title);
    for (int i = 0; i < 3; i++) {
        static const char *const name[] = {"a.svg", "a.png", "a.pdf"};
        assert_int_equal(jd_scene_draw(b->context, s, in_root(b, name[i])), JD_OK);
        assert_int_not_equal(access(trap, F_OK), 0);
    }
    char *svg = content(in_root(b, "a.svg"));
    assert_int_equal(count(svg, "<text>`touch "), 5); // title, axis, legend twice, note
    int all = count(svg, "`touch ");                  // and the names of the curves, not drawn
    assert_int_equal(count(svg, "it's \"q\" $(touch "), all);
    assert_int_equal(count(svg, "%d {/Bold x_2^3} \\n @v; system('touch "), all);
    free(svg);
}

// Ranges of files: without end, so narrow that a step beside them is nothing, over all numbers.
static void ticks_of_any_range_come_to_an_end(void **state) {
    (void)state;
    static const double range[][3] = {{1, HUGE_VAL, 1}, {1e300, 1.0001e300, 1e200},
                                      {1, 1.5, 0},      {1e-300, 1e300, 1},
                                      {0, 1, 0.1},      {2, 5, 1}};
    for (size_t i = 0; i < sizeof range / sizeof *range; i++) {
        char *text = NULL;
        size_t n;
        FILE *f = open_memstream(&text, &n);
        jd_gnuplot_log_ticks(f, 'x', range[i][0], range[i][1], range[i][2]);
        fclose(f);
        assert_true(n > 10 && n < 400);
        free(text);
    }
}

static void a_quote_is_doubled_and_line_ends_become_blanks(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    jd_gnuplot_text(f, "it's\nµ\x01\xff \xe2\x88");
    fclose(f);
    assert_string_equal(text, "'it''s µ ? ?"
                              "?'");
    free(text);
}

static void a_line_end_in_a_title_ends_no_command(void **state) {
    bench *b = *state;
    char title[4 * NAME], trap[2 * NAME];
    snprintf(trap, sizeof trap, "%s/trap", b->root);
    snprintf(title, sizeof title, "one\nsystem 'touch %s'\n", trap);
    jd_scene *s = small_scene(b, title, "x");
    assert_int_equal(jd_scene_draw(b->context, s, in_root(b, "a.svg")), JD_OK);
    assert_int_not_equal(access(trap, F_OK), 0);
}

static void the_suffix_says_what_is_drawn(void **state) {
    bench *b = *state;
    static const struct {
        const char *name, *begin;
    } kind[] = {{"a.svg", "<?xml"}, {"a.PNG", "\x89PNG"}, {"a.pdf", "%PDF"}};
    jd_scene *s = small_scene(b, "title", "x");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(jd_scene_draw(b->context, s, in_root(b, kind[i].name)), JD_OK);
        char *text = content(b->file);
        assert_memory_equal(text, kind[i].begin, strlen(kind[i].begin));
        free(text);
    }
    assert_int_equal(jd_scene_draw(b->context, s, in_root(b, "a.gif")), JD_BAD_USAGE);
    assert_non_null(strstr(jd_context_error(b->context)->message, "a.gif"));
    assert_int_equal(jd_picture_check(b->context, "picture"), JD_BAD_USAGE);
    assert_int_equal(entries(b->root), 4); // three pictures and tmp
}

static void without_gnuplot_there_is_a_name_and_no_file(void **state) {
    bench *b = *state;
    setenv("PATH", b->root, 1);
    jd_scene *s = small_scene(b, "title", "x");
    assert_int_equal(jd_scene_draw(b->context, s, in_root(b, "a.svg")), JD_NO_GNUPLOT);
    assert_string_equal(jd_status_name(JD_NO_GNUPLOT), "no-gnuplot");
    assert_int_equal(jd_picture_check(b->context, "a.svg"), JD_NO_GNUPLOT);
    assert_int_equal(entries(b->root), 1);
}

// A gnuplot that fails after writing half a picture; what it said first is in the message.
static void a_failing_gnuplot_is_quoted_and_leaves_the_old_picture(void **state) {
    bench *b = *state;
    FILE *f = fopen(in_root(b, "gnuplot"), "w");
    fputs("#!/bin/sh\necho half > \"$(dirname \"$2\")/picture\"\n"
          "echo 'no such terminal' >&2\necho more >&2\nexit 1\n",
          f);
    fclose(f);
    chmod(b->file, 0700);
    f = fopen(in_root(b, "a.svg"), "w");
    fputs("old", f);
    fclose(f);
    char path[4 * NAME];
    snprintf(path, sizeof path, "%s:%s", b->root, b->path);
    setenv("PATH", path, 1);
    jd_scene *s = small_scene(b, "title", "x");
    assert_int_equal(jd_scene_draw(b->context, s, b->file), JD_PICTURE_FAILED);
    const char *message = jd_context_error(b->context)->message;
    assert_non_null(strstr(message, "no such terminal"));
    assert_null(strstr(message, "more"));
    char *text = content(b->file);
    assert_string_equal(text, "old");
    free(text);
}

static void targets_that_cannot_be_written_are_named(void **state) {
    bench *b = *state;
    jd_scene *s = small_scene(b, "title", "x");
    assert_int_equal(jd_scene_draw(b->context, s, in_root(b, "none/a.svg")), JD_CANNOT_WRITE);
    assert_non_null(strstr(jd_context_error(b->context)->message, "none/a.svg"));
    assert_int_equal(symlink("/dev/full", in_root(b, "full.svg")), 0);
    assert_int_equal(jd_scene_draw(b->context, s, b->file), JD_CANNOT_WRITE);
    setenv("TMPDIR", in_root(b, "none"), 1);
    assert_int_equal(jd_scene_draw(b->context, s, "/dev/null/a.svg"), JD_CANNOT_WRITE);
    assert_int_equal(entries(b->root), 2); // tmp and the link
}

static jd_problem *beam(bench *b) {
    jd_problem *p = NULL;
    assert_int_equal(jd_model_read(b->context, JD_SOURCE_DIR "/gallery/friction-beam/rayleigh.yaml",
                                   0, NULL, &p),
                     JD_OK);
    return p;
}

// Three settled periods with 12 switchings each (the paper's Fig. 6(c)), one ring for each.
static void the_page_shows_title_units_and_every_event(void **state) {
    bench *b = *state;
    jd_problem *p = beam(b);
    assert_int_equal(jd_picture_run(b->context, p, NULL, in_root(b, "run.svg")), JD_OK);
    char *svg = content(b->file);
    assert_int_equal(count(svg, "Beam with a friction device"), 1);
    assert_int_equal(count(svg, "the last 3 of 100 drive periods"), 1);
    assert_int_equal(count(svg, "<use xlink:href='#gpPt5' transform"),
                     36 + 1); // and one in the legend
    assert_int_equal(count(svg, "displacement [µm]"), 1);
    assert_int_equal(count(svg, "contact force [N]"), 2);
    free(svg);
    jd_problem_free(p);
}

static void every_kind_of_picture_is_drawn(void **state) {
    bench *b = *state;
    jd_problem *p = beam(b);
    for (int k = 0; k < JD_PICTURE_KIND_COUNT; k++) {
        jd_picture_def def = {.kind = (jd_picture_kind)k, .from = 1, .to = 1.5};
        jd_status s = jd_picture_run(b->context, p, &def, in_root(b, "k.svg"));
        // (a run of a beam is no two-fold)
        bool other = k == JD_PICTURE_MULTIPLIERS || k == JD_PICTURE_SHAPES ||
                     k == JD_PICTURE_SHAPE3D || k == JD_PICTURE_MANIFOLD ||
                     k == JD_PICTURE_IMPACT;                       // a run has none,
        bool span = k == JD_PICTURE_FIELD || k == JD_PICTURE_SLIP; // this one no span
        jd_status expected = other ? JD_BAD_USAGE : span ? JD_NOT_SUPPORTED : JD_OK;
        assert_int_equal(s, expected);
        if (s != JD_OK) continue;
        char *svg = content(b->file);
        assert_int_equal(count(svg, "from 1 to 1.5 s"), 1);
        free(svg);
    }
    jd_picture_def wrong = {.kind = JD_PICTURE_PAGE, .from = 2, .to = 1};
    assert_int_equal(jd_picture_run(b->context, p, &wrong, in_root(b, "w.svg")), JD_OUT_OF_RANGE);
    wrong = (jd_picture_def){.kind = JD_PICTURE_PAGE, .from = 1000, .to = 1001};
    assert_int_equal(jd_picture_run(b->context, p, &wrong, in_root(b, "w.svg")), JD_OUT_OF_RANGE);
    assert_int_not_equal(access(b->file, F_OK), 0);
    jd_problem_free(p);
}

// What is left out of a line lies within an eighth of a pixel of what is drawn; pen lifts stay.
static void a_line_is_thinned_within_an_eighth_of_a_pixel(void **state) {
    bench *b = *state;
    enum { N = 4000 };
    double *x = JD_TAKE(b->arena, double, N), *y = JD_TAKE(b->arena, double, N);
    for (int i = 0; i < N; i++) {
        x[i] = i / (N - 1.0);
        y[i] = i == 2000 ? (double)NAN : sin(20 * x[i]);
    }
    jd_scene *s = jd_scene_create(b->arena, (jd_scene){.width = 400, .height = 300});
    jd_panel *p = jd_scene_add(s, (jd_panel){.width = 300, .height = 180});
    jd_panel_series(p, (jd_series){.n = N, .x = x, .y = y});
    const jd_series *t = jd_scene_thinned(s)->panel->series;
    assert_true(t->n < N / 10);
    double most = 0;
    bool lifted = false;
    for (int i = 0, k = 0; i < N; i++) {
        while (k < t->n - 2 && t->x[k + 1] < x[i]) k++;
        lifted |= isnan(t->y[k]);
        double share = (x[i] - t->x[k]) / (t->x[k + 1] - t->x[k]);
        double rise = t->y[k + 1] - t->y[k], drawn = t->y[k] + share * rise;
        double slope = 90 * rise / (300 * (t->x[k + 1] - t->x[k])); // 180 px show -1 to 1
        if (isfinite(drawn) && isfinite(y[i]))
            most = fmax(most, 90 * fabs(drawn - y[i]) / hypot(1, slope));
    }
    assert_true(lifted);
    assert_true(most < 0.125); // across the line
}

// Every drawn point is a line of the table, a lifted pen one without numbers; no gnuplot needed.
static void the_numbers_of_a_scene_are_a_table(void **state) {
    bench *b = *state;
    static const double edge[] = {0, 1}, cell[] = {5, 6, 7, (double)NAN};
    jd_heat heat = {.label = "map", .n_x = 2, .n_y = 2, .x = edge, .y = edge, .value = cell};
    jd_scene *s = small_scene(b, "t", "time, \"s\"");
    jd_scene_add(s, (jd_panel){.heat = &heat, .y = {.label = "v [m/s]"}});
    setenv("PATH", "", 1);
    assert_int_equal(jd_picture_check(b->context, in_root(b, "n.csv")), JD_OK);
    assert_int_equal(jd_scene_draw(b->context, s, b->file), JD_OK);
    char *csv = content(b->file);
    assert_string_equal(csv, "panel,x_axis,y_axis,series,x,y,z\n"
                             "1,\"time, \"\"s\"\"\",,\"time, \"\"s\"\"\",0,0,\n"
                             "1,\"time, \"\"s\"\"\",,\"time, \"\"s\"\"\",1,0.5,\n"
                             "1,\"time, \"\"s\"\"\",,\"time, \"\"s\"\"\",2,1,\n"
                             "1,\"time, \"\"s\"\"\",,\"time, \"\"s\"\"\",,,\n"
                             "1,\"time, \"\"s\"\"\",,\"time, \"\"s\"\"\",3,1.5,\n"
                             "1,\"time, \"\"s\"\"\",,\"time, \"\"s\"\"\",4,2,\n"
                             "2,,v [m/s],map,0,0,5\n2,,v [m/s],map,1,0,6\n"
                             "2,,v [m/s],map,0,1,7\n2,,v [m/s],map,1,1,\n");
    free(csv);
}

// The arrays behind a picture: at an event the phase changes between its two samples, a stuck
// contact does not move, and no force exceeds its limit.
static void samples_meet_the_events_they_show(void **state) {
    bench *b = *state;
    jd_problem *p = beam(b);
    jd_history h;
    assert_int_equal(jd_history_of_run(b->arena, p, (double)NAN, (double)NAN, JD_WANT_ENERGY, &h),
                     JD_OK);
    assert_true(h.n > 1800);
    int e = 0;
    for (int i = 1; i < h.n; i++) {
        assert_true(h.t[i] > h.t[i - 1]);
        while (e < h.n_event && h.event[e].t < h.t[i]) e++;
        const jd_history_contact *c = &h.contact[0];
        if (e < h.n_event && h.event[e].t == h.t[i]) {
            assert_int_equal(c->phase[i - 1], jd_contact_letter(h.event[e].from));
            assert_int_equal(c->phase[i], jd_contact_letter(h.event[e].to));
            assert_near(c->u[i], c->u[i - 1], 1e-15); // 65e-6 m is the amplitude
        } else {
            assert_int_equal(c->phase[i], c->phase[i - 1]);
        }
        if (c->phase[i] == 'H') assert_near(c->v[i], 0, 0);
        assert_true(fabs(c->force[i]) <= 0.66 * (1 + 1e-12));
        const jd_history_energy *w = h.energy;
        double held = w->stored[i] + w->damping[i] + w->friction[i] + w->impacts[i];
        assert_near(held, w->supplied[i], 1e-13 * 0.017); // 17 mJ are supplied in all
    }
    jd_problem_free(p);
}

// The velocity of a contact is that over its belt, whichever way that runs: the point's own, less
// the belt's.
static void contacts_of_a_result_move_relative_to_their_belt(void **state) {
    (void)state;
    for (int way = -1; way <= 1; way++) {
        char text[1000];
        jd_context *context = jd_context_create(NULL);
        jd_arena *arena = jd_arena_create(context);
        jd_problem *problem;
        jd_recording *r;
        jd_result *result;
        jd_history h;
        snprintf(
            text, sizeof text,
            "judder: 1\n"
            "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: "
            "1}}, supports: {left: fixed, right: free}}\n"
            "contacts: {c: {at: m, against: {velocity: %g}, law: {type: coulomb, limit: 0.3}}}\n"
            "start: {type: state, displacement: 1}\n"
            "simulate: {until: 5}\n"
            "output: {every: 0.1, points: [m]}\n",
            0.25 * way);
        assert_int_equal(
            jd_model_parse(context, "m.yaml", ".", text, strlen(text), 0, NULL, &problem), JD_OK);
        assert_int_equal(jd_problem_build(problem), JD_OK);
        assert_int_equal(jd_recording_create(context, problem, &r), JD_OK);
        assert_int_equal(jd_recording_begin(r, (jd_keep){.lists = true, .tables = true}, &result),
                         JD_OK);
        assert_int_equal(jd_recording_run(r), JD_OK);
        assert_int_equal(jd_recording_end(r, result), JD_OK);
        jd_picture_def def = jd_default_picture_def();
        assert_int_equal(jd_history_of_result(arena, result, &def, &h), JD_OK);
        assert_true(h.n_contact == 1 && h.n_point == 1 && h.n > 40);
        for (int k = 0; k < h.n; k++)
            assert_near(h.contact[0].v[k], h.point[0].v[k] - 0.25 * way, 1e-15);
        jd_result_free(result);
        jd_recording_free(r);
        jd_problem_free(problem);
        jd_arena_free(arena);
        jd_context_free(context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(texts_are_drawn_as_they_stand_and_never_run, set_up,
                                        tear_down),
        cmocka_unit_test(ticks_of_any_range_come_to_an_end),
        cmocka_unit_test(contacts_of_a_result_move_relative_to_their_belt),
        cmocka_unit_test(a_quote_is_doubled_and_line_ends_become_blanks),
        cmocka_unit_test_setup_teardown(a_line_end_in_a_title_ends_no_command, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_suffix_says_what_is_drawn, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_gnuplot_there_is_a_name_and_no_file, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_failing_gnuplot_is_quoted_and_leaves_the_old_picture,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(targets_that_cannot_be_written_are_named, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_page_shows_title_units_and_every_event, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(every_kind_of_picture_is_drawn, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_is_thinned_within_an_eighth_of_a_pixel, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_numbers_of_a_scene_are_a_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(samples_meet_the_events_they_show, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
