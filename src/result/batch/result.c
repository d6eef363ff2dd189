// result.c -- the result of a batch: the table of cases and what became of each.
#include <math.h>
#include <string.h>

#include "result/batch/batch.h"

static const char *status_name(int status) { return jd_status_name((jd_status)status); }
static const char *stop_name(int stop) { return jd_stop_name((jd_stop)stop); }

static const jd_field case_field[] = {
    {JD_SCALAR(BOOL, jd_batch_case, done, "done", "false: the batch was stopped before")},
    {JD_WORD_OF(jd_batch_case, status, "error", status_name, JD_STATUS_COUNT,
                "ok, or the name of what was refused")},
    {JD_TEXT(jd_batch_case, message, "message", "what was refused, and why")},
    {JD_WORD_OF(jd_batch_case, stop, "stop", stop_name, JD_STOP_COUNT, "why the run ended")},
    {JD_REAL(jd_batch_case, t_end, "t_end", "s", "where it ended")},
    {JD_SCALAR(LONG, jd_batch_case, events, "events", "of the run")},
    {JD_SCALAR(LONG, jd_batch_case, undecided, "undecided",
               "zeros that rounding does not allow to decide")},
    {JD_SCALAR(BOOL, jd_batch_case, certified, "certified", "proved: no event was missed")},
    {JD_REAL(jd_batch_case, residual, "energy_residual", "", "balance error over the work done")},
    JD_END_OF_FIELDS};
static const jd_record case_record = {.size = sizeof(jd_batch_case), .field = case_field};

static const jd_field column_field[] = {
    {JD_ARRAY(TEXTS, jd_batch_column, value, "value", NULL, "of each case, as it was given"),
     .size = {JD_OWN(jd_batch_column, n)}},
    JD_END_OF_FIELDS};
static const jd_record column_record = {.size = sizeof(jd_batch_column), .field = column_field};

// Columns count their own cells: as many as there are cases.
static jd_status check(jd_arena *arena, void *object) {
    jd_batch_result *r = object;
    if (r->n < 1 || r->n_parameter < 1)
        return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                       "the file holds no `cases` or no `parameters`");
    for (int k = 0; k < r->n_parameter; k++)
        if (r->parameter[k].n != r->n)
            return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                           "the column `%s` has %d values of %d cases", r->parameter[k].name,
                           r->parameter[k].n, r->n);
    if (r->contacts.n_column == 0 || r->contacts.n_row == r->n) return JD_OK;
    return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                   "the table `contacts` has %d rows of %d cases", r->contacts.n_row, r->n);
}

static const jd_field batch_field[] = {
    {JD_SCALAR(BOOL, jd_batch_result, complete, "complete", "every case was computed or refused")},
    {JD_SCALAR(INT, jd_batch_result, failed, "failed", "cases that were refused")},
    {JD_MAP_OF(jd_batch_result, parameter, "parameters", &column_record, n_parameter,
               "what was changed, by path")},
    {JD_LIST_OF(jd_batch_result, item, "cases", &case_record, n, "what became of each")},
    {.key = "contacts",
     .kind = JD_FIELD_COLUMNS,
     JD_AT(jd_batch_result, contacts),
     .optional = true,
     .doc = "extremes and losses of each contact"},
    JD_END_OF_FIELDS};
const jd_record jd_record_batch = {
    .size = sizeof(jd_batch_result), .field = batch_field, .check = check};

static jd_status take_columns(jd_arena *arena, const jd_batch_def *d, jd_batch_result *r) {
    jd_batch_column *column = JD_TAKE(arena, jd_batch_column, d->n_parameter);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < d->n_parameter; k++) {
        const char **value = JD_TAKE(arena, const char *, d->n);
        JD_TRY(jd_arena_status(arena));
        for (int i = 0; i < d->n; i++)
            value[i] = jd_arena_text(arena, d->value[(ptrdiff_t)i * d->n_parameter + k]);
        column[k] = (jd_batch_column){jd_arena_text(arena, d->parameter[k]), d->n, value};
    }
    r->n_parameter = d->n_parameter;
    r->parameter = column;
    return jd_arena_status(arena);
}

