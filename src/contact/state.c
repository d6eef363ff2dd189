// state.c -- contact states, their letters and words: the one table of letters.
#include "contact/state.h"

typedef struct entry {
    char letter;
    const char *text;
} entry;

static const entry states[] = {
#define X(symbol, letter, text) {letter, text},
    JD_CONTACT_STATE_LIST(X)
#undef X
};

static const entry none = {'?', "no contact state"};

static const entry *find(jd_contact_state s) {
    return (int)s >= 0 && s < JD_CONTACT_STATE_COUNT ? &states[s] : &none;
}

char jd_contact_letter(jd_contact_state s) { return find(s)->letter; }
const char *jd_contact_state_text(jd_contact_state s) { return find(s)->text; }

jd_contact_state jd_contact_state_of(char letter) {
    int s = 0;
    while (s < JD_CONTACT_STATE_COUNT && states[s].letter != letter) s++;
    return (jd_contact_state)s;
}
