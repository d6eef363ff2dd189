// param_tools.h -- what the model reader and the problem share about parameter tables:
//   one wording for ranges, nearest keys, checks and deep copies of whole definitions.
#ifndef JD_BASE_PARAM_TOOLS_H
#define JD_BASE_PARAM_TOOLS_H

#include "base/arena.h"
#include "judder/param.h"

// The member a table entry describes.
#define JD_MEMBER(type, def, param) ((type *)(void *)((char *)(def) + (param)->offset))
#define JD_MEMBER_CONST(type, def, param)                                                          \
    ((const type *)(const void *)((const char *)(def) + (param)->offset))

// True when the number is finite, 0 or 1e-60 to 1e60 in size, and in the range of the table (whole,
// for integers and counts).
bool jd_param_allows(const jd_param *param, double value);
// What the table asks for, to follow "must be": "above 0", "between 0 and 1", "a finite number",
// "a whole number of at least 1". Always ended; returns text.
const char *jd_param_rule(const jd_param *param, char *text, size_t size);
// JD_OK, or JD_OUT_OF_RANGE "`what` is -2, but must be above 0".
jd_status jd_param_check(jd_context *context, const jd_param *param, const char *what,
                         double value);

// The candidate nearest to the word in the sense of Damerau and Levenshtein (insert, delete,
// replace, swap neighbours), NULL when none is near enough to be meant. Case, - and _ are alike.
const char *jd_nearest(const char *word, int n, const char *const *candidates);
const char *jd_nearest_type(const jd_type *const *types, const char *name);
const char *jd_nearest_choice(const jd_param *param, const char *word);

// As many factors as places, which ascend.
jd_status jd_profile_check(jd_context *context, const jd_profile *profile);
// Refuses places beyond a span of that length.
jd_status jd_profile_within(jd_context *context, const jd_profile *profile, double length);
// The factor at x, and its integral from a to b, both from the beginning of the span.
double jd_profile_at(const jd_profile *profile, double x);
double jd_profile_between(const jd_profile *profile, double a, double b);

bool jd_place_given(const jd_place *place);
bool jd_place_is_span(const jd_place *place);

// Every value against its range, required members present, then the rules of type->check, nested
// objects included. A NULL def stands for the defaults. Messages name members by path, `prefix`.key
// ("" for no prefix).
jd_status jd_type_check(jd_context *context, const jd_type *type, const void *def,
                        const char *prefix);

// The rules between keys alone: of two that stand for each other one is given, and type->check.
jd_status jd_type_rules(jd_context *context, const jd_type *type, const void *def);

// The defaults, with NaN where a number is required: jd_type_check says which are left so.
void jd_type_open(const jd_type *type, void *def);

// Shape, indices and numbers of a matrix in memory; `what` names it. Symmetry and duplicates are
// found where it is sorted (structure/matrices/).
jd_status jd_matrix_check(jd_context *context, const jd_matrix *matrix, const char *what);
// Number i of `start` or `index`, and how many entries there are.
int64_t jd_matrix_number(const jd_matrix *matrix, const void *list, int64_t i);
int64_t jd_matrix_entries(const jd_matrix *matrix);
bool jd_matrix_given(const jd_matrix *matrix);

// Deep copy: texts, lists, points, shapes, matrices that are not borrowed, nested objects. An
// object with a type and no def gets its defaults. Failure is the arena's (sticky).
void *jd_type_clone(jd_arena *arena, const jd_type *type, const void *def); // NULL: no memory

#endif
