// memory_line.c -- strings, beams and rods with infinitely many modes between their contact points:
// the line that the lab and ParaView show, against many modes, waves and static deflections in
// closed form, and the run's own contact points.
#include <math.h>

#include "engine/engine.h"
#include "memory_case.h"
#include "problem/system.h"
#include "result/mesh/geometry.h"

// A run and the line that follows it.
typedef struct line {
    motion *m;
    jd_problem *finite; // NULL: the model's own modes
    jd_arena *arena;
    jd_geometry g;
    double *q, *own, *u;
    int along; // direction of the motion: 0 or 2
} line;

static line line_open(const char *text, int modes, int n_set, const char *const *set) {
    line l = {.m = motion_open(text, n_set, set)};
    jd_context *c = l.m->context;
    motion_start(l.m);
    if (jd_problem_infinite(l.m->problem)) {
        assert_int_equal(jd_problem_finite(c, l.m->problem, modes, NULL, &l.finite), JD_OK);
        assert_int_equal(jd_run_modes(l.m->run, NULL), 0);
        assert_int_equal(jd_run_follow(l.m->run, l.finite, NULL), JD_OK);
    }
    l.arena = jd_arena_create(c);
    assert_int_equal(jd_geometry_create(l.arena, l.finite ? l.finite : l.m->problem, &l.g), JD_OK);
    assert_int_equal(jd_run_modes(l.m->run, NULL), 2 * l.g.n_mode);
    l.q = JD_TAKE(l.arena, double, 2 * l.g.n_mode);
    l.own = JD_TAKE(l.arena, double, l.g.n_mode);
    l.u = JD_TAKE(l.arena, double, 3 * l.g.n);
    l.along = strstr(text, "type: rod") ? 0 : 2;
    return l;
}

static void line_close(line *l) {
    jd_arena_free(l->arena);
    jd_problem_free(l->finite);
    motion_close(l->m);
}

static void line_at(line *l, double t) {
    motion_run(l->m, t);
    jd_run_modes(l->m->run, l->q);
    jd_geometry_move(&l->g, l->q, l->own, l->u);
}

static double u_of(const line *l, int i) { return l->u[3 * i + l->along]; }

// Farthest from the run's own displacements of contact points, which know all modes.
static double off_contacts(const line *l) {
    const jd_system *y = jd_problem_system(l->finite);
    double u[MOTION_CONTACTS], v[MOTION_CONTACTS], F[MOTION_CONTACTS], worst = 0;
    jd_run_observe_contacts(l->m->run, l->m->run->t, u, v, F);
    for (int j = 0; j < y->n_contact; j++) {
        double sum = 0;
        for (int k = 0; k < l->g.n_mode; k++) sum += y->contact[j][k].hi * l->q[k];
        worst = fmax(worst, fabs(sum - u[j]));
    }
    return worst;
}

static const char rubbed[] =
    "judder: 1\n"
    "structure: {type: %s, length: 1.3, mass_per_length: 0.8, modes: %s,\n"
    "  points: {a: %.2f, b: %.2f, push: 0.79}, damping: %s}\n"
    "contacts:\n"
    "  a: {at: a, against: {velocity: %g}, law: {type: coulomb, limit: 0.12}}\n"
    "%s"
    "drives: {push: {at: push, type: %s}}\n"
    "simulate: {until: 5, tolerance: 1e-7}\n";
static const char second[] = "  b: {at: b, against: ground, law: {type: coulomb, limit: 0.2}}\n";

typedef struct kind {
    const char *type;
    bool left, right; // an end that stands still
    bool undamped;    // may be
    double close; // to 400 modes, of the largest displacement; measured two thirds of it at most
} kind;

static const kind kinds[] = {
    {"string, tension: 1.1", true, true, true, 2e-3},
    {"string, tension: 1.1, supports: {left: free, right: fixed}", false, true, true, 3e-3},
    {"rod, axial_stiffness: 1.4", true, false, true, 2e-3},
    {"rod, axial_stiffness: 1.4, supports: {left: fixed, right: fixed}", true, true, true, 2e-3},
    {"beam, bending_stiffness: 0.1", true, false, false, 3e-7},
    {"beam, bending_stiffness: 0.1, supports: {left: pinned, right: pinned}", true, true, false,
     3e-7},
    {"beam, bending_stiffness: 0.1, supports: {left: clamped, right: pinned}", true, true, false,
     3e-7},
};
static const char *const dampings[] = {"{type: ratio, value: 0.003}", "{type: ratio, value: 0.01}",
                                       "{type: ratio, value: 0.08}",
                                       "{type: rayleigh, mass: 0.2, stiffness: 0.002}", "none"};
