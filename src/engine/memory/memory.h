// memory.h -- the memory engine inside: contact points with memory instead of modes.
//   y'_i = drive_i(t) + sum_j gamma_ij F_j + Re sum_p out_ip z_p,   z_p' = lambda_p z_p + in_p F
//   Poles lambda_p are those of the modes (finitely many: exact) or of a rational fit (infinitely
//   many). Time is cut into panels; in each the unknown forces F_j are polynomials through s Radau
//   nodes (discontinuous between panels), everything else is exact:
//     y'(t0 + c_i h) = known_i + sum_k B_ik F_k,   B_ik = gamma + Re sum out int e^{lambda .} L_k
//     in
//   with v_rel = y' - belt = 0 (stuck) or F = -sign f(sign v_rel) (sliding) at every node.
#ifndef JD_ENGINE_MEMORY_MEMORY_H
#define JD_ENGINE_MEMORY_MEMORY_H

#include "contact/law.h"
#include "drive/segment.h"
#include "engine/engine.h"
#include "engine/memory/delays/delay.h"
#include "expsum/sum.h"
#include "problem/shape.h"

enum {
    STAGES = 6,   // most nodes of a panel
    LADDER = 160, // steps that are kept: largest x 2^(-i/4)
    CHECK = 1     // one more point, where the panel is checked
};

// Radau nodes of a panel and what is interpolated through them.
typedef struct nodes {
    int s;
    double c[STAGES + CHECK];            // in (0, 1], c[s-1] = 1; c[s]: the check point
    double weight[STAGES];               // quadrature over [0, 1]
    double lagrange[STAGES][STAGES];     // L_k = sum_r lagrange[k][r] theta^r
    double wide[STAGES + 1][STAGES + 1]; // the same through 0 and the nodes, 0 first
    double check[STAGES + 1];            // weights of 0 and the nodes: value at c[s]
    double begin[STAGES];                // weights of the nodes: value at 0
    // Bernstein coefficients over the panel, j of them from values: through the nodes, 0 and nodes
    double hull[STAGES][STAGES], wide_hull[STAGES + 1][STAGES + 1];
} nodes;

// What damping takes in a panel of one length without drives, damping_form.c: N = s m forces.
enum { FORM_CONTACTS = 2 };
typedef struct damping_form {
    double *C_re, *C_im; // N x n: of state and force; NULL: not needed yet
    double *Q;           // N x N: of the forces
} damping_form;

// Everything that depends on the length of a panel only.
typedef struct coefficients {
    double h;
    double *e_re, *e_im;     // n: e^{lambda h}
    double *phi_re, *phi_im; // s x n: what a nodal force leaves in a pole's state
    double *w_re, *w_im;     // (s + 1) x rows x n: out e^{lambda c_i h}; contacts without a jump:
                             // out (e^{lambda c_i h} - 1)
    double *B;               // (s + 1) rows x s m, index (node, row or contact)
    double *inverse;         // of the s m rows that keep all contacts stuck; NULL: not kept
    damping_form *form;      // of a kept length; else NULL
} coefficients;

typedef struct drive_part {
    const jd_object *object;
    double omega;
    jd_drive_segment segment;
    double *in_re, *in_im;              // n
    double *wave_re, *wave_im;          // rows: velocity per amplitude of e^{i omega t}
    double *jump, *level, *slope, *sag; // rows: gamma; Re sum out in/lambda^k for k = 1, 2, 3
    double *rigid; // rows: Re out in of rigid-body modes, which levels and slopes accelerate,
    double *creep; // and Re out in/lambda of those that damping by mass holds back
    double *shift; // rows: the jump, or with echoes, which carry it, the level: in displacements
} drive_part;

// Discrete state of a contact; UPPER and LOWER: a stop that touches above or below.
typedef enum contact_state { STUCK, PLUS, MINUS, OPEN, UPPER, LOWER } contact_state;
enum { LAST_STATE = LOWER };

static inline char state_letter(contact_state m) { return "H+-o||"[m]; }
static inline int slide_sign(contact_state m) { return m == PLUS ? 1 : m == MINUS ? -1 : 0; }
static inline bool is_fixed(contact_state m) { return m == STUCK || m == UPPER || m == LOWER; }

