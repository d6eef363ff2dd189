// nastran_op4.h -- matrices of Nastran's OUTPUT4: what its text and binary files have in common.
//   head: columns, rows (negative: BIGMAT), form, type, name; then a record for each column that is
//   not empty: column, first row (0: sparse), words, values; a column behind the last ends it.
//   Sparse, in strings of rows that follow each other: a head IS = row + 65536 (words + 1), or with
//   BIGMAT the two numbers words + 1 and row; then the values. A real double has two words.
#ifndef JD_STRUCTURE_MATRICES_FORMATS_NASTRAN_OP4_H
#define JD_STRUCTURE_MATRICES_FORMATS_NASTRAN_OP4_H

#include "structure/matrices/formats/format.h"

typedef struct jd_op4_head {
    long columns, rows; // rows > 0
    long form, type;
    bool big; // BIGMAT
    char name[JD_FORMAT_NAME];
} jd_op4_head;

// Refuses what is no real square matrix, by name and place.
jd_status jd_op4_check(jd_context *context, const char *path, long place, const jd_op4_head *head);

// Length in words and first row, from 1, of a string.
void jd_op4_string(long is, long *words, long *row);

#endif
