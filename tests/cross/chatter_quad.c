// chatter_quad.c -- certified runs behind chatter beside the reference in quadruple precision.
//   Models of random_chatter.h. Up to the horizon of the reference and its twin (numbers changed by
//   1e-13, bounces moved by what a double does not know of their place) events agree to 1e-12 of
//   the whole time: ten times finer than long double can tell. Two of the models were once told
//   apart from long double by 2.5e-10 s (its own bounces ended too early) and by 4.7e-10 s (the
//   last bounces of a run in double, 1.4e-4 m/s slow; what follows their end is right to 5e-14 s).
#include "quad_reference.h"

#include "event_lists.h"
#include "random_case.h"
#include "random_chatter.h"
#include "reference_events.h"

enum { TRACED = 2 };
static const unsigned long long traced[TRACED] = {1265, 1346}, chattering = 1ULL << 33;
static int models = 2;
static unsigned long long first = 3001;

static random_run *run;
static event_match match;
static long compared, later, certified;

static void count(void) {
    bool closed = false;
    for (int i = 0; i < run->n && run->event[i].t < match.until; i++) {
        compared++;
        later += closed;
        closed |= jd_contact_letter(run->event[i].to) == '|';
    }
}

static void compare(const random_model *m, const reference *a, const reference *twin) {
    double T = in_scale(m, m->until, of_time);
    const jd_certificate *c = &run->report.certificate;
    event_list x = {a->n_event, a->event, NULL}, y = {twin->n_event, twin->event, NULL};
    event_list mine = {run->n, run->event, NULL};
    for (int j = 0; j < a->m; j++) match.place[j] = 10 * ref_rounding_of_place(a, j);
    match.until = fmin(c->proved_until, (double)fminl(a->t, twin->t));
    match.tolerance = 1e-8 * T, match.closing = 0;
    event_compare(&match, &x, &y, a->m);
    match.until = fmin(fmin(match.until, match.off), (double)a->doubtful);
    match.closing = c->chatter_error;
    match.tolerance = fmax(fmax(1e-12, c->error) * T, match.worst);
    event_compare(&match, &mine, &x, a->m);
    count();
    if (match.off < HUGE_VAL)
        fail_msg("seed %llu: %.16g c%d %c%c, reference %.16g c%d %c%c (horizon %g)\n%s", m->seed,
                 match.a.t, match.a.contact, jd_contact_letter(match.a.from),
                 jd_contact_letter(match.a.to), match.b.t, match.b.contact,
                 jd_contact_letter(match.b.from), jd_contact_letter(match.b.to), match.until,
                 run->text.text);
}

static void run_model(unsigned long long seed) {
    random_model m = random_draw_chatter(seed | chattering, true);
    snprintf(m.tag, sizeof m.tag, "quad-%d", (int)getpid());
    random_clear_stops(&m);
    if (random_go(run, &m) && random_independence(run->problem) > 1e-9) {
        double T = in_scale(&m, m.until, of_time), end = fmin(T, run->report.t);
        certified += run->report.certificate.certified;
        reference *a = ref_open(run->problem, T, 3000, 0);
        reference *twin = ref_open(run->problem, T, 3000, 1e-13L);
        ref_run(a, end);
        for (int j = 0; j < a->m; j++) twin->shake[j] = ref_rounding_of_place(a, j);
        ref_run(twin, end);
        compare(&m, a, twin);
        ref_free_all(a);
        ref_free_all(twin);
    }
    random_close(run);
}

static void events_behind_chatter_are_right_to_what_a_double_holds(void **state) {
    (void)state;
    run = calloc(1, sizeof *run);
    assert_non_null(run);
    for (int i = 0; i < TRACED; i++) run_model(traced[i]);
    for (int i = 0; i < models; i++) run_model(first + (unsigned long long)i);
    free(run);
    print_message("   %ld certified, %ld events compared, %ld behind a closing\n", certified,
                  compared, later);
    assert_true(certified > models / 2 && later > 2 * models);
}

int main(int argc, char **argv) {
    if (argc > 1) models = atoi(argv[1]);
    if (argc > 2) first = strtoull(argv[2], NULL, 0);
    if (models < 0 || models > 100000) return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_behind_chatter_are_right_to_what_a_double_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
