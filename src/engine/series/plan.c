// plan.c -- reads modes, rows, laws and drives of a problem, and what bounds need of them.
#include "engine/series/plan.h"

#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "linalg/dot.h"
#include "problem/contacts/cells.h"

enum { LANES = 4, POWER_STEPS = 60 };

static int whole(int n) { return (n + LANES - 1) / LANES * LANES; }

static void take_row(series_plan *p, int r, const jd_dd *row) {
    for (int k = 0; k < p->n; k++)
        p->W[(size_t)r * (size_t)p->stride + (size_t)k] =
            p->Wt[(size_t)k * (size_t)p->row_stride + (size_t)r] = row[k].hi;
}

// Normal part of contact j, or the given one of its friction.
static void read_normal(series_plan *p, int a, int j, const jd_element *e, double belt) {
    series_normal *n = &p->normal[a];
    if (e->normal)
        *n = (series_normal){.kind = e->kn > 0 ? NORMAL_SPRING : NORMAL_RIGID,
                             .contact = j,
                             .row = n->row,
                             .gap = e->gap,
                             .kn = e->kn,
                             .cn = e->cn,
                             .restitution = e->restitution,
                             .belt = e->source == JD_NORMAL_OWN ? 0 : belt, // it moves along
                             .both = e->both,
                             .newton = e->impact == JD_IMPACT_NEWTON};
    else
        *n = (series_normal){.kind = e->swing != 0 ? NORMAL_SWING : NORMAL_ONE,
                             .contact = j,
                             .row = -1,
                             .swing = e->swing,
                             .omega = e->swing_omega,
                             .phase = e->swing_phase};
}

static jd_status other_normal(jd_run *run, int j, const char *name, int *out) {
    for (int i = 0; i < jd_problem_contacts(run->problem); i++)
        if (name && !strcmp(jd_problem_contact(run->problem, i)->name, name)) {
            *out = i;
            return JD_OK;
        }
    const char *own = jd_problem_contact(run->problem, j)->name;
    jd_fail(run->context, JD_OUT_OF_RANGE,
            "contact `%s` takes its normal force from `%s`, which is no contact with a normal part",
            own, name ? name : "");
    jd_fail_where(run->context, "contacts.%s.law.normal", own);
    return JD_OUT_OF_RANGE;
}

// Both directions of a plane know each other; they are contacts at points.
static jd_status pair_sliders(jd_run *run, series_plan *p) {
    for (int i = 0; i < p->whole.n; i++) {
        jd_element e;
        const jd_contact_def *d = jd_problem_contact(run->problem, i)->def;
        JD_TRY(jd_law_element_of(run->arena, &d->law, &e));
        for (int o = 0; e.with && o < p->whole.n; o++) {
            if (strcmp(jd_problem_contact(run->problem, o)->name, e.with) != 0) continue;
            int j = p->whole.first[i], k = p->whole.first[o];
            p->slider[p->contact[j].first].partner = p->contact[k].first;
            p->slider[p->contact[k].first].partner = p->contact[j].first;
        }
    }
    return JD_OK;
}

// Sliders of contact j, whose normal parts stand as contacts for now.
static jd_status read_sliders(jd_run *run, series_plan *p, int j, const jd_element *e) {
    series_contact *c = &p->contact[j];
    for (int i = 0; i < e->sliders; i++, p->n_slider++) {
        p->rigid |= !(e->stiffness[i] > 0);
        if (!p->slider) continue;
        int from = j, other = 0;
        if (e->source == JD_NORMAL_OTHER) {
            JD_TRY(other_normal(run, c->of, e->other, &other));
            from = p->whole.first[other];
        }
        p->slider[p->n_slider] = (series_slider){.contact = j,
                                                 .cell = i,
                                                 .row = c->tangential,
                                                 .partner = -1,
                                                 .normal = from,
                                                 .limit = e->limit[i],
                                                 .hold = e->hold[i],
                                                 .kt = e->stiffness[i],
                                                 .slope = e->slope,
                                                 .belt = c->belt};
    }
    return JD_OK;
}

