// cross.c -- locates where a test function passes 0 between two orbits of one string: the
// log of the size of the k-th largest multiplier, or the tangent's parameter component.
//   Secant with halving (Illinois) on the chord. At a branch point M - I is singular and the orbits
//   beside it are a double solution: within d of it they are known to rounding/d across the branch,
//   so the zero is interpolated from eight orbits around it, which are well known:
//     theta as a polynomial of the test value, at 0; error: what the outermost two change.
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"
#include "linalg/general.h"

enum { HALVINGS = 60, AROUND = 8 };
static const double worth = 4e-13;     // of |M|: rounding of multipliers
static const double steady = 0.5;      // cosine of the angle between tangent and chord
static const double off_branch = 0.02; // of the chord: further away it is another branch

// dy/dtheta at an end of the chord `u` of length d: the tangent there, long enough to keep up with
// the chord; the chord where the tangent leads elsewhere.
static double slope(const curve *c, const place *p, const double *u, double d, int i) {
    double along = 0;
    for (int k = 0; k < c->N; k++) along += p->tangent[k] * u[k];
    return d * (fabs(along) > steady ? p->tangent[i] / along : u[i]);
}

// The cubic through a and b with their tangents at `theta`; border: the chord.
static double cubic(const curve *c, const place *a, const place *b, double theta, double *border,
                    double *y) {
    double size = 0, t = theta, s = 1 - theta;
    for (int i = 0; i < c->N; i++) {
        border[i] = b->y[i] - a->y[i];
        size += border[i] * border[i];
    }
    size = sqrt(size);
    for (int i = 0; i < c->N && size > 0; i++) border[i] /= size;
    for (int i = 0; i < c->N && size > 0; i++)
        y[i] = s * s * ((1 + 2 * t) * a->y[i] + t * slope(c, a, border, size, i)) +
               t * t * ((1 + 2 * s) * b->y[i] - s * slope(c, b, border, size, i));
    return size;
}

// Another branch that crosses this one leaves it at once: its orbits are no neighbours of a and b.
static bool beside(const curve *c, const double *guess, const double *y, double size) {
    double away = 0;
    for (int i = 0; i < c->N; i++) away += pow(y[i] - guess[i], 2);
    return sqrt(away) < off_branch * size + 1e-9;
}

jd_status jd_branch_between(jd_follow *f, const place *a, const place *b, double theta, place *out,
                            bool *found) {
    curve *c = &f->curve;
    double *border = c->newton.chord, *guess = f->at.touch.y,
           size = cubic(c, a, b, theta, border, guess);
    *found = false;
    if (!(size > 0)) return JD_OK;
    memcpy(out->y, guess, (size_t)c->N * sizeof *guess);
    JD_TRY(jd_branch_solve(f, out, theta < 0.5 ? a : b, border, true, found));
    if (*found && beside(c, guess, out->y, size))
        return jd_branch_judge(f, out, border, true, found);
    // the derivative at hand may be that of a branch point: with one of its own
    bool lost;
    *found = false;
    memcpy(out->y, guess, (size_t)c->N * sizeof *guess);
    c->phase = theta < 0.5 ? a->phase : b->phase;
    JD_TRY(jd_curve_derivative(c, out->y, border, &lost));
    if (!lost) JD_TRY(jd_curve_correct(c, out->y, border, true, found));
    *found = *found && beside(c, guess, out->y, size);
    return *found ? jd_branch_judge(f, out, border, true, found) : JD_OK;
}

static double distance(const curve *c, const place *a, const place *b) {
    double size = 0;
    for (int i = 0; i < c->N; i++) size += pow(a->y[i] - b->y[i], 2);
    return sqrt(size);
}

// Log of the size of the k-th largest multiplier.
static double crossing(const place *p, int k) {
    double size = hypot(p->multiplier[2 * k], p->multiplier[2 * k + 1]);
    return size > 1e-300 ? log(size) : -700;
}

