// run_invariance.c -- the same motion written down in another way has the same events.
//   Random models (random_model.h), each run as drawn and changed: other scales, units, order of
//   contacts and bodies, mirrored, the angle of a drive turned by pi or 2 pi, counterparts swapped,
//   modes with the opposite sign, t = 0 elsewhere, saved and loaded at a random time. Rounding
//   differs, so times may by what a relative change of 1e-11 in stiffness, limits and loads does,
//   as long as that change leads to the same events.
#include "event_lists.h"
#include "random_case.h"

static int models = 60;

typedef struct pair {
    random_model m, changed;
    random_run *a, *b, *twin;
    event_match match;
    int map[RANDOM_CONTACTS]; // contact of the changed run -> contact of the first one
    jd_event *list;
    int compared, events;
} pair;

static pair *open_pair(void) {
    pair *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->a = calloc(1, sizeof *p->a), p->b = calloc(1, sizeof *p->b);
    p->twin = calloc(1, sizeof *p->twin);
    p->list = calloc(CASE_EVENTS, sizeof *p->list);
    assert_true(p->a && p->b && p->twin && p->list);
    return p;
}

static void close_pair(pair *p) {
    print_message("   %d models, %d events\n", p->compared, p->events);
    assert_true(p->events > 2 * p->compared && p->compared > models / 6);
    free(p->a), free(p->b), free(p->twin), free(p->list);
    free(p);
}

static random_model drawn(int i, const char *tag) {
    random_model m = random_draw(7001 + (unsigned long long)i, false);
    snprintf(m.tag, sizeof m.tag, "%s-%d", tag, (int)getpid());
    m.budget = 200;
    random_clear_stops(&m);
    return m;
}

// Up to when the run and its twin have the same events, and how far they are apart.
static void find_horizon(pair *p) {
    random_model m = random_nudged(&p->m, 1e-11);
    event_match *x = &p->match;
    double T = in_scale(&p->m, p->m.until, of_time);
    bool runs = random_go(p->twin, &m);
    x->until = fmin(p->a->report.t, p->twin->report.t), x->tolerance = 1e-6 * T;
    event_list a = {p->a->n, p->a->event, NULL}, b = {p->twin->n, p->twin->event, NULL};
    event_compare(x, &a, &b, p->m.contacts);
    x->until = runs ? fmin(x->until, x->off) : 0;
    x->tolerance = fmax(1e-11 * T, 10 * x->worst) + p->a->report.certificate.chatter_error;
    for (int j = 0; j < p->m.contacts; j++) x->place[j] = 1e-14 * p->m.length;
    random_close(p->twin);
}

// Events of the changed run, with times divided by `scale`, against those of the first.
static void same_events(pair *p, double scale, double shift) {
    for (int i = 0; i < p->b->n; i++) {
        p->list[i] = p->b->event[i];
        p->list[i].t = p->list[i].t / scale + shift;
    }
    event_list a = {p->a->n, p->a->event, NULL}, b = {p->b->n, p->list, p->map};
    event_compare(&p->match, &a, &b, p->m.contacts);
    p->compared++, p->events += p->a->n;
    if (p->match.off < HUGE_VAL) {
        const jd_event *x = &p->match.a, *y = &p->match.b;
        print_error("seed %llu: %.17g c%d %c%c, changed %.17g c%d %c%c (until %g, within %.1e)\n%s",
                    p->m.seed, x->t, x->contact, jd_contact_letter(x->from),
                    jd_contact_letter(x->to), y->t, y->contact, jd_contact_letter(y->from),
                    jd_contact_letter(y->to), p->match.until, p->match.tolerance, p->a->text.text);
        fail();
    }
}

// Runs both models; false when the model is refused or ends without certainty.
static bool run_both(pair *p) {
    for (int j = 0; j < p->m.contacts; j++) p->map[j] = p->changed.order[j];
    if (!random_go(p->a, &p->m) || p->a->report.certificate.undecided > 0 ||
        random_independence(p->a->problem) < 1e-9) {
        random_close(p->a);
        return false;
    }
    find_horizon(p);
    if (!random_go(p->b, &p->changed)) fail_msg("seed %llu: %s", p->m.seed, p->b->refused);
    return true;
}

static void end_both(pair *p) {
    random_close(p->a);
    random_close(p->b);
}

typedef bool change(random_model *m); // false: the model has no such twin

// Of `times` as many models, where few have such a twin.
static void check(change *how, const char *tag, int times) {
    pair *p = open_pair();
    for (int i = 0; i < times * models; i++) {
        p->m = drawn(i, tag);
        p->changed = p->m;
        if (!how(&p->changed) || !run_both(p)) continue;
        same_events(p, p->changed.time / p->m.time, 0);
        end_both(p);
    }
    close_pair(p);
}

