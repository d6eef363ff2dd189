// numbers.c -- the numbers of a scene as a table: one line per point, a series after the other.
//   panel, x_axis, y_axis: which panel (from 1) and what its axes say, with units
//   series: as in the legend; x, y: empty where the pen is lifted
//   z: value of a cell of a map, lower edge of an area, else empty
#include <math.h>

#include "picture/scene/scene.h"
#include "result/file/document.h"
#include "result/file/file.h"

typedef struct writer {
    FILE *stream;
    int panel;
    const jd_panel *p;
} writer;

static void number(FILE *stream, double value) {
    char text[40];
    if (isnan(value)) return;
    snprintf(text, sizeof text, "%.17g", value);
    for (char *c = text; *c; c++) // whatever the program's locale says
        putc(*c == ',' ? '.' : *c, stream);
}

static void row(const writer *w, const char *series, double x, double y, double z) {
    FILE *f = w->stream;
    fprintf(f, "%d,", w->panel);
    jd_csv_text(w->p->x.label ? w->p->x.label : "", f);
    putc(',', f);
    jd_csv_text(w->p->y.label ? w->p->y.label : "", f);
    putc(',', f);
    jd_csv_text(series ? series : "", f);
    putc(',', f);
    number(f, x);
    putc(',', f);
    number(f, y);
    putc(',', f);
    number(f, z);
    fputs("\n", f);
}

static void heat(const writer *w, const jd_heat *h) {
    for (int j = 0; j < h->n_y; j++)
        for (int i = 0; i < h->n_x; i++)
            row(w, h->label, h->x[i], h->y[j], h->value[j * h->n_x + i]);
}

static void series(const writer *w, const jd_series *s) {
    bool area = s->stroke == JD_STROKE_AREA;
    for (int i = 0; i < s->n; i++) {
        bool drawn = !isnan(s->x[i]) && !isnan(s->y[i]);
        row(w, s->label, drawn ? s->x[i] : (double)NAN, drawn ? s->y[i] : (double)NAN,
            area ? s->low[i] : (double)NAN);
    }
}

jd_status jd_scene_csv(jd_context *context, const jd_scene *scene, const char *path) {
    jd_file file;
    JD_TRY(jd_file_open(context, path, &file));
    writer w = {.stream = file.stream};
    fputs("panel,x_axis,y_axis,series,x,y,z\n", w.stream);
    for (const jd_panel *p = scene->panel; p; p = p->next) {
        w.panel++;
        w.p = p;
        if (p->heat) heat(&w, p->heat);
        for (const jd_series *s = p->series; s; s = s->next) series(&w, s);
    }
    return jd_file_commit(&file);
}
