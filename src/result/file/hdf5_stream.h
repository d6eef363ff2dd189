// hdf5_stream.h -- a result file that is written while the run goes on.
//   Tables grow row by row, a block of rows at a time; memory does not grow with them. The file
//   appears under its name when it is committed, and not before.
#ifndef JD_RESULT_HDF5_STREAM_H
#define JD_RESULT_HDF5_STREAM_H

#include "base/arena.h"
#include "result/file/document.h"

typedef struct jd_stream jd_stream;
typedef struct jd_stream_columns jd_stream_columns;

typedef struct jd_stream_column {
    const char *name;
    const char *unit; // NULL: none is said
    int width;        // of a text in bytes; 0: a double
    int count;        // a cell of so many doubles, such as a field along a rod; 0: one
} jd_stream_column;

jd_status jd_stream_open(jd_context *context, const char *path, jd_stream **out);
// A table in the group `name`; one dataset per column.
jd_status jd_stream_table(jd_stream *stream, const char *name, int n,
                          const jd_stream_column *column, jd_stream_columns **out);
// Next cell of the row, column by column; the last one ends the row.
void jd_stream_real(jd_stream_columns *columns, double value);
void jd_stream_text(jd_stream_columns *columns, const char *text);
void jd_stream_reals(jd_stream_columns *columns, const double *value); // `count` of them
// Ends the row: JD_CANNOT_WRITE as soon as the disk is full.
jd_status jd_stream_row(jd_stream_columns *columns);
// Bytes as they are, in the dataset `name`.
jd_status jd_stream_bytes(jd_stream *stream, const char *name, const void *bytes, size_t size);
// Writes the rest and gives the file its name. Frees the stream, whatever happens.
jd_status jd_stream_commit(jd_stream *stream, const json_t *document, const jd_origin *origin);
void jd_stream_abandon(jd_stream *stream); // NULL is fine

#endif
