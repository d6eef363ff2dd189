// seal.h -- the last bytes of a result file: how long it is, and the checksum of all before them.
//   Whatever happened to a file (bytes changed, a part lost) is found before the HDF5 library,
//   which trusts what it reads, sees any of it. The seal stands behind what HDF5 takes for the end
//   of the file: other programs read the file as if it were not there.
#ifndef JD_RESULT_SEAL_H
#define JD_RESULT_SEAL_H

#include <stdint.h>

#include "base/fail.h"

enum { JD_SEAL_SIZE = 24 }; // bytes: mark, length [bytes] and CRC-64 of the rest, little endian

// Appends the seal to a file open for reading and writing; 0, or errno.
int jd_seal_put(int fd);
// JD_BAD_RESULT_FILE with what is wrong unless the file is as it was sealed. *length: without seal.
jd_status jd_seal_check(jd_context *context, const char *path, int fd, uint64_t *length);

#endif
