// units.c -- udunits2: unit texts to SI, dimensions checked strictly.
//   value_SI = value * factor, factor = unit/wanted as a pure number. No offsets (degC), no
//   logarithms (dB), no dates. udunits keeps static state (its parser, its message handler): every
//   call is inside one lock, and the handler is put back.
#include <math.h>
#include <pthread.h>
#include <string.h>

#include <udunits2.h>

#include "base/constants.h"
#include "model/number.h"
#include "model/units/si_units.h"

enum { LONGEST_UNIT = 64 };

typedef struct dictionary {
    ut_system *system;
    ut_unit *one;
} dictionary;

struct jd_units {
    jd_arena *arena;
    dictionary few; // names of si_units.c
    dictionary all; // the database
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

jd_units *jd_units_create(jd_arena *arena) {
    jd_units *u = JD_TAKE(arena, jd_units, 1);
    if (u) u->arena = arena;
    return u;
}

bool jd_unit_is_dimensionless(const char *wanted) { return !*wanted || !strcmp(wanted, "rad"); }

static void close_locked(dictionary *d) {
    if (d->one) ut_free(d->one);
    if (d->system) ut_free_system(d->system);
    *d = (dictionary){NULL, NULL};
}

void jd_units_close(jd_units *u) {
    if (!u || (!u->few.system && !u->all.system)) return;
    pthread_mutex_lock(&lock);
    close_locked(&u->few);
    close_locked(&u->all);
    pthread_mutex_unlock(&lock);
}

// The database, with `deg`, `rev` and `tonf`-like gaps filled where people expect a name.
static bool open_all_locked(dictionary *d) {
    if (d->system) return true;
    d->system = ut_read_xml(NULL);
    if (!d->system) return false;
    d->one = ut_get_dimensionless_unit_one(d->system);
    static const char *const also[][2] = {{"deg", "degree"}, {"rev", "revolution"}};
    for (int i = 0; i < 2; i++) {
        ut_unit *known = ut_parse(d->system, also[i][1], UT_UTF8);
        if (known) ut_map_name_to_unit(also[i][0], UT_ASCII, known);
        if (known) ut_free(known);
    }
    return d->one != NULL;
}

static bool open_few_locked(dictionary *d) {
    if (d->system) return true;
    d->system = jd_si_system();
    d->one = d->system ? ut_get_dimensionless_unit_one(d->system) : NULL;
    return d->one != NULL;
}

static bool are_few(const char *unit, const char *wanted) {
    size_t n = strcspn(wanted, "|");
    char one[LONGEST_UNIT] = "";
    if (n >= sizeof one) return false;
    memcpy(one, wanted, n);
    return jd_si_knows(unit) && jd_si_knows(one) && (!wanted[n] || are_few(unit, wanted + n + 1));
}

// The dictionary that has all names of both texts; NULL: it cannot be opened.
static dictionary *open_locked(jd_units *u, const char *unit, const char *wanted) {
    if (are_few(unit, wanted)) return open_few_locked(&u->few) ? &u->few : NULL;
    return open_all_locked(&u->all) ? &u->all : NULL;
}

// udunits also reads dates, shifts and scale factors; a model wants plain units. A digit may only
// be an exponent (after a letter, ^, - or a parenthesis), or the 1 of `1/s`.
static bool plain(const char *s) {
    if (strlen(s) > LONGEST_UNIT || strstr(s, "since") || strstr(s, "from")) return false;
    if (s[0] == '1' && s[1] == '/') s += 2;
    for (const char *p = s; *p; p++) {
        unsigned char c = (unsigned char)*p;
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
        bool number = c >= '0' && c <= '9';
        if (!letter && !number && !strchr(" ^*/.-()%'\"", c)) return false;
        if (number && (p == s || strchr(" /*.(", p[-1]))) return false;
    }
    return true;
}

// factor of unit in wanted, 0 when dimensions differ.
static double factor_locked(const dictionary *d, ut_unit *unit, const char *wanted) {
    ut_unit *target = ut_parse(d->system, *wanted ? wanted : "1", UT_UTF8);
    ut_unit *ratio = target ? ut_divide(unit, target) : NULL;
    double factor = 0;
    // Not ut_are_convertible: that holds for reciprocals, s and 1/s.
    if (ratio && ut_is_dimensionless(ratio)) {
        cv_converter *c = ut_get_converter(ratio, d->one);
        double zero = c ? cv_convert_double(c, 0) : 1;
        if (zero == 0) factor = cv_convert_double(c, 1); // no offset
        if (c) cv_free(c);
    }
    if (ratio) ut_free(ratio);
    if (target) ut_free(target);
    return factor;
}

// udunits takes 1 Hz for 1 rad/s; where an angular frequency is wanted it is a cycle per second.
static bool is_hertz(const char *unit) {
    size_t n = strlen(unit);
    return (n >= 2 && n <= 4 && !strcmp(unit + n - 2, "Hz")) || (n >= 5 && strstr(unit, "hertz"));
}

static double cycles(const char *unit, const char *wanted) {
    return !strcmp(wanted, "rad/s") && is_hertz(unit) ? JD_TWO_PI : 1;
}

// udunits' factors, products of prefixes, can be an ulp off a whole number or its inverse; with
// those put right 5 kN is 5000 N and 3 mm is 3/1000 m, each rounded once.
static double scaled(double value, double factor) {
    double whole = round(factor), inverse = round(1 / factor);
    if (whole >= 1 && whole < 1e15 && fabs(factor - whole) <= 4e-16 * whole) return value * whole;
    if (inverse > 1 && inverse < 1e15 && fabs(factor * inverse - 1) <= 4e-16)
        return value / inverse;
    return value * factor;
}

typedef enum outcome { CONVERTED, NO_DATABASE, UNKNOWN, OTHER_DIMENSION, NO_MEMORY } outcome;

// Why the call of udunits2 just made gave nothing: memory, or `otherwise`.
static outcome reason_locked(outcome otherwise) {
    return ut_get_status() == UT_OS ? NO_MEMORY : otherwise;
}

static outcome convert_locked(jd_units *u, const char *unit, const char *wanted, double *value,
                              int *chosen) {
    const dictionary *d = open_locked(u, unit, wanted);
    if (!d) return reason_locked(NO_DATABASE);
    if (!plain(unit)) return UNKNOWN;
    ut_unit *parsed = ut_parse(d->system, unit, UT_UTF8);
    if (!parsed) return reason_locked(UNKNOWN);
    outcome result = OTHER_DIMENSION;
    for (int i = 0; result == OTHER_DIMENSION; i++) {
        size_t n = strcspn(wanted, "|");
        char one[LONGEST_UNIT] = "";
        if (n < sizeof one) memcpy(one, wanted, n);
        double factor = factor_locked(d, parsed, one) * cycles(unit, one);
        if (factor > 0 && isfinite(factor)) {
            *value = scaled(*value, factor);
            *chosen = i;
            result = CONVERTED;
        }
        if (!wanted[n]) break;
        wanted += n + 1;
    }
    ut_free(parsed);
    return result;
}

// "N|N/m" -> "N or N/m"
const char *jd_unit_words(jd_arena *arena, const char *wanted) {
    if (!*wanted) return "no unit";
    const char *bar = strchr(wanted, '|');
    if (!bar) return wanted;
    const char *text = jd_arena_format(arena, "%.*s or %s", (int)(bar - wanted), wanted,
                                       jd_unit_words(arena, bar + 1));
    return text ? text : "";
}

static jd_status explain(jd_units *u, outcome result, const char *unit, const char *wanted) {
    jd_context *context = jd_arena_context(u->arena);
    if (result == NO_MEMORY)
        return jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory to read units");
    const char *quoted = jd_quote(u->arena, unit), *words = jd_unit_words(u->arena, wanted);
    if (result == NO_DATABASE) {
        jd_fail(context, JD_CANNOT_READ, "cannot read the database of units (udunits2)");
        jd_fail_hint(context, "reinstall libudunits2, or write the model without units");
        return JD_CANNOT_READ;
    }
    if (result == UNKNOWN)
        jd_fail(context, JD_WRONG_UNIT, "the unit %s is not known; expected %s", quoted, words);
    else
        jd_fail(context, JD_WRONG_UNIT, "the unit %s has the wrong dimension; expected %s", quoted,
                words);
    if (result == UNKNOWN)
        jd_fail_hint(context, "units look like `N m^2`, `kN/m`, `kg/m`, `1/s`, `Hz`, `mm`, `t`");
    return JD_WRONG_UNIT;
}

jd_status jd_units_convert(jd_units *u, const char *unit, const char *wanted, double *value,
                           int *chosen) {
    // udunits2 ends the program where its parser gets no memory
    enum { FOR_DATABASE = 8 << 20, FOR_UNIT = 1 << 17 }; // bytes; they are about 3 MB and 20 kB
    bool opened = u->all.system || are_few(unit, wanted);
    JD_TRY(jd_room(jd_arena_context(u->arena), opened ? FOR_UNIT : FOR_DATABASE));
    pthread_mutex_lock(&lock);
    ut_error_message_handler before = ut_set_error_message_handler(ut_ignore);
    outcome result = convert_locked(u, unit, wanted, value, chosen);
    ut_set_error_message_handler(before);
    pthread_mutex_unlock(&lock);
    if (result != CONVERTED) return explain(u, result, unit, wanted);
    return JD_OK;
}
