// templates.c -- the model files of `judder new`. Each must pass `judder check` (tests/cli/run.sh).
#include "command.h"

static const char friction_beam[] =
    "judder: 1                                # version of this format; always first\n"
    "title: Beam with a friction device\n"
    "structure:\n"
    "  type: fe-beam                          # `judder list fe-beam` shows every key\n"
    "  length: 2.47 m\n"
    "  bending_stiffness: 1.09e4 N m^2        # EI\n"
    "  mass_per_length: 35.4 kg/m\n"
    "  elements: 10\n"
    "  supports: {left: clamped, right: free} # clamped, pinned, guided, free\n"
    "  points: {mid: 1.235 m, tip: 2.47 m}    # names for places along the beam\n"
    "  damping: {type: rayleigh, mass: 0.025 1/s, stiffness: 5.5e-5 s}\n"
    "contacts:\n"
    "  tip:                                   # dry friction between the tip and the ground\n"
    "    at: tip\n"
    "    against: ground\n"
    "    law: {type: coulomb, limit: 0.66 N}\n"
    "drives:\n"
    "  shaker:                                # 2.4 N sin(1.1 omega_1 t)\n"
    "    at: mid\n"
    "    type: harmonic\n"
    "    amplitude: 2.4 N\n"
    "    frequency: {times: 1.1, mode: 1}     # or 11.1 rad/s, or 1.77 Hz\n"
    "start: rest\n"
    "simulate: {engine: auto, until: 100 periods}\n"
    "output: {per_period: 64}                 # samples per drive period, for -o and --csv\n"
    "orbit: {periods: 1, settle: 100 periods} # for `judder orbit`\n";

static const char bowed_string[] =
    "judder: 1\n"
    "title: Bowed string\n"
    "structure:                               # no units anywhere: one consistent system\n"
    "  type: string\n"
    "  length: 1\n"
    "  tension: 2\n"
    "  mass_per_length: 2\n"
    "  modes: infinite                        # or a number of modes to keep\n"
    "  points: {bow: 0.4}\n"
    "  damping: {type: ratio, value: 0.1}     # the same damping ratio for every mode\n"
    "contacts:\n"
    "  bow:\n"
    "    at: bow\n"
    "    against: {velocity: 1.5}             # the bow moves\n"
    "    law: {type: stribeck, limit: 4, drop: 0.32, decay: 1}\n"
    "start: {type: lift, mode: 1, point: bow, displacement: -2.9224, velocity: -2.7668}\n"
    "simulate: {engine: auto, until: 20}\n"
    "output: {every: 0.02}                    # time between samples, for -o and --csv\n";

static const char impact_chain[] =
    "judder: 1\n"
    "title: Chain of five masses that hits a stop\n"
    "structure:                               # no units anywhere: one consistent system\n"
    "  type: chain\n"
    "  count: 5\n"
    "  mass: 0.2                              # one value for all, or a list of five\n"
    "  stiffness: 5\n"
    "  damping: none\n"
    "  supports: {left: fixed, right: free}\n"
    "  points: {end: {node: 5}}               # nodes count from 1\n"
    "contacts:\n"
    "  end:\n"
    "    at: end\n"
    "    against: ground\n"
    "    law: {type: stop, gap: 1, restitution: 1}\n"
    "start: {type: state, displacement: [0.18, 0.36, 0.54, 0.72, 0.9], velocity: [0, 0, 0, 0, 2]}\n"
    "simulate: {engine: auto, until: 1000}\n"
    "output: {every: 0.1}                     # time between samples, for -o and --csv\n"
    "nsm: {omega: [1.4, 10], impacts: 1}\n";

static const char cantilever[] =
    "judder: 1\n"
    "title: Steel cantilever that knocks against a stop\n"
    "structure:\n"
    "  type: beam                             # continuous, analytic modes\n"
    "  length: 0.5 m\n"
    "  bending_stiffness: 14 N m^2            # EI\n"
    "  mass_per_length: 0.47 kg/m\n"
    "  modes: 20\n"
    "  supports: {left: clamped, right: free}\n"
    "  points: {tip: 50 cm}                   # any unit of the right dimension\n"
    "  damping: {type: ratio, value: 0.01}\n"
    "contacts:\n"
    "  tip:\n"
    "    at: tip\n"
    "    against: ground\n"
    "    law: {type: stop, gap: 1 mm, restitution: 0.8}\n"
    "drives:\n"
    "  shaker:\n"
    "    at: tip\n"
    "    type: harmonic\n"
    "    amplitude: 0.5 N\n"
    "    frequency: {times: 1, mode: 1}\n"
    "start: rest\n"
    "simulate: {engine: auto, until: 50 periods}\n"
    "output: {per_period: 64}                 # samples per drive period, for -o and --csv\n";

