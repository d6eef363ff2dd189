// table_file.c -- the two columns of a table drive from a CSV file.
//   Lines `time, value`, separated by a comma or blanks; # begins a comment, and one line of names
//   may stand above the numbers, with units in brackets, which must be those of SI unless the drive
//   has a `scale`. Times ascend strictly from 0 or later.
#include <string.h>

#include "base/fail.h"
#include "base/scan.h"
#include "drive/kind.h"

enum { LARGEST_FILE = 1 << 28 };

static bool is_header(const jd_scan *s) { return !strchr("+-.0123456789", *s->at); }

// The text between the next brackets of the line, cut to fit; false: there are none.
static bool next_unit(const char **at, const char *stop, char *unit, size_t size) {
    const char *open = *at;
    while (open < stop && *open != '[' && *open != '(') open++;
    char ends = open < stop && *open == '[' ? ']' : ')';
    const char *close = open < stop ? memchr(open, ends, (size_t)(stop - open)) : NULL;
    if (!close) return false;
    size_t n = (size_t)(close - open - 1);
    n = n < size ? n : size - 1;
    memcpy(unit, open + 1, n);
    unit[n] = '\0';
    *at = close + 1;
    return true;
}

// Numbers are taken as SI: names that say something else are refused.
static jd_status check_header(jd_scan *s, double scale) {
    static const char *const si[] = {"s",      "N",   "m/s^2", "m/s2", "m/s²", "m/s/s", "m s-2",
                                     "m s^-2", "N/m", "N m",   "Nm",   "N*m",  "-",     ""};
    const char *at = s->at;
    char unit[24];
    for (int column = 0; next_unit(&at, s->stop, unit, sizeof unit); column++) {
        bool known = column == 0 ? strcmp(unit, "s") == 0 : scale != 1;
        for (size_t i = 0; column > 0 && i < sizeof si / sizeof *si; i++)
            known = known || strcmp(unit, si[i]) == 0;
        if (known) continue;
        jd_scan_fail(s, JD_WRONG_UNIT, "the column is in `%s`, but %s", unit,
                     column ? "values of a table are in SI units (N, m/s^2)"
                            : "times of a table are in s");
        jd_fail_hint(s->context, column ? "a `scale` of the drive is multiplied to every value: "
                                          "9.80665 where it is in g"
                                        : "write the times in seconds");
        return JD_WRONG_UNIT;
    }
    return JD_OK;
}

static jd_status read_line(jd_scan *s, int i, double *time, double *value) {
    JD_TRY(jd_scan_real(s, "the time", &time[i]));
    JD_TRY(jd_scan_real(s, "the value", &value[i]));
    JD_TRY(jd_scan_line_end(s));
    if (time[i] < 0)
        return jd_scan_fail(s, JD_OUT_OF_RANGE, "the time %.10g is before 0, where motion begins",
                            time[i]);
    if (i == 0 || time[i] > time[i - 1]) return JD_OK;
    return jd_scan_fail(s, JD_OUT_OF_RANGE, "times must ascend, but entry %d is %.10g after %.10g",
                        i + 1, time[i], time[i - 1]);
}

jd_status jd_drive_table_load(jd_arena *arena, jd_drive_table_def *d) {
    jd_scan s;
    JD_TRY(jd_scan_open(arena, d->file, LARGEST_FILE, JD_BROKEN_TABLE, &s));
    s.commas = true;
    int most = 0, n = 0;
    while (jd_scan_data(&s)) most++;
    double *time = JD_TAKE(arena, double, most), *value = JD_TAKE(arena, double, most);
    JD_TRY(jd_arena_status(arena));
    jd_scan_again(&s);
    for (bool first = true; jd_scan_data(&s); first = false)
        JD_TRY(first && is_header(&s) ? check_header(&s, d->scale)
                                      : read_line(&s, n++, time, value));
    if (n == 0) return jd_scan_fail(&s, JD_EMPTY_FILE, "`%s` holds no numbers", d->file);
    d->file = NULL;
    d->time = (jd_reals){n, time};
    d->value = (jd_reals){n, value};
    return JD_OK;
}
