// frf_file.c -- frequency responses from a CSV file, as mobilities; are they those of a structure
// that takes energy?
//   frequency, tip/tip.re, tip/tip.im, mid/tip.re, mid/tip.im, ...
//   names the pairs: motion of the first point per force at the second. # begins a comment.
//   receptance u/F: Y = i omega H;  accelerance a/F: Y = A/(i omega)
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/constants.h"
#include "base/fail.h"
#include "base/scan.h"
#include "structure/measured/frf.h"
#include "structure/universal/universal.h"

enum { LARGEST_FILE = 1 << 28, WORD = 3 * JD_FRF_NAME };
static const double pi = JD_PI;

int jd_frf_point(jd_frf *f, const char *name, size_t length) {
    for (int i = 0; i < f->n_point; i++)
        if (strlen(f->name[i]) == length && !memcmp(f->name[i], name, length)) return i;
    if (f->n_point == JD_FRF_POINTS || length == 0 || length >= JD_FRF_NAME) return -1;
    memcpy(f->name[f->n_point], name, length);
    f->name[f->n_point][length] = 0;
    return f->n_point++;
}

// `a/b.re` or `a/b.im`
static jd_status read_name(jd_scan *s, jd_frf *f, const char *word, bool imaginary) {
    const char *slash = strchr(word, '/'), *dot = strrchr(word, '.');
    if (!slash || !dot || dot < slash || strcmp(dot, imaginary ? ".im" : ".re") != 0)
        return jd_scan_fail(s, JD_BROKEN_TABLE,
                            "column `%s` is not named `point/point.%s` (motion/force), in pairs "
                            "re, im",
                            word, imaginary ? "im" : "re");
    int i = jd_frf_point(f, word, (size_t)(slash - word));
    int j = jd_frf_point(f, slash + 1, (size_t)(dot - slash - 1));
    if (i < 0 || j < 0)
        return jd_scan_fail(s, JD_BROKEN_TABLE, "column `%s`: at most %d points with short names",
                            word, JD_FRF_POINTS);
    if (imaginary) {
        if (f->moves[f->n_pair] == i && f->pushed[f->n_pair] == j) return f->n_pair++, JD_OK;
        return jd_scan_fail(s, JD_BROKEN_TABLE, "column `%s` does not follow its real part", word);
    }
    for (int p = 0; p < f->n_pair; p++)
        if (f->moves[p] == i && f->pushed[p] == j)
            return jd_scan_fail(s, JD_BROKEN_TABLE, "`%s` is given twice", word);
    f->moves[f->n_pair] = i;
    f->pushed[f->n_pair] = j;
    return JD_OK;
}

// The size of a shape at a point is known where the point is pushed and watched itself, or where
// pairs link it to such a point: phi_i phi_j is known of a pair, phi_i^2 of one point with itself.
jd_status jd_frf_check_points(jd_scan *s, const jd_frf *f) {
    bool known[JD_FRF_POINTS] = {false}, driving = false;
    for (int round = 0; round < f->n_point; round++)
        for (int p = 0; p < f->n_pair; p++) {
            int i = f->moves[p], j = f->pushed[p];
            known[i] = known[j] = i == j || known[i] || known[j];
            driving = driving || i == j;
        }
    if (!driving)
        return jd_scan_fail(s, JD_BROKEN_TABLE,
                            "at least one point must be pushed and watched itself (`a/a.re`, "
                            "`a/a.im`): else masses are not known");
    for (int i = 0; i < f->n_point; i++)
        if (!known[i])
            return jd_scan_fail(s, JD_BROKEN_TABLE,
                                "no pair links point `%s` to one that is pushed and watched "
                                "itself: the size of its motion is not known",
                                f->name[i]);
    return JD_OK;
}

static jd_status read_header(jd_scan *s, jd_frf *f) {
    char word[WORD];
    if (!jd_scan_data(s)) return jd_scan_fail(s, JD_EMPTY_FILE, "`%s` holds no numbers", s->path);
    jd_scan_word(s, word, sizeof word);
    if (strchr("+-.0123456789", word[0]))
        return jd_scan_fail(s, JD_BROKEN_TABLE,
                            "the first line must name the columns: frequency, a/b.re, a/b.im, ...");
    for (int column = 0; !jd_scan_blank(s); column++) {
        jd_scan_word(s, word, sizeof word);
        if (f->n_pair == JD_FRF_PAIRS)
            return jd_scan_fail(s, JD_BROKEN_TABLE, "more than %d pairs", JD_FRF_PAIRS);
        JD_TRY(read_name(s, f, word, column % 2 == 1));
        if (column % 2 == 0 && jd_scan_blank(s))
            return jd_scan_fail(s, JD_BROKEN_TABLE, "`%s` has no imaginary part", word);
    }
    return jd_frf_check_points(s, f);
}

void jd_frf_to_mobility(jd_frf_quantity quantity, double omega, double *re, double *im) {
    double a = *re, b = *im;
    if (quantity == JD_RECEPTANCE) *re = -omega * b, *im = omega * a;
    if (quantity == JD_ACCELERANCE) *re = b / omega, *im = -a / omega;
}

