// scan.c -- a text file in memory, taken apart line by line and word by word.
//   Strict: a number is what it looks like, finite, and uses up its word. Fortran's D exponent is
//   taken as E.
#include "base/scan.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WORD = 64, MESSAGE = 400 };

static jd_status cannot_read(jd_context *context, const char *path, const char *why) {
    jd_fail(context, JD_CANNOT_READ, "cannot read `%s`: %s", path, why);
    jd_fail_where(context, "%s", path);
    return JD_CANNOT_READ;
}

static jd_status check_file(jd_context *context, FILE *file, const char *path, size_t most,
                            size_t *size) {
    struct stat info;
    if (fstat(fileno(file), &info) != 0) return cannot_read(context, path, strerror(errno));
    if (S_ISDIR(info.st_mode)) return cannot_read(context, path, "it is a folder");
    if (!S_ISREG(info.st_mode)) return cannot_read(context, path, "it is not an ordinary file");
    *size = (size_t)info.st_size;
    jd_note_read(context, info.st_dev, info.st_ino);
    if (*size > most)
        jd_fail(context, JD_FILE_TOO_LARGE, "`%s` has %zu bytes, Judder reads at most %zu", path,
                *size, most);
    else if (*size == 0)
        jd_fail(context, JD_EMPTY_FILE, "`%s` is empty", path);
    else
        return JD_OK;
    jd_fail_where(context, "%s", path);
    return *size ? JD_FILE_TOO_LARGE : JD_EMPTY_FILE;
}

jd_status jd_scan_open(jd_arena *arena, const char *path, size_t most, jd_status broken,
                       jd_scan *s) {
    jd_context *context = jd_arena_context(arena);
    FILE *file = fopen(path, "rb");
    if (!file) return cannot_read(context, path, strerror(errno));
    size_t size = 0, got = 0;
    char *text = NULL;
    jd_status status = check_file(context, file, path, most, &size);
    if (status == JD_OK) {
        text = jd_arena_take_raw(arena, size, 1);
        status = jd_arena_status(arena);
    }
    if (status == JD_OK) got = fread(text, 1, size, file);
    if (status == JD_OK && got != size) status = cannot_read(context, path, "it ends too early");
    fclose(file);
    *s = (jd_scan){.context = context, .path = path, .text = text, .end = text, .broken = broken};
    if (text) s->end += got;
    if (got >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) s->text += 3; // spreadsheets mark UTF-8
    if (status == JD_OK) jd_scan_again(s);
    return status;
}

void jd_scan_again(jd_scan *s) {
    s->next = s->at = s->stop = s->text;
    s->line = 0;
}

bool jd_scan_line(jd_scan *s) {
    if (s->next == s->end) return false;
    s->at = s->next;
    const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
    s->stop = newline ? newline : s->end;
    s->next = newline ? newline + 1 : s->end;
    s->line++;
    return true;
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool jd_scan_blank(jd_scan *s) {
    while (s->at < s->stop && blank(*s->at)) s->at++;
    return s->at == s->stop;
}

bool jd_scan_data(jd_scan *s) {
    while (jd_scan_line(s)) {
        const char *hash = memchr(s->at, '#', (size_t)(s->stop - s->at));
        if (hash) s->stop = hash;
        if (!jd_scan_blank(s)) return true;
    }
    return false;
}

void jd_scan_word(jd_scan *s, char *word, size_t size) {
    size_t n = 0;
    if (!jd_scan_blank(s))
        for (; s->at < s->stop && !blank(*s->at) && !(s->commas && *s->at == ','); s->at++)
            if (n + 1 < size) word[n++] = *s->at >= ' ' && *s->at <= '~' ? *s->at : '?';
    word[n] = 0;
    if (!jd_scan_blank(s) && s->commas && *s->at == ',') s->at++; // one comma, not two
}

jd_status jd_scan_fail(jd_scan *s, jd_status status, const char *format, ...) {
    char message[MESSAGE];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    jd_fail(s->context, status, "%s", message);
    jd_fail_where(s->context, "%s:%d", s->path, s->line);
    return status;
}

jd_status jd_scan_integer(jd_scan *s, const char *what, long low, long high, int *out) {
    char word[WORD], *rest;
    jd_scan_word(s, word, sizeof word);
    if (!word[0]) return jd_scan_fail(s, s->broken, "%s is missing", what);
    errno = 0;
    long value = strtol(word, &rest, 10);
    if (*rest || errno)
        return jd_scan_fail(s, s->broken, "`%s` is no whole number (%s)", word, what);
    if (value < low || value > high)
        return jd_scan_fail(s, s->broken, "%s is %ld, but must be from %ld to %ld", what, value,
                            low, high);
    *out = (int)value;
    return JD_OK;
}

jd_status jd_scan_real(jd_scan *s, const char *what, double *out) {
    char word[WORD], *rest = word;
    jd_scan_word(s, word, sizeof word);
    if (!word[0]) return jd_scan_fail(s, s->broken, "%s is missing", what);
    bool digits = strspn(word, "0123456789+-.eEdD") == strlen(word);
    for (char *c = word; digits && *c; c++)
        if (*c == 'd' || *c == 'D') *c = 'e';
    *out = 0;
    if (digits) *out = strtod(word, &rest);
    if (digits && !*rest && isfinite(*out)) return JD_OK;
    return jd_scan_fail(s, s->broken, "`%s` is no finite number (%s)", word, what);
}

jd_status jd_scan_line_end(jd_scan *s) {
    if (jd_scan_blank(s)) return JD_OK;
    char word[WORD];
    jd_scan_word(s, word, sizeof word);
    return jd_scan_fail(s, s->broken, "`%s` is too much on this line", word);
}
