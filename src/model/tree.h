// tree.h -- a YAML text as a tree of nodes, each knowing where it was written.
#ifndef JD_MODEL_TREE_H
#define JD_MODEL_TREE_H

#include "base/arena.h"
#include "judder/param.h"

typedef enum jd_node_kind { JD_NODE_SCALAR, JD_NODE_MAP, JD_NODE_LIST } jd_node_kind;

typedef struct jd_node jd_node;
struct jd_node {
    jd_node_kind kind;
    int line, column;         // of the value, from 1
    int key_line, key_column; // of the key, in maps
    bool quoted;              // a scalar in quotes: text, never a number
    const char *source;       // "beam.yaml", or "--set path=value"
    bool is_set;              // source is a --set: it has no line
    const char *key;          // in maps, else NULL
    const char *text;         // scalars, else NULL
    int n;                    // children of maps and lists
    jd_node *first, *last, *next;
    // Left by the binder, so that paths find units: what the node was read as.
    const jd_type *type; // maps: the table of its keys
    const char *wanted;  // numbers: the table's unit
    int chosen;          // which alternative of `wanted` the number carried; -1: none, bare
};

// Parses `size` bytes. `name` stands for the file in messages. *out lives in the arena.
// Refuses what a model never needs and what could be made to explode: anchors, aliases, tags,
// second documents, doubled keys, deep nesting, more than half a million nodes.
jd_status jd_tree_parse(jd_arena *arena, const char *name, const char *text, size_t size,
                        jd_node **out);
// The value of one --set; `source` is the whole option as typed.
jd_status jd_tree_parse_set(jd_arena *arena, const char *source, const char *text, jd_node **out);

// Reads a whole file of at most 16 MiB into the arena, ended by a NUL that is not counted.
jd_status jd_tree_read_file(jd_arena *arena, const char *file, char **text, size_t *size);

// The tree as YAML text: `room` bytes at `out`, always ended; *length is the length it would have
// had.
jd_status jd_tree_write(jd_context *context, const jd_node *root, size_t room, char *out,
                        size_t *length);

jd_node *jd_node_get(const jd_node *map, const char *key); // NULL: not there, or no map
void jd_node_append(jd_node *parent, jd_node *child);
jd_node *jd_node_item(const jd_node *parent, int i);
// The node at a path such as `contacts.tip.law.limit`, or the deepest one on the way; *rest is
// what of the path is left, "" when the node was found.
jd_node *jd_node_at(jd_node *root, const char *path, const char **rest);

// Adds the node's place ("file:line:column") to the failure just recorded.
void jd_fail_at(jd_context *context, const jd_node *node);
void jd_fail_at_key(jd_context *context, const jd_node *node);
const char *jd_node_place(jd_arena *arena, const jd_node *node);

// Text fit for a message: in backticks, shortened, control characters and broken UTF-8 masked.
const char *jd_quote(jd_arena *arena, const char *text);
// What a node is, for messages: "the text `abc`", "a list of 3", "a map with `a`, `b`".
const char *jd_node_words(jd_arena *arena, const jd_node *node);

#endif