static jd_status read_rows(jd_scan *s, jd_frf_quantity quantity, bool hertz, int most, jd_frf *f) {
    while (jd_scan_data(s)) {
        double frequency, value[2];
        JD_TRY(jd_scan_real(s, "the frequency", &frequency));
        double omega = hertz ? 2 * pi * frequency : frequency;
        if (!(omega <= JD_FRF_HIGHEST))
            return jd_scan_fail(s, JD_OUT_OF_RANGE,
                                "the frequency %.10g is too large: at most 1e60 rad/s", frequency);
        if (omega < 0 || (f->n && !(omega > f->omega[f->n - 1])))
            return jd_scan_fail(s, JD_OUT_OF_RANGE,
                                "frequencies must ascend from 0 or later, but here is %.10g",
                                frequency);
        for (int p = 0; p < f->n_pair; p++) {
            JD_TRY(jd_scan_real(s, "a real part", &value[0]));
            JD_TRY(jd_scan_real(s, "an imaginary part", &value[1]));
            jd_frf_to_mobility(quantity, omega, &value[0], &value[1]);
            if (omega > 0 && !(isfinite(value[0]) && isfinite(value[1])))
                return jd_scan_fail(s, JD_OUT_OF_RANGE,
                                    "the mobility at the frequency %.10g is no finite number",
                                    frequency);
            f->re[p * most + f->n] = value[0];
            f->im[p * most + f->n] = value[1];
        }
        JD_TRY(jd_scan_line_end(s));
        if (omega > 0) f->omega[f->n++] = omega; // nothing moves for ever at frequency 0
    }
    for (int p = 0; p < f->n_pair; p++) { // rows of n, not of `most`
        memmove(f->re + p * f->n, f->re + p * most, (size_t)f->n * sizeof *f->re);
        memmove(f->im + p * f->n, f->im + p * most, (size_t)f->n * sizeof *f->im);
    }
    return JD_OK;
}

jd_status jd_frf_too_many(jd_scan *s, int pairs, long frequencies) {
    jd_scan_fail(s, JD_FILE_TOO_LARGE, "%d pairs at %ld frequencies are more than %d values", pairs,
                 frequencies, JD_FRF_VALUES);
    jd_fail_hint(s->context, "leave out every second line, or use a narrower band or fewer pairs");
    return JD_FILE_TOO_LARGE;
}

jd_status jd_frf_enough(jd_scan *s, const jd_frf *f) {
    enum { FEWEST = 8 };
    if (f->n >= FEWEST) return JD_OK;
    return jd_scan_fail(s, JD_BROKEN_TABLE,
                        "`%s` has %d frequencies above 0, at least %d are needed", f->path, f->n,
                        FEWEST);
}

jd_status jd_frf_read(jd_arena *arena, const char *path, jd_frf_quantity quantity, bool hertz,
                      jd_frf *f) {
    jd_scan s;
    int most = 1;
    *f = (jd_frf){.path = path};
    JD_TRY(jd_scan_open(arena, path, LARGEST_FILE, JD_BROKEN_TABLE, &s));
    if (jd_universal_is(&s)) return jd_frf_read_universal(arena, &s, quantity, f);
    jd_scan_again(&s);
    s.commas = true;
    while (jd_scan_data(&s)) most++;
    jd_scan_again(&s);
    f->name = jd_arena_take(arena, JD_FRF_POINTS, sizeof *f->name);
    f->moves = JD_TAKE(arena, int, JD_FRF_PAIRS + 1);
    f->pushed = JD_TAKE(arena, int, JD_FRF_PAIRS + 1);
    f->omega = JD_TAKE(arena, double, most);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(read_header(&s, f));
    if ((long)f->n_pair * (most - 2) > JD_FRF_VALUES)
        return jd_frf_too_many(&s, f->n_pair, most - 2);
    f->re = JD_TAKE(arena, double, (size_t)f->n_pair *(size_t)most);
    f->im = JD_TAKE(arena, double, (size_t)f->n_pair *(size_t)most);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(read_rows(&s, quantity, hertz, most, f));
    return jd_frf_enough(&s, f);
}

static double size_at(const jd_frf *f, int k) {
    double most = 0;
    for (int p = 0; p < f->n_pair; p++)
        most = fmax(most, hypot(f->re[p * f->n + k], f->im[p * f->n + k]));
    return most;
}

static int pair_of(const jd_frf *f, int i, int j) {
    for (int p = 0; p < f->n_pair; p++)
        if (f->moves[p] == i && f->pushed[p] == j) return p;
    return -1;
}

// Power of forces at one point, or at two: the least eigenvalue of Re Y over them.
static double least_power(const jd_frf *f, int i, int j, int k) {
    int a = pair_of(f, i, i), b = pair_of(f, j, j), c = pair_of(f, i, j), d = pair_of(f, j, i);
    if (a < 0) return 0;
    double x = f->re[a * f->n + k];
    if (i == j || b < 0 || (c < 0 && d < 0)) return x;
    double y = f->re[b * f->n + k], z = c < 0   ? f->re[d * f->n + k]
                                        : d < 0 ? f->re[c * f->n + k]
                                                : (f->re[c * f->n + k] + f->re[d * f->n + k]) / 2;
    return (x + y) / 2 - hypot((x - y) / 2, z);
}

jd_status jd_frf_check_passive(jd_context *context, const jd_frf *f, double error) {
    double worst = 0, at = 0;
    int who = 0;
    for (int k = 0; k < f->n; k++)
        for (int i = 0; i < f->n_point; i++)
            for (int j = i; j < f->n_point; j++) {
                double part = -least_power(f, i, j, k) / (size_at(f, k) + 1e-300);
                if (part <= worst) continue;
                worst = part;
                at = f->omega[k];
                who = i;
            }
    if (!(worst > 5 * error)) return JD_OK;
    jd_fail(context, JD_NOT_SUPPORTED,
            "the data are not passive: at %.6g Hz (%.6g rad/s) a force at `%s` would receive "
            "energy, %.2g of the response there",
            at / (2 * pi), at, f->name[who], worst);
    jd_fail_where(context, "%s", f->path);
    jd_fail_hint(context, "check `quantity`, signs and phases (e^{+i omega t}); more than "
                          "5 times `error` is refused");
    return JD_NOT_SUPPORTED;
}
