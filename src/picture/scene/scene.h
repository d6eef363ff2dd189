// scene.h -- what a picture shows: panels on a page, with series, spans, boxes, rules and notes.
//   Built by C code, drawn by one writer (gnuplot.c) in one house style. Lengths on the page are in
//   pixels of a 96-per-inch screen, counted from the upper left corner; everything inside a panel
//   is in the numbers of its axes. Arrays and texts must outlive the scene; NaN lifts the pen.
//   Memory is the arena's; lack of it is sticky there and reported by jd_scene_draw.
#ifndef JD_PICTURE_SCENE_H
#define JD_PICTURE_SCENE_H

#include "base/arena.h"

// Okabe and Ito's colours: told apart by every kind of colour vision, and in grey print by weight.
typedef enum jd_ink {
    JD_INK_BLUE,
    JD_INK_VERMILLION,
    JD_INK_GREEN,
    JD_INK_PURPLE,
    JD_INK_ORANGE,
    JD_INK_SKY,
    JD_INK_CYCLE, // series of a family take inks 0 .. JD_INK_CYCLE - 1 in turn
    JD_INK_BLACK = JD_INK_CYCLE,
    JD_INK_GREY,
    JD_INK_PALE, // shading behind data
    JD_INK_COUNT
} jd_ink;

typedef enum jd_stroke {
    JD_STROKE_LINE,
    JD_STROKE_DASHED, // limits; unstable parts
    JD_STROKE_DOTTED, // jumps
    JD_STROKE_DASH_DOT,
    JD_STROKE_LONG_DASH,
    JD_STROKE_DASH_DOT_DOT,
    JD_STROKE_DOTS,      // filled circles
    JD_STROKE_RINGS,     // circles filled with white: events
    JD_STROKE_SQUARES,   // with white in them, as the next two
    JD_STROKE_TRIANGLES, // these four tell kinds of points apart
    JD_STROKE_DIAMONDS,
    JD_STROKE_CROSSES,
    JD_STROKE_GEMS,  // filled diamonds: orbits that stand alone
    JD_STROKE_STEMS, // from zero to the value: impulses
    JD_STROKE_AREA   // filled between `low` and y
} jd_stroke;

typedef struct jd_series {
    const char *label; // in the legend; NULL: not there
    jd_stroke stroke;
    jd_ink ink;
    double size; // line width or circle diameter [px]; 0: the house's
    int n;
    const double *x, *y;
    const double *low; // areas only
    struct jd_series *next;
} jd_series;

// A rectangle behind the data. A NaN bound means the panel's edge.
typedef struct jd_box {
    const char *label; // in the legend, once
    double left, right, low, high;
    jd_ink ink;
    struct jd_box *next;
} jd_box;

// A text at a place.
typedef struct jd_note {
    double x, y;
    const char *text;
    jd_ink ink;
    struct jd_note *next;
} jd_note;

// A grid of values as colours, with a scale beside the panel. NaN and, on a log scale, what is not
// positive is left in the pale ink of the background.
typedef struct jd_heat {
    const char *label; // of the scale, above the panel in place of its title
    int n_x, n_y;
    const double *x, *y; // places of columns and rows, evenly spaced
    const double *value; // n_x x n_y, x fastest
    double low, high;    // of the scale
    bool log;            // colours by magnitude
    int above;           // the label stands so many lines higher: a legend as wide as the panel
    int n_step;          // > 0: that many plain colours instead of shades
    const char **step;   // names of the values low, low + 1, ...
} jd_heat;

typedef struct jd_axis {
    const char *label; // quantity and unit; NULL: none
    double low, high;  // equal (0, 0): taken from the data with a margin
    bool log, bare;    // bare: ticks without numbers
    int n_name;        // named places instead of numbers
    const char **name; // at 0, 1, ... n_name - 1
} jd_axis;

typedef struct jd_panel {
    double left, top, width, height; // the frame inside the tick labels [px]
    jd_axis x, y;
    const char *title; // above the frame, left; the legend stands right
    jd_series *series, *last_series;
    jd_box *box, *last_box;
    jd_note *note, *last_note;
    const jd_heat *heat; // under the series; NULL: none
    bool plain;          // no axes, ticks or grid: the series are a drawing
    jd_arena *arena;
    struct jd_panel *next;
} jd_panel;

typedef struct jd_scene {
    const char *title, *subtitle; // NULL: none
    double width, height;         // page [px]
    jd_panel *panel, *last_panel;
    jd_arena *arena;
} jd_scene;

// Stroke of the i-th curve of a family, mark of the i-th kind of point: in grey print colours alone
// do not tell them apart.
jd_stroke jd_stroke_of(int index);
jd_stroke jd_mark_of(int index);
// Is it one mark for each point?
bool jd_stroke_is_mark(jd_stroke stroke);
// Adders copy the struct. A NULL scene or panel is let pass: the arena remembers why.
jd_scene *jd_scene_create(jd_arena *arena, jd_scene def);
jd_panel *jd_scene_add(jd_scene *scene, jd_panel def);
void jd_panel_series(jd_panel *panel, jd_series series);
void jd_panel_box(jd_panel *panel, jd_box box);
void jd_panel_note(jd_panel *panel, jd_note note);
// A dashed line across the panel at y, with a legend entry if label.
void jd_panel_level(jd_panel *panel, double y, jd_ink ink, const char *label);

// A quantity's label and the factor to its handiest unit: "force [mN]", 1000. Models without units
// get the bare word and 1. `most` is the largest value to be shown.
typedef struct jd_scale {
    double factor;
    const char *label;
} jd_scale;
jd_scale jd_scale_of(jd_arena *arena, bool si, const char *word, const char *unit, double most);

// The scene without points that cannot be seen, in its arena; NULL: no memory.
jd_scene *jd_scene_thinned(const jd_scene *scene);
// Writes the numbers of a scene as a table: panel, axes, series, x, y, z (numbers.c).
jd_status jd_scene_csv(jd_context *context, const jd_scene *scene, const char *path);
// Draws the scene into a file whose suffix says how: .svg .png .pdf, or .csv for the plotted
// numbers. The file appears whole or not at all. JD_NO_GNUPLOT, JD_PICTURE_FAILED, JD_BAD_USAGE
// (suffix) or JD_CANNOT_WRITE.
jd_status jd_scene_draw(jd_context *context, const jd_scene *scene, const char *path);

#endif
