// mesh_input.c -- meshes from input files of Abaqus and CalculiX (gmsh writes them, too).
//   *NODE [, NSET=name]           lines `label, x, y, z`
//   *NSET, NSET=name [, GENERATE] labels and names of sets, or lines `first, last, step`
//   *ELEMENT, TYPE=C3D20R         lines `label, node, ..`, continued on the next line
// Other keywords are passed over. The order of nodes within an element is that of VTK but for
// three-node beams.
#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "structure/matrices/formats/mesh_parts.h"

enum { NAME = 128, WORD = 64 };

typedef enum section { OTHER, NODES, SETS, ELEMENTS } section;

// Element types by how their names begin; longer beginnings first.
static const struct {
    const char *name;
    int vtk, n;
} shapes[] = {{"C3D20", 25, 20}, {"C3D15", 26, 15}, {"C3D10", 24, 10}, {"C3D8", 12, 8},
              {"C3D6", 13, 6},   {"C3D4", 10, 4},   {"SC8", 12, 8},    {"CPS8", 23, 8},
              {"CPS6", 22, 6},   {"CPS4", 9, 4},    {"CPS3", 5, 3},    {"CPE8", 23, 8},
              {"CPE6", 22, 6},   {"CPE4", 9, 4},    {"CPE3", 5, 3},    {"CAX8", 23, 8},
              {"CAX6", 22, 6},   {"CAX4", 9, 4},    {"CAX3", 5, 3},    {"STRI65", 22, 6},
              {"STRI3", 5, 3},   {"M3D8", 23, 8},   {"M3D6", 22, 6},   {"M3D4", 9, 4},
              {"M3D3", 5, 3},    {"S8", 23, 8},     {"S6", 22, 6},     {"S4", 9, 4},
              {"S3", 5, 3},      {"T3D2", 3, 2},    {"T3D3", 21, 3},   {"T2D2", 3, 2},
              {"B31", 3, 2},     {"B32", 21, 3},    {"B21", 3, 2},     {"B22", 21, 3}};

typedef struct block {
    section kind;
    int set;       // of NODES and SETS; -1: none
    bool generate; // SETS
    int vtk, n;    // ELEMENTS; vtk 0: of a shape that is not kept
} block;

static bool starts(const char *at, const char *stop, const char *word) {
    size_t n = strlen(word);
    return (size_t)(stop - at) >= n && strncasecmp(at, word, n) == 0;
}

bool jd_mesh_is_input(jd_scan *s) {
    jd_scan_again(s);
    while (jd_scan_line(s)) {
        if (jd_scan_blank(s) || starts(s->at, s->stop, "**")) continue;
        return *s->at == '*' && s->at + 1 < s->stop && isalpha((unsigned char)s->at[1]);
    }
    return false;
}

static bool is_comment(const jd_scan *s) { return starts(s->at, s->stop, "**"); }

// The value of KEY=value on a keyword line, without blanks around it; NULL key: the keyword.
static bool keyword(const jd_scan *s, const char *key, char *out) {
    const char *at = s->at;
    out[0] = 0;
    for (int part = 0; at <= s->stop; part++) {
        const char *comma = memchr(at, ',', (size_t)(s->stop - at));
        const char *end = comma ? comma : s->stop, *from = at;
        at = end + 1;
        while (from < end && isspace((unsigned char)*from)) from++;
        if (key && !starts(from, end, key)) continue;
        if (key) {
            from += strlen(key);
            while (from < end && isspace((unsigned char)*from)) from++;
            if (from < end && *from != '=') continue; // a longer word
            if (from < end) from++;
            while (from < end && isspace((unsigned char)*from)) from++;
        }
        while (end > from && isspace((unsigned char)end[-1])) end--;
        size_t n = (size_t)(end - from) < NAME - 1 ? (size_t)(end - from) : NAME - 1;
        memcpy(out, from, n);
        out[n] = 0;
        for (char *c = out; *c; c++)
            if (*c < ' ' || *c > '~') *c = '?';
        return true;
    }
    return false;
}

static void element_shape(const char *type, block *b) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strncasecmp(type, shapes[i].name, strlen(shapes[i].name)) == 0) {
            b->vtk = shapes[i].vtk;
            b->n = shapes[i].n;
            return;
        }
}

static jd_status begin_block(jd_arena *arena, jd_mesh_parts *p, jd_scan *s, block *b) {
    char word[NAME];
    *b = (block){.kind = OTHER, .set = -1};
    keyword(s, NULL, word);
    if (!strcasecmp(word, "*NODE")) {
        b->kind = NODES;
        if (keyword(s, "SYSTEM", word) && word[0] && strcasecmp(word, "R") != 0)
            return jd_scan_fail(s, JD_NOT_SUPPORTED,
                                "coordinates of SYSTEM=%s are not read, only rectangular ones",
                                word);
    } else if (!strcasecmp(word, "*NSET")) {
        b->kind = SETS;
        b->generate = keyword(s, "GENERATE", word);
    } else if (!strcasecmp(word, "*ELEMENT")) {
        b->kind = ELEMENTS;
        if (keyword(s, "TYPE", word)) element_shape(word, b);
    }
    if ((b->kind == NODES || b->kind == SETS) && keyword(s, "NSET", word) && word[0])
        b->set = jd_mesh_set_number(arena, p, word);
    if (b->kind == SETS && b->set < 0) b->kind = OTHER;
    return jd_arena_status(arena);
}

