// contacts.h -- contacts of a problem as rows over the modes, and what is wrong with them.
#ifndef JD_PROBLEM_CONTACTS_H
#define JD_PROBLEM_CONTACTS_H

#include "problem/parts.h"

// Tangential and normal row of contact i into problem->system; NULL along a span.
jd_status jd_contact_rows(jd_problem *problem, int i);
// Names, directions and numbers of contact i, once all rows are there: refused, or warned about.
jd_status jd_contact_check(jd_problem *problem, int i);

#endif
