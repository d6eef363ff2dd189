// starts.c -- random starts of a point, the same for any threads.
//   x_k = 2 a_k r_k,  r_k uniform in (-1, 1), a_k the largest |x_k| in the first periods from the
//   model's own start. The numbers r_k belong to the seed, the point and the start alone.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analysis/sweep/parts.h"

enum { PERIODS = 8, LOOKS = 16 };

uint64_t jd_sweep_random(uint64_t *random) {
    uint64_t z = *random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// a_k; where nothing moves, what has the energy 1/2.
static jd_status spread(jd_run *run, const double *scale, int n, double *now, double *a) {
    double period = jd_problem_period(run->problem), largest = 0;
    jd_step step = JD_STEP_TIME;
    for (int i = 1; i <= PERIODS * LOOKS && step == JD_STEP_TIME; i++) {
        do JD_TRY(jd_run_advance(run, i * period / LOOKS, &step));
        while (step == JD_STEP_EVENT);
        run->class->map.state(run, now);
        for (int k = 0; k < n; k++) a[k] = fmax(a[k], fabs(now[k]));
    }
    for (int k = 0; k < n; k++) largest = fmax(largest, a[k] * scale[k]);
    for (int k = 0; k < n && largest == 0; k++) a[k] = 1 / scale[k];
    return JD_OK;
}

static jd_status draw(const jd_sweep *sw, jd_run *run, jd_arena *arena, int index,
                      jd_reals *state) {
    int n = run->class->map.coordinates(run);
    double *a = JD_TAKE(arena, double, n), *x = JD_TAKE(arena, double, n);
    double *scale = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(arena));
    jd_run_for_analysis(run);
    run->class->map.scales(run, scale);
    JD_TRY(spread(run, scale, n, x, a));
    uint64_t random = (uint64_t)sw->def->seed << 32 | (uint32_t)index;
    jd_sweep_random(&random); // neighbouring seeds are far apart after one step
    random = jd_sweep_random(&random);
    for (int k = 0; k < n; k++)
        x[k] = 2 * a[k] * ((double)(jd_sweep_random(&random) >> 11) * 0x1p-52 - 1);
    *state = (jd_reals){n, x};
    return JD_OK;
}

jd_status jd_sweep_draw(const jd_sweep *sw, sweep_worker *w, int index, jd_reals *state) {
    jd_run *run;
    JD_TRY(jd_run_create(w->context, w->problem, &run));
    jd_status status = JD_OK;
    if (run->class->map.coordinates && run->class->map.coordinates(run) == sw->n_state)
        status = draw(sw, run, w->arena, index, state);
    else
        status = jd_fail(w->context, JD_NOT_SUPPORTED, "engine `%s` takes no random starts",
                         run->class->info.name);
    jd_run_free(run);
    return status;
}
