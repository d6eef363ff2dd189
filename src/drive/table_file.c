// table_file.c -- the two columns of a table drive from a CSV file.
//   Lines `time, value`, separated by a comma or blanks; # begins a comment, and one line of names
//   may stand above the numbers. Units in it (`t [s]`, `F (kN)`, `t/ms`, `time in ms`) must be
//   those of SI; values in another unit of force or acceleration, or of a sensor's signal, need a
//   `scale`. Times ascend strictly from 0 or later.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/scan.h"
#include "drive/kind.h"

enum { LARGEST_FILE = 1 << 28 };

static bool is_header(const jd_scan *s) { return !strchr("+-.0123456789", *s->at); }

// Units by what a value in them can be. Those of SI are taken as they are, whatever the scale;
// those of another size, and raw signals of a sensor, need a `scale`; others are of another
// quantity.
typedef struct unit_row {
    const char *name;
    double factor; // to SI; 0: a raw signal
} unit_row;
static const char *const si_units[] = {"N",     "m/s^2",  "m/s2",   "m/s²", "m/s/s",
                                       "m s-2", "m s^-2", "m/s**2", "N/m",  "N m",
                                       "Nm",    "N*m",    "-",      "1",    ""};
static const unit_row scaled_units[] = {
    {"kN", 1e3},      {"MN", 1e6},     {"mN", 1e-3},     {"µN", 1e-6},       {"lbf", 4.448221615},
    {"kgf", 9.80665}, {"kp", 9.80665}, {"kN/m", 1e3},    {"kN m", 1e3},      {"kNm", 1e3},
    {"N mm", 1e-3},   {"Nmm", 1e-3},   {"g", 9.80665},   {"mg", 9.80665e-3}, {"g0", 9.80665},
    {"gal", 1e-2},    {"Gal", 1e-2},   {"cm/s^2", 1e-2}, {"cm/s2", 1e-2},    {"cm/s²", 1e-2},
    {"mm/s^2", 1e-3}, {"mm/s2", 1e-3}, {"mm/s²", 1e-3},  {"ft/s^2", 0.3048}, {"in/s^2", 0.0254},
    {"V", 0},         {"mV", 0},       {"count", 0},     {"counts", 0},      {"digits", 0},
    {"LSB", 0},       {"%", 0}};
static const char *const other_units[] = {"s",  "ms",  "us",  "µs", "min", "h",   "m",   "mm",
                                          "cm", "µm",  "um",  "km", "in",  "ft",  "m/s", "mm/s",
                                          "Hz", "rad", "deg", "Pa", "kPa", "MPa", "kg",  "J"};

static bool is_among(const char *word, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0) return true;
    return false;
}
#define AMONG(word, list) is_among(word, list, sizeof(list) / sizeof *(list))

static const unit_row *scaled(const char *unit) {
    for (size_t i = 0; i < sizeof scaled_units / sizeof *scaled_units; i++)
        if (strcmp(unit, scaled_units[i].name) == 0) return &scaled_units[i];
    return NULL;
}

static bool is_unit(const char *word) {
    return word[0] && (AMONG(word, si_units) || AMONG(word, other_units) || scaled(word));
}

enum { LONGEST_UNIT = 24 };

static void keep_unit(char unit[LONGEST_UNIT], const char *from, const char *to) {
    while (from < to && (*from == ' ' || *from == '"')) from++;
    while (to > from && strchr(" \t\r\"", to[-1])) to--;
    size_t n = (size_t)(to - from);
    n = n < LONGEST_UNIT ? n : LONGEST_UNIT - 1;
    memcpy(unit, from, n);
    unit[n] = '\0';
}

// The unit that the name of a column tells: `t [s]`, `t (s)`, and where it is a unit that is known
// `t/s`, `t in s`. False: none.
static bool told_unit(const char *from, const char *to, char unit[LONGEST_UNIT]) {
    for (const char *open = from; open < to; open++) {
        if (*open != '[' && *open != '(') continue;
        const char *close = memchr(open, *open == '[' ? ']' : ')', (size_t)(to - open));
        if (close) keep_unit(unit, open + 1, close);
        return close != NULL;
    }
    for (const char *p = from; p < to; p++) {
        bool slash = *p == '/', in = to - p > 4 && strncmp(p, " in ", 4) == 0;
        if (slash || in) keep_unit(unit, p + (slash ? 1 : 4), to);
        if ((slash || in) && is_unit(unit)) return true;
    }
    return false;
}

static jd_status refuse_unit(jd_scan *s, const char *unit, const char *why, const char *hint) {
    jd_scan_fail(s, JD_WRONG_UNIT, "the column is in `%s`, but %s", unit, why);
    jd_fail_hint(s->context, "%s", hint);
    return JD_WRONG_UNIT;
}

// Numbers are taken as SI: names that say something else are refused, or need a `scale`.
static jd_status check_unit(jd_scan *s, int column, const char *unit, double scale) {
    if (column == 0 && strcmp(unit, "s") != 0)
        return refuse_unit(s, unit, "times of a table are in s", "write the times in seconds");
    if (column == 0 || AMONG(unit, si_units)) return JD_OK;
    const unit_row *row = scaled(unit);
    if (AMONG(unit, other_units))
        return refuse_unit(s, unit, "values of a table are forces or accelerations (N, m/s^2)",
                           "take the column of the force or of the acceleration");
    if (scale == 1)
        return refuse_unit(s, unit, "values of a table are in SI units (N, m/s^2)",
                           "a `scale` of the drive is multiplied to every value: 9.80665 where it "
                           "is in g");
    if (row && row->factor > 0 && fabs(fabs(scale) - row->factor) > 0.01 * row->factor)
        jd_log(s->context, JD_LOG_WARNING,
               "%s:%d: the column is in `%s`; with `scale: %.6g` 1 %s becomes %.6g in SI, where it "
               "is %.6g",
               s->path, s->line, unit, scale, unit, scale, row->factor);
    return JD_OK;
}

// Columns are separated by commas, else each unit in brackets is the next column.
static jd_status check_header(jd_scan *s, double scale) {
    const char *comma = memchr(s->at, ',', (size_t)(s->stop - s->at)), *from = s->at;
    char unit[LONGEST_UNIT];
    for (int column = 0; column < 2 && from < s->stop; column++) {
        const char *close = from, *to = s->stop;
        while (!comma && close < s->stop && *close != ']' && *close != ')') close++;
        if (!comma && close < s->stop) to = close + 1;
        if (comma) to = column == 0 ? comma : s->stop;
        if (told_unit(from, to, unit)) JD_TRY(check_unit(s, column, unit, scale));
        from = to + (comma ? 1 : 0);
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
