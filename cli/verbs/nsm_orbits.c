// nsm_orbits.c -- --orbit J, J/K, J/K:OMEGA, sN or several of them: orbits of nonsmooth modes in
// full.
#include "nsm_orbits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALONG = 24, SAMPLES = 401 }; // orbits along a branch; samples of each

// What one item of the list asks for.
typedef struct wish {
    long mode, divisor; // mode 0: orbit `sustained` that rests on the stop
    double omega;       // 0: all along the branch
    long sustained;     // from 1
} wish;

bool orbits_rest(const char *list) { return strchr(list, 's') != NULL; }

static jd_status bad_list(call *c, const char *list) {
    jd_fail(c->context, JD_BAD_USAGE,
            "--orbit wants a branch, J or J/K, and perhaps :OMEGA, or sN, not `%s`", list);
    jd_fail_hint(c->context, "5/2 is the branch ω5/2; 1:1.5 the orbit of ω = 1.5 on ω1; s1 the "
                             "first that rests on the stop; 1:1.5,2:4.17 two orbits");
    return JD_BAD_USAGE;
}

// One item; *text goes to what follows it.
static bool read_wish(const char **text, wish *w) {
    char *end;
    const char *at = *text;
    *w = (wish){.divisor = 1};
    bool rests = *at == 's';
    if (rests) at++;
    if (strncmp(at, "ω", strlen("ω")) == 0) at += strlen("ω");
    long number = strtol(at, &end, 10);
    bool good = end > at && number > 0;
    *(rests ? &w->sustained : &w->mode) = number;
    if (good && !rests && *end == '/') {
        at = end + 1;
        w->divisor = strtol(at, &end, 10);
        good = end > at;
    }
    if (good && !rests && *end == ':') {
        at = end + 1;
        w->omega = strtod(at, &end);
        good = end > at && w->omega > 0;
    }
    *text = end;
    return good && (*end == 0 || *end == ',');
}

static jd_status pick_sustained(call *c, const jd_nsm *nsm, const wish *w, jd_nsm_pick *pick) {
    int n = jd_nsm_sustained_count(nsm);
    *pick = (jd_nsm_pick){.branch = -1, .sustained = (int)w->sustained - 1};
    if (w->sustained <= n) return JD_OK;
    jd_fail(c->context, JD_UNKNOWN_NAME,
            "there is no orbit s%ld: %d rest%s on the stop in the window", w->sustained, n,
            n == 1 ? "s" : "");
    jd_fail_hint(c->context, "`judder nsm %s --set nsm.sustained=true` lists them", c->argument[0]);
    return JD_UNKNOWN_NAME;
}

static jd_status pick_branch(call *c, const jd_nsm *nsm, const wish *w, jd_nsm_pick *pick) {
    for (int i = 0; i < jd_nsm_branches(nsm); i++) {
        const jd_nsm_branch *b = jd_nsm_branch_at(nsm, i);
        if (b->mode != w->mode || b->divisor != w->divisor) continue;
        *pick = (jd_nsm_pick){.branch = i, .omega = w->omega};
        if (w->omega == 0 || (w->omega > b->omega_start && w->omega < b->omega_end)) return JD_OK;
        return jd_fail(c->context, JD_OUT_OF_RANGE,
                       "branch ω%ld/%ld goes from %.12g to %.12g, not through %.12g", w->mode,
                       w->divisor, b->omega_start, b->omega_end, w->omega);
    }
    jd_fail(c->context, JD_UNKNOWN_NAME, "there is no branch ω%ld/%ld in the window", w->mode,
            w->divisor);
    jd_fail_hint(c->context, "`judder nsm %s` lists them", c->argument[0]);
    return JD_UNKNOWN_NAME;
}

// Orbits evenly along the branch; not into the last part of one whose energy grows without bound,
// where they would dwarf the rest.
static void spread(const jd_nsm_branch *b, int n, jd_nsm_pick *pick) {
    double part = b->end == JD_NSM_UNBOUNDED ? 0.85 : 1;
    for (int i = 0; i < n; i++) {
        pick[i] = pick[0];
        pick[i].omega = b->omega_start + part * (i + 0.5) / n * (b->omega_end - b->omega_start);
    }
}

// A branch alone stands for orbits all along it; in a list each item is one orbit.
static jd_status read_list(call *c, const char *list, const jd_nsm *nsm, jd_nsm_pick *pick,
                           int *n) {
    const char *text = list;
    *n = 0;
    for (;;) {
        wish w;
        if (*n == ALONG || !read_wish(&text, &w)) return bad_list(c, list);
        bool several = *n > 0 || *text == ',';
        if (several && w.mode > 0 && w.omega == 0) return bad_list(c, list);
        JD_TRY(w.mode > 0 ? pick_branch(c, nsm, &w, &pick[*n])
                          : pick_sustained(c, nsm, &w, &pick[*n]));
        ++*n;
        if (w.mode > 0 && w.omega == 0) {
            *n = c->count > 0 && c->count < ALONG ? c->count : ALONG;
            spread(jd_nsm_branch_at(nsm, pick[0].branch), *n, pick);
        }
        if (!*text) return JD_OK;
        text++;
    }
}

static void print_orbits(const jd_nsm_orbits_result *r) {
    for (int i = 0; i < r->n; i++) {
        const jd_nsm_orbit_result *o = &r->orbit[i];
        printf("ω %.12g  period %.12g  energy %.9g  ", o->omega, o->period, o->energy);
        if (!isnan(o->contact))
            printf("rests on the stop for %.12g\n", o->contact);
        else
            printf("impact speed %.9g  %s\n", fabs(o->speed),
                   o->stable < 0 ? ""
                   : o->stable   ? "stable"
                                 : "unstable");
    }
    if (r->n == 1)
        printf("\nTo begin a run or `judder orbit` on it:\nstart: %s\norbit: {settle: 0}\n",
               r->start);
}

jd_status show_orbits(call *c, const char *list, const jd_problem *problem, jd_nsm *nsm) {
    jd_nsm_pick pick[ALONG];
    jd_result *result;
    int n;
    JD_TRY(read_list(c, list, nsm, pick, &n));
    JD_TRY(jd_result_of_nsm_orbits(c->context, problem, nsm, n, pick, SAMPLES, &result));
    jd_status s = deliver(c, result, -1, true);
    if (s == JD_OK && wants_words(c)) print_orbits(jd_result_nsm_orbits(result));
    jd_result_free(result);
    return s;
}
