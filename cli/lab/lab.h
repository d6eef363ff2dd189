// lab.h -- the parts of `judder lab`: a server, sessions (one per open page), lanes (a thread that
// computes one request at a time), and what answers each request.
#ifndef JD_LAB_LAB_H
#define JD_LAB_LAB_H

#include <stdatomic.h>
#include <threads.h>

#include "command.h"
#include "lab/guard.h"
#include "result/mesh/geometry.h"

enum {
    LAB_PAGES = 40,              // open at a time; each holds a thread of the server
    LAB_THREADS = LAB_PAGES + 8, // of the server: the rest are for files of the page
    LAB_LONGEST = 4 << 20,       // bytes of a message from a page
    LAB_PATH = 300
};

// What the command line says; constant while the server runs.
typedef struct lab_setup {
    char token[GUARD_TOKEN + 1];
    const char *page;     // folder of the built page
    const char *gallery;  // folder of the gallery; NULL: not installed
    const char *model;    // file; NULL: the page begins with the gallery
    option_list set;      // changes of the model
    atomic_int sessions;  // pages that are open
    char files[LAB_PATH]; // folder of the files beside templates; "": none was opened yet
} lab_setup;

// A model text as a page has it. Counted, so that a computation keeps the one it began with.
typedef struct lab_model {
    atomic_int uses;
    char *name, *folder, *text; // stands for the file in messages; where relative paths start
    size_t size;
} lab_model;
lab_model *lab_model_create(const char *name, const char *folder, const char *text, size_t size);
lab_model *lab_model_share(lab_model *model);
void lab_model_release(lab_model *model); // NULL is allowed

typedef struct session session;
typedef struct lane lane;

// One request under way: what was asked, and where to compute it.
typedef struct request {
    session *session;
    lane *lane;
    jd_context *context;
    jd_arena *arena;
    json_t *body;
    lab_model *model; // NULL: none is open
    double id;        // number the page gave it; the answer carries it
    double used;      // processor_seconds when it began
} request;

// A kind of request.
typedef struct request_kind {
    const char *name;
    int lane; // 0: at once, while a knob is turned; 1: long work
    jd_status (*answer)(request *r);
} request_kind;
extern const request_kind request_kinds[]; // ends with name == NULL
enum { REQUEST_KINDS = 16, LANES = 2 };

// ---- session.c: an open page.
typedef struct mg_connection lab_connection;
session *session_create(lab_setup *lab, lab_connection *connection);
void session_free(session *s); // ends its work first
// A message of the page. False: the connection is to be closed.
bool session_take(session *s, const char *text, size_t size);
// To the page; false where it is gone. Any thread.
bool session_send(session *s, bool binary, const char *data, size_t size);
lab_setup *session_lab(session *s);
lab_model *session_model(session *s); // shared for the caller, NULL: none
void session_put_model(session *s, lab_model *model);

// ---- lane.c: a thread with one waiting request of each kind: the latest wins.
lane *lane_create(session *s, double patience);
void lane_free(lane *l);
void lane_put(lane *l, int kind, json_t *body); // takes the body
void lane_cancel(lane *l);                      // what is under way and what waits
// The request under way was overtaken or cancelled: its answer is not wanted.
bool lane_left(lane *l);

struct lab_kept *lane_kept(lane *l);

// ---- kept.c: what a lane keeps from one change to the next.
typedef struct lab_kept lab_kept;
lab_kept *kept_create(jd_context *context);
void kept_free(lab_kept *kept); // NULL is allowed
// A problem whose structures a model with these changes has, too; NULL: there is none, and what was
// kept is forgotten.
const jd_problem *kept_problem(lab_kept *kept, lab_model *model, int n, const char *const *change);
// The problem that was made instead.
void kept_take(lab_kept *kept, const jd_problem *problem);
// The problem of the request, built, with the first of infinitely many modes, for the caller to
// free; NULL: it has no others, or they are not known.
jd_problem *kept_finite(lab_kept *kept, const request *r, const jd_problem *problem);
// Points and shapes of the problem of the request under way; NULL: they are not known.
jd_geometry *kept_geometry(lab_kept *kept, const jd_problem *problem);

