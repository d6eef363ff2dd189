// nsm.c -- nonsmooth modes of a problem: what may be computed, the list of poles, the branches.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/nsm/nsm.h"
#include "base/constants.h"
#include "contact/law.h"
#include "problem/parts.h"
#include "problem/system.h"

static const double two_pi = JD_TWO_PI;
enum {
    judged_modes = 100,
    thorough_modes = 40,
    family_modes = 12
}; // by default: a proof takes longer than all else

jd_status jd_nsm_options_of(const jd_problem *problem, jd_nsm_options *out) {
    const jd_nsm_def *d = jd_problem_section(problem, JD_NSM, NULL);
    int modes = jd_problem_system(problem)->modal.n;
    *out = (jd_nsm_options){
        .omega_high = HUGE_VAL,
        .stability = d->stability == JD_JUDGING_AUTO ? modes <= judged_modes
                                                     : d->stability == JD_JUDGING_YES,
        .thorough = modes <= thorough_modes || d->stability == JD_JUDGING_YES,
        .family_stability =
            modes <= family_modes ? d->stability != JD_JUDGING_NO : d->stability == JD_JUDGING_YES,
        .impacts = d->impacts,
        .phantoms = d->phantoms,
        .sustained = d->sustained};
    if (d->omega.n == 2) {
        out->omega_low = d->omega.value[0];
        out->omega_high = d->omega.value[1];
    }
    return JD_OK;
}

