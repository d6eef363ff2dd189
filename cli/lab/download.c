// download.c -- files to take home, of the run or of the orbit shown: samples as CSV, all of the
// result as HDF5, the picture; sound.
//   They are written by the calls the command's verbs use, into a folder of their own that nobody
//   else reads, sent, and removed. HDF5 is for one thread at a time: so are downloads.
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/lab.h"
#include "result/run/wav.h"

enum { LARGEST = 256 << 20 }; // bytes sent

static mtx_t lock;
static once_flag once = ONCE_FLAG_INIT;
static void make_lock(void) { mtx_init(&lock, mtx_plain); }

typedef struct kind {
    const char *name, *suffix, *type;
} kind;
static const kind kinds[] = {{"csv", ".csv", "text/csv"},
                             {"hdf5", ".h5", "application/x-hdf5"},
                             {"svg", ".svg", "image/svg+xml"},
                             {"png", ".png", "image/png"},
                             {NULL, NULL, NULL}};

static jd_status send_file(request *r, const char *path, const char *what, const char *type) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) {
        if (fd >= 0) close(fd);
        return jd_fail(r->context, JD_CANNOT_READ, "the file that was written cannot be read");
    }
    size_t size = (size_t)info.st_size, done = 0;
    char *data = info.st_size <= LARGEST ? malloc(size + 1) : NULL;
    for (ssize_t n = 1; data && done < size && n > 0; done += n > 0 ? (size_t)n : 0)
        n = read(fd, data + done, size - done);
    close(fd);
    if (!data)
        return jd_fail(r->context, JD_FILE_TOO_LARGE,
                       "a file of %zu bytes is more than a page takes: `judder run -o` writes it",
                       size);
    frame *f = frame_create(r, "file");
    json_object_set_new(frame_head(f), "what", json_string(what));
    json_object_set_new(frame_head(f), "type", json_string(type));
    frame_bytes(f, "data", done, data);
    frame_send(f);
    free(data);
    return JD_OK;
}

static jd_status write_run(request *r, jd_problem *problem, const char *name, const char *path) {
    bool hdf5 = strcmp(name, "hdf5") == 0;
    const jd_record_options options = {.file = hdf5 ? path : NULL};
    jd_result *result = NULL;
    JD_TRY(jd_result_of_run_with(r->context, problem, &options, &result));
    jd_status s = hdf5 ? JD_OK : jd_result_write(r->context, result, path);
    jd_result_free(result);
    return s;
}

static bool is_picture(const char *name) {
    return strcmp(name, "svg") == 0 || strcmp(name, "png") == 0;
}

// One period of the orbit shown, as `judder orbit` writes it.
static jd_status write_orbit(request *r, jd_problem *problem, const char *name, const char *path) {
    const jd_picture_def def = jd_default_picture_def();
    jd_orbit *orbit = NULL;
    jd_result *result = NULL;
    jd_status s = request_orbit(r, problem, &orbit);
    if (s == JD_OK && !jd_orbit_look(orbit)->found)
        s = jd_fail(r->context, JD_BAD_USAGE, "there is no orbit to write");
    if (s == JD_OK && is_picture(name))
        s = jd_picture_orbit(r->context, problem, orbit, &def, path);
    if (s == JD_OK && !is_picture(name)) {
        s = jd_result_of_orbit(r->context, problem, orbit, &result);
        if (s == JD_OK) s = jd_result_write(r->context, result, path);
    }
    jd_result_free(result);
    jd_orbit_free(orbit);
    return s;
}

static jd_status write_as(request *r, jd_problem *problem, const char *name, const char *path) {
    const char *view = request_text(r, "view");
    if (is_picture(name)) JD_TRY(jd_picture_check(r->context, path));
    if (view && strcmp(view, "orbit") == 0) return write_orbit(r, problem, name, path);
    if (!is_picture(name)) return write_run(r, problem, name, path);
    jd_picture_def def = jd_default_picture_def();
    def.from = request_real(r, "from", (double)NAN);
    def.to = request_real(r, "to", (double)NAN);
    return jd_picture_run(r->context, problem, &def, path);
}

