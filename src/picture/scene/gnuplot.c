// gnuplot.c -- scenes into gnuplot's language; the house style is here and nowhere else.
//   Nothing of a model is ever gnuplot code: texts go through jd_gnuplot_text and `noenhanced`,
//   numbers into data files with fixed names or through `number`.
#include "picture/scene/gnuplot.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { PATH_SIZE = 4096, FONT_PX = 12 };

static const char *const ink_rgb[JD_INK_COUNT] = {
    [JD_INK_BLUE] = "#0072b2",   [JD_INK_VERMILLION] = "#d55e00", [JD_INK_GREEN] = "#009e73",
    [JD_INK_PURPLE] = "#cc79a7", [JD_INK_ORANGE] = "#e69f00",     [JD_INK_SKY] = "#56b4e9",
    [JD_INK_BLACK] = "#1a1a1a",  [JD_INK_GREY] = "#8c8c8c",       [JD_INK_PALE] = "#e4e4e4"};

typedef struct writer {
    FILE *script;
    const char *folder;
    const jd_scene *scene;
    double low[2], high[2]; // ranges of the present panel's axes
    int n_file;             // data files so far
    int error;              // errno of the first failure
} writer;

static void text(writer *w, const char *before, const char *value, const char *after) {
    fputs(before, w->script);
    jd_gnuplot_text(w->script, value ? value : "");
    fputs(after, w->script);
}

static void real(writer *w, const char *before, double value, const char *after) {
    fputs(before, w->script);
    jd_gnuplot_number(w->script, value);
    fputs(after, w->script);
}

// PNG is drawn at twice the size, for screens with fine pixels and for print.
static void terminal(writer *w, jd_picture_form form) {
    const jd_scene *s = w->scene;
    static const char *const head[] = {
        [JD_FORM_SVG] = "set terminal svg noenhanced background '#ffffff' linewidth 1 font "
                        "'Helvetica,Arial,sans-serif,12' size ",
        [JD_FORM_PNG] = "set terminal pngcairo noenhanced background '#ffffff' linewidth 2 "
                        "pointscale 2 font 'sans,17' size ",
        [JD_FORM_PDF] = "set terminal pdfcairo noenhanced background '#ffffff' linewidth 1 "
                        "pointscale 0.75 font 'sans,9' size "};
    double k = form == JD_FORM_PNG ? 2 : form == JD_FORM_PDF ? 1 / 96.0 : 1;
    real(w, head[form], k * s->width, form == JD_FORM_PDF ? "in," : ",");
    real(w, "", k * s->height, form == JD_FORM_PDF ? "in\n" : "\n");
}

static void style(writer *w) {
    fputs("set encoding utf8\n"
          "set output '" JD_GNUPLOT_PICTURE "'\n"
          "set style fill solid noborder\n"
          "set minussign\n"
          "set multiplot\n",
          w->script);
}

static void lines(writer *w, const jd_panel *p) {
    fputs(p->plain ? "unset border\nunset tics\nunset grid\n"
                   : "set border 3 lw 0.75 lc rgb '#4d4d4d'\n"
                     "set tics out nomirror scale 0.5 textcolor rgb '#1a1a1a'\n"
                     "set grid lt 1 lw 0.5 lc rgb '#dadada'\n",
          w->script);
}

// Position of a length from the left, or from the top, as a fraction of the page from the bottom.
static double across(const writer *w, double x) { return x / w->scene->width; }
static double up(const writer *w, double y) { return 1 - y / w->scene->height; }

static void page_text(writer *w, int tag, const char *value, double y, const char *font) {
    if (!value || !value[0]) return;
    fprintf(w->script, "set label %d ", tag);
    text(w, "", value, " noenhanced at screen ");
    jd_gnuplot_number(w->script, across(w, 20));
    real(w, ", screen ", up(w, y), " left ");
    fprintf(w->script, "%s\n", font);
}

static void page_title(writer *w, jd_picture_form form) {
    static const char *const large[] = {
        [JD_FORM_SVG] = "font ',15'", [JD_FORM_PNG] = "font ',22'", [JD_FORM_PDF] = "font ',11'"};
    page_text(w, 1, w->scene->title, 24, large[form]);
    page_text(w, 2, w->scene->subtitle, 46, "textcolor rgb '#4d4d4d'");
}

static void widen(writer *w, int axis, double value) {
    if (!isfinite(value)) return;
    w->low[axis] = fmin(w->low[axis], value);
    w->high[axis] = fmax(w->high[axis], value);
}

