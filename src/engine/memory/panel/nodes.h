// nodes.h -- Radau nodes of a panel and what is interpolated through them; polynomials in theta.
#ifndef JD_ENGINE_MEMORY_PANEL_NODES_H
#define JD_ENGINE_MEMORY_PANEL_NODES_H

enum {
    STAGES = 6,      // most nodes of a panel
    USUAL_NODES = 4, // loops over so many are unrolled
    CHECK = 1        // one more point, where the panel is checked
};

typedef struct nodes {
    int s;
    double c[STAGES + CHECK];            // in (0, 1], c[s-1] = 1; c[s]: the check point
    double weight[STAGES];               // quadrature over [0, 1]
    double lagrange[STAGES][STAGES];     // L_k = sum_r lagrange[k][r] theta^r
    double wide[STAGES + 1][STAGES + 1]; // likewise through 0 and the nodes, 0 first
    double check[STAGES + 1];            // weights of 0 and the nodes: value at c[s]
    double begin[STAGES];                // weights of the nodes: value at 0
    // Bernstein coefficients over the panel, j of them from values: through the nodes, 0 and nodes
    double hull[STAGES][STAGES], wide_hull[STAGES + 1][STAGES + 1];
} nodes;

void jd_nodes_set(nodes *n, int s);
double jd_polynomial(int degree, const double *p, double x);
double jd_polynomial_mean(int degree, const double *p, double a, double x); // over [a, a + x]
void jd_polynomial_part(int degree, double *p, double a, double b);         // p(a + b x), in place
// Coefficients in theta through the nodes (degree s - 1), and through (0, first) too (degree s).
void jd_nodes_narrow(const nodes *n, const double *at, int stride, double *p);
void jd_nodes_wide(const nodes *n, double first, const double *at, int stride, double *p);
// Least and largest Bernstein coefficient of the polynomial through the nodes; the least of `sign`
// times the one through (0, first) too.
void jd_nodes_range(const nodes *n, const double *at, int stride, double *low, double *high);
double jd_nodes_least_wide(const nodes *n, double sign, double first, const double *at, int stride);
// First theta in [from, 1] at which p (degree d) is below -margin; 2: nowhere.
double jd_nodes_first_below(int d, const double *p, double from, double margin);

#endif
