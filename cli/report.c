// report.c -- what the command says on stderr, and errors as JSON.
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "terminal.h"

enum { LONGEST_WARNING = 2000 };

// A line on stderr: a head in colour, then the text; on a terminal broken at its width. Takes no
// memory, as there may be none.
static void say(call *c, const char *head, const char *ink, const char *where, const char *text) {
    const terminal t = terminal_of(STDERR_FILENO);
    int column = (int)strlen(head);
    char line[2 * LONGEST_WARNING];
    if (!t.colour) ink = NULL;
    report_progress_end(c);
    fprintf(stderr, "%s%s%s", ink ? ink : "", head, ink ? INK_NONE : "");
    clean_copy(where, line, sizeof line / 2);
    if (where[0]) strcat(line, ": ");
    size_t n = strlen(line);
    clean_copy(text, line + n, sizeof line - n);
    terminal_wrap(line, column, column, t.width, stderr);
    fputc('\n', stderr);
}

int report_failure(call *c) {
    const jd_error *e = jd_context_error(c->context);
    if (c->json) {
        json_t *inner = json_object(), *outer = json_object();
        json_object_set_new(inner, "name", json_string(jd_status_name(e->status)));
        json_object_set_new(inner, "message", jd_json_text(e->message));
        json_object_set_new(inner, "where", jd_json_text(e->where));
        json_object_set_new(inner, "hint", jd_json_text(e->hint));
        json_object_set_new(outer, "error", inner);
        jd_json_write(outer, stdout);
        json_decref(outer);
    } else {
        say(c, "judder: ", INK_BAD, e->where, e->message);
        if (e->hint[0]) say(c, "  hint: ", INK_HINT, "", e->hint);
    }
    return jd_status_exit_code(e->status);
}

void report_warning(call *c, const char *format, ...) {
    if (c->quiet) return;
    char text[LONGEST_WARNING];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say(c, "judder: warning: ", INK_LOOK, "", text);
}

void report_log(void *user, jd_log_level level, const char *text) {
    call *c = user;
    if (c->quiet) return;
    if (level == JD_LOG_WARNING) report_warning(user, "%s", text);
    if (level == JD_LOG_NOTE) say(c, "judder: ", NULL, "", text);
}

static double wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// "3 min left"; "" while it cannot be told.
static void time_left(const call *c, double fraction, char *out, size_t size) {
    double spent = wall_clock() - c->progress.begin, share = fraction - c->progress.first;
    double left = share > 0 ? spent * (1 - fraction) / share : -1;
    out[0] = '\0';
    if (left < 0 || spent < 1) return;
    if (left < 90)
        snprintf(out, size, ", %.0f s left", left);
    else if (left < 5400)
        snprintf(out, size, ", %.0f min left", left / 60);
    else
        snprintf(out, size, ", %.1f h left", left / 3600);
}

// Only for people (a terminal), and only when it takes a while.
void report_progress(void *user, const char *what, double fraction) {
    call *c = user;
    const clock_t patience = CLOCKS_PER_SEC / 2;
    char left[40];
    if (c->progress.begin == 0 || strcmp(c->progress.what, what) != 0) { // each step by itself
        c->progress.begin = wall_clock();
        c->progress.first = fraction;
        c->progress.what = what;
    }
    if (c->quiet || clock() < patience || !isatty(STDERR_FILENO)) return;
    time_left(c, fraction, left, sizeof left);
    if (fraction > 0)
        fprintf(stderr, "\r%s %3.0f %%%s\033[K", what, 100 * fraction, left);
    else
        fprintf(stderr, "\r%s\033[K", what);
    c->progress.shown = true;
}

void report_progress_end(call *c) {
    if (c->progress.shown) fputs("\r\033[K", stderr);
    c->progress.shown = false;
}

jd_status out_of_memory(call *c) {
    return jd_fail(c->context, JD_OUT_OF_MEMORY, "not enough memory");
}