// Cell `cell` of contact `of`, as contact j.
static jd_status read_law(jd_run *run, series_plan *p, int of, int cell, int j) {
    const jd_contact_def *d = jd_problem_contact(run->problem, of)->def;
    double belt = d->against.kind == JD_MOVING ? d->against.velocity : 0;
    jd_element e;
    JD_TRY(jd_cell_element(run->problem, run->arena, of, cell, &e));
    series_contact *c = &p->contact[j];
    bool slides = e.sliders || e.smooth || !e.normal || e.source == JD_NORMAL_OWN; // limit 0 too
    *c = (series_contact){.of = of,
                          .cell = cell,
                          .tangential = slides ? p->n_row++ : -1,
                          .own = -1,
                          .smooth = e.smooth ? p->n_smooth++ : -1,
                          .first = p->n_slider,
                          .sliders = e.sliders,
                          .belt = belt};
    if (e.smooth && p->smooth)
        p->smooth[c->smooth] = (series_smooth){c->tangential, e.linear, e.cubic};
    bool own = e.normal || (e.source == JD_NORMAL_GIVEN && !e.smooth);
    if (own) c->own = p->n_normal++;
    int row = e.normal ? p->n_row++ : -1;
    if (own && p->normal) {
        p->normal[c->own].row = row;
        read_normal(p, c->own, j, &e, belt);
    }
    p->rigid |= e.normal && !(e.kn > 0);
    return read_sliders(run, p, j, &e);
}

// Numbers of all laws; counts sliders and normal parts where there is no memory for them yet.
static jd_status read_laws(jd_run *run, series_plan *p) {
    p->n_slider = p->n_normal = p->n_row = p->n_smooth = 0;
    p->rigid = false;
    for (int i = 0; i < p->whole.n; i++)
        for (int j = p->whole.first[i]; j < p->whole.first[i + 1]; j++)
            JD_TRY(read_law(run, p, i, j - p->whole.first[i], j));
    if (p->slider) JD_TRY(pair_sliders(run, p));
    for (int i = 0; p->slider && i < p->n_slider; i++) {
        int from = p->slider[i].normal, of = p->contact[p->slider[i].contact].of;
        p->slider[i].normal = p->contact[from].own;
        if (p->contact[from].own < 0) JD_TRY(other_normal(run, of, NULL, &from));
    }
    return JD_OK;
}

static void read_rows(series_plan *p) {
    for (int j = 0; j < p->m; j++) {
        const series_contact *c = &p->contact[j];
        const jd_cells *cells = &p->system->cells[c->of];
        const jd_dd *row = cells->row[c->cell], *normal = cells->normal[c->cell];
        if (c->tangential >= 0) take_row(p, c->tangential, row);
        if (c->own >= 0 && p->normal[c->own].row >= 0)
            take_row(p, p->normal[c->own].row, normal ? normal : row);
    }
    for (int r = 0; r < p->n_row; r++)
        for (int o = 0; o <= r; o++)
            p->G[(size_t)r * (size_t)p->n_row + (size_t)o] =
                p->G[(size_t)o * (size_t)p->n_row + (size_t)r] =
                    jd_dot(p->n, p->W + (size_t)r * (size_t)p->stride,
                           p->W + (size_t)o * (size_t)p->stride);
    for (int r = 0; r < p->n_row; r++)
        p->length[r] = sqrt(p->G[(size_t)r * (size_t)(p->n_row + 1)]);
}

static void read_modes(series_plan *p) {
    const jd_modal *modal = &p->system->modal;
    p->growth = 0;
    for (int k = 0; k < p->n; k++) {
        p->omega2[k] = modal->omega2[k].hi;
        p->c[k] = modal->law == JD_DAMPING_NONE ? 0 : modal->c[k];
        if (p->omega2[k] < 0) p->growth = fmax(p->growth, sqrt(-p->omega2[k]));
    }
    p->C = modal->law == JD_DAMPING_FULL ? modal->C : NULL;
    double feeds = 0; // Gershgorin: -v'Cv <= feeds v'v
    for (int k = 0; k < p->n; k++) {
        double low = p->c[k];
        for (int l = 0; p->C && l < p->n; l++)
            if (l != k) low -= 0.5 * fabs(p->C[k * p->n + l] + p->C[l * p->n + k]);
        feeds = fmax(feeds, -low);
    }
    p->growth += feeds;
}

