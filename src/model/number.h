// number.h -- numbers as people write them: `2.47 m`, `1e6 kN`, `3000 rpm`.
#ifndef JD_MODEL_NUMBER_H
#define JD_MODEL_NUMBER_H

#include "model/tree.h"

// A scalar taken apart. `unit` is "" for a bare number.
typedef struct jd_number {
    double value;
    const char *unit;
} jd_number;

// True when the text is a bare number, or a number and something that may be a unit.
bool jd_number_looks(const char *text);
// Splits a scalar into number and unit; says what is wrong with it (NaN, hex, `1_000`, `1,5`).
// `wanted` describes what was expected, for the message: "a number in m".
jd_status jd_number_split(jd_arena *arena, const jd_node *node, const char *wanted, jd_number *out);

// The unit database: opened at the first unit, as that takes 9 ms. One per model that is read.
typedef struct jd_units jd_units;
jd_units *jd_units_create(jd_arena *arena); // memory of the arena; NULL: out of memory
void jd_units_close(jd_units *units);       // the database itself
// Converts value from `unit` to `wanted`, an SI unit or alternatives "N|N/m"; *chosen is the
// alternative that fits. Hz means cycles where rad/s is wanted. Dimensions must agree exactly:
// udunits would turn s into 1/s.
jd_status jd_units_convert(jd_units *units, const char *unit, const char *wanted, double *value,
                           int *chosen);
// Bare numbers need no unit here: "" and rad.
bool jd_unit_is_dimensionless(const char *wanted);

// "N|N/m" -> "N or N/m"
const char *jd_unit_words(jd_arena *arena, const char *wanted);

#endif
