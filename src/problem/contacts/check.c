// check.c -- contacts against each other and against the structure: names, directions, and numbers
// that make a contact not unique or stiff.
//   G = W W' (mass-normalised modes), c = W Omega^-2 W';  mu_P = G_nn/|G_nt| (rigid: no or two
//   solutions beyond), wedging where mu |c_nt| >= c_nn + 1/kn (equilibrium not unique)
#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "problem/contacts/contacts.h"

static double product(const jd_modal *m, const jd_dd *a, const jd_dd *b) {
    double sum = 0;
    for (int k = 0; k < m->n; k++) sum += a[k].hi * b[k].hi;
    return sum;
}

// Infinite where both move with a rigid-body mode.
static double compliance(const jd_modal *m, const jd_dd *a, const jd_dd *b) {
    double sum = 0;
    for (int k = 0; k < m->n; k++) {
        double both = a[k].hi * b[k].hi;
        if (both != 0) sum += both / m->omega2[k].hi;
    }
    return sum;
}

static const jd_contact_def *def_of(const jd_problem *p, int i) {
    return p->contacts.part[i]->object.def;
}

static jd_status refuse(jd_problem *p, jd_status status, const char *hint, const char *format,
                        const char *one, const char *two) {
    jd_fail(p->context, status, format, one, two);
    jd_fail_hint(p->context, "%s", hint);
    return status;
}

static jd_status unknown_contact(jd_problem *p, const char *name, const char *hint) {
    const char *names[32];
    int n = p->contacts.n < 32 ? p->contacts.n : 32;
    for (int i = 0; i < n; i++) names[i] = p->contacts.part[i]->object.name;
    const char *near = jd_nearest(name, n, names);
    jd_fail(p->context, JD_UNKNOWN_NAME, "there is no contact named `%s`", name);
    if (near) jd_fail_hint(p->context, "did you mean `%s`?", near);
    jd_fail_hint(p->context, "%s", hint);
    return JD_UNKNOWN_NAME;
}

// The contact whose normal force presses contact i.
static jd_status find_normal(jd_problem *p, int i, const jd_element *e, int *other) {
    const char *own = p->contacts.part[i]->object.name;
    *other = i;
    if (e->source != JD_NORMAL_OTHER) return JD_OK;
    for (*other = 0; *other < p->contacts.n; ++*other)
        if (!strcmp(p->contacts.part[*other]->object.name, e->other)) break;
    if (*other == p->contacts.n)
        return unknown_contact(p, e->other,
                               "`normal` names a stop on one side or a dry-contact of this model");
    if (*other == i)
        return refuse(p, JD_WRONG_TYPE, "name a stop on one side, or use the law `dry-contact`",
                      "`normal` of the contact `%s` names the contact itself%s", own, "");
    jd_element n;
    JD_TRY(jd_law_element_of(p->built, &def_of(p, *other)->law, &n));
    if (!def_of(p, *other)->at.point)
        return refuse(
            p, JD_NOT_SUPPORTED, "name a stop or a dry-contact at one point",
            "`normal` of the contact `%s` names `%s`, which has a normal force in each of "
            "its cells",
            own, e->other);
    if (!n.normal)
        return refuse(p, JD_WRONG_TYPE, "name a stop on one side or a dry-contact",
                      "`normal` of the contact `%s` names `%s`, which has no normal part", own,
                      e->other);
    if (n.both)
        return refuse(p, JD_WRONG_TYPE,
                      "make two stops on one side each, with a friction contact each",
                      "`normal` of the contact `%s` names `%s`, a stop on both sides, which has "
                      "two normal forces",
                      own, e->other);
    return JD_OK;
}

// Normal and tangential direction that are one direction to the modes.
static jd_status check_parallel(jd_problem *p, int i, const jd_element *e) {
    const jd_system *y = &p->system;
    const char *name = p->contacts.part[i]->object.name;
    double nn = product(&y->modal, y->normal[i], y->normal[i]);
    double tt = product(&y->modal, y->contact[i], y->contact[i]);
    double nt = product(&y->modal, y->normal[i], y->contact[i]);
    if (nn * tt - nt * nt > 1e-12 * nn * tt) return JD_OK;
    if (e->sliders && !(e->stiffness[0] > 0))
        return refuse(p, JD_NOT_SUPPORTED,
                      "name points of two directions, keep more modes, or give the contact a "
                      "`tangential_stiffness`",
                      "the normal and the tangential direction of the contact `%s` are parallel, "
                      "so it cannot be rigid while stuck%s",
                      name, "");
    jd_log(p->context, JD_LOG_WARNING,
           "the normal and the tangential direction of the contact `%s` are parallel", name);
    return JD_OK;
}

