// ledger.h -- energies of a phase in closed form: tables of a basis, integrals, sums.
#ifndef JD_ENGINE_EXACT_LEDGER_H
#define JD_ENGINE_EXACT_LEDGER_H

#include "engine/exact/exact.h"

// ledger_tables.c
jd_status jd_ledger_tables(exact *e, basis *b);
// ledger_square.c: over the phase, t since t0, of a decoupled coordinate k: int E_k^2, E_k the
// exponential part of its velocity with the drives' share; int F_d V_k, V_k its own share alone
double jd_ledger_square(const exact *e, int k, double t);
double jd_ledger_block_work(const exact *e, int k, int d, double t);
// int z_o conj(z_d) of two drives of nearly one frequency; are they?
jd_complex jd_ledger_beat(const exact *e, int o, int d, double t);
bool jd_ledger_beats(const exact *e, int o, int d);
// ledger.c: books the phase from t0 to t
void jd_ledger_phase(exact *e, double t);
void jd_ledger_weigh(exact *e);   // adds products so far to sums; they stay
void jd_ledger_harvest(exact *e); // products so far into sums
// ledger_report.c: energy of a state, its kinetic part where asked for; the report at time t
double jd_ledger_energy(const exact *e, const double *q, const double *p, double *kinetic);
void jd_ledger_report(exact *e, double t, jd_ledger *out);
void jd_ledger_forget(exact *e); // all sums back to 0

#endif
