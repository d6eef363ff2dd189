// wav.c -- decimation by a windowed sinc, and libsndfile.
//   h_k = sin(2 pi f k)/(pi k) w_k,  f = 0.453/over (20 kHz of 44.1),  w: Kaiser, beta = 10 (100
//   dB)
#include "result/run/wav.h"
#include "base/constants.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "lazy/sndfile.h"
#include "result/file/file.h"
#include "result/run/bridge.h"

enum { REACH = 40 }; // of the filter to both sides, in samples of the file
static const double pass = 0.453, beta = 10, top = 0.8912509381337456;

struct jd_wav {
    jd_recording *recording;
    const char *path, *signal;
    jd_bridge *bridge; // the signal is its force; else NULL
    int rate, column, taps;
    double *filter, *ring; // taps each
    long seen;             // fine samples so far
    double *sound;         // allocated by the context
    size_t n, room;
};

// Modified Bessel function I_0 by its series.
static double bessel(double x) {
    double sum = 1, term = 1;
    for (int k = 1; term > 1e-17 * sum; k++) sum += term *= x * x / (4.0 * k * k);
    return sum;
}

static void set_filter(jd_wav *w) {
    int middle = w->taps / 2;
    double f = pass / JD_WAV_OVER, sum = 0;
    for (int k = 0; k < w->taps; k++) {
        double x = k - middle, y = x / middle;
        double window = bessel(beta * sqrt(fmax(0, 1 - y * y))) / bessel(beta);
        w->filter[k] = window * (x == 0 ? 2 * f : sin(2 * JD_PI * f * x) / (JD_PI * x));
        sum += w->filter[k];
    }
    for (int k = 0; k < w->taps; k++) w->filter[k] /= sum;
}

static jd_status keep(jd_wav *w, double value) {
    if (w->n == w->room) {
        size_t room = 2 * w->room + 65536;
        double *list = jd_allocate(w->recording->context, room * sizeof *list);
        if (!list) return JD_OUT_OF_MEMORY;
        if (w->n) memcpy(list, w->sound, w->n * sizeof *list);
        jd_release(w->recording->context, w->sound);
        w->sound = list;
        w->room = room;
    }
    w->sound[w->n++] = value;
    return JD_OK;
}

// One fine sample; an output value every JD_WAV_OVER of them, centred in the filter.
static jd_status feed(jd_wav *w, double value) {
    long middle = w->taps / 2;
    w->ring[w->seen++ % w->taps] = value;
    long centre = w->seen - 1 - middle;
    if (centre < 0 || centre % JD_WAV_OVER != 0) return JD_OK;
    double sum = 0;
    for (int k = 0; k < w->taps; k++) { // ring starts anew every `taps`: oldest first
        long at = w->seen - w->taps + k;
        if (at >= 0) sum += w->filter[k] * w->ring[at % w->taps];
    }
    return keep(w, sum);
}

static jd_status take_sample(void *user, const double *row) {
    jd_wav *w = user;
    return feed(w, w->bridge ? jd_bridge_force(w->bridge, row) : row[w->column]);
}

// Is `signal` that of the bridge, and no column of that name?
static bool is_bridge(const jd_stream_head *h, const char *signal) {
    for (int i = 1; i < h->n_column; i++)
        if (strcmp(h->column[i], JD_BRIDGE_SIGNAL) == 0) return false;
    return signal && strcmp(signal, JD_BRIDGE_SIGNAL) == 0;
}

static jd_status find_column(jd_wav *w, const char *signal) {
    const jd_stream_head *h = &w->recording->head;
    if (is_bridge(h, signal)) {
        w->signal = JD_BRIDGE_SIGNAL;
        return jd_bridge_create(w->recording, 1.0 / ((double)w->rate * JD_WAV_OVER), w->rate / 2.0,
                                &w->bridge);
    }
    char list[256] = "";
    for (int i = 1; i < h->n_column; i++) {
        const char *name = h->column[i];
        size_t n = strlen(name), used = strlen(list);
        bool velocity = n > 2 && strcmp(name + n - 2, ".v") == 0;
        if (signal ? strcmp(name, signal) == 0 : velocity) {
            w->column = i;
            w->signal = name;
            return JD_OK;
        }
        if (used + n + 3 < sizeof list) {
            strcat(list, used ? ", " : "");
            strcat(list, name);
        }
    }
    jd_fail(w->recording->context, JD_UNKNOWN_NAME, "the signal `%s` is not sampled",
            signal ? signal : "(velocity)");
    jd_fail_where(w->recording->context, "output.points");
    jd_fail_hint(w->recording->context, "sampled are: %s; a string's " JD_BRIDGE_SIGNAL " is, too",
                 list);
    return JD_UNKNOWN_NAME;
}

jd_status jd_wav_create(jd_recording *r, const char *path, int rate, const char *signal,
                        jd_wav **out) {
    *out = NULL;
    jd_wav *w = JD_TAKE(r->arena, jd_wav, 1);
    JD_TRY(jd_arena_status(r->arena));
    *w = (jd_wav){.recording = r, .path = path, .rate = rate, .taps = 2 * REACH * JD_WAV_OVER + 1};
    w->filter = JD_TAKE(r->arena, double, w->taps);
    w->ring = JD_TAKE(r->arena, double, w->taps);
    JD_TRY(jd_arena_status(r->arena));
    JD_TRY(find_column(w, signal));
    set_filter(w);
    r->every = 1.0 / ((double)rate * JD_WAV_OVER);
    jd_recording_add(r, (jd_sink){.user = w, .sample = take_sample});
    *out = w;
    return JD_OK;
}

const char *jd_wav_signal(const jd_wav *w) { return w->signal; }

// The filter still holds the end of the sound: let silence push it out.
static jd_status flush(jd_wav *w) {
    double last = w->seen ? w->ring[(w->seen - 1) % w->taps] : 0;
    for (int k = 0; k < w->taps / 2; k++) JD_TRY(feed(w, last));
    return JD_OK;
}

static double normalise(jd_wav *w) {
    double mean = 0, peak = 0;
    for (size_t i = 0; i < w->n; i++) mean += w->sound[i] / (double)w->n;
    for (size_t i = 0; i < w->n; i++) peak = fmax(peak, fabs(w->sound[i] -= mean));
    for (size_t i = 0; peak > 0 && i < w->n; i++) w->sound[i] *= top / peak;
    return peak;
}

static jd_status put(jd_wav *w, jd_file *file) {
    SF_INFO info = {
        .samplerate = w->rate, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_24};
    SNDFILE *sound = sf_open_fd(fileno(file->stream), SFM_WRITE, &info, 0);
    if (!sound) return jd_file_failed(file, errno ? errno : EIO);
    sf_count_t done = sf_write_double(sound, w->sound, (sf_count_t)w->n);
    int closed = sf_close(sound);
    return done == (sf_count_t)w->n && closed == 0 ? JD_OK : jd_file_failed(file, EIO);
}

jd_status jd_wav_commit(jd_wav *w, double *seconds, double *peak) {
    jd_file file;
    JD_TRY(flush(w));
    JD_TRY(jd_lazy_sndfile_ready(w->recording->context));
    double largest = normalise(w);
    if (seconds) *seconds = (double)w->n / w->rate;
    if (peak) *peak = largest;
    JD_TRY(jd_file_open(w->recording->context, w->path, &file));
    jd_status s = put(w, &file);
    if (s == JD_OK) return jd_file_commit(&file);
    jd_file_abandon(&file);
    return s;
}

void jd_wav_free(jd_wav *w) {
    if (!w) return;
    jd_release(w->recording->context, w->sound);
    w->sound = NULL;
}
