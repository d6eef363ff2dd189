// typed.c -- every kind by functions of its own: its defaults, and how it becomes part of a
// problem.
//   Made from the lists of kinds, so that a kind of a model file is one of C, too.
#include <string.h>

#include "contact/law.h"
#include "drive/kind.h"
#include "judder/closure.h"
#include "problem/connections/connections.h"
#include "problem/parts.h"
#include "structure/classes.h"

// jd_default_NAME: the definition with the defaults of its table.
#define DEFAULT(name, type)                                                                        \
    jd_##name##_def jd_default_##name(void) {                                                      \
        jd_##name##_def def;                                                                       \
        jd_type_open(&(type), &def);                                                               \
        return def;                                                                                \
    }

// A definition as a member of another one, which is copied from there.
#define OBJECT(function, name, type)                                                               \
    jd_object function(const jd_##name##_def *def) {                                               \
        jd_object object = {"", &(type), NULL};                                                    \
        memcpy(&object.def, &def, sizeof def); /* never written through */                         \
        return object;                                                                             \
    }

// ---- structures

#define STRUCTURE(name)                                                                            \
    DEFAULT(name, jd_##name##_class.type)                                                          \
    jd_status jd_problem_add_##name(jd_problem *p, const char *part, const jd_##name##_def *def) { \
        return jd_problem_add_body(p, part, &jd_##name##_class.type, def);                         \
    }
JD_STRUCTURES(STRUCTURE)

jd_status jd_problem_add_closure(jd_problem *p, const char *name, const jd_closure_model *model) {
    return jd_problem_add_body(p, name, &jd_closure_type, model);
}

#define DAMPING(name)                                                                              \
    DEFAULT(damping_##name, jd_damping_##name)                                                     \
    OBJECT(jd_##name##_damping, damping_##name, jd_damping_##name)
DAMPING(ratio)
DAMPING(rayleigh)
DAMPING(table)
DAMPING(matrix)

jd_object jd_no_damping(void) { return (jd_object){"", &jd_damping_none, NULL}; }

// ---- contacts

DEFAULT(contact, jd_contact_type)

#define LAW(name, law)                                                                             \
    DEFAULT(name, jd_law_##law.type)                                                               \
    OBJECT(jd_##name##_law, name, jd_law_##law.type)
LAW(coulomb, coulomb)
LAW(affine, affine)
LAW(stop, stop)
LAW(stribeck, stribeck)
LAW(friction_table, table)
LAW(soil, soil)
LAW(iwan, iwan)
LAW(dry_contact, dry_contact)
LAW(cubic, cubic)

// ---- connections

#define CONNECTION(name)                                                                           \
    DEFAULT(name, jd_connection_##name)                                                            \
    jd_status jd_problem_add_##name(jd_problem *p, const char *part, const jd_##name##_def *def) { \
        return jd_problem_add_connection(p, part, &jd_connection_##name, def);                     \
    }
CONNECTION(spring)
CONNECTION(dashpot)

// ---- drives

#define DRIVE(name, definition)                                                                    \
    DEFAULT(definition, jd_drive_##name)                                                           \
    jd_status jd_problem_add_##definition(jd_problem *p, const char *part,                         \
                                          const jd_##definition##_def *def) {                      \
        return jd_problem_add_drive(p, part, &jd_drive_##name, def);                               \
    }
JD_DRIVES(DRIVE)

// ---- starts

#define START(name)                                                                                \
    DEFAULT(start_##name, jd_start_##name)                                                         \
    jd_status jd_problem_set_start_##name(jd_problem *p, const jd_start_##name##_def *def) {       \
        return jd_problem_set_start(p, &jd_start_##name, def);                                     \
    }
START(state)
START(lift)
START(shape)
START(values)
START(restart)
START(nsm)

jd_status jd_problem_set_start_rest(jd_problem *p) {
    return jd_problem_set_start(p, &jd_start_rest, NULL);
}

jd_status jd_problem_set_start_static(jd_problem *p) {
    return jd_problem_set_start(p, &jd_start_static, NULL);
}

// ---- sections

#define SECTION(name, section)                                                                     \
    DEFAULT(name, jd_section_types[section])                                                       \
    jd_status jd_problem_set_##name(jd_problem *p, const jd_##name##_def *def) {                   \
        return jd_problem_set_section(p, section, def);                                            \
    }
SECTION(simulate, JD_SIMULATE)
SECTION(orbit, JD_ORBIT)
SECTION(follow, JD_FOLLOW)
SECTION(nsm, JD_NSM)
SECTION(kernel, JD_KERNEL)
SECTION(sweep, JD_SWEEP)
SECTION(fit, JD_FIT)
SECTION(backbone, JD_BACKBONE)
SECTION(output, JD_OUTPUT)
