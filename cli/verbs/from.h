// from.h -- a branch that starts at a point of an earlier one: --from FILE:POINT.
#ifndef JD_CLI_FROM_H
#define JD_CLI_FROM_H

#include "command.h"

// Where an earlier branch is taken up.
typedef struct from_point {
    jd_result *file; // to be freed; NULL: none is asked for
    const char *name;
    bool arms; // a branch point: both arms of the branch that crosses it
} from_point;

// The point that `text` names, into the options. `text` NULL: there is nothing to do.
jd_status from_read(call *c, const jd_problem *problem, const char *text,
                    jd_follow_options *options, from_point *out);
// The earlier branch with its parameter in SI units; NULL: there is none, or no memory.
const jd_follow_view *from_earlier(call *c, const jd_problem *problem, const from_point *from);
void from_free(from_point *from);

#endif
