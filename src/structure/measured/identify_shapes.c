// identify_shapes.c -- shapes of measured modes, and all their numbers polished together.
//   B_k = s/(s^2 + c_k s + omega_k^2):  Y_ij = sum_k R_ijk B_k with R real, by least squares for
//   every pair; R_k = phi_k phi_k' gives a shape from the strongest point that was pushed and
//   watched itself. Then ln omega, ln c and phi of all modes by Levenberg and Marquardt:
//     dB/dln omega = -2 omega^2 B^2/s,  dB/dln c = -c B^2
//   The data say little about the damping of modes above the band: their ratios are kept at least
//   as large as the smallest in it, so that none rings for ever.
#include <math.h>
#include <string.h>

#include "linalg/least_squares.h"
#include "structure/measured/frf.h"

enum { ROUNDS = 60 };

static void turn(double w, double c, double omega, double B[2]) { // i w/(w0^2 - w^2 + i c w)
    double a = (omega - w) * (omega + w), b = c * w, size = a * a + b * b;
    B[0] = w * b / size;
    B[1] = w * a / size;
}

static void model(const jd_frf_modes *m, int points, int i, int j, double w, double out[2]) {
    double B[2];
    out[0] = out[1] = 0;
    for (int k = 0; k < m->n; k++) {
        double r = m->shape[k * points + i] * m->shape[k * points + j];
        turn(w, m->c[k], m->omega[k], B);
        out[0] += r * B[0];
        out[1] += r * B[1];
    }
}

void jd_frf_measure(const jd_frf *f, jd_frf_modes *m) {
    double off = 0, all = 0, peak = 0, worst = 0;
    for (int p = 0; p < f->n_pair; p++)
        for (int k = 0; k < f->n; k++) {
            double y[2], re = f->re[p * f->n + k], im = f->im[p * f->n + k];
            model(m, f->n_point, f->moves[p], f->pushed[p], f->omega[k], y);
            double d = hypot(y[0] - re, y[1] - im);
            off += d * d;
            all += re * re + im * im;
            peak = fmax(peak, hypot(re, im));
            if (d <= worst) continue;
            worst = d;
            m->at = f->omega[k];
        }
    m->error = sqrt(off / (all + 1e-300));
    m->worst = worst / (peak + 1e-300);
}

// Real residues of all pairs: R[k n_pair + p].
static jd_status residues(jd_arena *arena, const jd_frf *f, const jd_frf_modes *m, double *R) {
    jd_arena_mark mark = jd_arena_here(arena);
    size_t rows = 2 * (size_t)f->n;
    double *A = JD_TAKE(arena, double, rows *(size_t)m->n);
    double *Y = JD_TAKE(arena, double, rows *(size_t)f->n_pair), B[2];
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < f->n; k++) {
        double g = jd_frf_weight(f, k);
        for (int l = 0; l < m->n; l++) {
            turn(f->omega[k], m->c[l], m->omega[l], B);
            A[(size_t)l * rows + 2 * (size_t)k] = g * B[0];
            A[(size_t)l * rows + 2 * (size_t)k + 1] = g * B[1];
        }
        for (int p = 0; p < f->n_pair; p++) {
            Y[(size_t)p * rows + 2 * (size_t)k] = g * f->re[p * f->n + k];
            Y[(size_t)p * rows + 2 * (size_t)k + 1] = g * f->im[p * f->n + k];
        }
    }
    JD_TRY(jd_least_squares(arena, (int)rows, m->n, f->n_pair, A, Y, 1e-13));
    for (int l = 0; l < m->n; l++)
        for (int p = 0; p < f->n_pair; p++) R[l * f->n_pair + p] = Y[(size_t)p * rows + (size_t)l];
    jd_arena_back(arena, mark);
    return JD_OK;
}

// R = phi phi' from the strongest driving point; points that no pair ties to it keep their size.
static void shape_of(const jd_frf *f, const double *R, double *shape) {
    int best = -1;
    double most = 0;
    for (int i = 0; i < f->n_point; i++) shape[i] = 0;
    for (int p = 0; p < f->n_pair; p++) {
        if (f->moves[p] != f->pushed[p] || !(R[p] > 0)) continue;
        shape[f->moves[p]] = sqrt(R[p]);
        if (R[p] <= most) continue;
        most = R[p];
        best = f->moves[p];
    }
    for (int p = 0; best >= 0 && p < f->n_pair; p++) {
        int i = f->moves[p], j = f->pushed[p];
        if (i == j || (i != best && j != best)) continue;
        shape[i == best ? j : i] = R[p] / shape[best];
    }
}

jd_status jd_frf_shapes(jd_arena *arena, const jd_frf *f, jd_frf_modes *m) {
    double *R = JD_TAKE(arena, double, m->n * f->n_pair);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(residues(arena, f, m, R));
    for (int k = 0; k < m->n; k++) shape_of(f, R + k * f->n_pair, m->shape + k * f->n_point);
    return JD_OK;
}

typedef struct fit {
    const jd_frf *frf;
    int unknowns;
    size_t rows;
    double least;                  // ratio of modes above the band
    double *J, *r, *weight, *size; // Jacobian by columns, residual; of frequencies; of unknowns
} fit;

static double residual(const fit *w, const jd_frf_modes *m, double *r) {
    const jd_frf *f = w->frf;
    double sum = 0, y[2];
    for (int p = 0; p < f->n_pair; p++)
        for (int k = 0; k < f->n; k++) {
            model(m, f->n_point, f->moves[p], f->pushed[p], f->omega[k], y);
            double a = w->weight[k] * (f->re[p * f->n + k] - y[0]);
            double b = w->weight[k] * (f->im[p * f->n + k] - y[1]);
            sum += a * a + b * b;
            if (!r) continue;
            r[2 * (p * f->n + k)] = a;
            r[2 * (p * f->n + k) + 1] = b;
        }
    return sum;
}

