#!/bin/sh
# make-data.sh -- what a hammer test of a clamped beam would give: accelerances at its tip and its
# middle per force at the tip, twelve modes, damping ratio 0.02, noise of 0.3 %.
#   beta L of a cantilever; phi = cosh - cos - s (sinh - sin), s = (cosh + cos)/(sinh + sin) at L
awk 'BEGIN {
    srand(4); pi = atan2(0, -1); EI = 1.09e4; rho = 35.4; L = 2.47; D = 0.02; N = 12
    split("1.875104068711961 4.694091132974175 7.854757438237613 10.99554073487547", b, " ")
    for (k = 5; k <= N; k++) b[k] = (k - 0.5) * pi
    for (k = 1; k <= N; k++) {
        w[k] = b[k] ^ 2 / L ^ 2 * sqrt(EI / rho); tip[k] = 2 * (k % 2 ? 1 : -1) / sqrt(rho * L)
        s = (ch(b[k]) + cos(b[k])) / (sh(b[k]) + sin(b[k])); x = b[k] / 2
        mid[k] = (exp(-x) * (1 + s) / 2 + exp(x) * (1 - s) / 2 - cos(x) + s * sin(x)) / sqrt(rho * L)
    }
    print "# frequency [Hz], acceleration per force [1/kg]"
    print "frequency,tip/tip.re,tip/tip.im,mid/tip.re,mid/tip.im"
    for (f = 0.25; f < 75.1; f += 0.25) {
        o = 2 * pi * f; a = c = e = g = 0
        for (k = 1; k <= N; k++) {
            p = w[k] ^ 2 - o ^ 2; q = 2 * D * w[k] * o; z = -o ^ 2 / (p ^ 2 + q ^ 2) * tip[k]
            a += z * tip[k] * p; c -= z * tip[k] * q; e += z * mid[k] * p; g -= z * mid[k] * q
        }
        printf "%.6g", f; noisy(a, c); noisy(e, g); print ""
    }
}
function ch(x) { return (exp(x) + exp(-x)) / 2 }
function sh(x) { return (exp(x) - exp(-x)) / 2 }
function normal() { return sqrt(-2 * log(1 - rand())) * cos(2 * pi * rand()) }
function noisy(re, im,   u, v) {
    u = 1 + 0.003 * normal(); v = 0.003 * normal()
    printf ",%.6g,%.6g", re * u - im * v, re * v + im * u
}'
