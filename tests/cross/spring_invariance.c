// spring_invariance.c -- the same motion written down in other ways has the same events.
//   Models of spring_random.h with other scales of mass, length and time, with their contacts in
//   another order, seen from the other side of every friction contact, and with all coordinates
//   turned round. Compared up to where a change of 1e-11 of the model changes its events.
#include "spring_case.h"
#include "spring_random.h"

enum { MODELS = 40 };

static spring_run *r;
static spring_changes plain, other;

// Events of the program; false: refused or stopped.
static bool events_of(const spring_model *s, spring_changes *out) {
    bool ok = spring_open(r, s, NULL) && spring_advance(r, (double)s->until);
    if (!ok) print_error("   %s\n", r->refused);
    *out = r->changes;
    spring_end(r);
    return ok;
}

// Up to here digits of the model say which events there are.
static double horizon(const spring_model *s) {
    static spring_changes a, b;
    spring_model twin = spring_nudged(s, 1e-11L);
    sm_run *x = sm_open_run(s), *y = sm_open_run(&twin);
    sm_go(x, s->until), sm_go(y, s->until);
    spring_of_reference(x, &a), spring_of_reference(y, &b);
    double until = (double)fminl(fminl(x->t, y->t), x->doubtful);
    spring_difference d = spring_compare(&a, &b, until, 1e-8);
    if (d.at >= 0) until = a.e[d.at].t;
    sm_close(x), sm_close(y);
    return until - 1e-3;
}

// mass, length and time in other units.
static spring_model scaled(const spring_model *s, real m, real l, real t) {
    spring_model o = *s;
    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < s->n; k++) o.M[i][k] *= m, o.C[i][k] *= m / t, o.K[i][k] *= m / (t * t);
        for (int d = 0; d < s->drives; d++) o.drive[d].vector[i] *= m * l / (t * t);
        o.constant[i] *= m * l / (t * t), o.x[i] *= l, o.v[i] *= l / t;
    }
    for (int d = 0; d < s->drives; d++) o.drive[d].omega /= t;
    for (int j = 0; j < s->m; j++) {
        spring_contact *c = &o.c[j];
        c->kt *= m / (t * t), c->kn *= m / (t * t), c->cn *= m / t;
        c->gap *= l, c->belt *= l / t, c->swing_omega /= t;
        if (c->source == SPRING_GIVEN) c->limit *= m * l / (t * t), c->hold *= m * l / (t * t);
    }
    o.until *= t;
    return o;
}

// The last place first; parts of one contact stay together. to[j]: where contact j is now.
static spring_model reversed(const spring_model *s, int *to) {
    spring_model o = *s;
    int n = 0;
    for (int j = s->m - 1; j >= 0; j--) {
        if (s->c[j].joined) continue;
        for (int k = j; k == j || (k < s->m && s->c[k].joined); k++) to[k] = n++;
    }
    for (int j = 0; j < s->m; j++) {
        o.c[to[j]] = s->c[j];
        if (s->c[j].source == SPRING_OTHER) o.c[to[j]].other = to[s->c[j].other];
    }
    return o;
}

// Every tangential direction the other way: + and - change places.
static spring_model from_behind(const spring_model *s) {
    spring_model o = *s;
    for (int j = 0; j < s->m; j++) {
        for (int i = 0; i < s->n; i++) o.c[j].wt[i] *= -1;
        o.c[j].belt *= -1;
    }
    return o;
}

// x becomes -x: rows, loads and the start change their signs, letters stay.
static spring_model turned(const spring_model *s) {
    spring_model o = *s;
    for (int i = 0; i < s->n; i++) {
        for (int d = 0; d < s->drives; d++) o.drive[d].vector[i] *= -1;
        for (int j = 0; j < s->m; j++) o.c[j].wt[i] *= -1, o.c[j].wn[i] *= -1;
        o.constant[i] *= -1, o.x[i] *= -1, o.v[i] *= -1;
    }
    return o;
}

static char swapped(char letter) { return letter == '+' ? '-' : letter == '-' ? '+' : letter; }

// Brings the other list to the contacts, times and letters of the plain one, and compares.
static void compare(unsigned long long seed, const char *what, double until, real time,
                    const int *to, bool swap) {
    for (int i = 0; i < other.n; i++) {
        spring_change *e = &other.e[i];
        e->t /= (double)time;
        for (int j = 0; to && j < SPRING_M; j++)
            if (to[j] == e->contact) {
                e->contact = j;
                break;
            }
        if (swap) e->from = swapped(e->from), e->to = swapped(e->to);
    }
    spring_sort(&other, 1e-10);
    spring_difference d = spring_compare(&plain, &other, until, 1e-6);
    if (d.at >= 0)
        fail_msg("seed %llu, %s: no event %d at %.12g", seed, what, d.at + 1, plain.e[d.at].t);
}

static void check_model(unsigned long long seed) {
    spring_model s = spring_drawn(seed), o;
    int to[SPRING_M];
    for (int j = 0; j < SPRING_M; j++) to[j] = -1;
    if (!events_of(&s, &plain)) fail_msg("seed %llu", seed);
    spring_sort(&plain, 1e-10);
    double until = horizon(&s);
    bool matrices = r->text.matrices; // their points are dofs: rows have no sign
    o = scaled(&s, 1e3L, 1e-6L, 1e-4L);
    assert_true(events_of(&o, &other));
    compare(seed, "scaled", until, 1e-4L, NULL, false);
    o = reversed(&s, to);
    assert_true(events_of(&o, &other));
    compare(seed, "reversed", until, 1, to, false);
    if (matrices) return;
    o = from_behind(&s);
    assert_true(events_of(&o, &other));
    compare(seed, "from behind", until, 1, NULL, true);
    o = turned(&s);
    assert_true(events_of(&o, &other));
    compare(seed, "turned", until, 1, NULL, false);
}

static void events_do_not_depend_on_how_a_model_is_written(void **state) {
    (void)state;
    r = calloc(1, sizeof *r);
    for (unsigned long long seed = 2001; seed <= 2000 + MODELS; seed++) check_model(seed);
    free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_do_not_depend_on_how_a_model_is_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
