// sweep_invariance.c -- the same model written down in another way has the same sweep.
//   Random damped bodies under a harmonic force, three frequencies each: scales of mass, length and
//   time, units, the mirror image, the order of the contacts, and the phase of the drive. Settled
//   motions agree: period, events, multiplier, extremes of the speed of a contact. Numbers of
//   threads and a sweep taken up half-way give the same bits.
#include "random_case.h"
#include "sweep_case.h"

static int count = 40;
enum { POINTS = 3 };

typedef struct swept {
    random_run *r;
    jd_sweep *sweep;
    const jd_sweep_view *view;
    char sections[400];
} swept;

// Speeds of the first contact drawn, whatever its place in the file.
static bool plan(swept *s, random_model *m) {
    double w = m->drive[0].frequency / m->time;
    snprintf(s->sections, sizeof s->sections,
             "sweep: {parameters: [drives.d0.frequency], from: [%.17g], to: [%.17g], points: [%d], "
             "measure: c0.velocity.max, settle: 200 periods}\n",
             0.9 * w, 1.1 * w, POINTS);
    m->sections = s->sections;
    s->sweep = NULL;
    if (!random_read(s->r, m) || random_independence(s->r->problem) < 1e-9) return false;
    if (jd_sweep_create(s->r->context, s->r->problem, &s->sweep) != JD_OK)
        fail_msg("seed %llu: %s", m->seed, jd_context_error(s->r->context)->message);
    s->view = jd_sweep_look(s->sweep);
    return true;
}

static void compute(swept *s, const random_model *m, int threads) {
    jd_sweep_options options = jd_default_sweep_options();
    bool complete = false;
    options.threads = threads;
    if (jd_sweep_run(s->sweep, &options, &complete) != JD_OK)
        fail_msg("seed %llu: %s", m->seed, jd_context_error(s->r->context)->message);
    assert_true(complete);
}

static void drop(swept *s) {
    jd_sweep_free(s->sweep);
    random_close(s->r);
}

static bool draw_model(random_model *m, unsigned long long seed, const char *tag) {
    *m = random_draw(seed, false);
    snprintf(m->tag, sizeof m->tag, "%s-%d", tag, (int)getpid());
    if (!random_driven(m)) return false;
    random_clear_stops(m);
    return true;
}

// Settled by an orbit that attracts well, and moving by more than rounding.
static bool comparable(const jd_sweep_point *p) {
    return p->settled && p->how == JD_SETTLE_SHOOTING && p->multiplier < 0.8 && p->undecided == 0 &&
           p->events < 12 && p->max - p->min > 1e-6;
}

static void compare(const random_model *m, const random_model *n, const jd_sweep_point *x,
                    const jd_sweep_point *y, int side) {
    double speed = m->length / m->time * n->time / n->length, size = fabs(x->max) + fabs(x->min);
    if (!y->settled) random_differs(m, "settled", 1, 0);
    random_same(m, "period", x->period, y->period * m->time / n->time, 1e-9 * x->period);
    random_same(m, "number of events", (double)x->events, (double)y->events, 0);
    random_same(m, "multiplier", x->multiplier, y->multiplier, 1e-6);
    random_same(m, "greatest speed", x->max, (side > 0 ? y->max : -y->min) * speed, 1e-7 * size);
    random_same(m, "least speed", x->min, (side > 0 ? y->min : -y->max) * speed, 1e-7 * size);
}

typedef bool change(random_model *m);

static void check(change *how, const char *tag, int side) {
    swept a = {.r = calloc(1, sizeof *a.r)}, b = {.r = calloc(1, sizeof *b.r)};
    int compared = 0;
    long events = 0;
    for (int i = 0; i < count; i++) {
        random_model m, n;
        if (!draw_model(&m, 40001 + (unsigned long long)i, tag)) continue;
        n = m;
        if (!how(&n)) continue;
        if (plan(&a, &m)) {
            compute(&a, &m, 1);
            if (!plan(&b, &n)) random_differs(&m, "read", 1, 0);
            compute(&b, &n, 1);
            for (int k = 0; k < POINTS; k++) {
                const jd_sweep_point *p = &a.view->point[k];
                if (!comparable(p)) continue;
                compare(&m, &n, p, &b.view->point[k], side);
                compared++, events += p->events;
            }
            drop(&b);
        }
        drop(&a);
    }
    print_message("   %d settled motions, %ld events\n", compared, events);
    assert_true(compared > count / 5 && events > compared);
    free(a.r), free(b.r);
}

