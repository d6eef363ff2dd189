// identity.c -- one number that tells problems apart: for journals, shards and processes that work
// on one problem together.
//   Made of the version, the model's text, everything numeric that it can say, names and types of
//   contacts, drives and start, and the modes that all of it leads to.
#include <string.h>

#include "base/hash.h"
#include "problem/parts.h"
#include "problem/system.h"

static void mix_text(uint64_t *hash, const char *text) {
    *hash = jd_hash(*hash, text, strlen(text) + 1);
}

// Everything numeric a model can say, by path; lists of points and texts by what they lead to.
static void mix_number(void *hash, const char *path, double value) {
    unsigned char bytes[sizeof value];
    memcpy(bytes, &value, sizeof value);
    mix_text(hash, path);
    *(uint64_t *)hash = jd_hash(*(uint64_t *)hash, bytes, sizeof bytes);
}

static void mix_system(uint64_t *hash, const jd_system *s) {
    size_t row = (size_t)s->modal.n * sizeof(jd_dd);
    *hash = jd_hash(*hash, s->modal.omega2, row);
    for (int j = 0; j < s->n_contact; j++)
        if (s->contact[j]) *hash = jd_hash(*hash, s->contact[j], row);
    for (int d = 0; d < s->n_drive; d++)
        if (s->drive[d]) *hash = jd_hash(*hash, s->drive[d], row);
}

uint64_t jd_problem_identity(const jd_problem *p) {
    uint64_t hash = jd_hash_start;
    mix_text(&hash, jd_version());
    mix_text(&hash, jd_problem_text(p));
    for (int i = 0; i < jd_problem_contacts(p); i++) {
        const jd_contact_def *c = jd_problem_contact(p, i)->def;
        mix_text(&hash, jd_problem_contact(p, i)->name);
        mix_text(&hash, c->law.type->name);
    }
    for (int i = 0; i < jd_problem_drives(p); i++)
        mix_text(&hash, jd_problem_drive(p, i)->type->name);
    mix_text(&hash, jd_problem_start(p)->type->name);
    jd_problem_numbers(p, mix_number, &hash);
    mix_system(&hash, jd_problem_system(p));
    return hash;
}
