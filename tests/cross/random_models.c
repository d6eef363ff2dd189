// random_models.c -- random models beside an independent integrator, every event of them.
//   Models of random_model.h, from a fixed seed. Every run ends within bounded work, its energies
//   add up, and its events are those of reference_events.h up to the horizon: where the reference
//   itself, with stiffness, limits and loads changed by 1e-11 and bounces moved by the rounding of
//   their place, has other events, or meets a tie. Events behind completed chatter are compared,
//   too. Half of them are of random_wide.h. Where contacts depend on each other the reference has
//   no motion; ledger, forces within their limits, stops that are not passed and the end are
//   checked. A run that is not certified is compared up to where it says that it is proved.
//   `random_models COUNT FIRST [CHATTERING]` runs other models than the 300 of every test run; bit
//   32 of a seed asks for a wide one.
#include "event_lists.h"
#include "how_many.h"
#include "random_case.h"
#include "random_chatter.h"
#include "random_wide.h"
#include "reference_events.h"

static int count, that_chatter;
static unsigned long long first = 1;

enum { MAX_COUNT = 1000000 };

static const unsigned long long wide = 1ULL << 32, chattering = 1ULL << 33;
// Models that once were certified with other events than the reference has, were stopped at the
// start of a ramp, had a motion that is no number, lost their digits, had forces beyond their
// limits, bounce on beside others, or watch what is 0 all the time.
static const unsigned long long known[] = {
    1769,       6722,       8434,       20272,      22582,      22861,      101354,
    4295067339, 4295067985, 4295070709, 4295068095, 4295074747, 4295067705, 4295072869,
    4295073681, 108196,     102408,     108620,     4295077185};

typedef struct tally {
    long closings, later; // of completed chatter that were compared; events compared behind one
    long runs, events, compared, refused, failed, dependent, undecided, doubtful, stopped, inexact;
    long doubted; // not certified, and forces are not admissible
    long endless, unbalanced, inadmissible, different, false_proof; // what must not happen
    double worst_work, worst_energy;
} tally;

static tally sum;
static random_run *run;
static event_match match;

static void blame(const random_model *m, const char *what) {
    fprintf(stderr, "seed %llu: %s\n%s\n", m->seed, what, run->text.text);
}

// Work: watched functions evaluated per phase and oscillation of the fastest mode, and for each
// place that is not decided (a gap that stays 0 has one after the other).
static void check_work(const random_model *m) {
    const jd_system *y = jd_problem_system(run->problem);
    const jd_report *r = &run->report;
    double fast = 0, T = fmax(r->t, 0);
    for (int k = 0; k < y->modal.n; k++) fast = fmax(fast, sqrt(y->modal.omega2[k].hi));
    for (int d = 0; d < y->n_drive; d++)
        fast = fmax(fast, jd_problem_drive_frequency(run->problem, d));
    double fair = m->contacts * (20 + run->n + (double)r->certificate.undecided +
                                 4 * T * fast / 6.283185307179586);
    double work = (double)r->certificate.evaluations / fair;
    sum.worst_work = fmax(sum.worst_work, work);
    if (r->stop == JD_STOP_INTERRUPTED || work > 20) {
        sum.endless++;
        blame(m, r->stop == JD_STOP_INTERRUPTED ? "does not end" : "takes too much work");
    }
    if (r->stop == JD_STOP_STORM || r->stop == JD_STOP_UNBOUNDED) sum.stopped++;
}

// Energies of order mass length^2/time^2 are moved where anything moves.
static void check_energy(const random_model *m) {
    const jd_ledger *l = &run->report.ledger;
    double natural = in_scale(m, 1, (dimension){1, 2, -2});
    double off = fabs(l->residual) * l->work / (l->work + 1e-3 * natural);
    sum.worst_energy = fmax(sum.worst_energy, off);
    if (run->report.certificate.error > 0) sum.inexact++;
    if (getenv("JUDDER_RANDOM_SHOW") && off > 1e-11)
        fprintf(stderr, "seed %llu: energies off by %.1e, %.1e stated\n", m->seed, off,
                run->report.certificate.error);
    if (off <= fmax(1e-9, run->report.certificate.error)) return; // what is stated covers it
    sum.unbalanced++;
    blame(m, "its energies do not add up");
}

