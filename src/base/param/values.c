// values.c -- values of definitions, made in C: places, times, frequencies, matrices.
#include <math.h>

#include "judder/param.h"

jd_point jd_point_at(const char *name, double position) {
    return (jd_point){.name = name, .position = position, .dof = 1};
}

jd_point jd_point_at_node(const char *name, int node, int dof) {
    return (jd_point){.name = name, .position = (double)NAN, .node = node, .dof = dof};
}

jd_place jd_at(const char *point) { return (jd_place){.point = point}; }

jd_place jd_at_body(const char *body, const char *point) {
    return (jd_place){.body = body, .point = point};
}

jd_place jd_at_directions(const char *body, const char *normal, const char *tangential) {
    return (jd_place){.body = body, .point = tangential, .normal = normal};
}

jd_place jd_at_points(const char *body, const char *points) {
    return (jd_place){.body = body, .points = points};
}

jd_place jd_along(const char *body, double from, double to) {
    return (jd_place){.body = body, .from = from, .to = to};
}

jd_counter jd_ground(void) { return (jd_counter){.kind = JD_GROUND}; }

jd_counter jd_moving(double velocity) {
    return (jd_counter){.kind = JD_MOVING, .velocity = velocity};
}

jd_counter jd_place_of(jd_place place) { return (jd_counter){.kind = JD_PLACE, .place = place}; }

jd_frequency jd_omega(double omega) { return (jd_frequency){.value = omega}; }

jd_frequency jd_times_mode(double times, int mode) {
    return (jd_frequency){.times = times, .mode = mode};
}

jd_duration jd_seconds(double time) { return (jd_duration){.value = time}; }
jd_duration jd_periods(double number) { return (jd_duration){.value = number, .periods = true}; }

jd_matrix jd_matrix_from_file(const char *path) { return (jd_matrix){.file = path}; }

jd_matrix jd_matrix_from_rows(int64_t rows, int64_t columns, const int64_t *start,
                              const int64_t *index, const double *value) {
    return (jd_matrix){.rows = rows,
                       .columns = columns,
                       .layout = JD_MATRIX_ROWS,
                       .wide = true,
                       .start = start,
                       .index = index,
                       .value = value};
}

jd_matrix jd_matrix_from_rows32(int64_t rows, int64_t columns, const int32_t *start,
                                const int32_t *index, const double *value) {
    jd_matrix m = jd_matrix_from_rows(rows, columns, NULL, NULL, value);
    m.wide = false;
    m.start = start;
    m.index = index;
    return m;
}

jd_matrix jd_matrix_from_columns(int64_t rows, int64_t columns, const int64_t *start,
                                 const int64_t *index, const double *value) {
    jd_matrix m = jd_matrix_from_rows(rows, columns, start, index, value);
    m.layout = JD_MATRIX_COLUMNS;
    return m;
}

jd_matrix jd_matrix_from_columns32(int64_t rows, int64_t columns, const int32_t *start,
                                   const int32_t *index, const double *value) {
    jd_matrix m = jd_matrix_from_rows32(rows, columns, start, index, value);
    m.layout = JD_MATRIX_COLUMNS;
    return m;
}
