// draw.c -- runs gnuplot as a process of its own, without a shell, in a private folder.
//   The finished picture is copied under a temporary name beside its target and renamed.
#define _GNU_SOURCE // posix_spawn_file_actions_addchdir_np
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "judder/picture.h"
#include "picture/scene/gnuplot.h"
#include "result/file/file.h"
#include "result/file/pending.h"

extern char **environ; // NOLINT(readability-redundant-declaration): POSIX has it declared so

enum { FOLDER_SIZE = 1024, NAME_SIZE = FOLDER_SIZE + 300, LINE_SIZE = 400, COPY_SIZE = 65536 };

static jd_status form_of(jd_context *context, const char *path, jd_picture_form *form) {
    static const char *const suffix[JD_FORM_COUNT] = {".svg", ".png", ".pdf", ".csv"};
    const char *dot = strrchr(path, '.');
    for (int i = 0; i < JD_FORM_COUNT; i++) {
        *form = (jd_picture_form)i;
        if (dot && strcasecmp(dot, suffix[i]) == 0) return JD_OK;
    }
    jd_fail(context, JD_BAD_USAGE, "`%s` does not end in .svg, .png, .pdf or .csv", path);
    jd_fail_hint(context, "the suffix says what kind of picture is drawn; .csv keeps its numbers");
    return JD_BAD_USAGE;
}

static jd_status no_gnuplot(jd_context *context, int number) {
    jd_fail(context, JD_NO_GNUPLOT, "cannot start `gnuplot`, which draws the pictures: %s",
            strerror(number));
    jd_fail_hint(context, "install it (Debian: gnuplot-nox) or put it on the PATH");
    return JD_NO_GNUPLOT;
}

// Is there a program of this name on the PATH?
static bool on_path(const char *program) {
    const char *p = getenv("PATH");
    char name[NAME_SIZE];
    while (p && *p) {
        size_t n = strcspn(p, ":");
        snprintf(name, sizeof name, "%.*s/%s", (int)(n < FOLDER_SIZE ? n : 0), p, program);
        if (access(name, X_OK) == 0) return true;
        p += n + (p[n] == ':');
    }
    return false;
}

jd_status jd_picture_check(jd_context *context, const char *path) {
    jd_picture_form form;
    JD_TRY(form_of(context, path, &form));
    return form == JD_FORM_CSV || on_path("gnuplot") ? JD_OK : no_gnuplot(context, ENOENT);
}

static jd_status make_folder(jd_context *context, char *folder) {
    const char *base = getenv("TMPDIR");
    if (!base || base[0] != '/' || strlen(base) > FOLDER_SIZE / 2) base = "/tmp";
    snprintf(folder, FOLDER_SIZE, "%s/judder-picture-XXXXXX", base);
    if (mkdtemp(folder)) return JD_OK;
    int number = errno;
    folder[0] = '\0';
    jd_fail(context, JD_CANNOT_WRITE, "cannot make a folder in `%s`: %s", base, strerror(number));
    jd_fail_hint(context, "name a folder you may write to in TMPDIR");
    return JD_CANNOT_WRITE;
}

static void remove_folder(const char *folder) {
    char name[NAME_SIZE];
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(name, sizeof name, "%s/%s", folder, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) unlink(name);
    }
    if (d) closedir(d);
    rmdir(folder);
}

// What gnuplot said: its line `"script.gp" line 7: ...`, or the first one with anything in it.
static void complaint(const char *folder, char *out) {
    char name[NAME_SIZE], line[LINE_SIZE];
    snprintf(name, sizeof name, "%s/" JD_GNUPLOT_ERRORS, folder);
    snprintf(out, LINE_SIZE, "it says nothing");
    FILE *f = fopen(name, "r");
    for (bool first = true; f && fgets(line, sizeof line, f);) {
        const char *start = line + strspn(line, " \t\r\n");
        const char *verdict = strstr(start, "\" line ");
        if (!*start || (!first && !verdict)) continue;
        snprintf(out, LINE_SIZE, "%.*s", (int)strcspn(start, "\r\n"),
                 verdict ? verdict + 2 : start);
        out[strcspn(out, "\r\n")] = '\0';
        first = false;
        if (verdict) break;
    }
    if (f) fclose(f);
}

