// energies.c -- the ledger of a run summed up: stored + damping + friction + impacts = supplied.
#include <math.h>

#include "result/run/run.h"

const char *jd_energy_name(int i) {
    static const char *const name[JD_ENERGY_COUNT] = {"kinetic",  "strain",  "damping",
                                                      "friction", "impacts", "supplied"};
    return name[i];
}

void jd_run_energies(jd_run *run, const jd_problem *problem, jd_energies *out) {
    jd_report r;
    jd_run_report(run, &r);
    const jd_ledger *l = &r.ledger;
    double *value = out->value;
    *out = (jd_energies){.horizon = r.horizon.known, .log_growth = r.horizon.log_growth};
    if (!l->drive || r.no_energy) return;
    value[JD_ENERGY_KINETIC] = l->kinetic;
    value[JD_ENERGY_STRAIN] = l->strain;
    value[JD_ENERGY_DAMPING] = l->damping;
    value[JD_ENERGY_SUPPLIED] = l->start;
    for (int i = 0; i < jd_problem_drives(problem); i++) value[JD_ENERGY_SUPPLIED] += l->drive[i];
    for (int j = 0; j < jd_problem_contacts(problem); j++) {
        value[JD_ENERGY_SUPPLIED] += l->belt[j];
        value[JD_ENERGY_FRICTION] += l->contact[j];
        value[JD_ENERGY_IMPACTS] += l->impact[j];
    }
    out->known = true;
    for (int i = 0; i < JD_ENERGY_COUNT; i++) out->known = out->known && !isnan(value[i]);
}