// A stop in the place of friction: u <= gap, or |u| <= gap.
typedef struct stop {
    bool is, both;
    double gap, restitution; // [m]
    int touch;               // +1, -1: touches above or below; 0: not
    int left;                // the side it left with speed at the panel's beginning; 0: none
    double slack;            // how far beyond its gap rounding has it there [m]
    double stamp;            // time written into events (chatter ends later than its first bounce)
} stop;

typedef struct poles {
    int n, used;                 // padded to a multiple of 4; padding has pole -1 and no weights
    double *re, *im;             // poles, |lambda| ascending
    double *inv_re, *inv_im;     // 1/lambda
    double *in_re, *in_im;       // m x n
    bool plain;                  // one contact whose force enters every pole as it is: in = 1
    bool real;                   // some poles are real
    double *out_re, *out_im;     // rows x n: contacts, then (exact) the places of the drives
    double *place_re, *place_im; // m x n: out/lambda, displacements
    double *z_re, *z_im;         // the state without the drives' share, at t0
    double *gamma;               // m x m
    double *start;               // m x m: G'(0+) = Re sum out in
    double soft;                 // poles below this are rigid-body modes [rad/s]; 0: none
    double error;                // of the fit, of the largest transfer; 0: exact
    int kept;                    // modal poles among them
    bool exact;                  // finitely many modes: poles are those of the modes
    // exact: what turns pole states into modal coordinates, q = Re(share z), q' = Re(share lambda
    // z)
    int *mode;                   // used: mode of a pole
    const double *right;         // coupled damping: used rows of n_mode complex numbers u_p, then
                                 // in = row u, q = Re sum share u z; else NULL
    double *share_re, *share_im; // n
} poles;

static inline bool is_soft(const poles *c, int p) {
    return c->re[p] * c->re[p] + c->im[p] * c->im[p] < c->soft * c->soft;
}

// Undamped waves: what a panel needs of the past.
typedef struct echoes {
    delay_line *line;
    bool sharp; // no damping: echoes are not smeared
    double *past,
        *past0;      // (s + 1) m: velocity by echoes at the points of the panel; m: at its start
    double at, *now; // smeared: m: delayed velocities known at the time `at`, the last panel's end
    double *moved;   // m: displacement by forces up to t0
    double *F, *w;   // polynomials of the panel: places s, m (s + 1)
    double *gain;    // m x places: what a constant force does to velocity through the poles alone
    const double *jump; // n_drive x m: what drives do to velocities at once
    double *rate;       // m (s + 1): velocity that the poles' displacements leave out
    bool pending;       // an echo arrived at t0: does it matter?
    double h, *v_end, *v_rate, *F_end, *F_rate; // m: how the panel before ended
} echoes;

// Panels that are cut off at events, for coarse tolerances.
typedef struct trim {
    double h, *F, *v; // the panel as it was solved: length and polynomials (s + 1 each)
    double *end_u, *end_v, *end_F; // contacts at the cut
    double *z_re, *z_im;           // poles there
} trim;

// Derivative of the motion by a state it started from, column by column (tangent.c).
typedef struct tangent {
    bool on;
    int n;               // columns: coordinates of a state
    double *z_re, *z_im; // n x poles: of the pole states at the beginning of the present panel
    double *t0;          // n: of the time at which it begins, which events move
    double *length;      // n: of the present panel's length
    double *A, *inverse; // of a panel: (s m + 1)^2, forces at the nodes and length
    int *pivot;
    double *drive;           // (s + 1) m: acceleration by drives at the nodes and at t0
    double *gain, *rate;     // s m: dF/dv of a law; velocities by the length of the panel
    double *guard;           // poles: weights of the guard that ends it, re and im
    double guard_time;       // its derivative by t0
    double *end_re, *end_im; // pole states at its end by its length
    double *x;               // s m + 1: solution; then scratch
    bool ends;               // the length depends on the state
    double t_event;          // of the last event
} tangent;

typedef struct replay replay; // replay.c

// A point that is looked at: a contact's, or weights over the poles.
typedef struct probe {
    int contact; // >= 0: moves as that contact does
    double *out_re, *out_im;
    drive_part *drive; // what the drives do to it (rows = 1)
} probe;

