// words.h -- names and texts of the kinds in a list X(symbol, name, text).
//   static const jd_word stops[] = {JD_STOP_LIST(JD_WORD)};
#ifndef JD_BASE_WORDS_H
#define JD_BASE_WORDS_H

typedef struct jd_word {
    const char *name, *text;
} jd_word;

#define JD_WORD(symbol, name, text) {name, text},

static inline const char *jd_word_name(const jd_word *words, int n, int i) {
    return i >= 0 && i < n ? words[i].name : "unknown";
}
static inline const char *jd_word_text(const jd_word *words, int n, int i) {
    return i >= 0 && i < n ? words[i].text : "no such kind";
}

#endif
