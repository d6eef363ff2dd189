// path.h -- a branch of periodic motions of waves that come back, along one parameter.
//   A point of the branch is known by z = (lambda/L, log T, log size); arclength is that of z, and
//   steps keep to a plane tau (z - z') = h. All else is what Newton's method of closing.c finds.
#ifndef JD_ANALYSIS_WAVES_PATH_H
#define JD_ANALYSIS_WAVES_PATH_H

#include "analysis/follow/branch.h"
#include "analysis/waves/closing.h"

enum { JD_PATH_Z = 3, JD_PATH_MULTIPLIERS = 64 };

// One orbit of the branch.
typedef struct jd_path_place {
    jd_branch_point point;
    double z[JD_PATH_Z], tau[JD_PATH_Z];
    double *tangent; // n + borders: on the panels of its round, for tau
    int room, n;
    double multiplier[2 * JD_PATH_MULTIPLIERS]; // the one along the orbit left out
    int n_multiplier;
    jd_contact_state shortest; // in its shortest phase
    double shortest_length;
    int letters; // of its phase string
} jd_path_place;

typedef struct jd_path {
    jd_follow *f;
    jd_wave wave;
    jd_path_place here, there, middle;
    double h;         // arclength of the step from here to there
    int tries;        // steps, and attempts at one
    double way;       // arclength of the last few of them
    bool bound;       // the parameter could not be set
    jd_shooting last; // contact states and events of the last round, for phase strings
} jd_path;

// States put aside in the run: at the start of `here`; of the last round; of `there`.
enum { JD_PATH_HERE, JD_PATH_THERE, JD_PATH_KEPT };

// path.c
// The orbit in the plane at arclength h from `here`, from its prediction there (last: at the
// parameter of the prediction); into out with multipliers, measure and tangent. The run stands at
// its end, its start is put aside.
jd_status jd_path_step(jd_path *p, double h, bool last, jd_path_place *out, bool *found);
// The first, from a run that stands near it.
jd_status jd_path_first(jd_path *p, double direction, bool *found);

// path_special.c
// Special points between `here` and `there`.
jd_status jd_path_special(jd_path *p);

// path_follow.c
bool jd_path_applies(const jd_follow *f);
jd_status jd_path_follow(jd_follow *f);

#endif
