// matrices.cpp -- Judder from C++: a structure whose matrices are in memory, with a friction contact.
//   c++ -std=c++17 matrices.cpp -o matrices $(pkg-config --cflags --libs judder)
//   Twenty masses on springs, compressed by rows as scipy.sparse, Eigen and CSparse have them.
#include <judder/judder.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

// A symmetric matrix with constant diagonals, by rows.
struct Sparse {
    std::vector<int64_t> start{0}, index;
    std::vector<double> value;

    Sparse(int n, double diagonal, double beside, double last) {
        for (int i = 0; i < n; i++) {
            for (int j = i - 1; j <= i + 1; j++) {
                double entry = j != i ? beside : i + 1 < n ? diagonal : last;
                if (j < 0 || j >= n || entry == 0) continue;
                index.push_back(j);
                value.push_back(entry);
            }
            start.push_back(static_cast<int64_t>(index.size()));
        }
    }
    jd_matrix matrix() const {
        auto n = static_cast<int64_t>(start.size()) - 1;
        return jd_matrix_from_rows(n, n, start.data(), index.data(), value.data());
    }
};

struct Free {
    void operator()(jd_context *context) const { jd_context_free(context); }
    void operator()(jd_problem *problem) const { jd_problem_free(problem); }
    void operator()(jd_run *run) const { jd_run_free(run); }
};
using Context = std::unique_ptr<jd_context, Free>;
using Problem = std::unique_ptr<jd_problem, Free>;
using Run = std::unique_ptr<jd_run, Free>;

void check(const Context &context, jd_status status) {
    if (status != JD_OK) throw std::runtime_error(jd_context_error(context.get())->message);
}

Problem build(const Context &context, const Sparse &mass, const Sparse &stiffness) {
    jd_problem *made = nullptr;
    check(context, jd_problem_create(context.get(), &made));
    Problem problem(made);

    const jd_point points[] = {jd_point_at_node("end", 20, 1), jd_point_at_node("driven", 7, 1)};
    jd_matrices_def body = jd_default_matrices();
    body.mass = mass.matrix();
    body.stiffness = stiffness.matrix();
    body.stiffness.borrowed = true; // lives longer than the problem: no copy
    body.points = {2, points};
    check(context, jd_problem_add_matrices(made, "", &body));

    jd_coulomb_def friction = jd_default_coulomb();
    friction.limit = 0.3;
    jd_contact_def end = jd_default_contact();
    end.at = jd_at("end");
    end.law = jd_coulomb_law(&friction);
    check(context, jd_problem_add_contact(made, "end", &end));

    jd_harmonic_def drive = jd_default_harmonic();
    drive.at = jd_at("driven");
    drive.amplitude = 1;
    drive.frequency = jd_times_mode(1.1, 1);
    check(context, jd_problem_add_harmonic(made, "drive", &drive));

    jd_simulate_def simulate = jd_default_simulate();
    simulate.until = jd_periods(20);
    check(context, jd_problem_set_simulate(made, &simulate));
    check(context, jd_problem_build(made));
    return problem;
}

int count_events(const Context &context, const Problem &problem) {
    jd_run *made = nullptr;
    check(context, jd_run_create(context.get(), problem.get(), &made));
    Run run(made);
    double end = 20 * jd_problem_period(problem.get());
    int n = 0;
    for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT;) {
        check(context, jd_run_advance(made, end, &step));
        if (step == JD_STEP_EVENT) n++;
    }
    return n;
}

} // namespace

int main() {
    static_assert(JD_VERSION_NUMBER >= 100, "headers of another Judder");
    const Sparse mass(20, 1, 0, 1), stiffness(20, 2, -1, 1);
    const Context context(jd_context_create(nullptr));
    try {
        const Problem problem = build(context, mass, stiffness);
        std::printf("Judder %s: %d events in 20 periods\n", jd_version(),
                    count_events(context, problem));
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
