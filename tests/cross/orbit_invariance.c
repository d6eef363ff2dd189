// orbit_invariance.c -- the same model written down in another way has the same orbit.
//   Random damped bodies under a harmonic force: scales of mass, length and time, the mirror image,
//   and t = 0 at another phase of the drive. Period, events, multipliers and extremes agree.
#include "random_case.h"

static int count = 80;

typedef struct found {
    random_run *r;
    jd_orbit *orbit;
    const jd_orbit_view *view;
} found;

static bool find_orbit(found *f, const random_model *m) {
    f->orbit = NULL, f->view = NULL;
    if (!random_read(f->r, m) || random_independence(f->r->problem) < 1e-9) return false;
    if (jd_orbit_create(f->r->context, f->r->problem, NULL, &f->orbit) != JD_OK)
        fail_msg("seed %llu: %s", m->seed, jd_context_error(f->r->context)->message);
    f->view = jd_orbit_look(f->orbit);
    return f->view->found && !f->view->simulated;
}

static void drop_orbit(found *f) {
    jd_orbit_free(f->orbit);
    random_close(f->r);
}

// Settled well before shooting, moved by more than rounding, no chatter: few events.
static bool comparable(const found *f, const random_model *m) {
    const jd_orbit_view *v = f->view;
    double most = 0;
    for (int j = 0; j < m->contacts; j++)
        most = fmax(most, v->range[j].displacement.max - v->range[j].displacement.min);
    return v->stability.stable && v->stability.largest < 0.8 && v->undecided == 0 &&
           v->stability.neutral == 0 && v->n_event < 12 && most > 1e-6;
}

// `side` -1: the mirror image, whose largest displacement is minus the least of the original.
static void compare(const random_model *m, const random_model *n, const found *a, const found *b,
                    int side) {
    const jd_orbit_view *x = a->view, *y = b->view;
    random_same(m, "period", x->period, y->period * m->time / n->time, 1e-9 * x->period);
    random_same(m, "number of events", x->n_event, y->n_event, 0);
    random_same(m, "largest multiplier", x->stability.largest, y->stability.largest, 1e-6);
    for (int j = 0; j < m->contacts; j++) {
        const jd_range *p = &x->range[j].displacement, *q = &y->range[j].displacement;
        double scale = m->length / n->length, size = fabs(p->max) + fabs(p->min);
        double high = side > 0 ? q->max : -q->min, low = side > 0 ? q->min : -q->max;
        bool drifts = m->contact[j].against == 1; // its displacement depends on when it began
        if (drifts) high -= low, high += p->min / scale, low = p->min / scale;
        random_same(m, "largest displacement", p->max, high * scale, 1e-8 * size);
        random_same(m, "least displacement", p->min, low * scale, 1e-8 * size);
    }
}

typedef bool change(random_model *m, const random_model *from);

static void check(change *how, const char *tag, int side) {
    found a = {calloc(1, sizeof *a.r), NULL, NULL}, b = {calloc(1, sizeof *b.r), NULL, NULL};
    int compared = 0, events = 0;
    for (int i = 0; i < count; i++) {
        random_model m = random_draw(30001 + (unsigned long long)i, false);
        snprintf(m.tag, sizeof m.tag, "%s-%d", tag, (int)getpid());
        if (!random_driven(&m)) continue;
        random_clear_stops(&m);
        random_model n = m;
        if (!how(&n, &m)) continue;
        if (find_orbit(&a, &m) && comparable(&a, &m)) {
            if (!find_orbit(&b, &n)) random_differs(&m, "found", 1, 0);
            compare(&m, &n, &a, &b, side);
            compared++, events += a.view->n_event;
            drop_orbit(&b);
        }
        drop_orbit(&a);
    }
    print_message("   %d orbits, %d events\n", compared, events);
    assert_true(compared > count / 20 && events > 0);
    free(a.r), free(b.r);
}

static bool scaled(random_model *m, const random_model *from) {
    (void)from;
    m->mass = draw_log(m, 1e-9, 1e9);
    m->length = draw_log(m, 1e-9, 1e9);
    m->time = draw_log(m, 1e-9, 1e9);
    return true;
}

static void scales_change_no_orbit(void **state) {
    (void)state;
    check(scaled, "oscale", 1);
}

static bool mirrored(random_model *m, const random_model *from) {
    (void)from;
    return random_mirror(m);
}

static void the_mirror_image_has_the_mirrored_orbit(void **state) {
    (void)state;
    check(mirrored, "omirror", -1);
}

// t = 0 a share of a drive period later: the state there, and the drive turned on.
static bool later(random_model *m, const random_model *from) {
    random_run *r = calloc(1, sizeof *r);
    double z[2 * RANDOM_MODES], t = draw(m, 0.1, 0.9) * 6.283185307179586 / m->drive[0].frequency;
    bool there = random_read(r, from);
    there = there && jd_run_create(r->context, r->problem, &r->run) == JD_OK;
    there = there && random_advance(r, t) && r->report.stop == JD_STOP_NONE;
    if (there) {
        jd_run_modal_state(r->run, z);
        m->start = 1;
        m->drive[0].phase = fmod(m->drive[0].phase + m->drive[0].frequency * t, 6.283185307179586);
        for (int k = 0; k < m->modes; k++) m->q[k] = z[k], m->v[k] = z[m->modes + k];
    }
    random_close(r);
    free(r);
    return there;
}

static void the_phase_of_the_drive_changes_no_orbit(void **state) {
    (void)state;
    check(later, "ophase", 1);
}

int main(int argc, char **argv) {
    if (argc > 1) count = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_change_no_orbit),
        cmocka_unit_test(the_mirror_image_has_the_mirrored_orbit),
        cmocka_unit_test(the_phase_of_the_drive_changes_no_orbit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