static double test_value(const curve *c, const place *p, int k) {
    return k < 0 ? p->tangent[c->N - 1] : crossing(p, k);
}

double jd_branch_blur(jd_follow *f, const place *p) {
    curve *c = &f->curve;
    double size = 0, *z = c->newton.step;
    if (!jd_curve_factor(c, p->tangent)) return HUGE_VAL;
    for (int i = 0; i < c->N; i++) z[i] = 1 / sqrt(c->N) * (i % 2 ? -1 : 1);
    for (int k = 0; k < 2; k++) {
        jd_lu_solve(c->N, c->newton.lu, c->newton.pivot, z);
        size = 0;
        for (int i = 0; i < c->N; i++) size += z[i] * z[i];
        size = sqrt(size);
        for (int i = 0; i < c->N && k == 0; i++) z[i] /= size;
    }
    double scale = fmax(c->parameter.L, fabs(p->point.parameter));
    return 3 * (p->point.residual + 1e-15) * fmax(size, 1) * scale;
}

// What the parameter of the zero in f->at.middle is worth; ends: its search did not break off.
static double error_of(jd_follow *f, const place *a, const place *b, int k, double width,
                       bool ends) {
    const curve *c = &f->curve;
    const place *m = &f->at.middle;
    double blur = jd_branch_blur(f, m), norm = 0;
    if (k < 0) return blur + width * width * c->parameter.L;
    if (!ends) return blur + width * c->parameter.L; // of the bracket nothing more is known
    double fa = test_value(c, a, k), fb = test_value(c, b, k), value = test_value(c, m, k);
    for (int i = 0; i < 2 * c->n; i++) norm = fmax(norm, fabs(m->multiplier[i]));
    double way = fabs(b->point.parameter - a->point.parameter);
    return blur + fmin(width * c->parameter.L, way * (fabs(value) + worth * norm) / fabs(fb - fa));
}

// An engine that computes to a tolerance: the same orbit with steps to 1/100 of it has another
// test value and another parameter; four times the differences belong to the error. The orbit with
// finer steps not found: the error is not known.
static jd_status look_finer(jd_follow *f, const place *a, const place *b, int k, double theta,
                            double *error) {
    const curve *c = &f->curve;
    const jd_engine_map *map = &c->run->class->map;
    bool found;
    if (!map->refine) return JD_OK;
    map->refine(c->run, 0.01);
    jd_status status = jd_branch_between(f, a, b, theta, &f->at.right, &found);
    map->refine(c->run, 1);
    JD_TRY(status);
    if (!found) return *error = (double)NAN, JD_OK;
    double moved = fabs(f->at.right.point.parameter - f->at.middle.point.parameter);
    double change = fabs(test_value(c, &f->at.right, k) - test_value(c, &f->at.middle, k));
    double way = fabs(b->point.parameter - a->point.parameter);
    double rise = fabs(test_value(c, b, k) - test_value(c, a, k));
    *error += 4 * (moved + (k < 0 ? 0 : way * change / rise));
    return JD_OK;
}

// The orbit near theta, between lo and hi, or elsewhere between them where it is not found there.
static jd_status try_between(jd_follow *f, const place *a, const place *b, double lo, double hi,
                             double *theta, bool *solved) {
    static const double elsewhere[] = {0.5, 0.35, 0.65, 0.2, 0.8};
    JD_TRY(jd_branch_between(f, a, b, *theta, &f->at.middle, solved));
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere && !*solved; i++) {
        *theta = lo + elsewhere[i] * (hi - lo);
        JD_TRY(jd_branch_between(f, a, b, *theta, &f->at.middle, solved));
    }
    return JD_OK;
}

