// document.c -- helpers of JSON trees, and the JSON and CSV faces.
#include "result/document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/file.h"

json_t *jd_json_real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

json_t *jd_json_text(const char *text) {
    json_t *out = json_string(text);
    if (out) return out;
    size_t n = strlen(text);
    char *copy = malloc(n + 1);
    for (size_t i = 0; copy && i <= n; i++) copy[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    out = copy ? json_string(copy) : NULL;
    free(copy);
    return out;
}

int jd_digits(double error) {
    if (!(error < 0.5)) return 0; // NaN: nothing is known
    if (error <= 1e-16) return 16;
    return (int)floor(-log10(error));
}

const char *jd_document_unit(const char *key) {
    static const struct {
        const char *key, *unit;
    } list[] = {{"omega", "rad/s"}, {"frequency_hz", "Hz"}, {"damping_ratio", ""},
                {"error", ""},      {"digits", ""},         {"pole", "1/s"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (strcmp(list[i].key, key) == 0) return list[i].unit;
    }
    return NULL;
}

bool jd_json_write(const json_t *document, FILE *stream) {
    if (json_dumpf(document, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) != 0) return false;
    return fputc('\n', stream) != EOF && fflush(stream) == 0;
}

// Quoted where RFC 4180 asks for it.
void jd_csv_text(const char *text, FILE *stream) {
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"') fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void print_cell(const json_t *cell, FILE *stream) { // null and nested: empty
    if (json_is_string(cell)) jd_csv_text(json_string_value(cell), stream);
    if (json_is_boolean(cell)) fputs(json_is_true(cell) ? "true" : "false", stream);
    if (json_is_integer(cell)) fprintf(stream, "%" JSON_INTEGER_FORMAT, json_integer_value(cell));
    if (json_is_real(cell)) fprintf(stream, "%.17g", json_real_value(cell));
}

bool jd_csv_print(const json_t *rows, FILE *stream) {
    json_t *first = json_array_get(rows, 0), *row, *cell;
    const char *key;
    size_t i;
    json_object_foreach(first, key, cell) {
        if (cell != json_object_iter_value(json_object_iter(first))) fputc(',', stream);
        jd_csv_text(key, stream);
    }
    if (first) fputc('\n', stream);
    json_array_foreach(rows, i, row) {
        bool separate = false;
        json_object_foreach(first, key, cell) {
            if (separate) fputc(',', stream);
            separate = true;
            print_cell(json_object_get(row, key), stream);
        }
        fputc('\n', stream);
    }
    return !ferror(stream) && fflush(stream) == 0;
}

jd_status jd_csv_write(jd_context *context, const char *path, const json_t *rows) {
    jd_file file;
    JD_TRY(jd_file_open(context, path, &file));
    jd_csv_print(rows, file.stream); // its failure stays in the stream: commit reports it
    return jd_file_commit(&file);
}

void jd_document_note_unit(json_t *document, const jd_problem *problem, const char *path) {
    char unit[64];
    if (!jd_problem_is_si(problem) || !jd_problem_unit(problem, path, sizeof unit, unit)) return;
    json_t *units = json_object_get(document, "parameter_units");
    if (!units) {
        units = json_object();
        json_object_set_new(document, "parameter_units", units);
    }
    json_object_set_new(units, path, json_string(unit));
}

// Every key of a list of objects, with the list of its values; null where an object lacks it.
static json_t *columns_of(const json_t *list) {
    json_t *out = json_object(), *row, *value;
    const char *key;
    size_t i;
    json_array_foreach(list, i, row) json_object_foreach(row, key, value) {
        json_t *column = json_object_get(out, key);
        if (!column) {
            column = json_array();
            json_object_set_new(out, key, column);
        }
        while (json_array_size(column) < i) json_array_append_new(column, json_null());
        json_array_append(column, value);
    }
    json_object_foreach(out, key, value) {
        while (json_array_size(value) < json_array_size(list))
            json_array_append_new(value, json_null());
    }
    return out;
}

static bool is_table(const json_t *list) {
    size_t i;
    json_t *row;
    json_array_foreach(list, i, row) {
        if (!json_is_object(row)) return false;
    }
    return json_array_size(list) > 0;
}

json_t *jd_document_columns(const json_t *document) {
    json_t *value, *out;
    const char *key;
    size_t i;
    if (json_is_object(document)) {
        out = json_object();
        json_object_foreach((json_t *)document, key, value)
            json_object_set_new(out, key, jd_document_columns(value));
        return out;
    }
    if (!json_is_array(document)) return json_copy((json_t *)document);
    if (is_table(document)) {
        json_t *columns = columns_of(document);
        out = jd_document_columns(columns);
        json_decref(columns);
        return out;
    }
    out = json_array();
    json_array_foreach(document, i, value) json_array_append_new(out, jd_document_columns(value));
    return out;
}
