// combine.h -- rows of a matrix added up, four lanes at a time: compiled with the instruction set
// of the file that includes it, after base/lanes.h.
#ifndef JD_LINALG_COMBINE_H
#define JD_LINALG_COMBINE_H

// sum[q] += sum_r a[r] M[r][q], columns in whole vectors: 16 sums are kept in registers.
static inline void jd_combine(int rows, int columns, int stride, const double *a, const double *M,
                              double *sum) {
    int q = 0;
    for (; q + 16 <= columns; q += 16) {
        v4 s0 = LOAD(sum + q), s1 = LOAD(sum + q + 4), s2 = LOAD(sum + q + 8),
           s3 = LOAD(sum + q + 12);
        const double *m = M + q;
        for (int r = 0; r < rows; r++, m += stride) {
            v4 f = ALL(a[r]);
            s0 += f * LOAD(m);
            s1 += f * LOAD(m + 4);
            s2 += f * LOAD(m + 8);
            s3 += f * LOAD(m + 12);
        }
        STORE(sum + q, s0);
        STORE(sum + q + 4, s1);
        STORE(sum + q + 8, s2);
        STORE(sum + q + 12, s3);
    }
    for (; q < columns; q += 4) {
        v4 s0 = LOAD(sum + q);
        const double *m = M + q;
        for (int r = 0; r < rows; r++, m += stride) s0 += ALL(a[r]) * LOAD(m);
        STORE(sum + q, s0);
    }
}

#endif
