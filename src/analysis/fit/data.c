// data.c -- measured displacements from a CSV file with a line of names.
//   t, tip, damper             samples of one motion, t from the drives' phase 0 on
//   drives.gas.frequency, tip  amplitudes over a number of the model
#include <math.h>
#include <string.h>

#include "analysis/fit/fit.h"
#include "base/scan.h"

enum { LARGEST_FILE = 1 << 28, MOST_ROWS = 1000000, MOST_PLACES = 64, WORD = 512 };

static int contact_of(const jd_problem *p, const char *name) {
    for (int j = 0; j < jd_problem_contacts(p); j++)
        if (!strcmp(jd_problem_contact(p, j)->name, name)) return j;
    return -1;
}

// A place named in the first line.
static jd_status take_place(jd_fitting *f, jd_scan *s, const char *word) {
    fit_data *d = &f->data;
    if (d->n_place == MOST_PLACES)
        return jd_scan_fail(s, JD_BROKEN_TABLE, "more than %d places", MOST_PLACES);
    for (int i = 0; i < d->n_place; i++)
        if (!strcmp(d->name[i], word))
            return jd_scan_fail(s, JD_DUPLICATE_NAME, "column `%s` is given twice", word);
    d->name[d->n_place] = jd_arena_text(f->arena, word);
    d->contact[d->n_place++] = contact_of(f->problem, word);
    JD_TRY(jd_arena_status(f->arena));
    if (d->contact[d->n_place - 1] >= 0) return JD_OK;
    jd_dd *row = JD_TAKE(f->arena, jd_dd, jd_problem_system(f->problem)->modal.n + 1);
    JD_TRY(jd_arena_status(f->arena));
    if (jd_problem_row(f->problem, word, row) == JD_OK) return JD_OK;
    jd_scan_fail(s, JD_UNKNOWN_NAME, "column `%s` is no contact and no point of the model", word);
    jd_fail_hint(f->context, "the first line names what was measured: t,tip");
    return JD_UNKNOWN_NAME;
}

static jd_status take_names(jd_fitting *f, jd_scan *s) {
    fit_data *d = &f->data;
    char word[WORD];
    double value;
    jd_scan_word(s, word, sizeof word);
    d->over = jd_arena_text(f->arena, word);
    JD_TRY(jd_arena_status(f->arena));
    d->samples = !strcmp(word, "t");
    if (!d->samples && jd_problem_get(f->problem, word, &value) != JD_OK) {
        jd_scan_fail(s, JD_BROKEN_TABLE,
                     "the first column is `%s`, neither `t` nor a number of the "
                     "model",
                     word);
        jd_fail_hint(f->context, "t,tip of samples; drives.shaker.frequency,tip of amplitudes");
        return JD_BROKEN_TABLE;
    }
    while (!jd_scan_blank(s)) {
        jd_scan_word(s, word, sizeof word);
        JD_TRY(take_place(f, s, word));
    }
    return d->n_place ? JD_OK
                      : jd_scan_fail(s, JD_BROKEN_TABLE, "no place stands beside `%s`", d->over);
}

static jd_status take_row(jd_scan *s, fit_data *d) {
    JD_TRY(jd_scan_real(s, d->over, &d->x[d->n_row]));
    for (int i = 0; i < d->n_place; i++)
        JD_TRY(jd_scan_real(s, d->name[i], &d->y[d->n_row * d->n_place + i]));
    JD_TRY(jd_scan_line_end(s));
    if (d->samples && d->x[d->n_row] < 0)
        return jd_scan_fail(s, JD_OUT_OF_RANGE, "t is %.10g, but must not be below 0",
                            d->x[d->n_row]);
    d->n_row++;
    return JD_OK;
}

static jd_status too_few(jd_fitting *f) {
    int n = f->data.n_row * f->data.n_place;
    jd_fail(f->context, JD_SIZE_MISMATCH, "%d value%s cannot tell %d number%s", n,
            n == 1 ? "" : "s", f->def->parameters.n, f->def->parameters.n == 1 ? "" : "s");
    jd_fail_where(f->context, "fit.data");
    jd_fail_hint(f->context, "measure more, or fit fewer `parameters`: there must be more values "
                             "than numbers");
    return JD_SIZE_MISMATCH;
}

jd_status jd_fitting_read(jd_fitting *f) {
    fit_data *d = &f->data;
    jd_scan s;
    int rows = 0;
    JD_TRY(jd_scan_open(f->arena, f->def->data, LARGEST_FILE, JD_BROKEN_TABLE, &s));
    s.commas = true;
    d->name = JD_TAKE(f->arena, const char *, MOST_PLACES);
    d->contact = JD_TAKE(f->arena, int, MOST_PLACES);
    JD_TRY(jd_arena_status(f->arena));
    while (jd_scan_data(&s)) rows++;
    jd_scan_again(&s);
    if (!jd_scan_data(&s))
        return jd_fail(f->context, JD_EMPTY_FILE, "`%s` holds no data", f->def->data);
    if (rows > MOST_ROWS) return jd_scan_fail(&s, JD_BROKEN_TABLE, "more than %d rows", MOST_ROWS);
    JD_TRY(take_names(f, &s));
    d->x = JD_TAKE(f->arena, double, rows);
    d->y = JD_TAKE(f->arena, double, (size_t)rows *(size_t)d->n_place);
    JD_TRY(jd_arena_status(f->arena));
    while (jd_scan_data(&s)) JD_TRY(take_row(&s, d));
    if (d->n_row * d->n_place <= f->def->parameters.n) return too_few(f);
    for (int i = 0; i < d->n_row * d->n_place; i++) d->scale += d->y[i] * d->y[i];
    d->scale = sqrt(d->scale / (d->n_row * d->n_place));
    if (!(d->scale > 0))
        return jd_fail(f->context, JD_OUT_OF_RANGE, "all displacements in `%s` are 0",
                       f->def->data);
    return JD_OK;
}
