// observers.c -- shows the observers of a run every panel and every impulse.
#include "engine/memory/observers/observers.h"

#include "engine/memory/memory.h"

jd_status jd_observers_panel(memory *e) {
    jd_tangent_panel(e);
    jd_followed_panel(e);
    JD_TRY(jd_replay_panel(e));
    if (!(e->panel.h > 0)) return JD_OK;
    if (!e->run->no_ledger) {
        JD_TRY(jd_driven_prepare(e));
        jd_energy_panel(e, 1, e->observers.ledger->sums);
    }
    if (e->observers.ranges) jd_ranges_widen(e, 1, e->observers.ranges);
    return jd_damping_accept(e);
}

void jd_observers_push(memory *e, int n, const int *set, const double *part) {
    jd_tangent_push(e, n, set, part);
}
