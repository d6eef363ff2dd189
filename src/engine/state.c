// state.c -- the state of a run as one flat block of bytes: saved, checked, taken up again.
//   head (magic, byte order, version, engine, problem, sizes, sum of the bytes), then the
//   engine's own numbers. A block continues bit for bit, and only the problem it was saved from.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/hash.h"
#include "engine/engine.h"
#include "problem/system.h"

enum { VERSION = 3, BYTE_ORDER_MARK = 0x01020304, NAME = 16 };

typedef struct head {
    char magic[8];
    uint32_t order, version;
    char engine[NAME];
    uint64_t problem; // what the motion depends on
    uint64_t size;    // of all
    double t;
    uint64_t check; // over all that comes before it and after it
} head;

static const char magic[8] = "JDSTATE";

static uint64_t hash_real(uint64_t h, double x) {
    if (isnan(x)) x = 0; // left out; NaN has many bit patterns
    return jd_hash(h, &x, sizeof x);
}

static uint64_t hash_rows(uint64_t h, int n_row, int n, jd_dd *const *row) {
    for (int i = 0; i < n_row; i++)
        for (int k = 0; row[i] && k < n; k++) h = hash_real(h, row[i][k].hi);
    return h;
}

static uint64_t check_of(const head *h, const void *body) {
    return jd_hash(jd_hash(jd_hash_start, h, offsetof(head, check)), body, h->size - sizeof *h);
}

// What to compute and where it starts may change between two runs; the rest may not.
static bool matters(const char *path) {
    return !strncmp(path, "structure.", 10) || !strncmp(path, "bodies.", 7) ||
           !strncmp(path, "contacts.", 9) || !strncmp(path, "drives.", 7);
}

static void hash_number(void *user, const char *path, double value) {
    uint64_t *h = user;
    if (matters(path)) *h = hash_real(jd_hash(*h, path, strlen(path)), value);
}

static uint64_t hash_problem(jd_problem *p) {
    const jd_system *s = jd_problem_system(p);
    uint64_t h = jd_hash_start;
    jd_problem_numbers(p, hash_number, &h);
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        h = jd_hash(h, c->law.type->name, strlen(c->law.type->name));
    }
    for (int d = 0; d < jd_problem_drives(p); d++)
        h = hash_real(h, jd_problem_drive_frequency(p, d));
    for (int k = 0; k < s->modal.n; k++) h = hash_real(h, s->modal.omega2[k].hi);
    h = hash_rows(h, s->n_contact, s->modal.n, s->contact);
    return hash_rows(h, s->n_drive, s->modal.n, s->drive);
}

size_t jd_run_state_size(const jd_run *run) {
    return run->class->state_size ? sizeof(head) + run->class->state_size(run) : 0;
}

jd_status jd_run_state_save(jd_run *run, void *block, size_t size) {
    if (size == 0 || size != jd_run_state_size(run))
        return jd_fail(run->context, JD_BAD_ARGUMENT, "a state of %zu bytes does not fit into %zu",
                       jd_run_state_size(run), size);
    char *body = (char *)block + sizeof(head);
    head h = {.order = BYTE_ORDER_MARK,
              .version = VERSION,
              .problem = hash_problem(run->problem),
              .size = size,
              .t = run->t};
    JD_TRY(run->class->save(run, body));
    memcpy(h.magic, magic, sizeof h.magic);
    memcpy(h.engine, run->class->info.name, strnlen(run->class->info.name, NAME - 1));
    h.check = check_of(&h, body);
    memcpy(block, &h, sizeof h);
    return JD_OK;
}

bool jd_state_finite(size_t n, const double *x) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

bool jd_state_count(long long n) { return n >= 0 && n < 1LL << 53; }

jd_status jd_state_refuse(jd_run *run, const char *what) {
    jd_fail(run->context, JD_BAD_RESULT_FILE,
            "the saved state cannot be taken up: %s not what a run can have", what);
    jd_fail_hint(run->context, "the file was changed on purpose, or its run had gone wrong");
    return JD_BAD_RESULT_FILE;
}

static jd_status refuse(jd_run *run, const char *why) {
    return jd_fail(run->context, JD_BAD_RESULT_FILE, "the saved state cannot be taken up: %s", why);
}

jd_status jd_run_state_load(jd_run *run, const void *block, size_t size) {
    head h;
    if (size < sizeof h) return refuse(run, "it is too short");
    memcpy(&h, block, sizeof h);
    const char *body = (const char *)block + sizeof h;
    if (memcmp(h.magic, magic, sizeof h.magic) != 0) return refuse(run, "it is none of Judder's");
    if (h.order != BYTE_ORDER_MARK) return refuse(run, "it is of a machine of another byte order");
    if (h.version != VERSION) return refuse(run, "it is of another version of Judder");
    if (h.size != size || h.check != check_of(&h, body)) return refuse(run, "it is damaged");
    if (strncmp(h.engine, run->class->info.name, NAME - 1) != 0)
        return refuse(run, "another engine saved it");
    bool fits = run->class->state_varies || size == jd_run_state_size(run);
    if (h.problem != hash_problem(run->problem) || !fits) {
        refuse(run, "it belongs to another model");
        jd_fail_hint(run->context, "structure, contacts and drives must be those of the first run");
        return JD_BAD_RESULT_FILE;
    }
    if (!(h.t >= 0 && isfinite(h.t))) return jd_state_refuse(run, "its time is");
    run->t = run->begun = h.t;
    run->stop = JD_STOP_NONE;
    run->why[0] = '\0';
    jd_status status = run->class->load(run, body, size - sizeof h);
    run->waiting = status != JD_OK; // half a state is none
    return status;
}
