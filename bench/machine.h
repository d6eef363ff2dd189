// machine.h -- says on what a benchmark was run.
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

void bench_machine_print(void);

#endif
