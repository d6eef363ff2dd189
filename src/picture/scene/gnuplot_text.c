// gnuplot_text.c -- texts of a model as gnuplot strings: quoted, one line, valid UTF-8 and XML.
#include <string.h>

#include "base/text.h"
#include "picture/scene/gnuplot.h"

enum { LONGEST = 400 }; // characters: wider than any page

// What XML, and so SVG, has no room for: U+FFFE and U+FFFF. Nor has it for `]]>`, and gnuplot
// leaves that as it is.
static bool is_none(const char *p, int n) {
    return n == 3 && (memcmp(p, "\xEF\xBF\xBE", 3) == 0 || memcmp(p, "\xEF\xBF\xBF", 3) == 0);
}

// gnuplot takes two quotes for one, but not at the ends of a string nor beside another quote, where
// it sees an empty string: those are curved.
static void quote(FILE *stream, const char *text, int shown) {
    bool alone = shown > 0 && text[-1] != '\'' && text[1] != '\'' && text[1] != '\0';
    fputs(alone ? "''" : "’", stream);
}

void jd_gnuplot_text(FILE *stream, const char *text) {
    int shown = 0;
    putc('\'', stream);
    for (int n; *text && shown < LONGEST; text += n, shown++) {
        n = jd_text_next(text);
        if (n == 0 || is_none(text, n)) {
            putc('?', stream);
            n = n ? n : 1;
        } else if (jd_text_control((const unsigned char *)text, n)) {
            putc(' ', stream);
        } else if (*text == '\'') {
            quote(stream, text, shown);
        } else {
            bool section = *text == '>' && shown > 1 && strncmp(text - 2, "]]", 2) == 0;
            fwrite(section ? "›" : text, 1, section ? strlen("›") : (size_t)n, stream);
        }
    }
    fputs(*text ? "…'" : "'", stream);
}
