// journal.c -- journals of sweeps: kills at every byte that matters, damage, foreign files.
#include "sweep_case.h"

#include <sys/stat.h>
#include <unistd.h>

#include "result/file/journal.h"

static const char model[] =
    KNOCKER("{type: ratio, value: 0.01}", "parameters: drives.force.frequency, from: 1.2, to: 1.8, "
                                          "points: 3, direction: both, samples: 2");
static const char other[] =
    KNOCKER("{type: ratio, value: 0.02}", "parameters: drives.force.frequency, from: 1.2, to: 1.8, "
                                          "points: 3, direction: both, samples: 2");
static const char path[] = "fault-journal.tmp";
enum { HEADER = 40 };

typedef struct recording {
    jd_sweep *sweep;
    jd_journal *journal;
    int restored, computed;
} recording;

static jd_status take(void *user, uint32_t number, const unsigned char *bytes) {
    recording *r = user;
    r->restored++;
    return jd_sweep_restore(r->sweep, (int)number, bytes);
}

static jd_status keep(void *user, const jd_sweep *sweep, int index) {
    recording *r = user;
    unsigned char bytes[4096];
    r->computed++;
    assert_true(jd_sweep_packed_size(sweep) <= sizeof bytes);
    jd_sweep_pack(sweep, index, bytes);
    return jd_journal_add(r->journal, (uint32_t)index, bytes);
}

static jd_status begin(model_case *m, recording *r, bool restart) {
    const jd_journal_def def = {.path = path,
                                .work = "sweep",
                                .identity = jd_sweep_identity(r->sweep),
                                .count = (uint32_t)jd_sweep_look(r->sweep)->n_point,
                                .size = jd_sweep_packed_size(r->sweep),
                                .restart = restart,
                                .take = take,
                                .user = r};
    return jd_journal_open(m->context, &def, &r->journal);
}

static recording go_on(model_case *m, const char *text) {
    recording r = {.sweep = sweep_of(m, text)};
    bool complete;
    assert_int_equal(begin(m, &r, false), JD_OK);
    const jd_sweep_options options = {.threads = 2, .finished = keep, .user = &r};
    assert_int_equal(jd_sweep_run(r.sweep, &options, &complete), JD_OK);
    assert_true(complete);
    jd_journal_close(r.journal, false);
    return r;
}

static size_t file_read(unsigned char *out, size_t room) {
    FILE *f = fopen(path, "rb");
    size_t n = fread(out, 1, room, f);
    fclose(f);
    return n;
}

static void file_write(const unsigned char *bytes, size_t n) {
    FILE *f = fopen(path, "wb");
    fwrite(bytes, 1, n, f);
    fclose(f);
}

static void killed_sweeps_go_on_with_the_same_bits(void **state) {
    static unsigned char bytes[100000];
    unlink(path);
    recording whole = go_on(*state, model);
    assert_int_equal(whole.computed, 6);
    size_t n = file_read(bytes, sizeof bytes), piece = (n - HEADER) / 6;
    assert_int_equal(n, HEADER + 6 * piece);
    for (size_t k = 0; k <= 6; k++)
        for (size_t more = 0; more < 4 && k * piece + more <= 6 * piece; more++) {
            size_t torn = more == 0 ? 0 : more == 1 ? 1 : more == 2 ? piece / 2 : piece - 1;
            if (k == 6 && torn) continue;
            file_write(bytes, HEADER + k * piece + torn);
            model_case *again;
            model_case_begin((void **)&again);
            recording r = go_on(again, model);
            assert_int_equal(r.restored, (int)k);
            assert_int_equal(r.computed, 6 - (int)k);
            same_bits(r.sweep, whole.sweep);
            jd_sweep_free(r.sweep);
            r = go_on(again, model); // what was torn is gone: all of it is read
            assert_int_equal(r.restored, 6);
            jd_sweep_free(r.sweep);
            model_case_end((void **)&again);
        }
    for (size_t k = 0; k < HEADER; k += 13) { // killed while the header was written
        file_write(bytes, k);
        model_case *again;
        model_case_begin((void **)&again);
        recording r = go_on(again, model);
        assert_int_equal(r.restored, 0);
        same_bits(r.sweep, whole.sweep);
        jd_sweep_free(r.sweep);
        model_case_end((void **)&again);
    }
    jd_sweep_free(whole.sweep);
    unlink(path);
}

