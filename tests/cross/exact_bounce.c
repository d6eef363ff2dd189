// exact_bounce.c -- one mass on a spring between drive and stop: bouncing, chatter, rest under the
//   drive, release and impact again, beside an integration of its own.
//   z = u - gap <= 0:  z'' = F sin(w t + phase) - c z' - (z + gap),  at z = 0: z' -> -e z'
//   The reference takes Taylor series of order 20 in long double, about the time of each bounce,
//   where z is 0 exactly: flights stay good to 18 digits however low. It follows chatter down to
//   1e-16 of the speed. A second reference with force, frequency and phase 1e-13 larger says how
//   far digits reach.
#include "how_many.h"
#include "scene.h"

typedef long double real;
enum { ORDER = 20, EVENTS = 20000 };

typedef struct bouncer {
    real damping, gap, e, force, omega, phase; // of the model
    real t, z, v;
    bool closed;
    int n;
    struct {
        real t;
        char kind; // b bounce, c close, o open
    } event[EVENTS];
} bouncer;

static real push(const bouncer *b, real t, int k) { // k-th derivative of the force
    return b->force * powl(b->omega, k) *
           sinl(b->omega * t + b->phase + k * 1.57079632679489661923L);
}

static void series(const bouncer *b, real z[ORDER + 1]) { // coefficients z^(k)/k!
    z[0] = b->z, z[1] = b->v;
    real factorial = 1;
    for (int k = 0; k + 2 <= ORDER; k++) {
        if (k > 0) factorial *= k;
        real f = push(b, b->t, k) / factorial - (k == 0 ? b->gap : 0);
        z[k + 2] = (f - b->damping * (k + 1) * z[k + 1] - z[k]) / ((k + 1) * (k + 2));
    }
}

// z/x^low at x, and z'.
static real at(const real z[ORDER + 1], real x, int low, real *slope) {
    real value = 0, rate = 0;
    for (int k = ORDER; k >= low; k--) value = value * x + z[k];
    for (int k = ORDER; k >= 1; k--) rate = rate * x + k * z[k];
    *slope = rate;
    return value;
}

static void note(bouncer *b, char kind) {
    assert_true(b->n < EVENTS);
    b->event[b->n].t = b->t;
    b->event[b->n++].kind = kind;
}

// The series' first x in (0, reach] with z > 0; on: z starts at 0 and leaves (order low).
static bool crossing(const real z[ORDER + 1], real reach, int low, real *x) {
    real before = 0, slope;
    for (int i = low ? -240 : 1; i <= 16; i++) {
        real here = i > 0 ? reach * i / 16 : reach / 16 * exp2l(i / 4.0L);
        if (at(z, here, low, &slope) > 0) {
            real high = here;
            for (int k = 0; k < 90; k++) {
                real middle = (before + high) / 2;
                if (at(z, middle, low, &slope) > 0)
                    high = middle;
                else
                    before = middle;
            }
            *x = high;
            return true;
        }
        before = here;
    }
    return false;
}

static void rest(bouncer *b, real end) { // closed: until the force no longer pushes
    real h = 0.002L;
    b->z = b->v = 0;
    while (b->t < end && push(b, b->t + h, 0) - b->gap > 0) b->t += h;
    if (b->t >= end) return;
    real low = b->t, high = b->t + h;
    for (int k = 0; k < 90; k++) {
        real middle = (low + high) / 2;
        if (push(b, middle, 0) - b->gap > 0)
            low = middle;
        else
            high = middle;
    }
    b->t = high;
    b->closed = false;
    if (b->t < end) note(b, 'o');
}

static void fly(bouncer *b, real end, bool *fresh) {
    real z[ORDER + 1], x, slope, reach = 0.05L;
    series(b, z);
    int low = !*fresh ? 0 : b->v != 0 ? 1 : z[2] < -1e-12L ? 2 : 3; // 3: just released
    if (!crossing(z, reach, low, &x)) {
        b->z = at(z, reach, 0, &slope);
        b->v = slope;
        b->t += reach;
        *fresh = false;
        return;
    }
    b->t += x;
    if (b->t >= end) return;
    at(z, x, 0, &slope);
    note(b, 'b');
    b->z = 0;
    b->v = -b->e * slope;
    *fresh = true;
    real into = push(b, b->t, 0) - b->gap - b->damping * b->v;
    if (into > 0 && -b->v < 1e-16L) {
        note(b, 'c');
        b->closed = true;
    }
}

static void reference(bouncer *b, real end) {
    bool fresh = b->z == 0;
    b->closed = b->z == 0 && b->v == 0 &&
                (push(b, 0, 0) - b->gap > 1e-15L ||
                 (fabsl(push(b, 0, 0) - b->gap) <= 1e-15L && push(b, 0, 1) > 0));
    if (b->closed) note(b, 'c');
    while (b->t < end) {
        if (b->closed)
            rest(b, end), fresh = true;
        else
            fly(b, end, &fresh);
    }
}

typedef struct model {
    double damping, gap, e, force, omega, phase, u, v;
} model;