static const char two_rods[] =
    "judder: 1\n"
    "title: Two rods that rub along 25 m\n"
    "bodies:                                  # several structures, each with a name\n"
    "  pile:\n"
    "    type: rod\n"
    "    length: 50 m\n"
    "    axial_stiffness: 1e6 kN              # EA\n"
    "    mass_per_length: 1 t/m\n"
    "    modes: 20\n"
    "    supports: {left: free, right: free}\n"
    "    points: {head: 0 m, tip: 50 m}\n"
    "  sleeve:\n"
    "    type: rod\n"
    "    length: 50 m\n"
    "    axial_stiffness: 1e10 kN\n"
    "    mass_per_length: 1e4 t/m\n"
    "    modes: 20\n"
    "    supports: {left: free, right: fixed}\n"
    "contacts:\n"
    "  shaft:                                 # friction along a span, per length\n"
    "    at: {body: pile, span: [25 m, 50 m]}\n"
    "    against: {body: sleeve, span: [0 m, 25 m]}\n"
    "    law: {type: coulomb, limit: 0.6 kN/m}\n"
    "drives:\n"
    "  hammer: {at: pile.head, type: harmonic, amplitude: 20 kN, frequency: 20 rad/s}\n"
    "start: rest\n"
    "simulate: {engine: wave, nodes: 304, until: 1 s}\n"
    "output: {every: 0.1 s, points: [pile.head, pile.tip]}\n";

static const char matrices[] =
    "judder: 1\n"
    "title: Two masses, their matrices read from files\n"
    "structure:\n"
    "  type: matrices\n"
    "  mass: mass.mtx                         # Matrix Market, or lines node,dof,node,dof,value\n"
    "  stiffness: stiffness.mtx               # paths start at this file's folder\n"
    "  points: {end: {node: 2}}\n"
    "  damping: none\n"
    "contacts:\n"
    "  end: {at: end, against: ground, law: {type: coulomb, limit: 0.1}}\n"
    "drives:\n"
    "  push: {at: end, type: harmonic, amplitude: 0.3, frequency: 0.9}\n"
    "start: rest\n"
    "simulate: {engine: auto, until: 20 periods}\n"
    "output: {per_period: 64}                 # samples per drive period, for -o and --csv\n";

static const char mass_mtx[] = "%%MatrixMarket matrix coordinate real symmetric\n"
                               "2 2 2\n1 1 1\n2 2 0.5\n";
static const char stiffness_mtx[] = "%%MatrixMarket matrix coordinate real symmetric\n"
                                    "2 2 3\n1 1 2\n2 1 -1\n2 2 1\n";

static const char modes[] =
    "judder: 1\n"
    "title: Measured modes\n"
    "structure:\n"
    "  type: modes\n"
    "  omega: [10.2 rad/s, 63.5 rad/s, 178 rad/s]\n"
    "  ratio: [0.01, 0.012, 0.02]             # damping ratios; one value holds for all\n"
    "  shapes:                                # mass-normalised [1/sqrt(kg)], one value per mode\n"
    "    tip: [0.21, -0.21, 0.2]\n"
    "    mid: [0.07, 0.15, 0.004]\n"
    "contacts:\n"
    "  tip: {at: tip, against: ground, law: {type: coulomb, limit: 0.5 N}}\n"
    "drives:\n"
    "  shaker: {at: mid, type: harmonic, amplitude: 2 N, frequency: {times: 1, mode: 1}}\n"
    "start: rest\n"
    "simulate: {engine: auto, until: 100 periods}\n"
    "output: {per_period: 64}                 # samples per drive period, for -o and --csv\n";

const model_template templates[] = {
    {.name = "friction-beam",
     .doc = "beam of finite elements with dry friction at its tip",
     .text = friction_beam},
    {.name = "bowed-string",
     .doc = "string with falling friction under a moving bow",
     .text = bowed_string},
    {.name = "impact-chain", .doc = "masses and springs that hit a stop", .text = impact_chain},
    {.name = "cantilever", .doc = "continuous beam that knocks against a stop", .text = cantilever},
    {.name = "two-rods", .doc = "two bodies that rub along a span", .text = two_rods},
    {.name = "matrices",
     .doc = "mass and stiffness matrices read from files",
     .text = matrices,
     .beside = {{"mass.mtx", mass_mtx}, {"stiffness.mtx", stiffness_mtx}}},
    {.name = "modes", .doc = "a table of measured frequencies, ratios and shapes", .text = modes},
    {0}};
