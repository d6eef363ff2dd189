// backbone_case.h -- a backbone of a model in a text, whole or the test fails.
#ifndef JD_TESTS_BACKBONE_CASE_H
#define JD_TESTS_BACKBONE_CASE_H

#include <string.h>

#include "judder/judder.h"
#include "near.h"

typedef struct one {
    jd_context *context;
    jd_problem *problem;
    jd_backbone *backbone;
    const jd_backbone_view *view;
} one;

static void compute(one *o, const char *text) {
    *o = (one){.context = jd_context_create(NULL)};
    if (jd_model_parse(o->context, "m.yaml", ".", text, strlen(text), 0, NULL, &o->problem) ||
        jd_backbone_create(o->context, o->problem, &o->backbone))
        fail_msg("%s", jd_context_error(o->context)->message);
    o->view = jd_backbone_look(o->backbone);
    if (o->view->end != JD_BACKBONE_COMPLETE)
        fail_msg("%s after %d points of\n%s", jd_backbone_end_text(o->view->end), o->view->n_point,
                 text);
}

static void end(one *o) {
    jd_backbone_free(o->backbone);
    jd_problem_free(o->problem);
    jd_context_free(o->context);
}

#endif
