// field.h -- what a result is made of, as tables: each member of a struct with its key, place, unit
// and meaning. One table per struct drives JSON (write.c), reading back (read.c), HDF5 with its
// units (file/hdf5.c), plain arrays (arrays.c) and so everything a result is written into.
//   object of a struct  <->  JSON object  <->  HDF5 group
//   scalar member       <->  member       <->  attribute of the group
//   array member        <->  array        <->  dataset with its unit
//   list of structs     <->  array of objects  <->  group with one dataset per key
//   named structs       <->  object of objects <->  group of groups
// JSON has neither NaN nor infinity: `null` stands for the field's value `none`.
#ifndef JD_RESULT_TABLE_FIELD_H
#define JD_RESULT_TABLE_FIELD_H

#include <math.h>
#include <stddef.h>

#include <jansson.h>

#include "base/arena.h"
#include "judder/result.h"

typedef struct jd_field jd_field;
typedef struct jd_record jd_record;

typedef enum jd_field_kind {
    JD_FIELD_END,     // behind the last one
    JD_FIELD_REAL,    // double
    JD_FIELD_INT,     // int; of an optional one null is -1
    JD_FIELD_LONG,    // long
    JD_FIELD_BOOL,    // bool
    JD_FIELD_JUDGED,  // int: 1, 0, or -1 (null) where it was not judged
    JD_FIELD_WORD,    // int or enum; written as its name
    JD_FIELD_STATE,   // jd_contact_state, by its letter
    JD_FIELD_TEXT,    // const char *; optional ones are NULL where the key is missing
    JD_FIELD_INDEX,   // int: place in a list of texts of the root, written as that text; -1: ""
    JD_FIELD_REALS,   // const double *, of the sizes given
    JD_FIELD_INTS,    // const int *
    JD_FIELD_BOOLS,   // const bool *
    JD_FIELD_TEXTS,   // const char *const *
    JD_FIELD_GROUP,   // members of the same struct under a key of their own; key NULL: as they are
    JD_FIELD_RECORD,  // struct within the struct; key NULL: its members as if they were own ones
    JD_FIELD_PART,    // pointer to a struct; NULL: none. key NULL as above
    JD_FIELD_LIST,    // pointer to structs, as many as size[0] says
    JD_FIELD_MAP,     // the same by name: the struct's first member is its `const char *name`
    JD_FIELD_COLUMNS, // jd_columns: names and numbers of each column
    JD_FIELD_TOLD,    // follows from other members: written, not read
    JD_FIELD_OTHER    // by functions of its own
} jd_field_kind;

// One size of an array: a number, or an int of the struct or of the root.
typedef struct jd_size {
    enum { JD_SIZE_NONE, JD_SIZE_FIXED, JD_SIZE_OWN, JD_SIZE_ROOT } of;
    size_t at; // the number, or the offset of the int
} jd_size;

// Where a field is written: all of them but what is left out.
enum { JD_NOT_IN_JSON = 1, JD_NOT_IN_FILE = 2, JD_STREAMED = 4, JD_BY_COLUMN = 8 };
typedef enum jd_face {
    JD_FACE_JSON,
    JD_FACE_FILE,   // all of a result in memory
    JD_FACE_STREAM, // what a file holds beside the tables that were written on the way
    JD_FACE_COLUMNS // what a file holds beside the long lists that go into it column by column
} jd_face;

enum { JD_FIELD_SIZES = 3 };

struct jd_field {
    const char *key;
    jd_field_kind kind;
    bool optional, inside; // the key may be missing; an array lies in the struct itself
    unsigned left_out;     // of faces
    size_t offset;         // in the struct
    const char *unit;      // SI; "" of a plain number, NULL: what is no number
    const char *doc;
    jd_size size[JD_FIELD_SIZES]; // slowest first; ends at JD_SIZE_NONE
    const jd_record *record;      // of structs
    const char *(*word)(int);     // names of a WORD
    int words;                    // how many
    size_t texts, n_texts;        // INDEX: offsets in the root of the list and of its length
    double none;                  // what null stands for
    size_t undecided; // BOOL: offset of a bool beside it; where that is true, null. 0: none
    bool (*has)(const void *object, const void *root);     // is it written? NULL: always
    json_t *(*told)(const void *object, const void *root); // TOLD
    bool (*write)(const jd_field *f, const void *object, const void *root, json_t *out); // OTHER
    jd_status (*read)(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                      void *root); // OTHER; `in`: the JSON object of the struct
};

struct jd_record {
    size_t size; // of the struct
    const jd_field *field;
    bool root; // sizes and lists of texts below are those of this struct
    jd_status (*check)(jd_arena *arena, void *object); // of what was read; NULL: nothing more
};

#define JD_END_OF_FIELDS                                                                           \
    { .kind = JD_FIELD_END }
#define JD_OWN(type, member)                                                                       \
    { JD_SIZE_OWN, offsetof(type, member) }
#define JD_ROOT(type, member)                                                                      \
    { JD_SIZE_ROOT, offsetof(type, member) }
#define JD_FIXED(n)                                                                                \
    { JD_SIZE_FIXED, n }