// Forces of contacts at rest are within their limits, open stops on their side; at the start of a
// phase, as exactly as forces are known.
static bool admissible(const random_model *m, double t) {
    double u[RANDOM_CONTACTS], v[RANDOM_CONTACTS], force[RANDOM_CONTACTS];
    double tiny = 1e-8 * in_scale(m, 1, of_force), low = 1e-8 * in_scale(m, 1, of_length);
    const char *phase = jd_run_phase(run->run);
    jd_run_observe_contacts(run->run, t, u, v, force);
    for (int j = 0; j < m->contacts; j++) {
        ref_contact c = {0};
        ref_read_law(jd_problem_contact(run->problem, j)->def, &c, 1);
        double limit = c.stop ? 0 : (double)c.hold, slack = tiny + 1e-8 * (limit + fabs(force[j]));
        double side = c.both ? copysign(1, u[j]) : 1, gap = (double)c.gap;
        if (phase[j] == 'H' && fabs(force[j]) > limit + slack) return false;
        if (phase[j] == '|' && side * force[j] > slack) return false;
        if (phase[j] == 'o' && side * u[j] > gap + low + 1e-8 * gap) return false;
    }
    return true;
}

// Event by event: is what is said about forces true?
static bool advance(const random_model *m) {
    double end = in_scale(m, m->until, of_time);
    bool sound = true;
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT) {
        if (random_fails(run, jd_run_advance(run->run, end, &step))) break;
        jd_run_report(run->run, &run->report);
        if (step != JD_STEP_EVENT) break;
        const jd_event *e = jd_run_event(run->run);
        if (run->n < CASE_EVENTS) run->event[run->n++] = *e;
        sound &= admissible(m, run->report.t);
    }
    if (!sound && run->report.certificate.certified)
        sum.inadmissible++, blame(m, "certified, a force is beyond its limit, or a stop is passed");
    if (!sound && !run->report.certificate.certified)
        sum.doubted++, blame(m, "not certified, a force is beyond its limit or a stop is passed");
    jd_run_report(run->run, &run->report);
    return run->refused[0] == 0;
}

static void count_compared(void) {
    bool closed = false;
    for (int i = 0; i < run->n && run->event[i].t < match.until; i++) {
        sum.compared++;
        sum.later += closed;
        closed |= jd_contact_letter(run->event[i].to) == '|';
        sum.closings += jd_contact_letter(run->event[i].to) == '|';
    }
}

// Compares up to the horizon of the reference and its twin.
static void compare(const random_model *m, const reference *a, const reference *twin) {
    double T = in_scale(m, m->until, of_time);
    event_list x = {a->n_event, a->event, NULL}, y = {twin->n_event, twin->event, NULL};
    event_list mine = {run->n, run->event, NULL};
    for (int j = 0; j < a->m; j++) match.place[j] = 10 * ref_rounding_of_place(a, j);
    match.until = fmin(fmin(run->report.t, run->report.certificate.proved_until),
                       (double)fminl(a->t, twin->t));
    match.tolerance = 1e-6 * T, match.closing = 0;
    event_compare(&match, &x, &y, a->m);
    match.until = fmin(fmin(match.until, match.off), (double)a->doubtful);
    match.closing = run->report.certificate.chatter_error;
    match.tolerance = fmax(fmax(1e-11, run->report.certificate.error) * T, match.worst);
    event_compare(&match, &mine, &x, a->m);
    sum.doubtful += (double)a->doubtful < run->report.t;
    count_compared();
    if (!(match.off < HUGE_VAL)) return;
    sum.different++;
    sum.false_proof += run->report.certificate.certified;
    char text[240];
    snprintf(text, sizeof text, "%s%.15g c%d %c%c, reference %.15g c%d %c%c (horizon %g)",
             run->report.certificate.certified ? "certified, " : "", match.a.t, match.a.contact,
             jd_contact_letter(match.a.from), jd_contact_letter(match.a.to), match.b.t,
             match.b.contact, jd_contact_letter(match.b.from), jd_contact_letter(match.b.to),
             match.until);
    blame(m, text);
}

static void check_events(const random_model *m) {
    double T = in_scale(m, m->until, of_time), end = fmin(T, run->report.t);
    reference *a = ref_open(run->problem, T, 3000, 0);
    reference *twin = ref_open(run->problem, T, 3000, 1e-11L);
    ref_run(a, end);
    for (int j = 0; j < a->m; j++) twin->shake[j] = ref_rounding_of_place(a, j);
    ref_run(twin, end);
    compare(m, a, twin);
    ref_free_all(a);
    ref_free_all(twin);
}