// Where cell i of n begins, and cell i - 1 ends: half-way between their places, on a log axis by
// factors.
static double cell_edge(const double *at, int n, int i, bool log) {
    double first = at[0], last = at[n - 1];
    if (log) {
        double factor = n > 1 ? pow(last / first, 1.0 / (n - 1)) : 2;
        return first * pow(factor, i - 0.5);
    }
    double step = n > 1 ? (last - first) / (n - 1) : fmax(fabs(first), 2e-300);
    return first + (i - 0.5) * step;
}

// The range of an axis: as given, or that of the data with a margin.
static void range(writer *w, const jd_panel *p, int axis) {
    const jd_axis *a = axis ? &p->y : &p->x;
    w->low[axis] = HUGE_VAL;
    w->high[axis] = -HUGE_VAL;
    if (a->low != a->high) {
        w->low[axis] = a->low;
        w->high[axis] = a->high;
        return;
    }
    for (const jd_series *s = p->series; s; s = s->next) {
        for (int i = 0; i < s->n; i++) widen(w, axis, axis ? s->y[i] : s->x[i]);
        bool from_zero = s->stroke == JD_STROKE_STEMS || s->stroke == JD_STROKE_AREA;
        if (axis && from_zero) widen(w, axis, 0);
    }
    for (const jd_box *b = p->box; b; b = b->next) {
        widen(w, axis, axis ? b->low : b->left);
        widen(w, axis, axis ? b->high : b->right);
    }
    if (!(w->low[axis] <= w->high[axis])) w->low[axis] = 0, w->high[axis] = 1;
    if (p->heat) { // cells reach half their width beyond their places
        const double *at = axis ? p->heat->y : p->heat->x;
        int n = axis ? p->heat->n_y : p->heat->n_x;
        double first = cell_edge(at, n, 0, a->log), last = cell_edge(at, n, n, a->log);
        w->low[axis] = fmin(first, last);
        w->high[axis] = fmax(first, last);
        return;
    }
    double wide = w->high[axis] - w->low[axis],
           size = fmax(fabs(w->low[axis]), fabs(w->high[axis]));
    if (a->log && w->low[axis] > 0) {
        w->low[axis] /= 1.3;
        w->high[axis] *= 1.3;
        return;
    }
    bool floor = axis && w->low[axis] == 0 && p->series && p->series->stroke == JD_STROKE_AREA;
    double margin = wide > 1e-9 * size ? 0.08 * wide : size > 0 ? 0.5 * size : 1;
    w->low[axis] -= floor ? 0 : margin; // areas stand on the axis
    w->high[axis] += margin;
}

static void ticks(writer *w, const jd_panel *p, const jd_axis *a, char name, double step) {
    if (p->plain) return;
    if (a->n_name == 0) {
        int i = name == 'y';
        if (a->log) {
            jd_gnuplot_log_ticks(w->script, name, w->low[i], w->high[i], step);
            return;
        }
        fprintf(w->script, "set %ctics ", name);
        real(w, "autofreq ", step, "\n");
        return;
    }
    fprintf(w->script, "set %ctics (", name);
    for (int k = 0; k < a->n_name; k++) {
        text(w, k ? ", " : "", a->bare ? "" : a->name[k], " ");
        fprintf(w->script, "%d", k);
    }
    fputs(") noenhanced\n", w->script);
}

static void axis(writer *w, const jd_panel *p, char name, int i) {
    const jd_axis *a = i ? &p->y : &p->x;
    double wide = fabs(w->high[i] - w->low[i]); // an axis may run downwards
    fprintf(w->script, "%s logscale %c\nset %crange [", a->log ? "set" : "unset", name, name);
    jd_gnuplot_number(w->script, w->low[i]);
    real(w, ":", w->high[i], "]\n");
    fprintf(w->script, "set format %c '%s'\n", name, a->bare ? "" : "%g");
    ticks(w, p, a, name,
          i ? jd_gnuplot_step(wide, p->height, 30) : jd_gnuplot_step(wide, p->width, 70));
    if (i == 0) text(w, "set xlabel ", a->bare ? "" : a->label, " noenhanced offset 0,0.3\n");
    if (i == 0 || !a->label) return;
    text(w, "set label 4 ", a->label, " noenhanced at screen "); // all labels of a column in line
    jd_gnuplot_number(w->script, across(w, p->left - 62));
    real(w, ", screen ", up(w, p->top + p->height / 2), " center rotate by 90\n");
}

static int characters(const char *label) {
    int n = 0;
    for (; label && *label; label++) n += (*label & 0xc0) != 0x80;
    return n;
}

