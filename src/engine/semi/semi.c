// semi.c -- arrays of the semi-discrete problem from plain numbers; its energy.
//   psi_m = sqrt(2/(rho L)) {cos, sin}(k_m z); its average over [a, b] is in closed form:
//     cos: (sin k b - sin k a)/(k (b - a)) = cos(k c) sinc(k d),  c = (a + b)/2, d = (b - a)/2
#include "engine/semi/semi.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/param_tools.h"

static const double pi = JD_PI;

static int pad(int n) { return (n + JD_SEMI_LANES - 1) / JD_SEMI_LANES * JD_SEMI_LANES; }

// m of wave_modes.c: half waves of mode q on the length.
static double half_waves(const jd_supports *s, int q) {
    double first = s->left != s->right ? 0.5 : s->left == JD_FIXED;
    return first + q;
}

static double average(const jd_rod_def *rod, double m, double a, double b) {
    double scale = sqrt((m > 0 ? 2 : 1) / (rod->mass_per_length * rod->length));
    double k = pi * m / rod->length, c = 0.5 * k * (a + b), d = 0.5 * k * (b - a);
    double sinc = d > 1e-4 ? sin(d) / d : 1 - d * d / 6;
    return scale * sinc * (rod->supports.left == JD_FREE ? cos(c) : sin(c));
}

static void fill_modes(const jd_semi_def *d, jd_semi *y) {
    for (int q = 0; q < y->n_mode; q++) {
        const jd_rod_def *rod = d->counter;
        double m = half_waves(&rod->supports, q);
        double omega = pi * m / rod->length * sqrt(rod->axial_stiffness / rod->mass_per_length);
        y->omega2[q] = omega * omega;
        y->damping.mode[q] = d->damping[1][0] + d->damping[1][1] * omega * omega;
        y->fastest = fmax(y->fastest, omega);
        for (int j = 0; j < y->n_cell; j++) {
            double psi = average(rod, m, d->left[j] + d->shift, d->right[j] + d->shift);
            y->shape[j * y->stride + q] = psi;
            y->shape_t[q * y->cell_stride + j] = psi;
        }
    }
}

static void fill_rod(const jd_semi_def *d, jd_semi *y) {
    double m = d->mass_per_length * y->step;
    for (int i = 0; i < y->n; i++) y->mass[i] = i == 0 || i == y->n - 1 ? m / 2 : m;
    for (int j = 0; j < y->n_cell; j++) {
        y->footprint.left[j] = d->left[j];
        y->footprint.right[j] = d->right[j];
        y->limit[j] = d->limit[j];
        y->static_limit[j] = d->static_limit[j];
        y->stiffness[j] = d->stiffness ? d->stiffness[j] : 0;
        y->elastic = y->elastic || y->stiffness[j] > 0;
    }
}

// With springs k_j between nodes and modes no angular frequency is above
//   omega^2 <= omega_0^2 + (sqrt(max k/m) + sqrt(sum k |psi|^2))^2,
// |psi|^2 at most the sum of the largest values of the modes; with damping no rate above
//   omega + alpha + beta omega^2.
static void bound_rates(const jd_semi_def *d, jd_semi *y) {
    double node = 0, modal = 0, every = 0;
    for (int q = 0; q < y->n_mode; q++)
        every += 2 / (d->counter->mass_per_length * d->counter->length);
    for (int j = 0; j < y->n_cell; j++) {
        node = fmax(node, y->stiffness[j] / y->mass[y->first + j]);
        modal += y->stiffness[j] * every;
    }
    double omega = y->fastest, more = sqrt(node) + sqrt(modal);
    if (more > 0) omega = sqrt(omega * omega + more * more);
    double alpha = fmax(d->damping[0][0], d->damping[1][0]);
    double beta = fmax(d->damping[0][1], d->damping[1][1]);
    y->damping.alpha = d->damping[0][0];
    y->damping.beta = d->damping[0][1];
    y->damping.acts = alpha > 0 || beta > 0;
    y->fastest = omega + alpha + beta * omega * omega;
}

jd_status jd_semi_create(jd_arena *arena, const jd_semi_def *d, jd_semi *y) {
    double h = d->length / (d->nodes - 1);
    double rate = sqrt(d->axial_stiffness / d->mass_per_length) / h;
    *y = (jd_semi){.n = d->nodes,
                   .n_cell = d->n_cell,
                   .first = d->first,
                   .n_mode = d->modes,
                   .stride = pad(d->modes),
                   .cell_stride = pad(d->n_cell),
                   .fixed = {d->supports.left == JD_FIXED, d->supports.right == JD_FIXED},
                   .step = h,
                   .rate = rate,
                   .spring = d->axial_stiffness / h,
                   .fastest = 2 * rate,
                   .velocity = d->velocity,
                   .n_drive = d->drives,
                   .body = {0, d->modes > 0 ? 1 : -1},
                   .counter = d->counter};
    y->mass = JD_TAKE(arena, double, y->n);
    y->omega2 = JD_TAKE(arena, double, y->stride);
    y->damping.mode = JD_TAKE(arena, double, y->stride);
    y->shape = JD_TAKE(arena, double, (size_t)y->n_cell *(size_t)y->stride);
    y->shape_t = JD_TAKE(arena, double, (size_t)y->n_mode *(size_t)y->cell_stride);
    y->footprint.left = JD_TAKE(arena, double, y->n_cell);
    y->footprint.right = JD_TAKE(arena, double, y->n_cell);
    y->limit = JD_TAKE(arena, double, y->n_cell);
    y->static_limit = JD_TAKE(arena, double, y->n_cell);
    y->stiffness = JD_TAKE(arena, double, y->n_cell);
    y->drive = JD_TAKE(arena, jd_semi_drive, y->n_drive);
    JD_TRY(jd_arena_status(arena));
    fill_rod(d, y);
    fill_modes(d, y);
    bound_rates(d, y);
    return JD_OK;
}

