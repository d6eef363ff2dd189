// frf_fuzz.c -- measured frequency responses: hostile texts are read as ascending frequencies and
// finite mobilities of linked points, or refused by name and line; what is read becomes modes that
// take energy, or is refused by name.
//   The length of a text says which quantity it holds, in which unit, and how many modes to find.
#include "fuzz.h"

#include <math.h>

#include "structure/measured/frf.h"

const char *const fuzz_words[] = {"frequency,",
                                  "a/a.re,a/a.im",
                                  ",b/a.re,b/a.im",
                                  ",a/b.re,a/b.im",
                                  "a/",
                                  "/a",
                                  ".re,",
                                  ".im,",
                                  ".re",
                                  "/",
                                  "1,2,3\n",
                                  "1,2,3,4,5\n",
                                  "0,0,0\n",
                                  "10,1e-3,-2e-4\n",
                                  "1e308,",
                                  "-1e308,",
                                  "1e-308,",
                                  "4.9e-324,",
                                  "1e999,",
                                  "nan,",
                                  "inf ",
                                  "-0,",
                                  "-1,",
                                  "0x10,",
                                  "1d3,",
                                  "99999999999999999999,",
                                  FUZZ_COLUMN_WORDS,
                                  "\"a/a.re\"",
                                  NULL};

static void check_read(const jd_frf *f) {
    demand(f->n >= 8 && f->n_pair > 0 && f->n_point > 0 && f->n_point <= JD_FRF_POINTS,
           "sizes of responses that were read");
    for (int p = 0; p < f->n_pair; p++)
        demand(f->moves[p] >= 0 && f->moves[p] < f->n_point && f->pushed[p] >= 0 &&
                   f->pushed[p] < f->n_point,
               "a point that is not there");
    for (int k = 0; k < f->n; k++)
        demand(isfinite(f->omega[k]) && f->omega[k] > (k ? f->omega[k - 1] : 0),
               "frequencies that do not ascend");
    for (int i = 0; i < f->n_pair * f->n; i++)
        demand(isfinite(f->re[i]) && isfinite(f->im[i]), "a mobility that is not finite");
}

static void check_modes(const jd_frf *f, const jd_frf_modes *m) {
    demand(m->n > 0, "no modes");
    for (int k = 0; k < m->n; k++)
        demand(isfinite(m->omega[k]) && m->omega[k] > 0 && isfinite(m->c[k]) && m->c[k] > 0,
               "a mode that gives energy");
    for (int i = 0; i < m->n * f->n_point; i++)
        demand(isfinite(m->shape[i]), "a shape that is not finite");
    demand(isfinite(m->error), "a misfit that is not finite");
}

enum { MOST_TO_FIT = 60 }; // values, else one input takes long

static size_t length; // of the text

static jd_status read_responses(jd_arena *arena, const char *path) {
    jd_context *context = jd_arena_context(arena);
    jd_frf f;
    jd_frf_modes m;
    JD_TRY(jd_frf_read(arena, path, (jd_frf_quantity)(length % 3), length / 3 % 2, &f));
    check_read(&f);
    if (f.n * f.n_pair > MOST_TO_FIT || length / 6 % 4 == 3) return JD_OK;
    jd_status s = jd_frf_check_passive(context, &f, 0.05);
    if (s == JD_OK) s = jd_frf_identify(arena, &f, (int)(length / 6 % 4), 0.05, &m);
    demand_named(context, s);
    if (s == JD_OK) check_modes(&f, &m);
    return JD_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    length = size;
    fuzz_read(data, size, read_responses);
    return 0;
}
