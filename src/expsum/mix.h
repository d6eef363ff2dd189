// mix.h -- part of simd_body.h: a matrix times many columns, Y = A X; sums over j in order, rounded
// once, so that a column has the same bits whatever stands beside it.
//   A(i, j) at A[j*step + i]; rows of X and Y by strides. Tiles of four rows and eight columns.

#define MIX_ROW(i)                                                                                 \
    do {                                                                                           \
        v4 row_ = ALL(a[i]);                                                                       \
        ADD_PRODUCT(left##i, row_, x0);                                                            \
        ADD_PRODUCT(right##i, row_, x1);                                                           \
    } while (0)

// Rows i to i + 3 of eight columns.
JD_INLINE void mix_eight(int inner, const double *a, int step, const double *x, int x_stride,
                         double *y, int y_stride) {
    v4 left0 = ALL(0.0), left1 = left0, left2 = left0, left3 = left0;
    v4 right0 = left0, right1 = left0, right2 = left0, right3 = left0;
    for (int j = 0; j < inner; j++, a += step, x += x_stride) {
        v4 x0 = LOAD(x), x1 = LOAD(x + 4);
        MIX_ROW(0);
        MIX_ROW(1);
        MIX_ROW(2);
        MIX_ROW(3);
    }
    STORE(y, left0);
    STORE(y + 4, right0);
    STORE(y + y_stride, left1);
    STORE(y + y_stride + 4, right1);
    STORE(y + 2 * (ptrdiff_t)y_stride, left2);
    STORE(y + 2 * (ptrdiff_t)y_stride + 4, right2);
    STORE(y + 3 * (ptrdiff_t)y_stride, left3);
    STORE(y + 3 * (ptrdiff_t)y_stride + 4, right3);
}
#undef MIX_ROW

// One row: columns by sixteen, by four, one by one.
static void mix_row(int inner, int columns, const double *A, int step, const double *X,
                    int x_stride, double *y) {
    int c = 0;
    for (; c + 16 <= columns; c += 16) {
        const double *a = A, *x = X + c;
        v4 s0 = ALL(0.0), s1 = s0, s2 = s0, s3 = s0;
        for (int j = 0; j < inner; j++, a += step, x += x_stride) {
            v4 aj = ALL(*a);
            ADD_PRODUCT(s0, aj, LOAD(x));
            ADD_PRODUCT(s1, aj, LOAD(x + 4));
            ADD_PRODUCT(s2, aj, LOAD(x + 8));
            ADD_PRODUCT(s3, aj, LOAD(x + 12));
        }
        STORE(y + c, s0);
        STORE(y + c + 4, s1);
        STORE(y + c + 8, s2);
        STORE(y + c + 12, s3);
    }
    for (; c + 4 <= columns; c += 4) {
        const double *a = A, *x = X + c;
        v4 sum = ALL(0.0);
        for (int j = 0; j < inner; j++, a += step, x += x_stride)
            ADD_PRODUCT(sum, ALL(*a), LOAD(x));
        STORE(y + c, sum);
    }
    for (; c < columns; c++) {
        const double *a = A, *x = X + c;
        double sum = 0;
        for (int j = 0; j < inner; j++, a += step, x += x_stride) sum = fma(*a, *x, sum);
        y[c] = sum;
    }
}

static void mix(int rows, int inner, int columns, const double *A, int step, const double *X,
                int x_stride, double *Y, int y_stride) {
    int eight = rows < 4 ? 0 : columns - columns % 8;
    for (int i = 0; rows >= 4 && i < rows; i += 4) { // the last four overlap
        int at = i + 4 <= rows ? i : rows - 4;
        for (int c = 0; c < eight; c += 8)
            mix_eight(inner, A + at, step, X + c, x_stride, Y + (ptrdiff_t)at * y_stride + c,
                      y_stride);
    }
    for (int i = 0; eight < columns && i < rows; i++)
        mix_row(inner, columns - eight, A + i, step, X + eight, x_stride,
                Y + (ptrdiff_t)i * y_stride + eight);
}
