// document.h -- a result as one JSON tree, and its faces: JSON, HDF5, CSV.
//   The tree is the JSON face; the other faces follow from it by fixed rules
//   (docs/guide/results.md), so that a new result needs no writer of its own.
#ifndef JD_RESULT_DOCUMENT_H
#define JD_RESULT_DOCUMENT_H

#include <stdio.h>

#include <jansson.h>

#include "judder/problem.h"

enum { JD_RESULT_FORMAT = 1 }; // of HDF5 files; what changes it is in the CHANGELOG

// Where a result comes from; kept as attributes of the HDF5 file.
typedef struct jd_origin {
    const char *command; // the command line
    const char *model;   // text of the model file
} jd_origin;

// A number; null when it is not finite, for JSON has no word for that.
json_t *jd_json_real(double value);
// A text; where it is not UTF-8 (a file name may not be), '?' stands for each odd byte.
json_t *jd_json_text(const char *text);
// Digits of a value with this relative error bound that are right: 0 .. 16.
int jd_digits(double error);

// `{"kind":"modes","title","units","modes":[...],"stuck":{...}}` of a problem that has been built.
// At most `count` modes in each list; 0: all. The caller owns *out (json_decref).
jd_status jd_document_modes(jd_context *context, const jd_problem *problem, int count,
                            json_t **out);
// Adds the shapes of the first modes along every body: `{"shapes":{"<body>":{"position","value"}}}`
// with value[mode][place]; a chain's positions are numbers of its masses. Bodies without are left
// out.
jd_status jd_document_add_shapes(jd_context *context, const jd_problem *problem, json_t *document);
enum { JD_SHAPES_MOST = 6 };
// The same modes as flat rows for CSV: body, stuck, mode, omega, ...
json_t *jd_document_mode_rows(const json_t *document);
// Unit of a key of any document in SI: "rad/s"; "" when it has none, NULL when it is not known.
const char *jd_document_unit(const char *key);
// Notes the unit of a number of the model under `parameter_units`: {"drives.push.frequency":
// "rad/s"}; "" for a number without one, nothing at all in a model without units.
void jd_document_note_unit(json_t *document, const jd_problem *problem, const char *path);

// One JSON object, 17 digits, and a newline. False when it could not be written.
bool jd_json_write(const json_t *document, FILE *stream);
// Array of flat objects: header of the first one's keys, then a line each (RFC 4180, 17 digits).
void jd_csv_text(const char *text, FILE *stream); // one cell, quoted where it must be
bool jd_csv_print(const json_t *rows, FILE *stream);
jd_status jd_csv_write(jd_context *context, const char *path, const json_t *rows);
jd_status jd_hdf5_write(jd_context *context, const char *path, const json_t *document,
                        const jd_origin *origin);

// What a result file is: `{"kind","title","judder_version","command",...,"contents":[{"path",
// "shape","unit"}...]}`. JD_BAD_RESULT_FILE when it is not one.
jd_status jd_hdf5_info(jd_context *context, const char *path, json_t **out);
// The whole document back from its file. Tables stay as columns: {"branch":{"parameter":[...]}};
// bytes (the state to go on from) are left out.
jd_status jd_hdf5_read(jd_context *context, const char *path, json_t **out);

// A document as reading its file gives it: lists of objects become objects of lists.
json_t *jd_document_columns(const json_t *document);

// Two documents beside each other: `{"kind":"comparison","same","tolerance","numbers","largest",
// "differences":[{"path","what","relative","place"}...]}`, worst first. Numbers of an array differ
// relative to its largest; displacements, velocities and forces of points relative to the largest
// of their kind; any other number alone relative to itself. Where they come from (command, model,
// version, time taken) and residuals do not count; of two engines neither what is theirs
// (certificate) nor what only one of them knows.
json_t *jd_document_compare(const json_t *a, const json_t *b, double tolerance);

#endif
