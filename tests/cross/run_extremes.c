// run_extremes.c -- extremes of contacts along random runs against dense samples, refined.
//   A second run stops just before every event. Each phase is sampled 40 times per fastest
//   oscillation; around every sampled extreme golden section finds the true one to rounding. What
//   the first run kept is neither exceeded nor missed: displacement, velocity, force of stuck, of
//   closed and of sliding contacts with a slope, also on belts.
//   `run_extremes COUNT FIRST` runs other models than those of every test run.
#include "engine/exact/exact.h"
#include "random_case.h"

static int count = 200;
static unsigned long long first = 1;

enum { KINDS = 3, SAMPLES = 3000 };

typedef double values[KINDS][RANDOM_CONTACTS];

typedef struct tally {
    long compared, sampled, refined, belts;
    double beyond, missed; // largest excess of a sample, and of what was kept, over the other
} tally;

static tally sum;
static random_run *run, *again;
static jd_range found[KINDS][RANDOM_CONTACTS];

static void look(double t, values out) {
    jd_run_observe_contacts(again->run, t, out[0], out[1], out[2]);
    for (int kind = 0; kind < KINDS; kind++)
        for (int j = 0; j < RANDOM_CONTACTS; j++) {
            jd_range *r = &found[kind][j];
            r->min = fmin(r->min, out[kind][j]);
            r->max = fmax(r->max, out[kind][j]);
        }
    sum.sampled++;
}

// Golden section for the largest sign x value in [a, b]; every look counts.
static void refine(int kind, int j, double sign, double a, double b) {
    const double golden = 0.6180339887498949;
    values x = {{0}}, y = {{0}};
    double c = b - golden * (b - a), d = a + golden * (b - a);
    look(c, x);
    look(d, y);
    for (int i = 0; i < 34; i++) {
        if (sign * x[kind][j] > sign * y[kind][j]) {
            b = d, d = c, c = b - golden * (b - a);
            memcpy(y, x, sizeof y);
            look(c, x);
        } else {
            a = c, c = d, d = a + golden * (b - a);
            memcpy(x, y, sizeof x);
            look(d, y);
        }
    }
    sum.refined++;
}

// Around t, whose neighbours are h away; only where it may be the largest of all so far.
static void refine_all(values before, values here, values after, double t, double h) {
    for (int kind = 0; kind < KINDS; kind++)
        for (int j = 0; j < jd_problem_contacts(run->problem); j++) {
            double a = before[kind][j], x = here[kind][j], b = after[kind][j];
            double dip = 2 * fmax(fabs(x - a), fabs(x - b));
            if (x >= a && x >= b && x > a + b - x && x + dip >= found[kind][j].max)
                refine(kind, j, 1, t - h, t + h);
            if (x <= a && x <= b && x < a + b - x && x - dip <= found[kind][j].min)
                refine(kind, j, -1, t - h, t + h);
        }
}

// Between the two first or two last samples of a phase.
static void refine_end(values a, values b, double t, double h) {
    for (int kind = 0; kind < KINDS; kind++)
        for (int j = 0; j < jd_problem_contacts(run->problem); j++) {
            double x = a[kind][j], y = b[kind][j], dip = 2 * fabs(x - y) + 0.02 * fabs(x);
            if (x == y) continue;
            if (fmax(x, y) + dip >= found[kind][j].max) refine(kind, j, 1, t, t + h);
            if (fmin(x, y) - dip <= found[kind][j].min) refine(kind, j, -1, t, t + h);
        }
}

static void sample(double from, double to, double fast) {
    double wanted = 24 + 40 * (to - from) * fast / 6.283185307179586;
    int n = wanted < SAMPLES ? (int)wanted : SAMPLES;
    double h = (to - from) / n;
    values x[3] = {{{0}}};
    for (int i = 0; i <= n; i++) {
        look(i == n ? to : from + i * h, x[i % 3]);
        if (i == 1) refine_end(x[0], x[1], from, h);
        if (i == n) refine_end(x[(n - 1) % 3], x[n % 3], to - h, h);
        if (i >= 2) refine_all(x[(i - 2) % 3], x[(i - 1) % 3], x[i % 3], from + (i - 1) * h, h);
    }
}

