// tables.c -- what a run keeps beside its samples: energies at their times, and fields along bodies
// and contacts.
#include "result/run/run.h"

static jd_status new_head(jd_arena *arena, int room, const char ***name, int **width) {
    *name = JD_TAKE(arena, const char *, room);
    *width = JD_TAKE(arena, int, room);
    return jd_arena_status(arena);
}

jd_status jd_energies_head(jd_recording *f, jd_columns *head) {
    const char **name;
    int *width, n = 0;
    jd_energies e;
    JD_TRY(new_head(f->arena, JD_ENERGY_COUNT + 2, &name, &width));
    jd_run_energies(f->run, f->problem, &e);
    name[n++] = "t";
    for (int i = 0; e.known && i < JD_ENERGY_COUNT; i++) name[n++] = jd_energy_name(i);
    if (e.horizon) name[n++] = "log_growth";
    *head = (jd_columns){.n_column = n > 1 ? n : 0, .name = name, .width = width};
    return JD_OK;
}

void jd_energies_row(jd_recording *f, double t, double *row) {
    jd_energies e;
    int n = 0;
    jd_run_energies(f->run, f->problem, &e);
    row[n++] = t;
    for (int i = 0; e.known && i < JD_ENERGY_COUNT; i++) row[n++] = e.value[i];
    if (e.horizon) row[n++] = e.log_growth;
}

static jd_status no_field(const jd_recording *r) {
    jd_fail(r->context, JD_NOT_SUPPORTED, "the engine of this run has no fields along bodies");
    jd_fail_where(r->context, "output.field");
    return JD_NOT_SUPPORTED;
}

jd_status jd_field_head(jd_recording *r, jd_columns *head) {
    static const char *const what[] = {"velocity", "state", "force"};
    int bodies = jd_problem_bodies(r->problem), contacts = jd_problem_contacts(r->problem), n = 0;
    const char **name;
    int *width;
    JD_TRY(new_head(r->arena, 1 + bodies + 3 * contacts, &name, &width));
    name[n++] = "t";
    for (int b = 0; b < bodies; b++) {
        jd_body_field field;
        const char *body = jd_problem_body(r->problem, b)->name;
        if (!jd_run_body(r->run, b, &field)) continue;
        width[n] = field.n;
        name[n++] = jd_arena_format(r->arena, "%s.u", body[0] ? body : "structure");
    }
    for (int j = 0; j < 3 * contacts; j++) {
        jd_interface_field field;
        const char *contact = jd_problem_contact(r->problem, j / 3)->name;
        if (!jd_run_interface(r->run, j / 3, &field)) continue;
        width[n] = field.n;
        name[n++] = jd_arena_format(r->arena, "%s.%s", contact, what[j % 3]);
    }
    JD_TRY(jd_arena_status(r->arena));
    *head = (jd_columns){.n_column = n, .name = name, .width = width};
    return n > 1 ? JD_OK : no_field(r);
}

void jd_field_row(jd_recording *r, const double *t, const double **cell) {
    jd_body_field body;
    jd_interface_field contact;
    int n = 0;
    cell[n++] = t;
    for (int b = 0; b < jd_problem_bodies(r->problem); b++)
        if (jd_run_body(r->run, b, &body)) cell[n++] = body.displacement;
    for (int j = 0; j < jd_problem_contacts(r->problem); j++) {
        if (!jd_run_interface(r->run, j, &contact)) continue;
        cell[n++] = contact.velocity;
        cell[n++] = contact.state;
        cell[n++] = contact.force;
    }
}