static double spring_of(const series_plan *p, int r, double *dashpot) {
    double k = 0, c = 0;
    for (int a = 0; a < p->n_normal; a++)
        if (p->normal[a].row == r) {
            k += p->normal[a].kn;
            c += p->normal[a].cn;
        }
    for (int i = 0; i < p->n_slider; i++)
        if (p->slider[i].row == r) {
            k += p->slider[i].kt;
            c += fabs(p->slider[i].slope);
        }
    for (int i = 0; i < p->n_smooth; i++)
        if (p->smooth[i].row == r) k += fabs(p->smooth[i].linear);
    *dashpot = c;
    return k;
}

// |W_r q''| <= pull |z|: sqrt(W Omega^2 W') + |C W'| + springs and dashpots of the contacts.
static void bound_pulls(series_plan *p, double *spring, double *dashpot) {
    for (int r = 0; r < p->n_row; r++) spring[r] = spring_of(p, r, &dashpot[r]);
    for (int r = 0; r < p->n_row; r++) {
        const double *w = p->W + (size_t)r * (size_t)p->stride;
        double strain = 0, damping = 0, sum = 0;
        for (int k = 0; k < p->n; k++) {
            double cw = p->c[k] * w[k];
            if (p->C) cw = jd_dot(p->n, p->C + (size_t)k * (size_t)p->n, w);
            strain += fabs(p->omega2[k]) * w[k] * w[k];
            damping += cw * cw;
        }
        for (int o = 0; o < p->n_row; o++)
            sum += fabs(p->G[(size_t)r * (size_t)p->n_row + (size_t)o]) *
                   (sqrt(spring[o]) + dashpot[o] * p->length[o]);
        p->pull[r] = sqrt(strain) + sqrt(damping) + sum;
    }
}

// Largest frequency with every spring engaged, by the power method: only steps are chosen by it.
static void find_fastest(series_plan *p, const double *spring, double *x, double *y) {
    double value = 0;
    for (int k = 0; k < p->n; k++) x[k] = 1 + 0.37 * (k % 7);
    for (int step = 0; step < POWER_STEPS; step++) {
        double norm = sqrt(jd_dot(p->n, x, x));
        if (!(norm > 0)) break;
        for (int k = 0; k < p->n; k++) x[k] /= norm;
        for (int k = 0; k < p->n; k++) y[k] = fabs(p->omega2[k]) * x[k];
        for (int r = 0; r < p->n_row; r++) {
            const double *w = p->W + (size_t)r * (size_t)p->stride;
            double f = spring[r] > 0 ? spring[r] * jd_dot(p->n, w, x) : 0;
            for (int k = 0; f != 0 && k < p->n; k++) y[k] += f * w[k];
        }
        value = jd_dot(p->n, x, y);
        memcpy(x, y, (size_t)p->n * sizeof *x);
    }
    for (int k = 0; k < p->n; k++) value = fmax(value, fabs(p->omega2[k]));
    double damping = 0;
    for (int k = 0; k < p->n; k++) damping = fmax(damping, fabs(p->c[k]));
    p->fastest = 1.05 * sqrt(value) + damping;
}

// Largest value of k^1/2 G k^1/2, whose values are those of W' k W, is at most its largest row.
static double bound_stiffness(const series_plan *p, const double *spring) {
    double most = 0;
    for (int r = 0; r < p->n_row; r++) {
        double sum = 0;
        for (int o = 0; o < p->n_row; o++)
            sum +=
                sqrt(spring[r] * spring[o]) * fabs(p->G[(size_t)r * (size_t)p->n_row + (size_t)o]);
        most = fmax(most, sum);
    }
    return most;
}

// Whether all contacts are springs and sliders on springs, so that their forces are K q.
static void sort_out(series_plan *p) {
    p->springs.alone = !p->rigid && p->n_smooth == 0;
    p->springs.swings = false;
    for (int a = 0; a < p->n_normal; a++) {
        if (p->normal[a].cn > 0) p->springs.alone = false;
        if (p->normal[a].kind == NORMAL_SWING) p->springs.swings = true;
    }
    for (int i = 0; i < p->n_slider; i++)
        if (p->slider[i].slope != 0 || p->slider[i].partner >= 0) p->springs.alone = false;
}

