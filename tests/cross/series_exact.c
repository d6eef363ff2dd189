// series_exact.c -- engine series against engine exact on drawn models that both compute: friction
//   and rigid stops, every structure, counterpart and drive. Events agree in order, contact,
//   letters and time; energies add up. Impacts of chatter are compared until exact sums them up.

#include "contact/state.h"
#include "random_case.h"

enum { CASES = 400 };

static bool go(random_run *r, const random_model *m, const char *engine) {
    jd_context_def d = jd_default_context_def();
    memset(r, 0, offsetof(random_run, event));
    d.stop = random_stop, d.user = r;
    r->context = jd_context_create(&d);
    r->refused[0] = 0;
    random_write(m, &r->text);
    char set[64];
    snprintf(set, sizeof set, "simulate.engine=%s", engine);
    const char *sets[] = {set};
    jd_status status = jd_model_parse(r->context, "random.yaml", m->folder, r->text.text, r->text.n,
                                      1, sets, &r->problem);
    random_clean(m);
    if (random_fails(r, status)) return false;
    r->allowed = 40000;
    if (random_fails(r, jd_run_create(r->context, r->problem, &r->run))) return false;
    if (!strcmp(engine, "exact") && random_fails(r, jd_run_horizon(r->run))) return false;
    return random_advance(r, in_scale(m, m->until, of_time));
}

static bool same(const jd_event *a, const jd_event *b, double tolerance) {
    return fabs(a->t - b->t) <= tolerance && a->contact == b->contact &&
           jd_contact_letter(a->from) == jd_contact_letter(b->from) &&
           jd_contact_letter(a->to) == jd_contact_letter(b->to);
}

static bool is_bounce(const jd_event *e) {
    return e->from == JD_CONTACT_OPEN && e->to == JD_CONTACT_OPEN;
}

// The event of b that is a's number k, brought to place k (events of one instant may stand in
// another order); bounces that exact summed up are taken out. Its distance in time; -1: none.
static double match(const random_run *a, random_run *b, int k, double tolerance) {
    const jd_event *e = &a->event[k];
    bool closes = e->from == JD_CONTACT_OPEN && jd_contact_is_closed(e->to);
    for (int i = k; i < b->n && b->event[i].t <= e->t + tolerance; i++) {
        jd_event found = b->event[i];
        if (closes && is_bounce(&found) && found.contact == e->contact) {
            memmove(&b->event[i], &b->event[i + 1], (size_t)(b->n - i - 1) * sizeof found);
            b->n--;
            i--;
            continue;
        }
        if (!same(e, &found, tolerance)) continue;
        memmove(&b->event[k + 1], &b->event[k], (size_t)(i - k) * sizeof found);
        b->event[k] = found;
        return fabs(e->t - found.t);
    }
    return -1;
}

static bool hollow(const random_model *m) { // friction without a limit: no events in engine series
    for (int j = 0; j < m->contacts; j++)
        if (m->contact[j].law != RANDOM_STOP && !(m->contact[j].limit > 0)) return true;
    return false;
}

// A load that a stop takes at once moves nothing: whether the stop counts as open while the load is
// away, without gap and without force, is rounding's. Nothing else may happen there.
static void stays_still(const random_run *b) {
    assert_true(b->report.ledger.work < 1e-12); // units are not scaled here; measured 1.9e-15
    for (int k = 0; k < b->n; k++) {
        const jd_event *e = &b->event[k];
        assert_true((e->from == JD_CONTACT_OPEN) == jd_contact_is_closed(e->to));
        assert_near(e->speed, 0, 1e-12);
    }
}

static void rigid_models_agree_with_the_exact_engine(void **state) {
    (void)state;
    static random_run a, b;
    int compared = 0, still = 0;
    long events = 0;
    double worst = 0;
    for (int i = 1; i <= CASES; i++) {
        random_model m = random_draw((unsigned long long)i, false);
        if (hollow(&m)) continue;
        bool one = go(&a, &m, "exact"), two = go(&b, &m, "series");
        if (one && two && a.report.certificate.certified) {
            double tolerance = 1e-7 * in_scale(&m, m.until, of_time);
            double known = a.report.horizon.digits_until;
            bool cut = a.report.stop == JD_STOP_EVENT_BUDGET ||
                       b.report.stop == JD_STOP_EVENT_BUDGET ||
                       known < in_scale(&m, m.until, of_time);
            for (int k = 0; k < a.n && a.event[k].t < known && !(cut && k >= b.n - 3); k++) {
                double d = match(&a, &b, k, tolerance);
                if (d < 0 && cut && k >= b.n - 3) break; // the rest of b were bounces
                if (d < 0)
                    print_error(
                        "seed %d: event %d of %d: %.15g %d %c%c, series %.15g %d %c%c\n", i, k, a.n,
                        a.event[k].t, a.event[k].contact, jd_contact_letter(a.event[k].from),
                        jd_contact_letter(a.event[k].to), b.event[k].t, b.event[k].contact,
                        jd_contact_letter(b.event[k].from), jd_contact_letter(b.event[k].to));
                assert_true(d >= 0);
                worst = fmax(worst, d);
                events++;
            }
            bool moves = a.report.ledger.work != 0; // exact: not even by rounding
            still += !moves;
            if (!moves) stays_still(&b);
            if (!cut && moves) assert_int_equal(a.n, b.n);
            if (!(fabs(b.report.ledger.residual) < 1e-11))
                print_error("seed %d: residual %g\n", i, b.report.ledger.residual);
            assert_true(fabs(b.report.ledger.residual) < 1e-11);
            compared++;
        }
        random_close(&a);
        random_close(&b);
    }
    print_message("   %d models, %d of them still, %ld events, worst %.1e\n", compared, still,
                  events, worst);
    assert_true(compared > CASES / 2 && events > 10 * CASES);
    assert_true(still <= CASES / 50); // 6
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_models_agree_with_the_exact_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
