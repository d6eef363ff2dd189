// terminal.h -- how lines for people are shown on a terminal.
#ifndef JD_CLI_TERMINAL_H
#define JD_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#define INK_NONE "\033[0m"
#define INK_GOOD "\033[32m" // green
#define INK_LOOK "\033[33m" // yellow
#define INK_BAD "\033[31m"  // red
#define INK_HINT "\033[36m" // cyan

enum { HELP_WIDTH = 80 }; // of help, wherever it is printed

typedef struct terminal {
    int width; // columns; 0: no terminal, lines are not broken
    bool colour;
} terminal;

// What stands behind the file descriptor.
terminal terminal_of(int fd);
// A line without its newline, whose control characters are spelled out already.
void terminal_line(const terminal *t, const char *line, FILE *stream);
// Text that begins at `column`, broken between words at `width` (0: not); the next lines begin at
// `indent`.
void terminal_wrap(const char *text, int column, int indent, int width, FILE *stream);
// Where the next lines of a broken line begin: behind its label, or two columns further in.
int terminal_indent(const char *line);

#endif
