// table_file.c -- the two columns of a table drive from a CSV file.
//   Lines `time, value`, separated by a comma or blanks; # begins a comment, and one line of names
//   may stand above the numbers. Times ascend strictly from 0 or later.
#include <string.h>

#include "base/scan.h"
#include "drive/kind.h"

enum { LARGEST_FILE = 1 << 28 };

static bool is_header(const jd_scan *s) { return !strchr("+-.0123456789", *s->at); }

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
        if (!first || !is_header(&s)) JD_TRY(read_line(&s, n++, time, value));
    if (n == 0) return jd_scan_fail(&s, JD_EMPTY_FILE, "`%s` holds no numbers", d->file);
    d->file = NULL;
    d->time = (jd_reals){n, time};
    d->value = (jd_reals){n, value};
    return JD_OK;
}