static const char *const drives[] = {"harmonic, amplitude: 1, frequency: 3",
                                     "ramp, amplitude: 0.9, start: 0.2, duration: 2.1",
                                     "pulse, amplitude: 1.2, start: 0.1, duration: 0.7"};

static void write(char *text, size_t size, const kind *k, const char *modes, int draw) {
    static const double place[] = {0.11, 0.37, 0.65, 1.02};
    const char *damping = dampings[k->undamped ? draw % 5 : draw % 4];
    int n = snprintf(text, size, rubbed, k->type, modes, place[draw % 4], place[(draw + 1) % 4],
                     damping, draw % 3 ? 0.3 : 0, draw % 2 ? second : "", drives[draw % 3]);
    assert_true(n > 0 && (size_t)n < size);
}

static void compare(const kind *k, int draw) {
    char text[1024];
    double worst = 0, largest = 0, contact = 0;
    write(text, sizeof text, k, "infinite", draw);
    line all = line_open(text, JD_FOLLOWED_MODES, 0, NULL);
    write(text, sizeof text, k, "400", draw);
    line many = line_open(text, 0, 0, NULL);
    for (int i = 0; i <= 7; i++) {
        line_at(&all, 0.61 * i);
        line_at(&many, 0.61 * i);
        assert_int_equal(all.g.n, many.g.n);
        for (int j = 0; j < all.g.n; j++) {
            worst = fmax(worst, fabs(u_of(&all, j) - u_of(&many, j)));
            largest = fmax(largest, fabs(u_of(&many, j)));
        }
        contact = fmax(contact, off_contacts(&all));
        if (k->left) assert_true(u_of(&all, 0) == 0);
        if (k->right) assert_true(u_of(&all, all.g.n - 1) == 0);
    }
    print_message("   %s, %d: %d events, %.1e of %.2g, contacts %.1e\n", k->type, draw, all.m->n,
                  worst, largest, contact);
    assert_true(worst < k->close * largest);
    assert_true(contact < k->close * largest);
    line_close(&all);
    line_close(&many);
}

// Positions, damping, drives, one contact or two, belts or ground; ends that are held stand still
// to the last bit.
static void the_line_is_that_of_many_modes(void **state) {
    (void)state;
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++)
        for (int draw = i % 2; draw < 10; draw += 2) compare(&kinds[i], draw);
}

static const char slid[] = // a belt so fast that the contact always slides: its force is constant
    "judder: 1\n"
    "structure: {type: %s, length: 1, mass_per_length: 2, modes: infinite,\n"
    "  points: {a: %.3f}, damping: %s}\n"
    "contacts: {a: {at: a, against: {velocity: 1000}, law: {type: coulomb, limit: 0.7}}}\n"
    "simulate: {until: 200, tolerance: 1e-8}\n";

static const double limit = 0.7;

// A force that begins at 0, without damping: u = F/(2 Z) sum +-(t - way/c)+ over d'Alembert's
// images.
static void waves_of_a_sudden_force_are_in_closed_form(void **state) {
    (void)state; // what 160 modes leave out is at most F L/T 2/(pi^2 160), 6e-4 F here
    const double place[] = {0.07, 0.25, 0.5, 0.813};
    for (int p = 0; p < 4; p++) {
        char text[1024];
        double a = place[p], worst = 0;
        snprintf(text, sizeof text, slid, "string, tension: 2", a, "none"); // c = 1, Z = 2
        line l = line_open(text, JD_FOLLOWED_MODES, 0, NULL);
        for (int i = 1; i <= 12; i++) {
            double t = 0.237 * i;
            line_at(&l, t);
            for (int j = 0; j < l.g.n; j++) {
                double x = l.g.at[3 * j], sum = 0;
                for (int m = -5; m <= 5; m++)
                    sum += fmax(t - fabs(x - a + 2 * m), 0) - fmax(t - fabs(x + a + 2 * m), 0);
                worst = fmax(worst, fabs(u_of(&l, j) - limit / 4 * sum));
            }
        }
        print_message("   at %.3f: %.1e\n", a, worst);
        assert_true(worst < 9e-4 * limit);
        assert_true(worst > 1e-7); // the corner
        line_close(&l);
    }
}

