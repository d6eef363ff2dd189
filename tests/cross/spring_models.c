// spring_models.c -- random models with springs, sliders and lift-off beside an integrator that
// shares nothing with the engines.
//   Models of spring_random.h from a fixed seed. Every run ends, is certified, its energies add up,
//   and its events are those of spring_events.h up to where that one, with stiffness, limits and
//   loads changed by 1e-11, has other events or meets a tie. JUDDER_SPRING_MODELS=1000 draws more;
//   `spring_models COUNT FIRST` other ones.
#include "spring_case.h"
#include "spring_random.h"

static int count = 60;
static unsigned long long first = 1;

// A dashpot that an impact elsewhere pulls off at once, or throws back onto its spring; sliders
// under a dashpot whose force jumps with an impact; friction and normal force that vanish together.
static const unsigned long long known[] = {138, 347, 586, 719, 898, 667};

typedef struct tally {
    long runs, refused, events, compared, cut; // cut: compared up to a time before the end
    long stopped, unproved, unbalanced, different, failed;
    double worst_energy, worst_time;
} tally;

static tally sum;
static spring_run *r;
static spring_changes a, b;

static void blame(unsigned long long seed, const char *what) {
    print_error("   seed %llu: %s\n", seed, what);
    if (getenv("JUDDER_SPRING_SHOW")) print_error("%s\n", r->text.text);
}

// Energies of order one are moved where anything moves.
static void check_report(unsigned long long seed, double until) {
    const jd_report *p = &r->report;
    char text[160];
    double off = fabs(p->ledger.residual) * p->ledger.work / (p->ledger.work + 1e-3);
    sum.worst_energy = fmax(sum.worst_energy, off);
    if (!(p->t >= until)) {
        snprintf(text, sizeof text, "ends at %g by %s", p->t, jd_stop_name(p->stop));
        sum.stopped++, blame(seed, text);
    }
    if (!p->certificate.certified) {
        snprintf(text, sizeof text, "not certified: %ld undecided, proved until %g, error %g",
                 p->certificate.undecided, p->certificate.proved_until, p->certificate.error);
        sum.unproved++, blame(seed, text);
    }
    if (!(off < 1e-11)) {
        snprintf(text, sizeof text, "energies off by %.2e", off);
        sum.unbalanced++, blame(seed, text);
    }
}

static void differ(unsigned long long seed, const char *who, const spring_changes *l, int at,
                   double until) {
    char text[200];
    const spring_change *e = &l->e[at];
    snprintf(text, sizeof text, "%s has event %d at %.15g, contact %d %c%c (of %d; until %.6g)",
             who, at + 1, e->t, e->contact + 1, e->from, e->to, l->n, until);
    sum.different++;
    blame(seed, text);
}

static void compare(unsigned long long seed, const spring_model *s) {
    spring_model twin = spring_nudged(s, 1e-11L);
    sm_run *x = sm_open_run(s), *y = sm_open_run(&twin);
    sm_go(x, s->until), sm_go(y, s->until);
    spring_of_reference(x, &a), spring_of_reference(y, &b);
    spring_sort(&a, 1e-10), spring_sort(&b, 1e-10);
    double until = fmin((double)fminl(fminl(x->t, y->t), x->doubtful), r->report.t);
    until = fmin(until, r->report.certificate.proved_until);
    spring_difference d = spring_compare(&a, &b, until, 1e-6);
    if (d.at >= 0) until = fmin(until, a.e[d.at].t);
    double within = fmax(1e-9, 10 * d.worst);
    until -= 2 * within;
    sum.cut += until < (double)s->until - 1e-3;
    spring_sort(&r->changes, 1e-10);
    d = spring_compare(&a, &r->changes, until, within);
    if (d.at >= 0) differ(seed, "only the reference", &a, d.at, until);
    sum.worst_time = fmax(sum.worst_time, d.worst);
    for (int i = 0; i < a.n && a.e[i].t < until; i++) sum.compared++;
    spring_difference e = spring_compare(&r->changes, &a, until, within);
    if (d.at < 0 && e.at >= 0) differ(seed, "only the run", &r->changes, e.at, until);
    sm_close(x), sm_close(y);
}

static void run_model(unsigned long long seed) {
    spring_model s = spring_drawn(seed);
    r->allowed = 400000;
    if (!spring_open(r, &s, NULL)) {
        sum.refused++, blame(seed, r->refused);
    } else {
        sum.runs++;
        bool ok = spring_advance(r, (double)s.until);
        if (!ok) jd_run_report(r->run, &r->report), sum.failed++, blame(seed, r->refused);
        sum.events += r->changes.n;
        if (ok) check_report(seed, (double)s.until);
        if (ok) compare(seed, &s);
    }
    spring_end(r);
}

static int run_all(void **state) {
    (void)state;
    r = calloc(1, sizeof *r);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) run_model(known[i]);
    for (int i = 0; i < count; i++) run_model(first + (unsigned long long)i);
    free(r);
    print_message("   %ld runs, %ld refused, %ld failed; %ld of %ld events compared, %ld runs not "
                  "to their end\n",
                  sum.runs, sum.refused, sum.failed, sum.compared, sum.events, sum.cut);
    print_message("   %ld different, %ld stopped, %ld not certified, %ld unbalanced; times within "
                  "%.1e, energies within %.1e\n",
                  sum.different, sum.stopped, sum.unproved, sum.unbalanced, sum.worst_time,
                  sum.worst_energy);
    return 0;
}

static void every_run_ends(void **state) {
    (void)state;
    assert_int_equal(sum.stopped, 0);
    assert_int_equal(sum.failed, 0);
    assert_int_equal(sum.refused, 0);
}

static void every_run_is_certified(void **state) {
    (void)state;
    assert_int_equal(sum.unproved, 0);
}

static void energies_add_up(void **state) {
    (void)state;
    assert_int_equal(sum.unbalanced, 0);
}

static void events_agree_with_an_independent_integrator(void **state) {
    (void)state;
    assert_int_equal(sum.different, 0);
    assert_true(sum.compared > 20L * count);
    assert_true(sum.cut <= sum.runs / 6);
}

int main(int argc, char **argv) {
    const char *more = getenv("JUDDER_SPRING_MODELS");
    if (more) count = atoi(more);
    if (argc > 1) count = atoi(argv[1]);
    if (argc > 2) first = strtoull(argv[2], NULL, 0);
    if (count < 0 || count > 1000000) return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_ends),
        cmocka_unit_test(every_run_is_certified),
        cmocka_unit_test(energies_add_up),
        cmocka_unit_test(events_agree_with_an_independent_integrator),
    };
    return cmocka_run_group_tests(tests, run_all, NULL);
}
