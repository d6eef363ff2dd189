// columns.c -- a list of structs as columns, one after the other, by the table of the struct.
//   Numbers of all rows are gathered where they lie. Whatever else a member is, it is written row
//   by row as JSON and the values of each key are put together: one member at a time.
#include <stdlib.h>

#include "result/table/field.h"

bool jd_is_by_column(const jd_field *list, const void *object) {
    return list->left_out & JD_BY_COLUMN && jd_size_of(list->size[0], object, object) > 0;
}

enum { PIECE = 1 << 18 }; // numbers that are gathered at a time, about

// The rows of a list.
typedef struct rows {
    const char *first;
    size_t step, n;
    const void *root;
} rows;

// Numbers that every row has, as many in each.
static bool is_plain(const jd_field *f) {
    if (f->optional || f->has || f->inside || !f->key || f->left_out) return false;
    for (int k = 0; k < JD_FIELD_SIZES && f->kind == JD_FIELD_REALS; k++)
        if (f->size[k].of == JD_SIZE_OWN) return false;
    return f->kind == JD_FIELD_REAL || f->kind == JD_FIELD_REALS;
}

static void gather(const rows *r, const jd_field *f, size_t first, size_t n, size_t per,
                   double *out) {
    for (size_t i = first; i < first + n; i++) {
        const void *at = jd_field_at(f, r->first + i * r->step);
        const double *x = f->kind == JD_FIELD_REAL ? at : *(const double *const *)at;
        for (size_t k = 0; k < per; k++)
            *out++ = x && isfinite(x[k]) ? x[k] : (double)NAN; // as JSON has it
    }
}

// *given is false where the member has no numbers.
static bool give_reals(const rows *r, const jd_field *f, const jd_column_taker *to, bool *given) {
    size_t size[1 + JD_FIELD_SIZES] = {r->n}, per = 1;
    int rank = 1;
    for (int k = 0; k < JD_FIELD_SIZES && f->size[k].of != JD_SIZE_NONE; k++) {
        size[rank] = (size_t)jd_size_of(f->size[k], r->first, r->root);
        per *= size[rank++];
    }
    *given = per > 0;
    if (per == 0) return true;
    size_t most = PIECE / per + 1;
    double *value = malloc((most < r->n ? most : r->n) * per * sizeof *value);
    bool fine = value != NULL;
    for (size_t i = 0; i < r->n && fine; i += most) {
        size_t n = r->n - i < most ? r->n - i : most;
        gather(r, f, i, n, per, value);
        fine = to->reals(to->user, f->key, rank, size, i, n, value);
    }
    free(value);
    return fine;
}

// Puts the members of row i behind the values of the rows before; null where some had none.
static bool add_row(json_t *columns, json_t *row, size_t i) {
    const char *key;
    json_t *value;
    json_object_foreach(row, key, value) {
        json_t *column = json_object_get(columns, key);
        if (!column && json_object_set_new(columns, key, column = json_array()) != 0) return false;
        while (json_array_size(column) < i)
            if (json_array_append_new(column, json_null()) != 0) return false;
        if (json_array_append(column, value) != 0) return false;
    }
    return true;
}

static bool give_values(const rows *r, const jd_field *f, const jd_column_taker *to) {
    const jd_field alone[2] = {*f, {.kind = JD_FIELD_END}};
    const jd_record record = {.size = r->step, .field = alone};
    json_t *columns = json_object(), *row = json_object(), *column;
    const char *key;
    bool fine = columns && row;
    for (size_t i = 0; fine && i < r->n; i++) {
        json_object_clear(row);
        fine = jd_record_write_below(&record, r->first + i * r->step, r->root, row) &&
               add_row(columns, row, i);
    }
    json_object_foreach(columns, key, column) {
        while (fine && json_array_size(column) < r->n)
            fine = json_array_append_new(column, json_null()) == 0;
        fine = fine && to->values(to->user, key, column);
    }
    json_decref(row);
    json_decref(columns);
    return fine;
}

bool jd_list_columns(const jd_field *list, const void *object, const jd_column_taker *to) {
    const rows r = {.first = *(const char *const *)jd_field_at(list, object),
                    .step = list->record->size,
                    .n = (size_t)jd_size_of(list->size[0], object, object),
                    .root = object};
    for (const jd_field *f = list->record->field; f->kind != JD_FIELD_END; f++) {
        bool given = false;
        if (is_plain(f) && !give_reals(&r, f, to, &given)) return false;
        if (!given && !give_values(&r, f, to)) return false;
    }
    return true;
}