static bool other_scales(random_model *m) {
    m->mass = draw_log(m, 1e-9, 1e9);
    m->length = draw_log(m, 1e-9, 1e9);
    m->time = draw_log(m, 1e-9, 1e9);
    return true;
}

static void scales_of_mass_length_and_time_change_nothing(void **state) {
    (void)state;
    check(other_scales, "scale", 1);
}

static bool with_units(random_model *m) { return m->units = true; }
static bool in_millimetres(random_model *m) { return m->units = m->milli = true; }

static void units_change_nothing(void **state) {
    (void)state;
    check(with_units, "unit", 1);
    check(in_millimetres, "milli", 1);
}

static bool other_order(random_model *m) {
    for (int j = 0; j < m->contacts; j++) m->order[j] = m->contacts - 1 - j;
    return m->contacts > 1;
}

static void order_of_contacts_changes_nothing(void **state) {
    (void)state;
    check(other_order, "order", 2);
}

// `mode` in the frequency of a drive of the base counts the modes of the first body.
static bool other_bodies(random_model *m) {
    for (int d = 0; d < m->drives; d++)
        if (m->drive[d].base && m->drive[d].mode > 0) return false;
    return m->reversed = m->bodies > 1;
}

static void order_of_bodies_changes_nothing(void **state) {
    (void)state;
    check(other_bodies, "bodies", 4);
}

// sin(x + phase) = -sin(x + phase + pi) = sin(x + phase - 2 pi)
static bool other_angles(random_model *m) {
    bool any = false;
    for (int d = 0; d < m->drives; d++) {
        if (m->drive[d].kind != RANDOM_HARMONIC) continue;
        m->drive[d].phase += d ? 3.14159265358979323846 : -6.28318530717958647693;
        if (d) m->drive[d].amplitude *= -1;
        any = true;
    }
    return any;
}

static void turns_of_a_drive_change_nothing(void **state) {
    (void)state;
    check(other_angles, "angle", 1);
}

// Shapes of some modes with the opposite sign, and their starts.
static bool other_signs(random_model *m) {
    bool any = false;
    for (int b = 0, first = 0; b < m->bodies; first += body_modes(&m->body[b++])) {
        random_body *x = &m->body[b];
        if (x->type != RANDOM_MODES_GIVEN) continue;
        any = true;
        for (int k = 0; k < x->size; k += 2) {
            for (int q = 0; q < RANDOM_POINTS; q++) x->shape[q][k] *= -1;
            m->q[first + k] *= -1, m->v[first + k] *= -1;
        }
    }
    return any;
}

static void signs_of_modes_change_nothing(void **state) {
    (void)state;
    check(other_signs, "signs", 4);
}

static void turn_letters(random_run *r, const random_model *m, bool all) {
    for (int i = 0; i < r->n; i++) {
        jd_event *e = &r->event[i];
        if (!all && m->contact[e->contact].against != 2) continue;
        jd_contact_state *side[] = {&e->from, &e->to};
        for (int k = 0; k < 2; k++)
            *side[k] = *side[k] == JD_CONTACT_SLIDING_PLUS    ? JD_CONTACT_SLIDING_MINUS
                       : *side[k] == JD_CONTACT_SLIDING_MINUS ? JD_CONTACT_SLIDING_PLUS
                                                              : *side[k];
    }
}

// Friction at A against B is friction at B against A with the opposite sign.
static bool swapped(random_model *m) {
    bool any = false;
    for (int j = 0; j < m->contacts; j++) {
        random_contact *c = &m->contact[j];
        if (c->against != 2) continue;
        if (c->law == RANDOM_STOP && !c->both) return false;
        random_point p = c->at;
        c->at = c->other, c->other = p;
        any = true;
    }
    return any;
}

static void check_turned(change *how, const char *tag, bool all) {
    pair *p = open_pair();
    for (int i = 0; i < 4 * models; i++) {
        p->m = drawn(i, tag);
        p->changed = p->m;
        if (!how(&p->changed) || !run_both(p)) continue;
        turn_letters(p->b, &p->changed, all);
        same_events(p, 1, 0);
        end_both(p);
    }
    close_pair(p);
}

static void the_mirror_image_has_mirrored_events(void **state) {
    (void)state;
    check_turned(random_mirror, "mirror", true);
}

static void swapped_counterparts_have_mirrored_events(void **state) {
    (void)state;
    check_turned(swapped, "swap", false);
}