bool jd_semi_put(const jd_semi *y, int j, double way) {
    const jd_semi_footprint *f = &y->footprint;
    double low = fmax(f->low[j] + way, f->from), high = fmax(f->high[j] + way, f->from);
    double end = y->counter ? y->counter->length : HUGE_VAL, a = low + f->shift;
    if (high + f->shift > end + 1e-9 * y->step) return false;
    double limit =
        low < high ? f->limit * jd_profile_between(f->profile, low - f->from, high - f->from) : 0;
    f->way[j] = way;
    y->limit[j] = limit;
    y->static_limit[j] = f->static_ratio * limit;
    for (int q = 0; y->counter && q < y->n_mode; q++) {
        double psi = average(y->counter, half_waves(&y->counter->supports, q), a,
                             fmin(high + f->shift, end));
        y->shape[j * y->stride + q] = y->shape_t[q * y->cell_stride + j] = psi;
    }
    return true;
}

void jd_semi_place(const jd_semi *y, double position, int *node, double weight[2]) {
    double at = position / y->step, low = floor(at);
    if (fabs(at - round(at)) < 1e-9) low = at = round(at);
    bool last = low >= y->n - 1;
    *node = last ? y->n - 1 : (int)low;
    weight[1] = last ? 0 : at - low;
    weight[0] = 1 - weight[1];
}

void jd_semi_shape(const jd_semi *y, double position, double *out) {
    for (int q = 0; q < y->n_mode; q++)
        out[q] = average(y->counter, half_waves(&y->counter->supports, q), position, position);
}

// Stored energy [J]: kinetic and strain, of both bodies.
static void add_energy(const jd_semi *y, const double *u, const double *v, const double *eta,
                       const double *eta_v, double *kinetic, double *strain) {
    *kinetic = *strain = 0;
    for (int i = 0; i < y->n; i++) *kinetic += 0.5 * y->mass[i] * v[i] * v[i];
    for (int i = 1; i < y->n; i++) {
        double d = u[i] - u[i - 1];
        *strain += 0.5 * y->spring * d * d;
    }
    for (int q = 0; q < y->n_mode; q++) {
        *kinetic += 0.5 * eta_v[q] * eta_v[q];
        *strain += 0.5 * y->omega2[q] * eta[q] * eta[q];
    }
}

jd_status jd_semi_probe_at(jd_arena *arena, const jd_semi *semi, int body, double position,
                           jd_semi_probes *probes, int *index) {
    jd_semi_probe *list = JD_TAKE(arena, jd_semi_probe, probes->n + 1);
    double *modal = JD_TAKE(arena, double, semi->stride + 1);
    JD_TRY(jd_arena_status(arena));
    if (probes->n) memcpy(list, probes->at, (size_t)probes->n * sizeof *list);
    jd_semi_probe *p = &list[probes->n];
    probes->at = list;
    *p = (jd_semi_probe){.node = -1, .modal = modal};
    if (body == semi->body[0])
        jd_semi_place(semi, position, &p->node, p->weight);
    else
        jd_semi_shape(semi, position, modal);
    *index = probes->n++;
    return JD_OK;
}

// What a ledger with energies, drives, contact and belt lacks: work and residual.
static void balance(const jd_semi *semi, jd_ledger *l) {
    double stored = l->kinetic + l->strain, balance = *l->belt - *l->contact - l->damping;
    l->work = stored + fabs(*l->contact) + fabs(*l->belt) + l->damping;
    for (int d = 0; d < semi->n_drive; d++) {
        balance += l->drive[d];
        l->work += fabs(l->drive[d]);
    }
    l->residual = l->work > 0 ? (stored - balance) / l->work : 0;
}

jd_ledger jd_semi_ledger(const jd_semi *semi, const jd_semi_work *work, const double *u,
                         const double *v, const double *eta, const double *eta_v) {
    jd_ledger l = {.drive = work->drive,
                   .contact = &work->contact,
                   .impact = &work->zero,
                   .belt = &work->belt,
                   .damping = work->damping};
    add_energy(semi, u, v, eta, eta_v, &l.kinetic, &l.strain);
    l.strain += work->spring;
    balance(semi, &l);
    return l;
}

jd_status jd_semi_cells_create(jd_arena *arena, const jd_semi *semi, jd_semi_cells *c) {
    double **rows[] = {&c->position, &c->length, &c->displacement, &c->velocity,
                       &c->force,    &c->state,  &c->loss};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        *rows[i] = JD_TAKE(arena, double, semi->cell_stride + 1);
    JD_TRY(jd_arena_status(arena));
    for (int j = 0; j < semi->n_cell; j++) {
        c->position[j] = (semi->first + j) * semi->step;
        c->length[j] = semi->footprint.right[j] - semi->footprint.left[j];
    }
    c->face = (jd_interface_field){.n = semi->n_cell,
                                   .position = c->position,
                                   .length = c->length,
                                   .displacement = c->displacement,
                                   .velocity = c->velocity,
                                   .force = c->force,
                                   .state = c->state,
                                   .loss = c->loss};
    return JD_OK;
}

void jd_semi_cells_mean(const jd_semi_cells *c, double *displacement, double *velocity,
                        double *force) {
    double length = 0;
    *displacement = *velocity = *force = 0;
    for (int j = 0; j < c->face.n; j++) {
        length += c->length[j];
        *displacement += c->length[j] * c->displacement[j];
        *velocity += c->length[j] * c->velocity[j];
        *force += c->force[j];
    }
    *displacement /= length;
    *velocity /= length;
}
