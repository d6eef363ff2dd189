// pieces.c -- starts and cases as bytes: taken up in any order by another process they give what
// one process computes, bit by bit; bytes that are none are refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "orbit_case.h"

enum { STARTS = 24, CASES = 7 };

// What `finished` packs: pieces one after the other, by their number.
typedef struct shelf {
    size_t size;
    unsigned char *bytes;
    int n;
    int least, most; // numbers that came
} shelf;

static shelf shelf_of(int n, size_t size) {
    shelf s = {.size = size, .bytes = calloc((size_t)n, size), .least = n, .most = -1};
    assert_non_null(s.bytes);
    return s;
}

static unsigned char *place(shelf *s, int number) {
    s->n++;
    s->least = number < s->least ? number : s->least;
    s->most = number > s->most ? number : s->most;
    return s->bytes + (size_t)number * s->size;
}

static jd_status put_start(void *user, const jd_attractors *a, int start) {
    jd_attractors_pack(a, start, place(user, start));
    return JD_OK;
}

// The lists of attractors have the same bits.
static void same_attractors(const jd_attractors *a, const jd_attractors *b) {
    assert_int_equal(jd_attractors_count(a), jd_attractors_count(b));
    assert_int_equal(jd_attractors_starts(a), jd_attractors_starts(b));
    assert_int_equal(jd_attractors_lost(a), jd_attractors_lost(b));
    assert_int_equal(jd_attractors_longest(a), jd_attractors_longest(b));
    for (int i = 0; i < jd_attractors_count(a); i++) {
        const jd_attractor *x = jd_attractor_look(a, i), *y = jd_attractor_look(b, i);
        assert_int_equal(x->starts, y->starts);
        assert_int_equal(x->rest, y->rest);
        assert_int_equal(x->family, y->family);
        assert_int_equal(x->mirror_of, y->mirror_of);
        assert_int_equal(x->orbit->found, y->orbit->found);
        assert_string_equal(x->orbit->phase, y->orbit->phase);
        if (!x->orbit->found) continue;
        assert_true(x->orbit->period == y->orbit->period);
        assert_memory_equal(x->orbit->state, y->orbit->state,
                            (size_t)x->orbit->n * sizeof *x->orbit->state);
    }
}

// Numbers 0 .. n - 1 in an order that is far from rising.
static int shuffled(int i, int n) { return (int)((7 * (long)i + 3) % n); }

static void starts_taken_up_in_any_order_are_the_same(void **state) {
    (void)state;
    static const char *const models[] = {"impact-oscillator/hysteresis.yaml", // two stable orbits
                                         "friction-beam/falling.yaml", "cantilever/tip.yaml",
                                         "friction-beam/rayleigh.yaml"};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        orbit_case c;
        jd_attractors *whole, *worker, *taken;
        bool complete;
        const char *set[] = {"drives.force.frequency=1.4"};
        orbit_read(&c, models[m], m == 0, set);
        const int n = m == 0 ? STARTS + 1 : 8; // no multiple of 7
        assert_int_equal(jd_attractors_create(c.context, c.problem, NULL, n, 9, &whole), JD_OK);
        assert_int_equal(jd_attractors_open(c.context, c.problem, NULL, n, 9, &worker), JD_OK);
        shelf s = shelf_of(n, jd_attractors_packed_size(worker));
        for (int first = n - 3; first > -3; first -= 3) { // as ranks get them
            int from = first > 0 ? first : 0;
            const jd_starts_options some = {.first = from,
                                            .n = first + 3 - from,
                                            .finished = put_start,
                                            .pass_on = true,
                                            .user = &s};
            assert_int_equal(jd_attractors_follow(worker, &some, &complete), JD_OK);
            assert_true(complete);
        }
        assert_int_equal(s.n, n);
        assert_int_equal(jd_attractors_starts(worker), 0); // passed on, not kept
        assert_int_equal(jd_attractors_open(c.context, c.problem, NULL, n, 9, &taken), JD_OK);
        assert_true(jd_attractors_identity(taken) == jd_attractors_identity(worker));
        for (int i = 0; i < n; i++) {
            int k = shuffled(i, n);
            assert_false(jd_attractors_is_done(taken, k));
            assert_int_equal(jd_attractors_restore(taken, k, s.bytes + (size_t)k * s.size), JD_OK);
            assert_true(jd_attractors_is_done(taken, k));
        }
        assert_int_equal(jd_attractors_finish(taken), JD_OK);
        same_attractors(whole, taken);
        if (m == 0) assert_true(jd_attractors_count(whole) == 2);
        jd_attractors_free(whole);
        jd_attractors_free(worker);
        jd_attractors_free(taken);
        free(s.bytes);
        orbit_end(&c);
    }
}

