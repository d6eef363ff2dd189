// matlab.c -- matrices from MATLAB files, full or sparse, real, chosen by name. Version 5 to 7
// here:
//   a head of 128 bytes whose last two tell the byte order, then elements: type and length in
//   bytes, each 4 bytes, and content, up to the next multiple of 8; a length of up to 4 may stand
//   in the upper half of the type, the content behind it. Type 14 is a variable: elements with
//   flags, sizes, name, of a sparse matrix rows and beginnings of columns, numbers. 15: a variable,
//   compressed by deflate. Numbers may be of any smaller type.
//   Every length is compared with what is there before anything is allocated.
#include "structure/matrices/formats/matlab.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

enum { HEAD = 128, VARIABLE = 14, SQUEEZED = 15, COMPLEX = 0x800, NAME = 64 };
enum { INT8 = 1, UINT8, INT16, UINT16, INT32, UINT32, SINGLE, DOUBLE = 9, INT64 = 12, UINT64 };

bool jd_matrix_is_matlab(const jd_scan *s) {
    static const char mark[] = "MATLAB ";
    size_t n = sizeof mark - 1;
    return s->end - s->text >= HEAD && memcmp(s->text, mark, n) == 0;
}

// Version 4: five numbers of 4 bytes -- type, rows, columns, complex, length of the name -- in
// either byte order; the type has digits M (0, 1: byte order), 0, P (0 to 5), T (0 to 2).
bool jd_matrix_is_matlab4(const jd_scan *s) {
    uint32_t n[5];
    if (s->end - s->text < (ptrdiff_t)sizeof n) return false;
    for (int turned = 0; turned < 2; turned++) {
        memcpy(n, s->text, sizeof n);
        for (int i = 0; i < 5 && turned; i++) n[i] = __builtin_bswap32(n[i]);
        bool type = n[0] / 1000 < 2 && n[0] / 100 % 10 == 0 && n[0] / 10 % 10 < 6 && n[0] % 10 < 3;
        bool sizes = n[1] > 0 && n[1] < 1u << 30 && n[2] > 0 && n[2] < 1u << 30 && n[3] < 2;
        if (type && n[0] / 1000 == (uint32_t)turned && sizes && n[4] > 1 && n[4] <= NAME)
            return true;
    }
    return false;
}

jd_status jd_matrix_refuse_matlab4(const jd_scan *s) {
    jd_fail(s->context, JD_NOT_SUPPORTED, "`%s` is a MATLAB file of version 4, which is not read",
            s->path);
    jd_fail_where(s->context, "%s", s->path);
    jd_fail_hint(s->context, "write it anew: `save -v7 FILE.mat M K` in MATLAB and Octave, "
                             "savemat(..., format=\"5\") in Python");
    return JD_NOT_SUPPORTED;
}

typedef struct bytes {
    const unsigned char *at, *end;
    bool big; // the most significant byte comes first
} bytes;

typedef struct element {
    uint32_t type;
    bytes content;
} element;

static uint64_t load(const bytes *b, const unsigned char *p, size_t width) {
    uint64_t v = 0;
    for (size_t i = 0; i < width; i++) v = v << 8 | p[b->big ? i : width - 1 - i];
    return v;
}

// Takes the next element; false: it does not fit.
static bool next(bytes *b, element *out) {
    if (b->end - b->at < 8) return false;
    uint64_t type = load(b, b->at, 4), length = load(b, b->at + 4, 4);
    const unsigned char *from = b->at + 8;
    bool small = type >> 16 != 0;
    if (small) {
        length = type >> 16;
        type &= 0xffff;
        from = b->at + 4;
    }
    if (length > (small ? 4 : (uint64_t)(b->end - from))) return false;
    *out = (element){(uint32_t)type, {from, from + length, b->big}};
    uint64_t used = small || type == SQUEEZED ? length : (length + 7) / 8 * 8;
    b->at = small ? b->at + 8 : used > (uint64_t)(b->end - from) ? b->end : from + used;
    return true;
}

