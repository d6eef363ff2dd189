// choose.c -- what a history shows: which points and contacts, which stretch of time, which times.
#include <math.h>
#include <string.h>

#include "drive/kind.h"
#include "result/run/history/viewer.h"

// A point's name as probes take it.
static const char *place_name(jd_arena *arena, const jd_place *place) {
    if (!place->point || !place->body || !place->body[0]) return place->point;
    return jd_arena_format(arena, "%s.%s", place->body, place->point);
}

static void add_point(viewer *w, const char *name) {
    jd_history *h = w->h;
    if (!name) return;
    for (int i = 0; i < h->n_point; i++)
        if (strcmp(w->point[i].name, name) == 0) return;
    w->point[h->n_point++].name = name;
}

jd_status jd_viewer_points(viewer *w) {
    const jd_problem *p = w->problem;
    const jd_output_def *output = jd_problem_section(p, JD_OUTPUT, NULL);
    int contacts = jd_problem_contacts(p), drives = jd_problem_drives(p);
    w->point = JD_TAKE(w->arena, jd_history_point, output->points.n + contacts + drives);
    w->h->point = w->point;
    JD_TRY(jd_arena_status(w->arena));
    for (int i = 0; i < output->points.n; i++) add_point(w, output->points.text[i]);
    if (output->points.n) return JD_OK;
    for (int j = 0; j < contacts; j++) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        add_point(w, place_name(w->arena, &c->at));
    }
    for (int d = 0; d < drives; d++) {
        const jd_drive_place *drive = jd_problem_drive(p, d)->def;
        add_point(w, place_name(w->arena, &drive->at));
    }
    return jd_arena_status(w->arena);
}

jd_status jd_viewer_slip(viewer *w) {
    jd_history *h = w->h;
    const char **name = JD_TAKE(w->arena, const char *, h->n_point);
    w->place = JD_TAKE(w->arena, jd_slip_place, h->n_point);
    h->slip = w->slip = JD_TAKE(w->arena, jd_history_point, h->n_point);
    JD_TRY(jd_arena_status(w->arena));
    for (int i = 0; i < h->n_point; i++) name[i] = h->point[i].name;
    h->n_slip = jd_slip_places(w->problem, h->n_point, name, w->place);
    for (int k = 0; k < h->n_slip; k++) w->slip[k].name = w->place[k].name;
    if (h->n_slip > 0) return JD_OK;
    jd_fail(w->context, JD_NOT_SUPPORTED,
            "no point of `output.points` lies on a contact that acts "
            "along a span");
    jd_fail_hint(w->context, "name one: `output: {points: [pile.tip]}`");
    return JD_NOT_SUPPORTED;
}

jd_status jd_viewer_contacts(viewer *w) {
    const jd_contact_result *c;
    jd_history *h = w->h;
    h->n_contact = h->n_name = jd_problem_contacts(w->problem);
    h->contact = w->contact = JD_TAKE(w->arena, jd_history_contact, h->n_contact);
    JD_TRY(jd_contacts_of(w->arena, w->problem, NULL, &c, &h->contact_name));
    for (int j = 0; j < h->n_contact; j++) {
        w->contact[j] = (jd_history_contact){.name = c[j].name,
                                             .limit = c[j].limit,
                                             .static_limit = c[j].static_limit,
                                             .gap = c[j].gap,
                                             .both = c[j].both,
                                             .span = !c[j].at};
        if (w->contact[j].span)
            w->contact[j].name = jd_arena_format(w->arena, "%s (mean)", c[j].name);
        ((const char **)h->contact_name)[j] = w->contact[j].name;
    }
    return jd_arena_status(w->arena);
}

// Period of the slowest mode that oscillates; 0 when none does.
static double slowest_period(viewer *w) {
    double omega = HUGE_VAL;
    for (int b = 0; b < jd_problem_bodies(w->problem); b++) {
        const jd_structure *body = jd_problem_structure(w->problem, b);
        int n = jd_structure_modes(body);
        jd_mode *mode = JD_TAKE(w->arena, jd_mode, n > 0 ? n : 0);
        if (!mode) return 0;
        if (n > 0) jd_structure_mode_list(body, mode);
        for (int k = 0; k < n; k++)
            if (mode[k].omega > 0) omega = fmin(omega, mode[k].omega);
    }
    return omega < HUGE_VAL ? 2 * acos(-1.0) / omega : 0;
}

// Does something keep the motion going: a drive, or a belt under a contact?
static bool is_fed(const jd_problem *p) {
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        if (c->against.kind == JD_MOVING && c->against.velocity != 0) return true;
    }
    return jd_problem_period(p) > 0;
}

void jd_viewer_start(viewer *w) {
    double slow = slowest_period(w), shown = MODE_PERIODS * slow;
    if (!isnan(w->from) || is_fed(w->problem) || shown <= 0 || w->until < 1.5 * shown) return;
    w->h->subtitle = jd_arena_format(w->arena, "the first %d periods of the slowest mode (of %.4g)",
                                     MODE_PERIODS, w->until / slow);
    w->from = 0;
    w->until = shown;
}

