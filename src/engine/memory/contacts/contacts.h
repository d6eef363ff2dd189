// contacts.h -- contacts at an instant: which stick, slide or open, with what force.
//   resolve.c    at the start, at events and where a drive breaks
//   stops.c      impulses at stops, chatter
//   dependent.c  contacts whose forces would not be unique are refused
#ifndef JD_ENGINE_MEMORY_CONTACTS_CONTACTS_H
#define JD_ENGINE_MEMORY_CONTACTS_CONTACTS_H

#include "engine/memory/poles/poles.h"

// resolve.c
void jd_slide_forces(memory *e);
void jd_hold_forces(memory *e);
void jd_hold_still(memory *e); // stuck contacts have their counterpart's velocity, to rounding
void jd_hold_drift(memory *e); // likewise; infinitely many modes: to a hundredth of the tolerance
jd_status jd_resolve_start(memory *e);
void jd_resolve_event(memory *e, int contact);
void jd_resolve_restart(memory *e); // forces of contacts whose states are given
void jd_resolve_break(memory *e);
void jd_state_velocities(const memory *e, double *v); // at the beginning, without contact forces
void jd_state_places(const memory *e, double *u);     // displacements there, relative ones of stops
void jd_accelerations(memory *e, double *a);          // accelerations there, without contact forces
void jd_note_event(memory *e, double t, int j, jd_contact_state from, jd_contact_state to,
                   double speed, double impulse);

// stops.c
jd_status jd_stops_read(memory_plan *plan); // gaps and restitution
// Infinitely many modes: do they have a meaning?
jd_status jd_stops_check(const memory_plan *plan, const jd_response *response);
void jd_stops_scale(memory *e);                // speeds that matter there
jd_status jd_stops_start(memory *e);           // which touch at the start
void jd_stops_begin(memory *e);                // displacements and slacks at the panel's beginning
void jd_stops_reach(memory *e, int j);         // an open stop was reached
bool jd_stops_impact(memory *e);               // impulses of all that touch; true: speeds jumped
void jd_stops_after(memory *e);                // which open after it; which chatter to rest
double jd_stops_quiet(const memory *e, int j); // a force below is no pull [N]
double jd_stops_end(memory *e, int j);         // relative displacement at the end of the panel
double jd_stops_rise(memory *e, int j);        // likewise, less that at its beginning

// dependent.c. L: scratch of m x m
jd_status jd_dependent_check(const memory_plan *plan, double *L);

#endif
