// secular.c -- the scalar equation of the multipliers, with proofs over intervals of periods.
//   P(1) = 2 w'^2 - w w'' > 0 where the energy falls with the period; P(-1) is f1 f2 up to a
//   positive factor and sign, f1 = sum b_j tan(omega_j T/2), f2 = sum a_j omega_j/sin(omega_j T).
//   A disc without doubt: if no root of a polynomial P of degree m is within r of z, then |P'/P| <=
//   m/r there, so one is within m |P/P'|. With z moving along the root the disc stays small over an
//   interval of T; how small, Taylor models prove (taylor_model.h).
#include "analysis/nsm/stability/secular.h"

static inline nsm_model zero(void) { return (nsm_model){0}; }

static nsm_model sine_model(const nsm_period *p, int j) {
    double half = p->s->modes.omega[j] / 2, turn = half * p->h;
    return model_real(p->S[j], half * p->C[j], turn * turn / 2 + NSM_ROUNDING);
}

static nsm_model cosine_model(const nsm_period *p, int j) {
    double half = p->s->modes.omega[j] / 2, turn = half * p->h;
    return model_real(p->C[j], -half * p->S[j], turn * turn / 2 + NSM_ROUNDING);
}

jd_status jd_nsm_period_create(const jd_nsm *s, jd_arena *arena, nsm_period *out) {
    int room = s->modes.n + 3;
    *out = (nsm_period){.s = s};
    double **lists[] = {&out->S, &out->C, &out->c, &out->bs, &out->aos, &out->a};
    for (int i = 0; i < 6; i++) *lists[i] = JD_TAKE(arena, double, room);
    JD_TRY(jd_arena_status(arena));
    for (int j = 0; j < room; j++) {
        out->c[j] = 2; // the padding: off all roots, without weight
        out->bs[j] = out->aos[j] = 0;
        out->a[j] = j < s->modes.n ? s->modes.a[j] : 0;
    }
    return JD_OK;
}

void jd_nsm_period_at(nsm_period *p, double T, double h) {
    const jd_nsm *s = p->s;
    p->T = T;
    p->h = h + 1e-15 * T; // angles are rounded: as if T were
    p->kappa = zero();
    for (int j = 0; j < s->modes.n; j++) {
        p->S[j] = sin(s->modes.omega[j] * T / 2);
        p->C[j] = cos(s->modes.omega[j] * T / 2);
        double sine = 2 * p->S[j] * p->C[j];
        p->c[j] = 1 - 2 * p->S[j] * p->S[j];
        p->bs[j] = s->modes.b[j] * sine;
        p->aos[j] = s->modes.a[j] * s->modes.omega[j] * sine;
        nsm_model csc = model_inverse(sine_model(p, j), p->h, 0);
        model_add(&p->kappa, s->modes.a[j] * s->modes.omega[j],
                  model_times(cosine_model(p, j), csc, p->h));
    }
}

int jd_nsm_sign_at_one(const nsm_period *p) {
    const jd_nsm *s = p->s;
    double h = p->h;
    nsm_model w = zero(), w1 = w, w2 = w;
    for (int j = 0; j < s->modes.n; j++) {
        nsm_model csc = model_inverse(sine_model(p, j), h, 0),
                  cot = model_times(cosine_model(p, j), csc, h), square = model_times(csc, csc, h);
        model_add(&w, s->modes.b[j], cot);
        model_add(&w1, -s->modes.a[j] / 2, square);
        model_add(&w2, s->modes.a[j] * s->modes.omega[j] / 2, model_times(cot, square, h));
    }
    return -model_sign(model_plus(model_times(w, w2, h), -2, model_times(w1, w1, h)), h);
}

