// orbit_case.h -- orbits of models from the gallery or from text, with some values changed.
#ifndef JD_TESTS_ORBIT_CASE_H
#define JD_TESTS_ORBIT_CASE_H

#include <stdlib.h>
#include <string.h>

#include "judder/judder.h"
#include "near.h"

typedef struct orbit_case {
    jd_context *context;
    jd_problem *problem;
    jd_orbit *orbit;
    const jd_orbit_view *view;
} orbit_case;

static inline void orbit_read(orbit_case *c, const char *file, int n, const char *const *set) {
    char path[512];
    *c = (orbit_case){.context = jd_context_create(NULL)};
    snprintf(path, sizeof path, "%s/gallery/%s", JD_SOURCE_DIR, file);
    if (jd_model_read(c->context, path, n, set, &c->problem) != JD_OK)
        fail_msg("%s", jd_context_error(c->context)->message);
}

static inline void orbit_parse(orbit_case *c, const char *text) {
    *c = (orbit_case){.context = jd_context_create(NULL)};
    if (jd_model_parse(c->context, "m.yaml", ".", text, strlen(text), 0, NULL, &c->problem))
        fail_msg("%s", jd_context_error(c->context)->message);
}

static inline void orbit_seek(orbit_case *c, const jd_orbit_options *options) {
    if (jd_orbit_create(c->context, c->problem, options, &c->orbit) != JD_OK)
        fail_msg("%s", jd_context_error(c->context)->message);
    c->view = jd_orbit_look(c->orbit);
}

static inline void orbit_find(orbit_case *c) {
    orbit_seek(c, NULL);
    if (!c->view->found) fail_msg("no orbit: %s", c->view->search.why);
}

static inline void orbit_end(orbit_case *c) {
    jd_orbit_free(c->orbit);
    jd_problem_free(c->problem);
    jd_context_free(c->context);
}

static inline void assert_phases(const jd_orbit_view *v, const char *words) {
    char text[4096] = "";
    for (int i = 0; i < v->n_phase; i++) {
        strcat(text, i ? " " : "");
        strcat(text, v->phases[i]);
    }
    assert_string_equal(text, words);
}

#endif