static size_t width_of(uint32_t type) {
    switch (type) {
    case INT8:
    case UINT8:
        return 1;
    case INT16:
    case UINT16:
        return 2;
    case INT32:
    case UINT32:
    case SINGLE:
        return 4;
    case DOUBLE:
    case INT64:
    case UINT64:
        return 8;
    default:
        return 0;
    }
}

static size_t count_of(const element *e) {
    size_t width = width_of(e->type);
    return width ? (size_t)(e->content.end - e->content.at) / width : 0;
}

static double number(const element *e, size_t i) {
    size_t width = width_of(e->type);
    uint64_t v = load(&e->content, e->content.at + i * width, width);
    double d;
    float f;
    uint32_t half = (uint32_t)v;
    switch (e->type) {
    case DOUBLE:
        memcpy(&d, &v, sizeof d);
        return d;
    case SINGLE:
        memcpy(&f, &half, sizeof f);
        return (double)f;
    case INT8:
        return (double)(int8_t)v;
    case INT16:
        return (double)(int16_t)v;
    case INT32:
        return (double)(int32_t)v;
    case INT64:
        return (double)(int64_t)v;
    default:
        return (double)v;
    }
}

static jd_status damaged(const jd_matlab_file *f, const char *name) {
    return jd_matlab_refuse(f, JD_BROKEN_MATRIX, name, "is damaged: its parts do not fit together",
                            NULL);
}

static jd_status take_full(jd_arena *arena, const jd_matlab_file *f, const jd_matlab_variable *v,
                           bytes *b, jd_matrix_list *m) {
    element values;
    size_t n = v->rows, count = 0;
    if (!next(b, &values) || count_of(&values) != n * n) return damaged(f, v->name);
    for (size_t i = 0; i < n * n; i++) count += number(&values, i) != 0;
    if (count > 1u << 30)
        return jd_matlab_refuse(f, JD_FILE_TOO_LARGE, v->name, "has too many entries", NULL);
    JD_TRY(jd_matrix_room(arena, m, (int)count));
    for (size_t i = 0; i < n * n; i++)
        JD_TRY(jd_matlab_add(f, v->name, i % n, i / n, number(&values, i), m));
    return JD_OK;
}

static jd_status take_sparse(jd_arena *arena, const jd_matlab_file *f, const jd_matlab_variable *v,
                             bytes *b, jd_matrix_list *m) {
    element row, start, values;
    size_t n = v->rows;
    if (!next(b, &row) || !next(b, &start) || !next(b, &values) || row.type != INT32 ||
        start.type != INT32 || count_of(&start) != n + 1 || number(&start, 0) != 0)
        return damaged(f, v->name);
    double last = number(&start, n);
    if (!(last >= 0 && last <= (double)count_of(&row) && last <= (double)count_of(&values)) ||
        last > 1 << 30)
        return damaged(f, v->name);
    JD_TRY(jd_matrix_room(arena, m, (int)last));
    for (size_t j = 0; j < n; j++) {
        double from = number(&start, j), to = number(&start, j + 1);
        if (!(from <= to && to <= last)) return damaged(f, v->name);
        for (size_t p = (size_t)from; p < (size_t)to; p++) {
            double i = number(&row, p);
            if (!(i >= 0 && i < (double)n)) return damaged(f, v->name);
            JD_TRY(jd_matlab_add(f, v->name, (size_t)i, j, number(&values, p), m));
        }
    }
    return JD_OK;
}

// Flags, sizes and name; false: not those of a variable.
static bool read_variable(bytes *b, jd_matlab_variable *v, char *name) {
    element flags, sizes, letters;
    if (!next(b, &flags) || flags.type != UINT32 || count_of(&flags) < 2) return false;
    uint64_t bits = (uint64_t)number(&flags, 0);
    if (!next(b, &sizes) || sizes.type != INT32 || count_of(&sizes) < 2) return false;
    if (!next(b, &letters) || (letters.type != INT8 && letters.type != UINT8)) return false;
    jd_field_text((const char *)letters.content.at,
                  (size_t)(letters.content.end - letters.content.at), name, NAME);
    double rows = number(&sizes, 0), columns = number(&sizes, 1);
    if (rows < 0 || columns < 0) return false;
    *v = (jd_matlab_variable){.name = name,
                              .class = (int)(bits & 0xff),
                              .complex = (bits & COMPLEX) != 0,
                              .rank = (int)count_of(&sizes),
                              .rows = (size_t)rows,
                              .columns = (size_t)columns};
    return true;
}