jd_status make_folder(request *r, char *folder, size_t size) {
    const char *base = getenv("TMPDIR");
    int n = snprintf(folder, size, "%s/judder-lab-XXXXXX", base && base[0] == '/' ? base : "/tmp");
    if (n > 0 && n < (int)size && mkdtemp(folder)) return JD_OK;
    return jd_fail(r->context, JD_CANNOT_WRITE, "no folder for the file could be made");
}

jd_status answer_download(request *r) {
    const char *name = request_text(r, "what");
    const kind *k = kinds;
    char folder[300], path[340];
    jd_problem *problem;
    while (k->name && (!name || strcmp(k->name, name) != 0)) k++;
    if (!k->name) return jd_fail(r->context, JD_BAD_USAGE, "files are csv, hdf5, svg and png");
    JD_TRY(request_problem(r, true, &problem));
    call_once(&once, make_lock);
    mtx_lock(&lock);
    jd_status s = make_folder(r, folder, sizeof folder);
    if (s == JD_OK) {
        snprintf(path, sizeof path, "%s/motion%s", folder, k->suffix);
        s = write_as(r, problem, k->name, path);
        if (s == JD_OK) s = send_file(r, path, k->name, k->type);
        unlink(path);
        rmdir(folder);
    }
    mtx_unlock(&lock);
    jd_problem_free(problem);
    return s;
}

// Samples go into the sound alone: keeping them all, with energies, takes a hundred times as long.
static jd_status record_sound(request *r, jd_problem *problem, const char *path, int rate) {
    jd_recording *recording = NULL;
    jd_wav *wav = NULL;
    double seconds, peak;
    JD_TRY(jd_recording_create(r->context, problem, &recording));
    jd_status s = jd_wav_create(recording, path, rate, request_text(r, "signal"), &wav);
    if (s == JD_OK) s = jd_recording_run(recording);
    if (s == JD_OK) s = jd_wav_commit(wav, &seconds, &peak);
    jd_wav_free(wav);
    jd_recording_free(recording);
    return s;
}

// Sound of the run up to the end of the stretch shown, as `judder run --wav` writes it.
static jd_status write_sound(request *r, jd_problem *problem, const char *path) {
    enum { LONGEST = 40000000 }; // samples
    jd_simulate_def simulate =
        *(const jd_simulate_def *)jd_problem_section(problem, JD_SIMULATE, NULL);
    double until = 0, to = request_real(r, "to", (double)INFINITY);
    int rate = (int)fmin(fmax(request_real(r, "rate", 44100), 50), 192000);
    JD_TRY(jd_problem_duration(problem, &simulate.until, &until));
    until = fmin(until, to);
    if (!(until * rate <= LONGEST)) {
        jd_fail(r->context, JD_OUT_OF_RANGE, "%.3g s of sound are more than a page plays", until);
        jd_fail_hint(r->context, "show an earlier stretch, or `judder run --wav` writes all of it");
        return JD_OUT_OF_RANGE;
    }
    simulate.until = jd_seconds(until);
    JD_TRY(jd_problem_set_simulate(problem, &simulate));
    return record_sound(r, problem, path, rate);
}

jd_status answer_sound(request *r) {
    char folder[300], path[340];
    jd_problem *problem;
    JD_TRY(request_problem(r, true, &problem));
    call_once(&once, make_lock);
    mtx_lock(&lock);
    jd_status s = make_folder(r, folder, sizeof folder);
    if (s == JD_OK) {
        snprintf(path, sizeof path, "%s/motion.wav", folder);
        s = write_sound(r, problem, path);
        if (s == JD_OK && !lane_left(r->lane)) s = send_file(r, path, "sound", "audio/wav");
        unlink(path);
        rmdir(folder);
    }
    mtx_unlock(&lock);
    jd_problem_free(problem);
    return s;
}