static void add(const fit *w, int column, size_t row, double a, double b) {
    w->J[(size_t)column * w->rows + row] += a;
    w->J[(size_t)column * w->rows + row + 1] += b;
}

// Unknowns: shapes of all modes, then ln omega and ln c of each.
static void jacobian(const fit *w, const jd_frf_modes *m) {
    const jd_frf *f = w->frf;
    int points = f->n_point, first = m->n * points;
    memset(w->J, 0, w->rows * (size_t)w->unknowns * sizeof *w->J);
    for (int p = 0; p < f->n_pair; p++)
        for (int k = 0; k < f->n; k++)
            for (int l = 0; l < m->n; l++) {
                int i = f->moves[p], j = f->pushed[p];
                double B[2], s = f->omega[k], g = w->weight[k], o = m->omega[l];
                double x = m->shape[l * points + i], y = m->shape[l * points + j];
                size_t row = 2 * (size_t)(p * f->n + k);
                turn(s, m->c[l], o, B);
                add(w, l * points + i, row, g * y * B[0], g * y * B[1]);
                add(w, l * points + j, row, g * x * B[0], g * x * B[1]);
                double a = B[0] * B[0] - B[1] * B[1], b = 2 * B[0] * B[1], q = g * x * y;
                add(w, first + 2 * l, row, -q * 2 * o * o / s * b, q * 2 * o * o / s * a);
                add(w, first + 2 * l + 1, row, -q * m->c[l] * a, -q * m->c[l] * b);
            }
    for (int c = 0; c < w->unknowns; c++) {
        double sum = 0, *column = w->J + (size_t)c * w->rows;
        for (size_t r = 0; r < w->rows - (size_t)w->unknowns; r++) sum += column[r] * column[r];
        w->size[c] = sqrt(sum) + 1e-300;
    }
}

static void move(const fit *w, const jd_frf_modes *from, const double *x, jd_frf_modes *to) {
    int shapes = from->n * w->frf->n_point;
    for (int i = 0; i < shapes; i++) to->shape[i] = from->shape[i] + x[i];
    for (int l = 0; l < from->n; l++) {
        to->omega[l] = from->omega[l] * exp(fmax(-1, fmin(1, x[shapes + 2 * l])));
        to->c[l] = from->c[l] * exp(fmax(-1, fmin(1, x[shapes + 2 * l + 1])));
        double ratio = to->omega[l] > w->frf->omega[w->frf->n - 1] ? w->least : 1e-6;
        to->c[l] = fmax(to->c[l], 2 * ratio * to->omega[l]);
    }
}

static void copy(const jd_frf_modes *from, int points, jd_frf_modes *to) {
    memcpy(to->omega, from->omega, (size_t)from->n * sizeof *to->omega);
    memcpy(to->c, from->c, (size_t)from->n * sizeof *to->c);
    memcpy(to->shape, from->shape, (size_t)(from->n * points) * sizeof *to->shape);
}

static double least_ratio(const jd_frf *f, const jd_frf_modes *m) {
    double least = 0.05;
    for (int l = 0; l < m->n; l++)
        if (m->omega[l] <= f->omega[f->n - 1]) least = fmin(least, m->c[l] / (2 * m->omega[l]));
    return least;
}

jd_status jd_frf_polish(jd_arena *arena, const jd_frf *f, jd_frf_modes *m) {
    jd_arena_mark mark = jd_arena_here(arena);
    fit w = {.frf = f, .unknowns = m->n * (f->n_point + 2)};
    size_t data = 2 * (size_t)f->n_pair * (size_t)f->n;
    w.rows = data + (size_t)w.unknowns;
    w.J = JD_TAKE(arena, double, w.rows *(size_t)w.unknowns);
    w.r = JD_TAKE(arena, double, w.rows);
    w.weight = JD_TAKE(arena, double, f->n);
    w.size = JD_TAKE(arena, double, w.unknowns);
    jd_frf_modes trial = {.n = m->n,
                          .omega = JD_TAKE(arena, double, m->n),
                          .c = JD_TAKE(arena, double, m->n),
                          .shape = JD_TAKE(arena, double, m->n * f->n_point)};
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < f->n; k++) w.weight[k] = jd_frf_weight(f, k);
    w.least = least_ratio(f, m);
    double best = residual(&w, m, NULL), damp = 1e-3;
    for (int i = 0; i < ROUNDS && damp < 1e10; i++) {
        jacobian(&w, m);
        residual(&w, m, w.r);
        for (int c = 0; c < w.unknowns; c++) {
            w.J[(size_t)c * w.rows + data + (size_t)c] = damp * w.size[c];
            w.r[data + (size_t)c] = 0;
        }
        JD_TRY(jd_least_squares(arena, (int)w.rows, w.unknowns, 1, w.J, w.r, 1e-15));
        move(&w, m, w.r, &trial);
        double now = residual(&w, &trial, NULL);
        if (!(now < best)) {
            damp *= 10;
            continue;
        }
        copy(&trial, f->n_point, m);
        bool done = now > best * (1 - 1e-9);
        best = now;
        damp = fmax(damp * 0.1, 1e-12);
        if (done) break;
    }
    jd_arena_back(arena, mark);
    return JD_OK;
}