static void a_part_of_the_starts_is_gone_on_with(void **state) {
    (void)state;
    orbit_case c;
    jd_attractors *whole, *first, *second, *fewer;
    bool complete;
    orbit_read(&c, "impact-oscillator/forced.yaml", 0, NULL);
    assert_int_equal(jd_attractors_create(c.context, c.problem, NULL, STARTS, 2, &whole), JD_OK);
    assert_int_equal(jd_attractors_open(c.context, c.problem, NULL, STARTS, 2, &first), JD_OK);
    shelf s = shelf_of(STARTS, jd_attractors_packed_size(first));
    jd_starts_options some = {.first = 0, .n = 10, .finished = put_start, .user = &s};
    assert_int_equal(jd_attractors_follow(first, &some, &complete), JD_OK);
    assert_int_equal(jd_attractors_open(c.context, c.problem, NULL, STARTS, 2, &second), JD_OK);
    for (int i = 0; i < 10; i += 2)
        assert_int_equal(jd_attractors_restore(second, i, s.bytes + (size_t)i * s.size), JD_OK);
    shelf rest = shelf_of(STARTS, s.size);
    some = (jd_starts_options){.finished = put_start, .user = &rest};
    assert_int_equal(jd_attractors_follow(second, &some, &complete), JD_OK);
    assert_true(complete);
    assert_int_equal(rest.n, STARTS - 5);
    assert_int_equal(rest.least, 1);
    for (int i = 1; i < 10; i += 2) // computed twice: the same bytes
        assert_memory_equal(rest.bytes + (size_t)i * s.size, s.bytes + (size_t)i * s.size, s.size);
    assert_int_equal(jd_attractors_finish(second), JD_OK);
    same_attractors(whole, second);
    // The first ten alone are a search from ten starts.
    assert_int_equal(jd_attractors_finish(first), JD_OK);
    assert_int_equal(jd_attractors_create(c.context, c.problem, NULL, 10, 2, &fewer), JD_OK);
    same_attractors(fewer, first);
    jd_attractors *const all[] = {whole, first, second, fewer};
    for (int i = 0; i < 4; i++) jd_attractors_free(all[i]);
    free(s.bytes);
    free(rest.bytes);
    orbit_end(&c);
}

static void bytes_that_are_no_start_are_refused(void **state) {
    (void)state;
    orbit_case c;
    jd_attractors *a;
    bool complete;
    orbit_read(&c, "impact-oscillator/forced.yaml", 0, NULL);
    assert_int_equal(jd_attractors_open(c.context, c.problem, NULL, 4, 1, &a), JD_OK);
    shelf s = shelf_of(4, jd_attractors_packed_size(a));
    const jd_starts_options some = {.finished = put_start, .pass_on = true, .user = &s};
    assert_int_equal(jd_attractors_follow(a, &some, &complete), JD_OK);
    static const double wrong[] = {-1, 4, 1e300, (double)NAN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        unsigned char *bytes = malloc(s.size);
        assert_non_null(bytes);
        memcpy(bytes, s.bytes, s.size);
        memcpy(bytes, &wrong[i], sizeof(double)); // the kind
        assert_int_equal(jd_attractors_restore(a, 0, bytes), JD_BAD_ARGUMENT);
        free(bytes);
    }
    assert_int_equal(jd_attractors_restore(a, -1, s.bytes), JD_BAD_ARGUMENT);
    assert_int_equal(jd_attractors_restore(a, 4, s.bytes), JD_BAD_ARGUMENT);
    const jd_starts_options beyond = {.first = 3, .n = 2};
    assert_int_equal(jd_attractors_follow(a, &beyond, &complete), JD_BAD_ARGUMENT);
    assert_int_equal(jd_attractors_starts(a), 0);
    jd_attractors_free(a);
    free(s.bytes);
    orbit_end(&c);
}

static const char text[] =
    "judder: 1\n"
    "structure: {type: chain, count: 1, mass: 2 kg, stiffness: 800 N/m, points: {a: {node: 1}}}\n"
    "contacts: {a: {at: a, law: {type: coulomb, limit: 1 N}}}\n"
    "drives: {s: {at: a, type: harmonic, amplitude: 3 N, frequency: {times: 0.9, mode: 1}}}\n"
    "simulate: {until: 20 periods}\n";
