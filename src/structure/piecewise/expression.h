// expression.h -- formulas of model files: t, y1 ... yn and named parameters.
#ifndef JD_STRUCTURE_EXPRESSION_H
#define JD_STRUCTURE_EXPRESSION_H

#include "base/arena.h"

typedef struct jd_expression jd_expression;

// Variables `name` live at `at`; the text is parsed at once. A failure quotes it with the position.
jd_status jd_expression_create(jd_arena *arena, const char *text, int n, const char *const *name,
                               double *const *at, jd_expression **out);
double jd_expression_value(const jd_expression *expression);
// Whether the variable that lives there occurs in it.
bool jd_expression_uses(const jd_expression *expression, const double *at);
void jd_expression_free(jd_expression *expression);

#endif
