// frf_universal.c -- frequency responses from universal files: dataset 58.
//   five lines of text; a line with the kind of function (4: frequency response), response node and
//   direction, reference node and direction; kind of numbers, count, spacing, first and step of the
//   frequency [Hz]; four lines that say what is measured; then the values.
//   Points are named by node and direction, `n12z`; a response against a direction changes its
//   sign. Other functions (spectra, coherences) are passed over.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "structure/matrices/formats/format.h"
#include "structure/measured/frf.h"
#include "structure/universal/universal.h"

enum { RESPONSE = 4, DISPLACEMENT = 8, REACTION = 9, VELOCITY = 11, ACCELERATION = 12, FORCE = 13 };
enum { COMPLEX_SINGLE = 5, COMPLEX_DOUBLE = 6 };

typedef struct head {
    long function;
    long node[2], direction[2]; // of the response, of the reference
    long kind, count, spacing;  // spacing 1: even
    double first, step;         // [Hz]
    long measured, per;         // kinds of quantity; 0: unknown
} head;

// A number in columns from..from + width of the line under way; blank: 0.
static jd_status columns(jd_scan *s, const char *what, ptrdiff_t from, ptrdiff_t width, long *out) {
    ptrdiff_t length = s->stop - s->at;
    ptrdiff_t left = length > from ? length - from : 0;
    if (jd_field_integer(s->at + (left ? from : length), (size_t)(left < width ? left : width), 0,
                         out))
        return JD_OK;
    return jd_scan_fail(s, s->broken, "no whole number in columns %td to %td (%s)", from + 1,
                        from + width, what);
}

// A number on the line under way.
static jd_status line_real(jd_scan *s, const char *what, double *out) {
    if (!jd_scan_blank(s)) return jd_universal_real(s, what, out);
    return jd_scan_fail(s, s->broken, "`` is no finite number (%s)", what);
}

static jd_status read_numbers(jd_scan *s, head *h) {
    JD_TRY(columns(s, "kind of numbers", 0, 10, &h->kind));
    JD_TRY(columns(s, "count", 10, 10, &h->count));
    JD_TRY(columns(s, "spacing", 20, 10, &h->spacing));
    s->at += s->stop - s->at < 30 ? s->stop - s->at : 30;
    JD_TRY(line_real(s, "the first frequency", &h->first));
    return line_real(s, "the step of the frequency", &h->step);
}

static jd_status read_head(jd_scan *s, head *h) {
    for (int i = 0; i < 6; i++) JD_TRY(jd_universal_line(s, 58));
    JD_TRY(columns(s, "function", 0, 5, &h->function));
    JD_TRY(columns(s, "response node", 41, 10, &h->node[0]));
    JD_TRY(columns(s, "response direction", 51, 4, &h->direction[0]));
    JD_TRY(columns(s, "reference node", 66, 10, &h->node[1]));
    JD_TRY(columns(s, "reference direction", 76, 4, &h->direction[1]));
    JD_TRY(jd_universal_line(s, 58));
    JD_TRY(read_numbers(s, h));
    JD_TRY(jd_universal_line(s, 58));
    JD_TRY(jd_universal_line(s, 58));
    JD_TRY(columns(s, "what is measured", 0, 10, &h->measured));
    JD_TRY(jd_universal_line(s, 58));
    JD_TRY(columns(s, "per what", 0, 10, &h->per));
    return jd_universal_line(s, 58);
}

static jd_status check_head(jd_scan *s, const head *h) {
    if (h->kind != COMPLEX_SINGLE && h->kind != COMPLEX_DOUBLE) {
        jd_scan_fail(s, JD_NOT_SUPPORTED, "the frequency response has real values (kind %ld)",
                     h->kind);
        jd_fail_hint(s->context, "complex values (kinds 5 and 6) are read");
        return JD_NOT_SUPPORTED;
    }
    if (h->per != 0 && h->per != FORCE && h->per != REACTION)
        return jd_scan_fail(s, JD_NOT_SUPPORTED,
                            "the response is measured per quantity %ld, not per force (13)",
                            h->per);
    if (h->measured != 0 && h->measured != DISPLACEMENT && h->measured != VELOCITY &&
        h->measured != ACCELERATION)
        return jd_scan_fail(s, JD_NOT_SUPPORTED,
                            "the response is a quantity %ld, not a displacement (8), velocity (11) "
                            "or acceleration (12)",
                            h->measured);
    if (h->count < 1 || h->count > (s->end - s->next + 1) / 2)
        return jd_scan_fail(s, s->broken,
                            "the file is truncated: %ld values are announced, but only %ld bytes "
                            "follow",
                            h->count, (long)(s->end - s->next));
    return JD_OK;
}

