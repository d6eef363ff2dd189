// clean.c -- nothing a model, a file or its name says reaches a terminal as a command.
//   Control characters (C0 but the newline, DEL, C1), characters that turn the direction of writing
//   or break lines, and bytes that are no UTF-8 are shown as \x1b, \u202e, \xff. Everything the
//   command prints for people passes through here; JSON and CSV have their own rules.
#define _GNU_SOURCE // fopencookie
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "command.h"
#include "terminal.h"

enum { LONGEST = 4, SHOWN = 8 }; // bytes of a character; of what is shown for one

// What is shown for the bytes at p; *used: how many of them it stands for.
static size_t show(const unsigned char *p, int length, char out[SHOWN], size_t *used) {
    *used = length > 0 ? (size_t)length : 1;
    if (length > 0 && !jd_text_control(p, length)) {
        memcpy(out, p, *used);
        return *used;
    }
    unsigned code = length < 2    ? p[0]
                    : length == 2 ? (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu)
                                  : (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    int n = code == '\n'   ? snprintf(out, SHOWN, "\\n")
            : code == '\t' ? snprintf(out, SHOWN, "\\t")
                           : snprintf(out, SHOWN, length < 2 ? "\\x%02x" : "\\u%04x", code);
    return (size_t)n;
}

void clean_put(const char *text, FILE *stream) {
    char out[SHOWN];
    size_t left = strlen(text), used;
    for (const unsigned char *p = (const unsigned char *)text; left > 0; p += used, left -= used) {
        int length = jd_text_length(p, left);
        fwrite(out, 1, show(p, length < 0 ? 0 : length, out, &used), stream);
    }
}

void clean_copy(const char *text, char *out, size_t size) {
    size_t left = strlen(text), used, n = 0;
    const unsigned char *p = (const unsigned char *)text;
    for (; left > 0 && n + SHOWN < size; p += used, left -= used) {
        int length = jd_text_length(p, left);
        n += show(p, length < 0 ? 0 : length, out + n, &used);
    }
    out[n] = '\0';
}

const char *clean_text(call *c, const char *text) {
    char *out = jd_arena_take(c->arena, strlen(text) + 1, SHOWN), *to = out;
    size_t left = strlen(text), used;
    if (!out) return "";
    for (const unsigned char *p = (const unsigned char *)text; left > 0; p += used, left -= used) {
        int length = jd_text_length(p, left);
        to += show(p, length < 0 ? 0 : length, to, &used);
    }
    *to = '\0';
    return out;
}

// ---- the standard output: the same, but that newlines are ours, and on a terminal lines are
// broken

enum { LINE = 4096 }; // bytes of a line that is broken; longer ones are shown as they come

typedef struct outlet {
    unsigned char waiting[LONGEST]; // the beginning of a character
    size_t n_waiting;
    terminal terminal;
    FILE *plain;     // the standard output itself, in spite of signals
    char line[LINE]; // of a terminal: the line so far
    size_t n_line;
} outlet;

static ssize_t write_all(void *cookie, const char *bytes, size_t size) {
    (void)cookie;
    for (size_t n = size; n > 0;) {
        ssize_t k = write(STDOUT_FILENO, bytes, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return 0;
        bytes += k;
        n -= (size_t)k;
    }
    return (ssize_t)size;
}

// A line that is whole goes out in the terminal's way, one that is too long as it is.
static void show_line(outlet *o, bool whole) {
    o->line[o->n_line] = '\0';
    if (whole)
        terminal_line(&o->terminal, o->line, o->plain);
    else
        fputs(o->line, o->plain);
    o->n_line = 0;
}

static void put_bytes(outlet *o, const char *bytes, size_t n) {
    if (o->terminal.width == 0) {
        fwrite(bytes, 1, n, o->plain);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != '\n') o->line[o->n_line++] = bytes[i];
        if (bytes[i] == '\n' || o->n_line == LINE - 1) show_line(o, bytes[i] == '\n');
    }
}

// Bytes of one buffer; what it holds of a last character waits for the next.
static ssize_t outlet_write(void *cookie, const char *bytes, size_t size) {
    outlet *o = cookie;
    unsigned char in[LONGEST + 512];
    char out[sizeof in * SHOWN];
    for (size_t done = 0; done < size;) {
        size_t n = o->n_waiting, take = size - done < 512 ? size - done : 512, to = 0, at = 0, used;
        memcpy(in, o->waiting, n);
        memcpy(in + n, bytes + done, take);
        done += take;
        n += take;
        for (; at < n; at += used) {
            int length = jd_text_length(in + at, n - at);
            if (length < 0) break;
            if (in[at] == '\n')
                out[to++] = '\n', used = 1;
            else
                to += show(in + at, length, out + to, &used);
        }
        o->n_waiting = n - at;
        memcpy(o->waiting, in + at, o->n_waiting);
        put_bytes(o, out, to);
    }
    return fflush(o->plain) == 0 && !ferror(o->plain) ? (ssize_t)size : 0;
}

jd_status clean_output(call *c) {
    outlet *o = JD_TAKE(c->arena, outlet, 1);
    FILE *stream = o ? fopencookie(o, "w", (cookie_io_functions_t){.write = outlet_write}) : NULL;
    if (!stream) return out_of_memory(c);
    o->plain = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_all});
    if (!o->plain) return out_of_memory(c);
    o->terminal = terminal_of(STDOUT_FILENO);
    if (o->terminal.width > 0) setvbuf(stream, NULL, _IOLBF, 0);
    fflush(stdout);
    stdout = stream;
    return JD_OK;
}
