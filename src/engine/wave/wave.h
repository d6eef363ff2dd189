// wave.h -- the wave engine: uniform rods marched along their characteristics.
//   On a grid with dt = h/c the leapfrog formula is d'Alembert's solution:
//     u_i(t + dt) = u_{i+1}(t) + u_{i-1}(t) - u_i(t - dt) + w_i f_i,   w_i = dt^2/m_i
//   Ends are ghosts: u_{-1} = +-u_1 (end on a node) or +-u_0 (end between nodes), + free, - fixed.
//   Friction works on d = the free change of the relative displacement over 2 dt:
//     s = clamp(d, +-F dt^2 W),  change = d - s,  force = -s/(dt^2 W),   W = 1/m_1 + 1/m_2
//   so that force x change <= 0 at every cell and step: friction never feeds energy in.
#ifndef JD_ENGINE_WAVE_H
#define JD_ENGINE_WAVE_H

#include "contact/friction.h"
#include "drive/kind.h"
#include "drive/segment.h"
#include "engine/engine.h"
#include "problem/interface.h"

// Nodes from <= i < to; worked: loads, soil, slow contacts or damping change them within a step.
typedef struct node_range {
    int from, to;
    bool worked;
} node_range;

// A rod of sections (sections.c): numbers that vary from node to node.
typedef struct uneven {
    const jd_stepped_rod_def *def;
    double *spring; // EA/h between a node and the next [N/m]
    double *left, *right,
        *rest;   // change = left (u_{i-1} - old) + right (u_{i+1} - old) + rest (u - old)
    double *lag; // what the characteristics leave of the mass of a node [kg]
} uneven;

typedef struct rod {
    jd_grid grid;
    double stiffness, density; // EA [N], rho A [kg/m]
    double spring, cell_mass;  // EA/h [N/m], rho A h [kg]
    bool fixed[2];
    int mirror[2];         // node a ghost looks like
    double sign[2];        // and its sign
    double alpha, beta;    // C = alpha M + beta K [1/s], [s]
    double ratio;          // (c dt/h)^2 <= 1: 1 on its characteristics
    uneven *uneven;        // NULL: one section, which has the numbers above
    double *u, *old, *new; // at t, t - dt, t + dt (between steps t - 2 dt); ghosts at -1, n
    double *past;          // between steps: at t - 3 dt
    double *lost;          // what rounding took off the last changes [m]; NULL: no load along it
    int n_range;
    node_range *range;                   // nodes that no contact's own loop takes along
    double *weight;                      // dt^2/m_i [m/N]; 0 where held
    double *mass;                        // m_i [kg]
    double *position, *velocity, *shown; // for fields
} rod;

// All nodes on characteristics of one wave speed and impedance.
static inline bool jd_rod_even(const rod *a) { return a->ratio == 1 && !a->uneven; }

// EA/h between nodes i and i + 1.
static inline double jd_rod_spring(const rod *a, int i) {
    return a->uneven ? a->uneven->spring[i] : a->spring;
}

// A moving footprint: friction per length at the profile's breakpoints, its slope and integral.
typedef struct footprint {
    int n;
    double *knot, *value, *slope, *sum;
    double static_ratio;
    double *left, *right; // ends of each cell on the unstrained structure [m]
} footprint;

// What the cells of a contact go on from: saved and loaded (snapshot.c), with their ledger.
typedef struct skin_state {
    double *stretch, *stretch_old; // of the contact's spring at t and t - dt [m]
    double *half;                  // trapezoidal rule: half of s, carried to the next step [m]
    double *s, *d;                 // of the last step [m]
    double *s_before, *d_before;   // of the step before
    double *slide;                 // as the rule has it in the last step: 0 stuck, +-1 sliding
    double *audited;               // as counted: +-1 where the cell has moved in the last step
} skin_state;