// Two rigid normals in one direction: their forces are not determined.
static jd_status check_shared(jd_problem *p, int i, const jd_element *e) {
    const jd_system *y = &p->system;
    for (int j = 0; j < i; j++) {
        jd_element o;
        if (!y->normal[j]) continue;
        JD_TRY(jd_law_element_of(p->built, &def_of(p, j)->law, &o));
        if (o.source != JD_NORMAL_OWN || o.kn > 0 || e->kn > 0) continue;
        double ii = product(&y->modal, y->normal[i], y->normal[i]);
        double jj = product(&y->modal, y->normal[j], y->normal[j]);
        double ij = product(&y->modal, y->normal[i], y->normal[j]);
        if (ij > 0 && ii * jj - ij * ij <= 1e-12 * ii * jj)
            return refuse(p, JD_NOT_SUPPORTED, "give one of them a `normal_stiffness`",
                          "the contacts `%s` and `%s` have the same rigid normal: how they share "
                          "the normal force is not determined",
                          p->contacts.part[j]->object.name, p->contacts.part[i]->object.name);
    }
    return JD_OK;
}

// Coefficients beyond which the sliding contact has no, or more than one, solution.
static void warn_coefficient(jd_problem *p, int i, int normal, const jd_element *e) {
    const jd_system *y = &p->system;
    const jd_dd *n = y->normal[normal], *t = y->contact[i];
    const char *name = p->contacts.part[i]->object.name;
    jd_element pressing;
    if (jd_law_element_of(p->built, &def_of(p, normal)->law, &pressing) != JD_OK) return;
    double mu = e->limit[0], kn = pressing.kn;
    double G = product(&y->modal, n, n), couple = fabs(product(&y->modal, n, t));
    if (!(kn > 0) && mu * couple >= G)
        jd_log(p->context, JD_LOG_WARNING,
               "contact `%s`: the coefficient %.6g is not below mu_P = %.6g (Painleve): while it "
               "slides, a rigid contact may have no solution or two; give it a normal stiffness",
               name, mu, G / couple);
    double c = compliance(&y->modal, n, n) + (kn > 0 ? 1 / kn : 0);
    double shear = fabs(compliance(&y->modal, n, t));
    if (isfinite(c) && isfinite(shear) && shear > 0 && mu * shear >= c)
        jd_log(p->context, JD_LOG_WARNING,
               "contact `%s`: the coefficient %.6g is not below %.6g, where the contact wedges: "
               "its equilibrium while sliding is not unique",
               name, mu, c / shear);
}

enum { PENALTY = 1000 }; // stiffer than that, beside the structure, is meant to be rigid

static void warn_penalty(jd_problem *p, int i, const jd_element *e) {
    const jd_system *y = &p->system;
    double top = 0, kt = 0;
    for (int k = 0; k < y->modal.n; k++) top = fmax(top, sqrt(y->modal.omega2[k].hi));
    for (int s = 0; s < e->sliders; s++) kt += e->stiffness[s];
    const double stiffness[2] = {kt, e->kn};
    const jd_dd *row[2] = {y->contact[i], y->normal[i]};
    for (int s = 0; s < 2 && top > 0; s++) {
        if (!(stiffness[s] > 0) || !row[s]) continue;
        double pole = sqrt(stiffness[s] * product(&y->modal, row[s], row[s]));
        if (pole > PENALTY * top)
            jd_log(p->context, JD_LOG_WARNING,
                   "contact `%s`: the %s stiffness %.6g makes oscillations of %.3g rad/s beside "
                   "%.3g rad/s of the structure: a penalty makes runs slow, use a rigid contact",
                   p->contacts.part[i]->object.name, s ? "normal" : "tangential", stiffness[s],
                   pole, top);
    }
}

// A static limit is that of the mean.
static void warn_swing(jd_problem *p, int i) {
    unsigned traits = jd_law_traits(&def_of(p, i)->law), both = JD_LAW_SWING | JD_LAW_STATIC;
    if ((traits & both) != both) return;
    jd_log(p->context, JD_LOG_WARNING,
           "contact `%s`: `limit` swings, and `static_limit` swings with it, by the same factor",
           p->contacts.part[i]->object.name);
}

