// overlay.c -- a curve of one's own over the first panel of a picture: measured points, a closed
// form, another program's result.
//   A CSV file of two columns, in the numbers and units of the panel's axes; # begins a comment,
//   one line of names may stand above, whose second name is that of the curve. An empty line lifts
//   the pen. More than DOTS points are a line, fewer are dots.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/scan.h"
#include "picture/scenes.h"

enum { LARGEST_FILE = 1 << 26, DOTS = 60 };

static bool is_header(const jd_scan *s) { return !strchr("+-.0123456789", *s->at); }

// The name of the second column; the file's own where it has none.
static const char *name_of(jd_arena *arena, const jd_scan *s) {
    const char *comma = memchr(s->at, ',', (size_t)(s->stop - s->at)), *to = s->stop;
    if (!comma) return NULL;
    for (comma++; comma < to && strchr(" \t\"", *comma);) comma++;
    while (to > comma && strchr(" \t\r\"", to[-1])) to--;
    return comma < to ? jd_arena_format(arena, "%.*s", (int)(to - comma), comma) : NULL;
}

static jd_status read_points(jd_scan *s, jd_arena *arena, jd_series *out) {
    int most = 0, last = 0;
    while (jd_scan_data(s)) most++;
    double *x = JD_TAKE(arena, double, 2 * most), *y = JD_TAKE(arena, double, 2 * most);
    JD_TRY(jd_arena_status(arena));
    jd_scan_again(s);
    for (bool first = true; jd_scan_data(s); first = false) {
        if (first && is_header(s)) {
            out->label = name_of(arena, s);
            continue;
        }
        if (out->n > 0 && s->line > last + 1) x[out->n] = y[out->n] = (double)NAN, out->n++;
        last = s->line;
        JD_TRY(jd_scan_real(s, "the first number", &x[out->n]));
        JD_TRY(jd_scan_real(s, "the second number", &y[out->n]));
        JD_TRY(jd_scan_line_end(s));
        out->n++;
    }
    out->x = x;
    out->y = y;
    return JD_OK;
}

jd_status jd_scene_overlay(jd_arena *arena, jd_scene *scene, const char *path) {
    jd_scan s;
    jd_series curve = {.ink = JD_INK_BLACK};
    JD_TRY(jd_scan_open(arena, path, LARGEST_FILE, JD_BROKEN_TABLE, &s));
    s.commas = true;
    JD_TRY(read_points(&s, arena, &curve));
    if (curve.n == 0) return jd_scan_fail(&s, JD_EMPTY_FILE, "`%s` holds no points", path);
    curve.stroke = curve.n > DOTS ? JD_STROKE_DASHED : JD_STROKE_DOTS;
    curve.size = curve.n > DOTS ? 1.4 : 5;
    if (!curve.label) curve.label = "overlay";
    if (scene) jd_panel_series(scene->panel, curve);
    return JD_OK;
}
