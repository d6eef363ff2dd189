// available.h -- memory that can be taken without swapping.
#ifndef JD_LINALG_SPARSE_AVAILABLE_H
#define JD_LINALG_SPARSE_AVAILABLE_H

#include <stddef.h>

// Bytes that this process can take now before the machine swaps or a limit stops it: the least of
// what the kernel says is available, what is left of the control group's limit, and what is left of
// the limit of addresses. SIZE_MAX where none of them is known.
size_t jd_memory_available(void);

#endif
