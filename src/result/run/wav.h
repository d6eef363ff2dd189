// wav.h -- a column of a run's samples as sound.
//   The run is sampled JD_WAV_OVER times faster than the file; a low-pass filter keeps what is
//   below half the file's rate, then every JD_WAV_OVER-th value is taken, the mean removed, and the
//   largest value scaled to -1 dB of full scale.
#ifndef JD_RESULT_WAV_H
#define JD_RESULT_WAV_H

#include "result/run/run.h"

enum { JD_WAV_OVER = 8 };

typedef struct jd_wav jd_wav; // memory of the recording

// Before the recording runs; `signal` is a column such as "bow.v" or "bow.force", "bridge.force" of
// a string (bridge.h), NULL: the velocity of the first point. Sets the recording's sampling. A
// signal that is not sampled is JD_UNKNOWN_NAME.
jd_status jd_wav_create(jd_recording *recording, const char *path, int rate, const char *signal,
                        jd_wav **out);
// Writes the file (24 bits, one channel). *seconds, *peak (may be NULL): length of the sound and
// the value that full scale less 1 dB stands for.
jd_status jd_wav_commit(jd_wav *wav, double *seconds, double *peak);
const char *jd_wav_signal(const jd_wav *wav);
void jd_wav_free(jd_wav *wav);

#endif