static void forces_that_stay_bend_it_as_in_statics(void **state) {
    (void)state; // beams to 160^-3 of the largest, strings to 1/160
    static const char *const damped[] = {"{type: ratio, value: 0.2}", "{type: ratio, value: 0.97}",
                                         "{type: ratio, value: 1.7}",
                                         "{type: rayleigh, mass: 3, stiffness: 0.01}"};
    const double place[] = {0.2, 0.5, 1};
    for (int i = 0; i < 12; i++) {
        double a = place[i % 3], worst[2] = {0};
        for (int beam = 0; beam < 2; beam++) {
            char text[1024];
            if (!beam && a == 1) continue; // held there
            snprintf(text, sizeof text, slid,
                     beam ? "beam, bending_stiffness: 1.5" : "string, tension: 2", a,
                     damped[i / 3]);
            line l = line_open(text, JD_FOLLOWED_MODES, 0, NULL);
            line_at(&l, 120);
            for (int j = 0; j < l.g.n; j++) {
                double x = l.g.at[3 * j], s = fmin(x, a), b = fmax(x, a);
                double u = beam ? limit * s * s * (3 * b - s) / (6 * 1.5) : limit * s * (1 - b) / 2;
                worst[beam] = fmax(worst[beam], fabs(u_of(&l, j) - u));
            }
            line_close(&l);
        }
        print_message("   at %.1f, %s: string %.1e, beam %.1e\n", a, damped[i / 3], worst[0],
                      worst[1]);
        assert_true(worst[0] < 9e-4 * limit / 2);
        assert_true(worst[1] < 1e-7);
    }
}

// What is missing are the modes above: halved with twice their number.
static void more_modes_come_nearer_to_the_contacts(void **state) {
    (void)state;
    double off[3] = {0};
    for (int i = 0; i < 3; i++) {
        line l = line_open(bowed_string, 80 << i, SETS("structure.points.bow=0.31"));
        for (int k = 1; k <= 20; k++) {
            line_at(&l, 0.37 * k);
            off[i] = fmax(off[i], off_contacts(&l));
        }
        assert_true(l.m->n > 4);
        line_close(&l);
    }
    print_message("   80, 160, 320 modes: %.2e, %.2e, %.2e\n", off[0], off[1], off[2]);
    assert_true(off[1] < 0.6 * off[0] && off[2] < 0.6 * off[1] && off[2] > 0.4 * off[1]);
}

// A run that goes on from a saved state has the line of the one that saved it, to the last bit.
static void a_state_put_back_has_its_line(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *more = i ? "structure.damping=none" : "structure.points.bow=0.2";
        line one = line_open(bowed_string, 60, SETS(more));
        line other = line_open(bowed_string, 60, SETS(more));
        line_at(&one, 1.13);
        size_t size = jd_run_state_size(one.m->run);
        void *kept = malloc(size);
        assert_non_null(kept);
        assert_int_equal(jd_run_state_save(one.m->run, kept, size), JD_OK);
        assert_int_equal(jd_run_state_load(other.m->run, kept, size), JD_OK);
        for (int k = 0; k < 3; k++) {
            line_at(&one, 2.7 + k);
            line_at(&other, 2.7 + k);
            for (int j = 0; j < one.g.n; j++) assert_true(u_of(&one, j) == u_of(&other, j));
            assert_true(u_of(&one, 50) != 0);
        }
        free(kept);
        line_close(&one);
        line_close(&other);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_is_that_of_many_modes),
        cmocka_unit_test(waves_of_a_sudden_force_are_in_closed_form),
        cmocka_unit_test(forces_that_stay_bend_it_as_in_statics),
        cmocka_unit_test(more_modes_come_nearer_to_the_contacts),
        cmocka_unit_test(a_state_put_back_has_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