static const jd_model_def model = {.name = "m.yaml", .text = text, .size = sizeof text - 1};
static const char *const paths[] = {"contacts.a.law.limit"};
static const char *const cells[CASES] = {"0.5", "", "4 N", "-1", "x", "2e-1", "1.5"};
static const jd_batch_def cases = {
    .n = CASES, .n_parameter = 1, .parameter = paths, .value = cells, .threads = 2};

static jd_status put_case(void *user, const jd_batch_work *work, int number) {
    jd_batch_work_pack(work, number, place(user, number));
    return JD_OK;
}

static bool same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void same_batches(const jd_batch_result *a, const jd_batch_result *b) {
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->failed, b->failed);
    assert_int_equal(a->contacts.n_column, b->contacts.n_column);
    for (int i = 0; i < a->n; i++) {
        const jd_batch_case *x = &a->item[i], *y = &b->item[i];
        assert_int_equal(x->done, y->done);
        assert_int_equal(x->status, y->status);
        assert_string_equal(x->message, y->message);
        assert_int_equal(x->stop, y->stop);
        assert_int_equal(x->events, y->events);
        assert_int_equal(x->certified, y->certified);
        assert_true(same_number(x->t_end, y->t_end) && same_number(x->residual, y->residual));
        for (int k = 0; k < a->contacts.n_column; k++)
            assert_true(same_number(a->contacts.value[k][i], b->contacts.value[k][i]));
    }
}

static void cases_taken_up_in_any_order_are_the_same(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_batch_work *worker, *taken;
    jd_result *whole, *result;
    bool complete;
    assert_int_equal(jd_result_of_batch(context, &model, &cases, &whole), JD_OK);
    assert_int_equal(jd_batch_work_create(context, &model, &cases, &worker), JD_OK);
    assert_int_equal(jd_batch_work_create(context, &model, &cases, &taken), JD_OK);
    assert_true(jd_batch_work_identity(worker) == jd_batch_work_identity(taken));
    shelf s = shelf_of(CASES, jd_batch_work_packed_size(worker));
    const jd_batch_options some = {.first = 2, .n = 4, .finished = put_case, .user = &s};
    assert_int_equal(jd_batch_work_run(worker, &some, &complete), JD_OK);
    assert_true(complete && s.n == 4 && s.least == 2 && s.most == 5);
    for (int i = 5; i >= 2; i--)
        assert_int_equal(jd_batch_work_restore(taken, i, s.bytes + (size_t)i * s.size), JD_OK);
    assert_true(jd_batch_work_is_done(taken, 2) && !jd_batch_work_is_done(taken, 1));
    shelf rest = shelf_of(CASES, s.size);
    const jd_batch_options all = {.finished = put_case, .user = &rest};
    assert_int_equal(jd_batch_work_run(taken, &all, &complete), JD_OK);
    assert_true(complete && rest.n == CASES - 4);
    assert_int_equal(jd_batch_work_result(taken, &result), JD_OK);
    same_batches(jd_result_batch(whole), jd_result_batch(result));
    jd_batch_work_free(worker);
    jd_batch_work_free(taken);
    jd_result_free(whole);
    jd_result_free(result);
    free(s.bytes);
    free(rest.bytes);
    jd_context_free(context);
}

static void bytes_that_are_no_case_are_refused(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_batch_work *work;
    bool complete;
    assert_int_equal(jd_batch_work_create(context, &model, &cases, &work), JD_OK);
    shelf s = shelf_of(CASES, jd_batch_work_packed_size(work));
    const jd_batch_options one = {.n = 1, .finished = put_case, .user = &s};
    assert_int_equal(jd_batch_work_run(work, &one, &complete), JD_OK);
    assert_int_equal(jd_batch_work_restore(work, CASES, s.bytes), JD_BAD_ARGUMENT);
    assert_int_equal(jd_batch_work_restore(work, -1, s.bytes), JD_BAD_ARGUMENT);
    const double wrong = -2;
    memcpy(s.bytes, &wrong, sizeof wrong); // the status
    assert_int_equal(jd_batch_work_restore(work, 1, s.bytes), JD_BAD_ARGUMENT);
    assert_false(jd_batch_work_is_done(work, 1));
    const jd_batch_options beyond = {.first = CASES - 1, .n = 2};
    assert_int_equal(jd_batch_work_run(work, &beyond, &complete), JD_BAD_ARGUMENT);
    jd_batch_work_free(work);
    free(s.bytes);
    jd_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_taken_up_in_any_order_are_the_same),
        cmocka_unit_test(a_part_of_the_starts_is_gone_on_with),
        cmocka_unit_test(bytes_that_are_no_start_are_refused),
        cmocka_unit_test(cases_taken_up_in_any_order_are_the_same),
        cmocka_unit_test(bytes_that_are_no_case_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
