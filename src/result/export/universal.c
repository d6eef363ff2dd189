// universal.c -- universal files: geometry (2411), real modes (55), responses in time (58).
//   Columns have fixed widths: E13.5 in 55, so that frequencies and shapes have six digits; E20.12
//   in 58. Numbers below 1e-99 are written as 0: their exponent has no room.
#include <math.h>
#include <string.h>

#include "result/export/export.h"
#include "result/file/file.h"

enum { TIME_RESPONSE = 1, REAL_DOUBLE = 4, EVEN = 1, TIME = 17 };
enum { DISPLACEMENT = 8, REACTION = 9, VELOCITY = 11 };

void jd_universal_begin(FILE *f, int number) { fprintf(f, "%6d\n%6d\n", -1, number); }
void jd_universal_end(FILE *f) { fprintf(f, "%6d\n", -1); }

void jd_universal_text(FILE *f, const char *text) {
    int n = 0;
    for (; *text && n < 80; text++, n++) fputc(*text >= ' ' && *text <= '~' ? *text : '?', f);
    fputs(n ? "\n" : "NONE\n", f);
}

static double shown(double x) { return isfinite(x) && fabs(x) > 1e-99 ? x : 0; }

void jd_universal_nodes(FILE *f, int n, const int *label, const double *at) {
    jd_universal_begin(f, 2411);
    for (int i = 0; i < n; i++) {
        fprintf(f, "%10d%10d%10d%10d\n", label[i], 1, 1, 11);
        for (int k = 0; k < 3; k++) fprintf(f, "%25.16E", shown(at[3 * (size_t)i + (size_t)k]));
        fputc('\n', f);
    }
    jd_universal_end(f);
}

void jd_universal_put_mode(FILE *f, const jd_universal_mode *m) {
    char line[81];
    jd_universal_begin(f, 55);
    jd_universal_text(f, m->title);
    snprintf(line, sizeof line, "mode %d, %.17g Hz", m->number, m->hertz);
    jd_universal_text(f, line);
    for (int i = 0; i < 3; i++) jd_universal_text(f, "");
    // structural, normal mode, three translations, displacement, real, three values
    fprintf(f, "%10d%10d%10d%10d%10d%10d\n", 1, 2, 2, DISPLACEMENT, 2, 3);
    fprintf(f, "%10d%10d%10d%10d\n", 2, 4, 1, m->number);
    fprintf(f, "%13.5E%13.5E%13.5E%13.5E\n", shown(m->hertz), 1.0, shown(m->ratio), 0.0);
    for (int i = 0; i < m->n; i++) {
        const double *u = m->shape + 3 * (size_t)i;
        fprintf(f, "%10d\n%13.5E%13.5E%13.5E\n", m->label[i], shown(u[0]), shown(u[1]),
                shown(u[2]));
    }
    jd_universal_end(f);
}

// ---- Responses in time

typedef struct column {
    char name[81], point[11]; // tip.u, tip
    int node;                 // number of the point among those of the columns
    int quantity;
} column;

// "tip.u": the point and what it is of it.
static column column_of(const jd_columns *samples, int k) {
    const char *name = samples->name[k], *dot = strrchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : strlen(name);
    column c = {.quantity = 0};
    snprintf(c.name, sizeof c.name, "%s", name);
    snprintf(c.point, sizeof c.point, "%.*s", length < 10 ? (int)length : 10, name);
    const char *what = dot ? dot + 1 : "";
    c.quantity = !strcmp(what, "u")       ? DISPLACEMENT
                 : !strcmp(what, "v")     ? VELOCITY
                 : !strcmp(what, "force") ? REACTION
                                          : 0;
    for (int i = 1; i <= k; i++) { // points count in the order of the columns
        const char *other = samples->name[i];
        bool again = false;
        for (int j = 1; j < i; j++) {
            const char *before = samples->name[j], *d = strrchr(before, '.'),
                       *e = strrchr(other, '.');
            size_t n = e ? (size_t)(e - other) : strlen(other);
            again = again || ((d ? (size_t)(d - before) : strlen(before)) == n &&
                              strncmp(before, other, n) == 0);
        }
        c.node += !again;
        if (strncmp(other, name, length) == 0 && (other[length] == '.' || !other[length])) break;
    }
    return c;
}

static void put_axis(FILE *f, int quantity, int length, int force, const char *label,
                     const char *unit) {
    fprintf(f, "%10d%5d%5d%5d %-20.20s %-20.20s\n", quantity, length, force, 0, label, unit);
}

static void put_response(FILE *f, const jd_result_head *head, const jd_columns *s, int k) {
    column c = column_of(s, k);
    double first = s->value[0][0], last = s->value[0][s->n_row - 1];
    double step = s->n_row > 1 ? (last - first) / (s->n_row - 1) : 0;
    char line[81];
    jd_universal_begin(f, 58);
    jd_universal_text(f, c.name);
    snprintf(line, sizeof line, "time step %.17g", step);
    jd_universal_text(f, line);
    for (int i = 0; i < 3; i++) jd_universal_text(f, i ? "" : head->title);
    fprintf(f, "%5d%10d%5d%10d %-10.10s%10d%4d %-10.10s%10d%4d\n", TIME_RESPONSE, k, 0, 0, c.point,
            c.node, 0, "NONE", 0, 0);
    fprintf(f, "%10d%10d%10d%13.5E%13.5E%13.5E\n", REAL_DOUBLE, s->n_row, EVEN, shown(first),
            shown(step), 0.0);
    put_axis(f, TIME, 0, 0, "time", head->si ? "s" : "NONE");
    put_axis(f, c.quantity, c.quantity == DISPLACEMENT || c.quantity == VELOCITY,
             c.quantity == REACTION, c.name, "NONE");
    put_axis(f, 0, 0, 0, "NONE", "NONE");
    put_axis(f, 0, 0, 0, "NONE", "NONE");
    for (int i = 0; i < s->n_row; i++)
        fprintf(f, "%20.12E%s", shown(s->value[k][i]), i % 4 == 3 ? "\n" : "");
    if (s->n_row % 4) fputc('\n', f);
    jd_universal_end(f);
}

static jd_status refuse(jd_context *context, const char *what, const char *hint) {
    jd_fail(context, JD_NOT_SUPPORTED, "%s", what);
    jd_fail_hint(context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

jd_status jd_export_samples(jd_context *context, const jd_result *result, const char *path) {
    const jd_run_result *run = jd_result_run(result);
    const jd_orbit_result *orbit = jd_result_orbit(result);
    if (!run && !orbit)
        return refuse(context, "universal files hold samples of a run or an orbit, and modes",
                      "write HDF5 (FILE.h5), MATLAB (FILE.mat) or JSON (FILE.json)");
    const jd_columns *s = run ? &run->lists.samples : &orbit->samples;
    if (s->n_row < 1 || s->n_column < 2)
        return refuse(context, "there are no samples to write",
                      "set `output.every` or `output.per_period`, and `output.points`");
    jd_file file;
    JD_TRY(jd_file_open(context, path, &file));
    for (int k = 1; k < s->n_column; k++) put_response(file.stream, jd_result_look(result), s, k);
    return jd_file_commit(&file);
}

jd_export_format jd_export_format_of(const char *path) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!dot) return JD_EXPORT_NONE;
    if (!strcmp(dot, ".mat")) return JD_EXPORT_MAT;
    return !strcmp(dot, ".uff") || !strcmp(dot, ".unv") ? JD_EXPORT_UNIVERSAL : JD_EXPORT_NONE;
}
