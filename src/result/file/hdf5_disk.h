// hdf5_disk.h -- the file under an HDF5 file: a descriptor of ours.
//   HDF5 cannot close a file it could not write (a full disk), and then fails again when the
//   program ends. So a failed write is kept here and HDF5 is told all is well; whoever owns the
//   file asks `error` and throws the file away. Reading goes through here, too: what was checked is
//   what is read, and nothing behind its end.
#ifndef JD_RESULT_HDF5_DISK_H
#define JD_RESULT_HDF5_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "lazy/hdf5.h"

// What the HDF5 library takes for a file (its cache of metadata alone is 1 MB), and for one dataset
// beside its values. It crashes when an allocation of its own fails: jd_room asks before.
enum { JD_HDF5_ROOM = 8 << 20, JD_HDF5_PIECE = 3 << 20 };

typedef struct jd_disk {
    int fd; // open for reading and writing, empty; or for reading, and `length` bytes of it
    uint64_t length;
    int error;    // errno of the first write that failed; 0: none
    hid_t driver; // HDF5's number for this way of writing
} jd_disk;

// Before anything else of HDF5 is called: loads it.
jd_status jd_hdf5_ready(jd_context *context);
// A new HDF5 file on disk->fd; negative on failure. `disk` must outlive it.
hid_t jd_disk_create(jd_disk *disk, hid_t plan);
// The HDF5 file in the first disk->length bytes of disk->fd, to read; negative on failure.
hid_t jd_disk_open(jd_disk *disk);
// After H5Fclose.
void jd_disk_done(jd_disk *disk);

#endif
