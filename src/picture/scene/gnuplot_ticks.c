// gnuplot_ticks.c -- numbers and ticks in gnuplot's language.
#include <math.h>
#include <string.h>

#include "picture/scene/gnuplot.h"

void jd_gnuplot_number(FILE *stream, double value) {
    char text[40];
    snprintf(text, sizeof text, "%.12g", value);
    for (char *p = text; *p; p++)
        if (*p == ',') *p = '.';
    fputs(text, stream);
}

double jd_gnuplot_step(double range, double length, double pitch) {
    double raw = range / fmax(2, length / pitch), power = pow(10, floor(log10(raw)));
    double lead = raw / power;
    return power * (lead < 1.5 ? 1 : lead < 3.2 ? 2 : lead < 7 ? 5 : 10);
}

// 10 to the power e as people write it: 0.01, 100; 10⁻⁶, 1, 10⁶ where some are too long.
static void power_of_ten(FILE *stream, int e, bool plain) {
    static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char text[16];
    if (plain || e == 0) {
        fprintf(stream, "'%g'", pow(10, e));
        return;
    }
    fputs(e < 0 ? "'10⁻" : "'10", stream);
    snprintf(text, sizeof text, "%d", e < 0 ? -e : e);
    for (const char *c = text; *c; c++) fputs(digit[*c - '0'], stream);
    fputs("'", stream);
}

// Powers of ten, about eight of them at most.
static void powers(FILE *stream, double low, double high) {
    int first = (int)ceil(log10(low) - 1e-9), last = (int)floor(log10(high) + 1e-9);
    int step = 1 + (last - first) / 8;
    const char *between = "";
    for (int e = first; e <= last; e++) {
        if (e % step != 0) continue;
        fputs(between, stream);
        power_of_ten(stream, e, first >= -3 && last <= 4);
        fprintf(stream, " 1e%d", e);
        between = ", ";
    }
}

void jd_gnuplot_log_ticks(FILE *stream, char name, double low, double high, double step) {
    static const int fine[] = {1, 2, 3, 5, 7, 0}, coarse[] = {1, 2, 5, 0};
    double decades = low > 0 ? log10(high / low) : 0;
    const char *between = "";
    if (!(low > 0 && high < HUGE_VAL)) { // a range read from a file may end anywhere
        fprintf(stream, "set %ctics autofreq\n", name);
        return;
    }
    fprintf(stream, "set %ctics (", name);
    if (decades > 2) powers(stream, low, high);
    bool narrow = decades < 0.5 && low + step > low; // a step may vanish beside its numbers
    for (double k = ceil(low / step); narrow && k * step <= high; k++, between = ", ") {
        fputs(between, stream);
        jd_gnuplot_number(stream, k * step);
    }
    bool some = decades >= 0.5 && decades <= 2;
    for (int e = (int)floor(log10(low)); some && e <= (int)ceil(log10(high)); e++)
        for (const int *k = decades > 1.2 ? coarse : fine; *k; k++) {
            double at = *k * pow(10, e);
            if (at < low || at > high) continue;
            fputs(between, stream);
            jd_gnuplot_number(stream, at);
            between = ", ";
        }
    fputs(")\n", stream);
}
