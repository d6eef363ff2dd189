// gnuplot_text.c -- texts of a model as gnuplot strings: quoted, one line, valid UTF-8.
#include "picture/gnuplot.h"

// Length of the UTF-8 character at p, 0 when it is none.
static int utf8_length(const unsigned char *p) {
    int n = *p < 0x80 ? 1 : *p >= 0xc2 && *p < 0xe0 ? 2 : *p >= 0xe0 && *p < 0xf0 ? 3 : 0;
    if (*p >= 0xf0 && *p < 0xf5) n = 4;
    for (int i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80) return 0;
    return n;
}

void jd_gnuplot_text(FILE *stream, const char *text) {
    putc('\'', stream);
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        int n = utf8_length(p);
        if (n == 0) {
            putc('?', stream);
        } else if (*p < 0x20 || *p == 0x7f) {
            putc(' ', stream);
        } else {
            if (*p == '\'') putc('\'', stream);
            fwrite(p, 1, (size_t)n, stream);
        }
        p += n > 0 ? n : 1;
    }
    putc('\'', stream);
}
