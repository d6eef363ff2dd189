// hdf5_disk.c -- virtual file driver on a descriptor: writing never fails, what cannot be written
// is remembered; reading ends where the file does.
#include "result/file/hdf5_disk.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#include "result/file/document.h"

typedef struct open_file {
    H5FD_t head; // first: HDF5's own
    jd_disk *disk;
    haddr_t end_of_space, end_of_file;
} open_file;

static H5FD_t *disk_open(const char *name, unsigned flags, hid_t access, haddr_t most) {
    (void)name, (void)flags, (void)most;
    jd_disk *const *disk = H5Pget_driver_info(access);
    open_file *f = disk ? calloc(1, sizeof *f) : NULL;
    if (!f) return NULL;
    f->disk = *disk;
    f->end_of_file = f->disk->length;
    return &f->head;
}

static herr_t disk_close(H5FD_t *file) {
    free(file);
    return 0;
}

static herr_t disk_query(const H5FD_t *file, unsigned long *flags) {
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t get_space(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const open_file *)file)->end_of_space;
}

static herr_t set_space(H5FD_t *file, H5FD_mem_t type, haddr_t address) {
    (void)type;
    ((open_file *)file)->end_of_space = address;
    return 0;
}

static haddr_t get_end(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const open_file *)file)->end_of_file;
}

// What was never written reads as zeros while a file is made; of one that is only read there is
// no such thing.
static herr_t disk_read(H5FD_t *file, H5FD_mem_t type, hid_t plan, haddr_t address, size_t size,
                        void *buffer) {
    (void)type, (void)plan;
    const open_file *f = (open_file *)file;
    char *to = buffer;
    haddr_t length = f->disk->length; // 0: being made
    if (length > 0 && (address > length || size > length - address)) return -1;
    while (size > 0) {
        ssize_t n = pread(f->disk->fd, to, size, (off_t)address);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        to += n;
        size -= (size_t)n;
        address += (haddr_t)n;
    }
    memset(to, 0, size);
    return size > 0 && f->disk->length > 0 ? -1 : 0;
}

static herr_t disk_write(H5FD_t *file, H5FD_mem_t type, hid_t plan, haddr_t address, size_t size,
                         const void *buffer) {
    (void)type, (void)plan;
    open_file *f = (open_file *)file;
    const char *from = buffer;
    if (address + size > f->end_of_file) f->end_of_file = address + size;
    while (size > 0 && f->disk->error == 0) {
        ssize_t n = pwrite(f->disk->fd, from, size, (off_t)address);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            f->disk->error = errno;
            break;
        }
        from += n;
        size -= (size_t)n;
        address += (haddr_t)n;
    }
    return 0;
}

static herr_t disk_truncate(H5FD_t *file, hid_t plan, hbool_t closing) {
    (void)plan, (void)closing;
    open_file *f = (open_file *)file;
    if (f->disk->error == 0 && ftruncate(f->disk->fd, (off_t)f->end_of_space) != 0)
        f->disk->error = errno;
    f->end_of_file = f->end_of_space;
    return 0;
}

static const H5FD_class_t disk_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)511, // free for experiments
#endif
    .name = "judder",
    .maxaddr = (haddr_t)1 << 62,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(jd_disk *),
    .open = disk_open,
    .close = disk_close,
    .query = disk_query,
    .get_eoa = get_space,
    .set_eoa = set_space,
    .get_eof = get_end,
    .read = disk_read,
    .write = disk_write,
    .truncate = disk_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY};

// `plan` of a new file; negative: the one that is there.
static hid_t begin(jd_disk *disk, hid_t plan) {
    static const char name[] = "judder-result";
    disk->driver = H5FDregister(&disk_class);
    if (disk->driver < 0) return -1;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    if (access >= 0 && H5Pset_driver(access, disk->driver, &disk) >= 0)
        file = plan < 0 ? H5Fopen(name, H5F_ACC_RDONLY, access)
                        : H5Fcreate(name, H5F_ACC_TRUNC, plan, access);
    if (access >= 0) H5Pclose(access);
    return file;
}

hid_t jd_disk_create(jd_disk *disk, hid_t plan) { return plan < 0 ? -1 : begin(disk, plan); }

hid_t jd_disk_open(jd_disk *disk) { return begin(disk, -1); }

void jd_disk_done(jd_disk *disk) {
    if (disk->driver > 0) H5FDunregister(disk->driver);
    disk->driver = 0;
}

static atomic_bool leave_at_exit; // HDF5 is loaded later

void jd_hdf5_leave_at_exit(void) { atomic_store(&leave_at_exit, true); }

static void decide_exit(void) {
    jd_hdf5_take();
    if (atomic_load(&leave_at_exit)) H5dont_atexit();
    jd_hdf5_give();
}

jd_status jd_hdf5_ready(jd_context *context) {
    static once_flag once = ONCE_FLAG_INIT;
    JD_TRY(jd_lazy_hdf5_ready(context));
    call_once(&once, decide_exit);
    return JD_OK;
}