static jd_status begin_contacts(jd_batch_work *b, jd_columns *out) {
    static const char *const what[JD_BATCH_NUMBERS] = {
        "displacement.min", "displacement.max", "velocity.min", "velocity.max",
        "force.min",        "force.max",        "friction",     "impacts"};
    int n = jd_problem_contacts(b->problem) * JD_BATCH_NUMBERS;
    const char **name = JD_TAKE(b->arena, const char *, n);
    b->column = JD_TAKE(b->arena, double *, n);
    JD_TRY(jd_arena_status(b->arena));
    for (int k = 0; k < n; k++) {
        name[k] = jd_arena_format(b->arena, "%s.%s",
                                  jd_problem_contact(b->problem, k / JD_BATCH_NUMBERS)->name,
                                  what[k % JD_BATCH_NUMBERS]);
        b->column[k] = JD_TAKE(b->arena, double, b->cases->n);
        JD_TRY(jd_arena_status(b->arena));
        for (int i = 0; i < b->cases->n; i++) b->column[k][i] = (double)NAN;
    }
    b->n_column = n;
    *out = (jd_columns){b->cases->n, n, name, NULL, (const double *const *)b->column};
    return JD_OK;
}

static jd_status fill(jd_batch_work *b) {
    jd_batch_result *r = b->result->content;
    b->arena = b->result->arena;
    b->item = JD_TAKE(b->arena, jd_batch_case, b->cases->n);
    JD_TRY(take_columns(b->arena, b->cases, r));
    JD_TRY(begin_contacts(b, &r->contacts));
    for (int i = 0; i < b->cases->n; i++)
        b->item[i] = (jd_batch_case){
            .message = "", .t_end = (double)NAN, .residual = (double)NAN}; // not begun
    r->n = b->cases->n;
    r->item = b->item;
    for (int k = 0; k < r->n_parameter; k++)
        JD_TRY(jd_result_note_unit(b->result, b->problem, b->cases->parameter[k]));
    return JD_OK;
}

static jd_status check_cases(jd_context *context, const jd_batch_def *cases) {
    if (cases->n < 1 || cases->n_parameter < 1)
        return jd_fail(context, JD_BAD_ARGUMENT, "a batch needs cases and values to change");
    if (cases->threads < 0)
        return jd_fail(context, JD_BAD_ARGUMENT, "`threads` is %d, but must not be negative",
                       cases->threads);
    return JD_OK;
}

void jd_batch_work_free(jd_batch_work *b) {
    if (!b) return;
    jd_result_free(b->result);
    jd_problem_free(b->problem);
    jd_release(b->context, b);
}

jd_status jd_batch_work_create(jd_context *context, const jd_model_def *model,
                               const jd_batch_def *cases, jd_batch_work **out) {
    *out = NULL;
    JD_TRY(check_cases(context, cases));
    jd_batch_work *b = jd_allocate_zeros(context, sizeof *b);
    if (!b) return JD_OUT_OF_MEMORY;
    b->context = context;
    b->model = model;
    b->cases = cases;
    jd_status s = jd_model_create(context, model, &b->problem);
    if (s == JD_OK) s = jd_result_create(context, b->problem, JD_RESULT_BATCH, &b->result);
    if (s == JD_OK) s = jd_result_end(fill(b), &b->result);
    if (s == JD_OK)
        *out = b;
    else
        jd_batch_work_free(b);
    return s;
}

jd_status jd_batch_work_result(jd_batch_work *b, jd_result **out) {
    jd_batch_result *r = b->result->content;
    r->complete = true;
    for (int i = 0; i < r->n; i++) {
        r->complete = r->complete && r->item[i].done;
        r->failed += r->item[i].status != JD_OK;
    }
    *out = b->result;
    b->result = NULL;
    return jd_result_end(JD_OK, out);
}

jd_status jd_result_of_batch(jd_context *context, const jd_model_def *model,
                             const jd_batch_def *cases, jd_result **out) {
    jd_batch_work *work;
    bool complete;
    *out = NULL;
    JD_TRY(jd_batch_work_create(context, model, cases, &work));
    jd_status s = jd_batch_work_run(work, NULL, &complete);
    if (s == JD_OK) s = jd_batch_work_result(work, out);
    jd_batch_work_free(work);
    return s;
}

// One row for each case: what was changed, what became of it, contacts.
json_t *jd_rows_batch(const json_t *document) {
    json_t *rows = json_array(), *one, *column;
    size_t i;
    const char *name;
    json_array_foreach(json_object_get(document, "cases"), i, one) {
        json_t *row = json_object();
        json_object_foreach(json_object_get(document, "parameters"), name, column)
            json_object_set(row, name, json_array_get(json_object_get(column, "value"), i));
        json_object_update(row, one);
        json_object_foreach(json_object_get(document, "contacts"), name, column)
            json_object_set(row, name, json_array_get(column, i));
        json_array_append_new(rows, row);
    }
    return rows;
}