// ---- message.c: answers. A frame is the length of its head (4 bytes, little endian), the head as
// JSON, zeros up to a multiple of 8 bytes, and the arrays that the head lists.
typedef struct frame frame;
frame *frame_create(request *r, const char *kind);
json_t *frame_head(frame *f);
void frame_reals(frame *f, const char *name, int n, const double *value);   // as 8 bytes each
void frame_singles(frame *f, const char *name, int n, const double *value); // as 4 bytes each
void frame_integers(frame *f, const char *name, int n, const int32_t *value);
void frame_bytes(frame *f, const char *name, size_t n, const void *value);
void frame_send(frame *f);
void send_json(request *r, const char *kind, json_t *body); // takes the body; adds kind and id
void send_failure(request *r);                              // the failure in the context
void send_refusal(session *s, double id, const char *message);
json_t *json_finite(double value); // null where it is not
double wall_seconds(void);
double processor_seconds(void); // of this thread

// ---- model.c: the model of a request, with the changes it asks for.
jd_status request_problem(request *r, bool to_run, jd_problem **out);
// Its changes as texts "path=value" in the arena.
jd_status request_changes(request *r, int *n, const char *const **out);
double request_real(const request *r, const char *key, double otherwise);
const char *request_text(const request *r, const char *key); // NULL: not there
jd_status answer_open(request *r);
jd_status answer_model(request *r);

json_t *knobs_of(request *r, jd_problem *problem); // knobs.c
jd_status answer_motion(request *r);               // motion.c
jd_status answer_orbit(request *r);
// The orbit that is shown: settled to, or from the state of a branch that the request holds.
jd_status request_orbit(request *r, jd_problem *problem, jd_orbit **out);
// ---- shape.c: the moving structure, looked at while the curves are computed.
typedef struct lab_shape lab_shape;
lab_shape *shape_create(request *r, jd_problem *problem); // in the request's arena; NULL: no memory
void shape_visit(void *shape, jd_run *run, const jd_history *history, int sample);
void shape_add(frame *f, const lab_shape *shape);       // NULL is allowed
void shape_free(lab_shape *shape);                      // NULL is allowed
const jd_problem *shape_finite(const lab_shape *shape); // that the run follows; NULL: none

// ---- cells.c: states of contacts along spans in the frames of the shape.
typedef struct lab_points {
    const jd_problem *problem;
    const jd_geometry *geometry; // NULL: nodes of grids
    const double *at;            // n x 3 [m]
    const int *first;            // bodies + 1: where the points of each begin
    int stride;                  // of the geometry's points one in so many is shown
} lab_points;
typedef struct lab_cells lab_cells;
// With the run at its first frame; NULL: no memory.
lab_cells *cells_create(jd_arena *arena, const lab_points *points, jd_run *run, int frames);
void cells_take(lab_cells *cells, jd_run *run); // one frame; NULL is allowed
void cells_add(frame *f, const lab_cells *cells);

jd_status answer_sweep(request *r);                                    // long_view.c
jd_status answer_follow(request *r);                                   // long_view.c
jd_status answer_yaml(request *r);                                     // rewrite.c
jd_status answer_download(request *r);                                 // download.c
jd_status answer_sound(request *r);                                    // download.c
json_t *catalog_of(const lab_setup *lab);                              // catalog.c
jd_status catalog_open(request *r, const char *what, lab_model **out); // catalog.c
void catalog_end(lab_setup *lab);                                      // removes what it wrote
// A folder that only this user may enter.
jd_status make_folder(request *r, char *folder, size_t size); // download.c

// ---- server.c
jd_status server_start(call *c, lab_setup *lab, int port, void **server, int *port_used);
void server_stop(void *server);
// page.c: a file of the page, or of the gallery, as an answer; returns the HTTP status sent.
int page_send(lab_connection *connection, const lab_setup *lab, const char *name);
int page_refuse(lab_connection *connection, int status, const char *why);

#endif