static jd_status cut(const jd_matlab_file *f) {
    jd_fail(f->context, JD_BROKEN_MATRIX, "the MATLAB file `%s` is truncated or damaged", f->path);
    jd_fail_where(f->context, "%s", f->path);
    return JD_BROKEN_MATRIX;
}

static bool inflate_to(const element *e, unsigned char *out, size_t size) {
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)e->content.at,
                  .avail_in = (uInt)(e->content.end - e->content.at),
                  .next_out = out,
                  .avail_out = (uInt)size};
    if (inflateInit(&z) != Z_OK) return false;
    int said = inflate(&z, size > 8 ? Z_FINISH : Z_SYNC_FLUSH);
    bool whole = z.avail_out == 0 && (said == Z_OK || said == Z_STREAM_END || said == Z_BUF_ERROR);
    inflateEnd(&z);
    return whole;
}

// The variable that a compressed element stands for.
static jd_status expand(jd_arena *arena, const jd_matlab_file *f, element *e) {
    unsigned char head[8];
    size_t packed = (size_t)(e->content.end - e->content.at);
    if (!inflate_to(e, head, sizeof head)) return cut(f);
    bytes tag = {head, head + sizeof head, e->content.big};
    uint64_t type = load(&tag, head, 4), length = load(&tag, head + 4, 4);
    if (type != VARIABLE || length / JD_MATLAB_SQUEEZED > packed) return cut(f);
    unsigned char *out = JD_TAKE_RAW(arena, unsigned char, length + 8);
    JD_TRY(jd_arena_status(arena));
    if (!inflate_to(e, out, (size_t)length + 8)) return cut(f);
    *e = (element){VARIABLE, {out + 8, out + 8 + length, e->content.big}};
    return JD_OK;
}

static jd_status read_element(jd_arena *arena, jd_matlab_file *f, element *e, jd_matrix_list *m) {
    char name[NAME];
    jd_matlab_variable v;
    jd_arena_mark mark = jd_arena_here(arena);
    if (e->type == SQUEEZED) JD_TRY(expand(arena, f, e));
    if (e->type != VARIABLE || e->content.at == e->content.end) return JD_OK;
    if (!read_variable(&e->content, &v, name)) return cut(f);
    if (!jd_matlab_is_wanted(f, &v)) {
        jd_arena_back(arena, mark);
        return JD_OK;
    }
    JD_TRY(jd_matlab_check(f, &v));
    m->n = (int)v.rows;
    return v.class == JD_MATLAB_SPARSE ? take_sparse(arena, f, &v, &e->content, m)
                                       : take_full(arena, f, &v, &e->content, m);
}

static jd_status read_version5(jd_arena *arena, jd_matlab_file *f, bytes b, jd_matrix_list *m) {
    while (b.at < b.end) {
        element e;
        if (!next(&b, &e)) return cut(f);
        JD_TRY(read_element(arena, f, &e, m));
    }
    return JD_OK;
}

jd_status jd_matrix_read_matlab(jd_arena *arena, const jd_scan *s, const char *name,
                                jd_matrix_list *m) {
    jd_matlab_file f = {.context = s->context,
                        .path = s->path,
                        .size = (size_t)(s->end - s->text),
                        .wanted = name,
                        .choice = {.path = s->path, .wanted = name}};
    const unsigned char *p = (const unsigned char *)s->text;
    bool big = p[126] == 'M' && p[127] == 'I';
    if (!big && !(p[126] == 'I' && p[127] == 'M')) return cut(&f);
    unsigned version = p[big ? 124 : 125];
    bytes b = {p + HEAD, (const unsigned char *)s->end, big};
    jd_status status =
        version == 2 ? jd_matlab_read73(arena, &f, m) : read_version5(arena, &f, b, m);
    m->line = NULL;
    return status == JD_OK ? jd_choice_check(s->context, &f.choice, f.found) : status;
}
