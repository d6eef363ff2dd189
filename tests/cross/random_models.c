// random_models.c -- random models beside an independent integrator, every event of them.
//   Models of random_model.h, from a fixed seed. Every run ends within bounded work, its energies
//   add up, and its events are those of reference_events.h up to the horizon: where the reference
//   itself, with stiffness, limits and loads changed by 1e-11, has other events, or meets a tie.
//   `random_models COUNT FIRST` runs other models than the 300 of every test run.
#include "event_lists.h"
#include "random_case.h"
#include "reference_events.h"

static int count = 300;
static unsigned long long first = 1;

enum { MAX_COUNT = 1000000 };

typedef struct tally {
    long runs, events, compared, refused, dependent, undecided, doubtful, stopped, inexact;
    long endless, unbalanced, different; // what must not happen
    double worst_work, worst_energy;
} tally;

static tally sum;
static random_run *run;
static event_match match;

static void blame(const random_model *m, const char *what) {
    fprintf(stderr, "seed %llu: %s\n%s\n", m->seed, what, run->text.text);
}

// Work: watched functions evaluated per phase and oscillation of the fastest mode.
static void check_work(const random_model *m) {
    const jd_system *y = jd_problem_system(run->problem);
    const jd_report *r = &run->report;
    double fast = 0, T = fmax(r->t, 0);
    for (int k = 0; k < y->modal.n; k++) fast = fmax(fast, sqrt(y->modal.omega2[k].hi));
    for (int d = 0; d < y->n_drive; d++)
        fast = fmax(fast, jd_problem_drive_frequency(run->problem, d));
    double fair = m->contacts * (20 + run->n + 4 * T * fast / 6.283185307179586);
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
    if (off <= fmax(1e-9, run->report.certificate.error)) return; // what is stated covers it
    sum.unbalanced++;
    blame(m, "its energies do not add up");
}

// The first time a stop closes after bouncing; HUGE_VAL: never.
static double first_chatter(int n, const jd_event *e) {
    for (int i = 0; i < n; i++)
        if (e[i].to == '|')
            for (int k = i - 1; k >= 0; k--) {
                if (e[k].contact != e[i].contact) continue;
                if (e[k].to == 'o' && e[k].from == 'o' && e[k].t < e[i].t) return e[k].t;
                break;
            }
    return HUGE_VAL;
}

// The first time any stop closes: what follows a closing without a bound (`chatter_speed`, the run
// is not certified) is not claimed.
static double first_closing(int n, const jd_event *e) {
    for (int i = 0; i < n; i++)
        if (e[i].to == '|') return e[i].t;
    return HUGE_VAL;
}

// Compares up to the horizon of the reference and its twin.
static void compare(const random_model *m, const reference *a, const reference *twin) {
    double T = in_scale(m, m->until, of_time);
    event_list x = {a->n_event, a->event, NULL}, y = {twin->n_event, twin->event, NULL};
    event_list mine = {run->n, run->event, NULL};
    for (int j = 0; j < a->m; j++)
        match.place[j] = (double)(1e-13L * (a->c[j].gap + ref_size(a->n, a->c[j].row, a->top)));
    match.until = fmin(run->report.t, (double)fminl(a->t, twin->t));
    match.tolerance = 1e-6 * T;
    event_compare(&match, &x, &y, a->m);
    match.until = fmin(fmin(match.until, match.off), (double)a->doubtful);
    match.until = fmin(match.until, first_chatter(run->n, run->event));
    if (run->report.certificate.chatter_speed > 0)
        match.until = fmin(match.until, first_closing(run->n, run->event) - 1e-9 * T);
    match.tolerance = fmax(fmax(1e-11, run->report.certificate.error) * T, match.worst);
    event_compare(&match, &mine, &x, a->m);
    sum.doubtful += (double)a->doubtful < run->report.t;
    for (int i = 0; i < run->n; i++) sum.compared += run->event[i].t < match.until;
    if (!(match.off < HUGE_VAL)) return;
    sum.different++;
    char text[200];
    snprintf(text, sizeof text, "%.15g c%d %c%c, reference %.15g c%d %c%c (horizon %g)", match.a.t,
             match.a.contact, match.a.from, match.a.to, match.b.t, match.b.contact, match.b.from,
             match.b.to, match.until);
    blame(m, text);
}

static void check_events(const random_model *m) {
    double T = in_scale(m, m->until, of_time), end = fmin(T, run->report.t);
    reference *a = ref_open(run->problem, T, 3000, 0);
    reference *twin = ref_open(run->problem, T, 3000, 1e-11L);
    ref_run(a, end);
    ref_run(twin, end);
    compare(m, a, twin);
    ref_free_all(a);
    ref_free_all(twin);
}

static void run_model(unsigned long long seed) {
    random_model m = random_draw(seed, true);
    snprintf(m.tag, sizeof m.tag, "models-%d", (int)getpid());
    random_clear_stops(&m);
    bool runs = random_go(run, &m), dependent = runs && random_independence(run->problem) < 1e-9;
    if (!runs) sum.refused++;
    if (dependent) sum.dependent++;
    if (runs && !dependent) {
        sum.runs++, sum.events += run->n;
        check_work(&m);
        check_energy(&m);
        if (run->report.certificate.undecided > 0)
            sum.undecided++;
        else
            check_events(&m);
    }
    random_close(run);
}

static int run_all(void **state) {
    (void)state;
    run = calloc(1, sizeof *run);
    if (!run) return -1;
    for (int i = 0; i < count; i++) run_model(first + (unsigned long long)i);
    free(run);
    print_message("   %d models: %ld refused, %ld with dependent contacts, %ld compared but for "
                  "%ld undecided ones and %ld that meet a tie\n",
                  count, sum.refused, sum.dependent, sum.runs, sum.undecided, sum.doubtful);
    print_message("   %ld state an error of the motion\n", sum.inexact);
    print_message("   %ld of %ld events compared; work at most %.1f, energies within %.1e\n",
                  sum.compared, sum.events, sum.worst_work, sum.worst_energy);
    return 0;
}

static void every_run_ends_within_bounded_work(void **state) {
    (void)state;
    assert_int_equal(sum.endless, 0);
    assert_true(sum.runs > count / 2); // the generator draws what can be run
    assert_true(sum.refused < count / 10);
}

static void energies_add_up(void **state) {
    (void)state;
    assert_int_equal(sum.unbalanced, 0);
}

static void events_agree_with_an_independent_integrator(void **state) {
    (void)state;
    assert_int_equal(sum.different, 0);
    assert_true(sum.compared > 5L * count);
}

int main(int argc, char **argv) {
    const char *more = getenv("JUDDER_RANDOM_MODELS");
    if (more) count = atoi(more);
    if (argc > 1) count = atoi(argv[1]);
    if (argc > 2) first = strtoull(argv[2], NULL, 0);
    if (count < 1 || count > MAX_COUNT) return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_ends_within_bounded_work),
        cmocka_unit_test(energies_add_up),
        cmocka_unit_test(events_agree_with_an_independent_integrator),
    };
    return cmocka_run_group_tests(tests, run_all, NULL);
}
