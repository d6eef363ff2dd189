// labels.c -- what axes say of a number of the model and of a measure, in words.
//   contacts.tip.law.limit          limit of tip
//   contacts.bow.against.velocity   velocity of the counterpart of bow
//   drives.push.frequency.times     frequency of push over a natural one
//   contacts.bow.law.times          factor of the friction of bow
//   structure.points.bow            place of bow
//   structure.damping.mass          damping mass
//   tip.displacement.max            largest displacement of tip
//   What has another form is left as it is.
#include <string.h>

#include "picture/scenes.h"

enum { PARTS = 8 };

// The parts of a path, in a copy; 0: too many.
static int split(jd_arena *arena, const char *path, char *part[PARTS]) {
    char *text = jd_arena_text(arena, path);
    int n = 0;
    for (char *p = text; p && n < PARTS; p = strchr(p, '.')) {
        if (n) *p++ = '\0';
        part[n++] = p;
    }
    return text && !strchr(part[n - 1], '.') ? n : 0;
}

static void spell(char *word) {
    for (; *word; word++)
        if (*word == '_') *word = ' ';
}

static bool is(const char *word, const char *other) { return strcmp(word, other) == 0; }

// Words of contacts.NAME..., drives.NAME..., bodies.NAME...: the keys, then the name.
static const char *named(jd_arena *arena, int n, char **part) {
    bool factor = is(part[n - 1], "times"), of_law = factor && is(part[n - 2], "law");
    const char *of = "of", *end = factor && !of_law ? " over a natural one" : "";
    const char *words = of_law ? "factor of the friction" : "";
    for (int i = 2; i < n && words; i++) {
        if (is(part[i], "law") || is(part[i], "times")) continue;
        if (is(part[i], "against")) {
            of = "of the counterpart of";
            continue;
        }
        words = jd_arena_format(arena, "%s%s%s", words, words[0] ? " " : "", part[i]);
    }
    return words ? jd_arena_format(arena, "%s %s %s%s", words, of, part[1], end) : NULL;
}

const char *jd_parameter_words(jd_arena *arena, const char *path) {
    char *part[PARTS];
    int n = split(arena, path, part);
    if (n < 2) return path;
    for (int i = 0; i < n; i++) spell(part[i]);
    bool listed = is(part[0], "contacts") || is(part[0], "drives") || is(part[0], "bodies") ||
                  is(part[0], "connections");
    const char *words = NULL;
    if (listed && n > 2) words = named(arena, n, part);
    if (is(part[0], "structure") && n == 3 && is(part[1], "points"))
        words = jd_arena_format(arena, "place of %s", part[2]);
    else if (is(part[0], "structure") || is(part[0], "simulate"))
        for (int i = 1; i < n; i++)
            words = words ? jd_arena_format(arena, "%s %s", words, part[i]) : part[i];
    return words ? words : path;
}

const char *jd_parameter_label(jd_arena *arena, const jd_caption *caption, const char *path) {
    const char *words = jd_parameter_words(arena, path);
    for (int i = 0; caption->si && i < caption->n_unit; i++) {
        const char *unit = caption->unit[i].text;
        if (strcmp(caption->unit[i].name, path) != 0) continue;
        const char *label = jd_arena_format(arena, "%s [%s]", words, unit[0] ? unit : "–");
        return label ? label : path;
    }
    return words;
}

const char *jd_measure_label(jd_arena *arena, const char *measure) {
    static const char *const kinds[][2] = {{"max", "largest %s of %s"},
                                           {"min", "least %s of %s"},
                                           {"amplitude", "amplitude of the %s of %s"},
                                           {"rms", "root mean square %s of %s"},
                                           {"set", "%s of %s per period"},
                                           {"lost", "%s lost at %s in a period"}};
    static const char *const quantities[][2] = {{"displacement", "displacement"},
                                                {"velocity", "velocity"},
                                                {"force", "contact force"},
                                                {"impact", "impact speed"},
                                                {"energy", "energy"}};
    char *part[PARTS], *name = jd_arena_text(arena, measure);
    int n = split(arena, measure, part);
    if (n < 3 || !name) return measure;
    name[strlen(measure) - strlen(part[n - 1]) - strlen(part[n - 2]) - 2] = '\0';
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t q = 0; q < sizeof quantities / sizeof *quantities; q++) {
            if (!is(part[n - 1], kinds[k][0]) || !is(part[n - 2], quantities[q][0])) continue;
            const char *words = jd_arena_format(arena, kinds[k][1], quantities[q][1], name);
            return words ? words : measure;
        }
    return measure;
}
