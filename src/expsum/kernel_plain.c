// kernel_plain.c -- the inner loops for any processor.
#define JD_KERNEL jd_kernels_plain
#include "expsum/kernel_body.h"