static bool scaled(random_model *m) {
    m->mass = draw_log(m, 1e-9, 1e9);
    m->length = draw_log(m, 1e-9, 1e9);
    m->time = draw_log(m, 1e-9, 1e9);
    return true;
}

static void scales_change_no_sweep(void **state) {
    (void)state;
    check(scaled, "sscale", 1);
}

static bool in_millimetres(random_model *m) {
    m->units = m->milli = true;
    return true;
}

static void units_change_no_sweep(void **state) {
    (void)state;
    check(in_millimetres, "sunits", 1);
}

static void the_mirror_image_has_the_mirrored_sweep(void **state) {
    (void)state;
    check(random_mirror, "smirror", -1);
}

static bool reordered(random_model *m) {
    int first = m->order[0];
    if (m->contacts < 2) return false;
    for (int j = 0; j + 1 < m->contacts; j++) m->order[j] = m->order[j + 1];
    m->order[m->contacts - 1] = first;
    return true;
}

static void the_order_of_the_contacts_changes_no_sweep(void **state) {
    (void)state;
    check(reordered, "sorder", 1);
}

// Friction that does not fall brings all motions together: speeds settle to the same ones whatever
// the start, so also when t = 0 is another phase of the drive.
static bool later(random_model *m) {
    for (int j = 0; j < m->contacts; j++) {
        const random_contact *c = &m->contact[j];
        if (c->law == RANDOM_STOP || c->static_limit > c->limit || c->slope < 0) return false;
    }
    m->drive[0].phase = draw(m, 0, 6.283185307179586);
    return true;
}

static void the_phase_of_the_drive_changes_no_sweep(void **state) {
    (void)state;
    check(later, "sphase", 1);
}

static void threads_and_a_sweep_taken_up_give_the_same_bits(void **state) {
    swept a = {.r = calloc(1, sizeof *a.r)}, b = {.r = calloc(1, sizeof *b.r)};
    int models = 0;
    (void)state;
    for (int i = 0; i < count / 4; i++) {
        random_model m;
        if (!draw_model(&m, 41001 + (unsigned long long)i, "sbits")) continue;
        if (plan(&a, &m)) {
            size_t size;
            compute(&a, &m, 1);
            unsigned char *bytes = sweep_bytes(a.sweep, &size);
            for (int threads = 2; threads <= 16; threads *= 4) { // 2, 8, ...
                assert_true(plan(&b, &m));
                compute(&b, &m, threads);
                same_bits(a.sweep, b.sweep);
                drop(&b);
            }
            assert_true(plan(&b, &m)); // the last but one point is known, the others are not
            assert_int_equal(
                jd_sweep_restore(b.sweep, POINTS - 2, bytes + (POINTS - 2) * size / POINTS), JD_OK);
            compute(&b, &m, 2);
            same_bits(a.sweep, b.sweep);
            drop(&b);
            free(bytes);
            models++;
        }
        drop(&a);
    }
    assert_true(models > 3);
    free(a.r), free(b.r);
}

int main(int argc, char **argv) {
    if (argc > 1) count = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_change_no_sweep),
        cmocka_unit_test(units_change_no_sweep),
        cmocka_unit_test(the_mirror_image_has_the_mirrored_sweep),
        cmocka_unit_test(the_order_of_the_contacts_changes_no_sweep),
        cmocka_unit_test(the_phase_of_the_drive_changes_no_sweep),
        cmocka_unit_test(threads_and_a_sweep_taken_up_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