jd_status jd_branch_cross(jd_follow *f, const place *a, const place *b, int k, double *error,
                          bool *found) {
    const curve *c = &f->curve;
    double lo = 0, hi = 1, flo = test_value(c, a, k), fhi = test_value(c, b, k), last = 0,
           length = distance(c, a, b), at = 0;
    bool ends = false;
    *found = false;
    for (int i = 0; i < HALVINGS; i++) {
        double theta = lo + (hi - lo) * flo / (flo - fhi), side = (hi - lo) * 1e-3;
        theta = fmin(hi - side, fmax(lo + side, theta));
        bool solved;
        JD_TRY(try_between(f, a, b, lo, hi, &theta, &solved));
        if (!solved) break;
        *found = true;
        at = theta;
        double value = test_value(c, &f->at.middle, k);
        ends = (hi - lo) * length < (k < 0 ? 1e-10 : f->options.locate) || fabs(value) < 1e-12;
        if (ends) break;
        if ((value > 0) == (flo > 0)) {
            lo = theta;
            flo = value;
            if (last > 0) fhi /= 2;
            last = 1;
        } else {
            hi = theta;
            fhi = value;
            if (last < 0) flo /= 2;
            last = -1;
        }
    }
    *error = *found ? error_of(f, a, b, k, (hi - lo) * length, ends) : HUGE_VAL;
    return *found ? look_finer(f, a, b, k, at, error) : JD_OK;
}

// Neville's scheme through n points at x = at.
static double neville(int n, const double *x, const double *value, double at) {
    double v[AROUND];
    memcpy(v, value, (size_t)n * sizeof *v);
    for (int step = 1; step < n; step++)
        for (int i = 0; i < n - step; i++)
            v[i] = ((at - x[i + step]) * v[i] - (at - x[i]) * v[i + 1]) / (x[i] - x[i + step]);
    return v[0];
}

// Orbits at both sides of theta, `width` of the chord away at most; false: not all of one string.
static jd_status around(jd_follow *f, const place *a, const place *b, int k, double theta,
                        double width, double x[4][AROUND], bool *good) {
    static const double at[AROUND] = {-1, 1, -0.75, 0.75, -0.5, 0.5, -0.28, 0.28};
    const curve *c = &f->curve;
    for (int i = 0; i < AROUND; i++) {
        double t = theta + width * at[i];
        JD_TRY(jd_branch_between(f, a, b, t, &f->at.right, good));
        *good = *good && f->at.right.point.phases == a->point.phases;
        if (!*good) return JD_OK;
        x[0][i] = t;
        x[1][i] = test_value(c, &f->at.right, k);
        x[2][i] = f->at.right.point.parameter;
        x[3][i] = f->at.right.point.amplitude;
    }
    return JD_OK;
}

jd_status jd_branch_cross_through(jd_follow *f, const place *a, const place *b, int k,
                                  double *error, bool *found) {
    const curve *c = &f->curve;
    double x[4][AROUND], fa = test_value(c, a, k), fb = test_value(c, b, k);
    double theta = fa / (fa - fb);
    const int inner = AROUND - 2; // without the outermost two
    *found = false;
    for (double width = 0.5; width > 0.02 && !*found; width /= 3)
        for (int pass = 0; pass < 2; pass++) { // the second one in the middle of its orbits
            JD_TRY(around(f, a, b, k, theta, width, x, found));
            if (!*found) break;
            theta = neville(AROUND, x[1], x[0], 0);
            *found = theta > 0 && theta < 1;
            if (!*found) break;
        }
    if (!*found) return JD_OK;
    double other = neville(inner, x[1] + 2, x[0] + 2, 0);
    double lambda = neville(AROUND, x[0], x[2], theta),
           near = neville(inner, x[0] + 2, x[2] + 2, other);
    jd_place_copy(c, &f->at.right, &f->at.middle);
    f->at.middle.point.parameter = lambda;
    f->at.middle.point.amplitude = neville(AROUND, x[0], x[3], theta);
    *error = fabs(lambda - near) + jd_branch_blur(f, &f->at.right);
    return JD_OK;
}