typedef struct memory {
    jd_run *run;
    jd_arena *arena;
    int m, n_drive, rows; // rows: velocities that are followed, contacts first
    bool jumps;           // gamma > 0: forces are continuous, velocities follow them at once
    const jd_kernels *kernel;
    nodes nodes;
    poles ch;
    echoes *echo;     // undamped waves: what comes back instead of what fades; else NULL
    trim *trim;       // NULL: panels are solved anew until they end at the event
    jd_friction *law; // m
    stop *stop;       // m
    int n_stop;
    double *belt; // m
    int n_mode;
    bool *moving;          // n_mode: modes that move at the start (infinitely many modes)
    jd_start_forces start; // that held the start of infinitely many modes
    double *start_place;   // m: displacements at t = 0 that the waves start from; NULL: none
    drive_part *drive;
    const double *drive_jump; // n_drive x rows, NULL: none
    double enough;            // last change of a force in Newton's method, over its size
    double asked;             // tolerance of the model
    double tolerance, t0, t_break, largest_step, smallest_step;
    contact_state *marks;
    // the present panel
    bool solved;
    struct {
        double step;
        long evaluations;
        bool pending;
    } before;        // it was solved
    int ends_at;     // contact whose guard ends it; -1: none
    double h, t_end; // [s]
    const coefficients *tab;
    coefficients *ladder[LADDER];
    coefficients odd;     // of a step that ends at an event or a break
    double *F, *v;        // (node, contact): s m forces; (node, row): (s + 1) rows velocities
    double *known;        // as v, without the contact forces
    double *v0, *F0, *u0; // m: velocity, force and displacement at its beginning
    double step;          // wanted next
    bool *fresh;          // m: the contact's phase began here: its guard may start at the edge
    double *v_scale;      // m: speeds that count as large [m/s]
    double *f_scale;      // m: forces that count as large [N]
    double *mobility;     // m: [m/(s N)]
    double *place0; // m: displacement at t0, counterpart's taken off a stop's; with stops only
    double *scratch, *work_re, *work_im, *jacobian, *residual;
    // events
    jd_event *queue;
    int n_queue, next_queue;
    long events, budget, storm, evaluations, panels, rejected;
    struct {
        double t;
        long evaluations;
    } stretch;            // where the present stretch of time began: how much work has it cost?
    double chatter_error; // [s]
    // probes: rows over poles
    int n_probe;
    probe *probe;
    // books
    double *sums, *report_sums;   // work of drives, lost in friction, work of belts: n_drive + 2 m
    double start_energy, damping; // [J]: at t = 0; taken by damping so far
    double *force_powers;         // scratch of damping.c
    double *fade;                 // 3 n: what damping takes of a state, damping_form.c; or NULL
    coefficients *once;           // of a panel with a length of its own, damping_form.c; or NULL
    bool tracking;
    jd_contact_ranges *range, *range_now;
    // as a map of states
    tangent tangent;
    replay *replay;          // panels of a period, taken down; or NULL
    double *base_v, *base_f; // m: v_scale and f_scale of the plan
    double *tangent_state;   // a state: scratch
    int *coordinate;         // fitted poles: number of the coordinate, -1: none (map.c)
    int n_coordinate;
} memory;

// nodes.c
void jd_nodes_set(nodes *n, int s);
double jd_polynomial(int degree, const double *p, double x);
// Coefficients in theta through the nodes (degree s - 1), and through (0, first) too (degree s).
void jd_nodes_narrow(const nodes *n, const double *at, int stride, double *p);
void jd_nodes_wide(const nodes *n, double first, const double *at, int stride, double *p);
// Least Bernstein coefficient of `sign` times the polynomial through the nodes (and first at 0).
double jd_nodes_least(const nodes *n, double sign, const double *at, int stride);
double jd_nodes_least_wide(const nodes *n, double sign, double first, const double *at, int stride);
// First theta in [from, 1] at which p (degree d) is below -margin; 2: nowhere.
double jd_nodes_first_below(int d, const double *p, double from, double margin);

// modal.c: finitely many modes; fitted.c: infinitely many
jd_status jd_poles_take(memory *e, int used, poles *c);
void jd_poles_finish(memory *e);
jd_status jd_poles_modal(memory *e);
jd_status jd_poles_fitted(memory *e);
// Weights of the velocity of a place given by its modal row, and of the force there (in may be
// NULL).
void jd_poles_row(const memory *e, const double *row, double *out_re, double *out_im, double *in_re,
                  double *in_im);
