// dependent.h -- contacts whose rows depend on each other: which are held, how they share forces.
#ifndef JD_ENGINE_EXACT_DEPENDENT_H
#define JD_ENGINE_EXACT_DEPENDENT_H

#include "engine/exact/exact.h"

// Is it clear which contacts depend on each other? Refused, or nearly_dependent
jd_status jd_judge_dependence(exact *e);
// frozen, from marks and orders
void jd_choose_held(exact *e);
// Which of the n contacts of a set have rows that are combinations of the rows of those inside?
void jd_mark_spanned(exact *e, int n, const int *set, const jd_bound *bound, bool *spanned);
// Are all rows of the set independent? Known where it is part of one that was (apart).
bool jd_all_independent(exact *e, int n, const int *set);
// Contacts of the set with independent rows, best first: their places in it; returns how many.
int jd_independent_rows(exact *e, int n, const int *set, int *out);
// Of the n contacts of fset, those on a wall there (fbound, fx): forces of the others, the shortest
// split in `unit` with which accelerations are least; `without`: those without the set's forces.
jd_status jd_shortest_split(exact *e, int n, const double *without);
// Units of force of the contacts of a set, for sharing.
void jd_force_units(const exact *e, int n, const int *set, double *unit);
// At the start of a phase: refused by name when held contacts cannot move together.
jd_status jd_judge_jam(exact *e);
jd_status jd_refuse_jam(exact *e, int j, double t);

#endif