static bool open_run(const random_model *m) {
    if (!random_read(run, m)) return false;
    run->allowed = 40000;
    return !random_fails(run, jd_run_create(run->context, run->problem, &run->run));
}

// A run that was begun may end with a named reason.
static void check_run(const random_model *m) {
    bool dependent = random_independence(run->problem) < 1e-9;
    sum.runs++;
    if (!advance(m)) {
        sum.failed++;
        if (getenv("JUDDER_RANDOM_SHOW")) fprintf(stderr, "seed %llu: %s\n", m->seed, run->refused);
    }
    sum.dependent += dependent;
    sum.undecided += run->report.certificate.undecided > 0;
    sum.events += run->n;
    check_work(m);
    check_energy(m);
    if (!dependent) check_events(m);
}

static void run_model(unsigned long long seed) {
    random_model m = seed & wide         ? random_draw_wide(seed, true)
                     : seed & chattering ? random_draw_chatter(seed, true)
                                         : random_draw(seed, true);
    snprintf(m.tag, sizeof m.tag, "models-%d", (int)getpid());
    random_clear_stops(&m);
    if (open_run(&m)) {
        check_run(&m);
    } else {
        sum.refused++;
        if (getenv("JUDDER_RANDOM_SHOW"))
            fprintf(stderr, "seed %llu: refused, %s\n", m.seed, run->refused);
    }
    random_close(run);
}

static int run_all(void **state) {
    (void)state;
    run = calloc(1, sizeof *run);
    if (!run) return -1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) run_model(known[i]);
    for (int i = 0; i < count; i++) run_model((first + (unsigned long long)i) | (i % 2 ? wide : 0));
    for (int i = 0; i < that_chatter; i++) run_model((first + (unsigned long long)i) | chattering);
    free(run);
    print_message(
        "   %ld runs, %ld refused; %ld with dependent contacts, %ld undecided, %ld meet a "
        "tie, %ld end with a named reason, %ld with a storm or without bound\n",
        sum.runs, sum.refused, sum.dependent, sum.undecided, sum.doubtful, sum.failed, sum.stopped);
    print_message(
        "   %ld different (%ld certified), %ld endless, %ld unbalanced, %ld inadmissible (%ld not "
        "certified)\n",
        sum.different, sum.false_proof, sum.endless, sum.unbalanced, sum.inadmissible + sum.doubted,
        sum.doubted);
    print_message("   %ld state an error of the motion\n", sum.inexact);
    print_message("   %ld closings and %ld events behind one compared\n", sum.closings, sum.later);
    print_message("   %ld of %ld events compared; work at most %.1f, energies within %.1e\n",
                  sum.compared, sum.events, sum.worst_work, sum.worst_energy);
    return 0;
}

static void every_run_ends_within_bounded_work(void **state) {
    (void)state;
    assert_int_equal(sum.endless, 0);
    assert_true(sum.runs > (count + that_chatter) / 2); // the generator draws what can be run
    assert_true(sum.refused < 3 + (count + that_chatter) / 20);
}

static void energies_add_up(void **state) {
    (void)state;
    assert_int_equal(sum.unbalanced, 0);
}

static void forces_are_within_their_limits(void **state) {
    (void)state;
    assert_int_equal(sum.inadmissible, 0);
    assert_int_equal(sum.doubted, 0);
}

static void events_agree_with_an_independent_integrator(void **state) {
    (void)state;
    assert_int_equal(sum.different, 0);
    assert_true(sum.compared > 5L * count);
}

int main(int argc, char **argv) {
    count = how_many(300, 20), that_chatter = how_many(200, 20);
    if (argc > 1) count = atoi(argv[1]), that_chatter = 0;
    if (argc > 2) first = strtoull(argv[2], NULL, 0);
    if (argc > 3) that_chatter = atoi(argv[3]);
    if (count < 0 || that_chatter < 0 || that_chatter > MAX_COUNT || count > MAX_COUNT) return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_ends_within_bounded_work),
        cmocka_unit_test(energies_add_up),
        cmocka_unit_test(forces_are_within_their_limits),
        cmocka_unit_test(events_agree_with_an_independent_integrator),
    };
    return cmocka_run_group_tests(tests, run_all, NULL);
}
