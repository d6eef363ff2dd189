// exact_release.c -- several contacts at their static limits let go at once.
//   Loads that jump at t = 0 on a structure at rest, contacts that feel each other through random
//   shapes. Independent: of all 3^m combinations of (at -limit, inside, at +limit) the one whose
//   forces x solve
//     a = G x + b,   a = 0 inside, a >= 0 at -limit, a <= 0 at +limit
//   with static limits; all that are on a limit keep their kinetic one only, until none is added.
#include "judder/judder.h"
#include "problem/system.h"
#include "scene.h"

enum { MODES = 5, CONTACTS = 4, CASES = 6000 };

static unsigned long long seed;

static double draw(double low, double high) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

typedef struct release {
    int m;
    double G[CONTACTS][CONTACTS], b[CONTACTS], limit[CONTACTS], hold[CONTACTS];
    bool went[CONTACTS]; // has only its kinetic limit
    int wall[CONTACTS];  // -1, 0 inside, 1
    double x[CONTACTS], a[CONTACTS];
} release;

static double limit_of(const release *r, int j) { return r->went[j] ? r->limit[j] : r->hold[j]; }

// Forces of the contacts inside, with the others on their walls: elimination on G.
static void solve_inside(release *r) {
    double A[CONTACTS][CONTACTS + 1];
    int in[CONTACTS], n = 0;
    for (int j = 0; j < r->m; j++) {
        r->x[j] = r->wall[j] * limit_of(r, j);
        if (r->wall[j] == 0) in[n++] = j;
    }
    for (int i = 0; i < n; i++) {
        A[i][n] = -r->b[in[i]];
        for (int k = 0; k < n; k++) A[i][k] = r->G[in[i]][in[k]];
        for (int j = 0; j < r->m; j++) A[i][n] -= r->G[in[i]][j] * r->x[j];
    }
    for (int p = 0; p < n; p++) // G is positive definite
        for (int i = 0; i < n; i++) {
            double f = A[i][p] / A[p][p];
            for (int k = p; k <= n && i != p; k++) A[i][k] -= f * A[p][k];
        }
    for (int i = 0; i < n; i++) r->x[in[i]] = A[i][n] / A[i][i];
    for (int j = 0; j < r->m; j++) {
        r->a[j] = r->b[j];
        for (int k = 0; k < r->m; k++) r->a[j] += r->G[j][k] * r->x[k];
    }
}

// Smallest distance from any other combination; < 0: this is not the one.
static double fits(release *r) {
    double least = HUGE_VAL;
    solve_inside(r);
    for (int j = 0; j < r->m; j++) {
        double room = r->wall[j] == 0 ? limit_of(r, j) - fabs(r->x[j]) : -r->wall[j] * r->a[j];
        least = fmin(least, room);
    }
    return least;
}

// The one combination that fits; false: too close to a tie to tell.
static bool find(release *r) {
    int all = 1;
    for (int j = 0; j < r->m; j++) all *= 3;
    for (int i = 0; i < all; i++) {
        for (int j = 0, rest = i; j < r->m; j++, rest /= 3) r->wall[j] = rest % 3 - 1;
        double room = fits(r);
        if (room > 1e-7) return true;
        if (room > -1e-7) return false;
    }
    fail_msg("no combination fits");
    return false;
}

static bool let_go(release *r) {
    for (bool more = true; more;) {
        if (!find(r)) return false;
        more = false;
        for (int j = 0; j < r->m; j++)
            if (r->wall[j] != 0 && !r->went[j]) more = r->went[j] = true;
    }
    return true;
}

typedef struct text {
    char of[4096];
    int n;
} text;

static void put_row(text *t, const char *before, int n, double low, double high) {
    t->n += snprintf(t->of + t->n, sizeof t->of - (size_t)t->n, "%s[", before);
    for (int k = 0; k < n; k++)
        t->n += snprintf(t->of + t->n, sizeof t->of - (size_t)t->n, "%s%.17g", k ? ", " : "",
                         draw(low, high));
    t->n += snprintf(t->of + t->n, sizeof t->of - (size_t)t->n, "]");
}