// The model that begins with the state of the run at time t: drives turned, moving stops moved.
static bool moved(random_model *m, const double *state, double t) {
    for (int d = 0; d < m->drives; d++) {
        random_drive *x = &m->drive[d];
        if (x->kind == RANDOM_CONSTANT) continue;
        if (x->kind != RANDOM_HARMONIC || x->mode > 0) return false;
        x->phase = fmod(x->phase + x->frequency * t, 6.28318530717958647693);
    }
    for (int j = 0; j < m->contacts; j++) {
        random_contact *c = &m->contact[j];
        if (c->law != RANDOM_STOP || c->against != 1) continue;
        if (c->both) return false; // its middle has moved
        c->gap += c->velocity * t;
    }
    m->start = 1;
    m->until -= t;
    for (int k = 0; k < m->modes; k++) m->q[k] = state[k], m->v[k] = state[m->modes + k];
    return true;
}

static void the_origin_of_time_changes_nothing(void **state) {
    (void)state;
    pair *p = open_pair();
    for (int i = 0; i < 3 * models; i++) {
        double z[2 * RANDOM_MODES] = {0};
        p->m = drawn(i, "time");
        p->changed = p->m;
        double t = draw(&p->changed, 0.2, 0.8) * p->m.until;
        random_model test = p->m;
        if (!moved(&test, z, t)) continue;
        if (!random_read(p->b, &p->m)) {
            random_close(p->b);
            continue;
        }
        assert_int_equal(jd_run_create(p->b->context, p->b->problem, &p->b->run), JD_OK);
        bool there = random_advance(p->b, t) && p->b->report.stop == JD_STOP_NONE;
        int before = p->b->n;
        if (there) jd_run_modal_state(p->b->run, z);
        random_close(p->b);
        if (!there || !moved(&p->changed, z, t) || !run_both(p)) continue;
        // what the start itself reports (contacts found at rest) belongs to earlier events
        int skip = 0;
        while (skip < p->b->n && p->b->event[skip].t == 0) skip++;
        p->b->n -= skip, p->a->n -= before;
        memmove(p->b->event, p->b->event + skip, (size_t)p->b->n * sizeof *p->b->event);
        memmove(p->a->event, p->a->event + before, (size_t)p->a->n * sizeof *p->a->event);
        same_events(p, 1, t);
        end_both(p);
    }
    close_pair(p);
}

// Saved at a random time and loaded by another run: the same bits.
static void a_run_goes_on_from_any_time_bit_by_bit(void **state) {
    (void)state;
    pair *p = open_pair();
    for (int i = 0; i < models; i++) {
        p->m = drawn(i, "restart");
        double T = in_scale(&p->m, p->m.until, of_time), t = draw(&p->m, 0, 1) * T;
        if (!random_go(p->a, &p->m) || !random_read(p->b, &p->m)) {
            end_both(p);
            continue;
        }
        assert_int_equal(jd_run_create(p->b->context, p->b->problem, &p->b->run), JD_OK);
        assert_true(random_advance(p->b, t));
        size_t size = jd_run_state_size(p->b->run);
        char *block = malloc(size);
        assert_int_equal(jd_run_state_save(p->b->run, block, size), JD_OK);
        jd_run_free(p->b->run);
        jd_start_restart_def start = {.file = "elsewhere"};
        assert_int_equal(
            jd_problem_set_start(p->b->problem, jd_type_find(jd_start_types(), "restart"), &start),
            JD_OK);
        assert_int_equal(jd_run_create(p->b->context, p->b->problem, &p->b->run), JD_OK);
        assert_int_equal(jd_run_state_load(p->b->run, block, size), JD_OK);
        free(block);
        assert_true(random_advance(p->b, T));
        if (p->a->n != p->b->n ||
            memcmp(p->a->event, p->b->event, (size_t)p->a->n * sizeof *p->a->event) != 0)
            fail_msg("seed %llu, saved at %.17g: %d events, %d without a pause\n%s", p->m.seed, t,
                     p->b->n, p->a->n, p->a->text.text);
        assert_int_equal(p->a->report.certificate.undecided, p->b->report.certificate.undecided);
        assert_int_equal(p->a->report.certificate.evaluations,
                         p->b->report.certificate.evaluations);
        p->compared++, p->events += p->a->n;
        end_both(p);
    }
    close_pair(p);
}

int main(int argc, char **argv) {
    if (argc > 1) models = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_of_mass_length_and_time_change_nothing),
        cmocka_unit_test(units_change_nothing),
        cmocka_unit_test(order_of_contacts_changes_nothing),
        cmocka_unit_test(order_of_bodies_changes_nothing),
        cmocka_unit_test(turns_of_a_drive_change_nothing),
        cmocka_unit_test(signs_of_modes_change_nothing),
        cmocka_unit_test(the_mirror_image_has_mirrored_events),
        cmocka_unit_test(swapped_counterparts_have_mirrored_events),
        cmocka_unit_test(the_origin_of_time_changes_nothing),
        cmocka_unit_test(a_run_goes_on_from_any_time_bit_by_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
