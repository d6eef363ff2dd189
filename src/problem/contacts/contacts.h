// contacts.h -- contacts of a problem as rows over the modes, and what is wrong with them.
#ifndef JD_PROBLEM_CONTACTS_H
#define JD_PROBLEM_CONTACTS_H

#include "problem/parts.h"

// Tangential and normal row of contact i into problem->system; NULL along a span.
jd_status jd_contact_rows(jd_problem *problem, int i);
// Names, directions and numbers of contact i, once all rows are there: refused, or warned about.
jd_status jd_contact_check(jd_problem *problem, int i);

// Is the spring of a contact's normal part preloaded? Then a model settles before it moves.
jd_status jd_contacts_preloaded(const jd_problem *problem, bool *is);
// How many sliders all contacts have, and what `start: state` gives as their forces (T may be
// NULL).
jd_status jd_contact_sliders(const jd_problem *problem, int *n, double *T);
// One of these sliders: its contact, has it a spring, and what it holds at t = 0 [N]; NaN: that
// follows from the motion.
typedef struct jd_slider_hold {
    int contact;
    bool sprung;
    double hold;
} jd_slider_hold;
// All of them, in this order, where the modes are at q; NULL: not known.
jd_status jd_contact_holds(const jd_problem *problem, const double *q, jd_slider_hold *out);
// Names and numbers of the forces of `start: state`: sliders hold them, stops are not penetrated.
jd_status jd_contact_check_start(const jd_problem *problem);

#endif
