// si_units.c -- a system of udunits2 made by hand: SI units and a few beside them.
//   Reading the database of udunits2 takes 9 ms, five times as long as a run. A text all of whose
//   names stand here is read by this system, any other by the database, with the same factors
//   (tested: the_short_list_of_units_agrees_with_the_database). Prefixes are written out: a short
//   list that knew them would read `ft` as femtotonnes.
#include "model/units/si_units.h"

#include <string.h>

static const struct {
    const char *name, *of; // of: in names above it
} derived[] = {{"g", "0.001 kg"},   {"t", "1000 kg"}, {"km", "1000 m"},   {"cm", "0.01 m"},
               {"mm", "0.001 m"},   {"um", "1e-6 m"}, {"nm", "1e-9 m"},   {"ms", "0.001 s"},
               {"us", "1e-6 s"},    {"min", "60 s"},  {"h", "3600 s"},    {"Hz", "s-1"},
               {"kHz", "1000 s-1"}, {"N", "kg.m/s2"}, {"mN", "0.001 N"},  {"kN", "1000 N"},
               {"MN", "1e6 N"},     {"Pa", "N/m2"},   {"kPa", "1000 Pa"}, {"MPa", "1e6 Pa"},
               {"GPa", "1e9 Pa"},   {"J", "N.m"},     {"kJ", "1000 J"},   {"W", "J/s"}};
static const char *const base[] = {"kg", "m", "s"};
enum { DERIVED = sizeof derived / sizeof *derived, BASE = sizeof base / sizeof *base };

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_name(const char *text, size_t n, const char *name) {
    return strlen(name) == n && memcmp(text, name, n) == 0;
}

static bool known(const char *text, size_t n) {
    if (is_name(text, n, "rad")) return true;
    for (int i = 0; i < BASE; i++)
        if (is_name(text, n, base[i])) return true;
    for (int i = 0; i < DERIVED; i++)
        if (is_name(text, n, derived[i].name)) return true;
    return false;
}

bool jd_si_knows(const char *text) {
    while (*text) {
        size_t n = 0;
        while (is_letter(text[n])) n++;
        if (n > 0 && !known(text, n)) return false;
        if (n == 0 && !strchr(" ^*/.-()0123456789", *text)) return false;
        text += n > 0 ? n : 1;
    }
    return true;
}

// Takes `unit` over; false: no memory.
static bool name_unit(ut_unit *unit, const char *name) {
    bool done = unit && ut_map_symbol_to_unit(name, UT_ASCII, unit) == UT_SUCCESS;
    if (unit) ut_free(unit);
    return done;
}

ut_system *jd_si_system(void) {
    ut_system *s = ut_new_system();
    bool fine = s != NULL;
    for (int i = 0; fine && i < BASE; i++) fine = name_unit(ut_new_base_unit(s), base[i]);
    fine = fine && name_unit(ut_new_dimensionless_unit(s), "rad");
    for (int i = 0; fine && i < DERIVED; i++)
        fine = name_unit(ut_parse(s, derived[i].of, UT_ASCII), derived[i].name);
    if (fine) return s;
    if (s) ut_free_system(s);
    return NULL;
}
