// pack.c -- points as bytes for journals, and the number that tells sweeps apart.
//   A point is 20 numbers, its phase string, its samples and its state, as they are in memory: a
//   restored point is the computed one bit by bit, on the same kind of machine.
#include <string.h>

#include "analysis/sweep/parts.h"
#include "base/hash.h"
#include "problem/parts.h"

enum { NUMBERS = 20 };

static void put_numbers(const jd_sweep_point *p, double *out) {
    const double list[NUMBERS] = {p->settled,
                                  (double)p->how,
                                  (double)p->stop,
                                  p->periods,
                                  p->period,
                                  p->amplitude,
                                  p->min,
                                  p->max,
                                  p->multiplier,
                                  (double)p->events,
                                  (double)p->undecided,
                                  p->residual,
                                  p->waited,
                                  p->direction,
                                  (double)p->slips,
                                  (double)p->motion,
                                  p->exponent,
                                  p->exponent_error,
                                  p->winding,
                                  p->winding_error};
    memcpy(out, list, sizeof list);
}

static void take_numbers(jd_sweep_point *p, const double *in) {
    p->settled = in[0] != 0;
    p->how = (jd_settle)in[1];
    p->stop = (jd_stop)in[2];
    p->periods = (int)in[3];
    p->period = in[4];
    p->amplitude = in[5];
    p->min = in[6];
    p->max = in[7];
    p->multiplier = in[8];
    p->events = (long)in[9];
    p->undecided = (long)in[10];
    p->residual = in[11];
    p->waited = in[12];
    p->slips = (long)in[14];
    p->motion = (jd_motion)in[15];
    p->exponent = in[16];
    p->exponent_error = in[17];
    p->winding = in[18];
    p->winding_error = in[19];
}

static size_t sample_bytes(const jd_sweep *sw) {
    return 2 * (size_t)sw->view.n_sample * sizeof(double);
}
static size_t state_bytes(const jd_sweep *sw) { return (size_t)sw->view.n_state * sizeof(double); }

size_t jd_sweep_packed_size(const jd_sweep *sw) {
    return NUMBERS * sizeof(double) + JD_SWEEP_TEXT + sample_bytes(sw) + state_bytes(sw);
}

void jd_sweep_pack(const jd_sweep *sw, int index, unsigned char *out) {
    const jd_sweep_point *p = &sw->point[index];
    double numbers[NUMBERS];
    put_numbers(p, numbers);
    memcpy(out, numbers, sizeof numbers);
    out += sizeof numbers;
    memcpy(out, p->phases, JD_SWEEP_TEXT);
    out += JD_SWEEP_TEXT;
    memcpy(out, p->sample, sample_bytes(sw));
    if (p->state) memcpy(out + sample_bytes(sw), p->state, state_bytes(sw));
}

static bool sound(const double *in) {
    return in[1] >= 0 && in[1] < JD_SETTLE_COUNT && in[2] >= 0 && in[2] < JD_STOP_COUNT &&
           in[3] >= 0 && in[3] <= 1e6 && in[9] >= 0 && in[9] < 1e15 && in[10] >= 0 &&
           in[10] < 1e15 && in[14] >= 0 && in[14] <= in[9] && in[15] >= 0 &&
           in[15] < JD_MOTION_COUNT;
}

jd_status jd_sweep_restore(jd_sweep *sw, int index, const unsigned char *in) {
    double numbers[NUMBERS];
    memcpy(numbers, in, sizeof numbers);
    if (index < 0 || index >= sw->view.n_point || !sound(numbers))
        return jd_fail(sw->context, JD_BAD_ARGUMENT, "these bytes are no point of this sweep");
    jd_sweep_point *p = &sw->point[index];
    take_numbers(p, numbers);
    in += sizeof numbers;
    memcpy(p->phases, in, JD_SWEEP_TEXT);
    p->phases[JD_SWEEP_TEXT - 1] = '\0';
    in += JD_SWEEP_TEXT;
    memcpy(sw->sample + (size_t)index * 2 * (size_t)sw->view.n_sample, in, sample_bytes(sw));
    if (sw->state)
        memcpy(sw->state + (size_t)index * (size_t)sw->view.n_state, in + sample_bytes(sw),
               state_bytes(sw));
    jd_sweep_classify(sw, p);
    p->done = true;
    return JD_OK;
}

static void mix(unsigned long long *hash, const void *bytes, size_t n) {
    *hash = jd_hash(*hash, bytes, n);
}

static void mix_real(unsigned long long *hash, double value) {
    unsigned char bytes[sizeof value];
    memcpy(bytes, &value, sizeof value);
    mix(hash, bytes, sizeof bytes);
}

static void mix_text(unsigned long long *hash, const char *text) {
    mix(hash, text, strlen(text) + 1);
}

unsigned long long jd_sweep_identity(const jd_sweep *sw) {
    unsigned long long hash = jd_problem_identity(sw->problem);
    mix_text(&hash, sw->view.measure);
    for (int k = 0; k < sw->view.n_parameter; k++) {
        mix_text(&hash, sw->view.parameter[k]);
        mix(&hash, sw->view.values[k], (size_t)sw->view.count[k] * sizeof(double));
    }
    for (int k = 0; k < sw->view.n_draw; k++) mix_text(&hash, sw->view.draw[k]);
    if (sw->view.n_draw > 0)
        mix(&hash, sw->view.drawn,
            (size_t)sw->view.count[0] * (size_t)sw->view.n_draw * sizeof(double));
    const double rest[] = {sw->view.n_sample,  sw->view.n_state,      (double)sw->view.direction,
                           sw->def->tolerance, sw->def->settle.value, sw->def->settle.periods,
                           sw->view.starts,    sw->def->seed};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) mix_real(&hash, rest[i]);
    return hash;
}