// Observer: sums over the steps of every cell; changes of contact state are counted.
typedef struct skin_ledger {
    double *loss, *impulse; // sums of s (d - s) and s [m^2], [m]
    double *slips, *sticks, *reversals;
    double *fed; // sum of s (d - s) where it is negative [m^2]
} skin_ledger;

// Fields as jd_interface_field shows them, filled on request.
typedef struct skin_field {
    double *length, *displacement, *velocity, *force, *loss, *impulse;
} skin_field;

// Nodes of the counterpart that a cell meets, and its share in each; n 0: none.
enum { JD_WAVE_MEET = 16 };
typedef struct meeting {
    int node, n;
    double share[JD_WAVE_MEET];
} meeting;

// Cells that do not meet their counterpart node by node (cross.c), and scratch of a step.
typedef struct cross {
    int first, last;         // nodes of the counterpart it may touch
    int width;               // of the band
    meeting *at;             // of each cell, now
    double *free_a, *free_b; // changes of the two sides without friction of these cells [m]
    double *raw_b;           // the same, without the soil's cell
    double *force, *was;     // on the structure [N]; contact states before the step
    double *x, *band;        // changes of the counterpart [m]; matrix for them
    double *least;           // changes where states go round in circles [m]
} cross;

// One contact cut into cells; a point has one.
typedef struct skin {
    const jd_problem *problem;
    jd_interface *cells;
    int n, low, high;            // the kernels take cells low <= j < high, soil takes the others
    rod *a, *b;                  // b NULL: ground or a moving body
    int ia, ib;                  // first nodes
    bool soft, sticky, grounded; // a contact stiffness; static > kinetic; b == NULL
    bool glides;                 // its loop moves its nodes too
    double belt;                 // way of a moving counterpart in 2 dt [m]
    double *per;                 // 1/(dt^2 W) [N/m]; 0 where nothing can move
    double *ra, *rb;             // shares of the two sides in W
    double *most, *hold;         // s while sliding, largest s while stuck [m]
    double *give, *back;         // Jenkins: k dt^2 W/2/(1 + that), and 1/that; 1 and 0 when rigid
    double *counted;             // scratch: states of the present step
    const struct speed_law *law; // resistance over the speed (curve.c); NULL: the same at each
    footprint footprint;
    cross *cross; // NULL: cell j meets node ib + j, or the ground
    skin_state state;
    skin_ledger ledger;
    skin_field field;
} skin;

// Soil below one node; may share the node with the first or last cell of a skin.
typedef struct toe {
    int contact;
    rod *a;
    int node;
    skin *shared; // NULL: alone
    int cell;
    double limit, spring, damping; // [N], [N/m], [s/m]
    double e, e_old;               // stretch at t and t - dt [m]
    double loss, impulse;          // [J], [N s]
    double force, force_before;    // of the last step and the one before, on the structure [N]
    double change, change_before;  // likewise [m]
    jd_interface *place;
    double field[8]; // position, length, displacement, velocity, force, state, loss, impulse
} toe;

// One side of a stop: a node, perhaps with a cell of a contact along a span; a NULL: ground.
typedef struct stop_side {
    rod *a;
    int node;
    skin *shared;
    int cell;
} stop_side;

// A stop between two nodes (stop.c).
typedef struct bumper {
    int contact;
    stop_side side[2];
    double gap, stiffness, damping, restitution; // [m]; [N/m], 0: rigid; [N s/m]; of a cushion
    double peak, peak_old;                       // largest compression at t and t - dt [m]
    double loss, impulse;                        // [J], [N s]
    int struck;  // the side that is a rod where the other is a single mass, a hammer; else -1
    double work; // on that side [J]
    double force, force_before;   // of the last step and the one before, on the structure [N]
    double change, change_before; // likewise, relative [m]
    jd_interface *place;
    double field[8];
} bumper;

