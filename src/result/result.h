// result.h -- inside a result: its head, its content and the tables that describe both.
#ifndef JD_RESULT_RESULT_H
#define JD_RESULT_RESULT_H

#include "judder/result.h"
#include "result/table/field.h"

// What there is for each kind of result.
typedef struct jd_result_class {
    const jd_record *record;                 // of the content
    json_t *(*rows)(const json_t *document); // the rows of CSV; NULL: there are none
} jd_result_class;

struct jd_result {
    jd_arena *arena;
    jd_result_head head;
    void *content; // a struct of the kind's record
    int n_array;   // -1: not listed yet
    jd_array *array;
};

// Tables of the contents, and the rows of their CSV.
extern const jd_record jd_record_run, jd_record_orbit, jd_record_attractors, jd_record_follow,
    jd_record_sweep, jd_record_convergence, jd_record_batch, jd_record_fit, jd_record_backbone,
    jd_record_kernel, jd_record_modes, jd_record_nsm, jd_record_nsm_orbits;
json_t *jd_rows_follow(const json_t *document);
json_t *jd_rows_sweep(const json_t *document);
json_t *jd_rows_convergence(const json_t *document);
json_t *jd_rows_batch(const json_t *document);
json_t *jd_rows_fit(const json_t *document);
json_t *jd_rows_backbone(const json_t *document);
json_t *jd_rows_kernel(const json_t *document);
json_t *jd_rows_modes(const json_t *document);
json_t *jd_rows_nsm(const json_t *document);
json_t *jd_rows_nsm_orbits(const json_t *document);
json_t *jd_rows_samples(const json_t *document);
// Parts that several kinds have.
extern const jd_record jd_record_gradient;
extern const jd_record jd_record_counts, jd_record_contact_counts, jd_record_contacts,
    jd_record_stuck, jd_record_friction, jd_record_impacts, jd_record_belts, jd_record_wear,
    jd_record_named_real, jd_record_named_reals, jd_record_shown;

// An empty result of the problem; its content is zeroed.
jd_status jd_result_create(jd_context *context, const jd_problem *problem, jd_result_kind kind,
                           jd_result **out);
// JD_OK, or frees the result and sets *out to NULL: how every maker ends.
jd_status jd_result_end(jd_status status, jd_result **out);
// Notes the unit of a number of the model that was varied.
jd_status jd_result_note_unit(jd_result *result, const jd_problem *problem, const char *path);
// The same with the unit that results give it in, of this size in SI units.
jd_status jd_result_show_unit(jd_result *result, const jd_problem *problem, const char *path,
                              double *size);
void jd_result_set_command(jd_result *result, const char *command);

// One JSON object of it; NULL: no memory, which is in the context.
json_t *jd_result_document(const jd_result *result, jd_face face);
// The result of a document, or of the tree that a file gives. `name` of the file, for messages.
jd_status jd_result_of_document(jd_context *context, const json_t *document, jd_result **out);
// Into an HDF5 file, whatever its name.
jd_status jd_result_write_hdf5(jd_context *context, const jd_result *result, const char *path);
// Rows of its CSV: an array of flat objects.
json_t *jd_result_rows(const jd_result *result);

// Adds a text to the warnings of a result of modes.
void jd_result_warn(jd_result *result, const char *text);
// Digits of a value with this relative error bound that are right: 0 .. 16.
int jd_digits(double error);
// What is known of the contacts of a problem: names, laws, limits; ranges may be NULL.
jd_status jd_contacts_of(jd_arena *arena, const jd_problem *problem, const jd_contact_ranges *range,
                         const jd_contact_result **contact, const char *const **name);
// Events read back count contacts by their names: now by their places in `contact`.
jd_status jd_events_align(jd_arena *arena, int n_contact, const jd_contact_result *contact,
                          int *n_name, const char *const **name, int n_event, jd_event *event);

#endif