static text draw_model(release *r) {
    text t = {.n = 0};
    r->m = 2 + (int)draw(0, CONTACTS - 1);
    put_row(&t, "judder: 1\nstructure: {type: modes, omega: ", MODES, 0.5, 4);
    t.n += snprintf(t.of + t.n, sizeof t.of - (size_t)t.n, ", shapes: {");
    for (int j = 0; j < r->m; j++) {
        char name[24];
        snprintf(name, sizeof name, "%sp%d: ", j ? ", " : "", j);
        put_row(&t, name, MODES, -1, 1);
    }
    t.n += snprintf(t.of + t.n, sizeof t.of - (size_t)t.n, "}}\ncontacts:\n");
    for (int j = 0; j < r->m; j++) {
        r->limit[j] = draw(0.1, 0.6), r->hold[j] = r->limit[j] * draw(1, 5);
        t.n += snprintf(t.of + t.n, sizeof t.of - (size_t)t.n,
                        "  c%d: {at: p%d, against: ground, law: {type: coulomb, limit: %.17g, "
                        "static_limit: %.17g}}\n",
                        j, j, r->limit[j], r->hold[j]);
    }
    t.n += snprintf(t.of + t.n, sizeof t.of - (size_t)t.n, "drives:\n");
    for (int j = 0; j < r->m; j++)
        t.n += snprintf(t.of + t.n, sizeof t.of - (size_t)t.n,
                        "  d%d: {type: constant, at: p%d, value: %.17g}\n", j, j, draw(-2.5, 2.5));
    t.n += snprintf(t.of + t.n, sizeof t.of - (size_t)t.n,
                    "start: rest\nsimulate: {engine: exact, until: 1}\n");
    return t;
}

static void read_coupling(jd_problem *problem, release *r) {
    const jd_system *y = jd_problem_system(problem);
    for (int i = 0; i < r->m; i++) {
        r->b[i] = 0;
        for (int j = 0; j < r->m; j++) {
            double F, row = 0;
            char path[32];
            snprintf(path, sizeof path, "drives.d%d.value", j);
            assert_int_equal(jd_problem_get(problem, path, &F), JD_OK);
            for (int k = 0; k < MODES; k++) row += y->contact[i][k].hi * y->drive[j][k].hi;
            r->b[i] += F * row;
            r->G[i][j] = row; // loads act where the contacts are
        }
    }
}

// Slides as it should, and as fast: v = a t + O(t^2).
static void compare(const release *r, jd_run *run, const text *t) {
    double at = 1e-7, u[CONTACTS], v[CONTACTS], force[CONTACTS];
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, at, &step), JD_OK);
    jd_run_observe_contacts(run, at, u, v, force);
    for (int j = 0; j < r->m; j++) {
        char letter = r->wall[j] == 0 ? 'H' : r->wall[j] > 0 ? '-' : '+';
        bool right = jd_run_phase(run)[j] == letter && fabs(v[j] / at - r->a[j]) < 1e-4 &&
                     fabs(force[j] - r->x[j]) < 1e-4;
        if (!right)
            fail_msg("contact %d is %c with acceleration %g and force %g, expected %c, %g, %g\n%s",
                     j, jd_run_phase(run)[j], v[j] / at, force[j], letter, r->a[j], r->x[j], t->of);
    }
}

static void a_jump_of_loads_lets_go_all_that_reach_their_limits(void **state) {
    (void)state;
    int compared = 0, several = 0, relieved = 0;
    seed = 5;
    for (int i = 0; i < CASES; i++) {
        release r = {0};
        text t = draw_model(&r);
        jd_context *context = jd_context_create(NULL);
        jd_problem *problem;
        jd_run *run;
        assert_int_equal(
            jd_model_parse(context, "release.yaml", ".", t.of, (size_t)t.n, 0, NULL, &problem),
            JD_OK);
        assert_int_equal(jd_run_create(context, problem, &run), JD_OK);
        read_coupling(problem, &r);
        if (let_go(&r)) {
            int gone = 0;
            for (int j = 0; j < r.m; j++)
                gone += r.went[j], relieved += r.went[j] && r.wall[j] == 0;
            several += gone > 1;
            compare(&r, run, &t);
            compared++;
        }
        jd_run_free(run);
        jd_problem_free(problem);
        jd_context_free(context);
    }
    print_message("   %d jumps, %d let go several contacts, %d held again by their kinetic limit\n",
                  compared, several, relieved);
    assert_true(compared > CASES * 9 / 10 && several > CASES / 4 && relieved > CASES / 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jump_of_loads_lets_go_all_that_reach_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
