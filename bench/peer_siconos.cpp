// peer_siconos.cpp -- Siconos, event-driven simulation (LSODAR with root finding), for stops.
//   In mass-normalised modal coordinates: M = I, K = diag(omega^2), gap = g - sum phi_k q_k. (With
//   a mass matrix other than the identity 4.4.0 factorises it again and again in place and stops.)
//   The time grid only bounds how far LSODAR runs in one call; impacts are found by its roots.
#include "peer.h"

#include <SiconosKernel.hpp>
#include <cstdio>

namespace {

const double grid = 20; // [s]; 0.5 ... 100 tried, hardly matters

struct chain {
    SP::NonSmoothDynamicalSystem system;
    SP::EventDriven simulation;
    SP::LsodarOSI lsodar;
};

SP::NonSmoothDynamicalSystem assemble(const bench_problem *p) {
    const unsigned n = static_cast<unsigned>(p->free.n);
    SP::SiconosVector q(new SiconosVector(n)), v(new SiconosVector(n));
    SP::SimpleMatrix m(new SimpleMatrix(n, n)), k(new SimpleMatrix(n, n));
    SP::SimpleMatrix c(new SimpleMatrix(n, n)), h(new SimpleMatrix(1, n));
    SP::SiconosVector gap(new SiconosVector(1));
    m->zero(), k->zero(), c->zero();
    for (unsigned i = 0; i < n; i++) {
        (*m)(i, i) = 1, (*k)(i, i) = p->free.omega[i] * p->free.omega[i];
        (*c)(i, i) = p->free.damping[i];
        (*h)(0, i) = -p->free.at_contact[i];
        (*q)(i) = p->q0[i], (*v)(i) = p->v0[i];
    }
    (*gap)(0) = p->gap;
    SP::LagrangianLinearTIDS body(new LagrangianLinearTIDS(q, v, m, k, c));
    SP::NonSmoothLaw law(new NewtonImpactNSL(p->restitution));
    SP::Relation relation(new LagrangianLinearTIR(h, gap));
    SP::Interaction contact(new Interaction(law, relation));
    SP::NonSmoothDynamicalSystem system(new NonSmoothDynamicalSystem(0, p->t_end));
    system->insertDynamicalSystem(body);
    system->link(contact, body);
    return system;
}

chain prepare(const bench_problem *p, bench_tolerance tolerance) {
    chain s;
    s.system = assemble(p);
    SP::TimeDiscretisation times(new TimeDiscretisation(0, grid));
    s.simulation.reset(new EventDriven(s.system, times));
    s.lsodar.reset(new LsodarOSI());
    s.simulation->insertIntegrator(s.lsodar);
    SP::OneStepNSProblem impact(new LCP()), acceleration(new LCP());
    s.simulation->insertNonSmoothProblem(impact, SICONOS_OSNSP_ED_IMPACT);
    s.simulation->insertNonSmoothProblem(acceleration, SICONOS_OSNSP_ED_SMOOTH_ACC);
    s.simulation->initialize();
    s.lsodar->setTol(1, tolerance.relative, tolerance.absolute);
    s.lsodar->setMaxNstep(1000000);
    s.simulation->setToleranceED(1e-8); // smaller: "output of level 0 must be positive"
    return s;
}

} // namespace

void bench_siconos(const bench_solver *, const bench_problem *p, bench_tolerance tolerance,
                   bench_events *events, bench_outcome *out) {
    const int nonsmooth_event = 2;
    events->n = 0, events->overflow = false;
    out->available = true, out->finished = true;
    try {
        chain s = prepare(p, tolerance);
        SP::EventsManager manager = s.simulation->eventsManager();
        while (s.simulation->hasNextEvent() && !events->overflow) {
            s.simulation->advanceToEvent();
            if (manager->nextEvent()->getType() == nonsmooth_event)
                bench_note(events, s.simulation->nextTime(), 'o', 'o', 0);
            s.simulation->processEvents();
        }
    } catch (...) {
        out->finished = false;
        std::snprintf(out->note, sizeof out->note, "Siconos stopped with an exception");
    }
    out->steps = out->evaluations = -1; // its counters start anew at every impact
}