static void read_drives(jd_run *run, series_plan *p) {
    for (int d = 0; d < p->n_drive; d++) {
        p->drive[d].object = jd_problem_drive(run->problem, d);
        p->drive[d].omega =
            jd_drive_omega(p->drive[d].object, jd_problem_drive_frequency(run->problem, d));
    }
}

jd_status jd_series_replan(jd_run *run, series_plan *p) {
    jd_arena_mark mark = jd_arena_here(run->arena);
    jd_status status = read_laws(run, p);
    double *scratch = JD_TAKE(run->arena, double, 2 * p->n_row + 2 * p->n + 2);
    if (status == JD_OK) status = jd_arena_status(run->arena);
    if (status == JD_OK) {
        read_modes(p);
        read_drives(run, p);
        sort_out(p);
        bound_pulls(p, scratch, scratch + p->n_row);
        p->springs.stiffest = bound_stiffness(p, scratch);
        find_fastest(p, scratch, scratch + 2 * p->n_row, scratch + 2 * p->n_row + p->n);
    }
    jd_arena_back(run->arena, mark);
    return status;
}

static void find_shares(series_plan *p) {
    for (int i = 0; i < p->whole.n; i++) {
        const jd_cells *cells = &p->system->cells[i];
        double all = 0;
        for (int k = 0; cells->position && k < cells->n; k++) all += cells->length[k];
        for (int k = 0; k < cells->n; k++)
            p->whole.share[p->whole.first[i] + k] = cells->position ? cells->length[k] / all : 1;
    }
}

jd_status jd_series_plan(jd_run *run, series_plan *p) {
    jd_arena *a = run->arena;
    const jd_simulate_def *simulate = jd_problem_section(run->problem, JD_SIMULATE, NULL);
    p->system = jd_problem_system(run->problem);
    p->n = p->system->modal.n;
    p->whole.n = jd_problem_contacts(run->problem);
    p->n_drive = jd_problem_drives(run->problem);
    p->budget = simulate->event_budget;
    p->stride = whole(p->n);
    p->whole.first = JD_TAKE(a, int, p->whole.n + 1);
    JD_TRY(jd_arena_status(a));
    for (int i = 0; i < p->whole.n; i++)
        p->whole.first[i + 1] = p->whole.first[i] + p->system->cells[i].n;
    p->m = p->whole.first[p->whole.n];
    p->contact = JD_TAKE(a, series_contact, p->m);
    p->whole.share = JD_TAKE(a, double, p->m);
    JD_TRY(jd_arena_status(a));
    find_shares(p);
    JD_TRY(read_laws(run, p)); // counts
    size_t rows = (size_t)p->n_row;
    p->row_stride = whole(p->n_row);
    p->normal = JD_TAKE(a, series_normal, p->n_normal);
    p->slider = JD_TAKE(a, series_slider, p->n_slider);
    p->drive = JD_TAKE(a, series_drive, p->n_drive);
    p->smooth = JD_TAKE(a, series_smooth, p->n_smooth + 1);
    p->omega2 = JD_TAKE(a, double, p->stride);
    p->c = JD_TAKE(a, double, p->stride);
    p->W = JD_TAKE(a, double, rows *(size_t)p->stride);
    p->Wt = JD_TAKE(a, double, (size_t)p->n *(size_t)p->row_stride);
    p->G = JD_TAKE(a, double, rows *rows);
    p->length = JD_TAKE(a, double, rows);
    p->pull = JD_TAKE(a, double, rows);
    JD_TRY(jd_arena_status(a));
    for (int d = 0; d < p->n_drive; d++) {
        double *row = JD_TAKE(a, double, p->stride);
        JD_TRY(jd_arena_status(a));
        for (int k = 0; k < p->n; k++) row[k] = p->system->drive[d][k].hi;
        p->drive[d].row = row;
        p->drive[d].size = sqrt(jd_dot(p->n, row, row));
        for (int k = 0; k < p->n; k++)
            if (p->system->modal.omega2[k].hi > 0)
                p->drive[d].soft += row[k] * row[k] / (2 * p->system->modal.omega2[k].hi);
    }
    JD_TRY(read_laws(run, p));
    read_rows(p);
    return jd_series_replan(run, p);
}
