// simulate.h -- keys of the section `simulate`, by who reads them: rows of parameter tables.
//   sections.c puts all of them into the table of the section; each engine makes its own table of
//   those it reads (`params` of its class), and refuses those of other engines.
#ifndef JD_PROBLEM_SIMULATE_H
#define JD_PROBLEM_SIMULATE_H

#include <math.h>

#include "judder/problem.h"

// clang-format off
// Every engine.
#define JD_KEYS_OF_RUNS                                                                            \
    {JD_KEY(jd_simulate_def, engine, TEXT), .unit = "", .preset_text = "auto",                     \
     .doc = "which engine computes the motion; auto picks one"},                                   \
    {JD_KEY(jd_simulate_def, until, DURATION), .unit = "s", .required = true, .low = 0,            \
     .high = HUGE_VAL, .doc = "time to stop at, or a number of drive periods"},                    \
    {JD_KEY(jd_simulate_def, event_budget, INTEGER), .unit = "", .preset = 10000000, .low = 1,     \
     .high = HUGE_VAL, .doc = "stop after this many events"}
#define JD_KEYS_OF_LEDGERS                                                                         \
    {JD_KEY(jd_simulate_def, ledger, BOOLEAN), .unit = "", .preset = 1,                            \
     .doc = "sum up the energies; without it a run is faster"}

// Engines on grids: wave, taylor, mode-matching.
#define JD_KEYS_OF_GRIDS                                                                           \
    {JD_KEY(jd_simulate_def, nodes, INTEGER), .unit = "", .preset = 304, .low = 2,                 \
     .high = 1000000,                                                                              \
     .doc = "grid points of the first body, for the engines wave, taylor and mode-matching"}
#define JD_KEYS_OF_WAVE                                                                            \
    {JD_KEY(jd_simulate_def, friction_rule, CHOICE), .unit = "",                                   \
     .choices = (const char *const[]){"centred", "trapezoidal", NULL},                             \
     .doc = "engine wave: centred never feeds energy in; trapezoidal is sharper at fronts and "    \
            "reports what it feeds in"},                                                           \
    {JD_KEY(jd_simulate_def, error_estimate, BOOLEAN), .unit = "",                                 \
     .doc = "engine wave: compare with a coarser grid, at every sample"}

// Engines that choose their steps by a tolerance: memory, closure.
#define JD_KEYS_OF_STEPS                                                                           \
    {JD_KEY(jd_simulate_def, tolerance, REAL), .unit = "", .preset = (double)NAN, .low = 1e-13,    \
     .high = 0.1,                                                                                  \
     .doc = "relative error allowed in a step: of contact forces and velocities in engine memory " \
            "(1e-6 when left out), of the state in engine closure (1e-12)"}
#define JD_KEYS_OF_CLOSURE                                                                         \
    {JD_KEY(jd_simulate_def, modes, INTEGER), .unit = "", .preset = 0, .low = 0, .high = HUGE_VAL, \
     .doc = "lowest modes the engine closure keeps of a structure; 0: all it has"},                \
    {JD_KEY(jd_simulate_def, wave_term, CHOICE), .unit = "",                                       \
     .choices = (const char *const[]){"auto", "none", NULL},                                       \
     .doc = "what the engine closure puts for the modes left out"}
#define JD_KEYS_OF_MEMORY                                                                          \
    {JD_KEY(jd_simulate_def, memory, CHOICE), .unit = "",                                          \
     .choices = (const char *const[]){"auto", "exponentials", "delays", NULL},                     \
     .doc = "how engine memory keeps infinitely many modes: exponentials, or delays (little "      \
            "damping or none)"}
#define JD_KEYS_OF_CONVOLUTION                                                                     \
    {JD_KEY(jd_simulate_def, step, REAL), .unit = "s", .preset = 0, .low = 0, .high = HUGE_VAL,    \
     .doc = "time step of engine convolution; 0: 1/4000 of the slowest period"}
// clang-format on

#endif
