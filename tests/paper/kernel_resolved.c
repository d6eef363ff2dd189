// kernel_resolved.c -- what a string feels at a point without its lowest modes.  [szalai, closure]
//   References: the series of the kernels (1), (2), (42) with 30 digits.
#include <stdio.h>

#include "judder/kernel.h"
#include "model_case.h"

static void write_model(char text[600], const char *damping, double until, const char *more) {
    snprintf(text, 600,
             "judder: 1\nstructure: {type: string, length: 1, tension: 1, mass_per_length: 1, "
             "modes: infinite, points: {p: 0.4, q: 0.7}, damping: %s}\ncontacts:\n"
             "  a: {at: p, against: ground, law: {type: coulomb, limit: 1}}\n"
             "kernel: {until: %.17g, points: 2, %s}\n",
             damping, until, more);
}

static jd_kernel *kernel_of(model_case *m, const char *damping, double until, const char *more) {
    char text[600];
    jd_kernel *kernel;
    write_model(text, damping, until, more);
    reads(m, text, NULL);
    if (jd_kernel_create(m->context, m->problem, &kernel) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    return kernel;
}

static void kernel_without_resolved_modes_as_in_figure_3(void **state) {
    static const double table[][5] = {
        {0.001, 0.4883963089431153, 0.4878781402136498, 0.48556867495786493, 0.47391082037431026},
        {0.01, 0.46814827741570636, 0.4629758129009665, 0.4399917440337954, 0.32684104139427056},
        {0.05, 0.3828668317167138, 0.3575375819619515, 0.25010383452429485, -0.0661122366895039},
        {0.1, 0.2870747896102084, 0.2391854833632934, 0.06279865389668755, 0.018726584316308425},
        {0.2, 0.13147384865169107, 0.05480024680837623, -0.08157112339495699,
         -0.010186839624323669},
        {0.4, -0.03671929588711485, -0.08462832778429338, 0.057102716376094396,
         -0.004248284505368927},
        {0.6, -0.020333618515262792, 0.020012024144313037, -0.05134017327736064,
         0.0034231366302151416},
        {0.79, 0.0033304546271882376, 0.07089602389635764, 0.06767085987958853,
         0.013479974670943782},
        {0.8, -0.045979399238264405, 0.020308545374937682, 0.025917504055776606,
         -0.0011405184884776993},
        {0.81, -0.09448366940094309, -0.029736155675428713, -0.015828581185212125,
         -0.014788297924496503},
        {1.0, 0.005118060790887221, 0.005027817938987823, 0.0031201022740943683,
         0.00127773308559613},
        {1.2, 0.0623369964714039, -0.001386428592459308, -0.011317385810710241,
         0.002956705161690375},
        {1.5, 0.05275388406227652, 0.04959729366946889, 0.005932168118125004,
         0.0010181355018131794},
        {2.0, 0.0015192757521798339, 0.001321100426334728, 0.0010737063519446212,
         0.0008926922022471843},
        {2.05, 0.1337501262166098, 0.1161617934433839, 0.062334628963738176, 0.0010455544957695911},
        {3.0, 0.005553415528238488, 0.005238360237326917, 0.003129327119773046,
         0.001118717682425092},
        {5.0, 0.0061185596940224445, 0.005566057238076438, 0.003220379419399516,
         0.0011031822892811145},
    };
    static const double gain[] = {2.368705056261446, 2.8869423104802356, 5.197102858817907,
                                  16.86850367974905};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        jd_kernel *kernel =
            kernel_of(*state, "{type: ratio, value: 0.03}", table[i][0], "resolved: [1, 2, 4, 16]");
        const jd_kernel_view *v = jd_kernel_look(kernel);
        assert_int_equal(v->n_resolved, 4);
        for (int j = 0; j < 4; j++) {
            assert_near(v->resolved[j].memory[1], table[i][j + 1], 1e-12); // measured: 1e-15
            assert_near(v->resolved[j].L_infinity, gain[j], 1e-13);
            assert_near(v->resolved[j].memory[0], 0.49067012169704993, 1e-15); // L+
        }
        jd_kernel_free(kernel);
    }
}

// The series just after 0, however many modes are left out: L+ = arccos(beta)/(pi gamma c).
static void kernel_tends_to_the_exact_wave_term(void **state) {
    static const double series[][2] = {{0.4906678454835358, 0.49067011942083405},
                                       {0.49066732724634676, 0.49067011890259676},
                                       {0.49066501708644017, 0.49067011659243626},
                                       {0.4906533456966615, 0.4906701049210354}};
    for (int i = 0; i < 2; i++) {
        jd_kernel *kernel = kernel_of(*state, "{type: ratio, value: 0.03}", i ? 1e-9 : 1e-6,
                                      "resolved: [1, 2, 4, 16]");
        const jd_kernel_view *v = jd_kernel_look(kernel);
        for (int j = 0; j < 4; j++)
            assert_near(v->resolved[j].memory[1], series[j][i], 1e-13); // measured: 1e-16
        jd_kernel_free(kernel);
    }
}