// n12z; a direction with a minus is that of the plus, turned around.
static jd_status name_point(jd_scan *s, jd_frf *f, long node, long direction, int *point) {
    static const char *const names[] = {"", "x", "y", "z", "rx", "ry", "rz"};
    long d = labs(direction);
    char name[JD_FRF_NAME];
    if (node < 0 || d > 6)
        return jd_scan_fail(s, s->broken, "node %ld, direction %ld is no point", node, direction);
    int n = snprintf(name, sizeof name, "n%ld%s", node, names[d]);
    *point = jd_frf_point(f, name, (size_t)n);
    if (*point >= 0) return JD_OK;
    return jd_scan_fail(s, JD_FILE_TOO_LARGE, "more than %d points", JD_FRF_POINTS);
}

static jd_status add_pair(jd_scan *s, jd_frf *f, const head *h) {
    int i = 0, j = 0;
    JD_TRY(name_point(s, f, h->node[0], h->direction[0], &i));
    JD_TRY(name_point(s, f, h->node[1], h->direction[1], &j));
    for (int p = 0; p < f->n_pair; p++)
        if (f->moves[p] == i && f->pushed[p] == j)
            return jd_scan_fail(s, JD_DUPLICATE_NAME, "the response of `%s` to `%s` is given twice",
                                f->name[i], f->name[j]);
    f->moves[f->n_pair] = i;
    f->pushed[f->n_pair++] = j;
    return JD_OK;
}

static jd_frf_quantity quantity_of(const head *h, jd_frf_quantity given) {
    return h->measured == DISPLACEMENT   ? JD_RECEPTANCE
           : h->measured == VELOCITY     ? JD_MOBILITY
           : h->measured == ACCELERATION ? JD_ACCELERANCE
                                         : given;
}

// Frequencies of the first response; those of the others must be the same.
static jd_status take_frequency(jd_scan *s, jd_frf *f, bool first, double hertz) {
    double omega = 2 * JD_PI * hertz;
    if (!(omega > 0)) return JD_OK; // nothing moves for ever at frequency 0
    if (first && f->n && !(omega > f->omega[f->n - 1]))
        return jd_scan_fail(s, JD_OUT_OF_RANGE, "frequencies must ascend, but here is %.10g Hz",
                            hertz);
    if (!(omega <= JD_FRF_HIGHEST))
        return jd_scan_fail(s, JD_OUT_OF_RANGE, "the frequency %.10g Hz is too large", hertz);
    if (!first && !(fabs(omega - f->omega[f->n]) <= 1e-6 * omega))
        return jd_scan_fail(s, JD_SIZE_MISMATCH,
                            "the frequency %.10g Hz is not that of the first response, %.10g Hz",
                            hertz, f->omega[f->n] / (2 * JD_PI));
    if (first) f->omega[f->n] = omega;
    return JD_OK;
}

