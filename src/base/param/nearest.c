// nearest.c -- which known word was probably meant.
//   d(i,j) = least number of insertions, deletions, replacements and swaps of neighbours that turn
//   the first i letters of a into the first j of b (Damerau 1964, each letter touched once).
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/param_tools.h"

enum { LONGEST = 200, FAR = INT_MAX };

static int letter(char c) { return c == '-' || c == ' ' ? '_' : tolower((unsigned char)c); }

static int least(int a, int b) { return a < b ? a : b; }

static int distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST) return FAR;
    int rows[3][LONGEST + 1], *older = rows[0], *old = rows[1], *now = rows[2];
    for (size_t j = 0; j <= m; j++) old[j] = older[j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        now[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            bool same = letter(a[i - 1]) == letter(b[j - 1]);
            now[j] = least(old[j - 1] + !same, least(old[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && letter(a[i - 1]) == letter(b[j - 2]) &&
                letter(a[i - 2]) == letter(b[j - 1]))
                now[j] = least(now[j], older[j - 2] + 1);
        }
        int *spare = older;
        older = old;
        old = now;
        now = spare;
    }
    return old[m];
}

// A third of the letters may be wrong; words of one or two letters must match but for case.
static int allowed(const char *word) { return (int)(strlen(word) / 3); }

typedef struct best {
    const char *word;
    int distance;
} best;

static void consider(best *b, const char *word, const char *candidate) {
    int d = distance(word, candidate);
    size_t n = strlen(word);
    if (d > allowed(word) && !(n >= 3 && !strncmp(word, candidate, n))) return;
    if (b->word && d >= b->distance) return;
    *b = (best){candidate, d};
}

const char *jd_nearest(const char *word, int n, const char *const *candidates) {
    best b = {0};
    for (int i = 0; i < n; i++) consider(&b, word, candidates[i]);
    return b.word;
}

const char *jd_nearest_type(const jd_type *const *types, const char *name) {
    best b = {0};
    for (; *types; types++) consider(&b, name, (*types)->name);
    return b.word;
}

const char *jd_nearest_choice(const jd_param *param, const char *word) {
    best b = {0};
    for (const char *const *c = param->choices; c && *c; c++) consider(&b, word, *c);
    return b.word;
}
