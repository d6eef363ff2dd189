// expression_fuzz.c -- formulas of model files: hostile texts become a number at every state or are
// refused by name and position.
#include "fuzz.h"

#include "structure/piecewise/expression.h"

const char *const fuzz_words[] = {
    "sin(", "exp(",   "sqrt(", "min(",   "max(",  "sum(", "if(", "y1", "y2",   "t",
    "a",    "^",      "**",    "+",      "-",     "*",    "/",   "(",  ")",    "((((",
    "))))", ",",      "?",     ":",      "1?2:",  "&&",   "||",  "==", "!=",   "<",
    "=",    "y1=",    "1e308", "1e-320", ".",     "0x1F", "_pi", "_e", "rnd(", "\"x\"",
    "\"",   "atan2(", "sign(", "rint(",  "log2(", " ",    "\n",  NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const name[] = {"t", "y1", "y2", "a"};
    double value[4] = {0.5, 1, -2, 3}, *at[4] = {value, value + 1, value + 2, value + 3};
    char *text = fuzz_text(data, size);
    jd_context *context = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(context);
    jd_expression *e = NULL;
    jd_status s = jd_expression_create(arena, text, 4, name, at, &e);
    demand_named(context, s);
    demand((s == JD_OK) == (e != NULL), "status and formula disagree");
    fuzz_taken += s == JD_OK;
    if (e) {
        double first = jd_expression_value(e), second = jd_expression_value(e);
        demand(!(first != second) || (first != first && second != second),
               "a formula that changes what it is computed from");
    }
    jd_expression_free(e);
    jd_arena_free(arena);
    jd_context_free(context);
    free(text);
    return 0;
}
