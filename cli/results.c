// results.c -- reading the model of a call and writing its result files.
#include <glob.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "command.h"
#include "model/read.h"
#include "result/file/file.h"

static bool is_dash(const char *file) { return strcmp(file, "-") == 0; }

// The folder of a path, and what follows in it.
static const char *split(const char *path, struct stat *folder, bool *found) {
    const char *slash = strrchr(path, '/');
    char text[4096] = ".";
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    if (n >= sizeof text) n = 0;
    if (n > 0) {
        memcpy(text, path, n);
        text[n] = '\0';
    }
    *found = stat(text, folder) == 0;
    return slash ? slash + 1 : path;
}

// Files that are not there yet: the same name in the same folder, links followed.
static bool same_place(jd_context *context, const char *a, const char *b) {
    char *p = jd_file_resolved(context, a), *q = jd_file_resolved(context, b);
    struct stat x, y;
    bool found[2], same = false;
    if (p && q) {
        const char *u = split(p, &x, &found[0]), *v = split(q, &y, &found[1]);
        same = strcmp(u, v) == 0 && found[0] && found[1] && x.st_dev == y.st_dev &&
               x.st_ino == y.st_ino;
    }
    jd_release(context, p);
    jd_release(context, q);
    return same;
}

static bool same_file(jd_context *context, const char *a, const char *b) {
    struct stat x, y;
    if (is_dash(a) || is_dash(b)) return strcmp(a, b) == 0;
    bool there = stat(a, &x) == 0, other = stat(b, &y) == 0;
    if (there != other) return false;
    if (!there) return strcmp(a, b) == 0 || same_place(context, a, b);
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino && S_ISREG(x.st_mode);
}

// Whether a file could be made there: begins one and gives it up. Devices and pipes are left alone.
static jd_status try_target(call *c, const char *path) {
    struct stat info;
    jd_file file;
    if (is_dash(path)) return JD_OK;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return JD_OK;
    JD_TRY(jd_file_open(c->context, path, &file));
    jd_file_abandon(&file);
    return JD_OK;
}

