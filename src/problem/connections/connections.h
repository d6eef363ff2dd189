// connections.h -- linear springs and dashpots between points: the bodies of a problem joined.
#ifndef JD_PROBLEM_CONNECTIONS_H
#define JD_PROBLEM_CONNECTIONS_H

#include "problem/parts.h"

extern const jd_type jd_connection_spring, jd_connection_dashpot;

// What both kinds have in common: where, and the one number.
typedef struct jd_connection_def {
    jd_place at;
    jd_counter against;
    double number; // stiffness or damping
} jd_connection_def;

// Joins the bodies of problem->system, whose modal forms stand one after the other: from then on
// the system has common modes, and rows are turned into them by jd_system_turn. Memory from
// problem->built. No connection: nothing changes.
jd_status jd_connections_join(jd_problem *problem);

#endif