static jd_status read_values(jd_scan *s, const head *h, jd_frf_quantity given, long most,
                             jd_frf *f) {
    size_t row = (size_t)(f->n_pair - 1) * (size_t)most;
    bool first = f->n_pair == 1;
    double sign = (h->direction[0] < 0) != (h->direction[1] < 0) ? -1 : 1;
    int before = f->n;
    f->n = 0;
    s->at = s->stop; // the line under way is the last of the head
    for (long k = 0; k < h->count; k++) {
        double hertz = h->first + (double)k * h->step, re = 0, im = 0;
        if (h->spacing == 0) JD_TRY(jd_universal_real(s, "a frequency", &hertz));
        JD_TRY(jd_universal_real(s, "a real part", &re));
        JD_TRY(jd_universal_real(s, "an imaginary part", &im));
        if (hertz < 0)
            return jd_scan_fail(s, JD_OUT_OF_RANGE, "a frequency is negative: %.10g Hz", hertz);
        JD_TRY(take_frequency(s, f, first, hertz));
        if (hertz == 0) continue;
        re *= sign, im *= sign;
        jd_frf_to_mobility(quantity_of(h, given), 2 * JD_PI * hertz, &re, &im);
        if (!isfinite(re) || !isfinite(im))
            return jd_scan_fail(s, JD_OUT_OF_RANGE, "the mobility at %.10g Hz is no finite number",
                                hertz);
        f->re[row + (size_t)f->n] = re;
        f->im[row + (size_t)f->n++] = im;
    }
    if (first || f->n == before) return JD_OK;
    return jd_scan_fail(s, JD_SIZE_MISMATCH,
                        "this response has %d frequencies above 0, the first one %d", f->n, before);
}

// The next frequency response, behind its head; *found false: there is none.
static jd_status next_response(jd_scan *s, jd_scan *body, head *h, bool *found) {
    int number;
    for (*found = false; !*found;) {
        JD_TRY(jd_universal_next(s, &number, body));
        if (!number) return JD_OK;
        if (number != 58) continue;
        *h = (head){0};
        JD_TRY(read_head(body, h));
        *found = h->function == RESPONSE;
    }
    return JD_OK;
}

// How many responses there are, and how many values the first announces.
static jd_status count(jd_scan *s, int *pairs, long *most) {
    bool found;
    jd_scan body;
    head h;
    jd_scan_again(s);
    for (;;) {
        JD_TRY(next_response(s, &body, &h, &found));
        if (!found) break;
        JD_TRY(check_head(&body, &h));
        if (++*pairs == 1) *most = h.count;
        if (h.count != *most)
            return jd_scan_fail(&body, JD_SIZE_MISMATCH,
                                "this response has %ld frequencies, the first one %ld", h.count,
                                *most);
        if (*pairs > JD_FRF_PAIRS)
            return jd_scan_fail(&body, JD_FILE_TOO_LARGE, "more than %d responses", JD_FRF_PAIRS);
    }
    if (*pairs == 0) {
        jd_scan_fail(s, JD_EMPTY_FILE, "`%s` has no frequency responses", s->path);
        jd_fail_hint(s->context, "they are in datasets 58 with function type 4");
        return JD_EMPTY_FILE;
    }
    return (long)*pairs * *most > JD_FRF_VALUES ? jd_frf_too_many(s, *pairs, *most) : JD_OK;
}

jd_status jd_frf_read_universal(jd_arena *arena, jd_scan *s, jd_frf_quantity quantity, jd_frf *f) {
    int pairs = 0;
    long most = 0;
    bool found;
    jd_scan body;
    head h;
    JD_TRY(count(s, &pairs, &most));
    f->name = jd_arena_take(arena, JD_FRF_POINTS, sizeof *f->name);
    f->moves = JD_TAKE(arena, int, pairs);
    f->pushed = JD_TAKE(arena, int, pairs);
    f->omega = JD_TAKE(arena, double, most);
    f->re = JD_TAKE(arena, double, (size_t)pairs *(size_t)most);
    f->im = JD_TAKE(arena, double, (size_t)pairs *(size_t)most);
    JD_TRY(jd_arena_status(arena));
    jd_scan_again(s);
    for (;;) {
        JD_TRY(next_response(s, &body, &h, &found));
        if (!found) break;
        JD_TRY(add_pair(&body, f, &h));
        JD_TRY(read_values(&body, &h, quantity, most, f));
    }
    for (int p = 0; p < f->n_pair; p++) { // rows of n, not of `most`
        memmove(f->re + (size_t)p * (size_t)f->n, f->re + (size_t)p * (size_t)most,
                (size_t)f->n * sizeof *f->re);
        memmove(f->im + (size_t)p * (size_t)f->n, f->im + (size_t)p * (size_t)most,
                (size_t)f->n * sizeof *f->im);
    }
    JD_TRY(jd_frf_check_points(s, f));
    return jd_frf_enough(s, f);
}
