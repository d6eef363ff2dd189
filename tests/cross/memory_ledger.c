// memory_ledger.c -- the memory engine's ledger: every term by itself, against the exact engine's,
// and their sum.
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "memory_case.h"

// Damping and residual of both engines at t_end.
static void agree(const char *text, double t_end, int n_set, const char *const *set) {
    motion *a, *b = motion_both_with(&a, text, t_end, "simulate.tolerance=1e-10", n_set, set);
    jd_report ra, rb;
    jd_run_report(a->run, &ra);
    jd_run_report(b->run, &rb);
    const jd_ledger *x = &ra.ledger, *y = &rb.ledger;
    print_message("   damping %.12g, off %.1e, residual %.1e\n", x->damping,
                  fabs(y->damping - x->damping) / x->work, y->residual);
    assert_near(y->damping, x->damping, 1e-9 * x->work);
    assert_near(y->work, x->work, 1e-9 * x->work);
    assert_near(y->start, x->start, 1e-12 * x->work);
    assert_near(y->kinetic + y->strain, x->kinetic + x->strain, 1e-9 * x->work);
    assert_near(y->residual, 0, 1e-9);
    motion_close(a);
    motion_close(b);
}

static void what_damping_takes_is_that_of_the_exact_engine(void **state) {
    (void)state; // measured 5e-16; residual 4e-14
    agree(two_contacts, 10, 0, NULL);
    agree(two_contacts, 10, SETS("structure.damping=none"));
    agree(two_contacts, 10, SETS("drives={}"));
    agree(two_contacts, 10, SETS("contacts.two.law={type: stop, gap: 0.1, restitution: 0.6}"));
}

// Drives of several frequencies, also nearly alike and in resonance with the first mode, beside
// constant ones and a ramp, which has no closed form. W h from small to more than a turn.
static void beside_drives_of_every_kind_it_takes_as_much(void **state) {
    (void)state; // measured 4e-13
    static const char *const drives[] = {
        ("drives={a: {at: c, type: harmonic, amplitude: 1, frequency: 4}, b: {at: a, type: "
         "harmonic, "
         "amplitude: 0.7, frequency: 9.3, phase: 1}}"),
        ("drives={a: {at: c, type: harmonic, amplitude: 1, frequency: 4}, b: {at: c, type: "
         "harmonic, "
         "amplitude: -1, frequency: 4.0000001}}"),
        "drives={a: {at: c, type: harmonic, amplitude: 0.4, frequency: 3.1415}}",
        "drives={a: {at: c, type: harmonic, amplitude: 3, frequency: 400}}",
        "drives={a: {at: c, type: harmonic, amplitude: 1, frequency: 0.01}}",
        ("drives={a: {at: c, type: harmonic, amplitude: 1, frequency: 5}, w: {at: b, type: "
         "constant, "
         "value: 0.4}}"),
        ("drives={a: {at: b, type: harmonic, amplitude: 1, frequency: 5}, r: {at: c, type: ramp, "
         "amplitude: 0.8, duration: 3}}")};
    static const char *const damping[] = {"structure.damping.value=0.05",
                                          "structure.damping.value=0.0004"};
    for (size_t i = 0; i < sizeof drives / sizeof *drives; i++)
        for (int k = 0; k < 2; k++) agree(two_contacts, 10, SETS(drives[i], damping[k]));
}

// Stiffness-proportional damping: modes from 5 on have two real poles, up to 140 times apart.
static void overdamped_modes_take_as_much(void **state) {
    (void)state;
    agree(two_contacts, 6, SETS("structure.damping={type: rayleigh, mass: 0.1, stiffness: 0.14}"));
    agree(two_contacts, 6,
          SETS("drives={}", "structure.damping={type: rayleigh, mass: 0.1, stiffness: 0.14}"));
}

static void modes_coupled_by_a_damping_matrix_take_as_much(void **state) {
    (void)state;
    static const char head[] = "%%MatrixMarket matrix array real symmetric\n2 2\n";
    char folder[] = "/tmp/judder-XXXXXX", M[64], K[64], C[64], text[1024], file[128];
    assert_non_null(mkdtemp(folder));
    static const char *const value[] = {"1\n0\n1\n", "2\n-1\n2\n", "0.3\n0\n0.02\n"};
    char *path[] = {M, K, C};
    for (int i = 0; i < 3; i++) {
        char name[8] = {"MKC"[i], 0};
        snprintf(file, sizeof file, "%s%s", head, value[i]);
        put(folder, name, file, path[i], sizeof M);
    }
    snprintf(text, sizeof text,
             "judder: 1\nstructure: {type: matrices, mass: %s, stiffness: %s, modes: all,\n"
             "  points: {end: {node: 2}}, damping: {type: matrix, file: %s}}\n"
             "contacts: {end: {at: end, against: {velocity: 1},\n"
             "  law: {type: coulomb, limit: 1}}}\n"
             "drives: {push: {at: end, type: harmonic, amplitude: 0.5, frequency: 1.3}}\n"
             "simulate: {until: 20}\n",
             M, K, C);
    agree(text, 20, 0, NULL);
    unlink(M), unlink(K), unlink(C), rmdir(folder);
}

// 160 modes up to 500 rad/s, panels of all lengths, also trimmed ones.
static void many_modes_add_up(void **state) {
    (void)state; // measured 2e-9 at 1e-6, 1e-12 at 1e-10
    static const struct {
        const char *tolerance;
        double most;
    } c[] = {{"simulate.tolerance=1e-4", 1e-4},
             {"simulate.tolerance=1e-6", 1e-6},
             {"simulate.tolerance=1e-10", 1e-10}};
    for (int i = 0; i < 3; i++) {
        motion *m = motion_of(bowed_string, 7.7, SETS("structure.modes=160", c[i].tolerance));
        jd_report r;
        jd_run_report(m->run, &r);
        print_message("   %s: damping %.9f, residual %.1e\n", c[i].tolerance, r.ledger.damping,
                      r.ledger.residual);
        assert_near(r.ledger.residual, 0, c[i].most);
        assert_true(r.ledger.damping > 0);
        motion_close(m);
    }
}

// With infinitely many modes stored energy and damping are not known; friction and belts are.
static void infinitely_many_modes_say_what_is_not_known(void **state) {
    (void)state;
    motion *m = motion_of(bowed_string, 3, 0, NULL);
    jd_report r;
    jd_run_report(m->run, &r);
    assert_true(isnan(r.ledger.damping) && isnan(r.ledger.residual) && isnan(r.ledger.kinetic));
    assert_true(r.ledger.contact[0] > 0 && isfinite(r.ledger.belt[0]));
    motion_close(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_damping_takes_is_that_of_the_exact_engine),
        cmocka_unit_test(beside_drives_of_every_kind_it_takes_as_much),
        cmocka_unit_test(overdamped_modes_take_as_much),
        cmocka_unit_test(modes_coupled_by_a_damping_matrix_take_as_much),
        cmocka_unit_test(many_modes_add_up),
        cmocka_unit_test(infinitely_many_modes_say_what_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
