// names.c -- names and texts of special points and of the ends of branches, from their lists.
#include "base/words.h"
#include "judder/follow.h"

static const jd_word specials[] = {JD_SPECIAL_LIST(JD_WORD)};
static const jd_word ends[] = {JD_END_LIST(JD_WORD)};

const char *jd_special_name(jd_special_kind k) {
    return jd_word_name(specials, JD_SPECIAL_COUNT, (int)k);
}
const char *jd_special_text(jd_special_kind k) {
    return jd_word_text(specials, JD_SPECIAL_COUNT, (int)k);
}
const char *jd_end_name(jd_end_kind k) { return jd_word_name(ends, JD_END_COUNT, (int)k); }
const char *jd_end_text(jd_end_kind k) { return jd_word_text(ends, JD_END_COUNT, (int)k); }

#define NAME(symbol, name) name,
const char *jd_curve_name(jd_curve_kind k) {
    static const char *const names[] = {JD_CURVE_LIST(NAME)};
    return (unsigned)k < JD_CURVE_COUNT ? names[k] : "";
}