// gnuplot takes letters for wider than they are: what to add to a legend column [letters].
static double legend_width(const jd_panel *p) {
    int most = 0;
    for (const jd_series *s = p->series; s; s = s->next)
        most = characters(s->label) > most ? characters(s->label) : most;
    for (const jd_box *b = p->box; b; b = b->next)
        most = characters(b->label) > most ? characters(b->label) : most;
    return 1 - most / 6.0;
}

static void frame(writer *w, const jd_panel *p) {
    real(w, "set lmargin at screen ", across(w, p->left), "\n");
    real(w, "set rmargin at screen ", across(w, p->left + p->width), "\n");
    real(w, "set tmargin at screen ", up(w, p->top), "\n");
    real(w, "set bmargin at screen ", up(w, p->top + p->height), "\n");
    real(w, "set key at screen ", across(w, p->left + p->width + 6), "");
    real(w, ", screen ", up(w, p->top - 4),
         " right bottom horizontal Left reverse samplen 1.2 maxrows 1 noenhanced");
    real(w, " width ", legend_width(p), "\n");
    if (!p->title) return;
    text(w, "set label 3 ", p->title, " noenhanced at screen ");
    jd_gnuplot_number(w->script, across(w, p->left));
    real(w, ", screen ", up(w, p->top - 12), " left\n");
}

static void edge(writer *w, const char *corner, double x, double y, double y_edge) {
    real(w, corner, x, ", ");
    if (isnan(y)) {
        real(w, "graph ", y_edge, "");
    } else {
        jd_gnuplot_number(w->script, y);
    }
}

static void boxes(writer *w, const jd_panel *p) {
    int tag = 1;
    for (const jd_box *b = p->box; b; b = b->next) {
        double left = isnan(b->left) ? w->low[0] : fmax(b->left, w->low[0]);
        double right = isnan(b->right) ? w->high[0] : fmin(b->right, w->high[0]);
        if (!(left < right)) continue;
        fprintf(w->script, "set object %d rect from ", tag++);
        edge(w, "", left, b->low, 0);
        edge(w, " to ", right, b->high, 1);
        fprintf(w->script, " fillcolor rgb '%s' fillstyle solid noborder behind\n",
                ink_rgb[b->ink]);
    }
}

static void notes(writer *w, const jd_panel *p) {
    for (const jd_note *n = p->note; n; n = n->next) {
        text(w, "set label ", n->text, " noenhanced at ");
        jd_gnuplot_number(w->script, n->x);
        real(w, ",", n->y, "");
        fprintf(w->script, " left offset 0.5,0.5 textcolor rgb '%s'\n", ink_rgb[n->ink]);
    }
}

// A place on the x axis; infinities are the panel's edges.
static double inside(const writer *w, double x) {
    if (isinf(x)) return w->low[0] * (x < 0) + w->high[0] * (x > 0);
    return x;
}

// The next file `dN` of numbers; NULL where it cannot be made, which is kept as the error.
static FILE *next_file(writer *w) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/d%d", w->folder, w->n_file++);
    FILE *f = fopen(path, "w");
    if (!f && !w->error) w->error = errno;
    return f;
}

// The numbers of a series as a file `dN`; an undefined value becomes an empty line.
static void data(writer *w, const jd_series *s) {
    FILE *f = next_file(w);
    if (!f) return;
    bool any = false;
    for (int i = 0; i < s->n; i++) {
        double x = inside(w, s->x[i]), y = s->y[i];
        if (isfinite(x) && isfinite(y)) {
            jd_gnuplot_number(f, x);
            putc(' ', f);
            jd_gnuplot_number(f, y);
            if (s->stroke == JD_STROKE_AREA) {
                putc(' ', f);
                jd_gnuplot_number(f, s->low[i]);
            }
            any = true;
        }
        putc('\n', f);
    }
    if (!any) fputs("NaN NaN\n", f); // gnuplot refuses an empty file
    bool bad = ferror(f);
    if ((fclose(f) != 0 || bad) && !w->error) w->error = errno ? errno : EIO;
}

