// hdf5_fence.h -- a result file read in a child process first: what the HDF5 library does not
// survive is a named failure here.
#ifndef JD_RESULT_HDF5_FENCE_H
#define JD_RESULT_HDF5_FENCE_H

#include "result/file/hdf5_tree.h"

// Calls read(user) in a child, and waits for its end. JD_OK when it came back, whatever it said:
// it will say the same here. JD_BAD_RESULT_FILE when it crashed, took more processor time than
// files of that length can take, or ended the process. Nothing it did is seen here.
jd_status jd_hdf5_rehearse(const jd_hdf5_source *source, void (*read)(void *user), void *user);
// The same for several files at once, of that length together: did it come back?
bool jd_hdf5_comes_back(uint64_t length, void (*read)(void *user), void *user);

#endif
