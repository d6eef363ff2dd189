// of_file.h -- pictures of result files, from the documents they hold (result/document.h): what the
// scenes are made of, rebuilt. What a file lacks is JD_BAD_RESULT_FILE, by name.
#ifndef JD_PICTURE_OF_FILE_H
#define JD_PICTURE_OF_FILE_H

#include <jansson.h>

#include "picture/history.h"
#include "picture/scenes.h"

// The arrays of a run or an orbit read back; NaN: no bound of the window.
jd_status jd_history_of_file(jd_arena *arena, const json_t *document, double from, double to,
                             jd_history *out);
// Motion along a body; points along its contact. JD_BAD_USAGE with a hint where none is kept.
bool jd_file_has_field(const json_t *document);
jd_status jd_field_of_file(jd_arena *arena, const json_t *document, const jd_picture_def *def,
                           jd_field_view *out);
jd_status jd_slip_of_file(jd_arena *arena, const json_t *document, const jd_picture_def *def,
                          jd_history *history);
jd_status jd_multipliers_of_file(jd_arena *arena, const json_t *document, jd_multipliers *out);
jd_status jd_sweep_of_file(jd_arena *arena, const json_t *document, jd_sweep_view *out);
jd_status jd_follow_of_file(jd_arena *arena, const json_t *document, jd_follow_view *out);
jd_status jd_kernel_of_file(jd_arena *arena, const json_t *document, jd_kernel_view *out);
// n studies, each with its points.
jd_status jd_converge_of_file(jd_arena *arena, const json_t *document, int *n,
                              jd_converge_def **def, jd_converge_point ***point);
jd_status jd_modes_of_file(jd_arena *arena, const json_t *document, jd_modes_view *out);
jd_status jd_nsm_orbits_of_file(jd_arena *arena, const json_t *document, jd_nsm_orbits *out);
jd_status jd_attractors_of_file(jd_arena *arena, const json_t *document, jd_attractor_list *out);
jd_status jd_nsm_of_file(jd_arena *arena, const json_t *document, jd_nsm_lines *out);

// What is drawn of a document read back, whatever kind of result it is; `name` of the file, for
// messages.
jd_status jd_scene_of_file(jd_arena *arena, const json_t *document, const char *name,
                           const jd_picture_def *def, jd_scene **out);
// The picture of a document in memory, as of the file it would become.
jd_status jd_picture_document(jd_context *context, const json_t *document,
                              const jd_picture_def *def, const char *path);

// Reading: numbers of a list, nested ones in the order they are written; true is 1, what is no
// number NaN. *n < 0: as many as there are, which it then tells; else just so many must be there.
jd_status jd_read_reals(jd_arena *arena, const json_t *object, const char *key, int *n,
                        double **out);
// Member number i of a list that the file keeps as a group; NULL: not there.
const json_t *jd_read_member(const json_t *list, int i);
double jd_read_real(const json_t *object, const char *key); // NaN: not there
// A whole number that was kept as a double: cut to what an int holds, 0 for NaN.
int jd_read_whole(double value);
// a times b, the size of a table; JD_BAD_RESULT_FILE when no file can hold so many.
jd_status jd_read_size(jd_arena *arena, int a, int b, int *out);
const char *jd_read_text(const json_t *object, const char *key);
// Text i of a list; "" when it is not there.
const char *jd_read_word(const json_t *object, const char *key, int i);

#endif