typedef struct push {
    const jd_object *object;
    double omega;
    rod *a;
    int first, n;        // nodes it acts on
    double *share;       // of each: 1 at a point, [m] along a span
    bool along, always;  // acts along a span; acted before time 0 too (start: static)
    double work, force;  // [J], mean force of the last step [N]; along a span [N/m]
    double force_before; // of the step before
    double half, sinc;   // half of the last stretch integrated over [s]; sin(x)/x of it
    jd_drive_segment segment;
} push;

typedef struct probe {
    rod *a;
    int node;      // of its left neighbour
    double weight; // of the right one
} probe;

// A set of grids and all that happens on them. Velocities and forces of a step from t to t + dt are
// those at t: a march is a step ahead of the time it is looked at (look.c).
typedef struct march {
    jd_run *run;
    jd_arena *arena;
    int nodes; // of the first body
    double dt;
    double origin; // time of step 0 [s]: not 0 where a state was moved in time
    long step;     // u is at origin + step dt
    int n_rod, n_skin, n_toe, n_bumper, n_push, n_probe;
    rod *rods;
    jd_grid *grid;
    skin *skins;
    toe *toes;
    bumper *bumpers;
    push *pushes;
    probe *probes;
    int *skin_of, *toe_of, *bumper_of; // by contact; -1: none
    bool trapezoidal, audited, damped;
    skin *beyond;   // has moved beyond the end of its counterpart; NULL: none has
    bool unsettled; // the damper did not converge: the step was not made
    double damping; // lost in the rods' damping [J]
    double start;   // stored when the run began [J]
    struct damper *damper;
} march;

enum { JD_WAVE_COARSE = 2 };

typedef struct wave {
    march *fine;
    march *coarse[JD_WAVE_COARSE]; // for the error estimate, finest first; NULL: none
    double *coarse_u, *coarse_v;
    double error; // estimate from the largest difference seen at a probe [m]
    double *sum_drive, *sum_contact, *sum_impact, *sum_belt;
    jd_contact_ranges *ranges; // NULL: not tracked
    struct driving *driving;   // likewise
    bool ranged;               // they hold something
} wave;

// grid.c
jd_status jd_wave_fit(jd_run *run, int nodes, jd_grid *grid, double *dt);
int jd_wave_nodes_near(const jd_problem *problem, int nodes, jd_arena *arena); // that fit; 0: none
double jd_wave_speed(const jd_object *body);
double jd_wave_number(const jd_object *body, const char *key);

// sections.c: rods of sections
const jd_stepped_rod_def *jd_wave_stepped(const jd_object *body); // NULL: one section
double jd_sections_time(const jd_stepped_rod_def *def);           // of a wave from end to end [s]
int jd_sections_nodes(const jd_stepped_rod_def *def, double dt);  // 0: a section is too short
jd_status jd_sections_place(jd_arena *arena, const jd_stepped_rod_def *def, double dt,
                            jd_grid *grid);
jd_status jd_sections_plan(march *m, rod *a, const jd_stepped_rod_def *def); // masses, springs
double jd_rod_impedance(const rod *a, double position); // Z = sqrt(EA rho A) [kg/s]

// plan.c
jd_status jd_march_create(jd_run *run, int nodes, march **out);
jd_status jd_march_probe(march *m, int body, double position);
void jd_skin_limits(skin *s); // of a moving footprint, for the present displacement
double jd_skin_friction(const skin *s, double x, int *near); // up to x from the start of the span
meeting jd_skin_meets(const skin *s, int cell);
// Stretch of a cell's spring after a step, from the sum of those before and after it. Where a cell
// with a static limit slides, the spring falls to the lower limit at once: taken from the sum it
// would swing about it by the difference of the limits, step after step.
static inline double jd_skin_stretch(const skin *s, int cell, double sum) {
    bool falls = s->sticky && s->state.slide[cell] != 0;
    return falls ? 0.5 * sum : sum - s->state.stretch_old[cell];
}

// share.c
int jd_skin_cell_at(const skin *s, const rod *a, int node);  // that works on this node; -1: none
bool jd_skin_touches(const skin *s, const rod *a, int node); // on either side
jd_status jd_march_share(march *m);

