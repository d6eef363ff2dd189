// matlab73.c -- matrices from MATLAB files of version 7.3, which are HDF5 files, by libmatio.
#include "lazy/matio.h"
#include "structure/matrices/formats/matlab.h"

// libmatio numbers classes as version 5 does up to the integers.
static jd_matlab_variable describe(const matvar_t *v) {
    size_t rows = v->dims && v->rank > 0 ? v->dims[0] : 0;
    size_t columns = v->dims && v->rank > 1 ? v->dims[1] : 0;
    int class = v->class_type <= MAT_C_UINT64     ? (int)v->class_type
                : v->class_type == MAT_C_FUNCTION ? (int)JD_MATLAB_FUNCTION
                                                  : (int)JD_MATLAB_OBJECT;
    return (jd_matlab_variable){.name = v->name ? v->name : "",
                                .class = class,
                                .complex = v->isComplex != 0,
                                .rank = v->rank,
                                .rows = rows,
                                .columns = columns};
}

static jd_status take_full(jd_arena *arena, const jd_matlab_file *f, const matvar_t *v,
                           jd_matrix_list *m) {
    size_t n = v->dims[0], count = 0;
    bool single = v->data_type == MAT_T_SINGLE;
    const double *wide = v->data;
    const float *narrow = v->data;
    if ((!single && v->data_type != MAT_T_DOUBLE) || v->nbytes < n * n * (single ? 4 : 8))
        return jd_matlab_refuse(f, JD_BROKEN_MATRIX, v->name,
                                "holds fewer numbers than it announces", NULL);
    for (size_t i = 0; i < n * n; i++) count += (single ? (double)narrow[i] : wide[i]) != 0;
    if (count > 1u << 30)
        return jd_matlab_refuse(f, JD_FILE_TOO_LARGE, v->name, "has too many entries", NULL);
    JD_TRY(jd_matrix_room(arena, m, (int)count));
    for (size_t i = 0; i < n * n; i++)
        JD_TRY(jd_matlab_add(f, v->name, i % n, i / n, single ? (double)narrow[i] : wide[i], m));
    return JD_OK;
}

static jd_status take_sparse(jd_arena *arena, const jd_matlab_file *f, const matvar_t *v,
                             jd_matrix_list *m) {
    const mat_sparse_t *s = v->data;
    size_t n = v->dims[0];
    bool whole = v->data_type == MAT_T_DOUBLE && s->jc && s->njc == n + 1 && s->jc[0] == 0 &&
                 s->jc[n] <= s->nir && s->jc[n] <= s->ndata && s->jc[n] <= 1u << 30 &&
                 (s->jc[n] == 0 || (s->ir && s->data));
    for (size_t j = 0; whole && j < n; j++) whole = s->jc[j] <= s->jc[j + 1];
    for (size_t p = 0; whole && p < s->jc[n]; p++) whole = s->ir[p] < n;
    if (!whole)
        return jd_matlab_refuse(f, JD_BROKEN_MATRIX, v->name,
                                "is damaged: its parts do not fit together", NULL);
    const double *value = s->data;
    JD_TRY(jd_matrix_room(arena, m, (int)s->jc[n]));
    for (size_t j = 0; j < n; j++)
        for (size_t p = s->jc[j]; p < s->jc[j + 1]; p++)
            JD_TRY(jd_matlab_add(f, v->name, s->ir[p], j, value[p], m));
    return JD_OK;
}

static jd_status take(jd_arena *arena, const jd_matlab_file *f, mat_t *mat, matvar_t *v,
                      jd_matrix_list *m) {
    const jd_matlab_variable described = describe(v);
    JD_TRY(jd_matlab_check(f, &described));
    if (Mat_VarReadDataAll(mat, v) != 0 || !v->data)
        return jd_matlab_refuse(f, JD_BROKEN_MATRIX, v->name,
                                "cannot be read: the file is damaged or cut", NULL);
    m->n = (int)v->dims[0];
    return v->class_type == MAT_C_SPARSE ? take_sparse(arena, f, v, m) : take_full(arena, f, v, m);
}

static jd_status read_variables(jd_arena *arena, jd_matlab_file *f, mat_t *mat, jd_matrix_list *m) {
    matvar_t *v;
    jd_status status = JD_OK;
    while (status == JD_OK && (v = Mat_VarReadNextInfo(mat)) != NULL) {
        const jd_matlab_variable described = describe(v);
        if (jd_matlab_is_wanted(f, &described)) status = take(arena, f, mat, v, m);
        Mat_VarFree(v);
    }
    return status;
}

jd_status jd_matlab_read73(jd_arena *arena, jd_matlab_file *f, jd_matrix_list *m) {
    JD_TRY(jd_lazy_matio_ready(f->context));
    jd_hdf5_take();
    mat_t *mat = Mat_Open(f->path, MAT_ACC_RDONLY);
    jd_status status = JD_BROKEN_MATRIX;
    if (mat) {
        status = read_variables(arena, f, mat, m);
        Mat_Close(mat);
    } else {
        jd_fail(f->context, status, "the MATLAB file `%s` is truncated or damaged", f->path);
        jd_fail_where(f->context, "%s", f->path);
    }
    jd_hdf5_give();
    return status;
}
