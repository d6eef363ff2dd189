// series.h -- the motion around one moment as power series in tau = (t - t0)/dt, all nodes at once.
//   u_i = sum_k u[k][i] tau^k,  eta likewise; f = sum_k force[k] tau^k of stuck cells.
//   The recurrence of semi.h, order by order:
//     (k+1)(k+2) u[k+2] = dt^2 M^-1 (p[k] - K u[k] + f[k])
//   A row holds one order of all nodes, so that the loops run over neighbours (four at a time).
#ifndef JD_TAYLOR_SERIES_H
#define JD_TAYLOR_SERIES_H

#include "engine/semi/semi.h"

enum {
    JD_EXPANSION_ORDER = 22, // of u; measured: 18 to 26 cost the same within a tenth
    JD_EXPANSION_LEAD = 4    // room before node 0 of a row: the mirror image of node 1
};

typedef struct jd_expansion jd_expansion;

// The inner loops, compiled once per instruction set.
typedef struct jd_expansion_kernel {
    void (*expand)(jd_expansion *s, int orders); // from orders 0 and 1 up to `orders`
    void (*sizes)(jd_expansion *s);              // fills size and slot_size
    // Values and rates per tau of all nodes and modes.
    void (*evaluate)(const jd_expansion *s, double tau, double *u, double *v, double *eta,
                     double *eta_v);
    void (*spread)(const jd_semi *y, const double *modal, double *cell); // cell = Psi modal
    // sum[q] += sum_r a[r] M[r][q], columns in whole vectors
    void (*combine)(int rows, int columns, int stride, const double *a, const double *M,
                    double *sum);
    // out[r] = sum_q M[r][q] x[q], columns in whole vectors
    void (*project)(int rows, int columns, int stride, const double *M, const double *x,
                    double *out);
} jd_expansion_kernel;
extern const jd_expansion_kernel jd_expansion_plain, jd_expansion_avx2;

struct jd_expansion {
    const jd_semi *semi;
    const jd_expansion_kernel *kernel;
    int row;           // doubles in a row of u
    double dt;         // [s]
    double *u;         // (ORDER + 1) rows; node i at JD_EXPANSION_LEAD + i
    double *eta;       // (ORDER + 1) x stride
    double *drive;     // n_drive x (ORDER + 1)
    double *push;      // per cell: what sliding friction does to its node [m/s^2]
    double *push_eta;  // stride: Psi' s limit
    double *size;      // per cell: sum_{k >= 2} k |u[k]|
    double size_eta;   // sum_{k >= 2} k |eta[k]|_2
    double shape_most; // largest |Psi_j|_2
    // Stuck cells side by side, in ascending order.
    int n_stuck;
    int *slot;                         // cell of each
    double *slot_mass;                 // of its node
    double *slot_shape;                // n_stuck rows of stride
    double *slot_spring, *slot_anchor; // contact stiffness [N/m], and where it has no force [m]
    double *slot_shape_t;              // n_mode rows of cell_stride
    double *force;                     // (ORDER - 1) rows of cell_stride
    double *slot_size;                 // sum_{k >= 1} |force[k]|
    double *inverse;                   // (I + Psi_S' m_S Psi_S)^-1, stride x stride
    // Scratch: of one order, times dt^2/((k + 1)(k + 2)).
    double *bent;          // K u of the order between, for damping
    double *stuck_pull;    // m (p - K u) at the nodes of stuck cells
    double *stuck_counter; // Psi eta there
    double *modal_right;   // right side of the equation for eta
    double *modal_pull;    // of it, what does not come from stuck cells
};

jd_status jd_expansion_create(jd_arena *arena, const jd_semi *semi, jd_expansion *out);
static inline double *jd_expansion_u(const jd_expansion *s, int k) {
    return s->u + (size_t)k * (size_t)s->row + JD_EXPANSION_LEAD;
}

// Coefficients of every drive around t from its present segments (n_drive of them).
void jd_expansion_drives(jd_expansion *s, double t, const jd_drive_segment *segment);

// What the series leave out on [0, tau], by the energy of the derivative of order ORDER - 1, which
// friction between events cannot raise:  sup |u^(p+1)| <= omega_max sqrt(2 E_{p-1}) + drives.
typedef struct jd_remainder {
    double velocity; // of the relative velocity [m per tau], times tau^ORDER
    double force;    // of forces of stuck cells [N], times tau^(ORDER - 1)
} jd_remainder;
jd_remainder jd_expansion_remainder(const jd_expansion *s, const jd_drive_segment *segment);

// Velocities of the first orders as one number: root mean square over the rod [m/s].
double jd_expansion_speed(const jd_expansion *s);

#endif
