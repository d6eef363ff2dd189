// cube.h -- three axes as a cube on the page.
#ifndef JD_PICTURE_CUBE_H
#define JD_PICTURE_CUBE_H

#include "picture/scenes.h"

typedef struct jd_cube {
    jd_arena *arena;
    jd_panel *panel;
    const char *name[3];    // of the axes: two on the ground, the last upwards
    double low[3], high[3]; // what they show
} jd_cube;

// The panel for a cube, and the size of a page that holds nothing else.
jd_panel *jd_cube_panel(jd_scene *scene);
// Lets axis k show n values.
void jd_cube_range(jd_cube *cube, int k, int n, const double *value);
// Where a point is on the panel.
void jd_cube_project(const jd_cube *cube, const double in[3], double *x, double *y);
// The edges: three with ticks and names, the rest pale.
void jd_cube_frame(const jd_cube *cube);

#endif
