// document_fuzz.c -- results with values of other kinds, sizes and ranges than Judder writes, in
// files that are whole: drawn, compared, written again, listed and merged without a crash, or
// refused by name.
//   The input are choices: a result, changes to its tree, a kind of picture, a window.
#include "fuzz.h"

#include <math.h>

#include "judder/merge.h"
#include "picture/scene/gnuplot.h"
#include "picture/scenes.h"
#include "result/file/document.h"
#include "result/result.h"

const char *const fuzz_words[] = {NULL};

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);

static const char folder[] = "/nowhere";

static ssize_t swallow(void *cookie, const char *bytes, size_t n) {
    (void)cookie, (void)bytes;
    return (ssize_t)n;
}

// What is written for a picture goes nowhere: files took a third of the time.
FILE *__wrap_fopen(const char *path, const char *mode) {
    if (strncmp(path, folder, strlen(folder)) != 0) return __real_fopen(path, mode);
    return fopencookie(NULL, mode, (cookie_io_functions_t){.write = swallow});
}

enum { LONGEST_LIST = 4 };

// Every list cut to its first few entries, so that columns stay as long as each other: what is
// wrong with a list does not need a hundred.
static void shorten(json_t *tree) {
    const char *key;
    json_t *value;
    size_t i;
    while (json_array_size(tree) > LONGEST_LIST) json_array_remove(tree, json_array_size(tree) - 1);
    json_array_foreach(tree, i, value) shorten(value);
    json_object_foreach(tree, key, value) shorten(value);
}

// The documents of the seeds, read once.
static json_t *document(uint32_t i) {
    static json_t *kept[FUZZ_SEEDS];
    fuzz_file file = {0};
    if (kept[i]) return kept[i];
    jd_context *context = jd_context_create(NULL);
    fuzz_file_write(&file, fuzz_seeds[i].data, fuzz_seeds[i].size);
    demand(jd_hdf5_read(context, file.path, &kept[i]) == JD_OK, "a seed is no result");
    shorten(kept[i]);
    jd_context_free(context);
    close(file.fd);
    return kept[i];
}

// The changed document shares with the whole one what is not changed: on the way down to a member
// each level becomes a copy of its own.
static json_t *own_list(json_t *tree, size_t i) {
    json_t *copy = json_copy(json_array_get(tree, i));
    json_array_set_new(tree, i, copy);
    return copy;
}

static json_t *own_member(json_t *tree, void *at) {
    json_t *copy = json_copy(json_object_iter_value(at));
    json_object_iter_set_new(tree, at, copy);
    return copy;
}

static json_t *hostile_number(choices *c) {
    static const double odd[] = {0,     -1,     1e308,      -1e308, 1e-320,      2147483648.0,
                                 -2.5,  1e18,   4294967296, 0.1,    -2147483649, 3,
                                 1e300, 65536.0};
    uint32_t k = choose(c, 18);
    if (k == 15) return json_integer(INT64_MAX);
    if (k == 16) return json_integer(INT64_MIN);
    if (k == 17) return json_integer(choose(c, 1000));
    return json_real(odd[k % (sizeof odd / sizeof *odd)]);
}

static json_t *hostile_text(choices *c) {
    static const char *const text[] = {"",     "'",    "`id`", "$(id)",     "\x1b[2J",
                                       "a\nb", "%s%n", "up",   "\u202etxt", "structure",
                                       "SI",   "both", "run"};
    static char longest[5000];
    if (!longest[0]) memset(longest, 'x', sizeof longest - 1);
    uint32_t k = choose(c, 1 + sizeof text / sizeof *text);
    return json_string(k < sizeof text / sizeof *text ? text[k] : longest);
}

static json_t *hostile_list(choices *c) {
    json_t *list = json_array();
    for (uint32_t n = choose(c, 4); n > 0; n--)
        json_array_append_new(list, choose(c, 4) ? hostile_number(c) : json_array());
    return list;
}

static json_t *hostile(choices *c) {
    switch (choose(c, 8)) {
    case 0:
        return json_null();
    case 1:
        return json_boolean((int)choose(c, 2));
    case 2:
        return hostile_text(c);
    case 3:
        return hostile_list(c);
    case 4:
        return json_pack("{s:[f], s:s}", "t", 1.0, "kind", "x");
    default:
        return hostile_number(c);
    }
}

static void change_list(choices *c, json_t *list) {
    size_t n = json_array_size(list), at = n ? choose(c, (uint32_t)n) : 0;
    switch (choose(c, 7)) {
    case 6: // much longer, of the same kind
        for (uint32_t more = choose(c, 80); n && more > 0; more--)
            json_array_append(list, json_array_get(list, at));
        break;
    case 0: // shorter
        while (json_array_size(list) > at) json_array_remove(list, json_array_size(list) - 1);
        break;
    case 1: // longer
        json_array_append_new(list, hostile(c));
        break;
    case 2: // empty
        json_array_clear(list);
        break;
    case 3: // all of them
        for (size_t i = 0; i < n; i++) json_array_set_new(list, i, hostile_number(c));
        break;
    default:
        if (n) json_array_set_new(list, at, hostile(c));
    }
}