static int start(const char *folder, pid_t *pid) { // 0, or errno
    char script[] = JD_GNUPLOT_SCRIPT, *words[] = {"gnuplot", "--default-settings", script, NULL};
    posix_spawn_file_actions_t files;
    int number = posix_spawn_file_actions_init(&files);
    if (number) return number;
    number = posix_spawn_file_actions_addchdir_np(&files, folder); // its name may be anything
    if (!number) number = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    if (!number) number = posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    if (!number)
        number = posix_spawn_file_actions_addopen(&files, 2, JD_GNUPLOT_ERRORS, O_WRONLY | O_CREAT,
                                                  0600);
    if (!number) number = posix_spawnp(pid, "gnuplot", &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    return number;
}

// How long gnuplot may take [s]; a page takes a second.
static double patience(void) {
    const char *text = getenv("JUDDER_GNUPLOT_SECONDS");
    double seconds = text ? strtod(text, NULL) : 0;
    return seconds > 0 && seconds < 1e6 ? seconds : 120;
}

// Waits for gnuplot to end, with growing steps; one that does not is killed. False: it was.
static bool wait_for(pid_t pid, int *ended) {
    double waited = 0, step = 1e-3, most = patience();
    pid_t got;
    while ((got = waitpid(pid, ended, WNOHANG)) == 0 || (got < 0 && errno == EINTR)) {
        if (waited > most) {
            kill(pid, SIGKILL);
            while (waitpid(pid, ended, 0) < 0 && errno == EINTR) continue;
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * step)}, NULL);
        waited += step;
        if (step < 0.02) step *= 1.2;
    }
    if (got < 0) *ended = 0; // the program ignores its children: the picture itself must tell
    return true;
}

static jd_status run_gnuplot(jd_context *context, const char *folder) {
    pid_t pid;
    int ended = 0, number = start(folder, &pid);
    if (number) return no_gnuplot(context, number);
    bool patient = wait_for(pid, &ended);
    char name[NAME_SIZE], line[LINE_SIZE];
    struct stat info;
    snprintf(name, sizeof name, "%s/" JD_GNUPLOT_PICTURE, folder);
    bool whole = stat(name, &info) == 0 && info.st_size > 0;
    if (whole && WIFEXITED(ended) && WEXITSTATUS(ended) == 0) return JD_OK;
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 127) return no_gnuplot(context, ENOENT);
    if (!patient)
        snprintf(line, sizeof line, "it did not end within %g s", patience());
    else if (WIFSIGNALED(ended))
        snprintf(line, sizeof line, "it was killed by signal %d", WTERMSIG(ended));
    else
        complaint(folder, line);
    jd_fail(context, JD_PICTURE_FAILED, "gnuplot could not draw the picture: %s", line);
    jd_fail_hint(context, "Judder is tested with gnuplot 5.4; `gnuplot --version` tells yours");
    return JD_PICTURE_FAILED;
}

static jd_status copy(jd_context *context, const char *folder, const char *path) {
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s/" JD_GNUPLOT_PICTURE, folder);
    FILE *from = fopen(name, "rb");
    if (!from)
        return jd_fail(context, JD_CANNOT_READ, "cannot read `%s`: %s", name, strerror(errno));
    jd_file to;
    jd_status s = jd_file_open(context, path, &to);
    char *block = s == JD_OK ? jd_allocate(context, COPY_SIZE) : NULL;
    if (s == JD_OK && !block) {
        jd_file_abandon(&to);
        s = JD_OUT_OF_MEMORY;
    }
    if (s == JD_OK) {
        for (size_t n; (n = fread(block, 1, COPY_SIZE, from)) > 0;) fwrite(block, 1, n, to.stream);
        s = jd_file_commit(&to);
    }
    jd_release(context, block);
    fclose(from);
    return s;
}

jd_status jd_scene_draw(jd_context *context, const jd_scene *scene, const char *path) {
    jd_picture_form form;
    char folder[FOLDER_SIZE];
    if (!scene) return jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for the picture");
    JD_TRY(jd_arena_status(scene->arena));
    JD_TRY(form_of(context, path, &form));
    if (form == JD_FORM_CSV) return jd_scene_csv(context, scene, path);
    const jd_scene *thin = jd_scene_thinned(scene);
    JD_TRY(jd_arena_status(scene->arena));
    JD_TRY(make_folder(context, folder));
    int pending = jd_pending_folder(folder);
    jd_status s = jd_gnuplot_write(context, thin, form, folder);
    if (s == JD_OK) s = run_gnuplot(context, folder);
    if (s == JD_OK) s = copy(context, folder, path);
    remove_folder(folder);
    jd_pending_end(pending);
    return s;
}
