// fuzz.h -- what the fuzz targets share: seeds of a folder, choices out of bytes, a file in memory,
// and a main that needs no libFuzzer.
//   A target defines fuzz_words and LLVMFuzzerTestOneInput, and includes this file. Its input is
//   the text to be read, or bytes that stand for choices: what is damaged, and how.
//       TARGET FOLDER [COUNT [SEED [FIRST]]]  without libFuzzer: the seeds, then COUNT mutations
//                                             (60s: for 60 seconds), those before FIRST left out:
//                                             for going back to a finding
//       JD_FUZZ_SEEDS=FOLDER TARGET ...       with it (clang -fsanitize=fuzzer -DJD_LIBFUZZER)
#ifndef JD_TESTS_FUZZ_H
#define JD_TESTS_FUZZ_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // memfd_create
#endif
#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/scan.h"

// Words that readers of numbers in columns stumble over.
#define FUZZ_COLUMN_WORDS "# comment\n", "#", ",", ",,", "\n", "\r\n", "\t", "\xEF\xBB\xBF"

enum { FUZZ_SEEDS = 200, FUZZ_LARGEST = 1 << 16 };

typedef struct fuzz_seed {
    char name[64];
    uint8_t *data;
    size_t size;
} fuzz_seed;

static fuzz_seed fuzz_seeds[FUZZ_SEEDS];
static int fuzz_n_seed;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static char fuzz_place[40]; // for messages

static inline void demand(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "fuzz: %s%s\n", fuzz_place, what);
    abort();
}

// A failure says what, and is none of ours.
static inline void demand_named(jd_context *context, jd_status status) {
    const jd_error *e = jd_context_error(context);
    demand(status == JD_OK || (e->status == status && e->message[0]), "a failure without message");
    demand(status != JD_INTERNAL, "a check inside failed");
}

// Whether libraries have room is asked for by taking megabytes, which sanitizers mark byte by byte:
// most of the time of an input. The linker puts this in its place (tests/CMakeLists.txt).
jd_status __wrap_jd_room(jd_context *context, size_t bytes);
jd_status __wrap_jd_room(jd_context *context, size_t bytes) {
    (void)context, (void)bytes;
    return JD_OK;
}

// ---- choices: bytes of the input, 0 when they have run out

typedef struct choices {
    const uint8_t *at, *end;
} choices;

// A number that bytes of the input do not lead to on purpose: for what is to happen now and then.
static inline uint32_t fuzz_mix(const uint8_t *data, size_t size) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
    return h ^ h >> 15;
}

static inline uint32_t choose(choices *c, uint32_t n) {
    uint32_t value = 0;
    for (uint32_t room = 1; room < n && room <= 1u << 24; room <<= 8)
        value = value << 8 | (c->at < c->end ? *c->at++ : 0);
    return n ? value % n : 0;
}

// ---- a file in memory, as a path

typedef struct fuzz_file {
    int fd;
    char path[40];
} fuzz_file;

// Its pages stay from one input to the next: giving them back costs more than most readers.
static inline void fuzz_file_write(fuzz_file *f, const void *bytes, size_t n) {
    if (f->fd <= 0) {
        f->fd = memfd_create("fuzz", 0);
        snprintf(f->path, sizeof f->path, "/proc/self/fd/%d", f->fd);
    }
    demand(f->fd > 0 && ftruncate(f->fd, (off_t)n) == 0, "no file in memory");
    demand(pwrite(f->fd, bytes, n, 0) == (ssize_t)n, "no file in memory");
}

// ---- texts

static const char *fuzz_bytes; // the input in a block of its own size, so that sanitizers see its
static size_t fuzz_size;       // end; NULL: the file is to be read

jd_status __real_jd_scan_open(jd_arena *arena, const char *path, size_t most, jd_status broken,
                              jd_scan *out);
jd_status __wrap_jd_scan_open(jd_arena *arena, const char *path, size_t most, jd_status broken,
                              jd_scan *out);