// Walks down to some member and changes it.
static void change(choices *c, json_t *tree) {
    for (int depth = 0; depth < 8; depth++) {
        if (json_is_array(tree)) {
            json_t *below = json_array_get(tree, 0);
            if (json_is_array(below) && choose(c, 2)) {
                tree = own_list(tree, choose(c, (uint32_t)json_array_size(tree)));
                continue;
            }
            change_list(c, tree);
            return;
        }
        uint32_t n = (uint32_t)json_object_size(tree);
        if (n == 0) return;
        void *at = json_object_iter(tree);
        for (uint32_t k = choose(c, n); k > 0; k--) at = json_object_iter_next(tree, at);
        json_t *value = json_object_iter_value(at);
        bool leaf = !json_is_object(value) && !json_is_array(value);
        if (leaf || choose(c, 4) == 0) {
            if (choose(c, 3))
                json_object_iter_set_new(tree, at, hostile(c));
            else
                json_object_del(tree, json_object_iter_key(at));
            return;
        }
        tree = own_member(tree, at);
    }
}

// Every value of the result is looked at once more.
static void write_again(const jd_result *result, choices *c) {
    json_t *document = jd_result_document(result, choose(c, 2) ? JD_FACE_FILE : JD_FACE_JSON);
    demand(document != NULL, "a result that cannot be written");
    json_decref(document);
    demand(jd_result_arrays(result) >= 0, "no arrays");
}

// The changed shard and the whole one, either first.
static void merge(jd_context *context, const json_t *whole, const json_t *changed, choices *c) {
    const json_t *both[2] = {whole, changed};
    uint32_t first = choose(c, 2);
    jd_merge *merge = NULL;
    jd_result *out = NULL;
    jd_status s = jd_merge_create(context, &merge);
    for (uint32_t i = 0; i < 2 && s == JD_OK; i++) {
        jd_result *part;
        s = jd_result_of_document(context, both[(first + i) % 2], &part);
        if (s == JD_OK) s = jd_merge_add(merge, part, "part");
    }
    if (s == JD_OK) s = jd_merge_end(merge, &out);
    demand_named(context, s);
    if (out) write_again(out, c);
    jd_result_free(out);
    jd_merge_free(merge);
}

// Writing the picture, which takes half of the time, is done for one in four.
static jd_status draw(jd_context *context, const json_t *changed, bool whole, choices *c) {
    jd_picture_def def = jd_default_picture_def();
    def.kind = choose(c, 3) ? JD_PICTURE_PAGE : (jd_picture_kind)choose(c, JD_PICTURE_KIND_COUNT);
    if (choose(c, 8) == 1) def.from = 0.5, def.to = choose(c, 20);
    if (!(def.from < def.to)) def.from = def.to = (double)NAN;
    jd_arena *arena = jd_arena_create(context);
    jd_scene *scene = NULL;
    jd_result *result = NULL;
    jd_status s = jd_result_of_document(context, changed, &result);
    if (s == JD_OK) s = jd_scene_of_result(arena, result, &def, &scene);
    demand_named(context, s);
    fuzz_taken += s == JD_OK;
    demand(s != JD_OK || scene, "no scene");
    if (s == JD_OK && (whole || choose(c, 4) == 0)) {
        const jd_scene *thin = jd_scene_thinned(scene);
        demand(thin && jd_arena_status(arena) == JD_OK, "no scene after thinning");
        s = jd_gnuplot_write(context, thin, (jd_picture_form)choose(c, 3), folder);
        demand_named(context, s);
    }
    if (result && choose(c, 4) == 0) write_again(result, c);
    jd_arena_free(arena);
    jd_result_free(result);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    choices c = {data, data + size};
    json_t *whole = document(choose(&c, (uint32_t)fuzz_n_seed)), *changed = json_copy(whole);
    jd_context *context = jd_context_create(NULL);
    for (uint32_t times = size > 1 ? 1 + choose(&c, 3) : 0; times > 0; times--) change(&c, changed);
    jd_status s = draw(context, changed, size <= 1, &c);
    demand(s == JD_OK || size > 1, "a seed that cannot be drawn");
    if (choose(&c, 8) == 0) {
        json_t *found = jd_document_compare(whole, changed, 1e-9);
        demand(found && json_is_boolean(json_object_get(found, "same")), "no comparison");
        json_decref(found);
    }
    if (json_object_get(whole, "shard") && choose(&c, 2)) merge(context, whole, changed, &c);
    json_decref(changed);
    jd_context_free(context);
    return 0;
}
