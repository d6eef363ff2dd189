// wav.c -- sound of a run: pitch, level, and what a sound file must not hold.
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <unistd.h>

#include "memory_case.h"
#include "result/run/bridge.h"
#include "result/run/wav.h"

enum { MOST = 100000 };

static int read_sound(const char *path, double *out, int *rate) {
    SF_INFO info = {0};
    SNDFILE *f = sf_open(path, SFM_READ, &info);
    assert_non_null(f);
    assert_int_equal(info.channels, 1);
    *rate = info.samplerate;
    int n = (int)sf_read_double(f, out, MOST);
    sf_close(f);
    return n;
}

// Runs a model into a sound file; returns the loudest value before scaling.
static double record(motion *m, int rate, const char *signal, char *path) {
    jd_recording *r;
    jd_wav *w;
    double peak;
    strcpy(path, "/tmp/judder-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    if (jd_recording_create(m->context, m->problem, &r) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    assert_int_equal(jd_wav_create(r, path, rate, signal, &w), JD_OK);
    assert_int_equal(jd_recording_run(r), JD_OK);
    if (jd_wav_commit(w, NULL, &peak) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    jd_wav_free(w);
    jd_recording_free(r);
    return peak;
}

// Period in samples by the largest autocorrelation of the second half, refined by a parabola.
static double period(const double *x, int n, double low, double high) {
    double best = -1, at = 0, sum[3] = {0};
    for (int lag = (int)low; lag <= (int)high; lag++) {
        double s = 0;
        for (int i = n / 2; i + lag < n; i++) s += x[i] * x[i + lag];
        s /= n / 2 - lag;
        sum[0] = sum[1], sum[1] = sum[2], sum[2] = s;
        if (lag < (int)low + 2 || sum[1] < best || sum[1] < sum[0] || sum[1] < sum[2]) continue;
        best = sum[1];
        at = lag - 1 + (sum[0] - sum[2]) / (2 * (sum[0] - 2 * sum[1] + sum[2]));
    }
    return at;
}

static motion *gallery_sound(int n_set, const char *const *set) {
    motion *m = calloc(1, sizeof *m);
    m->context = jd_context_create(NULL);
    if (jd_model_read(m->context, JD_SOURCE_DIR "/gallery/bowed-string/sound.yaml", n_set, set,
                      &m->problem) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    return m;
}

static void the_bowed_string_of_the_gallery_sounds_at_440_hz(void **state) {
    (void)state; // measured 440.0
    static double x[MOST];
    char path[32];
    int rate;
    motion *m = gallery_sound(SETS("simulate.until=0.25 s"));
    record(m, 44100, NULL, path);
    int n = read_sound(path, x, &rate);
    assert_int_equal(rate, 44100);
    assert_true(abs(n - 11025) <= 1);
    double pitch = rate / period(x, n, 80, 120), peak = 0;
    for (int i = 0; i < n; i++) peak = fmax(peak, fabs(x[i]));
    print_message("   %.3f Hz\n", pitch);
    assert_near(pitch, 440, 1);
    assert_near(peak, 0.8912509381337456, 1e-6); // -1 dB
    unlink(path);
    motion_close(m);
}

// A mass on a spring, unit velocity; the friction is next to nothing.
static double level_of(const char *stiffness, char *path) {
    static const char text[] =
        "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 1,\n"
        "  supports: {left: fixed, right: free}, points: {m: {node: 1}}}\n"
        "contacts: {c: {at: m, against: ground, law: {type: coulomb, limit: 1e-9}}}\n"
        "start: {type: state, velocity: [1]}\nsimulate: {until: 0.05}\n";
    motion *m = motion_open(text, 1, &stiffness);
    static double x[MOST];
    int rate;
    double level = record(m, 48000, "m.v", path) / 0.8912509381337456, inside = 0;
    int n = read_sound(path, x, &rate); // away from the ends, where it is switched on and off
    for (int i = n / 4; i < 3 * n / 4; i++) inside = fmax(inside, fabs(x[i]));
    unlink(path);
    motion_close(m);
    return inside * level;
}

static void what_is_above_half_the_rate_is_filtered_away(void **state) {
    (void)state;
    char path[32];
    double kept = level_of("structure.stiffness=3.9478417604e7", path);  // 1 kHz
    double gone = level_of("structure.stiffness=3.5530575843e10", path); // 30 kHz
    print_message("   1 kHz %.4f, 30 kHz %.1e\n", kept, gone);
    assert_near(kept, 1, 2e-2); // the mean is removed, too
    assert_near(gone, 0, 1e-2);
}

static void a_signal_that_is_not_sampled_is_refused_by_name(void **state) {
    (void)state;
    motion *m = gallery_sound(0, NULL);
    jd_recording *r;
    jd_wav *w;
    assert_int_equal(jd_recording_create(m->context, m->problem, &r), JD_OK);
    assert_int_equal(jd_wav_create(r, "/tmp/none.wav", 44100, "nut.force", &w), JD_UNKNOWN_NAME);
    const jd_error *e = jd_context_error(m->context);
    assert_non_null(strstr(e->message, "`nut.force` is not sampled"));
    assert_non_null(strstr(e->hint, "bow.v"));
    jd_recording_free(r);
    motion_close(m);
}

static void the_bridge_sounds_at_440_hz_too(void **state) {
    (void)state; // measured 440.0 at both rates
    static double x[MOST];
    char path[32];
    static const int rates[] = {44100, 48000};
    for (int i = 0; i < 2; i++) {
        int rate;
        motion *m = gallery_sound(SETS("simulate.until=0.25 s"));
        double peak = record(m, rates[i], "bridge.force", path);
        int n = read_sound(path, x, &rate);
        assert_int_equal(rate, rates[i]);
        assert_true(abs(n - rate / 4) <= 1);
        double pitch = rate / period(x, n, rate / 550.0, rate / 360.0);
        print_message("   %.3f Hz, %.4f N\n", pitch, peak);
        assert_near(pitch, 440, 1);
        assert_true(peak > 0.003 && peak < 0.2); // of the order of the bow's force, 0.0465 N
        unlink(path);
        motion_close(m);
    }
}

// Modes of a string, c = 1, pushed at 0.4 by sin(9 t): until the wave that went right is back, at
// 1.6, the bridge feels the force 0.4 late.
typedef struct listener {
    jd_bridge *bridge;
    double worst, largest;
} listener;

static jd_status compare_late(void *user, const double *row) {
    listener *l = user;
    double f = jd_bridge_force(l->bridge, row), late = row[0] - 0.4;
    l->worst = fmax(l->worst, fabs(f - (late > 0 ? sin(9 * late) : 0)));
    l->largest = fmax(l->largest, fabs(f));
    return JD_OK;
}

static void the_bridge_feels_the_force_when_its_wave_arrives(void **state) {
    (void)state; // measured 3e-3: 400 modes around the kink of the arrival
    static const char text[] =
        "judder: 1\nstructure: {type: string, length: 1, tension: 2, mass_per_length: 2,\n"
        "  modes: 400, points: {p: 0.4, far: 0.9}, damping: none}\n"
        "contacts: {c: {at: far, against: ground, law: {type: coulomb, limit: 1e-12}}}\n"
        "drives: {push: {at: p, type: harmonic, amplitude: 1, frequency: 9}}\n"
        "start: rest\nsimulate: {until: 1.6}\n";
    motion *m = motion_open(text, 0, NULL);
    jd_recording *r;
    listener l = {0};
    assert_int_equal(jd_recording_create(m->context, m->problem, &r), JD_OK);
    r->every = 5e-4;
    if (jd_bridge_create(r, r->every, 1e9, &l.bridge) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    jd_recording_add(r, (jd_sink){.user = &l, .sample = compare_late});
    assert_int_equal(jd_recording_run(r), JD_OK);
    print_message("   worst %.1e of %.3f\n", l.worst, l.largest);
    assert_near(l.largest, 1, 1e-2);
    assert_near(l.worst, 0, 1e-2);
    jd_recording_free(r);
    motion_close(m);
}

static void a_bridge_is_asked_of_strings_alone(void **state) {
    (void)state;
    static const struct {
        const char *set, *part;
    } bad[] = {
        {"structure={type: rod, length: 1 m, axial_stiffness: 1 N, mass_per_length: 1 kg/m,"
         " modes: 5, supports: {left: fixed, right: free}, points: {bow: 0.4 m}}",
         "no single string"},
        {"contacts.bow.law={type: stop, gap: 1 m, restitution: 1}", "impacts have no force"}};
    for (int i = 0; i < 2; i++) {
        motion *m = gallery_sound(SETS("structure.modes=5", bad[i].set));
        jd_recording *r;
        jd_wav *w;
        assert_int_equal(jd_recording_create(m->context, m->problem, &r), JD_OK);
        assert_int_equal(jd_wav_create(r, "/tmp/none.wav", 44100, "bridge.force", &w),
                         JD_NOT_SUPPORTED);
        assert_non_null(strstr(jd_context_error(m->context)->message, bad[i].part));
        jd_recording_free(r);
        motion_close(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bowed_string_of_the_gallery_sounds_at_440_hz),
        cmocka_unit_test(what_is_above_half_the_rate_is_filtered_away),
        cmocka_unit_test(the_bridge_sounds_at_440_hz_too),
        cmocka_unit_test(the_bridge_feels_the_force_when_its_wave_arrives),
        cmocka_unit_test(a_bridge_is_asked_of_strings_alone),
        cmocka_unit_test(a_signal_that_is_not_sampled_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