// Modal coordinates and velocities of the pole states z (exact poles).
void jd_poles_modes(const memory *e, const double *z_re, const double *z_im, double *q, double *p);
// Pole states of modal coordinates and velocities (exact poles). g: scratch of one per mode.
void jd_poles_of_modes(const memory *e, const double *q, const double *rate, double *g,
                       double *z_re, double *z_im);

// coefficients.c
jd_status jd_coefficients_take(memory *e, coefficients *t);
void jd_coefficients_set(memory *e, coefficients *t, double h);
// The kept coefficients of the longest rung that is at most h.
jd_status jd_coefficients_at_most(memory *e, double h, const coefficients **out);
// out_r = Re sum_p w_rp z_p for rows r.
void jd_weigh_rows(int rows, int n, const double *w_re, const double *w_im, const double *z_re,
                   const double *z_im, double *out);
// Pole states at the end of the panel; and a time x into it, into work_re, work_im.
void jd_poles_end(memory *e, const coefficients *t, const double *F);
// Any pole states taken over a panel with the forces F at its nodes.
void jd_poles_step(const memory *e, const coefficients *t, const double *F, double *z_re,
                   double *z_im);
void jd_poles_inside(memory *e, double x);
void jd_poles_rise(memory *e, double x); // likewise, less the pole states at t0
// Derivative of the pole states a time x into the panel, by x times dx and by the length of the
// panel (which stretches the forces) times dh; into work_re, work_im.
void jd_poles_stretch(memory *e, double x, double dx, double dh);
// An impulse P on contact j: z += in P.
void jd_poles_push(memory *e, int j, double P);

// drives.c
jd_status jd_drives_plan(memory *e);                       // objects and frequencies
jd_status jd_drives_follow(memory *e, const double *jump); // once the poles are there
jd_status jd_drives_replan(memory *e);                     // frequencies read again
jd_status jd_drives_row(memory *e, int n_row, const double *out_re, const double *out_im,
                        const double *jump, drive_part *d, const drive_part *from);
void jd_drives_break(memory *e, double t, bool first); // takes the segments that hold after t
void jd_drives_resume(memory *e, double t); // the same where the state knows of them already
// What the drives do to a place; `weights` are those of its rows.
void jd_drives_motion(const memory *e, const drive_part *weights, int row, double t, double *u,
                      double *v, double *a);
// Adds the drives' share of the pole states at t to an array of them.
void jd_drives_share(const memory *e, double t, double *z_re, double *z_im);
// Rise of the velocity of a row from t to t + x by the drives, without the cancellation.
double jd_drives_rise(const memory *e, int row, double t, double x);
double jd_drives_shift(const memory *e, int row, double t, double x); // of its displacement
double jd_drives_value(const drive_part *d, double t);
double jd_drives_next(const memory *e);                    // time of the next break
double jd_drives_jerk(const memory *e, int row, double t); // second derivative of their velocity

// panel.c
void jd_panel_begin(memory *e); // velocities at t0
jd_status
jd_panel_next(memory *e); // a panel from t0 that ends at an event, a break, or as it likes
jd_status jd_panel_accept(memory *e); // t0 goes to its end
void jd_panel_observe(memory *e, double t, double *u, double *v, double *force);

bool jd_eliminate(int n, double *A, double *b); // A x = b in place; false: singular

// trim.c
jd_status jd_trim_create(memory *e);
// Ends the solved panel near theta, where the guard of a contact is 0; sign 0: it is stuck. False:
// cannot, the panel has to be solved again.
bool jd_trim_at(memory *e, int contact, int sign, double theta);
void jd_trim_accept(memory *e); // the pole states go to its end

// echoes.c
jd_status jd_echoes_create(memory *e);
void jd_echoes_add(memory *e, double h);          // to the known part at the nodes
jd_status jd_echoes_solved(memory *e);            // a panel was solved after an echo
jd_status jd_echoes_accept(memory *e, bool kink); // the panel becomes history
void jd_echoes_observe(memory *e, double x, double *u, double *v);
// Velocity of contact i by waves that come back, and by drives at once.
double jd_echoes_past(const memory *e, int i, double t, bool after);
double jd_echoes_end(memory *e, int j); // displacement by forces at the end of the panel

