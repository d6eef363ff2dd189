// cells.h -- contacts as cells: contacts at points that stand for a span or a list of points.
//   A span [a, b] is cut into n cells of equal length h, each a contact at its middle that takes
//     limit_i = integral over the cell of limit profile(x) dx,   stiffness_i = h stiffness, ...
//   Of several points each takes its share of the law's numbers. Gaps, coefficients and
//   restitutions are those of the law.
#ifndef JD_PROBLEM_CELLS_H
#define JD_PROBLEM_CELLS_H

#include "contact/element.h"
#include "problem/parts.h"

// Cells of contact i along a span or at several points, with their rows, into problem->system.
jd_status jd_contact_cut(jd_problem *problem, int i);
// The element of one cell, with its share; at a point that of the law.
jd_status jd_cell_element(const jd_problem *problem, jd_arena *arena, int contact, int cell,
                          jd_element *out);

// A list of points "a, b, c": how many, and the name of number i.
enum { JD_CELL_NAME = 256 };
int jd_cell_names(const char *list);
void jd_cell_name(const char *list, int i, char out[JD_CELL_NAME]);

#endif