// Opening a file takes longer than reading most of them: the linker puts this in the place of
// jd_scan_open (tests/CMakeLists.txt).
jd_status __wrap_jd_scan_open(jd_arena *arena, const char *path, size_t most, jd_status broken,
                              jd_scan *out) {
    if (!fuzz_bytes) return __real_jd_scan_open(arena, path, most, broken, out);
    *out = (jd_scan){.context = jd_arena_context(arena),
                     .path = path,
                     .text = fuzz_bytes,
                     .end = fuzz_bytes + fuzz_size,
                     .broken = broken};
    jd_scan_again(out);
    return JD_OK;
}

static long fuzz_taken; // inputs that were not refused

// Reads the input, one in 64 and the empty one as a file: what `read` says is JD_OK, or named with
// its place.
static inline void fuzz_read(const uint8_t *data, size_t size,
                             jd_status (*read)(jd_arena *arena, const char *path)) {
    static fuzz_file file;
    char *bytes = size > 0 && fuzz_mix(data, size) % 64 ? malloc(size) : NULL;
    if (bytes)
        memcpy(bytes, data, size);
    else
        fuzz_file_write(&file, data, size);
    fuzz_bytes = bytes;
    fuzz_size = size;
    jd_context *context = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(context);
    jd_status s = read(arena, bytes ? "fuzz" : file.path);
    demand_named(context, s);
    demand(s == JD_OK || jd_context_error(context)->where[0], "a failure without a place");
    fuzz_taken += s == JD_OK;
    jd_arena_free(arena);
    jd_context_free(context);
    free(bytes);
}

// The input with an end, to be freed.
static inline char *fuzz_text(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

// ---- seeds

static inline void fuzz_load(const char *folder) {
    struct dirent **names;
    int n = folder ? scandir(folder, &names, NULL, alphasort) : -1; // sorted: the same everywhere
    for (int i = 0; i < n; i++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        FILE *file =
            names[i]->d_name[0] != '.' && fuzz_n_seed < FUZZ_SEEDS ? fopen(path, "rb") : NULL;
        if (file) {
            fuzz_seed *s = &fuzz_seeds[fuzz_n_seed++];
            snprintf(s->name, sizeof s->name, "%.63s", names[i]->d_name);
            s->data = malloc(4 * FUZZ_LARGEST);
            s->size = fread(s->data, 1, 4 * FUZZ_LARGEST, file);
            fclose(file);
        }
        free(names[i]);
    }
    if (n >= 0) free(names);
    demand(fuzz_n_seed > 0, "the folder of the seeds is empty");
}

#ifdef JD_LIBFUZZER

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    fuzz_load(getenv("JD_FUZZ_SEEDS"));
    return 0;
}

#else

extern const char *const fuzz_words[]; // ends with NULL; none: the input is choices

static uint64_t fuzz_state;

static uint32_t fuzz_random(uint32_t n) { // splitmix64
    uint64_t z = fuzz_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) % n);
}

static size_t fuzz_insert(uint8_t *to, size_t size, size_t at, const void *what, size_t n) {
    if (size + n > FUZZ_LARGEST) return size;
    memmove(to + at + n, to + at, size - at);
    memcpy(to + at, what, n);
    return size + n;
}

// The key or value around `at` becomes a word.
static size_t fuzz_replace(uint8_t *text, size_t size, size_t at, const char *word) {
    static const char ends[] = "{}[]:,\n";
    size_t from = at, to = at;
    while (from > 0 && !strchr(ends, text[from - 1])) from--;
    while (to < size && !strchr(ends, text[to])) to++;
    while (from < to && text[from] == ' ') from++; // keeps the indentation
    memmove(text + from, text + to, size - to);
    return fuzz_insert(text, size - (to - from), from, word, strlen(word));
}

