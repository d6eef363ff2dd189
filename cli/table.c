// table.c -- a table for people: columns as wide as their widest cell.
#include <string.h>

#include "command.h"

typedef struct row {
    struct row *next;
    const char *cell[]; // n_col
} row;

struct table {
    call *owner;
    const char *align;
    int n_col;
    size_t *width;
    row *first, *last;
};

static size_t characters(const char *text) { // of UTF-8: every byte that begins one
    size_t n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

table *table_create(call *c, const char *align) {
    table *t = JD_TAKE(c->arena, table, 1);
    if (!t) return NULL;
    *t = (table){.owner = c, .align = align, .n_col = (int)strlen(align)};
    t->width = JD_TAKE(c->arena, size_t, t->n_col);
    return t->width ? t : NULL;
}

void table_row(table *t, const char *const *cells) {
    if (!t) return;
    row *r = jd_arena_take(t->owner->arena, 1, sizeof *r + (size_t)t->n_col * sizeof *r->cell);
    if (!r) return;
    for (int i = 0; i < t->n_col; i++) {
        r->cell[i] = clean_text(t->owner, cells[i] ? cells[i] : "");
        if (!r->cell[i]) r->cell[i] = "";
        size_t n = characters(r->cell[i]);
        if (n > t->width[i]) t->width[i] = n;
    }
    if (t->last) t->last->next = r;
    if (!t->first) t->first = r;
    t->last = r;
}

static void print_row(const table *t, const row *r, FILE *stream) {
    int last = t->n_col - 1; // nothing is printed behind the last cell that has text
    while (last > 0 && r->cell[last][0] == '\0') last--;
    for (int i = 0; i <= last; i++) {
        int pad = (int)(t->width[i] - characters(r->cell[i]));
        bool right = t->align[i] == 'r';
        fprintf(stream, "%s%*s%s", i ? "  " : "", right ? pad : 0, "", r->cell[i]);
        if (!right && i < last) fprintf(stream, "%*s", pad, "");
    }
    fputc('\n', stream);
}

void table_print(const table *t, const char *indent, FILE *stream) {
    for (const row *r = t ? t->first : NULL; r; r = r->next) {
        fputs(indent, stream);
        print_row(t, r, stream);
    }
}