#define JD_AT(type, member) .offset = offsetof(type, member)
// {JD_REAL(type, member, "key", "unit", "doc"), .has = ...}
#define JD_REAL(type, member, name, of, text)                                                      \
    .key = (name), .kind = JD_FIELD_REAL, JD_AT(type, member), .unit = (of), .doc = (text),        \
    .none = (double)NAN
#define JD_SCALAR(what, type, member, name, text)                                                  \
    .key = (name), .kind = JD_FIELD_##what, JD_AT(type, member), .unit = "", .doc = (text)
// A verdict that is null where `doubt`, another bool of the struct, is true.
#define JD_VERDICT(type, member, doubt, name, text)                                                \
    JD_SCALAR(BOOL, type, member, name, text), .undecided = offsetof(type, doubt)
#define JD_TEXT(type, member, name, text)                                                          \
    .key = (name), .kind = JD_FIELD_TEXT, JD_AT(type, member), .doc = (text)
#define JD_WORD_OF(type, member, name, names, count, text)                                         \
    .key = (name), .kind = JD_FIELD_WORD, JD_AT(type, member), .word = (names), .words = (count),  \
    .doc = (text)
#define JD_ARRAY(what, type, member, name, of, text)                                               \
    .key = (name), .kind = JD_FIELD_##what, JD_AT(type, member), .unit = (of), .doc = (text),      \
    .none = (double)NAN
#define JD_INDEX_IN(type, member, name, root_type, list, count, text)                              \
    .key = (name), .kind = JD_FIELD_INDEX, JD_AT(type, member),                                    \
    .texts = offsetof(root_type, list), .n_texts = offsetof(root_type, count), .doc = (text)
#define JD_LIST_OF(type, member, name, of, count, text)                                            \
    .key = (name), .kind = JD_FIELD_LIST, JD_AT(type, member), .record = (of),                     \
    .size = {JD_OWN(type, count)}, .doc = (text)
#define JD_MAP_OF(type, member, name, of, count, text)                                             \
    .key = (name), .kind = JD_FIELD_MAP, JD_AT(type, member), .record = (of),                      \
    .size = {JD_OWN(type, count)}, .doc = (text)
#define JD_INNER(what, type, member, name, of, text)                                               \
    .key = (name), .kind = JD_FIELD_##what, JD_AT(type, member), .record = (of), .doc = (text)
#define JD_GROUP_OF(name, of, text)                                                                \
    .key = (name), .kind = JD_FIELD_GROUP, .record = (of), .doc = (text)
#define JD_TOLD_BY(name, by, text)                                                                 \
    .key = (name), .kind = JD_FIELD_TOLD, .unit = "", .told = (by), .doc = (text)

// A number; null when it is not finite.
json_t *jd_json_real(double value);
// A text; where it is not UTF-8 (a file name may not be), '?' stands for each odd byte.
json_t *jd_json_text(const char *text);
// n numbers.
json_t *jd_json_reals(int n, const double *value);

// Puts the members of an object into a JSON object. False: no memory.
bool jd_record_write(const jd_record *record, const void *object, jd_face face, json_t *out);
// The same of a struct below `root`, as files have it.
bool jd_record_write_below(const jd_record *record, const void *object, const void *root,
                           json_t *out);
// A list of structs as columns, one after the other: a million rows as JSON would take gigabytes.
// Numbers come as they are (NaN: null), slowest size first, in pieces of n rows from row `first`
// on; other values as a JSON array, null where a row has none. What is given holds during the call.
// False: no memory, or the taker said so.
typedef struct jd_column_taker {
    void *user;
    bool (*reals)(void *user, const char *key, int rank, const size_t *size, size_t first, size_t n,
                  const double *value);
    bool (*values)(void *user, const char *key, const json_t *column);
} jd_column_taker;
bool jd_list_columns(const jd_field *list, const void *object, const jd_column_taker *to);
// Does the list go into a file by its columns? It is marked so, and not empty.
bool jd_is_by_column(const jd_field *list, const void *object);
// The object from the JSON object, lists as rows or as columns. JD_BAD_RESULT_FILE, by key, where
// an array is missing or of another size than the others.
jd_status jd_record_read(jd_arena *arena, const jd_record *record, const json_t *in, void *object);
// Every array of an object; `visit` is called with paths that hold as long as the arena. False: no
// memory.
typedef void jd_array_visitor(void *user, const jd_array *array);
bool jd_record_arrays(jd_arena *arena, const jd_record *record, const void *object,
                      jd_array_visitor *visit, void *user);

// The field of a key, those of nameless parts among them; NULL: there is none.
const jd_field *jd_field_find(const jd_record *record, const char *key);
// Unit of a column of samples by its name: "tip.u" is in m.
const char *jd_column_unit(const char *name);

// Members by their offsets.
const void *jd_field_at(const jd_field *f, const void *object);
int jd_size_of(jd_size size, const void *object, const void *root);
// Numbers of a list, nested ones in the order they are written; true is 1, what is no number is
// `none`. *n < 0: as many as there are, which it then tells; else just so many must be there.
jd_status jd_read_reals(jd_arena *arena, const json_t *value, const char *key, double none, int *n,
                        double **out);
double jd_read_real(const json_t *value, double none);
// A whole number that was kept as a double: cut to what an int holds, 0 for NaN.
int jd_read_whole(double value);
const char *jd_read_text(jd_arena *arena, const json_t *value); // a copy; "" where there is none

#endif