static bool fits_plane(const jd_element *e, const jd_element *o) {
    bool swings_alike = fabs(e->swing - o->swing) <= 1e-12 * fabs(e->swing) && // two quotients
                        e->swing_omega == o->swing_omega && e->swing_phase == o->swing_phase;
    bool pressed_alike =
        e->source == o->source && (e->source != JD_NORMAL_OTHER || !strcmp(e->other, o->other));
    return o->sliders == 1 && o->source != JD_NORMAL_OWN && o->stiffness[0] > 0 &&
           o->hold[0] == o->limit[0] && o->slope == 0 && !o->with && swings_alike && pressed_alike;
}

// The normal force of a plane may not jump: a spring without dashpot gives it.
static jd_status check_pressed(jd_problem *p, int normal, const char *own) {
    jd_element n;
    JD_TRY(jd_law_element_of(p->built, &def_of(p, normal)->law, &n));
    if (!n.normal || (n.kn > 0 && !(n.cn > 0) && n.gap != 0)) return JD_OK;
    return refuse(
        p, JD_NOT_SUPPORTED,
        "give the contact that presses a stiffness and a preload or a gap, and no damping",
        "friction in a plane of the contact `%s` is pressed by `%s`, whose normal force "
        "may jump or has no measure",
        own, p->contacts.part[normal]->object.name);
}

// The other direction of a plane: a coulomb contact with a given limit and a spring, and only once.
static jd_status check_plane(jd_problem *p, int i, int normal, const jd_element *e) {
    const char *own = p->contacts.part[i]->object.name;
    int other = 0;
    if (!e->with) return JD_OK;
    while (other < p->contacts.n && strcmp(p->contacts.part[other]->object.name, e->with) != 0)
        other++;
    if (other == p->contacts.n)
        return unknown_contact(p, e->with,
                               "`with` names the `coulomb` contact of the other direction, with a "
                               "`stiffness` of its own");
    jd_element o;
    JD_TRY(jd_law_element_of(p->built, &def_of(p, other)->law, &o));
    if (!def_of(p, other)->at.point)
        return refuse(p, JD_NOT_SUPPORTED, "write a contact for each point and direction",
                      "`with` of the contact `%s` names `%s`, which has cells", own, e->with);
    if (other == i || !fits_plane(e, &o) || def_of(p, other)->law.type != def_of(p, i)->law.type)
        return refuse(p, JD_WRONG_TYPE,
                      "name a `coulomb` contact with a `limit` (or a `coefficient` of the same "
                      "`normal`) that swings alike, and a `stiffness`",
                      "`with` of the contact `%s` names `%s`, which is no other direction of a "
                      "plane",
                      own, e->with);
    for (int k = 0; k < i; k++) {
        JD_TRY(jd_law_element_of(p->built, &def_of(p, k)->law, &o));
        if (o.with && !strcmp(o.with, e->with))
            return refuse(p, JD_WRONG_TYPE, "a plane has two directions",
                          "two contacts name `%s` as the other direction of a plane, `%s` among "
                          "them",
                          e->with, own);
    }
    return e->source == JD_NORMAL_OTHER ? check_pressed(p, normal, own) : JD_OK;
}

jd_status jd_contact_check(jd_problem *p, int i) {
    const jd_contact_def *c = def_of(p, i);
    const jd_system *y = &p->system;
    jd_element e;
    int normal;
    JD_TRY(jd_law_element_of(p->built, &c->law, &e));
    if (e.normal && e.kn > 0 && e.source != JD_NORMAL_OWN && c->against.kind == JD_MOVING)
        return refuse(p, JD_NOT_SUPPORTED,
                      "write `against: ground`; a wall that moves is possible with `restitution`",
                      "the elastic stop `%s` works against a moving body%s",
                      p->contacts.part[i]->object.name, "");
    if (e.smooth && c->against.kind == JD_MOVING)
        return refuse(p, JD_NOT_SUPPORTED, "write `against: ground`, or name a point",
                      "the nonlinear spring `%s` works against a moving body%s",
                      p->contacts.part[i]->object.name, "");
    JD_TRY(find_normal(p, i, &e, &normal));
    JD_TRY(check_plane(p, i, normal, &e));
    if (!y->contact[i]) return JD_OK;
    if (e.source == JD_NORMAL_OWN && e.normal) {
        JD_TRY(check_parallel(p, i, &e));
        JD_TRY(check_shared(p, i, &e));
    }
    if (e.sliders && e.source != JD_NORMAL_GIVEN && y->normal[normal])
        warn_coefficient(p, i, normal, &e);
    warn_penalty(p, i, &e);
    warn_swing(p, i);
    return JD_OK;
}
