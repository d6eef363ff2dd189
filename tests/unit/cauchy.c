// cauchy.c -- products with the shapes of one held contact in linear time, against plain sums.
//   Spectra of rods (evenly spaced), beams (squares), and drawn ones with wide and narrow gaps;
//   rows with zeros and with entries of all sizes. Errors are measured number by number, by the
//   sum of the absolute terms each number is the sum of: small coordinates keep their digits.
#include "engine/exact/bases/cauchy.h"

#include <math.h>

#include "draws.h"
#include "engine/exact/exact.h"
#include "judder/judder.h"
#include "near.h"
#include "structure/stuck/secular.h"

enum { MOST = 1200 };

typedef enum spectrum { ROD, BEAM, DRAWN, CLUSTERED, TWICE } spectrum;

typedef struct shapes {
    jd_context *context;
    jd_arena *arena;
    int n;
    jd_dd *pole, *root;
    double *b, *Q, *QT;
} shapes;

static double frequency(spectrum kind, int l, double before) {
    return kind == BEAM        ? (l + 0.6) * (l + 0.6)
           : kind == ROD       ? l + 0.5
           : kind == CLUSTERED ? before + (l % 60 == 0 ? 50 : 1e-3) * uniform(0.5, 1)
           : kind == TWICE     ? 1 + l / 2
                               : before + decades(-3, 0);
}

static shapes make(int n, spectrum kind) {
    shapes s = {.context = jd_context_create(NULL), .n = n};
    s.arena = jd_arena_create(s.context);
    size_t size = (size_t)n * (size_t)n;
    jd_dd *b = JD_TAKE(s.arena, jd_dd, n), *Q = JD_TAKE(s.arena, jd_dd, size);
    s.pole = JD_TAKE(s.arena, jd_dd, n), s.root = JD_TAKE(s.arena, jd_dd, n);
    s.b = JD_TAKE(s.arena, double, n);
    s.Q = JD_TAKE(s.arena, double, size), s.QT = JD_TAKE(s.arena, double, size);
    double w = 1;
    for (int l = 0; l < n; l++) {
        w = frequency(kind, l, w);
        s.pole[l] = dd_mul(dd(w), dd(w));
        s.b[l] = l % 7 == 3 ? 0 : (l % 2 ? -1 : 1) * decades(-3, 0);
        b[l] = dd(s.b[l]);
    }
    assert_int_equal(jd_secular(s.arena, n, s.pole, b, s.root, Q), JD_OK);
    for (int l = 0; l < n; l++)
        for (int k = 0; k < n - 1; k++) {
            double q = dd_value(Q[l * (n - 1) + k]);
            s.Q[l * (n - 1) + k] = s.QT[k * n + l] = q;
        }
    return s;
}

static void drop(shapes *s) {
    jd_arena_free(s->arena);
    jd_context_free(s->context);
}

static jd_cauchy *fast(const shapes *s) {
    jd_cauchy *c;
    jd_cauchy_def def = {
        .n = s->n, .pole = s->pole, .root = s->root, .b = s->b, .Q = s->Q, .QT = s->QT};
    assert_int_equal(jd_cauchy_create(s->arena, &def, &c), JD_OK);
    return c;
}

// The largest error of x = A q over its terms, A(i, j) at A[j*rows + i], in units of rounding.
static double error_of(int rows, int columns, const double *A, const double *q, const double *x) {
    double most = 0;
    for (int i = 0; i < rows; i++) {
        jd_dd sum = dd(0);
        double size = 0;
        for (int j = 0; j < columns; j++) {
            sum = dd_add(sum, dd_mul(dd(A[j * rows + i]), dd(q[j])));
            size += fabs(A[j * rows + i] * q[j]);
        }
        if (size > 0) most = fmax(most, fabs(dd_value(dd_sub(sum, dd(x[i])))) / size);
    }
    return most / 0x1p-53;
}

// Coordinates that fall with the number of the mode, as those of motion do, and such that do not.
static void draw(int n, bool falls, double *q) {
    for (int l = 0; l < n; l++) q[l] = uniform(-1, 1) / (falls ? pow(l + 1, 3) : 1);
}

