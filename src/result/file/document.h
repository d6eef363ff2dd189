// document.h -- the JSON tree of a result as text, as CSV and as an HDF5 file, by fixed rules
// (docs/guide/results.md).
#ifndef JD_RESULT_DOCUMENT_H
#define JD_RESULT_DOCUMENT_H

#include <stdio.h>

#include <jansson.h>

#include "result/table/field.h"

enum { JD_RESULT_FORMAT = 1 }; // of HDF5 files; what changes it is in the CHANGELOG

// Where a result comes from, kept as attributes of the HDF5 file; and its table, for units.
typedef struct jd_origin {
    const char *command;     // the command line
    const char *model;       // text of the model file
    const jd_record *record; // NULL: no units are known
    const void *content;     // what the record is of: lists that are written by their columns are
                             // taken from it, not from the document; NULL: none
} jd_origin;

// One JSON object, 17 digits, and a newline. False when it could not be written.
bool jd_json_write(const json_t *document, FILE *stream);
// Array of flat objects: header of the first one's keys, then a line each (RFC 4180, 17 digits).
void jd_csv_text(const char *text, FILE *stream); // one cell, quoted where it must be
bool jd_csv_print(const json_t *rows, FILE *stream);
jd_status jd_csv_write(jd_context *context, const char *path, const json_t *rows);
jd_status jd_hdf5_write(jd_context *context, const char *path, const json_t *document,
                        const jd_origin *origin);

// Unit of a number of the model that was varied, by its path; of the `parameter` or `second` of a
// branch, and of what is measured. NULL: none is known.
const char *jd_document_unit(const json_t *document, const char *key);

// What a result file is: `{"kind","title","judder_version","command",...,"contents":[{"path",
// "shape","unit"}...]}`. JD_BAD_RESULT_FILE when it is not one.
jd_status jd_hdf5_info(jd_context *context, const char *path, json_t **out);
// The whole document back from its file. Tables stay as columns: {"branch":{"parameter":[...]}};
// bytes (the state to go on from) are left out.
jd_status jd_hdf5_read(jd_context *context, const char *path, json_t **out);
// Many of them, one after the other: take(user, i, document) borrows that of file i.
typedef jd_status (*jd_hdf5_taker)(void *user, int i, json_t *document);
jd_status jd_hdf5_read_all(jd_context *context, int n, const char *const *path, jd_hdf5_taker take,
                           void *user);

// Two documents beside each other: `{"kind":"comparison","same","tolerance","numbers","largest",
// "differences":[{"path","what","relative","place"}...]}`, worst first. Numbers of an array differ
// relative to its largest; displacements, velocities and forces of points relative to the largest
// of their kind; any other number alone relative to itself. Where they come from (command, model,
// version, time taken) and residuals do not count; of two engines neither what is theirs
// (certificate) nor what only one of them knows.
json_t *jd_document_compare(const json_t *a, const json_t *b, double tolerance);

// Before anything is read or written: HDF5 does not tidy up when the program ends. After an
// allocation of its own has failed it would crash there, or say that it loops. For programs that
// close what they open and use HDF5 only through here.
void jd_hdf5_leave_at_exit(void);

#endif