static jd_status read_node(jd_mesh_parts *p, jd_scan *s, const block *b) {
    int label = 0;
    double at[3] = {0};
    static const char *const names[] = {"the coordinate x", "the coordinate y", "the coordinate z"};
    JD_TRY(jd_scan_integer(s, "the label of a node", 1, INT_MAX, &label));
    for (int d = 0; d < 3 && !jd_scan_blank(s); d++) {
        if (*s->at == ',') { // left out: 0
            s->at++;
            continue;
        }
        JD_TRY(jd_scan_real(s, names[d], &at[d]));
    }
    jd_mesh_add_node(p, label, at);
    if (b->set >= 0) p->member[p->n_member++] = (jd_mesh_members){b->set, -1, label, label, 1};
    return JD_OK;
}

static jd_status read_range(jd_mesh_parts *p, jd_scan *s, const block *b) {
    jd_mesh_members e = {.set = b->set, .other = -1, .step = 1};
    JD_TRY(jd_scan_integer(s, "the first node", 1, INT_MAX, &e.first));
    JD_TRY(jd_scan_integer(s, "the last node", 1, INT_MAX, &e.last));
    if (!jd_scan_blank(s)) JD_TRY(jd_scan_integer(s, "the step", 1, INT_MAX, &e.step));
    p->member[p->n_member++] = e;
    return JD_OK;
}

static jd_status read_members(jd_mesh_parts *p, jd_scan *s, const block *b) {
    if (b->generate) return read_range(p, s, b);
    while (!jd_scan_blank(s)) {
        if (strchr("+-0123456789", *s->at)) {
            int label = 0;
            JD_TRY(jd_scan_integer(s, "a node of the set", 1, INT_MAX, &label));
            p->member[p->n_member++] = (jd_mesh_members){b->set, -1, label, label, 1};
            continue;
        }
        char word[WORD];
        jd_scan_word(s, word, sizeof word);
        int other = 0;
        while (other < b->set && strcasecmp(p->set[other], word) != 0) other++;
        if (other < b->set && word[0])
            p->member[p->n_member++] = (jd_mesh_members){b->set, other, 0, 0, 1};
    }
    return JD_OK;
}

static bool data_line(jd_scan *s) { // false: a keyword or the end follows
    for (;;) {
        jd_scan before = *s;
        if (!jd_scan_line(s)) return false;
        if (jd_scan_blank(s) || is_comment(s)) continue;
        if (*s->at != '*') return true;
        *s = before;
        return false;
    }
}

// Label, then nodes; lines go on until there are enough, of unknown shapes while a comma is last.
static jd_status read_element(jd_mesh_parts *p, jd_scan *s, const block *b) {
    int label[JD_MESH_CELL_NODES + 1], n = 0, skipped = 0;
    int wanted = b->vtk ? b->n + 1 : INT_MAX;
    for (;;) {
        const char *last = s->stop;
        while (last > s->at && isspace((unsigned char)last[-1])) last--;
        bool goes_on = last > s->at && last[-1] == ',';
        while (n < wanted && !jd_scan_blank(s))
            JD_TRY(jd_scan_integer(s, "a node of an element", 1, INT_MAX,
                                   b->vtk ? &label[n++] : &skipped));
        if (b->vtk ? n == wanted : !goes_on) break;
        if (!data_line(s))
            return jd_scan_fail(s, s->broken, "the element ends after %d numbers of %d", n, wanted);
    }
    if (!b->vtk) {
        p->n_other++;
        return JD_OK;
    }
    if (b->vtk == 21) { // ends first, then the middle
        int middle = label[2];
        label[2] = label[3];
        label[3] = middle;
    }
    jd_mesh_add_cell(p, b->vtk, b->n, label + 1);
    return JD_OK;
}

// Upper bounds: a line of a section is a node or an element, a word of *NSET a member.
static void count(jd_scan *s, size_t *nodes, size_t *elements, size_t *members) {
    section kind = OTHER;
    bool named = false;
    char word[NAME];
    jd_scan_again(s);
    while (jd_scan_line(s)) {
        if (jd_scan_blank(s) || is_comment(s)) continue;
        if (*s->at == '*') {
            keyword(s, NULL, word);
            kind = !strcasecmp(word, "*NODE")      ? NODES
                   : !strcasecmp(word, "*ELEMENT") ? ELEMENTS
                   : !strcasecmp(word, "*NSET")    ? SETS
                                                   : OTHER;
            named = kind == NODES && keyword(s, "NSET", word);
            *members += 1; // the name of a set
            continue;
        }
        if (kind == NODES) *nodes += 1, *members += named;
        if (kind == ELEMENTS) *elements += 1;
        if (kind == SETS)
            for (const char *c = s->at; c < s->stop; c++)
                *members += c == s->at || *c == ',' || *c == ' ' || *c == '\t';
    }
}

jd_status jd_mesh_read_input(jd_arena *arena, jd_scan *s, jd_mesh *m) {
    jd_mesh_parts p = {.scan = s};
    size_t nodes = 0, elements = 0, members = 0;
    count(s, &nodes, &elements, &members);
    JD_TRY(jd_mesh_parts_room(arena, &p, nodes, elements, members));
    block b = {.kind = OTHER, .set = -1};
    jd_scan_again(s);
    s->commas = true;
    while (jd_scan_line(s)) {
        if (jd_scan_blank(s) || is_comment(s)) continue;
        if (*s->at == '*')
            JD_TRY(begin_block(arena, &p, s, &b));
        else if (b.kind == NODES)
            JD_TRY(read_node(&p, s, &b));
        else if (b.kind == SETS)
            JD_TRY(read_members(&p, s, &b));
        else if (b.kind == ELEMENTS)
            JD_TRY(read_element(&p, s, &b));
    }
    return jd_mesh_finish(arena, &p, m);
}