// Shades from dark to light that rise evenly in lightness, also in grey print; steps are seven of
// them, far apart where there are fewer; then they begin anew.
static void palette(writer *w, const jd_heat *h) {
    static const char *const step[] = {"#2d1e4f", "#1f5a8c", "#12908c", "#4dba6e",
                                       "#b5d33d", "#f6d746", "#f98e52"};
    if (h->n_step == 0) {
        fputs("set palette defined (0 '#2d1e4f', 1 '#3b4a8c', 2 '#1f7a8c', 3 '#25a584', 4 "
              "'#8bc34a', 5 '#fde725')\n",
              w->script);
        return;
    }
    fprintf(w->script, "set palette maxcolors %d defined (", h->n_step);
    for (int i = 0, n = h->n_step; i < n; i++) {
        const char *rgb = step[n > 1 && n < 7 ? i * 5 / (n - 1) : i % 7];
        fprintf(w->script, "%s%d '%s', %d '%s'", i ? ", " : "", i, rgb, i + 1, rgb);
    }
    fputs(")\n", w->script);
}

static void colour_scale(writer *w, const jd_panel *p) {
    const jd_heat *h = p->heat;
    double low = h->n_step ? h->low - 0.5 : h->low, high = h->n_step ? h->high + 0.5 : h->high;
    palette(w, h);
    fprintf(w->script, "%s logscale cb\n", h->log ? "set" : "unset");
    real(w, "set cbrange [", low, ":");
    real(w, "", high, "]\n");
    real(w, "set colorbox user noborder origin screen ", across(w, p->left + p->width + 12), ", ");
    real(w, "screen ", up(w, p->top + p->height), " size screen ");
    real(w, "", across(w, 12), ", screen ");
    real(w, "", p->height / w->scene->height, "\n");
    text(w, "set label 5 ", h->label, " noenhanced at screen ");
    jd_gnuplot_number(w->script, across(w, p->left));
    real(w, ", screen ", up(w, p->top - 12 - 20 * h->above), " left\n");
    fputs("set format cb '%g'\nset cbtics autofreq\n", w->script);
    if (h->n_step == 0) return;
    fputs("set cbtics (", w->script);
    for (int i = 0; i < h->n_step; i++) {
        text(w, i ? ", " : "", h->step[i], " ");
        jd_gnuplot_number(w->script, h->low + i);
    }
    fputs(") noenhanced\n", w->script);
}

// Colour of a cell; NaN: none.
static double colour(const jd_heat *h, double v) {
    if (!isfinite(v) || (h->log && !(v > 0))) return (double)NAN;
    return fmin(fmax(v, h->low), h->high);
}

static void numbers(FILE *f, int n, const double *x) {
    for (int k = 0; k < n; k++) {
        if (k) putc(' ', f);
        if (isnan(x[k]))
            fputs("NaN", f);
        else
            jd_gnuplot_number(f, x[k]);
    }
    putc('\n', f);
}

// The cells as a file `dN`: x, y, colour; on log axes, whose cells are no pixels of an image,
// x, y, edges, colour.
static void cells(writer *w, const jd_panel *p, bool boxed) {
    const jd_heat *h = p->heat;
    FILE *f = next_file(w);
    if (!f) return;
    for (int j = 0; j < h->n_y; j++)
        for (int i = 0; i < h->n_x; i++) {
            double v = colour(h, h->value[j * h->n_x + i]);
            const double pixel[] = {h->x[i], h->y[j], v};
            const double box[] = {h->x[i],
                                  h->y[j],
                                  cell_edge(h->x, h->n_x, i, p->x.log),
                                  cell_edge(h->x, h->n_x, i + 1, p->x.log),
                                  cell_edge(h->y, h->n_y, j, p->y.log),
                                  cell_edge(h->y, h->n_y, j + 1, p->y.log),
                                  v};
            if (!boxed || !isnan(v)) numbers(f, boxed ? 7 : 3, boxed ? box : pixel);
        }
    if (boxed) fputs("NaN NaN NaN NaN NaN NaN NaN\n", f); // gnuplot refuses an empty file
    bool bad = ferror(f);
    if ((fclose(f) != 0 || bad) && !w->error) w->error = errno ? errno : EIO;
}

static void plot_heat(writer *w, const jd_panel *p) {
    bool boxed = p->x.log || p->y.log;
    if (!p->heat) return;
    fprintf(w->script,
            boxed ? ", 'd%d' using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid "
                    "noborder lc palette notitle"
                  : ", 'd%d' using 1:2:3 with image notitle",
            w->n_file);
    cells(w, p, boxed);
}

