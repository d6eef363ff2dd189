// nastran_dmig.c -- matrices that Nastran punches as DMIG cards.
//   head:    DMIG NAME 0 IFO TIN TOUT .. NCOL   IFO 1 square, 6 symmetric; TIN 1, 2 real
//   column:  DMIG NAME GJ CJ -  G1 C1 A1 -,  then G2 C2 A2 - ..
//   Fields of 8 characters, of `DMIG*` of 16 (the first of a line always 8, four of 16 to a line),
//   or separated by commas. Lines of other cards are passed over, and comments behind $.
//   Component 0 is a scalar point: dof 1. Of a symmetric matrix one triangle is there.
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "structure/matrices/formats/format.h"

enum { MOST_FIELDS = 10, CARD = 8 };

// The fields of a line behind the first.
typedef struct card {
    bool head;  // begins with DMIG
    bool more;  // goes on with the card before it
    bool large; // fields of 16
    int n;
    char field[MOST_FIELDS][JD_FORMAT_NAME];
} card;

static bool starts(const jd_scan *s, const char *word) {
    size_t n = strlen(word);
    return (size_t)(s->stop - s->at) >= n && strncasecmp(s->at, word, n) == 0;
}

bool jd_matrix_is_dmig(jd_scan *s) {
    jd_scan_again(s);
    while (jd_scan_line(s))
        if (starts(s, "DMIG") && s->stop - s->at > 4 && strchr(" *,", s->at[4])) return true;
    return false;
}

static void split_commas(jd_scan *s, card *c) {
    const char *at = memchr(s->at, ',', (size_t)(s->stop - s->at));
    for (at = at ? at + 1 : s->stop; at <= s->stop && c->n < MOST_FIELDS;) {
        const char *comma = memchr(at, ',', (size_t)(s->stop - at));
        const char *end = comma ? comma : s->stop;
        jd_field_text(at, (size_t)(end - at), c->field[c->n++], JD_FORMAT_NAME);
        at = end + 1;
    }
}

static void split_columns(jd_scan *s, card *c) {
    ptrdiff_t width = c->large ? 16 : 8;
    int most = c->large ? 4 : 8;
    for (const char *at = s->at + CARD; c->n < most; at += width) {
        ptrdiff_t left = s->stop > at ? s->stop - at : 0;
        jd_field_text(left ? at : s->stop, (size_t)(left < width ? left : width), c->field[c->n++],
                      JD_FORMAT_NAME);
        if (left <= width) break;
    }
}

// The next line of a DMIG card; false: the file ends.
static bool next_card(jd_scan *s, bool *inside, card *c) {
    while (jd_scan_line(s)) {
        if (s->at == s->stop || *s->at == '$') continue;
        bool comma = memchr(s->at, ',', (size_t)(s->stop - s->at)) != NULL;
        bool goes_on = strchr("*+ ,", *s->at) != NULL;
        bool dmig = starts(s, "DMIG") && s->stop - s->at > 4 && strchr(" *,", s->at[4]);
        *c = (card){.head = dmig, .more = goes_on};
        if (!goes_on) *inside = dmig;
        if (!*inside) continue;
        c->large = *s->at == '*' || (dmig && s->at[4] == '*');
        if (comma)
            split_commas(s, c);
        else
            split_columns(s, c);
        while (c->n > 0 && !c->field[c->n - 1][0]) c->n--;
        if (c->n) return true;
    }
    return false;
}

static const char *field(const card *c, int i) { return i < c->n ? c->field[i] : ""; }

static jd_status whole(jd_scan *s, const char *what, const char *text, long blank, long low,
                       int *out) {
    long value;
    if (jd_field_integer(text, strlen(text), blank, &value) && value >= low && value <= INT_MAX) {
        *out = (int)value;
        return JD_OK;
    }
    return jd_scan_fail(s, JD_BROKEN_MATRIX, "`%s` is no number of %s", text, what);
}