static size_t fuzz_mutate(uint8_t *text, size_t size, int n_word) {
    size_t at = fuzz_random((uint32_t)size + 1), rest = size - at;
    size_t n = rest ? fuzz_random((uint32_t)(rest < 40 ? rest : 40)) + 1 : 0;
    const fuzz_seed *other = &fuzz_seeds[fuzz_random((uint32_t)fuzz_n_seed)];
    uint8_t copy[64], byte = (uint8_t)fuzz_random(256);
    const char *word = fuzz_words[fuzz_random((uint32_t)n_word)];
    switch (fuzz_random(10)) {
    case 0: // a byte changes
        if (rest) text[at] = byte;
        return size;
    case 1: // a piece goes
        memmove(text + at, text + at + n, rest - n);
        return size - n;
    case 2: // a piece comes twice
        memcpy(copy, text + at, n);
        return fuzz_insert(text, size, at, copy, n);
    case 3: // the text ends
        return fuzz_random(8) ? size : at;
    case 4: // a piece of another seed
        n = other->size < 60 ? other->size : 60;
        n = n ? fuzz_random((uint32_t)n) + 1 : 0;
        return fuzz_insert(text, size, at,
                           other->data + fuzz_random((uint32_t)(other->size - n) + 1), n);
    case 5:
    case 6:
    case 7: // a word that means something comes in
        return fuzz_insert(text, size, at, word, strlen(word));
    default:
        return fuzz_replace(text, size, at, word);
    }
}

// The next input: a text that was changed a little, or choices.
static size_t fuzz_next(uint8_t *out, int n_word) {
    size_t size = 4 + fuzz_random(60);
    if (n_word == 0) {
        for (size_t i = 0; i < size; i++) out[i] = (uint8_t)fuzz_random(256);
        return size;
    }
    const fuzz_seed *s = &fuzz_seeds[fuzz_random((uint32_t)fuzz_n_seed)];
    size = s->size < FUZZ_LARGEST / 2 ? s->size : FUZZ_LARGEST / 2;
    memcpy(out, s->data, size);
    for (uint32_t times = 1 + fuzz_random(5); times > 0; times--)
        size = fuzz_mutate(out, size, n_word);
    return size;
}

int main(int argc, char **argv) {
    static uint8_t input[FUZZ_LARGEST];
    int n_word = 0;
    demand(argc > 1, "usage: TARGET FOLDER [COUNT [SEED [FIRST]]]");
    fuzz_load(argv[1]);
    long count = argc > 2 ? atol(argv[2]) : 1000, first = argc > 4 ? atol(argv[4]) : 0;
    time_t last = 0; // moment at which it ends; 0: after `count` inputs
    if (argc > 2 && strchr(argv[2], 's')) last = time(NULL) + count, count = LONG_MAX;
    fuzz_state = argc > 3 ? strtoull(argv[3], NULL, 10) : 20150101;
    while (fuzz_words[n_word]) n_word++;
    double most = 0;
    for (int k = 0; k < fuzz_n_seed; k++) { // the first choice is which of them, one byte: as it is
        const uint8_t which = (uint8_t)k;
        const fuzz_seed *s = &fuzz_seeds[k];
        LLVMFuzzerTestOneInput(n_word ? s->data : &which, n_word ? s->size : 1);
    }
    fuzz_taken = 0;
    long i = 0;
    clock_t begin = clock(), end;
    for (; i < count && (last == 0 || time(NULL) < last); i++) {
        size_t size = fuzz_next(input, n_word);
        if (i < first) continue;
        snprintf(fuzz_place, sizeof fuzz_place, "input %ld: ", i);
        LLVMFuzzerTestOneInput(input, size);
        end = clock(); // of this one and of making the next
        double seconds = (double)(end - begin) / CLOCKS_PER_SEC;
        begin = end;
        most = seconds > most ? seconds : most;
        demand(seconds < 10, "an input of a few kilobytes takes more than 10 s");
    }
    printf("%d seeds, %ld mutations, %ld not refused, slowest %.3f s\n", fuzz_n_seed, i, fuzz_taken,
           most);
    for (int k = 0; k < fuzz_n_seed; k++) free(fuzz_seeds[k].data);
    return 0;
}
#endif
#endif
