// universal.c -- universal files (UFF): datasets between lines with -1.
//       -1
//     2411
//   ...
//       -1
#include "structure/universal/universal.h"

#include <stdlib.h>
#include <string.h>

#include "structure/matrices/formats/format.h"

enum { WORD = 32, HIGHEST = 100000 };

static bool is_mark(jd_scan *s) {
    if (jd_scan_blank(s) || s->stop - s->at < 2 || memcmp(s->at, "-1", 2) != 0) return false;
    jd_scan rest = *s;
    rest.at += 2;
    return jd_scan_blank(&rest);
}

bool jd_universal_is(jd_scan *s) {
    jd_scan_again(s);
    while (jd_scan_line(s))
        if (!jd_scan_blank(s)) return is_mark(s);
    return false;
}

static jd_status read_number(jd_scan *s, int *number) {
    char word[WORD], *rest;
    if (!jd_scan_line(s))
        return jd_scan_fail(s, s->broken, "the file ends where the number of a dataset must be");
    jd_scan_word(s, word, sizeof word);
    long value = strtol(word, &rest, 10);
    if (rest == word || value < 1 || value > HIGHEST)
        return jd_scan_fail(s, s->broken, "`%s` is no number of a dataset", word);
    if (*rest) {
        jd_scan_fail(s, JD_NOT_SUPPORTED, "dataset `%s` is binary, which is not read", word);
        jd_fail_hint(s->context, "write the universal file as text (ASCII)");
        return JD_NOT_SUPPORTED;
    }
    *number = (int)value;
    return JD_OK;
}

jd_status jd_universal_next(jd_scan *s, int *number, jd_scan *body) {
    *number = 0;
    do
        if (!jd_scan_line(s)) return JD_OK;
    while (jd_scan_blank(s));
    if (!is_mark(s)) return jd_scan_fail(s, s->broken, "a dataset must begin with a line -1 here");
    JD_TRY(read_number(s, number));
    *body = *s;
    const char *last = s->next;
    while (jd_scan_line(s)) {
        if (is_mark(s)) {
            body->end = last;
            return JD_OK;
        }
        last = s->next;
    }
    return jd_scan_fail(s, s->broken, "the file is truncated: dataset %d has no line -1 at its end",
                        *number);
}

jd_status jd_universal_line(jd_scan *s, int number) {
    if (jd_scan_line(s)) return JD_OK;
    return jd_scan_fail(s, s->broken, "dataset %d ends before its values", number);
}

jd_status jd_universal_real(jd_scan *s, const char *what, double *out) {
    char word[2 * WORD];
    while (jd_scan_blank(s))
        if (!jd_scan_line(s))
            return jd_scan_fail(s, s->broken, "the file is truncated: a value is missing (%s)",
                                what);
    jd_scan_word(s, word, sizeof word);
    if (jd_field_real(word, strlen(word), out)) return JD_OK;
    return jd_scan_fail(s, s->broken, "`%s` is no finite number (%s)", word, what);
}