// How each stroke is written; `under`: the point type drawn before in white, for marks with white
// in them.
static const struct {
    const char *with;
    int under;
} strokes[] = {[JD_STROKE_LINE] = {"lines lw ", 0},
               [JD_STROKE_DASHED] = {"lines dashtype (8,5) lw ", 0},
               [JD_STROKE_DOTTED] = {"lines dashtype (2,4) lw ", 0},
               [JD_STROKE_DASH_DOT] = {"lines dashtype (10,4,2,4) lw ", 0},
               [JD_STROKE_LONG_DASH] = {"lines dashtype (18,5) lw ", 0},
               [JD_STROKE_DASH_DOT_DOT] = {"lines dashtype (10,4,2,4,2,4) lw ", 0},
               [JD_STROKE_DOTS] = {"points pt 7 ps ", 0},
               [JD_STROKE_RINGS] = {"points pt 6 lw 1 ps ", 7},
               [JD_STROKE_SQUARES] = {"points pt 4 lw 1 ps ", 5},
               [JD_STROKE_TRIANGLES] = {"points pt 8 lw 1 ps ", 9},
               [JD_STROKE_DIAMONDS] = {"points pt 12 lw 1 ps ", 13},
               [JD_STROKE_CROSSES] = {"points pt 2 lw 1 ps ", 0},
               [JD_STROKE_GEMS] = {"points pt 13 ps ", 0},
               [JD_STROKE_STEMS] = {"impulses lw ", 0}};

static void how(writer *w, const jd_series *s) {
    if (s->stroke == JD_STROKE_AREA) {
        fputs("with filledcurves fillstyle solid 0.7", w->script);
    } else {
        double size = jd_stroke_is_mark(s->stroke) ? (s->size > 0 ? s->size : 5) / 8
                      : s->size > 0                ? s->size
                                                   : 1.6;
        fputs("with ", w->script);
        real(w, strokes[s->stroke].with, size, "");
    }
    fprintf(w->script, " lc rgb '%s' ", ink_rgb[s->ink]);
}

static void plot_series(writer *w, const jd_series *s) {
    int file = w->n_file;
    data(w, s);
    int under = s->stroke == JD_STROKE_AREA ? 0 : strokes[s->stroke].under;
    if (under) {
        fprintf(w->script, ", 'd%d' using 1:2 with points pt %d lc rgb '#ffffff'", file, under);
        real(w, " ps ", (s->size > 0 ? s->size : 5) / 8, " notitle");
    }
    fprintf(w->script, ", 'd%d' using 1:2%s ", file, s->stroke == JD_STROKE_AREA ? ":3" : "");
    how(w, s);
    if (s->label) {
        text(w, "title ", s->label, "");
    } else {
        fputs("notitle", w->script);
    }
}

static void legend_boxes(writer *w, const jd_panel *p) {
    for (const jd_box *b = p->box; b; b = b->next) {
        if (!b->label) continue;
        fprintf(w->script, ", keyentry with boxes fillstyle solid fillcolor rgb '%s' ",
                ink_rgb[b->ink]);
        text(w, "title ", b->label, "");
    }
}

static void panel(writer *w, const jd_panel *p) {
    fputs("unset object\n", w->script);
    lines(w, p);
    range(w, p, 0);
    range(w, p, 1);
    frame(w, p);
    axis(w, p, 'x', 0);
    axis(w, p, 'y', 1);
    boxes(w, p);
    notes(w, p);
    if (p->heat) colour_scale(w, p);
    fputs("plot NaN notitle", w->script);
    plot_heat(w, p);
    for (const jd_series *s = p->series; s; s = s->next) plot_series(w, s);
    legend_boxes(w, p);
    fputs("\nunset label\n", w->script);
}

jd_status jd_gnuplot_write(jd_context *context, const jd_scene *scene, jd_picture_form form,
                           const char *folder) {
    char path[PATH_SIZE];
    writer w = {.folder = folder, .scene = scene};
    snprintf(path, sizeof path, "%s/" JD_GNUPLOT_SCRIPT, folder);
    w.script = fopen(path, "w");
    if (!w.script)
        return jd_fail(context, JD_CANNOT_WRITE, "cannot write `%s`: %s", path, strerror(errno));
    terminal(&w, form);
    style(&w);
    page_title(&w, form);
    for (const jd_panel *p = scene->panel; p; p = p->next) panel(&w, p);
    fputs("unset multiplot\nset output\n", w.script);
    bool bad = ferror(w.script);
    if ((fclose(w.script) != 0 || bad) && !w.error) w.error = errno ? errno : EIO;
    if (!w.error) return JD_OK;
    jd_fail(context, JD_CANNOT_WRITE, "cannot write a drawing in `%s`: %s", folder,
            strerror(w.error));
    jd_fail_hint(context, "make room there, or name another folder in TMPDIR");
    return JD_CANNOT_WRITE;
}