static double worst(int n, spectrum kind, bool falls) {
    static double q[MOST], p[MOST], x[MOST], v[MOST];
    shapes s = make(n, kind);
    jd_cauchy *c = fast(&s);
    double most = HUGE_VAL;
    if (c) {
        draw(n, falls, q), draw(n, !falls, p);
        jd_cauchy_into(c, q, p, x, v);
        most = fmax(error_of(n - 1, n, s.Q, q, x), error_of(n - 1, n, s.Q, p, v));
        jd_cauchy_back(c, q, p, x, v);
        most = fmax(most, fmax(error_of(n, n - 1, s.QT, q, x), error_of(n, n - 1, s.QT, p, v)));
    }
    drop(&s);
    return most;
}

static void fast_products_are_those_of_shapes(void **state) {
    (void)state;
    const int sizes[] = {500, 513, 777, 1024};
    for (int i = 0; i < 4; i++)
        for (int kind = ROD; kind <= DRAWN; kind++) {
            double most = worst(sizes[i], (spectrum)kind, (i + kind) % 2);
            print_message("%d modes, spectrum %d: %.1f units of rounding\n", sizes[i], kind, most);
            assert_true(most < 48);
        }
    double clustered = worst(960, CLUSTERED, true); // whichever way costs less
    assert_true(clustered < 48 || clustered == HUGE_VAL);
    print_message("960 modes in clusters: %.1f\n", clustered);
}

static bool has_fast(int n, spectrum kind, bool spoilt) {
    shapes s = make(n, kind);
    if (spoilt) s.Q[4 * (n - 1) + n - 5] *= 1 + 1e-9, s.QT[(n - 5) * n + 4] *= 1 + 1e-9;
    bool has = fast(&s) != NULL;
    drop(&s);
    return has;
}

// Few modes, frequencies that are there twice, and shapes of another form are multiplied plainly.
static void other_shapes_are_refused(void **state) {
    (void)state;
    assert_true(has_fast(500, ROD, false));
    assert_false(has_fast(500, ROD, true));
    assert_false(has_fast(60, ROD, false));
    assert_false(has_fast(500, TWICE, false));
}

// A rod that rubs at its tip, with fast products and without: its events.
static int rub(bool plainly, bool *has, double *time) {
    static const char text[] =
        "judder: 1\n"
        "structure: {type: rod, length: 1, mass_per_length: 1, axial_stiffness: 1, modes: 600,\n"
        "  supports: {left: fixed, right: free}, points: {mid: 0.37, tip: 1},\n"
        "  damping: {type: rayleigh, mass: 0.05, stiffness: 1.e-4}}\n"
        "contacts: {end: {at: tip, law: {type: coulomb, limit: 0.3}}}\n"
        "drives: {f: {type: harmonic, at: mid, amplitude: 1, frequency: 1.7}}\n"
        "start: rest\nsimulate: {until: 5 periods}\n";
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem;
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    int n = 0;
    assert_int_equal(jd_model_parse(context, "rod", ".", text, sizeof text - 1, 0, NULL, &problem),
                     JD_OK);
    assert_int_equal(jd_run_create(context, problem, &run), JD_OK);
    double end = 5 * jd_problem_period(problem);
    while (n < MOST) {
        assert_int_equal(jd_run_advance(run, end, &step), JD_OK);
        if (step != JD_STEP_EVENT) break;
        time[n++] = jd_run_event(run)->t;
        for (basis *b = ((exact *)run->state)->bases.list; b; b = b->next) {
            *has = *has || b->fast;
            if (plainly) b->fast = NULL;
        }
    }
    jd_report report;
    jd_run_report(run, &report);
    assert_true(report.certificate.certified && fabs(report.ledger.residual) < 1e-13);
    jd_run_free(run);
    jd_problem_free(problem);
    jd_context_free(context);
    return n;
}

static void events_are_those_of_plain_products(void **state) {
    (void)state;
    static double time[2][MOST];
    bool has[2] = {false, false};
    int n = rub(false, has, time[0]);
    assert_true(has[0] && n > 20);
    assert_int_equal(rub(true, has + 1, time[1]), n);
    for (int i = 0; i < n; i++) assert_true(fabs(time[0][i] - time[1][i]) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_products_are_those_of_shapes),
        cmocka_unit_test(other_shapes_are_refused),
        cmocka_unit_test(events_are_those_of_plain_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