static void kernel_exponentials_beside_figure_3(void **state) {
    static const double at[] = {0.2617666665795985, 0.19119507769657232, 0.10200029702635953,
                                0.0023515261455154877};
    jd_kernel *kernel =
        kernel_of(*state, "{type: ratio, value: 0.03}", 0.1, "resolved: [1, 2, 4, 16]");
    const jd_kernel_view *v = jd_kernel_look(kernel);
    for (int j = 0; j < 4; j++) assert_near(v->resolved[j].fading[1], at[j], 1e-14);
    jd_kernel_free(kernel);
}

// Velocity after a unit step: all modes, 8 and 1000 of them.
static void kernel_of_eight_modes_as_in_figure_2(void **state) {
    static const double table[][4] = {{0.05, 0.5, 0.37374979602540187, 0.4979640516856627},
                                      {0.1, 0.5, 0.5716605739236986, 0.4989672128710253},
                                      {0.4, 0.5, 0.5258633888000239, 0.49964555722260523},
                                      {0.75, 0.5, 0.42279381582238296, 0.49882985720699474},
                                      {1.5, -0.5, -0.47109145935763064, -0.4996441192918562},
                                      {1.9, -0.5, -0.5716605739236986, -0.4989672128710253},
                                      {2.5, 0.5, 0.47109145935763064, 0.4996441192918562}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        jd_kernel *kernel = kernel_of(*state, "none", table[i][0], "resolved: [8, 1000]");
        const jd_kernel_view *v = jd_kernel_look(kernel);
        assert_near(v->G[1], table[i][1], 1e-14);
        assert_near(v->resolved[0].velocity[1], table[i][2], 1e-12); // measured: 1e-15
        assert_near(v->resolved[1].velocity[1], table[i][3], 1e-10); // measured: 2e-15
        jd_kernel_free(kernel);
    }
}

static void denies(model_case *m, const char *text, jd_status status, const char *message) {
    jd_kernel *kernel;
    reads(m, text, NULL);
    assert_int_equal(jd_kernel_create(m->context, m->problem, &kernel), status);
    assert_null(kernel);
    says("message", jd_context_error(m->context)->message, message);
    assert_string_equal(jd_context_error(m->context)->where, "kernel.resolved");
}

static void kernel_without_modes_that_are_not_there_is_refused(void **state) {
    char text[600];
    write_model(text, "none", 1, "modes: [3], resolved: [2]");
    denies(*state, text, JD_NOT_SUPPORTED, "mode 3 carries W and is not among 2 resolved modes");
    write_model(text, "none", 1, "resolved: [1.5]");
    denies(*state, text, JD_OUT_OF_RANGE, "1.5 is not the number of a mode");
    static const char chain[] =
        "judder: 1\nstructure: {type: chain, count: 3, mass: 1, stiffness: 1, supports: {left: "
        "fixed, right: free}, points: {p: {node: 1}, q: {node: 2}}}\ncontacts:\n"
        "  a: {at: p, against: ground, law: {type: coulomb, limit: 1}}\n";
    snprintf(text, sizeof text, "%skernel: {resolved: [4]}\n", chain);
    denies(*state, text, JD_NOT_SUPPORTED, "4 resolved modes are more than the 3 there are");
    snprintf(text, sizeof text,
             "%s  b: {at: q, against: ground, law: {type: coulomb, limit: 1}}\n"
             "kernel: {resolved: [2]}\n",
             chain);
    denies(*state, text, JD_NOT_SUPPORTED, "beside one contact, and there are 2");
}

// Nothing is left to remember when every mode is a variable.
static void kernel_without_all_modes_is_nothing(void **state) {
    jd_kernel *kernel;
    reads(*state,
          "judder: 1\nstructure: {type: chain, count: 3, mass: 1, stiffness: 1, supports: {left: "
          "fixed, right: free}, points: {p: {node: 2}}, damping: {type: ratio, value: 0.1}}\n"
          "contacts: {a: {at: p, against: ground, law: {type: coulomb, limit: 1}}}\n"
          "kernel: {until: 5, points: 50, resolved: [3]}\n",
          NULL);
    model_case *m = *state;
    assert_int_equal(jd_kernel_create(m->context, m->problem, &kernel), JD_OK);
    const jd_kernel_view *v = jd_kernel_look(kernel);
    for (int t = 0; t < v->n_tau; t++) {
        assert_near(v->resolved[0].memory[t], 0, 1e-14);
        assert_near(v->resolved[0].velocity[t], v->G[t], 1e-14);
    }
    jd_kernel_free(kernel);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(kernel_without_resolved_modes_as_in_figure_3),
        MODEL_TEST(kernel_tends_to_the_exact_wave_term),
        MODEL_TEST(kernel_exponentials_beside_figure_3),
        MODEL_TEST(kernel_of_eight_modes_as_in_figure_2),
        MODEL_TEST(kernel_without_modes_that_are_not_there_is_refused),
        MODEL_TEST(kernel_without_all_modes_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