static scene make(const model *m) {
    scene s = scene_open();
    scene_mass(&s, 1, 1, m->damping / 2);
    scene_stop(&s, "stop", "m1", m->gap, m->e, 0);
    scene_harmonic(&s, "force", "m1", m->force, m->omega, m->phase);
    scene_state(&s, 0, 1, &m->u, &m->v);
    return s;
}

static void follow(const model *m, double larger, double end, bouncer *b) {
    *b = (bouncer){.damping = m->damping,
                   .gap = m->gap,
                   .e = m->e,
                   .force = (real)m->force * (1 + (real)larger),
                   .omega = (real)m->omega * (1 + (real)larger),
                   .phase = (real)m->phase + (real)larger,
                   .z = (real)m->u - (real)m->gap,
                   .v = m->v};
    reference(b, end);
}

static char kind_of(const jd_event *e) {
    return jd_contact_letter(e->to) == '|' ? 'c' : e->speed > 0 ? 'b' : 'o';
}

typedef struct tally {
    long events, closes;
    double worst, work;
} tally;

// Every event of the run, as far as two references agree; bounces that the run has summed up are
// passed over. End of the digits: true.
static void compare(const model *m, scene *s, const bouncer *a, const bouncer *b, tally *sum) {
    int k = 0;
    double known = scene_report(s).certificate.chatter_error;
    for (int i = 0; i < s->n; i++, k++) {
        char kind = kind_of(&s->event[i]);
        while (kind == 'c' && k < a->n && a->event[k].kind == 'b') k++;
        if (k >= a->n || k >= b->n || a->event[k].kind != b->event[k].kind) return;
        double blur = (double)fabsl(a->event[k].t - b->event[k].t);
        if (blur > 1e-5) return;
        double off = fabs(s->event[i].t - (double)a->event[k].t), allowed = 2e-11 + 200 * blur;
        // a place known to rounding blurs the times of low bounces
        if (kind == 'b') allowed += 2e-15 / (s->event[i].speed * (1 - m->e));
        if (kind == 'c') allowed += known, sum->closes++;
        if (kind != a->event[k].kind || off > allowed) {
            print_error("c %.17g gap %.17g e %.17g F %.17g w %.17g phase %.17g u %g v %g\n",
                        m->damping, m->gap, m->e, m->force, m->omega, m->phase, m->u, m->v);
            print_error("event %d %c at %.15g, reference %c at %.15Lg, blur %.1e\n", i, kind,
                        s->event[i].t, a->event[k].kind, a->event[k].t, blur);
            fail();
        }
        sum->events++;
        sum->worst = fmax(sum->worst, off - 200 * blur);
    }
    while (k < a->n && a->event[k].kind == 'b' && a->event[a->n - 1].kind == 'b') k++;
    if (s->step == JD_STEP_TIME) assert_int_equal(k, a->n); // or chatter goes on at the end
}

static double draw(unsigned long long *seed, double low, double high) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static model random_model(unsigned long long seed) {
    static const double restitution[] = {0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95};
    static const double damping[] = {0, 0, 0.04, 0.2, 1, 2, 4};
    static const double gap[] = {0, 0, 0, -0.2, 0.1, 0.3, 1};
    for (int i = 0; i < 5; i++) draw(&seed, 0, 1);
    model m = {.damping = damping[(int)draw(&seed, 0, 7)],
               .gap = gap[(int)draw(&seed, 0, 7)],
               .e = restitution[(int)draw(&seed, 0, 8)],
               .force = draw(&seed, 0, 1) < 0.6 ? 1 : draw(&seed, 0.05, 3),
               .omega = draw(&seed, 0.3, 6),
               .phase = draw(&seed, 0, 1) < 0.4 ? 0 : draw(&seed, 0, 6.28)};
    if (m.gap < 0) m.u = m.gap;
    if (draw(&seed, 0, 1) < 0.2) m.v = -draw(&seed, 0, 1);
    return m;
}

enum { MODELS = 120, WORK = 10000 }; // evaluations in 40 s of motion; 2000 were seen

static void bouncing_masses_agree_with_their_own_integration(void **state) {
    (void)state;
    int models = how_many(MODELS, 5);
    bouncer *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    tally sum = {0};
    for (int i = 0; i < models; i++) {
        model m = random_model(7919ULL * (unsigned long long)(i + 1));
        scene s = make(&m);
        scene_run(&s, 40);
        follow(&m, 0, 40, a);
        follow(&m, 1e-13, 40, b);
        jd_certificate k = scene_report(&s).certificate;
        if (s.step != JD_STEP_TIME || k.evaluations > WORK) print_error("model %d\n", i);
        assert_int_equal(s.step, JD_STEP_TIME);
        assert_true(k.evaluations < WORK && k.chatter_speed == 0);
        sum.work = fmax(sum.work, (double)k.evaluations);
        compare(&m, &s, a, b, &sum);
        scene_close(&s);
    }
    print_message("   %ld events, %ld closings, worst %.1e s, at most %.0f evaluations\n",
                  sum.events, sum.closes, sum.worst, sum.work);
    free(a);
    free(b);
    assert_true(sum.events > 10 * models && sum.closes > models / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_masses_agree_with_their_own_integration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
