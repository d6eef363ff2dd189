// pack.c -- cases as bytes for journals and other processes, and the number that tells batches
// apart.
//   A case is NUMBERS numbers, its message and the columns of its contacts, as they are in memory.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "result/batch/batch.h"

enum { NUMBERS = 7, MESSAGE = 1600 }; // as long as a message with its place can be, and more

bool jd_batch_work_is_done(const jd_batch_work *b, int number) { return b->item[number].done; }

size_t jd_batch_work_packed_size(const jd_batch_work *b) {
    return NUMBERS * sizeof(double) + MESSAGE + (size_t)b->n_column * sizeof(double);
}

void jd_batch_work_pack(const jd_batch_work *b, int number, unsigned char *out) {
    const jd_batch_case *c = &b->item[number];
    const double numbers[NUMBERS] = {(double)c->status, (double)c->stop,      c->t_end,
                                     (double)c->events, (double)c->undecided, c->certified,
                                     c->residual};
    memcpy(out, numbers, sizeof numbers);
    out += sizeof numbers;
    memset(out, 0, MESSAGE);
    memcpy(out, c->message, strnlen(c->message, MESSAGE - 1));
    out += MESSAGE;
    for (int k = 0; k < b->n_column; k++, out += sizeof(double))
        memcpy(out, &b->column[k][number], sizeof(double));
}

static bool is_sound(const double *in) {
    return in[0] >= 0 && in[0] < JD_STATUS_COUNT && in[1] >= 0 && in[1] < JD_STOP_COUNT &&
           in[3] >= 0 && in[3] < 1e15 && in[4] >= 0 && in[4] < 1e15;
}

jd_status jd_batch_work_restore(jd_batch_work *b, int number, const unsigned char *in) {
    double numbers[NUMBERS];
    memcpy(numbers, in, sizeof numbers);
    in += sizeof numbers;
    if (number < 0 || number >= b->cases->n || !is_sound(numbers) || in[MESSAGE - 1] != 0)
        return jd_fail(b->context, JD_BAD_ARGUMENT, "these bytes are no case of this batch");
    const char *message = *in ? jd_arena_text(b->arena, (const char *)in) : "";
    b->item[number] = (jd_batch_case){.done = true,
                                      .status = (jd_status)numbers[0],
                                      .message = message ? message : "",
                                      .stop = (jd_stop)numbers[1],
                                      .t_end = numbers[2],
                                      .events = (long)numbers[3],
                                      .undecided = (long)numbers[4],
                                      .certified = numbers[5] != 0,
                                      .residual = numbers[6]};
    in += MESSAGE;
    for (int k = 0; k < b->n_column; k++, in += sizeof(double))
        memcpy(&b->column[k][number], in, sizeof(double));
    return jd_arena_status(b->arena);
}

static uint64_t mix_text(uint64_t h, const char *text) {
    return jd_hash(h, text, strlen(text) + 1);
}

unsigned long long jd_batch_work_identity(const jd_batch_work *b) {
    const jd_batch_def *d = b->cases;
    uint64_t h = mix_text(jd_hash_start, jd_version());
    h = jd_hash(h, b->model->text, b->model->size);
    for (int i = 0; i < b->model->n_set; i++) h = mix_text(h, b->model->set[i]);
    for (int k = 0; k < d->n_parameter; k++) h = mix_text(h, d->parameter[k]);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)d->n * d->n_parameter; i++) h = mix_text(h, d->value[i]);
    return h;
}
