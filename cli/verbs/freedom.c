// freedom.c -- how far contacts that are stuck all along an orbit could rest from where they do.
//   Forces f_i of the stuck contacts may be shifted as long as they stay within their limits,
//     a_i = -hold - min f_i <= shift_i <= b_i = hold - max f_i.
//   The rest of contact j moved by d, those of the others kept, shifts them by C^-1 e_j d, with
//     C_ij = sum_k phi_k(i) phi_k(j)/omega_k^2 + [i = j]/kt_i,
//   kt the spring of the contact (rigid: no such term). d is bounded by all of them.
//                                                  tested: cli/freedom.sh
#include "freedom.h"

#include <math.h>

#include "contact/element.h"
#include "contact/law.h"
#include "linalg/general.h"
#include "problem/system.h"

typedef struct stuck {
    int contact;
    double soft;      // 1/kt [m/N]; 0: rigid
    double low, high; // shifts allowed [N]
} stuck;

// One slider with a given limit, at a point that is stuck for the whole period.
static bool look(call *c, const jd_problem *p, const jd_orbit_view *v, int j, stuck *out) {
    const jd_contact_def *d = jd_problem_contact(p, j)->def;
    bool all_along = v->stuck[j] >= v->period * (1 - 1e-12) && jd_problem_system(p)->contact[j];
    jd_element e = {0};
    if (!all_along || jd_law_element_of(c->arena, &d->law, &e) != JD_OK) return false;
    if (e.sliders != 1 || e.source != JD_NORMAL_GIVEN || e.swing != 0 || e.normal) return false;
    *out = (stuck){.contact = j,
                   .soft = e.stiffness[0] > 0 ? 1 / e.stiffness[0] : 0,
                   .low = -e.hold[0] - v->range[j].force.min,
                   .high = e.hold[0] - v->range[j].force.max};
    return true;
}

// C, row-major; false: the structure is free to move as a whole.
static bool compliance(const jd_system *s, int n, const stuck *list, double *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j ? list[i].soft : 0;
            for (int k = 0; k < s->modal.n; k++) {
                if (!(s->modal.omega2[k].hi > 0)) return false;
                sum += s->contact[list[i].contact][k].hi * s->contact[list[j].contact][k].hi /
                       s->modal.omega2[k].hi;
            }
            C[i * n + j] = sum;
        }
    return true;
}

static void print_one(const jd_problem *p, const stuck *s, double low, double high) {
    const char *name = jd_problem_contact(p, s->contact)->name,
               *unit = jd_problem_is_si(p) ? " m" : "";
    if (fabs(low + high) <= 1e-6 * (high - low))
        printf("stuck        %s may rest within ±%.6g%s of its place\n", name, high, unit);
    else
        printf("stuck        %s may rest from %.6g%s below its place to %.6g%s above it\n", name,
               -low, unit, high, unit);
}

void freedom_print(call *c, const jd_problem *p, const jd_orbit_view *v) {
    int m = jd_problem_contacts(p), n = 0;
    stuck *list = JD_TAKE(c->arena, stuck, m);
    double *C = JD_TAKE(c->arena, double, m *m), *shift = JD_TAKE(c->arena, double, m);
    int *pivot = JD_TAKE(c->arena, int, m);
    if (!list || !C || !shift || !pivot) return;
    for (int j = 0; j < m; j++) n += look(c, p, v, j, &list[n]);
    if (n == 0 || !compliance(jd_problem_system(p), n, list, C) || !jd_lu_factor(n, C, pivot))
        return;
    for (int j = 0; j < n; j++) {
        double low = -HUGE_VAL, high = HUGE_VAL;
        for (int i = 0; i < n; i++) shift[i] = i == j;
        jd_lu_solve(n, C, pivot, shift);
        for (int i = 0; i < n; i++) {
            double a = list[i].low / shift[i], b = list[i].high / shift[i];
            if (shift[i] == 0) continue;
            low = fmax(low, fmin(a, b));
            high = fmin(high, fmax(a, b));
        }
        if (high > low) print_one(p, &list[j], low, high);
    }
}
