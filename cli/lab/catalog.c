// catalog.c -- models to start from: the templates of `judder new` with their files, and the
// gallery where it is installed.
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/lab.h"
#include "model/tree.h"

enum { MOST = 400, PATH = 4096 };

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool ends_with(const char *name, const char *suffix) {
    size_t n = strlen(name), k = strlen(suffix);
    return n > k && strcmp(name + n - k, suffix) == 0;
}

// Names of a folder in order, ending with `suffix` ("": folders); returns how many. Each is to be
// freed.
static int names_in(const char *folder, const char *suffix, char *out[MOST]) {
    DIR *dir = opendir(folder);
    int n = 0;
    for (struct dirent *e; dir && n < MOST && (e = readdir(dir));) {
        char path[PATH];
        struct stat info;
        if (!guard_name(e->d_name) || (*suffix && !ends_with(e->d_name, suffix))) continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (stat(path, &info) != 0 || S_ISDIR(info.st_mode) == (*suffix != '\0')) continue;
        out[n] = strdup(e->d_name);
        if (!out[n++]) end_without_memory();
    }
    if (dir) closedir(dir);
    qsort(out, (size_t)n, sizeof *out, by_name);
    return n;
}

// The line `title: ...` of a model.
static void title_of(const char *path, char *out, size_t size) {
    FILE *file = fopen(path, "r");
    char line[400];
    out[0] = '\0';
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "title: ", 7) != 0) continue;
        snprintf(out, size, "%.*s", (int)strcspn(line + 7, "\n"), line + 7);
        break;
    }
    if (file) fclose(file);
}

static json_t *models_in(const lab_setup *lab, const char *folder) {
    char path[PATH], title[400], *name[MOST];
    json_t *list = json_array();
    snprintf(path, sizeof path, "%s/%s", lab->gallery, folder);
    int n = names_in(path, ".yaml", name);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", lab->gallery, folder, name[i]);
        title_of(path, title, sizeof title);
        snprintf(path, sizeof path, "gallery/%s/%s", folder, name[i]);
        json_array_append_new(list, json_pack("{s:s, s:o}", "what", path, "title",
                                              jd_json_text(title[0] ? title : name[i])));
        free(name[i]);
    }
    return list;
}

// The first picture of a folder that a browser draws.
static json_t *picture_of(const lab_setup *lab, const char *folder) {
    char path[PATH], *name[MOST];
    snprintf(path, sizeof path, "%s/%s", lab->gallery, folder);
    int n = names_in(path, ".svg", name);
    json_t *out = json_null();
    if (n > 0) snprintf(path, sizeof path, "gallery/%s/%s", folder, name[n - 1]);
    if (n > 0) out = json_string(path);
    for (int i = 0; i < n; i++) free(name[i]);
    return out;
}

json_t *catalog_of(const lab_setup *lab) {
    json_t *made = json_array(), *shown = json_array();
    char *name[MOST];
    for (const model_template *t = templates; t->name; t++)
        json_array_append_new(
            made, json_pack("{s:s+, s:s}", "what", "template/", t->name, "title", t->doc));
    int n = lab->gallery ? names_in(lab->gallery, "", name) : 0;
    for (int i = 0; i < n; i++) {
        json_t *models = models_in(lab, name[i]);
        if (json_array_size(models) > 0)
            json_array_append_new(shown, json_pack("{s:s, s:O, s:o}", "folder", name[i], "models",
                                                   models, "picture", picture_of(lab, name[i])));
        json_decref(models);
        free(name[i]);
    }
    return json_pack("{s:o, s:o}", "templates", made, "gallery", shown);
}

static jd_status open_file(request *r, const char *file, lab_model **out) {
    const lab_setup *lab = session_lab(r->session);
    char path[PATH], *text;
    size_t size;
    if (!lab->gallery || !guard_name(file) || !ends_with(file, ".yaml"))
        return jd_fail(r->context, JD_CANNOT_READ, "there is no such model in the gallery");
    snprintf(path, sizeof path, "%s/%s", lab->gallery, file);
    JD_TRY(jd_tree_read_file(r->arena, path, &text, &size));
    char *folder = jd_arena_text(r->arena, path);
    JD_TRY(jd_arena_status(r->arena));
    *strrchr(folder, '/') = '\0';
    *out = lab_model_create(path, folder, text, size);
    return *out ? JD_OK : JD_OUT_OF_MEMORY;
}

// ---- Files beside a template (matrices): in a folder of their own, written when one is opened.
static mtx_t lock;
static once_flag once = ONCE_FLAG_INIT;
static void make_lock(void) { mtx_init(&lock, mtx_plain); }

static bool write_file(const char *folder, const template_file *f) {
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, f->name);
    FILE *file = fopen(path, "w");
    if (!file) return false;
    bool good = fputs(f->text, file) >= 0;
    return fclose(file) == 0 && good;
}

static jd_status write_beside(request *r, const model_template *t) {
    lab_setup *lab = session_lab(r->session);
    call_once(&once, make_lock);
    mtx_lock(&lock);
    jd_status s = lab->files[0] ? JD_OK : make_folder(r, lab->files, sizeof lab->files);
    if (s != JD_OK) lab->files[0] = '\0';
    for (const template_file *f = t->beside; s == JD_OK && f->name; f++)
        if (!write_file(lab->files, f))
            s = jd_fail(r->context, JD_CANNOT_WRITE, "%s of the template could not be written",
                        f->name);
    mtx_unlock(&lock);
    return s;
}

void catalog_end(lab_setup *lab) {
    char path[PATH];
    if (!lab->files[0]) return;
    for (const model_template *t = templates; t->name; t++)
        for (const template_file *f = t->beside; f->name; f++) {
            snprintf(path, sizeof path, "%s/%s", lab->files, f->name);
            unlink(path);
        }
    rmdir(lab->files);
}

static jd_status open_template(request *r, const model_template *t, lab_model **out) {
    if (t->beside[0].name) JD_TRY(write_beside(r, t));
    const char *name = jd_arena_format(r->arena, "%s.yaml", t->name);
    const char *folder = t->beside[0].name ? session_lab(r->session)->files : "";
    *out = name ? lab_model_create(name, folder, t->text, strlen(t->text)) : NULL;
    return *out ? JD_OK : JD_OUT_OF_MEMORY;
}

jd_status catalog_open(request *r, const char *what, lab_model **out) {
    static const char gallery[] = "gallery/", made[] = "template/";
    if (strncmp(what, gallery, sizeof gallery - 1) == 0)
        return open_file(r, what + sizeof gallery - 1, out);
    for (const model_template *t = templates; t->name; t++)
        if (strncmp(what, made, sizeof made - 1) == 0 &&
            strcmp(what + sizeof made - 1, t->name) == 0)
            return open_template(r, t, out);
    return jd_fail(r->context, JD_UNKNOWN_NAME, "there is no such model to start from");
}