jd_status must_be_new(call *c, const char *path) {
    struct stat info;
    if (c->force || is_dash(path) || stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return JD_OK;
    jd_fail(c->context, JD_CANNOT_WRITE, "`%s` is there already", path);
    jd_fail_hint(c->context, "--force replaces it");
    return JD_CANNOT_WRITE;
}

static const char *spelled(call *c, const option *o) {
    const char *text = o->letter ? jd_arena_format(c->arena, "-%c", o->letter)
                                 : jd_arena_format(c->arena, "--%s", o->name);
    return text ? text : o->name;
}

static jd_status check_target(call *c, int i, const char *file) {
    const option *const *row = c->rows.row;
    bool drawing = c->verb == &verb_plot;
    const char *read = drawing ? "result" : c->verb == &verb_merge ? "shard" : "model";
    for (int k = 0; k < c->n_argument; k++) {
        if (!same_file(c->context, file, c->argument[k])) continue;
        return jd_fail(c->context, JD_BAD_USAGE, "the %s would replace the %s `%s`",
                       drawing ? "picture" : "result", read, c->argument[k]);
    }
    for (int k = 0; k < i; k++) {
        const char *other = option_file(c, row[k]);
        if (other && same_file(c->context, other, file))
            return jd_fail(c->context, JD_BAD_USAGE, "%s and %s both name `%s`", spelled(c, row[i]),
                           spelled(c, row[k]), file);
    }
    JD_TRY(must_be_new(c, file));
    return try_target(c, file);
}

// The ending of the file name of -o; NULL: none, then it is HDF5.
static const char *ending_of(const call *c) {
    const char *slash = c->output ? strrchr(c->output, '/') : NULL;
    const char *name = slash ? slash + 1 : c->output, *dot = name ? strrchr(name, '.') : NULL;
    return dot && dot > name && strcmp(name, "..") != 0 ? dot : NULL;
}

// An ending that means another format than those written into -o.
static jd_status check_ending(call *c) {
    static const char *const other[][2] = {{".csv", "--csv"},
                                           {".svg", "--plot"},
                                           {".png", "--plot"},
                                           {".pdf", "--plot"},
                                           {".wav", "--wav"}};
    const char *dot = ending_of(c);
    for (size_t i = 0; dot && i < sizeof other / sizeof *other; i++) {
        if (strcmp(dot, other[i][0]) != 0) continue;
        jd_fail(c->context, JD_BAD_USAGE, "-o writes the whole result (HDF5), not `%s`", dot);
        jd_fail_hint(c->context, "`%s %s` does; `-o FILE.h5` keeps everything", other[i][1],
                     c->output);
        return JD_BAD_USAGE;
    }
    return JD_OK;
}

// An ending that means no format.
static jd_status check_known(call *c) {
    static const char *const known[] = {".h5",  ".hdf5", ".json", ".mat",
                                        ".uff", ".unv",  ".pvd",  ".vtu"};
    const char *dot = ending_of(c);
    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (strcasecmp(dot, known[i]) == 0) return JD_OK;
    if (!dot) return JD_OK;
    jd_fail(c->context, JD_BAD_USAGE, "-o does not know the ending `%s` of `%s`", dot, c->output);
    jd_fail_hint(c->context, "FILE.h5 is HDF5, .json JSON, .mat MATLAB, .uff a universal file, "
                             ".pvd or .vtu are for ParaView");
    return JD_BAD_USAGE;
}

static bool writes_hdf5(const call *c) { return c->verb->shared & SHARED_OUTPUT; }

jd_status check_targets(call *c) {
    if (writes_hdf5(c)) JD_TRY(check_ending(c));
    for (int i = 0; i < c->rows.n; i++) {
        const char *file = option_file(c, c->rows.row[i]);
        if (file) JD_TRY(check_target(c, i, file));
    }
    if (c->plot) JD_TRY(jd_picture_check(c->context, c->plot));
    return writes_hdf5(c) ? check_known(c) : JD_OK;
}

// Nor may it replace a table or a matrix that the model names; results to go on from may be.
static jd_status check_read(call *c) {
    struct stat info;
    for (int i = 0; i < c->rows.n; i++) {
        const char *file = option_file(c, c->rows.row[i]);
        if (!file || stat(file, &info) != 0) continue;
        if (jd_was_read(c->context, info.st_dev, info.st_ino))
            return jd_fail(c->context, JD_BAD_USAGE,
                           "the result would replace `%s`, which the model names", file);
    }
    return JD_OK;
}

static bool ends_in(const char *path, const char *ending) {
    size_t n = path ? strlen(path) : 0, m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

static bool is_series(const char *path) { return ends_in(path, ".pvd") || ends_in(path, ".vtu"); }

bool wants_series(const call *c) { return is_series(c->output); }

// Modes in a universal file are shapes in space, too.
static bool in_space(const call *c) {
    bool universal = ends_in(c->output, ".uff") || ends_in(c->output, ".unv");
    return is_series(c->output) || (universal && c->verb == &verb_modes);
}

// Files of an earlier series of that name, NAME.0000.vtu ..., are not replaced either.
static jd_status check_frames(call *c) {
    int stem = (int)strlen(c->output) - 4;
    glob_t found = {0};
    const char *pattern = jd_arena_format(c->arena, "%.*s.[0-9]*.vtu", stem, c->output);
    if (!pattern) return out_of_memory(c);
    jd_status s = JD_OK;
    if (!c->force && glob(pattern, 0, NULL, &found) == 0) s = must_be_new(c, found.gl_pathv[0]);
    globfree(&found);
    return s;
}

// Series are of motion and modes only, universal files of samples and modes.
static jd_status check_series(call *c) {
    bool samples = c->verb == &verb_run || c->verb == &verb_orbit || c->verb == &verb_modes;
    if ((ends_in(c->output, ".uff") || ends_in(c->output, ".unv")) && !samples) {
        jd_fail(c->context, JD_BAD_USAGE, "`judder %s` computes no samples for a universal file",
                c->verb->name);
        jd_fail_hint(c->context, "run, orbit and modes write .uff; -o FILE.h5 keeps the result");
        return JD_BAD_USAGE;
    }
    if (is_series(c->output) && c->verb->shows) return check_frames(c);
    if (!is_series(c->output) || c->verb->shows) return JD_OK;
    jd_fail(c->context, JD_BAD_USAGE, "`judder %s` computes nothing to be shown in space: `%s`",
            c->verb->name, c->output);
    jd_fail_hint(c->context, "run, orbit and modes write .pvd and .vtu; -o FILE.h5 keeps the "
                             "result");
    return JD_BAD_USAGE;
}

jd_status load_model(call *c, jd_problem **out) {
    *out = NULL;
    jd_context_keep_shapes(c->context, in_space(c) || c->picture.kind == JD_PICTURE_SHAPE3D);
    JD_TRY(check_series(c));
    JD_TRY(check_targets(c));
    jd_problem *problem = NULL;
    JD_TRY((c->verb->moves ? jd_model_read_to_run : jd_model_read)(
        c->context, c->argument[0], c->set.n, c->set.text, &problem));
    jd_status s = jd_problem_build(problem);
    if (s != JD_OK) jd_fail_where(c->context, "%s", c->argument[0]);
    if (s == JD_OK) s = check_read(c);
    if (s != JD_OK) {
        jd_problem_free(problem);
        return s;
    }
    *out = problem;
    return JD_OK;
}

const char *take_series(call *c) {
    const char *path = c->output;
    if (!in_space(c)) return NULL;
    c->output = NULL;
    return path;
}

void report_series(call *c, const char *path, int files) {
    if (!wants_words(c)) return;
    if (is_series(path))
        printf("%s: %d files for ParaView\n", path, files);
    else
        printf("%s: nodes and modes (universal file)\n", path);
}

bool takes_csv(const call *c) {
    for (int i = 0; i < c->rows.n; i++) {
        const char *file = option_file(c, c->rows.row[i]);
        if (file && is_dash(file)) return true;
    }
    return false;
}

bool wants_words(const call *c) { return !c->json && !c->quiet && !takes_csv(c); }

static jd_status write_csv(call *c, const jd_result *result) {
    json_t *rows = jd_result_rows(result);
    if (!rows) return out_of_memory(c);
    jd_status s = JD_OK;
    if (!is_dash(c->csv))
        s = jd_csv_write(c->context, c->csv, rows);
    else if (!c->json)
        jd_csv_print(rows, stdout); // whether it arrived is asked once, at the end of the call
    json_decref(rows);
    return s;
}

jd_status print_json(call *c, const jd_result *result, double seconds) {
    json_t *document = jd_result_document(result, JD_FACE_JSON);
    if (!document) return out_of_memory(c);
    if (seconds >= 0) json_object_set_new(document, "cpu_seconds", json_real(seconds));
    jd_json_write(document, stdout);
    json_decref(document);
    return JD_OK;
}

jd_status deliver(call *c, jd_result *result, double seconds, bool draw) {
    jd_result_set_command(result, c->command);
    if (c->output) JD_TRY(jd_result_write(c->context, result, c->output));
    if (c->csv) JD_TRY(write_csv(c, result));
    if (c->plot && draw) JD_TRY(jd_picture_draw(c->context, result, &c->picture, c->plot));
    report_progress_end(c);
    return c->json ? print_json(c, result, seconds) : JD_OK;
}