// The same motion once more, stopping just before every event of the first run.
static bool sample_all(const random_model *m, double end) {
    const jd_system *y = jd_problem_system(run->problem);
    double fast = 0, from = 0;
    for (int k = 0; k < y->modal.n; k++) fast = fmax(fast, sqrt(y->modal.omega2[k].hi));
    for (int d = 0; d < y->n_drive; d++)
        fast = fmax(fast, jd_problem_drive_frequency(run->problem, d));
    if (!random_read(again, m) ||
        jd_run_create(again->context, again->problem, &again->run) != JD_OK)
        return false;
    const exact *e = again->run->state;
    for (int i = 0; i <= run->n; i++) {
        double event = i < run->n ? run->event[i].t : end;
        while (from < event) { // drives break phases without an event
            if (!random_advance(again, nextafter(from, event))) return false;
            double to = fmin(event, e->phase.t_break), last = nextafter(to, 0);
            if (!random_advance(again, last) || again->n > i || e->state.t0 > from) return false;
            if (last > from) sample(nextafter(from, event), last, fast);
            from = to;
        }
        if (!random_advance(again, event)) return false;
    }
    return true;
}

static void check(const random_model *m, int j, int kind, const jd_range *kept) {
    const jd_range *f = &found[kind][j];
    double size = fmax(fabs(kept->min), fabs(kept->max)) + 1e-3;
    double beyond = fmax(f->max - kept->max, kept->min - f->min) / size;
    double missed = fmax(kept->max - f->max, f->min - kept->min) / size;
    sum.beyond = fmax(sum.beyond, beyond), sum.missed = fmax(sum.missed, missed);
    if (beyond <= 1e-11 && missed <= 1e-9) return;
    fail_msg("seed %llu, contact %d, %s: kept %.15g to %.15g, sampled %.15g to %.15g\n%s", m->seed,
             j, (const char *[]){"displacement", "velocity", "force"}[kind], kept->min, kept->max,
             f->min, f->max, run->text.text);
}

static void compare(const random_model *m) {
    jd_contact_ranges kept[RANDOM_CONTACTS];
    assert_int_equal(jd_run_ranges(run->run, kept), JD_OK);
    for (int kind = 0; kind < KINDS; kind++)
        for (int j = 0; j < RANDOM_CONTACTS; j++)
            found[kind][j] = (jd_range){HUGE_VAL, -HUGE_VAL, 0};
    if (sample_all(m, run->report.t))
        for (int j = 0; j < m->contacts; j++) {
            const random_contact *c = &m->contact[m->order[j]];
            if (!kept[j].certified) continue;
            const jd_range *of[] = {&kept[j].displacement, &kept[j].velocity, &kept[j].force};
            for (int kind = 0; kind < KINDS; kind++) check(m, j, kind, of[kind]);
            sum.compared++;
            sum.belts += c->law == RANDOM_AFFINE && c->against == 1;
        }
    random_close(again);
}

static void run_model(unsigned long long seed) {
    random_model m = random_draw(seed, false);
    snprintf(m.tag, sizeof m.tag, "extremes-%d", (int)getpid());
    random_clear_stops(&m);
    m.budget = 60;
    m.until = fmin(m.until, 15);
    for (int j = 0; j < m.contacts; j++)
        if (m.contact[j].law == RANDOM_AFFINE && chance(&m, 0.5)) m.contact[j].against = 1;
    if (random_read(run, &m) && jd_run_create(run->context, run->problem, &run->run) == JD_OK &&
        jd_run_track(run->run) == JD_OK && random_advance(run, m.until) &&
        run->report.stop == JD_STOP_NONE && run->report.certificate.chatter_error == 0)
        compare(&m);
    random_close(run);
}

static void extremes_are_those_of_refined_samples(void **state) {
    (void)state;
    run = calloc(1, sizeof *run), again = calloc(1, sizeof *again);
    assert_true(run && again);
    for (int i = 0; i < count; i++) run_model(first + (unsigned long long)i);
    free(run);
    free(again);
    print_message(
        "   %ld contacts, %ld with a slope on a belt, %ld samples, %ld refined: beyond by "
        "%.1e, not reached by %.1e\n",
        sum.compared, sum.belts, sum.sampled, sum.refined, sum.beyond, sum.missed);
    assert_true(sum.compared > count / 2 && sum.belts > count / 20);
}

int main(int argc, char **argv) {
    if (argc > 1) count = atoi(argv[1]);
    if (argc > 2) first = strtoull(argv[2], NULL, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extremes_are_those_of_refined_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
