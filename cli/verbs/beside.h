// beside.h -- branches of a changed model, shown beside the model's own.
#ifndef JD_CLI_BESIDE_H
#define JD_CLI_BESIDE_H

#include "command.h"

typedef struct beside {
    jd_problem *problem;
    jd_follow *follow;
} beside;

typedef struct besides {
    int n;
    beside *own;
    jd_beside *shown;
} besides;

// Follows the branches that --beside asks for; to be freed whatever it returns.
jd_status besides_follow(call *c, const option_list *asked, besides *out);
void besides_free(besides *b);

#endif
