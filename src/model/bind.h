// bind.h -- from nodes to definition structs, driven by the parameter tables.
#ifndef JD_MODEL_BIND_H
#define JD_MODEL_BIND_H

#include "base/param_tools.h"
#include "judder/model.h"
#include "model/number.h"

typedef struct jd_binder {
    jd_arena *arena; // lives while the model is read; the problem copies what it keeps
    jd_context *context;
    jd_node *root;
    const char *folder;           // relative files start here; "" for the current one
    jd_units *units;              // opened at the first unit
    const jd_node *bare, *united; // first number without and with a unit, where one is possible
    int n_bare, n_united;
    const jd_node *followed; // the paths whose units the unit "*" stands for ...
    const jd_node *second;   // ... and that for keys `second_...`
    int n_array;
    const jd_model_array *array; // of the caller, which "@name" stands for
} jd_binder;

// A failure at a node, quoting nothing by itself; the hint may be NULL.
jd_status jd_bind_refuse(jd_binder *b, const jd_node *node, jd_status status, const char *hint,
                         const char *format, ...) JD_PRINTF(5, 6);
// "expected WHAT for `key`, found ..."
jd_status jd_bind_wrong_type(jd_binder *b, const jd_node *node, const char *key, const char *what);

// numbers.c: a number in SI (or the model's own units); `index` counts in lists, for "*".
jd_status jd_bind_number(jd_binder *b, const char *key, const char *unit, jd_node *node, int index,
                         double *out);
// The unit that `node`, a number of unit "*", is written in, of its own or that of the path
// followed, where that is another one of frequency than rad/s; *size: in rad/s. "": none.
jd_status jd_bind_shown_unit(jd_binder *b, const char *key, jd_node *node, int index,
                             const char **unit, double *size);
jd_status jd_bind_real(jd_binder *b, const jd_param *p, jd_node *node, double *out);
jd_status jd_bind_reals(jd_binder *b, const jd_param *p, jd_node *node, jd_reals *out);
jd_status jd_bind_whole(jd_binder *b, const jd_param *p, jd_node *node, int *out);
jd_status jd_bind_count(jd_binder *b, const jd_param *p, jd_node *node, int *out);
jd_status jd_bind_frequency(jd_binder *b, const jd_param *p, jd_node *node, jd_frequency *out);
jd_status jd_bind_duration(jd_binder *b, const jd_param *p, jd_node *node, jd_duration *out);
// Units all through, or nowhere.
jd_status jd_bind_check_units(jd_binder *b);

// words.c: texts, names, choices, files.
jd_status jd_bind_text(jd_binder *b, const char *key, const jd_node *node, const char **out);
// A text of one line: its control characters and line ends become blanks, those at its end go.
jd_status jd_bind_line(jd_binder *b, const char *key, const jd_node *node, const char **out);
jd_status jd_bind_texts(jd_binder *b, const char *key, const jd_node *node, jd_texts *out);
// Names with one formula each.
jd_status jd_bind_formulas(jd_binder *b, const char *key, const jd_node *node, jd_formulas *out);
// draws.c: paths with a distribution each, {contacts.tip.law.limit: {uniform: [0.2, 1]}}.
jd_status jd_bind_draws(jd_binder *b, const char *key, const jd_node *node, jd_draws *out);
jd_status jd_bind_file(jd_binder *b, const char *key, const jd_node *node, const char **out);
// A matrix: the path of a file, or "@name" of one in memory.
jd_status jd_bind_matrix(jd_binder *b, const char *key, const jd_node *node, jd_matrix *out);
// The numbers that "@name" stands for; *out is NULL where the node is anything else.
jd_status jd_bind_array(jd_binder *b, const jd_node *node, bool matrix, const jd_model_array **out);
jd_status jd_bind_choice(jd_binder *b, const jd_param *p, const jd_node *node, int *out);
jd_status jd_bind_boolean(jd_binder *b, const char *key, const jd_node *node, bool *out);
// A name given by the user: something, and no dot, as names are parts of paths.
jd_status jd_bind_check_name(jd_binder *b, const jd_node *node);

// places.c
jd_status jd_bind_points(jd_binder *b, const jd_param *p, jd_node *node, jd_points *out);
jd_status jd_bind_shapes(jd_binder *b, const jd_param *p, jd_node *node, jd_shapes *out);
jd_status jd_bind_place(jd_binder *b, const char *key, jd_node *node, jd_place *out);
jd_status jd_bind_counter(jd_binder *b, jd_node *node, jd_counter *out);

// objects.c
// Every key of the map is one of `known` (n of them); else an error with the nearest.
jd_status jd_bind_known_keys(jd_binder *b, const jd_node *map, const char *what, int n,
                             const char *const *known);
// A map of keys of one table; `typed` when it may also hold `type`.
jd_status jd_bind_group(jd_binder *b, const jd_type *type, bool typed, jd_node *node, void *def);
// A map with `type` (or a word that names the type) -> type and its definition in the arena.
jd_status jd_bind_object(jd_binder *b, const char *key, const jd_type *const *types,
                         const char *preset, jd_node *node, jd_object *out);

// engine_keys.c: refuses keys of `simulate` that belong to another engine than the one named.
jd_status jd_bind_engine_keys(jd_binder *b, const jd_node *simulate);

// sections.c: the whole file into the problem.
jd_status jd_bind_model(jd_binder *b, jd_problem *problem);

// Turns the path in the failure just recorded into a place of the file; `fallback` (may be NULL) is
// taken where there is no path.
jd_status jd_bind_locate(jd_binder *b, jd_status status, const jd_node *fallback);

// set.c: one `path=value` on the tree.
jd_status jd_tree_set(jd_arena *arena, jd_node *root, const char *option);

#endif
