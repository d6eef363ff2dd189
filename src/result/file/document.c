// document.c -- JSON trees as text and as CSV.
#include "result/file/document.h"

#include <string.h>

#include "judder/follow.h"
#include "result/file/file.h"

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

const char *jd_document_unit(const json_t *d, const char *key) {
    static const char *const measured[] = {"amplitude", "min", "max",    "mean", "deviation",
                                           "q05",       "q25", "median", "q75",  "q95"};
    const char *path = key, *measure = json_string_value(json_object_get(d, "measure"));
    if (strcmp(key, "parameter") == 0) path = json_string_value(json_object_get(d, "parameter"));
    if (strcmp(key, "second") == 0)
        path = json_string_value(json_object_get(json_object_get(d, "curve"), "second"));
    for (size_t k = 0; measure && k < sizeof measured / sizeof *measured; k++)
        if (strcmp(key, measured[k]) == 0) return jd_measure_unit(measure);
    const json_t *units = json_object_get(d, "parameter_units");
    return path && units ? json_string_value(json_object_get(units, path)) : NULL;
}
