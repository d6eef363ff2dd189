// interface_outside.c -- a force at a point that is not of the interface is warned of with the part
// of its static flexibility that is there; observers and points of the interface are not.
#include "judder/judder.h"
#include "solid.h"
#include "structure.h"

static jd_context *context;
static char warning[1000];
static int n_warning;

static void note_log(void *user, jd_log_level level, const char *text) {
    (void)user;
    if (level != JD_LOG_WARNING || !strstr(text, "not of the `interface`")) return;
    snprintf(warning, sizeof warning, "%s", text);
    n_warning++;
}

static jd_point point(const char *name, int row) { return jd_point_at_node(name, row + 1, 1); }

// Deflection of a point by a lasting unit force there.
static double flexibility(const jd_structure *s, int i) {
    double sum = 0;
    size_t n = (size_t)s->modal.n;
    for (size_t k = 0; k < n; k++) {
        double phi = s->row[(size_t)i * n + k].hi;
        if (s->modal.omega2[k].hi > 0) sum += phi * phi / s->modal.omega2[k].hi;
    }
    return sum;
}

// Part of the flexibility of point 1 that a structure has, beside that of all modes.
static double share_of(jd_matrices_def d) {
    jd_structure *few = make_structure(context, "matrices", &d);
    d.modes = JD_ALL;
    jd_structure *all = make_structure(context, "matrices", &d);
    double share = flexibility(few, 1) / flexibility(all, 1);
    jd_structure_free(few);
    jd_structure_free(all);
    return share;
}

static void build(const jd_matrices_def *d, const char *at) {
    jd_problem *p;
    jd_contact_def contact = jd_default_contact();
    jd_coulomb_def law = jd_default_coulomb();
    jd_harmonic_def drive = jd_default_harmonic();
    law.limit = 1;
    contact.law = jd_coulomb_law(&law);
    contact.at = drive.at = jd_at(at);
    drive.amplitude = 1;
    drive.frequency = jd_omega(3);
    n_warning = 0;
    warning[0] = '\0';
    assert_int_equal(jd_problem_create(context, &p), JD_OK);
    assert_int_equal(jd_problem_add_matrices(p, "bar", d), JD_OK);
    assert_int_equal(jd_problem_add_contact(p, "c", &contact), JD_OK);
    assert_int_equal(jd_problem_add_harmonic(p, "f", &drive), JD_OK);
    assert_int_equal(jd_problem_build(p), JD_OK);
    jd_problem_free(p);
}

static void a_force_outside_the_interface_is_warned_of(void **state) {
    (void)state;
    static const char *const names[] = {"tip"};
    for (int free = 0; free < 2; free++) {
        solid b = steel_bar(8, 1, 1, 0.5, 0.05, 0.03);
        b.free = free;
        solid_assemble(&b);
        jd_point points[2] = {point("tip", solid_row(&b, b.nx, 0, 0, 2)),
                              point("side", solid_row(&b, 4, 1, 1, 0))};
        jd_matrices_def d = jd_default_matrices();
        d.stiffness = solid_matrix(&b, b.K);
        d.mass = solid_matrix(&b, b.M);
        d.modes = 9;
        d.points = (jd_points){2, points};
        d.interface = (jd_texts){1, names};
        for (int way = JD_FREE_INTERFACE; way <= JD_NO_REDUCTION; way++) {
            if (free && way == JD_CRAIG_BAMPTON) continue; // moves freely with the tip held
            d.reduction = way;
            build(&d, "side");
            assert_int_equal(n_warning, 1); // not for contact and drive each
            const char *number = strstr(warning, "only ");
            assert_non_null(strstr(warning, "`side`"));
            assert_non_null(number);
            assert_near(strtod(number + 5, NULL) / 100, share_of(d), 1e-4);
        }
        d.reduction = JD_FREE_INTERFACE;
        build(&d, "tip");
        assert_int_equal(n_warning, 0);
        d.interface = (jd_texts){0};
        build(&d, "side");
        assert_int_equal(n_warning, 0);
        solid_free(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_outside_the_interface_is_warned_of)};
    context = jd_context_create(&(jd_context_def){.log = note_log});
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    jd_context_free(context);
    return failed;
}
