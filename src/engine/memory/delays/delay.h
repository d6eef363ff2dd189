// delay.h -- memory of a string or rod with little damping or none: waves that come back.
//   The forced part w of a contact's velocity repeats with the period T of the body:
//     w_i(t) = sign w_i(t - T) + sum_j sum_d a_ijd F_j(t - d),   0 <= d <= T
//   over the forces of contacts and drives.
//   d = 0 is the jump gamma. With damping every wave comes back smeared,
//   kernel/echoes/echo_kernel.h. Histories of w and F over one period are kept as polynomials of
//   the panels; a kink or jump (start, event, echo of one) is always the end of a panel.
#ifndef JD_ENGINE_MEMORY_DELAYS_DELAY_H
#define JD_ENGINE_MEMORY_DELAYS_DELAY_H

#include "base/arena.h"
#include "engine/memory/snapshot.h"
#include "kernel/echoes/echo_kernel.h"

typedef struct delay_line delay_line;

jd_status jd_delay_create(jd_arena *arena, const jd_response *response,
                          const jd_echo_kernel *kernel, int stages, delay_line **out);
double jd_delay_period(const delay_line *d); // after which all waves are back [s]
double jd_delay_room(const delay_line *d);   // longest panel whose echoes are all history [s]
// What the past gives to the velocity of contact i at t; `after`: just after t, else just before.
double jd_delay_velocity(const delay_line *d, int i, double t, bool after);
// The same just before each of n times, which follow `begin` at once: what arrives there is in it.
void jd_delay_velocities(const delay_line *d, int i, double begin, int n, const double *t,
                         double *out);
// Integral of the velocity that a sharp past gives to contact i over `length` from t on: exactly
// that of the polynomials that are kept.
double jd_delay_moved(const delay_line *d, int i, double t, double length);
// Keeps a panel: coefficients in theta of F (degree s - 1), contacts and then drives, and of w
// (degree s), contact by contact.
jd_status jd_delay_keep(delay_line *d, double t, double h, const double *F, const double *w);
// The next echo after t; HUGE_VAL: none. A kink of velocities at t comes back after the period, one
// of the forces of places `first` to `end` (not included) after their delays too.
double jd_delay_next(delay_line *d, double t);
jd_status jd_delay_kink(delay_line *d, double t, int first, int end);
// Histories and echoes that are waited for, to be kept or taken up.
double jd_delay_span(const delay_line *d); // how far back histories are looked up [s]
// A line like this one, without histories; one whose histories are forgotten, the next begins at
// `first`; the histories of a line, moved by `by`.
jd_status jd_delay_clone(jd_arena *arena, const delay_line *from, delay_line **out);
void jd_delay_clear(delay_line *d, double first);
jd_status jd_delay_sum(delay_line *d); // from here on without its grid, which errs by more
jd_status jd_delay_copy(delay_line *to, const delay_line *from, double by);
void jd_delay_shift(delay_line *d, double by); // all its times
jd_status jd_delay_visit(delay_line *d, snapshot *s, double now);

#endif
