// model_fuzz.c -- the model reader on hostile input: no crash, no hang, no leak.
//   The first line of a text, when it begins with `#set `, is taken as a --set option.
//   The database of units, which takes longer to read than most models, is read once: the linker
//   puts __wrap_* in the place of the two functions of udunits2 (tests/CMakeLists.txt).
#include "fuzz.h"

#include <udunits2.h>

#include "model/read.h"

// Marks of YAML, then what may stand for a key or a value, so that mutations get past its parser.
const char *const fuzz_words[] = {
    "{",        "}",          "[",           "]",         ": ",        ", ",        "\n",
    "\n  ",     "- ",         "&a ",         "*a",        "!!str ",    "\"",        "'",
    "|\n",      "? ",         "%",           "=",         "#set ",     "\xCD",      "...",
    "---\n",    "\t",         "# ",          "type",      "length",    "points",    "law",
    "at",       "against",    "damping",     "supports",  "body",      "span",      "node",
    "dof",      "mode",       "times",       "frequency", "until",     "contacts",  "drives",
    "bodies",   "start",      "follow",      "sweep",     "parameter", "from",      "1e9",
    "-1",       "0",          ".nan",        "1 m",       "5 kN",      "2 Hz",      "30 rpm",
    "1e999",    "2.5",        "7 periods",   "1 N/m",     "3 kg",      "1 m^255",   "45 deg",
    "1 %",      "ground",     "tip",         "pile.head", "infinite",  "all",       "coulomb",
    "stop",     "chain",      "fe-beam",     "string",    "rod",       "none",      "ratio",
    "rayleigh", "harmonic",   "rest",        "[1, 2]",    "{}",        "[]",        "true",
    "''",       "[2 m, 5 m]", "velocity: 1", "{node: 3}", "{mode: 1}", "structure", "tip.law.limit",
    NULL};

ut_system *__real_ut_read_xml(const char *path);
ut_system *__wrap_ut_read_xml(const char *path);
void __wrap_ut_free_system(ut_system *system);

ut_system *__wrap_ut_read_xml(const char *path) {
    static ut_system *kept;
    if (!kept) kept = __real_ut_read_xml(path);
    return kept;
}

void __wrap_ut_free_system(ut_system *system) { (void)system; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    jd_context *context = jd_context_create(NULL);
    char *text = fuzz_text(data, size), *option = NULL;
    size_t line = strcspn(text, "\n");
    if (!strncmp(text, "#set ", 5) && line < 200) {
        option = calloc(1, line + 1);
        memcpy(option, text + 5, line - 5);
    }
    const char *set = option;
    jd_model_text_def def = {.text = text, .size = size, .n_set = option != NULL, .set = &set};
    jd_problem *problem = NULL;
    jd_status status = jd_model_make(context, "fuzz", "", &def, false, &problem);
    demand((status == JD_OK) == (problem != NULL), "status and problem disagree");
    demand_named(context, status);
    demand(status == JD_OK || jd_context_error(context)->where[0], "a failure without a place");
    fuzz_taken += status == JD_OK;
    jd_problem_free(problem);
    free(option);
    free(text);
    jd_context_free(context);
    return 0;
}
