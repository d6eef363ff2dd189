// expression.c -- formulas by muParser, through its C interface; the only file that knows it.
#include "structure/piecewise/expression.h"

#include <string.h>

#include "lazy/muparser.h"

struct jd_expression {
    muParserHandle_t handle;
};

// muParser reports what it did not throw itself, std::bad_alloc above all, as an internal error.
// Its C interface has no names for the codes of errors, which change from version to version.
static bool starved(muParserHandle_t h) {
    const char *message = mupGetErrorMsg(h);
    return message && strncmp(message, "Internal error", 14) == 0;
}

static jd_status refuse(jd_arena *arena, const char *text, muParserHandle_t h) {
    jd_context *context = jd_arena_context(arena);
    if (starved(h))
        return jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for the formula `%s`", text);
    int at = mupGetErrorPos(h);
    char what[200];
    const char *message = mupGetErrorMsg(h);
    strncpy(what, message ? message : "", sizeof what - 1);
    what[sizeof what - 1] = '\0';
    if (at < 0) at = (int)strlen(text);
    jd_fail(context, JD_WRONG_TYPE, "the formula `%s` is not understood at position %d: %s", text,
            at + 1, what);
    jd_fail_hint(context,
                 "known: t, y1, y2, ..., the names of `parameters`, sin cos exp sqrt ..., ^");
    return JD_WRONG_TYPE;
}

// A formula of muParser may assign (`y1 = 2`), which would change the motion it is computed from.
static jd_status refuse_assignment(jd_arena *arena, const char *text) {
    for (const char *p = strchr(text, '='); p; p = strchr(p + 1, '=')) {
        if (p[1] == '=') {
            p++; // ==
        } else if (p == text || !strchr("!<>", p[-1])) {
            jd_context *context = jd_arena_context(arena);
            jd_fail(context, JD_WRONG_TYPE,
                    "the formula `%s` is not understood at position %d: it assigns a value", text,
                    (int)(p - text) + 1);
            jd_fail_hint(context, "write == to compare");
            return JD_WRONG_TYPE;
        }
    }
    return JD_OK;
}

jd_status jd_expression_create(jd_arena *arena, const char *text, int n, const char *const *name,
                               double *const *at, jd_expression **out) {
    // muParser throws std::bad_alloc across this language's functions, which ends the program
    enum { FOR_FORMULA = 1 << 18 }; // bytes; a parser with its functions is about 60 kB
    jd_expression *e = JD_TAKE(arena, jd_expression, 1);
    *out = NULL;
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_room(jd_arena_context(arena), FOR_FORMULA + 100 * strlen(text)));
    JD_TRY(refuse_assignment(arena, text));
    JD_TRY(jd_lazy_muparser_ready(jd_arena_context(arena)));
    muParserHandle_t h = e->handle = mupCreate(muBASETYPE_FLOAT);
    if (!h) return jd_fail(jd_arena_context(arena), JD_OUT_OF_MEMORY, "not enough memory");
    for (int i = 0; i < n; i++) mupDefineVar(h, name[i], at[i]);
    if (mupError(h)) {
        jd_status s = starved(h) ? JD_OUT_OF_MEMORY : JD_WRONG_TYPE;
        jd_fail(jd_arena_context(arena), s,
                s == JD_OUT_OF_MEMORY ? "not enough memory for a formula: %s"
                                      : "a parameter has a name that formulas cannot use: %s",
                mupGetErrorMsg(h));
        mupRelease(h);
        return s;
    }
    mupSetExpr(h, text);
    mupEval(h);
    jd_status status = mupError(h) ? refuse(arena, text, h) : JD_OK;
    if (status == JD_OK)
        *out = e;
    else
        mupRelease(h);
    return status;
}

double jd_expression_value(const jd_expression *e) { return mupEval(e->handle); }

bool jd_expression_uses(const jd_expression *e, const double *at) {
    int n = mupGetExprVarNum(e->handle);
    for (int i = 0; i < n; i++) {
        const muChar_t *name = NULL;
        muFloat_t *where = NULL;
        mupGetExprVar(e->handle, (unsigned)i, &name, &where);
        if (where == at) return true;
    }
    return false;
}

void jd_expression_free(jd_expression *e) {
    if (e) mupRelease(e->handle);
}