static jd_status refuse(jd_nsm *s, const char *what, const char *hint) {
    jd_fail(s->context, JD_NOT_SUPPORTED, "nonsmooth modes need %s", what);
    jd_fail_where(s->context, "nsm");
    jd_fail_hint(s->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

// One elastic stop on a structure without losses, drives or rigid-body modes.
static jd_status check(jd_nsm *s) {
    const jd_system *system = jd_problem_system(s->problem);
    if (jd_problem_contacts(s->problem) != 1)
        return refuse(s, "exactly one contact", "keep the stop and remove the other contacts");
    const jd_contact_def *c = jd_problem_contact(s->problem, 0)->def;
    const jd_stop_def *stop = jd_law_stop_of(&c->law);
    if (!stop)
        return refuse(s, "a stop",
                      "give the contact `law: {type: stop, gap: ..., restitution: 1}`");
    if (stop->restitution != 1)
        return refuse(
            s, "restitution 1",
            "write `restitution: 1`: a stop that loses energy has no families of free orbits");
    if (stop->sides != 0) return refuse(s, "a stop on one side", "write `sides: one`");
    if (!(stop->gap > 0))
        return refuse(
            s, "a positive gap",
            "write a gap above 0: with gap 0 or a preload no branch starts at a linear mode");
    if (jd_problem_drives(s->problem) > 0)
        return refuse(s, "a structure without drives", "remove the drives");
    if (system->modal.law != JD_DAMPING_NONE)
        return refuse(s, "a structure without damping", "write `damping: none`");
    for (int k = 0; k < system->modal.n; k++)
        if (system->modal.omega2[k].hi == 0)
            return refuse(s, "a structure without rigid-body modes",
                          "add supports: a rigid-body mode has no period");
    s->gap = stop->gap;
    return JD_OK;
}

jd_status jd_nsm_check(jd_problem *problem) {
    jd_nsm asked = {.context = problem->context, .problem = problem};
    return jd_problem_system(problem) ? check(&asked) : JD_OK;
}

// Only the joint motion of modes of one frequency moves the stop: they are one mode here.
static void add_mode(jd_nsm *s, int number, double omega, double a) {
    int j = 0;
    while (j < s->modes.n && fabs(s->modes.omega[j] - omega) > 1e-12 * omega) j++;
    if (j == s->modes.n) {
        s->modes.n++;
        s->modes.mode[j] = number;
        s->modes.omega[j] = omega;
        s->modes.a[j] = 0;
    }
    s->modes.member[number] = j;
    s->modes.a[j] += a;
    s->modes.b[j] = s->modes.a[j] / s->modes.omega[j];
    s->modes.fastest = fmax(s->modes.fastest, omega);
}

static jd_status read_modes(jd_nsm *s) {
    const jd_system *system = jd_problem_system(s->problem);
    int n = system->modal.n;
    double **vectors[] = {&s->modes.omega, &s->modes.a,        &s->modes.b,
                          &s->modes.row,   &s->reference.sine, &s->reference.cosine};
    for (int i = 0; i < 6; i++) *vectors[i] = JD_TAKE(s->arena, double, n);
    s->modes.mode = JD_TAKE(s->arena, int, n);
    s->modes.member = JD_TAKE(s->arena, int, n);
    s->scratch = JD_TAKE(s->arena, double, 11 * n);
    JD_TRY(jd_arena_status(s->arena));
    jd_dd G = dd(0);
    for (int k = 0; k < n; k++) G = dd_add(G, dd_mul(system->contact[0][k], system->contact[0][k]));
    s->mass = 1 / dd_value(G);
    for (int k = 0; k < n; k++) {
        jd_dd row = system->contact[0][k];
        double a = dd_value(dd_div(dd_mul(row, row), G));
        s->modes.row[k] = dd_value(row);
        s->modes.member[k] = -1;
        if (a < 1e-28) continue; // does not move the stop: a node of the mode
        add_mode(s, k, dd_value(dd_sqrt(system->modal.omega2[k])), a);
    }
    return JD_OK;
}

static int by_period(const void *x, const void *y) {
    const nsm_pole *a = x, *b = y;
    return a->T < b->T ? -1 : a->T > b->T ? 1 : a->mode - b->mode;
}

// A common pole is named after the mode with the smallest k.
static void name_pole(nsm_pole *p) {
    for (int r = 1; r <= p->more; r++)
        if (p[r].divisor < p->divisor) {
            nsm_pole first = *p;
            p->mode = p[r].mode;
            p->divisor = p[r].divisor;
            p[r].mode = first.mode;
            p[r].divisor = first.divisor;
        }
}

// All k T_j up to the longest period of the window, below the lowest mode too: those are orbits
// that grow out of subharmonics. Poles that coincide are an internal resonance: one pole.
static jd_status list_poles(jd_nsm *s) {
    double slowest = HUGE_VAL, low = s->options.omega_low;
    for (int j = 0; j < s->modes.n; j++) slowest = fmin(slowest, s->modes.omega[j]);
    double T_max = two_pi / (low > 0 ? low : slowest * (1 - 1e-14));
    double count = 0;
    for (int j = 0; j < s->modes.n; j++)
        count += floor(T_max * s->modes.omega[j] / two_pi * (1 + 1e-12));
    if (count > 1e7)
        return refuse(s, "a smaller range of frequencies",
                      "it has more than ten million poles: raise the lower end of `omega`");
    s->poles.list = JD_TAKE(s->arena, nsm_pole, (int)count + s->modes.n);
    JD_TRY(jd_arena_status(s->arena));
    for (int j = 0; j < s->modes.n; j++)
        for (int k = 1; k * two_pi / s->modes.omega[j] <= T_max * (1 + 1e-12); k++)
            s->poles.list[s->poles.n++] = (nsm_pole){k * two_pi / s->modes.omega[j], j, k, 0};
    qsort(s->poles.list, (size_t)s->poles.n, sizeof *s->poles.list, by_period);
    for (int i = s->poles.n - 2; i >= 0; i--)
        if (s->poles.list[i + 1].T - s->poles.list[i].T <= 1e-12 * s->poles.list[i].T)
            s->poles.list[i].more = s->poles.list[i + 1].more + 1;
    for (int i = 0; i < s->poles.n; i += s->poles.list[i].more + 1) name_pole(&s->poles.list[i]);
    return JD_OK;
}

jd_status jd_nsm_sum_create(jd_context *context, jd_arena *arena, int n, const double *omega,
                            nsm_sum *out) {
    jd_complex *pole = JD_TAKE(arena, jd_complex, n), *weight = JD_TAKE(arena, jd_complex, n);
    JD_TRY(jd_arena_status(arena));
    for (int j = 0; j < n; j++) {
        pole[j] = (jd_complex){0, omega[j]};
        weight[j] = (jd_complex){1, 0};
    }
    jd_expbasis_def def = jd_default_expbasis_def();
    def.n_pole = n;
    def.pole = pole;
    JD_TRY(jd_expbasis_create(context, &def, &out->basis));
    jd_watch_def watch = {.weight = weight};
    JD_TRY(jd_watch_create(out->basis, &watch, &out->watch));
    double **vectors[] = {&out->re, &out->im, &out->re1, &out->im1};
    for (int i = 0; i < 4; i++) *vectors[i] = JD_TAKE(arena, double, jd_expbasis_slots(out->basis));
    return jd_arena_status(arena);
}

static jd_status find_branches(jd_nsm *s) {
    double T_min = two_pi / s->options.omega_high * (1 - 1e-12);
    for (int i = 0; i < s->poles.n; i += s->poles.list[i].more + 1)
        s->poles.n_window += s->poles.list[i].T >= T_min;
    s->found.branch = JD_TAKE(s->arena, jd_nsm_branch, s->poles.n_window);
    s->found.phantom =
        JD_TAKE(s->arena, jd_nsm_phantom, s->options.phantoms ? s->poles.n_window : 0);
    JD_TRY(jd_arena_status(s->arena));
    for (int i = 0; i < s->poles.n; i += s->poles.list[i].more + 1) {
        if (s->poles.list[i].T < T_min) continue;
        if (!jd_nsm_find_branch(s, i, &s->found.branch[s->found.n_branch])) continue;
        if (s->options.stability)
            JD_TRY(jd_nsm_prove_branch(s, &s->found.branch[s->found.n_branch]));
        s->found.n_branch++;
        if (i % 64 == 0) jd_progress(s->context, "branches", (double)i / s->poles.n);
    }
    return JD_OK;
}

static jd_status build(jd_nsm *s) {
    JD_TRY(check(s));
    JD_TRY(read_modes(s));
    if (s->modes.n == 0)
        return refuse(s, "a stop at a point that some mode moves",
                      "move the contact: it is at a node of every mode");
    JD_TRY(list_poles(s));
    JD_TRY(jd_nsm_sum_create(s->context, s->arena, s->modes.n, s->modes.omega, &s->flight));
    JD_TRY(find_branches(s));
    if (s->options.impacts > 1) JD_TRY(jd_nsm_find_families(s));
    if (s->options.sustained) JD_TRY(jd_nsm_find_sustained(s));
    return jd_nsm_connect(s);
}

jd_status jd_nsm_create(jd_context *context, jd_problem *problem, const jd_nsm_options *options,
                        jd_nsm **out) {
    *out = NULL;
    JD_TRY(jd_problem_build(problem));
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_nsm *s = JD_TAKE(arena, jd_nsm, 1);
    jd_status status = jd_arena_status(arena);
    if (status != JD_OK) {
        jd_arena_free(arena);
        return status;
    }
    *s = (jd_nsm){.context = context, .arena = arena, .problem = problem, .options = *options};
    status = build(s);
    if (status == JD_OK)
        *out = s;
    else
        jd_nsm_free(s);
    return status;
}

void jd_nsm_free(jd_nsm *s) {
    if (!s) return;
    jd_expbasis_free(s->flight.basis);
    jd_arena_free(s->scratch_arena);
    jd_arena_free(s->arena);
}

int jd_nsm_poles(const jd_nsm *s) { return s->poles.n_window; }
int jd_nsm_phantoms(const jd_nsm *s) { return s->found.n_phantom; }
const jd_nsm_phantom *jd_nsm_phantom_at(const jd_nsm *s, int i) {
    return i >= 0 && i < s->found.n_phantom ? &s->found.phantom[i] : NULL;
}
int jd_nsm_branches(const jd_nsm *s) { return s->found.n_branch; }
const jd_nsm_branch *jd_nsm_branch_at(const jd_nsm *s, int i) {
    return i >= 0 && i < s->found.n_branch ? &s->found.branch[i] : NULL;
}

const char *jd_nsm_change_name(jd_nsm_change change) {
    static const char *const names[] = {"start", "fold", "flip", "krein", "end"};
    return names[change];
}

double jd_nsm_energy(const jd_nsm *s, double omega) { return jd_nsm_energy_of(s, two_pi / omega); }

double jd_nsm_speed(const jd_nsm *s, double omega) {
    double slope;
    return s->gap / jd_nsm_w(s, two_pi / omega, &slope);
}

// q_j = v row_j m cos(omega_j T/2)/(omega_j sin(omega_j T/2)), q_j' = v row_j m at t = 0+
void jd_nsm_state(const jd_nsm *s, double omega, double *q, double *rate) {
    int n = jd_problem_system(s->problem)->modal.n;
    double T = two_pi / omega, v = jd_nsm_speed(s, omega);
    for (int k = 0; k < n; k++) {
        int j = s->modes.member[k];
        q[k] = rate[k] = 0;
        if (j < 0) continue;
        double x = s->modes.omega[j] * T / 2, p = v * s->modes.row[k] * s->mass;
        q[k] = p * cos(x) / (s->modes.omega[j] * sin(x));
        rate[k] = p;
    }
}