// cross.c
jd_status jd_cross_create(const march *m, skin *s);
bool jd_cross_place(skin *s); // for the present displacement; false: beyond the end
double jd_cross_seen(const skin *s, int cell, const double *x);
// One step: begin, then with a given force of the soil's cell (-1: none); false: not solved. End.
void jd_cross_begin(skin *s);
bool jd_cross_step(skin *s, double toe_force, int toe_cell);
void jd_cross_end(skin *s);

// load.c: mean over [t - dt, t + dt], t the time of the step, nothing before time 0 unless it acts
// always.
double jd_push_mean(push *p, const march *m);
// What a node has of a load along a span [m].
double jd_push_share(const jd_drive_place *load, const rod *a, int node);

// step.c
void jd_march_step(march *m);
void jd_audit_cell(const skin *s, int cell);
// A cell of a skin at a node that would change by x: the change with its friction; keep: for good.
double jd_skin_cell(skin *s, int cell, double x, bool keep);
// curve.c: a cell whose resistance depends on the speed; d: its free change
jd_status jd_curve_plan(const march *m, skin *s, const jd_friction *law);
double jd_curve_cell(const skin *s, int cell, double d, bool *holds); // s
void jd_curve_rub(const skin *s);
// soil.c
void jd_toe_step(march *m, toe *e);
// Change of its node, a without soil, w [m/N]; the counterpart of its cell changes by b and gives
// way by wb. Nothing is kept but the cell's state.
double jd_toe_change(const march *m, toe *e, double a, double w, double b, double wb, bool stuck,
                     double *friction_force);
void jd_toe_land(const march *m, toe *e, double x); // keeps it
// Zero of an increasing function of a number, looked for from `start` on in strides of `wide`.
double jd_rising_zero(double (*f)(const void *, double), const void *user, double start,
                      double wide);
// stop.c
jd_status jd_bumper_plan(march *m, jd_interface *f, bumper *out);
void jd_bumper_step(march *m, bumper *b);
double jd_bumper_stored(const bumper *b, double e, double peak); // [J] at compression e
// damped.c
jd_status jd_damper_create(march *m);
void jd_damper_step(march *m);
jd_status jd_damper_unsettled(const march *m);      // says so
void jd_damper_begin(march *m);                     // of a step: keeps what it overwrites
void jd_damper_undo(march *m);                      // of a step that failed
double *jd_damper_changes(const march *m, int rod); // of the last step: where the next one begins

// static.c: start: static
jd_status jd_wave_settle(march *m);

// ledger.c
void jd_wave_energy_begins(march *m); // what is stored now is the start's
void jd_wave_report(jd_run *run, jd_report *report);
bool jd_wave_interface(jd_run *run, int contact, jd_interface_field *out);
bool jd_wave_body(jd_run *run, int body, jd_body_field *out);

// look.c: the motion at a time, which lies `back` steps (0 to 1) before the last but one.
double jd_march_back(const march *m, double t);
void jd_look_probes(const march *m, double t, double *u, double *v);
void jd_look_node(const march *m, const rod *a, int node, double back, double *u, double *v);
void jd_look_contact(const march *m, int contact, double back, double *u, double *v, double *force);
void jd_look_cell(const march *m, const skin *s, int cell, double back, double *u, double *v,
                  double *force);
double jd_look_axial(const march *m, const rod *a, double position, double back);
double jd_look_axial_node(const march *m, const rod *a, int node); // at the last step but one

// driving.c: fed after every step
extern const struct jd_engine_driving jd_wave_driving;
jd_status jd_driving_create(jd_run *run, march *m, struct driving **out);
void jd_driving_feed(struct driving *d, const march *m);

// snapshot.c
size_t jd_wave_state_size(const jd_run *run);
jd_status jd_wave_save(jd_run *run, char *to);
jd_status jd_wave_load(jd_run *run, const char *from, size_t size);
jd_status jd_wave_shift(jd_run *run, double by);

#endif
