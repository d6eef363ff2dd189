// jacobi.h -- eigenpairs of small positive matrices, small eigenvalues beside large ones.
#ifndef JD_LINALG_JACOBI_H
#define JD_LINALG_JACOBI_H

// T, m x m symmetric and positive semidefinite, rows of `lead` numbers: theta descending, the
// eigenvectors as rows of S. T is used up. An entry counts beside sqrt(T_ii T_jj): eigenvalues of a
// graded matrix keep their relative accuracy (Demmel and Veselic 1992), which is lost by way of
// tridiagonal matrices; that of a free body has its rigid-body modes 1e10 times above the others.
void jd_jacobi(int m, int lead, double *T, double *S, double *theta);

#endif
