// parts.h -- the inside of a problem, shared by the files of this folder.
//   Definitions live in `arena` until the problem ends, so pointers to parts stay valid. What is
//   computed from them lives in `built` and is thrown away as a whole.
#ifndef JD_PROBLEM_PARTS_H
#define JD_PROBLEM_PARTS_H

#include "base/param_tools.h"
#include "problem/system.h"

extern const jd_type jd_start_rest, jd_start_static, jd_start_state, jd_start_lift,
    jd_start_restart, jd_start_nsm, jd_start_values, jd_start_shape;

typedef struct jd_part {
    jd_object object;
    jd_structure *structure; // bodies, once built
    bool stale;              // bodies: a definition changed since
    bool fresh;              // bodies: built just now, by this problem alone
    double omega;            // drives: angular frequency resolved [rad/s]; 0: none
} jd_part;

typedef struct jd_parts {
    int n, room;
    jd_part **part;
} jd_parts;

// Unit in which results give the number at a path.
typedef struct jd_shown_unit {
    const char *path, *unit;
    double size; // in SI units
    struct jd_shown_unit *next;
} jd_shown_unit;

struct jd_problem {
    jd_context *context;
    jd_arena *arena; // definitions
    const char *title, *text;
    size_t text_size;
    bool si;
    jd_shown_unit *shown; // NULL: all in SI
    jd_parts bodies, contacts, drives, connections;
    jd_part start;
    bool start_given; // else at rest, or where a contact is preloaded in equilibrium ...
    bool preloaded;   // ... which a build finds out
    void *section[JD_SECTION_COUNT];
    bool given[JD_SECTION_COUNT];
    jd_arena *built; // system; NULL: rows and frequencies have to be made
    jd_system system;
    double pump;          // [1/s] taken off the damping of every mode
    bool current;         // nothing changed since the last build
    jd_arena *path_arena; // NULL: the list of paths has to be made
    const char **path;
    int n_path;
};

// The part of that name, or NULL. A body named "" is the one of the section `structure`.
jd_part *jd_parts_find(const jd_parts *parts, const char *name);
// Forgets what was derived from the definitions: the list of paths, and rows and frequencies.
void jd_problem_forget_paths(jd_problem *problem);
void jd_problem_forget_rows(jd_problem *problem);
// Where a body stands in the model file: "structure" or "bodies.NAME".
void jd_body_path(const jd_part *body, char *path, size_t size);
// Body number and point number of a point; messages name known bodies and points.
jd_status jd_problem_find_point(const jd_problem *problem, const char *body, const char *point,
                                int *body_index, int *point_index);
jd_status jd_problem_find_body(const jd_problem *problem, const char *name, int *body);
// A span lies on its body, which must be one that can touch along a length.
jd_status jd_problem_check_place(const jd_problem *problem, const jd_place *place);
jd_status jd_problem_check_span(const jd_problem *problem, const jd_contact_def *contact);
// Sizes and names of the start; after rows.
jd_status jd_problem_check_start(const jd_problem *problem);
// Adds `sign` times the row of a point to `row`; body NULL: the point's name says which.
jd_status jd_problem_add_place(jd_problem *problem, const char *body, const char *point,
                               double sign, jd_dd *row);
// Adds `sign` times a row over the modes of one body.
void jd_problem_add_row(const jd_problem *problem, int body, const jd_dd *from, double sign,
                        jd_dd *row);
// Whether a place is the rotation of a beam: forces there are moments.
bool jd_problem_turns(const jd_problem *problem, const jd_place *place);
// A direction over points of one body, of length 1 (direction.c).
enum { JD_MOST_COMPONENTS = 6 };
typedef struct jd_direction {
    int n, body;
    bool turns; // rotations
    int point[JD_MOST_COMPONENTS];
    double weight[JD_MOST_COMPONENTS];
} jd_direction;
// Of a point's name, or of a text "0.6 tip_x + 0.8 tip_y".
jd_status jd_problem_find_direction(const jd_problem *problem, const char *body, const char *text,
                                    jd_direction *out);
// A row as good as zero beside the largest participation of the bodies' points.
bool jd_problem_row_is_zero(const jd_problem *problem, const jd_dd *row);
// Puts the bodies' modal forms together; memory from problem->built.
jd_status jd_system_join(jd_problem *problem);

// Bodies of the same name and type have the structures that `from` has built.
void jd_problem_share_structures(const jd_problem *from, jd_problem *to);

// Kept for result files: text of the model the problem was read from.
jd_status jd_problem_set_text(jd_problem *problem, const char *text, size_t size);
const char *jd_problem_text(const jd_problem *problem); // "" when there is none
// Of a problem that has been built: a checksum of all of it, and of the version.
uint64_t jd_problem_identity(const jd_problem *problem);

#endif