// f1 f2 cos^2 of the mode whose c_j is next to -1: its pole there is taken out.
int jd_nsm_sign_at_minus_one(const nsm_period *p) {
    const jd_nsm *s = p->s;
    int m = 0;
    for (int j = 1; j < s->modes.n; j++)
        if (fabs(p->C[j]) < fabs(p->C[m])) m = j;
    nsm_model f1 = zero(), f2 = zero(), cosine = cosine_model(p, m);
    for (int j = 0; j < s->modes.n; j++) {
        if (j == m) continue;
        nsm_model sec = model_inverse(cosine_model(p, j), p->h, 0),
                  csc = model_inverse(sine_model(p, j), p->h, 0);
        model_add(&f1, s->modes.b[j], model_times(sine_model(p, j), sec, p->h));
        model_add(&f2, s->modes.a[j] * s->modes.omega[j], model_times(csc, sec, p->h));
    }
    f1 = model_plus(model_times(f1, cosine, p->h), s->modes.b[m], sine_model(p, m));
    f2 = model_plus(model_times(f2, cosine, p->h), s->modes.a[m] * s->modes.omega[m],
                    model_inverse(sine_model(p, m), p->h, 0));
    return model_sign(f1, p->h) * model_sign(f2, p->h);
}

// F, its derivative in mu, and sum 1/(mu - c_j) - 1/(mu - 1), at mu = z + drift d.
typedef struct forms {
    nsm_model F, slope, poles;
} forms;

static forms forms_at(const nsm_period *p, const double z[2], const double drift[2], bool slopes) {
    const jd_nsm *s = p->s;
    double h = p->h, least = fabs(z[1]) - fabs(drift[1]) * h;
    nsm_model mu = {z[0], z[1], drift[0], drift[1], 0}, A = zero(), B = A, H = A, A1 = A, B1 = A,
              H1 = A, poles = A;
    for (int j = 0; j < s->modes.n; j++) {
        double o = s->modes.omega[j], a = s->modes.a[j], b = s->modes.b[j],
               turn = o * h * o * h / 2, sine = 2 * p->S[j] * p->C[j], cosine = p->c[j];
        nsm_model off = {z[0] - cosine, z[1], drift[0] + o * sine, drift[1],
                         turn + 2 * NSM_ROUNDING};
        nsm_model q = model_inverse(off, h, least),
                  sn = model_real(sine, o * cosine, turn + NSM_ROUNDING),
                  sq = model_times(sn, q, h);
        model_add(&A, b, sq);
        model_add(&B, a, q);
        model_add(&H, a * o, sq);
        if (!slopes) continue;
        nsm_model qq = model_times(q, q, h), sqq = model_times(sq, q, h);
        model_add(&A1, -b, sqq);
        model_add(&B1, -a, qq);
        model_add(&H1, -a * o, sqq);
        model_add(&poles, 1, q);
    }
    nsm_model one = model_real(1, 0, 0), bend = model_plus(model_times(mu, mu, h), -1, one);
    nsm_model rest = model_plus(H, -1, p->kappa), BB = model_times(B, B, h);
    forms f = {.F = model_plus(model_times(A, rest, h), 1, model_times(bend, BB, h))};
    if (!slopes) return f;
    f.slope = model_plus(model_times(A1, rest, h), 1, model_times(A, H1, h));
    f.slope = model_plus(f.slope, 2, model_times(mu, BB, h));
    f.slope = model_plus(f.slope, 2, model_times(bend, model_times(B, B1, h), h));
    nsm_model beyond = model_plus(mu, -1, one);
    f.poles = model_plus(poles, -1, model_inverse(beyond, h, least));
    return f;
}

int jd_nsm_sign_at(const nsm_period *p, double x) {
    const double z[2] = {x, 0}, rest[2] = {0, 0};
    int above = 0;
    for (int j = 0; j < p->s->modes.n; j++) above += p->c[j] > x; // none crosses x
    int sign = model_sign(forms_at(p, z, rest, false).F, p->h);
    return above % 2 ? sign : -sign;
}

double jd_nsm_off_segment(const double z[2]) { return hypot(fmax(0, fabs(z[0]) - 1), z[1]); }

bool jd_nsm_root_stays_off(const nsm_period *p, const double z[2], const double drift[2]) {
    forms f = forms_at(p, z, drift, true);
    nsm_model slope = model_plus(f.slope, 1, model_times(f.F, f.poles, p->h)); // of P, as F is P
    double off = jd_nsm_off_segment(z) - hypot(drift[0], drift[1]) * p->h;
    return off > 0 && (p->s->modes.n - 1) * model_most(f.F, p->h) < off * model_least(slope, p->h);
}