// Refused by name with the way out, and nothing in the file is touched.
static void refused(model_case *m, const char *text, const char *message) {
    static unsigned char before[100000], after[100000];
    size_t n = file_read(before, sizeof before);
    recording r = {.sweep = sweep_of(m, text)};
    assert_int_equal(begin(m, &r, false), JD_BAD_RESULT_FILE);
    assert_null(r.journal);
    const jd_error *e = jd_context_error(m->context);
    says("message", e->message, message);
    says("message", e->message, path);
    says("hint", e->hint, "--restart");
    assert_int_equal(file_read(after, sizeof after), n);
    assert_memory_equal(before, after, n);
    jd_sweep_free(r.sweep);
}

static void damaged_and_foreign_journals_are_refused(void **state) {
    static unsigned char bytes[100000];
    unlink(path);
    recording whole = go_on(*state, model);
    jd_sweep_free(whole.sweep);
    size_t n = file_read(bytes, sizeof bytes), piece = (n - HEADER) / 6;
    const size_t places[] = {HEADER,         HEADER + 3,
                             HEADER + 100,   HEADER + piece - 1,
                             HEADER + piece, HEADER + 3 * piece + 50,
                             n - 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        bytes[places[i]] ^= 0x10;
        file_write(bytes, n);
        refused(*state, model, "is damaged: record");
        bytes[places[i]] ^= 0x10;
    }
    for (size_t i = 8; i < HEADER; i++) {
        bytes[i] ^= 0x01;
        file_write(bytes, n);
        refused(*state, model, "is damaged: its header");
        bytes[i] ^= 0x01;
    }
    file_write(bytes, n);
    refused(*state, other, "belongs to another model");
    file_write((const unsigned char *)"not a journal", 13);
    refused(*state, model, "is not a journal of Judder");
    unlink(path);
}

static void restart_discards_what_is_there(void **state) {
    file_write((const unsigned char *)"not a journal", 13);
    recording r = {.sweep = sweep_of(*state, model)};
    assert_int_equal(begin(*state, &r, true), JD_OK);
    assert_int_equal(r.restored, 0);
    jd_journal_close(r.journal, true);
    assert_int_equal(access(path, F_OK), -1);
    jd_sweep_free(r.sweep);
}

static jd_status count_taken(void *user, uint32_t number, const unsigned char *bytes) {
    (void)bytes;
    assert_true(number < 3);
    ++*(int *)user;
    return JD_OK;
}

// A record that is whole, with a number of none of the pieces: nobody is asked to take it.
static void a_record_beyond_the_last_is_refused_unread(void **state) {
    model_case *m = *state;
    const unsigned char bytes[8] = "piece";
    for (uint32_t number = 2; number < 6; number++) {
        int taken = 0;
        jd_journal *j = NULL;
        jd_journal_def def = {.path = path, .work = "sweep", .count = 3, .size = 8};
        def.take = count_taken, def.user = &taken, def.restart = true;
        assert_int_equal(jd_journal_open(m->context, &def, &j), JD_OK);
        assert_int_equal(jd_journal_add(j, 0, bytes), JD_OK);
        assert_int_equal(jd_journal_add(j, number, bytes), JD_OK);
        jd_journal_close(j, false);
        def.restart = false;
        jd_status s = jd_journal_open(m->context, &def, &j);
        assert_int_equal(s, number < 3 ? JD_OK : JD_BAD_RESULT_FILE);
        assert_int_equal(taken, number < 3 ? 2 : 1);
        jd_journal_close(j, false);
    }
    unlink(path);
}

static void unwritable_journals_name_the_file(void **state) {
    model_case *m = *state;
    jd_journal *journal;
    jd_journal_def def = {.path = "no/such/folder/x.journal", .work = "sweep", .size = 8};
    assert_int_equal(jd_journal_open(m->context, &def, &journal), JD_CANNOT_WRITE);
    says("message", jd_context_error(m->context)->message, def.path);
    def.path = "/";
    assert_int_equal(jd_journal_open(m->context, &def, &journal), JD_CANNOT_WRITE);
    def.path = "/dev/full";
    assert_int_equal(jd_journal_open(m->context, &def, &journal), JD_BAD_RESULT_FILE);
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(killed_sweeps_go_on_with_the_same_bits),
                                       MODEL_TEST(damaged_and_foreign_journals_are_refused),
                                       MODEL_TEST(restart_discards_what_is_there),
                                       MODEL_TEST(a_record_beyond_the_last_is_refused_unread),
                                       MODEL_TEST(unwritable_journals_name_the_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