static jd_status read_head(jd_scan *s, const card *c, jd_matrix_list *m) {
    int form = 0, type = 0;
    JD_TRY(whole(s, "a form (IFO)", field(c, 2), 0, 0, &form));
    JD_TRY(whole(s, "a type (TIN)", field(c, 3), 0, 0, &type));
    if (form != 1 && form != 6) {
        jd_scan_fail(s, JD_NOT_SUPPORTED, "DMIG `%s` has the form %d (%s), which is not read",
                     field(c, 0), form, form == 2 || form == 9 ? "rectangular" : "unknown");
        jd_fail_hint(s->context, "forms 1 (square) and 6 (symmetric) are read");
        return JD_NOT_SUPPORTED;
    }
    if (type != 1 && type != 2) {
        jd_scan_fail(s, JD_NOT_SUPPORTED, "DMIG `%s` has the type %d%s, but must be real",
                     field(c, 0), type, type == 3 || type == 4 ? " (complex)" : "");
        jd_fail_hint(s->context, "types 1 and 2 (real) are read");
        return JD_NOT_SUPPORTED;
    }
    m->triangle = false;
    m->either = form == 6;
    return JD_OK;
}

typedef struct reading {
    jd_scan *scan;
    jd_choice choice;
    bool found, chosen, column; // of the card under way: it is the matrix wanted, and a column
    jd_label at;                // the column
    jd_label *pair;
    jd_matrix_list *m;
} reading;

static jd_status read_label(jd_scan *s, const char *node, const char *dof, jd_label *out) {
    *out = (jd_label){0};
    JD_TRY(whole(s, "a grid point", node, 0, 1, &out->node));
    JD_TRY(whole(s, "a component", dof, 0, 0, &out->dof));
    if (out->dof > 6)
        return jd_scan_fail(s, JD_BROKEN_MATRIX, "component %d of grid point %d: at most 6",
                            out->dof, out->node);
    if (out->dof == 0) out->dof = 1;
    return JD_OK;
}

// Entries G C A B from field i on.
static jd_status read_entries(reading *r, const card *c, int i) {
    jd_scan *s = r->scan;
    for (; i < c->n; i += 4) {
        if (!field(c, i)[0]) continue;
        jd_label row;
        double value;
        const char *text = field(c, i + 2);
        JD_TRY(read_label(s, field(c, i), field(c, i + 1), &row));
        if (!jd_field_real(text, strlen(text), &value))
            return jd_scan_fail(s, JD_BROKEN_MATRIX, "`%s` is no finite number", text);
        int e = r->m->n_entry;
        r->pair[2 * e] = row;
        r->pair[2 * e + 1] = r->at;
        jd_matrix_add(r->m, 0, 0, s->line, value);
    }
    return JD_OK;
}

static jd_status read_card(reading *r, const card *c) {
    jd_scan *s = r->scan;
    if (c->head) {
        const char *name = field(c, 0);
        bool header = !strcmp(field(c, 1), "0");
        r->column = !header;
        if (header) {
            r->chosen = jd_choice_offer(&r->choice, name) && !r->found;
            if (r->chosen) JD_TRY(read_head(s, c, r->m));
            r->found = r->found || r->chosen;
            return JD_OK;
        }
        if (!r->choice.n)
            return jd_scan_fail(s, JD_BROKEN_MATRIX, "DMIG `%s` has a column before its head",
                                name);
        if (r->chosen) JD_TRY(read_label(s, field(c, 1), field(c, 2), &r->at));
        return r->chosen && !c->large ? read_entries(r, c, 4) : JD_OK;
    }
    return r->chosen && r->column ? read_entries(r, c, 0) : JD_OK;
}

jd_status jd_matrix_read_dmig(jd_arena *arena, jd_scan *s, const char *name, jd_matrix_list *m) {
    reading r = {.scan = s, .choice = {.path = s->path, .wanted = name}, .m = m};
    bool inside = false;
    card c;
    size_t lines = 0;
    jd_scan_again(s);
    while (jd_scan_line(s)) lines++;
    r.pair = JD_TAKE(arena, jd_label, 2 * (2 * lines + 2)); // two entries to a line at most
    JD_TRY(jd_matrix_room(arena, m, (int)(lines < INT_MAX / 4 ? 2 * lines + 2 : INT_MAX / 2)));
    jd_scan_again(s);
    while (next_card(s, &inside, &c)) JD_TRY(read_card(&r, &c));
    JD_TRY(jd_choice_check(s->context, &r.choice, r.found));
    if (m->n_entry == 0) return jd_scan_fail(s, JD_EMPTY_FILE, "the matrix has no entries");
    return jd_matrix_label_rows(arena, r.pair, m->n_entry, m);
}