// resolve.c
void jd_slide_forces(memory *e);
void jd_hold_forces(memory *e);
void jd_hold_still(memory *e); // stuck contacts have their counterpart's velocity, to rounding
void jd_hold_drift(memory *e); // likewise; infinitely many modes: to a hundredth of the tolerance
jd_status jd_resolve_start(memory *e);
void jd_resolve_event(memory *e, int contact);
void jd_resolve_restart(memory *e); // forces at t0 of contacts whose states are given
void jd_resolve_break(memory *e);
void jd_state_velocities(const memory *e, double *v); // at t0, without contact forces
void jd_accelerations(memory *e, double *a);          // the same, to first order in time
void jd_note_event(memory *e, double t, int j, contact_state from, contact_state to, double speed,
                   double impulse);

// stops.c
jd_status jd_stops_read(memory *e); // gaps and restitution
// Infinitely many modes: do they have a meaning?
jd_status jd_stops_check(memory *e, const jd_response *response);
void jd_stops_scale(memory *e);
jd_status jd_stops_start(memory *e);   // who touches at the start
void jd_stops_begin(memory *e);        // displacements and slacks at the panel's beginning
void jd_stops_reach(memory *e, int j); // an open stop was reached
bool jd_stops_impact(memory *e);       // impulses of all that touch; true: speeds jumped
void jd_stops_after(memory *e);        // who flies after it, who chatters to rest
// Relative displacement at the end of the panel.
double jd_stops_end(memory *e, int j);
double jd_stops_rise(memory *e, int j);

// dependent.c
jd_status jd_dependent_check(memory *e);

// memory.c
jd_status jd_memory_plan(memory *e); // everything but the state
void jd_memory_set_phase(memory *e);

// tangent.c
jd_status jd_tangent_take(memory *e, int n); // memory for n columns
void jd_tangent_panel(memory *e);            // over the panel that is about to be accepted
// Impulses on the contacts of `set` that take part[i] (1 + restitution) of their velocities away.
void jd_tangent_push(memory *e, int n, const int *set, const double *part);
// Ends it: the columns become those at the time x into the present panel, which does not move.
void jd_tangent_finish(memory *e, double x);

// replay.c
jd_status jd_replay_panel(memory *e); // the panel that is about to be accepted

// map.c
int jd_memory_coordinates(const jd_run *run);
bool jd_memory_is_modal(const jd_run *run);
void jd_memory_scales(const jd_run *run, double *out);
jd_status jd_memory_restart(jd_run *run, double t, const double *state, const char *phase);
void jd_memory_state(jd_run *run, double *out);
void jd_memory_rate(jd_run *run, double *out);
jd_status jd_memory_tangent_start(jd_run *run);
void jd_memory_tangent(jd_run *run, double *out);
jd_status jd_memory_replan(jd_run *run);
double jd_memory_refine(jd_run *run, double share);
jd_status jd_shoot_plan(memory *e);

// snapshot.c
size_t jd_memory_state_size(const jd_run *run);
jd_status jd_memory_save(jd_run *run, char *to);
jd_status jd_memory_load(jd_run *run, const char *from, size_t size);
jd_status jd_memory_shift(jd_run *run, double by);

// ledger.c
void jd_state_places(const memory *e, double *u); // displacements at t0, relative ones of stops
void jd_memory_ledger_panel(memory *e, double part, double *sums, jd_contact_ranges *range);
// Stored energy at t; NaN with infinitely many modes.
double jd_memory_ledger_energy(memory *e, double t, double *kinetic);
void jd_memory_ledger_report(memory *e, jd_ledger *out);
// damping.c: taken in the first part of the present panel; NaN with infinitely many modes
enum { FORCE_POWERS = 12 };
double jd_damping_panel(memory *e, double part);
double jd_damping_real(memory *e);      // by real poles alone, in the whole panel
jd_status jd_damping_accept(memory *e); // damping_form.c: adds what the whole panel takes
jd_status jd_memory_ledger_track(jd_run *run);
jd_status jd_memory_ledger_ranges(jd_run *run, jd_contact_ranges *out);

#endif
