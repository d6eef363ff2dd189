// universal_fuzz.c -- universal files with responses (58) and modes (55): hostile texts are read as
// ascending frequencies and finite numbers, or refused by name and line.
//   The length of a text says whether responses or modes are looked for, and of what quantity.
#include "fuzz.h"

#include <math.h>

#include "structure/measured/frf.h"
#include "structure/measured/modes_universal.h"
#include "structure/universal/universal.h"

const char *const fuzz_words[] = {
    "    -1\n",
    "    58\n",
    "    55\n",
    "  2411\n",
    "   58b\n",
    "    4         0    0         0 NONE              10   3 NONE              10   3\n",
    "         5        10         1  0.00000E+00  1.00000E+00  0.00000E+00\n",
    "         6        10         0  0.00000E+00  1.00000E+00  0.00000E+00\n",
    "        18    0    0    0\n",
    "        12    0    0    0\n",
    "        13    0    0    0\n",
    "         1         2         2         8         2         3\n",
    "         2         4         1         1\n",
    "  1.00000E+01  1.00000E+00  1.00000E-02  0.00000E+00\n",
    "         7\n",
    "  1.00000E+00 -1.00000E+00\n",
    "1e308 ",
    "-1e308 ",
    "1.5-300 ",
    "nan ",
    "99999999999 ",
    "-3",
    "\n",
    NULL};

static jd_status read_responses(jd_arena *arena, jd_scan *s) {
    jd_frf f = {.path = s->path};
    JD_TRY(jd_frf_read_universal(arena, s, (jd_frf_quantity)(fuzz_size % 3), &f));
    demand(f.n >= 8 && f.n_pair > 0 && f.n_point > 0 && f.n_point <= JD_FRF_POINTS, "sizes");
    for (int k = 0; k < f.n; k++)
        demand(isfinite(f.omega[k]) && f.omega[k] > (k ? f.omega[k - 1] : 0),
               "frequencies that do not ascend");
    for (int i = 0; i < f.n_pair * f.n; i++)
        demand(isfinite(f.re[i]) && isfinite(f.im[i]), "a mobility that is not finite");
    return JD_OK;
}

static jd_status read_modes(jd_arena *arena, const char *path) {
    static const double near[3] = {0.5, 0, 0};
    static const jd_point point[] = {{.name = "a", .node = 7, .dof = 1},
                                     {.name = "b", .near = {3, near}, .dof = 3}};
    jd_modes_def d = {.file = path, .points = {2, point}};
    JD_TRY(jd_modes_read_universal(arena, path, &d));
    demand(d.omega.n > 0 && d.ratio.n == d.omega.n && d.shapes.n == 2, "sizes");
    for (int k = 0; k < d.omega.n; k++)
        demand(isfinite(d.omega.value[k]) && d.omega.value[k] >= 0, "a frequency that is none");
    return JD_OK;
}

static jd_status read_universal(jd_arena *arena, const char *path) {
    jd_scan s;
    JD_TRY(jd_scan_open(arena, path, 1 << 20, JD_BROKEN_TABLE, &s));
    if (!jd_universal_is(&s)) return jd_scan_fail(&s, JD_BROKEN_TABLE, "no universal file");
    return fuzz_size % 2 ? read_responses(arena, &s) : read_modes(arena, path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(data, size, read_universal);
    return 0;
}
