// number.c -- splits `1.09e4 N m^2` into number and unit.
//   number = [+-] (digits [. digits*] | . digits) [e [+-] digits]; a unit starts with a letter,
//   `%`, `(` or `1/`. Independent of the locale: the point is always the decimal mark.
#include "model/number.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 200 };

static bool digit(char c) { return c >= '0' && c <= '9'; }

static size_t digits(const char *s) {
    size_t n = 0;
    while (digit(s[n])) n++;
    return n;
}

// Length of the number at the start of s, 0 when there is none.
static size_t number_length(const char *s) {
    size_t n = *s == '+' || *s == '-';
    size_t whole = digits(s + n), part = 0;
    n += whole;
    if (s[n] == '.') {
        part = digits(s + n + 1);
        n += part + 1;
    }
    if (whole + part == 0) return 0;
    if (s[n] == 'e' || s[n] == 'E') {
        size_t sign = s[n + 1] == '+' || s[n + 1] == '-';
        size_t k = digits(s + n + 1 + sign);
        if (k) n += 1 + sign + k;
    }
    return n;
}

static bool unit_may_start(const char *s) {
    return isalpha((unsigned char)*s) || *s == '%' || *s == '(' || (unsigned char)*s >= 0x80 ||
           (s[0] == '1' && s[1] == '/');
}

// strtod reads the decimal mark of the locale; give it that.
static double value_of(const char *s, size_t n) {
    char copy[LONGEST + 16], *to = copy;
    const char *mark = localeconv()->decimal_point;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '.' && strlen(mark) < 8)
            to += sprintf(to, "%s", mark);
        else
            *to++ = s[i];
    }
    *to = '\0';
    return strtod(copy, NULL);
}

bool jd_number_looks(const char *text) {
    size_t n = number_length(text);
    if (n == 0) return false;
    while (text[n] == ' ') n++;
    return !text[n] || unit_may_start(text + n);
}

// Lower case without the sign and a leading point: ".NaN" -> "nan".
static bool word_is(const char *text, const char *word) {
    if (*text == '+' || *text == '-') text++;
    if (*text == '.') text++;
    for (; *text && *word; text++, word++)
        if (tolower((unsigned char)*text) != *word) return false;
    return !*text && !*word;
}

static jd_status refuse(jd_arena *arena, const jd_node *node, jd_status status, const char *wanted,
                        const char *hint) {
    jd_context *context = jd_arena_context(arena);
    const char *found = jd_node_words(arena, node);
    if (status == JD_OUT_OF_RANGE)
        jd_fail(context, status, "%s is not a finite number; expected %s", found, wanted);
    else
        jd_fail(context, status, "expected %s, found %s%s", wanted, found,
                node->kind == JD_NODE_SCALAR && node->quoted ? " in quotes" : "");
    jd_fail_at(context, node);
    if (hint) jd_fail_hint(context, "%s", hint);
    return status;
}

static jd_status refuse_text(jd_arena *arena, const jd_node *node, const char *wanted) {
    const char *s = node->text;
    static const char *const odd[] = {"nan", "inf", "infinity", NULL};
    for (int i = 0; odd[i]; i++)
        if (word_is(s, odd[i])) return refuse(arena, node, JD_OUT_OF_RANGE, wanted, NULL);
    const char *hint = NULL;
    size_t sign = *s == '+' || *s == '-', n = number_length(s);
    if (s[sign] == '0' && (s[sign + 1] == 'x' || s[sign + 1] == 'X'))
        hint = "write it in decimal digits";
    else if (n && s[n] == '_')
        hint = "write the digits without `_`, or 1e3 for a thousand";
    else if (n && s[n] == ',' && digit(s[n + 1]))
        hint = "the decimal mark is a point";
    else if (n)
        hint = "a number may be followed by a unit and nothing else, as in `2.47 m`";
    else if (!*s)
        hint = "write the value after the colon";
    return refuse(arena, node, JD_WRONG_TYPE, wanted, hint);
}

jd_status jd_number_split(jd_arena *arena, const jd_node *node, const char *wanted,
                          jd_number *out) {
    if (node->kind != JD_NODE_SCALAR || node->quoted)
        return refuse(arena, node, JD_WRONG_TYPE, wanted,
                      node->kind == JD_NODE_SCALAR ? "take the quotes away" : NULL);
    const char *s = node->text;
    size_t n = number_length(s);
    bool hex = n && s[n - 1] == '0' && (s[n] == 'x' || s[n] == 'X');
    if (!jd_number_looks(s) || hex) return refuse_text(arena, node, wanted);
    if (n > LONGEST)
        return refuse(arena, node, JD_WRONG_TYPE, wanted, "17 digits are all a number can hold");
    out->value = value_of(s, n);
    if (!isfinite(out->value))
        return refuse(arena, node, JD_OUT_OF_RANGE, wanted, "the largest number is 1.8e308");
    while (s[n] == ' ') n++;
    out->unit = s + n;
    return JD_OK;
}
