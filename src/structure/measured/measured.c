// measured.c -- a structure that is known from the test bench: measured frequency responses at
// named points become real modes, passive as they stand, and so everything else works on them.
#include "structure/classes.h"
#include "structure/measured/frf.h"

#include <math.h>

static const char *const quantities[] = {"receptance", "mobility", "accelerance", NULL};
static const char *const frequencies[] = {"Hz", "rad/s", NULL};

static const jd_param params[] = {
    {JD_KEY(jd_measured_def, file, FILE), .unit = "", .required = true,
     .doc = "CSV: frequency, then re and im of each pair, named `moves/pushed.re`, "
            "`moves/pushed.im`; or a universal file (58), points are named n12z"},
    {JD_KEY(jd_measured_def, quantity, CHOICE), .unit = "", .choices = quantities, .preset = 2,
     .doc = "what is measured per force: displacement, velocity or acceleration; a universal file "
            "that says it is believed"},
    {JD_KEY(jd_measured_def, frequency, CHOICE), .unit = "", .choices = frequencies,
     .doc = "unit of the file's first column"},
    {JD_KEY(jd_measured_def, error, REAL), .unit = "", .preset = 0.02, .low = 1e-12, .high = 1,
     .doc = "misfit accepted, rms over rms of the mobility: about the noise of the data"},
    {JD_KEY(jd_measured_def, modes, INTEGER), .unit = "", .low = 0, .high = 60,
     .doc = "modes in the band; 0: as many as `error` needs"},
    {.key = NULL}};

static jd_status take_points(jd_structure *s, const jd_frf *frf, const jd_frf_modes *m) {
    jd_point *point = JD_TAKE(s->arena, jd_point, frf->n_point);
    JD_TRY(jd_arena_status(s->arena));
    for (int i = 0; i < frf->n_point; i++) point[i].name = frf->name[i];
    JD_TRY(jd_structure_take_points(s, &(jd_points){frf->n_point, point}));
    for (int i = 0; i < frf->n_point; i++)
        for (int k = 0; k < m->n; k++)
            s->row[(size_t)i * (size_t)m->n + (size_t)k] = dd(m->shape[k * frf->n_point + i]);
    return JD_OK;
}

static jd_status build(jd_structure *s, const void *def) {
    const jd_measured_def *d = def;
    jd_context *context = jd_arena_context(s->arena);
    jd_frf frf;
    jd_frf_modes m;
    JD_TRY(jd_frf_read(s->arena, d->file, (jd_frf_quantity)d->quantity, d->frequency == 0, &frf));
    JD_TRY(jd_frf_check_passive(context, &frf, d->error));
    JD_TRY(jd_frf_identify(s->arena, &frf, d->modes, d->error, &m));
    jd_modal *modal = &s->modal;
    modal->n = m.n;
    modal->omega2 = JD_TAKE(s->arena, jd_dd, m.n);
    modal->error = JD_TAKE(s->arena, double, m.n);
    double *ratio = JD_TAKE(s->arena, double, m.n);
    JD_TRY(jd_arena_status(s->arena));
    for (int k = 0; k < m.n; k++) {
        modal->omega2[k] = dd_two_prod(m.omega[k], m.omega[k]);
        ratio[k] = m.c[k] / (2 * m.omega[k]);
        // a misfit moves a peak by so much of its width; modes above the band have none to see
        bool seen = m.omega[k] <= frf.omega[frf.n - 1];
        modal->error[k] = m.error * (seen ? fmin(1, ratio[k]) : 1);
    }
    JD_TRY(take_points(s, &frf, &m));
    s->origin =
        jd_arena_format(s->arena, "from %d measured responses up to %.5g rad/s, off by %.2g (rms)",
                        frf.n_pair, frf.omega[frf.n - 1], m.error);
    JD_TRY(jd_arena_status(s->arena));
    jd_damping_ratio_def damping = {{m.n, ratio}};
    return jd_damping_apply(s->arena, &(jd_object){"", &jd_damping_ratio, &damping}, modal);
}

const jd_structure_class jd_measured_class = {
    .type = {"measured", "measured frequency responses at named points, from a file",
             sizeof(jd_measured_def), params, NULL},
    .capabilities = JD_CAN_MODAL,
    .build = build};
