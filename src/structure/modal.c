// modal.c -- from the modal form to the list of modes that people read.
//   Decoupled: s = -c/2 +- sqrt(c^2/4 - omega^2); of two real poles the smaller follows from
//   s1 s2 = omega^2, so that no digits cancel.
//   Coupled (full C): poles of the complex modes, in ascending order of |s| (sqrt(s1 s2) of two
//   real ones) beside the undamped frequencies in theirs; the damping ratio is that of the poles.
#include "structure/modal.h"

#include "base/constants.h"
#include "linalg/eigen.h"

static const double TWO_PI = JD_TWO_PI;

void jd_mode_poles(double omega2, double c, double pole[2][2]) {
    double half = c / 2, square = fma(half, half, -omega2);
    if (square < 0) {
        double im = sqrt(-square);
        pole[0][0] = pole[1][0] = -half;
        pole[0][1] = im;
        pole[1][1] = -im;
        return;
    }
    double far = -(half + copysign(sqrt(square), half));
    pole[0][0] = far == 0 ? 0 : omega2 / far; // the slow one first
    pole[1][0] = far;
    pole[0][1] = pole[1][1] = 0;
}

static double ratio_of(double omega, double c) {
    if (omega > 0) return c / (2 * omega);
    return c > 0 ? 1 : 0; // a rigid-body mode that only creeps
}

// A static shape is no mode: no frequency of the structure is near its own but by chance.
static double error_of(const jd_modal *m, int k) {
    if (k >= m->n - m->n_static || (m->off && isnan(m->off[k]))) return (double)NAN;
    return m->off ? fmax(m->error[k], m->off[k]) : m->error[k];
}

static void decoupled(const jd_modal *m, jd_mode *out) {
    for (int k = 0; k < m->n; k++) {
        double omega = dd_value(dd_sqrt(m->omega2[k]));
        out[k] = (jd_mode){.omega = omega,
                           .frequency_hz = omega / TWO_PI,
                           .damping_ratio = ratio_of(omega, m->c[k]),
                           .error = error_of(m, k),
                           .static_shape = k >= m->n - m->n_static};
        jd_mode_poles(dd_value(m->omega2[k]), m->c[k], out[k].pole);
    }
}

static jd_mode from_poles(const double *a, const double *b) {
    double omega = sqrt(hypot(a[0], a[1])) * sqrt(hypot(b[0], b[1]));
    return (jd_mode){.omega = omega,
                     .frequency_hz = omega / TWO_PI,
                     .damping_ratio = ratio_of(omega, -(a[0] + b[0])),
                     .pole = {{a[0], a[1]}, {b[0], b[1]}}};
}

// Real poles come in an even number: the slow half is paired with the fast half in order.
static int pair_up(int n_pole, const double *pole, int *real, jd_mode *out) {
    int n = 0, n_real = 0;
    for (int p = 0; p < n_pole; p++) {
        const double *s = pole + 2 * (size_t)p;
        if (s[1] == 0) {
            real[n_real++] = p;
        } else if (s[1] > 0) {
            out[n++] = from_poles(s, s + 2);
        }
    }
    for (int i = 0; i < n_real / 2; i++)
        out[n++] = from_poles(pole + 2 * (size_t)real[i], pole + 2 * (size_t)real[i + n_real / 2]);
    return n;
}

static void sort_by_omega(int n, jd_mode *list) {
    for (int i = 1; i < n; i++) {
        jd_mode key = list[i];
        int j = i;
        for (; j > 0 && list[j - 1].omega > key.omega; j--) list[j] = list[j - 1];
        list[j] = key;
    }
}

// Undamped frequencies in ascending order, each with its error; poles and ratios stay.
static void put_undamped(const jd_modal *m, int *order, jd_mode *out) {
    for (int i = 0; i < m->n; i++) {
        int j = i;
        for (; j > 0 && dd_value(m->omega2[i]) < dd_value(m->omega2[order[j - 1]]); j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
    for (int i = 0; i < m->n; i++) {
        int k = order[i];
        out[i].omega = dd_value(dd_sqrt(m->omega2[k]));
        out[i].frequency_hz = out[i].omega / TWO_PI;
        out[i].error = error_of(m, k);
        out[i].static_shape = k >= m->n - m->n_static;
    }
}

static jd_status coupled(jd_arena *arena, const jd_modal *m, jd_mode *out) {
    double *omega2 = JD_TAKE(arena, double, m->n), *pole = JD_TAKE(arena, double, 4 * m->n);
    int *index = JD_TAKE(arena, int, 2 * m->n);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < m->n; k++) omega2[k] = dd_value(m->omega2[k]);
    JD_TRY(jd_eigen_quadratic(arena, m->n, omega2, m->C, pole, NULL));
    int n = pair_up(2 * m->n, pole, index, out);
    if (n != m->n)
        return jd_fail(jd_arena_context(arena), JD_INTERNAL, "%d complex modes of %d", n, m->n);
    sort_by_omega(n, out);
    put_undamped(m, index, out);
    return JD_OK;
}

jd_status jd_modal_list(jd_context *context, const jd_modal *m, jd_mode *out) {
    if (!m->C) {
        decoupled(m, out);
        return JD_OK;
    }
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status status = coupled(arena, m, out);
    jd_arena_free(arena);
    return status;
}