// The second half, or all of it, in whole drive periods with as many samples each.
static const char *long_stretch(viewer *w, double period, double all, const char *unit) {
    bool whole = w->wants & JD_WANT_ALL;
    double turns = period > 0 ? floor((whole ? 1 : 0.5) * all / period * (1 + 1e-12)) : 0;
    w->samples = LONG;
    if (turns < 1) {
        w->from = whole ? w->begin : w->begin + all / 2;
        return jd_arena_format(w->arena, "from %.6g to %.6g%s", w->from, w->to, unit);
    }
    double last = floor(w->end / period * (1 + 1e-12)) * period;
    w->to = fmin(last, w->end);
    w->from = fmax(w->to - turns * period, w->begin);
    w->samples = (int)(turns * fmax(16, ceil(LONG / turns)));
    return jd_arena_format(w->arena, "the last %.0f of %.5g drive periods", turns, all / period);
}

stretch jd_viewer_stretch(viewer *w, double end, double *from) {
    double period = jd_problem_period(w->problem), slow = slowest_period(w), all = end - w->begin;
    bool whole = w->from <= w->begin && isnan(w->asked_to);
    stretch kind = WHOLE;
    if (!isnan(w->from) && !whole)
        kind = GIVEN;
    else if (!whole && period > 0 && all > (LAST_PERIODS + 1) * period)
        kind = LAST_OF_DRIVE;
    else if (!whole && period <= 0 && slow > 0 && all > 1.5 * MODE_PERIODS * slow)
        kind = LAST_OF_MODE;
    *from = kind == GIVEN           ? fmax(fmin(w->from, end), w->begin)
            : kind == LAST_OF_DRIVE ? end - LAST_PERIODS * period
            : kind == LAST_OF_MODE  ? end - MODE_PERIODS * slow
                                    : w->begin;
    return kind;
}

void jd_viewer_window(viewer *w) {
    double period = jd_problem_period(w->problem), all = w->end - w->begin;
    const char *unit = w->h->si ? " s" : "";
    w->to = w->end;
    if (w->h->subtitle) return;
    if (w->wants & JD_WANT_LONG && isnan(w->from)) {
        w->h->subtitle = long_stretch(w, period, all, unit);
        return;
    }
    stretch kind = jd_viewer_stretch(w, w->end, &w->from);
    w->h->subtitle =
        kind == GIVEN ? jd_arena_format(w->arena, "from %.6g to %.6g%s", w->from, w->to, unit)
        : kind == LAST_OF_DRIVE ? jd_arena_format(w->arena, "the last %d of %.5g drive periods",
                                                  LAST_PERIODS, all / period)
        : kind == LAST_OF_MODE
            ? jd_arena_format(w->arena, "the last %d periods of the slowest mode (of %.4g)",
                              MODE_PERIODS, all / slowest_period(w))
            : jd_arena_format(w->arena, "the whole run, %.6g%s", all, unit);
}

void jd_viewer_events(viewer *w) {
    long first = w->n_event > MARKED ? w->n_event - MARKED : 0;
    jd_history *h = w->h;
    bool lost = first > 0 && w->event[first % MARKED].t > w->from;
    jd_event *kept = JD_TAKE(w->arena, jd_event, MARKED);
    if (!kept) return;
    for (long i = first; i < w->n_event && !lost; i++) {
        const jd_event *e = &w->event[i % MARKED];
        if (h->contact[e->contact].span) continue; // of single cells: thousands
        if (e->t >= w->from && e->t <= w->to) kept[h->n_event++] = *e;
    }
    h->event = kept;
    // Cells along a span have no events of a run.
    bool cells = false;
    for (int j = 0; j < h->n_contact; j++) cells |= h->contact[j].span;
    if (w->wants & JD_WANT_ENERGY || cells) return;
    const char *events =
        lost ? " · too many events to mark"
             : jd_arena_format(w->arena, " · %d event%s", h->n_event, h->n_event == 1 ? "" : "s");
    const char *proof = w->report.certificate.certified ? ", none missed (certified)" : "";
    h->subtitle = jd_arena_format(w->arena, "%s%s%s", h->subtitle, events, lost ? "" : proof);
}

jd_status jd_viewer_times(viewer *w) {
    jd_history *h = w->h;
    double *times = JD_TAKE(w->arena, double, w->samples + 2 * h->n_event + 1);
    h->t = times;
    JD_TRY(jd_arena_status(w->arena));
    int e = 0;
    for (int i = 0; i <= w->samples; i++) {
        double t = i == w->samples ? w->to : w->from + (w->to - w->from) * i / w->samples;
        for (; e < h->n_event && h->event[e].t <= t; e++) {
            double at = h->event[e].t, before = nextafter(at, -HUGE_VAL);
            if (h->n && at <= h->t[h->n - 1]) continue; // several at one time
            if (before >= w->from && (!h->n || before > h->t[h->n - 1])) times[h->n++] = before;
            times[h->n++] = at;
        }
        if (!h->n || t > h->t[h->n - 1]) times[h->n++] = t;
    }
    return JD_OK;
}
