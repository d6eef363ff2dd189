// kind.h -- the kinds of drive; a new one is a file of its own and a line here.
#ifndef JD_DRIVE_KIND_H
#define JD_DRIVE_KIND_H

#include "base/arena.h"
#include <math.h>

#include "judder/drive.h"

// The drives of model files, in the order in which they are listed: X(name, definition), for
// jd_drive_NAME. A new drive is a line here.
#define JD_DRIVES(X)                                                                               \
    X(harmonic, harmonic)                                                                          \
    X(constant, constant)                                                                          \
    X(pulse, pulse)                                                                                \
    X(ramp, ramp)                                                                                  \
    X(table, drive_table)                                                                          \
    X(travelling, travelling)

#define JD_DRIVE_DECLARE(name, definition) extern const jd_type jd_drive_##name;
JD_DRIVES(JD_DRIVE_DECLARE)
// Second part of a travelling drive, with the definition of the first; no drive of model files.
extern const jd_type jd_drive_quadrature;
extern const char *const jd_drive_of_choices[];

// At a point, of the supports, along a span, at a rotation.
#define JD_DRIVE_UNIT "N|m/s^2|N/m|N m"
enum { JD_DRIVE_UNIT_BASE = 1, JD_DRIVE_UNIT_SPAN = 2 };

// Every drive begins with these keys; its definition begins with these members.
typedef struct jd_drive_place {
    jd_place at;
    int of;
    jd_profile profile;
} jd_drive_place;

extern const jd_type *const jd_drive_profile[]; // ends with NULL

// Entries of a table, laid out as there.
// clang-format off
#define JD_DRIVE_PLACE_PARAMS(def)                                                                 \
    {JD_KEY(def, at, PLACE), .unit = "m", .doc = "where it acts; needed unless `of` is base"},     \
    {JD_KEY(def, of, CHOICE), .unit = "", .choices = jd_drive_of_choices,                          \
     .doc = "what it is: a force at a place, or the acceleration of the supports (base)"},         \
    {JD_KEY(def, profile, GROUP), .unit = "", .types = jd_drive_profile,                           \
     .doc = "how the load varies along a span"}

// When it acts, of drives that begin and end.
#define JD_DRIVE_TIME_PARAMS(def, lasts)                                                           \
    {JD_KEY(def, start, REAL), .unit = "s", .low = 0, .high = HUGE_VAL, .doc = "when it begins"},  \
    {JD_KEY(def, duration, REAL), .unit = "s", .required = true, .low = 0, .high = HUGE_VAL,       \
     .above = true, .doc = lasts}
// clang-format on

// A force needs a place; part of the check of every drive.
jd_status jd_drive_check_place(jd_context *context, const void *def);

// Share of point j in the part of a travelling drive that this type is: cos or sin of its delay.
double jd_drive_travelling_share(const jd_type *type, const jd_travelling_def *def, int j);
// Frequency of drives that have one, else NULL.
const jd_frequency *jd_drive_frequency(const jd_object *drive);

// Reads the lists of a table from its file, which is forgotten.
jd_status jd_drive_table_load(jd_arena *arena, jd_drive_table_def *def);

#endif
