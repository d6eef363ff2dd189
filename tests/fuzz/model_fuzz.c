// model_fuzz.c -- the model reader on hostile input: no crash, no hang, no leak.
//   With libFuzzer (clang -fsanitize=fuzzer -DJD_LIBFUZZER) the entry point alone. Without it, a
//   main that replays a corpus and then a fixed number of mutations of it from a fixed seed:
//       model_fuzz FOLDER [MUTATIONS]
//   The first line of a text, when it begins with `#set `, is taken as a --set option.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Errors must be complete: a status, a message, a place.
static void demand(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "model_fuzz: %s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    jd_context *context = jd_context_create(NULL);
    char *text = malloc(size + 1), *option = NULL;
    memcpy(text, data, size);
    text[size] = '\0';
    size_t line = strcspn(text, "\n");
    if (!strncmp(text, "#set ", 5) && line < 200) {
        option = calloc(1, line + 1);
        memcpy(option, text + 5, line - 5);
    }
    const char *set = option;
    jd_model_text_def def = {text, size, option != NULL, &set};
    jd_problem *problem = NULL;
    jd_status status = jd_model_make(context, "fuzz", "", &def, false, &problem);
    const jd_error *e = jd_context_error(context);
    demand((status == JD_OK) == (problem != NULL), "status and problem disagree");
    demand(status == JD_OK || (e->status == status && e->message[0] && e->where[0]),
           "a failure without message or place");
    demand(status != JD_INTERNAL, "a check inside failed");
    jd_problem_free(problem);
    free(option);
    free(text);
    jd_context_free(context);
    return 0;
}

#ifndef JD_LIBFUZZER

enum { MOST_SEEDS = 200, LARGEST = 1 << 16 };

typedef struct seed {
    uint8_t *data;
    size_t size;
} seed;

static uint64_t random_state = 20150101;

static uint32_t random_below(uint32_t n) { // splitmix64
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) % n);
}

static int load(const char *folder, seed *seeds) {
    struct dirent **names;
    int n = scandir(folder, &names, NULL, alphasort), kept = 0; // sorted: the same everywhere
    for (int i = 0; i < n; i++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        FILE *file = names[i]->d_name[0] != '.' && kept < MOST_SEEDS ? fopen(path, "rb") : NULL;
        free(names[i]);
        if (!file) continue;
        seed *s = &seeds[kept++];
        s->data = malloc(LARGEST);
        s->size = fread(s->data, 1, LARGEST / 2, file);
        fclose(file);
    }
    if (n >= 0) free(names);
    return kept;
}

static const char *const marks[] = {"{",  "}",   "[",     "]",      ": ",  ", ",    "\n",  "\n  ",
                                    "- ", "&a ", "*a",    "!!str ", "\"",  "'",     "|\n", "? ",
                                    "%",  "=",   "#set ", "\xCD",   "...", "---\n", "\t",  "# "};
// What may stand for a key or a value, so that mutations get past the YAML parser.
static const char *const words[] = {"type",
                                    "length",
                                    "points",
                                    "law",
                                    "at",
                                    "against",
                                    "damping",
                                    "supports",
                                    "body",
                                    "span",
                                    "node",
                                    "dof",
                                    "mode",
                                    "times",
                                    "frequency",
                                    "until",
                                    "contacts",
                                    "drives",
                                    "bodies",
                                    "start",
                                    "follow",
                                    "sweep",
                                    "parameter",
                                    "from",
                                    "1e9",
                                    "-1",
                                    "0",
                                    ".nan",
                                    "1 m",
                                    "5 kN",
                                    "2 Hz",
                                    "30 rpm",
                                    "1e999",
                                    "2.5",
                                    "7 periods",
                                    "1 N/m",
                                    "3 kg",
                                    "1 m^255",
                                    "45 deg",
                                    "1 %",
                                    "ground",
                                    "tip",
                                    "pile.head",
                                    "infinite",
                                    "all",
                                    "coulomb",
                                    "stop",
                                    "chain",
                                    "fe-beam",
                                    "string",
                                    "rod",
                                    "none",
                                    "ratio",
                                    "rayleigh",
                                    "harmonic",
                                    "rest",
                                    "[1, 2]",
                                    "{}",
                                    "[]",
                                    "true",
                                    "''",
                                    "[25 m, 50 m]",
                                    "{velocity: 1}",
                                    "{node: 3}",
                                    "{times: 2, mode: 1}",
                                    "structure.length",
                                    "contacts.tip.law.limit"};

static size_t insert(uint8_t *to, size_t size, size_t at, const void *what, size_t n) {
    if (size + n > LARGEST) return size;
    memmove(to + at + n, to + at, size - at);
    memcpy(to + at, what, n);
    return size + n;
}

// The key or value around `at` becomes another one.
static size_t replace_word(uint8_t *text, size_t size, size_t at) {
    static const char ends[] = "{}[]:,\n";
    size_t from = at, to = at;
    while (from > 0 && !strchr(ends, text[from - 1])) from--;
    while (to < size && !strchr(ends, text[to])) to++;
    while (from < to && text[from] == ' ') from++; // keeps the indentation
    memmove(text + from, text + to, size - to);
    const char *word = words[random_below(sizeof words / sizeof *words)];
    return insert(text, size - (to - from), from, word, strlen(word));
}

static size_t mutate(uint8_t *text, size_t size, const seed *other) {
    size_t at = random_below((uint32_t)size + 1);
    size_t rest = size - at, n = rest ? random_below((uint32_t)(rest < 40 ? rest : 40)) + 1 : 0;
    const char *mark = marks[random_below(sizeof marks / sizeof *marks)];
    uint8_t copy[64], byte = (uint8_t)random_below(256);
    switch (random_below(12)) {
    case 0: // a byte changes
        if (rest) text[at] = byte;
        return size;
    case 1: // a piece goes
        memmove(text + at, text + at + n, rest - n);
        return size - n;
    case 2: // a piece comes twice
        memcpy(copy, text + at, n);
        return insert(text, size, at, copy, n);
    case 3: // a piece of another seed
        if (!other->size) return size;
        n = random_below((uint32_t)(other->size < 60 ? other->size : 60)) + 1;
        return insert(text, size, at, other->data + random_below((uint32_t)(other->size - n) + 1),
                      n);
    case 4:
        return insert(text, size, at, mark, strlen(mark));
    default:
        return replace_word(text, size, at);
    }
}

static void slowest(clock_t begin, double *most) {
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (seconds > *most) *most = seconds;
    demand(seconds < 5, "a text of a few kilobytes takes more than 5 s");
}

int main(int argc, char **argv) {
    static seed seeds[MOST_SEEDS];
    int n = argc > 1 ? load(argv[1], seeds) : 0;
    int mutations = argc > 2 ? atoi(argv[2]) : 1000;
    demand(n > 0, "usage: model_fuzz FOLDER [MUTATIONS]; the folder has no seeds");
    double most = 0;
    for (int i = 0; i < n + mutations; i++) {
        static uint8_t text[LARGEST];
        const seed *s = &seeds[i < n ? (uint32_t)i : random_below((uint32_t)n)];
        size_t size = s->size;
        if (size) memcpy(text, s->data, size);
        uint32_t times = i < n ? 0 : 1 + random_below(4);
        while (times--) size = mutate(text, size, &seeds[random_below((uint32_t)n)]);
        clock_t begin = clock();
        LLVMFuzzerTestOneInput(text, size);
        slowest(begin, &most);
    }
    printf("%d seeds, %d mutations, slowest %.3f s\n", n, mutations, most);
    for (int i = 0; i < n; i++) free(seeds[i].data);
    return 0;
}
#endif
