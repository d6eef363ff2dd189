// terminal.c -- what a person sees on a terminal: lines broken between words at its width, and a
//   few words in colour. Files and pipes get lines as they are. NO_COLOR (not empty) and TERM=dumb
//   leave colours out.
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL = 80, NARROWEST = 40, LABEL = 13 };

// Lines of results begin with a label; what they say is good, worth a look, or bad. With `begins`
// the first word behind the label is coloured where it begins so, else the label.
static const struct {
    const char *label, *begins;
    const char *ink;
} inks[] = {
    {"certificate", "complete", INK_GOOD},
    {"certificate", "", INK_LOOK},
    {"stability", "stable", INK_GOOD},
    {"stability", "unstable", INK_BAD},
    {"stability", "", INK_LOOK},
    {"stopped", NULL, INK_LOOK},
    {"no orbit", NULL, INK_LOOK},
    {"no objection", NULL, INK_GOOD},
    {"cannot", NULL, INK_BAD},
    {"failed", NULL, INK_BAD},
};

terminal terminal_of(int fd) {
    struct winsize size;
    terminal t = {0};
    const char *none = getenv("NO_COLOR"), *type = getenv("TERM");
    if (!isatty(fd)) return t;
    bool known = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    t.width = !known ? USUAL : size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
    t.colour = !(none && none[0]) && type && type[0] && strcmp(type, "dumb") != 0;
    return t;
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

// A label of at most 12 letters, then blanks up to column 13; a continuation is blank up to there.
static bool has_label(const char *line) {
    return strlen(line) > LABEL && line[LABEL - 1] == ' ' && line[LABEL] != ' ' &&
           (line[0] != ' ' || strspn(line, " ") == LABEL);
}

// The colour of a line and which part of it has it; NULL: none.
static const char *ink_of(const char *line, size_t *from, size_t *to) {
    for (size_t i = 0; has_label(line) && i < sizeof inks / sizeof *inks; i++) {
        size_t n = strlen(inks[i].label);
        if (strncmp(line, inks[i].label, n) != 0 || line[n] != ' ') continue;
        if (inks[i].begins && !begins(line + LABEL, inks[i].begins)) continue;
        *from = inks[i].begins ? LABEL : 0;
        *to = inks[i].begins ? LABEL + strcspn(line + LABEL, " :,;") : n;
        return inks[i].ink;
    }
    return NULL;
}

// Bytes of the text that fit into `columns`, cut before a blank; at least one word.
static size_t fitting(const char *text, int columns) {
    size_t last = 0, i = strspn(text, " ");
    int used = (int)i;
    for (; text[i]; i++) {
        if (text[i] == ' ' && text[i - 1] != ' ') last = i;
        used += ((unsigned char)text[i] & 0xC0) != 0x80;
        if (used > columns && last > 0) return last;
    }
    return i;
}

int terminal_indent(const char *line) {
    return has_label(line) ? LABEL : (int)strspn(line, " ") + 2;
}

void terminal_wrap(const char *text, int column, int indent, int width, FILE *stream) {
    for (;;) {
        size_t n = width > 0 ? fitting(text, width - column) : strlen(text);
        fwrite(text, 1, n, stream);
        text += n;
        text += strspn(text, " ");
        if (!*text) return;
        column = indent < width / 2 ? indent : 0;
        fprintf(stream, "\n%*s", column, "");
    }
}

void terminal_line(const terminal *t, const char *line, FILE *stream) {
    size_t from, to = 0;
    const char *ink = t->colour ? ink_of(line, &from, &to) : NULL;
    if (ink)
        fprintf(stream, "%.*s%s%.*s%s", (int)from, line, ink, (int)(to - from), line + from,
                INK_NONE);
    else
        to = 0;
    if (line[to]) terminal_wrap(line + to, (int)to, terminal_indent(line), t->width, stream);
    fputc('\n', stream);
}
